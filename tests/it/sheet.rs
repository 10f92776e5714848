//! Score sheets: the printed example, the published cases (NOT-10, LEG-9 to LEG-13), damaged sheets.

use crate::support::real_games;
use std::ops::ControlFlow;
use yipu::board::{Move, Position};
use yipu::format::{Detected, ReadOptions, Source, detect};
use yipu::notation::{Notation, Style, write_move};
use yipu::sheet::{How, Options, Sheet, Transcript, transcribe, transcribe_checking};

fn read(text: &str) -> Transcript {
    transcribe(&[Sheet::read(text)], &Options::default())
}

fn moves(t: &Transcript) -> String {
    t.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn codes(t: &Transcript) -> Vec<&'static str> {
    t.findings.iter().map(|f| f.code.id()).collect()
}

const EXAMPLE: &str = "h2e2 h9g7 h0g2 i9h9 i0h0 h7h3";

#[test]
fn the_printed_short_example_gives_the_full_one_in_every_damaged_spelling() {
    let full = "1、炮二平五 馬八進七 2、馬二進三 車九平八 3、車一平二 炮八進四";
    let t = read(full);
    assert_eq!((moves(&t).as_str(), t.readings), (EXAMPLE, 1));
    for text in [
        "1、炮25 馬87 2、馬2 3 車98 3、車12 炮8 4\n- -",
        "1、炮25 馬87 2、馬2 3 車98 3、車12 炮8 4",
        "1.炮25 马87\n2.马23 车98\n3.车12 炮84",
        "1 炮25 马8 7\n2 马2 3 车98\n3 车12 炮8 4",
        "１．炮２５ 馬８７ ２．馬２３ 車９８ ３．車１２ 炮８４",
        "① 炮25 马87 ② 马23 车98 ③ 车12 炮84",
        "炮25 马87 马23 车98 车12 炮84",
        "1、砲2=5 馬8+7 2、馬2+3 車9=8 3、車1=2 砲8+4",
        "1、炮25 马87\u{332} 2、马23\u{332} 车98 3、车12 炮84\u{332}",
        "1、炮25 马87\u{305} 2、马23\u{305} 车98 3、车12 炮84\u{305}",
        "|1|炮25|马87|\n|2|马23|车98|\n|3|车12|炮84|",
        "1\t炮25\t马87\n2\t马23\t车98\n3\t车12\t炮84",
    ] {
        let t = read(text);
        assert_eq!(moves(&t), EXAMPLE, "{text}: {:?}", t.findings);
        assert!(t.complete);
    }
    // With the dashes of the printed page nothing stays open.
    assert_eq!(read("1、炮25 馬87 2、馬2 3 車98 3、車12 炮8 4\n- -").readings, 1);
    // Marked bars are exact, whichever convention.
    let reversed = read("1、炮25 马87\u{305} 2、马23\u{305} 车98 3、车12 炮84\u{305}");
    assert_eq!(reversed.readings, 1);
    assert!(codes(&reversed).contains(&"S108"));
}

#[test]
fn not_10_lost_bars_are_settled_by_later_moves_and_what_stays_open_is_told() {
    let t = read("炮25 马87 马23 车98 车12 卒71 车26");
    assert_eq!((moves(&t).as_str(), t.readings), ("h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6", 1));
    assert_eq!(t.entries[4].how, How::ByLaterMoves);
    let two = read("炮24");
    assert_eq!(two.readings, 2);
    let mut candidates = vec![two.moves[0].to_string()];
    candidates.extend(two.entries[0].alternatives.iter().map(ToString::to_string));
    candidates.sort();
    assert_eq!(candidates, ["h2f2", "h2h6"]);
    assert!(codes(&two).contains(&"S110"));
}

#[test]
fn leg_9_every_move_that_fills_a_blank_is_listed_with_its_captures() {
    let head = "1 炮二平五 马8进7\n2 马二进三 车9平8\n3 车一平二 卒7进1\n";
    let t =
        read(&format!("{head}4 兵七进一 马2进3\n5 马八进七 象3进5\n6 炮八平九 炮8平9\n7 车九平八\n8 马三退二 车1平2"));
    assert_eq!(t.readings, 1);
    let blank = t.entries.iter().find(|e| e.how == How::Missing).unwrap();
    assert_eq!((blank.ply, blank.uci.unwrap().to_string().as_str()), (Some(14), "h9h0"));
    assert!(t.line[13].capture);
    assert_eq!(serde_json::to_value(t.gaps[0].capture).unwrap(), "must");

    let t =
        read(&format!("{head}4 兵七进一\n5 马八进七 象3进5\n6 炮八平九 炮8平9\n7 车九平八 车8进9\n8 马三退二 车1平2"));
    let blank = t.entries.iter().find(|e| e.how == How::Missing).unwrap();
    let mut ways: Vec<String> = blank.alternatives.iter().map(ToString::to_string).collect();
    ways.sort();
    assert_eq!((t.readings, ways), (3, vec!["a9a8".to_string(), "b9a7".to_string(), "b9c7".to_string()]));
    assert_eq!(blank.uci, None);
}

