//! Measures the database on generated games: building, bytes, look-ups, trees. Checks its answers before it times them.
//!
//! `cargo bench --bench index` takes 20,000 games; `YIPU_BENCH_GAMES=1000000` any other number, `YIPU_BENCH_DB=folder`
//! keeps the database (and uses it again when it holds that many games). Games come from `tools/generator.rs` and are
//! handed over in memory, so reading PGN is not part of these figures; `tools/bench/README.md` has those of the whole
//! program.

#[path = "../generator.rs"]
#[allow(dead_code)]
mod generator;

use generator::{Book, Random, Recipe};
use rayon::prelude::*;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use yipu::board::Position;
use yipu::explore::{TreeOptions, tree};
use yipu::format::{ReadGame, Status};
use yipu::store::{Database, Hit, Prepared, Writer, WriterOptions};

const PLIES: usize = 80;

fn main() {
    let games: u64 = std::env::var("YIPU_BENCH_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = std::env::var_os("YIPU_BENCH_DB").map_or_else(|| scratch.path().join("db"), PathBuf::from);
    let book = Book::usual();
    let recipe = Recipe { seed: 1, plies: PLIES, exact: true, players: 5000 };
    if !Database::open(&folder).is_ok_and(|database| u64::from(database.games()) == games) {
        build(&folder, &recipe, &book, games);
    }
    let begin = Instant::now();
    let database = Database::open(&folder).expect("the database opens");
    println!("open: {:?}, {} segments", begin.elapsed(), database.segment_count());
    let positions = database.positions() as f64;
    println!(
        "bytes: {:.2} a position, {:.0} a game",
        database.position_bytes() as f64 / positions,
        database.bytes() as f64 / f64::from(database.games())
    );
    look_up(&database, &recipe, &book, games);
    trees(&database, &recipe, &book, games);
}

fn build(folder: &std::path::Path, recipe: &Recipe, book: &Book, games: u64) {
    let mut writer = Writer::open(folder, WriterOptions::default()).expect("a new database");
    let (mut preparing, mut adding) = (Duration::ZERO, Duration::ZERO);
    let chunk = 20_000;
    for first in (1..=games).step_by(chunk as usize) {
        let last = (first + chunk - 1).min(games);
        let chunk: Vec<ReadGame> = (first..=last)
            .into_par_iter()
            .map(|number| {
                let game = generator::game(recipe, book, number);
                ReadGame { game, number, encoding: "utf-8", status: Status::Ok, findings: Vec::new() }
            })
            .collect();
        let begin = Instant::now();
        let prepared: Vec<Prepared> = chunk.into_par_iter().map(Prepared::new).collect();
        preparing += begin.elapsed();
        let begin = Instant::now();
        for game in prepared {
            writer.add(game, "generated.pgn").expect("a game is added");
        }
        adding += begin.elapsed();
    }
    let begin = Instant::now();
    writer.commit().expect("the last batch");
    adding += begin.elapsed();
    let all = (preparing + adding).as_secs_f64();
    println!(
        "index, games in memory, {} threads: {games} games, preparing {preparing:.1?}, adding {adding:.1?}: {:.0} games/s",
        rayon::current_num_threads(),
        games as f64 / all
    );
}

/// Positions of games drawn at random.
fn samples(recipe: &Recipe, book: &Book, games: u64, plies: std::ops::Range<usize>) -> Vec<(u32, Position)> {
    let mut random = Random::new(99, 0);
    (0..2000)
        .map(|_| {
            let number = 1 + random.below(games as usize) as u64;
            let game = generator::game(recipe, book, number);
            let ply = plies.start + random.below(plies.len());
            (number as u32, game.position_at(ply))
        })
        .collect()
}

fn look_up(database: &Database, recipe: &Recipe, book: &Book, games: u64) {
    for (name, plies) in [("opening", 0..12), ("late", 30..79)] {
        let samples = samples(recipe, book, games, plies);
        for (number, position) in samples.iter().filter(|sample| sample.1.round() > 12).take(200) {
            let mut hits = database.hits(position, false).map(|hit| hit.expect("the files are whole"));
            assert!(hits.any(|hit| hit.game == *number), "game {number} is not found");
        }
        for mirror in [false, true] {
            let mut best = Duration::MAX;
            for _ in 0..5 {
                let begin = Instant::now();
                let found = samples.iter().filter_map(|(_, position)| database.hits(position, mirror).next());
                let found: Vec<Hit> = found.map(|hit| hit.expect("the files are whole")).collect();
                best = best.min(begin.elapsed());
                assert_eq!(found.len(), samples.len());
            }
            println!("first proved hit, {name} positions, mirror {mirror}: {:.2?}", best / samples.len() as u32);
        }
    }
}

fn trees(database: &Database, recipe: &Recipe, book: &Book, games: u64) {
    let start = Position::start();
    let time = |name: &str, positions: &[(u32, Position)]| {
        let mut best = Duration::MAX;
        for _ in 0..5 {
            let begin = Instant::now();
            for (_, position) in positions {
                let tree = tree(database, position, &TreeOptions::default()).expect("the files are whole");
                assert!(tree.all.games() > 0);
            }
            best = best.min(begin.elapsed());
        }
        println!("tree, {name}: {:.2?}", best / positions.len() as u32);
    };
    let all = tree(database, &start, &TreeOptions::default()).expect("the files are whole");
    assert_eq!(all.all.games(), games);
    assert_eq!(all.moves.iter().map(|(_, score)| score.games()).sum::<u64>() + all.ended, games);
    time("start position", &[(0, start)]);
    time("positions after 1-12 plies", &samples(recipe, book, games, 1..12));
    time("positions after 30-79 plies", &samples(recipe, book, games, 30..79));
}
