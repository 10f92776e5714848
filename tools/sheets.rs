//! Rewrites real games as damaged score sheets, reads them back, and reports how often the reading is right.
//!
//! `cargo run --profile quick --example sheets -- FOLDER [GAMES] [SEED] [ROWS]` takes games that did not train the move
//! model (see `games.rs`), writes each as a sheet of short-form text, damages it by the seed, and reads it with
//! `yipu::sheet::transcribe`. ROWS, a list parted by commas, keeps the rows whose names hold one of its words
//! (`two`, `5 %`, `Digit`); with `show` among them every game that was not read right is told, with `others` the games
//! are taken that it leaves out without. Set `RAYON_NUM_THREADS=1` for undisturbed times.

mod damage;
mod games;

use damage::{entries, sheet_text};
use games::Random;
use rayon::prelude::*;
use std::time::{Duration, Instant};
use yipu::board::{Color, Move, Position};
use yipu::notation::{Notation, Style, write_move};
use yipu::sheet::{How, Options, Sheet, Transcript, transcribe, transcribe_checking};

/// Of one sheet: the true game came first, it was among the readings, there was one reading; right plies; time.
type OneSheet = (bool, bool, bool, usize, Duration);
/// Of one fault: it was seen, it was located, the true game came first, it was among the readings; time.
type OneFault = (bool, bool, bool, bool, Duration);

/// Which rows are wanted, and whether failures are told.
struct Rows {
    words: Vec<String>,
    show: bool,
}

