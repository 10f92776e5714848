//! Makes collections of games that look like real ones, the same for the same seed.
//!
//! A game opens with moves drawn from a book (how often each move was played in each position of real or given games),
//! and goes on with legal moves, captures and checks preferred a little, until it has its length or ends. Headers are
//! drawn from lists: some players and events appear often, most seldom.

use std::collections::HashMap;
use yipu::board::{Move, Position};
use yipu::game::{Game, GameResult, Name, NodeId};

/// Random numbers that never change with a library: splitmix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Of a seed and a stream.
    pub fn new(seed: u64, stream: u64) -> Random {
        let mut random = Random(seed ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03));
        random.next();
        random
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// A number below `end`, small ones much more often.
    pub fn skewed(&mut self, end: usize) -> usize {
        let x = self.below(1 << 20) as f64 / f64::from(1 << 20);
        ((x * x * x) * end as f64) as usize
    }
}

/// How often each move was played in each position.
#[derive(Clone, Debug, Default)]
pub struct Book {
    moves: HashMap<u64, Vec<(Move, u32)>>,
}

impl Book {
    /// Notes the first plies of a game.
    pub fn add(&mut self, game: &Game, plies: usize) {
        let mut position = game.start;
        for m in game.moves().take(plies) {
            let moves = self.moves.entry(position.key()).or_default();
            match moves.iter_mut().find(|known| known.0 == m) {
                Some(known) => known.1 += 1,
                None => moves.push((m, 1)),
            }
            position.play(m);
        }
    }

    /// A book without games to learn from: the usual first moves and replies, both ways round.
    pub fn usual() -> Book {
        const LINES: [(&str, u32); 12] = [
            ("h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 h0h6 c6c5", 30),
            ("h2e2 h9g7 h0g2 i9h9 g3g4 c6c5 b0c2 b9c7", 20),
            ("h2e2 b9c7 h0g2 h9g7 i0h0 i9h9 c3c4 g6g5", 16),
            ("h2e2 h7e7 h0g2 h9g7 i0h0 i9i8 h0h6 i8d8", 12),
            ("h2e2 b7e7 h0g2 b9c7 i0h0 a9b9", 8),
            ("g3g4 h7g7 h2e2 c9e7 h0g2 h9i7", 10),
            ("g3g4 h9g7 h0g2 c6c5 g0e2 b9c7", 10),
            ("g3g4 g6g5 h0g2 h9g7 b2e2", 4),
            ("g0e2 h7e7 h0g2 h9g7 i0h0 i9h9", 6),
            ("g0e2 c6c5 h0g2 b9c7", 6),
            ("h0g2 g6g5 c3c4 h9g7", 5),
            ("h2f2 h9g7 h0g2 i9h9 i0h0", 4),
        ];
        let mut book = Book::default();
        for (line, times) in LINES {
            for mirror in [false, true] {
                let mut game = Game::default();
                let mut at = NodeId::ROOT;
                for text in line.split(' ') {
                    let m: Move = text.parse().expect("the table holds moves");
                    at = game.tree.add(at, if mirror { m.mirror() } else { m });
                }
                for _ in 0..if mirror { times.div_ceil(4) } else { times } {
                    book.add(&game, 60);
                }
            }
        }
        book
    }

    fn draw(&self, position: &Position, random: &mut Random) -> Option<Move> {
        let moves = self.moves.get(&position.key())?;
        let total: u32 = moves.iter().map(|known| known.1).sum();
        // The rarer a position, the sooner a game leaves the book.
        if random.below(total as usize + 2) < 1 {
            return None;
        }
        let mut at = random.below(total as usize) as u32;
        moves.iter().find_map(|&(m, times)| {
            let found = at < times;
            at = at.saturating_sub(times);
            found.then_some(m)
        })
    }
}

const SURNAMES: [&str; 40] = [
    "王", "李", "张", "刘", "陈", "杨", "赵", "黄", "周", "吴", "徐", "孙", "胡", "朱", "高", "林", "何", "郭", "马",
    "罗", "梁", "宋", "郑", "谢", "韩", "唐", "冯", "于", "董", "萧", "程", "曹", "袁", "邓", "许", "傅", "沈", "曾",
    "彭", "吕",
];
const GIVEN: [&str; 48] = [
    "伟", "芳", "娜", "敏", "静", "丽", "强", "磊", "军", "洋", "勇", "艳", "杰", "娟", "涛", "明", "超", "秀", "霞",
    "平", "刚", "桂", "英", "华", "玉", "兰", "文", "志", "建", "国", "荣", "海", "春", "生", "永", "少", "清", "德",
    "光", "亮", "成", "新", "林", "峰", "宇", "天", "一", "鸣",
];
const PLACES: [&str; 20] = [
    "广州",
    "上海",
    "北京",
    "成都",
    "武汉",
    "沈阳",
    "杭州",
    "南京",
    "太原",
    "济南",
    "长沙",
    "福州",
    "合肥",
    "昆明",
    "郑州",
    "石家庄",
    "哈尔滨",
    "南宁",
    "兰州",
    "厦门",
];
const CUPS: [&str; 10] = [
    "象棋个人赛",
    "象棋甲级联赛",
    "象棋团体赛",
    "象棋公开赛",
    "杯象棋大师赛",
    "象棋邀请赛",
    "象棋擂台赛",
    "象棋等级赛",
    "象棋快棋赛",
    "象棋锦标赛",
];

