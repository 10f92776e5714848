//! `yipu judge` from outside: positions made by hand from the articles, the cases of the field, and input that is broken.

use crate::judge::{check_images, history};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Output;
use yipu::board::{Color, Move, Position};
use yipu::rules::{Edition, Ground, Judge, Judgeable, Label, Means, Verdict, label_move};

/// One position made by hand: what the articles say of it.
struct Row<'t> {
    id: &'t str,
    edition: Edition,
    plies: Vec<(Position, Move)>,
    labels: [&'t str; 2],
    verdict: &'t str,
    article: &'t str,
}

fn rows() -> Vec<Row<'static>> {
    let rows = include_str!("../data/repetition.tsv").lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, edition, fen, cycle, red, black, verdict, article, _] = fields[..] else { panic!("{line}") };
        let mut position = Position::from_fen(fen).unwrap();
        let start = position;
        let mut plies = Vec::new();
        for m in cycle.split(' ') {
            let m: Move = m.parse().unwrap();
            assert_eq!(position.prove(m), Ok(()), "{id} {m}");
            plies.push((position, m));
            position.play(m);
        }
        assert_eq!(position.key(), start.key(), "{id} does not come round");
        Row { id, edition: edition.parse().unwrap(), plies, labels: [red, black], verdict, article }
    });
    rows.collect()
}

/// The class of a label: which attack it is, or none.
fn class(label: Label) -> Option<Label> {
    label.is_attack().then_some(label)
}

#[test]
fn positions_made_by_hand_are_judged_as_their_articles_say() {
    let rows = rows();
    assert!(rows.len() > 500, "{}", rows.len());
    for row in &rows {
        let judgement = Judge::new(row.edition).round(&row.plies);
        for side in Color::ALL {
            let expected: Vec<Label> = row.labels[side.index()]
                .split(',')
                .map(|l| Label::from_hanzi(l.chars().next().unwrap()).unwrap())
                .collect();
            let got = judgement.labels(side);
            assert!(
                expected.iter().map(|&l| class(l)).eq(got.iter().map(|&l| class(l))),
                "{} {side}: expected {expected:?} by {}, got {got:?}",
                row.id,
                row.article
            );
        }
        assert_eq!(judgement.ruling.verdict.name(), row.verdict, "{} by {}", row.id, row.article);
    }
}

#[test]
fn positions_made_by_hand_are_judged_the_same_in_every_image() {
    for row in rows() {
        check_images(row.edition, &row.plies, row.id);
    }
}

fn yipu(args: &[&str]) -> Output {
    assert_cmd::Command::cargo_bin("yipu").unwrap().args(args).output().unwrap()
}

fn json(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The answer on a round made so often after the entering moves.
fn judged(fen: &str, moves: &str, options: &[&str]) -> Value {
    let output = yipu(&[&["judge", "--json", "--fen", fen, "--cycle", moves], options].concat());
    assert_eq!(output.status.code(), Some(0), "{fen} {moves}: {}", String::from_utf8_lossy(&output.stderr));
    json(&output).remove(0)
}

fn record(folder: &Path, name: &str, fen: &str, moves: &str, result: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, format!("[FEN \"{fen}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")).unwrap();
    path.to_str().unwrap().to_string()
}

