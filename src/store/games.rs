//! The games of a segment: five files.
//!
//! * `games`: a row of twenty bytes a game: result, year, plies, and where the rest lies.
//! * `moves`: main lines, a byte a ply, uncompressed, so that a hit is proved on the board without unpacking anything.
//! * `text`: everything else (headers, comments, side lines, origin), compressed in blocks of about 32 KiB.
//! * `hash`: content hashes in order, to know a game that is met again.
//! * `signs`: what can be on the board in each game ([`super::sign`]); segments of format 1 have none.
//!
//! Games have consecutive numbers. Merging segments ([`merge`]) copies moves and blocks as they are and shifts the rows;
//! of games that were removed only the number and the content hash are left then.

mod merge;

pub(super) use merge::merge;

use super::bytes::Bytes;
use super::count::Facts;
use super::error::Error;
use super::line::Line;
use super::manifest::{FileEntry, FileWriter, SegmentEntry};
use super::map::Map;
use super::record::{self, StoredGame};
use super::side::Origin;
use super::sign::{SIGN, Sign, SignRef};
use crate::board::Move;
use crate::game::GameResult;
use rayon::prelude::*;
use std::path::Path;

/// A block of texts is closed when it has this many bytes.
const BLOCK: usize = 32 << 10;
const LEVEL: i32 = 3;
const ROW: usize = 20;
const HASH: usize = 16;
const HASH_ROW: usize = HASH + 4;
/// Place of `signs` among the files of a segment.
const SIGNS_PART: usize = 7;
const MAGIC: usize = 8;
const SIGNS_MAGIC: &[u8; MAGIC] = b"yipu sig";
/// Of a game whose moves are gone.
const NOTHING: Facts = Facts { result: GameResult::Unknown, year: 0, plies: 0 };

/// The content hash of a game ([`crate::game::content_hash`]).
pub(super) type ContentHash = [u8; HASH];

/// One row of `games`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    /// Offset of the codes in `moves`, less than 2^40.
    moves_at: u64,
    facts: Facts,
    /// Whether the start position stands before the codes.
    own_start: bool,
    /// Whether the game was removed and its moves and texts are gone.
    erased: bool,
    /// Block in `text`.
    block: u32,
    /// Offset in the unpacked block.
    offset: u32,
}

impl Row {
    fn bytes(self) -> [u8; ROW] {
        let year = u64::from(self.facts.year.min((1 << 14) - 1));
        let head = self.moves_at | (self.facts.result as u64) << 40 | u64::from(self.own_start) << 42;
        let head = head | u64::from(self.erased) << 43 | year << 48;
        let mut bytes = [0; ROW];
        bytes[..8].copy_from_slice(&head.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.facts.plies.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.block.to_le_bytes());
        bytes[16..].copy_from_slice(&self.offset.to_le_bytes());
        bytes
    }

    fn read(bytes: &[u8]) -> Option<Row> {
        let mut bytes = Bytes(bytes);
        let head = bytes.u64()?;
        let result = match head >> 40 & 3 {
            0 => GameResult::RedWins,
            1 => GameResult::BlackWins,
            2 => GameResult::Draw,
            _ => GameResult::Unknown,
        };
        Some(Row {
            moves_at: head & ((1 << 40) - 1),
            facts: Facts { result, year: (head >> 48) as u16, plies: bytes.u32()? },
            own_start: head >> 42 & 1 == 1,
            erased: head >> 43 & 1 == 1,
            block: bytes.u32()?,
            offset: bytes.u32()?,
        })
    }
}

/// Games being collected in memory.
#[derive(Debug, Default)]
pub(super) struct GamesBuffer {
    rows: Vec<Row>,
    moves: Vec<u8>,
    texts: Vec<u8>,
    /// End of each game's text in `texts`.
    text_ends: Vec<usize>,
    hashes: Vec<ContentHash>,
    signs: Vec<u8>,
}

