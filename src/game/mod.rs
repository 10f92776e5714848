//! The canonical game: what every format is read into and written from.
//!
//! A game holds its headers as written and, by methods, as understood; a start position; a tree of plies with comments,
//! marks and clock times; a result; and whatever text could not be turned into plies, so that nothing is lost.

mod date;
mod header;
mod identity;
mod result;
mod tree;

pub use date::PartialDate;
pub use header::{Headers, Name};
pub use identity::{content_hash, main_line_key};
pub use result::GameResult;
pub use tree::{Comment, Node, NodeId, Place, Tree};

use crate::board::{Move, Position};

/// One game record.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Game {
    /// Headers in the order written.
    pub headers: Headers,
    /// The position before the first ply.
    pub start: Position,
    /// Plies, side lines, comments. Every ply of it is legal from its parent, unless a finding said otherwise.
    pub tree: Tree,
    /// The result as understood (headers first, then the end of the move text).
    pub result: GameResult,
    /// Move text behind the first ply that fits nothing, as written; empty if all was read.
    pub rest: String,
    /// Text behind the game that is no comment (adverts, page footers), as written.
    pub trailer: String,
}

impl Game {
    /// About how many bytes of memory it takes besides its own.
    pub fn memory(&self) -> usize {
        self.headers.memory() + self.tree.memory() + self.rest.capacity() + self.trailer.capacity()
    }

    /// The plies of the main line.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.tree.main_line().map(|id| self.tree[id].m)
    }

    /// The result that stands on the board at the end of the main line: the side without a legal move has lost, in check or
    /// not. `None` while there is a move.
    pub fn decided(&self) -> Option<GameResult> {
        let end = self.position_at(usize::MAX);
        end.outcome().map(|_| GameResult::win_of(!end.side_to_move()))
    }

    /// The position after `plies` plies of the main line (or its end, if it is shorter).
    pub fn position_at(&self, plies: usize) -> Position {
        let mut position = self.start;
        for m in self.moves().take(plies) {
            position.play(m);
        }
        position
    }
}
