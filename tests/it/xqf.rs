//! XQF over published examples, made-up files and real ones.

use crate::support::{real_games, shared};
use rayon::prelude::*;
use std::ops::ControlFlow;
use yipu::board::Position;
use yipu::diag::Finding;
use yipu::format::xqf::{Form, KeySeeds, XqfReader, XqfWriter, census};
use yipu::format::{Detected, ReadGame, ReadOptions, Reader, Source, Status, WriteOptions, Writer, detect};
use yipu::game::{Game, GameResult, Name, NodeId, Tree};

pub fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

const START: &str = "000a141e28323c46500c4803172b3f5309131d27313b454f59114d061a2e4256";

/// A version 1.0 file: header bytes at their offsets, then the body.
fn file(fields: &[(usize, &[u8])], body: &str) -> Vec<u8> {
    let mut file = vec![0; 1024];
    file[..3].copy_from_slice(b"XQ\x0A");
    file[16..48].copy_from_slice(&bytes(START));
    for (at, value) in fields {
        file[*at..at + value.len()].copy_from_slice(value);
    }
    file.extend(bytes(body));
    file
}

fn read_with(file: &[u8], options: ReadOptions) -> (Option<ReadGame>, Vec<Finding>) {
    let mut game = None;
    let findings = XqfReader.read(Source::whole(file, "test.xqf"), &options, &mut |read| {
        game = Some(read);
        ControlFlow::Continue(())
    });
    (game, findings)
}

fn read(file: &[u8]) -> ReadGame {
    read_with(file, ReadOptions::default()).0.unwrap()
}

fn codes(game: &ReadGame) -> Vec<&str> {
    game.findings.iter().map(|finding| finding.code.id()).collect()
}

/// Every line of the tree from the start to its end.
pub fn lines(tree: &Tree) -> Vec<String> {
    let mut lines = Vec::new();
    let mut path: Vec<String> = Vec::new();
    for (id, depth) in tree.walk() {
        path.truncate(depth as usize - 1);
        path.push(tree[id].m.to_string());
        if tree.first_child(id).is_none() {
            lines.push(path.join(" "));
        }
    }
    lines
}

pub fn comment(game: &Game, line: &[&str]) -> Option<String> {
    let mut node = NodeId::ROOT;
    for text in line {
        node = game.tree.children(node).find(|&id| game.tree[id].m.to_string() == *text)?;
    }
    Some(game.tree.comments().iter().find(|comment| comment.node == node)?.text.clone())
}

fn write(game: &Game, form: Form) -> Vec<u8> {
    let mut out = Vec::new();
    XqfWriter { form }.write(game, &WriteOptions::default(), &mut out);
    out
}

const FORMS: [Form; 4] = [
    Form::V10,
    Form::V18,
    Form::Keyed(KeySeeds { squares: [0x23, 0x92, 0xD9], mask: 0xFF, or: [0x20, 0x82, 0x3C] }),
    Form::Keyed(KeySeeds { squares: [1, 254, 77], mask: 0xAA, or: [7, 0, 255] }),
];

#[test]
fn all_first_moves_and_their_lines_survive() {
    // FMT-1
    let body = "1820f0ff00000000 604aff0000000000 6763000000000000 5e5eff0000000000 5a61000000000000 \
                2f38f00000000000 2b3b000000000000";
    let game = read(&file(&[], body));
    assert_eq!(lines(&game.game.tree), ["h2e2 h9g7", "h0g2 g6g5", "c3c4 b9c7"]);
    assert_eq!((game.status, codes(&game)), (Status::Ok, vec![]));
}

#[test]
fn a_composed_position_with_black_first_believes_the_piece() {
    // FMT-3
    let pieces = bytes("08ffffff28ffffffffffffffffffffff54ffff3027ffffffffffffffffffffff");
    let body = "1820f0ff00000000 6c70f00000000000 4049f00000000000 6871000000000000";
    let game = read(&file(&[(16, &pieces)], body));
    assert!(game.game.start.to_fen().starts_with("3k5/R3a4/9/9/9/8r/9/9/9/4K4 b"));
    assert_eq!(lines(&game.game.tree), ["i4i0 e0e1 i0i1"]);
    assert!(game.game.position_at(3).to_fen().starts_with("3k5/R3a4/9/9/9/9/9/9/4K3r/9 w"));
    assert_eq!(codes(&game), ["F206"]);
}

