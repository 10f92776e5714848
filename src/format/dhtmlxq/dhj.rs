//! `DHJHtmlXQ`, a relative of DhtmlXQ with numbers for names, known from descriptions only.
//!
//! ```text
//! [DHJHtmlXQ_17]甲[/DHJHtmlXQ_17]
//! [DHJHtmlXQ_34]72427967[/DHJHtmlXQ_34]            ranks from below: 炮二平五 马8进7
//! [game_comment_0_1]中炮[/comment_0_1]
//! ```
//!
//! Forgiven: any case, any wrapper, closing tags of any name, HTML entities in values.

use super::lines::Line;
use super::read::{comment_text, loose};
use super::tags::plain;
use crate::board::{Color, Move, Piece, Position, Square};
use crate::diag::{Finding, codes};
use crate::format::linear::{Record, report_faults, settle_side};
use crate::format::sketch::Sketch;
use crate::format::{ReadGame, Status};
use crate::game::{GameResult, Name};
use std::collections::HashMap;

/// Numbers that become headers.
const HEADERS: [(u32, &str); 21] = [
    (10, Name::Title.tag()),
    (11, Name::Event.tag()),
    (13, Name::Date.tag()),
    (14, Name::Site.tag()),
    (15, Name::Round.tag()),
    (16, "Table"),
    (17, Name::Red.tag()),
    (18, "RedName"),
    (19, Name::RedTeam.tag()),
    (20, "RedTitle"),
    (21, Name::Black.tag()),
    (22, "BlackName"),
    (23, Name::BlackTeam.tag()),
    (24, "BlackTitle"),
    (29, Name::RedTime.tag()),
    (30, Name::BlackTime.tag()),
    (36, Name::Opening.tag()),
    (37, Name::Variation.tag()),
    (40, Name::Annotator.tag()),
    (41, Name::Author.tag()),
    (42, "Recorder"),
];

/// Numbers with a meaning of their own: result, start position, side, movelist.
const OTHERS: [u32; 4] = [28, 31, 32, 34];

const TAG: &str = "DHJHtmlXQ";
const COMMENT: &str = "game_comment_";

/// So many tags are read of one game: 42 kinds, and comments on a few hundred plies.
const MOST_TAGS: usize = 1 << 16;

/// A tag of either kind.
#[derive(Clone, Copy)]
enum Tag<'a> {
    Value(u32, &'a str, usize),
    /// Line and ply.
    Comment(u32, u32, &'a str, usize),
}

/// Whether a text holds any of these tags.
pub(super) fn any(bytes: &[u8]) -> bool {
    let name = TAG.as_bytes();
    bytes.windows(name.len() + 1).any(|window| window[0] == b'[' && window[1..].eq_ignore_ascii_case(name))
}

/// Every game of a text.
pub(super) fn read(text: &str) -> Vec<ReadGame> {
    let mut openings = text.match_indices('[').filter_map(|(at, _)| opening(text, at)).peekable();
    let mut close = 0;
    let mut games = Vec::new();
    let mut block: Vec<Tag<'_>> = Vec::new();
    let mut titled = false;
    let mut over = None;
    while let Some((at, prefix, name)) = openings.next() {
        let begin = at + 1 + prefix.len() + name.len() + 1;
        // A tag that is never closed ends where the next one begins.
        let next = openings.peek().map_or(text.len(), |(next, ..)| *next);
        if close < begin {
            close = text[begin..].find("[/").map_or(text.len(), |length| begin + length);
        }
        let value = &text[begin..close.min(next)];
        let mut numbers = name.trim_start_matches('_').split('_').map(|number| number.parse::<u32>().ok());
        match (prefix, numbers.next().flatten(), numbers.next().flatten()) {
            (TAG, Some(number), None) if number == 10 || block.len() < MOST_TAGS => {
                // A file without wrappers goes on with the title of the next game.
                if number == 10 && std::mem::replace(&mut titled, true) {
                    games.extend(game(&std::mem::take(&mut block)));
                }
                block.push(Tag::Value(number, value, at));
            }
            (TAG, None, None) if name.is_empty() => {
                titled = false;
                games.extend(game(&std::mem::take(&mut block)));
            }
            _ if block.len() >= MOST_TAGS => over = over.or(Some(at)),
            (COMMENT, Some(line), Some(ply)) => block.push(Tag::Comment(line, ply, value, at)),
            _ => {}
        }
    }
    games.extend(game(&block));
    if let (Some(at), Some(last)) = (over, games.last_mut()) {
        let text = format!("more than {MOST_TAGS} tags in one game; those from here on were passed over");
        last.findings.push(Finding::new(codes::GAME_TOO_LONG, text).byte(at as u64));
        last.status = Status::of(true, last.game.tree.ply_count());
    }
    games
}

/// The opening tag at a bracket: its place, its kind, its name.
fn opening(text: &str, at: usize) -> Option<(usize, &'static str, &str)> {
    let rest = &text[at + 1..];
    let (prefix, behind) = [TAG, COMMENT].into_iter().find_map(|prefix| Some((prefix, strip(rest, prefix)?)))?;
    let end = behind.as_bytes().iter().take(24).position(|&byte| byte == b']')?;
    Some((at, prefix, &behind[..end]))
}

fn strip<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
}

