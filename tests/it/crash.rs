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

/// Kills at the moments that matter: while a commit, a merge or a removal puts its files in place.
#[cfg(unix)]
mod inside {
    use super::*;
    use std::collections::HashSet;
    use std::os::unix::process::ExitStatusExt;
    use std::path::PathBuf;
    use std::process::Child;
    use std::time::Instant;

    /// What a kill waits for.
    #[derive(Clone, Copy, Debug)]
    enum Moment {
        /// A file of a new segment is there.
        Segment,
        /// A new file of the header index is there.
        Headers,
        /// The next manifest is being written.
        Manifest,
        /// The manifest has been replaced; old files are about to be swept.
        Published,
    }

    const MOMENTS: [Moment; 4] = [Moment::Segment, Moment::Headers, Moment::Manifest, Moment::Published];

    fn files(folder: &Path) -> HashSet<PathBuf> {
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    }

    /// The state of a database that a moment is told from.
    struct Before {
        db: PathBuf,
        segments: HashSet<PathBuf>,
        headers: HashSet<PathBuf>,
        manifest: Vec<u8>,
    }

    impl Before {
        fn of(db: &Path) -> Before {
            Before {
                db: db.to_path_buf(),
                segments: files(db),
                headers: files(&db.join("headers")),
                manifest: std::fs::read(db.join("manifest")).unwrap_or_default(),
            }
        }

        fn has_come(&self, moment: Moment) -> bool {
            match moment {
                Moment::Segment => {
                    files(&self.db).difference(&self.segments).any(|path| path.extension().is_some_and(|e| e != "tmp"))
                }
                Moment::Headers => files(&self.db.join("headers")).difference(&self.headers).next().is_some(),
                Moment::Manifest => self.db.join("manifest.tmp").exists(),
                Moment::Published => std::fs::read(self.db.join("manifest")).is_ok_and(|now| now != self.manifest),
            }
        }
    }

    /// Kills the program a little after the moment; tells whether it was still at work.
    fn kill_at(mut child: Child, before: &Before, moment: Moment, after: Duration) -> bool {
        let drain = child.stderr.take().map(|stderr| std::thread::spawn(move || std::io::read_to_string(stderr)));
        let patience = Instant::now() + Duration::from_secs(60);
        while !before.has_come(moment) && child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < patience, "{moment:?} never came");
        }
        let since = Instant::now();
        while since.elapsed() < after {
            std::hint::spin_loop();
        }
        let _ = child.kill();
        let status = child.wait().unwrap();
        if let Some(drain) = drain {
            let _ = drain.join();
        }
        assert!(status.success() || status.signal() == Some(9), "{status}");
        status.signal() == Some(9)
    }

    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap().flatten() {
            let to = to.join(entry.file_name());
            if entry.path().is_dir() {
                copy(&entry.path(), &to);
            } else {
                std::fs::copy(entry.path(), to).unwrap();
            }
        }
    }

    /// The games of a database, after everything in it has been proved.
    fn sound(db: &Path, what: &str) -> u32 {
        let health = verify(db).unwrap();
        assert_eq!(health.damaged, [], "{what}");
        let database = Database::open(db).unwrap();
        assert_eq!(database.hits(&Position::start(), false).count(), database.games() as usize, "{what}");
        database.games()
    }

    struct Bench {
        scratch: tempfile::TempDir,
        base: PathBuf,
    }

    impl Bench {
        /// A database of several segments.
        fn new(games: u64, batch: &str) -> Bench {
            let scratch = tempfile::tempdir().unwrap();
            let (pgn, base) = (scratch.path().join("base.pgn"), scratch.path().join("base"));
            write_collection(&pgn, 1..=games);
            let arguments = ["index", pgn.to_str().unwrap(), "--db", base.to_str().unwrap(), "-q", "--batch", batch];
            assert!(yipu(&arguments).output().unwrap().status.success());
            Bench { scratch, base }
        }

        /// Runs the command on a copy of the database again and again and kills it at each kind of moment. `check` gets
        /// the database after each kill and whether the command had ended by then. Answers how many kills hit it at work.
        fn kill(&self, arguments: &[&str], check: impl Fn(&Path, bool, &str)) -> usize {
            let mut random = generator::Random::new(7, kills());
            let mut hit = 0;
            for round in 0..kills().div_ceil(3).max(2) {
                for moment in MOMENTS {
                    let db = self.scratch.path().join("db");
                    let _ = std::fs::remove_dir_all(&db);
                    copy(&self.base, &db);
                    let before = Before::of(&db);
                    let after = Duration::from_micros(if round == 0 { 0 } else { random.skewed(8000) as u64 });
                    let mut all = arguments.to_vec();
                    all.extend(["--db", db.to_str().unwrap(), "-q"]);
                    let at_work = kill_at(yipu(&all).spawn().unwrap(), &before, moment, after);
                    hit += usize::from(at_work);
                    check(&db, !at_work, &format!("{} killed {after:?} after {moment:?}", arguments[0]));
                }
            }
            hit
        }
    }

    #[test]
    fn a_kill_inside_a_commit_leaves_the_old_or_the_new_state() {
        let bench = Bench::new(300, "100");
        let pgn = bench.scratch.path().join("more.pgn");
        write_collection(&pgn, 301..=700);
        let more = pgn.to_str().unwrap();
        let hit = bench.kill(&["index", more, "--batch", "100"], |db, ended, what| {
            let games = sound(db, what);
            assert!((300..=700).contains(&games) && games.is_multiple_of(100), "{what}: {games}");
            assert!(!ended || games == 700, "{what}");
            let again = yipu(&["index", more, "--db", db.to_str().unwrap(), "-q"]).output().unwrap();
            assert!(again.status.success(), "{what}: {}", String::from_utf8_lossy(&again.stderr));
            assert_eq!(sound(db, what), 700);
            assert!(verify(db).unwrap().leftovers.is_empty(), "{what}");
        });
        assert!(hit >= 4, "only {hit} kills hit the program at work");
    }

    #[test]
    fn a_kill_inside_a_merge_loses_no_game() {
        let bench = Bench::new(700, "100");
        let whole = Database::open(&bench.base).unwrap();
        assert!(whole.segment_count() > 3);
        let hit = bench.kill(&["db", "compact"], |db, ended, what| {
            assert_eq!(sound(db, what), 700, "{what}");
            let database = Database::open(db).unwrap();
            assert!(!ended || database.segment_count() == 1, "{what}");
            for number in [1, 350, 700] {
                assert_eq!(database.game(number).unwrap().game, whole.game(number).unwrap().game, "{what}");
            }
            let again = yipu(&["db", "compact", "--db", db.to_str().unwrap()]).output().unwrap();
            assert!(again.status.success(), "{what}: {}", String::from_utf8_lossy(&again.stderr));
            assert_eq!((sound(db, what), Database::open(db).unwrap().segment_count()), (700, 1), "{what}");
            assert!(verify(db).unwrap().leftovers.is_empty(), "{what}");
        });
        assert!(hit >= 3, "only {hit} kills hit the program at work");
    }

    #[test]
    fn a_kill_inside_a_removal_removes_all_of_the_games_or_none() {
        let bench = Bench::new(300, "100");
        let hit = bench.kill(&["db", "remove", "1", "150", "300"], |db, ended, what| {
            let games = sound(db, what);
            assert!(games == 300 || games == 297, "{what}: {games}");
            assert!(!ended || games == 297, "{what}");
            let database = Database::open(db).unwrap();
            assert!([1, 150, 300].iter().all(|&number| database.is_removed(number) == (games == 297)), "{what}");
            let again = yipu(&["db", "remove", "1", "150", "300", "--db", db.to_str().unwrap()]).output().unwrap();
            assert!(again.status.success(), "{what}: {}", String::from_utf8_lossy(&again.stderr));
            assert_eq!(sound(db, what), 297);
            assert!(verify(db).unwrap().leftovers.is_empty(), "{what}");
        });
        assert!(hit >= 3, "only {hit} kills hit the program at work");
    }
}

