//! Token and position to candidates: the legal moves a written move may stand for.
//!
//! Comes in: a token, a position, the dialects still possible. Goes out: none, one or several legal moves, in the order
//! of their points; never a choice among them. A text may say more than needed (前炮五退二); what it says is checked, not
//! trusted over the board.
//!
//! Rare dialects (pieces by number, pinyin initials, ranks from 1, reversed bars) are asked only when the usual ones
//! give nothing; a caller that knows the dialect passes it settled, and then nothing else is tried.
//!
//! | file | what |
//! |---|---|
//! | `candidates` | the list that is answered |
//! | `open` | what a record needs: narrowing a dialect, every reading under every answer |
//! | `chinese` | piece, place, file, direction, number; the short form and its bars |
//! | `letters` | WXF, Vietnamese, pinyin |
//! | `pawns` | pawns by number and file, pieces by number |
//! | `points` | coordinates, algebraic, digit groups, grids |
//! | `group` | equal pieces on a file; where a direction and a number lead |

mod candidates;
mod chinese;
mod group;
mod letters;
mod open;
mod pawns;
mod points;

pub use candidates::Candidates;
pub(super) use group::{absolute_file, aim};
pub(super) use letters::{has_zero, number_from_zero, western, western_direction};
pub use open::rare_readings;
pub(crate) use open::{decide, is_open, narrow, readings};

use super::dialect::Dialect;
use super::letters::NONE;
use super::token::{Action, Body, Direction, Token};
use crate::board::{Color, Kind, Move, Piece, Position, Square};
use crate::work::{Work, note};
use group::{home_point, target};

/// How strictly moves are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// Legal moves.
    Legal,
    /// Moves the piece can make, though its general may be left attacked (or be missing).
    Pseudo,
    /// Wherever the text points, whatever the board says: for explanations.
    Pointed,
}

/// Every legal move the token may stand for, in the order of [`Move`]. An empty list is no error here.
///
/// ```
/// # use yipu::notation::{read_move, resolve, Dialect};
/// # use yipu::board::Position;
/// let (token, _) = read_move("炮24").unwrap();
/// let candidates = resolve(&token, &Position::start(), Dialect::OPEN);
/// assert_eq!(format!("{candidates:?}"), "[h2f2, h2h6]");
/// ```
#[inline]
pub fn resolve(token: &Token, position: &Position, dialect: Dialect) -> Candidates {
    resolve_by(token, position, dialect, Rule::Legal)
}

/// As [`resolve`], for moves that may leave the mover's own general attacked: what studies with faults contain.
pub fn resolve_unsafe(token: &Token, position: &Position, dialect: Dialect) -> Candidates {
    resolve_by(token, position, dialect, Rule::Pseudo)
}

/// The order in which rare dialects are asked: each step only if those before gave nothing.
const STEPS: [Dialect; 4] = [
    // Everything but these.
    Dialect::RANKS_FROM_1
        .or(Dialect::RANKS_FROM_BLACK)
        .or(Dialect::PINYIN)
        .or(Dialect::PIECE_DIGITS)
        .or(Dialect::BAR_BELOW_BACK),
    Dialect::RANKS_FROM_BLACK,
    Dialect::RANKS_FROM_1,
    Dialect::OPEN,
];

#[inline]
pub(super) fn resolve_by(token: &Token, position: &Position, dialect: Dialect, rule: Rule) -> Candidates {
    note(Work::Resolved, 1);
    let mut finder = Finder { position, side: position.side_to_move(), rule, found: Candidates::new() };
    match &token.body {
        Body::Relative(claim) if matches!(claim.action, Action::Said(_)) => {
            finder.relative(claim, dialect);
            finder.found.finish();
        }
        Body::Coordinate { letter: 0, from, to, mixed: false } if dialect.allows(Dialect::RANKS_FROM_0) => {
            finder.points(*from, *to, Dialect::RANKS_FROM_0);
            if finder.found.is_empty() {
                finder.stepwise(token, dialect);
            }
        }
        _ => finder.stepwise(token, dialect),
    }
    finder.found
}

pub(super) struct Finder<'p> {
    position: &'p Position,
    side: Color,
    rule: Rule,
    found: Candidates,
}

