use super::*;
use crate::board::START_FEN;
use crate::diagram::Diagram;
use crate::notation::Script;

fn fen(text: &str) -> String {
    read_board(text).map_or_else(|fault| fault.to_string(), |read| read.position.to_board_fen())
}

fn start() -> String {
    Position::start().to_board_fen()
}

/// Ten rows with the given characters for the kinds of both sides and for an empty point.
fn drawn(red: &str, black: &str, empty: &str, between: &str) -> String {
    let position = Position::start();
    let (red, black): (Vec<char>, Vec<char>) = (red.chars().collect(), black.chars().collect());
    let mut rows = Vec::new();
    for rank in (0..10).rev() {
        let points: Vec<String> = (0..9)
            .map(|file| match position.piece_at(Square::new(file, rank).unwrap()) {
                Some(piece) => {
                    let set = if piece.color() == Color::Red { &red } else { &black };
                    set[piece.kind().index()].to_string()
                }
                None => empty.to_string(),
            })
            .collect();
        rows.push(points.join(between));
    }
    rows.join("\n")
}

/// King, advisor, elephant, horse, rook, cannon, pawn.
const RED: &str = "帥仕相傌俥炮兵";
const BLACK: &str = "將士象馬車包卒";

#[test]
fn every_set_of_characters_and_every_sign_for_an_empty_point_is_read() {
    // NOT-12
    let symbols = ("🩠🩡🩢🩣🩤🩥🩦", "🩧🩨🩩🩪🩫🩬🩭");
    for (red, black) in [
        (RED, BLACK),
        ("帅仕相傌俥炮兵", "将士象马车砲卒"),
        ("帥仕相㐷伡炮兵", "將士象馬車砲卒"),
        symbols,
        ("KABNRCP", "kabnrcp"),
        ("KAEHRCP", "kaehrcp"),
    ] {
        for empty in ["+", "＋", ".", "．", "・", "·", "十", "一", "┼", "*", "○", "-", "－", "_"] {
            for between in ["", " ", "  ", "\t", "　"] {
                let text = drawn(red, black, empty, between);
                assert_eq!(fen(&text), start(), "{text}");
            }
        }
        // Blanks for empty points, two columns to a point or three.
        for (empty, between) in [("　", ""), ("  ", ""), ("  ", " "), ("　", " ")] {
            if red == "KABNRCP" || red == "KAEHRCP" {
                continue;
            }
            // A row that shows all nine files: the back rank.
            let text = drawn(red, black, empty, between);
            assert_eq!(fen(&text), start(), "{text}");
            let trimmed: Vec<&str> = text.lines().map(str::trim_end).collect();
            assert_eq!(fen(&trimmed.join("\n")), start(), "{text}");
        }
    }
}

#[test]
fn rivers_rules_and_numbers_around_the_board_are_no_rows() {
    let rows = drawn(RED, BLACK, "┼", "─");
    let mut lines = vec!["１　２　３　４　５　６　７　８　９".to_string()];
    for (number, row) in rows.lines().enumerate() {
        lines.push(format!("{} {row} {}", 9 - number, 9 - number));
        if number == 4 {
            lines.push("│　　楚河　　　　汉界　　│".into());
        } else if number < 9 {
            lines.push("│　│　│　│＼│／│　│　│　│".into());
        }
    }
    lines.push("九　八　七　六　五　四　三　二　一".into());
    assert_eq!(fen(&lines.join("\n")), start());
    assert_eq!(fen(&format!("某局\n\n{}\n\n红先胜\n", lines.join("\n"))), start());
}

#[test]
fn what_is_drawn_here_is_read_back_turned_or_not() {
    let mut positions = vec![Position::start()];
    for fen in ["3k5/4a4/9/9/4R4/9/9/9/9/4K4 w", "4kab2/4a1c2/4b4/p1p1P1Rcp/9/1NP6/4P3P/4B4/4A4/2BAK4 b"] {
        positions.push(Position::from_fen(fen).unwrap());
    }
    for position in positions {
        for flipped in [false, true] {
            for script in [Script::Simplified, Script::Traditional] {
                let text = Diagram::new(&position).flipped(flipped).script(script).to_text();
                assert_eq!(fen(&text), position.to_board_fen(), "{text}");
                let turned = read_board(&text).unwrap().notes.contains(&BoardNote::Turned);
                assert_eq!(turned, flipped);
            }
        }
    }
}

