//! Trains the move model of the score-sheet reader on real games and writes `src/sheet/model.bin`.
//!
//! `cargo run --profile quick --example train_model -- FOLDER OUT` reads every game below FOLDER, keeps the full games
//! from the normal start, each once, and trains on four fifths of them; the last fifth (by a hash of the position after
//! forty plies, so that copies with other ends stay together) is left for `tools/sheets.rs`.
//!
//! At every ply where the short form without bars leaves several legal moves, the move played is set against the others:
//! a conditional logit over the features of `src/sheet/feature.rs`, fitted with AdaGrad; a part of the features is left out
//! at random at every decision, and the mean of the later states is taken. At an eighth of the plies all legal moves are
//! set against the one played.

mod games;

use rayon::prelude::*;
use yipu::board::{Color, Kind, Move, Piece, Position};
use yipu::sheet::feature::{FEATURES, Past, Scene, features};
use yipu::sheet::model::Model;
use yipu::sheet::pattern::{Directions, Pattern, Which, describe};

/// Passes over the decisions. More fit the training games better and the others worse.
const PASSES: usize = 5;

/// The share of the features left out at every decision.
const DROPPED: f32 = 0.25;

/// One decision of this many is held out, to see how well the fit carries over.
const HELD: usize = 25;

/// At every ply of this many all legal moves stand against the one played: gaps are filled by the same weights.
const WIDE: usize = 8;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(out)) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: train_model FOLDER OUT");
        std::process::exit(2);
    };
    let games = games::load(folder.as_ref(), false);
    let training: Vec<&[Move]> = games.iter().filter(|g| !games::is_test(g)).map(|g| &g[..]).collect();
    eprintln!("{} games, {} of them to train on", games.len(), training.len());
    let decisions = Decisions::of(&training);
    eprintln!("{} decisions among {} moves", decisions.list.len(), decisions.ends.len() - 1);
    let weights = fit(&decisions);
    std::fs::write(&out, Model::new(weights).to_bytes()).expect("the table can be written");
}

/// Plies at which the short form without bars leaves several moves.
struct Decisions {
    /// Features of all candidates, one behind the other.
    features: Vec<u32>,
    /// Where each candidate's features end.
    ends: Vec<usize>,
    /// First candidate, number of candidates, the one played.
    list: Vec<(usize, usize, usize)>,
}

impl Decisions {
    fn of(games: &[&[Move]]) -> Decisions {
        let parts: Vec<Decisions> = games
            .par_chunks(200)
            .map(|games| {
                let mut part = Decisions { features: Vec::new(), ends: vec![0], list: Vec::new() };
                games.iter().for_each(|game| part.add_game(game));
                part
            })
            .collect();
        let mut all = Decisions { features: Vec::new(), ends: vec![0], list: Vec::new() };
        for part in parts {
            let (candidates, features) = (all.ends.len() - 1, all.features.len());
            all.list.extend(part.list.into_iter().map(|(first, count, played)| (first + candidates, count, played)));
            all.ends.extend(part.ends[1..].iter().map(|end| end + features));
            all.features.extend(part.features);
        }
        all
    }

    fn add_game(&mut self, game: &[Move]) {
        let mut position = Position::start();
        let mut scene = Scene::new(position);
        let mut history: [Option<(Move, Kind, bool)>; 4] = [None; 4];
        let mut list = Vec::new();
        for (ply, &m) in game.iter().enumerate() {
            let Some(piece) = position.piece_at(m.from()) else { return };
            let mut candidates = Vec::new();
            if (ply * 7 + game.len()).is_multiple_of(WIDE) {
                candidates.extend_from_slice(&position.legal_moves());
            } else {
                bare(m, piece, &position).moves(&position, &mut candidates);
            }
            let past = Past {
                theirs: history[0],
                theirs_before: history[2].map(|h| h.0),
                own: history[1].map(|h| h.0),
                own_before: history[3].map(|h| h.0),
            };
            let first = self.ends.len() - 1;
            let mut next = None;
            if candidates.len() > 1
                && let Some(played) = candidates.iter().position(|&c| c == m)
            {
                for &candidate in &candidates {
                    let mut board = position;
                    board.play(candidate);
                    let after = Scene::new(board);
                    list.clear();
                    features(&scene, candidate, &after, &past, ply, ply + 1 == game.len(), &mut list);
                    self.features.extend_from_slice(&list);
                    self.ends.push(self.features.len());
                    if candidate == m {
                        next = Some(after);
                    }
                }
                self.list.push((first, candidates.len(), played));
            }
            let took = position.play(m).captured().is_some();
            scene = next.unwrap_or_else(|| Scene::new(position));
            history = [Some((m, piece.kind(), took)), history[0], history[1], history[2]];
        }
    }