impl Finder<'_> {
    /// Usual dialects first, rare ones only if those give nothing.
    fn stepwise(&mut self, token: &Token, dialect: Dialect) {
        if let Body::Letters { .. } = token.body {
            // Nearly always the first step is enough.
            let mut usual = dialect.without(STEPS[0]);
            if let Body::Letters { letter: b'C', .. } = token.body
                && usual.allows(Dialect::WESTERN)
            {
                // A Vietnamese pawn is usually B; C is the cannon of everybody else.
                usual = usual.without(Dialect::VIETNAMESE);
            }
            if usual.allows(Dialect::LETTERS) {
                self.all(token, usual);
                if !self.found.is_empty() {
                    return self.found.finish();
                }
            }
        }
        for step in STEPS {
            let asked = match step {
                Dialect::OPEN => dialect,
                rare => dialect.prefer(Dialect::OPEN.without(rare)),
            };
            self.all(token, asked);
            if !self.found.is_empty() {
                break;
            }
        }
        self.found.finish();
    }

    /// Every reading under every answer in `dialect`.
    fn all(&mut self, token: &Token, dialect: Dialect) {
        match token.body {
            Body::Relative(claim) => self.relative(&claim, dialect),
            Body::Letters { letter, place, operator, number } => {
                self.letters(letter, place, operator, number, dialect);
            }
            Body::Numbered { first, second, operator, number } => {
                self.numbered(first, second, operator, number, dialect);
            }
            Body::Coordinate { letter, from, to, mixed } => {
                for answer in dialect.and(Dialect::RANKS).answers() {
                    if letter == 0 {
                        self.points(from, to, answer);
                        if mixed {
                            let letter = b'A' + from.file;
                            self.algebraic(letter, NONE, from.rank, to, answer, dialect);
                        }
                    } else {
                        self.algebraic(letter, from.file, from.rank, to, answer, dialect);
                    }
                }
            }
            Body::Algebraic { letter, file, rank, to } => {
                for answer in dialect.and(Dialect::RANKS).answers() {
                    self.algebraic(letter, file, rank, to, answer, dialect);
                }
            }
            Body::Digits(digits) => self.digits(digits, dialect),
            Body::Squares(m) => self.offer(m),
            Body::Named { letter, m } => {
                let named = western(letter, dialect)
                    .into_iter()
                    .any(|kind| self.position.piece_at(m.from()) == Some(Piece::new(self.side, kind)));
                if named {
                    self.offer(m);
                }
            }
            Body::Grid { kind, from, to } => {
                let point = |(rank, file): (u8, u8)| home_point(self.side, file, rank - 1);
                if let (Some(from), Some(to)) = (point(from), point(to))
                    && self.position.piece_at(from) == Some(Piece::new(self.side, kind))
                {
                    self.offer(Move::new(from, to));
                }
            }
        }
    }

    #[inline]
    fn offer(&mut self, m: Move) {
        let good = match self.rule {
            Rule::Legal => self.position.is_legal(m),
            Rule::Pseudo => self.position.is_pseudo_legal(m),
            Rule::Pointed => true,
        };
        if good {
            self.found.push(m);
        }
    }

    /// Offers the move of the piece on `from`, if the text points to any.
    #[inline]
    fn aim(&mut self, kind: Kind, from: Square, direction: Direction, number: u8) {
        if let Some(to) = target(self.side, kind, from, direction, number) {
            self.offer(Move::new(from, to));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::read_whole;
    use crate::notation::token::Kinds;

    fn found(fen: &str, text: &str, dialect: Dialect) -> String {
        let position = Position::from_fen(fen).unwrap();
        let token = read_whole(text).unwrap_or_else(|| panic!("{text} is read"));
        format!("{:?}", resolve(&token, &position, dialect))
    }

    const THREE_AND_TWO: &str = "4k4/9/6P2/2P3P2/2P3P2/9/9/9/9/5K3 w";

    #[test]
    fn the_same_digits_name_different_pawns_in_two_styles() {
        assert_eq!(found(THREE_AND_TWO, "33=4", Dialect::OPEN), "[g5f5]");
        assert_eq!(found(THREE_AND_TWO, "33.4", Dialect::OPEN), "[g6f6]");
        assert_eq!(found(THREE_AND_TWO, "33=4", Dialect::OPEN.settled(Dialect::PAWN_MARKS)), "[g6f6]");
        assert_eq!(found(THREE_AND_TWO, "33.4", Dialect::OPEN.settled(Dialect::PAWN_NUMBERS)), "[g5f5]");
    }

    #[test]
    fn a_settled_dialect_is_the_only_one_tried() {
        let start = crate::board::START_FEN;
        assert_eq!(found(start, "h3e3", Dialect::OPEN), "[h2e2]");
        assert_eq!(found(start, "h3e3", Dialect::OPEN.settled(Dialect::RANKS_FROM_0)), "[]");
        assert_eq!(found(start, "h7e7", Dialect::OPEN), "[h2e2]");
        assert_eq!(found(start, "P2-5", Dialect::OPEN), "[h2e2]");
        assert_eq!(found(start, "P2-5", Dialect::OPEN.settled(Dialect::WESTERN)), "[]");
        assert_eq!(found(start, "p25", Dialect::OPEN), "[h2e2]");
    }

    #[test]
    fn narrowing_keeps_the_answers_that_can_mean_the_move() {
        let start = Position::start();
        let token = read_whole("h3e3").unwrap();
        let narrowed = narrow(&token, &start, Dialect::COMMON, "h2e2".parse().unwrap());
        assert_eq!(narrowed.and(Dialect::RANKS), Dialect::RANKS_FROM_1);
        assert_eq!(narrowed.without(Dialect::RANKS), Dialect::COMMON.without(Dialect::RANKS));
        assert_eq!(Kinds::ALL.iter().count(), 7);
    }

    #[test]
    fn two_equal_readings_are_one_candidate_and_order_is_by_points() {
        let doubled = "3k5/9/9/4R4/9/9/4R4/9/9/5K3 w";
        assert_eq!(found(doubled, "车五平四", Dialect::OPEN), "[e3f3, e6f6]");
        assert_eq!(found(doubled, "前退一", Dialect::OPEN), "[e6e5]");
    }
}
