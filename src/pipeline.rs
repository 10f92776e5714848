//! Many files to games, in parallel and in order.
//!
//! Comes in: files to read. Goes out: events in the order of the files and of the games in them, whatever the number of
//! threads. Reading ahead is bounded: at most three batches of [`BATCH_BYTES`] a thread are in memory at a time.
//!
//! ```text
//! read pieces ──> batch ──rayon──> detect, read, map ──bounded queue──> sink, on the calling thread
//! ```

use crate::diag::{Finding, codes};
use crate::format::{self, Detected, Format, ReadGame, ReadOptions};
use crate::input::{Input, Limits, Piece, Pieces};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;

/// How much input one thread gets at a time.
pub const BATCH_BYTES: usize = 4 << 20;
/// Most files in a batch, for each thread: small files cost more than their bytes.
const BATCH_FILES: usize = 512;

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
    },
    /// A game of the file.
    Game(T),
    /// The file ends.
    End {
        /// The format it was read in; `None` if it holds no game.
        format: Option<Format>,
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
}

impl Numbered for ReadGame {
    fn shift(&mut self, before: u64) {
        self.number += before;
        for finding in &mut self.findings {
            finding.game = finding.game.map(|game| game + before);
        }
    }
}

struct Done<T> {
    piece: Head,
    format: Option<Format>,
    games: Vec<T>,
    findings: Vec<Finding>,
}

/// A piece without its bytes.
struct Head {
    name: String,
    relative: PathBuf,
    first: bool,
    last: bool,
    bytes: u64,
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
    let mut pieces = Pieces::new(inputs, options.format, options.limits);
    let (sender, receiver) = sync_channel::<(Vec<Done<T>>, Vec<Finding>)>(1);
    std::thread::scope(|scope| {
        let map = &map;
        scope.spawn(move || {
            let mut batch = next_batch(&mut pieces, threads);
            loop {
                let (now, faults) = batch;
                if (now.is_empty() && faults.is_empty()) || stop.load(Ordering::Relaxed) {
                    break;
                }
                let work =
                    || now.into_par_iter().with_max_len(1).map(|piece| read_piece(piece, options, map)).collect();
                let (done, next) = rayon::join(work, || next_batch(&mut pieces, threads));
                batch = next;
                if sender.send((done, faults)).is_err() {
                    break;
                }
            }
        });
        let mut file = FileState::default();
        // Consumed here so that leaving early (an error of the sink) hangs up on the producer.
        for (batch, faults) in receiver {
            for done in batch {
                file.take(done, &mut sink)?;
            }
            for fault in faults {
                sink(Event::Fault(fault))?;
            }
        }
        Ok(())
    })
}

fn next_batch<I: Iterator<Item = Input>>(pieces: &mut Pieces<I>, threads: usize) -> (Vec<Piece>, Vec<Finding>) {
    let mut batch = Vec::new();
    let mut bytes = 0;
    while bytes < BATCH_BYTES * threads && batch.len() < BATCH_FILES * threads {
        let Some(piece) = pieces.next() else { break };
        bytes += piece.bytes.len();
        batch.push(piece);
    }
    (batch, std::mem::take(&mut pieces.faults))
}

fn read_piece<T>(piece: Piece, options: &Options, map: &(impl Fn(ReadGame) -> T + Sync)) -> Done<T> {
    let mut done = Done {
        format: None,
        games: Vec::new(),
        findings: Vec::new(),
        piece: Head {
            first: piece.is_first(),
            last: piece.last,
            bytes: piece.bytes.len() as u64,
            name: piece.name.clone(),
            relative: piece.relative.clone(),
        },
    };
    let known = piece.format.or(options.format);
    let reader = match known.and_then(format::reader) {
        Some(reader) => reader,
        None => match format::detect(&piece.bytes) {
            Detected::Format { reader, .. } => reader,
            Detected::Refused(refusal) => {
                let mut finding = refusal.finding();
                finding.locate(&piece.name, None);
                done.findings.push(finding);
                return done;
            }
        },
    };
    done.format = Some(reader.format());
    let games = &mut done.games;
    // A reader must not panic; if one does all the same, one file is lost and the run goes on.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        reader.read(piece.source(), &options.read, &mut |game| {
            games.push(map(game.settled()));
            ControlFlow::Continue(())
        })
    }));
    done.findings = outcome.unwrap_or_else(|_| {
        vec![Finding::new(
            codes::INTERNAL,
            crate::say!("the {} reader failed on this file; please report it", reader.format(); "{} 读取程序在此文件上出错, 请报告", reader.format()),
        )]
    });
    for finding in &mut done.findings {
        finding.locate(&piece.name, None);
    }
    done
}

/// Sums up the pieces of a file.
#[derive(Default)]
struct FileState {
    games: u64,
    bytes: u64,
    format: Option<Format>,
    findings: Vec<Finding>,
}

impl FileState {
    fn take<T: Numbered, E>(
        &mut self,
        done: Done<T>,
        sink: &mut impl FnMut(Event<T>) -> Result<(), E>,
    ) -> Result<(), E> {
        if done.piece.first {
            *self = FileState::default();
            sink(Event::File { name: done.piece.name, relative: done.piece.relative })?;
        }
        let before = self.games;
        for mut game in done.games {
            self.games += 1;
            if before > 0 {
                game.shift(before);
            }
            sink(Event::Game(game))?;
        }
        self.bytes += done.piece.bytes;
        self.format = self.format.or(done.format);
        self.findings.extend(done.findings);
        if done.piece.last {
            let file = std::mem::take(self);
            sink(Event::End { format: file.format, bytes: file.bytes, games: file.games, findings: file.findings })?;
        }
        Ok(())
    }
}
