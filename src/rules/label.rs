//! The nature of one move: 将 杀 捉 or 闲, with the finer names 兑 献 拦 跟.

use super::analysis::{Analysis, Line};
use super::edition::Ruleset;
use super::threat::{Fresh, Moment, Threat};
use super::verdict::Judged;
use crate::board::{Kind, Move, Position, Square};
use std::fmt;

/// What a move is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub enum Label {
    /// 将: gives check.
    #[serde(rename = "将")]
    Check,
    /// 杀: threatens mate by checks.
    #[serde(rename = "杀")]
    Kill,
    /// 捉: threatens to win a piece.
    #[serde(rename = "捉")]
    Chase,
    /// 兑: offers an exchange of like pieces.
    #[serde(rename = "兑")]
    Exchange,
    /// 献: offers a piece.
    #[serde(rename = "献")]
    Offer,
    /// 拦: stands in the way of an enemy piece.
    #[serde(rename = "拦")]
    Block,
    /// 跟: follows a protected piece.
    #[serde(rename = "跟")]
    Follow,
    /// 闲: nothing of all this.
    #[serde(rename = "闲")]
    Idle,
}

impl Label {
    /// The character used in the rules.
    pub const fn hanzi(self) -> char {
        match self {
            Label::Check => '将',
            Label::Kill => '杀',
            Label::Chase => '捉',
            Label::Exchange => '兑',
            Label::Offer => '献',
            Label::Block => '拦',
            Label::Follow => '跟',
            Label::Idle => '闲',
        }
    }

    /// The name in English.
    pub const fn name(self) -> &'static str {
        match self {
            Label::Check => "check",
            Label::Kill => "threat of mate",
            Label::Chase => "chase",
            Label::Exchange => "exchange offer",
            Label::Offer => "sacrifice offer",
            Label::Block => "block",
            Label::Follow => "follow",
            Label::Idle => "idle",
        }
    }

    /// The label a character stands for.
    pub fn from_hanzi(hanzi: char) -> Option<Label> {
        use Label::*;
        [Check, Kill, Chase, Exchange, Offer, Block, Follow, Idle].into_iter().find(|label| label.hanzi() == hanzi)
    }

    /// 打: check, threat of mate or threat on a piece. All other moves are allowed for ever.
    pub const fn is_attack(self) -> bool {
        matches!(self, Label::Check | Label::Kill | Label::Chase)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.hanzi())
    }
}

/// A labelled move with everything that speaks for the label.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The position before the move.
    pub before: Position,
    /// The move.
    pub m: Move,
    /// Its name.
    pub label: Label,
    /// The mating line of a 杀.
    pub mate: Option<Line>,
    /// A mate that the moved side could already give before the move, and that therefore does not count.
    pub standing_mate: Option<Line>,
    /// The fresh threats of a 捉 (also under a heavier label).
    pub threats: Vec<Threat>,
    /// Threats by capture that stood before the move and therefore do not count.
    pub standing: Vec<Threat>,
    /// Exchange offers: the offering piece and the like piece it offers itself to, where they stand after the move.
    pub offers: Vec<(Square, Square)>,
    /// An exception of the edition that makes the move idle: its article.
    pub exception: Option<&'static str>,
    /// The budget ended before everything was looked at: the label may be heavier or lighter in truth.
    pub undetermined: bool,
    /// Positions looked at.
    pub nodes: u32,
}

impl Labelled {
    /// For 26.9: whether the chase is neither 捉车 nor 捉无根子 but one of the lighter kinds.
    pub fn is_light(&self) -> bool {
        let (escape, own): (Vec<&Threat>, Vec<&Threat>) = self.threats.iter().partition(|threat| threat.by_escape);
        let decisive = if own.is_empty() { escape } else { own };
        self.label == Label::Chase && decisive.into_iter().all(Threat::is_light)
    }

    /// What the verdict needs of this move.
    pub fn judged(&self) -> Judged {
        Judged {
            label: self.label,
            light: self.is_light(),
            rook: self.label == Label::Chase && self.threats.iter().any(|threat| threat.piece.kind() == Kind::Rook),
            open: self.undetermined && !matches!(self.label, Label::Check | Label::Kill),
        }
    }
}

/// Labels a legal move.
pub fn label_move(before: &Position, m: Move, rules: &Ruleset) -> Labelled {
    let mut analysis = Analysis::new(rules);
    let moment = Moment::new(before, m);
    let mut labelled = Labelled {
        before: *before,
        m,
        label: Label::Idle,
        mate: None,
        standing_mate: None,
        threats: Vec::new(),
        standing: Vec::new(),
        offers: Vec::new(),
        exception: None,
        undetermined: false,
        nodes: 0,
    };
    let king_moved = before.piece_at(m.from()).is_some_and(|piece| piece.kind() == Kind::King);
    if moment.after.is_check() {
        labelled.label = Label::Check;
    } else if !(rules.king_answer_is_idle && king_moved && before.is_check()) {
        let mut fresh = analysis.fresh(&moment);
        labelled.exception = analysis.drop_excepted(&moment, &mut fresh);
        labelled.undetermined = fresh.mate_open || analysis.is_exhausted();
        labelled.label = if fresh.mate.is_some() {
            Label::Kill
        } else if !fresh.threats.is_empty() {
            Label::Chase
        } else {
            analysis.idle_name(&moment, &fresh)
        };
        labelled.mate = fresh.mate;
        labelled.standing_mate = fresh.standing_mate;
        labelled.threats = fresh.threats;
        labelled.standing = fresh.standing;
        labelled.offers = fresh.offers;
    } else {
        labelled.exception = Some("26.1.2");
    }
    labelled.nodes = analysis.nodes_spent();
    labelled
}

impl Analysis<'_> {
    /// Takes out the threats an edition allows; the article, if that leaves none.
    fn drop_excepted(&self, moment: &Moment, fresh: &mut Fresh) -> Option<&'static str> {
        if !self.rules.lone_defender || fresh.threats.is_empty() {
            return None;
        }
        let attackers = |color| {
            let attacks = |kind| matches!(kind, Kind::Rook | Kind::Horse | Kind::Cannon | Kind::Pawn);
            let after = &moment.after;
            after
                .squares_of_side(color)
                .filter(|&square| after.piece_at(square).is_some_and(|piece| attacks(piece.kind())))
                .count()
        };
        if attackers(moment.side()) != 1 || attackers(!moment.side()) < 2 {
            return None;
        }
        fresh.threats.retain(|threat| !matches!(threat.piece.kind(), Kind::Advisor | Kind::Elephant));
        fresh.threats.is_empty().then_some("26.2")
    }
}
