//! Who must change: the verdict of each edition on the labels of one period.
//!
//! Comes in: the labels of both sides in order. Goes out: the verdict, the articles that decide, and the stage at which
//! it takes effect. No board is needed here, so printed labels can be judged as well as computed ones.

use super::edition::Edition;
use super::label::Label;
use crate::board::Color;
use std::fmt;

/// What a repetition comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub enum Verdict {
    /// Neither side need change.
    #[serde(rename = "draw")]
    Draw,
    /// Red must change and loses if it does not.
    #[serde(rename = "red-loses")]
    RedLoses,
    /// Black must change and loses if it does not.
    #[serde(rename = "black-loses")]
    BlackLoses,
    /// The text leaves it to the arbiters.
    #[serde(rename = "arbiter")]
    Arbiter,
    /// It depends on a label that the node budget left open.
    #[serde(rename = "undetermined")]
    Undetermined,
    /// There is no repetition to judge.
    #[serde(rename = "none")]
    None,
}

impl Verdict {
    /// This side must change.
    pub const fn against(side: Color) -> Verdict {
        match side {
            Color::Red => Verdict::RedLoses,
            Color::Black => Verdict::BlackLoses,
        }
    }

    /// The side that must change, if one must.
    pub const fn at_fault(self) -> Option<Color> {
        match self {
            Verdict::RedLoses => Some(Color::Red),
            Verdict::BlackLoses => Some(Color::Black),
            _ => None,
        }
    }

    /// The name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Draw => "draw",
            Verdict::RedLoses => "red-loses",
            Verdict::BlackLoses => "black-loses",
            Verdict::Arbiter => "arbiter",
            Verdict::Undetermined => "undetermined",
            Verdict::None => "none",
        }
    }

    /// In Chinese.
    pub const fn chinese(self) -> &'static str {
        match self {
            Verdict::Draw => "不变作和",
            Verdict::RedLoses => "红方不变作负",
            Verdict::BlackLoses => "黑方不变作负",
            Verdict::Arbiter => "由裁判决定",
            Verdict::Undetermined => "在预算内未能断定",
            Verdict::None => "无可裁定",
        }
    }

    /// The same verdict with the sides changed over.
    pub const fn swapped(self) -> Verdict {
        match self {
            Verdict::RedLoses => Verdict::BlackLoses,
            Verdict::BlackLoses => Verdict::RedLoses,
            other => other,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// When a verdict takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// 立即判负: one-sided perpetual check loses at once (2011 23.5.1).
    LosesAtOnce,
    /// 须变着, 不变作负: the side at fault must change, and loses if it goes on (2011 23.5.2.2).
    MustChange,
    /// 不变作和: a draw if neither changes (2011 23.5.2.1).
    DrawIfUnchanged,
    /// Not for a program to say.
    Open,
}

/// A move of the period, as far as the verdict needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Its name.
    pub label: Label,
    /// A 捉 of the lighter kind: 联合捉子, on a 少根子, or only by checks.
    pub light: bool,
    /// A 捉 of a rook.
    pub rook: bool,
    /// The label may be another in truth: the budget ended first.
    pub open: bool,
}

impl Judged {
    /// A move of which only the name is known.
    pub const fn named(label: Label) -> Judged {
        Judged { label, light: false, rook: false, open: false }
    }
}

/// Verdict, stage and articles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The verdict.
    pub verdict: Verdict,
    /// When it takes effect.
    pub stage: Stage,
    /// Articles of the edition that decide.
    pub articles: Vec<&'static str>,
}

