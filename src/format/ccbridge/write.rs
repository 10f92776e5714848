//! Games to records and libraries.
//!
//! What a record has no field for goes into its comments and reads back (see `fold.rs`).

use super::record::{piece_code, square_number, utf16};
use super::{ENTRY, FIELDS, FIXED, INDEX, LIBRARY, RECORD, SLOT};
use crate::board::{Color, Square};
use crate::diag::Finding;
use crate::format::fold::{self, Fit};
use crate::format::{Format, WriteOptions, Writer, is_implied};
use crate::game::{Game, GameResult, NodeId, content_hash};
use std::io::{self, Seek, Write as _};

/// Writes CBR.
#[derive(Clone, Copy, Debug)]
pub struct CbrWriter;

impl Writer for CbrWriter {
    fn format(&self) -> Format {
        Format::Cbr
    }

    fn extension(&self) -> &'static str {
        "cbr"
    }

    fn holds_many(&self) -> bool {
        false
    }

    fn write(&self, game: &Game, options: &WriteOptions, out: &mut Vec<u8>) -> Vec<Finding> {
        write_record(game, options, out)
    }
}

/// Writes CBL: [`Writer::write`] gives records, [`Writer::join`] the library.
#[derive(Clone, Copy, Debug)]
pub struct CblWriter;

impl Writer for CblWriter {
    fn format(&self) -> Format {
        Format::Cbl
    }

    fn extension(&self) -> &'static str {
        "cbl"
    }

    fn holds_many(&self) -> bool {
        true
    }

    fn write(&self, game: &Game, options: &WriteOptions, out: &mut Vec<u8>) -> Vec<Finding> {
        write_record(game, options, out)
    }

    fn joins(&self) -> bool {
        true
    }

    fn join(&self, games: &mut dyn Iterator<Item = Vec<u8>>, out: &mut dyn io::Write) -> io::Result<()> {
        // The index stands in front, so the records wait in a file of their own.
        let mut waiting = Waiting::default();
        let mut records = Vec::new();
        let mut hasher = blake3::Hasher::new();
        {
            let mut waiting = io::BufWriter::new(&mut waiting.0);
            for record in games.filter(|record| record.len() >= FIXED) {
                hasher.update(&record[20..36]);
                records.push(Entry {
                    length: record.len() as u32,
                    guid: std::array::from_fn(|i| record[20 + i]),
                    title: utf16(&record[180..308]).0,
                });
                let padding = record.len().div_ceil(SLOT) * SLOT - record.len();
                waiting.write_all(&record)?;
                waiting.write_all(&[0; SLOT][..padding])?;
            }
            waiting.flush()?;
        }
        let entries = [128, 256, 512, 1024, 2048].into_iter().find(|&n| n >= records.len()).unwrap_or(records.len());
        let mut head = vec![0; INDEX];
        head[..16].copy_from_slice(LIBRARY);
        head[16] = 3;
        head[20..36].copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        head[52..56].copy_from_slice(&0x7FFF_FFFFu32.to_le_bytes());
        head[60..64].copy_from_slice(&(entries as u32).to_le_bytes());
        out.write_all(&head)?;
        for (order, record) in records.iter().enumerate() {
            let mut entry = [0; ENTRY];
            let words = [7, order as u32, record.length.div_ceil(SLOT as u32), record.length];
            for (i, word) in words.into_iter().enumerate() {
                entry[i * 4..i * 4 + 4].copy_from_slice(&word.to_le_bytes());
            }
            put(&mut entry[20..100], &guid_text(&record.guid));
            put(&mut entry[100..228], &record.title);
            out.write_all(&entry)?;
        }
        for _ in records.len()..entries {
            out.write_all(&[0; ENTRY])?;
        }
        waiting.0.seek(io::SeekFrom::Start(0))?;
        io::copy(&mut waiting.0, out)?;
        Ok(())
    }
}

/// Records that wait for their index: in a temporary file, where the library works with files at all.
#[cfg(feature = "files")]
struct Waiting(tempfile::SpooledTempFile);

#[cfg(feature = "files")]
impl Default for Waiting {
    fn default() -> Waiting {
        Waiting(tempfile::SpooledTempFile::new(8 << 20))
    }
}

#[cfg(not(feature = "files"))]
#[derive(Default)]
struct Waiting(io::Cursor<Vec<u8>>);

/// What the index of a library says about a record.
struct Entry {
    length: u32,
    guid: [u8; 16],
    title: String,
}

