//! The rows of the table of positions.

use crate::board::Move;
use crate::store::{Database, Error};

/// A position of a game: where it first stood there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PositionRow {
    /// [`super::signed_key`] of the position itself (not of its mirror image).
    pub key: i64,
    /// The game.
    pub game: u32,
    /// Plies before it.
    pub ply: u32,
    /// The move played from it, if the game went on.
    pub next: Option<Move>,
}

impl PositionRow {
    /// Bytes of a row outside memory.
    pub(super) const BYTES: usize = 18;

    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    pub(super) fn to_bytes(self) -> [u8; PositionRow::BYTES] {
        let mut bytes = [0; PositionRow::BYTES];
        bytes[..8].copy_from_slice(&self.key.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.game.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.ply.to_le_bytes());
        bytes[16..].copy_from_slice(&self.next.map_or(u16::MAX, Move::to_bits).to_le_bytes());
        bytes
    }

    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<PositionRow> {
        let (key, rest) = bytes.split_first_chunk::<8>()?;
        let (game, rest) = rest.split_first_chunk::<4>()?;
        let (ply, rest) = rest.split_first_chunk::<4>()?;
        let next = u16::from_le_bytes(*rest.first_chunk::<2>()?);
        Some(PositionRow {
            key: i64::from_le_bytes(*key),
            game: u32::from_le_bytes(*game),
            ply: u32::from_le_bytes(*ply),
            next: Move::from_bits(next),
        })
    }
}

/// The positions of a game in the order of the line; one that stands again is told once, where it first stood.
///
/// # Errors
///
/// If the game cannot be read.
pub fn position_rows(database: &Database, game: u32) -> Result<Vec<PositionRow>, Error> {
    let line = database.line(game)?;
    let mut position = line.start();
    let mut moves = line.moves();
    let mut rows: Vec<PositionRow> = Vec::with_capacity(line.facts.plies as usize + 1);
    for ply in 0.. {
        let next = moves.next();
        rows.push(PositionRow { key: super::signed_key(position.key()), game, ply, next });
        let Some(m) = next else { break };
        position.play(m);
    }
    // Only a game without plies can have a start that could not be read; that is no position of the index either.
    if line.facts.plies == 0 && !database.game(game)?.knows_start() {
        rows.clear();
    }
    rows.sort_unstable();
    rows.dedup_by_key(|row| row.key);
    rows.sort_unstable_by_key(|row| row.ply);
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_from_their_bytes() {
        for next in [None, "h2e2".parse().ok(), "a0a9".parse().ok()] {
            let row = PositionRow { key: -5, game: 7, ply: 70_000, next };
            assert_eq!(PositionRow::from_bytes(&row.to_bytes()), Some(row));
        }
        assert_eq!(PositionRow::from_bytes(&[0; 17]), None);
    }
}
