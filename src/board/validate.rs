//! What makes a position impossible. Such positions are kept and reported, never refused: records contain them.

use super::piece::{Color, Kind, Piece};
use super::position::Position;
use super::square::Square;

/// One reason why a position cannot arise in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionFault {
    /// A side has no general.
    #[error("{0} has no general")]
    NoKing(Color),
    /// More pieces of a kind than a set holds.
    #[error("{count} pieces {piece}, a set has {}", .piece.kind().most())]
    TooMany {
        /// The piece in question.
        piece: Piece,
        /// How many stand on the board.
        count: usize,
    },
    /// A piece on a point it can never reach.
    #[error("{piece} on {square}: not {} point", article(.piece.kind()))]
    Misplaced {
        /// The piece.
        piece: Piece,
        /// Where it stands.
        square: Square,
    },
    /// The side that has just moved is in check.
    #[error("{0} is in check, but it is the other side's turn")]
    OpponentInCheck(Color),
    /// The generals face each other on an open file.
    #[error("the generals face each other")]
    FacingGenerals,
}

fn article(kind: Kind) -> String {
    let name = kind.name();
    if name.starts_with(['a', 'e']) { format!("an {name}") } else { format!("a {name}") }
}

impl Position {
    /// Everything that makes this position impossible, in a fixed order; empty for a sound one.
    pub fn faults(&self) -> Vec<PositionFault> {
        let mut faults = Vec::new();
        for color in Color::ALL {
            if self.king(color).is_none() {
                faults.push(PositionFault::NoKing(color));
            }
        }
        for piece in Piece::all() {
            let count = self.squares_of(piece).count();
            if count > piece.kind().most() {
                faults.push(PositionFault::TooMany { piece, count });
            }
        }
        for (square, piece) in self.pieces() {
            if !square.allows(piece.kind(), piece.color()) {
                faults.push(PositionFault::Misplaced { piece, square });
            }
        }
        let waiting = !self.side_to_move();
        if let Some(attacker) = self.attacker_of_king(waiting) {
            let facing = self.piece_at(attacker).is_some_and(|p| p.kind() == Kind::King);
            faults.push(if facing { PositionFault::FacingGenerals } else { PositionFault::OpponentInCheck(waiting) });
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_colour_piece_point_and_reason() {
        // FEN-3
        let faults = Position::from_fen("3k5/9/9/9/9/9/9/9/4B4/4KR3 w - - 0 1").unwrap().faults();
        let text: Vec<_> = faults.iter().map(PositionFault::to_string).collect();
        assert_eq!(text, ["Red elephant on e1: not an elephant point"]);
    }

    #[test]
    fn sound_positions_have_no_faults_and_odd_ones_have_theirs() {
        assert_eq!(Position::start().faults(), []);
        let faults = |fen: &str| Position::from_fen(fen).unwrap().faults();
        assert_eq!(faults("4k4/9/9/9/9/9/9/9/9/4K4 w"), [PositionFault::FacingGenerals]);
        assert_eq!(faults("3k5/9/9/9/3R5/9/9/9/9/4K4 w"), [PositionFault::OpponentInCheck(Color::Black)]);
        assert_eq!(faults("9/9/9/9/9/9/9/9/9/4K4 w"), [PositionFault::NoKing(Color::Black)]);
        assert_eq!(faults("3k1RRR1/9/9/9/9/9/9/9/9/4K4 b").len(), 1);
    }
}
