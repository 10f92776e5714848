//! Check, facing generals, and which moves can expose one's own general at all.

use super::attack::{HORSE_TO, NEAR, seen_from};
use super::piece::{Color, Kind, Piece};
use super::position::Position;
use super::square::{Move, Square};

/// What must be watched when one side moves: computed once a position, so that most moves need no further proof.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    pub king: Square,
    /// The side is in check: every move has to be proved.
    pub check: bool,
    /// Own pieces whose leaving may expose the general: shields, one of two screens, legs of enemy horses.
    pub from: u128,
    /// Empty points between the general and a bare enemy cannon: a piece put there becomes its screen.
    pub to: u128,
}

impl Position {
    /// A piece of the other side that attacks this side's general (the facing general included), if any.
    pub fn attacker_of_king(&self, color: Color) -> Option<Square> {
        self.attacker(self.kings[color.index()]?, color, None)
    }

    /// Whether a move of the side to move, not yet played, attacks the other general (also by uncovering).
    pub fn gives_check(&self, m: Move) -> bool {
        let enemy = !self.side;
        self.kings[enemy.index()].is_some_and(|king| self.attacker(king, enemy, Some(m)).is_some())
    }

    /// Whether a legal-looking move leaves the mover's general attacked; the attacker if so.
    pub(super) fn attacker_after(&self, m: Move) -> Option<Square> {
        let piece = self.board[m.from().index()]?;
        let king = if piece.kind() == Kind::King { Some(m.to()) } else { self.kings[piece.color().index()] };
        self.attacker(king?, piece.color(), Some(m))
    }

    /// A piece that attacks `king` (of `color`), on this board or on the board after `m`, whichever side plays it.
    ///
    /// Most positions have few enemy pieces near the general: each way of attack is looked at only if a piece of the
    /// other side stands on the right points.
    #[inline]
    fn attacker(&self, king: Square, color: Color, m: Option<Move>) -> Option<Square> {
        let others = &self.sides[(!color).index()];
        let (file, rank) = (king.file(), king.rank());
        let (mut column, mut others_column) = (self.column(file), others.columns[file as usize]);
        let (mut row, mut others_row) = (self.row(rank), others.rows[rank as usize]);
        let mut near = others.all & NEAR[king.index()];
        if let Some(m) = m {
            let (from, to) = (m.from(), m.to());
            let theirs = self.board[from.index()].is_some_and(|piece| piece.color() != color);
            if from.file() == file {
                column &= !(1 << from.rank());
                others_column &= !(1 << from.rank());
            }
            if from.rank() == rank {
                row &= !(1 << from.file());
                others_row &= !(1 << from.file());
            }
            // What stood on the to-square is captured.
            if to.file() == file {
                column |= 1 << to.rank();
                others_column = others_column & !(1 << to.rank()) | u16::from(theirs) << to.rank();
            }
            if to.rank() == rank {
                row |= 1 << to.file();
                others_row = others_row & !(1 << to.file()) | u16::from(theirs) << to.file();
            }
            if theirs {
                near |= to.bit() & NEAR[king.index()];
            }
        }
        if others_column != 0 {
            let (first, second) = seen_from(u32::from(rank), column);
            let on_column = |bit: u32| Square::known(bit as u8 * 9 + file);
            let found = self.line_attacker(first & others_column, second & others_column, on_column, m, true);
            if found.is_some() {
                return found;
            }
        }
        if others_row != 0 {
            let (first, second) = seen_from(u32::from(file), row);
            let on_row = |bit: u32| Square::known(rank * 9 + bit as u8);
            let found = self.line_attacker(first & others_row, second & others_row, on_row, m, false);
            if found.is_some() {
                return found;
            }
        }
        if near != 0 { self.attacker_near(king, color, m) } else { None }
    }

    /// The attacker among the enemy pieces seen first and second along a line.
    #[inline]
    fn line_attacker(
        &self,
        mut first: u16,
        mut second: u16,
        square: impl Fn(u32) -> Square,
        m: Option<Move>,
        column: bool,
    ) -> Option<Square> {
        while first != 0 {
            let at = square(first.trailing_zeros());
            match self.look(at, m).map(Piece::kind) {
                Some(Kind::Rook) => return Some(at),
                Some(Kind::King) if column => return Some(at),
                _ => first &= first - 1,
            }
        }
        while second != 0 {
            let at = square(second.trailing_zeros());
            if self.look(at, m).map(Piece::kind) == Some(Kind::Cannon) {
                return Some(at);
            }
            second &= second - 1;
        }
        None
    }

    /// What stands on a square after the move.
    #[inline]
    fn look(&self, square: Square, m: Option<Move>) -> Option<Piece> {
        match m {
            Some(m) if square == m.to() => self.board[m.from().index()],
            Some(m) if square == m.from() => None,
            _ => self.board[square.index()],
        }
    }

