//! What the replayer says about a record.

use super::walk::Signs;
use super::{Entry, Event, Evidence, Found, Readings, Stop};
use crate::board::{Color, Move, Position};
use crate::diag::{Finding, codes};
use crate::game::Tree;
use crate::notation::{Dialect, Style, Token, explain, resolve, write_move};
use std::fmt::Write;

/// The stop at a text that fits nothing.
pub(super) fn stop(
    position: &Position,
    token: Option<Token>,
    text: &str,
    dialect: Dialect,
    ply: u32,
    entry: usize,
    at: u32,
) -> Stop {
    let (reason, nearest) = match token {
        Some(token) => {
            let explanation = explain(&token, position, dialect);
            (explanation.reason.to_string(), explanation.nearest)
        }
        None => ("it looks like a move but is none in any notation".to_owned(), Vec::new()),
    };
    let text = text.to_owned();
    Stop {
        entry,
        at,
        ply,
        side: position.side_to_move(),
        text,
        reason,
        nearest,
        missing: None,
        other_boards: Vec::new(),
    }
}

fn told(stop: &Stop, position: &Position) -> String {
    let mut message = format!("{} to move: {}", stop.side, stop.reason);
    let names: Vec<String> = stop.nearest.iter().take(8).map(|&m| name(m, position)).collect();
    if !names.is_empty() {
        let _ = write!(message, "; legal moves one character away: {}", names.join(", "));
    }
    if let Some(missing) = &stop.missing {
        let moves: Vec<String> = missing.moves.iter().take(8).map(|&m| remarked(m, &missing.before)).collect();
        let _ = write!(message, "; the rest is playable if ply {} was left out: {}", missing.ply, moves.join(" or "));
    }
    message
}

/// A move with what an arbiter asks about it: a capture starts the count of quiet rounds anew.
fn remarked(m: Move, position: &Position) -> String {
    let mut after = *position;
    let captured = after.play(m).captured().is_some();
    match (captured, after.is_check()) {
        (true, true) => format!("{m} (a capture, check)"),
        (true, false) => format!("{m} (a capture)"),
        (false, true) => format!("{m} (check)"),
        (false, false) => m.to_string(),
    }
}

fn name(m: Move, position: &Position) -> String {
    let mut text = String::new();
    write_move(m, position, &Style::default(), &mut text);
    let _ = write!(text, " ({m})");
    text
}

pub(super) fn stop_finding(stop: &Stop, position: &Position) -> Found {
    let finding = Finding::new(codes::NO_LEGAL_MOVE, told(stop, position)).text(stop.text.as_str()).ply(stop.ply);
    Found { at: stop.at, finding }
}

/// Says on which other boards the whole record could be read.
pub(super) fn other_boards_finding(stop: &Stop) -> Option<Found> {
    if stop.other_boards.is_empty() {
        return None;
    }
    let boards: Vec<String> =
        stop.other_boards.iter().map(|other| format!("{} ({})", other.change, other.start.to_fen())).collect();
    let message = format!(
        "the moves stop at ply {} on the start position named, but all of them are legal on another: {}; nothing was changed",
        stop.ply,
        boards.join("; or ")
    );
    Some(Found { at: stop.at, finding: Finding::new(codes::OTHER_BOARD, message).ply(stop.ply) })
}

pub(super) fn side_line_finding(stop: &Stop, position: &Position, main_ply: u32) -> Found {
    let message = format!("{}; the rest of the side line is kept as a comment", told(stop, position));
    let finding = Finding::new(codes::SIDE_LINE_STOPPED, message).text(stop.text.as_str()).ply(main_ply);
    Found { at: stop.at, finding }
}

