//! `yipu move` and `yipu moves` from outside.

use crate::cli::yipu;
use predicates::str::contains;
use serde_json::Value;

fn lines(arguments: &[&str]) -> (Vec<Value>, Option<i32>) {
    let output = yipu().arg("--json").args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), output.status.code())
}

#[test]
fn a_move_is_shown_in_every_notation() {
    let fen = "3k5/9/4P4/9/4R4/2c6/4R4/9/9/5K3 w";
    let (shown, code) = lines(&["move", "--fen", fen, "后车退二", "R+=4"]);
    assert_eq!(code, Some(0));
    let expected = [
        ("text", "后车退二"),
        ("uci", "e3e1"),
        ("iccs", "E3-E1"),
        ("chinese", "后车退二"),
        ("traditional", "後車退二"),
        ("short", "后车2\u{305}"),
        ("wxf", "R--2"),
        ("chinese1956", "后车下二"),
        ("fen_after", "3k5/9/4P4/9/4R4/2c6/9/9/4R4/5K3 b - - 1 1"),
    ];
    for (key, value) in expected {
        assert_eq!(shown[0][key], value, "{key}");
    }
    assert_eq!((&shown[0]["check"], &shown[0]["capture"]), (&Value::Bool(false), &Value::Null));
    assert_eq!(shown[1]["uci"], "e5f5");
    let (shown, _) = lines(&["move", "--fen", "3k5/9/9/9/c3R4/9/9/9/9/5K3 w", "e5a5", "e5d5"]);
    assert_eq!((&shown[0]["capture"], &shown[1]["check"]), (&"c".into(), &Value::Bool(true)));
}

#[test]
fn what_fits_several_moves_or_none_is_explained_and_never_chosen() {
    let (shown, code) = lines(&["move", "炮24", "车一平三", "象棋"]);
    assert_eq!(code, Some(1));
    assert_eq!(shown[0]["candidates"], serde_json::json!(["h2f2", "h2h6"]));
    assert_eq!(shown[0]["findings"][0]["code"], "N202");
    assert_eq!(shown[1]["candidates"], serde_json::json!([]));
    assert!(shown[1]["findings"][0]["message"].as_str().unwrap().contains("own Red elephant stands on g0"));
    assert_eq!(shown[2]["findings"][0]["code"], "N201");
    // NOT-3
    let (shown, _) = lines(&["move", "--fen", "3k5/9/9/4C4/9/9/9/4C4/9/5K3 w", "炮五退三", "炮五退二", "C5-3"]);
    assert_eq!((&shown[0]["uci"], &shown[2]["uci"]), (&"e6e3".into(), &"e6e3".into()));
    assert_eq!(shown[1]["candidates"], serde_json::json!(["e2e0", "e6e4"]));
    assert!(shown[1]["findings"][0]["message"].as_str().unwrap().contains("前, 中 or 后"));
}

#[test]
fn on_a_line_later_moves_settle_earlier_ones() {
    let (shown, code) = lines(&["move", "--line", "炮25 马87", "马23 车98 车12 卒71 车26"]);
    let moves: Vec<_> = shown.iter().map(|line| line["uci"].as_str().unwrap()).collect();
    assert_eq!((moves.join(" ").as_str(), code), ("h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6", Some(0)));
    let (shown, code) = lines(&["move", "--line", "1. 炮二平五 马8进7 2. 车一平三 车9平8"]);
    assert_eq!((shown.len(), code), (4, Some(1)));
    assert_eq!(shown[2]["findings"][0]["code"], "R401");
    assert!(shown[3]["findings"][0]["message"].as_str().unwrap().starts_with("not read"));
}

#[test]
fn a_dialect_that_is_known_is_the_only_one_tried() {
    let fen = "4k4/9/6P2/2P3P2/2P3P2/9/9/9/9/5K3 w";
    let read = |dialect: &str| lines(&["move", "--fen", fen, "33+1", "--dialect", dialect]).0[0]["uci"].clone();
    assert_eq!((read("pawn-numbers"), read("pawn-marks")), (Value::Null, Value::Null), "both are blocked");
    let read = |dialect: &str| lines(&["move", "--fen", fen, "33=4", "--dialect", dialect]).0[0]["uci"].clone();
    assert_eq!((read("pawn-numbers"), read("pawn-marks")), ("g5f5".into(), "g6f6".into()));
    yipu().args(["-v", "move", "--fen", fen, "33=4"]).assert().success().stderr(contains("N203"));
    // Where the sign hints at neither style, the later one is read, as it is written, and the other one told.
    let fen = "3k5/9/9/9/R8/p1p6/p8/2p5B/9/2p2K3 b";
    let (shown, code) = lines(&["move", "--fen", fen, "33+1", "--lang", "en"]);
    assert_eq!((shown[0]["uci"].as_str(), shown[0].get("candidates"), code), (Some("c4c3"), None, Some(0)));
    let told = &shown[0]["findings"][0];
    assert_eq!((told["code"].as_str(), told["severity"].as_str()), (Some("N203"), Some("note")));
    assert!(told["message"].as_str().unwrap().contains("pawns by marks it would be"), "{told}");
    assert!(told["message"].as_str().unwrap().contains("c2c1"), "{told}");
}

