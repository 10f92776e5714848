//! Segments: games that were added together, or segments merged into one. Never changed once written.

use super::count::Page;
use super::error::Error;
use super::games::{self, Games, GamesBuffer};
use super::manifest::SegmentEntry;
use super::positions::{FAR, KEY_BITS, PartWriter, Positions, PositionsWriter, Posting, Shape};
use super::removed::Removed;
use super::tally::{READY_FROM, merge_pages, tally};
use rayon::prelude::*;
use std::path::Path;

/// The files of a segment, by their endings.
pub(super) const PARTS: [&str; 8] = ["games", "moves", "text", "hash", "keys", "lists", "pages", "signs"];
/// As many of them a segment of format 1 has.
pub(super) const PARTS_OF_FORMAT_1: usize = 7;

/// Records are spread by this many top bits while they are collected.
const SPREAD_BITS: u32 = 8;

/// Name of a file of a segment.
fn file_names(id: u64) -> [String; PARTS.len()] {
    PARTS.map(|part| format!("{id:08}.{part}"))
}

/// One occurrence of a position in a game as it is collected: upper key bits, game, mirrored, lower key bits, ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Occurrence(u128);

impl Occurrence {
    const LOW_BITS: u32 = 64 - KEY_BITS;

    /// Of a canonical key, in a game to be named later.
    #[inline]
    pub fn new(key: u64, mirrored: bool, ply: u32) -> Occurrence {
        let low = key & ((1 << Self::LOW_BITS) - 1);
        let ply = ply.min(u32::from(u16::MAX));
        Occurrence(
            u128::from(key >> Self::LOW_BITS) << 88
                | u128::from(mirrored) << 55
                | u128::from(low) << 31
                | u128::from(ply),
        )
    }

    #[inline]
    fn in_game(self, game: u32) -> Occurrence {
        Occurrence(self.0 | u128::from(game) << 56)
    }

    #[inline]
    fn key(self) -> u64 {
        (self.0 >> 88) as u64
    }

    /// Everything but the ply.
    #[inline]
    fn same_place(self) -> u128 {
        self.0 >> 31
    }

    #[inline]
    fn posting(self) -> Posting {
        Posting {
            game: (self.0 >> 56) as u32,
            mirrored: self.0 >> 55 & 1 == 1,
            ply: (self.0 & 0xFFFF).min(u128::from(FAR)) as u8,
        }
    }
}

/// Occurrences being collected, spread by the top bits of their keys.
#[derive(Debug)]
pub(super) struct Spread {
    heaps: Vec<Vec<Occurrence>>,
    len: usize,
}

impl Spread {
    /// An empty one.
    pub fn new() -> Spread {
        Spread { heaps: vec![Vec::new(); 1 << SPREAD_BITS], len: 0 }
    }

    /// Number of occurrences.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Adds the positions of a game.
    #[inline]
    pub fn push(&mut self, game: u32, occurrences: &[Occurrence]) {
        for &occurrence in occurrences {
            let heap = (occurrence.0 >> (128 - SPREAD_BITS)) as usize;
            self.heaps[heap].push(occurrence.in_game(game));
        }
        self.len += occurrences.len();
    }

    /// Forgets everything, keeping the room.
    pub fn clear(&mut self) {
        self.heaps.iter_mut().for_each(Vec::clear);
        self.len = 0;
    }

    /// Sorts by keys; occurrences of a key stay in the order of their games and plies.
    fn sort(&mut self) {
        self.heaps.par_iter_mut().for_each_init(Vec::new, |room, heap| sort_heap(heap, room));
    }

    /// The sorted occurrences of keys `from .. to`, in order. All occurrences of a key are in one of the slices.
    fn range(&self, from: u64, to: u64) -> impl Iterator<Item = &[Occurrence]> {
        let heap_key_bits = KEY_BITS - SPREAD_BITS;
        let (first, last) = (from >> heap_key_bits, (to - 1) >> heap_key_bits);
        self.heaps[first as usize..=last as usize].iter().map(move |heap| {
            let start = heap.partition_point(|occurrence| occurrence.key() < from);
            let end = heap.partition_point(|occurrence| occurrence.key() < to);
            &heap[start..end]
        })
    }
}