#[test]
fn leg_10_two_sheets_settle_each_other_where_replay_can_and_stay_open_where_not() {
    let red = Sheet::read("1 炮二平五 马8进7\n2 马二进三 车9平8\n3 车一平二 卒7进1\n4 车二进六 马2进3\n5 兵七进一");
    let black = Sheet::read("1 炮二平五 马8进7\n2 马二进三 车9平8\n3 车一进一 卒3进1\n4 车二进六 马2进3\n5 兵七进一");
    let t = transcribe(&[red, black], &Options::default());
    assert_eq!(t.line[4].uci.to_string(), "i0h0");
    assert!(t.line[4].alternatives.is_empty());
    let mut sixth = vec![t.line[5].uci.to_string()];
    sixth.extend(t.line[5].alternatives.iter().map(ToString::to_string));
    sixth.sort();
    assert_eq!((sixth, t.readings), (vec!["c6c5".to_string(), "g6g5".to_string()], 2));
    assert_eq!(codes(&t).iter().filter(|c| **c == "S113").count(), 2);
}

#[test]
fn leg_12_swapped_columns_are_told_and_read() {
    let t = read("1. 马8进7 炮二平五\n2. 车9平8 马二进三");
    assert_eq!(moves(&t), "h2e2 h9g7 h0g2 i9h9");
    assert!(codes(&t).contains(&"S107"));
}

#[test]
fn a_wrong_digit_is_mended_by_what_lets_the_rest_live_and_never_silently() {
    let t = read("1. 炮二平五 马8进7\n2. 马二进四 车9平8\n3. 车一平二 卒7进1\n4. 马三退五 马2进3");
    assert_eq!(moves(&t), "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 g2e1 b9c7");
    assert_eq!(t.entries[2].how, How::Repaired);
    assert!(codes(&t).contains(&"S109"));
}

#[test]
fn two_swapped_entries_and_a_ply_left_out_are_found() {
    let t = read("炮二平五 马8进7 车9平8 马二进三 车一平二 卒7进1 车二进六 马2进3");
    assert_eq!(moves(&t), "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6 b9c7");
    assert_eq!(t.mends, 1);
    let t = read("炮二平五 马8进7 马二进三 车一平二 卒7进1 车二进六 炮8平9 车二平三 炮9退1");
    assert!(t.complete);
    assert_eq!((t.moves[3].to_string().as_str(), t.entries[3].how), ("i9h9", How::Missing));
}

#[test]
fn question_marks_struck_entries_and_numbers_out_of_order_are_forgiven_and_told() {
    let t = read("1. 炮25 马87\n2. 马2? ~~车97~~ 车98\n4. 车12 ?\n5. 车26 马23");
    assert!(t.complete, "{:?}", t.findings);
    assert_eq!(t.plies, 8);
    for code in ["S102", "S103", "S106"] {
        assert!(codes(&t).contains(&code), "{code}: {:?}", codes(&t));
    }
}

#[test]
fn a_sheet_that_breaks_keeps_what_was_read_and_says_where() {
    let t = read("炮二平五 马8进7 马二进三 车九进九 炮五进九 将六平九 车三进三 马九进一 马一进一");
    assert!(!t.complete);
    assert_eq!(t.readings, 0);
    assert!(moves(&t).starts_with("h2e2 h9g7 h0g2"));
    assert!(codes(&t).contains(&"S111"));
    let empty = read("没有着法的文字\n第一局");
    assert_eq!((empty.plies, codes(&empty)), (0, vec!["S117"]));
}

