//! `yipu dedup`: games that are in a database more than once.

use super::output::write_file;
use super::search::to_json;
use super::{Context, Exit};
use anyhow::Context as _;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use yipu::dedup::{Copy, Likeness, Marks, find};
use yipu::diag::printable;
use yipu::game::Name;
use yipu::search::Found;
use yipu::store::Database;

/// The file of marks inside a database.
const MARKS: &str = "copies.txt";

/// Options of `yipu dedup`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The database
    #[arg(long, value_name = "FOLDER")]
    db: PathBuf,

    /// Mark the copies: searches leave them out, nothing is deleted
    #[arg(long)]
    apply: bool,

    /// With --apply: mark nearly equal games too
    #[arg(long, requires = "apply")]
    near: bool,

    /// Take the mark of a game back, for good (all: every mark, as if none had been made)
    #[arg(long, value_name = "ID|all", conflicts_with = "apply")]
    undo: Option<String>,
}

/// The marks of a database, without those whose kept game was removed.
pub fn read_marks(folder: &Path, database: &Database) -> anyhow::Result<Marks> {
    let path = folder.join(MARKS);
    match std::fs::read_to_string(&path) {
        Ok(text) => {
            let mut marks = Marks::read(&text).with_context(|| path.display().to_string())?;
            marks.lift(|game| database.is_removed(game));
            Ok(marks)
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Marks::default()),
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let database = Database::open(&args.db)?;
    let mut marks = read_marks(&args.db, &database)?;
    let path = args.db.join(MARKS);
    if let Some(undo) = &args.undo {
        let (before, text) = (marks.len(), marks.write());
        if undo == "all" {
            marks.undo_all();
        } else {
            let game = undo.parse().with_context(|| format!("{undo} is no game number"))?;
            marks.undo(game);
        }
        let taken = before - marks.len();
        if marks.write() != text {
            write_file(&path, marks.write().as_bytes(), true)?;
        }
        return summary(context, &json!({ "unmarked": taken }), "取消标记", "unmarked", taken)
            .map(|()| if taken == 0 { Exit::Findings } else { Exit::Done });
    }
    let mut groups = find(&database)?;
    // What a person has taken apart is not proposed again.
    for group in &mut groups {
        group.copies.retain(|copy| !marks.are_apart(copy.game, group.keep));
    }
    groups.retain(|group| !group.copies.is_empty());
    let mut marked = 0;
    for group in &groups {
        let keep = database.game(group.keep)?;
        if context.json {
            let found = |game| Found { game, place: None };
            let copies: Vec<Value> = group
                .copies
                .iter()
                .map(|copy| {
                    let mut line = to_json(&found(copy.game), &database.game(copy.game)?, &database);
                    if let Some(fields) = line.as_object_mut() {
                        fields.insert("likeness".into(), json!(copy.likeness));
                        fields.insert("evidence".into(), json!(copy.evidence));
                        fields.insert("marked".into(), json!(marks.is_marked(copy.game)));
                    }
                    Ok(line)
                })
                .collect::<anyhow::Result<_>>()?;
            context.json_line(&json!({ "keep": to_json(&found(group.keep), &keep, &database), "copies": copies }))?;
        } else {
            let mut out = context.out();
            writeln!(out, "{} {}", context.say("保留", "keep"), line(&database, group.keep)?)?;
            for copy in &group.copies {
                let mark = if marks.is_marked(copy.game) { "* " } else { "  " };
                writeln!(out, "{mark}{} {}", word(copy.likeness, context), line(&database, copy.game)?)?;
                writeln!(out, "      {}", copy.evidence.join(", "))?;
            }
        }
        if args.apply {
            let wanted = |copy: &&Copy| copy.likeness != Likeness::Near || args.near;
            for copy in group.copies.iter().filter(wanted) {
                let why = name(copy.likeness);
                marked += usize::from(!marks.is_marked(copy.game) && marks.mark(copy.game, group.keep, why));
            }
        }
    }
    if args.apply && marked > 0 {
        write_file(&path, marks.write().as_bytes(), true)?;
    }
    let copies: usize = groups.iter().map(|group| group.copies.len()).sum();
    if context.json {
        context.json_line(&json!({ "summary": { "groups": groups.len(), "copies": copies, "marked": marked } }))?;
    } else {
        let mut out = context.out();
        let say = |zh, en| context.say(zh, en);
        writeln!(
            out,
            "{} {}  {} {copies}  {} {marked}",
            say("组", "groups"),
            groups.len(),
            say("重复", "copies"),
            say("标记", "marked")
        )?;
        if !args.apply && copies > 0 {
            writeln!(out, "{}", say("仅预览；--apply 标记重复对局", "a preview; --apply marks the copies"))?;
        }
    }
    Ok(if groups.is_empty() { Exit::Findings } else { Exit::Done })
}

fn summary(context: &Context, value: &Value, zh: &str, en: &str, count: usize) -> anyhow::Result<()> {
    if context.json {
        return context.json_line(value);
    }
    writeln!(context.out(), "{} {count}", context.say(zh, en))?;
    Ok(())
}

/// As the file of marks calls it.
const fn name(likeness: Likeness) -> &'static str {
    match likeness {
        Likeness::Same => "same",
        Likeness::Mirrored => "mirrored",
        Likeness::Contained => "contained",
        Likeness::Near => "near",
    }
}

fn word(likeness: Likeness, context: &Context) -> &'static str {
    match likeness {
        Likeness::Same => context.say("相同", "same"),
        Likeness::Mirrored => context.say("镜像", "mirrored"),
        Likeness::Contained => context.say("包含", "contained"),
        Likeness::Near => context.say("近似", "near"),
    }
}

fn line(database: &Database, number: u32) -> anyhow::Result<String> {
    let stored = database.game(number)?;
    let header = |name| stored.game.headers.get(name).unwrap_or("?");
    let text = format!(
        "{number}: {} - {}, {}, {} plies, {}#{}",
        header(Name::Red),
        header(Name::Black),
        header(Name::Date),
        stored.game.moves().count(),
        stored.origin.file,
        stored.origin.number
    );
    Ok(printable(&text))
}
