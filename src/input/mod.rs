//! From what the user named to bytes: folders, archives, standard input, large files in pieces.
//!
//! Comes in: paths. Goes out: [`Piece`]s in a stable order (folders sorted by name, archive members in archive order),
//! each a whole file or a part of a large one that begins with a game. Files, packed or not, are read as streams: what is
//! in memory does not grow with them, but for formats of one game a file. Forgives: unreadable files, archives that are
//! damaged, broken off or packed into each other, members that unpack to far more than they should; each becomes a finding
//! and the rest is read.

mod archive;
mod piece;
mod walk;
mod zip;

pub use archive::Limits;
pub use piece::{Piece, Pieces};
pub use walk::{Input, walk};

#[cfg(test)]
mod tests;
