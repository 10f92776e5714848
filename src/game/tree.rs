//! The tree of plies.
//!
//! Nodes live in one vector in the order they were added; node 0 is the root and stands for the start position. The
//! first child of a node continues its line, later siblings are alternatives to the first child, in order of preference.
//! Nothing here recurses: trees of hundreds of thousands of nodes in one line exist.

use crate::board::Move;
use std::ops::Index;

/// Index of a node; 0 is the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The root: the start position.
    pub const ROOT: NodeId = NodeId(0);

    /// Position in insertion order.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

const NONE: u32 = u32::MAX;

/// One ply and its place in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The move that leads here (the root's has no meaning).
    pub m: Move,
    parent: u32,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
}

/// Where a comment stands relative to its ply and the ply's alternatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// Before the ply: behind the side lines of the ply before it, or at the head of a side line.
    Before,
    /// Directly after the ply (on the root: before the first ply).
    After,
    /// After the side lines of this ply, when no ply follows.
    End,
}

/// A comment on a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The node it belongs to.
    pub node: NodeId,
    /// Where it stands.
    pub place: Place,
    /// The text; lines end with `\n`.
    pub text: String,
}

/// Plies with side lines, comments, marks and clock times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<Node>,
    comments: Vec<Comment>,
    /// Numeric annotation glyphs as in PGN (`$1` = `!`), in the order added.
    marks: Vec<(NodeId, u8)>,
    /// Time left or used after a ply, in milliseconds, as the record gives it.
    clocks: Vec<(NodeId, u64)>,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree::new()
    }
}

impl Tree {
    /// How many bytes of memory it takes besides its own.
    pub(super) fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.comments.capacity() * size_of::<Comment>()
            + self.comments.iter().map(|comment| comment.text.capacity()).sum::<usize>()
            + self.marks.capacity() * size_of::<(NodeId, u8)>()
            + self.clocks.capacity() * size_of::<(NodeId, u64)>()
    }

    /// A tree of the root alone.
    pub fn new() -> Tree {
        let zero = crate::board::Square::new(0, 0).expect("a0 is on the board");
        let root =
            Node { m: Move::new(zero, zero), parent: NONE, first_child: NONE, last_child: NONE, next_sibling: NONE };
        Tree { nodes: vec![root], comments: Vec::new(), marks: Vec::new(), clocks: Vec::new() }
    }

    /// A tree of one line.
    ///
    /// # Panics
    ///
    /// As [`Tree::add`].
    pub fn of_line(moves: &[Move]) -> Tree {
        assert!(moves.len() < NONE as usize, "a tree holds at most 2^32 - 1 nodes");
        let mut tree = Tree::new();
        let last = moves.len() as u32;
        tree.nodes.reserve_exact(moves.len());
        tree.nodes.extend((0..).zip(moves).map(|(parent, &m)| {
            let child = if parent + 1 < last { parent + 2 } else { NONE };
            Node { m, parent, first_child: child, last_child: child, next_sibling: NONE }
        }));
        if last > 0 {
            (tree.nodes[0].first_child, tree.nodes[0].last_child) = (1, 1);
        }
        tree
    }

    /// Room for this many more plies.
    pub fn reserve(&mut self, plies: usize) {
        self.nodes.reserve(plies);
    }

    /// Adds a ply as the last child of `parent`.
    ///
    /// # Panics
    ///
    /// If the tree holds more than four thousand million nodes (a reader stops long before).
    pub fn add(&mut self, parent: NodeId, m: Move) -> NodeId {
        let id = u32::try_from(self.nodes.len()).expect("a tree holds at most 2^32 - 1 nodes");
        self.nodes.push(Node { m, parent: parent.0, first_child: NONE, last_child: NONE, next_sibling: NONE });
        let last = std::mem::replace(&mut self.nodes[parent.index()].last_child, id);
        if last == NONE {
            self.nodes[parent.index()].first_child = id;
        } else {
            self.nodes[last as usize].next_sibling = id;
        }
        NodeId(id)
    }

    /// Number of plies in the whole tree (the root is not one).
    pub fn ply_count(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The nodes of all plies in the order they were added (the root is not one).
    pub fn ids(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        (1..self.nodes.len()).map(|index| NodeId(index as u32))
    }

    /// The node with this index; 0 is the root.
    pub fn id(&self, index: usize) -> Option<NodeId> {
        (index < self.nodes.len()).then_some(NodeId(index as u32))
    }

    /// The node a ply was played from; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        some(self.nodes[id.index()].parent)
    }

    /// The ply that continues the line.
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        some(self.nodes[id.index()].first_child)
    }

    /// The next alternative to this ply.
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        some(self.nodes[id.index()].next_sibling)
    }

    /// Whether there are no side lines and the plies were added one behind the other.
    pub fn is_line(&self) -> bool {
        self.nodes[1..].iter().zip(0..).all(|(node, before)| node.parent == before)
    }

    /// All continuations of a node, the main one first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(id), |&child| self.next_sibling(child))
    }

    /// The plies of the main line, the root left out.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(NodeId::ROOT), |&id| self.first_child(id))
    }

    /// Every ply of the tree with its depth (1 for a first ply), each node before its children, a whole line before its
    /// alternatives: the order in which XQF stores them.
    pub fn walk(&self) -> Walk<'_> {
        Walk { tree: self, stack: self.first_child(NodeId::ROOT).map(|id| (id, 1)).into_iter().collect() }
    }

    /// Every ply in the order it was added, the root left out; [`NodeId::index`] counts them from 1.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (1..self.nodes.len() as u32).map(NodeId)
    }

    /// Adds a comment. Its lines end with `\n` whatever they ended with before.
    pub fn comment(&mut self, node: NodeId, place: Place, text: impl Into<String>) {
        let mut text = text.into();
        if text.contains('\r') {
            text = text.replace("\r\n", "\n").replace('\r', "\n");
        }
        self.comments.push(Comment { node, place, text });
    }

    /// Changes the text of every comment in place.
    pub(crate) fn edit_comments(&mut self, mut edit: impl FnMut(&mut String)) {
        self.comments.iter_mut().for_each(|comment| edit(&mut comment.text));
    }

    /// All comments in the order they were added.
    pub fn comments(&self) -> &[Comment] {
        &self.comments
    }

    /// Adds an annotation mark (PGN number, `!` = 1, `?` = 2, `!!` = 3, `??` = 4, `!?` = 5, `?!` = 6).
    pub fn mark(&mut self, node: NodeId, mark: u8) {
        self.marks.push((node, mark));
    }

    /// All annotation marks in the order they were added.
    pub fn marks(&self) -> &[(NodeId, u8)] {
        &self.marks
    }

    /// Notes a clock time in milliseconds after a ply.
    pub fn clock(&mut self, node: NodeId, milliseconds: u64) {
        self.clocks.push((node, milliseconds));
    }

    /// All clock times in the order they were added.
    pub fn clocks(&self) -> &[(NodeId, u64)] {
        &self.clocks
    }
}

