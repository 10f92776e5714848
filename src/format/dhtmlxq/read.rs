//! Tags to games.

use super::lines::{Line, Lines, read_ply};
use super::tags::{self, Item};
use super::{HEADERS, NORMAL, SITE, dhj};
use crate::board::{Color, Piece, Position, Square};
use crate::diag::{Finding, codes};
use crate::format::linear::{Record, playable, report_faults, settle_side};
use crate::format::listed::Listed;
use crate::format::sketch::Sketch;
use crate::format::text_file::TextFile;
use crate::format::xqf::SLOTS;
use crate::format::{Confidence, Format, ReadGame, ReadOptions, Reader, Sink, Source};
use crate::game::{GameResult, Headers, Name};
use crate::work::{Work, note};
use std::collections::{HashMap, HashSet};

/// Reads DhtmlXQ.
#[derive(Clone, Copy, Debug)]
pub struct DhtmlxqReader;

impl Reader for DhtmlxqReader {
    fn format(&self) -> Format {
        Format::Dhtmlxq
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        if tags::any(head) || dhj::any(head) {
            Confidence::Certain
        } else if bare_line(head).is_some() {
            Confidence::Likely
        } else {
            Confidence::No
        }
    }

    fn read(&self, source: Source<'_>, options: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        let mut file = TextFile::new(source, options);
        let text = file.take_text();
        let items = match bare_line(text.as_bytes()) {
            Some(digits) => vec![Item::Line([0, 1, 0], digits, 0)],
            None => tags::scan(&text),
        };
        let mut number = source.first_game;
        let mut findings = Vec::new();
        if let Some(at) = tags::open_block(&text) {
            let what = crate::say!("a block that is never closed; the text may be cut off"; "此段没有结束标签，文字可能被截断");
            findings.push(Finding::new(codes::UNCLOSED_TAG, what).byte(at as u64));
        }
        let blocks = items.split(|item| *item == Item::Block).filter(|block| !block.is_empty()).map(read_block);
        let relatives = if dhj::any(text.as_bytes()) { dhj::read(&text) } else { Vec::new() };
        for read in blocks.chain(relatives.into_iter().map(Ok)) {
            match read {
                Ok(mut game) => {
                    game.number = number;
                    game.encoding = file.encoding();
                    file.locate(&mut game.findings, number);
                    number += 1;
                    if games(game).is_break() {
                        break;
                    }
                }
                Err(finding) => findings.push(*finding),
            }
        }
        findings.extend(file.text_findings());
        file.locate_in_file(&mut findings);
        findings
    }
}

/// A text that is nothing but the digits of a main line which can be played.
fn bare_line(bytes: &[u8]) -> Option<&str> {
    let digits = std::str::from_utf8(bytes.trim_ascii()).ok()?;
    let all_digits = digits.len() >= 8 && digits.len().is_multiple_of(4) && digits.bytes().all(|b| b.is_ascii_digit());
    let moves = digits.as_bytes().chunks(4).take(8).map_while(read_ply);
    (all_digits && playable(Position::start(), moves) == (digits.len() / 4).min(8)).then_some(digits)
}

#[derive(Default)]
struct Fields<'a> {
    tags: Vec<(&'a str, &'a str, usize)>,
    lines: Vec<Line<'a>>,
    /// Line, ply, text.
    comments: Vec<(u32, u32, &'a str, usize)>,
}

impl<'a> Fields<'a> {
    fn get(&self, name: &str) -> Option<(&'a str, usize)> {
        note(Work::Items, self.tags.len());
        self.tags
            .iter()
            .find(|(n, value, _)| *n == name && !value.trim().is_empty())
            .map(|(_, value, at)| (*value, *at))
    }
}

