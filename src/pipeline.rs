//! Many files to games, in parallel and in order.
//!
//! Comes in: files to read. Goes out: events in the order of the files and of the games in them, whatever the number of
//! threads. Memory is bounded: a thread holds one piece of a file at a time (or some small files), and the games made of
//! it are handed on as they are read; no more than [`WAITING_BYTES`] of them a thread wait for the sink.
//!
//! ```text
//! threads: next piece ──> detect, read, map ──lanes, one a piece──> sink, on the calling thread
//! ```

mod lanes;

use crate::diag::{Finding, codes};
use crate::format::{self, Detected, Format, ReadGame, ReadOptions};
use crate::input::{Input, Limits, Piece, Pieces};
use lanes::{Lane, Lanes};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// How much of the results may wait, for each thread.
pub const WAITING_BYTES: usize = 4 << 20;
/// Results are handed on in chunks of about this size.
const CHUNK_BYTES: usize = 256 << 10;
/// How much input a thread takes at a time: small files together, since each one costs more than its bytes.
const TAKE_BYTES: usize = 256 << 10;
/// Most files that a thread takes at a time.
const TAKE_FILES: usize = 64;

/// How input is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The user's word on the format.
    pub format: Option<Format>,
    /// The user's word on the encoding.
    pub read: ReadOptions,
    /// Bounds for archives and single files.
    pub limits: Limits,
}

/// What comes out, in order: `File`, its games, `End`; or a `Fault` of something that could not be opened.
#[derive(Debug)]
pub enum Event<T> {
    /// A file begins.
    File {
        /// As the user named it.
        name: String,
        /// Its path below the argument that led to it.
        relative: PathBuf,
        /// The format it is read in; `None` if it holds no game.
        format: Option<Format>,
    },
    /// A game of the file.
    Game(T),
    /// The file ends.
    End {
        /// Bytes read (unpacked).
        bytes: u64,
        /// Games it held.
        games: u64,
        /// Findings that belong to no game.
        findings: Vec<Finding>,
    },
    /// Something that could not be read at all.
    Fault(Finding),
}

/// A value made of a game, that can be told how many games of the file came before its piece.
pub trait Numbered {
    /// Adds `before` to every game number.
    fn shift(&mut self, before: u64);

    /// About how many bytes it takes, with all that belongs to it: that is what bounds how many of them wait.
    fn memory(&self) -> usize;
}

impl Numbered for ReadGame {
    fn shift(&mut self, before: u64) {
        self.number += before;
        for finding in &mut self.findings {
            finding.game = finding.game.map(|game| game + before);
        }
    }

    fn memory(&self) -> usize {
        size_of::<ReadGame>() + self.game.memory() + Finding::memory_of(&self.findings)
    }
}

/// What a thread makes of its pieces, in order.
enum Made<T> {
    /// A piece begins that is the first of its file.
    File {
        name: String,
        relative: PathBuf,
        format: Option<Format>,
    },
    Game(T),
    /// A piece ends.
    End {
        bytes: u64,
        last: bool,
        findings: Vec<Finding>,
    },
    Fault(Finding),
}

/// Reads every input, hands each game to `map` (in parallel), and the results in order to `sink` (on this thread).
///
/// Stops early, without error, when `stop` becomes true.
///
/// # Errors
///
/// The first error of `sink`.
pub fn run<T, E>(
    inputs: impl Iterator<Item = Input> + Send,
    options: &Options,
    stop: &AtomicBool,
    map: impl Fn(ReadGame) -> T + Sync,
    mut sink: impl FnMut(Event<T>) -> Result<(), E>,
) -> Result<(), E>
where
    T: Send + Numbered,
{
    let threads = rayon::current_num_threads();
    let pieces = Mutex::new(Pieces::new(inputs, options.format, options.limits));
    let lanes = Lanes::new(threads, WAITING_BYTES * threads);
    std::thread::scope(|scope| {
        // Dropped when the sink fails, so that leaving early stops the threads.
        let reader = lanes.reader();
        for _ in 0..threads {
            let (worker, lanes, pieces, map) = (lanes.worker(), &lanes, &pieces, &map);
            scope.spawn(move || {
                let _worker = worker;
                while let Some((lane, taken)) = take(pieces, lanes, stop) {
                    let mut out = Out { lane, chunk: Vec::new(), memory: 0 };
                    for piece in taken {
                        let flow = match piece {
                            Ok(piece) => read_piece(piece, options, map, &mut out),
                            Err(fault) => {
                                out.push(Finding::memory_of(std::slice::from_ref(&fault)), Made::Fault(fault))
                            }
                        };
                        if flow.is_break() {
                            return;
                        }
                    }
                    if out.flush().is_break() {
                        return;
                    }
                }
            });
        }
        let mut file = FileState::default();
        while let Some(chunk) = reader.take() {
            for made in chunk {
                file.take(made, &mut sink)?;
            }
        }
        Ok(())
    })
}

/// A piece, or what could not be read.
type Taken = Result<Piece, Finding>;

