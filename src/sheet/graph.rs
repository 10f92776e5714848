//! All readings of one or two sheets at once: a layered graph of boards.
//!
//! Layer `k` holds every board that can stand after `k` plies, each once, however many ways lead to it; an edge is a
//! ply. A board that no later entry can live with is dropped from behind, so what remains are exactly the readings of
//! the whole record, and they can be counted without being listed.
//!
//! The *width* bounds the boards of a layer. Where it is reached, the likelier quarter is kept, and the graph says so ([`Graph::pruned`]): its counts are then lower bounds.
//!
//! A *budget* of mends allows entries that fit nothing to mean something near, to change places, or to be missing.
//! Every board knows the fewest mends with which it is reached; readings with more are let go (or kept up to a *slack*).

use super::pattern::Pattern;
use crate::board::{Key, Move, Position};
use crate::notation::{Dialect, Token, resolve};

/// What one place of a sheet says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// A move in the Chinese forms, perhaps with unknowns.
    Pattern(Pattern),
    /// A move in another notation.
    Token(Token),
    /// Nothing can be read here, but a ply was played: any move.
    Nothing,
}

/// One place of a sheet, in the order of the plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// What it says.
    pub says: Says,
    /// What is known of the bars of its line.
    pub bars: Option<BarRule>,
}

/// How many of the unmarked entries of a line have a bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BarRule {
    /// This entry may be one of them.
    pub counts: bool,
    /// How many entries behind it on the line may be.
    pub behind: u8,
    /// How many are.
    pub total: u8,
    /// It is the last entry of the line.
    pub last: bool,
}

impl Cell {
    /// A place with nothing to read.
    pub const BLANK: Cell = Cell { says: Says::Nothing, bars: None };

    /// A place that says this.
    pub const fn written(pattern: Pattern) -> Cell {
        Cell { says: Says::Pattern(pattern), bars: None }
    }

    /// Whether nothing can be read here.
    pub fn is_blank(&self) -> bool {
        self.says == Says::Nothing
    }

    /// Appends the legal moves it may mean, in a fixed order.
    pub fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        match &self.says {
            Says::Pattern(pattern) => pattern.moves(position, out),
            Says::Token(token) => out.extend_from_slice(&resolve(token, position, Dialect::OPEN)),
            Says::Nothing => out.extend_from_slice(&position.legal_moves()),
        }
    }
}

/// What a sheet says about a ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Note {
    /// The entry means this move.
    Fits,
    /// The entry is missing or cannot be read.
    Blank,
    /// The entry means another move; this one differs from it in one field.
    Bent,
    /// The entry stands one or two places away.
    Swapped,
    /// The sheet has no place for this ply.
    LeftOut,
    /// The entry fits behind one entry too many.
    Surplus,
    /// The sheet ends before this ply.
    Ended,
}

/// A ply that leads to a board.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Index of the board it is played from, in the layer before.
    pub parent: u32,
    /// The board it leads to, in its own layer.
    pub child: u32,
    /// The move.
    pub m: Move,
    /// Mends this ply costs.
    pub mends: u8,
    /// What each sheet says.
    pub notes: [Note; 2],
    /// Entry of each sheet that stands for this ply (meaningless for [`Note::LeftOut`] and [`Note::Ended`]).
    pub entries: [u16; 2],
}

/// A board of a layer.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Its key.
    pub key: Key,
    /// Entries of each sheet used up.
    pub at: [u16; 2],
    /// Where a pair of swapped entries is half read.
    pub swap: [u8; 2],
    /// Unmarked entries of the line so far that were read as having a bar.
    pub bars: [u8; 2],
    /// The fewest mends with which it is reached.
    pub mends: u8,
    /// The likelihood of the best way here: by the full measure up to the last full layer, by the cheap one from there.
    pub score: f32,
    /// Its edges in [`Layer::edges`].
    pub first_edge: u32,
    /// How many edges lead to it.
    pub edges: u32,
}

