//! Claims about reading and writing whole files.

use super::{PgnReader, PgnWriter};
use crate::diag::{Code, Finding, codes};
use crate::format::{ReadGame, ReadOptions, Reader, Source, Status, WriteOptions, Writer};
use crate::game::{Game, GameResult, Name, Place};
use crate::notation::{Notation, Style};
use crate::text;
use encoding_rs::{BIG5, Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1258};
use std::ops::ControlFlow;

fn read_bytes(bytes: &[u8]) -> (Vec<ReadGame>, Vec<Finding>) {
    let mut games = Vec::new();
    let findings = PgnReader.read(Source::whole(bytes, "test.pgn"), &ReadOptions::default(), &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    });
    (games, findings)
}

fn read(text: &str) -> Vec<ReadGame> {
    read_bytes(text.as_bytes()).0
}

fn one(text: &str) -> ReadGame {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

fn moves(game: &ReadGame) -> String {
    game.game.moves().map(|m| m.to_string()).collect::<Vec<_>>().join(" ")
}

fn found(game: &ReadGame) -> Vec<Code> {
    game.findings.iter().map(|finding| finding.code).collect()
}

fn bytes(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    let (bytes, _, unmappable) = encoding.encode(text);
    assert!(!unmappable);
    bytes.into_owned()
}

fn write(game: &Game, options: &WriteOptions) -> (String, Vec<Finding>) {
    let mut out = Vec::new();
    let findings = PgnWriter.write(game, options, &mut out);
    (String::from_utf8_lossy(&out).into_owned(), findings)
}

const FOUR: &str = "h2e2 h9g7 h0g2 i9h9";

#[test]
fn every_way_to_set_the_same_four_plies_is_read() {
    for text in [
        "1. 炮二平五 马8进7 2. 马二进三 车9平8 *",
        "1.炮二平五马8进72.马二进三车9平8",
        "  1. 炮二平五\r\n     马８进７\r\n  2. 马二进三\r\n     车９平８\r\n *\r\n",
        "１．炮二平五　马８进７　２．马二进三　车９平８　",
        "1、炮二平五 马8进7 2、马二进三 车9平8",
        "1) 炮二平五 马8进7\n2) 马二进三 车9平8",
        "1 炮二平五 马8进7 2 马二进三 车9平8",
        "1. 炮二平五 1. ………… 马8进7 2. 马二进三 2... 车9平8",
        "1. 炮二平五\n1.          马8进7\n2. 马二进三\n2.          车9平8",
        "炮二平五 马8进7 马二进三 车9平8",
        "1. C2.5 H8+7 2. H2+3 R9.8",
        "１．Ｃ２＝５　Ｈ８＋７　２．Ｈ２＋３　Ｒ９＝８",
        "1. Ｃ２＝５Ｈ８＋７ 2. Ｈ２＋３Ｒ９＝８",
        "1. H2-E2 H9-G7 2. H0-G2 I9-H9",
        "1. h2e2 h9g7 2. h0g2 i9h9 *",
        "1.h2e2h9g72.h0g2i9h9",
        "1. h3e3 h10g8 2. h1g3 i10h10",
        "1. Che2 {+0.38/19} Hg7 2. Hg2 Rh9 {-0.11/12 24}",
        "1. 炮二平五 (好棋) 马8进7 ; 稳\n2. 马二进三 /* 正\n着 */ 车9平8 红胜",
        "1. 炮二平五! 马8进7？ 2. 马二进三 $3 车9平8!?",
        "=====\n 1. 炮二平五 马8进7    2. 马二进三 车9平8\n=====\n某软件 http://www.example.org/a1b2\n",
    ] {
        let game = one(text);
        assert_eq!((moves(&game).as_str(), game.status), (FOUR, Status::Ok), "{text}\n{:?}", game.findings);
    }
}

#[test]
fn a_two_column_sheet_with_rules_and_a_footer_is_read() {
    // FMT-12
    let text = "--------\n  1. 炮二平五  马８进７    2. 马二进三  车９平８\n--------\n棋谱由某程序打印 http://www.example.org\n";
    let game = one(text);
    assert_eq!((moves(&game).as_str(), found(&game)), (FOUR, vec![]));
    assert!(game.game.trailer.contains("棋谱由某程序打印"));
}

#[test]
fn a_handicap_game_with_a_fen_is_replayed_and_named() {
    // FMT-7
    let text = "[Game \"Chinese Chess\"]\n[Event \"让子示范\"]\n[Red \"甲\"]\n[Black \"乙\"]\n[Result \"1-0\"]\n[Format \"ICCS\"]\n\
        [FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKAB1R w - - 0 1\"]\n\n1. h2e2 h9g7\n2. a0b0 i9h9";
    let game = one(text);
    assert_eq!(moves(&game), "h2e2 h9g7 a0b0 i9h9");
    assert_eq!(game.game.result, GameResult::RedWins);
    assert_eq!(found(&game), [codes::HANDICAP]);
    assert!(game.findings[0].message.contains("red"), "{:?}", game.findings);
}

#[test]
fn western_letters_are_resolved_by_legality() {
    // FMT-9
    let text = "1. Che2 {+0.38/19} Hg7 2. Hg2 Rh9 {-0.11/12 24} 3. Rh0 g5 4. c4 Hc7 5. Hc2 Ece7 6. Ca2 Ci7 7. Rb0\nRxh0 8. Hxh0 Rb9 *";
    let game = one(text);
    assert_eq!(moves(&game), "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 c3c4 b9c7 b0c2 c9e7 b2a2 h7i7 a0b0 h9h0 g2h0 a9b9");
    // FMT-10
    let game = one("[FEN \"4k4/9/9/9/R7R/9/9/9/9/3K5 w\"]\n1. Re6+ Kf10 2. Ra9");
    assert_eq!(moves(&game), "i5e5 e9f9 a5a8");
}

#[test]
fn white_is_red_and_tags_hold_no_moves() {
    // FMT-16
    let game = one("[White \"甲\"]\n[Black \"乙\"]\n[Variant \"xiangqi\"]\n[Result \"0-1\"]\n1. h2e2 h9g7 0-1");
    assert_eq!((game.game.headers.get(Name::Red), game.game.result), (Some("甲"), GameResult::BlackWins));
    let (text, _) = write(&game.game, &WriteOptions::default());
    assert!(
        text.starts_with("[Game \"Chinese Chess\"]\r\n[Red \"甲\"]\r\n[Black \"乙\"]\r\n[Result \"0-1\"]\r\n"),
        "{text}"
    );
    // FMT-18
    let game = one("[Event \"炮二平五对屏风马 1. 马八进七 专题\"]\n[Red \"先手1...c5\"]\n1. h2e2 h9g7 *");
    assert_eq!(moves(&game), "h2e2 h9g7");
    assert_eq!(game.game.headers.get_raw("Event"), Some("炮二平五对屏风马 1. 马八进七 专题"));
    assert_eq!(game.game.headers.get_raw("Red"), Some("先手1...c5"));
}

#[test]
fn side_lines_and_their_notes_survive_writing() {
    // OUT-3
    let text =
        "1. 炮二平五 马8进7 (1... 炮8平5) 2. 马二进三 (2. 马八进七 {改进} 2... 车9平8) 2... 车9平8 3. 车一平二 *";
    let game = one(text).game;
    assert_eq!(game.tree.ply_count(), 8);
    assert_eq!(one(&write(&game, &WriteOptions::default()).0).game, game);
    let (main, _) = write(&game, &WriteOptions { main_line: true, ..WriteOptions::default() });
    assert_eq!(one(&main).game.tree.ply_count(), 5);
}

#[test]
fn a_comment_behind_a_side_line_stays_there() {
    // OUT-6
    let game = one("1. 炮二平五 {甲} (1. 马八进七 {乙}) {丙} 1... 马8进7").game;
    let places: Vec<_> = game.tree.comments().iter().map(|c| (c.text.as_str(), c.place)).collect();
    assert_eq!(places, [("甲", Place::After), ("乙", Place::After), ("丙", Place::Before)]);
    let (text, _) = write(&game, &WriteOptions::default());
    let order: Vec<_> = ["{甲}", "(1. 马八进七 {乙})", "{丙}", "马8进7"].map(|part| text.find(part)).to_vec();
    assert!(order.is_sorted() && order[0].is_some(), "{text}");
    assert_eq!(one(&text).game, game);
}

#[test]
fn an_illegal_move_costs_only_the_rest_of_its_game() {
    // LEG-7
    let good = "1. 炮二平五 马8进7 2. 马二进三 车9平8 *";
    let bad = "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平三 卒7进1 *";
    let tags = |n: u32| format!("[Event \"{n}\"]\n\n");
    let games = read(&format!("{}{good}\n\n{}{bad}\n\n{}{good}\n", tags(1), tags(2), tags(3)));
    let status: Vec<_> = games.iter().map(|game| game.status).collect();
    assert_eq!(status, [Status::Ok, Status::Partial, Status::Ok]);
    let game = &games[1];
    assert_eq!((moves(game).as_str(), game.game.rest.as_str()), (FOUR, "车一平三 卒7进1"));
    let finding = &game.findings[0];
    assert_eq!(
        (finding.code, finding.ply, finding.game, finding.line),
        (codes::NO_LEGAL_MOVE, Some(5), Some(2), Some(7))
    );
    assert!(finding.message.contains("车一平二"), "{}", finding.message);
}

#[test]
fn a_stray_byte_costs_one_character_and_one_finding() {
    // ENC-3
    let file = |comment: &[u8]| {
        let mut file = bytes(GB18030, "[Event \"一\"]\r\n[Red \"甲\"]\r\n\r\n1. 炮二平五 ");
        file.extend_from_slice(comment);
        file.extend(bytes(
            GB18030,
            " 马8进7\r\n2. 马二进三 车9平8 1-0\r\n\r\n[Event \"二\"]\r\n\r\n1. 炮二平五 马8进7 *\r\n",
        ));
        file
    };
    for (comment, text) in [
        (&b"\x7B\xBA\xC3\xD7\xC5\x92 \x7D"[..], "好着\u{FFFD} "),
        // 92 7D is a character in GBK and swallows the brace.
        (&b"\x7B\xBA\xC3\xD7\xC5\x92\x7D"[..], "好着\u{FFFD}"),
    ] {
        let file = file(comment);
        let (games, findings) = read_bytes(&file);
        assert_eq!(games.len(), 2);
        assert_eq!((moves(&games[0]).as_str(), moves(&games[1]).as_str()), (FOUR, "h2e2 h9g7"));
        assert_eq!(games[0].game.tree.comments()[0].text, text);
        let place = file.iter().position(|&byte| byte == 0x92).unwrap() as u64;
        assert_eq!(found(&games[0]), [codes::BAD_BYTES], "{:?}", games[0].findings);
        assert_eq!((games[0].findings[0].byte, games[0].findings[0].line), (Some(place), Some(4)));
        assert!(games[0].findings[0].message.contains("92"));
        assert_eq!((found(&games[1]), findings.len()), (vec![], 1), "{findings:?}");
    }
}

#[test]
fn a_stray_byte_before_a_move_does_not_shift_the_others() {
    let mut file = bytes(GB18030, "[Event \"一\"]\r\n\r\n1. 炮二平五 马8进7\r\n2. ");
    file.push(0x92);
    file.extend(bytes(GB18030, "马二进三 车9平8 1-0\r\n"));
    let (games, _) = read_bytes(&file);
    assert_eq!(moves(&games[0]), FOUR);
    assert_eq!(found(&games[0]), [codes::BAD_BYTES], "{:?}", games[0].findings);
}

#[test]
fn one_latin_byte_in_a_utf8_file_is_one_finding() {
    // ENC-4
    let mut file = Vec::new();
    for (number, (red, black)) in [("胡荣华", "许银川"), ("吕钦", "赵国荣"), ("李来群", "柳大华")].iter().enumerate()
    {
        file.extend(format!("[Event \"{}\"]\n[Red \"{red}\"]\n[Site \"Orl", number + 1).bytes());
        if number == 1 {
            file.push(0xE9);
        }
        file.extend(format!("ans\"]\n[Black \"{black}\"]\n\n1. h2e2 h9g7 *\n\n").bytes());
    }
    let (games, findings) = read_bytes(&file);
    let names: Vec<_> = games.iter().map(|game| game.game.headers.get(Name::Black).unwrap()).collect();
    assert_eq!(names, ["许银川", "赵国荣", "柳大华"]);
    assert!(games.iter().all(|game| game.encoding == "utf-8"));
    let all: Vec<_> = games.iter().flat_map(|game| &game.findings).chain(&findings).collect();
    let warnings: Vec<_> = all.iter().filter(|f| f.severity > crate::diag::Severity::Note).collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!((warnings[0].code, warnings[0].game), (codes::BAD_BYTES, Some(2)));
    assert!(warnings[0].message.contains("Site"));
}

#[test]
fn a_doubtful_word_is_read_as_chinese_and_called_doubtful() {
    // ENC-7
    let (games, findings) = read_bytes(b"[Result \"1-0\"]\n[Remark \"\xCA\xA4\"]\n\n1. h2e2 h9g7 1-0\n");
    assert_eq!(games[0].game.headers.get_raw("Remark"), Some("胜"));
    assert_eq!((games[0].encoding, findings[0].code), ("gb18030", codes::DOUBTFUL_ENCODING));
    let asked = ReadOptions { encoding: Some(UTF_8) };
    let mut remark = String::new();
    PgnReader.read(Source::whole(b"[Remark \"\xCA\xA4\"]\n\n1. h2e2 *", "x"), &asked, &mut |game| {
        remark = game.game.headers.get_raw("Remark").unwrap().to_string();
        ControlFlow::Continue(())
    });
    assert_eq!(remark, "ʤ");
}

#[test]
fn a_game_in_another_encoding_than_its_file_is_read_in_its_own() {
    let game = |event: &str, move_text: &str| format!("[Event \"{event}\"]\r\n\r\n{move_text} *\r\n\r\n");
    let mut file = bytes(GB18030, &game("第一局胜负", "1. 炮二平五 马8进7 2. 马二进三 车9平8")).repeat(3);
    file.extend(bytes(BIG5, &game("第二局勝負", "1. 炮二平五 馬8進7 2. 馬二進三 車9平8")));
    file.extend(bytes(GB18030, &game("第三局胜负", "1. 炮二平五 马8进7 2. 马二进三 车9平8")));
    let (games, _) = read_bytes(&file);
    assert_eq!(games.len(), 5);
    assert!(games.iter().all(|game| moves(game) == FOUR));
    assert_eq!((games[3].encoding, games[4].encoding), ("big5", "gb18030"));
    assert_eq!(games[3].game.headers.get_raw("Event"), Some("第二局勝負"));
    assert_eq!((found(&games[3]), found(&games[4])), (vec![codes::OTHER_ENCODING], vec![]));
}

#[test]
fn structure_faults_are_told_and_cost_nothing_else() {
    for (text, code) in [
        ("[Event \"x\n[Red \"甲\"]\n1. 炮二平五 马8进7 2. 马二进三 车9平8", codes::TAG_FAULT),
        ("1. 炮二平五 {当头炮\n1... 马8进7 2. 马二进三 车9平8", codes::OPEN_COMMENT),
        ("1. 炮二平五 马8进7 (1... 炮8平5 2. 马二进三 马8进7", codes::OPEN_BRACKET),
        ("1. 炮二平五) 马8进7 2. 马二进三 车9平8", codes::OPEN_BRACKET),
        ("1. 炮二平五 马8进7 3. 马二进三 车9平8", codes::NUMBER_JUMP),
        ("[Result \"0-1\"]\n1. 炮二平五 马8进7 2. 马二进三 车9平8 1-0", codes::RESULT_CONFLICT),
        ("[Result \"大胜\"]\n1. 炮二平五 马8进7 2. 马二进三 车9平8 1-0", codes::UNKNOWN_RESULT),
    ] {
        let game = one(text);
        assert_eq!(found(&game), [code], "{text}\n{:?}", game.findings);
        if code != codes::OPEN_BRACKET || text.contains("五)") {
            assert_eq!(moves(&game), FOUR, "{text}");
        }
    }
    assert_eq!(one("[Result \"0-1\"]\n1. 炮二平五 1-0").game.result, GameResult::BlackWins);
}

#[test]
fn a_comment_without_end_never_swallows_the_next_game() {
    let text = "[Event \"一\"]\n\n1. 炮二平五 {未完\n\n[Event \"二\"]\n\n1. 炮二平五 马8进7 *\n";
    let games = read(text);
    assert_eq!((games.len(), moves(&games[0]).as_str(), moves(&games[1]).as_str()), (2, "h2e2", "h2e2 h9g7"));
    assert_eq!(games[0].game.tree.comments()[0].text.trim(), "未完");
}

#[test]
fn games_without_tags_end_with_a_result_or_before_round_one() {
    let games = read("1. h2e2 h9g7 1-0\n\n1. h2e2 h9g7 2. h0g2\n\n1. h0g2 h9g7\n");
    let all: Vec<_> = games.iter().map(moves).collect();
    assert_eq!(all, ["h2e2 h9g7", "h2e2 h9g7 h0g2", "h0g2 h9g7"]);
}

#[test]
fn tags_alone_are_a_game_without_moves() {
    let games = read("[Event \"一\"]\n[Red \"甲\"]\n\n[Event \"二\"]\n[Red \"乙\"]\n\n1-0\n广告\n");
    let names: Vec<_> = games.iter().map(|game| game.game.headers.get(Name::Red).unwrap()).collect();
    assert_eq!(names, ["甲", "乙"]);
    assert_eq!((games[1].game.trailer.as_str(), games[1].status), ("广告", Status::Ok));
}

#[test]
fn adverts_behind_the_result_are_kept_apart() {
    let text = "[Event \"x\"]\n  1. 炮二平五 马8进7\n 1-0\n======\n 欢迎访问 \nhttp://www.example.org/\n\n[Event \"y\"]\n 1. 炮二平五\n *\n";
    let games = read(text);
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].game.trailer, "======\n 欢迎访问\nhttp://www.example.org/");
    assert!(games[0].game.tree.comments().is_empty());
}

