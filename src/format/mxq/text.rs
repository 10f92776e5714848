//! The words of MXQ as text: what is told of them, no more.
//!
//! No real file of this form is known. What descriptions say: the plies are those of the record (`7C-4C`) between the
//! words `Moves` and `Ends`; a start position of its own is 32 numbers and `+R` or `+B`. They leave open how the other
//! fields are divided. So this much is read, and everything else of the head is kept as text of the game, with a
//! finding; only `Red-胜-Black` is known by its form.
//!
//! - White space divides words; lines do not matter.
//! - The numbers are cells of a 16 x 16 grid from 1 (the board is rows 3 to 12 from the top, columns 3 to 11) in the order
//!   PPPPP CC NN RR BB AA K of Red, then of Black. A cell beside the board is a piece that was taken.
//!
//! ```text
//! 弈天 2005-01-02 甲-和-乙 1500 1600
//! 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 200 0 … 56 +R
//! Moves 4A-4B 4J-4I Ends
//! ```

use super::super::linear::{Record, report_faults, settle_side, single_line};
use super::super::listed::Listed;
use super::super::text_file::TextFile;
use super::super::{Confidence, ReadOptions, Sink, Source};
use super::{read_ply, split_names};
use crate::board::{Color, Kind, Piece, Position, Square};
use crate::diag::{Finding, codes};
use crate::game::{Name, NodeId};

/// The pieces of one side in the order of the numbers.
const PIECES: [Kind; 16] = {
    use Kind::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
    [Pawn, Pawn, Pawn, Pawn, Pawn, Cannon, Cannon, Horse, Horse, Rook, Rook, Elephant, Elephant, Advisor, Advisor, King]
};

/// Certain of the words in their order and of a ply between them; a head without them is none of this kind.
pub(super) fn confidence(head: &[u8]) -> Confidence {
    // The words are ASCII, whatever the text around them is written in.
    let mut words = head.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let is_ply = |word: &[u8]| std::str::from_utf8(word).is_ok_and(|word| read_ply(word).is_some());
    match (words.any(|word| word == b"Moves"), words.next()) {
        (true, Some(word)) if is_ply(word) => Confidence::Likely,
        _ => Confidence::No,
    }
}

/// Reads the one game of the text.
pub(super) fn read(source: Source<'_>, options: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
    let mut file = TextFile::new(source, options);
    let text = file.take_text();
    let mut record = Record::default();
    let place = |word: &str| (word.as_ptr() as usize - text.as_ptr() as usize) as u64;
    let mut words = text.split_whitespace();
    let moves = words.by_ref().find(|word| *word == "Moves").map_or(text.len(), |word| place(word) as usize);
    let told = read_head(&text[..moves], place, &mut record);

    let mut plies = Vec::new();
    let mut listed = Listed::default();
    let mut behind = None;
    for word in words {
        if word == "Ends" {
            behind = Some(&text[place(word) as usize + word.len()..]);
            break;
        }
        let ply = read_ply(word);
        plies.push((ply.ok_or((0, 0)), place(word)));
        if ply.is_none() {
            let finding = Finding::new(codes::UNREADABLE_LINE, crate::say!("not a ply"; "不是着法")).text(word);
            listed.push(finding.ply(plies.len() as u32).byte(place(word)));
        }
    }
    record.findings.extend(listed.into_findings());
    if behind.is_none() {
        record.damaged = true;
        let text = crate::say!("the record ends without the word Ends"; "记录没有以 Ends 结束");
        record.findings.push(Finding::new(codes::BROKEN_TREE, text).byte(source.bytes.len() as u64));
    }
    let first = plies.first().and_then(|(m, _)| Some(m.ok()?.from()));
    settle_side(&mut record.start, first, told.is_some(), told, &mut record.findings);
    report_faults(&record.start, told, &mut record.findings);
    let mut tree = single_line(record.start, plies.into_iter());
    let comment = behind.unwrap_or_default().trim();
    let comment = comment.strip_suffix("CommentsEnd").unwrap_or(comment).trim();
    record.comment(&mut tree, super::super::linear::Target::Node(NodeId::ROOT), comment.replace("\r\n", "\n"));
    let mut game = record.finish(tree, source.first_game, file.encoding());
    file.locate(&mut game.findings, source.first_game);
    let _ = games(game);
    let mut findings = file.text_findings();
    file.locate_in_file(&mut findings);
    findings
}

/// Takes what is known of the head by its form, keeps the rest; the place of the start position, if one is told.
fn read_head(head: &str, place: impl Fn(&str) -> u64, record: &mut Record) -> Option<u64> {
    let words: Vec<&str> = head.split_whitespace().collect();
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let position = words.iter().position(|word| matches!(*word, "+R" | "+B")).map(|side| {
        let before = words[..side].iter().rev().take(2 * PIECES.len()).take_while(|word| is_number(word)).count();
        side - before..side + 1
    });
    let mut kept = Vec::new();
    for (index, word) in words.iter().enumerate() {
        if position.as_ref().is_some_and(|range| range.contains(&index)) {
            continue;
        }
        match split_names(word).filter(|_| record.headers.get(Name::Red).is_none()) {
            Some((red, result, black)) => {
                record.headers.push(Name::Red.tag(), red);
                record.headers.push(Name::Black.tag(), black);
                record.result = result;
            }
            None => kept.push(*word),
        }
    }
    if let Some(first) = kept.first() {
        let text = crate::say!(
            "words before the moves whose meaning is not described; kept as the text of the game";
            "着法前含义不明的文字, 作为对局文字保留"
        );
        let written = kept.join(" ");
        let finding = Finding::new(codes::LOOSE_LINE, text).text(written.chars().take(200).collect::<String>());
        record.findings.push(finding.byte(place(first)));
        record.unfolded.trailer = written;
    }
    let range = position?;
    let at = place(words[range.start]);
    let (numbers, side) = (&words[range.start..range.end - 1], words[range.end - 1]);
    match read_position(numbers, side) {
        Some(start) => record.start = start,
        None => {
            let why = crate::say!("32 numbers of different cells are needed before the side"; "先走方之前应有 32 个互不相同的格号");
            record.unread_start(&words[range].join(" "), at, why);
        }
    }
    Some(at)
}

