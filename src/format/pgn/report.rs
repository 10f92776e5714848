//! What the reader has to say about a game.

use super::read::Found;
use super::scan::Problem;
use super::tags::{Tag, TagFault};
use crate::board::{FenNote, Piece, Position};
use crate::diag::{Code, Finding, codes};
use crate::game::GameResult;
use crate::replay::{Entry, Event};
use crate::text::{self, Basis, Fault, Guess, Spot, encoding_name};
use encoding_rs::Encoding;

/// So many findings of one code are told for a game; the rest is counted.
const MOST: usize = 20;

/// Findings of one game with their places in the text.
#[derive(Debug, Default)]
pub(super) struct Report {
    list: Vec<(usize, Finding)>,
    more: Vec<(Code, usize)>,
}

impl Report {
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.more.is_empty()
    }

    pub fn add(&mut self, (at, finding): (usize, Finding)) {
        if self.list.iter().filter(|(_, other)| other.code == finding.code).count() < MOST {
            self.list.push((at, finding));
        } else {
            self.count(finding.code, 1);
        }
    }

    pub fn add_at(&mut self, at: usize, finding: Finding) {
        self.add((at, finding));
    }

    pub fn uncounted_problems(&mut self, more: usize) {
        if more > 0 {
            self.count(codes::OPEN_BRACKET, more);
        }
    }

    pub fn uncounted_faults(&mut self, more: usize) {
        self.count(codes::BAD_BYTES, more);
    }

    fn count(&mut self, code: Code, more: usize) {
        match self.more.iter_mut().find(|(other, _)| *other == code) {
            Some((_, count)) => *count += more,
            None => self.more.push((code, more)),
        }
    }

    /// Gives every finding its place in the file, in the order of the text.
    pub fn locate(&mut self, mut spot: impl FnMut(usize) -> Spot) {
        self.list.sort_by_key(|(at, _)| *at);
        for (at, finding) in &mut self.list {
            let spot = spot(*at);
            finding.byte.get_or_insert(spot.byte);
            finding.line = Some(spot.line);
            finding.column = Some(spot.column);
        }
    }

    pub fn into_findings(self) -> Vec<Finding> {
        let mut findings: Vec<Finding> = self.list.into_iter().map(|(_, finding)| finding).collect();
        for (code, count) in self.more {
            let message = format!("{count} more findings of {code} and its kind in this game are not listed");
            findings.push(Finding::new(codes::MORE_FINDINGS, message));
        }
        findings
    }
}

/// What to say about the encoding of a file; nothing if it is beyond doubt.
pub(super) fn encoding(guess: &Guess) -> Option<Finding> {
    match guess.basis {
        Basis::Asked | Basis::Ascii | Basis::Utf8 | Basis::Mark => None,
        _ if guess.is_weak() => Some(Finding::new(codes::DOUBTFUL_ENCODING, guess.evidence())),
        _ => Some(Finding::new(codes::ENCODING_GUESSED, guess.evidence())),
    }
}

pub(super) fn other_encoding(file: &'static Encoding, guess: &Guess) -> Finding {
    let message = format!("the file is {}, this game {}", encoding_name(file), guess.evidence());
    Finding::new(codes::OTHER_ENCODING, message)
}

pub(super) fn other_encoding_of_field(name: &str, guess: &Guess) -> Finding {
    Finding::new(codes::OTHER_ENCODING, format!("the value of {name} is {}", guess.evidence()))
}

