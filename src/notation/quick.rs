//! The commonest texts of moves, read and played at once, for readers of whole records that hold nothing else.
//!
//! Comes in: bytes, in UTF-8 or GBK, and a [`Prover`]. Goes out: tokens and legal moves, the same as [`super::read_move`]
//! and [`super::resolve`] give, or `None`, which says nothing: the caller then asks those.

use super::chinese::{self, quick_by};
use super::glyph::{Class, Gbk, Glyph, common, hint};
use super::letters;
use super::resolve::{absolute_file, aim, western};
use super::token::{Action, Body, Direction, Place, Relative, Token, Which};
use super::{Dialect, resolve};
use crate::board::{Color, Kind, Move, Point, Prover};

/// Reads moves from the bytes of an encoding.
#[derive(Clone, Copy)]
pub(crate) enum Script {
    /// UTF-8, or ASCII.
    Utf8,
    /// GBK or GB18030.
    Gbk(&'static Gbk),
}

impl Script {
    /// For texts in GBK.
    pub fn gbk() -> Script {
        Script::Gbk(Gbk::table())
    }

    /// The move at the start of the bytes, if a blank or nothing stands behind it.
    pub fn read_move(self, bytes: &[u8]) -> Option<(Token, usize)> {
        let (token, used) = match (self, bytes.first()?) {
            (_, b'A'..=b'z') => letters::quick(bytes),
            (Script::Utf8, 0xE4..=0xE9) => chinese::quick(bytes),
            (Script::Gbk(table), 0x81..) => quick_by(bytes, |bytes| table.glyph(bytes)),
            _ => None,
        }?;
        ends_word(bytes, used).then_some((token, used))
    }
}

#[inline]
fn ends_word(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), None | Some(b' ' | b'\t' | b'\r' | b'\n'))
}

/// What came of the text at the start of some bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// It is this move, in so many bytes; the hints of its characters (see [`Token`]).
    Played(Move, usize, Hints),
    /// It is none of the two commonest kinds, or its meaning is not settled; the prover is as it was.
    Other,
    /// Its move is not legal; the prover is of no more use.
    Refused,
}

/// What the characters of a text say besides its move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hints(u8);

impl Hints {
    /// See [`Token::named_side`].
    #[inline]
    pub fn named_side(self) -> Option<Color> {
        Token::sides(self.0 & hint::RED != 0, self.0 & hint::BLACK != 0)
    }

    /// See [`Token::numeral_side`].
    #[inline]
    pub fn numeral_side(self) -> Option<Color> {
        Token::sides(self.0 & hint::HAN != 0, self.0 & hint::ARABIC != 0)
    }
}

/// Reads and plays coordinates with ranks from 0 (`h2e2`, `H2-E2`) if that is how the record counts them, and the plain
/// Chinese move of a piece that stands alone on its file: the same as [`Script::read_move`] and [`play`], without a token
/// in between.
#[inline]
pub(crate) fn step(script: Script, bytes: &[u8], prover: &mut Prover, dialect: Dialect) -> Step {
    match (script, bytes.first()) {
        (_, Some(b'A'..=b'z')) if dialect.and(Dialect::RANKS) == Dialect::RANKS_FROM_0 => coordinates(bytes, prover),
        (Script::Utf8, Some(0xE4..=0xE9)) => chinese(bytes, common, prover),
        (Script::Gbk(table), Some(0x81..)) => chinese(bytes, |bytes| table.glyph(bytes), prover),
        _ => Step::Other,
    }
}

#[inline]
fn coordinates(bytes: &[u8], prover: &mut Prover) -> Step {
    let &[a, b, c, d, ..] = bytes else { return Step::Other };
    let (c, d, used) = match (c, bytes.get(4)) {
        (b'-', Some(&rank)) => (d, rank, 5),
        _ => (c, d, 4),
    };
    let file = |letter: u8| (letter | 0x20).wrapping_sub(b'a');
    let rank = |digit: u8| digit.wrapping_sub(b'0');
    // Mixed case may be a piece letter and a file.
    if (a ^ c) & 0x20 != 0 || !ends_word(bytes, used) || !a.is_ascii_alphabetic() || !c.is_ascii_alphabetic() {
        return Step::Other;
    }
    let (Some(from), Some(to)) = (Point::new(file(a), rank(b)), Point::new(file(c), rank(d))) else {
        return Step::Other;
    };
    match prover.play(from, to) {
        Some(m) => Step::Played(m, used, Hints(0)),
        None => Step::Refused,
    }
}

#[inline]
fn chinese(bytes: &[u8], glyph: impl Fn(&[u8]) -> Option<(Glyph, usize)>, prover: &mut Prover) -> Step {
    let read = || {
        let (first, a) = glyph(bytes)?;
        let (second, b) = glyph(&bytes[a..])?;
        let (third, c) = glyph(&bytes[a + b..])?;
        let (last, d) = glyph(&bytes[a + b + c..])?;
        let hints = first.hints | second.hints | third.hints | last.hints;
        let used = a + b + c + d;
        match (first.class, second.class, third.class, last.class) {
            (Class::Piece(kind), Class::Digit(file), Class::Direction(direction), Class::Digit(number))
                if ends_word(bytes, used) =>
            {
                Some((kind, file, direction, number, hints, used))
            }
            _ => None,
        }
    };
    let Some((kind, file, direction, number, hints, used)) = read() else { return Step::Other };
    let file = absolute_file(prover.side_to_move(), file);
    let ranks = prover.on_file(kind, file);
    if ranks == 0 || ranks & (ranks - 1) != 0 {
        return Step::Other;
    }
    let Some((from, to)) = points(prover, kind, file, ranks.trailing_zeros() as u8, direction, number) else {
        return Step::Refused;
    };
    match prover.play(from, to) {
        Some(m) => Step::Played(m, used, Hints(hints)),
        None => Step::Refused,
    }
}

