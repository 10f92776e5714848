//! A line of moves typed by a person.

use crate::board::{Illegal, Move, Position};
use crate::notation::{Dialect, read_move, resolve};

/// What a person may type: all notations in common use, ranks counted 0–9 from Red's side as everywhere in the program.
const TYPED: Dialect = Dialect::COMMON.settled(Dialect::RANKS_FROM_0);

/// Why a line cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The text is no move.
    #[error("ply {ply}: “{text}” is no move")]
    NoMove {
        /// The ply, from 1.
        ply: usize,
        /// The text.
        text: String,
    },
    /// No piece can play it.
    #[error("ply {ply}: {text} fits no legal move{}", because(.why))]
    Illegal {
        /// The ply, from 1.
        ply: usize,
        /// The text.
        text: String,
        /// What stands against it, if the text names both points.
        why: Option<Illegal>,
    },
    /// Several moves fit.
    #[error("ply {ply}: {text} may be {}", list(.moves))]
    Ambiguous {
        /// The ply, from 1.
        ply: usize,
        /// The text.
        text: String,
        /// What it may be.
        moves: Vec<Move>,
    },
}

fn list(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(", ")
}

fn because(why: &Option<Illegal>) -> String {
    why.as_ref().map_or_else(String::new, |why| format!(": {why}"))
}

/// Reads moves in any notation, in any mixture, with or without numbers, blanks and commas between them.
///
/// ```
/// use yipu::board::Position;
/// use yipu::explore::read_line;
/// let moves = read_line(&Position::start(), "1. 炮二平五 马8进7 2. h0g2").unwrap();
/// assert_eq!(format!("{moves:?}"), "[h2e2, h9g7, h0g2]");
/// ```
///
/// # Errors
///
/// At the first text that is no move, or not exactly one.
pub fn read_line(start: &Position, text: &str) -> Result<Vec<Move>, LineError> {
    read_line_in(start, text, TYPED)
}

/// Reads moves as [`read_line`] does, in the notations of this dialect.
///
/// # Errors
///
/// As [`read_line`].
pub fn read_line_in(start: &Position, text: &str, dialect: Dialect) -> Result<Vec<Move>, LineError> {
    let mut position = *start;
    let mut moves = Vec::new();
    let mut rest = text;
    loop {
        rest = skip_between(rest);
        if rest.is_empty() {
            return Ok(moves);
        }
        let ply = moves.len() + 1;
        let word = || rest.split_whitespace().next().unwrap_or_default().to_string();
        let Some((token, length)) = read_move(rest) else { return Err(LineError::NoMove { ply, text: word() }) };
        let written = rest[..length].to_string();
        let candidates = resolve(&token, &position, dialect);
        match *candidates {
            [m] => {
                position.play(m);
                moves.push(m);
            }
            [] => {
                let why = written.parse().ok().and_then(|m| position.prove(m).err());
                return Err(LineError::Illegal { ply, text: written, why });
            }
            _ => return Err(LineError::Ambiguous { ply, text: written, moves: candidates.to_vec() }),
        }
        rest = &rest[length..];
    }
}

/// Passes over blanks, commas and move numbers (`12.`, `12...`).
fn skip_between(mut text: &str) -> &str {
    loop {
        let trimmed = text.trim_start_matches(|c: char| c.is_whitespace() || ",;，；、".contains(c));
        let behind = trimmed.trim_start_matches(|c: char| c.is_ascii_digit());
        let number = trimmed.len() - behind.len();
        let dots = behind.trim_start_matches(['.', '。', '．', '…', '、']);
        text = if number > 0 && dots.len() < behind.len() { dots } else { trimmed };
        if text.len() == trimmed.len() {
            return text;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_in_any_notation_are_read_and_errors_name_the_ply() {
        let start = Position::start();
        let moves = |text: &str| read_line(&start, text).map(|moves| list(&moves));
        assert_eq!(moves("h2e2 h9g7, h0g2").as_deref(), Ok("h2e2, h9g7, h0g2"));
        assert_eq!(moves("1.炮二平五 马8进7 2.马二进三").as_deref(), Ok("h2e2, h9g7, h0g2"));
        assert_eq!(moves("C2.5 H8+7").as_deref(), Ok("h2e2, h9g7"));
        assert_eq!(moves("").as_deref(), Ok(""));
        assert!(matches!(moves("h2e2 hallo"), Err(LineError::NoMove { ply: 2, .. })));
        assert!(matches!(moves("h2e2 h2e2"), Err(LineError::Illegal { ply: 2, .. })));
    }
}
