//! A sheet typed as text, read into entries. No board is needed yet.
//!
//! Comes in: lines of numbered rows with two columns, in the full or the short form (any notation is read). Goes out:
//! [`Sheet`], the entries in the order of the plies with their rows, lines and texts, and what the sheet states besides:
//! a start position, a result, a final diagram, the number of rounds, dashes typed for the bars of a line.
//!
//! Forgives:
//!
//! - any mark behind a round number (、 . ） :), none, circled numbers, 第三回合; several rounds on a line; two halves
//!   of a sheet side by side; no numbers at all;
//! - columns parted by blanks, tabs, bars of a table; a row with one entry, whose column is told by its place or by its
//!   numerals; a dash or a point between two digits where a bar stood;
//! - question marks and boxes for what cannot be read: 炮?5, 车2?, ?, □□; blanks, dashes and 缺 for missing entries;
//! - struck-out entries: ~~炮25~~, `<s>炮25</s>`, 炮25(划去), characters with a stroke through them;
//! - remarks in brackets, titles, names of players, prose.
//!
//! ```text
//! 1、炮25 馬87 2、馬2 3 車98 3、車12 炮8 4
//!            - -
//! ```

use super::pattern::{Directions, Pattern, Which};
use super::row::{Item, Row, Rows};
use crate::board::{Position, START_FEN};
use crate::diag::{Finding, codes};
use crate::game::GameResult;
use crate::notation::{Token, looks_like_move, read_move};
use crate::say;

/// What stands at one place of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A move text.
    Written(Token),
    /// A move text with signs that cannot be read.
    Damaged(Pattern),
    /// Something that says nothing.
    Illegible,
    /// Nothing.
    Missing,
}

/// One place of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Round number of its row, counted from the rows (from 1).
    pub row: u32,
    /// Round number as printed, if one is.
    pub printed: Option<u32>,
    /// Line of the text, from 1.
    pub line: u32,
    /// Whether it stands in the second column.
    pub second: bool,
    /// The text as written.
    pub text: String,
    /// What it says.
    pub what: What,
    /// A question mark stands behind it.
    pub doubted: bool,
}

/// A jump of the printed numbers: rows may be missing, or a number was skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    /// Index of the entry before which it lies.
    pub before: usize,
    /// Rows that would be missing.
    pub rows: u32,
}

/// A sheet as read.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// The position before the first entry.
    pub start: Position,
    /// The places in the order of the plies.
    pub entries: Vec<Entry>,
    /// The result it states.
    pub result: Option<GameResult>,
    /// Board field of the final diagram it states.
    pub last_board: Option<String>,
    /// The number of rounds it states.
    pub rounds: Option<u32>,
    /// Bars typed as dashes: line of the entries and how many.
    pub bars: Vec<(u32, u32)>,
    /// Jumps of the printed numbers.
    pub jumps: Vec<Jump>,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// The most entries a sheet may have; a longer text is no score sheet.
const MOST_ENTRIES: usize = 4000;

impl Sheet {
    /// Reads a sheet. Never fails: a text without entries is a sheet without entries.
    pub fn read(text: &str) -> Sheet {
        let mut rows = Rows::default();
        let mut sheet = Sheet {
            start: Position::start(),
            entries: Vec::new(),
            result: None,
            last_board: None,
            rounds: None,
            bars: Vec::new(),
            jumps: Vec::new(),
            findings: Vec::new(),
        };
        let mut last_row_line = 0;
        let mut entries = 0;
        for (number, line) in (1u32..).zip(text.lines()) {
            let line = line.trim_end().trim_start_matches('\u{feff}');
            if line.trim().is_empty() || sheet.read_statement(line, number) {
                continue;
            }
            if let Some(dashes) = dashes(line) {
                if last_row_line > 0 && dashes > 0 {
                    sheet.bars.push((last_row_line, dashes));
                }
                continue;
            }
            let mut found_entries: usize = 0;
            let found = Scanner { line, number, findings: &mut sheet.findings }.rows();
            if found.iter().any(|row| row.number.is_some() || !row.items.is_empty()) {
                last_row_line = number;
                found_entries = found.iter().map(|row| row.items.len()).sum();
                rows.extend(found);
            }
            entries += found_entries;
            if entries > MOST_ENTRIES {
                sheet.findings.push(
                    Finding::new(
                        codes::SHEET_TOO_LONG,
                        say!("not read beyond {MOST_ENTRIES} entries"; "只读到第 {MOST_ENTRIES} 格"),
                    )
                    .line(u64::from(number), None),
                );
                break;
            }
        }
        rows.arrange(&mut sheet);
        sheet.read_strokes();
        sheet
    }

