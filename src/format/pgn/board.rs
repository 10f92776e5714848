//! A board drawn before the moves of a record: its start position.
//!
//! Comes in: the lines before the first move that hold no move. Goes out: the position they draw, or why it cannot be
//! read. Asked only where no `FEN` tag names the start.

use super::report::{self, Report};
use crate::board::Position;
use crate::diag::{Finding, codes};
use crate::diagram::{BoardFault, BoardNote, ReadBoard, read_board};
use std::ops::Range;

/// A board is looked for in so many lines before the first move.
const MOST_LINES: usize = 64;

/// A board with the byte where its text starts.
#[derive(Debug)]
pub(super) struct Drawn {
    at: usize,
    /// Bytes it takes.
    pub len: usize,
    read: Result<ReadBoard, BoardFault>,
}

/// The board in the lines `page` that stand before the byte `moves`.
pub(super) fn find(text: &str, page: &[Range<usize>], moves: usize) -> Option<Drawn> {
    let before = page.partition_point(|line| line.start < moves);
    let lines = &page[before.saturating_sub(MOST_LINES)..before];
    let (first, last) = (lines.first()?, lines.last()?);
    if lines.len() < 5 {
        return None;
    }
    // Blanks at the head of a row may be points.
    let start = text[..first.start].rfind('\n').map_or(0, |end| end + 1);
    let read = read_board(&text[start..last.end]);
    match &read {
        Err(BoardFault::None) => None,
        Ok(board) => Some(Drawn { at: start + board.range.start, len: board.range.len(), read }),
        Err(_) => Some(Drawn { at: start, len: last.end - start, read }),
    }
}

impl Drawn {
    /// The start position; one that cannot be read is told, and the usual one is taken.
    pub fn start(&self, report: &mut Report) -> Position {
        match &self.read {
            Ok(board) => {
                report.add_at(
                    self.at,
                    Finding::new(codes::BOARD_DRAWN, "the start position is the board drawn before the moves"),
                );
                for note in &board.notes {
                    // A record tells the side by its first ply.
                    if *note != BoardNote::SideMissing {
                        report.add_at(self.at, Finding::new(codes::FEN_ASSUMED, note.to_string()));
                    }
                }
                report::examine(&board.position, self.at, None, report);
                board.position
            }
            Err(fault) => {
                let message = format!("{fault}; the usual start position was taken");
                report.add_at(self.at, Finding::new(codes::BOARD_BROKEN, message));
                Position::start()
            }
        }
    }
}