/// The boards after one number of plies.
#[derive(Clone, Debug, Default)]
pub struct Layer {
    /// The boards.
    pub nodes: Vec<Node>,
    /// The plies that lead to them, grouped by board.
    pub edges: Vec<Edge>,
}

impl Layer {
    /// The plies that lead to a board.
    pub fn into_node(&self, node: usize) -> &[Edge] {
        let node = &self.nodes[node];
        &self.edges[node.first_edge as usize..(node.first_edge + node.edges) as usize]
    }
}

/// How the search is bounded.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The most boards kept in a layer.
    pub width: usize,
    /// The most mends in one reading.
    pub mends: u8,
    /// Readings with so many mends more than needed are kept too.
    pub slack: u8,
    /// Boards that may be looked at in all; a look with the full measure counts more. Beyond them only a few are followed ([`NARROW`]), so that the time stays in
    /// proportion to the length of the sheet.
    pub effort: u64,
}

/// The most boards of a layer once the effort is spent.
pub const NARROW: usize = 24;

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { width: 12_000, mends: 0, slack: 0, effort: 4_000_000 }
    }
}

/// Every reading of the record.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The start position.
    pub start: Position,
    /// Layers from 0 plies on.
    pub layers: Vec<Layer>,
    /// Layer and node of every board at which a reading ends.
    pub ends: Vec<(usize, usize)>,
    /// Whether the width was reached, so that boards were let go.
    pub pruned: bool,
    /// The most boards any layer had.
    pub peak: usize,
    /// Boards looked at in all.
    pub effort: u64,
    /// Whether the readings reach the end of the sheets. If not, they end where the longest of them do.
    pub complete: bool,
}

/// The cheap measure: how likely a move is by itself. Used only to choose what to let go when a layer is full.
pub type Measure<'a> = &'a dyn Fn(Move, &Position) -> f32;

/// The full measure: how likely the best way to every board of the last layer is, given the scores of the boards of an
/// earlier layer. Asked only when a layer is full.
pub type Judge<'a> = &'a dyn Fn(&Graph, usize) -> Vec<f64>;

impl Layer {
    /// Sorts the edges by the board they lead to.
    pub(super) fn group(&mut self) {
        for node in &mut self.nodes {
            node.edges = 0;
        }
        for edge in &self.edges {
            self.nodes[edge.child as usize].edges += 1;
        }
        let mut first = 0;
        for node in &mut self.nodes {
            node.first_edge = first;
            first += node.edges;
        }
        self.edges.sort_by_key(|edge| edge.child);
    }

    /// Drops the boards not to be kept, and the edges that lead to them.
    pub(super) fn retain(&mut self, keep: &[bool]) -> Vec<u32> {
        let mut new_index = Vec::with_capacity(keep.len());
        let mut count = 0;
        for &kept in keep {
            new_index.push(count);
            count += u32::from(kept);
        }
        let mut index = 0;
        self.nodes.retain(|_| {
            index += 1;
            keep[index - 1]
        });
        self.edges.retain_mut(|edge| {
            let kept = keep[edge.child as usize];
            edge.child = new_index[edge.child as usize];
            kept
        });
        new_index
    }
}

impl Graph {
    /// Drops every board from which no end is reached.
    pub(super) fn keep_alive(&mut self) {
        let mut wanted: Vec<Vec<bool>> = self.layers.iter().map(|l| vec![false; l.nodes.len()]).collect();
        for &(layer, node) in &self.ends {
            wanted[layer][node] = true;
        }
        for index in (1..self.layers.len()).rev() {
            let (before, now) = wanted.split_at_mut(index);
            for edge in &self.layers[index].edges {
                if now[0][edge.child as usize] {
                    before[index - 1][edge.parent as usize] = true;
                }
            }
        }
        let mut parents = Vec::new();
        for (index, keep) in wanted.iter().enumerate() {
            let layer = &mut self.layers[index];
            let new_index = layer.retain(keep);
            for edge in &mut layer.edges {
                edge.parent = parents[edge.parent as usize];
            }
            layer.group();
            for end in self.ends.iter_mut().filter(|end| end.0 == index) {
                end.1 = new_index[end.1] as usize;
            }
            parents = new_index;
        }
        while self.layers.len() > 1 && self.layers.last().is_some_and(|l| l.nodes.is_empty()) {
            self.layers.pop();
        }
    }

