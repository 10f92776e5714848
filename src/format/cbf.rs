//! CBF, the XML record of CCBridge: one game with comments; side lines in the order of CBR.
//!
//! Comes in: UTF-8 XML, head elements and a row of `Move` elements. Goes out: one game.
//!
//! What the reader forgives: missing head elements, blanks around comments (trimmed), a last ply without its `end` mark,
//! a FEN that cannot be read, `RecordResult` 4 for a draw.
//!
//! No file with side lines was ever met; `branch` and `end` are read as two other programs write them.

use super::fold::{self, Fit};
use super::linear::{LinearTree, Record, Target, report_faults, settle_side};
use super::text_file::{self, TextFile};
use super::xml::{self, Piece, Scanner};
use super::{Confidence, Format, ReadOptions, Reader, Sink, Source, WriteOptions, Writer, is_implied};
use crate::board::{Move, Square};
use crate::diag::{Finding, codes};
use crate::game::{Game, GameResult, Name, NodeId};
use std::fmt::Write as _;

/// Head elements and the headers they become.
const HEADERS: [(&str, &str); 30] = [
    ("Name", Name::Title.tag()),
    ("URL", "URL"),
    ("From", "Source"),
    ("ContestType", "EventClass"),
    ("Contest", Name::Event.tag()),
    ("Round", Name::Round.tag()),
    ("Group", "Group"),
    ("Table", "Table"),
    ("Date", Name::Date.tag()),
    ("Site", Name::Site.tag()),
    ("TimeRule", Name::TimeControl.tag()),
    ("Red", Name::Red.tag()),
    ("RedTeam", Name::RedTeam.tag()),
    ("RedTime", Name::RedTime.tag()),
    ("RedRating", Name::RedElo.tag()),
    ("Black", Name::Black.tag()),
    ("BlackTeam", Name::BlackTeam.tag()),
    ("BlackTime", Name::BlackTime.tag()),
    ("BlackRating", Name::BlackElo.tag()),
    ("Referee", "Referee"),
    ("Recorder", "Recorder"),
    ("Commentator", Name::Annotator.tag()),
    ("CommentatorURL", "AnnotatorURL"),
    ("Creator", Name::Author.tag()),
    ("CreatorURL", "AuthorURL"),
    ("DateCreated", "Created"),
    ("DateModified", "Modified"),
    ("ECCO", Name::Ecco.tag()),
    ("RecordKind", "Nature"),
    ("ResultType", "Termination"),
];

/// Reads CBF.
#[derive(Clone, Copy, Debug)]
pub struct CbfReader;

impl Reader for CbfReader {
    fn format(&self) -> Format {
        Format::Cbf
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        let head = &head[..head.len().min(1024)];
        let root = |window: &[u8]| window.strip_prefix(b"<") == Some(ROOT.as_bytes());
        if head.windows(ROOT.len() + 1).any(root) { Confidence::Certain } else { Confidence::No }
    }

    fn read(&self, source: Source<'_>, options: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        let mut file = TextFile::new(source, &xml::declared_encoding(source.bytes, options));
        let text = file.take_text();
        let mut game = parse(&text).finish(source.first_game, file.encoding());
        file.locate(&mut game.findings, source.first_game);
        let _ = games(game);
        let mut findings = file.text_findings();
        file.locate_in_file(&mut findings);
        findings
    }
}

/// The element that holds the record.
const ROOT: &str = "ChineseChessRecord";

/// A `Move` element.
struct Entry {
    value: String,
    branch: bool,
    end: bool,
    text: String,
    at: usize,
}

struct Parsed {
    record: Record,
    tree: LinearTree,
}

impl Parsed {
    fn finish(self, number: u64, encoding: &'static str) -> super::ReadGame {
        self.record.finish(self.tree, number, encoding)
    }
}

