//! How fast PGN is read, every ply proved legal.
//!
//! `cargo bench --bench pgn -- [SECONDS] [iccs|gbk|utf-8|wxf]`. A file of 20,000 games of up to 80 plies is made in memory, in ICCS (ASCII) and
//! in Chinese (GBK), and read again and again on one thread. With `YIPU_DATA` set, the games are real ones; otherwise
//! they are random legal play by a fixed seed. Before anything is timed, the games read are compared with those written.
//! Time is user CPU time of the process, where the system tells it.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;
use yipu::board::{Move, Position};
use yipu::format::pgn::{PgnReader, PgnWriter};
use yipu::format::{ReadOptions, Reader, Source, Status, WriteOptions, Writer};
use yipu::game::{Game, NodeId};
use yipu::notation::{Notation, Style};

const GAMES: usize = 20_000;
const PLIES: usize = 80;

fn main() {
    let seconds = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(3.0);
    let only = std::env::args().skip(1).find(|word| ["iccs", "gbk", "utf-8", "wxf"].contains(&word.as_str()));
    let lines = std::env::var_os("YIPU_DATA").map_or_else(random_games, |folder| real_games(Path::new(&folder)));
    let plies: usize = lines.iter().map(Vec::len).sum();
    println!("{} games, {plies} plies", lines.len());
    for (name, notation, encoding) in [
        ("ICCS, ASCII", Notation::Iccs, encoding_rs::UTF_8),
        ("Chinese, GBK", Notation::Chinese, encoding_rs::GBK),
        ("Chinese, UTF-8", Notation::Chinese, encoding_rs::UTF_8),
        ("WXF, ASCII", Notation::Wxf, encoding_rs::UTF_8),
    ] {
        if only.as_ref().is_some_and(|only| !name.to_ascii_lowercase().contains(only)) {
            continue;
        }
        let options = WriteOptions { style: Style::of(notation), encoding, main_line: true, ..WriteOptions::default() };
        let mut file = Vec::new();
        for (number, line) in (1..).zip(&lines) {
            PgnWriter.write(&game(number, line), &options, &mut file);
        }
        check(&file, &lines);
        let (mut rounds, start, clock) = (0u32, user_time(), Instant::now());
        while user_time() - start < seconds {
            assert_eq!(read(&file, |_, _| {}), plies);
            rounds += 1;
        }
        let user = (user_time() - start) / f64::from(rounds);
        println!(
            "{name:15} {:5.1} MB  {:6.2} M plies/s  {:7.0} games/s  {:6.1} MB/s  {:5.1} ns a ply  (user time; wall {:.2} s)",
            file.len() as f64 / 1e6,
            plies as f64 / user / 1e6,
            lines.len() as f64 / user,
            file.len() as f64 / user / 1e6,
            user / plies as f64 * 1e9,
            clock.elapsed().as_secs_f64(),
        );
    }
}

/// Reads a file; returns the number of plies.
fn read(file: &[u8], mut see: impl FnMut(usize, &Game)) -> usize {
    let (mut games, mut plies) = (0, 0);
    PgnReader.read(Source::whole(file, "bench.pgn"), &ReadOptions::default(), &mut |read| {
        assert_eq!(read.status, Status::Ok, "{:?}", read.findings);
        see(games, &read.game);
        games += 1;
        plies += read.game.tree.ply_count();
        ControlFlow::Continue(())
    });
    plies
}

fn check(file: &[u8], lines: &[Vec<Move>]) {
    let mut seen = 0;
    read(file, |number, game| {
        assert!(game.moves().eq(lines[number].iter().copied()), "game {}", number + 1);
        seen += 1;
    });
    assert_eq!(seen, lines.len());
}

/// A game with the headers a collection usually has.
fn game(number: usize, line: &[Move]) -> Game {
    let mut game = Game::default();
    let round = (number % 11 + 1).to_string();
    let headers = [
        ("Event", "全国象棋个人赛"),
        ("Round", round.as_str()),
        ("Date", "1998.11.05"),
        ("Site", "深圳"),
        ("RedTeam", "广东"),
        ("Red", "许银川"),
        ("BlackTeam", "上海"),
        ("Black", "胡荣华"),
        ("ECCO", "C42"),
    ];
    for (name, value) in headers {
        game.headers.push(name, value);
    }
    let mut node = NodeId::ROOT;
    for &m in line {
        node = game.tree.add(node, m);
    }
    game
}

fn random_games() -> Vec<Vec<Move>> {
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 33) as usize % below
    };
    let line = |_| {
        let mut position = Position::start();
        let mut line = Vec::with_capacity(PLIES);
        while line.len() < PLIES {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[random(moves.len())];
            position.play(m);
            line.push(m);
        }
        line
    };
    (0..GAMES).map(line).collect()
}

/// Main lines of the real PGN games from the start position, again and again until there are enough.
fn real_games(folder: &Path) -> Vec<Vec<Move>> {
    let list = std::fs::read_to_string(folder.join("MANIFEST.tsv")).expect("YIPU_DATA names the folder of real games");
    let mut lines = Vec::new();
    for row in list.lines().skip(1).filter(|row| row.starts_with("pgn\t")).step_by(4) {
        let path = folder.join(row.rsplit('\t').next().unwrap_or_default());
        let bytes = std::fs::read(path).unwrap_or_default();
        PgnReader.read(Source::whole(&bytes, ""), &ReadOptions::default(), &mut |read| {
            if read.game.start == Position::start() && read.status == Status::Ok {
                lines.push(read.game.moves().take(PLIES).collect());
            }
            ControlFlow::Continue(())
        });
    }
    lines.into_iter().cycle().take(GAMES).collect()
}

/// User CPU time of this process in seconds; wall time where the system does not tell it.
fn user_time() -> f64 {
    let Ok(stat) = std::fs::read_to_string("/proc/self/stat") else {
        static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
        return START.elapsed().as_secs_f64();
    };
    // The name, in brackets, may hold blanks; user time is the twelfth field behind it, in hundredths.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    fields.split_whitespace().nth(11).and_then(|ticks| ticks.parse::<f64>().ok()).unwrap_or(0.0) / 100.0
}
