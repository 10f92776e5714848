//! FEN in and out.
//!
//! The writer emits all six fields: `rnbakabnr/…/RNBAKABNR w - - 0 1`, letters `K A B N R C P`.
//!
//! The reader forgives, and notes what it forgave:
//!
//! - one to six fields; a missing side is Red, missing or dashed counters are unknown and become `0 1`;
//! - `H` for `N`, `E` for `B`; side `r` (or `R`, `W`) for Red; runs of empty points such as `54`;
//! - `_` or `%20` for blanks (web addresses), blanks and a `position` / `fen` word around it;
//! - a list of moves behind the board (`… moves h2e2 h9g7`), which is played if legal.
//!
//! It refuses: rows that do not add up to nine, not ten rows, unknown letters, hidden-piece (jieqi) boards.

use super::piece::{Color, Piece};
use super::position::{Illegal, Position};
use super::square::{Move, Square};

/// FEN of the start position.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Why a text is not a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenFault {
    /// Nothing there.
    #[error("empty FEN")]
    Empty,
    /// Not ten rows.
    #[error("{0} rows instead of 10")]
    Rows(usize),
    /// A row that is not nine points wide. Rows count from 1, Black's back rank first.
    #[error("row {row} ({text}) has {width} points instead of 9")]
    Width {
        /// Row number from 1.
        row: usize,
        /// The row as written.
        text: String,
        /// How many points it describes.
        width: usize,
    },
    /// A letter that is no piece.
    #[error("row {row}: '{letter}' is no piece")]
    Letter {
        /// Row number from 1.
        row: usize,
        /// The offending character.
        letter: char,
    },
    /// A board of 揭棋 with hidden pieces (`x`/`X`).
    #[error("hidden pieces (x): a jieqi (揭棋) board, which is not supported")]
    Jieqi,
    /// A move behind the board that is not one.
    #[error("'{0}' is no move in coordinates")]
    MoveText(String),
    /// A move behind the board that cannot be played.
    #[error("move {0}: {1}")]
    Move(Move, Illegal),
}

/// Something the reader assumed or translated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenNote {
    /// No side given: Red assumed.
    #[error("no side to move given, Red assumed")]
    SideMissing,
    /// A side letter that is neither Red's nor Black's: Red assumed.
    #[error("side '{0}' is neither w, r nor b, Red assumed")]
    SideUnknown(String),
    /// Counters missing or not numbers.
    #[error("counters unknown, 0 1 assumed")]
    CountersUnknown,
    /// Letters `H` or `E` used.
    #[error("letters H/E read as N/B")]
    LettersHe,
}

/// What [`Position::read_fen`] found.
#[derive(Clone, Debug)]
pub struct ReadFen {
    /// The position of the board field.
    pub start: Position,
    /// Moves listed behind it, all legal.
    pub moves: Vec<Move>,
    /// What was assumed.
    pub notes: Vec<FenNote>,
}

impl ReadFen {
    /// The position after the listed moves.
    pub fn position(&self) -> Position {
        let mut position = self.start;
        for &m in &self.moves {
            position.play(m);
        }
        position
    }
}

impl Position {
    /// Reads a FEN as leniently as the module page says; the position meant is the one after any listed moves.
    ///
    /// # Errors
    ///
    /// See [`FenFault`].
    ///
    /// # Example
    ///
    /// ```
    /// # use yipu::board::Position;
    /// assert_eq!(Position::from_fen("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r"), Ok(Position::start()));
    /// ```
    pub fn from_fen(text: &str) -> Result<Position, FenFault> {
        Ok(Position::read_fen(text)?.position())
    }

    /// As [`Position::from_fen`], with the notes and the listed moves kept apart.
    ///
    /// # Errors
    ///
    /// See [`FenFault`].
    pub fn read_fen(text: &str) -> Result<ReadFen, FenFault> {
        let text = text.replace("%20", " ").replace('_', " ");
        let mut fields = text.split_whitespace().peekable();
        let mut board = fields.next().ok_or(FenFault::Empty)?;
        while ["position", "fen"].contains(&board) {
            board = fields.next().ok_or(FenFault::Empty)?;
        }
        let mut notes = Vec::new();
        let mut position = if board == "startpos" { Position::start() } else { read_board(board, &mut notes)? };

        let mut counters_known = board == "startpos";
        match fields.next_if(|f| *f != "moves") {
            None if board == "startpos" => {}
            None => notes.push(FenNote::SideMissing),
            Some("w" | "W" | "r" | "R") => {}
            Some("b" | "B") => position.set_side_to_move(Color::Black),
            Some(other) => notes.push(FenNote::SideUnknown(other.to_string())),
        }
        let rest: Vec<&str> = std::iter::from_fn(|| fields.next_if(|f| *f != "moves")).collect();
        // The counters are the last two of up to four fields; the first two have no meaning in xiangqi.
        if let [_, _, quiet, round, ..] | [quiet, round] = rest[..]
            && let (Ok(quiet), Ok(round)) = (quiet.parse(), round.parse::<u16>())
        {
            position.set_counters(quiet, round);
            counters_known = true;
        }
        if !counters_known {
            notes.push(FenNote::CountersUnknown);
        }
        let mut moves = Vec::new();
        let mut now = position;
        for text in fields.skip(1) {
            let m: Move = text.parse().map_err(|_| FenFault::MoveText(text.to_string()))?;
            now.prove(m).map_err(|why| FenFault::Move(m, why))?;
            now.play(m);
            moves.push(m);
        }
        Ok(ReadFen { start: position, moves, notes })
    }

