//! Where games were met again.
//!
//! The record of a game says where it was first read. When the same game comes from another place, that place is written
//! down here, so that a game keeps all its sources. One file holds them all: a table of file names, then game, file and
//! number in it, in order; it is written anew when something is added.

use super::bytes::{Bytes, put_str, put_varint};
use super::error::Error;
use super::manifest::{FileEntry, FileWriter};
use super::map::Map;
use super::side::Origin;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

const MAGIC: &[u8; 8] = b"yipu src";
/// Bytes written at once.
const PIECE: usize = 1 << 16;

/// The places games were met again, in the order of the games.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources {
    files: Vec<String>,
    file_numbers: HashMap<String, u32>,
    /// Game, file, number in the file.
    places: BTreeSet<(u32, u32, u64)>,
}

impl Sources {
    /// Reads the file a manifest names.
    pub fn open(folder: &Path, entry: Option<&FileEntry>) -> Result<Sources, Error> {
        let Some(entry) = entry else { return Ok(Sources::default()) };
        let map = Map::open(folder.join(&entry.name), entry.bytes)?;
        map.bytes().strip_prefix(MAGIC).and_then(Sources::parse).ok_or_else(|| map.damaged("not a list of sources"))
    }

    fn parse(bytes: &[u8]) -> Option<Sources> {
        let mut bytes = Bytes(bytes);
        let mut sources = Sources::default();
        for _ in 0..bytes.count(1)? {
            sources.file_number(bytes.str()?);
        }
        let mut game = 0u32;
        for _ in 0..bytes.count(3)? {
            game = game.checked_add(u32::try_from(bytes.varint()?).ok()?)?;
            let file = u32::try_from(bytes.varint()?).ok().filter(|&file| (file as usize) < sources.files.len())?;
            sources.places.insert((game, file, bytes.varint()?));
        }
        bytes.0.is_empty().then_some(sources)
    }

    /// Writes the list under a name.
    pub fn write(&self, folder: &Path, name: &str) -> Result<FileEntry, Error> {
        let mut file = FileWriter::create(folder, name)?;
        file.write(MAGIC)?;
        let mut out = Vec::new();
        put_varint(&mut out, self.files.len() as u64);
        for name in &self.files {
            put_str(&mut out, name);
        }
        put_varint(&mut out, self.places.len() as u64);
        let mut last = 0;
        for &(game, source, number) in &self.places {
            put_varint(&mut out, u64::from(game - last));
            put_varint(&mut out, source.into());
            put_varint(&mut out, number);
            last = game;
            if out.len() >= PIECE {
                file.write(&out)?;
                out.clear();
            }
        }
        file.write(&out)?;
        file.finish()
    }

    fn file_number(&mut self, file: &str) -> u32 {
        if let Some(&number) = self.file_numbers.get(file) {
            return number;
        }
        let number = self.files.len() as u32;
        self.files.push(file.to_string());
        self.file_numbers.insert(file.to_string(), number);
        number
    }

    /// Writes down a place; true if it was not known.
    pub fn add(&mut self, game: u32, origin: &Origin) -> bool {
        let file = self.file_number(&origin.file);
        self.places.insert((game, file, origin.number))
    }

    /// Whether nothing is written down.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The places a game was met again.
    pub fn of(&self, game: u32) -> impl Iterator<Item = Origin> + '_ {
        self.places
            .range((game, 0, 0)..=(game, u32::MAX, u64::MAX))
            .filter_map(|&(_, file, number)| Some(Origin { file: self.files.get(file as usize)?.clone(), number }))
    }

    /// The games that were met again in a file whose name passes.
    pub fn games_in(&self, mut pass: impl FnMut(&str) -> bool) -> impl Iterator<Item = u32> + '_ {
        let passing: Vec<bool> = self.files.iter().map(|file| pass(file)).collect();
        let places = self.places.iter();
        places.filter(move |(_, file, _)| passing.get(*file as usize) == Some(&true)).map(|(game, ..)| *game)
    }

    /// The same without some games.
    pub fn without(&self, gone: impl Fn(u32) -> bool) -> Sources {
        let mut kept = Sources::default();
        for &(game, file, number) in self.places.iter().filter(|(game, ..)| !gone(*game)) {
            if let Some(file) = self.files.get(file as usize) {
                kept.add(game, &Origin { file: file.clone(), number });
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_come_back_and_are_found_by_game_and_by_file() {
        let folder = tempfile::tempdir().unwrap();
        let place = |file: &str, number| Origin { file: file.to_string(), number };
        let mut sources = Sources::default();
        assert!(sources.add(7, &place("乙.xqf", 1)) && sources.add(7, &place("甲.pgn", 3)));
        assert!(sources.add(2, &place("甲.pgn", 9)) && !sources.add(2, &place("甲.pgn", 9)));
        let entry = sources.write(folder.path(), "1.sources").unwrap();
        let back = Sources::open(folder.path(), Some(&entry)).unwrap();
        assert_eq!(back.of(7).collect::<Vec<_>>(), [place("乙.xqf", 1), place("甲.pgn", 3)]);
        assert_eq!(back.games_in(|file| file.starts_with('甲')).collect::<Vec<_>>(), [2, 7]);
        assert_eq!(back.without(|game| game == 7).games_in(|_| true).collect::<Vec<_>>(), [2]);
        let bytes = std::fs::read(folder.path().join("1.sources")).unwrap();
        for cut in MAGIC.len()..bytes.len() {
            assert!(Sources::parse(&bytes[MAGIC.len()..cut]).is_none(), "cut at {cut}");
        }
    }
}
