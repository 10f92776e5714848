//! The database, from outside: what goes in comes out, whatever happens in between.

use crate::generator::{self, Book, Recipe};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use yipu::board::{Move, Position};
use yipu::explore::{Tree, TreeOptions, tree};
use yipu::format::{ReadGame, Status};
use yipu::game::{Game, GameResult, Name, NodeId, PartialDate};
use yipu::store::{Added, Database, Hit, Prepared, Score, Writer, WriterOptions, verify};

fn read(game: Game, number: u64) -> ReadGame {
    ReadGame { game, number, encoding: "utf-8", status: Status::Ok, findings: Vec::new() }
}

fn collection(games: u64, plies: usize) -> Vec<ReadGame> {
    let book = Book::usual();
    let recipe = Recipe { seed: 1, plies, exact: false, players: 300 };
    (1..=games).into_par_iter().map(|n| read(generator::game(&recipe, &book, n), n)).collect()
}

fn batches(games: usize) -> WriterOptions {
    WriterOptions { games, ..WriterOptions::default() }
}

/// Adds games; answers how many were new.
fn index(folder: &Path, games: &[ReadGame], options: WriterOptions) -> usize {
    let mut writer = Writer::open(folder, options).unwrap();
    let prepared: Vec<Prepared> = games.par_iter().cloned().map(Prepared::new).collect();
    let added = prepared.into_iter().map(|game| writer.add(game, "a.pgn").unwrap());
    let new = added.filter(|added| matches!(added, Added::New(_))).count();
    writer.commit().unwrap();
    new
}

/// The answers for some positions, by looking at every position of every game.
struct Scan<'a> {
    games: &'a [ReadGame],
    /// For each position, in the order of the games: where it first stood, and where its mirror image did.
    visits: Vec<Vec<(usize, [Option<u32>; 2])>>,
}

