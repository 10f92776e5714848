//! Texts and positions nobody would write, against the reader and writers of moves.

use crate::notation::{Random, crowded, styles};
use std::ops::ControlFlow;
use yipu::board::{Color, Kind, Move, Piece, Position, Square};
use yipu::format::{Format, ReadOptions, Source, WriteOptions, reader, writer};
use yipu::game::{Game, NodeId};
use yipu::notation::{
    Dialect, Notation, PawnStyle, Style, explain, looks_like_move, rare_readings, read_move, read_whole, resolve,
    resolve_unsafe, write_move,
};

/// Pieces of every script, signs, bars, blanks of every width, letters and digits of every dialect.
const POOL: &str = "帅帥将將王仕士相象马馬傌车車俥炮砲包兵卒进進上仩退下平岼前中后後一二三四五六七八九壹贰玖十零\
    0123456789０１２３４５６７８９①⑨⒈ABCDEGHKMNPRSTVXabcdefghikmnprstvxjqz+-=.·/\\_¯‾^vｖ＋－＝．xX#!?！？(){}（）<u></u>,，。;；：、…\
    \u{332}\u{331}\u{320}\u{305}\u{304}\u{35E}\u{200B}\u{200C}\u{200D}\u{2060}\u{FEFF}\u{A0}\u{3000}\u{2003} \t\
    红紅黑路到至🩠🩦🩧🩭\u{F902}\u{2F9E}\u{2FBA}\u{2F20}TướngSĩPháoMãTốtBinhChốtXe trước sau giữa tấn tiến thoái bình";

fn text(random: &mut Random, pool: &[char], whole: &[&str]) -> String {
    let mut text = String::new();
    if random.below(3) == 0 {
        text.push_str(whole[random.below(whole.len())]);
    }
    let most = 1 + random.below(63);
    while text.len() < most {
        match random.below(12) {
            0 => text.push_str(whole[random.below(whole.len())]),
            1 => text.push(char::from_u32(random.below(0x11_0000) as u32).unwrap_or('\u{FFFD}')),
            _ => text.push(pool[random.below(pool.len())]),
        }
    }
    // A change inside a sound move.
    if random.below(2) == 0 {
        let at = random.below(text.chars().count() + 1);
        let byte = text.char_indices().nth(at).map_or(text.len(), |(byte, _)| byte);
        text.insert(byte, pool[random.below(pool.len())]);
    }
    text
}

const WHOLE: [&str; 26] = [
    "炮二平五",
    "马8进7",
    "前车退二",
    "车前平三",
    "中兵平六",
    "三兵四平五",
    "前七平六",
    "炮25",
    "马87\u{332}",
    "炮8 4",
    "后车3\u{305}",
    "C2.5",
    "R+-2",
    "+R-1",
    "13=4",
    "33.4",
    "++.4",
    "Pa.4",
    "h2e2",
    "H2-E2",
    "A10e9",
    "Rih10",
    "7747",
    "P2-5",
    "Tg5.1",
    "Pháo 2 bình 5",
];

/// What must hold for any text in any position.
fn examine(text: &str, position: &Position) {
    let _ = looks_like_move(text);
    let legal = position.legal_moves();
    let mut tokens = Vec::new();
    if let Some((token, used)) = read_move(text) {
        assert!((1..=text.len()).contains(&used) && text.is_char_boundary(used), "{text:?}");
        // What was taken is a move by itself, and the same one.
        assert_eq!(read_move(&text[..used]).map(|(token, _)| token), Some(token), "{text:?}");
        tokens.push(token);
    }
    tokens.extend(read_whole(text));
    for token in tokens {
        let asked = [Dialect::VIETNAMESE, Dialect::FILES_FROM_0].map(|answer| Dialect::OPEN.settled(answer));
        for dialect in [Dialect::OPEN, Dialect::COMMON].into_iter().chain(asked) {
            let found = resolve(&token, position, dialect);
            assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "{text:?}");
            assert!(found.iter().all(|m| legal.contains(m)), "{text:?} {found:?} {position:?}");
            assert!(!found.is_cut(), "{text:?} {position:?}");
            if found.is_empty() {
                let explanation = explain(&token, position, dialect);
                assert!(explanation.nearest.iter().chain(&explanation.of_piece).all(|m| legal.contains(m)));
                assert!(!explanation.reason.to_string().is_empty() && !explanation.reason.in_chinese().is_empty());
            }
            let _ = resolve_unsafe(&token, position, dialect);
        }
        let _ = rare_readings(&token, position, Dialect::OPEN);
    }
}