/// Sorts a heap, whose keys all begin alike, by the 32 bits in which they differ: by digits, lowest first, each pass
/// keeping the order of the one before.
fn sort_heap(heap: &mut Vec<Occurrence>, room: &mut Vec<Occurrence>) {
    const DIGITS: [u32; 3] = [11, 11, 10];
    if heap.len() < 1000 {
        heap.sort_by_key(|occurrence| occurrence.key());
        return;
    }
    let mut starts = DIGITS.map(|bits| vec![0u32; 1 << bits]);
    let digit = |occurrence: Occurrence, pass: usize| {
        let below: u32 = DIGITS[..pass].iter().sum();
        (occurrence.key() >> below) as usize & ((1 << DIGITS[pass]) - 1)
    };
    for &occurrence in heap.iter() {
        for (pass, starts) in starts.iter_mut().enumerate() {
            starts[digit(occurrence, pass)] += 1;
        }
    }
    for (pass, starts) in starts.iter_mut().enumerate() {
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += std::mem::replace(start, sum);
        }
        room.resize(heap.len(), Occurrence::default());
        for &occurrence in heap.iter() {
            let start = &mut starts[digit(occurrence, pass)];
            room[*start as usize] = occurrence;
            *start += 1;
        }
        std::mem::swap(heap, room);
    }
}

/// A segment, open for reading.
#[derive(Debug)]
pub(super) struct Segment {
    /// What the manifest says of it.
    pub entry: SegmentEntry,
    /// Its games.
    pub games: Games,
    /// Its positions.
    pub positions: Positions,
}

impl Segment {
    /// Opens the files of a segment.
    pub fn open(folder: &Path, entry: SegmentEntry) -> Result<Segment, Error> {
        let games = Games::open(folder, &entry)?;
        let positions = Positions::open(folder, &entry)?;
        Ok(Segment { entry, games, positions })
    }

    /// Whether it holds this number.
    pub fn holds(&self, number: u32) -> bool {
        number >= self.entry.first && number - self.entry.first < self.entry.games
    }

    /// Writes collected games, with numbers from `first`, as a segment.
    pub fn build(
        folder: &Path,
        id: u64,
        first: u32,
        games: &mut GamesBuffer,
        spread: &mut Spread,
    ) -> Result<SegmentEntry, Error> {
        let names = file_names(id);
        let [a, b, c, d, e, f, g, h] = names.each_ref().map(String::as_str);
        let count = games.len() as u32;
        let [rows, moves, text, hash, signs] = games.write(folder, [a, b, c, d, h], first)?;
        spread.sort();
        let shape = Shape::new(spread.len() as u64, first, count);
        let writer = PositionsWriter::create(folder, [e, f, g], shape)?;
        let (games, spread) = (&*games, &*spread);
        let fill = |part, out: &mut PartWriter| {
            let bits = shape.part_key_bits();
            let mut postings = Vec::new();
            // Positions of the current game under the current key: nearly always one.
            let mut places = Vec::new();
            let slices = spread.range(part << bits, (part + 1) << bits);
            for of_key in slices.flat_map(|slice| slice.chunk_by(|a, b| a.key() == b.key())) {
                let key = of_key[0].key();
                postings.clear();
                places.clear();
                for occurrence in of_key {
                    let posting = occurrence.posting();
                    if postings.last().is_some_and(|last: &Posting| last.game != posting.game) {
                        places.clear();
                    }
                    // A position counts once a game, where it first stood.
                    if !places.contains(&occurrence.same_place()) {
                        places.push(occurrence.same_place());
                        postings.push(posting);
                    }
                }
                let pages = if postings.len() >= READY_FROM {
                    tally(key, &postings, |number| games.line((number - first) as usize).ok_or(Error::NoGame(number)))?
                } else {
                    Vec::new()
                };
                out.push(key, &postings, &pages);
            }
            Ok(())
        };
        let (position_files, positions) = write_parts(shape, writer, fill, || ())?;
        let files = [rows, moves, text, hash].into_iter().chain(position_files).chain([signs]).collect();
        Ok(SegmentEntry { id, first, games: count, positions, without: None, files })
    }

