//! Nothing is lost silently: for every writer, what is not there after reading back is named by a finding.

use crate::ccbridge::read_all;
use crate::formats::{any_game, real, repeats};
use proptest::prelude::*;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use yipu::diag::Finding;
use yipu::format::{DiagramAt, Format, ReadOptions, Source, WriteOptions, reader, writer};
use yipu::game::{Game, GameResult, Name, NodeId, Place, Tree};

/// Every format that is written and read.
fn formats() -> impl Iterator<Item = Format> {
    Format::ALL.iter().copied().filter(|&format| writer(format).is_some() && reader(format).is_some())
}

/// What a game holds, by kind; nodes are named by the moves that lead to them.
#[derive(Debug, Default, PartialEq)]
struct Facts {
    headers: BTreeMap<String, BTreeSet<String>>,
    comments: BTreeSet<String>,
    marks: BTreeSet<String>,
    clocks: BTreeSet<String>,
    lines: BTreeSet<String>,
    start: String,
    result: GameResult,
    rest: String,
    trailer: String,
}

impl Facts {
    fn of(game: &Game) -> Facts {
        let tree = &game.tree;
        let mut paths: BTreeMap<usize, String> = BTreeMap::from([(0, String::new())]);
        for (id, _) in tree.walk() {
            let parent = tree.parent(id).map_or(0, NodeId::index);
            // Plies repeated among the alternatives stay apart by their place among them.
            let place = tree.children(tree.parent(id).unwrap_or(NodeId::ROOT)).position(|child| child == id).unwrap();
            paths.insert(id.index(), format!("{} {place}:{}", paths[&parent], tree[id].m));
        }
        let path = |id: NodeId| &paths[&id.index()];
        let mut facts = Facts {
            lines: tree.nodes().map(|id| path(id).clone()).collect(),
            start: game.start.to_fen(),
            result: game.result,
            rest: squeeze(&game.rest),
            trailer: squeeze(&game.trailer),
            ..Facts::default()
        };
        for (name, value) in game.headers.iter() {
            let is = |tag: &str| name.eq_ignore_ascii_case(tag);
            let implied = (is("Result") && GameResult::read(value).is_some())
                || is("FEN")
                || is("SetUp")
                || is("Format")
                || is("Game");
            if !value.trim().is_empty() && !implied {
                // Every format of ours writes Red for the White of western programs.
                let name = if is("White") { "red".into() } else { name.to_ascii_lowercase() };
                facts.headers.entry(name).or_default().insert(value.to_string());
            }
        }
        for comment in tree.comments() {
            let text = comment.text.trim();
            if !text.is_empty() {
                let (node, place) = printed_at(tree, comment.node, comment.place);
                facts.comments.insert(format!("{} {place:?} {text:?}", path(node)));
            }
        }
        facts.marks = tree.marks().iter().map(|(node, mark)| format!("{} {mark}", path(*node))).collect();
        facts.clocks = tree.clocks().iter().map(|(node, time)| format!("{} {time}", path(*node))).collect();
        facts
    }

