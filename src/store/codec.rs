//! Moves of a main line, one byte each.
//!
//! Every piece of the start position gets a slot that goes with it: the general, two advisors, elephants, horses, rooks
//! and cannons and five pawns a side, in the order of their squares. A slot and a destination as the piece sees it (a
//! direction for the short-ranged pieces, a file or rank for rooks and cannons) make 127 codes a side, so a ply is one
//! byte, and writing or reading it takes a table and no legal moves. What has no code (a tenth rook, a move no piece
//! makes) is written as 255 and the two bytes of the move. The codes are part of the format and never change.

use crate::board::{Color, Kind, Move, Piece, Position, Square};
use std::sync::LazyLock;

const NONE: u8 = 255;
const RAW: u8 = 255;

/// Kinds in the order of slots, with slots and destinations of each.
const LAYOUT: [(Kind, u8, u8); 7] = [
    (Kind::King, 1, 4),
    (Kind::Advisor, 2, 4),
    (Kind::Elephant, 2, 4),
    (Kind::Horse, 2, 8),
    (Kind::Rook, 2, 19),
    (Kind::Cannon, 2, 19),
    (Kind::Pawn, 5, 3),
];

struct Tables {
    /// First slot of a kind (by [`Kind::index`]).
    first_slot: [u8; 7],
    /// Kind (place in `LAYOUT`) of a slot.
    layout: [u8; 16],
    /// First code of a slot.
    first_code: [u8; 16],
    /// Slot and destination of a code.
    codes: [(u8, u8); 128],
}

static TABLES: Tables = tables();

const fn tables() -> Tables {
    let mut t = Tables { first_slot: [0; 7], layout: [0; 16], first_code: [0; 16], codes: [(NONE, 0); 128] };
    let (mut slot, mut code, mut row) = (0u8, 0u8, 0);
    while row < LAYOUT.len() {
        let (kind, slots, destinations) = LAYOUT[row];
        t.first_slot[kind.index()] = slot;
        let mut n = 0;
        while n < slots {
            t.layout[slot as usize] = row as u8;
            t.first_code[slot as usize] = code;
            let mut destination = 0;
            while destination < destinations {
                t.codes[code as usize] = (slot, destination);
                code += 1;
                destination += 1;
            }
            slot += 1;
            n += 1;
        }
        row += 1;
    }
    t
}

const KING: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const ADVISOR: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const ELEPHANT: [(i8, i8); 4] = [(2, 2), (2, -2), (-2, 2), (-2, -2)];
const HORSE: [(i8, i8); 8] = [(1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)];
const PAWN: [(i8, i8); 3] = [(0, 1), (1, 0), (-1, 0)];

/// The steps of a row of `LAYOUT`; empty for rooks and cannons.
const fn steps(row: u8) -> &'static [(i8, i8)] {
    match row {
        0 => &KING,
        1 => &ADVISOR,
        2 => &ELEPHANT,
        3 => &HORSE,
        6 => &PAWN,
        _ => &[],
    }
}

/// Where a piece of a row of `LAYOUT` goes.
#[inline]
fn destination_of(row: u8, destination: u8, from: Square, side: Color) -> Option<Square> {
    match row {
        4 | 5 if destination < 9 => Square::new(destination, from.rank()),
        4 | 5 => Square::new(from.file(), destination - 9),
        _ => {
            let &(files, ranks) = steps(row).get(destination as usize)?;
            from.step(files, if row == 6 { ranks * side.forward() } else { ranks })
        }
    }
}

/// Turns the moves of one line into codes or back, move by move.
#[derive(Clone, Debug)]
pub(super) struct Coder {
    /// Slot (16 a side) on each square.
    slots: [u8; Square::COUNT],
    /// Square of each slot.
    squares: [u8; 32],
    side: Color,
}

impl Coder {
    /// For a line from this position.
    pub fn new(start: &Position) -> Coder {
        let mut coder = Coder { slots: [NONE; Square::COUNT], squares: [NONE; 32], side: start.side_to_move() };
        let mut counts = [[0u8; 7]; 2];
        for (square, piece) in start.pieces() {
            let (side, kind) = (piece.color().index(), piece.kind().index());
            let first = TABLES.first_slot[kind];
            let most = LAYOUT[TABLES.layout[first as usize] as usize].1;
            if counts[side][kind] < most {
                let slot = side as u8 * 16 + first + counts[side][kind];
                counts[side][kind] += 1;
                coder.slots[square.index()] = slot;
                coder.squares[slot as usize] = square.index() as u8;
            }
        }
        coder
    }