/// The cases of the field: id, position, entering ply, round; verdict of the Asian rules and of 2011 on the third
/// occurrence.
const FIELD: [(&str, &str, &str, &str, &str, &str); 9] = [
    ("REP-1", "3k5/9/9/9/9/9/9/9/4A4/R3K4 w", "a0a9", "d9d8 a9a8 d8d9 a8a9", "red-loses", "red-loses"),
    ("REP-3", "2r1k4/9/9/9/9/2c6/9/9/4A4/R2K5 w", "a0a4", "c4c6 a4a6 c6c4 a6a4", "draw", "draw"),
    ("REP-4", "2rk5/9/2r6/9/9/9/N8/9/9/4KA3 w", "a3b5", "c7c4 b5a3 c4c7 a3b5", "red-loses", "red-loses"),
    ("REP-6 e0", "3kn4/9/9/9/6R2/9/9/9/9/4K4 w", "g5e5", "e9g8 e5g5 g8e9 g5e5", "red-loses", "red-loses"),
    ("REP-6 f0", "3kn4/9/9/9/6R2/9/9/9/9/5K3 w", "g5e5", "e9g8 e5g5 g8e9 g5e5", "draw", "draw"),
    ("REP-7", "4ka3/9/9/9/9/1c4c2/9/9/9/3R1K3 w", "d0d4", "b4b6 d4d6 b6b4 d6d4", "red-loses", "red-loses"),
    ("REP-9", "3k5/9/9/r8/2C6/9/9/9/9/4K4 b", "", "a6a0 e0e1 a0a5 c5c6 a5a1 e1e0 a1a6 c6c5", "draw", "black-loses"),
    ("REP-13", "4k4/9/9/9/9/2p6/9/9/9/1R3K3 w", "b0c0", "c4d4 c0d0 d4c4 d0c0", "red-loses", "red-loses"),
    ("REP-15", "4k4/9/9/2n6/9/9/9/9/2R6/5K3 w", "", "c1c2 e9e8 c2c1 e8e9", "draw", "draw"),
];

#[test]
fn cases_of_the_field_get_their_verdict_on_the_command_line_and_in_a_file() {
    let scratch = tempfile::tempdir().unwrap();
    for (id, fen, entering, round, axf, modern) in FIELD {
        let moves = format!("{entering} {round} {round}");
        for (edition, expected) in [("axf", axf), ("2011", modern)] {
            let line = judged(fen, &moves, &["--edition", edition]);
            assert_eq!(line["verdict"], expected, "{id} {edition}");
            assert_eq!(line["occurrences"], 3, "{id} {edition}");
            assert!(line["articles"].as_array().is_some_and(|articles| !articles.is_empty()), "{id} {edition}");
            let file = record(scratch.path(), "game.pgn", fen, &moves, "1/2-1/2");
            let output = yipu(&["judge", "--json", "--edition", edition, &file]);
            let line = json(&output).remove(0);
            assert_eq!(line["verdict"], expected, "{id} {edition}");
            let flagged = line["findings"].as_array().into_iter().flatten().any(|f| f["code"] == "J511");
            assert_eq!(flagged, expected != "draw", "{id} {edition}: {line}");
            assert_eq!(output.status.code(), Some(i32::from(flagged)), "{id} {edition}");
            let told = String::from_utf8(yipu(&["judge", "--lang", "zh", "--edition", edition, &file]).stderr).unwrap();
            assert_eq!(told.contains("记录的结果是 1/2-1/2，而按"), flagged, "{id} {edition}: {told}");
        }
    }
}

#[test]
fn each_profile_tells_the_ply_of_its_claim() {
    // REP-12: the first case, forty plies long.
    let (_, fen, entering, round, ..) = FIELD[0];
    let moves: Vec<&str> = entering.split(' ').chain(round.split(' ').cycle().take(39)).collect();
    let line = judged(fen, &moves.join(" "), &[]);
    let profiles = json!([
        {"name": "three-rounds", "ply": 12},
        {"name": "third-occurrence", "ply": 9},
        {"name": "fourth-occurrence", "ply": 13},
    ]);
    assert_eq!(line["profiles"], profiles);
    let scratch = tempfile::tempdir().unwrap();
    let file = record(scratch.path(), "long.pgn", fen, &moves.join(" "), "*");
    for (profile, ply) in [("three-rounds", 12), ("third-occurrence", 9), ("fourth-occurrence", 13)] {
        let line = json(&yipu(&["judge", "--json", "--profile", profile, &file])).remove(0);
        assert_eq!((&line["ply"], &line["claimable"]), (&json!(ply), &json!(true)), "{profile}");
    }
    let refused = yipu(&["judge", "--profile", "seven-cycles", &file]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("fourth-occurrence"));
}

#[test]
fn the_stage_is_said_in_both_languages() {
    // REP-13
    let stages = [
        (FIELD[0], "红方单方长将，立即判负", "Red gives perpetual check and loses at once", "loses-at-once"),
        (FIELD[7], "红方须变着，不变作负", "Red must change, and loses if it does not", "must-change"),
        (FIELD[1], "不变作和", "a draw if the moves go on", "draw-if-unchanged"),
    ];
    for ((id, fen, entering, round, ..), zh, en, stage) in stages {
        let moves = format!("{entering} {round} {round} {round}");
        assert_eq!(judged(fen, &moves, &[])["stage"], stage, "{id}");
        for (lang, said) in [("zh", zh), ("en", en)] {
            let output = yipu(&["judge", "--lang", lang, "--fen", fen, "--cycle", &moves]);
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(text.contains(said), "{id}: {text}");
        }
    }
}

