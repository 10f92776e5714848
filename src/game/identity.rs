//! Which games are the same.

use super::{Game, NodeId, Tree};
use crate::board::{Position, Square};
use std::sync::LazyLock;

static USUAL_START: LazyLock<Position> = LazyLock::new(Position::start);

/// Hash of start position and main line: the same game has the same key whatever file it came from.
pub fn main_line_key(game: &Game) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    let start = game.start;
    hasher.update(start.to_board_fen().as_bytes());
    hasher.update(&[start.side_to_move().index() as u8]);
    for m in game.moves() {
        hasher.update(&m.to_bits().to_le_bytes());
    }
    short(&hasher)
}

/// Hash of everything a game holds: headers, tree, comments, marks, clocks, result, leftover text. The order in which the
/// tree was put together does not matter: what hangs on a ply is told in the order of the walk.
pub fn content_hash(game: &Game) -> [u8; 16] {
    // Many small updates of the hasher cost more than the hashing, so the bytes are collected first.
    let mut bytes: Vec<u8> = Vec::with_capacity(1024);
    let tree = &game.tree;
    for count in
        [game.headers.iter().count(), tree.ply_count(), tree.comments().len(), tree.marks().len(), tree.clocks().len()]
    {
        bytes.extend_from_slice(&(count as u64).to_le_bytes());
    }
    let mut text = |text: &str| {
        bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
    };
    for (name, value) in game.headers.iter() {
        text(name);
        text(value);
    }
    text(game.result.token());
    text(&game.rest);
    text(&game.trailer);
    let place = WalkOrder::of(tree);
    let mut comments = place.sorted(tree.comments(), |comment| comment.node);
    comments.sort_by_key(|comment| (place.of_node(comment.node), comment.place));
    for comment in &comments {
        text(&comment.text);
    }
    let usual = game.start == *USUAL_START;
    bytes.push(u8::from(usual));
    if !usual {
        for square in Square::all() {
            bytes.push(game.start.piece_at(square).map_or(255, |piece| piece.index() as u8));
        }
    }
    bytes.push(game.start.side_to_move().index() as u8);
    bytes.extend_from_slice(&game.start.quiet_plies().to_le_bytes());
    bytes.extend_from_slice(&game.start.round().to_le_bytes());
    // A ply below the one before it is its move; any other is marked and tells its depth.
    if tree.is_line() {
        bytes.extend(tree.ids().flat_map(|id| tree[id].m.to_bits().to_le_bytes()));
    } else {
        let mut before = 0;
        for (id, depth) in tree.walk() {
            let m = tree[id].m.to_bits();
            if depth == before + 1 {
                bytes.extend_from_slice(&m.to_le_bytes());
            } else {
                bytes.extend_from_slice(&(m | 1 << 15).to_le_bytes());
                bytes.extend_from_slice(&depth.to_le_bytes());
            }
            before = depth;
        }
    }
    for comment in comments {
        bytes.extend_from_slice(&place.of_node(comment.node).to_le_bytes());
        bytes.push(comment.place as u8);
    }
    for &(id, mark) in place.sorted(tree.marks(), |mark| mark.0) {
        bytes.extend_from_slice(&place.of_node(id).to_le_bytes());
        bytes.push(mark);
    }
    for &(id, time) in place.sorted(tree.clocks(), |clock| clock.0) {
        bytes.extend_from_slice(&place.of_node(id).to_le_bytes());
        bytes.extend_from_slice(&time.to_le_bytes());
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes);
    short(&hasher)
}

/// Where each node comes in the walk through a tree.
enum WalkOrder {
    /// Where it was added, as in most trees.
    AsAdded,
    /// By the number of the node.
    Places(Vec<u32>),
}

impl WalkOrder {
    fn of(tree: &Tree) -> WalkOrder {
        let bare = tree.comments().is_empty() && tree.marks().is_empty() && tree.clocks().is_empty();
        let walked = || (1..).zip(tree.walk());
        if bare || walked().all(|(place, (id, _))| id.index() as u32 == place) {
            return WalkOrder::AsAdded;
        }
        let mut places = vec![0; tree.ply_count() + 1];
        for (place, (id, _)) in walked() {
            places[id.index()] = place;
        }
        WalkOrder::Places(places)
    }

    fn of_node(&self, node: NodeId) -> u32 {
        match self {
            WalkOrder::AsAdded => node.index() as u32,
            WalkOrder::Places(places) => places[node.index()],
        }
    }

    /// The things by their node; those of one node keep their order.
    fn sorted<'t, T>(&self, things: &'t [T], node: impl Fn(&T) -> NodeId) -> Vec<&'t T> {
        let mut sorted: Vec<&T> = things.iter().collect();
        sorted.sort_by_key(|thing| self.of_node(node(thing)));
        sorted
    }
}

fn short(hasher: &blake3::Hasher) -> [u8; 16] {
    let mut key = [0; 16];
    key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Place;

    #[test]
    fn the_order_in_which_a_tree_was_put_together_does_not_matter() {
        let m = |text: &str| text.parse().unwrap();
        // 1. h2e2 h9g7 (1. … b9c7) 2. h0g2: line by line, as XQF stores it, and as PGN reads it.
        let (mut by_line, mut by_text) = (Game::default(), Game::default());
        let tree = &mut by_line.tree;
        let a = tree.add(NodeId::ROOT, m("h2e2"));
        let b = tree.add(a, m("h9g7"));
        let c = tree.add(b, m("h0g2"));
        let d = tree.add(a, m("b9c7"));
        for (node, text) in [(c, "c"), (d, "d"), (NodeId::ROOT, "root")] {
            tree.comment(node, Place::After, text);
            tree.mark(node, 1);
        }
        tree.comment(c, Place::Before, "before");
        let tree = &mut by_text.tree;
        let a = tree.add(NodeId::ROOT, m("h2e2"));
        let b = tree.add(a, m("h9g7"));
        let d = tree.add(a, m("b9c7"));
        let c = tree.add(b, m("h0g2"));
        tree.comment(c, Place::Before, "before");
        for (node, text) in [(NodeId::ROOT, "root"), (d, "d"), (c, "c")] {
            tree.comment(node, Place::After, text);
            tree.mark(node, 1);
        }
        assert_eq!(content_hash(&by_line), content_hash(&by_text));
        by_text.tree.comment(d, Place::After, "more");
        assert_ne!(content_hash(&by_line), content_hash(&by_text));
    }

    #[test]
    fn the_order_of_alternatives_does_matter() {
        let game = |moves: [&str; 2]| {
            let mut game = Game::default();
            for m in moves {
                game.tree.add(NodeId::ROOT, m.parse().unwrap());
            }
            content_hash(&game)
        };
        assert_ne!(game(["h2e2", "b2e2"]), game(["b2e2", "h2e2"]));
    }
}