fn read_block(items: &[Item<'_>]) -> Result<ReadGame, Box<Finding>> {
    let mut record = Record::default();
    let mut fields = sort(items, &mut record.findings);
    if let Some((_, at)) = fields.get("jieqi") {
        let text = "a game of the hidden-piece variant (揭棋), which is not supported";
        return Err(Box::new(Finding::new(codes::NOT_SUPPORTED, text).byte(at as u64)));
    }
    let mut lines = Lines::join(std::mem::take(&mut fields.lines));
    read_start(&fields, &lines, &mut record);
    read_headers(&fields, &mut record);
    let mut listed = Listed::default();
    for &(line, ply, text, at) in &fields.comments {
        let text = comment_text(text);
        match lines.node(line, ply) {
            Some(node) => lines.sketch.comment(node, &text),
            None => {
                record.damaged = true;
                let what = format!("a comment on ply {ply} of line {line}, which does not exist; kept as text");
                listed.push(Finding::new(codes::LOOSE_LINE, what).text(text.clone()).byte(at as u64));
                loose(&mut record.unfolded.rest, &format!("[DhtmlXQ_comment{line}_{ply}]{text}"));
            }
        }
    }
    for (at, rest) in &lines.odd {
        record.damaged = true;
        let text = "digits that are no ply: four are needed, file and rank twice";
        listed.push(Finding::new(codes::UNREADABLE_LINE, text).text(rest.clone()).byte(*at as u64));
        loose(&mut record.unfolded.rest, rest);
    }
    if let Some(at) = lines.full {
        record.damaged = true;
        listed.push(Sketch::too_long(at as u64));
    }
    for (line, why) in &lines.loose {
        record.damaged = true;
        let [parent, ply, number] = line.numbers;
        let text = format!("line {number} leaves line {parent} at ply {ply}: {why}; kept as text");
        listed.push(Finding::new(codes::LOOSE_LINE, text).byte(line.at as u64));
        loose(&mut record.unfolded.rest, &format!("[DhtmlXQ_move_{parent}_{ply}_{number}]{}", line.digits.trim()));
    }
    record.findings.extend(listed.into_findings());
    // The order of what is damaged is that of the text above; the tree comes last because it takes the comments.
    let tree = lines.sketch.play(&mut record);
    Ok(record.finish(tree, 0, ""))
}

pub(super) fn loose(rest: &mut String, line: &str) {
    if !rest.is_empty() {
        rest.push('\n');
    }
    rest.push_str(line);
}

/// Sorts the tags of a block into lines, comments and the rest.
fn sort<'a>(items: &'a [Item<'a>], findings: &mut Vec<Finding>) -> Fields<'a> {
    let mut fields = Fields::default();
    let mut listed = Listed::default();
    for item in items {
        match item {
            Item::Block => {}
            Item::Line(numbers, digits, at) => fields.lines.push(Line { numbers: *numbers, digits, at: *at }),
            Item::Tag { name, value, at, open } => {
                if *open {
                    let text = "a tag that is never closed; its value ends at the next tag";
                    listed.push(Finding::new(codes::UNCLOSED_TAG, text).text(name.as_str()).byte(*at as u64));
                }
                let numbers = |text: &str| -> Option<Vec<u32>> { text.split('_').map(|n| n.parse().ok()).collect() };
                if name == "movelist" {
                    if !value.trim().is_empty() && !value.contains('[') {
                        fields.lines.push(Line { numbers: [0, 1, 0], digits: value, at: *at });
                    }
                } else if let Some([parent, ply, number]) = name.strip_prefix("move_").and_then(numbers).as_deref() {
                    fields.lines.push(Line { numbers: [*parent, *ply, *number], digits: value, at: *at });
                } else if let Some(place) = name.strip_prefix("comment").and_then(numbers) {
                    if !value.is_empty() {
                        match place[..] {
                            [ply] => fields.comments.push((0, ply, value, *at)),
                            [line, ply] => fields.comments.push((line, ply, value, *at)),
                            _ => fields.tags.push((name, value, *at)),
                        }
                    }
                } else {
                    fields.tags.push((name, value, *at));
                }
            }
        }
    }
    // The same line twice, as in a page whose script repeats its tags, says nothing new.
    let mut seen = HashSet::new();
    fields.lines.retain(|line| seen.insert((line.numbers, line.digits)));
    let mut first = HashMap::new();
    for &(name, value, at) in &fields.tags {
        if !value.trim().is_empty() && *first.entry(name).or_insert(value) != value {
            let text = format!("a second value for {name}; the first one counts");
            listed.push(Finding::new(codes::REPEATED_TAG, text).text(value).byte(at as u64));
        }
    }
    findings.extend(listed.into_findings());
    fields
}

fn read_start(fields: &Fields<'_>, lines: &Lines<'_>, record: &mut Record) {
    let mut told = false;
    let binit = fields.get("binit");
    if let Some((fen, at)) = fields.get("fen") {
        match (Position::from_fen(&tags::plain(fen)), binit) {
            (Ok(start), _) => {
                record.start = start;
                told = true;
            }
            // The other tag tells it as well.
            (Err(why), Some(_)) => {
                let finding = Finding::new(codes::BAD_FEN, crate::say!("{why}"; "{}", why.chinese()));
                record.findings.push(finding.text(fen).byte(at as u64));
            }
            (Err(why), None) => record.unread_start(fen, at as u64, crate::say!("{why}"; "{}", why.chinese())),
        }
    }
    let at = binit.map(|(_, at)| at as u64);
    if let (Some((text, _)), false) = (binit, told) {
        record.start = read_binit(text, &mut record.findings, at);
    }
    settle_side(&mut record.start, lines.sketch.first_from(), told, at, &mut record.findings);
    // Without a ply the side is Red's, unless Black would then stand in check out of turn.
    if lines.sketch.len() == 1 && !told && record.start.attacker_of_king(Color::Black).is_some() {
        record.start.set_side_to_move(Color::Black);
    }
    report_faults(&record.start, at, &mut record.findings);
    if let Some((round, _)) = fields.get("firstnum")
        && let Ok(round) = round.trim().parse()
    {
        record.start.set_counters(0, round);
    }
}

/// 64 digits, two for each of 32 pieces; what is missing is taken from the normal start position.
fn read_binit(text: &str, findings: &mut Vec<Finding>, at: Option<u64>) -> Position {
    let mut digits: Vec<u8> =
        text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(10).map_or(9, |digit| digit as u8)).collect();
    if digits.len() != NORMAL.len() {
        let message = format!("{} digits instead of 64", digits.len());
        let mut finding = Finding::new(codes::BROKEN_HEADER, message).text(text.trim());
        finding.byte = at;
        findings.push(finding);
        let known = digits.len().min(NORMAL.len());
        digits.truncate(known);
        digits.extend(NORMAL[known..].bytes().map(|byte| byte - b'0'));
    }
    let mut position = Position::empty(Color::Red);
    for (slot, pair) in digits.chunks_exact(2).enumerate() {
        if let Some(square) = Square::new(pair[0], 9 - pair[1]) {
            let color = if slot < 16 { Color::Red } else { Color::Black };
            position.put(square, Some(Piece::new(color, SLOTS[slot % 16])));
        }
    }
    position
}

fn read_headers(fields: &Fields<'_>, record: &mut Record) {
    let headers = &mut record.headers;
    let mut used = vec![
        "red",
        "black",
        "redname",
        "blackname",
        "open",
        "result",
        "fen",
        "binit",
        "length",
        "firstnum",
        "movelist",
        "init",
        "ver",
    ];
    let mut put = |headers: &mut Headers, tag: &'static str, name: &str| {
        used.push(tag);
        if let Some((value, _)) = fields.get(tag) {
            let value = if tag == "refer" { unescape(value) } else { tags::plain(value) };
            headers.push(name, value);
        }
    };
    for (tag, name) in HEADERS {
        put(headers, tag, name);
        match tag {
            "timerule" => push_player(fields, headers, "red", Name::Red.tag(), "RedName"),
            "redtime" => push_player(fields, headers, "black", Name::Black.tag(), "BlackName"),
            _ => {}
        }
    }
    if let Some((open, _)) = fields.get("open") {
        let open = tags::plain(open);
        let (code, name) = open.split_once(' ').unwrap_or((open.as_str(), ""));
        if matches!(code.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']) {
            headers.push(Name::Ecco.tag(), code);
            if !name.trim().is_empty() {
                headers.push(Name::Opening.tag(), name.trim());
            }
        } else {
            headers.push(Name::Opening.tag(), open);
        }
    }
    if let Some((result, at)) = fields.get("result") {
        let result = tags::plain(result);
        match GameResult::read(&result) {
            Some(known) => record.result = known,
            None => {
                // A study may give several.
                if result != "多种结果" {
                    let finding =
                        Finding::new(codes::BROKEN_HEADER, "no known result, kept as a header").byte(at as u64);
                    record.findings.push(finding.text(result.clone()));
                }
                headers.push("ResultText", result);
            }
        }
    }
    let mut own: HashSet<&str> = HashSet::new();
    for (name, value, _) in &fields.tags {
        if !used.contains(name) && !value.trim().is_empty() && own.insert(name) {
            headers.push(format!("{SITE}{name}"), tags::plain(value));
        }
    }
}

