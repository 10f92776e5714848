//! The program from outside: exit codes, output, what it leaves behind.

use assert_cmd::Command;
use predicates::str::contains;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The program, in English, without colours.
pub fn yipu() -> Command {
    let mut command = Command::cargo_bin("yipu").unwrap();
    command.env("LC_ALL", "C").env("NO_COLOR", "1");
    command
}

/// The shipped corpus.
pub fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

fn json_lines(output: &[u8]) -> Vec<Value> {
    String::from_utf8(output.to_vec()).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn perft_counts_in_text_and_json() {
    yipu().args(["perft", "3"]).assert().success().stdout(contains("nodes 79666"));
    yipu().args(["perft", "3", "--lang", "zh"]).assert().success().stdout(contains("局面数 79666"));
    let output = yipu().args(["--json", "perft", "--fen", "3k5/9/9/9/9/9/9/9/9/4K4 b", "1"]).output().unwrap();
    assert_eq!(json_lines(&output.stdout)[0]["nodes"], 1);
}

#[test]
fn what_cannot_be_done_exits_with_2_and_says_why() {
    yipu().args(["perft", "--fen", "nonsense", "1"]).assert().code(2).stderr(contains("rows instead of 10"));
    yipu().args(["check", "no-such-file"]).assert().code(2).stderr(contains("no-such-file"));
    yipu().args(["explain", "X999"]).assert().code(2);
    yipu().args(["no-such-command"]).assert().code(2);
    let empty = tempfile::tempdir().unwrap();
    yipu().arg("check").arg(empty.path()).assert().code(2).stderr(contains("no files"));
}

#[test]
fn every_code_is_explained() {
    let output = yipu().args(["--json", "explain"]).output().unwrap();
    let lines = json_lines(&output.stdout);
    assert_eq!(lines.len(), yipu::diag::codes::ALL.len());
    yipu().args(["explain", "i001"]).assert().success().stdout(contains("I001 error"));
}

#[test]
fn completions_and_man_page_are_printed() {
    for shell in ["bash", "zsh", "fish"] {
        yipu().args(["completions", shell]).assert().success().stdout(contains("yipu"));
    }
    yipu().arg("man").assert().success().stdout(contains(".TH yipu"));
}

#[test]
fn the_corpus_is_read_without_a_fault_but_those_it_was_made_for() {
    let output = yipu().args(["--json", "check", "-q"]).arg(corpus().join("openings.pgn")).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = json_lines(&output.stdout);
    let summary = &lines.last().unwrap()["summary"];
    assert_eq!(summary["ok"], summary["games"]);
    assert_eq!(lines[0]["format"], "pgn");
    assert_eq!(lines[0]["moves"][0], "h2e2");
}

#[test]
fn every_file_of_the_corpus_is_read_as_its_table_says() {
    let output = yipu().args(["--json", "check", "-vv"]).arg(corpus()).output().unwrap();
    let lines = json_lines(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    let table = include_str!("../../corpus/expected.tsv");
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let [file, games, partial, codes, why] = fields[..] else { panic!("{row}") };
        let path = corpus().join(file).display().to_string();
        let of_file: Vec<&Value> = lines.iter().filter(|line| line["file"] == path.as_str()).collect();
        assert_eq!(of_file.len().to_string(), games, "{file}: {why}\n{stderr}");
        let not_ok = of_file.iter().filter(|line| line["status"] != "ok").count();
        assert_eq!(not_ok.to_string(), partial, "{file}: {why}\n{stderr}");
        for code in codes.split_whitespace() {
            let told = stderr.lines().any(|line| line.contains(&path) && line.starts_with(code));
            assert!(told, "{file}: {code}: {why}\n{stderr}");
        }
    }
    let listed = walkdir::WalkDir::new(corpus()).into_iter().flatten().filter(|e| e.file_type().is_file()).count();
    assert_eq!(listed, table.lines().count() - 1 + 2, "every file of the corpus stands in its table");
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() {
    let run = |jobs: &str| yipu().args(["--json", "check", "-v", "-j", jobs]).arg(corpus()).output().unwrap();
    let without_seconds = |output: Vec<u8>| {
        let mut lines = json_lines(&output);
        lines.last_mut().unwrap()["summary"]["seconds"] = Value::Null;
        lines
    };
    let (one, many) = (run("1"), run("7"));
    assert_eq!(without_seconds(one.stdout), without_seconds(many.stdout));
    assert_eq!(one.stderr, many.stderr);
}

#[test]
fn files_are_converted_whole_never_overwritten_and_a_second_run_has_nothing_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let out = format!("{}/out/", folder.path().display());
    let convert = || {
        let mut command = yipu();
        command.arg("convert").arg(corpus().join("openings.pgn")).args(["--to", "xqf", "-o", &out]);
        command
    };
    convert().assert().code(0).stdout(contains("files written 12"));
    assert!(Path::new(&out).join("openings-0012.xqf").is_file());
    convert().assert().code(0).stdout(contains("files written 0"));
    std::fs::write(Path::new(&out).join("openings-0003.xqf"), "mine").unwrap();
    convert().assert().code(2).stderr(contains("--force"));
    assert_eq!(std::fs::read(Path::new(&out).join("openings-0003.xqf")).unwrap(), b"mine");
    let output = yipu().args(["--json", "check"]).arg(Path::new(&out).join("openings-0001.xqf")).output().unwrap();
    assert_eq!(json_lines(&output.stdout)[0]["result"], "1-0");
}

#[test]
fn standard_input_and_archives_are_read_through() {
    let text = std::fs::read(corpus().join("openings.pgn")).unwrap();
    let stdin = yipu().args(["--json", "check", "-"]).write_stdin(text.clone()).output().unwrap();
    assert_eq!(json_lines(&stdin.stdout).last().unwrap()["summary"]["games"], 12);
    let folder = tempfile::tempdir().unwrap();
    let packed = folder.path().join("games.pgn.zst");
    std::fs::write(&packed, zstd::encode_all(&text[..], 3).unwrap()).unwrap();
    let output = yipu().args(["--json", "check"]).arg(&packed).output().unwrap();
    assert_eq!(json_lines(&output.stdout).last().unwrap()["summary"]["games"], 12);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_quietly_with_0() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_yipu"))
        .args(["perft", "--divide", "4"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn a_repetition_is_judged_from_a_database_as_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let (file, db) = (folder.path().join("check.pgn"), folder.path().join("db"));
    let round = "d9d8 a9a8 d8d9 a8a9 ";
    let moves = format!("a0a9 {}", round.repeat(4));
    let text = format!(
        "[Red \"甲\"]\n[Black \"乙\"]\n[Result \"1/2-1/2\"]\n[FEN \"3k5/9/9/9/9/9/9/9/4A4/R3K4 w\"]\n\n{moves} 1/2-1/2\n"
    );
    std::fs::write(&file, text).unwrap();
    yipu().args(["index", "-q"]).arg(&file).arg("--db").arg(&db).assert().code(0);
    let verdict = |output: std::process::Output| {
        let first = json_lines(&output.stdout)[0].clone();
        (first["verdict"].clone(), first["stage"].clone(), first["articles"].clone(), first["red"].clone())
    };
    let of_file = verdict(yipu().args(["--json", "judge", "-q"]).arg(&file).output().unwrap());
    let by_number = verdict(yipu().args(["--json", "judge", "1", "-q", "--db"]).arg(&db).output().unwrap());
    let by_scan = verdict(yipu().args(["--json", "judge", "--scan", "-q", "--db"]).arg(&db).output().unwrap());
    assert_eq!(of_file.0, "red-loses");
    assert_eq!(of_file, by_number);
    assert_eq!(of_file, by_scan);
    yipu().args(["judge", "2", "--db"]).arg(&db).assert().code(2).stderr(contains("no game 2"));
}

#[test]
fn a_bad_query_is_shown_with_a_caret_under_the_place() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("db");
    yipu().args(["index", "-q"]).arg(corpus().join("openings.pgn")).arg("--db").arg(&db).assert().code(0);
    let output = yipu().args(["search", "player:(", "--db"]).arg(&db).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<&str> = stderr.lines().collect();
    assert!(lines.iter().any(|line| line.trim() == "player:("), "{stderr}");
    assert!(lines.last().unwrap().trim_start().starts_with('^'), "{stderr}");
}

#[test]
fn a_missing_path_costs_nothing_but_itself() {
    let scratch = tempfile::tempdir().unwrap();
    let missing = scratch.path().join("missing.pgn");
    let (first, last) = (corpus().join("openings.pgn"), corpus().join("openings-gbk.pgn"));
    let output = yipu().args(["--json", "check"]).args([&first, &missing, &last]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let lines = json_lines(&output.stdout);
    let summary = &lines.last().unwrap()["summary"];
    assert_eq!(summary["files"], 2);
    assert!(summary["games"].as_u64().unwrap() > 2);
    assert_eq!(summary["findings"][0]["code"], "I001");
    assert_eq!(summary["findings"][0]["file"], missing.to_str().unwrap());
}

#[test]
fn where_there_is_no_game_no_database_is_made() {
    let scratch = tempfile::tempdir().unwrap();
    let empty = scratch.path().join("empty");
    let prose = scratch.path().join("prose.txt");
    std::fs::create_dir(&empty).unwrap();
    std::fs::write(&prose, "Nothing was played.\n").unwrap();
    let missing = scratch.path().join("missing");
    for (input, code) in [(&empty, 2), (&missing, 2), (&prose, 1)] {
        let db = scratch.path().join("db");
        yipu().arg("index").arg(input).arg("--db").arg(&db).assert().code(code);
        assert!(!db.exists(), "{}", input.display());
    }
    // A folder of the user's stays, and so does a database that has games.
    let db = scratch.path().join("mine");
    std::fs::create_dir(&db).unwrap();
    yipu().arg("index").arg(&prose).arg("--db").arg(&db).assert().code(1);
    assert_eq!(std::fs::read_dir(&db).unwrap().count(), 0);
    yipu().arg("index").arg(corpus().join("openings.pgn")).arg("--db").arg(&db).arg("-q").assert().code(0);
    yipu().arg("index").arg(&prose).arg("--db").arg(&db).arg("-q").assert().code(1);
    yipu().args(["db", "info", "--db"]).arg(&db).assert().success().stdout(contains("run yipu db verify"));
}

#[test]
fn info_finds_what_can_be_seen_at_once() {
    let scratch = tempfile::tempdir().unwrap();
    let db = scratch.path().join("db");
    yipu().arg("index").arg(corpus().join("openings.pgn")).arg("--db").arg(&db).arg("-q").assert().code(0);
    let info = || yipu().args(["--json", "db", "info", "--db"]).arg(&db).output().unwrap();
    let line = json_lines(&info().stdout).remove(0);
    assert_eq!((&line["ok"], &line["checked"]["byte_by_byte"]), (&true.into(), &false.into()));
    let verified = yipu().args(["--json", "db", "verify", "--db"]).arg(&db).output().unwrap();
    assert_eq!(json_lines(&verified.stdout)[0]["checked"]["byte_by_byte"], true);
    let files = std::fs::read_dir(&db).unwrap().map(|entry| entry.unwrap().path());
    for file in files.filter(|path| path.is_file() && path.file_name().unwrap() != "lock") {
        let bytes = std::fs::read(&file).unwrap();
        if bytes.is_empty() {
            continue;
        }
        let mut flipped = bytes.clone();
        flipped[bytes.len() / 2] ^= 1;
        for damaged in [&bytes[..bytes.len() - 1], &flipped] {
            std::fs::write(&file, damaged).unwrap();
            let output = info();
            assert_eq!(output.status.code(), Some(2), "{}", file.display());
            let line = json_lines(&output.stdout).remove(0);
            assert_eq!(line["ok"], false);
            assert!(line["damaged"][0]["file"].as_str().unwrap().contains(file.file_name().unwrap().to_str().unwrap()));
        }
        std::fs::write(&file, &bytes).unwrap();
    }
    assert_eq!(info().status.code(), Some(0));
}

#[test]
fn a_result_that_the_last_position_disproves_is_reported_and_kept() {
    let scratch = tempfile::tempdir().unwrap();
    let pgn = scratch.path().join("x.pgn");
    // LEG-6, NAT-9 (mate on the ply that would reach the limit), and a mate with the right result.
    let stalemate = "[Event \"a\"]\n[FEN \"3k5/9/3P5/9/9/9/9/9/9/4K4 b\"]\n[Result \"1/2-1/2\"]\n\n1/2-1/2\n\n";
    let mate = |result: &str| {
        format!(
            "[Event \"b\"]\n[FEN \"3k5/1R7/9/9/9/9/9/9/R8/4K4 w - - 119 200\"]\n[Result \"{result}\"]\n\n\
             200. a1a9 {result}\n\n"
        )
    };
    std::fs::write(&pgn, format!("{stalemate}{}{}", mate("1/2-1/2"), mate("1-0"))).unwrap();
    let output = yipu().args(["--json", "check", "-q"]).arg(&pgn).output().unwrap();
    let lines = json_lines(&output.stdout);
    let told: Vec<_> = lines[..3]
        .iter()
        .map(|line| (line["result"].as_str(), line["status"].as_str(), line["findings"][0]["code"].as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (Some("1/2-1/2"), Some("ok"), Some("G302")),
            (Some("1/2-1/2"), Some("ok"), Some("G302")),
            (Some("1-0"), Some("ok"), None),
        ]
    );
}

#[test]
fn text_among_the_moves_that_nobody_can_read_makes_a_game_partial() {
    let scratch = tempfile::tempdir().unwrap();
    let pgn = scratch.path().join("x.pgn");
    std::fs::write(&pgn, "[Event \"a\"]\n\n1. 炮二平五 马8进7 2. 马二进三 ???xyz 车9平8 *\n").unwrap();
    let output = yipu().args(["--json", "check", "-q"]).arg(&pgn).output().unwrap();
    let line = json_lines(&output.stdout).remove(0);
    assert_eq!(
        (line["status"].as_str(), line["findings"][0]["code"].as_str()),
        (Some("partial"), Some("R407")),
        "{line}"
    );
}

#[test]
fn a_new_name_without_an_ending_becomes_a_folder_where_many_files_come_in() {
    let scratch = tempfile::tempdir().unwrap();
    let new = scratch.path().join("new");
    let run = || {
        let output =
            yipu().args(["--json", "convert", "--to", "pgn", "-q", "-o"]).arg(&new).arg(corpus()).output().unwrap();
        json_lines(&output.stdout)
    };
    let first = run();
    assert!(new.is_dir() && new.join("openings.pgn").is_file());
    assert!(first.len() > 2 && first.iter().all(|line| line.get("unchanged").is_none()));
    // A second run has nothing to do and names the same files.
    let second = run();
    assert_eq!(first.len(), second.len());
    assert!(first.iter().zip(&second).all(|(a, b)| a["file"] == b["file"] && a["games"] == b["games"]));
    assert!(second.iter().all(|line| line["unchanged"] == true));
}

#[test]
fn findings_are_told_in_chinese_where_that_is_asked_for_and_programs_get_english() {
    let scratch = tempfile::tempdir().unwrap();
    let pgn = scratch.path().join("x.pgn");
    std::fs::write(&pgn, "[Event \"a\"]\n\n1. 炮二平五 马8进7 2. 车一平三 车9平8 *\n").unwrap();
    let zh = yipu().args(["check", "--lang", "zh"]).arg(&pgn).output().unwrap();
    let stderr = String::from_utf8(zh.stderr).unwrap();
    assert!(stderr.contains("R401 错误") && stderr.contains("第 3 着") && stderr.contains("轮到红方"), "{stderr}");
    assert!(String::from_utf8(zh.stdout).unwrap().contains("没有合法着法与文字相符"));
    let json = yipu().args(["--json", "check", "--lang", "zh", "-q"]).arg(&pgn).output().unwrap();
    let message = json_lines(&json.stdout)[0]["findings"][0]["message"].as_str().unwrap().to_string();
    assert!(message.starts_with("Red to move"), "{message}");
    yipu().args(["explain", "R401", "--lang", "zh"]).assert().success().stdout(contains("此前的合法着法保留"));
    yipu().args(["explain", "R401"]).assert().success().stdout(contains("fits no legal move"));
}

#[test]
fn engine_lines_are_read_however_they_begin() {
    // FMT-19
    let fen = "3k5/R3a4/9/9/9/8r/9/9/9/4K4 b - - 0 1";
    for text in [
        format!("position fen {fen} moves i4i0 e0e1"),
        format!("fen {fen} moves i4i0 e0e1"),
        format!("{fen} moves i4i0 e0e1"),
    ] {
        for format in [&["--format", "uci"][..], &[]] {
            let output = yipu()
                .args(["--json", "check", "-q"])
                .args(format)
                .arg("-")
                .write_stdin(text.clone())
                .output()
                .unwrap();
            let line = json_lines(&output.stdout).remove(0);
            assert_eq!(line["moves"], serde_json::json!(["i4i0", "e0e1"]), "{text} {format:?}: {line}");
            assert_eq!(line["start_fen"], fen);
        }
    }
    let output = yipu()
        .args(["--json", "check", "-q", "-"])
        .write_stdin("position startpos moves h2e2 h9g7\n")
        .output()
        .unwrap();
    assert_eq!(json_lines(&output.stdout)[0]["plies"], 2);
}

#[test]
fn games_of_one_file_are_divided_by_an_empty_line() {
    let output =
        yipu().args(["convert", "--to", "pgn", "-q", "-o", "-"]).arg(corpus().join("openings.pgn")).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let starts: Vec<_> = text.match_indices("[Game ").map(|(at, _)| at).collect();
    assert!(starts.len() > 2);
    assert!(starts[1..].iter().all(|&at| text[..at].ends_with("\r\n\r\n")));
}

#[test]
fn text_that_begins_like_a_binary_record_is_read_as_text() {
    let text = format!("XQ\n[Event \"a\"]\n[Red \"b\"]\n\n1. h2e2 h9g7 {{{}}} *\n", "x".repeat(2000));
    let output = yipu().args(["--json", "check", "-q", "-"]).write_stdin(text).output().unwrap();
    let line = json_lines(&output.stdout).remove(0);
    assert_eq!((line["format"].as_str(), line["plies"].as_u64()), (Some("pgn"), Some(2)), "{line}");
}