    /// A stroke between two digits (马2-3, 炮8.4) may be a bar that is drawn there: a dash on a sheet that never writes
    /// `+`, a point on a sheet that gives it to pieces that cannot traverse.
    fn read_strokes(&mut self) {
        let stroke = |entry: &Entry, stroke: char| {
            let What::Written(_) = entry.what else { return None };
            let (before, behind) = entry.text.split_once(stroke)?;
            let short = before.chars().next_back().is_some_and(|c| c.is_ascii_digit())
                && behind.chars().next().is_some_and(|c| c.is_ascii_digit())
                && before.chars().next().is_some_and(|c| !c.is_ascii());
            let (token, used) = read_move(&format!("{before} {behind}")).filter(|_| short)?;
            let pattern = Pattern::of_token(&token, true)?;
            (used == entry.text.len() && pattern.directions == Directions::BAR).then_some((token, pattern))
        };
        let plus = self.entries.iter().any(|entry| entry.text.contains('+'));
        let point = self
            .entries
            .iter()
            .any(|entry| stroke(entry, '.').is_some_and(|(_, p)| p.kind.is_some_and(super::hypothesis::is_slanting)));
        for entry in &mut self.entries {
            let dash = stroke(entry, '-').filter(|_| !plus);
            if let Some((token, _)) = dash.or_else(|| stroke(entry, '.').filter(|_| point)) {
                entry.what = What::Written(token);
            }
        }
    }

    /// Reads a line that states something about the whole game.
    fn read_statement(&mut self, line: &str, number: u32) -> bool {
        let line = line.trim();
        let (name, value) = if let Some(tag) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            let Some((name, value)) = tag.split_once(char::is_whitespace) else { return false };
            (name, value.trim().trim_matches('"'))
        } else if let Some((name, value)) = line.split_once([':', '：']) {
            (name.trim(), value.trim())
        } else if let Some(result) = GameResult::read(line) {
            self.result = Some(result);
            return true;
        } else {
            return false;
        };
        match name.to_ascii_lowercase().as_str() {
            "fen" | "start" | "局面" | "起始局面" | "开始局面" | "開始局面" => {
                match Position::from_fen(value) {
                    Ok(position) => self.start = position,
                    Err(fault) => self.findings.push(
                        Finding::new(codes::SHEET_STATEMENT, fault.to_string())
                            .line(u64::from(number), None)
                            .text(value),
                    ),
                }
            }
            "final" | "end" | "最后局面" | "最後局面" | "终局" | "終局" | "终局局面" => {
                match Position::from_fen(value) {
                    Ok(position) => self.last_board = Some(position.to_board_fen()),
                    Err(fault) => self.findings.push(
                        Finding::new(codes::SHEET_STATEMENT, fault.to_string())
                            .line(u64::from(number), None)
                            .text(value),
                    ),
                }
            }
            "result" | "结果" | "結果" | "胜负" | "勝負" => self.result = GameResult::read(value),
            "rounds" | "回合" | "回合数" | "回合數" | "总回合" => {
                self.rounds = value.trim_end_matches(['回', '合']).trim().parse().ok();
            }
            // Any other tag is a statement too; any other line with a colon may be a row.
            _ => return line.starts_with('['),
        }
        true
    }

    /// Whether the start position is the usual one.
    pub fn is_standard(&self) -> bool {
        self.start == Position::start() && self.start.to_fen() == START_FEN
    }
}

/// A line of dashes alone: how many bars it shows; 0 for a ruled line.
fn dashes(line: &str) -> Option<u32> {
    const DASH: [char; 9] = ['-', '－', '—', '–', '_', '＿', '¯', '￣', 'ˉ'];
    let mut count = 0;
    let mut run = 0;
    for c in line.chars() {
        if DASH.contains(&c) {
            run += 1;
            count += u32::from(run == 1);
            if run > 3 {
                return line.chars().all(|c| DASH.contains(&c) || is_blank(c)).then_some(0);
            }
        } else if is_blank(c) {
            run = 0;
        } else {
            return None;
        }
    }
    (count > 0).then_some(count)
}

pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{3000}' || c == '\u{a0}' || c == '\u{200b}'
}

/// Reads the rows of one line.
struct Scanner<'a> {
    line: &'a str,
    number: u32,
    findings: &'a mut Vec<Finding>,
}

impl Scanner<'_> {
    fn rows(&mut self) -> Vec<Row> {
        let mut rows = vec![Row::new(None, self.number)];
        let mut at = 0;
        let table = self.line.contains(['\t', '|', '│', '｜']);
        let mut fresh = true;
        let mut cell_used = true;
        while let Some(c) = self.line[at..].chars().next() {
            let rest = &self.line[at..];
            let row = rows.last_mut().expect("there is a row from the start");
            if table && matches!(c, '\t' | '|' | '│' | '｜') {
                // An empty cell between two marks is a missing entry.
                if !cell_used && row.number.is_some() {
                    row.items.push(Item::missing(self.column(at)));
                }
                cell_used = false;
                at += c.len_utf8();
            } else if is_blank(c) || matches!(c, ',' | '，' | ';' | '；' | '。') {
                at += c.len_utf8();
            } else if let Some((number, used, dotted)) = row_number(rest, fresh) {
                rows.push(Row::new(Some(number), self.number));
                at += used;
                cell_used = true;
                if dotted {
                    let column = self.column(at);
                    rows.last_mut().expect("just pushed").items.push(Item { absent: true, ..Item::missing(column) });
                }
            } else if let Some(used) = remark(rest) {
                at += used;
            } else if let Some((text, used)) = struck(rest) {
                self.findings.push(
                    Finding::new(codes::SHEET_STRUCK_OUT, say!("struck out, not read"; "已划掉，未读"))
                        .line(u64::from(self.number), Some(self.column(at) as u64 + 1))
                        .text(text),
                );
                at += used;
            } else {
                let used = self.item(at, row, &mut cell_used);
                at += used;
            }
            fresh = false;
        }
        rows.retain(|row| row.number.is_some() || !row.items.is_empty());
        rows
    }

    /// Reads one entry, or skips a word that is none; tells how many bytes it took.
    fn item(&mut self, at: usize, row: &mut Row, cell_used: &mut bool) -> usize {
        let rest = &self.line[at..];
        // The gap of a lost bar (马2 3) never reaches over the mark between two columns.
        let rest = &rest[..rest.find(['\t', '|', '│', '｜']).unwrap_or(rest.len())];
        let column = self.column(at);
        let whole = rest.find(is_separator).unwrap_or(rest.len()).max(rest.chars().next().map_or(1, char::len_utf8));
        let word = &rest[..whole];
        let (what, mut used) = if let Some((token, used)) = read_move(rest)
            && !rest[used..].starts_with(['□', '■'])
        {
            (What::Written(token), used)
        } else if is_missing_mark(word) {
            (What::Missing, whole)
        } else if let Some(pattern) = damaged(word) {
            (What::Damaged(pattern), whole)
        } else if word.contains(['?', '？', '□', '■', '×']) || looks_like_move(word) {
            (What::Illegible, whole)
        } else {
            return whole;
        };
        let text = &rest[..used];
        let mut doubted = false;
        while let Some(mark) = rest[used..].chars().next().filter(|c| matches!(c, '?' | '？' | '!' | '！')) {
            doubted |= matches!(mark, '?' | '？');
            used += mark.len_utf8();
        }
        let after = rest[used..].trim_start_matches(is_blank);
        if let Some(mark) = ["(划去)", "（划去）", "(划)", "（划）", "(删)", "（删）", "(x)", "（×）"]
            .iter()
            .find(|mark| after.starts_with(**mark))
        {
            self.findings.push(
                Finding::new(codes::SHEET_STRUCK_OUT, say!("struck out, not read"; "已划掉，未读"))
                    .line(u64::from(self.number), Some(column as u64 + 1))
                    .text(text),
            );
            return rest.len() - after.len() + mark.len();
        }
        *cell_used = true;
        row.items.push(Item { what, text: text.to_string(), column, doubted, absent: false });
        used
    }

    /// Place on the line as a reader sees it: Chinese characters are two columns wide.
    fn column(&self, at: usize) -> usize {
        self.line[..at].chars().map(|c| if (c as u32) < 0x1100 { usize::from(!is_mark(c)) } else { 2 }).sum()
    }
}

