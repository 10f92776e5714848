//! Reading: blocks of bytes to text, text to games.
//!
//! The bytes are decoded in blocks that end between two games, so that memory does not grow with the file. A game that
//! shows signs of another encoding, or of a stray byte that swallowed its neighbour, is read again from its bytes; the
//! reading in which more of it becomes plies is kept.

use super::report::{self, Report};
use super::scan::{Scanned, Stop, scan};
use super::{board, split, tags};
use crate::board::Position;
use crate::diag::{Finding, codes};
use crate::format::{Confidence, Format, ReadGame, ReadOptions, Reader, Sink, Source, Status};
use crate::game::{Game, GameResult, Headers};
use crate::notation::{Dialect, read_move};
use crate::replay::{self, Entry};
use crate::text::{self, Faults, Guess, Locator, Spot};
use encoding_rs::{BIG5, Encoding, GB18030, UTF_8};
use std::ops::{ControlFlow, Range};

/// About so many bytes are decoded at a time.
const BLOCK: usize = 1 << 20;
/// A single game is read up to here.
const MOST_BYTES: usize = 192 << 20;
/// Tags of one game beyond this many are passed over.
const MOST_TAGS: usize = 4096;
/// So many damaged tags of one game are looked at one by one.
const MOST_MENDED: usize = 64;
/// Page text behind a game is kept up to this many bytes.
const MOST_TRAILER: usize = 1 << 20;

/// A game without tags has no more than so many bytes of other text for each move.
const PROSE: usize = 48;

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
        let (guess, differs) = match (options.encoding, source.encoding) {
            (Some(asked), _) => (Guess::asked(asked), false),
            (None, None) => (text::detect(source.bytes), false),
            (None, Some(settled)) => Guess::of_part(source.bytes, settled),
        };
        let mut session = Session { source, guess, number: source.first_game, games, findings: Vec::new() };
        if source.first_byte == 0 {
            session.findings.extend(report::encoding(&guess));
        } else if differs && let Some(settled) = source.encoding {
            session.findings.push(report::other_encoding_of_part(
                &settled,
                &guess,
                source.first_byte,
                source.first_line,
            ));
        }
        session.read();
        if session.number == source.first_game
            && source.first_byte == 0
            && !session.findings.iter().any(|finding| finding.code == codes::NO_GAME)
        {
            session.findings.push(Finding::new(
                codes::NO_GAME,
                crate::say!("no tag line and no move in it"; "没有标签行, 也没有着法"),
            ));
        }
        for finding in &mut session.findings {
            finding.locate(source.file, None);
        }
        session.findings
    }
}

/// Whether a line begins with `1.` and a move.
pub(in crate::format) fn first_round(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start();
        ["1.", "1、", "１．", "１."]
            .iter()
            .filter_map(|number| line.strip_prefix(number))
            .any(|rest| read_move(rest.trim_start_matches(['.', ' ', '…', '\u{3000}', '\t'])).is_some())
    })
}

