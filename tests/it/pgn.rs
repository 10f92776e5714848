//! PGN over the real games.

use crate::support::real_games;
use proptest::prelude::*;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use yipu::diag::{Finding, Severity, codes};
use yipu::format::pgn::{PgnReader, PgnWriter};
use yipu::format::{Detected, Format, ReadGame, ReadOptions, Reader, Source, Status, WriteOptions, Writer, detect};
use yipu::game::{Game, GameResult, NodeId, Place};
use yipu::notation::{Notation, Style};

/// Files of these kinds in the list of real games: path and encoding as listed.
pub fn listed(folder: &Path, kinds: &[&str]) -> Vec<(PathBuf, String)> {
    let list = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let rows = list.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    rows.filter(|row| kinds.contains(&row[0])).map(|row| (folder.join(row[4]), row[3].to_string())).collect()
}

fn read(bytes: &[u8], file: &str) -> (Vec<ReadGame>, Vec<Finding>) {
    let mut games = Vec::new();
    let findings = PgnReader.read(Source::whole(bytes, file), &ReadOptions::default(), &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    });
    (games, findings)
}

#[test]
fn nearly_every_real_game_replays_and_the_others_say_why() {
    let Some(folder) = real_games() else { return };
    let files = listed(&folder, &["pgn"]);
    let rows: Vec<_> = files
        .par_iter()
        .map(|(path, encoding)| {
            let (games, findings) = read(&std::fs::read(path).unwrap(), &path.to_string_lossy());
            (path, encoding, games, findings)
        })
        .collect();
    let (mut all, mut whole) = (0, 0);
    for (path, encoding, games, findings) in &rows {
        all += games.len();
        let expected = match encoding.as_str() {
            "big5" => "big5",
            "gb2312" | "gbk" | "gb18030" => "gb18030",
            _ => "utf-8",
        };
        for game in games {
            assert_eq!(game.encoding, expected, "{}: {findings:?}", path.display());
            if game.status == Status::Ok {
                whole += 1;
            } else {
                let faults = game.findings.iter().filter(|finding| finding.severity > Severity::Note);
                assert!(faults.clone().any(|finding| finding.line.is_some()), "{}", path.display());
                faults.for_each(|finding| println!("{finding}"));
            }
        }
    }
    // Two of the files are lists of 72 games without tags; counted as one game each, there are 13,342.
    assert_eq!((files.len(), all), (11_896, 13_412));
    // Of the thirteen others ten hold a ply that leaves the general attacked, one has no red general, one ends in `xxxx`, and in
    // one a line stands twice.
    assert!(whole >= 13_399, "{whole} of {all}");
}

/// What must be the same in a game that was written and read again: everything but the order in which nodes were added
/// and headers stand, and that `White` becomes `Red`.
pub fn essence(game: &Game) -> (Vec<(String, String)>, String) {
    let mut headers: Vec<_> = game
        .headers
        .iter()
        .map(|(name, value)| (name.to_lowercase().replace("white", "red"), value.to_string()))
        .collect();
    headers.sort();
    let tree = &game.tree;
    let mut order = vec![0; tree.ply_count() + 1];
    let mut text = format!("{:?} {} {:?} {:?}\n", game.start, game.result, game.rest, game.trailer);
    for (number, (node, depth)) in (1..).zip(tree.walk()) {
        order[node.index()] = number;
        text.push_str(&format!("{depth} {}\n", tree[node].m));
    }
    let mut comments: Vec<_> =
        tree.comments().iter().map(|comment| (order[comment.node.index()], comment.place, &comment.text)).collect();
    comments.sort_by_key(|(node, ..)| *node);
    let mut marks: Vec<_> = tree.marks().iter().map(|(node, mark)| (order[node.index()], mark)).collect();
    marks.sort_by_key(|(node, _)| *node);
    let mut clocks: Vec<_> = tree.clocks().iter().map(|(node, clock)| (order[node.index()], clock)).collect();
    clocks.sort_by_key(|(node, _)| *node);
    (headers, format!("{text}{comments:?}\n{marks:?}\n{clocks:?}"))
}

