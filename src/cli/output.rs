//! Result files: written whole or not at all, never over an existing file unless told so.

use anyhow::{Context as _, bail};
use std::io::Write;
use std::path::Path;

/// Writes a file: to a temporary file beside it, then renamed. Not synced: results can be made again, and a sync for each
/// of many small files would take far longer than all the rest.
///
/// # Errors
///
/// If the file exists and `force` is not set, or the system refuses.
pub fn write_file(path: &Path, content: &[u8], force: bool) -> anyhow::Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    if !force && path.exists() {
        bail!("{} exists; --force overwrites it", path.display());
    }
    let mut file = tempfile::Builder::new()
        .prefix(".yipu-")
        .suffix(".tmp")
        .tempfile_in(folder)
        .with_context(|| format!("{}", folder.display()))?;
    file.write_all(content).with_context(|| format!("{}", path.display()))?;
    // Temporary files are private; results are for whoever the user's own files are for.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    let persisted = if force { file.persist(path) } else { file.persist_noclobber(path) };
    match persisted {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => {
            bail!("{} exists; --force overwrites it", path.display())
        }
        Err(error) => Err(error.error).with_context(|| format!("{}", path.display())),
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
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