/// A lane and the pieces whose games go into it, with what could not be read before each; `None` at the end.
fn take<'l, I: Iterator<Item = Input>, T>(
    pieces: &Mutex<Pieces<I>>,
    lanes: &'l Lanes<T>,
    stop: &AtomicBool,
) -> Option<(Lane<'l, T>, Vec<Taken>)> {
    let mut pieces = pieces.lock().unwrap_or_else(PoisonError::into_inner);
    let mut taken = Vec::new();
    let mut bytes = 0;
    while bytes < TAKE_BYTES && taken.len() < TAKE_FILES && !stop.load(Ordering::Relaxed) {
        let piece = pieces.next();
        let ended = piece.is_none();
        taken.extend(std::mem::take(&mut pieces.faults).into_iter().map(Err));
        bytes += piece.as_ref().map_or(0, |piece| piece.bytes.len());
        taken.extend(piece.map(Ok));
        if ended {
            break;
        }
    }
    // Opened before another thread can take what comes behind.
    (!taken.is_empty()).then(|| (lanes.open(), taken))
}

/// Gathers results into chunks.
struct Out<'l, T> {
    lane: Lane<'l, Made<T>>,
    chunk: Vec<Made<T>>,
    memory: usize,
}

impl<T> Out<'_, T> {
    fn push(&mut self, memory: usize, made: Made<T>) -> ControlFlow<()> {
        self.chunk.push(made);
        self.memory += memory + size_of::<Made<T>>();
        if self.memory >= CHUNK_BYTES { self.flush() } else { ControlFlow::Continue(()) }
    }

    fn flush(&mut self) -> ControlFlow<()> {
        if self.chunk.is_empty() {
            return ControlFlow::Continue(());
        }
        self.lane.put(std::mem::take(&mut self.chunk), std::mem::take(&mut self.memory))
    }
}

/// Reads one piece; `Break` when nobody wants more.
fn read_piece<T: Numbered>(
    piece: Piece,
    options: &Options,
    map: &(impl Fn(ReadGame) -> T + Sync),
    out: &mut Out<'_, T>,
) -> ControlFlow<()> {
    let known = piece.format.or(options.format);
    let mut zeros = None;
    let found = match known.and_then(format::reader) {
        Some(reader) => Ok(reader),
        None => match format::detect(&piece.bytes) {
            Detected::Format { reader, zeros: first, .. } => {
                zeros = first;
                Ok(reader)
            }
            Detected::Refused(refusal) => Err(refusal),
        },
    };
    let format = found.as_ref().ok().map(|reader| reader.format());
    if piece.is_first() {
        let file = Made::File { name: piece.name.clone(), relative: piece.relative.clone(), format };
        out.push(piece.name.len() + piece.relative.as_os_str().len(), file)?;
    }
    let mut flow = ControlFlow::Continue(());
    let mut games = 0u64;
    let mut findings = match found {
        Err(refusal) => vec![refusal.finding()],
        Ok(reader) => {
            // A reader must not panic; if one does all the same, one file is lost and the run goes on.
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                reader.read(piece.source(), &options.read, &mut |game| {
                    games += 1;
                    let made = map(game.settled());
                    flow = out.push(made.memory(), Made::Game(made));
                    flow
                })
            }));
            outcome.unwrap_or_else(|_| {
                let format = reader.format();
                vec![Finding::new(
                    codes::INTERNAL,
                    crate::say!("the {format} reader failed on this file; please report it"; "{format} 读取程序在此文件上出错, 请报告"),
                )]
            })
        }
    };
    flow?;
    if let Some(first) = zeros {
        let what = crate::say!("zero bytes in a text"; "文字中有零字节");
        findings.push(Finding::new(codes::BAD_BYTES, what).byte(first as u64));
    }
    if let (0, true, true, Some(format)) = (games, findings.is_empty(), piece.is_first() && piece.last, format) {
        let what = crate::say!("it begins like {format} and holds no game"; "像是 {format}，其中没有对局");
        findings.push(Finding::new(codes::NO_GAME, what));
    }
    for finding in &mut findings {
        finding.locate(&piece.name, None);
    }
    let memory = Finding::memory_of(&findings);
    out.push(memory, Made::End { bytes: piece.bytes.len() as u64, last: piece.last, findings })
}

/// Sums up the pieces of a file.
#[derive(Default)]
struct FileState {
    games: u64,
    /// Games of the pieces before this one.
    before: u64,
    bytes: u64,
    findings: Vec<Finding>,
}

impl FileState {
    fn take<T: Numbered, E>(
        &mut self,
        made: Made<T>,
        sink: &mut impl FnMut(Event<T>) -> Result<(), E>,
    ) -> Result<(), E> {
        match made {
            Made::File { name, relative, format } => {
                *self = FileState::default();
                sink(Event::File { name, relative, format })
            }
            Made::Game(mut game) => {
                self.games += 1;
                if self.before > 0 {
                    game.shift(self.before);
                }
                sink(Event::Game(game))
            }
            Made::End { bytes, last, findings } => {
                self.before = self.games;
                self.bytes += bytes;
                self.findings.extend(findings);
                if !last {
                    return Ok(());
                }
                let file = std::mem::take(self);
                sink(Event::End { bytes: file.bytes, games: file.games, findings: file.findings })
            }
            Made::Fault(fault) => sink(Event::Fault(fault)),
        }
    }
}
