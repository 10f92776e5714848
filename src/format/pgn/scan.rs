//! Move text to a row of entries.
//!
//! Comes in: text behind the tags. Goes out: moves, numbers, comments, marks, clock times and brackets in their order,
//! and where the game ends. No board is needed. One pass: every look ahead is remembered, so that no text is walked more
//! than a fixed number of times, and brackets are counted, not descended into.
//!
//! Forgiven: everything touching (`1.兵七进一炮2平32.兵三进一`), numbers in any shape (`１．`, `1、`, `1)`, `1 `), dots or
//! blanks for the other side's ply, `{}`, `;`, `/* */` and `（）` comments, full-width marks, page text (whole lines
//! without a move), an unclosed comment or bracket.

use super::{split, tags};
use crate::diagram::is_board_row;
use crate::game::GameResult;
use crate::notation::read_move;
use crate::replay::{Entry, Event};
use crate::work::{Work, note};
use memchr::{memchr, memchr2};
use nom::bytes::complete::{tag, take_till, take_while, take_while_m_n};
use nom::character::complete::{char, digit1};
use nom::combinator::opt;
use nom::sequence::preceded;
use nom::{IResult, Parser};
use std::ops::Range;

/// Why the move text ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stop {
    /// The text is at its end.
    #[default]
    End,
    /// A tag line of the next game.
    Tag,
    /// A result token.
    Result,
    /// A first round after an empty line: the next game, without tags.
    Restart,
    /// More entries than [`MOST_ENTRIES`].
    Limit,
}

/// Something wrong with the structure, at a place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// A comment without end.
    OpenComment,
    /// A side line without end.
    OpenBracket,
    /// A closing bracket or brace that closes nothing.
    StrayClose,
    /// Round numbers that jump.
    Jump { from: u32, to: u32 },
    /// More entries than are read of one game.
    Limit,
}

/// So many entries are read of one game; the largest record known has 226,491 plies.
pub(super) const MOST_ENTRIES: usize = 1 << 20;

/// Side lines within side lines are read to this depth; nobody writes more than a few dozen.
const MOST_DEPTH: usize = 1 << 14;

/// A comment at the head of a side line is looked beyond if it is no longer than this.
const LONG_COMMENT: usize = 1 << 16;

/// So many problems are told one by one.
const MOST_PROBLEMS: usize = 16;

/// What a scan found besides the entries.
#[derive(Debug, Default)]
pub(super) struct Scanned {
    pub stop: Stop,
    /// Where the move text ends: before its result.
    pub moves_end: usize,
    /// Where the text goes on.
    pub end: usize,
    pub result: Option<GameResult>,
    /// Lines that are no move text.
    pub page: Vec<Range<usize>>,
    pub problems: Vec<(usize, Problem)>,
    /// Problems that were only counted.
    pub more_problems: usize,
    pub moves: usize,
    /// Bytes of texts that could not be read.
    pub text_bytes: usize,
}

/// Reads move text from `from` on.
pub(super) fn scan<'a>(text: &'a str, from: usize, entries: &mut Vec<Entry<'a>>) -> Scanned {
    let mut scan = Scan {
        text,
        bytes: text.as_bytes(),
        at: from,
        entries,
        brackets: Vec::new(),
        number: 0,
        line: Line { start: from, after_blank: true, play: false, checked: false },
        ahead: (0, false),
        no_close: 0..0,
        last_move: 0,
        early: None,
        out: Scanned { end: from, ..Scanned::default() },
    };
    scan.run();
    scan.finish()
}

struct Line {
    start: usize,
    /// An empty line stands before it.
    after_blank: bool,
    /// Something of the game was read on it.
    play: bool,
    /// It was looked through for moves and has some.
    checked: bool,
}

struct Scan<'a, 'e> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    entries: &'e mut Vec<Entry<'a>>,
    /// Where the open side lines began.
    brackets: Vec<u32>,
    /// The last round number of the main line.
    number: u32,
    line: Line,
    /// Up to where brackets were looked behind, and whether a move stands there.
    ahead: (usize, bool),
    /// Here no closing bracket follows.
    no_close: Range<usize>,
    last_move: usize,
    /// A result word before the first move.
    early: Option<GameResult>,
    out: Scanned,
}