fn write_record(game: &Game, options: &WriteOptions, out: &mut Vec<u8>) -> Vec<Finding> {
    let (mut comments, mut findings) = fold::fold_tree(&game.tree);
    let begin = out.len();
    out.resize(begin + FIXED, 0);
    let fixed = &mut out[begin..];
    fixed[..16].copy_from_slice(RECORD);
    fixed[19] = 2;
    fixed[20..36].copy_from_slice(&content_hash(game));
    let mut extra = Vec::new();
    for (name, value) in game.headers.iter() {
        if is_implied(name, value, game) {
            continue;
        }
        let own = if name.eq_ignore_ascii_case("White") { "Red" } else { name };
        let field = FIELDS
            .iter()
            .find(|(at, size, field)| *size > 0 && field.eq_ignore_ascii_case(own) && fixed[*at..*at + 2] == [0, 0]);
        match field {
            Some(&(at, size, name)) => {
                if !put(&mut fixed[at..at + size], value) {
                    extra.push((Fit::Cut, name, value));
                }
            }
            None => extra.push((Fit::Foreign, name, value)),
        }
    }
    let numbers = [
        (2040, 1),
        (
            2076,
            match game.result {
                GameResult::Unknown => 0,
                GameResult::RedWins => 1,
                GameResult::BlackWins => 2,
                GameResult::Draw => 3,
            },
        ),
        (2112, if game.start.side_to_move() == Color::Red { 1 } else { 2 }),
        (2116, 1),
        (2210, u32::MAX),
    ];
    for (at, number) in numbers {
        fixed[at..at + 4].copy_from_slice(&number.to_le_bytes());
    }
    for square in Square::all() {
        fixed[2120 + usize::from(square_number(square))] = piece_code(game.start.piece_at(square));
    }
    fold::fold_game(&mut comments, game, extra.into_iter(), &mut findings);

    let tree = &game.tree;
    let plies: &mut dyn Iterator<Item = NodeId> =
        if options.main_line { &mut tree.main_line() } else { &mut tree.walk().map(|(id, _)| id) };
    for id in std::iter::once(NodeId::ROOT).chain(plies) {
        let comment = comments.remove(&id);
        let mut flags = u8::from(tree.first_child(id).is_none()) | u8::from(comment.is_some()) << 2;
        if !options.main_line && tree.next_sibling(id).is_some() {
            flags |= 2;
        }
        let m = tree[id].m;
        let squares = if id == NodeId::ROOT { [0, 0] } else { [square_number(m.from()), square_number(m.to())] };
        out.extend([flags, 0, squares[0], squares[1]]);
        if let Some(text) = comment {
            // Comments end in a line end, as those of the program do, and readers strip one.
            let units: Vec<u8> =
                text.replace('\n', "\r\n").encode_utf16().chain([13, 10]).flat_map(u16::to_le_bytes).collect();
            out.extend((units.len() as u32).to_le_bytes());
            out.extend(units);
        }
    }
    findings
}

/// Writes a text with at least one zero behind it; whether it is whole.
fn put(field: &mut [u8], text: &str) -> bool {
    let mut room = field.len() / 2 - 1;
    let mut at = 0;
    for c in text.chars() {
        let mut units = [0; 2];
        let units = c.encode_utf16(&mut units);
        if units.len() > room || c == '\0' {
            return false;
        }
        room -= units.len();
        for unit in units {
            field[at..at + 2].copy_from_slice(&unit.to_le_bytes());
            at += 2;
        }
    }
    true
}

/// `{00112233-4455-6677-8899-AABBCCDDEEFF}`: the first three groups are stored with their last byte first.
fn guid_text(guid: &[u8]) -> String {
    let order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
    let mut text = String::from("{");
    for (place, index) in order.into_iter().enumerate() {
        if [4, 6, 8, 10].contains(&place) {
            text.push('-');
        }
        text.push_str(&format!("{:02X}", guid.get(index).copied().unwrap_or_default()));
    }
    text.push('}');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guid_is_written_as_the_published_example_shows() {
        let guid = [0x3C, 0x2D, 0x1E, 0x0F, 0x5A, 0x4B, 0x78, 0x69, 0x87, 0x96, 0xA5, 0xB4, 0xC3, 0xD2, 0xE1, 0xF0];
        assert_eq!(guid_text(&guid), "{0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0}");
    }

    #[test]
    fn a_text_keeps_room_for_its_zero() {
        let mut field = [0xEE; 6];
        assert!(!put(&mut field, "甲乙丙"));
        assert_eq!(field[4..], [0xEE, 0xEE]);
        assert!(put(&mut field, "甲乙"));
    }
}
