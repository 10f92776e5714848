//! Finding copies.
//!
//! Each game leaves a few numbers: a hash of its line (the smaller of it and its mirror image's), of every beginning
//! while it is played through, of its two halves. Equal numbers bring games together; then their moves are compared.

use crate::board::{Color, Move, Position};
use crate::game::{Game, Name, PartialDate};
use crate::names::{split_team, squeeze};
use crate::store::{Database, Error, StoredGame};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// From so many plies on equal moves speak for themselves, whatever the headers say.
const LONG: usize = 24;
/// Contained and nearly equal games with unknown players or dates must have so many plies.
const VERY_LONG: usize = 40;
/// The fewest plies of two games compared ply by ply.
const NEAR: usize = 20;
/// Games with one half in common that are compared with each other at most.
const CROWD: usize = 64;

/// How a copy is like the game that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Likeness {
    /// The same moves.
    Same,
    /// The same moves in a mirror.
    Mirrored,
    /// Its moves are the first moves of the game kept.
    Contained,
    /// One ply differs.
    Near,
}

/// A game that is a copy of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// Its number.
    pub game: u32,
    /// How it is like the game kept.
    pub likeness: Likeness,
    /// What speaks for it and against it.
    pub evidence: Vec<String>,
}

/// Copies of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The game with the most in it.
    pub keep: u32,
    /// The others.
    pub copies: Vec<Copy>,
}

/// What is remembered of a game.
#[derive(Clone, Copy)]
struct Trace {
    game: u32,
    plies: u32,
    /// Of both names; 0 if one is not known.
    players: u64,
    /// Of the whole line, by itself and as its mirror image.
    line: u64,
    image: u64,
    halves: [u64; 2],
}

const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

fn mix(hash: u64, m: Move) -> u64 {
    (hash ^ u64::from(m.to_bits() + 1)).wrapping_mul(FACTOR).rotate_left(29)
}

fn number(text: &str) -> u64 {
    text.bytes().fold(FACTOR, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(FACTOR).rotate_left(29)) | 1
}

fn trace(database: &Database, game: u32) -> Result<Trace, Error> {
    let line = database.line(game)?;
    let start = line.start();
    let (mut own, mut image) = (start.key(), start.mirror_key());
    let plies = line.facts.plies;
    let mut halves = [own, own ^ FACTOR];
    for (ply, m) in (0u32..).zip(line.moves()) {
        own = mix(own, m);
        image = mix(image, m.mirror());
        let half = usize::from(ply >= plies / 2);
        halves[half] = mix(halves[half], m);
    }
    let side = Side::of(database, game)?;
    let players = match (side.player(Color::Red), side.player(Color::Black)) {
        (Some(red), Some(black)) => number(&format!("{red}\n{black}")),
        _ => 0,
    };
    Ok(Trace { game, plies, players, line: own, image, halves })
}

