//! `yipu judge`: repetitions: whether a claim is well founded, what each move is called, who must change.

use super::reading::{GameRef, PathArgs, Reading, encoding_name, format_name};
use super::{Context, Exit, Lang};
use anyhow::{Context as _, bail};
use rayon::prelude::*;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use yipu::board::{Color, Move, Position};
use yipu::diag::{Finding, codes, printable};
use yipu::format::{Format, ReadGame};
use yipu::game::GameResult;
use yipu::notation::{Dialect, read_whole, resolve};
use yipu::pipeline::{Event, Numbered};
use yipu::rules::{
    Edition, Ground, History, Judge, Judgeable, Judgement, Label, Profile, Stage, Tongue, Verdict, reason, ruling_text,
    summary,
};
use yipu::store::{Database, StoredGame};

/// Options of `yipu judge`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A game: FILE or FILE#N, or its number with --db; with --scan files and folders, every game of them
    #[arg(value_name = "GAME", required_unless_present_any = ["fen", "db"], conflicts_with = "fen")]
    games: Vec<String>,

    /// Judge games of this database: those whose numbers are given, or with --scan all of them
    #[arg(long, value_name = "DB", conflicts_with = "fen")]
    db: Option<PathBuf>,

    /// Rules to judge by: 1956, 1987, 1999, 2011 or axf
    #[arg(long, default_value_t = Edition::Y2011)]
    edition: Edition,

    /// Judge a claim made after this ply [default: the first ply on which a claim is well founded]
    #[arg(long, value_name = "PLY")]
    at: Option<u32>,

    /// Judge moves from this position instead of a game
    #[arg(long, requires = "cycle")]
    fen: Option<String>,

    /// The moves, in any notation: one round, or the whole line with its repetitions
    #[arg(long, requires = "fen", value_name = "MOVES", allow_hyphen_values = true)]
    cycle: Option<String>,

    /// What makes a claim well founded: three-rounds, third-occurrence or fourth-occurrence [default: by the edition]
    #[arg(long, value_parser = profile_name)]
    profile: Option<Profile>,

    /// Look through all games of the files and folders for repetitions on which a claim was possible
    #[arg(long, conflicts_with_all = ["fen", "at"])]
    scan: bool,

    /// With --scan: also repetitions too short for a claim (a position that stood twice)
    #[arg(long, requires = "scan")]
    all: bool,

    /// With --scan: also nine rounds of attacks without a closed cycle (23.4); slow
    #[arg(long, requires = "scan")]
    nine_rounds: bool,

    /// Show the board before the first judged ply
    #[arg(long)]
    diagram: bool,

    /// Positions looked at for one label before it is called undetermined
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    nodes: Option<u32>,

    /// Read as this format instead of finding it from the content
    #[arg(long, value_name = "FORMAT", value_parser = format_name)]
    format: Option<Format>,

    /// Read text in this encoding instead of finding it from the content
    #[arg(long, value_name = "ENCODING", value_parser = encoding_name)]
    encoding: Option<&'static encoding_rs::Encoding>,
}

fn profile_name(name: &str) -> Result<Profile, String> {
    Profile::find(name)
        .ok_or_else(|| format!("no profile of this name; known are {}", Profile::ALL.map(Profile::name).join(", ")))
}

/// A move as the JSON tells it.
#[derive(Serialize)]
struct MoveLine {
    ply: u32,
    uci: Move,
    chinese: String,
    label: Label,
    text: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    threats: Vec<ThreatLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<Vec<Move>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    undetermined: bool,
}

#[derive(Serialize)]
struct ThreatLine {
    means: yipu::rules::Means,
    capturer: yipu::board::Square,
    victim: yipu::board::Square,
    piece: char,
    root: yipu::rules::Root,
    joint: bool,
    line: Vec<Move>,
}

#[derive(Serialize)]
struct Line {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<u64>,
    edition: Edition,
    profile: Profile,
    claimable: bool,
    ground: Ground,
    first_ply: Option<u32>,
    /// The ply after which the claim stands.
    ply: Option<u32>,
    period: Option<u32>,
    repeats: u32,
    occurrences: u32,
    red: Vec<Label>,
    black: Vec<Label>,
    verdict: Verdict,
    stage: Stage,
    articles: Vec<&'static str>,
    ruling: String,
    reasons: Vec<MoveLine>,
    /// The first ply each count is reached on.
    profiles: Vec<ProfileLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<GameResult>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<Finding>,
}

