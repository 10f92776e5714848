//! Paths to files, in a stable order.

use crate::diag::{Finding, codes};
use std::path::{Path, PathBuf};

/// One file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Where it is; `None` is standard input.
    pub path: Option<PathBuf>,
    /// How it is named to the user.
    pub name: String,
    /// Its path below the argument that led to it, for writing a tree of results; the file name for a file argument.
    pub relative: PathBuf,
}

/// Lists every file below the given paths, folders sorted by name. `-` is standard input. Links are followed once; a
/// loop of links is a finding.
///
/// A path that does not exist, or a folder that cannot be opened, goes to `faults`; the rest is listed.
pub fn walk<'p>(paths: &'p [PathBuf], faults: &'p mut (dyn FnMut(Finding) + 'p)) -> impl Iterator<Item = Input> + 'p {
    paths
        .iter()
        .flat_map(|path| -> Box<dyn Iterator<Item = Result<Input, Finding>> + 'p> {
            if path.as_os_str() == "-" {
                let input = Input { path: None, name: "-".into(), relative: PathBuf::from("stdin") };
                return Box::new(std::iter::once(Ok(input)));
            }
            let files = walkdir::WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter();
            Box::new(files.filter_map(move |entry| match entry {
                Ok(entry) if entry.file_type().is_dir() => None,
                // Reading a pipe or a device met on the way would wait for ever; one that the user named is meant.
                Ok(entry) if !entry.file_type().is_file() && entry.depth() > 0 => {
                    let mut finding = Finding::new(
                        codes::NOT_A_FILE,
                        crate::say!("a pipe, socket or device; left alone"; "管道、套接字或设备, 略过"),
                    );
                    finding.locate(&entry.path().display().to_string(), None);
                    Some(Err(finding))
                }
                Ok(entry) => Some(Ok(input_of(entry.into_path(), path))),
                Err(error) => {
                    let name = error.path().unwrap_or(path).display().to_string();
                    let mut finding = Finding::new(codes::UNREADABLE_FILE, error_text(&error));
                    finding.locate(&name, None);
                    Some(Err(finding))
                }
            }))
        })
        .filter_map(move |entry| entry.map_err(&mut *faults).ok())
}

fn error_text(error: &walkdir::Error) -> String {
    match error.io_error() {
        Some(io) => io.to_string(),
        None => error.to_string(),
    }
}

fn input_of(path: PathBuf, argument: &Path) -> Input {
    let below = path.strip_prefix(argument).unwrap_or(&path);
    let relative = if below.as_os_str().is_empty() {
        path.file_name().map_or_else(|| PathBuf::from("game"), PathBuf::from)
    } else {
        below.to_path_buf()
    };
    Input { name: path.display().to_string(), relative, path: Some(path) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_listed_by_name_and_missing_paths_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.pgn", "a/z.xqf", "a/c.pgn"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x").unwrap();
        }
        let mut faults = Vec::new();
        let paths = [folder.path().to_path_buf(), folder.path().join("none")];
        let mut note = |f| faults.push(f);
        let listed: Vec<PathBuf> = walk(&paths, &mut note).map(|i| i.relative).collect();
        assert_eq!(listed, ["a/c.pgn", "a/z.xqf", "b.pgn"].map(PathBuf::from));
        assert_eq!(faults.len(), 1);
    }
}
