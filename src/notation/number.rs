//! Numbers of rounds in every shape they are written in.
//!
//! Comes in: text that starts with a number. Goes out: its value, its shape and how many bytes it took with its marks.
//! Forgives: ASCII, full-width and Chinese numerals, enclosed and bracketed ones, several marks, blanks inside:
//!
//! ```text
//! 12.   3、   ４：   第十二回合   第 3 回合：   (1)   （一）   [1]   ①   ⑴   ⒈   ㈠   Ⅳ   二十一、   廿三.
//! ```
//!
//! A number of this kind may as well be a footnote or a heading; whether it counts rounds, what follows must tell.

use super::glyph::is_blank;

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// ASCII or full-width digits.
    Digits,
    /// Chinese numerals.
    Han,
    /// 第…回合.
    Named,
    /// One character for the whole: ① ⑴ ⒈ ㈠ Ⅳ.
    Enclosed,
    /// Digits or Chinese numerals in brackets.
    Bracketed,
}

/// A number at the start of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub value: u32,
    pub shape: Shape,
    /// Bytes with the marks behind it, dots that stand for a ply left out (`…`).
    pub used: usize,
    /// Its shape or a mark behind it shows that it numbers something.
    pub marked: bool,
}

/// Reads a number with its marks.
pub(crate) fn read_number(text: &str) -> Option<Number> {
    let first = text.chars().next()?;
    if let Some(value) = enclosed(first) {
        let used = first.len_utf8() + marks(&text[first.len_utf8()..]);
        return Some(Number { value, shape: Shape::Enclosed, used, marked: true });
    }
    if first == '第' {
        let inner = blanks(&text[first.len_utf8()..]);
        let (value, _, rest) = value(inner)?;
        let rest = blanks(rest);
        let rest = ["回合", "回", "合", "着", "著", "步", "手"].iter().find_map(|word| rest.strip_prefix(word))?;
        let used = text.len() - rest.len() + marks(rest);
        return Some(Number { value, shape: Shape::Named, used, marked: true });
    }
    if let Some(close) = closing(first) {
        let (value, _, rest) = value(blanks(&text[first.len_utf8()..]))?;
        let rest = blanks(rest).strip_prefix(close)?;
        let used = text.len() - rest.len() + marks(rest);
        return Some(Number { value, shape: Shape::Bracketed, used, marked: true });
    }
    let (value, shape, rest) = value(text)?;
    let marks = marks(rest);
    Some(Number { value, shape, used: text.len() - rest.len() + marks, marked: marks > 0 })
}

/// The number of a round at the start of a text and how many bytes it takes, marks and dots behind it included. Only numbers
/// that show by their shape or a mark that they number something: `12.`, `第三回合`, `①`, `(1)`, `二十一、`.
///
/// ```
/// # use yipu::notation::round_number;
/// assert_eq!(round_number("第 3 回合：炮二平五"), Some((3, "第 3 回合：".len())));
/// assert_eq!(round_number("三兵平五"), None);
/// ```
pub fn round_number(text: &str) -> Option<(u32, usize)> {
    read_number(text).filter(|number| number.marked).map(|number| (number.value, number.used))
}

const fn closing(open: char) -> Option<char> {
    Some(match open {
        '(' => ')',
        '（' => '）',
        '[' => ']',
        '［' => '］',
        '【' => '】',
        '〔' => '〕',
        _ => return None,
    })
}

fn blanks(text: &str) -> &str {
    text.trim_start_matches(is_blank)
}

/// Bytes of the marks at the start of a text.
fn marks(text: &str) -> usize {
    text.len() - text.trim_start_matches(['.', '．', '、', '：', ':', ')', '）']).len()
}

/// Digits or Chinese numerals, and what follows.
fn value(text: &str) -> Option<(u32, Shape, &str)> {
    let digit = |c: char| match c {
        '0'..='9' => Some(c as u32 - '0' as u32),
        '０'..='９' => Some(c as u32 - '０' as u32),
        _ => None,
    };
    let rest = text.trim_start_matches(|c| digit(c).is_some());
    let written = &text[..text.len() - rest.len()];
    if !written.is_empty() {
        let value =
            written.chars().filter_map(digit).fold(0u32, |value, digit| value.saturating_mul(10).saturating_add(digit));
        return Some((value, Shape::Digits, rest));
    }
    let rest = text.trim_start_matches(|c| han(c).is_some());
    let written = &text[..text.len() - rest.len()];
    Some((han_value(written)?, Shape::Han, rest))
}

