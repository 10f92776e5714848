//! Typed boards: a diagram drawn with characters to a position.
//!
//! Comes in: text in which a board stands: ten rows of pieces in Chinese characters of any set (帥俥傌炮仕相兵,
//! 將車馬包士象卒), chess symbols U+1FA60–1FA6D or FEN letters; empty points as `+ . ・ 十 一`, box lines, dashes, digits
//! for runs of them, or blanks. Goes out: the position, what was assumed, and the lines the board takes.
//!
//! Forgives: numbers of ranks and files around the board, a river row, lines drawn between the rows, brackets around
//! pieces, Black at the bottom (told as a note), other text before and behind. Blanks for empty points need one row or
//! one line of file numbers that shows where the nine files stand.
//!
//! Nothing is guessed: where nothing tells whose a piece is, the board is refused with those pieces named.
//!
//! ```
//! use yipu::{board::Position, diagram::read_board};
//! let text = "車馬象士將士象馬車\n＋＋＋＋＋＋＋＋＋\n＋包＋＋＋＋＋包＋\n卒＋卒＋卒＋卒＋卒\n＋＋＋＋＋＋＋＋＋\n\
//!             ＋＋＋＋＋＋＋＋＋\n兵＋兵＋兵＋兵＋兵\n＋炮＋＋＋＋＋炮＋\n＋＋＋＋＋＋＋＋＋\n俥傌相仕帥仕相傌俥";
//! assert_eq!(read_board(text).unwrap().position, Position::start());
//! ```

mod row;
mod sides;

use crate::board::{Color, FenFault, FenNote, Piece, Position, Square};
use row::{At, Drawn, Line, WAYS};
use sides::Standing;
use std::ops::Range;

/// Why a text shows no board that can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardFault {
    /// No rows of a board.
    #[error("no board is drawn here")]
    None,
    /// Not ten rows.
    #[error("the board has {0} rows instead of 10")]
    Rows(usize),
    /// A row that is not nine points wide. Rows count from 1 at the top.
    #[error("row {row} ({text}) does not show nine points; draw empty points as + or .")]
    Width {
        /// Row number from 1.
        row: usize,
        /// As written.
        text: String,
    },
    /// Pieces of which nothing tells whose they are.
    #[error(
        "nothing tells whose these pieces are: {0}; put Red's in round brackets and Black's in square ones, or use 俥傌炮 and 車馬包"
    )]
    Side(String),
}

/// What was assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardNote {
    /// No side is named: Red assumed.
    #[error("the diagram does not say who is to move, Red assumed")]
    SideMissing,
    /// Red stands at the top: the board was turned.
    #[error("the diagram has Black at the bottom; it was turned by half")]
    Turned,
}

/// A typed board, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadBoard {
    /// The position.
    pub position: Position,
    /// What was assumed.
    pub notes: Vec<BoardNote>,
    /// The bytes of the text from the first row to the last.
    pub range: Range<usize>,
}

/// Reads the first board drawn in a text.
///
/// # Errors
///
/// See [`BoardFault`].
pub fn read_board(text: &str) -> Result<ReadBoard, BoardFault> {
    // A board on one line, its rows parted as in a FEN.
    let board = text.split_whitespace().find(|word| word.contains('/')).unwrap_or_default().trim_matches('/');
    if !text.trim().contains('\n') && board.matches('/').count() == 9 {
        let mut read = read_board(&format!("{}\n", board.replace('/', "\n")))?;
        read.range = 0..text.len();
        set_side(&mut read, text);
        return Ok(read);
    }
    let mut fault = None;
    let mut at = 0;
    while let Some(block) = Block::find(text, at) {
        at = block.end;
        match block.read() {
            Ok(mut read) => {
                set_side(&mut read, text);
                return Ok(read);
            }
            Err(why) => fault = fault.or(why),
        }
    }
    Err(fault.unwrap_or(BoardFault::None))
}

/// Whether a line is surely a row of a board, for readers that meet one before the moves of a record. Rows with runs of
/// empty points as digits are not: `车12 卒13` is two moves.
pub fn is_board_row(text: &str) -> bool {
    // Nearly every line asked about is `1. 炮二平五 …`.
    let start = text.trim_start();
    let behind = start.trim_start_matches(|c: char| c.is_ascii_digit());
    if behind.len() < start.len() && behind.starts_with(['.', '、', '．']) {
        return false;
    }
    match row::line(text) {
        Line::Full(_, columns) => !columns.is_empty(),
        Line::Loose(cells) => cells.iter().any(|(_, piece)| piece.is_some()),
        _ => false,
    }
}

