//! `yipu audit clock`: the clock times of a record against a time control.

use super::{Context, Exit};
use crate::cli::reading::{GameRef, encoding_name};
use std::io::Write;
use std::path::PathBuf;
use yipu::audit::clock::{ClockVerdict, Reading, Scheme, audit_clock};
use yipu::game::Game;

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum TimesArg {
    /// Time left after the ply
    Left,
    /// Time used in all after the ply
    Used,
    /// Time of the ply alone
    Spent,
}

/// Options of `yipu audit clock`.
#[derive(Debug, clap::Args)]
pub struct Command {
    /// A file, FILE#N for its N-th game, or its number with --db
    game: GameRef,

    /// The database that holds the game
    #[arg(long, value_name = "DB")]
    db: Option<PathBuf>,

    /// The time control: 60m+30s, 30/60m,10/10m, 60m, 1956-1 (90 min, then a minute a move), 1956-2 (2 min a move, 30 min reserve)
    #[arg(long, value_parser = |text: &str| Scheme::read(text).ok_or("not a time control"))]
    scheme: Scheme,

    /// Black's time control, where time is given as a handicap (6.5) [default: that of --scheme]
    #[arg(long, value_name = "SCHEME", value_parser = |text: &str| Scheme::read(text).ok_or("not a time control"))]
    black_scheme: Option<Scheme>,

    /// What the times of the record are
    #[arg(long, value_enum, default_value = "left")]
    times: TimesArg,

    /// Read all text in this encoding instead of finding it from the content
    #[arg(long, value_name = "ENCODING", value_parser = encoding_name)]
    encoding: Option<&'static encoding_rs::Encoding>,
}

/// Runs the command.
pub fn run(args: &Command, context: &Context) -> anyhow::Result<Exit> {
    let read = args.game.read_or_stored(
        args.db.as_deref(),
        context,
        &yipu::pipeline::Options {
            format: None,
            read: yipu::format::ReadOptions { encoding: args.encoding },
            limits: yipu::input::Limits::default(),
        },
    )?;
    let game: &Game = &read.game;
    let mut times = Vec::new();
    for id in game.tree.main_line() {
        times.push(game.tree.clocks().iter().find(|(node, _)| *node == id).map(|&(_, ms)| ms));
    }
    let reading = match args.times {
        TimesArg::Left => Reading::Left,
        TimesArg::Used => Reading::Used,
        TimesArg::Spent => Reading::Spent,
    };
    let last = game.position_at(times.len());
    let audit = audit_clock(
        game.start.side_to_move(),
        &times,
        &last,
        [args.scheme, args.black_scheme.unwrap_or(args.scheme)],
        reading,
    );
    if context.json {
        context.json_line(&audit)?;
    } else {
        let mut out = context.out();
        for (name, side) in [(context.say("红方", "Red"), &audit.red), (context.say("黑方", "Black"), &audit.black)]
        {
            writeln!(
                out,
                "{name}{}{} {}{}{} {}{}{} {}",
                context.say("：", ": "),
                context.say("着数", "moves"),
                side.moves,
                context.say("，", ", "),
                context.say("用时", "used"),
                clock_text(side.used),
                context.say("，", ", "),
                context.say("剩余", "left"),
                side.left.map_or_else(|| "—".to_string(), clock_text)
            )?;
        }
        let verdict = match audit.verdict {
            ClockVerdict::Kept => context.say("没有超时", "nobody overstepped the time"),
            ClockVerdict::RedLoses => context.say("红方超时判负", "Red overstepped the time and loses"),
            ClockVerdict::BlackLoses => context.say("黑方超时判负", "Black overstepped the time and loses"),
            ClockVerdict::Arbiter => context.say(
                "是否超时须由裁判裁定（21.5；1956 规则对用完时限的那一着未作规定）",
                "the arbiter decides whether the time was overstepped (21.5; 1956 is silent on the move that uses it up)",
            ),
            ClockVerdict::BoardDecides => {
                context.say("超时但已将死或困毙，以棋盘为准（21.6）", "the board decides (21.6)")
            }
            ClockVerdict::Unknown => context.say("记录没有用时", "the record has no times"),
        };
        let plies =
            [audit.red.overstepped_ply, audit.black.overstepped_ply, audit.red.doubtful_ply, audit.black.doubtful_ply];
        if let Some(ply) = plies.into_iter().flatten().min() {
            writeln!(out, "{} {ply}", context.say("超时之着：第", "overstepped at ply"))?;
        }
        writeln!(out, "{verdict}")?;
        writeln!(out, "{}{}", context.say("依据：", "articles: "), audit.articles.join(context.say("、", ", ")))?;
        if audit.quick {
            writeln!(out, "{}", context.say("属快棋赛（6.4）", "quick chess (6.4)"))?;
        }
    }
    Ok(if audit.verdict == ClockVerdict::Unknown { Exit::Findings } else { Exit::Done })
}

fn clock_text(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
