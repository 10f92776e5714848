//! From the ranked graph to the transcript: plies, entries, gaps, findings.

use super::graph::{Graph, Note, Says};
use super::hypothesis::{Hypothesis, Track};
use super::mend::{bent_name, mend_in_chinese};
use super::read::What;
use super::report::{Gap, How, Ply, ReadEntry};
use super::transcribe::Work;
use crate::audit::limit::HoleCapture;
use crate::board::{Move, Position};
use crate::diag::{Finding, Message, codes};
use crate::notation::{Notation, Style, write_move};
use crate::say;

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

    /// The boards before the plies of a line.
    fn boards(&self, line: &[Ply]) -> Vec<Position> {
        let mut position = self.start;
        line.iter()
            .map(|ply| {
                let before = position;
                position.play(ply.uci);
                before
            })
            .collect()
    }

    pub(super) fn findings(
        &self,
        hypothesis: Hypothesis,
        graph: &Graph,
        entries: &[ReadEntry],
        line: &[Ply],
        findings: &mut Vec<Finding>,
    ) {
        let mut tell = |code, message: Message| findings.push(Finding::new(code, message));
        if entries.is_empty() {
            return tell(codes::SHEET_EMPTY, say!("no entries found"; "没有找到着法"));
        }
        if hypothesis.swapped {
            tell(codes::SHEET_COLUMNS_SWAPPED, say!("read with the columns swapped"; "按两栏对调读取"));
        }
        if self.turned {
            tell(
                codes::SHEET_COLUMNS_SWAPPED,
                say!(
                    "the columns of the second sheet stand the other way round than those of the first";
                    "第二张记录单的两栏与第一张相反"
                ),
            );
        }
        if !hypothesis.below_is_forward {
            tell(
                codes::SHEET_BARS_REVERSED,
                say!("read with a bar above as forward, below as back"; "按上划线为进、下划线为退读取"),
            );
        }
        if hypothesis.rows_missing {
            tell(codes::SHEET_SHIFTED, say!("rows are missing where the numbers jump"; "编号跳过之处按缺行读取"));
        }
        if graph.pruned {
            let width = self.options.width;
            tell(codes::SHEET_BOUND, say!("more than {width} boards at once"; "同时可能的局面超过 {width} 个"));
        }
        if let Some(stated) = self.sheets.iter().find_map(|s| s.rounds)
            && graph.complete
            && line.len().div_ceil(2) != stated as usize
        {
            let plies = line.len();
            tell(
                codes::SHEET_CONTRADICTED,
                say!("{stated} rounds stated, {plies} plies read"; "写明 {stated} 回合，读出 {plies} 着"),
            );
        }
        let boards = self.boards(line);
        for entry in entries {
            let at = |code, message: Message| {
                let mut finding = Finding::new(code, message).text(entry.text.clone());
                if entry.line > 0 {
                    finding = finding.line(u64::from(entry.line), None);
                }
                finding.ply = entry.ply;
                finding
            };
            let names = Names::of(entry, &boards);
            match entry.how {
                How::Repaired => {
                    let (mend, mend_zh) =
                        entry.mend.map_or(("mended", "已修补"), |mend| (mend, mend_in_chinese(mend)));
                    let message = match entry.uci {
                        None => say!("{mend}: left out"; "{mend_zh}，未计"),
                        Some(m) if entry.alternatives.is_empty() => {
                            say!("{mend}: read as {m}"; "{mend_zh}，读作{}", names.chinese(&[m]))
                        }
                        Some(m) => say!(
                            "{mend}: read as {m}; or {}", english(&entry.alternatives);
                            "{mend_zh}，读作{}；也可能是{}", names.chinese(&[m]), names.chinese(&entry.alternatives)
                        ),
                    };
                    findings.push(at(codes::SHEET_MENDED, message));
                }
                How::Missing if entry.mend.is_some() => {
                    let (en, zh) = names.candidates(entry);
                    findings.push(at(codes::SHEET_MENDED, say!("a ply was left out here: {en}"; "此处漏记一着，{zh}")));
                }
                How::Missing => {
                    let (en, zh) = names.candidates(entry);
                    let code = if entry.text.is_empty() { codes::SHEET_MISSING } else { codes::SHEET_ILLEGIBLE };
                    findings.push(at(code, say!("{en}"; "{zh}")));
                }
                How::Open => {
                    let others = &entry.alternatives;
                    let message = say!("or {}", english(others); "也可能是{}", names.chinese(others));
                    findings.push(at(codes::SHEET_OPEN, message));
                }
                _ => {}
            }
        }
        if self.sheets.len() == 2 {
            for ply in line {
                let differ = ply.notes.contains(&Note::Bent)
                    || ply.notes.contains(&Note::LeftOut) && ply.notes.contains(&Note::Fits);
                if differ {
                    let name = chinese(&[ply.uci], boards.get(ply.ply as usize - 1));
                    let [one, other] = [1, 2].map(|sheet| said(entries, sheet, ply.ply));
                    let message = say!(
                        "{} taken; the first sheet says {}, the second {}",
                        ply.uci, one.unwrap_or("nothing"), other.unwrap_or("nothing");
                        "取{name}；第一张记{}，第二张记{}", one.unwrap_or("空缺"), other.unwrap_or("空缺")
                    );
                    findings.push(Finding::new(codes::SHEETS_DIFFER, message).ply(ply.ply));
                }
            }
        }
        if !graph.complete
            && let Some(entry) = entries.iter().find(|e| e.how == How::Unread && !e.text.is_empty())
        {
            findings.push(
                Finding::new(
                    codes::SHEET_BREAKS,
                    say!("fits no position the entries before it can lead to"; "前面各着所能到达的局面都走不了这一着"),
                )
                .line(u64::from(entry.line), None)
                .ply(line.len() as u32 + 1)
                .text(entry.text.clone()),
            );
        }
    }
}

