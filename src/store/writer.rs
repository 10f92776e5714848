//! Writing: adding games in batches, each visible as a whole or not at all.
//!
//! Games are collected in memory. A commit writes them as a new segment, lets the header index commit, brings all new
//! files to the disk and then replaces the manifest: from then on the games are there, whatever happens. Segments are
//! merged as they grow in number, by the same way. What a crash leaves behind is swept when the next writer opens the
//! database. One writer at a time holds the lock of the operating system on the file `lock`, which no crash leaves held.

use super::database::Database;
use super::error::Error;
use super::folder::{HEADERS, LOCK, REMOVED, SOURCES, leftovers, list_headers, may_become_database, take_lock};
use super::games::{ContentHash, GamesBuffer};
use super::manifest::{self, Manifest, sync_folder};
use super::prepare::Prepared;
use super::record;
use super::removed::Removed;
use super::segment::{Segment, Spread};
use super::side::{HeaderDoc, Origin, Side};
use super::sources::Sources;
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// So many neighbouring segments of about the same size are merged.
const FAN: usize = 8;

/// What became of a game given to the writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It is new and has this number.
    New(u32),
    /// The same game, with the same headers and texts, is there already under this number.
    Duplicate(u32),
    /// The same game was there under this number and has been removed: it is not taken in again.
    Excluded(u32),
}

/// How much is collected before a batch is committed.
#[derive(Clone, Copy, Debug)]
pub struct WriterOptions {
    /// Positions in a batch.
    pub positions: usize,
    /// Bytes of games in a batch.
    pub bytes: usize,
    /// Games in a batch.
    pub games: usize,
}

impl Default for WriterOptions {
    /// Six million positions (about 75,000 games) or 64 MiB of games: a commit every few seconds and a peak of memory
    /// far below a gibibyte.
    fn default() -> WriterOptions {
        WriterOptions { positions: 6_000_000, bytes: 64 << 20, games: usize::MAX }
    }
}

/// Adds games to a database.
pub struct Writer {
    folder: PathBuf,
    options: WriterOptions,
    manifest: Manifest,
    segments: Vec<Segment>,
    removed: Removed,
    sources: Sources,
    /// Sources added since the last commit.
    sources_added: u64,
    /// The last block of texts that was looked into, by segment.
    looked_at: (usize, Option<(u32, Vec<u8>)>),
    /// Nothing is shown to readers and nothing is swept until the end.
    hidden: bool,
    games: GamesBuffer,
    spread: Spread,
    /// Content of the games in memory.
    fresh: HashMap<ContentHash, u32>,
    side: Option<Box<dyn Side>>,
    /// Room for the head of a record.
    origin: Vec<u8>,
    /// What this writer made before the first game.
    made: Option<Made>,
    /// Held until the writer is dropped.
    _lock: File,
}

/// A database made by its writer.
#[derive(Clone, Copy, Debug)]
struct Made {
    /// The folder was not there before.
    folder: bool,
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Writer({}, {} games, {} waiting)", self.folder.display(), self.games_committed(), self.games.len())
    }
}

impl Writer {
    /// Opens a database for writing; an empty or missing folder becomes a new one.
    ///
    /// # Errors
    ///
    /// [`Error::NotADatabase`] for a folder with other things in it, [`Error::Locked`] while another writer is at work.
    pub fn open(folder: &Path, options: WriterOptions) -> Result<Writer, Error> {
        if !folder.join(manifest::FILE).exists() {
            may_become_database(folder)?;
        }
        let new_folder = !folder.exists();
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let lock = take_lock(folder)?;
        let mut made = None;
        let manifest = match Manifest::read(folder) {
            Ok(manifest) => manifest,
            Err(Error::NotADatabase(_)) if !folder.join(manifest::FILE).exists() => {
                let manifest = Manifest::default();
                manifest.write(folder)?;
                made = Some(Made { folder: new_folder });
                manifest
            }
            Err(error) => return Err(error),
        };
        if manifest.version != manifest::FORMAT_VERSION {
            let (path, found) = (folder.to_path_buf(), manifest.version);
            return Err(Error::Older { path, found, known: manifest::FORMAT_VERSION });
        }
        let segments = manifest.segments.iter().map(|entry| Segment::open(folder, entry.clone()));
        let segments = segments.collect::<Result<_, _>>()?;
        let removed = Removed::open(folder, manifest.removed.as_ref())?;
        let sources = Sources::open(folder, manifest.sources.as_ref())?;
        let writer = Writer {
            sources,
            sources_added: 0,
            looked_at: (0, None),
            hidden: false,
            folder: folder.to_path_buf(),
            options,
            manifest,
            segments,
            removed,
            games: GamesBuffer::default(),
            spread: Spread::new(),
            fresh: HashMap::new(),
            side: None,
            origin: Vec::new(),
            made,
            _lock: lock,
        };
        writer.sweep()?;
        Ok(writer)
    }

