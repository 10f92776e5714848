//! The time used by each side against a time control (2011: articles 6 and 21; and the two schemes of 1956).
//!
//! Comes in: the time of every ply, as the record gives it, and the time control of each side (they differ where time is
//! given as a handicap, 6.5). Goes out: for each side what was used, what was left, and the ply at which the time was
//! overstepped, if it was.
//!
//! - The time is used up when it reaches the limit (21.1–21.3); an increment is credited with the move (6.1).
//! - Mate and 困毙 on the board stand against an overstepped clock (21.6).
//! - Where moves without a time stand before the ply in question, too few moves may be a matter of missed presses, which
//!   is the arbiter's to judge (21.5).
//! - 1956, first scheme: the article is silent on the move in which the ninety minutes run out. Only later moves that
//!   take more than a minute lose; a minute overstepped within that move itself is told as doubtful.

use crate::board::{Color, Position};

/// A time control. Times are milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// 6.1: a base and an increment after every own move.
    Increment {
        /// The base.
        base: u64,
        /// The increment.
        increment: u64,
    },
    /// 6.2: so many moves in the first period, then so many in every further one; unused time carries over.
    Periods {
        /// Moves of the first period.
        moves: u32,
        /// Its time.
        time: u64,
        /// Moves of every further period.
        then_moves: u32,
        /// Their time.
        then_time: u64,
    },
    /// 6.3: all moves in one time.
    SuddenDeath {
        /// The time.
        base: u64,
    },
    /// 1956, first scheme: ninety minutes, afterwards a minute a move.
    MinuteAfterNinety,
    /// 1956, second scheme: two minutes a move with a reserve of thirty minutes.
    TwoMinutesAndReserve,
}

const MINUTE: u64 = 60_000;

impl Scheme {
    /// Whether it is quick chess: at most fifteen minutes a side for the whole game (6.4).
    pub fn is_quick(self) -> bool {
        match self {
            Scheme::SuddenDeath { base } => base <= 15 * MINUTE,
            Scheme::Increment { base, increment } => increment == 0 && base <= 15 * MINUTE,
            _ => false,
        }
    }

    /// Reads `60m+30s`, `30/60m,10/10m`, `60m`, `1956-1`, `1956-2`. Times may be in `h`, `m`, `s`; a bare number is
    /// minutes (the increment: seconds).
    pub fn read(text: &str) -> Option<Scheme> {
        let text = text.trim();
        match text {
            "1956-1" => return Some(Scheme::MinuteAfterNinety),
            "1956-2" => return Some(Scheme::TwoMinutesAndReserve),
            _ => {}
        }
        if let Some((first, then)) = text.split_once(',') {
            let period = |part: &str| {
                let (moves, time) = part.trim().split_once('/')?;
                Some((moves.trim().parse::<u32>().ok().filter(|&m| m > 0)?, duration(time, MINUTE)?))
            };
            let ((moves, time), (then_moves, then_time)) = (period(first)?, period(then)?);
            return Some(Scheme::Periods { moves, time, then_moves, then_time });
        }
        if let Some((base, increment)) = text.split_once('+') {
            return Some(Scheme::Increment { base: duration(base, MINUTE)?, increment: duration(increment, 1000)? });
        }
        Some(Scheme::SuddenDeath { base: duration(text, MINUTE)? })
    }
}

fn duration(text: &str, unit: u64) -> Option<u64> {
    let text = text.trim();
    let (number, unit) = match text.chars().last()? {
        'h' => (&text[..text.len() - 1], 60 * MINUTE),
        'm' => (&text[..text.len() - 1], MINUTE),
        's' => (&text[..text.len() - 1], 1000),
        _ => (text, unit),
    };
    number.trim().parse::<u64>().ok()?.checked_mul(unit)
}

/// What the times of a record mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// The time left after the ply.
    #[default]
    Left,
    /// The time used in all after the ply.
    Used,
    /// The time of this ply alone.
    Spent,
}

