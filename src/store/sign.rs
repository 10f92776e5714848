//! What can be on the board in a game: a row of thirteen words a game, by which games are ruled out of a search on the
//! board without being played through.
//!
//! Comes in: the main line as it is prepared. Goes out: a [`Sign`], and later, for a search, [`SignRef`] rows to test
//! against masks. The bounds are exact in one direction: what a sign rules out never happens in the game. They rest on
//! the rules: the number of pieces only falls, so the end of the game has the fewest of each kind; a soldier never steps
//! back, so it reaches each rank at most once; and a piece that stands on a square has come there at some time.
//!
//! | bits | hold |
//! |---|---|
//! | words 0–10 | for each piece and each square it may stand on: whether one of its kind ever stood there |
//! | word 11, bits 0–27 | how many of each kind are left at the end |
//! | word 11, bits 28–57 | how many soldiers of each side ever reached its fifth to tenth rank (the five beyond the river) |
//! | word 11, bits 58, 59 | a piece stood where its kind cannot stand; the game has a start of its own |
//! | word 12 | which kinds took which |
//!
//! It forgives arrangements no game can have: pieces on squares their kind cannot reach set a flag, and such a game is
//! never ruled out.

use crate::board::{Color, Kind, Move, Piece, Position, Square};
use std::sync::LazyLock;

/// Words of a sign.
const WORDS: usize = 13;
/// Bytes of a sign on disk.
pub(super) const SIGN: usize = WORDS * 8;
const SQUARES: usize = Square::COUNT;
const NONE: u16 = u16::MAX;
const ENDS: usize = 11;
const CAPTURES: usize = 12;
const ODD: u64 = 1 << 58;
const OWN_START: u64 = 1 << 59;

/// Bit of a piece (by [`Piece::index`]) on a square.
static BITS: [[u16; SQUARES]; 14] = bits();

const fn bits() -> [[u16; SQUARES]; 14] {
    let mut table = [[NONE; SQUARES]; 14];
    let (mut piece, mut next) = (0, 0u16);
    while piece < 14 {
        let color = if piece < 7 { Color::Red } else { Color::Black };
        let mut square = 0;
        while square < SQUARES {
            if let Some(at) = Square::from_index(square)
                && at.allows(Kind::ALL[piece % 7], color)
            {
                table[piece][square] = next;
                next += 1;
            }
            square += 1;
        }
        piece += 1;
    }
    assert!(next as usize <= ENDS * 64, "the squares do not fit");
    table
}

/// Where in word 11 the number left of a piece lies, and how many bits it has.
const fn end_field(piece: usize) -> (u32, u32) {
    let kind = piece % 7;
    let width = match kind {
        0 => 1,
        6 => 3,
        _ => 2,
    };
    let before = if kind == 0 { 0 } else { 1 + (kind as u32 - 1) * 2 };
    ((piece / 7) as u32 * 14 + before, width)
}

/// Where in word 11 the number of soldiers lies that reached a rank (as the side counts it, from 0); three bits.
const fn reach_field(color: Color, rank: u8) -> u32 {
    28 + color.index() as u32 * 15 + (rank as u32 - 5) * 3
}

/// Bit in word 12 of a capture; king, advisor and elephant share one as takers.
const fn capture_bit(color: Color, taker: Kind, taken: Kind) -> u32 {
    let taker = match taker {
        Kind::King | Kind::Advisor | Kind::Elephant => 0,
        other => other.index() as u32 - 2,
    };
    let taken = match taken {
        // A taken king is no game of chess; it counts as an advisor.
        Kind::King => 0,
        other => other.index() as u32 - 1,
    };
    color.index() as u32 * 30 + taker * 6 + taken
}

/// The sign of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sign([u64; WORDS]);

/// Collects a sign while a line is played.
#[derive(Clone, Debug)]
pub(super) struct SignBuilder {
    words: [u64; WORDS],
    /// Soldiers that reached a rank, by side and rank.
    reached: [[u8; 10]; 2],
}

impl SignBuilder {
    /// For a line from this position, which is the usual start or the game's own.
    pub fn new(start: &Position, own_start: bool) -> SignBuilder {
        static USUAL: LazyLock<SignBuilder> = LazyLock::new(|| SignBuilder::of(&Position::start(), false));
        if own_start { SignBuilder::of(start, true) } else { USUAL.clone() }
    }

    fn of(start: &Position, own_start: bool) -> SignBuilder {
        let mut sign = SignBuilder { words: [0; WORDS], reached: [[0; 10]; 2] };
        if own_start {
            sign.words[ENDS] |= OWN_START;
        }
        for (square, piece) in start.pieces() {
            sign.stands(piece, square);
            if piece.kind() == Kind::Pawn {
                let reached = &mut sign.reached[piece.color().index()];
                (0..=square.rank_for(piece.color())).for_each(|rank| reached[usize::from(rank)] += 1);
            }
        }
        sign
    }

