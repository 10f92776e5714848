//! The diagram for a terminal. Every point is four columns wide: Chinese characters take two.

use super::{Diagram, character};
use crate::board::{Color, Square};
use std::fmt::Write;

pub(super) fn draw(diagram: &Diagram) -> String {
    let mut text = String::new();
    let (top, bottom) = if diagram.flipped { (Color::Red, Color::Black) } else { (Color::Black, Color::Red) };
    numbers(diagram, top, &mut text);
    for row in 0..10u8 {
        let mut line = String::new();
        let mut rank = 0;
        for column in 0..9u8 {
            let Some(square) = Square::new(column, 9 - row) else { continue };
            let square = if diagram.flipped { square.turn() } else { square };
            rank = square.rank();
            let _ = match diagram.position.piece_at(square) {
                Some(piece) => {
                    let c = character(piece, diagram.script);
                    match piece.color() {
                        Color::Red => write!(line, "({c})"),
                        Color::Black => write!(line, "[{c}]"),
                    }
                }
                None if diagram.last.is_some_and(|m| m.from() == square) => write!(line, " *  "),
                None => write!(line, " .  "),
            };
        }
        let _ = writeln!(text, "{rank} {}", line.trim_end());
        if row == 4 {
            text.push_str("  ------------------------------------\n");
        }
    }
    numbers(diagram, bottom, &mut text);
    text
}

fn numbers(diagram: &Diagram, color: Color, text: &mut String) {
    let mut line = String::from("  ");
    for column in 0..9u8 {
        let file = if diagram.flipped { 8 - column } else { column };
        let Some(square) = Square::new(file, 0) else { continue };
        let number = square.file_for(color);
        match color {
            Color::Red => {
                let c = ['一', '二', '三', '四', '五', '六', '七', '八', '九'][usize::from(number) - 1];
                let _ = write!(line, " {c} ");
            }
            Color::Black => {
                let _ = write!(line, " {number}  ");
            }
        }
    }
    text.push_str(line.trim_end());
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use crate::board::Position;
    use crate::diagram::Diagram;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn columns_stand_one_below_the_other_whatever_stands_on_them() {
        let m = "h2e2".parse().unwrap();
        let mut position = Position::start();
        position.play(m);
        for flipped in [false, true] {
            let text = Diagram::new(&position).flipped(flipped).last_move(m).to_text();
            assert_eq!(text.lines().count(), 13);
            let full = text.lines().filter(|line| line.width() == 38).count();
            // Both back ranks, both rows of pawns, the river.
            assert_eq!(full, 5, "{text}");
            assert!(text.contains(" *  "));
        }
        let text = Diagram::new(&Position::start()).to_text();
        assert_eq!(text.lines().nth(1), Some("9 [车][马][象][士][将][士][象][马][车]"));
        assert_eq!(text.lines().last(), Some("   九  八  七  六  五  四  三  二  一"));
    }
}
