//! QP: a puzzle of a position alone, signature `ccf0`. Described nowhere; worked out from 1,101 files.
//!
//! Comes in: `ccf0`, the byte 0x20 in every file, the number of pieces, then three bytes a piece: kind, file from Red's
//! left, rank from the top. Goes out: one game without plies.
//!
//! Kinds 0 to 6 are Red's king, advisor, elephant, rook, horse, cannon, pawn, 7 to 13 Black's. That is the only order of
//! rook, horse and cannon in which next to no king stands attacked: in the files 3 of 2,202 do, with any other order at
//! least 180. Who moves first is not stored; Red is assumed and the finding says so.

use super::linear::{Record, report_faults, single_line};
use super::{Confidence, Format, ReadOptions, Reader, Sink, Source};
use crate::board::{Color, Kind, Piece, Position, Square};
use crate::diag::{Finding, codes};

/// Reads QP.
#[derive(Clone, Copy, Debug)]
pub struct QpReader;

const KINDS: [Kind; 7] = [Kind::King, Kind::Advisor, Kind::Elephant, Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Pawn];

impl Reader for QpReader {
    fn format(&self) -> Format {
        Format::Qp
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        match head {
            [b'c', b'c', b'f', b'0', 0x20, ..] => Confidence::Certain,
            [b'c', b'c', b'f', b'0', ..] => Confidence::Likely,
            _ => Confidence::No,
        }
    }

    fn read(&self, source: Source<'_>, _: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        let mut record = Record { start: Position::empty(Color::Red), ..Record::default() };
        let body = source.bytes.get(6..).unwrap_or_default();
        let count = usize::from(source.bytes.get(5).copied().unwrap_or_default());
        let (triples, rest) = body.as_chunks::<3>();
        for (index, &[kind, file, rank]) in triples.iter().take(count).enumerate() {
            let byte = 6 + 3 * index as u64;
            let square = 9u8.checked_sub(rank).and_then(|rank| Square::new(file, rank));
            match (KINDS.get(usize::from(kind % 7)), square, kind < 14) {
                (Some(&kind_of), Some(square), true) => {
                    let color = if kind < 7 { Color::Red } else { Color::Black };
                    if record.start.piece_at(square).is_some() {
                        let text =
                            crate::say!("two pieces on one square, the second one stays"; "两子在同一点, 保留后一个");
                        let finding = Finding::new(codes::BROKEN_HEADER, text).text(square.to_string());
                        record.findings.push(finding.byte(byte));
                    }
                    record.start.put(square, Some(Piece::new(color, kind_of)));
                }
                _ => {
                    let text = format!("piece {kind} on file {file}, rank {rank}: no such piece or point");
                    record.findings.push(Finding::new(codes::BROKEN_HEADER, text).byte(byte));
                    record.damaged = true;
                }
            }
        }
        if triples.len() < count {
            record.damaged = true;
            let text = format!("{} pieces instead of {count}", triples.len());
            record.findings.push(Finding::new(codes::BROKEN_TREE, text).byte(source.bytes.len() as u64));
        } else if triples.len() > count || !rest.is_empty() {
            let at = 6 + 3 * count;
            let text = format!("{} bytes behind the last piece", source.bytes.len() - at);
            record.findings.push(Finding::new(codes::LEFT_OVER_BYTES, text).byte(at as u64));
        }
        let text = crate::say!("the file does not say who moves first; Red is assumed"; "文件没有写明先走方, 按红先");
        record.findings.push(Finding::new(codes::SIDE_UNKNOWN, text));
        report_faults(&record.start, Some(6), &mut record.findings);
        let tree = single_line(record.start, Vec::new().into_iter());
        let mut game = record.finish(tree, source.first_game, "utf-8");
        for finding in &mut game.findings {
            finding.locate(source.file, Some(source.first_game));
        }
        let _ = games(game);
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;

    #[test]
    fn a_piece_list_becomes_a_position() {
        let bytes = b"ccf0\x20\x04\x07\x04\x00\x00\x03\x09\x03\x00\x05\x0d\x02\x08";
        let mut fen = String::new();
        QpReader.read(Source::whole(bytes, "t"), &ReadOptions::default(), &mut |game| {
            fen = game.game.start.to_fen();
            assert_eq!(game.findings.iter().map(|f| f.code.id()).collect::<Vec<_>>(), ["F408"]);
            ControlFlow::Continue(())
        });
        assert_eq!(fen, "4k4/9/9/9/9/R8/9/9/2p6/3K5 w - - 0 1");
    }
}
