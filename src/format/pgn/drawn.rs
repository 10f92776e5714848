//! Move text drawn as a tree on a grid of wide characters, as one library writes it.
//!
//! Comes in: text behind the tags. Goes out: its entries in the order of any other record, or nothing if it is not drawn so.
//!
//! ```text
//! 　开始
//! 　　↓
//! 炮二平五…马二进三
//! 　　↓　　　　↓
//! 马８进７　卒７进１
//! (1,0): {中炮}
//! ```
//!
//! A cell has four characters and one behind it; a row of moves stands under a row of arrows. An arrow leads to the reply, dots
//! lead to another move in place of the one before them. A comment names row and column of its move. A grid of which
//! something cannot be reached, or in two ways, is not read as one: nothing of it may be lost.

use super::scan::{MOST_ENTRIES, Scanned, Stop};
use super::tags;
use crate::notation::read_move;
use crate::replay::{Entry, Event};
use std::collections::BTreeMap;
use std::ops::Range;

/// Characters of a cell, and with the one that parts it from the next.
const CELL: usize = 4;
const STEP: usize = CELL + 1;

/// The rows and columns of a grid as bytes in the text.
struct Grid<'a> {
    text: &'a str,
    /// For each row the place of every character, and of the end.
    rows: Vec<Vec<usize>>,
    /// For each row the characters between it and the next one.
    arrows: Vec<Vec<char>>,
}

/// What is to be done next.
enum Step {
    Open(usize),
    Close,
    Node { row: usize, column: usize, first: bool },
}

/// Reads a drawn tree at `from`; `None` if there is none.
pub(super) fn read<'a>(text: &'a str, from: usize, entries: &mut Vec<Entry<'a>>) -> Option<Scanned> {
    let start = from + text[from..].len() - text[from..].trim_start_matches(['\r', '\n']).len();
    if !text[start..].starts_with(['\u{3000}', '开', '開']) {
        return None;
    }
    let (head, behind) = text[start..].split_once('\n')?;
    let is_start = ["开始", "開始"].contains(&head.trim_matches(|c: char| c.is_whitespace()));
    if !is_start || !behind.lines().next()?.contains('↓') {
        return None;
    }
    let (grid, end) = Grid::of(text, start)?;
    let (comments, end) = comments(text, end)?;
    let count = entries.len();
    let walked = grid.walk(&comments, entries);
    if walked.is_none() {
        entries.truncate(count);
    }
    let moves = walked?;
    let mut scanned = Scanned { moves, drawn: true, ..Scanned::default() };
    let mut at = end;
    for line in text[end..].split_inclusive('\n') {
        if tags::starts_tag(line) {
            scanned.stop = Stop::Tag;
            break;
        }
        if !line.trim().is_empty() {
            scanned.page.push(at..at + line.trim_end().len());
        }
        at += line.len();
    }
    (scanned.moves_end, scanned.end) = (end, at);
    Some(scanned)
}

impl<'a> Grid<'a> {
    /// The grid whose first row begins at `start`, and where it ends.
    fn of(text: &'a str, start: usize) -> Option<(Grid<'a>, usize)> {
        let mut grid = Grid { text, rows: Vec::new(), arrows: Vec::new() };
        let mut at = start;
        loop {
            let (row, behind) = line(text, at);
            let mut places: Vec<usize> = row.char_indices().map(|(place, _)| at + place).collect();
            places.push(at + row.len());
            grid.rows.push(places);
            let (arrows, next) = line(text, behind);
            if !arrows.contains('↓') {
                return (grid.rows.len() > 1).then_some((grid, behind));
            }
            grid.arrows.push(arrows.chars().collect());
            at = next;
        }
    }

    fn cell(&self, row: usize, column: usize) -> Option<Range<usize>> {
        let places = self.rows.get(row)?;
        let start = *places.get(column * STEP)?;
        let end = places.get(column * STEP + CELL).or(places.last())?;
        let inner = &self.text[start..*end];
        let trimmed = inner.trim();
        let from = start + inner.len() - inner.trim_start().len();
        (!trimmed.is_empty()).then_some(from..from + trimmed.len())
    }

