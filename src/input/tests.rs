//! Files, archives and large files as the readers get them.

use super::{Input, Limits, Piece, Pieces};
use crate::diag::{Finding, codes};
use std::io::{Cursor, Write};
use std::path::Path;

const GAME: &str = "[Event \"x\"]\n\n1. h2e2 h9g7 *\n\n";

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn zipped(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A file of these bytes, read.
fn read_with(name: &str, bytes: &[u8], limits: Limits) -> (Vec<Piece>, Vec<Finding>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let input = Input { path: Some(path), name: name.to_string(), relative: name.into() };
    let mut pieces = Pieces::new(std::iter::once(input), None, limits);
    let all: Vec<Piece> = pieces.by_ref().collect();
    (all, pieces.faults)
}

fn read(name: &str, bytes: &[u8]) -> (Vec<Piece>, Vec<Finding>) {
    read_with(name, bytes, Limits::default())
}

fn names(pieces: &[Piece]) -> Vec<(&str, &Path)> {
    pieces.iter().map(|piece| (piece.name.as_str(), piece.relative.as_path())).collect()
}

#[test]
fn a_packed_file_is_read_and_a_cut_one_keeps_its_head() {
    let content = GAME.repeat(50).into_bytes();
    for packed in [gzip(&content), zstd::encode_all(&content[..], 1).unwrap()] {
        let (pieces, faults) = read("x.pgn.gz", &packed);
        assert_eq!((pieces.len(), faults.len()), (1, 0));
        assert_eq!((&pieces[0].bytes, names(&pieces)[0]), (&content, ("x.pgn.gz", Path::new("x.pgn"))));
    }
    let packed = gzip(&content);
    let (pieces, faults) = read("x.gz", &packed[..packed.len() - 9]);
    assert!(content.starts_with(&pieces[0].bytes) && !pieces[0].bytes.is_empty());
    assert_eq!(faults[0].code, codes::DAMAGED_ARCHIVE);
}

#[test]
fn a_bomb_is_cut_at_the_limit_however_it_is_packed() {
    let limits = Limits { ratio: 10, ..Limits::default() };
    let zeros = vec![b' '; 8 << 20];
    for bomb in [gzip(&zeros), gzip(&gzip(&zeros)), zipped(&[("a", &zeros)]), zipped(&[("a.gz", &gzip(&zeros))])] {
        let (pieces, faults) = read_with("bomb", &bomb, limits);
        let unpacked: usize = pieces.iter().map(|piece| piece.bytes.len()).sum();
        assert!(unpacked < 3 << 20, "{unpacked}");
        assert!(faults.iter().any(|fault| fault.code == codes::ARCHIVE_TOO_LARGE), "{faults:?}");
    }
}

#[test]
fn members_of_a_zip_come_in_order_and_archives_in_archives_are_read_to_a_depth_of_three() {
    let game = GAME.as_bytes();
    let inner = zipped(&[("d.pgn", game)]);
    let outer = zipped(&[("b.pgn", game), ("a/乙.xqf.gz", &gzip(game)), ("../c.zip", &inner)]);
    let (pieces, faults) = read("x.zip", &outer);
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(
        names(&pieces),
        [
            ("x.zip!b.pgn", Path::new("x/b.pgn")),
            ("x.zip!a/乙.xqf.gz", Path::new("x/a/乙.xqf")),
            ("x.zip!../c.zip!d.pgn", Path::new("x/c/d.pgn")),
        ]
    );
    assert!(pieces.iter().all(|piece| piece.bytes == game && piece.last));
    let (pieces, faults) = read("x.gz", &gzip(&gzip(&gzip(game))));
    assert_eq!((pieces[0].bytes.as_slice(), faults.len()), (game, 0));
    let (pieces, faults) = read("x.gz", &gzip(&gzip(&gzip(&gzip(game)))));
    assert_eq!((pieces.len(), faults[0].code), (0, codes::ARCHIVE_TOO_LARGE));
}

#[test]
fn a_zip_broken_off_gives_the_members_before_the_break() {
    let whole: String = (0..200).map(|n| GAME.replace('x', &n.to_string())).collect();
    let bytes = zipped(&[("a.pgn", GAME.as_bytes()), ("b.pgn", whole.as_bytes()), ("c.pgn", GAME.as_bytes())]);
    let third = bytes.windows(5).rposition(|window| window == b"c.pgn").unwrap();
    let second = bytes.windows(5).position(|window| window == b"b.pgn").unwrap();
    // Without the directory alone; within the content of the second member.
    let (pieces, faults) = read("x.zip", &bytes[..third - 46]);
    assert_eq!(
        pieces.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(),
        ["x.zip!a.pgn", "x.zip!b.pgn", "x.zip!c.pgn"]
    );
    assert_eq!((faults.len(), faults[0].code), (1, codes::DAMAGED_ARCHIVE));
    let (pieces, faults) = read("x.zip", &bytes[..second + 300]);
    assert_eq!(pieces.len(), 2);
    assert_eq!(pieces[0].bytes, GAME.as_bytes());
    assert!(whole.as_bytes().starts_with(&pieces[1].bytes));
    assert!(faults.len() == 2 && faults.iter().all(|fault| fault.code == codes::DAMAGED_ARCHIVE), "{faults:?}");
}

#[test]
fn an_archive_broken_off_anywhere_does_no_harm() {
    let bytes = zipped(&[("a.pgn", GAME.as_bytes()), ("b.gz", &gzip(GAME.as_bytes()))]);
    for length in 4..bytes.len() {
        let (_, faults) = read("x.zip", &bytes[..length]);
        assert!(!faults.is_empty(), "{length}");
    }
}

#[test]
fn a_member_whose_content_was_changed_says_so() {
    let mut bytes = Vec::new();
    let mut writer = zip::ZipWriter::new(Cursor::new(&mut bytes));
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    writer.start_file("a.pgn", stored).unwrap();
    writer.write_all(GAME.as_bytes()).unwrap();
    writer.finish().unwrap();
    let at = bytes.windows(4).position(|window| window == b"h2e2").unwrap();
    bytes[at] = b'b';
    let (pieces, faults) = read("x.zip", &bytes);
    assert_eq!((pieces.len(), faults[0].code), (1, codes::DAMAGED_ARCHIVE));
}

#[test]
fn a_large_packed_file_comes_in_pieces_that_begin_with_games() {
    let content = GAME.repeat((5 << 20) / GAME.len());
    let packed = gzip(content.as_bytes());
    for (name, bytes) in [("x.gz", packed.clone()), ("x.zip", zipped(&[("a.pgn", content.as_bytes())]))] {
        let (pieces, faults) = read(name, &bytes);
        assert!(pieces.len() > 2 && faults.is_empty());
        assert!(pieces.iter().all(|piece| piece.bytes.starts_with(b"[Event")));
        assert_eq!(pieces.iter().map(|piece| piece.bytes.len()).sum::<usize>(), content.len());
        assert_eq!(pieces.iter().filter(|piece| piece.last).count(), 1);
    }
    // Broken off, it still ends.
    let (pieces, faults) = read("x.gz", &packed[..packed.len() / 2]);
    assert!(pieces.last().unwrap().last);
    assert_eq!(faults[0].code, codes::DAMAGED_ARCHIVE);
}

#[test]
fn utf_16_is_cut_between_games_too_and_lines_are_counted() {
    let text = format!("\u{FEFF}{}", "[Event \"上海\"]\n\n1. 炮二平五 马8进7 *\n\n".repeat(60_000));
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (pieces, faults) = read("x.pgn", &bytes);
    assert!(pieces.len() > 1 && faults.is_empty());
    for piece in &pieces {
        assert_eq!(piece.encoding.unwrap().encoding, encoding_rs::UTF_16LE);
        assert_eq!(piece.first_byte % 2, 0);
        let before = String::from_utf16_lossy(
            &bytes[..piece.first_byte as usize].chunks(2).map(|u| u16::from_le_bytes([u[0], u[1]])).collect::<Vec<_>>(),
        );
        assert_eq!(piece.first_line, 1 + before.matches('\n').count() as u64);
    }
}

#[test]
fn pieces_of_a_file_share_the_encoding_of_the_first_that_says_anything() {
    let plain = GAME.repeat((3 << 20) / GAME.len());
    let (name, _, _) =
        encoding_rs::GB18030.encode("[Event \"全国象棋锦标赛 上海\"]\n\n1. 炮二平五 马8进7 马二进三 *\n\n");
    let bytes = [plain.as_bytes(), &name, plain.as_bytes(), plain.as_bytes()].concat();
    let (pieces, _) = read("x.pgn", &bytes);
    let encodings: Vec<_> = pieces.iter().map(|piece| piece.encoding.unwrap().encoding.name()).collect();
    assert!(encodings.len() >= 4);
    let first = encodings.iter().position(|&name| name == "gb18030").unwrap();
    assert!(encodings[..first].iter().all(|&name| name == "UTF-8"), "{encodings:?}");
    assert!(encodings[first..].iter().all(|&name| name == "gb18030"), "{encodings:?}");
}

#[test]
fn the_rest_of_a_game_without_end_is_passed_over_and_the_next_game_is_read() {
    let long = format!("[Event \"long\"]\n\n1. h2e2 {{{}}} h9g7 *\n", "x\n".repeat(40 << 20));
    let content = format!("{GAME}{long}\n{GAME}");
    let (pieces, faults) = read("x.pgn", content.as_bytes());
    let cut: Vec<_> = pieces.iter().filter(|piece| piece.cut).collect();
    assert_eq!((cut.len(), faults.len()), (1, 1), "{faults:?}");
    assert_eq!(faults[0].code, codes::FILE_TOO_LARGE);
    let last = pieces.last().unwrap();
    assert_eq!(last.bytes, GAME.as_bytes());
    assert_eq!(last.first_byte as usize, content.len() - GAME.len());
    assert_eq!(last.first_line as usize, 1 + content[..content.len() - GAME.len()].matches('\n').count());
}
