//! Points of the board and moves between them.
//!
//! A square is written file then rank: `a0` is Red's left corner, `i9` Black's left corner (Red's far right). Files
//! `a`–`i` run from Red's left, ranks `0`–`9` from Red's back rank.

use super::piece::{Color, Kind};
use std::fmt;
use std::str::FromStr;

/// One of the ninety points of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// Number of points on the board.
    pub const COUNT: usize = 90;

    /// The point on `file` (0–8 from Red's left) and `rank` (0–9 from Red's back rank), or `None` off the board.
    pub const fn new(file: u8, rank: u8) -> Option<Square> {
        if file < 9 && rank < 10 { Some(Square(rank * 9 + file)) } else { None }
    }

    /// As [`Square::new`] for signed coordinates, for stepping off a point.
    pub const fn at(file: i8, rank: i8) -> Option<Square> {
        if file >= 0 && rank >= 0 { Square::new(file as u8, rank as u8) } else { None }
    }

    /// The point with this index (`rank * 9 + file`), or `None` from 90 on.
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Square::COUNT { Some(Square(index as u8)) } else { None }
    }

    /// For tables and bit sets that can only hold points of the board.
    pub(super) const fn known(index: u8) -> Square {
        debug_assert!(index < 90);
        Square(index)
    }

    /// All ninety points, rank by rank from `a0`.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..90).map(Square)
    }

    /// File, 0–8 from Red's left.
    pub const fn file(self) -> u8 {
        self.0 % 9
    }

    /// Rank, 0–9 from Red's back rank.
    pub const fn rank(self) -> u8 {
        self.0 / 9
    }

    /// `rank * 9 + file`, below [`Square::COUNT`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The point a step of (`files`, `ranks`) away, or `None` off the board.
    pub const fn step(self, files: i8, ranks: i8) -> Option<Square> {
        Square::at(self.file() as i8 + files, self.rank() as i8 + ranks)
    }

    /// The image left to right: `a0` and `i0` trade places.
    pub const fn mirror(self) -> Square {
        Square(self.rank() * 9 + 8 - self.file())
    }

    /// The image under a half turn of the board: `a0` and `i9` trade places.
    pub const fn turn(self) -> Square {
        Square(89 - self.0)
    }

    /// File 1–9 as the given side counts it, from its own right (Chinese and WXF notation).
    pub const fn file_for(self, color: Color) -> u8 {
        match color {
            Color::Red => 9 - self.file(),
            Color::Black => self.file() + 1,
        }
    }

    /// Rank 0–9 counted from the given side's back rank.
    pub const fn rank_for(self, color: Color) -> u8 {
        match color {
            Color::Red => self.rank(),
            Color::Black => 9 - self.rank(),
        }
    }

    /// Whether a piece of this kind and colour can ever stand here: palace for king and advisor, the seven elephant
    /// points, and no pawn behind its start rank or between the files of its start points before the river.
    pub const fn allows(self, kind: Kind, color: Color) -> bool {
        let (x, y) = (self.file(), self.rank_for(color));
        match kind {
            Kind::King => 3 <= x && x <= 5 && y <= 2,
            Kind::Advisor => 3 <= x && x <= 5 && y <= 2 && (x + y) % 2 == 1,
            Kind::Elephant => y <= 4 && ((y % 4 == 0 && x % 4 == 2) || (y == 2 && x % 4 == 0)),
            Kind::Pawn => y >= 5 || (y >= 3 && x % 2 == 0),
            Kind::Horse | Kind::Rook | Kind::Cannon => true,
        }
    }

    pub(super) const fn bit(self) -> u128 {
        1 << self.0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Square, ParseMoveError> {
        match *text.as_bytes() {
            [file @ b'a'..=b'i', rank @ b'0'..=b'9'] => Ok(Square((rank - b'0') * 9 + file - b'a')),
            _ => Err(ParseMoveError),
        }
    }
}

impl serde::Serialize for Square {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A move from one point to another; what moves and what is captured is for the position to say.
///
/// Two bytes: usable as a key and in stored games ([`Move::to_bits`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    /// The move between two points.
    pub const fn new(from: Square, to: Square) -> Move {
        Move((from.0 as u16) << 7 | to.0 as u16)
    }

    /// Where the piece stood.
    pub const fn from(self) -> Square {
        Square((self.0 >> 7) as u8)
    }

    /// Where the piece goes.
    pub const fn to(self) -> Square {
        Square((self.0 & 0x7F) as u8)
    }

    /// The image left to right.
    pub const fn mirror(self) -> Move {
        Move::new(self.from().mirror(), self.to().mirror())
    }

    /// The image under a half turn of the board.
    pub const fn turn(self) -> Move {
        Move::new(self.from().turn(), self.to().turn())
    }

    /// Fourteen bits: from-index times 128 plus to-index. Order: by from-square, then to-square.
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// The inverse of [`Move::to_bits`]; `None` if either half is not a point of the board.
    pub const fn from_bits(bits: u16) -> Option<Move> {
        if bits >> 7 < 90 && bits & 0x7F < 90 { Some(Move(bits)) } else { None }
    }

    /// The four characters of the coordinate form, `h2e2`, without allocation.
    pub const fn to_coordinates(self) -> [u8; 4] {
        [b'a' + self.from().file(), b'0' + self.from().rank(), b'a' + self.to().file(), b'0' + self.to().rank()]
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        if text.len() != 4 || !text.is_ascii() {
            return Err(ParseMoveError);
        }
        Ok(Move::new(text[..2].parse()?, text[2..].parse()?))
    }
}

impl serde::Serialize for Move {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The text is not a square `a0`–`i9`, or not a move `h2e2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a coordinate of the board (a0 to i9)")]
pub struct ParseMoveError;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_index_agree_for_every_square() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.file(), square.rank()), Some(square));
            assert_eq!(square.mirror().mirror(), square);
            assert_eq!(square.turn().turn(), square);
        }
        assert!("a10".parse::<Square>().is_err());
        assert!("j0".parse::<Square>().is_err());
        assert!("炮e2".parse::<Move>().is_err());
    }

    #[test]
    fn each_kind_has_as_many_points_as_the_board_gives_it() {
        let points = |kind| Square::all().filter(|s| s.allows(kind, Color::Red)).count();
        assert_eq!(points(Kind::King), 9);
        assert_eq!(points(Kind::Advisor), 5);
        assert_eq!(points(Kind::Elephant), 7);
        assert_eq!(points(Kind::Pawn), 55);
        for square in Square::all() {
            for kind in Kind::ALL {
                assert_eq!(square.allows(kind, Color::Red), square.turn().allows(kind, Color::Black));
            }
        }
    }
}
