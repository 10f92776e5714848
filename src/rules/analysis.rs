//! The workbench of one label: the rules in force, the node budget, frozen pieces, and small questions about a position.
//!
//! Everything here asks the board for legal moves only: a root that is pinned, or a capture that would uncover one's own
//! general, falls out by legality.

use super::edition::Ruleset;
use crate::board::{Color, Kind, Move, Piece, Position, Square};
use std::cell::Cell;

/// A line of moves of bounded length, kept inline: the reason for a threat.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Line {
    moves: [Option<Move>; Line::CAPACITY],
}

impl Line {
    const CAPACITY: usize = 24;

    /// No moves.
    pub const EMPTY: Line = Line { moves: [None; Line::CAPACITY] };

    /// The line of this one move.
    pub fn of(m: Move) -> Line {
        let mut line = Line::EMPTY;
        line.moves[0] = Some(m);
        line
    }

    /// This move first, then the line. What does not fit is dropped from the end.
    #[must_use]
    pub fn after(mut self, m: Move) -> Line {
        self.moves.rotate_right(1);
        self.moves[0] = Some(m);
        self
    }

    /// The moves in order.
    pub fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves.iter().map_while(|&m| m)
    }

    /// The first move.
    pub fn first(&self) -> Option<Move> {
        self.moves[0]
    }

    /// Number of plies.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether it has no moves.
    pub fn is_empty(&self) -> bool {
        self.moves[0].is_none()
    }
}

impl std::fmt::Debug for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// What the analysis of one move works with.
#[derive(Debug)]
pub(super) struct Analysis<'r> {
    pub rules: &'r Ruleset,
    /// Positions that may still be looked at. Every question for moves costs one.
    nodes: Cell<u32>,
    /// Squares of frozen pieces: they block and serve as screens, but never move, capture or guard.
    frozen: u128,
    /// Do not ask whether a capture runs into mate: only who takes back counts.
    pub careless: bool,
    pub(super) mates: super::mate::Table,
}

const fn bit(square: Square) -> u128 {
    1 << square.index()
}

