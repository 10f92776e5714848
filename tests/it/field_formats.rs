//! The field cases about encodings, formats and what is written (ENC, FMT, OUT), from outside: the program is given the
//! input of the case and must answer what the case expects.

use crate::cli::yipu;
use serde_json::Value;
use std::path::PathBuf;

/// A folder with one file in it.
struct Case {
    folder: tempfile::TempDir,
    file: PathBuf,
}

/// What `check` says.
struct Checked {
    games: Vec<Value>,
    /// Findings of the games and of the file.
    findings: Vec<Value>,
}

impl Case {
    fn new(name: &str, bytes: impl AsRef<[u8]>) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        Case { folder, file }
    }

    fn lines(&self, args: &[&str]) -> Vec<Value> {
        let output = yipu().arg("--json").args(args).arg(&self.file).output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn check(&self, args: &[&str]) -> Checked {
        let mut games = self.lines(&[&["check"], args].concat());
        let summary = games.pop().unwrap();
        let lists = games.iter().map(|game| &game["findings"]).chain([&summary["summary"]["findings"]]);
        let findings = lists.filter_map(Value::as_array).flatten().cloned().collect();
        Checked { games, findings }
    }

    /// The games in full: headers, tree, comments.
    fn games(&self, args: &[&str]) -> Vec<Value> {
        self.lines(&[&["convert", "--to", "json", "-o", "-"], args].concat())
    }

    fn game(&self) -> Value {
        let mut games = self.games(&[]);
        assert_eq!(games.len(), 1);
        games.remove(0)
    }

    /// The file converted to another format, as a case of its own.
    fn convert(&self, format: &str, more: &[&str]) -> Case {
        let name = format!("out.{format}");
        let out = self.folder.path().join(&name);
        let output =
            yipu().args(["convert", "--to", format]).args(more).arg("-o").arg(&out).arg(&self.file).output().unwrap();
        assert!(out.is_file(), "{}", String::from_utf8_lossy(&output.stderr));
        Case::new(&name, std::fs::read(out).unwrap())
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.file).unwrap()
    }
}

impl Checked {
    fn moves(&self, game: usize) -> String {
        let moves = self.games[game]["moves"].as_array().unwrap();
        moves.iter().map(|m| m.as_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    fn codes(&self) -> Vec<&str> {
        self.findings.iter().map(|finding| finding["code"].as_str().unwrap()).collect()
    }

    fn finding(&self, code: &str) -> &Value {
        let found = self.findings.iter().find(|finding| finding["code"] == code);
        found.unwrap_or_else(|| panic!("no {code} among {:?}", self.findings))
    }
}

fn header<'a>(game: &'a Value, name: &str) -> Option<&'a str> {
    let headers = game["headers"].as_array().unwrap();
    headers.iter().find(|pair| pair[0] == name).map(|pair| pair[1].as_str().unwrap())
}

/// Every line of play from the start to its end.
fn lines_of(game: &Value) -> Vec<String> {
    let mut paths = vec![String::new()];
    let mut parents = vec![0];
    let mut last = 0;
    for ply in game["tree"].as_array().unwrap() {
        let (parent, m) = match ply {
            Value::String(m) => (last, m.as_str()),
            from => (from[0].as_u64().unwrap() as usize, from[1].as_str().unwrap()),
        };
        last = paths.len();
        parents.push(parent);
        paths.push(format!("{} {m}", paths[parent]).trim().to_string());
    }
    let mut lines: Vec<String> =
        (1..paths.len()).filter(|node| !parents[1..].contains(node)).map(|n| paths[n].clone()).collect();
    lines.sort();
    lines
}

/// Comments as place and text, with the path of plies to their node in front.
fn comments(game: &Value) -> Vec<String> {
    let list = game["comments"].as_array().cloned().unwrap_or_default();
    list.iter()
        .map(|comment| format!("{} {} {}", comment[0], comment[1].as_str().unwrap(), comment[2].as_str().unwrap()))
        .collect()
}