#[test]
fn no_text_of_up_to_64_bytes_breaks_the_reader() {
    let pool: Vec<char> = POOL.chars().collect();
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let mut position = Position::start();
    for round in 0..60_000 {
        if round % 20 == 0 {
            position = if round % 3 == 0 { Position::start() } else { crowded(&mut random) };
        }
        examine(&text(&mut random, &pool, &WHOLE), &position);
    }
}

/// Characters that mean nothing inside a move do not change what it says, wherever they stand; a gap in the short form
/// does, and bars belong to the digit before them.
#[test]
fn blanks_and_characters_without_width_change_nothing_in_a_full_move() {
    let plain = ["炮二平五", "马8进7", "前车退二", "后車進3", "中兵平六", "三兵四平五", "士６退５"];
    let nothing = [
        "\u{200B}",
        "\u{200C}",
        "\u{200D}",
        "\u{2060}",
        "\u{FEFF}",
        " ",
        "\u{3000}",
        "\u{A0}",
        "\t",
        "·",
        " \u{200B} ",
    ];
    for text in plain {
        let token = read_whole(text).unwrap();
        for insert in nothing {
            for at in text.char_indices().map(|(at, _)| at).chain([text.len()]) {
                let mut changed = text.to_string();
                changed.insert_str(at, insert);
                assert_eq!(read_whole(&changed), Some(token), "{changed:?}");
            }
            let all: String = text.chars().map(|c| format!("{c}{insert}")).collect();
            assert_eq!(read_whole(&all), Some(token), "{all:?}");
        }
    }
}

#[test]
fn the_second_of_two_bars_and_a_bar_on_the_wrong_character_decide_nothing() {
    let bars = ['\u{332}', '\u{331}', '\u{320}', '\u{305}', '\u{304}', '\u{35E}'];
    let start = Position::start();
    for first in bars {
        for second in bars {
            for text in [
                format!("炮2{first}4{second}"),
                format!("炮24{first}{second}"),
                format!("炮{first}24{second}"),
                format!("{first}炮24{second}"),
                format!("炮2{first}{second}4"),
            ] {
                // Never another move than the three the characters allow.
                if let Some(token) = read_whole(&text) {
                    let found = resolve(&token, &start, Dialect::OPEN);
                    let allowed: [Move; 2] = ["h2f2".parse().unwrap(), "h2h6".parse().unwrap()];
                    assert!(found.iter().all(|m| allowed.contains(m)), "{text:?} {found:?}");
                }
            }
        }
    }
}

/// Positions with pawns as doubled as the board allows: five on a file, three files doubled, both sides.
fn pawns() -> Vec<Position> {
    let mut positions = Vec::new();
    let put = |files: [usize; 3], counts: [usize; 3], mover: Color| {
        let mut position = Position::empty(mover);
        position.put(Square::new(4, 0).unwrap(), Some(Piece::new(Color::Red, Kind::King)));
        position.put(Square::new(3, 9).unwrap(), Some(Piece::new(Color::Black, Kind::King)));
        for color in Color::ALL {
            for (file, count) in files.into_iter().zip(counts) {
                let mut rank: i8 = 9;
                for _ in 0..count {
                    while rank >= 3 {
                        let real = if color == Color::Red { rank as u8 } else { 9 - rank as u8 };
                        let square = Square::new(file as u8, real).unwrap();
                        rank -= 1;
                        if position.piece_at(square).is_none() && square.allows(Kind::Pawn, color) {
                            position.put(square, Some(Piece::new(color, Kind::Pawn)));
                            break;
                        }
                    }
                }
            }
        }
        position
    };
    for mover in Color::ALL {
        for files in [[0, 2, 8], [6, 7, 8], [1, 5, 6], [2, 2, 2]] {
            for counts in [[5, 0, 0], [4, 1, 0], [3, 2, 0], [2, 3, 0], [2, 2, 1], [2, 2, 2], [3, 3, 3], [5, 5, 5]] {
                positions.push(put(files, counts, mover));
            }
        }
    }
    positions
}

