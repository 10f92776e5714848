//! Games to XQF.
//!
//! What the format has no field for goes into comments and reads back (see `fold.rs`): annotation marks, clock times,
//! comments before a ply, headers such as `Round`, the whole of a name longer than its field. Every such thing is also a
//! finding.

use super::header::{FIELDS, HEADER, KINDS, Keys, SLOTS, START, TYPE};
use crate::board::{Color, Move, Piece, Position, Square};
use crate::diag::{Finding, codes};
use crate::format::fold::{self, Comments, Fit};
use crate::format::short_text::{self, Encoded};
use crate::format::{Format, WriteOptions, Writer, is_implied};
use crate::game::{Game, GameResult, Name, NodeId, Tree};
use encoding_rs::{Encoding, GB18030, UTF_8};

/// Which of the many shapes of XQF is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Version 1.0: nothing enciphered; every program reads it.
    #[default]
    V10,
    /// Version 1.8 with all keys zero.
    V18,
    /// Version 1.8 enciphered as XQStudio does.
    Keyed(KeySeeds),
}

/// The numbers all keys of an enciphered file are derived from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeySeeds {
    /// For the layout, the from-squares and the to-squares.
    pub squares: [u8; 3],
    /// Which bits of the stream cipher come from the other keys.
    pub mask: u8,
    /// Bits always set in the stream cipher; a fourth number makes their sum zero.
    pub or: [u8; 3],
}

impl Default for KeySeeds {
    /// Fixed numbers, so that the same game gives the same file.
    fn default() -> KeySeeds {
        KeySeeds { squares: [0x53, 0xA6, 0x17], mask: 0xAA, or: [0x21, 0x6C, 0x9D] }
    }
}

/// Writes XQF.
#[derive(Clone, Copy, Debug, Default)]
pub struct XqfWriter {
    /// The shape written.
    pub form: Form,
}

impl Writer for XqfWriter {
    fn format(&self) -> Format {
        Format::Xqf
    }

    fn extension(&self) -> &'static str {
        "xqf"
    }

    fn holds_many(&self) -> bool {
        false
    }

    /// Writes the game, or nothing and an error if its start position has more pieces of a kind than a set.
    fn write(&self, game: &Game, options: &WriteOptions, out: &mut Vec<u8>) -> Vec<Finding> {
        let layout = match slots(&game.start) {
            Ok(layout) => layout,
            Err(piece) => {
                let most = piece.kind().most();
                let text = crate::say!("an XQF file holds at most {most} of {piece}"; "XQF 最多存 {most} 个{}", piece.chinese());
                return vec![Finding::new(codes::NOT_WRITABLE, text).text(game.start.to_fen())];
            }
        };
        let encoding = if options.encoding == UTF_8 { GB18030 } else { options.encoding };
        let (mut comments, mut findings) = fold::fold_tree(&game.tree);
        let begin = out.len();
        out.resize(begin + HEADER, 0);
        let mut bytes = Encoder { encoding, unmappable: String::new(), four_bytes: false };
        let extra = write_header(&mut out[begin..], game, &layout, self.form, &mut bytes);
        fold::fold_game(&mut comments, game, extra.iter().map(|&(fit, name, value)| (fit, name, value)), &mut findings);
        let keys = write_keys(&mut out[begin..], self.form);
        Records { out, keys, keyed: self.form != Form::V10, main_line: options.main_line, comments, bytes: &mut bytes }
            .write(&game.tree);
        for (byte, key) in out[begin + HEADER..].iter_mut().zip(keys.stream.iter().cycle()) {
            *byte = byte.wrapping_add(*key);
        }
        bytes.report(&mut findings);
        findings
    }
}

/// The square of each slot, 0xFF for an absent piece; or the piece there are too many of.
pub(in crate::format) fn slots(position: &Position) -> Result<[u8; 32], Piece> {
    let mut layout = [0xFF; 32];
    let number = |square: Square| square.file() * 10 + square.rank();
    let mut rest = Vec::new();
    // Pieces on their own start squares keep their slots, so that the start position is written as usual.
    for (square, piece) in position.pieces() {
        let side = if piece.color() == Color::Red { 0 } else { 16 };
        match (side..side + 16).find(|&i| START[i] == number(square) && SLOTS[i % 16] == piece.kind()) {
            Some(slot) => layout[slot] = number(square),
            None => rest.push((square, piece, side)),
        }
    }
    for (square, piece, side) in rest {
        let slot = (side..side + 16).find(|&i| layout[i] == 0xFF && SLOTS[i % 16] == piece.kind());
        layout[slot.ok_or(piece)?] = number(square);
    }
    Ok(layout)
}

