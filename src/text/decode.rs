//! Bytes to text, one U+FFFD and one fault for every bad byte.
//!
//! A bad byte never costs its neighbours: the decoder goes on with the next byte, as the WHATWG rules have it (0x92 before
//! a blank is one bad byte and a blank). What a byte costs when it happens to pair up with its neighbour is for the
//! reader of the format to notice, which knows what the text should have been.

use super::detect::{Guess, detect};
use crate::work::{Work, note};
use encoding_rs::{DecoderResult, Encoding, GB18030, GBK, UTF_8, UTF_16BE, UTF_16LE};
use std::borrow::Cow;

/// Bytes that are no character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where its U+FFFD stands in the text, in bytes.
    pub text_at: usize,
    /// Where it stands in the bytes given.
    pub byte: usize,
    /// How many bytes.
    pub len: u8,
}

/// The faults of a text. After [`Faults::KEPT`] they are only counted.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// The first ones, in order.
    pub list: Vec<Fault>,
    /// How many there are in all.
    pub count: usize,
}

impl Faults {
    /// So many are kept one by one.
    pub const KEPT: usize = 4096;

    /// Forgets all.
    pub fn clear(&mut self) {
        self.list.clear();
        self.count = 0;
    }

    fn push(&mut self, fault: Fault) {
        self.count += 1;
        if self.list.len() < Faults::KEPT {
            self.list.push(fault);
        }
    }
}

/// Finds the encoding (unless `wish` names it) and decodes. A byte order mark is taken away.
pub fn decode<'a>(bytes: &'a [u8], wish: Option<&'static Encoding>) -> (Cow<'a, str>, Guess, Faults) {
    let guess = wish.map_or_else(|| detect(bytes), Guess::asked);
    let (text, faults) = decode_as(&bytes[mark_len(bytes, guess.encoding)..], guess.encoding);
    (text, guess, faults)
}

/// Decodes in a known encoding; what is valid UTF-8 already is not copied. Byte order marks are kept.
pub fn decode_as<'a>(bytes: &'a [u8], encoding: &'static Encoding) -> (Cow<'a, str>, Faults) {
    if (encoding == UTF_8 || encoding.is_ascii_compatible() && bytes.is_ascii())
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return (Cow::Borrowed(text), Faults::default());
    }
    let mut text = String::new();
    let mut faults = Faults::default();
    decode_into(bytes, encoding, &mut text, &mut faults);
    (Cow::Owned(text), faults)
}

/// As [`decode_as`], into buffers that are used again and again. Their former content is dropped.
pub fn decode_into(bytes: &[u8], encoding: &'static Encoding, text: &mut String, faults: &mut Faults) {
    text.clear();
    faults.clear();
    if encoding == encoding_rs::WINDOWS_1258 {
        decode_1258(bytes, text);
    } else {
        decode_with(bytes, encoding, text, faults);
    }
}

/// How long the byte order mark is, if there is one.
pub(crate) fn mark_len(bytes: &[u8], encoding: &'static Encoding) -> usize {
    let mark: &[u8] = if encoding == UTF_8 {
        &[0xEF, 0xBB, 0xBF]
    } else if encoding == UTF_16LE {
        &[0xFF, 0xFE]
    } else if encoding == UTF_16BE {
        &[0xFE, 0xFF]
    } else if encoding == GB18030 || encoding == GBK {
        &[0x84, 0x31, 0x95, 0x33]
    } else {
        &[]
    };
    if bytes.starts_with(mark) { mark.len() } else { 0 }
}

