//! `yipu index`: builds or extends a database.

use super::reading::{InputArgs, Reading};
use super::{Context, Exit};
use anyhow::anyhow;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;
use yipu::diag::{Finding, codes};
use yipu::format::Status;
use yipu::pipeline::{Event, Numbered};
use yipu::search::headers::{HeaderSide, LONGEST_TEXT};
use yipu::store::{Added, Prepared, Writer, WriterOptions};

/// Options of `yipu index`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Folder of the database; made if it does not exist
    #[arg(long, value_name = "DB")]
    db: PathBuf,

    /// Commit after so many games at the latest [default: every six million positions]
    #[arg(long, value_name = "GAMES", hide = true)]
    batch: Option<usize>,
}

/// A game on its way to the writer.
struct Item {
    prepared: Prepared,
    number: u64,
    status: Status,
    findings: Vec<Finding>,
}

impl Numbered for Item {
    fn shift(&mut self, before: u64) {
        self.prepared.shift(before);
        self.number += before;
        for finding in &mut self.findings {
            finding.game = finding.game.map(|game| game + before);
        }
    }

    fn memory(&self) -> usize {
        size_of::<Item>() + self.prepared.memory() + Finding::memory_of(&self.findings)
    }
}

#[derive(Default, Serialize)]
struct Summary {
    files: u64,
    games: u64,
    added: u64,
    duplicates: u64,
    /// Met again after they had been removed.
    excluded: u64,
    failed: u64,
    positions: u64,
    bytes: u64,
    seconds: f64,
}

/// Opens a database for writing, with its header index.
pub fn open_writer(folder: &std::path::Path, options: WriterOptions) -> anyhow::Result<Writer> {
    let mut writer = Writer::open(folder, options)?;
    let (headers, generation) = writer.headers_place()?;
    let side = HeaderSide::open(&headers, generation).map_err(|error| anyhow!("header index: {error}"))?;
    writer.set_side(Box::new(side))?;
    Ok(writer)
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let mut options = WriterOptions::default();
    if let Some(games) = args.batch {
        options.games = games.max(1);
    }
    let reading = Reading::from(&args.input);
    let mut writer = open_writer(&args.db, options)?;
    let positions_before = writer.positions_committed();
    let mut summary = Summary::default();
    let mut file = String::new();
    let mut committed = writer.games_committed();
    let mut tell = |writer: &Writer| {
        if context.verbose > 0 && writer.games_committed() != committed {
            committed = writer.games_committed();
            anstream::eprintln!("{} {committed}", context.say("已入库", "committed"));
        }
    };
    let outcome = reading.games(
        context,
        |mut game| {
            let mut findings = std::mem::take(&mut game.findings);
            let (number, status) = (game.number, game.status);
            let prepared = Prepared::new(game);
            if prepared.has_text_longer_than(LONGEST_TEXT) {
                let what = yipu::say!(
                    "a text of more than {LONGEST_TEXT} bytes: searches find its beginning only";
                    "文字超过 {LONGEST_TEXT} 字节，只能检索其开头"
                );
                let mut finding = Finding::new(codes::LONG_TEXT, what);
                finding.game = Some(number);
                findings.push(finding);
            }
            Item { number, status, findings, prepared }
        },
        |event| {
            match event {
                Event::File { name, .. } => file = name,
                Event::Game(item) => {
                    summary.games += 1;
                    summary.failed += u64::from(item.status == Status::Failed);
                    for mut finding in item.findings {
                        finding.locate(&file, Some(item.number));
                        context.finding(&finding);
                    }
                    match writer.add(item.prepared, &file)? {
                        Added::New(_) => summary.added += 1,
                        Added::Duplicate(_) => summary.duplicates += 1,
                        Added::Excluded(_) => summary.excluded += 1,
                    }
                    tell(&writer);
                }
                Event::End { .. } | Event::Fault(_) => {}
            }
            Ok(())
        },
    );
    let totals = match outcome {
        Ok(totals) => totals,
        Err(error) => {
            writer.discard_if_new()?;
            return Err(error);
        }
    };
    // What was read before an interruption is kept.
    writer.commit()?;
    tell(&writer);
    if writer.discard_if_new()? && !context.interrupted() {
        let text = context.say("未找到对局, 未建立数据库", "no game was found, so no database was made");
        anstream::eprintln!("yipu: {text}");
        context.note_exit(Exit::Findings);
    }
    summary.files = totals.files;
    summary.bytes = totals.bytes;
    summary.positions = writer.positions_committed() - positions_before;
    summary.seconds = begin.elapsed().as_secs_f64();
    if context.json {
        context.json_line(&serde_json::json!({ "summary": summary }))?;
    } else {
        let label = |zh, en| context.say(zh, en);
        writeln!(
            context.out(),
            "{} {}   {} {}   {} {}   {} {}   {} {}   {} {}   {:.1} s",
            label("文件", "files"),
            summary.files,
            label("对局", "games"),
            summary.games,
            label("新增", "added"),
            summary.added,
            label("重复", "duplicates"),
            summary.duplicates,
            label("不可读", "failed"),
            summary.failed,
            label("局面", "positions"),
            summary.positions,
            summary.seconds
        )?;
        if summary.excluded > 0 {
            let text = label("局曾被删除, 不再收入", "games were removed before and are not taken in again");
            writeln!(context.out(), "{} {text}", summary.excluded)?;
        }
    }
    Ok(Exit::Done)
}
