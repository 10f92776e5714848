//! Characters that mean something inside a written move.
//!
//! Comes in: text. Goes out: [`Glyph`]s. Forgives: simplified, traditional and homophone characters for the pieces (俥 硨
//! for 车, 砲 包 for 炮, 碼 for 马), the chess symbols U+1FA60–1FA6D, radicals and compatibility forms that look like the
//! characters meant, numerals in Chinese, ASCII, full-width, circled and banking form, 上/下 for 进/退, and the disguised
//! characters 岼 and 仩 that come from copy-protected pages.
//!
//! Reading a character costs one table access: the table maps the CJK block to a number, and [`GLYPHS`] says what it is.

use super::token::{Direction, Place};
use crate::board::Kind;
use std::sync::LazyLock;

/// What a character says besides its meaning. One bit each; a token gathers those of its characters.
pub(super) mod hint {
    pub const TRADITIONAL: u8 = 1;
    pub const SIMPLIFIED: u8 = 2;
    /// A piece name of the modern red side: 帅 仕 相 兵.
    pub const RED: u8 = 4;
    /// A piece name of the modern black side: 将 象 卒 (士 is written for both).
    pub const BLACK: u8 = 8;
    /// A Chinese numeral.
    pub const HAN: u8 = 16;
    /// An Arabic numeral.
    pub const ARABIC: u8 = 32;
    /// A full-width form.
    pub const WIDE: u8 = 64;
    /// 上 or 下 for a direction.
    pub const OLD: u8 = 128;
}
use hint::*;

/// The meaning of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Names a kind of piece.
    Piece(Kind),
    /// A numeral from 1 to 9.
    Digit(u8),
    /// 进 退 平.
    Direction(Direction),
    /// 前 中 后.
    Place(Place),
    /// Nothing.
    Other,
}

/// A character with its meaning and its hints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Glyph {
    pub class: Class,
    pub hints: u8,
}

const fn piece(kind: Kind, hints: u8) -> Glyph {
    Glyph { class: Class::Piece(kind), hints }
}

const fn digit(value: u8, hints: u8) -> Glyph {
    Glyph { class: Class::Digit(value), hints }
}

const fn direction(direction: Direction, hints: u8) -> Glyph {
    Glyph { class: Class::Direction(direction), hints }
}

const fn place(place: Place, hints: u8) -> Glyph {
    Glyph { class: Class::Place(place), hints }
}

const OTHER: Glyph = Glyph { class: Class::Other, hints: 0 };

use Kind::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};

/// Every character of the CJK block that means something. Entry 0 stands for all others.
const GLYPHS: &[(char, Glyph)] = &[
    ('一', OTHER),
    ('帅', piece(King, RED | SIMPLIFIED)),
    ('帥', piece(King, RED | TRADITIONAL)),
    ('将', piece(King, BLACK | SIMPLIFIED)),
    ('將', piece(King, BLACK | TRADITIONAL)),
    ('王', piece(King, 0)),
    ('仕', piece(Advisor, RED)),
    ('士', piece(Advisor, 0)),
    ('相', piece(Elephant, RED)),
    ('象', piece(Elephant, BLACK)),
    ('马', piece(Horse, SIMPLIFIED)),
    ('馬', piece(Horse, TRADITIONAL)),
    ('傌', piece(Horse, TRADITIONAL)),
    ('碼', piece(Horse, TRADITIONAL)),
    ('码', piece(Horse, SIMPLIFIED)),
    ('车', piece(Rook, SIMPLIFIED)),
    ('車', piece(Rook, TRADITIONAL)),
    ('俥', piece(Rook, TRADITIONAL)),
    ('伡', piece(Rook, SIMPLIFIED)),
    ('硨', piece(Rook, TRADITIONAL)),
    ('砗', piece(Rook, SIMPLIFIED)),
    ('炮', piece(Cannon, 0)),
    ('砲', piece(Cannon, TRADITIONAL)),
    ('礮', piece(Cannon, TRADITIONAL)),
    ('包', piece(Cannon, 0)),
    ('兵', piece(Pawn, RED)),
    ('卒', piece(Pawn, BLACK)),
    ('进', direction(Direction::Forward, SIMPLIFIED)),
    ('進', direction(Direction::Forward, TRADITIONAL)),
    ('上', direction(Direction::Forward, OLD)),
    ('仩', direction(Direction::Forward, OLD)),
    ('退', direction(Direction::Back, 0)),
    ('下', direction(Direction::Back, OLD)),
    ('平', direction(Direction::Traverse, 0)),
    ('岼', direction(Direction::Traverse, 0)),
    ('前', place(Place::Front, 0)),
    ('中', place(Place::Middle, 0)),
    ('后', place(Place::Rear, 0)),
    ('後', place(Place::Rear, TRADITIONAL)),
    ('一', digit(1, HAN)),
    ('二', digit(2, HAN)),
    ('三', digit(3, HAN)),
    ('四', digit(4, HAN)),
    ('五', digit(5, HAN)),
    ('六', digit(6, HAN)),
    ('七', digit(7, HAN)),
    ('八', digit(8, HAN)),
    ('九', digit(9, HAN)),
    ('壹', digit(1, HAN)),
    ('贰', digit(2, HAN)),
    ('貳', digit(2, HAN)),
    ('叁', digit(3, HAN)),
    ('參', digit(3, HAN)),
    ('肆', digit(4, HAN)),
    ('伍', digit(5, HAN)),
    ('陆', digit(6, HAN)),
    ('陸', digit(6, HAN)),
    ('柒', digit(7, HAN)),
    ('捌', digit(8, HAN)),
    ('玖', digit(9, HAN)),
];