impl<'a> Scan<'a> {
    fn new(games: &'a [ReadGame], wanted: &[Position]) -> Scan<'a> {
        let mut by_key: HashMap<u64, Vec<usize>> = HashMap::new();
        for (n, position) in wanted.iter().enumerate() {
            by_key.entry(position.canonical_key().0).or_default().push(n);
        }
        let images: Vec<[Position; 2]> = wanted.iter().map(|position| [*position, position.mirrored()]).collect();
        let scan_game = |(number, read): (usize, &ReadGame)| {
            let mut found: BTreeMap<usize, [Option<u32>; 2]> = BTreeMap::new();
            let mut position = read.game.start;
            let mut moves = read.game.moves();
            for ply in 0.. {
                for &n in by_key.get(&position.canonical_key().0).into_iter().flatten() {
                    // A position that is its own mirror image counts as itself.
                    if let Some(image) = images[n].iter().position(|image| *image == position) {
                        found.entry(n).or_default()[image].get_or_insert(ply);
                    }
                }
                let Some(m) = moves.next() else { break };
                position.play(m);
            }
            (number, found)
        };
        let mut visits = vec![Vec::new(); wanted.len()];
        for (number, found) in games.par_iter().enumerate().map(scan_game).collect::<Vec<_>>() {
            for (n, plies) in found {
                visits[n].push((number, plies));
            }
        }
        Scan { games, visits }
    }

    fn hits(&self, n: usize, mirror: bool) -> Vec<Hit> {
        let hit = |&(number, [plain, image]): &(usize, [Option<u32>; 2])| {
            let image = image.filter(|_| mirror);
            let mirrored = image.is_some_and(|image| plain.is_none_or(|plain| image < plain));
            let ply = if mirrored { image } else { plain };
            ply.map(|ply| Hit { game: number as u32 + 1, ply, mirrored })
        };
        self.visits[n].iter().filter_map(hit).collect()
    }

    fn tree(&self, n: usize, mirror: bool) -> (u64, BTreeMap<Move, Score>) {
        let hits = self.hits(n, mirror);
        let mut moves: BTreeMap<Move, Score> = BTreeMap::new();
        for hit in &hits {
            let game = &self.games[hit.game as usize - 1].game;
            let Some(m) = game.moves().nth(hit.ply as usize) else { continue };
            let score = moves.entry(if hit.mirrored { m.mirror() } else { m }).or_default();
            match game.result {
                GameResult::RedWins => score.red_wins += 1,
                GameResult::BlackWins => score.black_wins += 1,
                GameResult::Draw => score.draws += 1,
                GameResult::Unknown => score.unknown += 1,
            }
            score.plies += game.moves().count() as u64;
            let year = game.headers.get(Name::Date).and_then(PartialDate::read).map_or(0, |date| date.year);
            score.last_year = score.last_year.max(year);
        }
        (hits.len() as u64, moves)
    }
}

fn assert_same_answers(database: &Database, games: &[ReadGame], positions: &[Position]) {
    let scan = Scan::new(games, positions);
    for (n, position) in positions.iter().enumerate() {
        for mirror in [false, true] {
            let hits: Vec<Hit> = database.hits(position, mirror).map(Result::unwrap).collect();
            assert_eq!(hits, scan.hits(n, mirror), "{position:?} mirror {mirror}");
            let tree: Tree = tree(database, position, &TreeOptions { mirror, among: None }).unwrap();
            let (count, moves) = scan.tree(n, mirror);
            assert_eq!(tree.all.games(), count, "{position:?} mirror {mirror}");
            let found: BTreeMap<Move, Score> = tree.moves.iter().copied().collect();
            assert_eq!(found, moves, "{position:?} mirror {mirror}");
            assert_eq!(tree.ended + moves.values().map(Score::games).sum::<u64>(), count);
            // The same over some of the games: all, none, every third, the last ones.
            let all: Vec<u32> = (1..=games.len() as u32).collect();
            let third: Vec<u32> = all.iter().copied().filter(|game| game % 3 == n as u32 % 3).collect();
            for among in [&all[..], &[], &third, &all[all.len() - all.len() / 10..]] {
                let options = TreeOptions { mirror, among: Some(among) };
                let found = yipu::explore::tree(database, position, &options).unwrap();
                let expected = scan.hits(n, mirror).iter().filter(|hit| among.binary_search(&hit.game).is_ok()).count();
                assert_eq!(found.all.games(), expected as u64, "{position:?} mirror {mirror} among {}", among.len());
                if among.len() == all.len() {
                    assert_eq!(found, tree, "{position:?} mirror {mirror}");
                }
            }
        }
    }
}

/// Positions from all over the games: the start, early ones, late ones, ends.
fn samples(games: &[ReadGame], count: usize) -> Vec<Position> {
    (0..count)
        .map(|n| {
            let game = &games[n * 7919 % games.len()].game;
            let plies = game.moves().count();
            let ply = match n % 4 {
                0 => n / 4 % 12,
                1 => plies / 2,
                2 => plies,
                _ => n * 31 % (plies + 1),
            };
            game.position_at(ply)
        })
        .collect()
}

#[test]
fn every_position_is_found_where_a_full_scan_finds_it() {
    let games = collection(3000, 80);
    let folder = tempfile::tempdir().unwrap();
    // Seventeen batches: eight are merged on the way, twice, and some are left.
    assert_eq!(index(folder.path(), &games, batches(180)), games.len());
    let database = Database::open(folder.path()).unwrap();
    assert_eq!(database.games(), 3000);
    assert!((2..9).contains(&database.segment_count()), "{} segments", database.segment_count());
    assert_same_answers(&database, &games, &samples(&games, 200));
    let start = tree(&database, &Position::start(), &TreeOptions::default()).unwrap();
    assert_eq!(start.all.games(), 3000);
    // A position of no game.
    let empty = Position::from_fen("4k4/9/9/9/9/9/9/9/9/3K5 w").unwrap();
    assert_eq!(database.hits(&empty, true).count(), 0);
    assert_eq!(tree(&database, &empty, &TreeOptions::default()).unwrap().all.games(), 0);
}

#[test]
fn games_come_back_as_they_went_in() {
    let mut games = collection(500, 60);
    let shuffle = Position::from_fen("4k4/4a4/9/9/9/9/9/9/4R4/3K5 b - - 12 30").unwrap();
    let mut odd = Game { start: shuffle, ..Game::default() };
    let a = odd.tree.add(NodeId::ROOT, "e9f9".parse().unwrap());
    let b = odd.tree.add(a, "e1e8".parse().unwrap());
    odd.tree.add(a, "e1e2".parse().unwrap());
    odd.tree.add(b, "f9f8".parse().unwrap());
    odd.tree.comment(b, yipu::game::Place::After, "吃士 🩠");
    odd.rest = "车九平十".into();
    games.push(read(odd, 501));
    games.push(read(Game::default(), 502));
    let folder = tempfile::tempdir().unwrap();
    index(folder.path(), &games, batches(200));
    let database = Database::open(folder.path()).unwrap();
    let all: Vec<_> = database.all_games().map(Result::unwrap).collect();
    assert_eq!(all.len(), games.len());
    for ((number, stored), read) in all.iter().zip(&games) {
        assert_eq!((stored.game.clone(), stored.origin.number), (read.game.clone(), read.number));
        assert_eq!(stored.game.start.to_fen(), read.game.start.to_fen());
        assert_eq!(&database.game(*number).unwrap(), stored);
    }
    assert!(database.game(0).is_err() && database.game(503).is_err());
}

#[test]
fn indexing_twice_changes_nothing_and_appending_equals_a_full_build() {
    let games = collection(900, 60);
    let (full, grown) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    assert_eq!(index(full.path(), &games, batches(usize::MAX)), 900);
    assert_eq!(index(grown.path(), &games[..500], batches(100)), 500);
    assert_eq!(index(grown.path(), &games, batches(70)), 400);
    let before = std::fs::read(grown.path().join("manifest")).unwrap();
    assert_eq!(index(grown.path(), &games, batches(50)), 0);
    assert_eq!(std::fs::read(grown.path().join("manifest")).unwrap(), before);
    let (full, grown) = (Database::open(full.path()).unwrap(), Database::open(grown.path()).unwrap());
    assert_eq!((full.games(), full.positions()), (grown.games(), grown.positions()));
    for position in samples(&games, 60) {
        for mirror in [false, true] {
            let hits = |database: &Database| database.hits(&position, mirror).map(Result::unwrap).collect::<Vec<_>>();
            assert_eq!(hits(&full), hits(&grown));
            let options = TreeOptions { mirror, among: None };
            assert_eq!(tree(&full, &position, &options).unwrap(), tree(&grown, &position, &options).unwrap());
        }
    }
    // Merging everything into one segment gives the very bytes of the full build.
    let folder = grown.folder().to_path_buf();
    let mut writer = Writer::open(&folder, batches(50)).unwrap();
    writer.compact().unwrap();
    drop(writer);
    let compact = Database::open(&folder).unwrap();
    assert_eq!(compact.segment_count(), 1);
    for ending in ["moves", "hash", "keys", "lists", "pages"] {
        let file = |folder: &Path| {
            let mut files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            std::fs::read(files.find(|path| path.extension().is_some_and(|e| e == ending)).unwrap()).unwrap()
        };
        assert!(file(full.folder()) == file(&folder), "{ending} differs");
    }
}

#[test]
fn one_thread_writes_the_bytes_of_many() {
    let games = collection(600, 60);
    let folders: Vec<_> = [1, 4]
        .map(|threads| {
            let folder = tempfile::tempdir().unwrap();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| index(folder.path(), &games, batches(60)));
            folder
        })
        .into();
    let manifests = [0, 1].map(|n: usize| std::fs::read(folders[n].path().join("manifest")).unwrap());
    assert!(manifests[0] == manifests[1], "the manifests, with the hashes of all files, differ");
}

