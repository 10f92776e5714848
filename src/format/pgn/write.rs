//! Writing: the shape of the xqbase programs, and everything they do not know so that it reads back.
//!
//! - tags in their order, `Game` first, then every other header under its own name;
//! - one round a line, the number in three columns, dots in place of a ply that stands elsewhere;
//! - comments in braces where they stand in the tree; one with a closing brace in it as `;` to the end of the line or as
//!   `/* */`;
//! - side lines in brackets, marks as `!` or `$n`, clock times as `{[%clk 0:01:02]}`;
//! - the rest of a damaged game as it was read, if no ply of it can be taken for a legal one, else as a comment.

use super::tags::write_tag;
use super::{split, tags};
use crate::board::{Color, Position};
use crate::diag::{Finding, codes};
use crate::format::notes::Notes;
use crate::format::short_text;
use crate::format::{Format, WriteOptions, Writer, exposing_plies, is_plain_start};
use crate::game::{Game, GameResult, Name, NodeId, Place};
use crate::notation::{Dialect, Notation, read_move, resolve, write_move};
use encoding_rs::{UTF_16BE, UTF_16LE};
use std::fmt::Write as _;

/// Writes PGN.
#[derive(Clone, Copy, Debug)]
pub struct PgnWriter;

/// The tags of the xqbase writer in its order; all others follow.
const ORDER: [Name; 17] = [
    Name::Title,
    Name::Event,
    Name::Round,
    Name::Date,
    Name::Site,
    Name::RedTeam,
    Name::Red,
    Name::RedElo,
    Name::BlackTeam,
    Name::Black,
    Name::BlackElo,
    Name::TimeControl,
    Name::RedTime,
    Name::BlackTime,
    Name::Ecco,
    Name::Opening,
    Name::Variation,
];

impl Writer for PgnWriter {
    fn format(&self) -> Format {
        Format::Pgn
    }

    fn extension(&self) -> &'static str {
        "pgn"
    }

    fn holds_many(&self) -> bool {
        true
    }

    fn write(&self, game: &Game, options: &WriteOptions, out: &mut Vec<u8>) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut text = String::with_capacity(1024);
        write_tags(game, options, &mut text, &mut findings);
        text.push_str("\r\n");
        let mut moves = Moves::new(game, options, &mut text, &mut findings);
        moves.write();
        let exposing = exposing_plies(game, moves.exposing);
        moves.findings.extend(exposing);
        moves.write_rest();
        let _ = write!(text, " {}\r\n", game.result.token());
        write_trailer(&game.trailer, &mut text, &mut findings);
        // Games are put one behind the other; an empty line stands between them.
        text.push_str("\r\n");
        encode(&text, options.encoding, out, &mut findings);
        findings
    }
}

fn write_tags(game: &Game, options: &WriteOptions, text: &mut String, findings: &mut Vec<Finding>) {
    let headers: Vec<(&str, &str)> = game.headers.iter().collect();
    let has = |tag: &str| headers.iter().any(|(name, _)| name.eq_ignore_ascii_case(tag));
    // A synonym (White) is written under its usual name, unless that is there too.
    let usual = |name: &str| {
        let synonym = Name::ALL.iter().find(|usual| usual.synonyms().iter().any(|s| s.eq_ignore_ascii_case(name)));
        synonym.map(|usual| usual.tag()).filter(|tag| !has(tag))
    };
    let mut tag = |name: &str, value: &str, text: &mut String| {
        let name = safe_name(name, findings);
        if value.contains(['\n', '\r']) {
            let message = crate::say!("line breaks in {name} became blanks"; "{name} 中的换行改为空格");
            findings.push(Finding::new(codes::LINE_BREAKS, message).text(value));
        }
        write_tag(&name, value, text);
    };
    let own_game = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("Game"));
    tag("Game", own_game.map_or("Chinese Chess", |(_, value)| value), text);
    let mut written = vec![false; headers.len()];
    for name in ORDER {
        for (index, (own, value)) in headers.iter().enumerate() {
            if own.eq_ignore_ascii_case(name.tag()) || usual(own) == Some(name.tag()) {
                tag(name.tag(), value, text);
                written[index] = true;
            }
        }
        // The result stands behind the players.
        if name == Name::BlackElo {
            let own = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("Result"));
            match own.filter(|(_, value)| !value.trim().is_empty() && GameResult::read(value).is_none()) {
                Some((name, value)) => tag(name, value, text),
                None => tag("Result", game.result.token(), text),
            }
        }
    }
    let mut broken_fen = None;
    for (index, (name, value)) in headers.iter().enumerate() {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if is("FEN") && Position::from_fen(value).is_err() {
            broken_fen = Some(*value);
        }
        if !written[index] && !["Game", "Result", "FEN", "Format", "SetUp"].iter().any(|other| is(other)) {
            tag(name, value, text);
        }
    }
    match options.style.notation {
        Notation::Iccs | Notation::Uci => tag("Format", "ICCS", text),
        Notation::Wxf => tag("Format", "WXF", text),
        // Without these a reader could not know that no bar is missing, or whose letters are meant.
        Notation::Short => tag("Format", "Short", text),
        Notation::Vietnamese => tag("Format", "Vietnamese", text),
        _ => {}
    }
    if !is_plain_start(game) {
        tag("FEN", &game.start.to_fen(), text);
    } else if let Some(value) = broken_fen {
        tag("FEN", value, text);
    }
}

