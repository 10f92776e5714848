//! The table of openings and the classification of games.

use super::automaton::{Automaton, DEAD, START};
use super::ecco::Ecco;
use super::pattern::{Step, Way, WxfMove, mirrored_first_move, read_ways};
use crate::board::{Key, Move, Position};
use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

/// Plies that are looked at for a code.
const PLIES: usize = 20;
/// Plies up to which positions are looked up.
const POSITION_PLIES: usize = 40;

/// The opening of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Opening {
    /// The code.
    pub ecco: Ecco,
    /// Its name in the table.
    pub name: &'static str,
    /// The ply with which the code was settled.
    pub ply: u32,
}

/// Why a table cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct TableError {
    /// Line in the file, from 1; 0 for the file as a whole.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// One line of the table.
#[derive(Debug)]
struct Rule {
    code: Ecco,
    red: u16,
    /// No condition on Black if missing.
    black: Option<u16>,
}

/// A table of openings, ready for use.
#[derive(Debug)]
pub struct Openings {
    names: HashMap<Ecco, String>,
    /// In the order of the codes.
    rules: Vec<Rule>,
    /// Which rules each pattern of Red, and of Black, belongs to.
    by_pattern: [Vec<Vec<u16>>; 2],
    /// Codes about a position reached in any order.
    reached: Vec<bool>,
    /// (a, b): a goes before b, if b is the last.
    before: Vec<(Ecco, Ecco)>,
    red: Automaton,
    black: Automaton,
    positions: HashMap<Key, Ecco>,
}

static INSTALLED: OnceLock<Openings> = OnceLock::new();
static BUILT_IN: LazyLock<Openings> = LazyLock::new(|| {
    // A test reads the file; a fault in it never gets this far.
    Openings::read(include_str!("ecco.tsv")).unwrap_or_else(|error| unreachable!("built-in table: {error}"))
});

/// The table in use: the one installed, or else the built-in one.
pub fn openings() -> &'static Openings {
    INSTALLED.get().unwrap_or_else(|| &BUILT_IN)
}

/// Puts another table in the place of the built-in one. Returns false if that was done before.
pub fn install(table: Openings) -> bool {
    INSTALLED.set(table).is_ok()
}

impl Openings {
    /// Reads a table; the built-in `ecco.tsv` explains its form.
    ///
    /// # Errors
    ///
    /// The first line that makes no sense.
    pub fn read(text: &str) -> Result<Openings, TableError> {
        let mut names = HashMap::new();
        let mut defined: HashMap<String, Vec<Way>> = HashMap::new();
        let mut lines: Vec<(Ecco, Vec<Way>, Option<Vec<Way>>)> = Vec::new();
        let mut reached = vec![false; usize::from(Ecco::LAST.number()) + 1];
        let mut before = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let fault = |what: String| TableError { line: index + 1, what };
            let line = line.trim_end();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(definition) = line.strip_prefix('$') {
                let (name, moves) = definition.split_once('=').ok_or_else(|| fault("a definition needs '='".into()))?;
                let ways = read_ways(moves, &defined).map_err(fault)?;
                defined.insert(name.trim().to_string(), ways);
                continue;
            }
            let mut columns = line.split('\t');
            let mut head = columns.next().unwrap_or_default();
            let code = |text: &str| text.parse::<Ecco>().map_err(|error| fault(format!("{text}: {error}")));
            let any_order = head.strip_prefix('!').inspect(|rest| head = rest).is_some();
            let special = head.split_once('<');
            let ecco = code(special.map_or(head, |(_, own)| own))?;
            for general in special.into_iter().flat_map(|(general, _)| general.split(',')) {
                before.push((ecco, code(general)?));
            }
            reached[usize::from(ecco.number())] |= any_order;
            let name = columns.next().map(str::trim).filter(|name| !name.is_empty());
            let name = name.ok_or_else(|| fault("a code needs a name".into()))?;
            names.insert(ecco, name.to_string());
            let mut side = || match columns.next().map(str::trim).filter(|column| !column.is_empty()) {
                Some(column) => read_ways(column, &defined).map(Some).map_err(fault),
                None => Ok(None),
            };
            match (side()?, side()?) {
                (Some(red), black) => lines.push((ecco, red, black)),
                (None, None) => {}
                (None, Some(_)) => return Err(fault("Black's moves without Red's".into())),
            }
        }
        lines.sort_by_key(|line| line.0);
        let whole = |what: String| TableError { line: 0, what };
        let (mut red, mut black): (Vec<Vec<Way>>, Vec<Vec<Way>>) = (Vec::new(), Vec::new());
        let mut rules = Vec::new();
        let mut positions = HashMap::new();
        for (code, red_ways, black_ways) in lines {
            for way in &red_ways {
                for answer in black_ways.iter().flatten() {
                    if let Some(key) = position_of(way, answer) {
                        positions.insert(key, code);
                    }
                }
            }
            rules.push(Rule {
                code,
                red: place(&mut red, red_ways),
                black: black_ways.map(|ways| place(&mut black, ways)),
            });
        }
        let mut by_pattern = [vec![Vec::new(); red.len()], vec![Vec::new(); black.len()]];
        for (index, rule) in (0..).zip(&rules) {
            by_pattern[0][usize::from(rule.red)].push(index);
            if let Some(black) = rule.black {
                by_pattern[1][usize::from(black)].push(index);
            }
        }
        Ok(Openings {
            names,
            rules,
            by_pattern,
            reached,
            before,
            red: Automaton::new(&red).map_err(whole)?,
            black: Automaton::new(&black).map_err(whole)?,
            positions,
        })
    }

    /// The name of a code.
    pub fn name(&self, code: Ecco) -> Option<&str> {
        self.names.get(&code).map(String::as_str)
    }

    /// All codes with their names, in order.
    pub fn codes(&self) -> Vec<(Ecco, &str)> {
        let mut codes: Vec<_> = self.names.iter().map(|(code, name)| (*code, name.as_str())).collect();
        codes.sort_unstable();
        codes
    }

    /// The code of a game and the ply that settled it; `None` if the table has nothing to say.
    pub fn code(&self, start: &Position, moves: impl IntoIterator<Item = Move>) -> Option<(Ecco, u32)> {
        let mut position = *start;
        let usual = *start == Position::start();
        let mut follow = usual.then(|| Follow::new(self));
        let mut settled: Option<(Ecco, u32)> = None;
        let mut met: Option<(Ecco, u32)> = self.positions.get(&start.canonical_key().0).map(|code| (*code, 0));
        let mut ply = 0;
        for m in moves.into_iter().take(POSITION_PLIES) {
            if let Some(state) = follow.as_mut().filter(|_| (ply as usize) < PLIES)
                && state.step(&position, m)
                && let Some(code) = state.code()
                && settled.is_none_or(|(before, _)| before != code)
            {
                settled = Some((code, ply + 1));
            }
            // Once the moves have told a code, positions cannot change it any more.
            if settled.is_some() && (ply as usize >= PLIES || follow.as_ref().is_some_and(Follow::ended)) {
                break;
            }
            position.play(m);
            ply += 1;
            if settled.is_none()
                && let Some(&code) = self.positions.get(&position.canonical_key().0)
            {
                met = Some((code, ply));
            }
        }
        settled.or(met).or((usual && ply > 0 && self.names.contains_key(&Ecco::FIRST)).then_some((Ecco::FIRST, 1)))
    }

    /// The code that this very position stands for, however it was reached.
    pub fn code_of_position(&self, position: &Position) -> Option<Ecco> {
        self.positions.get(&position.canonical_key().0).copied()
    }
}

