//! A judgement in words that an arbiter can read aloud, in Chinese and English.

use super::analysis::Line;
use super::claim::Profile;
use super::edition::Edition;
use super::judgement::{Ground, Judgeable, Judgement};
use super::label::{Label, Labelled};
use super::threat::{Means, Root, Threat};
use super::value::Ledger;
use super::verdict::{Stage, Verdict};
use crate::board::{Color, Kind, Move, Piece, Position, Square};
use crate::notation::{Notation, Style, write_move};

/// The language of the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tongue {
    /// 中文
    Zh,
    /// English
    En,
}

impl Tongue {
    fn pick<'t>(self, zh: &'t str, en: &'t str) -> &'t str {
        match self {
            Tongue::Zh => zh,
            Tongue::En => en,
        }
    }

    fn side(self, side: Color) -> &'static str {
        match (self, side) {
            (Tongue::Zh, Color::Red) => "红方",
            (Tongue::Zh, Color::Black) => "黑方",
            (Tongue::En, Color::Red) => "Red",
            (Tongue::En, Color::Black) => "Black",
        }
    }

    fn piece(self, piece: Piece, square: Square) -> String {
        match self {
            Tongue::Zh => format!("{}({square})", piece.hanzi()),
            Tongue::En => format!("{} {square}", piece.kind().name()),
        }
    }

    fn join(self) -> &'static str {
        self.pick("、", ", ")
    }
}

/// A move as people write it: 炮二平五, or `h2e2`.
pub fn move_text(m: Move, position: &Position, tongue: Tongue) -> String {
    let notation = match tongue {
        Tongue::Zh => Notation::Chinese,
        Tongue::En => Notation::Uci,
    };
    let mut text = String::new();
    write_move(m, position, &Style::of(notation), &mut text);
    text
}

/// A line of moves from a position.
fn line_text(line: &Line, position: &Position, tongue: Tongue) -> String {
    let mut position = *position;
    let mut words = Vec::new();
    for m in line.iter() {
        words.push(move_text(m, &position, tongue));
        position.play(m);
    }
    words.join(tongue.pick("，", " "))
}

/// `得马，失炮` from the ledger of a line.
fn balance(ledger: &Ledger, side: Color, tongue: Tongue) -> String {
    let (won, lost) = ledger.pieces();
    let list = |pieces: Vec<(Kind, u8)>, owner: Color| -> String {
        let name = |(kind, n): (Kind, u8)| match tongue {
            Tongue::Zh => {
                let numeral = ["", "", "双", "三", "四", "五"].get(n as usize).copied().unwrap_or("多");
                format!("{numeral}{}", Piece::new(owner, kind).hanzi())
            }
            Tongue::En if n > 1 => format!("{n} {}s", kind.name()),
            Tongue::En => kind.name().to_string(),
        };
        pieces.into_iter().map(name).collect::<Vec<_>>().join(tongue.join())
    };
    let won: Vec<(Kind, u8)> = won.collect();
    let won = list(won, !side);
    let lost = list(lost.collect(), side);
    match (tongue, lost.is_empty()) {
        (Tongue::Zh, true) => format!("得{won}"),
        (Tongue::Zh, false) => format!("得{won}，失{lost}"),
        (Tongue::En, true) => format!("wins {won}"),
        (Tongue::En, false) => format!("wins {won} for {lost}"),
    }
}

fn threat_text(threat: &Threat, position: &Position, tongue: Tongue) -> String {
    let side = position.side_to_move();
    let by = position.piece_at(threat.capturer).map_or_else(String::new, |piece| tongue.piece(piece, threat.capturer));
    let victim = tongue.piece(threat.piece, threat.victim);
    let line = line_text(&threat.line, position, tongue);
    let gain = balance(&threat.ledger, side, tongue);
    let joint = threat.joint;
    match (tongue, threat.means) {
        (Tongue::Zh, Means::Capture) => {
            let root = if threat.root == Root::None { "无根" } else { "有根而保护不足的" };
            let how = if joint { "联合他子捉" } else { "捉" };
            format!("{by}{how}{root}{victim}：{line}，{gain}")
        }
        (Tongue::Zh, Means::Checks) => format!("借将军抽吃{victim}：{line}，{gain}"),
        (Tongue::En, Means::Capture) => {
            let root = if threat.root == Root::None { "unprotected" } else { "insufficiently protected" };
            let how = if joint { "together with another piece attacks" } else { "attacks" };
            format!("{by} {how} the {root} {victim}: {line} {gain}")
        }
        (Tongue::En, Means::Checks) => format!("wins the {victim} by checks: {line} {gain}"),
    }
}

