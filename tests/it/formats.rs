//! Every format but PGN: published examples, made-up files, real files, and writing followed by reading.

use crate::ccbridge::{read_all, read_as, there_and_back};
use crate::support::real_games;
use crate::xqf::{bytes, comment, lines};
use proptest::prelude::*;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use yipu::board::{Color, Position};
use yipu::format::{Detected, Format, ReadGame, ReadOptions, Source, Status, detect};
use yipu::game::{Game, GameResult, Name, NodeId, Place, Tree};

fn one(file: &[u8]) -> ReadGame {
    let (mut games, findings) = read_all(file);
    assert_eq!((games.len(), findings), (1, vec![]));
    games.remove(0)
}

const DHTMLXQ: &str = "[DhtmlXQ][DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver][DhtmlXQ_red]甲[/DhtmlXQ_red]\
    [DhtmlXQ_black]乙[/DhtmlXQ_black][DhtmlXQ_result]红胜[/DhtmlXQ_result]\
    [DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]\
    [DhtmlXQ_movelist]774770627967807089796364[/DhtmlXQ_movelist][DhtmlXQ_move_0_2_1]10221927[/DhtmlXQ_move_0_2_1]\
    [DhtmlXQ_comment1_2]变着||第二行[/DhtmlXQ_comment1_2][/DhtmlXQ]";

#[test]
fn a_dhtmlxq_block_gives_its_side_line_and_notes() {
    // FMT-13
    let game = one(DHTMLXQ.as_bytes());
    assert_eq!((game.status, &game.findings), (Status::Ok, &vec![]));
    assert_eq!(lines(&game.game.tree), ["h2e2 h9g7 h0g2 i9h9 i0h0 g6g5", "h2e2 b9c7 b0c2"]);
    assert_eq!(comment(&game.game, &["h2e2", "b9c7"]).as_deref(), Some("变着\n第二行"));
    assert_eq!(game.game.result, GameResult::RedWins);
    assert_eq!(game.game.start, Position::start());
    let gb = encoding_rs::GB18030.encode(DHTMLXQ).0;
    let again = one(&gb);
    assert_eq!((again.game, again.encoding), (game.game, "gb18030"));
}

#[test]
fn a_page_with_moves_in_its_script_alone_is_read() {
    // FMT-15
    let page = "<html><body>[DhtmlXQ_movelist][/DhtmlXQ_movelist]<script>var DhtmlXQ_movelist = \
                '[0_1_0]774770627967[/0_1_0][0_2_1]10221927[/0_2_1]';</script>象棋残局</body></html>";
    let game = one(&encoding_rs::GB18030.encode(page).0);
    assert_eq!(lines(&game.game.tree), ["h2e2 h9g7 h0g2", "h2e2 b9c7 b0c2"]);
}

#[test]
fn the_answer_in_words_of_a_study_is_kept() {
    // OUT-7
    let study = "[DhtmlXQ_binit]9999999949999999999999999999999999999999409999999999999999999999[/DhtmlXQ_binit]\
                 [DhtmlXQ_movelist]4948[/DhtmlXQ_movelist][DhtmlXQ_comment0]红先和[/DhtmlXQ_comment0]\
                 [DhtmlXQ_comment1]帅五进一，以下黑方无法取胜。[/DhtmlXQ_comment1]";
    let game = one(study.as_bytes());
    assert_eq!(game.game.tree.ply_count(), 1);
    assert_eq!(comment(&game.game, &[]).as_deref(), Some("红先和"));
    assert_eq!(comment(&game.game, &["e0e1"]).as_deref(), Some("帅五进一，以下黑方无法取胜。"));
}