    /// Horses and pawns.
    fn attacker_near(&self, king: Square, color: Color, m: Option<Move>) -> Option<Square> {
        let enemy = |kind| Some(Piece::new(!color, kind));
        for step in HORSE_TO[king.index()].as_slice() {
            if self.look(step.to, m) == enemy(Kind::Horse) && self.look(step.over, m).is_none() {
                return Some(step.to);
            }
        }
        // A pawn reaches the general from the point before it (seen from the pawn) and, across the river, from either side.
        let crossed = (king.rank() >= 5) == (color == Color::Black);
        for (files, ranks) in [(0, color.forward()), (1, 0), (-1, 0)] {
            if ranks == 0 && !crossed {
                continue;
            }
            if let Some(square) = king.step(files, ranks)
                && self.look(square, m) == enemy(Kind::Pawn)
            {
                return Some(square);
            }
        }
        None
    }

    /// See [`Watch`]. `None` if the side to move has no general.
    pub(super) fn watch(&self) -> Option<Watch> {
        let color = self.side;
        let king = self.kings[color.index()]?;
        let own = self.sides[color.index()].all;
        let mut watch = Watch { king, check: false, from: 0, to: 0 };
        let (file, rank) = (u32::from(king.file()), u32::from(king.rank()));
        let row = self.row(king.rank());
        let column = self.column(king.file());
        self.watch_ray(
            &mut watch,
            row & !((2 << file) - 1),
            |bit| Square::known(king.rank() * 9 + bit as u8),
            false,
            true,
        );
        self.watch_ray(
            &mut watch,
            row & ((1 << file) - 1),
            |bit| Square::known(king.rank() * 9 + bit as u8),
            false,
            false,
        );
        self.watch_ray(
            &mut watch,
            column & !((2 << rank) - 1),
            |bit| Square::known(bit as u8 * 9 + king.file()),
            true,
            true,
        );
        self.watch_ray(
            &mut watch,
            column & ((1 << rank) - 1),
            |bit| Square::known(bit as u8 * 9 + king.file()),
            true,
            false,
        );
        watch.from &= own;
        if self.sides[(!color).index()].all & NEAR[king.index()] == 0 {
            return Some(watch);
        }
        let horse = Some(Piece::new(!color, Kind::Horse));
        for step in HORSE_TO[king.index()].as_slice() {
            if self.board[step.to.index()] == horse {
                if self.board[step.over.index()].is_some() {
                    watch.from |= step.over.bit() & own;
                } else {
                    watch.check = true;
                }
            }
        }
        let pawn = Some(Piece::new(!color, Kind::Pawn));
        for (files, ranks) in [(0, color.forward()), (1, 0), (-1, 0)] {
            // Sideways needs no river test here: at worst a king far from home has its moves proved one by one.
            if king.step(files, ranks).is_some_and(|square| self.board[square.index()] == pawn) {
                watch.check = true;
            }
        }
        Some(watch)
    }

    /// Looks along one ray from the general: `ray` holds the pieces on it, `up` tells which end is near.
    #[inline]
    fn watch_ray(&self, watch: &mut Watch, mut ray: u16, square: impl Fn(u32) -> Square, vertical: bool, up: bool) {
        let mut next = || {
            if ray == 0 {
                return None;
            }
            let bit = if up { ray.trailing_zeros() } else { 15 - ray.leading_zeros() };
            ray &= !(1 << bit);
            let at = square(bit);
            Some((at, self.board[at.index()]?))
        };
        let enemy = !self.side;
        let Some((first, piece)) = next() else { return };
        if piece.color() == enemy {
            match piece.kind() {
                Kind::Rook => watch.check = true,
                Kind::King if vertical => watch.check = true,
                Kind::Cannon => {
                    let step: i8 = if up { 1 } else { -1 };
                    let (x, y) = if vertical { (0, step) } else { (step, 0) };
                    let mut point = watch.king.step(x, y);
                    while let Some(empty) = point
                        && empty != first
                    {
                        watch.to |= empty.bit();
                        point = empty.step(x, y);
                    }
                }
                _ => {}
            }
        }
        let Some((second, piece)) = next() else { return };
        if piece.color() == enemy {
            match piece.kind() {
                Kind::Rook => watch.from |= first.bit(),
                Kind::King if vertical => watch.from |= first.bit(),
                Kind::Cannon => watch.check = true,
                _ => {}
            }
        }
        let Some((_, piece)) = next() else { return };
        if piece == Piece::new(enemy, Kind::Cannon) {
            watch.from |= first.bit() | second.bit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_ahead_of_a_move_sees_what_stands_after_it() {
        let mut seed = 11u32;
        for _ in 0..60 {
            let mut position = Position::start();
            for _ in 0..150 {
                let moves = position.legal_moves();
                for &m in moves.iter() {
                    let mut next = position;
                    next.play(m);
                    assert_eq!(position.gives_check(m), next.is_check(), "{m} in {position:?}");
                    assert!(next.attacker_of_king(position.side_to_move()).is_none());
                }
                let Some(count) = std::num::NonZero::new(moves.len()) else { break };
                seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
                position.play(moves[(seed >> 16) as usize % count]);
            }
        }
    }
}
