//! `yipu audit sheet`: missing entries and fouls of both players' sheets.

use super::ledger::{RulesArgs, read_log, show_game, show_players};
use super::{Context, Exit, language, side_name};
use crate::cli::transcribe::SheetArgs;
use anyhow::Context as _;
use std::io::Write;
use std::path::PathBuf;
use yipu::audit::ledger::{Entry, Ledger, What};
use yipu::audit::page::hole_capture_text;
use yipu::audit::record::{Counting, SheetAudit, SheetState, audit_sheets};
use yipu::board::Color;

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
    let (audit, _) = audit_sheets(&red, &black, &args.reading.options(), &counting);
    audit.findings.iter().for_each(|finding| context.finding(finding));
    if context.json {
        context.json_line(&audit)?;
        return Ok(Exit::Done);
    }
    let mut out = context.out();
    for (name, state) in [(context.say("红方", "Red"), &audit.red), (context.say("黑方", "Black"), &audit.black)] {
        side_line(&mut **out, name, state, context)?;
    }
    for gap in &audit.gaps {
        writeln!(
            out,
            "{} {}–{}: {} {}, {}",
            context.say("双方均缺", "missing on both sheets, plies"),
            gap.ply,
            gap.ply + gap.plies - 1,
            context.say("可能的补法", "ways to bridge it"),
            gap.ways,
            yipu::audit::page::hole_capture_text(gap.capture, language(context))
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
    Ok(Exit::Done)
}

fn side_line(out: &mut dyn Write, name: &str, state: &SheetState, context: &Context) -> std::io::Result<()> {
    writeln!(
        out,
        "{name}: {} {}, {} {}, {} {}, {} {}, {}",
        context.say("漏记", "missing"),
        state.missing,
        context.say("无法辨认", "illegible"),
        state.illegible,
        context.say("误记", "wrong"),
        state.wrong,
        context.say("犯规", "fouls"),
        state.fouls,
        if state.may_claim {
            context.say("可以提请审核", "may have a claim examined")
        } else {
            context.say("提请审核不予受理（22.3）", "may not have a claim examined (22.3)")
        }
    )
}