/// A player's own name stands in `redname`; `red` is what the page shows, often team and name.
fn push_player(fields: &Fields<'_>, headers: &mut Headers, side: &str, name: &str, own_name: &str) {
    let value = |tag: &str| fields.get(tag).map(|(value, _)| tags::plain(value)).unwrap_or_default();
    let (shown, own, team) = (value(side), value(&format!("{side}name")), value(&format!("{side}team")));
    let joined = [team.as_str(), own.as_str()].concat();
    if !own.is_empty() && (shown.is_empty() || shown.split_whitespace().collect::<String>() == joined) {
        headers.push(name, own);
    } else {
        if !shown.is_empty() {
            headers.push(name, &shown);
        }
        if !own.is_empty() && own != shown {
            headers.push(own_name, own);
        }
    }
}

/// `||` is a line end, `\uXXXX` a character.
pub(super) fn comment_text(value: &str) -> String {
    let value = value.replace("\r\n", "\n").replace("||", "\n");
    unescape_with(&value, "\\u")
}

/// The `escape` of JavaScript undone: `%uXXXX` and `%XX`.
fn unescape(value: &str) -> String {
    let value = unescape_with(value.trim(), "%u");
    let mut text = String::new();
    let mut rest = value.as_str();
    while let Some(at) = rest.find('%') {
        text.push_str(&rest[..at]);
        match rest.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                text.push(char::from(byte));
                rest = &rest[at + 3..];
            }
            None => {
                text.push('%');
                rest = &rest[at + 1..];
            }
        }
    }
    text.push_str(rest);
    text.replace("\r\n", "\n")
}

