//! JSON Lines: one game a line, nothing lost.
//!
//! ```json
//! {"yipu":1,"headers":[["Red","甲"]],"start":"rnbakabnr/… w - - 0 1","result":"1-0",
//!  "tree":["h2e2","h9g7",[1,"b9c7"]],"comments":[[1,"after","中炮"]],"marks":[[1,1]],"clocks":[[1,61000]]}
//! ```
//!
//! `tree` lists the plies in the order they were added; a bare move continues the one before it, otherwise the number of
//! the parent stands in front (0 is the start position). Comments, marks and clock times (milliseconds) name their ply by
//! number. `rest` and `trailer` hold text that is no move. Reading a line back gives the identical game.
//!
//! The reader proves every ply on the board: what cannot be played is cut off and kept as text, as in every other format.

use super::fold;
use super::linear::{Record, report_faults};
use super::listed::Listed;
use super::sketch::Sketch;
use super::text_file::TextFile;
use super::{Confidence, Format, ReadGame, ReadOptions, Reader, Sink, Source, Status, WriteOptions, Writer};
use crate::board::{Illegal, Move, Position, Undo};
use crate::diag::{Finding, codes};
use crate::game::{Game, GameResult, NodeId, Place, Tree};
use serde::{Deserialize, Serialize};

/// Version of the layout of a line.
const VERSION: u32 = 1;

/// A line as read.
#[derive(Deserialize)]
struct Line {
    yipu: u32,
    headers: Vec<(String, String)>,
    start: String,
    result: String,
    tree: Vec<Ply>,
    #[serde(default)]
    comments: Vec<(u32, Place, String)>,
    #[serde(default)]
    marks: Vec<(u32, u8)>,
    #[serde(default)]
    clocks: Vec<(u32, u64)>,
    #[serde(default)]
    rest: String,
    #[serde(default)]
    trailer: String,
    /// How a database says the game was read; written by its export.
    #[serde(default)]
    status: Option<String>,
}

/// A line as written: nothing of it is copied, games may be large.
#[derive(Serialize)]
struct LineOut<'g, H, T, C, M, K> {
    yipu: u32,
    headers: H,
    start: String,
    result: &'g str,
    tree: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    comments: Option<C>,
    #[serde(skip_serializing_if = "Option::is_none")]
    marks: Option<M>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clocks: Option<K>,
    #[serde(skip_serializing_if = "str::is_empty")]
    rest: &'g str,
    #[serde(skip_serializing_if = "str::is_empty")]
    trailer: &'g str,
}

/// The items of an iterator as a list.
struct Each<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Each<F> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Ply {
    Next(Text),
    From(u32, Text),
}

#[derive(Serialize)]
#[serde(untagged)]
enum PlyOut {
    Next(Move),
    From(u32, Move),
}

/// A move as text. Lines of a million plies are kept, so what is a move is kept as one.
#[derive(Deserialize)]
#[serde(from = "String")]
enum Text {
    Move(Move),
    Other(Box<str>),
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        match text.parse::<Move>() {
            // Coordinates alone: whatever is written in another way stays as it is.
            Ok(m) if m.to_string() == text => Text::Move(m),
            _ => Text::Other(text.into()),
        }
    }
}

impl From<&Text> for String {
    fn from(text: &Text) -> String {
        match text {
            Text::Move(m) => m.to_string(),
            Text::Other(text) => text.to_string(),
        }
    }
}

impl From<Text> for String {
    fn from(text: Text) -> String {
        String::from(&text)
    }
}

/// Reads JSON Lines.
#[derive(Clone, Copy, Debug)]
pub struct JsonReader;

impl Reader for JsonReader {
    fn format(&self) -> Format {
        Format::Json
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head).trim_ascii_start();
        if head.starts_with(b"{\"yipu\":") { Confidence::Certain } else { Confidence::No }
    }

    fn next_game(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let newline = bytes.get(from..)?.iter().position(|&byte| byte == b'\n')?;
        Some(from + newline + 1).filter(|&at| at < bytes.len())
    }

    fn read(&self, source: Source<'_>, options: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        // JSON is UTF-8; a guess could only be wrong.
        let options = ReadOptions { encoding: options.encoding.or(Some(encoding_rs::UTF_8)) };
        let mut file = TextFile::new(source, &options);
        let text = file.take_text();
        let mut listed = Listed::default();
        let mut number = source.first_game;
        for line in text.lines() {
            let at = line.as_ptr() as usize - text.as_ptr() as usize;
            if line.trim().is_empty() {
                continue;
            }
            match serde_json::from_str::<Line>(line) {
                Ok(line) => {
                    let mut game = read_line(line, at, number);
                    file.locate(&mut game.findings, number);
                    if games(game).is_break() {
                        return Vec::new();
                    }
                    number += 1;
                }
                Err(why) => {
                    let text: String = line.chars().take(80).collect();
                    let message = format!("not a game of this kind: {why}");
                    listed.push(Finding::new(codes::UNREADABLE_LINE, message).text(text).byte(at as u64));
                }
            }
        }
        let mut findings = listed.into_findings();
        findings.extend(file.text_findings());
        file.locate_in_file(&mut findings);
        findings
    }
}

