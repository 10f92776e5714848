//! A position, and what playing moves does to it.

use super::hash::{Key, piece_keys, side_key};
use super::moves::MoveList;
use super::piece::{Color, Kind, Piece};
use super::square::{Move, Square};
use crate::work::{Work, note};

/// Pieces of one colour as bit lines, kept beside the board so that line pieces need no walking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Side {
    /// Bit `rank * 9 + file` for each piece.
    pub all: u128,
    /// For each rank, bit `file`.
    pub rows: [u16; 10],
    /// For each file, bit `rank`.
    pub columns: [u16; 9],
}

impl Side {
    const EMPTY: Side = Side { all: 0, rows: [0; 10], columns: [0; 9] };

    #[inline]
    fn toggle(&mut self, square: Square) {
        self.all ^= square.bit();
        self.rows[square.rank() as usize] ^= 1 << square.file();
        self.columns[square.file() as usize] ^= 1 << square.rank();
    }
}

/// Board, side to move and the two counters.
///
/// Any arrangement of pieces can be held, also impossible ones (records contain them);
/// [`Position::faults`] says what is wrong with it. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Position {
    pub(super) board: [Option<Piece>; Square::COUNT],
    pub(super) sides: [Side; 2],
    pub(super) kings: [Option<Square>; 2],
    pub(super) side: Color,
    key: Key,
    mirror_key: Key,
    quiet_plies: u16,
    round: u16,
}

/// What [`Position::undo`] needs to take a move back.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    captured: Option<Piece>,
    quiet_plies: u16,
}

impl Undo {
    /// The piece the move captured.
    pub const fn captured(self) -> Option<Piece> {
        self.captured
    }
}

/// How a position ends the game by the rules of moving alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// 困毙: the side to move is not in check and has no legal move. It loses.
    NoMove,
}

/// Why a move may not be played, nearest reason first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Illegal {
    /// Nothing stands on the from-square.
    #[error("no piece on {0}")]
    Empty(Square),
    /// The piece on the from-square belongs to the other side.
    #[error("{1} on {0} is not the mover's")]
    NotYours(Square, Piece),
    /// A piece of the mover stands on the to-square.
    #[error("own {1} stands on {0}")]
    OwnPiece(Square, Piece),
    /// The piece does not move that way.
    #[error("a {} does not move so", .0.name())]
    Geometry(Kind),
    /// A piece stands in the way: between, on a horse's leg or an elephant's eye.
    #[error("blocked by the {1} on {0}")]
    Blocked(Square, Piece),
    /// A cannon may only capture over exactly one piece.
    #[error("a cannon captures over exactly one piece, here {0}")]
    Screens(u8),
    /// The move would leave the mover's own general attacked by this piece.
    #[error("leaves the general attacked by the {1} on {0}")]
    Attacked(Square, Piece),
    /// The move would leave the two generals facing each other.
    #[error("leaves the generals facing each other")]
    FacingGenerals,
    /// The mover has no general on the board: no move can be proved legal.
    #[error("there is no {0} general on the board")]
    NoKing(Color),
}

impl Position {
    /// The start position, Red to move.
    pub fn start() -> Position {
        static START: std::sync::LazyLock<Position> = std::sync::LazyLock::new(Position::set_up);
        *START
    }

    fn set_up() -> Position {
        const BACK: [Kind; 9] = [
            Kind::Rook,
            Kind::Horse,
            Kind::Elephant,
            Kind::Advisor,
            Kind::King,
            Kind::Advisor,
            Kind::Elephant,
            Kind::Horse,
            Kind::Rook,
        ];
        let mut position = Position::empty(Color::Red);
        for color in Color::ALL {
            let rank = |r: u8| if color == Color::Red { r } else { 9 - r };
            let mut put = |file: u8, r: u8, kind| {
                position.put(Square::known(rank(r) * 9 + file), Some(Piece::new(color, kind)));
            };
            for (file, kind) in BACK.into_iter().enumerate() {
                put(file as u8, 0, kind);
            }
            put(1, 2, Kind::Cannon);
            put(7, 2, Kind::Cannon);
            for file in [0, 2, 4, 6, 8] {
                put(file, 3, Kind::Pawn);
            }
        }
        position
    }

    /// A board without pieces.
    pub fn empty(side: Color) -> Position {
        Position {
            board: [None; Square::COUNT],
            sides: [Side::EMPTY; 2],
            kings: [None; 2],
            side,
            key: side_key(side),
            mirror_key: side_key(side),
            quiet_plies: 0,
            round: 1,
        }
    }

