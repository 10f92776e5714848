//! XQR: tagged header records, four bytes a ply, a check value. One game with side lines and comments.
//!
//! Comes in: records of type, length and value; behind the one that announces the moves, entries in the order of XQF; at
//! the end a CRC-32. Goes out: one game. Two numberings of the header records exist; the type of the record that announces
//! the moves (9 or 10) tells them apart.
//!
//! What the reader forgives: header records in any order and of unknown type, a check value that does not fit.
//!
//! Experimental in part: side lines and comments follow the description; no file that has them was met.

use super::fold::{self, Fit};
use super::linear::{LinearTree, Record, Target, report_faults, settle_side};
use super::short_text;
use super::{Confidence, Format, ReadOptions, Reader, Sink, Source, WriteOptions, Writer, is_implied};
use crate::board::{Move, Position, Square};
use crate::diag::{Finding, codes};
use crate::game::{Game, GameResult, Name, NodeId};
use encoding_rs::UTF_8;

const MAGIC: [u8; 4] = [0, 2, 0x20, 0x17];

/// What header records hold, by type less two, in either numbering.
const OLD: [&str; 5] = [Name::Event.tag(), Name::Site.tag(), Name::Date.tag(), Name::Red.tag(), Name::Black.tag()];
const NEW: [&str; 6] =
    [Name::Event.tag(), Name::Site.tag(), Name::Date.tag(), Name::Round.tag(), Name::Red.tag(), Name::Black.tag()];

/// Reads XQR.
#[derive(Clone, Copy, Debug)]
pub struct XqrReader;

impl Reader for XqrReader {
    fn format(&self) -> Format {
        Format::Xqr
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        if head.starts_with(&MAGIC) { Confidence::Certain } else { Confidence::No }
    }

    fn read(&self, source: Source<'_>, _: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        let mut record = Record::default();
        let tree = parse(source.bytes, &mut record);
        let mut game = record.finish(tree, source.first_game, "utf-8");
        for finding in &mut game.findings {
            finding.locate(source.file, Some(source.first_game));
        }
        let _ = games(game);
        Vec::new()
    }
}

fn parse(bytes: &[u8], record: &mut Record) -> LinearTree {
    let mut fields: Vec<(u8, &[u8], usize)> = Vec::new();
    let mut at = 0;
    let mut numbering = None;
    while let Some(&[kind, length]) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let value = bytes.get(at + 2..at + 2 + usize::from(length));
        if length == 0 && (kind == 9 || kind == 10) {
            numbering = Some(kind);
            at += 2;
            break;
        }
        let Some(value) = value else { break };
        fields.push((kind, value, at));
        at += 2 + usize::from(length);
    }
    let Some(moves_kind) = numbering else {
        record.damaged = true;
        record.findings.push(Finding::new(codes::BROKEN_TREE, "the file ends inside the header").byte(at as u64));
        return LinearTree::new(record.start, false);
    };
    let names: &[&str] = if moves_kind == 9 { &OLD } else { &NEW };
    for (kind, value, at) in fields {
        let kind = usize::from(kind);
        if kind < 2 {
            continue;
        }
        let text = String::from_utf8_lossy(value);
        if let Some(name) = names.get(kind - 2) {
            if text.contains('\u{FFFD}') {
                record.findings.push(Finding::new(codes::BAD_BYTES, format!("{name}: no UTF-8")).byte(at as u64));
            }
            if !text.is_empty() {
                record.headers.push(*name, text);
            }
        } else if kind == names.len() + 2 {
            record.result = match value {
                [1] => GameResult::RedWins,
                [2] => GameResult::BlackWins,
                [3] => GameResult::Draw,
                [0] | [] => GameResult::Unknown,
                other => {
                    let finding = Finding::new(codes::BROKEN_HEADER, "no known result").text(format!("{other:02X?}"));
                    record.findings.push(finding.byte(at as u64));
                    GameResult::Unknown
                }
            };
        } else if kind == names.len() + 3 && kind != usize::from(moves_kind) {
            record.start_from(&text, at as u64);
        } else {
            let what = format!("a header record of unknown type {kind}");
            record.findings.push(Finding::new(codes::BROKEN_HEADER, what).byte(at as u64));
        }
    }
    let (tree, at) = parse_tree(bytes, at, record);
    check(bytes, at, moves_kind + 1, record);
    tree
}

fn parse_tree(bytes: &[u8], mut at: usize, record: &mut Record) -> (LinearTree, usize) {
    let square = |number: u8| Square::new(number & 15, 9u8.checked_sub(number >> 4)?);
    let root = entry(bytes, at);
    let first = root.as_ref().and_then(|root| bytes.get(at + root.length)).and_then(|&from| square(from));
    let child = root.as_ref().is_some_and(|root| root.flags & 1 != 0);
    if child {
        settle_side(&mut record.start, first, true, None, &mut record.findings);
    }
    report_faults(&record.start, None, &mut record.findings);
    let mut tree = LinearTree::new(record.start, child);
    let mut next = root;
    let mut target = Some(Target::Node(NodeId::ROOT));
    loop {
        let Some(found) = next else {
            record.damaged = true;
            let finding = Finding::new(codes::BROKEN_TREE, "the file ends inside the tree").ply(tree.next_ply());
            record.findings.push(finding.byte(at as u64));
            return (tree, at);
        };
        let target = target.take().unwrap_or_else(|| {
            let squares = match (square(found.from), square(found.to)) {
                (Some(from), Some(to)) => Ok(Move::new(from, to)),
                _ => Err((found.from, found.to)),
            };
            tree.push(squares, found.flags & 1 != 0, found.flags & 2 != 0, at as u64)
        });
        if !found.comment.is_empty() {
            let text = String::from_utf8_lossy(found.comment).replace("\r\n", "\n");
            if text.contains('\u{FFFD}') {
                record.findings.push(Finding::new(codes::BAD_BYTES, "a comment: no UTF-8").byte(at as u64));
            }
            record.comment(&mut tree, target, text);
        }
        at += found.length;
        if !tree.is_open() {
            return (tree, at);
        }
        next = entry(bytes, at);
    }
}

