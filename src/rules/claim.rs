//! When a repetition may be judged (2011 art. 23).
//!
//! Comes in: a line of play. Goes out: where a round repeats, how often it was made, and from which ply on a claim is
//! well founded.
//!
//! - A round of `p` plies has been made three times when the last `3p` plies make it so; the ply that enters the cycle
//!   from outside counts (23.2), unless it captures.
//! - Nine rounds (23.4): without a closed cycle, one side used three or more points in its last nine moves and every one
//!   of them attacks. Nine allowed moves to and fro are told as well, but whether they are "without positive meaning" is
//!   for the arbiter.
//!
//! Other sites count occurrences of a position instead: [`Profile`] names the counts.

use crate::board::{Color, Key, Move, Position};
use std::collections::HashMap;

/// What must have happened before a repetition is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// The same round three times, the entering ply counted (2011 art. 23; taken for 1956 and 1987, which give no count).
    ThreeRounds,
    /// The same position for the third time.
    ThirdOccurrence,
    /// The same position for the fourth time is the first forbidden one.
    FourthOccurrence,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Profile; 3] = [Profile::ThreeRounds, Profile::ThirdOccurrence, Profile::FourthOccurrence];

    /// The name on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Profile::ThreeRounds => "three-rounds",
            Profile::ThirdOccurrence => "third-occurrence",
            Profile::FourthOccurrence => "fourth-occurrence",
        }
    }

    /// The profile of this name; other counts are not guessed.
    pub fn find(name: &str) -> Option<Profile> {
        Profile::ALL.into_iter().find(|profile| profile.name() == name)
    }
}

/// Every so many plies the position is kept.
const STRIDE: usize = 64;

/// How many earlier occurrences of a position are tried as the beginning of a round. A round that comes through one
/// position more often than this is found at another of its positions.
const VISITS: usize = 32;

/// A line of play with what comparing positions needs.
#[derive(Clone, Debug)]
pub struct History {
    moves: Vec<Move>,
    keys: Vec<Key>,
    captures: Vec<bool>,
    /// The positions after plies 0, [`STRIDE`], twice that and so on.
    kept: Vec<Position>,
    /// The round that ends with each ply.
    rounds: Vec<Option<Repetition>>,
}

/// A round that the plies up to one ply repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Repetition {
    /// The ply after which it stands.
    pub ply: u32,
    /// Plies in a round.
    pub period: u32,
    /// The first ply of the first round: the one that enters the cycle, or the one after it if that captures.
    pub first_ply: u32,
    /// How often the whole round was made.
    pub rounds: u32,
    /// How often the position after the last ply has stood on the board since the last capture.
    pub occurrences: u32,
}

impl Repetition {
    /// Whether a claim on this is well founded under the profile.
    pub fn satisfies(&self, profile: Profile) -> bool {
        match profile {
            Profile::ThreeRounds => self.rounds >= 3,
            Profile::ThirdOccurrence => self.occurrences >= 3,
            Profile::FourthOccurrence => self.occurrences >= 4,
        }
    }
}

impl History {
    /// About how many bytes of memory it takes.
    pub fn memory(&self) -> usize {
        self.moves.capacity() * size_of::<Move>()
            + self.keys.capacity() * size_of::<Key>()
            + self.captures.capacity()
            + self.kept.capacity() * size_of::<Position>()
            + self.rounds.capacity() * size_of::<Option<Repetition>>()
    }

    /// Plays the moves from the start. The moves must be legal; what follows an illegal one has no meaning.
    pub fn new(start: &Position, moves: impl IntoIterator<Item = Move>) -> History {
        let mut position = *start;
        let mut history = History {
            moves: Vec::new(),
            keys: vec![position.key()],
            captures: vec![false],
            kept: vec![position],
            rounds: Vec::new(),
        };
        for m in moves {
            let undo = position.play(m);
            history.moves.push(m);
            history.keys.push(position.key());
            history.captures.push(undo.captured().is_some());
            if history.moves.len().is_multiple_of(STRIDE) {
                history.kept.push(position);
            }
        }
        history.rounds = rounds(&history.keys, &history.captures);
        history
    }

    /// Number of plies.
    pub fn plies(&self) -> u32 {
        self.moves.len() as u32
    }

    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position after so many plies, or at the end.
    pub fn position(&self, ply: u32) -> Position {
        let ply = (ply as usize).min(self.moves.len());
        let mut position = self.kept[ply / STRIDE];
        for &m in &self.moves[ply / STRIDE * STRIDE..ply] {
            position.play(m);
        }
        position
    }

    /// The side that moved last before so many plies were complete.
    fn mover(&self, ply: u32) -> Color {
        let first = self.kept[0].side_to_move();
        if ply % 2 == 1 { first } else { !first }
    }