#[test]
fn real_games_written_and_read_again_are_the_same() {
    let Some(folder) = real_games() else { return };
    let files = listed(&folder, &["pgn", "pgn_iccs", "pgn_zh"]);
    files.par_iter().for_each(|(path, _)| {
        let (games, _) = read(&std::fs::read(path).unwrap(), "");
        let mut out = Vec::new();
        for game in &games {
            PgnWriter.write(&game.game, &WriteOptions::default(), &mut out);
        }
        let (again, _) = read(&out, "");
        assert_eq!(again.len(), games.len(), "{}", path.display());
        for (again, game) in again.iter().zip(&games) {
            let (left, right) = (essence(&again.game), essence(&game.game));
            assert_eq!(left.0, right.0, "{}", path.display());
            let same = left.1.chars().zip(right.1.chars()).take_while(|(a, b)| a == b).count();
            let tail = |text: &str| text.chars().skip(same.saturating_sub(80)).take(240).collect::<String>();
            assert_eq!(tail(&left.1), tail(&right.1), "{}", path.display());
        }
    });
}

#[test]
fn prose_holds_no_game_and_score_sheets_do() {
    let Some(folder) = real_games() else { return };
    let files = listed(&folder, &["txt", "htm", "html"]);
    let with_games: usize = files
        .par_iter()
        .map(|(path, _)| {
            let bytes = std::fs::read(path).unwrap();
            let Detected::Format { reader, .. } = detect(&bytes) else { return 0 };
            if ![Format::Pgn, Format::Text].contains(&reader.format()) {
                return 0;
            }
            let name = path.to_string_lossy();
            let mut games = 0;
            let findings = reader.read(Source::whole(&bytes, &name), &ReadOptions::default(), &mut |game| {
                games += 1;
                // Those that do hold games hold whole ones.
                assert!(game.game.tree.ply_count() >= 26, "{name}: {:?}", game.findings);
                ControlFlow::Continue(())
            });
            assert!(games > 0 || findings.iter().any(|finding| finding.code == codes::NO_GAME), "{name}");
            games.min(1)
        })
        .sum();
    println!("{with_games} files hold games");
    assert!((5..=20).contains(&with_games), "{with_games}");
}

/// A game that can be written: any legal tree with texts at any of its nodes.
fn games() -> impl Strategy<Value = Game> {
    let text = prop_oneof![
        "[ -~]{0,12}",
        "[炮马进退平五（）{}；。 ]{0,8}",
        Just("a } b".to_string()),
        Just("[Red \"x\"]\n1. h2e2 *".to_string()),
        Just("}\n;".to_string()),
    ];
    let value = prop_oneof!["[ -~]{0,12}", "[胡荣华\"\\\\\\[\\]]{0,6}"];
    let step = (any::<u16>(), 0..100u8, 0..12u8, text, any::<u8>());
    (proptest::collection::vec(step, 0..60), proptest::collection::vec(value, 0..4), any::<bool>(), 0..4usize).prop_map(
        |(steps, values, black, result)| {
            let mut game = Game::default();
            if black {
                game.start.set_side_to_move(yipu::board::Color::Black);
            }
            for (name, value) in ["Event", "Red", "自定", "X-y"].into_iter().zip(values) {
                game.headers.push(name, value);
            }
            game.result = [GameResult::RedWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown][result];
            let mut nodes = vec![(NodeId::ROOT, game.start)];
            for (choice, branch, kind, text, mark) in steps {
                // Mostly the last node goes on, now and then an old one branches.
                let from = if branch < 85 { nodes.len() - 1 } else { usize::from(choice) % nodes.len() };
                let (parent, mut position) = nodes[from];
                let moves = position.legal_moves();
                let taken: Vec<_> = game.tree.children(parent).map(|child| game.tree[child].m).collect();
                let free: Vec<_> = moves.iter().copied().filter(|m| !taken.contains(m)).collect();
                if free.is_empty() {
                    continue;
                }
                let m = free[usize::from(choice) % free.len()];
                let node = game.tree.add(parent, m);
                position.play(m);
                nodes.push((node, position));
                match kind {
                    0..3 if !text.contains("[%clk") => game.tree.comment(node, Place::After, text),
                    3 => game.tree.mark(node, mark),
                    4 => game.tree.clock(node, u64::from(mark) * 1234),
                    _ => {}
                }
            }
            game
        },
    )
}

