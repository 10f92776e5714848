//! What the server answers.

use crate::cli::search::{open_searcher, to_json};
use crate::cli::tree::to_json as tree_json;
use anyhow::{Context as _, bail};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use yipu::board::{Move, Position};
use yipu::diagram::Diagram;
use yipu::explore::{TreeOptions, read_line, tree};
use yipu::game::NodeId;
use yipu::notation::{Style, write_move};
use yipu::query::{QueryError, parse};
use yipu::search::{Found, Place};
use yipu::store::Database;

/// Hits on one page at most.
const MOST: usize = 500;

/// A response.
pub struct Answer {
    pub status: u16,
    pub kind: &'static str,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn of(kind: &'static str, body: impl Into<Vec<u8>>) -> Answer {
        Answer { status: 200, kind, body: body.into() }
    }

    pub fn refused(status: u16, why: &str) -> Answer {
        let body = json!({ "error": why }).to_string();
        Answer { status, kind: "application/json; charset=utf-8", body: body.into() }
    }

    /// With the query cut in three: before, at and behind the place.
    fn bad_query(error: &QueryError, lang: &str) -> Answer {
        let body = json!({ "error": error.what.text(lang == "zh"), "query": error.parts() }).to_string();
        Answer { status: 400, kind: "application/json; charset=utf-8", body: body.into() }
    }
}

type Parameters<'q> = HashMap<Cow<'q, str>, Cow<'q, str>>;

/// Answers a request for data.
pub fn answer(path: &str, query: &str, db: &Path, lang: &str, stop: &AtomicBool) -> Answer {
    let parameters: Parameters<'_> = form_urlencoded::parse(query.as_bytes()).collect();
    let found = match path {
        "/api/info" => info(db),
        "/api/search" => search(&parameters, db, stop),
        "/api/tree" => moves(&parameters, db, stop),
        "/api/board.svg" => {
            return board(&parameters).unwrap_or_else(|error| Answer::refused(400, &format!("{error:#}")));
        }
        _ => match path.strip_prefix("/api/game/").map(str::parse) {
            Some(Ok(number)) => game(number, db),
            _ => return Answer::refused(404, if lang == "zh" { "没有这个地址" } else { "there is nothing here" }),
        },
    };
    match found {
        Ok(value) => Answer::of("application/json; charset=utf-8", value.to_string()),
        Err(error) => match error.downcast_ref::<QueryError>() {
            Some(error) => Answer::bad_query(error, lang),
            None => Answer::refused(400, &format!("{error:#}")),
        },
    }
}

fn info(db: &Path) -> anyhow::Result<Value> {
    let database = Database::open(db)?;
    Ok(json!({
        "games": database.games(), "positions": database.positions(), "bytes": database.bytes(),
        "format_version": database.format_version(),
    }))
}

fn number(parameters: &Parameters<'_>, name: &str, default: usize) -> anyhow::Result<usize> {
    match parameters.get(name).filter(|text| !text.is_empty()) {
        Some(text) => text.parse().with_context(|| format!("{name}: {text} is no number")),
        None => Ok(default),
    }
}

fn search(parameters: &Parameters<'_>, db: &Path, stop: &AtomicBool) -> anyhow::Result<Value> {
    let database = Database::open(db)?;
    let searcher = open_searcher(&database, None, parameters.contains_key("copies"))?;
    let text = parameters.get("q").map_or("", |text| text.as_ref());
    let query = parse(text)?;
    let mut hits = searcher.prepare(&query)?.run(None, stop)?;
    if let Some(by) = parameters.get("sort").filter(|by| !by.is_empty()) {
        let order = crate::cli::search::order(by).map_err(|error| anyhow::anyhow!("sort: {error}"))?;
        crate::cli::search::sort(&mut hits, order, &searcher)?;
    }
    let total = hits.len();
    let (offset, limit) = (number(parameters, "offset", 0)?, number(parameters, "limit", 50)?.min(MOST));
    let page = hits.iter().skip(offset).take(limit);
    let page = page.map(|hit| Ok(to_json(hit, &database.game(hit.game)?, &database)));
    Ok(json!({ "count": total, "offset": offset, "hits": page.collect::<anyhow::Result<Vec<Value>>>()? }))
}