impl Rows {
    fn has(&self, name: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| name.contains(word.as_str()))
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else {
        eprintln!("usage: sheets FOLDER [GAMES] [SEED] [ROWS]");
        std::process::exit(2);
    };
    let wanted: usize = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1000);
    let seed: u64 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut words: Vec<String> = arguments.next().map_or_else(Vec::new, |w| w.split(',').map(str::to_string).collect());
    let before = words.len();
    words.retain(|word| word != "show");
    let show = words.len() < before;
    let before = words.len();
    words.retain(|word| word != "others");
    let others = words.len() < before;
    let rows = Rows { show, words };
    let mut all: Vec<Vec<Move>> = games::load(folder.as_ref(), true);
    let read = all.len();
    all.retain(|game| games::is_test(game));
    let kept = all.len();
    // Spread over the whole collection, and those between them.
    let used = |part: &[Vec<Move>], count: usize| -> Vec<Vec<Move>> {
        (0..count.min(part.len())).map(|i| part[i * part.len() / count.min(part.len())].clone()).collect()
    };
    let mut games = used(&all, wanted);
    if others {
        let taken: std::collections::HashSet<&Vec<Move>> = games.iter().collect();
        let rest: Vec<Vec<Move>> = all.iter().filter(|game| !taken.contains(game)).cloned().collect();
        games = used(&rest, wanted);
    }
    println!(
        "{read} games, {kept} of them did not train the model, {}{} of these are used, seed {seed}",
        if others { "other " } else { "" },
        games.len()
    );

    println!("\nlost bars            first   among  readings=1  moves right  median ms    p90    max");
    for (name, loss, traverse) in [
        ("all (no bars)", 1.0, false),
        ("half", 0.5, false),
        ("20 %", 0.2, false),
        ("10 %", 0.1, false),
        ("5 %", 0.05, false),
        ("none", 0.0, false),
        ("20 %, 平 written", 0.2, true),
        ("5 %, 平 written", 0.05, true),
    ] {
        if rows.has(name) {
            lost_bars(name, &games, loss, traverse, seed, &rows);
        }
    }
    println!("\none fault, all bars      seen  located  right first  among mends  median ms");
    for fault in [Fault::Digit, Fault::LeftOut, Fault::Swapped] {
        if rows.has(&format!("{fault:?}")) {
            one_fault(&games, fault, seed);
        }
    }
    if rows.has("two") {
        println!("\ntwo sheets");
        two_sheets(&games, seed, &rows);
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Tells where a reading differs from the game: ply, phase of the game, what was played, what was read.
fn tell(index: usize, game: &[Move], transcript: &Transcript, note: &str) {
    let mut position = Position::start();
    let mut text = String::new();
    for (ply, &m) in game.iter().enumerate() {
        let read = transcript.line.get(ply);
        if read.is_none_or(|read| read.uci != m) {
            let mut name = String::new();
            write_move(m, &position, &Style::of(Notation::Chinese), &mut name);
            let share = read.map_or(0.0, |read| read.share);
            text.push_str(&format!(
                " {}/{} {name} {m} for {} ({share:.2})",
                ply + 1,
                game.len(),
                read.map_or("nothing".to_string(), |read| read.uci.to_string())
            ));
            if text.len() > 400 {
                break;
            }
        }
        position.play(m);
    }
    let codes: Vec<&str> = transcript.findings.iter().map(|f| f.code.id()).collect();
    let codes: std::collections::BTreeSet<&str> = codes.into_iter().collect();
    println!(
        "  game {index}: {note} share {:.3} readings {} mends {} {codes:?}:{text}",
        transcript.share, transcript.readings, transcript.mends
    );
}

fn lost_bars(name: &str, games: &[Vec<Move>], loss: f64, traverse: bool, seed: u64, rows: &Rows) {
    let results: Vec<_> = games
        .par_iter()
        .enumerate()
        .map(|(index, game)| {
            let mut random = Random(seed.wrapping_mul(1_000_003) + index as u64);
            let text = sheet_text(&entries(game, loss, traverse, &mut random));
            let begin = Instant::now();
            let (transcript, holds) = transcribe_checking(&[Sheet::read(&text)], &Options::default(), game);
            let time = begin.elapsed();
            let right = transcript.moves.iter().zip(game).filter(|(a, b)| a == b).count();
            if rows.show && (transcript.moves != *game || !holds) {
                tell(index, game, &transcript, if holds { "" } else { "not among the readings," });
            }
            (transcript.moves == *game, holds, transcript.readings == 1, right, time)
        })
        .collect();
    let count = |f: &dyn Fn(&OneSheet) -> bool| results.iter().filter(|r| f(r)).count();
    let plies: usize = games.iter().map(Vec::len).sum();
    let mut times: Vec<f64> = results.iter().map(|r| r.4.as_secs_f64() * 1000.0).collect();
    times.sort_by(f64::total_cmp);
    let n = times.len();
    println!(
        "{name:<18} {:>6.1}% {:>6.2}% {:>10.1}% {:>11.2}% {:>10.1} {:>6.1} {:>6.0}",
        percent(count(&|r| r.0), n),
        percent(count(&|r| r.1), n),
        percent(count(&|r| r.2), n),
        percent(results.iter().map(|r| r.3).sum(), plies),
        times[n / 2],
        times[n * 9 / 10],
        times[n - 1]
    );
}

#[derive(Clone, Copy, Debug)]
enum Fault {
    /// One digit is another one.
    Digit,
    /// One ply is left out, the others close up.
    LeftOut,
    /// Two entries that follow each other are swapped.
    Swapped,
}

fn one_fault(games: &[Vec<Move>], fault: Fault, seed: u64) {
    let results: Vec<_> = games
        .par_iter()
        .enumerate()
        .map(|(index, game)| {
            let mut random = Random(seed.wrapping_mul(7_000_003) + index as u64);
            let mut list = entries(game, 0.0, false, &mut random);
            let at = random.below(list.len().saturating_sub(2));
            match fault {
                Fault::Digit => damage_digit(&mut list[at], &mut random),
                Fault::LeftOut => {
                    list.remove(at);
                }
                Fault::Swapped => list.swap(at, at + 1),
            }
            let text = sheet_text(&list);
            let begin = Instant::now();
            let (transcript, holds) = transcribe_checking(&[Sheet::read(&text)], &Options::default(), game);
            let time = begin.elapsed();
            // The fault is seen if the sheet does not read as a whole; it is located by the first entry mended.
            let seen = transcript.mends > 0 || !transcript.complete;
            let place = transcript
                .entries
                .iter()
                .filter(|e| e.how == How::Repaired || e.how == How::Missing)
                .filter_map(|e| e.ply)
                .min();
            let located = place.is_some_and(|ply| (i64::from(ply) - 1 - at as i64).abs() <= 1);
            (seen, located, transcript.moves == *game, holds, time)
        })
        .collect();
    let n = results.len();
    let count = |f: &dyn Fn(&OneFault) -> bool| results.iter().filter(|r| f(r)).count();
    let mut times: Vec<f64> = results.iter().map(|r| r.4.as_secs_f64() * 1000.0).collect();
    times.sort_by(f64::total_cmp);
    println!(
        "{:<22} {:>6.1}% {:>7.1}% {:>11.1}% {:>11.1}% {:>10.1}",
        format!("{fault:?}"),
        percent(count(&|r| r.0), n),
        percent(count(&|r| r.1), n),
        percent(count(&|r| r.2), n),
        percent(count(&|r| r.3), n),
        times[n / 2]
    );
}

/// Another digit in the place of one of the digits.
fn damage_digit(entry: &mut String, random: &mut Random) {
    let digits: Vec<usize> =
        entry.char_indices().filter(|(_, c)| c.to_digit(10).is_some_and(|d| d > 0)).map(|(at, _)| at).collect();
    let Some(&at) = digits.get(random.below(digits.len())) else { return };
    let old = entry[at..].chars().next().and_then(|c| c.to_digit(10)).unwrap_or(1) as usize;
    let new = (old + random.below(8)) % 9 + 1;
    entry.replace_range(at..=at, &new.to_string());
}

fn two_sheets(games: &[Vec<Move>], seed: u64, rows: &Rows) {
    let results: Vec<_> = games
        .par_iter()
        .enumerate()
        .map(|(index, game)| {
            let mut random = Random(seed.wrapping_mul(13_000_003) + index as u64);
            let full = entries(game, 0.0, false, &mut random);
            let mut gaps = [Vec::new(), Vec::new()];
            let sheets: Vec<Sheet> = gaps
                .iter_mut()
                .map(|gaps: &mut Vec<u32>| {
                    let mut list = full.clone();
                    for (ply, entry) in (1u32..).zip(&mut list) {
                        if random.chance(0.1) {
                            entry.clear();
                            gaps.push(ply);
                        }
                    }
                    Sheet::read(&sheet_text(&list))
                })
                .collect();
            // What neither sheet has at the end nobody can know.
            let known =
                (1..=game.len()).rev().find(|&ply| !gaps.iter().all(|g| g.contains(&(ply as u32)))).unwrap_or(0);
            let game = &game[..known];
            gaps.iter_mut().for_each(|gaps| gaps.retain(|&ply| ply as usize <= known));
            let begin = Instant::now();
            let merged = transcribe(&sheets, &Options::default());
            let time = begin.elapsed();
            let attributed = Color::ALL.into_iter().all(|side| {
                let found: Vec<u32> = merged
                    .entries
                    .iter()
                    .filter(|e| usize::from(e.sheet) == side.index() + 1 && e.how == How::Missing)
                    .filter_map(|e| e.ply)
                    .collect();
                found == gaps[side.index()]
            });
            // A ply missing on both sheets can only be filled by what lives.
            let both = (1u32..=game.len() as u32).any(|ply| gaps.iter().all(|g| g.contains(&ply)));
            if rows.show && (merged.moves != game || !attributed) {
                let shared = gaps[0].iter().filter(|ply| gaps[1].contains(ply)).collect::<Vec<_>>();
                let note = format!("both gaps {shared:?}, attributed {attributed},");
                tell(index, game, &merged, &note);
            }
            (merged.moves == game, attributed, time, both)
        })
        .collect();
    let n = results.len();
    let mut times: Vec<f64> = results.iter().map(|r| r.2.as_secs_f64() * 1000.0).collect();
    times.sort_by(f64::total_cmp);
    println!(
        "10 % gaps each: merged game right {:.1}% (of {} with no ply missing on both: {:.1}%), gaps attributed {:.1}%, \
         median {:.1} ms",
        percent(results.iter().filter(|r| r.0).count(), n),
        results.iter().filter(|r| !r.3).count(),
        percent(results.iter().filter(|r| r.0 && !r.3).count(), results.iter().filter(|r| !r.3).count()),
        percent(results.iter().filter(|r| r.1).count(), n),
        times[n / 2]
    );
}
