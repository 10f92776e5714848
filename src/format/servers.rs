//! Records of game servers that were never described by their makers: CCM (中国游戏中心), CHE (QQ 象棋), CHN (联众).
//!
//! Experimental: no file of these programs was met, only descriptions by others who read them. All are one game from the
//! normal start position without names; CHE alone has side lines.
//!
//! Two directions are not certain, and replay settles one of them: whether the board is seen from Black's chair (then the
//! first piece to move stands on the wrong half, and the board is turned). Whether files count from Red's left or right
//! cannot be told from the moves, because a mirrored game is just as legal; they are taken from Red's left.
//!
//! - CCM: seven bytes a ply; bytes 3 to 6 are from-file, to-file, from-rank, to-rank, ranks from the top.
//! - CHN: 188 bytes, then 32 bytes a ply; words 2 to 5 are from-file, from-rank, to-file, to-rank, ranks from the top.
//! - CHE: integers; type, number of plies, then ten for each ply, the eighth naming its parent.

use super::linear::{PlyAt, Record, playable, single_line};
use super::sketch::Sketch;
use super::{Confidence, Format, ReadGame, ReadOptions, Reader, Sink, Source};
use crate::board::{Move, Position, Square};
use crate::diag::{Finding, codes};

/// Reads CCM.
#[derive(Clone, Copy, Debug)]
pub struct CcmReader;

/// Reads CHN.
#[derive(Clone, Copy, Debug)]
pub struct ChnReader;

/// Reads CHE.
#[derive(Clone, Copy, Debug)]
pub struct CheReader;

impl Reader for CcmReader {
    fn format(&self) -> Format {
        Format::Ccm
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        let fits = head.first() == Some(&1) && head.len().is_multiple_of(7);
        likely(fits, &ccm_plies(head))
    }

    fn read(&self, source: Source<'_>, _: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        let mut record = experimental();
        left_over(source.bytes.len() % 7, source.bytes.len(), &mut record);
        let tree = single_line(record.start, ccm_plies(source.bytes).into_iter());
        give(record.finish(tree, source.first_game, "utf-8"), source, games)
    }
}

impl Reader for ChnReader {
    fn format(&self) -> Format {
        Format::Chn
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        likely(head.len() >= CHN_HEADER + 32 && (head.len() - CHN_HEADER).is_multiple_of(32), &chn_plies(head))
    }

    fn read(&self, source: Source<'_>, _: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        let mut record = experimental();
        left_over(source.bytes.len().saturating_sub(CHN_HEADER) % 32, source.bytes.len(), &mut record);
        let tree = single_line(record.start, chn_plies(source.bytes).into_iter());
        give(record.finish(tree, source.first_game, "utf-8"), source, games)
    }
}

impl Reader for CheReader {
    fn format(&self) -> Format {
        Format::Che
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        let numbers = che_numbers(head);
        let [kind, count, ..] = numbers[..] else { return Confidence::No };
        let fits = kind < 2 && count > 0 && numbers.len() >= 12 && numbers.get(3) == Some(&32);
        let plies: Vec<PlyAt> = numbers[2..].chunks_exact(10).map(|ply| (che_ply(ply, kind), 0)).collect();
        likely(fits, &plies[..plies.len().min(1)])
    }

    fn read(&self, source: Source<'_>, _: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        let numbers = che_numbers(source.bytes);
        let mut record = experimental();
        let sketch = che_tree(&numbers, &mut record);
        let tree = sketch.play(&mut record);
        give(record.finish(tree, source.first_game, "utf-8"), source, games)
    }
}

fn experimental() -> Record {
    let text = crate::say!(
        "a format known from descriptions only; compare the moves with another source if you can";
        "仅据说明得知的格式; 请尽量与其他来源对照着法"
    );
    Record { findings: vec![Finding::new(codes::EXPERIMENTAL, text)], ..Record::default() }
}

fn give(mut game: ReadGame, source: Source<'_>, games: &mut Sink<'_>) -> Vec<Finding> {
    for finding in &mut game.findings {
        finding.locate(source.file, Some(game.number));
    }
    let _ = games(game);
    Vec::new()
}

fn left_over(bytes: usize, length: usize, record: &mut Record) {
    if bytes > 0 {
        let text = format!("{bytes} bytes behind the last whole ply");
        record.findings.push(Finding::new(codes::LEFT_OVER_BYTES, text).byte((length - bytes) as u64));
    }
}

/// Without a signature, only moves that can be played speak for a format.
fn likely(fits: bool, plies: &[PlyAt]) -> Confidence {
    let least = plies.len().min(6);
    let played = if fits { playable(Position::start(), plies.iter().take(least).map(|(m, _)| *m)) } else { 0 };
    if least > 0 && played == least { Confidence::Likely } else { Confidence::No }
}

/// A ply whose ranks count from the top, the board turned if asked.
fn ply(from: (u8, u8), to: (u8, u8), turned: bool) -> Result<Move, (u8, u8)> {
    let square = |(file, rank): (u8, u8)| {
        let square = Square::new(file, 9u8.checked_sub(rank)?)?;
        Some(if turned { square.turn() } else { square })
    };
    match (square(from), square(to)) {
        (Some(from), Some(to)) => Ok(Move::new(from, to)),
        _ => Err((from.0.wrapping_mul(10).wrapping_add(from.1), to.0.wrapping_mul(10).wrapping_add(to.1))),
    }
}