/// A tag name may hold letters, digits, `_` and `-`, and starts with no digit.
pub(in crate::format) fn safe_name(name: &str, findings: &mut Vec<Finding>) -> String {
    let mut safe: String =
        name.chars().map(|c| if c.is_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' }).collect();
    if safe.is_empty() || safe.starts_with(|c: char| c.is_ascii_digit()) {
        safe.insert(0, '_');
    }
    if safe != name {
        let message = crate::say!("a tag cannot be named so; it is written as {safe}"; "不能作标签名, 写作 {safe}");
        findings.push(Finding::new(codes::RENAMED_TAG, message).text(name));
    }
    safe
}

/// One line of play that is being written.
struct Frame {
    node: NodeId,
    /// The position before the node.
    position: Position,
    /// Plies from the start to before the node.
    ply: u32,
    /// It is the first ply of a side line: its alternatives are written where that line branches.
    head: bool,
    stage: Stage,
}

enum Stage {
    Ply,
    /// Side lines still to write, from this one on.
    SideLines(Option<NodeId>),
}

struct Moves<'a> {
    game: &'a Game,
    options: &'a WriteOptions,
    out: &'a mut String,
    findings: &'a mut Vec<Finding>,
    notes: Notes<'a>,
    /// Something stands between the last ply and here, so that the next one needs its number.
    number: bool,
    /// A bracket was just opened: no blank.
    tight: bool,
    black_first: u32,
    /// Plies that leave their own general attacked.
    exposing: usize,
    /// The position at the end of the main line.
    end: Position,
}

