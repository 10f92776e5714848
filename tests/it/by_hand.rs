//! Sheets as people write them: sixty made by hand, each with one or two faults, and what an arbiter expects of each.

use yipu::audit::record::{Counting, Refusal, audit_sheets};
use yipu::sheet::{How, Options, Sheet, Transcript, transcribe};

const ROWS: [&str; 10] = [
    "1 炮二平五 马8进7",
    "2 马二进三 车9平8",
    "3 车一平二 卒7进1",
    "4 车二进六 马2进3",
    "5 兵七进一 炮8平9",
    "6 车二平三 炮9退1",
    "7 马八进七 士4进5",
    "8 炮八平九 车1平2",
    "9 车九平八 炮9平7",
    "10 车三平四 马7进8",
];

const MOVES: &str =
    "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6 b9c7 c3c4 h7i7 h6g6 i7i8 b0c2 d9e8 b2a2 a9b9 a0b0 i8g8 g6f6 g7h5";

fn sheet() -> String {
    ROWS.join("\n")
}

/// The sheet with texts replaced, pair by pair.
fn with(changes: &[(&str, &str)]) -> String {
    let mut text = sheet();
    for (old, new) in changes {
        assert!(text.contains(old), "{old}");
        text = text.replacen(old, new, 1);
    }
    text
}

/// Every row made anew from its number and its two entries.
fn rows(make: impl Fn(usize, &str, &str) -> String) -> String {
    let each = ROWS.iter().enumerate().map(|(index, row)| {
        let mut words = row.split(' ').skip(1);
        make(index + 1, words.next().unwrap(), words.next().unwrap())
    });
    each.collect::<Vec<_>>().join("\n")
}

fn read(texts: &[String]) -> Transcript {
    let sheets: Vec<Sheet> = texts.iter().map(|text| Sheet::read(text)).collect();
    transcribe(&sheets, &Options::default())
}

