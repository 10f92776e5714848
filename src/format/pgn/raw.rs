//! One game as text: where its tags, its move text and what belongs to no game begin and end.
//!
//! Comes in: decoded text. Goes out: tags, entries of the move text, page lines, and where the next game may start. Forgives:
//! page text between games, games without tags, results in running text.

use super::scan::{Scanned, Stop, scan};
use super::{board, drawn, read, split, tags};
use crate::notation::Shape;
use crate::replay::Entry;
use std::ops::Range;

/// Tags of one game beyond this many are passed over.
pub(super) const MOST_TAGS: usize = 4096;

/// A game without tags has no more than so many bytes of other text for each move.
const PROSE: usize = 48;

/// A record in words, which prose is too, has less.
const WORDY: usize = 12;

/// One game as text.
#[derive(Debug, Default)]
pub(super) struct Raw<'t> {
    pub start: usize,
    pub end: usize,
    pub tags: Vec<(usize, tags::Tag<'t>)>,
    /// How many tags behind [`MOST_TAGS`] were passed over.
    pub tags_left_out: usize,
    /// Where the move text starts.
    pub moves: usize,
    pub scanned: Scanned,
    /// Lines that belong to no game.
    pub page: Vec<Range<usize>>,
    /// A board drawn before the moves, where no tag names the start position.
    pub board: Option<board::Drawn>,
    /// An end of a line, as [`tags::read_tag`] found it.
    line_end: usize,
}

impl<'t> Raw<'t> {
    /// Reads the next game at or behind `from`; returns where the text goes on, or `None` if there is no game.
    pub fn read(&mut self, text: &'t str, from: usize, entries: &mut Vec<Entry<'t>>) -> Option<usize> {
        self.tags.clear();
        self.tags_left_out = 0;
        self.page.clear();
        entries.clear();
        self.start = from;
        let mut at = from;
        loop {
            at = self.read_tags(text, at);
            self.moves = at;
            self.scanned = drawn::read(text, at, entries).unwrap_or_else(|| scan(text, at, entries));
            self.page.append(&mut self.scanned.page);
            self.board = self.find_board(text, entries);
            let scanned = &self.scanned;
            at = scanned.end;
            let nothing = scanned.moves == 0 && (self.tags.is_empty() || scanned.result.is_none());
            if scanned.stop == Stop::Tag && nothing && (self.tags.is_empty() || !self.begins_game(text, at)) {
                // Page text before or between the tags.
                continue;
            }
            if self.tags.is_empty() && (scanned.moves == 0 || self.is_prose()) {
                // A star, a score or a move in running text.
                entries.clear();
                if scanned.stop == Stop::End || scanned.stop == Stop::Limit {
                    return None;
                }
                self.start = at;
                self.page.clear();
                continue;
            }
            break;
        }
        if matches!(self.scanned.stop, Stop::Result) {
            at = self.read_trailer(text, at);
        } else if self.scanned.stop == Stop::Limit {
            at = skip_game(text, at);
        }
        self.end = at;
        Some(at)
    }

    fn find_board(&self, text: &str, entries: &[Entry<'_>]) -> Option<board::Drawn> {
        let first = entries.first()?.at as usize;
        let named =
            self.tags.iter().any(|(_, tag)| tag.name.eq_ignore_ascii_case("FEN") && !tag.value.trim().is_empty());
        if named { None } else { board::find(text, &self.page, first) }
    }

    /// Whether moves without tags are only mentioned: there is far more other text around them.
    fn is_prose(&self) -> bool {
        let page: usize = self.page.iter().map(Range::len).sum();
        let page = page.saturating_sub(self.board.as_ref().map_or(0, |board| board.len));
        page + self.scanned.text_bytes > self.scanned.moves * if self.scanned.words { WORDY } else { PROSE }
    }

    /// Reads tag lines and the empty lines around them.
    fn read_tags(&mut self, text: &'t str, from: usize) -> usize {
        let mut at = from;
        loop {
            let bytes = text.as_bytes();
            let blanks =
                |at: usize| bytes[at..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')).count();
            let mut here = at + blanks(at);
            if text[here..].starts_with('\u{FEFF}') {
                here += '\u{FEFF}'.len_utf8();
                here += blanks(here);
            }
            if bytes.get(here) != Some(&b'[') {
                return at;
            }
            if here > at && self.begins_game(text, here) && !self.tags.is_empty() {
                return here;
            }
            let Some(tag) = tags::read_tag(text, here, &mut self.line_end) else { return at };
            at = tag.end;
            if self.tags.len() < MOST_TAGS {
                self.tags.push((here, tag));
            } else {
                self.tags_left_out += 1;
            }
        }
    }

    /// Whether the tag line at `at` is the first of another game: `Event` or `Game` for the second time.
    fn begins_game(&self, text: &str, at: usize) -> bool {
        let line = &text.as_bytes()[at..];
        if !split::is_head(line) {
            return false;
        }
        let name = if line[1].eq_ignore_ascii_case(&b'e') { "Event" } else { "Game" };
        self.tags.iter().any(|(_, tag)| tag.name.eq_ignore_ascii_case(name))
            || !split::follows_tag(&text.as_bytes()[..at])
    }

    /// Text behind the result, up to the next game.
    fn read_trailer(&mut self, text: &str, from: usize) -> usize {
        let mut at = from;
        for line in text[from..].split_inclusive('\n') {
            let trimmed = line.trim();
            // The rest of the line with the result on it cannot start a game.
            let usual = |shape| shape == Shape::Digits || self.scanned.shape == Some(shape);
            if at > from && (tags::is_tag_line(trimmed) || read::first_round(trimmed).is_some_and(usual)) {
                return at + (line.len() - line.trim_start().len());
            }
            if !trimmed.is_empty() {
                self.page.push(at..at + line.trim_end().len());
            }
            at += line.len();
        }
        at
    }
}

/// Where the next game starts behind one that was too long.
fn skip_game(text: &str, at: usize) -> usize {
    split::next_start(text.as_bytes(), at).unwrap_or(text.len())
}
