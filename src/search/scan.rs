//! Playing through main lines and watching for what a query asks of the board.
//!
//! The board is kept as bit sets (`pieces.rs`), so that a pattern costs a few ANDs a ply, and nothing at plies that do not
//! touch it. How a game ends needs only its last board. Counting checks needs the full board with its rules at every ply.

use super::pieces::{Pieces, Ready, Step};
use crate::board::{Color, Kind, Move, Outcome, Position};
use crate::game::Game;
use crate::query::{Capture, Checks, Ending, Material, Pattern, Term};
use crate::store::{Line, Moves};

/// Where in a game something came true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Plies before it.
    pub ply: u32,
    /// It is the mirror image of what was asked for.
    pub mirrored: bool,
    /// It is what was asked for with colours swapped.
    pub swapped: bool,
    /// It is in a side line.
    pub side_line: bool,
}

/// Where a game reaches a position in a side line: one of those wanted, each with whether it is mirrored and swapped.
/// The shallowest place is told.
pub(super) fn in_side_lines(game: &Game, wanted: &[(Position, bool, bool)]) -> Option<Place> {
    let main: usize = game.moves().count();
    if game.tree.ply_count() == main {
        return None;
    }
    let mut position = game.start;
    let mut path = Vec::new();
    let mut best: Option<Place> = None;
    for (id, depth) in game.tree.walk() {
        while path.len() >= depth as usize
            && let Some((m, undo)) = path.pop()
        {
            position.undo(m, undo);
        }
        let m = game.tree[id].m;
        path.push((m, position.play(m)));
        if let Some(&(_, mirrored, swapped)) = wanted.iter().find(|(wanted, ..)| *wanted == position) {
            let place = Place { ply: depth, mirrored, swapped, side_line: true };
            best = Some(best.map_or(place, |best| best.min(place)));
        }
    }
    best
}

/// The images of a query: as asked, mirrored, with colours swapped, both.
pub(super) const IMAGES: [(bool, bool); 4] = [(false, false), (true, false), (false, true), (true, true)];

/// Something to watch for, in one of its images.
// Not boxed: there are few of them, each looked at for every ply. (With the pattern in a box, incremental builds of rustc 1.95
// gave `Checks` a side that is no side, for a reason not found; the random queries over real games notice.)
#[allow(clippy::large_enum_variant)]
#[derive(Debug)]
enum Watch {
    Pattern(Ready),
    Material(Material),
    /// Patterns still to come, from this one on.
    Sequence(Vec<Ready>),
    Capture(Capture),
    Checks(Checks),
    Ending(Ending),
}

/// One watch with the number of its term.
#[derive(Debug)]
struct Entry {
    term: usize,
    mirrored: bool,
    swapped: bool,
    watch: Watch,
}

/// What to look for on the board, made ready once for all games.
#[derive(Debug)]
pub struct Scanner {
    entries: Vec<Entry>,
    terms: usize,
    /// Some term counts checks: the rules are needed at every ply.
    rules: bool,
    /// Some term asks how the game ends.
    endings: bool,
    /// All terms ask only that.
    only_endings: bool,
    /// The usual start.
    usual: Pieces,
}

