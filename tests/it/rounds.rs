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
        ("1. C2=5 H8+7 1. H2+3 R9=8 *", FOUR, None),
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
