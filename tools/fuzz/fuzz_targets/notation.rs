//! Any text as written moves. Run: `RUSTC_BOOTSTRAP=1 cargo fuzz run --fuzz-dir tools/fuzz notation`.
//!
//! Asserted: reading and resolving never panic; the bytes used end at a character; candidates are legal moves, in order,
//! without doubles; a text read whole reads the same without what follows it; what a candidate is written as reads back to
//! it; a row of such texts replays to legal plies only and keeps what it could not read.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;
use yipu::board::{Move, Position};
use yipu::notation::{
    Dialect, Notation, Style, explain, looks_like_move, read_move, read_whole, resolve, resolve_unsafe, write_move,
};
use yipu::replay::{Entry, Event, Options, build};

/// Positions with doubled pieces of all kinds.
const FENS: [&str; 4] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
    "4k4/9/6P2/2P3P2/2P3P2/9/9/9/9/5K3 w",
    "3k5/9/4R4/4R4/9/3c5/3c5/9/4N4/3AKN3 b",
    "3k2P2/6P2/6P2/6P2/6P2/9/9/9/9/5K3 w",
];

thread_local! {
    static POSITIONS: RefCell<Vec<Position>> =
        RefCell::new(FENS.iter().map(|fen| Position::from_fen(fen).expect("a sound FEN")).collect());
}

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    if let Ok(board) = yipu::diagram::read_board(&text) {
        assert!(text.get(board.range).is_some());
    }
    POSITIONS.with_borrow(|positions| {
        for position in positions {
            one(&text, position);
        }
        row(&text, &positions[0]);
    });
});

fn one(text: &str, position: &Position) {
    let _ = looks_like_move(text);
    let whole = read_whole(text);
    let Some((token, used)) = read_move(text) else {
        assert!(whole.is_none_or(|token| resolve(&token, position, Dialect::OPEN).len() < 46));
        return;
    };
    assert!(used > 0 && text.is_char_boundary(used));
    let asked = [Dialect::VIETNAMESE, Dialect::FILES_FROM_0].map(|answer| Dialect::OPEN.settled(answer));
    for dialect in [Dialect::OPEN, Dialect::COMMON].into_iter().chain(asked) {
        let candidates = resolve(&token, position, dialect);
        assert!(candidates.windows(2).all(|pair| pair[0] < pair[1]));
        let legal = position.legal_moves();
        for m in candidates.iter() {
            assert!(legal.contains(m), "{text}: {m}");
        }
        if let Some(m) = candidates.single() {
            back(m, position);
        }
        if candidates.is_empty() {
            let explanation = explain(&token, position, dialect);
            assert!(explanation.nearest.iter().chain(&explanation.of_piece).all(|m| legal.contains(m)));
            let _ = (explanation.reason.to_string(), explanation.reason.in_chinese());
        }
        let _ = resolve_unsafe(&token, position, dialect);
    }
}

fn back(m: Move, position: &Position) {
    for notation in Notation::ALL {
        let style = Style::of(notation);
        let mut text = String::new();
        write_move(m, position, &style, &mut text);
        let token = read_whole(&text).expect("what is written is read");
        for dialect in [style.dialect(), Dialect::OPEN] {
            assert_eq!(resolve(&token, position, dialect).single(), Some(m), "{text}");
        }
    }
}

fn row(text: &str, start: &Position) {
    let mut entries = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let at = (text.len() - rest.len()) as u32;
        let (event, used) = match (c, read_move(rest)) {
            ('(', _) => (Event::Open, 1),
            (')', _) => (Event::Close, 1),
            ('!', _) => (Event::Mark(1), 1),
            ('{', _) => (Event::Comment(rest), c.len_utf8()),
            (_, Some((token, used))) => (Event::Move { token, text: &rest[..used] }, used),
            _ => (Event::Text(&rest[..c.len_utf8()]), c.len_utf8()),
        };
        entries.push(Entry { at, event });
        rest = &rest[used..];
    }
    let built = build(start, &entries, &Options { source: Some(text), most_boards: 64, ..Options::default() });
    let mut position = built.start;
    for id in built.tree.main_line() {
        let m = built.tree[id].m;
        assert!(position.is_legal(m));
        position.play(m);
    }
    if let Some(stop) = &built.stop {
        assert!(text[stop.at as usize..].trim_start().starts_with(built.rest.get(..1).unwrap_or("")));
        assert_eq!(stop.ply, built.plies + 1);
    }
}