#[test]
fn brackets_tell_the_side_where_names_do_not() {
    let text = "++++[将]++++\n+++++++++\n+++++++++\n++++(车)++++\n+++[车]+(炮)+++\n+++++++++\n+++++++++\n+++++++++\n+++++++++\n++++(帅)++++";
    assert_eq!(fen(text), "4k4/9/9/4R4/3r1C3/9/9/9/9/4K4");
    // Only Red's pieces are marked.
    assert_eq!(fen(&text.replace(['[', ']'], "")), "4k4/9/9/4R4/3r1C3/9/9/9/9/4K4");
    // Where nothing tells, nothing is guessed.
    let bare = text.replace(['[', ']', '(', ')'], "");
    assert_eq!(read_board(&bare), Err(BoardFault::Side("车 e6, 车 d5, 炮 f5".into())));
    // One set of names for both sides tells nothing about the pawns.
    let one = "++++将++++\n+++++++++\n+++++++++\n卒++++++++\n+++++++++\n+++++++++\n卒++++++++\n+++++++++\n+++++++++\n+++将+++++";
    assert_eq!(read_board(one), Err(BoardFault::Side("卒 a6, 卒 a3".into())));
    // Advisors and elephants of one name are told apart by where they stand.
    let palace = "+++士将士+++\n+++++++++\n象+++++++象\n+++++++++\n+++++++++\n+++++++++\n+++++++++\n象+++++++象\n+++++++++\n+++士帅士+++";
    assert_eq!(fen(palace), "3aka3/9/b7b/9/9/9/9/B7B/9/3AKA3");
}

#[test]
fn the_side_to_move_is_taken_from_the_words_around_the_board() {
    let board = drawn(RED, BLACK, ".", " ");
    for (text, side, known) in [
        (format!("{board}\n"), Color::Red, false),
        (format!("{board}\n黑先"), Color::Black, true),
        (format!("红先胜\n{board}"), Color::Red, true),
        (format!("{board}\nb"), Color::Black, true),
        (format!("红先黑先？\n{board}"), Color::Red, false),
    ] {
        let read = read_board(&text).unwrap();
        assert_eq!(
            (read.position.side_to_move(), !read.notes.contains(&BoardNote::SideMissing)),
            (side, known),
            "{text}"
        );
    }
}

#[test]
fn a_fen_with_chinese_pieces_is_a_board_on_one_line() {
    let text = "車馬象士將士象馬車/9/1包5包1/卒1卒1卒1卒1卒/9/9/兵1兵1兵1兵1兵/1炮5炮1/9/俥傌相仕帥仕相傌俥 w";
    assert_eq!(fen(text), start());
    assert_eq!(read_position(text).unwrap().position, Position::start());
    assert!(read_board(text).unwrap().notes.is_empty());
    assert_eq!(read_position(START_FEN).unwrap().position, Position::start());
}

#[test]
fn what_is_no_board_says_so() {
    let board = drawn(RED, BLACK, "+", "");
    let short: Vec<&str> = board.lines().take(9).collect();
    assert_eq!(read_board(&short.join("\n")), Err(BoardFault::Rows(9)));
    for text in [
        "",
        "炮二平五 马8进7",
        "1. 炮二平五 马8进7\n2. 马二进三 车9平8\n",
        "Red\nto\nmove",
        "马87\n车12\n炮25",
        "马26",
        "车12 卒13",
    ] {
        assert_eq!(read_board(text), Err(BoardFault::None), "{text}");
        assert!(!text.lines().any(is_board_row), "{text}");
    }
    let odd = board.replacen("+包+++++包+", "包　　包", 1);
    assert!(read_board(&odd).is_ok(), "columns tell");
    let no_columns = "车\n\n\n\n\n\n\n\n\n帅";
    assert!(matches!(read_board(no_columns), Err(BoardFault::Width { row: 1, .. } | BoardFault::None)));
    assert!(matches!(read_position("9/9/9"), Err(PositionFault::Fen(FenFault::Rows(3)))));
}

#[test]
fn no_text_makes_the_reader_of_boards_panic() {
    let pool: Vec<char> = "車马炮兵帥将+．一十9 　\n\n()[]─│b楚w/-Rk🩠\u{200B}".chars().collect();
    let mut seed = 0x2545_F491_4F6C_DD1Du64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..seed % 120 {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            text.push(pool[(seed % pool.len() as u64) as usize]);
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        if let Ok(read) = read_board(&text) {
            assert!(text.get(read.range).is_some());
        }
    }
}
