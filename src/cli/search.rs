//! `yipu search`: the games of a database that answer a query.

use super::output::write_file;
use super::reading::{format_name, notation_name};
use super::{Context, Exit};
use anyhow::{Context as _, bail};
use comfy_table::{CellAlignment, Table};
use serde_json::{Map, Value, json};
use std::cmp::Ordering;
use std::io::Write;
use std::path::{Path, PathBuf};
use yipu::diag::printable;
use yipu::format::{self, Format, WriteOptions};
use yipu::game::{GameResult, Name, PartialDate};
use yipu::names::Aliases;
use yipu::notation::{Notation, Style};
use yipu::opening::openings;
use yipu::query::parse;
use yipu::search::headers::Columns;
use yipu::search::{Found, Plan, Searcher};
use yipu::store::{Database, StoredGame};

/// Hits shown to people when nothing else is said.
const PAGE: usize = 50;

/// Options of `yipu search`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Terms: player: red: black: team: event: site: round: date: result: ecco: opening: plies: comment: source: a bare word
(any header), fen: line: pattern: material: sequence: capture: check: mate:, mirror:yes, swap:yes, lines:all; OR, - (not),
parentheses, quotes.

  yipu search --db DB 'player:胡荣华 date:1978..1985 -result:draw'
  yipu search --db DB 'player:\"hu ronghua\" OR player:hrh' --count
  yipu search --db DB 'line:\"炮二平五 马8进7 马二进三\" mirror:yes' --sort date
  yipu search --db DB 'pattern:\"P@{2,}[a-i]5-9 !r@*\" plies:60..' --explain")]
pub struct Args {
    /// What to look for
    #[arg(value_name = "QUERY", num_args = 0..)]
    query: Vec<String>,

    /// The database
    #[arg(long, value_name = "FOLDER")]
    db: PathBuf,

    /// Only count the games
    #[arg(long)]
    count: bool,

    /// At most so many games [default: 50 for people, all with --json or --to]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Order of the games; with - before it, the other way round
    #[arg(long, value_name = "BY", default_value = "id", allow_hyphen_values = true, value_parser = order)]
    sort: Order,

    /// Write the games in this format
    #[arg(long, value_name = "FORMAT", value_parser = format_name, requires = "output")]
    to: Option<Format>,

    /// File or folder for --to (- for standard output)
    #[arg(short, long, value_name = "OUT", requires = "to")]
    output: Option<PathBuf>,

    /// How moves are written with --to
    #[arg(long, value_name = "NOTATION", default_value = "chinese", value_parser = notation_name)]
    notation: Notation,

    /// Overwrite existing files
    #[arg(long)]
    force: bool,

    /// Show how the query is answered instead of the games
    #[arg(long)]
    explain: bool,

    /// Show games too that are marked as copies (yipu dedup)
    #[arg(long)]
    copies: bool,

    /// File with names of the same people [default: aliases.txt in the database, if it is there]
    #[arg(long, value_name = "FILE")]
    aliases: Option<PathBuf>,
}

/// What games are ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    by: By,
    down: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Id,
    Date,
    Plies,
    Ecco,
    Red,
    Black,
    Event,
    Result,
}

/// Reads what games are ordered by.
pub fn order(text: &str) -> Result<Order, String> {
    let (down, name) = text.strip_prefix('-').map_or((false, text), |name| (true, name));
    let by = match name {
        "id" => By::Id,
        "date" => By::Date,
        "plies" => By::Plies,
        "ecco" => By::Ecco,
        "red" => By::Red,
        "black" => By::Black,
        "event" => By::Event,
        "result" => By::Result,
        _ => return Err("known are id, date, plies, ecco, red, black, event, result".to_string()),
    };
    Ok(Order { by, down })
}

/// A searcher that knows the user's aliases of players and events and leaves out what is marked as a copy.
pub fn open_searcher<'d>(database: &'d Database, aliases: Option<&Path>, copies: bool) -> anyhow::Result<Searcher<'d>> {
    let folder = database.folder();
    let mut searcher = Searcher::open(database, read_aliases(&folder.join(super::names::ALIASES), aliases)?)?;
    searcher.set_events(read_aliases(&folder.join(super::names::EVENTS), None)?);
    if !copies {
        searcher.hide(super::dedup::read_marks(folder, database)?.games());
    }
    Ok(searcher)
}

