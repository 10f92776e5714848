//! Writes collections of games as Chinese PGN, as many as asked for, the same for the same seed.
//!
//! ```text
//! cargo run --release --example generate -- --games 1000000 --encoding gbk -o million.pgn
//! cargo run --release --example generate -- --games 5000 --book my-games/ -o like-mine.pgn
//! cargo run --release --example generate -- --plain --games 1000 -o plain.pgn
//! ```

mod generator;

use anyhow::{Context, anyhow};
use clap::Parser;
use generator::{Book, Recipe};
use rayon::prelude::*;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use yipu::format::{Format, WriteOptions};
use yipu::pipeline::{self, Event};

/// Write a collection of generated games.
#[derive(Debug, Parser)]
struct Args {
    /// How many games
    #[arg(long, default_value_t = 1000)]
    games: u64,

    /// Number of the first game
    #[arg(long, default_value_t = 1)]
    from: u64,

    /// Other seeds give other games
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Length of a game in plies
    #[arg(long, default_value_t = 80)]
    plies: usize,

    /// Lengths vary around it
    #[arg(long)]
    vary: bool,

    /// How many players there are
    #[arg(long, default_value_t = 5000)]
    players: usize,

    /// Records to take the openings from
    #[arg(long, value_name = "PATH")]
    book: Vec<PathBuf>,

    /// Plies of a game that go into the book
    #[arg(long, default_value_t = 24)]
    book_plies: usize,

    /// The plain row of games: legal moves picked by a linear congruential generator, for tests
    #[arg(long)]
    plain: bool,

    /// Encoding of the file
    #[arg(long, default_value = "utf-8")]
    encoding: String,

    /// File to write
    #[arg(short, long, value_name = "OUT")]
    out: PathBuf,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let encoding = match encoding_rs::Encoding::for_label(args.encoding.as_bytes()) {
        Some(encoding) if encoding == encoding_rs::GBK => encoding_rs::GB18030,
        Some(encoding) => encoding,
        None => return Err(anyhow!("no encoding is called {}", args.encoding)),
    };
    let book = if args.book.is_empty() { Book::usual() } else { learn(&args.book, args.book_plies)? };
    let recipe = Recipe { seed: args.seed, plies: args.plies, exact: !args.vary, players: args.players };
    let writer = yipu::format::writer(Format::Pgn).context("no PGN writer")?;
    let options = WriteOptions { encoding, ..WriteOptions::default() };
    let file = std::fs::File::create(&args.out).with_context(|| args.out.display().to_string())?;
    let mut file = std::io::BufWriter::with_capacity(1 << 20, file);
    let end = args.from + args.games;
    let mut first = args.from;
    while first < end {
        let last = (first + 20_000).min(end);
        let texts: Vec<Vec<u8>> = (first..last)
            .into_par_iter()
            .map(|number| {
                let game =
                    if args.plain { generator::plain_game(number) } else { generator::game(&recipe, &book, number) };
                let mut text = Vec::new();
                let lost = writer.write(&game, &options, &mut text);
                assert!(lost.is_empty(), "a generated game cannot be written: {lost:?}");
                text
            })
            .collect();
        for text in texts {
            file.write_all(&text)?;
        }
        first = last;
    }
    file.flush()?;
    Ok(())
}

/// A book of the games below the paths.
fn learn(paths: &[PathBuf], plies: usize) -> anyhow::Result<Book> {
    let mut book = Book::default();
    let mut games = 0u64;
    let inputs: Vec<_> = yipu::input::walk(paths, &mut |finding| eprintln!("{finding}")).collect();
    pipeline::run(
        inputs.into_iter(),
        &pipeline::Options::default(),
        &AtomicBool::new(false),
        |read| read,
        |event| {
            if let Event::Game(read) = event {
                games += 1;
                book.add(&read.game, plies);
            }
            Ok::<(), anyhow::Error>(())
        },
    )?;
    if games == 0 {
        return Err(anyhow!("no games to take openings from"));
    }
    Ok(book)
}
