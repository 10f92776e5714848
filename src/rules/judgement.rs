//! One judgement: the round, its labels, the ruling.
//!
//! Comes in: a line of play and an edition. Goes out: a [`Judgement`] with everything an arbiter reads out; `words.rs`
//! puts it into sentences.

use super::axf::{AxfMove, axf_move, judge_axf};
use super::claim::{History, Profile, Repetition};
use super::edition::{Edition, Ruleset};
use super::label::{Label, Labelled, label_move};
use super::verdict::{Judged, Ruling, Stage, Verdict, judge};
use crate::board::{Color, Move, Position, Square};

/// On what ground the plies are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// A round repeats.
    Repetition,
    /// Nine rounds of attacks on three or more points (23.4).
    NineRounds,
    /// Nine rounds of allowed moves to and fro on three or more points: if the arbiter finds them without positive
    /// meaning, a claim is well founded (23.4).
    NineIdleRounds,
    /// The moves were given as the round to judge.
    Given,
    /// Nothing repeats.
    None,
}

/// A move of the judged plies.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a period has a few dozen moves; a box each would save nothing")]
pub enum Judgeable {
    /// Under a Chinese edition.
    Chinese(Labelled),
    /// Under the Asian rules.
    Axf(AxfMove),
}

impl Judgeable {
    /// The move.
    pub fn m(&self) -> Move {
        match self {
            Judgeable::Chinese(labelled) => labelled.m,
            Judgeable::Axf(axf) => axf.m,
        }
    }

    /// The position before it.
    pub fn before(&self) -> &Position {
        match self {
            Judgeable::Chinese(labelled) => &labelled.before,
            Judgeable::Axf(axf) => &axf.before,
        }
    }

    /// Its name. Under the Asian rules 将, 捉 or 闲.
    pub fn label(&self) -> Label {
        match self {
            Judgeable::Chinese(labelled) => labelled.label,
            Judgeable::Axf(axf) if axf.check => Label::Check,
            Judgeable::Axf(axf) if !axf.chases.is_empty() => Label::Chase,
            Judgeable::Axf(_) => Label::Idle,
        }
    }
}

/// What is said about a line of play.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The rules.
    pub edition: Edition,
    /// The count in force.
    pub profile: Profile,
    /// Why these plies are judged.
    pub ground: Ground,
    /// Whether a claim is well founded.
    pub claimable: bool,
    /// The repetition, where there is one.
    pub repetition: Option<Repetition>,
    /// Where the repetition founds no claim yet: the ply after which nine rounds to and fro (23.4) may found one, if the
    /// arbiter finds them without positive meaning.
    pub idle_rounds: Option<u32>,
    /// The first judged ply, from 1.
    pub from_ply: u32,
    /// The judged plies.
    pub moves: Vec<Judgeable>,
    /// Verdict, stage, articles.
    pub ruling: Ruling,
    /// Under the Asian rules: the pieces each side chases with every move, where they stood before the first judged ply.
    pub chased: [Vec<Square>; 2],
}

impl Judgement {
    /// The last judged ply; 0 if nothing is judged.
    pub fn last_ply(&self) -> u32 {
        (self.from_ply + self.moves.len() as u32).saturating_sub(1)
    }

    /// Whether the ground of the judgement is certain, whatever the ruling.
    fn is_settled(&self) -> bool {
        self.claimable || self.ruling.verdict != Verdict::Undetermined
    }

    /// The labels of one side in order.
    pub fn labels(&self, side: Color) -> Vec<Label> {
        self.moves.iter().filter(|m| m.before().side_to_move() == side).map(Judgeable::label).collect()
    }
}

/// Judges lines of play under one edition, with one count.
#[derive(Clone, Copy, Debug)]
pub struct Judge {
    /// What counts as a threat.
    pub rules: Ruleset,
    /// What makes a claim well founded.
    pub profile: Profile,
}

