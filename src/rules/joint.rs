//! 联合捉子: whether a capture needs a second piece (24.17).

use super::analysis::{Analysis, played};
use super::threat::Moment;
use super::value::Ledger;
use crate::board::{Kind, Move, Position, Square};

impl Analysis<'_> {
    /// Whether another piece of S has a hand in the capture (缺少其中任何一个都无法吃子): with it merely standing there the
    /// capture would not win, or could be taken back. The screen of a cannon may be any piece; it has a hand if it also
    /// guards a square on which O can take back, or pins.
    pub fn is_joint_capture(&mut self, moment: &Moment, m: Move) -> bool {
        let clean = self.is_clean(&moment.threat, m);
        let helpers: Vec<Square> = moment
            .threat
            .squares_of_side(moment.side())
            .filter(|&square| {
                square != m.from() && moment.threat.piece_at(square).is_some_and(|piece| piece.kind() != Kind::King)
            })
            .collect();
        let careless = std::mem::replace(&mut self.careless, true);
        let joint = helpers.into_iter().any(|helper| {
            if !clean && is_screen(&moment.threat, m, helper) && self.guards(&played(&moment.threat, m), helper, m.to())
            {
                return true;
            }
            self.with_frozen(&moment.threat, [helper], |this, position| {
                !position.is_legal(m)
                    || this.capture_wins(position, m, Ledger::EMPTY).is_none()
                    || clean && !this.is_clean(position, m)
            })
        });
        self.careless = careless;
        joint
    }

    /// Whether nothing can take back after the capture.
    fn is_clean(&self, position: &Position, m: Move) -> bool {
        self.captures_on(&played(position, m), m.to()).next().is_none()
    }
}

/// Whether the piece on `square` stands between a cannon and what it captures.
fn is_screen(position: &Position, m: Move, square: Square) -> bool {
    let between = |a: u8, b: u8, c: u8| (a < b && b < c) || (c < b && b < a);
    let (from, to) = (m.from(), m.to());
    position.piece_at(from).is_some_and(|piece| piece.kind() == Kind::Cannon)
        && if from.file() == to.file() {
            square.file() == from.file() && between(from.rank(), square.rank(), to.rank())
        } else {
            square.rank() == from.rank() && between(from.file(), square.file(), to.file())
        }
}
