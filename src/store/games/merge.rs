//! Merging the games of neighbouring segments, and leaving out what removed games said.

use super::{Games, LEVEL, MAGIC, NOTHING, Row, SIGN, SIGNS_MAGIC, TextWriter};
use crate::store::error::Error;
use crate::store::manifest::{FileEntry, FileWriter};
use crate::store::removed::Removed;
use std::path::Path;

/// The files being written.
struct Out {
    rows: FileWriter,
    moves: FileWriter,
    text: TextWriter,
    signs: FileWriter,
}

/// Writes the files of neighbouring segments as those of one. With a list of removed games, their moves, texts and signs
/// are left out; number and content hash stay.
pub(in crate::store) fn merge(
    sources: &[&Games],
    folder: &Path,
    names: [&str; 5],
    removed: Option<&Removed>,
) -> Result<[FileEntry; 5], Error> {
    let mut out = Out {
        rows: FileWriter::create(folder, names[0])?,
        moves: FileWriter::create(folder, names[1])?,
        text: TextWriter::create(folder, names[2])?,
        signs: FileWriter::create(folder, names[4])?,
    };
    out.rows.write(b"yipu gam")?;
    out.moves.write(b"yipu mov")?;
    out.signs.write(SIGNS_MAGIC)?;
    for source in sources {
        let gone = removed.map_or(&[][..], |removed| removed.among(source.first, source.count));
        if gone.is_empty() {
            copy(source, &mut out)?;
        } else {
            copy_without(source, gone, &mut out)?;
        }
        source.release();
    }
    let mut hash = FileWriter::create(folder, names[3])?;
    hash.write(b"yipu has")?;
    let mut heads: Vec<_> = sources.iter().map(|source| source.hashes().peekable()).collect();
    loop {
        let least = heads.iter_mut().enumerate().filter_map(|(n, head)| Some((*head.peek()?, n))).min();
        let Some(((content, number), n)) = least else { break };
        hash.write(&content)?;
        hash.write(&number.to_le_bytes())?;
        heads[n].next();
    }
    let Out { rows, moves, text, signs } = out;
    Ok([rows.finish()?, moves.finish()?, text.finish()?, hash.finish()?, signs.finish()?])
}

/// Moves and blocks as they are, rows shifted.
fn copy(source: &Games, out: &mut Out) -> Result<(), Error> {
    let moves_before = out.moves.position() - MAGIC as u64;
    let blocks_before = out.text.directory.len() as u32;
    for number in source.first..source.first + source.count {
        let row = source.row(number)?;
        let row = Row { moves_at: row.moves_at + moves_before, block: row.block + blocks_before, ..row };
        out.rows.write(&row.bytes())?;
    }
    out.moves.write(&source.moves.bytes()[MAGIC..])?;
    for block in 0..source.blocks {
        let (start, length, unpacked) = source.block_range(block)?;
        out.text.block(source.text.slice(start, length)?, unpacked)?;
    }
    write_signs(source, &[], out)
}

/// The same, game by game, without the games that are gone. Blocks in which nothing was removed stay as they are.
fn copy_without(source: &Games, gone: &[u32], out: &mut Out) -> Result<(), Error> {
    let is_gone = |number: u32| gone.binary_search(&number).is_ok();
    let end = source.first + source.count;
    let blocks_before = out.text.directory.len() as u32;
    let mut number = source.first;
    for block in 0..source.blocks {
        let first = number;
        while number < end && u64::from(source.row(number)?.block) <= block {
            number += 1;
        }
        let games = first..number;
        let mut fresh = false;
        for game in games.clone() {
            fresh |= is_gone(game) && !source.is_erased(game)?;
        }
        let (start, length, unpacked) = source.block_range(block)?;
        let whole = if fresh { Some(source.unpack(block as u32)?) } else { None };
        let mut texts = Vec::new();
        for game in games.clone() {
            let row = source.row(game)?;
            let moves_at = out.moves.position();
            if is_gone(game) {
                let row = Row {
                    moves_at,
                    facts: NOTHING,
                    own_start: false,
                    erased: true,
                    block: blocks_before + block as u32,
                    offset: 0,
                };
                out.rows.write(&row.bytes())?;
                continue;
            }
            let mut offset = row.offset;
            if let Some(whole) = &whole {
                // Erased games have no text; the next game that has one begins where this one ends.
                let mut next = game + 1;
                while games.contains(&next) && source.is_erased(next)? {
                    next += 1;
                }
                let ends = if games.contains(&next) { source.row(next)?.offset as usize } else { whole.len() };
                let text = whole.get(row.offset as usize..ends);
                offset = texts.len() as u32;
                texts.extend_from_slice(text.ok_or_else(|| source.text.damaged("a text outside its block"))?);
            }
            let moves_end = match game + 1 {
                next if next < end => source.row(next)?.moves_at,
                _ => source.moves.bytes().len() as u64,
            };
            let length = moves_end.checked_sub(row.moves_at);
            let length = length.ok_or_else(|| source.moves.damaged("the moves are not in order"))?;
            out.moves.write(source.moves.slice(row.moves_at, length)?)?;
            out.rows.write(&Row { moves_at, block: blocks_before + block as u32, offset, ..row }.bytes())?;
        }
        if whole.is_some() {
            let packed =
                zstd::bulk::compress(&texts, LEVEL).map_err(|error| source.text.damaged(&error.to_string()))?;
            out.text.block(&packed, texts.len() as u32)?;
        } else {
            out.text.block(source.text.slice(start, length)?, unpacked)?;
        }
    }
    // Games at the end that were erased before they ever had a block.
    for _ in number..end {
        let row = Row {
            moves_at: out.moves.position(),
            facts: NOTHING,
            own_start: false,
            erased: true,
            block: blocks_before + source.blocks as u32,
            offset: 0,
        };
        out.rows.write(&row.bytes())?;
    }
    write_signs(source, gone, out)
}

fn write_signs(source: &Games, gone: &[u32], out: &mut Out) -> Result<(), Error> {
    // Only segments of format 1 have none, and those are never merged: their database is rebuilt first.
    let signs = source.signs().ok_or_else(|| source.rows.damaged("a segment of an old format among new ones"))?;
    for (number, sign) in signs {
        let erased = gone.binary_search(&number).is_ok();
        out.signs.write(if erased { &[0; SIGN] } else { sign.0 })?;
    }
    Ok(())
}
