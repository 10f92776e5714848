//! Rounds that have one ply where two are due.
//!
//! Comes in: the entries of a record. Goes out: where a ply was left out of the main line, and numbers that must be wrong
//! because the plies around them tell their sides themselves. Without this look the plies behind a gap would be played by
//! the other side: most texts in letters, and many in Chinese, fit either.
//!
//! Forgiven: numbers that repeat, jump or start anew; a number before each ply (`1. … 2. …` as well as `1. … 1. …`); a
//! record that begins with Black's ply; a number that slipped by one ply and is made up for in the next round.

use super::lattice::{Limits, settle};
use super::lines::{Lines, is_ply};
use super::report::{remarked, remarked_in_chinese, shortened};
use super::side_rounds::{SideGap, side_gaps};
use super::{Built, Entry, Event, Found, Missing, Options, Stop, missing_ply};
use crate::board::{Color, Position};
use crate::diag::{Finding, Message, codes};
use crate::notation::{Dialect, Form, Token};
use std::fmt::Write;

/// From so many rounds on, a record in which each has one ply counts plies.
const LEAST_COUNTED: usize = 4;
/// Plies behind a gap that bear witness, at least and at most.
const WITNESSES: std::ops::RangeInclusive<usize> = 2..=24;

/// What the round numbers tell about plies left out.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    /// The first ply left out.
    pub gap: Option<Gap>,
    /// Rounds before it whose number, not a ply, is wrong.
    wrong: Vec<Wrong>,
}

/// A ply left out.
#[derive(Debug)]
pub(super) struct Gap {
    /// The entry in front of which it is missing.
    pub entry: usize,
    round: u32,
}

/// A round number that stands where the other side's ply is due, while nothing is missing.
#[derive(Debug)]
struct Wrong {
    at: u32,
    round: u32,
    ply: u32,
    why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// The texts around it tell their sides.
    SidesTold,
    /// The next round makes up for it.
    Slipped,
    /// Every round of the record has one ply.
    CountsPlies,
}

/// A round of the main line.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    number: u32,
    /// The entry of its number.
    entry: usize,
    plies: u32,
    /// Plies of the main line before it.
    before: u32,
    /// Its first ply and the text in it that nobody could read.
    first: Option<usize>,
    unread: Option<usize>,
    /// `3...` stands before its first ply, or dots behind it.
    black_begins: bool,
    dots: Option<usize>,
}