    /// Folder and generation the header index has to be opened with ([`super::HeaderDirectory::open`]); generation 0
    /// asks for a new index.
    pub fn headers_place(&self) -> Result<(PathBuf, u64), Error> {
        let folder = self.folder.join(HEADERS);
        fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        Ok((folder, self.manifest.headers_generation))
    }

    /// From now on the header index learns of every game; first of those it does not know yet.
    pub fn set_side(&mut self, mut side: Box<dyn Side>) -> Result<(), Error> {
        let known = self.manifest.headers_games;
        let missing: Vec<&Segment> =
            self.segments.iter().filter(|segment| segment.entry.first + segment.entry.games > known + 1).collect();
        for stored in missing.iter().flat_map(|segment| segment.games.all_stored()) {
            let (number, stored) = stored?;
            if number > known {
                let doc = HeaderDoc::of(stored.game, stored.origin, stored.status);
                side.add(number, doc).map_err(Error::Headers)?;
            }
        }
        let behind = !missing.is_empty();
        self.side = Some(side);
        if behind {
            let mut next = self.manifest.clone();
            self.commit_side(&mut next)?;
            self.publish(next)?;
        }
        Ok(())
    }

    /// Positions of all committed games: one for each game and position in it.
    pub fn positions_committed(&self) -> u64 {
        self.manifest.segments.iter().map(|segment| segment.positions).sum()
    }

    /// Number of games in the database as others see it.
    pub fn games_committed(&self) -> u32 {
        self.manifest.next_game() - 1
    }

    /// Adds a game read from a file, and commits when enough have been collected.
    pub fn add(&mut self, mut game: Prepared, file: &str) -> Result<Added, Error> {
        let known = self.fresh.get(&game.hash).copied();
        if let Some(number) = known.or_else(|| self.segments.iter().find_map(|segment| segment.games.find(&game.hash)))
        {
            if self.removed.contains(number) {
                return Ok(Added::Excluded(number));
            }
            self.met_again(number, Origin { file: file.to_string(), number: game.doc.origin.number })?;
            return Ok(Added::Duplicate(number));
        }
        game.doc.origin.file.push_str(file);
        self.take(game).map(Added::New)
    }

    /// Gives a game the next number.
    fn take(&mut self, game: Prepared) -> Result<u32, Error> {
        let number = self.manifest.next_game().checked_add(self.games.len() as u32).filter(|&n| n < u32::MAX);
        let number = number.ok_or(Error::Full)?;
        self.origin.clear();
        record::write_origin(&game.doc.origin, &mut self.origin);
        self.games.push(game.hash, game.facts, game.own_start, &game.moves, [&self.origin, &game.text], &game.sign);
        if let Some(side) = &mut self.side {
            side.add(number, game.doc).map_err(Error::Headers)?;
        }
        self.fresh.insert(game.hash, number);
        self.spread.push(number, &game.occurrences);
        if self.spread.len() >= self.options.positions
            || self.games.bytes() >= self.options.bytes
            || self.games.len() >= self.options.games
        {
            self.commit()?;
        }
        Ok(number)
    }

    /// Writes down where a game was met again, if that is a place it was not read from before.
    fn met_again(&mut self, number: u32, place: Origin) -> Result<(), Error> {
        let committed = self.games_committed();
        let first = if number > committed {
            self.games.origin((number - committed - 1) as usize)
        } else {
            let at = self.segments.partition_point(|segment| segment.entry.first <= number).saturating_sub(1);
            let segment = self.segments.get(at).ok_or(Error::NoGame(number))?;
            if self.looked_at.0 != at {
                self.looked_at = (at, None);
            }
            Some(segment.games.origin(number, &mut self.looked_at.1)?)
        };
        if first.is_none_or(|first| first != place) && self.sources.add(number, &place) {
            self.sources_added += 1;
        }
        Ok(())
    }

