//! One line of a typed board: which points and pieces it shows.

use crate::board::Kind;
use crate::notation::drawn_kind;
use unicode_width::UnicodeWidthChar;

/// A piece as drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Drawn {
    pub character: char,
    pub kind: Kind,
    /// The opening bracket before it, in its ASCII form.
    pub bracket: Option<char>,
}

/// Where a character stands in its line: in columns of a terminal, in characters, and in columns where chess symbols take
/// two. Which of them the one who drew the board meant, the whole board tells.
pub(super) type At = [usize; WAYS];
/// How many ways there are to count.
pub(super) const WAYS: usize = 3;

/// What a line of text is to a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Nine points.
    Full(Vec<Option<Drawn>>, Vec<At>),
    /// Pieces with their columns; empty points are blanks.
    Loose(Vec<(At, Option<Drawn>)>),
    /// Nine dashes: empty points, or a rule.
    Dashes,
    /// Nothing.
    Blank,
    /// Numbers of the files, with their columns.
    Labels(Vec<At>),
    /// The river, lines between the rows.
    Spacer,
    /// No part of a board.
    Other,
}

#[derive(Clone, Copy)]
enum Cell {
    Piece(Drawn),
    Empty,
    Dash,
    Digit(u8),
    /// 一 and 十: an empty point, or a number of a file.
    Cross(u8),
    /// Another Chinese numeral.
    Numeral(u8),
}

/// Says what a line shows. Lines longer than a board can be are no part of one.
pub(super) fn line(text: &str) -> Line {
    let Some((cells, river)) = cells(text) else { return Line::Other };
    if river {
        return Line::Spacer;
    }
    if cells.is_empty() {
        return if text.trim_matches(is_blank).is_empty() { Line::Blank } else { Line::Spacer };
    }
    if let Some(labels) = labels(&cells) {
        return labels;
    }
    if cells.iter().any(|(_, cell)| matches!(cell, Cell::Numeral(_))) {
        return Line::Other;
    }
    let bare = without_labels(&cells);
    if let Some(full) = full(bare) {
        return full;
    }
    if let Some(runs) = runs(&cells) {
        return runs;
    }
    let dashes = bare.iter().filter(|(_, cell)| matches!(cell, Cell::Dash)).count();
    if dashes == bare.len() {
        return if dashes == 9 { Line::Dashes } else { Line::Spacer };
    }
    // A number behind the last piece belongs to a move (马87), not to the margin.
    match cells.last() {
        Some((_, Cell::Digit(_))) => Line::Other,
        _ => loose(bare),
    }
}

/// The cells of a line with their columns, and whether it is the river. `None`: it has characters of no board.
fn cells(text: &str) -> Option<(Vec<(At, Cell)>, bool)> {
    const LONGEST: usize = 160;
    let mut cells = Vec::new();
    let mut river = false;
    let mut column = 0;
    let mut symbols = 0;
    let mut bracket: Option<char> = None;
    for (number, c) in text.chars().enumerate() {
        let here = [column, number, column + symbols];
        symbols += usize::from(('\u{1FA60}'..='\u{1FA6D}').contains(&c) && c.width() == Some(1));
        column += if c == '\t' { 8 - column % 8 } else { c.width().unwrap_or(0) };
        if number > LONGEST {
            return None;
        }
        if is_blank(c) {
            continue;
        }
        if let Some(kind) = drawn_kind(c).or_else(|| c.is_ascii_alphabetic().then(|| Kind::from_letter(c)).flatten()) {
            cells.push((here, Cell::Piece(Drawn { character: c, kind, bracket })));
            continue;
        }
        let cell = match c {
            '(' | '（' | '[' | '【' | '〔' | '［' | '<' | '〈' => {
                bracket = Some(match c {
                    '(' | '（' => '(',
                    '<' | '〈' => '<',
                    _ => '[',
                });
                continue;
            }
            ')' | '）' | ']' | '】' | '〕' | '］' | '>' | '〉' => {
                bracket = None;
                continue;
            }
            '0'..='9' => Cell::Digit(c as u8 - b'0'),
            '０'..='９' => Cell::Digit((c as u32 - '０' as u32) as u8),
            '一' => Cell::Cross(1),
            '十' => Cell::Cross(10),
            '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九' => Cell::Numeral(c as u32 as u8),
            '+' | '＋' | '.' | '．' | '・' | '·' | '•' | '∙' | '。' | '*' | '＊' | '_' | '＿' | 'o' | 'O' | '○'
            | '〇' | '◯' | '□' | '┼' | '├' | '┤' | '┬' | '┴' | '┌' | '┐' | '└' | '┘' | '┿' | '╂' | '╋' | '╪' | '╫'
            | '╬' | '╔' | '╗' | '╚' | '╝' | '╠' | '╣' | '╦' | '╩' | '╳' | '※' => Cell::Empty,
            '-' | '－' | '—' | '–' => Cell::Dash,
            '─' | '━' | '═' | '│' | '┃' | '║' | '|' | '｜' | '/' | '／' | '\\' | '＼' | '╱' | '╲' | '=' =>
            {
                continue;
            }
            '楚' | '河' | '汉' | '漢' | '界' => {
                river = true;
                continue;
            }
            _ => return None,
        };
        cells.push((here, cell));
    }
    let pieces = cells.iter().any(|(_, cell)| matches!(cell, Cell::Piece(_)));
    if river && pieces { None } else { Some((cells, river)) }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}')
}

