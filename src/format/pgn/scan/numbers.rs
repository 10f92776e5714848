//! Numbers of rounds that are not written in digits, moves in bare digits and in words, names of the sides.
//!
//! What may be a number may as well be a footnote, and four digits a year. A number counts if a ply follows it, and if the
//! rounds before it are numbered in the same way; digits and words are moves if the record begins with them.

use super::words::is_punctuation;
use super::{Scan, Stop};
use crate::notation::{
    Form, Number, Shape, looks_like_move, read_english, read_move, read_number, read_whole, side_label,
};
use crate::replay::{Entry, Event};

const BLANKS: [char; 4] = [' ', '\t', '\u{3000}', '\u{A0}'];

impl Scan<'_, '_> {
    /// `第一回合`, `一、`, `①`, `【1】`: a round number in front of a ply. `None` if there is none.
    pub(super) fn shaped_number(&mut self) -> Option<Option<Stop>> {
        let start = self.at;
        let rest = &self.text[start..];
        let number = read_number(rest).filter(|number| number.shape != Shape::Digits)?;
        // A bare 一 counts only where the next round is due.
        let stands = start == self.line.start
            || self.shape == Some(Shape::Han) && self.text[..start].ends_with(char::is_whitespace);
        let due = stands && self.number.checked_add(1) == Some(number.value);
        let stands_out = number.marked || due && rest[number.used..].starts_with(BLANKS);
        if !stands_out || !self.is_usual(number.shape) || !self.play_follows(start + number.used) {
            return None;
        }
        Some(self.take_shaped(&number))
    }

    /// `三 兵七进一` at the head of a line is round 3 where rounds are numbered so, else the third pawn.
    pub(super) fn han_number(&mut self) -> Option<Option<Stop>> {
        let first = self.text[self.at..].chars().next()?;
        if "一二三四五".contains(first) { self.shaped_number() } else { None }
    }

    /// `(1)` in front of a ply, where rounds are numbered so.
    pub(super) fn bracketed_number(&mut self) -> Option<Option<Stop>> {
        let number = read_number(&self.text[self.at..]).filter(|number| number.shape == Shape::Bracketed)?;
        let follows = self.brackets.is_empty() && self.is_usual(number.shape);
        (follows && self.play_follows(self.at + number.used)).then(|| self.take_shaped(&number))
    }

    /// Whether rounds of this record are numbered in this shape.
    fn is_usual(&self, shape: Shape) -> bool {
        shape == Shape::Named || self.shape.map_or(self.out.moves == 0, |usual| usual == shape)
    }

    fn take_shaped(&mut self, number: &Number) -> Option<Stop> {
        let start = self.at;
        let written = &self.text[start..start + number.used];
        // The dots of a ply left out are read again, all but the first.
        let dots = written.len() - written.trim_end_matches('.').len();
        self.at += number.used - dots.saturating_sub(1);
        self.shape.get_or_insert(number.shape);
        self.take_number(start, number.value)
    }

    /// Whether a ply stands at a place: a move, perhaps behind the name of its side or on the next line, dots in its stead,
    /// or what looks like a move.
    fn play_follows(&self, at: usize) -> bool {
        /// Empty lines and blanks between a number and its move.
        const GAP: usize = 64;
        let rest = self.text[at..].trim_start_matches(BLANKS);
        let rest = match rest.starts_with(['\r', '\n']) {
            true => {
                let behind = rest.trim_start();
                if rest.len() - behind.len() > GAP {
                    return false;
                }
                behind
            }
            false => rest,
        };
        let rest = &rest[side_label(rest)..];
        rest.starts_with('…')
            || rest.starts_with("..")
            || read_move(rest).is_some()
            || read_english(rest).is_some()
            || group_len(rest).is_some()
            || first_word(rest).is_some_and(looks_like_move)
    }

    /// Whether a semicolon parts moves, `炮二平五;马8进7;马二进三`: all of the line behind it are moves, and more than one.
    pub(super) fn parts_moves(&mut self) -> bool {
        const MOST: usize = 512;
        let rest = self.short_line();
        if self.line.parted || rest.is_empty() || self.text[..self.at].ends_with(char::is_whitespace) {
            return self.line.parted;
        }
        // The line from its beginning: its last semicolon parts moves too.
        let line = &self.text[self.line.start..self.at + rest.len()];
        let mut parts = line.split(';').map(str::trim).filter(|part| !part.is_empty());
        self.line.parted =
            line.len() <= MOST && line.matches(';').count() > 1 && parts.all(|part| read_whole(part).is_some());
        self.line.parted
    }