/// Moves as coordinates.
fn english(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// Moves as a Chinese reader writes them, if their board is known.
fn chinese(moves: &[Move], board: Option<&Position>) -> String {
    let Some(board) = board else { return english(moves) };
    let name = |&m: &Move| {
        let mut text = String::new();
        if board.is_legal(m) {
            write_move(m, board, &Style::of(Notation::Chinese), &mut text);
        } else {
            // A move of another reading, on another board.
            text = m.to_string();
        }
        text
    };
    moves.iter().map(name).collect::<Vec<_>>().join("、")
}

/// How the moves of an entry are called.
struct Names<'a> {
    board: Option<&'a Position>,
}

impl<'a> Names<'a> {
    fn of(entry: &ReadEntry, boards: &'a [Position]) -> Names<'a> {
        Names { board: entry.ply.and_then(|ply| boards.get(ply as usize - 1)) }
    }

    fn chinese(&self, moves: &[Move]) -> String {
        chinese(moves, self.board)
    }

    /// What a missing entry may be, in English and in Chinese.
    fn candidates(&self, entry: &ReadEntry) -> (String, String) {
        match (entry.uci, &entry.alternatives[..]) {
            (Some(m), []) => {
                (format!("only {m} lets the rest be played"), format!("只有{}能使其余走通", self.chinese(&[m])))
            }
            (_, list) if list.len() <= 12 => {
                (format!("may be {}", english(list)), format!("可能是{}", self.chinese(list)))
            }
            (_, list) => (format!("{} moves are possible", list.len()), format!("有 {} 种可能的着法", list.len())),
        }
    }
}

/// What a sheet says about a ply.
fn said(entries: &[ReadEntry], sheet: u8, ply: u32) -> Option<&str> {
    let entry = entries.iter().find(|e| e.sheet == sheet && e.ply == Some(ply))?;
    Some(&entry.text[..]).filter(|text| !text.is_empty())
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
