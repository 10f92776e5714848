//! Which format a file is in.
//!
//! Comes in: the bytes of a file. Goes out: a reader with its confidence, or the reason why there is no game in it. Only
//! the content counts, never the name: collections hold XQF files that are disk garbage, and pages that are records.

use super::{Confidence, Reader, readers};
use crate::diag::{Code, Finding, codes};

/// How much of a file the readers are shown.
const HEAD: usize = 64 * 1024;

/// What was found out about a file.
#[derive(Clone, Copy)]
pub enum Detected {
    /// It is to be read by this reader.
    Format {
        /// The reader that was surest; of two equally sure ones the first in [`readers`].
        reader: &'static dyn Reader,
        /// How sure it was.
        confidence: Confidence,
        /// Where the first zero byte of a text stands that was read as if there were none: a crash pads files with them.
        zeros: Option<usize>,
    },
    /// It holds no game.
    Refused(Refusal),
}

impl std::fmt::Debug for Detected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Detected::Format { reader, confidence, .. } => write!(f, "{} ({confidence:?})", reader.format()),
            Detected::Refused(refusal) => refusal.fmt(f),
        }
    }
}

/// Why a file holds no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    code: Code,
    reason: &'static str,
}

impl Refusal {
    /// A sentence about it.
    pub fn reason(self) -> &'static str {
        self.reason
    }

    /// The finding to report.
    pub fn finding(self) -> Finding {
        Finding::new(self.code, self.reason)
    }
}

/// Finds the format of a file from its bytes.
pub fn detect(bytes: &[u8]) -> Detected {
    if let Some(refusal) = foreign(bytes) {
        return Detected::Refused(refusal);
    }
    let head = &bytes[..bytes.len().min(HEAD)];
    if let (confidence, Some(reader)) = surest(head) {
        return Detected::Format { reader, confidence, zeros: None };
    }
    let Some(first) = head.iter().position(|&byte| byte == 0) else {
        return Detected::Refused(Refusal { code: codes::NO_GAME, reason: "text without any move" });
    };
    if is_text_but_for_zeros(head) {
        let head: Vec<u8> = head.iter().map(|&byte| if byte == 0 { b' ' } else { byte }).collect();
        if let (confidence, Some(reader)) = surest(&head) {
            return Detected::Format { reader, confidence, zeros: Some(first) };
        }
    }
    Detected::Refused(Refusal { code: codes::NO_GAME, reason: "binary data of no known kind" })
}

fn surest(head: &[u8]) -> (Confidence, Option<&'static dyn Reader>) {
    let mut best: (Confidence, Option<&'static dyn Reader>) = (Confidence::No, None);
    for &reader in readers() {
        let confidence = reader.confidence(head);
        if confidence > best.0 {
            best = (confidence, Some(reader));
        }
    }
    best
}

/// A text has no control characters but the usual ones; zero bytes within it are a few slips, or padding behind it.
fn is_text_but_for_zeros(head: &[u8]) -> bool {
    let length = head.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let zeros = head[..length].iter().filter(|&&byte| byte == 0).count();
    let controls = head.iter().filter(|&&byte| byte < b' ' && !matches!(byte, 0 | b'\t' | b'\n' | b'\r' | 0x0C | 0x1A));
    zeros * 64 <= length && controls.count() == 0
}

/// First bytes of files that people keep among their games and that are none.
const SIGNATURES: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n", "a picture (PNG)"),
    (b"\xFF\xD8\xFF", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"II*\0", "a picture (TIFF)"),
    (b"MM\0*", "a picture (TIFF)"),
    (b"%PDF", "a PDF document"),
    (b"AT&TFORM", "a scanned document (DjVu)"),
    (b"{\\rtf", "a text processor document (RTF)"),
    (b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "an office document (OLE)"),
    (b"\x7FELF", "a program"),
    (b"SQLite format 3\0", "a data base (SQLite), such as an opening book of an engine"),
    (b"ITSF", "a help file (CHM)"),
    (b"Rar!\x1a\x07", "an archive (RAR), which must be unpacked first"),
    (b"7z\xBC\xAF\x27\x1C", "an archive (7z), which must be unpacked first"),
    (b"RIFF", "sound or film"),
    (b"ID3", "sound (MP3)"),
    (b"OggS", "sound (Ogg)"),
    (b"\0\0\x01\0", "a picture (icon)"),
    (b"8BPS", "a picture (Photoshop)"),
];