    /// What stands on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// All pieces with their squares, from `a0` rank by rank.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all().filter_map(|square| Some((square, self.piece_at(square)?)))
    }

    /// The squares of one side's pieces of a kind, from `a0` rank by rank.
    pub fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> + '_ {
        bits(self.sides[piece.color().index()].all).filter(move |&square| self.piece_at(square) == Some(piece))
    }

    /// The squares of all pieces of one side, from `a0` rank by rank.
    #[inline]
    pub fn squares_of_side(&self, color: Color) -> impl Iterator<Item = Square> + '_ {
        bits(self.sides[color.index()].all)
    }

    /// Squares on `file` (0–8 from Red's left) where the piece stands, rank 0 upwards.
    #[inline]
    pub fn squares_on_file(&self, piece: Piece, file: u8) -> impl Iterator<Item = Square> + '_ {
        let mut column = self.sides[piece.color().index()].columns[file as usize % 9];
        std::iter::from_fn(move || {
            while column != 0 {
                let square = Square::known(column.trailing_zeros() as u8 * 9 + file % 9);
                column &= column - 1;
                if self.piece_at(square) == Some(piece) {
                    return Some(square);
                }
            }
            None
        })
    }

    /// Puts a piece on a square or clears it.
    pub fn put(&mut self, square: Square, piece: Option<Piece>) {
        if let Some(old) = self.board[square.index()] {
            self.sides[old.color().index()].toggle(square);
            self.hash(old, square);
            if old.kind() == Kind::King && self.kings[old.color().index()] == Some(square) {
                self.board[square.index()] = None;
                let other = self.squares_of(old).next();
                self.kings[old.color().index()] = other;
            }
        }
        self.board[square.index()] = piece;
        if let Some(new) = piece {
            self.sides[new.color().index()].toggle(square);
            self.hash(new, square);
            if new.kind() == Kind::King {
                self.kings[new.color().index()] = Some(square);
            }
        }
    }

    #[inline]
    fn hash(&mut self, piece: Piece, square: Square) {
        let (key, mirror_key) = piece_keys(piece, square);
        self.key ^= key;
        self.mirror_key ^= mirror_key;
    }

    /// Who moves next.
    #[inline]
    pub const fn side_to_move(&self) -> Color {
        self.side
    }

    /// Makes it the given side's turn.
    pub fn set_side_to_move(&mut self, side: Color) {
        let change = side_key(self.side) ^ side_key(side);
        self.key ^= change;
        self.mirror_key ^= change;
        self.side = side;
    }

    /// Where a side's general stands; `None` if it has none.
    pub const fn king(&self, color: Color) -> Option<Square> {
        self.kings[color.index()]
    }

    /// Zobrist key of board and side to move.
    #[inline]
    pub const fn key(&self) -> Key {
        self.key
    }

    /// Key of the left-right mirror image.
    #[inline]
    pub const fn mirror_key(&self) -> Key {
        self.mirror_key
    }

    /// The smaller of the key and the mirror image's key, and whether that is the mirror image's. Mirror images share it.
    #[inline]
    pub const fn canonical_key(&self) -> (Key, bool) {
        if self.mirror_key < self.key { (self.mirror_key, true) } else { (self.key, false) }
    }

    /// Plies since the last capture (the FEN counter; pawn moves do not reset it).
    pub const fn quiet_plies(&self) -> u16 {
        self.quiet_plies
    }

    /// Number of the round, from 1; grows after Black's ply.
    pub const fn round(&self) -> u16 {
        self.round
    }

    /// Sets both counters. Rounds count from 1; some writers begin with 0, which is taken as 1.
    pub fn set_counters(&mut self, quiet_plies: u16, round: u16) {
        self.quiet_plies = quiet_plies;
        self.round = if round == 0 { 1 } else { round };
    }

    /// Plays a move without asking whether it is legal. An empty from-square moves nothing but passes the turn.
    #[inline]
    pub fn play(&mut self, m: Move) -> Undo {
        note(Work::Played, 1);
        let undo = Undo { captured: self.board[m.to().index()], quiet_plies: self.quiet_plies };
        self.shift(m.from(), m.to());
        self.quiet_plies = if undo.captured.is_some() { 0 } else { self.quiet_plies.saturating_add(1) };
        if self.side == Color::Black {
            self.round = self.round.saturating_add(1);
        }
        self.key ^= side_key(Color::Black);
        self.mirror_key ^= side_key(Color::Black);
        self.side = !self.side;
        undo
    }

    /// Takes back the last move played.
    #[inline]
    pub fn undo(&mut self, m: Move, undo: Undo) {
        note(Work::Played, 1);
        self.shift(m.to(), m.from());
        if let Some(piece) = undo.captured {
            self.put(m.to(), Some(piece));
        }
        self.quiet_plies = undo.quiet_plies;
        self.side = !self.side;
        self.key ^= side_key(Color::Black);
        self.mirror_key ^= side_key(Color::Black);
        if self.side == Color::Black {
            self.round = self.round.saturating_sub(1);
        }
    }

    /// Moves what stands on `from` to `to`, removing what stood there.
    #[inline]
    fn shift(&mut self, from: Square, to: Square) {
        if from == to {
            return;
        }
        let Some(piece) = self.board[from.index()] else { return };
        if let Some(captured) = self.board[to.index()] {
            self.sides[captured.color().index()].toggle(to);
            self.hash(captured, to);
            if captured.kind() == Kind::King {
                self.kings[captured.color().index()] = None;
            }
        }
        let side = &mut self.sides[piece.color().index()];
        side.toggle(from);
        side.toggle(to);
        self.hash(piece, from);
        self.hash(piece, to);
        self.board[from.index()] = None;
        self.board[to.index()] = Some(piece);
        if piece.kind() == Kind::King {
            self.kings[piece.color().index()] = Some(to);
        }
    }

    /// Whether the side to move is in check (a facing general counts).
    pub fn is_check(&self) -> bool {
        self.attacker_of_king(self.side).is_some()
    }

    /// Mate or 困毙, if the side to move has no legal move; `None` while the game can go on, or if a general is
    /// missing.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.king(self.side).is_none() || self.has_legal_move() {
            None
        } else if self.is_check() {
            Some(Outcome::Checkmate)
        } else {
            Some(Outcome::NoMove)
        }
    }

    /// All legal moves of the side to move, ordered by from-square, then to-square. None if its general is missing.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(&mut list);
        list.sort();
        list
    }

    /// The left-right mirror image.
    pub fn mirrored(&self) -> Position {
        self.mapped(Square::mirror, |piece| piece, self.side)
    }

    /// Colours swapped and the board turned: the same position with the other side to move.
    pub fn swapped(&self) -> Position {
        self.mapped(Square::turn, Piece::swap_color, !self.side)
    }

    fn mapped(&self, square: impl Fn(Square) -> Square, piece: impl Fn(Piece) -> Piece, side: Color) -> Position {
        let mut image = Position::empty(side);
        for (s, p) in self.pieces() {
            image.put(square(s), Some(piece(p)));
        }
        image.set_counters(self.quiet_plies, self.round);
        image
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::start()
    }
}

