//! What one entry of a sheet says, with its unknowns: a set of moves in any position.
//!
//! A pattern is looser than a token: the kind, the file, the direction and the number may each be unknown (a smudge, a
//! lost bar), and one that fits nothing may be bent by one field to what may have been meant.

use crate::board::{Color, Kind, Move, Piece, Position, Square};

/// A set of directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Directions(u8);

impl Directions {
    /// 进.
    pub const FORWARD: Directions = Directions(1);
    /// 退.
    pub const BACK: Directions = Directions(2);
    /// 平.
    pub const TRAVERSE: Directions = Directions(4);
    /// A bar stood here: 进 or 退.
    pub const BAR: Directions = Directions(3);
    /// Nothing is known.
    pub const ANY: Directions = Directions(7);

    /// Whether any of these directions is in the set.
    pub const fn meets(self, other: Directions) -> bool {
        self.0 & other.0 != 0
    }

    /// The number of directions in the set.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }
}

/// Which of several equal pieces is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// Nothing is said: the file decides.
    Any,
    /// 前.
    Front,
    /// 中.
    Middle,
    /// 后.
    Rear,
    /// Number among the pawns on files with several, from the mover's right to the left, front to rear.
    Ordinal(u8),
}

/// What an entry says; zero and `None` mean unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// The kind of piece, if known.
    pub kind: Option<Kind>,
    /// Place among equal pieces.
    pub which: Which,
    /// File of origin from the mover's right, 1–9, 0 if not said.
    pub file: u8,
    /// The directions it may mean.
    pub directions: Directions,
    /// Target file or number of points, 1–9, 0 if unknown.
    pub number: u8,
}

impl Pattern {
    /// An entry of which nothing can be read.
    pub const UNKNOWN: Pattern =
        Pattern { kind: None, which: Which::Any, file: 0, directions: Directions::ANY, number: 0 };

    /// Appends every legal move the entry may mean, in a fixed order without repeats.
    pub fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        let first = out.len();
        match self.kind {
            Some(kind) => self.moves_of(kind, position, out),
            None => {
                for kind in Kind::ALL {
                    self.moves_of(kind, position, out);
                }
            }
        }
        // Places and ordinals may name one piece twice.
        if out.len() - first > 1 {
            out[first..].sort_unstable();
            let mut kept = first + 1;
            for index in first + 1..out.len() {
                if out[index] != out[kept - 1] {
                    out[kept] = out[index];
                    kept += 1;
                }
            }
            out.truncate(kept);
        }
    }

    /// Whether a legal move is one the entry may mean.
    pub fn holds(&self, m: Move, position: &Position) -> bool {
        let Some(piece) = position.piece_at(m.from()) else { return false };
        let color = piece.color();
        let (direction, number) = describe(m, piece.kind(), color);
        self.kind.is_none_or(|kind| kind == piece.kind())
            && self.directions.meets(direction)
            && (self.number == 0 || self.number == number)
            && (self.file == 0 || self.file == m.from().file_for(color))
            && (self.which == Which::Any || {
                let mut found = false;
                self.origins(piece, position, |square| found |= square == m.from());
                found
            })
    }

    fn moves_of(&self, kind: Kind, position: &Position, out: &mut Vec<Move>) {
        let color = position.side_to_move();
        let mut steps = [(Directions::ANY, 0u8); 27];
        let mut count = 0;
        let numbers = if self.number == 0 { 1..=9 } else { self.number..=self.number };
        for number in numbers {
            for direction in [Directions::FORWARD, Directions::BACK, Directions::TRAVERSE] {
                if self.directions.meets(direction) {
                    steps[count] = (direction, number);
                    count += 1;
                }
            }
        }
        self.origins(Piece::new(color, kind), position, |from| {
            for &(direction, number) in &steps[..count] {
                if let Some(to) = target(from, kind, color, direction, number) {
                    let m = Move::new(from, to);
                    if position.is_legal(m) {
                        out.push(m);
                    }
                }
            }
        });
    }

    /// Calls `found` with every square from which the entry's piece may move.
    fn origins(&self, piece: Piece, position: &Position, mut found: impl FnMut(Square)) {
        let color = piece.color();
        let absolute = |file: u8| if color == Color::Red { 9 - file } else { file - 1 };
        if self.which == Which::Any {
            if self.file == 0 {
                position.squares_of(piece).for_each(found);
            } else {
                position.squares_on_file(piece, absolute(self.file)).for_each(found);
            }
            return;
        }
        let mut index = 0u8;
        for file in 1..=9u8 {
            // Front first.
            let mut group = [None; 10];
            let mut size = 0;
            for square in position.squares_on_file(piece, absolute(file)) {
                group[size] = Some(square);
                size += 1;
            }
            if color == Color::Red {
                group[..size].reverse();
            }
            if size < 2 {
                continue;
            }
            let base = index;
            index += size as u8;
            if self.file != 0 && self.file != file {
                continue;
            }
            let pick = match self.which {
                Which::Front => group[0],
                Which::Rear => group[size - 1],
                Which::Middle => match size {
                    3 => group[1],
                    5 => group[2],
                    _ => None,
                },
                Which::Ordinal(n) if self.file != 0 => group.get(usize::from(n).wrapping_sub(1)).copied().flatten(),
                Which::Ordinal(n) => group.get(usize::from(n.wrapping_sub(base + 1))).copied().flatten(),
                Which::Any => None,
            };
            if let Some(square) = pick {
                found(square);
            }
        }
    }
}