/// The alias file of a database, or the one the user names.
pub fn read_aliases(own: &Path, named: Option<&Path>) -> anyhow::Result<Aliases> {
    let path = match named {
        Some(path) => path,
        None if own.is_file() => own,
        None => return Ok(Aliases::default()),
    };
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let (aliases, faults) = Aliases::read(&text);
    for fault in faults {
        anstream::eprintln!("{}: {}", path.display(), printable(&fault.to_string()));
    }
    Ok(aliases)
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let text = args.query.join(" ");
    let query = parse(&text).map_err(|error| anyhow::anyhow!(error.in_language(context.lang == super::Lang::Zh)))?;
    let database = Database::open(&args.db)?;
    let searcher = open_searcher(&database, args.aliases.as_deref(), args.copies)?;
    let prepared = searcher.prepare(&query)?;
    if args.explain {
        return explain(&prepared.plan(), context);
    }
    let people = !context.json && args.to.is_none();
    let limit = args.limit.or(people.then_some(PAGE));
    // Only in the order of the games can the search end early.
    let early = limit.filter(|_| args.sort == Order { by: By::Id, down: false } && !args.count && !people);
    let exit = |total| if total == 0 { Exit::Findings } else { Exit::Done };
    if args.count {
        let total = prepared.games(context.stop_flag())?.len();
        if context.json {
            context.json_line(&json!({ "count": total }))?;
        } else {
            writeln!(context.out(), "{total}")?;
        }
        return Ok(exit(total));
    }
    let mut hits = prepared.run(early, context.stop_flag())?;
    if context.interrupted() {
        return Ok(Exit::Interrupted);
    }
    let total = hits.len();
    sort(&mut hits, args.sort, &searcher)?;
    hits.truncate(limit.unwrap_or(usize::MAX));
    match (args.to, &args.output) {
        (Some(to), Some(output)) => export(&database, &hits, to, output, args, context)?,
        _ if context.json => {
            for hit in &hits {
                context.json_line(&to_json(hit, &database.game(hit.game)?, &database))?;
            }
        }
        _ => table(&database, &hits, total, context)?,
    }
    Ok(exit(total))
}

/// Puts hits in order.
pub fn sort(hits: &mut [Found], order: Order, searcher: &Searcher<'_>) -> anyhow::Result<()> {
    match order.by {
        By::Id => {}
        By::Date | By::Plies | By::Ecco => {
            let columns = searcher.headers()?.columns()?;
            let of = |hit: &Found| columns.get(hit.game as usize).copied().unwrap_or_default();
            // What is not known comes last, whichever way round.
            hits.sort_by(|a, b| {
                let (a, b): (Columns, Columns) = (of(a), of(b));
                let turn = |known: Ordering| if order.down { known.reverse() } else { known };
                match order.by {
                    By::Date => (a.date == 0).cmp(&(b.date == 0)).then(turn(a.date.cmp(&b.date))),
                    By::Ecco => a.ecco.is_none().cmp(&b.ecco.is_none()).then(turn(a.ecco.cmp(&b.ecco))),
                    _ => turn(a.plies.cmp(&b.plies)),
                }
            });
            return Ok(());
        }
        By::Red | By::Black | By::Event | By::Result => {
            let name = match order.by {
                By::Red => Name::Red,
                By::Black => Name::Black,
                _ => Name::Event,
            };
            let database = searcher.database();
            let mut keys = std::collections::HashMap::with_capacity(hits.len());
            for hit in hits.iter() {
                let key = if order.by == By::Result {
                    database.facts(hit.game)?.result.token().to_string()
                } else {
                    let game = database.game(hit.game)?.game;
                    yipu::text::fold::fold(game.headers.get(name).unwrap_or("\u{10FFFF}")).into_owned()
                };
                keys.insert(hit.game, key);
            }
            hits.sort_by(|a, b| keys.get(&a.game).cmp(&keys.get(&b.game)));
        }
    }
    if order.down {
        hits.reverse();
    }
    Ok(())
}

