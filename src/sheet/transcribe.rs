//! The whole work: hypotheses about the sheet as a whole, the search, the mends, the report.
//!
//! What is unknown about a sheet as a whole is tried as a whole, the usual first: marks complete or bars lost, a bar
//! below the digit means forward or back, rows left out where the numbers jump, columns swapped. The first hypothesis
//! under which everything written can be played is taken, and a finding tells if it is not the usual one. Only if none
//! does are entries mended, one first, then two, up to the limit.

use super::answer::gaps;
use super::graph::{Bounds, Cell, Edge, Graph, Note, Says};
use super::hypothesis::{Hints, Hypothesis, Track, as_pattern, is_slanting, track};
use super::mend::{WRONG_SIDE, bent_price};
use super::model::Model;
use super::pattern::Directions;
use super::rank::{Ranked, scenes, score};
use super::read::Sheet;
use super::report::Transcript;
use super::search::search;
use crate::board::{Move, Position};
use crate::diag::{Finding, codes};
use crate::game::GameResult;

/// How sheets are read.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The most boards kept after a ply.
    pub width: usize,
    /// The most mends in one reading.
    pub mends: u8,
    /// The move model.
    pub model: Option<&'static Model>,
}

impl Default for Options {
    fn default() -> Options {
        Options { width: 12_000, mends: 3, model: None }
    }
}

/// Reads one or two sheets of a game.
pub fn transcribe(sheets: &[Sheet], options: &Options) -> Transcript {
    transcribe_checking(sheets, options, &[]).0
}

/// As [`transcribe`], and tells whether a game is among the readings (for measuring).
pub fn transcribe_checking(sheets: &[Sheet], options: &Options, game: &[Move]) -> (Transcript, bool) {
    let sheets = &sheets[..sheets.len().min(2)];
    let model = options.model.unwrap_or_else(Model::shipped);
    let start = sheets.iter().find(|s| !s.is_standard()).or(sheets.first()).map_or_else(Position::start, |s| s.start);
    let work = Work { sheets, start, model, options };
    let (hypothesis, tracks, mut graph) = work.search();
    let transcript = work.report(hypothesis, &tracks, &mut graph);
    let holds = graph.complete && graph.holds(game);
    (transcript, holds)
}

/// By how much (a logarithm) a reading with lost bars must be likelier than one without.
const FAR_LIKELIER: f64 = 2.5;
/// The same against a reading without lost bars in which an entry is mended.
const LIKELIER: f64 = 1.0;

pub(super) struct Work<'a> {
    pub(super) sheets: &'a [Sheet],
    pub(super) start: Position,
    pub(super) model: &'a Model,
    pub(super) options: &'a Options,
}

