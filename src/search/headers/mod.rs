//! The index of headers, names and comments: a tantivy index with one document a game.
//!
//! Comes in: the headers of every game with its number ([`HeaderWriter`]). Goes out: the numbers of the games that have
//! a text in a role, a date in a span, a code, a length, a result ([`HeaderReader`]), as [`GameSet`](super::GameSet)s.
//! `schema.rs` says what is stored; the values themselves stay in the games of the store.
//!
//! Answers about headers are exact. An answer about comments may hold too many games where the needle is longer than two
//! characters; [`Found::decided`] says so, and the caller looks at the comments.

mod date;
mod read;
mod schema;
mod tokens;
mod write;

pub use date::{DateRange, date_number, number_date};
pub use read::{Columns, Found, HeaderReader, TextEntry};
pub use schema::Role;
pub use write::{GameHeaders, HeaderWriter};
