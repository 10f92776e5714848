//! Captures and recaptures on one square, as a game tree: does a capture win something?
//!
//! Comes in: a position, a legal capture of the side to move (called S, the other O), and what was won or lost before.
//! Goes out: the line that wins, or nothing. The rules, with where they stand in the texts:
//!
//! - either side stops when it likes; S must be able to force a gain by the value table (24.3; 1987 §4.6);
//! - after the capture O must not be able to mate in one move (24.3: 不致立即被将死; 1987 §4.3(二));
//! - a recapture after which S mates at once is no root (假根, 24.16);
//! - O may also recapture after checks that cost it nothing (暗根, 24.15), see `roots.rs`;
//! - when a root was captured or drawn away, S may go on with what it guarded (少根, 24.15);
//! - a king or pawn of S joins only while the balance is uneven (26.8; not so in 1987, whose 总纲六 and 七 count it).

use super::analysis::{Analysis, Line, played};
use super::value::{Ledger, is_worth_winning};
use crate::board::{Kind, Move, Piece, Position, Square};

/// Deepest row of recaptures looked at; sixteen pieces a side cannot go on longer on one square.
const LONGEST: u8 = 12;

/// What S may go on with elsewhere: pieces that lost a root in this exchange, and captures that it made possible.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened<'a> {
    /// The position in which the exchange began, S to move.
    pub root: &'a Position,
    /// Squares that lost a root.
    pub uncovered: u128,
}

impl<'a> Opened<'a> {
    /// Nothing opened yet.
    pub fn nothing(root: &'a Position) -> Opened<'a> {
        Opened { root, uncovered: 0 }
    }

    fn allows(&self, m: Move) -> bool {
        self.uncovered >> m.to().index() & 1 == 1 || !self.root.is_legal(m)
    }
}

impl Analysis<'_> {
    /// Plays the capture `m` and tells how it wins by force.
    pub fn capture_wins(&mut self, position: &Position, m: Move, ledger: Ledger) -> Option<Line> {
        let capturer = position.piece_at(m.from())?;
        let victim = position.piece_at(m.to())?;
        if !is_worth_winning(victim, m.to()) {
            return None;
        }
        let next = played(position, m);
        if !self.may_win(capturer.kind(), &next, m.to()) {
            return None;
        }
        let mut ledger = ledger.win(victim, m.to());
        if capturer.kind() == Kind::Pawn && next.is_check() {
            ledger = ledger.pawn_check();
        }
        let opened = Opened { root: position, uncovered: self.guarded_by(position, m.to()) };
        self.answer(&next, m.to(), ledger, opened, LONGEST).map(|line| line.after(m))
    }

    /// Whether a capture by this kind of piece, which has led to `next`, can win anything: a king's never does (26.1), a
    /// pawn's only if it uncovers a check by another piece (26.8).
    pub(super) fn may_win(&self, capturer: Kind, next: &Position, square: Square) -> bool {
        match capturer {
            Kind::King => false,
            Kind::Pawn => self.rules.pawn_uncovers && self.uncovers_check(next, square),
            _ => true,
        }
    }

    /// Whether a piece other than the one on `moved` gives check, alone or together with it.
    fn uncovers_check(&self, position: &Position, moved: Square) -> bool {
        let Some(piece) = position.piece_at(moved) else { return false };
        let mut inert = *position;
        inert.put(moved, Some(Piece::new(piece.color(), Kind::Elephant)));
        inert.is_check()
    }

    /// O to move after S captured on `square`: the line with which S keeps its gain whatever O does, if it can.
    pub(super) fn answer(
        &mut self,
        position: &Position,
        square: Square,
        ledger: Ledger,
        opened: Opened<'_>,
        depth: u8,
    ) -> Option<Line> {
        if !ledger.is_gain(self.rules) || depth == 0 || !self.spend() {
            return None;
        }
        if !self.careless && self.mate_in_one(position).is_some() {
            return None;
        }
        let mut longest = Line::EMPTY;
        for m in self.captures_on(position, square) {
            let Some(taken) = position.piece_at(square) else { continue };
            let next = played(position, m);
            let line = if let Some(mate) = self.mate_in_one(&next) {
                Line::of(mate)
            } else {
                let uncovered = opened.uncovered | self.guarded_by(position, m.from());
                let opened = Opened { uncovered, ..opened };
                self.go_on(&next, square, ledger.lose(taken, square), opened, depth - 1)?
            };
            if longest.is_empty() {
                longest = line.after(m);
            }
        }
        if !self.careless && self.hidden_root(position, square, ledger, opened, self.rules.limits.checks_to_root) {
            return None;
        }
        Some(longest)
    }

    /// S to move after O recaptured on `square`: the line that reaches a gain, if there is one.
    pub(super) fn go_on(
        &mut self,
        position: &Position,
        square: Square,
        ledger: Ledger,
        opened: Opened<'_>,
        depth: u8,
    ) -> Option<Line> {
        if ledger.is_gain(self.rules) {
            return Some(Line::EMPTY);
        }
        if depth == 0 {
            return None;
        }
        for m in self.captures_on(position, square) {
            let (Some(taken), Some(by)) = (position.piece_at(square), position.piece_at(m.from())) else { continue };
            let helper = matches!(by.kind(), Kind::King | Kind::Pawn);
            if helper && self.rules.even_exchange_bars_helpers && ledger.is_even() {
                continue;
            }
            let next = played(position, m);
            let found = self.answer(&next, square, ledger.win(taken, square), opened, depth - 1);
            if let Some(line) = found {
                return Some(line.after(m));
            }
        }
        for m in self.captures(position) {
            let (Some(taken), Some(by)) = (position.piece_at(m.to()), position.piece_at(m.from())) else { continue };
            if m.to() == square || !opened.allows(m) || !is_worth_winning(taken, m.to()) {
                continue;
            }
            if matches!(by.kind(), Kind::King | Kind::Pawn) {
                continue;
            }
            let next = played(position, m);
            if let Some(line) = self.answer(&next, m.to(), ledger.win(taken, m.to()), opened, depth - 1) {
                return Some(line.after(m));
            }
        }
        None
    }

    /// Squares of pieces that the piece on `root` guards.
    fn guarded_by(&self, position: &Position, root: Square) -> u128 {
        let Some(piece) = position.piece_at(root) else { return 0 };
        position
            .squares_of_side(piece.color())
            .filter(|&square| self.guards(position, root, square))
            .fold(0, |set, square| set | 1 << square.index())
    }
}
