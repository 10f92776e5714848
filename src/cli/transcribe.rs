//! `yipu transcribe`: one or two score sheets, typed as text, become a game.

use super::reading::encoding_name;
use super::{Context, Exit};
use anyhow::{Context as _, bail};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use yipu::board::{Move, Position};
use yipu::diag::{Finding, codes};
use yipu::notation::{Notation, Style, write_move};
use yipu::sheet::{Book, How, Options, Sheet, Transcript, transcribe};
use yipu::store::Database;

/// Options of `yipu transcribe`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The sheet, and the other player's sheet; - for standard input
    #[arg(required = true, num_args = 1..=2, value_name = "SHEET")]
    sheets: Vec<PathBuf>,

    #[command(flatten)]
    reading: SheetArgs,
}

/// How sheets are read.
#[derive(Debug, clap::Args)]
pub struct SheetArgs {
    /// Position before the first entry, if it is not the usual one
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,

    /// The most boards followed after a ply
    #[arg(long, default_value_t = 12_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub width: u32,

    /// The most entries mended in one reading
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=8))]
    pub mends: u8,

    /// Database whose games tell how likely a move is, beside the move model
    #[arg(long, value_name = "DB")]
    pub db: Option<PathBuf>,

    /// Read the text in this encoding instead of finding it from the content
    #[arg(long, value_name = "ENCODING", value_parser = encoding_name)]
    pub encoding: Option<&'static encoding_rs::Encoding>,
}

/// The largest text taken for a sheet.
const MOST_BYTES: u64 = 4 << 20;

impl SheetArgs {
    /// Reads a sheet from a file.
    pub fn sheet(&self, path: &Path) -> anyhow::Result<Sheet> {
        let mut bytes = Vec::new();
        if path.as_os_str() == "-" {
            std::io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
        } else {
            let file = std::fs::File::open(path).with_context(|| path.display().to_string())?;
            file.take(MOST_BYTES + 1).read_to_end(&mut bytes).with_context(|| path.display().to_string())?;
        }
        if bytes.len() as u64 > MOST_BYTES {
            bail!("{}: too large for a score sheet", path.display());
        }
        self.sheet_of(&bytes, &path.display().to_string())
    }

    /// Reads a sheet from the bytes of a file.
    pub fn sheet_of(&self, bytes: &[u8], file: &str) -> anyhow::Result<Sheet> {
        let (text, _, faults) = yipu::text::decode(bytes, self.encoding);
        let mut sheet = Sheet::read(&text);
        if faults.count > 0 {
            sheet.findings.push(Finding::new(codes::BAD_BYTES, "some bytes could not be decoded"));
        }
        if let Some(fen) = &self.fen {
            sheet.start = yipu::diagram::read_position(fen).context("--fen")?.position;
        }
        for finding in &mut sheet.findings {
            finding.locate(file, None);
        }
        Ok(sheet)
    }

    /// The database named for the likelihood, opened.
    pub fn book(&self) -> anyhow::Result<Option<DatabaseBook>> {
        let open = |path: &PathBuf| Database::open(path).with_context(|| path.display().to_string());
        Ok(self.db.as_ref().map(open).transpose()?.map(DatabaseBook))
    }

    /// The bounds of the search.
    pub fn options<'a>(&self, book: Option<&'a DatabaseBook>) -> Options<'a> {
        let book = book.map(|book| book as &dyn Book);
        Options { width: self.width as usize, mends: self.mends, book, ..Options::default() }
    }
}

/// What was played in the games of a database.
#[derive(Debug)]
pub struct DatabaseBook(Database);

impl Book for DatabaseBook {
    /// A part of the database that cannot be read says nothing here; `yipu db verify` tells of it.
    fn played(&self, position: &Position) -> Vec<(Move, u64)> {
        let counts = self.0.counts(position, true);
        counts.map_or_else(|_| Vec::new(), |c| c.moves.into_iter().map(|(m, score)| (m, score.games())).collect())
    }
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let sheets: Vec<Sheet> = args.sheets.iter().map(|path| args.reading.sheet(path)).collect::<Result<_, _>>()?;
    let book = args.reading.book()?;
    let mut transcript = transcribe(&sheets, &args.reading.options(book.as_ref()));
    let file = args.sheets[0].display().to_string();
    for finding in &mut transcript.findings {
        if sheets.len() == 1 {
            finding.locate(&file, None);
        }
        context.finding(finding);
    }
    if context.json {
        context.json_line(&transcript)?;
    } else {
        print(&transcript, context)?;
    }
    Ok(if transcript.complete { Exit::Done } else { Exit::Findings })
}

