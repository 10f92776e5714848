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