#[test]
fn the_wrong_side_in_a_fen_is_switched_with_a_finding() {
    let game = one("[FEN \"3k5/9/9/9/9/8r/9/9/9/4K4 w\"]\n1. 车9平8 帅五进一 *");
    assert_eq!((moves(&game).as_str(), found(&game)), ("i4h4 e0e1", vec![codes::SIDE_SWITCHED]));
    let black = one("[FEN \"3k5/9/9/9/9/8r/9/9/9/4K4 b\"]\n1. 车9平8\n2. 帅五进一 车8平5 *");
    assert_eq!((moves(&black).as_str(), black.status), ("i4h4 e0e1 h4e4", Status::Ok));
}

#[test]
fn a_start_position_that_cannot_be_read_stops_everything_with_its_reason() {
    let game = one("[FEN \"3k5/9/8/9/9/8r/9/9/9/4K4 w\"]\n1. 车9平8 帅五进一 *");
    assert_eq!((found(&game), game.status), (vec![codes::BROKEN_FEN], Status::Failed));
    assert_eq!(game.game.rest, "1. 车9平8 帅五进一");
    assert!(game.findings[0].message.contains("row 3"));
}

#[test]
fn western_chess_is_told_apart() {
    for text in [
        "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 1-0",
        "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 h6 6. Bh4 b6 1/2-1/2",
    ] {
        let game = one(text);
        assert_eq!((found(&game), moves(&game).as_str(), game.status), (vec![codes::FOREIGN_GAME], "", Status::Failed));
        assert!(game.game.rest.starts_with("1. "));
    }
}

