//! Searching, from outside: every kind of query against a scan of every game.

use crate::support::real_games;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use yipu::board::{Color, Kind, Move, Outcome, Piece, Position, Square};
use yipu::dedup;
use yipu::format::{ReadGame, Status};
use yipu::game::{Game, GameResult, Headers, Name, NodeId, PartialDate, Tree};
use yipu::names::{Aliases, Needle, Place};
use yipu::opening::openings;
use yipu::query::{Node, Query, Term, Thing, parse};
use yipu::search::headers::{GameHeaders, HeaderSide, Role};
use yipu::search::{Found, Searcher};
use yipu::store::{Database, Prepared, Writer, WriterOptions};

fn read(game: Game, number: u64) -> ReadGame {
    ReadGame { game, number, encoding: "utf-8", status: Status::Ok, findings: Vec::new() }
}

fn game(headers: &[(Name, &str)], result: GameResult, moves: &str) -> Game {
    let mut game = Game { result, ..Game::default() };
    for (name, value) in headers {
        game.headers.set(*name, *value);
    }
    let mut node = NodeId::ROOT;
    for m in moves.split_whitespace() {
        node = game.tree.add(node, m.parse().unwrap());
    }
    game
}

/// Mini base M of the case collection: five games, numbered as they are there.
fn base() -> Vec<Game> {
    let row = |red: &str, black: &str, date: &str, result, moves: &str| {
        game(&[(Name::Red, red), (Name::Black, black), (Name::Date, date)], result, moves)
    };
    vec![
        row("甲一", "乙一", "2021.03.01", GameResult::RedWins, "h2e2 h9g7 h0g2 b9c7 i0h0 i9h9"),
        row("丙三", "甲一", "2022.07.15", GameResult::BlackWins, "h2e2 b9c7 h0g2 h9g7 i0h0 g6g5"),
        row("丁四", "戊五", "2020.11.02", GameResult::Draw, "b2e2 b9c7 b0c2 h9g7 a0b0 a9b9"),
        row("己六", "庚七", "?", GameResult::Unknown, "h2e2 h7e7"),
        row("甲一", "乙一", "2021.03.01", GameResult::Unknown, "h2e2 h9g7 h0g2 b9c7"),
    ]
}

fn build(folder: &Path, games: &[Game], batch: usize) {
    let mut writer = Writer::open(folder, WriterOptions { games: batch, ..WriterOptions::default() }).unwrap();
    let (place, generation) = writer.headers_place().unwrap();
    writer.set_side(Box::new(HeaderSide::open(&place, generation).unwrap())).unwrap();
    let prepared: Vec<Prepared> =
        games.par_iter().enumerate().map(|(n, game)| Prepared::new(read(game.clone(), n as u64 + 1))).collect();
    for game in prepared {
        writer.add(game, "base.pgn").unwrap();
    }
    writer.commit().unwrap();
}

fn search(database: &Database, query: &str) -> Vec<Found> {
    let searcher = Searcher::open(database, Aliases::default()).unwrap();
    let query = parse(query).unwrap();
    searcher.prepare(&query).unwrap().run(None, &AtomicBool::new(false)).unwrap()
}

/// Numbers and plies, `m` behind a mirrored one.
fn hits(database: &Database, query: &str) -> String {
    let hit = |found: &Found| match found.place {
        Some(place) => format!("G{}@{}{}", found.game, place.ply, if place.mirrored { "m" } else { "" }),
        None => format!("G{}", found.game),
    };
    search(database, query).iter().map(hit).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_cases_of_the_mini_base_come_out() {
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), &base(), 100);
    let database = Database::open(folder.path()).unwrap();
    let find = |query: &str| hits(&database, query);
    // DB-1
    assert_eq!(find("player:甲一"), "G1 G2 G5");
    assert_eq!(find("player:甲一 date:2022..2023 result:black"), "G2");
    assert_eq!(find("red:甲一"), "G1 G5");
    assert_eq!(find("jiayi"), "G1 G2 G5");
    // DB-3
    let position = "fen:\"r1bakabr1/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 w\"";
    assert_eq!(find(position), "G1@6");
    // DB-4
    let position = "fen:\"rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w\"";
    assert_eq!(find(position), "G1@2 G5@2");
    assert_eq!(find(&format!("{position} mirror:yes")), "G1@2 G3@2m G5@2");
    // DB-7
    assert_eq!(find("line:炮二平五 result:unknown"), "G4@1 G5@1");
    assert_eq!(find("line:炮二平五 -result:unknown"), "G1@1 G2@1");
    assert_eq!(find("date:?"), "G4");
    assert_eq!(find("capture:x"), "");
    assert_eq!(find(""), "G1 G2 G3 G4 G5");
}

