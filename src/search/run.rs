//! Answering a query over a database.
//!
//! Every term is first asked of the index that knows it: headers, texts and columns, the positions, the signs of the games.
//! An answer is two sets: the games it may be true of and those it is surely true of. They are joined as the query joins
//! the terms. Games between the two (for patterns, checks, long pieces of comments) are then played through, and each is
//! judged by the whole query.

use super::GameSet;
use super::bound::{Bound, Verdict};
use super::headers::{HeaderReader, Role};
use super::scan::{Place, Scanner, in_side_lines};
use crate::board::Position;
use crate::names::{Aliases, Needle, Place as NamePlace};
use crate::query::{Node, Query, Term};
use crate::store::{Database, Error};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Games judged by one thread before it looks whether enough were found.
const CHUNK: usize = 512;

/// Why a query could not be answered.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The database.
    #[error(transparent)]
    Store(#[from] Error),
    /// The header index.
    #[error("header index: {0}")]
    Headers(#[from] tantivy::TantivyError),
    /// The database was built without a header index.
    #[error("this database has no header index: build it anew")]
    NoHeaders,
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// A game that answers a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its number.
    pub game: u32,
    /// Where the first board term of the query came true, if it has one.
    pub place: Option<Place>,
}

/// How a term is answered.
#[derive(Clone, Debug)]
pub struct Step {
    /// The term as written.
    pub term: String,
    /// Who answers it.
    pub by: &'static str,
    /// Games it leaves.
    pub games: usize,
    /// Games among them it is surely true of.
    pub sure: usize,
    /// Whether that is settled.
    pub settled: bool,
    /// The bounds that rule games out, in English and in Chinese.
    pub bounds: [Vec<String>; 2],
    /// Games left by this and all terms before it, for a term that every game must pass.
    pub left: Option<usize>,
    /// Time it took.
    pub time: Duration,
}

/// How a query is answered.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Games in the database.
    pub games: usize,
    /// The terms.
    pub steps: Vec<Step>,
    /// Games left by the indexes together.
    pub left: usize,
    /// Games among them that surely answer the query.
    pub sure: usize,
    /// Whether these have to be played through or read.
    pub judged: bool,
}

/// The answer to one term.
struct Answer {
    set: Set,
    /// For positions: where, by game.
    places: Vec<(u32, Place)>,
    by: &'static str,
    bounds: [Vec<String>; 2],
}

/// The games something may be true of, and those among them it is surely true of.
#[derive(Clone, Debug)]
struct Set {
    may: GameSet,
    sure: GameSet,
}

impl Set {
    fn settled(games: GameSet) -> Set {
        Set { sure: games.clone(), may: games }
    }

    fn is_settled(&self) -> bool {
        self.may == self.sure
    }
}

impl Answer {
    /// Where the position index has a game.
    fn place(&self, game: u32) -> Option<Place> {
        let at = self.places.binary_search_by_key(&game, |(game, _)| *game).ok()?;
        self.places.get(at).map(|(_, place)| *place)
    }
}

/// A query with the answers of the indexes.
pub struct Prepared<'s> {
    searcher: &'s Searcher<'s>,
    query: &'s Query,
    answers: Vec<Answer>,
    left: Set,
    steps: Vec<Step>,
}

impl std::fmt::Debug for Prepared<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Prepared({:?})", self.steps)
    }
}

/// Searches one state of a database.
#[derive(Debug)]
pub struct Searcher<'d> {
    database: &'d Database,
    headers: Option<HeaderReader>,
    aliases: Aliases,
    events: Aliases,
    all: GameSet,
}

impl<'d> Searcher<'d> {
    /// For the state the database was opened in.
    pub fn open(database: &'d Database, aliases: Aliases) -> Result<Searcher<'d>, SearchError> {
        let bound = database.number_bound();
        let mut all = GameSet::empty(bound);
        all.insert_range(1..bound);
        database.removed_numbers().iter().for_each(|number| all.remove(*number));
        let headers = match database.headers() {
            Some(directory) => Some(HeaderReader::open(directory?, bound)?),
            None => None,
        };
        Ok(Searcher { database, headers, aliases, events: Aliases::default(), all })
    }

    /// Names of the same events: a search for one of them finds the others.
    pub fn set_events(&mut self, events: Aliases) {
        self.events = events;
    }

    /// Leaves games out of every answer from now on.
    pub fn hide(&mut self, games: impl IntoIterator<Item = u32>) {
        games.into_iter().for_each(|game| self.all.remove(game));
    }

    /// The header index.
    pub fn headers(&self) -> Result<&HeaderReader, SearchError> {
        self.headers.as_ref().ok_or(SearchError::NoHeaders)
    }

    /// The database.
    pub fn database(&self) -> &'d Database {
        self.database
    }

