//! Records of two lines: moves in coordinates run together, then a FEN with the side letter glued to it.
//!
//! ```text
//! b0b1e2g4b1b3g4e2
//! 4k4/9/9/9/2b6/9/9/4B4/3K1p3/1c3A3b
//! ```
//!
//! The FEN is the start position if the moves can be played from it; if they can only be played from the start of a game,
//! it is where they must end. Without a second line the moves begin at the start of a game. The same collections hold
//! records as one line of JSON, a list of rounds `{"0": "兵五进一", "1": "将4退1"}`; these are read too.
//!
//! Forgiven: counters glued on (`…w--01`), `/` at the end, blanks.

use crate::board::{Move, Position};
use crate::diag::{Finding, codes};
use crate::format::{Confidence, Format, ReadGame, ReadOptions, Reader, Sink, Source, Status};
use crate::game::{Game, NodeId};
use crate::notation::read_whole;
use crate::replay::{self, Entry, Event};
use std::collections::BTreeMap;

/// A record of this kind is no longer.
const MOST_BYTES: usize = 1 << 20;

/// Reads two-line records.
#[derive(Clone, Copy, Debug)]
pub struct TwoLineReader;

impl Reader for TwoLineReader {
    fn format(&self) -> Format {
        Format::TwoLine
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        let Ok(text) = std::str::from_utf8(head) else { return Confidence::No };
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default().trim();
        if first.starts_with("[{\"0\"") {
            return Confidence::Likely;
        }
        if !first.is_ascii() {
            return Confidence::No;
        }
        // The head may end in the first line.
        let whole = &first[..first.len() / 4 * 4];
        let others = lines.filter(|line| !line.trim().is_empty()).count();
        if first.len() >= 4 && others <= 1 && points(whole).is_some() { Confidence::Likely } else { Confidence::No }
    }

    fn read(&self, source: Source<'_>, _: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        let nothing = |why: &str| {
            let mut finding = Finding::new(codes::NO_GAME, why);
            finding.locate(source.file, None);
            vec![finding]
        };
        if source.bytes.len() > MOST_BYTES {
            return nothing("too long for a record of two lines");
        }
        let Ok(text) = std::str::from_utf8(source.bytes) else { return nothing("not in ASCII") };
        let mut lines = text.lines().map(str::trim);
        let first = lines.next().unwrap_or_default();
        let read = if first.starts_with('[') { read_rounds(first) } else { read_points(first, lines.next()) };
        let Some((game, status, mut findings)) = read else { return nothing("no moves in coordinates") };
        for finding in &mut findings {
            finding.locate(source.file, Some(source.first_game));
        }
        let _ = games(ReadGame { game, number: source.first_game, encoding: "utf-8", status, findings });
        Vec::new()
    }
}

type Read = (Game, Status, Vec<Finding>);

/// The moves of a line of coordinates; `None` if it is anything else.
fn points(line: &str) -> Option<Vec<Move>> {
    if line.is_empty() || !line.len().is_multiple_of(4) || !line.is_ascii() {
        return None;
    }
    (0..line.len() / 4).map(|index| line[4 * index..4 * index + 4].parse().ok()).collect()
}

fn read_points(line: &str, fen: Option<&str>) -> Option<Read> {
    let moves = points(line)?;
    let mut findings = Vec::new();
    let named = match fen.filter(|fen| !fen.is_empty()).map(|fen| (fen, Position::from_fen(&unglued(fen)))) {
        Some((_, Ok(position))) => Some(position),
        Some((fen, Err(fault))) => {
            findings.push(
                Finding::new(codes::BROKEN_FEN, crate::say!("{fault}"; "{}", fault.chinese())).text(fen).line(2, None),
            );
            None
        }
        None => None,
    };
    let start = named.unwrap_or_else(Position::start);
    let (mut start, mut plies) = (start, playable(&start, &moves));
    if let Some(named) = named.filter(|_| plies < moves.len()) {
        let usual = playable(&Position::start(), &moves);
        if usual > plies {
            (start, plies) = (Position::start(), usual);
            let end = moves[..plies].iter().fold(start, |mut position, &m| {
                position.play(m);
                position
            });
            if end.to_board_fen() != named.to_board_fen() {
                let end = end.to_board_fen();
                let message =
                    crate::say!("the moves end in {end}, not in the position named"; "着法走到 {end}, 不是所写的终局");
                findings.push(Finding::new(codes::OTHER_END, message).line(2, None));
            }
        }
    }
    let mut game = Game { start, ..Game::default() };
    let mut node = NodeId::ROOT;
    for &m in &moves[..plies] {
        node = game.tree.add(node, m);
    }
    let mut status = Status::Ok;
    if let Some(&m) = moves.get(plies) {
        let position = game.position_at(plies);
        let why = position.prove(m).err().map_or_else(|| "".into(), |why| crate::say!("{why}"; "{}", why.chinese()));
        let column = Some(4 * plies as u64 + 1);
        let finding = Finding::new(codes::NO_LEGAL_MOVE, why).text(m.to_string()).ply(plies as u32 + 1);
        findings.push(finding.line(1, column).byte(4 * plies as u64));
        game.rest = line[4 * plies..].to_string();
        status = if plies == 0 { Status::Failed } else { Status::Partial };
    }
    Some((game, status, findings))
}