fn game(tags: &[Tag<'_>]) -> Option<ReadGame> {
    if tags.is_empty() {
        return None;
    }
    let mut record = Record::default();
    let text = "DHJHtmlXQ is known from descriptions only; please compare the result";
    record.findings.push(Finding::new(codes::EXPERIMENTAL, text));
    let mut first: HashMap<u32, (&str, usize)> = HashMap::new();
    for tag in tags {
        if let Tag::Value(number, value, at) = tag
            && !value.trim().is_empty()
        {
            first.entry(*number).or_insert((value, *at));
        }
    }
    let get = |wanted: u32| first.get(&wanted).copied();
    for (number, header) in HEADERS {
        if let Some((value, _)) = get(number) {
            record.headers.push(header, plain(value));
        }
    }
    if let Some((value, at)) = get(28) {
        let value = plain(value);
        match GameResult::read(&value) {
            Some(result) => record.result = result,
            None => {
                let finding = Finding::new(codes::BROKEN_HEADER, "no known result, kept as a header").byte(at as u64);
                record.findings.push(finding.text(value.clone()));
                record.headers.push("ResultText", value);
            }
        }
    }
    // Whatever else there is keeps its number.
    for tag in tags {
        if let Tag::Value(number, value, at) = tag
            && !value.trim().is_empty()
        {
            let first = get(*number).is_some_and(|(_, first)| first == *at);
            if !first {
                let text = format!("a second value for {number}; the first one counts");
                record.findings.push(Finding::new(codes::REPEATED_TAG, text).text(*value).byte(*at as u64));
            } else if !OTHERS.contains(number) && !HEADERS.iter().any(|(known, _)| known == number) {
                record.headers.push(format!("dhj_{number}"), plain(value));
            }
        }
    }
    let side = get(32).and_then(|(value, _)| match value.trim() {
        "1" => Some(Color::Black),
        "0" => Some(Color::Red),
        _ => None,
    });
    if let Some((value, at)) = get(31) {
        match position(value.trim()) {
            Some(start) => record.start = start,
            None => {
                let why = "90 characters are needed, FEN letters and * for empty points";
                record.unread_start(value, at as u64, why.into());
            }
        }
    }
    if let Some(side) = side {
        record.start.set_side_to_move(side);
    }
    let (sketch, nodes) = line(get(34), &mut record);
    settle_side(&mut record.start, sketch.first_from(), side.is_some(), None, &mut record.findings);
    report_faults(&record.start, get(31).map(|(_, at)| at as u64), &mut record.findings);
    let sketch = comments(tags, sketch, &nodes, &mut record);
    let tree = sketch.play(&mut record);
    Some(record.finish(tree, 0, ""))
}

/// Ten rows of nine points from the top.
fn position(text: &str) -> Option<Position> {
    let cells: Vec<char> = text.chars().filter(|c| !c.is_whitespace() && *c != '/').collect();
    if cells.len() != 90 {
        return None;
    }
    let mut position = Position::empty(Color::Red);
    for (index, c) in cells.into_iter().enumerate() {
        if c != '*' {
            let square = Square::new((index % 9) as u8, 9 - (index / 9) as u8)?;
            position.put(square, Some(Piece::from_letter(c)?));
        }
    }
    Some(position)
}

/// The main line: four digits a ply, file and rank from below, twice.
fn line(value: Option<(&str, usize)>, record: &mut Record) -> (Sketch, Vec<usize>) {
    let mut sketch = Sketch::new();
    let mut nodes = vec![0];
    let Some((value, at)) = value else { return (sketch, nodes) };
    let line = Line { numbers: [0, 1, 0], digits: value, at };
    let digits: Vec<u8> = line.digits.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    for (index, ply) in digits.chunks(4).enumerate() {
        if ply.len() < 4 || !ply.iter().all(u8::is_ascii_digit) {
            record.damaged = true;
            let rest = String::from_utf8_lossy(&digits[index * 4..]).chars().take(80).collect::<String>();
            let text = "digits that are no ply: four are needed, file and rank twice";
            record.findings.push(Finding::new(codes::UNREADABLE_LINE, text).text(rest.clone()).byte(at as u64));
            loose(&mut record.unfolded.rest, &rest);
            break;
        }
        let n: Vec<u8> = ply.iter().map(|digit| digit - b'0').collect();
        let squares = match (Square::new(n[0], n[1]), Square::new(n[2], n[3])) {
            (Some(from), Some(to)) => Ok(Move::new(from, to)),
            _ => Err((n[0] * 10 + n[1], n[2] * 10 + n[3])),
        };
        let Some(node) = sketch.add(nodes[index], squares, at as u64) else {
            record.damaged = true;
            record.findings.push(Sketch::too_long(at as u64));
            break;
        };
        nodes.push(node);
    }
    (sketch, nodes)
}

fn comments(tags: &[Tag<'_>], mut sketch: Sketch, nodes: &[usize], record: &mut Record) -> Sketch {
    for tag in tags {
        let Tag::Comment(line, ply, value, at) = tag else { continue };
        let text = comment_text(value);
        match nodes.get(*ply as usize).filter(|_| *line == 0) {
            Some(&node) => sketch.comment(node, &text),
            None => {
                record.damaged = true;
                let what = format!("a comment on ply {ply} of line {line}, which does not exist; kept as text");
                record.findings.push(Finding::new(codes::LOOSE_LINE, what).text(text.clone()).byte(*at as u64));
                loose(&mut record.unfolded.rest, &format!("[{COMMENT}{line}_{ply}]{text}"));
            }
        }
    }
    sketch
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(game: &ReadGame) -> String {
        game.game.moves().map(|m| m.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn numbers_become_headers_and_ranks_count_from_below() {
        let text = "[DHJHtmlXQ]\n[DHJHtmlXQ_10]示例[/DHJHtmlXQ_10][DHJHtmlXQ_17]甲[/DHJHtmlXQ_17]\
            [dhjhtmlxq_21]乙[/x][DHJHtmlXQ_28]红胜[/DHJHtmlXQ_28][DHJHtmlXQ_31][/DHJHtmlXQ_31]\
            [DHJHtmlXQ_34]72427967[/DHJHtmlXQ_34][DHJHtmlXQ_99]z[/DHJHtmlXQ_99]\
            [game_comment_0_0]开始[/comment_0_0][game_comment_0_1]中炮||好[/comment_0_1][/DHJHtmlXQ]";
        let games = read(text);
        assert_eq!((games.len(), games[0].status, moves(&games[0])), (1, Status::Ok, "h2e2 h9g7".to_string()));
        let headers: Vec<_> = games[0].game.headers.iter().collect();
        assert_eq!(headers, [("Title", "示例"), ("Red", "甲"), ("Black", "乙"), ("dhj_99", "z")]);
        let comments: Vec<_> = games[0].game.tree.comments().iter().map(|c| c.text.as_str()).collect();
        assert_eq!((comments, games[0].game.result), (vec!["开始", "中炮\n好"], GameResult::RedWins));
    }

    #[test]
    fn a_composed_position_is_given_by_its_points() {
        let empty = "*********";
        let board =
            ["***k*****", "R***a****", empty, empty, empty, "********r", empty, empty, empty, "****K****"].concat();
        let text = format!("[DHJHtmlXQ_31]{board}[/x][DHJHtmlXQ_32]1[/x][DHJHtmlXQ_34]8480[/x][game_comment_0_5]x[/c]");
        let game = &read(&text)[0];
        assert_eq!((game.game.start.side_to_move(), game.status), (Color::Black, Status::Partial));
        assert_eq!(
            (game.game.start.to_board_fen().as_str(), moves(game).as_str()),
            ("3k5/R3a4/9/9/9/8r/9/9/9/4K4", "i4i0")
        );
        assert!(game.game.rest.contains("[game_comment_0_5]x"));
        let odd = &read("[DHJHtmlXQ_31]k*[/x][DHJHtmlXQ_34]7242796[/x]")[0];
        let found: Vec<_> = odd.findings.iter().map(|finding| finding.code.id()).collect();
        assert_eq!(found, ["F407", "F405", "F404"]);
    }
}
