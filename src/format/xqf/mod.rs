//! XQF, the record of XQStudio (象棋演播室), versions 1.0 to 1.8: one game with side lines and comments a file.
//!
//! Comes in: a header of 1,024 bytes (keys, start position, names) and a record for each ply, from version 1.1 on
//! enciphered with keys from the header. Goes out: one game.
//!
//! What the reader forgives, each with a finding:
//!
//! - a version byte above 18 (read as 1.8), a check byte that does not fit, an unknown result or side byte;
//! - a side to move that contradicts the first ply: the piece that moves wins;
//! - two pieces on one square (the later one stays), pieces on points they can never reach;
//! - a ply that cannot be played: its branch is cut and kept as text;
//! - a tree that ends too early, bytes behind the tree;
//! - Big5 or UTF-8 text, half a character at the end of a field, Latin text that would become odd Chinese.
//!
//! Comments lose their CR LF line ends and one final line end; the writer puts them back. The `PlayStepNo`, `PlayNodes`
//! and `CodeB` to `CodeH` fields, zero in every file met, are ignored.

mod header;
mod read;
mod record;
mod write;

pub use header::Header;
pub(super) use header::SLOTS;
pub use record::{Body, Census, Damage, Record, census};
pub(super) use write::slots;
pub use write::{Form, KeySeeds, XqfWriter};

use super::{Confidence, Format, ReadOptions, Reader, Sink, Source};
use crate::diag::Finding;

/// Reads XQF.
#[derive(Clone, Copy, Debug)]
pub struct XqfReader;

impl Reader for XqfReader {
    fn format(&self) -> Format {
        Format::Xqf
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        // Text may start with these letters too; the header of a record always has empty fields.
        if !head[..head.len().min(1024)].contains(&0) {
            return Confidence::No;
        }
        match Header::read(head) {
            Some(header) if (10..=18).contains(&header.version()) => Confidence::Certain,
            Some(_) => Confidence::Likely,
            // A file cut off inside the header.
            None if head.starts_with(b"XQ") => Confidence::Likely,
            None => Confidence::No,
        }
    }

    fn read(&self, source: Source<'_>, options: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        match read::read(source, options) {
            Ok(mut game) => {
                for finding in &mut game.findings {
                    finding.locate(source.file, Some(game.number));
                }
                let _ = games(game);
                Vec::new()
            }
            Err(mut finding) => {
                finding.locate(source.file, None);
                vec![*finding]
            }
        }
    }
}
