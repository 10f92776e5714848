//! Results that the board contradicts.
//!
//! Comes in: a game's main line and its result. Goes out: a [`Doubt`] for every ground on which the result cannot be right,
//! or should not have been left out: mate or 困毙 on the board, a repetition that lasts to the end and that the rules decide
//! otherwise, a win where either side could have claimed the 自然限着. A doubt is no correction: a player may have resigned,
//! overstepped the time or missed a claim, and the reasons say so.

use super::limit::{self, Claim, audit};
use crate::board::{Color, Move, Outcome, Position};
use crate::game::GameResult;
use crate::rules::{Edition, History, Judge, Verdict};

/// Plies that may follow a repetition which still decides the game.
const AFTER: u32 = 1;

/// What speaks against a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ground {
    /// The last position is mate.
    Mate,
    /// The side to move in the last position has no move (困毙).
    NoMove,
    /// The last repetition, under an edition of the rules.
    Repetition,
    /// The natural limit was reached.
    NaturalLimit,
}

/// A result that the board contradicts, or that is missing where the board tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// What speaks against it.
    pub ground: Ground,
    /// The result as stated.
    pub stated: GameResult,
    /// What the board says.
    pub expected: GameResult,
    /// The ply that decides.
    pub ply: u32,
    /// The articles that decide.
    pub articles: Vec<&'static str>,
    /// Why, in English.
    pub reason: String,
    /// Why, in Chinese.
    pub reason_zh: String,
}

/// Everything that speaks against the result of a game.
///
/// ```
/// use yipu::audit::results::{Ground, doubts};
/// use yipu::board::Position;
/// use yipu::game::GameResult;
/// use yipu::rules::{Edition, Judge};
/// let mate = Position::from_fen("3k5/1R7/9/9/9/9/9/9/R8/4K4 w").unwrap();
/// let found = doubts(&mate, &["a1a9".parse().unwrap()], GameResult::Draw, &Judge::new(Edition::Y2011));
/// assert_eq!((found[0].ground, found[0].expected), (Ground::Mate, GameResult::RedWins));
/// ```
pub fn doubts(start: &Position, moves: &[Move], result: GameResult, judge: &Judge) -> Vec<Doubt> {
    let mut found = Vec::new();
    let plies = moves.len() as u32;
    let mut last = *start;
    let mut quiet = u32::from(start.quiet_plies());
    for &m in moves {
        quiet = if last.play(m).captured().is_some() { 0 } else { quiet + 1 };
    }
    if let Some(outcome) = last.outcome().filter(|_| plies > 0) {
        let winner = !last.side_to_move();
        let expected = GameResult::win_of(winner);
        if result != expected {
            let (ground, how, how_zh) = match outcome {
                Outcome::Checkmate => (Ground::Mate, "is mated", "被将死"),
                Outcome::NoMove => (Ground::NoMove, "has no legal move", "被困毙"),
            };
            found.push(Doubt {
                ground,
                stated: result,
                expected,
                ply: plies,
                articles: Vec::new(),
                reason: format!("after ply {plies} {} {how}; {}", last.side_to_move(), stated(result)),
                reason_zh: format!("第 {plies} 着后{}{how_zh}；{}", side_zh(last.side_to_move()), stated_zh(result)),
            });
        }
        // Mate and 困毙 end the game before any claim.
        return found;
    }
    found.extend(repetition(start, moves, result, judge));
    if judge.rules.edition == Edition::Y2011 && quiet >= 2 * LIMIT && result != GameResult::Draw {
        found.extend(natural_limit(start, moves, result));
    }
    found
}

/// Rounds of the natural limit: with fewer quiet plies no claim needs to be looked at.
const LIMIT: u32 = 60;

fn repetition(start: &Position, moves: &[Move], result: GameResult, judge: &Judge) -> Option<Doubt> {
    let plies = moves.len() as u32;
    let history = History::new(start, moves.iter().copied());
    let ends = (plies.saturating_sub(AFTER)..=plies).rev();
    let repetition = ends.filter_map(|ply| history.repetition_at(ply)).find(|found| found.satisfies(judge.profile))?;
    let judgement = judge.repetition(&history, &repetition);
    let expected = match judgement.ruling.verdict {
        Verdict::Draw => GameResult::Draw,
        Verdict::RedLoses => GameResult::BlackWins,
        Verdict::BlackLoses => GameResult::RedWins,
        Verdict::Arbiter | Verdict::Undetermined | Verdict::None => return None,
    };
    let edition = judge.rules.edition;
    let times = repetition.occurrences;
    (result != expected).then(|| Doubt {
        ground: Ground::Repetition,
        stated: result,
        expected,
        ply: repetition.ply,
        articles: judgement.ruling.articles.clone(),
        reason: format!(
            "the position after ply {} stood {times} times, and by the rules of {edition} {}; {}. The board does not show whether \
             a player changed, resigned or overstepped the time",
            repetition.ply,
            by_the_rules(expected),
            stated(result)
        ),
        reason_zh: format!(
            "第 {} 着后的局面出现 {times} 次，按 {edition} 规则应判{}；{}。认输、变着、超时不在棋盘上",
            repetition.ply,
            result_zh(expected),
            stated_zh(result)
        ),
    })
}

