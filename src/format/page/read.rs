//! Pages with labels to the text of PGN, line by line, so that every line keeps its number.

use super::labels::{HEADINGS, header};
use super::text::{GOES_ON, INDENT};
use crate::format::pgn::write_tag;
use crate::game::{Game, Name};
use crate::notation::read_move;

/// A page turned into the text of PGN.
#[derive(Debug)]
pub(in crate::format) struct Page {
    /// The text of PGN.
    pub text: String,
    /// Where each line starts in it, and where it started on the page.
    lines: Vec<(usize, usize)>,
    /// It has the heading of our own pages, so its comments are broken into lines by our rule.
    own: bool,
}

impl Page {
    /// The page, if it has a heading or labels.
    pub fn read(text: &str) -> Option<Page> {
        let own = text.lines().take(200).any(is_heading);
        if !own && text.lines().take(60).map(|line| labels(line).len()).sum::<usize>() < 2 {
            return None;
        }
        let mut page = Page { text: String::with_capacity(text.len()), lines: Vec::new(), own };
        let mut in_head = !own;
        let mut blank = true;
        for line in text.split_inclusive('\n') {
            page.lines.push((page.text.len(), line.as_ptr() as usize - text.as_ptr() as usize));
            let content = line.trim_matches(['\u{feff}', '\r', '\n', ' ', '\t']);
            if own {
                in_head = match content {
                    _ if is_heading(content) => {
                        page.text.push_str("[Game \"Chinese Chess\"]\n");
                        true
                    }
                    "" => {
                        page.text.push_str(line);
                        false
                    }
                    _ if is_frame(line) => {
                        page.text.push('\n');
                        false
                    }
                    _ => {
                        match content.split_once(['：', ':']).filter(|_| in_head) {
                            Some((name, value)) => {
                                page.tags(&[(header(name.trim()).unwrap_or(name.trim()), value.trim())])
                            }
                            None => page.text.push_str(line),
                        }
                        in_head
                    }
                };
                continue;
            }
            // Labels stand before the moves; behind them only the title of the next game begins a head.
            let found = labels(content);
            let begins =
                blank && found.iter().any(|(name, _)| *name == Name::Title.tag() || *name == Name::Event.tag());
            in_head |= begins;
            if in_head && !found.is_empty() {
                page.tags(&found);
            } else {
                in_head &= !begins_round(content);
                page.text.push_str(line);
            }
            blank = content.is_empty();
        }
        Some(page)
    }

    /// One line of tags. `B00 中炮局` as an opening is a code and a name.
    fn tags(&mut self, tags: &[(&str, &str)]) {
        let begin = self.text.len();
        for (name, value) in tags {
            match value.split_once(' ').filter(|(code, _)| *name == Name::Opening.tag() && !self.own && is_code(code)) {
                Some((code, opening)) => {
                    write_tag(Name::Ecco.tag(), code, &mut self.text);
                    write_tag(Name::Opening.tag(), opening.trim(), &mut self.text);
                }
                None => write_tag(name, value, &mut self.text),
            }
        }
        let line = self.text.split_off(begin).replace("\r\n", " ");
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// The offset on the page of an offset in the text.
    pub fn place(&self, at: usize) -> usize {
        let line = self.lines.partition_point(|(start, _)| *start <= at).saturating_sub(1);
        let Some(&(start, on_page)) = self.lines.get(line) else { return at };
        let length = self.lines.get(line + 1).map_or(usize::MAX, |(_, next)| next - on_page);
        on_page + (at - start).min(length.saturating_sub(1))
    }

    /// Makes one line again of what was broken to fit the page.
    pub fn join_lines(&self, game: &mut Game) {
        if !self.own {
            return;
        }
        game.tree.edit_comments(|text| {
            let mut lines = text.split('\n');
            let mut joined = lines.next().unwrap_or_default().to_string();
            for line in lines {
                match line.strip_prefix(INDENT) {
                    Some(line) => match line.strip_prefix(GOES_ON) {
                        Some(line) => joined.push_str(line),
                        None => joined = joined + "\n" + line,
                    },
                    None => joined = joined + "\n" + line.trim_start_matches(' '),
                }
            }
            *text = joined;
        });
    }
}

fn is_heading(line: &str) -> bool {
    let line = line.trim_matches(['\u{feff}', '\r', ' ', '\t']);
    HEADINGS.iter().any(|heading| line.eq_ignore_ascii_case(heading))
}

/// Whether the line belongs to the frame of a diagram.
pub(super) fn is_frame(line: &str) -> bool {
    let line = line.trim_start_matches(' ');
    line.starts_with('|') || line.starts_with("+-")
}

fn begins_round(line: &str) -> bool {
    let behind =
        line.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '．' | '、' | ' ' | '\u{3000}'));
    behind.len() < line.len() && read_move(behind).is_some()
}

