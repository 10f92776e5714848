//! What a format has no field for, written into its comments so that it reads back.
//!
//! Old formats know one comment a ply and a fixed set of headers. Marks, clock times, comments before a ply, further
//! headers and leftover text are appended to the comment of their node, each behind a line of its own:
//!
//! ```text
//! 中炮
//! [%yipu marks 1]
//! [%yipu clock 61000]
//! [%yipu before]
//! 以下红优
//! [%yipu tag Round]
//! 3
//! ```
//!
//! A person sees readable text; [`unfold`] gives the parts back exactly. A line of a comment that itself starts with
//! `[%yipu` gets one more `%`.

use crate::board::Position;
use crate::diag::{Finding, codes};
use crate::game::{Game, Headers, NodeId, Place, Tree};
use std::collections::BTreeMap;
use std::fmt::Write;

const MARKER: &str = "[%yipu ";

/// Comments by node, ready to be written.
pub(super) type Comments = BTreeMap<NodeId, String>;

/// The comments of a tree, with everything folded in that is no plain comment behind a ply.
pub(super) fn fold_tree(tree: &Tree) -> (Comments, Vec<Finding>) {
    let mut texts = Comments::new();
    let (mut moved, mut marks, mut clocks) = (0usize, 0usize, 0usize);
    // Plain comments first, so that they open the text whatever else there is.
    for comment in tree.comments().iter().filter(|c| c.place == Place::After && !c.text.is_empty()) {
        match texts.entry(comment.node) {
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(escape(&comment.text));
            }
            std::collections::btree_map::Entry::Occupied(mut entry) => {
                moved += 1;
                section(entry.get_mut(), "after", Some(&comment.text));
            }
        }
    }
    for comment in tree.comments().iter().filter(|c| c.place != Place::After && !c.text.is_empty()) {
        moved += 1;
        let kind = if comment.place == Place::Before { "before" } else { "end" };
        section(texts.entry(comment.node).or_default(), kind, Some(&comment.text));
    }
    for &(node, mark) in tree.marks() {
        marks += 1;
        section(texts.entry(node).or_default(), &format!("marks {mark}"), None);
    }
    for &(node, time) in tree.clocks() {
        clocks += 1;
        section(texts.entry(node).or_default(), &format!("clock {time}"), None);
    }
    let findings = [
        (moved, "comments that do not stand directly behind their ply"),
        (marks, "annotation marks"),
        (clocks, "clock times"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| folded(&format!("{count} {what}")))
    .collect();
    (texts, findings)
}

/// Adds headers, leftover text and trailer of a game to the comment on its start position.
pub(super) fn fold_game<'a>(
    texts: &mut Comments,
    game: &Game,
    headers: impl Iterator<Item = (Fit, &'a str, &'a str)>,
    findings: &mut Vec<Finding>,
) {
    let mut root = texts.remove(&NodeId::ROOT).unwrap_or_default();
    for (fit, name, value) in headers {
        if value.is_empty() {
            continue;
        }
        let kind = match fit {
            Fit::Cut => "full",
            Fit::Foreign => "tag",
        };
        section(&mut root, &format!("{kind} {}", one_line(name)), Some(value));
        let mut finding = match fit {
            Fit::Cut => {
                Finding::new(codes::FIELD_CUT, crate::say!("{name} is longer than its field"; "{name} 比字段长"))
            }
            Fit::Foreign => folded(&format!("the header {name}")),
        };
        finding.text = Some(value.to_string());
        findings.push(finding);
    }
    let counters = (game.start.quiet_plies(), game.start.round());
    if counters != (0, 1) {
        section(&mut root, &format!("counters {} {}", counters.0, counters.1), None);
        findings.push(folded("the counters of the start position"));
    }
    for (text, kind) in [(&game.rest, "rest"), (&game.trailer, "trailer")] {
        if !text.is_empty() {
            section(&mut root, kind, Some(text));
            findings.push(folded(match kind {
                "rest" => "move text that could not be read",
                _ => "text behind the game",
            }));
        }
    }
    if !root.is_empty() {
        texts.insert(NodeId::ROOT, root);
    }
}

/// Why a header is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// The format has a field for it, but a shorter one.
    Cut,
    /// The format has no such field.
    Foreign,
}

fn folded(what: &str) -> Finding {
    Finding::new(
        codes::FOLDED,
        crate::say!(
            "{what}: no field of the format holds this, written into a comment";
            "{what}: 格式没有相应字段, 已写入注释"
        ),
    )
}

fn section(text: &mut String, kind: &str, value: Option<&str>) {
    if !text.is_empty() {
        text.push('\n');
    }
    let _ = write!(text, "{MARKER}{kind}]");
    if let Some(value) = value {
        text.push('\n');
        text.push_str(&escape(value));
    }
}

fn one_line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() || c == ']' { ' ' } else { c }).collect()
}

/// How many `%` a line has if it looks like a marker, or like an escaped one.
fn percents(line: &str) -> Option<usize> {
    let behind = line.strip_prefix('[')?;
    let rest = behind.trim_start_matches('%');
    (rest.len() < behind.len() && rest.starts_with("yipu")).then(|| behind.len() - rest.len())
}

fn escape(text: &str) -> String {
    if !text.contains("yipu") {
        return text.to_string();
    }
    let lines: Vec<_> = text
        .split('\n')
        .map(|line| if percents(line).is_some() { line.replacen('[', "[%", 1) } else { line.into() })
        .collect();
    lines.join("\n")
}

/// A format has fewer fields that can be too short for a header.
const MOST_FIELDS: usize = 256;

/// A part of a folded comment.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Comment(Place),
    Mark(u8),
    Clock(u64),
    Counters(u16, u16),
    Tag(String),
    Full(String),
    Rest,
    Trailer,
}

