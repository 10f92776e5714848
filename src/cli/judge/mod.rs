//! `yipu judge`: repetitions: whether a claim is well founded, what each move is called, who must change.

mod answer;
mod scan;

use super::reading::{GameRef, PathArgs, Reading, encoding_name, format_name};
use super::{Context, Exit};
use anyhow::bail;
use std::path::PathBuf;
use yipu::board::{Color, Kind, Move, Piece, Position};
use yipu::diag::Finding;
use yipu::explore::read_line_in;
use yipu::format::{Format, ReadGame};
use yipu::notation::Dialect;
use yipu::rules::{Edition, Ground, History, Judge, Judgement, Profile, Ruling, Stage, Verdict};

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

    /// The moves, in any notation, with or without numbers: one round, or the whole line with its repetitions
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

    /// With --scan: also nine rounds of attacks, or to and fro, without a closed cycle (23.4); slow
    #[arg(long, requires = "scan")]
    nine_rounds: bool,

    /// Show the board before the first judged move and after each of them
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
        let (start, findings) = read_position(fen, context)?;
        let history = History::new(&start, read_moves(&start, cycle)?);
        let judgement = match args.at {
            Some(ply) => at(&judge, &history, ply)?,
            None => judge_cycle(&judge, &history),
        };
        answer::show(args, context, &judgement, &history, None, findings)?;
        return Ok(Exit::Done);
    }
    if let Some(db) = &args.db {
        return scan::of_database(args, context, &judge, db);
    }
    let folder = args.games.iter().any(|game| PathBuf::from(game).is_dir());
    if args.scan || folder || args.games.len() > 1 {
        return scan::of_files(args, context, &judge);
    }
    let game: GameRef = args.games[0].parse().map_err(anyhow::Error::msg)?;
    let options = Reading::new(&PathArgs { paths: Vec::new(), format: args.format }, args.encoding).options;
    let read = game.read(context, &options)?;
    let mut findings = read.findings.clone();
    for finding in &mut findings {
        finding.locate(&game.file.display().to_string(), Some(game.number));
        context.finding(finding);
    }
    one(args, context, &judge, (&game, &read), findings)
}

/// Judges one game, read with these findings.
fn one(
    args: &Args,
    context: &Context,
    judge: &Judge,
    (game, read): (&GameRef, &ReadGame),
    findings: Vec<Finding>,
) -> anyhow::Result<Exit> {
    let history = History::new(&read.game.start, read.game.moves());
    let judgement = match args.at {
        Some(ply) => at(judge, &history, ply)?,
        None => judge.game(&history),
    };
    answer::show(args, context, &judgement, &history, Some((game, read)), findings)?;
    Ok(if judgement.ground == Ground::None { Exit::Findings } else { Exit::Done })
}

/// Judges a claim made after this ply.
fn at(judge: &Judge, history: &History, ply: u32) -> anyhow::Result<Judgement> {
    if ply > history.plies() {
        bail!("the record has {} plies, not {ply}", history.plies());
    }
    Ok(judge.at(history, ply))
}

/// Moves in coordinates or any notation, with or without numbers, from a position.
fn read_moves(start: &Position, text: &str) -> anyhow::Result<Vec<Move>> {
    let moves = read_line_in(start, text, Dialect::OPEN.settled(Dialect::RANKS_FROM_0))?;
    if moves.is_empty() {
        bail!("no moves given");
    }
    Ok(moves)
}

/// Reads the position; one that has not one general a side cannot be judged.
fn read_position(fen: &str, context: &Context) -> anyhow::Result<(Position, Vec<Finding>)> {
    let (start, findings) = super::position::examined(fen, context)?;
    findings.iter().for_each(|finding| context.remark(finding));
    for color in Color::ALL {
        let generals = start.squares_of(Piece::new(color, Kind::King)).count();
        if generals != 1 {
            bail!("{color} has {generals} generals: no check, and so no repetition, can be judged");
        }
    }
    Ok((start, findings))
}

/// Judges moves given by the user: the round they close, however often; else what a claim at their end would bring.
fn judge_cycle(judge: &Judge, history: &History) -> Judgement {
    let judgement = judge.at(history, history.plies());
    if judgement.ground != Ground::None {
        return judgement;
    }
    let mut open = judge.round(&history.stretch(1, history.plies()));
    open.ground = Ground::None;
    open.ruling = Ruling { verdict: Verdict::None, stage: Stage::Open, articles: Vec::new() };
    open
}
