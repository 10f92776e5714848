//! Tables in Parquet, for programs that hold what one disk cannot.
//!
//! * `games.parquet`: one row a game.
//! * `positions/BUCKET.parquet`: one row for every position of every game, where it first stood in the game; buckets are
//!   equal ranges of keys, and within a bucket the rows are in the order of their keys, then of the games. So what was
//!   played from a position is one small stretch of one file.
//!
//! The key is the Zobrist key of the position as a signed number ([`super::signed_key`]). Rows go through files of their
//! buckets, so memory holds one bucket at a time, however large the database is.

use super::row::{PositionRow, position_rows};
use super::{bucket_of, unsigned_key};
use crate::game::{Name, PartialDate};
use crate::opening::openings;
use crate::store::{Database, Error, StoredGame};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use rayon::prelude::*;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Rows of a bucket that are aimed at: some 80 MB in memory.
const BUCKET_ROWS: u64 = 4_000_000;
/// Rows of a row group.
const GROUP: usize = 250_000;
/// Games looked at together.
const CHUNK: usize = 4000;

const GAMES: &str = "message game {
    required int32 id; optional binary red (STRING); optional binary black (STRING); optional binary event (STRING);
    optional binary site (STRING); optional binary round (STRING); optional binary date (STRING); optional int32 year;
    required binary result (STRING); optional binary ecco (STRING); optional binary opening (STRING);
    required int32 plies; required binary start (STRING); required binary moves (STRING); required binary file (STRING);
    required int64 game;
}";
const POSITIONS: &str = "message position {
    required int64 key; required int32 game; required int32 ply; optional binary move (STRING);
}";

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The database.
    #[error(transparent)]
    Store(#[from] Error),
    /// The system.
    #[error("{}: {reason}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// The table writer.
    #[error("parquet: {0}")]
    Parquet(#[from] ParquetError),
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> ExportError + '_ {
    move |reason| ExportError::Io { path: path.to_path_buf(), reason }
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Rows of the table of games.
    pub games: u64,
    /// Rows of the tables of positions.
    pub positions: u64,
    /// Files of positions.
    pub buckets: usize,
}

/// Writes both tables into a folder. `buckets` (a power of two) is chosen by the number of positions if not given.
///
/// # Errors
///
/// If the database cannot be read or the folder not written. What was written stays.
pub fn export(
    database: &Database,
    folder: &Path,
    buckets: Option<usize>,
    stop: &AtomicBool,
) -> Result<Written, ExportError> {
    let wanted = usize::try_from(database.positions() / BUCKET_ROWS + 1).unwrap_or(1 << 12);
    let buckets = buckets.unwrap_or(wanted).clamp(1, 1 << 12).next_power_of_two();
    let positions_folder = folder.join("positions");
    fs::create_dir_all(&positions_folder).map_err(at(&positions_folder))?;
    let mut written = Written { buckets, ..Written::default() };
    write_games(database, &folder.join("games.parquet"), stop, &mut written)?;

    let scratch = tempfile::Builder::new().prefix(".yipu-").tempdir_in(folder).map_err(at(folder))?;
    let rows_file = |bucket: usize| scratch.path().join(format!("{bucket}.rows"));
    let mut spread = (0..buckets)
        .map(|bucket| {
            let path = rows_file(bucket);
            Ok(BufWriter::new(File::create(&path).map_err(at(&path))?))
        })
        .collect::<Result<Vec<_>, ExportError>>()?;
    let numbers: Vec<u32> = database.numbers().collect();
    for chunk in numbers.chunks(CHUNK) {
        if stop.load(Ordering::Relaxed) {
            return Err(ExportError::Interrupted);
        }
        let rows: Vec<Result<Vec<PositionRow>, Error>> =
            chunk.par_iter().map(|&game| position_rows(database, game)).collect();
        for rows in rows {
            for row in rows? {
                let bucket = bucket_of(unsigned_key(row.key), buckets);
                spread[bucket].write_all(&row.to_bytes()).map_err(at(&rows_file(bucket)))?;
            }
        }
    }
    for (bucket, file) in spread.into_iter().enumerate() {
        let path = rows_file(bucket);
        file.into_inner().map_err(|error| ExportError::Io { path: path.clone(), reason: error.into_error() })?;
        let mut bytes = Vec::new();
        File::open(&path).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(at(&path))?;
        let _ = fs::remove_file(&path);
        let mut rows: Vec<PositionRow> =
            bytes.chunks_exact(PositionRow::BYTES).filter_map(PositionRow::from_bytes).collect();
        drop(bytes);
        rows.par_sort_unstable();
        written.positions += rows.len() as u64;
        write_positions(&rows, &positions_folder.join(format!("{bucket:04}.parquet")))?;
        if stop.load(Ordering::Relaxed) {
            return Err(ExportError::Interrupted);
        }
    }
    Ok(written)
}

fn create(path: &Path, schema: &str) -> Result<SerializedFileWriter<File>, ExportError> {
    let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?)).build();
    let file = File::create(path).map_err(at(path))?;
    Ok(SerializedFileWriter::new(file, Arc::new(parse_message_type(schema)?), Arc::new(properties))?)
}

/// Writes the columns of a row group one by one.
struct Group<'w>(SerializedRowGroupWriter<'w, File>);

