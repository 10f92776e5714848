//! `yipu convert`: records in any format to records in one format.
//!
//! Where results go: `-o FILE` takes all games if the format holds many (or there is one game); `-o FOLDER/` (or an
//! existing folder, or a new name without an ending where several files come in) gets one file for each input file, in
//! the same tree of folders; a format of one game a file gets
//! `name-0001.xqf` … where an input holds several. Results of files that read the same are the same bytes, so a second run
//! finds nothing to do. A result that would change is left as it is, and said, unless `--force` is given; the others are
//! written all the same. Results that lie among the input are not read.

use super::output::{Exists, write_file, write_stream};
use super::pile::Pile;
use super::reading::{PathArgs, Reading, encoding_name, format_name, notation_name};
use super::style::StyleArgs;
use super::{Context, Exit, Lang};
use anyhow::{Context as _, bail};
use serde_json::json;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use yipu::diag::{Finding, codes};
use yipu::format::{self, DiagramAt, Format, ReadGame, Status, WriteOptions, Writer, xqf};
use yipu::notation::{Notation, Script, Style};
use yipu::pipeline::{Event, Numbered};

/// Options of `yipu convert`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: PathArgs,

    /// Format to write
    #[arg(long, value_name = "FORMAT", value_parser = format_name)]
    to: Format,

    /// File or folder to write (- for standard output)
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// How moves are written, where the format leaves a choice
    #[arg(long, value_name = "NOTATION", default_value = "chinese", value_parser = notation_name)]
    notation: Notation,

    /// Characters of Chinese moves [default: simplified; traditional where the encoding is Big5]
    #[arg(long, value_enum)]
    script: Option<ScriptName>,

    #[command(flatten)]
    choices: StyleArgs,

    /// Encoding to write, where the format leaves a choice
    #[arg(long, value_name = "ENCODING", default_value = "utf-8", value_parser = encoding_name)]
    encoding: &'static encoding_rs::Encoding,

    /// Read all text in this encoding instead of finding it from the content
    #[arg(long, value_name = "ENCODING", value_parser = encoding_name)]
    input_encoding: Option<&'static encoding_rs::Encoding>,

    /// Leave side lines out
    #[arg(long)]
    main_line: bool,

    /// Which version of XQF to write
    #[arg(long, value_enum, default_value_t = XqfVersion::Plain)]
    xqf: XqfVersion,

    /// Diagrams on pages (text, html) behind these plies, such as start,20,40,end; none for no diagrams [default: start
    /// if it is no normal one, on html pages end as well]
    #[arg(long, value_name = "PLIES", value_delimiter = ',', value_parser = diagram_at)]
    diagrams: Option<Vec<Option<DiagramAt>>>,

    /// Write every finding to this file as well, one JSON object a line
    #[arg(long, value_name = "FILE")]
    findings: Option<PathBuf>,

    /// Overwrite existing files
    #[arg(long)]
    force: bool,
}

/// Versions of XQF on the command line.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum XqfVersion {
    /// Nothing enciphered: every program reads it
    #[value(name = "1.0")]
    Plain,
    /// Version 1.8 with all keys zero
    #[value(name = "1.8")]
    New,
    /// Version 1.8 enciphered as XQStudio does, always with the same keys
    #[value(name = "1.8-keyed")]
    Keyed,
}

impl From<XqfVersion> for xqf::Form {
    fn from(version: XqfVersion) -> xqf::Form {
        match version {
            XqfVersion::Plain => xqf::Form::V10,
            XqfVersion::New => xqf::Form::V18,
            XqfVersion::Keyed => xqf::Form::Keyed(xqf::KeySeeds::default()),
        }
    }
}

fn diagram_at(text: &str) -> Result<Option<DiagramAt>, String> {
    Ok(match text {
        "none" => None,
        "start" => Some(DiagramAt::Start),
        "end" => Some(DiagramAt::End),
        number => match number.parse() {
            Ok(ply) => Some(DiagramAt::Ply(ply)),
            Err(_) => return Err("neither a ply number nor start, end or none".into()),
        },
    })
}

/// Names of scripts on the command line.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum ScriptName {
    /// 车马炮
    Simplified,
    /// 車馬砲
    Traditional,
}

impl From<ScriptName> for Script {
    fn from(name: ScriptName) -> Script {
        match name {
            ScriptName::Simplified => Script::Simplified,
            ScriptName::Traditional => Script::Traditional,
        }
    }
}

