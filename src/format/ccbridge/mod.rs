//! CCBridge 3 (象棋桥): CBR, one record, and CBL, a library of them.
//!
//! Comes in: a fixed part of 2,214 bytes with UTF-16 text fields, then four bytes a ply (and comments); a library has an
//! index in front and one such record after the other, each filled up to a multiple of 4,096 bytes. Goes out: one game a
//! record.
//!
//! What the reader forgives, each with a finding:
//!
//! - a side field that contradicts the first ply: the piece that moves wins;
//! - piece codes and squares that do not exist, comments of odd length or beyond the end, a tree broken off;
//! - deleted records of a library, which are named and skipped;
//! - an index that does not lead to the records: they are then found by their signature.
//!
//! Records without moves (headings of libraries, some with an empty board) are games without plies. Leftovers behind the
//! zero that ends a text are ignored. Generations 1 and 3 of the record are refused by name; the
//! compressed libraries before version 3 have a reader of their own.

mod library;
mod old;
mod record;
mod write;

pub use library::CblReader;
pub use old::OldCblReader;
pub use record::CbrReader;
pub use write::{CblWriter, CbrWriter};

use crate::game::Name;

/// First bytes of a record.
const RECORD: &[u8; 16] = b"CCBridge Record\0";

/// First bytes of a library.
const LIBRARY: &[u8; 16] = b"CCBridgeLibrary\0";

/// Size of the fixed part of a record.
const FIXED: usize = 2214;

/// Records in a library take a multiple of this.
const SLOT: usize = 4096;

/// Where the index of a library starts.
const INDEX: usize = 66_624;

/// Size of an entry of the index.
const ENTRY: usize = 276;

/// A text field: offset, size in bytes, header.
const FIELDS: [(usize, usize, &str); 30] = [
    (180, 128, Name::Title.tag()),
    (692, 64, Name::Event.tag()),
    (628, 64, "EventClass"),
    (756, 64, Name::Round.tag()),
    (820, 32, "Group"),
    (852, 32, "Table"),
    (884, 64, Name::Date.tag()),
    (948, 64, Name::Site.tag()),
    (1012, 64, Name::TimeControl.tag()),
    (1076, 64, Name::Red.tag()),
    (1140, 64, Name::RedTeam.tag()),
    (1204, 64, Name::RedTime.tag()),
    (1268, 32, Name::RedElo.tag()),
    (1300, 64, Name::Black.tag()),
    (1364, 64, Name::BlackTeam.tag()),
    (1428, 64, Name::BlackTime.tag()),
    (1492, 32, Name::BlackElo.tag()),
    (1524, 64, "Referee"),
    (1588, 64, "Recorder"),
    (1652, 64, Name::Annotator.tag()),
    (1716, 64, "AnnotatorMail"),
    (1780, 64, Name::Author.tag()),
    (1844, 64, "AuthorMail"),
    (564, 64, "Source"),
    (308, 256, "SourceFile"),
    (52, 128, "Script"),
    (1908, 40, "Created"),
    (1972, 40, "Modified"),
    (2044, 32, "Nature"),
    (2080, 32, "Termination"),
];