/// Fills the fixed part but for the keys; returns the headers that have no field or a too short one.
fn write_header<'a>(
    out: &mut [u8],
    game: &'a Game,
    layout: &[u8; 32],
    form: Form,
    bytes: &mut Encoder,
) -> Vec<(Fit, &'a str, &'a str)> {
    out[..2].copy_from_slice(b"XQ");
    out[2] = if form == Form::V10 { 10 } else { 18 };
    out[16..48].copy_from_slice(layout);
    out[50] = game.start.side_to_move().index() as u8;
    out[51] = match game.result {
        GameResult::Unknown => 0,
        GameResult::RedWins => 1,
        GameResult::BlackWins => 2,
        GameResult::Draw => 3,
    };
    let mut extra = Vec::new();
    for (name, value) in game.headers.iter() {
        if is_implied(name, value, game) {
            continue;
        }
        if name.eq_ignore_ascii_case(TYPE)
            && out[64..66] == [0, 0]
            && let Some(kind) = kind(value)
        {
            out[64..66].copy_from_slice(&kind.to_le_bytes());
            continue;
        }
        let own = if name.eq_ignore_ascii_case("White") { Name::Red.tag() } else { name };
        let field = FIELDS.iter().find(|field| field.name.eq_ignore_ascii_case(own) && out[field.offset] == 0);
        let Some(field) = field else {
            extra.push((Fit::Foreign, name, value));
            continue;
        };
        let (text, whole) = bytes.encode_within(value, field.capacity);
        out[field.offset] = text.len() as u8;
        out[field.offset + 1..field.offset + 1 + text.len()].copy_from_slice(&text);
        if !whole {
            extra.push((Fit::Cut, field.name, value));
        }
    }
    extra
}

/// The number of a kind of game; 0 needs no header.
fn kind(value: &str) -> Option<u16> {
    match KINDS.iter().position(|name| *name == value) {
        Some(0) => None,
        Some(kind) => Some(kind as u16),
        None => value.parse().ok().filter(|&kind: &u16| usize::from(kind) >= KINDS.len() && kind.to_string() == value),
    }
}

/// Writes the key bytes, turns and enciphers the layout, and returns the keys for the tree.
fn write_keys(out: &mut [u8], form: Form) -> Keys {
    let keys = match form {
        Form::V10 => return Keys::NONE,
        Form::V18 => Keys::derive(0, [0; 4], [0; 4]),
        Form::Keyed(KeySeeds { squares: [xy, from, to], mask, or: [a, b, c] }) => {
            let negative = |sum: [u8; 3]| sum.iter().fold(0u8, |sum, byte| sum.wrapping_sub(*byte));
            let or = [a, b, c, negative([a, b, c])];
            let seeds = [negative([xy, from, to]), xy, from, to];
            out[3] = mask;
            out[8..12].copy_from_slice(&or);
            out[12..16].copy_from_slice(&seeds);
            Keys::derive(mask, or, seeds)
        }
    };
    let layout: [u8; 32] = std::array::from_fn(|i| out[16 + i]);
    for i in 0..32 {
        let square = layout[(i + 1 + usize::from(keys.layout)) % 32];
        out[16 + i] = square.wrapping_add(keys.layout);
    }
    keys
}

struct Records<'a> {
    out: &'a mut Vec<u8>,
    keys: Keys,
    keyed: bool,
    main_line: bool,
    comments: Comments,
    bytes: &'a mut Encoder,
}

