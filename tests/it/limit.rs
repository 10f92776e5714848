//! The natural-limit audit over the published cases (NAT).

use crate::support::shared;
use yipu::audit::limit::{Audit, Claim, Verdict, audit};
use yipu::audit::page::{Language, LimitPage};
use yipu::board::{Color, Move, Position};
use yipu::notation::{Notation, Style, write_move};
use yipu::sheet::{Options, Sheet, transcribe};

/// A sequence of annex 2: its start and its plies.
fn sequence(name: &str) -> Option<(Position, Vec<Move>)> {
    let text = std::fs::read_to_string(shared("cases/field.md")?).unwrap();
    let annex = &text[text.find("## Annex 2").expect("annex 2")..];
    let part = &annex[annex.find(&format!("\n{name} (")).expect("the sequence")..];
    let mut quoted = part.split('`').skip(1).step_by(2);
    let start = Position::from_fen(quoted.next().unwrap()).unwrap();
    let moves: Vec<Move> = quoted.next().unwrap().split_whitespace().map(|m| m.parse().unwrap()).collect();
    let mut position = start;
    for (ply, &m) in (1..).zip(&moves) {
        assert_eq!(position.prove(m), Ok(()), "sequence {name}, ply {ply}");
        position.play(m);
    }
    Some((start, moves))
}

fn at(start: &Position, moves: &[Move], ply: u32, claimant: Color) -> Audit {
    audit(start, moves, &[], &Claim { claimant: Some(claimant), at: Some(ply), ..Claim::default() })
}

#[test]
fn nat_1_and_7_a_claim_is_true_after_ply_120_and_not_before() {
    let Some((start, moves)) = sequence("A") else { return };
    for claimant in Color::ALL {
        let early = at(&start, &moves, 119, claimant);
        assert_eq!((early.verdict, early.rounds), (Verdict::Rejected, 59));
        let exact = at(&start, &moves, 120, claimant);
        assert_eq!((exact.verdict, exact.claimant_checks, exact.first_true_ply), (Verdict::Draw, 0, Some(120)));
        let half = at(&start, &moves, 60, claimant);
        assert_eq!((half.verdict, half.rounds), (Verdict::Rejected, 30));
    }
}

#[test]
fn nat_3_the_capture_is_named_and_plies_are_not_taken_for_rounds() {
    let Some((start, moves)) = sequence("C") else { return };
    let audit = at(&start, &moves, 130, Color::Red);
    assert_eq!((audit.verdict, audit.last_capture_ply), (Verdict::Rejected, 37));
    let capture = audit.last_capture.unwrap();
    assert_eq!(format!("{} {} {}", capture.m, capture.piece.letter(), capture.captured.letter()), "i1i5 C p");
    assert_eq!((audit.quiet_plies, audit.rounds, audit.first_true_ply), (93, 46, None));
}

#[test]
fn nat_4_a_pawn_move_does_not_restart_the_count() {
    let Some((start, moves)) = sequence("D") else { return };
    assert_eq!(moves[60].to_string(), "a4a5");
    assert_eq!(at(&start, &moves, 120, Color::Red).verdict, Verdict::Draw);
}

#[test]
fn nat_9_a_counter_in_the_fen_is_counted_and_called_unproven() {
    let start = Position::from_fen("9/9/3aka3/9/8R/6B2/9/r8/4A4/3AK4 w - - 110 56").unwrap();
    let moves: Vec<Move> =
        "i5f5 f7e8 f5b5 e8f7 g4i2 a2c2 b5b2 c2c7 b2b9 c7c1".split(' ').map(|m| m.parse().unwrap()).collect();
    let audit = at(&start, &moves, 10, Color::Red);
    assert_eq!((audit.verdict, audit.quiet_plies, audit.unproven_plies), (Verdict::Draw, 120, 110));
    assert!(audit.findings.iter().any(|f| f.code.id() == "J503"));
}

#[test]
fn nat_9_mate_comes_before_the_draw() {
    let start = Position::from_fen("3k5/1R7/9/9/9/9/9/9/R8/4K4 w - - 119 200").unwrap();
    let audit = at(&start, &["a1a9".parse().unwrap()], 1, Color::Red);
    assert_eq!(audit.verdict, Verdict::Rejected);
    assert_eq!(audit.over.map(|over| (over.winner, over.how)), Some((Color::Red, "mate")));
}

/// A sequence as Chinese text in numbered rows; `number` says how a row is numbered, `None` leaves it out.
fn rows(start: &Position, moves: &[Move], number: impl Fn(usize) -> Option<usize>) -> String {
    let mut position = *start;
    let mut text = format!("FEN: {}\n", start.to_fen());
    for (row, pair) in moves.chunks(2).enumerate() {
        let mut entries = String::new();
        for &m in pair {
            entries.push_str("  ");
            write_move(m, &position, &Style::of(Notation::Chinese), &mut entries);
            position.play(m);
        }
        if let Some(number) = number(row + 1) {
            text.push_str(&format!("{number}.{entries}\n"));
        }
    }
    text
}

#[test]
fn nat_6_plies_are_counted_by_replay_and_never_by_printed_numbers() {
    let Some((start, moves)) = sequence("A") else { return };
    let skipped = transcribe(
        &[Sheet::read(&rows(&start, &moves, |row| Some(if row > 30 { row + 1 } else { row })))],
        &Options::default(),
    );
    assert_eq!((skipped.moves.len(), skipped.readings), (120, 1));
    assert!(skipped.findings.iter().any(|f| f.code.id() == "S103"));
    let claim = Claim { claimant: Some(Color::Red), ..Claim::default() };
    assert_eq!(audit(&skipped.start, &skipped.moves, &skipped.holes(), &claim).verdict, Verdict::Draw);

    let deleted =
        transcribe(&[Sheet::read(&rows(&start, &moves, |row| (row != 31).then_some(row)))], &Options::default());
    assert!(deleted.findings.iter().any(|f| f.code.id() == "S103"));
    let verdict = audit(&deleted.start, &deleted.moves, &deleted.holes(), &claim).verdict;
    assert_ne!(verdict, Verdict::Draw);
}

#[test]
fn the_page_is_printed_in_both_languages_with_every_ply_that_counts() {
    let Some((start, moves)) = sequence("C") else { return };
    let audit = at(&start, &moves, 130, Color::Red);
    let text = |m: Move, position: &Position| {
        let mut text = String::new();
        write_move(m, position, &Style::of(Notation::Chinese), &mut text);
        text
    };
    let page = LimitPage { audit: &audit, start: &start, moves: &moves, move_text: &text, title: "甲 – 乙 <1>" };
    let chinese = page.to_text(Language::Chinese);
    assert!(chinese.contains("结论：不属实") && chinese.contains("炮一进四") && chinese.contains("第 37 着"));
    assert_eq!(chinese.lines().filter(|line| line.contains('√')).count(), 94);
    // The boards at the last capture and at the claim.
    assert_eq!(chinese.matches("[将]").count(), 2);
    assert!(!chinese.chars().any(|c| c.is_ascii_uppercase()), "{chinese}");
    let english = page.to_text(Language::English);
    assert!(english.contains("Verdict: the claim is not true") && english.contains("Last capture: ply 37"));
    let html = page.to_html(Language::Chinese);
    assert_eq!((html.matches("<svg").count(), html.matches("</svg>").count()), (2, 2));
    assert_eq!(html.matches("<td class=\"ply").count(), audit.trace.len());
    assert!(html.contains("甲 – 乙 &lt;1&gt;") && !html.contains("<script") && !html.contains("src="));
}
