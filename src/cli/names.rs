//! `yipu names`: players, or events, written under several names.

use super::output::write_file;
use super::search::read_aliases;
use super::{Context, Exit};
use anyhow::bail;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use yipu::diag::printable;
use yipu::names::{Aliases, Likeness, NameGroup, squeeze, suggest};
use yipu::search::Searcher;
use yipu::search::headers::Role;
use yipu::store::Database;

/// The alias file inside a database.
pub const ALIASES: &str = "aliases.txt";
/// The same for events.
pub const EVENTS: &str = "events.txt";

/// Options of `yipu names`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The database
    #[arg(long, value_name = "FOLDER")]
    db: PathBuf,

    /// Look for events instead of players
    #[arg(long)]
    events: bool,

    /// Write down the groups that are certain
    #[arg(long)]
    apply: bool,

    /// Write down that these are one person (with --events, one event)
    #[arg(long, value_name = "NAME=NAME")]
    accept: Vec<String>,

    /// Forget the group that has this name
    #[arg(long, value_name = "NAME")]
    undo: Vec<String>,
}

/// What speaks for and against a group.
#[derive(Clone, Copy, Debug, Default)]
struct Evidence {
    /// Games in which two of the names play each other.
    met: usize,
    /// Events in which more than one of the names plays.
    events: usize,
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let database = Database::open(&args.db)?;
    let file = args.db.join(if args.events { EVENTS } else { ALIASES });
    let mut aliases = read_aliases(&file, None)?;
    if !args.accept.is_empty() || !args.undo.is_empty() {
        return change(args, &aliases, &file, context);
    }
    let searcher = Searcher::open(&database, Aliases::default())?;
    let roles: &[Role] = if args.events { &[Role::Event] } else { &[Role::Red, Role::Black] };
    let entries = searcher.headers()?.texts(roles)?;
    let names: Vec<(String, u64)> = entries.into_iter().map(|entry| (entry.text, entry.games)).collect();
    let mut written = 0;
    let groups = suggest(&names);
    for group in &groups {
        // Known if one group of the alias file has them all; the first of them is the preferred name, so ask the others.
        let together = |name: &str| aliases.preferred(name) == aliases.preferred(&group.names[0].0);
        let known = group.names.iter().all(|(name, _)| together(name) && aliases.knows(name));
        let evidence = if args.events { Evidence::default() } else { evidence(&searcher, group)? };
        // Two names that played each other are two people.
        let certain = group.why.is_certain() && evidence.met == 0;
        show(group, certain, known, evidence, context)?;
        if args.apply && certain && !known {
            let line = group.names.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" = ");
            let (joined, faults) = Aliases::read(&(aliases.write() + &line + "\n"));
            if faults.is_empty() {
                aliases = joined;
                written += 1;
            }
        }
    }
    if written > 0 {
        write_file(&file, aliases.write().as_bytes(), true)?;
    }
    if context.json {
        context
            .json_line(&json!({ "summary": { "names": names.len(), "groups": groups.len(), "written": written } }))?;
    } else {
        let mut out = context.out();
        let say = |zh, en| context.say(zh, en);
        writeln!(
            out,
            "{} {}  {} {}  {} {written}",
            say("名字", "names"),
            names.len(),
            say("组", "groups"),
            groups.len(),
            say("写入", "written")
        )?;
        if !args.apply && !groups.is_empty() {
            let zh = "仅预览；--apply 写入确定的组，--accept 甲=乙 写入一组";
            let en = "a preview; --apply writes down the certain groups, --accept A=B a single one";
            writeln!(out, "{}", say(zh, en))?;
        }
    }
    Ok(if groups.is_empty() { Exit::Findings } else { Exit::Done })
}

fn change(args: &Args, aliases: &Aliases, file: &Path, context: &Context) -> anyhow::Result<Exit> {
    let forgotten =
        |names: &[String]| args.undo.iter().any(|undo| names.iter().any(|name| squeeze(name) == squeeze(undo)));
    let kept: Vec<&Vec<String>> = aliases.groups().iter().filter(|names| !forgotten(names)).collect();
    let undone = aliases.groups().len() - kept.len();
    if undone == 0 && !args.undo.is_empty() {
        bail!("no group has the name {}", args.undo.join(", "));
    }
    let mut text: String = kept.iter().map(|names| names.join(" = ") + "\n").collect();
    for line in &args.accept {
        text.push_str(line);
        text.push('\n');
    }
    let (aliases, faults) = Aliases::read(&text);
    if let Some(fault) = faults.first() {
        bail!("{}", fault.what);
    }
    write_file(file, aliases.write().as_bytes(), true)?;
    if context.json {
        context.json_line(&json!({ "groups": aliases.groups() }))?;
    } else {
        writeln!(context.out(), "{} {}", context.say("组", "groups"), aliases.groups().len())?;
    }
    Ok(Exit::Done)
}

/// Looks up whether names of a group ever met, and in how many events they played both.
fn evidence(searcher: &Searcher<'_>, group: &NameGroup) -> anyhow::Result<Evidence> {
    /// Games of a name that are looked at for events.
    const GAMES: usize = 200;
    let headers = searcher.headers()?;
    let mut evidence = Evidence::default();
    let mut events: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for (name, _) in &group.names {
        let red = headers.exact_text(&[Role::Red], name)?;
        for (other, _) in group.names.iter().filter(|(other, _)| other != name) {
            let mut met = headers.exact_text(&[Role::Black], other)?;
            met.and(&red);
            evidence.met += met.len();
        }
        let mut own = std::collections::BTreeSet::new();
        for game in headers.exact_text(&[Role::Red, Role::Black], name)?.iter().take(GAMES) {
            let game = searcher.database().game(game)?.game;
            if let Some(event) = game.headers.get(yipu::game::Name::Event) {
                own.insert(squeeze(event));
            }
        }
        own.into_iter().for_each(|event| *events.entry(event).or_default() += 1);
    }
    evidence.events = events.values().filter(|names| **names > 1).count();
    Ok(evidence)
}

fn show(group: &NameGroup, certain: bool, known: bool, evidence: Evidence, context: &Context) -> anyhow::Result<()> {
    if context.json {
        let names: Vec<Value> =
            group.names.iter().map(|(name, games)| json!({ "name": name, "games": games })).collect();
        return context.json_line(&json!({
            "names": names, "why": group.why, "certain": certain, "known": known,
            "met": evidence.met, "events": evidence.events,
        }));
    }
    let names: Vec<String> = group.names.iter().map(|(name, games)| format!("{} ({games})", printable(name))).collect();
    let why = match group.why {
        Likeness::SameCharacters => context.say("同字", "same characters"),
        Likeness::SameWords => context.say("同拼写", "same words"),
        Likeness::SameSound => context.say("同音，待定", "same sound: a question"),
    };
    let mut out = context.out();
    writeln!(out, "{}{}  [{why}]", if known { "* " } else { "  " }, names.join(" = "))?;
    if evidence.met > 0 {
        writeln!(
            out,
            "      {} {}",
            context.say("互相对局，应是两人:", "played each other, so two people:"),
            evidence.met
        )?;
    }
    if evidence.events > 0 {
        writeln!(out, "      {} {}", context.say("共同赛事", "events in common"), evidence.events)?;
    }
    Ok(())
}
