//! The command line: one file a command, shared output in `output.rs`, shared state in `context.rs`.
//!
//! A command is a struct of options (clap reads it) and a `run` function that gets a [`Context`] and returns an
//! [`Exit`]. Data goes to standard output, everything else to standard error.

mod audit;
mod board;
mod check;
#[allow(dead_code)]
mod context;
mod convert;
mod db;
mod dedup;
mod explain;
mod export;
mod formats;
mod generate;
mod index;
mod judge;
mod moves;
mod names;
mod opening;
mod output;
mod perft;
mod pile;
mod position;
#[allow(dead_code)]
mod reading;
mod results;
mod search;
mod serve;
mod style;
mod transcribe;
mod tree;

pub use context::{Context, Exit, Lang};

use clap::{Parser, Subcommand};
use std::ffi::{OsStr, OsString};
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;

/// 弈谱: reads written records of Chinese chess, proves them on a board, and makes them searchable.
#[derive(Debug, Parser)]
#[command(name = "yipu", version, about, max_term_width = 120, disable_help_subcommand = true)]
#[command(
    after_help = "Exit codes: 0 done and nothing wrong; 1 done, with findings (or nothing found); 2 could not do it; \
                        130 interrupted."
)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,

    #[command(subcommand)]
    pub command: Command,
}

/// Options that every command understands.
#[derive(Debug, clap::Args)]
pub struct Global {
    /// Write one JSON object a line instead of text for people
    #[arg(long, global = true)]
    pub json: bool,

    /// Language of texts for people [default: by the locale]
    #[arg(long, global = true, value_enum)]
    pub lang: Option<Lang>,

    /// No findings, no progress on standard error
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Say more on standard error (notes too; twice: everything)
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,

    /// Number of threads; the output does not depend on it [default: all cores]
    #[arg(short, long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count the legal lines from a position
    Perft(perft::Args),
    /// Read and replay every game, report every fault, change nothing
    Check(check::Args),
    /// Convert records to one format
    Convert(convert::Args),
    /// Build or extend a database
    Index(index::Args),
    /// Show what was played from a position, and how it went
    Tree(tree::Args),
    /// Look after a database: info, verify, show, remove, restore, compact, rebuild, export
    Db(db::Args),
    /// Judge repetitions: is a claim well founded, what is each move, who must change
    Judge(judge::Args),
    /// Find the games of a database that answer a query
    Search(search::Args),
    /// Serve a local page and a JSON API over a database
    Serve(serve::Args),
    /// Name the opening of games or of a line of moves
    Opening(opening::Args),
    /// Find games that are in a database more than once; mark the copies
    Dedup(dedup::Args),
    /// Find players written under several names; write down who is who
    Names(names::Args),
    /// Read one or two score sheets typed as text, settle damaged entries by the whole game
    Transcribe(transcribe::Args),
    /// Audit score sheets, natural-limit claims, clocks
    Audit(audit::Args),
    /// Read texts as moves of a position, show them in every notation, explain those that do not fit
    Move(moves::MoveArgs),
    /// List all legal moves of a position
    Moves(moves::MovesArgs),
    /// Draw a position or a ply of a game: text, SVG or PNG
    Board(board::Args),
    /// Explain a finding code, or list all of them
    Explain(explain::Args),
    /// Print a completion script for a shell
    Completions(generate::CompletionArgs),
    /// List the file formats that are read and written
    Formats,
    /// Print the man page
    Man,
}

impl Command {
    fn run(self, context: &Context) -> anyhow::Result<Exit> {
        match self {
            Command::Perft(args) => perft::run(&args, context),
            Command::Check(args) => check::run(&args, context),
            Command::Convert(args) => convert::run(&args, context),
            Command::Index(args) => index::run(&args, context),
            Command::Tree(args) => tree::run(&args, context),
            Command::Db(args) => db::run(&args, context),
            Command::Judge(args) => judge::run(&args, context),
            Command::Search(args) => search::run(&args, context),
            Command::Serve(args) => serve::run(&args, context),
            Command::Opening(args) => opening::run(&args, context),
            Command::Dedup(args) => dedup::run(&args, context),
            Command::Names(args) => names::run(&args, context),
            Command::Transcribe(args) => transcribe::run(&args, context),
            Command::Audit(args) => audit::run(&args, context),
            Command::Move(args) => moves::run(&args, context),
            Command::Moves(args) => moves::run_all(&args, context),
            Command::Board(args) => board::run(&args, context),
            Command::Explain(args) => explain::run(&args, context),
            Command::Completions(args) => generate::completions(&args, context),
            Command::Formats => formats::run(context),
            Command::Man => generate::man(context),
        }
    }
}

/// Runs the program. A closed pipe ends quietly with 0, any other failure with a message and 2.
pub fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let search = arguments.iter().skip(1).any(|argument| argument == "search");
    let cli = Cli::parse_from(arguments.into_iter().map(|argument| if search { spaced(argument) } else { argument }));
    // A damaged file of a database may upset a library below us before anything has noticed the damage.
    std::panic::set_hook(Box::new(|fault| {
        anstream::eprintln!("yipu: {}", yipu::diag::printable(&fault.to_string().replace('\n', " ")))
    }));
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| {
        Context::new(&cli.global).and_then(|context| {
            let exit = cli.command.run(&context)?;
            context.flush()?;
            Ok(if context.interrupted() { Exit::Interrupted } else { exit.max(context.exit()) })
        })
    }));
    let outcome = outcome.unwrap_or_else(|_| {
        Err(anyhow::anyhow!(
            "stopped by a fault of this program, or by a damaged database, which `yipu db verify` finds"
        ))
    });
    match outcome {
        Ok(exit) => exit.into(),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Line by line: the caret under a bad query stands on a line of its own.
            let text = chain(&error);
            let lines: Vec<String> = text.lines().map(yipu::diag::printable).collect();
            anstream::eprintln!("yipu: {}", lines.join("\n"));
            Exit::Failed.into()
        }
    }
}

/// A query may begin with `-`, not: `-player:胡荣华`, `-胡荣华`, `-(…)`. A blank before it, which means nothing in a query,
/// tells it from an option.
fn spaced(argument: OsString) -> OsString {
    let is_term = |text: &str| {
        let term = text.strip_prefix('-').filter(|term| !term.starts_with('-'));
        term.is_some_and(|term| {
            let name = term.split_once(':').map(|(name, _)| name);
            name.is_some_and(yipu::query::is_term)
                || term.starts_with(|c: char| !c.is_ascii() || matches!(c, '(' | '"'))
        })
    };
    if argument.to_str().is_some_and(is_term) { [OsStr::new(" "), &argument].into_iter().collect() } else { argument }
}

/// An error with its causes; one that tells its cause already does not tell it twice.
fn chain(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |mut text, cause| {
        let cause = cause.to_string();
        if !text.ends_with(&cause) {
            text.push_str(if text.is_empty() { "" } else { ": " });
            text.push_str(&cause);
        }
        text
    })
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|io| io.kind() == std::io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_options_are_consistent() {
        Cli::command().debug_assert();
    }
}