/// Texts that mean something to the reader, whole or torn.
const PIECES: &[&[u8]] = &[
    b"[Event \"x\"]\n",
    b"[Game \"y\"]\n",
    b"[Red \"\xCA\xA4\"]\r\n",
    b"[Event \"z\n",
    b"\n",
    b"1. ",
    b"h2e2 ",
    b"h9g7 ",
    b"\xC5\xDA\xB6\xFE\xC6\xBD\xCE\xE5 ",
    b"{",
    b"}",
    b"(",
    b")",
    b";x",
    b"1-0\n",
    b"*",
    b"\x92",
    b"/*",
    b"*/",
    b"$1",
    b"...",
    b"\xFF",
    b"prose ",
    b"\"]\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_game_written_and_read_again_is_the_same(game in games(), choice in 0..5usize) {
        let notation = [Notation::Chinese, Notation::Wxf, Notation::Iccs, Notation::Uci, Notation::Chinese1956][choice];
        let options = WriteOptions { style: Style::of(notation), ..WriteOptions::default() };
        let mut out = Vec::new();
        PgnWriter.write(&game, &options, &mut out);
        let text = String::from_utf8(out.clone()).unwrap();
        let (again, _) = read(&out, "");
        prop_assert_eq!(again.len(), 1, "{}", text);
        prop_assert_eq!(essence(&again[0].game), essence(&game), "{}", text);
        // Written again, it is the same to the byte.
        let mut twice = Vec::new();
        PgnWriter.write(&again[0].game, &options, &mut twice);
        prop_assert_eq!(String::from_utf8(twice).unwrap(), text);
    }

    #[test]
    fn any_bytes_are_read_without_harm_and_cutting_them_changes_nothing(
        pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..80),
        step in 1..200usize,
    ) {
        let bytes = pieces.concat();
        let (whole, _) = read(&bytes, "f");
        let asked = ReadOptions { encoding: Some(encoding_rs::GB18030) };
        let mut all = Vec::new();
        PgnReader.read(Source::whole(&bytes, "f"), &asked, &mut |game| { all.push(game); ControlFlow::Continue(()) });
        let mut parts = Vec::new();
        let mut at = 0;
        // Text before the first game belongs to it.
        let first = PgnReader.next_game(&bytes, 0).map_or(0, |first| first + 1);
        while at < bytes.len() {
            let end = PgnReader.next_game(&bytes, first.max(at + step)).unwrap_or(bytes.len());
            let line = 1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count() as u64;
            let source = Source { bytes: &bytes[at..end], file: "f", first_byte: at as u64, first_line: line, first_game: 1 + parts.len() as u64, ..Source::whole(b"", "f") };
            PgnReader.read(source, &asked, &mut |game| { parts.push(game); ControlFlow::Continue(()) });
            at = end;
        }
        prop_assert_eq!(parts.len(), all.len(), "{}", String::from_utf8_lossy(&bytes));
        for (part, game) in parts.iter().zip(&all) {
            prop_assert_eq!(&part.game, &game.game);
            prop_assert_eq!(&part.findings, &game.findings);
            prop_assert_eq!(part.number, game.number);
        }
        prop_assert!(whole.len() <= pieces.len());
    }
}

#[test]
fn two_line_records_replay_from_or_to_the_position_they_name() {
    let Some(folder) = real_games() else { return };
    let files = listed(&folder, &["niu2x-uci"]);
    let rows: Vec<_> = files
        .par_iter()
        .map(|(path, _)| {
            let bytes = std::fs::read(path).unwrap();
            let name = path.to_string_lossy();
            let Detected::Format { reader, .. } = detect(&bytes) else { panic!("{name}") };
            assert_eq!(reader.format(), Format::TwoLine, "{name}");
            let mut found = None;
            reader.read(Source::whole(&bytes, &name), &ReadOptions::default(), &mut |game| {
                found = Some(game);
                ControlFlow::Continue(())
            });
            (bytes[0] == b'[', bytes.iter().filter(|&&byte| byte == b'/').count() == 9, found.expect("a game"))
        })
        .collect();
    let (mut kinds, mut other) = ([0; 3], 0);
    for (json, fen, game) in &rows {
        if game.status == Status::Ok && game.findings.iter().all(|finding| finding.severity == Severity::Note) {
            kinds[if *json {
                0
            } else if *fen {
                1
            } else {
                2
            }] += 1;
        } else {
            other += 1;
            println!("{:?} {}", game.status, game.findings.first().map(ToString::to_string).unwrap_or_default());
        }
    }
    // Lists of moves alone, and moves with a position: that is where they start. The rest are rounds of compositions
    // whose position is not told.
    assert_eq!((rows.len(), kinds[2]), (1_552, 152));
    assert!(kinds[1] >= 573 && kinds[0] >= 175, "{kinds:?} {other}");
}
