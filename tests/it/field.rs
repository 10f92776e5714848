//! The published field cases on notation, replay and FEN, one test a case, from outside: NOT, LEG and FEN.

use crate::cli::yipu;
use serde_json::Value;
use std::path::PathBuf;

const DOUBLED: &str = "3k5/9/9/2P3P2/9/2P3P2/9/9/9/5K3 w";
const CANNONS: &str = "3k5/9/9/4C4/9/9/9/4C4/9/5K3 w";

/// JSON lines and exit code of a run.
fn run(arguments: &[&str]) -> (Vec<Value>, i32) {
    let output = yipu().arg("--json").args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (lines, output.status.code().unwrap())
}

/// `yipu move` of texts in a position: for each the move, or the candidates joined by commas, or `-`.
fn read(fen: &str, texts: &[&str]) -> Vec<String> {
    let mut arguments = vec!["move", "--fen", fen, "--"];
    arguments.extend(texts);
    let (lines, _) = run(&arguments);
    assert_eq!(lines.len(), texts.len());
    lines
        .iter()
        .map(|line| match (&line["uci"], line["candidates"].as_array()) {
            (Value::String(m), _) => m.clone(),
            (_, Some(candidates)) if !candidates.is_empty() => {
                candidates.iter().map(|m| m.as_str().unwrap()).collect::<Vec<_>>().join(",")
            }
            _ => "-".to_string(),
        })
        .collect()
}

/// The message of the first finding of the one line a text gives.
fn said(fen: &str, text: &str) -> String {
    run(&["move", "--fen", fen, "--", text]).0[0]["findings"][0]["message"].as_str().unwrap_or_default().to_string()
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path: PathBuf = self.0.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }
}

/// `yipu check` of a text: its games.
fn check(text: &str) -> Vec<Value> {
    let folder = Folder::new();
    let file = folder.file("game.txt", text);
    let (mut lines, _) = run(&["check", &file]);
    lines.pop();
    lines
}

fn moves(game: &Value) -> String {
    game["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect::<Vec<_>>().join(" ")
}

fn finding<'a>(game: &'a Value, code: &str) -> Option<&'a str> {
    game["findings"].as_array()?.iter().find(|finding| finding["code"] == code)?["message"].as_str()
}

#[test]
fn not_1_pawns_of_two_files_are_numbered_from_the_right_or_named_by_their_file() {
    let found = read(DOUBLED, &["一兵进一", "二兵进一", "三兵平八", "四兵进一", "前七进一", "前三平四"]);
    assert_eq!(found, ["g6g7", "g4g5", "c6b6", "c4c5", "c6c7", "g6f6"]);
}

#[test]
fn not_3_two_cannons_on_a_file_are_told_apart_on_export_and_read_loosely() {
    let (lines, _) = run(&["move", "--fen", CANNONS, "e2a2", "e6a6"]);
    assert_eq!((&lines[0]["chinese"], &lines[1]["chinese"]), (&"后炮平九".into(), &"前炮平九".into()));
    assert_eq!(read(CANNONS, &["炮五退三", "C5-3", "炮五退二"]), ["e6e3", "e6e3", "e2e0,e6e4"]);
}

#[test]
fn not_4_advisors_and_elephants_on_one_file_need_no_word_but_may_have_one() {
    let black = "3ak4/9/3a5/9/9/9/9/9/9/3K5 b";
    assert_eq!(read(black, &["士4进5", "士4退5", "后士进5"]), ["d9e8", "d7e8", "d9e8"]);
    assert_eq!(read("4k4/9/9/9/9/6B2/9/9/9/3K2B2 w", &["相三进五", "相三退一"]), ["g0e2", "g4i2"]);
}

#[test]
fn not_6_digit_pairs_name_pawns_of_two_files_and_a_mark_alone_is_reported_open() {
    let found = read(DOUBLED, &["13+1", "23+1", "17=8", "27+1", "P++1"]);
    assert_eq!(found, ["g6g7", "g4g5", "c6b6", "c4c5", "c6c7,g6g7"]);
    assert_eq!(run(&["move", "--fen", DOUBLED, "c6c7"]).0[0]["wxf"], "17+1");
}

#[test]
fn not_7_the_playok_dialect_is_known_by_the_whole_game() {
    let games = check("1. C2.5 h8+7 2. H2+3 r9.8 3. R1+1 p7+1 4. R1.6 c8.9\n");
    assert_eq!(moves(&games[0]), "h2e2 h9g7 h0g2 i9h9 i0i1 g6g5 i1d1 h7i7");
    assert_eq!(games[0]["status"], "ok");
}