#[test]
fn a_second_writer_is_refused_and_readers_go_on() {
    use yipu::store::{Writer, WriterOptions};
    let scratch = tempfile::tempdir().unwrap();
    let (pgn, db) = (scratch.path().join("games.pgn"), scratch.path().join("db"));
    write_collection(&pgn, 1..=50);
    let (pgn, db_name) = (pgn.to_str().unwrap(), db.to_str().unwrap());
    assert!(yipu(&["index", pgn, "--db", db_name, "-q"]).output().unwrap().status.success());
    let writer = Writer::open(&db, WriterOptions::default()).unwrap();
    for arguments in [&["index", pgn][..], &["db", "compact"], &["db", "remove", "1"]] {
        let output = yipu(&[arguments, &["--db", db_name, "--lang", "en"]].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("another yipu is writing"), "{arguments:?}");
    }
    assert!(yipu(&["tree", "--db", db_name]).output().unwrap().status.success());
    drop(writer);
    assert!(yipu(&["index", pgn, "--db", db_name, "-q"]).output().unwrap().status.success());
    assert_eq!(Database::open(&db).unwrap().games(), 50);
}

/// Every byte of every file, header index included, as the program writes them.
#[test]
fn any_flipped_byte_of_any_file_is_found() {
    let scratch = tempfile::tempdir().unwrap();
    let (pgn, db) = (scratch.path().join("games.pgn"), scratch.path().join("db"));
    write_collection(&pgn, 1..=3);
    let (pgn, db_name) = (pgn.to_str().unwrap(), db.to_str().unwrap());
    assert!(yipu(&["index", pgn, "--db", db_name, "--batch", "2", "-q"]).output().unwrap().status.success());
    assert!(yipu(&["db", "remove", "2", "--db", db_name, "-q"]).output().unwrap().status.success());
    let below = |folder: &Path| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let headers = below(&db.join("headers"));
    let files: Vec<_> = below(&db).chain(headers).filter(|path| path.is_file()).collect();
    let mut flips = 0;
    let mut folders = std::collections::HashSet::new();
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        let mut damaged = bytes.clone();
        for at in 0..bytes.len() {
            damaged[at] ^= [0x01, 0x80, 0xFF, 0x10][at % 4];
            std::fs::write(&file, &damaged).unwrap();
            let found = verify(&db).map_or(true, |health| !health.damaged.is_empty());
            assert!(found, "{} byte {at}", file.display());
            damaged[at] = bytes[at];
            flips += 1;
        }
        std::fs::write(&file, &bytes).unwrap();
        if !bytes.is_empty() {
            folders.insert(file.parent().unwrap().to_path_buf());
        }
    }
    assert!(folders.len() == 2 && flips > 5000, "{flips} flips in {} folders", folders.len());
    assert_eq!(verify(&db).unwrap().damaged, []);
}