#[test]
fn clock_times_become_clock_times_and_other_remarks_stay() {
    let game = one("1. h2e2 {[%clk 0:01:02.5]} h9g7 {好 [%clk 1:00:00] 棋} 2. h0g2 {[%emt 3] x} *").game;
    assert_eq!(game.tree.clocks().iter().map(|(_, time)| *time).collect::<Vec<_>>(), [62_500, 3_600_000]);
    let texts: Vec<_> = game.tree.comments().iter().map(|c| c.text.as_str()).collect();
    assert_eq!(texts, ["好", "棋", "[%emt 3] x"]);
    assert_eq!(one(&write(&game, &WriteOptions::default()).0).game, game);
}

#[test]
fn whatever_stands_in_a_comment_or_a_value_reads_back() {
    let mut game = one("1. 炮二平五 马8进7 2. 马二进三 *").game;
    let nodes: Vec<_> = game.tree.main_line().collect();
    for (node, text) in nodes.iter().zip(["a } b", "} 一\n二 {", "[Event \"x\"]\n(1. e4)"]) {
        game.tree.comment(*node, Place::After, text);
    }
    game.tree.mark(nodes[0], 1);
    game.tree.mark(nodes[1], 18);
    game.tree.mark(nodes[2], 3);
    game.headers.push("Event", "\"大\" \\ 杯\"]");
    game.headers.push("自定", "x] [Red \"y\"]");
    let (text, findings) = write(&game, &WriteOptions::default());
    assert_eq!(findings, []);
    let back = one(&text);
    assert_eq!((&back.game, found(&back)), (&game, vec![]));
}

