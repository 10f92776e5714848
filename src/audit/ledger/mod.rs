//! The foul ledger of an event (2011: article 8, with 4.1.8–4.1.13, 7.1, 7.4, 22.1, 22.2).
//!
//! Comes in: the log of [`log`], and what the event has laid down. Goes out: for every game the fouls of each side one by
//! one, each with its article and the running total, and what decides the game; for every player the totals over the
//! games of the event, which ranking uses (fewer is better).
//!
//! - Three fouls of any kinds lose the game (4.1.10). A sheet may bring two at once (7.1).
//! - Pressing the clock without a move: the second time loses (4.1.9). A move against the rules: loses at once in a
//!   national event; elsewhere the first is a foul and the second loses (4.1.8, 8.1.8). Which of the two an event is,
//!   only its regulations say: without [`Rules::class`] such a line is left undecided.
//! - An untrue 自然限着 claim is a foul and costs five minutes (22.2); the second in one stage loses (4.1.11). Stages are
//!   told apart by the log: the ply of the last capture with each claim, or a `capture` line between them.
//! - Offers: 8.1.3 makes a lead of two offers a foul, 22.1 may be read so that only a lead of three is. The first is the
//!   default ([`Rules::offer_lead`]).
//! - Missing entries are counted over the whole sheet at every inspection; those a foul was given for are not counted
//!   again: four for one foul, all of them for two.
//! - Who resigns at once is spared the foul (8.2). Nothing that is logged behind the end of a game counts.

pub mod log;

pub use log::{Entry, Log, What};

use super::record::fouls;
use crate::board::Color;
use crate::diag::{Finding, codes};
use std::collections::{BTreeMap, HashMap};

/// What kind of event it is, for 4.1.8 and 8.1.8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EventClass {
    /// 全国比赛: a move against the rules loses.
    National,
    /// 省级（含以下）和全国少年赛: the first is a foul, the second loses.
    Provincial,
}

/// What the event has laid down.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// National or not; only moves against the rules depend on it.
    pub class: Option<EventClass>,
    /// From which lead in offers an offer is a foul.
    pub offer_lead: u32,
    /// One foul for every four missing entries, without the cap of two an inspection.
    pub uncapped: bool,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { class: None, offer_lead: 2, uncapped: false }
    }
}

/// A foul.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Foul {
    /// Line of the log.
    pub line: u32,
    /// What happened.
    pub event: What,
    /// The article that makes it a foul.
    pub article: &'static str,
    /// How many fouls at once.
    pub fouls: u32,
    /// The side's fouls in this game with this one.
    pub total: u32,
    /// Whether it was spared because the side resigned at once (8.2); it is not in the totals.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub spared: bool,
}

/// One side of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct SideFouls {
    /// The player, if the log names one.
    pub player: Option<String>,
    /// Fouls in this game.
    pub total: u32,
    /// One by one.
    pub fouls: Vec<Foul>,
    /// Draw offers.
    pub offers: u32,
    /// Seconds to take off the clock.
    pub seconds_off: u32,
    /// Warnings (18.1).
    pub warnings: u32,
    #[serde(skip)]
    punished: u32,
    #[serde(skip)]
    presses: u32,
    #[serde(skip)]
    illegal: u32,
    #[serde(skip)]
    claims: Vec<Option<String>>,
}

/// Why a game is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Three fouls (4.1.10).
    ThreeFouls,
    /// The second untrue claim in one stage (4.1.11).
    SecondClaim,
    /// The clock pressed twice without a move (4.1.9).
    SecondPress,
    /// Moves against the rules (4.1.8).
    IllegalMoves,
    /// Refused to obey the rules (4.1.13, 7.4).
    Refusal,
    /// Resigned (4.1.12).
    Resigned,
}

impl Reason {
    /// The article.
    pub const fn article(self) -> &'static str {
        match self {
            Reason::ThreeFouls => "4.1.10",
            Reason::SecondClaim => "4.1.11",
            Reason::SecondPress => "4.1.9",
            Reason::IllegalMoves => "4.1.8",
            Reason::Refusal => "4.1.13",
            Reason::Resigned => "4.1.12",
        }
    }

    /// In Chinese, after the words of the article.
    pub const fn chinese(self) -> &'static str {
        match self {
            Reason::ThreeFouls => "三次犯规",
            Reason::SecondClaim => "同一自然限着阶段内第二次提出不属实",
            Reason::SecondPress => "两次未走棋先按钟",
            Reason::IllegalMoves => "违反行棋规定",
            Reason::Refusal => "拒绝遵守规则",
            Reason::Resigned => "认输",
        }
    }

    /// In English.
    pub const fn english(self) -> &'static str {
        match self {
            Reason::ThreeFouls => "three fouls",
            Reason::SecondClaim => "second untrue natural-limit claim in one stage",
            Reason::SecondPress => "pressed the clock twice without a move",
            Reason::IllegalMoves => "moves against the rules",
            Reason::Refusal => "refused to obey the rules",
            Reason::Resigned => "resigned",
        }
    }
}

