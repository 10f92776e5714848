//! The quick way gives what the careful way gives: over made games, damaged ones, and the real ones.

use super::PgnWriter;
use super::express::Express;
use super::read;
use crate::board::Position;
use crate::diag::Finding;
use crate::format::{ReadGame, ReadOptions, Source, WriteOptions, Writer};
use crate::game::{Game, GameResult, Tree};
use crate::notation::{Digits, Notation, Script, Style};
use encoding_rs::{BIG5, Encoding, GB18030, UTF_8};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

struct Read {
    games: Vec<ReadGame>,
    findings: Vec<Finding>,
    /// How many games went the quick way.
    taken: usize,
}

fn read_by(bytes: &[u8], mut express: Option<Express>) -> Read {
    let mut games = Vec::new();
    let source = Source { first_byte: 0, ..Source::whole(bytes, "test.pgn") };
    let findings = read::read(
        source,
        &ReadOptions::default(),
        &mut |game| {
            games.push(game);
            ControlFlow::Continue(())
        },
        &mut express,
    );
    Read { games, findings, taken: express.map_or(0, |express| express.taken) }
}

/// Reads both ways, compares, and tells how many games went the quick way.
fn both(bytes: &[u8], what: &dyn Fn() -> String) -> (usize, usize) {
    let (quick, careful) = (read_by(bytes, Some(Express::default())), read_by(bytes, None));
    assert_eq!(careful.taken, 0);
    assert_eq!(quick.findings, careful.findings, "{}", what());
    assert_eq!(quick.games.len(), careful.games.len(), "{}", what());
    for (quick, careful) in quick.games.iter().zip(&careful.games) {
        assert_eq!(quick.game, careful.game, "{}", what());
        let counters = |game: &ReadGame| (game.game.start.quiet_plies(), game.game.start.round());
        assert_eq!(counters(quick), counters(careful), "{}", what());
        assert_eq!(quick.findings, careful.findings, "{}", what());
        let rest = |game: &ReadGame| (game.number, game.encoding, game.status);
        assert_eq!(rest(quick), rest(careful), "{}", what());
    }
    (quick.taken, quick.games.len())
}

struct Random(u64);

impl Random {
    fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % below
    }
}

/// A game of random legal play, from the usual start or from a position in the middle of such a game.
fn game(random: &mut Random, plies: usize) -> Game {
    let mut position = Position::start();
    let mut moves = Vec::new();
    let before = [0, 0, 30][random.below(3)];
    let mut start = position;
    for ply in 0..before + plies {
        if ply == before {
            start = position;
            moves.clear();
        }
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let m = legal[random.below(legal.len())];
        position.play(m);
        moves.push(m);
    }
    let mut game = Game { start, tree: Tree::of_line(&moves), ..Game::default() };
    for (name, value) in [("Event", "全国象棋个人赛"), ("Red", "许银川"), ("Black", "胡荣华"), ("Date", "1998.11.05")]
    {
        game.headers.push(name, value);
    }
    game.result = [GameResult::RedWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown][random.below(4)];
    game
}

fn file(random: &mut Random, style: Style, encoding: &'static Encoding, plies: usize) -> Vec<u8> {
    let options = WriteOptions { style, encoding, ..WriteOptions::default() };
    let mut bytes = Vec::new();
    for _ in 0..4 {
        PgnWriter.write(&game(random, plies), &options, &mut bytes);
    }
    bytes
}

fn styles() -> Vec<(Style, &'static Encoding)> {
    let wide = Style { digits: Digits::FullWidth, ..Style::default() };
    let mut styles = vec![(wide, GB18030), (Style { script: Script::Traditional, ..Style::default() }, BIG5)];
    for notation in [Notation::Chinese, Notation::Wxf, Notation::Iccs, Notation::Uci] {
        styles.extend([UTF_8, GB18030].map(|encoding| (Style::of(notation), encoding)));
    }
    styles
}

#[test]
fn plain_games_go_the_quick_way_and_are_the_same() {
    let mut random = Random(11);
    for (style, encoding) in styles() {
        let (mut quick, mut all) = (0, 0);
        for _ in 0..12 {
            let bytes = file(&mut random, style, encoding, 120);
            let (taken, games) = both(&bytes, &|| String::from_utf8_lossy(&bytes).into_owned());
            quick += taken;
            all += games;
        }
        assert_eq!(all, 48);
        // UCI counts ranks from 1, which the first plies have to show.
        let least = if style.notation == Notation::Uci { 0 } else { 36 };
        assert!(quick >= least, "{style:?} {}: {quick} of {all}", encoding.name());
    }
}