#[test]
fn every_encoding_and_notation_reads_back() {
    let text = "[Event \"全国象棋个人赛\"]\n[Red \"胡荣华\"]\n\n{开始}\n1. 炮二平五 {好} 马8进7 (1... 炮8平5 2. 马二进三) 2. 马二进三 车9平8 1-0";
    let game = one(text).game;
    for notation in Notation::ALL {
        for encoding in [UTF_8, GB18030, UTF_16LE, UTF_16BE] {
            let options = WriteOptions { style: Style::of(notation), encoding, ..WriteOptions::default() };
            let mut out = Vec::new();
            assert_eq!(PgnWriter.write(&game, &options, &mut out), []);
            PgnWriter.write(&game, &options, &mut out);
            let (games, _) = read_bytes(&out);
            assert_eq!(games.len(), 2, "{notation:?} {}", encoding.name());
            if notation != Notation::Short {
                assert_eq!((&games[0].game, &games[1].game), (&game, &game), "{notation:?} {}", encoding.name());
            }
        }
    }
}

#[test]
fn characters_an_encoding_lacks_are_named() {
    let mut game = one("1. 炮二平五 *").game;
    game.headers.push("Red", "许𠮷川");
    for (encoding, missing) in [(BIG5, "许𠮷"), (encoding_rs::GBK, "𠮷"), (WINDOWS_1258, "许川炮二平五𠮷")]
    {
        let mut out = Vec::new();
        let findings = PgnWriter.write(&game, &WriteOptions { encoding, ..WriteOptions::default() }, &mut out);
        assert_eq!(findings.len(), 1, "{}", encoding.name());
        assert_eq!(findings[0].code, codes::UNMAPPABLE);
        let named: std::collections::BTreeSet<char> = findings[0].text.as_ref().unwrap().chars().collect();
        assert_eq!(named, missing.chars().collect());
        assert!(!out.windows(2).any(|pair| pair == b"&#"));
    }
}

