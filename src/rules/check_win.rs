//! 抽吃: winning a piece by one or more checks.
//!
//! S starts with a check and, whatever O answers, goes on with checks or ends with a capture that is a gain, counting
//! everything won and lost on the way (24.3: 从下一着开始运用将军或连续将军得子).

use super::analysis::{Analysis, Line, played, with_turn};
use super::value::{Ledger, is_worth_winning, worth};
use crate::board::{Kind, Move, Position, Square};

/// A capture, by where the two pieces stood before the line began.
pub(super) type Pair = (Square, Square);

/// The end of a branch: the capture, and the moves from the first check to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Final {
    pub pair: Pair,
    pub line: Line,
}

/// How the branches of a line of checks end.
#[derive(Clone, Debug)]
pub(super) struct CheckWin {
    /// The captures the branches end with; branches that mate have none.
    pub finals: Vec<Final>,
    /// Squares, before the line, of the pieces that check or capture in any branch.
    pub hands: u128,
}

impl CheckWin {
    /// Whether more than one piece is at work.
    pub fn is_joint(&self) -> bool {
        self.hands.count_ones() > 1
    }

    /// O chooses the branch: the least of the victims, with its worth, is what S is sure of. `start` is the position the
    /// line begins in.
    pub fn least(&self, start: &Position) -> Option<(i32, Final)> {
        let worth = |found: &Final| start.piece_at(found.pair.1).map(|piece| worth(piece, found.pair.1));
        self.finals.iter().filter_map(|found| Some((worth(found)?, *found))).min_by_key(|&(worth, _)| worth)
    }
}

/// The frame of one question: where the line begins and what may not end it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quest<'a> {
    /// The position with S to move.
    pub start: &'a Position,
    /// What was won and lost before.
    pub ledger: Ledger,
    /// Pairs that are threats or offers already.
    pub standing: &'a [Pair],
    /// Losses elsewhere that only equal the gain spoil it too.
    pub strict: bool,
}

impl<'a> Quest<'a> {
    /// Any gain counts.
    pub fn any(start: &'a Position, ledger: Ledger) -> Quest<'a> {
        Quest { start, ledger, standing: &[], strict: false }
    }
}

impl Analysis<'_> {
    /// Whether the check `first` of the side to move wins a piece by force.
    pub fn wins_by_check(&mut self, quest: &Quest<'_>, first: Move) -> Option<CheckWin> {
        let mut path = Vec::with_capacity(8);
        self.check_wins(quest, quest.start, first, quest.ledger, self.rules.limits.checks_to_win, &mut path)
    }

    fn check_wins(
        &mut self,
        quest: &Quest<'_>,
        position: &Position,
        check: Move,
        ledger: Ledger,
        checks: u8,
        path: &mut Vec<Move>,
    ) -> Option<CheckWin> {
        if !self.spend() {
            return None;
        }
        let mover = position.piece_at(check.from())?;
        let next = played(position, check);
        let mut ledger = ledger;
        let mut captured = None;
        if let Some(victim) = position.piece_at(check.to())
            && self.may_win(mover.kind(), &next, check.to())
        {
            ledger = ledger.win(victim, check.to());
            if is_worth_winning(victim, check.to()) {
                captured = Some((origin(check.from(), path), origin(check.to(), path)));
            }
        }
        if mover.kind() == Kind::Pawn {
            ledger = ledger.pawn_check();
        }
        if captured.is_some_and(|pair| quest.standing.contains(&pair)) {
            return None;
        }
        let replies = self.replies(&next);
        if replies.is_empty() {
            return None;
        }
        let mut best: Option<CheckWin> = None;
        path.push(check);
        for reply in replies {
            let mut ledger = ledger;
            if let Some(taken) = next.piece_at(reply.to()) {
                ledger = ledger.lose(taken, reply.to());
            }
            let then = played(&next, reply);
            path.push(reply);
            let found = self.after_reply(quest, &then, check.to(), ledger, captured, checks, path);
            path.pop();
            let Some(found) = found else {
                path.pop();
                return None;
            };
            let best = best.get_or_insert_with(|| CheckWin { finals: Vec::new(), hands: 0 });
            best.finals
                .extend(found.finals.into_iter().map(|end| Final { line: end.line.after(reply).after(check), ..end }));
            best.hands |= found.hands;
        }
        path.pop();
        best
    }

    /// S to move, after O's reply to a check given from `checker`.
    #[allow(clippy::too_many_arguments)]
    fn after_reply(
        &mut self,
        quest: &Quest<'_>,
        position: &Position,
        checker: Square,
        ledger: Ledger,
        captured: Option<Pair>,
        checks: u8,
        path: &mut Vec<Move>,
    ) -> Option<CheckWin> {
        // A capture made with check stands, if O had nothing to take back with.
        if let Some(pair) = captured
            && ledger.lost_nothing()
            && ledger.is_gain(self.rules)
        {
            let waiting = with_turn(position, !position.side_to_move());
            if self.mate_in_one(&waiting).is_none() && self.captures_on(&waiting, checker).next().is_none() {
                return Some(CheckWin { finals: vec![Final { pair, line: Line::EMPTY }], hands: hands(path) });
            }
        }
        for m in self.captures(position) {
            let (Some(by), Some(victim)) = (position.piece_at(m.from()), position.piece_at(m.to())) else { continue };
            if matches!(by.kind(), Kind::King | Kind::Pawn) || !is_worth_winning(victim, m.to()) {
                continue;
            }
            let pair = (origin(m.from(), path), origin(m.to(), path));
            if quest.standing.contains(&pair) {
                continue;
            }
            if let Some(line) = self.capture_wins(position, m, ledger) {
                let whole = path.iter().rev().fold(line, |line, &m| line.after(m));
                if !self.costs_elsewhere(quest.start, &whole, quest.strict) {
                    let hands = hands(path) | 1 << pair.0.index();
                    return Some(CheckWin { finals: vec![Final { pair, line }], hands });
                }
            }
        }
        if checks > 1 {
            for check in self.checks(position) {
                if let Some(found) = self.check_wins(quest, position, check, ledger, checks - 1, path) {
                    return Some(found);
                }
            }
        }
        // A branch in which S mates at once is won as well.
        self.mate_in_one(position)?;
        Some(CheckWin { finals: Vec::new(), hands: hands(path) })
    }
}

/// Where the piece now on `square` stood before the moves of `path`.
fn origin(square: Square, path: &[Move]) -> Square {
    path.iter().rev().fold(square, |square, m| if m.to() == square { m.from() } else { square })
}

/// Where the pieces stood at first that S moved along the path.
fn hands(path: &[Move]) -> u128 {
    (0..path.len()).step_by(2).fold(0, |set, i| set | 1 << origin(path[i].from(), &path[..i]).index())
}
