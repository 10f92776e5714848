//! `yipu audit limit`: a 自然限着 claim, as figures and as a page for both players.

use super::{Context, Exit, Side, language};
use crate::cli::output::write_file;
use crate::cli::reading::GameRef;
use crate::cli::transcribe::SheetArgs;
use anyhow::{Context as _, bail};
use std::io::Write;
use std::path::PathBuf;
use yipu::audit::limit::{Audit, Claim, Edition, Hole, HoleCapture, Verdict, audit};
use yipu::audit::page::{Language, LimitPage};
use yipu::board::{Color, Move, Position};
use yipu::diag::Finding;
use yipu::format::{Detected, Status, detect};
use yipu::game::Name;
use yipu::notation::{Dialect, Notation, Style, read_whole, resolve, write_move};
use yipu::sheet::{Transcript, transcribe};

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum EditionArg {
    #[value(name = "1956")]
    Y1956,
    #[value(name = "1987")]
    Y1987,
    #[value(name = "2011")]
    Y2011,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum PageArg {
    /// Plain text
    Text,
    /// One HTML file to print
    Html,
}

/// Options of `yipu audit limit`.
#[derive(Debug, clap::Args)]
pub struct Command {
    /// A file, FILE#N for its N-th game, a score sheet, or the number of a game with --db
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

    /// The page for both players: as text, or as HTML to print, in the language of `--lang`
    #[arg(long, value_enum, default_value = "text")]
    page: PageArg,

    /// Write the page to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Overwrite an existing file
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    reading: SheetArgs,
}

/// A record ready for an audit.
struct Record {
    start: Position,
    moves: Vec<Move>,
    holes: Vec<Hole>,
    findings: Vec<Finding>,
    title: String,
}

fn record(game: &GameRef, as_sheet: bool, reading: &SheetArgs, context: &Context) -> anyhow::Result<Record> {
    let path = &game.file;
    let stored = !as_sheet && reading.db.is_some() && game.stored_number().is_some();
    let is_sheet = !stored && (as_sheet || reading.fen.is_some() || game.number == 1 && looks_like_sheet(game)?);
    if is_sheet {
        let sheet = reading.sheet(path)?;
        let book = reading.book()?;
        let transcript = transcribe(&[sheet], &reading.options(book.as_ref()));
        let mut holes = transcript.holes();
        // An entry with several readings leaves the board behind it open.
        if let Some(&ply) = transcript.open_plies.first() {
            holes.push(Hole { after_ply: ply.saturating_sub(1), capture: HoleCapture::May });
        }
        let title = path.display().to_string();
        let Transcript { start, moves, findings, .. } = transcript;
        return Ok(Record { start, moves, holes, findings, title });
    }
    let read = game.read_or_stored(
        reading.db.as_deref(),
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
    let header = |name| read.game.headers.get(name).map(str::trim).filter(|text| !text.is_empty());
    let players = match (header(Name::Red), header(Name::Black)) {
        (None, None) => path.display().to_string(),
        (red, black) => format!("{} – {}", red.unwrap_or("?"), black.unwrap_or("?")),
    };
    let title = match header(Name::Event) {
        Some(event) => format!("{players}{}{event}", context.say("，", ", ")),
        None => players,
    };
    Ok(Record { start: read.game.start, moves, holes, findings: read.findings, title })
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

/// Runs the command.
pub fn run(args: &Command, context: &Context) -> anyhow::Result<Exit> {
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
    }
    if !context.json || args.output.is_some() {
        let mut moves = record.moves[..at].to_vec();
        moves.extend(pending);
        // As the readers of the page write moves.
        let notation = match language(context) {
            Language::Chinese => Notation::Chinese,
            Language::English => Notation::Wxf,
        };
        let page = LimitPage {
            audit: &audit,
            start: &record.start,
            moves: &moves,
            move_text: &|m, position| {
                let mut text = String::new();
                write_move(m, position, &Style::of(notation), &mut text);
                text
            },
            title: &record.title,
        };
        let text = match args.page {
            PageArg::Text => page.to_text(language(context)),
            PageArg::Html => page.to_html(language(context)),
        };
        match &args.output {
            Some(path) => write_file(path, text.as_bytes(), args.force)?,
            None => context.out().write_all(text.as_bytes())?,
        }
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
