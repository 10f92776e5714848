//! Everything of a game that is not its main line, as bytes: headers, texts, side lines, comments, and where the game
//! came from. Many such records are compressed together.

use super::bytes::{Bytes, put_str, put_varint};
use super::side::Origin;
use crate::board::{Move, Position};
use crate::format::Status;
use crate::game::{Game, GameResult, Headers, NodeId, Place, Tree};

/// Header names that are written as one byte. Append only: the numbers are part of the format.
const NAMES: [&str; 27] = [
    "Game",
    "Event",
    "Site",
    "Date",
    "Round",
    "Red",
    "Black",
    "Result",
    "RedTeam",
    "BlackTeam",
    "Opening",
    "Variation",
    "ECCO",
    "ECO",
    "FEN",
    "Title",
    "Remark",
    "Author",
    "Annotator",
    "White",
    "Format",
    "SetUp",
    "RedElo",
    "BlackElo",
    "TimeControl",
    "RedTime",
    "BlackTime",
];

/// Encodings that are written as one byte. Append only.
const ENCODINGS: [&str; 8] = ["utf-8", "gb18030", "gbk", "big5", "utf-16le", "utf-16be", "windows-1258", "ascii"];

/// A game of the database with where it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredGame {
    /// The game as it was read.
    pub game: Game,
    /// Where it was read from.
    pub origin: Origin,
    /// The encoding it was read in.
    pub encoding: String,
    /// How much of it could be read.
    pub status: Status,
}

/// Whether it is known where a game began: not if it has a FEN that could not be read.
pub(super) fn knows_start(game: &Game, status: Status) -> bool {
    status != Status::Failed || game.headers.get_raw("FEN").is_none()
}

impl StoredGame {
    /// Whether it is known where the game began; else its first position is in no index.
    pub fn knows_start(&self) -> bool {
        knows_start(&self.game, self.status)
    }
}

/// Appends where a game came from: the head of its record.
pub(super) fn write_origin(origin: &Origin, out: &mut Vec<u8>) {
    put_str(out, &origin.file);
    put_varint(out, origin.number);
}

/// Takes where a game came from off the head of its record.
pub(super) fn read_origin(bytes: &mut Bytes<'_>) -> Option<Origin> {
    Some(Origin { file: bytes.str()?.to_string(), number: bytes.varint()? })
}

/// Appends the rest of the record of a game.
pub(super) fn write(game: &Game, encoding: &str, status: Status, out: &mut Vec<u8>) {
    put_name(out, &ENCODINGS, encoding);
    out.push(match status {
        Status::Ok => 0,
        Status::Partial => 1,
        Status::Failed => 2,
    });
    put_varint(out, game.headers.iter().count() as u64);
    for (name, value) in game.headers.iter() {
        put_name(out, &NAMES, name);
        put_str(out, value);
    }
    put_str(out, &game.rest);
    put_str(out, &game.trailer);
    let tree = &game.tree;
    // Where the plies were added one behind the other the main line says everything.
    if tree.is_line() {
        out.push(0);
    } else {
        out.push(1);
        put_varint(out, tree.ply_count() as u64);
        for (n, id) in tree.ids().enumerate() {
            // Nodes come after their parents; most directly.
            let parent = tree.parent(id).map_or(0, NodeId::index);
            put_varint(out, (n - parent) as u64);
            out.extend_from_slice(&tree[id].m.to_bits().to_le_bytes());
        }
    }
    put_varint(out, tree.comments().len() as u64);
    for comment in tree.comments() {
        put_varint(out, comment.node.index() as u64);
        out.push(comment.place as u8);
        put_str(out, &comment.text);
    }
    put_varint(out, tree.marks().len() as u64);
    for &(id, mark) in tree.marks() {
        put_varint(out, id.index() as u64);
        out.push(mark);
    }
    put_varint(out, tree.clocks().len() as u64);
    for &(id, time) in tree.clocks() {
        put_varint(out, id.index() as u64);
        put_varint(out, time);
    }
}