fn decode_with(bytes: &[u8], encoding: &'static Encoding, text: &mut String, faults: &mut Faults) {
    note(Work::Bytes, bytes.len());
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut read = 0;
    // Decoding into a string clears all its spare room first. Behind a bad byte, where more are to be expected, a small
    // buffer is used instead, so that a file of nothing else does not cost the square of its length.
    let mut buffer = [0u8; 512];
    loop {
        let rest = &bytes[read..];
        let (result, used) = if faults.count == 0 {
            text.reserve(
                decoder.max_utf8_buffer_length_without_replacement(rest.len().min(1 << 20)).unwrap_or(1 << 22) + 4,
            );
            decoder.decode_to_string_without_replacement(rest, text, true)
        } else {
            let (result, used, written) = decoder.decode_to_utf8_without_replacement(rest, &mut buffer, true);
            text.push_str(std::str::from_utf8(&buffer[..written]).unwrap_or_default());
            (result, used)
        };
        read += used;
        match result {
            DecoderResult::InputEmpty => return,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(len, behind) => {
                let byte = read.saturating_sub(usize::from(behind) + usize::from(len));
                faults.push(Fault { text_at: text.len(), byte, len });
                text.push('\u{FFFD}');
            }
        }
    }
}

/// windows-1258 writes tone marks behind their letter; names are wanted composed (NFC).
fn decode_1258(bytes: &[u8], text: &mut String) {
    let (plain, _) = encoding_rs::WINDOWS_1258.decode_without_bom_handling(bytes);
    text.reserve(plain.len());
    for c in plain.chars() {
        let composed = text.chars().next_back().and_then(|last| unicode_normalization::char::compose(last, c));
        if let Some(composed) = composed {
            text.pop();
            text.push(composed);
        } else {
            text.push(c);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::BIG5;

    fn read(bytes: &[u8], encoding: &'static Encoding) -> (String, Vec<(usize, u8)>) {
        let (text, faults) = decode_as(bytes, encoding);
        for fault in &faults.list {
            assert!(text[fault.text_at..].starts_with('\u{FFFD}'));
        }
        (text.into_owned(), faults.list.iter().map(|fault| (fault.byte, fault.len)).collect())
    }

    #[test]
    fn a_bad_byte_costs_one_character() {
        // ENC-3: 好着, a stray 0x92, a blank.
        assert_eq!(read(b"{\xBA\xC3\xD7\xC5\x92 }", GB18030), ("{好着\u{FFFD} }".to_string(), vec![(5, 1)]));
        assert_eq!(read(b"\x92", GB18030), ("\u{FFFD}".to_string(), vec![(0, 1)]));
        assert_eq!(read(b"a\xE9b\xE7\x82\xAE", UTF_8), ("a\u{FFFD}b炮".to_string(), vec![(1, 1)]));
        assert_eq!(read(b"\xAC\xA7\xFF\n1", BIG5), ("洹\u{FFFD}\n1".to_string(), vec![(2, 1)]));
    }

    #[test]
    fn second_bytes_that_look_like_ascii_are_not_split() {
        // 功 and 許 in Big5 end in 0x5C, a backslash; 拀 in GBK ends in a brace.
        assert_eq!(read(b"\xA5\x5C\xB3\x5C", BIG5).0, "功許");
        assert_eq!(read(b"\x92\x7D", GB18030).0, "拀");
    }

    #[test]
    fn four_byte_characters_are_read() {
        let (bytes, _, _) = GB18030.encode("𠮷車");
        assert_eq!(read(&bytes, GB18030), ("𠮷車".to_string(), vec![]));
    }

    #[test]
    fn vietnamese_names_come_composed() {
        // ENC-1
        let name = [0x4E, 0x67, 0x75, 0x79, 0xEA, 0xDE, 0x6E, 0x20, 0x56, 0xE3, 0x6E, 0x20, 0xC1, 0x6E, 0x68];
        assert_eq!(decode(&name, Some(encoding_rs::WINDOWS_1258)).0, "Nguyễn Văn Ánh");
    }

    #[test]
    fn faults_are_counted_when_they_are_too_many_to_keep() {
        let (text, faults) = decode_as(&[0xFF; 10_000], GB18030);
        assert_eq!((text.chars().count(), faults.count, faults.list.len()), (10_000, 10_000, Faults::KEPT));
    }

    #[test]
    fn marks_are_taken_away() {
        let (text, guess, _) = decode("\u{FEFF}炮".as_bytes(), None);
        assert_eq!((&*text, guess.encoding), ("炮", UTF_8));
        let little: Vec<u8> = "\u{FEFF}炮二".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&little, None).0, "炮二");
    }
}