#[test]
fn not_9_vietnamese_front_rear_and_middle_are_read() {
    let games = check("1. P2-5 M8.7 2. P5.4 B1.1 3. P8-5 B9.1 4. Pt-4\n");
    assert_eq!(moves(&games[0]), "h2e2 h9g7 e2e6 a6a5 b2e2 i6i5 e6f6");
    assert_eq!(read("3k5/9/9/4R4/9/9/4R4/9/9/5K3 w", &["Xs-2"]), ["e3h3"]);
    assert_eq!(read("3k5/9/4P4/4P4/4P4/9/9/9/9/5K3 w", &["Bg-6"]), ["e6d6"]);
}

#[test]
fn not_10_lost_bars_are_settled_by_later_plies_and_what_stays_open_is_printed() {
    let (lines, _) = run(&["move", "--line", "炮25 马87 马23 车98 车12 卒71 车26"]);
    let found: Vec<&str> = lines.iter().map(|line| line["uci"].as_str().unwrap()).collect();
    assert_eq!(found.join(" "), "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6");
    // Without the last ply the fifth has two candidates; alone too.
    let (lines, code) = run(&["move", "--line", "炮25 马87 马23 车98 车12 卒71"]);
    assert_eq!((&lines[4]["candidates"], code), (&serde_json::json!(["i0h0", "i0i2"]), 1));
    let folder = Folder::new();
    let (lines, _) = run(&["transcribe", &folder.file("a.txt", "炮24\n")]);
    let entry = &lines[0]["entries"][0];
    let mut both = vec![entry["uci"].clone()];
    both.extend(entry["alternatives"].as_array().unwrap().clone());
    both.sort_by_key(ToString::to_string);
    assert_eq!((&lines[0]["readings"], both), (&2.into(), vec!["h2f2".into(), "h2h6".into()]));
    // With bars nothing is open.
    assert_eq!(read("startpos", &["炮24\u{332}", "炮21\u{305}", "炮24"]), ["h2h6", "h2h1", "h2f2,h2h6"]);
}

#[test]
fn not_12_boards_in_every_set_of_characters_are_read_and_names_in_moves_too() {
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n";
    let han = "車馬象士將士象馬車\n＋＋＋＋＋＋＋＋＋\n＋包＋＋＋＋＋包＋\n卒＋卒＋卒＋卒＋卒\n＋＋＋＋＋＋＋＋＋\n\
               ＋＋＋＋＋＋＋＋＋\n兵＋兵＋兵＋兵＋兵\n＋炮＋＋＋＋＋炮＋\n＋＋＋＋＋＋＋＋＋\n俥傌相仕帥仕相傌俥\n";
    let symbols: String = han
        .chars()
        .map(|c| match "帥仕相傌俥炮兵將士象馬車包卒".chars().position(|name| name == c) {
            Some(at) => char::from_u32(0x1FA60 + at as u32).unwrap(),
            None => c,
        })
        .collect();
    for board in [han.to_string(), symbols, han.replace('＋', "　"), han.replace('＋', "十"), han.replace('\n', "/")]
    {
        yipu().args(["board", "-", "--to", "fen"]).write_stdin(board.clone()).assert().success().stdout(start);
        yipu().args(["board", board.trim_end(), "--to", "fen"]).assert().success().stdout(start);
        assert_eq!(read(board.trim_end_matches('/'), &["炮二平五", "傌八進七"]), ["h2e2", "b0c2"], "{board}");
    }
    // In a record the board before the moves is the start position.
    let rook = "＋＋＋＋將＋＋＋＋\n＋＋＋＋＋＋＋＋＋\n＋＋＋＋＋＋＋＋＋\n＋＋＋＋＋＋＋＋＋\n＋＋＋＋＋＋＋＋＋\n\
                ＋＋＋＋＋＋＋＋＋\n＋＋＋＋＋＋＋＋＋\n＋＋＋＋＋＋＋＋＋\n俥＋＋＋＋＋＋＋＋\n＋＋＋帥＋＋＋＋＋\n";
    let games = check(&format!("残局\n\n{rook}\n红先胜\n1. 俥九进八 将5退1\n1. 俥九进八 将5进1\n"));
    assert_eq!(games[0]["start_fen"], "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1");
    assert_eq!(moves(&games[0]), "a1a9");
    assert!(finding(&games[0], "F320").is_some());
    // A board that cannot be read is told, not guessed.
    let (_, code) = run(&["board", "車/9/9/9/9/9/9/9/9/帥", "--to", "fen"]);
    assert_eq!(code, 2);
    assert_eq!(
        read("startpos", &["俥九进一", "包二平五", "🩥二平五", "傌二進三", "相三進五"]),
        ["a0a1", "h2e2", "h2e2", "h0g2", "g0e2"]
    );
}