/// Finds groups of copies in a database.
///
/// # Errors
///
/// If the database cannot be read.
pub fn find(database: &Database) -> Result<Vec<Group>, Error> {
    let numbers: Vec<u32> = database.numbers().collect();
    let traces: Vec<Trace> = numbers.par_iter().map(|&game| trace(database, game)).collect::<Result<_, _>>()?;
    let mut pairs: Vec<(u32, u32)> = Vec::new();

    // The same line, or its mirror image.
    let mut lines: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, trace) in traces.iter().enumerate() {
        lines.entry(trace.line.min(trace.image)).or_default().push(index);
    }
    for members in lines.values().filter(|members| members.len() > 1) {
        for pair in members.windows(2) {
            pairs.push((traces[pair[0]].game, traces[pair[1]].game));
        }
        // Copies that contradict their neighbour may still fit the first.
        pairs.extend(members[2..].iter().map(|&other| (traces[members[0]].game, traces[other].game)));
    }

    // Beginnings of longer games: by the same players, or so long that they speak for themselves.
    let mut beginnings: HashMap<(u64, u64), Vec<u32>> = HashMap::new();
    for trace in traces.iter().filter(|trace| trace.plies > 0) {
        if trace.players != 0 {
            beginnings.entry((trace.line, trace.players)).or_default().push(trace.game);
        }
        if trace.plies as usize >= VERY_LONG {
            beginnings.entry((trace.line, 0)).or_default().push(trace.game);
        }
    }
    let contained: Vec<Vec<(u32, u32)>> = traces
        .par_iter()
        .map(|trace| {
            let line = database.line(trace.game)?;
            let mut found = Vec::new();
            let mut hash = line.start().key();
            for m in line.moves().take((trace.plies as usize).saturating_sub(1)) {
                hash = mix(hash, m);
                for players in [trace.players, 0] {
                    let shorter = beginnings.get(&(hash, players)).into_iter().flatten();
                    found.extend(shorter.take(CROWD).map(|&shorter| (trace.game, shorter)));
                }
            }
            Ok(found)
        })
        .collect::<Result<_, Error>>()?;
    pairs.extend(contained.into_iter().flatten());

    // One half in common.
    let mut halves: HashMap<(u32, u64), Vec<u32>> = HashMap::new();
    for trace in traces.iter().filter(|trace| trace.plies as usize >= NEAR) {
        for half in trace.halves {
            halves.entry((trace.plies, half)).or_default().push(trace.game);
        }
    }
    for members in halves.values().filter(|members| (2..=CROWD).contains(&members.len())) {
        for (n, &one) in members.iter().enumerate() {
            pairs.extend(members[n + 1..].iter().map(|&other| (one, other)));
        }
    }

    pairs.iter_mut().for_each(|pair| *pair = (pair.0.min(pair.1), pair.0.max(pair.1)));
    pairs.sort_unstable();
    pairs.dedup();
    let judged: Vec<Option<(u32, u32, Likeness)>> = pairs
        .par_iter()
        .map(|&(one, other)| {
            let judged = compare(&Side::of(database, one)?, &Side::of(database, other)?);
            Ok(judged.map(|likeness| (one, other, likeness)))
        })
        .collect::<Result<_, Error>>()?;
    group(database, judged.into_iter().flatten().collect())
}

/// One of two games that are compared.
struct Side {
    start: Position,
    moves: Vec<Move>,
    stored: StoredGame,
}

impl Side {
    fn of(database: &Database, game: u32) -> Result<Side, Error> {
        let stored = database.game(game)?;
        Ok(Side { start: stored.game.start, moves: stored.game.moves().collect(), stored })
    }

    fn player(&self, color: Color) -> Option<String> {
        let name = match color {
            Color::Red => Name::Red,
            Color::Black => Name::Black,
        };
        self.stored.game.headers.get(name).map(|name| squeeze(split_team(name).1)).filter(|name| !name.is_empty())
    }

    fn date(&self) -> Option<PartialDate> {
        self.stored.game.headers.get(Name::Date).and_then(PartialDate::read)
    }

    /// How much is in the record: plies of the tree, comments, headers.
    fn wealth(&self) -> (usize, usize, usize) {
        let game = &self.stored.game;
        (game.tree.ply_count(), game.tree.comments().len(), game.headers.iter().count())
    }
}

/// What two facts say about each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Match {
    Equal,
    Unknown,
    Different,
}

fn players(one: &Side, other: &Side) -> Match {
    let mut all = Match::Equal;
    for color in Color::ALL {
        match (one.player(color), other.player(color)) {
            (Some(a), Some(b)) if a == b => {}
            (Some(_), Some(_)) => return Match::Different,
            _ => all = Match::Unknown,
        }
    }
    all
}

fn dates(one: &Side, other: &Side) -> Match {
    let (Some(a), Some(b)) = (one.date(), other.date()) else { return Match::Unknown };
    let differ = |a: Option<u8>, b: Option<u8>| matches!((a, b), (Some(a), Some(b)) if a != b);
    if a.year != b.year || differ(a.month, b.month) || differ(a.day, b.day) {
        Match::Different
    } else if a.month.is_some() && b.month.is_some() {
        Match::Equal
    } else {
        Match::Unknown
    }
}

/// Whether two records say the same in words: title, event and comments.
fn same_texts(one: &Side, other: &Side) -> bool {
    let (one, other) = (&one.stored.game, &other.stored.game);
    let header = |game: &Game, name| game.headers.get(name).map(squeeze).unwrap_or_default();
    let comments = |game: &Game| -> Vec<String> { game.tree.comments().iter().map(|c| squeeze(&c.text)).collect() };
    [Name::Title, Name::Event].into_iter().all(|name| header(one, name) == header(other, name))
        && comments(one) == comments(other)
        && squeeze(&one.rest) == squeeze(&other.rest)
}

