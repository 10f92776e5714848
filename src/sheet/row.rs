//! Rows of a sheet: which entry stands in which column, in which order the rows follow, where numbers jump.

use super::read::{Entry, Jump, Sheet, What};
use crate::board::Color;
use crate::diag::{Finding, codes};
use crate::say;

/// An entry as found on a line.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub what: What,
    pub text: String,
    /// Place on the line as a reader sees it.
    pub column: usize,
    pub doubted: bool,
    /// Dots say that this column is not used here (`1... 马8进7`).
    pub absent: bool,
}

impl Item {
    pub(super) fn missing(column: usize) -> Item {
        Item { what: What::Missing, text: String::new(), column, doubted: false, absent: false }
    }
}

/// A row as found.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub number: Option<u32>,
    pub line: u32,
    pub items: Vec<Item>,
}

impl Row {
    pub(super) fn new(number: Option<u32>, line: u32) -> Row {
        Row { number, line, items: Vec::new() }
    }
}

/// The side whose numerals an entry has.
fn numeral_side(item: &Item) -> Option<Color> {
    match item.what {
        What::Written(token) => token.numeral_side(),
        _ => None,
    }
}

/// All rows of a sheet.
#[derive(Debug, Default)]
pub(super) struct Rows(Vec<Row>);

impl Rows {
    pub(super) fn extend(&mut self, rows: Vec<Row>) {
        self.0.extend(rows);
    }

    /// Fills the entries of the sheet from the rows.
    pub(super) fn arrange(mut self, sheet: &mut Sheet) {
        let numbered = self.0.iter().filter(|row| row.number.is_some()).count();
        if numbered == 0 {
            return self.run(sheet);
        }
        // A heading before the first number is no row, unless it holds entries.
        self.join_halves();
        self.sort_halves();
        self.place_columns();
        let rows = self.0;
        let count = rows.len();
        let mut expected: Option<u32> = None;
        let mut counted = 0u32;
        let black_starts = sheet.start.side_to_move() == Color::Black;
        for (index, row) in rows.into_iter().enumerate() {
            counted += 1;
            if let (Some(number), Some(expected)) = (row.number, expected)
                && number != expected
            {
                let (code, message) = if number > expected {
                    let rows = number - expected;
                    sheet.jumps.push(Jump { before: sheet.entries.len(), rows });
                    (
                        codes::SHEET_NUMBER_JUMP,
                        say!("the numbers jump from {} to {number}", expected - 1; "编号由 {} 跳到 {number}", expected - 1),
                    )
                } else {
                    (
                        codes::SHEET_NUMBER_WRONG,
                        say!("the number {number} stands where {expected} is due"; "应为 {expected} 之处写着 {number}"),
                    )
                };
                sheet.findings.push(Finding::new(code, message).line(u64::from(row.line), None));
            }
            // A wrong number in one row does not move the rows behind it.
            expected = match (row.number, expected) {
                (Some(number), Some(due)) if number < due => Some(due + 1),
                (Some(number), _) => Some(number + 1),
                (None, due) => due.map(|due| due + 1),
            };
            let last = index + 1 == count;
            let mut items = row.items;
            if index == 0 && black_starts && items.first().is_some_and(|item| item.absent) {
                items.remove(0);
                for item in items {
                    push(sheet, item, counted, row.number, row.line, true);
                }
                continue;
            }
            if last {
                while items.last().is_some_and(|item| item.what == What::Missing && item.text.is_empty()) {
                    items.pop();
                }
            } else {
                while items.len() < 2 {
                    items.push(Item::missing(0));
                }
            }
            for (column, item) in items.into_iter().enumerate() {
                push(sheet, item, counted, row.number, row.line, column % 2 == 1);
            }
        }
    }

    /// No numbers anywhere: the entries follow one another.
    fn run(self, sheet: &mut Sheet) {
        let first = usize::from(sheet.start.side_to_move() == Color::Black);
        for (line, item) in self.0.into_iter().flat_map(|row| row.items.into_iter().map(move |item| (row.line, item))) {
            let place = sheet.entries.len() + first;
            push(sheet, item, place as u32 / 2 + 1, None, line, place % 2 == 1);
        }
    }