#[test]
fn a_final_diagram_chooses_among_the_readings() {
    let mut after = Position::start();
    after.play("h2h6".parse().unwrap());
    let t = read(&format!("1. 炮24\n终局：{}", after.to_fen()));
    assert_eq!((moves(&t).as_str(), t.readings), ("h2h6", 1));
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: 24, failure_persistence: None, ..Default::default() })]

    /// Rows made of everything that stands on sheets, in any order, on one sheet or two.
    #[test]
    fn any_text_is_read_within_bounds_and_no_move_is_invented(
        words in proptest::collection::vec(
            proptest::sample::select(vec![
                "炮25", "马23", "车12", "卒71", "兵31", "象35", "士45", "炮二平五", "马8进7", "前车进一", "三兵四平五", "?", "炮?5", "~~马23~~",
                "缺", "-", "1.", "2", "3、", "9:", "第四回合", "\t", "|", "\n", "\n", "\n---\n", "(划)", "结果：红胜", "\u{305}", "□", "x", "h2e2",
            ]),
            0..40,
        ),
        second in proptest::bool::ANY,
    ) {
        let sheet = Sheet::read(&words.join(" "));
        let options = Options { width: 200, mends: 1, effort: 20_000, ..Options::default() };
        let t = transcribe(&if second { vec![sheet.clone(), sheet.clone()] } else { vec![sheet.clone()] }, &options);
        let mut position = t.start;
        for &m in &t.moves {
            assert!(position.is_legal(m), "{words:?}");
            position.play(m);
        }
        assert!(t.moves.len() <= sheet.entries.len() + 1 + 8 * sheet.jumps.len(), "{words:?}");
        assert!(t.complete || !t.findings.is_empty());
        assert_eq!(t.readings == 0, !t.complete);
    }
}

/// A sample of real games from the normal start.
fn sample(count: usize) -> Vec<Vec<Move>> {
    let Some(folder) = real_games() else { return Vec::new() };
    let mut files: Vec<_> = walkdir::WalkDir::new(folder.join("walker8088+cchess/games"))
        .into_iter()
        .flatten()
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("pgn")))
        .collect();
    files.sort();
    let step = (files.len() / (2 * count)).max(1);
    let mut games = Vec::new();
    for file in files.iter().step_by(step) {
        let bytes = std::fs::read(file).unwrap();
        let Detected::Format { reader, .. } = detect(&bytes) else { continue };
        reader.read(Source::whole(&bytes, ""), &ReadOptions::default(), &mut |read| {
            let moves: Vec<Move> = read.game.moves().collect();
            if read.game.start == Position::start() && (30..120).contains(&moves.len()) {
                games.push(moves);
            }
            ControlFlow::Break(())
        });
    }
    games.truncate(count);
    games
}

/// A game as a sheet in the short form; a bar is kept where `keep` says so for its ply.
fn short(game: &[Move], keep: impl Fn(usize) -> bool) -> Vec<String> {
    let mut position = Position::start();
    let entries = game.iter().enumerate().map(|(ply, &m)| {
        let mut text = String::new();
        write_move(m, &position, &Style::of(Notation::Short), &mut text);
        position.play(m);
        if !keep(ply) {
            text.retain(|c| !('\u{300}'..='\u{36f}').contains(&c));
        }
        text
    });
    entries.collect()
}

fn table(entries: &[String]) -> String {
    entries.chunks(2).enumerate().map(|(n, pair)| format!("{}\t{}\t\n", n + 1, pair.join("\t"))).collect()
}

#[test]
fn real_games_with_all_their_bars_read_back_to_themselves_and_without_are_among_the_readings() {
    for game in sample(40) {
        let kept = read(&table(&short(&game, |_| true)));
        assert_eq!((&kept.moves, kept.mends), (&game, 0), "{:?}", kept.findings);
        let sheet = Sheet::read(&table(&short(&game, |ply| ply % 5 != 2)));
        let (lost, holds) = transcribe_checking(&[sheet], &Options::default(), &game);
        assert!(holds && lost.readings >= 1 && lost.moves.len() == game.len());
    }
}

#[test]
fn two_real_sheets_with_gaps_at_different_plies_give_the_game_and_each_its_own_gaps() {
    for game in sample(20) {
        let blank = |offset: usize| {
            let mut entries = short(&game, |_| true);
            for ply in (offset..entries.len() - 1).step_by(9) {
                entries[ply].clear();
            }
            Sheet::read(&table(&entries))
        };
        let t = transcribe(&[blank(3), blank(5)], &Options::default());
        assert_eq!(t.moves, game);
        for (sheet, offset) in [(1, 3), (2, 5)] {
            let missing: Vec<usize> = t
                .entries
                .iter()
                .filter(|e| e.sheet == sheet && e.how == How::Missing)
                .map(|e| e.ply.unwrap() as usize - 1)
                .collect();
            assert_eq!(missing, (offset..game.len() - 1).step_by(9).collect::<Vec<_>>());
        }
    }
}
