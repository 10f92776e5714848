//! Records written as short texts, replayed.

use yipu::board::{Color, Position};
use yipu::diag::codes;
use yipu::game::{NodeId, Place, Tree};
use yipu::notation::{Dialect, read_move};
use yipu::replay::{Built, Entry, Event, Options, build};

/// A small reader: blanks between everything, `{}` comments without blanks, `(` `)`, `3.`, `3...`.
pub fn entries(text: &str) -> Vec<Entry<'_>> {
    let mut entries = Vec::new();
    let mut at = 0;
    for word in text.split(' ') {
        let number = word.trim_end_matches('.');
        let event = match word {
            "" => None,
            "(" => Some(Event::Open),
            ")" => Some(Event::Close),
            "!" => Some(Event::Mark(1)),
            _ if word.starts_with('{') => Some(Event::Comment(&word[1..word.len() - 1])),
            _ if number.len() < word.len() && number.parse::<u32>().is_ok() => {
                Some(Event::Number { round: number.parse().unwrap(), black: word.ends_with("...") })
            }
            _ => Some(match read_move(word) {
                Some((token, used)) if used == word.len() => Event::Move { token, text: word },
                _ => Event::Text(word),
            }),
        };
        entries.extend(event.map(|event| Entry { at, event }));
        at += word.len() as u32 + 1;
    }
    entries
}

fn replay_from(fen: &str, text: &str) -> Built {
    let options = Options { source: Some(text), ..Options::default() };
    build(&Position::from_fen(fen).unwrap(), &entries(text), &options)
}

fn replay(text: &str) -> Built {
    replay_from(yipu::board::START_FEN, text)
}

/// The tree as text: moves, comments with their place, side lines in brackets.
fn shown(tree: &Tree) -> String {
    let mut out = Vec::new();
    let comments = |node: NodeId, place: Place, out: &mut Vec<String>| {
        for comment in tree.comments().iter().filter(|c| c.node == node && c.place == place) {
            out.push(format!("{{{}}}", comment.text));
        }
    };
    comments(NodeId::ROOT, Place::After, &mut out);
    // (node, side line) with an explicit stack: the first child, then its siblings as side lines.
    fn line(
        tree: &Tree,
        from: NodeId,
        first: NodeId,
        out: &mut Vec<String>,
        comments: &dyn Fn(NodeId, Place, &mut Vec<String>),
    ) {
        let mut node = Some(first);
        let mut parent = from;
        while let Some(id) = node {
            comments(id, Place::Before, out);
            out.push(tree[id].m.to_string());
            comments(id, Place::After, out);
            if tree.first_child(parent) == Some(id) {
                for sibling in tree.children(parent).skip(1) {
                    out.push("(".into());
                    line(tree, parent, sibling, out, comments);
                    out.push(")".into());
                }
            }
            comments(id, Place::End, out);
            parent = id;
            node = tree.first_child(id);
        }
    }
    if let Some(first) = tree.first_child(NodeId::ROOT) {
        line(tree, NodeId::ROOT, first, &mut out, &comments);
    }
    out.join(" ")
}

fn ids(built: &Built) -> Vec<&str> {
    built.findings.iter().map(|found| found.finding.code.id()).collect()
}

#[test]
fn a_plain_record_is_read_without_a_word() {
    for text in [
        "1. 炮二平五 马8进7 2. 马二进三 车9平8",
        "C2.5 h8+7 H2+3 r9.8",
        "H2-E2 H9-G7 H0-G2 I9-H9",
        "h3e3 h10g8 h1g3 i10h10",
        "P2-5 M8.7 M2.3 X9-8",
        "Che2 Hg7 Hg2 Rh9",
        "炮25 马87\u{332} 马23\u{332} 车98",
    ] {
        let built = replay(text);
        assert_eq!(shown(&built.tree), "h2e2 h9g7 h0g2 i9h9", "{text}");
        assert!(built.is_certain() && built.findings.is_empty(), "{text}: {:?}", built.findings);
    }
}

#[test]
fn comments_stay_before_or_behind_their_ply() {
    // OUT-6
    let built = replay("{始} 1. 炮二平五 {甲} ( 1. 马八进七 {乙} ) {丙} 1... 马8进7 ! ( {丁} 炮8平5 ) {戊}");
    assert_eq!(shown(&built.tree), "{始} h2e2 {甲} ( b0c2 {乙} ) {丙} h9g7 ( {丁} h7e7 ) {戊}");
    assert_eq!(built.tree.comments().iter().filter(|c| c.place == Place::Before).count(), 2);
    assert_eq!(built.tree.marks().len(), 1);
}

