//! The Chinese forms: 炮二平五 and all its variants, the short form 炮25, prose such as 黑马退6.
//!
//! The common shapes (piece, file, direction, number and place, piece, direction, number, written without gaps) are
//! read by [`quick`], character by character. Everything else goes through the nom parsers below, which follow
//! `grammars/chinese.txt` and `grammars/short.txt` rule by rule and skip blanks inside a move.

use super::glyph::{Class, Glyph, common, hint, is_blank, is_invisible, of};
use super::token::{Action, Body, Direction, Kinds, Place, Relative, Token, Which};
use crate::board::Kind;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::one_of;
use nom::combinator::{opt, success, value, verify};
use nom::error::{Error, ErrorKind};
use nom::sequence::{delimited, preceded};
use nom::{Err, IResult, Parser};

type Read<'a, T> = IResult<&'a str, T>;

/// Reads the two common shapes; anything else, even if it is a move, gives `None`.
#[inline]
pub(super) fn quick(bytes: &[u8]) -> Option<(Token, usize)> {
    let (token, used) = quick_by(bytes, common)?;
    // A character that belongs to the prose form may follow (五路), or the number has two digits.
    if matches!(bytes.get(used), Some(0xE8 | b'0'))
        && (bytes[used] == b'0' || bytes[used..].starts_with("路".as_bytes()))
    {
        return None;
    }
    Some((token, used))
}

/// The two common shapes in any encoding, not looking at what follows. `glyph` reads a character of that encoding.
#[inline]
pub(super) fn quick_by(bytes: &[u8], glyph: impl Fn(&[u8]) -> Option<(Glyph, usize)>) -> Option<(Token, usize)> {
    let (first, a) = glyph(bytes)?;
    let (second, b) = glyph(&bytes[a..])?;
    let (third, c) = glyph(&bytes[a + b..])?;
    let Class::Direction(direction) = third.class else { return None };
    let (which, kind, file) = match (first.class, second.class) {
        (Class::Piece(kind), Class::Digit(file)) => (Which::Any, kind, file),
        (Class::Place(place), Class::Piece(kind)) => (Which::Place(place), kind, 0),
        _ => return None,
    };
    let used = a + b + c;
    let (last, d) = glyph(&bytes[used..])?;
    let Class::Digit(number) = last.class else { return None };
    let claim = Relative { kinds: Kinds::one(kind), which, file, action: Action::Said(direction), number };
    Some((Token::new(Body::Relative(claim), first.hints | second.hints | third.hints | last.hints), used + d))
}

/// Reads any Chinese form at the start of the text.
pub(super) fn read(text: &str) -> Read<'_, Token> {
    alt((grid, full, short, colored)).parse(text)
}

/// 红炮25, 黑方马8进7, 红：前炮退二: the side is named first.
fn colored(text: &str) -> Read<'_, Token> {
    let (rest, color) =
        alt((value(hint::RED, alt((tag("红"), tag("紅")))), value(hint::BLACK, tag("黑")))).parse(text)?;
    let (rest, _) = opt(alt((word("方"), word("棋")))).parse(rest)?;
    let (rest, _) = opt(alt((word(":"), word("：")))).parse(rest)?;
    let (rest, mut token) = preceded(blanks, alt((full, short))).parse(rest)?;
    token.hints |= color;
    Ok((rest, token))
}

fn fail<T>(text: &str) -> Read<'_, T> {
    Err(Err::Error(Error::new(text, ErrorKind::Char)))
}

fn skip_blanks(text: &str) -> &str {
    text.trim_start_matches(is_blank)
}

/// One character that means something, blanks before it skipped.
fn glyph(text: &str) -> Read<'_, Glyph> {
    tight_glyph(skip_blanks(text))
}

/// One character that means something, right here.
fn tight_glyph(text: &str) -> Read<'_, Glyph> {
    let text = text.trim_start_matches(is_invisible);
    match text.chars().next() {
        Some(c) => match of(c) {
            Glyph { class: Class::Other, .. } => fail(text),
            glyph => Ok((&text[c.len_utf8()..], glyph)),
        },
        None => fail(text),
    }
}

