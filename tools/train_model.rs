//! Trains the move model of the score-sheet reader on real games and writes `src/sheet/model.bin`.
//!
//! `cargo run --profile quick --example train_model -- FOLDER OUT [TABLE]` reads every game below FOLDER, keeps the full games
//! from the normal start, each once, and trains on four fifths of them; the last fifth (by a hash of the position after
//! forty plies, so that copies with other ends stay together) is left for `tools/sheets.rs`.
//!
//! At every ply where the short form without bars leaves several legal moves, the move played is set against the others:
//! a conditional logit over the features of `src/sheet/feature.rs`, fitted with AdaGrad; a part of the features is left out
//! at random at every decision, and the mean of the later states is taken. At an eighth of the plies all legal moves are
//! set against the one played.
//!
//! The weights so found (or those of TABLE) are then fitted to whole sheets: every training game is written and damaged
//! twice, all its readings are searched, and the true game is set against all others (see `lattice.rs`). What the weights
//! were is held to, so that what sheets do not ask is not forgotten.

mod damage;
mod games;
mod lattice;

use lattice::{Damage, Lattice, lattices};
use rayon::prelude::*;
use yipu::board::{Color, Kind, Move, Piece, Position};
use yipu::sheet::feature::{FEATURES, Past, Scene, features};
use yipu::sheet::model::{DAMPED, Model};
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
        eprintln!("usage: train_model FOLDER OUT [TABLE]");
        std::process::exit(2);
    };
    let games = games::load(folder.as_ref(), false);
    let training: Vec<&[Move]> = games.iter().filter(|g| !games::is_test(g)).map(|g| &g[..]).collect();
    eprintln!("{} games, {} of them to train on", games.len(), training.len());
    let plies = match arguments.next() {
        Some(table) => {
            let table = std::fs::read(table).expect("the table can be read");
            Model::from_bytes(&table).expect("a table for these features")
        }
        None => {
            let decisions = Decisions::of(&training);
            eprintln!("{} decisions among {} moves", decisions.list.len(), decisions.ends.len() - 1);
            Model::new(fit(&decisions))
        }
    };
    let plies: &'static Model = Box::leak(Box::new(plies));
    let mut sheets = lattices(&training, &LOST, 0, plies);
    sheets.extend(lattices(&training, &OTHERS, 1_000_000, plies));
    eprintln!("{} sheets, {} features", sheets.len(), sheets.iter().map(Lattice::size).sum::<usize>());
    let weights = fit_sheets(&sheets, plies.weights());
    std::fs::write(&out, Model::new(weights).to_bytes()).expect("the table can be written");
}

/// How every game is damaged once, turn and turn about.
const LOST: [Damage; 2] =
    [Damage { loss: 0.2, traverse: false, gaps: 0.0 }, Damage { loss: 0.2, traverse: true, gaps: 0.0 }];

/// How every game is damaged another time.
const OTHERS: [Damage; 4] = [
    Damage { loss: 0.05, traverse: false, gaps: 0.0 },
    Damage { loss: 0.0, traverse: false, gaps: 0.02 },
    Damage { loss: 0.2, traverse: false, gaps: 0.0 },
    Damage { loss: 0.5, traverse: false, gaps: 0.0 },
];

/// Passes over the sheets.
const SHEET_PASSES: usize = 3;

/// How strongly the weights are held to what they were.
const HOLD: f32 = 2e-3;

/// The share of the features left out at every sheet.
const SHEET_DROPPED: f32 = 0.3;

/// Fits weights to whole sheets: the true game against all other readings.
fn fit_sheets(sheets: &[Lattice], plies: &[f32]) -> Vec<f32> {
    let damped = DAMPED as f32;
    let old: Vec<f32> = plies.iter().map(|w| w * damped).collect();
    let mut weights = old.clone();
    let mut squares = vec![1e-2f32; FEATURES];
    // Sheets with gaps are few and count twice.
    let mut order: Vec<usize> =
        (0..sheets.len()).flat_map(|sheet| std::iter::repeat_n(sheet, 1 + usize::from(sheets[sheet].gaps))).collect();
    let mut random = games::Random(2011);
    let mut mean = Mean { sums: vec![0.0; FEATURES], count: 0 };
    for pass in 0..SHEET_PASSES {
        random.shuffle(&mut order);
        let rate = 0.03 / (1.0 + 0.5 * pass as f32);
        let mut likelihood = 0.0;
        for (number, &sheet) in order.iter().enumerate() {
            let seed = (sheet as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (pass as u64) << 32;
            let kept = |f: u32| {
                let hash = (u64::from(f) ^ seed).wrapping_mul(0xD6E8_FEB8_6659_FD93);
                (hash >> 56) as f32 >= 256.0 * SHEET_DROPPED
            };
            let (value, pulls) = sheets[sheet].pulls(|list| {
                list.iter().filter(|&&f| kept(f)).map(|&f| weights[f as usize]).sum::<f32>() / (1.0 - SHEET_DROPPED)
            });
            likelihood += value;
            for (list, by) in pulls {
                for &feature in list.iter().filter(|&&f| kept(f)) {
                    let feature = feature as usize;
                    let gradient = by - HOLD * (weights[feature] - old[feature]);
                    squares[feature] += gradient * gradient;
                    weights[feature] += rate * gradient / squares[feature].sqrt();
                }
            }
            if pass + 2 >= SHEET_PASSES && number % (order.len() / 8).max(1) == 0 {
                mean.add(&weights);
            }
        }
        let right = sheets.iter().filter(|sheet| sheet.is_first(&weights)).count();
        eprintln!(
            "sheets, pass {}: log-likelihood {:.4}, true game first in {:.2} %",
            pass + 1,
            likelihood / order.len().max(1) as f64,
            100.0 * right as f64 / sheets.len().max(1) as f64
        );
    }
    mean.value().into_iter().map(|w| w / damped).collect()
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
