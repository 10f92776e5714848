//! The rules of moving, against node counts and against a second generator.

use crate::support::shared;
use yipu::board::Position;

#[path = "../../tools/reference.rs"]
mod reference;

fn check(table: &str, most_nodes: u64) {
    let mut checked = 0;
    for (number, line) in table.lines().enumerate().skip(1).filter(|(_, line)| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let position = Position::from_fen(fields[1]).unwrap();
        for (depth, nodes) in (1..).zip(&fields[2..]) {
            let nodes: u64 = nodes.parse().unwrap();
            if nodes <= most_nodes {
                assert_eq!(position.perft(depth), nodes, "line {}: {}: depth {depth}", number + 1, fields[0]);
                assert_eq!(position.mirrored().perft(depth), nodes, "mirror of {}: depth {depth}", fields[0]);
                assert_eq!(position.swapped().perft(depth), nodes, "swap of {}: depth {depth}", fields[0]);
                checked += 1;
            }
        }
    }
    assert!(checked > 0);
}

#[test]
fn node_counts_agree_with_two_engines() {
    if let Some(path) = shared("board/perft.tsv") {
        check(&std::fs::read_to_string(path).unwrap(), 20_000_000);
    }
}

#[test]
fn node_counts_of_awkward_positions_are_what_the_slow_generator_found() {
    check(include_str!("../data/perft.tsv"), u64::MAX);
}

fn slow_perft(board: &reference::Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    board
        .legal_moves()
        .iter()
        .map(|m| {
            let b = m.as_bytes();
            let point = |i: usize| (i32::from(b[i] - b'a'), i32::from(b[i + 1] - b'0'));
            slow_perft(&board.after(point(0), point(2)), depth - 1)
        })
        .sum()
}

#[test]
fn the_awkward_positions_counted_again_by_the_slow_generator() {
    for line in include_str!("../data/perft.tsv").lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let board = reference::Board::from_fen(fields[1]);
        for (depth, nodes) in (1..).zip(&fields[2..4]) {
            assert_eq!(slow_perft(&board, depth).to_string(), *nodes, "{}: depth {depth}", fields[0]);
        }
    }
}

#[test]
fn both_generators_agree_on_thousands_of_positions_of_random_play() {
    let mut seed = 1u32;
    let mut compared = 0;
    while compared < 6000 {
        let mut position = Position::start();
        for _ in 0..300 {
            let fast = position.legal_moves();
            let texts: Vec<String> = fast.iter().map(ToString::to_string).collect();
            assert_eq!(texts, reference::Board::from_fen(&position.to_fen()).legal_moves(), "{position:?}");
            compared += 1;
            if fast.is_empty() {
                break;
            }
            seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
            position.play(fast[(seed >> 16) as usize % fast.len()]);
        }
    }
}

#[test]
fn stored_keys_never_change() {
    for line in include_str!("../data/zobrist.csv").lines().skip(1) {
        let (fen, keys) = line.split_once(',').unwrap();
        let (key, mirror) = keys.split_once(',').unwrap();
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(format!("{:016x}", position.key()), key, "{fen}");
        assert_eq!(format!("{:016x}", position.mirror_key()), mirror, "{fen}");
    }
}