pub(super) fn switched_finding(start: &Position, entries: &[Entry<'_>], said: bool, at: u32) -> Found {
    let mut message = format!("the record begins with a ply of {}; it was given the first turn", start.side_to_move());
    // Unless the record says itself that Black begins, its columns may as well be swapped.
    let mut red = *start;
    red.set_side_to_move(Color::Red);
    if !said && let Some(swapped) = swapped_columns(&red, entries) {
        message.push_str("; with the two columns exchanged it reads");
        for m in swapped.iter().take(12) {
            let _ = write!(message, " {m}");
        }
        message.push_str(if swapped.len() > 12 { " …" } else { "" });
    }
    Found { at, finding: Finding::new(codes::SIDE_SWITCHED, message).ply(1) }
}

/// Says that a line has several readings. For a side line `main_ply` is the ply it branches from.
pub(super) fn readings_finding(readings: &Readings, start: &Position, main_ply: Option<u32>) -> Option<Found> {
    if readings.count < 2 && readings.complete {
        return None;
    }
    let what = if main_ply.is_some() { "the side line" } else { "the record" };
    let least = if readings.complete { "" } else { "at least " };
    let mut message = format!("{what} can be read as {least}{} games; the likeliest is shown", readings.count);
    let plies: Vec<String> = readings.open.iter().take(20).map(|open| open.ply.to_string()).collect();
    if !plies.is_empty() {
        let more = if readings.open.len() > plies.len() { " …" } else { "" };
        let _ = write!(message, "; they differ at plies {}{more}", plies.join(", "));
    }
    let first = readings.open.first();
    if let Some(open) = first {
        let moves: Vec<String> = open.moves.iter().map(Move::to_string).collect();
        let _ = write!(message, "; ply {} is {}", open.ply, moves.join(" or "));
    }
    let _ = start;
    let finding =
        Finding::new(codes::SEVERAL_READINGS, message).ply(main_ply.or(first.map(|open| open.ply)).unwrap_or(1));
    Some(Found { at: first.map_or(0, |open| open.at), finding })
}

/// Says that a record lives only under a dialect that is rarely met.
pub(super) fn dialect_finding(evidence: &[Evidence], dialect: Dialect, at: u32) -> Option<Found> {
    let rare = Dialect::RANKS_FROM_BLACK.or(Dialect::PINYIN).or(Dialect::PIECE_DIGITS).or(Dialect::BAR_BELOW_BACK);
    let excluded = evidence.iter().map(|evidence| evidence.excluded).fold(Dialect::NONE, Dialect::or);
    // A rare answer is the only one left of its question, and others were ruled out.
    let only = Dialect::QUESTIONS.into_iter().find(|&question| {
        let left = dialect.and(question);
        !left.is_empty() && left.without(rare).is_empty() && excluded.allows(question)
    })?;
    let ply = evidence.iter().find(|e| e.excluded.allows(only)).map_or(1, |e| e.ply);
    let name = |dialect: Dialect| dialect.names().collect::<Vec<_>>().join(", ");
    let message = format!("read as {}; ruled out by this ply: {}", name(dialect.and(only)), name(excluded.and(only)));
    Some(Found { at, finding: Finding::new(codes::RARE_DIALECT, message).ply(ply) })
}

/// What piece names and numerals say against the turn order: the names of 1956, or the two columns swapped.
pub(super) fn signs_finding(
    signs: &Signs,
    start: &Position,
    tree: &Tree,
    entries: &[Entry<'_>],
    at: u32,
) -> Option<Found> {
    if signs.names_differ > 0 && signs.names_agree == 0 && signs.numerals_differ == 0 && signs.numerals_agree > 0 {
        let message =
            "the piece names are those of 1956, when the first mover had the black pieces; sides follow the turn";
        return Some(Found { at, finding: Finding::new(codes::COLORS_OF_1956, message).ply(1) });
    }
    if signs.numerals_differ < 2 || signs.numerals_agree > 0 || signs.names_agree > 0 {
        return None;
    }
    // Every ply of the first column has Black's numerals and every ply of the second Red's.
    let swapped = swapped_columns(start, entries)?;
    let mut game = String::new();
    for m in &swapped {
        let _ = write!(game, " {m}");
    }
    let _ = tree;
    let message =
        format!("the two columns seem to be swapped: all numerals are the other side's; swapped, it reads{game}");
    Some(Found { at, finding: Finding::new(codes::COLUMNS_SWAPPED, message).ply(1) })
}

/// The game with the plies of each round exchanged, if every ply of it then fits exactly one legal move.
fn swapped_columns(start: &Position, entries: &[Entry<'_>]) -> Option<Vec<Move>> {
    if start.side_to_move() != Color::Red {
        return None;
    }
    let mut tokens = Vec::new();
    let mut depth = 0usize;
    for entry in entries {
        match entry.event {
            Event::Open => depth += 1,
            Event::Close => depth = depth.saturating_sub(1),
            Event::Move { token, .. } if depth == 0 => tokens.push(token),
            _ => {}
        }
    }
    let mut position = *start;
    let mut moves = Vec::with_capacity(tokens.len());
    for round in tokens.chunks(2) {
        for token in round.iter().rev() {
            let m = resolve(token, &position, Dialect::OPEN).single()?;
            position.play(m);
            moves.push(m);
        }
    }
    Some(moves)
}

/// Entries as text, for callers that did not give the source.
pub(super) fn put_together(entries: &[Entry<'_>]) -> String {
    let mut text = String::new();
    for entry in entries {
        if !text.is_empty() && !matches!(entry.event, Event::Close) {
            text.push(' ');
        }
        let _ = match entry.event {
            Event::Move { text: written, .. } | Event::Text(written) => write!(text, "{written}"),
            Event::Comment(comment) => write!(text, "{{{comment}}}"),
            Event::Mark(mark) => write!(text, "${mark}"),
            Event::Clock(time) => write!(text, "[{}.{:03} s]", time / 1000, time % 1000),
            Event::Open => write!(text, "("),
            Event::Close => write!(text, ")"),
            Event::Number { round, black } => write!(text, "{round}{}", if black { "..." } else { "." }),
        };
    }
    text
}
