//! The state of two score sheets: missing and illegible entries, fouls, whether a claim may be examined.
//!
//! 2011, articles 7.1, 7.2, 8.1.6 and 22.3 as computations. Comes in: both sheets as read. Goes out: a count for each
//! side and every ply on which the sheets differ.
//!
//! - A ply missing on one sheet is known from the other, or from replay; both columns of a sheet count, because a player
//!   writes every move (an option counts the player's own moves alone).
//! - An entry that cannot be resolved to a legal move counts as missing (7.2).
//! - Every four missing entries are a foul, eight or more are two at once: capped at two an inspection (an option takes
//!   the other reading, one foul for every four without a cap). Entries punished before are not counted again.
//! - A side with eight or more missing, or with a hole behind the last capture that its own sheet cannot fill, may not
//!   have a claim examined (22.3; the article prints no number, eight is the mark of two fouls).

use super::limit::{Hole, HoleCapture};
use crate::board::Color;
use crate::diag::{Finding, codes};
use crate::say;
use crate::sheet::{Gap, How, Options, ReadEntry, Sheet, Transcript, transcribe};

/// How entries are counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counting {
    /// One foul for every four missing entries, without a cap.
    pub uncapped: bool,
    /// Only the player's own moves.
    pub own_moves: bool,
    /// Missing entries punished at earlier inspections: Red's and Black's.
    pub punished: [u32; 2],
}

/// The state of one side's sheet.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct SheetState {
    /// Entries.
    pub entries: u32,
    /// Plies without an entry.
    pub missing: u32,
    /// Entries that cannot be resolved to a legal move.
    pub illegible: u32,
    /// Entries that say another legal move than was played.
    pub wrong: u32,
    /// Fouls under 7.1 and 7.2.
    pub fouls: u32,
    /// Entries of the sheet that were not reached, because it breaks before them.
    pub unread: u32,
    /// Whether a claim of this side may be examined.
    pub may_claim: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused_for: Option<Refusal>,
    /// The plies without an entry.
    pub missing_plies: Vec<u32>,
    /// The plies with an entry that cannot be resolved.
    pub illegible_plies: Vec<u32>,
    /// The plies with an entry that says another move.
    pub wrong_plies: Vec<u32>,
}

/// Why a claim may not be examined (22.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// Eight or more entries are missing or illegible.
    TooManyMissing,
    /// A hole behind the last capture that the side's own sheet cannot fill.
    HoleBehindCapture,
}

/// Both sheets.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct SheetAudit {
    /// Red's sheet.
    pub red: SheetState,
    /// Black's sheet.
    pub black: SheetState,
    /// Stretches missing on both.
    pub gaps: Vec<Gap>,
    /// The plies on which they differ.
    pub differences: Vec<Difference>,
    /// Whether they look copied from one another.
    pub copied: bool,
    /// Plies of the merged game.
    pub plies: u32,
    /// How many games fit both.
    pub readings: u64,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// A ply on which the sheets say different things.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Difference {
    /// The ply.
    pub ply: u32,
    /// What Red's sheet says; nothing if it has no entry.
    pub red: Option<String>,
    /// What Black's says.
    pub black: Option<String>,
    /// The move taken, if the game settles it.
    pub uci: Option<crate::board::Move>,
}

/// Fouls for a number of missing entries.
pub const fn fouls(missing: u32, uncapped: bool) -> u32 {
    let every_four = missing / 4;
    if uncapped || every_four < 2 { every_four } else { 2 }
}

/// Reads and compares the two sheets.
pub fn audit_sheets(
    red: &Sheet,
    black: &Sheet,
    options: &Options<'_>,
    counting: &Counting,
) -> (SheetAudit, Transcript) {
    let merged = transcribe(&[red.clone(), black.clone()], options);
    let last_capture = merged.line.iter().rev().find(|p| p.capture).map_or(0, |p| p.ply);
    let state = |side: Color, sheet: &Sheet| {
        let number = side.index() as u8 + 1;
        let mut state = SheetState {
            entries: sheet.entries.iter().filter(|e| !e.text.is_empty()).count() as u32,
            missing: 0,
            illegible: 0,
            wrong: 0,
            fouls: 0,
            unread: merged.entries.iter().filter(|e| e.sheet == number && e.how == How::Unread).count() as u32,
            may_claim: true,
            refused_for: None,
            missing_plies: Vec::new(),
            illegible_plies: Vec::new(),
            wrong_plies: Vec::new(),
        };
        for entry in merged.entries.iter().filter(|e| e.sheet == number) {
            let Some(ply) = entry.ply else { continue };
            let mover = if ply % 2 == 1 { merged.start.side_to_move() } else { !merged.start.side_to_move() };
            if counting.own_moves && mover != side {
                continue;
            }
            match kind_of(entry) {
                Kind::Good => {}
                Kind::Missing => state.missing_plies.push(ply),
                Kind::Illegible => state.illegible_plies.push(ply),
                Kind::Wrong => state.wrong_plies.push(ply),
            }
        }
        state.missing = state.missing_plies.len() as u32;
        state.illegible = state.illegible_plies.len() as u32;
        state.wrong = state.wrong_plies.len() as u32;
        let all = state.missing + state.illegible;
        state.fouls = fouls(all.saturating_sub(counting.punished[side.index()]), counting.uncapped);
        let alone = transcribe(std::slice::from_ref(sheet), options);
        let unfilled = own_holes(&alone, &merged).iter().any(|hole| hole.after_ply >= last_capture);
        state.refused_for = match (all >= 8, unfilled) {
            (true, _) => Some(Refusal::TooManyMissing),
            (false, true) => Some(Refusal::HoleBehindCapture),
            (false, false) => None,
        };
        state.may_claim = state.refused_for.is_none();
        state
    };
    let (red_state, black_state) = (state(Color::Red, red), state(Color::Black, black));
    let differences = differences(&merged);
    let mut findings = merged.findings.clone();
    let copied = copied(&red_state, &black_state, &merged);
    if copied {
        findings.push(Finding::new(
            codes::SHEETS_COPIED,
            say!("the same gaps or the same errors stand on both sheets"; "两张记录单有相同的缺漏或错误"),
        ));
    }
    let audit = SheetAudit {
        red: red_state,
        black: black_state,
        gaps: merged.gaps.clone(),
        differences,
        copied,
        plies: merged.plies,
        readings: merged.readings,
        findings,
    };
    (audit, merged)
}