impl GamesBuffer {
    /// Number of games.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.moves.len() + self.texts.len() + self.rows.len() * (size_of::<Row>() + HASH_ROW + SIGN + 8)
    }

    /// Adds a game.
    pub fn push(
        &mut self,
        hash: ContentHash,
        facts: Facts,
        own_start: bool,
        moves: &[u8],
        texts: [&[u8]; 2],
        sign: &Sign,
    ) {
        let moves_at = (MAGIC + self.moves.len()) as u64;
        self.rows.push(Row { moves_at, facts, own_start, erased: false, block: 0, offset: 0 });
        self.moves.extend_from_slice(moves);
        texts.iter().for_each(|text| self.texts.extend_from_slice(text));
        self.text_ends.push(self.texts.len());
        self.hashes.push(hash);
        self.signs.extend_from_slice(&sign.to_bytes());
    }

    /// Adds the place of a game that was removed: its number is not used again, its content is not taken in again.
    pub fn push_erased(&mut self, hash: ContentHash) {
        let moves_at = (MAGIC + self.moves.len()) as u64;
        self.rows.push(Row { moves_at, facts: NOTHING, own_start: false, erased: true, block: 0, offset: 0 });
        self.text_ends.push(self.texts.len());
        self.hashes.push(hash);
        self.signs.extend_from_slice(&[0; SIGN]);
    }

    /// Where the n-th game came from.
    pub fn origin(&self, n: usize) -> Option<Origin> {
        let start = if n == 0 { 0 } else { *self.text_ends.get(n - 1)? };
        record::read_origin(&mut Bytes(self.texts.get(start..*self.text_ends.get(n)?)?))
    }

    /// The main line of the n-th game.
    pub fn line(&self, n: usize) -> Option<Line<'_>> {
        let row = self.rows.get(n)?;
        Line::new(self.moves.get(row.moves_at as usize - MAGIC..)?, row.own_start, row.facts)
    }

    /// Forgets all games.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.moves.clear();
        self.texts.clear();
        self.text_ends.clear();
        self.hashes.clear();
        self.signs.clear();
    }

    /// Writes the five files; the games get consecutive numbers from `first`.
    pub fn write(&mut self, folder: &Path, names: [&str; 5], first: u32) -> Result<[FileEntry; 5], Error> {
        let mut blocks = Vec::new();
        let mut start = 0;
        let mut from = 0;
        for (row, &end) in self.rows.iter_mut().zip(&self.text_ends) {
            row.block = blocks.len() as u32;
            row.offset = (from - start) as u32;
            from = end;
            if end - start >= BLOCK {
                blocks.push(start..end);
                start = end;
            }
        }
        if start < self.texts.len() {
            blocks.push(start..self.texts.len());
        }
        let mut rows = FileWriter::create(folder, names[0])?;
        rows.write(b"yipu gam")?;
        for row in &self.rows {
            rows.write(&row.bytes())?;
        }
        let mut moves = FileWriter::create(folder, names[1])?;
        moves.write(b"yipu mov")?;
        moves.write(&self.moves)?;

        let mut text = TextWriter::create(folder, names[2])?;
        for blocks in blocks.chunks(256) {
            let packed: Vec<std::io::Result<Vec<u8>>> =
                // Making a compressor costs more than one block.
                blocks
                    .par_iter()
                    .map_init(
                        || zstd::bulk::Compressor::new(LEVEL),
                        |compressor, range| match compressor {
                            Ok(compressor) => compressor.compress(&self.texts[range.clone()]),
                            Err(error) => Err(std::io::Error::from(error.kind())),
                        },
                    )
                    .collect();
            for (range, packed) in blocks.iter().zip(packed) {
                text.block(&packed.map_err(Error::io(folder))?, range.len() as u32)?;
            }
        }

        let mut order: Vec<(ContentHash, u32)> = self.hashes.iter().copied().zip(first..).collect();
        order.par_sort_unstable();
        let mut hash = FileWriter::create(folder, names[3])?;
        hash.write(b"yipu has")?;
        for (content, number) in order {
            hash.write(&content)?;
            hash.write(&number.to_le_bytes())?;
        }
        let mut signs = FileWriter::create(folder, names[4])?;
        signs.write(SIGNS_MAGIC)?;
        signs.write(&self.signs)?;
        Ok([rows.finish()?, moves.finish()?, text.finish()?, hash.finish()?, signs.finish()?])
    }
}

/// Writes compressed blocks and their directory.
struct TextWriter {
    file: FileWriter,
    /// End offset and unpacked length of each block.
    directory: Vec<(u64, u32)>,
}

impl TextWriter {
    fn create(folder: &Path, name: &str) -> Result<TextWriter, Error> {
        let mut file = FileWriter::create(folder, name)?;
        file.write(b"yipu txt")?;
        Ok(TextWriter { file, directory: Vec::new() })
    }

    fn block(&mut self, packed: &[u8], unpacked: u32) -> Result<(), Error> {
        self.file.write(packed)?;
        self.directory.push((self.file.position(), unpacked));
        Ok(())
    }

    fn finish(mut self) -> Result<FileEntry, Error> {
        for (end, unpacked) in &self.directory {
            self.file.write(&end.to_le_bytes())?;
            self.file.write(&unpacked.to_le_bytes())?;
        }
        self.file.write(&(self.directory.len() as u64).to_le_bytes())?;
        self.file.finish()
    }
}