/// Characters written as a mark and four hexadecimal digits, surrogate pairs included.
fn unescape_with(value: &str, mark: &str) -> String {
    let Some(first) = value.find(mark) else { return value.to_string() };
    let mut text = value[..first].to_string();
    let mut rest = &value[first..];
    let mut units = Vec::new();
    loop {
        let unit = rest
            .strip_prefix(mark)
            .and_then(|rest| rest.get(..4))
            .filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|hex| u16::from_str_radix(hex, 16).ok());
        if let Some(unit) = unit {
            units.push(unit);
            rest = &rest[mark.len() + 4..];
            continue;
        }
        text.push_str(&String::from_utf16_lossy(&units));
        units.clear();
        let Some(c) = rest.chars().next() else { return text };
        let next = rest[c.len_utf8()..].find(mark).map_or(rest.len(), |at| at + c.len_utf8());
        text.push_str(&rest[..next]);
        rest = &rest[next..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escaped_characters_are_resolved() {
        assert_eq!(comment_text("a||\\u4e2d\\u70ae\\u12"), "a\n中炮\\u12");
        assert_eq!(unescape("%u4E2D%20x%0D%0A100%"), "中 x\n100%");
    }

    #[test]
    fn bare_digits_are_a_line_only_if_they_can_be_played() {
        assert_eq!(bare_line(b"77477062\n"), Some("77477062"));
        assert_eq!(bare_line(b"12345678"), None);
        assert_eq!(bare_line(b"7747"), None);
    }
}
