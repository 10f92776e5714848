//! Results.

use crate::board::Color;
use std::fmt;

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// `1-0`, 红胜.
    #[serde(rename = "red")]
    RedWins,
    /// `0-1`, 黑胜.
    #[serde(rename = "black")]
    BlackWins,
    /// `1/2-1/2`, 和.
    Draw,
    /// `*`: not told, or still going on.
    #[default]
    Unknown,
}

impl GameResult {
    /// The PGN token: `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn token(self) -> &'static str {
        match self {
            GameResult::RedWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }

    /// Reads a PGN token or one of the usual Chinese words (红胜, 黑胜, 和棋, 红先胜, 红先负, 先和 …).
    /// `None` if the text says nothing about a result.
    pub fn read(text: &str) -> Option<GameResult> {
        let text = text.trim();
        Some(match text {
            "1-0" | "1:0" | "2-0" | "2:0" => GameResult::RedWins,
            "0-1" | "0:1" | "0-2" | "0:2" => GameResult::BlackWins,
            "1/2-1/2" | "1/2" | "½-½" | "0.5-0.5" | "1-1" | "1:1" => GameResult::Draw,
            "*" | "?" | "未知" | "不明" => GameResult::Unknown,
            _ => {
                let red = text.contains(['红', '紅', '先']);
                let black = text.contains(['黑', '后', '後']);
                let win = text.contains(['胜', '勝', '赢', '贏']);
                let loss = text.contains(['负', '負', '败', '敗']);
                if (text.contains('和') || ["平", "平局", "平手"].contains(&text))
                    && !win
                    && !loss
                    && text.chars().count() <= 8
                {
                    GameResult::Draw
                } else if win == loss || (red && black) || text.chars().count() > 8 {
                    return None;
                } else if (red && win) || (black && loss) {
                    GameResult::RedWins
                } else if (black && win) || (red && loss) {
                    GameResult::BlackWins
                } else {
                    return None;
                }
            }
        })
    }

    /// Who won, if somebody did.
    pub const fn winner(self) -> Option<Color> {
        match self {
            GameResult::RedWins => Some(Color::Red),
            GameResult::BlackWins => Some(Color::Black),
            _ => None,
        }
    }

    /// The result in which this side has won.
    pub const fn win_of(color: Color) -> GameResult {
        match color {
            Color::Red => GameResult::RedWins,
            Color::Black => GameResult::BlackWins,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.token())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_words_are_read() {
        for (text, result) in [
            ("1-0", GameResult::RedWins),
            ("红胜", GameResult::RedWins),
            ("紅先勝", GameResult::RedWins),
            ("红先负", GameResult::BlackWins),
            ("黑勝", GameResult::BlackWins),
            ("和棋", GameResult::Draw),
            ("先和", GameResult::Draw),
            ("1/2-1/2", GameResult::Draw),
            ("*", GameResult::Unknown),
        ] {
            assert_eq!(GameResult::read(text), Some(result), "{text}");
        }
        assert_eq!(GameResult::read("炮二平五"), None);
        assert_eq!(GameResult::read("第一局"), None);
    }
}