#[test]
fn appending_gives_the_answers_of_a_full_build() {
    // DB-9
    let (full, grown) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let games = base();
    build(full.path(), &games, 100);
    build(grown.path(), &games[..3], 2);
    build(grown.path(), &games[3..], 1);
    let added = Database::open(grown.path()).unwrap().games();
    build(grown.path(), &games, 100);
    let (full, grown) = (Database::open(full.path()).unwrap(), Database::open(grown.path()).unwrap());
    assert_eq!((added, grown.games()), (5, 5));
    for query in ["player:甲一", "line:\"h2e2 h9g7\"", "line:\"h2e2 h9g7\" mirror:yes", "-player:甲一", "ecco:B0"] {
        assert_eq!(hits(&full, query), hits(&grown, query), "{query}");
    }
}

#[test]
fn latin_and_chinese_names_meet_and_an_alias_joins_them() {
    // DUP-3
    let names = [
        "钱一鸣",
        "錢一鳴",
        "錢　一鳴",
        "QIAN Yiming",
        "Qian, Yiming",
        "Yiming QIAN",
        "上海钱一鸣",
        "钱一鸣(上海)",
        "王兵",
    ];
    let games: Vec<Game> = names
        .iter()
        .enumerate()
        .map(|(n, name)| game(&[(Name::Red, name), (Name::Round, &n.to_string())], GameResult::Draw, "h2e2"))
        .collect();
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), &games, 3);
    let database = Database::open(folder.path()).unwrap();
    let eight: Vec<u32> = (1..=8).collect();
    let (aliases, _) = Aliases::read("钱一鸣 = QIAN Yiming\n");
    let searcher = Searcher::open(&database, aliases).unwrap();
    for text in ["qian yiming", "Yiming Qian", "錢一鳴", "钱一鸣", "qianyiming"] {
        let query = parse(&format!("player:\"{text}\"")).unwrap();
        let found = searcher.games(&query, &AtomicBool::new(false)).unwrap();
        assert_eq!(found.iter().collect::<Vec<_>>(), eight, "{text}");
    }
}

#[test]
fn a_game_that_begins_another_is_found_and_a_short_opening_is_not_one() {
    // DUP-1
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), &base(), 100);
    let groups = dedup::find(&Database::open(folder.path()).unwrap()).unwrap();
    assert_eq!(groups.len(), 1, "{groups:?}");
    assert_eq!((groups[0].keep, groups[0].copies.len()), (1, 1));
    assert_eq!((groups[0].copies[0].game, groups[0].copies[0].likeness), (5, dedup::Likeness::Contained));
}

#[test]
fn copies_are_told_by_their_moves_and_the_richest_is_kept() {
    // DUP-6, and mirrored and near copies.
    let moves =
        "h2e2 h9g7 h0g2 b9c7 i0h0 i9h9 h0h6 g6g5 c3c4 c6c5 b0c2 h7i7 h6h9 g7h9 g3g4 g5g4 e2e6 c7e6 c2d4 e6d4 b2b6 b7e7";
    let mirror = |text: &str| -> String {
        let flip = |m: &str| m.parse::<yipu::board::Move>().unwrap().mirror().to_string();
        text.split_whitespace().map(flip).collect::<Vec<_>>().join(" ")
    };
    let named = |red: &str, moves: &str| game(&[(Name::Red, red), (Name::Black, "乙")], GameResult::Draw, moves);
    let mut rich = named("甲", moves);
    rich.tree.comment(NodeId::ROOT, yipu::game::Place::After, "annotated");
    let one_other = moves.replace("b7e7", "b7d7");
    let games = [
        named("甲", moves),
        rich,
        game(&[], GameResult::Unknown, moves),
        named("甲", &mirror(moves)),
        named("甲", &one_other),
        named("丙", &moves[..moves.len() - 5]),
    ];
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), &games, 100);
    let groups = dedup::find(&Database::open(folder.path()).unwrap()).unwrap();
    assert_eq!(groups.len(), 1, "{groups:?}");
    assert_eq!(groups[0].keep, 2);
    let likeness: BTreeMap<u32, dedup::Likeness> = groups[0].copies.iter().map(|c| (c.game, c.likeness)).collect();
    use dedup::Likeness::{Mirrored, Near, Same};
    assert_eq!(likeness, BTreeMap::from([(1, Same), (3, Same), (4, Mirrored), (5, Near)]));
}

