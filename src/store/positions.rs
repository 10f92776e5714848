//! The positions of a segment: which games reached which position, and at which ply.
//!
//! A position is known by the upper 40 bits of its canonical key (the smaller of its own key and its mirror image's).
//! The top bits of those choose a *bucket* of about a dozen keys; what is left of the key is written in the bucket. A
//! few hundred buckets or more make a *part*, written and merged on its own, so memory stays bounded however large the
//! segment grows. Two different positions may share 40 bits (in a million games some thousand do): every hit is proved
//! on the board by whoever asks.
//!
//! Three files:
//!
//! * `keys`: for each part the packed buckets, then the offsets of its buckets; at the end a directory of parts and a
//!   footer. In a bucket, behind the rest of each key, stand its postings: game, whether the board was the mirror image,
//!   and the ply. Nearly all keys have one posting, all in one row of bits without any byte boundary.
//! * `lists`: postings of keys with more than sixteen, in blocks of 128 that can be passed over unread.
//! * `pages`: for keys with very many games, results and next moves counted in advance ([`super::count::Page`]).

use super::bytes::{BitReader, BitWriter, Bytes, put_varint};
use super::count::{Page, read_pages, write_pages};
use super::error::Error;
use super::manifest::{FileEntry, FileWriter, SegmentEntry};
use super::map::Map;
use std::path::Path;

/// Bits of a key that are kept.
pub(super) const KEY_BITS: u32 = 40;
/// Plies from here on are not written: they are found by playing the game.
pub(super) const FAR: u8 = 255;
/// A key with more postings has them in `lists`.
const SHORT: usize = 16;
const LONG_MARK: u64 = 15;
const LIST_BLOCK: usize = 128;
const MAGIC: &[u8; 8] = b"yipu key";
const FOOTER: usize = 48;
const PART_ROW: usize = 40;

/// The upper bits of a key.
pub(super) const fn short_key(key: u64) -> u64 {
    key >> (64 - KEY_BITS)
}

/// One game under a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Posting {
    /// Number of the game.
    pub game: u32,
    /// Whether the board was the mirror image of the one with the smaller key.
    pub mirrored: bool,
    /// Plies before the position first occurred; [`FAR`] for 255 and more.
    pub ply: u8,
}

/// The measures of a segment's position files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    bucket_bits: u32,
    part_bits: u32,
    game_bits: u32,
    first: u32,
}

impl Shape {
    /// For this many postings over games `first .. first + games`.
    pub fn new(postings: u64, first: u32, games: u32) -> Shape {
        // A power of two of buckets with eight to sixteen postings each; parts of at least 256 buckets.
        let bucket_bits = (postings / 8).max(1).ilog2().min(KEY_BITS - 11);
        let part_bits = bucket_bits.saturating_sub(8).min(12);
        let game_bits = 32 - games.saturating_sub(1).leading_zeros();
        Shape { bucket_bits, part_bits, game_bits, first }
    }

    /// Number of parts.
    pub const fn parts(&self) -> u64 {
        1 << self.part_bits
    }

    /// Bits of a key within a part.
    pub const fn part_key_bits(&self) -> u32 {
        KEY_BITS - self.part_bits
    }

    const fn rest_bits(&self) -> u32 {
        KEY_BITS - self.bucket_bits
    }

    const fn buckets_in_part(&self) -> u64 {
        1 << (self.bucket_bits - self.part_bits)
    }
}

/// Packs the keys of one part, which come in rising order.
pub(super) struct PartWriter {
    shape: Shape,
    bits: BitWriter,
    table: Vec<u32>,
    lists: Vec<u8>,
    pages: Vec<u8>,
    first_bucket: u64,
    keys: u64,
    postings: u64,
}

impl PartWriter {
    /// For the n-th part.
    pub fn new(shape: Shape, part: u64) -> PartWriter {
        PartWriter {
            shape,
            bits: BitWriter::default(),
            table: vec![0],
            lists: Vec::new(),
            pages: Vec::new(),
            first_bucket: part * shape.buckets_in_part(),
            keys: 0,
            postings: 0,
        }
    }