impl Judge {
    /// The judge of an edition with its own count: three rounds, or the third occurrence under the Asian rules.
    pub fn new(edition: Edition) -> Judge {
        let profile = if edition.is_axf() { Profile::ThirdOccurrence } else { Profile::ThreeRounds };
        Judge { rules: edition.ruleset(), profile }
    }

    /// Judges the plies as one round, whatever repeats.
    pub fn round(&self, plies: &[(Position, Move)]) -> Judgement {
        let edition = self.rules.edition;
        let mut judgement = self.nothing();
        judgement.ground = Ground::Given;
        judgement.from_ply = 1;
        if edition.is_axf() {
            let moves: Vec<AxfMove> = plies.iter().map(|(before, m)| axf_move(before, *m, &self.rules)).collect();
            let (ruling, chased) = judge_axf(&moves);
            judgement.ruling = ruling;
            judgement.chased = chased;
            judgement.moves = moves.into_iter().map(Judgeable::Axf).collect();
        } else {
            let moves: Vec<Labelled> = plies.iter().map(|(before, m)| label_move(before, *m, &self.rules)).collect();
            let of = |side: Color| -> Vec<Judged> {
                moves.iter().filter(|m| m.before.side_to_move() == side).map(Labelled::judged).collect()
            };
            judgement.ruling = judge(edition, [&of(Color::Red), &of(Color::Black)]);
            judgement.moves = moves.into_iter().map(Judgeable::Chinese).collect();
        }
        judgement
    }

    fn nothing(&self) -> Judgement {
        Judgement {
            edition: self.rules.edition,
            profile: self.profile,
            ground: Ground::None,
            claimable: false,
            repetition: None,
            idle_rounds: None,
            from_ply: 0,
            moves: Vec::new(),
            ruling: Ruling { verdict: Verdict::None, stage: Stage::Open, articles: Vec::new() },
            chased: [Vec::new(), Vec::new()],
        }
    }

    /// Judges the last round of a repetition.
    pub fn repetition(&self, history: &History, repetition: &Repetition) -> Judgement {
        let from = repetition.ply + 1 - repetition.period;
        let mut judgement = self.round(&history.stretch(from, repetition.ply));
        judgement.ground = Ground::Repetition;
        judgement.claimable = repetition.satisfies(self.profile);
        judgement.repetition = Some(*repetition);
        judgement.from_ply = from;
        judgement
    }

    /// The nine-round rule after this ply, if it applies: one side attacked with every one of its last nine moves, or
    /// only went to and fro.
    pub fn nine_rounds(&self, history: &History, ply: u32) -> Option<Judgement> {
        self.nine_rounds_with(history, ply, Ground::NineRounds, &mut Labels::default())
            .or_else(|| self.nine_rounds_with(history, ply, Ground::NineIdleRounds, &mut Labels::default()))
    }

    fn nine_rounds_with(&self, history: &History, ply: u32, ground: Ground, labels: &mut Labels) -> Option<Judgement> {
        if self.rules.edition != Edition::Y2011 {
            return None;
        }
        let attacks = ground == Ground::NineRounds;
        let sides = history.nine_rounds_at(ply).into_iter();
        let sides = sides.filter(|&(_, points)| attacks || points <= MOST_IDLE_POINTS);
        // Whether the nature of one of the nine moves is open; of two sides the one that is settled counts.
        let open = sides
            .filter_map(|(side, _)| {
                let mut open = false;
                let applies = !labels.barred(side, ply)
                    && history.last_nine(side, ply).all(|own| match self.attacks(history, own) {
                        Some(found) if found == attacks => true,
                        Some(_) => {
                            labels.bar(side, own);
                            false
                        }
                        None => {
                            open = true;
                            true
                        }
                    });
                applies.then_some(open)
            })
            .min()?;
        let mut judgement = self.round(&history.stretch(ply - 17, ply));
        judgement.ground = ground;
        judgement.from_ply = ply - 17;
        if open {
            judgement.ruling = Ruling { verdict: Verdict::Undetermined, stage: Stage::Open, articles: vec!["23.4"] };
        } else if attacks {
            judgement.claimable = true;
            // 长将 is a round made three times (24.9): without one, nine checks oblige to change and lose nothing yet.
            if judgement.ruling.stage == Stage::LosesAtOnce {
                judgement.ruling.stage = Stage::MustChange;
                judgement.ruling.articles.iter_mut().filter(|a| **a == "23.5.1").for_each(|a| *a = "23.5.2.2");
            }
            judgement.ruling.articles.push("23.4");
        } else {
            judgement.ruling = Ruling { verdict: Verdict::Arbiter, stage: Stage::Open, articles: vec!["23.4"] };
        }
        Some(judgement)
    }

