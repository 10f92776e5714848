//! 弈谱 (*yipu*, "game record"): reads written records of Chinese chess (象棋), proves them on a board, and
//! makes millions of them searchable.
//!
//! The crate is a line of small stages, each usable alone:
//!
//! 1. `text`: bytes to text, with the evidence for the encoding chosen.
//! 2. `format`: one file to raw games: headers, comments, move texts, each with its place in the file.
//! 3. `notation`: one move text to a token (no board needed), and a token with a position to candidate moves.
//! 4. `replay`: a row of tokens to a legal line of play, or to the place where it stops being one.
//! 5. `game`: the canonical game that all formats meet in.
//! 6. `store`, `search`: a database of games and every position in them.
//!
//! Stage 6 stands behind the feature `database`, folders and archives behind `files`; without them the crate is small
//! and reads bytes.
//!
//! [`board`] holds the rules of the game; `diag` holds what is said about faulty input.
//!
//! ```
//! use yipu::board::Position;
//! let mut position = Position::start();
//! position.play("h2e2".parse().unwrap()); // 炮二平五
//! assert_eq!(position.to_fen(), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1");
//! ```

#![deny(unsafe_code)]
#![warn(missing_docs, missing_debug_implementations)]

pub mod audit;
pub mod board;
#[cfg(feature = "database")]
pub mod dedup;
pub mod diag;
pub mod diagram;
#[cfg(feature = "database")]
pub mod explore;
#[cfg(feature = "database")]
pub mod export;
pub mod format;
pub mod game;
#[cfg(feature = "files")]
pub mod input;
#[cfg(feature = "database")]
pub mod names;
pub mod notation;
pub mod opening;
#[cfg(feature = "files")]
pub mod pipeline;
#[cfg(feature = "database")]
pub mod query;
pub mod replay;
pub mod rules;
#[cfg(feature = "database")]
pub mod search;
pub mod sheet;
#[cfg(feature = "database")]
pub mod store;
pub mod text;
mod work;