impl<'a> Moves<'a> {
    fn new(
        game: &'a Game,
        options: &'a WriteOptions,
        out: &'a mut String,
        findings: &'a mut Vec<Finding>,
    ) -> Moves<'a> {
        Moves {
            game,
            options,
            out,
            findings,
            notes: Notes::of(&game.tree),
            number: true,
            tight: true,
            black_first: u32::from(game.start.side_to_move() == Color::Black),
            exposing: 0,
            end: game.start,
        }
    }

    fn write(&mut self) {
        let tree = &self.game.tree;
        self.extras(NodeId::ROOT);
        let Some(first) = tree.first_child(NodeId::ROOT) else {
            self.comments(NodeId::ROOT, Place::End);
            return self.end_line();
        };
        let frame = Frame { node: first, position: self.game.start, ply: 0, head: false, stage: Stage::Ply };
        let mut frames = vec![frame];
        while let Some(frame) = frames.last_mut() {
            match frame.stage {
                Stage::Ply => {
                    let side_lines =
                        if frame.head || self.options.main_line { None } else { tree.next_sibling(frame.node) };
                    frame.stage = Stage::SideLines(side_lines);
                    let (node, position, ply) = (frame.node, frame.position, frame.ply);
                    self.ply(node, &position, ply, frames.len() - 1);
                }
                Stage::SideLines(Some(node)) => {
                    frame.stage = Stage::SideLines(tree.next_sibling(node));
                    let side = Frame { node, position: frame.position, ply: frame.ply, head: true, stage: Stage::Ply };
                    self.out.push_str(" (");
                    (self.number, self.tight) = (true, true);
                    frames.push(side);
                }
                Stage::SideLines(None) => {
                    frame.position.play(tree[frame.node].m);
                    if let Some(child) = tree.first_child(frame.node) {
                        (frame.node, frame.ply, frame.head, frame.stage) = (child, frame.ply + 1, false, Stage::Ply);
                        continue;
                    }
                    let (node, position) = (frame.node, frame.position);
                    self.comments(node, Place::End);
                    frames.pop();
                    if frames.is_empty() {
                        self.end = position;
                    } else {
                        self.out.push(')');
                        (self.number, self.tight) = (true, false);
                    }
                }
            }
        }
        self.end_line();
    }

    fn ply(&mut self, node: NodeId, position: &Position, ply: u32, depth: usize) {
        let tree = &self.game.tree;
        // A comment on the end of a line that goes on after all stands before what follows.
        if let Some(parent) = tree.parent(node).filter(|&parent| tree.first_child(parent) == Some(node)) {
            self.comments(parent, Place::End);
        }
        self.comments(node, Place::Before);
        let count = ply + self.black_first;
        let red = position.side_to_move() == Color::Red;
        if red || self.number {
            if depth == 0 {
                self.end_line();
                let _ = write!(self.out, "{:>3}. ", count / 2 + 1);
            } else {
                self.blank();
                let _ = write!(self.out, "{}. ", count / 2 + 1);
            }
            if !red {
                self.out.push_str(match self.options.style.notation {
                    Notation::Wxf => ".... ",
                    Notation::Iccs | Notation::Uci => "..... ",
                    _ => "………… ",
                });
            }
        } else {
            self.blank();
        }
        self.number = false;
        self.tight = false;
        self.exposing += usize::from(!position.is_legal(self.game.tree[node].m));
        write_move(self.game.tree[node].m, position, &self.options.style, self.out);
        self.extras(node);
    }

    /// Marks, clock times and comments directly behind a ply.
    fn extras(&mut self, node: NodeId) {
        let marks: Vec<u8> = self.notes.marks(node).collect();
        match marks[..] {
            [mark @ 1..=6] if node != NodeId::ROOT => {
                self.out.push_str(["!", "?", "!!", "??", "!?", "?!"][usize::from(mark) - 1])
            }
            _ => {
                for mark in marks {
                    self.blank();
                    let _ = write!(self.out, "${mark}");
                    self.tight = false;
                }
            }
        }
        let clocks: Vec<u64> = self.notes.clocks(node).collect();
        for clock in clocks {
            self.blank();
            let (seconds, thousandths) = (clock / 1000, clock % 1000);
            let _ = write!(self.out, "{{[%clk {}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
            if thousandths > 0 {
                let _ = write!(self.out, ".{thousandths:03}");
            }
            self.out.push_str("]}");
            self.tight = false;
            self.number = true;
        }
        self.comments(node, Place::After);
    }

    fn comments(&mut self, node: NodeId, place: Place) {
        let texts: Vec<&'a str> = self.notes.comments(node, place).collect();
        for text in texts {
            self.comment(text);
            (self.number, self.tight) = (true, false);
        }
    }

    fn comment(&mut self, text: &str) {
        let mut plain = text.replace("\r\n", "\n").replace('\r', "\n");
        // The start of a game ends every comment, so none may look like one.
        if plain.contains("\n[") {
            let lines: Vec<String> = plain
                .split('\n')
                .enumerate()
                .map(|(number, line)| match split::is_head(line.as_bytes()) {
                    true if number > 0 => format!(" {line}"),
                    _ => line.to_string(),
                })
                .collect();
            let safe = lines.join("\n");
            if safe != plain {
                let message = crate::say!(
                    "a line of the comment looks like the first tag of a game; a blank was put before it";
                    "注释中有一行像是一局的第一个标签, 行首加了空格"
                );
                self.findings.push(Finding::new(codes::CHANGED_COMMENT, message).text(text));
                plain = safe;
            }
        }
        // At the head of a side line only braces are seen as a comment before its first move.
        let head = self.out.ends_with('(');
        self.blank();
        if !plain.contains('}') {
            let _ = write!(self.out, "{{{}}}", plain.replace('\n', "\r\n"));
        } else if !plain.contains('\n') && !head {
            let _ = write!(self.out, ";{plain}\r\n");
        } else if !plain.contains("*/") && !head {
            let _ = write!(self.out, "/*{}*/", plain.replace('\n', "\r\n"));
        } else {
            let message = crate::say!(
                "the comment holds }}, which cannot be written here; its braces are written full-width";
                "注释中有 }}, 此处写不出, 花括号改写为全角"
            );
            self.findings.push(Finding::new(codes::CHANGED_COMMENT, message).text(text));
            let _ = write!(self.out, "{{{}}}", plain.replace('}', "｝").replace('\n', "\r\n"));
        }
    }

    fn blank(&mut self) {
        if !self.tight && !self.out.ends_with(['\n', ' ']) {
            self.out.push(' ');
        }
    }

    fn end_line(&mut self) {
        if !self.out.ends_with('\n') {
            self.out.push_str("\r\n");
        }
    }

    /// Text behind the first ply that fits nothing.
    fn write_rest(&mut self) {
        let rest = self.game.rest.trim();
        if rest.is_empty() {
            return;
        }
        let stops = stops_at_once(rest, &self.end) && !self.options.main_line;
        let message = if stops {
            crate::say!("the plies that could not be read are written as they stand"; "读不出的着法照原样写出")
        } else {
            crate::say!("the text that could not be read is written as a comment"; "读不出的文字写作注释")
        };
        self.findings.push(Finding::new(codes::UNREAD_REST, message));
        if stops {
            let _ = write!(self.out, "{}", rest.replace("\r\n", "\n").replace('\n', "\r\n"));
        } else {
            self.tight = true;
            self.comment(rest);
        }
        self.end_line();
    }
}