/// One side's time.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct SideTime {
    /// Own moves with a time.
    pub moves: u32,
    /// Own moves without one.
    pub untimed: u32,
    /// Milliseconds used.
    pub used: u64,
    /// Milliseconds left at the end under the scheme, if it limits the whole.
    pub left: Option<u64>,
    /// The ply at which the time was overstepped.
    pub overstepped_ply: Option<u32>,
    /// A ply at which it was by one reading of the rules only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubtful_ply: Option<u32>,
    /// Whether moves without a time stand before the overstepped ply.
    #[serde(skip)]
    untimed_before: bool,
    /// The longest ply, in milliseconds.
    pub longest: u64,
}

/// Who lost on time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockVerdict {
    /// Nobody overstepped the time, as far as times are given.
    Kept,
    /// Red did, first.
    RedLoses,
    /// Black did, first.
    BlackLoses,
    /// Overstepped, but times are missing before it, or the rules leave it open: the arbiter decides (21.5).
    Arbiter,
    /// Overstepped with the ply that mates or leaves no move: the board decides (21.6).
    BoardDecides,
    /// Times are missing.
    Unknown,
}

/// The clock audit.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ClockAudit {
    /// Red's time.
    pub red: SideTime,
    /// Black's time.
    pub black: SideTime,
    /// The verdict.
    pub verdict: ClockVerdict,
    /// Whether it is quick chess (6.4).
    pub quick: bool,
    /// The articles the verdict rests on.
    pub articles: Vec<&'static str>,
}

/// Audits the clocks. `times` has one entry a ply; `last` is the position at the end; `schemes` are Red's and Black's.
pub fn audit_clock(
    first: Color,
    times: &[Option<u64>],
    last: &Position,
    schemes: [Scheme; 2],
    reading: Reading,
) -> ClockAudit {
    let mut sides = [SideTime::default(), SideTime::default()];
    for side in Color::ALL {
        let offset = usize::from(side != first);
        let own = times.iter().enumerate().skip(offset).step_by(2).map(|(i, t)| (i as u32 + 1, *t));
        sides[side.index()] = side_time(own, schemes[side.index()], reading);
    }
    let [red, black] = sides;
    let mut articles: Vec<&'static str> = Vec::new();
    for scheme in schemes {
        let article = match scheme {
            Scheme::Increment { .. } => "6.1",
            Scheme::Periods { .. } => "6.2",
            Scheme::SuddenDeath { .. } => "6.3",
            Scheme::MinuteAfterNinety => "1956(1)",
            Scheme::TwoMinutesAndReserve => "1956(2)",
        };
        if !articles.contains(&article) {
            articles.push(article);
        }
    }
    if schemes[0] != schemes[1] {
        articles.push("6.5");
    }
    let verdict = match [red.overstepped_ply, black.overstepped_ply] {
        [None, None] if red.moves + black.moves == 0 => ClockVerdict::Unknown,
        [None, None] if red.doubtful_ply.or(black.doubtful_ply).is_some() => ClockVerdict::Arbiter,
        [None, None] => ClockVerdict::Kept,
        [a, b] => {
            let ply = a.unwrap_or(u32::MAX).min(b.unwrap_or(u32::MAX));
            let side = if a == Some(ply) { &red } else { &black };
            articles.push("21.1");
            if ply as usize == times.len() && last.outcome().is_some() {
                articles.push("21.6");
                ClockVerdict::BoardDecides
            } else if side.untimed_before {
                articles.push("21.5");
                ClockVerdict::Arbiter
            } else if a == Some(ply) {
                ClockVerdict::RedLoses
            } else {
                ClockVerdict::BlackLoses
            }
        }
    };
    let quick = schemes.into_iter().all(Scheme::is_quick);
    ClockAudit { red, black, verdict, quick, articles }
}