#[test]
fn side_lines_nest_and_end_alone() {
    let built = replay("炮二平五 马8进7 ( 炮8平5 马二进三 ( 炮五进四 仕4进5 ) 马8进7 ) 马二进三");
    assert_eq!(shown(&built.tree), "h2e2 h9g7 ( h7e7 h0g2 ( e2e6 d9e8 ) h9g7 ) h0g2");
    let built = replay("炮二平五 马8进7 ( 炮8平5 车一平三 马8进7 ) 马二进三 车9平8");
    assert_eq!(shown(&built.tree), "h2e2 h9g7 ( h7e7 {车一平三 马8进7} ) h0g2 i9h9");
    assert_eq!((ids(&built), built.plies, built.stop.is_none()), (vec!["R403"], 4, true));
}

#[test]
fn brackets_without_a_ply_that_fits_are_a_comment() {
    let built = replay("炮二平五 ( 好棋 ) 马8进7 ( 车五进四 再说 ( 马三进四 ) 完 ) 马二进三");
    assert_eq!(shown(&built.tree), "h2e2 {好棋} h9g7 {车五进四 再说 ( 马三进四 ) 完} h0g2");
    assert!(built.stop.is_none() && built.findings.is_empty(), "{:?}", built.findings);
    let built = replay("( 马八进七 ) 炮二平五");
    assert_eq!(shown(&built.tree), "{马八进七} h2e2");
}

#[test]
fn the_first_ply_that_fits_nothing_ends_the_line_and_the_rest_is_kept() {
    // LEG-7
    let text = "炮二平五 马8进7 马二进三 车9平8 车一平三 {误} 卒7进1";
    let built = replay(text);
    assert_eq!((built.plies, built.rest.as_str()), (4, "车一平三 {误} 卒7进1"));
    let stop = built.stop.as_ref().unwrap();
    assert_eq!((stop.ply, stop.side, stop.text.as_str()), (5, Color::Red, "车一平三"));
    assert_eq!(stop.reason, "i0g0: own Red elephant stands on g0");
    assert_eq!(stop.nearest, ["i0h0".parse().unwrap()]);
    assert_eq!(built.findings.len(), 1);
    let finding = &built.findings[0].finding;
    assert_eq!((finding.code, finding.ply), (codes::NO_LEGAL_MOVE, Some(5)));
    assert!(finding.message.contains("车一平二 (i0h0)"), "{}", finding.message);
    assert_eq!(&text[built.findings[0].at as usize..][..6], "车一");
}

#[test]
fn a_missing_ply_is_proposed_where_the_rest_bears_witness() {
    // LEG-9, with nothing written in the place of the ply
    let built = replay(
        "炮二平五 马8进7 马二进三 车9平8 车一平二 卒7进1 兵七进一 马2进3 马八进七 象3进5 炮八平九 炮8平9 车九平八 马三退二 车1平2 车八进六",
    );
    let stop = built.stop.as_ref().unwrap();
    // The horse of the wrong side finds a legal move for the first text behind the gap.
    let missing = stop.missing.as_ref().unwrap();
    assert_eq!((stop.ply, missing.ply, format!("{:?}", missing.moves)), (15, 14, "[h9h0]".to_owned()));
    assert!(built.findings[0].finding.message.ends_with("if ply 14 was left out: h9h0 (a capture)"));
}

#[test]
fn a_text_that_only_looks_like_a_move_ends_the_line_too() {
    let built = replay("炮二平五 马?进7 马二进三");
    assert_eq!((built.plies, built.rest.as_str()), (1, "马?进7 马二进三"));
    let built = replay("炮二平五 第一回合 马8进7");
    assert_eq!((built.plies, ids(&built)), (2, vec!["R407"]));
    assert_eq!(shown(&built.tree), "h2e2 {第一回合} h9g7");
}

#[test]
fn later_plies_settle_a_text_with_two_readings() {
    // NOT-10
    let built = replay("炮25 马87 马23 车98 车12 卒71 车26");
    assert_eq!(shown(&built.tree), "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6");
    assert!(built.is_certain());
    let built = replay("炮24");
    assert_eq!((built.readings.count, ids(&built)), (2, vec!["R402"]));
    assert_eq!(format!("{:?}", built.readings.open[0].moves), "[h2f2, h2h6]");
    // FMT-10: ranks from 1, a move two rooks can make
    let built = replay_from("4k4/9/9/9/R7R/9/9/9/9/3K5 w", "Re6 Kf10 Ra9");
    assert_eq!(shown(&built.tree), "i5e5 e9f9 a5a8");
    let built = replay_from("4k4/9/9/9/R7R/9/9/9/9/3K5 w", "Re6");
    assert_eq!(format!("{:?}", built.readings.open[0].moves), "[a5e5, i5e5]");
}

