//! `yipu tree`: what was played from a position.

use super::search::open_searcher;
use super::{Context, Exit};
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use yipu::board::{Move, Position, START_FEN};
use yipu::diag::printable;
use yipu::explore::{KnownPlayers, Tree, TreeOptions, average_plies, read_line, red_percent, tree, visits};
use yipu::notation::{Style, write_move};
use yipu::opening::openings;
use yipu::query::parse;
use yipu::store::{Database, Score};

/// Players that count as known.
const WELL_KNOWN: usize = 300;
/// Players named for a move.
const PLAYERS: usize = 3;

/// Options of `yipu tree`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Folder of the database
    #[arg(long, value_name = "DB")]
    db: PathBuf,

    /// The position
    #[arg(long, default_value = START_FEN)]
    fen: String,

    /// Moves played from there, in any notation
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,

    /// Count the left-right mirror image too
    #[arg(long)]
    mirror: bool,

    /// Tell games that came by these very moves from those that came by another order of moves
    #[arg(long)]
    direct: bool,

    /// Name the best-known players of every move: those with the most games in the database
    #[arg(long)]
    players: bool,

    /// Only games that answer this query (as in yipu search)
    #[arg(long = "where", value_name = "QUERY", allow_hyphen_values = true)]
    filter: Option<String>,
}

#[derive(Serialize)]
struct MoveLine {
    uci: Move,
    chinese: String,
    games: u64,
    red_wins: u64,
    draws: u64,
    black_wins: u64,
    unknown: u64,
    last_year: Option<u16>,
    red_percent: Option<f64>,
    average_plies: Option<f64>,
    /// Code and name of the opening after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<String>,
    /// Games that came by the very moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    direct: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    players: Option<Vec<String>>,
}

fn line(m: Move, score: &Score, position: &Position) -> MoveLine {
    let mut chinese = String::new();
    write_move(m, position, &Style::default(), &mut chinese);
    let round = |value: f64| (value * 10.0).round() / 10.0;
    MoveLine {
        uci: m,
        chinese,
        games: score.games(),
        red_wins: score.red_wins,
        draws: score.draws,
        black_wins: score.black_wins,
        unknown: score.unknown,
        last_year: Some(score.last_year).filter(|&year| year > 0),
        red_percent: red_percent(score).map(round),
        average_plies: average_plies(score).map(round),
        opening: None,
        direct: None,
        players: None,
    }
}

/// A line from the usual start has a name; what follows one move may have another.
fn opening_of(start: &Position, moves: impl Iterator<Item = Move>) -> Option<String> {
    openings().opening(start, moves).map(|opening| format!("{} {}", opening.ecco, opening.name))
}

/// What is told beyond the numbers.
fn add_details(
    lines: &mut [MoveLine],
    database: &Database,
    start: &Position,
    moves: &[Move],
    among: Option<&[u32]>,
    args: &Args,
) -> anyhow::Result<Option<usize>> {
    for line in lines.iter_mut() {
        line.opening = opening_of(start, moves.iter().copied().chain([line.uci]));
    }
    if !args.direct && !args.players {
        return Ok(None);
    }
    let visits = visits(database, start, moves, args.mirror, among)?;
    let known = if args.players {
        let searcher = open_searcher(database, None, true)?;
        Some(KnownPlayers::new(searcher.headers()?, WELL_KNOWN)?)
    } else {
        None
    };
    for line in lines.iter_mut() {
        let of_move = || visits.iter().filter(|visit| visit.next == Some(line.uci));
        if args.direct {
            line.direct = Some(of_move().filter(|visit| visit.direct).count());
        }
        if let Some(known) = &known {
            let games: Vec<u32> = of_move().map(|visit| visit.game).collect();
            let names = known.of(games.iter().copied(), PLAYERS);
            line.players = Some(names.into_iter().map(str::to_string).collect());
        }
    }
    Ok(args.direct.then(|| visits.iter().filter(|visit| visit.direct).count()))
}

/// The games to count, if not all: those that answer the query, without those marked as copies.
fn among(database: &Database, args: &Args, context: &Context) -> anyhow::Result<Option<Vec<u32>>> {
    let marks = super::dedup::read_marks(&args.db, database)?;
    if args.filter.is_none() && marks.is_empty() {
        return Ok(None);
    }
    let query = parse(args.filter.as_deref().unwrap_or_default())
        .map_err(|error| anyhow::anyhow!(error.in_language(context.lang == super::Lang::Zh)))?;
    let searcher = open_searcher(database, None, false)?;
    Ok(Some(searcher.games(&query, context.stop_flag())?.iter().collect()))
}

