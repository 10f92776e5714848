//! Check, facing generals, and which moves can expose one's own general at all.

use super::attack::{HORSE_TO, NEAR, cannon_line, rook_line};
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

/// The first point of a line that fits.
#[inline]
fn find(mut line: u16, square: impl Fn(u32) -> Square, fits: impl Fn(Square) -> bool) -> Option<Square> {
    while line != 0 {
        let at = square(line.trailing_zeros());
        if fits(at) {
            return Some(at);
        }
        line &= line - 1;
    }
    None
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

    /// A piece that attacks `king` (of `color`), on this board or on the board after `m`.
    fn attacker(&self, king: Square, color: Color, m: Option<Move>) -> Option<Square> {
        let moved = m.and_then(|m| self.board[m.from().index()]);
        let look = |square: Square| match m {
            Some(m) if square == m.to() => moved,
            Some(m) if square == m.from() => None,
            _ => self.board[square.index()],
        };
        let enemy = |kind| Some(Piece::new(!color, kind));
        let (file, rank) = (king.file(), king.rank());
        let mut row = self.row(rank);
        let mut column = self.column(file);
        if let Some(m) = m {
            let (from, to) = (m.from(), m.to());
            if from.rank() == rank {
                row &= !(1 << from.file());
            }
            if to.rank() == rank {
                row |= 1 << to.file();
            }
            if from.file() == file {
                column &= !(1 << from.rank());
            }
            if to.file() == file {
                column |= 1 << to.rank();
            }
        }
        let their = &self.sides[(!color).index()];
        // Only a line with an enemy piece on it can hold an attacker.
        if their.rows[rank as usize] != 0 {
            let on_row = |bit: u32| Square::known(rank * 9 + bit as u8);
            let first = rook_line(u32::from(file), row, 9) & row;
            let second = cannon_line(u32::from(file), row);
            if let Some(square) = find(first, on_row, |square| look(square) == enemy(Kind::Rook))
                .or_else(|| find(second, on_row, |square| look(square) == enemy(Kind::Cannon)))
            {
                return Some(square);
            }
        }
        if their.columns[file as usize] != 0 {
            let on_column = |bit: u32| Square::known(bit as u8 * 9 + file);
            let first = rook_line(u32::from(rank), column, 10) & column;
            let second = cannon_line(u32::from(rank), column);
            let straight = |square| matches!(look(square), p if p == enemy(Kind::Rook) || p == enemy(Kind::King));
            if let Some(square) = find(first, on_column, straight)
                .or_else(|| find(second, on_column, |square| look(square) == enemy(Kind::Cannon)))
            {
                return Some(square);
            }
        }
        if their.all & NEAR[king.index()] == 0 {
            return None;
        }
        for step in HORSE_TO[king.index()].as_slice() {
            if look(step.to) == enemy(Kind::Horse) && look(step.over).is_none() {
                return Some(step.to);
            }
        }
        // A pawn reaches the general from the point before it (seen from the pawn) and, across the river, from either side.
        let crossed = (rank >= 5) == (color == Color::Black);
        for (files, ranks) in [(0, color.forward()), (1, 0), (-1, 0)] {
            if ranks == 0 && !crossed {
                continue;
            }
            if let Some(square) = king.step(files, ranks)
                && look(square) == enemy(Kind::Pawn)
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