fn hex(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    (0..digits.len() / 2).map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).unwrap()).collect()
}

const PIECES: &str = "000a141e28323c46500c4803172b3f5309131d27313b454f59114d061a2e4256";

/// The XQF recipe of annex 1.
fn xqf(pieces: &str, side: u8, red: &[u8], black: &[u8], body: &str) -> Vec<u8> {
    let mut file = vec![0; 1024];
    file[..3].copy_from_slice(&[0x58, 0x51, 0x0A]);
    file[16..48].copy_from_slice(&hex(pieces));
    file[50] = side;
    for (at, text) in [(304, red), (320, black)] {
        file[at] = text.len() as u8;
        file[at + 1..at + 1 + text.len()].copy_from_slice(text);
    }
    file.extend(hex(body));
    file
}

fn gb(text: &str) -> Vec<u8> {
    encoding_rs::GB18030.encode(text).0.into_owned()
}

#[test]
fn enc_1_vietnamese_names_are_read_on_request_and_never_silently_as_chinese() {
    let name = hex("4E 67 75 79 EA DE 6E 20 56 E3 6E 20 C1 6E 68");
    let case = Case::new("v.xqf", xqf(PIECES, 0, &name, b"", "1820F0FF00000000 604AF00000000000 6763000000000000"));
    let asked = case.games(&["--input-encoding", "windows-1258"]);
    assert_eq!(header(&asked[0], "Red"), Some("Nguyễn Văn Ánh"));
    let checked = case.check(&[]);
    assert_eq!(checked.moves(0), "h2e2 h9g7");
    let finding = checked.finding("T203");
    assert!(finding["message"].as_str().unwrap().contains("Red"), "{finding}");
    assert!(finding["message"].as_str().unwrap().contains("4E 67 75"), "{finding}");
}

#[test]
fn enc_3_a_bad_byte_costs_one_character_of_a_gbk_file() {
    for (comment, want) in [("7B BAC3 D7C5 92 20 7D", "好着\u{FFFD} "), ("7B BAC3 D7C5 92 7D", "好着\u{FFFD}")] {
        let mut file = gb("[Event \"甲杯\"]\n[Red \"张三\"]\n\n1. 炮二平五 ");
        let stray = file.len() + 5;
        file.extend(hex(comment));
        file.extend(gb(" 马8进7 2. 马二进三 *\n\n[Event \"乙杯\"]\n[Red \"李四\"]\n\n1. 炮二平五 马8进7 *\n"));
        let case = Case::new("a.pgn", file);
        let checked = case.check(&[]);
        assert_eq!(checked.games.len(), 2);
        assert_eq!((checked.moves(0), checked.moves(1)), ("h2e2 h9g7 h0g2".into(), "h2e2 h9g7".into()));
        let bad: Vec<&Value> = checked.findings.iter().filter(|f| f["severity"] != "note").collect();
        assert_eq!(bad.len(), 1, "{bad:?}");
        assert_eq!((&bad[0]["game"], bad[0]["byte"].as_u64()), (&Value::from(1), Some(stray as u64)));
        let games = case.games(&[]);
        assert_eq!(games[0]["comments"][0][2].as_str().unwrap().trim_end(), want.trim_end());
    }
}

#[test]
fn enc_4_a_latin_byte_leaves_a_utf_8_file_utf_8() {
    let mut file = "[Event \"甲杯\"]\n[Red \"张三\"]\n[Black \"李四\"]\n\n1. 炮二平五 马8进7 *\n\n".as_bytes().to_vec();
    file.extend("[Event \"乙杯\"]\n[Site \"".as_bytes());
    file.push(0xE9);
    file.extend(
        "\"]\n[Red \"王五\"]\n\n1. 炮二平五 马8进7 *\n\n[Event \"丙杯\"]\n[Red \"赵六\"]\n\n1. 炮二平五 *\n".as_bytes(),
    );
    let case = Case::new("a.pgn", file);
    let games = case.games(&[]);
    let names: Vec<_> = games.iter().map(|game| header(game, "Red").unwrap()).collect();
    assert_eq!(names, ["张三", "王五", "赵六"]);
    let checked = case.check(&[]);
    assert!(checked.games.iter().all(|game| game["encoding"] == "utf-8"));
    let warnings: Vec<&Value> = checked.findings.iter().filter(|f| f["severity"] != "note").collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(warnings[0]["game"], 2);
    assert!(warnings[0].to_string().contains("Site"), "{warnings:?}");
}

