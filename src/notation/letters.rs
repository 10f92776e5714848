//! The forms in letters and digits: WXF and its relatives, Vietnamese, coordinates, algebraic, digit groups.
//!
//! All of them are read from folded ASCII bytes: [`super::read`] turns full-width and typographic characters into ASCII
//! first. Two shapes have a quick reader: `h2e2` / `H2-E2`, and `C2=5`.

use super::glyph::hint;
use super::token::{Body, Point, Token};
use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case};
use nom::character::complete::one_of;
use nom::combinator::{eof, map, not, opt, peek, value, verify};
use nom::error::Error;
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};

type Bytes<'a> = &'a [u8];
type Read<'a, T> = IResult<Bytes<'a>, T>;

/// Bit of an operator that was read from Vietnamese words.
pub(super) const IN_WORDS: u8 = 0x40;

/// Not said.
pub(super) const NONE: u8 = u8::MAX;

/// Whether a byte would make the text before it part of a longer word or number.
#[inline]
fn glues(byte: Option<&u8>) -> bool {
    byte.is_some_and(u8::is_ascii_alphanumeric)
}

/// Reads `h2e2`, `H2-E2`, `C2=5`, `C2.5` and the like; anything else, even if it is a move, gives `None`.
#[inline]
pub(super) fn quick(bytes: &[u8]) -> Option<(Token, usize)> {
    let &[a, b, c, d, ..] = bytes else { return None };
    if matches!(c, b'+' | b'-' | b'.' | b'=') && matches!(d, b'1'..=b'9') {
        let letter = a.to_ascii_uppercase();
        if matches!(b, b'1'..=b'9' | b'+' | b'-') && is_letter(letter) && !glues(bytes.get(4)) {
            return Some((letters(letter, b, c, d - b'0'), 4));
        }
    }
    if !b.is_ascii_digit() {
        return None;
    }
    let (shift, c, d) = match bytes[2] {
        b'-' => (1, d, *bytes.get(4)?),
        _ => (0, c, d),
    };
    let (file, target) = (a.to_ascii_lowercase().wrapping_sub(b'a'), c.to_ascii_lowercase().wrapping_sub(b'a'));
    // Mixed case (`A1e9`) may be an algebraic form with a piece letter.
    let same_case = (a ^ c) & 0x20 == 0;
    if file > 8 || target > 8 || !d.is_ascii_digit() || !same_case || glues(bytes.get(4 + shift)) {
        return None;
    }
    let (from, to) = (Point { file, rank: b - b'0' }, Point { file: target, rank: d - b'0' });
    Some((Token::new(Body::Coordinate { letter: 0, from, to, mixed: false }, 0), 4 + shift))
}

fn is_letter(letter: u8) -> bool {
    matches!(
        letter,
        b'K' | b'A'
            | b'B'
            | b'E'
            | b'N'
            | b'H'
            | b'R'
            | b'C'
            | b'P'
            | b'G'
            | b'M'
            | b'S'
            | b'T'
            | b'V'
            | b'X'
            | b'J'
            | b'Z'
    )
}

fn letters(letter: u8, place: u8, operator: u8, number: u8) -> Token {
    Token::new(Body::Letters { letter, place, operator, number }, hint::ARABIC)
}

/// Reads any form in letters and digits but bare digit groups at the start of the bytes.
pub(super) fn read(bytes: Bytes<'_>) -> Read<'_, Token> {
    terminated(
        alt((shijia, janggi, coordinate, vietnamese_long, relative, pinyin, numbered, algebraic)),
        peek(not(nom::character::complete::satisfy(|c| c.is_ascii_alphanumeric()))),
    )
    .parse(bytes)
}

fn byte<'a>(set: &'static str) -> impl Parser<Bytes<'a>, Output = u8, Error = Error<Bytes<'a>>> {
    map(one_of(set), |c: char| c as u8)
}

