//! Rounds with one ply where two are due: nothing behind a gap goes to the wrong side, and wrong numbers break no game.

use std::ops::ControlFlow;
use yipu::diag::codes;
use yipu::format::pgn::PgnReader;
use yipu::format::{ReadGame, ReadOptions, Reader, Source, Status};

fn read(text: &str) -> ReadGame {
    let mut games = Vec::new();
    let text = format!("[Event \"x\"]\n{text}\n");
    PgnReader.read(Source::whole(text.as_bytes(), "x.pgn"), &ReadOptions::default(), &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    });
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

fn moves(game: &ReadGame) -> String {
    game.game.moves().map(|m| m.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_missing_ply_ends_the_line_in_front_of_it() {
    const THREE: &str = "h2e2 h9g7 h0g2";
    // Text, the legal plies, the text of the finding, the rest.
    for (text, plies, shown, rest) in [
        ("1. C2=5 H8+7 2. H2+3 ... 3. P7+1 P7+1 1-0", THREE, "... 3. P7+1", "... 3. P7+1 P7+1"),
        ("1. C2=5 H8+7 2. H2+3 3. P7+1 P7+1 1-0", THREE, "3. P7+1", "3. P7+1 P7+1"),
        ("1. C2=5 H8+7 2. H2+3 3. R1+1 *", THREE, "3. R1+1", "3. R1+1"),
        ("1. 炮25 马87 2. 马23 3. 车12 *", THREE, "3. 车12", "3. 车12"),
        ("1. 炮二平五 马8进7 2. 马二进三 …… 3. 车一进一 *", THREE, "…… 3. 车一进一", "…… 3. 车一进一"),
        ("1. 炮二平五 马8进7 2. 马二进三 {好} 3. 车一进一 士4进5 *", THREE, "3. 车一进一", "3. 车一进一 士4进5"),
        ("1. C2=5 H8+7 2. H2+3 (2. R1+1 R9+1) 3. R1+1 *", THREE, "3. R1+1", "3. R1+1"),
        // Text nobody can read stands for it.
        ("1. C2=5 H8+7 2. H2+3 zzz 3. R1+1 P7+1 *", THREE, "zzz 3. R1+1", "zzz 3. R1+1 P7+1"),
        // The numerals say that Red's ply of round 2 is the missing one.
        ("1. 炮二平五 马8进7 2. 车9平8 3. 马二进三 马2进3 *", "h2e2 h9g7", "车9平8", "车9平8 3. 马二进三 马2进3"),
        // One side's column alone.
        (
            "1. 炮二平五 2. 马二进三 3. 车一平二 4. 兵七进一 *",
            "h2e2",
            "2. 马二进三",
            "2. 马二进三 3. 车一平二 4. 兵七进一",
        ),
        // The last round has one ply, in the numerals of the other side.
        ("1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 卒7进1 *", "h2e2 h9g7 h0g2 i9h9", "卒7进1", "卒7进1"),
        ("1. C2=5 ... 2. H2+3 ... 3. R1=2 ... 4. P7+1 *", "h2e2", "... 2. H2+3", "... 2. H2+3 ... 3. R1=2 ... 4. P7+1"),
    ] {
        let game = read(text);
        let told: Vec<_> = game.findings.iter().filter(|one| one.code == codes::PLY_MISSING).collect();
        assert_eq!(moves(&game), plies, "{text}: {:?}", game.findings);
        assert_eq!(told.len(), 1, "{text}: {:?}", game.findings);
        assert_eq!(told[0].text.as_deref(), Some(shown), "{text}");
        assert_eq!((told[0].ply, told[0].line), (Some(plies.split(' ').count() as u32 + 1), Some(2)), "{text}");
        assert_eq!((game.status, game.game.rest.as_str()), (Status::Partial, rest), "{text}");
    }
}

#[test]
fn the_finding_gives_both_readings() {
    let game = read("1. C2=5 H8+7 2. H2+3 3. P7+1 P7+1 1-0");
    let message = &game.findings[0].message;
    for part in ["Black's ply of round 2 is missing", "playable behind", "if only the number is wrong"] {
        assert!(message.to_lowercase().contains(&part.to_lowercase()), "{message}");
    }
}

#[test]
fn a_wrong_number_alone_breaks_no_game() {
    const FOUR: &str = "h2e2 h9g7 h0g2 i9h9";
    let jump = Some(codes::NUMBER_JUMP);
    for (text, plies, code) in [
        // A number before each ply, of the round or of the ply.
        ("1. C2=5 1. H8+7 2. H2+3 2. R9=8 *", FOUR, None),
        ("1. C2=5 {好} 1... H8+7 2. H2+3 ... R9=8 3. R1=2 *", "h2e2 h9g7 h0g2 i9h9 i0h0", None),
        ("1. C2=5 2. H8+7 3. H2+3 4. R9=8 *", FOUR, jump),
        ("1. 炮二平五 2. 马8进7 3. 马二进三 4. 车9平8 *", FOUR, None),
        ("1. h2e2 2. h9g7 3. h0g2 4. i9h9 *", FOUR, None),
        // Points and numerals tell their sides.
        ("1. h2e2 h9g7 2. h0g2 3. i9h9 *", FOUR, jump),
        ("1. 炮二平五 马8进7 2. 马二进三 3. 车9平8 *", FOUR, jump),
        // Too early by one ply, too late by one, repeated, jumping.
        ("1. C2=5 2. H8+7 H2+3 R9=8 3. R1=2 *", "h2e2 h9g7 h0g2 i9h9 i0h0", jump),
        ("1. C2=5 H8+7 H2+3 2. R9=8 3. R1=2 *", "h2e2 h9g7 h0g2 i9h9 i0h0", None),
        ("1. C2=5 H8+7 1. H2+3 R9=8 *", FOUR, jump),
        ("30. C2=5 H8+7 32. H2+3 R9=8 *", FOUR, jump),
        // The last round may have one ply, dots behind it or not.
        ("1. C2=5 H8+7 2. H2+3 *", "h2e2 h9g7 h0g2", None),
        ("1. C2=5 H8+7 2. H2+3 ... 1-0", "h2e2 h9g7 h0g2", None),
        // Black begins.
        ("[FEN \"4k4/9/9/9/9/9/9/9/9/R2K5 b - - 0 1\"]\n\n1. K5+1 2. R9+1 K5-1 3. R9-1 *", "e9e8 a0a1 e8e9 a1a0", None),
        ("1... H8+7 2. H2+3 R9=8 *", "h9g7 h0g2 i9h9", Some(codes::SIDE_SWITCHED)),
    ] {
        let game = read(text);
        assert_eq!((moves(&game).as_str(), game.status), (plies, Status::Ok), "{text}: {:?}", game.findings);
        assert_eq!(game.findings.first().map(|one| one.code), code, "{text}: {:?}", game.findings);
    }
}

/// The moves of the tree: the main line, then each side line in brackets.
fn nodes(game: &ReadGame) -> usize {
    game.game.tree.ply_count()
}

#[test]
fn a_ply_missing_in_a_side_line_ends_that_line_in_front_of_it() {
    // Text, plies of the main line, plies of the tree, the text of the finding.
    for (text, plies, all, shown) in [
        ("1. C2=5 H8+7 2. H2+3 (2. P7+1 3. R1+1 P7+1) R9=8 3. R1=2 *", 5, 6, "3. R1+1 P7+1"),
        ("1. C2=5 H8+7 (1... C8=5 2. H2+3 3. R1+1) 2. H2+3 R9=8 *", 4, 6, "3. R1+1"),
        ("1. C2=5 (1. C8=5 H8+7 2. H8+7 3. R9=8 R9=8) H8+7 2. H2+3 R9=8 *", 4, 7, "3. R9=8 R9=8"),
        ("1. 炮二平五 马8进7 2. 马二进三 (2. 兵七进一 3. 车一进一 卒7进1) 车9平8 *", 4, 5, "3. 车一进一 卒7进1"),
        // In a side line of a side line.
        ("1. C2=5 H8+7 2. H2+3 (2. P7+1 P7+1 (2... P3+1 3. H2+3 4. R1+1)) R9=8 *", 4, 8, "4. R1+1"),
    ] {
        let game = read(text);
        let told: Vec<_> = game.findings.iter().filter(|one| one.code == codes::PLY_MISSING).collect();
        assert_eq!((game.game.moves().count(), nodes(&game)), (plies, all), "{text}: {:?}", game.findings);
        assert_eq!(told.len(), 1, "{text}: {:?}", game.findings);
        assert_eq!(told[0].text.as_deref(), Some(shown), "{text}");
        assert!(told[0].message.starts_with("in a side line"), "{}", told[0].message);
        let kept = game.game.tree.comments().iter().any(|comment| comment.text == shown);
        assert!(kept, "{text}: {:?}", game.game.tree.comments());
        assert_eq!(game.status, Status::Ok, "{text}");
    }
}

#[test]
fn side_lines_without_a_gap_are_read_as_before() {
    for (text, all) in [
        // Black's ply first, with dots, without, and without any number.
        ("1. C2=5 H8+7 (1... C8=5 2. H2+3 H8+7) 2. H2+3 R9=8 *", 7),
        ("1. C2=5 H8+7 (1. C8=5 2. H2+3 H8+7) 2. H2+3 R9=8 *", 7),
        ("1. C2=5 H8+7 (C8=5 2. H2+3 H8+7) 2. H2+3 R9=8 *", 7),
        // Numbers before each ply, of the ply or of the round.
        ("1. C2=5 H8+7 2. H2+3 (2. P7+1 3. P7+1 4. H2+3 5. R9=8) R9=8 *", 8),
        ("1. C2=5 H8+7 2. H2+3 (2. P7+1 2... P7+1 3. H2+3) R9=8 *", 7),
        // Points and numerals tell their sides.
        ("1. h2e2 h9g7 2. h0g2 (2. c3c4 3. g6g5 h0g2) i9h9 *", 7),
        ("1. 炮二平五 马8进7 2. 马二进三 (2. 兵七进一 3. 卒7进1 马二进三) 车9平8 *", 7),
        ("1. C2=5 H8+7 2. H2+3 (2. P7+1) R9=8 *", 5),
    ] {
        let game = read(text);
        assert_eq!((nodes(&game), game.findings.len()), (all, 0), "{text}: {:?}", game.findings);
    }
}

#[test]
fn a_side_without_a_general_is_not_taken_for_the_other() {
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBA1ABNR w - - 0 1";
    let game = read(&format!("[FEN \"{fen}\"]\n\n1. 炮二平六 马8进7 *"));
    assert_eq!((moves(&game).as_str(), game.status), ("", Status::Failed), "{:?}", game.findings);
    assert!(!game.findings.iter().any(|one| one.code == codes::SIDE_SWITCHED));
    let stop = game.findings.iter().find(|one| one.code == codes::NO_LEGAL_MOVE).unwrap();
    assert!(stop.message.contains("no Red general"), "{}", stop.message);
}