#[test]
fn pawns_on_three_doubled_files_and_more_than_five_on_one_read_back() {
    let all = styles();
    // The marks of 1997 say nothing about more pawns than a side has.
    let numbers: Vec<Style> = all.iter().copied().filter(|style| style.pawns == PawnStyle::Numbers).collect();
    let mut count = 0;
    for position in pawns() {
        let pawn = Piece::new(position.side_to_move(), Kind::Pawn);
        let on_file = |file: u8| position.squares_on_file(pawn, file).count();
        let too_many = position.squares_of(pawn).count() > 9 || (0..9).any(|file| on_file(file) > 5);
        count += crate::notation::reads_back(&position, if too_many { &numbers } else { &all });
    }
    assert!(count > 300, "{count}");
}

/// A game of random legal moves with a side line.
fn game(random: &mut Random, start: Position, plies: usize) -> Game {
    let mut game = Game { start, ..Game::default() };
    let mut position = start;
    let mut node = NodeId::ROOT;
    for ply in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let m = moves[random.below(moves.len())];
        let next = game.tree.add(node, m);
        if ply == plies / 2 {
            game.tree.add(node, moves[random.below(moves.len())]);
        }
        position.play(m);
        node = next;
    }
    game
}

#[test]
fn every_notation_comes_back_through_a_file() {
    let mut random = Random(0xDEAD_BEEF_CAFE_F00D);
    let mut wrong = Vec::new();
    for number in 0..150 {
        let start = if number % 3 == 0 { Position::start() } else { crowded(&mut random) };
        if start.legal_moves().is_empty() || !start.faults().is_empty() {
            continue;
        }
        let game = game(&mut random, start, 1 + number % 40);
        let moves: Vec<Move> = game.moves().collect();
        for style in styles() {
            let mut bytes = Vec::new();
            let options = WriteOptions { style, ..WriteOptions::default() };
            writer(Format::Pgn).unwrap().write(&game, &options, &mut bytes);
            let mut again = Vec::new();
            reader(Format::Pgn).unwrap().read(Source::whole(&bytes, "a.pgn"), &ReadOptions::default(), &mut |read| {
                again.push(read);
                ControlFlow::Continue(())
            });
            let same = again.len() == 1
                && again[0].game.moves().collect::<Vec<_>>() == moves
                && again[0].game.tree.ply_count() == game.tree.ply_count();
            if !same {
                wrong.push(format!(
                    "{style:?}\n{}\n{:?}",
                    String::from_utf8_lossy(&bytes),
                    again.first().map(|r| &r.findings)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong, the first:\n{}", wrong.len(), wrong[0]);
}

#[test]
fn the_writers_name_themselves_so_that_the_shortest_game_reads_back() {
    for notation in Notation::ALL {
        for first in ["h2f2", "h2h6", "h0g2", "c3c4"] {
            let mut game = Game::default();
            game.tree.add(NodeId::ROOT, first.parse().unwrap());
            let mut bytes = Vec::new();
            let options = WriteOptions { style: Style::of(notation), ..WriteOptions::default() };
            writer(Format::Pgn).unwrap().write(&game, &options, &mut bytes);
            let mut found = Vec::new();
            reader(Format::Pgn).unwrap().read(Source::whole(&bytes, "a.pgn"), &ReadOptions::default(), &mut |read| {
                found.extend(read.game.moves().map(|m| m.to_string()));
                assert!(read.findings.iter().all(|finding| finding.code.id() != "R402"), "{:?}", read.findings);
                ControlFlow::Continue(())
            });
            assert_eq!(found, [first], "{}", String::from_utf8_lossy(&bytes));
        }
    }
    let mut text = String::new();
    write_move("h2e2".parse().unwrap(), &Position::start(), &Style::default(), &mut text);
    assert_eq!(text, "炮二平五");
}
