//! The records behind the header: plies in the order of the tree, each with its flags and its comment.

use super::header::{HEADER, Header, Keys};
use std::borrow::Cow;
use std::ops::Range;

/// The body of a file, deciphered.
#[derive(Debug)]
pub struct Body<'a> {
    bytes: Cow<'a, [u8]>,
    keys: Keys,
    keyed: bool,
}

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// From-square, `file * 10 + rank` if it is on the board.
    pub from: u8,
    /// To-square.
    pub to: u8,
    /// A child follows.
    pub child: bool,
    /// An alternative to this ply follows behind its subtree.
    pub sibling: bool,
    /// Where the comment stands in [`Body::bytes`]; empty if there is none.
    pub comment: Range<usize>,
    /// Where the record starts in [`Body::bytes`].
    pub at: usize,
}

/// Why a record cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The file ends before the tree does.
    #[error("the file ends inside the tree")]
    Truncated,
    /// The length of a comment is negative or reaches beyond the end of the file.
    #[error("a comment is {0} bytes long, more than the file holds")]
    CommentLength(i64),
}

impl<'a> Body<'a> {
    /// The body of the file with this header.
    pub fn new(header: &Header<'_>, file: &'a [u8]) -> Body<'a> {
        let raw = file.get(HEADER..).unwrap_or_default();
        let keys = header.keys();
        let bytes = if keys.stream == [0; 32] {
            Cow::Borrowed(raw)
        } else {
            let mut clear = raw.to_vec();
            for block in clear.chunks_mut(32) {
                for (byte, key) in block.iter_mut().zip(&keys.stream) {
                    *byte = byte.wrapping_sub(*key);
                }
            }
            Cow::Owned(clear)
        };
        Body { bytes, keys, keyed: header.is_keyed() }
    }

    /// The deciphered bytes; offset 0 is byte 1,024 of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Reads the record at an offset; the next one starts at the end of its comment.
    pub fn record(&self, at: usize) -> Result<Record, Damage> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let &[from, to, flags, _] = rest.first_chunk().ok_or(Damage::Truncated)?;
        let from = from.wrapping_sub(0x18).wrapping_sub(self.keys.from);
        let to = to.wrapping_sub(0x20).wrapping_sub(self.keys.to);
        let (child, sibling, has_comment) = if self.keyed {
            (flags & 0x80 != 0, flags & 0x40 != 0, flags & 0x20 != 0)
        } else {
            (flags & 0xF0 != 0, flags & 0x0F != 0, true)
        };
        let mut record = Record { from, to, child, sibling, comment: at + 4..at + 4, at };
        if has_comment {
            let length: &[u8; 4] = rest[4..].first_chunk().ok_or(Damage::Truncated)?;
            let length = i64::from(u32::from_le_bytes(*length)) - i64::from(self.keys.comment);
            let room = rest.len() - 8;
            match usize::try_from(length) {
                Ok(length) if length <= room => record.comment = at + 8..at + 8 + length,
                _ => return Err(Damage::CommentLength(length)),
            }
        }
        Ok(record)
    }
}

/// What a file holds, counted without a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Plies of the whole tree.
    pub nodes: usize,
    /// Plies that have a later alternative.
    pub siblings: usize,
    /// Comments, that on the start position included.
    pub comments: usize,
    /// Bytes of all comments.
    pub comment_bytes: usize,
    /// Bytes behind the tree.
    pub left_over: usize,
}

/// Counts the records of a file. `None` if it is no XQF file.
///
/// # Errors
///
/// See [`Damage`].
pub fn census(file: &[u8]) -> Option<Result<Census, Damage>> {
    let header = Header::read(file)?;
    let body = Body::new(&header, file);
    let count = || {
        let mut census = Census::default();
        let note = |comment: &Range<usize>, census: &mut Census| {
            census.comments += usize::from(!comment.is_empty());
            census.comment_bytes += comment.len();
        };
        let root = body.record(0)?;
        note(&root.comment, &mut census);
        let (mut at, mut open, mut waiting) = (root.comment.end, root.child, 0usize);
        while open {
            let record = body.record(at)?;
            at = record.comment.end;
            census.nodes += 1;
            census.siblings += usize::from(record.sibling);
            note(&record.comment, &mut census);
            waiting += usize::from(record.sibling);
            if !record.child {
                open = waiting > 0;
                waiting = waiting.saturating_sub(1);
            }
        }
        census.left_over = body.bytes().len() - at;
        Ok(census)
    };
    Some(count())
}
