//! Games to tags.
//!
//! Lines are numbered as the site does: in the order of the tree, each ply that is not a first child opens the next line.

use super::{HEADERS, SITE};
use crate::board::{Color, Move, Position, Square};
use crate::diag::Finding;
use crate::format::fold::{self, Fit};
use crate::format::xqf::slots;
use crate::format::{Format, WriteOptions, Writer, is_implied, text_file};
use crate::game::{Game, GameResult, Name, NodeId};
use std::fmt::Write;

/// Writes DhtmlXQ.
#[derive(Clone, Copy, Debug)]
pub struct DhtmlxqWriter;

impl Writer for DhtmlxqWriter {
    fn format(&self) -> Format {
        Format::Dhtmlxq
    }

    fn extension(&self) -> &'static str {
        "ubb"
    }

    fn holds_many(&self) -> bool {
        true
    }

    fn write(&self, game: &Game, options: &WriteOptions, out: &mut Vec<u8>) -> Vec<Finding> {
        let (mut comments, mut findings) = fold::fold_tree(&game.tree);
        let mut text = String::from("[DhtmlXQ]\n");
        let mut put = |name: &str, value: &str| {
            let _ = writeln!(text, "[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]");
        };
        let mut extra = Vec::new();
        write_headers(game, &mut extra, &mut put);
        write_start(&game.start, game.tree.ply_count() > 0, &mut put);
        fold::fold_game(&mut comments, game, extra.into_iter(), &mut findings);

        let tree = &game.tree;
        let mut lines = vec![Line { parent: 0, ply: 1, digits: String::new() }];
        // The line each node on the way belongs to.
        let mut path: Vec<usize> = vec![0];
        let mut notes = vec![(0, 0, NodeId::ROOT)];
        let plies: &mut dyn Iterator<Item = (NodeId, u32)> =
            if options.main_line { &mut tree.main_line().zip(1..) } else { &mut tree.walk() };
        for (id, depth) in plies {
            let depth = depth as usize;
            path.truncate(depth);
            let parent = tree.parent(id).unwrap_or(NodeId::ROOT);
            let above = path[depth - 1];
            let line = if tree.first_child(parent) == Some(id) {
                above
            } else {
                // The parent line is the one the first child went on with.
                lines.push(Line { parent: above, ply: depth, digits: String::new() });
                lines.len() - 1
            };
            lines[line].digits.push_str(&digits(tree[id].m));
            path.push(line);
            notes.push((line, depth, id));
        }
        put("movelist", &lines[0].digits);
        for (number, line) in lines.iter().enumerate().skip(1) {
            put(&format!("move_{}_{}_{number}", line.parent, line.ply), &line.digits);
        }
        for (line, ply, id) in notes {
            if let Some(comment) = comments.remove(&id) {
                let place = if line == 0 { ply.to_string() } else { format!("{line}_{ply}") };
                put(&format!("comment{place}"), &escape_comment(&comment));
            }
        }
        text.push_str("[/DhtmlXQ]\n");
        findings.extend(text_file::encode(&text, options.encoding, out));
        findings
    }
}

struct Line {
    parent: usize,
    ply: usize,
    digits: String,
}

fn write_headers<'a>(game: &'a Game, extra: &mut Vec<(Fit, &'a str, &'a str)>, put: &mut impl FnMut(&str, &str)) {
    let mut used: Vec<&str> = Vec::new();
    for (name, value) in game.headers.iter() {
        let is = |tag: &str| name.eq_ignore_ascii_case(tag);
        if is_implied(name, value, game) || is(Name::Ecco.tag()) || is(Name::Opening.tag()) {
            continue;
        }
        let tag = match HEADERS.iter().find(|(_, header)| is(header)) {
            Some((tag, _)) => tag,
            None if is(Name::Red.tag()) || is("White") => "red",
            None if is(Name::Black.tag()) => "black",
            None if is("RedName") => "redname",
            None if is("BlackName") => "blackname",
            None => name.strip_prefix(SITE).filter(|tag| tag.bytes().all(|b| b.is_ascii_alphanumeric())).unwrap_or(""),
        };
        if tag.is_empty() || used.contains(&tag) || value.trim() != value {
            extra.push((Fit::Foreign, name, value));
            continue;
        }
        used.push(tag);
        let value = if tag == "refer" { js_escape(value) } else { escape(value) };
        put(tag, &value);
    }
    let opening: Vec<&str> = [Name::Ecco, Name::Opening].iter().filter_map(|&name| game.headers.get(name)).collect();
    if !opening.is_empty() {
        put("open", &escape(&opening.join(" ")));
    }
    if game.result != GameResult::Unknown {
        put(
            "result",
            match game.result {
                GameResult::RedWins => "红胜",
                GameResult::BlackWins => "黑胜",
                _ => "和棋",
            },
        );
    }
}

fn write_start(start: &Position, moves: bool, put: &mut impl FnMut(&str, &str)) {
    let layout = slots(start);
    // The side follows from the first ply; without one, and for more pieces than the list holds, a FEN is needed.
    let assumed = if start.attacker_of_king(Color::Black).is_some() { Color::Black } else { Color::Red };
    if layout.is_err() || (!moves && start.side_to_move() != assumed) {
        put("fen", &start.to_fen());
    }
    if let Ok(layout) = layout {
        let digits: String = layout
            .iter()
            .map(|&number| match Square::new(number / 10, number % 10) {
                Some(square) => square_digits(square),
                None => "99".to_string(),
            })
            .collect();
        put("binit", &digits);
    }
}

fn square_digits(square: Square) -> String {
    format!("{}{}", square.file(), 9 - square.rank())
}

fn digits(m: Move) -> String {
    square_digits(m.from()) + &square_digits(m.to())
}

/// A header value: what the reader would take for markup becomes entities.
fn escape(value: &str) -> String {
    crate::format::xml::escape(value).replace("[/", "&#91;/").replace("[D", "&#91;D").replace("[d", "&#91;d")
}

/// A comment on one line: line ends become `||`, and whatever would be taken for one of ours an escape.
fn escape_comment(text: &str) -> String {
    let text = text.replace("\\u", "\\u005cu").replace("||", "\\u007c|").replace("||", "\\u007c|");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        match c {
            '\n' if out.ends_with('|') => out.push_str("\\u000a"),
            '\n' => out.push_str("||"),
            '\r' => out.push_str("\\u000d"),
            '|' if out.ends_with('|') => out.push_str("\\u007c"),
            '[' if rest[1..].trim_start_matches('/').get(..7).is_some_and(|s| s.eq_ignore_ascii_case("DhtmlXQ")) => {
                out.push_str("\\u005b");
            }
            c => out.push(c),
        }
        rest = &rest[c.len_utf8()..];
    }
    // Blanks at the ends of a comment would be trimmed by other readers; only an all-blank one is lost here.
    out
}

/// The `escape` of JavaScript.
fn js_escape(value: &str) -> String {
    let mut text = String::new();
    for unit in value.replace('\n', "\r\n").encode_utf16() {
        let _ = match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii_alphanumeric() || b"@*_+-./".contains(&byte) => {
                text.push(char::from(byte));
                Ok(())
            }
            Ok(byte) => write!(text, "%{byte:02X}"),
            Err(_) => write!(text, "%u{unit:04X}"),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_never_closes_its_own_tag() {
        assert_eq!(escape_comment("a\nb"), "a||b");
        assert_eq!(escape_comment("[/DhtmlXQ_x] [1]"), "\\u005b/DhtmlXQ_x] [1]");
        assert_eq!(js_escape("中 x\n1.5"), "%u4E2D%20x%0D%0A1.5");
    }
}