    /// Adds a key with its postings in the order of the games.
    pub fn push(&mut self, key: u64, postings: &[Posting], pages: &[Page]) {
        let shape = self.shape;
        let rest_bits = shape.rest_bits();
        let bucket = ((key >> rest_bits) - self.first_bucket) as usize;
        self.close_buckets(bucket);
        self.keys += 1;
        self.postings += postings.len() as u64;
        self.bits.put(key & ((1 << rest_bits) - 1), rest_bits);
        let Some((first, others)) = postings.split_first() else { return };
        let tail = |posting: &Posting| u64::from(posting.mirrored) | u64::from(posting.ply) << 1;
        if others.is_empty() {
            self.bits.put(0, 1);
            self.bits.put(u64::from(first.game - shape.first) | tail(first) << shape.game_bits, shape.game_bits + 9);
            return;
        }
        self.bits.put(1, 1);
        if postings.len() > SHORT {
            self.bits.put(LONG_MARK, 4);
            self.bits.put(self.lists.len() as u64, 40);
            self.push_list(postings, pages);
            return;
        }
        let same = others.iter().all(|posting| tail(posting) == tail(first));
        let steps = || postings.windows(2).map(|pair| u64::from(pair[1].game - pair[0].game));
        let width = width(steps());
        self.bits.put((others.len() as u64 - 1) | u64::from(width) << 4 | u64::from(same) << 10, 11);
        self.bits.put(u64::from(first.game - shape.first) | tail(first) << shape.game_bits, shape.game_bits + 9);
        for (step, posting) in steps().zip(others) {
            self.bits.put(step, width);
            if !same {
                self.bits.put(tail(posting), 9);
            }
        }
    }

    fn push_list(&mut self, postings: &[Posting], pages: &[Page]) {
        let out = &mut self.lists;
        put_varint(out, postings.len() as u64);
        if pages.is_empty() {
            put_varint(out, 0);
        } else {
            put_varint(out, self.pages.len() as u64 + 1);
            write_pages(pages, &mut self.pages);
        }
        for block in postings.chunks(LIST_BLOCK) {
            let first = block[0];
            let same_ply = block.iter().all(|posting| posting.ply == first.ply);
            let same_side = block.iter().all(|posting| posting.mirrored == first.mirrored);
            let steps = || block.windows(2).map(|pair| u64::from(pair[1].game - pair[0].game));
            let width = width(steps());
            let mut bits = BitWriter::default();
            for (step, posting) in steps().zip(&block[1..]) {
                bits.put(step, width);
                if !same_side {
                    bits.put(posting.mirrored.into(), 1);
                }
                if !same_ply {
                    bits.put(posting.ply.into(), 8);
                }
            }
            bits.align();
            out.extend_from_slice(&(first.game - self.shape.first).to_le_bytes());
            out.extend_from_slice(&(bits.bytes.len() as u16).to_le_bytes());
            out.push(width as u8 | u8::from(same_ply) << 6 | u8::from(same_side) << 7);
            out.push(first.mirrored.into());
            out.push(first.ply);
            out.extend_from_slice(&bits.bytes);
        }
    }

    /// Ends all buckets before this one.
    fn close_buckets(&mut self, bucket: usize) {
        if self.table.len() <= bucket {
            self.bits.align();
            self.table.resize(bucket + 1, self.bits.bytes.len() as u32);
        }
    }
}

/// Bits that hold every number.
fn width(numbers: impl Iterator<Item = u64>) -> u32 {
    64 - numbers.fold(0, |all, number| all | number).leading_zeros()
}

/// Writes the three files, part by part.
pub(super) struct PositionsWriter {
    shape: Shape,
    keys: FileWriter,
    lists: FileWriter,
    pages: FileWriter,
    directory: Vec<u8>,
    key_count: u64,
    posting_count: u64,
}

impl PositionsWriter {
    /// Creates the files.
    pub fn create(folder: &Path, names: [&str; 3], shape: Shape) -> Result<PositionsWriter, Error> {
        let mut keys = FileWriter::create(folder, names[0])?;
        keys.write(MAGIC)?;
        let lists = FileWriter::create(folder, names[1])?;
        let pages = FileWriter::create(folder, names[2])?;
        Ok(PositionsWriter { shape, keys, lists, pages, directory: Vec::new(), key_count: 0, posting_count: 0 })
    }

    /// Appends the next part.
    pub fn part(&mut self, mut part: PartWriter) -> Result<(), Error> {
        part.close_buckets(self.shape.buckets_in_part() as usize);
        let bits = &part.bits.bytes;
        for value in [
            self.keys.position(),
            self.keys.position() + bits.len() as u64,
            self.lists.position(),
            self.pages.position(),
            part.keys,
        ] {
            self.directory.extend_from_slice(&value.to_le_bytes());
        }
        self.keys.write(bits)?;
        let table: Vec<u8> = part.table.iter().flat_map(|offset| offset.to_le_bytes()).collect();
        self.keys.write(&table)?;
        self.lists.write(&part.lists)?;
        self.pages.write(&part.pages)?;
        self.key_count += part.keys;
        self.posting_count += part.postings;
        Ok(())
    }

