//! The tantivy folder as a row of snapshots.
//!
//! tantivy replaces `meta.json` in place and deletes files it no longer needs as soon as it has committed. Both would
//! tear the database apart if the program died before the manifest names the new state. So tantivy works through a
//! directory that
//!
//! * reads and writes `meta.json` under a name that carries a generation (`meta.7.json`): the manifest says which one
//!   counts, and the old one stays until the new manifest is in place;
//! * never deletes: files that the manifest does not name are swept by the store, after the manifest was replaced and
//!   whenever a writer opens the database;
//! * keeps tantivy's own list of files (`.managed.json`) in memory, where it cannot contradict the manifest;
//! * needs no lock files: the lock of the database guards everything in it.

use super::manifest::replace;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tantivy::Index;
use tantivy::directory::error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    Directory, DirectoryLock, FileHandle, FileSlice, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr,
};

const META: &str = "meta.json";
const MANAGED: &str = ".managed.json";

/// A tantivy directory that shows one committed state and never harms it.
#[derive(Clone, Debug)]
pub struct HeaderDirectory {
    inner: MmapDirectory,
    folder: PathBuf,
    /// Generation of `meta.json` that is read.
    read: Arc<AtomicU64>,
    /// Generation of `meta.json` that is written.
    write: Arc<AtomicU64>,
}

impl HeaderDirectory {
    /// Opens the folder (which must exist) at a generation. Generation 0 is that of a new, empty index.
    pub fn open(folder: &Path, generation: u64) -> Result<HeaderDirectory, OpenDirectoryError> {
        Ok(HeaderDirectory {
            inner: MmapDirectory::open(folder)?,
            folder: folder.to_path_buf(),
            read: Arc::new(AtomicU64::new(generation)),
            write: Arc::new(AtomicU64::new(generation)),
        })
    }

    /// From now on `meta.json` is written under this generation (and read from it once it was written).
    pub fn set_generation(&self, generation: u64) {
        self.write.store(generation, Ordering::SeqCst);
    }

    /// Name of the file that holds `meta.json` of a generation.
    pub fn meta_file(generation: u64) -> PathBuf {
        PathBuf::from(format!("meta.{generation}.json"))
    }
}

/// The files that make up the state a tantivy index was last committed in, `meta.json` under the name it has on disk.
pub fn living_files(index: &Index, generation: u64) -> tantivy::Result<Vec<PathBuf>> {
    let directory = index.directory();
    let mut files = vec![HeaderDirectory::meta_file(generation)];
    // The list names files that a segment may have; not every segment has all.
    let possible = index.load_metas()?.list_segment_files();
    files.extend(possible.into_iter().filter(|file| directory.exists(file).unwrap_or(false)));
    files.sort();
    Ok(files)
}

impl Directory for HeaderDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.inner.get_file_handle(path)
    }

    fn open_read(&self, path: &Path) -> Result<FileSlice, OpenReadError> {
        self.inner.open_read(path)
    }

    fn delete(&self, _path: &Path) -> Result<(), DeleteError> {
        Ok(())
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        if path == Path::new(META) {
            return self.inner.exists(&HeaderDirectory::meta_file(self.read.load(Ordering::SeqCst)));
        }
        self.inner.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.inner.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        if path == Path::new(MANAGED) {
            return Err(OpenReadError::FileDoesNotExist(path.to_path_buf()));
        }
        if path == Path::new(META) {
            return self.inner.atomic_read(&HeaderDirectory::meta_file(self.read.load(Ordering::SeqCst)));
        }
        self.inner.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        if path == Path::new(MANAGED) {
            return Ok(());
        }
        if path == Path::new(META) {
            let generation = self.write.load(Ordering::SeqCst);
            // Not by tantivy, whose temporary files are private and stay so.
            replace(&self.folder.join(HeaderDirectory::meta_file(generation)), &[data])?;
            self.inner.sync_directory()?;
            self.read.store(generation, Ordering::SeqCst);
            return Ok(());
        }
        self.inner.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.inner.sync_directory()
    }

    fn acquire_lock(&self, _lock: &Lock) -> Result<DirectoryLock, LockError> {
        let nothing: Box<()> = Box::new(());
        Ok(DirectoryLock::from(nothing))
    }

    fn watch(&self, _callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tantivy::schema::{INDEXED, Schema};
    use tantivy::{IndexWriter, TantivyDocument};

    fn count(folder: &Path, generation: u64) -> u64 {
        let index = Index::open(HeaderDirectory::open(folder, generation).unwrap()).unwrap();
        index.reader().unwrap().searcher().num_docs()
    }

    #[test]
    fn every_generation_stays_readable_until_it_is_swept() {
        let folder = tempfile::tempdir().unwrap();
        let mut schema = Schema::builder();
        let number = schema.add_u64_field("number", INDEXED);
        let directory = HeaderDirectory::open(folder.path(), 0).unwrap();
        let index = Index::create(directory.clone(), schema.build(), Default::default()).unwrap();
        let mut writer: IndexWriter = index.writer_with_num_threads(1, 15_000_000).unwrap();
        for generation in 1..=3u64 {
            for n in 0..10 {
                let mut doc = TantivyDocument::new();
                doc.add_u64(number, n);
                writer.add_document(doc).unwrap();
            }
            directory.set_generation(generation);
            writer.commit().unwrap();
            let files = living_files(&index, generation).unwrap();
            assert!(files.contains(&HeaderDirectory::meta_file(generation)) && files.len() > 2);
            assert!(files.iter().all(|file| folder.path().join(file).is_file()), "{files:?}");
        }
        writer.wait_merging_threads().unwrap();
        assert_eq!([1, 2, 3].map(|generation| count(folder.path(), generation)), [10, 20, 30]);
        assert!(!folder.path().join(".managed.json").exists() && !folder.path().join("meta.json").exists());
    }
}