/// Marks that stand on the character before them.
fn is_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

fn is_separator(c: char) -> bool {
    is_blank(c) || matches!(c, ',' | '，' | ';' | '；' | '。' | '、' | '|' | '│' | '｜' | '(' | '（' | '{')
}

/// A round number at the start of the text, the bytes it takes, and whether dots say that its first entry is left out.
fn row_number(text: &str, line_start: bool) -> Option<(u32, usize, bool)> {
    let mut number = 0u32;
    let mut used = 0;
    let mut closed = false;
    let chars: Vec<(usize, char)> = text.char_indices().take(12).collect();
    if let Some(index) = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳".chars().position(|c| c == chars[0].1)
    {
        return Some((index as u32 + 1, chars[0].1.len_utf8(), false));
    }
    let ordinal = chars[0].1 == '第';
    for &(at, c) in chars.iter().skip(usize::from(ordinal)) {
        let Some(digit) =
            c.to_digit(10).or_else(|| "０１２３４５６７８９".chars().position(|d| d == c).map(|d| d as u32))
        else {
            break;
        };
        number = number * 10 + digit;
        used = at + c.len_utf8();
        if number > 2000 {
            return None;
        }
    }
    if used == 0 {
        return None;
    }
    let mut rest = &text[used..];
    if ordinal {
        rest = rest.strip_prefix("回合").or_else(|| rest.strip_prefix('回'))?;
        closed = true;
    }
    let bare = rest;
    for mark in ["、", ".", "．", ")", "）", "：", ":", "。"] {
        if let Some(after) = rest.strip_prefix(mark) {
            rest = after;
            closed = true;
            break;
        }
    }
    let dots = rest.trim_start_matches(is_blank);
    let after_dots = dots.trim_start_matches(['.', '．', '…', '·']);
    let dotted = dots.len() - after_dots.len() >= 2;
    if dotted {
        rest = after_dots;
    }
    let open = rest.chars().next();
    if !closed && !dotted {
        // Without a mark only at the head of a line, and not where the digit begins an entry (三兵四平五, 3兵平4).
        let stands_alone = bare.starts_with(is_blank) || bare.starts_with(['|', '│', '｜']) || open.is_none();
        if !line_start || !(stands_alone || read_move(text).is_none() && read_move(rest).is_some()) {
            return None;
        }
    } else if read_move(text).is_some_and(|(token, n)| n > used && token.kind().is_none()) {
        // 1.2 and the like inside digit forms.
        return None;
    }
    Some((number, text.len() - rest.len(), dotted))
}

/// A remark in brackets: how many bytes it takes.
fn remark(text: &str) -> Option<usize> {
    let (open, close) =
        [('(', ')'), ('（', '）'), ('{', '}'), ('【', '】')].into_iter().find(|p| text.starts_with(p.0))?;
    let inside = text[open.len_utf8()..].find(close)?;
    let content = text[open.len_utf8()..][..inside].trim();
    // (空) is an entry that is missing, not a remark.
    (!is_missing_mark(content) || content.is_empty() && inside == 0)
        .then_some(open.len_utf8() + inside + close.len_utf8())
}

/// A struck-out entry at the start of the text, and the bytes it takes with its marks.
fn struck(text: &str) -> Option<(&str, usize)> {
    for (open, close) in [("~~", "~~"), ("<s>", "</s>"), ("<del>", "</del>"), ("[划]", "[/划]")] {
        if let Some(inside) = text.strip_prefix(open) {
            let end = inside.find(close)?;
            return Some((&inside[..end], open.len() + end + close.len()));
        }
    }
    // Characters with a long stroke through each.
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match chars.peek() {
            Some(&(_, '\u{335}' | '\u{336}' | '\u{337}' | '\u{338}')) => {
                let (next, mark) = chars.next()?;
                end = next + mark.len_utf8();
            }
            _ if is_blank(c) || end == 0 => break,
            _ => {
                end = at;
                break;
            }
        }
    }
    (end > 0).then(|| (&text[..end], end))
}

