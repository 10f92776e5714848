//! What the replayer says about a record.

use super::lattice::Settled;
use super::signs::Signs;
use super::{Entry, Event, Evidence, Found, Readings, Stop};
use crate::board::{Color, Move, Position};
use crate::diag::{Finding, Message, codes};
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
    let (reason, chinese, nearest) = match token {
        Some(token) => {
            let explanation = explain(&token, position, dialect);
            (explanation.reason.to_string(), explanation.reason.in_chinese(), explanation.nearest)
        }
        None => {
            let (english, chinese) = ("it looks like a move but is none in any notation", "像是着法, 但任何记法都不是");
            (english.to_owned(), chinese.to_owned(), Vec::new())
        }
    };
    let text = text.to_owned();
    Stop {
        entry,
        at,
        ply,
        side: position.side_to_move(),
        text,
        reason,
        chinese,
        nearest,
        skipped: None,
        missing: None,
        other_boards: Vec::new(),
    }
}

/// What stopped the line, with `end` behind it, in both languages.
fn told(stop: &Stop, position: &Position, end: (&str, &str)) -> Message {
    let mut english = format!("{} to move: {}", stop.side, stop.reason);
    let mut chinese = format!("轮到{}: {}", stop.side.chinese(), stop.chinese);
    let names: Vec<String> = stop.nearest.iter().take(8).map(|&m| name(m, position)).collect();
    if !names.is_empty() {
        let names = names.join(", ");
        let _ = write!(english, "; legal moves one character away: {names}");
        let _ = write!(chinese, "; 只差一字的合法着法: {names}");
    }
    if let Some((from, to)) = stop.skipped {
        let _ = write!(english, "; before it round {from} is followed by round {to}: what stood between is missing");
        let _ = write!(chinese, "; 前面第 {from} 回合之后是第 {to} 回合: 其间漏记");
    }
    if let Some(missing) = &stop.missing {
        let moves: Vec<String> = missing.moves.iter().take(8).map(|&m| remarked(m, &missing.before)).collect();
        let _ = write!(english, "; the rest is playable if ply {} was left out: {}", missing.ply, moves.join(" or "));
        let moves: Vec<String> =
            missing.moves.iter().take(8).map(|&m| remarked_in_chinese(m, &missing.before)).collect();
        let _ = write!(chinese, "; 若第 {} 着漏记, 其余走得通: {}", missing.ply, moves.join(" 或 "));
    }
    Message::both(english + end.0, chinese + end.1)
}

/// A move with what an arbiter asks about it: a capture starts the count of quiet rounds anew.
pub(super) fn remarked(m: Move, position: &Position) -> String {
    let mut after = *position;
    let captured = after.play(m).captured().is_some();
    match (captured, after.is_check()) {
        (true, true) => format!("{m} (a capture, check)"),
        (true, false) => format!("{m} (a capture)"),
        (false, true) => format!("{m} (check)"),
        (false, false) => m.to_string(),
    }
}

pub(super) fn remarked_in_chinese(m: Move, position: &Position) -> String {
    let mut after = *position;
    let captured = after.play(m).captured().is_some();
    match (captured, after.is_check()) {
        (true, true) => format!("{m} (吃子, 将军)"),
        (true, false) => format!("{m} (吃子)"),
        (false, true) => format!("{m} (将军)"),
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
    let finding =
        Finding::new(codes::NO_LEGAL_MOVE, told(stop, position, ("", ""))).text(stop.text.as_str()).ply(stop.ply);
    Found { at: stop.at, finding }
}

/// Says on which other boards the whole record could be read.
pub(super) fn other_boards_finding(stop: &Stop) -> Option<Found> {
    if stop.other_boards.is_empty() {
        return None;
    }
    let boards: Vec<String> =
        stop.other_boards.iter().map(|other| format!("{} ({})", other.change, other.start.to_fen())).collect();
    let ply = stop.ply;
    let message = crate::say!(
        "the moves stop at ply {ply} on the start position named, but all of them are legal on another: {}; nothing was changed",
        boards.join("; or ");
        "按所写的起始局面走到第 {ply} 着中断, 在另一局面上却全部合法: {}; 未作改动", boards.join("; 或 ")
    );
    Some(Found { at: stop.at, finding: Finding::new(codes::OTHER_BOARD, message).ply(stop.ply) })
}

/// A text as it is shown: on one line, its beginning if it is long.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let more = text.chars().nth(MOST).map(|_| '…');
    text.chars().take(MOST).map(|c| if c.is_control() { ' ' } else { c }).chain(more).collect()
}