/// The game as rows of two columns, and what to know about it.
fn print(t: &Transcript, context: &Context) -> anyhow::Result<()> {
    let mut out = context.out();
    let style = Style::of(Notation::Chinese);
    let mut position = t.start;
    let black_first = position.side_to_move() == yipu::board::Color::Black;
    let first = usize::from(black_first);
    for (index, ply) in t.line.iter().enumerate() {
        let columns = first + index;
        if columns % 2 == 0 || index == 0 {
            write!(out, "{:>3}. {}", columns / 2 + 1, if columns % 2 == 1 { "……  " } else { "" })?;
        }
        let mut text = String::new();
        write_move(ply.uci, &position, &style, &mut text);
        let mark = match t
            .entries
            .iter()
            .filter(|e| e.ply == Some(ply.ply))
            .map(|e| e.how)
            .find(|how| matches!(how, How::Open | How::Repaired | How::Missing))
        {
            Some(How::Open) => "?",
            Some(How::Repaired) => "*",
            Some(_) => "_",
            None => "",
        };
        write!(out, "{text}{mark:<2}")?;
        if columns % 2 == 1 || index + 1 == t.line.len() {
            writeln!(out)?;
        } else {
            write!(out, "  ")?;
        }
        position.play(ply.uci);
    }
    writeln!(out)?;
    write_state(t, context, &mut **out)?;
    if t.open_plies.iter().len() > 0 {
        let list: Vec<String> = t.open_plies.iter().map(ToString::to_string).collect();
        writeln!(out, "{}{}", context.say("未定之着：", "open plies: "), list.join(" "))?;
    }
    let marked = t.entries.iter().any(|e| matches!(e.how, How::Open | How::Repaired | How::Missing));
    if marked {
        writeln!(out, "{}", context.say("? 未定　* 修补　_ 缺漏", "? open  * mended  _ missing"))?;
    }
    Ok(())
}

/// One reading, several, or where the sheet breaks.
fn write_state(t: &Transcript, context: &Context, out: &mut dyn Write) -> anyhow::Result<()> {
    let plies = t.plies;
    let mends = match t.mends {
        0 => String::new(),
        n => format!("{}{n}{}", context.say("，修补 ", ", "), context.say(" 处", " mended")),
    };
    let zh = context.lang == crate::cli::Lang::Zh;
    if !t.complete {
        let sure = t.sure_plies;
        if zh {
            writeln!(out, "读到第 {plies} 着为止，其后走不通；各种读法一致到第 {sure} 着{mends}")?;
        } else {
            writeln!(out, "read to ply {plies}, what follows cannot be played; sure to ply {sure}{mends}")?;
        }
        return Ok(());
    }
    if t.readings == 1 && !t.readings_at_least {
        if zh {
            writeln!(out, "共 {plies} 着，只有一种读法{mends}")?;
        } else {
            writeln!(out, "{plies} plies, one reading{mends}")?;
        }
        return Ok(());
    }
    let readings = if t.readings_at_least {
        format!("{}{}", context.say("至少 ", "at least "), t.readings)
    } else {
        t.readings.to_string()
    };
    let share = t.share * 100.0;
    let times = match t.ratio {
        Some(ratio) if ratio < 1000.0 => format!("{ratio:.1}"),
        _ => context.say("1000 以上", "more than 1000").to_string(),
    };
    if zh {
        writeln!(out, "共 {plies} 着，有 {readings} 种读法{mends}")?;
        writeln!(out, "所列一局的可能性占 {share:.0}%，为次者的 {times} 倍；这是推断，不是定论")?;
    } else {
        writeln!(out, "{plies} plies, {readings} readings{mends}")?;
        writeln!(
            out,
            "the game shown has {share:.0} % of the likelihood, {times} times the next: likely, not certain"
        )?;
    }
    Ok(())
}
