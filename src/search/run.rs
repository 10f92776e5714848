//! Answering a query over a database.
//!
//! Every term is first asked of the index that knows it: headers, texts and columns, the positions. Their answers are
//! sets of games and are joined as the query joins the terms. What no index can settle (patterns, checks, long pieces of
//! comments) leaves the set too large; its games are then played through, and each is judged by the whole query.

use super::GameSet;
use super::headers::{HeaderReader, Role};
use super::scan::{Place, Scanner};
use crate::board::Position;
use crate::names::{Aliases, Needle};
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
    /// Whether that is settled.
    pub settled: bool,
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
    /// Whether these have to be played through or read.
    pub judged: bool,
}

/// The answer to one term.
struct Answer {
    set: GameSet,
    settled: bool,
    /// For positions: where, by game.
    places: Vec<(u32, Place)>,
    by: &'static str,
}

/// A query with the answers of the indexes.
pub struct Prepared<'s> {
    searcher: &'s Searcher<'s>,
    query: &'s Query,
    answers: Vec<Answer>,
    left: GameSet,
    settled: bool,
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
    all: GameSet,
}

impl<'d> Searcher<'d> {
    /// For the state the database was opened in.
    pub fn open(database: &'d Database, aliases: Aliases) -> Result<Searcher<'d>, SearchError> {
        let all: Vec<u32> = database.numbers().collect();
        let bound = all.last().map_or(1, |last| last + 1);
        let headers = match database.headers() {
            Some(directory) => Some(HeaderReader::open(directory?, bound)?),
            None => None,
        };
        Ok(Searcher { database, headers, aliases, all: GameSet::of(bound, all) })
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
        let mut answers = Vec::with_capacity(query.terms.len());
        let mut steps = Vec::with_capacity(query.terms.len());
        for (term, text) in query.terms.iter().zip(&query.texts) {
            let start = Instant::now();
            let mut answer = self.ask(term, query)?;
            answer.set.and(&self.all);
            steps.push(Step {
                term: text.clone(),
                by: answer.by,
                games: answer.set.len(),
                settled: answer.settled,
                time: start.elapsed(),
            });
            answers.push(answer);
        }
        let (left, settled) = self.join(&query.root, &answers);
        Ok(Prepared { searcher: self, query, answers, left, settled, steps })
    }

    /// The games that answer a query, in the order of their numbers.
    pub fn games(&self, query: &Query, stop: &AtomicBool) -> Result<GameSet, SearchError> {
        let found = self.prepare(query)?.run(None, stop)?;
        Ok(GameSet::of(self.all.bound(), found.into_iter().map(|found| found.game)))
    }

    fn ask(&self, term: &Term, query: &Query) -> Result<Answer, SearchError> {
        let settled = |set, by| Answer { set, settled: true, places: Vec::new(), by };
        Ok(match term {
            Term::Text(roles, needle) => settled(self.text(roles, needle)?, "header index"),
            Term::Comment(needle) => {
                let found = self.headers()?.comment(needle)?;
                Answer { set: found.games, settled: found.decided, places: Vec::new(), by: "comment index" }
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
            _ => Answer { set: self.all.clone(), settled: false, places: Vec::new(), by: "the board" },
        })
    }

    fn text(&self, roles: &[Role], needle: &Needle) -> Result<GameSet, SearchError> {
        let players = roles.iter().any(|role| matches!(role, Role::Red | Role::Black));
        let mut needles = vec![needle.clone()];
        if players {
            needles.extend(self.aliases.others(needle));
        }
        Ok(self.headers()?.text(roles, &needles)?)
    }

    fn position(&self, position: &Position, query: &Query) -> Result<Answer, SearchError> {
        let mut places = Vec::new();
        let swapped = query.swap.then(|| position.swapped());
        for (position, swapped) in [(Some(*position), false), (swapped, true)] {
            let Some(position) = position else { continue };
            for hit in self.database.hits(&position, query.mirror) {
                let hit = hit?;
                places.push((hit.game, Place { ply: hit.ply, mirrored: hit.mirrored, swapped }));
            }
        }
        places.sort_unstable();
        places.dedup_by_key(|(game, _)| *game);
        let set = GameSet::of(self.all.bound(), places.iter().map(|(game, _)| *game));
        Ok(Answer { set, settled: true, places, by: "position index" })
    }

    /// The games a part of the query may be true of, and whether that is settled. The depth of a query is bounded.
    fn join(&self, node: &Node, answers: &[Answer]) -> (GameSet, bool) {
        match node {
            Node::Term(term) => match answers.get(*term) {
                Some(answer) => (answer.set.clone(), answer.settled),
                None => (self.all.clone(), false),
            },
            Node::Not(node) => match self.join(node, answers) {
                (set, true) => {
                    let mut rest = self.all.clone();
                    rest.minus(&set);
                    (rest, true)
                }
                (_, false) => (self.all.clone(), false),
            },
            Node::And(nodes) => nodes.iter().fold((self.all.clone(), true), |(mut all, settled), node| {
                let (set, more) = self.join(node, answers);
                all.and(&set);
                (all, settled && more)
            }),
            Node::Or(nodes) => {
                nodes.iter().fold((GameSet::empty(self.all.bound()), true), |(mut all, settled), node| {
                    let (set, more) = self.join(node, answers);
                    all.or(&set);
                    (all, settled && more)
                })
            }
        }
    }
}

impl Prepared<'_> {
    /// How the query is answered.
    pub fn plan(&self) -> Plan {
        Plan { games: self.searcher.all.len(), steps: self.steps.clone(), left: self.left.len(), judged: !self.settled }
    }

    /// The games, in the order of their numbers, at most `limit` of them.
    pub fn run(&self, limit: Option<usize>, stop: &AtomicBool) -> Result<Vec<Found>, SearchError> {
        let limit = limit.unwrap_or(usize::MAX);
        if self.settled {
            return Ok(self.left.iter().take(limit).map(|game| self.found(game, &[])).collect());
        }
        let candidates: Vec<u32> = self.left.iter().collect();
        let scanner = Scanner::new(
            &self.query.terms,
            |term| self.answers.get(term).is_some_and(|answer| !answer.settled),
            self.query.mirror,
            self.query.swap,
        );
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
                let found = self.judge(chunk, &scanner)?;
                if found.len() >= limit {
                    enough.fetch_min(number, Ordering::Relaxed);
                }
                Ok(found)
            })
            .collect::<Result<_, SearchError>>()?;
        Ok(judged.into_iter().flatten().take(limit).collect())
    }

    fn judge(&self, games: &[u32], scanner: &Scanner) -> Result<Vec<Found>, SearchError> {
        let mut found = Vec::new();
        let mut places = Vec::new();
        for &game in games {
            if scanner.is_empty() {
                places.clear();
                places.resize(self.query.terms.len(), None);
            } else {
                let line = self.searcher.database.line(game)?;
                scanner.scan(&line.start(), line.moves(), &mut places);
            }
            if self.is_true(&self.query.root, game, &places)? {
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
                Ok(match what {
                    _ if answer.settled => answer.set.contains(game),
                    Term::Comment(needle) => answer.set.contains(game) && self.has_comment(game, needle)?,
                    _ => places.get(*term).copied().flatten().is_some(),
                })
            }
        }
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
                match answer.places.binary_search_by_key(&game, |(game, _)| *game) {
                    Ok(at) => answer.places.get(at).map(|(_, place)| *place),
                    Err(_) => places.get(number).copied().flatten(),
                }
            });
        Found { game, place }
    }
}