#[test]
fn the_rest_of_a_damaged_game_is_never_turned_into_plies() {
    let game = one("1. 炮二平五 马8进7 2. 车一平三 卒7进1 0-1").game;
    let (text, findings) = write(&game, &WriteOptions::default());
    assert_eq!(findings.len(), 1);
    assert_eq!(one(&text).game, game);
    // Text of another format that happens to be playable becomes a comment.
    let mut other = one("1. 炮二平五 马8进7 *").game;
    other.rest = "马二进三".to_string();
    let (text, _) = write(&other, &WriteOptions::default());
    assert_eq!(moves(&one(&text)), "h2e2 h9g7");
    assert!(text.contains("{马二进三}"));
}

#[test]
fn files_cut_between_games_give_the_same_games() {
    let mut text = String::new();
    for number in 0..200 {
        text.push_str(&format!("[Event \"第{number}局\"]\r\n[Red \"甲\"]\r\n\r\n1. 炮二平五 {{注\r\n[x}} 马8进7\r\n"));
        text.push_str(if number % 3 == 0 {
            "2. 车一平三 *\r\n\r\n"
        } else {
            "2. 马二进三 *\r\n广告\r\n\r\n"
        });
    }
    for encoding in [UTF_8, GB18030] {
        let bytes = bytes(encoding, &text);
        let (whole, _) = read_bytes(&bytes);
        assert_eq!(whole.len(), 200);
        for step in [1, 700, 5000] {
            let mut parts = Vec::new();
            let mut at = 0;
            while at < bytes.len() {
                let end = PgnReader.next_game(&bytes, at + step).unwrap_or(bytes.len());
                let lines = bytes[..at].iter().filter(|&&b| b == b'\n').count() as u64;
                let source = Source {
                    bytes: &bytes[at..end],
                    file: "test.pgn",
                    first_byte: at as u64,
                    first_line: 1 + lines,
                    first_game: 1 + parts.len() as u64,
                    ..Source::whole(b"", "")
                };
                PgnReader.read(source, &ReadOptions { encoding: Some(encoding) }, &mut |game| {
                    parts.push(game);
                    ControlFlow::Continue(())
                });
                at = end;
            }
            assert_eq!(parts.len(), whole.len());
            for (part, whole) in parts.iter().zip(&whole) {
                assert_eq!((&part.game, part.number, &part.findings), (&whole.game, whole.number, &whole.findings));
            }
        }
    }
}

