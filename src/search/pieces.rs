//! The board as bit sets, and patterns made ready for it.
//!
//! Comes in: the start of a line, then its moves; patterns as they were asked for. Goes out: whether a pattern holds, and
//! whether a move can have changed that ([`Ready::is_touched`]): nearly all moves of a game cannot, and cost no more than
//! being played.

use crate::board::{Color, Move, Piece, Position, Square};
use crate::query::{Constraint, Material, Pattern, Thing};

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

/// Kinds of pieces of both sides.
const PIECES: usize = 14;
/// Sets beyond those of the pieces: each side, and everything.
const SIDES: usize = PIECES;
const ALL: usize = SIDES + 2;

/// Pieces as bit sets.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    /// By [`Piece::index`], then by side, then all together.
    sets: [u128; ALL + 1],
    /// What stands on each square, by [`Piece::index`] plus one.
    on: [u8; Square::COUNT],
}

/// What a move did.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Step {
    /// The piece that moved ([`Piece::index`]); none stood there in lines that break the rules.
    pub mover: Option<u8>,
    /// What it took.
    pub taken: Option<u8>,
    from: u128,
    to: u128,
}

impl Pieces {
    pub fn new(position: &Position) -> Pieces {
        let mut pieces = Pieces { sets: [0; ALL + 1], on: [0; Square::COUNT] };
        for (square, piece) in position.pieces() {
            let bit = BITS[square.index()];
            pieces.sets[piece.index()] |= bit;
            pieces.sets[SIDES + piece.color().index()] |= bit;
            pieces.sets[ALL] |= bit;
            pieces.on[square.index()] = piece.index() as u8 + 1;
        }
        pieces
    }

    /// Plays a move.
    #[inline]
    pub fn play(&mut self, m: Move) -> Step {
        let (from, to) = (m.from().index(), m.to().index());
        let mover = self.on[from];
        if from == to || mover == 0 {
            return Step::default();
        }
        self.on[from] = 0;
        let taken = std::mem::replace(&mut self.on[to], mover);
        let (from, to) = (BITS[from], BITS[to]);
        if taken != 0 {
            self.sets[usize::from(taken - 1)] ^= to;
            self.sets[SIDES + usize::from(taken > 7)] ^= to;
            self.sets[ALL] ^= to;
        }
        let both = from | to;
        self.sets[usize::from(mover - 1)] ^= both;
        self.sets[SIDES + usize::from(mover > 7)] ^= both;
        self.sets[ALL] ^= both;
        Step { mover: Some(mover - 1), taken: taken.checked_sub(1), from, to }
    }

    /// The position they make.
    pub fn position(&self, side: Color) -> Position {
        let mut position = Position::empty(side);
        let pieces: Vec<Piece> = Piece::all().collect();
        for (square, on) in Square::all().zip(self.on) {
            if let Some(piece) = on.checked_sub(1).and_then(|index| pieces.get(usize::from(index))) {
                position.put(square, Some(*piece));
            }
        }
        position
    }

    /// How many of each there are, by side.
    pub fn counts(&self) -> [[u8; 4]; 2] {
        let count = |color| Material::KINDS.map(|kind| self.sets[Piece::new(color, kind).index()].count_ones() as u8);
        [count(Color::Red), count(Color::Black)]
    }

    #[inline]
    pub fn hold(&self, pattern: &Ready) -> bool {
        pattern.tests.iter().all(|test| {
            let there = self.sets[test.set] & test.squares;
            match test.what {
                What::Every => there == test.squares,
                What::Free => there == 0,
                What::Some => there != 0,
                What::Between(least, most) => (least..=most).contains(&(there.count_ones() as u8)),
            }
        })
    }
}

/// A constraint as a question to one bit set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Test {
    /// Number of the set in [`Pieces`], always below its length.
    set: usize,
    squares: u128,
    what: What,
}

/// Ordered by what tells most for least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// They stand on every square.
    Every,
    /// They stand on none.
    Free,
    /// They stand on one at least.
    Some,
    /// They stand on so many; of an impossible number the first is above the second.
    Between(u8, u8),
}

/// A pattern made ready.
#[derive(Clone, Debug)]
pub(super) struct Ready {
    tests: Vec<Test>,
    /// For each piece the squares it must come to or leave for the pattern to become true.
    moved: [u128; PIECES],
}