/// Why a move has its label, in one sentence or a few.
pub fn reason(m: &Judgeable, edition: Edition, tongue: Tongue) -> String {
    match m {
        Judgeable::Chinese(labelled) => chinese_reason(labelled, edition, tongue),
        Judgeable::Axf(axf) => {
            let after = super::analysis::played(&axf.before, axf.m);
            let piece = |square: Square| after.piece_at(square).map_or_else(String::new, |p| tongue.piece(p, square));
            if axf.chases.is_empty() {
                return tongue
                    .pick(
                        if axf.check { "将军" } else { "没有新产生的捉" },
                        if axf.check { "gives check" } else { "no fresh chase" },
                    )
                    .to_string();
            }
            let chases: Vec<String> = axf
                .chases
                .iter()
                .map(|&(by, victim)| format!("{}{}{}", piece(by), tongue.pick("捉", " chases "), piece(victim)))
                .collect();
            let check = if axf.check { tongue.pick("将军；", "check; ") } else { "" };
            format!("{check}{}", chases.join(tongue.pick("；", "; ")))
        }
    }
}

fn chinese_reason(labelled: &Labelled, edition: Edition, tongue: Tongue) -> String {
    let after = super::analysis::played(&labelled.before, labelled.m);
    let threat_position = super::analysis::with_turn(&after, labelled.before.side_to_move());
    let piece = |square: Square| after.piece_at(square).map_or_else(String::new, |p| tongue.piece(p, square));
    let mut parts: Vec<String> = Vec::new();
    match labelled.label {
        Label::Check => {
            let by = after.attacker_of_king(after.side_to_move()).map(piece).unwrap_or_default();
            parts.push(match tongue {
                Tongue::Zh => format!("{by}将军"),
                Tongue::En => format!("the {by} gives check"),
            });
        }
        Label::Kill => {
            if let Some(line) = &labelled.mate {
                let line = line_text(line, &threat_position, tongue);
                parts.push(match tongue {
                    Tongue::Zh => format!("下一着起连将成杀：{line}"),
                    Tongue::En => format!("threatens mate by checks: {line}"),
                });
            }
        }
        Label::Chase => {}
        Label::Exchange | Label::Offer => {
            for &(by, of) in &labelled.offers {
                let what = if labelled.label == Label::Exchange {
                    ("邀兑", "offers an exchange to")
                } else {
                    ("献与", "offers itself to")
                };
                parts.push(
                    format!(
                        "{}{}{}{}",
                        piece(by),
                        tongue.pick("", " "),
                        tongue.pick(what.0, what.1),
                        tongue.pick("", " ")
                    ) + &piece(of),
                );
            }
        }
        Label::Block => parts.push(
            tongue
                .pick("拦阻对方棋子，并无攻击作用", "stands in the way of an enemy piece and threatens nothing")
                .to_string(),
        ),
        Label::Follow => parts.push(
            tongue
                .pick("盯住对方有根子，吃之无所得", "keeps an eye on a protected piece; taking it wins nothing")
                .to_string(),
        ),
        Label::Idle => {}
    }
    if labelled.label != Label::Check {
        parts.extend(labelled.threats.iter().take(3).map(|threat| threat_text(threat, &threat_position, tongue)));
    }
    if let Some(article) = labelled.exception {
        parts.push(format!("{article}{}{}", tongue.pick("：", ": "), self::article(edition, article, tongue)));
    }
    if !labelled.label.is_attack() {
        if let Some(line) = &labelled.standing_mate {
            let line = line_text(line, &threat_position, tongue);
            parts.push(match tongue {
                Tongue::Zh => format!("杀着原已存在，不算新杀：{line}"),
                Tongue::En => format!("no new threat of mate, it stood before the move: {line}"),
            });
        }
        for threat in labelled.standing.iter().take(2) {
            let text = threat_text(threat, &threat_position, tongue);
            parts.push(match tongue {
                Tongue::Zh => format!("原已存在，不算新捉：{text}"),
                Tongue::En => format!("nothing new, it stood before the move: {text}"),
            });
        }
    }
    if labelled.undetermined {
        parts.push(
            tongue
                .pick(
                    "预算用尽，未能查清全部杀、捉，性质未定",
                    "the budget ended before every threat was looked at: the nature of the move is not settled",
                )
                .to_string(),
        );
    }
    if parts.is_empty() {
        parts.push(tongue.pick("不将、不杀、不捉", "no check, no threat of mate, no threat on a piece").to_string());
    }
    parts.join(tongue.pick("；", "; "))
}