fn foreign(bytes: &[u8]) -> Option<Refusal> {
    let foreign = |reason| Some(Refusal { code: codes::FOREIGN_FILE, reason });
    if bytes.is_empty() {
        return Some(Refusal { code: codes::NO_GAME, reason: "an empty file" });
    }
    if let Some((_, reason)) = SIGNATURES.iter().find(|(start, _)| bytes.starts_with(start)) {
        return foreign(reason);
    }
    // `BM`, `MZ` and `PK` are letters too; these kinds have further marks.
    if bytes.len() > 26 && bytes.starts_with(b"BM") && bytes[6..10] == [0; 4] {
        return foreign("a picture (BMP)");
    }
    if bytes.len() > 64 && bytes.starts_with(b"MZ") && bytes.contains(&0) {
        return foreign("a program");
    }
    if bytes.starts_with(b"PK\x03\x04") {
        return foreign("an archive or office document (ZIP)");
    }
    if is_fat_directory(bytes) {
        return foreign("a directory block of a FAT disk: the file was lost when the disk was damaged");
    }
    if bytes.len() >= 16 && bytes.iter().take(HEAD).all(|&byte| byte == bytes[0]) && bytes[0] < b' ' {
        return foreign("nothing but one byte value again and again");
    }
    None
}

/// A folder of a FAT disk starts with the entries `.` and `..`, 32 bytes each, with the folder attribute (16).
fn is_fat_directory(bytes: &[u8]) -> bool {
    bytes.len() >= 64
        && bytes.starts_with(b".          ")
        && bytes[11] & 0x10 != 0
        && bytes[32..].starts_with(b"..         ")
        && bytes[43] & 0x10 != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(bytes: &[u8]) -> &'static str {
        match detect(bytes) {
            Detected::Refused(refusal) => refusal.reason(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn files_of_other_kinds_are_refused_by_name() {
        assert_eq!(refusal(b""), "an empty file");
        assert_eq!(refusal(b"\x89PNG\r\n\x1a\n...."), "a picture (PNG)");
        assert_eq!(refusal(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0"), "an office document (OLE)");
        assert_eq!(refusal(&[0; 4096]), "nothing but one byte value again and again");
    }

    #[test]
    fn a_few_zero_bytes_make_no_binary_file_of_a_text() {
        let text = "[Game \"Chinese Chess\"]\n[Red \"甲\"]\n\n1. 炮二平五 {炮\u{0}} 马8进7 *\n";
        let zeros = |bytes: &[u8]| match detect(bytes) {
            Detected::Format { reader, zeros, .. } => (reader.format(), zeros),
            Detected::Refused(refusal) => panic!("{refusal:?}"),
        };
        assert_eq!(zeros(text.as_bytes()), (crate::format::Format::Pgn, text.find('\0')));
        let plain = text.replace('\0', "");
        assert_eq!(zeros(plain.as_bytes()).1, None);
        let padded = [plain.as_bytes(), &[0; 512]].concat();
        assert_eq!(zeros(&padded), (crate::format::Format::Pgn, Some(plain.len())));
        assert_eq!(refusal(&[b"1. \0\0\0\x01\x02", &[7; 50][..]].concat()), "binary data of no known kind");
    }

    #[test]
    fn a_block_of_a_damaged_disk_is_no_record() {
        let mut block = vec![0; 2132];
        block[..11].copy_from_slice(b".          ");
        block[11] = 0x10;
        block[32..43].copy_from_slice(b"..         ");
        block[43] = 0x10;
        assert!(refusal(&block).starts_with("a directory block of a FAT disk"));
    }
}
