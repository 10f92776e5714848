//! The same game more than once.
//!
//! Comes in: a database. Goes out: groups of games that are, or may be, one game, each with its evidence and the copy
//! worth keeping. Nothing is changed here; [`Marks`] are how a user's decision is written down.
//!
//! Games are compared by start position and moves, never by bytes or headers alone:
//!
//! | likeness | moves | names and dates |
//! |---|---|---|
//! | same | equal | must not contradict each other, unless the game is long |
//! | mirrored | equal left to right | as above |
//! | contained | all of one are the first of the other | the same players, and dates that do not contradict; with unknown players or dates only if long |
//! | near | as many, one ply differs | the same players, or a long game |

mod find;
mod marks;

pub use find::{Copy, Group, Likeness, find};
pub use marks::{MarkFault, Marks};
