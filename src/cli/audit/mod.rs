//! `yipu audit`: what arbiters ask of a record.

mod clock;
mod ledger;
mod limit;
mod sheet;

use super::{Context, Exit};
use yipu::audit::page::Language;
use yipu::board::Color;

/// Options of `yipu audit`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Count missing entries and fouls of both players' sheets (2011: 7.1, 7.2, 8.1.6, 22.3)
    Sheet(sheet::Command),
    /// Audit a 自然限着 claim: rounds without a capture (2011: 4.2.4, 22.2)
    Limit(limit::Command),
    /// Audit the clock times of a record (2011: 6, 21; 1956)
    Clock(clock::Command),
    /// Add up the fouls of an event's log, game by game and player by player (2011: 8.1, 4.1.8-4.1.11)
    Ledger(ledger::Command),
    /// Find the games of a database whose result the board contradicts
    Results(super::results::Args),
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    match &args.what {
        What::Sheet(args) => sheet::run(args, context),
        What::Limit(args) => limit::run(args, context),
        What::Clock(args) => clock::run(args, context),
        What::Ledger(args) => ledger::run(args, context),
        What::Results(args) => super::results::run(args, context),
    }
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Side {
    Red,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::Red => Color::Red,
            Side::Black => Color::Black,
        }
    }
}

fn language(context: &Context) -> Language {
    match context.lang {
        super::Lang::Zh => Language::Chinese,
        super::Lang::En => Language::English,
    }
}

fn side_name(color: Color, context: &Context) -> &'static str {
    match (color, context.lang) {
        (Color::Red, super::Lang::Zh) => "红方",
        (Color::Red, super::Lang::En) => "Red",
        (Color::Black, super::Lang::Zh) => "黑方",
        (Color::Black, super::Lang::En) => "Black",
    }
}
