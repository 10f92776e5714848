//! A query as a tree.

use super::board::{Material, Pattern};
use crate::board::{Color, Kind, Position};
use crate::game::GameResult;
use crate::names::Needle;
use crate::opening::Ecco;
use crate::search::headers::{DateRange, Role};
use std::ops::RangeInclusive;

/// A query.
#[derive(Clone, Debug)]
pub struct Query {
    /// What must be true. Never deeper than [`super::MOST_DEPTH`].
    pub root: Node,
    /// All terms in the order written.
    pub terms: Vec<Term>,
    /// The text of each term.
    pub texts: Vec<String>,
    /// Board terms also mean their left-right mirror image.
    pub mirror: bool,
    /// Board terms also mean the same with colours swapped and the board turned.
    pub swap: bool,
    /// Positions are looked for in side lines too.
    pub side_lines: bool,
}

/// A part of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// All are true; of none, everything.
    And(Vec<Node>),
    /// At least one is true.
    Or(Vec<Node>),
    /// It is not true.
    Not(Box<Node>),
    /// A term, by its number in [`Query::terms`].
    Term(usize),
}

/// One thing that may be true of a game.
#[derive(Clone, Debug)]
pub enum Term {
    /// A text is in a header with one of the roles.
    Text(&'static [Role], Needle),
    /// A text is in a comment.
    Comment(Needle),
    /// The date lies in a span.
    Date(DateRange),
    /// There is no date.
    Undated,
    /// The result.
    Result(GameResult),
    /// The opening code is in one of these spans.
    Ecco(Vec<RangeInclusive<Ecco>>),
    /// Plies of the main line.
    Plies(RangeInclusive<u32>),
    /// The position is reached.
    Position(Box<Position>),
    /// A pattern comes true.
    Pattern(Pattern),
    /// Exactly this material is on the board at some time.
    Material(Material),
    /// Patterns come true one after the other.
    Sequence(Vec<Pattern>),
    /// A piece takes another.
    Capture(Capture),
    /// Checks are given.
    Checks(Checks),
    /// How the main line ends.
    Ending(Ending),
}

impl Term {
    /// Whether it is about what happens on the board.
    pub fn is_on_board(&self) -> bool {
        matches!(
            self,
            Term::Position(_)
                | Term::Pattern(_)
                | Term::Material(_)
                | Term::Sequence(_)
                | Term::Capture(_)
                | Term::Checks(_)
                | Term::Ending(_)
        )
    }
}

/// A piece takes another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// What takes; any if `None`.
    pub by: Option<Kind>,
    /// What is taken; any if `None`.
    pub taken: Option<Kind>,
    /// Who takes; either if `None`.
    pub side: Option<Color>,
}

/// Checks given in the main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checks {
    /// By whom; either if `None`.
    pub by: Option<Color>,
    /// How many.
    pub count: RangeInclusive<u32>,
}

/// How the main line ends on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Mate counts.
    pub mate: bool,
    /// No legal move without check (困毙) counts.
    pub stalemate: bool,
    /// Who wins by it; either if `None`.
    pub winner: Option<Color>,
    /// It does not end so.
    pub not: bool,
}