    /// Every game.
    pub fn all(&self) -> &GameSet {
        &self.all
    }

    /// Asks the indexes.
    pub fn prepare<'s>(&'s self, query: &'s Query) -> Result<Prepared<'s>, SearchError> {
        let answered: Vec<(Answer, Step)> = query
            .terms
            .par_iter()
            .zip(&query.texts)
            .map(|(term, text)| {
                let start = Instant::now();
                let mut answer = self.ask(term, query)?;
                answer.set.may.and(&self.all);
                answer.set.sure.and(&self.all);
                let step = Step {
                    term: text.clone(),
                    by: answer.by,
                    games: answer.set.may.len(),
                    sure: answer.set.sure.len(),
                    settled: answer.set.is_settled(),
                    bounds: answer.bounds.clone(),
                    left: None,
                    time: start.elapsed(),
                };
                Ok((answer, step))
            })
            .collect::<Result<_, SearchError>>()?;
        let (answers, mut steps): (Vec<Answer>, Vec<Step>) = answered.into_iter().unzip();
        let left = self.join(&query.root, &answers);
        let parts = match &query.root {
            Node::And(nodes) => nodes.as_slice(),
            other => std::slice::from_ref(other),
        };
        let mut so_far = self.all.clone();
        for node in parts {
            so_far.and(&self.join(node, &answers).may);
            if let Some(step) = last_term(node).and_then(|term| steps.get_mut(term)) {
                step.left = Some(so_far.len());
            }
        }
        Ok(Prepared { searcher: self, query, answers, left, steps })
    }

    /// The games that answer a query, in the order of their numbers.
    pub fn games(&self, query: &Query, stop: &AtomicBool) -> Result<GameSet, SearchError> {
        self.prepare(query)?.games(stop)
    }

    fn ask(&self, term: &Term, query: &Query) -> Result<Answer, SearchError> {
        let none = || [Vec::new(), Vec::new()];
        let settled = |set, by| Answer { set: Set::settled(set), places: Vec::new(), by, bounds: none() };
        Ok(match term {
            Term::Text(roles, needle) => settled(self.text(roles, needle)?, "header index"),
            Term::Comment(needle) => {
                let found = self.headers()?.comment(needle)?;
                let sure = if found.decided { found.games.clone() } else { GameSet::empty(self.all.bound()) };
                Answer { set: Set { may: found.games, sure }, places: Vec::new(), by: "comment index", bounds: none() }
            }
            Term::Date(range) => settled(self.headers()?.date(*range)?, "date column"),
            Term::Undated => settled(self.headers()?.undated()?, "date column"),
            Term::Result(result) => settled(self.headers()?.result(*result)?, "result column"),
            Term::Ecco(spans) => {
                let mut set = GameSet::empty(self.all.bound());
                for span in spans {
                    set.or(&self.headers()?.ecco(span.clone())?);
                }
                settled(set, "code column")
            }
            Term::Plies(range) => settled(self.headers()?.plies(range.clone())?, "length column"),
            Term::Position(position) => self.position(position, query)?,
            _ => match Bound::new(term, query.mirror, query.swap) {
                Some(bound) => {
                    let bounds = [bound.describe(false), bound.describe(true)];
                    Answer { set: self.bounded(&bound), places: Vec::new(), by: "bounds of the games", bounds }
                }
                None => {
                    let set = Set { may: self.all.clone(), sure: GameSet::empty(self.all.bound()) };
                    Answer { set, places: Vec::new(), by: "the board", bounds: none() }
                }
            },
        })
    }

    /// What the signs of all games say.
    fn bounded(&self, bound: &Bound) -> Set {
        let mut set = Set { may: GameSet::empty(self.all.bound()), sure: GameSet::empty(self.all.bound()) };
        self.database.signs(|number, sign| match sign.map_or(Verdict::Maybe, |sign| bound.judge(sign)) {
            Verdict::No => {}
            Verdict::Maybe => set.may.insert(number),
            Verdict::Yes => {
                set.may.insert(number);
                set.sure.insert(number);
            }
        });
        set
    }