/// The five files, open for reading.
#[derive(Debug)]
pub(super) struct Games {
    first: u32,
    count: u32,
    rows: Map,
    moves: Map,
    text: Map,
    hash: Map,
    signs: Option<Map>,
    /// Number of blocks in `text`.
    blocks: u64,
}

impl Games {
    /// Opens the files of a segment.
    pub fn open(folder: &Path, entry: &SegmentEntry) -> Result<Games, Error> {
        let map = |part: usize| {
            let file = &entry.files[part];
            Map::open(folder.join(&file.name), file.bytes)
        };
        let (rows, moves, text, hash) = (map(0)?, map(1)?, map(2)?, map(3)?);
        for (map, magic) in [(&rows, b"yipu gam"), (&moves, b"yipu mov"), (&text, b"yipu txt"), (&hash, b"yipu has")] {
            if !map.bytes().starts_with(magic) {
                return Err(map.damaged("not the file it should be"));
            }
        }
        if rows.bytes().len() != MAGIC + ROW * entry.games as usize {
            return Err(rows.damaged("not as many rows as games"));
        }
        if hash.bytes().len() != MAGIC + HASH_ROW * entry.games as usize {
            return Err(hash.damaged("not as many rows as games"));
        }
        // Segments of format 1 have no signs.
        let signs = (entry.files.len() > SIGNS_PART).then(|| map(SIGNS_PART)).transpose()?;
        if let Some(signs) = &signs
            && (!signs.bytes().starts_with(SIGNS_MAGIC) || signs.bytes().len() != MAGIC + SIGN * entry.games as usize)
        {
            return Err(signs.damaged("not as many rows as games"));
        }
        let blocks = text.bytes().last_chunk().map_or(0, |last| u64::from_le_bytes(*last));
        if blocks.checked_mul(12).is_none_or(|bytes| bytes + 8 + MAGIC as u64 > text.bytes().len() as u64) {
            return Err(text.damaged("the directory does not fit"));
        }
        Ok(Games { first: entry.first, count: entry.games, rows, moves, text, hash, signs, blocks })
    }

    fn row(&self, number: u32) -> Result<Row, Error> {
        let n = number.checked_sub(self.first).filter(|&n| n < self.count).ok_or(Error::NoGame(number))?;
        let at = MAGIC + n as usize * ROW;
        Row::read(&self.rows.bytes()[at..at + ROW]).ok_or_else(|| self.rows.damaged("a row is cut short"))
    }

    /// What is known of a game without opening it.
    pub fn facts(&self, number: u32) -> Result<Facts, Error> {
        Ok(self.row(number)?.facts)
    }