/// What an article says, in our words.
pub fn article(edition: Edition, id: &str, tongue: Tongue) -> &'static str {
    let (zh, en) = match (edition, id) {
        (Edition::Y1956, "禁止着法一") => ("不许长将", "perpetual check is forbidden"),
        (Edition::Y1956, "禁止着法") => {
            ("不许步步进攻而不变", "attacking with every move without change is forbidden")
        }
        (Edition::Y1956, "和棋二之5") => ("双方解将还将，不变作和", "both sides answer check with check: a draw"),
        (Edition::Y1956, "和棋二") => ("不属禁止着法，不变作和", "nothing forbidden on either side: a draw"),
        (Edition::Y1956, _) => ("规则未举，由评判员会议决定", "not covered: the arbiters' meeting decides"),
        (_, "5.3.1") => ("双方均为允许着法，不变作和", "allowed moves on both sides: a draw"),
        (_, "5.3.2") => {
            ("双方均为禁止着法(非长将)，不变作和", "forbidden moves on both sides, no perpetual check: a draw")
        }
        (_, "5.3.3") => ("一方禁止一方允许，前者变着", "forbidden moves against allowed ones: the former must change"),
        (_, "5.3.4") => {
            ("单方长将须变；双方长将作和", "one-sided perpetual check must change; on both sides it is a draw")
        }
        (_, "5.3.5") => ("长打对非长打，长打方变着", "who attacks with every move must change, unless both do"),
        (_, "5.4.1") => ("任何情况下不允许长将", "perpetual check is never allowed"),
        (_, "23.4") => (
            "三个以上点连续将、杀、捉或无积极意义的允许着法达九回合，可提请裁决",
            "nine rounds of attacks, or of allowed moves without positive meaning, on three or more points may be judged",
        ),
        (_, "23.5.1") => ("单方长将立即判负", "one-sided perpetual check loses at once"),
        (_, "23.5.2.1") => ("双方均可不变，两回合内不变判和", "a draw if neither changes within two rounds"),
        (_, "23.5.2.2") => {
            ("应变一方两回合内不变判负", "the side that must change loses if it does not within two rounds")
        }
        (_, "24.13") => ("单方循环的进攻着法为禁止着法", "one-sided repeated attacks are forbidden moves"),
        (_, "25.1") => ("任何情况下不允许单方长将", "one-sided perpetual check is never allowed"),
        (_, "25.2") => ("双方均为允许着法，不变作和", "allowed moves on both sides: a draw"),
        (_, "25.3") => ("一方禁止一方允许，前者变着", "forbidden moves against allowed ones: the former must change"),
        (_, "25.4") => ("双方均为禁止着法，依26.9", "forbidden moves on both sides: see 26.9"),
        (_, "26.1.2") => {
            ("走动帅(将)应将，附带的捉、杀按闲处理", "a king that answers check is idle whatever else it does")
        }
        (_, "26.2") => {
            ("守和方单子占据要点，附带捉士象按闲处理", "a lone defender's threats on advisors and elephants are idle")
        }
        (_, "26.9.1") => {
            ("攻势较重的一方(长杀、长捉车、长捉无根子等)变着", "the side with the heavier attack must change")
        }
        (_, "26.9.2") => {
            ("长捉车对联合捉车，前者变着", "perpetual chase of a rook against a joint chase: the former must change")
        }
        (_, "26.9.3") => (
            "长捉无根子对联合捉，前者变着",
            "perpetual chase of an unprotected piece against a joint chase: the former must change",
        ),
        (_, "26.9.4") => ("其余双方禁止着法，不变作和", "all other forbidden moves on both sides: a draw"),
        (_, "perpetual-check") => ("长将方变着", "perpetual check must change"),
        (_, "perpetual-chase") => ("长捉同一子的一方变着", "perpetual chase of one piece must change"),
        (_, "equal") => ("双方同等，作和", "equal on both sides: a draw"),
        _ => ("", ""),
    };
    tongue.pick(zh, en)
}