    #[inline]
    fn stands(&mut self, piece: Piece, square: Square) {
        match BITS[piece.index()][square.index()] {
            NONE => self.words[ENDS] |= ODD,
            bit => self.words[usize::from(bit >> 6)] |= 1 << (bit & 63),
        }
    }

    /// A move of the line, with what made it and what it took.
    #[inline]
    pub fn play(&mut self, m: Move, mover: Option<Piece>, taken: Option<Piece>) {
        let Some(piece) = mover.filter(|_| m.from() != m.to()) else { return };
        self.stands(piece, m.to());
        if piece.kind() == Kind::Pawn && m.from().rank() != m.to().rank() {
            let rank = m.to().rank_for(piece.color());
            let reached = &mut self.reached[piece.color().index()];
            for rank in m.from().rank_for(piece.color()) + 1..=rank {
                reached[usize::from(rank)] = reached[usize::from(rank)].saturating_add(1);
            }
        }
        if let Some(taken) = taken {
            if taken.color() == piece.color() {
                self.words[ENDS] |= ODD;
            }
            self.words[CAPTURES] |= 1 << capture_bit(piece.color(), piece.kind(), taken.kind());
        }
    }

    /// The line ends, with these pieces on the board.
    pub fn finish(mut self, end: impl Iterator<Item = Piece>) -> Sign {
        let mut counts = [0u64; 14];
        end.for_each(|piece| counts[piece.index()] += 1);
        for (piece, count) in counts.into_iter().enumerate() {
            let (at, width) = end_field(piece);
            self.words[ENDS] |= count.min((1 << width) - 1) << at;
        }
        for color in Color::ALL {
            for rank in 5..10u8 {
                let count = u64::from(self.reached[color.index()][usize::from(rank)].min(7));
                self.words[ENDS] |= count << reach_field(color, rank);
            }
        }
        Sign(self.words)
    }
}

impl Sign {
    /// As it is written.
    pub(super) fn to_bytes(&self) -> [u8; SIGN] {
        let mut bytes = [0; SIGN];
        for (eight, word) in bytes.chunks_exact_mut(8).zip(self.0) {
            eight.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}

/// A sign as it lies in its file.
#[derive(Clone, Copy, Debug)]
pub struct SignRef<'a>(pub(super) &'a [u8]);

impl SignRef<'_> {
    #[inline]
    fn word(self, n: usize) -> u64 {
        self.0.get(n * 8..n * 8 + 8).and_then(|eight| eight.try_into().ok()).map_or(!0, u64::from_le_bytes)
    }

    /// On how many of the squares of a mask a piece of its kind ever stood.
    #[inline]
    pub fn stood(self, mask: &SignMask) -> u32 {
        mask.0.iter().map(|&(word, bits)| (self.word(word) & bits).count_ones()).sum()
    }

    /// Whether any piece of the mask ever stood on one of its squares.
    #[inline]
    pub fn stood_any(self, mask: &SignMask) -> bool {
        mask.0.iter().any(|&(word, bits)| self.word(word) & bits != 0)
    }

    /// How many pieces of a kind are left at the end; never more than there are.
    #[inline]
    pub fn left(self, piece: Piece) -> u32 {
        let (at, width) = end_field(piece.index());
        (self.word(ENDS) >> at) as u32 & ((1 << width) - 1)
    }

    /// Whether [`SignRef::left`] is the number itself.
    #[inline]
    pub fn left_is_exact(self, piece: Piece) -> bool {
        let (_, width) = end_field(piece.index());
        width == 1 || self.left(piece) < (1 << width) - 1
    }

    /// How many soldiers of a side ever reached a rank (as the side counts it, from 0); `None` if that bounds nothing.
    #[inline]
    pub fn reached(self, color: Color, rank: u8) -> Option<u32> {
        let count = match rank {
            5..10 => (self.word(ENDS) >> reach_field(color, rank)) as u32 & 7,
            _ => return None,
        };
        (count < 7).then_some(count)
    }

    /// Whether one of the captures of the mask was made.
    #[inline]
    pub fn took_any(self, mask: CaptureMask) -> bool {
        self.word(CAPTURES) & mask.bits != 0
    }

    /// Whether a piece stood where its kind cannot stand: then the sign bounds nothing.
    #[inline]
    pub fn is_odd(self) -> bool {
        self.word(ENDS) & ODD != 0
    }

    /// Whether the game has a start of its own.
    #[inline]
    pub fn has_own_start(self) -> bool {
        self.word(ENDS) & OWN_START != 0
    }
}

/// Pieces on squares, as bits of signs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SignMask(Vec<(usize, u64)>);