/// A game written, with everything found on the way.
struct Written {
    number: u64,
    bytes: Vec<u8>,
    findings: Vec<Finding>,
}

impl Numbered for Written {
    fn shift(&mut self, before: u64) {
        self.number += before;
        for finding in &mut self.findings {
            finding.game = finding.game.map(|game| game + before);
        }
    }

    fn memory(&self) -> usize {
        size_of::<Written>() + self.bytes.capacity() + Finding::memory_of(&self.findings)
    }
}

/// Where results go.
enum Target {
    Stdout,
    /// All games in one file.
    File(PathBuf),
    /// A tree of files.
    Folder(PathBuf),
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let xqf = xqf::XqfWriter { form: args.xqf.into() };
    let writer: &dyn Writer = match args.to {
        Format::Xqf => &xqf,
        format => format::writer(format).with_context(|| format!("{format} can be read but not written"))?,
    };
    let script = script_for(args)?;
    let options = WriteOptions {
        style: args.choices.apply(Style { notation: args.notation, script, ..Style::default() }),
        encoding: args.encoding,
        main_line: args.main_line,
        diagrams: args.diagrams.as_ref().map(|list| list.iter().copied().flatten().collect()),
        english: context.lang == Lang::En,
    };
    let target = target(&args.output, &args.input.paths, writer);
    let mut reading = Reading::new(&args.input, args.input_encoding);
    if let Target::Folder(folder) = &target
        && let Some(input) = args.input.paths.iter().find(|input| input.is_dir() && same_place(input, folder))
    {
        bail!(
            "{} is read, so it cannot take the results: the next run would read them too. Name another folder, which may \
             lie in it",
            input.display()
        );
    }
    reading.results.extend(args.findings.clone());
    if !matches!(target, Target::Stdout) {
        reading.results.push(args.output.clone());
    }
    let keeps_unread_position = matches!(args.to, Format::Pgn | Format::Json);
    let write = |read: ReadGame| {
        let mut bytes = Vec::new();
        let mut findings = read.findings;
        // A FEN that could not be read stays a header; such a game has no start position that could be written.
        if read.status == Status::Failed && read.game.headers.get_raw("FEN").is_some() && !keeps_unread_position {
            findings.push(Finding::new(
                codes::NOT_WRITABLE,
                yipu::say!("its start position could not be read; nothing was written"; "起始局面无法读取, 未写出"),
            ));
        } else {
            findings.extend(writer.write(&read.game, &options, &mut bytes));
        }
        Written { number: read.number, bytes, findings }
    };

    let mut out =
        Results { writer, force: args.force, made: HashSet::new(), written: 0, unchanged: 0, kept: 0, games: 0 };
    let mut name = String::new();
    let mut relative = PathBuf::new();
    let mut games = Pile::default();
    // With one target file all games of all inputs wait for the end, so that it is whole or not there.
    let mut all = Pile::default();
    let mut found = Pile::default();
    reading.games(context, write, |event| {
        match event {
            Event::File { name: n, relative: r, .. } => (name, relative) = (n, r),
            Event::Game(mut written) => {
                for finding in &mut written.findings {
                    finding.locate(&name, Some(written.number));
                    context.finding(finding);
                    if args.findings.is_some() {
                        found.push(&line_of(finding)?)?;
                    }
                }
                // The writer refused; the findings say why.
                if written.bytes.is_empty() {
                    return Ok(());
                }
                out.games += 1;
                match &target {
                    Target::Folder(_) => games.push(&written.bytes)?,
                    Target::File(path) if !writer.holds_many() && out.games > 1 => {
                        bail!("{} holds one game a file; name a folder instead of {}", args.to, path.display())
                    }
                    Target::File(_) => all.push(&written.bytes)?,
                    Target::Stdout if writer.joins() => all.push(&written.bytes)?,
                    Target::Stdout => {
                        let bytes = &written.bytes;
                        let bytes = if out.games > 1 { format::without_mark(bytes) } else { bytes };
                        context.out().write_all(bytes)?;
                    }
                }
            }
            Event::End { findings, .. } => {
                if args.findings.is_some() {
                    for finding in &findings {
                        found.push(&line_of(finding)?)?;
                    }
                }
                if let Target::Folder(folder) = &target
                    && !games.is_empty()
                {
                    out.file(&folder.join(&relative), std::mem::take(&mut games), context)?;
                }
            }
            Event::Fault(finding) => {
                if args.findings.is_some() {
                    found.push(&line_of(&finding)?)?;
                }
            }
        }
        Ok(())
    })?;
    if context.interrupted() {
        return Ok(Exit::Interrupted);
    }
    match &target {
        Target::File(path) if out.games > 0 => {
            out.joined(path, all, context)?;
        }
        Target::Stdout if !all.is_empty() => all.join(writer, &mut **context.out())?,
        _ => {}
    }
    if let Some(path) = &args.findings {
        match write_stream(path, args.force, |out| found.copy(out)) {
            Err(error) if error.is::<Exists>() => out.keep(&error, context)?,
            other => drop(other?),
        }
    }
    if !context.json && !matches!(target, Target::Stdout) {
        let text = context.say("文件写出", "files written");
        let same = context.say("未变", "unchanged");
        let count = context.say("对局", "games");
        write!(context.out(), "{text} {}   {same} {}   {count} {}", out.written, out.unchanged, out.games)?;
        if out.kept > 0 {
            let kept = context.say("与旧文件不同而未覆盖", "not overwritten");
            write!(context.out(), "   {kept} {}", out.kept)?;
        }
        writeln!(context.out())?;
    }
    if out.games == 0 {
        context.note_exit(Exit::Findings);
    }
    Ok(Exit::Done)
}

