//! 子力价值 and 得子: what an exchange must bring to count as winning a piece.
//!
//! | | 2011 | 1987 |
//! |---|---|---|
//! | something for nothing | gain | gain |
//! | weak pieces for a strong one | gain (26.6) | gain (§2.3(一)5) |
//! | a strong piece for weak ones | no (26.6) | no (§2.3(二)2) |
//! | a rook for two minor pieces and more | no (26.6) | no (§2.3(二)1) |
//! | two minor pieces for a rook | even | gain (§2.3(一)4) |
//! | equal strong pieces and something on top | gain | gain (§2.3(一)2, 3) |
//! | a piece for crossed pawns | no | no (§2.3(二)3) |
//! | pawns for a piece | no, but a rook if a pawn gave check (26.7) | no (§2.3(二)4, §4.10) |

use super::edition::Ruleset;
use crate::board::{Kind, Piece, Square};

/// What one side has won and lost so far in a line of captures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    won: [u8; 7],
    lost: [u8; 7],
    /// A pawn of the side was given up after it gave a check.
    pawn_gave_check: bool,
}

/// Whether a pawn standing on this point has crossed the river.
pub fn has_crossed(pawn: Piece, square: Square) -> bool {
    square.rank_for(pawn.color()) >= 5
}

/// Whether a piece on this point is worth winning at all: no king, no pawn before the river.
pub fn is_worth_winning(piece: Piece, square: Square) -> bool {
    match piece.kind() {
        Kind::King => false,
        Kind::Pawn => has_crossed(piece, square),
        _ => true,
    }
}

/// Rook 4, horse and cannon 2, crossed pawn 2, advisor and elephant 1: the scale for comparing losses elsewhere (26.5).
pub fn worth(piece: Piece, square: Square) -> i32 {
    match piece.kind() {
        Kind::King => 0,
        Kind::Rook => 4,
        Kind::Horse | Kind::Cannon => 2,
        Kind::Pawn => 2 * i32::from(has_crossed(piece, square)),
        Kind::Advisor | Kind::Elephant => 1,
    }
}

impl Ledger {
    /// Nothing won, nothing lost.
    pub const EMPTY: Ledger = Ledger { won: [0; 7], lost: [0; 7], pawn_gave_check: false };

    /// The side takes this piece.
    #[must_use]
    pub fn win(mut self, piece: Piece, square: Square) -> Ledger {
        if is_worth_winning(piece, square) {
            self.won[piece.kind().index()] += 1;
        }
        self
    }

    /// The side loses this piece.
    #[must_use]
    pub fn lose(mut self, piece: Piece, square: Square) -> Ledger {
        if is_worth_winning(piece, square) {
            self.lost[piece.kind().index()] += 1;
        }
        self
    }

    /// A pawn of the side has just given check (or uncovered one).
    #[must_use]
    pub fn pawn_check(mut self) -> Ledger {
        self.pawn_gave_check = true;
        self
    }

    /// Balance of strong pieces, rook 2, horse and cannon 1.
    pub fn strong(&self) -> i32 {
        let sum = |side: &[u8; 7]| {
            2 * i32::from(side[Kind::Rook.index()])
                + i32::from(side[Kind::Horse.index()])
                + i32::from(side[Kind::Cannon.index()])
        };
        sum(&self.won) - sum(&self.lost)
    }

    fn weak(&self) -> i32 {
        let sum = |side: &[u8; 7]| i32::from(side[Kind::Advisor.index()]) + i32::from(side[Kind::Elephant.index()]);
        sum(&self.won) - sum(&self.lost)
    }

    fn balance(&self, kind: Kind) -> i32 {
        i32::from(self.won[kind.index()]) - i32::from(self.lost[kind.index()])
    }

    /// Won less lost on the scale of [`worth`].
    pub fn net_worth(&self) -> i32 {
        2 * (self.strong() + self.balance(Kind::Pawn)) + self.weak()
    }

    /// Whether nothing of value was lost.
    pub fn lost_nothing(&self) -> bool {
        self.lost == [0; 7]
    }