#[test]
fn not_13_letters_of_all_kinds_and_more_than_is_needed_are_read() {
    let found = read("startpos", &["Nb0c2", "Hc2", "Ch2e2", "Ch2-e2", "Bce2", "Ece2", "Si4"]);
    assert_eq!(found, ["b0c2", "b0c2", "h2e2", "h2e2", "c0e2", "c0e2", "i3i4"]);
}

#[test]
fn leg_1_an_elephant_captures_if_its_eye_is_free() {
    let of_elephant = |fen: &str| {
        let (lines, _) = run(&["moves", "--fen", fen]);
        let moves: Vec<String> = lines.iter().map(|line| line["uci"].as_str().unwrap().to_string()).collect();
        moves.into_iter().filter(|m| m.starts_with("e2")).collect::<Vec<_>>()
    };
    assert_eq!(of_elephant("3k5/9/9/9/9/6n2/9/2n1B4/3P5/5K3 w"), ["e2g0", "e2c4", "e2g4"]);
    assert_eq!(of_elephant("3k5/9/9/9/9/6n2/5p3/4B4/9/5K3 w"), ["e2c0", "e2g0", "e2c4"]);
}

#[test]
fn leg_3_facing_generals_are_named_as_the_reason() {
    let fen = "4k4/9/9/9/4R4/9/9/9/9/4K4 w";
    assert_eq!(read(fen, &["e5a5"]), ["-"]);
    assert!(said(fen, "e5a5").contains("generals facing each other"), "{}", said(fen, "e5a5"));
    let (lines, _) = run(&["moves", "--fen", "4k4/9/4P4/9/9/9/9/9/9/4K4 w"]);
    let moves: Vec<_> = lines.iter().map(|line| line["uci"].as_str().unwrap()).collect();
    assert_eq!(moves, ["e0d0", "e0f0", "e0e1", "e7e8"]);
}

#[test]
fn leg_4_moves_at_the_edge_are_counted_right() {
    let nodes = |fen: &str, depth: &str| run(&["perft", "--fen", fen, depth]).0.pop().unwrap()["nodes"].clone();
    for (depth, edge, start) in [("1", 9, 44), ("2", 81, 1920), ("3", 686, 79666)] {
        assert_eq!(nodes("3k5/4a4/b7b/9/9/9/9/B7B/4A4/5K3 w", depth), edge);
        assert_eq!(nodes("startpos", depth), start);
    }
}

#[test]
fn leg_6_a_side_without_a_move_has_lost_and_a_result_that_says_otherwise_is_flagged() {
    let fen = "3k5/9/3P5/9/9/9/9/9/9/4K4 b";
    assert_eq!(run(&["moves", "--fen", fen]).0.len(), 0);
    let games = check(&format!("[Game \"Chinese Chess\"]\n[Result \"1/2-1/2\"]\n[FEN \"{fen}\"]\n\n1/2-1/2\n"));
    let flagged = games[0]["findings"].as_array().unwrap().iter().any(|finding| {
        let message = finding["message"].as_str().unwrap();
        message.contains("Red wins") || message.contains("no legal move")
    });
    assert!(flagged, "{}", games[0]);
}

#[test]
fn leg_7_one_illegal_move_spoils_neither_its_game_nor_the_others() {
    let game = |moves: &str| format!("[Game \"Chinese Chess\"]\n[Event \"x\"]\n\n{moves} *\n\n");
    let good = "1. 炮二平五 马8进7 2. 马二进三 车9平8";
    let games = check(&[game(good), game(&format!("{good} 3. 车一平三 卒7进1")), game(good)].concat());
    let status: Vec<_> = games.iter().map(|game| game["status"].as_str().unwrap()).collect();
    assert_eq!(status, ["ok", "partial", "ok"]);
    assert_eq!(games[1]["plies"], 4);
    let stop = &games[1]["findings"][0];
    assert_eq!((&stop["ply"], &stop["text"]), (&5.into(), &"车一平三".into()));
    let message = stop["message"].as_str().unwrap();
    assert!(message.contains("own Red elephant stands on g0") && message.contains("车一平二 (i0h0)"), "{message}");
}

