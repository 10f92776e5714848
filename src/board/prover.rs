//! Playing a line while proving each move, and nothing else: the quick way through records.
//!
//! A [`Position`] keeps hash keys and counters and can take moves back; whoever only wants to know whether a row of moves
//! is a legal line pays for all of that with every ply. A [`Prover`] keeps, for each piece, bit lines of the files and
//! ranks it stands on, so that proving takes a handful of look-ups and no list of moves. It says yes or no; for the
//! reason of a no ask [`Position::prove`]. A test below holds both to the same answer for every pair of points.

use super::attack::{HORSE_TO, seen_from};
use super::piece::{Color, Kind};
use super::position::Position;
use super::square::{Move, Square};
use std::sync::LazyLock;

/// A point as the prover counts them: `rank * 16 + file`, so that both are at hand without dividing and a step off the
/// board is seen at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Point(u8);

impl Point {
    /// The point on a file (0–8) and a rank (0–9); `None` off the board.
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Option<Point> {
        if file < 9 && rank < 10 { Some(Point(rank << 4 | file)) } else { None }
    }

    #[inline]
    pub const fn of(square: Square) -> Point {
        Point(square.rank() << 4 | square.file())
    }

    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 15
    }

    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 4
    }

    #[inline]
    pub const fn square(self) -> Square {
        Square::known(self.rank() * 9 + self.file())
    }

    #[inline]
    const fn index(self) -> usize {
        self.0 as usize
    }

    /// Inside one of the two palaces.
    #[inline]
    const fn in_palace(self) -> bool {
        self.file() >= 3 && self.file() <= 5 && (self.rank() <= 2 || self.rank() >= 7)
    }
}

/// Pieces as numbers: colour times eight plus kind plus one; 0 for none.
const fn code(color: Color, kind: Kind) -> u8 {
    (color as u8) << 3 | (kind as u8 + 1)
}

/// Code of a kind without its colour.
const fn low(kind: Kind) -> u8 {
    kind as u8 + 1
}

const KING: u8 = low(Kind::King);
const ADVISOR: u8 = low(Kind::Advisor);
const ELEPHANT: u8 = low(Kind::Elephant);
const HORSE: u8 = low(Kind::Horse);
const ROOK: u8 = low(Kind::Rook);
const CANNON: u8 = low(Kind::Cannon);
const PAWN: u8 = low(Kind::Pawn);

/// See the head of this page. The tables are longer than the board so that no index needs a test.
#[derive(Clone)]
pub(crate) struct Prover {
    board: [u8; 256],
    /// For each piece and file, bit `rank`.
    columns: [[u16; 16]; 16],
    /// For each piece and rank, bit `file`.
    rows: [[u16; 16]; 16],
    /// The same for all pieces together.
    all_columns: [u16; 16],
    all_rows: [u16; 16],
    kings: [Point; 2],
    side: Color,
}

static START: LazyLock<Prover> =
    LazyLock::new(|| Prover::from(&Position::start()).unwrap_or_else(|| unreachable!("both sides have their general")));

impl Default for Prover {
    fn default() -> Prover {
        START.clone()
    }
}

impl Prover {
    /// Begins anew at a position; `None` unless each side has one general there.
    pub fn set(&mut self, start: &Position) -> Option<()> {
        if *start == Position::start() {
            self.clone_from(&START)
        } else {
            *self = Prover::from(start)?
        }
        Some(())
    }

    /// At a position; `None` unless each side has one general.
    pub fn from(position: &Position) -> Option<Prover> {
        let mut prover = Prover {
            board: [0; 256],
            columns: [[0; 16]; 16],
            rows: [[0; 16]; 16],
            all_columns: [0; 16],
            all_rows: [0; 16],
            kings: [Point::of(position.king(Color::Red)?), Point::of(position.king(Color::Black)?)],
            side: position.side_to_move(),
        };
        let mut kings = [0; 2];
        for (square, piece) in position.pieces() {
            let point = Point::of(square);
            let piece_code = code(piece.color(), piece.kind());
            prover.board[point.index()] = piece_code;
            prover.toggle(piece_code, point);
            prover.toggle_all(point);
            kings[piece.color().index()] += usize::from(piece.kind() == Kind::King);
        }
        (kings == [1, 1]).then_some(prover)
    }

    /// Who moves next.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// Ranks on which pieces of the side to move and this kind stand on a file, as bits.
    #[inline]
    pub fn on_file(&self, kind: Kind, file: u8) -> u16 {
        self.columns[code(self.side, kind) as usize][file as usize & 15]
    }