/// A position as people hand it over: a FEN, or a board drawn with characters.
#[derive(Clone, Debug)]
pub struct Given {
    /// The position.
    pub position: Position,
    /// What was assumed.
    pub notes: Vec<String>,
}

/// Reads a FEN or, if it is none, a typed board.
///
/// # Errors
///
/// What is wrong with the FEN, or with the board if the text shows one.
pub fn read_position(text: &str) -> Result<Given, PositionFault> {
    match Position::read_fen(text) {
        Ok(read) => {
            let notes = read.notes.iter().map(FenNote::to_string).collect();
            Ok(Given { position: read.position(), notes })
        }
        Err(fen) => match read_board(text) {
            Ok(read) => {
                let notes = read.notes.iter().map(BoardNote::to_string).collect();
                Ok(Given { position: read.position, notes })
            }
            Err(BoardFault::None) => Err(PositionFault::Fen(fen)),
            Err(board) => Err(PositionFault::Board(board)),
        },
    }
}

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionFault {
    /// It is no FEN.
    #[error(transparent)]
    Fen(FenFault),
    /// It is a board with a fault.
    #[error(transparent)]
    Board(BoardFault),
}

/// Takes the side to move from the words around the board.
fn set_side(read: &mut ReadBoard, text: &str) {
    let around = [text.get(..read.range.start), text.get(read.range.end..)];
    let around: Vec<&str> =
        if read.range == (0..text.len()) { vec![text] } else { around.into_iter().flatten().collect() };
    let says = |words: &[&str], letters: &[&str]| {
        around.iter().any(|part| {
            let lower = part.to_lowercase();
            words.iter().any(|word| lower.contains(word))
                || part.split_whitespace().any(|word| letters.contains(&word) && word.len() == 1)
        })
    };
    let red = says(
        &[
            "红先",
            "紅先",
            "红方先",
            "紅方先",
            "轮到红",
            "輪到紅",
            "轮红",
            "輪紅",
            "红走",
            "紅走",
            "红方走",
            "紅方走",
            "red to move",
        ],
        &["w", "r"],
    );
    let black =
        says(&["黑先", "黑方先", "轮到黑", "輪到黑", "轮黑", "輪黑", "黑走", "黑方走", "black to move"], &["b"]);
    read.notes.retain(|note| *note != BoardNote::SideMissing);
    match (red, black) {
        (true, false) => read.position.set_side_to_move(Color::Red),
        (false, true) => read.position.set_side_to_move(Color::Black),
        _ => read.notes.push(BoardNote::SideMissing),
    }
}

/// Lines that follow each other and may be a board.
struct Block<'t> {
    lines: Vec<(Range<usize>, &'t str, Line)>,
    /// Where the text goes on.
    end: usize,
}

