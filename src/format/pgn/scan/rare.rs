//! What is rare in move text: wide characters, moves that touch, page lines, text nobody can read.

use super::numbers::{group_len, has_words};
use super::words::{is_punctuation, result_token, result_word, wide_digit};
use super::{Problem, Scan, Stop};
use crate::game::GameResult;
use crate::notation::{Shape, read_move, read_number};
use crate::replay::Event;
use nom::character::complete::{char, digit1};
use nom::sequence::preceded;
use nom::{IResult, Parser};

impl Scan<'_, '_> {
    /// Everything that is rare.
    #[cold]
    pub(super) fn other(&mut self) -> Option<Stop> {
        let rest = &self.text[self.at..];
        let c = rest.chars().next()?;
        match c {
            '\u{3000}' | '\u{A0}' | '\u{FEFF}' | '\u{200B}' | '\u{2002}'..='\u{200A}' | '\u{FFFD}' => {
                self.at += c.len_utf8();
            }
            '（' => return self.open("（"),
            '）' => self.close(c.len_utf8()),
            '！' | '？' => self.mark(),
            '…' | '．' | '。' => self.dots(c.len_utf8()),
            '$' => {
                let nag: IResult<&str, &str> = preceded(char('$'), digit1).parse(rest);
                match nag {
                    Ok((behind, digits)) => {
                        if let Ok(number) = digits.parse() {
                            self.push(Event::Mark(number));
                        }
                        self.at += rest.len() - behind.len();
                    }
                    Err(_) => self.unreadable(),
                }
            }
            '/' if rest.starts_with("/*") => self.block_comment(),
            '*' => return self.take_result(GameResult::Unknown, 1),
            '½' | '０' | '１' if result_token(rest).is_some() => {
                let (result, used) = result_token(rest)?;
                return self.take_result(result, used);
            }
            '０'..='９' => return self.wide_number(),
            _ if !c.is_ascii_alphabetic()
                && let Some(stop) = self.shaped_number() =>
            {
                return stop;
            }
            '}' => {
                self.problem(self.at, Problem::StrayClose);
                self.at += 1;
            }
            // Rules of a table.
            '|' | '｜' | '│' | '┃' => self.at += c.len_utf8(),
            ',' | '，' | '、' | '；' if begins_element(&rest[c.len_utf8()..]) => self.at += c.len_utf8(),
            '【' | '〔' | '［' | '[' if self.remark() => {}
            _ if self.side_named() || self.in_words() => {}
            _ => {
                if let Some((result, used)) = result_word(rest) {
                    if self.out.moves > 0 {
                        return self.take_result(result, used);
                    }
                    self.early.get_or_insert(result);
                }
                if !self.glued() && !self.footnote() {
                    self.unreadable();
                }
            }
        }
        None
    }

    /// `【注：常见】` among the moves: a comment, if it ends on its line and near.
    fn remark(&mut self) -> bool {
        const NEAR: usize = 512;
        let rest = &self.text[self.at..];
        let mut chars = rest.char_indices().take(NEAR).skip(1);
        let close = chars.find(|(_, c)| matches!(c, '】' | '〕' | '］' | ']' | '\n' | '[' | '【'));
        let Some((end, close)) = close.filter(|(_, c)| matches!(c, '】' | '〕' | '］' | ']')) else { return false };
        if !self.line.play || self.out.moves == 0 {
            return false;
        }
        let inner = rest[..end].trim_start_matches(['【', '〔', '［', '[']);
        self.push(Event::Comment(inner));
        self.at += end + close.len_utf8();
        true
    }