#[test]
fn prose_is_no_game() {
    for text in ["", "\n\n", "本书共分五章，介绍马炮兵的用法。\n第1章 概论\n", "Hello world.\n1. one\n2. two\n"]
    {
        let (games, findings) = read_bytes(text.as_bytes());
        assert_eq!((games.len(), findings.len()), (0, 1), "{text}");
        assert_eq!(findings[0].code, codes::NO_GAME);
    }
}

#[test]
fn the_largest_number_has_no_next() {
    for moves in ["4294967295. h2e2 h9g7 1. h0g2", "4294967295.h2e2 4294967295.h9g7 4294967295. h0g2 {x"] {
        let game = one(&format!("[Event \"a\"]\n\n{moves}\n"));
        assert_eq!(game.game.tree.ply_count(), 3, "{moves}");
    }
}

#[test]
fn numbers_that_jump_do_not_change_the_count_of_plies() {
    // NAT-6
    let text = "30. 炮二平五 马8进7\n32. 马二进三 车9平8\n33. 车一平二 *";
    let game = one(text);
    assert_eq!((game.game.tree.ply_count(), found(&game)), (5, vec![codes::NUMBER_JUMP]));
    assert_eq!(game.findings[0].line, Some(2));
}

#[test]
fn hostile_text_is_bounded() {
    for (unit, count) in [
        ("(", 2_000_000),
        ("{", 100_000),
        ("(1. h2e2 ", 100_000),
        ("[", 100_000),
        ("1.", 500_000),
        ("/*", 100_000),
        ("(x ", 100_000),
        ("{a\n", 100_000),
        (")", 500_000),
        ("炮", 300_000),
        ("\"]\n", 200_000),
        ("[Event \"", 50_000),
    ] {
        let text = unit.repeat(count);
        let (games, findings) = read_bytes(text.as_bytes());
        let all: usize = games.iter().map(|game| game.findings.len()).sum();
        assert!(all + findings.len() < 2000 && games.len() <= 2, "{unit}: {} games, {all} findings", games.len());
    }
}

