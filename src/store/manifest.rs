//! The manifest: the one file that says what belongs to the database.
//!
//! First line: `yipu database`, the format version and a checksum of everything else in the file; then JSON. It names
//! every other file with length and checksum, so a flipped byte anywhere is found, and it is replaced in one step
//! (temporary file, fsync, rename, fsync of the folder) after everything it names has reached the disk.

use super::error::Error;
use super::segment::{PARTS, PARTS_OF_FORMAT_1};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Version of everything on disk. Raised whenever an older program could misread a newer database.
///
/// 2: signs, sources of games, erased games. Format 1 is read, and made into the newest by [`super::rebuild`].
pub const FORMAT_VERSION: u32 = 2;
/// The oldest format that is read.
const OLDEST: u32 = 1;

/// Name of the manifest in the folder of a database.
pub(super) const FILE: &str = "manifest";
const MAGIC: &str = "yipu database ";

/// A file of the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FileEntry {
    /// Name inside the folder, with `/`.
    pub name: String,
    /// Length in bytes.
    pub bytes: u64,
    /// First half of the blake3 hash, in hex.
    pub hash: String,
}

/// Games that were added together, or segments merged into one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SegmentEntry {
    /// Number in the file names.
    pub id: u64,
    /// Number of its first game.
    pub first: u32,
    /// How many games it holds, removed ones included.
    pub games: u32,
    /// Position entries (one a game and position).
    pub positions: u64,
    /// Name of the list of removed games that was in force when the positions were written: theirs are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without: Option<String>,
    /// Files, in the order of [`super::segment::PARTS`].
    pub files: Vec<FileEntry>,
}

/// What belongs to the database at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// Format it was written in; it stands in the first line.
    #[serde(skip, default = "newest")]
    pub version: u32,
    /// Counts the states of the database.
    pub generation: u64,
    /// Number the next segment gets.
    pub next_segment: u64,
    /// Segments in the order of their games.
    pub segments: Vec<SegmentEntry>,
    /// State of the header index; 0 if there is none.
    pub headers_generation: u64,
    /// Number of the last game the header index knows.
    pub headers_games: u32,
    /// Files of the header index.
    pub headers: Vec<FileEntry>,
    /// Numbers of removed games, if any were removed.
    pub removed: Option<FileEntry>,
    /// Where games were met again, if any were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sources: Option<FileEntry>,
}

const fn newest() -> u32 {
    FORMAT_VERSION
}

impl Default for Manifest {
    fn default() -> Manifest {
        Manifest {
            version: FORMAT_VERSION,
            generation: 0,
            next_segment: 0,
            segments: Vec::new(),
            headers_generation: 0,
            headers_games: 0,
            headers: Vec::new(),
            removed: None,
            sources: None,
        }
    }
}

impl Manifest {
    /// The number the next game gets.
    pub fn next_game(&self) -> u32 {
        self.segments.last().map_or(1, |last| last.first + last.games)
    }

    /// Every file but the manifest.
    pub fn files(&self) -> impl Iterator<Item = &FileEntry> {
        let segments = self.segments.iter().flat_map(|segment| &segment.files);
        segments.chain(&self.headers).chain(&self.removed).chain(&self.sources)
    }

    /// Reads the manifest of a database.
    pub fn read(folder: &Path) -> Result<Manifest, Error> {
        let path = folder.join(FILE);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Err(Error::NotADatabase(folder.to_path_buf()));
            }
            Err(reason) => return Err(Error::Io { path, reason }),
        };
        Manifest::parse(&bytes, folder)
    }

    fn parse(bytes: &[u8], folder: &Path) -> Result<Manifest, Error> {
        let path = folder.join(FILE);
        let damaged = |what: &str| Error::damaged(&path, what);
        let text = std::str::from_utf8(bytes).map_err(|_| damaged("not UTF-8"))?;
        let (head, json) = text.split_once('\n').ok_or_else(|| damaged("no second line"))?;
        let head = head.strip_prefix(MAGIC).ok_or_else(|| Error::NotADatabase(folder.to_path_buf()))?;
        let (version, hash) = head.split_once(' ').ok_or_else(|| damaged("no checksum"))?;
        let version: u32 = version.parse().map_err(|_| damaged("the version is no number"))?;
        if hash != checksum(version, json) {
            return Err(damaged("the checksum does not fit"));
        }
        if !(OLDEST..=FORMAT_VERSION).contains(&version) {
            return Err(Error::Version { path: folder.to_path_buf(), found: version, known: FORMAT_VERSION });
        }
        let mut manifest: Manifest = serde_json::from_str(json).map_err(|error| damaged(&error.to_string()))?;
        manifest.version = version;
        let parts = if version == 1 { PARTS_OF_FORMAT_1 } else { PARTS.len() };
        let mut next = 1;
        for segment in &manifest.segments {
            if segment.first != next || segment.games == 0 || segment.files.len() != parts {
                return Err(damaged("the segments do not join"));
            }
            next = next.checked_add(segment.games).ok_or_else(|| damaged("too many games"))?;
        }
        Ok(manifest)
    }

    /// Replaces the manifest on disk. Everything it names must have been synced before.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join(FILE);
        let json = serde_json::to_string_pretty(self).map_err(|error| Error::damaged(&path, error.to_string()))?;
        let head = format!("{MAGIC}{FORMAT_VERSION} {}\n", checksum(FORMAT_VERSION, &json));
        replace(&path, &[head.as_bytes(), json.as_bytes()]).map_err(Error::io(&path))?;
        sync_folder(folder)
    }
}

