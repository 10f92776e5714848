//! `yipu audit results`: games of a database whose result the board contradicts.

use super::{Context, Exit};
use rayon::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use yipu::audit::results::{Doubt, doubts};
use yipu::board::Move;
use yipu::diag::printable;
use yipu::game::{GameResult, Name};
use yipu::rules::{Edition, Judge};
use yipu::store::Database;

/// Games looked at together.
const CHUNK: usize = 20_000;

/// Options of `yipu audit results`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The database
    #[arg(long, value_name = "DB")]
    db: PathBuf,

    /// Rules for the last repetition: 1956, 1987, 1999, 2011 or axf (the natural limit is audited under 2011 only)
    #[arg(long, default_value_t = Edition::Y2011)]
    edition: Edition,

    /// Also games that state no result where the board tells it
    #[arg(long)]
    unstated: bool,
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let database = Database::open(&args.db)?;
    let judge = Judge::new(args.edition);
    let numbers: Vec<u32> = database.numbers().collect();
    let mut grounds: BTreeMap<String, u64> = BTreeMap::new();
    let mut games = 0u64;
    for chunk in numbers.chunks(CHUNK) {
        if context.interrupted() {
            return Ok(Exit::Interrupted);
        }
        let found: Vec<anyhow::Result<(u32, Vec<Doubt>)>> = chunk
            .par_iter()
            .map(|&number| {
                let line = database.line(number)?;
                let moves: Vec<Move> = line.moves().collect();
                let result = line.facts.result;
                let mut found = Vec::new();
                if args.unstated || result != GameResult::Unknown {
                    found = doubts(&line.start(), &moves, result, &judge);
                }
                Ok((number, found))
            })
            .collect();
        for found in found {
            let (number, found) = found?;
            games += u64::from(!found.is_empty());
            for doubt in &found {
                let ground = serde_json::to_value(doubt.ground)?.as_str().unwrap_or_default().to_string();
                show(&database, number, doubt, &ground, context)?;
                *grounds.entry(ground).or_default() += 1;
            }
        }
    }
    if context.json {
        let summary = json!({ "games": numbers.len(), "doubted": games, "grounds": grounds, "edition": args.edition });
        context.json_line(&json!({ "summary": summary }))?;
    } else {
        let say = |zh, en| context.say(zh, en);
        let mut out = context.out();
        write!(out, "{} {}   {} {games}", say("对局", "games"), numbers.len(), say("结果存疑", "results in doubt"))?;
        for (ground, count) in &grounds {
            write!(out, "   {} {count}", say(ground_zh(ground), ground))?;
        }
        writeln!(out)?;
    }
    Ok(if games == 0 { Exit::Done } else { Exit::Findings })
}

fn show(database: &Database, number: u32, doubt: &Doubt, ground: &str, context: &Context) -> anyhow::Result<()> {
    let stored = database.game(number)?;
    let header = |name| stored.game.headers.get(name);
    if context.json {
        return context.json_line(&json!({
            "id": number, "red": header(Name::Red), "black": header(Name::Black), "event": header(Name::Event),
            "date": header(Name::Date), "file": stored.origin.file, "game": stored.origin.number,
            "result": doubt.stated.token(), "expected": doubt.expected.token(), "ground": ground, "ply": doubt.ply,
            "articles": doubt.articles, "reason": context.say(&doubt.reason_zh, &doubt.reason),
        }));
    }
    let articles = if doubt.articles.is_empty() { String::new() } else { format!(" [{}]", doubt.articles.join(", ")) };
    writeln!(
        context.out(),
        "{number}  {} - {}  {}#{}\n    {}{articles}",
        printable(header(Name::Red).unwrap_or("?")),
        printable(header(Name::Black).unwrap_or("?")),
        printable(&stored.origin.file),
        stored.origin.number,
        context.say(&doubt.reason_zh, &doubt.reason)
    )?;
    Ok(())
}

fn ground_zh(ground: &str) -> &str {
    match ground {
        "mate" => "将死",
        "no-move" => "困毙",
        "repetition" => "循环",
        "natural-limit" => "自然限着",
        other => other,
    }
}