/// What a text says of the commonest texts.
enum Plain {
    /// The piece of this kind on a file (1–9 from the mover's right).
    File(Kind, u8, Direction, u8),
    /// The foremost or rearmost of two equal pieces on a file.
    Place(Kind, Place, Direction, u8),
    Points(Point, Point),
}

#[inline]
fn plain(token: &Token, dialect: Dialect) -> Option<Plain> {
    match token.body {
        Body::Relative(Relative { kinds, which, file, action: Action::Said(direction), number }) => {
            let kind = kinds.single()?;
            match which {
                Which::Any if file != 0 => Some(Plain::File(kind, file, direction, number)),
                Which::Place(place) if file == 0 => Some(Plain::Place(kind, place, direction, number)),
                _ => None,
            }
        }
        Body::Coordinate { letter: 0, from, to, mixed: false }
            if dialect.and(Dialect::RANKS) == Dialect::RANKS_FROM_0 =>
        {
            Some(Plain::Points(Point::new(from.file, from.rank)?, Point::new(to.file, to.rank)?))
        }
        Body::Letters { letter, place, operator: operator @ (b'+' | b'-' | b'.' | b'='), number }
            if dialect.and(Dialect::LETTERS) == Dialect::WESTERN =>
        {
            let [Some(kind), None] = western(letter, dialect).pair() else { return None };
            let direction = resolve::western_direction(operator);
            match place {
                b'1'..=b'9' => Some(Plain::File(kind, place - b'0', direction, number)),
                b'+' => Some(Plain::Place(kind, Place::Front, direction, number)),
                b'-' => Some(Plain::Place(kind, Place::Rear, direction, number)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Plays the one legal move of the commonest texts.
///
/// `Ok(None)`: the text is none of these, the prover is as it was. `Err`: it is one, but its move is not legal; the prover
/// is of no more use.
pub(crate) fn play(token: &Token, prover: &mut Prover, dialect: Dialect) -> Result<Option<Move>, Refused> {
    let side = prover.side_to_move();
    let (from, to) = match plain(token, dialect) {
        Some(Plain::Points(from, to)) => (from, to),
        Some(Plain::File(kind, file, direction, number)) => {
            let file = absolute_file(side, file);
            let mut ranks = prover.on_file(kind, file);
            if ranks & ranks.wrapping_sub(1) != 0 {
                // Pawns on one file are told apart by rules of their own.
                if kind == Kind::Pawn {
                    return Ok(None);
                }
                return several(prover, kind, file, ranks, direction, number);
            }
            if ranks == 0 {
                return Err(Refused);
            }
            ranks = ranks.trailing_zeros() as u16;
            points(prover, kind, file, ranks as u8, direction, number).ok_or(Refused)?
        }
        Some(Plain::Place(kind, place, direction, number)) if kind != Kind::Pawn && place != Place::Middle => {
            let mut found = None;
            for file in 0..9 {
                let ranks = prover.on_file(kind, file);
                if ranks & ranks.wrapping_sub(1) == 0 {
                    continue;
                }
                if found.is_some() {
                    return Ok(None);
                }
                let foremost = (place == Place::Front) == (side == Color::Red);
                let rank = if foremost { 15 - ranks.leading_zeros() } else { ranks.trailing_zeros() };
                found = Some((file, rank as u8));
            }
            let Some((file, rank)) = found else { return Err(Refused) };
            points(prover, kind, file, rank, direction, number).ok_or(Refused)?
        }
        _ => return Ok(None),
    };
    prover.play(from, to).map(Some).ok_or(Refused)
}

/// See [`play`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refused;

#[inline]
fn points(prover: &Prover, kind: Kind, file: u8, rank: u8, direction: Direction, number: u8) -> Option<(Point, Point)> {
    let (to_file, to_rank) = aim(prover.side_to_move(), kind, (file, rank), direction, number)?;
    Some((Point::new(file, rank)?, Point::new(to_file, to_rank)?))
}

/// Several equal pieces on the file, of which only one may be able to make the move.
#[cold]
fn several(
    prover: &mut Prover,
    kind: Kind,
    file: u8,
    mut ranks: u16,
    direction: Direction,
    number: u8,
) -> Result<Option<Move>, Refused> {
    let mut found = None;
    while ranks != 0 {
        let rank = ranks.trailing_zeros() as u8;
        ranks &= ranks - 1;
        if let Some((from, to)) = points(prover, kind, file, rank, direction, number)
            && prover.is_pseudo_legal(from, to)
        {
            if found.is_some() {
                return Ok(None);
            }
            found = Some((from, to));
        }
    }
    let (from, to) = found.ok_or(Refused)?;
    prover.play(from, to).map(Some).ok_or(Refused)
}
