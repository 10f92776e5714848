//! Written moves against the tables of the specification.

use crate::support::{real_games, shared};
use rayon::prelude::*;
use std::ops::ControlFlow;
use yipu::board::{Color, Kind, Move, Piece, Position, Square};
use yipu::format::pgn::{PgnReader, PgnWriter};
use yipu::format::{ReadOptions, Reader, Source, WriteOptions, Writer};
use yipu::game::Game;
use yipu::notation::{
    Bars, Dialect, Digits, Form, Notation, PawnStyle, Script, Style, read_move, read_whole, resolve, write_move,
};
use yipu::replay::lattice::{Limits, settle};

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

/// A small generator of numbers, the same everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// A position made for its doubled pieces: up to five pawns on few files, pairs of the others often on one file.
pub fn crowded(random: &mut Random) -> Position {
    let mut position = Position::empty(Color::ALL[random.below(2)]);
    for color in Color::ALL {
        let home = |file: u8, rank: u8| Square::new(file, if color == Color::Red { rank } else { 9 - rank }).unwrap();
        position.put(home(3 + random.below(3) as u8, random.below(3) as u8), Some(Piece::new(color, Kind::King)));
        let files = [random.below(9), random.below(9), random.below(9)];
        let spread = 1 + random.below(3);
        for _ in 0..random.below(6) {
            let square = home(files[random.below(spread)] as u8, 3 + random.below(7) as u8);
            if position.piece_at(square).is_none() && square.allows(Kind::Pawn, color) {
                position.put(square, Some(Piece::new(color, Kind::Pawn)));
            }
        }
        for kind in [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Advisor, Kind::Elephant] {
            let file = random.below(9);
            for _ in 0..random.below(3) {
                let file = if random.below(3) == 0 { random.below(9) } else { file };
                let square = home(file as u8, random.below(10) as u8);
                if position.piece_at(square).is_none() && square.allows(kind, color) {
                    position.put(square, Some(Piece::new(color, kind)));
                }
            }
        }
    }
    position
}

pub fn styles() -> Vec<Style> {
    let of = Style::of;
    let mut styles: Vec<Style> = Notation::ALL.into_iter().map(of).collect();
    for notation in [Notation::Chinese, Notation::Short, Notation::Chinese1956] {
        styles.push(Style { script: Script::Traditional, ..of(notation) });
    }
    styles.push(Style { digits: Digits::FullWidth, ..Style::default() });
    styles.push(Style { pawns: PawnStyle::Marks, ..of(Notation::Wxf) });
    styles.push(Style { bars: Bars::Signs, ..of(Notation::Short) });
    styles
}

/// Writes every legal move in every style and reads it back. Returns the number of moves.
pub fn reads_back(position: &Position, styles: &[Style]) -> usize {
    let moves = position.legal_moves();
    let mut text = String::new();
    for &m in moves.iter() {
        for style in styles {
            text.clear();
            write_move(m, position, style, &mut text);
            let (token, used) = read_move(&text).unwrap_or_else(|| panic!("{text} is not read: {m} in {position:?}"));
            assert_eq!(used, text.len(), "{text} is read in part: {m} in {position:?}");
            let found = resolve(&token, position, style.dialect());
            assert_eq!(found.to_vec(), [m], "{text} is read otherwise in {position:?} ({style:?})");
            // Nor does the reader have to know the style.
            let open = resolve(&token, position, Dialect::OPEN);
            assert_eq!(open.to_vec(), [m], "{text} is read otherwise without a dialect in {position:?} ({style:?})");
            assert_eq!(read_whole(&text), Some(token), "{text}");
        }
    }
    moves.len()
}

#[test]
fn what_is_written_reads_back_to_the_same_move_alone() {
    let styles = styles();
    let total: usize = (0..64u64)
        .into_par_iter()
        .map(|seed| {
            let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ (seed + 1) << 17);
            let mut count = 0;
            for _ in 0..140 {
                count += reads_back(&crowded(&mut random), &styles);
            }
            // Random play, where most pieces stand on the board.
            let mut position = Position::start();
            for _ in 0..40 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[random.below(moves.len())]);
                count += reads_back(&position, &styles);
            }
            count
        })
        .sum();
    assert!(total >= 200_000, "{total} moves");
}

#[test]
fn moves_of_real_games_read_back_in_every_style() {
    let Some(folder) = real_games() else { return };
    let styles = styles();
    let files: Vec<_> = crate::pgn::listed(&folder, &["pgn"]).into_iter().step_by(20).collect();
    let total: usize = files
        .par_iter()
        .map(|(path, _)| {
            let bytes = std::fs::read(path).unwrap();
            let mut count = 0;
            for read in read_games(&bytes) {
                let mut position = read.start;
                for (ply, m) in read.moves().enumerate() {
                    // Every fifth position: neighbours differ little.
                    if ply % 5 == 0 {
                        count += reads_back(&position, &styles);
                    }
                    position.play(m);
                }
            }
            count
        })
        .sum();
    assert!(total > 100_000, "{total} moves");
}

fn read_games(bytes: &[u8]) -> Vec<Game> {
    let mut games = Vec::new();
    PgnReader.read(Source::whole(bytes, "a.pgn"), &ReadOptions::default(), &mut |read| {
        games.push(read.game);
        ControlFlow::Continue(())
    });
    games
}

