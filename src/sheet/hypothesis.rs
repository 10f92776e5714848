//! What is unknown about a sheet as a whole, and the cells it becomes under each answer.

use super::graph::{BarRule, Cell, Says};
use super::pattern::{Directions, Pattern};
use super::read::{Entry, Sheet, What};
use super::transcribe::Work;
use crate::board::{Color, Kind};

/// What is assumed about the sheets as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hypothesis {
    /// No bar is lost: a digit without a mark is a traverse.
    pub(super) strict: bool,
    pub(super) below_is_forward: bool,
    /// Rows are missing where the numbers jump.
    pub(super) rows_missing: bool,
    pub(super) swapped: bool,
    /// The dashes typed under a line tell how many bars it has.
    pub(super) dashes: bool,
    /// Everything can be played without a lost bar: that one is lost after all needs more than chance.
    pub(super) reluctant: bool,
}

/// A sheet under a hypothesis.
pub(super) struct Track {
    pub(super) cells: Vec<Cell>,
    /// The entry each cell comes from.
    pub(super) entries: Vec<Option<usize>>,
}

impl Work<'_> {
    /// The hypotheses, the usual first.
    pub(super) fn hypotheses(&self) -> Vec<Hypothesis> {
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
                            let reluctant = false;
                            let hypothesis =
                                Hypothesis { strict, below_is_forward, rows_missing, swapped, dashes, reluctant };
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

    /// Whether numerals and piece names say that the columns are swapped.
    fn hints_are_crossed(&self) -> bool {
        let (right, wrong) = self.count_hints();
        wrong >= 2 && wrong >= 4 * right
    }

    /// Whether numerals and piece names speak clearly against the columns of a hypothesis.
    pub(super) fn hints_are_against(&self, hypothesis: Hypothesis) -> bool {
        let (right, wrong) = self.count_hints();
        let (with, against) = if hypothesis.swapped { (wrong, right) } else { (right, wrong) };
        against >= 4 && against >= 4 * with
    }

    /// Entries whose numerals or piece names fit their column, and those for which they fit the other.
    fn count_hints(&self) -> (usize, usize) {
        let hints = Hints::new(self.sheets);
        let (mut right, mut wrong) = (0, 0);
        let entries = self.sheets.iter().enumerate().flat_map(|(index, s)| s.entries.iter().map(move |e| (index, e)));
        for (index, entry) in entries {
            let second = entry.second != (self.turned && index == 1);
            let column = if second { Color::Black } else { Color::Red };
            match hints.side(entry) {
                Some(side) if side == column => right += 1,
                Some(_) => wrong += 1,
                None => {}
            }
        }
        (right, wrong)
    }

    /// Whether enough horses, elephants and advisors are marked to trust the marks of the others.
    pub(super) fn marks_are_kept(&self) -> bool {
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
}

/// Whether the second sheet has its columns the other way round than the first: far more of its entries stand crosswise on
/// the first than in their own places.
pub(super) fn is_turned(sheets: &[Sheet]) -> bool {
    let [one, other] = sheets else { return false };
    let written = |entry: &Entry| matches!(entry.what, What::Written(_) | What::Damaged(_));
    let alike = |shift: usize| {
        let pairs = other.entries.iter().enumerate().filter(|(_, entry)| written(entry));
        pairs.filter(|(index, entry)| one.entries.get(index ^ shift).is_some_and(|e| e.what == entry.what)).count()
    };
    let (straight, crossed) = (alike(0), alike(1));
    crossed >= 4 && crossed >= 4 * straight
}

/// Whether a sheet uses numerals, and piece names, to tell the sides apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hints {
    numerals: bool,
    names: bool,
}

impl Hints {
    pub(super) fn new(sheets: &[Sheet]) -> Hints {
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
    pub(super) fn side(self, entry: &Entry) -> Option<Color> {
        let What::Written(token) = entry.what else { return None };
        let numeral = token.numeral_side().filter(|_| self.numerals);
        numeral.or_else(|| token.named_side().filter(|_| self.names))
    }
}

/// Kinds that always go forward or back: a short entry without a mark has lost its bar.
pub(super) fn is_slanting(kind: Kind) -> bool {
    matches!(kind, Kind::Advisor | Kind::Elephant | Kind::Horse)
}

pub(super) fn as_pattern(entry: &Entry, below_is_forward: bool) -> Option<Pattern> {
    match entry.what {
        What::Written(token) => Pattern::of_token(&token, below_is_forward),
        What::Damaged(pattern) => Some(pattern),
        What::Illegible | What::Missing => None,
    }
}

/// The cells of a sheet under a hypothesis.
pub(super) fn track(sheet: &Sheet, hypothesis: Hypothesis) -> Track {
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

pub(super) fn cell(entry: &Entry, hypothesis: Hypothesis) -> Cell {
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
pub(super) fn set_bar_rule(cells: &mut [Cell], order: &[Option<usize>], entries: &[Entry], line: u32, dashes: u32) {
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
