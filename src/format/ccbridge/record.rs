//! One record.

use super::{FIELDS, FIXED, RECORD};
use crate::board::{Color, Kind, Move, Piece, Position, Square};
use crate::diag::{Finding, codes};
use crate::format::linear::{LinearTree, Record, Target, report_faults, settle_side};
use crate::format::short_text::unix_lines;
use crate::format::{Confidence, Format, ReadGame, ReadOptions, Reader, Sink, Source};
use crate::game::{GameResult, Headers, NodeId};

/// Reads CBR.
#[derive(Clone, Copy, Debug)]
pub struct CbrReader;

impl Reader for CbrReader {
    fn format(&self) -> Format {
        Format::Cbr
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        if head.starts_with(RECORD) { Confidence::Certain } else { Confidence::No }
    }

    fn read(&self, source: Source<'_>, _: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        match read_record(source.bytes, source.first_byte, source.first_game) {
            Ok(mut game) => {
                for finding in &mut game.findings {
                    finding.locate(source.file, Some(game.number));
                }
                let _ = games(game);
                Vec::new()
            }
            Err(mut finding) => {
                finding.locate(source.file, None);
                vec![*finding]
            }
        }
    }
}

/// Reads the record at the start of the bytes and up to their end; `base` is where they stand in the file.
pub(super) fn read_record(bytes: &[u8], base: u64, number: u64) -> Result<ReadGame, Box<Finding>> {
    let fixed: &[u8; FIXED] = bytes.first_chunk().filter(|_| bytes.starts_with(RECORD)).ok_or_else(|| {
        Box::new(Finding::new(codes::BROKEN_HEADER, "shorter than the fixed part of a record").byte(base))
    })?;
    let mut findings = Vec::new();
    match fixed[19] {
        2 => {}
        // Some programs leave the kind out; what follows is laid out as in kind 2.
        0 => {
            let text = "a CCBridge record that does not say its kind, read as kind 2";
            findings.push(Finding::new(codes::BROKEN_HEADER, text).byte(base + 19));
        }
        kind => {
            let text = format!("a CCBridge record of kind {kind}; only kind 2 is read");
            return Err(Box::new(Finding::new(codes::NOT_SUPPORTED, text).byte(base + 19)));
        }
    }
    let mut headers = Headers::default();
    for (offset, size, name) in FIELDS {
        let (text, whole) = utf16(&fixed[offset..offset + size]);
        if !whole {
            findings.push(
                Finding::new(codes::BAD_BYTES, format!("{name}: half a surrogate pair")).byte(base + offset as u64),
            );
        }
        if !text.is_empty() {
            headers.push(name, text);
        }
    }
    let result = match word(fixed, 2076) {
        0 => GameResult::Unknown,
        1 => GameResult::RedWins,
        2 => GameResult::BlackWins,
        3 => GameResult::Draw,
        other => {
            let what = if other == 4 { "several results" } else { "no known result" };
            findings.push(Finding::new(codes::BROKEN_HEADER, format!("result {other}: {what}")).byte(base + 2076));
            GameResult::Unknown
        }
    };
    // Most readers take the first word; where that is empty the second one says it.
    let side = match (word(fixed, 2112), word(fixed, 2116) as u16) {
        (2, _) | (0, 2) => Color::Black,
        _ => Color::Red,
    };
    let start = read_board(fixed, side, base, &mut findings);
    let mut record = Record { headers, start, result, findings, ..Record::default() };

    let mut stream = Stream { bytes, at: FIXED, base };
    let mut damage = None;
    let mut child = false;
    let mut opening = None;
    match stream.entry(&mut record.findings) {
        Ok(root) => {
            child = root.flags & 1 == 0;
            opening = root.comment;
            let from = bytes.get(stream.at + 2).and_then(|&from| square(from)).filter(|_| child);
            settle_side(&mut record.start, from, true, Some(base + 2112), &mut record.findings);
        }
        Err(finding) => damage = Some(*finding),
    }
    report_faults(&record.start, Some(base + 2120), &mut record.findings);
    let mut tree = LinearTree::new(record.start, child);
    if let Some(text) = opening {
        record.comment(&mut tree, Target::Node(NodeId::ROOT), text);
    }
    while tree.is_open() && damage.is_none() {
        match stream.entry(&mut record.findings) {
            Ok(entry) => {
                let target = tree.push(entry.squares, entry.flags & 1 == 0, entry.flags & 2 != 0, entry.byte);
                if let Some(text) = entry.comment {
                    record.comment(&mut tree, target, text);
                }
            }
            Err(finding) => damage = Some((*finding).ply(tree.next_ply())),
        }
    }
    if damage.is_none() && stream.at < bytes.len() {
        let text = format!("{} bytes behind the end of the tree", bytes.len() - stream.at);
        record.findings.push(Finding::new(codes::LEFT_OVER_BYTES, text).byte(base + stream.at as u64));
    }
    record.damaged = damage.is_some();
    record.findings.extend(damage);
    Ok(record.finish(tree, number, "utf-16le"))
}