fn read_position(numbers: &[&str], side: &str) -> Option<Position> {
    if numbers.len() != 2 * PIECES.len() {
        return None;
    }
    let mut position = Position::empty(if side == "+B" { Color::Black } else { Color::Red });
    for (index, number) in numbers.iter().enumerate() {
        let Some(cell) = number.parse::<u16>().ok()?.checked_sub(1) else { continue };
        let (row, column) = (cell / 16, cell % 16);
        let square = column.checked_sub(3).zip(12u16.checked_sub(row));
        let square = square.and_then(|(file, rank)| Square::new(file.try_into().ok()?, rank.try_into().ok()?));
        let Some(square) = square else { continue };
        if position.piece_at(square).is_some() {
            return None;
        }
        let color = if index < PIECES.len() { Color::Red } else { Color::Black };
        position.put(square, Some(Piece::new(color, PIECES[index % PIECES.len()])));
    }
    Some(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Detected, Format, ReadGame, Status, detect};
    use std::ops::ControlFlow;

    fn read_text(text: &str) -> ReadGame {
        let Detected::Format { reader, .. } = detect(text.as_bytes()) else { panic!("refused: {text}") };
        assert_eq!(reader.format(), Format::Mxq);
        let mut read = Vec::new();
        let findings = reader.read(Source::whole(text.as_bytes(), "t"), &ReadOptions::default(), &mut |game| {
            read.push(game);
            ControlFlow::Continue(())
        });
        assert!(findings.is_empty(), "{findings:?}");
        assert_eq!(read.len(), 1);
        read.remove(0)
    }

    /// The number of a square: file from 0, rank from 0.
    fn cell(file: u32, rank: u32) -> u32 {
        16 * (3 + 9 - rank) + 3 + file + 1
    }

    #[test]
    fn the_words_of_a_record_are_read_as_text() {
        let read = read_text("弈天 2005-01-02\n甲-胜-乙 1500\nMoves\n7C-4C 7J-6H\n1A-2C Ends\n中炮 CommentsEnd\n");
        let moves: Vec<String> = read.game.moves().map(|m| m.to_string()).collect();
        assert_eq!(moves, ["h2e2", "h9g7", "b0c2"]);
        assert_eq!((read.status, read.game.result.token()), (Status::Ok, "1-0"));
        assert_eq!(read.game.headers.get(Name::Red), Some("甲"));
        assert_eq!(read.game.tree.comments()[0].text, "中炮");
        assert_eq!(read.game.trailer, "弈天 2005-01-02 1500");
        assert_eq!(read.findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), [codes::LOOSE_LINE]);
    }

    #[test]
    fn a_start_position_is_thirty_two_cells_and_a_side() {
        let mut cells = [0; 32];
        cells[9] = cell(0, 0);
        cells[15] = cell(4, 0);
        cells[31] = cell(3, 9);
        let numbers = cells.map(|cell| cell.to_string()).join(" ");
        let read = read_text(&format!("{numbers} +B\nMoves 3J-3I 0A-0J Ends"));
        assert_eq!(read.game.start.to_fen(), "3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1");
        assert_eq!((read.status, read.game.moves().count()), (Status::Ok, 2));
        // The usual board, from the formula alone.
        let files = [0, 2, 4, 6, 8, 1, 7, 1, 7, 0, 8, 2, 6, 3, 5, 4];
        let ranks = [3, 3, 3, 3, 3, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let red = files.iter().zip(ranks).map(|(&file, rank)| cell(file, rank));
        let black = files.iter().zip(ranks).map(|(&file, rank)| cell(file, 9 - rank));
        let numbers: Vec<String> = red.chain(black).map(|cell| cell.to_string()).collect();
        let read = read_text(&format!("{} +R Moves 7C-4C Ends", numbers.join(" ")));
        assert_eq!(read.game.start, Position::start());
    }

    #[test]
    fn a_start_position_that_cannot_be_read_proves_no_ply() {
        let read = read_text("200 200 +R\nMoves 7C-4C Ends");
        assert_eq!((read.status, read.game.tree.ply_count()), (Status::Failed, 0));
        assert_eq!(read.game.rest, "1: h2e2");
        assert_eq!(read.game.headers.get_raw("FEN"), Some("200 200 +R"));
    }

    #[test]
    fn a_text_that_breaks_off_is_not_whole() {
        let read = read_text("Moves 7C-4C 7J");
        assert_eq!((read.status, read.game.moves().count()), (Status::Partial, 1));
        assert!(matches!(detect(b"he Moves to 7C-4C"), Detected::Refused(_)));
    }
}
