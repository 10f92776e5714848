//! File formats: bytes to games and games to bytes.
//!
//! Comes in: the bytes of one file (or of a piece of it, cut between two games). Goes out: games in the order of the
//! file, each with its findings. A reader never fails as a whole: what cannot be read becomes a finding, the rest is
//! kept, the next game is read. Reading is one pass and linear, with an explicit stack instead of recursion.

use crate::diag::{Finding, Severity};
use crate::game::Game;
use crate::notation::Style;
use std::fmt;
use std::ops::ControlFlow;

/// The file formats known by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Format {
    /// Portable game notation as written for xiangqi.
    Pgn,
    /// XQStudio record, versions 1.0 to 1.8.
    Xqf,
}

impl Format {
    /// The name used on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Pgn => "pgn",
            Format::Xqf => "xqf",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A file, or a part of one that starts at a game's first byte.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The bytes.
    pub bytes: &'a [u8],
    /// The file as the user named it, for findings.
    pub file: &'a str,
    /// Offset of `bytes` in the file.
    pub first_byte: u64,
    /// Line number (from 1) of the first byte.
    pub first_line: u64,
    /// Number (from 1) of the first game.
    pub first_game: u64,
}

impl<'a> Source<'a> {
    /// A whole file.
    pub fn whole(bytes: &'a [u8], file: &'a str) -> Source<'a> {
        Source { bytes, file, first_byte: 0, first_line: 1, first_game: 1 }
    }
}

/// How much of a game could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Every ply of the record was read and is legal.
    Ok,
    /// A part of the plies was read; the findings say what stopped it.
    Partial,
    /// No ply of a record that has plies could be read.
    Failed,
}

/// One game as read from a file.
#[derive(Clone, Debug)]
pub struct ReadGame {
    /// The game.
    pub game: Game,
    /// Its number in the file, from 1.
    pub number: u64,
    /// Name of the encoding its text was read in (`utf-8`, `gb18030`, `big5` …).
    pub encoding: &'static str,
    /// How much of it could be read.
    pub status: Status,
    /// What was found, in the order of the file.
    pub findings: Vec<Finding>,
}

impl ReadGame {
    /// The worst severity among the findings.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|f| f.severity).max()
    }
}

/// What the caller says about the input.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// Encoding to use whatever the bytes look like; `None` finds it from the content.
    pub encoding: Option<&'static encoding_rs::Encoding>,
}

/// How sure a reader is that bytes are in its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Certainly not.
    No,
    /// It could be; nothing better may be known.
    Weak,
    /// It has the look of it.
    Likely,
    /// It carries the signature.
    Certain,
}

/// Takes the games of a file one by one; `Break` ends the reading.
pub type Sink<'s> = dyn FnMut(ReadGame) -> ControlFlow<()> + 's;

/// Reads one format.
pub trait Reader: Sync {
    /// Which format it reads.
    fn format(&self) -> Format;

    /// How sure it is that this is its format, from the first bytes (at least 4 KiB, or all there are).
    fn confidence(&self, head: &[u8]) -> Confidence;

    /// Where a large file may be cut: the offset of the first byte of a game at or after `from`, or `None` if there is
    /// none (or the format holds one game a file). Cutting there and reading the parts gives the same games.
    fn next_game(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let _ = (bytes, from);
        None
    }

    /// Reads every game and returns the findings that belong to no game.
    fn read(&self, source: Source<'_>, options: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding>;
}

/// How games are written.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions {
    /// How moves are written, where the format leaves a choice.
    pub style: Style,
    /// Encoding of the text, where the format leaves a choice.
    pub encoding: &'static encoding_rs::Encoding,
    /// Leave side lines out.
    pub main_line: bool,
}

impl Default for WriteOptions {
    /// Chinese notation, simplified, UTF-8, everything.
    fn default() -> WriteOptions {
        WriteOptions { style: Style::default(), encoding: encoding_rs::UTF_8, main_line: false }
    }
}

/// Writes one format.
pub trait Writer: Sync {
    /// Which format it writes.
    fn format(&self) -> Format;

    /// File name ending without the dot.
    fn extension(&self) -> &'static str;

    /// Whether a file can hold several games; if so, games are simply written one behind the other.
    fn holds_many(&self) -> bool;

    /// Appends one game. Returns a finding for everything the format (or the encoding) cannot hold.
    fn write(&self, game: &Game, options: &WriteOptions, out: &mut Vec<u8>) -> Vec<Finding>;
}
