//! The token: what a written move says, without a board.

use super::glyph::hint;
use crate::board::{Color, Kind, Move};

/// A set of kinds of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) const ALL: Kinds = Kinds(0x7F);

    pub(crate) const fn one(kind: Kind) -> Kinds {
        Kinds(1 << kind as u8)
    }

    pub(crate) const fn holds(self, kind: Kind) -> bool {
        self.0 >> kind as u8 & 1 == 1
    }

    /// The kind, if there is only one.
    pub(crate) const fn single(self) -> Option<Kind> {
        if self.0.is_power_of_two() { Some(Kind::ALL[self.0.trailing_zeros() as usize]) } else { None }
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Kind> {
        Kind::ALL.into_iter().filter(move |&kind| self.holds(kind))
    }
}

/// 进 退 平.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Direction {
    Forward,
    Back,
    Traverse,
}

/// 前 中 后.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    Front,
    Middle,
    Rear,
}

/// Which of several equal pieces is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Which {
    /// Nothing said.
    Any,
    /// By place on its file.
    Place(Place),
    /// By number among the pawns of the files that hold several.
    Ordinal(u8),
}

/// What is said about the direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    /// Plainly said.
    Said(Direction),
    /// 中 as a target: to the middle file, whatever the word.
    Centre(Direction),
    /// A bar below the digit.
    BarBelow,
    /// A bar above the digit.
    BarAbove,
    /// A bar stood here; it is not known where.
    Bar,
    /// No mark: a traverse, or a bar that was lost.
    Bare,
}

/// Chinese forms, and what others turn into once their dialect is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Relative {
    pub kinds: Kinds,
    pub which: Which,
    /// File from the mover's right, 0 if not said.
    pub file: u8,
    pub action: Action,
    pub number: u8,
}

/// A point as letters and digits give it: file 0–8 from Red's left and the rank as written, 0–10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Point {
    pub file: u8,
    pub rank: u8,
}

/// What a text says, in the terms of its own form: where two dialects read the same characters differently, the
/// characters are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Body {
    Relative(Relative),
    /// `C2.5`, `R+-1`, `Pa.4`, `P2-5`, `Tg5.1`, `m8+7`: letter (upper case; `g` for `Tg`), place (digit or mark as
    /// written; from 1 to 9 a number that stood before the letter; from 0x80 on number and file), operator (0 if none),
    /// number. A 0 has a meaning only where files are counted from it.
    Letters {
        letter: u8,
        place: u8,
        operator: u8,
        number: u8,
    },
    /// `13=4`, `3+.4`, `++.4`, `62.5`: two signs, operator, number.
    Numbered {
        first: u8,
        second: u8,
        operator: u8,
        number: u8,
    },
    /// `h2e2`, `H2-E2`, `Ch3-e3`, `A10e9`. `letter` (upper case, 0 if none) stands before it; `mixed` says that the
    /// from-file may instead be a piece letter.
    Coordinate {
        letter: u8,
        from: Point,
        to: Point,
        mixed: bool,
    },
    /// `Che3`, `Rii2`, `c4`: letter (upper case, 0 for none), file and rank of origin (`u8::MAX` if not said).
    Algebraic {
        letter: u8,
        file: u8,
        rank: u8,
        to: Point,
    },
    /// Four digits.
    Digits([u8; 4]),
    /// Both points said beyond doubt.
    Squares(Move),
    /// Both points said beyond doubt, and the letter of the piece.
    Named {
        letter: u8,
        m: Move,
    },
    /// 炮(32)-35: rank and file of both points, each from the mover's side, from 1.
    Grid {
        kind: Kind,
        from: (u8, u8),
        to: (u8, u8),
    },
}

/// The form a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Form {
    /// 炮二平五 and its variants.
    Chinese,
    /// 炮25 with or without bars.
    Short,
    /// Prose without the file of origin: 黑马退6.
    Prose,
    /// Letters, place, sign, number: `C2=5`, and Vietnamese `P2-5`, which looks alike.
    Letters,
    /// Number and file of a pawn: `13=4`, `3+.4`.
    PawnNumbers,
    /// `h2e2`, `H2-E2`.
    Coordinates,
    /// `Che2`.
    Algebraic,
    /// `7747`.
    Digits,
    /// Rank and file from the mover's side: `炮(32)-35`.
    Grid,
}

