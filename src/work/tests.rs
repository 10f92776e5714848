//! Everything twice as long takes at most a little more than twice the work.

use super::counts::{KINDS, of};
use crate::board::{Move, Position};
use crate::format::{Format, ReadGame, ReadOptions, Source, WriteOptions, reader, writer};
use crate::game::{Game, Name, NodeId, Place};
use std::ops::ControlFlow;

/// Work below this is not compared: fixed costs would drown its growth.
const LITTLE: u64 = 2_000;
/// So many times the work for twice the input. Lists that grow by doubling make it a little more than 2.
const MOST: f64 = 2.3;

/// Compares the work on a thing and on one twice as long.
fn grows_evenly(what: &str, once: [u64; KINDS], twice: [u64; KINDS]) {
    assert!(once.iter().any(|&work| work > LITTLE), "{what}: hardly any work was counted: {once:?}");
    for (kind, (once, twice)) in once.into_iter().zip(twice).enumerate() {
        let bound = (once.max(LITTLE) as f64 * MOST) as u64;
        assert!(twice <= bound, "{what}: work of kind {kind} grew from {once} to {twice}");
    }
}

fn read_all(format: Format, bytes: &[u8]) -> Vec<ReadGame> {
    let mut games = Vec::new();
    let source = Source::whole(bytes, "x");
    let _ = reader(format).unwrap().read(source, &ReadOptions::default(), &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    });
    games
}

/// Two horses go out and back.
const STEPS: [&str; 4] = ["h0g2", "h9g7", "g2h0", "g7h9"];

fn step(ply: usize) -> Move {
    STEPS[ply % 4].parse().unwrap()
}

fn titled() -> Game {
    let mut game = Game::default();
    game.headers.push(Name::Event.tag(), "甲");
    game.headers.push(Name::Red.tag(), "乙");
    game
}

fn long_line(plies: usize) -> Game {
    let mut game = titled();
    let mut node = NodeId::ROOT;
    for ply in 0..plies {
        node = game.tree.add(node, step(ply));
    }
    game
}

fn many_comments(count: usize) -> Game {
    let mut game = long_line(count);
    for node in game.tree.ids().collect::<Vec<_>>() {
        game.tree.comment(node, Place::After, "红方先手");
    }
    game
}

/// The main line with a side line of one ply at every ply.
fn many_side_lines(plies: usize) -> Game {
    let mut game = titled();
    let mut node = NodeId::ROOT;
    for ply in 0..plies {
        let next = game.tree.add(node, step(ply));
        game.tree.add(node, if ply % 2 == 0 { "a3a4" } else { "a6a5" }.parse().unwrap());
        node = next;
    }
    game
}

/// All side lines leave the first ply, each with two plies of its own.
fn side_lines_at_one_node(count: usize) -> Game {
    let mut game = titled();
    let first = game.tree.add(NodeId::ROOT, "h2e2".parse().unwrap());
    let mut position = Position::start();
    position.play("h2e2".parse().unwrap());
    let replies = position.legal_moves();
    for n in 0..count {
        // A side line that repeats the main line is the main line in DhtmlXQ, so only the first of them is `replies[0]`.
        let reply = if n == 0 { replies[0] } else { replies[1 + n % (replies.len() - 1)] };
        let node = game.tree.add(first, reply);
        let mut behind = position;
        behind.play(reply);
        game.tree.add(node, behind.legal_moves()[0]);
    }
    game
}

/// Each side line leaves the side line before it.
fn deep_side_lines(depth: usize) -> Game {
    let mut game = titled();
    let mut node = NodeId::ROOT;
    for ply in 0..depth {
        game.tree.add(node, if ply % 2 == 0 { "a3a4" } else { "a6a5" }.parse().unwrap());
        node = game.tree.add(node, step(ply));
    }
    game
}

