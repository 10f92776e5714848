//! Compares the library's move generator with the slow one of `reference.rs` on random play:
//! `cargo run --release --example compare -- 100000`.

#[path = "reference.rs"]
mod reference;

use yipu::board::Position;

fn main() {
    let wanted: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let mut seed = 20_260_101u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let (mut compared, mut games) = (0, 0);
    while compared < wanted {
        let mut position = Position::start();
        games += 1;
        for _ in 0..200 {
            let fast = position.legal_moves();
            let slow = reference::Board::from_fen(&position.to_fen()).legal_moves();
            let fast_text: Vec<String> = fast.iter().map(ToString::to_string).collect();
            assert_eq!(fast_text, slow, "{position:?}");
            compared += 1;
            if fast.is_empty() {
                break;
            }
            position.play(fast[random(fast.len())]);
        }
    }
    println!("{compared} positions of {games} random games: the same legal moves");
}
