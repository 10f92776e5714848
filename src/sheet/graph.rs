//! All readings of one or two sheets at once: a layered graph of boards.
//!
//! Layer `k` holds every board that can stand after `k` plies, each once, however many ways lead to it; an edge is a
//! ply. A board that no later entry can live with is dropped from behind, so what remains are exactly the readings of
//! the whole record, and they can be counted without being listed.
//!
//! The *width* bounds the boards of a layer. Where it is reached, the less likely boards are let go and the graph says
//! so ([`Graph::pruned`]): its counts are then lower bounds.
//!
//! A *budget* of mends allows entries that fit nothing to mean something near, to change places, or to be missing.
//! Every board knows the fewest mends with which it is reached; readings with more are let go.

use super::pattern::{Pattern, describe};
use crate::board::{Key, Move, MoveList, Position};
use crate::notation::{Dialect, Token, resolve};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

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
    /// The likelihood of the best way here, by the cheap measure alone.
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
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { width: 30_000, mends: 0 }
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
    /// Whether the readings reach the end of the sheets. If not, they end where the longest of them do.
    pub complete: bool,
}

/// The cheap measure: how likely a move is by itself. Used only to choose what to let go when a layer is full.
pub type Measure<'a> = &'a dyn Fn(Move, &Position) -> f32;

#[derive(Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

type ByKey = HashMap<u64, u32, BuildHasherDefault<AsIs>>;

/// What a sheet may mean by the ply now due.
#[derive(Clone, Copy, Debug)]
struct Way {
    wants: Wants,
    at: u16,
    swap: u8,
    mends: u8,
    note: Note,
    entry: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wants {
    Cell(u16),
    Near(u16),
    Anything,
}

/// Searches all readings of the sheets (one or two) from a position.
pub fn search(start: &Position, sheets: &[&[Cell]], bounds: Bounds, measure: Measure<'_>) -> Graph {
    Search::new(start, sheets, bounds, measure).run()
}

struct Search<'a> {
    sheets: &'a [&'a [Cell]],
    bounds: Bounds,
    measure: Measure<'a>,
    graph: Graph,
    positions: Vec<Position>,
    next_positions: Vec<Position>,
    by_key: ByKey,
    /// Scratch lists.
    options: [Vec<Way>; 2],
    moves: [Vec<Move>; 2],
}

impl<'a> Search<'a> {
    fn new(start: &Position, sheets: &'a [&'a [Cell]], bounds: Bounds, measure: Measure<'a>) -> Search<'a> {
        let root = Node {
            key: start.key(),
            at: [0; 2],
            swap: [0; 2],
            bars: [0; 2],
            mends: 0,
            score: 0.0,
            first_edge: 0,
            edges: 0,
        };
        let graph = Graph {
            start: *start,
            layers: vec![Layer { nodes: vec![root], edges: Vec::new() }],
            ends: Vec::new(),
            pruned: false,
            peak: 1,
            complete: false,
        };
        Search {
            sheets: &sheets[..sheets.len().min(2)],
            bounds,
            measure,
            graph,
            positions: vec![*start],
            next_positions: Vec::new(),
            by_key: ByKey::default(),
            options: [Vec::new(), Vec::new()],
            moves: [Vec::new(), Vec::new()],
        }
    }

    fn run(mut self) -> Graph {
        let most = self.sheets.iter().map(|s| s.len()).max().unwrap_or(0) + usize::from(self.bounds.mends);
        let mut fewest = u8::MAX;
        for ply in 0..=most {
            let layer = &self.graph.layers[ply];
            for (index, node) in layer.nodes.iter().enumerate() {
                if self.is_end(node) {
                    fewest = fewest.min(node.mends);
                    self.graph.ends.push((ply, index));
                }
            }
            if ply == most || !self.advance(ply) {
                break;
            }
        }
        let Graph { layers, ends, complete, .. } = &mut self.graph;
        ends.retain(|&(layer, node)| layers[layer].nodes[node].mends == fewest);
        *complete = !ends.is_empty();
        if ends.is_empty() {
            let last = layers.len() - 1;
            ends.extend((0..layers[last].nodes.len()).map(|node| (last, node)));
        }
        self.graph.keep_alive();
        self.graph
    }

    fn is_end(&self, node: &Node) -> bool {
        node.swap == [0; 2] && self.sheets.iter().zip(node.at).all(|(sheet, at)| usize::from(at) == sheet.len())
    }