/// Direction and number of a move, as the Chinese forms write them.
pub fn describe(m: Move, kind: Kind, color: Color) -> (Directions, u8) {
    let rise = m.to().rank_for(color) as i8 - m.from().rank_for(color) as i8;
    let direction = match rise {
        0 => Directions::TRAVERSE,
        1.. => Directions::FORWARD,
        _ => Directions::BACK,
    };
    let number = match kind {
        Kind::Horse | Kind::Elephant | Kind::Advisor => m.to().file_for(color),
        _ if rise == 0 => m.to().file_for(color),
        _ => rise.unsigned_abs(),
    };
    (direction, number)
}

/// Where a piece arrives by direction and number; `None` if it never moves so.
fn target(from: Square, kind: Kind, color: Color, direction: Directions, number: u8) -> Option<Square> {
    let file = match color {
        Color::Red => 9 - number as i8,
        Color::Black => number as i8 - 1,
    };
    let ahead = color.forward() * if direction == Directions::BACK { -1 } else { 1 };
    let (x, y) = (from.file() as i8, from.rank() as i8);
    match kind {
        Kind::Horse | Kind::Elephant | Kind::Advisor => {
            if direction == Directions::TRAVERSE {
                return None;
            }
            let rise = match (kind, (file - x).abs()) {
                (Kind::Horse, 1) | (Kind::Elephant, 2) => 2,
                (Kind::Horse, 2) | (Kind::Advisor, 1) => 1,
                _ => return None,
            };
            Square::at(file, y + ahead * rise)
        }
        _ if direction == Directions::TRAVERSE => Square::at(file, y).filter(|&to| to != from),
        _ => Square::at(x, y + ahead * number as i8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    fn a_pattern_holds_exactly_the_moves_it_lists() {
        let mut position = Position::start();
        let mut seed = 3u32;
        for _ in 0..300 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
            let m = legal[(seed >> 16) as usize % legal.len()];
            let color = position.side_to_move();
            let kind = position.piece_at(m.from()).unwrap().kind();
            let (directions, number) = describe(m, kind, color);
            let full =
                Pattern { kind: Some(kind), which: Which::Any, file: m.from().file_for(color), directions, number };
            let loose = [
                full,
                Pattern { directions: Directions::ANY, ..full },
                Pattern { number: 0, ..full },
                Pattern { kind: None, ..full },
                Pattern { file: 0, ..full },
                Pattern { which: Which::Rear, file: 0, ..full },
                Pattern::UNKNOWN,
            ];
            for pattern in loose {
                let mut moves = Vec::new();
                pattern.moves(&position, &mut moves);
                let held: Vec<Move> = legal.iter().copied().filter(|&m| pattern.holds(m, &position)).collect();
                assert_eq!(moves, held, "{pattern:?} in {position:?}");
                assert!(pattern.which != Which::Any || moves.contains(&m));
            }
            position.play(m);
        }
    }

    #[test]
    fn places_and_ordinals_name_pieces_front_to_rear_and_right_to_left() {
        // NOT-1
        let two_pairs = position("3k5/9/9/2P3P2/9/2P3P2/9/9/9/5K3 w");
        let forward = |which, file| {
            let mut out = Vec::new();
            Pattern { kind: Some(Kind::Pawn), which, file, directions: Directions::FORWARD, number: 1 }
                .moves(&two_pairs, &mut out);
            out.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(forward(Which::Ordinal(1), 0), "g6g7");
        assert_eq!(forward(Which::Ordinal(2), 0), "g4g5");
        assert_eq!(forward(Which::Ordinal(4), 0), "c4c5");
        assert_eq!(forward(Which::Front, 7), "c6c7");
        assert_eq!(forward(Which::Front, 0), "c6c7 g6g7");
    }
}