/// What a short form shows of the bar that marks its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bar {
    /// A bar, below or above.
    Marked,
    /// A gap where a bar stood.
    Gap,
    /// Nothing: a traverse, or a bar that was lost.
    Bare,
}

/// A written move, read but not yet seen on a board.
///
/// Small, free of borrowed text, cheap to copy. [`super::resolve`] says what it may mean in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token {
    pub(crate) body: Body,
    pub(crate) hints: u8,
}

impl Token {
    #[inline]
    pub(crate) const fn new(body: Body, hints: u8) -> Token {
        Token { body, hints }
    }

    /// The token that names a move by its points, for readers of binary formats.
    pub const fn of_move(m: Move) -> Token {
        Token::new(Body::Squares(m), 0)
    }

    /// The form of the text it was read from.
    pub fn form(&self) -> Form {
        match self.body {
            Body::Relative(claim) => match claim.action {
                Action::Said(_) if claim.file == 0 && claim.which == Which::Any => Form::Prose,
                Action::Centre(_) => Form::Prose,
                Action::Said(_) => Form::Chinese,
                _ => Form::Short,
            },
            Body::Letters { .. } => Form::Letters,
            Body::Numbered { .. } => Form::PawnNumbers,
            Body::Coordinate { .. } | Body::Squares(_) | Body::Named { .. } => Form::Coordinates,
            Body::Algebraic { .. } => Form::Algebraic,
            Body::Digits(_) => Form::Digits,
            Body::Grid { .. } => Form::Grid,
        }
    }

    /// The one kind of piece it names, if it names one whatever the dialect.
    pub fn kind(&self) -> Option<Kind> {
        match self.body {
            Body::Relative(claim) => claim.kinds.single(),
            Body::Grid { kind, .. } => Some(kind),
            _ => None,
        }
    }

    /// What it says about direction in the way of the short form; `None` for any other form.
    pub fn bar(&self) -> Option<Bar> {
        match self.body {
            Body::Relative(Relative { action, .. }) => match action {
                Action::Bare => Some(Bar::Bare),
                Action::Bar => Some(Bar::Gap),
                Action::BarBelow | Action::BarAbove => Some(Bar::Marked),
                Action::Said(_) | Action::Centre(_) => None,
            },
            _ => None,
        }
    }

    /// The side whose piece names it uses: 帅 仕 相 兵 are Red's, 将 象 卒 Black's (in the modern form; the other way
    /// round in the form of 1956). No proof of whose move it is: texts mix them.
    pub fn named_side(&self) -> Option<Color> {
        Token::sides(self.hints & hint::RED != 0, self.hints & hint::BLACK != 0)
    }

    /// The side that signs of one side alone point to.
    #[inline]
    pub(super) const fn sides(red: bool, black: bool) -> Option<Color> {
        match (red, black) {
            (true, false) => Some(Color::Red),
            (false, true) => Some(Color::Black),
            _ => None,
        }
    }

    /// The side its numerals point to: Chinese ones are Red's, Arabic ones Black's. No proof either.
    pub fn numeral_side(&self) -> Option<Color> {
        Token::sides(self.hints & hint::HAN != 0, self.hints & hint::ARABIC != 0)
    }

    /// The sign of a traverse in the letter forms, `=` or `.`; `None` for any other text.
    pub(crate) fn traverse_sign(&self) -> Option<u8> {
        match self.body {
            Body::Letters { operator, .. } | Body::Numbered { operator, .. } => {
                Some(operator).filter(|sign| matches!(sign, b'=' | b'.'))
            }
            _ => None,
        }
    }

    /// Whether it says 上 or 下 for 进 or 退.
    pub fn has_old_direction(&self) -> bool {
        self.hints & hint::OLD != 0
    }

    /// Whether it has a character that is written only in traditional Chinese.
    pub fn is_traditional(&self) -> bool {
        self.hints & hint::TRADITIONAL != 0
    }
}