fn moves(t: &Transcript) -> String {
    t.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The short form as many write it: digits alone, a stroke where a bar stood.
fn short(bar: &str) -> String {
    let text = "1\t炮25\t马8|7\n2\t马2|3\t车98\n3\t车12\t卒7|1\n4\t车2|6\t马2|3\n5\t兵7|1\t炮89\n6\t车23\t炮9|1\n\
                7\t马8|7\t士4|5\n8\t炮89\t车12\n9\t车98\t炮97\n10\t车34\t马7|8";
    text.replace('|', bar)
}

#[test]
fn a_sheet_with_faults_of_form_reads_as_the_game_and_as_nothing_else() {
    let digits = ["〇", "一", "二", "三", "四", "五", "六", "七", "八", "九"];
    let cases: Vec<(&str, String, Option<&str>)> = vec![
        ("as it should be", sheet(), None),
        ("the same number in every row", rows(|_, a, b| format!("7 {a} {b}")), Some("S104")),
        ("a number twice", with(&[("5 兵", "4 兵")]), Some("S104")),
        ("a number skipped", rows(|n, a, b| format!("{} {a} {b}", if n > 4 { n + 1 } else { n })), Some("S103")),
        ("no numbers", rows(|_, a, b| format!("{a} {b}")), None),
        ("no numbers, one entry a line", rows(|_, a, b| format!("{a}\n{b}")), None),
        ("all on one line", sheet().replace('\n', " "), None),
        ("columns swapped", rows(|n, a, b| format!("{n} {b} {a}")), Some("S107")),
        ("struck out by tildes", with(&[("车二平三", "~~车二平四~~ 车二平三")]), Some("S102")),
        ("struck out by a word", with(&[("车二平三", "车二平四(划去) 车二平三")]), Some("S102")),
        ("struck out by strokes", with(&[("车二平三", "车\u{336}二\u{336}平\u{336}四\u{336} 车二平三")]), Some("S102")),
        ("a smudged file", with(&[("炮8平9", "炮?平9")]), None),
        ("a smudged direction", with(&[("炮8平9", "炮8□9")]), None),
        ("a wrong file", with(&[("马八进七", "马七进七")]), Some("S109")),
        ("a wrong direction", with(&[("炮9退1", "炮9进1")]), Some("S109")),
        ("two entries of a row swapped", with(&[("马八进七 士4进5", "士4进5 马八进七")]), Some("S109")),
        ("traditional characters", sheet().replace('车', "車").replace('马', "馬").replace('进', "進"), None),
        ("the words of 1956", sheet().replace('进', "上").replace('退', "下"), None),
        (
            "arabic digits for both sides",
            digits.iter().enumerate().skip(1).fold(sheet(), |text, (n, digit)| text.replace(digit, &n.to_string())),
            None,
        ),
        ("short, a gap for a bar", short(" "), None),
        ("short, a dash for a bar", short("-"), None),
        ("short, a point for a bar", short("."), None),
        ("the result below", sheet() + "\n红胜", None),
        ("a wrong number of rounds below", sheet() + "\n回合: 12", Some("S115")),
        ("a remark below", sheet() + "\n(以下记录不清)", None),
        ("empty lines between", sheet().replace('\n', "\n\n"), None),
        ("bars of a table", rows(|n, a, b| format!("| {n} | {a} | {b} |")), None),
    ];
    for (name, text, code) in &cases {
        let t = read(std::slice::from_ref(text));
        assert_eq!((moves(&t).as_str(), t.complete), (MOVES, true), "{name}");
        let found: Vec<&str> = t.findings.iter().map(|f| f.code.id()).collect();
        match code {
            Some(code) => assert!(found.contains(code), "{name}: {found:?}"),
            None => assert!(found.is_empty() && t.readings == 1, "{name}: {found:?} {}", t.readings),
        }
    }
}

#[test]
fn a_missing_entry_is_filled_where_the_rest_leaves_one_way_and_shown_as_open_where_not() {
    let cases: [(&str, String, u32, u32); 8] = [
        ("a word for it", with(&[("车二平三", "缺")]), 11, 1),
        ("a dash for it", with(&[("炮8平9", "—")]), 10, 1),
        ("question marks", with(&[("炮8平9", "???")]), 10, 1),
        ("struck out and not written anew", with(&[("车二平三", "~~车二平三~~")]), 11, 1),
        ("Red's entry left out, known by the numerals of the other", with(&[("车二平三 ", "")]), 11, 1),
        ("an empty cell", rows(|n, a, b| format!("{n}\t{}\t{b}", if n == 6 { "" } else { a })), 11, 1),
        ("two plies", with(&[("兵七进一 炮8平9", "缺 缺")]), 9, 2),
        ("three plies", with(&[("兵七进一 炮8平9", "缺 缺"), ("车二平三", "缺")]), 9, 3),
    ];
    for (name, text, ply, plies) in &cases {
        let t = read(std::slice::from_ref(text));
        assert!(t.complete && t.plies == 20, "{name}: {}", moves(&t));
        let gaps: Vec<(u32, u32)> = t.gaps.iter().map(|gap| (gap.ply, gap.plies)).collect();
        assert_eq!(gaps, [(*ply, *plies)], "{name}: {}", moves(&t));
        let missing = t.entries.iter().filter(|e| e.how == How::Missing).count();
        assert_eq!(missing as u32, *plies, "{name}");
        // What is shown as certain is what was played.
        for (read, played) in t.line.iter().zip(MOVES.split(' ')) {
            assert!(!read.alternatives.is_empty() || read.uci.to_string() == played, "{name}: ply {}", read.ply);
        }
    }
}

#[test]
fn numerals_keep_the_columns_where_mends_would_swap_them() {
    // Two wrong entries and two that cannot be read: with the columns swapped fewer mends would do, but every numeral
    // says which side an entry is of.
    let text =
        with(&[("车二进六", "车二进九"), ("炮8平9", "缺"), ("士4进5", "???"), ("车三平四 马7进8", "车九平三 车5平5")]);
    let t = read(&[text]);
    assert!(!t.findings.iter().any(|f| f.code.id() == "S107"), "{}", moves(&t));
    assert!(moves(&t).starts_with("h2e2 h9g7 h0g2 i9h9 i0h0 g6g5"), "{}", moves(&t));
}

#[test]
fn two_sheets_settle_each_other() {
    let ends_early = ROWS[..6].join("\n");
    let left_out = "1 炮二平五 马8进7\n2 马二进三 车9平8\n3 车一平二 卒7进1\n4 车二进六 马2进3\n5 兵七进一 车二平三\n\
                    6 炮9退1 马八进七\n7 士4进5 炮八平九\n8 车1平2 车九平八\n9 炮9平7 车三平四\n10 马7进8";
    let cases: [(&str, String, String, [u32; 2]); 8] = [
        ("alike", sheet(), sheet(), [0, 0]),
        ("one wrong", sheet(), with(&[("马八进七", "马七进七")]), [0, 0]),
        ("each its own gaps", with(&[("车二进六 马2进3", "缺 缺")]), with(&[("车二平三 炮9退1", "缺 缺")]), [2, 2]),
        ("one leaves out a ply and closes up", sheet(), left_out.to_string(), [0, 1]),
        ("one ends early", sheet(), ends_early, [0, 8]),
        ("one short without bars", sheet(), short(""), [0, 0]),
        ("one with its columns swapped", sheet(), rows(|n, a, b| format!("{n} {b} {a}")), [0, 0]),
        (
            "four single gaps on one",
            sheet(),
            with(&[("卒7进1", "缺"), ("马2进3", "缺"), ("车二平三", "缺"), ("士4进5", "缺")]),
            [0, 4],
        ),
    ];
    for (name, red, black, missing) in &cases {
        let counting = Counting::default();
        let (audit, t) = audit_sheets(&Sheet::read(red), &Sheet::read(black), &Options::default(), &counting);
        assert_eq!((moves(&t).as_str(), t.readings), (MOVES, 1), "{name}");
        assert_eq!([audit.red.missing, audit.black.missing], *missing, "{name}");
        assert!(!audit.copied, "{name}");
        let fouls = missing.map(|m| {
            if m < 4 {
                0
            } else if m < 8 {
                1
            } else {
                2
            }
        });
        assert_eq!([audit.red.fouls, audit.black.fouls], fouls, "{name}");
        assert!(audit.red.may_claim || missing[0] > 0, "{name}");
        let turned = t.findings.iter().any(|f| f.code.id() == "S107");
        assert_eq!(turned, name.contains("swapped"), "{name}");
    }
}

#[test]
fn a_copy_shows_by_its_gaps_or_its_errors() {
    let gaps = with(&[("车二平三", "缺"), ("士4进5", "缺"), ("炮八平九", "缺")]);
    let error = with(&[("马八进七", "马七进七")]);
    for (name, text) in [("the same three gaps", gaps), ("the same wrong entry", error)] {
        let counting = Counting::default();
        let (audit, _) = audit_sheets(&Sheet::read(&text), &Sheet::read(&text), &Options::default(), &counting);
        assert!(audit.copied && audit.findings.iter().any(|f| f.code.id() == "S114"), "{name}");
    }
}

#[test]
fn eight_missing_entries_or_a_hole_behind_the_last_capture_refuse_a_claim() {
    // Single entries far from one another, from the end of the list on: each is filled by what follows.
    let texts = ["卒7进1", "马2进3", "车二平三", "士4进5", "炮八平九", "车九平八", "车9平8", "炮9平7"];
    let holed = |count: usize| with(&texts[..count].iter().map(|&text| (text, "缺")).collect::<Vec<_>>());
    let cases = [
        ("nothing missing", sheet(), None, [0, 0]),
        ("eight", holed(8), Some(Refusal::TooManyMissing), [2, 2]),
        ("two together", with(&[("兵七进一 炮8平9", "缺 缺")]), Some(Refusal::HoleBehindCapture), [0, 0]),
    ];
    for (name, black, refused, fouls) in cases {
        for (uncapped, fouls) in [false, true].into_iter().zip(fouls) {
            let counting = Counting { uncapped, ..Counting::default() };
            let (audit, _) = audit_sheets(&Sheet::read(&sheet()), &Sheet::read(&black), &Options::default(), &counting);
            let state = &audit.black;
            assert_eq!(state.fouls, fouls, "{name}, uncapped {uncapped}");
            assert_eq!((state.refused_for, state.may_claim), (refused, refused.is_none()), "{name}");
        }
    }
}
