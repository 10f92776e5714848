//! Text to token: finds out which family of forms a text belongs to and hands it to that family's reader.
//!
//! Comes in: text that starts with a move. Goes out: the token and how many bytes it took. Forgives: what the families
//! forgive (see their pages), full-width and typographic characters in the letter forms, accents in Vietnamese.

use super::number::read_number;
use super::token::Token;
use super::{chinese, english, glyph, letters};
use crate::work::{Work, note};
use nom::IResult;
use unicode_normalization::char::decompose_canonical;

/// The most characters a move in letters can have (`black cannon on file 8 traverses to 5`).
const LONGEST: usize = 48;

/// Reads the longest move at the start of the text, which must not begin with blanks; tells how many bytes it took.
///
/// No board is needed and nothing is decided that only a board or the rest of the record can decide. `None`: no move
/// starts here. Bare groups of four digits are left to [`read_whole`], because in running text they are years and
/// numbers.
///
/// ```
/// # use yipu::notation::{read_move, Form};
/// let (token, used) = read_move("炮２平５马８进７").unwrap();
/// assert_eq!((token.form(), used), (Form::Chinese, 12));
/// assert_eq!(read_move("C2=5 H8+7").unwrap().1, 4);
/// assert_eq!(read_move("Round 3"), None);
/// ```
#[inline]
pub fn read_move(text: &str) -> Option<(Token, usize)> {
    note(Work::Tokens, 1);
    let bytes = text.as_bytes();
    let quick = match bytes.first()? {
        0xE4..=0xE9 => chinese::quick(bytes),
        b'A'..=b'z' => letters::quick(bytes),
        _ => None,
    };
    quick.or_else(|| slow(text))
}

/// Reads a text that is one move and perhaps decoration around it: `炮二平五！`, `12. C2=5`, `马8进7(黑方)`, `红：炮二平五`,
/// `!!1. C2.5`, `（一）炮二平五`.
///
/// Also reads what would be mistaken for numbers or prose in running text: `7747`, `334`, `Cannon 2 traverse 5`.
pub fn read_whole(text: &str) -> Option<Token> {
    let text = text.trim_matches(|c: char| glyph::is_blank(c) || c.is_control());
    read_bare(text).or_else(|| read_bare(without_head(text)?))
}

/// Reads a text that is one move and perhaps decoration behind it.
fn read_bare(text: &str) -> Option<Token> {
    if let Some((token, used)) = read_move(text)
        && is_decoration(&text[used..])
    {
        return Some(token);
    }
    let folded = Folded::new(text);
    if folded.complete {
        for reader in
            [letters::digits, letters::pawn_digits, letters::comma_points, letters::blank_points, english::read]
        {
            if let Ok((_, token)) = reader(folded.bytes()) {
                return Some(token);
            }
        }
        // `C2 = 5`, `h2 - e2`: blanks mean nothing where the text is one move.
        let tight: Vec<u8> = folded.bytes().iter().copied().filter(|&byte| byte != b' ').collect();
        if let Ok(([], token)) = letters::read(&tight) {
            return Some(token);
        }
    }
    // The full stop of a sentence; behind a short form it would make the last digit a round number.
    let rest = text.strip_suffix(['.', '．', '。'])?;
    read_move(rest).filter(|(token, used)| *used == rest.len() && token.bar().is_none()).map(|(token, _)| token)
}

/// A move in English words at the start of a text, `Cannon 2 traverse 5`, and how many bytes it took. Only for records
/// whose every move is in words: elsewhere such words are prose.
pub(crate) fn read_english(text: &str) -> Option<(Token, usize)> {
    let word = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    if word > 9 || !english::begins(&text[..word]) {
        return None;
    }
    let folded = Folded::new(text);
    let (rest, token) = english::phrase(folded.bytes()).ok()?;
    // Blanks behind the last number are not part of it.
    let used = folded.original(folded.length - rest.len());
    Some((token, text[..used].trim_end().len()))
}

