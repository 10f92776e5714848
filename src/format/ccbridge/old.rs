//! The libraries CCBridge wrote before version 3. Described nowhere; worked out from seven files (299 records, 16,413
//! plies), each of which is used up to its last byte and replays.
//!
//! The file: `CCBridge`, the word 0x15, a word (1 or 3, no known meaning), the length of the contents, and the contents
//! compressed with zlib. Numbers are little-endian words, texts are counted by a word and in GBK.
//!
//! The contents: title, two texts, maker, mail, the times of making and changing (19 bytes each), number of records, a
//! remark; then the records, each headed by its own length.
//!
//! A record: 32 piece squares (file and rank as the halves of a byte, both from 1, ranks from the top; 0 for an absent
//! piece; the order of XQF); the kind of game; event; a word (1); title; three texts, empty in every file; date; Red;
//! Black; result; annotator, perhaps his mail; maker; mail; the remark on the start position; a byte (1); two times; the number of plies; six bytes
//! a ply; then for each ply a line that is its comment (`||` for a line end).
//!
//! A ply: its number, then from and to (as above, but from 0), then two bytes that seem to cache its notation. The plies
//! stand in the order of XQF: a number that is not one more than the last starts an alternative to the ply of that number.

use super::record::word;
use crate::board::{Color, Move, Piece, Position, Square};
use crate::diag::{Finding, codes};
use crate::format::linear::{Record, report_faults, settle_side};
use crate::format::short_text::{self, Choice};
use crate::format::sketch::Sketch;
use crate::format::xqf::SLOTS;
use crate::format::{Confidence, Format, ReadOptions, Reader, Sink, Source};
use crate::game::{GameResult, Name};
use std::io::Read;

const SIGNATURE: &[u8; 12] = b"CCBridge\x15\0\0\0";

/// So much the contents may be larger than the file; zlib itself reaches little more.
const MOST_RATIO: usize = 1100;

/// Reads the old CBL.
#[derive(Clone, Copy, Debug)]
pub struct OldCblReader;

impl Reader for OldCblReader {
    fn format(&self) -> Format {
        Format::OldCbl
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        if head.starts_with(SIGNATURE) { Confidence::Certain } else { Confidence::No }
    }

    fn read(&self, source: Source<'_>, options: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        let mut findings = Vec::new();
        let contents = unpack(source.bytes, &mut findings);
        let mut at = Cursor { bytes: &contents, at: 0 };
        let library = read_head(&mut at);
        let choice = library.as_ref().map(|head| choose(head, &contents, options));
        if let (Some(head), Some(choice)) = (library, choice) {
            let name = short_text::decode(head.name, choice.encoding).text;
            for number in (source.first_game..).take(head.records) {
                let begin = at.at;
                let length = at.word().unwrap_or_default() as usize;
                let Some(record) = length.checked_sub(4).and_then(|length| at.take(length)) else {
                    let text = format!("the library ends before its record {number}");
                    findings.push(Finding::new(codes::BROKEN_TREE, text));
                    break;
                };
                let mut game = read_record(record, begin + 4, choice, number);
                if !name.is_empty() {
                    game.game.headers.push(super::record::COLLECTION, name.clone());
                }
                for finding in &mut game.findings {
                    // The file is packed: a place in the contents is no place in the file.
                    if let Some(byte) = finding.byte.take() {
                        finding.message.push_str(&format!(" (byte {byte} of the unpacked library)"));
                    }
                    finding.locate(source.file, Some(number));
                }
                if games(game).is_break() {
                    return findings;
                }
            }
            if at.at < contents.len() && findings.is_empty() {
                let text = format!("{} bytes behind the last record", contents.len() - at.at);
                findings.push(Finding::new(codes::LEFT_OVER_BYTES, text));
            }
        } else {
            findings.push(Finding::new(codes::BROKEN_HEADER, "the head of the library cannot be read"));
        }
        for finding in &mut findings {
            finding.locate(source.file, None);
        }
        findings
    }
}

/// The contents, as far as they can be unpacked.
fn unpack(file: &[u8], findings: &mut Vec<Finding>) -> Vec<u8> {
    let packed = file.get(20..).unwrap_or_default();
    let told = word(file, 16) as usize;
    let most = told.min(packed.len().saturating_mul(MOST_RATIO));
    let mut contents = Vec::with_capacity(most.min(1 << 20));
    // One byte more than there should be, so that the end of the stream and its check value are seen.
    let outcome = flate2::read::ZlibDecoder::new(packed).take(most as u64 + 1).read_to_end(&mut contents);
    if outcome.is_err() || contents.len() != told {
        let fault = if outcome.is_err() { "the packed records are damaged: " } else { "" };
        let text = format!("{fault}{} bytes unpacked of {told} announced", contents.len());
        findings.push(Finding::new(codes::BROKEN_TREE, text).byte(file.len().min(20) as u64));
    }
    contents
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let piece = self.bytes.get(self.at..)?.get(..length)?;
        self.at += length;
        Some(piece)
    }

    fn word(&mut self) -> Option<u32> {
        self.take(4).map(|bytes| word(bytes, 0))
    }

    fn text(&mut self) -> Option<&'a [u8]> {
        let length = self.word()?;
        self.take(length as usize)
    }
}

struct Head<'a> {
    name: &'a [u8],
    records: usize,
}

fn read_head<'a>(at: &mut Cursor<'a>) -> Option<Head<'a>> {
    let name = at.text()?;
    for _ in 0..4 {
        at.text()?;
    }
    at.take(38)?;
    let records = at.word()? as usize;
    at.text()?;
    Some(Head { name, records })
}

