//! The repetition judge over the published positions, the cases of the field, and cycles cut from real games.

use crate::support::{real_games, shared};
use rayon::prelude::*;
use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use yipu::board::{Color, Move, Position};
use yipu::input::walk;
use yipu::pipeline::{self, Event};
use yipu::rules::{
    Edition, History, Judge, Judgeable, Judged, Judgement, Label, Stage, Threat, Verdict, judge, label_move,
};

struct Row {
    id: String,
    edition: Edition,
    plies: Vec<(Position, Move)>,
    printed: [Vec<Option<Label>>; 2],
    verdict: String,
    note: String,
}

impl Row {
    fn is_official(&self) -> bool {
        self.note.starts_with("official")
    }

    /// Whether the figure is printed in a rule book, not made up for the table.
    fn is_published(&self) -> bool {
        !self.note.starts_with("constructed")
    }

    /// The plies the print calls 联合捉, where it says so at all.
    fn joint(&self) -> Option<Vec<Move>> {
        let list = self.note.split(';').find_map(|part| part.trim().strip_prefix("联合捉:"))?;
        Some(list.split_whitespace().filter_map(|m| m.parse().ok()).collect())
    }

    fn judged(&self) -> Judgement {
        Judge::new(self.edition).round(&self.plies)
    }
}

fn rows() -> Option<Vec<Row>> {
    let table = std::fs::read_to_string(shared("rules/cases.tsv")?).unwrap();
    let rows = table.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, edition, fen, cycle, red, black, verdict, _, note] = fields[..] else { panic!("{line}") };
        let mut position = Position::from_fen(fen).unwrap();
        let mut plies = Vec::new();
        for m in cycle.split(' ') {
            let m: Move = m.parse().unwrap();
            assert_eq!(position.prove(m), Ok(()), "{id} {m}");
            plies.push((position, m));
            position.play(m);
        }
        let labels = |text: &str| text.split(',').map(|l| l.chars().next().and_then(Label::from_hanzi)).collect();
        Row {
            id: id.into(),
            edition: edition.parse().unwrap(),
            plies,
            printed: [labels(red), labels(black)],
            verdict: verdict.into(),
            note: note.into(),
        }
    });
    Some(rows.collect())
}

/// The rows on which the verdict differs, with both verdicts.
fn differing<'r>(rows: impl Iterator<Item = &'r Row>) -> (usize, String) {
    let (mut count, mut text) = (0, String::new());
    for row in rows {
        let got = row.judged().ruling.verdict;
        if got.name() != row.verdict {
            count += 1;
            writeln!(text, "{}: printed {}, got {got}", row.id, row.verdict).unwrap();
        }
    }
    (count, text)
}

#[test]
fn printed_labels_give_every_printed_verdict_of_2011() {
    let Some(rows) = rows() else { return };
    for row in rows.iter().filter(|row| row.edition == Edition::Y2011) {
        let mut printed = [row.printed[0].iter(), row.printed[1].iter()];
        let mut moves = [Vec::new(), Vec::new()];
        for (before, m) in &row.plies {
            let side = before.side_to_move().index();
            let Some(&Some(label)) = printed[side].next() else { continue };
            // Whether a chase is of the lighter kind is printed for some figures only; elsewhere the board tells.
            let labelled = label_move(before, *m, &row.edition.ruleset());
            let light = match row.joint() {
                Some(joint) => joint.contains(m),
                None if labelled.label == Label::Chase => labelled.is_light(),
                None => labelled.standing.iter().all(Threat::is_light),
            };
            moves[side].push(Judged { light: label == Label::Chase && light, ..Judged::named(label) });
        }
        let ruling = judge(row.edition, [&moves[0], &moves[1]]);
        assert_eq!(ruling.verdict.name(), row.verdict, "{}", row.id);
    }
}

#[test]
fn labels_and_verdicts_from_the_position_alone_agree_with_the_print() {
    let Some(rows) = rows() else { return };
    let modern: Vec<&Row> = rows.iter().filter(|row| row.edition == Edition::Y2011).collect();
    let (mut labels, mut same, mut list) = (0, 0, String::new());
    for row in modern.iter().filter(|row| row.is_published()) {
        let judgement = row.judged();
        for side in Color::ALL {
            for (printed, got) in row.printed[side.index()].iter().zip(judgement.labels(side)) {
                let printed = printed.unwrap();
                labels += 1;
                if printed == got || !printed.is_attack() && !got.is_attack() {
                    same += 1;
                } else {
                    writeln!(list, "{} {side}: printed {printed}, got {got}", row.id).unwrap();
                }
            }
        }
    }
    assert!(same * 100 >= labels * 97, "{same} of {labels} labels\n{list}");
    let (wrong, list) = differing(modern.iter().copied());
    assert!(wrong * 20 <= modern.len(), "{wrong} of {} verdicts\n{list}", modern.len());
}

