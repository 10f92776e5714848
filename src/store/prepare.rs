//! The work on one game that needs no other game: done on all cores before the writer puts the games in order.

use super::codec::Coder;
use super::count::{Facts, Packed};
use super::games::ContentHash;
use super::line::USUAL;
use super::record;
use super::record::StoredGame;
use super::segment::Occurrence;
use super::side::{HeaderDoc, Origin};
use super::sign::{Sign, SignBuilder};
use crate::board::{Keys, Position};
use crate::format::{ReadGame, Status};
use crate::game::{Game, Name, PartialDate, content_hash};

/// A game made ready for the writer.
#[derive(Debug)]
pub struct Prepared {
    pub(super) hash: ContentHash,
    pub(super) facts: Facts,
    pub(super) own_start: bool,
    pub(super) moves: Vec<u8>,
    pub(super) text: Vec<u8>,
    pub(super) occurrences: Vec<Occurrence>,
    pub(super) sign: Sign,
    pub(super) doc: HeaderDoc,
}

impl Prepared {
    /// Whether a header or the comments are longer than so many bytes.
    pub fn has_text_longer_than(&self, bytes: usize) -> bool {
        self.doc.comments.len() > bytes || self.doc.headers.iter().any(|(_, value)| value.len() > bytes)
    }

    /// Adds `before` to the game's number in its file: for games read from a piece of a file.
    pub fn shift(&mut self, before: u64) {
        self.doc.origin.number += before;
    }

    /// About how many bytes of memory it takes.
    pub fn memory(&self) -> usize {
        size_of::<Prepared>()
            + self.moves.capacity()
            + self.text.capacity()
            + self.occurrences.capacity() * size_of::<Occurrence>()
            + self.doc.headers.memory()
            + self.doc.comments.capacity()
            + self.doc.origin.file.capacity()
    }
}

impl Prepared {
    /// Makes a game ready: codes its moves, packs its texts, collects the keys of its positions. The file it came from is
    /// told when it is added.
    pub fn new(read: ReadGame) -> Prepared {
        let origin = Origin { file: String::new(), number: read.number };
        Prepared::of(read.game, origin, read.encoding, read.status)
    }

    /// The same for a game of a database.
    pub(super) fn again(stored: StoredGame) -> Prepared {
        Prepared::of(stored.game, stored.origin, &stored.encoding, stored.status)
    }

    fn of(game: Game, origin: Origin, encoding: &str, status: Status) -> Prepared {
        let usual = is_usual_start(&game.start);
        // What waits for the writer may be a million games of two plies: no room that is not needed.
        let expected = game.tree.ply_count().min(96) + 1;
        let mut moves = Vec::with_capacity(expected);
        if !usual {
            moves.extend_from_slice(&Packed::new(&game.start).0);
            moves.extend_from_slice(&game.start.quiet_plies().to_le_bytes());
            moves.extend_from_slice(&game.start.round().to_le_bytes());
        }
        let mut keys = Keys::of(&game.start);
        let mut coder = if usual { USUAL.1.clone() } else { Coder::new(&game.start) };
        let mut sign = SignBuilder::new(&game.start, !usual);
        let mut occurrences = Vec::with_capacity(expected);
        let mut plies = 0;
        let mut note = |keys: &Keys, ply| {
            let (key, mirrored) = keys.canonical();
            occurrences.push(Occurrence::new(key, mirrored, ply));
        };
        if record::knows_start(&game, status) {
            note(&keys, 0);
        }
        for m in game.moves() {
            coder.write(m, &mut moves);
            let mover = keys.piece_at(m.from());
            sign.play(m, mover, keys.play(m));
            plies += 1;
            note(&keys, plies);
        }
        let mut text = Vec::with_capacity(256);
        record::write(&game, encoding, status, &mut text);
        let year = game.headers.get(Name::Date).and_then(PartialDate::read).map_or(0, |date| date.year);
        let result = game.result;
        Prepared {
            hash: content_hash(&game),
            facts: Facts { result, year, plies },
            own_start: !usual,
            moves,
            text,
            occurrences,
            sign: sign.finish(keys.pieces()),
            doc: HeaderDoc::of(game, origin, status),
        }
    }
}

/// Whether a game starts as most do, counters and all: then the start need not be stored.
fn is_usual_start(start: &Position) -> bool {
    *start == USUAL.0 && (start.quiet_plies(), start.round()) == (USUAL.0.quiet_plies(), USUAL.0.round())
}