const FIRST: u32 = 0x4E00;
const LAST: u32 = 0x9FFF;

static TABLE: [u8; (LAST - FIRST + 1) as usize] = {
    let mut table = [0; (LAST - FIRST + 1) as usize];
    let mut index = 1;
    while index < GLYPHS.len() {
        let code = GLYPHS[index].0 as u32;
        if code >= FIRST && code <= LAST {
            table[(code - FIRST) as usize] = index as u8;
        }
        index += 1;
    }
    table
};

/// The characters of [`GLYPHS`] alone, in its order: what the table's numbers mean.
static MEANINGS: [Glyph; GLYPHS.len()] = {
    let mut meanings = [OTHER; GLYPHS.len()];
    let mut index = 1;
    while index < GLYPHS.len() {
        meanings[index] = GLYPHS[index].1;
        index += 1;
    }
    meanings
};

/// The glyph at the start of the bytes of a text, for the common characters alone: the CJK block, ASCII and full-width
/// digits. `None` for any other character.
#[inline]
pub(super) fn common(bytes: &[u8]) -> Option<(Glyph, usize)> {
    match *bytes {
        [lead @ 0xE4..=0xE9, second, third, ..] => {
            let code = u32::from(lead & 0x0F) << 12 | u32::from(second & 0x3F) << 6 | u32::from(third & 0x3F);
            let number = *TABLE.get(code.wrapping_sub(FIRST) as usize)?;
            (number != 0).then(|| (MEANINGS[number as usize], 3))
        }
        [byte @ b'1'..=b'9', ..] => Some((digit(byte - b'0', ARABIC), 1)),
        [0xEF, 0xBC, third @ 0x91..=0x99, ..] => Some((digit(third - 0x90, ARABIC | WIDE), 3)),
        _ => None,
    }
}

/// The characters [`common`] knows, by their two bytes in GBK: moves are read from such a text without decoding it.
pub(crate) struct Gbk([u8; 0x8000]);

impl Gbk {
    pub fn table() -> &'static Gbk {
        static TABLE: LazyLock<Box<Gbk>> = LazyLock::new(|| {
            let mut table = Box::new(Gbk([0; 0x8000]));
            for (number, &(c, _)) in (1..).zip(&GLYPHS[1..]) {
                table.note(c, number);
            }
            for (number, c) in (GLYPHS.len() as u8..).zip('１'..='９') {
                table.note(c, number);
            }
            table
        });
        &TABLE
    }

    fn note(&mut self, c: char, number: u8) {
        let mut buffer = [0; 4];
        // What GBK does not have is met in no text in it.
        if let [lead @ 0x80..=0xFF, trail] = *encoding_rs::GBK.encode(c.encode_utf8(&mut buffer)).0 {
            self.0[usize::from(lead & 0x7F) << 8 | usize::from(trail)] = number;
        }
    }

    /// As [`common`].
    #[inline]
    pub(super) fn glyph(&self, bytes: &[u8]) -> Option<(Glyph, usize)> {
        match *bytes {
            [lead @ 0x80..=0xFF, trail, ..] => {
                let number = self.0[usize::from(lead & 0x7F) << 8 | usize::from(trail)];
                (number != 0).then(|| (GBK_MEANINGS[number as usize % GBK_MEANINGS.len()], 2))
            }
            [byte @ b'1'..=b'9', ..] => Some((digit(byte - b'0', ARABIC), 1)),
            _ => None,
        }
    }
}

/// [`MEANINGS`] and behind them the full-width digits; the length is a power of two, so that no index needs a test.
static GBK_MEANINGS: [Glyph; 128] = {
    assert!(GLYPHS.len() + 9 <= 128);
    let mut meanings = [OTHER; 128];
    let mut index = 1;
    while index < GLYPHS.len() {
        meanings[index] = GLYPHS[index].1;
        index += 1;
    }
    let mut value = 1;
    while value <= 9 {
        meanings[GLYPHS.len() - 1 + value as usize] = digit(value, ARABIC | WIDE);
        value += 1;
    }
    meanings
};

