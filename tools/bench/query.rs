//! Measures every kind of query on a database, beside a linear scan of the same games, in one run.
//!
//! `YIPU_BENCH_DB=folder cargo bench --bench query`: any database; without it, one of 20,000 generated games is made in
//! memory. Words after `--` choose the queries that contain one of them, or are of that kind. Each answer is first compared with that of the scan, then timed: the best of five, as elapsed time and as
//! processor time of all threads (other programs may run beside it). The last lines are the peak of memory of the queries
//! (before the scans touch every game) and of everything.

#[path = "../generator.rs"]
#[allow(dead_code)]
mod generator;

use generator::{Book, Random, Recipe};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use yipu::board::Position;
use yipu::explore::{TreeOptions, tree};
use yipu::format::{ReadGame, Status};
use yipu::game::Name;
use yipu::names::{Aliases, Needle, Place};
use yipu::query::parse;
use yipu::search::headers::HeaderSide;
use yipu::search::{Scanner, Searcher};
use yipu::store::{Database, Prepared, Writer, WriterOptions};

fn main() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = std::env::var_os("YIPU_BENCH_DB").map_or_else(|| scratch.path().join("db"), PathBuf::from);
    if Database::open(&folder).is_err() {
        build(&folder, 20_000);
    }
    let (open, database) = best(|| Database::open(&folder).expect("the database opens"));
    let searcher = Searcher::open(&database, Aliases::default()).expect("the header index opens");
    println!(
        "{} games, {} segments, {} threads, {:.0} bytes a game; opening {}; header index {}",
        database.games(),
        database.segment_count(),
        rayon::current_num_threads(),
        database.bytes() as f64 / f64::from(database.games()),
        open,
        best(|| Searcher::open(&database, Aliases::default()).expect("the header index opens")).0,
    );
    let name = a_name(&database);
    let [some, late] = positions(&database);
    let late_fen = late.to_fen();
    let queries = [
        ("header", format!("player:{name}")),
        ("header", "date:1998..2001 result:black".to_string()),
        ("header", format!("event:象棋甲级 -player:{name}")),
        ("header", "date:1995.03..2003.10.15".to_string()),
        ("header", "-date:..1999".to_string()),
        ("header", "result:red".to_string()),
        ("header", "plies:79..".to_string()),
        ("header", "ecco:C00..C99".to_string()),
        ("header", "player:王".to_string()),
        ("header", "player:wang -event:象棋甲级 date:..2010 (result:draw OR plies:..70)".to_string()),
        ("header", "opening:中炮".to_string()),
        ("header", "file:generated".to_string()),
        ("position", format!("fen:\"{late_fen}\"")),
        ("pattern", "pattern:\"R@e4 n@e7\"".to_string()),
        ("pattern", "pattern:\"R@e9\"".to_string()),
        ("pattern", "pattern:\"P@{2,}[a-i]5-9 !r@*\"".to_string()),
        ("pattern", "pattern:\"P@{3,}[a-i]6-9\"".to_string()),
        ("pattern", "pattern:\"N@[c4 e4 g4] p@[a-i]4 C@e2\"".to_string()),
        ("pattern", "pattern:\".@e3 .@e4 .@e5 .@e6 !C@* c@*\"".to_string()),
        ("pattern", "pattern:\".@{75,}*\"".to_string()),
        ("pattern", "pattern:\"N@e4 c@e7\" mirror:yes swap:yes".to_string()),
        ("material", "material:RNvRC".to_string()),
        ("capture", "capture:Pxr".to_string()),
        ("sequence", "sequence:\"C@e2 ; n@e5 ; R@e9\"".to_string()),
        ("mate", "mate:yes".to_string()),
    ];
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |kind: &str, text: &str| {
        wanted.is_empty() || wanted.iter().any(|word| kind.contains(word.as_str()) || text.contains(word.as_str()))
    };
    let queries: Vec<_> = queries.into_iter().filter(|(kind, text)| is_wanted(kind, text)).collect();
    let stop = AtomicBool::new(false);
    let query = parse("date:1998..2001 result:black").expect("a query");
    let cold = || Searcher::open(&database, Aliases::default())?.games(&query, &stop);
    println!(
        "header   {}: opening the header index and asking it for the first time",
        best(|| cold().expect("games")).0
    );
    let mut answers = Vec::new();
    for (kind, text) in &queries {
        let query = parse(text).expect("a query");
        let answer = || searcher.prepare(&query).and_then(|prepared| prepared.games(&stop)).expect("an answer");
        let (time, games) = best(answer);
        let (first, _) =
            best(|| searcher.prepare(&query).and_then(|prepared| prepared.run(Some(50), &stop)).expect("hits"));
        println!("{kind:8} {time}, first fifty with places {first}: {} games: {text}", games.len());
        answers.push(games);
    }
    for (name, query) in [("all games", ""), ("filtered", "date:1995.. result:red"), ("filtered", "player:王")] {
        if !is_wanted("tree", query) {
            continue;
        }
        let among = (!query.is_empty()).then(|| {
            let query = parse(query).expect("a query");
            searcher.games(&query, &stop).expect("an answer").iter().collect::<Vec<u32>>()
        });
        for (place, position) in [("start", &Position::start()), ("an opening", &some)] {
            let options = TreeOptions { mirror: false, among: among.as_deref() };
            let (time, found) = best(|| tree(&database, position, &options).expect("a tree"));
            println!("tree     {time}: {name} {query:?}, {place}, {} games", found.all.games());
        }
    }
    println!("peak of memory of the queries: {}", memory());
    // The way of programs without an index: look at every game.
    let numbers: Vec<u32> = database.numbers().collect();
    for ((kind, text), expected) in queries.iter().zip(&answers) {
        let query = parse(text).expect("a query");
        if query.terms.iter().any(|term| !term.is_on_board()) || *kind == "position" {
            continue;
        }
        let scanner = Scanner::new(&query.terms, |_| true, query.mirror, query.swap);
        let scan = || -> Vec<u32> {
            let hits = numbers.par_iter().filter(|&&game| {
                let line = database.line(game).expect("a line");
                let mut places = Vec::new();
                scanner.scan_line(&line, &mut places);
                places.iter().all(Option::is_some)
            });
            hits.copied().collect()
        };
        let (time, found) = best(scan);
        assert_eq!(found, expected.iter().collect::<Vec<_>>(), "{text}");
        println!("scan     {time}: {text}");
    }
    if !is_wanted("header", "") {
        return;
    }
    let needle = Needle::new(&name).expect("a name");
    let (time, found) = best(|| {
        let has = |number: &&u32| {
            let game = database.game(**number).expect("a game").game;
            let of = |name| game.headers.get(name).is_some_and(|text| needle.is_in(text, Place::Name));
            of(Name::Red) || of(Name::Black)
        };
        // Opening each game costs most: a tenth is enough to tell.
        numbers.par_iter().step_by(10).filter(has).count()
    });
    println!("scan     {time} for every tenth game, {found} found: player:{name}");
    println!("peak of memory with the scans: {}", memory());
}