    /// Takes a database away again that this writer made and that no game has come into. Tells whether it did.
    ///
    /// # Errors
    ///
    /// If the system refuses.
    pub fn discard_if_new(&mut self) -> Result<bool, Error> {
        let Some(made) = self.made.take().filter(|_| self.games_committed() == 0) else { return Ok(false) };
        self.side = None;
        // Without the manifest it is no database any more; what is left is what an interrupted creation leaves.
        let gone = |result: io::Result<()>, path: &Path| match result {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io(path)(error)),
            _ => Ok(()),
        };
        let manifest = self.folder.join(manifest::FILE);
        gone(fs::remove_file(&manifest), &manifest)?;
        let headers = self.folder.join(HEADERS);
        gone(fs::remove_dir_all(&headers), &headers)?;
        let lock = self.folder.join(LOCK);
        gone(fs::remove_file(&lock), &lock)?;
        if made.folder {
            gone(fs::remove_dir(&self.folder), &self.folder)?;
        }
        Ok(true)
    }

    /// Makes everything added so far part of the database. When it returns, no crash loses it.
    pub fn commit(&mut self) -> Result<(), Error> {
        if self.games.len() == 0 {
            if self.sources_added > 0 {
                let mut next = self.manifest.clone();
                self.write_sources(&mut next)?;
                self.publish(next)?;
                self.sweep()?;
            }
            return Ok(());
        }
        let mut next = self.manifest.clone();
        let id = next.next_segment;
        next.next_segment += 1;
        let entry = Segment::build(&self.folder, id, next.next_game(), &mut self.games, &mut self.spread)?;
        let segment = Segment::open(&self.folder, entry.clone())?;
        next.segments.push(entry);
        self.commit_side(&mut next)?;
        self.write_sources(&mut next)?;
        self.publish(next)?;
        self.segments.push(segment);
        self.games.clear();
        self.spread.clear();
        self.fresh.clear();
        self.merge_grown()?;
        self.sweep()
    }

    /// Lets the header index commit and notes its files.
    fn commit_side(&mut self, next: &mut Manifest) -> Result<(), Error> {
        let Some(side) = &mut self.side else { return Ok(()) };
        let generation = next.generation + 1;
        let files = side.commit(generation).map_err(Error::Headers)?;
        next.headers = list_headers(&self.folder, &files, &next.headers)?;
        next.headers_generation = generation;
        next.headers_games = next.next_game() - 1;
        sync_folder(&self.folder.join(HEADERS))
    }

    /// Writes the further sources anew if some were added.
    fn write_sources(&mut self, next: &mut Manifest) -> Result<(), Error> {
        if self.sources_added > 0 {
            next.sources = Some(self.sources.write(&self.folder, &format!("{:08}.{SOURCES}", next.next_segment))?);
            next.next_segment += 1;
            self.sources_added = 0;
        }
        Ok(())
    }

    /// Makes a state of the database the one that counts.
    fn publish(&mut self, mut next: Manifest) -> Result<(), Error> {
        next.generation += 1;
        if !self.hidden {
            sync_folder(&self.folder)?;
            next.write(&self.folder)?;
        }
        self.manifest = next;
        // Segments may have been merged: what was looked at may lie elsewhere now.
        self.looked_at = (0, None);
        Ok(())
    }

    /// Merges neighbouring segments while there are many of about the same size.
    fn merge_grown(&mut self) -> Result<(), Error> {
        while let Some(from) = first_to_merge(&self.segments.iter().map(|s| s.entry.positions).collect::<Vec<_>>()) {
            self.merge_from(from)?;
        }
        Ok(())
    }

    /// Removes games from every answer; answers how many were there. Their numbers are not used again, and the same
    /// games are not taken in again.
    ///
    /// # Errors
    ///
    /// [`Error::NoGame`] if a number was never given; nothing is removed then.
    pub fn remove(&mut self, numbers: &[u32]) -> Result<usize, Error> {
        self.commit()?;
        if let Some(&number) = numbers.iter().find(|&&number| number == 0 || number > self.games_committed()) {
            return Err(Error::NoGame(number));
        }
        let mut removed = self.removed.clone();
        let fresh = removed.add(numbers);
        if fresh.is_empty() {
            return Ok(0);
        }
        let mut next = self.manifest.clone();
        next.removed = Some(removed.write(&self.folder, &format!("{:08}.{REMOVED}", next.next_segment))?);
        next.next_segment += 1;
        if let Some(side) = &mut self.side {
            for &number in &fresh {
                side.remove(number).map_err(Error::Headers)?;
            }
        }
        self.commit_side(&mut next)?;
        self.publish(next)?;
        self.removed = removed;
        self.sweep()?;
        Ok(fresh.len())
    }

    /// Takes removed games back; answers how many had been removed.
    ///
    /// # Errors
    ///
    /// [`Error::NoGame`] for a number that was never given, [`Error::Erased`] for a game whose moves and texts are gone;
    /// nothing is taken back then.
    pub fn restore(&mut self, numbers: &[u32]) -> Result<usize, Error> {
        self.commit()?;
        let mut numbers: Vec<u32> = numbers.to_vec();
        numbers.sort_unstable();
        numbers.dedup();
        let mut back = Vec::new();
        for number in numbers {
            let segment = self.segments.iter().find(|segment| segment.holds(number)).ok_or(Error::NoGame(number))?;
            if self.removed.contains(number) {
                if segment.games.is_erased(number)? {
                    return Err(Error::Erased(number));
                }
                back.push((number, segment.games.stored(number)?));
            }
        }
        if back.is_empty() {
            return Ok(0);
        }
        let mut removed = self.removed.clone();
        removed.take_out(&back.iter().map(|(number, _)| *number).collect::<Vec<_>>());
        let mut next = self.manifest.clone();
        next.removed = match removed.len() {
            0 => None,
            _ => Some(removed.write(&self.folder, &format!("{:08}.{REMOVED}", next.next_segment))?),
        };
        next.next_segment += 1;
        let count = back.len();
        if let Some(side) = &mut self.side {
            for (number, stored) in back {
                let doc = HeaderDoc::of(stored.game, stored.origin, stored.status);
                side.add(number, doc).map_err(Error::Headers)?;
            }
        }
        self.commit_side(&mut next)?;
        self.publish(next)?;
        self.removed = removed;
        self.sweep()?;
        Ok(count)
    }

    /// Merges all segments into one, without anything of removed games but their numbers and content hashes.
    pub fn compact(&mut self) -> Result<(), Error> {
        self.commit()?;
        let list = self.manifest.removed.as_ref();
        let stale = self.segments.iter().any(|segment| segment.entry.without.as_ref() != list.map(|file| &file.name));
        if self.segments.len() < 2 && !stale {
            return self.sweep();
        }
        let (mut next, segment) = self.merged(0, true)?;
        if stale && self.removed.len() > 0 {
            // The header index keeps the words of deleted documents, so it is made anew.
            if let Some(side) = &mut self.side {
                side.clear().map_err(Error::Headers)?;
                for stored in segment.games.all_stored() {
                    let (number, stored) = stored?;
                    let doc = HeaderDoc::of(stored.game, stored.origin, stored.status);
                    side.add(number, doc).map_err(Error::Headers)?;
                }
                self.commit_side(&mut next)?;
            }
            let kept = self.sources.without(|game| self.removed.contains(game));
            self.sources_added += u64::from(!self.sources.is_empty());
            self.sources = kept;
            self.write_sources(&mut next)?;
        }
        self.publish(next)?;
        self.segments = vec![segment];
        self.sweep()
    }

    fn merge_from(&mut self, from: usize) -> Result<(), Error> {
        let (next, segment) = self.merged(from, false)?;
        self.publish(next)?;
        self.segments.truncate(from);
        self.segments.push(segment);
        Ok(())
    }

    /// Writes the segments from one on as one segment; the state with it is not published yet.
    fn merged(&self, from: usize, drop_removed: bool) -> Result<(Manifest, Segment), Error> {
        let mut next = self.manifest.clone();
        let id = next.next_segment;
        next.next_segment += 1;
        let sources: Vec<&Segment> = self.segments[from..].iter().collect();
        let list = next.removed.as_ref().filter(|_| drop_removed).map(|file| (&self.removed, file.name.as_str()));
        let entry = Segment::merge(&self.folder, id, &sources, list)?;
        let segment = Segment::open(&self.folder, entry.clone())?;
        next.segments.truncate(from);
        next.segments.push(entry);
        Ok((next, segment))
    }

    /// Starts a database anew in the place of another, which stays as it is for all others until [`Writer::show`].
    pub(super) fn hidden(old: &Database, options: WriterOptions) -> Result<Writer, Error> {
        let folder = old.folder().to_path_buf();
        let lock = take_lock(&folder)?;
        let (was, removed, sources) = old.parts();
        let manifest = Manifest { generation: was.generation, next_segment: was.next_segment, ..Manifest::default() };
        Ok(Writer {
            folder,
            options,
            manifest,
            segments: Vec::new(),
            removed: removed.clone(),
            sources: sources.without(|game| removed.contains(game)),
            sources_added: u64::from(!sources.is_empty()),
            looked_at: (0, None),
            hidden: true,
            games: GamesBuffer::default(),
            spread: Spread::new(),
            fresh: HashMap::new(),
            side: None,
            origin: Vec::new(),
            made: None,
            _lock: lock,
        })
    }

    /// Adds a game of the database that is made anew, under the next number, whatever else is there.
    pub(super) fn add_again(&mut self, game: Prepared) -> Result<(), Error> {
        self.take(game).map(|_| ())
    }

    /// Adds the place of a removed game to a database that is made anew.
    pub(super) fn add_erased(&mut self, hash: ContentHash) {
        self.games.push_erased(hash);
    }

    /// Shows what was hidden, and sweeps what it takes the place of.
    pub(super) fn show(mut self) -> Result<(), Error> {
        self.commit()?;
        let mut next = self.manifest.clone();
        if self.removed.len() > 0 {
            let entry = self.removed.write(&self.folder, &format!("{:08}.{REMOVED}", next.next_segment))?;
            next.next_segment += 1;
            next.segments.iter_mut().for_each(|segment| segment.without = Some(entry.name.clone()));
            next.removed = Some(entry);
        }
        self.hidden = false;
        self.publish(next)?;
        self.sweep()
    }

    /// Deletes files of ours that the manifest does not name. Files of others are left alone.
    fn sweep(&self) -> Result<(), Error> {
        if self.hidden {
            return Ok(());
        }
        let named: HashSet<&str> = self.manifest.files().map(|file| file.name.as_str()).collect();
        for file in leftovers(&self.folder, &named)? {
            let path = self.folder.join(file);
            match fs::remove_file(&path) {
                Err(reason) if reason.kind() != io::ErrorKind::NotFound => return Err(Error::Io { path, reason }),
                _ => {}
            }
        }
        Ok(())
    }
}

/// From where on segments of these sizes should be merged, if they should: when eight of one order of magnitude stand
/// behind the last larger one.
fn first_to_merge(positions: &[u64]) -> Option<usize> {
    let level = |positions: u64| positions.max(1).ilog2() / 3;
    let highest = positions.iter().map(|&p| level(p)).max()?;
    (0..=highest).find_map(|most| {
        let from = positions.iter().rposition(|&p| level(p) > most).map_or(0, |larger| larger + 1);
        let run = &positions[from..];
        (run.iter().filter(|&&p| level(p) == most).count() >= FAN).then_some(from)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_segments_grows_with_the_logarithm_of_the_games() {
        let mut sizes: Vec<u64> = Vec::new();
        let mut written = 0u64;
        for n in 0..20_000u64 {
            sizes.push(80 * (1 + n % 7));
            written += 80 * (1 + n % 7);
            while let Some(from) = first_to_merge(&sizes) {
                let merged = sizes.drain(from..).sum();
                written += merged;
                sizes.push(merged);
            }
            assert!(sizes.len() < 100, "{} segments", sizes.len());
        }
        // Each game is rewritten once for every factor of eight.
        assert!(written < 10 * sizes.iter().sum::<u64>(), "{written}");
    }
}
