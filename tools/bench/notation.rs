//! How long reading a move takes: token alone, token and candidates, whole records.
//!
//! The corpus is made here: 64 games of 100 plies of pseudo-random legal play (fixed seed), so that it can be made again
//! anywhere; random play has more doubled pieces and checks than real play. Every figure is per move. Run with
//! `cargo bench --bench notation`.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use yipu::board::{Move, Position};
use yipu::notation::{Dialect, Notation, Style, read_move, resolve, write_move};
use yipu::replay::{Entry, Event, Options, build};

struct Ply {
    position: Position,
    m: Move,
    text: String,
}

fn games(style: &Style) -> Vec<Vec<Ply>> {
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below as u64) as usize
    };
    let mut games = Vec::new();
    while games.len() < 64 {
        let mut position = Position::start();
        let mut game = Vec::new();
        for _ in 0..100 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[random(moves.len())];
            let mut text = String::new();
            write_move(m, &position, style, &mut text);
            game.push(Ply { position, m, text });
            position.play(m);
        }
        games.push(game);
    }
    games
}

fn entries(texts: &[String]) -> Vec<Entry<'_>> {
    texts
        .iter()
        .map(|text| Entry { at: 0, event: Event::Move { token: read_move(text).expect("a move").0, text } })
        .collect()
}

fn measure(c: &mut Criterion) {
    let styles = [Notation::Chinese, Notation::Wxf, Notation::Iccs, Notation::Uci].map(Style::of);
    for style in &styles {
        let games = games(style);
        let plies: Vec<&Ply> = games.iter().flatten().collect();
        let mut group = c.benchmark_group(style.notation.name());
        group.throughput(Throughput::Elements(plies.len() as u64));
        for dialect in [Dialect::OPEN, style.dialect()] {
            for ply in &plies {
                let (token, _) = read_move(&ply.text).expect("a move");
                assert!(resolve(&token, &ply.position, dialect).contains(&ply.m));
            }
        }
        group.bench_function("token", |b| {
            b.iter(|| plies.iter().filter(|ply| read_move(black_box(&ply.text)).is_some()).count());
        });
        group.bench_function("token and candidates", |b| {
            b.iter(|| {
                let mut sum = 0usize;
                for ply in &plies {
                    if let Some((token, _)) = read_move(black_box(&ply.text)) {
                        sum += resolve(&token, &ply.position, Dialect::OPEN).len();
                    }
                }
                sum
            });
        });
        let texts: Vec<Vec<String>> =
            games.iter().map(|game| game.iter().map(|ply| ply.text.clone()).collect()).collect();
        for (game, texts) in games.iter().zip(&texts) {
            let built = build(&Position::start(), &entries(texts), &Options::default());
            assert_eq!(built.plies as usize, game.len());
        }
        group.bench_function("read and replay", |b| {
            b.iter(|| {
                let mut plies = 0;
                for texts in &texts {
                    plies += build(&Position::start(), &entries(black_box(texts)), &Options::default()).plies;
                }
                plies
            });
        });
        let made: Vec<Vec<Entry<'_>>> = texts.iter().map(|texts| entries(texts)).collect();
        group.bench_function("replay", |b| {
            b.iter_batched(
                || (),
                |()| made.iter().map(|e| build(&Position::start(), e, &Options::default()).plies).sum::<u32>(),
                BatchSize::SmallInput,
            );
        });
        group.bench_function("write", |b| {
            let mut out = String::new();
            b.iter(|| {
                out.clear();
                for ply in &plies {
                    write_move(ply.m, &ply.position, style, &mut out);
                }
                out.len()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, measure);
criterion_main!(benches);
