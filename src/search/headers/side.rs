//! The header index as the store's writer sees it.

use super::write::{GameHeaders, HeaderWriter};
use crate::store::{HeaderDirectory, HeaderDoc, Side, SideError, living_files};
use std::path::{Path, PathBuf};

/// The header index of a database that is being written.
#[derive(Debug)]
pub struct HeaderSide {
    directory: HeaderDirectory,
    writer: HeaderWriter,
}

impl HeaderSide {
    /// Opens the index in its folder at a generation (both from [`crate::store::Writer::headers_place`]); generation 0
    /// makes a new one.
    ///
    /// # Errors
    ///
    /// If the folder cannot be opened or the index was made by another version.
    pub fn open(folder: &Path, generation: u64) -> Result<HeaderSide, SideError> {
        let directory = HeaderDirectory::open(folder, generation)?;
        let writer = HeaderWriter::open(directory.clone())?;
        Ok(HeaderSide { directory, writer })
    }
}

impl Side for HeaderSide {
    fn add(&mut self, number: u32, doc: HeaderDoc) -> Result<(), SideError> {
        let game = GameHeaders {
            headers: &doc.headers,
            result: doc.result,
            plies: doc.plies,
            ecco: doc.ecco,
            comments: &doc.comments,
            file: &doc.origin.file,
        };
        Ok(self.writer.add(number, &game)?)
    }

    fn remove(&mut self, number: u32) -> Result<(), SideError> {
        self.writer.remove(number);
        Ok(())
    }

    fn clear(&mut self) -> Result<(), SideError> {
        Ok(self.writer.clear()?)
    }

    fn commit(&mut self, generation: u64) -> Result<Vec<PathBuf>, SideError> {
        self.directory.set_generation(generation);
        self.writer.commit()?;
        Ok(living_files(self.writer.index(), generation)?)
    }
}