/// A person's name, of one of so many people.
fn player(random: &mut Random, people: usize) -> String {
    let person = random.skewed(people);
    let mut own = Random::new(77, person as u64);
    let mut name = SURNAMES[own.skewed(SURNAMES.len())].to_string();
    for _ in 0..1 + own.below(3).min(1) {
        name.push_str(GIVEN[own.below(GIVEN.len())]);
    }
    name
}

/// What a collection is like.
#[derive(Clone, Copy, Debug)]
pub struct Recipe {
    /// Other seeds give other games.
    pub seed: u64,
    /// Length of a game in plies; half of the games are within a quarter of it.
    pub plies: usize,
    /// Exactly this length, unless a game ends before.
    pub exact: bool,
    /// How many players there are.
    pub players: usize,
}

/// The n-th game (from 1) of a collection.
pub fn game(recipe: &Recipe, book: &Book, number: u64) -> Game {
    let mut random = Random::new(recipe.seed, number);
    let mut length = recipe.plies;
    if !recipe.exact {
        length = length / 2 + random.below(length / 2 + 1) + random.below(length / 2 + 1);
    }
    let mut game = Game::default();
    let mut position = game.start;
    let mut at = NodeId::ROOT;
    let mut in_book = true;
    let mut outcome = None;
    let mut own_last = [None::<Move>; 2];
    for ply in 0..length {
        let drawn = if in_book { book.draw(&position, &mut random) } else { None };
        in_book = drawn.is_some();
        let m = match drawn {
            Some(m) => m,
            None => {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    outcome = Some(GameResult::win_of(!position.side_to_move()));
                    break;
                }
                let back = own_last[ply % 2].map(|m| Move::new(m.to(), m.from()));
                let mut m = moves[random.below(moves.len())];
                for _ in 0..2 {
                    // Captures are liked, going straight back is not.
                    if position.piece_at(m.to()).is_some() || (Some(m) != back && random.below(3) == 0) {
                        break;
                    }
                    m = moves[random.below(moves.len())];
                }
                m
            }
        };
        own_last[ply % 2] = Some(m);
        at = game.tree.add(at, m);
        position.play(m);
    }
    game.result = outcome.unwrap_or_else(|| match random.below(100) {
        0..36 => GameResult::RedWins,
        36..68 => GameResult::Draw,
        68..95 => GameResult::BlackWins,
        _ => GameResult::Unknown,
    });
    let year = 2024 - random.skewed(60);
    let place = PLACES[random.skewed(PLACES.len())];
    let cup = CUPS[random.skewed(CUPS.len())];
    let headers = &mut game.headers;
    headers.push("Game", "Chinese Chess");
    headers.push(Name::Event.tag(), format!("{year}年{place}{cup}"));
    headers.push(Name::Site.tag(), place);
    headers.push(Name::Date.tag(), format!("{year}.{:02}.{:02}", 1 + random.below(12), 1 + random.below(28)));
    headers.push(Name::Round.tag(), format!("{}", 1 + random.below(11)));
    headers.push(Name::RedTeam.tag(), PLACES[random.below(PLACES.len())]);
    headers.push(Name::Red.tag(), player(&mut random, recipe.players));
    headers.push(Name::BlackTeam.tag(), PLACES[random.below(PLACES.len())]);
    headers.push(Name::Black.tag(), player(&mut random, recipe.players));
    headers.push(Name::Result.tag(), game.result.token());
    game
}

/// The n-th game (from 1) of the plain row: a linear congruential generator, started with the number, picks among the
/// legal moves in the order of their coordinates, for at most sixty plies. No headers but the number.
pub fn plain_game(number: u64) -> Game {
    let mut game = Game::default();
    let mut position = game.start;
    let mut at = NodeId::ROOT;
    let mut x = number % (1 << 31);
    for _ in 0..60 {
        let mut moves = position.legal_moves().to_vec();
        if moves.is_empty() {
            break;
        }
        moves.sort_by_key(|m| m.to_coordinates());
        x = (1_103_515_245 * x + 12_345) % (1 << 31);
        let m = moves[(x / 65_536) as usize % moves.len()];
        at = game.tree.add(at, m);
        position.play(m);
    }
    game.headers.push(Name::Event.tag(), format!("plain {number}"));
    game
}