    /// A number that touches the text before it and counts nothing is the sign of a footnote.
    pub(super) fn footnote(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let touches = self.line.play && !self.text[..self.at].ends_with(char::is_whitespace);
        let Some(number) = read_number(rest).filter(|number| number.shape == Shape::Enclosed && touches) else {
            return false;
        };
        let sign = &rest[..rest.chars().next().map_or(number.used, char::len_utf8)];
        self.push(Event::Comment(sign));
        self.at += sign.len();
        true
    }

    /// `7747`, or `77477062` at once, in a record that is written so.
    pub(super) fn digit_groups(&mut self, start: usize, end: usize) -> bool {
        let Some(len) = group_len(&self.text[start..]).filter(|&len| start + len == end) else { return false };
        let expected = match self.first_form {
            Some(form) => form == Form::Digits,
            None => match self.entries.last() {
                Some(Entry { event: Event::Number { .. }, .. }) => len == 4,
                _ => self.groups_follow(),
            },
        };
        if !expected {
            return false;
        }
        while self.at < end {
            let Some(token) = read_whole(&self.text[self.at..self.at + 4]) else { return false };
            self.take_move(token, 4);
        }
        true
    }

    /// Whether the text goes on with two groups of four digits, and nothing else but numbers stands on their lines.
    fn groups_follow(&self) -> bool {
        /// Two short lines.
        const MOST: usize = 512;
        let mut end = (self.at + MOST).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let head = self.text[self.at..end].trim_start();
        let next = head.find('\n').map_or(head.len(), |end| end + 1);
        let behind = head[next..].find('\n').map_or(head.len(), |end| next + end);
        line_groups(&head[..next]) >= 2 || line_groups(&head[..behind]) >= 2
    }

    /// A move in words, in a record that begins with one.
    pub(super) fn in_words(&mut self) -> bool {
        let expected = self.brackets.is_empty() && (self.out.moves == 0 || self.words);
        match read_english(&self.text[self.at..]).filter(|_| expected) {
            Some((token, used)) => {
                self.words = true;
                self.take_move(token, used);
                true
            }
            None => false,
        }
    }

    /// `红方：` in front of a ply.
    pub(super) fn side_named(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let label = side_label(rest);
        let named = label > 0 && (read_move(&rest[label..]).is_some() || read_english(&rest[label..]).is_some());
        if named {
            self.at += label;
        }
        named
    }
}

/// The first word of a text, if it is no longer than a move.
fn first_word(text: &str) -> Option<&str> {
    const MOST: usize = 8;
    let mut chars = text.char_indices().take(MOST + 1);
    match chars.find(|(_, c)| c.is_whitespace()) {
        Some((end, _)) => Some(&text[..end]),
        None => (text.chars().take(MOST + 1).count() <= MOST).then_some(text),
    }
}

/// Length of the groups of four digits at the start of a text, if nothing else touches them.
pub(super) fn group_len(text: &str) -> Option<usize> {
    /// No longer run of digits is looked through: more moves in one are not met.
    const MOST: usize = 4096;
    let len = text.bytes().take(MOST).take_while(u8::is_ascii_digit).count();
    let ends = text[len..].chars().next().is_none_or(|c| c.is_whitespace() || is_separator(c));
    (len > 0 && len % 4 == 0 && ends).then_some(len)
}

/// How many groups of four digits there are, none if anything else but numbers stands among them.
fn line_groups(line: &str) -> usize {
    let words = line.split(|c: char| c.is_whitespace() || is_separator(c)).filter(|word| !word.is_empty());
    let mut groups = 0;
    for word in words {
        match group_len(word) {
            Some(len) => groups += len / 4,
            None if word.chars().all(|c| c.is_ascii_digit() || is_punctuation(c)) => {}
            None => return 0,
        }
    }
    groups
}

fn is_separator(c: char) -> bool {
    matches!(c, ',' | '，' | '、' | ';' | '；')
}

/// Whether a line holds a move in words. Asked only of lines without any other move.
pub(super) fn has_words(line: &str) -> bool {
    let mut before = ' ';
    line.char_indices().any(|(at, c)| {
        let starts = c.is_ascii_alphabetic() && !before.is_ascii_alphanumeric();
        before = c;
        starts && read_english(&line[at..]).is_some()
    })
}