#[test]
fn leg_9_every_move_that_fills_a_gap_is_listed_and_a_capture_is_said() {
    let rows = [
        "1 炮二平五 马8进7",
        "2 马二进三 车9平8",
        "3 车一平二 卒7进1",
        "4 兵七进一 马2进3",
        "5 马八进七 象3进5",
        "6 炮八平九 炮8平9",
        "7 车九平八 车8进9",
        "8 马三退二 车1平2",
    ];
    let folder = Folder::new();
    let sheet = |without: &str| {
        let text = rows.join("\n").replacen(without, "", 1);
        let (lines, _) = run(&["transcribe", &folder.file("sheet.txt", &text)]);
        lines[0].clone()
    };
    let filled = |line: &Value| {
        line["entries"].as_array().unwrap().iter().find(|entry| entry["how"] == "missing").unwrap().clone()
    };
    let one = sheet("车8进9");
    assert_eq!(filled(&one)["uci"], "h9h0");
    assert_eq!(filled(&one)["alternatives"].as_array().map_or(0, Vec::len), 0, "{}", filled(&one));
    // A capture: the count of quiet rounds restarts there.
    let rest = rows.iter().map(|row| row.replace("车8进9", "")).collect::<Vec<_>>().join("\n");
    let games = check(&rest);
    let message = finding(&games[0], "R410").unwrap_or_else(|| panic!("{}", games[0]));
    assert!(message.ends_with("if ply 14 was left out: h9h0 (a capture)"), "{message}");
    let three = sheet("马2进3");
    let mut all = vec![filled(&three)["uci"].clone()];
    all.extend(filled(&three)["alternatives"].as_array().unwrap().clone());
    all.retain(|m| !m.is_null());
    all.sort_by_key(ToString::to_string);
    all.dedup();
    assert_eq!(all, ["a9a8", "b9a7", "b9c7"]);
}

#[test]
fn leg_10_two_sheets_are_merged_by_replay_and_what_it_leaves_open_stays_open() {
    let folder = Folder::new();
    let red = "炮二平五 马8进7 马二进三 车9平8 车一平二 卒7进1 车二进六 马2进3 兵七进一";
    let black = "炮二平五 马8进7 马二进三 车9平8 车一进一 卒3进1 车二进六 马2进3 兵七进一";
    let (lines, _) = run(&["transcribe", &folder.file("red.txt", red), &folder.file("black.txt", black)]);
    let entries = lines[0]["entries"].as_array().unwrap();
    assert_eq!(lines[0]["moves"][4], "i0h0");
    assert_eq!(lines[0]["readings"], 2);
    let open: Vec<&Value> = entries.iter().filter(|entry| entry["ply"] == 6).collect();
    let moves = |entry: &Value| {
        let mut all = vec![entry["uci"].clone()];
        all.extend(entry["alternatives"].as_array().unwrap().clone());
        all.sort_by_key(ToString::to_string);
        all.dedup();
        all
    };
    assert!(open.iter().all(|entry| moves(entry) == ["c6c5", "g6g5"]), "{open:?}");
    assert!(
        entries
            .iter()
            .filter(|entry| entry["ply"] == 5)
            .all(|entry| entry["alternatives"].as_array().is_none_or(Vec::is_empty))
    );
}

#[test]
fn leg_12_swapped_columns_are_diagnosed_and_the_swapped_game_is_offered() {
    let games = check("1. 马8进7 炮二平五\n2. 车9平8 马二进三\n");
    let message = finding(&games[0], "R405").unwrap_or_else(|| panic!("{}", games[0]));
    assert!(message.contains("h2e2 h9g7 h0g2 i9h9"), "{message}");
}

