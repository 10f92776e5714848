//! Files in pieces that fit in memory.

use super::archive::{Limits, Packing, packing, unpack_stream, unpack_zip};
use super::walk::Input;
use crate::diag::{Finding, codes};
use crate::format::{self, Detected, Format, Source};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

/// A whole file, or a part of a large one that begins with a game.
#[derive(Debug)]
pub struct Piece {
    /// The file as the user named it; `archive!member` inside an archive.
    pub name: String,
    /// Path for a tree of results, see [`Input::relative`].
    pub relative: PathBuf,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Offset in the file.
    pub first_byte: u64,
    /// Line of the first byte, from 1.
    pub first_line: u64,
    /// Whether the file ends with this piece.
    pub last: bool,
    /// The format, where the user or an earlier piece of the file has settled it.
    pub format: Option<Format>,
}

impl Piece {
    pub(super) fn whole(name: String, bytes: Vec<u8>) -> Piece {
        Piece {
            relative: PathBuf::from(name.replace('!', "/")),
            name,
            bytes,
            first_byte: 0,
            first_line: 1,
            last: true,
            format: None,
        }
    }

    /// Whether this is the first piece of its file.
    pub fn is_first(&self) -> bool {
        self.first_byte == 0
    }

    /// The piece as a reader takes it. Games are numbered from 1 in each piece; the caller adds those before it.
    pub fn source(&self) -> Source<'_> {
        Source {
            bytes: &self.bytes,
            file: &self.name,
            first_byte: self.first_byte,
            first_line: self.first_line,
            first_game: 1,
        }
    }
}

/// Size of the pieces that large files are read in.
const PIECE_BYTES: usize = 2 << 20;
/// A game that is larger than this is cut, with a finding.
const LONGEST_GAME: usize = 64 << 20;

/// Reads files piece by piece. An iterator; findings about files that cannot be read wait in [`Pieces::faults`].
#[derive(Debug)]
pub struct Pieces<I> {
    inputs: I,
    limits: Limits,
    format: Option<Format>,
    open: Option<Open>,
    ready: VecDeque<Piece>,
    /// What could not be read, in order; the caller drains it.
    pub faults: Vec<Finding>,
}

struct Open {
    input: Input,
    reader: Box<dyn Read + Send>,
    carry: Vec<u8>,
    offset: u64,
    line: u64,
    format: Format,
}

impl std::fmt::Debug for Open {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Open").field("input", &self.input).field("offset", &self.offset).finish_non_exhaustive()
    }
}

impl<I: Iterator<Item = Input>> Pieces<I> {
    /// Reads these files. `format` is the user's word on what they are.
    pub fn new(inputs: I, format: Option<Format>, limits: Limits) -> Pieces<I> {
        Pieces { inputs, limits, format, open: None, ready: VecDeque::new(), faults: Vec::new() }
    }

    fn fault(&mut self, name: &str, code: crate::diag::Code, message: String) {
        let mut finding = Finding::new(code, message);
        finding.locate(name, None);
        self.faults.push(finding);
    }

    /// Opens a file: a small one becomes one piece, an archive one a member, a large one stays open.
    fn start(&mut self, input: Input) -> io::Result<()> {
        let mut reader: Box<dyn Read + Send> = match &input.path {
            Some(path) => Box::new(File::open(path)?),
            None => Box::new(io::stdin()),
        };
        let mut head = Vec::new();
        reader.by_ref().take(PIECE_BYTES as u64).read_to_end(&mut head)?;
        if let Some(kind) = packing(&head) {
            return self.start_archive(input, reader, head, kind);
        }
        let complete = head.len() < PIECE_BYTES;
        let format = self.format.or_else(|| match format::detect(&head) {
            Detected::Format { reader, .. } => Some(reader.format()),
            Detected::Refused(_) => None,
        });
        let splits = format.and_then(format::reader).is_some_and(|r| r.next_game(&head, 1).is_some());
        if complete || !splits {
            let most = self.limits.member_bytes;
            reader.take(most.saturating_sub(head.len() as u64) + 1).read_to_end(&mut head)?;
            if head.len() as u64 > most {
                head.truncate(most as usize);
                let message = format!("larger than {most} bytes and not cut into games; the rest is not read");
                self.fault(&input.name, codes::FILE_TOO_LARGE, message);
            }
            self.ready.push_back(Piece {
                name: input.name,
                relative: input.relative,
                bytes: head,
                first_byte: 0,
                first_line: 1,
                last: true,
                format: self.format,
            });
        } else if let Some(format) = format {
            self.open = Some(Open { input, reader, carry: head, offset: 0, line: 1, format });
        }
        Ok(())
    }