fn ccm_plies(bytes: &[u8]) -> Vec<PlyAt> {
    let turned = bytes.get(5).is_some_and(|&rank| rank < 5);
    bytes.chunks_exact(7).zip(0u64..).map(|(b, n)| (ply((b[3], b[5]), (b[4], b[6]), turned), n * 7)).collect()
}

const CHN_HEADER: usize = 188;

fn chn_plies(bytes: &[u8]) -> Vec<PlyAt> {
    let body = bytes.get(CHN_HEADER..).unwrap_or_default();
    let word =
        |record: &[u8], i: usize| u8::try_from(u16::from_le_bytes([record[i * 2], record[i * 2 + 1]])).unwrap_or(99);
    let turned = body.len() >= 32 && word(body, 3) < 5;
    body.chunks_exact(32)
        .zip(0u64..)
        .map(|(r, n)| (ply((word(r, 2), word(r, 3)), (word(r, 4), word(r, 5)), turned), CHN_HEADER as u64 + n * 32))
        .collect()
}

/// The integers at the start of the text.
fn che_numbers(bytes: &[u8]) -> Vec<u32> {
    let text = bytes.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    text.map_while(|word| std::str::from_utf8(word).ok()?.parse().ok()).collect()
}

/// Ranks from Red's back rank; type 1 counts from 0, type 0 from 1.
fn che_ply(numbers: &[u32], kind: u32) -> Result<Move, (u8, u8)> {
    let number = |i: usize| numbers[i].checked_sub(1 - kind.min(1)).and_then(|n| u8::try_from(n).ok());
    let square = |rank: usize| Square::new(number(rank + 1)?, number(rank)?);
    match (square(3), square(5)) {
        (Some(from), Some(to)) => Ok(Move::new(from, to)),
        _ => Err((0, 0)),
    }
}

fn che_tree(numbers: &[u32], record: &mut Record) -> Sketch {
    let mut sketch = Sketch::new();
    let [kind, count, ref numbers @ ..] = numbers[..] else { return sketch };
    let plies: Vec<&[u32]> = numbers.chunks_exact(10).collect();
    if plies.len() != count as usize || numbers.len() % 10 > 1 {
        record.damaged |= plies.len() < count as usize;
        let over = numbers.len() % 10;
        let text = format!("the head says {count} plies; there are {} and {over} further numbers", plies.len());
        record.findings.push(Finding::new(codes::BROKEN_HEADER, text));
    }
    // Some programs name no parents: then the plies are one line.
    let linear = plies.iter().all(|ply| ply[7] == 0) && plies.iter().zip(1..).all(|(ply, n)| ply[8] == n);
    for (index, ply) in plies.iter().enumerate() {
        let parent = if linear { index } else { ply[7] as usize };
        if parent > index {
            record.damaged = true;
            let text = format!("ply record {} names a parent that does not exist", index + 1);
            record.findings.push(Finding::new(codes::LOOSE_LINE, text));
            break;
        }
        if sketch.add(parent, che_ply(ply, kind), 0).is_none() {
            record.damaged = true;
            record.findings.push(Sketch::too_long(0));
            break;
        }
    }
    sketch
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;

    fn read(reader: &dyn Reader, bytes: &[u8]) -> (Confidence, String, usize) {
        let mut out = (reader.confidence(bytes), String::new(), 0);
        reader.read(Source::whole(bytes, "t"), &ReadOptions::default(), &mut |game| {
            out.1 = game.game.moves().map(|m| m.to_string()).collect::<Vec<_>>().join(" ");
            out.2 = game.game.tree.ply_count();
            ControlFlow::Continue(())
        });
        out
    }

    #[test]
    fn ccm_is_turned_when_red_sits_at_the_top() {
        let turned = [1, 0, 0, 1, 4, 2, 2, 1, 0, 0, 7, 6, 9, 7];
        assert_eq!(read(&CcmReader, &turned), (Confidence::Likely, "h2e2 b9c7".into(), 2));
    }

    #[test]
    fn chn_takes_words_behind_its_header() {
        let mut bytes = vec![0; CHN_HEADER];
        for squares in [[7, 7, 4, 7], [7, 0, 6, 2]] {
            let mut record = [0u8; 32];
            for (i, number) in squares.into_iter().enumerate() {
                record[4 + i * 2] = number;
            }
            bytes.extend(record);
        }
        assert_eq!(read(&ChnReader, &bytes), (Confidence::Likely, "h2e2 h9g7".into(), 2));
    }

    #[test]
    fn che_has_a_tree_when_its_plies_name_parents() {
        let text = b"1 3 26 32 1 2 7 2 4 0 1 0 5 32 0 9 7 7 6 1 2 0 5 32 0 9 1 7 2 1 2 0 <x/>";
        assert_eq!(read(&CheReader, text), (Confidence::Likely, "h2e2 h9g7".into(), 3));
        let line = b"1 2 26 32 1 2 7 2 4 0 1 0 5 32 0 9 7 7 6 0 2 0";
        assert_eq!(read(&CheReader, line), (Confidence::Likely, "h2e2 h9g7".into(), 2));
        // Type 0 counts from 1, and one number more may stand at the end.
        let newer = b"0 1 26 32 1 3 8 3 5 0 1 0 77";
        assert_eq!(read(&CheReader, newer), (Confidence::Likely, "h2e2".into(), 1));
    }
}
