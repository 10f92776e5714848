//! Making a database anew from the games it holds: after a change of format, or to be sure.

use super::database::Database;
use super::error::Error;
use super::folder::HEADERS;
use super::prepare::Prepared;
use super::side::{Side, SideError};
use super::writer::{Writer, WriterOptions};
use rayon::prelude::*;
use std::collections::HashMap;
use std::path::Path;

/// Games prepared at once.
const CHUNK: usize = 20_000;

/// Writes everything in a database anew from its games: positions, header index, hashes, in the newest format. Numbers,
/// origins and sources stay; of removed games only their numbers and what keeps them from coming back are left. Readers
/// see the old state until the end, and an interrupted run leaves it. Answers how many games there are.
///
/// `side` makes a new header index in the folder it is given; `tell` hears of every chunk and says whether to go on.
///
/// # Errors
///
/// If the database cannot be read whole, or another writer is at work. Nothing is changed then.
pub fn rebuild(
    folder: &Path,
    options: WriterOptions,
    side: impl FnOnce(&Path) -> Result<Box<dyn Side>, SideError>,
    mut tell: impl FnMut(u32) -> bool,
) -> Result<Option<u32>, Error> {
    let old = Database::open(folder)?;
    let mut writer = Writer::hidden(&old, options)?;
    let headers = folder.join(HEADERS);
    std::fs::create_dir_all(&headers).map_err(Error::io(&headers))?;
    writer.set_side(side(&headers).map_err(Error::Headers)?)?;
    let removed: HashMap<u32, _> =
        old.hashes().filter(|(_, number)| old.is_removed(*number)).map(|(hash, number)| (number, hash)).collect();
    let mut next = 1;
    let mut games = old.all_games().peekable();
    while games.peek().is_some() {
        let chunk = games.by_ref().take(CHUNK).collect::<Result<Vec<_>, Error>>()?;
        let prepared: Vec<(u32, Prepared)> =
            chunk.into_par_iter().map(|(number, stored)| (number, Prepared::again(stored))).collect();
        for (number, game) in prepared {
            for gone in next..number {
                writer.add_erased(*removed.get(&gone).ok_or(Error::NoGame(gone))?);
            }
            writer.add_again(game)?;
            next = number + 1;
        }
        if !tell(next - 1) {
            return Ok(None);
        }
    }
    for gone in next..=old.last_number() {
        writer.add_erased(*removed.get(&gone).ok_or(Error::NoGame(gone))?);
    }
    writer.show()?;
    Ok(Some(old.games()))
}
