//! What piece names and numerals say about the sides.
//!
//! Comes in: for each ply the side it is played by, and those to which its text points. Goes out: counts, and what they
//! suggest of the whole record. Nothing is decided here: the turn says whose ply it is.

use crate::board::Color;
use crate::notation::Token;

/// Counts of what piece names and numerals say about the sides.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Signs {
    /// Names of the modern form: 帅 for Red's plies, 将 for Black's; and the other way round.
    pub names_agree: u32,
    pub names_differ: u32,
    pub numerals_agree: u32,
    pub numerals_differ: u32,
}

impl Signs {
    #[inline]
    pub fn count(&mut self, token: &Token, side: Color) {
        self.note(token.named_side(), token.numeral_side(), side);
    }

    /// Notes the sides to which the name of the piece and the numerals of a ply of `side` point.
    #[inline]
    pub fn note(&mut self, named: Option<Color>, numbered: Option<Color>, side: Color) {
        if let Some(named) = named {
            *if named == side { &mut self.names_agree } else { &mut self.names_differ } += 1;
        }
        if let Some(numbered) = numbered {
            *if numbered == side { &mut self.numerals_agree } else { &mut self.numerals_differ } += 1;
        }
    }

    /// The names are those of 1956, when the first mover had the black pieces.
    pub fn has_old_names(&self) -> bool {
        self.names_differ > 0 && self.names_agree == 0 && self.numerals_differ == 0 && self.numerals_agree > 0
    }

    /// Nearly all plies have the numerals of their own side, one or a few have not: they may stand on the wrong one.
    pub fn has_odd_one(&self) -> bool {
        self.numerals_differ > 0 && self.numerals_agree > self.numerals_differ
    }

    /// No ply has the numerals of its own side: the two columns may have been swapped.
    pub fn may_be_swapped(&self) -> bool {
        self.numerals_differ >= 2 && self.numerals_agree == 0 && self.names_agree == 0
    }
}
