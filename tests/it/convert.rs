//! `yipu convert` over trees of folders.

use crate::cli::yipu;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

const ONE: &str = "[Event \"杯\"]\n[Red \"甲\"]\n[Round \"3\"]\n\n1. 炮二平五 马8进7 (1... 炮8平5) 2. 马二进三 *\n";
const TWO: &str = "[Event \"x\"]\n\n1. h2e2 h9g7 *\n\n[Event \"y\"]\n\n1. b2e2 e2e2 *\n";

/// Every file below a folder with its content and the time of its last change.
fn files(folder: &Path) -> BTreeMap<String, (Vec<u8>, SystemTime)> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, (std::fs::read(&path).unwrap(), entry.metadata().unwrap().modified().unwrap()));
            }
        }
    }
    found
}

fn tree() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in
        [("in/甲/a.pgn", ONE), ("in/甲/乙/two.pgn", TWO), ("in/note.txt", "没有着法"), ("in/b.pgn", ONE)]
    {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

fn convert(folder: &Path, args: &[&str]) -> std::process::Output {
    let (input, out) = (folder.join("in"), folder.join("out/"));
    yipu().args(["convert", "--to", "xqf"]).args(args).arg("-o").arg(out).arg(input).output().unwrap()
}

#[test]
fn a_tree_of_folders_becomes_the_same_tree() {
    let folder = tree();
    let output = convert(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1), "a file without games and a broken ply are findings");
    assert!(String::from_utf8_lossy(&output.stdout).contains("files written 4   unchanged 0   games 4"));
    let made = files(&folder.path().join("out"));
    let names: Vec<&str> = made.keys().map(String::as_str).collect();
    assert_eq!(names, ["b.xqf", "甲/a.xqf", "甲/乙/two-0001.xqf", "甲/乙/two-0002.xqf"]);
}

