//! The list of moves a text may stand for.

use crate::board::{Move, Square};
use std::ops::Deref;

/// A short list of moves that lives on the stack.
#[derive(Clone, Copy)]
pub struct Candidates {
    moves: [Move; Candidates::CAPACITY],
    length: u8,
    overflowed: bool,
}

impl Candidates {
    /// More than any text can mean with a full set of pieces (five pawns of one file, three directions, two readings).
    const CAPACITY: usize = 46;

    #[inline]
    pub(super) fn new() -> Candidates {
        const NOTHING: Move = match Square::new(0, 0) {
            Some(corner) => Move::new(corner, corner),
            None => unreachable!(),
        };
        Candidates { moves: [NOTHING; Candidates::CAPACITY], length: 0, overflowed: false }
    }

    #[inline]
    pub(super) fn push(&mut self, m: Move) {
        match self.moves.get_mut(self.length as usize) {
            Some(slot) => {
                *slot = m;
                self.length += 1;
            }
            None => self.overflowed = true,
        }
    }

    pub(super) fn finish(&mut self) {
        if self.length > 1 {
            let moves = &mut self.moves[..self.length as usize];
            moves.sort_unstable();
            let mut kept = 1;
            for index in 1..moves.len() {
                if moves[index] != moves[kept - 1] {
                    moves[kept] = moves[index];
                    kept += 1;
                }
            }
            self.length = kept as u8;
        }
    }

    /// The move, if there is exactly one.
    #[inline]
    pub fn single(&self) -> Option<Move> {
        match **self {
            [m] => Some(m),
            _ => None,
        }
    }

    /// Whether moves were dropped because a diagram with more pieces than a set holds gave too many.
    pub fn is_cut(&self) -> bool {
        self.overflowed
    }
}

impl Deref for Candidates {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.length as usize]
    }
}

impl std::fmt::Debug for Candidates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
