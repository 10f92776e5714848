//! Encodings from outside: every one read from its bytes alone, and what an output encoding cannot hold.

use crate::ccbridge::read_as;
use crate::cli::yipu;
use encoding_rs::{BIG5, Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE};
use yipu::format::{Detected, Format, ReadGame, ReadOptions, Source, WriteOptions, detect, reader, writer};
use yipu::game::{Game, Name, NodeId, Place};

const SIMPLIFIED: &str = "[Game \"Chinese Chess\"]\n[Event \"全国象棋个人赛\"]\n[Red \"胡荣华\"]\n[Black \"许银川\"]\n\n\
    1. 炮二平五 {当头炮} 马8进7 2. 马二进三 车9平8 *\n";
const TRADITIONAL: &str = "[Game \"Chinese Chess\"]\n[Event \"全國象棋個人賽\"]\n[Red \"許銀川\"]\n[Black \"蓋世功\"]\n\n\
    1. 炮二平五 {當頭砲} 馬8進7 2. 馬二進三 車9平8 *\n";

fn encode(text: &str, encoding: &'static Encoding, mark: bool) -> Vec<u8> {
    let marked = if mark { format!("\u{feff}{text}") } else { text.to_string() };
    if encoding == UTF_16LE {
        marked.encode_utf16().flat_map(u16::to_le_bytes).collect()
    } else if encoding == UTF_16BE {
        marked.encode_utf16().flat_map(u16::to_be_bytes).collect()
    } else {
        encoding.encode(&marked).0.into_owned()
    }
}

fn read(bytes: &[u8]) -> ReadGame {
    let Detected::Format { reader, .. } = detect(bytes) else { panic!("{:?}", detect(bytes)) };
    let mut games = read_as(reader.format(), bytes).0;
    assert_eq!(games.len(), 1);
    games.remove(0)
}

