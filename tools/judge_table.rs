//! Prints where the repetition judge differs from a table of published positions.
//!
//! `cargo run --example judge_table -- cases.tsv [FILTER] [-v]`. The table has the columns `id, edition, fen, cycle_uci,
//! red_class, black_class, verdict, source, note`, separated by tabs.

use std::time::Instant;
use yipu::board::{Color, Move, Position};
use yipu::rules::{Edition, Judge, Judgeable, Judgement, Label, Tongue, reason, ruling_text};

#[derive(Default)]
struct Tally {
    rows: u32,
    right: u32,
    labels: u32,
    same_class: u32,
    same_name: u32,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let verbose = args.iter().any(|arg| arg == "-v");
    let mut names = args.iter().filter(|arg| *arg != "-v");
    let table = std::fs::read_to_string(names.next().ok_or("which table?")?)?;
    let filter = names.next().cloned().unwrap_or_default();
    let mut tallies: Vec<(Edition, Tally)> = Edition::ALL.into_iter().map(|e| (e, Tally::default())).collect();
    let mut micros = Vec::new();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, edition, fen, cycle, red, black, verdict, ..] = fields[..] else { continue };
        if !id.contains(&filter) {
            continue;
        }
        let judge = Judge::new(edition.parse()?);
        let mut position = Position::from_fen(fen)?;
        let mut plies = Vec::new();
        for text in cycle.split(' ') {
            let m: Move = text.parse().map_err(|_| format!("{id}: {text}"))?;
            if let Err(fault) = position.prove(m) {
                return Err(format!("{id} {m}: {fault}").into());
            }
            plies.push((position, m));
            // The shortest of some runs: what else the machine does is not the label's time.
            let time = (0..5).map(|_| {
                let begin = Instant::now();
                std::hint::black_box(judge.round(&plies[plies.len() - 1..]));
                begin.elapsed().as_micros()
            });
            micros.push((time.min().unwrap_or(0), format!("{id} {m}")));
            position.play(m);
        }
        let judgement = judge.round(&plies);
        let Some((_, tally)) = tallies.iter_mut().find(|(e, _)| *e == judge.rules.edition) else { continue };
        let mut differences = Vec::new();
        for (side, printed) in [(Color::Red, red), (Color::Black, black)] {
            differences.extend(compare(&judgement, side, printed, tally));
        }
        tally.rows += 1;
        let right = judgement.ruling.verdict.name() == verdict;
        tally.right += u32::from(right);
        if !right || !differences.is_empty() || verbose {
            println!("{id}  {fen}  {cycle}");
            differences.iter().for_each(|text| println!("    {text}"));
            if !right || verbose {
                println!("    printed {verdict}; got {}", ruling_text(&judgement, Tongue::En));
            }
            if verbose {
                for m in &judgement.moves {
                    println!("      {} {} {}", m.m(), m.label(), reason(m, judge.rules.edition, Tongue::En));
                }
            }
        }
    }
    println!();
    for (edition, t) in tallies.iter().filter(|(_, t)| t.rows > 0) {
        println!(
            "{edition}: verdicts {}/{}, labels by class {}/{}, by name {}",
            t.right, t.rows, t.same_class, t.labels, t.same_name
        );
    }
    micros.sort_unstable_by(|a, b| b.cmp(a));
    println!("slowest labels:");
    micros.iter().take(3).for_each(|(time, what)| println!("  {time} µs  {what}"));
    if let Some((time, _)) = micros.get(micros.len() / 100) {
        println!("  99 % within {time} µs");
    }
    Ok(())
}

/// Compares printed labels, where the table prints labels, with the computed ones.
fn compare(judgement: &Judgement, side: Color, printed: &str, tally: &mut Tally) -> Vec<String> {
    let own: Vec<&Judgeable> = judgement.moves.iter().filter(|m| m.before().side_to_move() == side).collect();
    let mut differences = Vec::new();
    for (text, m) in printed.split(',').zip(own) {
        let Some(label) = text.chars().next().and_then(Label::from_hanzi) else { continue };
        let got = m.label();
        let same = label == got || !label.is_attack() && !got.is_attack();
        tally.labels += 1;
        tally.same_class += u32::from(same);
        tally.same_name += u32::from(label == got);
        if !same {
            differences.push(format!(
                "{} printed {label}, got {got}: {}",
                m.m(),
                reason(m, judgement.edition, Tongue::En)
            ));
        }
    }
    differences
}