    /// What was won and what was lost, kind by kind.
    pub fn pieces(&self) -> (impl Iterator<Item = (Kind, u8)> + '_, impl Iterator<Item = (Kind, u8)> + '_) {
        fn list(side: &[u8; 7]) -> impl Iterator<Item = (Kind, u8)> + '_ {
            Kind::ALL.into_iter().map(|kind| (kind, side[kind.index()])).filter(|&(_, n)| n > 0)
        }
        (list(&self.won), list(&self.lost))
    }

    /// Whether winning and losing balance out, so that a king or pawn may not finish the exchange (26.8).
    pub fn is_even(&self) -> bool {
        self.strong() == 0 && self.weak() == 0 && self.balance(Kind::Pawn) == 0
    }

    /// Whether the balance is a gain by the value table.
    pub fn is_gain(&self, rules: &Ruleset) -> bool {
        let won_any = self.won != [0; 7];
        if self.lost_nothing() {
            return won_any;
        }
        let only_pawns_lost = self.lost.iter().enumerate().all(|(kind, &n)| n == 0 || kind == Kind::Pawn.index());
        if only_pawns_lost {
            return rules.pawn_checks_for_rook && self.pawn_gave_check && self.won[Kind::Rook.index()] > 0;
        }
        let (strong, weak, pawns) = (self.strong(), self.weak(), self.balance(Kind::Pawn));
        let rooks = self.balance(Kind::Rook);
        match strong {
            1.. => true,
            0 if rooks < 0 => false,
            0 if rooks > 0 && rules.two_minors_for_rook => true,
            0 if weak > 0 => pawns >= 0,
            0 => weak == 0 && pawns > 0,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::rules::Edition;

    fn ledger(won: &str, lost: &str) -> Ledger {
        let square = Square::new(4, 6).unwrap();
        let piece = |c| Piece::new(Color::Black, Kind::from_letter(c).unwrap());
        let mut ledger = Ledger::EMPTY;
        for c in won.chars() {
            ledger = ledger.win(piece(c), Square::new(4, 3).unwrap());
        }
        for c in lost.chars() {
            ledger = ledger.lose(piece(c).swap_color(), square);
        }
        ledger
    }

    #[test]
    fn the_value_table_of_1987_and_2011() {
        // won, lost, gain in 2011, gain in 1987
        let rows = [
            ("N", "", true, true),
            ("P", "", true, true),
            ("RN", "R", true, true),
            ("RP", "R", true, true),
            ("NA", "N", true, true),
            ("CP", "N", true, true),
            ("N", "C", false, false),
            ("R", "NN", false, true),
            ("R", "NC", false, true),
            ("NCA", "R", false, false),
            ("R", "NB", true, true),
            ("N", "BB", true, true),
            ("R", "BBA", true, true),
            ("AAB", "N", false, false),
            ("PPP", "N", false, false),
            ("PP", "B", false, false),
            ("R", "P", false, false),
            ("AA", "P", false, false),
            ("A", "B", false, false),
            ("", "A", false, false),
        ];
        for (won, lost, modern, old) in rows {
            let ledger = ledger(won, lost);
            assert_eq!(ledger.is_gain(&Edition::Y2011.ruleset()), modern, "2011: {won} for {lost}");
            assert_eq!(ledger.is_gain(&Edition::Y1987.ruleset()), old, "1987: {won} for {lost}");
        }
    }

    #[test]
    fn a_pawn_given_with_check_wins_a_rook_in_2011_only() {
        let ledger = ledger("R", "P").pawn_check();
        assert!(ledger.is_gain(&Edition::Y2011.ruleset()));
        assert!(!ledger.is_gain(&Edition::Y1987.ruleset()));
    }

    #[test]
    fn a_pawn_before_the_river_is_worth_nothing() {
        let pawn = Piece::new(Color::Black, Kind::Pawn);
        assert!(!is_worth_winning(pawn, Square::new(4, 5).unwrap()));
        assert!(is_worth_winning(pawn, Square::new(4, 4).unwrap()));
    }
}