    /// Ends the files; answers them and the number of postings.
    pub fn finish(mut self) -> Result<([FileEntry; 3], u64), Error> {
        let directory_at = self.keys.position();
        self.keys.write(&self.directory)?;
        let shape = self.shape;
        for value in [shape.bucket_bits, shape.part_bits, shape.game_bits, shape.first] {
            self.keys.write(&value.to_le_bytes())?;
        }
        for value in [self.key_count, self.posting_count, directory_at] {
            self.keys.write(&value.to_le_bytes())?;
        }
        self.keys.write(MAGIC)?;
        Ok(([self.keys.finish()?, self.lists.finish()?, self.pages.finish()?], self.posting_count))
    }
}

/// The three files, open for reading.
#[derive(Debug)]
pub(super) struct Positions {
    shape: Shape,
    keys: Map,
    lists: Map,
    pages: Map,
    directory_at: usize,
    /// Number of keys.
    pub key_count: u64,
}

/// Where a part's pieces lie.
#[derive(Clone, Copy, Debug)]
struct PartPlace {
    data_at: usize,
    table_at: usize,
    lists_at: u64,
    pages_at: u64,
}

/// The postings of one key, read block by block.
#[derive(Debug)]
pub(super) struct Postings<'a> {
    owner: &'a Positions,
    /// How many there are.
    pub count: usize,
    pages_at: Option<u64>,
    rest: Rest<'a>,
}

