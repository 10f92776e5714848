//! PFC, the XML record of 鹏飞象棋: nested `n` elements are the tree.
//!
//! Experimental: no file of this program was met, only descriptions of it.
//!
//! Comes in: one root element whose `m` is the FEN of the start position; every other element is a ply in coordinates with
//! its comment in `c`. A child marked `default` belongs to the main line and comes first. Goes out: one game.

use super::fold::{self, Fit};
use super::linear::{Record, report_faults, settle_side};
use super::sketch::Sketch;
use super::text_file::{self, TextFile};
use super::xml::{self, Piece, Scanner};
use super::{Confidence, Format, ReadOptions, Reader, Sink, Source, WriteOptions, Writer, is_implied};
use crate::diag::{Finding, codes};
use crate::game::{Game, GameResult, Name, NodeId};
use std::fmt::Write as _;

/// Root attributes and the headers they become.
const HEADERS: [(&str, &str); 7] = [
    ("title", Name::Title.tag()),
    ("event", Name::Event.tag()),
    ("date", Name::Date.tag()),
    ("place", Name::Site.tag()),
    ("round", Name::Round.tag()),
    ("red", Name::Red.tag()),
    ("black", Name::Black.tag()),
];

/// Reads PFC.
#[derive(Clone, Copy, Debug)]
pub struct PfcReader;

impl Reader for PfcReader {
    fn format(&self) -> Format {
        Format::Pfc
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        let head = &head[..head.len().min(1024)];
        let has = |part: &[u8]| head.windows(part.len()).any(|window| window == part);
        if has(b"[pfchessrecord]") || (has(b"<n ") && has(b" m=\"")) { Confidence::Certain } else { Confidence::No }
    }

    fn read(&self, source: Source<'_>, options: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        let mut file = TextFile::new(source, &xml::declared_encoding(source.bytes, options));
        let text = file.take_text();
        let mut record = Record::default();
        let said = "PFC is known from descriptions only; please compare the result";
        record.findings.push(Finding::new(codes::EXPERIMENTAL, said));
        let sketch = parse(&text, &mut record);
        let from = sketch.first_from();
        settle_side(&mut record.start, from, true, None, &mut record.findings);
        report_faults(&record.start, None, &mut record.findings);
        let tree = sketch.play(&mut record);
        let mut game = record.finish(tree, source.first_game, file.encoding());
        file.locate(&mut game.findings, source.first_game);
        let _ = games(game);
        let mut findings = file.text_findings();
        file.locate_in_file(&mut findings);
        findings
    }
}

/// Where the tree begins and ends: in forums it stands inside of a comment, `[pfchessrecord]<!--<?xml …<n …>…-->`.
fn tree_range(text: &str) -> std::ops::Range<usize> {
    let whole = 0..text.len();
    let Some(root) = text.find("<n ") else { return whole };
    let Some(comment) = text[..root].rfind("<!--").filter(|&at| !text[at..root].contains("-->")) else { return whole };
    let end = text[root..].find("-->").map_or(text.len(), |end| root + end);
    comment + "<!--".len()..end
}

fn parse(text: &str, record: &mut Record) -> Sketch {
    let mut sketch = Sketch::new();
    let range = tree_range(text);
    let base = range.start;
    let text = &text[range];
    // The open elements, and how many plies the document still has open in all.
    let mut path: Vec<usize> = Vec::new();
    let mut seen_root = false;
    for piece in Scanner::new(text) {
        match piece {
            Piece::Open { name: "n", attributes, empty, at } => {
                let at = base + at;
                let (mut m, mut comment, mut main) = (String::new(), String::new(), false);
                let mut others = Vec::new();
                for (name, value) in xml::attributes(attributes) {
                    match name {
                        "m" => m = value,
                        "c" => comment = value.replace("\r\n", "\n"),
                        "default" => main = value == "true",
                        name => others.push((name, value)),
                    }
                }
                let node = match path.last() {
                    Some(&parent) => {
                        let squares = m.to_ascii_lowercase().parse().map_err(|_| (0, 0));
                        let added = match main {
                            true => sketch.add_first(parent, squares, at as u64),
                            false => sketch.add(parent, squares, at as u64),
                        };
                        let Some(node) = added else {
                            record.damaged = true;
                            record.findings.push(Sketch::too_long(at as u64));
                            return sketch;
                        };
                        node
                    }
                    None if seen_root => {
                        record.damaged = true;
                        record.findings.push(
                            Finding::new(codes::LEFT_OVER_BYTES, "a second tree behind the first; it is not read")
                                .byte(at as u64),
                        );
                        return sketch;
                    }
                    None => {
                        seen_root = true;
                        root(&m, others, at, record);
                        0
                    }
                };
                sketch.comment(node, &comment);
                if !empty {
                    path.push(node);
                }
            }
            Piece::Close { name: "n" } => {
                path.pop();
            }
            _ => {}
        }
    }
    if !seen_root {
        record.damaged = true;
        record.findings.push(Finding::new(codes::BROKEN_TREE, "there is no element n, so there is no tree"));
    }
    sketch
}