impl<'r> Analysis<'r> {
    pub fn new(rules: &'r Ruleset) -> Analysis<'r> {
        Analysis {
            rules,
            nodes: Cell::new(rules.limits.nodes),
            frozen: 0,
            careless: false,
            mates: super::mate::Table::default(),
        }
    }

    /// Takes one node from the budget; `false` when none is left.
    pub fn spend(&self) -> bool {
        self.nodes.set(self.nodes.get().saturating_sub(1));
        self.nodes.get() > 0
    }

    /// Whether the budget ran out: every "no" given since then means "not found".
    pub fn is_exhausted(&self) -> bool {
        self.nodes.get() == 0
    }

    /// How much of the budget was used.
    pub fn nodes_spent(&self) -> u32 {
        self.rules.limits.nodes - self.nodes.get()
    }

    /// Runs a question with the pieces on these squares frozen: each stands there as an inert blocker of its own colour.
    pub fn with_frozen<T>(
        &mut self,
        position: &Position,
        squares: impl IntoIterator<Item = Square>,
        question: impl FnOnce(&mut Self, &Position) -> T,
    ) -> T {
        let mut position = *position;
        let old = self.frozen;
        for square in squares {
            if let Some(piece) = position.piece_at(square) {
                self.frozen |= bit(square);
                // An elephant gives no check anywhere; its own steps are withheld by the mask.
                position.put(square, Some(Piece::new(piece.color(), Kind::Elephant)));
            }
        }
        let answer = question(self, &position);
        self.frozen = old;
        answer
    }

    /// Tells positions with frozen pieces apart from real ones in a table keyed by position.
    pub fn frozen_key(&self) -> u64 {
        (self.frozen as u64 ^ (self.frozen >> 64) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// Whether the piece on this square is a frozen one.
    fn is_frozen(&self, position: &Position, square: Square) -> bool {
        self.frozen & bit(square) != 0 && position.piece_at(square).is_some_and(|piece| piece.kind() == Kind::Elephant)
    }

    /// Legal captures of the side to move on `square`, cheapest capturer first, kings last.
    pub fn captures_on(&self, position: &Position, square: Square) -> impl Iterator<Item = Move> + use<> {
        self.spend();
        let mut found = [(0u8, (0u8, 0u8, 0u8, 0u8), Move::new(square, square)); 16];
        let mut count = 0;
        for from in position.squares_of_side(position.side_to_move()) {
            let m = Move::new(from, square);
            if count < found.len() && position.is_legal(m) && !self.is_frozen(position, from) {
                let order = match position.piece_at(from).map(Piece::kind) {
                    Some(Kind::Pawn) => 0,
                    Some(Kind::Advisor | Kind::Elephant) => 1,
                    Some(Kind::Horse | Kind::Cannon) => 2,
                    Some(Kind::Rook) => 3,
                    _ => 4,
                };
                found[count] = (order, rank_of(m, position.side_to_move()), m);
                count += 1;
            }
        }
        found[..count].sort_unstable();
        found.into_iter().take(count).map(|(_, _, m)| m)
    }

    /// All legal captures of the side to move.
    pub fn captures(&self, position: &Position) -> Vec<Move> {
        self.spend();
        let side = position.side_to_move();
        let mut found = Vec::new();
        for from in position.squares_of_side(side) {
            if self.is_frozen(position, from) {
                continue;
            }
            for to in position.targets(from) {
                let m = Move::new(from, to);
                if position.piece_at(to).is_some() && position.is_legal(m) {
                    found.push(m);
                }
            }
        }
        found.sort_by_key(|&m| rank_of(m, side));
        found
    }

    /// Legal moves of the side to move that give check.
    pub fn checks(&self, position: &Position) -> Vec<Move> {
        let enemy = !position.side_to_move();
        let Some(king) = position.king(enemy) else { return Vec::new() };
        self.spend();
        let mut found: Vec<Move> = position
            .legal_moves()
            .iter()
            .copied()
            .filter(|m| {
                (is_near(king, m.to()) || is_near(king, m.from()))
                    && !self.is_frozen(position, m.from())
                    && position.gives_check(*m)
            })
            .collect();
        found.sort_by_key(|&m| rank_of(m, position.side_to_move()));
        found
    }

    /// All legal moves of the side to move; frozen pieces stay.
    pub fn replies(&self, position: &Position) -> Vec<Move> {
        self.spend();
        let mut found: Vec<Move> =
            position.legal_moves().iter().copied().filter(|m| !self.is_frozen(position, m.from())).collect();
        found.sort_by_key(|&m| rank_of(m, position.side_to_move()));
        found
    }

    /// Whether the side to move has a legal move with a piece that is not frozen.
    pub fn has_reply(&self, position: &Position) -> bool {
        if self.frozen == 0 { position.has_legal_move() } else { !self.replies(position).is_empty() }
    }

    /// A move of the side to move that mates at once.
    pub fn mate_in_one(&self, position: &Position) -> Option<Move> {
        self.checks(position).into_iter().find(|&m| {
            let next = played(position, m);
            !self.has_reply(&next)
        })
    }

    /// Whether the piece on `root`, of the side to move, could take back on `square` by its way of moving, if an enemy
    /// piece stood there.
    pub fn guards(&self, position: &Position, root: Square, square: Square) -> bool {
        let Some(guard) = position.piece_at(root) else { return false };
        if root == square || self.is_frozen(position, root) {
            return false;
        }
        let mut test = *position;
        test.put(square, Some(Piece::new(!guard.color(), Kind::Advisor)));
        test.set_side_to_move(guard.color());
        test.is_pseudo_legal(Move::new(root, square))
    }
}

/// The place of a move in the order of looking: the same for the mirror image and for colours swapped, so that which of
/// several lines is found first does not depend on the side of the board.
fn rank_of(m: Move, side: Color) -> (u8, u8, u8, u8) {
    let place = |square: Square| (square.rank_for(side), square.file().abs_diff(4));
    let ((from_rank, from_file), (to_rank, to_file)) = (place(m.from()), place(m.to()));
    (from_rank, from_file, to_rank, to_file)
}

/// Whether a move from or to this square can touch the general's safety at all: same line, or near enough for a horse.
fn is_near(king: Square, square: Square) -> bool {
    let (x, y) = (king.file().abs_diff(square.file()), king.rank().abs_diff(square.rank()));
    x == 0 || y == 0 || (x <= 2 && y <= 2)
}

/// The same position with the turn passed to `side`.
pub(super) fn with_turn(position: &Position, side: Color) -> Position {
    let mut passed = *position;
    passed.set_side_to_move(side);
    passed
}

/// The position after a move.
pub(super) fn played(position: &Position, m: Move) -> Position {
    let mut next = *position;
    next.play(m);
    next
}