impl Part {
    fn read(line: &str) -> Option<Part> {
        let kind = line.strip_prefix(MARKER)?.strip_suffix(']')?;
        let (word, value) = kind.split_once(' ').unwrap_or((kind, ""));
        Some(match (word, value) {
            ("after", "") => Part::Comment(Place::After),
            ("before", "") => Part::Comment(Place::Before),
            ("end", "") => Part::Comment(Place::End),
            ("rest", "") => Part::Rest,
            ("trailer", "") => Part::Trailer,
            ("marks", value) => Part::Mark(value.parse().ok()?),
            ("clock", value) => Part::Clock(value.parse().ok()?),
            ("counters", value) => {
                let (quiet, round) = value.split_once(' ')?;
                Part::Counters(quiet.parse().ok()?, round.parse().ok()?)
            }
            ("tag", value) if !value.is_empty() => Part::Tag(value.into()),
            ("full", value) if !value.is_empty() => Part::Full(value.into()),
            _ => return None,
        })
    }
}

/// Gives the parts of a comment their places again: those of a node to the tree, those of the game to the game.
#[derive(Debug, Default)]
pub(super) struct Unfolded {
    /// Headers that belong to the game, and whether each replaces the one read from the format's own field.
    pub headers: Vec<(bool, String, String)>,
    pub rest: String,
    pub trailer: String,
    /// Counters of the start position.
    pub counters: Option<(u16, u16)>,
}

impl Unfolded {
    /// Adds the comment of a node to the tree, split into its parts.
    pub fn unfold(&mut self, tree: &mut Tree, node: NodeId, text: String) {
        if !text.contains("yipu") {
            if !text.is_empty() {
                tree.comment(node, Place::After, text);
            }
            return;
        }
        let mut part = Part::Comment(Place::After);
        let mut lines: Option<String> = None;
        for line in text.split('\n') {
            if let Some(next) = Part::read(line) {
                self.end(tree, node, std::mem::replace(&mut part, next), lines.take());
                continue;
            }
            let line = match percents(line) {
                Some(2..) => line.replacen("[%", "[", 1),
                _ => line.to_string(),
            };
            match &mut lines {
                Some(lines) => {
                    lines.push('\n');
                    lines.push_str(&line);
                }
                None => lines = Some(line),
            }
        }
        self.end(tree, node, part, lines);
    }

    fn end(&mut self, tree: &mut Tree, node: NodeId, part: Part, text: Option<String>) {
        let text = text.unwrap_or_default();
        match part {
            Part::Mark(mark) => tree.mark(node, mark),
            Part::Clock(time) => tree.clock(node, time),
            Part::Counters(quiet, round) => self.counters = Some((quiet, round)),
            Part::Rest => self.rest = text,
            Part::Trailer => self.trailer = text,
            Part::Tag(name) => self.headers.push((false, name, text)),
            Part::Full(name) => self.headers.push((true, name, text)),
            Part::Comment(place) if !text.is_empty() => tree.comment(node, place, text),
            Part::Comment(_) => {}
        }
    }

    /// Puts the headers and counters found on the way where they belong; returns leftover text and trailer.
    pub fn apply(self, headers: &mut Headers, start: &mut Position) -> (String, String) {
        if let Some((quiet, round)) = self.counters {
            start.set_counters(quiet, round);
        }
        for (index, (replaces, name, value)) in self.headers.into_iter().enumerate() {
            // No format has more fields than that; each is looked for among all others.
            if replaces && index < MOST_FIELDS {
                headers.set_raw(&name, value);
            } else {
                headers.push(name, value);
            }
        }
        (self.rest, self.trailer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_folded_into_a_comment_comes_back() {
        let mut tree = Tree::new();
        let node = tree.add(NodeId::ROOT, "h2e2".parse().unwrap());
        tree.comment(node, Place::After, "甲\n[%yipu marks 3]\n[%%yipu");
        tree.comment(node, Place::After, "乙\n");
        tree.comment(node, Place::Before, "\n丙");
        tree.comment(node, Place::End, "[x]");
        tree.mark(node, 1);
        tree.mark(node, 14);
        tree.clock(node, 61_000);
        let (texts, findings) = fold_tree(&tree);
        assert_eq!(findings.len(), 3);
        let mut back = Tree::new();
        back.add(NodeId::ROOT, "h2e2".parse().unwrap());
        let mut unfolded = Unfolded::default();
        for (node, text) in texts {
            unfolded.unfold(&mut back, node, text);
        }
        assert_eq!(back, tree);
    }

    #[test]
    fn headers_and_leftovers_come_back() {
        let mut game = Game { rest: "车一".into(), trailer: "advert".into(), ..Game::default() };
        game.headers.push("Round", "3");
        game.headers.push("Red", "a long name");
        let mut texts = Comments::new();
        let mut findings = Vec::new();
        let headers = [(Fit::Foreign, "Round", "3"), (Fit::Cut, "Red", "a long name")];
        fold_game(&mut texts, &game, headers.into_iter(), &mut findings);
        assert_eq!(findings.len(), 4);
        let mut unfolded = Unfolded::default();
        let mut tree = Tree::new();
        unfolded.unfold(&mut tree, NodeId::ROOT, texts[&NodeId::ROOT].clone());
        let mut headers = Headers::default();
        headers.push("Red", "a lo");
        let leftovers = unfolded.apply(&mut headers, &mut Position::start());
        assert_eq!(leftovers, ("车一".into(), "advert".into()));
        assert_eq!(headers.iter().collect::<Vec<_>>(), [("Red", "a long name"), ("Round", "3")]);
        assert!(tree.comments().is_empty());
    }
}