fn line_of(finding: &Finding) -> anyhow::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(finding)?;
    line.push(b'\n');
    Ok(line)
}

/// The script of Chinese moves: what was asked for, if the encoding can hold it.
fn script_for(args: &Args) -> anyhow::Result<Script> {
    let holds = |script: &Script| {
        let style = Style { notation: args.notation, script: *script, ..Style::default() };
        let moves = write_moves(&style);
        !args.encoding.output_encoding().encode(&moves).2
    };
    let wanted = args.script.map(Script::from);
    let candidates = wanted.map_or(vec![Script::Simplified, Script::Traditional], |script| vec![script]);
    candidates.into_iter().find(holds).with_context(|| {
        format!(
            "{} has no characters for {} moves{}; choose another --encoding, --script or --notation",
            args.encoding.name(),
            wanted.map_or("these", |script| if script == Script::Traditional { "traditional" } else { "simplified" }),
            if args.notation == Notation::Chinese { "" } else { " in this notation" },
        )
    })
}

/// Moves of all pieces in all directions, to see whether an encoding can hold them.
fn write_moves(style: &Style) -> String {
    let mut text = String::new();
    for fen in [
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR",
        "r1bak1b1r/4a4/1cn4nc/p1p1p1p1p/9/9/P1P1P1P1P/1CN4NC/4A4/R1BAK1B1R",
    ] {
        for side in ["w", "b"] {
            let Ok(position) = yipu::board::Position::from_fen(&format!("{fen} {side}")) else { continue };
            for &m in position.legal_moves().iter() {
                yipu::notation::write_move(m, &position, style, &mut text);
            }
        }
    }
    text
}

fn target(output: &Path, inputs: &[PathBuf], writer: &dyn Writer) -> Target {
    let text = output.as_os_str().to_string_lossy();
    // A new name without an ending is a folder where many files may come in, or one game a file goes out.
    let many = inputs.len() > 1 || inputs.iter().any(|input| input.is_dir()) || !writer.holds_many();
    let new_folder = output.extension().is_none() && many && !output.exists();
    if text == "-" {
        Target::Stdout
    } else if output.is_dir() || text.ends_with(['/', '\\']) || new_folder {
        Target::Folder(output.to_path_buf())
    } else {
        Target::File(output.to_path_buf())
    }
}

struct Results<'w> {
    writer: &'w dyn Writer,
    force: bool,
    /// Files made in this run, so that two inputs never share a result.
    made: HashSet<PathBuf>,
    written: u64,
    unchanged: u64,
    /// Files that stayed as they were although the result is another one now.
    kept: u64,
    games: u64,
}

