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
    /// The moves were given as the round to judge.
    Given,
    /// Nothing repeats.
    None,
}

/// A move of the judged plies.
#[derive(Clone, Debug)]
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

    /// The nine-round rule after this ply, if it applies: one side attacked with every one of its last nine moves.
    pub fn nine_rounds(&self, history: &History, ply: u32) -> Option<Judgement> {
        if self.rules.edition != Edition::Y2011 {
            return None;
        }
        let sides = history.nine_rounds_at(ply);
        if sides.is_empty() {
            return None;
        }
        let mut judgement = self.round(&history.stretch(ply - 17, ply));
        let attacks = |side| judgement.labels(side).iter().all(|label| label.is_attack());
        if !sides.into_iter().any(attacks) {
            return None;
        }
        judgement.ground = Ground::NineRounds;
        judgement.claimable = true;
        judgement.from_ply = ply - 17;
        judgement.ruling.articles.push("23.4");
        Some(judgement)
    }

    /// What a claim after this ply would bring.
    pub fn at(&self, history: &History, ply: u32) -> Judgement {
        let repetition = history.repetition_at(ply);
        if let Some(repetition) = repetition.filter(|r| r.satisfies(self.profile)) {
            return self.repetition(history, &repetition);
        }
        if let Some(judgement) = self.nine_rounds(history, ply) {
            return judgement;
        }
        repetition.map_or_else(|| self.nothing(), |repetition| self.repetition(history, &repetition))
    }

    /// The first claim that was well founded; else the longest repetition, which no claim could yet be made on.
    pub fn game(&self, history: &History) -> Judgement {
        if let Some(repetition) = history.first_claim(self.profile) {
            return self.repetition(history, &repetition);
        }
        if let Some(judgement) = self.first_nine_rounds(history) {
            return judgement;
        }
        let longest = history.repetitions().into_iter().max_by_key(|r| (r.occurrences, r.rounds, r.ply));
        longest.map_or_else(|| self.nothing(), |repetition| self.repetition(history, &repetition))
    }

    /// The first ply after which the nine-round rule applies. Labels every ply: slow.
    pub fn first_nine_rounds(&self, history: &History) -> Option<Judgement> {
        if self.rules.edition != Edition::Y2011 {
            return None;
        }
        // Each ply is labelled once; the run of attacks of each side is carried along.
        let mut position = history.position(0);
        let mut runs = [0u32; 2];
        for (ply, &m) in (1..).zip(history.moves()) {
            let side = position.side_to_move();
            runs[side.index()] =
                if label_move(&position, m, &self.rules).label.is_attack() { runs[side.index()] + 1 } else { 0 };
            position.play(m);
            if runs.iter().any(|&run| run >= 9)
                && let Some(judgement) = self.nine_rounds(history, ply)
            {
                return Some(judgement);
            }
        }
        None
    }
}
