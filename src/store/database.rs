//! Reading: one state of a database, whatever a writer does meanwhile.

use super::count::{Counts, Facts, Page};
use super::error::Error;
use super::folder::HEADERS;
use super::line::Line;
use super::manifest::{self, Manifest};
use super::positions::{KEY_BITS, Posting, Postings, short_key};
use super::record::StoredGame;
use super::removed::Removed;
use super::segment::Segment;
use super::side::Origin;
use super::sign::SignRef;
use super::snapshot::HeaderDirectory;
use super::sources::Sources;
use super::tally::{merge_pages, tally, visit};
use crate::board::{Move, Position};
use rayon::prelude::*;
use std::io;
use std::path::{Path, PathBuf};

/// Signs that are read before their memory is given back: 26 MB.
const SIGNS_IN_MEMORY: usize = 250_000;

/// A database, open for reading. It shows the state it was opened in.
#[derive(Debug)]
pub struct Database {
    folder: PathBuf,
    manifest: Manifest,
    manifest_bytes: u64,
    segments: Vec<Segment>,
    removed: Removed,
    sources: Sources,
}

/// A game that reached a position, proved on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hit {
    /// The game's number.
    pub game: u32,
    /// Plies before the position.
    pub ply: u32,
    /// Whether the game had the mirror image.
    pub mirrored: bool,
}

impl Database {
    /// Opens the database in a folder.
    pub fn open(folder: &Path) -> Result<Database, Error> {
        // A writer may sweep files of an old state between reading the manifest and opening them.
        let mut tries = 0;
        loop {
            match Database::open_once(folder) {
                Err(Error::Io { reason, .. }) if reason.kind() == io::ErrorKind::NotFound && tries < 20 => tries += 1,
                Err(Error::Io { path, reason }) if reason.kind() == io::ErrorKind::NotFound => {
                    return Err(Error::damaged(&path, "the file is missing"));
                }
                other => return other,
            }
        }
    }

    fn open_once(folder: &Path) -> Result<Database, Error> {
        let manifest = Manifest::read(folder)?;
        let path = folder.join(manifest::FILE);
        let manifest_bytes = std::fs::metadata(&path).map_err(Error::io(&path))?.len();
        let segments = manifest.segments.iter().map(|entry| Segment::open(folder, entry.clone()));
        let segments = segments.collect::<Result<_, _>>()?;
        let removed = Removed::open(folder, manifest.removed.as_ref())?;
        let sources = Sources::open(folder, manifest.sources.as_ref())?;
        Ok(Database { folder: folder.to_path_buf(), manifest, manifest_bytes, segments, removed, sources })
    }

    /// Where it lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The format it was written in.
    pub fn format_version(&self) -> u32 {
        self.manifest.version
    }

    /// Number of games; removed ones do not count.
    pub fn games(&self) -> u32 {
        self.last_number() - self.removed.len() as u32
    }

    /// The largest number a game has or had; 0 if there never was one.
    pub fn last_number(&self) -> u32 {
        self.manifest.next_game() - 1
    }

    /// Whether a game was removed.
    pub fn is_removed(&self, number: u32) -> bool {
        self.removed.contains(number)
    }

    /// The numbers of all games, in order.
    pub fn numbers(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        (1..self.manifest.next_game()).filter(|&number| !self.is_removed(number))
    }

    /// Whether a game of this number is there.
    pub fn holds(&self, number: u32) -> bool {
        (1..self.manifest.next_game()).contains(&number) && !self.is_removed(number)
    }

    /// The numbers of removed games, in order.
    pub fn removed_numbers(&self) -> &[u32] {
        self.removed.among(0, u32::MAX)
    }

    /// All numbers given so far lie below this.
    pub fn number_bound(&self) -> u32 {
        self.manifest.next_game()
    }

    /// Position entries: one for each game and position in it.
    pub fn positions(&self) -> u64 {
        self.manifest.segments.iter().map(|segment| segment.positions).sum()
    }

