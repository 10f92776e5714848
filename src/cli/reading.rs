//! Options and steps shared by every command that reads records: which files, in which format and encoding, with a
//! progress bar.

use super::Context;
use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use std::time::Duration;
use yipu::diag::Finding;
use yipu::format::{Format, ReadGame, ReadOptions};
use yipu::input::{Input, walk};
use yipu::notation::Notation;
use yipu::pipeline::{self, Event, Numbered};
use yipu::store::{Database, StoredGame};

/// Which files to read, and as what.
#[derive(Debug, clap::Args)]
pub struct PathArgs {
    /// Files, folders (read through), or - for standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Read everything as this format instead of finding it from the content
    #[arg(long, value_name = "FORMAT", value_parser = format_name)]
    pub format: Option<Format>,
}

/// Which input to read, and how.
#[derive(Debug, clap::Args)]
pub struct InputArgs {
    #[command(flatten)]
    paths: PathArgs,

    /// Read all text in this encoding instead of finding it from the content
    #[arg(long, alias = "input-encoding", value_name = "ENCODING", value_parser = encoding_name)]
    encoding: Option<&'static encoding_rs::Encoding>,
}

/// The same as plain values.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Files and folders; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// The user's word on format and encoding, and the limits.
    pub options: pipeline::Options,
    /// Results, which may lie in a folder that is read: they are passed over, with all that is in them.
    pub results: Vec<PathBuf>,
}

impl From<&InputArgs> for Reading {
    fn from(args: &InputArgs) -> Reading {
        Reading::new(&args.paths, args.encoding)
    }
}

/// Reads a format name.
pub fn format_name(name: &str) -> Result<Format, String> {
    Format::find(name).ok_or_else(|| {
        let names: Vec<&str> = Format::ALL.iter().map(|f| f.name()).collect();
        format!("no format of this name; known are {}", names.join(", "))
    })
}

/// Reads the name of a notation.
pub fn notation_name(name: &str) -> Result<Notation, String> {
    Notation::ALL
        .into_iter()
        .find(|n| n.name().eq_ignore_ascii_case(name))
        .ok_or_else(|| format!("no notation of this name; known are {}", Notation::ALL.map(Notation::name).join(", ")))
}

/// Reads an encoding label; GBK and GB2312 are read and written as GB18030, which holds both.
pub fn encoding_name(label: &str) -> Result<&'static encoding_rs::Encoding, String> {
    match encoding_rs::Encoding::for_label(label.as_bytes()) {
        Some(encoding) if encoding == encoding_rs::GBK => Ok(encoding_rs::GB18030),
        Some(encoding) => Ok(encoding),
        None => {
            Err("no encoding of this name; usual ones are utf-8, gbk, gb18030, big5, utf-16le, windows-1258".into())
        }
    }
}

/// Totals over a run.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
pub struct Totals {
    /// Files that were opened.
    pub files: u64,
    /// Games found in them.
    pub games: u64,
    /// Bytes read.
    pub bytes: u64,
}

impl Reading {
    /// Reads these paths, with the user's word on the encoding.
    pub fn new(args: &PathArgs, encoding: Option<&'static encoding_rs::Encoding>) -> Reading {
        let options = pipeline::Options {
            format: args.format,
            read: ReadOptions { encoding },
            limits: yipu::input::Limits::default(),
        };
        Reading { paths: args.paths.clone(), options, results: Vec::new() }
    }

    /// Every file below the paths, and what was found in the way: paths that do not exist, folders that cannot be opened.
    ///
    /// # Errors
    ///
    /// If there is no file at all.
    fn inputs(&self) -> anyhow::Result<(Vec<Input>, Vec<Finding>)> {
        let mut faults = Vec::new();
        let mut inputs: Vec<Input> = walk(&self.paths, &mut |finding| faults.push(finding)).collect();
        let results = self.results_among_inputs();
        if !results.is_empty() {
            inputs.retain(|input| input.path.as_ref().is_none_or(|path| !results.iter().any(|r| path.starts_with(r))));
        }
        if inputs.is_empty() && faults.is_empty() {
            bail!(
                "no files below {}",
                self.paths.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ")
            );
        }
        Ok((inputs, faults))
    }

    /// The results that lie below folders that are read, named as they are met there.
    fn results_among_inputs(&self) -> Vec<PathBuf> {
        let folders =
            self.paths.iter().filter_map(|path| Some((path, path.canonicalize().ok().filter(|p| p.is_dir())?)));
        let mut found = Vec::new();
        for (path, folder) in folders {
            for result in &self.results {
                let below = result
                    .canonicalize()
                    .ok()
                    .and_then(|result| Some(result.strip_prefix(&folder).ok()?.to_path_buf()));
                found.extend(below.filter(|below| !below.as_os_str().is_empty()).map(|below| path.join(below)));
            }
        }
        found
    }