#[test]
fn an_enciphered_file_gives_its_comments_and_both_lines() {
    // FMT-4
    let mut data = bytes(
        "5851127f00000000010204083c25511b98a2acb6c0cad4dee8a0dc95a9bdd1e58f99a3adb7c1cbd5df9bd792a6bacee2\
         00000002000000000000000000000000",
    );
    data.resize(1024, 0);
    data[304..307].copy_from_slice(b"\x02\xB1\xFB");
    data[320..323].copy_from_slice(b"\x02\xB6\xA1");
    data.extend(bytes(
        "3140e1094a424510f8ccffd9ffc63d0ad0262a3f2d26fab1ded706ed693bc4195435410928f5e51063614103e911d2c4e10affed2d26",
    ));
    let game = read(&data);
    assert_eq!(game.game.result, GameResult::BlackWins);
    assert_eq!(lines(&game.game.tree), ["h2e2 h9g7 h0g2", "h2e2 b9c7 b0c2"]);
    assert_eq!(comment(&game.game, &[]).as_deref(), Some("开局注"));
    assert_eq!(comment(&game.game, &["h2e2"]).as_deref(), Some("当头炮"));
    assert_eq!(comment(&game.game, &["h2e2", "b9c7"]).as_deref(), Some("另一变"));
    assert_eq!((game.game.headers.get(Name::Red), game.game.headers.get(Name::Black)), (Some("丙"), Some("丁")));
    assert_eq!(game.status, Status::Ok);
}

#[test]
fn the_three_shapes_of_the_published_example_are_one_game() {
    let fields: &[(usize, &[u8])] = &[
        (51, &[1]),
        (80, b"\x04\xCA\xBE\xC0\xFD"),
        (208, b"\x06\xB2\xE2\xCA\xD4\xC8\xFC"),
        (272, b"\x0A2024-01-02"),
        (288, b"\x04\xB1\xB1\xBE\xA9"),
        (304, b"\x02\xBC\xD7"),
        (320, b"\x02\xD2\xD2"),
    ];
    let old = file(
        &[fields, &[(16, &bytes("50463C32281E140A00480C533F2B170309131D27313B454F59114D061A2E4256"))]].concat(),
        "1820F0FF04000000BFAACABC 604AF00004000000D6D0C5DA 6763FF0000000000 5E5EF00000000000 716F000000000000 \
         654FF00000000000 5E5E000000000000",
    );
    let plain = file(
        &[fields, &[(2, &[0x12]), (16, &bytes("463C32281E140A00480C533F2B17030913 1D27313B454F59114D061A2E425650"))]]
            .concat(),
        "1820A00003030000BFAACABC 604AA00003030000D6D0C5DA 6763C000 5E5E8000 716F0000 654F8000 5E5E0000",
    );
    let mut keyed = plain[..1024].to_vec();
    keyed[3..16].copy_from_slice(&bytes("FF000000002 0823C22 722392D9"));
    keyed[16..48].copy_from_slice(&bytes("357C6854402C323C46505A646E78823A762F43576B7F796F655B51473D332971"));
    keyed.extend(bytes("AA71A22946782E702FCCF21F3DD1C049 9897204038F2EBFA36EAE8733BE6AE59 40F6022902B9AE704BE72863"));
    let game = read(&old);
    assert_eq!(lines(&game.game.tree), ["h2e2 h9g7 h0g2 i9h9", "h2e2 h7e7 h0g2"]);
    assert_eq!(game.game.headers.get(Name::Event), Some("测试赛"));
    assert_eq!(comment(&game.game, &["h2e2"]).as_deref(), Some("中炮"));
    for other in [&plain, &keyed] {
        let other = read(other);
        assert_eq!((&other.game, other.status, codes(&other)), (&game.game, Status::Ok, vec![]));
    }
    for form in FORMS {
        assert_eq!(read(&write(&game.game, form)).game, game.game, "{form:?}");
    }
    // The comments of the example lack the final line end that XQStudio writes; otherwise the files are these.
    let strip = |mut game: Game| {
        let mut tree = Tree::new();
        let mut parents = vec![NodeId::ROOT];
        for (id, depth) in game.tree.walk() {
            parents.truncate(depth as usize);
            parents.push(tree.add(parents[depth as usize - 1], game.tree[id].m));
        }
        game.tree = tree;
        game
    };
    let bare = strip(game.game);
    assert_eq!(write(&bare, Form::V10)[..1024], old[..1024]);
    assert_eq!(write(&bare, Form::V18)[..1024], plain[..1024]);
    assert_eq!(write(&bare, FORMS[2])[..1024], keyed[..1024]);
}

