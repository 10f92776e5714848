//! Comments and brackets, with or without an end.

use super::super::split;
use super::words::wide_digit;
use super::{Problem, Scan, Stop};
use crate::notation::read_move;
use crate::replay::Event;
use crate::work::{Work, note};
use memchr::{memchr, memchr2};
use nom::bytes::complete::{tag, take_till, take_while};
use nom::character::complete::{char, digit1};
use nom::combinator::opt;
use nom::sequence::preceded;
use nom::{IResult, Parser};
use std::ops::Range;

/// A comment at the head of a side line is looked beyond if it is no longer than this.
const LONG_COMMENT: usize = 1 << 16;

impl Scan<'_, '_> {
    /// `{…}`. A comment that never ends stops before the next game, or before the line that carries on the numbering.
    pub(super) fn comment(&mut self) {
        let start = self.at;
        let mut at = start + 1;
        let mut carries_on = None;
        while let Some(found) = memchr2(b'}', b'\n', &self.bytes[at..]) {
            note(Work::Bytes, found + 1);
            at += found;
            if self.bytes[at] == b'}' {
                self.take_comment(start + 1..at);
                self.at = at + 1;
                return;
            }
            at += 1;
            let line = &self.bytes[at..];
            if split::is_head(line) && !split::follows_tag(&self.bytes[..at]) {
                break;
            }
            if carries_on.is_none() && self.is_next_round(at) {
                carries_on = Some(at);
            }
        }
        let end = carries_on.unwrap_or(if self.bytes.get(at) == Some(&b'[') { at } else { self.bytes.len() });
        self.problem(start, Problem::OpenComment);
        self.take_comment(start + 1..end);
        // The line feed before it is read again, for what it says about the line.
        self.at = if end < self.bytes.len() { end - 1 } else { end };
    }

    /// `/* … */`, which ends before the next game at the latest.
    pub(super) fn block_comment(&mut self) {
        let start = self.at + 2;
        let mut at = start;
        let end = loop {
            let line_end = memchr(b'\n', &self.bytes[at..]).map_or(self.bytes.len(), |len| at + len + 1);
            note(Work::Bytes, line_end - at);
            if let Some(len) = self.text[at..line_end].find("*/") {
                break Some(at + len);
            }
            at = line_end;
            if at == self.bytes.len() || (split::is_head(&self.bytes[at..]) && !split::follows_tag(&self.bytes[..at])) {
                break None;
            }
        };
        if end.is_none() {
            self.problem(self.at, Problem::OpenComment);
        }
        self.push(Event::Comment(&self.text[start..end.unwrap_or(at)]));
        // Before a game the line feed is read again, for what it says about the line.
        self.at = end.map_or(if at < self.bytes.len() { at - 1 } else { at }, |end| end + 2);
    }

    pub(super) fn is_next_round(&self, at: usize) -> bool {
        let line = self.text[at..].trim_start_matches([' ', '\t']);
        let number: IResult<&str, &str> = digit1(line);
        number.is_ok_and(|(rest, digits)| {
            rest.starts_with(['.', '．', '、'])
                && digits.parse().is_ok_and(|n: u32| n == self.number || n == self.number.saturating_add(1))
        })
    }

    pub(super) fn take_comment(&mut self, range: Range<usize>) {
        let mut text = &self.text[range];
        while let Some(at) = text.find("[%clk") {
            let Ok((rest, time)) = clock(&text[at..]) else { break };
            let before = text[..at].trim_end();
            if !before.trim_start().is_empty() {
                self.push(Event::Comment(before));
            }
            self.push(Event::Clock(time));
            text = rest.trim_start();
            if text.is_empty() {
                return;
            }
        }
        self.push(Event::Comment(text));
    }

    /// An opening bracket: a side line if a move comes next, else a comment.
    pub(super) fn open(&mut self, bracket: &'static str) -> Option<Stop> {
        if let Some(stop) = self.bracketed_number() {
            return stop;
        }
        if self.side_named() {
            return None;
        }
        self.open_line(bracket);
        None
    }

