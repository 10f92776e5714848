//! The whole work: hypotheses about the sheet as a whole, the search, the mends, the report.
//!
//! What is unknown about a sheet as a whole is tried as a whole, the usual first: marks complete or bars lost, a bar
//! below the digit means forward or back, rows left out where the numbers jump, columns swapped. The first hypothesis
//! under which everything written can be played is taken, and a finding tells if it is not the usual one. Only if none
//! does are entries mended, one first, then two, up to the limit.

use super::graph::{BarRule, Bounds, Cell, Edge, Graph, Note, Says, fields_off, search};
use super::model::Model;
use super::pattern::{Directions, Pattern};
use super::rank::{Ranked, scenes, score};
use super::read::{Entry, Sheet, What};
use super::report::{Gap, How, Ply, ReadEntry, Transcript};
use crate::audit::limit::HoleCapture;
use crate::board::{Color, Kind, Move, Position};
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
        Options { width: 30_000, mends: 3, model: None }
    }
}

/// What is assumed about the sheets as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hypothesis {
    /// No bar is lost: a digit without a mark is a traverse.
    strict: bool,
    below_is_forward: bool,
    /// Rows are missing where the numbers jump.
    rows_missing: bool,
    swapped: bool,
    /// The dashes typed under a line tell how many bars it has.
    dashes: bool,
}

/// A sheet under a hypothesis.
struct Track {
    cells: Vec<Cell>,
    /// The entry each cell comes from.
    entries: Vec<Option<usize>>,
}

/// Reads one or two sheets of a game.
pub fn transcribe(sheets: &[Sheet], options: &Options) -> Transcript {
    let sheets = &sheets[..sheets.len().min(2)];
    let model = options.model.unwrap_or_else(Model::shipped);
    let start = sheets.iter().find(|s| !s.is_standard()).or(sheets.first()).map_or_else(Position::start, |s| s.start);
    let work = Work { sheets, start, model, options };
    let (hypothesis, tracks, graph) = work.search();
    work.report(hypothesis, &tracks, graph)
}

struct Work<'a> {
    sheets: &'a [Sheet],
    start: Position,
    model: &'a Model,
    options: &'a Options,
}

