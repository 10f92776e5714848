//! What `yipu judge` says of one judgement: text for people, a line of JSON, findings.

use super::super::reading::GameRef;
use super::super::{Context, Lang};
use super::Args;
use serde::Serialize;
use std::io::Write;
use yipu::board::{Color, Move, Position, Square};
use yipu::diag::{Finding, codes};
use yipu::diagram::Diagram;
use yipu::format::ReadGame;
use yipu::game::GameResult;
use yipu::rules::{
    Edition, Ground, History, Judgeable, Judgement, Label, Means, Profile, Root, Stage, Threat, Tongue, Verdict,
    move_text, reason, ruling_text, summary,
};

/// A move as the JSON tells it.
#[derive(Serialize)]
struct MoveLine {
    ply: u32,
    uci: Move,
    chinese: String,
    label: Label,
    text: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    threats: Vec<ThreatLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<Vec<Move>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    undetermined: bool,
}

#[derive(Serialize)]
struct ThreatLine {
    means: Means,
    capturer: Square,
    victim: Square,
    piece: char,
    root: Root,
    joint: bool,
    line: Vec<Move>,
}

/// A judgement as the JSON tells it.
#[derive(Serialize)]
pub(super) struct Line {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    edition: Edition,
    profile: Profile,
    claimable: bool,
    ground: Ground,
    first_ply: Option<u32>,
    /// The ply after which the claim stands.
    ply: Option<u32>,
    period: Option<u32>,
    repeats: u32,
    occurrences: u32,
    /// The ply after which nine rounds to and fro may found a claim, where the repetition does not yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    idle_rounds: Option<u32>,
    /// The position before the first judged move.
    fen: Option<String>,
    red: Vec<Label>,
    black: Vec<Label>,
    verdict: Verdict,
    stage: Stage,
    articles: Vec<&'static str>,
    ruling: String,
    reasons: Vec<MoveLine>,
    /// The first ply each count is reached on.
    profiles: Vec<ProfileLine>,
    /// By which ply after the claim the side at fault changed, where the record goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

#[derive(Serialize)]
struct ProfileLine {
    name: Profile,
    ply: Option<u32>,
}

pub(super) fn tongue(context: &Context) -> Tongue {
    match context.lang {
        Lang::Zh => Tongue::Zh,
        Lang::En => Tongue::En,
    }
}

/// Whether the record ends inside the repetition.
fn ends_inside(judgement: &Judgement, history: &History) -> bool {
    judgement.ground == Ground::Repetition
        && judgement
            .repetition
            .is_some_and(|r| history.repetition_at(history.plies()).is_some_and(|last| last.first_ply == r.first_ply))
}

/// What the end of a record says about a ruling: a result that is not the one the rules give, or a claim that could have
/// been made and was not.
pub(super) fn finding(judgement: &Judgement, history: &History, result: GameResult) -> Option<Finding> {
    let ruled = match judgement.ruling.verdict {
        Verdict::RedLoses => Some(GameResult::BlackWins),
        Verdict::BlackLoses => Some(GameResult::RedWins),
        Verdict::Draw => Some(GameResult::Draw),
        Verdict::Arbiter | Verdict::Undetermined | Verdict::None => None,
    };
    let verdict = judgement.ruling.verdict;
    let rules = match judgement.edition {
        Edition::Axf => "亚洲(世界)".to_string(),
        edition => format!("{edition}年"),
    };
    let stood_thrice = judgement.claimable || judgement.repetition.is_some_and(|r| r.occurrences >= 3);
    let inside = ends_inside(judgement, history) && result != GameResult::Unknown;
    let found = match ruled {
        // Who need not change may still resign or lose on time: only a full claim makes a draw certain.
        Some(ruled) if inside && stood_thrice && (judgement.claimable || ruled != GameResult::Draw) => {
            if result == ruled {
                return None;
            }
            Finding::new(
                codes::RESULT_AGAINST_RULING,
                yipu::say!(
                    "the record says {}, the rules of {} say {}",
                    result.token(),
                    judgement.edition,
                    verdict;
                    "记录的结果是 {}，而按{}规则{}",
                    result.token(),
                    rules,
                    verdict.chinese()
                ),
            )
        }
        _ if judgement.claimable => Finding::new(
            codes::UNCLAIMED_REPETITION,
            yipu::say!("ruling: {}", verdict; "裁定：按{}规则{}", rules, verdict.chinese()),
        ),
        _ => return None,
    };
    Some(found.ply(judgement.last_ply()))
}

/// The plies given to change (23.5.2).
const TWO_ROUNDS: u32 = 4;

/// Which ply after a claim first left the repetition, if the side at fault changed within the two rounds it has (23.5.2);
/// `None` if nothing is to be said: no claim, or the record ends with it.
fn changed(judgement: &Judgement, history: &History) -> Option<Option<u32>> {
    let side = judgement.ruling.verdict.at_fault()?;
    let repetition = judgement.repetition.filter(|r| r.ply < history.plies())?;
    if !judgement.claimable || judgement.ruling.stage != Stage::MustChange {
        return None;
    }
    let changed = history.changed_within(&repetition, side, TWO_ROUNDS);
    // A record that ends before the two rounds are over says nothing.
    (changed.is_some() || history.plies() >= repetition.ply + TWO_ROUNDS).then_some(changed)
}

/// The judgement as a line of JSON.
pub(super) fn line(judgement: &Judgement, history: &History, tongue: Tongue) -> Line {
    let reasons = (judgement.from_ply..)
        .zip(&judgement.moves)
        .map(|(ply, m)| {
            let (threats, mate, undetermined) = match m {
                Judgeable::Chinese(labelled) => (
                    labelled.threats.iter().map(threat_line).collect(),
                    labelled.mate.map(|line| line.iter().collect()),
                    labelled.undetermined,
                ),
                Judgeable::Axf(_) => (Vec::new(), None, false),
            };
            MoveLine {
                ply,
                uci: m.m(),
                chinese: move_text(m.m(), m.before(), Tongue::Zh),
                label: m.label(),
                text: reason(m, judgement.edition, tongue),
                threats,
                mate,
                undetermined,
            }
        })
        .collect();
    let repetition = judgement.repetition;
    Line {
        file: None,
        game: None,
        edition: judgement.edition,
        profile: judgement.profile,
        claimable: judgement.claimable,
        ground: judgement.ground,
        first_ply: repetition.map(|r| r.first_ply).or((judgement.from_ply > 0).then_some(judgement.from_ply)),
        ply: (judgement.from_ply > 0).then(|| judgement.last_ply()),
        period: repetition.map(|r| r.period),
        repeats: repetition.map_or(0, |r| r.rounds),
        occurrences: repetition.map_or(0, |r| r.occurrences),
        idle_rounds: judgement.idle_rounds,
        fen: judgement.moves.first().map(|m| m.before().to_fen()),
        red: judgement.labels(Color::Red),
        black: judgement.labels(Color::Black),
        verdict: judgement.ruling.verdict,
        stage: judgement.ruling.stage,
        articles: judgement.ruling.articles.clone(),
        ruling: ruling_text(judgement, tongue),
        reasons,
        profiles: Profile::ALL
            .into_iter()
            .map(|name| ProfileLine { name, ply: history.first_claim(name).map(|r| r.ply) })
            .collect(),
        changed: changed(judgement, history).flatten(),
        result: None,
        findings: Vec::new(),
    }
}

fn threat_line(threat: &Threat) -> ThreatLine {
    ThreatLine {
        means: threat.means,
        capturer: threat.capturer,
        victim: threat.victim,
        piece: threat.piece.letter(),
        root: threat.root,
        joint: threat.joint,
        line: threat.line.iter().collect(),
    }
}

/// Shows the judgement of a game, or of moves given, with what was found about the position and what speaks against the
/// record's result.
pub(super) fn show(
    args: &Args,
    context: &Context,
    judgement: &Judgement,
    history: &History,
    game: Option<(&GameRef, &ReadGame)>,
    mut findings: Vec<Finding>,
) -> anyhow::Result<()> {
    if let Some((reference, read)) = game
        && let Some(mut finding) = finding(judgement, history, read.game.result)
    {
        finding.locate(&reference.file.display().to_string(), Some(reference.number));
        context.finding(&finding);
        findings.push(finding);
    }
    if context.json {
        let mut line = line(judgement, history, tongue(context));
        if let Some((reference, read)) = game {
            line.file = Some(reference.file.display().to_string());
            line.game = Some(reference.number);
            line.result = Some(read.game.result);
        }
        line.findings = findings;
        return context.json_line(&line);
    }
    text(args, context, judgement, history, "")
}

/// The judgement as text, every line after this margin.
pub(super) fn text(
    args: &Args,
    context: &Context,
    judgement: &Judgement,
    history: &History,
    margin: &str,
) -> anyhow::Result<()> {
    let mut out = context.out();
    let said = summary(judgement, tongue(context));
    // The rules and the claim, then one line a judged move.
    let first = 2;
    for (n, line) in said.iter().enumerate() {
        if args.diagram && n == first && !judgement.moves.is_empty() {
            write!(out, "{}", diagram(judgement.moves[0].before(), None, margin))?;
        }
        writeln!(out, "{margin}{line}")?;
        if args.diagram
            && let Some(judged) = n.checked_sub(first).and_then(|n| judgement.moves.get(n))
        {
            let mut after = *judged.before();
            after.play(judged.m());
            write!(out, "{}", diagram(&after, Some(judged.m()), margin))?;
        }
    }
    match changed(judgement, history) {
        Some(Some(ply)) => writeln!(
            out,
            "{margin}{}",
            context.say(&format!("应变一方已于第{ply}着变着"), &format!("the side at fault did change, at ply {ply}"))
        )?,
        Some(None) => writeln!(
            out,
            "{margin}{}",
            context.say("应变一方其后两回合内未变着", "the side at fault did not change within the next two rounds")
        )?,
        None => {}
    }
    Ok(())
}

/// The board as text, Red at the bottom, with the letters of the files below it.
fn diagram(position: &Position, last: Option<Move>, margin: &str) -> String {
    let mut diagram = Diagram::new(position);
    if let Some(m) = last {
        diagram = diagram.last_move(m);
    }
    let mut text = String::new();
    for line in diagram.to_text().lines() {
        text.push_str(&format!("{margin}      {line}\n"));
    }
    text.push_str(&format!("{margin}         a   b   c   d   e   f   g   h   i\n"));
    text
}