fn natural_limit(start: &Position, moves: &[Move], result: GameResult) -> Option<Doubt> {
    let claimed = |claimant: Color| {
        let claim = Claim { claimant: Some(claimant), ..Claim::default() };
        Some(audit(start, moves, &[], &claim)).filter(|audit| audit.verdict == limit::Verdict::Draw)
    };
    // The side that did not win would have had reason to claim.
    let sides = match result.winner() {
        Some(Color::Red) => [Color::Black, Color::Red],
        _ => [Color::Red, Color::Black],
    };
    let audit = sides.into_iter().find_map(claimed)?;
    Some(Doubt {
        ground: Ground::NaturalLimit,
        stated: result,
        expected: GameResult::Draw,
        ply: audit.at,
        articles: vec!["4.2.4"],
        reason: format!(
            "{} rounds without a capture: {} could have claimed a draw (natural limit) at ply {}; {}, which stands if nobody claimed",
            audit.rounds,
            audit.claimant,
            audit.at,
            stated(result)
        ),
        reason_zh: format!(
            "已有 {} 回合未吃子，{}在第 {} 着可按自然限着提和；{}。未提出则不成立",
            audit.rounds,
            side_zh(audit.claimant),
            audit.at,
            stated_zh(result)
        ),
    })
}

fn stated(result: GameResult) -> String {
    match result {
        GameResult::Unknown => "no result is stated".to_string(),
        other => format!("{} is stated", other.token()),
    }
}

fn stated_zh(result: GameResult) -> String {
    match result {
        GameResult::Unknown => "记录没有结果".to_string(),
        other => format!("记录写的是{}", result_zh(other)),
    }
}

const fn by_the_rules(result: GameResult) -> &'static str {
    match result {
        GameResult::RedWins => "Black must change or lose",
        GameResult::BlackWins => "Red must change or lose",
        GameResult::Draw | GameResult::Unknown => "the game is a draw if nobody changes",
    }
}

const fn result_zh(result: GameResult) -> &'static str {
    match result {
        GameResult::RedWins => "红胜",
        GameResult::BlackWins => "黑胜",
        GameResult::Draw => "和棋",
        GameResult::Unknown => "不明",
    }
}

const fn side_zh(side: Color) -> &'static str {
    match side {
        Color::Red => "红方",
        Color::Black => "黑方",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grounds(fen: &str, moves: &str, result: GameResult) -> Vec<(Ground, GameResult, u32)> {
        let moves: Vec<Move> = moves.split_whitespace().map(|m| m.parse().unwrap()).collect();
        let found = doubts(&Position::from_fen(fen).unwrap(), &moves, result, &Judge::new(Edition::Y2011));
        found.iter().map(|doubt| (doubt.ground, doubt.expected, doubt.ply)).collect()
    }

    #[test]
    fn mate_and_no_move_decide_before_anything_else() {
        let mate = "3k5/1R7/9/9/9/9/9/9/R8/4K4 w";
        let doubt = [(Ground::Mate, GameResult::RedWins, 1)];
        assert_eq!(grounds(mate, "a1a9", GameResult::BlackWins), doubt);
        assert_eq!(grounds(mate, "a1a9", GameResult::Unknown), doubt);
        assert_eq!(grounds(mate, "a1a9", GameResult::RedWins), []);
        assert_eq!(grounds(mate, "b8b5", GameResult::BlackWins), []);
        assert_eq!(grounds(mate, "a1a8", GameResult::BlackWins), [(Ground::NoMove, GameResult::RedWins, 1)]);
        let stuck = "3k5/9/9/3P5/9/9/9/9/9/4K4 w";
        assert_eq!(grounds(stuck, "d6d7", GameResult::Draw), [(Ground::NoMove, GameResult::RedWins, 1)]);
    }

    #[test]
    fn a_perpetual_check_is_no_draw() {
        let fen = "3k5/9/9/9/9/9/9/9/R8/5K3 w";
        let round = "a1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9 e1d1 d9e9 d1e1 e9d9 e1d1";
        let doubt = grounds(fen, round, GameResult::Draw);
        assert_eq!(
            doubt.iter().map(|doubt| (doubt.0, doubt.1)).collect::<Vec<_>>(),
            [(Ground::Repetition, GameResult::BlackWins)]
        );
        assert_eq!(grounds(fen, round, GameResult::BlackWins), []);
    }
}
