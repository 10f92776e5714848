//! The audit of a claim as a page that an arbiter shows to both players, in Chinese or English, as text or as HTML to
//! print.
//!
//! Comes in: an audit with the start and the moves it is about. Goes out: first the figures, then the verdict with its
//! articles, the board at the last capture and at the claim, and every ply of the stretch with what it counted as, so
//! that both players can follow on a board. The HTML is one file without scripts, fonts or links.

mod html;
mod wording;

use super::limit::{Audit, HoleCapture};
use crate::board::{Move, Position};
use crate::diagram::Diagram;
use std::fmt::Write as _;
use wording::{Wording, trace_line};

/// Language of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// 中文.
    Chinese,
    /// English.
    #[default]
    English,
}

/// What a page is made from.
#[derive(Clone, Copy)]
pub struct LimitPage<'a> {
    /// The audit.
    pub audit: &'a Audit,
    /// The position before the first ply.
    pub start: &'a Position,
    /// The plies of the audited game, a pending move at its place among them.
    pub moves: &'a [Move],
    /// How a move is written in a position (four characters, for instance).
    pub move_text: &'a dyn Fn(Move, &Position) -> String,
    /// What the page calls the game: players, event, file. May be empty.
    pub title: &'a str,
}

impl std::fmt::Debug for LimitPage<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LimitPage").field("title", &self.title).field("audit", self.audit).finish_non_exhaustive()
    }
}

/// A board of the page: what it shows, and the ply behind which it stands.
struct Board {
    caption: String,
    position: Position,
    last: Option<Move>,
}

impl LimitPage<'_> {
    /// The page as plain text.
    pub fn to_text(&self, language: Language) -> String {
        let words = self.words(language);
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}\n{}\n", words.title, "=".repeat(words.rule_width));
        if !self.title.is_empty() {
            let _ = writeln!(out, "{}\n", self.title);
        }
        for (name, value) in &words.facts {
            let _ = writeln!(out, "{name}{}{value}", words.colon);
        }
        let _ = writeln!(out, "\n{}{}{}", words.verdict.0, words.colon, words.verdict.1);
        for (name, value) in &words.behind {
            let _ = writeln!(out, "{name}{}{value}", words.colon);
        }
        for board in self.boards(&words) {
            let mut diagram = Diagram::new(&board.position);
            if let Some(m) = board.last {
                diagram = diagram.last_move(m);
            }
            let _ = write!(out, "\n{}\n\n{}", board.caption, diagram.to_text());
        }
        let _ = writeln!(out, "\n{}\n\n{}", words.method, words.legend);
        self.each_ply(|text, line| {
            let _ = trace_line(line, text, language, &mut out);
        });
        out
    }

    /// The page as HTML for a browser and its printer.
    pub fn to_html(&self, language: Language) -> String {
        html::draw(self, language)
    }

    fn words(&self, language: Language) -> Wording {
        let capture = self.audit.last_capture.as_ref().map_or_else(String::new, |capture| {
            (self.move_text)(capture.m, &self.position_after(capture.ply.saturating_sub(1) as usize))
        });
        Wording::new(self.audit, &capture, language)
    }

    /// Every ply of the trace with its text.
    fn each_ply(&self, mut f: impl FnMut(&str, &super::limit::Traced)) {
        let first = self.audit.trace.first().map_or(0, |t| t.ply as usize);
        let mut position = self.position_after(first.saturating_sub(1));
        for line in &self.audit.trace {
            f(&(self.move_text)(line.m, &position), line);
            position.play(line.m);
        }
    }

    fn position_after(&self, plies: usize) -> Position {
        let mut position = *self.start;
        for &m in self.moves.iter().take(plies) {
            position.play(m);
        }
        position
    }

    /// The boards behind the last capture (or at the start) and at the claim.
    fn boards(&self, words: &Wording) -> [Board; 2] {
        let board = |caption: &str, ply: u32| {
            let ply = ply as usize;
            let last = ply.checked_sub(1).and_then(|index| self.moves.get(index)).copied();
            Board { caption: caption.to_string(), position: self.position_after(ply), last }
        };
        [board(&words.at_capture, self.audit.last_capture_ply), board(&words.at_claim, self.audit.at)]
    }
}

/// What a hole's capture question is called on a page.
pub fn hole_capture_text(capture: HoleCapture, language: Language) -> &'static str {
    match (capture, language) {
        (HoleCapture::Must, Language::Chinese) => "其中必有吃子",
        (HoleCapture::May, Language::Chinese) => "其中可能有吃子",
        (HoleCapture::Cannot, Language::Chinese) => "其中不可能有吃子",
        (HoleCapture::Must, Language::English) => "a capture must lie in it",
        (HoleCapture::May, Language::English) => "a capture may lie in it",
        (HoleCapture::Cannot, Language::English) => "no capture can lie in it",
    }
}