/// How many of the moves can be played one after the other.
fn playable(start: &Position, moves: &[Move]) -> usize {
    let mut position = *start;
    let fits = |m: &&Move| {
        let legal = position.is_legal(**m);
        if legal {
            position.play(**m);
        }
        legal
    };
    moves.iter().take_while(fits).count()
}

/// The FEN with blanks where they belong: `…/4K4w--01` becomes `…/4K4 w - - 0 1`.
fn unglued(fen: &str) -> String {
    let rows = fen.rfind('/').map_or(0, |at| at + 1);
    let mut file = 0;
    let mut board_end = fen.len();
    for (at, c) in fen[rows..].char_indices() {
        if file >= 9 {
            board_end = rows + at;
            break;
        }
        file += c.to_digit(10).unwrap_or(1);
    }
    let (board, rest) = fen.split_at(board_end);
    let mut text = board.to_string();
    for c in rest.chars().filter(|c| !c.is_whitespace()) {
        text.push(' ');
        text.push(c);
    }
    text
}

fn read_rounds(line: &str) -> Option<Read> {
    let rounds: Vec<BTreeMap<String, String>> = serde_json::from_str(line).ok()?;
    let texts: Vec<&str> =
        rounds.iter().flat_map(|round| ["0", "1"].map(|side| round.get(side))).flatten().map(String::as_str).collect();
    let entries: Vec<Entry<'_>> = texts
        .iter()
        .map(|&text| {
            let event = read_whole(text).map_or(Event::Text(text), |token| Event::Move { token, text });
            Entry { at: 0, event }
        })
        .collect();
    if entries.is_empty() {
        return None;
    }
    let built = replay::build(&Position::start(), &entries, &replay::Options::default());
    let status = Status::of_built(&built);
    let findings = built.findings.into_iter().map(|found| found.finding.line(1, None)).collect();
    let game = Game { start: built.start, tree: built.tree, rest: built.rest, ..Game::default() };
    Some((game, status, findings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;

    fn read(text: &str) -> (Vec<ReadGame>, Vec<Finding>) {
        let mut games = Vec::new();
        let source = Source::whole(text.as_bytes(), "x");
        let findings = TwoLineReader.read(source, &ReadOptions::default(), &mut |game| {
            games.push(game);
            ControlFlow::Continue(())
        });
        (games, findings)
    }

    #[test]
    fn the_fen_is_the_start_or_the_end() {
        let (games, _) = read("i4i0e0e1i0i1\n3k5/R3a4/9/9/9/8r/9/9/9/4K4b--01\n");
        let game = &games[0];
        assert_eq!(
            (game.status, game.game.start.to_fen()),
            (Status::Ok, "3k5/R3a4/9/9/9/8r/9/9/9/4K4 b - - 0 1".into())
        );
        assert_eq!(game.game.position_at(3).to_board_fen(), "3k5/R3a4/9/9/9/9/9/9/4K3r/9");
        let (games, _) = read("h2e2h9g7\nrnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNRw\n");
        assert_eq!((games[0].game.tree.ply_count(), games[0].findings.len()), (2, 0));
        let (games, _) = read("h2e2h9g7\nrnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNRb\n");
        assert_eq!(games[0].findings[0].code, codes::OTHER_END);
    }

    #[test]
    fn rounds_in_json_are_read() {
        let (games, _) = read(r#"[{"0": "炮二平五", "1": "马8进7"}, {"0": "马二进三"}]"#);
        assert_eq!((games[0].game.tree.ply_count(), games[0].status), (3, Status::Ok));
    }

    #[test]
    fn an_illegal_move_says_where() {
        let (games, _) = read("h2e2h9g7e2e9\n");
        let finding = &games[0].findings[0];
        assert_eq!((games[0].status, finding.ply, finding.byte), (Status::Partial, Some(3), Some(8)));
        assert_eq!(games[0].game.rest, "e2e9");
    }

    #[test]
    fn other_text_is_not_taken() {
        for text in ["", "h2", "失败：", "abcd1234", "1. h2e2 h9g7", "炮二平五", "h2e2h9g7\nx\ny\n"] {
            assert_eq!(TwoLineReader.confidence(text.as_bytes()), Confidence::No, "{text}");
        }
        assert!(TwoLineReader.confidence(b"h2e2h9g7\n") > Confidence::No);
        assert_eq!(read("nothing").0.len(), 0);
    }
}