    /// Whether this ply attacks; `None` if the budget ended before that was settled.
    fn attacks(&self, history: &History, ply: u32) -> Option<bool> {
        let (before, m) = *history.stretch(ply, ply).first()?;
        let judged = label_move(&before, m, &self.rules).judged();
        (!judged.open).then_some(judged.label.is_attack())
    }

    /// What a claim after this ply would bring.
    pub fn at(&self, history: &History, ply: u32) -> Judgement {
        let repetition = history.repetition_at(ply);
        if let Some(repetition) = repetition.filter(|r| r.satisfies(self.profile)) {
            return self.repetition(history, &repetition);
        }
        let nine = self.nine_rounds(history, ply);
        match (repetition, nine) {
            (_, Some(nine)) if nine.ground == Ground::NineRounds => nine,
            (Some(repetition), nine) => {
                let idle_rounds = nine.filter(Judgement::is_settled).map(|nine| nine.last_ply());
                Judgement { idle_rounds, ..self.repetition(history, &repetition) }
            }
            (None, Some(nine)) => nine,
            (None, None) => self.nothing(),
        }
    }

    /// The first claim that was well founded; else the longest repetition, which no claim could yet be made on, and nine
    /// rounds to and fro beside it; else these alone.
    pub fn game(&self, history: &History) -> Judgement {
        if let Some(repetition) = history.first_claim(self.profile) {
            return self.repetition(history, &repetition);
        }
        if let Some(judgement) = self.first_nine_rounds(history, Ground::NineRounds) {
            return judgement;
        }
        let nine = self.first_nine_rounds(history, Ground::NineIdleRounds);
        if let Some(longest) = history.repetitions().into_iter().max_by_key(|r| (r.occurrences, r.rounds, r.ply)) {
            let idle_rounds = nine.filter(Judgement::is_settled).map(|nine| nine.last_ply());
            return Judgement { idle_rounds, ..self.repetition(history, &longest) };
        }
        nine.unwrap_or_else(|| self.nothing())
    }

    /// The first ply after which the nine-round rule applies, on this ground; if there is none, the first after which it
    /// may, but for moves that the budget left open. Labels many plies: slow.
    pub fn first_nine_rounds(&self, history: &History, ground: Ground) -> Option<Judgement> {
        if self.rules.edition != Edition::Y2011 {
            return None;
        }
        let mut labels = Labels::default();
        let mut open = None;
        for ply in 18..=history.plies() {
            let Some(found) = self.nine_rounds_with(history, ply, ground, &mut labels) else { continue };
            if found.is_settled() {
                return Some(found);
            }
            open.get_or_insert(found);
        }
        open
    }
}

/// "Without positive meaning" (23.4) is asked of moves that come back to where they were: nine moves to so many points at
/// most.
const MOST_IDLE_POINTS: usize = 4;

/// For each side the last ply known to be of the wrong nature for nine rounds: no nine moves that include it need be
/// looked at, so that few plies of a long game are labelled.
#[derive(Debug, Default)]
struct Labels([u32; 2]);

impl Labels {
    fn bar(&mut self, side: Color, ply: u32) {
        self.0[side.index()] = self.0[side.index()].max(ply);
    }

    /// Whether the side's nine moves up to this ply include the barred one.
    fn barred(&self, side: Color, ply: u32) -> bool {
        self.0[side.index()] > 0 && ply < self.0[side.index()] + 18
    }
}