/// Whether two games are one, by the table of the module page.
fn compare(one: &Side, other: &Side) -> Option<Likeness> {
    let (short, long) = if one.moves.len() <= other.moves.len() { (one, other) } else { (other, one) };
    let plies = short.moves.len();
    let (players, dates) = (players(one, other), dates(one, other));
    let contradict = players == Match::Different || dates == Match::Different;
    let same_start = one.start == other.start;
    if short.moves.len() == long.moves.len() {
        let same = same_start && one.moves == other.moves;
        let image = || {
            let moves = other.moves.iter().map(|m| m.mirror());
            one.start == other.start.mirrored() && moves.eq(one.moves.iter().copied())
        };
        if same || image() {
            let enough = plies > 0 && (!contradict || plies >= LONG);
            // A record without moves is its texts: a title page is no copy of another because both boards are the same.
            let diagram = plies == 0 && !contradict && one.start != Position::start() && same_texts(one, other);
            return (enough || diagram).then_some(if same { Likeness::Same } else { Likeness::Mirrored });
        }
        let differing = one.moves.iter().zip(&other.moves).filter(|(a, b)| a != b).count();
        let enough = plies >= NEAR && players == Match::Equal && dates != Match::Different;
        return (same_start && differing == 1 && (enough || (plies >= VERY_LONG && !contradict)))
            .then_some(Likeness::Near);
    }
    let begins = same_start && long.moves.starts_with(&short.moves);
    let enough = players == Match::Equal && dates == Match::Equal || plies >= VERY_LONG;
    let sure = enough || (players == Match::Equal && dates == Match::Unknown && plies >= LONG);
    (begins && !contradict && plies > 0 && sure).then_some(Likeness::Contained)
}

/// Puts pairs together and chooses what to keep.
fn group(database: &Database, pairs: Vec<(u32, u32, Likeness)>) -> Result<Vec<Group>, Error> {
    let mut leader: BTreeMap<u32, u32> = BTreeMap::new();
    fn root(leader: &BTreeMap<u32, u32>, mut game: u32) -> u32 {
        while let Some(&next) = leader.get(&game).filter(|next| **next != game) {
            game = next;
        }
        game
    }
    for &(one, other, _) in &pairs {
        let (one, other) = (root(&leader, one), root(&leader, other));
        leader.insert(one.max(other), one.min(other));
        leader.entry(one.min(other)).or_insert(one.min(other));
    }
    let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &game in leader.keys() {
        groups.entry(root(&leader, game)).or_default().push(game);
    }
    groups
        .into_values()
        .map(|members| {
            let sides =
                members.iter().map(|&game| Ok((game, Side::of(database, game)?))).collect::<Result<Vec<_>, Error>>()?;
            // The longest main line first, so that nothing is lost; then the richest record; then the oldest.
            let best =
                sides.iter().max_by_key(|(game, side)| (side.moves.len(), side.wealth(), std::cmp::Reverse(*game)));
            let Some((keep, kept)) = best else { return Ok(None) };
            let copies: Vec<Copy> = sides
                .iter()
                .filter(|(game, _)| game != keep)
                .filter_map(|(game, side)| {
                    // Games that are alike only through a third one are left alone.
                    let likeness = compare(kept, side)?;
                    Some(Copy { game: *game, likeness, evidence: evidence(kept, side) })
                })
                .collect();
            Ok((!copies.is_empty()).then_some(Group { keep: *keep, copies }))
        })
        .filter_map(Result::transpose)
        .collect()
}

fn evidence(kept: &Side, side: &Side) -> Vec<String> {
    let say = |what: &str, found: Match| match found {
        Match::Equal => format!("same {what}"),
        Match::Unknown => format!("{what} not known in both"),
        Match::Different => format!("other {what}"),
    };
    vec![
        format!("{} of {} plies", side.moves.len(), kept.moves.len()),
        say("players", players(kept, side)),
        say("date", dates(kept, side)),
    ]
}
