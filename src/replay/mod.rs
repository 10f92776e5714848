//! The replayer: a row of written moves to a tree of legal plies, or to the place where it stops being one.
//!
//! Comes in: a start position and the entries of one record in the order of the text: moves as tokens, comments, marks,
//! brackets of side lines. Goes out: a [`Tree`] in which every ply is legal, what was assumed and why, and the rest of
//! the text behind the first ply that fits nothing.
//!
//! Nothing is invented: a ply that fits no legal move ends its line, and what follows is kept as text. Nothing is
//! guessed: where a text fits several legal moves, all of them are carried on, boards that become equal are merged, and
//! what later plies rule out is dropped. If several readings live to the end, the most likely one stands in the tree and a
//! finding says how many there are and where they differ.
//!
//! Two ways through the same code. As long as each text fits one legal move, plies are played one by one, without
//! allocation but for the tree. At the first text that fits none or several, the record is settled line by line with a
//! set of live boards ([`lattice`]), whose work is bounded in proportion to the length of the record.
//!
//! A round with one ply where two are due ends the line as well (`rounds`, `side_rounds`): what follows would go to the wrong
//! side.
//!
//! Forgiven: a comment in round brackets in place of a side line; a record whose first ply fits only the other side (the
//! side is switched, with a note); dialects of all kinds (see [`Dialect`]).

mod gap;
pub mod lattice;
mod lines;
mod report;
mod rounds;
mod side_rounds;
mod signs;
mod walk;
pub mod whole;

pub use gap::missing_ply;
pub(crate) use report::rare_question;
pub(crate) use signs::Signs;

use crate::board::{Color, Move, Position};
use crate::diag::Finding;
use crate::game::Tree;
use crate::notation::{Dialect, Token};

/// One event of a record with its place.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Byte in the decoded text.
    pub at: u32,
    /// What stands there.
    pub event: Event<'a>,
}

/// What stands in the move text of a record.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A written move.
    Move {
        /// As read.
        token: Token,
        /// As written.
        text: &'a str,
    },
    /// A comment.
    Comment(&'a str),
    /// A numeric annotation glyph, `!` = 1.
    Mark(u8),
    /// A clock time in milliseconds.
    Clock(u64),
    /// A side line begins: an alternative to the ply before.
    Open,
    /// A side line ends.
    Close,
    /// The number of a round; `black` if Black's ply follows (`3...`).
    Number {
        /// As written.
        round: u32,
        /// Black's ply follows.
        black: bool,
    },
    /// Text that is nothing of these. If it looks like a move, it ends the line as a move would that fits nothing.
    Text(&'a str),
}

/// What the caller knows.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The decoded text the entries point into. With it, unread parts are kept exactly as written.
    pub source: Option<&'a str>,
    /// Dialects that are possible at all.
    pub dialect: Dialect,
    /// The side to move is known for certain: never switch it.
    pub side_is_certain: bool,
    /// The most boards kept alive at once; a short record may use all of them, a long one fewer.
    pub most_boards: usize,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { source: None, dialect: Dialect::OPEN, side_is_certain: false, most_boards: 4096 }
    }
}

/// A finding with its place in the decoded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Byte in the decoded text.
    pub at: u32,
    /// What was found; the ply is set, the place in the file is not.
    pub finding: Finding,
}

/// Where and why the main line ended before its text did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Index of the entry that fits nothing.
    pub entry: usize,
    /// Its byte in the decoded text.
    pub at: u32,
    /// The ply it would have been, from 1.
    pub ply: u32,
    /// Whose ply it would have been.
    pub side: Color,
    /// As written.
    pub text: String,
    /// The nearest reason.
    pub reason: String,
    /// The same in Chinese.
    pub chinese: String,
    /// Legal moves one character away.
    pub nearest: Vec<Move>,
    /// Round numbers that jump forward before it: rounds that may have been left out.
    pub skipped: Option<(u32, u32)>,
    /// One missing ply that would explain the stop, if there is one.
    pub missing: Option<Missing>,
    /// Other start positions on which the whole line could be read; only proposals.
    pub other_boards: Vec<whole::OtherBoard>,
}

/// A ply that may have been left out of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The ply it would be, from 1: at the stop or a few plies before it.
    pub ply: u32,
    /// Every move that makes the texts behind it playable.
    pub moves: Vec<Move>,
    /// The position before it.
    pub before: Position,
}

/// A ply that has several moves among the readings that live to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenPly {
    /// The ply, from 1.
    pub ply: u32,
    /// Byte of its text.
    pub at: u32,
    /// The move put in the tree.
    pub chosen: Move,
    /// All its moves, the chosen one among them, in order.
    pub moves: Vec<Move>,
}

/// How many ways there are to read the main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readings {
    /// Number of different games (at least; see `complete`).
    pub count: u64,
    /// False if more boards were alive than could be kept.
    pub complete: bool,
    /// Where they differ.
    pub open: Vec<OpenPly>,
}

/// Hypotheses that the board ruled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The answers that died.
    pub excluded: Dialect,
    /// The ply whose text fits no legal move under them, from 1.
    pub ply: u32,
}

/// A record as replayed.
#[derive(Clone, Debug)]
pub struct Built {
    /// The start position, with the side that really begins.
    pub start: Position,
    /// All plies that could be read, each legal from its parent.
    pub tree: Tree,
    /// Plies of the main line in the tree.
    pub plies: u32,
    /// Where the main line ended too early, if it did.
    pub stop: Option<Stop>,
    /// The text behind the stop, the unfit ply included; empty if all was read.
    pub rest: String,
    /// What was found, in the order of the text.
    pub findings: Vec<Found>,
    /// The dialects still possible at the end of the main line.
    pub dialect: Dialect,
    /// How the others were ruled out.
    pub evidence: Vec<Evidence>,
    /// The readings of the main line.
    pub readings: Readings,
    /// Text that nobody could read stands where a ply should: between plies, or behind the number of a round.
    pub text_skipped: bool,
    /// The side to move was switched because the first ply fits only the other side.
    pub side_switched: bool,
}

impl Built {
    /// Whether every move of the main line was read, in one way.
    pub fn is_certain(&self) -> bool {
        self.stop.is_none() && self.readings.count == 1 && self.readings.complete
    }
}

/// Replays a record.
///
/// ```
/// use yipu::{board::Position, notation::read_move, replay::{Entry, Event, Options, build}};
/// let entries: Vec<Entry> = ["炮24", "马87", "炮47"]
///     .map(|text| Entry { at: 0, event: Event::Move { token: read_move(text).unwrap().0, text } })
///     .into();
/// let built = build(&Position::start(), &entries, &Options::default());
/// // 炮24 alone may be h2f2 or h2h6; from h6 no cannon could have gone on as 炮4.
/// assert_eq!((built.plies, built.readings.count), (3, 1));
/// ```
pub fn build(start: &Position, entries: &[Entry<'_>], options: &Options<'_>) -> Built {
    let rounds = rounds::rounds(start, entries);
    let mut built = match &rounds.gap {
        None => settled(start, entries, options),
        Some(gap) => {
            let mut built = settled(start, &entries[..gap.entry], options);
            if built.stop.is_some() {
                // It does not come as far as the gap.
                built = settled(start, entries, options);
            } else {
                gap.stop(&mut built, entries, options);
            }
            built
        }
    };
    rounds.tell(&mut built);
    built
}

fn settled(start: &Position, entries: &[Entry<'_>], options: &Options<'_>) -> Built {
    walk::quick(start, entries, options).unwrap_or_else(|| walk::careful(start, entries, options))
}