/// What a term says of a game, found by looking at all of it in the plainest way.
fn is_true(term: &Term, query: &Query, game: &Game, files: &[String]) -> bool {
    let comments = || {
        let texts = game.tree.comments().iter().map(|comment| comment.text.as_str());
        texts.chain([game.rest.as_str(), game.trailer.as_str()]).collect::<Vec<_>>().join("\n")
    };
    let ecco = openings().code(&game.start, game.moves()).map(|(code, _)| code);
    let mut positions = vec![game.start];
    let mut captures = Vec::new();
    for m in game.moves() {
        let mut next = positions[positions.len() - 1];
        let mover = next.piece_at(m.from());
        if let (Some(mover), Some(taken)) = (mover, next.play(m).captured()) {
            captures.push((mover, taken));
        }
        positions.push(next);
    }
    let images = |position: &Position| {
        let mut images = vec![*position];
        if query.mirror {
            images.push(position.mirrored());
        }
        if query.swap {
            images.extend(images.clone().iter().map(Position::swapped));
        }
        images
    };
    let holds = |pattern: &yipu::query::Pattern, position: &Position| {
        pattern.0.iter().all(|constraint| {
            let count = Square::all()
                .filter(|square| constraint.squares >> square.index() & 1 == 1)
                .filter(|square| match (constraint.thing, position.piece_at(*square)) {
                    (Thing::Piece(wanted), found) => found == Some(wanted),
                    (Thing::Of(color), found) => found.is_some_and(|piece| piece.color() == color),
                    (Thing::Any, found) => found.is_some(),
                    (Thing::Empty, found) => found.is_none(),
                })
                .count();
            (usize::from(constraint.least)..=usize::from(constraint.most)).contains(&count)
        })
    };
    match term {
        Term::Text(roles, needle) => {
            let mut found = false;
            for file in files {
                let view =
                    GameHeaders { headers: &game.headers, result: game.result, plies: 0, ecco, comments: "", file };
                view.texts(|role, text| {
                    let place = if matches!(role, Role::Red | Role::Black) { Place::Name } else { Place::Text };
                    found |= roles.contains(&role) && needle.is_in(text, place);
                });
            }
            found
        }
        Term::Comment(needle) => needle.is_written_in(&comments()),
        Term::Date(range) => game
            .headers
            .get(Name::Date)
            .and_then(PartialDate::read)
            .is_some_and(|date| range.contains(yipu::search::headers::date_number(date))),
        Term::Undated => game.headers.get(Name::Date).and_then(PartialDate::read).is_none(),
        Term::Result(result) => game.result == *result,
        Term::Ecco(spans) => ecco.is_some_and(|code| spans.iter().any(|span| span.contains(&code))),
        Term::Plies(range) => range.contains(&(game.moves().count() as u32)),
        Term::Position(wanted) => {
            let images = images(wanted);
            positions.iter().any(|position| images.contains(position))
        }
        Term::Pattern(pattern) => positions.iter().any(|p| images(p).iter().any(|image| holds(pattern, image))),
        Term::Material(material) => positions.iter().any(|position| {
            images(position).iter().any(|image| {
                Color::ALL.iter().all(|&color| {
                    yipu::query::Material::KINDS
                        .iter()
                        .zip(material.counts[color.index()])
                        .all(|(kind, count)| image.squares_of(Piece::new(color, *kind)).count() == usize::from(count))
                })
            })
        }),
        Term::Sequence(patterns) => (0..4).any(|image| {
            if (image & 1 == 1 && !query.mirror) || (image & 2 == 2 && !query.swap) {
                return false;
            }
            let mut step = 0;
            for position in &positions {
                let position = if image & 1 == 1 { position.mirrored() } else { *position };
                let position = if image & 2 == 2 { position.swapped() } else { position };
                if step < patterns.len() && holds(&patterns[step], &position) {
                    step += 1;
                }
            }
            step == patterns.len()
        }),
        Term::Capture(capture) => captures.iter().any(|(mover, taken)| {
            let kind = |wanted: Option<Kind>, piece: &Piece| wanted.is_none_or(|kind| kind == piece.kind());
            let side = capture.side.is_none_or(|side| side == mover.color() || (query.swap && side != mover.color()));
            kind(capture.by, mover) && kind(capture.taken, taken) && side
        }),
        Term::Checks(checks) => {
            let count = |by: Option<Color>| {
                let given =
                    positions[1..].iter().filter(|p| p.is_check() && by.is_none_or(|by| by != p.side_to_move()));
                given.count() as u32
            };
            checks.count.contains(&count(checks.by))
                || (query.swap && checks.count.contains(&count(checks.by.map(|color| !color))))
        }
        Term::Ending(ending) => {
            let last = positions[positions.len() - 1];
            let so = |winner: Option<Color>| {
                let kind = match last.outcome() {
                    Some(Outcome::Checkmate) => ending.mate,
                    Some(Outcome::NoMove) => ending.stalemate,
                    None => false,
                };
                (kind && winner.is_none_or(|winner| winner != last.side_to_move())) != ending.not
            };
            so(ending.winner) || (query.swap && so(ending.winner.map(|color| !color)))
        }
    }
}