/// One hit as JSON. Also used where other commands list games.
pub fn to_json(hit: &Found, stored: &StoredGame, database: &Database) -> Value {
    let game = &stored.game;
    let opening = openings().opening(&game.start, game.moves());
    let mut fields = Map::new();
    let mut put = |name: &str, value: Value| fields.insert(name.to_string(), value);
    put("id", hit.game.into());
    put("red", game.headers.get(Name::Red).into());
    put("black", game.headers.get(Name::Black).into());
    put("event", game.headers.get(Name::Event).into());
    put("date", date(stored).into());
    put("result", game.result.token().into());
    put("ecco", opening.map(|opening| opening.ecco.to_string()).into());
    put("opening", opening.map(|opening| opening.name).into());
    put("plies", game.moves().count().into());
    put("file", stored.origin.file.as_str().into());
    put("game", stored.origin.number.into());
    let again: Vec<Value> = database
        .further_sources(hit.game)
        .map(|origin| json!({ "file": origin.file, "game": origin.number }))
        .collect();
    if !again.is_empty() {
        put("further_sources", again.into());
    }
    put("ply", hit.place.map(|place| place.ply).into());
    if let Some(place) = hit.place {
        if place.mirrored {
            put("mirrored", true.into());
        }
        if place.swapped {
            put("swapped", true.into());
        }
        if place.side_line {
            put("side_line", true.into());
        }
    }
    Value::Object(fields)
}

/// The date as understood, else as written.
fn date(stored: &StoredGame) -> Option<String> {
    let written = stored.game.headers.get(Name::Date)?;
    Some(PartialDate::read(written).map_or_else(|| written.to_string(), |date| date.to_string()))
}

fn table(database: &Database, hits: &[Found], total: usize, context: &Context) -> anyhow::Result<()> {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    let with_place = hits.iter().any(|hit| hit.place.is_some());
    let mut head = match context.say("zh", "en") {
        "zh" => vec!["编号", "日期", "红方", "结果", "黑方", "赛事", "着数", "开局"],
        _ => vec!["id", "date", "Red", "result", "Black", "event", "plies", "opening"],
    };
    if with_place {
        head.push(context.say("着", "at ply"));
    }
    table.set_header(head);
    for hit in hits {
        let stored = database.game(hit.game)?;
        let game = &stored.game;
        let header = |name| printable(game.headers.get(name).unwrap_or(""));
        let opening = openings().opening(&game.start, game.moves());
        let mut row = vec![
            hit.game.to_string(),
            printable(&date(&stored).unwrap_or_default()).replace(".??", ""),
            header(Name::Red),
            result(game.result, context).to_string(),
            header(Name::Black),
            header(Name::Event),
            game.moves().count().to_string(),
            opening.map_or(String::new(), |opening| format!("{} {}", opening.ecco, opening.name)),
        ];
        if with_place {
            row.push(hit.place.map_or(String::new(), |place| {
                let mirrored = if place.mirrored { context.say(" 镜像", " mirrored") } else { "" };
                let swapped = if place.swapped { context.say(" 换色", " swapped") } else { "" };
                let side = if place.side_line { context.say(" 变着", " side line") } else { "" };
                format!("{}{mirrored}{swapped}{side}", place.ply)
            }));
        }
        table.add_row(row);
    }
    for column in [0, 6] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut out = context.out();
    if !hits.is_empty() {
        writeln!(out, "{table}")?;
    }
    if hits.len() < total {
        writeln!(out, "{} {} / {total} (--limit)", context.say("显示", "shown"), hits.len())?;
    } else {
        writeln!(out, "{} {total}", context.say("对局", "games"))?;
    }
    Ok(())
}

fn result(result: GameResult, context: &Context) -> &'static str {
    match result {
        GameResult::RedWins => context.say("红胜", "1-0"),
        GameResult::BlackWins => context.say("黑胜", "0-1"),
        GameResult::Draw => context.say("和", "1/2"),
        GameResult::Unknown => "*",
    }
}

