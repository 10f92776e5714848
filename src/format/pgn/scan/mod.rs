//! Move text to a row of entries.
//!
//! Comes in: text behind the tags. Goes out: moves, numbers, comments, marks, clock times and brackets in their order,
//! and where the game ends. No board is needed. One pass: every look ahead is remembered, so that no text is walked more
//! than a fixed number of times, and brackets are counted, not descended into.
//!
//! Forgiven: everything touching (`1.兵七进一炮2平32.兵三进一`), numbers in any shape (`１．`, `1、`, `1 `, `第一回合`, `①`, `(1)`), dots or
//! blanks for the other side's ply, `{}`, `;`, `/* */` and `（）` comments, full-width marks, page text (whole lines
//! without a move), an unclosed comment or bracket.
//!
//! This page walks along; `comment.rs` knows comments and brackets, `numbers.rs` numbers that are not digits and moves that are
//! nothing else, `rare.rs` what is rarely met, `words.rs` results.

mod comment;
mod numbers;
mod rare;
mod words;

use super::tags;
use crate::diagram::is_board_row;
use crate::game::GameResult;
use crate::notation::{Form, Shape, read_english, read_move};
use crate::replay::{Entry, Event};
use crate::work::{Work, note};
use memchr::memchr;
use std::ops::Range;
use words::result_token;

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
    /// A number for the second time, behind a whole round.
    Repeat { round: u32 },
    /// More entries than are read of one game.
    Limit,
}

/// So many entries are read of one game; the largest record known has 226,491 plies.
pub(super) const MOST_ENTRIES: usize = 1 << 20;

/// Side lines within side lines are read to this depth; nobody writes more than a few dozen.
const MOST_DEPTH: usize = 1 << 14;

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
    /// How its rounds are numbered, if not in plain digits.
    pub shape: Option<Shape>,
    /// The moves stand on a grid, not in the order of the text.
    pub drawn: bool,
    /// The moves are written in words.
    pub words: bool,
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
        numbered: 0,
        shape: None,
        main_moves: 0,
        first_form: None,
        words: false,
        line: Line { start: from, after_blank: true, play: false, checked: false, parted: false },
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
    /// Semicolons on it part moves.
    parted: bool,
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
    /// How many moves of the main line stand before it.
    numbered: usize,
    /// How rounds are numbered, if not in plain digits.
    shape: Option<Shape>,
    main_moves: usize,
    /// The form of the first move.
    first_form: Option<Form>,
    /// The first move is written in words.
    words: bool,
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
                b'(' => {
                    if let Some(stop) = self.open("(") {
                        return self.stop(stop);
                    }
                }
                b')' => self.close(1),
                b'.' => self.dots(1),
                b'!' | b'?' => self.mark(),
                b';' if self.parts_moves() => self.at += 1,
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
                    if byte >= 0xE4
                        && self.at == self.line.start
                        && let Some(stop) = self.han_number()
                    {
                        match stop {
                            Some(stop) => return self.stop(stop),
                            None => continue,
                        }
                    }
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
        self.out.shape = self.shape;
        self.out.words = self.words;
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
        if self.out.moves == 0 {
            self.first_form = Some(token.form());
        }
        self.out.moves += 1;
        self.main_moves += usize::from(self.brackets.is_empty());
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
        self.line = Line { start: self.at + blanks, after_blank: empty, play: false, checked: false, parted: false };
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
        if self.digit_groups(start, end) {
            return None;
        }
        // A bare number counts only before a move.
        let behind = rest.trim_start_matches([' ', '\t', '\u{3000}']);
        // `1 . 炮二平五`, `1-炮二平五`, `1|炮二平五`: only if nothing else can be meant.
        let behind =
            behind.trim_start_matches(['.', '．', '、', ':', '：', '-', '/', '|', '｜', ',', '，', ' ', '\u{3000}']);
        let words = self.words || self.out.moves == 0;
        if value < 10_000 && (read_move(behind).is_some() || words && read_english(behind).is_some()) {
            self.at = end;
            return self.take_number(start, value);
        }
        self.other()
    }

    fn take_number(&mut self, start: usize, round: u32) -> Option<Stop> {
        if self.brackets.is_empty() {
            let heading = self.out.page.last().is_some_and(|page| page.start > self.last_move);
            let anew = self.number > 1 && self.line.after_blank && self.out.moves > 2
                || self.number > 0 && heading && self.main_moves >= 2;
            if round == 1 && anew && start == self.line.start {
                self.at = start;
                self.leave_heading();
                return Some(Stop::Restart);
            }
            if self.number != 0 && round != self.number && round != self.number.saturating_add(1) {
                self.problem(start, Problem::Jump { from: self.number, to: round });
            } else if round == self.number && self.main_moves >= self.numbered + 2 {
                self.problem(start, Problem::Repeat { round });
                self.numbered = self.main_moves;
            }
            if round != self.number {
                self.numbered = self.main_moves;
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
        let in_main = self.brackets.is_empty() && self.number != 0;
        match self.entries.last_mut() {
            Some(Entry { event: Event::Number { black, .. }, .. }) if several => *black = true,
            // Behind a ply they stand for the next one.
            Some(Entry { event: Event::Move { .. }, .. })
                if in_main
                    && self.text[start..].starts_with(['…', '.'])
                    && (self.text[start..self.at].chars().count() > 1 || self.bytes[start] != b'.') =>
            {
                let event = Event::Number { round: self.number, black: true };
                self.entries.push(Entry { at: start as u32, event });
            }
            _ => {}
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
}

fn dot_len(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [b'.', ..] => Some(1),
        [0xE2, 0x80, 0xA6, ..] | [0xEF, 0xBC, 0x8E, ..] => Some(3),
        _ => None,
    }
}
