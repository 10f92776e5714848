//! English prose: `Cannon 2 traverse 5`, `rook at file 1 advances 1`, `front chariot retreats 2`.
//!
//! Comes in: folded ASCII that begins with such a text. Goes out: a claim like that of the Chinese form; the wording leaves
//! nothing open but the file, which may be missing. Forgives: either case, the usual names of the pieces, a colour before the
//! piece, `moves`, the little words. Running text is not searched for it but in records whose every move is in words.

use super::glyph::hint;
use super::token::{Action, Body, Direction, Kinds, Place, Relative, Token, Which};
use crate::board::Kind;
use nom::branch::alt;
use nom::bytes::complete::{tag_no_case, take_while, take_while1};
use nom::combinator::{eof, map, not, opt, value, verify};
use nom::error::Error;
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

type Bytes<'a> = &'a [u8];
type Read<'a, T> = IResult<Bytes<'a>, T>;

/// A word of the list, and the blanks behind it.
fn word<'a, T: Copy>(words: &'static [(&'static str, T)]) -> impl Fn(Bytes<'a>) -> Read<'a, T> {
    move |bytes| {
        let (rest, found) = take_while1(|b: u8| b.is_ascii_alphabetic())(bytes)?;
        let meaning = words.iter().find(|(word, _)| found.eq_ignore_ascii_case(word.as_bytes()));
        let Some((_, meaning)) = meaning else {
            return Err(nom::Err::Error(Error::new(bytes, nom::error::ErrorKind::Tag)));
        };
        let (rest, _) = take_while(|b: u8| b == b' ').parse(rest)?;
        Ok((rest, *meaning))
    }
}

const SIDES: &[(&str, u8)] = &[("red", hint::RED), ("black", hint::BLACK)];

const PLACES: &[(&str, Place)] = &[
    ("front", Place::Front),
    ("middle", Place::Middle),
    ("center", Place::Middle),
    ("centre", Place::Middle),
    ("rear", Place::Rear),
    ("back", Place::Rear),
];

const PIECES: &[(&str, Kind)] = &[
    ("general", Kind::King),
    ("king", Kind::King),
    ("advisor", Kind::Advisor),
    ("adviser", Kind::Advisor),
    ("guard", Kind::Advisor),
    ("mandarin", Kind::Advisor),
    ("elephant", Kind::Elephant),
    ("minister", Kind::Elephant),
    ("bishop", Kind::Elephant),
    ("horse", Kind::Horse),
    ("knight", Kind::Horse),
    ("rook", Kind::Rook),
    ("chariot", Kind::Rook),
    ("cannon", Kind::Cannon),
    ("pawn", Kind::Pawn),
    ("soldier", Kind::Pawn),
];

const DIRECTIONS: &[(&str, Direction)] = &[
    ("advance", Direction::Forward),
    ("advances", Direction::Forward),
    ("forward", Direction::Forward),
    ("forwards", Direction::Forward),
    ("retreat", Direction::Back),
    ("retreats", Direction::Back),
    ("retire", Direction::Back),
    ("retires", Direction::Back),
    ("back", Direction::Back),
    ("backward", Direction::Back),
    ("backwards", Direction::Back),
    ("traverse", Direction::Traverse),
    ("traverses", Direction::Traverse),
    ("sideways", Direction::Traverse),
    ("across", Direction::Traverse),
];

/// Whether a word could begin a move in words.
pub(super) fn begins(word: &str) -> bool {
    let is = |name: &str| word.eq_ignore_ascii_case(name);
    SIDES.iter().any(|(name, _)| is(name))
        || PLACES.iter().any(|(name, _)| is(name))
        || PIECES.iter().any(|(name, _)| is(name))
}

fn number(bytes: Bytes<'_>) -> Read<'_, u8> {
    let digit = map(verify(nom::number::complete::u8, |b| (b'1'..=b'9').contains(b)), |b| b - b'0');
    let ends = not(nom::character::complete::satisfy(|c| c.is_ascii_alphanumeric()));
    terminated(digit, (ends, take_while(|b: u8| b == b' '))).parse(bytes)
}

/// Reads a whole text.
pub(super) fn read(bytes: Bytes<'_>) -> Read<'_, Token> {
    terminated(phrase, eof).parse(bytes)
}

/// Reads a move in words at the start of the bytes.
pub(super) fn phrase(bytes: Bytes<'_>) -> Read<'_, Token> {
    let (rest, side) = opt(word(SIDES)).parse(bytes)?;
    let (rest, place) = opt(word(PLACES)).parse(rest)?;
    let (rest, kind) = word(PIECES)(rest)?;
    let of_file = preceded(
        opt(word(&[("at", ()), ("on", ()), ("of", ())])),
        preceded(opt(word(&[("file", ()), ("column", ())])), number),
    );
    let (rest, file) = opt(of_file).parse(rest)?;
    let (rest, _) = opt(word(&[("moves", ()), ("move", ()), ("goes", ())])).parse(rest)?;
    let (rest, direction) = word(DIRECTIONS)(rest)?;
    let (rest, _) = opt(word(&[("to", ()), ("by", ())])).parse(rest)?;
    let (rest, _) = opt(word(&[("file", ()), ("column", ())])).parse(rest)?;
    let (rest, number) = number(rest)?;
    let (rest, _) = opt(alt((value((), tag_no_case("points")), value((), tag_no_case("point"))))).parse(rest)?;
    let claim = Relative {
        kinds: Kinds::one(kind),
        which: place.map_or(Which::Any, Which::Place),
        file: file.unwrap_or(0),
        action: Action::Said(direction),
        number,
    };
    Ok((rest, Token::new(Body::Relative(claim), hint::ARABIC | side.unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use crate::board::Position;
    use crate::notation::{Dialect, read_move, read_whole, resolve};

    #[test]
    fn english_words_are_read_where_they_are_the_whole_text() {
        for (text, m) in [
            ("Cannon 2 traverse 5", "h2e2"),
            ("cannon on file 2 traverses to file 5", "h2e2"),
            ("rook at file 1 advances 1", "i0i1"),
            ("Red Horse 8 forward 7", "b0c2"),
            ("soldier 7 moves forward 1 point", "c3c4"),
        ] {
            let token = read_whole(text).unwrap_or_else(|| panic!("{text}"));
            let found = resolve(&token, &Position::start(), Dialect::OPEN);
            assert_eq!(found.single().map(|m| m.to_string()), Some(m.to_string()), "{text}");
            assert_eq!(read_move(text), None, "{text}");
        }
        for text in ["Cannon", "the cannon is strong", "cannon 2 attacks 5", "cannon 2 traverse 5 then 6"] {
            assert_eq!(read_whole(text), None, "{text}");
        }
    }
}