fn read_line(line: Line, at: usize, number: u64) -> ReadGame {
    let mut record = Record::default();
    if line.yipu > VERSION {
        let text = format!("version {}, newer than {VERSION}", line.yipu);
        record.findings.push(Finding::new(codes::UNKNOWN_VERSION, text).byte(at as u64));
    }
    for (name, value) in line.headers {
        record.headers.push(name, value);
    }
    record.start_from(&line.start, at as u64);
    report_faults(&record.start, Some(at as u64), &mut record.findings);
    record.result = GameResult::read(&line.result).unwrap_or_default();

    let mut tree = Tree::new();
    let mut ids = vec![NodeId::ROOT];
    let mut broken = None;
    for ply in &line.tree {
        let (parent, text) = match ply {
            Ply::Next(text) => (ids.len() - 1, text),
            Ply::From(parent, text) => (*parent as usize, text),
        };
        let m = match text {
            Text::Move(m) => Some(*m),
            Text::Other(text) => text.parse().ok(),
        };
        match (ids.get(parent), m) {
            (Some(&parent), Some(m)) => ids.push(tree.add(parent, m)),
            _ => {
                broken = Some(text);
                break;
            }
        }
    }
    if let Some(text) = broken {
        let what = "a ply that is no move, or names a parent behind itself; the plies from there on are kept as text";
        record.findings.push(Finding::new(codes::UNREADABLE_LINE, what).text(text).byte(at as u64));
        record.damaged = true;
        let mut rest = String::new();
        let texts = line.tree[ids.len() - 1..].iter().map(|ply| match ply {
            Ply::Next(text) => String::from(text),
            Ply::From(parent, text) => format!("({parent}) {}", String::from(text)),
        });
        for text in texts {
            rest.push_str(if rest.is_empty() { "" } else { " " });
            rest.push_str(&text);
        }
        record.unfolded.rest = rest;
    }
    let node = |index: u32| ids.get(index as usize).copied();
    let mut homeless = 0;
    for (index, place, text) in line.comments {
        match node(index) {
            Some(node) => tree.comment(node, place, text),
            None => homeless += 1,
        }
    }
    for (index, mark) in line.marks {
        node(index).map_or_else(|| homeless += 1, |node| tree.mark(node, mark));
    }
    for (index, time) in line.clocks {
        node(index).map_or_else(|| homeless += 1, |node| tree.clock(node, time));
    }
    if homeless > 0 {
        let text = format!("{homeless} comments, marks or clock times on plies that do not exist");
        record.findings.push(Finding::new(codes::LOOSE_LINE, text).byte(at as u64));
        record.damaged = true;
    }
    record.unfolded.trailer = line.trailer;
    if record.unfolded.rest.is_empty() {
        record.unfolded.rest = line.rest;
    }
    if record.start_unread || !all_playable(&record.start, &tree) {
        return cut(record, &tree, at, number);
    }
    let Record { headers, start, result, mut findings, unfolded, damaged, .. } = record;
    findings.iter_mut().for_each(|finding| finding.game = Some(number));
    let status = match line.status.as_deref() {
        Some("failed") => Status::Failed,
        Some("partial") => Status::Partial,
        _ => Status::of(damaged, tree.ply_count()),
    };
    let game = Game { headers, start, tree, result, rest: unfolded.rest, trailer: unfolded.trailer };
    ReadGame { game, number, encoding: "utf-8", status, findings }
}

