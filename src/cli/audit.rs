//! `yipu audit`: what arbiters ask of a record.

use super::reading::{GameRef, encoding_name};
use super::transcribe::SheetArgs;
use super::{Context, Exit};
use anyhow::{Context as _, bail};
use std::io::Write;
use std::path::PathBuf;
use yipu::audit::clock::{ClockVerdict, Reading, Scheme, audit_clock};
use yipu::audit::limit::{Audit, Claim, Edition, Hole, HoleCapture, Verdict, audit};
use yipu::audit::page::{Language, limit_page};
use yipu::audit::record::{Counting, SheetState, audit_sheets};
use yipu::board::{Color, Move, Position};
use yipu::diag::Finding;
use yipu::format::{Detected, Status, detect};
use yipu::game::Game;
use yipu::notation::{Dialect, Notation, Style, read_whole, resolve, write_move};
use yipu::sheet::transcribe;

/// Options of `yipu audit`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Count missing entries and fouls of both players' sheets (2011: 7.1, 7.2, 8.1.6, 22.3)
    Sheet(SheetCommand),
    /// Audit a 自然限着 claim: rounds without a capture (2011: 4.2.4, 22.2)
    Limit(LimitCommand),
    /// Audit the clock times of a record (2011: 6, 21; 1956)
    Clock(ClockCommand),
    /// Find the games of a database whose result the board contradicts
    Results(super::results::Args),
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    match &args.what {
        What::Sheet(args) => sheet(args, context),
        What::Limit(args) => limit(args, context),
        What::Clock(args) => clock(args, context),
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

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum EditionArg {
    #[value(name = "1956")]
    Y1956,
    #[value(name = "1987")]
    Y1987,
    #[value(name = "2011")]
    Y2011,
}

#[derive(Debug, clap::Args)]
struct SheetCommand {
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

fn sheet(args: &SheetCommand, context: &Context) -> anyhow::Result<Exit> {
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

#[derive(Debug, clap::Args)]
struct LimitCommand {
    /// A file, FILE#N for its N-th game, or a score sheet
    game: GameRef,

    /// Who claims
    #[arg(long, value_enum)]
    claimant: Side,

    /// Plies played when the claim is made [default: all]
    #[arg(long, value_name = "PLY")]
    at: Option<u32>,

    /// The claimant's move announced with the claim, in any notation
    #[arg(long, value_name = "MOVE")]
    pending: Option<String>,

    /// Rounds without capture that are needed [default: 60 in the edition of 2011]
    #[arg(long, value_name = "ROUNDS")]
    limit: Option<u32>,

    /// The most checks of the claimant that count [default: 10 in the edition of 2011]
    #[arg(long, value_name = "N")]
    check_cap: Option<u32>,

    /// The rule book
    #[arg(long, value_enum, default_value = "2011")]
    edition: EditionArg,

    /// Plies of earlier claims by the same side
    #[arg(long, value_name = "PLY", value_delimiter = ',')]
    earlier: Vec<u32>,

    /// Seconds the claimant has left on the clock
    #[arg(long, value_name = "SECONDS")]
    seconds_left: Option<u32>,

    /// Read the file as a score sheet, whatever it looks like
    #[arg(long)]
    sheet: bool,

    #[command(flatten)]
    reading: SheetArgs,
}

/// A record ready for an audit.
struct Record {
    start: Position,
    moves: Vec<Move>,
    holes: Vec<Hole>,
    findings: Vec<Finding>,
}

fn record(game: &GameRef, as_sheet: bool, reading: &SheetArgs, context: &Context) -> anyhow::Result<Record> {
    let path = &game.file;
    let is_sheet = as_sheet || reading.fen.is_some() || game.number == 1 && looks_like_sheet(game)?;
    if is_sheet {
        let sheet = reading.sheet(path)?;
        let transcript = transcribe(&[sheet], &reading.options());
        let mut holes = transcript.holes();
        // An entry with several readings leaves the board behind it open.
        if let Some(&ply) = transcript.open_plies.first() {
            holes.push(Hole { after_ply: ply.saturating_sub(1), capture: HoleCapture::May });
        }
        return Ok(Record { start: transcript.start, moves: transcript.moves, holes, findings: transcript.findings });
    }
    let read = game.read(
        context,
        &yipu::pipeline::Options {
            format: None,
            read: yipu::format::ReadOptions { encoding: reading.encoding },
            limits: yipu::input::Limits::default(),
        },
    )?;
    let moves: Vec<Move> = read.game.moves().collect();
    let broken = read.status != Status::Ok || !read.game.rest.is_empty();
    let holes =
        if broken { vec![Hole { after_ply: moves.len() as u32, capture: HoleCapture::May }] } else { Vec::new() };
    Ok(Record { start: read.game.start, moves, holes, findings: read.findings })
}

/// Whether a file is text that no record format claims with certainty.
fn looks_like_sheet(game: &GameRef) -> anyhow::Result<bool> {
    if game.file.as_os_str() == "-" || !game.file.is_file() {
        return Ok(false);
    }
    let bytes = std::fs::read(&game.file).with_context(|| game.file.display().to_string())?;
    Ok(match detect(&bytes) {
        Detected::Format { reader, .. } => reader.format().name() == "text",
        Detected::Refused(_) => !bytes.contains(&0),
    })
}

fn limit(args: &LimitCommand, context: &Context) -> anyhow::Result<Exit> {
    let record = record(&args.game, args.sheet, &args.reading, context)?;
    let claimant = Color::from(args.claimant);
    let at = args.at.map_or(record.moves.len(), |at| at as usize).min(record.moves.len());
    let mut position = record.start;
    record.moves[..at].iter().for_each(|&m| {
        position.play(m);
    });
    let pending = args.pending.as_deref().map(|text| pending_move(text, &position)).transpose()?;
    let claim = Claim {
        claimant: Some(claimant),
        at: args.at,
        pending,
        limit: args.limit,
        check_cap: args.check_cap,
        edition: match args.edition {
            EditionArg::Y1956 => Edition::Y1956,
            EditionArg::Y1987 => Edition::Y1987,
            EditionArg::Y2011 => Edition::Y2011,
        },
        earlier: args.earlier.clone(),
        seconds_left: args.seconds_left,
    };
    let mut audit: Audit = audit(&record.start, &record.moves, &record.holes, &claim);
    let mut findings = record.findings;
    findings.append(&mut audit.findings);
    audit.findings = findings;
    audit.findings.iter_mut().for_each(|finding| finding.locate(&args.game.file.display().to_string(), None));
    audit.findings.iter().for_each(|finding| context.finding(finding));
    if context.json {
        context.json_line(&audit)?;
    } else {
        let mut moves = record.moves[..at].to_vec();
        moves.extend(pending);
        let style = Style::of(Notation::Chinese);
        let page = limit_page(&audit, &record.start, &moves, language(context), &|m, position| {
            let mut text = String::new();
            write_move(m, position, &style, &mut text);
            text
        });
        context.out().write_all(page.as_bytes())?;
    }
    Ok(if audit.verdict == Verdict::Refused { Exit::Findings } else { Exit::Done })
}

/// The announced move: one reading, or no move at all.
fn pending_move(text: &str, position: &Position) -> anyhow::Result<Move> {
    if let Ok(m) = text.parse() {
        return Ok(m);
    }
    let Some(token) = read_whole(text) else { bail!("--pending {text}: not a move") };
    match &resolve(&token, position, Dialect::OPEN)[..] {
        [m] => Ok(*m),
        [] => bail!("--pending {text}: fits no legal move"),
        several => {
            bail!("--pending {text}: may be {}", several.iter().map(Move::to_string).collect::<Vec<_>>().join(" or "))
        }
    }
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum TimesArg {
    /// Time left after the ply
    Left,
    /// Time used in all after the ply
    Used,
    /// Time of the ply alone
    Spent,
}

#[derive(Debug, clap::Args)]
struct ClockCommand {
    /// A file, or FILE#N for its N-th game
    game: GameRef,

    /// The time control: 60m+30s, 30/60m,10/10m, 60m, 1956-1 (90 min, then a minute a move), 1956-2 (2 min a move, 30 min reserve)
    #[arg(long, value_parser = |text: &str| Scheme::read(text).ok_or("not a time control"))]
    scheme: Scheme,

    /// What the times of the record are
    #[arg(long, value_enum, default_value = "left")]
    times: TimesArg,

    /// Read all text in this encoding instead of finding it from the content
    #[arg(long, value_name = "ENCODING", value_parser = encoding_name)]
    encoding: Option<&'static encoding_rs::Encoding>,
}

fn clock(args: &ClockCommand, context: &Context) -> anyhow::Result<Exit> {
    let read = args.game.read(
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
    let audit = audit_clock(game.start.side_to_move(), &times, &last, args.scheme, reading);
    if context.json {
        context.json_line(&audit)?;
    } else {
        let mut out = context.out();
        for (name, side) in [(context.say("红方", "Red"), &audit.red), (context.say("黑方", "Black"), &audit.black)]
        {
            writeln!(
                out,
                "{name}: {} {}, {} {}, {} {}",
                context.say("着数", "moves"),
                side.moves,
                context.say("用时", "used"),
                clock_text(side.used),
                context.say("剩余", "left"),
                side.left.map_or_else(|| "—".to_string(), clock_text)
            )?;
        }
        let verdict = match audit.verdict {
            ClockVerdict::Kept => context.say("没有超时", "nobody overstepped the time"),
            ClockVerdict::RedLoses => context.say("红方超时判负", "Red overstepped the time and loses"),
            ClockVerdict::BlackLoses => context.say("黑方超时判负", "Black overstepped the time and loses"),
            ClockVerdict::BoardDecides => {
                context.say("超时但已将死或困毙，以棋盘为准（21.6）", "the board decides (21.6)")
            }
            ClockVerdict::Unknown => context.say("记录没有用时", "the record has no times"),
        };
        writeln!(out, "{verdict}")?;
    }
    Ok(if audit.verdict == ClockVerdict::Unknown { Exit::Findings } else { Exit::Done })
}

fn clock_text(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn language(context: &Context) -> Language {
    match context.lang {
        super::Lang::Zh => Language::Chinese,
        super::Lang::En => Language::English,
    }
}
