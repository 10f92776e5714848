//! Finding games.
//!
//! Comes in: a [`Query`](crate::query::Query) and a database. Goes out: the games it is true of, each with the place on
//! the board it is about, and a [`Plan`] that says how they were found.
//!
//! * [`headers`]: the index of headers, names and comments;
//! * [`Searcher`]: asks the indexes, joins their answers, judges what they leave open;
//! * [`Bound`]: rules games out, or in, by what can have been on the board in them;
//! * [`Scanner`]: plays through games and watches for patterns, material, captures, checks;
//! * [`GameSet`]: sets of games.

mod bound;
pub mod headers;
mod pieces;
mod run;
mod scan;
mod set;

pub use bound::{Bound, Verdict};
pub use run::{Found, Plan, Prepared, SearchError, Searcher, Step};
pub use scan::{Place, Scanner};
pub use set::GameSet;
