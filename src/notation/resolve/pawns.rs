//! Two signs in place of piece and file: pawns by number and file (2018), by marks (1997), pieces by number.

use super::Finder;
use super::group::{Group, absolute_file};
use super::letters::western_direction;
use crate::board::{Kind, Piece};
use crate::notation::dialect::Dialect;
use crate::notation::token::Place;

impl Finder<'_> {
    pub(super) fn numbered(&mut self, first: u8, second: u8, operator: u8, number: u8, dialect: Dialect) {
        let direction = western_direction(operator);
        let piece = Piece::new(self.side, Kind::Pawn);
        let position = self.position;
        let side = self.side;
        let group = |file: u8| Group::of(position, piece, absolute_file(side, file));
        let by_number = || group(second - b'0').nth(first - b'0').filter(|_| group(second - b'0').length >= 2);
        let by_mark = || {
            let doubled = (1..=9).filter(|&file| group(file).length >= 2).count();
            (first == second && doubled >= 2 && group(first - b'0').length == 3)
                .then(|| group(first - b'0').place(Place::Middle))
                .flatten()
        };
        match (first, second) {
            (b'+' | b'-', _) if !dialect.allows(Dialect::PAWN_MARKS) => {}
            (b'+' | b'-', _) => {
                // ++ and --: outermost of four or five.
                for file in 1..=9 {
                    let group = group(file);
                    let from = if first == b'+' { group.nth(1) } else { group.nth(group.length) };
                    if group.length >= 4
                        && let Some(from) = from
                    {
                        self.aim(Kind::Pawn, from, direction, number);
                    }
                }
            }
            (_, b'+' | b'-') => {
                if dialect.allows(Dialect::PAWN_MARKS)
                    && let Some(from) =
                        group(first - b'0').place(if second == b'+' { Place::Front } else { Place::Rear })
                {
                    self.aim(Kind::Pawn, from, direction, number);
                }
            }
            _ => {
                // Two digits mean different pawns in the two styles only on a file of three beside a file of two.
                // When nothing else tells, a point means the style of 1997, and anything else that of 2018.
                let numbers = dialect.allows(Dialect::PAWN_NUMBERS);
                let marks = dialect.allows(Dialect::PAWN_MARKS);
                let (numbers, marks) = match operator {
                    b'=' | b'+' | b'-' if numbers && by_number().is_some() => (true, false),
                    b'.' if marks && by_mark().is_some() => (false, true),
                    _ => (numbers, marks),
                };
                let found = [numbers.then(by_number).flatten(), marks.then(by_mark).flatten()];
                for from in found.into_iter().flatten() {
                    self.aim(Kind::Pawn, from, direction, number);
                }
            }
        }
        if dialect.allows(Dialect::PIECE_DIGITS)
            && let Some(&kind) = first.checked_sub(b'1').and_then(|index| {
                use Kind::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
                [King, Advisor, Elephant, Horse, Rook, Cannon, Pawn].get(index as usize)
            })
        {
            self.western(kind, second, operator, number);
        }
    }
}
