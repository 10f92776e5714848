//! File formats: bytes to games and games to bytes.
//!
//! Comes in: the bytes of one file (or of a piece of it, cut between two games). Goes out: games in the order of the
//! file, each with its findings. A reader never fails as a whole: what cannot be read becomes a finding, the rest is
//! kept, the next game is read. Reading is one pass and linear, with an explicit stack instead of recursion.

pub mod cbf;
pub mod ccbridge;
pub mod csv_table;
mod detect;
pub mod dhtmlxq;
mod fold;
pub mod json;
mod linear;
pub mod lines;
mod listed;
pub mod mxq;
mod notes;
pub mod page;
pub mod pfc;
pub mod pgn;
pub mod plain;
pub mod qp;
pub mod servers;
mod short_text;
mod sketch;
mod text_file;
pub mod two_line;
pub mod wxf;
mod xml;
pub mod xqf;
pub mod xqr;

pub use detect::{Detected, Refusal, detect};

use crate::diag::{Finding, Message, Severity, codes};
use crate::game::{Game, GameResult, Name, NodeId, Place};
use crate::notation::Style;
use crate::replay::Built;
use crate::text::Guess;
use std::fmt;
use std::ops::ControlFlow;

/// Every reader, the one with the plainest signature first.
pub fn readers() -> &'static [&'static dyn Reader] {
    &[
        &xqf::XqfReader,
        &ccbridge::CbrReader,
        &ccbridge::CblReader,
        &ccbridge::OldCblReader,
        &dhtmlxq::DhtmlxqReader,
        &wxf::WxfReader,
        &cbf::CbfReader,
        &xqr::XqrReader,
        &pfc::PfcReader,
        &mxq::MxqReader,
        &qp::QpReader,
        &json::JsonReader,
        &pgn::PgnReader,
        &lines::UciReader,
        &csv_table::CsvReader,
        &lines::EpdReader,
        &servers::CcmReader,
        &servers::ChnReader,
        &servers::CheReader,
        &two_line::TwoLineReader,
        &plain::PlainReader,
    ]
}

/// The reader of a format, if it can be read.
pub fn reader(format: Format) -> Option<&'static dyn Reader> {
    readers().iter().copied().find(|reader| reader.format() == format)
}

/// The writer of a format, if it can be written.
pub fn writer(format: Format) -> Option<&'static dyn Writer> {
    Some(match format {
        Format::Xqf => &xqf::XqfWriter { form: xqf::Form::V10 },
        Format::Pgn => &pgn::PgnWriter,
        Format::Cbr => &ccbridge::CbrWriter,
        Format::Cbl => &ccbridge::CblWriter,
        Format::Dhtmlxq => &dhtmlxq::DhtmlxqWriter,
        Format::Wxf => &wxf::WxfWriter,
        Format::Cbf => &cbf::CbfWriter,
        Format::Xqr => &xqr::XqrWriter,
        Format::Pfc => &pfc::PfcWriter,
        Format::Mxq => &mxq::MxqWriter,
        Format::Json => &json::JsonWriter,
        Format::Uci => &lines::UciWriter,
        Format::Csv => &csv_table::CsvWriter,
        Format::Epd => &lines::EpdWriter,
        Format::Text => &page::TextWriter,
        Format::Html => &page::HtmlWriter,
        _ => return None,
    })
}

macro_rules! formats {
    ($($variant:ident $name:literal $help:literal;)*) => {
        /// The file formats known by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
        #[serde(rename_all = "lowercase")]
        #[non_exhaustive]
        pub enum Format {
            $(#[doc = $help] $variant,)*
        }

        impl Format {
            /// Every format, in the order of this page.
            pub const ALL: &[Format] = &[$(Format::$variant),*];

            /// The name used on the command line and in JSON.
            pub const fn name(self) -> &'static str {
                match self { $(Format::$variant => $name,)* }
            }

            /// What it is, in a sentence.
            pub const fn help(self) -> &'static str {
                match self { $(Format::$variant => $help,)* }
            }

            /// The format with this name, whatever its case.
            pub fn find(name: &str) -> Option<Format> {
                Format::ALL.iter().copied().find(|format| format.name().eq_ignore_ascii_case(name))
            }
        }
    };
}