fn judge(node: &Node, truths: &[bool]) -> bool {
    match node {
        Node::And(nodes) => nodes.iter().all(|node| judge(node, truths)),
        Node::Or(nodes) => nodes.iter().any(|node| judge(node, truths)),
        Node::Not(node) => !judge(node, truths),
        Node::Term(term) => truths[*term],
    }
}

/// Makes queries of every kind out of what the games themselves hold.
struct Maker<'g> {
    games: &'g [(Vec<String>, Game)],
    seed: u64,
}

impl Maker<'_> {
    fn next(&mut self, below: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) as usize % below.max(1)
    }

    /// Some characters of a text.
    fn piece(&mut self, text: &str, most: usize) -> Option<String> {
        let characters: Vec<char> = text.chars().filter(|c| !c.is_control() && !"\"“”「」".contains(*c)).collect();
        let from = self.next(characters.len());
        let length = 1 + self.next(most);
        let piece: String = characters[from.min(characters.len())..].iter().take(length).collect();
        Needle::new(&piece).map(|_| piece)
    }

    fn term(&mut self) -> Option<String> {
        let (files, game) = &self.games[self.next(self.games.len())];
        let header = |name| game.headers.get(name).map(str::to_string);
        let plies = game.moves().count();
        let at = self.next(plies + 1);
        let position = game.position_at(at);
        let pieces: Vec<(Square, Piece)> = position.pieces().collect();
        Some(match self.next(35) {
            0 => format!("player:\"{}\"", self.piece(&header(Name::Red)?, 4)?),
            1 => format!("black:\"{}\"", self.piece(&header(Name::Black)?, 3)?),
            2 => format!("event:\"{}\"", self.piece(&header(Name::Event)?, 5)?),
            3 => {
                let all: Vec<String> = game.headers.iter().map(|(_, value)| value.to_string()).collect();
                let text = all.get(self.next(all.len()))?.clone();
                format!("\"{}\"", self.piece(&text, 3)?)
            }
            4 => {
                let file = &files[self.next(files.len())];
                format!("source:\"{}\"", self.piece(file, 6)?)
            }
            5 => format!("comment:\"{}\"", {
                let comment = game.tree.comments().first()?.text.clone();
                self.piece(&comment, 4)?
            }),
            6 => {
                let first = 1950 + self.next(60);
                let month = ["", ".01", ".05", ".12", ".06.30"][self.next(5)];
                format!("date:{first}..{}{month}", first + self.next(20))
            }
            7 => {
                // A record may name a 30th of February; a query may not.
                let text = format!("date:{}", PartialDate::read(&header(Name::Date)?)?);
                parse(&text).ok().map(|_| text)?
            }
            8 => format!("result:{}", ["red", "black", "draw", "unknown"][self.next(4)]),
            9 => format!("ecco:{}", ["A", "B2", "C", "C40..D1", "E", "D2,A4"][self.next(6)]),
            10 => {
                let least = self.next(100);
                format!("plies:{least}..{}", least + self.next(100))
            }
            11 | 12 => format!("fen:\"{}\"", position.to_fen()),
            13 => {
                let (square, piece) = *pieces.get(self.next(pieces.len()))?;
                let (other, second) = *pieces.get(self.next(pieces.len()))?;
                format!("pattern:\"{}@{square} {}@{other}\"", piece.letter(), second.letter())
            }
            14 => format!("pattern:\"P@{{{},}}[a-i]5-9 !r@*\"", 1 + self.next(4)),
            15 => format!("pattern:\"?@{{{}}}[d-f]0-2 .@e{}\"", self.next(6), self.next(10)),
            16 => {
                let mut text = String::new();
                for color in Color::ALL {
                    for kind in yipu::query::Material::KINDS {
                        for _ in 0..position.squares_of(Piece::new(color, kind)).count() {
                            text.push(kind.letter());
                        }
                    }
                    text.push_str(if color == Color::Red { "v" } else { "" });
                }
                format!("material:{text}")
            }
            17 => {
                let (square, piece) = *pieces.get(self.next(pieces.len()))?;
                let later = game.position_at(at + self.next(10));
                let (other, second) = later.pieces().nth(self.next(10))?;
                format!("sequence:\"{}@{square} ; {}@{other}\"", piece.letter(), second.letter())
            }
            18 => format!("capture:{}", ["RxN", "Rxn", "cxP", "PxP", "Kx", "xB", "Nxc"][self.next(7)]),
            19 => format!("check:{}", ["yes", "no", "red", "black", "3..", "1..2"][self.next(6)]),
            20 => format!("mate:{}", ["yes", "no", "red", "black", "stalemate", "any"][self.next(6)]),
            21 => format!("team:\"{}\"", self.piece(&header(Name::RedTeam).or(header(Name::BlackTeam))?, 3)?),
            22 => format!("site:\"{}\"", self.piece(&header(Name::Site)?, 3)?),
            23 => format!("round:\"{}\"", self.piece(&header(Name::Round)?, 2)?),
            24 => format!("opening:{}", ["顺炮", "中炮", "马", "飞相局", "仙人指路"][self.next(5)]),
            25 => format!("red:\"{}\"", self.piece(&header(Name::Red)?, 2)?),
            // Pieces of either colour, any piece, none, upper bounds, and the whole board.
            26 => format!("pattern:\"X@{{{},}}[a-i]5-9\"", 1 + self.next(6)),
            27 => format!("pattern:\"p@{{{},{}}}*\"", self.next(3), 3 + self.next(2)),
            28 => format!("pattern:\"!{}@*\"", ["r", "R", "X", "a", "P"][self.next(5)]),
            29 => format!("pattern:\"?@{{,{}}}* P@[d-f]7-9\"", 8 + self.next(20)),
            30 => {
                let (square, piece) = *pieces.get(self.next(pieces.len()))?;
                format!("pattern:\"{}@{square}\"", piece.letter())
            }
            31 => format!("capture:{}", ["Axr", "xk", "R", "xP", "pxA", "NxN", "rxC"][self.next(7)].replace("R", "Rx")),
            33 => {
                // The board of the position with some squares left open.
                let mut board = String::new();
                for rank in (0..10).rev() {
                    for file in 0..9 {
                        let square = Square::new(file, rank).unwrap();
                        let open = self.next(3) > 0;
                        board.push(match position.piece_at(square) {
                            _ if open => '?',
                            Some(piece) => piece.letter(),
                            None => '1',
                        });
                    }
                    board.push(if rank > 0 { '/' } else { ' ' });
                }
                format!("fen:\"{}\"", board.trim())
            }
            32 => format!("material:{}", ["RvR", "NPvN", "PvNC", "CPvAA", "RCPvRN"][self.next(5)].replace("AA", "")),
            _ => "date:?".to_string(),
        })
    }

    fn query(&mut self) -> Option<String> {
        let mut query = self.term()?;
        if self.next(4) == 0 {
            query = format!("-{query}");
        }
        match self.next(5) {
            0 => query = format!("{query} {}", self.term()?),
            1 => query = format!("{query} OR {}", self.term()?),
            2 => query = format!("({query} OR {}) -({} {})", self.term()?, self.term()?, self.term()?),
            _ => {}
        }
        if self.next(3) == 0 {
            query.push_str(" mirror:yes");
        }
        if self.next(4) == 0 {
            query.push_str(" swap:yes");
        }
        Some(query)
    }
}

