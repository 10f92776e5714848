//! Promises of the command line that were once broken, from outside.

use crate::cli::yipu;
use serde_json::Value;
use std::path::{Path, PathBuf};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// Exit code, lines of JSON, standard error.
    fn run(&self, arguments: &[&str]) -> (i32, Vec<Value>, String) {
        let output =
            yipu().current_dir(self.0.path()).args(arguments).args(["--json", "--lang", "en"]).output().unwrap();
        let lines = output.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let lines = lines.map(|line| serde_json::from_slice(line).unwrap()).collect();
        (output.status.code().unwrap(), lines, String::from_utf8(output.stderr).unwrap())
    }

    fn check(&self, file: &Path) -> Value {
        self.run(&["check", file.to_str().unwrap()]).1.swap_remove(0)
    }
}

const BROKEN: &str = "[Red \"甲\"]\n[Result \"*\"]\n\n1. 炮二平五 马8进7 2. 车九退一 车9平8 *\n";

#[test]
fn a_game_that_stopped_is_not_whole_after_a_conversion() {
    let folder = Folder::new();
    let source = folder.file("a.pgn", BROKEN);
    assert_eq!(folder.check(&source)["status"], "partial");
    for format in ["pgn", "json", "xqf", "cbr", "cbl", "cbf", "dhtmlxq", "xqr", "pfc"] {
        let target = folder.path(&format!("a.{format}"));
        folder.run(&["convert", "a.pgn", "--to", format, "-o", target.to_str().unwrap()]);
        let game = folder.check(&target);
        assert_eq!((&game["status"], &game["plies"]), (&"partial".into(), &2.into()), "{format}: {game}");
        let told = game["findings"].as_array().unwrap().iter().any(|one| one["text"].to_string().contains("车九退一"));
        assert!(told, "{format}: {game}");
    }
}

#[test]
fn what_an_encoding_lacks_never_becomes_a_ply() {
    let folder = Folder::new();
    folder.file("a.pgn", BROKEN.replace("车九退一", "𠮷四进五"));
    let before = folder.check(&folder.path("a.pgn"));
    folder.run(&["convert", "a.pgn", "--to", "pgn", "--encoding", "big5", "-o", "b.pgn"]);
    let after = folder.check(&folder.path("b.pgn"));
    assert_eq!(after["moves"], before["moves"]);
    assert_eq!(after["plies"], 2);
}

#[test]
fn games_of_a_database_are_named_by_number_wherever_a_game_is_asked_for() {
    let folder = Folder::new();
    folder.file("a.pgn", "[Red \"甲\"]\n\n1. h2e2 {[%clk 0:10:00]} h9g7 {[%clk 0:09:50]} *\n");
    folder.run(&["index", "a.pgn", "--db", "db"]);
    let (code, lines, _) = folder.run(&["board", "1", "--db", "db", "--to", "fen", "-o", "a.fen"]);
    assert_eq!(code, 0);
    assert!(lines[0]["fen"].as_str().unwrap().starts_with("rnbakab1r/9/1c4nc1/"), "{}", lines[0]);
    let (code, lines, _) = folder.run(&["audit", "clock", "#1", "--db", "db", "--scheme", "60m"]);
    assert_eq!((code, &lines[0]["red"]["moves"]), (0, &1.into()), "{lines:?}");
    let (code, lines, _) = folder.run(&["audit", "limit", "1", "--db", "db", "--claimant", "red"]);
    assert_eq!((code, &lines[0]["verdict"]), (0, &"rejected".into()), "{lines:?}");
    let (code, _, err) = folder.run(&["audit", "limit", "2", "--db", "db", "--claimant", "red"]);
    assert!(code == 2 && err.contains("no game 2"), "{err}");
    // A file of that name comes first.
    folder.file("1", "[Red \"乙\"]\n\n1. h2e2 *\n");
    let (_, lines, _) = folder.run(&["board", "1", "--db", "db", "--to", "fen", "-o", "b.fen"]);
    assert!(lines[0]["fen"].as_str().unwrap().starts_with("rnbakabnr/"), "{}", lines[0]);
}

#[test]
fn a_page_is_never_written_over_another_file() {
    let folder = Folder::new();
    folder.file("a.pgn", "[Red \"甲\"]\n\n1. h2e2 *\n");
    folder.file("page.html", "precious");
    let (code, _, err) = folder.run(&["audit", "limit", "a.pgn", "--claimant", "red", "-o", "page.html"]);
    assert!(code == 2 && err.contains("--force"), "{err}");
    assert_eq!(std::fs::read_to_string(folder.path("page.html")).unwrap(), "precious");
    assert_eq!(folder.run(&["audit", "limit", "a.pgn", "--claimant", "red", "-o", "page.html", "--force"]).0, 0);
}

#[test]
fn title_pages_with_the_same_empty_board_are_no_copies() {
    let folder = Folder::new();
    let page = |title: &str| format!("[Title \"{title}\"]\n[FEN \"4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1\"]\n\n*\n\n");
    folder.file("a.pgn", [page("男子组"), page("女子组")].concat());
    // The same page from another file, with a header more: the one true copy.
    folder.file("b.pgn", page("男子组").replace("[FEN", "[Site \"北京\"]\n[FEN"));
    folder.run(&["index", "a.pgn", "b.pgn", "--db", "db"]);
    let (_, groups, _) = folder.run(&["dedup", "--db", "db"]);
    let named: Vec<&Value> = groups.iter().filter(|line| line.get("keep").is_some()).collect();
    assert_eq!(named.len(), 1, "{groups:?}");
    assert!(!groups[0].to_string().contains("女子组"), "{groups:?}");
}

