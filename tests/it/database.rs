//! Databases from outside, by the program: the cases of everyday use and of upkeep.

use crate::generator;
use serde_json::Value;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use yipu::format::{Format, WriteOptions, writer};
use yipu::game::{Game, GameResult, Name, NodeId, Place};

/// Mini base M of the case collection: red, black, date, result, moves.
const M: [[&str; 5]; 5] = [
    ["甲一", "乙一", "2021.03.01", "1-0", "h2e2 h9g7 h0g2 b9c7 i0h0 i9h9"],
    ["丙三", "甲一", "2022.07.15", "0-1", "h2e2 b9c7 h0g2 h9g7 i0h0 g6g5"],
    ["丁四", "戊五", "2020.11.02", "1/2-1/2", "b2e2 b9c7 b0c2 h9g7 a0b0 a9b9"],
    ["己六", "庚七", "?", "*", "h2e2 h7e7"],
    ["甲一", "乙一", "2021.03.01", "*", "h2e2 h9g7 h0g2 b9c7"],
];

struct Scratch {
    folder: tempfile::TempDir,
}

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Scratch {
    fn new() -> Scratch {
        Scratch { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_string()
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_yipu"));
        command.args(arguments).args(["--lang", "en"]).current_dir(self.folder.path()).stdin(Stdio::null());
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Runs a command that succeeds, or finds nothing; its lines of JSON.
    fn json(&self, arguments: &[&str]) -> Vec<Value> {
        let mut all = arguments.to_vec();
        all.push("--json");
        let ran = self.run(&all);
        assert!(matches!(ran.code, Some(0 | 1)), "{arguments:?}: {:?}\n{}\n{}", ran.code, ran.out, ran.err);
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn index(&self, paths: &[&str]) -> Value {
        let arguments = [&["index"], paths, &["--db", "db", "-q"]].concat();
        self.json(&arguments).pop().unwrap()["summary"].take()
    }

    /// Numbers, plies and marks of images of the games that answer a query.
    fn find(&self, query: &str) -> String {
        let hits = self.json(&["search", query, "--db", "db"]);
        let hit = |hit: &Value| {
            let ply = hit["ply"].as_u64().map_or(String::new(), |ply| format!("@{ply}"));
            let image = if hit["mirrored"] == true { "m" } else { "" };
            format!("G{}{ply}{image}", hit["id"])
        };
        hits.iter().map(hit).collect::<Vec<_>>().join(" ")
    }
}

fn pgn(row: &[&str; 5]) -> String {
    let [red, black, date, result, moves] = row;
    format!(
        "[Game \"Chinese Chess\"]\n[Red \"{red}\"]\n[Black \"{black}\"]\n[Date \"{date}\"]\n[Result \"{result}\"]\n\n\
         {moves} {result}\n\n"
    )
}

fn base(scratch: &Scratch) -> String {
    scratch.write("m.pgn", M.iter().map(pgn).collect::<String>())
}

#[test]
fn the_mini_base_is_searched_as_its_cases_say() {
    let scratch = Scratch::new();
    base(&scratch);
    assert_eq!(scratch.index(&["m.pgn"])["added"], 5);
    // DB-1: a player on either side, with dates and results.
    let hits = scratch.json(&["search", "player:甲一", "--db", "db"]);
    let columns: Vec<_> =
        hits.iter().map(|hit| (hit["id"].clone(), hit["date"].clone(), hit["result"].clone())).collect();
    let row = |id: u32, date: &str, result: &str| (Value::from(id), Value::from(date), Value::from(result));
    assert_eq!(columns, [row(1, "2021.03.01", "1-0"), row(2, "2022.07.15", "0-1"), row(5, "2021.03.01", "*")]);
    assert_eq!(scratch.find("player:甲一 date:2022..2023"), "G2");
    // DB-3: one hit, at its ply.
    assert_eq!(scratch.find("fen:\"r1bakabr1/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 w\""), "G1@6");
    // DB-4: mirror images only on request, and marked.
    let position = "fen:\"rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w\"";
    assert_eq!(scratch.find(position), "G1@2 G5@2");
    assert_eq!(scratch.find(&format!("{position} mirror:yes")), "G1@2 G3@2m G5@2");
    // DB-7: unknown results are counted apart.
    let tree = scratch.json(&["tree", "--db", "db"]).remove(0);
    let cannon = tree["moves"].as_array().unwrap().iter().find(|line| line["uci"] == "h2e2").unwrap().clone();
    let of = |name: &str| cannon[name].as_u64().unwrap();
    assert_eq!([of("games"), of("red_wins"), of("black_wins"), of("unknown")], [4, 1, 1, 2]);
    assert_eq!(cannon["red_percent"], 50.0);
    // Transpositions are told from the direct order, and the best-known players are named.
    let moves = "h2e2 h9g7 h0g2 b9c7";
    let tree = scratch.json(&["tree", "--db", "db", "--moves", moves, "--direct", "--players"]).remove(0);
    assert_eq!([&tree["games"], &tree["direct"], &tree["ended"]], [&Value::from(3), &2.into(), &1.into()]);
    let next = &tree["moves"][0];
    assert_eq!([&next["uci"], &next["games"], &next["direct"]], [&Value::from("i0h0"), &2.into(), &1.into()]);
    assert_eq!(next["players"][0], "甲一", "the player with the most games");
    assert!(next["opening"].as_str().is_some_and(|name| name.starts_with('C')), "{next}");
    assert_eq!(scratch.run(&["search", "player:无此人", "--db", "db"]).code, Some(1));
}

#[test]
fn games_are_added_without_a_new_build_and_adding_twice_adds_nothing() {
    // DB-9
    let (whole, grown) = (Scratch::new(), Scratch::new());
    base(&whole);
    whole.index(&["m.pgn"]);
    grown.write("first.pgn", M[..3].iter().map(pgn).collect::<String>());
    grown.write("later.pgn", M[3..].iter().map(pgn).collect::<String>());
    grown.index(&["first.pgn"]);
    for added in [2, 0] {
        assert_eq!(grown.index(&["later.pgn"])["added"], added);
    }
    for query in
        ["player:甲一", "line:\"h2e2 h9g7\"", "line:\"h2e2 h9g7\" mirror:yes", "pattern:\"C@e2 n@c7\" mirror:yes"]
    {
        assert_eq!(whole.find(query), grown.find(query), "{query}");
    }
}

#[test]
fn nothing_to_read_makes_no_database() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.path("empty")).unwrap();
    for path in ["empty", "missing.pgn"] {
        assert_eq!(scratch.run(&["index", path, "--db", "db"]).code, Some(2), "{path}");
        assert!(!scratch.path("db").exists(), "{path}");
    }
}

#[test]
fn a_database_does_not_need_its_source_files() {
    // DB-10
    let scratch = Scratch::new();
    let file = base(&scratch);
    scratch.index(&["m.pgn"]);
    std::fs::remove_file(file).unwrap();
    assert_eq!(scratch.find("player:甲一"), "G1 G2 G5");
    let shown = scratch.json(&["db", "show", "2", "--db", "db"]).remove(0);
    assert_eq!((&shown["record"]["tree"][0], &shown["file"]), (&Value::from("h2e2"), &Value::from("m.pgn")));
    assert!(scratch.run(&["db", "show", "2", "--db", "db"]).out.contains("丙三"));
    let none = scratch.run(&["db", "show", "9", "--db", "db"]);
    assert!(none.code == Some(2) && none.err.contains("no game 9"), "{}", none.err);
}

fn plain(scratch: &Scratch, name: &str, games: std::ops::RangeInclusive<u64>) -> Vec<u8> {
    let writer = writer(Format::Pgn).unwrap();
    let mut text = Vec::new();
    for number in games {
        let _ = writer.write(&generator::plain_game(number), &WriteOptions::default(), &mut text);
    }
    scratch.write(name, &text);
    text
}

#[test]
fn generated_games_are_counted_found_deep_and_come_back_from_every_export() {
    // DB-6, PRF-1 and PRF-3 in small.
    let scratch = Scratch::new();
    plain(&scratch, "plain.pgn", 1..=1000);
    let summary = scratch.index(&["plain.pgn"]);
    assert_eq!((&summary["games"], &summary["added"], &summary["failed"]), (&1000.into(), &1000.into(), &0.into()));
    let plies: u64 = scratch.json(&["search", "", "--db", "db"]).iter().map(|hit| hit["plies"].as_u64().unwrap()).sum();
    assert_eq!(plies, 59_565);
    let deep = "fen:\"1nbaka2c/9/4brn2/2C5c/4p1p1p/2r3B2/P3P1P1P/2C1K4/3N5/2RANAB1R w\"";
    assert_eq!(scratch.find(deep), "G2@58");
    for (to, out) in [("pgn", "all.pgn"), ("jsonl", "all.jsonl"), ("xqf", "all/"), ("csv", "all.csv")] {
        let told = scratch.json(&["db", "export", "--db", "db", "--to", to, "-o", out]).remove(0);
        assert_eq!(told["games"], 1000, "{to}");
    }
    for path in ["all.pgn", "all.jsonl", "all"] {
        let summary = scratch.json(&["index", path, "--db", "again", "-q"]).pop().unwrap();
        assert_eq!(summary["summary"]["games"], 1000, "{path}");
        let plies: u64 =
            scratch.json(&["search", "", "--db", "again"]).iter().map(|hit| hit["plies"].as_u64().unwrap()).sum();
        assert_eq!(plies, 59_565, "{path}");
        std::fs::remove_dir_all(scratch.path("again")).unwrap();
    }
    let table = std::fs::read_to_string(scratch.path("all.csv")).unwrap();
    assert_eq!(table.lines().count(), 1001);
    // What exists is not overwritten.
    assert_eq!(scratch.run(&["db", "export", "--db", "db", "--to", "pgn", "-o", "all.pgn"]).code, Some(2));
}

#[test]
fn json_lines_of_everything_make_an_equal_database() {
    let scratch = Scratch::new();
    let mut rich = Game { result: GameResult::Draw, ..Game::default() };
    rich.headers.push("Red", "胡榮華");
    rich.headers.push("x-自定", "值\t\"引号\"");
    let a = rich.tree.add(NodeId::ROOT, "h2e2".parse().unwrap());
    let b = rich.tree.add(a, "h9g7".parse().unwrap());
    rich.tree.add(a, "b9c7".parse().unwrap());
    rich.tree.comment(b, Place::Before, "改进\n两行");
    rich.tree.mark(b, 3);
    rich.tree.clock(a, 61_000);
    rich.rest = "车三进五 以下缺".to_string();
    let mut text = Vec::new();
    let _ = writer(Format::Json).unwrap().write(&rich, &WriteOptions::default(), &mut text);
    scratch.write("rich.jsonl", &text);
    base(&scratch);
    scratch.write("bad.pgn", "[Red \"坏\"]\n[FEN \"9/9/x\"]\n\n1. h2e2 *\n");
    scratch.index(&["rich.jsonl", "m.pgn", "bad.pgn"]);
    scratch.json(&["db", "export", "--db", "db", "--to", "jsonl", "-o", "one.jsonl"]);
    scratch.json(&["index", "one.jsonl", "--db", "two", "-q"]);
    scratch.json(&["db", "export", "--db", "two", "--to", "jsonl", "-o", "two.jsonl"]);
    let games = |name: &str| -> Vec<Value> {
        let text = std::fs::read_to_string(scratch.path(name)).unwrap();
        let game = |line: &str| {
            let mut game: Value = serde_json::from_str(line).unwrap();
            for field in ["sources", "encoding"] {
                assert!(game.as_object_mut().unwrap().remove(field).is_some(), "{field}");
            }
            game
        };
        text.lines().map(game).collect()
    };
    assert_eq!(games("one.jsonl").len(), 7);
    assert_eq!(games("one.jsonl"), games("two.jsonl"));
    let info = |db: &str| scratch.json(&["db", "info", "--db", db]).remove(0);
    assert_eq!(info("db")["positions"], info("two")["positions"]);
}

#[test]
fn bad_bytes_and_bad_moves_are_reported_and_everything_else_comes_in() {
    // PRF-4 in small.
    let scratch = Scratch::new();
    let text = plain(&scratch, "clean.pgn", 1..=2000);
    let text = String::from_utf8(text).unwrap();
    let starts: Vec<usize> = text.match_indices("[Game ").map(|(at, _)| at).collect();
    assert_eq!(starts.len(), 2000);
    let mut bytes = text.clone().into_bytes();
    let tag = starts[776] + text[starts[776]..].find("plain").unwrap();
    bytes[tag] = 0x94;
    // The fifth ply of a later game becomes a rook's jump over its own pieces.
    let game = &text[starts[1499]..];
    let fifth = starts[1499] + game.find("\n3. ").or_else(|| game.find(" 3. ")).unwrap() + 4;
    let end = fifth + text[fifth..].find(char::is_whitespace).unwrap();
    bytes.splice(fifth..end, "a0a9".bytes());
    scratch.write("bad.pgn", bytes);
    let arguments = ["index", "bad.pgn", "--db", "db", "--json"];
    let ran = scratch.run(&arguments);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let summary: Value = serde_json::from_str(ran.out.lines().last().unwrap()).unwrap();
    assert_eq!((&summary["summary"]["games"], &summary["summary"]["added"]), (&2000.into(), &2000.into()));
    assert!(ran.err.contains("game 1500") && ran.err.contains("ply 5") && ran.err.contains("a0a9"), "{}", ran.err);
    assert!(ran.err.lines().any(|line| line.contains("T2")), "the byte is told: {}", ran.err);
    assert_eq!(scratch.find("plies:4"), "G1500");
}

#[test]
fn a_beginning_of_another_game_is_proposed_marked_and_brought_back() {
    // DUP-1
    let scratch = Scratch::new();
    base(&scratch);
    scratch.index(&["m.pgn"]);
    let preview = scratch.json(&["dedup", "--db", "db"]);
    assert_eq!((&preview[0]["keep"]["id"], &preview[0]["copies"][0]["id"]), (&1.into(), &5.into()));
    assert_eq!(preview[0]["copies"][0]["likeness"], "contained");
    assert_eq!((preview.len(), &preview[1]["summary"]["marked"]), (2, &0.into()));
    assert_eq!(scratch.find("player:甲一"), "G1 G2 G5", "a preview changes nothing");
    scratch.json(&["dedup", "--db", "db", "--apply"]);
    assert_eq!(scratch.find("player:甲一"), "G1 G2");
    assert_eq!(scratch.json(&["search", "player:甲一", "--db", "db", "--copies"]).len(), 3);
    assert_eq!(scratch.json(&["tree", "--db", "db"])[0]["games"], 4);
    // Remembered when the same games come again.
    assert_eq!(scratch.index(&["m.pgn"])["duplicates"], 5);
    assert_eq!(scratch.find("player:甲一"), "G1 G2");
    assert_eq!(scratch.json(&["db", "show", "5", "--db", "db"])[0]["copy_of"], 1);
    // Brought back, and not proposed again.
    scratch.json(&["dedup", "--db", "db", "--undo", "5"]);
    assert_eq!(scratch.find("player:甲一"), "G1 G2 G5");
    assert_eq!(scratch.run(&["dedup", "--db", "db", "--apply"]).code, Some(1));
    assert_eq!(scratch.find("player:甲一"), "G1 G2 G5");
    // All decisions forgotten: proposed as at first.
    scratch.json(&["dedup", "--db", "db", "--undo", "all"]);
    assert_eq!(scratch.json(&["dedup", "--db", "db"])[1]["summary"]["copies"], 1);
    // A copy whose kept game is removed is a game again.
    scratch.json(&["dedup", "--db", "db", "--apply"]);
    scratch.json(&["db", "remove", "1", "--db", "db"]);
    assert_eq!(scratch.find("player:甲一"), "G2 G5");
}

#[test]
fn every_kind_of_likeness_is_found_and_the_richest_copy_is_kept() {
    let game = generator::plain_game(2);
    let moves: Vec<yipu::board::Move> = game.moves().take(40).collect();
    let text = |moves: &[yipu::board::Move]| moves.iter().map(|m| m.to_string() + " ").collect::<String>();
    let long = text(&moves);
    let mirrored = text(&moves.iter().map(|m| m.mirror()).collect::<Vec<_>>());
    let contained = text(&moves[..38]);
    let other_end = game.position_at(39).legal_moves().iter().copied().find(|m| *m != moves[39]).unwrap();
    let near = text(&moves[..39]) + &other_end.to_string();
    let annotated = text(&moves[..1]) + "{好棋} " + &text(&moves[1..]);
    let rows: [(&str, [&str; 5]); 6] = [
        ("keep", ["甲一", "乙一", "2021.03.01", "1-0", &annotated]),
        ("same", ["甲一", "乙一", "2021.03.01", "1-0", &long]),
        ("same", ["Jia Yi", "别人", "2019.01.01", "*", &long]),
        ("mirrored", ["甲一", "乙一", "2021.03.01", "1-0", &mirrored]),
        ("near", ["甲一", "乙一", "2021.03.01", "1-0", &near]),
        ("contained", ["甲一", "乙一", "2021.03.01", "*", &contained]),
    ];
    let scratch = Scratch::new();
    scratch.write("copies.pgn", rows.iter().map(|(_, row)| pgn(row)).collect::<String>());
    assert_eq!(scratch.index(&["copies.pgn"])["added"], 6);
    let found = scratch.json(&["dedup", "--db", "db"]);
    assert_eq!(found[0]["keep"]["id"], 1, "the game with a comment");
    let copies = found[0]["copies"].as_array().unwrap();
    for (id, (likeness, _)) in (1..).zip(&rows).skip(1) {
        let copy = copies.iter().find(|copy| copy["id"] == id).unwrap_or_else(|| panic!("game {id} is not found"));
        assert_eq!(copy["likeness"], *likeness, "game {id}");
        assert!(!copy["evidence"].as_array().unwrap().is_empty());
    }
    let other = copies.iter().find(|copy| copy["id"] == 3).unwrap();
    let evidence = other["evidence"].to_string();
    assert!(evidence.contains("other players") && evidence.contains("other date"), "{evidence}");
}

#[test]
fn copies_in_three_formats_and_encodings_are_one_group() {
    // DUP-6
    let scratch = Scratch::new();
    let mut game = Game::default();
    game.headers.set(Name::Red, "甲一");
    game.headers.set(Name::Black, "乙一");
    let mut node = NodeId::ROOT;
    for m in ["h2e2", "h9g7"] {
        node = game.tree.add(node, m.parse().unwrap());
    }
    let mut rich = game.clone();
    let first = rich.tree.main_line().next().unwrap();
    rich.tree.add(first, "b9c7".parse().unwrap());
    let mut bytes = Vec::new();
    let _ = writer(Format::Xqf).unwrap().write(&rich, &WriteOptions::default(), &mut bytes);
    scratch.write("a.xqf", &bytes);
    for (name, encoding) in [("b.pgn", encoding_rs::GB18030), ("c.pgn", encoding_rs::BIG5)] {
        let mut bytes = Vec::new();
        let mut options = WriteOptions { encoding, ..WriteOptions::default() };
        if encoding == encoding_rs::BIG5 {
            options.style.script = yipu::notation::Script::Traditional;
        }
        let _ = writer(Format::Pgn).unwrap().write(&game, &options, &mut bytes);
        scratch.write(name, &bytes);
    }
    scratch.index(&["a.xqf", "b.pgn", "c.pgn"]);
    let found = scratch.json(&["dedup", "--db", "db"]);
    let ids = |copies: &Value| copies.as_array().unwrap().len();
    // GBK and Big5 hold the very same game: it is one game with two sources. The XQF has more and is kept.
    let games = scratch.json(&["search", "", "--db", "db"]);
    let sources: usize = games.iter().map(|game| 1 + game["further_sources"].as_array().map_or(0, Vec::len)).sum();
    assert_eq!(sources, 3);
    assert_eq!((&found[0]["keep"]["file"], ids(&found[0]["copies"])), (&"a.xqf".into(), games.len() - 1));
}

#[test]
fn a_game_keeps_all_its_sources() {
    let scratch = Scratch::new();
    base(&scratch);
    scratch.write("club/copy.pgn", pgn(&M[1]));
    scratch.index(&["m.pgn"]);
    let summary = scratch.index(&["club/copy.pgn"]);
    assert_eq!((&summary["added"], &summary["duplicates"]), (&0.into(), &1.into()));
    let game = scratch.json(&["search", "red:丙三", "--db", "db"]).remove(0);
    assert_eq!(game["file"], "m.pgn");
    assert_eq!(game["further_sources"], serde_json::json!([{ "file": "club/copy.pgn", "game": 1 }]));
    assert_eq!(scratch.find("source:club"), "G2");
    assert_eq!(scratch.find("source:m.pgn"), "G1 G2 G3 G4 G5");
    assert!(scratch.run(&["db", "show", "2", "--db", "db"]).out.contains("club/copy.pgn#1"));
    // The same place again is nothing new, and a source outlives compaction.
    let manifest = || std::fs::read(scratch.path("db/manifest")).unwrap();
    let before = manifest();
    scratch.index(&["club/copy.pgn"]);
    assert_eq!(manifest(), before);
    scratch.json(&["db", "remove", "4", "--db", "db"]);
    scratch.json(&["db", "compact", "--db", "db"]);
    assert_eq!(scratch.find("source:club"), "G2");
    assert_eq!(scratch.json(&["db", "verify", "--db", "db"])[0]["ok"], true);
}

#[test]
fn latin_and_chinese_names_are_one_search_and_near_names_are_a_question() {
    // DUP-3, DUP-4
    let scratch = Scratch::new();
    let names = [
        "钱一鸣",
        "錢一鳴",
        "錢　一鳴",
        "QIAN Yiming",
        "Qian, Yiming",
        "Yiming QIAN",
        "上海钱一鸣",
        "王斌",
        "王兵",
        "WANG Bin",
    ];
    let games: String = names.iter().map(|name| pgn(&[name, "乙", "?", "*", "h2e2"])).collect();
    scratch.write("names.pgn", games);
    scratch.index(&["names.pgn"]);
    scratch.json(&["names", "--db", "db", "--accept", "钱一鸣=QIAN Yiming"]);
    for text in ["qian yiming", "Yiming Qian", "錢一鳴"] {
        assert_eq!(scratch.find(&format!("player:\"{text}\"")), "G1 G2 G3 G4 G5 G6 G7", "{text}");
    }
    let groups = scratch.json(&["names", "--db", "db"]);
    let with = |name: &str| -> Vec<&Value> {
        groups.iter().filter(|group| group["names"].to_string().contains(name)).collect()
    };
    assert!(with("王兵").is_empty(), "nothing is proposed for 王兵");
    assert_eq!((with("王斌").len(), &with("王斌")[0]["certain"]), (1, &false.into()));
    // Undone: the names part again, the games were never touched.
    scratch.json(&["names", "--db", "db", "--undo", "钱一鸣"]);
    assert!(!scratch.path("db/aliases.txt").metadata().is_ok_and(|file| file.len() > 0));
    assert_eq!(scratch.find("red:王兵"), "G9");
}

#[test]
fn names_of_one_event_are_joined_and_parted() {
    let scratch = Scratch::new();
    let event = |name: &str| pgn(&M[3]).replace("[Red", &format!("[Event \"{name}\"]\n[Red"));
    scratch.write("events.pgn", event("1990年全国象棋个人赛") + &event("九零年个人赛") + &event("五羊杯"));
    scratch.index(&["events.pgn"]);
    assert_eq!(scratch.find("event:九零年个人赛"), "G2");
    scratch.json(&["names", "--events", "--db", "db", "--accept", "1990年全国象棋个人赛=九零年个人赛"]);
    assert_eq!(scratch.find("event:九零年个人赛"), "G1 G2");
    assert_eq!(scratch.find("event:1990年全国象棋个人赛 -event:五羊杯"), "G1 G2");
    scratch.json(&["names", "--events", "--db", "db", "--undo", "九零年个人赛"]);
    assert_eq!(scratch.find("event:九零年个人赛"), "G2");
}

#[test]
fn a_removed_game_stays_out_comes_back_on_request_and_is_gone_after_compaction() {
    // DUP-7
    let scratch = Scratch::new();
    let noise: String =
        (0..40_000u32).map(|n| char::from_u32(0x4E00 + n.wrapping_mul(2_654_435_761) % 20_000).unwrap()).collect();
    let secret = pgn(&["秘密人名", "庚七", "?", "*", &format!("h2e2 {{{noise}}} h7e7")]);
    scratch.write("m.pgn", M[..3].iter().map(pgn).collect::<String>() + &secret + &pgn(&M[4]));
    scratch.index(&["m.pgn"]);
    assert_eq!(scratch.json(&["db", "remove", "4", "--db", "db"])[0]["removed"], 1);
    let summary = scratch.index(&["m.pgn"]);
    assert_eq!((&summary["excluded"], &summary["added"]), (&1.into(), &0.into()));
    assert!(scratch.run(&["index", "m.pgn", "--db", "db"]).out.contains("1 games were removed before"));
    assert_eq!(scratch.find("line:h2e2"), "G1@1 G2@1 G5@1");
    // Taken back, with everything.
    assert_eq!(scratch.json(&["db", "restore", "4", "--db", "db"])[0]["restored"], 1);
    assert_eq!(scratch.find("line:h2e2"), "G1@1 G2@1 G4@1 G5@1");
    assert_eq!(scratch.find("player:秘密人名"), "G4");
    assert_eq!(scratch.find(&format!("comment:{}", &noise[..12])), "G4");
    // Removed and compacted: no file holds a word of it, and it stays out.
    let files = || -> Vec<(PathBuf, Vec<u8>)> {
        let folders = [scratch.path("db"), scratch.path("db/headers")];
        let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
        let files = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
        files.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
    };
    let has = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(files().iter().any(|(_, bytes)| has(bytes, "秘密")), "the name is a term of the header index");
    let text_bytes = || -> usize {
        files().iter().filter(|(path, _)| path.extension().is_some_and(|e| e == "text")).map(|(_, b)| b.len()).sum()
    };
    let before = text_bytes();
    scratch.json(&["db", "remove", "4", "--db", "db"]);
    scratch.json(&["db", "compact", "--db", "db"]);
    for (path, bytes) in files() {
        assert!(!has(&bytes, "秘密") && !has(&bytes, &noise[..6]), "{}", path.display());
    }
    assert!(text_bytes() + 40_000 < before, "{} of {before} bytes of texts", text_bytes());
    let gone = scratch.run(&["db", "restore", "4", "--db", "db"]);
    assert!(gone.code == Some(2) && gone.err.contains("cannot come back"), "{}", gone.err);
    assert_eq!(scratch.index(&["m.pgn"])["excluded"], 1);
    assert_eq!(scratch.find("line:h2e2"), "G1@1 G2@1 G5@1");
    assert_eq!(scratch.find("player:甲一"), "G1 G2 G5");
    assert_eq!(scratch.json(&["db", "verify", "--db", "db"])[0]["ok"], true);
    // A second compaction, and a build anew, leave it so.
    for action in ["compact", "rebuild"] {
        scratch.json(&["db", action, "--db", "db"]);
        assert_eq!(scratch.find("line:h2e2"), "G1@1 G2@1 G5@1", "{action}");
        assert_eq!(scratch.index(&["m.pgn"])["excluded"], 1, "{action}");
        assert_eq!(scratch.json(&["db", "verify", "--db", "db"])[0]["ok"], true);
    }
}

/// A copy of a database of format 1, of three games of which the last was removed.
fn old_database(scratch: &Scratch) {
    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
            let target = to.join(entry.file_name());
            if entry.path().is_dir() {
                copy(&entry.path(), &target)
            } else {
                let _ = std::fs::copy(entry.path(), target).unwrap();
            }
        }
    }
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/database-v1"), &scratch.path("db"));
}