fn is_code(text: &str) -> bool {
    matches!(text.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9'])
}

/// The labels of a line with their values, if the line begins with one.
fn labels(line: &str) -> Vec<(&'static str, &str)> {
    let mut found: Vec<(&'static str, usize, usize)> = Vec::new();
    for (colon, mark) in line.match_indices(['：', ':']) {
        // The label is what stands before the colon, from the last blank on, or from the beginning of the line.
        let before = &line[..colon];
        let from = found.last().map_or(0, |&(_, _, end)| end);
        let Some(before) = before.get(from..) else { continue };
        let word = before
            .trim_end()
            .rfind([' ', '\t', '\u{3000}'])
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let starts = [0, word].map(|at| (from + at, header(before[at..].trim())));
        match starts.into_iter().find_map(|(at, name)| Some((at, name?))) {
            Some((at, name)) if at == 0 || !found.is_empty() || line[..at].trim().is_empty() => {
                found.push((name, at, colon + mark.len()));
            }
            _ if found.is_empty() => return Vec::new(),
            _ => {}
        }
    }
    let ends = found.iter().skip(1).map(|&(_, at, _)| at).chain([line.len()]);
    let values: Vec<_> =
        found.iter().zip(ends).map(|(&(name, _, begin), end)| (name, line[begin..end].trim())).collect();
    values
}

/// Where the next page starts at or behind `from`, in the bytes of any encoding in which ASCII is ASCII.
pub(in crate::format) fn next_page(bytes: &[u8], from: usize) -> Option<usize> {
    let mut headings: Vec<Vec<u8>> = HEADINGS.iter().map(|heading| heading.as_bytes().to_vec()).collect();
    headings.push(encoding_rs::GB18030.encode(HEADINGS[0]).0.into_owned());
    headings.push(encoding_rs::GB18030.encode(HEADINGS[1]).0.into_owned());
    headings.push(encoding_rs::BIG5.encode(HEADINGS[1]).0.into_owned());
    let mut at = from;
    if at > 0 && bytes.get(at - 1) != Some(&b'\n') {
        at += memchr::memchr(b'\n', bytes.get(at..)?)? + 1;
    }
    loop {
        let line = bytes.get(at..)?;
        let end = memchr::memchr(b'\n', line).unwrap_or(line.len());
        if headings.iter().any(|heading| line[..end].trim_ascii_end() == heading.as_slice()) {
            return Some(at);
        }
        at += end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_found_alone_and_in_rows() {
        assert_eq!(labels("红方: 团队 姓名"), [("Red", "团队 姓名")]);
        assert_eq!(
            labels("标题：甲 乙  赛事：杯赛 日期: 2024:1"),
            [("Title", "甲 乙"), ("Event", "杯赛"), ("Date", "2024:1")]
        );
        assert_eq!(labels("开局 Fen 串：4k4/x"), [("FEN", "4k4/x")]);
        assert_eq!(labels("他说：红方：好"), []);
    }

    #[test]
    fn places_lead_back_to_the_page() {
        let page = Page::read("标题: x\n红方: y\n\n1. 炮二平五\n").unwrap();
        let at = page.text.find("炮").unwrap();
        assert_eq!(page.place(at), "标题: x\n红方: y\n\n1. ".len());
        assert_eq!(page.text.lines().count(), 4);
    }
}