#[test]
fn enc_6_half_a_character_at_the_end_of_a_name_is_dropped_and_told() {
    let red = hex("B9E3 B6AB C4B3 C4B3 CFF3 C6E5 BEE3 C0");
    let case = Case::new("a.xqf", xqf(PIECES, 0, &red, &gb("乙"), "1820F0FF00000000 604A000000000000"));
    let game = case.game();
    assert_eq!((header(&game, "Red"), header(&game, "Black")), (Some("广东某某象棋俱"), Some("乙")));
    assert!(case.check(&[]).finding("T201")["message"].as_str().unwrap().contains("Red"));
}

#[test]
fn enc_7_two_gbk_bytes_that_are_valid_utf_8_are_read_as_chinese_and_told() {
    let file = [b"[Result \"1-0\"]\n[Remark \"".as_slice(), &[0xCA, 0xA4], b"\"]\n\n1. h2e2 h9g7 1-0\n"].concat();
    let case = Case::new("a.pgn", file);
    assert_eq!(header(&case.game(), "Remark"), Some("胜"));
    let checked = case.check(&[]);
    assert!(checked.games[0]["encoding"].as_str().unwrap().starts_with("gb"));
    checked.finding("T203");
}

#[test]
fn fmt_1_every_first_move_of_an_xqf_survives() {
    let body = "1820f0ff00000000 604aff0000000000 6763000000000000 5e5eff0000000000 5a61000000000000 2f38f00000000000 2b3b000000000000";
    let game = Case::new("a.xqf", xqf(PIECES, 0, b"", b"", body)).game();
    assert_eq!(lines_of(&game), ["c3c4 b9c7", "h0g2 g6g5", "h2e2 h9g7"]);
    assert_eq!(game["tree"].as_array().unwrap().len(), 6);
}

#[test]
fn fmt_3_the_first_piece_to_move_overrules_the_header_of_a_composed_xqf() {
    let pieces = "08ffffff28ffffffffffffffffffffff54ffff3027ffffffffffffffffffffff";
    let body = "1820f0ff000000006c70f000000000004049f000000000006871000000000000";
    let case = Case::new("a.xqf", xqf(pieces, 0, b"", b"", body));
    let checked = case.check(&[]);
    assert_eq!(checked.moves(0), "i4i0 e0e1 i0i1");
    assert!(checked.games[0]["start_fen"].as_str().unwrap().starts_with("3k5/R3a4/9/9/9/8r/9/9/9/4K4 b"));
    checked.finding("F206");
    let board =
        yipu().args(["--json", "board", "-o"]).arg(case.folder.path().join("x.txt")).arg(&case.file).output().unwrap();
    assert!(String::from_utf8_lossy(&board.stdout).contains("3k5/R3a4/9/9/9/9/9/9/4K3r/9 w"));
}