/// Whether a word stands for a missing entry.
fn is_missing_mark(word: &str) -> bool {
    let word = word.trim_matches(['(', ')', '（', '）', '[', ']']);
    ["缺", "漏", "空", "缺失", "漏记", "漏記", "blank", "missing", "空白", "无"].contains(&word)
        || (!word.is_empty()
            && word.chars().all(|c| matches!(c, '-' | '—' | '–' | '－' | '…' | '.' | '·' | '/' | '＿' | '_')))
}

/// Reads an entry in which some signs cannot be read: 炮?5, 车2?, ?87, 前?平5, 马8?7.
fn damaged(word: &str) -> Option<Pattern> {
    const SMUDGE: [char; 7] = ['?', '？', '□', '■', '〇', '○', '*'];
    let chars: Vec<char> = word.chars().filter(|&c| !is_mark(c)).collect();
    if !(2..=5).contains(&chars.len())
        || !chars.iter().any(|c| SMUDGE.contains(c))
        || chars.iter().all(|c| SMUDGE.contains(c))
    {
        return None;
    }
    // Every sign that can be read is tried in a whole move with plain signs for the smudges: what is the same in all of
    // them is what the entry says.
    let mut found: Option<Pattern> = None;
    let pieces = ['炮', '车', '马', '兵', '将', '士', '象', '前', '后'];
    let digits = ['1', '5'];
    let directions = ['进', '退', '平'];
    let fill: Vec<char> = pieces.iter().chain(&digits).chain(&directions).copied().collect();
    let smudged: Vec<usize> = (0..chars.len()).filter(|&i| SMUDGE.contains(&chars[i])).collect();
    if smudged.len() > 3 {
        return None;
    }
    let mut choice = vec![0; smudged.len()];
    loop {
        let mut text = chars.clone();
        for (&at, &c) in smudged.iter().zip(&choice) {
            text[at] = fill[c];
        }
        let text: String = text.into_iter().collect();
        if let Some((token, used)) = read_move(&text)
            && used == text.len()
            && let Some(pattern) = Pattern::of_token(&token, true)
        {
            found = Some(found.map_or(pattern, |old| old.joined(&pattern)));
        }
        let Some(next) = (0..choice.len()).find(|&i| choice[i] + 1 < fill.len()) else { break };
        choice[next] += 1;
        choice[..next].fill(0);
    }
    found
}

impl Pattern {
    /// What a token says, if it is one of the Chinese forms. `below_is_forward` tells what a bar below a digit means. A
    /// digit without a mark may mean any direction.
    pub fn of_token(token: &Token, below_is_forward: bool) -> Option<Pattern> {
        use crate::notation::parts::{Action, Body, Direction, Place, Which as Said};
        let Body::Relative(claim) = token.body else { return None };
        let direction = |d: Direction| match d {
            Direction::Forward => Directions::FORWARD,
            Direction::Back => Directions::BACK,
            Direction::Traverse => Directions::TRAVERSE,
        };
        let directions = match claim.action {
            Action::Said(d) => direction(d),
            Action::Centre(_) | Action::Bare => Directions::ANY,
            Action::Bar => Directions::BAR,
            Action::BarBelow if below_is_forward => Directions::FORWARD,
            Action::BarAbove if !below_is_forward => Directions::FORWARD,
            Action::BarBelow | Action::BarAbove => Directions::BACK,
        };
        let which = match claim.which {
            Said::Any => Which::Any,
            Said::Place(Place::Front) => Which::Front,
            Said::Place(Place::Middle) => Which::Middle,
            Said::Place(Place::Rear) => Which::Rear,
            Said::Ordinal(n) => Which::Ordinal(n),
        };
        Some(Pattern { kind: claim.kinds.single(), which, file: claim.file, directions, number: claim.number })
    }

    /// What two patterns have in common; where they differ, nothing is known.
    fn joined(&self, other: &Pattern) -> Pattern {
        let same = self.which == other.which;
        Pattern {
            kind: if self.kind == other.kind { self.kind } else { None },
            which: if same { self.which } else { Which::Any },
            file: if same && self.file == other.file { self.file } else { 0 },
            directions: if self.directions == other.directions { self.directions } else { Directions::ANY },
            number: if self.number == other.number { self.number } else { 0 },
        }
    }
}
