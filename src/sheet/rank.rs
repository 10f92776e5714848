//! Ranks the readings of a graph by how likely a game they are.
//!
//! The likelihood of a reading is a sum over its plies: weights of the move model, what a bare digit says where bars
//! are lost, and the price of mends. Sums over all readings are made on the graph, so the share of a reading, of a ply
//! or of an end among all readings is exact under the model.

use super::feature::{Past, Scene, features};
use super::graph::{Edge, Graph};
use crate::board::{Kind, Move, Piece, Position};

/// A graph with a scene at every board and a likelihood on every ply.
#[derive(Debug)]
pub struct Ranked<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// Log-likelihood of every edge, layer by layer, in the order of the layer's edges.
    pub scores: Vec<Vec<f64>>,
    /// Best sum up to every board.
    best: Vec<Vec<f64>>,
    /// Log of the sum over all ways up to every board.
    all: Vec<Vec<f64>>,
}

/// The last four plies before a board, the last first: the kind moved and whether it captured.
type History = [Option<(Move, Kind, bool)>; 4];

/// The boards of one layer, each with the plies before it: those of the first way that leads to it.
struct Front {
    positions: Vec<Position>,
    pasts: Vec<History>,
}

impl Front {
    /// The boards of a layer.
    fn of(graph: &Graph, layer: usize) -> Front {
        let mut front = Front { positions: vec![graph.start], pasts: vec![[None; 4]] };
        for index in 1..=layer {
            front = front.next(graph, index);
        }
        front
    }

    /// The boards of the next layer.
    fn next(&self, graph: &Graph, index: usize) -> Front {
        let layer = &graph.layers[index];
        let mut front =
            Front { positions: Vec::with_capacity(layer.nodes.len()), pasts: Vec::with_capacity(layer.nodes.len()) };
        for node in 0..layer.nodes.len() {
            let edge = layer.into_node(node)[0];
            let parent = edge.parent as usize;
            let mut position = self.positions[parent];
            let kind = position.piece_at(edge.m.from()).map_or(Kind::Pawn, Piece::kind);
            let took = position.play(edge.m).captured().is_some();
            let history = self.pasts[parent];
            front.positions.push(position);
            front.pasts.push([Some((edge.m, kind, took)), history[0], history[1], history[2]]);
        }
        front
    }
}

/// Calls `f` with every edge behind a layer: layer, index in the layer, the edge, the board before it, its features.
pub fn for_each_edge(graph: &Graph, from: usize, mut f: impl FnMut(usize, usize, &Edge, &Position, &[u32])) {
    let mut list = Vec::with_capacity(128);
    let mut front = Front::of(graph, from);
    let mut scenes: Vec<Scene> = front.positions.iter().map(|p| Scene::new(*p)).collect();
    for (index, layer) in graph.layers.iter().enumerate().skip(from + 1) {
        let next = front.next(graph, index);
        let next_scenes: Vec<Scene> = next.positions.iter().map(|p| Scene::new(*p)).collect();
        let mut ends = vec![false; layer.nodes.len()];
        graph.ends.iter().filter(|end| end.0 == index).for_each(|end| ends[end.1] = true);
        for (number, edge) in layer.edges.iter().enumerate() {
            let (parent, child) = (edge.parent as usize, edge.child as usize);
            let history = front.pasts[parent];
            let past = Past {
                theirs: history[0],
                theirs_before: history[2].map(|(m, _, _)| m),
                own: history[1].map(|(m, _, _)| m),
                own_before: history[3].map(|(m, _, _)| m),
            };
            list.clear();
            features(&scenes[parent], edge.m, &next_scenes[child], &past, index - 1, ends[child], &mut list);
            f(index, number, edge, &front.positions[parent], &list);
        }
        front = next;
        scenes = next_scenes;
    }
}