/// What is still to be read of them.
#[derive(Clone, Copy, Debug)]
enum Rest<'a> {
    /// Postings in a bucket: the reader, how many, bits of a step, whether ply and side are all the same.
    Short(BitReader<'a>, usize, u32, bool),
    /// Offset of a list in `lists`.
    At(u64),
    /// Blocks of a list, and how many postings they hold.
    Blocks(Bytes<'a>, usize),
}

impl Positions {
    /// Opens the files of a segment.
    pub fn open(folder: &Path, entry: &SegmentEntry) -> Result<Positions, Error> {
        let map = |part: usize| {
            let file = &entry.files[part];
            Map::open(folder.join(&file.name), file.bytes)
        };
        let (keys, lists, pages) = (map(4)?, map(5)?, map(6)?);
        let bytes = keys.bytes();
        let footer = || -> Option<(Shape, u64, u64)> {
            let mut footer = Bytes(bytes.get(bytes.len().checked_sub(FOOTER)?..)?);
            let shape = Shape {
                bucket_bits: footer.u32()?,
                part_bits: footer.u32()?,
                game_bits: footer.u32()?,
                first: footer.u32()?,
            };
            let (key_count, _postings, directory_at) = (footer.u64()?, footer.u64()?, footer.u64()?);
            let fits = bytes.starts_with(MAGIC)
                && footer.0 == MAGIC
                && shape.bucket_bits <= KEY_BITS - 11
                && shape.part_bits <= shape.bucket_bits
                && shape.game_bits <= 32
                && shape.first == entry.first
                && directory_at.checked_add(shape.parts() * PART_ROW as u64 + FOOTER as u64)
                    == Some(bytes.len() as u64);
            fits.then_some((shape, key_count, directory_at))
        };
        let (shape, key_count, directory_at) = footer().ok_or_else(|| keys.damaged("the footer makes no sense"))?;
        Ok(Positions { shape, directory_at: directory_at as usize, key_count, keys, lists, pages })
    }

    fn place(&self, part: u64) -> Option<PartPlace> {
        let mut row = Bytes(self.keys.bytes().get(self.directory_at + part as usize * PART_ROW..)?);
        Some(PartPlace {
            data_at: usize::try_from(row.u64()?).ok()?,
            table_at: usize::try_from(row.u64()?).ok()?,
            lists_at: row.u64()?,
            pages_at: row.u64()?,
        })
    }

    /// The bits of a bucket (numbered within the part).
    #[inline]
    fn bucket(&self, place: PartPlace, bucket: u64) -> Option<BitReader<'_>> {
        let bytes = self.keys.bytes();
        let mut table = Bytes(bytes.get(place.table_at.checked_add(bucket as usize * 4)?..)?);
        let (start, end) = (table.u32()? as usize, table.u32()? as usize);
        let (start, end) = (place.data_at.checked_add(start)?, place.data_at.checked_add(end)?);
        (start <= end && end <= place.table_at && end <= bytes.len()).then(|| BitReader::new(bytes, start, end))
    }

    /// Takes the next key of a bucket (what is left of it) and its entry; the reader stands at the next one afterwards.
    /// `None` at the end of the bucket; `Some(None)` if it is damaged.
    #[inline]
    fn entry<'a>(&self, bits: &mut BitReader<'a>) -> Option<Option<(u64, Rest<'a>)>> {
        // A bucket is padded with fewer than eight bits, and every entry is longer.
        (bits.left() >= 8).then(|| {
            let rest = bits.get(self.shape.rest_bits())?;
            if bits.get(1)? == 0 {
                let entry = Rest::Short(*bits, 1, 0, true);
                bits.skip(self.shape.game_bits as usize + 9)?;
                return Some((rest, entry));
            }
            let count = bits.get(4)?;
            if count == LONG_MARK {
                return Some((rest, Rest::At(bits.get(40)?)));
            }
            let (count, width, same) = (count as usize + 2, bits.get(6)? as u32, bits.get(1)? == 1);
            if width > 32 {
                return None;
            }
            let entry = Rest::Short(*bits, count, width, same);
            let each = width as usize + if same { 0 } else { 9 };
            bits.skip(self.shape.game_bits as usize + 9 + (count - 1) * each)?;
            Some((rest, entry))
        })
    }

    #[cold]
    fn damaged(&self) -> Error {
        self.keys.damaged("the keys make no sense")
    }

    /// The postings of a key; `None` if no game of the segment has it.
    pub fn find(&self, key: u64) -> Result<Option<Postings<'_>>, Error> {
        let shape = self.shape;
        let rest_bits = shape.rest_bits();
        let bucket = key >> rest_bits;
        let wanted = key & ((1 << rest_bits) - 1);
        let place = self.place(key >> shape.part_key_bits()).ok_or_else(|| self.damaged())?;
        let in_part = bucket & (shape.buckets_in_part() - 1);
        let mut bits = self.bucket(place, in_part).ok_or_else(|| self.damaged())?;
        while let Some(entry) = self.entry(&mut bits) {
            let (rest, entry) = entry.ok_or_else(|| self.damaged())?;
            if rest >= wanted {
                return if rest == wanted { self.postings(place, entry).map(Some) } else { Ok(None) };
            }
        }
        Ok(None)
    }

    fn postings<'a>(&'a self, place: PartPlace, rest: Rest<'a>) -> Result<Postings<'a>, Error> {
        let Rest::At(at) = rest else {
            let Rest::Short(_, count, ..) = rest else { return Err(self.damaged()) };
            return Ok(Postings { owner: self, count, pages_at: None, rest });
        };
        let read = || -> Option<Postings<'a>> {
            let at = usize::try_from(place.lists_at.checked_add(at)?).ok()?;
            let mut list = Bytes(self.lists.bytes().get(at..)?);
            let count = usize::try_from(list.varint()?).ok()?;
            let pages_at = match list.varint()? {
                0 => None,
                at => Some(place.pages_at.checked_add(at - 1)?),
            };
            Some(Postings { owner: self, count, pages_at, rest: Rest::Blocks(list, count) })
        };
        read().ok_or_else(|| self.lists.damaged("a list makes no sense"))
    }

    /// Gives memory back to the system.
    pub fn release(&self) {
        [&self.keys, &self.lists, &self.pages].into_iter().for_each(Map::release);
    }

    /// All keys of a range in order, for merging.
    pub fn cursor(&self, from: u64, to: u64) -> Cursor<'_> {
        let rest_bits = self.shape.rest_bits();
        Cursor { owner: self, bucket: from >> rest_bits, from, to, bits: None }
    }
}