/// Looks through the rounds of the main line.
pub(super) fn rounds(start: &Position, entries: &[Entry<'_>]) -> Rounds {
    // Most records have no such round; only for others all rounds are listed.
    if !has_short_round(start, entries) {
        return Rounds::default();
    }
    let list = list(entries);
    let token = |entry: Option<usize>| match entries.get(entry?)?.event {
        Event::Move { token, .. } => Some(token),
        _ => None,
    };
    let each_has_one = list
        .windows(2)
        .all(|pair| pair[0].plies == 1 && !pair[0].black_begins && pair[1].number == pair[0].number.saturating_add(1));
    let begins = start.side_to_move();
    let leads = leads(start, &list);
    let total = list.last().map_or(0, |last| last.before + last.plies);
    let mut out = Rounds::default();
    for (index, pair) in list.windows(2).enumerate() {
        let (round, next) = (pair[0], pair[1]);
        if round.plies != 1 || round.black_begins || next.number != round.number.saturating_add(1) || next.black_begins
        {
            continue;
        }
        // Where no ply follows, none can go to the wrong side.
        if next.before == total {
            continue;
        }
        let first = if round.before % 2 == 0 { begins } else { !begins };
        if first != leads {
            continue;
        }
        let side = |token: Option<Token>| token.and_then(|token| token.numeral_side());
        let (own, following) = (token(round.first), token(next.first));
        let (own_side, following_side) = (side(own), side(following));
        let gap = |entry: usize| Some(Gap { entry, round: round.number });
        if own_side == Some(!leads) && following_side == Some(leads) {
            // By its numerals the one ply is the other side's: the record begins with it, or the one before it is missing.
            if index > 0 {
                out.gap = gap(round.unread.or(round.first).unwrap_or(next.entry));
                break;
            }
            continue;
        }
        // Points name a piece, and so its side.
        let by_points = following.is_some_and(|token| matches!(token.form(), Form::Coordinates | Form::Digits));
        let by_numerals = own_side == Some(leads) && following_side == Some(!leads);
        let slipped =
            next.plies == 3 && list.get(index + 2).is_some_and(|after| after.number == next.number.saturating_add(1));
        let why = if round.unread.is_some() || round.dots.is_some() || following_side == Some(leads) {
            None
        } else if by_points || by_numerals {
            Some(Why::SidesTold)
        } else if each_has_one && list.len() >= LEAST_COUNTED {
            Some(Why::CountsPlies)
        } else {
            slipped.then_some(Why::Slipped)
        };
        let Some(why) = why else {
            out.gap = gap(round.unread.or(round.dots).unwrap_or(next.entry));
            break;
        };
        // Where each text tells its side, numbers that count plies are beyond doubt.
        if why == Why::CountsPlies && !out.wrong.is_empty() || why == Why::SidesTold && each_has_one {
            continue;
        }
        out.wrong.push(Wrong { at: entries[next.entry].at, round: next.number, ply: next.before + 1, why });
    }
    if out.gap.is_none() {
        out.gap = last_gap(&list, entries, begins, leads);
    }
    out
}

/// The last round has one ply, and that is written in the numerals of the other side, as no ply before it.
fn last_gap(list: &[Round], entries: &[Entry<'_>], begins: Color, leads: Color) -> Option<Gap> {
    /// So many plies before it show that numerals tell sides here.
    const LEAST: u32 = 2;
    let last = list.last().filter(|last| last.plies == 1 && !last.black_begins && last.before >= LEAST)?;
    let side_of = |ply: u32| if ply.is_multiple_of(2) { begins } else { !begins };
    if side_of(last.before) != leads {
        return None;
    }
    let mut ply = 0;
    let mut depth = 0usize;
    for (index, entry) in entries.iter().enumerate() {
        match entry.event {
            Event::Open => depth += 1,
            Event::Close => depth = depth.saturating_sub(1),
            _ if depth > 0 || !is_ply(&entry.event) => {}
            Event::Move { token, .. } => {
                let side = token.numeral_side()?;
                if ply == last.before {
                    return (side == !leads).then_some(Gap { entry: index, round: last.number });
                }
                if side != side_of(ply) {
                    return None;
                }
                ply += 1;
            }
            _ => return None,
        }
    }
    None
}

/// The side whose ply stands behind a number: the one that begins, unless the record begins with the second of a pair.
fn leads(start: &Position, list: &[Round]) -> Color {
    let begins = start.side_to_move();
    match list.first() {
        Some(round) if begins == Color::Black && round.plies < 2 => !begins,
        _ => begins,
    }
}

/// The side lines in which a ply was left out.
pub(super) fn side_lines(start: &Position, entries: &[Entry<'_>]) -> Vec<SideGap> {
    if !entries.iter().any(|entry| matches!(entry.event, Event::Open)) {
        return Vec::new();
    }
    side_gaps(start, leads(start, &list(entries)), entries)
}

/// Whether a number follows the one before it after a single ply, or the last round has one whose numerals are not those of
/// the side that seems to play it. Cheap: it is asked of every record.
fn has_short_round(start: &Position, entries: &[Entry<'_>]) -> bool {
    let (mut depth, mut number, mut plies, mut last) = (0usize, None::<u32>, 0u32, None);
    for entry in entries {
        match entry.event {
            Event::Open => depth += 1,
            Event::Close => depth = depth.saturating_sub(1),
            Event::Move { token, .. } if depth == 0 => {
                plies += 1;
                last = Some(token);
            }
            Event::Number { round, .. } if depth == 0 && number != Some(round) => {
                if plies < 2 && number.is_some_and(|number| round == number.saturating_add(1)) {
                    return true;
                }
                (number, plies) = (Some(round), 0);
            }
            _ => {}
        }
    }
    let side = last.and_then(|token| token.numeral_side());
    number.is_some() && plies == 1 && side == Some(!start.side_to_move())
}

fn list(entries: &[Entry<'_>]) -> Vec<Round> {
    let mut list: Vec<Round> = Vec::new();
    let (mut depth, mut plies) = (0usize, 0);
    for (index, entry) in entries.iter().enumerate() {
        match entry.event {
            Event::Open => depth += 1,
            Event::Close => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            Event::Number { round, black } => {
                if list.last().is_none_or(|last| last.number != round) {
                    list.push(Round { number: round, entry: index, before: plies, ..Round::default() });
                }
                if let Some(last) = list.last_mut().filter(|_| black) {
                    match last.plies {
                        0 => last.black_begins = true,
                        _ => last.dots = last.dots.or(Some(index)),
                    }
                }
            }
            _ if is_ply(&entry.event) => {
                plies += 1;
                if let Some(last) = list.last_mut() {
                    last.plies += 1;
                    last.first = last.first.or(Some(index));
                }
            }
            Event::Text(text) if text.contains(char::is_alphabetic) => {
                if let Some(last) = list.last_mut() {
                    last.unread = last.unread.or(Some(index));
                }
            }
            _ => {}
        }
    }
    list
}

impl Rounds {
    /// Adds what is to be said about numbers that are wrong.
    pub fn tell(&self, built: &mut Built) {
        const MOST: usize = 8;
        for wrong in self.wrong.iter().take(MOST).filter(|wrong| wrong.ply <= built.plies + 1) {
            let round = wrong.round;
            let message = match wrong.why {
                Why::SidesTold => crate::say!(
                    "round {round} begins after one ply, but the texts tell their sides: the number is wrong, no ply is missing";
                    "第 {round} 回合之前只有一着, 但着法本身说明是哪一方: 编号有误, 并无漏着"
                ),
                Why::Slipped => crate::say!(
                    "round {round} begins after one ply and has three: its number seems to stand one ply early; if a ply is missing before it, the three plies belong to the other side";
                    "第 {round} 回合之前只有一着, 本回合却有三着: 编号似乎早了一着; 若前面有漏着, 则这三着属于另一方"
                ),
                Why::CountsPlies => crate::say!(
                    "every number stands before one ply: they were taken to count plies; if they count rounds, every second ply is missing";
                    "每个编号只有一着: 按逐着编号读取; 若是回合编号, 则每回合漏一着"
                ),
            };
            let finding = Finding::new(codes::NUMBER_JUMP, message).ply(wrong.ply);
            built.findings.push(Found { at: wrong.at, finding });
        }
        if !self.wrong.is_empty() {
            built.findings.sort_by_key(|found| found.at);
        }
    }
}

impl Gap {
    /// Ends a record read up to the gap there, with the reason.
    pub fn stop(&self, built: &mut Built, entries: &[Entry<'_>], options: &Options<'_>) {
        let mut position = built.start;
        for id in built.tree.main_line() {
            position.play(built.tree[id].m);
        }
        let plies = Lines::of(entries).tokens(entries, Lines::MAIN);
        let from = plies.partition_point(|&(index, _)| (index as usize) < self.entry);
        let behind: Vec<Option<Token>> = plies[from..].iter().map(|&(_, token)| token).take(*WITNESSES.end()).collect();
        let moves = match WITNESSES.contains(&behind.len()) {
            true => missing_ply(&position, &behind, built.dialect),
            false => Vec::new(),
        };
        let side = position.side_to_move();
        let round = self.round;
        let mut english =
            format!("{side}'s ply of round {round} is missing: the round has one ply; the rest is kept as text");
        let mut chinese = format!("第 {round} 回合缺{}的一着: 本回合只有一着; 其余作为文字保留", side.chinese());
        let (reason, in_chinese) = (english.clone(), chinese.clone());
        let ply = built.plies + 1;
        if reads_on(&position, &behind, built.dialect) {
            let _ = write!(english, "; if only the number is wrong, the rest is playable from {side}'s ply on");
            let _ = write!(chinese, "; 若只是编号有误, 从{}走起也走得通", side.chinese());
        }
        const MOST_NAMED: usize = 8;
        if (1..=MOST_NAMED).contains(&moves.len()) {
            let names: Vec<String> = moves.iter().map(|&m| remarked(m, &position)).collect();
            let _ = write!(english, "; the rest is playable if ply {ply} was left out: {}", names.join(" or "));
            let names: Vec<String> = moves.iter().map(|&m| remarked_in_chinese(m, &position)).collect();
            let _ = write!(chinese, "; 若第 {ply} 着漏记, 其余走得通: {}", names.join(" 或 "));
        } else if !moves.is_empty() {
            let _ = write!(english, "; the rest is playable behind {} moves of {side}", moves.len());
            let _ = write!(chinese, "; {}有 {} 种着法可使其余走得通", side.chinese(), moves.len());
        }
        let text = self.text(entries, options, plies.get(from).map(|&(index, _)| index as usize));
        let at = entries[self.entry].at;
        let finding = Finding::new(codes::PLY_MISSING, Message::both(english, chinese)).text(text.as_str()).ply(ply);
        built.findings.push(Found { at, finding });
        built.rest = super::walk::text_between(entries, options, self.entry, entries.len());
        built.stop = Some(Stop {
            entry: self.entry,
            at,
            ply,
            side,
            text,
            reason,
            chinese: in_chinese,
            nearest: Vec::new(),
            skipped: None,
            missing: (!moves.is_empty()).then_some(Missing { ply, moves, before: position }),
            other_boards: Vec::new(),
        });
    }

    /// What stands at the gap, up to the next ply.
    fn text(&self, entries: &[Entry<'_>], options: &Options<'_>, next: Option<usize>) -> String {
        let to = next.map_or(entries.len(), |next| next + 1);
        shortened(&super::walk::text_between(entries, options, self.entry, to))
    }
}

/// Whether the plies can be played as if nothing were missing.
fn reads_on(position: &Position, behind: &[Option<Token>], dialect: Dialect) -> bool {
    !behind.is_empty() && settle(position, behind, dialect, &Limits::default()).moves.len() == behind.len()
}