fn piece(text: &str) -> Read<'_, (Kind, u8)> {
    // Pieces drawn in circles or brackets for the red side: (炮) and （炮）.
    let (rest, glyph) =
        alt((glyph, delimited(preceded(blanks, alt((tag("("), tag("（")))), glyph, alt((tag(")"), tag("）"))))))
            .parse(text)?;
    match glyph.class {
        Class::Piece(kind) => Ok((rest, (kind, glyph.hints))),
        _ => fail(text),
    }
}

fn digit(text: &str) -> Read<'_, (u8, u8)> {
    match glyph(text)? {
        (rest, Glyph { class: Class::Digit(value), hints }) => Ok((rest, (value, hints))),
        _ => fail(text),
    }
}

fn tight_digit(text: &str) -> Read<'_, (u8, u8)> {
    match tight_glyph(text)? {
        (rest, Glyph { class: Class::Digit(value), hints }) => Ok((rest, (value, hints))),
        _ => fail(text),
    }
}

fn direction(text: &str) -> Read<'_, (Direction, u8)> {
    match glyph(text)? {
        (rest, Glyph { class: Class::Direction(direction), hints }) => Ok((rest, (direction, hints))),
        _ => fail(text),
    }
}

fn place(text: &str) -> Read<'_, (Place, u8)> {
    match glyph(text)? {
        (rest, Glyph { class: Class::Place(place), hints }) => Ok((rest, (place, hints))),
        _ => fail(text),
    }
}

fn blanks(text: &str) -> Read<'_, ()> {
    Ok((skip_blanks(text), ()))
}

fn word<'a>(text: &'static str) -> impl Parser<&'a str, Output = (), Error = Error<&'a str>> {
    preceded(blanks, value((), tag(text)))
}

/// Who moves: which pieces, which of them, on which file; and the hints of the characters.
#[derive(Clone, Copy)]
struct Source {
    kinds: Kinds,
    which: Which,
    file: u8,
    hints: u8,
}

/// 炮二, 前炮, 炮前, 前炮五, 前七, 前, 三兵, 三兵四, 二7; in prose also the piece alone.
fn source(text: &str) -> Read<'_, Source> {
    alt((placed_source, ordinal_source, piece_source)).parse(text)
}

/// 前炮, 前炮五, 前七, 前.
fn placed_source(text: &str) -> Read<'_, Source> {
    let (rest, (place, hints)) = place(text)?;
    let which = Which::Place(place);
    if let Ok((rest, (kind, more))) = piece(rest) {
        let (rest, file) = opt(file).parse(rest)?;
        let (file, last) = file.unwrap_or((0, 0));
        return Ok((rest, Source { kinds: Kinds::one(kind), which, file, hints: hints | more | last }));
    }
    match file(rest) {
        Ok((rest, (file, more))) => {
            Ok((rest, Source { kinds: Kinds::one(Kind::Pawn), which, file, hints: hints | more }))
        }
        Err(_) => Ok((rest, Source { kinds: Kinds::ALL, which, file: 0, hints })),
    }
}

/// 三兵, 三兵四, 二7. An Arabic number stands right before 兵 and takes no file: `1 兵七进一` is round 1.
fn ordinal_source(text: &str) -> Read<'_, Source> {
    let (rest, (number, hints)) = verify(digit, |&(number, _)| number <= 5).parse(text)?;
    if hints & (hint::ARABIC | hint::HAN) == 0 {
        return fail(text);
    }
    let which = Which::Ordinal(number);
    if hints & hint::ARABIC != 0 {
        let (rest, glyph) = tight_glyph(rest)?;
        return match glyph.class {
            Class::Piece(Kind::Pawn) => {
                Ok((rest, Source { kinds: Kinds::one(Kind::Pawn), which, file: 0, hints: hints | glyph.hints }))
            }
            _ => fail(text),
        };
    }
    let gap = rest.starts_with(is_blank);
    if let Ok((rest, (kind, more))) = piece(rest) {
        if gap && kind != Kind::Pawn && tight_digit(rest).is_ok() {
            // 一 炮二平五 is round 1: only pawns are counted, unless there are more of a kind than a set holds.
            return fail(text);
        }
        let (rest, file) = opt(file).parse(rest)?;
        let (file, last) = file.unwrap_or((0, 0));
        return Ok((rest, Source { kinds: Kinds::one(kind), which, file, hints: hints | more | last }));
    }
    let (rest, (file, more)) = file(rest)?;
    Ok((rest, Source { kinds: Kinds::one(Kind::Pawn), which, file, hints: hints | more }))
}