/// The moves after a position in some games, counted by playing all of them: once a game, where it first comes up.
fn plain_tree(games: &[(Vec<String>, Game)], among: &[u32], wanted: &Position, mirror: bool) -> Vec<(Move, [u64; 4])> {
    let mut moves: BTreeMap<Move, [u64; 4]> = BTreeMap::new();
    for &number in among {
        let game = &games[number as usize - 1].1;
        let line: Vec<Move> = game.moves().collect();
        let mut position = game.start;
        for ply in 0..=line.len() {
            let straight = position == *wanted;
            if straight || (mirror && position == wanted.mirrored()) {
                if let Some(&m) = line.get(ply) {
                    moves.entry(if straight { m } else { m.mirror() }).or_default()[game.result as usize] += 1;
                }
                break;
            }
            if let Some(&m) = line.get(ply) {
                position.play(m);
            }
        }
    }
    moves.into_iter().collect()
}

/// Compares many random queries with the scan; answers how many found something.
fn compare(games: &[(Vec<String>, Game)], database: &Database, queries: usize, seed: u64) -> usize {
    let searcher = Searcher::open(database, Aliases::default()).unwrap();
    let mut maker = Maker { games, seed };
    // Each with a position to ask the tree for.
    let texts: Vec<(String, usize, usize)> = (0..queries)
        .map(|_| {
            let text = std::iter::repeat_with(|| maker.query()).flatten().next().unwrap();
            (text, maker.next(games.len()), maker.next(12) * maker.next(8))
        })
        .collect();
    let found = texts.par_iter().map(|(text, game, plies)| {
        let Ok(query) = parse(text) else { panic!("{text}") };
        let expected: Vec<u32> = (1..)
            .zip(games)
            .filter(|(_, (files, game))| {
                let truths: Vec<bool> = query.terms.iter().map(|term| is_true(term, &query, game, files)).collect();
                judge(&query.root, &truths)
            })
            .map(|(number, _)| number)
            .collect();
        let prepared = searcher.prepare(&query).unwrap();
        let found = prepared.run(None, &AtomicBool::new(false)).unwrap();
        let numbers: Vec<u32> = found.iter().map(|found| found.game).collect();
        assert_eq!(numbers, expected, "{text}");
        assert_eq!(
            prepared.games(&AtomicBool::new(false)).unwrap().iter().collect::<Vec<_>>(),
            expected,
            "{text}, without places"
        );
        let first = prepared.run(Some(3), &AtomicBool::new(false)).unwrap();
        assert_eq!(first, found[..found.len().min(3)], "{text}, the first three");
        let position = games[*game].1.position_at(*plies);
        for mirror in [false, true] {
            let options = yipu::explore::TreeOptions { mirror, among: Some(&expected) };
            let tree = yipu::explore::tree(database, &position, &options).unwrap();
            let mut moves: Vec<(Move, [u64; 4])> = tree
                .moves
                .iter()
                .map(|(m, score)| (*m, [score.red_wins, score.black_wins, score.draws, score.unknown]))
                .collect();
            moves.sort();
            assert_eq!(moves, plain_tree(games, &expected, &position, mirror), "{text}: {position:?}, {mirror}");
        }
        usize::from(!found.is_empty())
    });
    found.sum()
}