/// Puts a file in the place of another, whole or not at all, readable for whoever the user's files are for.
pub(super) fn replace(path: &Path, content: &[&[u8]]) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_os_string();
    temporary.push(".tmp");
    let mut file = File::create(&temporary)?;
    content.iter().try_for_each(|part| file.write_all(part))?;
    file.sync_all()?;
    fs::rename(&temporary, path)
}

fn checksum(version: u32, json: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&version.to_le_bytes());
    hasher.update(json.as_bytes());
    short_hex(&hasher)
}

/// The first 16 bytes of the hash in hex.
pub(super) fn short_hex(hasher: &blake3::Hasher) -> String {
    hasher.finalize().to_hex()[..32].to_string()
}

/// Makes the names in a folder durable.
pub(super) fn sync_folder(folder: &Path) -> Result<(), Error> {
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(Error::io(folder))?;
    }
    Ok(())
}

/// Length and hash of a file as it is on disk.
pub(super) fn hash_file(path: &Path) -> io::Result<(u64, String)> {
    let mut hasher = blake3::Hasher::new();
    let mut file = File::open(path)?;
    let bytes = io::copy(&mut file, &mut hasher)?;
    Ok((bytes, short_hex(&hasher)))
}

/// Writes a file and knows its length and hash at the end.
pub(super) struct FileWriter {
    path: PathBuf,
    name: String,
    file: File,
    /// What is not written yet: many bytes at once are hashed several times faster than few.
    waiting: Vec<u8>,
    hasher: blake3::Hasher,
    bytes: u64,
}

/// So much is collected before it is written.
const WAITING: usize = 1 << 17;

impl FileWriter {
    /// Creates a file in the folder; what an interrupted run left under the name is overwritten.
    pub fn create(folder: &Path, name: &str) -> Result<FileWriter, Error> {
        let path = folder.join(name);
        let file = File::create(&path).map_err(Error::io(&path))?;
        Ok(FileWriter {
            path,
            name: name.to_string(),
            file,
            waiting: Vec::new(),
            hasher: blake3::Hasher::new(),
            bytes: 0,
        })
    }

    /// Bytes written so far.
    pub fn position(&self) -> u64 {
        self.bytes
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.bytes += bytes.len() as u64;
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= WAITING { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.hasher.update(&self.waiting);
        self.file.write_all(&self.waiting).map_err(Error::io(&self.path))?;
        self.waiting.clear();
        Ok(())
    }

    /// Brings the file to the disk.
    pub fn finish(mut self) -> Result<FileEntry, Error> {
        self.flush()?;
        self.file.sync_all().map_err(Error::io(&self.path))?;
        Ok(FileEntry { name: self.name, bytes: self.bytes, hash: short_hex(&self.hasher) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_byte_of_a_manifest_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = Manifest { generation: 7, ..Manifest::default() };
        manifest.write(folder.path()).unwrap();
        assert_eq!(Manifest::read(folder.path()).unwrap(), manifest);
        let path = folder.path().join(FILE);
        let bytes = fs::read(&path).unwrap();
        for at in 0..bytes.len() {
            for flip in [1u8, 0x20, 0x80] {
                let mut bytes = bytes.clone();
                bytes[at] ^= flip;
                assert!(Manifest::parse(&bytes, folder.path()).is_err(), "byte {at}");
            }
            assert!(Manifest::parse(&bytes[..at], folder.path()).is_err());
        }
    }

    #[test]
    fn another_version_is_refused_by_its_number() {
        let json = "{}";
        let text = format!("{MAGIC}99 {}\n{json}", checksum(99, json));
        let error = Manifest::parse(text.as_bytes(), Path::new("db")).unwrap_err();
        assert!(error.to_string().contains("format 99"), "{error}");
    }
}