/// Whether the text, read behind this position, is no ply that could be played: written as it stands it invents nothing.
pub(in crate::format) fn stops_at_once(rest: &str, end: &Position) -> bool {
    read_move(rest).is_some_and(|(token, _)| resolve(&token, end, Dialect::OPEN).is_empty())
}

pub(in crate::format) fn write_trailer(trailer: &str, text: &mut String, findings: &mut Vec<Finding>) {
    for line in trailer.lines().map(str::trim_end).filter(|line| !line.trim().is_empty()) {
        let trimmed = line.trim_start();
        if tags::is_tag_line(trimmed) || trimmed.starts_with(['1', '１']) {
            let message = crate::say!(
                "a line of the text behind the game looks like the start of another; `;` was put before it";
                "对局之后的文字有一行像是另一局的开头, 行首加了 `;`"
            );
            findings.push(Finding::new(codes::CHANGED_COMMENT, message).text(line));
            text.push_str("; ");
        }
        let _ = write!(text, "{line}\r\n");
    }
}

fn encode(text: &str, encoding: &'static encoding_rs::Encoding, out: &mut Vec<u8>, findings: &mut Vec<Finding>) {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        let mark = if out.is_empty() { "\u{FEFF}" } else { "" };
        for unit in mark.encode_utf16().chain(text.encode_utf16()) {
            out.extend(if encoding == UTF_16LE { unit.to_le_bytes() } else { unit.to_be_bytes() });
        }
        return;
    }
    let mut encoded = short_text::encode(text, encoding);
    out.append(&mut encoded.bytes);
    if !encoded.unmappable.is_empty() {
        let mut characters = encoded.unmappable;
        characters.sort_unstable();
        characters.dedup();
        let shown: String = characters.iter().take(40).collect();
        let name = crate::text::encoding_name(encoding);
        let sign = short_text::substitute(encoding);
        let message =
            crate::say!("{name} has no such character; {sign} stands for it"; "{name} 中没有这些字符，以 {sign} 代替");
        findings.push(Finding::new(codes::UNMAPPABLE, message).text(shown));
    }
}
