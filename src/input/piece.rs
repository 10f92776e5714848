//! Files in pieces that fit in memory.

use super::archive::{Bomb, Budget, Bytes, Limits, Packing, packing, unpack};
use super::walk::Input;
use super::zip::Zip;
use crate::diag::{Code, Finding, Message, codes};
use crate::format::{self, Detected, Format, Source};
use crate::text::{self, Basis, Guess};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Cursor, Read};
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
    /// Whether its last game goes on behind it and was too long to be read.
    pub cut: bool,
    /// The format, where the user or an earlier piece of the file has settled it.
    pub format: Option<Format>,
    /// The encoding, where an earlier piece of the file (or this one, if it is a part) has settled it.
    pub encoding: Option<Guess>,
}

impl Piece {
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
            encoding: self.encoding,
            cut: self.cut,
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
    /// Archives whose members are being read, the innermost last.
    zips: Vec<(Origin, Zip)>,
    ready: VecDeque<Piece>,
    /// What could not be read, in order; the caller drains it.
    pub faults: Vec<Finding>,
}

/// Where bytes come from.
#[derive(Clone, Debug)]
struct Origin {
    name: String,
    relative: PathBuf,
    /// How many archives they came out of.
    depth: u8,
    budget: Budget,
}

impl Origin {
    /// Findings about it carry its name.
    fn finding(&self, code: Code, message: impl Into<Message>) -> Finding {
        let mut finding = Finding::new(code, message);
        finding.locate(&self.name, None);
        finding
    }

    /// Why reading stopped before the end.
    fn stopped(&self, error: &io::Error) -> Finding {
        match (Bomb::is(error), self.depth) {
            (true, _) => self.finding(codes::ARCHIVE_TOO_LARGE, error.to_string()),
            (false, 0) => self.finding(codes::UNREADABLE_FILE, error.to_string()),
            (false, _) => self.finding(
                codes::DAMAGED_ARCHIVE,
                crate::say!("cannot be unpacked to its end: {error}"; "无法解开到底: {error}"),
            ),
        }
    }

    /// The content of a packed stream goes by the name without the ending that says so.
    fn unpacked(mut self) -> Origin {
        self.depth += 1;
        let ending = self.relative.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if ["gz", "zst", "zip", "gzip"].iter().any(|packed| ending.eq_ignore_ascii_case(packed)) {
            self.relative.set_extension("");
        }
        self
    }
}

/// A large file that is being cut into pieces.
struct Open {
    origin: Origin,
    reader: Bytes,
    carry: Vec<u8>,
    offset: u64,
    line: u64,
    format: Format,
    encoding: Option<Guess>,
    /// The rest of a game that was too long is to be passed over.
    skipping: bool,
}

impl std::fmt::Debug for Open {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Open").field("origin", &self.origin).field("offset", &self.offset).finish_non_exhaustive()
    }
}

/// Reads up to so many more bytes; what came before an error is kept.
fn fill(reader: &mut Bytes, bytes: &mut Vec<u8>, wanted: usize) -> (usize, Option<io::Error>) {
    let before = bytes.len();
    let error = reader.by_ref().take(wanted as u64).read_to_end(bytes).err();
    (bytes.len() - before, error)
}

impl<I: Iterator<Item = Input>> Pieces<I> {
    /// Reads these files. `format` is the user's word on what they are.
    pub fn new(inputs: I, format: Option<Format>, limits: Limits) -> Pieces<I> {
        Pieces { inputs, limits, format, open: None, zips: Vec::new(), ready: VecDeque::new(), faults: Vec::new() }
    }

    /// Opens a file of the user's.
    fn start_input(&mut self, input: Input) {
        let origin =
            Origin { name: input.name, relative: input.relative, depth: 0, budget: Budget::new(self.limits.ratio) };
        let opened = match &input.path {
            Some(path) => File::open(path).map(|file| origin.budget.packed(file)),
            None => Ok(origin.budget.packed(io::stdin())),
        };
        match opened {
            Ok(reader) => self.start(origin, reader, input.path.as_ref()),
            Err(error) => self.faults.push(origin.stopped(&error)),
        }
    }