    /// The main line of a game.
    pub fn line(&self, number: u32) -> Result<Line<'_>, Error> {
        let row = self.row(number)?;
        let at = usize::try_from(row.moves_at).unwrap_or(usize::MAX);
        let bytes = self.moves.bytes().get(at..);
        bytes
            .and_then(|bytes| Line::new(bytes, row.own_start, row.facts))
            .ok_or_else(|| self.moves.damaged("no such moves"))
    }

    /// End offset and unpacked length of a block.
    fn directory(&self, block: u64) -> Option<(u64, u32)> {
        let back = (self.blocks - block) as usize * 12 + 8;
        let bytes = self.text.bytes();
        let mut entry = Bytes(bytes.get(bytes.len() - back..)?);
        Some((entry.u64()?, entry.u32()?))
    }

    fn block_range(&self, block: u64) -> Result<(u64, u64, u32), Error> {
        let damaged = || self.text.damaged("no such block");
        if block >= self.blocks {
            return Err(damaged());
        }
        let start = if block == 0 { MAGIC as u64 } else { self.directory(block - 1).ok_or_else(damaged)?.0 };
        let (end, unpacked) = self.directory(block).ok_or_else(damaged)?;
        Ok((start, end.checked_sub(start).ok_or_else(damaged)?, unpacked))
    }

    fn unpack(&self, block: u32) -> Result<Vec<u8>, Error> {
        let (start, length, unpacked) = self.block_range(block.into())?;
        let packed = self.text.slice(start, length)?;
        // Not even the best packer makes a thousandth; a larger number is a damaged one.
        if u64::from(unpacked) > length.saturating_mul(40_000).max(1 << 20) {
            return Err(self.text.damaged("a block of an impossible length"));
        }
        zstd::bulk::decompress(packed, unpacked as usize)
            .map_err(|error| self.text.damaged(&format!("block {block}: {error}")))
    }

    /// A whole game.
    pub fn stored(&self, number: u32) -> Result<StoredGame, Error> {
        let row = self.row(number)?;
        let block = self.unpack(row.block)?;
        self.stored_in(number, row, &block)
    }

    fn stored_in(&self, number: u32, row: Row, block: &[u8]) -> Result<StoredGame, Error> {
        let line = self.line(number)?;
        let moves: Vec<Move> = line.moves().collect();
        if moves.len() != row.facts.plies as usize {
            return Err(self.moves.damaged(&format!("game {number} ends early")));
        }
        let text = block.get(row.offset as usize..);
        text.and_then(|text| record::read(&mut Bytes(text), line.start(), &moves, row.facts.result))
            .ok_or_else(|| self.text.damaged(&format!("game {number} is no record")))
    }

    /// Whether a game was removed and its moves and texts are gone.
    pub fn is_erased(&self, number: u32) -> Result<bool, Error> {
        Ok(self.row(number)?.erased)
    }

    /// Where a game came from; the unpacked block is kept for the next question.
    pub fn origin(&self, number: u32, kept: &mut Option<(u32, Vec<u8>)>) -> Result<Origin, Error> {
        let row = self.row(number)?;
        if kept.as_ref().is_none_or(|(block, _)| *block != row.block) {
            *kept = Some((row.block, self.unpack(row.block)?));
        }
        let block = kept.as_ref().map(|(_, bytes)| bytes.as_slice()).unwrap_or_default();
        let text = block.get(row.offset as usize..);
        text.and_then(|text| record::read_origin(&mut Bytes(text)))
            .ok_or_else(|| self.text.damaged(&format!("game {number} is no record")))
    }

    /// The signs of all games in order; `None` if the segment has none.
    pub fn signs(&self) -> Option<impl Iterator<Item = (u32, SignRef<'_>)> + '_> {
        let rows = self.signs.as_ref()?.bytes().get(MAGIC..)?.chunks_exact(SIGN);
        Some((self.first..).zip(rows.map(SignRef)))
    }

    /// All games in order but those that are erased; a block is unpacked once.
    pub fn all_stored(&self) -> impl Iterator<Item = Result<(u32, StoredGame), Error>> + '_ {
        let mut current: Option<(u32, Vec<u8>)> = None;
        let kept = |number: &u32| !self.row(*number).is_ok_and(|row| row.erased);
        (self.first..self.first + self.count).filter(kept).map(move |number| {
            let row = self.row(number)?;
            if current.as_ref().is_none_or(|(block, _)| *block != row.block) {
                current = Some((row.block, self.unpack(row.block)?));
            }
            let block = current.as_ref().map(|(_, bytes)| bytes.as_slice()).unwrap_or_default();
            Ok((number, self.stored_in(number, row, block)?))
        })
    }

    fn hash_row(&self, n: usize) -> (&[u8], u32) {
        let at = MAGIC + n * HASH_ROW;
        let row = &self.hash.bytes()[at..at + HASH_ROW];
        let (content, number) = row.split_at(HASH);
        (content, u32::from_le_bytes([number[0], number[1], number[2], number[3]]))
    }

    /// The number of a game with this content.
    pub fn find(&self, hash: &ContentHash) -> Option<u32> {
        // Hashes are spread evenly: start where it should be and widen.
        let count = self.count as usize;
        let prefix = u64::from_be_bytes([hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7]]);
        let guess = ((u128::from(prefix) * count as u128) >> 64) as usize;
        let (mut low, mut high, mut step) = (guess, guess, 8);
        while low > 0 && self.hash_row(low).0 > hash.as_slice() {
            low = low.saturating_sub(step);
            step *= 4;
        }
        step = 8;
        while high < count && self.hash_row(high).0 <= hash.as_slice() {
            high = (high + step).min(count);
            step *= 4;
        }
        while low < high {
            let middle = low + (high - low) / 2;
            let (content, number) = self.hash_row(middle);
            match content.cmp(hash.as_slice()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(number),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Gives the memory of the signs back to the system.
    pub fn release_signs(&self) {
        self.signs.iter().for_each(Map::release);
    }

    /// Gives memory back to the system.
    pub fn release(&self) {
        [&self.rows, &self.moves, &self.text, &self.hash].into_iter().chain(&self.signs).for_each(Map::release);
    }

    /// Content hashes with game numbers, in the order of the hashes.
    pub fn hashes(&self) -> impl Iterator<Item = (ContentHash, u32)> + '_ {
        (0..self.count as usize).map(|n| {
            let (content, number) = self.hash_row(n);
            let mut hash = [0; HASH];
            hash.copy_from_slice(content);
            (hash, number)
        })
    }
}