#[test]
fn leg_13_a_sealed_move_is_judged_and_its_neighbours_are_listed_without_choosing() {
    let after = "position startpos moves h2e2 h9g7 h0g2 b9c7 i0h0 i9h9";
    let (lines, code) = run(&["move", "--fen", after, "马八进六", "马七进六"]);
    assert_eq!(code, 1);
    for line in &lines {
        assert_eq!((&line["candidates"], &line["uci"]), (&serde_json::json!([]), &Value::Null));
    }
    assert_eq!(lines[0]["nearest"], serde_json::json!(["b0a2", "b0c2"]));
    let message = lines[0]["findings"][0]["message"].as_str().unwrap();
    assert!(message.contains("马八进九") && message.contains("马八进七"), "{message}");
    assert_eq!(lines[1]["nearest"], Value::Null);
    let message = lines[1]["findings"][0]["message"].as_str().unwrap();
    assert!(message.contains("no horse on file 7, only on 3 and 8"), "{message}");
}

#[test]
fn fen_1_a_short_fen_is_accepted_with_its_counters_unknown() {
    for fen in ["3k5/9/9/9/9/9/9/9/9/4K4 b", "3k5/9/9/9/9/9/9/9/9/4K4 b - - - -"] {
        let assert = yipu().args(["-v", "board", fen, "--to", "fen"]).assert().success();
        let output = assert.get_output();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "3k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1\n");
        let (lines, _) = run(&["moves", "--fen", fen]);
        assert_eq!(lines.len(), 1);
        yipu()
            .args(["-v", "moves", "--fen", fen])
            .assert()
            .stderr(predicates::str::contains("counters unknown, 0 1 assumed"));
    }
}

#[test]
fn fen_3_a_fault_names_colour_piece_point_and_reason() {
    let games = check("[Game \"Chinese Chess\"]\n[FEN \"3k5/9/9/9/9/9/9/9/4B4/4KR3 w - - 0 1\"]\n\n1. R4+1 *\n");
    let message = finding(&games[0], "G201").unwrap_or_else(|| panic!("{}", games[0]));
    assert!(message.contains("Red elephant on e1"), "{message}");
}

#[test]
fn fen_4_letters_h_and_e_and_side_r_are_read_and_said() {
    let fen = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r";
    let (lines, _) = run(&["moves", "--fen", fen]);
    assert_eq!(lines.len(), 44);
    yipu()
        .args(["board", fen, "--to", "fen"])
        .assert()
        .success()
        .stdout(predicates::str::starts_with("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"));
    yipu().args(["-v", "moves", "--fen", fen]).assert().stderr(predicates::str::contains("letters H/E read as N/B"));
}

#[test]
fn fen_6_a_board_of_hidden_pieces_is_refused_by_name() {
    let fen = "xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX w A2B2N2R2C2P5a2b2n2r2c2p5 - 0 1";
    for command in ["moves", "move"] {
        let mut arguments = vec![command, "--fen", fen];
        if command == "move" {
            arguments.push("炮二平五");
        }
        yipu().args(arguments).assert().code(2).stderr(predicates::str::contains("hidden pieces"));
    }
    yipu().args(["board", fen]).assert().code(2).stderr(predicates::str::contains("hidden pieces"));
    let games = check(&format!("[Game \"Chinese Chess\"]\n[FEN \"{fen}\"]\n\n1. 炮二平五 *\n"));
    assert_eq!((&games[0]["status"], &games[0]["plies"]), (&"failed".into(), &0.into()));
    assert!(finding(&games[0], "F309").unwrap().contains("hidden pieces"));
}

#[test]
fn fen_7_counters_count_plies_since_the_last_capture_and_rounds_after_black() {
    for (line, tail) in [
        ("h2e2", "b - - 1 1"),
        ("h2e2 h9g7", "w - - 2 2"),
        ("h2e2 h9g7 c3c4", "b - - 3 2"),
        ("h2e2 h9g7 e2e6", "b - - 0 2"),
    ] {
        let (lines, _) = run(&["move", "--line", line]);
        let fen = lines.last().unwrap()["fen_after"].as_str().unwrap();
        assert!(fen.ends_with(tail), "{line}: {fen}");
    }
}

#[test]
fn a_record_of_a_mirrored_board_is_told_and_nothing_is_changed() {
    let games = check(
        "[Game \"Chinese Chess\"]\n[FEN \"3k5/9/9/9/9/9/6P2/9/9/R3K4 w\"]\n\n1. 车一进三 将6进1 2. 兵七进一 将6退1 *\n",
    );
    assert_eq!((&games[0]["status"], &games[0]["plies"]), (&"failed".into(), &0.into()));
    let message = finding(&games[0], "R409").unwrap_or_else(|| panic!("{}", games[0]));
    assert!(message.contains("mirrored left to right (5k3/9/9/9/9/9/2P6/9/9/4K3R w"), "{message}");
}
