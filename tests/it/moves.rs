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