#[test]
fn a_second_writer_is_refused_and_readers_keep_their_state() {
    let games = collection(200, 40);
    let folder = tempfile::tempdir().unwrap();
    index(folder.path(), &games[..100], batches(100));
    let reader = Database::open(folder.path()).unwrap();
    let mut writer = Writer::open(folder.path(), batches(10)).unwrap();
    let refused = Writer::open(folder.path(), batches(10)).unwrap_err();
    assert!(refused.to_string().contains("another yipu"), "{refused}");
    for game in &games[100..] {
        writer.add(Prepared::new(game.clone()), "b.pgn").unwrap();
    }
    writer.compact().unwrap();
    // The old files are gone by name, the open reader does not care.
    assert_eq!(reader.games(), 100);
    assert_eq!(reader.hits(&Position::start(), false).count(), 100);
    assert_eq!(reader.game(100).unwrap().game, games[99].game);
    assert_eq!(Database::open(folder.path()).unwrap().games(), 200);
    drop(writer);
    Writer::open(folder.path(), batches(10)).unwrap();
}

#[test]
fn a_folder_with_other_things_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    assert!(Writer::open(folder.path(), batches(1)).is_err());
    assert!(Database::open(folder.path()).is_err());
    assert!(Database::open(&folder.path().join("missing")).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn every_flipped_byte_is_found_and_none_brings_the_reader_down() {
    let games = collection(400, 60);
    let folder = tempfile::tempdir().unwrap();
    index(folder.path(), &games, batches(150));
    assert_eq!(verify(folder.path()).unwrap().damaged, []);
    let positions = samples(&games, 12);
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() > 15);
    for file in files.iter().filter(|file| file.file_name().is_some_and(|name| name != "lock")) {
        let bytes = std::fs::read(file).unwrap();
        let step = (bytes.len() / 40).max(1);
        let places = (0..bytes.len()).step_by(step).chain((0..8).filter_map(|n| bytes.len().checked_sub(n + 1)));
        for (n, at) in places.enumerate() {
            let mut damaged = bytes.clone();
            damaged[at] ^= [0x01, 0x80, 0xFF, 0x10][n % 4];
            std::fs::write(file, &damaged).unwrap();
            let found = verify(folder.path()).map_or(true, |health| !health.damaged.is_empty());
            assert!(found, "{} byte {at}", file.display());
            // Reading the damaged database may fail or answer less, but must not panic.
            if let Ok(database) = Database::open(folder.path()) {
                for position in &positions {
                    let _ = database.hits(position, true).take(50).filter(Result::is_err).count();
                    let _ = database.counts(position, true);
                }
                for number in [1, 150, 151, 400] {
                    let _ = database.game(number);
                }
            }
        }
        for length in [0, bytes.len() / 2, bytes.len().saturating_sub(1)] {
            std::fs::write(file, &bytes[..length]).unwrap();
            if length < bytes.len() {
                let found = verify(folder.path()).map_or(true, |health| !health.damaged.is_empty());
                assert!(found, "{} cut to {length}", file.display());
                let _ = Database::open(folder.path());
            }
        }
        std::fs::remove_file(file).unwrap();
        assert!(verify(folder.path()).map_or(true, |health| !health.damaged.is_empty()));
        std::fs::write(file, &bytes).unwrap();
    }
    assert_eq!(verify(folder.path()).unwrap().damaged, []);
}

