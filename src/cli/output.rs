//! Result files: written whole or not at all, never over an existing file unless told so.

use anyhow::Context as _;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// A file that is there already, with other content.
#[derive(Debug, thiserror::Error)]
#[error("{} exists; --force overwrites it", .0.display())]
pub struct Exists(pub PathBuf);

/// Writes a file: to a temporary file beside it, then renamed. Not synced: results can be made again, and a sync for each
/// of many small files would take far longer than all the rest.
///
/// # Errors
///
/// If the file exists and `force` is not set, or the system refuses.
pub fn write_file(path: &Path, content: &[u8], force: bool) -> anyhow::Result<()> {
    write(path, force, false, |out| Ok(out.write_all(content)?)).map(|_| ())
}

/// As [`write_file`], for content too large to be held; returns whether the file is a new one, as opposed to one that was
/// there already with the same content.
///
/// # Errors
///
/// If another file exists and `force` is not set, or the system refuses.
pub fn write_stream(
    path: &Path,
    force: bool,
    content: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<bool> {
    write(path, force, true, content)
}

fn write(
    path: &Path,
    force: bool,
    may_be_there: bool,
    content: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<bool> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    if !force && !may_be_there && path.exists() {
        return Err(Exists(path.to_path_buf()).into());
    }
    let mut file = tempfile::Builder::new()
        .prefix(".yipu-")
        .suffix(".tmp")
        .tempfile_in(folder)
        .with_context(|| format!("{}", folder.display()))?;
    let mut buffered = BufWriter::new(&mut file);
    content(&mut buffered).with_context(|| format!("{}", path.display()))?;
    buffered.flush().with_context(|| format!("{}", path.display()))?;
    drop(buffered);
    if may_be_there && path.exists() {
        if same_content(path, file.path())? {
            return Ok(false);
        }
        if !force {
            return Err(Exists(path.to_path_buf()).into());
        }
    }
    // Temporary files are private; results are for whoever the user's own files are for.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    let persisted = if force { file.persist(path) } else { file.persist_noclobber(path) };
    match persisted {
        Ok(_) => Ok(true),
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => Err(Exists(path.to_path_buf()).into()),
        Err(error) => Err(error.error).with_context(|| format!("{}", path.display())),
    }
}

fn same_content(a: &Path, b: &Path) -> std::io::Result<bool> {
    let (a, b) = (std::fs::File::open(a)?, std::fs::File::open(b)?);
    if a.metadata()?.len() != b.metadata()?.len() {
        return Ok(false);
    }
    let (mut a, mut b) = (BufReader::new(a), BufReader::new(b));
    let (mut left, mut right) = ([0; 8192], [0; 8192]);
    loop {
        let read = a.read(&mut left)?;
        b.read_exact(&mut right[..read])?;
        if read == 0 || left[..read] != right[..read] {
            return Ok(read == 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_never_overwritten_without_being_told_and_no_scraps_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b.pgn");
        write_file(&path, b"one", false).unwrap();
        assert!(write_file(&path, b"two", false).unwrap_err().to_string().contains("--force"));
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        write_file(&path, b"three", true).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"three");
        assert!(!write_stream(&path, false, |out| Ok(out.write_all(b"three")?)).unwrap());
        assert!(write_stream(&path, false, |out| Ok(out.write_all(b"other")?)).is_err());
        assert!(write_stream(&path, true, |out| Ok(out.write_all(b"other")?)).unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), b"other");
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
