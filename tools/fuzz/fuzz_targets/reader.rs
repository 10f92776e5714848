//! Any bytes as a file of one format; the target's name is the format's. Run for instance:
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run --fuzz-dir tools/fuzz pgn`.
//!
//! Asserted: detection and reading never panic, whatever the reader is given; games are numbered in order; every ply of
//! the tree is legal unless a finding says otherwise; findings point into the file; a game in pieces cut where the reader
//! says is the same game; writers take what was read, and JSON Lines give it back identical.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::ops::ControlFlow;
use yipu::board::Position;
use yipu::diag::{Finding, Severity};
use yipu::format::{Format, ReadGame, ReadOptions, Source, WriteOptions, detect, reader, writer};
use yipu::game::{Game, NodeId};

/// Writing is tried up to this many plies: some writers are asked for every format, and inputs must stay quick.
const MOST_PLIES: usize = 300;

fuzz_target!(|data: &[u8]| {
    let format = Format::find(env!("CARGO_BIN_NAME")).expect("targets are named after formats");
    let _ = detect(data);
    let (games, findings) = read(format, Source::whole(data, "fuzz"));
    for finding in games.iter().flat_map(|read| &read.findings).chain(&findings) {
        located(finding, data.len());
    }
    for (index, read) in games.iter().enumerate() {
        assert_eq!(read.number, index as u64 + 1);
        legal(read);
        if index < 2 && read.game.tree.ply_count() <= MOST_PLIES {
            written(&read.game, data.len());
        }
    }
    pieces(format, data, &games);
});

fn read(format: Format, source: Source<'_>) -> (Vec<ReadGame>, Vec<Finding>) {
    let mut games = Vec::new();
    let findings = reader(format).expect("a reader").read(source, &ReadOptions::default(), &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    });
    (games, findings)
}

fn located(finding: &Finding, length: usize) {
    assert!(finding.byte.is_none_or(|byte| byte <= length as u64), "{finding:?}");
    assert!(finding.line.is_none_or(|line| line > 0), "{finding:?}");
}

fn legal(read: &ReadGame) {
    let tree = &read.game.tree;
    let mut boards: Vec<Position> = vec![read.game.start];
    for id in tree.ids() {
        let parent = tree.parent(id).unwrap_or(NodeId::ROOT);
        let mut board = boards[parent.index()];
        let m = tree[id].m;
        if !board.is_legal(m) {
            assert!(read.findings.iter().any(|finding| finding.severity > Severity::Note), "{m} goes unsaid");
            return;
        }
        board.play(m);
        boards.push(board);
    }
}

/// Writes a game as JSON Lines and in one other format, which the input chooses.
fn written(game: &Game, choice: usize) {
    let options = WriteOptions::default();
    if let Some(writer) = writer(Format::ALL[choice % Format::ALL.len()]) {
        writer.write(game, &options, &mut Vec::new());
    }
    let mut bytes = Vec::new();
    writer(Format::Json).expect("a writer").write(game, &options, &mut bytes);
    let (back, findings) = read(Format::Json, Source::whole(&bytes, "fuzz"));
    assert!(findings.is_empty(), "{findings:?}");
    assert_eq!(back.len(), 1);
    if back[0].findings.iter().all(|finding| finding.severity == Severity::Note) {
        assert_eq!(format!("{:?}", back[0].game), format!("{game:?}"));
    }
}

fn pieces(format: Format, data: &[u8], whole: &[ReadGame]) {
    let Some(cut) = reader(format).expect("a reader").next_game(data, data.len() / 2) else { return };
    assert!(cut >= data.len() / 2 && cut < data.len());
    let (mut games, _) = read(format, Source::whole(&data[..cut], "fuzz"));
    let source = Source {
        bytes: &data[cut..],
        first_byte: cut as u64,
        first_game: games.len() as u64 + 1,
        ..Source::whole(data, "fuzz")
    };
    games.extend(read(format, source).0);
    // The pieces may settle on other encodings: then only the number of games can be compared.
    let encodings = |games: &[ReadGame]| games.iter().map(|read| read.encoding).collect::<Vec<_>>();
    if encodings(&games) == encodings(whole) {
        let moves = |games: &[ReadGame]| games.iter().map(|read| read.game.moves().collect()).collect::<Vec<Vec<_>>>();
        assert_eq!(moves(&games), moves(whole));
    }
}