#[test]
fn fmt_4_an_enciphered_xqf_gives_its_notes_and_side_line() {
    let mut file =
        hex("5851127f00000000010204083c25511b98a2acb6c0cad4dee8a0dc95a9bdd1e58f99a3adb7c1cbd5df9bd792a6bacee2\
         00000002000000000000000000000000");
    file.resize(1024, 0);
    for (at, name) in [(304, "丙"), (320, "丁")] {
        file[at] = 2;
        file[at + 1..at + 3].copy_from_slice(&gb(name));
    }
    file.extend(hex(
        "3140e1094a424510f8ccffd9ffc63d0ad0262a3f2d26fab1ded706ed693bc4195435410928f5e51063614103e911d2c4e10affed2d26",
    ));
    let game = Case::new("a.xqf", file).game();
    assert_eq!(game["result"], "0-1");
    assert_eq!(lines_of(&game), ["h2e2 b9c7 b0c2", "h2e2 h9g7 h0g2"]);
    let plies: Vec<String> = game["tree"].as_array().unwrap().iter().map(Value::to_string).collect();
    let at = |m: &str| plies.iter().position(|ply| ply.contains(m)).unwrap() + 1;
    assert_eq!(
        comments(&game),
        ["0 after 开局注".to_string(), "1 after 当头炮".into(), format!("{} after 另一变", at("b9c7"))]
    );
    assert_eq!((header(&game, "Red"), header(&game, "Black")), (Some("丙"), Some("丁")));
}

#[test]
fn fmt_6_a_wxf_file_needs_neither_moves_nor_a_position() {
    let head = "FORMAT WXF\nGAME\nRED ;;;\nBLACK ;;;\nDATE 2024-05-01\n";
    let composed = format!("{head}FEN 3k5/4a4/4e4/9/9/9/9/4E4/4A4/3AK1H2 b\n\nSTART{{\n}}END\n");
    let checked = Case::new("a.wxf", composed).check(&[]);
    let fen = checked.games[0]["start_fen"].as_str().unwrap();
    assert!(fen.starts_with("3k5/4a4/4b4/9/9/9/9/4B4/4A4/3AK1N2 b"), "{fen}");
    assert_eq!((checked.games[0]["plies"].as_u64(), checked.games[0]["status"].as_str()), (Some(0), Some("ok")));
    let moves = yipu().args(["--json", "moves", "--fen", fen]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&moves.stdout).lines().count(), 9);
    let normal = Case::new("a.wxf", format!("{head}\nSTART{{\nC2=5 H8+7\n}}END\n")).check(&[]);
    assert_eq!(normal.moves(0), "h2e2 h9g7");
    assert!(normal.games[0]["start_fen"].as_str().unwrap().starts_with("rnbakabnr/9/1c5c1/"));
}

#[test]
fn fmt_7_an_iccs_pgn_of_a_handicap_game_replays_from_its_fen() {
    let text = "[Game \"Chinese Chess\"]\n[Event \"让子示范\"]\n[Red \"甲\"]\n[Black \"乙\"]\n[Result \"1-0\"]\n[Format \"ICCS\"]\n\
        [FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKAB1R w - - 0 1\"]\n\n1. h2e2 h9g7\n2. a0b0 i9h9";
    let checked = Case::new("a.pgn", text).check(&[]);
    assert_eq!(checked.moves(0), "h2e2 h9g7 a0b0 i9h9");
    assert_eq!(checked.games[0]["result"], "1-0");
    let note = checked.finding("G301");
    assert_eq!(note["severity"], "note");
}

#[test]
fn fmt_9_western_letters_with_engine_comments_are_resolved() {
    let text = "1. Che2 {+0.38/19} Hg7 2. Hg2 Rh9 {-0.11/12 24} 3. Rh0 g5 4. c4 Hc7 5. Hc2 Ece7 6. Ca2 Ci7 7. Rb0\n\
                Rxh0 8. Hxh0 Rb9 *";
    let case = Case::new("a.pgn", text);
    assert_eq!(
        case.check(&[]).moves(0),
        "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 c3c4 b9c7 b0c2 c9e7 b2a2 h7i7 a0b0 h9h0 g2h0 a9b9"
    );
    let board =
        yipu().args(["--json", "board", "-o"]).arg(case.folder.path().join("x.txt")).arg(&case.file).output().unwrap();
    assert!(
        String::from_utf8_lossy(&board.stdout)
            .contains("1r1akab2/9/1cn1b1n1c/p1p1p3p/6p2/2P6/P3P1P1P/C1N1C4/9/1RBAKABN1 w")
    );
}