    /// Makes the next layer; `false` if no board has a next ply.
    fn advance(&mut self, ply: usize) -> bool {
        self.by_key.clear();
        self.next_positions.clear();
        let mut next = Layer::default();
        for index in 0..self.graph.layers[ply].nodes.len() {
            let node = self.graph.layers[ply].nodes[index];
            if !self.is_end(&node) {
                self.expand(index as u32, node, &mut next);
            }
        }
        if next.nodes.is_empty() {
            return false;
        }
        self.graph.peak = self.graph.peak.max(next.nodes.len());
        // A way with more mends than another way to the same board was overtaken.
        if self.bounds.mends > 0 {
            let parents = &self.graph.layers[ply].nodes;
            next.edges.retain(|edge| {
                parents[edge.parent as usize].mends + edge.mends == next.nodes[edge.child as usize].mends
            });
        }
        if next.nodes.len() > self.bounds.width {
            self.let_go(&mut next);
        }
        next.group();
        self.graph.layers.push(next);
        std::mem::swap(&mut self.positions, &mut self.next_positions);
        true
    }

    fn expand(&mut self, index: u32, node: Node, next: &mut Layer) {
        let position = self.positions[index as usize];
        let left = self.bounds.mends - node.mends;
        let mut options = std::mem::take(&mut self.options);
        let mut lists = std::mem::take(&mut self.moves);
        for (track, sheet) in self.sheets.iter().enumerate() {
            options[track].clear();
            self.list_options(sheet, node.at[track], node.swap[track], left, &mut options[track]);
        }
        let legal = std::cell::OnceCell::new();
        let two = self.sheets.len() == 2;
        for a in &options[0] {
            lists[0].clear();
            self.list_moves(0, a.wants, &position, &legal, &mut lists[0]);
            if !two {
                for &m in &lists[0] {
                    self.add(index, node, &position, m, [a, &NOTHING], next);
                }
                continue;
            }
            for b in &options[1] {
                let unsaid = |note| matches!(note, Note::Ended | Note::LeftOut | Note::Bent);
                if a.mends + b.mends > left || (unsaid(a.note) && unsaid(b.note)) {
                    continue;
                }
                if lists[0].is_empty() {
                    break;
                }
                lists[1].clear();
                self.list_moves(1, b.wants, &position, &legal, &mut lists[1]);
                for &m in &lists[0] {
                    if lists[1].contains(&m) {
                        self.add(index, node, &position, m, [a, b], next);
                    }
                }
            }
        }
        self.options = options;
        self.moves = lists;
    }

    fn list_options(&self, sheet: &[Cell], at: u16, swap: u8, left: u8, out: &mut Vec<Way>) {
        let count = sheet.len() as u16;
        let cell = |i: u16, to: u16, swap: u8, mends: u8, note: Note| Way {
            wants: Wants::Cell(i),
            at: to,
            swap,
            mends,
            note: if sheet[usize::from(i)].is_blank() { Note::Blank } else { note },
            entry: i,
        };
        match swap {
            1 => return out.push(cell(at, at + 2, 0, 0, Note::Swapped)),
            2 => return out.push(cell(at + 1, at, 3, 0, Note::Fits)),
            3 => return out.push(cell(at, at + 3, 0, 0, Note::Swapped)),
            _ => {}
        }
        if at >= count {
            if self.sheets.len() == 2 {
                let ended = Way { wants: Wants::Anything, at, swap: 0, mends: 0, note: Note::Ended, entry: at };
                out.push(ended);
            }
            return;
        }
        out.push(cell(at, at + 1, 0, 0, Note::Fits));
        if left == 0 {
            return;
        }
        let written = |i: u16| i < count && !sheet[usize::from(i)].is_blank();
        if written(at) {
            // Where the other sheet says what was played, an entry may be wrong in any way.
            let wants = if self.sheets.len() == 2 { Wants::Anything } else { Wants::Near(at) };
            out.push(Way { wants, ..cell(at, at + 1, 0, 1, Note::Bent) });
            for away in 1..=2 {
                if written(at + away) && sheet[usize::from(at)].says != sheet[usize::from(at + away)].says {
                    out.push(cell(at + away, at, away as u8, 1, Note::Swapped));
                }
            }
            if written(at + 1) {
                out.push(cell(at + 1, at + 2, 0, 1, Note::Surplus));
            }
        }
        out.push(Way { wants: Wants::Anything, at, swap: 0, mends: 1, note: Note::LeftOut, entry: at });
    }

