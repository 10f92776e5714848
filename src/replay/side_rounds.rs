//! Rounds of side lines that have one ply where two are due.
//!
//! Comes in: the entries of a record. Goes out: for each side line in which the numbers show that a ply was left out, where
//! that is. The line ends there, as the main line does in [`super::rounds`]; what follows would be the other side's.
//!
//! Forgiven, besides what is forgiven there: a side line that begins with Black's ply, with or without dots; one that counts
//! plies; side lines without numbers, of which nothing can be said.

use super::lines::is_ply;
use super::{Entry, Event};
use crate::board::{Color, Position};
use crate::notation::{Form, Token};

/// From so many rounds on, a side line in which each has one ply counts plies.
const LEAST_COUNTED: usize = 3;

/// A ply left out of a side line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SideGap {
    /// The entry of the bracket that opens the line.
    pub bracket: usize,
    /// The entry in front of which the ply is missing.
    pub entry: usize,
    /// The round that lacks it.
    pub round: u32,
}

/// One line on its way.
#[derive(Clone, Copy, Debug)]
struct Line {
    bracket: usize,
    /// Plies of the record up to here, in this line.
    plies: usize,
    /// The round at hand: its number, its plies, its first ply.
    round: Option<(u32, u32, Option<Token>)>,
    /// The round began with the second ply of the pair.
    second: bool,
    /// A ply seems to be missing before this entry, of this round, if the next ply is no witness against it.
    suspect: Option<SideGap>,
    first: Option<SideGap>,
    /// Rounds with one ply, and rounds in all.
    single: usize,
    rounds: usize,
}

/// The side lines with a ply left out, in the order of their brackets. `leads` is the side a number stands before.
pub(super) fn side_gaps(start: &Position, leads: Color, entries: &[Entry<'_>]) -> Vec<SideGap> {
    let mut gaps = Vec::new();
    if !entries.iter().any(|entry| matches!(entry.event, Event::Open)) {
        return gaps;
    }
    let begins = start.side_to_move();
    let line = |bracket, plies| Line {
        bracket,
        plies,
        round: None,
        second: false,
        suspect: None,
        first: None,
        single: 0,
        rounds: 0,
    };
    let mut at = line(usize::MAX, 0);
    let mut outer = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        match entry.event {
            Event::Open => {
                // It replaces the last ply.
                let side = line(index, at.plies.saturating_sub(1));
                outer.push(std::mem::replace(&mut at, side));
            }
            Event::Close => {
                if let Some(line) = outer.pop() {
                    gaps.extend(at.gap());
                    at = line;
                }
            }
            Event::Number { round, black } if at.bracket != usize::MAX => {
                let side = if at.plies.is_multiple_of(2) { begins } else { !begins };
                at.number(index, round, black || side != leads && at.round.is_none());
            }
            _ if is_ply(&entry.event) => {
                let token = match entry.event {
                    Event::Move { token, .. } => Some(token),
                    _ => None,
                };
                at.ply(token, leads);
            }
            _ => {}
        }
    }
    while let Some(line) = outer.pop() {
        gaps.extend(at.gap());
        at = line;
    }
    gaps.sort_unstable_by_key(|gap| gap.bracket);
    gaps
}

impl Line {
    fn number(&mut self, index: usize, round: u32, second: bool) {
        if let Some((number, plies, _)) = self.round {
            if number == round {
                return;
            }
            let single = plies == 1 && !self.second;
            self.rounds += 1;
            self.single += usize::from(single);
            if single && !second && round == number.saturating_add(1) && self.first.is_none() {
                self.suspect = Some(SideGap { bracket: self.bracket, entry: index, round: number });
            }
        }
        // Before it the first ply of the round was read, for what it tells about its side.
        let before = self.round.and_then(|(_, _, token)| token);
        self.round = Some((round, 0, if self.suspect.is_some() { before } else { None }));
        self.second = second;
    }

    fn ply(&mut self, token: Option<Token>, leads: Color) {
        self.plies += 1;
        let Some((_, plies, first)) = &mut self.round else { return };
        *plies += 1;
        if let Some(suspect) = self.suspect.take() {
            let side = |token: Option<Token>| token.and_then(|token| token.numeral_side());
            let by_points = token.is_some_and(|token| matches!(token.form(), Form::Coordinates | Form::Digits));
            let by_numerals = side(*first) == Some(leads) && side(token) == Some(!leads);
            let other = side(*first) == Some(!leads) && side(token) == Some(leads);
            if !by_points && !by_numerals && !other {
                self.first = Some(suspect);
            }
        }
        if *plies == 1 {
            *first = token;
        }
    }

    /// The gap, unless every round of the line has one ply.
    fn gap(&self) -> Option<SideGap> {
        let counts = self.rounds + 1 >= LEAST_COUNTED && self.single == self.rounds;
        self.first.filter(|_| !counts)
    }
}