    /// What differs, as the words one of which a finding about it must hold, and what it is.
    fn differences(&self, other: &Facts) -> Vec<(Vec<String>, String)> {
        let words = |list: &[&str]| list.iter().map(|word| word.to_string()).collect::<Vec<_>>();
        let mut list = Vec::new();
        for (name, values) in &self.headers {
            if other.headers.get(name) != Some(values) {
                list.push((words(&[name]), format!("{name}: {values:?} became {:?}", other.headers.get(name))));
            }
        }
        for name in other.headers.keys().filter(|name| !self.headers.contains_key(*name)) {
            list.push((words(&[name, "header", "renamed", "named so"]), format!("new header {name}")));
        }
        let mut sets = |kind: &str, ours: &BTreeSet<String>, theirs: &BTreeSet<String>| {
            if ours != theirs {
                let lost: Vec<_> = ours.difference(theirs).collect();
                let new: Vec<_> = theirs.difference(ours).collect();
                // Where side lines are left out, a comment behind them stands behind the ply before them.
                let named = if kind == "comment" { words(&[kind, "side lines"]) } else { words(&[kind]) };
                list.push((named, format!("{kind}: lost {lost:?}, new {new:?}")));
            }
        };
        sets("comment", &self.comments, &other.comments);
        sets("mark", &self.marks, &other.marks);
        sets("clock", &self.clocks, &other.clocks);
        sets("plies", &self.lines, &other.lines);
        if self.start != other.start {
            list.push((words(&["position", "counters"]), format!("{} became {}", self.start, other.start)));
        }
        if self.result != other.result {
            list.push((words(&["result"]), format!("{:?} became {:?}", self.result, other.result)));
        }
        if self.rest != other.rest {
            list.push((words(&["could not be read"]), format!("{:?} became {:?}", self.rest, other.rest)));
        }
        if self.trailer != other.trailer {
            list.push((words(&["behind the game"]), format!("{:?} became {:?}", self.trailer, other.trailer)));
        }
        list
    }
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where a comment stands in print. One before a ply with no side lines in between stands behind the ply before; one at
/// the end of a line without side lines stands behind its last ply.
fn printed_at(tree: &Tree, node: NodeId, place: Place) -> (NodeId, Place) {
    let first = |id: NodeId| tree.parent(id).is_some_and(|parent| tree.first_child(parent) == Some(id));
    let branches = |id: NodeId| first(id) && tree.next_sibling(id).is_some();
    match place {
        Place::End if tree.first_child(node).is_some() => {
            printed_at(tree, tree.first_child(node).unwrap(), Place::Before)
        }
        Place::End if !branches(node) => (node, Place::After),
        Place::Before if first(node) => match tree.parent(node) {
            Some(parent) if !branches(parent) => (parent, Place::After),
            _ => (node, place),
        },
        _ => (node, place),
    }
}

/// What a format loses of a game without a word about it.
fn silent(format: Format, game: &Game, options: &WriteOptions) -> Vec<String> {
    let writer = writer(format).unwrap();
    let mut bytes = Vec::new();
    let findings = writer.write(game, options, &mut bytes);
    if bytes.is_empty() {
        let refused = findings.iter().any(|finding| finding.code.id() == "O203");
        return if refused { Vec::new() } else { vec!["nothing was written, without a reason".into()] };
    }
    let mut file = Vec::new();
    writer.join(&mut std::iter::once(bytes), &mut file).unwrap();
    let mut back = Vec::new();
    let encoding = Some(options.encoding).filter(|encoding| *encoding != encoding_rs::UTF_8);
    let read = ReadOptions { encoding };
    reader(format).unwrap().read(Source::whole(&file, "test"), &read, &mut |game| {
        back.push(game.game);
        ControlFlow::Continue(())
    });
    let [back] = &back[..] else { return vec![format!("{} games came back", back.len())] };
    let named = |words: &[String], finding: &Finding| {
        let text = format!("{} {}", finding.message, finding.text.as_deref().unwrap_or_default()).to_lowercase();
        words.iter().any(|word| text.contains(&word.to_lowercase()))
    };
    let differences = Facts::of(game).differences(&Facts::of(back));
    let unnamed = differences.into_iter().filter(|(words, _)| {
        !findings.iter().any(|finding| named(words, finding) && finding.code.id().starts_with('O'))
    });
    unnamed.map(|(_, what)| what).collect()
}

#[test]
fn no_writer_loses_anything_of_a_real_tree_without_saying_so() {
    let Some(files) = real("xqf") else { return };
    let pgn = real("pgn").unwrap();
    let sample: Vec<_> = files.iter().skip(1).step_by(5).chain(pgn.iter().step_by(11)).collect();
    assert!(sample.len() > 3000);
    let options = WriteOptions { diagrams: Some(vec![DiagramAt::Ply(3), DiagramAt::End]), ..WriteOptions::default() };
    let silent: Vec<String> = sample
        .par_iter()
        .flat_map_iter(|(path, file)| {
            let bytes = std::fs::read(file).unwrap();
            let games: Vec<Game> = read_all(&bytes).0.into_iter().map(|read| read.game).collect();
            let mut found = Vec::new();
            for (number, game) in games.iter().enumerate().take(3) {
                for format in formats() {
                    let library = format == Format::Cbl && bytes.len() % 16 != 0;
                    if library || (format == Format::Dhtmlxq && repeats(&game.tree)) {
                        continue;
                    }
                    let losses = silent(format, game, &options);
                    found.extend(losses.into_iter().map(|what| format!("{format} {path}#{}: {what}", number + 1)));
                }
            }
            found
        })
        .collect();
    for line in silent.iter().take(40) {
        eprintln!("{}", line.chars().take(600).collect::<String>());
    }
    assert!(silent.is_empty(), "{} silent losses", silent.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn no_writer_loses_anything_without_saying_so(game in any_game(), trailer in "[ -~]{0,30}", rest in "(中|炮二平五|1\\.| |x){0,6}") {
        let mut game = game;
        game.trailer = trailer.trim().to_string();
        game.rest = rest.trim().to_string();
        for format in formats() {
            let silent = silent(format, &game, &WriteOptions::default());
            prop_assert!(silent.is_empty(), "{} {:#?}\n{:?}", format, silent, game);
        }
    }

    #[test]
    fn a_page_of_html_shows_every_text(game in any_game()) {
        let mut html = Vec::new();
        writer(Format::Html).unwrap().write(&game, &WriteOptions::default(), &mut html);
        let html = String::from_utf8(html).unwrap();
        let escaped = |text: &str| {
            text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
        };
        for comment in game.tree.comments() {
            prop_assert!(html.contains(&escaped(&comment.text)), "{}", comment.text);
        }
        for (name, value) in game.headers.iter() {
            prop_assert!(name == Name::Result.tag() || html.contains(&escaped(value)), "{name} {value}");
        }
        // Every bracket of markup is closed, and no text became markup.
        prop_assert_eq!(html.matches('<').count(), html.matches('>').count());
    }
}
