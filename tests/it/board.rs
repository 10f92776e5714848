//! Node counts of known positions.

use crate::support::shared;
use yipu::board::Position;

fn check(table: &str, most_nodes: u64) {
    for (number, line) in table.lines().enumerate().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let position = Position::from_fen(fields[1]).unwrap();
        for (depth, nodes) in (1..).zip(&fields[2..]) {
            let nodes: u64 = nodes.parse().unwrap();
            if nodes <= most_nodes {
                assert_eq!(position.perft(depth), nodes, "line {}: {}: depth {depth}", number + 1, fields[0]);
            }
        }
    }
}

#[test]
fn node_counts_agree_with_two_engines() {
    if let Some(path) = shared("board/perft.tsv") {
        check(&std::fs::read_to_string(path).unwrap(), 20_000_000);
    }
}
