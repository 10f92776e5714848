//! What a page says, in both languages.

use super::Language;
use crate::audit::limit::{Audit, Penalty, Traced, Verdict, Why};
use crate::board::{Color, Kind, Piece};
use crate::diag::codes;

/// Everything on the page but the boards and the plies.
pub(super) struct Wording {
    pub(super) title: &'static str,
    pub(super) rule_width: usize,
    /// Between a name and its value.
    pub(super) colon: &'static str,
    pub(super) facts: Vec<(&'static str, String)>,
    pub(super) verdict: (&'static str, String),
    /// Consequence and notes, below the verdict.
    pub(super) behind: Vec<(&'static str, String)>,
    pub(super) at_capture: String,
    pub(super) at_claim: String,
    pub(super) method: String,
    pub(super) legend: &'static str,
}

impl Wording {
    /// `capture` is the last capture as a move is written on the page.
    pub(super) fn new(audit: &Audit, capture: &str, language: Language) -> Wording {
        match language {
            Language::Chinese => chinese(audit, capture),
            Language::English => english(audit, capture),
        }
    }
}

pub(super) fn side(color: Color, language: Language) -> &'static str {
    match (color, language) {
        (Color::Red, Language::Chinese) => "红方",
        (Color::Black, Language::Chinese) => "黑方",
        (Color::Red, Language::English) => "Red",
        (Color::Black, Language::English) => "Black",
    }
}

fn piece(piece: Piece, language: Language) -> String {
    let owner = side(piece.color(), language);
    match language {
        Language::Chinese => format!("{owner}{}", piece.hanzi()),
        Language::English => {
            let kind = match piece.kind() {
                Kind::King => "king",
                Kind::Advisor => "advisor",
                Kind::Elephant => "elephant",
                Kind::Horse => "horse",
                Kind::Rook => "rook",
                Kind::Cannon => "cannon",
                Kind::Pawn => "pawn",
            };
            format!("{owner}'s {kind}")
        }
    }
}

fn chinese(a: &Audit, capture: &str) -> Wording {
    let language = Language::Chinese;
    let mut facts = vec![
        ("提出方", side(a.claimant, language).to_string()),
        ("审核局面", format!("第 {} 着之后（第 {} 回合）", a.at, a.at.div_ceil(2))),
        (
            "最近一次吃子",
            match &a.last_capture {
                Some(c) => format!(
                    "第 {} 着（第 {} 回合）{capture}（{}），{}吃{}",
                    c.ply,
                    c.ply.div_ceil(2),
                    c.m,
                    piece(c.piece, language),
                    piece(c.captured, language)
                ),
                None => "记录中没有吃子".to_string(),
            },
        ),
        ("其后", format!("{} 着，即 {} 个整回合", a.quiet_plies, a.rounds)),
    ];
    if a.unproven_plies > 0 {
        facts.push(("其中", format!("{} 着仅见于起始局面的计数，无记录可查", a.unproven_plies)));
    }
    facts.extend([
        ("提出方着数", format!("{}，其中将军 {} 着{}", a.claimant_moves, a.claimant_checks, cap_zh(a.check_cap))),
        ("提出方计入", a.counted.to_string()),
        ("对方着数", a.opponent_moves.to_string()),
        ("规定回合", a.limit.to_string()),
        (
            "本阶段最早可成立",
            a.first_true_ply.map_or("记录之内始终未满足".to_string(), |ply| format!("第 {ply} 着之后")),
        ),
    ]);
    let verdict = match (a.verdict, &a.over) {
        (Verdict::Draw, _) => "属实，判和（4.2.4、22.2）".to_string(),
        (Verdict::Refused, _) => "不予受理".to_string(),
        (Verdict::Rejected, Some(over)) => {
            format!("对局在提出之前已经结束：{}，{}胜", over_text(over.how, language), side(over.winner, language))
        }
        (Verdict::Rejected, None) => format!(
            "不属实：{}计入 {} 着，{}计入 {} 着，须各满 {} 着",
            side(a.claimant, language),
            a.counted,
            side(!a.claimant, language),
            a.opponent_moves,
            a.limit
        ),
    };
    let mut behind = Vec::new();
    match a.penalty {
        Some(Penalty::FoulAndFiveMinutes) => {
            behind.push(("处理", "提出方犯规一次，棋钟扣除 5 分钟（22.2、8.1.4）".to_string()));
        }
        Some(Penalty::LossOnTime) => behind.push(("处理", "扣除 5 分钟后超时，提出方判负（22.2）".to_string())),
        Some(Penalty::LossBySecondClaim) => {
            behind.push(("处理", "同一阶段第二次不属实，提出方判负（4.1.11）".to_string()));
        }
        None => {}
    }
    if let Some(hole) = a.findings.iter().find(|f| f.code == codes::HOLE_IN_STRETCH) {
        let ply = hole.ply.unwrap_or(0);
        behind.push(("说明", format!("审核段内自第 {ply} 着起记录有缺漏，无法逐着核对（22.3）")));
    }
    if a.findings.iter().any(|f| f.code == codes::NO_SUCH_RULE) {
        behind.push(("说明", "所选版本没有自然限着的规定".to_string()));
    }
    Wording {
        title: "自然限着审核",
        rule_width: 12,
        colon: "：",
        facts,
        verdict: ("结论", verdict),
        behind,
        at_capture: match &a.last_capture {
            Some(c) => format!("最近一次吃子之后（第 {} 着）：由此起数", c.ply),
            None => "起始局面：由此起数".to_string(),
        },
        at_claim: format!("审核局面（第 {} 着之后）", a.at),
        method: format!(
            "算法：自最近一次吃子之后起数；兵卒移动不重新起数；{}对方将军照计；双方各须满 {} 着。\
             将死、困毙在先者以之为准。",
            if a.check_cap == u32::MAX {
                String::new()
            } else {
                format!("提出方将军超过 {} 着的部分不计，", a.check_cap)
            },
            a.limit
        ),
        legend: "逐着（√ 计入，× 不计）：",
    }
}

fn cap_zh(cap: u32) -> String {
    if cap == u32::MAX { String::new() } else { format!("（最多计 {cap} 着）") }
}

fn over_text(how: &str, language: Language) -> &'static str {
    match (how == "mate", language) {
        (true, Language::Chinese) => "将死",
        (false, Language::Chinese) => "困毙",
        (true, Language::English) => "checkmate",
        (false, Language::English) => "no legal move",
    }
}

fn english(a: &Audit, capture: &str) -> Wording {
    let language = Language::English;
    let mut facts = vec![
        ("Claimant", side(a.claimant, language).to_string()),
        ("Position", format!("after ply {} (round {})", a.at, a.at.div_ceil(2))),
        (
            "Last capture",
            match &a.last_capture {
                Some(c) => format!(
                    "ply {} (round {}), {capture} ({}): {} takes {}",
                    c.ply,
                    c.ply.div_ceil(2),
                    c.m,
                    piece(c.piece, language),
                    piece(c.captured, language)
                ),
                None => "none in the record".to_string(),
            },
        ),
        ("Since then", format!("{} plies, that is {} full rounds", a.quiet_plies, a.rounds)),
    ];
    if a.unproven_plies > 0 {
        facts.push((
            "Of these",
            format!("{} plies are known from the start position's counter alone", a.unproven_plies),
        ));
    }
    facts.extend([
        (
            "Claimant's moves",
            format!(
                "{}, checks among them: {}{}",
                a.claimant_moves,
                a.claimant_checks,
                if a.check_cap == u32::MAX { String::new() } else { format!(" (at most {} count)", a.check_cap) }
            ),
        ),
        ("Claimant's moves that count", a.counted.to_string()),
        ("Opponent's moves", a.opponent_moves.to_string()),
        ("Rounds needed", a.limit.to_string()),
        (
            "First true in this stretch",
            a.first_true_ply.map_or("never, as far as the record goes".to_string(), |ply| format!("after ply {ply}")),
        ),
    ]);
    let verdict = match (a.verdict, &a.over) {
        (Verdict::Draw, _) => "the claim is true, the game is drawn (4.2.4, 22.2)".to_string(),
        (Verdict::Refused, _) => "the claim is refused, it cannot be examined".to_string(),
        (Verdict::Rejected, Some(over)) => {
            format!(
                "the game had ended before: {}, {} wins",
                over_text(over.how, language),
                side(over.winner, language)
            )
        }
        (Verdict::Rejected, None) => format!(
            "the claim is not true, {} has {} moves that count and {} {}; each needs {}",
            side(a.claimant, language),
            a.counted,
            side(!a.claimant, language),
            a.opponent_moves,
            a.limit
        ),
    };
    let mut behind = Vec::new();
    match a.penalty {
        Some(Penalty::FoulAndFiveMinutes) => {
            behind.push(("Consequence", "a foul and five minutes off the claimant's clock (22.2, 8.1.4)".to_string()));
        }
        Some(Penalty::LossOnTime) => {
            behind.push(("Consequence", "the five minutes use up the claimant's time, who loses (22.2)".to_string()));
        }
        Some(Penalty::LossBySecondClaim) => {
            behind.push(("Consequence", "second untrue claim in one stage, the claimant loses (4.1.11)".to_string()));
        }
        None => {}
    }
    if let Some(hole) = a.findings.iter().find(|f| f.code == codes::HOLE_IN_STRETCH) {
        let ply = hole.ply.unwrap_or(0);
        behind.push((
            "Note",
            format!("the record has a hole at ply {ply}; the plies cannot be checked one by one (22.3)"),
        ));
    }
    if a.findings.iter().any(|f| f.code == codes::NO_SUCH_RULE) {
        behind.push(("Note", "the chosen edition has no natural limit".to_string()));
    }
    Wording {
        title: "Audit of a natural-limit claim",
        rule_width: 30,
        colon: ": ",
        facts,
        verdict: ("Verdict", verdict),
        behind,
        at_capture: match &a.last_capture {
            Some(c) => format!("After the last capture (ply {}): the count begins", c.ply),
            None => "The start position: the count begins".to_string(),
        },
        at_claim: format!("The position of the claim (after ply {})", a.at),
        method: format!(
            "How it is counted: from the last capture on; pawn moves do not restart the count; {}the opponent's checks \
             all count; each side needs {} moves. Mate or no legal move ends the game first.",
            if a.check_cap == u32::MAX {
                String::new()
            } else {
                format!("the claimant's checks beyond {} are struck, ", a.check_cap)
            },
            a.limit
        ),
        legend: "Ply by ply (√ counts, × does not):",
    }
}

/// What a ply was to the count; nothing for a quiet one.
pub(super) fn why_text(why: Why, language: Language) -> String {
    match (why, language) {
        (Why::Own | Why::Opponent, _) => String::new(),
        (Why::Capture(p), Language::Chinese) => format!("吃{}，重新起数", piece(p, language)),
        (Why::OwnCheck(n), Language::Chinese) => format!("将军（提出方第 {n} 次）"),
        (Why::BeyondCap(n), Language::Chinese) => format!("将军（提出方第 {n} 次，超限不计）"),
        (Why::OpponentCheck, Language::Chinese) => "将军（对方，照计）".to_string(),
        (Why::Capture(p), Language::English) => format!("takes {}: the count restarts", piece(p, language)),
        (other, Language::English) => other.to_string(),
    }
}

pub(super) fn trace_line(t: &Traced, text: &str, language: Language, out: &mut String) -> std::fmt::Result {
    use std::fmt::Write as _;
    let round = t.ply.div_ceil(2);
    let why = why_text(t.why, language);
    let line = match language {
        Language::Chinese => {
            let mark = if t.why.counts() { '√' } else { '×' };
            format!("{:>4} 回合 {:>4} 着 {} {mark} {} {} {why}", round, t.ply, side(t.side, language), text, t.m)
        }
        Language::English => {
            let mark = if t.why.counts() { '√' } else { '×' };
            let side = side(t.side, language);
            format!("round {round:>3} ply {:>4} {side:<5} {mark} {text} {} {why}", t.ply, t.m)
        }
    };
    writeln!(out, "{}", line.trim_end())
}