/// How many bytes of a text name the side that moves, `红方：`, `Black:`, `(黑)`, with blanks behind; 0 if it begins otherwise.
pub(crate) fn side_label(text: &str) -> usize {
    const NAMES: [&str; 16] = [
        "红方", "紅方", "黑方", "红棋", "紅棋", "黑棋", "先手", "后手", "後手", "红", "紅", "黑", "白", "先", "后",
        "後",
    ];
    // (红) stands as well for 红：.
    if let Some(inner) = text.strip_prefix(['(', '（', '[', '【'])
        && let Some((name, rest)) = inner
            .char_indices()
            .take(6)
            .find(|(_, c)| matches!(c, ')' | '）' | ']' | '】'))
            .and_then(|(end, _)| inner.split_at_checked(end))
        && (NAMES.contains(&name) || ["red", "black"].iter().any(|known| known.eq_ignore_ascii_case(name)))
    {
        let rest = rest.trim_start_matches([')', '）', ']', '】']);
        return text.len() - rest.trim_start_matches(|c: char| glyph::is_blank(c) || matches!(c, ':' | '：')).len();
    }
    let named = NAMES.iter().find_map(|name| text.strip_prefix(name)).or_else(|| {
        ["red", "black", "white"]
            .iter()
            .find(|name| text.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name)))
            .map(|name| &text[name.len()..])
    });
    let behind =
        named.map(|rest| rest.trim_start_matches(glyph::is_blank)).and_then(|rest| rest.strip_prefix([':', '：']));
    behind.map_or(0, |rest| text.len() - rest.trim_start_matches(glyph::is_blank).len())
}

/// The text behind what may stand before a move: marks of the ply before it, a round number, the side.
fn without_head(text: &str) -> Option<&str> {
    let text_behind_marks = text.trim_start_matches(['!', '?', '！', '？']).trim_start_matches(glyph::is_blank);
    let mut rest = text_behind_marks;
    if let Some(number) = read_number(rest).filter(|number| number.marked || rest[number.used..].starts_with('…')) {
        rest = rest[number.used..].trim_start_matches(|c: char| glyph::is_blank(c) || c == '…' || c == '.');
    }
    rest = &rest[side_label(rest)..];
    (rest.len() < text.len()).then_some(rest)
}

/// Whether a text behind a move only decorates it: marks, checks, remarks in brackets, closing punctuation.
fn is_decoration(text: &str) -> bool {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| glyph::is_blank(c) || matches!(c, '\u{332}' | '\u{305}'));
        let Some(c) = rest.chars().next() else { return true };
        if matches!(c, '!' | '?' | '！' | '？' | '+' | '#' | '＋' | '＃' | ',' | '，' | '。' | ';' | '；' | '、')
        {
            rest = &rest[c.len_utf8()..];
        } else if let Some(close) = match c {
            '(' => Some(')'),
            '（' => Some('）'),
            '{' => Some('}'),
            _ => None,
        } {
            match rest.find(close) {
                Some(end) => rest = &rest[end + close.len_utf8()..],
                None => return false,
            }
        } else if let Some(after) = ["将军", "將軍", "绝杀", "絕殺", "红胜", "紅勝", "黑胜", "黑勝", "和棋"]
            .iter()
            .find_map(|w| rest.strip_prefix(w))
        {
            rest = after;
        } else {
            return false;
        }
    }
}

/// Whether a text that could not be read still has the look of a move: a piece name or a letter with numbers and
/// directions, and little else. Such a text stands for a ply; other text (a heading, an address) does not.
pub fn looks_like_move(text: &str) -> bool {
    use super::glyph::Class;
    let (mut pieces, mut others, mut marks) = (0, 0, 0);
    for c in text.chars().filter(|&c| !glyph::is_blank(c)).take(9) {
        match glyph::of(c).class {
            Class::Piece(_) => pieces += 1,
            Class::Digit(_) | Class::Direction(_) | Class::Place(_) => marks += 1,
            Class::Other if matches!(glyph::ascii(c), Some(b'+' | b'-' | b'=' | b'.' | b'0' | b'?')) => marks += 1,
            Class::Other if c.is_ascii_alphabetic() => pieces += 1,
            Class::Other => others += 1,
        }
    }
    let length = pieces + others + marks;
    (2..=6).contains(&length) && (1..=2).contains(&pieces) && marks >= 2 && others <= 1
}