#[test]
fn real_games_keep_every_move_from_chinese_to_wxf_to_iccs_and_back() {
    let Some(folder) = real_games() else { return };
    let files: Vec<_> = crate::pgn::listed(&folder, &["pgn"])
        .into_iter()
        .filter(|(path, _)| {
            let path = path.to_string_lossy();
            path.contains("walker8088") || path.contains("xqwizard")
        })
        .collect();
    let games: usize = files
        .par_iter()
        .map(|(path, _)| {
            let first = read_games(&std::fs::read(path).unwrap());
            for game in &first {
                let mut game = game.clone();
                let moves: Vec<Move> = game.moves().collect();
                let plies = game.tree.ply_count();
                for notation in [Notation::Chinese, Notation::Wxf, Notation::Iccs, Notation::Chinese] {
                    let mut out = Vec::new();
                    let options = WriteOptions { style: Style::of(notation), ..WriteOptions::default() };
                    PgnWriter.write(&game, &options, &mut out);
                    let mut again = read_games(&out);
                    assert_eq!(again.len(), 1, "{} as {}", path.display(), notation.name());
                    game = again.remove(0);
                    let place = format!("{} as {}", path.display(), notation.name());
                    assert_eq!(game.moves().collect::<Vec<_>>(), moves, "{place}");
                    assert_eq!(game.tree.ply_count(), plies, "{place}");
                }
            }
            first.len()
        })
        .sum();
    assert!(games >= 3_776, "{games} games");
}

/// Reads every row of a table `fen,text,moves,where`.
fn table(name: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let mut wrong = Vec::new();
    for (row, record) in csv::Reader::from_path(path).unwrap().records().enumerate() {
        let record = record.unwrap();
        let fen = if &record[0] == "start" { yipu::board::START_FEN } else { &record[0] };
        let position = Position::from_fen(fen).unwrap();
        let found: Vec<String> = read(&position, &record[1], Dialect::OPEN).iter().map(Move::to_string).collect();
        if found.join(" ") != record[2] {
            wrong.push(format!("row {}: {}: {found:?}, not {} ({})", row + 1, &record[1], &record[2], &record[3]));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_cases_of_the_field_read_as_they_should() {
    table("moves.csv");
}

/// Section by section what the specification of notations shows.
#[test]
fn every_form_of_the_specification_reads_as_it_should() {
    table("forms.csv");
}

/// Every sequence printed in the rulebooks, as the piece moved, the direction and the last number.
#[test]
fn the_sequences_of_the_rulebooks_are_read() {
    // 1956: pieces stand where its diagrams show them, so only the reading of the texts is asked.
    for text in "车二平一 车8平9 车一平三 车9平7 炮一平二 车9平8 炮二平一 车8平9 车七平六 士5上4 将4下1 车七上四 将4上1 车七下四"
        .split(' ')
    {
        let modern = text.replace('上', "进").replace('下', "退");
        let (old, new) = (read_whole(text).unwrap(), read_whole(&modern).unwrap());
        assert_eq!((old.form(), old.kind()), (Form::Chinese, new.kind()), "{text}");
        assert_eq!(old.has_old_direction(), text != modern, "{text}");
    }
    // 1987: prose without the file of origin.
    for (text, kind, side) in [
        ("黑马退6", Kind::Horse, Some(Color::Black)),
        ("红车平三", Kind::Rook, Some(Color::Red)),
        ("黑炮平到二路", Kind::Cannon, Some(Color::Black)),
        ("将进中", Kind::King, Some(Color::Black)),
    ] {
        let token = read_whole(text).unwrap();
        assert_eq!((token.form(), token.kind(), token.named_side()), (Form::Prose, Some(kind), side), "{text}");
    }
    let position = Position::from_fen("3k5/9/9/9/9/9/9/9/9/r4K3 b").unwrap();
    assert_eq!(read(&position, "将进中", Dialect::OPEN), ["d9e9".parse().unwrap()]);
    // 2011: the full row, and the short row with its bars lost in three ways.
    let full = ["炮二平五", "馬八進七", "馬二進三", "車九平八", "車一平二", "炮八進四"];
    let short = ["炮25", "馬87", "馬2 3", "車98", "車12", "炮8 4"];
    let mut position = Position::start();
    let mut moves = Vec::new();
    for (full, short) in full.into_iter().zip(short) {
        let found = read(&position, full, Dialect::OPEN);
        assert_eq!(found.len(), 1, "{full}");
        assert!(read(&position, short, Dialect::OPEN).contains(&found[0]), "{short}");
        position.play(found[0]);
        moves.push(found[0]);
    }
    let tokens: Vec<_> = short.map(read_whole).into();
    let settled = settle(&Position::start(), &tokens, Dialect::OPEN, &Limits::default());
    assert_eq!((settled.moves, settled.count), (moves, 2));
    // 後車平6 is written 後車6.
    let tandem = Position::from_fen("3k5/4r4/9/9/4r4/9/9/9/9/5K3 b").unwrap();
    let expected = read(&tandem, "後車平6", Dialect::OPEN);
    assert_eq!((expected.len(), read(&tandem, "後車6", Dialect::OPEN).contains(&expected[0])), (1, true));
}

#[test]
fn conversion_between_1956_and_now_changes_names_only() {
    // The first mover had the black pieces: his 将 is our 帅.
    let modern = ["炮二平五", "马8进7", "马二进三", "车9平8", "仕四进五", "将5进1"];
    let old = ["炮二平五", "马8上7", "马二上三", "车9平8", "士四上五", "帅5上1"];
    let mut position = Position::start();
    for (modern, old) in modern.into_iter().zip(old) {
        let m = read(&position, modern, Dialect::OPEN)[0];
        assert_eq!(read(&position, old, Dialect::OPEN), [m]);
        for (style, text) in [(Style::of(Notation::Chinese1956), old), (Style::default(), modern)] {
            let mut written = String::new();
            write_move(m, &position, &style, &mut written);
            assert_eq!(written, text);
        }
        position.play(m);
    }
}
