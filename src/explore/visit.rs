//! Which games were at a position, how they came there and who played them: what numbers alone do not tell.

use crate::board::{Move, Position};
use crate::search::headers::{HeaderReader, Role};
use crate::search::{GameSet, SearchError};
use crate::store::{Database, Error};

/// A game at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The game.
    pub game: u32,
    /// The move by which it went on, as seen on the board that was asked for.
    pub next: Option<Move>,
    /// Whether it came there by the very moves that were named, not by another order of them.
    pub direct: bool,
}

/// The games that reached the position after a line of moves from a start, each once, in order; `among` is sorted.
///
/// # Errors
///
/// If a game cannot be read.
pub fn visits(
    database: &Database,
    start: &Position,
    line: &[Move],
    mirror: bool,
    among: Option<&[u32]>,
) -> Result<Vec<Visit>, Error> {
    let mut position = *start;
    line.iter().for_each(|&m| {
        position.play(m);
    });
    let mut visits = Vec::new();
    for hit in database.hits(&position, mirror) {
        let hit = hit?;
        if among.is_some_and(|games| games.binary_search(&hit.game).is_err()) {
            continue;
        }
        let game = database.line(hit.game)?;
        let image = |m: Move| if hit.mirrored { m.mirror() } else { m };
        let mut moves = game.moves().map(image);
        let same_start = if hit.mirrored { game.start().mirrored() == *start } else { game.start() == *start };
        let mut direct = same_start && hit.ply as usize == line.len();
        for n in 0..hit.ply as usize {
            let m = moves.next();
            direct = direct && m == line.get(n).copied();
        }
        visits.push(Visit { game: hit.game, next: moves.next(), direct });
    }
    Ok(visits)
}

/// Players with their games: those with the most games in the database first.
#[derive(Debug)]
pub struct KnownPlayers(Vec<(String, GameSet)>);

impl KnownPlayers {
    /// The players that have the most games, so many of them.
    ///
    /// # Errors
    ///
    /// If the header index cannot be read.
    pub fn new(headers: &HeaderReader, most: usize) -> Result<KnownPlayers, SearchError> {
        const ROLES: [Role; 2] = [Role::Red, Role::Black];
        let mut names = headers.texts(&ROLES)?;
        names.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.text.cmp(&b.text)));
        names.truncate(most);
        let sets = names.into_iter().map(|name| Ok((name.text.clone(), headers.exact_text(&ROLES, &name.text)?)));
        Ok(KnownPlayers(sets.collect::<Result<_, SearchError>>()?))
    }

    /// The best known among the players of some games.
    pub fn of(&self, games: impl IntoIterator<Item = u32> + Clone, most: usize) -> Vec<&str> {
        let plays = |set: &GameSet| games.clone().into_iter().any(|game| set.contains(game));
        self.0.iter().filter(|(_, set)| plays(set)).take(most).map(|(name, _)| name.as_str()).collect()
    }
}
