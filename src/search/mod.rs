//! Finding games.
//!
//! * [`headers`]: the index of headers, names and comments;
//! * [`GameSet`]: sets of games.

pub mod headers;
mod set;

pub use set::GameSet;
