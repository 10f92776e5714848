//! Reading: blocks of bytes to text, text to games.
//!
//! The bytes are decoded in blocks that end between two games, so that memory does not grow with the file. A game that
//! shows signs of another encoding, or of a stray byte that swallowed its neighbour, is read again from its bytes; the
//! reading in which more of it becomes plies is kept.

use super::assemble::{Found, assemble};
use super::express::{self, Express};
use super::raw::Raw;
use super::report::{self, Report};
use super::{split, tags};
use crate::diag::{Finding, codes};
use crate::format::{Confidence, Format, ReadGame, ReadOptions, Reader, Sink, Source, Status};
use crate::notation::{Shape, read_english, read_move, read_number, side_label};
use crate::text::{self, Faults, Guess, Locator, Spot};
use encoding_rs::{BIG5, Encoding, GB18030, GBK, UTF_8};
use std::ops::{ControlFlow, Range};

/// About so many bytes are decoded at a time.
const BLOCK: usize = 1 << 20;
/// A single game is read up to here.
const MOST_BYTES: usize = 192 << 20;
/// So many damaged tags of one game are looked at one by one.
const MOST_MENDED: usize = 64;

/// Reads PGN.
#[derive(Clone, Copy, Debug)]
pub struct PgnReader;

impl Reader for PgnReader {
    fn format(&self) -> Format {
        Format::Pgn
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        let (text, _, _) = text::decode(head, None);
        let start = text.trim_start().get(..200).unwrap_or(&text).to_ascii_lowercase();
        if text.contains('\0') || start.contains("<html") || start.contains("<!doctype") || start.contains("<head") {
            return Confidence::No;
        }
        let known = |line: &&str| {
            let line = line.trim_start();
            let name = line.strip_prefix('[').map_or("", |rest| rest.split([' ', '"', '\t']).next().unwrap_or(""));
            tags::is_tag_line(line)
                && ["event", "game", "red", "white", "black", "result", "fen", "date", "site"]
                    .contains(&name.to_ascii_lowercase().as_str())
        };
        if text.lines().filter(known).take(2).count() == 2 {
            return Confidence::Likely;
        }
        if text.lines().any(tags::is_tag_line) {
            return Confidence::Weak;
        }
        Confidence::No
    }

    fn next_game(&self, bytes: &[u8], from: usize) -> Option<usize> {
        split::next_start(bytes, from)
    }

    fn read(&self, source: Source<'_>, options: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        read(source, options, games, &mut Some(Express::default()))
    }
}

/// Reads games, the plain ones by the quick way if there is one.
pub(super) fn read(
    source: Source<'_>,
    options: &ReadOptions,
    games: &mut Sink<'_>,
    express: &mut Option<Express>,
) -> Vec<Finding> {
    let (guess, differs) = match (options.encoding, source.encoding) {
        (Some(asked), _) => (Guess::asked(asked), false),
        (None, None) => (text::detect(source.bytes), false),
        (None, Some(settled)) => Guess::of_part(source.bytes, settled),
    };
    let mut session = Session { source, guess, number: source.first_game, games, findings: Vec::new(), express };
    if source.first_byte == 0 {
        session.findings.extend(report::encoding(&guess));
    } else if differs && let Some(settled) = source.encoding {
        session.findings.push(report::other_encoding_of_part(&settled, &guess, source.first_byte, source.first_line));
    }
    session.read();
    if session.number == source.first_game
        && source.first_byte == 0
        && !session.findings.iter().any(|finding| finding.code == codes::NO_GAME)
    {
        session
            .findings
            .push(Finding::new(codes::NO_GAME, crate::say!("no tag line and no move in it"; "没有标签行, 也没有着法")));
    }
    for finding in &mut session.findings {
        finding.locate(source.file, None);
    }
    session.findings
}

/// Whether a line begins with the number of the first round and a move; tells how the number is written.
pub(in crate::format) fn first_round(text: &str) -> Option<Shape> {
    text.lines().find_map(|line| {
        let line = line.trim_start();
        let number = read_number(line).filter(|number| number.value == 1 && number.marked)?;
        let rest = line[number.used..].trim_start_matches(['.', ' ', '…', '\u{3000}', '\t']);
        let rest = &rest[side_label(rest)..];
        (read_move(rest).is_some() || read_english(rest).is_some()).then_some(number.shape)
    })
}

