//! The quick way through a game in which nothing is odd: tags one a line, rounds, moves, a result, an empty line.
//!
//! Comes in: text, or bytes in GBK that nobody has decoded yet. Goes out: the whole game, every ply proved, or nothing:
//! then the caller reads it the careful way. Forgives: nothing. Whatever could lead to a finding, to another reading or
//! to a text that has to be kept is left to the careful way, so that both give the same game; a test compares them over
//! real games and damaged ones.

use super::assemble::{Found, Head};
use super::report::Report;
use super::{assemble, split, tags};
use crate::board::{Move, Point, Position, Prover};
use crate::format::Status;
use crate::game::{Game, GameResult, Tree};
use crate::notation::quick::{Refused, Script, Step, play, step};
use crate::notation::{Dialect, Token, decide};
use crate::replay::{self, Signs};
use crate::text::{self, Faults};
use crate::work::{Work, note};
use encoding_rs::GB18030;

/// What is read from.
#[derive(Clone, Copy)]
pub(super) enum Source<'t> {
    Text(&'t str),
    /// GBK or GB18030. No ASCII but digits, letters and a few signs can be the second byte of a character there; what is
    /// looked for here (blanks, line ends, quotes) never is.
    Gbk(&'t [u8]),
}

impl<'t> Source<'t> {
    fn bytes(self) -> &'t [u8] {
        match self {
            Source::Text(text) => text.as_bytes(),
            Source::Gbk(bytes) => bytes,
        }
    }

    fn script(self) -> Script {
        match self {
            Source::Text(_) => Script::Utf8,
            Source::Gbk(_) => Script::gbk(),
        }
    }
}

/// Longer games and larger round numbers go the careful way, which knows the limits.
const MOST_PLIES: usize = 500_000;
const MOST_DIGITS: usize = 8;
/// So many texts of a game may need the whole position.
const MOST_OTHERS: usize = 12;
/// After so many games in a row that need the careful way, only every so-manieth is tried.
const MOST_SKIPPED: u32 = 15;

/// Room that is used again for every game.
#[derive(Default)]
pub(super) struct Express {
    /// The tags, decoded.
    text: String,
    faults: Faults,
    moves: Vec<Move>,
    prover: Prover,
    /// How many games were read.
    pub taken: usize,
    /// How many games the last miss lets pass, and how many of them are still to pass.
    pause: u32,
    passing: u32,
}

impl Express {
    /// Reads the game at or behind `from`; gives where the text goes on. `None`: read it the careful way.
    pub fn read(&mut self, source: Source<'_>, from: usize) -> Option<(Found, usize)> {
        if self.passing > 0 {
            self.passing -= 1;
            return None;
        }
        let read = self.game(source, from);
        self.taken += usize::from(read.is_some());
        self.pause = if read.is_some() { 0 } else { (self.pause * 2 + 1).min(MOST_SKIPPED) };
        self.passing = self.pause;
        read
    }

    fn game(&mut self, source: Source<'_>, from: usize) -> Option<(Found, usize)> {
        let bytes = source.bytes();
        let at = skip_blank_lines(bytes, from);
        let tags_end = tag_lines_end(bytes, at)?;
        let tag_lines = match source {
            Source::Text(text) => text.get(at..tags_end)?,
            Source::Gbk(bytes) => {
                text::decode_into(&bytes[at..tags_end], GB18030, &mut self.text, &mut self.faults);
                if self.faults.count > 0 {
                    return None;
                }
                &self.text
            }
        };
        let head = head(tag_lines)?;
        let start = head.start.ok()?;
        self.prover.set(&start)?;
        self.moves.clear();
        let mut line = Line {
            prover: &mut self.prover,
            moves: &mut self.moves,
            dialect: replay::Options::default().dialect.prefer(Dialect::COMMON),
            excluded: Dialect::NONE,
            signs: Signs::default(),
            start: &start,
            others: 0,
        };
        let read = line.read(bytes, tags_end, source.script());
        note(Work::Played, line.moves.len());
        let (end, result) = read?;
        note(Work::Bytes, end - from);
        if line.has_something_to_tell() || line.moves.is_empty() {
            return None;
        }
        if head.result.zip(result).is_some_and(|(tag, end)| tag != end) {
            return None;
        }
        let end = if result.is_some() { next_game(bytes, end)? } else { end };
        let game = Game {
            headers: head.headers,
            start,
            tree: Tree::of_line(&self.moves),
            result: head.result.or(result).unwrap_or_default(),
            rest: String::new(),
            trailer: String::new(),
        };
        let found = Found {
            game,
            status: Status::Ok,
            plies: self.moves.len() as u32,
            suspicious: false,
            foreign: false,
            open_comment: false,
            report: Report::default(),
        };
        Some((found, end))
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|&byte| is_blank(byte)) {
        at += 1;
    }
    at
}

