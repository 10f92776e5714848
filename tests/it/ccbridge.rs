//! CBR and CBL over the published example, made-up files and real ones.

use crate::support::real_games;
use crate::xqf::{bytes, comment, lines};
use std::ops::ControlFlow;
use yipu::board::Position;
use yipu::diag::Finding;
use yipu::format::{Detected, Format, ReadGame, ReadOptions, Source, Status, WriteOptions, detect, reader, writer};
use yipu::game::{Game, GameResult, Name};

/// Reads all games of a file whose format is found from its content.
pub fn read_all(file: &[u8]) -> (Vec<ReadGame>, Vec<Finding>) {
    let Detected::Format { reader, .. } = detect(file) else { panic!("{:?}", detect(file)) };
    read_as(reader.format(), file)
}

/// Reads all games of a file in a given format.
pub fn read_as(format: Format, file: &[u8]) -> (Vec<ReadGame>, Vec<Finding>) {
    let reader = reader(format).unwrap();
    let mut games = Vec::new();
    let findings = reader.read(Source::whole(file, "test"), &ReadOptions::default(), &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    });
    (games, findings)
}

/// Writes games and reads them back.
pub fn there_and_back(format: Format, games: &[Game]) -> Vec<ReadGame> {
    let writer = writer(format).unwrap();
    let mut pieces = games.iter().map(|game| {
        let mut out = Vec::new();
        writer.write(game, &WriteOptions::default(), &mut out);
        out
    });
    let mut file = Vec::new();
    writer.join(&mut pieces, &mut file).unwrap();
    let mut back = Vec::new();
    reader(format).unwrap().read(Source::whole(&file, "test"), &ReadOptions::default(), &mut |game| {
        back.push(game);
        ControlFlow::Continue(())
    });
    back
}

fn put(file: &mut [u8], at: usize, hex: &str) {
    let value = bytes(hex);
    file[at..at + value.len()].copy_from_slice(&value);
}

fn example() -> Vec<u8> {
    let mut file = vec![0; 2214];
    file[..16].copy_from_slice(b"CCBridge Record\0");
    put(&mut file, 16, "00000002 33221100 55447766 8899AABB CCDDEEFF");
    put(&mut file, 180, "3A798B4F");
    put(&mut file, 692, "4B6DD58B5B8D");
    put(&mut file, 948, "1753AC4E");
    put(&mut file, 1076, "3275");
    put(&mut file, 1300, "594E");
    put(&mut file, 2040, "01000000");
    put(&mut file, 2076, "01000000");
    put(&mut file, 2112, "0100000001000000");
    put(&mut file, 2120, "2122232425242322210000000000000000000026");
    file[2120 + 25] = 0x26;
    for column in 0..9 {
        if column % 2 == 0 {
            file[2120 + 27 + column] = 0x27;
            file[2120 + 54 + column] = 0x17;
        }
    }
    file[2120 + 64] = 0x16;
    file[2120 + 70] = 0x16;
    put(&mut file, 2201, "111213141514131211");
    put(&mut file, 2210, "FFFFFFFF");
    file.extend(bytes(
        "04000000 04000000 005FCB59 04004643 04000000 2D4EAE70 02000718 00005845 01000807 00001916 01005845",
    ));
    file
}

#[test]
fn the_published_record_is_read() {
    let (games, findings) = read_all(&example());
    assert_eq!((games.len(), findings), (1, vec![]));
    let ReadGame { game, status, findings, .. } = &games[0];
    assert_eq!((*status, findings.as_slice()), (Status::Ok, [].as_slice()));
    assert_eq!(game.start, Position::start());
    assert_eq!(lines(&game.tree), ["h2e2 h9g7 h0g2 i9h9", "h2e2 h7e7 h0g2"]);
    assert_eq!(comment(game, &[]).as_deref(), Some("开始"));
    assert_eq!(comment(game, &["h2e2"]).as_deref(), Some("中炮"));
    assert_eq!(game.headers.get(Name::Event), Some("测试赛"));
    assert_eq!(game.result, GameResult::RedWins);
    assert_eq!(there_and_back(Format::Cbr, std::slice::from_ref(game))[0].game, *game);
}