fn root(fen: &str, attributes: Vec<(&str, String)>, at: usize, record: &mut Record) {
    if !fen.is_empty() {
        record.start_from(fen, at as u64);
    }
    for (name, value) in attributes {
        match name {
            "version" => {}
            "win" => {
                record.result = match value.as_str() {
                    "" | "0" => GameResult::Unknown,
                    "1" => GameResult::RedWins,
                    "2" => GameResult::BlackWins,
                    "3" => GameResult::Draw,
                    other => GameResult::read(other).unwrap_or_else(|| {
                        let finding =
                            Finding::new(codes::BROKEN_HEADER, "no known result, kept as a header").text(other);
                        record.findings.push(finding.byte(at as u64));
                        record.headers.push("ResultText", other);
                        GameResult::Unknown
                    }),
                }
            }
            name => match HEADERS.iter().find(|(attribute, _)| *attribute == name) {
                Some((_, header)) if !value.is_empty() => record.headers.push(*header, value),
                None if !value.is_empty() => record.headers.push(format!("pfc_{name}"), value),
                _ => {}
            },
        }
    }
}

/// Writes PFC.
#[derive(Clone, Copy, Debug)]
pub struct PfcWriter;

impl Writer for PfcWriter {
    fn format(&self) -> Format {
        Format::Pfc
    }

    fn extension(&self) -> &'static str {
        "pfc"
    }

    fn holds_many(&self) -> bool {
        false
    }

    fn write(&self, game: &Game, options: &WriteOptions, out: &mut Vec<u8>) -> Vec<Finding> {
        let (mut comments, mut findings) = fold::fold_tree(&game.tree);
        let mut extra = Vec::new();
        let mut attributes: Vec<(&str, &str)> = Vec::new();
        for (name, value) in game.headers.iter() {
            if is_implied(name, value, game) {
                continue;
            }
            match HEADERS.iter().find(|(_, header)| header.eq_ignore_ascii_case(name)) {
                Some((attribute, _)) if !attributes.iter().any(|(a, _)| a == attribute) => {
                    attributes.push((attribute, value));
                }
                _ => extra.push((Fit::Foreign, name, value)),
            }
        }
        fold::fold_game(&mut comments, game, extra.into_iter(), &mut findings);
        let win = match game.result {
            GameResult::Unknown => 0,
            GameResult::RedWins => 1,
            GameResult::BlackWins => 2,
            GameResult::Draw => 3,
        };
        let mut text = format!("<?xml version=\"1.0\" encoding=\"utf-8\"?><n version=\"2\" win=\"{win}\"");
        let _ = write!(text, " m=\"{}\"", game.start.to_fen());
        for (name, value) in attributes {
            let _ = write!(text, " {name}=\"{}\"", xml::escape(value));
        }
        let tree = &game.tree;
        let mut depth = 0;
        let mut end = |text: &mut String, id: NodeId| {
            let comment = comments.remove(&id).unwrap_or_default();
            let close = if tree.first_child(id).is_some() { ">" } else { " />" };
            let _ = write!(text, " c=\"{}\"{close}", xml::escape(&comment));
        };
        end(&mut text, NodeId::ROOT);
        let plies: &mut dyn Iterator<Item = (NodeId, u32)> =
            if options.main_line { &mut tree.main_line().zip(1..) } else { &mut tree.walk() };
        for (id, level) in plies {
            // A ply without a child closed itself; every level above the next ply is still open.
            for _ in level..=depth {
                text.push_str("</n>");
            }
            depth = level - u32::from(tree.first_child(id).is_none());
            let parent = tree.parent(id).unwrap_or(NodeId::ROOT);
            let main = if tree.first_child(parent) == Some(id) { " default=\"true\"" } else { "" };
            let _ = write!(text, "<n m=\"{}\"{main}", tree[id].m);
            end(&mut text, id);
        }
        let root_open = u32::from(tree.first_child(NodeId::ROOT).is_some());
        for _ in 0..depth + root_open {
            text.push_str("</n>");
        }
        text.push('\n');
        findings.extend(text_file::encode(&text, encoding_rs::UTF_8, out));
        findings
    }
}