#[test]
fn a_zero_byte_costs_itself_and_not_the_file() {
    let folder = Folder::new();
    let games = "[Red \"甲\"]\n[Black \"乙\"]\n\n1. 炮二平五 {中炮} 马8进7 *\n\n".repeat(3);
    let zero = folder.file("zero.pgn", games.replacen("中炮", "中\0炮", 1));
    let padded = folder.file("padded.pgn", [games.as_bytes(), &[0; 512]].concat());
    for file in [&zero, &padded] {
        let (code, lines, err) = folder.run(&["check", file.to_str().unwrap()]);
        let summary = &lines.last().unwrap()["summary"];
        assert_eq!((code, &summary["games"], &summary["ok"]), (1, &3.into(), &3.into()), "{summary}");
        assert!(err.contains("T202"), "{err}");
    }
    let binary = folder.file("binary.dat", [1u8, 0, 2, 0, 3, 0, 5, 6].repeat(100));
    assert!(folder.run(&["check", binary.to_str().unwrap()]).2.contains("F101"));
}

#[test]
fn a_record_that_is_cut_off_says_so() {
    let folder = Folder::new();
    folder.file("a.pgn", "[Red \"甲\"]\n\n1. h2e2 h9g7 *\n");
    for (format, end) in [("cbf", "</ChineseChessRecord"), ("dhtmlxq", "[/DhtmlXQ]")] {
        folder.run(&["convert", "a.pgn", "--to", format, "-o", &format!("a.{format}")]);
        let whole = std::fs::read(folder.path(&format!("a.{format}"))).unwrap();
        assert_eq!(folder.run(&["check", &format!("a.{format}")]).0, 0, "{format}");
        let at = whole.windows(end.len()).rposition(|window| window == end.as_bytes()).unwrap();
        for length in [at, at + end.len() - 1] {
            let name = format!("cut{length}.{format}");
            folder.file(&name, &whole[..length]);
            assert_eq!(folder.run(&["check", &name]).0, 1, "{name}");
        }
    }
    // Nothing but the beginning of a tag is no game, and that is said.
    let (code, _, err) = folder.run(&["check", folder.file("b.txt", "[DhtmlXQ]\n[Dhtml").to_str().unwrap()]);
    assert!(code == 1 && (err.contains("F101") || err.contains("F401")), "{err}");
}

#[test]
fn a_query_may_begin_with_not() {
    let folder = Folder::new();
    let game = |red: &str| format!("[Red \"{red}\"]\n[Black \"丙\"]\n\n1. h2e2 *\n\n");
    folder.file("a.pgn", [game("甲"), game("乙")].concat());
    folder.run(&["index", "a.pgn", "--db", "db"]);
    let (code, lines, err) = folder.run(&["search", "-player:甲", "--db", "db"]);
    assert!(code == 0 && lines.len() == 1 && lines[0]["red"] == "乙", "{lines:?} {err}");
    // A comment too long for the words of the index keeps its game, which is found by what stands first.
    let long = format!("[Red \"丁\"]\n\n1. h2e2 {{妙手{}妙着}} *\n", "，".repeat(500_000));
    folder.file("long.pgn", long);
    let (code, _, err) = folder.run(&["index", "long.pgn", "--db", "db"]);
    assert!(code == 1 && err.contains("I010"), "{code} {err}");
    assert_eq!(folder.run(&["search", "comment:妙手", "--db", "db"]).1.len(), 1);
    assert!(folder.run(&["db", "verify", "--db", "db"]).1[0]["ok"] == true);
}

#[cfg(unix)]
#[test]
fn a_database_can_be_read_by_whoever_may_read_the_users_files() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.file("a.pgn", "[Red \"甲\"]\n\n1. h2e2 *\n");
    folder.run(&["index", "a.pgn", "--db", "db"]);
    let usual = std::fs::metadata(folder.path("a.pgn")).unwrap().permissions().mode() & 0o044;
    for place in ["db", "db/headers"] {
        for file in std::fs::read_dir(folder.path(place)).unwrap().map(Result::unwrap).filter(|f| f.path().is_file()) {
            let mode = file.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o044, usual, "{} {mode:o}", file.path().display());
        }
    }
}

#[test]
fn a_damaged_index_ends_with_2_and_never_with_a_backtrace() {
    let folder = Folder::new();
    folder.file("a.pgn", "[Red \"甲\"]\n[Black \"乙\"]\n[Event \"杯赛\"]\n\n1. h2e2 {注} *\n");
    folder.run(&["index", "a.pgn", "--db", "db"]);
    for file in std::fs::read_dir(folder.path("db/headers")).unwrap().map(Result::unwrap) {
        let whole = std::fs::read(file.path()).unwrap();
        for at in (0..whole.len()).step_by(whole.len().div_ceil(12).max(1)) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x70;
            std::fs::write(file.path(), &bytes).unwrap();
            let (code, _, err) = folder.run(&["search", "player:甲", "--db", "db"]);
            assert!((0..=2).contains(&code) && !err.contains("RUST_BACKTRACE"), "{code} {err}");
        }
        std::fs::write(file.path(), whole).unwrap();
    }
}