#[test]
fn fmt_10_a_move_two_rooks_can_make_is_settled_by_the_next_ones() {
    let head = "[Event \"x\"]\n[FEN \"4k4/9/9/9/R7R/9/9/9/9/3K5 w\"]\n\n";
    let checked = Case::new("a.pgn", format!("{head}1. Re6+ Kf10 2. Ra9 *\n")).check(&[]);
    assert_eq!(checked.moves(0), "i5e5 e9f9 a5a8");
    assert!(!checked.codes().contains(&"R402"));
    let open = Case::new("a.pgn", format!("{head}1. Re6+ *\n")).check(&[]);
    let finding = open.finding("R402");
    assert!(finding["message"].as_str().unwrap().contains('2'), "{finding}");
}

#[test]
fn fmt_12_two_columns_between_rules_with_a_footer_are_four_plies() {
    let rule = "-".repeat(60);
    let text = format!(
        "{rule}\n  1. 炮二平五  马８进７    2. 马二进三  车９平８\n{rule}\n《象棋演播室》 http://www.example.org\n"
    );
    let checked = Case::new("a.txt", text).check(&[]);
    assert_eq!((checked.moves(0), checked.games[0]["status"].as_str()), ("h2e2 h9g7 h0g2 i9h9".into(), Some("ok")));
    assert!(!checked.codes().iter().any(|code| code.starts_with('R')), "{:?}", checked.findings);
}

const UBB: &str = "[DhtmlXQ][DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver][DhtmlXQ_red]甲[/DhtmlXQ_red]\
    [DhtmlXQ_black]乙[/DhtmlXQ_black][DhtmlXQ_result]红胜[/DhtmlXQ_result]\
    [DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]\
    [DhtmlXQ_movelist]774770627967807089796364[/DhtmlXQ_movelist][DhtmlXQ_move_0_2_1]10221927[/DhtmlXQ_move_0_2_1]\
    [DhtmlXQ_comment1_2]变着||第二行[/DhtmlXQ_comment1_2][/DhtmlXQ]";

#[test]
fn fmt_13_a_dhtmlxq_block_goes_in_and_out_unchanged() {
    let case = Case::new("a.txt", UBB);
    let game = case.game();
    assert_eq!(lines_of(&game), ["h2e2 b9c7 b0c2", "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5"]);
    assert_eq!(game["result"], "1-0");
    assert!(comments(&game)[0].ends_with("after 变着\n第二行"));
    let again = case.convert("dhtmlxq", &[]);
    assert!(again.text().contains("变着||第二行"));
    assert_eq!(again.game(), game);
}

#[test]
fn fmt_15_a_saved_page_gives_the_moves_of_its_script() {
    let page = "<html><head><title>残局</title></head><body>[DhtmlXQ_movelist][/DhtmlXQ_movelist]<script>\n\
        var DhtmlXQ_movelist = '[0_1_0]774770627967[/0_1_0][0_2_1]10221927[/0_2_1]';\n</script></body></html>";
    let game = Case::new("a.html", gb(page)).game();
    assert_eq!(lines_of(&game), ["h2e2 b9c7 b0c2", "h2e2 h9g7 h0g2"]);
}

#[test]
fn fmt_16_white_is_red_and_the_export_begins_with_game() {
    let case = Case::new(
        "a.pgn",
        "[White \"甲\"]\n[Black \"乙\"]\n[Variant \"xiangqi\"]\n[Result \"0-1\"]\n\n1. h2e2 h9g7 0-1\n",
    );
    assert_eq!(case.check(&[]).games[0]["result"], "0-1");
    let out = case.convert("pgn", &[]).text();
    assert!(
        out.starts_with("[Game \"Chinese Chess\"]") && out.contains("[Red \"甲\"]") && !out.contains("[White "),
        "{out}"
    );
}