    /// The code of the side's slot going from one square to another, if there is one.
    #[inline]
    fn code(&self, slot: u8, from: Square, to: Square) -> Option<u8> {
        let slot = slot.checked_sub(self.side.index() as u8 * 16).filter(|&slot| slot < 16)?;
        let row = TABLES.layout[slot as usize];
        let (files, ranks) = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
        let destination = match row {
            4 | 5 if ranks == 0 => to.file(),
            4 | 5 if files == 0 => 9 + to.rank(),
            4 | 5 => return None,
            _ => {
                let ranks = if row == 6 { ranks * self.side.forward() } else { ranks };
                steps(row).iter().position(|&step| step == (files, ranks))? as u8
            }
        };
        Some(TABLES.first_code[slot as usize] + destination)
    }

    /// Appends the code of the next move.
    #[inline]
    pub fn write(&mut self, m: Move, out: &mut Vec<u8>) {
        match self.code(self.slots[m.from().index()], m.from(), m.to()) {
            Some(code) => out.push(code),
            None => {
                out.push(RAW);
                out.extend_from_slice(&m.to_bits().to_le_bytes());
            }
        }
        self.apply(m);
    }

    /// Takes the next move from the codes; `None` if they end or make no sense.
    #[inline]
    pub fn read(&mut self, codes: &mut &[u8]) -> Option<Move> {
        let (&code, rest) = codes.split_first()?;
        *codes = rest;
        let m = if code == RAW {
            let (two, rest) = codes.split_first_chunk::<2>()?;
            *codes = rest;
            Move::from_bits(u16::from_le_bytes(*two))?
        } else {
            let &(slot, destination) = TABLES.codes.get(code as usize)?;
            let row = *TABLES.layout.get(slot as usize)?;
            let from = Square::from_index(self.squares[self.side.index() * 16 + slot as usize] as usize)?;
            Move::new(from, destination_of(row, destination, from, self.side)?)
        };
        self.apply(m);
        Some(m)
    }

    #[inline]
    fn apply(&mut self, m: Move) {
        self.side = !self.side;
        if m.from() == m.to() {
            return;
        }
        let slot = std::mem::replace(&mut self.slots[m.from().index()], NONE);
        self.slots[m.to().index()] = slot;
        if let Some(square) = self.squares.get_mut(slot as usize) {
            *square = m.to().index() as u8;
        }
    }
}

/// Reads the moves of a line from the usual start in which every ply is one byte: nearly all lines. Squares of slots and a
/// table are all it takes.
#[derive(Clone, Debug)]
pub(super) struct ShortReader {
    squares: [u8; 32],
    black: bool,
    goes: &'static [Goes; 2],
}

/// Where a slot goes, by code and by the square it stands on; `NONE` if off the board.
type Goes = [[u8; Square::COUNT]; 128];

/// By side.
static GOES: LazyLock<Box<[Goes; 2]>> = LazyLock::new(|| {
    let mut tables = Box::new([[[NONE; Square::COUNT]; 128]; 2]);
    for (table, side) in tables.iter_mut().zip(Color::ALL) {
        for (row, (slot, destination)) in table.iter_mut().zip(TABLES.codes) {
            let Some(&layout) = TABLES.layout.get(slot as usize) else { continue };
            for from in Square::all() {
                let to = destination_of(layout, destination, from, side);
                row[from.index()] = to.map_or(NONE, |to| to.index() as u8);
            }
        }
    }
    tables
});

impl ShortReader {
    /// For codes, if they are of that kind.
    #[inline]
    pub fn new(usual: &Coder, codes: &[u8]) -> Option<ShortReader> {
        let black = usual.side == Color::Black;
        (!codes.contains(&RAW)).then(|| ShortReader { squares: usual.squares, black, goes: &GOES })
    }