#[test]
fn a_second_run_does_nothing_and_a_changed_result_is_not_overwritten_without_a_word() {
    let folder = tree();
    convert(folder.path(), &[]);
    let before = files(&folder.path().join("out"));
    let again = convert(folder.path(), &["--jobs", "4"]);
    assert!(String::from_utf8_lossy(&again.stdout).contains("files written 0   unchanged 4"));
    assert_eq!(files(&folder.path().join("out")), before);
    let changed = folder.path().join("out/b.xqf");
    std::fs::write(&changed, "mine").unwrap();
    let refused = convert(folder.path(), &[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--force"));
    assert_eq!(std::fs::read(&changed).unwrap(), b"mine");
    assert_eq!(convert(folder.path(), &["--force"]).status.code(), Some(1));
    assert_eq!(std::fs::read(&changed).unwrap(), before["b.xqf"].0);
}

#[test]
fn every_finding_stands_in_the_findings_file() {
    let folder = tree();
    let findings = folder.path().join("findings.jsonl");
    convert(folder.path(), &["-q", "--findings", findings.to_str().unwrap()]);
    let text = std::fs::read_to_string(&findings).unwrap();
    let found: Vec<(String, String)> = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|line| {
            let file = Path::new(line["file"].as_str().unwrap()).file_name().unwrap().to_string_lossy().into_owned();
            (line["code"].as_str().unwrap().to_string(), file)
        })
        .collect();
    for wanted in [("R401", "two.pgn"), ("F101", "note.txt"), ("O201", "a.pgn")] {
        assert!(found.iter().any(|(code, file)| (code.as_str(), file.as_str()) == wanted), "{wanted:?} in {found:?}");
    }
    // A second run finds the same and changes nothing.
    let before = std::fs::metadata(&findings).unwrap().modified().unwrap();
    assert_eq!(convert(folder.path(), &["-q", "--findings", findings.to_str().unwrap()]).status.code(), Some(1));
    assert_eq!(std::fs::metadata(&findings).unwrap().modified().unwrap(), before);
}

#[test]
fn pages_to_print_have_the_diagrams_asked_for() {
    let folder = tree();
    let out = folder.path().join("page.txt");
    let convert = |to: &str, more: &[&str], out: &Path| {
        let input = folder.path().join("in/b.pgn");
        let output = yipu()
            .args(["--lang", "zh", "convert", "--to", to, "--force"])
            .args(more)
            .arg("-o")
            .arg(out)
            .arg(input)
            .output();
        assert!(output.unwrap().status.success());
        std::fs::read_to_string(out).unwrap()
    };
    let page = convert("text", &["--diagrams", "start,2,end"], &out);
    assert_eq!(page.matches("[将]").count(), 3, "{page}");
    assert!(page.contains("红方：甲") && page.contains("  1. 炮二平五      马8进7"), "{page}");
    assert!(!convert("text", &["--diagrams", "none"], &out).contains("[将]"));
    let html = convert("html", &["--diagrams", "1"], &folder.path().join("page.html"));
    assert_eq!(html.matches("<figure>").count(), 1);
    assert!(html.contains("第 1 着后") && html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
    // Nothing is fetched: the only addresses are the names of SVG.
    assert_eq!(html.matches("http").count(), html.matches("http://www.w3.org/2000/svg").count());
    assert!(!html.contains("<script"));
}

#[test]
fn every_version_of_xqf_is_written_on_request_and_reads_back() {
    let folder = tree();
    for (version, byte) in [("1.0", 10), ("1.8", 18), ("1.8-keyed", 18)] {
        let out = folder.path().join(format!("{version}.xqf"));
        let input = folder.path().join("in/b.pgn");
        let output =
            yipu().args(["convert", "--to", "xqf", "--xqf", version, "-o"]).arg(&out).arg(input).output().unwrap();
        assert!(output.status.success());
        let bytes = std::fs::read(&out).unwrap();
        assert_eq!((bytes[2], bytes[12] != 0), (byte, version == "1.8-keyed"), "{version}");
        let back = yipu().args(["convert", "--to", "pgn", "-o", "-"]).arg(&out).output().unwrap();
        let text = String::from_utf8(back.stdout).unwrap();
        assert!(text.contains("炮8平5") && text.contains("[Red \"甲\"]") && text.contains("[Round \"3\"]"), "{text}");
    }
}

fn said(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stdout).trim().to_string()
}

#[test]
fn a_run_after_a_change_writes_what_is_new_and_leaves_what_would_change() {
    let folder = tree();
    let input = |name: &str| folder.path().join("in").join(name);
    convert(folder.path(), &[]);
    let before = files(&folder.path().join("out"));
    std::fs::write(input("b.pgn"), ONE.replace('3', "4")).unwrap();
    std::fs::write(input("甲/new.pgn"), ONE).unwrap();
    std::fs::remove_file(input("甲/乙/two.pgn")).unwrap();
    let run = convert(folder.path(), &[]);
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(said(&run), "files written 1   unchanged 1   games 3   not overwritten 1");
    assert!(String::from_utf8_lossy(&run.stderr).contains("b.xqf exists; --force overwrites it"));
    let after = files(&folder.path().join("out"));
    // Results of a file that is gone stay; the changed one is the old one still.
    assert!(before.iter().all(|(name, file)| after[name] == *file));
    assert!(after.contains_key("甲/new.xqf"));
    let forced = convert(folder.path(), &["--force"]);
    assert_eq!(said(&forced), "files written 1   unchanged 2   games 3");
    let last = files(&folder.path().join("out"));
    assert_ne!(last["b.xqf"].0, before["b.xqf"].0);
    assert_eq!(last["甲/a.xqf"], before["甲/a.xqf"], "what has not changed is not written again");
    assert_eq!(said(&convert(folder.path(), &[])), "files written 0   unchanged 3   games 3");
}

#[test]
fn results_below_the_input_are_not_read() {
    let folder = tree();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let run = |args: &[&str]| {
        yipu().args(["convert", "--to", "pgn", "--findings", &place("in/f.jsonl")]).args(args).output().unwrap()
    };
    for (target, written) in [("in/out/", 3), ("in/all.pgn", 1)] {
        let first = run(&["-o", &place(target), "--force", &place("in")]);
        assert_eq!(said(&first), format!("files written {written}   unchanged 0   games 4"), "{target}");
        let again = run(&["-o", &place(target), &place("in")]);
        assert_eq!(said(&again), format!("files written 0   unchanged {written}   games 4"), "{target}");
        let _ = std::fs::remove_dir_all(place(target));
    }
    // The folder itself would be read together with the results.
    let refused = run(&["-o", &place("in"), &place("in")]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("is read, so it cannot take the results"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_was_killed_is_made_whole_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("in")).unwrap();
    for number in 0..2000 {
        std::fs::write(folder.path().join(format!("in/{number:04}.pgn")), ONE.replace('3', &number.to_string()))
            .unwrap();
    }
    convert(folder.path(), &[]);
    let whole: BTreeMap<String, Vec<u8>> =
        files(&folder.path().join("out")).into_iter().map(|(name, (bytes, _))| (name, bytes)).collect();
    std::fs::remove_dir_all(folder.path().join("out")).unwrap();
    let (input, out) = (folder.path().join("in"), folder.path().join("out/"));
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_yipu"))
        .args(["convert", "--to", "xqf", "-o"])
        .arg(&out)
        .arg(&input)
        .spawn()
        .unwrap();
    // Some files are there when it dies, and all of them are whole.
    while std::fs::read_dir(&out).map_or(0, Iterator::count) < 20 && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let _ = child.kill();
    child.wait().unwrap();
    let is_scrap = |name: &str| name.starts_with(".yipu-") && name.ends_with(".tmp");
    for (name, (bytes, _)) in files(&out).into_iter().filter(|(name, _)| !is_scrap(name)) {
        assert_eq!(bytes, whole[&name], "{name}");
    }
    convert(folder.path(), &[]);
    let made: BTreeMap<String, Vec<u8>> =
        files(&out).into_iter().filter(|(name, _)| !is_scrap(name)).map(|(name, (bytes, _))| (name, bytes)).collect();
    assert!(made == whole);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_utf_8_stay_as_they_are() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    std::fs::create_dir(&input).unwrap();
    let name = |bytes: &[u8]| std::ffi::OsStr::from_bytes(bytes).to_os_string();
    // 车.pgn and 炮.pgn in GBK.
    for bytes in [b"\xB3\xB5.pgn", b"\xC5\xDA.pgn"] {
        std::fs::write(input.join(name(bytes)), TWO).unwrap();
    }
    convert(folder.path(), &[]);
    let mut made: Vec<_> =
        std::fs::read_dir(folder.path().join("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    made.sort();
    let expected: Vec<&[u8]> =
        vec![b"\xB3\xB5-0001.xqf", b"\xB3\xB5-0002.xqf", b"\xC5\xDA-0001.xqf", b"\xC5\xDA-0002.xqf"];
    assert_eq!(made, expected.into_iter().map(name).collect::<Vec<_>>());
}