#[test]
fn a_newer_format_is_refused_by_its_number() {
    let folder = tempfile::tempdir().unwrap();
    index(folder.path(), &collection(5, 20), batches(5));
    let path = folder.path().join("manifest");
    let text = std::fs::read_to_string(&path).unwrap();
    let json = text.split_once('\n').unwrap().1;
    let mut hasher = blake3::Hasher::new();
    hasher.update(&99u32.to_le_bytes());
    hasher.update(json.as_bytes());
    let hash = &hasher.finalize().to_hex()[..32];
    std::fs::write(&path, format!("yipu database 99 {hash}\n{json}")).unwrap();
    for error in [Database::open(folder.path()).unwrap_err(), Writer::open(folder.path(), batches(1)).unwrap_err()] {
        assert!(error.to_string().contains("format 99"), "{error}");
    }
}

#[test]
fn leftovers_of_a_crash_are_ignored_and_swept() {
    let folder = tempfile::tempdir().unwrap();
    let games = collection(50, 30);
    index(folder.path(), &games, batches(50));
    for name in ["00000099.keys", "00000099.games", "manifest.tmp"] {
        std::fs::write(folder.path().join(name), "half").unwrap();
    }
    std::fs::write(folder.path().join("README"), "not ours").unwrap();
    let health = verify(folder.path()).unwrap();
    assert_eq!((health.damaged.len(), health.leftovers.len()), (0, 3));
    assert_eq!(Database::open(folder.path()).unwrap().games(), 50);
    drop(Writer::open(folder.path(), batches(50)).unwrap());
    assert!(verify(folder.path()).unwrap().leftovers.is_empty());
    assert!(folder.path().join("README").exists());
}

/// Five small games, given by hand.
fn mini_base() -> Vec<ReadGame> {
    let rows = [
        ("甲一", "乙一", "2021.03.01", GameResult::RedWins, "h2e2 h9g7 h0g2 b9c7 i0h0 i9h9"),
        ("丙三", "甲一", "2022.07.15", GameResult::BlackWins, "h2e2 b9c7 h0g2 h9g7 i0h0 g6g5"),
        ("丁四", "戊五", "2020.11.02", GameResult::Draw, "b2e2 b9c7 b0c2 h9g7 a0b0 a9b9"),
        ("己六", "庚七", "?", GameResult::Unknown, "h2e2 h7e7"),
        ("甲一", "乙一", "2021.03.01", GameResult::Unknown, "h2e2 h9g7 h0g2 b9c7"),
    ];
    let game = |(red, black, date, result, moves): (&str, &str, &str, GameResult, &str)| {
        let mut game = Game { result, ..Game::default() };
        game.headers.push("Red", red);
        game.headers.push("Black", black);
        game.headers.push("Date", date);
        moves.split(' ').fold(NodeId::ROOT, |at, m| game.tree.add(at, m.parse().unwrap()));
        game
    };
    (1..).zip(rows).map(|(n, row)| read(game(row), n)).collect()
}