    /// Whether only dots stand in a cell.
    fn is_dots(&self, cell: &Range<usize>) -> bool {
        self.text[cell.clone()].chars().all(|c| c == '…')
    }

    /// Whether an arrow leads down from a cell.
    fn goes_on(&self, row: usize, column: usize) -> bool {
        self.arrows.get(row).and_then(|arrows| arrows.get(column * STEP + CELL / 2)) == Some(&'↓')
    }

    /// The next cell to which dots lead.
    fn other(&self, row: usize, column: usize) -> Option<usize> {
        let dots = |column: usize| {
            let behind = self.rows[row].get(column * STEP + CELL)?;
            self.text[*behind..].starts_with('…').then_some(())
        };
        let mut column = column;
        loop {
            dots(column)?;
            column += 1;
            if !self.is_dots(&self.cell(row, column)?) {
                return Some(column);
            }
        }
    }

    /// Writes the tree down; `None` if not every cell is reached once.
    fn walk(&self, comments: &BTreeMap<(usize, usize), &'a str>, entries: &mut Vec<Entry<'a>>) -> Option<usize> {
        let mut reached: Vec<Vec<bool>> = self.rows.iter().map(|places| vec![false; places.len() / STEP + 1]).collect();
        let mut comments = comments.clone();
        if let Some(comment) = comments.remove(&(0, 0)) {
            entries.push(Entry { at: self.rows[0][0] as u32, event: Event::Comment(comment) });
        }
        let mut moves = 0;
        let mut steps = Vec::new();
        if self.goes_on(0, 0) {
            steps.push(Step::Node { row: 1, column: 0, first: true });
        }
        while let Some(step) = steps.pop() {
            if entries.len() >= MOST_ENTRIES {
                return None;
            }
            let (row, column, first) = match step {
                Step::Open(at) => {
                    entries.push(Entry { at: at as u32, event: Event::Open });
                    continue;
                }
                Step::Close => {
                    let at = entries.last().map_or(0, |entry| entry.at);
                    entries.push(Entry { at, event: Event::Close });
                    continue;
                }
                Step::Node { row, column, first } => (row, column, first),
            };
            let cell = self.cell(row, column)?;
            if std::mem::replace(reached.get_mut(row)?.get_mut(column)?, true) {
                return None;
            }
            let (at, text) = (cell.start as u32, &self.text[cell]);
            let event = match read_move(text) {
                Some((token, used)) if used == text.len() => Event::Move { token, text },
                _ => Event::Text(text),
            };
            entries.push(Entry { at, event });
            moves += 1;
            if let Some(comment) = comments.remove(&(row, column)) {
                entries.push(Entry { at, event: Event::Comment(comment) });
            }
            // What is pushed last comes first.
            if self.goes_on(row, column) {
                steps.push(Step::Node { row: row + 1, column, first: true });
            }
            if first {
                let behind = steps.len();
                let mut from = column;
                while let Some(other) = self.other(row, from) {
                    steps.extend([
                        Step::Close,
                        Step::Node { row, column: other, first: false },
                        Step::Open(self.cell(row, other)?.start),
                    ]);
                    from = other;
                }
                // Side lines in the order of their columns.
                steps[behind..].reverse();
                for line in steps[behind..].chunks_mut(3) {
                    line.reverse();
                }
            }
        }
        let all = (1..self.rows.len()).all(|row| {
            reached[row]
                .iter()
                .enumerate()
                .all(|(column, &reached)| reached || self.cell(row, column).is_none_or(|cell| self.is_dots(&cell)))
        });
        (all && comments.is_empty()).then_some(moves)
    }
}

/// The line at a place, and where the next one begins.
fn line(text: &str, at: usize) -> (&str, usize) {
    let rest = &text[at..];
    let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
    (rest[..end].trim_end_matches(['\r', '\n']), at + end)
}

