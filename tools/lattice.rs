//! Whole sheets to train on: all readings of a damaged sheet, and which of them is the game.
//!
//! The weights are fitted to what they are for: the likelihood of the true game among all readings of its sheet. A wrong
//! reading is often found out by what is played later (nobody takes the piece it leaves hanging), which no single ply tells.

use crate::damage::{entries, sheet_text};
use crate::games::Random;
use rayon::prelude::*;
use yipu::board::Move;
use yipu::sheet::model::Model;
use yipu::sheet::{Options, Sheet, weigh};

/// Readings of more plies than this in all are not trained on.
const MOST_EDGES: usize = 20_000;

/// A ply with a smaller share than this among the readings is left out.
const LEAST_SHARE: f64 = 3e-4;

/// How a sheet is damaged.
#[derive(Clone, Copy, Debug)]
pub struct Damage {
    /// The chance of a sign to be lost.
    pub loss: f64,
    /// Whether 平 is written where it is known.
    pub traverse: bool,
    /// The chance of an entry to be missing.
    pub gaps: f64,
}

/// A ply of a lattice.
#[derive(Clone, Copy, Debug)]
struct Ply {
    parent: u32,
    child: u32,
    /// What the entries add to its likelihood.
    price: f32,
    truth: bool,
    /// Its features, empty where there is no choice.
    first: u32,
    end: u32,
}

/// All readings of a sheet.
#[derive(Debug, Default)]
pub struct Lattice {
    layers: Vec<Vec<Ply>>,
    /// Boards in each layer.
    counts: Vec<usize>,
    ends: Vec<Vec<u32>>,
    features: Vec<u32>,
    /// Whether entries are missing on it.
    pub gaps: bool,
}

impl Lattice {
    /// The readings of a game written and damaged. `None` if there is only one, or too many, or the game is not among them.
    pub fn of(game: &[Move], damage: Damage, seed: u64, model: &'static Model) -> Option<Lattice> {
        let mut random = Random(seed);
        let mut list = entries(game, damage.loss, damage.traverse, &mut random);
        if damage.gaps > 0.0 {
            // The last entry stays: what is missing at the end nobody can know.
            let last = list.len() - 1;
            list[..last].iter_mut().filter(|_| random.chance(damage.gaps)).for_each(String::clear);
        }
        let options = Options { model: Some(model), width: 4_000, effort: 300_000, ..Options::default() };
        let mut lattice = Lattice { gaps: damage.gaps > 0.0, ..Lattice::default() };
        let mut edges: Vec<(usize, Ply, Move)> = Vec::new();
        let graph = weigh(&[Sheet::read(&sheet_text(&list))], &options, |layer, _, edge, price, features| {
            let first = lattice.features.len() as u32;
            if edges.len() < MOST_EDGES {
                lattice.features.extend_from_slice(features);
            }
            let end = lattice.features.len() as u32;
            let (parent, child, price) = (edge.parent, edge.child, price as f32);
            edges.push((layer, Ply { parent, child, price, truth: false, first, end }, edge.m));
        });
        if !graph.complete || edges.len() >= MOST_EDGES || !graph.holds(game) || graph.count() < 2 {
            return None;
        }
        lattice.counts = graph.layers.iter().map(|layer| layer.nodes.len()).collect();
        lattice.layers = vec![Vec::new(); graph.layers.len()];
        lattice.ends = vec![Vec::new(); graph.layers.len()];
        graph.ends.iter().for_each(|&(layer, node)| lattice.ends[layer].push(node as u32));
        let mut true_boards: Vec<Vec<bool>> = lattice.counts.iter().map(|&count| vec![false; count]).collect();
        true_boards[0][0] = true;
        for (layer, mut ply, m) in edges {
            ply.truth = game.get(layer - 1) == Some(&m) && true_boards[layer - 1][ply.parent as usize];
            if ply.truth {
                true_boards[layer][ply.child as usize] = true;
            }
            lattice.layers[layer].push(ply);
        }
        lattice.prune(model);
        Some(lattice)
    }

    /// Leaves out plies that hardly count, and the features of those without a choice.
    fn prune(&mut self, model: &Model) {
        let scores = self.scores(|list| model.value(list) as f32);
        let shares = self.shares(&scores, false).1;
        for (layer, shares) in self.layers.iter_mut().zip(&shares) {
            let mut shares = shares.iter();
            layer.retain(|ply| shares.next().is_some_and(|&share| ply.truth || share >= LEAST_SHARE));
        }
        let mut features = Vec::new();
        for layer in &mut self.layers {
            let choice = layer.len() > 1;
            for ply in layer {
                let old = ply.first as usize..ply.end as usize;
                ply.first = features.len() as u32;
                if choice {
                    features.extend_from_slice(&self.features[old]);
                }
                ply.end = features.len() as u32;
            }
        }
        features.shrink_to_fit();
        self.features = features;
    }