#[test]
fn every_encoding_is_found_from_the_bytes() {
    let cases: [(&str, &'static Encoding, bool, &str); 9] = [
        (SIMPLIFIED, UTF_8, false, "utf-8"),
        (SIMPLIFIED, UTF_8, true, "utf-8"),
        (SIMPLIFIED, GB18030, false, "gb18030"),
        (SIMPLIFIED, UTF_16LE, true, "utf-16le"),
        (SIMPLIFIED, UTF_16LE, false, "utf-16le"),
        (SIMPLIFIED, UTF_16BE, true, "utf-16be"),
        (SIMPLIFIED, UTF_16BE, false, "utf-16be"),
        (TRADITIONAL, BIG5, false, "big5"),
        (TRADITIONAL, GB18030, false, "gb18030"),
    ];
    for (text, encoding, mark, name) in cases {
        let game = read(&encode(text, encoding, mark));
        assert_eq!(game.encoding, name, "{name} {mark}");
        let want = read(text.as_bytes());
        assert_eq!(game.game, want.game, "{name} {mark}");
    }
}

#[test]
fn characters_of_four_bytes_and_of_hong_kong_are_read() {
    // U+20BB7 takes four bytes in GB18030; U+5605 is in the Hong Kong part of Big5 alone.
    let rare = SIMPLIFIED.replace("胡荣华", "𠮷田荣华");
    assert_eq!(read(&encode(&rare, GB18030, false)).game.headers.get(Name::Red), Some("𠮷田荣华"));
    let hong_kong = TRADITIONAL.replace("許銀川", "阿嘅許銀川");
    let game = read(&encode(&hong_kong, BIG5, false));
    assert_eq!((game.encoding, game.game.headers.get(Name::Red)), ("big5", Some("阿嘅許銀川")));
}

#[test]
fn a_backslash_inside_a_big5_character_is_no_escape() {
    // The second byte of 許, 蓋 and 功 is 0x5C, which is a backslash by itself; a quote behind it is no quoted quote.
    let bytes = encode(TRADITIONAL, BIG5, false);
    assert!(bytes.windows(2).any(|pair| pair == [0xA5, 0x5C]) && bytes.windows(2).any(|pair| pair == b"\\\""));
    let game = read(&bytes);
    assert_eq!(game.game.headers.get(Name::Black), Some("蓋世功"));
    assert_eq!((game.game.headers.get(Name::Red), game.game.tree.ply_count()), (Some("許銀川"), 4));
    // 0x7C, the bar, ends 枒 and parts no title from its other half in a list of positions.
    let list = encode("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 ; 枒許功\n", BIG5, false);
    let (games, _) = read_as(Format::Epd, &list);
    assert_eq!(games.len(), 1);
}

#[test]
fn games_of_different_encodings_may_share_a_file() {
    let mut file = encode(SIMPLIFIED, GB18030, false);
    file.push(b'\n');
    file.extend(encode(TRADITIONAL, BIG5, false));
    file.push(b'\n');
    file.extend(encode(SIMPLIFIED, UTF_8, false));
    let (games, _) = read_as(Format::Pgn, &file);
    let players: Vec<_> = games.iter().map(|game| game.game.headers.get(Name::Red).unwrap()).collect();
    assert_eq!(players, ["胡荣华", "許銀川", "胡荣华"]);
    assert!(games.iter().all(|game| game.game.tree.ply_count() == 4));
    let told = games.iter().filter(|game| game.findings.iter().any(|finding| finding.code.id() == "T102"));
    assert_eq!(told.count(), 2);
}

#[test]
fn vietnamese_text_is_read_in_windows_1258_when_asked() {
    let text = encode("[Event \"x\"]\n[Red \"Nguyen\"]\n\n1. h2e2 h9g7 *\n", UTF_8, false);
    let at = text.windows(6).position(|part| part == b"Nguyen").unwrap();
    let name = [0x4E, 0x67, 0x75, 0x79, 0xEA, 0xDE, 0x6E];
    let file = [&text[..at], &name, &text[at + 6..]].concat();
    let options = ReadOptions { encoding: Some(encoding_rs::WINDOWS_1258) };
    let mut red = None;
    reader(Format::Pgn).unwrap().read(Source::whole(&file, "t"), &options, &mut |game| {
        red = game.game.headers.get(Name::Red).map(str::to_string);
        std::ops::ControlFlow::Continue(())
    });
    assert_eq!(red.as_deref(), Some("Nguyễn"));
}

/// A game whose texts no encoding but Unicode holds whole.
fn mixed_game() -> Game {
    let mut game = Game::default();
    game.headers.push("Red", "许銀𠮷é");
    game.headers.push("Event", "杯");
    let node = game.tree.add(NodeId::ROOT, "h2e2".parse().unwrap());
    game.tree.comment(node, Place::After, "好嘅");
    game
}

#[test]
fn what_an_output_encoding_does_not_have_is_named() {
    let game = mixed_game();
    for format in Format::ALL.iter().copied().filter(|&format| writer(format).is_some()) {
        // One that holds everything, and one that lacks 许 and 𠮷.
        for (encoding, lacks) in [(GB18030, ""), (BIG5, "许")] {
            let style = yipu::notation::Style { script: yipu::notation::Script::Traditional, ..Default::default() };
            let options = WriteOptions { encoding, style, ..WriteOptions::default() };
            let mut bytes = Vec::new();
            let findings = writer(format).unwrap().write(&game, &options, &mut bytes);
            let named: String =
                findings.iter().filter(|f| f.code.id() == "O204").filter_map(|f| f.text.clone()).collect();
            let holds_text = bytes.windows(3).any(|part| part == b"\xE8\xAE\xB8") || format == Format::Uci;
            // Formats with an encoding of their own hold it whatever was asked for.
            let own = matches!(format, Format::Cbr | Format::Cbl | Format::Epd) || holds_text;
            assert!(named.contains(lacks) || own, "{format} in {}: {findings:?}", encoding.name());
            if lacks.is_empty() {
                assert_eq!(named, "", "{format}");
            }
        }
    }
}

#[test]
fn every_text_format_reads_back_in_every_encoding_that_holds_it() {
    let mut game = Game::default();
    game.headers.push("Title", "象棋");
    game.headers.push("Red", "許銀川");
    let node = game.tree.add(NodeId::ROOT, "h2e2".parse().unwrap());
    game.tree.comment(node, Place::After, "好棋，中炮");
    game.tree.add(node, "h9g7".parse().unwrap());
    for format in [Format::Pgn, Format::Text, Format::Wxf, Format::Dhtmlxq, Format::Csv, Format::Json] {
        for encoding in [UTF_8, GB18030, BIG5, UTF_16LE, UTF_16BE] {
            if format == Format::Json && encoding != UTF_8 {
                continue;
            }
            let style = yipu::notation::Style { script: yipu::notation::Script::Traditional, ..Default::default() };
            let options = WriteOptions { encoding, style, ..WriteOptions::default() };
            let writer = writer(format).unwrap();
            let mut pieces = Vec::new();
            for _ in 0..3 {
                let mut out = Vec::new();
                writer.write(&game, &options, &mut out);
                pieces.push(out);
            }
            let mut file = Vec::new();
            writer.join(&mut pieces.into_iter(), &mut file).unwrap();
            let (games, _) = read_as(format, &file);
            assert_eq!(games.len(), 3, "{format} in {}", encoding.name());
            for read in games {
                assert_eq!(read.game.headers.get(Name::Title), Some("象棋"), "{format} in {}", encoding.name());
                assert!(read.game.moves().eq(game.moves()), "{format} in {}", encoding.name());
            }
        }
    }
}

#[test]
fn a_script_the_encoding_does_not_have_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.pgn");
    std::fs::write(&file, SIMPLIFIED).unwrap();
    let out = folder.path().join("b.pgn");
    let convert =
        |more: &[&str]| yipu().args(["convert", "--to", "pgn"]).args(more).arg("-o").arg(&out).arg(&file).output();
    let refused = convert(&["--encoding", "big5", "--script", "simplified"]).unwrap();
    assert_eq!((refused.status.code(), out.exists()), (Some(2), false));
    let written = convert(&["--encoding", "big5"]).unwrap();
    let stderr = String::from_utf8_lossy(&written.stderr);
    // 华 and 许 are simplified forms, which Big5 does not have.
    assert!(stderr.contains("O204") && stderr.contains('华') && stderr.contains('许'), "{stderr}");
    assert_eq!(read(&std::fs::read(&out).unwrap()).encoding, "big5");
}