impl Ready {
    pub fn new(pattern: &Pattern) -> Ready {
        let mut tests: Vec<Test> = Vec::new();
        for test in pattern.0.iter().filter_map(Test::new) {
            let together = matches!(test.what, What::Every | What::Free);
            match tests.iter_mut().find(|known| together && known.set == test.set && known.what == test.what) {
                Some(known) => known.squares |= test.squares,
                None => tests.push(test),
            }
        }
        tests.sort_by_key(|test| test.what);
        let mut moved = [0; PIECES];
        for test in &tests {
            let about = match test.set {
                ALL => 0..PIECES,
                SIDES.. => (test.set - SIDES) * 7..(test.set - SIDES) * 7 + 7,
                piece => piece..piece + 1,
            };
            moved[about].iter_mut().for_each(|squares| *squares |= test.squares);
        }
        Ready { tests, moved }
    }

    /// Whether a move can have made the pattern true.
    #[inline]
    pub fn is_touched(&self, step: Step) -> bool {
        let Some(mover) = step.mover else { return false };
        let on = |piece: u8| self.moved.get(usize::from(piece)).copied().unwrap_or(0);
        on(mover) & (step.from | step.to) != 0 || step.taken.is_some_and(|taken| on(taken) & step.to != 0)
    }
}

impl Test {
    /// `None` if it is always true.
    fn new(constraint: &Constraint) -> Option<Test> {
        let squares = constraint.squares;
        let board = squares.count_ones() as u8;
        let (mut least, mut most) = (constraint.least, constraint.most.min(board));
        let set = match constraint.thing {
            Thing::Piece(piece) => piece.index(),
            Thing::Of(color) => SIDES + color.index(),
            Thing::Any => ALL,
            Thing::Empty => {
                // So many empty squares leave the others for pieces.
                if least > most {
                    (least, most) = (1, 0);
                } else {
                    (least, most) = (board - most, board - least);
                }
                ALL
            }
        };
        let what = match (least, most) {
            _ if least > most => What::Between(1, 0),
            (0, most) if most == board => return None,
            (_, 0) => What::Free,
            (least, _) if least == board => What::Every,
            (1, most) if most == board => What::Some,
            _ => What::Between(least, most),
        };
        Some(Test { set, squares, what })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts square by square, as a constraint is defined.
    fn meets(position: &Position, constraint: &Constraint) -> bool {
        let there = Square::all()
            .filter(|square| constraint.squares >> square.index() & 1 == 1)
            .filter(|square| match (constraint.thing, position.piece_at(*square)) {
                (Thing::Piece(wanted), Some(piece)) => wanted == piece,
                (Thing::Of(color), Some(piece)) => piece.color() == color,
                (Thing::Any, piece) => piece.is_some(),
                (Thing::Empty, piece) => piece.is_none(),
                _ => false,
            })
            .count();
        (usize::from(constraint.least)..=usize::from(constraint.most)).contains(&there)
    }

    #[test]
    fn a_ready_pattern_says_what_counting_says_and_changes_only_where_it_is_touched() {
        let mut seed = 7u64;
        let mut below = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % n
        };
        let all: Vec<Piece> = Piece::all().collect();
        let (mut held, mut skipped) = (0, 0);
        for _ in 0..400 {
            let constraints = (0..1 + below(4)).map(|_| {
                let thing = match below(6) {
                    0 => Thing::Of(Color::ALL[below(2) as usize]),
                    1 => Thing::Any,
                    2 => Thing::Empty,
                    _ => Thing::Piece(all[below(14) as usize]),
                };
                let squares = match below(4) {
                    0 => (1u128 << 90) - 1,
                    1 => 1 << below(90),
                    _ => (0..1 + below(12)).fold(0, |set, _| set | 1 << below(90)),
                };
                let (least, most) = match below(5) {
                    0 => (0, 0),
                    1 => (1, u8::MAX),
                    2 => (squares.count_ones() as u8, u8::MAX),
                    3 => (below(3) as u8, below(4) as u8),
                    _ => (below(8) as u8, u8::MAX),
                };
                Constraint { thing, squares, least, most }
            });
            let pattern = Pattern(constraints.collect());
            let ready = Ready::new(&pattern);
            let mut position = Position::start();
            let mut pieces = Pieces::new(&position);
            for ply in 0..120 {
                let holds = pattern.0.iter().all(|constraint| meets(&position, constraint));
                assert_eq!(pieces.hold(&ready), holds, "{pattern:?}, ply {ply}: {position:?}");
                held += u32::from(holds);
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let m = legal[below(legal.len() as u64) as usize];
                position.play(m);
                let step = pieces.play(m);
                if !ready.is_touched(step) {
                    skipped += 1;
                    assert_eq!(pieces.hold(&ready), holds, "{pattern:?}, ply {ply}, {m:?}");
                }
            }
        }
        assert!(held > 1000 && skipped > 1000, "{held} {skipped}");
    }
}