    /// Black's move on a line of its own belongs to the row before.
    fn join_halves(&mut self) {
        let mut rows: Vec<Row> = Vec::with_capacity(self.0.len());
        for row in self.0.drain(..) {
            match rows.last_mut() {
                Some(before)
                    if row.number.is_none()
                        && before.items.len() == 1
                        && row.items.len() == 1
                        && before.number.is_some() =>
                {
                    before.items.extend(row.items);
                }
                // More than one round behind a single number.
                Some(before) if row.number.is_none() && before.items.is_empty() => before.items.extend(row.items),
                _ => rows.push(row),
            }
        }
        self.0 = rows;
        let mut split = Vec::with_capacity(self.0.len());
        for mut row in self.0.drain(..) {
            while row.items.len() > 2 {
                let rest = row.items.split_off(2);
                let line = row.line;
                split.push(row);
                row = Row { number: None, line, items: rest };
            }
            split.push(row);
        }
        self.0 = split;
    }

    /// Two halves of a sheet side by side: 1 and 26 on one line, 2 and 27 on the next.
    fn sort_halves(&mut self) {
        let numbers: Vec<u32> = self.0.iter().filter_map(|row| row.number).collect();
        if numbers.len() != self.0.len() || numbers.is_sorted() {
            return;
        }
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        let without_repeats = sorted.windows(2).all(|pair| pair[0] < pair[1]);
        let side_by_side = self.0.windows(2).filter(|pair| pair[0].line == pair[1].line).count() * 3 >= self.0.len();
        if without_repeats && side_by_side {
            self.0.sort_by_key(|row| row.number);
        }
    }

    /// The sides whose numerals stand in the first and in the second column, if nearly all full rows agree.
    fn sides(&self) -> Option<[Color; 2]> {
        let (mut usual, mut other) = (0, 0);
        for row in &self.0 {
            if let [a, b] = &row.items[..] {
                match (numeral_side(a), numeral_side(b)) {
                    (Some(Color::Red), Some(Color::Black)) => usual += 1,
                    (Some(Color::Black), Some(Color::Red)) => other += 1,
                    _ => {}
                }
            }
        }
        match (usual, other) {
            _ if usual >= 3 && usual >= 4 * other => Some([Color::Red, Color::Black]),
            _ if other >= 3 && other >= 4 * usual => Some([Color::Black, Color::Red]),
            _ => None,
        }
    }

    /// A single entry stands in the second column if its place on the line says so, or its numerals.
    fn place_columns(&mut self) {
        let median = |mut list: Vec<usize>| {
            list.sort_unstable();
            list.get(list.len() / 2).copied()
        };
        let of = |n: usize| {
            let full = self.0.iter().filter(|row| row.items.len() == 2 && row.items.iter().all(|i| !i.text.is_empty()));
            full.map(|row| row.items[n].column).collect::<Vec<_>>()
        };
        let (Some(first), Some(second)) = (median(of(0)), median(of(1))) else { return };
        let sides = self.sides();
        let alone = |row: &Row| self.0.iter().filter(|other| other.line == row.line).count() == 1;
        let mut shift = Vec::new();
        for (index, row) in self.0.iter().enumerate() {
            let [item] = &row.items[..] else { continue };
            let by_place =
                second >= first + 4 && alone(row) && item.column.abs_diff(second) < item.column.abs_diff(first);
            // Where the sheet tells the sides apart by their numerals, an entry with the second column's stands in it.
            let by_numerals = sides.is_some_and(|sides| numeral_side(item) == Some(sides[1]));
            if by_place || by_numerals {
                shift.push(index);
            }
        }
        for index in shift {
            self.0[index].items.insert(0, Item::missing(first));
        }
    }
}

fn push(sheet: &mut Sheet, item: Item, row: u32, printed: Option<u32>, line: u32, second: bool) {
    let Item { what, text, doubted, .. } = item;
    sheet.entries.push(Entry { row, printed, line, second, text, what, doubted });
}