/// The glyph a character is, [`Class::Other`] if it means nothing in a move.
pub(super) fn of(c: char) -> Glyph {
    let code = c as u32;
    match c {
        '1'..='9' => digit(c as u8 - b'0', ARABIC),
        '１'..='９' => digit((code - '０' as u32) as u8, ARABIC | WIDE),
        '\u{4E00}'..='\u{9FFF}' => MEANINGS[TABLE[(code - FIRST) as usize] as usize],
        '㐷' => piece(Horse, SIMPLIFIED),
        // Compatibility characters and radicals that look like the real ones.
        '\u{F902}' | '\u{2F9E}' => piece(Rook, TRADITIONAL),
        '\u{2ECB}' => piece(Rook, SIMPLIFIED),
        '\u{2FBA}' => piece(Horse, TRADITIONAL),
        '\u{2EE2}' => piece(Horse, SIMPLIFIED),
        '\u{2F20}' => piece(Advisor, 0),
        '\u{2F00}' => digit(1, HAN),
        '\u{2F06}' => digit(2, HAN),
        '\u{2F0B}' => digit(8, HAN),
        // Of neither style: in front of a move they number the round.
        '①'..='⑨' => digit((code - '①' as u32 + 1) as u8, 0),
        '⑴'..='⑼' => digit((code - '⑴' as u32 + 1) as u8, 0),
        '⒈'..='⒐' => digit((code - '⒈' as u32 + 1) as u8, 0),
        '㊀'..='㊈' => digit((code - '㊀' as u32 + 1) as u8, HAN),
        '\u{1FA60}'..='\u{1FA6D}' => {
            const ORDER: [Kind; 7] = [King, Advisor, Elephant, Horse, Rook, Cannon, Pawn];
            let number = code - 0x1FA60;
            piece(ORDER[(number % 7) as usize], if number < 7 { RED } else { BLACK })
        }
        _ => OTHER,
    }
}

/// The kind of piece a character draws, letters aside.
pub(crate) fn drawn_kind(c: char) -> Option<Kind> {
    match of(c).class {
        Class::Piece(kind) => Some(kind),
        _ => None,
    }
}

/// Whether a character inside a move means nothing at all: blanks of every width, zero-width characters, the dot that
/// separates characters.
pub(super) fn is_blank(c: char) -> bool {
    c == ' ' || c == '\t' || is_invisible(c) || matches!(c, '\u{A0}' | '\u{3000}' | '\u{2002}'..='\u{200A}' | '·')
}

/// Characters without width.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}')
}

/// The ASCII character a full-width or typographic one stands for in the letter notations; `None` if none.
pub(super) fn ascii(c: char) -> Option<u8> {
    match c {
        ' '..='~' => Some(c as u8),
        '\u{FF01}'..='\u{FF5E}' => Some((c as u32 - 0xFEE0) as u8),
        // Letters in circles: the red pieces of some sheets.
        'Ⓐ'..='Ⓩ' => Some((c as u32 - 'Ⓐ' as u32) as u8 + b'A'),
        'ⓐ'..='ⓩ' => Some((c as u32 - 'ⓐ' as u32) as u8 + b'a'),
        '·' | '•' | '。' => Some(b'.'),
        '–' | '—' | '−' | '‐' | '‑' | '―' => Some(b'-'),
        '×' => Some(b'x'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fast_table_and_the_full_one_agree_on_every_common_character() {
        for &(c, glyph) in &GLYPHS[1..] {
            assert_eq!(of(c), glyph, "{c}");
            let mut buffer = [0; 4];
            let bytes = c.encode_utf8(&mut buffer).as_bytes();
            if (0x4E00..=0x9FFF).contains(&(c as u32)) {
                assert_eq!(common(bytes), Some((glyph, 3)), "{c}");
            }
        }
        for (ascii, wide) in ('1'..='9').zip('１'..='９') {
            let (a, w) = (of(ascii), of(wide));
            assert_eq!((a.class, w.class, w.hints), (w.class, a.class, ARABIC | WIDE));
            assert_eq!(common(wide.to_string().as_bytes()), Some((w, 3)));
        }
        assert_eq!(common("龍".as_bytes()), None);
        let all = (0..=char::MAX as u32).filter_map(char::from_u32);
        for c in all {
            let mut buffer = [0; 4];
            let (gbk, _, unknown) = encoding_rs::GBK.encode(c.encode_utf8(&mut buffer));
            if !unknown && gbk.len() <= 2 {
                let (gbk, wide) = (Gbk::table().glyph(&gbk), c.len_utf8());
                let glyph = common(c.to_string().as_bytes());
                assert_eq!(gbk.map(|(glyph, _)| glyph), glyph.map(|(glyph, _)| glyph), "{c} {wide}");
            }
        }
        assert_eq!(of('0').class, Class::Other);
    }

    #[test]
    fn chess_symbols_name_the_piece_and_its_colour() {
        assert_eq!(of('\u{1FA60}'), piece(King, RED));
        assert_eq!(of('\u{1FA66}'), piece(Pawn, RED));
        assert_eq!(of('\u{1FA6B}'), piece(Rook, BLACK));
    }
}
