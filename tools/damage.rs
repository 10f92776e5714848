//! Real games written as score sheets in the short form, with signs and entries lost by chance.

use crate::games::Random;
use yipu::board::{Move, Position};
use yipu::notation::{Notation, Style, write_move};

/// The entries of a game in the short form; every bar (and 平, if it is written) is lost with this chance.
pub fn entries(game: &[Move], loss: f64, traverse: bool, random: &mut Random) -> Vec<String> {
    let style = Style::of(Notation::Short);
    let mut position = Position::start();
    game.iter()
        .map(|&m| {
            let mut text = String::new();
            write_move(m, &position, &style, &mut text);
            position.play(m);
            let sideways = m.from().rank() == m.to().rank();
            let lost = random.chance(loss);
            if lost {
                text.retain(|c| !('\u{300}'..='\u{36f}').contains(&c));
            } else if sideways && traverse {
                let at = text.char_indices().last().map_or(0, |(at, _)| at);
                text.insert(at, '=');
            }
            text
        })
        .collect()
}

/// Rows of two columns; an empty entry leaves its place empty.
pub fn sheet_text(entries: &[String]) -> String {
    let rows = entries.chunks(2).enumerate().map(|(row, pair)| {
        let black = pair.get(1).map_or("", |e| e);
        format!("{}\t{}\t{black}\t\n", row + 1, pair[0])
    });
    rows.collect()
}