fn digit(bytes: Bytes<'_>) -> Read<'_, u8> {
    map(byte("123456789"), |d| d - b'0').parse(bytes)
}

fn piece_letter(bytes: Bytes<'_>) -> Read<'_, u8> {
    map(byte("KABENHRCPGMSTVXJZkabenhrcpgmstvxjz"), |l| l.to_ascii_uppercase()).parse(bytes)
}

/// `C2.5`, `R+-1`, `+R-1`, `fR-1`, `Pa.4`, `C25`, `Xt/1`, `Tg5.1`, `B27-6`.
fn relative(bytes: Bytes<'_>) -> Read<'_, Token> {
    alt((general, prefixed, suffixed, turned)).parse(bytes)
}

/// `3P+1`: the number before the letter, as some write the marks.
fn turned(bytes: Bytes<'_>) -> Read<'_, Token> {
    let (rest, (place, letter)) = (digit, byte("KABENHRCPS")).parse(bytes)?;
    let (rest, operator) = byte("+-.=").parse(rest)?;
    let (rest, number) = digit(rest)?;
    Ok((rest, letters(letter, place, operator, number)))
}

/// What follows the source: an operator (or none, for a traverse) and a number, 0 for those who count files from it.
fn tail(bytes: Bytes<'_>) -> Read<'_, (u8, u8)> {
    let (rest, operator) = byte("+-.=/").parse(bytes)?;
    let (rest, number) = byte("0123456789").parse(rest)?;
    Ok((rest, (operator, number - b'0')))
}

/// `Tg5.1`: the Vietnamese general has two letters.
fn general(bytes: Bytes<'_>) -> Read<'_, Token> {
    let (rest, _) = tag_no_case("tg").parse(bytes)?;
    let (rest, place) = byte("123456789").parse(rest)?;
    let (rest, (operator, number)) = tail(rest)?;
    Ok((rest, letters(b'g', place, operator, number)))
}

/// `+R-1`, `-R.4`, `fR-1`, `rR=4`, `bR=4`, `mP=4`.
fn prefixed(bytes: Bytes<'_>) -> Read<'_, Token> {
    let upper = map(byte("KABENHRCPGMS"), |letter| letter);
    let word = (alt((value(b'+', byte("f")), value(b'-', byte("rb")), value(b'.', byte("m")))), upper);
    let mark = (byte("+-."), piece_letter);
    let (rest, (place, letter)) = alt((word, mark)).parse(bytes)?;
    let (rest, (operator, number)) = tail(rest)?;
    Ok((rest, letters(letter, place, operator, number)))
}

fn suffixed(bytes: Bytes<'_>) -> Read<'_, Token> {
    let (rest, letter) = piece_letter(bytes)?;
    // `C25`: the sign of a traverse left out.
    let unsigned = |bytes| -> Read<'_, (u8, u8, u8)> {
        let (rest, place) = byte("123456789").parse(bytes)?;
        let (rest, number) = digit(rest)?;
        Ok((rest, (place, 0, number)))
    };
    let signed = |bytes| -> Read<'_, (u8, u8, u8)> {
        let (rest, place) = byte("0123456789+-.=abcdetsgABCDETSG").parse(bytes)?;
        let (rest, (operator, number)) = tail(rest)?;
        Ok((rest, (place.to_ascii_lowercase(), operator, number)))
    };
    // `B27-6`: number from the front and file, for pawns the Vietnamese words do not reach.
    let doubled = |bytes| -> Read<'_, (u8, u8, u8)> {
        let (rest, ordinal) = byte("012345").parse(bytes)?;
        let (rest, file) = byte("0123456789").parse(rest)?;
        let (rest, (operator, number)) = tail(rest)?;
        Ok((rest, (0x80 | (ordinal - b'0') << 4 | (file - b'0'), operator, number)))
    };
    let (rest, (place, operator, number)) = alt((signed, doubled, unsigned)).parse(rest)?;
    Ok((rest, letters(letter, place, operator, number)))
}

/// `p2p5`, `m8j7`, `qct1`: initials of the words in pinyin.
fn pinyin(bytes: Bytes<'_>) -> Read<'_, Token> {
    let direction = || alt((value(b'+', byte("jJ")), value(b'=', byte("pP")), value(b'-', byte("tT"))));
    let piece = || map(byte("sjxcmpbzSJXCMPBZ"), |letter: u8| letter.to_ascii_uppercase());
    let plain = map((piece(), byte("123456789")), |(letter, place)| (letter, place));
    let placed = map(
        (alt((value(b'+', byte("qQ")), value(b'-', byte("hH")), value(b'.', byte("zZ")))), piece()),
        |(place, letter)| (letter, place),
    );
    let (rest, (letter, place)) = alt((plain, placed)).parse(bytes)?;
    let (rest, operator) = direction().parse(rest)?;
    let (rest, number) = digit(rest)?;
    // Written out like this only the pinyin reading is meant: bit 7 of the operator says so.
    Ok((rest, letters(letter, place, operator | 0x80, number)))
}

/// `13=4`, `3+.4`, `33.4`, `++.4`, `62.5`.
fn numbered(bytes: Bytes<'_>) -> Read<'_, Token> {
    let marks = alt(((byte("+"), byte("+")), (byte("-"), byte("-"))));
    let digit_sign = (byte("123456789"), byte("123456789+-"));
    let (rest, (first, second)) = alt((marks, digit_sign)).parse(bytes)?;
    let (rest, operator) = byte("+-.=").parse(rest)?;
    let (rest, number) = digit(rest)?;
    Ok((rest, Token::new(Body::Numbered { first, second, operator, number }, hint::ARABIC)))
}

fn file(bytes: Bytes<'_>) -> Read<'_, (u8, bool)> {
    map(byte("abcdefghiABCDEFGHI"), |f| (f.to_ascii_lowercase() - b'a', f.is_ascii_uppercase())).parse(bytes)
}

/// A rank 0–10 as written.
fn rank(bytes: Bytes<'_>) -> Read<'_, u8> {
    alt((value(10, tag("10")), map(byte("0123456789"), |d| d - b'0'))).parse(bytes)
}

/// `h2e2`, `H2-E2`, `Ch3-e3`, `Nb0c2`, `A10e9`.
fn coordinate(bytes: Bytes<'_>) -> Read<'_, Token> {
    fn body(bytes: Bytes<'_>, letter: u8, (from_file, upper): (u8, bool)) -> Read<'_, Token> {
        let (rest, from_rank) = rank(bytes)?;
        let (rest, separator) = opt(byte("-x")).parse(rest)?;
        let (rest, (to_file, to_upper)) = file(rest)?;
        let (rest, to_rank) = rank(rest)?;
        let from = Point { file: from_file, rank: from_rank };
        let to = Point { file: to_file, rank: to_rank };
        let mixed = letter == 0 && upper && !to_upper && separator != Some(b'-');
        Ok((rest, Token::new(Body::Coordinate { letter, from, to, mixed }, 0)))
    }
    if let Ok((rest, from_file)) = file(bytes)
        && let Ok(found) = body(rest, 0, from_file)
    {
        return Ok(found);
    }
    let (rest, letter) = algebraic_letter(bytes)?;
    let (rest, from_file) = file(rest)?;
    body(rest, letter, from_file)
}

/// In algebraic text a piece letter is a capital; small ones are files.
fn algebraic_letter(bytes: Bytes<'_>) -> Read<'_, u8> {
    byte("KABENHRCPGMS").parse(bytes)
}

/// `Che3`, `Cbe3`, `Rii2`, `A10e9`, `Rxh0`, `c4`, `exe5`.
fn algebraic(bytes: Bytes<'_>) -> Read<'_, Token> {
    let target = |bytes| -> Read<'_, Point> {
        let (rest, (file, _)) = preceded(opt(byte("x")), file).parse(bytes)?;
        let (rest, rank) = rank(rest)?;
        Ok((rest, Point { file, rank }))
    };
    let (rest, letter) = opt(algebraic_letter).parse(bytes)?;
    // The longest origin first: file and rank, file, rank, none.
    let with_file = |rest| -> Read<'_, (u8, u8, Point)> {
        let (rest, (file, _)) = file(rest)?;
        let (rest, rank) = opt(rank).parse(rest)?;
        let (rest, to) = target(rest)?;
        Ok((rest, (file, rank.unwrap_or(NONE), to)))
    };
    let with_rank = |rest| -> Read<'_, (u8, u8, Point)> {
        let (rest, rank) = rank(rest)?;
        let (rest, to) = target(rest)?;
        Ok((rest, (NONE, rank, to)))
    };
    let without = map(target, |to| (NONE, NONE, to));
    let (rest, (file, rank, to)) = alt((with_file, with_rank, without)).parse(rest)?;
    Ok((rest, Token::new(Body::Algebraic { letter: letter.unwrap_or(0), file, rank, to }, 0)))
}

/// `7C-4C`: file 0–8 from Red's left, rank as a letter from Red's side.
fn shijia(bytes: Bytes<'_>) -> Read<'_, Token> {
    let point = |bytes| -> Read<'_, Point> {
        let (rest, file) = byte("012345678").parse(bytes)?;
        let (rest, rank) = byte("ABCDEFGHIJ").parse(rest)?;
        Ok((rest, Point { file: file - b'0', rank: rank - b'A' }))
    };
    let (rest, from) = point(bytes)?;
    let (rest, to) = preceded(tag("-"), point).parse(rest)?;
    squares(rest, bytes, from, to)
}

/// `C88-85`: the letter, then rank and file of both points; ranks 1–10 from Black's side with 0 for 10, files 1–9 from
/// Red's left.
fn janggi(bytes: Bytes<'_>) -> Read<'_, Token> {
    let point = |bytes| -> Read<'_, Point> {
        let (rest, rank) = byte("0123456789").parse(bytes)?;
        let (rest, file) = digit(rest)?;
        let rank = if rank == b'0' { 0 } else { 10 - (rank - b'0') };
        Ok((rest, Point { file: file - 1, rank }))
    };
    let (rest, (letter, from, _, to)) = (algebraic_letter, point, byte("-x"), point).parse(bytes)?;
    let (rest, token) = squares(rest, bytes, from, to)?;
    Ok((
        rest,
        match token.body {
            Body::Squares(m) => Token::new(Body::Named { letter, m }, 0),
            _ => token,
        },
    ))
}

fn squares<'a>(rest: Bytes<'a>, bytes: Bytes<'a>, from: Point, to: Point) -> Read<'a, Token> {
    use crate::board::{Move, Square};
    match (Square::new(from.file, from.rank), Square::new(to.file, to.rank)) {
        (Some(from), Some(to)) => Ok((rest, Token::new(Body::Squares(Move::new(from, to)), 0))),
        _ => Err(nom::Err::Error(Error::new(bytes, nom::error::ErrorKind::Verify))),
    }
}

/// Four digits and nothing else: `7747`, `6225`.
pub(super) fn digits(bytes: Bytes<'_>) -> Read<'_, Token> {
    let one = || map(byte("0123456789"), |d: u8| d - b'0');
    let (rest, (a, b, c, d)) = terminated((one(), one(), one(), one()), eof).parse(bytes)?;
    Ok((rest, Token::new(Body::Digits([a, b, c, d]), hint::ARABIC)))
}

/// Three digits and nothing else: `334`, number and file of a pawn with the sign of a traverse left out.
pub(super) fn pawn_digits(bytes: Bytes<'_>) -> Read<'_, Token> {
    let one = || byte("123456789");
    let (rest, (first, second, number)) = terminated((one(), one(), digit), eof).parse(bytes)?;
    Ok((rest, Token::new(Body::Numbered { first, second, operator: 0, number }, hint::ARABIC)))
}

/// `h3, e3`: two points with a comma and nothing else, ranks from 1.
pub(super) fn comma_points(bytes: Bytes<'_>) -> Read<'_, Token> {
    let point = |bytes| -> Read<'_, Point> {
        let (rest, (file, _)) = file(bytes)?;
        let (rest, rank) = verify(rank, |&rank| rank > 0).parse(rest)?;
        Ok((rest, Point { file, rank: rank - 1 }))
    };
    let (rest, from) = point(bytes)?;
    let (rest, to) = terminated(preceded((tag(","), opt(tag(" "))), point), eof).parse(rest)?;
    squares(rest, bytes, from, to)
}

/// `H2 E2`: two points with a blank and nothing else.
pub(super) fn blank_points(bytes: Bytes<'_>) -> Read<'_, Token> {
    let point = |bytes| map((file, rank), |((file, _), rank)| Point { file, rank }).parse(bytes);
    let (rest, (from, _, to)) = terminated((point, tag(" "), point), eof).parse(bytes)?;
    Ok((rest, Token::new(Body::Coordinate { letter: 0, from, to, mixed: false }, 0)))
}

/// `Phao 2 binh 5`, accents already removed.
fn vietnamese_long(bytes: Bytes<'_>) -> Read<'_, Token> {
    let blank = || nom::bytes::complete::take_while1(|b: u8| b == b' ');
    let name = alt((
        value(b'g', tag_no_case("tuong")),
        value(b'S', tag_no_case("si")),
        value(b'V', tag_no_case("voi")),
        value(b'X', tag_no_case("xe")),
        value(b'P', tag_no_case("phao")),
        value(b'M', tag_no_case("ma")),
        value(b'B', alt((tag_no_case("tot"), tag_no_case("binh"), tag_no_case("chot")))),
    ));
    let place = alt((
        byte("123456789"),
        value(b't', tag_no_case("truoc")),
        value(b's', tag_no_case("sau")),
        value(b'g', tag_no_case("giua")),
    ));
    let direction = alt((
        value(b'.', alt((tag_no_case("tan"), tag_no_case("tien")))),
        value(b'/', tag_no_case("thoai")),
        value(b'-', tag_no_case("binh")),
    ));
    let (rest, (letter, _, place, _, operator, _, number)) =
        (name, blank(), place, blank(), direction, blank(), digit).parse(bytes)?;
    // In words it is Vietnamese and nothing else: bit 6 of the operator says so.
    Ok((rest, letters(if letter == b'g' { b'L' } else { letter }, place, operator | IN_WORDS, number)))
}