#[test]
fn damaged_dhtmlxq_keeps_what_hangs_nowhere_as_text() {
    let text = "[DhtmlXQ_movelist]77477062796[/DhtmlXQ_movelist][DhtmlXQ_move_5_2_6]1022[/DhtmlXQ_move_5_2_6]\
                [DhtmlXQ_move_0_9_1]1022[/DhtmlXQ_move_0_9_1][DhtmlXQ_comment7_1]丢[/DhtmlXQ_comment7_1]\
                [DhtmlXQ_red]甲[DhtmlXQ_black]乙";
    let (games, _) = read_all(text.as_bytes());
    let game = &games[0];
    assert_eq!(game.status, Status::Partial);
    assert_eq!(lines(&game.game.tree), ["h2e2 h9g7"]);
    for part in ["796", "[DhtmlXQ_move_5_2_6]1022", "[DhtmlXQ_move_0_9_1]1022", "丢"] {
        assert!(game.game.rest.contains(part), "{part}: {}", game.game.rest);
    }
    assert_eq!((game.game.headers.get(Name::Red), game.game.headers.get(Name::Black)), (Some("甲"), Some("乙")));
    let codes: Vec<_> = game.findings.iter().map(|finding| finding.code.id()).collect();
    assert_eq!(codes, ["F401", "F401", "F403", "F404", "F403", "F403"]);
    let jieqi = "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][DhtmlXQ_jieqi]x[/DhtmlXQ_jieqi]";
    let (games, findings) = read_all(jieqi.as_bytes());
    assert_eq!((games.len(), findings[0].code.id()), (0, "F103"));
}

#[test]
fn hostile_tags_cost_no_more_than_their_length() {
    for piece in ["[", "[DhtmlXQ_", "[DhtmlXQ_a]", "[0_1_0]", "[DhtmlXQ]", "<a x='", "[/DhtmlXQ_"] {
        let text = piece.repeat(200_000);
        read_as(Format::Dhtmlxq, text.as_bytes());
        read_as(Format::Cbf, text.as_bytes());
        read_as(Format::Pfc, text.as_bytes());
    }
    // A chain of lines, each leaving the one before at the same ply.
    let mut chain = String::from("[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]");
    for number in 1..20_000 {
        chain += &format!("[DhtmlXQ_move_{}_1_{number}]7242[/DhtmlXQ_move_1]", number - 1);
    }
    read_as(Format::Dhtmlxq, chain.as_bytes());
}

const CBF: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<ChineseChessRecord Version="1.0">
 <Head>
  <Name>示例</Name> <URL/> <Contest>测试赛</Contest> <Date>2024-01-02</Date> <Red>甲</Red> <Black>乙</Black>
  <RecordType>1</RecordType> <RecordResult>1</RecordResult>
  <FEN>rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1</FEN>
 </Head>
 <MoveList>
  <Move value="00-00"><![CDATA[开始]]></Move>
  <Move value="77-47"><![CDATA[中炮]]></Move>
  <Move value="70-62" branch="1"/>
  <Move value="79-67"/>
  <Move value="80-70" end="1"/>
  <Move value="72-42"/>
  <Move value="79-67" end="1"/>
 </MoveList>
</ChineseChessRecord>"#;

#[test]
fn the_published_cbf_and_pfc_are_read() {
    let game = one(CBF.as_bytes());
    assert_eq!((game.status, &game.findings), (Status::Ok, &vec![]));
    assert_eq!(lines(&game.game.tree), ["h2e2 h9g7 h0g2 i9h9", "h2e2 h7e7 h0g2"]);
    assert_eq!(comment(&game.game, &["h2e2"]).as_deref(), Some("中炮"));
    assert_eq!(game.game.result, GameResult::RedWins);
    let pfc = "<?xml version=\"1.0\" encoding=\"utf-8\"?><n version=\"2\" win=\"1\" m=\"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/\
               P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\" c=\"开始\" title=\"示例\"><n m=\"h2e2\" c=\"中炮\" default=\"true\">\
               <n m=\"h7e7\" c=\"\" /><n m=\"h9g7\" c=\"\" default=\"true\" /></n></n>";
    let game = one(pfc.as_bytes());
    assert_eq!(lines(&game.game.tree), ["h2e2 h9g7", "h2e2 h7e7"]);
    assert_eq!(comment(&game.game, &[]).as_deref(), Some("开始"));
}

#[test]
fn an_xqr_file_is_read_and_its_check_value_proved() {
    let mut file = bytes("00022017 010100 0203 E7949A 0503E794B2 0603E4B999 070101 0900 00000100 71740100 01220000");
    let crc = crc32fast_of(&file);
    file.extend([10, 4]);
    file.extend(crc.to_le_bytes());
    let game = one(&file);
    assert_eq!(game.findings, []);
    assert_eq!(lines(&game.game.tree), ["b2e2 b9c7"]);
    assert_eq!((game.game.headers.get(Name::Red), game.game.result), (Some("甲"), GameResult::RedWins));
    file[10] ^= 1;
    let game = &read_all(&file).0[0];
    assert!(game.findings.iter().any(|finding| finding.code.id() == "F203"));
}

