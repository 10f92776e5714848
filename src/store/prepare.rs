//! The work on one game that needs no other game: done on all cores before the writer puts the games in order.

use super::codec::Coder;
use super::count::{Facts, Packed};
use super::games::ContentHash;
use super::record;
use super::segment::Occurrence;
use super::side::HeaderDoc;
use crate::board::Position;
use crate::format::ReadGame;
use crate::game::{Name, content_hash};

/// A game made ready for the writer.
#[derive(Debug)]
pub struct Prepared {
    pub(super) hash: ContentHash,
    pub(super) facts: Facts,
    pub(super) own_start: bool,
    pub(super) moves: Vec<u8>,
    pub(super) text: Vec<u8>,
    pub(super) occurrences: Vec<Occurrence>,
    pub(super) doc: HeaderDoc,
}

impl Prepared {
    /// Makes a game ready: codes its moves, packs its texts, collects the keys of its positions.
    pub fn new(read: &ReadGame, file: &str) -> Prepared {
        let game = &read.game;
        let usual = game.start.to_fen() == Position::start().to_fen();
        let mut moves = Vec::with_capacity(96);
        if !usual {
            moves.extend_from_slice(&Packed::new(&game.start).0);
            moves.extend_from_slice(&game.start.quiet_plies().to_le_bytes());
            moves.extend_from_slice(&game.start.round().to_le_bytes());
        }
        let mut position = game.start;
        let mut coder = Coder::new(&position);
        let mut occurrences = Vec::with_capacity(96);
        let mut plies = 0;
        let mut note = |position: &Position, ply| {
            let (key, mirrored) = position.canonical_key();
            occurrences.push(Occurrence::new(key, mirrored, ply));
        };
        note(&position, 0);
        for m in game.moves() {
            coder.write(m, &mut moves);
            position.play(m);
            plies += 1;
            note(&position, plies);
        }
        let mut text = Vec::with_capacity(256);
        record::write(read, file, &mut text);
        let year = game.headers.get(Name::Date).and_then(year_in).unwrap_or(0);
        Prepared {
            hash: content_hash(game),
            facts: Facts { result: game.result, year, plies },
            own_start: !usual,
            moves,
            text,
            occurrences,
            doc: HeaderDoc::new(read, file),
        }
    }
}

/// The year in a date: the first four digits in a row that are one.
fn year_in(date: &str) -> Option<u16> {
    date.split(|c: char| !c.is_ascii_digit()).find_map(|digits| {
        let year: u16 = digits.get(..4)?.parse().ok()?;
        (1000..=2999).contains(&year).then_some(year)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_found_in_dates_of_many_shapes() {
        for (date, year) in [
            ("1978.??.??", Some(1978)),
            ("1978年4月", Some(1978)),
            ("20210301", Some(2021)),
            ("4/5/1999", Some(1999)),
            ("????.??.??", None),
            ("78.4", None),
        ] {
            assert_eq!(year_in(date), year, "{date}");
        }
    }
}