impl Index<NodeId> for Tree {
    type Output = Node;

    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }
}

fn some(id: u32) -> Option<NodeId> {
    (id != NONE).then_some(NodeId(id))
}

/// See [`Tree::walk`].
#[derive(Debug)]
pub struct Walk<'a> {
    tree: &'a Tree,
    stack: Vec<(NodeId, u32)>,
}

impl Iterator for Walk<'_> {
    type Item = (NodeId, u32);

    fn next(&mut self) -> Option<(NodeId, u32)> {
        let (id, depth) = self.stack.pop()?;
        // At most one waiting sibling a level, so the stack is no deeper than the tree.
        if let Some(sibling) = self.tree.next_sibling(id) {
            self.stack.push((sibling, depth));
        }
        if let Some(child) = self.tree.first_child(id) {
            self.stack.push((child, depth + 1));
        }
        Some((id, depth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_comes_before_its_alternatives() {
        let m = |text: &str| text.parse().unwrap();
        let mut tree = Tree::new();
        let a = tree.add(NodeId::ROOT, m("h2e2"));
        let b = tree.add(a, m("h9g7"));
        let c = tree.add(a, m("b9c7"));
        let d = tree.add(b, m("h0g2"));
        assert_eq!(tree.walk().collect::<Vec<_>>(), [(a, 1), (b, 2), (d, 3), (c, 2)]);
        assert_eq!(tree.main_line().collect::<Vec<_>>(), [a, b, d]);
        assert_eq!(tree.children(a).collect::<Vec<_>>(), [b, c]);
        assert_eq!((tree.parent(c), tree.parent(NodeId::ROOT)), (Some(a), None));
        assert_eq!(tree.ply_count(), 4);
    }

    #[test]
    fn a_line_at_once_is_the_line_added_ply_by_ply() {
        let moves = ["h2e2", "h9g7", "h0g2", "i9h9"].map(|text| text.parse::<Move>().unwrap());
        for length in 0..=moves.len() {
            let mut tree = Tree::new();
            moves[..length].iter().fold(NodeId::ROOT, |node, &m| tree.add(node, m));
            assert!(tree.is_line());
            assert_eq!(Tree::of_line(&moves[..length]), tree);
            if length > 1 {
                tree.add(NodeId::ROOT, moves[0]);
                assert!(!tree.is_line());
            }
        }
    }
}
