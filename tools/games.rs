//! Real games for the tools: every full game from the normal start, once.

use rayon::prelude::*;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use yipu::board::{Move, Position};
use yipu::format::{Detected, ReadOptions, Source, Status, detect};
use yipu::game::{Game, GameResult, Name};

/// Games shorter than this are fragments.
const FEWEST_PLIES: usize = 20;

/// Reads every game below a folder, in a fixed order. `named`: only games of two named players with a result, which
/// leaves out lines of opening books.
pub fn load(folder: &Path, named: bool) -> Vec<Vec<Move>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    let games: Vec<Vec<Vec<Move>>> = files.par_iter().map(|file| read(file, named)).collect();
    let mut seen = HashSet::new();
    games.into_iter().flatten().filter(|game| seen.insert(game.clone())).collect()
}

fn read(file: &PathBuf, named: bool) -> Vec<Vec<Move>> {
    let mut games = Vec::new();
    let Ok(bytes) = std::fs::read(file) else { return games };
    let Detected::Format { reader, .. } = detect(&bytes) else { return games };
    let name = file.display().to_string();
    reader.read(Source::whole(&bytes, &name), &ReadOptions::default(), &mut |read| {
        let moves: Vec<Move> = read.game.moves().collect();
        if read.status == Status::Ok
            && read.game.rest.is_empty()
            && read.game.start == Position::start()
            && moves.len() >= FEWEST_PLIES
            && (!named || is_named(&read.game))
            && is_legal(&moves)
        {
            games.push(moves);
        }
        ControlFlow::Continue(())
    });
    games
}

fn is_named(game: &Game) -> bool {
    game.headers.get(Name::Red).is_some()
        && game.headers.get(Name::Black).is_some()
        && game.result != GameResult::Unknown
}

fn is_legal(moves: &[Move]) -> bool {
    let mut position = Position::start();
    moves.iter().all(|&m| {
        let legal = position.is_legal(m);
        if legal {
            position.play(m);
        }
        legal
    })
}

/// Whether a game is kept for tests. Decided by the position after forty plies, either side left or right: copies of a
/// game that end differently stay together.
#[allow(dead_code)]
pub fn is_test(game: &[Move]) -> bool {
    let mut position = Position::start();
    for &m in game.iter().take(40) {
        position.play(m);
    }
    let key = position.canonical_key().0;
    ((key ^ (key >> 29)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32).is_multiple_of(5)
}

/// A plain generator of random numbers: the same seed gives the same sheets everywhere.
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }

    /// Whether something of this chance happens.
    #[allow(dead_code)]
    pub fn chance(&mut self, chance: f64) -> bool {
        (self.below(1 << 30) as f64) < chance * f64::from(1u32 << 30)
    }

    /// Puts a list in random order.
    #[allow(dead_code)]
    pub fn shuffle(&mut self, list: &mut [usize]) {
        for index in (1..list.len()).rev() {
            list.swap(index, self.below(index + 1));
        }
    }
}
