//! What may stop an operation on a database.

use super::side::SideError;
use std::io;
use std::path::{Path, PathBuf};

/// Why a database cannot be opened, read or extended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The folder holds no database (or something else).
    #[error("{}: not a yipu database", .0.display())]
    NotADatabase(PathBuf),
    /// The database was written in a format this program does not know.
    #[error(
        "{}: written in database format {found}, this program reads format {known}: use the yipu that wrote it, or index the games anew", .path.display()
    )]
    Version {
        /// The folder.
        path: PathBuf,
        /// Format number found.
        found: u32,
        /// Format number this program writes.
        known: u32,
    },
    /// The database was written in an older format, which is read but not extended.
    #[error("{}: written in database format {found}: it can be read, and `yipu db rebuild` brings it to format {known} before anything is added or removed", .path.display())]
    Older {
        /// The folder.
        path: PathBuf,
        /// Format number found.
        found: u32,
        /// Format number this program writes.
        known: u32,
    },
    /// A file does not hold what was written into it.
    #[error("{}: damaged: {what}", .file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// Another writer holds the database.
    #[error("{}: another yipu is writing to this database; readers may go on, a second writer must wait", .0.display())]
    Locked(PathBuf),
    /// The operating system refused.
    #[error("{}: {reason}", .path.display())]
    Io {
        /// File or folder.
        path: PathBuf,
        /// What the system said; part of the message, so not told again as its source.
        reason: io::Error,
    },
    /// The header index failed.
    #[error("header index: {0}")]
    Headers(SideError),
    /// No game has this number.
    #[error("there is no game {0} in the database")]
    NoGame(u32),
    /// A game cannot come back.
    #[error("game {0} was removed and its moves and texts are gone since the last compaction: it cannot come back")]
    Erased(u32),
    /// More games than numbers.
    #[error("a database holds at most 4,294,967,294 games")]
    Full,
}

impl Error {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
        move |reason| Error::Io { path: path.to_path_buf(), reason }
    }

    pub(super) fn damaged(file: &Path, what: impl Into<String>) -> Error {
        Error::Damaged { file: file.to_path_buf(), what: what.into() }
    }
}
