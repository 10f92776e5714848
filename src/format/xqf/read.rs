//! Header and records to a game.

use super::header::{FIELDS, HEADER, Header, KINDS, TYPE};
use super::record::{Body, Damage};
use crate::board::{Color, Position};
use crate::diag::{Finding, codes};
use crate::format::fold::Unfolded;
use crate::format::linear::{LinearTree, Target, decimal_move, decimal_square};
use crate::format::short_text::{self, Choice, Fault};
use crate::format::{ReadGame, ReadOptions, Source, Status};
use crate::game::{Game, Headers, NodeId, Place};
use std::ops::Range;

/// Reads the game of a file; the finding says why there is none.
pub(super) fn read(source: Source<'_>, options: &ReadOptions) -> Result<ReadGame, Box<Finding>> {
    let file = source.bytes;
    let header = Header::read(file)
        .ok_or_else(|| Box::new(Finding::new(codes::BROKEN_HEADER, "shorter than the 1,024 bytes of an XQF header")))?;
    let body = Body::new(&header, file);
    let mut findings = Vec::new();
    check_header(&header, &mut findings);

    let (mut start, twice) = header.position();
    for number in twice {
        findings.push(
            Finding::new(codes::BROKEN_HEADER, "two pieces on one square, the second one stays")
                .text(decimal_square(number).map(|square| square.to_string()).unwrap_or_default())
                .byte(16),
        );
    }
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
                settle_side(&mut start, first.from, header.who(), &mut findings);
            }
        }
        Err(why) => damage = Some((0, why)),
    }
    if start != Position::start() {
        findings.extend(
            start
                .faults()
                .into_iter()
                .map(|fault| Finding::new(codes::IMPOSSIBLE_POSITION, fault.to_string()).text(start.to_fen()).byte(16)),
        );
    }

    let mut tree = LinearTree::new(start, child);
    // A guess that is never more than the file could hold.
    tree.reserve((body.bytes().len() / 8).min(4096));
    while tree.is_open() && damage.is_none() {
        match body.record(at) {
            Ok(record) => {
                let place = (HEADER + record.at) as u64;
                let target = tree.push(decimal_move(record.from, record.to), record.child, record.sibling, place);
                if !record.comment.is_empty() {
                    comments.push((target, record.comment.clone()));
                }
                at = record.comment.end;
            }
            Err(why) => damage = Some((at, why)),
        }
    }
    let stopped_at = tree.next_ply();
    if damage.is_none() && at < body.bytes().len() {
        let left = body.bytes().len() - at;
        let finding = Finding::new(codes::LEFT_OVER_BYTES, format!("{left} bytes behind the end of the tree"));
        findings.push(finding.byte((HEADER + at) as u64));
    }

    let choice = match options.encoding {
        Some(encoding) => Choice { encoding, doubtful: false },
        None => short_text::choose(
            FIELDS
                .iter()
                .map(|&field| header.text(field))
                .chain(comments.iter().map(|(_, range)| &body.bytes()[range.clone()])),
        ),
    };
    let mut text = |bytes: &[u8], what: &str, byte: usize| {
        let decoded = short_text::decode(bytes, choice.encoding);
        if let Some(fault) = decoded.fault {
            findings.push(text_finding(fault, bytes, &decoded.text, what, choice).byte(byte as u64));
        }
        decoded.text
    };

    let mut headers = Headers::default();
    for field in FIELDS {
        let bytes = header.text(field);
        if !bytes.is_empty() {
            let value = text(bytes, field.name, field.offset + 1);
            if !value.is_empty() {
                headers.push(field.name, value);
            }
        }
    }
    match header.kind() {
        0 => {}
        kind => {
            headers.push(TYPE, KINDS.get(usize::from(kind)).map_or_else(|| kind.to_string(), |name| name.to_string()))
        }
    }
    let mut unfolded = Unfolded::default();
    for (target, range) in comments {
        let comment = short_text::unix_lines(text(&body.bytes()[range.clone()], "a comment", HEADER + range.start));
        match target {
            Target::Node(node) => unfolded.unfold(tree.tree_mut(), node, comment),
            lost => tree.comment(lost, Place::After, comment),
        }
    }
    let (mut rest, trailer) = unfolded.apply(&mut headers, &mut start);
    if choice.doubtful {
        findings.push(Finding::new(
            codes::DOUBTFUL_ENCODING,
            format!("read as {}, but another encoding fits nearly as well; --encoding decides", choice.name()),
        ));
    }
    if let Some((at, why)) = damage {
        findings.push(broken_tree(why, stopped_at, at));
    }

    let built = tree.finish();
    findings.extend(built.findings);
    if !built.rest.is_empty() {
        rest.push_str(if rest.is_empty() { "" } else { "\n" });
        rest.push_str(&built.rest);
    }
    let status = Status::of(built.cut || damage.is_some(), built.tree.ply_count());
    let result = header.result().unwrap_or_default();
    let game = Game { headers, start, tree: built.tree, result, rest, trailer };
    Ok(ReadGame { game, number: source.first_game, encoding: choice.name(), status, findings })
}

fn check_header(header: &Header<'_>, findings: &mut Vec<Finding>) {
    if header.version() > 18 {
        let text = format!("version byte {}: newer than any known version, read as 1.8", header.version());
        findings.push(Finding::new(codes::UNKNOWN_VERSION, text).byte(2));
    }
    if !header.check_byte_fits() {
        findings.push(Finding::new(codes::CHECK_VALUE, "the key bytes do not add up to zero").byte(12));
    }
    if header.result().is_none() {
        let text = format!("result byte {}: no known result", header.result_byte());
        findings.push(Finding::new(codes::BROKEN_HEADER, text).byte(51));
    }
}

/// The piece that moves first knows better than the header who moves first.
fn settle_side(start: &mut Position, from: u8, who: u8, findings: &mut Vec<Finding>) {
    let mover = decimal_square(from).and_then(|square| start.piece_at(square)).map(|piece| piece.color());
    if let Some(mover) = mover
        && mover != start.side_to_move()
    {
        let told = start.side_to_move();
        start.set_side_to_move(mover);
        findings.push(
            Finding::new(
                codes::SIDE_CONTRADICTED,
                format!("the header says {told} moves first, the first ply is {mover}'s"),
            )
            .text(who.to_string())
            .byte(50),
        );
    } else if who > 1 {
        let side = if start.side_to_move() == Color::Red { "Red" } else { "Black" };
        let text = format!("side byte {who}: neither Red (0) nor Black (1), {side} assumed");
        findings.push(Finding::new(codes::BROKEN_HEADER, text).byte(50));
    }
}

fn text_finding(fault: Fault, bytes: &[u8], text: &str, what: &str, choice: Choice) -> Finding {
    let name = choice.name();
    match fault {
        Fault::HalfCharacter => {
            Finding::new(codes::HALF_CHARACTER, format!("{what} ends in half a character, which was dropped"))
                .text(text)
        }
        Fault::BadBytes(count) => {
            Finding::new(codes::BAD_BYTES, format!("{what}: {count} places that mean nothing in {name}")).text(text)
        }
        Fault::Latin => Finding::new(
            codes::DOUBTFUL_ENCODING,
            format!(
                "{what} read as {name} gives {text}; as windows-1258 it would be {} (bytes {})",
                short_text::decode(bytes, encoding_rs::WINDOWS_1258).text,
                short_text::hex(bytes)
            ),
        )
        .text(text),
    }
}

fn broken_tree(why: Damage, ply: u32, at: usize) -> Finding {
    Finding::new(codes::BROKEN_TREE, why.to_string()).ply(ply).byte((HEADER + at) as u64)
}
