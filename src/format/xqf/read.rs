//! Header and records to a game.

use super::header::{FIELDS, HEADER, Header, KINDS, TYPE};
use super::record::Body;
use crate::diag::{Finding, codes};
use crate::format::linear::{LinearTree, Record, Target, decimal_move, decimal_square, report_faults, settle_side};
use crate::format::short_text::{self, Choice};
use crate::format::{ReadGame, ReadOptions, Source};
use crate::game::NodeId;
use std::ops::Range;

/// Reads the game of a file; the finding says why there is none.
pub(super) fn read(source: Source<'_>, options: &ReadOptions) -> Result<ReadGame, Box<Finding>> {
    let file = source.bytes;
    let header = Header::read(file).ok_or_else(|| {
        Box::new(Finding::new(
            codes::BROKEN_HEADER,
            crate::say!("shorter than the 1,024 bytes of an XQF header"; "不足 XQF 头部的 1,024 字节"),
        ))
    })?;
    let body = Body::new(&header, file);
    let mut findings = Vec::new();
    check_header(&header, &mut findings);

    let (start, twice) = header.position();
    for number in twice {
        findings.push(
            Finding::new(
                codes::BROKEN_HEADER,
                crate::say!("two pieces on one square, the second one stays"; "两子在同一点, 保留后一个"),
            )
            .text(decimal_square(number).map(|square| square.to_string()).unwrap_or_default())
            .byte(16),
        );
    }
    let result = header.result().unwrap_or_default();
    let mut record = Record { start, result, findings, ..Record::default() };
    let mut comments: Vec<(Target, Range<usize>)> = Vec::new();
    let mut damage = None;
    let mut at = 0;
    let mut child = false;
    match body.record(0) {
        Ok(root) => {
            if !root.comment.is_empty() {
                comments.push((Target::Node(NodeId::ROOT), root.comment.clone()));
            }
            at = root.comment.end;
            child = root.child;
            if child && let Ok(first) = body.record(at) {
                settle_side(&mut record.start, decimal_square(first.from), true, Some(50), &mut record.findings);
            }
        }
        Err(why) => damage = Some((0, why)),
    }
    report_faults(&record.start, Some(16), &mut record.findings);

    let mut tree = LinearTree::new(record.start, child);
    // A guess that is never more than the file could hold.
    tree.reserve((body.bytes().len() / 8).min(4096));
    while tree.is_open() && damage.is_none() {
        match body.record(at) {
            Ok(ply) => {
                let place = (HEADER + ply.at) as u64;
                let target = tree.push(decimal_move(ply.from, ply.to), ply.child, ply.sibling, place);
                if !ply.comment.is_empty() {
                    comments.push((target, ply.comment.clone()));
                }
                at = ply.comment.end;
            }
            Err(why) => damage = Some((at, why)),
        }
    }
    if let Some((at, why)) = damage {
        record.damaged = true;
        record
            .findings
            .push(Finding::new(codes::BROKEN_TREE, why.to_string()).ply(tree.next_ply()).byte((HEADER + at) as u64));
    } else if at < body.bytes().len() {
        let more = body.bytes().len() - at;
        let text = crate::say!("{more} bytes behind the end of the tree"; "变着树之后还有 {more} 字节");
        record.findings.push(Finding::new(codes::LEFT_OVER_BYTES, text).byte((HEADER + at) as u64));
    }
    let encoding = read_texts(&header, &body, comments, options, &mut record, &mut tree);
    Ok(record.finish(tree, source.first_game, encoding))
}

/// Reads all text once its encoding is known; returns the name of that.
fn read_texts(
    header: &Header<'_>,
    body: &Body<'_>,
    comments: Vec<(Target, Range<usize>)>,
    options: &ReadOptions,
    record: &mut Record,
    tree: &mut LinearTree,
) -> &'static str {
    let choice = match options.encoding {
        Some(encoding) => Choice { encoding, doubtful: false },
        None => {
            let fields = FIELDS.iter().map(|&field| header.text(field));
            short_text::choose(fields.chain(comments.iter().map(|(_, range)| &body.bytes()[range.clone()])))
        }
    };
    for field in FIELDS {
        let bytes = header.text(field);
        if !bytes.is_empty() {
            let value = choice.read(bytes, field.name, field.offset as u64 + 1, &mut record.findings);
            if !value.is_empty() {
                record.headers.push(field.name, value);
            }
        }
    }
    if header.kind() != 0 {
        let name = KINDS.get(usize::from(header.kind()));
        record.headers.push(TYPE, name.map_or_else(|| header.kind().to_string(), |name| (*name).to_string()));
    }
    for (target, range) in comments {
        let place = (HEADER + range.start) as u64;
        let text = choice.read(&body.bytes()[range], "a comment", place, &mut record.findings);
        record.comment(tree, target, short_text::unix_lines(text));
    }
    choice.report(&mut record.findings);
    choice.name()
}

fn check_header(header: &Header<'_>, findings: &mut Vec<Finding>) {
    if header.version() > 18 {
        let version = header.version();
        let text = crate::say!("version byte {version}: newer than any known version, read as 1.8"; "版本字节 {version} 比已知的都新, 按 1.8 版读取");
        findings.push(Finding::new(codes::UNKNOWN_VERSION, text).byte(2));
    }
    if !header.check_byte_fits() {
        findings.push(
            Finding::new(codes::CHECK_VALUE, crate::say!("the key bytes do not add up to zero"; "密钥字节之和不为零"))
                .byte(12),
        );
    }
    if header.result().is_none() {
        let byte = header.result_byte();
        let text = crate::say!("result byte {byte}: no known result"; "结果字节 {byte} 意义不明");
        findings.push(Finding::new(codes::BROKEN_HEADER, text).byte(51));
    }
    if header.who() > 1 {
        let byte = header.who();
        let text =
            crate::say!("side byte {byte}: neither Red (0) nor Black (1)"; "先走方字节 {byte} 既非红 (0) 也非黑 (1)");
        findings.push(Finding::new(codes::BROKEN_HEADER, text).byte(50));
    }
}