/// Pieces of text that mean something to one of the ways.
const BITS: &[&[u8]] = &[
    b" ",
    b"\n",
    b"\r\n\r\n",
    b".",
    b"..",
    b"...",
    b"1.",
    b"1. ",
    b"12.",
    b"*",
    b"1-0",
    b"0-1",
    b"1/2-1/2",
    b"1/2",
    b"-",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b"[Event \"x\"]\n",
    b"[Game \"x\"]\r\n",
    b"[FEN \"\"]\n",
    b"[Result \"0-1\"]\n",
    b"{",
    b"}",
    b"(",
    b")",
    b";",
    b"%",
    b"!",
    b"?",
    b"+",
    b"#",
    b"$1",
    b"h2e2",
    b"C2.5",
    b"G4+5",
    b"/*",
    b"*/",
    b"\xB2",
    b"\xC5\xDA",
    b"\xFF",
    b"\xEF\xBC\x8E",
    b"\xE2\x80\xA6",
    b"\xE5\xB9\xB3",
    b"\xE5\xAE\x8C",
    b"\x00",
    b"\t",
    b"\xA1\xA1",
    b"\xE3\x80\x80",
    b"m8+7",
    b"[%clk 0:01:02]",
    b"\n[Red \"y\"] [Black \"z\"]\n",
    b"http://x.com",
    b"\xBA\xEC\xCA\xA4",
    b"\xE7\xBA\xA2\xE8\x83\x9C",
];

fn damage(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(3) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => {
                bytes.remove(at);
            }
            1 => bytes[at] = random.below(256) as u8,
            2 => bytes.truncate(at + 1),
            3 => {
                let to = (at + random.below(40)).min(bytes.len());
                let copied = bytes[at..to].to_vec();
                let into = random.below(bytes.len());
                bytes.splice(into..into, copied);
            }
            _ => {
                let bit = BITS[random.below(BITS.len())];
                bytes.splice(at..at, bit.iter().copied());
            }
        }
    }
}

#[test]
fn damaged_games_are_read_alike_both_ways() {
    let mut random = Random(23);
    let mut quick = 0;
    for (style, encoding) in styles() {
        for _ in 0..20 {
            let whole = file(&mut random, style, encoding, 16);
            for _ in 0..12 {
                let mut bytes = whole.clone();
                damage(&mut bytes, &mut random);
                quick += both(&bytes, &|| format!("{}\n{bytes:?}", String::from_utf8_lossy(&bytes))).0;
            }
        }
    }
    assert!(quick > 2000, "{quick}");
}

#[test]
fn small_files_of_oddities_are_read_alike_both_ways() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut files = 0;
    for path in [folder.clone(), folder.join("oddities")].iter().flat_map(|folder| std::fs::read_dir(folder).unwrap()) {
        let path = path.unwrap().path();
        if path.is_file() {
            both(&std::fs::read(&path).unwrap(), &|| path.display().to_string());
            files += 1;
        }
    }
    assert!(files > 10, "{files}");
}

#[test]
fn real_games_are_read_alike_both_ways_whole_and_damaged() {
    let Some(folder) = std::env::var_os("YIPU_DATA").map(PathBuf::from) else {
        eprintln!("skipped: YIPU_DATA names no folder of real games");
        return;
    };
    let list = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let mut random = Random(37);
    let (mut quick, mut all) = (0, 0);
    for row in list.lines().skip(1).filter(|row| row.starts_with("pgn")) {
        let path = folder.join(row.rsplit('\t').next().unwrap());
        let mut bytes = std::fs::read(&path).unwrap();
        if bytes.is_empty() {
            continue;
        }
        let (taken, games) = both(&bytes, &|| path.display().to_string());
        quick += taken;
        all += games;
        if bytes.len() < 1 << 16 {
            damage(&mut bytes, &mut random);
            both(&bytes, &|| format!("{} damaged: {}", path.display(), String::from_utf8_lossy(&bytes)));
        }
    }
    println!("{quick} of {all} games went the quick way");
    assert!(all >= 13_412, "{all}");
}
