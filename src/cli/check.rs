//! `yipu check`: reads and replays every game, reports every fault, changes nothing.

use super::reading::{InputArgs, Reading};
use super::{Context, Exit};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Instant;
use yipu::board::Move;
use yipu::diag::{Finding, codes};
use yipu::format::{Format, ReadGame, Status};
use yipu::game::GameResult;
use yipu::pipeline::{Event, Numbered};

/// Options of `yipu check`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
}

/// One line of the JSON output.
#[derive(Serialize)]
struct Line {
    file: String,
    game: u64,
    format: Option<Format>,
    encoding: &'static str,
    start_fen: String,
    plies: usize,
    moves: Vec<Move>,
    result: &'static str,
    status: Status,
    findings: Vec<Finding>,
    /// Plies of the whole tree.
    nodes: usize,
}

impl Numbered for Line {
    fn shift(&mut self, before: u64) {
        self.game += before;
        for finding in &mut self.findings {
            finding.game = finding.game.map(|game| game + before);
        }
    }

    fn memory(&self) -> usize {
        let moves = self.moves.capacity() * size_of::<Move>();
        size_of::<Line>() + self.start_fen.capacity() + moves + Finding::memory_of(&self.findings)
    }
}

/// What the end of the moves says against the result of the record.
fn against_board(read: &ReadGame) -> Option<Finding> {
    let game = &read.game;
    if read.status != Status::Ok || game.result == GameResult::Unknown {
        return None;
    }
    let decided = game.decided().filter(|decided| *decided != game.result)?;
    let end = game.position_at(usize::MAX);
    if !end.faults().is_empty() || !game.rest.is_empty() {
        // A position no game can reach proves nothing, nor does a record that breaks off.
        return None;
    }
    let side = end.side_to_move();
    let (how, chinese) =
        if end.is_check() { ("is checkmated", "被将死") } else { ("has no legal move (困毙)", "困毙") };
    let told = game.result;
    let message = yipu::say!(
        "{side} {how} at the end: {decided}; the record says {told}";
        "终局{}{chinese}: 应为 {decided}, 记录却是 {told}", side.chinese()
    );
    let finding = Finding::new(codes::RESULT_AGAINST_BOARD, message).text(told.token());
    let plies = game.moves().count() as u32;
    Some(if plies > 0 { finding.ply(plies) } else { finding })
}

fn line(mut read: ReadGame, keep_moves: bool) -> Line {
    read.findings.extend(against_board(&read));
    let game = &read.game;
    Line {
        file: String::new(),
        game: read.number,
        format: None,
        encoding: read.encoding,
        start_fen: if keep_moves { game.start.to_fen() } else { String::new() },
        plies: game.moves().count(),
        moves: if keep_moves { game.moves().collect() } else { Vec::new() },
        result: game.result.token(),
        status: read.status,
        nodes: game.tree.ply_count(),
        findings: read.findings,
    }
}

#[derive(Default, Serialize)]
struct Summary {
    files: u64,
    games: u64,
    ok: u64,
    partial: u64,
    failed: u64,
    plies: u64,
    nodes: u64,
    bytes: u64,
    seconds: f64,
    /// About files, not about one of their games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<Finding>,
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let mut summary = Summary::default();
    let mut codes: BTreeMap<&'static str, (u64, &'static str)> = BTreeMap::new();
    let mut file = String::new();
    let mut file_format = None;
    let json = context.json;
    let mut count = |finding: &Finding| {
        let summary = context.say(finding.code.chinese_summary(), finding.code.summary());
        codes.entry(finding.code.id()).or_insert((0, summary)).0 += 1;
    };
    let totals = Reading::from(&args.input).games(
        context,
        |game| line(game, json),
        |event| {
            match event {
                Event::File { name, format, .. } => (file, file_format) = (name, format),
                Event::Game(mut line) => {
                    summary.games += 1;
                    summary.plies += line.plies as u64;
                    summary.nodes += line.nodes as u64;
                    match line.status {
                        Status::Ok => summary.ok += 1,
                        Status::Partial => summary.partial += 1,
                        Status::Failed => summary.failed += 1,
                    }
                    for finding in &mut line.findings {
                        finding.locate(&file, Some(line.game));
                        context.finding(finding);
                        count(finding);
                    }
                    if json {
                        line.file.clone_from(&file);
                        line.format = file_format;
                        context.json_line(&line)?;
                    }
                }
                Event::End { findings, .. } => {
                    findings.iter().for_each(&mut count);
                    if json {
                        summary.findings.extend(findings);
                    }
                }
                Event::Fault(finding) => {
                    count(&finding);
                    if json {
                        summary.findings.push(finding);
                    }
                }
            }
            Ok(())
        },
    )?;
    summary.files = totals.files;
    summary.bytes = totals.bytes;
    summary.seconds = begin.elapsed().as_secs_f64();
    if json {
        context.json_line(&serde_json::json!({ "summary": summary }))?;
    } else {
        show(&summary, &codes, context)?;
    }
    Ok(Exit::Done)
}

fn show(
    summary: &Summary,
    codes: &BTreeMap<&'static str, (u64, &'static str)>,
    context: &Context,
) -> anyhow::Result<()> {
    let mut out = context.out();
    let label = |zh, en| context.say(zh, en);
    writeln!(
        out,
        "{} {}   {} {}   {} {}   {} {}",
        label("文件", "files"),
        summary.files,
        label("对局", "games"),
        summary.games,
        label("着数(半回合)", "plies"),
        summary.plies,
        label("含变着", "with side lines"),
        summary.nodes,
    )?;
    writeln!(
        out,
        "{} {}   {} {}   {} {}",
        label("完整", "ok"),
        summary.ok,
        label("部分可读", "partial"),
        summary.partial,
        label("不可读", "failed"),
        summary.failed,
    )?;
    if !codes.is_empty() {
        writeln!(out, "{}", label("发现:", "findings:"))?;
        for (code, (count, summary)) in codes {
            writeln!(out, "  {code} {count:>7}  {summary}")?;
        }
        writeln!(out, "{}", label("(yipu explain 代码 有详细说明)", "(yipu explain CODE tells more)"))?;
    }
    Ok(())
}