impl Openings {
    /// As [`Openings::code`], with the name.
    pub fn opening(&'static self, start: &Position, moves: impl IntoIterator<Item = Move>) -> Option<Opening> {
        let (ecco, ply) = self.code(start, moves)?;
        Some(Opening { ecco, name: self.name(ecco).unwrap_or(""), ply })
    }
}

/// A set of numbers below 512: patterns of a side, or codes.
#[derive(Clone, Copy, Default)]
struct Set([u64; 8]);

impl Set {
    fn add(&mut self, number: u16) {
        if let Some(word) = self.0.get_mut(usize::from(number) / 64) {
            *word |= 1 << (number % 64);
        }
    }

    fn has(&self, number: u16) -> bool {
        self.0.get(usize::from(number) / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }
}

/// Follows one game.
struct Follow<'a> {
    table: &'a Openings,
    mirror: Option<bool>,
    states: [u16; 2],
    /// Patterns fulfilled by each side.
    fulfilled: [Set; 2],
    /// Codes with a rule that is met, the last such rule, and the last of those about positions reached in any order.
    met: Set,
    last: Option<u16>,
    reached: Option<u16>,
}

impl<'a> Follow<'a> {
    fn new(table: &'a Openings) -> Follow<'a> {
        Follow {
            table,
            mirror: None,
            states: [START; 2],
            fulfilled: [Set::default(); 2],
            met: Set::default(),
            last: None,
            reached: None,
        }
    }

    /// No pattern can be fulfilled any more.
    fn ended(&self) -> bool {
        self.states == [DEAD; 2]
    }

    /// Plays a move; true if a pattern was fulfilled by it.
    fn step(&mut self, position: &Position, m: Move) -> bool {
        let table = self.table;
        let mirror = *self.mirror.get_or_insert(mirrored_first_move(m));
        let token = WxfMove::of(position, m, mirror);
        let side = position.side_to_move().index();
        let machine = if side == 0 { &table.red } else { &table.black };
        self.states[side] = machine.step(self.states[side], token);
        let new = machine.fulfilled(self.states[side]);
        for &pattern in new {
            self.fulfilled[side].add(pattern);
            for &rule in &table.by_pattern[side][usize::from(pattern)] {
                self.meet(rule);
            }
        }
        !new.is_empty()
    }

    /// Notes a rule if both its sides are fulfilled.
    fn meet(&mut self, index: u16) {
        let rule = &self.table.rules[usize::from(index)];
        if self.fulfilled[0].has(rule.red) && rule.black.is_none_or(|black| self.fulfilled[1].has(black)) {
            self.met.add(rule.code.number());
            self.last = self.last.max(Some(index));
            if self.table.reached[usize::from(rule.code.number())] {
                self.reached = self.reached.max(Some(index));
            }
        }
    }

    fn code(&self) -> Option<Ecco> {
        let code = |index: u16| self.table.rules[usize::from(index)].code;
        if let Some(reached) = self.reached {
            return Some(code(reached));
        }
        let last = self.last.map(code);
        let before = self.table.before.iter();
        let before = before.filter(|(special, general)| last == Some(*general) && self.met.has(special.number()));
        before.map(|(special, _)| *special).max().or(last)
    }
}

/// The place of a pattern in the list, added if it is new.
fn place(patterns: &mut Vec<Vec<Way>>, ways: Vec<Way>) -> u16 {
    let at = patterns.iter().position(|known| *known == ways).unwrap_or_else(|| {
        patterns.push(ways);
        patterns.len() - 1
    });
    at as u16
}

/// Key of the position that two ways to play lead to, if they fit together move by move: as many moves each, or one more
/// by Red, nothing left open.
fn position_of(red: &Way, black: &Way) -> Option<Key> {
    let (red, black) = (needed(red), needed(black));
    if red.len() != black.len() && red.len() != black.len() + 1 {
        return None;
    }
    let mut position = Position::start();
    for ply in 0..red.len() + black.len() {
        let side = if ply % 2 == 0 { &red } else { &black };
        let m = side[ply / 2].find(&position)?;
        position.play(m);
    }
    Some(position.canonical_key().0)
}

/// The moves that must be made, in the order written.
fn needed(way: &Way) -> Vec<WxfMove> {
    let mut moves = Vec::new();
    for step in way {
        match step {
            Step::One(one) => moves.extend(one.first()),
            Step::Any(_) => {}
            Step::All { all, .. } => moves.extend(all),
        }
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::super::pattern::read_moves;
    use super::*;

    fn play(text: &str, mirror: bool) -> Vec<Move> {
        let mut position = Position::start();
        read_moves(text)
            .iter()
            .map(|token| {
                let m = token.find(&position).unwrap();
                position.play(m);
                if mirror { m.mirror() } else { m }
            })
            .collect()
    }

    fn code(moves: &[Move]) -> String {
        openings().code(&Position::start(), moves.iter().copied()).map_or(String::new(), |(code, _)| code.to_string())
    }

    #[test]
    fn the_built_in_table_is_sound() {
        let table = Openings::read(include_str!("ecco.tsv")).unwrap();
        assert_eq!(table.codes().len(), 260);
        assert!(table.red.fulfilled(START).is_empty() && table.rules.len() >= 260);
        assert!(table.rules.iter().all(|rule| rule.red < 512 && rule.black.is_none_or(|black| black < 512)));
    }

    #[test]
    fn a_game_gets_deeper_codes_as_it_goes_on_and_its_mirror_image_the_same() {
        let line = "C2.5 N8+7 N2+3 R9.8 R1.2 P7+1 R2+6 N2+3 P7+1 C8.9 R2.3 C9-1 N8+7 A4+5 C8.9";
        for mirror in [false, true] {
            let moves = play(line, mirror);
            let codes: Vec<String> = (1..=moves.len()).map(|n| code(&moves[..n])).collect();
            let expected = [
                "B00", "B05", "B05", "B05", "B05", "B05", "B05", "C17", "C30", "C40", "C40", "C41", "C42", "C43", "C45",
            ];
            assert_eq!(codes, expected);
        }
        let (ecco, ply) = openings().code(&Position::start(), play(line, false)).unwrap();
        assert_eq!((ecco.to_string().as_str(), ply), ("C45", 15));
    }

    #[test]
    fn what_fits_nothing_is_a00_and_other_starts_are_known_by_position() {
        assert_eq!(code(&play("K5+1", false)), "A00");
        assert_eq!(code(&[]), "");
        let line = play("C2.5 N8+7 N2+3 R9.8 R1.2 P7+1 R2+6 N2+3 P7+1 C8.9", false);
        let mut position = Position::start();
        for &m in &line {
            position.play(m);
        }
        let other = openings().code(&position, []);
        assert_eq!(other.map(|(code, ply)| (code.to_string(), ply)), Some(("C40".to_string(), 0)));
    }

    #[test]
    fn faults_of_a_table_are_told_with_their_line() {
        for (text, line) in [
            ("A01\t上仕局\tA4+5\n\nX01\t?\tA4+5", 3),
            ("A01", 1),
            ("A01\t上仕局\tA4+", 1),
            ("A01\t上仕局\t\tA4+5", 1),
            ("$a C2.5", 1),
        ] {
            assert_eq!(Openings::read(text).unwrap_err().line, line, "{text}");
        }
    }
}