formats! {
    Pgn "pgn" "Portable game notation as written for xiangqi.";
    Xqf "xqf" "XQStudio record, versions 1.0 to 1.8.";
    Cbr "cbr" "CCBridge 3 record: one game.";
    Cbl "cbl" "CCBridge 3 library: many games.";
    Cbf "cbf" "CCBridge XML record.";
    Dhtmlxq "dhtmlxq" "DhtmlXQ tags (UBB), bare, in a page or in its script; `DHJHtmlXQ` is read too.";
    Wxf "wxf" "WXF game file (`FORMAT WXF`).";
    Mxq "mxq" "弈天 record: counted strings.";
    Xqr "xqr" "XQR: tagged binary record with a check value.";
    Pfc "pfc" "鹏飞象棋 XML: nested `n` elements.";
    Ccm "ccm" "中国游戏中心 record: seven bytes a ply.";
    Che "che" "QQ 象棋 record: one line of integers.";
    Chn "chn" "联众 record: 188 bytes of header, 32 bytes a ply.";
    Qp "qp" "`ccf0` puzzle: piece list and solution.";
    OldCbl "oldcbl" "CCBridge library of the compressed kind, before version 3.";
    Uci "uci" "Engine lines: `position fen … moves …`.";
    Epd "epd" "Positions, one FEN a line, with their names.";
    Json "json" "JSON Lines, lossless: one game a line.";
    Csv "csv" "Table: one row a game.";
    TwoLine "two-line" "Moves in coordinates run together, then a FEN.";
    Text "text" "Moves in plain text; written as a page to print.";
    Html "html" "Page for a browser or a printer, with diagrams, complete in itself.";
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
    /// The encoding that the first part of the file has settled.
    pub encoding: Option<Guess>,
    /// Whether the last game goes on behind these bytes and was too long to be read.
    pub cut: bool,
}

impl<'a> Source<'a> {
    /// A whole file.
    pub fn whole(bytes: &'a [u8], file: &'a str) -> Source<'a> {
        Source { bytes, file, first_byte: 0, first_line: 1, first_game: 1, encoding: None, cut: false }
    }
}

/// How much of a game could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Every ply of the record was read and can be played. A ply that leaves its own general attacked is read too, with a
    /// finding.
    Ok,
    /// A part of the plies was read; the findings say what stopped it.
    Partial,
    /// No ply of a record that has plies could be read.
    Failed,
}

impl Status {
    /// The status of a record of which something was lost, or nothing.
    pub const fn of(lost: bool, plies: usize) -> Status {
        match (lost, plies) {
            (false, _) => Status::Ok,
            (true, 0) => Status::Failed,
            (true, _) => Status::Partial,
        }
    }

    /// The status of a replayed record.
    pub(crate) fn of_built(built: &Built) -> Status {
        Status::of(built.stop.is_some() || built.text_skipped, built.plies as usize)
    }
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
    /// A game with move text left over is not whole, whatever its reader says: the text may have come along in a comment
    /// or a field of a format that knows nothing of it.
    #[must_use]
    pub fn settled(mut self) -> ReadGame {
        let rest = self.game.rest.trim();
        if self.status == Status::Ok && !rest.is_empty() {
            let plies = self.game.moves().count() as u32;
            let message = crate::say!("the moves stop here; the rest is text"; "着法到此为止，其余为文字");
            let text: String = rest.chars().take(80).collect();
            let mut finding = Finding::new(codes::TEXT_LEFT_OVER, message).ply(plies + 1).text(text);
            finding.game = Some(self.number);
            self.findings.push(finding);
            self.status = Status::of(true, self.game.tree.ply_count());
        }
        self
    }

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

/// A place in the main line at which a printed page shows a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagramAt {
    /// The start position.
    Start,
    /// Behind this ply, from 1.
    Ply(u32),
    /// Behind the last ply.
    End,
}

/// How games are written.
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// How moves are written, where the format leaves a choice.
    pub style: Style,
    /// Encoding of the text, where the format leaves a choice.
    pub encoding: &'static encoding_rs::Encoding,
    /// Leave side lines out.
    pub main_line: bool,
    /// Where printed pages show diagrams; `None` is at a start position that is not the normal one, and on HTML pages at
    /// the end as well.
    pub diagrams: Option<Vec<DiagramAt>>,
    /// Labels of printed pages in English instead of Chinese.
    pub english: bool,
}

impl Default for WriteOptions {
    /// Chinese notation, simplified, UTF-8, everything, Chinese labels.
    fn default() -> WriteOptions {
        WriteOptions {
            style: Style::default(),
            encoding: encoding_rs::UTF_8,
            main_line: false,
            diagrams: None,
            english: false,
        }
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

    /// Whether [`Writer::join`] does more than put games one behind the other, so that they cannot simply be streamed.
    fn joins(&self) -> bool {
        false
    }

    /// Makes one file of games written one by one: a table gets its head, a library its index. Formats that hold one game
    /// a file are given one.
    ///
    /// # Errors
    ///
    /// When `out` cannot be written.
    fn join(&self, games: &mut dyn Iterator<Item = Vec<u8>>, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        for (number, game) in games.enumerate() {
            out.write_all(if number == 0 { &game } else { without_mark(&game) })?;
        }
        Ok(())
    }
}

/// The bytes of a game without the byte order mark, which belongs at the head of a file alone.
pub fn without_mark(game: &[u8]) -> &[u8] {
    let mark = encoding_rs::Encoding::for_bom(game).map_or(0, |(_, length)| length);
    &game[mark..]
}

/// Headers that only repeat what the file says elsewhere, or that belong to PGN alone.
pub(crate) fn is_implied(name: &str, value: &str, game: &Game) -> bool {
    let is = |tag: &str| name.eq_ignore_ascii_case(tag);
    (is("Result") && GameResult::read(value) == Some(game.result))
        || is("FEN")
        || is("SetUp")
        || is("Format")
        || (is("Game") && value.eq_ignore_ascii_case("Chinese Chess"))
        || (is("Variant") && value.eq_ignore_ascii_case("xiangqi"))
}

/// What a format keeps besides the main line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Keeps<'a> {
    /// The comment on the start position.
    pub opening: bool,
    /// Comments on the plies of the main line.
    pub comments: bool,
    /// The marks `!` to `?!` on the plies of the main line.
    pub marks: bool,
    /// The result.
    pub result: bool,
    /// One header of each of these names.
    pub headers: &'a [&'a str],
}

