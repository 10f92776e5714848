//! Moves to text.
//!
//! What is written in any style reads back, in the same position, to the same move and no other, whether the reader knows the
//! style ([`Style::dialect`]) or nothing at all. Where the usual text could be taken for another move, a plainer one is
//! written: 炮5=7 for 炮57 that might have lost its bar, `Pháo 5 tấn 4` for `P5.4`, `P5=4` for `P5.4` of 1997. This holds for every position with a set of pieces, whatever their arrangement (five pawns of one file, pawns
//! doubled on two files, tandem pairs); a test writes and reads hundreds of thousands of moves. Diagrams with more pieces
//! of a kind than a set holds get place, piece and file together, so that the reading stays unique where words allow it.

use super::dialect::Dialect;
use super::read::read_move;
use super::resolve::resolve;
use super::style::{Bars, Digits, Notation, PawnStyle, Script, Style};
use super::token::Direction;
use crate::board::{Color, Kind, Move, Piece, Position};

/// Appends the move as written in the given style; in coordinates if nothing stands on its from-square.
///
/// ```
/// # use yipu::{board::Position, notation::{write_move, Notation, Style}};
/// let (position, m) = (Position::start(), "b0c2".parse().unwrap());
/// let mut text = String::new();
/// write_move(m, &position, &Style::of(Notation::Chinese), &mut text);
/// assert_eq!(text, "马八进七");
/// ```
pub fn write_move(m: Move, position: &Position, style: &Style, out: &mut String) {
    let Some(piece) = position.piece_at(m.from()) else {
        return coordinates(m, style.notation, out);
    };
    let writer = Writer { m, piece, style, standing: Standing::of(m, piece, position) };
    match style.notation {
        Notation::Iccs | Notation::Uci => coordinates(m, style.notation, out),
        Notation::Wxf => {
            let from = out.len();
            writer.wxf(out);
            if style.pawns == PawnStyle::Marks && !reads_alone(&out[from..], m, position) {
                writer.mark_plainly(from, out);
            }
        }
        Notation::Vietnamese => {
            let from = out.len();
            writer.vietnamese(out);
            if writer.looks_western() && !reads_alone(&out[from..], m, position) {
                out.truncate(from);
                writer.vietnamese_words(out);
            }
        }
        Notation::Short => {
            let from = out.len();
            writer.chinese(out);
            let bare = style.bars == Bars::Combining && writer.action().0 == Direction::Traverse;
            if bare && !reads_alone(&out[from..], m, position) {
                // Without a bar it could as well be one whose bar was lost.
                out.insert(out.len() - 1, sign(Direction::Traverse));
            }
        }
        Notation::Chinese | Notation::Chinese1956 => writer.chinese(out),
    }
}

/// Whether a text is read as this move and no other by someone who knows nothing about the record.
fn reads_alone(text: &str, m: Move, position: &Position) -> bool {
    read_move(text)
        .is_some_and(|(token, used)| used == text.len() && resolve(&token, position, Dialect::OPEN).single() == Some(m))
}

fn coordinates(m: Move, notation: Notation, out: &mut String) {
    let text = m.to_coordinates();
    for (index, byte) in text.into_iter().enumerate() {
        if notation == Notation::Iccs {
            if index == 2 {
                out.push('-');
            }
            out.push(byte.to_ascii_uppercase() as char);
        } else {
            out.push(byte as char);
        }
    }
}

/// How the moving piece stands among its equals.
#[derive(Clone, Copy)]
struct Standing {
    /// Place on its file from the front, from 1.
    number: u8,
    /// How many equals stand on its file, itself included.
    of: u8,
    /// How many files hold two or more.
    files: u8,
}

impl Standing {
    fn of(m: Move, piece: Piece, position: &Position) -> Standing {
        let mut standing = Standing { number: 1, of: 0, files: 0 };
        for file in 0..9 {
            let mut count = 0;
            for square in position.squares_on_file(piece, file) {
                count += 1;
                let ahead = square.rank_for(piece.color()) > m.from().rank_for(piece.color());
                standing.number += u8::from(file == m.from().file() && ahead);
            }
            standing.files += u8::from(count >= 2);
            if file == m.from().file() {
                standing.of = count;
            }
        }
        standing
    }
}