/// The ordinary CRC-32, bit by bit.
fn crc32fast_of(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |mut crc, &byte| {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
        }
        crc
    })
}

#[test]
fn engine_lines_and_lists_of_positions_are_read() {
    // FMT-19
    let game = one(b"position fen 3k5/R3a4/9/9/9/8r/9/9/9/4K4 b - - 0 1 moves i4i0 e0e1");
    assert!(game.game.start.to_fen().starts_with("3k5/R3a4/9/9/9/8r/9/9/9/4K4 b"));
    assert_eq!(lines(&game.game.tree), ["i4i0 e0e1"]);
    assert!(game.game.position_at(2).to_fen().starts_with("3k5/R3a4/9/9/9/9/9/9/4K4/8r b"));
    let (games, _) =
        read_all(b"position startpos moves h2e2 h9g7\nposition startpos\nposition startpos moves h2e2 h2e2\n");
    let plies: Vec<_> = games.iter().map(|game| (game.game.tree.ply_count(), game.status)).collect();
    assert_eq!(plies, [(2, Status::Ok), (0, Status::Ok), (1, Status::Partial)]);
    let list = "笃信谨守|1Rb1ka3/4a4/2r1b3R/9/9/9/9/B8/9/2BAKA3 w - - 0 1\n\
                1RN1k4/3P3rC/6n2/9/9/9/9/4p4/3p5/c1rAK4 w - - 0 1 ; 由中应外\n";
    let (games, findings) = read_all(list.as_bytes());
    assert_eq!((games.len(), findings), (2, vec![]));
    let titles: Vec<_> = games.iter().filter_map(|game| game.game.headers.get(Name::Title)).collect();
    assert_eq!(titles, ["笃信谨守", "由中应外"]);
}

#[test]
fn a_table_is_read_by_the_names_of_its_columns() {
    let table = "title, hint, fen, moves\n2步杀1, 马兵胜双士, 1P1k5/4a4/5a3/4N4/9/9/9/9/9/4K4 w, b9c9 d9e9 e6g7\n";
    let game = one(table.as_bytes());
    assert_eq!(lines(&game.game.tree), ["b9c9 d9e9 e6g7"]);
    assert_eq!(game.game.headers.get_raw("hint"), Some("马兵胜双士"));
    // Bars divide solutions; headings without moves are no games.
    let two =
        "name,fen,moves\n残局,,\n野马诱虎,3k3r1/4a4/3a5/6N2/9/9/9/4C4/4p2c1/2BR1K3 w,g6f8 h9f9 d0d7|g6f8 h9h7 f8h7\n";
    let (games, findings) = read_all(two.as_bytes());
    assert_eq!((games.len(), games[0].status, findings[0].code.id()), (1, Status::Ok, "F406"));
    assert_eq!(lines(&games[0].game.tree), ["g6f8 h9f9 d0d7", "g6f8 h9h7 f8h7"]);
    let back = there_and_back(Format::Csv, std::slice::from_ref(&game.game)).remove(0).game;
    assert_eq!((back.start, lines(&back.tree)), (game.game.start, lines(&game.game.tree)));
}

/// Formats that hold every tree with its comments, by fields of their own or folded into comments.
const WHOLE: [Format; 8] =
    [Format::Json, Format::Xqf, Format::Cbr, Format::Cbl, Format::Cbf, Format::Dhtmlxq, Format::Xqr, Format::Pfc];

/// Formats that hold a main line.
const LINES: [Format; 3] = [Format::Uci, Format::Csv, Format::Mxq];