enum Kind {
    Good,
    Missing,
    Illegible,
    Wrong,
}

fn kind_of(entry: &ReadEntry) -> Kind {
    match entry.how {
        How::Missing if entry.text.is_empty() => Kind::Missing,
        How::Missing | How::Unread => Kind::Illegible,
        How::Repaired if entry.fits_nothing => Kind::Illegible,
        How::Repaired => Kind::Wrong,
        _ => Kind::Good,
    }
}

/// Holes of a sheet that it cannot fill by itself; where it stops early, everything behind.
fn own_holes(alone: &Transcript, merged: &Transcript) -> Vec<Hole> {
    let mut holes = alone.holes();
    if alone.plies < merged.plies {
        holes.push(Hole { after_ply: alone.plies, capture: HoleCapture::May });
    }
    holes
}

fn differences(merged: &Transcript) -> Vec<Difference> {
    let mut list = Vec::new();
    for ply in &merged.line {
        let entry = |sheet: u8| merged.entries.iter().find(|e| e.sheet == sheet && e.ply == Some(ply.ply));
        let (red, black) = (entry(1), entry(2));
        let text = |e: Option<&ReadEntry>| e.map(|e| e.text.clone()).filter(|t| !t.is_empty());
        let odd = |e: Option<&ReadEntry>| e.is_none_or(|e| matches!(e.how, How::Repaired | How::Missing));
        if odd(red) || odd(black) {
            list.push(Difference {
                ply: ply.ply,
                red: text(red),
                black: text(black),
                uci: ply.alternatives.is_empty().then_some(ply.uci),
            });
        }
    }
    list
}

/// The same gaps, or the same wrong entries, on both sheets. Independent writers rarely share three gaps out of few.
fn copied(red: &SheetState, black: &SheetState, merged: &Transcript) -> bool {
    let shared = |a: &[u32], b: &[u32]| a.iter().filter(|ply| b.contains(ply)).count();
    let gaps = shared(&red.missing_plies, &black.missing_plies);
    let most = red.missing_plies.len().max(black.missing_plies.len());
    let same_error = |ply: u32| {
        let text = |sheet: u8| merged.entries.iter().find(|e| e.sheet == sheet && e.ply == Some(ply)).map(|e| &e.text);
        text(1) == text(2)
    };
    let bad = |s: &SheetState| s.wrong_plies.iter().chain(&s.illegible_plies).copied().collect::<Vec<u32>>();
    let errors = bad(red).iter().filter(|&&ply| bad(black).contains(&ply) && same_error(ply)).count();
    errors >= 1 || (gaps >= 3 && gaps * 5 >= most * 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_missing_are_one_foul_and_eight_or_more_two() {
        let counts: Vec<u32> = [0, 3, 4, 7, 8, 11, 12, 40].into_iter().map(|m| fouls(m, false)).collect();
        assert_eq!(counts, [0, 0, 1, 1, 2, 2, 2, 2]);
        assert_eq!([3, 4, 8, 12].map(|m| fouls(m, true)), [0, 1, 2, 3]);
    }

    #[test]
    fn gaps_are_counted_for_the_side_that_has_them() {
        let full = "1 炮二平五 马8进7\n2 马二进三 车9平8\n3 车一平二 卒7进1\n4 车二进六 马2进3\n5 兵七进一 炮8平9";
        let holed = "1 炮二平五 马8进7\n2 马二进三\n3 车一平二 卒7进1\n4 ? 马2进3\n5 兵七进一 炮8平9";
        let (audit, _) = audit_sheets(
            &Sheet::read(full),
            &Sheet::read(holed),
            &Options::default(),
            &Counting { punished: [0, 0], ..Counting::default() },
        );
        assert_eq!((audit.red.missing, audit.red.illegible), (0, 0));
        assert_eq!((audit.black.missing_plies, audit.black.illegible_plies), (vec![4], vec![7]));
        assert_eq!((audit.plies, audit.readings, audit.copied), (10, 1, false));
    }

    #[test]
    fn the_same_wrong_entry_on_both_sheets_looks_copied() {
        let text = "1 炮二平五 马8进7\n2 马二进四 车9平8\n3 车一平二 卒7进1\n4 车二进六 马2进3";
        let (audit, merged) =
            audit_sheets(&Sheet::read(text), &Sheet::read(text), &Options::default(), &Counting::default());
        assert!(merged.complete && audit.copied);
        assert_eq!(merged.moves[2].to_string(), "h0g2");
    }
}
