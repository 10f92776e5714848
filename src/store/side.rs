//! The border between the games and the index of their headers and texts.
//!
//! The store numbers games, from 1, in the order they are added, and keeps moves, trees and positions. What can be asked
//! about headers, names and comments is indexed beside it (`search::headers`), in a tantivy index in the folder
//! `headers` of the database. The rules of the border:
//!
//! * The store hands over a [`HeaderDoc`] with every game and then asks for a commit. When the commit has returned, no
//!   file of the folder may change any more until the next document or commit comes: merges are done inside it.
//! * The index is opened through a [`HeaderDirectory`](super::HeaderDirectory), never by path: only so does a reader see
//!   exactly the state that the manifest names, and a crash leaves no half state behind. Documents of a crashed batch are
//!   never seen, so nobody has to look for them.
//! * The number is the only key the two sides share. It never changes, and is never given to another game.

use crate::format::Status;
use crate::game::{Game, GameResult, Headers};
use crate::opening::{Ecco, openings};
use std::path::PathBuf;

/// Where a game came from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Origin {
    /// The file as the user named it.
    pub file: String,
    /// The game's number in the file, from 1.
    pub number: u64,
}

/// What the header index learns of a game.
#[derive(Clone, Debug)]
pub struct HeaderDoc {
    /// Headers as written.
    pub headers: Headers,
    /// The result as understood.
    pub result: GameResult,
    /// Plies of the main line.
    pub plies: u32,
    /// All comments and unread text of the game, one a line.
    pub comments: String,
    /// Where it came from.
    pub origin: Origin,
    /// How much of it could be read.
    pub status: Status,
    /// Opening code of the main line.
    pub ecco: Option<Ecco>,
}

impl HeaderDoc {
    /// What is told of a game.
    pub fn of(game: Game, origin: Origin, status: Status) -> HeaderDoc {
        let mut comments = String::new();
        let texts = game.tree.comments().iter().map(|comment| comment.text.as_str());
        for text in texts.chain([game.rest.as_str(), game.trailer.as_str()]).filter(|text| !text.is_empty()) {
            if !comments.is_empty() {
                comments.push('\n');
            }
            comments.push_str(text);
        }
        HeaderDoc {
            result: game.result,
            plies: game.moves().count() as u32,
            comments,
            origin,
            status,
            ecco: openings().code(&game.start, game.moves()).map(|(code, _)| code),
            headers: game.headers,
        }
    }
}

/// Takes what the writer of the store hands over. Implemented by the header index.
pub trait Side: Send {
    /// Adds the document of a game. Called in the order of the numbers, but for games that were removed and come back.
    fn add(&mut self, number: u32, doc: HeaderDoc) -> Result<(), SideError>;

    /// Marks the document of a removed game as gone.
    fn remove(&mut self, number: u32) -> Result<(), SideError>;

    /// Forgets every document: those of all living games follow.
    fn clear(&mut self) -> Result<(), SideError>;

    /// Makes everything added so far durable, with all merges done, and returns the names of the files that make up
    /// this state ([`super::living_files`] tells them). `meta.json` is to be written under this generation
    /// ([`super::HeaderDirectory::set_generation`]).
    fn commit(&mut self, generation: u64) -> Result<Vec<PathBuf>, SideError>;
}

/// What went wrong in the header index.
pub type SideError = Box<dyn std::error::Error + Send + Sync>;
