//! The first 1,024 bytes of an XQF file, and the keys derived from them.

use crate::board::{Color, Kind, Piece, Position};
use crate::format::linear::decimal_square;
use crate::game::{GameResult, Name};

/// Size of the header; the tree follows.
pub(super) const HEADER: usize = 1024;

/// Piece of each of the sixteen slots of a side.
pub(in crate::format) const SLOTS: [Kind; 16] = [
    Kind::Rook,
    Kind::Horse,
    Kind::Elephant,
    Kind::Advisor,
    Kind::King,
    Kind::Advisor,
    Kind::Elephant,
    Kind::Horse,
    Kind::Rook,
    Kind::Cannon,
    Kind::Cannon,
    Kind::Pawn,
    Kind::Pawn,
    Kind::Pawn,
    Kind::Pawn,
    Kind::Pawn,
];

/// Squares of the 32 slots in the start position, as `file * 10 + rank`.
pub(super) const START: [u8; 32] = [
    80, 70, 60, 50, 40, 30, 20, 10, 0, 72, 12, 83, 63, 43, 23, 3, 9, 19, 29, 39, 49, 59, 69, 79, 89, 17, 77, 6, 26, 46,
    66, 86,
];

/// A text field of the header.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    /// Offset of its length byte.
    pub offset: usize,
    /// Most bytes of text.
    pub capacity: usize,
    /// The header it becomes.
    pub name: &'static str,
}

const fn field(offset: usize, capacity: usize, name: &'static str) -> Field {
    Field { offset, capacity, name }
}

/// Name of the header made of the kind of game.
pub(super) const TYPE: &str = "Type";

/// All text fields, in the order in which they become headers.
pub(super) const FIELDS: [Field; 13] = [
    field(80, 63, Name::Title.tag()),
    field(144, 63, "Subtitle"),
    field(208, 63, Name::Event.tag()),
    field(272, 15, Name::Date.tag()),
    field(288, 15, Name::Site.tag()),
    field(304, 15, Name::Red.tag()),
    field(320, 15, Name::Black.tag()),
    field(336, 63, Name::TimeControl.tag()),
    field(400, 15, Name::RedTime.tag()),
    field(416, 15, Name::BlackTime.tag()),
    field(432, 31, "Reserved"),
    field(464, 15, Name::Annotator.tag()),
    field(480, 15, Name::Author.tag()),
];

/// What the fields of the fixed part say. Text stays as bytes until the encoding is known.
#[derive(Clone, Debug)]
pub struct Header<'a> {
    bytes: &'a [u8; HEADER],
}

/// The T of the stream cipher.
const COPYRIGHT: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// Numbers subtracted from squares, comment lengths and bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Keys {
    pub layout: u8,
    pub from: u8,
    pub to: u8,
    pub comment: u32,
    pub stream: [u8; 32],
}

impl Keys {
    /// No key: version 1.0.
    pub const NONE: Keys = Keys { layout: 0, from: 0, to: 0, comment: 0, stream: [0; 32] };

    /// Keys of version 1.1 and later, from the bytes 3 and 8 to 15 of the header.
    pub fn derive(mask: u8, or: [u8; 4], seeds: [u8; 4]) -> Keys {
        let [sum, xy, from, to] = seeds;
        let key = |seed: u8, factor: u8| {
            let seed = u32::from(seed);
            ((54 * seed * seed + 221) * u32::from(factor)) as u8
        };
        let layout = key(xy, xy);
        let from_key = key(from, layout);
        let base: [u8; 4] = std::array::from_fn(|i| (seeds[i] & mask) | or[i]);
        Keys {
            layout,
            from: from_key,
            to: key(to, from_key),
            comment: (u32::from(sum) * 256 + u32::from(xy)) % 32000 + 767,
            stream: std::array::from_fn(|i| COPYRIGHT[i] & base[i % 4]),
        }
    }
}