struct Entry<'a> {
    from: u8,
    to: u8,
    flags: u8,
    comment: &'a [u8],
    length: usize,
}

fn entry(bytes: &[u8], at: usize) -> Option<Entry<'_>> {
    let rest = bytes.get(at..)?;
    let &[from, to, flags, _] = rest.first_chunk()?;
    if flags & 4 == 0 {
        return Some(Entry { from, to, flags, comment: &[], length: 4 });
    }
    let length = u32::from_le_bytes(*rest.get(4..)?.first_chunk()?) as usize;
    let comment = rest.get(8..)?.get(..length)?;
    Some(Entry { from, to, flags, comment, length: 8 + length })
}

fn check(bytes: &[u8], at: usize, kind: u8, record: &mut Record) {
    let Some(&[found, 4, a, b, c, d]) = bytes.get(at..).and_then(<[u8]>::first_chunk) else {
        if !record.damaged {
            record.findings.push(Finding::new(codes::CHECK_VALUE, "there is no check value").byte(at as u64));
        }
        return;
    };
    if found != kind || u32::from_le_bytes([a, b, c, d]) != crc32fast::hash(&bytes[..at]) {
        record.findings.push(Finding::new(codes::CHECK_VALUE, "the check value does not fit").byte(at as u64));
    } else if bytes.len() > at + 6 {
        let text = format!("{} bytes behind the end of the record", bytes.len() - at - 6);
        record.findings.push(Finding::new(codes::LEFT_OVER_BYTES, text).byte(at as u64 + 6));
    }
}

/// Writes XQR, in the numbering of the one file that was met.
#[derive(Clone, Copy, Debug)]
pub struct XqrWriter;

impl Writer for XqrWriter {
    fn format(&self) -> Format {
        Format::Xqr
    }

    fn extension(&self) -> &'static str {
        "xqr"
    }

    fn holds_many(&self) -> bool {
        false
    }

    fn write(&self, game: &Game, options: &WriteOptions, out: &mut Vec<u8>) -> Vec<Finding> {
        let (mut comments, mut findings) = fold::fold_tree(&game.tree);
        let begin = out.len();
        out.extend(MAGIC);
        out.extend([1, 1, 0]);
        let mut extra = Vec::new();
        let mut used = [false; OLD.len()];
        for (name, value) in game.headers.iter() {
            if is_implied(name, value, game) {
                continue;
            }
            let own = if name.eq_ignore_ascii_case("White") { Name::Red.tag() } else { name };
            match OLD.iter().position(|header| header.eq_ignore_ascii_case(own)).filter(|&index| !used[index]) {
                Some(index) => {
                    used[index] = true;
                    let (bytes, whole) = short_text::encode_within(value, UTF_8, 255);
                    out.extend([index as u8 + 2, bytes.len() as u8]);
                    out.extend(bytes);
                    if !whole {
                        extra.push((Fit::Cut, OLD[index], value));
                    }
                }
                None => extra.push((Fit::Foreign, name, value)),
            }
        }
        let result = match game.result {
            GameResult::Unknown => 0,
            GameResult::RedWins => 1,
            GameResult::BlackWins => 2,
            GameResult::Draw => 3,
        };
        out.extend([7, 1, result]);
        let fen = game.start.to_fen();
        if game.start != Position::start() {
            out.extend([8, fen.len() as u8]);
            out.extend(fen.as_bytes());
        }
        out.extend([9, 0]);
        fold::fold_game(&mut comments, game, extra.into_iter(), &mut findings);
        let tree = &game.tree;
        let plies: &mut dyn Iterator<Item = NodeId> =
            if options.main_line { &mut tree.main_line() } else { &mut tree.walk().map(|(id, _)| id) };
        let number = |square: Square| (9 - square.rank()) << 4 | square.file();
        for id in std::iter::once(NodeId::ROOT).chain(plies) {
            let comment = comments.remove(&id);
            let m = tree[id].m;
            let squares = if id == NodeId::ROOT { [0, 0] } else { [number(m.from()), number(m.to())] };
            let sibling = !options.main_line && tree.next_sibling(id).is_some();
            let flags =
                u8::from(tree.first_child(id).is_some()) | u8::from(sibling) << 1 | u8::from(comment.is_some()) << 2;
            out.extend([squares[0], squares[1], flags, 0]);
            if let Some(comment) = comment {
                out.extend((comment.len() as u32).to_le_bytes());
                out.extend(comment.as_bytes());
            }
        }
        let crc = crc32fast::hash(&out[begin..]);
        out.extend([10, 4]);
        out.extend(crc.to_le_bytes());
        findings
    }
}