#[test]
fn every_kind_of_query_finds_in_real_games_what_a_scan_finds() {
    let Some(folder) = real_games() else { return };
    // A sample over all folders, the same each time.
    let mut files: Vec<_> = Vec::new();
    let mut faults = |_| {};
    let paths = [folder];
    for (n, input) in yipu::input::walk(&paths, &mut faults).enumerate() {
        if n % 31 == 0 {
            files.push(input);
        }
    }
    let mut games: Vec<(String, Game)> = Vec::new();
    let mut file = String::new();
    let stop = AtomicBool::new(false);
    let options = yipu::pipeline::Options::default();
    let run = yipu::pipeline::run::<ReadGame, std::convert::Infallible>(
        files.into_iter(),
        &options,
        &stop,
        |read| read,
        |event| {
            match event {
                yipu::pipeline::Event::File { name, .. } => file = name,
                yipu::pipeline::Event::Game(read) => games.push((file.clone(), read.game)),
                _ => {}
            }
            Ok(())
        },
    );
    assert!(run.is_ok());
    let scratch = tempfile::tempdir().unwrap();
    let mut writer = Writer::open(scratch.path(), WriterOptions { games: 150, ..WriterOptions::default() }).unwrap();
    let (place, generation) = writer.headers_place().unwrap();
    writer.set_side(Box::new(HeaderSide::open(&place, generation).unwrap())).unwrap();
    let mut kept: Vec<(Vec<String>, Game)> = Vec::new();
    for (file, game) in games {
        match writer.add(Prepared::new(read(game.clone(), 1)), &file).unwrap() {
            yipu::store::Added::New(number) => {
                kept.push((vec![file], game));
                assert_eq!(number as usize, kept.len());
            }
            // Met again: one more source.
            yipu::store::Added::Duplicate(number) => kept[number as usize - 1].0.push(file),
            other => panic!("{other:?}"),
        }
    }
    writer.commit().unwrap();
    drop(writer);
    let database = Database::open(scratch.path()).unwrap();
    assert!(kept.len() > 500, "{} games", kept.len());
    // Other queries for those who want them: YIPU_SEED=7.
    let seed = std::env::var("YIPU_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(20_260_101);
    let found = compare(&kept, &database, 500, seed);
    assert!(found > 250, "only {found} queries found anything");
}

#[test]
fn openings_agree_with_the_tags_of_real_games() {
    let Some(folder) = real_games() else { return };
    let paths = [folder];
    let stop = AtomicBool::new(false);
    let options = yipu::pipeline::Options::default();
    let mut faults = |_| {};
    let inputs: Vec<_> = yipu::input::walk(&paths, &mut faults).filter(is_pgn).collect();
    let mut rows: Vec<(String, String, String, String)> = Vec::new();
    let mut file = String::new();
    let tagged = |read: ReadGame| Tagged::new(&read);
    let run =
        yipu::pipeline::run::<Tagged, std::convert::Infallible>(inputs.into_iter(), &options, &stop, tagged, |event| {
            match event {
                yipu::pipeline::Event::File { name, .. } => file = name,
                yipu::pipeline::Event::Game(Tagged(Some([tag, own, short]))) => {
                    rows.push((file.clone(), tag, own, short))
                }
                _ => {}
            }
            Ok(())
        });
    assert!(run.is_ok());
    // The programs of xqbase look at twenty plies, as we do; another program, whose tags most of the files have, plainly
    // at no more than fifteen: it has no code that takes longer.
    let (theirs, others): (Vec<_>, Vec<_>) =
        rows.iter().partition(|(file, ..)| file.contains("xqwizard") || file.contains("xqbase"));
    let mut pairs: BTreeMap<(&str, &str), (usize, &str)> = BTreeMap::new();
    let mut differ = [0, 0];
    for (file, tag, own, _) in theirs.iter().filter(|(_, tag, own, _)| tag != own) {
        pairs.entry((tag, own)).or_insert((0, file)).0 += 1;
        differ[0] += 1;
    }
    for (file, tag, _, short) in others.iter().filter(|(_, tag, _, short)| tag != short) {
        pairs.entry((tag, short)).or_insert((0, file)).0 += 1;
        differ[1] += 1;
    }
    for ((tag, own), (games, file)) in pairs {
        eprintln!("tag {tag}, here {own:3}: {games} games, such as {file}");
    }
    eprintln!("differing: {} of {} by xqbase, {} of {} others", differ[0], theirs.len(), differ[1], others.len());
    assert!(theirs.len() >= 400 && differ[0] * 100 <= theirs.len());
    assert!(others.len() >= 7000 && differ[1] * 100 <= others.len());
}

fn is_pgn(input: &yipu::input::Input) -> bool {
    input.name.to_ascii_lowercase().ends_with(".pgn")
}

/// The ECCO tag of a game, if it has one that is a code; our own code; our own by fifteen plies.
struct Tagged(Option<[String; 3]>);

impl Tagged {
    fn new(read: &ReadGame) -> Tagged {
        let game = &read.game;
        let tag = game.headers.get(Name::Ecco).and_then(|tag| tag.parse::<yipu::opening::Ecco>().ok());
        let own = |plies| {
            let code = openings().code(&game.start, game.moves().take(plies));
            code.map_or(String::new(), |(code, _)| code.to_string())
        };
        Tagged(tag.map(|tag| [tag.to_string(), own(usize::MAX), own(15)]))
    }
}

impl yipu::pipeline::Numbered for Tagged {
    fn shift(&mut self, _: u64) {}

    fn memory(&self) -> usize {
        100
    }
}

#[test]
fn comments_and_unread_text_are_searched_as_written() {
    let mut with_comment = game(&[(Name::Red, "甲")], GameResult::Draw, "h2e2 h9g7");
    with_comment.tree.comment(NodeId::ROOT, yipu::game::Place::After, "此局紅方先棄後取，妙手連連");
    let mut unread = game(&[(Name::Red, "乙")], GameResult::Draw, "h2e2");
    unread.rest = "车三进五 以下缺".to_string();
    let plain = Game { headers: Headers::default(), tree: Tree::new(), ..Game::default() };
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), &[with_comment, unread, plain], 100);
    let database = Database::open(folder.path()).unwrap();
    assert_eq!(hits(&database, "comment:先弃后取"), "G1");
    assert_eq!(hits(&database, "comment:先弃后连"), "", "the pairs are there, the phrase is not");
    assert_eq!(hits(&database, "comment:车三"), "G2");
    assert_eq!(hits(&database, "-comment:妙手连连"), "G2 G3");
    assert!(Needle::new("妙手连连").is_some());
}