    fn open_line(&mut self, bracket: &'static str) {
        if self.at >= self.ahead.0 {
            self.ahead = self.look_ahead();
            note(Work::Bytes, self.ahead.0 - self.at);
        }
        if self.ahead.1 {
            self.brackets.push(self.at as u32);
            self.push(Event::Open);
            self.at += bracket.len();
            return;
        }
        match self.closing() {
            Some(end) => {
                let text = &self.text[self.at + bracket.len()..end];
                self.push(Event::Comment(text));
                self.at = end + self.text[end..].chars().next().map_or(1, char::len_utf8);
            }
            None => {
                self.problem(self.at, Problem::OpenBracket);
                self.page_line();
            }
        }
    }

    /// Skips brackets, numbers, dots, blanks and comments; tells where it came to and whether a move stands there.
    pub(super) fn look_ahead(&self) -> (usize, bool) {
        let mut at = self.at;
        loop {
            let Some(&byte) = self.bytes.get(at) else { return (at, false) };
            at += match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b'(' => 1,
                b'.' => 1,
                b'0'..=b'9' => {
                    // Digits may begin a move (`15=6`).
                    if read_move(&self.text[at..]).is_some() {
                        return (at, true);
                    }
                    self.bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count()
                }
                b'{' => match memchr(b'}', &self.bytes[at..self.bytes.len().min(at + LONG_COMMENT)]) {
                    Some(len) => len + 1,
                    None => return (at, false),
                },
                _ => {
                    let c = self.text[at..].chars().next().unwrap_or(' ');
                    if matches!(c, '\u{3000}' | '（' | '．' | '、' | '…') || wide_digit(c).is_some() {
                        c.len_utf8()
                    } else {
                        return (at, read_move(&self.text[at..]).is_some());
                    }
                }
            };
        }
    }

    /// The bracket that closes the one at hand: the matching one if it is near, else the next one. It is not looked for
    /// beyond an empty line or a tag line.
    pub(super) fn closing(&mut self) -> Option<usize> {
        const NEAR: usize = 2048;
        if self.no_close.contains(&self.at) {
            return None;
        }
        let mut depth = 0;
        let mut first = None;
        let mut end = self.bytes.len();
        for (offset, c) in self.text[self.at..].char_indices() {
            note(Work::Bytes, c.len_utf8());
            match c {
                '(' | '（' => depth += 1,
                ')' | '）' => {
                    depth -= 1;
                    first.get_or_insert(self.at + offset);
                    if depth == 0 {
                        return Some(self.at + offset);
                    }
                }
                '\n' if matches!(self.bytes.get(self.at + offset + 1), Some(b'\n' | b'\r' | b'[')) => {
                    end = self.at + offset;
                    break;
                }
                _ => {}
            }
            if offset > NEAR && first.is_some() {
                break;
            }
        }
        if first.is_none() {
            self.no_close = self.at..end;
        }
        first
    }

    pub(super) fn close(&mut self, len: usize) {
        if self.brackets.pop().is_some() {
            self.push(Event::Close);
        } else {
            self.problem(self.at, Problem::StrayClose);
        }
        self.at += len;
    }
}

/// `[%clk 1:02:03.5]` in milliseconds.
fn clock(text: &str) -> IResult<&str, u64> {
    let number = || digit1.map(|digits: &str| digits.parse::<u64>().unwrap_or(u64::MAX / 8_000_000));
    let fraction = opt(preceded(char('.'), digit1));
    let (rest, (_, _, hours, _, minutes, _, seconds, fraction, _, _)) = (
        tag("[%clk"),
        take_while(|c| c == ' '),
        number(),
        char(':'),
        number(),
        char(':'),
        number(),
        fraction,
        take_till(|c| c == ']'),
        char(']'),
    )
        .parse(text)?;
    let thousandths: u64 = match fraction {
        Some(digits) => format!("{digits:0<3}")[..3].parse().unwrap_or(0),
        None => 0,
    };
    let seconds = hours.saturating_mul(3600).saturating_add(minutes.saturating_mul(60)).saturating_add(seconds);
    Ok((rest, seconds.saturating_mul(1000).saturating_add(thousandths)))
}
