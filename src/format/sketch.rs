//! Trees read in an order of their own: nodes name their parents.

use super::linear::{LinearTree, Record, Target};
use crate::board::{Move, Square};
use crate::diag::{Finding, codes};
use crate::game::NodeId;
use std::collections::HashMap;

/// So many plies are read of one game; the largest record known has 226,491.
const MOST_PLIES: usize = 1 << 20;

const NONE: u32 = u32::MAX;

/// A tree that is being put together; node 0 is the start position.
#[derive(Debug)]
pub(super) struct Sketch {
    squares: Vec<Result<Move, (u8, u8)>>,
    bytes: Vec<u64>,
    links: Vec<Links>,
    comments: HashMap<u32, String>,
}

#[derive(Clone, Copy, Debug)]
struct Links {
    first: u32,
    last: u32,
    next: u32,
}

const LOOSE: Links = Links { first: NONE, last: NONE, next: NONE };

impl Sketch {
    /// The start position alone.
    pub fn new() -> Sketch {
        Sketch { squares: vec![Err((0, 0))], bytes: vec![0], links: vec![LOOSE], comments: HashMap::new() }
    }

    /// Adds a ply behind the other children of its parent; `None` if there are as many as are read of one game.
    pub fn add(&mut self, parent: usize, squares: Result<Move, (u8, u8)>, byte: u64) -> Option<usize> {
        let id = self.push(squares, byte)?;
        let last = std::mem::replace(&mut self.links[parent].last, id);
        if last == NONE {
            self.links[parent].first = id;
        } else {
            self.links[last as usize].next = id;
        }
        Some(id as usize)
    }

    /// As [`Sketch::add`], in front of the other children.
    pub fn add_first(&mut self, parent: usize, squares: Result<Move, (u8, u8)>, byte: u64) -> Option<usize> {
        let id = self.push(squares, byte)?;
        let first = std::mem::replace(&mut self.links[parent].first, id);
        self.links[id as usize].next = first;
        if first == NONE {
            self.links[parent].last = id;
        }
        Some(id as usize)
    }

    fn push(&mut self, squares: Result<Move, (u8, u8)>, byte: u64) -> Option<u32> {
        if self.len() > MOST_PLIES {
            return None;
        }
        let id = self.len() as u32;
        self.squares.push(squares);
        self.bytes.push(byte);
        self.links.push(LOOSE);
        Some(id)
    }

    /// What to say about a game of which no more plies are read.
    pub fn too_long(byte: u64) -> Finding {
        Finding::new(codes::GAME_TOO_LONG, format!("more than {MOST_PLIES} plies; those from here on were not read"))
            .byte(byte)
    }

    /// The number of nodes, the start position included.
    pub fn len(&self) -> usize {
        self.squares.len()
    }

    /// The first child.
    pub fn first_child(&self, node: usize) -> Option<usize> {
        some(self.links[node].first)
    }

    /// Whether a node stands for these squares.
    pub fn is_ply(&self, node: usize, squares: Result<Move, (u8, u8)>) -> bool {
        self.squares[node] == squares
    }

    /// Sets the comment of a node, behind one that is there already.
    pub fn comment(&mut self, node: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        let comment = self.comments.entry(node as u32).or_default();
        if !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(text);
    }

    /// The square the first ply starts from.
    pub fn first_from(&self) -> Option<Square> {
        Some(self.squares[self.first_child(0)?].ok()?.from())
    }

    /// Plays the tree.
    pub fn play(mut self, record: &mut Record) -> LinearTree {
        let first = self.links[0].first;
        let mut tree = LinearTree::new(record.start, first != NONE);
        if let Some(root) = self.comments.remove(&0) {
            record.comment(&mut tree, Target::Node(NodeId::ROOT), root);
        }
        // At most one waiting alternative a level.
        let mut stack: Vec<u32> = some(first).map(|_| first).into_iter().collect();
        while let Some(id) = stack.pop() {
            let node = id as usize;
            let Links { first, next, .. } = self.links[node];
            let target = tree.push(self.squares[node], first != NONE, next != NONE, self.bytes[node]);
            if let Some(comment) = self.comments.remove(&id) {
                record.comment(&mut tree, target, comment);
            }
            stack.extend([next, first].into_iter().filter(|&id| id != NONE));
        }
        tree
    }
}

fn some(id: u32) -> Option<usize> {
    (id != NONE).then_some(id as usize)
}
