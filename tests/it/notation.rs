//! Written moves against the tables of the specification.

use crate::support::shared;
use yipu::board::{Move, Position, Square};
use yipu::notation::{Dialect, Notation, PawnStyle, Script, Style, read_whole, resolve, write_move};

/// A move of the tables, whose ranks count from 1.
fn table_move(text: &str) -> Move {
    let point = |text: &str| {
        let rank: u8 = text[1..].parse().unwrap();
        Square::new(text.as_bytes()[0] - b'a', rank - 1).unwrap()
    };
    let cut = 1 + text[1..].find(|c: char| c.is_ascii_alphabetic()).unwrap();
    Move::new(point(&text[..cut]), point(&text[cut..]))
}

fn rows(table: &str) -> Option<Vec<(usize, Vec<String>)>> {
    let text = std::fs::read_to_string(shared(table)?).unwrap();
    Some(
        text.lines()
            .enumerate()
            .skip(1)
            .map(|(number, line)| (number + 1, line.split('\t').map(str::to_owned).collect()))
            .collect(),
    )
}

fn read(position: &Position, text: &str, dialect: Dialect) -> Vec<Move> {
    read_whole(text).map_or(Vec::new(), |token| resolve(&token, position, dialect).to_vec())
}

#[test]
fn every_row_of_the_table_of_moves_is_written_and_read_as_it_says() {
    let Some(rows) = rows("notation/vectors.tsv") else { return };
    assert_eq!(rows.len(), 339);
    let traditional = Style { script: Script::Traditional, ..Style::default() };
    let columns = [Style::default(), traditional, Style::of(Notation::Wxf), Style::of(Notation::Iccs)];
    let mut wrong = Vec::new();
    for (line, row) in &rows {
        let position = Position::from_fen(&row[0]).unwrap();
        let m = table_move(&row[1]);
        for (style, text) in columns.iter().zip(&row[2..]) {
            let mut written = String::new();
            write_move(m, &position, style, &mut written);
            if written != *text {
                wrong.push(format!("line {line}: {m} is written {written}, not {text}"));
            }
            for dialect in [Dialect::OPEN, style.dialect()] {
                let found = read(&position, text, dialect);
                if found != [m] {
                    wrong.push(format!("line {line}: {text} is read {found:?}, not {m} ({})", row[0]));
                }
            }
        }
        let marks = Style { pawns: PawnStyle::Marks, ..Style::of(Notation::Wxf) };
        if let Some(text) = row[6].split("; ").find_map(|note| note.strip_prefix("wxf-1997=")) {
            let mut written = String::new();
            write_move(m, &position, &marks, &mut written);
            if written.replace('.', "=") != text {
                wrong.push(format!("line {line}: {m} is written {written} in 1997, not {text}"));
            }
        }
        for note in ["wxf-1997=", "xqbase=", "xqbase-ascii="] {
            if let Some(text) = row[6].split("; ").find_map(|n| n.strip_prefix(note)) {
                let found = read(&position, text, marks.dialect());
                if found != [m] {
                    wrong.push(format!("line {line}: {note}{text} is read {found:?}, not {m} ({})", row[0]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_alias_gives_the_moves_it_should() {
    let Some(rows) = rows("notation/aliases.tsv") else { return };
    assert_eq!(rows.len(), 294);
    let mut wrong = Vec::new();
    for (line, row) in &rows {
        let position = Position::from_fen(&row[0]).unwrap();
        let mut expected: Vec<Move> = match row[3].as_str() {
            "reject" => Vec::new(),
            moves => moves.split(',').map(table_move).collect(),
        };
        expected.sort();
        let found = read(&position, &row[1], Dialect::OPEN);
        if found != expected {
            wrong.push(format!("line {line}: {} ({}) is read {found:?}, not {expected:?}", row[1], row[2]));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