/// The position the parameters name: a FEN (or the start) and moves from there.
fn position(parameters: &Parameters<'_>) -> anyhow::Result<(Position, Vec<Move>)> {
    let mut position = match parameters.get("fen").filter(|fen| !fen.is_empty()) {
        Some(fen) => Position::from_fen(fen)?,
        None => Position::start(),
    };
    let moves = read_line(&position, parameters.get("moves").map_or("", |text| text.as_ref()))?;
    for &m in &moves {
        position.play(m);
    }
    Ok((position, moves))
}

fn moves(parameters: &Parameters<'_>, db: &Path, stop: &AtomicBool) -> anyhow::Result<Value> {
    let (position, line) = position(parameters)?;
    let database = Database::open(db)?;
    let searcher = open_searcher(&database, None, false)?;
    let filter = parameters.get("where").map_or("", |text| text.as_ref());
    let all = filter.trim().is_empty() && searcher.all().len() == database.games() as usize;
    let among: Option<Vec<u32>> = if all {
        None
    } else {
        let query = parse(filter)?;
        Some(searcher.games(&query, stop)?.iter().collect())
    };
    let mirror = parameters.get("mirror").is_some_and(|value| value != "0" && !value.is_empty());
    let found = tree(&database, &position, &TreeOptions { mirror, among: among.as_deref() })?;
    let mut answer = tree_json(&found, &position);
    answer["line"] = written(&Position::start(), parameters, &line)?;
    let legal: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
    answer["legal"] = legal.into();
    answer["last"] = line.last().map(ToString::to_string).into();
    Ok(answer)
}

/// A line of moves with their Chinese form.
fn written(start: &Position, parameters: &Parameters<'_>, line: &[Move]) -> anyhow::Result<Value> {
    let mut position = match parameters.get("fen").filter(|fen| !fen.is_empty()) {
        Some(fen) => Position::from_fen(fen)?,
        None => *start,
    };
    let mut moves = Vec::new();
    for &m in line {
        moves.push(json!({ "uci": m.to_string(), "chinese": chinese(m, &position) }));
        position.play(m);
    }
    Ok(moves.into())
}

fn chinese(m: Move, position: &Position) -> String {
    let mut text = String::new();
    write_move(m, position, &Style::default(), &mut text);
    text
}

fn game(number: u32, db: &Path) -> anyhow::Result<Value> {
    let database = Database::open(db)?;
    let stored = database.game(number)?;
    let mut answer = to_json(&Found { game: number, place: None::<Place> }, &stored, &database);
    let game = &stored.game;
    let comments_at = |node: NodeId| -> Vec<&str> {
        game.tree
            .comments()
            .iter()
            .filter(|comment| comment.node == node)
            .map(|comment| comment.text.as_str())
            .collect()
    };
    let mut position = game.start;
    let mut plies = Vec::new();
    for node in game.tree.main_line() {
        let m = game.tree[node].m;
        let text = chinese(m, &position);
        position.play(m);
        plies.push(json!({
            "uci": m.to_string(), "chinese": text, "fen": position.to_fen(), "comments": comments_at(node),
        }));
    }
    answer["headers"] = game.headers.iter().map(|(name, value)| json!([name, value])).collect();
    answer["start"] = game.start.to_fen().into();
    answer["comments"] = comments_at(NodeId::ROOT).into();
    answer["rest"] = game.rest.as_str().into();
    answer["line"] = plies.into();
    Ok(answer)
}

fn board(parameters: &Parameters<'_>) -> anyhow::Result<Answer> {
    let (position, line) = position(parameters)?;
    let mut diagram = Diagram::new(&position).flipped(parameters.contains_key("flip"));
    let last = match parameters.get("last").filter(|last| !last.is_empty()) {
        Some(last) => match last.parse::<Move>() {
            Ok(m) => Some(m),
            Err(_) => bail!("last: {last} is no move such as h2e2"),
        },
        None => line.last().copied(),
    };
    if let Some(m) = last {
        diagram = diagram.last_move(m);
    }
    let width = u32::try_from(number(parameters, "size", 480)?.clamp(40, 4000)).unwrap_or(480);
    Ok(Answer::of("image/svg+xml; charset=utf-8", diagram.to_svg(width)))
}
