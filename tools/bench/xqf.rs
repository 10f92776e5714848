//! How fast XQF files become games, from memory, on one core.
//!
//! Needs `YIPU_DATA` (the folder of real games). All XQF files of its manifest are read into memory first; the plies of
//! every tree are counted twice, without a board and with one, before anything is timed.
//!
//! Run with `cargo bench --bench xqf`.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;
use yipu::format::xqf::{XqfReader, XqfWriter, census};
use yipu::format::{ReadOptions, Reader, Source, WriteOptions, Writer};
use yipu::game::Game;

fn read(file: &[u8]) -> Option<Game> {
    let mut game = None;
    XqfReader.read(Source::whole(file, "bench"), &ReadOptions::default(), &mut |read| {
        game = Some(read.game);
        ControlFlow::Continue(())
    });
    game
}

fn main() {
    let Some(folder) = std::env::var_os("YIPU_DATA").map(PathBuf::from) else {
        println!("xqf: skipped, YIPU_DATA does not name the folder of real games");
        return;
    };
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).expect("the folder has a manifest");
    let files: Vec<Vec<u8>> = manifest
        .lines()
        .filter_map(|line| line.strip_prefix("xqf\t")?.rsplit('\t').next())
        .map(|path| std::fs::read(folder.join(path)).expect("files of the manifest exist"))
        .collect();
    let bytes: usize = files.iter().map(Vec::len).sum();
    let nodes: usize = files.iter().map(|file| census(file).expect("an XQF file").expect("a whole tree").nodes).sum();
    let games: Vec<Game> = files.iter().filter_map(|file| read(file)).collect();
    let plies: usize = games.iter().map(|game| game.tree.ply_count()).sum();
    let lost = nodes - plies;
    assert!(games.len() == files.len() && lost < 1000, "{lost} plies lost");
    println!("xqf: {} files, {bytes} bytes, {nodes} plies in trees ({lost} cannot be played)", files.len());

    let best = |what: &str, mut run: Box<dyn FnMut() + '_>| {
        let seconds = (0..5)
            .map(|_| {
                let start = Instant::now();
                run();
                start.elapsed().as_secs_f64()
            })
            .fold(f64::INFINITY, f64::min);
        println!(
            "xqf: {what}: {:.0} files/s, {:.2} million plies/s, {:.0} MB/s (best of 5)",
            files.len() as f64 / seconds,
            nodes as f64 / seconds / 1e6,
            bytes as f64 / seconds / 1e6
        );
    };
    best("read", Box::new(|| files.iter().for_each(|file| drop(black_box(read(file))))));
    let options = WriteOptions::default();
    let mut out = Vec::new();
    best(
        "write",
        Box::new(|| {
            for game in &games {
                out.clear();
                XqfWriter::default().write(game, &options, &mut out);
                black_box(&out);
            }
        }),
    );
}
