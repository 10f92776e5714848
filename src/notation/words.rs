//! The reasons of [`Misfit`] in Chinese.

use super::explain::Misfit;
use crate::board::{Color, Illegal, Kind, Piece};

/// Name of a kind of one side's piece.
fn name(side: Color, kind: Kind) -> &'static str {
    match side {
        Color::Red => ["帅", "仕", "相", "马", "车", "炮", "兵"][kind.index()],
        Color::Black => ["将", "士", "象", "马", "车", "炮", "卒"][kind.index()],
    }
}

/// Name of a kind whosever it is.
fn kind_name(kind: Kind) -> &'static str {
    ["帅（将）", "仕（士）", "相（象）", "马", "车", "炮", "兵（卒）"][kind.index()]
}

fn side_name(side: Color) -> &'static str {
    match side {
        Color::Red => "红方",
        Color::Black => "黑方",
    }
}

fn piece_name(piece: Piece) -> String {
    let side = match piece.color() {
        Color::Red => "红",
        Color::Black => "黑",
    };
    format!("{side}{}", name(piece.color(), piece.kind()))
}

/// A file in the numerals of a side.
fn file(side: Color, number: u8) -> String {
    match side {
        Color::Red => ["一", "二", "三", "四", "五", "六", "七", "八", "九"]
            .get(usize::from(number).wrapping_sub(1))
            .map_or_else(|| number.to_string(), ToString::to_string),
        Color::Black => number.to_string(),
    }
}

/// Why a move is illegal, in Chinese.
pub fn illegal_in_chinese(illegal: &Illegal) -> String {
    match illegal {
        Illegal::Empty(square) => format!("{square} 上没有棋子"),
        Illegal::NotYours(square, piece) => format!("{square} 上的{}不是走棋一方的", piece_name(*piece)),
        Illegal::OwnPiece(square, piece) => format!("{square} 上有己方的{}", piece_name(*piece)),
        Illegal::Geometry(kind) => format!("{}不是这样走的", kind_name(*kind)),
        Illegal::Blocked(square, piece) => format!("被 {square} 上的{}挡住", piece_name(*piece)),
        Illegal::Screens(0) => "炮吃子须隔一个子，中间没有子".to_string(),
        Illegal::Screens(count) => format!("炮吃子须隔一个子，中间有 {count} 个子"),
        Illegal::Attacked(square, piece) => format!("走后主帅（将）受 {square} 上的{}攻击", piece_name(*piece)),
        Illegal::FacingGenerals => "走后将帅照面".to_string(),
        Illegal::NoKing(side) => format!("盘上没有{}的{}", side_name(*side), name(*side, Kind::King)),
    }
}

impl Misfit {
    /// The reason in Chinese.
    pub fn in_chinese(&self) -> String {
        match self {
            Misfit::NoSuchPiece(side, kind) => format!("盘上没有{}的{}", side_name(*side), name(*side, *kind)),
            Misfit::NotOnFile { side, kind, file: number, found } => {
                let found: Vec<String> = found.iter().map(|number| format!("{}路", file(*side, *number))).collect();
                let piece = name(*side, *kind);
                format!("{}{}路没有{piece}，{piece}在{}", side_name(*side), file(*side, *number), found.join("、"))
            }
            Misfit::NoneDoubled { side, kind } => {
                format!("{}没有两个{}在同一条线上，分不出前、中、后", side_name(*side), name(*side, *kind))
            }
            Misfit::NotSoMany { side, kind, most } => {
                format!("{}在同一条线上的{}最多 {most} 个，没有所说的那一个", side_name(*side), name(*side, *kind))
            }
            Misfit::NeverGoes { kind, way } => {
                let way = match *way {
                    "sideways" => "平走",
                    "back" => "后退",
                    _ => "这样走",
                };
                format!("{}不能{way}", kind_name(*kind))
            }
            Misfit::OutOfReach { kind, number, steps: true } => {
                format!("{}这样走 {number} 步出了棋盘", kind_name(*kind))
            }
            Misfit::OutOfReach { kind, number, steps: false } => {
                format!("所说的{}这样走不到 {number} 路", kind_name(*kind))
            }
            Misfit::NotCrossed(m) => format!("{m}：兵（卒）过河以后才能平走"),
            Misfit::OnePoint(m, kind) => format!("{m}：{}一次只走一步", kind_name(*kind)),
            Misfit::LeavesPalace(m, kind) => format!("{m}：{}不能出九宫", kind_name(*kind)),
            Misfit::CrossesRiver(m) => format!("{m}：相（象）不能过河"),
            Misfit::Illegal(m, illegal) => format!("{m}：{}", illegal_in_chinese(illegal)),
            Misfit::OtherSide(side) => format!("轮到{}走，所写的是对方的着法", side_name(*side)),
            Misfit::Zero => "路数和步数从 1 数起; 若路数从 0 数起, 请用 `--dialect files0`".to_string(),
            Misfit::Nothing => "盘上没有一个棋子合得上".to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::Position;
    use crate::notation::{Dialect, explain, read_whole};

    #[test]
    fn reasons_are_told_in_chinese_with_the_numerals_of_the_side() {
        let said = |fen: &str, text: &str| {
            explain(&read_whole(text).unwrap(), &Position::from_fen(fen).unwrap(), Dialect::OPEN).reason.in_chinese()
        };
        let start = crate::board::START_FEN;
        assert_eq!(said(start, "车一平三"), "i0g0：g0 上有己方的红相");
        assert_eq!(said(start, "马七进六"), "红方七路没有马，马在二路、八路");
        assert_eq!(said(start, "马二平三"), "马不能平走");
        assert_eq!(said(start, "马二进四"), "h0f1：被 g0 上的红相挡住");
    }
}
