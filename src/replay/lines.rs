//! Which entries are the plies of which line, and the moves settled for them beforehand.

use super::lattice::{Limits, Settled};
use super::{Entry, Event};
use crate::board::Move;
use crate::notation::{Token, looks_like_move};

/// Which entries are the plies of which line.
pub(super) struct Lines {
    /// For each ply entry the next one of its line; `NONE` at the end.
    next: Vec<u32>,
    /// For the bracket that opens a line, its first ply.
    first: Vec<u32>,
    main: u32,
}

const NONE: u32 = u32::MAX;

impl Lines {
    /// Stands for the main line where a bracket is asked for.
    pub(super) const MAIN: usize = usize::MAX;

    pub(super) fn of(entries: &[Entry<'_>]) -> Lines {
        let mut lines = Lines { next: vec![NONE; entries.len()], first: vec![NONE; entries.len()], main: NONE };
        // For each open line its bracket and its last ply.
        let mut stack: Vec<(usize, u32)> = vec![(Lines::MAIN, NONE)];
        for (index, entry) in entries.iter().enumerate() {
            match entry.event {
                Event::Open => stack.push((index, NONE)),
                Event::Close if stack.len() > 1 => {
                    stack.pop();
                }
                _ if is_ply(&entry.event) => {
                    let Some((bracket, last)) = stack.last_mut() else { break };
                    let index = index as u32;
                    if *last != NONE {
                        lines.next[*last as usize] = index;
                    } else if *bracket == Lines::MAIN {
                        lines.main = index;
                    } else {
                        lines.first[*bracket] = index;
                    }
                    *last = index;
                }
                _ => {}
            }
        }
        lines
    }

    /// The plies of the line a bracket opens.
    pub(super) fn tokens(&self, entries: &[Entry<'_>], bracket: usize) -> Vec<(u32, Option<Token>)> {
        let first = if bracket == Lines::MAIN { self.main } else { self.first[bracket] };
        self.plies(entries, first).collect()
    }

    fn plies(&self, entries: &[Entry<'_>], first: u32) -> impl Iterator<Item = (u32, Option<Token>)> {
        let some = |index: u32| (index != NONE).then_some(index);
        std::iter::successors(some(first), move |&index| some(self.next[index as usize])).map(|index| {
            let token = match entries[index as usize].event {
                Event::Move { token, .. } => Some(token),
                _ => None,
            };
            (index, token)
        })
    }
}

pub(super) fn is_ply(event: &Event<'_>) -> bool {
    match event {
        Event::Move { .. } => true,
        Event::Text(text) => looks_like_move(text),
        _ => false,
    }
}

/// What was settled beforehand.
pub(super) struct Script {
    pub lines: Lines,
    pub limits: Limits,
    /// For each ply entry its move.
    pub moves: Vec<Option<Move>>,
}

impl Script {
    pub(super) fn note(&mut self, plies: &[(u32, Option<Token>)], settled: &Settled) {
        for ((index, _), &m) in plies.iter().zip(&settled.moves) {
            self.moves[*index as usize] = Some(m);
        }
    }
}