struct Session<'s, 'g, 'c> {
    source: Source<'s>,
    guess: Guess,
    /// Number of the next game.
    number: u64,
    games: &'g mut Sink<'c>,
    findings: Vec<Finding>,
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
            let cut = read_to < end || (self.source.cut && end == bytes.len());
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

    /// Reads the games of a block; `cut` is whether its last game goes on behind it.
    fn games_of(&mut self, block: &mut Block<'_>, cut: bool) -> ControlFlow<()> {
        let mut entries = Vec::new();
        let mut raw = Raw::default();
        let mut at = 0;
        let mut locator = None;
        while let Some(end) = raw.read(block.text, at, &mut entries) {
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

/// One game as text.
#[derive(Debug, Default)]
struct Raw<'t> {
    start: usize,
    end: usize,
    tags: Vec<(usize, tags::Tag<'t>)>,
    /// How many tags behind [`MOST_TAGS`] were passed over.
    tags_left_out: usize,
    /// Where the move text starts.
    moves: usize,
    scanned: Scanned,
    /// Lines that belong to no game.
    page: Vec<Range<usize>>,
    /// A board drawn before the moves, where no tag names the start position.
    board: Option<board::Drawn>,
    /// An end of a line, as [`tags::read_tag`] found it.
    line_end: usize,
}

impl<'t> Raw<'t> {
    /// Reads the next game at or behind `from`; returns where the text goes on, or `None` if there is no game.
    fn read(&mut self, text: &'t str, from: usize, entries: &mut Vec<Entry<'t>>) -> Option<usize> {
        self.tags.clear();
        self.tags_left_out = 0;
        self.page.clear();
        entries.clear();
        self.start = from;
        let mut at = from;
        loop {
            at = self.read_tags(text, at);
            self.moves = at;
            self.scanned = scan(text, at, entries);
            self.page.append(&mut self.scanned.page);
            self.board = self.find_board(text, entries);
            let scanned = &self.scanned;
            at = scanned.end;
            let nothing = scanned.moves == 0 && (self.tags.is_empty() || scanned.result.is_none());
            if scanned.stop == Stop::Tag && nothing && (self.tags.is_empty() || !self.begins_game(text, at)) {
                // Page text before or between the tags.
                continue;
            }
            if self.tags.is_empty() && (scanned.moves == 0 || self.is_prose()) {
                // A star, a score or a move in running text.
                entries.clear();
                if scanned.stop == Stop::End || scanned.stop == Stop::Limit {
                    return None;
                }
                self.start = at;
                self.page.clear();
                continue;
            }
            break;
        }
        if matches!(self.scanned.stop, Stop::Result) {
            at = self.read_trailer(text, at);
        } else if self.scanned.stop == Stop::Limit {
            at = skip_game(text, at);
        }
        self.end = at;
        Some(at)
    }

    fn find_board(&self, text: &str, entries: &[Entry<'_>]) -> Option<board::Drawn> {
        let first = entries.first()?.at as usize;
        let named =
            self.tags.iter().any(|(_, tag)| tag.name.eq_ignore_ascii_case("FEN") && !tag.value.trim().is_empty());
        if named { None } else { board::find(text, &self.page, first) }
    }

    /// Whether moves without tags are only mentioned: there is far more other text around them.
    fn is_prose(&self) -> bool {
        let page: usize = self.page.iter().map(Range::len).sum();
        let page = page.saturating_sub(self.board.as_ref().map_or(0, |board| board.len));
        page + self.scanned.text_bytes > self.scanned.moves * PROSE
    }

    /// Reads tag lines and the empty lines around them.
    fn read_tags(&mut self, text: &'t str, from: usize) -> usize {
        let mut at = from;
        loop {
            let bytes = text.as_bytes();
            let blanks =
                |at: usize| bytes[at..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')).count();
            let mut here = at + blanks(at);
            if text[here..].starts_with('\u{FEFF}') {
                here += '\u{FEFF}'.len_utf8();
                here += blanks(here);
            }
            if bytes.get(here) != Some(&b'[') {
                return at;
            }
            if here > at && self.begins_game(text, here) && !self.tags.is_empty() {
                return here;
            }
            let Some(tag) = tags::read_tag(text, here, &mut self.line_end) else { return at };
            at = tag.end;
            if self.tags.len() < MOST_TAGS {
                self.tags.push((here, tag));
            } else {
                self.tags_left_out += 1;
            }
        }
    }

    /// Whether the tag line at `at` is the first of another game: `Event` or `Game` for the second time.
    fn begins_game(&self, text: &str, at: usize) -> bool {
        let line = &text.as_bytes()[at..];
        if !split::is_head(line) {
            return false;
        }
        let name = if line[1].eq_ignore_ascii_case(&b'e') { "Event" } else { "Game" };
        self.tags.iter().any(|(_, tag)| tag.name.eq_ignore_ascii_case(name))
            || !split::follows_tag(&text.as_bytes()[..at])
    }

    /// Text behind the result, up to the next game.
    fn read_trailer(&mut self, text: &str, from: usize) -> usize {
        let mut at = from;
        for line in text[from..].split_inclusive('\n') {
            let trimmed = line.trim();
            // The rest of the line with the result on it cannot start a game.
            if at > from && (tags::is_tag_line(trimmed) || (trimmed.starts_with(['1', '１']) && first_round(trimmed)))
            {
                return at + (line.len() - line.trim_start().len());
            }
            if !trimmed.is_empty() {
                self.page.push(at..at + line.trim_end().len());
            }
            at += line.len();
        }
        at
    }
}

/// Where the next game starts behind one that was too long.
fn skip_game(text: &str, at: usize) -> usize {
    split::next_start(text.as_bytes(), at).unwrap_or(text.len())
}

/// A game with what is to be said about it.
pub(super) struct Found {
    pub game: Game,
    pub status: Status,
    pub plies: u32,
    /// Something in it makes another reading of its bytes worth a try.
    pub suspicious: bool,
    /// It is a game of western chess.
    pub foreign: bool,
    /// A comment has no end.
    pub open_comment: bool,
    pub report: Report,
}

fn assemble(text: &str, raw: &Raw<'_>, entries: &[Entry<'_>]) -> Found {
    let mut report = Report::default();
    let mut headers = Headers::default();
    headers.reserve(raw.tags.len(), raw.tags.iter().map(|(_, tag)| tag.name.len() + tag.value.len()).sum());
    let mut start = Ok(raw.board.as_ref().map_or_else(Position::start, |board| board.start(&mut report)));
    let mut tag_result = None;
    for (at, tag) in &raw.tags {
        if let Some(fault) = tag.fault {
            report.add_at(*at, report::tag_fault(tag.name, fault));
        }
        if is_structural(tag.name, &tag.value) {
            continue;
        }
        if tag.name.eq_ignore_ascii_case("FEN") && !tag.value.trim().is_empty() {
            start = report::read_fen(&tag.value, *at, &mut report);
            if start.is_ok() {
                continue;
            }
        } else if tag.name.eq_ignore_ascii_case("Result") {
            if let Some(result) = GameResult::read(&tag.value) {
                tag_result.get_or_insert(result);
                continue;
            }
            if !tag.value.trim().is_empty() {
                report.add_at(*at, report::unknown_result(&tag.value));
            }
        }
        headers.push(tag.name, &*tag.value);
    }
    if raw.tags_left_out > 0 {
        report.add_at(raw.start, report::too_many_tags(raw.tags_left_out, MOST_TAGS));
    }
    for &(at, problem) in &raw.scanned.problems {
        report.add_at(at, report::problem(problem));
    }
    report.uncounted_problems(raw.scanned.more_problems);
    if let (Some(tag), Some(end)) = (tag_result, raw.scanned.result)
        && tag != end
    {
        report.add_at(raw.scanned.end, report::result_conflict(tag, end));
    }
    let mut game = Game {
        headers,
        result: tag_result.or(raw.scanned.result).unwrap_or_default(),
        trailer: trailer(text, raw, &mut report),
        ..Game::default()
    };
    let mut found = Found {
        game: Game::default(),
        status: Status::Ok,
        plies: 0,
        suspicious: false,
        foreign: false,
        open_comment: false,
        report,
    };
    found.open_comment = raw.scanned.problems.iter().any(|(_, p)| *p == super::scan::Problem::OpenComment);
    found.suspicious = found.open_comment || has_odd_text(raw);
    let move_text = || text[raw.moves..raw.scanned.moves_end].trim().replace("\r\n", "\n");
    match start {
        Err(()) => {
            game.rest = move_text();
            found.status = Status::Failed;
        }
        Ok(start) => {
            let source = Some(&text[..raw.scanned.moves_end]);
            let named = named_dialect(raw);
            let options = replay::Options { source, dialect: named, ..replay::Options::default() };
            let mut built = replay::build(&start, entries, &options);
            if built.stop.is_some() && named != Dialect::OPEN {
                // The tag may be wrong.
                let open = replay::Options { dialect: Dialect::OPEN, ..options };
                let other = replay::build(&start, entries, &open);
                if other.plies > built.plies {
                    built = other;
                }
            }
            found.plies = built.plies;
            found.status = Status::of_built(&built);
            if raw.scanned.stop == Stop::Limit {
                found.status = Status::of(true, built.plies as usize);
            }
            if let Some(stop) = &built.stop {
                found.suspicious = true;
                if report::is_western_chess(raw.tags.iter().map(|(_, tag)| tag), entries, stop.ply) {
                    found.report.add_at(raw.moves, report::foreign());
                    found.status = Status::Failed;
                    found.foreign = true;
                    found.plies = 0;
                    game.rest = move_text();
                    found.game = game;
                    return found;
                }
            }
            for one in built.findings {
                found.report.add_at(one.at as usize, one.finding);
            }
            if raw.scanned.stop == Stop::Limit && found.status == Status::Ok {
                found.status = Status::Partial;
            }
            game.start = built.start;
            game.tree = built.tree;
            game.rest = built.rest.trim().replace("\r\n", "\n");
        }
    }
    found.game = game;
    found
}

/// The dialect the `Format` tag of our own writer names.
fn named_dialect(raw: &Raw<'_>) -> Dialect {
    let format = raw.tags.iter().find(|(_, tag)| tag.name.eq_ignore_ascii_case("Format"));
    match format.map(|(_, tag)| &*tag.value) {
        Some("Short") => Dialect::OPEN.settled(Dialect::BAR_BELOW_FORWARD).settled(Dialect::BARS_COMPLETE),
        Some("Vietnamese") => Dialect::OPEN.settled(Dialect::VIETNAMESE),
        _ => Dialect::OPEN,
    }
}

/// Tags that say nothing the model does not hold or the writer does not write by itself.
fn is_structural(name: &str, value: &str) -> bool {
    let name_is = |other: &str| name.eq_ignore_ascii_case(other);
    match name.len() {
        3 => name_is("FEN") && value.trim().is_empty(),
        4 => {
            name_is("Game")
                && (value == "Chinese Chess"
                    || value.contains("hinese")
                    || value.contains("象棋")
                    || value.trim().is_empty())
        }
        5 => name_is("SetUp"),
        6 => name_is("Format"),
        7 => name_is("Variant") && value.eq_ignore_ascii_case("xiangqi"),
        _ => false,
    }
}

/// Whether characters in tags or move text hint at another encoding: holes, private use, text nobody can read.
fn has_odd_text(raw: &Raw<'_>) -> bool {
    let odd = |text: &str| !text.is_ascii() && text.chars().any(|c| matches!(c, '\u{FFFD}' | '\u{E000}'..='\u{F8FF}'));
    raw.tags.iter().any(|(_, tag)| odd(&tag.value))
        || (raw.scanned.moves == 0 && !raw.page.is_empty())
        || raw.scanned.text_bytes > 0
}

fn trailer(text: &str, raw: &Raw<'_>, report: &mut Report) -> String {
    let mut trailer = String::new();
    for range in &raw.page {
        let line = text[range.clone()].trim_end();
        if trailer.len() + line.len() > MOST_TRAILER {
            report.add_at(range.start, report::trailer_cut(MOST_TRAILER));
            break;
        }
        if !trailer.is_empty() {
            trailer.push('\n');
        }
        trailer.push_str(line);
    }
    trailer
}
