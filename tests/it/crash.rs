//! The program is killed in the middle of its work, again and again.

use crate::generator;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use yipu::board::Position;
use yipu::store::{Database, verify};

/// Kills `index` so often: `YIPU_KILLS`, or a handful.
fn kills() -> u64 {
    std::env::var("YIPU_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(6)
}

fn write_collection(path: &Path, games: std::ops::RangeInclusive<u64>) {
    use yipu::format::{Format, WriteOptions, writer};
    let recipe = generator::Recipe { seed: 3, plies: 40, exact: false, players: 100 };
    let book = generator::Book::usual();
    let writer = writer(Format::Pgn).unwrap();
    let mut text = Vec::new();
    for number in games {
        let _ = writer.write(&generator::game(&recipe, &book, number), &WriteOptions::default(), &mut text);
    }
    std::fs::write(path, text).unwrap();
}

fn yipu(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yipu"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::null());
    command
}

#[test]
fn killing_index_at_any_moment_loses_no_acknowledged_game() {
    let scratch = tempfile::tempdir().unwrap();
    let pgn = scratch.path().join("games.pgn");
    let db = scratch.path().join("db");
    let total = 6000;
    write_collection(&pgn, 1..=total);
    let arguments =
        ["index", pgn.to_str().unwrap(), "--db", db.to_str().unwrap(), "--lang", "en", "-v", "--batch", "150"];
    let mut random = generator::Random::new(5, kills());
    // How long an undisturbed run takes, on a database of its own.
    let whole = scratch.path().join("whole");
    let begin = std::time::Instant::now();
    let mut undisturbed = arguments;
    undisturbed[3] = whole.to_str().unwrap();
    assert!(yipu(&undisturbed).output().unwrap().status.success());
    let whole_time = begin.elapsed();
    let mut acknowledged = 0;
    for kill in 0..kills() {
        let mut child = yipu(&arguments).spawn().unwrap();
        let stderr = child.stderr.take().unwrap();
        // Some kills come while the first batches are written, some all over the run.
        let most = if kill % 3 == 0 { whole_time / 10 } else { whole_time };
        let wait = Duration::from_micros(random.below(most.as_micros().max(1) as usize) as u64);
        let reader = std::thread::spawn(move || {
            let mut last = 0;
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                if let Some(number) = line.strip_prefix("committed ") {
                    last = number.parse().unwrap();
                }
            }
            last
        });
        std::thread::sleep(wait);
        let _ = child.kill();
        let _ = child.wait();
        acknowledged = acknowledged.max(reader.join().unwrap());
        if !db.join("manifest").exists() {
            assert_eq!(acknowledged, 0);
            continue;
        }
        let health = verify(&db).unwrap();
        assert_eq!(health.damaged, [], "after kill {kill}, {wait:?}");
        let database = Database::open(&db).unwrap();
        assert!(database.games() >= acknowledged, "{} games of {acknowledged} after kill {kill}", database.games());
        assert_eq!(database.hits(&Position::start(), false).count(), database.games() as usize);
    }
    // The work can be finished, and nothing is there twice.
    let output = yipu(&arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (killed, whole) = (Database::open(&db).unwrap(), Database::open(&whole).unwrap());
    assert_eq!((killed.games(), killed.positions()), (whole.games(), whole.positions()));
    for number in [1, 2999, 6000] {
        assert_eq!(killed.game(number).unwrap().game, whole.game(number).unwrap().game);
    }
    assert!(verify(&db).unwrap().leftovers.is_empty());
}

#[cfg(unix)]
#[test]
fn a_write_that_fails_leaves_the_old_state() {
    let scratch = tempfile::tempdir().unwrap();
    let (first, second) = (scratch.path().join("first.pgn"), scratch.path().join("second.pgn"));
    let db = scratch.path().join("db");
    write_collection(&first, 1..=100);
    write_collection(&second, 101..=4000);
    let (first, second, db_name) = (first.to_str().unwrap(), second.to_str().unwrap(), db.to_str().unwrap());
    assert!(yipu(&["index", first, "--db", db_name]).output().unwrap().status.success());
    // A limit on the size of files fails a write as a full disk does.
    let script = format!("ulimit -f 128; trap '' XFSZ; exec \"$0\" index '{second}' --db '{db_name}' -q");
    let output = Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_yipu")]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(verify(&db).unwrap().damaged, []);
    assert_eq!(Database::open(&db).unwrap().games(), 100);
    assert!(yipu(&["index", second, "--db", db_name, "-q"]).output().unwrap().status.success());
    assert_eq!(Database::open(&db).unwrap().games(), 4000);
    assert!(verify(&db).unwrap().leftovers.is_empty());
}
