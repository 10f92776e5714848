//! Score sheets: what two players wrote by hand, typed as text, becomes a game again.
//!
//! Comes in: the text of one or two sheets. Goes out: a [`Transcript`]: the game, what every entry was read as and why,
//! how many games fit everything written, and what is missing. Nothing is guessed silently: a reading that was chosen
//! for its likelihood says so, an entry that was mended says how, and a sheet that breaks says where.
//!
//! | step | file |
//! |---|---|
//! | lines to entries | `read.rs`, `row.rs` |
//! | what an entry may mean in a position | `pattern.rs` |
//! | all readings at once, merged by board | `graph.rs`, `search.rs` |
//! | what players play: features, weights, exchanges, other games | `feature.rs`, `model.rs`, `exchange.rs`, `book.rs` |
//! | ranking and counting on the graph | `rank.rs` |
//! | the whole work: hypotheses, mends, answer | `transcribe.rs`, `hypothesis.rs`, `mend.rs`, `answer.rs`, `report.rs` |

mod answer;
mod book;
pub mod exchange;
pub mod feature;
pub mod graph;
mod hypothesis;
mod mend;
pub mod model;
pub mod pattern;
pub mod rank;
mod read;
mod report;
mod row;
pub mod search;
mod transcribe;

pub use book::Book;
pub use read::{Entry, Jump, Sheet, What};
pub use report::{Gap, How, Ply, ReadEntry, Transcript};
pub use transcribe::{Options, transcribe, transcribe_checking, weigh};