impl Postings<'_> {
    /// Puts the next postings into `out`, in the order of the games; false at the end.
    pub fn next_block(&mut self, out: &mut Vec<Posting>) -> Result<bool, Error> {
        out.clear();
        match self.rest {
            Rest::Short(_, 0, ..) | Rest::Blocks(_, 0) => return Ok(false),
            Rest::Short(bits, count, width, same) => {
                self.short(bits, count, width, same, out).ok_or_else(|| self.owner.damaged())?;
                self.rest = Rest::Short(bits, 0, 0, true);
            }
            Rest::Blocks(mut blocks, left) => {
                let damaged = || self.owner.lists.damaged("a list makes no sense");
                let count = left.min(LIST_BLOCK);
                self.block(&mut blocks, count, out).ok_or_else(damaged)?;
                self.rest = Rest::Blocks(blocks, left - count);
            }
            Rest::At(_) => return Err(self.owner.damaged()),
        }
        Ok(true)
    }

    /// All postings behind what `out` holds.
    pub fn read_all(mut self, out: &mut Vec<Posting>) -> Result<(), Error> {
        let mut block = Vec::new();
        while self.next_block(&mut block)? {
            out.extend_from_slice(&block);
        }
        Ok(())
    }

    fn short(
        &self,
        mut bits: BitReader<'_>,
        count: usize,
        width: u32,
        same: bool,
        out: &mut Vec<Posting>,
    ) -> Option<()> {
        let mut game = self.owner.shape.first.checked_add(bits.get(self.owner.shape.game_bits)? as u32)?;
        let mut tail = bits.get(9)?;
        out.push(Posting { game, mirrored: tail & 1 == 1, ply: (tail >> 1) as u8 });
        for _ in 1..count {
            game = game.checked_add(bits.get(width)? as u32)?;
            if !same {
                tail = bits.get(9)?;
            }
            out.push(Posting { game, mirrored: tail & 1 == 1, ply: (tail >> 1) as u8 });
        }
        Some(())
    }

    fn block(&self, blocks: &mut Bytes<'_>, count: usize, out: &mut Vec<Posting>) -> Option<()> {
        let mut game = self.owner.shape.first.checked_add(blocks.u32()?)?;
        let length = blocks.u16()? as usize;
        let head = blocks.byte()?;
        let (width, same_ply, same_side) = (u32::from(head & 63), head & 64 > 0, head & 128 > 0);
        let mut mirrored = blocks.byte()? == 1;
        let mut ply = blocks.byte()?;
        if width > 32 {
            return None;
        }
        let bytes = blocks.take(length)?;
        let mut bits = BitReader::new(bytes, 0, bytes.len());
        out.push(Posting { game, mirrored, ply });
        for _ in 1..count {
            game = game.checked_add(bits.get(width)? as u32)?;
            if !same_side {
                mirrored = bits.get(1)? == 1;
            }
            if !same_ply {
                ply = bits.get(8)? as u8;
            }
            out.push(Posting { game, mirrored, ply });
        }
        Some(())
    }

    /// What was counted in advance for the key, if anything was.
    pub fn pages(&self) -> Result<Option<Vec<Page>>, Error> {
        let Some(at) = self.pages_at else { return Ok(None) };
        let bytes = usize::try_from(at).ok().and_then(|at| self.owner.pages.bytes().get(at..));
        let pages = bytes.and_then(|bytes| read_pages(&mut Bytes(bytes)));
        pages.map(Some).ok_or_else(|| self.owner.pages.damaged("a page makes no sense"))
    }
}

/// Walks the keys of a range.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    owner: &'a Positions,
    bucket: u64,
    from: u64,
    to: u64,
    bits: Option<(PartPlace, BitReader<'a>)>,
}

impl<'a> Cursor<'a> {
    /// The next key and its postings; `None` behind the last.
    pub fn next(&mut self) -> Result<Option<(u64, Postings<'a>)>, Error> {
        let owner = self.owner;
        let shape = owner.shape;
        let rest_bits = shape.rest_bits();
        loop {
            if let Some((place, bits)) = &mut self.bits {
                while let Some(entry) = owner.entry(bits) {
                    let (rest, entry) = entry.ok_or_else(|| owner.damaged())?;
                    let key = self.bucket << rest_bits | rest;
                    if key >= self.to {
                        return Ok(None);
                    }
                    if key >= self.from {
                        return Ok(Some((key, owner.postings(*place, entry)?)));
                    }
                }
                self.bits = None;
                self.bucket += 1;
            }
            if self.bucket << rest_bits >= self.to {
                return Ok(None);
            }
            let part = self.bucket >> (shape.bucket_bits - shape.part_bits);
            let place = owner.place(part).ok_or_else(|| owner.damaged())?;
            let in_part = self.bucket & (shape.buckets_in_part() - 1);
            self.bits = Some((place, owner.bucket(place, in_part).ok_or_else(|| owner.damaged())?));
        }
    }
}
