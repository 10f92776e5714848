//! MXQ, the record of the 弈天 server: counted strings in GBK, one game without side lines; or its words as text, see the
//! head of `text.rs`.
//!
//! Comes in: place, date, `Red-胜-Black`, two ratings, five numbers, how the game ended, `Moves`, the plies as `7C-4C` (file
//! 0–8 from Red's left, rank A–J from Red's back rank), `Ends`, comments, `CommentsEnd`. Goes out: one game.
//!
//! Of the five numbers the last two are the seconds left to Red and Black: whoever lost on time has 0. The first three
//! change together with the place (tables have their own time rules), so they are kept as the time rule, as written.

mod text;

use super::linear::{Record, single_line};
use super::listed::Listed;
use super::short_text::{self, Encoded};
use super::{Confidence, Format, Keeps, ReadOptions, Reader, Sink, Source, WriteOptions, Writer};
use crate::board::{Move, Square};
use crate::diag::{Finding, codes};
use crate::game::{Game, GameResult, Name, NodeId, Place};
use encoding_rs::{GB18030, UTF_8};

/// So many strings are read; a game of the server has a few hundred.
const MOST_STRINGS: usize = 1 << 16;

/// Reads MXQ.
#[derive(Clone, Copy, Debug)]
pub struct MxqReader;

impl Reader for MxqReader {
    fn format(&self) -> Format {
        Format::Mxq
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        if is_counted(head) { Confidence::Certain } else { text::confidence(head) }
    }

    fn read(&self, source: Source<'_>, options: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        if !is_counted(source.bytes) && text::confidence(source.bytes) != Confidence::No {
            return text::read(source, options, games);
        }
        let list: Vec<(usize, &[u8])> = strings(source.bytes).take(MOST_STRINGS).collect();
        let choice = match options.encoding {
            Some(encoding) => short_text::Choice { encoding, doubtful: false },
            None => short_text::choose(list.iter().map(|(_, text)| *text)),
        };
        let mut record = Record::default();
        let texts: Vec<(usize, String)> = list
            .iter()
            .map(|&(at, bytes)| (at, choice.read(bytes, "a text", at as u64, &mut record.findings)))
            .collect();
        let words = |word: &str| texts.iter().position(|(_, text)| text == word);
        let begin = words("Moves").unwrap_or(texts.len());
        let end = words("Ends").filter(|&end| end > begin);
        read_head(&texts[..begin], &mut record);
        let plies = &texts[(begin + 1).min(texts.len())..end.unwrap_or(texts.len()).max((begin + 1).min(texts.len()))];
        let used: usize = list.last().map_or(0, |(at, text)| at + 1 + text.len());
        if list.len() == MOST_STRINGS && used != source.bytes.len() {
            record.damaged = true;
            let text = format!("more than {MOST_STRINGS} strings; the rest was not read");
            record.findings.push(Finding::new(codes::GAME_TOO_LONG, text).byte(used as u64));
        } else if end.is_none() || used != source.bytes.len() {
            record.damaged = true;
            let text = "the record ends without the words that close it";
            record.findings.push(Finding::new(codes::BROKEN_TREE, text).byte(used as u64));
        }
        let moves: Vec<_> = plies.iter().map(|(at, text)| (read_ply(text).ok_or((0, 0)), *at as u64)).collect();
        let mut listed = Listed::default();
        for ((at, text), number) in plies.iter().zip(1..) {
            if read_ply(text).is_none() {
                let finding = Finding::new(codes::UNREADABLE_LINE, "not a ply").text(text.as_str());
                listed.push(finding.ply(number).byte(*at as u64));
            }
        }
        record.findings.extend(listed.into_findings());
        let mut tree = single_line(record.start, moves.into_iter());
        let comments = end.map_or(&[][..], |end| &texts[end + 1..]);
        let comments: Vec<&str> =
            comments.iter().map(|(_, text)| text.as_str()).filter(|text| *text != "CommentsEnd").collect();
        if comments.iter().any(|text| !text.is_empty()) {
            let text = comments.join("\n");
            record.comment(&mut tree, super::linear::Target::Node(NodeId::ROOT), text);
        }
        choice.report(&mut record.findings);
        let mut game = record.finish(tree, source.first_game, choice.name());
        for finding in &mut game.findings {
            finding.locate(source.file, Some(source.first_game));
        }
        let _ = games(game);
        Vec::new()
    }
}

