//! The whole work: hypotheses about the sheet as a whole, the search, the mends, the report.
//!
//! What is unknown about a sheet as a whole is tried as a whole, the usual first: marks complete or bars lost, a bar
//! below the digit means forward or back, rows left out where the numbers jump, columns swapped. The first hypothesis
//! under which everything written can be played is taken, and a finding tells if it is not the usual one. Only if none
//! does are entries mended, one first, then two, up to the limit.

use super::answer::gaps;
use super::book::{Asked, Book};
use super::graph::{Bounds, Cell as Entries, Edge, Graph, Note, Says};
use super::hypothesis::{Hints, Hypothesis, Track, as_pattern, is_slanting, is_turned, track};
use super::mend::{WRONG_SIDE, bent_price};
use super::model::Model;
use super::pattern::Directions;
use super::rank::{Ranked, best_behind, for_each_edge, score};
use super::read::Sheet;
use super::report::Transcript;
use super::search::search;
use crate::board::{Move, Position};
use crate::diag::{Finding, codes};
use crate::game::GameResult;
use crate::say;
use std::cell::Cell;

/// How sheets are read.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The most boards kept after a ply.
    pub width: usize,
    /// The most mends in one reading.
    pub mends: u8,
    /// Boards that may be looked at in all (one with the full measure counts as several); beyond them only the likeliest
    /// few are followed.
    pub effort: u64,
    /// The move model.
    pub model: Option<&'static Model>,
    /// Games whose openings and endings count for the likelihood.
    pub book: Option<&'a dyn Book>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { width: 12_000, mends: 3, effort: 4_000_000, model: None, book: None }
    }
}

/// Reads one or two sheets of a game.
pub fn transcribe(sheets: &[Sheet], options: &Options<'_>) -> Transcript {
    transcribe_checking(sheets, options, &[]).0
}

/// As [`transcribe`], and tells whether a game is among the readings (for measuring).
pub fn transcribe_checking(sheets: &[Sheet], options: &Options<'_>, game: &[Move]) -> (Transcript, bool) {
    let work = Work::new(sheets, options);
    let Found { hypothesis, tracks, mut graph } = work.search();
    let transcript = work.report(hypothesis, &tracks, &mut graph);
    let holds = graph.complete && graph.holds(game);
    (transcript, holds)
}

/// All readings of sheets, for fitting the weights of the move model: `f` gets every ply with its layer, its place in the
/// layer, what the entries add to its likelihood, and its features.
pub fn weigh(sheets: &[Sheet], options: &Options<'_>, mut f: impl FnMut(usize, usize, &Edge, f64, &[u32])) -> Graph {
    let work = Work::new(sheets, options);
    let Found { hypothesis, tracks, graph } = work.search();
    let prices = work.prices(hypothesis);
    for_each_edge(&graph, 0, |layer, number, edge, position, features| {
        f(layer, number, edge, work.price(edge, position, &tracks, &prices), features);
    });
    graph
}

/// A way to understand the sheet as a whole is left out if all its readings together have a smaller share than this.
const NEGLIGIBLE: f64 = 0.003;

/// What a lost bar costs besides, as a logarithm, where the sheet can be played without any.
const RELUCTANCE: f64 = 2.0;

/// Boards a hypothesis may always look at, even if those before it spent the effort.
const LEAST_EFFORT: u64 = 20_000;

/// What lost signs cost, as logarithms of their chances.
struct Prices {
    bar: f64,
    traverse: f64,
    hints: Hints,
}

pub(super) struct Work<'a> {
    pub(super) sheets: &'a [Sheet],
    pub(super) start: Position,
    pub(super) model: &'a Model,
    pub(super) options: &'a Options<'a>,
    book: Option<Asked<'a>>,
    /// Whether the columns of the second sheet stand the other way round than those of the first.
    pub(super) turned: bool,
    /// Boards that may still be looked at.
    pub(super) effort: Cell<u64>,
}

/// A hypothesis with all its readings.
struct Found {
    hypothesis: Hypothesis,
    tracks: Vec<Track>,
    graph: Graph,
}