    fn candidate(&self, index: usize) -> &[u32] {
        &self.features[self.ends[index]..self.ends[index + 1]]
    }
}

/// The short form of a move with its bar lost.
fn bare(m: Move, piece: Piece, position: &Position) -> Pattern {
    let color: Color = piece.color();
    let (_, number) = describe(m, piece.kind(), color);
    let file = m.from().file_for(color);
    let plain = Pattern { kind: Some(piece.kind()), which: Which::Any, file, directions: Directions::ANY, number };
    let doubled = position.squares_on_file(piece, m.from().file()).count() > 1;
    if !doubled || matches!(piece.kind(), Kind::Advisor | Kind::Elephant) {
        return plain;
    }
    [Which::Front, Which::Rear, Which::Middle]
        .into_iter()
        .map(|which| Pattern { which, file: 0, ..plain })
        .find(|pattern| pattern.holds(m, position))
        .unwrap_or(plain)
}

fn fit(decisions: &Decisions) -> Vec<f32> {
    let mut weights = vec![0.0f32; FEATURES];
    let mut squares = vec![1e-2f32; FEATURES];
    // The decisions of the last games judge the fit and train nothing.
    let held = decisions.list.len() - decisions.list.len() / HELD;
    let mut order: Vec<usize> = (0..held).collect();
    let mut random = games::Random(2011);
    let mut mean = Mean { sums: vec![0.0; FEATURES], count: 0 };
    for pass in 0..PASSES {
        random.shuffle(&mut order);
        let rate = 0.05 / (1.0 + 0.5 * pass as f32);
        let mut likelihood = 0.0f64;
        for (number, &decision) in order.iter().enumerate() {
            // A part of the features is left out at random, so that none leans on another.
            let seed = (decision as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (pass as u64) << 32;
            let kept = |f: u32| {
                let hash = (u64::from(f) ^ seed).wrapping_mul(0xD6E8_FEB8_6659_FD93);
                (hash >> 56) as f32 >= 256.0 * DROPPED
            };
            let (first, count, played) = decisions.list[decision];
            let values: Vec<f32> = (first..first + count)
                .map(|c| {
                    let list = decisions.candidate(c).iter();
                    list.filter(|&&f| kept(f)).map(|&f| weights[f as usize]).sum::<f32>() / (1.0 - DROPPED)
                })
                .collect();
            let chances = chances(&values);
            likelihood += f64::from(chances[played].max(1e-9)).ln();
            for (index, chance) in chances.iter().enumerate() {
                let pull = f32::from(u8::from(index == played)) - chance;
                if pull.abs() < 1e-3 {
                    continue;
                }
                for &feature in decisions.candidate(first + index).iter().filter(|&&f| kept(f)) {
                    let feature = feature as usize;
                    let gradient = pull - 3e-3 * weights[feature];
                    squares[feature] += gradient * gradient;
                    weights[feature] += rate * gradient / squares[feature].sqrt();
                }
            }
            // The mean of many states generalizes better than the last one.
            if pass + 2 >= PASSES && number % (held / 8).max(1) == 0 {
                mean.add(&weights);
            }
        }
        eprintln!(
            "pass {}: log-likelihood {:.4} a decision, held out {:.4}",
            pass + 1,
            likelihood / order.len() as f64,
            judge(decisions, held, &weights)
        );
    }
    let weights = mean.value();
    eprintln!("mean: held out {:.4}", judge(decisions, held, &weights));
    weights
}

/// The mean of the weights at several times.
struct Mean {
    sums: Vec<f32>,
    count: u32,
}

impl Mean {
    fn add(&mut self, weights: &[f32]) {
        self.sums.iter_mut().zip(weights).for_each(|(sum, w)| *sum += w);
        self.count += 1;
    }

    fn value(&self) -> Vec<f32> {
        self.sums.iter().map(|sum| sum / self.count.max(1) as f32).collect()
    }
}

fn chances(values: &[f32]) -> Vec<f32> {
    let most = values.iter().fold(f32::MIN, |a, &b| a.max(b));
    let powers: Vec<f32> = values.iter().map(|v| (v - most).exp()).collect();
    let sum: f32 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

/// Log-likelihood a decision among those held out.
fn judge(decisions: &Decisions, held: usize, weights: &[f32]) -> f64 {
    let list = &decisions.list[held..];
    let sum: f64 = list
        .iter()
        .map(|&(first, count, played)| {
            let values: Vec<f32> = (first..first + count)
                .map(|c| decisions.candidate(c).iter().map(|&f| weights[f as usize]).sum())
                .collect();
            f64::from(chances(&values)[played].max(1e-9)).ln()
        })
        .sum();
    sum / list.len().max(1) as f64
}
