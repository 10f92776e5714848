//! From the ranked graph to the transcript: plies, entries, gaps, findings.

use super::graph::{Graph, Note, Says};
use super::hypothesis::{Hypothesis, Track};
use super::mend::bent_name;
use super::read::What;
use super::report::{Gap, How, Ply, ReadEntry};
use super::transcribe::Work;
use crate::audit::limit::HoleCapture;
use crate::board::Move;
use crate::diag::{Finding, codes};

impl Work<'_> {
    pub(super) fn line(&self, graph: &Graph, way: &[usize], shares: &[Vec<f64>]) -> Vec<Ply> {
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

    pub(super) fn entries(&self, graph: &Graph, tracks: &[Track], way: &[usize], line: &[Ply]) -> Vec<ReadEntry> {
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
                let fits_nothing = how == How::Repaired && {
                    let mut moves = Vec::new();
                    track.cells[cell].moves(&position, &mut moves);
                    moves.is_empty()
                };
                let made = ReadEntry {
                    fits_nothing,
                    sheet: index as u8 + 1,
                    row: written.map_or(ply.ply.div_ceil(2), |e| e.row),
                    line: written.map_or(0, |e| e.line),
                    // A mark for a missing entry (缺, —) is no entry.
                    text: written.filter(|e| e.what != What::Missing).map_or_else(String::new, |e| e.text.clone()),
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
                        fits_nothing: true,
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
                    fits_nothing: false,
                    mend: None,
                }));
            }
            extra.sort_by_key(|e| e.ply.unwrap_or(u32::MAX));
            out.extend(extra);
        }
        out
    }

    pub(super) fn findings(
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
                let differ = ply.notes.contains(&Note::Bent)
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

/// Stretches of plies of which no sheet says anything.
pub(super) fn gaps(graph: &Graph, line: &[Ply]) -> Vec<Gap> {
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