impl<'a> Scan<'a, '_> {
    fn run(&mut self) {
        if is_board_row(self.short_line()) {
            self.page_line();
        }
        while let Some(&byte) = self.bytes.get(self.at) {
            note(Work::Bytes, 1);
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\n' => {
                    if let Some(stop) = self.new_line() {
                        return self.stop(stop);
                    }
                }
                b'0'..=b'9' => {
                    if let Some(stop) = self.digits() {
                        return self.stop(stop);
                    }
                }
                b'{' => self.comment(),
                b'(' => self.open("("),
                b')' => self.close(1),
                b'.' => self.dots(1),
                b'!' | b'?' => self.mark(),
                b';' => {
                    let line = self.rest_of_line();
                    self.push(Event::Comment(&line[1..]));
                    self.at += line.len();
                }
                b'*' | b'$' | b'/' | b'%' | b'}' | b'"' | b',' => {
                    if let Some(stop) = self.other() {
                        return self.stop(stop);
                    }
                }
                b'[' if self.at == self.line.start && tags::starts_tag(&self.text[self.at..]) => {
                    return self.stop(Stop::Tag);
                }
                _ => {
                    if let Some((token, used)) = read_move(&self.text[self.at..]) {
                        if self.at == self.line.start && self.begins_list() {
                            return self.stop(Stop::Restart);
                        }
                        self.take_move(token, used);
                    } else if let Some(stop) = self.other() {
                        return self.stop(stop);
                    }
                }
            }
            if self.entries.len() >= MOST_ENTRIES || self.brackets.len() >= MOST_DEPTH {
                // Told whatever else was found.
                self.out.problems.push((self.at, Problem::Limit));
                return self.stop(Stop::Limit);
            }
        }
        self.stop(Stop::End);
    }

    fn stop(&mut self, stop: Stop) {
        self.out.stop = stop;
        self.out.end = self.at;
        if stop != Stop::Result {
            self.out.moves_end = self.at;
        }
    }

    fn finish(mut self) -> Scanned {
        for at in std::mem::take(&mut self.brackets) {
            self.problem(at as usize, Problem::OpenBracket);
        }
        self.out.result = self.out.result.or(self.early);
        self.out
    }

    fn push(&mut self, event: Event<'a>) {
        self.entries.push(Entry { at: self.at as u32, event });
        self.line.play = true;
    }

    fn problem(&mut self, at: usize, problem: Problem) {
        if self.out.problems.len() < MOST_PROBLEMS {
            self.out.problems.push((at, problem));
        } else {
            self.out.more_problems += 1;
        }
    }

    /// The rest of the line, if it is no longer than a row of a board could be; else nothing. Many games may stand on one
    /// line, and not every one may look for its end.
    fn short_line(&self) -> &'a str {
        const MOST: usize = 512;
        let bytes = &self.bytes[self.at..];
        let head = &bytes[..bytes.len().min(MOST)];
        note(Work::Bytes, head.len());
        match memchr(b'\n', head) {
            Some(end) => &self.text[self.at..self.at + end],
            None if head.len() == bytes.len() => &self.text[self.at..],
            None => "",
        }
    }

    fn rest_of_line(&self) -> &'a str {
        let end = memchr(b'\n', &self.bytes[self.at..]).map_or(self.bytes.len(), |end| self.at + end);
        note(Work::Bytes, end - self.at);
        let line = &self.text[self.at..end];
        line.strip_suffix('\r').unwrap_or(line)
    }

    #[inline]
    fn take_move(&mut self, token: crate::notation::Token, used: usize) {
        let text = &self.text[self.at..self.at + used];
        self.push(Event::Move { token, text });
        self.out.moves += 1;
        self.last_move = self.at;
        self.at += used;
        // A check or mate sign belongs to the move; `+C-2` behind a blank is the next one.
        while matches!(self.bytes.get(self.at), Some(b'+' | b'#'))
            && !self.bytes.get(self.at + 1).is_some_and(u8::is_ascii_alphanumeric)
        {
            self.at += 1;
        }
    }

    /// Whether a move at the head of a line begins the next game of a list without numbers: games stand in paragraphs
    /// there, each under its heading.
    fn begins_list(&mut self) -> bool {
        let heading = self.out.page.last().is_some_and(|page| page.start > self.last_move);
        if !heading || self.number != 0 || !self.brackets.is_empty() || self.out.moves < 4 {
            return false;
        }
        self.leave_heading();
        true
    }

    /// Page text between the last move and the first of the next game is the heading of the latter.
    fn leave_heading(&mut self) {
        let first = self.out.page.partition_point(|page| page.start <= self.last_move);
        if let Some(heading) = self.out.page.get(first) {
            self.at = heading.start;
            self.out.page.truncate(first);
        }
    }

    fn new_line(&mut self) -> Option<Stop> {
        self.at += 1;
        let blanks = self.bytes[self.at..].iter().take_while(|&&b| matches!(b, b' ' | b'\t' | b'\r')).count();
        let empty = self.line.start + 1 >= self.at;
        self.line = Line { start: self.at + blanks, after_blank: empty, play: false, checked: false };
        self.at = self.line.start;
        match self.bytes.get(self.at) {
            Some(b'[') if tags::starts_tag(&self.text[self.at..]) => Some(Stop::Tag),
            Some(b'%') => {
                self.page_line();
                None
            }
            // A board drawn before the moves.
            Some(_) if self.out.moves == 0 && is_board_row(self.short_line()) => {
                self.page_line();
                None
            }
            _ => None,
        }
    }

    /// A number or a result that begins with a digit.
    fn digits(&mut self) -> Option<Stop> {
        let start = self.at;
        let mut value = 0u32;
        let mut end = start;
        while let Some(digit) = self.bytes.get(end).filter(|b| b.is_ascii_digit()) {
            value = value.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
            end += 1;
        }
        note(Work::Bytes, end - start);
        match self.bytes.get(end) {
            Some(b'.') => {
                self.at = end + 1;
                return self.take_number(start, value);
            }
            Some(b'-' | b'/' | b':' | b'+' | b'=') => {
                if let Some((result, used)) = result_token(&self.text[start..]) {
                    return self.take_result(result, used);
                }
                if let Some((token, used)) = read_move(&self.text[start..]) {
                    self.take_move(token, used);
                    return None;
                }
            }
            _ => {}
        }
        self.number_without_dot(start, end, value)
    }

    fn number_without_dot(&mut self, start: usize, end: usize, value: u32) -> Option<Stop> {
        let rest = &self.text[end..];
        let mark = rest.chars().next().filter(|c| matches!(c, '．' | '、' | ')' | '）' | ':' | '：' | '…'));
        if let Some(mark) = mark {
            // `…` is left for the place holder.
            self.at = end + if mark == '…' { 0 } else { mark.len_utf8() };
            return self.take_number(start, value);
        }
        if let Some((result, used)) = result_token(&self.text[start..]) {
            return self.take_result(result, used);
        }
        // A bare number counts only before a move.
        let behind = rest.trim_start_matches([' ', '\t', '\u{3000}']);
        if value < 10_000 && read_move(behind).is_some() {
            self.at = end;
            return self.take_number(start, value);
        }
        self.other()
    }

    fn take_number(&mut self, start: usize, round: u32) -> Option<Stop> {
        if self.brackets.is_empty() {
            if round == 1 && self.number > 1 && self.line.after_blank && start == self.line.start && self.out.moves > 2
            {
                self.at = start;
                self.leave_heading();
                return Some(Stop::Restart);
            }
            if self.number != 0 && round != self.number && round != self.number + 1 {
                self.problem(start, Problem::Jump { from: self.number, to: round });
            }
            self.number = round;
        }
        self.entries.push(Entry { at: start as u32, event: Event::Number { round, black: false } });
        self.line.play = true;
        if self.bytes.get(self.at) == Some(&b'.') {
            self.dots(1);
        }
        None
    }

    /// Dots behind a number stand for Red's ply.
    fn dots(&mut self, len: usize) {
        let start = self.at;
        self.at += len;
        while let Some(len) = dot_len(&self.bytes[self.at..]) {
            self.at += len;
        }
        note(Work::Bytes, self.at - start);
        let several = self.at - start > 1 || self.bytes.get(start.wrapping_sub(1)) == Some(&b'.');
        if let Some(Entry { event: Event::Number { black, .. }, .. }) = self.entries.last_mut()
            && several
        {
            *black = true;
        }
    }

    fn mark(&mut self) {
        let rest = &self.text[self.at..];
        let signs: String = rest.chars().take(3).map(|c| if matches!(c, '!' | '！') { '!' } else { c }).collect();
        let signs = signs.replace('？', "?");
        let (number, count) = match signs.as_bytes() {
            [b'!', b'!', ..] => (3, 2),
            [b'?', b'?', ..] => (4, 2),
            [b'!', b'?', ..] => (5, 2),
            [b'?', b'!', ..] => (6, 2),
            [b'!', ..] => (1, 1),
            _ => (2, 1),
        };
        if self.out.moves > 0 {
            self.push(Event::Mark(number));
        }
        self.at += rest.chars().take(count).map(char::len_utf8).sum::<usize>();
    }

    fn take_result(&mut self, result: GameResult, used: usize) -> Option<Stop> {
        if !self.brackets.is_empty() {
            // Within a side line it only says how that line ends.
            let text = &self.text[self.at..self.at + used];
            self.push(Event::Comment(text));
            self.at += used;
            return None;
        }
        self.out.result = Some(result);
        self.out.moves_end = self.at;
        self.at += used;
        Some(Stop::Result)
    }

    /// `{…}`. A comment that never ends stops before the next game, or before the line that carries on the numbering.
    fn comment(&mut self) {
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
    fn block_comment(&mut self) {
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

    fn is_next_round(&self, at: usize) -> bool {
        let line = self.text[at..].trim_start_matches([' ', '\t']);
        let number: IResult<&str, &str> = digit1(line);
        number.is_ok_and(|(rest, digits)| {
            rest.starts_with(['.', '．', '、'])
                && digits.parse().is_ok_and(|n: u32| n == self.number || n == self.number + 1)
        })
    }

    fn take_comment(&mut self, range: Range<usize>) {
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
    fn open(&mut self, bracket: &'static str) {
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
    fn look_ahead(&self) -> (usize, bool) {
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
    fn closing(&mut self) -> Option<usize> {
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

    fn close(&mut self, len: usize) {
        if self.brackets.pop().is_some() {
            self.push(Event::Close);
        } else {
            self.problem(self.at, Problem::StrayClose);
        }
        self.at += len;
    }

    /// Everything that is rare.
    #[cold]
    fn other(&mut self) -> Option<Stop> {
        let rest = &self.text[self.at..];
        let c = rest.chars().next()?;
        match c {
            '\u{3000}' | '\u{A0}' | '\u{FEFF}' | '\u{200B}' | '\u{2002}'..='\u{200A}' | '\u{FFFD}' => {
                self.at += c.len_utf8();
            }
            '（' => self.open("（"),
            '）' => self.close(c.len_utf8()),
            '！' | '？' => self.mark(),
            '…' | '．' | '。' => self.dots(c.len_utf8()),
            '$' => {
                let nag: IResult<&str, &str> = preceded(char('$'), digit1).parse(rest);
                match nag {
                    Ok((behind, digits)) => {
                        if let Ok(number) = digits.parse() {
                            self.push(Event::Mark(number));
                        }
                        self.at += rest.len() - behind.len();
                    }
                    Err(_) => self.unreadable(),
                }
            }
            '/' if rest.starts_with("/*") => self.block_comment(),
            '*' => return self.take_result(GameResult::Unknown, 1),
            '½' | '０' | '１' if result_token(rest).is_some() => {
                let (result, used) = result_token(rest)?;
                return self.take_result(result, used);
            }
            '０'..='９' => return self.wide_number(),
            '}' => {
                self.problem(self.at, Problem::StrayClose);
                self.at += 1;
            }
            _ => {
                if let Some((result, used)) = result_word(rest) {
                    if self.out.moves > 0 {
                        return self.take_result(result, used);
                    }
                    self.early.get_or_insert(result);
                }
                if !self.glued() {
                    self.unreadable();
                }
            }
        }
        None
    }

    fn wide_number(&mut self) -> Option<Stop> {
        let start = self.at;
        let mut value = 0u32;
        let mut end = start;
        for c in self.text[start..].chars() {
            let Some(digit) = wide_digit(c) else { break };
            value = value.saturating_mul(10).saturating_add(digit);
            end += c.len_utf8();
        }
        if self.bytes.get(end) == Some(&b'.') {
            self.at = end + 1;
            return self.take_number(start, value);
        }
        let rest = &self.text[end..];
        let mark = rest.chars().next().filter(|c| matches!(c, '．' | '、' | ')' | '）' | ':' | '：'));
        let bare = value < 10_000 && read_move(rest.trim_start_matches([' ', '\t', '\u{3000}'])).is_some();
        if mark.is_none() && !bare {
            self.unreadable();
            return None;
        }
        self.at = end + mark.map_or(0, char::len_utf8);
        self.take_number(start, value)
    }

    /// Moves in letters that touch each other: `h2e2h9g7`, `Ｃ２＝５Ｈ８＋７`.
    fn glued(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let letter = |c: char| c.is_ascii_alphanumeric() || ('０'..='ｚ').contains(&c);
        if !rest.starts_with(|c| letter(c) || matches!(c, '+' | '-' | '＋' | '－')) {
            return false;
        }
        for count in [4, 5] {
            let Some((len, next)) = rest.char_indices().nth(count) else { return false };
            if letter(next)
                && let Some((token, used)) = read_move(&rest[..len])
                && used == len
            {
                self.take_move(token, used);
                return true;
            }
        }
        false
    }

    /// Text that is nothing known: a page line if the whole line holds no move, else an entry for the replayer.
    fn unreadable(&mut self) {
        if !self.line.play && !self.line.checked {
            if !has_move(self.rest_of_line()) {
                return self.page_line();
            }
            self.line.checked = true;
        }
        let rest = &self.text[self.at..];
        let mut len = 0;
        for (at, c) in rest.char_indices() {
            let ends = c.is_whitespace() || matches!(c, '{' | '(' | ')' | ';' | '（' | '）');
            if at > 0 && (ends || (!c.is_ascii() && read_move(&rest[at..]).is_some())) {
                break;
            }
            len = at + c.len_utf8();
        }
        let text = &rest[..len];
        // Lone punctuation between moves says nothing.
        if text.chars().any(|c| !is_punctuation(c)) {
            self.push(Event::Text(text));
            self.out.text_bytes += len;
        }
        self.at += len;
    }

    /// Keeps the rest of the line as page text.
    fn page_line(&mut self) {
        let line = self.rest_of_line();
        // A line that has the look of a damaged move must not vanish between the moves.
        if self.out.moves > 0 && looks_damaged(line) {
            self.push(Event::Text(line.trim_end()));
            self.out.text_bytes += line.len();
        } else if !line.trim().is_empty() {
            self.out.page.push(self.at..self.at + line.len());
        }
        self.at += line.len();
    }
}

/// A short line with a direction in it, or with a character that could not be read.
fn looks_damaged(line: &str) -> bool {
    let line = line.trim();
    line.chars().count() <= 10
        && (line.contains(['进', '退', '平', '進']) || line.contains('\u{FFFD}'))
        && line.contains(|c: char| numeral(c))
}

fn numeral(c: char) -> bool {
    c.is_ascii_digit() || wide_digit(c).is_some() || "一二三四五六七八九".contains(c)
}

fn has_move(line: &str) -> bool {
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        let starts = !before.is_ascii_alphanumeric() || !c.is_ascii();
        if starts && !c.is_whitespace() && read_move(&line[at..]).is_some() {
            return true;
        }
        before = c;
    }
    false
}

fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c, '，' | '、' | '；' | '：' | '。' | '·' | '—' | '－' | '＝' | '“' | '”' | '─' | '～')
}

fn wide_digit(c: char) -> Option<u32> {
    ('０'..='９').contains(&c).then(|| c as u32 - '０' as u32)
}

fn dot_len(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'.', ..] => Some(1),
        [0xE2, 0x80, 0xA6, ..] | [0xEF, 0xBC, 0x8E, ..] => Some(3),
        _ => None,
    }
}

