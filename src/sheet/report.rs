//! What a transcription says.

use super::graph::Note;
use crate::board::{Move, Position};
use crate::diag::Finding;
use crate::game::{Game, GameResult, NodeId, Tree};

/// How an entry was settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// It says one move by itself.
    Exact,
    /// It could say several things, of which one is legal.
    ByLegality,
    /// Several legal moves fit it, of which one lets the rest of the record live.
    ByLaterMoves,
    /// Several moves fit it and live to the end; the likeliest is shown.
    Open,
    /// It fits nothing as written and was mended.
    Repaired,
    /// There is no entry, or nothing can be read.
    Missing,
    /// It was not reached.
    Unread,
}

/// One entry with what became of it.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct ReadEntry {
    /// Which sheet, from 1.
    pub sheet: u8,
    /// Row, from 1.
    pub row: u32,
    /// Line of the text, from 1.
    pub line: u32,
    /// The text as written.
    pub text: String,
    /// The ply it stands for, from 1.
    pub ply: Option<u32>,
    /// The move it was read as.
    pub uci: Option<Move>,
    /// How it was settled.
    pub how: How,
    /// Other moves of this ply in other readings, likeliest first.
    pub alternatives: Vec<Move>,
    /// Whether no legal move fits it as written.
    #[serde(skip)]
    pub fits_nothing: bool,
    /// What was changed, if it was mended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<&'static str>,
}

/// One ply of the likeliest reading.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Ply {
    /// Number, from 1.
    pub ply: u32,
    /// The move.
    pub uci: Move,
    /// Its share among all readings, by likelihood.
    pub share: f64,
    /// Other moves of this ply in other readings, likeliest first.
    pub alternatives: Vec<Move>,
    /// What each sheet says about it.
    #[serde(skip)]
    pub notes: [Note; 2],
    /// Whether it captures.
    pub capture: bool,
    /// Whether it checks.
    pub check: bool,
}

/// A stretch of plies of which no sheet says anything.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Gap {
    /// The first missing ply.
    pub ply: u32,
    /// How many plies are missing at least.
    pub plies: u32,
    /// How many ways there are to bridge it (a lower bound where the search was bounded).
    pub ways: u64,
    /// Whether every way, some way or no way captures.
    pub capture: crate::audit::limit::HoleCapture,
}

/// The outcome of reading one or two sheets.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Transcript {
    /// Plies of the likeliest reading.
    pub plies: u32,
    /// Its moves.
    pub moves: Vec<Move>,
    /// Every entry of the sheets.
    pub entries: Vec<ReadEntry>,
    /// How many games fit everything written: 1 is certain, 0 means that the sheets break.
    pub readings: u64,
    /// Whether there may be more than were counted.
    pub readings_at_least: bool,
    /// The share of the likeliest reading among all, by likelihood.
    pub share: f64,
    /// How many times as likely as the next it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// Whether the sheets were read to their end.
    pub complete: bool,
    /// Mends in the likeliest reading.
    pub mends: u32,
    /// Plies from the start that all readings share.
    pub sure_plies: u32,
    /// Plies at which the readings differ.
    pub open_plies: Vec<u32>,
    /// Stretches of which no sheet says anything.
    pub gaps: Vec<Gap>,
    /// FEN of the position before the first ply.
    pub start_fen: String,
    /// FEN of the position behind the last.
    pub final_fen: String,
    /// The result stated.
    pub result: Option<GameResult>,
    /// Ply by ply.
    #[serde(skip)]
    pub line: Vec<Ply>,
    /// The most boards followed at once.
    pub peak: u32,
    /// What was found.
    pub findings: Vec<Finding>,
    /// The start position.
    #[serde(skip)]
    pub start: Position,
}

impl Transcript {
    /// The likeliest reading as a game.
    pub fn game(&self) -> Game {
        let mut tree = Tree::new();
        let mut node = NodeId::ROOT;
        for &m in &self.moves {
            node = tree.add(node, m);
        }
        Game { start: self.start, tree, result: self.result.unwrap_or_default(), ..Game::default() }
    }

    /// The gaps as an audit wants them: a single missing ply that only one move can fill is rebuilt, everything else
    /// (several moves fit, a whole row is missing) is a hole.
    pub fn holes(&self) -> Vec<crate::audit::limit::Hole> {
        let mut holes: Vec<_> = self
            .gaps
            .iter()
            .filter(|gap| gap.ways != 1 || gap.plies > 1 || self.readings_at_least)
            .map(|gap| crate::audit::limit::Hole { after_ply: gap.ply - 1, capture: gap.capture })
            .collect();
        if !self.complete {
            holes.push(crate::audit::limit::Hole {
                after_ply: self.plies,
                capture: crate::audit::limit::HoleCapture::May,
            });
        }
        holes
    }
}
