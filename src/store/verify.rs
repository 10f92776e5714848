//! Checks every byte of a database.

use super::database::Database;
use super::error::Error;
use super::manifest::{self, Manifest, hash_file};
use super::writer::leftovers;
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
    /// Files checked.
    pub files: usize,
    /// Bytes checked.
    pub bytes: u64,
    /// What is damaged; empty if all is well.
    pub damaged: Vec<Damage>,
    /// Files an interrupted run left behind. They do no harm; the next writer sweeps them.
    pub leftovers: Vec<String>,
}

/// Compares every file with its checksum, then reads every game and every key.
///
/// # Errors
///
/// Only when there is no database to look at, or one of another version.
pub fn verify(folder: &Path) -> Result<Health, Error> {
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
    let files: Vec<_> = manifest.files().collect();
    health.damaged = files
        .par_iter()
        .filter_map(|entry| {
            let what = match hash_file(&folder.join(&entry.name)) {
                Err(error) => error.to_string(),
                Ok((bytes, _)) if bytes != entry.bytes => format!("{bytes} bytes long instead of {}", entry.bytes),
                Ok((_, hash)) if hash != entry.hash => "the checksum does not fit".to_string(),
                Ok(_) => return None,
            };
            Some(Damage { file: entry.name.clone(), what })
        })
        .collect();
    health.files = files.len() + 1;
    health.bytes = files.iter().map(|file| file.bytes).sum();
    let named: HashSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
    health.leftovers = leftovers(folder, &named)?;
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

fn has_segments(folder: &Path) -> bool {
    leftovers(folder, &HashSet::new()).is_ok_and(|files| !files.is_empty())
}
