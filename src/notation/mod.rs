//! Written moves: reading a text to a token (no board needed), a token to candidate moves (a board needed), and writing.
//!
//! Reading and resolving are two steps with two outcomes. [`read_move`] says whether a text is a move in any of the
//! forms of `grammars/`; [`resolve`] says which legal moves of a position it may stand for: none, one or several, never a
//! choice. What the characters alone cannot decide (from which end ranks are counted, which letters are meant) is a
//! [`Dialect`], a set of hypotheses about the whole record.
//!
//! ```
//! use yipu::{board::Position, notation::{read_move, resolve, Dialect}};
//! let (token, used) = read_move("炮二平五").unwrap();
//! assert_eq!(used, 12);
//! assert_eq!(resolve(&token, &Position::start(), Dialect::OPEN).single(), "h2e2".parse().ok());
//! ```

mod chinese;
mod dialect;
mod english;
mod explain;
mod glyph;
mod letters;
mod number;
pub(crate) mod quick;
mod read;
mod resolve;
mod style;
mod token;
mod words;
mod write;

pub use dialect::Dialect;
pub use explain::{Explanation, Misfit, explain};
pub(crate) use glyph::drawn_kind;
pub use number::round_number;
pub(crate) use number::{Number, Shape, read_number};
pub use read::{looks_like_move, read_move, read_whole};
pub(crate) use read::{read_english, side_label};
pub use resolve::{Candidates, rare_readings, resolve, resolve_unsafe};
pub(crate) use resolve::{decide, is_open, narrow, readings};
pub use style::{Bars, Digits, Notation, PawnStyle, Script, Style};
pub use token::{Bar, Form, Token};
pub use words::illegal_in_chinese;
pub use write::write_move;

/// What a token is made of, for the reader of score sheets.
pub(crate) mod parts {
    pub(crate) use super::token::{Action, Body, Direction, Place, Which};
}
