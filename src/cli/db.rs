//! `yipu db`: health and upkeep of a database: info, verify, show, remove, restore, compact, rebuild, export.

use super::index::open_writer;
use super::{Context, Exit, Lang};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use yipu::diag::printable;
use yipu::format::{Format, WriteOptions, writer};
use yipu::search::headers::HeaderSide;
use yipu::search::{Found, Place as Board};
use yipu::store::{Damage, Database, Error, FORMAT_VERSION, Health, WriterOptions, glance, rebuild, verify};

/// Options of `yipu db`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

/// What to do.
#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Show what a database holds
    Info(Place),
    /// Check every byte
    Verify(Place),
    /// Show games whole, with all their sources
    Show(Removal),
    /// Merge all segments into one; moves and texts of removed games are gone then
    Compact(Place),
    /// Remove games from every answer; they are not taken in again
    Remove(Removal),
    /// Take removed games back, as long as the database has not been compacted
    Restore(Removal),
    /// Write everything anew from the games: brings an old format to the newest
    Rebuild(Place),
    /// Write everything as JSON Lines, PGN, CSV, Parquet or any other format
    Export(super::export::Args),
}

/// Which database.
#[derive(Debug, clap::Args)]
struct Place {
    /// Folder of the database
    #[arg(long, value_name = "DB")]
    db: PathBuf,
}

/// Which games.
#[derive(Debug, clap::Args)]
struct Removal {
    #[command(flatten)]
    place: Place,

    /// Numbers of the games
    #[arg(required = true, value_name = "ID")]
    games: Vec<u32>,
}

#[derive(Default, Serialize)]
struct Report {
    games: u32,
    positions: u64,
    bytes: u64,
    position_bytes: u64,
    header_bytes: u64,
    segments: usize,
    format_version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    restored: Option<usize>,
    ok: bool,
    damaged: Vec<Damage>,
    /// How much of it was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    checked: Option<Checked>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    leftovers: Vec<String>,
}

/// What `ok` rests on.
#[derive(Clone, Copy, Serialize)]
struct Checked {
    /// Files whose presence and length were compared with the manifest.
    files: usize,
    /// Files of which every byte was compared with its checksum.
    hashed: usize,
    /// Whether that was all of them, and every game and key was read.
    byte_by_byte: bool,
}

impl Report {
    /// A report on a database that may be damaged.
    fn on(folder: &std::path::Path, mut health: Health, byte_by_byte: bool) -> anyhow::Result<Report> {
        let mut report = match Database::open(folder) {
            Ok(database) => Report::of(&database),
            Err(error @ (Error::Damaged { .. } | Error::NotADatabase(_))) => {
                if health.damaged.is_empty() {
                    let (file, what) = match error {
                        Error::Damaged { file, what } => (file.display().to_string(), what),
                        other => (folder.display().to_string(), other.to_string()),
                    };
                    health.damaged.push(Damage { file, what });
                }
                Report { format_version: FORMAT_VERSION, ..Report::default() }
            }
            Err(error) => return Err(error.into()),
        };
        report.ok = health.damaged.is_empty();
        report.damaged = health.damaged;
        report.leftovers = health.leftovers;
        report.checked = Some(Checked { files: health.files, hashed: health.hashed, byte_by_byte });
        Ok(report)
    }

    fn of(database: &Database) -> Report {
        Report {
            games: database.games(),
            positions: database.positions(),
            bytes: database.bytes(),
            position_bytes: database.position_bytes(),
            header_bytes: database.header_bytes(),
            segments: database.segment_count(),
            format_version: database.format_version(),
            ok: true,
            ..Report::default()
        }
    }
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let report = match &args.action {
        Action::Info(place) => Report::on(&place.db, glance(&place.db)?, false)?,
        Action::Verify(place) => Report::on(&place.db, verify(&place.db)?, true)?,
        Action::Compact(place) => {
            // A missing database is not to be made here.
            drop(Database::open(&place.db)?);
            open_writer(&place.db, WriterOptions::default())?.compact()?;
            Report::of(&Database::open(&place.db)?)
        }
        Action::Remove(removal) => {
            drop(Database::open(&removal.place.db)?);
            let removed = open_writer(&removal.place.db, WriterOptions::default())?.remove(&removal.games)?;
            let mut report = Report::of(&Database::open(&removal.place.db)?);
            report.removed = Some(removed);
            report
        }
        Action::Restore(restored) => {
            drop(Database::open(&restored.place.db)?);
            let count = open_writer(&restored.place.db, WriterOptions::default())?.restore(&restored.games)?;
            let mut report = Report::of(&Database::open(&restored.place.db)?);
            report.restored = Some(count);
            report
        }
        Action::Rebuild(place) => {
            let side = |folder: &std::path::Path| -> Result<Box<dyn yipu::store::Side>, yipu::store::SideError> {
                Ok(Box::new(HeaderSide::open(folder, 0)?))
            };
            let tell = |games| {
                if context.verbose > 0 {
                    anstream::eprintln!("{} {games}", context.say("已重写", "written"));
                }
                !context.interrupted()
            };
            if rebuild(&place.db, WriterOptions::default(), side, tell)?.is_none() {
                return Ok(Exit::Interrupted);
            }
            Report::of(&Database::open(&place.db)?)
        }
        Action::Show(shown) => return show_games(shown, context),
        Action::Export(args) => return super::export::run(args, context),
    };
    if context.json {
        context.json_line(&report)?;
    } else {
        show(&report, context)?;
    }
    // The contract calls a damaged database something that could not be done.
    Ok(if report.ok { Exit::Done } else { Exit::Failed })
}

