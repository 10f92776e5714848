//! How much memory the program takes: no more than 64 MiB and ten times the input, whatever the input.
//!
//! Inputs of one megabyte by default; `YIPU_MEMORY=10` or `=100` makes them larger.

#![cfg(target_os = "linux")]

use crate::support::real_games;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const MIB: u64 = 1 << 20;

/// Bytes asked for by the environment.
fn size() -> usize {
    let megabytes = std::env::var("YIPU_MEMORY").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    megabytes * 1_000_000
}

/// Runs the program and returns its peak memory in bytes, from the high-water mark that the system keeps.
fn peak(args: &[&str], file: &Path) -> u64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_yipu"))
        .args(["-q", "--jobs", "2"])
        .args(args)
        .arg(file)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let mark =
            text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        most = mark.map_or(most, |mark| most.max(mark * 1024));
        if let Some(status) = child.try_wait().unwrap() {
            assert!(matches!(status.code(), Some(0 | 1)), "{} {args:?}: {status}", file.display());
            return most;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn assert_bound(name: &str, args: &[&str], file: &Path) {
    let size = std::fs::metadata(file).unwrap().len();
    let most = peak(args, file);
    eprintln!("{name}: {} MiB in, {} MiB at most", size / MIB, most / MIB);
    assert!(most <= 64 * MIB + 10 * size, "{name} {args:?}: {} MiB for {size} bytes", most / MIB);
}

/// Names, what the input begins with, what is repeated, what it ends with.
type Row = (&'static str, Vec<u8>, Vec<u8>, Vec<u8>);

fn row(name: &'static str, head: &str, unit: &str, tail: &str) -> Row {
    (name, head.into(), unit.into(), tail.into())
}

fn texts() -> Vec<Row> {
    let game = "[Event \"x\"]\n\n1. h2e2 ";
    let ubb = "[DhtmlXQ]\n";
    let cbf = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ChineseChessRecord><MoveList><Move value=\"00-00\"/>";
    let json = "{\"yipu\":1,\"headers\":[],\"start\":\"4k4/9/9/9/9/9/9/9/9/3K5 w\",\"result\":\"*\",\"tree\":[";
    vec![
        row("pgn tiny games", "", "[Event \"x\"]\n1. h2e2 *\n\n", ""),
        row("pgn one comment", "[Event \"x\"]\n\n1. h2e2 {", "x", ""),
        row("pgn comments", game, "{}", ""),
        row("pgn marks", game, "!", ""),
        row("pgn numbers", game, "1.", ""),
        row("pgn brackets", game, "(", ""),
        row("pgn side lines", game, "(h0g2)", ""),
        row("pgn nested", game, "h9g7(", ""),
        row("pgn moves", "[Event \"x\"]\n\n", "i0i1 i9i8 i1i0 i8i9 ", ""),
        row("pgn illegal", game, "h2e2 ", ""),
        row("pgn tags", "", "[A \"b\"]\n", ""),
        row("pgn heads", "", "[Event \"x\"]\n\n*\n", ""),
        row("pgn bad fens", "", "[FEN \"x\"]\n\n1. h2e2 *\n\n", ""),
        row("pgn unreadable games", "", "[Event \"x\"]\n\n1. h9h2 h2e2 *\n\n", ""),
        row("pgn trailer", "[Event \"x\"]\n\n1. h2e2 h9g7 *\n", "abc\n", ""),
        row("text games", "", "1. 炮二平五 马8进7\n\n", ""),
        row("text labels", "", "红方：x\n", ""),
        row("text pages", "", "中国象棋对局记录\n红方：x\n\n  1. 炮二平五\n", ""),
        row("text prose", "", "他说炮二平五很好。", ""),
        row("html tags", "<html><body>1. 炮二平五 ", "<b>", ""),
        row("html games", "<html><body>\n", "<p>1. 炮二平五 *</p>\n", ""),
        row("ubb brackets", ubb, "[", ""),
        row("ubb open tags", ubb, "[DhtmlXQ_a]", ""),
        row("ubb pairs", ubb, "[DhtmlXQ_a]x[/DhtmlXQ_a]", ""),
        row("ubb lines", ubb, "[0_1_0]7747", ""),
        row("ubb blocks", "", "[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]", ""),
        row(
            "ubb bad blocks",
            "",
            "[DhtmlXQ][DhtmlXQ_binit]x[/DhtmlXQ_binit][DhtmlXQ_movelist]0[/DhtmlXQ_movelist]",
            "",
        ),
        row("ubb movelist", "[DhtmlXQ]\n[DhtmlXQ_movelist]", "8988000189880100", "[/DhtmlXQ_movelist]"),
        row("ubb odd movelist", "[DhtmlXQ]\n[DhtmlXQ_movelist]", "0000", "[/DhtmlXQ_movelist]"),
        row("dhj tags", "", "[DHJHtmlXQ_34]", ""),
        row("dhj pairs", "", "[DHJHtmlXQ_34]7[/", ""),
        row("dhj games", "[DHJHtmlXQ_10]x[/", "[DHJHtmlXQ]", ""),
        row("cbf moves", cbf, "<Move value=\"77-47\"/>", ""),
        row("cbf odd moves", cbf, "<Move/>", ""),
        row("cbf branches", cbf, "<Move value=\"77-47\" branch=\"1\" end=\"1\"/>", ""),
        row("pfc nested", "<n m=\"\">", "<n m=\"h2e2\">", ""),
        row("pfc flat", "<n m=\"\">", "<n m=\"a\" default=\"true\"/>", ""),
        row("wxf moves", "FORMAT WXF\nSTART{\n", "C2=5 ", ""),
        row("wxf games", "", "FORMAT WXF\nSTART{\nC2=5\n}END\n", ""),
        row("wxf bad fens", "", "FORMAT WXF\nFEN x\nSTART{\nC2=5\n}END\n", ""),
        row("wxf words", "FORMAT WXF\n", "ABC x\n", ""),
        row("json odd lines", "{\"yipu\":\n", "x\n", ""),
        row("json tree", json, "\"d0d1\",\"e9e8\",\"d1d0\",\"e8e9\",", "\"d0d1\"]}\n"),
        row("json odd tree", json, "\"\",", "\"d0d1\"]}\n"),
        row("json bad fens", "", "{\"yipu\":1,\"headers\":[],\"start\":\"x\",\"result\":\"*\",\"tree\":[]}\n", ""),
        row("csv bad fens", "fen,moves\n", "x,h2e2\n", ""),
        row("csv bad moves", "fen,moves\n", ",x\n", ""),
        row("csv rows", "title,moves\n", "x,h2e2\n", ""),
        row("uci lines", "", "position startpos\n", ""),
        row("uci odd fens", "position startpos\n", "position fen x\n", ""),
        row("uci odd moves", "", "position startpos moves x\n", ""),
        row("uci moves", "position startpos moves", " i0i1 i9i8 i1i0 i8i9", ""),
        row("mxq words", "Moves", " 7C-4C", ""),
        row("mxq odd words", "Moves 7C-4C", " x", ""),
        row("epd", "", "4k4/9/9/9/9/9/9/9/9/3K5 w\n", ""),
        row("blanks", "", " ", ""),
        row("line ends", "", "\n", ""),
        row("letters", "", "a", ""),
    ]
}

/// `i0i1 i9i8 i1i0 i8i9` for ever, as squares of a format.
fn binaries() -> Vec<Row> {
    let mut xqf = vec![0; 1024];
    xqf[..3].copy_from_slice(b"XQ\x0A");
    let squares = [
        0, 10, 20, 30, 40, 50, 60, 70, 80, 12, 72, 3, 23, 43, 63, 83, 9, 19, 29, 39, 49, 59, 69, 79, 89, 17, 77, 6, 26,
        46, 66, 86,
    ];
    xqf[16..48].copy_from_slice(&squares);
    let mut xqf18 = xqf.clone();
    xqf18[2] = 18;
    xqf18[16..48].rotate_left(1);
    let moves = [(80, 81), (89, 88), (81, 80), (88, 89)];
    let old = |flags: u8| moves.iter().flat_map(|&(from, to)| [from + 0x18, to + 0x20, flags, 0, 0, 0, 0, 0]).collect();
    let new = |flags: u8| moves.iter().flat_map(|&(from, to)| [from + 0x18, to + 0x20, flags, 0]).collect::<Vec<u8>>();
    xqf18.extend([0x18, 0x20, 0x80, 0]);
    let mut cbr = vec![0; 2214];
    cbr[..16].copy_from_slice(b"CCBridge Record\0");
    cbr[19] = 2;
    let row_of =
        |first: usize, list: [u8; 9], cbr: &mut Vec<u8>| cbr[2120 + first..2129 + first].copy_from_slice(&list);
    row_of(0, [0x21, 0x22, 0x23, 0x24, 0x25, 0x24, 0x23, 0x22, 0x21], &mut cbr);
    row_of(81, [0x11, 0x12, 0x13, 0x14, 0x15, 0x14, 0x13, 0x12, 0x11], &mut cbr);
    cbr.extend([0, 0, 0, 0]);
    let cbr_moves = [(89, 80), (8, 17), (80, 89), (17, 8)].iter().flat_map(|&(from, to)| [0, 0, from, to]).collect();
    let xqr = vec![0, 2, 0x20, 0x17, 1, 1, 0, 9, 0, 0, 0, 1, 0];
    let xqr_moves: Vec<u8> =
        [(0x98, 0x88), (8, 0x18), (0x88, 0x98), (0x18, 8)].iter().flat_map(|&(from, to)| [from, to, 1, 0]).collect();
    let mxq = b"\x01a\x01b\x01c\x01d\x01e\x01f\x01g\x01h\x05Moves".to_vec();
    let none = Vec::new;
    vec![
        ("xqf moves", xqf.clone(), old(0xF0), none()),
        ("xqf odd moves", xqf, vec![0x18, 0x20, 0xF0, 0, 0, 0, 0, 0], none()),
        ("xqf 1.8 moves", xqf18.clone(), new(0x80), none()),
        ("xqf 1.8 alternatives everywhere", xqf18.clone(), new(0xC0), none()),
        ("xqf 1.8 odd moves", xqf18.clone(), vec![0x18, 0x20, 0x80, 0], none()),
        ("xqf 1.8 odd alternatives", xqf18, vec![0x18, 0x20, 0x40, 0], none()),
        ("cbr moves", cbr.clone(), cbr_moves, none()),
        ("cbr odd moves", cbr, vec![0; 4], none()),
        ("xqr moves", xqr.clone(), xqr_moves, none()),
        ("xqr odd moves", xqr, vec![0, 0, 1, 0], none()),
        ("mxq empty strings", mxq.clone(), vec![0], none()),
        ("mxq moves", mxq, b"\x058A-8B\x058J-8I\x058B-8A\x058I-8J".to_vec(), none()),
        ("zeros", none(), vec![0], none()),
        ("gbk without a character", b"[Event \"x\"]\n\n1. h2e2 {".to_vec(), vec![0xFF], none()),
        ("gbk text among moves", b"[Event \"x\"]\n\n1. h2e2 ".to_vec(), vec![0xC5, 0xDA, b'x', b'x', b' '], none()),
    ]
}

#[test]
fn hostile_files_take_no_more_than_their_share() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("input");
    for (name, head, unit, tail) in texts().into_iter().chain(binaries()) {
        let mut bytes = head;
        let count = size().saturating_sub(bytes.len()) / unit.len();
        bytes.extend(unit.repeat(count));
        bytes.extend(tail);
        std::fs::write(&file, &bytes).unwrap();
        assert_bound(name, &["check"], &file);
    }
}

#[test]
fn what_is_made_of_tiny_games_waits_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("input");
    for (name, head, unit) in [
        ("pgn tiny games", "", "[Event \"x\"]\n1. h2e2 *\n\n"),
        ("html games", "<html><body>\n", "<p>1. 炮二平五 *</p>\n"),
        ("csv bad fens", "fen,moves\n", "x,h2e2\n"),
        ("uci odd moves", "", "position startpos moves x\n"),
    ] {
        let write = |size: usize| std::fs::write(&file, head.to_string() + &unit.repeat(size / unit.len())).unwrap();
        write(size());
        assert_bound(name, &["--json", "check"], &file);
        // Pages are a thousand times as large as such games, and a file for each game takes its time.
        for (format, share) in [("pgn", 1), ("json", 1), ("csv", 1), ("html", 10), ("xqf", 20)] {
            write(size() / share);
            let out = folder.path().join("out");
            let findings = folder.path().join("findings.jsonl");
            let target = format!("{}/", out.display());
            let args = ["convert", "--to", format, "-o", &target, "--findings", findings.to_str().unwrap()];
            assert_bound(&format!("{name} to {format}"), &args, &file);
            let _ = std::fs::remove_dir_all(out);
            std::fs::remove_file(findings).unwrap();
        }
    }
}