/// 炮二, 炮二路, 炮前, 炮前五, 炮; a colour word may stand before it.
fn piece_source(text: &str) -> Read<'_, Source> {
    let (rest, color) =
        opt(alt((value(hint::RED, alt((word("红"), word("紅")))), value(hint::BLACK, word("黑"))))).parse(text)?;
    let (rest, (kind, hints)) = piece(rest)?;
    let hints = hints | color.unwrap_or(0);
    let kinds = Kinds::one(kind);
    if let Ok((rest, (place, more))) = place(rest) {
        let (rest, file) = opt(file).parse(rest)?;
        let (file, last) = file.unwrap_or((0, 0));
        return Ok((rest, Source { kinds, which: Which::Place(place), file, hints: hints | more | last }));
    }
    let (rest, file) = opt(file).parse(rest)?;
    let (file, more) = file.unwrap_or((0, 0));
    Ok((rest, Source { kinds, which: Which::Any, file, hints: hints | more }))
}

fn file(text: &str) -> Read<'_, (u8, u8)> {
    let (rest, file) = digit(text)?;
    let (rest, _) = opt(word("路")).parse(rest)?;
    Ok((rest, file))
}

/// Source, direction, number.
fn full(text: &str) -> Read<'_, Token> {
    let (rest, source) = source(text)?;
    let (rest, (direction, hints)) = direction(rest)?;
    let (rest, _) = opt(alt((word("到"), word("至")))).parse(rest)?;
    let hints = source.hints | hints;
    if let Ok((rest, _)) = word("中").parse(rest) {
        let (rest, _) = opt(word("路")).parse(rest)?;
        return Ok((rest, token(source, Action::Centre(direction), 5, hints)));
    }
    let (rest, (number, more)) = file(rest)?;
    // 炮二进十 and 炮二平10 are no moves.
    if rest.starts_with(['十', '0', '０']) {
        return fail(text);
    }
    Ok((rest, token(source, Action::Said(direction), number, hints | more)))
}

fn token(source: Source, action: Action, number: u8, hints: u8) -> Token {
    let Source { kinds, which, file, .. } = source;
    Token::new(Body::Relative(Relative { kinds, which, file, action, number }), hints)
}

/// The short form: source, then a digit with or without a mark for its direction.
fn short(text: &str) -> Read<'_, Token> {
    let (rest, source) = alt((placed_piece, ordinal_piece, piece_place, piece_file)).parse(text)?;
    let (rest, (action, number, hints)) = marked_digit(rest)?;
    Ok((rest, token(source, action, number, source.hints | hints)))
}

/// 前炮, and 前炮五 where another digit follows.
fn placed_piece(text: &str) -> Read<'_, Source> {
    let (rest, (place, hints)) = place(text)?;
    let (rest, (kind, more)) = piece(rest)?;
    let source = Source { kinds: Kinds::one(kind), which: Which::Place(place), file: 0, hints: hints | more };
    with_file_if_two_digits(rest, source)
}

fn ordinal_piece(text: &str) -> Read<'_, Source> {
    let (rest, (number, hints)) =
        verify(digit, |&(number, hints)| number <= 5 && hints & hint::HAN != 0).parse(text)?;
    let gap = rest.starts_with(is_blank);
    let (rest, (kind, more)) = piece(rest)?;
    if gap && kind != Kind::Pawn {
        // 二 马23 is round 2.
        return fail(text);
    }
    let source = Source { kinds: Kinds::one(kind), which: Which::Ordinal(number), file: 0, hints: hints | more };
    with_file_if_two_digits(rest, source)
}

fn piece_place(text: &str) -> Read<'_, Source> {
    let (rest, (kind, hints)) = piece(text)?;
    let (rest, (place, more)) = place(rest)?;
    let source = Source { kinds: Kinds::one(kind), which: Which::Place(place), file: 0, hints: hints | more };
    with_file_if_two_digits(rest, source)
}