fn side_time(own: impl Iterator<Item = (u32, Option<u64>)>, scheme: Scheme, reading: Reading) -> SideTime {
    let mut side = SideTime::default();
    let (base, increment) = match scheme {
        Scheme::Increment { base, increment } => (base, increment),
        Scheme::SuddenDeath { base } => (base, 0),
        Scheme::Periods { time, .. } => (time, 0),
        Scheme::MinuteAfterNinety => (90 * MINUTE, 0),
        Scheme::TwoMinutesAndReserve => (30 * MINUTE, 0),
    };
    let mut before = if reading == Reading::Left { base } else { 0 };
    let mut reserve = base;
    let mut number = 0u32;
    // Increments credited since the time last told.
    let mut credited = 0u64;
    for (ply, time) in own {
        number += 1;
        if number > 1 {
            credited += increment;
        }
        let Some(time) = time else {
            side.untimed += 1;
            continue;
        };
        let spent = match (reading, scheme) {
            (Reading::Spent, _) => time,
            (Reading::Used, _) => time.saturating_sub(before),
            // A clock that shows more than before has been given the time of the next period.
            (Reading::Left, Scheme::Periods { then_time, .. }) if time > before && then_time > 0 => {
                before + (time - before).div_ceil(then_time) * then_time - time
            }
            (Reading::Left, _) => (before + credited).saturating_sub(time),
        };
        credited = 0;
        before = time;
        side.moves += 1;
        let used_before = side.used;
        side.used += spent;
        side.longest = side.longest.max(spent);
        let late = match scheme {
            // The increment is credited after the move is made.
            Scheme::Increment { base, increment } => side.used >= base + increment * u64::from(number - 1),
            Scheme::SuddenDeath { base } => side.used >= base,
            Scheme::Periods { moves, time, then_moves, then_time } => {
                // Before move n is made, the periods that need fewer than n moves are done with.
                let done = number - 1;
                let periods = if done < moves { 0 } else { (done - moves) / then_moves + 1 };
                side.used >= time + u64::from(periods) * then_time
            }
            Scheme::MinuteAfterNinety => {
                if used_before < base && side.used > base + MINUTE {
                    side.doubtful_ply.get_or_insert(ply);
                }
                used_before >= base && spent > MINUTE
            }
            Scheme::TwoMinutesAndReserve => {
                let over = spent.saturating_sub(2 * MINUTE);
                let exhausted = over > reserve;
                reserve = reserve.saturating_sub(over);
                exhausted
            }
        };
        if late && side.overstepped_ply.is_none() {
            side.overstepped_ply = Some(ply);
            side.untimed_before = side.untimed > 0;
        }
    }
    side.left = match scheme {
        Scheme::Increment { base, increment } => Some((base + increment * u64::from(number)).saturating_sub(side.used)),
        Scheme::SuddenDeath { base } => Some(base.saturating_sub(side.used)),
        Scheme::MinuteAfterNinety => Some(base.saturating_sub(side.used)),
        Scheme::TwoMinutesAndReserve => Some(reserve),
        Scheme::Periods { .. } => None,
    };
    side
}

#[cfg(test)]
mod tests {
    use super::*;

    fn audit(scheme: &str, red_minutes: &[u64]) -> SideTime {
        let times: Vec<Option<u64>> = red_minutes.iter().flat_map(|&m| [Some(m * MINUTE), None]).collect();
        let scheme = Scheme::read(scheme).unwrap();
        audit_clock(Color::Red, &times, &Position::start(), [scheme; 2], Reading::Spent).red
    }

    #[test]
    fn an_increment_is_credited_after_the_move() {
        assert_eq!(audit("60m+30s", &[30, 30]).overstepped_ply, None);
        assert_eq!(audit("60m+30s", &[60]).overstepped_ply, Some(1));
        assert_eq!(audit("60m+30s", &[30, 31]).overstepped_ply, Some(3));
    }

    #[test]
    fn unused_time_of_a_period_carries_over() {
        let slow: Vec<u64> = std::iter::repeat_n(1, 30).chain([39]).collect();
        assert_eq!(audit("30/60m,10/10m", &slow).overstepped_ply, None);
        let too_slow: Vec<u64> = std::iter::repeat_n(1, 30).chain([40]).collect();
        assert_eq!(audit("30/60m,10/10m", &too_slow).overstepped_ply, Some(61));
        assert_eq!(audit("30/60m,10/10m", &[30, 30]).overstepped_ply, Some(3));
    }