#[derive(Serialize)]
struct ProfileLine {
    name: Profile,
    ply: Option<u32>,
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let mut judge = Judge::new(args.edition);
    if let Some(profile) = args.profile {
        judge.profile = profile;
    }
    if let Some(nodes) = args.nodes {
        judge.rules.limits.nodes = nodes;
    }
    if let (Some(fen), Some(cycle)) = (&args.fen, &args.cycle) {
        let start = super::position::position(fen, context)?;
        let history = History::new(&start, read_moves(&start, cycle)?);
        show(args, context, &judge_cycle(&judge, &history), &history, None)?;
        return Ok(Exit::Done);
    }
    if let Some(db) = &args.db {
        return of_database(args, context, &judge, db);
    }
    let folder = args.games.iter().any(|game| PathBuf::from(game).is_dir());
    if args.scan || folder || args.games.len() > 1 {
        return scan(args, context, &judge);
    }
    let game: GameRef = args.games[0].parse().map_err(anyhow::Error::msg)?;
    let options = Reading::new(&PathArgs { paths: Vec::new(), format: args.format }, args.encoding).options;
    let read = game.read(context, &options)?;
    for finding in &read.findings {
        let mut finding = finding.clone();
        finding.locate(&game.file.display().to_string(), Some(game.number));
        context.finding(&finding);
    }
    one(args, context, &judge, &game, &read)
}

/// Judges one game.
fn one(args: &Args, context: &Context, judge: &Judge, game: &GameRef, read: &ReadGame) -> anyhow::Result<Exit> {
    let history = History::new(&read.game.start, read.game.moves());
    let judgement = match args.at {
        Some(ply) if ply > history.plies() => bail!("the record has {} plies, not {ply}", history.plies()),
        Some(ply) => judge.at(&history, ply),
        None => judge.game(&history),
    };
    show(args, context, &judgement, &history, Some((game, read)))?;
    Ok(if judgement.ground == Ground::None { Exit::Findings } else { Exit::Done })
}

/// Moves in coordinates or any notation, from a position.
fn read_moves(start: &Position, text: &str) -> anyhow::Result<Vec<Move>> {
    let mut position = *start;
    let mut moves = Vec::new();
    let words =
        text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '，' | ';')).filter(|word| !word.is_empty());
    for word in words {
        let m = match word.parse::<Move>() {
            Ok(m) => m,
            Err(_) => {
                let token = read_whole(word).with_context(|| format!("{} is no move", printable(word)))?;
                let candidates = resolve(&token, &position, Dialect::OPEN);
                candidates.single().with_context(|| {
                    format!("{} fits {} legal moves in {}", printable(word), candidates.len(), position.to_fen())
                })?
            }
        };
        position.prove(m).map_err(|fault| anyhow::anyhow!("ply {}: {m}: {fault}", moves.len() + 1))?;
        position.play(m);
        moves.push(m);
    }
    if moves.is_empty() {
        bail!("no moves given");
    }
    Ok(moves)
}

/// Judges moves given by the user: the round they close, however often; else what a claim at their end would bring.
fn judge_cycle(judge: &Judge, history: &History) -> Judgement {
    let judgement = judge.at(history, history.plies());
    if judgement.ground != Ground::None {
        return judgement;
    }
    let mut open = judge.round(&history.stretch(1, history.plies()));
    open.ground = Ground::None;
    open.ruling.verdict = Verdict::None;
    open.ruling.stage = Stage::Open;
    open.ruling.articles.clear();
    open
}

fn tongue(context: &Context) -> Tongue {
    match context.lang {
        Lang::Zh => Tongue::Zh,
        Lang::En => Tongue::En,
    }
}

/// Whether a record's result contradicts the ruling: it ended inside the repetition and is told otherwise.
fn contradicts(judgement: &Judgement, history: &History, result: GameResult) -> bool {
    let inside = match (judgement.ground, judgement.repetition) {
        (Ground::Repetition, Some(r)) => {
            (judgement.claimable || r.occurrences >= 3)
                && history.repetition_at(history.plies()).is_some_and(|last| last.first_ply == r.first_ply)
        }
        _ => false,
    };
    inside
        && match (judgement.ruling.verdict, result) {
            (_, GameResult::Unknown) => false,
            (Verdict::RedLoses, result) => result != GameResult::BlackWins,
            (Verdict::BlackLoses, result) => result != GameResult::RedWins,
            // A drawn repetition may still be lost on time or resigned.
            _ => false,
        }
}