impl Results<'_> {
    /// Writes the games of one input file.
    fn file(&mut self, stem: &Path, games: Pile, context: &Context) -> anyhow::Result<()> {
        let extension = self.writer.extension();
        if self.writer.holds_many() || games.len() == 1 {
            return self.joined(&named(stem, "", extension), games, context);
        }
        let mut number = 0;
        games.each(&mut |game| {
            number += 1;
            self.whole(&named(stem, &format!("-{number:04}"), extension), &game, 1, context)
        })
    }

    /// Games made to one file: a table gets its head, a library its index.
    fn joined(&mut self, path: &Path, games: Pile, context: &Context) -> anyhow::Result<()> {
        let count = games.len() as u64;
        if games.is_small() {
            let mut bytes = Vec::new();
            games.join(self.writer, &mut bytes)?;
            return self.whole(path, &bytes, count, context);
        }
        let path = self.own_name(path);
        let writer = self.writer;
        match write_stream(&path, self.force, |out| games.join(writer, out)) {
            Ok(written) => self.told(&path, !written, count, context),
            Err(error) if error.is::<Exists>() => self.keep(&error, context),
            Err(error) => Err(error),
        }
    }

    fn whole(&mut self, path: &Path, bytes: &[u8], games: u64, context: &Context) -> anyhow::Result<()> {
        let path = self.own_name(path);
        let unchanged = std::fs::read(&path).is_ok_and(|old| old == bytes);
        if !unchanged {
            match write_file(&path, bytes, self.force) {
                Err(error) if error.is::<Exists>() => return self.keep(&error, context),
                other => other?,
            }
        }
        self.told(&path, unchanged, games, context)
    }

    /// Says that a file stays as it is.
    fn keep(&mut self, error: &anyhow::Error, context: &Context) -> anyhow::Result<()> {
        self.kept += 1;
        context.note_exit(Exit::Failed);
        if !context.quiet {
            anstream::eprintln!("yipu: {error}");
        }
        match error.downcast_ref::<Exists>().filter(|_| context.json) {
            Some(exists) => context.json_line(&json!({"file": exists.0.display().to_string(), "kept": true})),
            None => Ok(()),
        }
    }

    /// Counts a file that is there now. A second run says so of every file, as the first one did.
    fn told(&mut self, path: &Path, unchanged: bool, games: u64, context: &Context) -> anyhow::Result<()> {
        *(if unchanged { &mut self.unchanged } else { &mut self.written }) += 1;
        if context.json {
            let mut line = json!({"file": path.display().to_string(), "games": games});
            if unchanged {
                line["unchanged"] = true.into();
            }
            context.json_line(&line)?;
        }
        Ok(())
    }

    /// `a.pgn` and `a.xqf` of one folder must not both become `a.cbr`: the second is `a~2.cbr`.
    fn own_name(&mut self, path: &Path) -> PathBuf {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let numbered = (2..).map(|number| named(path, &format!("~{number}"), &extension));
        let free = std::iter::once(path.to_path_buf()).chain(numbered).find(|name| !self.made.contains(name));
        let free = free.unwrap_or_else(|| path.to_path_buf());
        self.made.insert(free.clone());
        free
    }
}

/// The path with `mark` behind the stem of its name and another ending. What stands behind the last dot is an ending only
/// if it looks like one: `1.胡荣华` has none. Names are bytes, whatever encoding they are in.
fn named(path: &Path, mark: &str, extension: &str) -> PathBuf {
    let is_ending = |ending: &OsStr| {
        let text = ending.to_string_lossy();
        text.len() <= 8 && text.bytes().all(|b| b.is_ascii_alphanumeric()) && !text.bytes().all(|b| b.is_ascii_digit())
    };
    let stem = if path.extension().is_some_and(is_ending) { path.file_stem() } else { path.file_name() };
    let mut name = stem.unwrap_or_default().to_os_string();
    name.push(format!("{mark}.{extension}"));
    path.with_file_name(name)
}

/// Whether two paths lead to the same place.
fn same_place(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_looks_like_an_ending_is_replaced() {
        let rows = [
            ("a/b.xqf", "", "a/b.pgn"),
            ("a/b.XQF", "~2", "a/b~2.pgn"),
            ("1.胡荣华", "", "1.胡荣华.pgn"),
            ("2003.05.12", "", "2003.05.12.pgn"),
            ("b", "-0001", "b-0001.pgn"),
            (".hidden", "", ".hidden.pgn"),
        ];
        for (path, mark, expected) in rows {
            assert_eq!(named(Path::new(path), mark, "pgn"), Path::new(expected));
        }
    }
}