#[test]
fn the_mini_base_answers_as_its_cases_say() {
    let folder = tempfile::tempdir().unwrap();
    index(folder.path(), &mini_base(), batches(2));
    let database = Database::open(folder.path()).unwrap();
    let hits = |fen: &str, mirror| {
        let position = Position::from_fen(fen).unwrap();
        database.hits(&position, mirror).map(|hit| hit.map(|hit| (hit.game, hit.ply, hit.mirrored)).unwrap()).collect()
    };
    // DB-3: one hit, with its ply.
    let one: Vec<_> = hits("r1bakabr1/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 w", false);
    assert_eq!(one, [(1, 6, false)]);
    // DB-4: the mirror image on request, marked.
    let opening = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w";
    let plain: Vec<_> = hits(opening, false);
    assert_eq!(plain, [(1, 2, false), (5, 2, false)]);
    let both: Vec<_> = hits(opening, true);
    assert_eq!(both, [(1, 2, false), (3, 2, true), (5, 2, false)]);
    // DB-7: unknown results are counted apart.
    let start = tree(&database, &Position::start(), &TreeOptions::default()).unwrap();
    let (m, score) = start.moves[0];
    assert_eq!((m.to_string().as_str(), score.games()), ("h2e2", 4));
    assert_eq!((score.red_wins, score.black_wins, score.draws, score.unknown), (1, 1, 0, 2));
    assert_eq!(yipu::explore::red_percent(&score), Some(50.0));
    assert_eq!(start.all.games(), 5);
    // Only some games.
    let among = tree(&database, &Position::start(), &TreeOptions { mirror: false, among: Some(&[2, 3]) }).unwrap();
    assert_eq!((among.all.games(), among.moves.len()), (2, 2));
}

#[test]
fn the_whole_game_is_indexed() {
    // DB-6: a position 58 plies deep.
    let games: Vec<ReadGame> = (1..=100).map(|n| read(generator::plain_game(n), n)).collect();
    assert_eq!(games.iter().map(|read| read.game.moves().count()).sum::<usize>(), 5919);
    assert_eq!(
        games[0].game.position_at(99).to_board_fen(),
        "1nbakab1r/5C3/8n/2p1p1p1p/9/2P1c4/r3c1P1P/B1C3N2/8R/RN1AKAB2"
    );
    let folder = tempfile::tempdir().unwrap();
    index(folder.path(), &games, batches(30));
    let database = Database::open(folder.path()).unwrap();
    let deep = Position::from_fen("1nbaka2c/9/4brn2/2C5c/4p1p1p/2r3B2/P3P1P1P/2C1K4/3N5/2RANAB1R w").unwrap();
    let hits: Vec<Hit> = database.hits(&deep, false).map(Result::unwrap).collect();
    assert_eq!(hits, [Hit { game: 2, ply: 58, mirrored: false }]);
}

#[test]
fn the_plain_row_of_games_has_its_known_figures() {
    let games: Vec<Game> = (1..=1000u64).into_par_iter().map(generator::plain_game).collect();
    let captures = |game: &Game| {
        let mut position = game.start;
        game.moves().filter(|&m| position.play(m).captured().is_some()).count()
    };
    assert_eq!(games.iter().map(|game| game.moves().count()).sum::<usize>(), 59_565);
    assert_eq!(games.iter().map(captures).sum::<usize>(), 4135);
    assert_eq!(games.iter().filter(|game| game.moves().count() < 60).count(), 18);
    let firsts: Vec<Move> = games.iter().filter_map(|game| game.moves().next()).collect();
    assert_eq!(firsts.iter().collect::<std::collections::HashSet<_>>().len(), 44);
    assert_eq!(firsts.iter().filter(|m| m.to_string() == "h2e2").count(), 27);
    assert_eq!(
        games[1].position_at(60).to_board_fen(),
        "1nbaka2c/9/4b1n2/2C5c/4p1p1p/P1r2rB2/4P1P1P/2C1K4/3N5/2RANAB1R"
    );
}