/// All text is in one encoding; the squares among it are too few to matter.
fn choose(head: &Head<'_>, contents: &[u8], options: &ReadOptions) -> Choice {
    match options.encoding {
        Some(encoding) => Choice { encoding, doubtful: false },
        None if short_text::choose(std::iter::once(head.name)).name() == "big5" => {
            short_text::choose(contents.split(|&byte| byte < 0x20))
        }
        None => Choice { encoding: encoding_rs::GB18030, doubtful: false },
    }
}

/// Squares are two halves of a byte; ranks count from the top.
fn square(byte: u8, first: u8) -> Option<Square> {
    let (file, rank) = ((byte >> 4).checked_sub(first)?, (byte & 15).checked_sub(first)?);
    Square::new(file, 9u8.checked_sub(rank)?)
}

fn read_record(bytes: &[u8], base: usize, choice: Choice, number: u64) -> crate::format::ReadGame {
    let mut record = Record { start: Position::empty(Color::Red), ..Record::default() };
    let mut sketch = Sketch::new();
    if read_parts(bytes, base, choice, &mut record, &mut sketch).is_none() {
        record.damaged = true;
        record.findings.push(Finding::new(codes::BROKEN_TREE, "the record ends inside one of its fields"));
    }
    settle_side(&mut record.start, sketch.first_from(), false, None, &mut record.findings);
    report_faults(&record.start, None, &mut record.findings);
    let tree = sketch.play(&mut record);
    record.finish(tree, number, choice.name())
}

fn read_parts(bytes: &[u8], base: usize, choice: Choice, record: &mut Record, sketch: &mut Sketch) -> Option<()> {
    let mut at = Cursor { bytes, at: 0 };
    for (slot, &byte) in at.take(32)?.iter().enumerate() {
        if let Some(square) = square(byte, 1) {
            let color = if slot < 16 { Color::Red } else { Color::Black };
            record.start.put(square, Some(Piece::new(color, SLOTS[slot % 16])));
        } else if byte != 0 {
            let text = format!("piece square {byte:02X}: not on the board");
            record.findings.push(Finding::new(codes::BROKEN_HEADER, text));
        }
    }
    let kind = at.word()?;
    let text = |at: &mut Cursor<'_>, name: &str, record: &mut Record| {
        let place = (base + at.at) as u64;
        let value = choice.read(at.text()?, name, place, &mut record.findings);
        if !value.trim().is_empty() {
            record.headers.push(name, value.trim());
        }
        Some(())
    };
    text(&mut at, Name::Event.tag(), record)?;
    at.word()?;
    let names = [Name::Title.tag(), "Field1", "Field2", "Field3", Name::Date.tag(), Name::Red.tag(), Name::Black.tag()];
    for name in names {
        text(&mut at, name, record)?;
    }
    record.result = match at.word()? {
        1 => GameResult::RedWins,
        2 => GameResult::BlackWins,
        3 => GameResult::Draw,
        _ => GameResult::Unknown,
    };
    for name in [Name::Annotator.tag(), "AnnotatorMail", Name::Author.tag(), "AuthorMail"] {
        text(&mut at, name, record)?;
    }
    match kind {
        2 => record.headers.push("Type", "开局"),
        3 => record.headers.push("Type", "中局"),
        4 => record.headers.push("Type", "残局"),
        _ => {}
    }
    let remark = choice.read(at.text()?, "a comment", (base + at.at) as u64, &mut record.findings);
    sketch.comment(0, &comment(&remark));
    at.take(1 + 38)?;
    let plies = at.word()? as usize;
    let plies = at.take(plies.checked_mul(6)?)?;
    let lines = bytes.get(at.at..).unwrap_or_default();
    let mut lines = split_lines(lines);
    // The nodes on the way to the last ply.
    let mut path = vec![0usize];
    for ply in plies.chunks_exact(6) {
        let number = usize::from(u16::from_le_bytes([ply[0], ply[1]]));
        if number == 0 || number > path.len() {
            record.damaged = true;
            let text = format!("ply number {number} behind ply {}", path.len() - 1);
            record.findings.push(Finding::new(codes::LOOSE_LINE, text));
            break;
        }
        path.truncate(number);
        let squares = match (square(ply[2], 0), square(ply[3], 0)) {
            (Some(from), Some(to)) => Ok(Move::new(from, to)),
            _ => Err((ply[2], ply[3])),
        };
        let Some(node) = sketch.add(path[number - 1], squares, base as u64) else {
            record.damaged = true;
            record.findings.push(Sketch::too_long(base as u64));
            break;
        };
        path.push(node);
        let line = lines.next().unwrap_or_default();
        let text = choice.read(line, "a comment", base as u64, &mut record.findings);
        sketch.comment(node, &comment(&text));
    }
    // Lines beyond the plies belong to the last one: a line end inside a comment.
    let rest: Vec<&[u8]> = lines.filter(|line| !line.is_empty()).collect();
    for line in rest {
        let text = choice.read(line, "a comment", base as u64, &mut record.findings);
        sketch.comment(path.last().copied().unwrap_or(0), &comment(&text));
    }
    Some(())
}

/// `||` is a line end.
fn comment(text: &str) -> String {
    text.replace("||", "\n").trim_matches(['\n', '\r']).to_string()
}

/// Lines ended by CR LF. A byte of 0x0A or 0x0D is never half of a character in GBK.
fn split_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut lines = bytes.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    // What follows the last line end is no line.
    let mut next = lines.next();
    std::iter::from_fn(move || {
        let line = next?;
        next = lines.next();
        (next.is_some() || !line.is_empty()).then_some(line)
    })
}
