//! Which game a document of the index is, and which a row of its columns.
//!
//! Comes in: a segment. Goes out: [`Rows`]. The columns have a value for
//! exactly the game documents, in the order of the documents, and games are added in the order of their numbers: nearly
//! everywhere the next row is the next game. Only the places where it is not are kept, so that a set of games is made
//! without asking the index for each. Deleted documents are holes.

use super::schema::GAME;
use crate::search::GameSet;
use std::ops::Range;
use tantivy::columnar::column_index::Set;
use tantivy::columnar::{Column, ColumnIndex};
use tantivy::{SegmentReader, TantivyError};

/// Values of a column read at once.
const BLOCK: u32 = 1024;

/// A stretch in which documents or rows and the numbers of the games grow together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    from: u32,
    length: u32,
    game: u32,
}

/// Documents or rows between two places of [`Runs::near`].
const STEP: u32 = 256;

/// The games of one segment.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// By document.
    pub docs: Runs,
    /// By row of the columns.
    pub rows: Runs,
    /// Rows of the columns.
    pub count: u32,
}

impl Rows {
    pub fn new(segment: &SegmentReader) -> Result<Rows, TantivyError> {
        let numbers = segment.fast_fields().u64(GAME)?;
        let mut rows = Rows { count: numbers.values.num_vals(), ..Rows::default() };
        let mut values = [0; BLOCK as usize];
        with_value(&numbers, segment.max_doc(), |doc, of| {
            for start in of.clone().step_by(BLOCK as usize) {
                let length = BLOCK.min(of.end - start);
                let values = &mut values[..length as usize];
                numbers.values.get_range(u64::from(start), values);
                let doc = doc + (start - of.start);
                let first = values.first().copied().unwrap_or(0);
                let even = (first..).zip(&*values).fold(true, |even, (next, value)| even & (next == *value));
                if even && !segment.has_deletes() {
                    rows.push(doc, start, length, first as u32);
                    continue;
                }
                for (n, value) in (0..length).zip(&*values) {
                    if !segment.is_deleted(doc + n) {
                        rows.push(doc + n, start + n, 1, *value as u32);
                    }
                }
            }
        });
        rows.docs.finish();
        rows.rows.finish();
        Ok(rows)
    }

    fn push(&mut self, doc: u32, row: u32, length: u32, game: u32) {
        self.docs.push(doc, length, game);
        self.rows.push(row, length, game);
    }
}

/// Runs in order, with a way to those near a place.
#[derive(Debug, Default)]
pub(super) struct Runs {
    runs: Vec<Run>,
    /// For every [`STEP`] places, how many runs begin before them.
    near: Vec<u32>,
}

impl Runs {
    fn push(&mut self, from: u32, length: u32, game: u32) {
        match self.runs.last_mut() {
            Some(run) if run.from + run.length == from && run.game + run.length == game => run.length += length,
            _ => self.runs.push(Run { from, length, game }),
        }
    }

    fn finish(&mut self) {
        let end = self.runs.last().map_or(0, |run| run.from + run.length);
        let mut before = 0;
        self.near.clear();
        for place in (0..end.saturating_add(STEP)).step_by(STEP as usize) {
            while self.runs.get(before).is_some_and(|run| run.from < place) {
                before += 1;
            }
            self.near.push(before as u32);
        }
    }

    /// Every game.
    pub fn all(&self, games: &mut GameSet) {
        self.runs.iter().for_each(|run| games.insert_range(run.game..run.game.saturating_add(run.length)));
    }

    /// The run with a place.
    #[inline]
    fn run(&self, at: u32) -> Option<Run> {
        let step = (at / STEP) as usize;
        let (first, last) = (*self.near.get(step)? as usize, *self.near.get(step + 1)? as usize);
        let begin_before = first + self.runs.get(first..last)?.partition_point(|run| run.from <= at);
        let run = *self.runs.get(begin_before.checked_sub(1)?)?;
        (at - run.from < run.length).then_some(run)
    }

    /// Adds the games that are at these places, which rise.
    pub fn add(&self, places: &[u32], games: &mut GameSet) {
        let mut rest = places;
        while let Some((&at, behind)) = rest.split_first() {
            rest = behind;
            let Some(run) = self.run(at) else { continue };
            games.insert(run.game + (at - run.from));
            while let Some((&next, behind)) = rest.split_first()
                && next - run.from < run.length
            {
                games.insert(run.game + (next - run.from));
                rest = behind;
            }
        }
    }
}

/// Shows stretches of documents that all have a value, with the rows of their values.
///
/// There are as many rows in a stretch of documents as have values, so a stretch with none or with all is known from its
/// two ends; others are halved.
fn with_value(column: &Column<u64>, docs: u32, mut each: impl FnMut(u32, Range<u32>)) {
    let rows_before = |doc| match &column.index {
        ColumnIndex::Optional(index) => index.rank(doc),
        other => other.docid_range_to_rowids(0..doc).end,
    };
    let mut todo = vec![(0..docs, 0..rows_before(docs))];
    while let Some((range, rows)) = todo.pop() {
        if rows.is_empty() {
            continue;
        }
        if rows.len() >= range.len() {
            each(range.start, rows);
            continue;
        }
        let middle = range.start + (range.end - range.start) / 2;
        let row = rows_before(middle);
        todo.push((middle..range.end, row..rows.end));
        todo.push((range.start..middle, rows.start..row));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_where_their_runs_are_and_nowhere_else() {
        let mut runs = Runs::default();
        let mut games = Vec::new();
        for (from, length, game) in [(1, 3, 10), (7, 1, 13), (8, 1, 20), (255, 2, 40), (600, 700, 100), (1400, 1, 5)] {
            for n in 0..length {
                runs.push(from + n, 1, game + n);
                games.push((from + n, game + n));
            }
        }
        runs.finish();
        assert_eq!(runs.runs.len(), 6);
        let expected = |places: &[u32]| {
            GameSet::of(2000, games.iter().filter(|(at, _)| places.contains(at)).map(|(_, game)| *game))
        };
        for step in [1, 2, 3, 7, 100, 255, 256, 257, 1399, 5000] {
            for start in 0..12 {
                let places: Vec<u32> = (start..1700).step_by(step).collect();
                let mut found = GameSet::empty(2000);
                runs.add(&places, &mut found);
                assert_eq!(found, expected(&places), "every {step} from {start}");
            }
        }
        let mut all = GameSet::empty(2000);
        runs.all(&mut all);
        assert_eq!(all, GameSet::of(2000, games.iter().map(|(_, game)| *game)));
    }
}
