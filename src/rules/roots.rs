//! Roots that are not seen at once: 暗根, the recapture that comes after checks.
//!
//! False roots (假根) and pinned ones need no code here: a pinned piece has no legal recapture, and `exchange.rs` skips
//! recaptures that are answered by mate.

use super::analysis::{Analysis, played};
use super::exchange::Opened;
use super::value::Ledger;
use crate::board::{Position, Square};

impl Analysis<'_> {
    /// O to move after S captured on `target`: whether O, by at most `checks` checks and a capture of the capturer, leaves
    /// S without a gain. What either side takes on the way counts.
    pub(super) fn hidden_root(
        &mut self,
        position: &Position,
        target: Square,
        ledger: Ledger,
        opened: Opened<'_>,
        checks: u8,
    ) -> bool {
        if checks == 0 {
            return false;
        }
        for check in self.checks(position) {
            if check.to() == target || !self.spend() {
                continue;
            }
            let mut after_check = ledger;
            if let Some(taken) = position.piece_at(check.to()) {
                after_check = after_check.lose(taken, check.to());
            }
            let next = played(position, check);
            let replies = self.replies(&next);
            let forced = !replies.is_empty()
                && replies.into_iter().all(|reply| {
                    let mut ledger = after_check;
                    if let Some(taken) = next.piece_at(reply.to()) {
                        ledger = ledger.win(taken, reply.to());
                    }
                    let target = if reply.from() == target { reply.to() } else { target };
                    let then = played(&next, reply);
                    self.takes_back(&then, target, ledger, opened)
                        || self.hidden_root(&then, target, ledger, opened, checks - 1)
                });
            if forced {
                return true;
            }
        }
        false
    }

    /// Whether O, to move, takes the piece on `target` and S is left without a gain.
    fn takes_back(&mut self, position: &Position, target: Square, ledger: Ledger, opened: Opened<'_>) -> bool {
        let Some(taken) = position.piece_at(target) else { return false };
        let ledger = ledger.lose(taken, target);
        for m in self.captures_on(position, target) {
            let next = played(position, m);
            if self.mate_in_one(&next).is_none() && self.go_on(&next, target, ledger, opened, 4).is_none() {
                return true;
            }
        }
        false
    }
}
