//! What arbiters do with the program, from outside: the claims of the field cases (NAT), the ledger of an event, sheets
//! with every fault a person makes, clocks.

use crate::cli::yipu;
use crate::support::shared;
use serde_json::Value;
use std::path::PathBuf;

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

/// The JSON line and the exit code of a run.
fn json(arguments: &[&str]) -> (Value, i32) {
    let output = yipu().arg("--json").args(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (serde_json::from_str(text.trim()).unwrap_or_else(|e| panic!("{e}: {text}{errors}")), output.status.code().unwrap())
}

fn text(arguments: &[&str]) -> String {
    String::from_utf8(yipu().args(arguments).output().unwrap().stdout).unwrap()
}

fn codes(value: &Value) -> Vec<&str> {
    value["findings"].as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap()).collect()
}

/// A sequence of annex 2 as a record: its FEN and its plies.
fn sequence(name: &str) -> Option<(String, Vec<String>)> {
    let text = std::fs::read_to_string(shared("cases/field.md")?).unwrap();
    let annex = &text[text.find("## Annex 2").unwrap()..];
    let part = &annex[annex.find(&format!("\n{name} (")).unwrap()..];
    let mut quoted = part.split('`').skip(1).step_by(2);
    let fen = quoted.next().unwrap().to_string();
    Some((fen, quoted.next().unwrap().split_whitespace().map(str::to_string).collect()))
}

fn pgn(fen: &str, moves: &[String]) -> String {
    let rounds: Vec<String> =
        moves.chunks(2).enumerate().map(|(n, pair)| format!("{}. {}", n + 1, pair.join(" "))).collect();
    format!("[Red \"甲\"]\n[Black \"乙\"]\n[FEN \"{fen}\"]\n\n{} *\n", rounds.join("\n"))
}

#[test]
fn nat_1_3_4_and_7_from_outside() {
    let folder = Folder::new();
    let claim = |name: &str, at: &str, side: &str| {
        let (fen, moves) = sequence(name)?;
        let file = folder.file(&format!("{name}.pgn"), &pgn(&fen, &moves));
        Some(json(&["audit", "limit", &file, "--claimant", side, "--at", at]).0)
    };
    let Some(early) = claim("A", "119", "red") else { return };
    assert_eq!(
        (&early["verdict"], &early["claimant_moves"], &early["opponent_moves"]),
        (&"rejected".into(), &60.into(), &59.into())
    );
    for side in ["red", "black"] {
        let exact = claim("A", "120", side).unwrap();
        assert_eq!((&exact["verdict"], &exact["first_true_ply"]), (&"draw".into(), &120.into()));
        assert_eq!(claim("A", "60", side).unwrap()["rounds"], 30);
    }
    let capture = claim("C", "130", "red").unwrap();
    assert_eq!((&capture["last_capture"]["uci"], &capture["rounds"]), (&"i1i5".into(), &46.into()));
    assert_eq!(capture["trace"].as_array().unwrap().len(), 94);
    assert_eq!(claim("D", "120", "red").unwrap()["verdict"], "draw");
}

#[test]
fn nat_9_from_outside() {
    let folder = Folder::new();
    let moves = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
    let counted = folder.file(
        "counter.pgn",
        &pgn(
            "9/9/3aka3/9/8R/6B2/9/r8/4A4/3AK4 w - - 110 56",
            &moves("i5f5 f7e8 f5b5 e8f7 g4i2 a2c2 b5b2 c2c7 b2b9 c7c1"),
        ),
    );
    let (audit, _) = json(&["audit", "limit", &counted, "--claimant", "red"]);
    assert_eq!((&audit["verdict"], &audit["unproven_plies"]), (&"draw".into(), &110.into()));
    assert!(codes(&audit).contains(&"J503"));
    let mate = folder.file("mate.pgn", &pgn("3k5/1R7/9/9/9/9/9/9/R8/4K4 w - - 119 200", &moves("a1a9")));
    let (audit, _) = json(&["audit", "limit", &mate, "--claimant", "black"]);
    assert_eq!((&audit["verdict"], &audit["over"]["winner"]), (&"rejected".into(), &"red".into()));
}

