//! `yipu audit sheet`: missing entries and fouls of both players' sheets.

use super::ledger::{RulesArgs, read_log, show_game, show_players};
use super::{Context, Exit, language, side_name};
use crate::cli::transcribe::SheetArgs;
use std::io::Write;
use std::path::PathBuf;
use yipu::audit::ledger::{Entry, Ledger, What};
use yipu::audit::page::hole_capture_text;
use yipu::audit::record::{Counting, Refusal, SheetAudit, SheetState, audit_sheets};
use yipu::board::Color;

/// Options of `yipu audit sheet`.
#[derive(Debug, clap::Args)]
pub struct Command {
    /// Red's sheet
    red: PathBuf,

    /// Black's sheet
    black: PathBuf,

    /// One foul for every four missing entries, without the cap of two an inspection
    #[arg(long)]
    uncapped: bool,

    /// Count each player's own moves only
    #[arg(long)]
    own_moves: bool,

    /// Missing entries of Red punished at earlier inspections
    #[arg(long, default_value_t = 0, value_name = "N")]
    punished_red: u32,

    /// Missing entries of Black punished at earlier inspections
    #[arg(long, default_value_t = 0, value_name = "N")]
    punished_black: u32,

    /// The event's log (as for `yipu audit ledger`): the fouls found here are added to it and summed up
    #[arg(long, value_name = "LOG", requires = "game")]
    log: Option<PathBuf>,

    /// What the log calls this game
    #[arg(long, value_name = "GAME", requires = "log")]
    game: Option<String>,

    #[command(flatten)]
    rules: RulesArgs,

    #[command(flatten)]
    reading: SheetArgs,
}

/// Runs the command.
pub fn run(args: &Command, context: &Context) -> anyhow::Result<Exit> {
    let (red, black) = (args.reading.sheet(&args.red)?, args.reading.sheet(&args.black)?);
    let counting = Counting {
        uncapped: args.uncapped,
        own_moves: args.own_moves,
        punished: [args.punished_red, args.punished_black],
    };
    let book = args.reading.book()?;
    let (audit, _) = audit_sheets(&red, &black, &args.reading.options(book.as_ref()), &counting);
    audit.findings.iter().for_each(|finding| context.finding(finding));
    let ledger = ledger(args, &audit, context)?;
    if context.json {
        let mut value = serde_json::to_value(&audit)?;
        if let (Some(ledger), Some(object)) = (&ledger, value.as_object_mut()) {
            object.insert("ledger".to_string(), serde_json::to_value(ledger)?);
        }
        context.json_line(&value)?;
        return Ok(Exit::Done);
    }
    show(&audit, context)?;
    if let Some(ledger) = &ledger {
        for game in ledger.games.iter().filter(|game| Some(&game.game) == args.game.as_ref()) {
            show_game(game, context)?;
        }
        show_players(ledger, context)?;
    }
    Ok(Exit::Done)
}

/// The log with the result of this inspection behind it.
fn ledger(args: &Command, audit: &SheetAudit, context: &Context) -> anyhow::Result<Option<Ledger>> {
    let (Some(path), Some(game)) = (&args.log, &args.game) else { return Ok(None) };
    let mut log = read_log(path)?;
    for (side, state) in [(Color::Red, &audit.red), (Color::Black, &audit.black)] {
        let count = Some(state.missing + state.illegible);
        let what = What::Record;
        log.entries.push(Entry { line: 0, game: game.clone(), side, player: None, what, count, stage: None });
    }
    let mut ledger = Ledger::of(&log, &args.rules.rules(args.uncapped));
    for finding in &mut ledger.findings {
        finding.locate(&path.display().to_string(), None);
        context.finding(finding);
    }
    Ok(Some(ledger))
}

fn show(audit: &SheetAudit, context: &Context) -> anyhow::Result<()> {
    let mut out = context.out();
    for (color, state) in [(Color::Red, &audit.red), (Color::Black, &audit.black)] {
        side_line(&mut **out, side_name(color, context), state, context)?;
    }
    if audit.copied {
        writeln!(
            out,
            "{}",
            context.say(
                "两份记录缺漏或错误相同，疑为互抄，由裁判认定（7.2）",
                "the sheets share gaps or errors and look copied: the arbiter decides (7.2)"
            )
        )?;
    }
    for gap in &audit.gaps {
        writeln!(
            out,
            "{} {}–{}: {} {}, {}",
            context.say("双方均缺，着", "missing on both sheets, plies"),
            gap.ply,
            gap.ply + gap.plies - 1,
            context.say("可能的补法", "ways to bridge it"),
            gap.ways,
            hole_capture_text(gap.capture, language(context))
        )?;
    }
    for d in &audit.differences {
        writeln!(
            out,
            "{} {}: {} {}, {} {}{}",
            context.say("着", "ply"),
            d.ply,
            context.say("红方记", "Red's sheet"),
            d.red.as_deref().unwrap_or("—"),
            context.say("黑方记", "Black's"),
            d.black.as_deref().unwrap_or("—"),
            d.uci.map_or_else(|| context.say("；未定", "; open").to_string(), |m| format!(" → {m}"))
        )?;
    }
    Ok(())
}

fn side_line(out: &mut dyn Write, name: &str, state: &SheetState, context: &Context) -> std::io::Result<()> {
    let unread = match state.unread {
        0 => String::new(),
        n => format!("{}{n}", context.say("，未能读到 ", ", not reached ")),
    };
    writeln!(
        out,
        "{name}{}{} {}{} {}{} {}{unread}{} {}{}",
        context.say("：", ": "),
        context.say("漏记", "missing"),
        state.missing,
        context.say("，无法辨认", ", illegible"),
        state.illegible,
        context.say("，误记", ", wrong"),
        state.wrong,
        context.say("，犯规", ", fouls"),
        state.fouls,
        match state.refused_for {
            None => context.say("；可以提请审核", "; may have a claim examined"),
            Some(Refusal::TooManyMissing) => context.say(
                "；缺漏满 8 着，提请审核不予受理（22.3）",
                "; eight or more missing, may not have a claim examined (22.3)"
            ),
            Some(Refusal::HoleBehindCapture) => context.say(
                "；最近一次吃子之后有缺漏而本方记录单补不上，提请审核不予受理（22.3）",
                "; a hole behind the last capture that the own sheet cannot fill, may not have a claim examined (22.3)"
            ),
        }
    )
}