impl<'t> Block<'t> {
    fn find(text: &'t str, from: usize) -> Option<Block<'t>> {
        let mut block = Block { lines: Vec::new(), end: text.len() };
        let mut rows = 0;
        let mut at = from;
        for whole in text[from..].split_inclusive('\n') {
            let written = whole.trim_end_matches(['\n', '\r']);
            let line = row::line(written);
            let here = at..at + written.len();
            at += whole.len();
            let begun = !block.lines.is_empty();
            match line {
                Line::Other if begun => {
                    block.end = at;
                    break;
                }
                Line::Other => continue,
                Line::Blank | Line::Spacer | Line::Dashes if !begun => continue,
                Line::Full(..) | Line::Loose(_) => rows += 1,
                _ => {}
            }
            block.lines.push((here, written, line));
            if rows == 10 {
                block.end = at;
                break;
            }
        }
        (!block.lines.is_empty()).then_some(block)
    }

    /// The board; no fault if it has too little of one.
    fn read(self) -> Result<ReadBoard, Option<BoardFault>> {
        let is_row = |line: &Line| matches!(line, Line::Full(..) | Line::Loose(_));
        let drawn = self.lines.iter().filter(|(.., line)| is_row(line)).count();
        let first = self.lines.iter().position(|(.., line)| is_row(line)).ok_or(None)?;
        let last = self.lines.iter().rposition(|(.., line)| is_row(line)).ok_or(None)?;
        let lines = &self.lines[first..=last];
        // Blank lines and rules of nine dashes are empty ranks where that makes ten.
        let counted: [fn(&Line) -> bool; 3] =
            [|_| false, |line| matches!(line, Line::Dashes), |line| matches!(line, Line::Dashes | Line::Blank)];
        let rows: Option<Vec<_>> = counted.into_iter().find_map(|empty| {
            let rows: Vec<_> = lines.iter().filter(|(.., line)| is_row(line) || empty(line)).collect();
            (rows.len() == 10).then_some(rows)
        });
        let Some(rows) = rows else { return Err((drawn >= 5).then_some(BoardFault::Rows(drawn))) };
        let loose: Vec<&[(At, Option<Drawn>)]> = rows
            .iter()
            .filter_map(|(.., line)| match line {
                Line::Loose(cells) => Some(&cells[..]),
                _ => None,
            })
            .collect();
        // Whichever way to count puts every row on the board; nothing if several do, differently.
        let by = |way: usize| -> Option<Vec<Points>> {
            let files = self.files(way);
            loose.iter().map(|cells| placed(cells, files, way)).collect()
        };
        let mut fitting: Vec<Vec<Points>> = (0..WAYS).filter_map(by).collect();
        fitting.dedup();
        let placed = if fitting.len() == 1 { fitting.pop() } else { None };
        let mut placed = placed.map(Vec::into_iter);
        let mut pieces: Vec<Standing> = Vec::new();
        for (number, (_, written, line)) in rows.iter().enumerate() {
            let points = match line {
                Line::Full(points, _) => points.clone(),
                Line::Loose(_) => placed
                    .as_mut()
                    .and_then(Iterator::next)
                    .ok_or_else(|| Some(BoardFault::Width { row: number + 1, text: written.trim().to_string() }))?,
                _ => Vec::new(),
            };
            pieces
                .extend(points.iter().enumerate().filter_map(|(file, piece)| piece.map(|piece| (number, file, piece))));
        }
        let (range, notes) = (lines[0].0.start..lines[lines.len() - 1].0.end, vec![BoardNote::SideMissing]);
        assemble(&pieces)
            .map(|(position, turned)| {
                let mut read = ReadBoard { position, notes, range };
                if turned {
                    read.notes.push(BoardNote::Turned);
                }
                read
            })
            .map_err(Some)
    }

    /// First column and distance of the files, from a row or a line of numbers that shows all nine.
    fn files(&self, way: usize) -> Option<(f64, f64)> {
        self.lines.iter().find_map(|(.., line)| match line {
            Line::Full(_, at) | Line::Labels(at) if at.len() == 9 => {
                let (first, last) = (at[0][way], at[8][way]);
                Some((first as f64, (last - first) as f64 / 8.0))
            }
            _ => None,
        })
    }
}

/// The nine points of a row.
type Points = Vec<Option<Drawn>>;

/// The nine points of a row whose empty ones are blanks; `None` if a piece stands beside all files.
fn placed(cells: &[(At, Option<Drawn>)], files: Option<(f64, f64)>, way: usize) -> Option<Points> {
    const ASIDE: f64 = 0.26;
    let (first, distance) = files.filter(|(_, distance)| *distance >= 1.0)?;
    let mut points = vec![None; 9];
    let mut before = None;
    for (at, piece) in cells {
        let exact = (at[way] as f64 - first) / distance;
        let file = exact.round();
        if !(0.0..9.0).contains(&file) || (exact - file).abs() > ASIDE || before.is_some_and(|before| before >= file) {
            return None;
        }
        before = Some(file);
        points[file as usize] = *piece;
    }
    Some(points)
}

fn assemble(pieces: &[Standing]) -> Result<(Position, bool), BoardFault> {
    let (sides, turned) = sides::sides(pieces);
    let point = |row: usize, file: usize| {
        let square = Square::new(file as u8, 9 - row as u8);
        if turned { square.map(Square::turn) } else { square }
    };
    let unknown: Vec<String> = pieces
        .iter()
        .zip(&sides)
        .filter(|(_, side)| side.is_none())
        .filter_map(|((row, file, piece), _)| Some(format!("{} {}", piece.character, point(*row, *file)?)))
        .collect();
    if !unknown.is_empty() {
        return Err(BoardFault::Side(unknown.join(", ")));
    }
    let mut position = Position::empty(Color::Red);
    for ((row, file, piece), side) in pieces.iter().zip(sides) {
        if let (Some(square), Some(side)) = (point(*row, *file), side) {
            position.put(square, Some(Piece::new(side, piece.kind)));
        }
    }
    Ok((position, turned))
}

#[cfg(test)]
mod tests;