#[test]
fn the_text_of_a_sheet_says_what_is_certain_in_both_languages() {
    let folder = Folder::new();
    let whole = folder.file("whole.txt", FULL);
    let open = folder.file("open.txt", &FULL.replace("兵七进一", "缺"));
    let broken = folder.file("broken.txt", "1 炮二平五 马8进7\n2 兵五进五 兵五进五 ");
    let cases = [
        (&whole, "zh", "共 16 着，只有一种读法"),
        (&whole, "en", "16 plies, one reading"),
        (&open, "zh", "种读法"),
        (&open, "en", "likely, not certain"),
        (&broken, "zh", "其后走不通"),
        (&broken, "en", "what follows cannot be played"),
    ];
    for (file, language, said) in cases {
        let told = text(&["--lang", language, "transcribe", "--mends", "0", file]);
        assert!(told.contains(said), "{file} {language}: {told}");
    }
}

#[test]
fn the_page_for_both_players_is_written_in_both_languages_as_text_and_html() {
    let Some((fen, moves)) = sequence("C") else { return };
    let folder = Folder::new();
    let file = folder.file("c.pgn", &pgn(&fen, &moves));
    let page = folder.0.path().join("page.html").display().to_string();
    let arguments = ["audit", "limit", &file, "--claimant", "red"];
    let zh = text(&[&["--lang", "zh"], &arguments[..]].concat());
    // Letters stand in moves alone.
    assert!(
        zh.lines().flat_map(str::split_whitespace).all(|word| {
            let letters = word.chars().filter(char::is_ascii_alphabetic).count();
            letters <= 2 || word.contains("i1i5")
        }),
        "{zh}"
    );
    let html = [&["--lang", "en"], &arguments[..], &["--page", "html", "--output", &page]].concat();
    assert_eq!(text(&html), "");
    let written = std::fs::read_to_string(&page).unwrap();
    assert!(written.starts_with("<!DOCTYPE html>") && written.contains("甲 – 乙"));
    assert!(written.contains("Red&#39;s cannon takes") || written.contains("Red's cannon takes Black's pawn"));
}

const LOG: &str = "game,side,player,event,count,stage\n1-1,red,甲,touch,,\n1-1,black,乙,offer,,\n1-1,red,,untrue-limit,,37\n\
                   2-1,black,甲,press,,\n2-1,black,,press,,\n3-1,red,丙,dance,,\n";

