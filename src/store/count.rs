//! How games went on from a position: the numbers behind `tree`.

use super::bytes::{Bytes, put_varint};
use crate::board::{Move, Piece, Position, Square};
use crate::game::GameResult;

/// Results of a number of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games Red won.
    pub red_wins: u64,
    /// Draws.
    pub draws: u64,
    /// Games Black won.
    pub black_wins: u64,
    /// Games without a known result.
    pub unknown: u64,
    /// Year of the latest game; 0 if no year is known.
    pub last_year: u16,
    /// Plies of all games together, for the average length.
    pub plies: u64,
}

impl Score {
    /// Number of games.
    pub const fn games(&self) -> u64 {
        self.red_wins + self.draws + self.black_wins + self.unknown
    }

    /// Adds one game.
    pub fn add(&mut self, facts: Facts) {
        match facts.result {
            GameResult::RedWins => self.red_wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::BlackWins => self.black_wins += 1,
            GameResult::Unknown => self.unknown += 1,
        }
        self.last_year = self.last_year.max(facts.year);
        self.plies += u64::from(facts.plies);
    }

    /// Adds the games of another score.
    pub fn merge(&mut self, other: &Score) {
        self.red_wins += other.red_wins;
        self.draws += other.draws;
        self.black_wins += other.black_wins;
        self.unknown += other.unknown;
        self.last_year = self.last_year.max(other.last_year);
        self.plies += other.plies;
    }

    fn write(&self, out: &mut Vec<u8>) {
        for value in [self.red_wins, self.draws, self.black_wins, self.unknown, self.last_year.into(), self.plies] {
            put_varint(out, value);
        }
    }

    fn read(bytes: &mut Bytes<'_>) -> Option<Score> {
        Some(Score {
            red_wins: bytes.varint()?,
            draws: bytes.varint()?,
            black_wins: bytes.varint()?,
            unknown: bytes.varint()?,
            last_year: bytes.varint()?.try_into().ok()?,
            plies: bytes.varint()?,
        })
    }
}

/// What is known of a game without opening it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The result as understood.
    pub result: GameResult,
    /// Year it was played in; 0 if not known.
    pub year: u16,
    /// Plies of the main line.
    pub plies: u32,
}

/// Games that reached a position, and by which move each went on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All games, those that ended here too.
    pub all: Score,
    /// By move, in the order of the moves.
    pub moves: Vec<(Move, Score)>,
}

impl Counts {
    /// Adds one game, which went on by this move or ended.
    pub fn add(&mut self, next: Option<Move>, facts: Facts) {
        self.all.add(facts);
        if let Some(m) = next {
            self.of(m).add(facts);
        }
    }

    /// Adds other games.
    pub fn merge(&mut self, other: &Counts) {
        self.all.merge(&other.all);
        for (m, score) in &other.moves {
            self.of(*m).merge(score);
        }
    }

    fn of(&mut self, m: Move) -> &mut Score {
        let at = match self.moves.binary_search_by_key(&m, |pair| pair.0) {
            Ok(at) => at,
            Err(at) => {
                self.moves.insert(at, (m, Score::default()));
                at
            }
        };
        &mut self.moves[at].1
    }

    /// The counts as seen on the mirrored board.
    #[must_use]
    pub fn mirrored(&self) -> Counts {
        let mut moves: Vec<_> = self.moves.iter().map(|(m, score)| (m.mirror(), *score)).collect();
        moves.sort_unstable_by_key(|pair| pair.0);
        Counts { all: self.all, moves }
    }

    fn write(&self, out: &mut Vec<u8>) {
        self.all.write(out);
        put_varint(out, self.moves.len() as u64);
        for (m, score) in &self.moves {
            out.extend_from_slice(&m.to_bits().to_le_bytes());
            score.write(out);
        }
    }

    fn read(bytes: &mut Bytes<'_>) -> Option<Counts> {
        let all = Score::read(bytes)?;
        let moves = bytes.count(8)?;
        let moves = (0..moves).map(|_| Some((Move::from_bits(bytes.u16()?)?, Score::read(bytes)?)));
        Some(Counts { all, moves: moves.collect::<Option<_>>()? })
    }
}

/// A position in 46 bytes: half a byte a square, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Packed(pub [u8; Packed::LEN]);

impl Packed {
    /// Length in bytes.
    pub const LEN: usize = 46;