/// A tree as JSON.
pub fn to_json(found: &Tree, position: &Position) -> serde_json::Value {
    let moves: Vec<MoveLine> = found.moves.iter().map(|(m, score)| line(*m, score, position)).collect();
    numbers(found, position, &moves)
}

fn numbers(found: &Tree, position: &Position, moves: &[MoveLine]) -> serde_json::Value {
    serde_json::json!({
        "fen": position.to_fen(),
        "games": found.all.games(),
        "red_wins": found.all.red_wins,
        "draws": found.all.draws,
        "black_wins": found.all.black_wins,
        "unknown": found.all.unknown,
        "ended": found.ended,
        "moves": moves,
    })
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let start = super::position::position(&args.fen, context)?;
    let line_of_moves = read_line(&start, args.moves.as_deref().unwrap_or_default())?;
    let mut position = start;
    for &m in &line_of_moves {
        position.play(m);
    }
    let database = Database::open(&args.db)?;
    let among = among(&database, args, context)?;
    let found = tree(&database, &position, &TreeOptions { mirror: args.mirror, among: among.as_deref() })?;
    let mut moves: Vec<MoveLine> = found.moves.iter().map(|(m, score)| line(*m, score, &position)).collect();
    let direct = add_details(&mut moves, &database, &start, &line_of_moves, among.as_deref(), args)?;
    let opening = opening_of(&start, line_of_moves.iter().copied());
    if context.json {
        let mut value = numbers(&found, &position, &moves);
        value["opening"] = opening.into();
        if let Some(direct) = direct {
            value["direct"] = direct.into();
        }
        context.json_line(&value)?;
    } else {
        if let Some(opening) = opening {
            writeln!(context.out(), "{opening}")?;
        }
        show(&found.all, found.ended, &moves, context)?;
    }
    Ok(if found.all.games() == 0 { Exit::Findings } else { Exit::Done })
}

fn show(all: &Score, ended: u64, moves: &[MoveLine], context: &Context) -> anyhow::Result<()> {
    let label = |zh, en| context.say(zh, en);
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header([
        label("着法", "move"),
        "",
        label("对局", "games"),
        "",
        label("红胜", "red"),
        label("和", "draw"),
        label("黑胜", "black"),
        label("不明", "unknown"),
        label("红方得分", "red %"),
        label("平均着数", "plies"),
        label("最近", "last"),
        label("开局", "opening"),
        if moves.iter().any(|line| line.direct.is_some()) { label("同序", "direct") } else { "" },
        if moves.iter().any(|line| line.players.is_some()) { label("名手", "players") } else { "" },
    ]);
    let most = moves.first().map_or(1, |line| line.games.max(1));
    for line in moves {
        let bar = "█".repeat((line.games * 20).div_ceil(most) as usize);
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.1}"));
        table.add_row([
            line.chinese.clone(),
            line.uci.to_string(),
            line.games.to_string(),
            bar,
            line.red_wins.to_string(),
            line.draws.to_string(),
            line.black_wins.to_string(),
            line.unknown.to_string(),
            number(line.red_percent),
            number(line.average_plies),
            line.last_year.map_or_else(String::new, |year| year.to_string()),
            line.opening.clone().unwrap_or_default(),
            line.direct.map_or_else(String::new, |games| games.to_string()),
            printable(&line.players.as_ref().map_or_else(String::new, |names| names.join(", "))),
        ]);
    }
    for column in [2, 4, 5, 6, 7, 8, 9, 10] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut out = context.out();
    if !moves.is_empty() {
        writeln!(out, "{table}")?;
    }
    writeln!(
        out,
        "{} {}   {} {}   {} {}   {} {}   {} {}   {} {ended}",
        label("共", "games"),
        all.games(),
        label("红胜", "red"),
        all.red_wins,
        label("和", "draws"),
        all.draws,
        label("黑胜", "black"),
        all.black_wins,
        label("不明", "unknown"),
        all.unknown,
        label("至此终局", "ended here"),
    )?;
    Ok(())
}
