//! Names of openings: ECCO codes (A00 to E99) by a table of defining moves.
//!
//! Comes in: a start position and the moves of a game. Goes out: a code, its name, and the ply by which it was decided.
//! The table is a plain file (`ecco.tsv`, which explains itself); [`Openings::read`] reads another one.
//!
//! A game is classified by each side's own moves, left-right mirror images alike, up to the twentieth ply. Where that
//! finds nothing (the game starts from another position, or transposes from an unusual first move), the positions that the
//! defining moves lead to are looked up, again in both mirror images.

mod automaton;
mod ecco;
mod pattern;
mod table;

pub use ecco::Ecco;
pub use table::{Opening, Openings, TableError, install, openings};