impl Records<'_> {
    fn write(&mut self, tree: &Tree) {
        let root = if self.keyed { [0x18, 0x20, 0] } else { [0x18, 0x20, 0xFF] };
        self.record([root[0], root[1]], root[2], tree, NodeId::ROOT);
        let plies: &mut dyn Iterator<Item = NodeId> =
            if self.main_line { &mut tree.main_line() } else { &mut tree.walk().map(|(id, _)| id) };
        for id in plies {
            let m: Move = tree[id].m;
            let number = |square: Square| square.file() * 10 + square.rank();
            let from = number(m.from()).wrapping_add(0x18).wrapping_add(self.keys.from);
            let to = number(m.to()).wrapping_add(0x20).wrapping_add(self.keys.to);
            self.record([from, to], 0, tree, id);
        }
    }

    fn record(&mut self, squares: [u8; 2], reserved: u8, tree: &Tree, id: NodeId) {
        let child = tree.first_child(id).is_some();
        let sibling = !self.main_line && tree.next_sibling(id).is_some();
        let comment = self.comments.remove(&id).map(|text| {
            let mut text = text.replace('\n', "\r\n");
            text.push_str("\r\n");
            self.bytes.encode(&text)
        });
        self.out.extend(squares);
        if self.keyed {
            self.out.push(u8::from(child) << 7 | u8::from(sibling) << 6 | u8::from(comment.is_some()) << 5);
        } else {
            self.out.push(if child { 0xF0 } else { 0 } | if sibling { 0x0F } else { 0 });
        }
        self.out.push(reserved);
        let comment = comment.unwrap_or_default();
        if !self.keyed || !comment.is_empty() {
            self.out.extend((comment.len() as u32).wrapping_add(self.keys.comment).to_le_bytes());
            self.out.extend(comment);
        }
    }
}

/// Turns texts into bytes and remembers what did not fit.
struct Encoder {
    encoding: &'static Encoding,
    unmappable: String,
    four_bytes: bool,
}

impl Encoder {
    fn encode(&mut self, text: &str) -> Vec<u8> {
        let Encoded { bytes, unmappable } = short_text::encode(text, self.encoding);
        for c in unmappable {
            if !self.unmappable.contains(c) {
                self.unmappable.push(c);
            }
        }
        // In a four-byte character the second byte is a digit.
        self.four_bytes |= self.encoding == GB18030
            && bytes.windows(2).any(|pair| pair[0] >= 0x81 && pair[1].is_ascii_digit())
            && short_text::has_four_byte_characters(&bytes);
        bytes
    }

    /// The bytes of the longest beginning that fits, and whether it is the whole text.
    fn encode_within(&mut self, text: &str, capacity: usize) -> (Vec<u8>, bool) {
        self.encode(text);
        short_text::encode_within(text, self.encoding, capacity)
    }

    fn report(self, findings: &mut Vec<Finding>) {
        let name = short_text::encoding_name(self.encoding);
        if !self.unmappable.is_empty() {
            let sign = short_text::substitute(self.encoding);
            let text = crate::say!("characters that {name} does not have, written as {sign}"; "{name} 中没有的字符，以 {sign} 代替");
            findings.push(Finding::new(codes::UNMAPPABLE, text).text(self.unmappable));
        }
        if self.four_bytes {
            findings.push(Finding::new(
                codes::FOUR_BYTE_CHARACTERS,
                crate::say!(
                    "programs that know only GBK will not show some characters of this file";
                    "只认 GBK 的程序显示不出本文件的某些字符"
                ),
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_cut_between_characters() {
        let mut encoder = Encoder { encoding: GB18030, unmappable: String::new(), four_bytes: false };
        let (bytes, whole) = encoder.encode_within("广东某某象棋俱乐部", 15);
        assert_eq!((GB18030.decode(&bytes).0.as_ref(), whole), ("广东某某象棋俱", false));
        assert_eq!(encoder.encode_within("胡荣华", 15), (GB18030.encode("胡荣华").0.into_owned(), true));
    }

    #[test]
    fn more_pieces_than_a_set_cannot_be_written() {
        let game = Game { start: Position::from_fen("3k5/9/9/9/9/9/9/9/9/RRR1K4 w").unwrap(), ..Game::default() };
        let mut out = Vec::new();
        let findings = XqfWriter::default().write(&game, &WriteOptions::default(), &mut out);
        assert_eq!((findings[0].code, out.len()), (codes::NOT_WRITABLE, 0));
    }
}