fn read_board(fixed: &[u8; FIXED], side: Color, base: u64, findings: &mut Vec<Finding>) -> Position {
    let mut position = Position::empty(side);
    for (index, &code) in fixed[2120..2210].iter().enumerate() {
        let byte = base + 2120 + index as u64;
        match (square(index as u8), piece(code)) {
            (_, None) if code == 0 => {}
            (Some(square), Some(piece)) => position.put(square, Some(piece)),
            _ => findings.push(Finding::new(codes::BROKEN_HEADER, format!("piece code {code}: no piece")).byte(byte)),
        }
    }
    position
}

const KINDS: [Kind; 7] = [Kind::Rook, Kind::Horse, Kind::Elephant, Kind::Advisor, Kind::King, Kind::Cannon, Kind::Pawn];

fn piece(code: u8) -> Option<Piece> {
    let color = match code >> 4 {
        1 => Color::Red,
        2 => Color::Black,
        _ => return None,
    };
    let kind = KINDS.get(usize::from(code & 15).checked_sub(1)?)?;
    Some(Piece::new(color, *kind))
}

/// The code of a piece on the board of a record.
pub(super) fn piece_code(piece: Option<Piece>) -> u8 {
    let Some(piece) = piece else { return 0 };
    let kind = KINDS.iter().position(|&kind| kind == piece.kind()).unwrap_or_default() as u8 + 1;
    (piece.color().index() as u8 + 1) << 4 | kind
}

/// The square with this number: row times nine plus column, Black's back rank first.
fn square(number: u8) -> Option<Square> {
    Square::new(number % 9, 9u8.checked_sub(number / 9)?)
}

/// The number of a square.
pub(super) fn square_number(square: Square) -> u8 {
    (9 - square.rank()) * 9 + square.file()
}

/// The part behind the fixed one.
struct Stream<'a> {
    bytes: &'a [u8],
    at: usize,
    base: u64,
}

struct Entry {
    flags: u8,
    squares: Result<Move, (u8, u8)>,
    comment: Option<String>,
    byte: u64,
}

impl Stream<'_> {
    fn entry(&mut self, findings: &mut Vec<Finding>) -> Result<Entry, Box<Finding>> {
        let byte = self.base + self.at as u64;
        let broken = |text: String| Box::new(Finding::new(codes::BROKEN_TREE, text).byte(byte));
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let &[flags, _, from, to] =
            rest.first_chunk().ok_or_else(|| broken("the record ends inside the tree".into()))?;
        self.at += 4;
        let mut comment = None;
        if flags & 4 != 0 {
            let length: &[u8; 4] =
                rest[4..].first_chunk().ok_or_else(|| broken("the record ends inside the tree".into()))?;
            let length = u32::from_le_bytes(*length) as usize;
            let text = rest[8..]
                .get(..length)
                .filter(|_| length.is_multiple_of(2))
                .ok_or_else(|| broken(format!("a comment of {length} bytes: odd, or more than there are")))?;
            self.at += 4 + length;
            let (text, whole) = utf16(text);
            if !whole {
                findings.push(Finding::new(codes::BAD_BYTES, "a comment: half a surrogate pair").byte(byte));
            }
            comment = Some(unix_lines(text)).filter(|text| !text.is_empty());
        }
        let squares = match (square(from), square(to)) {
            (Some(from), Some(to)) => Ok(Move::new(from, to)),
            _ => Err((from, to)),
        };
        Ok(Entry { flags, squares, comment, byte })
    }
}

pub(super) fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |four| u32::from_le_bytes(*four))
}

/// UTF-16LE text up to the first zero, and whether every surrogate had its partner.
pub(super) fn utf16(bytes: &[u8]) -> (String, bool) {
    let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).take_while(|&unit| unit != 0);
    let mut whole = true;
    let text = char::decode_utf16(units)
        .map(|c| {
            c.unwrap_or_else(|_| {
                whole = false;
                '\u{FFFD}'
            })
        })
        .collect();
    (text, whole)
}

/// The header that holds the name of the library a record was read from.
pub(super) const COLLECTION: &str = "Collection";