impl Scanner {
    /// For the board terms among `terms` for which `wanted` is true. Positions are not looked for here.
    pub fn new(terms: &[Term], wanted: impl Fn(usize) -> bool, mirror: bool, swap: bool) -> Scanner {
        let mut entries = Vec::new();
        for (term, what) in terms.iter().enumerate().filter(|(term, _)| wanted(*term)) {
            for (mirrored, swapped) in IMAGES {
                if (mirrored && !mirror) || (swapped && !swap) {
                    continue;
                }
                let image = |pattern: &Pattern| {
                    let pattern = if swapped { pattern.swapped() } else { pattern.clone() };
                    Ready::new(&if mirrored { pattern.mirrored() } else { pattern })
                };
                let turn = |color: Option<Color>| if swapped { color.map(|color| !color) } else { color };
                let watch = match what {
                    Term::Pattern(pattern) => Watch::Pattern(image(pattern)),
                    Term::Sequence(patterns) => Watch::Sequence(patterns.iter().map(image).collect()),
                    // The rest looks the same in a mirror.
                    _ if mirrored => continue,
                    Term::Material(material) => Watch::Material(if swapped { material.swapped() } else { *material }),
                    Term::Capture(capture) => Watch::Capture(Capture { side: turn(capture.side), ..*capture }),
                    Term::Checks(checks) => Watch::Checks(Checks { by: turn(checks.by), count: checks.count.clone() }),
                    Term::Ending(ending) => Watch::Ending(Ending { winner: turn(ending.winner), ..*ending }),
                    _ => continue,
                };
                entries.push(Entry { term, mirrored, swapped, watch });
            }
        }
        let rules = entries.iter().any(|entry| matches!(entry.watch, Watch::Checks(_)));
        let endings = entries.iter().any(|entry| matches!(entry.watch, Watch::Ending(_)));
        let only_endings = entries.iter().all(|entry| matches!(entry.watch, Watch::Ending(_)));
        let usual = Pieces::new(&Position::start());
        Scanner { entries, terms: terms.len(), rules, endings, only_endings, usual }
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Plays through the main line of a game. For every term, where it first came true.
    pub fn scan_line(&self, line: &Line<'_>, found: &mut Vec<Option<Place>>) {
        if self.only_endings {
            found.clear();
            found.resize(self.terms, None);
            // The end needs no more than the squares on which the pieces came to stand.
            let (end, plies) = line.end();
            for entry in &self.entries {
                if let Watch::Ending(ending) = &entry.watch
                    && ends_so(&end, ending)
                {
                    entry.note(plies, found);
                }
            }
            return;
        }
        let start = line.start();
        let pieces = if line.has_usual_start() { self.usual.clone() } else { Pieces::new(&start) };
        match line.moves() {
            Moves::Short(moves) => self.watch(&start, pieces, moves, found),
            Moves::Full(moves) => self.watch(&start, pieces, moves, found),
        }
    }

    /// As [`Scanner::scan_line`], for moves from a position.
    pub fn scan(&self, start: &Position, moves: impl Iterator<Item = Move>, found: &mut Vec<Option<Place>>) {
        self.watch(start, Pieces::new(start), moves, found);
    }

    fn watch(
        &self,
        start: &Position,
        pieces: Pieces,
        moves: impl Iterator<Item = Move>,
        found: &mut Vec<Option<Place>>,
    ) {
        found.clear();
        found.resize(self.terms, None);
        match self.entries.as_slice() {
            [entry @ Entry { watch: Watch::Pattern(pattern), .. }] => {
                if let Some(ply) = watch_one(pattern, pieces, moves) {
                    entry.note(ply, found);
                }
            }
            _ => self.watch_all(start, pieces, moves, found),
        }
    }

    fn watch_all(
        &self,
        start: &Position,
        mut pieces: Pieces,
        moves: impl Iterator<Item = Move>,
        found: &mut [Option<Place>],
    ) {
        let mut state: Vec<State> = self.entries.iter().map(|_| State::default()).collect();
        let mut position = self.rules.then_some(*start);
        let mut counts = pieces.counts();
        let mut open = self.entries.len();
        let mut note = |entry: &Entry, state: &mut State, ply| {
            state.done = true;
            open -= 1;
            entry.note(ply, found);
            open == 0
        };
        for (entry, state) in self.entries.iter().zip(&mut state) {
            let holds = match &entry.watch {
                Watch::Pattern(pattern) => pieces.hold(pattern),
                Watch::Material(material) => counts == material.counts,
                Watch::Sequence(patterns) => state.go_on(patterns, &pieces, None),
                _ => false,
            };
            // Endings and numbers of checks are known only at the end.
            if holds && note(entry, state, 0) {
                return;
            }
        }
        let mut ply = 0;
        for m in moves {
            let step = pieces.play(m);
            ply += 1;
            if step.taken.is_some() {
                counts = pieces.counts();
            }
            let mut check = None;
            if let Some(position) = &mut position {
                position.play(m);
                check = position.is_check().then(|| !position.side_to_move());
            }
            for (entry, state) in self.entries.iter().zip(&mut state).filter(|(_, state)| !state.done) {
                let holds = match &entry.watch {
                    Watch::Pattern(pattern) => pattern.is_touched(step) && pieces.hold(pattern),
                    Watch::Material(material) => step.taken.is_some() && counts == material.counts,
                    Watch::Sequence(patterns) => state.go_on(patterns, &pieces, Some(step)),
                    Watch::Capture(capture) => is_capture(capture, step.mover, step.taken),
                    Watch::Checks(checks) => {
                        if check.is_some_and(|by| checks.by.is_none_or(|wanted| wanted == by)) {
                            state.count += 1;
                            if state.count == *checks.count.start() {
                                state.reached = ply;
                            }
                        }
                        // Without an upper bound the first that suffices settles it.
                        *checks.count.end() == u32::MAX && state.count >= *checks.count.start() && state.count > 0
                    }
                    Watch::Ending(_) => false,
                };
                if holds && note(entry, state, ply) {
                    return;
                }
            }
        }
        let end = self.endings.then(|| {
            // Who is to move is all that the pieces do not tell.
            let side = start.side_to_move();
            pieces.position(if ply % 2 == 0 { side } else { !side })
        });
        for (entry, state) in self.entries.iter().zip(&mut state).filter(|(_, state)| !state.done) {
            match &entry.watch {
                Watch::Checks(checks) if checks.count.contains(&state.count) => entry.note(state.reached, found),
                Watch::Ending(ending) if end.as_ref().is_some_and(|position| ends_so(position, ending)) => {
                    entry.note(ply, found);
                }
                _ => {}
            }
        }
    }
}

/// The first ply at which a pattern holds.
fn watch_one(pattern: &Ready, mut pieces: Pieces, moves: impl Iterator<Item = Move>) -> Option<u32> {
    if pieces.hold(pattern) {
        return Some(0);
    }
    let mut ply = 0;
    for m in moves {
        ply += 1;
        let step = pieces.play(m);
        if pattern.is_touched(step) && pieces.hold(pattern) {
            return Some(ply);
        }
    }
    None
}

/// What is known of one entry while a game is played.
#[derive(Default)]
struct State {
    /// Patterns of a sequence that came true.
    step: usize,
    /// The next one was not asked for yet.
    fresh: bool,
    /// Checks given.
    count: u32,
    /// Ply of the check that made the number.
    reached: u32,
    done: bool,
}

impl State {
    /// One pattern of a sequence a ply; true with the last. At the start there was no step.
    fn go_on(&mut self, patterns: &[Ready], pieces: &Pieces, step: Option<Step>) -> bool {
        let fresh = std::mem::take(&mut self.fresh);
        match patterns.get(self.step) {
            Some(pattern) if (fresh || step.is_none_or(|step| pattern.is_touched(step))) && pieces.hold(pattern) => {
                self.step += 1;
                self.fresh = true;
                self.step == patterns.len()
            }
            _ => false,
        }
    }
}

impl Entry {
    fn note(&self, ply: u32, found: &mut [Option<Place>]) {
        let place = Place { ply, mirrored: self.mirrored, swapped: self.swapped, side_line: false };
        if let Some(slot) = found.get_mut(self.term)
            && slot.is_none_or(|known| place < known)
        {
            *slot = Some(place);
        }
    }
}

fn is_capture(capture: &Capture, mover: Option<u8>, taken: Option<u8>) -> bool {
    let (Some(mover), Some(taken)) = (mover, taken) else { return false };
    let kind = |index: u8, wanted: Option<Kind>| wanted.is_none_or(|kind| usize::from(index) % 7 == kind.index());
    kind(mover, capture.by)
        && kind(taken, capture.taken)
        && capture.side.is_none_or(|side| usize::from(mover) / 7 == side.index())
}

fn ends_so(position: &Position, ending: &Ending) -> bool {
    let so = match (ending.mate, ending.stalemate) {
        // Few games end in check, and few of them need their moves looked for.
        (true, false) => position.is_check() && position.outcome() == Some(Outcome::Checkmate),
        (mate, stalemate) => match position.outcome() {
            Some(Outcome::Checkmate) => mate,
            Some(Outcome::NoMove) => stalemate,
            None => false,
        },
    };
    let winner = ending.winner.is_none_or(|winner| winner != position.side_to_move());
    (so && winner) != ending.not
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(query: &str, start: &str, moves: &str) -> Option<Place> {
        let query = crate::query::parse(query).unwrap();
        let scanner = Scanner::new(&query.terms, |_| true, query.mirror, query.swap);
        let mut found = Vec::new();
        let moves: Vec<Move> = moves.split_whitespace().map(|m| m.parse().unwrap()).collect();
        scanner.scan(&Position::from_fen(start).unwrap(), moves.into_iter(), &mut found);
        found[0]
    }

    const LINE: &str = "h2e2 h9g7 h0g2 i9h9 e2e6 g7e6";

    fn ply(query: &str) -> Option<u32> {
        scan(query, "startpos", LINE).map(|place| place.ply)
    }

    #[test]
    fn patterns_come_true_at_their_first_ply() {
        assert_eq!(ply("pattern:C@e2"), Some(1));
        assert_eq!(ply("pattern:\"N@g2 n@g7\""), Some(3));
        assert_eq!(ply("pattern:C@d2"), None);
        assert_eq!(ply("pattern:P@{5}*"), Some(0));
        assert_eq!(ply("pattern:\"!p@e6 C@e6\""), Some(5));
        assert_eq!(ply("pattern:\".@h0 .@h2\""), Some(3));
        assert_eq!(ply("pattern:X@{2}e2-6"), Some(1));
    }

    #[test]
    fn images_are_found_only_on_request_and_are_marked() {
        assert_eq!(scan("pattern:N@c2", "startpos", LINE), None);
        let mirrored = scan("pattern:N@c2 mirror:yes", "startpos", LINE).unwrap();
        assert_eq!((mirrored.ply, mirrored.mirrored, mirrored.swapped), (3, true, false));
        let swapped = scan("pattern:N@c2 swap:yes", "startpos", LINE).unwrap();
        assert_eq!((swapped.ply, swapped.mirrored, swapped.swapped), (2, false, true));
    }

    #[test]
    fn sequences_captures_material_and_checks() {
        assert_eq!(ply("sequence:\"C@e2 ; n@g7 ; C@e6\""), Some(5));
        assert_eq!(ply("sequence:\"n@g7 ; .@h2 ; r@i9\""), None);
        assert_eq!(ply("sequence:\"C@e2 ; C@e2\""), Some(2));
        assert_eq!(ply("capture:CxP"), Some(5));
        assert_eq!(ply("capture:Cxp"), Some(5));
        assert_eq!(ply("capture:cxP"), None);
        assert_eq!(ply("capture:?xC"), Some(6));
        assert_eq!(ply("material:RRNNCCPPPPPvRRNNCCPPPP"), Some(5));
        assert_eq!(ply("mate:yes"), None);
        assert_eq!(ply("mate:no"), Some(6));
    }

    #[test]
    fn checks_are_counted_by_side() {
        let check = |query| {
            let moves = "a1d1 d9e9 d1e1 e9d9 e1d1";
            scan(query, "3k5/9/9/9/9/9/9/9/R8/5K3 w", moves).map(|place| place.ply)
        };
        assert_eq!(check("check:yes"), Some(1));
        assert_eq!(check("check:red"), Some(1));
        assert_eq!(check("check:black"), None);
        assert_eq!(check("check:2.."), Some(3));
        assert_eq!(check("check:2..3"), Some(3));
        assert_eq!(check("check:4.."), None);
        assert_eq!(check("check:no"), None);
        assert_eq!(ply("check:no"), Some(0));
    }

    #[test]
    fn mate_and_no_move_are_told_apart() {
        let mate = "3k5/1R7/9/9/9/9/9/9/R8/4K4 w";
        assert_eq!(scan("mate:yes", mate, "a1a9").map(|place| place.ply), Some(1));
        assert_eq!(scan("mate:black", mate, "a1a9"), None);
        assert_eq!(scan("mate:stalemate", mate, "a1a9"), None);
    }
}
