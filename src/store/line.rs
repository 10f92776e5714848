//! The main line of a stored game.
//!
//! Comes in: the bytes of a line in `moves`. Goes out: its start, its moves one after the other, its end. Nearly all lines
//! begin at the usual start and have one byte a ply; they are read by a table (see `codec.rs`). It forgives damaged bytes:
//! the line ends before them.

use super::bytes::Bytes;
use super::codec::{Coder, ShortReader};
use super::count::{Facts, Packed};
use crate::board::{Keys, Move, Position};
use std::sync::LazyLock;

/// The usual start, and the coder of moves there.
pub(super) static USUAL: LazyLock<(Position, Coder)> =
    LazyLock::new(|| (Position::start(), Coder::new(&Position::start())));

static USUAL_KEYS: LazyLock<Keys> = LazyLock::new(|| Keys::of(&USUAL.0));

/// The main line of a game.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    start: Option<Position>,
    codes: &'a [u8],
    /// What is known of the game.
    pub facts: Facts,
}

/// The moves of a line, by the two ways to read them. Loops over many lines run faster if they are made for each.
#[derive(Clone, Debug)]
pub enum Moves<'a> {
    /// From the usual start, a byte a ply.
    Short(ShortMoves<'a>),
    /// Any other line.
    Full(FullMoves<'a>),
}

/// See [`Moves::Short`].
#[derive(Clone, Debug)]
pub struct ShortMoves<'a> {
    reader: ShortReader,
    codes: std::slice::Iter<'a, u8>,
}

/// See [`Moves::Full`].
#[derive(Clone, Debug)]
pub struct FullMoves<'a> {
    coder: Box<Coder>,
    codes: &'a [u8],
    left: u32,
}

impl Iterator for ShortMoves<'_> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        self.reader.read(*self.codes.next()?)
    }
}

impl Iterator for FullMoves<'_> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        self.left = self.left.checked_sub(1)?;
        self.coder.read(&mut self.codes)
    }
}

impl Iterator for Moves<'_> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        match self {
            Moves::Short(moves) => moves.next(),
            Moves::Full(moves) => moves.next(),
        }
    }
}

impl<'a> Line<'a> {
    /// From its bytes: the start, if it is not the usual one, then the codes.
    pub(super) fn new(bytes: &'a [u8], own_start: bool, facts: Facts) -> Option<Line<'a>> {
        let mut bytes = Bytes(bytes);
        let start = if own_start {
            let mut position = Packed(bytes.take(Packed::LEN)?.try_into().ok()?).unpack()?;
            position.set_counters(bytes.u16()?, bytes.u16()?);
            Some(position)
        } else {
            None
        };
        // A ply takes one or three bytes.
        if bytes.0.len() < facts.plies as usize {
            return None;
        }
        Some(Line { start, codes: bytes.0, facts })
    }

    /// The position before the first ply.
    pub fn start(&self) -> Position {
        self.start.unwrap_or(USUAL.0)
    }

    /// Whether it begins at the usual start.
    pub fn has_usual_start(&self) -> bool {
        self.start.is_none()
    }

    /// As [`Line::start`], to follow the keys of the positions.
    pub(super) fn start_keys(&self) -> Keys {
        self.start.as_ref().map_or_else(|| USUAL_KEYS.clone(), Keys::of)
    }

    /// The codes with their reader, if the line is of the short kind.
    fn short(&self) -> Option<(ShortReader, &'a [u8])> {
        if self.start.is_some() {
            return None;
        }
        let codes = self.codes.get(..self.facts.plies as usize)?;
        Some((ShortReader::new(&USUAL.1, codes)?, codes))
    }

    /// The moves. Ends early if the bytes are damaged.
    pub fn moves(&self) -> Moves<'a> {
        match self.short() {
            Some((reader, codes)) => Moves::Short(ShortMoves { reader, codes: codes.iter() }),
            None => {
                let coder = self.start.map_or_else(|| USUAL.1.clone(), |start| Coder::new(&start));
                Moves::Full(FullMoves { coder: Box::new(coder), codes: self.codes, left: self.facts.plies })
            }
        }
    }

    /// The board after the last ply, with the side to move but without counters, and the number of plies.
    pub fn end(&self) -> (Position, u32) {
        if let Some((reader, codes)) = self.short() {
            return reader.end(&USUAL.1, codes);
        }
        let mut position = self.start();
        let mut plies = 0;
        for m in self.moves() {
            position.play(m);
            plies += 1;
        }
        position.set_counters(0, 1);
        (position, plies)
    }
}