fn parse(text: &str) -> Parsed {
    let mut record = Record::default();
    let mut entries: Vec<Entry> = Vec::new();
    // The open element, its text, and where it stands.
    let mut element: Option<(&str, String, usize)> = None;
    let mut closed = false;
    for piece in Scanner::new(text) {
        match piece {
            Piece::Open { name, attributes, empty, at } => {
                if name == "Move" {
                    let mut entry = Entry { value: String::new(), branch: false, end: false, text: String::new(), at };
                    for (name, value) in xml::attributes(attributes) {
                        match name {
                            "value" => entry.value = value,
                            "branch" => entry.branch = value == "1",
                            "end" => entry.end = value == "1",
                            _ => {}
                        }
                    }
                    entries.push(entry);
                }
                element = (!empty).then(|| (name, String::new(), at));
            }
            Piece::Text { text, raw } => {
                if let Some((_, content, _)) = &mut element {
                    if raw { content.push_str(text) } else { content.push_str(&xml::resolve(text)) }
                }
            }
            Piece::Close { name } => {
                closed |= name == ROOT;
                if let Some((name, content, at)) = element.take() {
                    // Indentation around a comment is common; what this program folded into one is left alone.
                    let content = if content.contains("[%yipu") { &content } else { content.trim() };
                    if name == "Move" {
                        if let Some(entry) = entries.last_mut() {
                            entry.text = content.replace("\r\n", "\n");
                        }
                    } else if !content.is_empty() {
                        head(name, content, at, &mut record);
                    }
                }
            }
        }
    }
    if !closed || !text.trim_end().ends_with('>') {
        let what = crate::say!("the file ends before its record does"; "文件在记录结束之前中断");
        record.findings.push(Finding::new(codes::BROKEN_TREE, what).byte(text.len() as u64));
        record.damaged = true;
    }
    let tree = build(entries, &mut record);
    Parsed { record, tree }
}

fn head(name: &str, value: &str, at: usize, record: &mut Record) {
    match name {
        "FEN" => record.start_from(value, at as u64),
        "RecordResult" => {
            record.result = match value {
                "0" => GameResult::Unknown,
                "1" => GameResult::RedWins,
                "2" => GameResult::BlackWins,
                "3" | "4" => GameResult::Draw,
                other => GameResult::read(other).unwrap_or_else(|| {
                    let finding = Finding::new(codes::BROKEN_HEADER, "no known result").text(other);
                    record.findings.push(finding.byte(at as u64));
                    GameResult::Unknown
                }),
            }
        }
        // 1 in every file, whatever the game.
        "RecordType" if value == "1" => {}
        "RecordType" => record.headers.push("RecordType", value),
        name => {
            if let Some((_, header)) = HEADERS.iter().find(|(element, _)| *element == name) {
                record.headers.push(*header, value);
            }
        }
    }
}

fn build(entries: Vec<Entry>, record: &mut Record) -> LinearTree {
    let squares = |value: &str| -> Result<Move, (u8, u8)> {
        let digits: Vec<u8> = value.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        let square = |i: usize| Square::new(*digits.get(i)?, 9u8.checked_sub(*digits.get(i + 1)?)?);
        match (square(0), square(2), digits.len()) {
            (Some(from), Some(to), 4) => Ok(Move::new(from, to)),
            _ => Err((0, 0)),
        }
    };
    // The first element stands for the start position, unless a program left it out.
    let has_root = entries.first().is_some_and(|entry| entry.value == "00-00");
    let plies = if has_root { &entries[1..] } else { &entries[..] };
    let from = plies.first().and_then(|entry| squares(&entry.value).ok()).map(Move::from);
    settle_side(&mut record.start, from, true, None, &mut record.findings);
    report_faults(&record.start, None, &mut record.findings);
    let root_ends = has_root && entries[0].end;
    let mut tree = LinearTree::new(record.start, !plies.is_empty() && !root_ends);
    if has_root {
        record.comment(&mut tree, Target::Node(NodeId::ROOT), entries[0].text.clone());
    }
    let mut left = plies.len();
    for entry in plies {
        if !tree.is_open() {
            break;
        }
        left -= 1;
        // The last element ends its line whether it says so or not.
        let child = !entry.end && left > 0;
        let target = tree.push(squares(&entry.value), child, entry.branch, entry.at as u64);
        record.comment(&mut tree, target, entry.text.clone());
    }
    if left > 0 {
        record.damaged = true;
        let text = format!("{left} plies behind the end of the tree");
        let at = plies[plies.len() - left].at;
        record.findings.push(Finding::new(codes::BROKEN_TREE, text).byte(at as u64));
        for entry in &plies[plies.len() - left..] {
            let _ = writeln!(record.unfolded.rest, "{} {}", entry.value, entry.text);
        }
    } else if tree.is_open() {
        record.findings.push(Finding::new(codes::BROKEN_TREE, "an alternative that was promised does not follow"));
        record.damaged = true;
    }
    tree
}