struct Session<'s, 'g, 'c> {
    source: Source<'s>,
    guess: Guess,
    /// Number of the next game.
    number: u64,
    games: &'g mut Sink<'c>,
    findings: Vec<Finding>,
    express: &'g mut Option<Express>,
}

impl Session<'_, '_, '_> {
    fn read(&mut self) {
        let bytes = self.source.bytes;
        let encoding = self.guess.encoding;
        let mut buffer = String::new();
        let mut faults = Faults::default();
        let mut at = if self.source.first_byte == 0 { text::mark_len(bytes, encoding) } else { 0 };
        // The line of the block, counted up only when a finding needs it.
        let mut counted = (at, self.source.first_line);
        while at < bytes.len() {
            let end = self.block_end(at);
            let read_to = cut(bytes, at, end, encoding);
            let cut = read_to < end || (self.source.cut && end == bytes.len());
            let in_gbk = encoding == GB18030 || encoding == GBK;
            if in_gbk && read_to == end {
                match self.games_of_bytes(&bytes[..end], at, cut) {
                    ControlFlow::Continue(behind) => at = behind,
                    ControlFlow::Break(()) => return,
                }
            }
            let block = &bytes[at..read_to];
            let text = if encoding == UTF_8 { std::str::from_utf8(block).ok() } else { None };
            let text = match text {
                Some(text) => {
                    faults.clear();
                    text
                }
                None => {
                    text::decode_into(block, encoding, &mut buffer, &mut faults);
                    &buffer
                }
            };
            let mut block =
                Block { bytes: block, at, encoding, text, faults: &faults, counted: &mut counted, whole: bytes };
            if self.games_of(&mut block, cut).is_break() {
                return;
            }
            if read_to < end {
                let most = MOST_BYTES >> 20;
                let message =
                    crate::say!("only the first {most} MiB of this game were read"; "本局只读了前 {most} MiB");
                let byte = self.source.first_byte + read_to as u64;
                self.findings.push(Finding::new(codes::GAME_TOO_LONG, message).byte(byte));
            }
            at = end;
        }
    }

    fn block_end(&self, at: usize) -> usize {
        let bytes = self.source.bytes;
        if bytes.len() - at <= BLOCK {
            return bytes.len();
        }
        split::next_start(bytes, at + BLOCK).unwrap_or(bytes.len())
    }

    /// Reads games of a block without decoding it, as long as nothing is odd; gives where the first odd one begins.
    fn games_of_bytes(&mut self, block: &[u8], from: usize, cut: bool) -> ControlFlow<(), usize> {
        let Some(mut express) = self.express.take() else { return ControlFlow::Continue(from) };
        let mut at = from;
        while let Some((found, end)) = express.read(express::Source::Gbk(block), at)
            && !(cut && end == block.len())
        {
            at = end;
            self.emit(found, self.guess.encoding)?;
        }
        *self.express = Some(express);
        ControlFlow::Continue(at)
    }

    /// Reads the games of a block; `cut` is whether its last game goes on behind it.
    fn games_of(&mut self, block: &mut Block<'_>, cut: bool) -> ControlFlow<()> {
        let mut entries = Vec::new();
        let mut raw = Raw::default();
        let mut at = 0;
        let mut locator = None;
        loop {
            let express = self.express.as_mut().and_then(|express| express.read(express::Source::Text(block.text), at));
            if let Some((found, end)) = express.filter(|(_, end)| !(cut && *end == block.text.len())) {
                at = end;
                self.emit(found, block.encoding)?;
                continue;
            }
            let Some(end) = raw.read(block.text, at, &mut entries) else { break };
            at = end;
            let mut found = assemble(block.text, &raw, &entries);
            if raw.tags.is_empty() && found.plies == 0 && !found.foreign {
                // Moves of a position nobody knows, or words that only look like moves.
                let spot = block.spot(&mut locator, raw.moves);
                self.no_game(spot, &raw, found.report);
                continue;
            }
            let faults = block.faults_in(raw.start..raw.end);
            let mut encoding = block.encoding;
            if !faults.is_empty() || found.suspicious {
                let reading = self.second_reading(block, &raw, &found, &mut locator);
                if let Some(better) = reading {
                    (found, encoding) = better;
                } else {
                    self.mend_fields(block, &raw, &mut found, &mut locator);
                    for &fault in faults {
                        found.report.add(report::bad_byte(block.text, block.bytes, fault, &raw.tags));
                    }
                    let more = block.faults.count - block.faults.list.len();
                    if more > 0 && raw.end == block.text.len() {
                        found.report.uncounted_faults(more);
                    }
                    found.report.locate(|text_at| block.spot(&mut locator, text_at));
                }
            } else if !found.report.is_empty() {
                found.report.locate(|text_at| block.spot(&mut locator, text_at));
            }
            if cut && at == block.text.len() {
                found.status = Status::of(true, found.plies as usize);
            }
            self.emit(found, encoding)?;
        }
        ControlFlow::Continue(())
    }

    /// Text with moves of which not one can be played.
    fn no_game(&mut self, spot: Spot, raw: &Raw<'_>, report: Report) {
        if self.findings.iter().filter(|finding| finding.code == codes::NO_GAME).count() >= 20 {
            return;
        }
        let why = report.into_findings().into_iter().find(|finding| finding.code == codes::NO_LEGAL_MOVE);
        let count = raw.scanned.moves;
        let text = why.as_ref().and_then(|why| why.text.clone()).unwrap_or_default();
        let (reason, chinese) = why.map_or_else(Default::default, |why| {
            let chinese = why.chinese.as_ref().unwrap_or(&why.message);
            (format!(": {text}: {}", why.message), format!(": {text}: {chinese}"))
        });
        let message = crate::say!(
            "{count} texts that look like moves, without tags, and none can be played from the start position{reason}";
            "有 {count} 处像着法的文字, 没有标签, 从起始局面一着也走不了{chinese}"
        );
        let byte = self.source.first_byte + spot.byte;
        self.findings.push(Finding::new(codes::NO_GAME, message).byte(byte).line(spot.line, Some(spot.column)));
    }

    fn emit(&mut self, found: Found, encoding: &'static Encoding) -> ControlFlow<()> {
        let mut findings = found.report.into_findings();
        for finding in &mut findings {
            finding.locate(self.source.file, Some(self.number));
            if let Some(byte) = &mut finding.byte {
                *byte += self.source.first_byte;
            }
        }
        let game = ReadGame {
            game: found.game,
            number: self.number,
            encoding: text::encoding_name(encoding),
            status: found.status,
            findings,
        };
        self.number += 1;
        (self.games)(game)
    }

    /// Reads a game again from its bytes, in another encoding or without a byte that swallowed its neighbour, and
    /// returns that reading if it is better.
    fn second_reading<'b>(
        &self,
        block: &mut Block<'b>,
        raw: &Raw<'_>,
        first: &Found,
        locator: &mut Option<Locator<'b>>,
    ) -> Option<(Found, &'static Encoding)> {
        if self.guess.basis == text::Basis::Asked {
            return None;
        }
        let range = block.bytes_of(locator, raw.start..raw.end);
        let bytes = &block.bytes[range.clone()];
        let from = block.spot(locator, raw.start);
        let guess = text::detect(bytes);
        if guess.encoding != block.encoding && guess.encoding.is_ascii_compatible() && !bytes.is_ascii() {
            let note = report::other_encoding(block.encoding, &guess);
            if let Some(found) = again(bytes, bytes, guess.encoding, from, first, Some(note)) {
                return Some((found, guess.encoding));
            }
        }
        if block.encoding != GB18030 && block.encoding != BIG5 {
            return None;
        }
        for byte in report::swallowers(bytes, first) {
            let mut patched = bytes.to_vec();
            // 0xFF is no character in either encoding, so it becomes one bad byte and frees its neighbour.
            patched[byte] = 0xFF;
            if let Some(found) = again(&patched, bytes, block.encoding, from, first, None) {
                return Some((found, block.encoding));
            }
        }
        None
    }

    /// Reads single tag values in another encoding if the file's leaves holes in them.
    fn mend_fields<'b>(
        &self,
        block: &mut Block<'b>,
        raw: &Raw<'_>,
        found: &mut Found,
        locator: &mut Option<Locator<'b>>,
    ) {
        if self.guess.basis == text::Basis::Asked {
            return;
        }
        // Setting a header takes a look at all of them.
        let damaged = raw.tags.iter().filter(|(_, tag)| tag.value.contains('\u{FFFD}')).take(MOST_MENDED);
        for (at, tag) in damaged {
            let range = block.bytes_of(locator, *at..tag.end);
            let Some((guess, value)) = report::mend(&block.bytes[range], block.encoding) else { continue };
            let Some(mended) = tags::read_tag(&value, 0, &mut 0) else { continue };
            found.game.headers.set_raw(tag.name, &*mended.value);
            found.report.add_at(*at, report::other_encoding_of_field(tag.name, &guess));
        }
    }
}