#[test]
fn positions_of_side_lines_are_found_on_request_only() {
    let mut games = base();
    // 1. h2e2 (1. c3c4 g6g5) h9g7: the position after the side line is in no main line.
    let tree = &mut games[1].tree;
    let aside = tree.add(NodeId::ROOT, "c3c4".parse().unwrap());
    tree.add(aside, "g6g5".parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), &games, 2);
    let database = Database::open(folder.path()).unwrap();
    let found = |query: &str| {
        let place = |found: &Found| found.place.map(|place| (place.ply, place.side_line, place.mirrored));
        search(&database, query).iter().map(|found| (found.game, place(found))).collect::<Vec<_>>()
    };
    let line = "line:\"c3c4 g6g5\"";
    assert_eq!(found(line), []);
    assert_eq!(found(&format!("{line} lines:all")), [(2, Some((2, true, false)))]);
    assert_eq!(found(&format!("{line} lines:all player:乙一")), []);
    assert_eq!(found("line:\"g3g4 c6c5\" lines:all"), []);
    assert_eq!(found("line:\"g3g4 c6c5\" lines:all mirror:yes"), [(2, Some((2, true, true)))]);
    // Where the main line has it too, that place is told; counts over the tree know main lines alone.
    let all = found("line:\"h2e2 h9g7\" lines:all");
    assert_eq!(all, found("line:\"h2e2 h9g7\""));
    assert_eq!(all.len(), 2);
    let mut aside = Position::start();
    aside.play("c3c4".parse().unwrap());
    assert_eq!(database.hits(&aside, true).count(), 0);
}