#[test]
fn a_database_of_the_first_format_is_read_and_brought_to_the_newest() {
    let scratch = Scratch::new();
    old_database(&scratch);
    let answers = || {
        let queries = ["player:甲一", "line:h2e2", "pattern:\"N@g2 n@c7\"", "capture:x", "comment:注解", "event:旧版"];
        queries.map(|query| scratch.find(query))
    };
    let before = answers();
    assert_eq!(before, ["G1 G2", "G1@1 G2@1", "G1@4 G2@3", "", "G2", "G1"]);
    assert_eq!(scratch.json(&["db", "info", "--db", "db"])[0]["format_version"], 1);
    base(&scratch);
    let refused = scratch.run(&["index", "m.pgn", "--db", "db"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("format 1") && refused.err.contains("db rebuild"), "{}", refused.err);
    let info = scratch.json(&["db", "rebuild", "--db", "db"]).remove(0);
    assert_eq!((&info["format_version"], &info["games"]), (&yipu::store::FORMAT_VERSION.into(), &2.into()));
    assert_eq!(answers(), before);
    assert_eq!(scratch.json(&["db", "verify", "--db", "db"])[0]["ok"], true);
    // A number that was removed is not given again.
    scratch.write("new.pgn", pgn(&M[3]));
    scratch.index(&["new.pgn"]);
    assert_eq!(scratch.find("red:己六"), "G4");
}

#[test]
fn a_newer_format_is_refused_with_both_numbers() {
    let scratch = Scratch::new();
    base(&scratch);
    scratch.index(&["m.pgn"]);
    let path = scratch.path("db/manifest");
    let text = std::fs::read_to_string(&path).unwrap();
    let json = text.split_once('\n').unwrap().1;
    let mut hasher = blake3::Hasher::new();
    hasher.update(&99u32.to_le_bytes());
    hasher.update(json.as_bytes());
    let sum = hasher.finalize().to_hex()[..32].to_string();
    std::fs::write(&path, format!("yipu database 99 {sum}\n{json}")).unwrap();
    for action in ["info", "verify", "rebuild", "compact"] {
        let refused = scratch.run(&["db", action, "--db", "db"]);
        assert_eq!(refused.code, Some(2), "{action}");
        assert!(refused.err.contains("format 99"), "{action}: {}", refused.err);
    }
}

#[test]
fn a_killed_writer_leaves_no_lock() {
    let scratch = Scratch::new();
    base(&scratch);
    scratch.index(&["m.pgn"]);
    // Reads what is written to it, and waits for more.
    let spawn = || {
        let mut child = Command::new(env!("CARGO_BIN_EXE_yipu"))
            .args(["index", "-", "--db", "db"])
            .current_dir(scratch.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        child.stdin.as_mut().unwrap().write_all(pgn(&M[0]).as_bytes()).unwrap();
        child
    };
    let mut child = spawn();
    let mut refused = None;
    for _ in 0..300 {
        std::thread::sleep(std::time::Duration::from_millis(100));
        // The two may meet; then it is the child that is refused.
        if child.try_wait().unwrap().is_some() {
            child = spawn();
            continue;
        }
        let ran = scratch.run(&["index", "m.pgn", "--db", "db", "-q"]);
        if ran.code == Some(2) {
            refused = Some(ran);
            break;
        }
    }
    let refused = refused.expect("the second writer is refused");
    assert!(refused.err.contains("another yipu"), "{}", refused.err);
    assert_eq!(scratch.find("player:甲一"), "G1 G2 G5", "readers go on");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(scratch.index(&["m.pgn"])["duplicates"], 5);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_database_as_it_was() {
    let scratch = Scratch::new();
    base(&scratch);
    scratch.index(&["m.pgn"]);
    plain(&scratch, "more.pgn", 1..=3000);
    // A limit on the size of a file stands for a disk that is full, for every command that writes.
    for (action, rest) in [("rebuild", ""), ("compact", ""), ("remove", "1")] {
        let limit = format!("ulimit -f 0; trap '' XFSZ; exec \"$0\" db {action} {rest} --db db -q");
        let output = Command::new("sh")
            .args(["-c", &limit, env!("CARGO_BIN_EXE_yipu")])
            .current_dir(scratch.folder.path())
            .output()
            .unwrap();
        // A single clean segment has nothing to compact.
        let expected = if action == "compact" { Some(0) } else { Some(2) };
        assert_eq!(output.status.code(), expected, "{action}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(scratch.find("player:甲一"), "G1 G2 G5", "{action}");
        assert_eq!(scratch.json(&["db", "verify", "--db", "db"])[0]["ok"], true, "{action}");
    }
    assert_eq!(scratch.index(&["more.pgn"])["added"], 3000);
    let mut leftovers = Vec::new();
    std::fs::File::open(scratch.path("db/manifest")).unwrap().read_to_end(&mut leftovers).unwrap();
    assert_eq!(scratch.json(&["db", "verify", "--db", "db"])[0].get("leftovers"), None);
}

#[test]
fn results_that_the_board_contradicts_are_told_with_reasons() {
    let scratch = Scratch::new();
    let game = |fen: &str, result: &str, moves: &str| {
        format!(
            "[Game \"Chinese Chess\"]\n[Red \"甲\"]\n[Result \"{result}\"]\n[FEN \"{fen}\"]\n\n{moves} {result}\n\n"
        )
    };
    let mate = "3k5/1R7/9/9/9/9/9/9/R8/4K4 w - - 0 1";
    let check = "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 1";
    let round = "a1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9 e1d1";
    let games = [
        game(mate, "0-1", "a1a9"),
        game(mate, "1-0", "a1a9"),
        game(mate, "*", "a1a9"),
        game(check, "1/2-1/2", round),
        game(check, "0-1", round),
        game(check, "1-0", "a1a2"),
    ];
    scratch.write("results.pgn", games.concat());
    scratch.index(&["results.pgn"]);
    let found = scratch.json(&["audit", "results", "--db", "db", "--unstated"]);
    let short: Vec<(u64, &str, &str)> = found[..found.len() - 1]
        .iter()
        .map(|doubt| {
            (doubt["id"].as_u64().unwrap(), doubt["ground"].as_str().unwrap(), doubt["expected"].as_str().unwrap())
        })
        .collect();
    assert_eq!(short, [(1, "mate", "1-0"), (3, "mate", "1-0"), (4, "repetition", "0-1")]);
    assert!(found[..3].iter().all(|doubt| !doubt["reason"].as_str().unwrap().is_empty()));
    assert!(!found[2]["articles"].as_array().unwrap().is_empty());
    assert_eq!(found[3]["summary"]["doubted"], 3);
    assert_eq!(scratch.json(&["audit", "results", "--db", "db"]).len(), 3);
    let people = scratch.run(&["audit", "results", "--db", "db"]);
    assert!(people.code == Some(1) && people.out.contains("mate"), "{}", people.out);
}

#[test]
fn the_plan_shows_its_bounds_and_what_each_step_leaves() {
    let scratch = Scratch::new();
    plain(&scratch, "plain.pgn", 1..=300);
    scratch.index(&["plain.pgn"]);
    let query = "pattern:\"P@{2,}[a-i]5-9 R@e4\" capture:Rxn plies:60";
    let plan = scratch.json(&["search", query, "--db", "db", "--explain"]).remove(0)["plan"].take();
    let steps = plan["steps"].as_array().unwrap();
    assert_eq!(steps[0]["by"], "bounds of the games");
    assert!(steps[0]["bounds"].to_string().contains("soldiers reached"), "{}", steps[0]["bounds"]);
    let left: Vec<u64> = steps.iter().map(|step| step["left"].as_u64().unwrap()).collect();
    assert!(left.is_sorted_by(|a, b| a >= b) && left[2] == plan["left"].as_u64().unwrap(), "{left:?}");
    assert!(left[0] < 300 && steps[1]["settled"] == true);
    let text = scratch.run(&["search", query, "--db", "db", "--explain"]).out;
    assert!(text.contains("left so far") && text.contains("soldiers reached"), "{text}");
}

#[test]
fn parquet_is_written_or_the_build_says_that_it_cannot() {
    let scratch = Scratch::new();
    plain(&scratch, "plain.pgn", 1..=200);
    scratch.index(&["plain.pgn"]);
    let arguments = ["db", "export", "--db", "db", "--to", "parquet", "-o", "tables", "--buckets", "4"];
    if !cfg!(feature = "parquet") {
        let refused = scratch.run(&arguments);
        assert!(refused.code == Some(2) && refused.err.contains("--features parquet"), "{}", refused.err);
        return;
    }
    let told = scratch.json(&arguments).remove(0);
    assert_eq!((&told["games"], &told["buckets"]), (&200.into(), &4.into()));
    assert_eq!(told["positions"], scratch.json(&["db", "info", "--db", "db"])[0]["positions"]);
    for name in ["games.parquet", "positions/0000.parquet", "positions/0003.parquet"] {
        let bytes = std::fs::read(scratch.path("tables").join(name)).unwrap();
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"), "{name}");
    }
}

/// A GET request to the server; status and body.
fn get(port: u16, path: &str, host: &str) -> (u16, String) {
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.to_ascii_lowercase().contains("content-security-policy"), "{head}");
    (head.split_whitespace().nth(1).unwrap().parse().unwrap(), body.to_string())
}

#[test]
fn the_server_answers_what_the_commands_answer_and_this_machine_only() {
    use std::io::BufRead;
    let scratch = Scratch::new();
    base(&scratch);
    scratch.index(&["m.pgn"]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_yipu"))
        .args(["serve", "--db", "db", "--port", "0", "--json"])
        .current_dir(scratch.folder.path())
        .stdout(Stdio::piped())
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let url = serde_json::from_str::<Value>(&line).unwrap()["url"].as_str().unwrap().to_string();
    let port: u16 = url.trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
    let host = format!("127.0.0.1:{port}");
    let outcome = std::panic::catch_unwind(|| {
        let json = |path: &str| {
            let (status, body) = get(port, path, &host);
            (status, serde_json::from_str::<Value>(&body).unwrap())
        };
        let (status, found) = json("/api/search?q=player%3A%E7%94%B2%E4%B8%80&sort=-date");
        let ids: Vec<u64> = found["hits"].as_array().unwrap().iter().map(|hit| hit["id"].as_u64().unwrap()).collect();
        assert_eq!((status, &found["count"], ids), (200, &3.into(), vec![2, 1, 5]));
        let (_, tree) = json("/api/tree?moves=h2e2&where=player%3A%E7%94%B2%E4%B8%80");
        assert_eq!((&tree["games"], &tree["line"][0]["chinese"]), (&3.into(), &"炮二平五".into()));
        let (_, game) = json("/api/game/1");
        assert_eq!((game["line"].as_array().unwrap().len(), &game["line"][5]["uci"]), (6, &"i9h9".into()));
        assert!(get(port, "/api/board.svg?moves=h2e2", &host).1.starts_with("<svg"));
        assert!(get(port, "/", &host).1.contains("data-lang=\"en\""));
        for (path, status) in [
            ("/api/search?q=dat%3A1", 400),
            ("/api/tree?moves=xyz", 400),
            ("/api/game/99", 400),
            ("/api/game/x", 404),
            ("/../Cargo.toml", 404),
        ] {
            let (found, body) = json(path);
            assert!(found == status && body["error"].is_string(), "{path}: {found}");
        }
        assert_eq!(get(port, "/api/info", "evil.example").0, 403, "a page of another site");
    });
    child.kill().unwrap();
    child.wait().unwrap();
    outcome.unwrap();
}