/// Writes CBF.
#[derive(Clone, Copy, Debug)]
pub struct CbfWriter;

impl Writer for CbfWriter {
    fn format(&self) -> Format {
        Format::Cbf
    }

    fn extension(&self) -> &'static str {
        "cbf"
    }

    fn holds_many(&self) -> bool {
        false
    }

    fn write(&self, game: &Game, options: &WriteOptions, out: &mut Vec<u8>) -> Vec<Finding> {
        let (mut comments, mut findings) = fold::fold_tree(&game.tree);
        let mut extra = Vec::new();
        let mut values: Vec<Option<&str>> = vec![None; HEADERS.len()];
        for (name, value) in game.headers.iter() {
            if is_implied(name, value, game) {
                continue;
            }
            let own = if name.eq_ignore_ascii_case("White") { Name::Red.tag() } else { name };
            match HEADERS.iter().position(|(_, header)| header.eq_ignore_ascii_case(own)) {
                Some(index) if values[index].is_none() && value.trim() == value => values[index] = Some(value),
                _ => extra.push((Fit::Foreign, name, value)),
            }
        }
        fold::fold_game(&mut comments, game, extra.into_iter(), &mut findings);
        let mut text = String::from("\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n");
        text.push_str("<ChineseChessRecord Version=\"1.0\">\r\n <Head>\r\n");
        for ((element, _), value) in HEADERS.iter().zip(values) {
            let _ = match value {
                Some(value) => write!(text, "  <{element}>{}</{element}>\r\n", xml::escape(value)),
                None => write!(text, "  <{element}/>\r\n"),
            };
        }
        let result = match game.result {
            GameResult::Unknown => 0,
            GameResult::RedWins => 1,
            GameResult::BlackWins => 2,
            GameResult::Draw => 3,
        };
        let _ = write!(text, "  <RecordType>1</RecordType>\r\n  <RecordResult>{result}</RecordResult>\r\n");
        let _ = write!(text, "  <FEN>{}</FEN>\r\n </Head>\r\n <MoveList>\r\n", game.start.to_fen());

        let tree = &game.tree;
        let plies: &mut dyn Iterator<Item = NodeId> =
            if options.main_line { &mut tree.main_line() } else { &mut tree.walk().map(|(id, _)| id) };
        for id in std::iter::once(NodeId::ROOT).chain(plies) {
            let (from, to) = (tree[id].m.from(), tree[id].m.to());
            let _ = match id {
                NodeId::ROOT => write!(text, "  <Move value=\"00-00\""),
                _ => {
                    let digits = |s: Square| format!("{}{}", s.file(), 9 - s.rank());
                    write!(text, "  <Move value=\"{}-{}\"", digits(from), digits(to))
                }
            };
            if !options.main_line && tree.next_sibling(id).is_some() {
                text.push_str(" branch=\"1\"");
            }
            if tree.first_child(id).is_none() {
                text.push_str(" end=\"1\"");
            }
            match comments.remove(&id) {
                Some(comment) => {
                    let comment = comment.replace("]]>", "]]]]><![CDATA[>").replace('\n', "\r\n");
                    let _ = write!(text, "><![CDATA[{comment}]]></Move>\r\n");
                }
                None => text.push_str("/>\r\n"),
            }
        }
        text.push_str(" </MoveList>\r\n</ChineseChessRecord>\r\n");
        // The head names UTF-8, so that is what is written.
        findings.extend(text_file::encode(&text, encoding_rs::UTF_8, out));
        findings
    }
}
