//! The last hypotheses about a record that stops: another board than the one named.
//!
//! Comes in: the start position, the texts of the main line, how far they could be read. Goes out: every other start
//! position on which all of them can be read: mirrored left to right, with colours swapped (the board turned, or in
//! place), or with the other side to move. Nothing is applied: a text that fits a mirrored board may as well be wrong in
//! one character, and only a person can look at the source.

use super::lattice::{Limits, settle};
use crate::board::Position;
use crate::notation::{Dialect, Token};
use std::fmt;

/// In which way a board differs from the one named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Mirrored left to right.
    pub mirrored: bool,
    /// Red's pieces are Black's and the board is turned by half.
    pub colors_swapped: bool,
    /// The other side is to move.
    pub other_side: bool,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.mirrored, "mirrored left to right"),
            (self.colors_swapped, "colours swapped"),
            (self.other_side, "the other side to move"),
        ];
        let said: Vec<&str> = parts.into_iter().filter(|(yes, _)| *yes).map(|(_, text)| text).collect();
        f.write_str(&said.join(", "))
    }
}

/// A start position on which the whole record can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherBoard {
    /// What is different.
    pub change: Change,
    /// The position.
    pub start: Position,
}

/// A record shorter than this fits too much to say anything.
const LEAST_PLIES: usize = 4;
/// No more texts than these are asked.
const MOST_PLIES: usize = 200;

/// Every other board that reads all the texts, which the board named does not. The likelier changes come first.
pub fn other_boards(start: &Position, tokens: &[Option<Token>], dialect: Dialect) -> Vec<OtherBoard> {
    let tokens = &tokens[..tokens.len().min(MOST_PLIES)];
    if tokens.len() < LEAST_PLIES {
        return Vec::new();
    }
    let limits = Limits { most_boards: 64, ..Limits::default() };
    let changes = [
        (true, false, false),
        (false, true, false),
        (true, true, false),
        (false, false, true),
        (true, false, true),
        (false, true, true),
        (true, true, true),
    ];
    let mut found: Vec<OtherBoard> = Vec::new();
    for (mirrored, colors_swapped, other_side) in changes {
        let mut board = *start;
        if mirrored {
            board = board.mirrored();
        }
        if colors_swapped {
            // The side to move stays: it is the pieces that were mixed up.
            board = board.swapped();
            board.set_side_to_move(start.side_to_move());
        }
        if other_side {
            board.set_side_to_move(!start.side_to_move());
        }
        // Colours and side both swapped are the same game to texts that count from the mover.
        let same = |other: &Position| *other == board || other.swapped() == board;
        if same(start) || found.iter().any(|other| same(&other.start)) {
            continue;
        }
        if settle(&board, tokens, dialect, &limits).moves.len() == tokens.len() {
            found.push(OtherBoard { change: Change { mirrored, colors_swapped, other_side }, start: board });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::read_whole;

    fn changes(fen: &str, texts: &str) -> Vec<String> {
        let tokens: Vec<_> = texts.split(' ').map(read_whole).collect();
        let start = Position::from_fen(fen).unwrap();
        other_boards(&start, &tokens, Dialect::OPEN).iter().map(|other| other.change.to_string()).collect()
    }

    #[test]
    fn a_record_of_a_mirrored_board_is_told_as_such() {
        // The rook stands on a0 and the pawn on g3; the record was made on the mirror image.
        let fen = "3k5/9/9/9/9/9/6P2/9/9/R3K4 w";
        assert_eq!(changes(fen, "车一进三 将6进1 兵七进一 将6退1"), ["mirrored left to right"]);
        assert!(changes(fen, "车九进三 将4进1 兵三进一 将4退1").is_empty(), "it fits as it is");
    }

    #[test]
    fn a_board_with_its_colours_swapped_is_told_as_such() {
        let start = Position::from_fen("3k5/9/4b4/9/2n6/9/6P2/R8/4A4/4K4 w").unwrap();
        let swapped = {
            let mut board = start.swapped();
            board.set_side_to_move(start.side_to_move());
            board.to_fen()
        };
        let found = changes(&swapped, "车九平四 马3进5 兵三进一 马5进4");
        assert!(found.contains(&"colours swapped".to_string()), "{found:?}");
    }

    #[test]
    fn the_usual_start_is_its_own_mirror_image_and_few_plies_say_nothing() {
        let start = crate::board::START_FEN;
        assert!(changes(start, "炮二平五 马8进7 车一平三 车9平8").is_empty());
        assert!(changes("3k5/9/9/9/9/9/6P2/9/9/R3K4 w", "车一进三").is_empty());
    }
}
