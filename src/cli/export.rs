//! `yipu db export`: everything in a database, for other programs and for keeping.

use super::reading::{encoding_name, notation_name};
use super::{Context, Exit};
use anyhow::{Context as _, bail};
use serde_json::json;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use yipu::export::lines;
use yipu::format::{self, Format, WriteOptions};
use yipu::notation::{Notation, Style};
use yipu::store::Database;

/// Options of `yipu db export`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
jsonl loses nothing: indexing it gives an equal database. parquet makes games.parquet and positions/BUCKET.parquet, the
positions in equal ranges of keys, sorted within; a key is the key of the position XOR 2^63 as a signed number.")]
pub struct Args {
    /// The database
    #[arg(long, value_name = "DB")]
    db: PathBuf,

    /// jsonl, pgn, csv, parquet, or any other format that is written (yipu formats)
    #[arg(long, value_name = "FORMAT", value_parser = target)]
    to: Target,

    /// File to write (- for standard output); a folder for parquet and for formats of one game a file
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// How moves are written, where the format leaves a choice
    #[arg(long, value_name = "NOTATION", default_value = "chinese", value_parser = notation_name)]
    notation: Notation,

    /// Encoding to write, where the format leaves a choice
    #[arg(long, value_name = "ENCODING", default_value = "utf-8", value_parser = encoding_name)]
    encoding: &'static encoding_rs::Encoding,

    /// Files of positions for parquet, a power of two [default: by the number of positions]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    buckets: Option<u16>,

    /// Overwrite existing files
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug)]
enum Target {
    Parquet,
    Format(Format),
}

fn target(name: &str) -> Result<Target, String> {
    match name.to_ascii_lowercase().as_str() {
        "parquet" => Ok(Target::Parquet),
        "jsonl" => Ok(Target::Format(Format::Json)),
        other => {
            super::reading::format_name(other).map(Target::Format).map_err(|error| format!("{error}, parquet, jsonl"))
        }
    }
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let database = Database::open(&args.db)?;
    match args.to {
        Target::Parquet => parquet(args, &database, context),
        Target::Format(to) => games(args, &database, to, context),
    }
}

fn games(args: &Args, database: &Database, to: Format, context: &Context) -> anyhow::Result<Exit> {
    let writer = format::writer(to).with_context(|| format!("{to} can be read but not written"))?;
    let options = WriteOptions {
        style: Style { notation: args.notation, ..Style::default() },
        encoding: args.encoding,
        ..WriteOptions::default()
    };
    let mut games = lines(database, writer, options);
    let mut count = 0u64;
    if !writer.holds_many() {
        if args.output.as_os_str() == "-" {
            bail!("{to} holds one game a file: name a folder with -o");
        }
        while let Some((number, bytes)) = games.next() {
            if context.interrupted() {
                return Ok(Exit::Interrupted);
            }
            let path = args.output.join(format!("{number:07}.{}", writer.extension()));
            let mut out = Vec::new();
            writer.join(&mut std::iter::once(bytes), &mut out)?;
            super::output::write_file(&path, &out, args.force)?;
            games.take_findings().iter().for_each(|finding| context.finding(finding));
            count += 1;
        }
    } else {
        let mut bytes = std::iter::from_fn(|| {
            if context.interrupted() {
                return None;
            }
            let next = games.next()?;
            games.take_findings().iter().for_each(|finding| context.finding(finding));
            count += 1;
            Some(next.1)
        });
        if args.output.as_os_str() == "-" {
            writer.join(&mut bytes, &mut *context.out())?;
        } else {
            let mut file = whole_file(&args.output, args.force)?;
            writer.join(&mut bytes, &mut BufWriter::with_capacity(1 << 20, file.as_file_mut()))?;
            if !context.interrupted() {
                finish(file, &args.output, args.force)?;
            }
        }
    }
    if context.interrupted() {
        return Ok(Exit::Interrupted);
    }
    games.end()?;
    if args.output.as_os_str() != "-" {
        told(count, None, args, context)?;
    }
    Ok(Exit::Done)
}

/// A temporary file beside the one to be written.
fn whole_file(path: &Path, force: bool) -> anyhow::Result<tempfile::NamedTempFile> {
    if path.exists() && !force {
        bail!("{} exists; --force overwrites it", path.display());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let file = tempfile::Builder::new().prefix(".yipu-").suffix(".tmp").tempfile_in(folder);
    file.with_context(|| folder.display().to_string())
}

fn finish(file: tempfile::NamedTempFile, path: &Path, force: bool) -> anyhow::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    let persisted = if force { file.persist(path) } else { file.persist_noclobber(path) };
    persisted.map(drop).map_err(|error| error.error).with_context(|| path.display().to_string())
}

fn told(games: u64, positions: Option<(u64, usize)>, args: &Args, context: &Context) -> anyhow::Result<()> {
    let out = args.output.display().to_string();
    if context.json {
        let mut line = json!({ "file": out, "games": games });
        if let Some((positions, buckets)) = positions {
            line["positions"] = positions.into();
            line["buckets"] = buckets.into();
        }
        return context.json_line(&line);
    }
    let mut to = context.out();
    write!(to, "{} {games}", context.say("对局", "games"))?;
    if let Some((positions, buckets)) = positions {
        write!(
            to,
            "   {} {positions}   {} {buckets}",
            context.say("局面", "positions"),
            context.say("分桶", "buckets")
        )?;
    }
    writeln!(to, "   {out}")?;
    Ok(())
}

#[cfg(feature = "parquet")]
fn parquet(args: &Args, database: &Database, context: &Context) -> anyhow::Result<Exit> {
    use yipu::export::parquet::{ExportError, export};
    let filled = args.output.read_dir().is_ok_and(|mut entries| entries.next().is_some());
    if filled && !args.force {
        bail!("{} is not empty; --force writes into it", args.output.display());
    }
    match export(database, &args.output, args.buckets.map(usize::from), context.stop_flag()) {
        Ok(written) => {
            told(written.games, Some((written.positions, written.buckets)), args, context)?;
            Ok(Exit::Done)
        }
        Err(ExportError::Interrupted) => Ok(Exit::Interrupted),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &Args, _: &Database, _: &Context) -> anyhow::Result<Exit> {
    bail!("this yipu was built without Parquet: build it with `cargo build --release --features parquet`")
}
