//! Move statistics: what was played from a position, and how it went.
//!
//! Comes in: a database and a position. Goes out: every move played from it with games, results, last year and average
//! length. A position counts once a game, where it first stood, whatever moves led to it; on request its mirror image
//! counts too, with moves turned round. On request also which games came by the very moves named and which by another
//! order, and who played them ([`visits`]). Results that are not known are counted apart and left out of the percentages.

mod line;
mod visit;

pub use line::{LineError, read_line, read_line_in};
pub use visit::{KnownPlayers, Visit, visits};

use crate::board::{Move, Position};
use crate::store::{Database, Error, Score};

/// The games that reached a position, and the moves by which they went on.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// All games that reached the position.
    pub all: Score,
    /// Games whose record ends in the position.
    pub ended: u64,
    /// The moves, the most played first; equally often played ones in the order of the board.
    pub moves: Vec<(Move, Score)>,
}

/// What to count.
#[derive(Clone, Copy, Debug, Default)]
pub struct TreeOptions<'a> {
    /// Count the mirror image too.
    pub mirror: bool,
    /// Only the games of this sorted list.
    pub among: Option<&'a [u32]>,
}

/// Counts what was played from a position.
pub fn tree(database: &Database, position: &Position, options: &TreeOptions<'_>) -> Result<Tree, Error> {
    let counts = match options.among {
        None => database.counts(position, options.mirror)?,
        Some(games) => database.counts_among(position, options.mirror, games)?,
    };
    let mut moves = counts.moves;
    moves.sort_by_key(|(m, score)| (std::cmp::Reverse(score.games()), *m));
    let went_on: u64 = moves.iter().map(|(_, score)| score.games()).sum();
    Ok(Tree { all: counts.all, ended: counts.all.games().saturating_sub(went_on), moves })
}

/// Red's share of the points in percent over the games with a known result; `None` if there is none.
pub fn red_percent(score: &Score) -> Option<f64> {
    let known = score.red_wins + score.draws + score.black_wins;
    (known > 0).then(|| (score.red_wins as f64 + score.draws as f64 / 2.0) * 100.0 / known as f64)
}

/// Average length of the games in plies; `None` if there are none.
pub fn average_plies(score: &Score) -> Option<f64> {
    (score.games() > 0).then(|| score.plies as f64 / score.games() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_results_are_left_out_of_the_percentages() {
        // DB-7: one win each, two unknown.
        let score = Score { red_wins: 1, black_wins: 1, unknown: 2, ..Score::default() };
        assert_eq!((score.games(), red_percent(&score)), (4, Some(50.0)));
        assert_eq!(red_percent(&Score { unknown: 3, ..Score::default() }), None);
    }
}