    /// The plies `from..=to` (from 1), each with the position before it.
    pub fn stretch(&self, from: u32, to: u32) -> Vec<(Position, Move)> {
        let mut position = self.position(from.saturating_sub(1));
        let mut stretch = Vec::new();
        for &m in self.moves.iter().take(to as usize).skip(from.saturating_sub(1) as usize) {
            stretch.push((position, m));
            position.play(m);
        }
        stretch
    }

    /// The round that ends with this ply, if the position after it stood before. Of several, the one made most often.
    pub fn repetition_at(&self, ply: u32) -> Option<Repetition> {
        *self.rounds.get(ply as usize)?
    }

    /// The first ply after which the profile is satisfied.
    pub fn first_claim(&self, profile: Profile) -> Option<Repetition> {
        (1..=self.plies()).filter_map(|ply| self.repetition_at(ply)).find(|r| r.satisfies(profile))
    }

    /// Every stretch of repetition, each at the ply where it was longest; in order.
    pub fn repetitions(&self) -> Vec<Repetition> {
        let mut found: Vec<Repetition> = Vec::new();
        for ply in 1..=self.plies() {
            if let Some(repetition) = self.repetition_at(ply) {
                match found.last_mut() {
                    Some(last) if last.period == repetition.period && last.first_ply == repetition.first_ply => {
                        *last = repetition;
                    }
                    _ => found.push(repetition),
                }
            }
        }
        found
    }

    /// The outer conditions of the nine-round rule (23.4) after this ply: no capture in the last 18 plies, and three or
    /// more points used. Gives the sides that meet them with the number of points; what the nine moves are is for the
    /// labels to say.
    pub fn nine_rounds_at(&self, ply: u32) -> Vec<(Color, usize)> {
        let n = ply as usize;
        if n < 18 || n > self.moves.len() || self.captures[n - 17..=n].contains(&true) {
            return Vec::new();
        }
        Color::ALL
            .into_iter()
            .map(|side| {
                let skip = usize::from(self.mover(ply) != side);
                let mut points: Vec<_> =
                    self.moves[n - 18..n].iter().rev().skip(skip).step_by(2).map(|m| m.to()).collect();
                points.sort_unstable();
                points.dedup();
                (side, points.len())
            })
            .filter(|&(_, points)| points >= 3)
            .collect()
    }

    /// The last nine plies of a side up to this one, latest first.
    pub fn last_nine(&self, side: Color, ply: u32) -> impl Iterator<Item = u32> + use<> {
        let last = if self.mover(ply) == side { ply } else { ply.saturating_sub(1) };
        (0..9).filter_map(move |back| last.checked_sub(2 * back)).filter(|&ply| ply > 0)
    }

    /// What the sides did in the two rounds after a ruling (23.5.2): the first ply, up to `within` plies later, by which
    /// `side` left the positions of the repetition.
    pub fn changed_within(&self, repetition: &Repetition, side: Color, within: u32) -> Option<u32> {
        let cycle = &self.keys[(repetition.ply - repetition.period) as usize..=repetition.ply as usize];
        (repetition.ply + 1..=(repetition.ply + within).min(self.plies()))
            .find(|&ply| self.mover(ply) == side && !cycle.contains(&self.keys[ply as usize]))
    }
}