/// Board and side to move decide; counters do not.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.key == other.key && self.side == other.side && self.board == other.board
    }
}

impl Eq for Position {}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_fen())
    }
}

/// The squares of a bit set, lowest index first.
#[inline]
pub(super) fn bits(set: u128) -> impl Iterator<Item = Square> {
    let halves = [set as u64, (set >> 64) as u64];
    halves.into_iter().enumerate().flat_map(|(half, mut word)| {
        std::iter::from_fn(move || {
            if word == 0 {
                return None;
            }
            let bit = word.trailing_zeros() as u8;
            word &= word - 1;
            Some(Square::known(half as u8 * 64 + bit))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incremental_keys_equal_keys_from_nothing_and_undo_restores_everything() {
        let mut position = Position::start();
        let mut seed = 7u32;
        for _ in 0..20 {
            let mut trail = Vec::new();
            for _ in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
                let m = moves[(seed >> 16) as usize % moves.len()];
                trail.push((m, position.play(m), position));
                let fresh = Position::from_fen(&position.to_fen()).unwrap();
                assert_eq!((fresh.key(), fresh.mirror_key()), (position.key(), position.mirror_key()));
                assert_eq!(fresh.sides, position.sides);
                assert_eq!(position.mirrored().key(), position.mirror_key());
                assert_eq!(position.mirrored().canonical_key().0, position.canonical_key().0);
            }
            while let Some((m, undo, after)) = trail.pop() {
                assert_eq!(position.to_fen(), after.to_fen());
                position.undo(m, undo);
            }
            assert_eq!(position.to_fen(), Position::start().to_fen());
        }
    }

    #[test]
    fn clock_counts_plies_since_the_last_capture_and_pawn_moves_do_not_reset_it() {
        // FEN-7
        let mut position = Position::start();
        for (m, tail) in [("h2e2", "b - - 1 1"), ("h9g7", "w - - 2 2"), ("c3c4", "b - - 3 2")] {
            position.play(m.parse().unwrap());
            assert!(position.to_fen().ends_with(tail));
        }
        let mut position = Position::start();
        for m in ["h2e2", "h9g7", "e2e6"] {
            position.play(m.parse().unwrap());
        }
        assert!(position.to_fen().ends_with("b - - 0 2"));
    }
}