struct Writer<'a> {
    m: Move,
    piece: Piece,
    style: &'a Style,
    standing: Standing,
}

impl Writer<'_> {
    fn side(&self) -> Color {
        self.piece.color()
    }

    fn file(&self) -> u8 {
        self.m.from().file_for(self.side())
    }

    /// Direction and the number behind it: target file, or steps.
    fn action(&self) -> (Direction, u8) {
        let (from, to) = (self.m.from().rank_for(self.side()), self.m.to().rank_for(self.side()));
        let direction = match to.cmp(&from) {
            std::cmp::Ordering::Greater => Direction::Forward,
            std::cmp::Ordering::Less => Direction::Back,
            std::cmp::Ordering::Equal => Direction::Traverse,
        };
        let steps = matches!(self.piece.kind(), Kind::King | Kind::Rook | Kind::Cannon | Kind::Pawn)
            && direction != Direction::Traverse;
        (direction, if steps { to.abs_diff(from) } else { self.m.to().file_for(self.side()) })
    }

    /// Whether the piece needs a word for which of several it is. Advisors and elephants never do: of two on a file the
    /// direction tells.
    fn is_doubled(&self) -> bool {
        self.standing.of >= 2 && !matches!(self.piece.kind(), Kind::Advisor | Kind::Elephant)
    }

    fn chinese(&self, out: &mut String) {
        let piece = self.character();
        if !self.is_doubled() {
            out.push(piece);
            self.digit(self.file(), out);
        } else {
            let Standing { number, of, files } = self.standing;
            let pawn = self.piece.kind() == Kind::Pawn;
            let too_many = of > 5 || (!pawn && (of > 2 || files > 1));
            out.push(match number {
                1 if !too_many => '前',
                _ if number == of && !too_many => match self.style.script {
                    Script::Simplified => '后',
                    Script::Traditional => '後',
                },
                2 if of == 3 && !too_many => '中',
                // Numbers beyond nine cannot stand on one file.
                _ => HAN[number.clamp(1, 9) as usize - 1],
            });
            let short = self.style.notation == Notation::Short;
            if too_many || (files > 1 && short) {
                out.push(piece);
                self.digit(self.file(), out);
            } else if files > 1 {
                self.digit(self.file(), out);
            } else {
                out.push(piece);
            }
        }
        let (direction, number) = self.action();
        match self.style.notation {
            Notation::Short => self.short_digit(direction, number, out),
            notation => {
                let old = notation == Notation::Chinese1956;
                out.push(match (direction, self.style.script) {
                    (Direction::Forward, _) if old => '上',
                    (Direction::Back, _) if old => '下',
                    (Direction::Forward, Script::Simplified) => '进',
                    (Direction::Forward, Script::Traditional) => '進',
                    (Direction::Back, _) => '退',
                    (Direction::Traverse, _) => '平',
                });
                self.digit(number, out);
            }
        }
    }

    fn short_digit(&self, direction: Direction, number: u8, out: &mut String) {
        if self.style.bars == Bars::Signs {
            out.push(sign(direction));
        }
        out.push((b'0' + number) as char);
        if self.style.bars == Bars::Combining {
            match direction {
                Direction::Forward => out.push('\u{332}'),
                Direction::Back => out.push('\u{305}'),
                Direction::Traverse => {}
            }
        }
    }

    fn character(&self) -> char {
        let (kind, side) = (self.piece.kind(), self.side());
        // In 1956 the first mover had the black pieces, the second the red ones; pawns keep their names.
        let named = if self.style.notation == Notation::Chinese1956 && kind != Kind::Pawn { !side } else { side };
        match (self.style.script, kind, named) {
            (Script::Traditional, Kind::King, Color::Red) => '帥',
            (Script::Traditional, Kind::King, Color::Black) => '將',
            (Script::Traditional, Kind::Horse, _) => '馬',
            (Script::Traditional, Kind::Rook, _) => '車',
            _ => Piece::new(named, kind).hanzi(),
        }
    }

    fn digit(&self, number: u8, out: &mut String) {
        let index = number.clamp(1, 9) as usize - 1;
        if self.style.notation == Notation::Short {
            out.push((b'1' + index as u8) as char);
            return;
        }
        out.push(match (self.side(), self.style.digits, self.style.script) {
            (Color::Red, _, _) => HAN[index],
            (_, Digits::Ascii, _) | (_, Digits::ByScript, Script::Simplified) => (b'1' + index as u8) as char,
            _ => ['１', '２', '３', '４', '５', '６', '７', '８', '９'][index],
        });
    }

    fn wxf(&self, out: &mut String) {
        let letter = match self.piece.kind() {
            Kind::Elephant => 'E',
            Kind::Horse => 'H',
            kind => kind.letter(),
        };
        let digit = |number: u8| (b'0' + number.min(9)) as char;
        let Standing { number, of, files } = self.standing;
        let file = digit(self.file());
        let marks = self.style.pawns == PawnStyle::Marks;
        let mark = if number == 1 { '+' } else { '-' };
        let source = match self.piece.kind() {
            _ if !self.is_doubled() => [letter, file],
            Kind::Pawn if of == 2 && files == 1 => [letter, mark],
            Kind::Pawn if !marks => [digit(number), file],
            Kind::Pawn if files > 1 => match (number, of) {
                (2, 3) => [file, file],
                _ => [file, mark],
            },
            Kind::Pawn => match (number, of) {
                (1, 3) => ['P', '+'],
                (2, 3) | (3, 5) => ['P', file],
                (3, 3) => ['P', '-'],
                (1, _) => ['+', '+'],
                (2, _) => ['P', '+'],
                _ if number == of => ['-', '-'],
                _ => ['P', '-'],
            },
            _ => [letter, mark],
        };
        out.extend(source);
        let (direction, number) = self.action();
        out.push(if marks && direction == Direction::Traverse { '.' } else { sign(direction) });
        out.push(digit(number));
    }

    /// Rewrites a text in the marks of 1997 that would be read otherwise: the point of a traverse may be a Vietnamese
    /// forward move, `33+1` the third pawn of file 3.
    fn mark_plainly(&self, from: usize, out: &mut String) {
        let (direction, number) = self.action();
        let digit = |number: u8| (b'0' + number.min(9)) as char;
        if out[from..].starts_with(|c: char| c.is_ascii_digit()) {
            out.truncate(from);
            out.extend(['P', digit(self.file()), sign(direction), digit(number)]);
        } else if direction == Direction::Traverse {
            out.truncate(out.len() - 2);
            out.extend([sign(direction), digit(number)]);
        }
    }

    /// Whether the Vietnamese text may be one in the letters of WXF: `P5.4` is a pawn there that goes sideways.
    fn looks_western(&self) -> bool {
        matches!(self.piece.kind(), Kind::Cannon | Kind::Advisor) && !self.is_doubled()
    }

    /// `Pháo 5 tấn 4`.
    fn vietnamese_words(&self, out: &mut String) {
        let (direction, number) = self.action();
        let name = if self.piece.kind() == Kind::Cannon { "Pháo" } else { "Sĩ" };
        let way = match direction {
            Direction::Forward => "tấn",
            Direction::Back => "thoái",
            Direction::Traverse => "bình",
        };
        out.push_str(&format!("{name} {} {way} {number}", self.file()));
    }

    fn vietnamese(&self, out: &mut String) {
        out.push_str(match self.piece.kind() {
            Kind::King => "Tg",
            Kind::Advisor => "S",
            Kind::Elephant => "T",
            Kind::Horse => "M",
            Kind::Rook => "X",
            Kind::Cannon => "P",
            Kind::Pawn => "B",
        });
        let Standing { number, of, files } = self.standing;
        let digit = |number: u8| (b'0' + number.min(9)) as char;
        if !self.is_doubled() {
            out.push(digit(self.file()));
        } else if files == 1 && number == 1 {
            out.push('t');
        } else if files == 1 && number == of {
            out.push('s');
        } else if files == 1 && of % 2 == 1 && of <= 5 && number == of / 2 + 1 {
            out.push('g');
        } else {
            // No word reaches this pawn: number from the front and file.
            out.extend([digit(number), digit(self.file())]);
        }
        let (direction, number) = self.action();
        out.push(match direction {
            Direction::Forward => '.',
            Direction::Back => '/',
            Direction::Traverse => '-',
        });
        out.push(digit(number));
    }
}

const HAN: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

fn sign(direction: Direction) -> char {
    match direction {
        Direction::Forward => '+',
        Direction::Back => '-',
        Direction::Traverse => '=',
    }
}