impl<'a> Header<'a> {
    /// The header, if the bytes are long enough and carry the signature.
    pub fn read(bytes: &'a [u8]) -> Option<Header<'a>> {
        let bytes: &[u8; HEADER] = bytes.first_chunk()?;
        bytes.starts_with(b"XQ").then_some(Header { bytes })
    }

    /// The version byte: 10 for 1.0, 18 for 1.8.
    pub fn version(&self) -> u8 {
        self.bytes[2]
    }

    /// Whether the tree is stored in the form of version 1.1 and later.
    pub(super) fn is_keyed(&self) -> bool {
        self.version() > 10
    }

    /// Whether the four key bytes add up to zero, as they must in every version.
    pub fn check_byte_fits(&self) -> bool {
        self.bytes[12..16].iter().fold(0u8, |sum, &byte| sum.wrapping_add(byte)) == 0
    }

    pub(super) fn keys(&self) -> Keys {
        if !self.is_keyed() {
            return Keys::NONE;
        }
        let four = |at: usize| std::array::from_fn(|i| self.bytes[at + i]);
        Keys::derive(self.bytes[3], four(8), four(12))
    }

    /// The squares of the 32 slots, `file * 10 + rank`; above 89 the piece is absent.
    pub fn layout(&self) -> [u8; 32] {
        let key = self.keys().layout;
        let mut slots = [0; 32];
        for i in 0..32 {
            let slot = if self.version() >= 12 { (i + 1 + usize::from(key)) % 32 } else { i };
            slots[slot] = self.bytes[16 + i].wrapping_sub(key);
        }
        slots
    }

    /// The start position with the side to move as the header tells it, and the squares claimed by two pieces.
    pub(super) fn position(&self) -> (Position, Vec<u8>) {
        let layout = self.layout();
        let side = if self.who() == 1 { Color::Black } else { Color::Red };
        let mut twice = Vec::new();
        if layout == START {
            let mut position = Position::start();
            position.set_side_to_move(side);
            return (position, twice);
        }
        let mut position = Position::empty(side);
        for (slot, &number) in layout.iter().enumerate() {
            if let Some(square) = decimal_square(number) {
                if position.piece_at(square).is_some() {
                    twice.push(number);
                }
                let color = if slot < 16 { Color::Red } else { Color::Black };
                position.put(square, Some(Piece::new(color, SLOTS[slot % 16])));
            }
        }
        (position, twice)
    }

    /// The byte that tells who moves first: 0 Red, 1 Black.
    pub fn who(&self) -> u8 {
        self.bytes[50]
    }

    /// The byte that tells the result.
    pub fn result_byte(&self) -> u8 {
        self.bytes[51]
    }

    /// The result; `None` for a value nobody described.
    pub fn result(&self) -> Option<GameResult> {
        Some(match self.result_byte() {
            0 => GameResult::Unknown,
            1 => GameResult::RedWins,
            2 => GameResult::BlackWins,
            3 | 4 => GameResult::Draw,
            _ => return None,
        })
    }

    /// The kind of game: 0 whole game, 1 opening, 2 middle game, 3 endgame.
    pub fn kind(&self) -> u16 {
        u16::from_le_bytes([self.bytes[64], self.bytes[65]])
    }

    /// The bytes of a text field.
    pub(super) fn text(&self, field: Field) -> &'a [u8] {
        let length = usize::from(self.bytes[field.offset]).min(field.capacity);
        &self.bytes[field.offset + 1..field.offset + 1 + length]
    }
}

/// Names of the kinds of game, as XQStudio shows them; a whole game needs no name.
pub(super) const KINDS: [&str; 4] = ["全局", "开局", "中局", "残局"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_the_published_example() {
        let keys = Keys::derive(0xFF, [0x20, 0x82, 0x3C, 0x22], [0x72, 0x23, 0x92, 0xD9]);
        assert_eq!((keys.layout, keys.from, keys.to, keys.comment), (0x29, 0x7D, 0x67, 29986));
        assert_eq!(keys.stream[..8], [0x52, 0x20, 0x02, 0x29, 0x20, 0x03, 0x2E, 0x70]);
        assert_eq!(Keys::derive(0, [0; 4], [0; 4]), Keys { comment: 767, ..Keys::NONE });
    }

    #[test]
    fn the_slots_of_the_start_position_make_the_start_position() {
        let mut bytes = [0; HEADER];
        bytes[..3].copy_from_slice(b"XQ\x0A");
        bytes[16..48].copy_from_slice(&START);
        let (position, twice) = Header::read(&bytes).unwrap().position();
        assert_eq!((position, twice), (Position::start(), vec![]));
        let mut by_hand = Position::empty(Color::Red);
        for (slot, &number) in START.iter().enumerate() {
            let color = if slot < 16 { Color::Red } else { Color::Black };
            by_hand.put(decimal_square(number).unwrap(), Some(Piece::new(color, SLOTS[slot % 16])));
        }
        assert_eq!(by_hand, Position::start());
    }
}