/// A ply left out of a side line.
pub(super) fn side_gap_finding(side: Color, round: u32, text: &str, (at, main_ply): (u32, u32)) -> Found {
    let chinese_side = side.chinese();
    let message = crate::say!(
        "in a side line {side}'s ply of round {round} is missing: the round has one ply; the rest of the side line is kept as a comment";
        "变着中第 {round} 回合缺{chinese_side}的一着: 该回合只有一着; 变着其余部分作为注释保留"
    );
    Found { at, finding: Finding::new(codes::PLY_MISSING, message).text(text).ply(main_ply) }
}

pub(super) fn side_line_finding(stop: &Stop, position: &Position, main_ply: u32) -> Found {
    let end = ("; the rest of the side line is kept as a comment", "; 变着其余部分作为注释保留");
    let message = told(stop, position, end);
    let finding = Finding::new(codes::SIDE_LINE_STOPPED, message).text(stop.text.as_str()).ply(main_ply);
    Found { at: stop.at, finding }
}

/// The plies of a side line that leave their own general attacked.
pub(super) fn exposed_findings(
    settled: &Settled,
    plies: &[(u32, Option<Token>)],
    entries: &[Entry<'_>],
    start: &Position,
    main_ply: u32,
) -> Vec<Found> {
    const MOST: usize = 8;
    let mut findings = Vec::new();
    let mut position = *start;
    for (index, (&m, &(entry, _))) in settled.moves.iter().zip(plies).enumerate() {
        let Some(last) = settled.exposed.get(..MOST.min(settled.exposed.len())).and_then(<[_]>::last) else { break };
        if index > *last {
            break;
        }
        if settled.exposed.binary_search(&index).is_ok() {
            let entry = &entries[entry as usize];
            let text = match entry.event {
                Event::Move { text, .. } => text,
                _ => "",
            };
            let why = position.prove(m).err();
            let (why, chinese) = why.map_or_else(Default::default, |why| (why.to_string(), why.chinese()));
            let (more, and) = match settled.exposed.len().checked_sub(MOST) {
                Some(more) if index == *last && more > 0 => {
                    (format!("; so do {more} more plies of it"), format!("; 其中另有 {more} 着也是这样"))
                }
                _ => Default::default(),
            };
            let message =
                crate::say!("{why}; the ply is kept in the side line{more}"; "{chinese}; 变着中保留这一着{and}");
            let finding = Finding::new(codes::GENERAL_LEFT_ATTACKED, message).text(text).ply(main_ply);
            findings.push(Found { at: entry.at, finding });
        }
        position.play(m);
    }
    findings
}

pub(super) fn switched_finding(start: &Position, entries: &[Entry<'_>], said: bool, at: u32) -> Found {
    let side = start.side_to_move();
    let mut english = format!("the record begins with a ply of {side}; it was given the first turn");
    let mut chinese = format!("棋谱从{}的着法开始, 已让其先走", side.chinese());
    // Unless the record says itself that Black begins, its columns may as well be swapped.
    let mut red = *start;
    red.set_side_to_move(Color::Red);
    if !said && let Some(swapped) = swapped_columns(&red, entries) {
        let moves: Vec<String> = swapped.iter().take(12).map(Move::to_string).collect();
        let (moves, more) = (moves.join(" "), if swapped.len() > 12 { " …" } else { "" });
        let _ = write!(english, "; with the two columns exchanged it reads {moves}{more}");
        let _ = write!(chinese, "; 两栏对调后为 {moves}{more}");
    }
    let message = Message::both(english, chinese);
    Found { at, finding: Finding::new(codes::SIDE_SWITCHED, message).ply(1) }
}

/// Says that a line has several readings. For a side line `main_ply` is the ply it branches from.
pub(super) fn readings_finding(readings: &Readings, start: &Position, main_ply: Option<u32>) -> Option<Found> {
    if readings.count < 2 && readings.complete {
        return None;
    }
    let (what, chinese_what) = if main_ply.is_some() { ("the side line", "变着") } else { ("the record", "棋谱") };
    let (least, chinese_least) = match (readings.count, readings.complete) {
        (u64::MAX, _) => ("more than ", "不止 "),
        (_, true) => ("", " "),
        (_, false) => ("at least ", "至少 "),
    };
    let (count, chinese_count) = many(readings.count);
    let mut english = format!("{what} can be read as {least}{count} games; the likeliest is shown");
    let mut chinese = format!("{chinese_what}可读成{chinese_least}{chinese_count} 局; 列出最可能的一局");
    let plies: Vec<String> = readings.open.iter().take(20).map(|open| open.ply.to_string()).collect();
    if !plies.is_empty() {
        let more = if readings.open.len() > plies.len() { " …" } else { "" };
        let plies = plies.join(", ");
        let _ = write!(english, "; they differ at plies {plies}{more}");
        let _ = write!(chinese, "; 第 {plies}{more} 着不同");
    }
    let first = readings.open.first();
    if let Some(open) = first {
        let moves: Vec<String> = open.moves.iter().map(Move::to_string).collect();
        let _ = write!(english, "; ply {} is {}", open.ply, moves.join(" or "));
        let _ = write!(chinese, "; 第 {} 着为 {}", open.ply, moves.join(" 或 "));
    }
    let _ = start;
    let message = Message::both(english, chinese);
    let finding =
        Finding::new(codes::SEVERAL_READINGS, message).ply(main_ply.or(first.map(|open| open.ply)).unwrap_or(1));
    Some(Found { at: first.map_or(0, |open| open.at), finding })
}

/// A number of readings: beyond a million its order of magnitude, and nothing more where counting stopped.
fn many(count: u64) -> (String, String) {
    match count {
        u64::MAX => ("10^19".to_string(), "10^19".to_string()),
        0..1_000_000 => (count.to_string(), count.to_string()),
        _ => {
            let (head, power) = (count / 10u64.pow(count.ilog10()), count.ilog10());
            (format!("about {head} × 10^{power}"), format!("约 {head} × 10^{power}"))
        }
    }
}

/// A question of whose answers only a rare one is left, while others were ruled out.
pub(crate) fn rare_question(excluded: Dialect, dialect: Dialect) -> Option<Dialect> {
    let rare = Dialect::RANKS_FROM_BLACK.or(Dialect::PINYIN).or(Dialect::PIECE_DIGITS).or(Dialect::BAR_BELOW_BACK);
    Dialect::QUESTIONS.into_iter().find(|&question| {
        let left = dialect.and(question);
        !left.is_empty() && left.without(rare).is_empty() && excluded.allows(question)
    })
}

/// Says that a record lives only under a dialect that is rarely met.
pub(super) fn dialect_finding(evidence: &[Evidence], dialect: Dialect, at: u32) -> Option<Found> {
    let excluded = evidence.iter().map(|evidence| evidence.excluded).fold(Dialect::NONE, Dialect::or);
    let only = rare_question(excluded, dialect)?;
    let ply = evidence.iter().find(|e| e.excluded.allows(only)).map_or(1, |e| e.ply);
    let name = |dialect: Dialect| dialect.names().collect::<Vec<_>>().join(", ");
    let (kept, out) = (name(dialect.and(only)), name(excluded.and(only)));
    let message = crate::say!("read as {kept}; ruled out by this ply: {out}"; "按 {kept} 读取; 这一着排除了 {out}");
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
    if signs.has_old_names() {
        let message = crate::say!(
            "the piece names are those of 1956, when the first mover had the black pieces; sides follow the turn";
            "棋子名称是 1956 年的, 当时先走方执黑; 双方按先后定"
        );
        return Some(Found { at, finding: Finding::new(codes::COLORS_OF_1956, message).ply(1) });
    }
    if !signs.may_be_swapped() {
        return None;
    }
    let swapped = swapped_columns(start, entries)?;
    let mut game = String::new();
    for m in &swapped {
        let _ = write!(game, " {m}");
    }
    let _ = tree;
    let message = crate::say!(
        "the two columns seem to be swapped: all numerals are the other side's; swapped, it reads{game}";
        "两栏似乎对调: 数字都是另一方的; 对调后为{game}"
    );
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

/// Whether unreadable text of the main line stands where a ply should: before another ply or number, or right behind a
/// number. What stands behind the last ply may be an advert.
pub(super) fn text_stands_for_a_ply(entries: &[Entry<'_>]) -> bool {
    let (mut depth, mut behind_number, mut text) = (0usize, false, false);
    for entry in entries {
        match entry.event {
            Event::Open => depth += 1,
            Event::Close => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            Event::Number { .. } | Event::Move { .. } if text => return true,
            Event::Number { .. } => behind_number = true,
            Event::Move { .. } => behind_number = false,
            // `[10.` is a number with something in front of it: no ply is written without a letter.
            Event::Text(unread) if !unread.contains(char::is_alphabetic) => {}
            Event::Text(_) if behind_number => return true,
            Event::Text(_) => text = true,
            _ => {}
        }
    }
    false
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