/// The ruling in sentences: who must change, and what happens if he does not.
pub fn ruling_text(judgement: &Judgement, tongue: Tongue) -> String {
    let ruling = &judgement.ruling;
    let text = match (ruling.verdict, ruling.stage) {
        (Verdict::RedLoses | Verdict::BlackLoses, stage) => {
            let side = tongue.side(ruling.verdict.at_fault().unwrap_or(Color::Red));
            match (tongue, stage) {
                (Tongue::Zh, Stage::LosesAtOnce) => format!("{side}单方长将，立即判负"),
                (Tongue::En, Stage::LosesAtOnce) => format!("{side} gives perpetual check and loses at once"),
                (Tongue::Zh, _) => format!("{side}须变着，不变作负"),
                (Tongue::En, _) => format!("{side} must change, and loses if it does not"),
            }
        }
        (Verdict::Draw, _) => {
            tongue.pick("双方均可不变，不变作和", "neither side need change: a draw if the moves go on").into()
        }
        (Verdict::Arbiter, _) => {
            tongue.pick("规则条文未定，由裁判决定", "the text does not settle it: the arbiter decides").into()
        }
        (Verdict::Undetermined, _) => tongue
            .pick(
                "在预算内未能断定：有着法的性质未定，结论系于此",
                "undetermined: the verdict hangs on a move that could not be settled within the budget",
            )
            .into(),
        (Verdict::None, _) => tongue.pick("没有循环，无可裁定", "nothing repeats: there is nothing to judge").into(),
    };
    let text = match weighed(judgement, tongue) {
        Some(weighed) => format!("{text}{}{weighed}", tongue.pick("：", ": ")),
        None => text,
    };
    // The Asian rules are named by what they say; their ids are for programs.
    let cite = |id: &str| match article(judgement.edition, id, tongue) {
        text if judgement.edition.is_axf() => text.to_string(),
        text => format!("{id} {text}"),
    };
    let articles: Vec<String> = ruling.articles.iter().map(|id| cite(id)).collect();
    if articles.is_empty() {
        text
    } else {
        match tongue {
            Tongue::Zh => format!("{text}。依据 {}", articles.join("；")),
            Tongue::En => format!("{text}. By {}", articles.join("; ")),
        }
    }
}

/// Where both sides attack with every move and 26.9 weighs them: which moves of each side are the lighter ones.
fn weighed(judgement: &Judgement, tongue: Tongue) -> Option<String> {
    judgement.ruling.articles.iter().find(|article| article.starts_with("26.9"))?;
    let sides = Color::ALL.map(|color| {
        let light = (judgement.from_ply..).zip(&judgement.moves).filter(|(_, m)| match m {
            Judgeable::Chinese(labelled) => {
                labelled.before.side_to_move() == color && labelled.label == Label::Chase && labelled.is_light()
            }
            Judgeable::Axf(_) => false,
        });
        let plies: Vec<String> = light.map(|(ply, _)| ply.to_string()).collect();
        let side = tongue.side(color);
        match (tongue, plies.is_empty()) {
            (Tongue::Zh, true) => format!("{side}各着均重"),
            (Tongue::Zh, false) => format!("{side}第{}着较轻(联合捉、捉少根子或抽吃)", plies.join("、")),
            (Tongue::En, true) => format!("{side} is heavy throughout"),
            (Tongue::En, false) => format!(
                "{side} is lighter at ply {} (a joint chase, a piece short of roots, or one won only by checks)",
                plies.join(", ")
            ),
        }
    });
    Some(sides.join(tongue.pick("，", ", ")))
}

fn idle_rounds_text(tongue: Tongue) -> &'static str {
    tongue.pick(
        "一方九回合均为允许着法，往返于三个以上点；若裁判认定无积极意义，可提请裁决",
        "nine rounds of allowed moves to and fro on three or more points: a claim is well founded if the arbiter finds \
         them without positive meaning",
    )
}

