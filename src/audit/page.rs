//! The audit of a claim as a page of text that an arbiter shows to both players, in Chinese or English.
//!
//! The figures come first, then the rule with its articles, then every ply of the stretch with what it counted as, so
//! that both players can follow on the board.

use super::limit::{Audit, HoleCapture, Penalty, Traced, Verdict, Why};
use crate::board::{Color, Move, Position};
use crate::diag::codes;
use std::fmt::Write as _;

/// Language of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// 中文.
    Chinese,
    /// English.
    #[default]
    English,
}

/// Writes the page. `move_text` says how a move is written in a position (four characters, for instance); `start` and
/// `moves` are those of the audited game, a pending move at its place among them.
pub fn limit_page(
    audit: &Audit,
    start: &Position,
    moves: &[Move],
    language: Language,
    move_text: &dyn Fn(Move, &Position) -> String,
) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = match language {
        Language::Chinese => chinese(audit, &mut out),
        Language::English => english(audit, &mut out),
    };
    let first = audit.trace.first().map_or(0, |t| t.ply as usize);
    let mut position = *start;
    for &m in moves.iter().take(first.saturating_sub(1)) {
        position.play(m);
    }
    for line in &audit.trace {
        let text = move_text(line.m, &position);
        let _ = trace_line(line, &text, language, &mut out);
        position.play(line.m);
    }
    out
}

fn side_zh(color: Color) -> &'static str {
    match color {
        Color::Red => "红方",
        Color::Black => "黑方",
    }
}

fn chinese(a: &Audit, out: &mut String) -> std::fmt::Result {
    writeln!(out, "自然限着审核")?;
    writeln!(out, "============")?;
    writeln!(out)?;
    writeln!(out, "提出方：{}", side_zh(a.claimant))?;
    writeln!(out, "审核局面：第 {} 着之后（第 {} 回合）", a.at, a.at.div_ceil(2))?;
    match &a.last_capture {
        Some(c) => writeln!(
            out,
            "最近一次吃子：第 {} 着（第 {} 回合）{}，{}{}吃{}{}",
            c.ply,
            c.ply.div_ceil(2),
            c.m,
            side_zh(c.piece.color()),
            c.piece.hanzi(),
            side_zh(c.captured.color()),
            c.captured.hanzi()
        )?,
        None => writeln!(out, "最近一次吃子：记录中没有吃子")?,
    }
    writeln!(out, "其后：{} 着，即 {} 个整回合", a.quiet_plies, a.rounds)?;
    if a.unproven_plies > 0 {
        writeln!(out, "其中 {} 着仅见于起始局面的计数，无记录可查", a.unproven_plies)?;
    }
    writeln!(out, "提出方着数：{}，其中将军 {} 着（最多计 {} 着）", a.claimant_moves, a.claimant_checks, a.check_cap)?;
    writeln!(out, "提出方计入：{}", a.counted)?;
    writeln!(out, "对方着数：{}", a.opponent_moves)?;
    writeln!(out, "规定回合：{}", a.limit)?;
    match a.first_true_ply {
        Some(ply) => writeln!(out, "本阶段最早可成立：第 {ply} 着之后")?,
        None => writeln!(out, "本阶段记录之内始终未满足")?,
    }
    writeln!(out)?;
    let verdict = match (a.verdict, &a.over) {
        (Verdict::Draw, _) => "属实，判和（4.2.4、22.2）".to_string(),
        (_, Some(over)) => format!(
            "对局已经结束：{}，{}胜（在提出之前）",
            if over.how == "mate" { "将死" } else { "困毙" },
            side_zh(over.winner)
        ),
        (Verdict::Rejected, None) => "不属实".to_string(),
        (Verdict::Refused, None) => "不予受理".to_string(),
    };
    writeln!(out, "结论：{verdict}")?;
    match a.penalty {
        Some(Penalty::FoulAndFiveMinutes) => writeln!(out, "处理：提出方犯规一次，棋钟扣除 5 分钟（22.2、8.1.4）")?,
        Some(Penalty::LossOnTime) => writeln!(out, "处理：扣除 5 分钟后超时，提出方判负（22.2）")?,
        Some(Penalty::LossBySecondClaim) => writeln!(out, "处理：同一阶段第二次不属实，提出方判负（4.1.11）")?,
        None => {}
    }
    if a.findings.iter().any(|f| f.code == codes::HOLE_IN_STRETCH) {
        writeln!(out, "说明：审核段内记录有缺漏，无法逐着核对（22.3）")?;
    }
    if a.findings.iter().any(|f| f.code == codes::NO_SUCH_RULE) {
        writeln!(out, "说明：所选版本没有自然限着的规定")?;
    }
    writeln!(out)?;
    writeln!(out, "算法：自最近一次吃子之后起数；兵卒移动不重新起数；提出方将军超过 {} 着的部分不计，", a.check_cap)?;
    writeln!(out, "对方将军照计；双方各须满 {} 着。将死、困毙在先者以之为准。", a.limit)?;
    writeln!(out)?;
    writeln!(out, "逐着（√ 计入，× 不计）：")
}