/// For every number of plies the round that ends with the last of them.
///
/// Positions repeat only within a stretch without captures. The time is linear in the plies.
fn rounds(keys: &[Key], captures: &[bool]) -> Vec<Option<Repetition>> {
    let mut found = vec![None; keys.len()];
    // For every position of the stretch: when it stood last; and for every ply: when its position stood before that, and
    // how often it has stood.
    let mut last: HashMap<Key, usize> = HashMap::new();
    let mut before: Vec<(Option<usize>, u32)> = vec![(None, 1); keys.len()];
    // For every period under way: how many plies in a row the position equalled the one a period ago.
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut next: Vec<(usize, usize)> = Vec::new();
    for (n, &key) in keys.iter().enumerate() {
        if captures[n] {
            last.clear();
        }
        let earlier = last.insert(key, n);
        before[n] = (earlier, earlier.map_or(1, |earlier| before[earlier].1 + 1));
        next.clear();
        let visits = std::iter::successors(earlier, |&at| before[at].0).take(VISITS);
        for period in visits.map(|at| n - at) {
            let run = runs.iter().find(|&&(known, _)| known == period).map_or(1, |&(_, run)| run + 1);
            next.push((period, run));
        }
        std::mem::swap(&mut runs, &mut next);
        found[n] = runs
            .iter()
            .map(|&(period, run)| {
                // Positions after plies `entry..=n` repeat with the period; `entry` 0 is the start of the record.
                let entry = n + 1 - run - period;
                let first = if entry == 0 || captures[entry] { entry + 1 } else { entry };
                Repetition {
                    ply: n as u32,
                    period: period as u32,
                    first_ply: first as u32,
                    rounds: ((n + 1 - first) / period) as u32,
                    occurrences: before[n].1,
                }
            })
            .max_by_key(|r| (r.rounds, std::cmp::Reverse((r.first_ply, r.period))));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(fen: &str, moves: &str) -> History {
        History::new(&Position::from_fen(fen).unwrap(), moves.split_whitespace().map(|m| m.parse().unwrap()))
    }

    const CHECKS: &str = "3k5/9/9/9/9/9/9/9/4A4/R3K4 w";

    fn checks(plies: usize) -> History {
        let all = format!("a0a9 {}", "d9d8 a9a8 d8d9 a8a9 ".repeat(12));
        history(CHECKS, &all.split_whitespace().take(plies).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn each_profile_names_its_own_ply() {
        // REP-12: 40 plies of the first case.
        let history = checks(40);
        let ply = |profile| history.first_claim(profile).unwrap().ply;
        assert_eq!(ply(Profile::ThirdOccurrence), 9);
        assert_eq!(ply(Profile::FourthOccurrence), 13);
        assert_eq!(ply(Profile::ThreeRounds), 12);
        assert_eq!(Profile::find("seven-cycles"), None);
    }

    #[test]
    fn the_entering_ply_counts_unless_it_captures() {
        let claim = checks(12).repetition_at(12).unwrap();
        assert_eq!((claim.first_ply, claim.period, claim.rounds), (1, 4, 3));
        assert_eq!(checks(11).repetition_at(11).unwrap().rounds, 2);
        let cycle = "d9d8 a9a8 d8d9 a8a9 ".repeat(3);
        let capture = history("r2k5/9/9/9/9/9/9/9/4A4/R3K4 w", &format!("a0a9 {cycle}"));
        assert_eq!(capture.first_claim(Profile::ThreeRounds).unwrap().ply, 13);
        assert_eq!(capture.repetition_at(12).unwrap().first_ply, 2);
    }

    #[test]
    fn checks_without_a_repeated_position_are_no_repetition() {
        // REP-10
        let history = history(
            "4k4/9/9/9/9/4N4/9/9/R8/4KA3 w",
            "a1a9 e9e8 a9e9 e8f8 e9f9 f8e8 f9f8 e8e9 f8e8 e9d9 e8d8 d9e9 d8d9 e9e8 d9d8 e8e7",
        );
        assert!(history.repetitions().is_empty());
    }

    #[test]
    fn a_record_that_starts_inside_the_cycle_counts_from_its_first_ply() {
        let inside = history("R2k5/9/9/9/9/9/9/9/4A4/4K4 b", &"d9d8 a9a8 d8d9 a8a9 ".repeat(3));
        assert_eq!(inside.first_claim(Profile::ThreeRounds).unwrap().ply, 12);
        assert_eq!(inside.first_claim(Profile::ThirdOccurrence).unwrap().ply, 8);
        assert_eq!(inside.repetitions().len(), 1);
    }

    #[test]
    fn a_round_that_comes_through_one_position_twice_is_one_round() {
        // The king goes out and back to one side, then to the other, while the other king waits.
        let round = "d9d8 a1b1 d8d9 b1a1 d9e9 a1a2 e9d9 a2a1 ";
        let eight = history("3k5/9/9/9/9/9/9/9/R8/5K3 b", &round.repeat(3));
        let claim = eight.repetition_at(24).unwrap();
        assert_eq!((claim.period, claim.rounds, claim.first_ply, claim.occurrences), (8, 3, 1, 7));
        assert_eq!(eight.first_claim(Profile::ThreeRounds).unwrap().ply, 24);
    }

    #[test]
    fn a_hundred_thousand_plies_to_and_fro_are_one_repetition() {
        let long = checks(1).moves().to_vec();
        let round: Vec<Move> = "d9d8 a9a8 d8d9 a8a9".split(' ').map(|m| m.parse().unwrap()).collect();
        let moves = long.into_iter().chain(round.into_iter().cycle().take(100_000));
        let history = History::new(&Position::from_fen(CHECKS).unwrap(), moves);
        let all = history.repetitions();
        assert_eq!((all.len(), all[0].period, all[0].rounds), (1, 4, 25_000));
        assert_eq!(history.position(100_001).to_board_fen(), history.position(1).to_board_fen());
    }

    #[test]
    fn two_rounds_are_given_to_change() {
        let history = history(CHECKS, &format!("a0a9 {} a9a0", "d9d8 a9a8 d8d9 a8a9 ".repeat(3).trim_end()));
        let claim = history.first_claim(Profile::ThreeRounds).unwrap();
        assert_eq!(claim.ply, 12);
        assert_eq!(history.changed_within(&claim, Color::Red, 4), None);
        assert_eq!(checks(40).changed_within(&claim, Color::Red, 4), None);
    }
}