/// Elapsed and processor time.
#[derive(Clone, Copy)]
struct Time(Duration, Duration);

impl std::fmt::Display for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2?} (cpu {:.1?})", self.0, self.1)
    }
}

fn best<T>(work: impl Fn() -> T) -> (Time, T) {
    let mut best: Option<(Time, T)> = None;
    for _ in 0..5 {
        let (begin, cpu) = (Instant::now(), processor_time());
        let result = work();
        let time = Time(begin.elapsed(), processor_time().saturating_sub(cpu));
        if best.as_ref().is_none_or(|(known, _)| time.0 < known.0) {
            best = Some((time, result));
        }
    }
    best.expect("five runs")
}

/// Processor time of all threads of this process so far, where the system tells it.
fn processor_time() -> Duration {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let of = |thread: std::fs::DirEntry| {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
        text.split_whitespace().next().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0)
    };
    Duration::from_nanos(threads.map(of).sum())
}

fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let of = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        let kib = line.split_whitespace().nth(1).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
        kib / 1024
    };
    format!("{} MiB ({} MiB of its own, the rest are pages of mapped files now)", of("VmHWM"), of("RssAnon"))
}

fn a_name(database: &Database) -> String {
    let named = database.numbers().step_by(97).filter_map(|number| {
        let game = database.game(number).ok()?.game;
        game.headers.get(Name::Red).map(str::to_string)
    });
    named.max_by_key(|name| name.len()).expect("a name")
}

/// A position after some plies of an opening, and one late in a game.
fn positions(database: &Database) -> [Position; 2] {
    let number = database.numbers().nth(database.games() as usize / 2).expect("a game");
    let at = |ply: usize| {
        let line = database.line(number).expect("a line");
        let mut position = line.start();
        line.moves().take(ply).for_each(|m| {
            position.play(m);
        });
        position
    };
    [at(4), at(60)]
}

fn build(folder: &Path, games: u64) {
    let book = Book::usual();
    let recipe = Recipe { seed: 1, plies: 80, exact: true, players: 5000 };
    let mut writer = Writer::open(folder, WriterOptions::default()).expect("a new database");
    let (headers, generation) = writer.headers_place().expect("a place for headers");
    writer.set_side(Box::new(HeaderSide::open(&headers, generation).expect("a header index"))).expect("a header index");
    let mut random = Random::new(1, 1);
    let prepared: Vec<Prepared> = (1..=games)
        .map(|number| number + (random.below(2) as u64) * games)
        .collect::<Vec<_>>()
        .into_par_iter()
        .map(|number| {
            let game = generator::game(&recipe, &book, number);
            Prepared::new(ReadGame { game, number, encoding: "utf-8", status: Status::Ok, findings: Vec::new() })
        })
        .collect();
    for game in prepared {
        writer.add(game, "generated.pgn").expect("a game is added");
    }
    writer.commit().expect("the last batch");
}