impl<'a> Work<'a> {
    fn new(sheets: &'a [Sheet], options: &'a Options<'a>) -> Work<'a> {
        let sheets = &sheets[..sheets.len().min(2)];
        let model = options.model.unwrap_or_else(Model::shipped);
        let usual = sheets.iter().find(|s| !s.is_standard()).or(sheets.first());
        let start = usual.map_or_else(Position::start, |s| s.start);
        let book = options.book.map(Asked::new);
        let turned = is_turned(sheets);
        Work { sheets, start, model, options, book, turned, effort: Cell::new(options.effort) }
    }
}

impl Work<'_> {
    fn run(&self, hypothesis: Hypothesis, mends: u8, slack: u8) -> Found {
        let turned = self.turned;
        let tracks: Vec<Track> = (self.sheets.iter().enumerate())
            .map(|(index, sheet)| {
                track(sheet, Hypothesis { swapped: hypothesis.swapped != (turned && index == 1), ..hypothesis })
            })
            .collect();
        let cells: Vec<&[Entries]> = tracks.iter().map(|t| &t.cells[..]).collect();
        let measure = |m: Move, position: &Position| self.model.cheap(m, position);
        let prices = self.prices(hypothesis);
        let judge = |graph: &Graph, from: usize| {
            best_behind(graph, from, |edge, position, features| {
                self.model.value(features) + self.price(edge, position, &tracks, &prices)
            })
        };
        // Mends open so many ways that most of a full layer is noise.
        let width = if mends == 0 { self.options.width } else { self.options.width / (3 * usize::from(mends)) };
        let bounds = Bounds { width, mends, slack, effort: self.effort.get().max(LEAST_EFFORT) };
        let graph = search(&self.start, &cells, bounds, &measure, &judge);
        self.effort.set(self.effort.get().saturating_sub(graph.effort));
        Found { hypothesis, tracks, graph }
    }

    fn search(&self) -> Found {
        let hypotheses = self.hypotheses();
        let mut best: Option<Found> = None;
        let mut reached = Vec::new();
        for &hypothesis in &hypotheses {
            let found = self.run(hypothesis, 0, 0);
            // Marks that seem complete may not be.
            let loose = Hypothesis { strict: false, ..hypothesis };
            let loose = Some(loose).filter(|loose| hypothesis.strict && hypotheses.contains(loose));
            if found.graph.complete {
                let Some(loose) = loose else { return found };
                let other = self.run(Hypothesis { reluctant: true, ..loose }, 0, 0);
                // All readings of the first are among those of the other.
                let share = (self.total(&found) - self.total(&other)).exp();
                return if other.graph.complete && share < 1.0 - NEGLIGIBLE { other } else { found };
            }
            let plies = found.graph.layers.len();
            reached.push((hypothesis, plies));
            // Numerals and names say more than a few plies.
            let rank = |found: &Found| (!self.hints_are_against(found.hypothesis), found.graph.layers.len());
            if best.as_ref().is_none_or(|best| rank(&found) > rank(best)) {
                best = Some(found);
            }
            // Bars are complete and one thing is wrong, or bars are lost after all.
            if hypothesis.strict && hypothesis == hypotheses[0] && self.options.mends > 0 && self.marks_are_kept() {
                let mended = self.run(hypothesis, 1, 0);
                if mended.graph.complete {
                    return self.settle(mended, loose);
                }
            }
        }
        let likely = |r: &&(Hypothesis, usize)| !self.hints_are_against(r.0);
        let furthest = reached.iter().filter(likely).map(|r| r.1).max().unwrap_or(0);
        // What numerals and piece names speak against is believed only where everything can be played, or nothing else
        // helps.
        for against in [false, true] {
            for mends in 1..=self.options.mends {
                for &(hypothesis, plies) in &reached {
                    // Mending is for sheets that make sense as far as they go.
                    let usual = !hypothesis.swapped && hypothesis.below_is_forward;
                    if self.hints_are_against(hypothesis) != against || (!usual && plies < furthest) {
                        continue;
                    }
                    let found = self.run(hypothesis, mends, 0);
                    if found.graph.complete {
                        return found;
                    }
                }
            }
        }
        best.unwrap_or_else(|| self.run(hypotheses[0], 0, 0))
    }

    /// One entry mended, or bars lost: the likelier; both together where neither is negligible.
    fn settle(&self, mended: Found, loose: Option<Hypothesis>) -> Found {
        let Some(loose) = loose else { return mended };
        let lost = self.run(loose, 0, 0);
        if !lost.graph.complete {
            return mended;
        }
        let share = 1.0 / (1.0 + (self.total(&lost) - self.total(&mended)).exp());
        if share > 1.0 - NEGLIGIBLE {
            mended
        } else if share < NEGLIGIBLE {
            lost
        } else {
            let both = self.run(loose, 1, 1);
            if both.graph.complete { both } else { lost }
        }
    }

    /// Log-likelihood of every edge of a graph.
    fn scores(&self, hypothesis: Hypothesis, tracks: &[Track], graph: &Graph) -> Vec<Vec<f64>> {
        let prices = self.prices(hypothesis);
        score(graph, |edge, position, features| {
            self.model.value(features) + self.price(edge, position, tracks, &prices)
        })
    }

    /// Log-likelihood of all readings together.
    fn total(&self, found: &Found) -> f64 {
        Ranked::new(&found.graph, self.scores(found.hypothesis, &found.tracks, &found.graph)).total()
    }

