//! Checks every byte of a database.

use super::database::Database;
use super::error::Error;
use super::folder::leftovers;
use super::manifest::{self, Manifest, hash_file};
use rayon::prelude::*;
use std::collections::HashSet;
use std::path::Path;

/// A file that does not hold what was written into it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Damage {
    /// The file, as named inside the database.
    pub file: String,
    /// What is wrong.
    pub what: String,
}

/// What was found out about a database.
#[derive(Clone, Debug, Default)]
pub struct Health {
    /// Files looked at.
    pub files: usize,
    /// Files whose every byte was compared with its checksum, the manifest among them.
    pub hashed: usize,
    /// Bytes of the files looked at.
    pub bytes: u64,
    /// What is damaged; empty if all is well.
    pub damaged: Vec<Damage>,
    /// Files an interrupted run left behind. They do no harm; the next writer sweeps them.
    pub leftovers: Vec<String>,
}

/// Files up to this size are read whole by [`glance`].
const SMALL: u64 = 256 << 10;
/// [`glance`] reads no more than this in all.
const MOST_GLANCED: u64 = 8 << 20;

/// Compares every file with its checksum, then reads every game and every key.
///
/// # Errors
///
/// Only when there is no database to look at, or one of another version.
pub fn verify(folder: &Path) -> Result<Health, Error> {
    let mut health = check(folder, |_| true)?;
    if health.damaged.is_empty() {
        // The bytes are those that were written; were they written right?
        if let Err(error) = Database::open(folder).and_then(|database| database.read_everything()) {
            health.damaged.push(match error {
                Error::Damaged { file, what } => Damage { file: file.display().to_string(), what },
                other => Damage { file: folder.display().to_string(), what: other.to_string() },
            });
        }
    }
    Ok(health)
}

/// What can be told at once: whether the manifest is sound, every file is there and as long as it should be, and the
/// small ones hold what was written. A byte changed in a large file is left for [`verify()`] to find.
///
/// # Errors
///
/// As [`verify()`].
pub fn glance(folder: &Path) -> Result<Health, Error> {
    let mut left = MOST_GLANCED;
    check(folder, |bytes| {
        let read = bytes <= SMALL && bytes <= left;
        left -= if read { bytes } else { 0 };
        read
    })
}

/// Looks at every file; `whole` decides by its size whether it is read.
fn check(folder: &Path, mut whole: impl FnMut(u64) -> bool) -> Result<Health, Error> {
    let mut health = Health::default();
    let manifest = match Manifest::read(folder) {
        Ok(manifest) => manifest,
        Err(Error::Damaged { what, .. }) => {
            health.damaged.push(Damage { file: manifest::FILE.to_string(), what });
            return Ok(health);
        }
        // A manifest that does not begin like one is a damaged one where the rest looks like a database.
        Err(Error::NotADatabase(_)) if folder.join(manifest::FILE).is_file() && has_segments(folder) => {
            let what = "it does not begin like a manifest".to_string();
            health.damaged.push(Damage { file: manifest::FILE.to_string(), what });
            return Ok(health);
        }
        Err(error) => return Err(error),
    };
    let files: Vec<_> = manifest.files().map(|entry| (entry, whole(entry.bytes))).collect();
    health.damaged = files
        .par_iter()
        .filter_map(|(entry, whole)| {
            let path = folder.join(&entry.name);
            let size = std::fs::metadata(&path).map(|file| file.len());
            let what = match (size, whole) {
                (Err(error), _) => error.to_string(),
                (Ok(bytes), _) if bytes != entry.bytes => format!("{bytes} bytes long instead of {}", entry.bytes),
                (Ok(_), false) => return None,
                (Ok(_), true) => match hash_file(&path) {
                    Err(error) => error.to_string(),
                    Ok((_, hash)) if hash != entry.hash => "the checksum does not fit".to_string(),
                    Ok(_) => return None,
                },
            };
            Some(Damage { file: entry.name.clone(), what })
        })
        .collect();
    health.files = files.len() + 1;
    health.hashed = files.iter().filter(|(_, whole)| *whole).count() + 1;
    let files: Vec<_> = files.into_iter().map(|(entry, _)| entry).collect();
    health.bytes = files.iter().map(|file| file.bytes).sum();
    let named: HashSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
    health.leftovers = leftovers(folder, &named)?;
    Ok(health)
}

fn has_segments(folder: &Path) -> bool {
    leftovers(folder, &HashSet::new()).is_ok_and(|files| !files.is_empty())
}