/// What decides a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Decision {
    /// Who loses.
    pub loser: Color,
    /// The line of the log that decides.
    pub line: u32,
    /// Why.
    pub reason: Reason,
    /// The article.
    pub article: &'static str,
}

/// A game of the event.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct GameFouls {
    /// Its name in the log.
    pub game: String,
    /// Red's side.
    pub red: SideFouls,
    /// Black's side.
    pub black: SideFouls,
    /// What decides it, if the log does.
    pub decision: Option<Decision>,
    #[serde(skip)]
    stage: u32,
    #[serde(skip)]
    last: Option<(Color, usize)>,
}

/// A player's totals over the event.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct PlayerFouls {
    /// The name.
    pub player: String,
    /// Games of the log.
    pub games: u32,
    /// Fouls in all of them.
    pub fouls: u32,
    /// Warnings in all of them.
    pub warnings: u32,
    /// Games lost by ruling; resigning is none.
    pub losses: u32,
}

/// The whole ledger.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Ledger {
    /// The games, in the order in which the log first names them.
    pub games: Vec<GameFouls>,
    /// The players by name.
    pub players: Vec<PlayerFouls>,
    /// What was found.
    pub findings: Vec<Finding>,
}

impl Ledger {
    /// Works through a log.
    pub fn of(log: &Log, rules: &Rules) -> Ledger {
        let mut ledger = Ledger { findings: log.findings.clone(), ..Ledger::default() };
        let mut by_name: HashMap<&str, usize> = HashMap::new();
        for entry in &log.entries {
            let index = *by_name.entry(&entry.game).or_insert_with(|| {
                ledger.games.push(GameFouls {
                    game: entry.game.clone(),
                    red: SideFouls::default(),
                    black: SideFouls::default(),
                    decision: None,
                    stage: 0,
                    last: None,
                });
                ledger.games.len() - 1
            });
            ledger.games[index].add(entry, rules, &mut ledger.findings);
        }
        ledger.add_players();
        ledger
    }

    fn add_players(&mut self) {
        let mut players: BTreeMap<&str, PlayerFouls> = BTreeMap::new();
        for game in &self.games {
            for (color, side) in [(Color::Red, &game.red), (Color::Black, &game.black)] {
                let Some(name) = side.player.as_deref() else { continue };
                let player = players
                    .entry(name)
                    .or_insert_with(|| PlayerFouls { player: name.to_string(), ..PlayerFouls::default() });
                player.games += 1;
                player.fouls += side.total;
                player.warnings += side.warnings;
                let lost = |d: Decision| d.loser == color && d.reason != Reason::Resigned;
                player.losses += u32::from(game.decision.is_some_and(lost));
            }
        }
        self.players = players.into_values().collect();
    }
}

impl GameFouls {
    fn side(&mut self, side: Color) -> &mut SideFouls {
        match side {
            Color::Red => &mut self.red,
            Color::Black => &mut self.black,
        }
    }

