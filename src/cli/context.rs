//! What every command shares: output, language, findings shown and counted, interruption.

use super::Global;
use anstyle::{AnsiColor, Style};
use std::cell::{Cell, RefCell, RefMut};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use yipu::diag::{Finding, Severity, codes};

/// How a run ended. Ordered: the worse wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// 0: done, nothing wrong.
    Done,
    /// 1: done, with findings, or a search that found nothing.
    Findings,
    /// 2: could not do it.
    Failed,
    /// 130: interrupted; only whole files were left.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::Findings => 1,
            Exit::Failed => 2,
            Exit::Interrupted => 130,
        })
    }
}

/// Language of the texts for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Lang {
    /// 中文
    Zh,
    /// English
    En,
}

impl Lang {
    /// Chinese when the locale says so, else English.
    fn of_locale() -> Lang {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .filter_map(|name| std::env::var(name).ok())
            .find(|value| !value.is_empty());
        if locale.is_some_and(|l| l.starts_with("zh")) { Lang::Zh } else { Lang::En }
    }
}

/// The state of one run of the program.
pub struct Context {
    /// Write JSON Lines.
    pub json: bool,
    /// Language for people.
    pub lang: Lang,
    /// Say nothing on standard error.
    pub quiet: bool,
    /// How much more to say.
    pub verbose: u8,
    /// Number of threads.
    pub jobs: usize,
    out: RefCell<Box<dyn Write>>,
    exit: Cell<Exit>,
    stop: Arc<AtomicBool>,
}

impl Context {
    /// Sets up threads and the handler for Ctrl-C.
    pub fn new(global: &Global) -> anyhow::Result<Context> {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        ctrlc::set_handler(move || {
            // The first one asks the command to finish what it is at; the second one means it.
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        })?;
        let jobs = global.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
        rayon::ThreadPoolBuilder::new().num_threads(jobs).build_global()?;
        Ok(Context {
            json: global.json,
            lang: global.lang.unwrap_or_else(Lang::of_locale),
            quiet: global.quiet,
            verbose: global.verbose,
            jobs,
            out: RefCell::new(Box::new(BufWriter::with_capacity(1 << 16, anstream::AutoStream::auto(io::stdout())))),
            exit: Cell::new(Exit::Done),
            stop,
        })
    }

    /// Standard output, buffered; colours are dropped where nobody would see them.
    pub fn out(&self) -> RefMut<'_, Box<dyn Write>> {
        self.out.borrow_mut()
    }

    /// Writes one JSON line.
    pub fn json_line(&self, value: &impl serde::Serialize) -> anyhow::Result<()> {
        let mut out = self.out();
        // As an I/O error, so that a closed pipe is known as one.
        serde_json::to_writer(&mut *out, value).map_err(std::io::Error::from)?;
        out.write_all(b"\n")?;
        Ok(())
    }

    /// Hands what was written to the system.
    pub fn flush(&self) -> io::Result<()> {
        self.out().flush()
    }

    /// The text in the language of this run.
    pub fn say<'t>(&self, zh: &'t str, en: &'t str) -> &'t str {
        match self.lang {
            Lang::Zh => zh,
            Lang::En => en,
        }
    }

    /// Whether the user asked to stop.
    pub fn interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The flag itself, for library code that runs long.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Shows a finding on standard error (notes only with `-v`) and remembers it for the exit code.
    pub fn finding(&self, finding: &Finding) {
        if finding.code == codes::UNREADABLE_FILE {
            self.note_exit(Exit::Failed);
        } else if finding.severity > Severity::Note {
            self.note_exit(Exit::Findings);
        }
        if self.quiet || (finding.severity == Severity::Note && self.verbose == 0) {
            return;
        }
        self.write(finding);
    }

    fn write(&self, finding: &Finding) {
        let color = match finding.severity {
            Severity::Error => AnsiColor::Red,
            Severity::Warning => AnsiColor::Yellow,
            Severity::Note => AnsiColor::Cyan,
        };
        let style = Style::new().fg_color(Some(color.into()));
        let line = match self.lang {
            Lang::Zh => finding.in_chinese().to_string(),
            Lang::En => finding.to_string(),
        };
        anstream::eprintln!("{style}{}{style:#} {}", finding.code, line.split_once(' ').map_or("", |p| p.1));
    }

    /// Writes a finding about what the user asks, even a note; the exit code stays.
    pub fn remark(&self, finding: &Finding) {
        if !self.quiet {
            self.write(finding);
        }
    }

    /// The exit code will be at least this.
    pub fn note_exit(&self, exit: Exit) {
        self.exit.set(self.exit.get().max(exit));
    }

    /// The worst exit noted so far.
    pub fn exit(&self) -> Exit {
        self.exit.get()
    }

    /// Whether a progress bar would be seen.
    pub fn shows_progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }
}