/// Comments by row and column.
type Comments<'t> = BTreeMap<(usize, usize), &'t str>;

/// The comments `(row,column): {text}` behind a grid, and where they end.
fn comments(text: &str, from: usize) -> Option<(Comments<'_>, usize)> {
    let mut comments = BTreeMap::new();
    let mut at = from;
    loop {
        let rest = text[at..].trim_start();
        let Some(inner) = rest.strip_prefix('(') else { return Some((comments, text.len() - rest.len())) };
        let (place, behind) = inner.split_once("): {")?;
        let (row, column) = place.split_once(',')?;
        let place = (row.trim().parse().ok()?, column.trim().parse().ok()?);
        let (comment, behind) = behind.split_once('}')?;
        if comments.insert(place, comment.trim()).is_some() {
            return None;
        }
        at = text.len() - behind.len();
    }
}

#[cfg(test)]
mod tests {
    use crate::diag::codes;
    use crate::format::pgn::PgnReader;
    use crate::format::{ReadGame, ReadOptions, Reader, Source, Status};
    use crate::game::{NodeId, Tree};
    use std::ops::ControlFlow;

    const TREE: &str = "　开始　　　　　　　　　　　　　　　　　　　　　　　
　　↓　　　　　　　　　　　　　　　　　　　　　　　
炮二平五……………………………马二进三…兵七进一　　
　　↓　　　　　　　　　　　　　　↓　　　　　　　　
马８进７…炮８平５　　　　　　卒７进１　　　　　　　
　　↓　　　　↓　　　　　　　　　　　　　　　　　　
马二进三　马二进三　　　　　　　　　　　　　　　　　
　　　　　　　　　　　　　　　　　　　　　　　　　　
(1,0): {　　中炮
}
(2,1): {顺炮}
(0,0): {三种开局}
";

    fn read(text: &str) -> Vec<ReadGame> {
        let mut games = Vec::new();
        PgnReader.read(Source::whole(text.as_bytes(), "x.pgn"), &ReadOptions::default(), &mut |game| {
            games.push(game);
            ControlFlow::Continue(())
        });
        games
    }

    fn line(tree: &Tree, last: NodeId) -> String {
        let up = std::iter::successors(Some(last), |&id| tree.parent(id)).filter(|&id| id != NodeId::ROOT);
        let mut moves: Vec<String> = up.map(|id| tree[id].m.to_string()).collect();
        moves.reverse();
        moves.join(" ")
    }

    #[test]
    fn arrows_lead_to_replies_and_dots_to_other_moves() {
        let games = read(&format!("[Event \"a\"]\n[Result \"1-0\"]\n\n{TREE}\n[Event \"b\"]\n\n1. h2e2 *\n"));
        assert_eq!(games.len(), 2);
        let game = &games[0];
        assert_eq!((game.status, game.findings.len()), (Status::Ok, 0), "{:?}", game.findings);
        let tree = &game.game.tree;
        assert_eq!(tree.ply_count(), 8);
        assert_eq!(game.game.moves().map(|m| m.to_string()).collect::<Vec<_>>(), ["h2e2", "h9g7", "h0g2"]);
        let said: Vec<_> = tree.comments().iter().map(|c| (line(tree, c.node), c.text.to_string())).collect();
        for expected in [("", "三种开局"), ("h2e2", "中炮"), ("h2e2 h7e7", "顺炮")] {
            assert!(said.contains(&(expected.0.to_string(), expected.1.to_string())), "{said:?}");
        }
    }

    #[test]
    fn a_grid_with_loose_cells_is_not_taken_for_one() {
        // A move to which nothing leads; a comment on no move.
        for text in [TREE.replace("…………马", "　　　　马"), TREE.replace("(2,1)", "(9,1)")] {
            let games = read(&format!("[Event \"a\"]\n[Result \"1-0\"]\n\n{text}"));
            assert!(games[0].findings.iter().any(|one| one.code != codes::NUMBER_JUMP), "{:?}", games[0].findings);
        }
    }
}