#[test]
fn official_verdicts_of_the_older_editions_and_the_asian_rules_agree() {
    let Some(rows) = rows() else { return };
    let old = [Edition::Y1956, Edition::Y1987, Edition::Y1999];
    let official = rows.iter().filter(|row| old.contains(&row.edition) && row.is_official());
    let (wrong, list) = differing(official);
    assert_eq!(wrong, 0, "{list}");
    let axf: Vec<&Row> = rows.iter().filter(|row| row.edition == Edition::Axf).collect();
    let (wrong, list) = differing(axf.iter().copied());
    assert!(wrong * 20 <= axf.len(), "{wrong} of {} verdicts\n{list}", axf.len());
}

#[test]
fn the_command_tells_claim_labels_verdict_and_reasons() {
    let run = |args: &[&str]| {
        let output = assert_cmd::Command::cargo_bin("yipu").unwrap().arg("judge").args(args).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let round = "d9d8 a9a8 d8d9 a8a9";
    let cycle = format!("a0a9 {round} {round} {round}");
    let fen = ["--fen", "3k5/9/9/9/9/9/9/9/4A4/R3K4 w", "--cycle", &cycle];
    let (code, json) = run(&[&fen[..], &["--json"]].concat());
    let line: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(code, Some(0));
    assert_eq!((&line["claimable"], &line["repeats"], &line["period"]), (&true.into(), &3.into(), &4.into()));
    assert_eq!((&line["verdict"], &line["stage"]), (&"red-loses".into(), &"loses-at-once".into()));
    assert_eq!(line["red"], serde_json::json!(["将", "将"]));
    assert_eq!(line["articles"], serde_json::json!(["25.1", "23.5.1"]));
    assert_eq!(line["reasons"].as_array().unwrap().len(), 4);
    let (_, zh) = run(&[&fen[..], &["--lang", "zh", "--diagram"]].concat());
    assert!(
        zh.contains("红方单方长将，立即判负")
            && zh.contains("循环三次")
            && zh.contains("a   b   c   d   e   f   g   h   i"),
        "{zh}"
    );
    let (_, en) = run(&[&fen[..], &["--lang", "en", "--edition", "1987"]].concat());
    assert!(en.contains("Red must change") && en.contains("5.3.4"), "{en}");
    assert_eq!(run(&[&fen[..], &["--edition", "2012"]].concat()).0, Some(2));
    assert_eq!(run(&[&fen[..], &["--profile", "seven-cycles"]].concat()).0, Some(2));
    assert_eq!(run(&["--fen", fen[1], "--cycle", "a0b3"]).0, Some(2));
}

/// The same plies with colours swapped or the board mirrored.
fn image(plies: &[(Position, Move)], swap: bool, mirror: bool) -> Vec<(Position, Move)> {
    plies
        .iter()
        .map(|&(mut position, mut m)| {
            if swap {
                (position, m) = (position.swapped(), m.turn());
            }
            if mirror {
                (position, m) = (position.mirrored(), m.mirror());
            }
            (position, m)
        })
        .collect()
}

pub(crate) fn check_images(edition: Edition, plies: &[(Position, Move)], what: &str) {
    let judge = Judge::new(edition);
    let straight = judge.round(plies);
    for (swap, mirror) in [(false, true), (true, false), (true, true)] {
        let turned = judge.round(&image(plies, swap, mirror));
        let expected = if swap { straight.ruling.verdict.swapped() } else { straight.ruling.verdict };
        assert_eq!(turned.ruling.verdict, expected, "{what} {edition} swapped {swap} mirrored {mirror}");
        let names = |judgement: &Judgement| judgement.moves.iter().map(Judgeable::label).collect::<Vec<_>>();
        assert_eq!(names(&turned), names(&straight), "{what} {edition} swapped {swap} mirrored {mirror}");
    }
}

#[test]
fn colours_swapped_and_boards_mirrored_change_no_label_and_swap_the_verdict() {
    let Some(rows) = rows() else { return };
    for row in &rows {
        check_images(row.edition, &row.plies, &row.id);
    }
}

pub(crate) fn history(fen: &str, entering: &str, round: &str, times: usize) -> History {
    let moves = format!("{entering} {}", format!("{round} ").repeat(times));
    let start = Position::from_fen(fen).unwrap();
    History::new(&start, moves.split_whitespace().map(|m| m.parse().unwrap()))
}

fn last_verdict(edition: Edition, history: &History) -> Judgement {
    Judge::new(edition).at(history, history.plies())
}

#[test]
fn one_sided_perpetual_check_loses_at_once_and_other_attacks_must_change_first() {
    // REP-13
    let checks = history("3k5/9/9/9/9/9/9/9/4A4/R3K4 w", "a0a9", "d9d8 a9a8 d8d9 a8a9", 3);
    let judgement = Judge::new(Edition::Y2011).game(&checks);
    assert!(judgement.claimable);
    assert_eq!(judgement.repetition.unwrap().ply, 12);
    assert_eq!((judgement.ruling.verdict, judgement.ruling.stage), (Verdict::RedLoses, Stage::LosesAtOnce));
    let chase = history("4k4/9/9/9/9/2p6/9/9/9/1R3K3 w", "b0c0", "c4d4 c0d0 d4c4 d0c0", 3);
    let judgement = Judge::new(Edition::Y2011).game(&chase);
    assert_eq!((judgement.ruling.verdict, judgement.ruling.stage), (Verdict::RedLoses, Stage::MustChange));
}

#[test]
fn checks_without_a_repeated_position_bring_no_verdict() {
    // REP-10
    let history = history(
        "4k4/9/9/9/9/4N4/9/9/R8/4KA3 w",
        "",
        "a1a9 e9e8 a9e9 e8f8 e9f9 f8e8 f9f8 e8e9 f8e8 e9d9 e8d8 d9e9 d8d9 e9e8 d9d8 e8e7",
        1,
    );
    for edition in Edition::ALL {
        assert_eq!(last_verdict(edition, &history).ruling.verdict, Verdict::None);
    }
}

#[test]
fn nine_rounds_of_attacks_on_three_points_are_judged_without_a_closed_cycle() {
    let Some(rows) = rows() else { return };
    let row = rows.iter().find(|row| row.id == "cn11-r08").unwrap();
    let history = History::new(&row.plies[0].0, row.plies.iter().map(|ply| ply.1));
    let judgement = Judge::new(Edition::Y2011).game(&history);
    assert_eq!((judgement.claimable, judgement.ruling.verdict.name()), (true, row.verdict.as_str()));
    assert!(judgement.ruling.articles.contains(&"23.4"));
    // Six of the nine rounds are too few.
    let short = History::new(&row.plies[0].0, row.plies.iter().take(12).map(|ply| ply.1));
    assert!(!Judge::new(Edition::Y2011).game(&short).claimable);
}

#[test]
fn nine_checks_without_a_closed_cycle_oblige_to_change_and_lose_nothing_at_once() {
    let start = Position::from_fen("3k5/9/9/9/R8/9/9/9/9/5K3 w").unwrap();
    let moves = "a5a9 d9d8 a9a8 d8d7 a8a7 d7d8 a7a8 d8d9 a8a9 d9d8 a9a8 d8d7 a8a7 d7d8 a7a8 d8d9 a8a9 d9d8";
    let history = History::new(&start, moves.split(' ').map(|m| m.parse().unwrap()));
    let ruling = Judge::new(Edition::Y2011).game(&history).ruling;
    assert_eq!((ruling.verdict, ruling.stage), (Verdict::RedLoses, Stage::MustChange));
    assert_eq!(ruling.articles, ["25.1", "23.5.2.2", "23.4"]);
}

#[test]
fn a_tiny_budget_says_undetermined_and_never_no() {
    let Some(rows) = rows() else { return };
    let mut hanging = 0;
    for row in rows.iter().filter(|row| row.edition == Edition::Y2011 && row.is_published()) {
        let full = Judge::new(Edition::Y2011).round(&row.plies);
        let mut judge = Judge::new(Edition::Y2011);
        judge.rules.limits.nodes = 40;
        let small = judge.round(&row.plies);
        if small.ruling.verdict == Verdict::Undetermined {
            hanging += 1;
        }
        for (a, b) in full.moves.iter().zip(&small.moves) {
            let Judgeable::Chinese(b) = b else { continue };
            assert!(
                b.undetermined || a.label().is_attack() == b.label.is_attack(),
                "{} {}: {} without saying so, {} in full",
                row.id,
                b.m,
                b.label,
                a.label()
            );
        }
    }
    assert!(hanging > 0);
}

#[test]
fn cycles_of_real_games_are_judged_the_same_in_every_image() {
    let Some(folder) = real_games() else { return };
    let inputs: Vec<_> = walk(&[folder], &mut |_| {}).collect();
    let mut cycles = Vec::new();
    let stop = AtomicBool::new(false);
    let done: Result<(), ()> = pipeline::run(
        inputs.into_iter().step_by(15),
        &pipeline::Options::default(),
        &stop,
        |read| read,
        |event| {
            let Event::Game(read) = event else { return Ok(()) };
            let history = History::new(&read.game.start, read.game.moves());
            for repetition in history.repetitions().into_iter().take(2) {
                cycles.push(history.stretch(repetition.ply + 1 - repetition.period, repetition.ply));
            }
            if cycles.len() < 400 { Ok(()) } else { Err(()) }
        },
    );
    // Stopping early is an error of the sink, which is fine.
    let _ = done;
    assert!(cycles.len() > 20, "{} cycles", cycles.len());
    cycles.par_iter().for_each(|plies| {
        for edition in [Edition::Y1987, Edition::Y2011, Edition::Axf] {
            check_images(edition, plies, &plies[0].0.to_fen());
        }
    });
}