    fn text(&self, roles: &[Role], needle: &Needle) -> Result<GameSet, SearchError> {
        let players = roles.iter().any(|role| matches!(role, Role::Red | Role::Black));
        let mut needles = vec![needle.clone()];
        if players {
            needles.extend(self.aliases.others(needle));
        }
        if roles.contains(&Role::Event) {
            needles.extend(self.events.others(needle));
        }
        let mut games = self.headers()?.text(roles, &needles)?;
        if roles.contains(&Role::Source) {
            // The header index knows where a game was first read; where it was met again the store knows.
            let again =
                self.database.met_again_in(|file| needles.iter().any(|needle| needle.is_in(file, NamePlace::Text)));
            again.for_each(|game| games.insert(game));
        }
        Ok(games)
    }

    fn position(&self, position: &Position, query: &Query) -> Result<Answer, SearchError> {
        let mut places = Vec::new();
        let swapped = query.swap.then(|| position.swapped());
        for (position, swapped) in [(Some(*position), false), (swapped, true)] {
            let Some(position) = position else { continue };
            for hit in self.database.hits(&position, query.mirror) {
                let hit = hit?;
                let place = Place { ply: hit.ply, mirrored: hit.mirrored, swapped, side_line: false };
                places.push((hit.game, place));
            }
        }
        places.sort_unstable();
        places.dedup_by_key(|(game, _)| *game);
        if query.side_lines {
            // The index knows the main lines; the trees of all other games are looked through.
            let sure = GameSet::of(self.all.bound(), places.iter().map(|(game, _)| *game));
            let set = Set { may: self.all.clone(), sure };
            let bounds = [Vec::new(), Vec::new()];
            return Ok(Answer { set, places, by: "position index and side lines", bounds });
        }
        let set = GameSet::of(self.all.bound(), places.iter().map(|(game, _)| *game));
        let bounds = [Vec::new(), Vec::new()];
        Ok(Answer { set: Set::settled(set), places, by: "position index", bounds })
    }

    /// The games a part of the query may be true of, and those it surely is. The depth of a query is bounded.
    fn join(&self, node: &Node, answers: &[Answer]) -> Set {
        match node {
            Node::Term(term) => match answers.get(*term) {
                Some(answer) => answer.set.clone(),
                None => Set { may: self.all.clone(), sure: GameSet::empty(self.all.bound()) },
            },
            Node::Not(node) => {
                let set = self.join(node, answers);
                let without = |games: &GameSet| {
                    let mut rest = self.all.clone();
                    rest.minus(games);
                    rest
                };
                Set { may: without(&set.sure), sure: without(&set.may) }
            }
            Node::And(nodes) => nodes.iter().fold(Set::settled(self.all.clone()), |mut all, node| {
                let set = self.join(node, answers);
                all.may.and(&set.may);
                all.sure.and(&set.sure);
                all
            }),
            Node::Or(nodes) => nodes.iter().fold(Set::settled(GameSet::empty(self.all.bound())), |mut all, node| {
                let set = self.join(node, answers);
                all.may.or(&set.may);
                all.sure.or(&set.sure);
                all
            }),
        }
    }
}

/// The last term written in a part of a query.
fn last_term(node: &Node) -> Option<usize> {
    match node {
        Node::Term(term) => Some(*term),
        Node::Not(node) => last_term(node),
        Node::And(nodes) | Node::Or(nodes) => nodes.last().and_then(last_term),
    }
}