    pub(super) fn wide_number(&mut self) -> Option<Stop> {
        let start = self.at;
        let mut value = 0u32;
        let mut end = start;
        for c in self.text[start..].chars() {
            let Some(digit) = wide_digit(c) else { break };
            value = value.saturating_mul(10).saturating_add(digit);
            end += c.len_utf8();
        }
        if self.bytes.get(end) == Some(&b'.') {
            self.at = end + 1;
            return self.take_number(start, value);
        }
        if let Some((token, used)) = read_move(&self.text[start..]) {
            // １５＝６: number and file of a pawn.
            self.take_move(token, used);
            return None;
        }
        let rest = &self.text[end..];
        let mark = rest.chars().next().filter(|c| matches!(c, '．' | '、' | ')' | '）' | ':' | '：'));
        let bare = value < 10_000 && read_move(rest.trim_start_matches([' ', '\t', '\u{3000}'])).is_some();
        if mark.is_none() && !bare {
            self.unreadable();
            return None;
        }
        self.at = end + mark.map_or(0, char::len_utf8);
        self.take_number(start, value)
    }

    /// Moves in letters that touch each other: `h2e2h9g7`, `Ｃ２＝５Ｈ８＋７`.
    pub(super) fn glued(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let letter = |c: char| c.is_ascii_alphanumeric() || ('０'..='ｚ').contains(&c);
        if !rest.starts_with(|c| letter(c) || matches!(c, '+' | '-' | '＋' | '－')) {
            return false;
        }
        for count in [4, 5] {
            let Some((len, next)) = rest.char_indices().nth(count) else { return false };
            if letter(next)
                && let Some((token, used)) = read_move(&rest[..len])
                && used == len
            {
                self.take_move(token, used);
                return true;
            }
        }
        false
    }

    /// Text that is nothing known: a page line if the whole line holds no move, else an entry for the replayer.
    pub(super) fn unreadable(&mut self) {
        if !self.line.play && !self.line.checked {
            let words = self.words || self.out.moves == 0;
            let line = self.rest_of_line();
            if !(has_move(line) || words && has_words(line)) {
                return self.page_line();
            }
            self.line.checked = true;
        }
        let rest = &self.text[self.at..];
        let mut len = 0;
        for (at, c) in rest.char_indices() {
            let ends = c.is_whitespace() || matches!(c, '{' | '(' | ')' | ';' | '（' | '）');
            if at > 0 && (ends || (!c.is_ascii() && read_move(&rest[at..]).is_some())) {
                break;
            }
            len = at + c.len_utf8();
        }
        let text = &rest[..len];
        // Lone punctuation between moves says nothing.
        if text.chars().any(|c| !is_punctuation(c)) {
            self.push(Event::Text(text));
            self.out.text_bytes += len;
        }
        self.at += len;
    }

    /// Keeps the rest of the line as page text.
    pub(super) fn page_line(&mut self) {
        let line = self.rest_of_line();
        // A line that has the look of a damaged move must not vanish between the moves.
        if self.out.moves > 0 && looks_damaged(line) {
            self.push(Event::Text(line.trim_end()));
            self.out.text_bytes += line.len();
        } else if !line.trim().is_empty() {
            self.out.page.push(self.at..self.at + line.len());
        }
        self.at += line.len();
    }
}

/// A short line with a direction in it, or with a character that could not be read.
fn looks_damaged(line: &str) -> bool {
    let line = line.trim();
    line.chars().count() <= 10
        && (line.contains(['进', '退', '平', '進']) || line.contains('\u{FFFD}'))
        && line.contains(|c: char| numeral(c))
}

/// Whether a move, in bare digits too, or a number that is not in digits stands at the start of a text.
fn begins_element(text: &str) -> bool {
    read_move(text).is_some()
        || group_len(text).is_some()
        || read_number(text).is_some_and(|number| number.shape != Shape::Digits)
}

fn numeral(c: char) -> bool {
    c.is_ascii_digit() || wide_digit(c).is_some() || "一二三四五六七八九".contains(c)
}

fn has_move(line: &str) -> bool {
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        let starts = !before.is_ascii_alphanumeric() || !c.is_ascii();
        if starts && !c.is_whitespace() && read_move(&line[at..]).is_some() {
            return true;
        }
        before = c;
    }
    false
}