    /// Reads all input: `map` turns games into results (in parallel), `sink` gets them in order. Findings that belong to
    /// no game are shown here; those of games are for the sink to show.
    pub fn games<T: Send + Numbered>(
        &self,
        context: &Context,
        map: impl Fn(ReadGame) -> T + Sync,
        mut sink: impl FnMut(Event<T>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Totals> {
        let (inputs, faults) = self.inputs()?;
        for fault in faults {
            context.finding(&fault);
            sink(Event::Fault(fault))?;
        }
        let bar = progress(context, inputs.len() as u64);
        let mut totals = Totals::default();
        pipeline::run(inputs.into_iter(), &self.options, context.stop_flag(), map, |event| {
            match &event {
                Event::End { bytes, games, findings, .. } => {
                    totals.files += 1;
                    totals.games += games;
                    totals.bytes += bytes;
                    bar.inc(1);
                    bar.suspend(|| findings.iter().for_each(|finding| context.finding(finding)));
                }
                Event::Fault(finding) => bar.suspend(|| context.finding(finding)),
                _ => {}
            }
            bar.suspend(|| sink(event))
        })?;
        bar.finish_and_clear();
        Ok(totals)
    }
}

/// A progress bar over files, hidden where nobody would see it.
pub fn progress(context: &Context, files: u64) -> ProgressBar {
    if !context.shows_progress() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(files);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} {elapsed} (ETA {eta})") {
        bar.set_style(style.progress_chars("━╸ "));
    }
    bar.set_message(context.say("个文件", "files"));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A game of a database, as one read from a file.
///
/// # Errors
///
/// If the database has no such game, or cannot be read.
pub fn stored_game(database: &Database, name: &Path, number: u32) -> anyhow::Result<ReadGame> {
    if !database.holds(number) {
        bail!("{}: no game {number}", name.display());
    }
    let StoredGame { game, status, .. } = database.game(number)?;
    Ok(ReadGame { game, number: u64::from(number), encoding: "utf-8", status, findings: Vec::new() })
}

/// One game: a file, `FILE#N` for its N-th game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRef {
    /// The file; `-` is standard input.
    pub file: PathBuf,
    /// Which game, from 1.
    pub number: u64,
}

impl std::str::FromStr for GameRef {
    type Err = String;

    fn from_str(text: &str) -> Result<GameRef, String> {
        match text.rsplit_once('#') {
            // A `#` may be part of a name: only digits behind it make a game number.
            Some((file, number)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => {
                let number = number.parse().map_err(|_| format!("{number} is no game number"))?;
                Ok(GameRef { file: file.into(), number })
            }
            _ => Ok(GameRef { file: text.into(), number: 1 }),
        }
    }
}

impl GameRef {
    /// Reads the game: from the database, where one is given and this is a number and no file.
    ///
    /// # Errors
    ///
    /// As for [`GameRef::read`] and [`stored_game`].
    pub fn read_or_stored(
        &self,
        db: Option<&Path>,
        context: &Context,
        options: &pipeline::Options,
    ) -> anyhow::Result<ReadGame> {
        match db.and_then(|db| Some((db, self.stored_number()?))) {
            Some((db, number)) => stored_game(&Database::open(db)?, db, number),
            None => self.read(context, options),
        }
    }

    /// The number of a game of a database this may be: `427` or `#427`, unless a file has that name.
    pub fn stored_number(&self) -> Option<u32> {
        if self.file.as_os_str().is_empty() {
            return self.number.try_into().ok();
        }
        let digits = self.file.to_str().filter(|text| text.bytes().all(|b| b.is_ascii_digit()))?;
        if self.file.exists() { None } else { digits.parse().ok() }
    }

    /// Reads the game.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or holds no game of that number.
    pub fn read(&self, context: &Context, options: &pipeline::Options) -> anyhow::Result<ReadGame> {
        let path = [self.file.clone()];
        let mut faults: Vec<Finding> = Vec::new();
        let inputs: Vec<Input> = walk(&path, &mut |finding| faults.push(finding)).collect();
        let mut found = None;
        let mut seen = 0;
        // An error is the way to stop reading early.
        let _: Result<(), ()> = pipeline::run(
            inputs.into_iter(),
            options,
            context.stop_flag(),
            |game| game,
            |event| {
                match event {
                    Event::Game(game) => {
                        seen += 1;
                        if game.number == self.number {
                            found = Some(game);
                            return Err(());
                        }
                    }
                    Event::End { findings, .. } => faults.extend(findings),
                    Event::Fault(finding) => faults.push(finding),
                    Event::File { .. } => {}
                }
                Ok(())
            },
        );
        faults.iter().for_each(|finding| context.finding(finding));
        found.with_context(|| format!("{}: no game {} (it holds {seen})", self.file.display(), self.number))
    }
}