/// A bad byte, with the tag it stands in.
pub(super) fn bad_byte(text: &str, bytes: &[u8], fault: Fault, tags: &[(usize, Tag<'_>)]) -> (usize, Finding) {
    let raw = &bytes[fault.byte.min(bytes.len())..(fault.byte + usize::from(fault.len)).min(bytes.len())];
    let hex: Vec<String> = raw.iter().map(|byte| format!("{byte:02X}")).collect();
    let place = tags
        .iter()
        .find(|(at, tag)| (*at..tag.end).contains(&fault.text_at))
        .map_or_else(String::new, |(_, tag)| format!(" in tag {}", tag.name));
    let message = format!("bytes {}{place} are no character; U+FFFD stands in their place", hex.join(" "));
    let around = text[..fault.text_at].chars().rev().take_while(|c| !c.is_control()).take(8).count();
    let before: usize = text[..fault.text_at].chars().rev().take(around).map(char::len_utf8).sum();
    let shown: String =
        text[fault.text_at - before..].chars().take_while(|c| !c.is_control()).take(around + 9).collect();
    (fault.text_at, Finding::new(codes::BAD_BYTES, message).text(shown))
}

pub(super) fn tag_fault(name: &str, fault: TagFault) -> Finding {
    let message = match fault {
        TagFault::Bracket => format!("tag {name} has no closing bracket"),
        TagFault::Quote => format!("tag {name} has no closing quote; its value was taken to end with the line"),
        TagFault::Lines => format!("the value of tag {name} spans lines; they were joined"),
    };
    Finding::new(codes::TAG_FAULT, message)
}

pub(super) fn too_many_tags(left_out: usize, most: usize) -> Finding {
    Finding::new(codes::GAME_TOO_LONG, format!("{left_out} tags behind the first {most} of a game were passed over"))
}

pub(super) fn problem(problem: Problem) -> Finding {
    match problem {
        Problem::OpenComment => Finding::new(
            codes::OPEN_COMMENT,
            "the comment that begins here is never closed; it was taken to end before the next round or game",
        ),
        Problem::OpenBracket => Finding::new(codes::OPEN_BRACKET, "the bracket that opens here is never closed"),
        Problem::StrayClose => Finding::new(codes::OPEN_BRACKET, "a bracket closes here that was never opened"),
        Problem::Jump { from, to } => Finding::new(
            codes::NUMBER_JUMP,
            format!("round {from} is followed by round {to}; plies are counted, not numbers"),
        ),
        Problem::Limit => Finding::new(
            codes::GAME_TOO_LONG,
            "more moves and comments, or side lines within side lines, than are read of one game",
        ),
    }
}

pub(super) fn unknown_result(value: &str) -> Finding {
    Finding::new(codes::UNKNOWN_RESULT, "this result means nothing known; it is kept as written").text(value)
}

pub(super) fn result_conflict(tag: GameResult, end: GameResult) -> Finding {
    let message = format!("the Result tag says {tag}, the end of the moves {end}; the tag was believed");
    Finding::new(codes::RESULT_CONFLICT, message)
}

pub(super) fn trailer_cut(most: usize) -> Finding {
    let message = format!("only the first {} KiB of the text that belongs to no game were kept", most >> 10);
    Finding::new(codes::TEXT_CUT, message)
}

pub(super) fn foreign() -> Finding {
    Finding::new(codes::FOREIGN_GAME, "the moves are those of western chess; none was read, the text is kept")
}

/// Reads the FEN tag, with findings for what was assumed or is odd.
pub(super) fn read_fen(value: &str, at: usize, report: &mut Report) -> Result<Position, ()> {
    let read = match Position::read_fen(value) {
        Ok(read) => read,
        Err(fault) => {
            let message =
                format!("{fault}; without the start position no ply can be proved, the moves are kept as text");
            report.add_at(at, Finding::new(codes::BROKEN_FEN, message).text(value));
            return Err(());
        }
    };
    for note in &read.notes {
        // Short and dashed counters are the rule in records, and both alphabets are common.
        if !matches!(note, FenNote::CountersUnknown | FenNote::LettersHe) {
            report.add_at(at, Finding::new(codes::FEN_ASSUMED, note.to_string()).text(value));
        }
    }
    let position = read.position();
    examine(&position, at, Some(value), report);
    Ok(position)
}

/// Says what is odd about a start position.
pub(super) fn examine(position: &Position, at: usize, written: Option<&str>, report: &mut Report) {
    for fault in position.faults() {
        let finding = Finding::new(codes::IMPOSSIBLE_POSITION, fault.to_string());
        report.add_at(
            at,
            match written {
                Some(text) => finding.text(text),
                None => finding,
            },
        );
    }
    if let Some(absent) = handicap(position) {
        report.add_at(at, Finding::new(codes::HANDICAP, format!("handicap start: {absent} absent")));
    }
}

/// The missing pieces, if all others stand as at the start of a game.
fn handicap(position: &Position) -> Option<String> {
    let start = Position::start();
    if position.pieces().any(|(square, piece)| start.piece_at(square) != Some(piece)) {
        return None;
    }
    let absent: Vec<Piece> =
        start.pieces().filter(|(square, _)| position.piece_at(*square).is_none()).map(|(_, piece)| piece).collect();
    if absent.is_empty() || absent.len() > 5 {
        return None;
    }
    let names: Vec<String> =
        absent.iter().map(|piece| format!("{} {:?}", piece.color(), piece.kind()).to_lowercase()).collect();
    Some(names.join(", "))
}

/// Whether a game that stopped early is one of western chess: all moves in its letters and on its eight files and ranks,
/// castling or a queen among them, or hardly any readable.
pub(super) fn is_western_chess<'t>(
    mut tags: impl Iterator<Item = &'t Tag<'t>>,
    entries: &[Entry<'_>],
    stop_ply: u32,
) -> bool {
    let said = tags.any(|tag| {
        tag.name.eq_ignore_ascii_case("Variant") && ["chess", "standard"].contains(&&*tag.value.to_ascii_lowercase())
    });
    let (mut moves, mut western, mut certain) = (0usize, 0usize, false);
    for entry in entries.iter().take(400) {
        let text = match entry.event {
            Event::Move { text, .. } => text,
            Event::Text(text) => text,
            _ => continue,
        };
        moves += 1;
        let bytes = text.as_bytes();
        let fits = text.len() >= 2
            && bytes.iter().all(|b| {
                matches!(b, b'a'..=b'h' | b'1'..=b'8' | b'x' | b'+' | b'#' | b'=' | b'-' | b'O'
                | b'0' | b'K' | b'Q' | b'R' | b'B' | b'N')
            });
        western += usize::from(fits);
        certain |= fits && (text.contains('Q') || text.starts_with("O-O") || text.starts_with("0-0"));
    }
    // Four plies in coordinates are no evidence: all of their squares may lie on the smaller board.
    western * 10 >= moves * 9
        && moves > 0
        && (certain || said || (moves >= 6 && stop_ply as usize * 4 <= moves && letters(entries)))
}

fn letters(entries: &[Entry<'_>]) -> bool {
    entries.iter().take(400).any(|entry| match entry.event {
        Event::Move { text, .. } | Event::Text(text) => text.starts_with(['N', 'B', 'K']) && text.len() <= 5,
        _ => false,
    })
}

/// Reads a damaged value in another encoding; `None` if that is not clearly better.
pub(super) fn mend(bytes: &[u8], file: &'static Encoding) -> Option<(Guess, String)> {
    let guess = text::detect(bytes);
    let Basis::Score { best, second } = guess.basis else { return None };
    let high = bytes.iter().filter(|byte| !byte.is_ascii()).count() as i64;
    let (text, faults) = text::decode_as(bytes, guess.encoding);
    let clear = best >= 4 && best >= 2 * second && best >= high && faults.count == 0;
    (guess.encoding != file && clear).then(|| (guess, text.into_owned()))
}

/// Bytes that may have swallowed the byte behind them: leads before a closing brace if a comment is open, and the first
/// bytes of runs that were not understood. At most a few.
pub(super) fn swallowers(bytes: &[u8], first: &Found) -> Vec<usize> {
    const TRIES: usize = 24;
    let mut leads = Vec::new();
    if first.open_comment {
        leads.extend((1..bytes.len()).filter(|&at| bytes[at] == b'}' && bytes[at - 1] > 0x80).map(|at| at - 1).take(8));
    }
    if first.suspicious {
        // Two-byte characters in a run: an odd number of bytes has one too many.
        let mut at = 0;
        while at < bytes.len() && leads.len() < TRIES {
            let run = bytes[at..].iter().take_while(|byte| !byte.is_ascii()).count();
            if run % 2 == 1 && run < 40 {
                leads.extend((at..at + run).step_by(2).take(TRIES - leads.len()));
            }
            at += run.max(1);
        }
    }
    leads
}
