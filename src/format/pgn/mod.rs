//! Portable game notation as written for xiangqi, in all its habits.
//!
//! Comes in: tags, move text in any notation, comments, side lines; one game or many a file. Goes out: games whose every
//! ply is proved on the board.
//!
//! ```text
//! [Game "Chinese Chess"]
//! [Red "甲"]
//! [Result "1-0"]
//!
//!   1. 炮二平五 {中炮} 马8进7 (1. ... 炮8平5 2. 马二进三)
//!   2. 马二进三 车9平8
//!  1-0
//! ```
//!
//! A new game starts at the first tag line behind move text, behind a result, or at a first round after an empty line.
//! Headers are kept as written, in their order, but for those that say what the model holds itself: `Game`, `Format`,
//! `SetUp`, `Variant "xiangqi"`; `FEN` (the start position) and `Result` where they can be read.
//!
//! The reader forgives, with a finding where something had to be assumed: what `tags.rs` and `scan/` list; no tags, no
//! result, text behind the result (kept apart, not as a comment); a FEN with the wrong side; a `Format` that does not fit
//! the moves; results in words; a game in another encoding than its file; a stray byte that swallows its neighbour.
//! It is strict about one thing: a ply that fits no legal move ends the game, and the rest is kept as text.
//!
//! The writer writes the shape of the xqbase programs: `Game` first, one round a line, CR LF. [`PgnWriter`] says how
//! everything else is written so that it reads back.

mod assemble;
mod board;
mod drawn;
mod express;
mod raw;
mod read;
mod report;
mod scan;
mod split;
mod tags;
mod write;

pub use read::PgnReader;
pub(super) use read::first_round;
pub(super) use tags::write_tag;
pub use write::PgnWriter;
pub(super) use write::{safe_name, stops_at_once, write_trailer};

use crate::game::GameResult;
use crate::replay::Entry;

/// Reads move text from an offset on, for formats whose move text is like that of PGN. Gives the result at its end, and
/// where reading stopped if the text holds more than is read of one game.
pub(super) fn scan_moves<'a>(
    text: &'a str,
    from: usize,
    entries: &mut Vec<Entry<'a>>,
) -> (Option<GameResult>, Option<usize>) {
    let scanned = scan::scan(text, from, entries);
    (scanned.result, (scanned.stop == scan::Stop::Limit).then_some(scanned.end))
}

#[cfg(test)]
mod both_ways;
#[cfg(test)]
mod tests;
