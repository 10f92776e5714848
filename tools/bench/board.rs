//! Move generation: node counts per second, from known positions whose counts are checked first.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use yipu::board::{Position, START_FEN};

fn perft(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    group.sample_size(10);
    for (name, fen, depth, nodes) in [
        ("start", START_FEN, 4, 3_290_240),
        ("middle", "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1", 4, 1_339_047),
        ("end", "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1", 4, 202_884),
    ] {
        let position = Position::from_fen(fen).expect("a sound FEN");
        assert_eq!(position.perft(depth), nodes, "{name}");
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(name, |b| b.iter(|| black_box(&position).perft(depth)));
    }
    group.finish();
}

fn moves(c: &mut Criterion) {
    let position =
        Position::from_fen("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w").expect("a sound FEN");
    assert_eq!(position.legal_moves().len(), 38);
    c.bench_function("legal_moves", |b| b.iter(|| black_box(&position).legal_moves().len()));
    let m = position.legal_moves()[20];
    c.bench_function("is_legal", |b| b.iter(|| black_box(&position).is_legal(black_box(m))));
    c.bench_function("play and undo", |b| {
        let mut position = position;
        b.iter(|| {
            let undo = position.play(black_box(m));
            position.undo(m, undo);
            position.key()
        });
    });
}

criterion_group!(benches, perft, moves);
criterion_main!(benches);