impl SignMask {
    /// For pieces on squares (bits by [`Square::index`]).
    pub fn new(pieces: impl IntoIterator<Item = Piece>, squares: u128) -> SignMask {
        let mut words = [0u64; ENDS];
        for piece in pieces {
            for square in Square::all().filter(|square| squares >> square.index() & 1 == 1) {
                let bit = BITS[piece.index()][square.index()];
                if bit != NONE {
                    words[usize::from(bit >> 6)] |= 1 << (bit & 63);
                }
            }
        }
        SignMask((0..ENDS).zip(words).filter(|(_, bits)| *bits != 0).collect())
    }
}

/// Captures, as bits of signs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaptureMask {
    bits: u64,
    /// Whether every bit stands for captures that were asked for alone.
    pub exact: bool,
}

impl CaptureMask {
    /// For captures by a kind (or any) of a kind (or any) by a side (or either).
    pub fn new(by: Option<Kind>, taken: Option<Kind>, side: Option<Color>) -> CaptureMask {
        let mut bits = 0;
        let is = |wanted: Option<Kind>, kind| wanted.is_none_or(|wanted| wanted == kind);
        for color in Color::ALL.into_iter().filter(|color| side.is_none_or(|side| side == *color)) {
            for taker in Kind::ALL.into_iter().filter(|kind| is(by, *kind)) {
                for victim in Kind::ALL.into_iter().filter(|kind| is(taken, *kind)) {
                    bits |= 1 << capture_bit(color, taker, victim);
                }
            }
        }
        let shared = |kind| matches!(kind, Some(Kind::King | Kind::Advisor | Kind::Elephant));
        CaptureMask { bits, exact: !shared(by) && !matches!(taken, Some(Kind::King | Kind::Advisor)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sign(start: &str, moves: &str) -> Vec<u8> {
        let start = Position::from_fen(start).unwrap();
        let mut builder = SignBuilder::new(&start, start != Position::start());
        let mut position = start;
        for m in moves.split_whitespace().map(|m| m.parse::<Move>().unwrap()) {
            let mover = position.piece_at(m.from());
            let taken = position.play(m).captured();
            builder.play(m, mover, taken);
        }
        builder.finish(position.pieces().map(|(_, piece)| piece)).to_bytes().to_vec()
    }

    fn mask(letter: char, square: &str) -> SignMask {
        let square: Square = square.parse().unwrap();
        SignMask::new(Piece::from_letter(letter), 1 << square.index())
    }

    #[test]
    fn a_sign_knows_where_pieces_stood_what_is_left_and_what_was_taken() {
        let bytes = sign("startpos", "h2e2 h9g7 h0g2 i9h9 e2e6 g7e6 g3g4 c6c5 g4g5 c5c4 g5g6");
        let sign = SignRef(&bytes);
        for (letter, square, stood) in [
            ('C', "e2", true),
            ('C', "h2", true),
            ('C', "e6", true),
            ('n', "e6", true),
            ('N', "e6", false),
            ('P', "g6", true),
            ('P', "c5", false),
            ('p', "c4", true),
            ('K', "e0", true),
            ('K', "e1", false),
        ] {
            assert_eq!(sign.stood_any(&mask(letter, square)), stood, "{letter}@{square}");
        }
        let piece = |letter| Piece::from_letter(letter).unwrap();
        assert_eq!((sign.left(piece('C')), sign.left(piece('p')), sign.left(piece('n'))), (1, 3, 2));
        let reached = |color| (5..10).map(|rank| sign.reached(color, rank)).collect::<Vec<_>>();
        assert_eq!(reached(Color::Red), [Some(1), Some(1), Some(0), Some(0), Some(0)]);
        assert_eq!(reached(Color::Black), [Some(1), Some(0), Some(0), Some(0), Some(0)]);
        let took = |by, taken, side| sign.took_any(CaptureMask::new(Some(by), Some(taken), side));
        assert!(took(Kind::Cannon, Kind::Pawn, None) && took(Kind::Horse, Kind::Cannon, Some(Color::Black)));
        assert!(!took(Kind::Horse, Kind::Cannon, Some(Color::Red)) && !took(Kind::Rook, Kind::Pawn, None));
        assert!(!sign.is_odd() && !sign.has_own_start());
    }

    #[test]
    fn arrangements_no_game_can_have_bound_nothing() {
        let bytes = sign("4k4/9/9/9/9/9/9/9/4K4/P7A w", "a0a1");
        let sign = SignRef(&bytes);
        assert!(sign.is_odd() && sign.has_own_start());
        let many = self::sign("RRRRk4/RRRR5/9/9/PPPPPPPPP/9/9/9/4K4/9 w", "a9a8");
        let sign = SignRef(&many);
        assert!(sign.left(Piece::from_letter('R').unwrap()) == 3 && sign.reached(Color::Red, 5).is_none());
    }
}
