//! Points of the board: coordinates, algebraic, digit groups.

use super::Finder;
use super::letters::western;
use crate::board::{Kind, Move, Piece, Square};
use crate::notation::dialect::Dialect;
use crate::notation::letters::NONE;
use crate::notation::token::{Direction, Place, Point, Which};

use super::Rule;

impl Finder<'_> {
    /// From point to point, ranks counted as `ranks` says.
    #[inline]
    pub(super) fn points(&mut self, from: Point, to: Point, ranks: Dialect) {
        if let (Some(from), Some(to)) = (square(from, ranks), square(to, ranks)) {
            self.offer(Move::new(from, to));
        }
    }

    pub(super) fn algebraic(&mut self, letter: u8, file: u8, rank: u8, to: Point, ranks: Dialect, dialect: Dialect) {
        let Some(to) = square(to, ranks) else { return };
        let rank = if rank == NONE {
            None
        } else {
            match square(Point { file: 0, rank }, ranks) {
                Some(square) => Some(square.rank()),
                None => return,
            }
        };
        let kinds = if letter == 0 { [Some(Kind::Pawn), None] } else { western(letter, dialect).pair() };
        for kind in kinds.into_iter().flatten() {
            for from in self.position.squares_of(Piece::new(self.side, kind)) {
                if (file == NONE || from.file() == file) && rank.is_none_or(|rank| from.rank() == rank) {
                    self.offer_if_pseudo(Move::new(from, to));
                }
            }
        }
    }

    /// Algebraic text names every piece of a kind; those that do not move so are no readings, even for explanations.
    fn offer_if_pseudo(&mut self, m: Move) {
        if self.rule != Rule::Pointed || self.position.is_pseudo_legal(m) {
            self.offer(m);
        }
    }

    pub(super) fn digits(&mut self, [a, b, c, d]: [u8; 4], dialect: Dialect) {
        let (from, to) = (Point { file: a, rank: b }, Point { file: c, rank: d });
        if dialect.allows(Dialect::DIGITS_DHTMLXQ) {
            self.points(from, to, Dialect::RANKS_FROM_BLACK);
        }
        if dialect.allows(Dialect::DIGITS_RED) {
            self.points(from, to, Dialect::RANKS_FROM_0);
        }
        if dialect.allows(Dialect::DIGITS_KEYPAD) {
            use Kind::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
            const KEYS: [Kind; 7] = [King, Advisor, Elephant, Rook, Horse, Cannon, Pawn];
            let direction = match c {
                1 | 4 | 7 => Direction::Forward,
                2 | 5 | 8 => Direction::Traverse,
                3 | 6 | 9 => Direction::Back,
                _ => return,
            };
            let (which, key, file) = match a {
                8 => (Which::Place(Place::Front), b, 0),
                9 => (Which::Place(Place::Rear), b, 0),
                key => (Which::Any, key, b),
            };
            if (which == Which::Any && file == 0) || d == 0 {
                return;
            }
            if let Some(&kind) = key.checked_sub(1).and_then(|key| KEYS.get(key as usize)) {
                self.sources(kind, which, file, |finder, from| finder.aim(kind, from, direction, d));
            }
        }
    }
}

/// The square of a point whose rank is counted as `ranks` says.
#[inline]
pub(super) fn square(point: Point, ranks: Dialect) -> Option<Square> {
    let rank = if ranks == Dialect::RANKS_FROM_0 {
        point.rank
    } else if ranks == Dialect::RANKS_FROM_1 {
        point.rank.checked_sub(1)?
    } else {
        9u8.checked_sub(point.rank)?
    };
    Square::new(point.file, rank)
}
