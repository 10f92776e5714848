//! Memory-mapped files: the one place with `unsafe`.
//!
//! Mapping a file is unsafe because the bytes change, or vanish, under the program's hands if somebody writes to the
//! file or cuts it short. Files of a database are never written again once the manifest names them, and are replaced by
//! deleting, which leaves existing maps whole. Whoever edits them by other means while a program reads them may make it
//! read wrong bytes (every reader checks bounds) or be stopped by the system; copying the bytes into memory instead
//! would cost a reader the size of the database.

#![allow(unsafe_code)]

use super::error::Error;
use std::fs::File;
use std::path::PathBuf;

/// The bytes of a file that does not change.
pub(super) struct Map {
    path: PathBuf,
    map: Option<memmap2::Mmap>,
}

impl Map {
    /// Maps a file that must have this length.
    pub fn open(path: PathBuf, length: u64) -> Result<Map, Error> {
        let file = File::open(&path).map_err(Error::io(&path))?;
        let found = file.metadata().map_err(Error::io(&path))?.len();
        if found != length {
            return Err(Error::damaged(&path, format!("{found} bytes long instead of {length}")));
        }
        if length == 0 {
            return Ok(Map { path, map: None });
        }
        // SAFETY: the file is immutable by the rules of the store, see the head of this module.
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(Error::io(&path))?;
        Ok(Map { path, map: Some(map) })
    }

    /// The bytes.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        self.map.as_deref().unwrap_or_default()
    }

    /// The bytes of a range, or an error if the file has no such range.
    #[inline]
    pub fn slice(&self, start: u64, length: u64) -> Result<&[u8], Error> {
        let range =
            usize::try_from(start).ok().zip(start.checked_add(length).and_then(|end| usize::try_from(end).ok()));
        range
            .and_then(|(start, end)| self.bytes().get(start..end))
            .ok_or_else(|| self.damaged("a range outside the file"))
    }

    /// Gives the memory behind the bytes back to the system; they are read from the file again when they are asked for.
    pub fn release(&self) {
        #[cfg(unix)]
        if let Some(map) = &self.map {
            // SAFETY: the map is shared and never written to, so dropping its pages loses nothing.
            // Failing to drop them does no harm either.
            let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
        }
    }

    /// An error about this file.
    #[cold]
    pub fn damaged(&self, what: &str) -> Error {
        Error::damaged(&self.path, what)
    }
}

impl std::fmt::Debug for Map {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Map({}, {} bytes)", self.path.display(), self.bytes().len())
    }
}