impl Ruling {
    fn new(verdict: Verdict, stage: Stage, articles: &[&'static str]) -> Ruling {
        Ruling { verdict, stage, articles: articles.to_vec() }
    }
}

/// Judges one period. `moves[0]` are Red's moves in order, `moves[1]` Black's.
pub fn judge(edition: Edition, moves: [&[Judged]; 2]) -> Ruling {
    if moves.iter().any(|side| side.is_empty()) {
        return Ruling::new(Verdict::None, Stage::Open, &[]);
    }
    let ruling = settle(edition, moves);
    if !moves.iter().copied().flatten().any(|m| m.open) {
        return ruling;
    }
    // An open label may be anything; the ruling stands only if it is the same whatever the open labels of a side are.
    let chase = |light| Judged { light, ..Judged::named(Label::Chase) };
    let instead = [
        None,
        Some(Judged::named(Label::Idle)),
        Some(Judged::named(Label::Kill)),
        Some(chase(true)),
        Some(chase(false)),
    ];
    let variant = |side: usize, instead: Option<Judged>| -> Vec<Judged> {
        moves[side].iter().map(|&m| if m.open { instead.unwrap_or(m) } else { m }).collect()
    };
    for (red, black) in instead.iter().flat_map(|&red| instead.iter().map(move |&black| (red, black))) {
        let (red, black) = (variant(0, red), variant(1, black));
        if settle(edition, [&red, &black]).verdict != ruling.verdict {
            return Ruling::new(Verdict::Undetermined, Stage::Open, &[]);
        }
    }
    ruling
}

fn settle(edition: Edition, moves: [&[Judged]; 2]) -> Ruling {
    let checks = moves.map(|side| side.iter().all(|m| m.label == Label::Check));
    let attacks = moves.map(|side| side.iter().all(|m| m.label.is_attack()));
    match edition {
        Edition::Y1956 => old(checks, attacks),
        Edition::Y1987 => middle(checks, attacks),
        Edition::Y1999 | Edition::Y2011 | Edition::Axf => modern(moves, checks, attacks),
    }
}

/// The one side that answers yes, if just one does.
fn only(sides: [bool; 2]) -> Option<Color> {
    match sides {
        [true, false] => Some(Color::Red),
        [false, true] => Some(Color::Black),
        _ => None,
    }
}

fn old(checks: [bool; 2], attacks: [bool; 2]) -> Ruling {
    if let Some(side) = only(checks) {
        return Ruling::new(Verdict::against(side), Stage::MustChange, &["禁止着法一"]);
    }
    if checks[0] {
        return Ruling::new(Verdict::Draw, Stage::DrawIfUnchanged, &["和棋二之5"]);
    }
    match (only(attacks), attacks[0]) {
        (Some(side), _) => Ruling::new(Verdict::against(side), Stage::MustChange, &["禁止着法"]),
        // Both attack without end: the sheet has no rule for it and leaves it to the arbiters' meeting.
        (None, true) => Ruling::new(Verdict::Arbiter, Stage::Open, &["比赛规则5"]),
        (None, false) => Ruling::new(Verdict::Draw, Stage::DrawIfUnchanged, &["和棋二"]),
    }
}

fn middle(checks: [bool; 2], attacks: [bool; 2]) -> Ruling {
    if let Some(side) = only(checks) {
        return Ruling::new(Verdict::against(side), Stage::MustChange, &["5.3.4", "5.4.1"]);
    }
    if checks[0] {
        return Ruling::new(Verdict::Draw, Stage::DrawIfUnchanged, &["5.3.4"]);
    }
    match (only(attacks), attacks[0]) {
        (Some(side), _) => Ruling::new(Verdict::against(side), Stage::MustChange, &["5.3.3", "5.3.5"]),
        (None, true) => Ruling::new(Verdict::Draw, Stage::DrawIfUnchanged, &["5.3.2", "5.3.5"]),
        (None, false) => Ruling::new(Verdict::Draw, Stage::DrawIfUnchanged, &["5.3.1", "5.3.5"]),
    }
}

fn modern(moves: [&[Judged]; 2], checks: [bool; 2], attacks: [bool; 2]) -> Ruling {
    if let Some(side) = only(checks) {
        return Ruling::new(Verdict::against(side), Stage::LosesAtOnce, &["25.1", "23.5.1"]);
    }
    match (only(attacks), attacks[0]) {
        (Some(side), _) => Ruling::new(Verdict::against(side), Stage::MustChange, &["25.3", "24.13", "23.5.2.2"]),
        (None, false) => Ruling::new(Verdict::Draw, Stage::DrawIfUnchanged, &["25.2", "23.5.2.1"]),
        (None, true) => {
            let heavy = moves.map(|side| !side.iter().any(|m| m.label == Label::Chase && m.light));
            match only(heavy) {
                Some(side) => {
                    // 26.9.2 and 26.9.3 set like against like: rooks against rooks, other pieces against other pieces.
                    let like =
                        |rook| moves.iter().copied().flatten().all(|m| m.label == Label::Chase && m.rook == rook);
                    let article = match (like(true), like(false)) {
                        (true, _) => "26.9.2",
                        (_, true) => "26.9.3",
                        _ => "26.9.1",
                    };
                    Ruling::new(Verdict::against(side), Stage::MustChange, &["25.4", article, "23.5.2.2"])
                }
                None => Ruling::new(Verdict::Draw, Stage::DrawIfUnchanged, &["25.4", "26.9.4", "23.5.2.1"]),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<Judged> {
        // 联 stands for a joint chase, 车 for a chase of a rook, 合 for a joint one of a rook.
        text.chars()
            .map(|c| match c {
                '联' => Judged { light: true, ..Judged::named(Label::Chase) },
                '车' => Judged { rook: true, ..Judged::named(Label::Chase) },
                '合' => Judged { light: true, rook: true, ..Judged::named(Label::Chase) },
                c => Judged::named(Label::from_hanzi(c).unwrap()),
            })
            .collect()
    }

    fn ruling(edition: Edition, red: &str, black: &str) -> Ruling {
        judge(edition, [&moves(red), &moves(black)])
    }

    #[test]
    fn each_edition_judges_the_same_labels_its_own_way() {
        use Verdict::*;
        let rows = [
            // red, black, 1956, 1987, 2011
            ("将将", "闲闲", RedLoses, RedLoses, RedLoses),
            ("将将", "将将", Draw, Draw, Draw),
            ("闲闲", "将将", BlackLoses, BlackLoses, BlackLoses),
            ("将将", "杀捉", RedLoses, RedLoses, RedLoses),
            ("将捉", "闲捉", RedLoses, RedLoses, RedLoses),
            ("将闲", "闲闲", Draw, Draw, Draw),
            ("兑兑", "拦跟", Draw, Draw, Draw),
            ("捉捉", "捉捉", Arbiter, Draw, Draw),
            ("捉捉", "联联", Arbiter, Draw, RedLoses),
            ("联捉", "车车", Arbiter, Draw, BlackLoses),
            ("杀杀", "捉捉", Arbiter, Draw, Draw),
            ("联联", "捉联", Arbiter, Draw, Draw),
        ];
        for (red, black, y1956, y1987, y2011) in rows {
            for (edition, verdict) in [(Edition::Y1956, y1956), (Edition::Y1987, y1987), (Edition::Y2011, y2011)] {
                assert_eq!(ruling(edition, red, black).verdict, verdict, "{edition}: {red} {black}");
                assert_eq!(ruling(edition, black, red).verdict, verdict.swapped(), "{edition}: {black} {red}");
            }
        }
    }

    #[test]
    fn the_stage_tells_loss_at_once_from_must_change() {
        // REP-13
        assert_eq!(ruling(Edition::Y2011, "将将", "闲闲").stage, Stage::LosesAtOnce);
        assert_eq!(ruling(Edition::Y2011, "捉捉", "闲闲").stage, Stage::MustChange);
        assert_eq!(ruling(Edition::Y2011, "捉闲", "闲闲").stage, Stage::DrawIfUnchanged);
    }

    #[test]
    fn articles_name_what_is_chased() {
        assert!(ruling(Edition::Y2011, "车车", "合合").articles.contains(&"26.9.2"));
        assert!(ruling(Edition::Y2011, "车车", "联联").articles.contains(&"26.9.1"));
        assert!(ruling(Edition::Y2011, "捉捉", "联联").articles.contains(&"26.9.3"));
        assert!(ruling(Edition::Y2011, "将捉", "联联").articles.contains(&"26.9.1"));
        assert!(ruling(Edition::Y2011, "捉捉", "捉捉").articles.contains(&"26.9.4"));
    }

    #[test]
    fn an_open_label_matters_only_where_the_verdict_hangs_on_it() {
        let mut red = moves("捉闲");
        let black = moves("闲闲");
        red[1].open = true;
        assert_eq!(judge(Edition::Y2011, [&red, &black]).verdict, Verdict::Undetermined);
        red[0].label = Label::Idle;
        assert_eq!(judge(Edition::Y2011, [&red, &black]).verdict, Verdict::Draw);
    }
}
