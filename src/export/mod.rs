//! A database for other programs.
//!
//! Comes in: a database. Goes out: its games in any format that is written here ([`lines`]), and, with the feature
//! `parquet`, tables of games and positions that DuckDB, Spark or a warehouse read (module `parquet`). Removed games are left
//! out; games marked as copies are games and stay.

mod key;
#[cfg(feature = "parquet")]
pub mod parquet;
mod row;

pub use key::{bucket_of, signed_key, unsigned_key};
pub use row::{PositionRow, position_rows};

use crate::diag::Finding;
use crate::format::{Format, Status, WriteOptions, Writer};
use crate::store::{Database, Error, StoredGame};
use rayon::prelude::*;
use std::collections::VecDeque;

/// Games written at once, on all cores.
const CHUNK: usize = 2000;

/// Every game of a database as bytes of one format, in order.
#[allow(missing_debug_implementations)]
pub struct Lines<'d> {
    games: Box<dyn Iterator<Item = Result<(u32, StoredGame), Error>> + 'd>,
    database: &'d Database,
    writer: &'static dyn Writer,
    options: WriteOptions,
    ready: VecDeque<(u32, Vec<u8>)>,
    /// What the format cannot hold.
    findings: Vec<Finding>,
    failed: Option<Error>,
}

/// Writes every game of a database.
pub fn lines<'d>(database: &'d Database, writer: &'static dyn Writer, options: WriteOptions) -> Lines<'d> {
    Lines {
        games: Box::new(database.all_games()),
        database,
        writer,
        options,
        ready: VecDeque::new(),
        findings: Vec::new(),
        failed: None,
    }
}

impl Lines<'_> {
    /// What was found since the last question.
    pub fn take_findings(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.findings)
    }

    /// Why it ended before the last game, if it did.
    ///
    /// # Errors
    ///
    /// If a game could not be read.
    pub fn end(self) -> Result<(), Error> {
        self.failed.map_or(Ok(()), Err)
    }
}

impl Iterator for Lines<'_> {
    type Item = (u32, Vec<u8>);

    fn next(&mut self) -> Option<(u32, Vec<u8>)> {
        if self.ready.is_empty() {
            let mut chunk = Vec::with_capacity(CHUNK);
            for game in self.games.by_ref().take(CHUNK) {
                match game {
                    Ok(game) => chunk.push(game),
                    Err(error) => {
                        self.failed = Some(error);
                        break;
                    }
                }
            }
            let (writer, options, database) = (self.writer, &self.options, self.database);
            let written: Vec<(u32, Vec<u8>, Vec<Finding>)> = chunk
                .into_par_iter()
                .map(|(number, stored)| {
                    let mut bytes = Vec::new();
                    let mut findings = writer.write(&stored.game, options, &mut bytes);
                    findings.iter_mut().for_each(|f| f.locate(&stored.origin.file, Some(stored.origin.number)));
                    if writer.format() == Format::Json {
                        add_to_json(&mut bytes, number, &stored, database);
                    }
                    (number, bytes, findings)
                })
                .collect();
            for (number, bytes, findings) in written {
                self.ready.push_back((number, bytes));
                self.findings.extend(findings);
            }
        }
        self.ready.pop_front()
    }
}

/// Adds to a line of JSON what a database knows beyond the game: its number, its sources, how it was read. Readers of the
/// format pass over them, but for a status of failure.
fn add_to_json(line: &mut Vec<u8>, number: u32, stored: &StoredGame, database: &Database) {
    let end = line.iter().rposition(|&byte| byte == b'}');
    let Some(end) = end else { return };
    let sources: Vec<(String, u64)> = std::iter::once(stored.origin.clone())
        .chain(database.further_sources(number))
        .map(|origin| (origin.file, origin.number))
        .collect();
    let status = match stored.status {
        Status::Ok => "ok",
        Status::Partial => "partial",
        Status::Failed => "failed",
    };
    let more = serde_json::json!({ "id": number, "sources": sources, "encoding": stored.encoding, "status": status });
    let more = more.to_string();
    line.splice(end..=end, std::iter::once(b',').chain(more.bytes().skip(1)));
}
