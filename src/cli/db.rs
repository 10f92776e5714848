//! `yipu db`: health and upkeep of a database: info, verify, compact, remove.

use super::index::open_writer;
use super::{Context, Exit};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use yipu::store::{Damage, Database, Error, FORMAT_VERSION, WriterOptions, verify};

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
    /// Merge all segments into one
    Compact(Place),
    /// Remove games from every answer; they are not taken in again
    Remove(Removal),
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
    ok: bool,
    damaged: Vec<Damage>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    leftovers: Vec<String>,
}

impl Report {
    fn of(database: &Database) -> Report {
        Report {
            games: database.games(),
            positions: database.positions(),
            bytes: database.bytes(),
            position_bytes: database.position_bytes(),
            header_bytes: database.header_bytes(),
            segments: database.segment_count(),
            format_version: FORMAT_VERSION,
            ok: true,
            ..Report::default()
        }
    }
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let report = match &args.action {
        Action::Info(place) => Report::of(&Database::open(&place.db)?),
        Action::Verify(place) => {
            let health = verify(&place.db)?;
            let mut report = match Database::open(&place.db) {
                Ok(database) => Report::of(&database),
                Err(Error::Damaged { .. } | Error::NotADatabase(_)) => {
                    Report { format_version: FORMAT_VERSION, ..Report::default() }
                }
                Err(error) => return Err(error.into()),
            };
            report.ok = health.damaged.is_empty();
            report.damaged = health.damaged;
            report.leftovers = health.leftovers;
            report
        }
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
    };
    if context.json {
        context.json_line(&report)?;
    } else {
        show(&report, context)?;
    }
    // The contract calls a damaged database something that could not be done.
    Ok(if report.ok { Exit::Done } else { Exit::Failed })
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
    for damage in &report.damaged {
        writeln!(out, "{} {}: {}", label("损坏", "damaged"), damage.file, damage.what)?;
    }
    for file in &report.leftovers {
        writeln!(out, "{} {file}", label("中断遗留(无害)", "left by an interrupted run (harmless)"))?;
    }
    writeln!(
        out,
        "{}",
        if report.ok { label("完好", "ok") } else { label("数据库已损坏", "the database is damaged") }
    )?;
    Ok(())
}
