//! `yipu audit ledger`: the fouls of an event, from its log.

use super::{Context, Exit, side_name};
use anyhow::{Context as _, bail};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use yipu::audit::ledger::{Decision, EventClass, GameFouls, Ledger, Log, Rules, SideFouls};
use yipu::board::Color;

/// Options of `yipu audit ledger`.
#[derive(Debug, clap::Args)]
pub struct Command {
    /// The event log: CSV with the columns game, side, player, event, count, stage; or JSON Lines with these names; - for
    /// standard input
    #[arg(value_name = "LOG")]
    log: PathBuf,

    /// Only this game
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    #[command(flatten)]
    rules: RulesArgs,

    /// One foul for every four missing entries, without the cap of two an inspection
    #[arg(long)]
    uncapped: bool,
}

/// What the regulations of an event lay down.
#[derive(Debug, clap::Args)]
pub struct RulesArgs {
    /// What a move against the rules costs: national: the game; provincial (and youth): a foul, the second the game (4.1.8,
    /// 8.1.8)
    #[arg(long, value_enum, value_name = "CLASS")]
    class: Option<ClassArg>,

    /// From which lead in draw offers an offer is a foul: 2 as 8.1.3 reads, 3 as 22.1 may be read
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=9))]
    offer_lead: u32,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ClassArg {
    National,
    Provincial,
    Youth,
}

impl RulesArgs {
    /// The same as plain values.
    pub fn rules(&self, uncapped: bool) -> Rules {
        Rules {
            class: self.class.map(|class| match class {
                ClassArg::National => EventClass::National,
                ClassArg::Provincial | ClassArg::Youth => EventClass::Provincial,
            }),
            offer_lead: self.offer_lead,
            uncapped,
        }
    }
}

/// The largest log read.
const MOST_BYTES: u64 = 16 << 20;

/// Reads a log; its findings name the file.
pub fn read_log(path: &Path) -> anyhow::Result<Log> {
    let mut bytes = Vec::new();
    let name = path.display().to_string();
    if path.as_os_str() == "-" {
        std::io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    } else {
        let file = std::fs::File::open(path).with_context(|| name.clone())?;
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes).with_context(|| name.clone())?;
    }
    if bytes.len() as u64 > MOST_BYTES {
        bail!("{name}: too large for an event log");
    }
    let (text, _, faults) = yipu::text::decode(&bytes, None);
    let mut log = Log::read(&text);
    if faults.count > 0 {
        log.findings.push(yipu::diag::Finding::new(yipu::diag::codes::BAD_BYTES, "some bytes could not be decoded"));
    }
    log.findings.iter_mut().for_each(|finding| finding.locate(&name, None));
    Ok(log)
}

/// Runs the command.
pub fn run(args: &Command, context: &Context) -> anyhow::Result<Exit> {
    let log = read_log(&args.log)?;
    let name = args.log.display().to_string();
    let mut ledger = Ledger::of(&log, &args.rules.rules(args.uncapped));
    for finding in &mut ledger.findings {
        finding.locate(&name, None);
        context.finding(finding);
    }
    if let Some(game) = &args.game {
        if !ledger.games.iter().any(|g| g.game == *game) {
            bail!("--game {game}: no such game in the log");
        }
        ledger.games.retain(|g| g.game == *game);
    }
    if context.json {
        context.json_line(&ledger)?;
        return Ok(Exit::Done);
    }
    for game in &ledger.games {
        show_game(game, context)?;
    }
    show_players(&ledger, context)?;
    Ok(Exit::Done)
}

/// A game with its fouls.
pub fn show_game(game: &GameFouls, context: &Context) -> anyhow::Result<()> {
    writeln!(context.out(), "{} {}", context.say("对局", "game"), game.game)?;
    for (color, side) in [(Color::Red, &game.red), (Color::Black, &game.black)] {
        show_side(color, side, context)?;
    }
    if let Some(decision) = &game.decision {
        writeln!(context.out(), "  {}", decision_text(decision, context))?;
    }
    Ok(())
}

fn decision_text(decision: &Decision, context: &Context) -> String {
    let side = side_name(decision.loser, context);
    match context.lang {
        crate::cli::Lang::Zh => {
            format!("{side}判负：{}（{}，日志第 {} 行）", decision.reason.chinese(), decision.article, decision.line)
        }
        crate::cli::Lang::En => {
            format!(
                "{side} loses: {} ({}, line {} of the log)",
                decision.reason.english(),
                decision.article,
                decision.line
            )
        }
    }
}

fn show_side(color: Color, side: &SideFouls, context: &Context) -> anyhow::Result<()> {
    let mut out = context.out();
    write!(out, "  {}", side_name(color, context))?;
    if let Some(player) = &side.player {
        write!(out, " {player}")?;
    }
    write!(out, "{}{} {}", context.say("：", ": "), context.say("犯规", "fouls"), side.total)?;
    if side.seconds_off > 0 {
        let minutes = side.seconds_off / 60;
        write!(out, "{}", context.say("，扣时 ", ", "))?;
        write!(out, "{minutes}{}", context.say(" 分钟", " minutes off the clock"))?;
    }
    if side.warnings > 0 {
        write!(out, "{}{}", context.say("，警告 ", ", warnings "), side.warnings)?;
    }
    writeln!(out)?;
    for foul in &side.fouls {
        let event = match context.lang {
            crate::cli::Lang::Zh => foul.event.chinese(),
            crate::cli::Lang::En => foul.event.in_plain_english(),
        };
        write!(out, "    {} {event}{}{}", foul.article, context.say(" 犯规 +", ": fouls +"), foul.fouls)?;
        if foul.spared {
            write!(out, "{}", context.say("，立即认输，免判（8.2）", ", spared: resigned at once (8.2)"))?;
        } else {
            write!(out, "{}{}", context.say("，累计 ", ", in all "), foul.total)?;
        }
        writeln!(out, "{}{}{}", context.say("（日志第 ", " (line "), foul.line, context.say(" 行）", " of the log)"))?;
    }
    Ok(())
}

/// The totals over the event.
pub fn show_players(ledger: &Ledger, context: &Context) -> anyhow::Result<()> {
    let mut out = context.out();
    if ledger.players.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "{}",
        context.say("全赛累计（名次相同时犯规少者在前）", "over the event (fewer is better among equals)")
    )?;
    for p in &ledger.players {
        writeln!(
            out,
            "  {}{} {}{} {}{} {}{} {}",
            p.player,
            context.say("：局数", ": games"),
            p.games,
            context.say("，犯规", ", fouls"),
            p.fouls,
            context.say("，警告", ", warnings"),
            p.warnings,
            context.say("，判负", ", lost by ruling"),
            p.losses
        )?;
    }
    Ok(())
}