/// Reads a record; start position, main line and result come from elsewhere. `None` if the bytes are no record.
pub(super) fn read(
    bytes: &mut Bytes<'_>,
    start: Position,
    main_line: &[Move],
    result: GameResult,
) -> Option<StoredGame> {
    let origin = read_origin(bytes)?;
    let encoding = name(bytes, &ENCODINGS)?.to_string();
    let status = match bytes.byte()? {
        0 => Status::Ok,
        1 => Status::Partial,
        2 => Status::Failed,
        _ => return None,
    };
    let mut headers = Headers::default();
    for _ in 0..bytes.count(2)? {
        let name = name(bytes, &NAMES)?;
        headers.push(name, bytes.str()?);
    }
    let rest = bytes.str()?.to_string();
    let trailer = bytes.str()?.to_string();
    let mut tree = Tree::new();
    match bytes.byte()? {
        0 => {
            tree.reserve(main_line.len());
            main_line.iter().fold(NodeId::ROOT, |parent, &m| tree.add(parent, m));
        }
        1 => {
            let count = bytes.count(3)?;
            tree.reserve(count);
            for n in 0..count {
                let parent = n.checked_sub(usize::try_from(bytes.varint()?).ok()?)?;
                let parent = tree.id(parent)?;
                tree.add(parent, Move::from_bits(bytes.u16()?)?);
            }
        }
        _ => return None,
    }
    let node = |bytes: &mut Bytes<'_>, tree: &Tree| tree.id(usize::try_from(bytes.varint()?).ok()?);
    for _ in 0..bytes.count(3)? {
        let id = node(bytes, &tree)?;
        let place = match bytes.byte()? {
            b if b == Place::Before as u8 => Place::Before,
            b if b == Place::After as u8 => Place::After,
            b if b == Place::End as u8 => Place::End,
            _ => return None,
        };
        tree.comment(id, place, bytes.str()?);
    }
    for _ in 0..bytes.count(2)? {
        let id = node(bytes, &tree)?;
        tree.mark(id, bytes.byte()?);
    }
    for _ in 0..bytes.count(2)? {
        let id = node(bytes, &tree)?;
        tree.clock(id, bytes.varint()?);
    }
    let game = Game { headers, start, tree, result, rest, trailer };
    Some(StoredGame { game, origin, encoding, status })
}

/// Appends a name as its number in the table, or in full.
fn put_name(out: &mut Vec<u8>, table: &[&str], name: &str) {
    match table.iter().position(|known| *known == name) {
        Some(n) => out.push(n as u8 + 1),
        None => {
            out.push(0);
            put_str(out, name);
        }
    }
}

fn name<'a>(bytes: &mut Bytes<'a>, table: &[&'static str]) -> Option<&'a str> {
    match bytes.byte()? {
        0 => bytes.str(),
        n => table.get(n as usize - 1).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::ReadGame;

    fn sample() -> ReadGame {
        let m = |text: &str| text.parse().unwrap();
        let mut game = Game::default();
        game.headers.push("Red", "胡荣华");
        game.headers.push("x-意外", "值");
        game.headers.push("Red", "又一");
        let a = game.tree.add(NodeId::ROOT, m("h2e2"));
        let b = game.tree.add(a, m("h9g7"));
        let c = game.tree.add(a, m("b9c7"));
        game.tree.add(c, m("h0g2"));
        game.tree.add(b, m("h0g2"));
        game.tree.comment(c, Place::Before, "改进\n两行");
        game.tree.comment(NodeId::ROOT, Place::After, "题");
        game.tree.mark(b, 3);
        game.tree.clock(a, 123_456);
        game.rest = "3. 怪招".to_string();
        game.trailer = "http".to_string();
        game.result = GameResult::Draw;
        ReadGame { game, number: 37, encoding: "koi8-r", status: Status::Partial, findings: Vec::new() }
    }

    #[test]
    fn a_game_with_everything_comes_back() {
        let read_game = sample();
        let mut out = Vec::new();
        write_origin(&Origin { file: "甲/乙.pgn".to_string(), number: 37 }, &mut out);
        write(&read_game.game, read_game.encoding, read_game.status, &mut out);
        let main: Vec<Move> = read_game.game.moves().collect();
        let mut bytes = Bytes(&out);
        let back = read(&mut bytes, read_game.game.start, &main, GameResult::Draw).unwrap();
        assert!(bytes.0.is_empty());
        assert_eq!(back.game, read_game.game);
        assert_eq!((back.origin.file.as_str(), back.origin.number), ("甲/乙.pgn", 37));
        assert_eq!((back.encoding.as_str(), back.status), ("koi8-r", Status::Partial));
        for cut in 0..out.len() {
            assert!(read(&mut Bytes(&out[..cut]), Position::start(), &main, GameResult::Draw).is_none());
        }
    }
}