#[test]
fn many_files_in_an_archive_take_no_more_than_their_share() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("input.zip");
    for (name, content) in [("games", "[Event \"x\"]\n1. h2e2 *\n"), ("prose", "x")] {
        let mut zip = zip::ZipWriter::new(std::fs::File::create(&file).unwrap());
        // A member costs about this much with its two headers.
        for number in 0..size() / 150 {
            zip.start_file(format!("{number}"), zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(content.as_bytes()).unwrap();
        }
        zip.finish().unwrap();
        assert_bound(name, &["--json", "check"], &file);
    }
}

#[test]
fn real_files_take_no_more_than_their_share() {
    let Some(folder) = real_games() else { return };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    // The largest file of every kind.
    let mut largest: std::collections::BTreeMap<&str, (u64, &str)> = std::collections::BTreeMap::new();
    for line in manifest.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [kind, size, .., path] = fields[..] else { continue };
        let Ok(size) = size.parse() else { continue };
        let entry = largest.entry(kind).or_insert((0, path));
        if size >= entry.0 {
            *entry = (size, path);
        }
    }
    assert!(largest.len() > 8);
    for (kind, (_, path)) in largest {
        let file = folder.join(path);
        if file.is_file() {
            assert_bound(kind, &["check"], &file);
        }
    }
}