    #[test]
    fn the_schemes_of_1956() {
        assert_eq!(audit("1956-1", &[89, 5, 1, 1]).overstepped_ply, None);
        assert_eq!(audit("1956-1", &[89, 5, 2]).overstepped_ply, Some(5));
        assert_eq!(audit("1956-2", &[2, 32]).overstepped_ply, None);
        assert_eq!(audit("1956-2", &[2, 33, 2]).overstepped_ply, Some(3));
        assert_eq!(audit("1956-2", &[2, 12]).left, Some(20 * MINUTE));
        // The article says nothing about the move in which the ninety minutes run out.
        assert_eq!(audit("1956-1", &[89, 5, 1, 1]).doubtful_ply, Some(3));
    }

    fn verdict(times: &[Option<u64>], schemes: [&str; 2], reading: Reading) -> ClockAudit {
        let schemes = schemes.map(|text| Scheme::read(text).unwrap());
        audit_clock(Color::Red, times, &Position::start(), schemes, reading)
    }

    #[test]
    fn a_handicap_gives_each_side_its_own_time() {
        let times: Vec<Option<u64>> = [40, 40, 1, 1].iter().map(|&m| Some(m * MINUTE)).collect();
        assert_eq!(verdict(&times, ["60m", "60m"], Reading::Spent).verdict, ClockVerdict::Kept);
        let handicap = verdict(&times, ["30m", "60m"], Reading::Spent);
        assert_eq!((handicap.verdict, handicap.articles), (ClockVerdict::RedLoses, vec!["6.3", "6.5", "21.1"]));
    }

    #[test]
    fn quick_chess_has_at_most_fifteen_minutes_a_side() {
        let quick = |text: &str| Scheme::read(text).unwrap().is_quick();
        assert_eq!(
            [quick("15m"), quick("16m"), quick("10m+0s"), quick("10m+5s"), quick("1956-1")],
            [true, false, true, false, false]
        );
    }

    #[test]
    fn an_overstepped_clock_behind_moves_without_a_time_is_the_arbiters() {
        let times = [Some(58 * MINUTE), None, None, None, Some(3 * MINUTE)];
        let audit = verdict(&times, ["60m", "60m"], Reading::Spent);
        assert_eq!((audit.red.overstepped_ply, audit.verdict), (Some(5), ClockVerdict::Arbiter));
        assert!(audit.articles.contains(&"21.5"));
    }

    #[test]
    fn increments_of_moves_without_a_time_are_credited_all_the_same() {
        // 60 min + 30 s: 58 left after the first, 57 after the third: two increments lie between, two minutes were used.
        let times = [Some(58 * MINUTE), None, None, None, Some(57 * MINUTE)];
        assert_eq!(verdict(&times, ["60m+30s", "60m+30s"], Reading::Left).red.used, 4 * MINUTE);
    }

    #[test]
    fn a_clock_that_jumps_up_was_given_the_time_of_the_next_period() {
        // 2 moves in 60 minutes, then 2 in 10: 5 left, then 2 left and 10 added, then 2 left.
        let jump = [Some(5 * MINUTE), None, Some(12 * MINUTE), None, Some(2 * MINUTE)];
        let audit = verdict(&jump, ["2/60m,2/10m", "2/60m,2/10m"], Reading::Left);
        assert_eq!(audit.red.used, (55 + 3 + 10) * MINUTE);
    }

    #[test]
    fn mate_on_the_board_stands_against_the_clock() {
        let mated = Position::from_fen("R2k5/1R7/9/9/9/9/9/9/9/4K4 b").unwrap();
        let schemes = [Scheme::read("60m").unwrap(); 2];
        let times = [Some(61 * MINUTE)];
        let audit = audit_clock(Color::Red, &times, &mated, schemes, Reading::Spent);
        assert_eq!((audit.verdict, audit.articles.last()), (ClockVerdict::BoardDecides, Some(&"21.6")));
    }

    #[test]
    fn time_left_is_read_as_such() {
        let times: Vec<Option<u64>> = [58, 59, 57, 57].iter().map(|&m| Some(m * MINUTE)).collect();
        let scheme = Scheme::read("60m").unwrap();
        let audit = audit_clock(Color::Red, &times, &Position::start(), [scheme; 2], Reading::Left);
        assert_eq!((audit.red.used, audit.black.used), (3 * MINUTE, 3 * MINUTE));
        assert_eq!(audit.verdict, ClockVerdict::Kept);
        assert_eq!(Scheme::read("soon"), None);
    }
}