#[test]
fn records_are_found_even_when_the_index_is_empty() {
    // The recipe of annex 1: no index entries, a count of two, records from 101,952 on.
    let mut file = vec![0; 101_952];
    file[..16].copy_from_slice(b"CCBridgeLibrary\0");
    file[60] = 2;
    for _ in 0..2 {
        file.extend(example());
        file.resize(file.len().div_ceil(4096) * 4096 + 101_952 % 4096, 0);
    }
    let (games, findings) = read_all(&file);
    assert_eq!(games.len(), 2);
    assert_eq!(findings.iter().map(|finding| finding.code.id()).collect::<Vec<_>>(), ["F210"]);
    assert!(games.iter().all(|game| game.game.tree.ply_count() == 6));
}

#[test]
fn a_broken_record_or_library_gives_findings() {
    let record = example();
    for length in 16..record.len() {
        let (games, findings) = read_all(&record[..length]);
        assert!(games.iter().all(|game| !game.findings.is_empty()) && games.len() + findings.len() > 0, "{length}");
    }
    let game = read_all(&record).0.remove(0).game;
    let mut library = Vec::new();
    let writer = writer(Format::Cbl).unwrap();
    let mut pieces = std::iter::repeat_n(record, 3);
    writer.join(&mut pieces, &mut library).unwrap();
    assert_eq!(library.len(), 66_624 + 276 * 128 + 3 * 4096);
    let (games, findings) = read_all(&library);
    assert_eq!((games.len(), findings), (3, vec![]));
    assert!(games.iter().all(|read| read.game == game));
    let mut seed = 1u32;
    for _ in 0..300 {
        let mut broken = library.clone();
        for _ in 0..4 {
            seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
            let places = [seed as usize % 128, 66_624 + seed as usize % 1000, 101_952 + seed as usize % 12_000];
            broken[places[seed as usize >> 16 & 1]] = (seed >> 5) as u8;
            broken[places[2]] = (seed >> 7) as u8;
        }
        read_as(Format::Cbl, &broken);
        read_as(Format::Cbl, &broken[..broken.len() - (seed >> 8) as usize % 30_000]);
    }
}

#[test]
fn every_record_of_the_real_libraries_replays_and_survives_writing() {
    let Some(folder) = real_games() else { return };
    let files = [
        ("walker8088+cchess/games/古谱/专辑何顺安.CBL", 13, 0),
        ("walker8088+cchess/tests/data/1956年全国象棋锦标赛93局.CBL", 93, 0),
        ("walker8088+cchess/tests/data/1989年龙化杯象棋名师邀请赛35局.CBL", 37, 1),
        ("walker8088+cchess/tests/test.cbr", 1, 0),
    ];
    for (path, count, deleted) in files {
        let file = std::fs::read(folder.join(path)).unwrap();
        let (games, findings) = read_all(&file);
        assert_eq!((games.len(), findings.len()), (count, deleted), "{path}: {findings:?}");
        for game in &games {
            assert_eq!(game.status, Status::Ok, "{path} {}: {:?}", game.number, game.findings);
        }
        let games: Vec<Game> = games.into_iter().map(|read| read.game).collect();
        for format in [Format::Cbl, Format::Xqf] {
            for (game, number) in games.iter().zip(1..) {
                let mut back = there_and_back(format, std::slice::from_ref(game)).remove(0).game;
                let sorted = |game: &Game| {
                    let mut headers: Vec<_> =
                        game.headers.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
                    headers.sort();
                    headers
                };
                assert_eq!(sorted(&back), sorted(game), "{path} {number} {format}");
                back.headers = game.headers.clone();
                assert_eq!(back, *game, "{path} {number} {format}");
            }
        }
    }
}
