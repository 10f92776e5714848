//! What the tests share: the folder of real games, the program as a command, scratch folders.

use std::path::PathBuf;

/// The unpacked folder of real games, named by `YIPU_DATA`. `None`, with a message, where it is not set: the test then
/// returns at once.
pub fn real_games() -> Option<PathBuf> {
    let folder = std::env::var_os("YIPU_DATA").map(PathBuf::from).filter(|path| path.join("MANIFEST.tsv").is_file());
    if folder.is_none() {
        eprintln!("skipped: YIPU_DATA does not name the folder of real games");
    }
    folder
}

/// The specifications beside the checkout (`../shared`, or `YIPU_SHARED`), where they exist.
pub fn shared(file: &str) -> Option<PathBuf> {
    let root = std::env::var_os("YIPU_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let path = root.join(file);
    if !path.is_file() {
        eprintln!("skipped: {file} is not beside this checkout");
        return None;
    }
    Some(path)
}
