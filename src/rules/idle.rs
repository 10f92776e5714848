//! Names of idle moves: 兑 献 拦 跟 and plain 闲. They never change a verdict.

use super::analysis::{Analysis, played};
use super::label::Label;
use super::mate::Mate;
use super::threat::{Fresh, Moment};
use crate::board::{Kind, Move, Position, Square};

/// How long a mate may take that a move stands in the way of.
const CHECKS_TO_STOP: u8 = 4;

impl Analysis<'_> {
    /// The name of a move that neither checks nor threatens anything new.
    pub(super) fn idle_name(&mut self, moment: &Moment, fresh: &Fresh) -> Label {
        let to = moment.m.to();
        let new =
            |&&(by, of): &&(Square, Square)| by == to || !moment.before.is_pseudo_legal(Move::new(moment.back(by), of));
        if let Some(&(by, _)) = fresh.offers.iter().find(new) {
            let guarded =
                moment.after.squares_of_side(moment.side()).any(|square| self.guards(&moment.threat, square, by));
            return if guarded { Label::Exchange } else { Label::Offer };
        }
        if self.blocks(moment) {
            Label::Block
        } else if self.follows(moment) {
            Label::Follow
        } else {
            Label::Idle
        }
    }

    /// 拦: the moved piece shortens the line of an enemy piece, and but for it O would mate.
    fn blocks(&mut self, moment: &Moment) -> bool {
        let (to, after) = (moment.m.to(), &moment.after);
        let mut without = *after;
        without.put(to, None);
        let shortens = after.squares_of_side(!moment.side()).any(|square| {
            after.piece_at(square).is_some_and(|piece| matches!(piece.kind(), Kind::Rook | Kind::Cannon))
                && without
                    .targets(square)
                    .any(|target| target != to && !after.is_pseudo_legal(Move::new(square, target)))
        });
        shortens
            && !moment.before.is_check()
            && !without.is_check()
            && matches!(self.mates(&without, CHECKS_TO_STOP), Mate::Yes(_))
            && self.mates(after, CHECKS_TO_STOP) == Mate::No
    }

    /// 跟: a rook has come to stand behind a protected strong piece on its file.
    fn follows(&self, moment: &Moment) -> bool {
        let to = moment.m.to();
        let rook = moment.threat.piece_at(to).is_some_and(|piece| piece.kind() == Kind::Rook);
        rook && self.captures(&moment.threat).into_iter().filter(|m| m.from() == to).any(|m| {
            let Some(victim) = moment.threat.piece_at(m.to()) else { return false };
            let behind = to.rank_for(victim.color()) < m.to().rank_for(victim.color());
            matches!(victim.kind(), Kind::Rook | Kind::Horse | Kind::Cannon)
                && behind
                && to.file() == m.to().file()
                && moment.m.from().file() != to.file()
                && self.is_rooted(&moment.threat, m)
        })
    }

    fn is_rooted(&self, position: &Position, m: Move) -> bool {
        self.captures_on(&played(position, m), m.to()).next().is_some()
    }
}