    /// Takes a piece away or puts it there.
    #[inline]
    fn toggle(&mut self, piece: u8, point: Point) {
        self.columns[piece as usize & 15][point.file() as usize] ^= 1 << point.rank();
        self.rows[piece as usize & 15][point.rank() as usize] ^= 1 << point.file();
    }

    #[inline]
    fn toggle_all(&mut self, point: Point) {
        self.all_columns[point.file() as usize] ^= 1 << point.rank();
        self.all_rows[point.rank() as usize] ^= 1 << point.file();
    }

    /// Whether the side to move has a piece on `from` that goes to `to`, not asking about its general.
    #[inline]
    pub fn is_pseudo_legal(&self, from: Point, to: Point) -> bool {
        let (piece, captured) = (self.board[from.index()], self.board[to.index()]);
        let own = |piece: u8| piece != 0 && piece >> 3 == self.side as u8;
        if !own(piece) || own(captured) {
            return false;
        }
        let empty = |point: i16| self.board[point as u8 as usize] == 0;
        let (at, step) = (i16::from(from.0), i16::from(to.0) - i16::from(from.0));
        match piece & 7 {
            kind @ (ROOK | CANNON) => {
                let (line, a, b) = if from.file() == to.file() {
                    (self.all_columns[from.file() as usize], from.rank(), to.rank())
                } else if from.rank() == to.rank() {
                    (self.all_rows[from.rank() as usize], from.file(), to.file())
                } else {
                    return false;
                };
                let between = line & ((1u16 << a.max(b)) - 1) & !((2u16 << a.min(b)) - 1);
                if kind == CANNON && captured != 0 { between.count_ones() == 1 } else { between == 0 }
            }
            HORSE => match step {
                33 | 31 => empty(at + 16),
                -33 | -31 => empty(at - 16),
                18 | -14 => empty(at + 1),
                14 | -18 => empty(at - 1),
                _ => false,
            },
            PAWN => {
                let crossed = match self.side {
                    Color::Red => from.rank() >= 5,
                    Color::Black => from.rank() <= 4,
                };
                step == 16 * i16::from(self.side.forward()) || crossed && matches!(step, 1 | -1)
            }
            ELEPHANT => {
                matches!(step, 34 | 30 | -30 | -34) && empty(at + step / 2) && (from.rank() <= 4) == (to.rank() <= 4)
            }
            ADVISOR => matches!(step, 17 | 15 | -15 | -17) && from.in_palace() && to.in_palace(),
            _ => matches!(step, 16 | 1 | -1 | -16) && from.in_palace() && to.in_palace(),
        }
    }

    /// Plays a move if it is legal. If it is not, the answer is `None` and the prover is of no more use.
    #[inline]
    pub fn play(&mut self, from: Point, to: Point) -> Option<Move> {
        if !self.is_pseudo_legal(from, to) {
            return None;
        }
        let piece = self.board[from.index()];
        let captured = std::mem::replace(&mut self.board[to.index()], piece);
        self.board[from.index()] = 0;
        self.toggle(piece, from);
        self.toggle(piece, to);
        self.toggle_all(from);
        if captured == 0 {
            self.toggle_all(to);
        } else {
            self.toggle(captured, to);
            // Where a general can be captured the line was none, or began with a faulty diagram.
            if captured & 7 == KING {
                return None;
            }
        }
        if piece & 7 == KING {
            self.kings[self.side.index()] = to;
        }
        let exposed = self.is_exposed();
        self.side = !self.side;
        (!exposed).then(|| Move::new(from.square(), to.square()))
    }