#[test]
fn a_name_in_another_encoding_is_read_on_request_and_never_silently() {
    // ENC-1
    let body = "1820f0ff00000000 604af00000000000 6763000000000000";
    let data = file(&[(304, b"\x0FNguy\xEA\xDEn V\xE3n \xC1nh")], body);
    let auto = read(&data);
    assert_eq!((auto.game.tree.ply_count(), codes(&auto)), (2, vec!["T203"]));
    assert!(auto.findings[0].message.starts_with("Red read as gb18030"), "{}", auto.findings[0].message);
    assert!(auto.findings[0].message.contains("Nguyễn Văn Ánh"));
    assert!(auto.findings[0].message.contains("4E 67 75 79 EA DE 6E"));
    let options = ReadOptions { encoding: Some(encoding_rs::WINDOWS_1258) };
    let right = read_with(&data, options).0.unwrap();
    assert_eq!(right.game.headers.get(Name::Red), Some("Nguyễn Văn Ánh"));
    assert_eq!((right.encoding, codes(&right)), ("windows-1258", vec![]));
}

#[test]
fn a_name_cut_inside_a_character_keeps_its_whole_characters() {
    // ENC-6
    let red = bytes("0F B9E3B6ABC4B3C4B3CFF3C6E5BEE3C0");
    let game = read(&file(&[(304, &red), (320, b"\x02\xD2\xD2")], "1820000000000000"));
    assert_eq!(game.game.headers.get(Name::Red), Some("广东某某象棋俱"));
    assert_eq!(game.game.headers.get(Name::Black), Some("乙"));
    assert_eq!(codes(&game), ["T201"]);
}

#[test]
fn a_truncated_or_scrambled_file_gives_findings_and_what_could_be_read() {
    let start = read(&file(&[], "1820f0ff00000000 604af00000000000 6763000000000000")).game;
    for form in FORMS {
        let whole = write(&start, form);
        for length in 0..whole.len() {
            let (game, findings) = read_with(&whole[..length], ReadOptions::default());
            match game {
                Some(game) => assert!(!game.findings.is_empty() && game.status != Status::Ok, "{form:?} {length}"),
                None => assert!(!findings.is_empty(), "{form:?} {length}"),
            }
        }
        let mut seed = 1u32;
        for _ in 0..2000 {
            let mut broken = whole.clone();
            for _ in 0..3 {
                seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
                let at = (seed >> 8) as usize % broken.len();
                broken[at] = (seed >> 3) as u8;
            }
            read_with(&broken, ReadOptions::default());
        }
    }
}

#[test]
fn what_xqf_has_no_field_for_comes_back_from_comments() {
    let mut game = Game { result: GameResult::Draw, trailer: "advert".into(), ..Game::default() };
    game.start.set_counters(7, 40);
    game.headers.push("Event", "第二十届全国象棋个人锦标赛暨第三届某某杯象棋公开赛预选赛第一阶段");
    game.headers.push("Round", "3");
    game.headers.push("Red", "胡荣华");
    game.headers.push("Type", "残局");
    let node = game.tree.add(NodeId::ROOT, "h2e2".parse().unwrap());
    game.tree.mark(node, 1);
    game.tree.clock(node, 61_000);
    game.tree.comment(node, yipu::game::Place::After, "中炮");
    game.tree.comment(node, yipu::game::Place::End, "结束");
    for form in FORMS {
        let back = read(&write(&game, form));
        assert_eq!(back.game.tree, game.tree);
        assert_eq!(back.game.start.to_fen(), game.start.to_fen());
        assert_eq!((back.game.result, &back.game.trailer), (game.result, &game.trailer));
        let mut headers = [back.game.headers.iter().collect::<Vec<_>>(), game.headers.iter().collect()];
        headers.iter_mut().for_each(|list| list.sort_unstable());
        assert_eq!(headers[0], headers[1]);
    }
    let mut out = Vec::new();
    let findings = XqfWriter::default().write(&game, &WriteOptions::default(), &mut out);
    let codes: Vec<_> = findings.iter().map(|finding| finding.code.id()).collect();
    assert_eq!(codes, ["O201", "O201", "O201", "O202", "O201", "O201", "O201"]);
}

/// Path, file bytes and the columns of the table of facts.
type RealFile = (String, Vec<u8>, Vec<String>);

/// Every real XQF file.
fn real_files() -> Option<Vec<RealFile>> {
    let folder = real_games()?;
    let table = std::fs::read_to_string(shared("data/xqf-facts.tsv")?).unwrap();
    let rows: Vec<&str> = table.lines().skip(1).collect();
    let files = rows
        .par_iter()
        .map(|row| {
            let fields: Vec<String> = row.split('\t').map(str::to_string).collect();
            let path = fields.last().unwrap().clone();
            let bytes = std::fs::read(folder.join(&path)).unwrap();
            (path, bytes, fields)
        })
        .collect();
    Some(files)
}

