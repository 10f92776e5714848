//! Which games are the same.

use super::Game;

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

/// Hash of everything a game holds: headers, tree, comments, marks, clocks, result, leftover text.
pub fn content_hash(game: &Game) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    let mut text = |text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    for (name, value) in game.headers.iter() {
        text(name);
        text(value);
    }
    text(&game.start.to_fen());
    text(game.result.token());
    text(&game.rest);
    text(&game.trailer);
    for comment in game.tree.comments() {
        text(&comment.text);
    }
    for (id, depth) in game.tree.walk() {
        hasher.update(&depth.to_le_bytes());
        hasher.update(&game.tree[id].m.to_bits().to_le_bytes());
    }
    for comment in game.tree.comments() {
        hasher.update(&(comment.node.index() as u32).to_le_bytes());
        hasher.update(&[comment.place as u8]);
    }
    for &(id, mark) in game.tree.marks() {
        hasher.update(&(id.index() as u32).to_le_bytes());
        hasher.update(&[mark]);
    }
    for &(id, time) in game.tree.clocks() {
        hasher.update(&(id.index() as u32).to_le_bytes());
        hasher.update(&time.to_le_bytes());
    }
    short(&hasher)
}

fn short(hasher: &blake3::Hasher) -> [u8; 16] {
    let mut key = [0; 16];
    key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    key
}
