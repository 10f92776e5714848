//! What captures are worth: the exchange on one point, played out with the cheapest pieces first.

use crate::board::{Color, Kind, Move, Piece, Position, Square};

/// Worth of a piece on its square, in half pawns.
pub fn worth(piece: Piece, square: Square) -> i32 {
    match piece.kind() {
        Kind::King => 200,
        Kind::Rook => 18,
        Kind::Cannon => 9,
        Kind::Horse => 8,
        Kind::Elephant | Kind::Advisor => 4,
        Kind::Pawn if square.rank_for(piece.color()) >= 5 => 4,
        Kind::Pawn => 2,
    }
}

/// What the side to move wins by taking on a point if both sides take back as long as it pays; 0 if it had better not.
pub fn exchange(position: &mut Position, to: Square) -> i32 {
    let Some(target) = position.piece_at(to) else { return 0 };
    let side = position.side_to_move();
    if target.color() == side {
        return 0;
    }
    let mut cheapest: Option<(i32, Square)> = None;
    for from in position.squares_of_side(side) {
        if position.is_pseudo_legal(Move::new(from, to)) {
            let worth = position.piece_at(from).map_or(0, |piece| worth(piece, from));
            if cheapest.is_none_or(|(least, _)| worth < least) && position.is_legal(Move::new(from, to)) {
                cheapest = Some((worth, from));
            }
        }
    }
    let Some((_, from)) = cheapest else { return 0 };
    let m = Move::new(from, to);
    let undo = position.play(m);
    let gain = worth(target, to) - exchange(position, to);
    position.undo(m, undo);
    gain.max(0)
}

/// The best exchange for the side to move: what it wins and where; the second best as well.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threat {
    /// What the best exchange wins, 0 if there is none.
    pub gain: i32,
    /// Where.
    pub at: Option<Square>,
    /// What the next best one wins.
    pub second: i32,
}

/// The best exchanges `side` has if it is its turn.
pub fn threat(position: &Position, side: Color) -> Threat {
    let mut board = *position;
    board.set_side_to_move(side);
    let mut best = Threat::default();
    for square in position.squares_of_side(!side) {
        if position.piece_at(square).is_some_and(|piece| piece.kind() == Kind::King) {
            continue;
        }
        let gain = exchange(&mut board, square);
        if gain > best.gain {
            best = Threat { gain, at: Some(square), second: best.gain };
        } else if gain > best.second {
            best.second = gain;
        }
    }
    best
}