fn export(
    database: &Database,
    hits: &[Found],
    to: Format,
    output: &Path,
    args: &Args,
    context: &Context,
) -> anyhow::Result<()> {
    let writer = format::writer(to).with_context(|| format!("{to} can be read but not written"))?;
    let options =
        WriteOptions { style: Style { notation: args.notation, ..Style::default() }, ..WriteOptions::default() };
    let stdout = output.as_os_str() == "-";
    let folder = !writer.holds_many() && !stdout && (hits.len() > 1 || output.is_dir());
    if !writer.holds_many() && stdout && hits.len() > 1 {
        bail!("{to} holds one game a file: name a folder with -o");
    }
    let mut all = Vec::new();
    for hit in hits {
        let stored = database.game(hit.game)?;
        let mut bytes = Vec::new();
        for mut finding in writer.write(&stored.game, &options, &mut bytes) {
            finding.locate(&stored.origin.file, Some(stored.origin.number));
            context.finding(&finding);
        }
        if folder {
            let path = output.join(format!("{:07}.{}", hit.game, writer.extension()));
            write_file(&path, &bytes, args.force)?;
            if context.json {
                context.json_line(&json!({ "file": path.display().to_string(), "games": 1 }))?;
            }
        } else {
            all.append(&mut bytes);
        }
    }
    if stdout {
        context.out().write_all(&all)?;
    } else if !folder && !hits.is_empty() {
        write_file(output, &all, args.force)?;
        if context.json {
            context.json_line(&json!({ "file": output.display().to_string(), "games": hits.len() }))?;
        }
    }
    Ok(())
}

/// The name of an index for Chinese readers.
fn index_name(by: &str) -> &str {
    match by {
        "header index" => "标题索引",
        "comment index" => "注解索引",
        "date column" => "日期列",
        "result column" => "结果列",
        "code column" => "开局编号列",
        "length column" => "着数列",
        "position index" => "局面索引",
        "bounds of the games" => "对局的界限（子力只减、兵不后退、占过的点）",
        "the board" => "棋盘",
        other => other,
    }
}

fn explain(plan: &Plan, context: &Context) -> anyhow::Result<Exit> {
    if context.json {
        let steps: Vec<Value> = plan
            .steps
            .iter()
            .map(|step| {
                json!({
                    "term": step.term, "by": step.by, "bounds": step.bounds[0], "games": step.games, "sure": step.sure,
                    "settled": step.settled, "left": step.left, "micros": step.time.as_micros() as u64,
                })
            })
            .collect();
        context.json_line(&json!({
            "plan": { "games": plan.games, "steps": steps, "left": plan.left, "sure": plan.sure, "judged": plan.judged }
        }))?;
        return Ok(Exit::Done);
    }
    let mut out = context.out();
    writeln!(out, "{} {}", context.say("全部对局", "games in the database"), plan.games)?;
    for step in &plan.steps {
        let settled = if step.settled { context.say("确定", "exact") } else { context.say("至多", "at most") };
        writeln!(
            out,
            "  {}\n    {} {}: {settled} {} ({:.1} ms)",
            printable(&step.term),
            context.say("由", "by"),
            context.say(index_name(step.by), step.by),
            step.games,
            step.time.as_secs_f64() * 1e3
        )?;
        if !step.settled && step.sure > 0 {
            writeln!(out, "    {} {}", context.say("其中确定", "surely"), step.sure)?;
        }
        for bound in &step.bounds[usize::from(context.say("zh", "en") == "zh")] {
            writeln!(out, "    - {}", printable(bound))?;
        }
        if let Some(left) = step.left {
            writeln!(out, "    {} {left}", context.say("至此剩", "left so far"))?;
        }
    }
    writeln!(out, "{} {}", context.say("合并后", "left together"), plan.left)?;
    if plan.judged {
        let open = plan.left - plan.sure;
        writeln!(
            out,
            "{open} {}",
            context.say("局逐局在棋盘上验证", "of these are played through and judged one by one")
        )?;
    } else {
        writeln!(out, "{}", context.say("无需逐局验证", "settled by the indexes; positions were proved on the board"))?;
    }
    Ok(Exit::Done)
}