/// What is lost of a game besides its main line and what is kept.
pub(crate) fn lost_beside_main_line(game: &Game, keeps: Keeps<'_>) -> Vec<Finding> {
    let main: std::collections::HashSet<_> = game.tree.main_line().collect();
    let side = game.tree.ply_count() - main.len();
    let comments = game.tree.comments().iter().filter(|comment| {
        let opening = comment.node == NodeId::ROOT && comment.place == Place::After;
        let kept = (opening && keeps.opening) || (keeps.comments && main.contains(&comment.node));
        !kept && !comment.text.is_empty()
    });
    let marks = game.tree.marks().iter().filter(|(node, mark)| {
        let kept = keeps.marks && main.contains(node) && (1..=6).contains(mark);
        !kept
    });
    let mut used: Vec<&str> = Vec::new();
    let mut dropped: Vec<&str> = Vec::new();
    for (name, value) in game.headers.iter() {
        let usual = Name::ALL.iter().find(|usual| usual.synonyms().iter().any(|s| s.eq_ignore_ascii_case(name)));
        let own = usual.map_or(name, |usual| usual.tag());
        let known = keeps.headers.iter().find(|header| header.eq_ignore_ascii_case(own));
        if value.is_empty() || is_implied(name, value, game) {
            continue;
        }
        match known.filter(|header| !used.contains(header)) {
            Some(header) => used.push(header),
            None => dropped.push(own),
        }
    }
    let lost = |what: Message| Finding::new(codes::LOST_IN_FORMAT, what);
    let mut findings: Vec<Finding> = [
        (side, "plies of side lines", "着变着"),
        (comments.count(), "comments", "条注释"),
        (marks.count(), "annotation marks", "个评注符号"),
        (game.tree.clocks().len(), "clock times", "个用时"),
    ]
    .into_iter()
    .filter(|(count, ..)| *count > 0)
    .map(|(count, what, chinese)| lost(crate::say!("{count} {what}"; "{count} {chinese}")))
    .collect();
    if !dropped.is_empty() {
        let count = dropped.len();
        findings.push(lost(crate::say!("{count} headers"; "{count} 个标签")).text(dropped.join(", ")));
    }
    if !keeps.result && game.result != GameResult::Unknown {
        findings.push(lost(crate::say!("the result"; "结果")).text(game.result.token()));
    }
    for (text, what) in [
        (&game.rest, crate::say!("move text that could not be read"; "读不出的着法文字")),
        (&game.trailer, crate::say!("text behind the game"; "对局之后的文字")),
    ] {
        if !text.trim().is_empty() {
            findings.push(lost(what).text(text.chars().take(200).collect::<String>()));
        }
    }
    findings
}

/// Whether the start of a game says nothing: the normal position before the first round.
pub(crate) fn is_plain_start(game: &Game) -> bool {
    game.start == crate::board::Position::start() && (game.start.quiet_plies(), game.start.round()) == (0, 1)
}

/// The first non-empty value with this meaning, blanks and all.
pub(crate) fn header_as_written(headers: &crate::game::Headers, name: Name) -> &str {
    std::iter::once(name.tag())
        .chain(name.synonyms().iter().copied())
        .find_map(|tag| headers.iter().find(|(own, value)| own.eq_ignore_ascii_case(tag) && !value.is_empty()))
        .map_or("", |(_, value)| value)
}

/// A finding about plies that no reader of move text takes for moves: those that leave their own general attacked.
pub(crate) fn exposing_plies(game: &Game, count: usize) -> Option<Finding> {
    (count > 0).then(|| {
        let message = format!(
            "{count} plies leave their own general attacked; read from move text, a line ends before one, and its \
             comments and what follows count as text that could not be read"
        );
        Finding::new(codes::LOST_IN_FORMAT, message).text(game.start.to_fen())
    })
}