type Shape = (&'static str, fn(usize) -> Game, usize);

const SHAPES: [Shape; 5] = [
    ("a long line", long_line, 6000),
    ("comments", many_comments, 3000),
    ("side lines", many_side_lines, 1500),
    ("side lines at one node", side_lines_at_one_node, 1500),
    ("side lines in side lines", deep_side_lines, 1500),
];

const TREES: [Format; 6] = [Format::Pgn, Format::Xqf, Format::Dhtmlxq, Format::Cbl, Format::Cbr, Format::Json];

fn written(format: Format, games: &[Game]) -> Vec<u8> {
    let writer = writer(format).unwrap();
    let mut files = games.iter().map(|game| {
        let mut bytes = Vec::new();
        let _ = writer.write(game, &WriteOptions::default(), &mut bytes);
        bytes
    });
    let mut out = Vec::new();
    writer.join(&mut files, &mut out).unwrap();
    out
}

#[test]
fn a_game_twice_as_long_takes_twice_the_work() {
    for format in TREES {
        for (name, shape, size) in SHAPES {
            let work = |size: usize| {
                let game = shape(size);
                let bytes = written(format, std::slice::from_ref(&game));
                of(|| {
                    let games = read_all(format, &bytes);
                    assert_eq!(games.len(), 1, "{format}, {name}");
                    let plies = games[0].game.tree.ply_count();
                    assert_eq!(plies, game.tree.ply_count(), "{format}, {name}: {:?}", games[0].findings.first());
                    let _ = written(format, std::slice::from_ref(&games[0].game));
                })
            };
            grows_evenly(&format!("{format}, {name}"), work(size), work(2 * size));
        }
    }
}

#[test]
fn a_file_twice_as_long_takes_twice_the_work() {
    for format in [Format::Pgn, Format::Cbl, Format::Dhtmlxq, Format::Json, Format::Uci, Format::Wxf, Format::Csv] {
        if reader(format).is_none() || writer(format).is_none_or(|writer| !writer.holds_many()) {
            continue;
        }
        let work = |count: usize| {
            let bytes = written(format, &vec![many_side_lines(20); count]);
            of(|| assert_eq!(read_all(format, &bytes).len(), count, "{format}"))
        };
        grows_evenly(format.name(), work(150), work(300));
    }
}

/// Texts that nobody writes, made to cost more than their length.
#[test]
fn hostile_text_takes_no_more_than_its_length() {
    let head = "[Event \"x\"]\n\n1. h2e2 h9g7 ";
    let broken = "[Event \"x\"]\n\n1. 炮二平五 马8进7 2. 马二进五 *\n\n";
    let shapes: [(&str, &dyn Fn(usize) -> String); 20] = [
        ("games that break off", &|n| broken.repeat(n)),
        ("opening brackets", &|n| format!("{head}{}", "(".repeat(n))),
        ("opening brackets with moves", &|n| format!("{head}{}", "(h9i7 ".repeat(n))),
        ("wide brackets", &|n| format!("{head}{}", "（".repeat(n))),
        ("brackets closed", &|n| format!("{head}{}{}", "(".repeat(n), ")".repeat(n))),
        ("closing brackets", &|n| format!("{head}{}", ")".repeat(n))),
        ("opening braces", &|n| format!("{head}{}", "{\n".repeat(n))),
        ("numbers", &|n| format!("{head}{}", "1 ".repeat(n))),
        ("one long number", &|n| format!("{head}{}", "1".repeat(n))),
        ("dots", &|n| format!("{head}{}", ".".repeat(n))),
        ("marks", &|n| format!("{head}{}", "!?".repeat(n))),
        ("clock times", &|n| format!("{head}{{{}}}", "[%clk 0:00:01]".repeat(n))),
        ("block comments", &|n| format!("{head}{}", "/* ".repeat(n))),
        ("nonsense", &|n| format!("{head}{}", "进 ".repeat(n))),
        ("moves that touch", &|n| format!("{head}{}", "h2e2h9g7".repeat(n))),
        ("tags", &|n| (0..n).map(|n| format!("[T{n} \"\"]\n")).collect()),
        ("tags on one line", &|n| "[Site \"x\"] ".repeat(n)),
        ("games on one line", &|n| "[Event \"x\"] ".repeat(n)),
        ("games without moves", &|n| "[Event \"x\"]\n".repeat(n)),
        ("tags without an end", &|n| format!("{head}\n{}", "[Event \"\n".repeat(n))),
    ];
    for (name, shape) in shapes {
        for format in [Format::Pgn, Format::Text] {
            let work = |n: usize| {
                let text = shape(n);
                of(|| drop(read_all(format, text.as_bytes())))
            };
            grows_evenly(&format!("{format}, {name}"), work(4000), work(8000));
        }
    }
}

#[test]
fn hostile_tags_of_pages_take_no_more_than_their_length() {
    let block =
        |inside: String| format!("[DhtmlXQ]\n[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n{inside}\n[/DhtmlXQ]\n");
    let shapes: [(&str, &dyn Fn(usize) -> String); 6] = [
        ("names", &|n| (0..n).map(|n| format!("[DhtmlXQ_n{n}]x[/DhtmlXQ_n{n}]\n")).collect()),
        ("tags without an end", &|n| "[DhtmlXQ_title]x".repeat(n)),
        ("markup without an end", &|n| format!("[DhtmlXQ_title]{}[/DhtmlXQ_title]", "<a".repeat(n))),
        ("brackets", &|n| "[".repeat(n)),
        ("lines at one ply", &|n| {
            (1..=n)
                .map(|n| format!("[DhtmlXQ_move_0_2_{n}]{}{}22[/DhtmlXQ_move_0_2_{n}]\n", n % 10, n / 10 % 10))
                .collect()
        }),
        ("lines that repeat their parent", &|n| {
            (1..=n).map(|n| format!("[DhtmlXQ_move_0_2_{n}]7062[/DhtmlXQ_move_0_2_{n}]\n")).collect()
        }),
    ];
    for (name, shape) in shapes {
        let work = |n: usize| {
            let text = block(shape(n));
            of(|| drop(read_all(Format::Dhtmlxq, text.as_bytes())))
        };
        grows_evenly(name, work(3000), work(6000));
    }
}

#[test]
fn thousands_of_ambiguous_moves_take_no_more_than_their_number() {
    // 炮24 and 炮42 may go forward or aside.
    let work = |rounds: usize| {
        let moves: String = (0..rounds).map(|_| "炮24 炮24 炮42 炮42 马23 马23 马32 马32\n").collect();
        let text = format!("[Event \"x\"]\n\n{moves}*\n");
        of(|| drop(read_all(Format::Pgn, text.as_bytes())))
    };
    grows_evenly("ambiguous moves", work(500), work(1000));
}

#[test]
fn a_line_of_two_hundred_thousand_plies_is_read_in_every_format() {
    let game = long_line(200_000);
    for format in TREES {
        let bytes = written(format, std::slice::from_ref(&game));
        let games = read_all(format, &bytes);
        assert_eq!(games[0].game.moves().count(), 200_000, "{format}: {:?}", games[0].findings.first());
    }
}

#[test]
fn findings_in_every_game_of_a_file_cost_no_more_than_the_file() {
    let json = String::from_utf8(written(Format::Json, &[long_line(4)])).unwrap().replace("h9g7", "h9g6");
    let wxf = String::from_utf8(written(Format::Wxf, &[long_line(4)])).unwrap().replace("H8+7", "H8+6");
    let page = "[DhtmlXQ]\n[DhtmlXQ_movelist]77471111[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n";
    let files: [(Format, &str); 5] = [
        (Format::Uci, "position startpos moves h2e2 e5e6\n"),
        (Format::Epd, "9/9/9/9/9/9/9/9/9/4K4 w ; 无黑将\n"),
        (Format::Json, &json),
        (Format::Wxf, &wxf),
        (Format::Dhtmlxq, page),
    ];
    for (format, game) in files {
        let work = |count: usize| {
            let text = game.repeat(count);
            of(|| {
                let games = read_all(format, text.as_bytes());
                assert_eq!(games.len(), count, "{format}");
                assert!(games.iter().all(|game| !game.findings.is_empty()), "{format}");
            })
        };
        grows_evenly(format.name(), work(400), work(800));
    }
}