fn line(judgement: &Judgement, history: &History, tongue: Tongue) -> Line {
    let reasons = (judgement.from_ply..)
        .zip(&judgement.moves)
        .map(|(ply, m)| {
            let (threats, mate, undetermined) = match m {
                Judgeable::Chinese(labelled) => (
                    labelled.threats.iter().map(threat_line).collect(),
                    labelled.mate.map(|line| line.iter().collect()),
                    labelled.undetermined,
                ),
                Judgeable::Axf(_) => (Vec::new(), None, false),
            };
            MoveLine {
                ply,
                uci: m.m(),
                chinese: yipu::rules::move_text(m.m(), m.before(), Tongue::Zh),
                label: m.label(),
                text: reason(m, judgement.edition, tongue),
                threats,
                mate,
                undetermined,
            }
        })
        .collect();
    let repetition = judgement.repetition;
    Line {
        file: None,
        game: None,
        edition: judgement.edition,
        profile: judgement.profile,
        claimable: judgement.claimable,
        ground: judgement.ground,
        first_ply: repetition.map(|r| r.first_ply).or((judgement.from_ply > 0).then_some(judgement.from_ply)),
        ply: repetition
            .map(|r| r.ply)
            .or((judgement.from_ply > 0).then(|| judgement.from_ply - 1 + judgement.moves.len() as u32)),
        period: repetition.map(|r| r.period),
        repeats: repetition.map_or(0, |r| r.rounds),
        occurrences: repetition.map_or(0, |r| r.occurrences),
        red: judgement.labels(Color::Red),
        black: judgement.labels(Color::Black),
        verdict: judgement.ruling.verdict,
        stage: judgement.ruling.stage,
        articles: judgement.ruling.articles.clone(),
        ruling: ruling_text(judgement, tongue),
        reasons,
        profiles: Profile::ALL
            .into_iter()
            .map(|name| ProfileLine { name, ply: history.first_claim(name).map(|r| r.ply) })
            .collect(),
        result: None,
        findings: Vec::new(),
    }
}

fn threat_line(threat: &yipu::rules::Threat) -> ThreatLine {
    ThreatLine {
        means: threat.means,
        capturer: threat.capturer,
        victim: threat.victim,
        piece: threat.piece.letter(),
        root: threat.root,
        joint: threat.joint,
        line: threat.line.iter().collect(),
    }
}

fn show(
    args: &Args,
    context: &Context,
    judgement: &Judgement,
    history: &History,
    game: Option<(&GameRef, &ReadGame)>,
) -> anyhow::Result<()> {
    let tongue = tongue(context);
    let mut findings = Vec::new();
    if let Some((reference, read)) = game
        && contradicts(judgement, history, read.game.result)
    {
        let mut finding = against_ruling(judgement, read.game.result);
        finding.locate(&reference.file.display().to_string(), Some(reference.number));
        context.finding(&finding);
        findings.push(finding);
    }
    if context.json {
        let mut line = line(judgement, history, tongue);
        if let Some((reference, read)) = game {
            line.file = Some(reference.file.display().to_string());
            line.game = Some(reference.number);
            line.result = Some(read.game.result);
        }
        line.findings = findings;
        return context.json_line(&line);
    }
    let mut out = context.out();
    if args.diagram && !judgement.moves.is_empty() {
        write!(out, "{}", diagram(judgement.moves[0].before()))?;
    }
    for text in summary(judgement, tongue) {
        writeln!(out, "{text}")?;
    }
    if let (Some(repetition), Some(side)) = (judgement.repetition, judgement.ruling.verdict.at_fault())
        && judgement.claimable
        && judgement.ruling.stage == Stage::MustChange
        && repetition.ply < history.plies()
    {
        let changed = history.changed_within(&repetition, side, 4);
        let text = match changed {
            Some(ply) => format!("{} {ply}", context.say("已变着，第几着:", "it did change, at ply")),
            None => context.say("其后两回合内未变", "it did not change within the next two rounds").to_string(),
        };
        writeln!(out, "{text}")?;
    }
    Ok(())
}

fn against_ruling(judgement: &Judgement, result: GameResult) -> Finding {
    let finding = Finding::new(
        codes::RESULT_AGAINST_RULING,
        format!(
            "the record says {}, the rules of {} say {}",
            result.token(),
            judgement.edition,
            judgement.ruling.verdict
        ),
    );
    match judgement.repetition {
        Some(repetition) => finding.ply(repetition.ply),
        None => finding,
    }
}

