//! What the board has to say, in Chinese.

use super::{Color, FenFault, FenNote, Illegal, Kind, Piece, PositionFault};

impl Color {
    /// 红方, 黑方.
    pub const fn chinese(self) -> &'static str {
        match self {
            Color::Red => "红方",
            Color::Black => "黑方",
        }
    }
}

impl Kind {
    /// The kind by its characters of both sides: 帅(将), 马.
    pub const fn chinese(self) -> &'static str {
        ["帅(将)", "仕(士)", "相(象)", "马", "车", "炮", "兵(卒)"][self as usize]
    }
}

impl Piece {
    /// 红方马.
    pub fn chinese(self) -> String {
        format!("{}{}", self.color().chinese(), self.hanzi())
    }
}

impl Illegal {
    /// The reason in Chinese.
    pub fn chinese(&self) -> String {
        match self {
            Illegal::Empty(square) => format!("{square} 上没有棋子"),
            Illegal::NotYours(square, piece) => format!("{square} 上的{}不是走棋一方的", piece.chinese()),
            Illegal::OwnPiece(square, piece) => format!("{square} 上有己方的{}", piece.hanzi()),
            Illegal::Geometry(kind) => format!("{}不能这样走", kind.chinese()),
            Illegal::Blocked(square, piece) => format!("被 {square} 上的{}挡住", piece.chinese()),
            Illegal::Screens(count) => format!("炮须隔一子吃子, 此处隔 {count} 子"),
            Illegal::Attacked(square, piece) => format!("走后将帅受 {square} 上的{}攻击", piece.chinese()),
            Illegal::FacingGenerals => "走后将帅照面".to_string(),
            Illegal::NoKing(color) => format!("盘上没有{}的将帅", color.chinese()),
        }
    }
}

impl PositionFault {
    /// The fault in Chinese.
    pub fn chinese(&self) -> String {
        match self {
            PositionFault::NoKing(color) => format!("{}没有将帅", color.chinese()),
            PositionFault::TooMany { piece, count } => {
                format!("{}有 {count} 个, 一副棋只有 {} 个", piece.chinese(), piece.kind().most())
            }
            PositionFault::Misplaced { piece, square } => format!("{}不可能在 {square}", piece.chinese()),
            PositionFault::OpponentInCheck(color) => format!("{}被将军, 却轮到对方走", color.chinese()),
            PositionFault::FacingGenerals => "将帅照面".to_string(),
        }
    }
}

impl FenFault {
    /// The fault in Chinese.
    pub fn chinese(&self) -> String {
        match self {
            FenFault::Empty => "FEN 为空".to_string(),
            FenFault::Rows(rows) => format!("有 {rows} 行, 应为 10 行"),
            FenFault::Width { row, text, width } => format!("第 {row} 行 ({text}) 有 {width} 个点, 应为 9 个"),
            FenFault::Letter { row, letter } => format!("第 {row} 行的 '{letter}' 不是棋子"),
            FenFault::Jieqi => "有暗子 (x): 揭棋局面, 不支持".to_string(),
            FenFault::MoveText(text) => format!("'{text}' 不是坐标着法"),
            FenFault::Move(m, why) => format!("着法 {m}: {}", why.chinese()),
        }
    }
}

impl FenNote {
    /// The note in Chinese.
    pub fn chinese(&self) -> String {
        match self {
            FenNote::SideMissing => "没有写明先走方, 按红先".to_string(),
            FenNote::SideUnknown(side) => format!("先走方 '{side}' 不是 w, r 或 b, 按红先"),
            FenNote::CountersUnknown => "计数不明, 按 0 1".to_string(),
            FenNote::LettersHe => "字母 H/E 按 N/B 读取".to_string(),
        }
    }
}