#[test]
fn fmt_18_moves_inside_tags_are_no_moves() {
    let event = "炮二平五对屏风马 1. 马八进七 专题";
    let case = Case::new("a.pgn", format!("[Event \"{event}\"]\n[Red \"先手1...c5\"]\n\n1. h2e2 h9g7 *\n"));
    let game = case.game();
    assert_eq!((header(&game, "Event"), header(&game, "Red")), (Some(event), Some("先手1...c5")));
    assert_eq!(lines_of(&game), ["h2e2 h9g7"]);
}

#[test]
fn fmt_19_the_position_command_of_engines_is_a_game() {
    let fen = "3k5/R3a4/9/9/9/8r/9/9/9/4K4 b - - 0 1";
    for line in [format!("position fen {fen} moves i4i0 e0e1"), format!("{fen} moves i4i0 e0e1")] {
        let case = Case::new("a.txt", &line);
        let checked = case.check(&[]);
        assert_eq!((checked.moves(0).as_str(), checked.games[0]["start_fen"].as_str()), ("i4i0 e0e1", Some(fen)));
        let board = yipu()
            .args(["--json", "board", "-o"])
            .arg(case.folder.path().join("x.txt"))
            .arg(&case.file)
            .output()
            .unwrap();
        assert!(String::from_utf8_lossy(&board.stdout).contains("3k5/R3a4/9/9/9/9/9/9/4K4/8r b"));
    }
    assert_eq!(Case::new("a.txt", "position startpos moves h2e2 h9g7").check(&[]).moves(0), "h2e2 h9g7");
}

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn svg(args: &[&str]) -> String {
    String::from_utf8(yipu().args(["board", "--to", "svg"]).args(args).output().unwrap().stdout).unwrap()
}

/// Where the piece on a square is drawn, and whether it is red.
fn place(svg: &str, square: &str) -> (f64, f64, bool) {
    let at = svg.find(&format!("data-square=\"{square}\"")).unwrap();
    let red = svg[..at].ends_with("class=\"piece red\" ");
    let number = |name: &str| svg[at..].split_once(name).unwrap().1.split('"').next().unwrap().parse().unwrap();
    (number("cx=\""), number("cy=\""), red)
}

#[test]
fn out_1_the_other_side_is_a_half_turn() {
    let (plain, turned) = (svg(&[START]), svg(&[START, "--flip"]));
    let squares = ["a0", "b0", "i0", "a9", "h9", "i9", "e0"];
    let leftmost = squares.iter().map(|s| place(&turned, s).0).fold(f64::MAX, f64::min);
    let top = squares.iter().map(|s| place(&turned, s).1).fold(f64::MAX, f64::min);
    assert_eq!(place(&turned, "i0"), (leftmost, top, true));
    let (x, y, red) = place(&plain, "i0");
    assert_eq!(place(&turned, "a9"), (x, y, !red));
    let out = tempfile::tempdir().unwrap().path().join("x.svg");
    std::fs::create_dir_all(out.parent().unwrap()).unwrap();
    let json = yipu().args(["--json", "board", START, "--flip", "--to", "svg", "-o"]).arg(&out).output().unwrap();
    assert!(String::from_utf8_lossy(&json.stdout).contains(START));
}

#[test]
fn out_3_side_lines_survive_every_format_that_holds_them() {
    let text =
        "1. 炮二平五 马8进7 (1... 炮8平5) 2. 马二进三 (2. 马八进七 {改进} 2... 车9平8) 2... 车9平8 3. 车一平二 *\n";
    let case = Case::new("a.pgn", text);
    let want = ["h2e2 h7e7", "h2e2 h9g7 b0c2 i9h9", "h2e2 h9g7 h0g2 i9h9 i0h0"];
    let mut at = case;
    for format in ["xqf", "dhtmlxq", "cbr", "cbf", "text", "pgn", "json"] {
        at = at.convert(format, &[]);
        let game = at.game();
        assert_eq!(lines_of(&game), want, "{format}");
        assert_eq!(game["tree"].as_array().unwrap().len(), 8, "{format}");
        let note = comments(&game);
        let number: usize = note[0].split(' ').next().unwrap().parse().unwrap();
        assert!(
            game["tree"][number - 1].to_string().contains("b0c2") && note[0].ends_with("after 改进"),
            "{format} {note:?}"
        );
    }
    let out = at.folder.path().join("x.uci");
    let output = yipu().args(["convert", "--to", "uci", "-o"]).arg(&out).arg(&at.file).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.contains("O206") && stderr.contains("3 plies of side lines") && stderr.contains("1 comments"),
        "{stderr}"
    );
}

