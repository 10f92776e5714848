//! All patterns of one side as one machine: a table look-up a move tells which of them are fulfilled.
//!
//! The patterns are followed side by side; every set of places in them that can be reached becomes one state. Most moves
//! lead out of all patterns, so there are few states.

use super::pattern::{Step, TOKENS, Way, WxfMove};
use std::collections::HashMap;

/// A place in a way to play: which way, which step, and which moves of an `All` step were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Place {
    way: u16,
    step: u16,
    made: u16,
}

/// States beyond which a table is refused.
const MOST_STATES: usize = 60_000;
/// No pattern can be fulfilled any more.
pub(super) const DEAD: u16 = 0;
/// Before the first move.
pub(super) const START: u16 = 1;

/// The machine.
pub(super) struct Automaton {
    /// Column of a token in `next`; 0 for tokens in no pattern.
    column: Box<[u8; TOKENS]>,
    columns: usize,
    next: Vec<u16>,
    /// Patterns fulfilled on reaching a state.
    fulfilled: Vec<Vec<u16>>,
}

impl std::fmt::Debug for Automaton {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Automaton({} states, {} moves)", self.fulfilled.len(), self.columns - 1)
    }
}

impl Automaton {
    /// Builds the machine of some patterns; a pattern is a number of ways to play it.
    pub fn new(patterns: &[Vec<Way>]) -> Result<Automaton, String> {
        let ways: Vec<(u16, &Way)> = patterns
            .iter()
            .enumerate()
            .flat_map(|(pattern, ways)| ways.iter().map(move |way| (pattern as u16, way)))
            .collect();
        if ways.len() > usize::from(u16::MAX) {
            return Err("too many patterns".to_string());
        }
        let mut column = Box::new([0u8; TOKENS]);
        let mut tokens: Vec<WxfMove> = Vec::new();
        for step in ways.iter().flat_map(|(_, way)| way.iter()) {
            let (one, other): (&[WxfMove], &[WxfMove]) = match step {
                Step::One(moves) | Step::Any(moves) => (moves, &[]),
                Step::All { all, between } => (all, between),
            };
            for token in one.iter().chain(other) {
                if column[token.index()] == 0 {
                    tokens.push(*token);
                    column[token.index()] = u8::try_from(tokens.len()).map_err(|_| "too many different moves")?;
                }
            }
        }
        let columns = tokens.len() + 1;
        let mut automaton = Automaton { column, columns, next: vec![DEAD; columns], fulfilled: vec![Vec::new()] };
        let mut numbers: HashMap<Vec<Place>, u16> = HashMap::new();
        let mut queue: Vec<Vec<Place>> = Vec::new();
        let mut places = Vec::new();
        let mut done = Vec::new();
        for way in 0..ways.len() {
            settle(&ways, Place { way: way as u16, step: 0, made: 0 }, &mut places, &mut done);
        }
        automaton.state(places, done, &mut numbers, &mut queue)?;
        let mut at = 0;
        while let Some(from) = queue.get(at).cloned() {
            let state = at + 1;
            at += 1;
            for (index, token) in tokens.iter().enumerate() {
                let (mut places, mut done) = (Vec::new(), Vec::new());
                for place in &from {
                    advance(&ways, *place, *token, &mut places, &mut done);
                }
                if places.is_empty() && done.is_empty() {
                    continue;
                }
                let number = automaton.state(places, done, &mut numbers, &mut queue)?;
                automaton.next[state * columns + index + 1] = number;
            }
        }
        Ok(automaton)
    }

    /// The number of a state, a new one if it was not met before.
    fn state(
        &mut self,
        mut places: Vec<Place>,
        mut done: Vec<u16>,
        numbers: &mut HashMap<Vec<Place>, u16>,
        queue: &mut Vec<Vec<Place>>,
    ) -> Result<u16, String> {
        places.sort_unstable();
        places.dedup();
        done.sort_unstable();
        done.dedup();
        // What was fulfilled on the way in is part of the state: it is told once, by the state reached.
        let mut name = places.clone();
        name.extend(done.iter().map(|&pattern| Place { way: pattern, step: u16::MAX, made: 0 }));
        if let Some(&number) = numbers.get(&name) {
            return Ok(number);
        }
        if self.fulfilled.len() >= MOST_STATES {
            return Err("the patterns together are too many".to_string());
        }
        let number = self.fulfilled.len() as u16;
        numbers.insert(name, number);
        self.next.resize(self.next.len() + self.columns, DEAD);
        self.fulfilled.push(done);
        queue.push(places);
        Ok(number)
    }