    /// Opens a stream: a small one becomes one piece, an archive is unpacked, a large one stays open.
    fn start(&mut self, mut origin: Origin, mut reader: Bytes, path: Option<&PathBuf>) {
        loop {
            let mut head = Vec::new();
            let (_, error) = fill(&mut reader, &mut head, PIECE_BYTES);
            let Some(kind) = packing(&head) else { return self.start_plain(origin, reader, head, error) };
            if origin.depth >= self.limits.depth {
                let most = self.limits.depth;
                let message = crate::say!("more than {most} archives one inside the other; not unpacked"; "压缩包嵌套超过 {most} 层, 不再解开");
                return self.faults.push(origin.finding(codes::ARCHIVE_TOO_LARGE, message));
            }
            let packed: Bytes = Box::new(Cursor::new(head).chain(Failing(error)).chain(reader));
            if kind == Packing::Zip {
                return self.start_zip(origin, packed, path);
            }
            match unpack(packed, kind == Packing::Zstd, &origin.budget) {
                Ok(content) => reader = content,
                Err(error) => return self.faults.push(origin.unpacked().stopped(&error)),
            }
            origin = origin.unpacked();
        }
    }

    /// A zip is read from both ends, so it must be a file; one that comes in a stream becomes a nameless one.
    fn start_zip(&mut self, origin: Origin, mut packed: Bytes, path: Option<&PathBuf>) {
        let origin = Origin { depth: origin.depth + 1, ..origin };
        let file = match path.filter(|path| origin.depth == 1 && path.is_file()) {
            Some(path) => File::open(path).and_then(|file| {
                // Its parts may be read in any order, but no more than all of it.
                origin.budget.take_in(file.metadata()?.len());
                Ok(file)
            }),
            None => tempfile::tempfile().inspect(|mut file| {
                if let Err(error) = io::copy(&mut packed, &mut file) {
                    self.faults.push(origin.stopped(&error));
                }
            }),
        };
        let opened = file.and_then(|file| {
            let mut tell = |(code, message)| self.faults.push(origin.finding(code, message));
            Zip::open(file, &origin.budget, &self.limits, &mut tell)
        });
        match opened {
            Ok(zip) => self.zips.push((origin, zip)),
            Err(error) => self.faults.push(origin.stopped(&error)),
        }
    }

    /// Opens the next member of the innermost archive; false if there is none.
    fn start_member(&mut self) -> bool {
        let Some((origin, zip)) = self.zips.last_mut() else { return false };
        let Some((name, content)) = zip.next() else {
            self.zips.pop();
            return true;
        };
        let mut folder = origin.relative.clone();
        folder.set_extension("");
        let member = Origin {
            name: format!("{}!{name}", origin.name),
            // Members may name parents or roots; only their plain parts make a path below ours.
            relative: folder.join(plain_path(&name)),
            ..origin.clone()
        };
        match content {
            Ok(reader) => self.start(member, reader, None),
            Err((code, message)) => self.faults.push(member.finding(code, message)),
        }
        true
    }

    /// Content that is packed no further.
    fn start_plain(&mut self, origin: Origin, mut reader: Bytes, mut head: Vec<u8>, mut error: Option<io::Error>) {
        let complete = head.len() < PIECE_BYTES;
        let format = self.format.or_else(|| match format::detect(&head) {
            Detected::Format { reader, .. } => Some(reader.format()),
            Detected::Refused(_) => None,
        });
        let splits = format.and_then(format::reader).is_some_and(|r| r.next_game(&head, 1).is_some());
        if let (false, true, Some(format)) = (complete, splits, format) {
            let (carry, encoding, skipping) = (head, None, false);
            self.open = Some(Open { origin, reader, carry, offset: 0, line: 1, format, encoding, skipping });
            return;
        }
        if !complete {
            let most = usize::try_from(self.limits.member_bytes).unwrap_or(usize::MAX);
            let wanted = most.saturating_sub(head.len()).saturating_add(1);
            (_, error) = fill(&mut reader, &mut head, wanted);
            if head.len() > most {
                head.truncate(most);
                let message = crate::say!("larger than {most} bytes and not cut into games; the rest is not read"; "超过 {most} 字节, 又不能分局读取; 其余不读");
                self.faults.push(origin.finding(codes::FILE_TOO_LARGE, message));
            }
        }
        if let Some(error) = error {
            self.faults.push(origin.stopped(&error));
            if head.is_empty() && origin.depth == 0 {
                return;
            }
        }
        self.ready.push_back(Piece {
            name: origin.name,
            relative: origin.relative,
            bytes: head,
            first_byte: 0,
            first_line: 1,
            last: true,
            cut: false,
            format: self.format,
            encoding: None,
        });
    }