#[test]
fn out_4_a_diagram_marks_the_last_move_and_opens_offline() {
    let svg = svg(&[&format!("{START} moves h2e2")]);
    assert_eq!(svg.matches("class=\"piece").count(), 32);
    let marks: Vec<&str> =
        svg.split("class=\"mark\" data-square=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(marks, ["h2", "e2"]);
    let number = |c: char| {
        let at = svg.find(&format!("#g{:x}\"", u32::from(c))).unwrap_or_else(|| panic!("{c}"));
        let (x, y) = svg[at..].split_once("translate(").unwrap().1.split_once(')').unwrap().0.split_once(' ').unwrap();
        (x.parse::<f64>().unwrap(), y.parse::<f64>().unwrap())
    };
    let (red, black): (Vec<_>, Vec<_>) =
        ("九八七六五四三二一".chars().map(number).collect(), "123456789".chars().map(number).collect());
    assert!(red.windows(2).chain(black.windows(2)).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 == pair[1].1));
    assert!(red[0].1 > place(&svg, "a0").1 && black[0].1 < place(&svg, "a9").1);
    // Nothing but the name of the format looks like an address.
    assert_eq!(svg.matches("http").count(), 1);
}

#[test]
fn out_6_comments_before_and_behind_a_side_line_keep_their_places() {
    let case = Case::new("a.pgn", "1. 炮二平五 {甲} (1. 马八进七 {乙}) {丙} 1... 马8进7 *\n");
    for out in [case.convert("pgn", &[]), case.convert("text", &[])] {
        let text = out.text();
        let places: Vec<usize> =
            ["甲", "马八进七", "乙", "丙", "马8进7"].iter().map(|part| text.find(part).unwrap()).collect();
        assert!(places.is_sorted(), "{text}");
        assert_eq!(comments(&out.game()), comments(&case.game()));
    }
    assert_eq!(case.convert("pgn", &[]).text(), case.convert("pgn", &[]).convert("pgn", &[]).text());
}

#[test]
fn out_7_the_answer_in_words_is_shown_and_found() {
    let study = "[DhtmlXQ_binit]9999999949999999999999999999999999999999409999999999999999999999[/DhtmlXQ_binit]\
                 [DhtmlXQ_movelist]4948[/DhtmlXQ_movelist][DhtmlXQ_comment0]红先和[/DhtmlXQ_comment0]\
                 [DhtmlXQ_comment1]帅五进一，以下黑方无法取胜。[/DhtmlXQ_comment1]";
    let case = Case::new("a.txt", study);
    let game = case.game();
    assert_eq!(lines_of(&game), ["e0e1"]);
    assert_eq!(comments(&game), ["0 after 红先和", "1 after 帅五进一，以下黑方无法取胜。"]);
    for format in ["text", "html"] {
        let page = case.convert(format, &[]).text();
        assert!(page.contains("红先和") && page.contains("以下黑方无法取胜"), "{page}");
    }
    let db = case.folder.path().join("db");
    assert!(matches!(
        yipu().args(["index", "--db"]).arg(&db).arg(&case.file).output().unwrap().status.code(),
        Some(0 | 1)
    ));
    let found = yipu().args(["--json", "search", "comment:无法取胜", "--count", "--db"]).arg(&db).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&found.stdout).trim(), "{\"count\":1}");
}
