//! Bytes to text.
//!
//! Comes in: the bytes of a record, in whatever encoding its program used. Goes out: text, the name of the encoding with
//! the evidence for it, and every byte that could not be read. The rest of the crate works on text alone; [`Locator`]
//! leads back from a place in the text to byte, line and column of the original.
//!
//! - [`detect()`]: which encoding, and why;
//! - [`decode_into`]: the text, one U+FFFD and one [`Fault`] for every bad byte;
//! - [`fold`]: one form for all the ways a character is written, for searching;
//! - [`Locator`]: where in the file a piece of text stood.

mod decode;
mod detect;
pub mod fold;
pub(crate) mod markup;
mod span;

pub(crate) use decode::mark_len;
pub use decode::{Fault, Faults, decode, decode_as, decode_into};
pub(crate) use detect::utf16;
pub use detect::{Basis, Guess, detect, encoding_name};
pub(crate) use span::count_lines;
pub use span::{Locator, Spot};