#[test]
fn real_games_are_found_where_a_full_scan_finds_them() {
    let Some(folder) = crate::support::real_games() else { return };
    let mut games: Vec<ReadGame> = Vec::new();
    let mut faults = 0;
    let inputs: Vec<_> = yipu::input::walk(&[folder], &mut |_| faults += 1).collect();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let options = yipu::pipeline::Options::default();
    let mut hashes = std::collections::HashSet::new();
    let _: Result<(), ()> = yipu::pipeline::run(
        inputs.into_iter(),
        &options,
        &stop,
        |read| read,
        |event| {
            if let yipu::pipeline::Event::Game(read) = event
                && hashes.insert(yipu::game::content_hash(&read.game))
            {
                games.push(read);
            }
            Ok(())
        },
    );
    assert!(games.len() > 10_000, "{} games", games.len());
    let db = tempfile::tempdir().unwrap();
    assert_eq!(index(db.path(), &games, batches(3000)), games.len());
    let database = Database::open(db.path()).unwrap();
    assert_eq!(verify(db.path()).unwrap().damaged, []);
    assert_same_answers(&database, &games, &samples(&games, 300));
    for (n, stored) in database.all_games().enumerate() {
        let (number, stored) = stored.unwrap();
        assert_eq!(number as usize, n + 1);
        assert_eq!(stored.game, games[n].game, "game {number}");
    }
    let start = tree(&database, &Position::start(), &TreeOptions::default()).unwrap();
    let usual = games.iter().filter(|read| read.game.start == Position::start()).count() as u64;
    assert_eq!(start.all.games(), usual);
    assert_eq!(start.moves.iter().map(|(_, score)| score.games()).sum::<u64>() + start.ended, usual);
}

#[test]
fn removed_games_are_gone_from_every_answer_and_stay_out() {
    // DUP-7, and the same with games enough that trees are counted in advance.
    let games = collection(1500, 40);
    let gone: Vec<u32> = (1..=1500).filter(|n| n % 11 == 0).collect();
    let kept: Vec<ReadGame> = (1..).zip(&games).filter(|(n, _)| n % 11 != 0).map(|(_, read)| read.clone()).collect();
    let number_of: Vec<u32> = (1..=1500).filter(|n| n % 11 != 0).collect();
    let folder = tempfile::tempdir().unwrap();
    index(folder.path(), &games, batches(400));
    let mut writer = Writer::open(folder.path(), batches(400)).unwrap();
    assert!(writer.remove(&[5, 1501]).is_err());
    assert_eq!(writer.remove(&gone).unwrap(), gone.len());
    assert_eq!(writer.remove(&gone).unwrap(), 0);
    drop(writer);
    let check = |segments: usize| {
        let database = Database::open(folder.path()).unwrap();
        assert_eq!((database.games() as usize, database.segment_count()), (kept.len(), segments));
        assert!(database.game(11).is_err() && database.all_games().count() == kept.len());
        let positions = samples(&games, 60);
        let scan = Scan::new(&kept, &positions);
        for (n, position) in positions.iter().enumerate() {
            for mirror in [false, true] {
                let hits: Vec<Hit> = database.hits(position, mirror).map(Result::unwrap).collect();
                let expected: Vec<Hit> = scan
                    .hits(n, mirror)
                    .into_iter()
                    .map(|hit| Hit { game: number_of[hit.game as usize - 1], ..hit })
                    .collect();
                assert_eq!(hits, expected, "{position:?}");
                let tree = tree(&database, position, &TreeOptions { mirror, among: None }).unwrap();
                let found: BTreeMap<Move, Score> = tree.moves.iter().copied().collect();
                assert_eq!((tree.all.games(), found), scan.tree(n, mirror), "{position:?}");
            }
        }
        assert_eq!(verify(folder.path()).unwrap().damaged, []);
    };
    check(4);
    // They do not come back.
    let mut writer = Writer::open(folder.path(), batches(400)).unwrap();
    assert_eq!(writer.add(Prepared::new(games[10].clone()), "again.pgn").unwrap(), Added::Excluded(11));
    assert_eq!(writer.add(Prepared::new(games[11].clone()), "again.pgn").unwrap(), Added::Duplicate(12));
    // Compaction leaves their positions out of the files, and the answers as they are.
    let before = Database::open(folder.path()).unwrap().positions();
    writer.compact().unwrap();
    drop(writer);
    assert!(Database::open(folder.path()).unwrap().positions() < before);
    check(1);
    assert_eq!(index(folder.path(), &games, batches(400)), 0);
}