/// Whether every ply can be played from its parent (the general may stay attacked, as in the records this came from).
fn all_playable(start: &Position, tree: &Tree) -> bool {
    let mut position = *start;
    let mut path: Vec<(Move, Undo)> = Vec::new();
    for (id, depth) in tree.walk() {
        while path.len() >= depth as usize
            && let Some((m, undo)) = path.pop()
        {
            position.undo(m, undo);
        }
        let m = tree[id].m;
        let fits = position.is_legal(m)
            || matches!(
                position.prove(m),
                Ok(()) | Err(Illegal::Attacked(..) | Illegal::FacingGenerals | Illegal::NoKing(_))
            );
        if !fits {
            return false;
        }
        path.push((m, position.play(m)));
    }
    true
}

/// The slow way, for a tree with plies that cannot be played.
fn cut(mut record: Record, tree: &Tree, at: usize, number: u64) -> ReadGame {
    let (mut comments, _) = fold::fold_tree(tree);
    let mut sketch = Sketch::new();
    let mut nodes = vec![0usize];
    sketch.comment(0, &comments.remove(&NodeId::ROOT).unwrap_or_default());
    for (id, depth) in tree.walk() {
        nodes.truncate(depth as usize);
        let Some(node) = sketch.add(nodes[depth as usize - 1], Ok(tree[id].m), at as u64) else {
            record.damaged = true;
            record.findings.push(Sketch::too_long(at as u64));
            break;
        };
        sketch.comment(node, &comments.remove(&id).unwrap_or_default());
        nodes.push(node);
    }
    let tree = sketch.play(&mut record);
    record.finish(tree, number, "utf-8")
}

/// Writes JSON Lines.
#[derive(Clone, Copy, Debug)]
pub struct JsonWriter;

impl Writer for JsonWriter {
    fn format(&self) -> Format {
        Format::Json
    }

    fn extension(&self) -> &'static str {
        "jsonl"
    }

    fn holds_many(&self) -> bool {
        true
    }

    fn write(&self, game: &Game, options: &WriteOptions, out: &mut Vec<u8>) -> Vec<Finding> {
        let shortened;
        let game = if options.main_line {
            shortened = main_line(game);
            &shortened
        } else {
            game
        };
        let number = |id: NodeId| id.index() as u32;
        let tree = &game.tree;
        let ply = |(id, index): (NodeId, u32)| {
            let parent = tree.parent(id).map_or(0, number);
            if parent == index { PlyOut::Next(tree[id].m) } else { PlyOut::From(parent, tree[id].m) }
        };
        let comments = Each(|| tree.comments().iter().map(|c| (number(c.node), c.place, &c.text)));
        let marks = Each(|| tree.marks().iter().map(|&(id, mark)| (number(id), mark)));
        let clocks = Each(|| tree.clocks().iter().map(|&(id, time)| (number(id), time)));
        let line = LineOut {
            yipu: VERSION,
            headers: Each(|| game.headers.iter()),
            start: game.start.to_fen(),
            result: game.result.token(),
            tree: Each(|| tree.nodes().zip(0u32..).map(ply)),
            comments: Some(comments).filter(|_| !tree.comments().is_empty()),
            marks: Some(marks).filter(|_| !tree.marks().is_empty()),
            clocks: Some(clocks).filter(|_| !tree.clocks().is_empty()),
            rest: &game.rest,
            trailer: &game.trailer,
        };
        // Nothing in a line can fail to be written to memory.
        if serde_json::to_writer(&mut *out, &line).is_ok() {
            out.push(b'\n');
        }
        Vec::new()
    }
}

/// The game without side lines, and without what hangs on them.
fn main_line(game: &Game) -> Game {
    let mut tree = Tree::new();
    let mut last = NodeId::ROOT;
    let mut ids = vec![(NodeId::ROOT, NodeId::ROOT)];
    for id in game.tree.main_line() {
        last = tree.add(last, game.tree[id].m);
        ids.push((id, last));
    }
    let ids: std::collections::HashMap<NodeId, NodeId> = ids.into_iter().collect();
    for comment in game.tree.comments() {
        if let Some(&id) = ids.get(&comment.node) {
            tree.comment(id, comment.place, comment.text.clone());
        }
    }
    for (id, mark) in game.tree.marks() {
        if let Some(&id) = ids.get(id) {
            tree.mark(id, *mark);
        }
    }
    for (id, time) in game.tree.clocks() {
        if let Some(&id) = ids.get(id) {
            tree.clock(id, *time);
        }
    }
    Game { tree, headers: game.headers.clone(), rest: game.rest.clone(), trailer: game.trailer.clone(), ..*game }
}