#[cold]
fn slow(text: &str) -> Option<(Token, usize)> {
    if let Ok((rest, token)) = chinese::read(text) {
        return Some((token, text.len() - rest.len()));
    }
    let folded = Folded::new(text);
    let found: IResult<&[u8], Token> = letters::read(folded.bytes());
    let (rest, token) = found.ok()?;
    Some((token, folded.original(folded.length - rest.len())))
}

/// The first characters of a text as ASCII, with the place of each in the original.
struct Folded {
    bytes: [u8; LONGEST],
    ends: [u8; LONGEST],
    length: usize,
    /// The whole text was folded.
    complete: bool,
}

impl Folded {
    fn new(text: &str) -> Folded {
        let mut folded = Folded { bytes: [0; LONGEST], ends: [0; LONGEST], length: 0, complete: true };
        for (at, c) in text.char_indices() {
            let end = at + c.len_utf8();
            if end > usize::from(u8::MAX) {
                folded.complete = false;
                break;
            }
            if glyph::is_invisible(c) || ('\u{300}'..='\u{36F}').contains(&c) {
                // Accents and characters without width belong to the letter before them.
                if let Some(last) = folded.length.checked_sub(1) {
                    folded.ends[last] = end as u8;
                }
                continue;
            }
            let byte = glyph::ascii(c).or_else(|| plain_letter(c));
            match byte {
                Some(byte) if folded.length < LONGEST => {
                    folded.bytes[folded.length] = byte;
                    folded.ends[folded.length] = end as u8;
                    folded.length += 1;
                }
                _ => {
                    folded.complete = false;
                    break;
                }
            }
        }
        folded
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// How many bytes of the original the first `used` folded ones are.
    fn original(&self, used: usize) -> usize {
        used.checked_sub(1).map_or(0, |last| self.ends[last] as usize)
    }
}

/// The letter under the accents of a composed character: ã, ướ, á.
fn plain_letter(c: char) -> Option<u8> {
    let mut base = None;
    decompose_canonical(c, |part| {
        if base.is_none() {
            base = Some(part);
        }
    });
    base.filter(char::is_ascii_alphabetic).map(|c| c as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(text: &str) -> usize {
        read_move(text).unwrap_or_else(|| panic!("{text} is read")).1
    }

    #[test]
    fn the_longest_move_is_taken_and_touching_numbers_are_left() {
        assert_eq!(used("炮2平32.兵三进一"), "炮2平3".len());
        assert_eq!(used("马2 3 3、车12"), "马2 3".len());
        assert_eq!(used("前车五退一车9平8"), "前车五退一".len());
        assert_eq!(used("后兵1 二卒3"), "后兵1".len());
        assert_eq!(used("车12 ② 马23"), "车12".len());
        assert_eq!(used("Ｃ２＝５ Ｈ８＋７"), "Ｃ２＝５".len());
        assert_eq!(used("Mã 8 tấn 7 P2-5"), "Mã 8 tấn 7".len());
        assert_eq!(used("马87\u{332} 车"), "马87\u{332}".len());
        assert_eq!(used("a10b10 c3"), 6);
        assert_eq!(read_move("车1 2.马二进三"), None);
    }

    #[test]
    fn words_and_numbers_are_no_moves() {
        for text in ["Round", "1998", "C2.55", "h2e2x", "炮二", "平五", "象棋", "中国", "12.", "1-0", "", "j2e2"]
        {
            assert_eq!(read_move(text), None, "{text}");
        }
    }

    #[test]
    fn a_damaged_move_still_looks_like_one() {
        for text in ["炮十平五", "马?进7", "车三进", "C2+0", "炮口平五"] {
            assert!(looks_like_move(text), "{text}");
        }
        for text in ["第三回合", "www", "象棋", "2024", "abc1.com", "红先胜", "中炮对屏风马"] {
            assert!(!looks_like_move(text), "{text}");
        }
    }

    #[test]
    fn decoration_and_numbers_around_a_move_are_ignored_in_a_whole_text() {
        for text in ["炮二平五！", "  炮二平五?", "炮二平五(红方)", "12. 炮二平五", "１．炮二平五", "炮二平五 绝杀"]
        {
            assert_eq!(read_whole(text), read_whole("炮二平五"), "{text}");
        }
        assert_eq!(read_whole("炮二平五 马8进7"), None);
    }
}