    /// How many features it holds.
    pub fn size(&self) -> usize {
        self.features.len()
    }

    fn scores(&self, value: impl Fn(&[u32]) -> f32) -> Vec<Vec<f64>> {
        let score = |ply: &Ply| f64::from(ply.price + value(&self.features[ply.first as usize..ply.end as usize]));
        self.layers.iter().map(|layer| layer.iter().map(score).collect()).collect()
    }

    /// Log of the sum over all readings (or over the game alone), and the share of every ply among them.
    fn shares(&self, scores: &[Vec<f64>], truth: bool) -> (f64, Vec<Vec<f64>>) {
        let none = |layer: usize| vec![f64::NEG_INFINITY; self.counts[layer]];
        let mut before = vec![vec![0.0]];
        for (index, layer) in self.layers.iter().enumerate().skip(1) {
            let mut sums = none(index);
            for (ply, score) in layer.iter().zip(&scores[index]).filter(|(ply, _)| ply.truth || !truth) {
                let sum = &mut sums[ply.child as usize];
                *sum = add_logs(*sum, before[index - 1][ply.parent as usize] + score);
            }
            before.push(sums);
        }
        let ends = self.ends.iter().enumerate().flat_map(|(layer, nodes)| nodes.iter().map(move |&node| (layer, node)));
        let total = ends.fold(f64::NEG_INFINITY, |sum, (layer, node)| add_logs(sum, before[layer][node as usize]));
        let mut shares: Vec<Vec<f64>> = self.layers.iter().map(|layer| vec![0.0; layer.len()]).collect();
        let mut behind = none(self.layers.len() - 1);
        for index in (1..self.layers.len()).rev() {
            self.ends[index].iter().for_each(|&node| behind[node as usize] = add_logs(behind[node as usize], 0.0));
            let mut sums = none(index - 1);
            for (number, ply) in self.layers[index].iter().enumerate().filter(|(_, ply)| ply.truth || !truth) {
                let from_here = behind[ply.child as usize] + scores[index][number];
                let sum = &mut sums[ply.parent as usize];
                *sum = add_logs(*sum, from_here);
                let share = before[index - 1][ply.parent as usize] + from_here - total;
                shares[index][number] = if share.is_nan() { 0.0 } else { share.exp() };
            }
            behind = sums;
        }
        (total, shares)
    }

    /// The features of every ply that should be likelier (or less likely), each with by how much; and the log-likelihood
    /// of the game.
    pub fn pulls(&self, value: impl Fn(&[u32]) -> f32) -> (f64, Vec<(&[u32], f32)>) {
        let scores = self.scores(value);
        let (all, shares) = self.shares(&scores, false);
        let (game, truths) = self.shares(&scores, true);
        let mut pulls = Vec::new();
        for (index, layer) in self.layers.iter().enumerate() {
            for (number, ply) in layer.iter().enumerate() {
                let by = (truths[index][number] - shares[index][number]) as f32;
                if by.abs() > 1e-3 && ply.first < ply.end {
                    pulls.push((&self.features[ply.first as usize..ply.end as usize], by));
                }
            }
        }
        (game - all, pulls)
    }

    /// Whether the weights put the game first.
    pub fn is_first(&self, weights: &[f32]) -> bool {
        let scores = self.scores(|list| list.iter().map(|&f| weights[f as usize]).sum());
        // The best sum to every board, and whether it is the game's.
        let mut best = vec![(0.0, true)];
        let mut end = (f64::NEG_INFINITY, false);
        for (index, layer) in self.layers.iter().enumerate().skip(1) {
            let mut next = vec![(f64::NEG_INFINITY, false); self.counts[index]];
            for (ply, score) in layer.iter().zip(&scores[index]) {
                let (sum, truth) = best[ply.parent as usize];
                let child = &mut next[ply.child as usize];
                if sum + score > child.0 {
                    *child = (sum + score, truth && ply.truth);
                }
            }
            for &node in &self.ends[index] {
                if next[node as usize].0 > end.0 {
                    end = next[node as usize];
                }
            }
            best = next;
        }
        end.1
    }
}

/// `ln(exp(a) + exp(b))`.
fn add_logs(a: f64, b: f64) -> f64 {
    let (high, low) = if a > b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
}

/// The lattices of many games, each damaged in one way.
pub fn lattices(games: &[&[Move]], damages: &[Damage], seed: u64, model: &'static Model) -> Vec<Lattice> {
    let made = games.par_iter().enumerate().flat_map_iter(|(index, game)| {
        let seed = (seed + index as u64).wrapping_mul(17_000_023);
        Lattice::of(game, damages[index % damages.len()], seed, model)
    });
    made.collect()
}
