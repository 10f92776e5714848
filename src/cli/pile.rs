//! Results that wait for the end of a file: a few in memory, many in a temporary file.

use std::io::{Read, Seek, SeekFrom, Write};
use tempfile::SpooledTempFile;
use yipu::format::Writer;

/// Up to here they stay in memory.
const IN_MEMORY: usize = 8 << 20;

/// Pieces of bytes in their order.
#[derive(Debug)]
pub struct Pile {
    file: SpooledTempFile,
    lengths: Vec<u32>,
    bytes: usize,
}

impl Default for Pile {
    fn default() -> Pile {
        Pile { file: SpooledTempFile::new(IN_MEMORY), lengths: Vec::new(), bytes: 0 }
    }
}

impl Pile {
    /// Puts a piece on top.
    pub fn push(&mut self, piece: &[u8]) -> anyhow::Result<()> {
        self.file.write_all(piece)?;
        self.lengths.push(u32::try_from(piece.len())?);
        self.bytes += piece.len();
        Ok(())
    }

    /// How many pieces there are.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// Whether all of them are in memory.
    pub fn is_small(&self) -> bool {
        self.bytes <= IN_MEMORY
    }

    /// Gives the pieces one by one.
    pub fn each(mut self, take: &mut dyn FnMut(Vec<u8>) -> anyhow::Result<()>) -> anyhow::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        for length in self.lengths {
            let mut piece = vec![0; length as usize];
            self.file.read_exact(&mut piece)?;
            take(piece)?;
        }
        Ok(())
    }

    /// Writes the pieces one behind the other.
    pub fn copy(mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        std::io::copy(&mut self.file, out)?;
        Ok(())
    }

    /// Makes one file of games.
    pub fn join(mut self, writer: &dyn Writer, out: &mut dyn Write) -> anyhow::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        let mut fault = None;
        let file = &mut self.file;
        let mut games = self.lengths.iter().map_while(|&length| {
            let mut piece = vec![0; length as usize];
            file.read_exact(&mut piece).map_err(|error| fault = Some(error)).ok()?;
            Some(piece)
        });
        writer.join(&mut games, out)?;
        drop(games);
        fault.map_or(Ok(()), |error| Err(error.into()))
    }
}
