//! Results, digits and punctuation.

use crate::game::GameResult;
use nom::bytes::complete::take_while_m_n;
use nom::{IResult, Parser};

/// `1-0`, `0-1`, `1/2-1/2` and their relatives, standing alone.
pub(super) fn result_token(text: &str) -> Option<(GameResult, usize)> {
    const TOKENS: [&str; 12] =
        ["1-0", "0-1", "1/2-1/2", "1/2 - 1/2", "1/2", "½-½", "0.5-0.5", "1:0", "0:1", "１－０", "０－１", "1–0"];
    let token = TOKENS.iter().find(|token| text.starts_with(**token))?;
    let behind = text[token.len()..].chars().next();
    if behind.is_some_and(|c| c.is_alphanumeric() && c.is_ascii() || matches!(c, '-' | '/' | ':')) {
        return None;
    }
    let plain: String = token
        .chars()
        .map(|c| match c {
            '１' => '1',
            '０' => '0',
            '－' | '–' => '-',
            c => c,
        })
        .filter(|c| *c != ' ')
        .collect();
    Some((GameResult::read(&plain)?, token.len()))
}

/// 红胜, 和棋, 红先负 … as a word of its own.
pub(super) fn result_word(text: &str) -> Option<(GameResult, usize)> {
    let rest: IResult<&str, &str> =
        take_while_m_n(1, 7, |c| "红紅黑先后後胜勝负負和棋局平定手方".contains(c)).parse(text);
    let (rest, word) = rest.ok()?;
    let ends = rest.chars().next().is_none_or(|c| c.is_whitespace() || is_punctuation(c) || c.is_ascii_digit());
    let result = GameResult::read(word).filter(|_| ends)?;
    Some((result, word.len()))
}

pub(super) fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c, '，' | '、' | '；' | '：' | '。' | '·' | '—' | '－' | '＝' | '“' | '”' | '─' | '～')
}

pub(super) fn wide_digit(c: char) -> Option<u32> {
    ('０'..='９').contains(&c).then(|| c as u32 - '０' as u32)
}