#[test]
fn files_from_zero_are_read_only_where_they_are_asked_for() {
    let read = |text: &str, fen: &str| lines(&["move", "--fen", fen, text, "--dialect", "files0"]).0.remove(0);
    let start = yipu::board::START_FEN;
    for (text, m) in
        [("b6+4", "c0e2"), ("c1=4", "h2e2"), ("r0+1", "i0i1"), ("h7+6", "b0c2"), ("p2+1", "g3g4"), ("c1=0", "h2i2")]
    {
        assert_eq!(read(text, start)["uci"], m, "{text}");
    }
    // From the usual count: another move, or none.
    let usual = |text: &str| lines(&["move", text, "--lang", "en"]).0.remove(0);
    assert_eq!(usual("h7+6")["uci"], Value::Null);
    assert!(usual("c1=0")["findings"][0]["message"].as_str().unwrap().contains("--dialect files0"));
    assert_eq!(usual("c2=4")["uci"], "h2f2");
    // Nothing says whether equal pieces on a file are counted from 0 too.
    let doubled = "3k5/9/9/4R4/9/9/4R4/9/9/5K3 w";
    assert_eq!(read("r14=3", doubled)["candidates"], serde_json::json!(["e3f3", "e6f6"]));
    assert_eq!(read("r04=3", doubled)["uci"], "e6f6");
    assert_eq!(read("r24=3", doubled)["uci"], "e3f3");
}

#[test]
fn every_text_that_is_written_reads_back_without_options() {
    const PAWN: &str = "3k5/4n4/9/4P4/9/4C4/9/9/4A4/5K3 w";
    // Where a bare digit or a foreign letter could be another move, a plainer text is written.
    for (fen, m, key, text, pawns) in [
        (yipu::board::START_FEN, "h2e2", "short", "炮25", "numbers"),
        (yipu::board::START_FEN, "h2f2", "short", "炮2=4", "numbers"),
        (yipu::board::START_FEN, "h2h6", "short", "炮24\u{332}", "numbers"),
        (PAWN, "e4e8", "vietnamese", "Pháo 5 tấn 4", "numbers"),
        (PAWN, "e4e5", "vietnamese", "P5.1", "numbers"),
        (PAWN, "e1f2", "vietnamese", "Sĩ 5 tấn 4", "numbers"),
        (PAWN, "e6f6", "wxf", "P5=4", "numbers"),
        (PAWN, "e6f6", "wxf", "P5=4", "marks"),
        (PAWN, "e4a4", "wxf", "C5.9", "marks"),
        // A Vietnamese pawn may be C, but seldom is.
        ("3k5/9/9/7P1/9/7C1/9/9/9/5K3 w", "h4h3", "wxf", "C2-1", "numbers"),
        // The middle pawn of 1997, whose digits name the rear one since 2018.
        ("3k5/9/9/9/R8/p1p6/p8/2p5B/9/2p2K3 b", "c4c3", "wxf", "33+1", "numbers"),
        ("3k5/9/9/9/R8/p1p6/p8/2p5B/9/2p2K3 b", "c2c1", "wxf", "P3+1", "marks"),
    ] {
        let (shown, _) = lines(&["moves", "--fen", fen, "--pawns", pawns]);
        let line = shown.iter().find(|line| line["uci"] == m).unwrap_or_else(|| panic!("{m} {fen}"));
        assert_eq!(line[key], text, "{m} {fen}");
        let (read, code) = lines(&["move", "--fen", fen, line[key].as_str().unwrap()]);
        assert_eq!((read[0]["uci"].as_str(), code), (Some(m), Some(0)), "{text}");
    }
}

#[test]
fn all_legal_moves_are_listed_once() {
    let (shown, code) = lines(&["moves"]);
    assert_eq!((shown.len(), code), (44, Some(0)));
    // LEG-3
    let (shown, _) = lines(&["moves", "--fen", "4k4/9/4P4/9/9/9/9/9/9/4K4 w"]);
    let moves: Vec<_> = shown.iter().map(|line| line["uci"].as_str().unwrap()).collect();
    assert_eq!(moves, ["e0d0", "e0f0", "e0e1", "e7e8"]);
    // LEG-6
    assert_eq!(lines(&["moves", "--fen", "3k5/9/3P5/9/9/9/9/9/9/4K4 b"]).0.len(), 0);
}

#[test]
fn a_text_that_is_no_move_names_the_legal_moves_one_character_away() {
    let (shown, code) = lines(&["move", "炮二乎五", "h2e22", "象棋"]);
    assert_eq!(code, Some(1));
    for index in [0, 1] {
        assert_eq!(shown[index]["findings"][0]["code"], "N201", "{}", shown[index]);
        assert_eq!(shown[index]["nearest"], serde_json::json!(["h2e2"]), "{}", shown[index]);
    }
    assert!(shown[0]["findings"][0]["message"].as_str().unwrap().ends_with("one character away: 炮二平五 (h2e2)"));
    assert_eq!(shown[2]["nearest"], Value::Null);
}

#[test]
fn what_is_odd_about_a_position_is_told_without_being_asked() {
    // Red's elephant on a point no elephant reaches; no side to move.
    let fen = "4k4/9/9/9/9/9/9/9/B8/5K3";
    let out = yipu().args(["move", "--fen", fen, "K4+1"]).output().unwrap();
    let told = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(told.contains("F310") && told.contains("G201"), "{told}");
    assert_eq!(out.status.code(), Some(0), "{told}");
    let (shown, _) = lines(&["move", "--fen", fen, "K4+1"]);
    let codes: Vec<_> =
        shown[0]["findings"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["F310", "G201"]);
    let board = yipu().args(["board", fen]).output().unwrap();
    assert!(String::from_utf8_lossy(&board.stderr).contains("G201"), "{board:?}");
}