    /// The state after a move.
    #[inline]
    pub fn step(&self, state: u16, token: Option<WxfMove>) -> u16 {
        match token {
            Some(token) => self.next[state as usize * self.columns + self.column[token.index()] as usize],
            None => DEAD,
        }
    }

    /// The patterns fulfilled on reaching a state.
    #[inline]
    pub fn fulfilled(&self, state: u16) -> &[u16] {
        &self.fulfilled[state as usize]
    }
}

/// Adds a place and every place that follows without a move.
fn settle(ways: &[(u16, &Way)], place: Place, places: &mut Vec<Place>, done: &mut Vec<u16>) {
    let mut place = place;
    let (pattern, way) = ways[place.way as usize];
    loop {
        match way.get(place.step as usize) {
            None => {
                done.push(pattern);
                return;
            }
            Some(Step::Any(_)) => {
                places.push(place);
                place = Place { step: place.step + 1, made: 0, ..place };
            }
            Some(_) => {
                places.push(place);
                return;
            }
        }
    }
}

/// Adds the places that a move leads to.
fn advance(ways: &[(u16, &Way)], place: Place, token: WxfMove, places: &mut Vec<Place>, done: &mut Vec<u16>) {
    let (_, way) = ways[place.way as usize];
    let next = Place { step: place.step + 1, made: 0, ..place };
    match &way[place.step as usize] {
        Step::One(moves) if moves.contains(&token) => settle(ways, next, places, done),
        Step::Any(moves) if moves.contains(&token) => settle(ways, place, places, done),
        Step::All { all, between } => {
            for (bit, one) in all.iter().enumerate() {
                let made = place.made | 1 << bit;
                if *one == token && made != place.made {
                    if made.count_ones() as usize == all.len() {
                        settle(ways, next, places, done);
                    } else {
                        places.push(Place { made, ..place });
                    }
                }
            }
            if between.contains(&token) {
                places.push(place);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::pattern::{read_moves, read_ways};
    use super::*;

    fn fulfilled(patterns: &[&str], moves: &str) -> Vec<u16> {
        let patterns: Vec<_> = patterns.iter().map(|text| read_ways(text, &HashMap::new()).unwrap()).collect();
        let automaton = Automaton::new(&patterns).unwrap();
        let mut state = START;
        let mut all = automaton.fulfilled(state).to_vec();
        for token in read_moves(moves) {
            state = automaton.step(state, Some(token));
            all.extend(automaton.fulfilled(state));
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn beginnings_sets_and_orders_are_followed_side_by_side() {
        let patterns = ["C2.5", "C2.5 {N2+3 P7+1} R1.2", "C2.5 <N2+3 R1.2 P7+1>", "C2.5 &{A4+5}(N2+3 R1.2)"];
        assert_eq!(fulfilled(&patterns, "C2.5"), [0]);
        assert_eq!(fulfilled(&patterns, "C2.5 N2+3 R1.2"), [0, 1, 3]);
        assert_eq!(fulfilled(&patterns, "C2.5 P7+1 N2+3 R1.2"), [0, 1, 2]);
        assert_eq!(fulfilled(&patterns, "C2.5 A4+5 R1.2 A4+5 N2+3"), [0, 3]);
        assert_eq!(fulfilled(&patterns, "N2+3 C2.5"), [] as [u16; 0]);
    }

    #[test]
    fn a_set_may_swallow_a_needed_move_and_still_match() {
        assert_eq!(fulfilled(&["{N2+3 R1.2} R1.2 C8.5"], "N2+3 R1.2 C8.5"), [0]);
    }
}