    /// Whether the general of the side that has just moved can be captured.
    #[inline]
    fn is_exposed(&self) -> bool {
        let king = self.kings[self.side.index()];
        let (file, rank) = (king.file() as usize, king.rank() as usize);
        let enemy = !self.side;
        let columns = |kind| self.columns[code(enemy, kind) as usize][file];
        let (rooks, cannons) = (columns(Kind::Rook) | columns(Kind::King), columns(Kind::Cannon));
        if rooks | cannons != 0 {
            let (first, second) = seen_from(u32::from(king.rank()), self.all_columns[file]);
            if first & rooks | second & cannons != 0 {
                return true;
            }
        }
        let rows = |kind| self.rows[code(enemy, kind) as usize][rank];
        let (rooks, cannons) = (rows(Kind::Rook), rows(Kind::Cannon));
        if rooks | cannons != 0 {
            let (first, second) = seen_from(u32::from(king.file()), self.all_rows[rank]);
            if first & rooks | second & cannons != 0 {
                return true;
            }
        }
        // A file beyond the edge is empty, also where counting goes below zero.
        let of = |kind, files: u8| {
            self.columns[code(enemy, kind) as usize][usize::from(king.file().wrapping_add(files)) & 15]
        };
        let here = 1u16 << king.rank();
        let (one, two) = (here << 1 | here >> 1, here << 2 | here >> 2);
        const LEFT: u8 = 1u8.wrapping_neg();
        const FAR_LEFT: u8 = 2u8.wrapping_neg();
        let horses =
            (of(Kind::Horse, 1) | of(Kind::Horse, LEFT)) & two | (of(Kind::Horse, 2) | of(Kind::Horse, FAR_LEFT)) & one;
        if horses != 0 && self.is_exposed_to_horses(king) {
            return true;
        }
        // A pawn reaches the general from the point before it and, across the river, from either side.
        let (before, crossed) = match self.side {
            Color::Red => (here << 1, king.rank() <= 4),
            Color::Black => (here >> 1, king.rank() >= 5),
        };
        let beside = if crossed { here } else { 0 };
        of(Kind::Pawn, 0) & before | (of(Kind::Pawn, 1) | of(Kind::Pawn, LEFT)) & beside != 0
    }

    #[cold]
    fn is_exposed_to_horses(&self, king: Point) -> bool {
        let at = |square: Square| self.board[Point::of(square).index()];
        let mut steps = HORSE_TO[king.square().index()].as_slice().iter();
        steps.any(|step| at(step.to) == code(!self.side, Kind::Horse) && at(step.over) == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::piece::Piece;
    use super::*;

    fn check(position: &Position) {
        let prover = Prover::from(position).unwrap();
        for from in Square::all() {
            for to in Square::all() {
                let m = Move::new(from, to);
                let (from, to) = (Point::of(from), Point::of(to));
                assert_eq!(prover.is_pseudo_legal(from, to), position.is_pseudo_legal(m), "{position:?} {m}");
                let captures_king = position.piece_at(m.to()).is_some_and(|piece| piece.kind() == Kind::King);
                let expected = position.is_legal(m) && !captures_king;
                let played = prover.is_pseudo_legal(from, to).then(|| prover.clone().play(from, to)).flatten();
                assert_eq!(played, expected.then_some(m), "{position:?} {m}");
            }
        }
    }

    #[test]
    fn prover_and_position_agree_on_every_pair_of_points_along_random_lines() {
        let mut seed = 31u32;
        for _ in 0..40 {
            let mut position = Position::start();
            let mut prover = Prover::default();
            for ply in 0..160 {
                if ply % 3 == 0 {
                    check(&position);
                }
                let legal = position.legal_moves();
                let Some(count) = std::num::NonZero::new(legal.len()) else { break };
                seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
                let m = legal[(seed >> 16) as usize % count];
                assert_eq!(prover.play(Point::of(m.from()), Point::of(m.to())), Some(m));
                position.play(m);
                assert_eq!(prover.side_to_move(), position.side_to_move());
                for kind in Kind::ALL {
                    for file in 0..9 {
                        let squares = position.squares_on_file(Piece::new(position.side_to_move(), kind), file);
                        let ranks = squares.fold(0, |ranks, square| ranks | 1u16 << square.rank());
                        assert_eq!(prover.on_file(kind, file), ranks);
                    }
                }
            }
        }
    }

    #[test]
    fn prover_and_position_agree_on_scattered_pieces() {
        let mut seed = 5u32;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % below
        };
        for _ in 0..300 {
            let side = if random(2) == 0 { Color::Red } else { Color::Black };
            let mut position = Position::empty(side);
            for color in Color::ALL {
                let Some(square) = Square::new(3 + random(3) as u8, random(3) as u8 + 7 * color as u8) else {
                    continue;
                };
                position.put(square, Some(Piece::new(color, Kind::King)));
            }
            for _ in 0..random(24) {
                let square = Square::from_index(random(90) as usize).unwrap();
                let color = if random(2) == 0 { Color::Red } else { Color::Black };
                if position.piece_at(square).is_none() {
                    position.put(square, Some(Piece::new(color, Kind::ALL[1 + random(6) as usize])));
                }
            }
            check(&position);
        }
        assert!(Prover::from(&Position::empty(Color::Red)).is_none());
    }
}