impl Work<'_> {
    fn search(&self) -> (Hypothesis, Vec<Track>, Graph) {
        let hypotheses = self.hypotheses();
        let run = |hypothesis: Hypothesis, mends: u8, width: usize| {
            let tracks: Vec<Track> = self.sheets.iter().map(|sheet| track(sheet, hypothesis)).collect();
            let cells: Vec<&[Cell]> = tracks.iter().map(|t| &t.cells[..]).collect();
            let measure = |m: Move, position: &Position| self.model.cheap(m, position);
            let judge = |graph: &Graph| {
                let ranked = Ranked::new(graph, self.scores(hypothesis, &tracks, graph));
                ranked.best_so_far()
            };
            let graph = search(&self.start, &cells, Bounds { width, mends }, &measure, &judge);
            (hypothesis, tracks, graph)
        };
        let mut best: Option<(Hypothesis, Vec<Track>, Graph)> = None;
        let mut reached = Vec::new();
        for &hypothesis in &hypotheses {
            let found = run(hypothesis, 0, self.options.width);
            if found.2.complete {
                // Marks that seem complete may not be: a reading with a lost bar is taken if it is far likelier.
                let loose = Hypothesis { strict: false, ..hypothesis };
                if hypothesis.strict && hypotheses.contains(&loose) {
                    let other = run(loose, 0, self.options.width);
                    if other.2.complete && self.best(&other) > self.best(&found) + FAR_LIKELIER {
                        return other;
                    }
                }
                return found;
            }
            let plies = found.2.layers.len();
            reached.push((hypothesis, plies));
            if best.as_ref().is_none_or(|(_, _, graph)| plies > graph.layers.len()) {
                best = Some(found);
            }
            // Bars are complete, and one thing is wrong: likelier than that bars are lost after all.
            if hypothesis.strict && hypothesis == hypotheses[0] && self.options.mends > 0 && self.marks_are_kept() {
                let mended = run(hypothesis, 1, self.options.width);
                if mended.2.complete {
                    let loose = Hypothesis { strict: false, ..hypothesis };
                    if hypotheses.contains(&loose) {
                        let other = run(loose, 0, self.options.width);
                        if other.2.complete && self.best(&other) > self.best(&mended) + LIKELIER {
                            return other;
                        }
                    }
                    return mended;
                }
            }
        }
        let furthest = reached.iter().map(|r| r.1).max().unwrap_or(0);
        for mends in 1..=self.options.mends {
            for &(hypothesis, plies) in &reached {
                // Mending is for sheets that make sense as far as they go.
                let usual = !hypothesis.swapped && hypothesis.below_is_forward;
                if !usual && plies < furthest {
                    continue;
                }
                let found = run(hypothesis, mends, self.options.width / usize::from(mends));
                if found.2.complete {
                    return found;
                }
            }
        }
        best.unwrap_or_else(|| run(hypotheses[0], 0, 1))
    }

    /// Log-likelihood of every edge of a graph.
    fn scores(&self, hypothesis: Hypothesis, tracks: &[Track], graph: &Graph) -> Vec<Vec<f64>> {
        let lost = if hypothesis.strict { 0.0 } else { self.lost_bar() };
        let hints = Hints::new(self.sheets);
        let scenes = scenes(graph);
        score(graph, &scenes, |edge, position, features| {
            self.model.value(features) + self.price(edge, position, tracks, lost, &hints)
        })
    }

    /// Log-likelihood of the best reading.
    fn best(&self, (hypothesis, tracks, graph): &(Hypothesis, Vec<Track>, Graph)) -> f64 {
        Ranked::new(graph, self.scores(*hypothesis, tracks, graph)).best().1
    }

    /// Logarithm of the chance that a bar is lost, told by the pieces that always have one.
    fn lost_bar(&self) -> f64 {
        let (mut bare, mut all) = (0.5, 1.0);
        for entry in self.sheets.iter().flat_map(|s| &s.entries) {
            if let Some(p) = as_pattern(entry, true)
                && p.kind.is_some_and(is_slanting)
            {
                all += 1.0;
                bare += f64::from(u8::from(p.directions == Directions::ANY));
            }
        }
        f64::ln(bare / all)
    }

    /// What the entries add to the likelihood of a ply: lost bars and mends.
    fn price(&self, edge: &Edge, position: &Position, tracks: &[Track], lost: f64, hints: &Hints) -> f64 {
        let mut sum = 0.0;
        let sideways = edge.m.from().rank() == edge.m.to().rank();
        for (index, (track, note)) in tracks.iter().zip(edge.notes).enumerate() {
            let cell = track.cells.get(usize::from(edge.entries[index]));
            let pattern = match cell.map(|c| c.says) {
                Some(Says::Pattern(pattern)) => Some(pattern),
                _ => None,
            };
            if let Some(pattern) = pattern
                && pattern.directions == Directions::ANY
                && !sideways
                && !pattern.kind.is_some_and(is_slanting)
                && matches!(note, Note::Fits | Note::Swapped | Note::Surplus)
            {
                sum += lost;
            }
            if !matches!(note, Note::LeftOut | Note::Ended)
                && let Some(&Some(entry)) = track.entries.get(usize::from(edge.entries[index]))
                && hints.side(&self.sheets[index].entries[entry]).is_some_and(|side| side != position.side_to_move())
            {
                sum += WRONG_SIDE;
            }
            sum += match note {
                Note::Fits | Note::Blank | Note::Ended => 0.0,
                Note::Bent => pattern.map_or(-6.0, |p| bent_price(&p, edge.m, position)),
                // Half of it for each of the two entries.
                Note::Swapped => -3.25,
                Note::LeftOut => -6.5,
                Note::Surplus => -8.0,
            };
        }
        sum
    }

    fn report(&self, hypothesis: Hypothesis, tracks: &[Track], graph: &mut Graph) -> Transcript {
        let mut findings: Vec<Finding> = self.sheets.iter().flat_map(|s| s.findings.iter().cloned()).collect();
        self.apply_statements(graph, &mut findings);
        let graph = &*graph;
        let scores = self.scores(hypothesis, tracks, graph);
        let ranked = Ranked::new(graph, scores);
        let (way, best) = ranked.best();
        let moves = ranked.moves(&way);
        let shares = ranked.shares();
        let line = self.line(graph, &way, &shares);
        let readings = if graph.complete { graph.count() } else { 0 };
        let gaps = gaps(graph, &line);
        let entries = self.entries(graph, tracks, &way, &line);
        self.findings(hypothesis, graph, &entries, &line, &mut findings);
        let open_plies: Vec<u32> = line.iter().filter(|p| !p.alternatives.is_empty()).map(|p| p.ply).collect();
        let mends = way.iter().zip(&graph.layers[1..]).map(|(&n, l)| u32::from(l.edges[n].mends)).sum();
        let mut last = self.start;
        for &m in &moves {
            last.play(m);
        }
        Transcript {
            plies: moves.len() as u32,
            entries,
            readings,
            readings_at_least: graph.pruned,
            share: (best - ranked.total()).exp().min(1.0),
            ratio: ranked.second().map(|second| (best - second).exp()),
            complete: graph.complete,
            mends,
            sure_plies: open_plies.first().map_or(moves.len() as u32, |ply| ply - 1),
            open_plies,
            gaps,
            start_fen: self.start.to_fen(),
            final_fen: last.to_fen(),
            result: self.sheets.iter().find_map(|s| s.result),
            line,
            peak: graph.peak as u32,
            findings,
            start: self.start,
            moves,
        }
    }

    /// Keeps the ends that agree with the stated result and the final diagram, if any does.
    fn apply_statements(&self, graph: &mut Graph, findings: &mut Vec<Finding>) {
        if !graph.complete {
            return;
        }
        let boards: Vec<Position> = graph.end_positions();
        let keep = |graph: &mut Graph, good: Vec<bool>, what: &str, findings: &mut Vec<Finding>| {
            if good.iter().any(|&g| g) {
                graph.keep_ends(&good);
            } else {
                findings.push(Finding::new(codes::SHEET_CONTRADICTED, format!("no reading agrees with the {what}")));
            }
        };
        if let Some(last) = self.sheets.iter().find_map(|s| s.last_board.as_ref()) {
            let good = boards.iter().map(|b| b.to_board_fen() == *last).collect();
            keep(graph, good, "final diagram", findings);
            return;
        }
        if let Some(result) = self.sheets.iter().find_map(|s| s.result).filter(|&r| r != GameResult::Unknown) {
            let good = boards
                .iter()
                .map(|b| b.outcome().is_none_or(|_| result == GameResult::win_of(!b.side_to_move())))
                .collect();
            keep(graph, good, "stated result", findings);
        }
    }
}