/// Everything of a game in an order that does not depend on the order in which its nodes were added.
fn canonical(game: &Game) -> String {
    // White of western programs is Red in every format of ours.
    let own = |name| if name == "White" { "Red" } else { name };
    let filled = game.headers.iter().filter(|(_, value)| !value.is_empty());
    let mut headers: Vec<_> = filled.map(|(name, value)| (own(name), value)).collect();
    headers.sort_unstable();
    let mut notes: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for comment in game.tree.comments().iter().filter(|comment| !comment.text.is_empty()) {
        notes.entry(comment.node.index()).or_default().push(format!("{:?} {:?}", comment.place, comment.text));
    }
    for (node, mark) in game.tree.marks() {
        notes.entry(node.index()).or_default().push(format!("mark {mark}"));
    }
    for (node, time) in game.tree.clocks() {
        notes.entry(node.index()).or_default().push(format!("clock {time}"));
    }
    let mut tree = String::new();
    for (id, depth) in std::iter::once((NodeId::ROOT, 0)).chain(game.tree.walk()) {
        let mut notes = notes.remove(&id.index()).unwrap_or_default();
        notes.sort();
        tree += &format!("\n{depth} {} {notes:?}", game.tree[id].m);
    }
    format!("{headers:?} {:?} {} {:?} {:?}{tree}", game.start.to_fen(), game.result, game.rest, game.trailer)
}

/// As [`canonical`], with the texts trimmed: some formats do not keep blanks at the ends.
fn trimmed(game: &Game) -> String {
    let mut game = game.clone();
    let mut tree = Tree::new();
    for id in game.tree.nodes() {
        tree.add(game.tree.parent(id).unwrap_or(NodeId::ROOT), game.tree[id].m);
    }
    for comment in game.tree.comments() {
        tree.comment(comment.node, comment.place, comment.text.trim());
    }
    game.tree = tree;
    canonical(&game)
}

/// Same moves twice among the alternatives of one ply: DhtmlXQ merges them.
pub fn repeats(tree: &Tree) -> bool {
    std::iter::once(NodeId::ROOT).chain(tree.nodes()).any(|id| {
        let moves: Vec<_> = tree.children(id).map(|child| tree[child].m).collect();
        moves.iter().enumerate().any(|(i, m)| moves[..i].contains(m))
    })
}

pub fn real(kind: &str) -> Option<Vec<(String, PathBuf)>> {
    let folder = real_games()?;
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let files = manifest.lines().filter_map(|line| line.strip_prefix(&format!("{kind}\t"))?.rsplit('\t').next());
    Some(files.map(|path| (path.to_string(), folder.join(path))).collect())
}

#[test]
fn real_trees_survive_every_format_that_can_hold_them() {
    let Some(files) = real("xqf") else { return };
    // Every fourth file, the largest among them.
    let sample: Vec<_> = files.iter().step_by(4).collect();
    assert!(sample.len() > 2900);
    sample.par_iter().for_each(|(path, file)| {
        let bytes = std::fs::read(file).unwrap();
        let game = read_all(&bytes).0.remove(0).game;
        let want = canonical(&game);
        let texts_trimmed = trimmed(&game);
        for format in WHOLE {
            if format == Format::Dhtmlxq && repeats(&game.tree) {
                continue;
            }
            // Libraries are large; a few show that they hold records.
            if format == Format::Cbl && bytes.len() % 16 != 0 {
                continue;
            }
            let back = there_and_back(format, std::slice::from_ref(&game)).remove(0);
            match format {
                Format::Cbf => assert_eq!(trimmed(&back.game), texts_trimmed, "{path} {format}"),
                _ => assert_eq!(canonical(&back.game), want, "{path} {format}"),
            }
        }
        for format in LINES {
            if format == Format::Mxq && game.start != Position::start() {
                continue;
            }
            let back = there_and_back(format, std::slice::from_ref(&game)).remove(0).game;
            assert!(back.moves().eq(game.moves()), "{path} {format}");
        }
    });
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{0,40}",
        "(中|炮|馬|\n|\\||\\\\|u|\\[|/|%|yipu|DhtmlXQ|]]>|&|<|\"|𠮷){0,12}",
        Just("[%yipu marks 3]".to_string()),
        Just("a\n[%%yipu]\nb".to_string()),
    ]
}

