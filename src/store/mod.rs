//! The database: a folder of games and of every position in them.
//!
//! Comes in: games as read ([`crate::format::ReadGame`]), made ready on all cores ([`Prepared`]) and added in order
//! ([`Writer`]). Goes out: games by number, the games that reached a position, and how they went on ([`Database`]); a
//! list of damaged files ([`verify`]). It forgives: being killed at any moment, a full disk, readers and one writer at
//! the same time.
//!
//! | file | holds |
//! |---|---|
//! | `manifest` | which files count, with lengths and checksums; replaced in one step |
//! | `lock` | empty; locked by the one writer |
//! | `NNNNNNNN.games`, `.moves`, `.text`, `.hash` | the games of a segment |
//! | `NNNNNNNN.signs` | what can be on the board in each game, to rule games out |
//! | `NNNNNNNN.keys`, `.lists`, `.pages` | the positions of a segment |
//! | `NNNNNNNN.removed` | numbers of removed games |
//! | `NNNNNNNN.sources` | where games were met again |
//! | `headers/` | the header index (tantivy), as a row of snapshots |

mod bytes;
mod codec;
mod count;
mod database;
mod error;
mod folder;
mod games;
mod line;
mod manifest;
mod map;
mod positions;
mod prepare;
mod rebuild;
mod record;
mod removed;
mod segment;
mod side;
mod sign;
mod snapshot;
mod sources;
mod tally;
mod verify;
mod writer;

pub use count::{Counts, Facts, Score};
pub use database::{Database, Hit, Hits};
pub use error::Error;
pub use line::{Line, Moves};
pub use manifest::FORMAT_VERSION;
pub use prepare::Prepared;
pub use rebuild::rebuild;
pub use record::StoredGame;
pub use side::{HeaderDoc, Origin, Side, SideError};
pub use sign::{CaptureMask, Sign, SignMask, SignRef};
pub use snapshot::{HeaderDirectory, living_files};
pub use verify::{Damage, Health, glance, verify};
pub use writer::{Added, Writer, WriterOptions};
