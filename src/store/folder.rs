//! The folder of a database: its lock, what may lie in it, what a crash has left there.
//!
//! Comes in: a folder, and the names the manifest knows. Goes out: the lock of the one writer, or why it cannot be had; names of
//! files that look like ours and belong to no state. Files of others are neither touched nor spoken of.

use super::error::Error;
use super::manifest::{FileEntry, hash_file};
use super::segment::PARTS;
use std::collections::{HashMap, HashSet};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

pub(super) const LOCK: &str = "lock";
/// Ending of the list of removed games.
pub(super) const REMOVED: &str = "removed";
/// Ending of the list of further sources.
pub(super) const SOURCES: &str = "sources";
/// Folder of the header index.
pub(super) const HEADERS: &str = "headers";

/// Takes the lock of the one writer. The system gives it back when the process ends, however it ends.
pub(super) fn take_lock(folder: &Path) -> Result<File, Error> {
    let path = folder.join(LOCK);
    let lock = File::options().create(true).write(true).truncate(false).open(&path).map_err(Error::io(&path))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(Error::Locked(folder.to_path_buf())),
        Err(TryLockError::Error(reason)) => Err(Error::Io { path, reason }),
    }
}

/// The files of the header index with lengths and hashes; files never change, so known ones are not read again.
pub(super) fn list_headers(folder: &Path, files: &[PathBuf], known: &[FileEntry]) -> Result<Vec<FileEntry>, Error> {
    let known: HashMap<&str, &FileEntry> = known.iter().map(|file| (file.name.as_str(), file)).collect();
    let mut entries = Vec::with_capacity(files.len());
    for file in files {
        let name = format!("{HEADERS}/{}", file.display());
        let entry = match known.get(name.as_str()) {
            Some(entry) => (*entry).clone(),
            None => {
                let path = folder.join(&name);
                let (bytes, hash) = hash_file(&path).map_err(Error::io(&path))?;
                FileEntry { name, bytes, hash }
            }
        };
        entries.push(entry);
    }
    Ok(entries)
}

/// Whether a new database may be made here: nothing there, or only what an interrupted creation leaves.
pub(super) fn may_become_database(folder: &Path) -> Result<(), Error> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Err(Error::NotADatabase(folder.to_path_buf()));
        }
        entries => entries.map_err(Error::io(folder))?,
    };
    for entry in entries {
        let name = entry.map_err(Error::io(folder))?.file_name();
        if name != LOCK && name != "manifest.tmp" {
            return Err(Error::NotADatabase(folder.to_path_buf()));
        }
    }
    Ok(())
}

/// Files in the folder that look like ours and are not among the named ones.
pub(super) fn leftovers(folder: &Path, named: &HashSet<&str>) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    let mut look = |below: &str, ours: &dyn Fn(&str) -> bool| -> Result<(), Error> {
        let path = folder.join(below);
        let entries = match fs::read_dir(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(Error::io(&path))?,
        };
        for entry in entries {
            let entry = entry.map_err(Error::io(&path))?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let full = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
            if ours(&name) && !named.contains(full.as_str()) && entry.path().is_file() {
                found.push(full);
            }
        }
        Ok(())
    };
    look("", &|name| {
        let part = name.rsplit_once('.').filter(|(id, _)| id.bytes().all(|b| b.is_ascii_digit()));
        name == "manifest.tmp"
            || part.is_some_and(|(_, part)| PARTS.contains(&part) || part == REMOVED || part == SOURCES)
    })?;
    look(HEADERS, &|_| true)?;
    found.sort();
    Ok(found)
}
