//! Counts how games went on from a position by playing them: the slow way behind the pages that are kept ready.

use super::count::{Packed, Page};
use super::error::Error;
use super::line::Line;
use super::positions::{FAR, Posting, short_key};
use crate::board::{Keys, Move, Position};

/// Keys with at least this many games have their counts kept ready.
pub(super) const READY_FROM: usize = 256;

/// A game's visit to a position: the board as it stood, the ply, and the move played there.
#[derive(Clone, Debug)]
pub(super) struct Visit {
    /// The board.
    pub board: Keys,
    /// Plies before it.
    pub ply: u32,
    /// How the game went on; `None` if it ended.
    pub next: Option<Move>,
}

/// Plays a game up to where a posting says that a key occurs. `None` if the key does not occur there (damaged files).
pub(super) fn visit(line: &Line<'_>, posting: Posting, key: u64) -> Option<Visit> {
    let mut board = line.start_keys();
    let mut moves = line.moves();
    let mut ply = 0;
    while ply < u32::from(posting.ply) {
        board.play(moves.next()?);
        ply += 1;
    }
    if posting.ply == FAR {
        // The ply was too far to be written: find the key.
        while !(fits(&board, key, posting.mirrored)) {
            board.play(moves.next()?);
            ply += 1;
        }
    }
    fits(&board, key, posting.mirrored).then(|| Visit { board, ply, next: moves.next() })
}

fn fits(board: &Keys, key: u64, mirrored: bool) -> bool {
    let (canonical, is_mirrored) = board.canonical();
    short_key(canonical) == key && is_mirrored == mirrored
}

/// Counts all games under a key. Postings are in the order of the games; those of one game stand together.
pub(super) fn tally<'a>(
    key: u64,
    postings: &[Posting],
    mut line: impl FnMut(u32) -> Result<Line<'a>, Error>,
) -> Result<Vec<Page>, Error> {
    /// A page being counted, with both images at hand for comparing.
    struct Open {
        images: [Position; 2],
        page: Page,
    }
    let mut open: Vec<Open> = Vec::new();
    let mut visits: Vec<(usize, bool, Visit)> = Vec::new();
    for same_game in postings.chunk_by(|a, b| a.game == b.game) {
        let line = line(same_game[0].game)?;
        // Nearly always one visit; two if the game had both images, more only if two positions share the key.
        visits.clear();
        for &posting in same_game {
            let Some(visit) = visit(&line, posting, key) else { continue };
            let image = usize::from(posting.mirrored);
            let at = open.iter().position(|open| visit.board.is_at(&open.images[image])).unwrap_or_else(|| {
                let position = visit.board.position();
                let other = position.mirrored();
                let images = if posting.mirrored { [other, position] } else { [position, other] };
                open.push(Open { page: Page::new(Packed::new(&images[0])), images });
                open.len() - 1
            });
            visits.push((at, posting.mirrored, visit));
        }
        visits.sort_by_key(|(at, _, visit)| (*at, visit.ply));
        for of_page in visits.chunk_by(|a, b| a.0 == b.0) {
            let page = &mut open[of_page[0].0].page;
            if of_page.len() > 1 && page.either.is_none() {
                page.either = Some(page.union());
            }
            for (n, (_, mirrored, visit)) in of_page.iter().enumerate() {
                let next = visit.next.map(|m| if *mirrored { m.mirror() } else { m });
                let counts = if *mirrored { &mut page.mirrored } else { &mut page.plain };
                counts.add(next, line.facts);
                if let Some(either) = page.either.as_mut().filter(|_| n == 0) {
                    either.add(next, line.facts);
                }
            }
        }
    }
    Ok(open.into_iter().map(|open| open.page).collect())
}

/// Adds pages of other games, position by position.
pub(super) fn merge_pages(into: &mut Vec<Page>, other: Vec<Page>) {
    for page in other {
        match into.iter_mut().find(|mine| mine.position == page.position) {
            Some(mine) => mine.merge(&page),
            None => into.push(page),
        }
    }
}