/// Start of the names of the real files whose main line breaks off, with the ply.
const BROKEN: [(&str, u32); 4] = [("BadMoveTest3", 10), ("030万水千山", 35), ("17作茧自缚", 32), ("78 老少争雄", 33)];

#[test]
fn every_real_file_has_the_counts_an_independent_decoder_found_and_replays() {
    let Some(files) = real_files() else { return };
    assert_eq!(files.len(), 11_721);
    let broken: Vec<String> = files
        .par_iter()
        .flat_map_iter(|(path, bytes, fields)| {
            let counted = census(bytes).unwrap().unwrap_or_else(|damage| panic!("{path}: {damage}"));
            let number = |column: usize| fields[column].parse::<usize>().unwrap();
            assert_eq!((counted.nodes, counted.siblings), (number(2), number(3)), "{path}");
            assert_eq!((counted.comments, counted.comment_bytes), (number(4), number(5)), "{path}");
            assert_eq!(counted.left_over, 0, "{path}");
            assert!(matches!(detect(bytes), Detected::Format { reader, .. } if reader.format() == XqfReader.format()));
            let game = read(bytes);
            assert_eq!(game.game.start == Position::start(), fields[6] == "1" && fields[9] == "0", "{path}");
            let lost = counted.nodes - game.game.tree.ply_count();
            assert_eq!(lost == 0, game.status == Status::Ok, "{path}");
            let main_line_broken =
                game.findings.iter().find(|f| f.code.id() == "F207" && !f.message.contains("side line"));
            main_line_broken.map(|finding| format!("{path}: {finding}")).into_iter()
        })
        .collect();
    let doubtful = files.par_iter().filter(|(_, bytes, _)| codes(&read(bytes)).contains(&"T203")).count();
    eprintln!("{doubtful} real files are in an encoding that is only a guess");
    assert!(doubtful < 120);
    for (line, (name, ply)) in broken.iter().zip(BROKEN) {
        assert!(line.contains(name) && line.contains(&format!("ply {ply}")), "{line}");
    }
    assert_eq!(broken.len(), BROKEN.len(), "{broken:#?}");
}

#[test]
fn every_real_tree_written_and_read_is_the_same_game() {
    let Some(files) = real_files() else { return };
    files.par_iter().enumerate().for_each(|(number, (path, bytes, _))| {
        let game = read(bytes).game;
        let back = read(&write(&game, FORMS[number % FORMS.len()])).game;
        assert_eq!(back, game, "{path}");
    });
}

#[test]
fn a_file_that_is_disk_garbage_is_refused() {
    let Some(folder) = real_games() else { return };
    let path = "hbsxcjp+cchess_qt/棋谱文件/棋谱研究/残排局谱/残排局谱（有讲评的）/少子百局谱/鸿雁传书.XQF";
    let bytes = std::fs::read(folder.join(path)).unwrap();
    let Detected::Refused(refusal) = detect(&bytes) else { panic!() };
    assert!(refusal.reason().contains("FAT"));
}

#[test]
fn every_real_tree_survives_pgn() {
    use yipu::format::pgn::{PgnReader, PgnWriter};
    let Some(files) = real_files() else { return };
    let shape = |tree: &Tree| -> Vec<_> { tree.walk().map(|(id, depth)| (tree[id].m, depth)).collect() };
    let main_line_is_legal = |game: &Game| {
        let mut position = game.start;
        game.moves().all(|m| {
            let legal = position.is_legal(m);
            position.play(m);
            legal
        })
    };
    let lost: Vec<String> = files
        .par_iter()
        .filter_map(|(path, bytes, _)| {
            let game = read(bytes).game;
            // In the main line an illegal ply ends a game of PGN.
            if !main_line_is_legal(&game) {
                return None;
            }
            let mut pgn = Vec::new();
            let _ = PgnWriter.write(&game, &WriteOptions::default(), &mut pgn);
            let mut back = None;
            let _ = PgnReader.read(Source::whole(&pgn, "x"), &ReadOptions::default(), &mut |read| {
                back = Some(read.game);
                ControlFlow::Continue(())
            });
            let again = back.as_ref().map(|back| read(&write(back, FORMS[0])).game);
            let same = back.is_some_and(|back| shape(&back.tree) == shape(&game.tree))
                && again.is_some_and(|again| shape(&again.tree) == shape(&game.tree));
            (!same).then(|| path.clone())
        })
        .collect();
    assert_eq!(lost, [""; 0]);
}