#[test]
fn a_game_longer_than_the_bounds_is_partial_and_the_next_one_is_read() {
    let long = format!("[Event \"a\"]\n\n1. h2e2 h9g7 {}\n", "! ".repeat(super::scan::MOST_ENTRIES + 1));
    let (games, _) = read_bytes(format!("{long}2. h0g2 *\n\n[Event \"b\"]\n\n1. h2e2 *\n").as_bytes());
    let told: Vec<_> = games.iter().map(|game| (game.status, moves(game))).collect();
    assert_eq!(told, [(Status::Partial, "h2e2 h9g7".to_string()), (Status::Ok, "h2e2".to_string())]);
    assert!(games[0].findings.iter().any(|finding| finding.code == codes::GAME_TOO_LONG));
}

#[test]
fn text_in_the_place_of_a_ply_makes_a_game_partial_and_an_advert_does_not() {
    for (text, status) in [
        ("1. 炮二平五 马8进7 2. xxxx 车9平8 *", Status::Partial),
        ("1. 炮二平五 马8进7 2. xxxx *", Status::Partial),
        ("1. 炮二平五 xxxx 2. 马二进三 *", Status::Partial),
        ("1. 炮二平五 马8进7 [2. 马二进三 *", Status::Ok),
        ("1. 炮二平五 马8进7\n某软件 http://www.example.org\n", Status::Ok),
    ] {
        let (games, _) = read_bytes(format!("[Event \"a\"]\n\n{text}\n").as_bytes());
        assert_eq!(games[0].status, status, "{text}: {:?}", games[0].findings);
    }
}

