//! `yipu opening`: ECCO code and name of games or of a line of moves.

use super::reading::{PathArgs, Reading};
use super::{Context, Exit};
use anyhow::{Context as _, bail};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use yipu::board::{Move, Position};
use yipu::explore::read_line;
use yipu::format::ReadGame;
use yipu::opening::{Opening, Openings, install, openings};
use yipu::pipeline::{Event, Numbered};

/// Options of `yipu opening`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: Option<PathArgs>,

    /// A line of moves from the start position, in any notation
    #[arg(long, value_name = "MOVES", conflicts_with = "paths", allow_hyphen_values = true)]
    moves: Option<String>,

    /// Another table of openings
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,

    /// Print all codes with their names
    #[arg(long, conflicts_with_all = ["paths", "moves"])]
    list: bool,
}

struct Named {
    number: u64,
    opening: Option<Opening>,
}

impl Numbered for Named {
    fn shift(&mut self, before: u64) {
        self.number += before;
    }

    fn memory(&self) -> usize {
        size_of::<Named>()
    }
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    if let Some(path) = &args.table {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        install(Openings::read(&text).with_context(|| path.display().to_string())?);
    }
    if args.list {
        for (ecco, name) in openings().codes() {
            if context.json {
                context.json_line(&json!({ "ecco": ecco, "name": name }))?;
            } else {
                writeln!(context.out(), "{ecco}\t{name}")?;
            }
        }
        return Ok(Exit::Done);
    }
    if let Some(text) = &args.moves {
        let moves: Vec<Move> = read_line(&Position::start(), text)?;
        let opening = openings().opening(&Position::start(), moves);
        show(opening, None, context)?;
        return Ok(if opening.is_some() { Exit::Done } else { Exit::Findings });
    }
    let Some(input) = &args.input else { bail!("name files, or --moves, or --list") };
    let name = |read: ReadGame| Named {
        number: read.number,
        opening: openings().opening(&read.game.start, read.game.moves()),
    };
    let mut file = String::new();
    let totals = Reading::new(input, None).games(context, name, |event| {
        match event {
            Event::File { name, .. } => file = name,
            Event::Game(named) => show(named.opening, Some((&file, named.number)), context)?,
            _ => {}
        }
        Ok(())
    })?;
    if context.interrupted() {
        return Ok(Exit::Interrupted);
    }
    Ok(if totals.games == 0 { Exit::Findings } else { Exit::Done })
}

fn show(opening: Option<Opening>, game: Option<(&str, u64)>, context: &Context) -> anyhow::Result<()> {
    if context.json {
        let mut line = json!({
            "ecco": opening.map(|opening| opening.ecco),
            "name": opening.map(|opening| opening.name),
            "ply": opening.map(|opening| opening.ply),
        });
        if let (Some((file, number)), Some(fields)) = (game, line.as_object_mut()) {
            fields.insert("file".into(), file.into());
            fields.insert("game".into(), number.into());
        }
        return context.json_line(&line);
    }
    let mut out = context.out();
    if let Some((file, number)) = game {
        write!(out, "{}#{number}: ", yipu::diag::printable(file))?;
    }
    match opening {
        Some(opening) => {
            let (at, plies) = (context.say("第", "ply"), context.say("着", ""));
            writeln!(out, "{} {} ({at} {}{plies})", opening.ecco, opening.name, opening.ply)?;
        }
        None => writeln!(out, "{}", context.say("无编号（非标准开局）", "no code (not from the usual start)"))?,
    }
    Ok(())
}
