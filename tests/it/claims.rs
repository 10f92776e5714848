//! What the descriptions of the formats say, claim by claim: worked examples, lists of accepted values, odd carriers.

use crate::ccbridge::{read_all, read_as, there_and_back};
use crate::xqf::{bytes, comment, lines};
use yipu::board::{Color, Position};
use yipu::format::{Format, ReadGame, Status, WriteOptions, writer};
use yipu::game::{GameResult, Name};

fn one(text: &str) -> ReadGame {
    let (mut games, _) = read_all(text.as_bytes());
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

fn written(format: Format, game: &yipu::game::Game) -> String {
    let mut out = Vec::new();
    writer(format).unwrap().write(game, &WriteOptions::default(), &mut out);
    String::from_utf8(out).unwrap()
}

const EXAMPLE: &str = "[DhtmlXQ]\n[DhtmlXQ_title]示例[/DhtmlXQ_title]\n[DhtmlXQ_event]测试赛[/DhtmlXQ_event]\n\
    [DhtmlXQ_date]2024-01-02[/DhtmlXQ_date]\n[DhtmlXQ_place]北京[/DhtmlXQ_place]\n[DhtmlXQ_red]甲[/DhtmlXQ_red]\n\
    [DhtmlXQ_black]乙[/DhtmlXQ_black]\n[DhtmlXQ_result]红胜[/DhtmlXQ_result]\n\
    [DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]\n\
    [DhtmlXQ_movelist]7747706279678070[/DhtmlXQ_movelist]\n[DhtmlXQ_move_0_2_1]72427967[/DhtmlXQ_move_0_2_1]\n\
    [DhtmlXQ_comment0]开始[/DhtmlXQ_comment0]\n[DhtmlXQ_comment1]中炮[/DhtmlXQ_comment1]\n[/DhtmlXQ]\n";

#[test]
fn the_worked_example_of_dhtmlxq_is_read_and_written_tag_by_tag() {
    let game = one(EXAMPLE);
    assert_eq!((game.status, game.findings.len()), (Status::Ok, 0));
    assert_eq!(lines(&game.game.tree), ["h2e2 h9g7 h0g2 i9h9", "h2e2 h7e7 h0g2"]);
    assert_eq!(comment(&game.game, &[]).as_deref(), Some("开始"));
    let out = written(Format::Dhtmlxq, &game.game);
    for line in EXAMPLE.lines().filter(|line| !line.is_empty()) {
        // The normal start position may list pieces of one kind in any order.
        assert!(line.contains("binit") || out.contains(line), "{line}\n{out}");
    }
}

#[test]
fn every_result_word_of_dhtmlxq_is_understood() {
    for (words, result) in [
        ("红胜 红方胜 红先胜 先胜 黑负 1-0", GameResult::RedWins),
        ("黑胜 黑方胜 先负 红负 0-1", GameResult::BlackWins),
        ("和棋 和局 和 先和 1/2-1/2", GameResult::Draw),
        ("未知 * 多种结果", GameResult::Unknown),
    ] {
        for word in words.split(' ') {
            let game =
                one(&format!("[DhtmlXQ_result]{word}[/DhtmlXQ_result][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]"));
            assert_eq!((game.game.result, game.findings.len()), (result, 0), "{word}");
        }
    }
}

#[test]
fn odd_shapes_of_dhtmlxq_are_forgiven_as_described() {
    let moves = |text: &str| {
        let game = one(text);
        lines(&game.game.tree).join(" / ")
    };
    let list = "[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]";
    // Wrappers, another closing name, the other name of the main line, main line comments under line 0.
    for text in [
        format!("[DhtmlXQiFrame]{list}[/DhtmlXQiFrame]"),
        format!("[DhtmlXQHTML]{list}[/DhtmlXQHTML]"),
        "[DhtmlXQ_movelist]77477062[/DhtmlXQ_time]".into(),
        "[DhtmlXQ_move_0_1_0]77477062[/DhtmlXQ_move_0_1_0]".into(),
        "[dhtmlxq_MOVELIST]7747\n7062[/dhtmlxq_movelist]".into(),
        format!("{list}[DhtmlXQ_move_0_2_1]7062[/DhtmlXQ_move_0_2_1]"),
    ] {
        assert_eq!(moves(&text), "h2e2 h9g7", "{text}");
    }
    let noted = one(&format!("{list}[DhtmlXQ_comment0_2]a||b\\u4e2d[/DhtmlXQ_comment0_2]"));
    assert_eq!(comment(&noted.game, &["h2e2", "h9g7"]).as_deref(), Some("a\nb中"));
    // A short start position is filled up from the normal one; characters that are no digit stand for an absent piece.
    let short = one(&format!("[DhtmlXQ_binit]8979695949392919097717[/DhtmlXQ_binit]{list}"));
    assert_eq!((short.game.start, short.game.tree.ply_count()), (Position::start(), 2));
    // Side lines in any order, a child with a smaller number than its parent.
    let text = format!("[DhtmlXQ_move_2_3_1]1927[/DhtmlXQ_m][DhtmlXQ_move_0_2_2]10227967[/DhtmlXQ_m]{list}");
    assert_eq!(moves(&text), "h2e2 h9g7 / h2e2 b9c7 h0g2 / h2e2 b9c7 b0c2");
    // The side to move is that of the first piece; without a ply Black's if Red would stand to take the king.
    let black = one("[DhtmlXQ_movelist]7062[/DhtmlXQ_movelist]");
    assert_eq!(black.game.start.side_to_move(), Color::Black);
    // References are escaped as JavaScript does it, markup is left over from copying.
    let page = one(&format!(
        "[DhtmlXQ_refer]%u4E2D%0D%0Ax[/DhtmlXQ_refer][DhtmlXQ_event]<b>A</b>&quot;B&quot;[/DhtmlXQ_event]{list}"
    ));
    let header = |name| page.game.headers.get_raw(name);
    assert_eq!((header("References"), header("Event")), (Some("中\nx"), Some("A\"B\"")));
}

#[test]
fn the_plain_text_export_gives_headers_and_moves() {
    let page = "标题: 示例\n赛事: 测试赛\n布局: B00 中炮局\n红方: 团队 姓名\n黑方：乙\n结果: 黑方胜\n日期: 2024.1.2\n\
        \x20 1.炮二平五      士６进５\n  2.马二进三\n棋谱由 http://www.example.org/ 生成\n";
    let game = one(page);
    assert_eq!((game.status, lines(&game.game.tree)), (Status::Ok, vec!["h2e2 f9e8 h0g2".to_string()]));
    let headers: Vec<_> = game.game.headers.iter().collect();
    assert_eq!(
        headers,
        [
            ("Title", "示例"),
            ("Event", "测试赛"),
            ("ECCO", "B00"),
            ("Opening", "中炮局"),
            ("Red", "团队 姓名"),
            ("Black", "乙"),
            ("Date", "2024.1.2")
        ]
    );
    assert_eq!(game.game.result, GameResult::BlackWins);
    assert!(game.game.trailer.contains("生成"));
    // The same labels in one row.
    let row = one("标题：示例 赛事：测试赛 红方：甲 黑方：乙\n\n1. 炮二平五 马8进7\n");
    assert_eq!((row.game.headers.get(Name::Red), row.game.headers.get(Name::Title)), (Some("甲"), Some("示例")));
    let composed = one("中国象棋对局记录\n开局 Fen 串：3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1\n\n1. 帅五进一\n");
    assert_eq!(lines(&composed.game.tree), ["e0e1"]);
}

#[test]
fn a_finding_on_a_page_with_labels_names_its_place_in_the_file() {
    let page = "标题: 示例\n红方: 甲\n\n1. 炮二平五 马8进7\n2. 车五进九 卒1进1\n";
    let game = one(page);
    let finding = game.findings.iter().find(|finding| finding.code.id() == "R401").unwrap();
    let at = page.find("车五进九").unwrap();
    assert_eq!((finding.line, finding.column, finding.byte), (Some(5), Some(4), Some(at as u64)));
}

#[test]
fn the_worked_example_of_wxf_files_is_read() {
    let text = "FORMAT  WXF\nGAME    \nRED     甲;队名;1200;\nBLACK   乙;;;\nRESULT  1-0\nDATE    2024-01-02\nEVENT   测试赛\n\
        FEN     rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r\n\nSTART{\n 1.  C2.5  H8+7     2.  H2+3  R9.8\n}END\n";
    let game = one(text);
    assert_eq!((game.status, lines(&game.game.tree)), (Status::Ok, vec!["h2e2 h9g7 h0g2 i9h9".to_string()]));
    let get = |name| game.game.headers.get(name);
    assert_eq!((get(Name::RedTeam), get(Name::RedElo)), (Some("队名"), Some("1200")));
    // A relative with other move formats and both kinds of comments.
    let other = one("FORMAT AXF\nSTART{\n1. C2=5 H8+7 /* 好 */ 2. H2+3! {x} R9=8\n}END\n");
    assert_eq!(lines(&other.game.tree), ["h2e2 h9g7 h0g2 i9h9"]);
    assert_eq!(other.game.tree.comments().len(), 2);
    assert_eq!(lines(&one("FORMAT ICCS\nSTART{\n1. H2-E2 H9-G7\n}END\n").game.tree), ["h2e2 h9g7"]);
}

#[test]
fn a_tree_of_pfc_inside_of_a_comment_is_found() {
    let text = "[pfchessrecord]<!--<?xml version=\"1.0\" encoding=\"utf-8\"?><n version=\"2\" win=\"红胜\" \
        m=\"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\" c=\"开始\" title=\"示例\">\
        <n m=\"h2e2\" c=\"中炮\"><n m=\"h7e7\"/><n m=\"h9g7\" default=\"true\" /></n></n>-->[/pfchessrecord]";
    let game = one(text);
    assert_eq!(lines(&game.game.tree), ["h2e2 h9g7", "h2e2 h7e7"]);
    assert_eq!((game.game.result, game.game.headers.get(Name::Title)), (GameResult::RedWins, Some("示例")));
    let empty = &read_as(Format::Pfc, b"[pfchessrecord]").0[0];
    assert_eq!((empty.status, empty.findings.iter().any(|f| f.code.id() == "F204")), (Status::Failed, true));
}

/// The CBR recipe that leaves the kind of the record out.
fn recipe(moves: &str) -> Vec<u8> {
    let mut file = vec![0; 2214];
    file[..16].copy_from_slice(b"CCBridge Record\0");
    for (at, text) in [(180, "题"), (1076, "甲"), (1300, "乙")] {
        let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        file[at..at + units.len()].copy_from_slice(&units);
    }
    (file[2076], file[2116]) = (1, 1);
    let rank = bytes("212223242524232221");
    file[2120..2129].copy_from_slice(&rank);
    let rank: Vec<u8> = rank.iter().map(|piece| piece - 0x10).collect();
    file[2201..2210].copy_from_slice(&rank);
    for (at, piece) in [(19, 0x26), (25, 0x26), (64, 0x16), (70, 0x16)] {
        file[2120 + at] = piece;
    }
    for column in (0..9).step_by(2) {
        (file[2120 + 27 + column], file[2120 + 54 + column]) = (0x27, 0x17);
    }
    file.extend(bytes(&format!("00000000 {moves} 0000000000")));
    file
}

#[test]
fn a_record_that_does_not_say_its_kind_is_read_with_a_finding() {
    let moves = "00004643 02000718 01005845 01001316";
    let (games, _) = read_all(&recipe(moves));
    assert_eq!(lines(&games[0].game.tree), ["h2e2 h9g7 h0g2", "h2e2 b7e7"]);
    assert_eq!((games[0].game.headers.get(Name::Red), games[0].game.result), (Some("甲"), GameResult::RedWins));
    let codes: Vec<_> = games[0].findings.iter().map(|finding| finding.code.id()).collect();
    assert_eq!(codes, ["F201", "F205"]);
    // A library of such records, its index left empty.
    let mut library = b"CCBridgeLibrary\0".to_vec();
    library.extend([0; 44]);
    library.extend(2u32.to_le_bytes());
    library.resize(101_952, 0);
    for _ in 0..2 {
        library.extend(recipe(moves));
        library.resize(101_952 + (library.len() - 101_952).next_multiple_of(4096), 0);
    }
    let (games, findings) = read_all(&library);
    assert_eq!((games.len(), findings[0].code.id()), (2, "F210"));
    assert!(games.iter().all(|game| lines(&game.game.tree).len() == 2));
}

#[test]
fn both_numberings_of_xqr_are_read() {
    let old = bytes("00022017 010100 0203 E7949A 0503E794B2 0603E4B999 070101 0900 00000100 71740100 01220000");
    let new = bytes("00022017 010100 0501 33 0603E794B2 0703E4B999 080102 0A00 00000100 71740100 01220000");
    for (file, red, result) in [(old, "甲", GameResult::RedWins), (new, "甲", GameResult::BlackWins)] {
        let (games, _) = read_all(&file);
        assert_eq!((games[0].game.headers.get(Name::Red), games[0].game.result), (Some(red), result));
        assert_eq!(lines(&games[0].game.tree), ["b2e2 b9c7"]);
        assert!(games[0].findings.iter().any(|finding| finding.code.id() == "F203"));
    }
}

#[test]
fn the_opening_of_a_page_may_be_a_code_and_a_name_or_either() {
    for (value, code, name) in [("B00 中炮局", Some("B00"), Some("中炮局")), ("中炮局", None, Some("中炮局"))]
    {
        let game = one(&format!("标题：x\n布局：{value}\n\n1. 炮二平五 马8进7\n"));
        assert_eq!((game.game.headers.get(Name::Ecco), game.game.headers.get(Name::Opening)), (code, name));
    }
}

#[test]
fn a_page_written_in_either_script_or_in_english_reads_back() {
    let mut game = one(EXAMPLE).game;
    game.headers.push("X-Other", "y: z");
    game.trailer = "棋友网".into();
    for (script, english) in [
        (yipu::notation::Script::Simplified, false),
        (yipu::notation::Script::Traditional, false),
        (Default::default(), true),
    ] {
        let style = yipu::notation::Style { script, ..Default::default() };
        let options = WriteOptions { style, english, ..WriteOptions::default() };
        let mut out = Vec::new();
        let findings = writer(Format::Text).unwrap().write(&game, &options, &mut out);
        assert_eq!(findings, []);
        let (games, _) = read_as(Format::Text, &out);
        let back = &games[0].game;
        assert_eq!((games.len(), lines(&back.tree)), (1, lines(&game.tree)), "{}", String::from_utf8_lossy(&out));
        assert_eq!((back.result, &back.trailer), (game.result, &game.trailer));
        for (name, value) in game.headers.iter() {
            assert_eq!(back.headers.get_raw(name), Some(value), "{name}");
        }
    }
    let long =
        "中炮进三兵，黑方屏风马，双方布成典型的阵势，以下变化繁多。".repeat(9) + "\n第二行 with words 炮2平5 (end).";
    let node = game.tree.main_line().next().unwrap();
    game.tree.comment(node, yipu::game::Place::After, long.clone());
    let back = there_and_back(Format::Text, std::slice::from_ref(&game)).remove(0).game;
    assert!(back.tree.comments().iter().any(|comment| comment.text == long));
    let page = written(Format::Text, &game);
    let width = |line: &str| line.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum::<usize>();
    assert!(page.lines().all(|line| width(line) <= 80), "{page}");
}
