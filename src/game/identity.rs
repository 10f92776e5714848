//! Which games are the same.

use super::Game;
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

/// Hash of everything a game holds: headers, tree, comments, marks, clocks, result, leftover text.
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
    for comment in tree.comments() {
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
    for comment in tree.comments() {
        bytes.extend_from_slice(&(comment.node.index() as u32).to_le_bytes());
        bytes.push(comment.place as u8);
    }
    for &(id, mark) in tree.marks() {
        bytes.extend_from_slice(&(id.index() as u32).to_le_bytes());
        bytes.push(mark);
    }
    for &(id, time) in tree.clocks() {
        bytes.extend_from_slice(&(id.index() as u32).to_le_bytes());
        bytes.extend_from_slice(&time.to_le_bytes());
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(&bytes);
    short(&hasher)
}

fn short(hasher: &blake3::Hasher) -> [u8; 16] {
    let mut key = [0; 16];
    key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    key
}