impl Work<'_> {
    /// The hypotheses, the usual first.
    fn hypotheses(&self) -> Vec<Hypothesis> {
        let any = |f: &dyn Fn(&Entry) -> bool| self.sheets.iter().flat_map(|s| &s.entries).any(f);
        let patterns =
            |f: &dyn Fn(&Pattern) -> bool| any(&|entry: &Entry| as_pattern(entry, true).is_some_and(|p| f(&p)));
        // An advisor, an elephant or a horse without a mark proves that bars are lost.
        let lost = patterns(&|p| p.directions == Directions::ANY && p.kind.is_some_and(is_slanting));
        let loose = patterns(&|p| p.directions.count() > 1);
        let barred = any(&|entry: &Entry| as_pattern(entry, true) != as_pattern(entry, false));
        let jumps = self.sheets.iter().any(|s| !s.jumps.is_empty());
        let dashes = self.sheets.iter().any(|s| !s.bars.is_empty());
        let marked = patterns(&|p| p.directions.count() < 3);
        let mut list = Vec::new();
        let usual = !self.hints_are_crossed();
        for swapped in [!usual, usual] {
            for rows_missing in [false, true] {
                for strict in [true, false] {
                    for below_is_forward in [true, false] {
                        for dashes in [dashes, false] {
                            let hypothesis = Hypothesis { strict, below_is_forward, rows_missing, swapped, dashes };
                            let senseless = (rows_missing && !jumps)
                                || (!below_is_forward && !barred)
                                || (strict && loose && (lost || !marked))
                                || (!strict && !loose)
                                || (strict && dashes);
                            if !senseless && !list.contains(&hypothesis) {
                                list.push(hypothesis);
                            }
                        }
                    }
                }
            }
        }
        list
    }

    fn search(&self) -> (Hypothesis, Vec<Track>, Graph) {
        let hypotheses = self.hypotheses();
        let run = |hypothesis: Hypothesis, mends: u8, width: usize| {
            let tracks: Vec<Track> = self.sheets.iter().map(|sheet| track(sheet, hypothesis)).collect();
            let cells: Vec<&[Cell]> = tracks.iter().map(|t| &t.cells[..]).collect();
            let measure = |m: Move, position: &Position| self.model.cheap(m, position);
            let graph = search(&self.start, &cells, Bounds { width, mends }, &measure);
            (hypothesis, tracks, graph)
        };
        let mut best: Option<(Hypothesis, Vec<Track>, Graph)> = None;
        let mut reached = Vec::new();
        for &hypothesis in &hypotheses {
            let found = run(hypothesis, 0, self.options.width);
            if found.2.complete {
                return found;
            }
            let plies = found.2.layers.len();
            reached.push((hypothesis, plies));
            if best.as_ref().is_none_or(|(_, _, graph)| plies > graph.layers.len()) {
                best = Some(found);
            }
            // Bars are complete, and one thing is wrong: likelier than that bars are lost after all.
            if hypothesis.strict && hypothesis == hypotheses[0] && self.options.mends > 0 && self.marks_are_kept() {
                let mended = run(hypothesis, 1, self.options.width.min(20_000));
                if mended.2.complete {
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
                let found = run(hypothesis, mends, self.options.width.min(20_000 / usize::from(mends)));
                if found.2.complete {
                    return found;
                }
            }
        }
        best.unwrap_or_else(|| run(hypotheses[0], 0, 1))
    }

    /// Whether numerals and piece names say that the columns are swapped.
    fn hints_are_crossed(&self) -> bool {
        let hints = Hints::new(self.sheets);
        let (mut right, mut wrong) = (0, 0);
        for entry in self.sheets.iter().flat_map(|s| &s.entries) {
            let column = if entry.second { Color::Black } else { Color::Red };
            match hints.side(entry) {
                Some(side) if side == column => right += 1,
                Some(_) => wrong += 1,
                None => {}
            }
        }
        wrong >= 2 && wrong >= 4 * right
    }

    /// Whether enough horses, elephants and advisors are marked to trust the marks of the others.
    fn marks_are_kept(&self) -> bool {
        let slanting = self
            .sheets
            .iter()
            .flat_map(|s| &s.entries)
            .filter_map(|entry| as_pattern(entry, true))
            .filter(|p| p.kind.is_some_and(is_slanting));
        let (mut marked, mut bare) = (0, 0);
        for pattern in slanting {
            if pattern.directions == Directions::ANY { bare += 1 } else { marked += 1 }
        }
        bare == 0 && marked >= 6
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

    fn report(&self, hypothesis: Hypothesis, tracks: &[Track], mut graph: Graph) -> Transcript {
        let mut findings: Vec<Finding> = self.sheets.iter().flat_map(|s| s.findings.iter().cloned()).collect();
        self.apply_statements(&mut graph, &mut findings);
        let lost = if hypothesis.strict { 0.0 } else { self.lost_bar() };
        let hints = Hints::new(self.sheets);
        let scenes = scenes(&graph);
        let scores = score(&graph, &scenes, |edge, position, features| {
            self.model.value(features) + self.price(edge, position, tracks, lost, &hints)
        });
        let ranked = Ranked::new(&graph, scores);
        let (way, best) = ranked.best();
        let moves = ranked.moves(&way);
        let shares = ranked.shares();
        let line = self.line(&graph, &way, &shares);
        let readings = if graph.complete { graph.count() } else { 0 };
        let gaps = gaps(&graph, &line);
        let entries = self.entries(&graph, tracks, &way, &line);
        self.findings(hypothesis, &graph, &entries, &line, &mut findings);
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

    fn line(&self, graph: &Graph, way: &[usize], shares: &[Vec<f64>]) -> Vec<Ply> {
        let mut position = self.start;
        let mut line = Vec::with_capacity(way.len());
        for (index, (&number, layer)) in way.iter().zip(&graph.layers[1..]).enumerate() {
            let edge = layer.edges[number];
            let mut sums: Vec<(Move, f64)> = Vec::new();
            for (other, share) in layer.edges.iter().zip(&shares[index + 1]) {
                match sums.iter_mut().find(|(m, _)| *m == other.m) {
                    Some((_, sum)) => *sum += share,
                    None => sums.push((other.m, *share)),
                }
            }
            let share = sums.iter().find(|(m, _)| *m == edge.m).map_or(1.0, |&(_, s)| s);
            sums.retain(|&(m, _)| m != edge.m);
            sums.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            let capture = position.play(edge.m).captured().is_some();
            line.push(Ply {
                ply: index as u32 + 1,
                uci: edge.m,
                share,
                alternatives: sums.into_iter().map(|(m, _)| m).collect(),
                notes: edge.notes,
                capture,
                check: position.is_check(),
            });
        }
        line
    }

    fn entries(&self, graph: &Graph, tracks: &[Track], way: &[usize], line: &[Ply]) -> Vec<ReadEntry> {
        let mut out = Vec::new();
        for (index, (sheet, track)) in self.sheets.iter().zip(tracks).enumerate() {
            let mut read: Vec<Option<ReadEntry>> = vec![None; sheet.entries.len()];
            let mut extra = Vec::new();
            let mut position = self.start;
            for ((&number, layer), ply) in way.iter().zip(&graph.layers[1..]).zip(line) {
                let edge = layer.edges[number];
                let note = edge.notes[index];
                let cell = usize::from(edge.entries[index]);
                let entry = track.entries.get(cell).copied().flatten();
                let has_entry = !matches!(note, Note::LeftOut | Note::Ended);
                let written = entry.filter(|_| has_entry).map(|e| &sheet.entries[e]);
                let (how, mend) = match note {
                    Note::LeftOut | Note::Ended | Note::Blank => (How::Missing, None),
                    Note::Bent => (How::Repaired, bent_name(&track.cells[cell], edge.m, &position)),
                    Note::Swapped => (How::Repaired, Some("swapped entries")),
                    Note::Surplus | Note::Fits => {
                        let mut moves = Vec::new();
                        track.cells[cell].moves(&position, &mut moves);
                        let plain = match track.cells[cell].says {
                            Says::Pattern(p) => p.directions.count() == 1 && p.number != 0 && p.kind.is_some(),
                            _ => true,
                        };
                        let how = match (moves.len(), ply.alternatives.is_empty()) {
                            (0 | 1, _) if plain => How::Exact,
                            (0 | 1, _) => How::ByLegality,
                            (_, true) => How::ByLaterMoves,
                            (_, false) => How::Open,
                        };
                        (how, None)
                    }
                };
                let made = ReadEntry {
                    sheet: index as u8 + 1,
                    row: written.map_or(ply.ply.div_ceil(2), |e| e.row),
                    line: written.map_or(0, |e| e.line),
                    text: written.map_or_else(String::new, |e| e.text.clone()),
                    ply: Some(ply.ply),
                    uci: (how != How::Missing || ply.alternatives.is_empty()).then_some(edge.m),
                    how,
                    alternatives: if how == How::Missing && !ply.alternatives.is_empty() {
                        std::iter::once(edge.m).chain(ply.alternatives.iter().copied()).collect()
                    } else {
                        ply.alternatives.clone()
                    },
                    mend: if note == Note::LeftOut { Some("a ply left out") } else { mend },
                };
                if note == Note::Surplus
                    && cell > 0
                    && let Some(skipped) = track.entries[cell - 1]
                {
                    let e = &sheet.entries[skipped];
                    read[skipped] = Some(ReadEntry {
                        sheet: index as u8 + 1,
                        row: e.row,
                        line: e.line,
                        text: e.text.clone(),
                        ply: None,
                        uci: None,
                        how: How::Repaired,
                        alternatives: Vec::new(),
                        mend: Some("an entry too many"),
                    });
                }
                match entry.filter(|_| has_entry) {
                    Some(e) => read[e] = Some(made),
                    None => extra.push(made),
                }
                position.play(edge.m);
            }
            for (entry, read) in sheet.entries.iter().zip(read) {
                extra.push(read.unwrap_or_else(|| ReadEntry {
                    sheet: index as u8 + 1,
                    row: entry.row,
                    line: entry.line,
                    text: entry.text.clone(),
                    ply: None,
                    uci: None,
                    how: How::Unread,
                    alternatives: Vec::new(),
                    mend: None,
                }));
            }
            extra.sort_by_key(|e| e.ply.unwrap_or(u32::MAX));
            out.extend(extra);
        }
        out
    }

    fn findings(
        &self,
        hypothesis: Hypothesis,
        graph: &Graph,
        entries: &[ReadEntry],
        line: &[Ply],
        findings: &mut Vec<Finding>,
    ) {
        let mut tell = |code, message: String| findings.push(Finding::new(code, message));
        if entries.is_empty() {
            return tell(codes::SHEET_EMPTY, "no entries found".to_string());
        }
        if hypothesis.swapped {
            tell(codes::SHEET_COLUMNS_SWAPPED, "read with the columns swapped".to_string());
        }
        if !hypothesis.below_is_forward {
            tell(codes::SHEET_BARS_REVERSED, "read with a bar above as forward, below as back".to_string());
        }
        if hypothesis.rows_missing {
            tell(codes::SHEET_SHIFTED, "rows are missing where the numbers jump".to_string());
        }
        if graph.pruned {
            tell(codes::SHEET_BOUND, format!("more than {} boards at once", self.options.width));
        }
        if let Some(stated) = self.sheets.iter().find_map(|s| s.rounds)
            && graph.complete
            && line.len().div_ceil(2) != stated as usize
        {
            tell(codes::SHEET_CONTRADICTED, format!("{stated} rounds stated, {} plies read", line.len()));
        }
        for entry in entries {
            let at = |code, message: String| {
                let mut finding = Finding::new(code, message).text(entry.text.clone());
                if entry.line > 0 {
                    finding = finding.line(u64::from(entry.line), None);
                }
                finding.ply = entry.ply;
                finding
            };
            let others = || entry.alternatives.iter().map(Move::to_string).collect::<Vec<_>>().join(" ");
            match entry.how {
                How::Repaired => {
                    let to = entry.uci.map_or_else(|| "left out".to_string(), |m| format!("read as {m}"));
                    let mut text = format!("{}: {to}", entry.mend.unwrap_or("mended"));
                    if !entry.alternatives.is_empty() {
                        text.push_str(&format!("; or {}", others()));
                    }
                    findings.push(at(codes::SHEET_MENDED, text));
                }
                How::Missing if entry.mend.is_some() => {
                    findings.push(at(codes::SHEET_MENDED, format!("a ply was left out here: {}", candidates(entry))));
                }
                How::Missing if entry.text.is_empty() => {
                    findings.push(at(codes::SHEET_MISSING, candidates(entry)));
                }
                How::Missing => findings.push(at(codes::SHEET_ILLEGIBLE, candidates(entry))),
                How::Open => findings.push(at(codes::SHEET_OPEN, format!("or {}", others()))),
                _ => {}
            }
        }
        if self.sheets.len() == 2 {
            for ply in line {
                let differ = ply.notes.iter().any(|&n| n == Note::Bent)
                    || ply.notes.contains(&Note::LeftOut) && ply.notes.contains(&Note::Fits);
                if differ {
                    findings.push(
                        Finding::new(codes::SHEETS_DIFFER, format!("{} taken; {}", ply.uci, said(entries, ply.ply)))
                            .ply(ply.ply),
                    );
                }
            }
        }
        if !graph.complete
            && let Some(entry) = entries.iter().find(|e| e.how == How::Unread && !e.text.is_empty())
        {
            findings.push(
                Finding::new(codes::SHEET_BREAKS, "fits no position the entries before it can lead to")
                    .line(u64::from(entry.line), None)
                    .ply(line.len() as u32 + 1)
                    .text(entry.text.clone()),
            );
        }
    }
}

/// What an entry costs whose numerals or piece name are the other side's.
const WRONG_SIDE: f64 = -4.0;

/// Whether a sheet uses numerals, and piece names, to tell the sides apart.
#[derive(Clone, Copy, Debug)]
struct Hints {
    numerals: bool,
    names: bool,
}

impl Hints {
    fn new(sheets: &[Sheet]) -> Hints {
        let used = |hint: fn(&crate::notation::Token) -> Option<Color>| {
            let mut counts = [0usize; 2];
            for entry in sheets.iter().flat_map(|s| &s.entries) {
                if let What::Written(token) = entry.what
                    && let Some(side) = hint(&token)
                {
                    counts[side.index()] += 1;
                }
            }
            let all = counts[0] + counts[1];
            all >= 2 && counts[0].min(counts[1]) * 4 >= all
        };
        Hints { numerals: used(|t| t.numeral_side()), names: used(|t| t.named_side()) }
    }

    /// The side an entry seems to belong to.
    fn side(self, entry: &Entry) -> Option<Color> {
        let What::Written(token) = entry.what else { return None };
        let numeral = token.numeral_side().filter(|_| self.numerals);
        numeral.or_else(|| token.named_side().filter(|_| self.names))
    }
}

fn candidates(entry: &ReadEntry) -> String {
    match (entry.uci, &entry.alternatives[..]) {
        (Some(m), []) => format!("only {m} lets the rest be played"),
        (_, list) if list.len() <= 12 => {
            format!("may be {}", list.iter().map(Move::to_string).collect::<Vec<_>>().join(" "))
        }
        (_, list) => format!("{} moves are possible", list.len()),
    }
}

/// What the sheets say about a ply.
fn said(entries: &[ReadEntry], ply: u32) -> String {
    let of = |sheet: u8| {
        entries
            .iter()
            .find(|e| e.sheet == sheet && e.ply == Some(ply))
            .map_or("nothing", |e| if e.text.is_empty() { "nothing" } else { &e.text })
    };
    format!("the first sheet says {}, the second {}", of(1), of(2))
}

/// Kinds that always go forward or back: a short entry without a mark has lost its bar.
fn is_slanting(kind: Kind) -> bool {
    matches!(kind, Kind::Advisor | Kind::Elephant | Kind::Horse)
}

fn as_pattern(entry: &Entry, below_is_forward: bool) -> Option<Pattern> {
    match entry.what {
        What::Written(token) => Pattern::of_token(&token, below_is_forward),
        What::Damaged(pattern) => Some(pattern),
        What::Illegible | What::Missing => None,
    }
}

/// The cells of a sheet under a hypothesis.
fn track(sheet: &Sheet, hypothesis: Hypothesis) -> Track {
    let mut order: Vec<Option<usize>> = Vec::with_capacity(sheet.entries.len());
    let mut jumps = sheet.jumps.iter().peekable();
    for index in 0..sheet.entries.len() {
        while let Some(jump) = jumps.next_if(|jump| jump.before == index) {
            if hypothesis.rows_missing {
                order.extend(std::iter::repeat_n(None, jump.rows.min(4) as usize * 2));
            }
        }
        order.push(Some(index));
    }
    if hypothesis.swapped {
        for pair in order.chunks_exact_mut(2) {
            pair.swap(0, 1);
        }
    }
    let mut cells: Vec<Cell> =
        order.iter().map(|entry| entry.map_or(Cell::BLANK, |e| cell(&sheet.entries[e], hypothesis))).collect();
    if hypothesis.dashes {
        for &(line, dashes) in &sheet.bars {
            set_bar_rule(&mut cells, &order, &sheet.entries, line, dashes);
        }
    }
    Track { cells, entries: order }
}

fn cell(entry: &Entry, hypothesis: Hypothesis) -> Cell {
    match entry.what {
        What::Written(token) => match Pattern::of_token(&token, hypothesis.below_is_forward) {
            Some(mut pattern) => {
                if hypothesis.strict && pattern.directions == Directions::ANY && !pattern.kind.is_some_and(is_slanting)
                {
                    pattern.directions = Directions::TRAVERSE;
                }
                Cell::written(pattern)
            }
            None => Cell { says: Says::Token(token), bars: None },
        },
        What::Damaged(pattern) => Cell::written(pattern),
        What::Illegible | What::Missing => Cell::BLANK,
    }
}

/// Dashes under a line say how many bars it has; those of gaps and of slanting pieces are accounted for.
fn set_bar_rule(cells: &mut [Cell], order: &[Option<usize>], entries: &[Entry], line: u32, dashes: u32) {
    let on_line: Vec<usize> = (0..cells.len()).filter(|&i| order[i].is_some_and(|e| entries[e].line == line)).collect();
    let pattern = |i: usize| match cells[i].says {
        Says::Pattern(p) => Some(p),
        _ => None,
    };
    let sure = on_line.iter().filter(|&&i| {
        pattern(i).is_some_and(|p| {
            p.directions == Directions::BAR || p.directions == Directions::ANY && p.kind.is_some_and(is_slanting)
        })
    });
    let total = dashes.saturating_sub(sure.count() as u32).min(200) as u8;
    let counts: Vec<bool> = on_line
        .iter()
        .map(|&i| pattern(i).is_some_and(|p| p.directions == Directions::ANY && !p.kind.is_some_and(is_slanting)))
        .collect();
    for (n, &i) in on_line.iter().enumerate() {
        let behind = counts[n + 1..].iter().filter(|&&c| c).count().min(200) as u8;
        cells[i].bars = Some(BarRule { counts: counts[n], behind, total, last: n + 1 == on_line.len() });
    }
}

/// What a mend of one field costs, as a logarithm of its chance.
fn bent_price(pattern: &Pattern, m: Move, position: &Position) -> f64 {
    match bent_field(pattern, m, position) {
        // A digit without a mark in a sheet with marks: most often its bar is lost.
        "direction" if pattern.directions == Directions::TRAVERSE => -4.5,
        "number" => -5.5,
        "file" => -5.5,
        "direction" => -6.5,
        _ => -7.5,
    }
}

fn bent_field(pattern: &Pattern, m: Move, position: &Position) -> &'static str {
    let looser = [
        (Pattern { number: 0, ..*pattern }, "number"),
        (Pattern { directions: Directions::ANY, ..*pattern }, "direction"),
        (Pattern { file: 0, which: super::pattern::Which::Any, ..*pattern }, "file"),
        (Pattern { kind: None, ..*pattern }, "piece"),
    ];
    looser.into_iter().find(|(p, _)| fields_off(p, m, position) == 0).map_or("text", |(_, name)| name)
}

fn bent_name(cell: &Cell, m: Move, position: &Position) -> Option<&'static str> {
    let Says::Pattern(pattern) = cell.says else { return Some("wrong square") };
    Some(match bent_field(&pattern, m, position) {
        "number" => "wrong number",
        "direction" => "wrong or lost direction",
        "file" => "wrong file",
        "piece" => "wrong piece",
        _ => "wrong entry",
    })
}

/// Stretches of plies of which no sheet says anything.
fn gaps(graph: &Graph, line: &[Ply]) -> Vec<Gap> {
    let silent = |ply: &Ply| ply.notes.iter().all(|n| matches!(n, Note::Blank | Note::LeftOut | Note::Ended));
    let mut gaps = Vec::new();
    let mut index = 0;
    while index < line.len() {
        if !silent(&line[index]) {
            index += 1;
            continue;
        }
        let first = index;
        while index < line.len() && silent(&line[index]) {
            index += 1;
        }
        let (ways, fewest, most) = graph.bridges(first, index);
        let capture = match (fewest > 0, most > 0) {
            (true, _) => HoleCapture::Must,
            (false, true) => HoleCapture::May,
            (false, false) => HoleCapture::Cannot,
        };
        gaps.push(Gap { ply: first as u32 + 1, plies: (index - first) as u32, ways, capture });
    }
    gaps
}