    /// Writes neighbouring segments as one, without the positions of removed games if a list of them is given (with the
    /// name it is known by).
    pub fn merge(
        folder: &Path,
        id: u64,
        sources: &[&Segment],
        removed: Option<(&Removed, &str)>,
    ) -> Result<SegmentEntry, Error> {
        let names = file_names(id);
        let [a, b, c, d, e, f, g, h] = names.each_ref().map(String::as_str);
        let all_games: Vec<&Games> = sources.iter().map(|source| &source.games).collect();
        let list = removed.map(|(list, _)| list);
        let [rows, moves, text, hash, signs] = games::merge(&all_games, folder, [a, b, c, d, h], list)?;
        let first = sources.first().map_or(1, |source| source.entry.first);
        let count = sources.iter().map(|source| source.entry.games).sum();
        let shape = Shape::new(sources.iter().map(|source| source.entry.positions).sum(), first, count);
        let writer = PositionsWriter::create(folder, [e, f, g], shape)?;
        let fill = |part, out: &mut PartWriter| {
            let bits = shape.part_key_bits();
            let mut heads = Vec::new();
            for source in sources {
                let mut cursor = source.positions.cursor(part << bits, (part + 1) << bits);
                if let Some(head) = cursor.next()? {
                    heads.push((*source, cursor, Some(head)));
                }
            }
            let mut postings = Vec::new();
            let mut ready: Vec<(usize, Option<Vec<Page>>)> = Vec::new();
            while let Some(key) = heads.iter().filter_map(|(.., head)| Some(head.as_ref()?.0)).min() {
                postings.clear();
                ready.clear();
                for (_, cursor, head) in &mut heads {
                    if let Some((_, found)) = head.take_if(|(k, _)| *k == key) {
                        ready.push((postings.len(), found.pages()?));
                        found.read_all(&mut postings)?;
                        *head = cursor.next()?;
                    } else {
                        ready.push((postings.len(), None));
                    }
                }
                if let Some((removed, _)) = removed
                    && postings.iter().any(|posting| removed.contains(posting.game))
                {
                    postings.retain(|posting| !removed.contains(posting.game));
                    if postings.is_empty() {
                        continue;
                    }
                    // What was counted before is wrong now.
                    for (n, (start, counted)) in ready.iter_mut().enumerate() {
                        *counted = None;
                        *start = postings.partition_point(|posting| posting.game < heads[n].0.entry.first);
                    }
                }
                let mut pages = Vec::new();
                if postings.len() >= READY_FROM {
                    for (n, (start, counted)) in ready.iter_mut().enumerate() {
                        let counted = match counted.take() {
                            Some(counted) => counted,
                            None => {
                                let end = end_in(&postings, heads[n].0);
                                tally(key, &postings[*start..end], |number| heads[n].0.games.line(number))?
                            }
                        };
                        merge_pages(&mut pages, counted);
                    }
                }
                out.push(key, &postings, &pages);
            }
            Ok(())
        };
        // What has been read of the sources would otherwise stay in memory until they are closed.
        let release = || {
            for source in sources {
                source.positions.release();
                source.games.release();
            }
        };
        let (position_files, positions) = write_parts(shape, writer, fill, release)?;
        let files = [rows, moves, text, hash].into_iter().chain(position_files).chain([signs]).collect();
        let without = removed.map(|(_, name)| name.to_string());
        Ok(SegmentEntry { id, first, games: count, positions, without, files })
    }
}

/// Where the postings of a segment end among those of several in the order of their games.
fn end_in(postings: &[Posting], segment: &Segment) -> usize {
    let end = segment.entry.first + segment.entry.games;
    postings.partition_point(|posting| posting.game < end)
}

/// Fills all parts, several at a time, and writes them in order.
fn write_parts(
    shape: Shape,
    mut writer: PositionsWriter,
    fill: impl Fn(u64, &mut PartWriter) -> Result<(), Error> + Sync,
    after_wave: impl Fn(),
) -> Result<([super::manifest::FileEntry; 3], u64), Error> {
    let wave = 8 * rayon::current_num_threads() as u64;
    let mut from = 0;
    while from < shape.parts() {
        let to = (from + wave).min(shape.parts());
        let parts: Vec<Result<PartWriter, Error>> = (from..to)
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|part| {
                let mut out = PartWriter::new(shape, part);
                fill(part, &mut out)?;
                Ok(out)
            })
            .collect();
        for part in parts {
            writer.part(part?)?;
        }
        after_wave();
        from = to;
    }
    writer.finish()
}