fn with_file_if_two_digits(rest: &str, source: Source) -> Read<'_, Source> {
    if let Ok((after, (file, hints))) = tight_digit(rest)
        && marked_digit(after).is_ok()
    {
        return Ok((after, Source { file, hints: source.hints | hints, ..source }));
    }
    Ok((rest, source))
}

fn piece_file(text: &str) -> Read<'_, Source> {
    let (rest, (kind, hints)) = piece(text)?;
    let (rest, (file, more)) = digit(rest)?;
    Ok((rest, Source { kinds: Kinds::one(kind), which: Which::Any, file, hints: hints | more }))
}

/// The last digit of the short form with its mark.
fn marked_digit(text: &str) -> Read<'_, (Action, u8, u8)> {
    alt((signed_digit, underlined_digit, gapped_digit)).parse(text)
}

/// A sign before the digit: `+7`, `_7`, `¯1`.
fn signed_digit(text: &str) -> Read<'_, (Action, u8, u8)> {
    let (rest, action) = preceded(
        blanks,
        alt((
            value(Action::Said(Direction::Forward), one_of("+＋^")),
            value(Action::Said(Direction::Back), one_of("-－–—−vV")),
            value(Action::Said(Direction::Traverse), one_of(".．=＝")),
            value(Action::BarBelow, one_of("_＿")),
            value(Action::BarAbove, one_of("¯￣‾")),
            value(Action::Bar, one_of("/\\")),
        )),
    )
    .parse(text)?;
    let (rest, (number, hints)) = tight_digit(rest)?;
    not_before_number(rest)?;
    Ok((rest, (action, number, hints)))
}

/// `<u>7</u>`.
fn underlined_digit(text: &str) -> Read<'_, (Action, u8, u8)> {
    let (rest, (number, hints)) = delimited(tag("<u>"), tight_digit, tag("</u>")).parse(text)?;
    Ok((rest, (Action::BarBelow, number, hints)))
}

/// A digit, perhaps behind a gap, perhaps with a bar behind it: `7`, ` 7`, `7̲`, `7_`.
fn gapped_digit(text: &str) -> Read<'_, (Action, u8, u8)> {
    let after = skip_blanks(text);
    let gap = text[..text.len() - after.len()].chars().any(|c| !is_invisible(c));
    let (rest, (number, hints)) = tight_digit(after)?;
    let before_piece = || matches!(tight_glyph(rest), Ok((_, Glyph { class: Class::Piece(_), .. })));
    if gap && (hints & (hint::ARABIC | hint::HAN) == 0 || hints & hint::HAN != 0 && before_piece()) {
        // 车12 ② 马23: the number of a round; 后兵1 二卒3: the next move.
        return fail(text);
    }
    let (rest, bar) = alt((
        value(Some(Action::BarBelow), one_of("\u{332}\u{331}\u{320}_＿")),
        value(Some(Action::BarAbove), one_of("\u{305}\u{304}\u{35E}¯￣‾")),
        success(None),
    ))
    .parse(rest)?;
    not_before_number(rest)?;
    Ok((rest, (bar.unwrap_or(if gap { Action::Bar } else { Action::Bare }), number, hints)))
}

/// What follows must not show that the digit began a round number.
fn not_before_number(rest: &str) -> Read<'_, ()> {
    let mut chars = rest.chars();
    match (chars.next(), chars.next()) {
        (Some('.' | '．' | '、' | '：' | ':' | '0'..='9' | '０'..='９' | '十'), _) => fail(rest),
        _ => Ok((rest, ())),
    }
}

/// 炮(32)-35: rank and file, both from the mover's side.
fn grid(text: &str) -> Read<'_, Token> {
    let pair = |text| -> Read<'_, (u8, u8)> {
        let (rest, (rank, _)) = tight_digit(text)?;
        let (rest, (file, _)) = tight_digit(rest)?;
        Ok((rest, (rank, file)))
    };
    let (rest, (kind, hints)) = piece(text)?;
    let (rest, from) = delimited((blanks, one_of("(（")), pair, one_of(")）")).parse(rest)?;
    let (rest, _) = preceded(blanks, one_of("-–—－")).parse(rest)?;
    let (rest, to) = preceded(blanks, pair).parse(rest)?;
    Ok((rest, Token::new(Body::Grid { kind, from, to }, hints)))
}