/// Where reading of a block stops: its end, or a line end before the limit.
fn cut(bytes: &[u8], at: usize, end: usize, encoding: &'static Encoding) -> usize {
    if end - at <= MOST_BYTES {
        return end;
    }
    let most = at + MOST_BYTES;
    if !encoding.is_ascii_compatible() {
        return most;
    }
    memchr::memrchr(b'\n', &bytes[most - BLOCK..most]).map_or(most, |line_end| most - BLOCK + line_end + 1)
}

/// One game read again; `None` if the first reading is as good. `original` is what findings show.
fn again(
    bytes: &[u8],
    original: &[u8],
    encoding: &'static Encoding,
    from: Spot,
    first: &Found,
    note: Option<Finding>,
) -> Option<Found> {
    let (text, faults) = text::decode_as(bytes, encoding);
    let mut entries = Vec::new();
    let mut raw = Raw::default();
    raw.read(&text, 0, &mut entries)?;
    let mut found = assemble(&text, &raw, &entries);
    let better = (found.plies, !found.suspicious, usize::MAX - faults.count) > (first.plies, !first.suspicious, 0);
    if !better || (found.plies == first.plies && found.suspicious) {
        return None;
    }
    for &fault in &faults.list {
        found.report.add(report::bad_byte(&text, original, fault, &raw.tags));
    }
    if let Some(note) = note {
        found.report.add_at(0, note);
    }
    let mut locator = Locator::new(bytes, encoding, from);
    found.report.locate(|text_at| locator.spot(text_at));
    Some(found)
}