    /// Bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.manifest_bytes + self.manifest.files().map(|file| file.bytes).sum::<u64>()
    }

    /// Bytes of the position index.
    pub fn position_bytes(&self) -> u64 {
        self.manifest.segments.iter().flat_map(|segment| &segment.files[4..7]).map(|file| file.bytes).sum()
    }

    /// Bytes of the header index.
    pub fn header_bytes(&self) -> u64 {
        self.manifest.headers.iter().map(|file| file.bytes).sum()
    }

    /// Number of segments.
    pub fn segment_count(&self) -> usize {
        self.segments.len()
    }

    /// The header index of this state; `None` if the database has none.
    pub fn headers(&self) -> Option<Result<HeaderDirectory, Error>> {
        (self.manifest.headers_generation > 0).then(|| {
            let folder = self.folder.join(HEADERS);
            let opened = HeaderDirectory::open(&folder, self.manifest.headers_generation);
            opened.map_err(|error| Error::damaged(&folder, error.to_string()))
        })
    }

    fn segment(&self, number: u32) -> Result<&Segment, Error> {
        let at = self.segments.partition_point(|segment| segment.entry.first <= number);
        let segment = at.checked_sub(1).and_then(|at| self.segments.get(at));
        let segment = segment.filter(|segment| segment.holds(number) && !self.is_removed(number));
        segment.ok_or(Error::NoGame(number))
    }

    /// Result, year and length of a game.
    pub fn facts(&self, number: u32) -> Result<Facts, Error> {
        self.segment(number)?.games.facts(number)
    }

    /// The main line of a game.
    pub fn line(&self, number: u32) -> Result<Line<'_>, Error> {
        self.segment(number)?.games.line(number)
    }

    /// A whole game.
    pub fn game(&self, number: u32) -> Result<StoredGame, Error> {
        self.segment(number)?.games.stored(number)
    }

    /// Where a game was met again after it had been read from its origin.
    pub fn further_sources(&self, number: u32) -> impl Iterator<Item = Origin> + '_ {
        self.sources.of(number)
    }

    /// The games that were met again in a file whose name passes.
    pub fn met_again_in(&self, pass: impl FnMut(&str) -> bool) -> impl Iterator<Item = u32> + '_ {
        self.sources.games_in(pass)
    }

    /// Shows the sign of every game to `each`, and the numbers of games that have none; removed games may be among them.
    pub fn signs(&self, mut each: impl FnMut(u32, Option<SignRef<'_>>)) {
        for segment in &self.segments {
            match segment.games.signs() {
                Some(signs) => {
                    for (n, (number, sign)) in signs.enumerate() {
                        each(number, Some(sign));
                        // Read once and in order: what has been read need not stay in memory.
                        if n % SIGNS_IN_MEMORY == SIGNS_IN_MEMORY - 1 {
                            segment.games.release_signs();
                        }
                    }
                    segment.games.release_signs();
                }
                None => (0..segment.entry.games).for_each(|n| each(segment.entry.first + n, None)),
            }
        }
    }

    /// Content hashes with the numbers of their games, removed ones too.
    pub(super) fn hashes(&self) -> impl Iterator<Item = (super::games::ContentHash, u32)> + '_ {
        self.segments.iter().flat_map(|segment| segment.games.hashes())
    }

    /// What rebuilding has to take over.
    pub(super) fn parts(&self) -> (&Manifest, &Removed, &Sources) {
        (&self.manifest, &self.removed, &self.sources)
    }

    /// All games in order of their numbers.
    pub fn all_games(&self) -> impl Iterator<Item = Result<(u32, StoredGame), Error>> + '_ {
        let all = self.segments.iter().flat_map(|segment| segment.games.all_stored());
        all.filter(|stored| !stored.as_ref().is_ok_and(|(number, _)| self.is_removed(*number)))
    }

    /// The games that reached a position (with `mirror`, also those that reached its mirror image), in order of their
    /// numbers, each once with the first ply, each proved on the board.
    pub fn hits(&self, position: &Position, mirror: bool) -> Hits<'_> {
        Hits {
            database: self,
            wanted: Wanted::new(position, mirror),
            next_segment: 0,
            postings: None,
            block: Vec::new(),
            at: 0,
            among: None,
        }
    }

    /// How games went on from a position, each counted once; moves as seen on this board.
    pub fn counts(&self, position: &Position, mirror: bool) -> Result<Counts, Error> {
        let wanted = Wanted::new(position, mirror);
        let mut pages: Vec<Page> = Vec::new();
        for segment in &self.segments {
            let Some(postings) = segment.positions.find(wanted.key)? else { continue };
            let ready = if self.removed_may_count(segment, wanted.key)? { None } else { postings.pages()? };
            let counted = match ready {
                Some(pages) => pages,
                None => {
                    let mut all = Vec::with_capacity(postings.count.min(1 << 10));
                    postings.read_all(&mut all)?;
                    all.retain(|posting| !self.is_removed(posting.game));
                    tally(wanted.key, &all, |number| segment.games.line(number))?
                }
            };
            merge_pages(&mut pages, counted);
        }
        Ok(self.choose(&wanted, pages))
    }

    /// Whether what was counted in advance for a key holds games that have been removed since.
    fn removed_may_count(&self, segment: &Segment, key: u64) -> Result<bool, Error> {
        let list = self.manifest.removed.as_ref().map(|file| &file.name);
        if segment.entry.without.as_ref() == list {
            return Ok(false);
        }
        for &number in self.removed.among(segment.entry.first, segment.entry.games) {
            if segment.games.is_erased(number)? {
                continue;
            }
            let line = segment.games.line(number)?;
            let mut position = line.start();
            let has = |position: &Position| short_key(position.canonical_key().0) == key;
            if has(&position)
                || line.moves().any(|m| {
                    position.play(m);
                    has(&position)
                })
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// As [`Database::counts`], over the games of a sorted list only.
    pub fn counts_among(&self, position: &Position, mirror: bool, games: &[u32]) -> Result<Counts, Error> {
        // Each thread takes a stretch of the games.
        let parts: Vec<&[u32]> = games.chunks(games.len().div_ceil(rayon::current_num_threads()).max(1)).collect();
        let count = |games: &&[u32]| {
            let mut counts = Counts::default();
            let mut hits = self.hits(position, mirror);
            hits.among = Some(games);
            for hit in hits {
                let hit = hit?;
                let line = self.line(hit.game)?;
                let next = line.moves().nth(hit.ply as usize);
                counts.add(next.map(|m| if hit.mirrored { m.mirror() } else { m }), line.facts);
            }
            Ok(counts)
        };
        parts.par_iter().map(count).try_reduce(Counts::default, |mut all, counts| {
            all.merge(&counts);
            Ok(all)
        })
    }

    /// Reads every game and every key once, for [`super::verify()`].
    pub(super) fn read_everything(&self) -> Result<(), Error> {
        for segment in &self.segments {
            for (n, stored) in segment.games.all_stored().enumerate() {
                stored?;
                if n % 100_000 == 0 {
                    segment.games.release();
                }
            }
            segment.games.release();
            let (mut keys, mut postings) = (0, 0);
            let mut block = Vec::new();
            let mut cursor = segment.positions.cursor(0, 1 << KEY_BITS);
            let damaged = |what: &str| Error::damaged(&self.folder.join(&segment.entry.files[4].name), what);
            while let Some((_, mut of_key)) = cursor.next()? {
                keys += 1;
                if keys % 1_000_000 == 0 {
                    segment.positions.release();
                }
                of_key.pages()?;
                while of_key.next_block(&mut block)? {
                    postings += block.len() as u64;
                    if block.iter().any(|posting| !segment.holds(posting.game)) {
                        return Err(damaged("a key names a game of another segment"));
                    }
                }
            }
            if (keys, postings) != (segment.positions.key_count, segment.entry.positions) {
                return Err(damaged("not as many keys or postings as were written"));
            }
        }
        Ok(())
    }

    fn choose(&self, wanted: &Wanted, pages: Vec<Page>) -> Counts {
        let canonical = super::count::Packed::new(if wanted.flipped { &wanted.image } else { &wanted.position });
        let Some(page) = pages.into_iter().find(|page| page.position == canonical) else { return Counts::default() };
        let counts = match (wanted.mirror, wanted.flipped) {
            (true, _) => page.union(),
            (false, true) => page.mirrored,
            (false, false) => page.plain,
        };
        if wanted.flipped { counts.mirrored() } else { counts }
    }
}

/// A position that is looked for.
#[derive(Debug)]
struct Wanted {
    key: u64,
    position: Position,
    image: Position,
    /// Whether the mirror image has the smaller key.
    flipped: bool,
    mirror: bool,
}

impl Wanted {
    fn new(position: &Position, mirror: bool) -> Wanted {
        let (key, flipped) = position.canonical_key();
        Wanted { key: short_key(key), position: *position, image: position.mirrored(), flipped, mirror }
    }

    /// Plays the game of a posting and answers the hit, if it is one.
    fn prove(&self, line: &Line<'_>, posting: Posting) -> Option<Hit> {
        let as_asked = posting.mirrored == self.flipped;
        if !as_asked && !self.mirror {
            return None;
        }
        let visit = visit(line, posting, self.key)?;
        let expected = if as_asked { &self.position } else { &self.image };
        visit.board.is_at(expected).then_some(Hit { game: posting.game, ply: visit.ply, mirrored: !as_asked })
    }
}

/// Proved hits, one by one.
#[derive(Debug)]
pub struct Hits<'a> {
    database: &'a Database,
    wanted: Wanted,
    next_segment: usize,
    postings: Option<(&'a Segment, Postings<'a>)>,
    block: Vec<Posting>,
    at: usize,
    /// Only these games, in order; others are passed over without being proved.
    among: Option<&'a [u32]>,
}