    /// The next piece of the open file.
    fn advance(&mut self, mut open: Open) -> Piece {
        let reader = format::reader(open.format);
        if std::mem::take(&mut open.skipping) {
            self.skip(&mut open, reader);
        }
        let mut wanted = PIECE_BYTES;
        let mut too_long = false;
        let (cut, last) = loop {
            let missing = wanted.saturating_sub(open.carry.len());
            let (got, error) = fill(&mut open.reader, &mut open.carry, missing);
            if let Some(error) = &error {
                self.faults.push(open.origin.stopped(error));
            }
            if got < missing {
                break (open.carry.len(), true);
            }
            // The cut is the last game start in the piece: looked for from behind, in growing strides.
            let cut = reader.and_then(|r| last_game(r, &open.carry));
            match cut {
                Some(cut) => break (cut, false),
                None if open.carry.len() >= LONGEST_GAME => {
                    too_long = true;
                    // The first piece of a file settles the encoding only now, so this may be two bytes off its mark.
                    let beginning = open.carry[..PIECE_BYTES].to_vec();
                    open.settle(&beginning);
                    let end = line_start(&open.carry, open.is_wide());
                    break (if end > 0 { end } else { open.carry.len() & !1 }, false);
                }
                // Twice as much each time, so that a long game is not looked through again and again.
                None => wanted = 2 * open.carry.len().max(PIECE_BYTES),
            }
        };
        let rest = open.carry.split_off(cut);
        let bytes = std::mem::replace(&mut open.carry, rest);
        open.settle(&bytes);
        let piece = Piece {
            name: open.origin.name.clone(),
            relative: open.origin.relative.clone(),
            first_byte: open.offset,
            first_line: open.line,
            last,
            cut: too_long,
            format: Some(open.format),
            encoding: open.encoding,
            bytes,
        };
        if !last {
            open.pass(&piece.bytes);
            open.skipping = too_long;
            self.open = Some(open);
        }
        piece
    }

    /// Passes over the rest of a game that was too long: half of a game would be read as one of its own.
    fn skip(&mut self, open: &mut Open, reader: Option<&'static dyn format::Reader>) {
        let mut skipped = 0;
        // Of what was passed over two bytes stay, so that the middle of a line is not taken for its beginning.
        let mut from = 0;
        loop {
            let start = reader.and_then(|r| r.next_game(&open.carry, from));
            let line = line_start(&open.carry, open.is_wide());
            let kept = if line > 0 { line } else { open.carry.len().saturating_sub(2) & !1 };
            from = if line > 0 { 0 } else { 2 };
            let rest = open.carry.split_off(start.unwrap_or(kept));
            let passed = std::mem::replace(&mut open.carry, rest);
            skipped += passed.len() as u64;
            open.pass(&passed);
            if start.is_some() {
                break;
            }
            let (got, error) = fill(&mut open.reader, &mut open.carry, PIECE_BYTES);
            if let Some(error) = &error {
                self.faults.push(open.origin.stopped(error));
            }
            if got == 0 {
                skipped += open.carry.len() as u64;
                open.carry.clear();
                break;
            }
        }
        let message = crate::say!(
            "a game is longer than {LONGEST_GAME} bytes; its last {skipped} bytes were not read";
            "有一局超过 {LONGEST_GAME} 字节; 最后 {skipped} 字节未读"
        );
        self.faults.push(open.origin.finding(codes::FILE_TOO_LARGE, message));
    }
}

impl Open {
    /// Moves the place in the file behind these bytes.
    fn pass(&mut self, bytes: &[u8]) {
        self.offset += bytes.len() as u64;
        self.line += text::count_lines(bytes, self.encoding.map_or(encoding_rs::UTF_8, |guess| guess.encoding));
    }

    /// All pieces of a file are read in one encoding: that of the first that says anything, unless that was a mere guess
    /// and a later one is sure.
    fn settle(&mut self, bytes: &[u8]) {
        let known = |guess: &Guess| !matches!(guess.basis, Basis::Ascii);
        let told = self.encoding.filter(known);
        if told.is_some_and(|guess| !guess.is_weak()) {
            return;
        }
        let guess = text::detect(bytes);
        if told.is_none() || (known(&guess) && !guess.is_weak()) {
            self.encoding = Some(guess);
        }
    }

    fn is_wide(&self) -> bool {
        self.encoding.is_some_and(|guess| !guess.encoding.is_ascii_compatible())
    }
}

/// A reader that gives nothing but the error it holds.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Where the last line begins. Two-byte units begin at even places.
fn line_start(bytes: &[u8], wide: bool) -> usize {
    memchr::memrchr(b'\n', bytes).map_or(0, |at| if wide { (at + 1).next_multiple_of(2) } else { at + 1 })
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
                return Some(self.advance(open));
            }
            if !self.start_member() {
                let input = self.inputs.next()?;
                self.start_input(input);
            }
        }
    }
}
