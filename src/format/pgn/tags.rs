//! Tag lines: `[Name "value"]`.
//!
//! Forgiven, each with a [`TagFault`] where something had to be assumed: quotes inside the value that are not escaped, a
//! missing closing quote or bracket, a value that goes on on the next lines, several tags on one line, typographic
//! quotes. `\"` and `\\` are escapes, any other backslash is itself.

use crate::work::{Work, note};
use nom::bytes::complete::{take_while, take_while1};
use nom::character::complete::{char, one_of};
use nom::{IResult, Parser};
use std::borrow::Cow;

/// One tag.
#[derive(Debug, PartialEq)]
pub(super) struct Tag<'a> {
    pub name: &'a str,
    pub value: Cow<'a, str>,
    /// Where the text goes on behind it.
    pub end: usize,
    pub fault: Option<TagFault>,
}

impl<'a> Tag<'a> {
    fn new(name: &'a str, value: &'a str, end: usize, fault: Option<TagFault>) -> Tag<'a> {
        Tag { name, value: unescape(value), end, fault }
    }
}

/// What was wrong with a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagFault {
    /// No `]`.
    Bracket,
    /// No closing quote.
    Quote,
    /// The value spans lines.
    Lines,
}

/// A value goes on over so many lines at most.
const MOST_LINES: usize = 8;

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{3000}' | '\u{A0}' | '\u{FEFF}')
}

/// `[Name "` up to and with the opening quote.
fn opening(text: &str) -> IResult<&str, &str> {
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    (char('['), take_while(is_blank), take_while1(word), take_while(is_blank), one_of("\"“”"))
        .map(|(_, _, name, _, _): (_, _, &str, _, _)| name)
        .parse(text)
}

/// Length of `[Name "` and of the name, for the usual form in ASCII.
#[inline]
fn plain_opening(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut name = 0;
    while bytes.get(name + 1)?.is_ascii_alphanumeric() {
        name += 1;
    }
    let starts = bytes[0] == b'[' && name > 0 && !bytes[1].is_ascii_digit();
    (starts && bytes[name + 1..].starts_with(b" \"")).then_some((name + 3, name))
}

/// Whether a tag in the usual form starts here.
pub(super) fn starts_plain(bytes: &[u8]) -> bool {
    bytes.first() == Some(&b'[') && plain_opening(bytes).is_some()
}

/// Reads a line that is a tag without any fault, in the usual form and without escapes, and nothing else: for these
/// [`read_tag`] needs no look at what follows.
pub(super) fn read_plain(line: &str) -> Option<Tag<'_>> {
    let (first, name) = plain_opening(line.as_bytes())?;
    let value = line.get(first..)?.strip_suffix("\"]")?;
    let odd = value.bytes().fold(false, |odd, byte| odd | matches!(byte, b'"' | b'\\' | b'['));
    (!odd).then(|| Tag { name: &line[1..1 + name], value: Cow::Borrowed(value), end: line.len(), fault: None })
}

/// Whether a tag starts here.
pub(super) fn starts_tag(text: &str) -> bool {
    text.starts_with('[')
        && (plain_opening(text.as_bytes()).is_some()
            || opening(text).is_ok_and(|(_, name)| !name.as_bytes()[0].is_ascii_digit()))
}

/// Whether a line that may begin with blanks is a tag line.
pub(super) fn is_tag_line(line: &str) -> bool {
    starts_tag(line.trim_start_matches(is_blank))
}

/// Reads the tag that starts at `at`; `None` if none does. `line_end` is an end of a line that was found before, perhaps that
/// of this one: of many tags on one line not every one may look for its end.
pub(super) fn read_tag<'t>(text: &'t str, at: usize, line_end: &mut usize) -> Option<Tag<'t>> {
    let here = &text[at..];
    let (first, name) = match plain_opening(here.as_bytes()) {
        Some((len, name)) => (at + len, &here[1..1 + name]),
        None => {
            let (rest, name) = opening(here).ok().filter(|_| starts_tag(here))?;
            (text.len() - rest.len(), name)
        }
    };
    let bytes = text.as_bytes();
    // It lies behind the place it was looked for from, and places only rise.
    if *line_end < first {
        *line_end = memchr::memchr(b'\n', &bytes[first..]).map_or(text.len(), |end| first + end);
        note(Work::Bytes, *line_end - first);
    }
    let line_end = *line_end;

    // The usual case: one quote, the bracket, the end of the line.
    if let Some(quote) = memchr::memchr(b'"', &bytes[first..line_end])
        && matches!(bytes[first + quote + 1..line_end], [b']'] | [b']', b'\r'])
    {
        return Some(Tag::new(name, &text[first..first + quote], first + quote + 2, None));
    }
    let line = text[first..line_end].trim_end();
    // Another tag on the same line ends this one; otherwise the last `"]` of the line does.
    if let Some((value, end)) = closing(line) {
        return Some(Tag::new(name, &line[..value], first + end, None));
    }
    if let Some(value) = line.strip_suffix(['"', '”']) {
        return Some(Tag::new(name, value, line_end, Some(TagFault::Bracket)));
    }
    if let Some(long) = over_lines(text, first) {
        let joined = text[first..long.value].lines().map(str::trim).filter(|line| !line.is_empty());
        let value = joined.collect::<Vec<_>>().join(" ");
        let value = Cow::Owned(unescape(&value).into_owned());
        return Some(Tag { name, value, end: long.end, fault: Some(TagFault::Lines) });
    }
    match line.strip_suffix(']') {
        Some(value) => Some(Tag::new(name, value, first + line.len(), Some(TagFault::Quote))),
        None => Some(Tag::new(name, line, line_end, Some(TagFault::Quote))),
    }
}

