//! The search: layer by layer through everything the sheets may mean.

use super::graph::{Bounds, Cell, Edge, Graph, Judge, Layer, Measure, NARROW, Node, Note, Says};
use super::pattern::{Pattern, describe};
use crate::board::{Move, MoveList, Position};
use crate::notation::{Dialect, resolve};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

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

/// By how much a layer behind a gap may be wider.
const GAPING: usize = 6;

/// What a look at a board with the full measure costs, in boards of the search.
const JUDGING: u64 = 12;

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
pub fn search(start: &Position, sheets: &[&[Cell]], bounds: Bounds, measure: Measure<'_>, judge: Judge<'_>) -> Graph {
    Search::new(start, sheets, bounds, measure, judge).run()
}

struct Search<'a> {
    sheets: &'a [&'a [Cell]],
    bounds: Bounds,
    measure: Measure<'a>,
    judge: Judge<'a>,
    graph: Graph,
    positions: Vec<Position>,
    next_positions: Vec<Position>,
    by_key: ByKey,
    /// The last layer whose boards have scores by the full measure.
    judged: usize,
    /// Scratch lists.
    options: [Vec<Way>; 2],
    moves: [Vec<Move>; 2],
}

impl<'a> Search<'a> {
    fn new(
        start: &Position,
        sheets: &'a [&'a [Cell]],
        bounds: Bounds,
        measure: Measure<'a>,
        judge: Judge<'a>,
    ) -> Search<'a> {
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
            effort: 0,
            complete: false,
        };
        Search {
            sheets: &sheets[..sheets.len().min(2)],
            bounds,
            measure,
            judge,
            graph,
            positions: vec![*start],
            next_positions: Vec::new(),
            by_key: ByKey::default(),
            judged: 0,
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
        let most = fewest.saturating_add(self.bounds.slack);
        ends.retain(|&(layer, node)| layers[layer].nodes[node].mends <= most);
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
        next.group();
        self.graph.effort += next.nodes.len() as u64;
        let spent = self.graph.effort > self.bounds.effort;
        let width = match (spent, self.is_blank(ply)) {
            (true, _) => self.bounds.width.min(NARROW),
            // What a gap opens the next entries close again.
            (false, true) => self.bounds.width.saturating_mul(GAPING),
            (false, false) => self.bounds.width,
        };
        let full = next.nodes.len() > width;
        self.graph.layers.push(next);
        if full {
            self.let_go(spent);
        }
        std::mem::swap(&mut self.positions, &mut self.next_positions);
        true
    }

    /// Whether no sheet says anything about the ply behind these boards, so far as they agree on the place.
    fn is_blank(&self, ply: usize) -> bool {
        self.graph.layers[ply].nodes.first().is_some_and(|node| {
            self.sheets
                .iter()
                .zip(node.at)
                .all(|(sheet, at)| sheet.get(usize::from(at)).is_none_or(super::graph::Cell::is_blank))
        })
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
                if let (Wants::Anything, Note::Bent, Note::Bent) = (a.wants, a.note, b.note) {
                    // The same wrong entry on both sheets is one error, copied.
                    let same = self.sheets[0][usize::from(a.entry)].says == self.sheets[1][usize::from(b.entry)].says;
                    if same {
                        lists[1].clear();
                        self.list_moves(0, Wants::Near(a.entry), &position, &legal, &mut lists[1]);
                        let shared = Way { mends: 0, ..*b };
                        for &m in &lists[1] {
                            self.add(index, node, &position, m, [a, &shared], next);
                        }
                    }
                    continue;
                }
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
        // With slack, readings of more mends live beside those of fewer.
        let place = if self.bounds.slack > 0 { place | u64::from(mends) << 56 } else { place };
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

    /// Keeps the likeliest boards of a full last layer, those with fewer mends first: a quarter of the width, so that
    /// not every layer behind it is full again. Once the effort is spent, the cheap measure has to do.
    fn let_go(&mut self, spent: bool) {
        self.graph.pruned = true;
        let last = self.graph.layers.len() - 1;
        let count = self.graph.layers[last].nodes.len();
        if !spent {
            // Boards that lead nowhere are dropped first; all of the last layer stay.
            let known = self.graph.ends.len();
            self.graph.ends.extend((0..count).map(|node| (last, node)));
            self.graph.keep_alive();
            self.graph.ends.truncate(known);
            let judged: usize = self.graph.layers[self.judged..].iter().map(|layer| layer.nodes.len()).sum();
            self.graph.effort += JUDGING * judged as u64;
            let scores = (self.judge)(&self.graph, self.judged);
            for (node, score) in self.graph.layers[last].nodes.iter_mut().zip(scores) {
                node.score = score as f32;
            }
            self.judged = last;
        }
        let layer = &mut self.graph.layers[last];
        let worth = |node: &Node| (node.mends, -node.score);
        let mut order: Vec<u32> = (0..layer.nodes.len() as u32).collect();
        let width = if spent { self.bounds.width.min(NARROW) } else { self.bounds.width / 4 };
        let width = width.max(1).min(count - 1);
        order.select_nth_unstable_by(width, |&a, &b| {
            let (a, b) = (worth(&layer.nodes[a as usize]), worth(&layer.nodes[b as usize]));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        let mut keep = vec![false; layer.nodes.len()];
        for &index in &order[..width] {
            keep[index as usize] = true;
        }
        layer.retain(&keep);
        layer.group();
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