/// Whether a claim is well founded, in a sentence.
fn claim_text(judgement: &Judgement, tongue: Tongue) -> String {
    let count = match (tongue, judgement.profile) {
        (Tongue::Zh, Profile::ThreeRounds) => "循环三次",
        (Tongue::Zh, Profile::ThirdOccurrence) => "局面第三次出现",
        (Tongue::Zh, Profile::FourthOccurrence) => "局面第四次出现",
        (Tongue::En, Profile::ThreeRounds) => "three rounds",
        (Tongue::En, Profile::ThirdOccurrence) => "third occurrence",
        (Tongue::En, Profile::FourthOccurrence) => "fourth occurrence",
    };
    match (judgement.ground, judgement.repetition, tongue) {
        (Ground::NineRounds | Ground::NineIdleRounds, _, tongue)
            if judgement.ruling.verdict == Verdict::Undetermined && !judgement.claimable =>
        {
            tongue
                .pick(
                    "九回合着点三个以上，但有着法的性质在预算内未能断定，能否提请裁决未定",
                    "nine rounds on three or more points, but the nature of some moves was not settled within the budget: \
                     whether a claim is well founded is open",
                )
                .into()
        }
        (Ground::NineRounds, _, Tongue::Zh) => "九回合连续进攻，着点三个以上，可提请裁决".into(),
        (Ground::NineRounds, _, Tongue::En) => {
            "nine rounds of attacks on three or more points: a claim is well founded".into()
        }
        (Ground::NineIdleRounds, _, tongue) => idle_rounds_text(tongue).into(),
        (Ground::Given, _, Tongue::Zh) => "按给出的着法作为一个循环裁定".into(),
        (Ground::Given, _, Tongue::En) => "the moves given are judged as one round".into(),
        (_, Some(r), Tongue::Zh) => format!(
            "第{}着起循环，每循环{}着，至第{}着已{}次；{}",
            r.first_ply,
            r.period,
            r.ply,
            r.rounds,
            if judgement.claimable {
                format!("已足({count})，可提请裁决")
            } else {
                format!("未足({count})，不予受理；若继续循环则裁定如下")
            }
        ),
        (_, Some(r), Tongue::En) => format!(
            "from ply {} on a round of {} plies, made {} by ply {}; {}",
            r.first_ply,
            r.period,
            match r.rounds {
                1 => "once".to_string(),
                2 => "twice".to_string(),
                rounds => format!("{rounds} times"),
            },
            r.ply,
            if judgement.claimable {
                format!("a claim is well founded ({count})")
            } else {
                format!("not enough for a claim yet ({count}); if it goes on the ruling would be")
            }
        ),
        (_, None, Tongue::Zh) => "没有循环".into(),
        (_, None, Tongue::En) => "nothing repeats".into(),
    }
}

/// The whole judgement, line by line.
pub fn summary(judgement: &Judgement, tongue: Tongue) -> Vec<String> {
    let rule = match judgement.edition {
        Edition::Axf => tongue.pick("亚洲(世界)象棋规则", "Asian and World federations' rules").to_string(),
        edition => match tongue {
            Tongue::Zh => format!("《中国象棋竞赛规则》{edition}年"),
            Tongue::En => format!("Chinese rules of {edition}"),
        },
    };
    let mut lines = vec![format!("{}{rule}", tongue.pick("规则：", "Rules: ")), claim_text(judgement, tongue)];
    for (ply, m) in (judgement.from_ply..).zip(&judgement.moves) {
        let side = m.before().side_to_move();
        let label = m.label();
        lines.push(format!(
            "  {ply:>3} {} {}  {}  {}",
            tongue.side(side),
            move_text(m.m(), m.before(), tongue),
            match tongue {
                Tongue::Zh => label.hanzi().to_string(),
                Tongue::En => format!("{} {}", label.hanzi(), label.name()),
            },
            reason(m, judgement.edition, tongue)
        ));
    }
    lines.push(format!("{}{}", tongue.pick("裁定：", "Ruling: "), ruling_text(judgement, tongue)));
    lines.extend(judgement.idle_rounds.map(|ply| match tongue {
        Tongue::Zh => format!("另：至第{ply}着，{}(23.4)", idle_rounds_text(tongue)),
        Tongue::En => format!("Besides, by ply {ply}: {} (23.4)", idle_rounds_text(tongue)),
    }));
    lines
}
