//! The same game in different formats and encodings is the same game, over the real files.

use crate::ccbridge::read_all;
use crate::formats::real;
use crate::support::real_games;
use crate::xqf::lines;
use rayon::prelude::*;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use yipu::format::ReadGame;
use yipu::game::{Game, Name};
use yipu::text::fold::fold;

fn games(path: &Path) -> Vec<ReadGame> {
    read_all(&std::fs::read(path).unwrap()).0
}

/// Lines and comments, whatever the order in which a format stores them.
fn content(game: &Game) -> (String, Vec<String>, Vec<String>) {
    let mut lines = lines(&game.tree);
    lines.sort();
    let mut comments: Vec<String> = game.tree.comments().iter().map(|c| c.text.trim().to_string()).collect();
    comments.sort();
    (game.start.to_board_fen(), lines, comments)
}

#[test]
fn the_records_of_a_library_are_their_xqf_twins() {
    let Some(folder) = real_games() else { return };
    let records = games(&folder.join("walker8088+cchess/games/古谱/专辑何顺安.CBL"));
    let wanted: Vec<Vec<_>> = records.iter().map(|record| record.game.moves().collect()).collect();
    let twins: Vec<(usize, String, Game)> = real("xqf")
        .unwrap()
        .par_iter()
        .flat_map_iter(|(path, file)| {
            let game = games(file).remove(0).game;
            let moves: Vec<_> = game.moves().collect();
            let same = wanted.iter().position(|wanted| !moves.is_empty() && *wanted == moves);
            same.map(|index| (index, path.clone(), game))
        })
        .collect();
    let found: std::collections::BTreeSet<usize> = twins.iter().map(|(index, ..)| *index).collect();
    assert!(found.len() >= 3, "{found:?}");
    for (index, path, twin) in &twins {
        assert_eq!(content(&records[*index].game), content(twin), "record {} and {path}", index + 1);
    }
}

#[test]
fn a_book_in_gbk_and_in_big5_is_the_same_book() {
    let Some(folder) = real_games() else { return };
    let files = |below: &str| -> HashMap<String, PathBuf> {
        let all = walkdir(&folder.join(below));
        let number =
            |path: &PathBuf| path.file_name().unwrap().to_string_lossy().split('.').next().unwrap().to_string();
        all.into_iter().map(|path| (number(&path), path)).collect()
    };
    let simplified = files("liangqi+xqwizard/XQWLIGHT/XQBoss/橘中秘");
    let traditional = files("liangqi+xqwizard/XQWIZARD/橘中秘(繁体)");
    assert_eq!((simplified.len(), traditional.len()), (20, 20));
    for (number, path) in &simplified {
        let (left, right) = (games(path), games(&traditional[number]));
        assert_eq!((left.len(), right.len()), (1, 1), "{number}");
        let (left, right) = (&left[0], &right[0]);
        assert_eq!((left.encoding, right.encoding), ("gb18030", "big5"), "{number}");
        assert_eq!(lines(&left.game.tree), lines(&right.game.tree), "{number}");
        assert_eq!(left.game.start, right.game.start, "{number}");
        let comments = |game: &Game| game.tree.comments().len();
        assert_eq!(comments(&left.game), comments(&right.game), "{number}");
        let title = |game: &Game| game.headers.get(Name::Opening).map(|text| fold(text).into_owned());
        assert!(title(&left.game).is_some_and(|text| !text.is_empty()), "{number}");
        assert_eq!(title(&left.game), title(&right.game), "{number}");
    }
}

fn walkdir(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files
}