/// Whether the bytes begin with counted strings and the word before the moves is among them.
fn is_counted(bytes: &[u8]) -> bool {
    strings(bytes).take(16).position(|(_, text)| text == b"Moves").is_some_and(|index| index >= 5)
}

/// The counted strings and where they start; a length beyond the end closes the row.
fn strings(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let length = usize::from(*bytes.get(at)?);
        let text = bytes.get(at + 1..at + 1 + length)?;
        let begin = at;
        at += 1 + length;
        Some((begin, text))
    })
}

const FIELDS: [&str; 8] = [
    Name::Site.tag(),
    Name::Date.tag(),
    // The names and the result.
    "",
    Name::RedElo.tag(),
    Name::BlackElo.tag(),
    Name::TimeControl.tag(),
    "",
    "",
];

fn read_head(texts: &[(usize, String)], record: &mut Record) {
    let headers = &mut record.headers;
    let get = |index: usize| texts.get(index).map(|(_, text)| text.as_str()).unwrap_or_default();
    for (index, name) in FIELDS.into_iter().enumerate() {
        let value = get(index);
        if name == Name::TimeControl.tag() {
            let parts = [get(5), get(6), get(7)];
            if parts.iter().any(|part| !part.is_empty()) {
                headers.push(name, parts.join("/").trim_end_matches('/'));
            }
        } else if !name.is_empty() && !value.is_empty() {
            headers.push(name, value);
        }
    }
    let names = get(2);
    match split_names(names) {
        Some((red, result, black)) => {
            headers.push(Name::Red.tag(), red);
            headers.push(Name::Black.tag(), black);
            record.result = result;
        }
        None => {
            if !names.is_empty() {
                headers.push(Name::Title.tag(), names);
            }
            let at = texts.get(2).map_or(0, |(at, _)| *at);
            let text = "no names and result of the form Red-胜-Black";
            record.findings.push(Finding::new(codes::BROKEN_HEADER, text).text(names).byte(at as u64));
        }
    }
    for (index, name) in [(8, Name::RedTime.tag()), (9, Name::BlackTime.tag()), (10, "Termination")] {
        if !get(index).is_empty() {
            headers.push(name, get(index));
        }
    }
}

/// The headers a record holds.
const KEPT: [&str; 10] = [
    Name::Site.tag(),
    Name::Date.tag(),
    Name::Red.tag(),
    Name::Black.tag(),
    Name::RedElo.tag(),
    Name::BlackElo.tag(),
    Name::TimeControl.tag(),
    Name::RedTime.tag(),
    Name::BlackTime.tag(),
    "Termination",
];

/// Names may hold hyphens themselves; the result stands between the middle ones.
fn split_names(text: &str) -> Option<(&str, GameResult, &str)> {
    for (word, result) in [
        ("-胜-", GameResult::RedWins),
        ("-勝-", GameResult::RedWins),
        ("-和-", GameResult::Draw),
        ("-负-", GameResult::BlackWins),
        ("-負-", GameResult::BlackWins),
        ("- -", GameResult::Unknown),
    ] {
        if let Some((red, black)) = text.split_once(word) {
            return Some((red, result, black));
        }
    }
    None
}

fn read_ply(text: &str) -> Option<Move> {
    let &[a, b, b'-', c, d] = text.as_bytes() else { return None };
    let square =
        |file: u8, rank: u8| Square::new(file.checked_sub(b'0')?, rank.to_ascii_uppercase().checked_sub(b'A')?);
    Some(Move::new(square(a, b)?, square(c, d)?))
}

/// A line in parts that fit into a counted string.
fn broken<'t>(line: &'t str, encoding: &'static encoding_rs::Encoding) -> Vec<&'t str> {
    // No encoding takes more than four bytes for a character.
    const MOST: usize = 255 / 4;
    if short_text::encode_within(line, encoding, 255).1 {
        return vec![line];
    }
    let starts: Vec<usize> = line.char_indices().map(|(at, _)| at).step_by(MOST).collect();
    let ends = starts.iter().skip(1).copied().chain([line.len()]);
    starts.iter().zip(ends).map(|(&begin, end)| &line[begin..end]).collect()
}