/// What a Chinese numeral adds or multiplies by.
const fn han(c: char) -> Option<u32> {
    Some(match c {
        '〇' | '零' => 0,
        '一' | '壹' => 1,
        '二' | '贰' | '貳' => 2,
        '三' | '叁' | '參' => 3,
        '四' | '肆' => 4,
        '五' | '伍' => 5,
        '六' | '陆' | '陸' => 6,
        '七' | '柒' => 7,
        '八' | '捌' => 8,
        '九' | '玖' => 9,
        '十' | '拾' => 10,
        '廿' => 20,
        '卅' => 30,
        '百' => 100,
        _ => return None,
    })
}

/// 十二, 二十一, 一百零三, 廿三, 二一. Longer ones number no round.
fn han_value(text: &str) -> Option<u32> {
    if text.is_empty() || text.chars().count() > 6 {
        return None;
    }
    let units = text.chars().any(|c| matches!(c, '十' | '廿' | '卅' | '百'));
    let (mut total, mut last) = (0u32, 0u32);
    for unit in text.chars().filter_map(han) {
        match unit {
            10 | 100 => {
                total += unit * last.max(1);
                last = 0;
            }
            20 | 30 => {
                total += unit;
                last = 0;
            }
            digit if units => last = digit,
            digit => last = last * 10 + digit,
        }
    }
    Some(total + last)
}

/// The value of a character that is a number with something around it.
const fn enclosed(c: char) -> Option<u32> {
    /// First and last of each row, and the value of the first.
    const ROWS: [(char, char, u32); 14] = [
        ('①', '⑳', 1),
        ('㉑', '㉟', 21),
        ('㊱', '㊿', 36),
        ('⑴', '⒇', 1),
        ('⒈', '⒛', 1),
        ('㈠', '㈩', 1),
        ('㊀', '㊉', 1),
        ('❶', '❿', 1),
        ('➀', '➉', 1),
        ('➊', '➓', 1),
        ('⓫', '⓴', 11),
        ('⓵', '⓾', 1),
        ('Ⅰ', 'Ⅻ', 1),
        ('ⅰ', 'ⅻ', 1),
    ];
    let mut row = 0;
    while row < ROWS.len() {
        let (first, last, value) = ROWS[row];
        if first as u32 <= c as u32 && c as u32 <= last as u32 {
            return Some(c as u32 - first as u32 + value);
        }
        row += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_every_shape() {
        for (text, value, used, shape) in [
            ("12. 炮", 12, 3, Shape::Digits),
            ("３、炮", 3, 6, Shape::Digits),
            ("第十二回合 炮", 12, "第十二回合".len(), Shape::Named),
            ("第 3 回合：炮", 3, "第 3 回合：".len(), Shape::Named),
            ("第１着炮", 1, "第１着".len(), Shape::Named),
            ("(1)炮", 1, 3, Shape::Bracketed),
            ("（一）炮", 1, 9, Shape::Bracketed),
            ("[3] 炮", 3, 3, Shape::Bracketed),
            ("⑴炮", 1, 3, Shape::Enclosed),
            ("⑳、炮", 20, 6, Shape::Enclosed),
            ("㊿ 炮", 50, 3, Shape::Enclosed),
            ("Ⅳ.炮", 4, 4, Shape::Enclosed),
            ("二十一、炮", 21, 12, Shape::Han),
            ("廿三.炮", 23, 7, Shape::Han),
            ("一百零三、炮", 103, 15, Shape::Han),
            ("二一：炮", 21, 9, Shape::Han),
        ] {
            let number = read_number(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((number.value, number.used, number.shape, number.marked), (value, used, shape, true), "{text}");
        }
        assert_eq!(read_number("一 炮").map(|number| number.marked), Some(false));
        for text in ["炮二平五", "第一局", "(见图)", "（1", "", "第回合", "甲、"] {
            assert_eq!(read_number(text), None, "{text}");
        }
        assert_eq!(read_number("99999999999.").map(|number| number.value), Some(u32::MAX));
    }
}
