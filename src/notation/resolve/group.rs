//! Equal pieces on one file, and where a direction and a number lead.

use crate::board::{Color, Kind, Piece, Position, Square};
use crate::notation::token::{Direction, Place};

/// The piece of a group that a WXF mark names. Among four or five pawns `+` and `-` are the second and the last but one,
/// because `++` and `--` are the outermost.
pub(super) fn marked(group: &Group, kind: Kind, mark: u8) -> Option<Square> {
    let inner = u8::from(kind == Kind::Pawn && group.length >= 4);
    match mark {
        b'+' => group.nth(1 + inner).filter(|_| group.length >= 2),
        b'-' => group.nth(group.length.saturating_sub(inner)).filter(|_| group.length >= 2),
        _ => group.place(Place::Middle),
    }
}

/// Equal pieces of the mover on one file, front first.
pub(super) struct Group {
    squares: [Square; 10],
    pub(super) length: u8,
}

impl Group {
    #[inline]
    pub(super) fn of(position: &Position, piece: Piece, file: u8) -> Group {
        let Some(corner) = Square::new(0, 0) else { unreachable!() };
        let mut group = Group { squares: [corner; 10], length: 0 };
        for square in position.squares_on_file(piece, file) {
            group.squares[group.length as usize] = square;
            group.length += 1;
        }
        if piece.color() == Color::Red {
            group.squares[..group.length as usize].reverse();
        }
        group
    }

    /// The n-th from the front, from 1.
    pub(super) fn nth(&self, number: u8) -> Option<Square> {
        (1..=self.length).contains(&number).then(|| self.squares[number as usize - 1])
    }

    /// Front and rear of two or more; the middle of three or five.
    pub(super) fn place(&self, place: Place) -> Option<Square> {
        match place {
            _ if self.length < 2 => None,
            Place::Front => self.nth(1),
            Place::Rear => self.nth(self.length),
            Place::Middle if self.length == 3 || self.length == 5 => self.nth(self.length / 2 + 1),
            Place::Middle => None,
        }
    }
}

/// File 0–8 from Red's left of the file `file` (1–9) from the mover's right.
#[inline]
pub(in crate::notation) const fn absolute_file(side: Color, file: u8) -> u8 {
    match side {
        Color::Red => 9 - file,
        Color::Black => file - 1,
    }
}

/// The point on a file (1–9 from the mover's right) and a rank (0–9 from the mover's back rank).
pub(super) fn home_point(side: Color, file: u8, rank: u8) -> Option<Square> {
    Square::new(absolute_file(side, file), if side == Color::Red { rank } else { 9u8.checked_sub(rank)? })
}

/// Where a piece on `from` goes by direction and number, if that is a point of the board and a way this kind moves.
#[inline]
pub(super) fn target(side: Color, kind: Kind, from: Square, direction: Direction, number: u8) -> Option<Square> {
    let (file, rank) = aim(side, kind, (from.file(), from.rank()), direction, number)?;
    Square::new(file, rank)
}

/// As [`target`], from file and rank to file and rank, which may lie off the board.
#[inline]
pub(in crate::notation) fn aim(
    side: Color,
    kind: Kind,
    (from_file, rank): (u8, u8),
    direction: Direction,
    number: u8,
) -> Option<(u8, u8)> {
    let ahead = (direction == Direction::Back) == (side == Color::Black);
    // Below zero it becomes a large number, which is off the board too.
    let ranks = |ranks: u8| if ahead { rank.wrapping_add(ranks) } else { rank.wrapping_sub(ranks) };
    match (kind, direction) {
        (Kind::Rook | Kind::Cannon | Kind::King | Kind::Pawn, Direction::Traverse) => {
            Some((absolute_file(side, number), rank))
        }
        (Kind::Rook | Kind::Cannon | Kind::King, _) | (Kind::Pawn, Direction::Forward) => {
            Some((from_file, ranks(number)))
        }
        (Kind::Pawn, Direction::Back) | (Kind::Horse | Kind::Elephant | Kind::Advisor, Direction::Traverse) => None,
        (Kind::Horse, _) => {
            let file = absolute_file(side, number);
            match file.abs_diff(from_file) {
                1 => Some((file, ranks(2))),
                2 => Some((file, ranks(1))),
                _ => None,
            }
        }
        (Kind::Elephant | Kind::Advisor, _) => {
            let file = absolute_file(side, number);
            let steps = if kind == Kind::Elephant { 2 } else { 1 };
            (file.abs_diff(from_file) == steps).then(|| (file, ranks(steps)))
        }
    }
}