#[test]
fn chinese_answers_hold_no_english_words() {
    for row in rows() {
        let fen = row.plies[0].0.to_fen();
        let moves: Vec<String> = row.plies.iter().map(|(_, m)| m.to_string()).collect();
        if !row.id.ends_with("2011") && !row.id.ends_with("axf") {
            continue;
        }
        let args =
            ["judge", "--lang", "zh", "--edition", row.edition.name(), "--fen", &fen, "--cycle", &moves.join(" ")];
        let text = String::from_utf8(yipu(&args).stdout).unwrap();
        let mut words = text.split(|c: char| !c.is_ascii_alphabetic());
        assert_eq!(words.find(|word| word.len() > 2), None, "{}: {text}", row.id);
        assert!(text.contains("规则：") && text.contains("裁定："), "{text}");
    }
}

#[test]
fn broken_questions_are_refused_and_odd_ones_answered_with_none() {
    let fen = FIELD[0].1;
    let refused: [&[&str]; 9] = [
        &["--fen", "nonsense", "--cycle", "a0a9"],
        &["--fen", "9/9/9/9/9/9/9/9/9/9 w", "--cycle", "a0a9"],
        &["--fen", fen, "--cycle", ""],
        &["--fen", fen, "--cycle", "a0a9 a9a8"],
        &["--fen", fen, "--cycle", "a0a9 d9d8 a9h7"],
        &["--fen", fen, "--cycle", "车一平九 士六进五 乱"],
        &["--fen", fen],
        &["--fen", fen, "--cycle", "a0a9", "--edition", "2012"],
        &["--fen", fen, "--cycle", "a0a9", "--at", "-1"],
    ];
    for args in refused {
        let output = yipu(&[&["judge", "--json"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", String::from_utf8_lossy(&output.stdout));
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
    // Moves that do not come round, an odd number of them, one side's only: nothing to judge, labels all the same.
    for moves in ["a0a9 d9d8 a9a8", "a0a9", "a0a9 d9d8 a9a8 d8d9 a8b8 d9e9 b8b9 e9e8"] {
        let line = judged(fen, moves, &[]);
        assert_eq!(
            (&line["verdict"], &line["claimable"], &line["repeats"]),
            (&json!("none"), &json!(false), &json!(0))
        );
        assert_eq!(line["reasons"].as_array().unwrap().len(), moves.split(' ').count());
    }
}

#[test]
fn a_claim_is_judged_after_the_ply_it_is_made_on() {
    let (_, fen, entering, round, ..) = FIELD[0];
    let scratch = tempfile::tempdir().unwrap();
    // Three rounds of checks, then two rounds of nothing much; the second file starts with Black to move.
    let moves = format!("{entering} {round} {round} {round} d9d8 a9a5 d8d9 a5a4 d9d8 a4a5 d8d9 a5a4");
    let file = record(scratch.path(), "two.pgn", fen, &moves, "0-1");
    let at = |ply: &str| {
        let output = yipu(&["judge", "--json", "--at", ply, &file]);
        (output.status.code(), json(&output).pop())
    };
    let (code, line) = at("0");
    assert_eq!((code, &line.unwrap()["verdict"]), (Some(1), &json!("none")));
    let (_, line) = at("11");
    assert_eq!(line.as_ref().unwrap()["claimable"], false);
    let (_, line) = at("12");
    let line = line.unwrap();
    assert_eq!((&line["claimable"], &line["first_ply"], &line["period"]), (&json!(true), &json!(1), &json!(4)));
    let (_, line) = at("21");
    let line = line.unwrap();
    assert_eq!((&line["claimable"], &line["verdict"], &line["repeats"]), (&json!(false), &json!("draw"), &json!(1)));
    assert_eq!(at("4000000000").0, Some(2));
    assert_eq!(at("99999999999").0, Some(2));
    // The answer without --at is the first claim.
    let line = json(&yipu(&["judge", "--json", &file])).remove(0);
    assert_eq!((&line["ply"], &line["verdict"]), (&json!(12), &json!("red-loses")));

    let black = record(scratch.path(), "black.pgn", FIELD[6].1, &format!("{0} {0} {0}", FIELD[6].3), "*");
    let line = json(&yipu(&["judge", "--json", &black])).remove(0);
    assert_eq!(
        (&line["verdict"], &line["ply"], &line["red"]),
        (&json!("black-loses"), &json!(24), &json!(["闲", "闲", "闲", "闲"]))
    );
}

#[test]
fn a_capture_breaks_a_repetition() {
    let round = "d9d8 a9a8 d8d9 a8a9";
    let line = judged("p2k5/9/9/9/9/9/9/9/4A4/R3K4 w", &format!("a0a9 {round} {round} {round}"), &[]);
    // The entering move captures: it does not count (23.2).
    assert_eq!((&line["claimable"], &line["first_ply"], &line["repeats"]), (&json!(true), &json!(2), &json!(3)));
    let line = judged("p2k5/9/9/9/9/9/9/9/4A4/R3K4 w", &format!("a0a9 {round} {round} d9d8 a9a8 d8d9"), &[]);
    assert_eq!((&line["claimable"], &line["repeats"]), (&json!(false), &json!(2)));
}

#[test]
fn nine_rounds_to_and_fro_are_left_to_the_arbiter() {
    // Rooks walk over three and four points: no position stands twice in nine rounds.
    let fen = "3aka2r/9/9/4p4/9/9/9/9/R8/3AKA3 w";
    let (red, black) = (["a1a2", "a2a3", "a3a1"], ["i9i8", "i8i7", "i7i6", "i6i9"]);
    let plies: Vec<&str> = (0..9).flat_map(|n| [red[n % 3], black[n % 4]]).collect();
    let line = judged(fen, &plies.join(" "), &[]);
    assert_eq!((&line["ground"], &line["verdict"]), (&json!("nine-idle-rounds"), &json!("arbiter")));
    assert_eq!((&line["claimable"], &line["articles"]), (&json!(false), &json!(["23.4"])));
    assert_eq!(judged(fen, &plies[..16].join(" "), &[])["verdict"], "none");
    assert_eq!(judged(fen, &plies.join(" "), &["--edition", "1987"])["verdict"], "none");

    // A longer round that was made twice does not hide the nine rounds.
    let fen = "3k5/4a4/9/9/9/9/9/9/4A4/5K3 w";
    let round = "e1d2 e8f9 d2e1 f9e8 e1f2 e8d7 f2e1 d7e8";
    let moves = format!("{round} {round} e1d2 e8f9 d2e1");
    let line = judged(fen, &moves[..moves.len() - 5], &[]);
    assert_eq!((&line["ground"], &line["verdict"]), (&json!("repetition"), &json!("draw")));
    assert_eq!((&line["claimable"], &line["idle_rounds"]), (&json!(false), &json!(18)));
    let scratch = tempfile::tempdir().unwrap();
    let file = record(scratch.path(), "idle.pgn", fen, &moves, "*");
    let line = json(&yipu(&["judge", "--json", &file])).remove(0);
    assert_eq!((&line["ground"], &line["idle_rounds"]), (&json!("repetition"), &json!(18)));
    let text = String::from_utf8(yipu(&["judge", "--lang", "en", &file]).stdout).unwrap();
    assert!(text.contains("Besides, by ply 18: nine rounds of allowed moves"), "{text}");
    // The line that is told besides moves no board away from its move.
    let text = String::from_utf8(yipu(&["judge", "--lang", "en", "--diagram", &file]).stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(!lines[1].contains("Besides") && lines[2].trim_start().starts_with('1'), "{text}");
    assert!(lines.windows(2).all(|pair| !pair[0].contains("idle") || pair[1].trim_start().starts_with('1')), "{text}");
    let line = judged(fen, &moves[..moves.len() - 10], &[]);
    assert_eq!(line["idle_rounds"], Value::Null);
}

#[test]
fn a_chased_rook_that_mates_and_wins_from_every_point_makes_no_new_threat() {
    // Without and with a cannon that can come between and is then taken: the same rule for mates and for wins by checks.
    for (fen, edition) in [("N8/9", "1987"), ("N8/9", "2011"), ("N8/8C", "1987"), ("N8/8C", "2011"), ("N8/8C", "1999")]
    {
        let fen = format!("2rk5/9/2r6/9/9/9/{fen}/9/4KA3 w");
        let line = judged(&fen, "a3b5 c7c4 b5a3 c4c7", &["--edition", edition]);
        assert_eq!(line["black"], json!(["闲", "闲"]), "{fen} {edition}: {}", line["reasons"]);
        assert_eq!(line["verdict"], "red-loses", "{fen} {edition}");
    }
}

#[test]
fn a_new_way_of_mating_by_the_answer_to_a_check_is_a_threat_of_mate() {
    // 26.3: the cannon comes between and opens the rank; the rook's other check stood before and does not matter.
    for edition in ["1987", "1999", "2011"] {
        let line = judged("3k5/5C2R/9/9/R8/9/9/9/6n2/4K4 w", "f8f1", &["--edition", edition]);
        let reason = &line["reasons"][0];
        assert_eq!((&reason["label"], &reason["mate"][0]), (&json!("杀"), &json!("a5a9")), "{edition}: {reason}");
    }
}

#[test]
fn a_win_by_checks_is_shown_by_the_line_that_takes_the_piece() {
    let mut shown = 0;
    for row in rows() {
        for (before, m) in row.plies.iter().filter(|_| row.edition != Edition::Axf) {
            let labelled = label_move(before, *m, &row.edition.ruleset());
            for threat in labelled.threats.iter().filter(|threat| threat.means == Means::Checks) {
                shown += 1;
                let (mut capturer, mut victim, mut taken) = (threat.capturer, threat.victim, false);
                for step in threat.line.iter() {
                    taken |= step.from() == capturer && step.to() == victim;
                    for square in [&mut capturer, &mut victim] {
                        if *square == step.from() {
                            *square = step.to();
                        }
                    }
                }
                assert!(taken, "{} {m}: {:?} does not take {}", row.id, threat.line, threat.victim);
            }
        }
    }
    assert!(shown > 5, "{shown}");
}

#[test]
fn a_folder_with_broken_files_and_a_database_are_scanned_to_the_end() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("games");
    std::fs::create_dir(&folder).unwrap();
    let (_, fen, entering, round, ..) = FIELD[0];
    record(&folder, "a.pgn", fen, &format!("{entering} {round} {round} {round}"), "1/2-1/2");
    std::fs::write(folder.join("b.pgn"), b"[FEN \"nonsense\"]\n\n1. h2e2 x9z9 *\n\n\xff\xfe{ never closed").unwrap();
    std::fs::write(folder.join("c.xqf"), b"XQ\x0a\x00 cut off").unwrap();
    record(&folder, "d.pgn", FIELD[1].1, &format!("{} {1} {1} {1} d9d8", FIELD[1].2, FIELD[1].3), "1/2-1/2");
    let output = yipu(&["judge", "--json", "--scan", folder.to_str().unwrap()]);
    let lines = json(&output);
    let verdicts: Vec<&Value> = lines.iter().filter_map(|line| line.get("verdict")).collect();
    assert_eq!(verdicts, [&json!("red-loses"), &json!("draw")]);
    let total = &lines.last().unwrap()["summary"];
    assert_eq!((&total["claimable"], &total["contradicted"]), (&json!(2), &json!(1)));
    assert_eq!(output.status.code(), Some(1));

    let db = scratch.path().join("db");
    let db = db.to_str().unwrap();
    yipu(&["index", folder.join("a.pgn").to_str().unwrap(), folder.join("d.pgn").to_str().unwrap(), "--db", db]);
    let lines = json(&yipu(&["judge", "--json", "--db", db, "--scan"]));
    let verdicts: Vec<&Value> = lines.iter().filter_map(|line| line.get("verdict")).collect();
    assert_eq!(verdicts, [&json!("red-loses"), &json!("draw")]);
    let number = lines[0]["game"].to_string();
    let one = json(&yipu(&["judge", "--json", "--db", db, &number])).remove(0);
    assert_eq!(one["verdict"], "red-loses");
    for id in ["999999", "-3", "x"] {
        assert_eq!(yipu(&["judge", "--json", "--db", db, "--", id]).status.code(), Some(2), "{id}");
    }
}

#[test]
fn boards_are_drawn_before_the_first_and_after_every_judged_move() {
    let (_, fen, entering, round, ..) = FIELD[0];
    let args = ["judge", "--lang", "zh", "--diagram", "--fen", fen, "--cycle", &format!("{entering} {round}")];
    let text = String::from_utf8(yipu(&args).stdout).unwrap();
    assert_eq!(text.matches("九  八  七").count(), 5, "{text}");
    assert_eq!(text.matches("[将]").count(), 5);
    assert_eq!(text.matches(" * ").count(), 4, "{text}");
}

#[test]
fn a_budget_that_ends_leaves_the_verdict_open() {
    let (_, fen, entering, round, ..) = FIELD[2];
    let line = judged(fen, &format!("{entering} {round} {round}"), &["--nodes", "3"]);
    assert_eq!(line["verdict"], "undetermined");
    assert!(line["reasons"].as_array().unwrap().iter().any(|m| m["undetermined"] == true));
}

#[test]
fn a_budget_never_turns_open_into_no() {
    let mut open = 0;
    for row in rows() {
        let full = Judge::new(row.edition).round(&row.plies);
        for nodes in [1, 4, 16, 64, 256, 1024] {
            let mut judge = Judge::new(row.edition);
            judge.rules.limits.nodes = nodes;
            let small = judge.round(&row.plies);
            for (small, full) in small.moves.iter().zip(&full.moves) {
                let undetermined = matches!(small, Judgeable::Chinese(labelled) if labelled.undetermined);
                open += usize::from(undetermined);
                let same = class(small.label()) == class(full.label());
                assert!(undetermined || same, "{} {} with {nodes} nodes: {}", row.id, small.m(), small.label());
            }
            let verdict = small.ruling.verdict;
            let settled = verdict == full.ruling.verdict || verdict == Verdict::Undetermined;
            assert!(settled, "{} with {nodes} nodes: {verdict}", row.id);
        }
    }
    assert!(open > 1000, "{open}");
}

#[test]
fn nine_rounds_of_chases_found_a_claim_that_a_small_budget_leaves_open() {
    // A rook follows a bare cannon over three points, in no order that comes round three times.
    let fen = "2bakab2/9/9/4p4/9/5c3/4P4/9/6R2/2BAKAB2 w";
    let moves = "g1f1 f4h4 f1h1 h4g4 h1g1 g4f4 g1f1 f4g4 f1g1 g4h4 g1h1 h4f4 h1f1 f4g4 f1g1 g4h4 g1h1 h4g4";
    let line = judged(fen, moves, &[]);
    assert_eq!((&line["ground"], &line["claimable"]), (&json!("nine-rounds"), &json!(true)));
    assert_eq!((&line["verdict"], &line["period"]), (&json!("red-loses"), &Value::Null));
    assert_eq!(judged(fen, &moves[..moves.len() - 10], &[])["claimable"], false);
    let line = judged(fen, moves, &["--nodes", "3"]);
    assert_eq!((&line["ground"], &line["claimable"]), (&json!("nine-rounds"), &json!(false)));
    assert_eq!((&line["verdict"], &line["articles"]), (&json!("undetermined"), &json!(["23.4"])));
    for (lang, said) in [("zh", "能否提请裁决未定"), ("en", "whether a claim is well founded is open")] {
        let text = yipu(&["judge", "--lang", lang, "--fen", fen, "--cycle", moves, "--nodes", "3"]).stdout;
        assert!(String::from_utf8(text).unwrap().contains(said), "{lang}");
    }
}

#[test]
fn a_line_opened_on_a_rook_by_a_capture_is_a_chase_of_the_rook() {
    let row = rows().into_iter().find(|row| row.id == "opens-line-on-rook-2011").unwrap();
    let (before, m) = row.plies[0];
    let labelled = label_move(&before, m, &row.edition.ruleset());
    let [threat] = &labelled.threats[..] else { panic!("{:?}", labelled.threats) };
    assert_eq!((threat.capturer.to_string(), threat.victim.to_string()), ("h5".into(), "d5".into()));
    assert!(!threat.joint && !threat.is_light(), "{threat:?}");
}

#[test]
fn where_both_sides_attack_the_ruling_says_whose_attack_is_lighter() {
    let row = rows().into_iter().find(|row| row.id == "joint-against-bare-2011").unwrap();
    let moves: Vec<String> = row.plies.iter().map(|(_, m)| m.to_string()).collect();
    let fen = row.plies[0].0.to_fen();
    for (lang, said) in [
        ("zh", "红方须变着，不变作负：红方各着均重，黑方第2、4着较轻"),
        ("en", "loses if it does not: Red is heavy throughout, Black is lighter at ply 2, 4 (a joint chase"),
    ] {
        let line = judged(&fen, &moves.join(" "), &["--lang", lang]);
        assert!(line["ruling"].as_str().unwrap().contains(said), "{}", line["ruling"]);
    }
    let line = judged(FIELD[7].1, &format!("{} {}", FIELD[7].2, FIELD[7].3), &["--lang", "en"]);
    assert!(!line["ruling"].as_str().unwrap().contains("lighter"), "{}", line["ruling"]);
}

#[test]
fn moves_may_have_numbers_and_stand_in_any_notation() {
    let fen = FIELD[0].1;
    let plain = judged(fen, "a0a9 d9d8 a9a8 d8d9 a8a9", &[]);
    for moves in [
        "1. a0a9 d9d8 2. a9a8 d8d9 3. a8a9",
        "1.a0a9 d9d8 2.a9a8,d8d9 3.a8a9",
        "1、车九进九 将4进1 2、车九退一 将4退1 3、车九进一",
        "1. 车九进九 将4进1 2. a9a8 1... K4-1 3. R9+1",
        "车九进九将4进1车九退一将4退1车九进一",
    ] {
        assert_eq!(judged(fen, moves, &[]), plain, "{moves}");
    }
}

#[test]
fn what_is_odd_about_a_position_is_told_in_the_json_of_judge_and_board() {
    let codes = |line: &Value| -> Vec<String> {
        let findings = line["findings"].as_array();
        findings.into_iter().flatten().map(|finding| finding["code"].as_str().unwrap().to_string()).collect()
    };
    let odd = "3k5/9/9/9/9/9/9/9/4A4/R3K3P";
    let moves = "a0a9 d9d8 a9a8 d8d9 a8a9";
    assert_eq!(codes(&judged(odd, moves, &[])), ["F310", "G201"]);
    assert!(codes(&judged(FIELD[0].1, moves, &[])).is_empty());
    let scratch = tempfile::tempdir().unwrap();
    let picture = scratch.path().join("board.svg");
    let args = ["board", odd, "--to", "svg", "--json", "-o", picture.to_str().unwrap()];
    assert_eq!(codes(&json(&yipu(&args)).remove(0)), ["F310", "G201"]);
    let file = record(scratch.path(), "odd.pgn", &format!("{odd} w"), moves, "*");
    let line = json(&yipu(&["judge", "--json", &file])).remove(0);
    assert!(codes(&line).contains(&"G201".to_string()), "{line}");
    assert_eq!(line["findings"][0]["file"], json!(file));
}

#[test]
fn without_one_general_a_side_nothing_is_judged() {
    let moves = "a0a9 d9d8 a9a8 d8d9 a8a9";
    for fen in ["3k1k3/9/9/9/9/9/9/9/4A4/R3K4 w", "3k5/9/9/9/9/9/9/9/4A4/R8 w"] {
        let output = yipu(&["judge", "--json", "--fen", fen, "--cycle", moves]);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{fen}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("generals"), "{fen}");
    }
}

#[test]
fn a_hundred_thousand_plies_are_judged() {
    let (_, fen, entering, round, ..) = FIELD[1];
    let long = history(fen, entering, round, 25_000);
    let judgement = Judge::new(Edition::Y2011).game(&long);
    assert_eq!((judgement.ground, judgement.claimable), (Ground::Repetition, true));
    assert_eq!(judgement.ruling.verdict, Verdict::Draw);
    assert_eq!(long.repetitions().len(), 1);
}