    fn list_moves(
        &self,
        track: usize,
        wants: Wants,
        position: &Position,
        legal: &std::cell::OnceCell<MoveList>,
        out: &mut Vec<Move>,
    ) {
        let cell = |i: u16| self.sheets[track][usize::from(i)];
        match wants {
            Wants::Cell(i) => match cell(i).says {
                Says::Nothing => out.extend_from_slice(legal.get_or_init(|| position.legal_moves())),
                _ => cell(i).moves(position, out),
            },
            Wants::Near(i) => {
                let legal = legal.get_or_init(|| position.legal_moves());
                match cell(i).says {
                    Says::Pattern(pattern) => {
                        out.extend(legal.iter().copied().filter(|&m| fields_off(&pattern, m, position) == 1));
                    }
                    Says::Token(token) => {
                        let read = resolve(&token, position, Dialect::OPEN);
                        out.extend(legal.iter().copied().filter(|m| read.iter().any(|r| near(*r, *m))));
                    }
                    Says::Nothing => {}
                }
            }
            Wants::Anything => out.extend_from_slice(legal.get_or_init(|| position.legal_moves())),
        }
    }

    fn add(&mut self, parent: u32, node: Node, position: &Position, m: Move, options: [&Way; 2], next: &mut Layer) {
        let mut board = *position;
        board.play(m);
        let mut bars = node.bars;
        for track in 0..self.sheets.len() {
            if let Wants::Cell(i) | Wants::Near(i) = options[track].wants
                && let Some(rule) = self.sheets[track][usize::from(i)].bars
            {
                bars[track] += u8::from(rule.counts && m.from().rank() != m.to().rank());
                if bars[track] > rule.total || bars[track] + rule.behind < rule.total {
                    return;
                }
                if rule.last {
                    bars[track] = 0;
                }
            }
        }
        let at = [options[0].at, options[1].at];
        let swap = [options[0].swap, options[1].swap];
        let mends = node.mends + options[0].mends + options[1].mends;
        let score = node.score + (self.measure)(m, position);
        let place = u64::from(at[0])
            | u64::from(at[1]) << 16
            | u64::from(swap[0]) << 32
            | u64::from(swap[1]) << 36
            | u64::from(bars[0]) << 40
            | u64::from(bars[1]) << 48;
        let identity = board.key() ^ place.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let child = *self.by_key.entry(identity).or_insert_with(|| {
            next.nodes.push(Node { key: board.key(), at, swap, bars, mends, score, first_edge: 0, edges: 0 });
            self.next_positions.push(board);
            next.nodes.len() as u32 - 1
        });
        let old = &mut next.nodes[child as usize];
        if mends > old.mends {
            return;
        }
        if mends < old.mends {
            old.mends = mends;
            old.score = score;
        }
        old.score = old.score.max(score);
        let notes = [options[0].note, options[1].note];
        let entries = [options[0].entry, options[1].entry];
        next.edges.push(Edge { parent, child, m, mends: mends - node.mends, notes, entries });
    }

    /// Keeps the likeliest boards of a full layer, those with fewer mends first.
    fn let_go(&mut self, layer: &mut Layer) {
        self.graph.pruned = true;
        let worth = |node: &Node| (node.mends, -node.score);
        let mut order: Vec<u32> = (0..layer.nodes.len() as u32).collect();
        let width = self.bounds.width;
        order.select_nth_unstable_by(width, |&a, &b| {
            let (a, b) = (worth(&layer.nodes[a as usize]), worth(&layer.nodes[b as usize]));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        let mut keep = vec![false; layer.nodes.len()];
        for &index in &order[..width] {
            keep[index as usize] = true;
        }
        layer.retain(&keep);
        let mut index = 0;
        self.next_positions.retain(|_| {
            index += 1;
            keep[index - 1]
        });
    }
}

const NOTHING: Way = Way { wants: Wants::Anything, at: 0, swap: 0, mends: 0, note: Note::Ended, entry: 0 };

/// Whether two moves share one point.
fn near(a: Move, b: Move) -> bool {
    a != b && (a.from() == b.from() || a.to() == b.to())
}

/// In how many of its four fields (piece, origin, direction, number) a legal move differs from what is written.
pub fn fields_off(pattern: &Pattern, m: Move, position: &Position) -> u32 {
    let Some(piece) = position.piece_at(m.from()) else { return 4 };
    let (direction, number) = describe(m, piece.kind(), piece.color());
    let kind = pattern.kind.is_none_or(|kind| kind == piece.kind());
    let of_this_kind =
        Pattern { kind: Some(piece.kind()), directions: super::pattern::Directions::ANY, number: 0, ..*pattern };
    let origin = of_this_kind.holds(m, position);
    u32::from(!kind)
        + u32::from(!origin)
        + u32::from(!pattern.directions.meets(direction))
        + u32::from(pattern.number != 0 && pattern.number != number)
}

impl Layer {
    /// Sorts the edges by the board they lead to.
    fn group(&mut self) {
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
    fn retain(&mut self, keep: &[bool]) -> Vec<u32> {
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
    fn keep_alive(&mut self) {
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