/// Where the value ends and where the tag ends, within the rest of a line.
fn closing(line: &str) -> Option<(usize, usize)> {
    let mut last = None;
    for (bracket, _) in line.match_indices(']') {
        note(Work::Bytes, bracket - last.map_or(0, |(_, end)| end));
        let value = line[..bracket].trim_end_matches(is_blank);
        let Some(quoted) = value.strip_suffix(['"', '”']) else { continue };
        last = Some((quoted.len(), bracket + 1));
        let escaped = quoted.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1;
        if !escaped && is_tag_line(&line[bracket + 1..]) {
            break;
        }
    }
    last
}

struct Long {
    value: usize,
    end: usize,
}

/// A value whose `"]` stands at the end of one of the next lines, none of which is empty or a tag line.
fn over_lines(text: &str, first: usize) -> Option<Long> {
    let mut at = first;
    for (number, line) in text[first..].split_inclusive('\n').take(MOST_LINES).enumerate() {
        let trimmed = line.trim_end();
        if number > 0 {
            if trimmed.trim_start().is_empty() || is_tag_line(trimmed) {
                return None;
            }
            if let Some((value, end)) = closing(trimmed).filter(|&(_, end)| end == trimmed.len()) {
                return Some(Long { value: at + value, end: at + end });
            }
        }
        at += line.len();
    }
    None
}

fn unescape(value: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\\', value.as_bytes()).is_none() {
        return Cow::Borrowed(value);
    }
    let mut plain = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        match behind.chars().next().filter(|c| matches!(c, '"' | '\\')) {
            Some(c) => {
                plain.push(c);
                rest = &behind[1..];
            }
            None => {
                plain.push('\\');
                rest = behind;
            }
        }
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// Appends a tag line; line breaks in the value, which a tag cannot hold, become blanks.
pub(in crate::format) fn write_tag(name: &str, value: &str, out: &mut String) {
    out.push('[');
    out.push_str(name);
    out.push_str(" \"");
    for c in value.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
    }
    out.push_str("\"]\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (&str, String, &str, Option<TagFault>) {
        let tag = read_tag(text, 0, &mut 0).unwrap();
        (tag.name, tag.value.into_owned(), &text[tag.end..], tag.fault)
    }

    #[test]
    fn the_value_reaches_to_the_last_quote() {
        for (line, value, rest, fault) in [
            ("[Red \"胡荣华\"]\nx", "胡荣华", "\nx", None),
            ("[Event \"\"大都杯\"象棋赛\"]\r\n", "\"大都杯\"象棋赛", "\r\n", None),
            ("[Event \"a \\\"b\\\" \\\\ c:\\d\"]", "a \"b\" \\ c:\\d", "", None),
            ("[Site \"C:\\\"]", "C:\\", "", None),
            ("[Event \"a]b\"]", "a]b", "", None),
            ("[Event \"x\" ]  ", "x", "", None),
            ("[Event “x”]", "x", "", None),
            ("[Event \"x\"\n[Red \"y\"]", "x", "\n[Red \"y\"]", Some(TagFault::Bracket)),
            ("[Event \"x]\nz", "x", "\nz", Some(TagFault::Quote)),
            ("[Event \"x\nz", "x", "\nz", Some(TagFault::Quote)),
            ("[TitleA \"\n四量拨千斤\"]\n[Version \"10\"]", "四量拨千斤", "\n[Version \"10\"]", Some(TagFault::Lines)),
            ("[Event \"x\n\ny\"]", "x", "\n\ny\"]", Some(TagFault::Quote)),
        ] {
            let found = read(line);
            assert_eq!((found.1.as_str(), found.3), (value, fault), "{line}");
            assert_eq!(found.2.trim_start_matches(' '), rest, "{line}");
        }
    }

    #[test]
    fn several_tags_may_share_a_line() {
        let text = "[Red \"甲\"] [Black \"乙\"][Result \"1-0\"]";
        let (_, value, rest, _) = read(text);
        assert_eq!((value.as_str(), rest), ("甲", " [Black \"乙\"][Result \"1-0\"]"));
    }

    #[test]
    fn what_is_no_tag_is_none() {
        for text in ["[Red]", "Red \"x\"", "[%clk 0:01]", "[ \"x\"]", "[9 \"x\"]", ""] {
            assert_eq!(read_tag(text, 0, &mut 0), None, "{text}");
        }
    }

    #[test]
    fn a_written_value_reads_back() {
        for value in ["", "a\"b", "\\", "\\\"", "\"]", "x\"] [Red \"y", "\"][胡", "a]"] {
            let mut line = String::new();
            write_tag("Name", value, &mut line);
            let (name, read, rest, fault) = read(&line);
            assert_eq!((name, read.as_str(), rest, fault), ("Name", value, "\r\n", None));
        }
    }
}