/// `1-0`, `0-1`, `1/2-1/2` and their relatives, standing alone.
pub(super) fn result_token(text: &str) -> Option<(GameResult, usize)> {
    const TOKENS: [&str; 12] =
        ["1-0", "0-1", "1/2-1/2", "1/2 - 1/2", "1/2", "½-½", "0.5-0.5", "1:0", "0:1", "１－０", "０－１", "1–0"];
    let token = TOKENS.iter().find(|token| text.starts_with(**token))?;
    let behind = text[token.len()..].chars().next();
    if behind.is_some_and(|c| c.is_alphanumeric() && c.is_ascii() || matches!(c, '-' | '/' | ':')) {
        return None;
    }
    let plain: String = token
        .chars()
        .map(|c| match c {
            '１' => '1',
            '０' => '0',
            '－' | '–' => '-',
            c => c,
        })
        .filter(|c| *c != ' ')
        .collect();
    Some((GameResult::read(&plain)?, token.len()))
}

/// 红胜, 和棋, 红先负 … as a word of its own.
fn result_word(text: &str) -> Option<(GameResult, usize)> {
    let rest: IResult<&str, &str> =
        take_while_m_n(1, 7, |c| "红紅黑先后後胜勝负負和棋局平定手方".contains(c)).parse(text);
    let (rest, word) = rest.ok()?;
    let ends = rest.chars().next().is_none_or(|c| c.is_whitespace() || is_punctuation(c) || c.is_ascii_digit());
    let result = GameResult::read(word).filter(|_| ends)?;
    Some((result, word.len()))
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