impl Group<'_> {
    fn int32(&mut self, values: &[i32]) -> Result<(), ExportError> {
        self.column(|column| column.typed::<Int32Type>().write_batch(values, None, None).map(drop))
    }

    fn int64(&mut self, values: &[i64]) -> Result<(), ExportError> {
        self.column(|column| column.typed::<Int64Type>().write_batch(values, None, None).map(drop))
    }

    fn optional_int32(&mut self, values: impl Iterator<Item = Option<i32>>) -> Result<(), ExportError> {
        let (levels, values) = levels(values);
        self.column(|column| column.typed::<Int32Type>().write_batch(&values, Some(&levels), None).map(drop))
    }

    fn text<'t>(&mut self, values: impl Iterator<Item = &'t str>) -> Result<(), ExportError> {
        let values: Vec<ByteArray> = values.map(ByteArray::from).collect();
        self.column(|column| column.typed::<ByteArrayType>().write_batch(&values, None, None).map(drop))
    }

    fn optional_text<'t>(&mut self, values: impl Iterator<Item = Option<&'t str>>) -> Result<(), ExportError> {
        let (levels, values) = levels(values.map(|value| value.map(ByteArray::from)));
        self.column(|column| column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None).map(drop))
    }

    fn column(
        &mut self,
        write: impl FnOnce(&mut parquet::file::writer::SerializedColumnWriter<'_>) -> Result<(), ParquetError>,
    ) -> Result<(), ExportError> {
        let column = self.0.next_column()?;
        let mut column = column.ok_or_else(|| ParquetError::General("more columns than the table has".to_string()))?;
        write(&mut column)?;
        Ok(column.close()?)
    }
}

/// Definition levels and the values that are there.
fn levels<T>(values: impl Iterator<Item = Option<T>>) -> (Vec<i16>, Vec<T>) {
    let mut levels = Vec::new();
    let mut there = Vec::new();
    for value in values {
        levels.push(i16::from(value.is_some()));
        there.extend(value);
    }
    (levels, there)
}

fn write_positions(rows: &[PositionRow], path: &Path) -> Result<(), ExportError> {
    let mut writer = create(path, POSITIONS)?;
    for rows in rows.chunks(GROUP) {
        let mut group = Group(writer.next_row_group()?);
        group.int64(&rows.iter().map(|row| row.key).collect::<Vec<_>>())?;
        group.int32(&rows.iter().map(|row| row.game as i32).collect::<Vec<_>>())?;
        group.int32(&rows.iter().map(|row| row.ply as i32).collect::<Vec<_>>())?;
        let moves: Vec<Option<String>> = rows.iter().map(|row| row.next.map(|m| m.to_string())).collect();
        group.optional_text(moves.iter().map(Option::as_deref))?;
        group.0.close()?;
    }
    writer.close()?;
    Ok(())
}

/// A game as a row.
struct GameRow {
    id: u32,
    headers: [Option<String>; 6],
    year: Option<i32>,
    result: &'static str,
    opening: Option<(String, &'static str)>,
    plies: i32,
    start: String,
    moves: String,
    file: String,
    number: i64,
}

impl GameRow {
    fn new(id: u32, stored: StoredGame) -> GameRow {
        let game = &stored.game;
        let header = |name| game.headers.get(name).map(str::to_string);
        let names = [Name::Red, Name::Black, Name::Event, Name::Site, Name::Round, Name::Date];
        let year = game.headers.get(Name::Date).and_then(PartialDate::read).map(|date| i32::from(date.year));
        let mut moves = String::new();
        let mut plies = 0;
        for m in game.moves() {
            if plies > 0 {
                moves.push(' ');
            }
            moves.push_str(&m.to_string());
            plies += 1;
        }
        let opening = openings().opening(&game.start, game.moves());
        GameRow {
            id,
            headers: names.map(header),
            year,
            result: game.result.token(),
            opening: opening.map(|opening| (opening.ecco.to_string(), opening.name)),
            plies,
            start: game.start.to_fen(),
            moves,
            file: stored.origin.file.clone(),
            number: i64::try_from(stored.origin.number).unwrap_or(i64::MAX),
        }
    }
}

fn write_games(database: &Database, path: &Path, stop: &AtomicBool, written: &mut Written) -> Result<(), ExportError> {
    let mut writer = create(path, GAMES)?;
    let mut games = database.all_games().peekable();
    while games.peek().is_some() {
        if stop.load(Ordering::Relaxed) {
            return Err(ExportError::Interrupted);
        }
        let mut rows: Vec<GameRow> = Vec::new();
        while rows.len() < GROUP && games.peek().is_some() {
            let chunk = games.by_ref().take(CHUNK).collect::<Result<Vec<_>, Error>>()?;
            rows.par_extend(chunk.into_par_iter().map(|(id, stored)| GameRow::new(id, stored)));
        }
        written.games += rows.len() as u64;
        let mut group = Group(writer.next_row_group()?);
        group.int32(&rows.iter().map(|row| row.id as i32).collect::<Vec<_>>())?;
        for n in 0..6 {
            group.optional_text(rows.iter().map(|row| row.headers[n].as_deref()))?;
        }
        group.optional_int32(rows.iter().map(|row| row.year))?;
        group.text(rows.iter().map(|row| row.result))?;
        group.optional_text(rows.iter().map(|row| row.opening.as_ref().map(|(ecco, _)| ecco.as_str())))?;
        group.optional_text(rows.iter().map(|row| row.opening.as_ref().map(|(_, name)| *name)))?;
        group.int32(&rows.iter().map(|row| row.plies).collect::<Vec<_>>())?;
        group.text(rows.iter().map(|row| row.start.as_str()))?;
        group.text(rows.iter().map(|row| row.moves.as_str()))?;
        group.text(rows.iter().map(|row| row.file.as_str()))?;
        group.int64(&rows.iter().map(|row| row.number).collect::<Vec<_>>())?;
        group.0.close()?;
    }
    writer.close()?;
    Ok(())
}
