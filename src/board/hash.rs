//! Zobrist keys: one number for board and side to move, kept move by move, and the same for the mirror image.
//!
//! Keys are stored in databases, so they must never change: the constants come from a fixed formula (splitmix64 from a
//! fixed seed) and `tests/data/zobrist.csv` holds keys of known positions.

use super::piece::{Color, Piece};
use super::square::Square;

/// Zobrist key of a position: board and side to move; not the counters.
pub type Key = u64;

const SEED: u64 = 0x7969_7075_5F5A_4F42; // "yipu_ZOB"

const fn splitmix64(counter: u64) -> u64 {
    let mut z = SEED.wrapping_add(counter.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Number for each piece (by [`Piece::index`]) on each square.
static PIECES: [[u64; Square::COUNT]; 14] = {
    let mut table = [[0; Square::COUNT]; 14];
    let mut piece = 0;
    while piece < 14 {
        let mut square = 0;
        while square < Square::COUNT {
            table[piece][square] = splitmix64((piece * Square::COUNT + square + 1) as u64);
            square += 1;
        }
        piece += 1;
    }
    table
};

const BLACK_TO_MOVE: u64 = splitmix64(14 * Square::COUNT as u64 + 1);

#[inline]
pub(super) fn piece_key(piece: Piece, square: Square) -> Key {
    PIECES[piece.index()][square.index()]
}

#[inline]
pub(super) const fn side_key(color: Color) -> Key {
    match color {
        Color::Red => 0,
        Color::Black => BLACK_TO_MOVE,
    }
}