fn skip_blank_lines(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|&byte| is_blank(byte) || byte == b'\n') {
        at += 1;
    }
    at
}

/// Tags of a plain game are within so many bytes.
const MOST_HEAD: usize = 1 << 14;

/// Where the lines that begin with `[` end. A row of games without moves must not be walked to its end for each of them,
/// so a third line that begins a game (`Game` and `Event` are two) ends the search.
fn tag_lines_end(bytes: &[u8], from: usize) -> Option<usize> {
    let (mut at, mut heads) = (from, 0);
    while bytes.get(at) == Some(&b'[') {
        heads += usize::from(split::is_head(&bytes[at..]));
        let length = memchr::memchr(b'\n', &bytes[at..])? + 1;
        note(Work::Bytes, length);
        at += length;
        if heads > 2 || at - from > MOST_HEAD {
            return None;
        }
    }
    // Another tag behind an empty line, or a blank before one, is for the careful way.
    (at > from && bytes.get(skip_blank_lines(bytes, at)) != Some(&b'[')).then_some(at)
}

/// Reads tag lines without any fault.
fn head(lines: &str) -> Option<Head> {
    // Escapes are rare, and odd characters may mean another encoding.
    if lines.bytes().fold(false, |found, byte| found | (byte == b'\\')) || assemble::is_odd(lines) {
        return None;
    }
    let mut head = Head::default();
    head.reserve(12, lines.len());
    let mut report = Report::default();
    let mut firsts = [false; 2];
    let mut at = 0;
    while at < lines.len() {
        let end = at + memchr::memchr(b'\n', &lines.as_bytes()[at..])?;
        let line = lines.get(at..end)?;
        let tag = tags::read_plain(line.strip_suffix('\r').unwrap_or(line))?;
        if split::is_head(line.as_bytes()) {
            // `Event` or `Game` for the second time begins another game.
            let second = std::mem::replace(&mut firsts[usize::from(tag.name.len() == 5)], true);
            if second {
                return None;
            }
        }
        if assemble::named_dialect(std::iter::once(&tag)) != Dialect::OPEN {
            return None;
        }
        head.take(0, &tag, &mut report);
        at = end + 1;
    }
    report.is_empty().then_some(head)
}

/// Where the next game begins behind a result: its first tag, or the end. `None` if anything stands between.
fn next_game(bytes: &[u8], from: usize) -> Option<usize> {
    let line_end = skip_blanks(bytes, from);
    if line_end == bytes.len() {
        return Some(line_end);
    }
    if bytes[line_end] != b'\n' {
        return None;
    }
    let at = skip_blank_lines(bytes, line_end);
    (at == bytes.len() || tags::starts_plain(&bytes[at..])).then_some(at)
}

/// A line of play being read.
struct Line<'m> {
    prover: &'m mut Prover,
    moves: &'m mut Vec<Move>,
    dialect: Dialect,
    excluded: Dialect,
    signs: Signs,
    start: &'m Position,
    /// How many texts needed the whole position.
    others: usize,
}