/// Shows games whole: as JSON with everything, or as PGN for people, with where they came from.
fn show_games(shown: &Removal, context: &Context) -> anyhow::Result<Exit> {
    let database = Database::open(&shown.place.db)?;
    let marks = super::dedup::read_marks(&shown.place.db, &database)?;
    for &number in &shown.games {
        let stored = database.game(number)?;
        let mut text = Vec::new();
        let format = if context.json { Format::Json } else { Format::Pgn };
        let options = WriteOptions::default();
        let writer = writer(format).ok_or_else(|| anyhow::anyhow!("{format} is not written"))?;
        let _ = writer.write(&stored.game, &options, &mut text);
        if context.json {
            let found = Found { game: number, place: None::<Board> };
            let mut line = super::search::to_json(&found, &stored, &database);
            let record: serde_json::Value = serde_json::from_slice(&text)?;
            if let Some(fields) = line.as_object_mut() {
                fields.insert("encoding".to_string(), stored.encoding.as_str().into());
                fields.insert("copy_of".to_string(), marks.kept(number).into());
                fields.insert("record".to_string(), record);
            }
            context.json_line(&line)?;
            continue;
        }
        let mut out = context.out();
        for origin in std::iter::once(stored.origin.clone()).chain(database.further_sources(number)) {
            writeln!(out, "; {} {}#{}", context.say("来源", "source"), printable(&origin.file), origin.number)?;
        }
        if let Some(kept) = marks.kept(number) {
            writeln!(out, "; {} {kept}", context.say("标记为重复，保留", "marked as a copy of"))?;
        }
        out.write_all(&text)?;
        writeln!(out)?;
    }
    Ok(Exit::Done)
}

fn show(report: &Report, context: &Context) -> anyhow::Result<()> {
    let label = |zh, en| context.say(zh, en);
    let mut out = context.out();
    writeln!(
        out,
        "{} {}   {} {}   {} {}   {} {}   {} {}",
        label("对局", "games"),
        report.games,
        label("局面", "positions"),
        report.positions,
        label("字节", "bytes"),
        report.bytes,
        label("分段", "segments"),
        report.segments,
        label("格式", "format"),
        report.format_version,
    )?;
    if let Some(removed) = report.removed {
        writeln!(out, "{} {removed}", label("已删除", "removed"))?;
    }
    if let Some(restored) = report.restored {
        writeln!(out, "{} {restored}", label("已恢复", "restored"))?;
    }
    for damage in &report.damaged {
        writeln!(out, "{} {}: {}", label("损坏", "damaged"), damage.file, damage.what)?;
    }
    for file in &report.leftovers {
        writeln!(out, "{} {file}", label("中断遗留(无害)", "left by an interrupted run (harmless)"))?;
    }
    match (report.ok, report.checked) {
        (false, _) => writeln!(out, "{}", label("数据库已损坏", "the database is damaged"))?,
        (true, Some(Checked { files, hashed, byte_by_byte: false })) => match context.lang {
            Lang::Zh => writeln!(
                out,
                "清单与 {files} 个文件的长度无误, 其中 {hashed} 个小文件校验和无误; 未逐字节检查, 请用 yipu db verify"
            )?,
            Lang::En => writeln!(
                out,
                "manifest and length of {files} files are right, and the checksums of the {hashed} small ones; not \
                 verified byte by byte: run yipu db verify"
            )?,
        },
        (true, _) => writeln!(out, "{}", label("完好", "ok"))?,
    }
    Ok(())
}
