//! What hangs on the nodes of a tree, found by node: the tree itself keeps it in the order it was added.

use crate::game::{Comment, NodeId, Place, Tree};

/// Comments, marks and clock times by node.
pub(super) struct Notes<'a> {
    tree: &'a Tree,
    /// Indices into the lists of the tree, sorted by node; order within a node is that of the tree.
    comments: Vec<u32>,
    marks: Vec<u32>,
    clocks: Vec<u32>,
}

impl<'a> Notes<'a> {
    pub fn of(tree: &'a Tree) -> Notes<'a> {
        let sorted = |count: usize, node: &dyn Fn(usize) -> usize| {
            let mut order: Vec<u32> = (0..count as u32).collect();
            order.sort_by_key(|&index| node(index as usize));
            order
        };
        Notes {
            tree,
            comments: sorted(tree.comments().len(), &|index| tree.comments()[index].node.index()),
            marks: sorted(tree.marks().len(), &|index| tree.marks()[index].0.index()),
            clocks: sorted(tree.clocks().len(), &|index| tree.clocks()[index].0.index()),
        }
    }

    pub fn comments(&self, node: NodeId, place: Place) -> impl Iterator<Item = &'a str> {
        let all: &'a [Comment] = self.tree.comments();
        of_node(&self.comments, node, move |index| all[index].node)
            .map(move |index| &all[index])
            .filter(move |comment| comment.place == place)
            .map(|comment| comment.text.as_str())
    }

    pub fn marks(&self, node: NodeId) -> impl Iterator<Item = u8> {
        let all = self.tree.marks();
        of_node(&self.marks, node, move |index| all[index].0).map(move |index| all[index].1)
    }

    pub fn clocks(&self, node: NodeId) -> impl Iterator<Item = u64> {
        let all = self.tree.clocks();
        of_node(&self.clocks, node, move |index| all[index].0).map(move |index| all[index].1)
    }
}

fn of_node(order: &[u32], node: NodeId, of: impl Fn(usize) -> NodeId) -> impl Iterator<Item = usize> {
    let from = order.partition_point(|&index| of(index as usize).index() < node.index());
    order[from..].iter().map(|&index| index as usize).take_while(move |&index| of(index) == node)
}