    fn start_archive(
        &mut self,
        input: Input,
        reader: Box<dyn Read + Send>,
        mut bytes: Vec<u8>,
        kind: Packing,
    ) -> io::Result<()> {
        let most = self.limits.member_bytes;
        reader.take(most.saturating_sub(bytes.len() as u64) + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            self.fault(&input.name, codes::FILE_TOO_LARGE, format!("an archive larger than {most} bytes is not read"));
            return Ok(());
        }
        if kind == Packing::Zip {
            let (ready, faults) = (&mut self.ready, &mut self.faults);
            unpack_zip(
                &bytes,
                &input.name,
                &self.limits,
                &mut |mut piece| {
                    let member = piece.name.strip_prefix(&input.name).unwrap_or(&piece.name).trim_start_matches('!');
                    // Members may name parents or roots; only their plain parts make a path below ours.
                    piece.relative = input.relative.with_extension("").join(plain_path(member));
                    piece.format = self.format;
                    ready.push_back(piece);
                },
                &mut |f| faults.push(f),
            );
        } else {
            let (content, fault) = unpack_stream(&bytes, kind, &self.limits);
            if let Some(mut finding) = fault {
                finding.locate(&input.name, None);
                self.faults.push(finding);
            }
            let mut piece = Piece::whole(input.name, content);
            piece.relative = input.relative.with_extension("");
            piece.format = self.format;
            self.ready.push_back(piece);
        }
        Ok(())
    }

    /// The next piece of the open file.
    fn advance(&mut self, mut open: Open) -> io::Result<Piece> {
        let reader = format::reader(open.format);
        let mut wanted = PIECE_BYTES;
        let (cut, last) = loop {
            let missing = wanted.saturating_sub(open.carry.len());
            let got = open.reader.by_ref().take(missing as u64).read_to_end(&mut open.carry)?;
            if got < missing {
                break (open.carry.len(), true);
            }
            // The cut is the last game start in the piece: looked for from behind, in growing strides.
            let cut = reader.and_then(|r| last_game(r, &open.carry));
            match cut {
                Some(cut) => break (cut, false),
                None if open.carry.len() >= LONGEST_GAME => {
                    let message = format!("no game begins in {LONGEST_GAME} bytes; cut here");
                    self.fault(&open.input.name, codes::FILE_TOO_LARGE, message);
                    break (open.carry.len(), false);
                }
                None => wanted = open.carry.len() + PIECE_BYTES,
            }
        };
        let rest = open.carry.split_off(cut);
        let bytes = std::mem::replace(&mut open.carry, rest);
        let piece = Piece {
            name: open.input.name.clone(),
            relative: open.input.relative.clone(),
            first_byte: open.offset,
            first_line: open.line,
            last,
            format: Some(open.format),
            bytes,
        };
        if !last {
            open.offset += piece.bytes.len() as u64;
            open.line += piece.bytes.iter().filter(|&&b| b == b'\n').count() as u64;
            self.open = Some(open);
        }
        Ok(piece)
    }
}

/// Where the last game of `bytes` begins, if that is not at 0.
fn last_game(reader: &dyn format::Reader, bytes: &[u8]) -> Option<usize> {
    let mut stride = 1 << 14;
    loop {
        let from = bytes.len().saturating_sub(stride).max(1);
        let mut found = reader.next_game(bytes, from);
        while let Some(cut) = found
            && let Some(later) = reader.next_game(bytes, cut + 1)
        {
            found = Some(later);
        }
        if found.is_some() || from == 1 {
            return found;
        }
        stride *= 4;
    }
}

fn plain_path(member: &str) -> PathBuf {
    member.split(['/', '\\', '!']).filter(|part| !matches!(*part, "" | "." | "..") && !part.contains(':')).collect()
}

impl<I: Iterator<Item = Input>> Iterator for Pieces<I> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Some(piece);
            }
            if let Some(open) = self.open.take() {
                let name = open.input.name.clone();
                match self.advance(open) {
                    Ok(piece) => return Some(piece),
                    Err(error) => self.fault(&name, codes::UNREADABLE_FILE, error.to_string()),
                }
            }
            let input = self.inputs.next()?;
            let name = input.name.clone();
            if let Err(error) = self.start(input) {
                self.fault(&name, codes::UNREADABLE_FILE, error.to_string());
            }
        }
    }
}