impl Line<'_> {
    /// Reads rounds and moves up to the result, which is given with its end, or to the next tag or the end of the text.
    fn read(&mut self, bytes: &[u8], from: usize, script: Script) -> Option<(usize, Option<GameResult>)> {
        // Before the first move a line that begins otherwise may be a row of a board.
        let mut at = skip_blank_lines(bytes, from);
        if !bytes.get(at)?.is_ascii_digit() {
            return None;
        }
        // The number of the last round, and the plies before it.
        let (mut round, mut before) = (0, 0);
        loop {
            let Some(&byte) = bytes.get(at) else { return Some((at, None)) };
            match byte {
                b' ' | b'\t' | b'\r' => at += 1,
                b'\n' => {
                    if self.moves.is_empty() {
                        return None;
                    }
                    at = skip_blanks(bytes, at + 1);
                    if bytes.get(at) == Some(&b'[') {
                        return tags::starts_plain(&bytes[at..]).then_some((at, None));
                    }
                }
                b'0'..=b'9' => {
                    let (mut number, mut end) = (0, at);
                    while let Some(digit @ b'0'..=b'9') = bytes.get(end) {
                        number = number * 10 + u32::from(digit - b'0');
                        end += 1;
                        if end - at > MOST_DIGITS {
                            return None;
                        }
                    }
                    if bytes.get(end) != Some(&b'.') {
                        return result(bytes, at).map(|(end, result)| (end, Some(result)));
                    }
                    // More dots stand for Red's ply.
                    if bytes.get(end + 1) == Some(&b'.') {
                        return None;
                    }
                    if number == 0 || (round != 0 && number != round && number != round.saturating_add(1)) {
                        return None;
                    }
                    if number == round && self.moves.len() - before >= 2 {
                        return None;
                    }
                    if number != round {
                        // A round with one ply may lack the other.
                        if round != 0 && self.moves.len() - before < 2 {
                            return None;
                        }
                        (round, before) = (number, self.moves.len());
                    }
                    at = end + 1;
                }
                b'A'..=b'z' | 0x80.. => {
                    let side = self.prover.side_to_move();
                    let (m, used) = match step(script, &bytes[at..], self.prover, self.dialect) {
                        Step::Played(m, used, hints) => {
                            self.signs.note(hints.named_side(), hints.numeral_side(), side);
                            (m, used)
                        }
                        Step::Other => self.play_token(&bytes[at..], script)?,
                        Step::Refused => return None,
                    };
                    if self.moves.len() == MOST_PLIES {
                        return None;
                    }
                    self.moves.push(m);
                    at += used;
                }
                b'*' => return result(bytes, at).map(|(end, result)| (end, Some(result))),
                _ => return None,
            }
        }
    }

    /// A move that is not one of the commonest.
    #[inline(never)]
    fn play_token(&mut self, bytes: &[u8], script: Script) -> Option<(Move, usize)> {
        let (token, used) = script.read_move(bytes)?;
        self.signs.count(&token, self.prover.side_to_move());
        match play(&token, self.prover, self.dialect) {
            Ok(Some(m)) => Some((m, used)),
            Ok(None) => self.play_other(&token).map(|m| (m, used)),
            Err(Refused) => None,
        }
    }

    /// A text that needs the whole position to be settled, or settles the dialect. The position is made anew: a game that
    /// has many of these is read as quickly the careful way.
    #[cold]
    fn play_other(&mut self, token: &Token) -> Option<Move> {
        self.others += 1;
        if self.others > MOST_OTHERS {
            return None;
        }
        let mut position = *self.start;
        for &m in &*self.moves {
            position.play(m);
        }
        let (m, dialect) = decide(token, &position, self.dialect)?;
        self.excluded = self.excluded.or(self.dialect.without(dialect));
        self.dialect = dialect;
        self.prover.play(Point::of(m.from()), Point::of(m.to()))
    }

    /// Whether there may be a finding about the line as a whole.
    fn has_something_to_tell(&self) -> bool {
        replay::rare_question(self.excluded, self.dialect).is_some()
            || self.signs.has_odd_one()
            || self.signs.has_old_names()
            || self.signs.may_be_swapped()
    }
}

/// A result that ends the moves, with the place behind it.
fn result(bytes: &[u8], at: usize) -> Option<(usize, GameResult)> {
    let token = ["1-0", "0-1", "1/2-1/2", "*"].into_iter().find(|token| bytes[at..].starts_with(token.as_bytes()))?;
    let end = at + token.len();
    bytes.get(end).is_none_or(|&byte| is_blank(byte) || byte == b'\n').then_some((end, GameResult::read(token)?))
}