impl<'a> Hits<'a> {
    /// The next posting with the segment it stands in, without taking it.
    fn peek(&mut self) -> Result<Option<(&'a Segment, Posting)>, Error> {
        loop {
            if let Some((segment, postings)) = &mut self.postings {
                if let Some(&posting) = self.block.get(self.at) {
                    return Ok(Some((segment, posting)));
                }
                self.at = 0;
                if postings.next_block(&mut self.block)? {
                    continue;
                }
                self.postings = None;
            }
            let database = self.database;
            let Some(segment) = database.segments.get(self.next_segment) else { return Ok(None) };
            self.next_segment += 1;
            self.block.clear();
            self.at = 0;
            self.postings = segment.positions.find(self.wanted.key)?.map(|postings| (segment, postings));
        }
    }

    fn step(&mut self) -> Result<Option<Hit>, Error> {
        while let Some((segment, first)) = self.peek()? {
            if self.database.is_removed(first.game) {
                self.at += 1;
                continue;
            }
            if let Some(games) = &mut self.among {
                while let Some((game, rest)) = games.split_first()
                    && *game < first.game
                {
                    *games = rest;
                }
                match games.first() {
                    None => return Ok(None),
                    Some(game) if *game != first.game => {
                        self.at += 1;
                        continue;
                    }
                    Some(_) => {}
                }
            }
            let line = segment.games.line(first.game)?;
            let mut best: Option<Hit> = None;
            let mut posting = first;
            loop {
                self.at += 1;
                if let Some(hit) = self.wanted.prove(&line, posting) {
                    best = Some(best.map_or(hit, |best| if hit.ply < best.ply { hit } else { best }));
                }
                match self.peek()? {
                    Some((_, next)) if next.game == first.game => posting = next,
                    _ => break,
                }
            }
            if best.is_some() {
                return Ok(best);
            }
        }
        Ok(None)
    }
}

impl Iterator for Hits<'_> {
    type Item = Result<Hit, Error>;

    fn next(&mut self) -> Option<Result<Hit, Error>> {
        self.step().transpose()
    }
}

/// The moves of a main line, for those who need them at once.
impl Line<'_> {
    /// The moves as a list.
    pub fn to_moves(&self) -> Vec<Move> {
        self.moves().collect()
    }
}