/// Bytes with their text.
struct Block<'b> {
    bytes: &'b [u8],
    /// Where they stand in the source.
    at: usize,
    encoding: &'static Encoding,
    text: &'b str,
    faults: &'b Faults,
    counted: &'b mut (usize, u64),
    whole: &'b [u8],
}

impl<'b> Block<'b> {
    fn faults_in(&self, range: Range<usize>) -> &'b [text::Fault] {
        let list: &'b [text::Fault] = &self.faults.list;
        let from = list.partition_point(|fault| fault.text_at < range.start);
        let to = list.partition_point(|fault| fault.text_at < range.end);
        &list[from..to]
    }

    /// The place of a text offset; bytes count from the start of the source.
    fn spot(&mut self, locator: &mut Option<Locator<'b>>, text_at: usize) -> Spot {
        let locator = locator.get_or_insert_with(|| {
            let (from, line) = *self.counted;
            let line = line + text::count_lines(&self.whole[from..self.at], self.encoding);
            *self.counted = (self.at, line);
            Locator::new(self.bytes, self.encoding, Spot { byte: self.at as u64, line, column: 1 })
        });
        locator.spot(text_at)
    }

    fn bytes_of(&mut self, locator: &mut Option<Locator<'b>>, range: Range<usize>) -> Range<usize> {
        let at = self.at as u64;
        let start = (self.spot(locator, range.start).byte - at) as usize;
        let end = (self.spot(locator, range.end).byte - at) as usize;
        start..end
    }
}