prop_compose! {
    /// A game with a random legal tree and everything a game may carry.
    pub fn any_game()(
        steps in prop::collection::vec((0usize..1000, 0usize..1000, prop::option::weighted(0.2, text()), 0u8..12), 0..60),
        headers in prop::collection::vec((prop::sample::select(vec![
            "Title", "Event", "Date", "Red", "Black", "Round", "RedTeam", "Remark", "X-Other", "Annotator", "Opening",
        ]), text()), 0..6),
        result in prop::sample::select(vec![
            GameResult::Unknown, GameResult::RedWins, GameResult::BlackWins, GameResult::Draw,
        ]),
        (quiet, round, black) in (0u16..3, 1u16..3, any::<bool>()),
    ) -> Game {
        let mut game = Game { result, ..Game::default() };
        for (name, value) in headers {
            let value = value.replace('\n', " ").trim().to_string();
            if !value.is_empty() && game.headers.get_raw(name).is_none() {
                game.headers.push(name, value);
            }
        }
        if black {
            game.start.set_side_to_move(Color::Black);
        }
        game.start.set_counters(quiet, round);
        let mut positions = vec![(NodeId::ROOT, game.start)];
        for (node, m, comment, extra) in steps {
            let (parent, mut position) = positions[node % positions.len()];
            let moves = position.legal_moves();
            let Some(&m) = moves.get(m % moves.len().max(1)) else { continue };
            if game.tree.children(parent).any(|child| game.tree[child].m == m) {
                continue;
            }
            let id = game.tree.add(parent, m);
            position.play(m);
            positions.push((id, position));
            if let Some(text) = comment {
                let place = [Place::After, Place::Before, Place::End][usize::from(extra) % 3];
                game.tree.comment(id, place, text);
            }
            match extra {
                10 => game.tree.mark(id, 3),
                11 => game.tree.clock(id, 61_500),
                _ => {}
            }
        }
        game
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn whatever_a_game_carries_comes_back(game in any_game()) {
        for format in WHOLE {
            let back = there_and_back(format, std::slice::from_ref(&game)).remove(0).game;
            if format == Format::Cbf {
                prop_assert_eq!(trimmed(&back), trimmed(&game), "{}", format);
            } else {
                prop_assert_eq!(canonical(&back), canonical(&game), "{}", format);
            }
        }
    }

    #[test]
    fn random_bytes_give_findings_only(bytes in prop::collection::vec(any::<u8>(), 0..400), at in 0usize..8) {
        let starts: [&[u8]; 8] =
            [b"", b"XQ\x12", b"CCBridge Record\0\0\0\0\x02", b"\0\x02\x20\x17", b"ccf0", b"<ChineseChessRecord><Move ", b"{\"yipu\":", b"[DhtmlXQ_"];
        let mut file = starts[at].to_vec();
        file.extend(bytes);
        for reader in yipu::format::readers() {
            reader.confidence(&file);
            reader.read(Source::whole(&file, "t"), &ReadOptions::default(), &mut |_| ControlFlow::Continue(()));
        }
    }
}

#[test]
fn json_gives_the_identical_game() {
    let mut game = Game { rest: "车一".into(), trailer: "advert".into(), ..Game::default() };
    game.headers.push("Event", "");
    let a = game.tree.add(NodeId::ROOT, "h2e2".parse().unwrap());
    let b = game.tree.add(NodeId::ROOT, "b2e2".parse().unwrap());
    let c = game.tree.add(a, "h9g7".parse().unwrap());
    game.tree.comment(c, Place::Before, "\n x ");
    game.tree.mark(b, 6);
    game.tree.clock(a, 5);
    assert_eq!(there_and_back(Format::Json, std::slice::from_ref(&game)).remove(0).game, game);
}

/// What came out of all real files of a kind.
#[derive(Debug, Default)]
struct Survey {
    files: usize,
    games: usize,
    plies: usize,
    /// Games that are not whole.
    broken: usize,
    findings: BTreeMap<&'static str, usize>,
}

fn survey(kind: &str) -> Option<Survey> {
    let files = real(kind)?;
    let mut sum = Survey { files: files.len(), ..Survey::default() };
    for (path, file) in files {
        let bytes = std::fs::read(&file).unwrap();
        let Detected::Format { reader, .. } = detect(&bytes) else { panic!("{path}: {:?}", detect(&bytes)) };
        let mut games = Vec::new();
        let mut findings = reader.read(Source::whole(&bytes, &path), &ReadOptions::default(), &mut |game| {
            games.push(game);
            ControlFlow::Continue(())
        });
        for mut game in games {
            sum.games += 1;
            sum.plies += game.game.tree.ply_count();
            sum.broken += usize::from(game.status != Status::Ok);
            if game.status != Status::Ok {
                eprintln!("{path} {}: {:?}", game.number, game.findings);
            }
            findings.append(&mut game.findings);
        }
        for finding in findings {
            *sum.findings.entry(finding.code.id()).or_default() += 1;
        }
    }
    eprintln!("{kind}: {sum:?}");
    Some(sum)
}

#[test]
fn every_real_file_of_the_smaller_formats_is_read_whole() {
    for (kind, files, games) in
        [("cbf", 1, 1), ("mxq", 25, 25), ("qp-ccf0", 1101, 1101), ("dhtmlxq", 12, 12), ("epd", 49, 0)]
    {
        let Some(sum) = survey(kind) else { return };
        assert_eq!((sum.files, sum.broken), (files, 0), "{kind}");
        assert!(games == 0 || sum.games == games, "{kind}: {sum:?}");
    }
}

#[test]
fn the_same_game_in_two_formats_is_the_same_game() {
    let Some(folder) = real_games() else { return };
    let read = |path: &str| read_all(&std::fs::read(folder.join(path)).unwrap()).0.remove(0).game;
    let xqf: Vec<Game> = real("xqf").unwrap().par_iter().map(|(path, _)| read(path)).collect();
    let twin = |game: &Game| {
        let same = |twin: &&Game| twin.start == game.start && twin.moves().eq(game.moves());
        xqf.iter().filter(|twin| twin.moves().next().is_some()).any(|game| same(&game))
    };
    let library = std::fs::read(folder.join("walker8088+cchess/games/古谱/专辑何顺安.CBL")).unwrap();
    let games = read_all(&library).0;
    let twins = games.iter().filter(|game| twin(&game.game)).count();
    eprintln!("{twins} of {} records of the library are XQF files too", games.len());
    assert!(twins > 0);
}

#[test]
fn wxf_files_are_read_with_and_without_a_position() {
    // FMT-6
    let head = "FORMAT WXF\nGAME\nRED ;;;\nBLACK ;;;\nDATE 2024-05-01\n";
    let game = one(format!("{head}FEN 3k5/4a4/4e4/9/9/9/9/4E4/4A4/3AK1H2 b\n\nSTART{{\n}}END\n").as_bytes());
    assert!(game.game.start.to_fen().starts_with("3k5/4a4/4b4/9/9/9/9/4B4/4A4/3AK1N2 b"));
    assert_eq!((game.game.start.legal_moves().len(), game.game.tree.ply_count()), (9, 0));
    assert_eq!((game.game.headers.get(Name::Red), game.status), (None, Status::Ok));
    let game = one(format!("{head}\nSTART{{\n1. C2=5 H8+7\n}}END\n").as_bytes());
    assert_eq!((lines(&game.game.tree), game.game.start), (vec!["h2e2 h9g7".to_string()], Position::start()));
    let text = "FORMAT  WXF\nRED  甲;1200;队;\nEVENT  杯;10m+0s\nSETUP{ Ra0 Ke0 kd9 MOVE 12 BLACK }\nSTART{\n12... K4+1\n}END\n\
                FORMAT  WXF\nBLACK 乙;;;\nRESULT 0-1\nSTART{\n1. C2.5! {中炮} H8+7\n";
    let (games, findings) = read_all(text.as_bytes());
    assert_eq!((games.len(), findings), (2, vec![]));
    let header = |game: &ReadGame, name| game.game.headers.get(name).map(str::to_string);
    assert_eq!(header(&games[0], Name::RedElo).as_deref(), Some("1200"));
    assert_eq!(header(&games[0], Name::RedTeam).as_deref(), Some("队"));
    assert_eq!(lines(&games[0].game.tree), ["d9d8"]);
    assert_eq!(comment(&games[1].game, &["h2e2"]).as_deref(), Some("中炮"));
    assert_eq!(games[1].findings.iter().map(|f| f.code.id()).collect::<Vec<_>>(), ["F401"]);
    for game in games {
        let back = there_and_back(Format::Wxf, std::slice::from_ref(&game.game)).remove(0).game;
        assert_eq!((back.start, lines(&back.tree)), (game.game.start, lines(&game.game.tree)));
        assert_eq!(back.headers.get(Name::RedTeam), game.game.headers.get(Name::RedTeam));
    }
}

#[test]
fn every_real_wxf_file_replays() {
    let Some(sum) = survey("wxf") else { return };
    assert_eq!((sum.files, sum.games, sum.broken), (4, 4, 0), "{sum:?}");
}

#[test]
fn the_old_libraries_are_read_to_their_last_byte() {
    let Some(sum) = survey("cbl-old") else { return };
    assert_eq!((sum.files, sum.games, sum.plies, sum.broken), (7, 299, 16_413, 0), "{sum:?}");
    let (_, file) = &real("cbl-old").unwrap()[0];
    let bytes = std::fs::read(file).unwrap();
    for length in [12, 20, 21, 100, bytes.len() / 2, bytes.len() - 1] {
        let (games, findings) = read_as(Format::OldCbl, &bytes[..length]);
        assert!(games.len() + findings.len() > 0 && !findings.is_empty(), "{length}");
    }
}

#[test]
fn files_that_are_no_records_are_refused_with_a_reason() {
    for (kind, code) in [("ole-doc", "F102"), ("archive", "F102")] {
        let Some(files) = real(kind) else { return };
        for (path, file) in files {
            let Detected::Refused(refusal) = detect(&std::fs::read(file).unwrap()) else { panic!("{path}") };
            assert_eq!(refusal.finding().code.id(), code, "{path}");
        }
    }
}

#[test]
fn xqf_to_pgn_and_back_keeps_tree_comments_and_headers() {
    let Some(files) = real("xqf") else { return };
    let differ: Vec<String> = files
        .par_iter()
        .enumerate()
        .filter(|(number, _)| number % 6 == 0)
        .filter_map(|(_, (path, file))| {
            let read = read_all(&std::fs::read(file).unwrap()).0.remove(0);
            // What could not be played stands in the rest, whose shape is the format's own.
            if read.status != Status::Ok || read.findings.iter().any(|finding| finding.code.id() == "F208") {
                return None;
            }
            let pgn = there_and_back(Format::Pgn, std::slice::from_ref(&read.game)).remove(0).game;
            let back = there_and_back(Format::Xqf, std::slice::from_ref(&pgn)).remove(0).game;
            (trimmed(&back) != trimmed(&read.game)).then(|| path.clone())
        })
        .collect();
    eprintln!("xqf-pgn-xqf: {} differ: {:?}", differ.len(), &differ[..differ.len().min(5)]);
    assert!(differ.len() <= 3);
}

#[test]
fn pgn_to_xqf_and_back_keeps_tree_comments_and_headers() {
    let Some(files) = real("pgn") else { return };
    let differ: Vec<String> = files
        .par_iter()
        .enumerate()
        .filter(|(number, _)| number % 6 == 0)
        .flat_map_iter(|(_, (path, file))| {
            let bytes = std::fs::read(file).unwrap();
            let games = read_as(Format::Pgn, &bytes).0;
            let whole = games.into_iter().filter(|read| read.status == Status::Ok);
            let differ = whole.filter(|read| {
                let xqf = there_and_back(Format::Xqf, std::slice::from_ref(&read.game)).remove(0).game;
                let back = there_and_back(Format::Pgn, std::slice::from_ref(&xqf)).remove(0).game;
                let (left, right) = (trimmed(&back), trimmed(&read.game));
                if left != right {
                    let same = left.chars().zip(right.chars()).take_while(|(a, b)| a == b).count();
                    let tail = |text: &str| text.chars().skip(same.saturating_sub(40)).take(120).collect::<String>();
                    eprintln!("{path}\n  {}\n  {}", tail(&left), tail(&right));
                }
                left != right
            });
            differ.map(|read| format!("{path} {}", read.number)).collect::<Vec<_>>()
        })
        .collect();
    eprintln!("pgn-xqf-pgn: {} differ: {:?}", differ.len(), &differ[..differ.len().min(5)]);
    assert!(differ.is_empty());
}
