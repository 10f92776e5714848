//! A ply left out of a record.
//!
//! Comes in: the position before the gap and the texts behind it. Goes out: every legal move that makes all of them
//! playable, in order. Choosing among them is for a person; a single one is still only a proposal.

use super::lattice::{Limits, settle};
use crate::board::{Move, Position};
use crate::notation::{Dialect, Token};

/// Every legal move that, put in the place of one missing ply, lets all the texts behind it be read. `None` among them
/// stands for a text that is no move; nothing then fits.
///
/// ```
/// use yipu::{board::Position, notation::{read_move, Dialect}, replay::missing_ply};
/// // 炮二平五, a ply nobody wrote down, 马二进三 车9平8: the horse has to leave the back rank, or the rook did.
/// let mut position = Position::start();
/// position.play("h2e2".parse().unwrap());
/// let behind = ["马二进三", "车9平8"].map(|text| read_move(text).map(|(token, _)| token));
/// let moves = missing_ply(&position, &behind, Dialect::OPEN);
/// assert_eq!(format!("{moves:?}"), "[h9g7, h9i7, i9i8]");
/// ```
pub fn missing_ply(position: &Position, behind: &[Option<Token>], dialect: Dialect) -> Vec<Move> {
    let limits = Limits { most_boards: 64, ..Limits::default() };
    let fits = |m: &Move| {
        let mut next = *position;
        next.play(*m);
        settle(&next, behind, dialect, &limits).moves.len() == behind.len()
    };
    position.legal_moves().iter().copied().filter(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::read_whole;

    /// The moves that fill the gap marked by `?`, and what each captures.
    fn filled(record: &str) -> Vec<(String, bool)> {
        let (before, behind) = record.split_once(" ? ").unwrap();
        let tokens = |texts: &str| texts.split(' ').map(read_whole).collect::<Vec<_>>();
        let settled = settle(&Position::start(), &tokens(before), Dialect::OPEN, &Limits::default());
        assert_eq!(settled.moves.len(), before.split(' ').count());
        missing_ply(&settled.end, &tokens(behind), Dialect::OPEN)
            .into_iter()
            .map(|m| (m.to_string(), settled.end.piece_at(m.to()).is_some()))
            .collect()
    }

    #[test]
    fn every_move_that_makes_the_rest_playable_is_listed() {
        // LEG-9
        let one = "炮二平五 马8进7 马二进三 车9平8 车一平二 卒7进1 兵七进一 马2进3 马八进七 象3进5 炮八平九 炮8平9 车九平八 ? \
                   马三退二 车1平2";
        assert_eq!(filled(one), [("h9h0".to_owned(), true)]);
        let three = "炮二平五 马8进7 马二进三 车9平8 车一平二 卒7进1 兵七进一 ? 马八进七 象3进5 炮八平九 炮8平9 车九平八 \
                     车8进9 马三退二 车1平2";
        let moves: Vec<String> = filled(three).into_iter().map(|(m, _)| m).collect();
        assert_eq!(moves, ["a9a8", "b9a7", "b9c7"]);
    }
}
