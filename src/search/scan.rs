//! Playing through main lines and watching for what a query asks of the board.
//!
//! The board is kept as one bit set a piece, so that a pattern costs a few ANDs a ply, and nothing at plies that move none of
//! its pieces. Only counting checks needs the full board with its rules at every ply.

use crate::board::{Color, Kind, Move, Piece, Position, Square};
use crate::game::Game;
use crate::query::{Capture, Checks, Constraint, Ending, Material, Pattern, Term, Thing};

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

/// The bit of each square.
static BITS: [u128; Square::COUNT] = {
    let mut bits = [0; Square::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        bits[square] = 1 << square;
        square += 1;
    }
    bits
};

/// Pieces as bit sets.
struct Pieces {
    /// By [`Piece::index`].
    sets: [u128; 14],
    /// By colour.
    sides: [u128; 2],
    /// What stands on each square, by [`Piece::index`] plus one.
    on: [u8; 90],
}

impl Pieces {
    fn new(position: &Position) -> Pieces {
        let mut pieces = Pieces { sets: [0; 14], sides: [0; 2], on: [0; 90] };
        for (square, piece) in position.pieces() {
            pieces.sets[piece.index()] |= BITS[square.index()];
            pieces.sides[piece.color().index()] |= BITS[square.index()];
            pieces.on[square.index()] = piece.index() as u8 + 1;
        }
        pieces
    }

    /// Plays a move; the index of the mover and of what it took.
    #[inline]
    fn play(&mut self, m: Move) -> (Option<u8>, Option<u8>) {
        let (from, to) = (m.from().index(), m.to().index());
        if from == to {
            return (None, None);
        }
        let mover = std::mem::take(&mut self.on[from]);
        let Some(piece) = mover.checked_sub(1) else { return (None, None) };
        let taken = std::mem::replace(&mut self.on[to], mover).checked_sub(1);
        if let Some(taken) = taken {
            self.sets[usize::from(taken)] &= !BITS[to];
            self.sides[usize::from(taken >= 7)] &= !BITS[to];
        }
        let step = BITS[from] | BITS[to];
        self.sets[usize::from(piece)] ^= step;
        self.sides[usize::from(piece >= 7)] ^= step;
        (Some(piece), taken)
    }

    /// The position they make.
    fn position(&self, side: Color) -> Position {
        let mut position = Position::empty(side);
        for (square, on) in Square::all().zip(self.on) {
            let piece = on.checked_sub(1).and_then(|index| Piece::all().nth(usize::from(index)));
            if piece.is_some() {
                position.put(square, piece);
            }
        }
        position
    }

    fn of(&self, color: Color) -> u128 {
        self.sides[color.index()]
    }

    #[inline]
    fn meets(&self, constraint: &Constraint) -> bool {
        let set = match constraint.thing {
            Thing::Piece(piece) => self.sets[piece.index()],
            Thing::Of(color) => self.of(color),
            Thing::Any => self.of(Color::Red) | self.of(Color::Black),
            Thing::Empty => !(self.of(Color::Red) | self.of(Color::Black)),
        };
        let there = set & constraint.squares;
        // Nearly always "at least one" or "none".
        match (constraint.least, constraint.most) {
            (1, u8::MAX) => return there != 0,
            (0, 0) => return there == 0,
            _ => {}
        }
        let count = there.count_ones() as u8;
        constraint.least <= count && count <= constraint.most
    }

    #[inline]
    fn holds(&self, pattern: &Pattern) -> bool {
        pattern.0.iter().all(|constraint| self.meets(constraint))
    }

    fn counts(&self) -> [[u8; 4]; 2] {
        let count = |color| Material::KINDS.map(|kind| self.sets[Piece::new(color, kind).index()].count_ones() as u8);
        [count(Color::Red), count(Color::Black)]
    }
}

/// The images of a query: as asked, mirrored, with colours swapped, both.
pub(super) const IMAGES: [(bool, bool); 4] = [(false, false), (true, false), (false, true), (true, true)];

