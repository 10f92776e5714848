//! PGN over the real games.

use crate::support::real_games;
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use yipu::diag::{Finding, Severity};
use yipu::format::pgn::{PgnReader, PgnWriter};
use yipu::format::{ReadGame, ReadOptions, Reader, Source, Status, WriteOptions, Writer};
use yipu::game::Game;

/// Files of these kinds in the list of real games: path and encoding as listed.
pub fn listed(folder: &Path, kinds: &[&str]) -> Vec<(PathBuf, String)> {
    let list = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let rows = list.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    rows.filter(|row| kinds.contains(&row[0])).map(|row| (folder.join(row[4]), row[3].to_string())).collect()
}

fn read(bytes: &[u8], file: &str) -> (Vec<ReadGame>, Vec<Finding>) {
    let mut games = Vec::new();
    let findings = PgnReader.read(Source::whole(bytes, file), &ReadOptions::default(), &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    });
    (games, findings)
}

#[test]
fn nearly_every_real_game_replays_and_the_others_say_why() {
    let Some(folder) = real_games() else { return };
    let files = listed(&folder, &["pgn"]);
    let rows: Vec<_> = files
        .par_iter()
        .map(|(path, encoding)| {
            let (games, findings) = read(&std::fs::read(path).unwrap(), &path.to_string_lossy());
            (path, encoding, games, findings)
        })
        .collect();
    let (mut all, mut whole) = (0, 0);
    for (path, encoding, games, findings) in &rows {
        all += games.len();
        let expected = match encoding.as_str() {
            "big5" => "big5",
            "gb2312" | "gbk" | "gb18030" => "gb18030",
            _ => "utf-8",
        };
        for game in games {
            assert_eq!(game.encoding, expected, "{}: {findings:?}", path.display());
            if game.status == Status::Ok {
                whole += 1;
            } else {
                let errors = game.findings.iter().filter(|finding| finding.severity == Severity::Error);
                assert!(errors.clone().any(|finding| finding.line.is_some()), "{}", path.display());
                errors.for_each(|finding| println!("{finding}"));
            }
        }
    }
    assert_eq!((files.len(), all), (11_896, 13_342));
    assert!(whole >= 13_330, "{whole} of {all}");
}

/// What must be the same in a game that was written and read again. Headers may be reordered and `White` becomes `Red`.
fn essence(game: &Game) -> (Vec<(String, String)>, String) {
    let mut headers: Vec<_> = game
        .headers
        .iter()
        .map(|(name, value)| (name.to_lowercase().replace("white", "red"), value.to_string()))
        .collect();
    headers.sort();
    let rest = format!("{:?} {} {} {:?} {:?}", game.start, game.result, game.rest, game.trailer, game.tree);
    (headers, rest)
}

#[test]
fn real_games_written_and_read_again_are_the_same() {
    let Some(folder) = real_games() else { return };
    let files = listed(&folder, &["pgn", "pgn_iccs", "pgn_zh"]);
    files.par_iter().for_each(|(path, _)| {
        let (games, _) = read(&std::fs::read(path).unwrap(), "");
        let mut out = Vec::new();
        for game in &games {
            PgnWriter.write(&game.game, &WriteOptions::default(), &mut out);
        }
        let (again, _) = read(&out, "");
        assert_eq!(again.len(), games.len(), "{}", path.display());
        for (again, game) in again.iter().zip(&games) {
            assert_eq!(essence(&again.game), essence(&game.game), "{}", path.display());
        }
    });
}

#[test]
fn prose_and_pages_hold_no_game() {
    let Some(folder) = real_games() else { return };
    let files = listed(&folder, &["txt", "htm", "html"]);
    let games: Vec<_> = files
        .par_iter()
        .map(|(path, _)| (path, read(&std::fs::read(path).unwrap(), "").0))
        .filter(|(_, games)| !games.is_empty())
        .collect();
    for (path, games) in &games {
        println!(
            "{}: {} {:?}",
            path.display(),
            games.len(),
            games.iter().map(|g| g.game.tree.ply_count()).collect::<Vec<_>>()
        );
    }
}
