//! Whose the pieces of a typed board are.
//!
//! In this order: brackets (`(车)` Red, `[车]` Black, unless the names inside say otherwise), names and letters that
//! belong to one side (帅 仕 相 兵 俥 傌, capitals; 将 象 卒, small letters), the other name of a pair of which one is on
//! the board (炮 and 包, 俥 and 車, 仕 and 士), and where advisors, elephants and generals can stand at all.

use super::row::Drawn;
use crate::board::{Color, Kind};

/// A piece on its row (0 at the top) and file.
pub(super) type Standing = (usize, usize, Drawn);

/// Which characters are drawn on the board.
struct Set<'p>(&'p [Standing]);

impl Set<'_> {
    fn has(&self, characters: &[char]) -> bool {
        self.0.iter().any(|(.., piece)| characters.contains(&piece.character))
    }

    /// Both generals are drawn alike: one set of names serves both sides, and none tells anything.
    fn is_one(&self) -> bool {
        let mut kings = self.0.iter().filter(|(.., piece)| piece.kind == Kind::King);
        matches!((kings.next(), kings.next()), (Some((.., a)), Some((.., b))) if a.character == b.character)
    }

    /// The side a character belongs to among these.
    fn named(&self, piece: &Drawn) -> Option<Color> {
        match piece.character {
            'A'..='Z' | '\u{1FA60}'..='\u{1FA66}' => Some(Color::Red),
            'a'..='z' | '\u{1FA67}'..='\u{1FA6D}' => Some(Color::Black),
            _ if self.is_one() => None,
            // 象 is written for both sides, unless 相 is there too.
            '象' if !self.has(&['相']) => None,
            _ => named(piece),
        }
    }
}

/// The side a Chinese character belongs to where two sets are used.
fn named(piece: &Drawn) -> Option<Color> {
    match piece.character {
        '帅' | '帥' | '仕' | '相' | '兵' | '俥' | '伡' | '傌' | '㐷' => Some(Color::Red),
        '将' | '將' | '象' | '卒' => Some(Color::Black),
        _ => None,
    }
}

/// What brackets mean here: for `(`, `[`, `<` and none the side, if it is one.
fn brackets(pieces: &[Standing], set: &Set<'_>) -> [Option<Color>; 4] {
    const ORDER: [Option<char>; 4] = [Some('('), Some('['), Some('<'), None];
    let mut meaning = [None; 4];
    let used = ORDER.map(|bracket| pieces.iter().any(|(.., piece)| piece.bracket == bracket));
    if !used[..3].contains(&true) {
        return meaning;
    }
    let count = |bracket: Option<char>, side: Color| {
        pieces.iter().filter(|(.., piece)| piece.bracket == bracket && set.named(piece) == Some(side)).count()
    };
    for (slot, bracket) in meaning.iter_mut().zip(ORDER) {
        *slot = match (count(bracket, Color::Red), count(bracket, Color::Black)) {
            (0, 0) if bracket == Some('(') => Some(Color::Red),
            (0, 0) if bracket == Some('[') => Some(Color::Black),
            (red, 0) if red > 0 => Some(Color::Red),
            (0, black) if black > 0 => Some(Color::Black),
            _ => None,
        };
    }
    // Two ways of drawing that mean the same side tell nothing.
    let sides: Vec<Color> = meaning.iter().zip(used).filter(|(_, used)| *used).filter_map(|(side, _)| *side).collect();
    if sides.len() >= 2 && sides.iter().all(|side| *side == sides[0]) {
        return [None; 4];
    }
    // One way is known, the other is the other side's.
    if let ([side], 2) = (&sides[..], used.iter().filter(|used| **used).count()) {
        for (slot, used) in meaning.iter_mut().zip(used) {
            if used && slot.is_none() {
                *slot = Some(!*side);
            }
        }
    }
    meaning
}

/// The side of every piece in order; `None` where nothing tells. `turned` says that Red is at the top.
pub(super) fn sides(pieces: &[Standing]) -> (Vec<Option<Color>>, bool) {
    let set = Set(pieces);
    let brackets = brackets(pieces, &set);
    let has = |characters: &[char]| set.has(characters);
    let red_rooks_marked = has(&['俥', '伡', '傌', '㐷']);
    let two_cannons = has(&['炮']) && has(&['砲', '包', '礮']);
    let by_look = |piece: &Drawn| {
        let bracket = match piece.bracket {
            Some('(') => brackets[0],
            Some('[') => brackets[1],
            Some(_) => brackets[2],
            None => brackets[3],
        };
        bracket.or_else(|| set.named(piece)).or_else(|| match piece.kind {
            Kind::Rook | Kind::Horse if red_rooks_marked => Some(Color::Black),
            Kind::Cannon if two_cannons => Some(if piece.character == '炮' { Color::Red } else { Color::Black }),
            Kind::Advisor if has(&['仕']) => Some(Color::Black),
            _ => None,
        })
    };
    let mut sides: Vec<Option<Color>> = pieces.iter().map(|(.., piece)| by_look(piece)).collect();
    let king = |side: Color, rows: std::ops::RangeInclusive<usize>| {
        pieces
            .iter()
            .zip(&sides)
            .any(|((row, _, piece), color)| piece.kind == Kind::King && *color == Some(side) && rows.contains(row))
    };
    let upright = king(Color::Red, 7..=9) || king(Color::Black, 0..=2);
    let turned = !upright && (king(Color::Red, 0..=2) || king(Color::Black, 7..=9));
    let top = if turned { Color::Red } else { Color::Black };
    for ((row, _, piece), side) in pieces.iter().zip(&mut sides) {
        let half = if *row < 5 { top } else { !top };
        let bound = matches!(piece.kind, Kind::Advisor | Kind::Elephant | Kind::King);
        if side.is_none() && bound {
            *side = Some(half);
        }
    }
    (sides, turned)
}