/// Something to watch for, in one of its images.
#[derive(Debug)]
enum Watch {
    Pattern(Pattern),
    Material(Material),
    /// Patterns still to come, from this one on.
    Sequence(Vec<Pattern>),
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
    /// Pieces (bits by [`Piece::index`]) without a move of which it does not come true anew.
    about: u16,
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
                    if mirrored { pattern.mirrored() } else { pattern }
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
                let about = about(&watch);
                entries.push(Entry { term, mirrored, swapped, watch, about });
            }
        }
        let rules = entries.iter().any(|entry| matches!(entry.watch, Watch::Checks(_)));
        let endings = entries.iter().any(|entry| matches!(entry.watch, Watch::Ending(_)));
        Scanner { entries, terms: terms.len(), rules, endings }
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Plays through a main line. For every term, where it first came true.
    pub fn scan(&self, start: &Position, moves: impl Iterator<Item = Move>, found: &mut Vec<Option<Place>>) {
        found.clear();
        found.resize(self.terms, None);
        let mut pieces = Pieces::new(start);
        let mut state: Vec<State> = self.entries.iter().map(|_| State::default()).collect();
        let mut position = self.rules.then_some(*start);
        let mut counts = pieces.counts();
        let mut open = self.entries.len();
        for (entry, state) in self.entries.iter().zip(&mut state) {
            let holds = match &entry.watch {
                Watch::Pattern(pattern) => pieces.holds(pattern),
                Watch::Material(material) => counts == material.counts,
                Watch::Sequence(patterns) => state.go_on(patterns, &pieces),
                _ => false,
            };
            if holds {
                entry.note(0, state, found, &mut open);
            }
        }
        let mut ply = 0;
        for m in moves {
            // Endings and numbers of checks are known only at the end.
            if open == 0 {
                return;
            }
            let (mover, taken) = pieces.play(m);
            ply += 1;
            if taken.is_some() {
                counts = pieces.counts();
            }
            let touched = touched(mover) | touched(taken);
            let mut check = None;
            if let Some(position) = &mut position {
                position.play(m);
                check = position.is_check().then(|| !position.side_to_move());
            }
            for (entry, state) in self.entries.iter().zip(&mut state).filter(|(_, state)| !state.done) {
                let holds = match &entry.watch {
                    Watch::Pattern(pattern) => touched & entry.about != 0 && pieces.holds(pattern),
                    Watch::Material(material) => taken.is_some() && counts == material.counts,
                    Watch::Sequence(patterns) => state.go_on(patterns, &pieces),
                    Watch::Capture(capture) => is_capture(capture, mover, taken),
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
                if holds {
                    entry.note(ply, state, found, &mut open);
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
                Watch::Checks(checks) if checks.count.contains(&state.count) => {
                    let at = state.reached;
                    entry.note(at, state, found, &mut open);
                }
                Watch::Ending(ending) if end.as_ref().is_some_and(|position| ends_so(position, ending)) => {
                    entry.note(ply, state, found, &mut open);
                }
                _ => {}
            }
        }
    }
}

/// What is known of one entry while a game is played.
#[derive(Default)]
struct State {
    /// Patterns of a sequence that came true.
    step: usize,
    /// Checks given.
    count: u32,
    /// Ply of the check that made the number.
    reached: u32,
    done: bool,
}

impl State {
    /// One pattern of a sequence a ply; true with the last.
    fn go_on(&mut self, patterns: &[Pattern], pieces: &Pieces) -> bool {
        match patterns.get(self.step) {
            Some(pattern) if pieces.holds(pattern) => {
                self.step += 1;
                self.step == patterns.len()
            }
            _ => false,
        }
    }
}

impl Entry {
    fn note(&self, ply: u32, state: &mut State, found: &mut [Option<Place>], open: &mut usize) {
        state.done = true;
        *open -= 1;
        let place = Place { ply, mirrored: self.mirrored, swapped: self.swapped, side_line: false };
        if let Some(slot) = found.get_mut(self.term)
            && slot.is_none_or(|known| place < known)
        {
            *slot = Some(place);
        }
    }
}

/// The bit of a piece that moved or was taken.
#[inline]
fn touched(piece: Option<u8>) -> u16 {
    piece.map_or(0, |piece| 1 << piece)
}

/// The pieces a pattern is about; whatever else moves, it stays as it was.
fn about(watch: &Watch) -> u16 {
    let Watch::Pattern(pattern) = watch else { return u16::MAX };
    pattern.0.iter().fold(0, |set, constraint| {
        set | match constraint.thing {
            Thing::Piece(piece) => 1 << piece.index(),
            Thing::Of(color) => 0x7F << (color.index() * 7),
            Thing::Any | Thing::Empty => u16::MAX,
        }
    })
}

fn is_capture(capture: &Capture, mover: Option<u8>, taken: Option<u8>) -> bool {
    let (Some(mover), Some(taken)) = (mover, taken) else { return false };
    let kind = |index: u8, wanted: Option<Kind>| wanted.is_none_or(|kind| usize::from(index) % 7 == kind.index());
    kind(mover, capture.by)
        && kind(taken, capture.taken)
        && capture.side.is_none_or(|side| usize::from(mover) / 7 == side.index())
}

fn ends_so(position: &Position, ending: &Ending) -> bool {
    let so = match position.outcome() {
        Some(crate::board::Outcome::Checkmate) => ending.mate,
        Some(crate::board::Outcome::NoMove) => ending.stalemate,
        None => false,
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