    /// Slot and squares of the next code; `None` if it makes no sense.
    #[inline]
    fn step(&mut self, code: u8) -> Option<(usize, Square, Square)> {
        let &(slot, _) = TABLES.codes.get(code as usize)?;
        let side = usize::from(self.black);
        let slot = side * 16 + usize::from(slot & 15);
        let from = self.squares[slot];
        let to = *self.goes[side].get(code as usize)?.get(from as usize)?;
        let squares = (Square::from_index(from as usize)?, Square::from_index(to as usize)?);
        self.squares[slot] = to;
        self.black = !self.black;
        Some((slot, squares.0, squares.1))
    }

    /// The move of the next code; `None` if it makes no sense.
    #[inline]
    pub fn read(&mut self, code: u8) -> Option<Move> {
        self.step(code).map(|(_, from, to)| Move::new(from, to))
    }

    /// The board after all of the codes, and how many there were before one that makes no sense.
    pub fn end(mut self, usual: &Coder, codes: &[u8]) -> (Position, u32) {
        // Which slot came last to a square: one that stands there without having come last was taken.
        let mut last = usual.slots;
        let mut plies = 0;
        for &code in codes {
            let Some((slot, _, to)) = self.step(code) else { break };
            last[to.index()] = slot as u8;
            plies += 1;
        }
        let mut position = Position::empty(if self.black { Color::Black } else { Color::Red });
        for (slot, square) in self.squares.into_iter().enumerate() {
            let Some(square) = Square::from_index(square as usize) else { continue };
            if usize::from(last[square.index()]) == slot {
                let (kind, ..) = LAYOUT[usize::from(TABLES.layout[slot & 15])];
                position.put(square, Some(Piece::new(Color::ALL[slot >> 4], kind)));
            }
        }
        (position, plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_comes_back_and_legal_moves_take_one_byte() {
        let mut seed = 1u32;
        for game in 0..300 {
            let start = Position::start();
            let mut position = start;
            let mut moves = Vec::new();
            for _ in 0..150 {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
                let m = legal[(seed >> 16) as usize % legal.len()];
                position.play(m);
                moves.push(m);
            }
            let (mut coder, mut codes) = (Coder::new(&start), Vec::new());
            moves.iter().for_each(|&m| coder.write(m, &mut codes));
            assert_eq!(codes.len(), moves.len(), "game {game}");
            let (mut coder, mut rest) = (Coder::new(&start), codes.as_slice());
            let back: Vec<Move> = moves.iter().map_while(|_| coder.read(&mut rest)).collect();
            assert_eq!(back, moves);
            assert!(rest.is_empty());
            let mut short = ShortReader::new(&Coder::new(&start), &codes).unwrap();
            let back: Vec<Move> = codes.iter().map_while(|&code| short.read(code)).collect();
            assert_eq!(back, moves);
            let usual = Coder::new(&start);
            let (end, plies) = ShortReader::new(&usual, &codes).unwrap().end(&usual, &codes);
            assert_eq!((end, plies as usize), (position, moves.len()), "game {game}");
        }
    }

    #[test]
    fn moves_no_piece_makes_are_kept_as_written() {
        let start = Position::from_fen("RRRR5/9/9/9/4k4/9/9/9/9/RRR1K4 w").unwrap();
        let moves = ["d9d0", "e5a0", "a9b7", "b2b3", "c0c0", "e5e6", "b7a9"].map(|m| m.parse::<Move>().unwrap());
        let (mut coder, mut codes) = (Coder::new(&start), Vec::new());
        moves.iter().for_each(|&m| coder.write(m, &mut codes));
        let (mut coder, mut rest) = (Coder::new(&start), codes.as_slice());
        assert_eq!(moves.map(|_| coder.read(&mut rest).unwrap()), moves);
    }

    #[test]
    fn any_bytes_are_read_without_harm() {
        let mut seed = 5u32;
        for _ in 0..2000 {
            let codes: Vec<u8> = (0..40)
                .map(|_| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (seed >> 24) as u8
                })
                .collect();
            let (mut coder, mut rest) = (Coder::new(&Position::start()), codes.as_slice());
            while coder.read(&mut rest).is_some() {}
            // In such bytes a taken piece may move on, which no line that was written has: the two need not agree then.
            if let Some(mut short) = ShortReader::new(&Coder::new(&Position::start()), &codes) {
                let read = codes.iter().map_while(|&code| short.read(code)).count();
                assert!(read <= codes.len());
            }
        }
    }
}