fn english(a: &Audit, out: &mut String) -> std::fmt::Result {
    writeln!(out, "Audit of a natural-limit claim")?;
    writeln!(out, "==============================")?;
    writeln!(out)?;
    writeln!(out, "Claimant: {}", a.claimant)?;
    writeln!(out, "Position: after ply {} (round {})", a.at, a.at.div_ceil(2))?;
    match &a.last_capture {
        Some(c) => writeln!(
            out,
            "Last capture: ply {} (round {}), {}: {} takes {}",
            c.ply,
            c.ply.div_ceil(2),
            c.m,
            c.piece,
            c.captured
        )?,
        None => writeln!(out, "Last capture: none in the record")?,
    }
    writeln!(out, "Since then: {} plies, that is {} full rounds", a.quiet_plies, a.rounds)?;
    if a.unproven_plies > 0 {
        writeln!(out, "Of these, {} plies are known from the start position's counter alone", a.unproven_plies)?;
    }
    writeln!(
        out,
        "Claimant's moves: {}, checks among them: {} (at most {} count)",
        a.claimant_moves, a.claimant_checks, a.check_cap
    )?;
    writeln!(out, "Claimant's moves that count: {}", a.counted)?;
    writeln!(out, "Opponent's moves: {}", a.opponent_moves)?;
    writeln!(out, "Rounds needed: {}", a.limit)?;
    match a.first_true_ply {
        Some(ply) => writeln!(out, "First true in this stretch: after ply {ply}")?,
        None => writeln!(out, "Never true in this stretch as far as the record goes")?,
    }
    writeln!(out)?;
    let verdict = match (a.verdict, &a.over) {
        (Verdict::Draw, _) => "true: the game is drawn (4.2.4, 22.2)".to_string(),
        (_, Some(over)) => format!(
            "the game had ended before: {}, {} wins",
            if over.how == "mate" { "checkmate" } else { "no legal move" },
            over.winner
        ),
        (Verdict::Rejected, None) => "not true".to_string(),
        (Verdict::Refused, None) => "refused: the claim cannot be examined".to_string(),
    };
    writeln!(out, "Verdict: {verdict}")?;
    match a.penalty {
        Some(Penalty::FoulAndFiveMinutes) => {
            writeln!(out, "Consequence: a foul and five minutes off the claimant's clock (22.2, 8.1.4)")?;
        }
        Some(Penalty::LossOnTime) => {
            writeln!(out, "Consequence: the five minutes use up the claimant's time, who loses (22.2)")?;
        }
        Some(Penalty::LossBySecondClaim) => {
            writeln!(out, "Consequence: second untrue claim in one stage, the claimant loses (4.1.11)")?;
        }
        None => {}
    }
    for f in a.findings.iter().filter(|f| f.code == codes::HOLE_IN_STRETCH || f.code == codes::NO_SUCH_RULE) {
        writeln!(out, "Note: {}", f.message)?;
    }
    writeln!(out)?;
    writeln!(out, "How it is counted: from the last capture on; pawn moves do not restart the count; the claimant's")?;
    writeln!(
        out,
        "checks beyond {} are struck, the opponent's are not; each side needs {} moves. Mate or",
        a.check_cap, a.limit
    )?;
    writeln!(out, "no legal move ends the game first.")?;
    writeln!(out)?;
    writeln!(out, "Ply by ply (+ counts, x does not):")
}

fn trace_line(t: &Traced, text: &str, language: Language, out: &mut String) -> std::fmt::Result {
    let round = t.ply.div_ceil(2);
    match language {
        Language::Chinese => {
            let why = match t.why {
                Why::Capture(p) => format!("吃{}{}，重新起数", side_zh(p.color()), p.hanzi()),
                Why::Own | Why::Opponent => String::new(),
                Why::OwnCheck(n) => format!("将军（提出方第 {n} 次）"),
                Why::BeyondCap(n) => format!("将军（提出方第 {n} 次，超限不计）"),
                Why::OpponentCheck => "将军（对方，照计）".to_string(),
            };
            let mark = if t.why.counts() { '√' } else { '×' };
            writeln!(out, "{:>4} 回合 {:>4} 着 {} {mark} {} {} {why}", round, t.ply, side_zh(t.side), text, t.m)
        }
        Language::English => {
            let why = match t.why {
                Why::Own | Why::Opponent => String::new(),
                other => other.to_string(),
            };
            let mark = if t.why.counts() { '+' } else { 'x' };
            writeln!(out, "round {:>3} ply {:>4} {:<5} {mark} {} {} {why}", round, t.ply, t.side.to_string(), text, t.m)
        }
    }
}

/// What a hole's capture question is called on a page.
pub fn hole_capture_text(capture: HoleCapture, language: Language) -> &'static str {
    match (capture, language) {
        (HoleCapture::Must, Language::Chinese) => "其中必有吃子",
        (HoleCapture::May, Language::Chinese) => "其中可能有吃子",
        (HoleCapture::Cannot, Language::Chinese) => "其中不可能有吃子",
        (HoleCapture::Must, Language::English) => "a capture must lie in it",
        (HoleCapture::May, Language::English) => "a capture may lie in it",
        (HoleCapture::Cannot, Language::English) => "no capture can lie in it",
    }
}