/// A line of nothing but different numbers.
fn labels(cells: &[(At, Cell)]) -> Option<Line> {
    let numbers: Vec<u8> = cells
        .iter()
        .map(|(_, cell)| match cell {
            Cell::Digit(n) | Cell::Cross(n) | Cell::Numeral(n) => Some(*n),
            _ => None,
        })
        .collect::<Option<_>>()?;
    (numbers.len() >= 5 && numbers.iter().any(|n| *n != numbers[0]))
        .then(|| Line::Labels(cells.iter().map(|(column, _)| *column).collect()))
}

/// The cells between the numbers of the rank at the margins.
fn without_labels(cells: &[(At, Cell)]) -> &[(At, Cell)] {
    let digit = |cell: &(At, Cell)| matches!(cell.1, Cell::Digit(_));
    let first = cells.iter().position(|cell| !digit(cell)).unwrap_or(cells.len());
    let last = cells.iter().rposition(|cell| !digit(cell)).map_or(first, |last| last + 1);
    &cells[first..last]
}

fn point(cell: Cell) -> Option<Option<Drawn>> {
    match cell {
        Cell::Piece(piece) => Some(Some(piece)),
        Cell::Empty | Cell::Dash | Cell::Cross(_) => Some(None),
        Cell::Digit(_) | Cell::Numeral(_) => None,
    }
}

/// Nine points, each drawn. Dashes are points where that makes nine.
fn full(cells: &[(At, Cell)]) -> Option<Line> {
    let drawn: Vec<_> = cells.iter().filter(|(_, cell)| !matches!(cell, Cell::Dash)).collect();
    let nine: Vec<_> = if drawn.len() == 9 { drawn } else { cells.iter().collect() };
    if nine.len() != 9 || nine.iter().all(|(_, cell)| matches!(cell, Cell::Dash)) {
        return None;
    }
    let points = nine.iter().map(|(_, cell)| point(*cell)).collect::<Option<_>>()?;
    Some(Line::Full(points, nine.iter().map(|(column, _)| *column).collect()))
}

/// Runs of empty points as digits, as in a FEN.
fn runs(cells: &[(At, Cell)]) -> Option<Line> {
    let mut points = Vec::new();
    for (_, cell) in cells {
        match cell {
            Cell::Digit(run) => points.resize(points.len() + usize::from(*run), None),
            Cell::Piece(piece) => points.push(Some(*piece)),
            _ => return None,
        }
    }
    (points.len() == 9).then(|| Line::Full(points, Vec::new()))
}

fn loose(cells: &[(At, Cell)]) -> Line {
    let latin = |cell: &Cell| matches!(cell, Cell::Piece(piece) if piece.character.is_ascii());
    // Letters in a line that is not nine points wide are words.
    if cells.len() > 9 || cells.iter().any(|(_, cell)| latin(cell)) {
        return Line::Other;
    }
    let cells: Option<Vec<_>> = cells.iter().map(|(column, cell)| Some((*column, point(*cell)?))).collect();
    cells.map_or(Line::Other, Line::Loose)
}