#[test]
fn the_dialect_is_that_under_which_the_record_lives() {
    let built = replay("h3e3 h10g8");
    assert_eq!(
        built.dialect.and(Dialect::OPEN.without(Dialect::COMMON)),
        Dialect::OPEN.and(built.dialect).without(Dialect::COMMON)
    );
    assert!(built.dialect.allows(Dialect::RANKS_FROM_1) && !built.dialect.allows(Dialect::RANKS_FROM_0));
    assert_eq!(built.evidence.len(), 1);
    assert_eq!(built.evidence[0].ply, 1);
    let built = replay("h7e7 h0g2 h9g7 i0h0");
    assert_eq!((shown(&built.tree).as_str(), ids(&built)), ("h2e2 h9g7 h0g2 i9h9", vec!["R408"]));
    // NOT-9
    let built = replay("P2-5 M8.7 P5.4 B1.1 P8-5 B9.1 Pt-4");
    assert_eq!(shown(&built.tree), "h2e2 h9g7 e2e6 a6a5 b2e2 i6i5 e6f6");
    // NOT-7
    let built = replay("1. C2.5 h8+7 2. H2+3 r9.8 3. R1+1 p7+1 4. R1.6 c8.9");
    assert_eq!(shown(&built.tree), "h2e2 h9g7 h0g2 i9h9 i0i1 g6g5 i1d1 h7i7");
}

#[test]
fn engine_algebraic_is_read() {
    // FMT-9
    let built =
        replay("1. Che2 {+0.38/19} Hg7 2. Hg2 Rh9 3. Rh0 g5 4. c4 Hc7 5. Hc2 Ece7 6. Ca2 Ci7 7. Rb0 Rxh0 8. Hxh0 Rb9");
    assert_eq!(built.plies, 16);
    let end = built.tree.main_line().fold(built.start, |mut position, id| {
        position.play(built.tree[id].m);
        position
    });
    assert_eq!(end.to_fen(), "1r1akab2/9/1cn1b1n1c/p1p1p3p/6p2/2P6/P3P1P1P/C1N1C4/9/1RBAKABN1 w - - 1 9");
}

#[test]
fn a_record_that_begins_with_the_other_side_switches_the_side() {
    let built = replay("1... h9g7 2. h2e2");
    assert!(built.side_switched && built.plies == 2);
    assert_eq!((ids(&built), built.start.side_to_move()), (vec!["R404"], Color::Black));
    let built = replay("1... 马8进7 2. 炮二平五");
    assert_eq!(shown(&built.tree), "h9g7 h2e2");
    let dialect = Dialect::OPEN.settled(Dialect::RANKS_FROM_0);
    let sure = Options { side_is_certain: true, dialect, ..Options::default() };
    let built = build(&Position::start(), &entries("h9g7 h2e2"), &sure);
    assert_eq!((built.plies, built.side_switched), (0, false));
}

#[test]
fn swapped_columns_are_told_and_the_swap_is_proposed() {
    // LEG-12
    let built = replay("1. 马8进7 炮二平五 2. 车9平8 马二进三");
    assert_eq!((built.plies, ids(&built)), (4, vec!["R405"]));
    assert!(built.findings[0].finding.message.ends_with("h2e2 h9g7 h0g2 i9h9"));
}

#[test]
fn piece_names_of_1956_are_told_and_change_nothing() {
    let built = replay("炮二平五 马8上7 马二上三 车9平8 士四上五 帅5上1");
    assert_eq!((built.plies, ids(&built)), (6, vec!["R406"]));
    assert_eq!(shown(&built.tree), "h2e2 h9g7 h0g2 i9h9 f0e1 e9e8");
    // The page of 1956 as it stands: modern names, old directions.
    assert!(replay("车二平一 车8平9").findings.iter().all(|found| found.finding.code != codes::COLORS_OF_1956));
}

#[test]
fn deep_nesting_and_long_lines_take_linear_work_and_no_stack() {
    let deep = vec![Entry { at: 0, event: Event::Open }; 200_000];
    let built = build(&Position::start(), &deep, &Options::default());
    assert_eq!(built.plies, 0);
    let (token, _) = read_move("炮二平五").unwrap();
    let mut entries = vec![Entry { at: 0, event: Event::Move { token, text: "炮二平五" } }];
    for _ in 0..100_000 {
        let (token, _) = read_move("马八进七").unwrap();
        entries.push(Entry { at: 0, event: Event::Open });
        entries.push(Entry { at: 0, event: Event::Move { token, text: "马八进七" } });
    }
    let built = build(&Position::start(), &entries, &Options::default());
    assert_eq!(built.plies, 1);
    assert_eq!(built.tree.ply_count(), 100_001);
}

#[test]
fn a_long_record_without_bars_stays_within_its_bound() {
    let round = ["车91", "车91", "车91", "车91"];
    let words: Vec<&str> = std::iter::repeat_n(round, 500).flatten().collect();
    let text = words.join(" ");
    let built = replay(&text);
    assert!(built.plies > 0 && (built.readings.count > 1 || built.stop.is_some()));
}