/// The board as text, Red at the bottom.
fn diagram(position: &Position) -> String {
    let mut text = String::new();
    for rank in (0..10).rev() {
        text.push_str(&format!("{rank} "));
        for file in 0..9 {
            let piece = yipu::board::Square::new(file, rank).and_then(|square| position.piece_at(square));
            text.push_str(&piece.map_or_else(|| " ·".to_string(), |piece| format!(" {}", piece.letter())));
        }
        text.push('\n');
    }
    text.push_str("   a b c d e f g h i\n");
    text
}

/// The repetitions of one game, judged.
struct Scanned {
    number: u64,
    result: GameResult,
    found: Vec<(Judgement, History)>,
    findings: Vec<Finding>,
}

impl Numbered for Scanned {
    fn shift(&mut self, before: u64) {
        self.number += before;
        for finding in &mut self.findings {
            finding.game = finding.game.map(|game| game + before);
        }
    }
}

fn scan_game(judge: &Judge, read: ReadGame, args: &Args) -> Scanned {
    let history = History::new(&read.game.start, read.game.moves());
    let result = read.game.result;
    let mut scanned = Scanned { number: read.number, result, found: Vec::new(), findings: Vec::new() };
    for repetition in history.repetitions() {
        if !args.all && !repetition.satisfies(judge.profile) {
            continue;
        }
        let judgement = judge.repetition(&history, &repetition);
        if contradicts(&judgement, &history, result) {
            scanned.findings.push(against_ruling(&judgement, result));
        } else if judgement.claimable {
            let finding = Finding::new(codes::UNCLAIMED_REPETITION, format!("ruling: {}", judgement.ruling.verdict));
            scanned.findings.push(finding.ply(repetition.ply));
        }
        scanned.found.push((judgement, history.clone()));
    }
    if args.nine_rounds
        && !scanned.found.iter().any(|(judgement, _)| judgement.claimable)
        && let Some(judgement) = judge.first_nine_rounds(&history)
    {
        let finding = Finding::new(codes::UNCLAIMED_REPETITION, format!("ruling: {}", judgement.ruling.verdict));
        scanned.findings.push(finding.ply(judgement.from_ply + 17));
        scanned.found.push((judgement, history));
    }
    scanned
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
fn tell(mut scanned: Scanned, file: &str, total: &mut Summary, context: &Context) -> anyhow::Result<()> {
    let tongue = tongue(context);
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
            let mut line = line(judgement, history, tongue);
            line.file = Some(file.to_string());
            line.game = Some(scanned.number);
            line.result = Some(scanned.result);
            context.json_line(&line)?;
        } else {
            let mut out = context.out();
            writeln!(out, "{}#{}  {}", printable(file), scanned.number, scanned.result.token())?;
            for text in summary(judgement, tongue) {
                writeln!(out, "  {text}")?;
            }
        }
    }
    Ok(())
}

/// Judges games of a database, named by their numbers, or all of them.
fn of_database(args: &Args, context: &Context, judge: &Judge, db: &Path) -> anyhow::Result<Exit> {
    const BATCH: usize = 4096;
    let begin = std::time::Instant::now();
    let database = Database::open(db)?;
    let name = db.display().to_string();
    let read = |number: u32| -> anyhow::Result<ReadGame> {
        let StoredGame { game, status, .. } = database.game(number)?;
        Ok(ReadGame { game, number: u64::from(number), encoding: "utf-8", status, findings: Vec::new() })
    };
    if !args.scan {
        let [id] = &args.games[..] else { bail!("name one game of the database by its number, or use --scan") };
        let number: u32 = id.trim_start_matches('#').parse().with_context(|| format!("{id} is no game number"))?;
        if !database.numbers().any(|n| n == number) {
            bail!("{name}: no game {number}");
        }
        return one(
            args,
            context,
            judge,
            &GameRef { file: db.to_path_buf(), number: u64::from(number) },
            &read(number)?,
        );
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
            tell(scanned?, &name, &mut total, context)?;
        }
    }
    total.seconds = begin.elapsed().as_secs_f64();
    finish(&total, context)
}

fn scan(args: &Args, context: &Context, judge: &Judge) -> anyhow::Result<Exit> {
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
                Event::Game(scanned) => tell(scanned, &file, &mut total, context)?,
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