impl<'a> Ranked<'a> {
    /// Sums over a graph whose edges have these scores.
    pub fn new(graph: &'a Graph, scores: Vec<Vec<f64>>) -> Ranked<'a> {
        let mut ranked = Ranked { graph, scores, best: vec![vec![0.0]], all: vec![vec![0.0]] };
        for (index, layer) in graph.layers.iter().enumerate().skip(1) {
            let mut best = vec![f64::NEG_INFINITY; layer.nodes.len()];
            let mut all = vec![f64::NEG_INFINITY; layer.nodes.len()];
            for (edge, score) in layer.edges.iter().zip(&ranked.scores[index]) {
                let (parent, child) = (edge.parent as usize, edge.child as usize);
                best[child] = best[child].max(ranked.best[index - 1][parent] + score);
                all[child] = add_logs(all[child], ranked.all[index - 1][parent] + score);
            }
            ranked.best.push(best);
            ranked.all.push(all);
        }
        ranked
    }

    /// Log of the sum over all readings.
    pub fn total(&self) -> f64 {
        self.graph.ends.iter().fold(f64::NEG_INFINITY, |sum, &(l, n)| add_logs(sum, self.all[l][n]))
    }

    /// The likeliest reading and its log-likelihood: indices of its edges, layer by layer.
    pub fn best(&self) -> (Vec<usize>, f64) {
        let mut end = None;
        for &(layer, node) in &self.graph.ends {
            let score = self.best[layer][node];
            if end.is_none_or(|(_, _, best)| score > best) {
                end = Some((layer, node, score));
            }
        }
        let Some((mut layer, mut node, score)) = end else { return (Vec::new(), 0.0) };
        let mut way = Vec::with_capacity(layer);
        while layer > 0 {
            let here = &self.graph.layers[layer];
            let first = here.nodes[node].first_edge as usize;
            let number = (first..first + here.nodes[node].edges as usize)
                .max_by(|&a, &b| {
                    let value = |n: usize| self.best[layer - 1][here.edges[n].parent as usize] + self.scores[layer][n];
                    // The first of equals.
                    value(a).total_cmp(&value(b)).then(b.cmp(&a))
                })
                .unwrap_or(first);
            way.push(number);
            node = here.edges[number].parent as usize;
            layer -= 1;
        }
        way.reverse();
        (way, score)
    }

    /// The log-likelihood of the second best reading, if there is one.
    pub fn second(&self) -> Option<f64> {
        let mut before = vec![[0.0, f64::NEG_INFINITY]];
        let mut ends = [f64::NEG_INFINITY; 2];
        let insert = |pair: &mut [f64; 2], value: f64| {
            if value > pair[0] {
                *pair = [value, pair[0]];
            } else if value > pair[1] {
                pair[1] = value;
            }
        };
        for (index, layer) in self.graph.layers.iter().enumerate() {
            if index > 0 {
                let mut now = vec![[f64::NEG_INFINITY; 2]; layer.nodes.len()];
                for (edge, score) in layer.edges.iter().zip(&self.scores[index]) {
                    for value in before[edge.parent as usize] {
                        insert(&mut now[edge.child as usize], value + score);
                    }
                }
                before = now;
            }
            for &(_, node) in self.graph.ends.iter().filter(|end| end.0 == index) {
                for value in before[node] {
                    insert(&mut ends, value);
                }
            }
        }
        ends[1].is_finite().then_some(ends[1])
    }

    /// The share of every edge among all readings, layer by layer.
    pub fn shares(&self) -> Vec<Vec<f64>> {
        let total = self.total();
        let layers = &self.graph.layers;
        let mut behind: Vec<Vec<f64>> = layers.iter().map(|l| vec![f64::NEG_INFINITY; l.nodes.len()]).collect();
        for &(layer, node) in &self.graph.ends {
            behind[layer][node] = 0.0;
        }
        let mut shares: Vec<Vec<f64>> = layers.iter().map(|l| vec![0.0; l.edges.len()]).collect();
        for index in (1..layers.len()).rev() {
            for (number, edge) in layers[index].edges.iter().enumerate() {
                let (parent, child) = (edge.parent as usize, edge.child as usize);
                let from_here = behind[index][child] + self.scores[index][number];
                let sum = &mut behind[index - 1][parent];
                *sum = add_logs(*sum, from_here);
                shares[index][number] = (self.all[index - 1][parent] + from_here - total).exp();
            }
        }
        shares
    }

    /// The moves of a way.
    pub fn moves(&self, way: &[usize]) -> Vec<Move> {
        way.iter().zip(&self.graph.layers[1..]).map(|(&n, layer)| layer.edges[n].m).collect()
    }
}

/// `ln(exp(a) + exp(b))`.
fn add_logs(a: f64, b: f64) -> f64 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
}

/// Scores every edge with a function of its features.
pub fn score(graph: &Graph, mut value: impl FnMut(&Edge, &Position, &[u32]) -> f64) -> Vec<Vec<f64>> {
    let mut scores: Vec<Vec<f64>> = graph.layers.iter().map(|l| vec![0.0; l.edges.len()]).collect();
    for_each_edge(graph, 0, |layer, number, edge, before, features| {
        scores[layer][number] = value(edge, before, features);
    });
    scores
}

/// The log-likelihood of the best way to every board of the last layer, if the scores of the boards of the layer `from`
/// are those of the best ways to them.
pub fn best_behind(graph: &Graph, from: usize, mut value: impl FnMut(&Edge, &Position, &[u32]) -> f64) -> Vec<f64> {
    let mut best: Vec<f64> = graph.layers[from].nodes.iter().map(|node| f64::from(node.score)).collect();
    let mut next: Vec<f64> = Vec::new();
    let mut layer = from;
    for_each_edge(graph, from, |index, _, edge, before, features| {
        if index > layer {
            if layer > from {
                best = std::mem::take(&mut next);
            }
            layer = index;
            next = vec![f64::NEG_INFINITY; graph.layers[index].nodes.len()];
        }
        let sum = best[edge.parent as usize] + value(edge, before, features);
        let old = &mut next[edge.child as usize];
        *old = old.max(sum);
    });
    next
}
