//! Where a new game certainly starts, whatever stands before it.
//!
//! A line `[Event "…` or `[Game "…`, and the line before it (empty lines left out) neither a tag line nor the end of one.
//! The rule looks at these two lines alone, so that a file can be cut there without having read what comes before. It
//! also ends a comment that was never closed.

use crate::text::utf16;
use crate::work::{Work, note};
use encoding_rs::UTF_16BE;

/// How far back the line before is looked for; more empty space than this counts as nothing before.
const LOOK_BACK: usize = 4096;

/// The first certain start at or after `from`: the offset of its line. Works on the bytes of UTF-16 and of every encoding in
/// which ASCII is ASCII: there a line feed is never part of a longer character.
pub(super) fn next_start(bytes: &[u8], from: usize) -> Option<usize> {
    match utf16(bytes) {
        Some(encoding) => next_wide_start(bytes, from, usize::from(encoding == UTF_16BE)),
        None => next_narrow_start(bytes, from),
    }
}

fn next_narrow_start(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    // A start in the middle of a line is none.
    if at > 0 && bytes.get(at - 1) != Some(&b'\n') {
        at += line_len(bytes.get(at..)?);
    }
    while at < bytes.len() {
        let rest = &bytes[at..];
        if is_head(rest) && !follows_tag(&bytes[..at]) {
            return Some(at);
        }
        at += line_len(rest);
    }
    None
}

/// In units of two bytes; `low` is where in a unit the byte of an ASCII character stands.
fn next_wide_start(bytes: &[u8], from: usize, low: usize) -> Option<usize> {
    let narrow = |units: &[u8]| -> Vec<u8> {
        units.chunks_exact(2).map(|unit| if unit[1 - low] == 0 { unit[low] } else { 0x80 }).collect()
    };
    let line_len = |line: &[u8]| {
        memchr::memchr_iter(b'\n', line)
            .find(|&at| at % 2 == low && line.get(at ^ 1) == Some(&0))
            .map_or(line.len().next_multiple_of(2), |at| (at | 1) + 1)
    };
    let mut at = from.next_multiple_of(2);
    if at > 0 && narrow(bytes.get(at - 2..at)?) != b"\n" {
        at += line_len(bytes.get(at..)?);
    }
    while at < bytes.len() {
        let rest = &bytes[at..];
        let head = narrow(&rest[..rest.len().min(64)]);
        if is_head(&head) && !follows_tag(&narrow(&bytes[at.saturating_sub(2 * LOOK_BACK)..at])) {
            return Some(at);
        }
        at += line_len(rest);
    }
    None
}

/// Length of the line with its line feed.
fn line_len(bytes: &[u8]) -> usize {
    let length = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1);
    note(Work::Bytes, length);
    length
}

/// Whether the line is `[Event "` or `[Game "`, in any case.
pub(super) fn is_head(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"[") else { return false };
    let name_len = if rest.len() > 5 && rest[..5].eq_ignore_ascii_case(b"Event") {
        5
    } else if rest.len() > 4 && rest[..4].eq_ignore_ascii_case(b"Game") {
        4
    } else {
        return false;
    };
    let behind = rest[name_len..].trim_ascii_start();
    behind.len() < rest.len() - name_len && behind.first() == Some(&b'"')
}

/// Whether the last line with anything on it is a tag line or ends one.
pub(super) fn follows_tag(before: &[u8]) -> bool {
    let before = &before[before.len().saturating_sub(LOOK_BACK)..];
    note(Work::Bytes, before.len());
    let before = before.trim_ascii_end();
    let line = &before[memchr::memrchr(b'\n', before).map_or(0, |end| end + 1)..];
    let line = line.trim_ascii_start();
    let is_tag = line.starts_with(b"[") && line.get(1).is_some_and(u8::is_ascii_alphabetic) && line.contains(&b'"');
    is_tag || line.ends_with(b"\"]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_start_at_their_first_tag_line() {
        let text =
            b"[Event \"a\"]\n[Game \"x\"]\n\n1. h2e2 *\n\n[Game \"Chinese Chess\"]\n[Event \"b\"]\n\n1. h2e2 *\n";
        assert_eq!(next_start(text, 0), Some(0));
        let second = next_start(text, 1).unwrap();
        assert!(text[second..].starts_with(b"[Game \"Chinese"));
        assert_eq!(next_start(text, second), Some(second));
        assert_eq!(next_start(text, second + 1), None);
        assert_eq!(next_start(text, text.len() + 5), None);
    }

    #[test]
    fn games_in_utf_16_start_where_they_start_in_ascii() {
        let text = "[Event \"上海\"]\n[Game \"x\"]\n\n1. 炮二平五 *\n\n[Game \"象棋\"]\n[Event \"b\"]\n\n1. h2e2 *\n";
        let second = text.rfind("[Game").unwrap();
        for order in [u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes] {
            let wide = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(order).collect() };
            let (bytes, expected) = (wide(text), wide(&text[..second]).len());
            assert_eq!(next_start(&bytes, 0), Some(0));
            for from in 1..=expected {
                assert_eq!(next_start(&bytes, from), Some(expected), "{from}");
            }
            assert_eq!(next_start(&bytes, expected + 1), None);
            assert_eq!(next_start(&bytes, bytes.len() + 5), None);
        }
    }

    #[test]
    fn a_value_over_two_lines_is_no_border() {
        let text = b"[Title \"\nx\"]\n[Event \"b\"]\n1. h2e2 *";
        assert_eq!(next_start(text, 0), None);
    }
}
