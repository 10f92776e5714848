//! Colours and pieces.

use std::fmt;
use std::num::NonZeroU8;

/// The two sides. Red moves first in a normal game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Color {
    /// 红, at the bottom (ranks 0–4). Written `w` in FEN.
    Red = 0,
    /// 黑, at the top (ranks 5–9). Written `b` in FEN.
    Black = 1,
}

impl Color {
    /// Both sides, Red first.
    pub const ALL: [Color; 2] = [Color::Red, Color::Black];

    /// 0 for Red, 1 for Black.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The direction of this side's forward step in ranks: +1 for Red, -1 for Black.
    pub const fn forward(self) -> i8 {
        match self {
            Color::Red => 1,
            Color::Black => -1,
        }
    }
}

impl std::ops::Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::Red => Color::Black,
            Color::Black => Color::Red,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Red => "Red",
            Color::Black => "Black",
        })
    }
}

/// The seven kinds of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// 帅 / 将, the general.
    King = 0,
    /// 仕 / 士.
    Advisor = 1,
    /// 相 / 象.
    Elephant = 2,
    /// 马.
    Horse = 3,
    /// 车.
    Rook = 4,
    /// 炮.
    Cannon = 5,
    /// 兵 / 卒.
    Pawn = 6,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Kind; 7] =
        [Kind::King, Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Rook, Kind::Cannon, Kind::Pawn];

    /// 0 (king) to 6 (pawn).
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The FEN letter in upper case: `K A B N R C P`.
    pub const fn letter(self) -> char {
        ['K', 'A', 'B', 'N', 'R', 'C', 'P'][self as usize]
    }

    /// The kind a FEN letter of either case stands for; `E` and `H` are read as `B` and `N`.
    pub const fn from_letter(letter: char) -> Option<Kind> {
        Some(match letter.to_ascii_uppercase() {
            'K' => Kind::King,
            'A' => Kind::Advisor,
            'B' | 'E' => Kind::Elephant,
            'N' | 'H' => Kind::Horse,
            'R' => Kind::Rook,
            'C' => Kind::Cannon,
            'P' => Kind::Pawn,
            _ => return None,
        })
    }

    /// English name, lower case.
    pub const fn name(self) -> &'static str {
        ["king", "advisor", "elephant", "horse", "rook", "cannon", "pawn"][self as usize]
    }

    /// How many of this kind one side has at most.
    pub const fn most(self) -> usize {
        match self {
            Kind::King => 1,
            Kind::Pawn => 5,
            _ => 2,
        }
    }
}

/// A piece of one colour. One byte; `Option<Piece>` is one byte too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// The piece of this colour and kind.
    pub const fn new(color: Color, kind: Kind) -> Piece {
        match NonZeroU8::new((color as u8) << 3 | (kind as u8 + 1)) {
            Some(byte) => Piece(byte),
            None => unreachable!(),
        }
    }

    /// All fourteen pieces, Red's first.
    pub fn all() -> impl Iterator<Item = Piece> {
        Color::ALL.into_iter().flat_map(|color| Kind::ALL.into_iter().map(move |kind| Piece::new(color, kind)))
    }

    /// Whose piece it is.
    pub const fn color(self) -> Color {
        if self.0.get() & 8 == 0 { Color::Red } else { Color::Black }
    }

    /// What kind it is.
    pub const fn kind(self) -> Kind {
        Kind::ALL[(self.0.get() & 7) as usize - 1]
    }

    /// 0–13: Red's seven kinds, then Black's.
    pub const fn index(self) -> usize {
        let code = self.0.get() as usize;
        (code >> 3) * 7 + (code & 7) - 1
    }

    /// FEN letter, upper case for Red.
    pub const fn letter(self) -> char {
        match self.color() {
            Color::Red => self.kind().letter(),
            Color::Black => self.kind().letter().to_ascii_lowercase(),
        }
    }

    /// The piece a FEN letter stands for: upper case Red, lower case Black; `E`, `H` as `B`, `N`.
    pub const fn from_letter(letter: char) -> Option<Piece> {
        match Kind::from_letter(letter) {
            Some(kind) => Some(Piece::new(if letter.is_ascii_uppercase() { Color::Red } else { Color::Black }, kind)),
            None => None,
        }
    }

    /// The same kind in the other colour.
    pub const fn swap_color(self) -> Piece {
        Piece::new(if (self.0.get() & 8) == 0 { Color::Black } else { Color::Red }, self.kind())
    }

    /// The usual Chinese character: 帅仕相马车炮兵 for Red, 将士象马车炮卒 for Black.
    pub const fn hanzi(self) -> char {
        match self.color() {
            Color::Red => ['帅', '仕', '相', '马', '车', '炮', '兵'][self.kind() as usize],
            Color::Black => ['将', '士', '象', '马', '车', '炮', '卒'][self.kind() as usize],
        }
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl fmt::Display for Piece {
    /// `Red elephant`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color(), self.kind().name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_indices_name_every_piece_once() {
        for (index, piece) in Piece::all().enumerate() {
            assert_eq!(piece.index(), index);
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            assert_eq!(piece.swap_color().swap_color(), piece);
        }
        assert_eq!(Piece::from_letter('h'), Piece::from_letter('n'));
        assert_eq!(Piece::from_letter('E'), Piece::from_letter('B'));
        assert_eq!(std::mem::size_of::<Option<Piece>>(), 1);
    }
}
