//! Zobrist keys: one number for board and side to move, kept move by move, and the same for the mirror image.
//!
//! Keys are stored in databases, so they must never change: the constants come from a fixed formula (splitmix64 from a
//! fixed seed) and `tests/data/zobrist.csv` holds keys of known positions.

use super::piece::{Color, Piece};
use super::position::Position;
use super::square::{Move, Square};

/// Zobrist key of a position: board and side to move; not the counters.
pub type Key = u64;

const SEED: u64 = 0x7969_7075_5F5A_4F42; // "yipu_ZOB"

const fn splitmix64(counter: u64) -> u64 {
    let mut z = SEED.wrapping_add(counter.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The number of a piece (by [`Piece::index`]) on a square.
const fn number(piece: usize, square: usize) -> u64 {
    splitmix64((piece * Square::COUNT + square + 1) as u64)
}

/// For each piece on each square its number and that of its mirror image.
static PIECES: [[(u64, u64); Square::COUNT]; 14] = {
    let mut table = [[(0, 0); Square::COUNT]; 14];
    let mut piece = 0;
    while piece < 14 {
        let mut square = 0;
        while square < Square::COUNT {
            let mirror = Square::known(square as u8).mirror().index();
            table[piece][square] = (number(piece, square), number(piece, mirror));
            square += 1;
        }
        piece += 1;
    }
    table
};

const BLACK_TO_MOVE: u64 = splitmix64(14 * Square::COUNT as u64 + 1);

/// What a piece on a square adds to the key, and to the key of the mirror image.
#[inline]
pub(super) fn piece_keys(piece: Piece, square: Square) -> (Key, Key) {
    PIECES[piece.index()][square.index()]
}

#[inline]
pub(super) const fn side_key(color: Color) -> Key {
    match color {
        Color::Red => 0,
        Color::Black => BLACK_TO_MOVE,
    }
}

/// The keys of the positions of one line, with as much of each [`Position`] as they need.
#[derive(Clone, Debug)]
pub struct Keys {
    board: [Option<Piece>; Square::COUNT],
    side: Color,
    key: Key,
    mirror_key: Key,
}

impl Keys {
    /// Before the first ply.
    pub fn of(start: &Position) -> Keys {
        Keys { board: start.board, side: start.side_to_move(), key: start.key(), mirror_key: start.mirror_key() }
    }

    /// As [`Position::canonical_key`].
    #[inline]
    pub const fn canonical(&self) -> (Key, bool) {
        if self.mirror_key < self.key { (self.mirror_key, true) } else { (self.key, false) }
    }

    /// What stands on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// All pieces, from `a0` rank by rank.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> {
        self.board.iter().copied().flatten()
    }

    /// As [`Position::play`]; gives what stood on the to-square.
    #[inline]
    pub fn play(&mut self, m: Move) -> Option<Piece> {
        self.change((BLACK_TO_MOVE, BLACK_TO_MOVE));
        self.side = !self.side;
        let (from, to) = (m.from(), m.to());
        let captured = self.board[to.index()];
        if from != to
            && let Some(piece) = self.board[from.index()].take()
        {
            self.change(piece_keys(piece, from));
            self.change(piece_keys(piece, to));
            if let Some(captured) = captured {
                self.change(piece_keys(captured, to));
            }
            self.board[to.index()] = Some(piece);
        }
        captured
    }

    /// Whether the line stands at this position.
    pub fn is_at(&self, position: &Position) -> bool {
        self.key == position.key() && self.side == position.side_to_move() && self.board == position.board
    }

    /// The position, its counters at the beginning.
    pub fn position(&self) -> Position {
        let mut position = Position::empty(self.side);
        for (square, piece) in Square::all().zip(self.board) {
            if piece.is_some() {
                position.put(square, piece);
            }
        }
        position
    }

    #[inline]
    fn change(&mut self, (key, mirror_key): (Key, Key)) {
        self.key ^= key;
        self.mirror_key ^= mirror_key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_along_a_line_are_those_of_its_positions() {
        let mut seed = 3u32;
        for _ in 0..20 {
            let mut position = Position::start();
            let mut keys = Keys::of(&position);
            for ply in 0..150 {
                assert_eq!(keys.canonical(), position.canonical_key());
                assert!(keys.is_at(&position) && keys.position() == position);
                let legal = position.legal_moves();
                let Some(count) = std::num::NonZero::new(legal.len()) else { break };
                seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
                // Now and then a move that is none, as damaged files may hold.
                let m = match ply % 40 {
                    39 => Move::new(legal[0].to(), legal[0].to()),
                    38 => Move::new(Square::known(40), Square::known((seed >> 16) as u8 % 90)),
                    _ => legal[(seed >> 16) as usize % count],
                };
                if position.piece_at(m.to()).is_some_and(|piece| piece.kind() == super::super::piece::Kind::King) {
                    break;
                }
                assert_eq!(keys.piece_at(m.from()), position.piece_at(m.from()));
                assert_eq!(keys.play(m), position.play(m).captured());
            }
        }
    }
}
