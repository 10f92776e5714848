//! `yipu judge --scan`: all games of files, folders or a database.

use super::super::reading::{GameRef, PathArgs, Reading, stored_game};
use super::super::{Context, Exit};
use super::{Args, answer, one};
use anyhow::{Context as _, bail};
use rayon::prelude::*;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use yipu::diag::{Finding, codes, printable};
use yipu::format::ReadGame;
use yipu::game::GameResult;
use yipu::pipeline::{Event, Numbered};
use yipu::rules::{Ground, History, Judge, Judgement};
use yipu::store::Database;

/// The repetitions of one game, judged.
struct Scanned {
    number: u64,
    result: GameResult,
    found: Vec<(Judgement, Arc<History>)>,
    findings: Vec<Finding>,
}

impl Numbered for Scanned {
    fn shift(&mut self, before: u64) {
        self.number += before;
        for finding in &mut self.findings {
            finding.game = finding.game.map(|game| game + before);
        }
    }

    fn memory(&self) -> usize {
        let histories = self.found.iter().map(|(_, history)| history.memory()).max().unwrap_or_default();
        let judgements = self.found.capacity() * size_of::<(Judgement, Arc<History>)>();
        size_of::<Scanned>() + histories + judgements + Finding::memory_of(&self.findings)
    }
}

fn scan_game(judge: &Judge, read: ReadGame, args: &Args) -> Scanned {
    let history = Arc::new(History::new(&read.game.start, read.game.moves()));
    let result = read.game.result;
    let mut judgements: Vec<Judgement> = history
        .repetitions()
        .iter()
        .filter(|repetition| args.all || repetition.satisfies(judge.profile))
        .map(|repetition| judge.repetition(&history, repetition))
        .collect();
    if args.nine_rounds && !judgements.iter().any(|judgement| judgement.claimable) {
        let grounds = [Ground::NineRounds, Ground::NineIdleRounds];
        judgements.extend(grounds.into_iter().find_map(|ground| judge.first_nine_rounds(&history, ground)));
    }
    let findings = judgements.iter().filter_map(|judgement| answer::finding(judgement, &history, result)).collect();
    let found = judgements.into_iter().map(|judgement| (judgement, Arc::clone(&history))).collect();
    Scanned { number: read.number, result, found, findings }
}

#[derive(Default, Serialize)]
struct Summary {
    files: u64,
    games: u64,
    repetitions: u64,
    claimable: u64,
    contradicted: u64,
    verdicts: std::collections::BTreeMap<&'static str, u64>,
    bytes: u64,
    seconds: f64,
}

/// Shows what was found in one game.
fn tell(args: &Args, mut scanned: Scanned, file: &str, total: &mut Summary, context: &Context) -> anyhow::Result<()> {
    for finding in &mut scanned.findings {
        finding.locate(file, Some(scanned.number));
        total.contradicted += u64::from(finding.code == codes::RESULT_AGAINST_RULING);
        context.finding(finding);
    }
    for (judgement, history) in &scanned.found {
        total.repetitions += 1;
        total.claimable += u64::from(judgement.claimable);
        *total.verdicts.entry(judgement.ruling.verdict.name()).or_default() += 1;
        if context.json {
            let mut line = answer::line(judgement, history, answer::tongue(context));
            line.file = Some(file.to_string());
            line.game = Some(scanned.number);
            line.result = Some(scanned.result);
            context.json_line(&line)?;
        } else {
            writeln!(context.out(), "{}#{}  {}", printable(file), scanned.number, scanned.result.token())?;
            answer::text(args, context, judgement, history, "  ")?;
        }
    }
    Ok(())
}

/// Judges games of a database, named by their numbers, or all of them.
pub(super) fn of_database(args: &Args, context: &Context, judge: &Judge, db: &Path) -> anyhow::Result<Exit> {
    const BATCH: usize = 4096;
    let begin = std::time::Instant::now();
    let database = Database::open(db)?;
    let name = db.display().to_string();
    let read = |number: u32| stored_game(&database, db, number);
    if !args.scan {
        let [id] = &args.games[..] else { bail!("name one game of the database by its number, or use --scan") };
        let number: u32 = id.trim_start_matches('#').parse().with_context(|| format!("{id} is no game number"))?;
        let game = GameRef { file: db.to_path_buf(), number: u64::from(number) };
        return one(args, context, judge, (&game, &read(number)?), Vec::new());
    }
    if !args.games.is_empty() {
        bail!("--scan --db looks through the whole database; name no games");
    }
    let numbers: Vec<u32> = database.numbers().collect();
    let mut total = Summary { files: 1, games: numbers.len() as u64, bytes: database.bytes(), ..Summary::default() };
    for batch in numbers.chunks(BATCH) {
        if context.interrupted() {
            return Ok(Exit::Interrupted);
        }
        let scanned: Vec<anyhow::Result<Scanned>> =
            batch.par_iter().map(|&number| Ok(scan_game(judge, read(number)?, args))).collect();
        for scanned in scanned {
            tell(args, scanned?, &name, &mut total, context)?;
        }
    }
    total.seconds = begin.elapsed().as_secs_f64();
    finish(&total, context)
}

/// Judges every game of files and folders.
pub(super) fn of_files(args: &Args, context: &Context, judge: &Judge) -> anyhow::Result<Exit> {
    let begin = std::time::Instant::now();
    let paths = PathArgs { paths: args.games.iter().map(PathBuf::from).collect(), format: args.format };
    let mut total = Summary::default();
    let mut file = String::new();
    let totals = Reading::new(&paths, args.encoding).games(
        context,
        |read| scan_game(judge, read, args),
        |event| {
            match event {
                Event::File { name, .. } => file = name,
                Event::Game(scanned) => tell(args, scanned, &file, &mut total, context)?,
                Event::End { .. } | Event::Fault(_) => {}
            }
            Ok(())
        },
    )?;
    total.files = totals.files;
    total.games = totals.games;
    total.bytes = totals.bytes;
    total.seconds = begin.elapsed().as_secs_f64();
    finish(&total, context)
}

/// The last line of a scan.
fn finish(total: &Summary, context: &Context) -> anyhow::Result<Exit> {
    if context.json {
        context.json_line(&serde_json::json!({ "summary": total }))?;
    } else {
        writeln!(
            context.out(),
            "{} {}   {} {}   {} {}   {} {}",
            context.say("对局", "games"),
            total.games,
            context.say("循环", "repetitions"),
            total.repetitions,
            context.say("可提请", "claimable"),
            total.claimable,
            context.say("结果与裁定不符", "results against the ruling"),
            total.contradicted
        )?;
    }
    Ok(if total.repetitions == 0 { Exit::Findings } else { Exit::Done })
}