impl Prepared<'_> {
    /// How the query is answered.
    pub fn plan(&self) -> Plan {
        Plan {
            games: self.searcher.all.len(),
            steps: self.steps.clone(),
            left: self.left.may.len(),
            sure: self.left.sure.len(),
            judged: !self.left.is_settled(),
        }
    }

    /// The games, in the order of their numbers, at most `limit` of them, each with its place on the board.
    pub fn run(&self, limit: Option<usize>, stop: &AtomicBool) -> Result<Vec<Found>, SearchError> {
        // For the places every term on the board is looked for, whether it is settled or not.
        self.judge_all(limit, stop, true)
    }

    /// The games without their places: those that are sure are not looked into.
    pub fn games(&self, stop: &AtomicBool) -> Result<GameSet, SearchError> {
        if self.left.is_settled() {
            return Ok(self.left.sure.clone());
        }
        let found = self.judge_all(None, stop, false)?;
        Ok(GameSet::of(self.left.may.bound(), found.into_iter().map(|found| found.game)))
    }

    fn judge_all(&self, limit: Option<usize>, stop: &AtomicBool, places: bool) -> Result<Vec<Found>, SearchError> {
        let limit = limit.unwrap_or(usize::MAX);
        let scanner = Scanner::new(
            &self.query.terms,
            |term| self.answers.get(term).is_some_and(|answer| places || !answer.set.is_settled()),
            self.query.mirror,
            self.query.swap,
        );
        if self.left.is_settled() && (scanner.is_empty() || !places) {
            return Ok(self.left.may.iter().take(limit).map(|game| self.found(game, &[])).collect());
        }
        let candidates: Vec<u32> = self.left.may.iter().collect();
        // Chunks are judged in any order; those behind the one in which the limit was reached are skipped.
        let enough = AtomicUsize::new(usize::MAX);
        let judged: Vec<Vec<Found>> = candidates
            .par_chunks(CHUNK)
            .enumerate()
            .map(|(number, chunk)| {
                if number > enough.load(Ordering::Relaxed) {
                    return Ok(Vec::new());
                }
                if stop.load(Ordering::Relaxed) {
                    return Err(SearchError::Interrupted);
                }
                let found = self.judge(chunk, &scanner, places, limit)?;
                if found.len() >= limit {
                    enough.fetch_min(number, Ordering::Relaxed);
                }
                Ok(found)
            })
            .collect::<Result<_, SearchError>>()?;
        Ok(judged.into_iter().flatten().take(limit).collect())
    }

    fn judge(
        &self,
        games: &[u32],
        scanner: &Scanner,
        with_places: bool,
        limit: usize,
    ) -> Result<Vec<Found>, SearchError> {
        let mut found = Vec::new();
        let mut places = vec![None; self.query.terms.len()];
        for &game in games {
            if found.len() >= limit {
                break;
            }
            let sure = self.left.sure.contains(game);
            if sure && !with_places {
                found.push(Found { game, place: None });
                continue;
            }
            if !scanner.is_empty() {
                let line = self.searcher.database.line(game)?;
                scanner.scan_line(&line, &mut places);
            }
            self.look_into_side_lines(game, &mut places)?;
            if sure || self.is_true(&self.query.root, game, &places)? {
                found.push(self.found(game, &places));
            }
        }
        Ok(found)
    }

    fn is_true(&self, node: &Node, game: u32, places: &[Option<Place>]) -> Result<bool, SearchError> {
        match node {
            Node::Not(node) => Ok(!self.is_true(node, game, places)?),
            Node::And(nodes) => {
                for node in nodes {
                    if !self.is_true(node, game, places)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Node::Or(nodes) => {
                for node in nodes {
                    if self.is_true(node, game, places)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Node::Term(term) => {
                let (Some(answer), Some(what)) = (self.answers.get(*term), self.query.terms.get(*term)) else {
                    return Ok(false);
                };
                Ok(answer.set.sure.contains(game)
                    || answer.set.may.contains(game)
                        && match what {
                            Term::Comment(needle) => self.has_comment(game, needle)?,
                            Term::Position(_) if answer.place(game).is_some() => true,
                            _ => places.get(*term).copied().flatten().is_some(),
                        })
            }
        }
    }

    /// Notes where a game reaches a position that is asked for, if that is in a side line.
    fn look_into_side_lines(&self, game: u32, places: &mut [Option<Place>]) -> Result<(), SearchError> {
        if !self.query.side_lines {
            return Ok(());
        }
        let mut stored = None;
        for ((term, answer), place) in self.query.terms.iter().zip(&self.answers).zip(places) {
            let Term::Position(position) = term else { continue };
            if answer.place(game).is_some() {
                continue;
            }
            if stored.is_none() {
                stored = Some(self.searcher.database.game(game)?.game);
            }
            let mut wanted = vec![(**position, false, false)];
            if self.query.swap {
                wanted.push((position.swapped(), false, true));
            }
            if self.query.mirror {
                wanted.extend(
                    wanted.clone().into_iter().map(|(position, _, swapped)| (position.mirrored(), true, swapped)),
                );
            }
            *place = stored.as_ref().and_then(|game| in_side_lines(game, &wanted));
        }
        Ok(())
    }

    /// Reads the comments of a game.
    fn has_comment(&self, game: u32, needle: &Needle) -> Result<bool, SearchError> {
        let game = self.searcher.database.game(game)?.game;
        let mut texts = game.tree.comments().iter().map(|comment| comment.text.as_str());
        Ok(texts.any(|text| needle.is_written_in(text))
            || needle.is_written_in(&game.rest)
            || needle.is_written_in(&game.trailer))
    }

    /// A hit, with the place of the first board term that came true.
    fn found(&self, game: u32, places: &[Option<Place>]) -> Found {
        let place =
            self.query.terms.iter().enumerate().filter(|(_, term)| term.is_on_board()).find_map(|(number, _)| {
                let answer = self.answers.get(number)?;
                answer.place(game).or_else(|| places.get(number).copied().flatten())
            });
        Found { game, place }
    }
}