#[test]
fn the_ledger_sums_up_an_event_in_both_languages() {
    let folder = Folder::new();
    let log = folder.file("log.csv", LOG);
    let (ledger, exit) = json(&["audit", "ledger", &log]);
    assert_eq!(exit, 1);
    assert_eq!(codes(&ledger), ["J521"]);
    assert_eq!(ledger["games"][0]["red"]["total"], 2);
    assert_eq!(ledger["games"][0]["red"]["seconds_off"], 300);
    assert_eq!(ledger["games"][1]["decision"]["article"], "4.1.9");
    let players: Vec<_> = ledger["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| (p["player"].as_str().unwrap(), p["fouls"].clone()))
        .collect();
    assert_eq!(players, [("乙", 0.into()), ("甲", 4.into())]);
    let zh = text(&["--lang", "zh", "audit", "ledger", &log]);
    assert!(zh.contains("8.1.4 自然限着不属实 犯规 +1，累计 2") && zh.contains("黑方判负：两次未走棋先按钟（4.1.9"));
    assert!(!zh.chars().any(|c| c.is_ascii_alphabetic()), "{zh}");
    let en = text(&["--lang", "en", "audit", "ledger", &log, "--game", "2-1"]);
    assert!(en.contains("Black loses: pressed the clock twice without a move (4.1.9") && !en.contains("game 1-1"));
}

const FULL: &str = "1 炮二平五 马8进7\n2 马二进三 车9平8\n3 车一平二 卒7进1\n4 车二进六 马2进3\n5 兵七进一 炮8平9\n\
                    6 车二平三 炮9退1\n7 马八进七 士4进5\n8 炮八平九 车1平2";

/// The full sheet with the entries of these rows' second column left out.
fn holed(rows: &[usize]) -> String {
    let row = |(n, line): (usize, &str)| {
        let line = line.trim();
        if rows.contains(&(n + 1)) { line.rsplit_once(' ').unwrap().0.to_string() } else { line.to_string() }
    };
    FULL.lines().enumerate().map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_sheets_fouls_go_into_the_ledger() {
    let folder = Folder::new();
    let (red, black) = (folder.file("red.txt", FULL), folder.file("black.txt", &holed(&[2, 3, 4, 6])));
    let log = folder.file("log.csv", "game,side,player,event\n4-2,black,乙,touch\n4-2,black,乙,minor\n");
    let (audit, _) = json(&["audit", "sheet", &red, &black, "--log", &log, "--game", "4-2"]);
    assert_eq!((&audit["black"]["missing"], &audit["black"]["fouls"]), (&4.into(), &1.into()));
    let game = &audit["ledger"]["games"][0];
    assert_eq!((&game["black"]["total"], &game["decision"]["article"]), (&3.into(), &"4.1.10".into()));
    // The disputed readings of 7.1 are options.
    let (own, _) = json(&["audit", "sheet", &red, &folder.file("b2.txt", &holed(&[2, 3])), "--own-moves"]);
    assert_eq!((&own["red"]["missing"], &own["black"]["missing"]), (&0.into(), &2.into()));
    let (punished, _) = json(&["audit", "sheet", &red, &black, "--punished-black", "4"]);
    assert_eq!(punished["black"]["fouls"], 0);
    let (_, without) = json_or_error(&["audit", "sheet", &red, &black, "--log", &log]);
    assert_eq!(without, 2);
}

fn json_or_error(arguments: &[&str]) -> (String, i32) {
    let output = yipu().args(arguments).output().unwrap();
    (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code().unwrap())
}

#[test]
fn eight_missing_entries_refuse_a_claim_and_copies_are_told() {
    let folder = Folder::new();
    let holes = holed(&[1, 2, 3, 4, 5, 6, 7]).replace("8 炮八平九", "8 ?");
    let (red, black) = (folder.file("red.txt", FULL), folder.file("black.txt", &holes));
    let (audit, _) = json(&["audit", "sheet", &red, &black]);
    assert_eq!((&audit["black"]["missing"], &audit["black"]["illegible"]), (&7.into(), &1.into()));
    assert_eq!((&audit["black"]["fouls"], &audit["black"]["may_claim"]), (&2.into(), &false.into()));
    assert_eq!(audit["red"]["may_claim"], true);
    let same = folder.file("same.txt", &holed(&[2, 3, 4, 6]));
    let (copied, _) = json(&["audit", "sheet", &same, &same]);
    assert_eq!(copied["copied"], true);
    assert!(codes(&copied).contains(&"S114"));
    assert!(text(&["--lang", "zh", "audit", "sheet", &same, &same]).contains("疑为互抄"));
}

/// The moves a sheet gives, the codes of its findings and the number of its readings.
fn transcribe(sheet: &str) -> (String, Vec<String>, u64) {
    let folder = Folder::new();
    let (t, _) = json(&["transcribe", &folder.file("sheet.txt", sheet)]);
    let moves: Vec<&str> = t["moves"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
    (moves.join(" "), codes(&t).iter().map(ToString::to_string).collect(), t["readings"].as_u64().unwrap())
}

#[test]
fn faults_a_person_makes_are_mended_or_told() {
    let (whole, findings, readings) = transcribe(FULL);
    assert_eq!((findings, readings), (Vec::new(), 1));
    let cases = [
        ("columns swapped", FULL.lines().map(swap).collect::<Vec<_>>().join("\n"), "S107"),
        ("a number left out", FULL.replace("\n4 ", "\n5 ").replacen("5 兵", "6 兵", 1), "S103"),
        ("a number repeated", FULL.replace("\n4 ", "\n3 "), "S104"),
        ("struck out", FULL.replace("卒7进1", "~~卒3进1~~ 卒7进1"), "S102"),
        ("a wrong digit", FULL.replace("马二进三", "马二进四"), "S109"),
        ("two entries swapped", FULL.replace("车9平8\n3 车一平二 卒7进1", "卒7进1\n3 车一平二 车9平8"), ""),
        ("one column after the other entry", FULL.replace("马二进三 车9平8", "车9平8 马二进三"), "S109"),
        ("an illegible entry", FULL.replace("车二进六", "?"), "S106"),
        ("a missing entry", FULL.replace("车二进六", "缺"), "S105"),
        ("rounds stated wrongly", format!("{FULL}\n回合：9"), "S115"),
    ];
    for (name, sheet, code) in cases {
        let (moves, findings, _) = transcribe(&sheet);
        assert_eq!(moves.split(' ').count(), 16, "{name}: {moves} {findings:?}");
        if name != "two entries swapped" {
            assert_eq!(moves, whole, "{name}: {findings:?}");
        }
        assert!(code.is_empty() || findings.iter().any(|f| f == code), "{name}: {findings:?}");
    }
}

/// A row with its columns the other way round.
fn swap(row: &str) -> String {
    let words: Vec<&str> = row.split_whitespace().collect();
    format!("{} {} {}", words[0], words[2], words[1])
}

#[test]
fn what_a_database_holds_counts_for_the_likelihood() {
    let folder = Folder::new();
    let games: String = (1..=30)
        .map(|n| format!("[Red \"甲{n}\"]\n[Black \"乙\"]\n[Result \"*\"]\n\n1. 炮二进四 马8进7 2. 马二进三 *\n\n"))
        .collect();
    let records = folder.file("games.pgn", &games);
    let db = folder.0.path().join("db").display().to_string();
    assert!(yipu().args(["index", &records, "--db", &db]).output().unwrap().status.success());
    let sheet = folder.file("sheet.txt", "炮24");
    let first = |more: &[&str]| json(&[&["transcribe", &sheet], more].concat()).0;
    let (alone, helped) = (first(&[]), first(&["--db", &db]));
    assert_eq!((&alone["readings"], &helped["readings"]), (&2.into(), &2.into()));
    assert_eq!(helped["moves"][0], "h2h6");
    assert!(helped["share"].as_f64().unwrap() > 0.8);
    let missing = json_or_error(&["transcribe", &sheet, "--db", &format!("{db}-none")]);
    assert_eq!(missing.1, 2);
}

#[test]
fn sheets_that_say_nothing_end_with_a_bounded_search_and_a_finding() {
    let folder = Folder::new();
    let marks: String = (1..=60).map(|n| format!("{n}. ? ?\n")).collect();
    let (t, _) = json(&["transcribe", &folder.file("marks.txt", &marks), "--width", "200"]);
    assert!(t["readings_at_least"].as_bool().unwrap());
    assert!(codes(&t).contains(&"S112"));
    let long: String = (1..=10_000).map(|n| format!("{n}. 车一进一 车一退一\n")).collect();
    let (t, exit) = json(&["transcribe", &folder.file("long.txt", &long)]);
    assert!(codes(&t).contains(&"S118"), "{:?}", codes(&t));
    assert_eq!(exit, 1);
    let garbage = "炮炮炮 12345 ~~~~ ((( 平平平\n99999. x y z\n\u{336}\u{336}||||\n---\n";
    let (t, _) = json(&["transcribe", &folder.file("garbage.txt", garbage)]);
    assert!(!codes(&t).is_empty());
}