    /// The six-field FEN.
    pub fn to_fen(&self) -> String {
        let mut text = self.to_board_fen();
        text.push_str(match self.side_to_move() {
            Color::Red => " w",
            Color::Black => " b",
        });
        text.push_str(&format!(" - - {} {}", self.quiet_plies(), self.round()));
        text
    }

    /// The board field alone.
    pub fn to_board_fen(&self) -> String {
        let mut text = String::with_capacity(80);
        for rank in (0..10).rev() {
            let mut empty = 0u8;
            for file in 0..9 {
                match self.piece_at(Square::known(rank * 9 + file)) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            text.push((b'0' + empty) as char);
                            empty = 0;
                        }
                        text.push(piece.letter());
                    }
                }
            }
            if empty > 0 {
                text.push((b'0' + empty) as char);
            }
            if rank > 0 {
                text.push('/');
            }
        }
        text
    }
}

fn read_board(board: &str, notes: &mut Vec<FenNote>) -> Result<Position, FenFault> {
    let rows: Vec<&str> = board.trim_matches('/').split('/').collect();
    if rows.len() != 10 {
        return Err(FenFault::Rows(rows.len()));
    }
    if board.contains(['x', 'X']) {
        return Err(FenFault::Jieqi);
    }
    let mut position = Position::empty(Color::Red);
    for (index, row) in rows.iter().enumerate() {
        let mut file = 0usize;
        for letter in row.chars() {
            if let Some(run) = letter.to_digit(10) {
                file += run as usize;
                continue;
            }
            let piece = Piece::from_letter(letter).ok_or(FenFault::Letter { row: index + 1, letter })?;
            if matches!(letter.to_ascii_uppercase(), 'H' | 'E') && !notes.contains(&FenNote::LettersHe) {
                notes.push(FenNote::LettersHe);
            }
            if file < 9 {
                position.put(Square::known((9 - index as u8) * 9 + file as u8), Some(piece));
            }
            file += 1;
        }
        if file != 9 {
            return Err(FenFault::Width { row: index + 1, text: (*row).to_string(), width: file });
        }
    }
    Ok(position)
}

impl serde::Serialize for Position {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_fen())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_dashed_fens_are_read_with_a_note() {
        // FEN-1
        for text in ["3k5/9/9/9/9/9/9/9/9/4K4 b", "3k5/9/9/9/9/9/9/9/9/4K4 b - - - -"] {
            let read = Position::read_fen(text).unwrap();
            assert_eq!(read.start.to_fen(), "3k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1");
            assert_eq!(read.notes, [FenNote::CountersUnknown]);
        }
        let board_alone = Position::read_fen("3k5/9/9/9/9/9/9/9/9/4K4").unwrap();
        assert_eq!(board_alone.notes, [FenNote::SideMissing, FenNote::CountersUnknown]);
    }

    #[test]
    fn letters_of_other_dialects_and_runs_of_digits_are_read() {
        // FEN-4
        let text = "rheakaehr/9/1c5c1/p1p1p1p1p/9/54/P1P1P1P1P/1C5C1/9/RHEAKAEHR r";
        let read = Position::read_fen(text).unwrap();
        assert_eq!(read.start, Position::start());
        assert!(read.notes.contains(&FenNote::LettersHe));
    }

    #[test]
    fn a_hidden_piece_board_is_refused_by_name() {
        // FEN-6
        let text = "xxxxkxxxx/9/1x5x1/x1x1x1x1x/9/9/X1X1X1X1X/1X5X1/9/XXXXKXXXX w A2B2N2R2C2P5a2b2n2r2c2p5 - 0 1";
        assert_eq!(Position::from_fen(text), Err(FenFault::Jieqi));
    }

    #[test]
    fn engine_strings_with_moves_mean_the_position_after_them() {
        // FMT-19
        let read = Position::read_fen("position fen 3k5/R3a4/9/9/9/8r/9/9/9/4K4 b - - 0 1 moves i4i0 e0e1").unwrap();
        assert_eq!(read.moves.len(), 2);
        assert_eq!(read.position().to_board_fen(), "3k5/R3a4/9/9/9/9/9/9/4K4/8r");
        assert_eq!(Position::from_fen("position startpos"), Ok(Position::start()));
        assert!(matches!(Position::from_fen("startpos moves e5e6"), Err(FenFault::Move(..))));
    }

    #[test]
    fn what_cannot_be_a_board_says_why() {
        let fault = |text: &str| Position::from_fen(text).unwrap_err().to_string();
        assert_eq!(fault(""), "empty FEN");
        assert_eq!(fault("9/9/9"), "3 rows instead of 10");
        assert_eq!(fault("3k5/9/8/9/9/9/9/9/9/4K4"), "row 3 (8) has 8 points instead of 9");
        assert_eq!(fault("3z5/9/9/9/9/9/9/9/9/4K4"), "row 1: 'z' is no piece");
    }

    #[test]
    fn writing_then_reading_gives_the_same_position() {
        for fen in [START_FEN, "C1nNk4/9/9/9/9/9/n1pp5/B3C4/9/3A1K3 b - - 17 42"] {
            assert_eq!(Position::from_fen(fen).unwrap().to_fen(), fen);
        }
    }
}