#[test]
fn a_part_of_a_file_that_is_certainly_in_another_encoding_says_so() {
    let game = "[Event \"全国象棋锦标赛\"]\n[Red \"胡荣华\"]\n\n1. 炮二平五 马8进7 2. 马二进三 车9平8 *\n\n".repeat(5);
    let settled = text::detect(&bytes(GB18030, &game));
    let read = |bytes: &[u8]| {
        let source = Source { first_byte: 1000, encoding: Some(settled), ..Source::whole(bytes, "x") };
        let mut names = Vec::new();
        let findings = PgnReader.read(source, &ReadOptions::default(), &mut |game| {
            names.push((game.encoding, game.game.headers.get(Name::Red).map(str::to_string)));
            ControlFlow::Continue(())
        });
        (names, findings)
    };
    let hu = Some("胡荣华".to_string());
    assert_eq!(read(&bytes(GB18030, &game)), (vec![("gb18030", hu.clone()); 5], vec![]));
    let (names, findings) = read(game.as_bytes());
    assert_eq!(names, vec![("utf-8", hu); 5]);
    assert_eq!((findings[0].code, findings[0].byte), (codes::OTHER_ENCODING, Some(1000)));
    // What says nothing by itself is read as the rest of the file.
    let (names, findings) = read(&bytes(GB18030, "[Event \"x\"]\n[Red \"吕\"]\n\n1. h2e2 *\n"));
    assert_eq!((names, findings), (vec![("gb18030", Some("吕".to_string()))], vec![]));
}

#[test]
fn utf_16_is_decoded_in_blocks_like_any_other_encoding() {
    let game = |number: usize| format!("[Event \"上海 {number}\"]\r\n\r\n1. 炮二平五 马8进7 2. 马二进五 *\r\n\r\n");
    let text: String = std::iter::once("\u{FEFF}".to_string()).chain((0..20_000).map(game)).collect();
    for order in [u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes] {
        let bytes: Vec<u8> = text.encode_utf16().flat_map(order).collect();
        assert!(bytes.len() > 3 << 19);
        let (games, _) = read_bytes(&bytes);
        assert_eq!(games.len(), 20_000);
        let last = games.last().unwrap();
        assert_eq!(last.game.headers.get(Name::Event), Some("上海 19999"));
        // 马二进五 cannot be played: the finding leads to its place in the file.
        let finding = last.findings.iter().find(|finding| finding.code == codes::NO_LEGAL_MOVE).unwrap();
        assert_eq!(finding.line, Some(20_000 * 4 - 1));
        let at = finding.byte.unwrap() as usize;
        let expected: Vec<u8> = "马二进五".encode_utf16().flat_map(order).collect();
        assert_eq!(bytes[at..at + 8], expected[..]);
    }
}

#[test]
fn a_side_line_keeps_a_ply_that_leaves_its_general_attacked() {
    // The rook on e1 is pinned; in the side line it moves aside all the same and is punished.
    let text = "[Event \"a\"]\n[FEN \"4k4/9/4r4/9/9/9/9/9/4R4/3AK4 w\"]\n\n1. 车五进一 (1. 车五平六 车5进6 2. 仕六进五) 将5平6 *\n";
    let (games, _) = read_bytes(text.as_bytes());
    let tree = &games[0].game.tree;
    let plies: Vec<_> = tree.walk().map(|(id, depth)| (tree[id].m.to_string(), depth)).collect();
    let expected = [("e1e2", 1), ("e9f9", 2), ("e1d1", 1), ("e7e1", 2), ("d0e1", 3)];
    assert_eq!(plies, expected.map(|(m, depth)| (m.to_string(), depth)));
    let codes: Vec<_> = games[0].findings.iter().map(|finding| finding.code).collect();
    assert_eq!((codes, games[0].status), (vec![codes::GENERAL_LEFT_ATTACKED], Status::Ok));
    let mut written = Vec::new();
    let _ = PgnWriter.write(&games[0].game, &WriteOptions::default(), &mut written);
    assert_eq!(read_bytes(&written).0[0].game.tree, *tree);
    // In the main line such a ply ends the game, and words in brackets do not become plies.
    let (games, _) =
        read_bytes("[Event \"a\"]\n[FEN \"4k4/9/4r4/9/9/9/9/9/4R4/3AK4 w\"]\n\n1. 车五平六 车5进6 *\n".as_bytes());
    assert_eq!((games[0].status, games[0].game.tree.ply_count()), (Status::Failed, 0));
    let (games, _) = read_bytes("[Event \"a\"]\n[FEN \"4k4/9/4r4/9/9/9/9/9/4R4/3AK4 w\"]\n\n1. 车五进一 (如走车五平六 车九进八 则负) 将5平6 *\n".as_bytes());
    assert_eq!((games[0].game.tree.ply_count(), games[0].game.tree.comments().len()), (2, 1));
}