    fn add(&mut self, entry: &Entry, rules: &Rules, findings: &mut Vec<Finding>) {
        let color = entry.side;
        let tell = |code, message: String| {
            Finding::new(code, message).line(u64::from(entry.line), None).text(format!(
                "{} {} {}",
                entry.game,
                color,
                entry.what.english()
            ))
        };
        if let Some(name) = &entry.player {
            match &self.side(color).player {
                Some(known) if known != name => findings
                    .push(tell(codes::LEDGER_PLAYER, format!("{name} here, {known} before; the first name is kept"))),
                Some(_) => {}
                None => self.side(color).player = Some(name.clone()),
            }
        }
        let just_before = self.last.take().filter(|(side, _)| *side == color);
        if entry.what == What::Warning {
            self.side(color).warnings += 1;
            return;
        }
        if entry.what == What::Resign
            && let Some((_, index)) = just_before
        {
            self.spare(color, index, entry.line);
            return;
        }
        if let Some(decision) = self.decision {
            findings.push(tell(
                codes::LEDGER_AFTER_END,
                format!("line {} had decided the game ({})", decision.line, decision.article),
            ));
            return;
        }
        match entry.what {
            What::Warning => {}
            What::Capture => self.stage += 1,
            What::Refuse => self.lose(color, entry.line, Reason::Refusal),
            What::Resign => self.lose(color, entry.line, Reason::Resigned),
            What::Disturb => self.foul(entry, "8.1.1", 1),
            What::Clock => self.foul(entry, "8.1.2", 1),
            What::Touch => self.foul(entry, "8.1.5", 1),
            What::Minor => self.foul(entry, "8.1.9", 1),
            What::Offer => {
                self.side(color).offers += 1;
                let theirs = self.side(!color).offers;
                if self.side(color).offers >= theirs + rules.offer_lead.max(1) {
                    self.foul(entry, "8.1.3", 1);
                }
            }
            What::Record => {
                let side = self.side(color);
                let fresh = entry.count.unwrap_or(0).saturating_sub(side.punished);
                let number = fouls(fresh, rules.uncapped);
                side.punished += if number >= 2 && !rules.uncapped { fresh } else { 4 * number };
                if number > 0 {
                    self.foul(entry, "8.1.6", number);
                }
            }
            What::Press => {
                self.side(color).presses += 1;
                self.foul(entry, "8.1.7", 1);
                if self.side(color).presses >= 2 {
                    self.lose(color, entry.line, Reason::SecondPress);
                }
            }
            What::Illegal => match rules.class {
                None => findings.push(tell(
                    codes::LEDGER_UNDECIDED,
                    "a move against the rules: the regulations must say whether the event is national (4.1.8)"
                        .to_string(),
                )),
                Some(EventClass::National) => self.lose(color, entry.line, Reason::IllegalMoves),
                Some(EventClass::Provincial) => {
                    self.side(color).illegal += 1;
                    self.foul(entry, "8.1.8", 1);
                    if self.side(color).illegal >= 2 {
                        self.lose(color, entry.line, Reason::IllegalMoves);
                    }
                }
            },
            What::UntrueLimit => self.untrue_claim(entry, findings, &tell),
        }
    }

    fn untrue_claim(
        &mut self,
        entry: &Entry,
        findings: &mut Vec<Finding>,
        tell: &dyn Fn(crate::diag::Code, String) -> Finding,
    ) {
        let color = entry.side;
        let stage = match &entry.stage {
            Some(stage) => Some(format!("ply {stage}")),
            // Captures in the log tell the stages apart, if it has any.
            None if self.stage > 0 => Some(format!("capture {}", self.stage)),
            None => None,
        };
        let side = self.side(color);
        side.seconds_off += 300;
        let second = side.claims.iter().any(|earlier| earlier.is_some() && *earlier == stage);
        let open = !second && side.claims.iter().any(|earlier| earlier.is_none() || stage.is_none());
        side.claims.push(stage);
        self.foul(entry, "8.1.4", 1);
        if second {
            self.lose(color, entry.line, Reason::SecondClaim);
        } else if open {
            findings.push(tell(
                codes::LEDGER_UNDECIDED,
                "not the first untrue claim of this side: the ply of the last capture must be given with both to tell \
                 whether they fall in one stage (4.1.11)"
                    .to_string(),
            ));
        }
    }

    fn foul(&mut self, entry: &Entry, article: &'static str, number: u32) {
        let side = self.side(entry.side);
        side.total += number;
        let total = side.total;
        side.fouls.push(Foul { line: entry.line, event: entry.what, article, fouls: number, total, spared: false });
        let index = side.fouls.len() - 1;
        self.last = Some((entry.side, index));
        if total >= 3 {
            self.lose(entry.side, entry.line, Reason::ThreeFouls);
        }
    }

    /// The side resigned at once: the foul is spared, the game is lost by resignation.
    fn spare(&mut self, color: Color, index: usize, line: u32) {
        let side = self.side(color);
        let foul = &mut side.fouls[index];
        foul.spared = true;
        foul.total -= foul.fouls;
        side.total -= foul.fouls;
        if foul.event == What::UntrueLimit {
            side.seconds_off = side.seconds_off.saturating_sub(300);
        }
        self.decision = None;
        self.lose(color, line, Reason::Resigned);
    }

    /// The first reason that decides stays.
    fn lose(&mut self, loser: Color, line: u32, reason: Reason) {
        self.decision.get_or_insert(Decision { loser, line, reason, article: reason.article() });
    }
}

#[cfg(test)]
mod tests;