    /// Packs board and side.
    pub fn new(position: &Position) -> Packed {
        let mut bytes = [0; Packed::LEN];
        for (square, piece) in position.pieces() {
            bytes[square.index() / 2] |= (piece.index() as u8 + 1) << (square.index() % 2 * 4);
        }
        bytes[45] = position.side_to_move().index() as u8;
        Packed(bytes)
    }

    /// The position, its counters at the beginning; `None` if the bytes are none.
    pub fn unpack(&self) -> Option<Position> {
        let mut position = Position::empty(*crate::board::Color::ALL.get(self.0[45] as usize)?);
        let pieces: Vec<Piece> = Piece::all().collect();
        for square in Square::all() {
            let nibble = self.0[square.index() / 2] >> (square.index() % 2 * 4) & 15;
            if nibble > 0 {
                position.put(square, Some(*pieces.get(nibble as usize - 1)?));
            }
        }
        Some(position)
    }
}

/// Counts of one position, kept ready. Moves are as on the board with the smaller key.
#[derive(Clone)]
pub(super) struct Page {
    /// The position with the smaller key.
    pub position: Packed,
    /// Games that had this board.
    pub plain: Counts,
    /// Games that had its mirror image.
    pub mirrored: Counts,
    /// Games that had either, each once; `None` if none had both.
    pub either: Option<Counts>,
}

impl Page {
    /// No games yet.
    pub fn new(position: Packed) -> Page {
        Page { position, plain: Counts::default(), mirrored: Counts::default(), either: None }
    }

    /// Games that had either image, each once.
    pub fn union(&self) -> Counts {
        self.either.clone().unwrap_or_else(|| {
            let mut sum = self.plain.clone();
            sum.merge(&self.mirrored);
            sum
        })
    }

    /// Adds the games of another page of the same position; no game is in both.
    pub fn merge(&mut self, other: &Page) {
        if self.either.is_some() || other.either.is_some() {
            let mut either = self.union();
            either.merge(&other.union());
            self.either = Some(either);
        }
        self.plain.merge(&other.plain);
        self.mirrored.merge(&other.mirrored);
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.position.0);
        out.push(u8::from(self.either.is_some()));
        self.plain.write(out);
        self.mirrored.write(out);
        if let Some(either) = &self.either {
            either.write(out);
        }
    }

    fn read(bytes: &mut Bytes<'_>) -> Option<Page> {
        let position = Packed(bytes.take(Packed::LEN)?.try_into().ok()?);
        let has_either = bytes.byte()? == 1;
        let (plain, mirrored) = (Counts::read(bytes)?, Counts::read(bytes)?);
        let either = if has_either { Some(Counts::read(bytes)?) } else { None };
        Some(Page { position, plain, mirrored, either })
    }
}

/// Appends the pages of one key (more than one only if the keys of two positions begin alike).
pub(super) fn write_pages(pages: &[Page], out: &mut Vec<u8>) {
    put_varint(out, pages.len() as u64);
    pages.iter().for_each(|page| page.write(out));
}

/// Reads what [`write_pages`] wrote.
pub(super) fn read_pages(bytes: &mut Bytes<'_>) -> Option<Vec<Page>> {
    let count = bytes.count(Packed::LEN)?;
    (0..count).map(|_| Page::read(bytes)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_pages_survive_packing() {
        for fen in [
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
            "3aka3/9/4b4/p8/r7p/8R/9/4B4/4C4/3AKA3 b - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(Packed::new(&position).unpack(), Some(position));
        }
        let mut page = Page::new(Packed::new(&Position::start()));
        let m: Move = "h2e2".parse().unwrap();
        page.plain.add(Some(m), Facts { result: GameResult::Draw, year: 1978, plies: 80 });
        page.plain.add(None, Facts { result: GameResult::RedWins, year: 0, plies: 300 });
        page.mirrored.add(Some(m.mirror()), Facts::default());
        let mut out = Vec::new();
        write_pages(&[page.clone(), page.clone()], &mut out);
        let back = read_pages(&mut Bytes(&out)).unwrap();
        assert_eq!((back.len(), &back[1].plain, back[1].union()), (2, &page.plain, page.union()));
        assert_eq!((page.plain.all.games(), page.plain.all.last_year, page.union().all.games()), (2, 1978, 3));
        for cut in 0..out.len() {
            assert!(read_pages(&mut Bytes(&out[..cut])).is_none());
        }
    }
}