/// Writes MXQ: the main line from the normal start position.
#[derive(Clone, Copy, Debug)]
pub struct MxqWriter;

impl Writer for MxqWriter {
    fn format(&self) -> Format {
        Format::Mxq
    }

    fn extension(&self) -> &'static str {
        "mxq"
    }

    fn holds_many(&self) -> bool {
        false
    }

    /// Writes the game, or nothing and an error if it does not start from the normal position.
    fn write(&self, game: &Game, options: &WriteOptions, out: &mut Vec<u8>) -> Vec<Finding> {
        if game.start != crate::board::Position::start() {
            let text = "an MXQ record starts from the normal position";
            return vec![Finding::new(codes::NOT_WRITABLE, text).text(game.start.to_fen())];
        }
        let encoding = if options.encoding == UTF_8 { GB18030 } else { options.encoding };
        let mut findings = Vec::new();
        let get = |name: Name| super::header_as_written(&game.headers, name);
        let word = match game.result {
            GameResult::RedWins => "-胜-",
            GameResult::BlackWins => "-负-",
            GameResult::Draw => "-和-",
            GameResult::Unknown => "- -",
        };
        let time = get(Name::TimeControl);
        let mut parts: Vec<&str> = time.split('/').collect();
        if parts.len() != 3 {
            parts = vec![time, "", ""];
        }
        let names = [get(Name::Red), word, get(Name::Black)].concat();
        let mut texts = vec![get(Name::Site), get(Name::Date), &names, get(Name::RedElo), get(Name::BlackElo)];
        texts.extend(parts);
        texts.extend([
            get(Name::RedTime),
            get(Name::BlackTime),
            game.headers.get_raw("Termination").unwrap_or_default(),
        ]);
        texts.push("Moves");
        let plies: Vec<String> = game
            .moves()
            .map(|m| {
                let text = |square: Square| format!("{}{}", square.file(), char::from(b'A' + square.rank()));
                format!("{}-{}", text(m.from()), text(m.to()))
            })
            .collect();
        texts.extend(plies.iter().map(String::as_str));
        texts.push("Ends");
        let comments: Vec<&str> = game
            .tree
            .comments()
            .iter()
            .filter(|c| c.node == NodeId::ROOT && c.place == Place::After)
            .flat_map(|c| c.text.split('\n'))
            .flat_map(|line| broken(line, encoding))
            .collect();
        texts.extend(&comments);
        let has_long = |text: &str| text.split('\n').any(|line| broken(line, encoding).len() > 1);
        for comment in game.tree.comments().iter().filter(|c| c.node == NodeId::ROOT && has_long(&c.text)) {
            let what = "lines of the comment longer than 255 bytes were broken";
            findings.push(Finding::new(codes::CHANGED_COMMENT, what).text(comment.text.as_str()));
        }
        if !super::is_plain_start(game) {
            findings.push(Finding::new(codes::LOST_IN_FORMAT, "the counters of the start position"));
        }
        texts.push("CommentsEnd");
        for text in texts {
            let Encoded { unmappable, .. } = short_text::encode(text, encoding);
            if !unmappable.is_empty() {
                let missing: String = unmappable.into_iter().collect();
                let (name, sign) = (short_text::encoding_name(encoding), short_text::substitute(encoding));
                let what = crate::say!("characters that {name} does not have, written as {sign}"; "{name} 中没有的字符，以 {sign} 代替");
                findings.push(Finding::new(codes::UNMAPPABLE, what).text(missing));
            }
            let (bytes, whole) = short_text::encode_within(text, encoding, 255);
            if !whole {
                findings.push(Finding::new(codes::LOST_IN_FORMAT, "a text longer than 255 bytes was cut").text(text));
            }
            out.push(bytes.len() as u8);
            out.extend(bytes);
        }
        findings.extend(super::lost_beside_main_line(
            game,
            Keeps { opening: true, result: true, headers: &KEPT, ..Keeps::default() },
        ));
        findings
    }
}