    /// How likely signs are lost, told by the entries that must have had one: the bars of the pieces that always go
    /// forward or back, and the signs of traverses where the sheet writes them at all.
    fn prices(&self, hypothesis: Hypothesis) -> Prices {
        let (mut bare_slanting, mut slanting) = (0.0, 0.0);
        let (mut bare, mut bars, mut traverses) = (0.0, 0.0, 0.0);
        for entry in self.sheets.iter().flat_map(|s| &s.entries) {
            let Some(p) = as_pattern(entry, true) else { continue };
            let one = f64::from(u8::from(p.directions == Directions::ANY));
            if p.kind.is_some_and(is_slanting) {
                slanting += 1.0;
                bare_slanting += one;
            } else {
                bare += one;
                traverses += f64::from(u8::from(p.directions == Directions::TRAVERSE));
                bars += f64::from(u8::from(!p.directions.meets(Directions::TRAVERSE)));
            }
        }
        let bar: f64 = (bare_slanting + 0.5) / (slanting + 1.0);
        // Bare entries beyond the bars likely lost are traverses.
        let bare_traverses = f64::max(bare - bars * bar / (1.0 - bar).max(0.02), 0.0);
        let traverse = if traverses > 0.0 { (bare_traverses + 0.5) / (bare_traverses + traverses + 1.0) } else { 1.0 };
        Prices {
            bar: match hypothesis {
                Hypothesis { strict: true, .. } => 0.0,
                Hypothesis { reluctant: true, .. } => bar.ln() - RELUCTANCE,
                _ => bar.ln(),
            },
            traverse: traverse.ln(),
            hints: Hints::new(self.sheets),
        }
    }

    /// What the entries add to the likelihood of a ply: lost bars and mends.
    fn price(&self, edge: &Edge, position: &Position, tracks: &[Track], prices: &Prices) -> f64 {
        let mut sum = self.book.as_ref().map_or(0.0, |book| book.value(edge.m, position));
        let sideways = edge.m.from().rank() == edge.m.to().rank();
        for (index, (track, note)) in tracks.iter().zip(edge.notes).enumerate() {
            let cell = track.cells.get(usize::from(edge.entries[index]));
            let pattern = match cell.map(|c| c.says) {
                Some(Says::Pattern(pattern)) => Some(pattern),
                _ => None,
            };
            if let Some(pattern) = pattern
                && !pattern.kind.is_some_and(is_slanting)
                && matches!(note, Note::Fits | Note::Swapped | Note::Surplus)
            {
                // Under the strict hypothesis a bare digit has become a traverse.
                if pattern.directions == Directions::ANY && !sideways {
                    sum += prices.bar;
                } else if sideways && self.is_bare(index, track, edge) {
                    sum += prices.traverse;
                }
            }
            if !matches!(note, Note::LeftOut | Note::Ended)
                && let Some(&Some(entry)) = track.entries.get(usize::from(edge.entries[index]))
                && prices
                    .hints
                    .side(&self.sheets[index].entries[entry])
                    .is_some_and(|side| side != position.side_to_move())
            {
                sum += WRONG_SIDE;
            }
            sum += match note {
                Note::Fits | Note::Blank | Note::Ended => 0.0,
                Note::Bent => pattern.map_or(-8.0, |p| bent_price(&p, edge.m, position)),
                // Half of it for each of the two entries.
                Note::Swapped => -4.25,
                Note::LeftOut => -8.5,
                Note::Surplus => -10.0,
            };
        }
        sum
    }

    /// Whether the entry that stands for this ply has a digit without a mark.
    fn is_bare(&self, sheet: usize, track: &Track, edge: &Edge) -> bool {
        let entry = track.entries.get(usize::from(edge.entries[sheet])).copied().flatten();
        entry
            .and_then(|entry| as_pattern(&self.sheets[sheet].entries[entry], true))
            .is_some_and(|p| p.directions == Directions::ANY)
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
        let keep = |graph: &mut Graph, good: Vec<bool>, what: [&str; 2], findings: &mut Vec<Finding>| {
            if good.iter().any(|&g| g) {
                graph.keep_ends(&good);
            } else {
                let message = say!("no reading agrees with the {}", what[0]; "没有一种读法与所写的{}相符", what[1]);
                findings.push(Finding::new(codes::SHEET_CONTRADICTED, message));
            }
        };
        if let Some(last) = self.sheets.iter().find_map(|s| s.last_board.as_ref()) {
            let good = boards.iter().map(|b| b.to_board_fen() == *last).collect();
            keep(graph, good, ["final diagram", "终局图"], findings);
            return;
        }
        if let Some(result) = self.sheets.iter().find_map(|s| s.result).filter(|&r| r != GameResult::Unknown) {
            let good = boards
                .iter()
                .map(|b| b.outcome().is_none_or(|_| result == GameResult::win_of(!b.side_to_move())))
                .collect();
            keep(graph, good, ["stated result", "结果"], findings);
        }
    }
}
