//! From a place in decoded text back to byte, line and column of the original.
//!
//! Only findings need this, so nothing is recorded while decoding: the way is walked again when somebody asks. Questions
//! usually come in rising order; each goes on from the one before, so that any number of them costs one walk. A question
//! about an earlier place goes back to the nearest of the marks left along the way.

use crate::work::{Work, note};
use encoding_rs::{DecoderResult, Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// A place in the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Byte, from 0, in the file.
    pub byte: u64,
    /// Line, from 1, in the file.
    pub line: u64,
    /// Character in the line, from 1.
    pub column: u64,
}

/// Leads from text offsets to places in the bytes it was decoded from.
#[derive(Debug)]
pub struct Locator<'a> {
    bytes: &'a [u8],
    encoding: &'static Encoding,
    first: Spot,
    /// How far the walk has come: offset in the text, in the bytes, and the spot there.
    text_at: usize,
    byte_at: usize,
    spot: Spot,
    /// The same at places passed before.
    marks: Vec<(usize, usize, Spot)>,
}

/// A mark is left every so many bytes of text.
const STRIDE: usize = 1 << 12;

/// How many lines end in these bytes.
pub(crate) fn count_lines(bytes: &[u8], encoding: &'static Encoding) -> u64 {
    note(Work::Bytes, bytes.len());
    let count = if encoding == UTF_16LE || encoding == UTF_16BE {
        let newline: &[u8] = if encoding == UTF_16LE { b"\n\0" } else { b"\0\n" };
        bytes.chunks_exact(2).filter(|unit| *unit == newline).count()
    } else {
        memchr::memchr_iter(b'\n', bytes).count()
    };
    count as u64
}

impl<'a> Locator<'a> {
    /// For the text of `bytes`, which stand at `first` in the file.
    pub fn new(bytes: &'a [u8], encoding: &'static Encoding, first: Spot) -> Locator<'a> {
        Locator { bytes, encoding, first, text_at: 0, byte_at: 0, spot: first, marks: Vec::new() }
    }

    /// The place of the character that holds text byte `text_at`. An offset behind the text gives the end.
    pub fn spot(&mut self, text_at: usize) -> Spot {
        if text_at < self.text_at {
            let behind = self.marks.partition_point(|(at, ..)| *at <= text_at);
            let mark = behind.checked_sub(1).and_then(|index| self.marks.get(index)).copied();
            (self.text_at, self.byte_at, self.spot) = mark.unwrap_or((0, 0, self.first));
        }
        while self.byte_at < self.bytes.len() {
            let (len, text_len, newline) = self.character();
            if self.text_at + text_len > text_at {
                break;
            }
            self.step(len, text_len, newline);
        }
        self.spot
    }

    fn step(&mut self, bytes: usize, text: usize, newline: bool) {
        note(Work::Bytes, bytes);
        if self.text_at >= self.marks.last().map_or(0, |(at, ..)| *at) + STRIDE {
            self.marks.push((self.text_at, self.byte_at, self.spot));
        }
        self.byte_at += bytes;
        self.text_at += text;
        self.spot.byte += bytes as u64;
        if newline {
            self.spot.line += 1;
            self.spot.column = 1;
        } else {
            self.spot.column += 1;
        }
    }

    /// Bytes and text length of the character at `byte_at`, as the decoder of this crate gives them.
    fn character(&self) -> (usize, usize, bool) {
        let rest = &self.bytes[self.byte_at..];
        if rest[0].is_ascii() && self.encoding.is_ascii_compatible() {
            return (1, 1, rest[0] == b'\n');
        }
        if self.encoding == UTF_8 {
            return utf8_character(rest);
        }
        // Bytes are fed one by one until a character comes out.
        let mut decoder = self.encoding.new_decoder_without_bom_handling();
        let mut piece = [0u8; 16];
        let most = rest.len().min(4);
        for len in 1..=most {
            let last = len == most;
            let (result, _, written) =
                decoder.decode_to_utf8_without_replacement(&rest[len - 1..len], &mut piece, last);
            match result {
                DecoderResult::Malformed(bad, _) => return (usize::from(bad).max(1), '\u{FFFD}'.len_utf8(), false),
                _ if written > 0 => return (len, written, piece[..written] == *b"\n"),
                _ => {}
            }
        }
        (most.max(1), '\u{FFFD}'.len_utf8(), false)
    }
}

fn utf8_character(rest: &[u8]) -> (usize, usize, bool) {
    let head = &rest[..rest.len().min(4)];
    match head.utf8_chunks().next() {
        Some(chunk) => match chunk.valid().chars().next() {
            Some(c) => (c.len_utf8(), c.len_utf8(), c == '\n'),
            None => (chunk.invalid().len(), '\u{FFFD}'.len_utf8(), false),
        },
        None => (1, 1, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::decode_as;
    use encoding_rs::{BIG5, GB18030};

    const FIRST: Spot = Spot { byte: 100, line: 7, column: 1 };

    /// Every character of the text must be found where a walk over the bytes says it stands.
    fn check(bytes: &[u8], encoding: &'static Encoding, expected: &[(char, u64, u64, u64)]) {
        let (text, _) = decode_as(bytes, encoding);
        let mut locator = Locator::new(bytes, encoding, FIRST);
        let found: Vec<_> = text
            .char_indices()
            .map(|(at, c)| {
                let spot = locator.spot(at);
                (c, spot.byte - 100, spot.line, spot.column)
            })
            .collect();
        assert_eq!(found, expected);
        // Asked in falling order the answers are the same.
        let places: Vec<_> = text.char_indices().map(|(at, _)| at).zip(expected).collect();
        for &(at, &(_, byte, line, column)) in places.iter().rev() {
            assert_eq!(locator.spot(at), Spot { byte: byte + 100, line, column });
        }
    }

    #[test]
    fn places_lead_back_to_the_bytes() {
        check(
            b"a\xC5\xDA\n\x92 b",
            GB18030,
            &[('a', 0, 7, 1), ('炮', 1, 7, 2), ('\n', 3, 7, 3), ('\u{FFFD}', 4, 8, 1), (' ', 5, 8, 2), ('b', 6, 8, 3)],
        );
        check("炮\n\u{e9}".as_bytes(), UTF_8, &[('炮', 0, 7, 1), ('\n', 3, 7, 2), ('é', 4, 8, 1)]);
        check(b"\xE9b\xE7\x82", UTF_8, &[('\u{FFFD}', 0, 7, 1), ('b', 1, 7, 2), ('\u{FFFD}', 2, 7, 3)]);
        check(b"\xA5\x5C\xFF1", BIG5, &[('功', 0, 7, 1), ('\u{FFFD}', 2, 7, 2), ('1', 3, 7, 3)]);
        let wide: Vec<u8> = "炮\nb".encode_utf16().flat_map(u16::to_le_bytes).collect();
        check(&wide, UTF_16LE, &[('炮', 0, 7, 1), ('\n', 2, 7, 2), ('b', 4, 8, 1)]);
        let (four, _, _) = GB18030.encode("𠮷x");
        check(&four, GB18030, &[('𠮷', 0, 7, 1), ('x', 4, 7, 2)]);
    }

    #[test]
    fn a_place_behind_the_end_is_the_end() {
        let mut locator = Locator::new(b"ab", UTF_8, FIRST);
        assert_eq!(locator.spot(50), Spot { byte: 102, line: 7, column: 3 });
    }
}
