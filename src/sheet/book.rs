//! What was played from a position in other games: evidence for the likelihood beside the move model.
//!
//! Comes in: for a position, the moves played from it and in how many games. Goes out: by how much more (or less) likely
//! a move is than the move model says. A position nobody reached says nothing; a few games say little.

use crate::board::{Key, Move, Position};
use std::cell::RefCell;
use std::collections::HashMap;

/// Games that can be asked what was played from a position: a database, for instance.
pub trait Book: std::fmt::Debug {
    /// The moves played from a position, each with its number of games.
    fn played(&self, position: &Position) -> Vec<(Move, u64)>;
}

/// So many games weigh as much as the move model.
const TRUST: f64 = 4.0;
/// More games than this say no more.
const MOST: u64 = 60;
/// The chance of a move before anything is known about it.
const USUAL: f64 = 0.1;

/// A book with what it has been asked.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    book: &'a dyn Book,
    known: RefCell<HashMap<Key, Vec<(Move, u64)>>>,
}

impl<'a> Asked<'a> {
    pub(super) fn new(book: &'a dyn Book) -> Asked<'a> {
        Asked { book, known: RefCell::default() }
    }

    /// What the games add to the likelihood of a move (a logarithm).
    pub(super) fn value(&self, m: Move, position: &Position) -> f64 {
        let mut known = self.known.borrow_mut();
        let list = known.entry(position.key()).or_insert_with(|| self.book.played(position));
        value(list, m)
    }
}

fn value(list: &[(Move, u64)], m: Move) -> f64 {
    let all: u64 = list.iter().map(|&(_, games)| games).sum();
    if all == 0 {
        return 0.0;
    }
    let share = all.min(MOST) as f64 / all as f64;
    let these = list.iter().find(|(other, _)| *other == m).map_or(0.0, |&(_, games)| games as f64 * share);
    (1.0 + these / (TRUST * USUAL)).ln() - (1.0 + all.min(MOST) as f64 / TRUST).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_often_played_gains_and_what_was_never_played_loses_the_more_games_there_are() {
        let (a, b): (Move, Move) = ("h2e2".parse().unwrap(), "h2d2".parse().unwrap());
        assert!(value(&[], a).abs() < 1e-9);
        let few = [(a, 2)];
        let many = [(a, 2000)];
        assert!(value(&few, a) > 0.0 && value(&many, a) > value(&few, a));
        assert!(value(&few, b) < 0.0 && value(&many, b) < value(&few, b));
        let both = [(a, 1000), (b, 1000)];
        assert!((value(&both, a) - value(&both, b)).abs() < 1e-9);
    }
}
