//! Ranks the readings of a graph by how likely a game they are.
//!
//! The likelihood of a reading is a sum over its plies: weights of the move model, what a bare digit says where bars
//! are lost, and the price of mends. Sums over all readings are made on the graph, so the share of a reading, of a ply
//! or of an end among all readings is exact under the model.

use super::feature::{Past, Scene, features};
use super::graph::{Edge, Graph};
use crate::board::{Move, Position};

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

/// The boards of a graph, layer by layer.
pub fn scenes(graph: &Graph) -> Vec<Vec<Scene>> {
    let mut out: Vec<Vec<Scene>> = vec![vec![Scene::new(graph.start)]];
    for (index, layer) in graph.layers.iter().enumerate().skip(1) {
        let scenes = (0..layer.nodes.len())
            .map(|node| {
                let edge = layer.into_node(node)[0];
                let mut position = out[index - 1][edge.parent as usize].position;
                position.play(edge.m);
                Scene::new(position)
            })
            .collect();
        out.push(scenes);
    }
    out
}

/// The last four plies before a board, the last first, and whether each captured.
type History = [Option<(Move, bool)>; 4];

/// Calls `f` with every edge (layer, index in the layer) and its features.
pub fn for_each_edge(graph: &Graph, scenes: &[Vec<Scene>], mut f: impl FnMut(usize, usize, &Edge, &[u32])) {
    let mut list = Vec::with_capacity(40);
    // The plies before a board are taken from the first way that leads to it.
    let mut pasts: Vec<Vec<History>> = vec![vec![[None; 4]]];
    for (index, layer) in graph.layers.iter().enumerate().skip(1) {
        let mut now = vec![[None; 4]; layer.nodes.len()];
        for (number, edge) in layer.edges.iter().enumerate() {
            let before = &scenes[index - 1][edge.parent as usize];
            let after = &scenes[index][edge.child as usize];
            let history = pasts[index - 1][edge.parent as usize];
            let past = Past {
                theirs: history[0].and_then(|(m, took)| Some((m, before.position.piece_at(m.to())?.kind(), took))),
                theirs_before: history[2].map(|(m, _)| m),
                own: history[1].map(|(m, _)| m),
                own_before: history[3].map(|(m, _)| m),
            };
            if now[edge.child as usize][0].is_none() {
                let took = before.position.piece_at(edge.m.to()).is_some();
                now[edge.child as usize] = [Some((edge.m, took)), history[0], history[1], history[2]];
            }
            let last = graph.ends.contains(&(index, edge.child as usize));
            list.clear();
            features(before, edge.m, after, &past, index - 1, last, &mut list);
            f(index, number, edge, &list);
        }
        pasts.push(now);
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

    /// The log-likelihood of the best way to every board of the last layer.
    pub fn best_so_far(&self) -> Vec<f64> {
        self.best.last().cloned().unwrap_or_default()
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
pub fn score(
    graph: &Graph,
    scenes: &[Vec<Scene>],
    mut value: impl FnMut(&Edge, &Position, &[u32]) -> f64,
) -> Vec<Vec<f64>> {
    let mut scores: Vec<Vec<f64>> = graph.layers.iter().map(|l| vec![0.0; l.edges.len()]).collect();
    for_each_edge(graph, scenes, |layer, number, edge, features| {
        let before = &scenes[layer - 1][edge.parent as usize].position;
        scores[layer][number] = value(edge, before, features);
    });
    scores
}
