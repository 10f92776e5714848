//! The list of removed games.
//!
//! A removed game keeps its number and its content hash: the number is never given to another game, and the game is not
//! taken in again when it is met again. Its positions are left out of every answer; it can be taken back until the next
//! compaction, which leaves its positions, moves and texts out of the files.

use super::error::Error;
use super::manifest::{FileEntry, FileWriter};
use super::map::Map;
use std::path::Path;

const MAGIC: &[u8; 8] = b"yipu rem";

/// Numbers of removed games, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Removed(Vec<u32>);

impl Removed {
    /// Reads the list a manifest names.
    pub fn open(folder: &Path, entry: Option<&FileEntry>) -> Result<Removed, Error> {
        let Some(entry) = entry else { return Ok(Removed::default()) };
        let map = Map::open(folder.join(&entry.name), entry.bytes)?;
        let numbers = map.bytes().strip_prefix(MAGIC).filter(|rest| rest.len() % 4 == 0);
        let numbers = numbers.ok_or_else(|| map.damaged("not a list of removed games"))?;
        let numbers = numbers.chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]));
        let numbers: Vec<u32> = numbers.collect();
        if !numbers.is_sorted_by(|a, b| a < b) {
            return Err(map.damaged("the numbers are not in order"));
        }
        Ok(Removed(numbers))
    }

    /// Writes the list under a name.
    pub fn write(&self, folder: &Path, name: &str) -> Result<FileEntry, Error> {
        let mut file = FileWriter::create(folder, name)?;
        file.write(MAGIC)?;
        for number in &self.0 {
            file.write(&number.to_le_bytes())?;
        }
        file.finish()
    }

    /// Whether a game was removed.
    #[inline]
    pub fn contains(&self, number: u32) -> bool {
        !self.0.is_empty() && self.0.binary_search(&number).is_ok()
    }

    /// Adds numbers; answers those that were not in the list before.
    pub fn add(&mut self, numbers: &[u32]) -> Vec<u32> {
        let mut fresh: Vec<u32> = numbers.iter().copied().filter(|&number| !self.contains(number)).collect();
        fresh.sort_unstable();
        fresh.dedup();
        self.0.extend_from_slice(&fresh);
        self.0.sort_unstable();
        fresh
    }

    /// Takes numbers out of the list.
    pub fn take_out(&mut self, numbers: &[u32]) {
        self.0.retain(|number| !numbers.contains(number));
    }

    /// The removed games among `first .. first + count`.
    pub fn among(&self, first: u32, count: u32) -> &[u32] {
        let end = first.saturating_add(count);
        &self.0[self.0.partition_point(|&n| n < first)..self.0.partition_point(|&n| n < end)]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}
