//! `yipu board`: a diagram.

use super::output::write_file;
use super::reading::{GameRef, encoding_name, format_name};
use super::{Context, Exit};
use anyhow::{Context as _, bail};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use yipu::board::{Move, Position};
use yipu::diag::Finding;
use yipu::diagram::{Diagram, read_board};
use yipu::format::{Format, ReadOptions};
use yipu::notation::{Script, read_move};
use yipu::pipeline;

/// Options of `yipu board`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A FEN, a board drawn with characters, FILE, FILE#N, the number of a game with --db, or - for a FEN or a drawn
    /// board on standard input
    #[arg(value_name = "FEN|GAME")]
    what: String,

    /// The database that holds the game
    #[arg(long, value_name = "DB")]
    db: Option<PathBuf>,

    /// Show the position after this ply of the game [default: the last one]
    #[arg(long, value_name = "N")]
    ply: Option<usize>,

    /// What to draw
    #[arg(long, value_enum, default_value_t = Picture::Text)]
    to: Picture,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Overwrite an existing file
    #[arg(long)]
    force: bool,

    /// Black at the bottom: the board turned by half
    #[arg(long)]
    flip: bool,

    /// Do not mark the last move
    #[arg(long)]
    no_marks: bool,

    /// Draw an arrow, such as h2e2 (svg and png; may be repeated)
    #[arg(long, value_name = "MOVE")]
    arrow: Vec<Move>,

    /// Traditional characters
    #[arg(long)]
    traditional: bool,

    /// Width of the picture in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 600, value_parser = clap::value_parser!(u32).range(40..=8000))]
    size: u32,

    /// Read the file as this format, whatever it looks like
    #[arg(long, value_name = "FORMAT", value_parser = format_name)]
    format: Option<Format>,

    /// Read text in this encoding, whatever it looks like
    #[arg(long, value_name = "ENCODING", value_parser = encoding_name)]
    encoding: Option<&'static encoding_rs::Encoding>,
}

/// Kinds of pictures.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Picture {
    /// Characters for a terminal
    Text,
    /// A scalable picture
    Svg,
    /// Pixels
    Png,
    /// The FEN
    Fen,
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let Shown { position, last, findings } = match Position::read_fen(&args.what) {
        Ok(read) => {
            if args.ply.is_some_and(|ply| ply > read.moves.len()) {
                bail!("the FEN lists {} moves", read.moves.len());
            }
            let plies = args.ply.unwrap_or(read.moves.len());
            let findings = super::position::oddities(&read.notes, &read.start, &args.what, context);
            findings.iter().for_each(|finding| context.remark(finding));
            after(&read.start, &read.moves[..plies], findings)
        }
        Err(_) if args.what == "-" => {
            let text = super::position::standard_input()?;
            if holds_moves(&text) {
                // The readers of games take files.
                let mut file = tempfile::NamedTempFile::new().context("a temporary file")?;
                file.write_all(text.as_bytes())?;
                game(&file.path().display().to_string(), "-", args, context)?
            } else {
                position(&text, context)?
            }
        }
        // A board of ten lines is no file name.
        Err(_) if args.what.contains('\n') || drawn(&args.what) => position(&args.what, context)?,
        Err(_) if !args.what.contains('/') || std::path::Path::new(&file_of(&args.what)).exists() => {
            game(&args.what, &file_of(&args.what), args, context)?
        }
        Err(why) => return Err(why).with_context(|| format!("neither a file nor a FEN: {}", args.what)),
    };
    let mut diagram = Diagram::new(&position).flipped(args.flip);
    if let (Some(m), false) = (last, args.no_marks) {
        diagram = diagram.last_move(m);
    }
    if args.traditional {
        diagram = diagram.script(Script::Traditional);
    }
    diagram = args.arrow.iter().fold(diagram, |diagram, &m| diagram.arrow(m));
    let bytes = match args.to {
        Picture::Text => diagram.to_text().into_bytes(),
        Picture::Svg => diagram.to_svg(args.size).into_bytes(),
        Picture::Png => diagram.to_png(args.size),
        Picture::Fen => format!("{}\n", position.to_fen()).into_bytes(),
    };
    match &args.output {
        Some(path) => {
            write_file(path, &bytes, args.force)?;
            if context.json {
                let mut line = json!({"file": path.display().to_string(), "fen": position.to_fen()});
                if !findings.is_empty() {
                    line["findings"] = serde_json::to_value(&findings)?;
                }
                context.json_line(&line)?;
            }
        }
        // The shared output takes terminal codes out of text; pixels are no text.
        None if matches!(args.to, Picture::Png) => std::io::stdout().lock().write_all(&bytes)?,
        None => context.out().write_all(&bytes)?,
    }
    Ok(Exit::Done)
}

/// Whether a text is a record rather than a position: it has a tag or a move outside any board drawn in it.
fn holds_moves(text: &str) -> bool {
    if Position::read_fen(text).is_ok() {
        return false;
    }
    let board = read_board(text).map_or(0..0, |board| board.range);
    [&text[..board.start], &text[board.end..]].into_iter().flat_map(str::lines).any(|line| {
        let line = line.trim_start();
        let behind = line.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '、' | ' '));
        line.starts_with("[") && line.contains('"') || [line, behind].iter().any(|text| read_move(text).is_some())
    })
}

/// A board on one line: nine bars between rows that are not all ASCII.
fn drawn(text: &str) -> bool {
    text.trim_end_matches('/').matches('/').count() == 9 && !text.is_ascii() && !std::path::Path::new(text).exists()
}

fn file_of(text: &str) -> String {
    text.parse::<GameRef>().map_or_else(|_| text.to_string(), |game| game.file.display().to_string())
}

/// What is drawn, with what was found while reading it.
struct Shown {
    position: Position,
    last: Option<Move>,
    findings: Vec<Finding>,
}

fn position(text: &str, context: &Context) -> anyhow::Result<Shown> {
    let (position, findings) = super::position::examined(text, context)?;
    findings.iter().for_each(|finding| context.remark(finding));
    Ok(Shown { position, last: None, findings })
}

fn after(start: &Position, moves: &[Move], findings: Vec<Finding>) -> Shown {
    let mut position = *start;
    for &m in moves {
        position.play(m);
    }
    Shown { position, last: moves.last().copied(), findings }
}

/// Reads a game from a file; its findings name the file so.
fn game(what: &str, name: &str, args: &Args, context: &Context) -> anyhow::Result<Shown> {
    let reference: GameRef = what.parse().map_err(anyhow::Error::msg)?;
    let options = pipeline::Options {
        format: args.format,
        read: ReadOptions { encoding: args.encoding },
        ..pipeline::Options::default()
    };
    let mut read = reference.read_or_stored(args.db.as_deref(), context, &options)?;
    for finding in &mut read.findings {
        finding.locate(name, Some(reference.number));
        context.finding(finding);
    }
    let moves: Vec<Move> = read.game.moves().collect();
    let plies = args.ply.unwrap_or(moves.len());
    if plies > moves.len() {
        bail!("the main line has {} plies", moves.len());
    }
    Ok(after(&read.game.start, &moves[..plies], read.findings))
}