    /// How many plies the graph has in all its readings together, each board's once.
    pub fn edge_count(&self) -> usize {
        self.layers.iter().map(|l| l.edges.len()).sum()
    }

    /// How many readings there are: ways from the start to an end, counted exactly (and stopped at the largest number
    /// the type holds).
    pub fn count(&self) -> u64 {
        let mut before = vec![1u64];
        let mut total = 0u64;
        for (index, layer) in self.layers.iter().enumerate() {
            if index > 0 {
                let mut now = vec![0u64; layer.nodes.len()];
                for edge in &layer.edges {
                    let sum = &mut now[edge.child as usize];
                    *sum = sum.saturating_add(before[edge.parent as usize]);
                }
                before = now;
            }
            for &(_, node) in self.ends.iter().filter(|end| end.0 == index) {
                total = total.saturating_add(before[node]);
            }
        }
        total
    }

    /// Whether a game is among the readings.
    pub fn holds(&self, game: &[Move]) -> bool {
        let mut here = vec![0usize];
        for (index, &m) in game.iter().enumerate() {
            let Some(layer) = self.layers.get(index + 1) else { return false };
            here = layer
                .edges
                .iter()
                .filter(|e| e.m == m && here.contains(&(e.parent as usize)))
                .map(|e| e.child as usize)
                .collect();
        }
        self.ends.iter().any(|&(layer, node)| layer == game.len() && here.contains(&node))
    }

    /// The boards at the ends, in the order of [`Graph::ends`].
    pub fn end_positions(&self) -> Vec<Position> {
        self.ends
            .iter()
            .map(|&(layer, node)| {
                let mut way = Vec::with_capacity(layer);
                let (mut layer, mut node) = (layer, node);
                while layer > 0 {
                    let edge = self.layers[layer].into_node(node)[0];
                    way.push(edge.m);
                    (layer, node) = (layer - 1, edge.parent as usize);
                }
                let mut position = self.start;
                for m in way.into_iter().rev() {
                    position.play(m);
                }
                position
            })
            .collect()
    }

    /// Keeps only these ends and the readings that lead to them.
    pub fn keep_ends(&mut self, keep: &[bool]) {
        let mut index = 0;
        self.ends.retain(|_| {
            index += 1;
            keep[index - 1]
        });
        self.keep_alive();
    }

    /// How many ways lead through the plies `from + 1` to `to`, and the fewest and most captures on one of them.
    pub fn bridges(&self, from: usize, to: usize) -> (u64, u32, u32) {
        let boards = self.boards_until(to);
        let mut before: Vec<(u64, u32, u32)> = vec![(1, 0, 0); self.layers[from].nodes.len()];
        for index in from + 1..=to {
            let layer = &self.layers[index];
            let mut now = vec![(0u64, u32::MAX, 0); layer.nodes.len()];
            for edge in &layer.edges {
                let (ways, fewest, most) = before[edge.parent as usize];
                let takes = u32::from(boards[index - 1][edge.parent as usize].piece_at(edge.m.to()).is_some());
                let sum = &mut now[edge.child as usize];
                *sum = (sum.0.saturating_add(ways), sum.1.min(fewest + takes), sum.2.max(most + takes));
            }
            before = now;
        }
        before.into_iter().fold((0, u32::MAX, 0), |a, b| (a.0.saturating_add(b.0), a.1.min(b.1), a.2.max(b.2)))
    }

    fn boards_until(&self, last: usize) -> Vec<Vec<Position>> {
        let mut boards = vec![vec![self.start]];
        for index in 1..=last {
            let layer = &self.layers[index];
            let now = (0..layer.nodes.len())
                .map(|node| {
                    let edge = layer.into_node(node)[0];
                    let mut position = boards[index - 1][edge.parent as usize];
                    position.play(edge.m);
                    position
                })
                .collect();
            boards.push(now);
        }
        boards
    }
}
