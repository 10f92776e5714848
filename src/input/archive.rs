//! `.gz` and `.zst` read through, recognised by content, with bounds against bombs. (`.zip`: see `zip.rs`.)
//!
//! Nothing is unpacked into memory: a packed file is a stream like any other. What may come out of one input file is
//! bounded by what went in, over all archives inside it together.

use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How much one file may become.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most bytes of a file (or archive member) that cannot be read game by game; the rest of a longer one is not read.
    pub member_bytes: u64,
    /// Most members of one archive that are read.
    pub members: usize,
    /// Most times larger than itself a file may become by unpacking (beyond the first MiB).
    pub ratio: u64,
    /// Most archives one inside the other.
    pub depth: u8,
}

impl Default for Limits {
    /// 256 MiB a member, a million members, ratio 200, depth 3.
    fn default() -> Limits {
        Limits { member_bytes: 256 << 20, members: 1_000_000, ratio: 200, depth: 3 }
    }
}

/// What packs a file, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Gzip,
    Zstd,
    Zip,
}

pub(super) fn packing(head: &[u8]) -> Option<Packing> {
    match head {
        [0x1F, 0x8B, 8, ..] => Some(Packing::Gzip),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Packing::Zstd),
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Packing::Zip),
        _ => None,
    }
}

/// A stream of bytes on its way to a reader.
pub(super) type Bytes = Box<dyn Read + Send>;

/// More came out of an archive than is allowed for its size.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("unpacks to more than {0} times its size; the rest is not read")]
pub(super) struct Bomb(u64);

impl Bomb {
    /// Whether this is why reading stopped.
    pub fn is(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<Bomb>())
    }
}

/// What went into one input file and came out of it.
#[derive(Clone, Debug)]
pub(super) struct Budget(Arc<Counted>);

#[derive(Debug)]
struct Counted {
    packed: AtomicU64,
    unpacked: AtomicU64,
    ratio: u64,
}

impl Budget {
    pub fn new(ratio: u64) -> Budget {
        Budget(Arc::new(Counted { packed: AtomicU64::new(0), unpacked: AtomicU64::new(0), ratio }))
    }

    /// So many bytes of the input file have been read.
    pub fn take_in(&self, bytes: u64) {
        self.0.packed.fetch_add(bytes, Ordering::Relaxed);
    }

    fn give_out(&self, bytes: u64) -> io::Result<()> {
        let unpacked = self.0.unpacked.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let most = (1 << 20) + self.0.packed.load(Ordering::Relaxed).saturating_mul(self.0.ratio);
        if unpacked > most { Err(io::Error::other(Bomb(self.0.ratio))) } else { Ok(()) }
    }

    /// Counts what is read of the input file itself.
    pub fn packed(&self, inner: impl Read + Send + 'static) -> Bytes {
        let budget = self.clone();
        Box::new(Watched {
            inner,
            seen: move |bytes| {
                budget.take_in(bytes);
                Ok(())
            },
        })
    }

    /// Counts what comes out of an archive, and stops it at the bound.
    pub fn unpacked(&self, inner: impl Read + Send + 'static) -> Bytes {
        let budget = self.clone();
        Box::new(Watched { inner, seen: move |bytes| budget.give_out(bytes) })
    }
}

/// A reader whose bytes are counted.
struct Watched<R, F> {
    inner: R,
    seen: F,
}

impl<R: Read, F: FnMut(u64) -> io::Result<()>> Read for Watched<R, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        (self.seen)(read as u64)?;
        Ok(read)
    }
}

/// The content of a packed stream.
pub(super) fn unpack(packed: Bytes, zstd: bool, budget: &Budget) -> io::Result<Bytes> {
    Ok(if zstd {
        budget.unpacked(zstd::Decoder::new(packed)?)
    } else {
        budget.unpacked(flate2::bufread::MultiGzDecoder::new(BufReader::with_capacity(1 << 16, packed)))
    })
}
