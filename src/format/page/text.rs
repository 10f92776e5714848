//! Games as pages of text.

use super::labels;
use super::walk::{Event, walk};
use crate::board::{Color, Move, Position};
use crate::diag::{Finding, codes};
use crate::diagram::Diagram;
use crate::format::{Format, WriteOptions, Writer, exposing_plies, is_implied, is_plain_start, pgn, text_file};
use crate::game::{Game, GameResult};
use crate::notation::write_move;
use std::fmt::Write as _;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns of a page.
const WIDTH: usize = 76;
/// Columns of Red's ply with its marks.
const RED: usize = 14;
/// Before comments, side lines and diagrams.
pub(super) const INDENT: &str = "     ";
/// Added where a long line of a comment goes on.
pub(super) const GOES_ON: &str = "  ";

/// Writes pages of text.
#[derive(Clone, Copy, Debug)]
pub struct TextWriter;

impl Writer for TextWriter {
    fn format(&self) -> Format {
        Format::Text
    }

    fn extension(&self) -> &'static str {
        "txt"
    }

    fn holds_many(&self) -> bool {
        true
    }

    fn write(&self, game: &Game, options: &WriteOptions, out: &mut Vec<u8>) -> Vec<Finding> {
        let mut page = Page {
            text: String::new(),
            findings: Vec::new(),
            column: 0,
            options,
            depth: 0,
            tight: false,
            number: true,
            exposing: 0,
        };
        page.head(game);
        page.text.push('\n');
        let end = walk(game, options, false, &mut |event| page.event(event));
        page.fresh_line();
        page.rest(game, &end);
        page.foot(game);
        let Page { text, mut findings, exposing, .. } = page;
        findings.extend(exposing_plies(game, exposing));
        findings.extend(text_file::encode(&text, options.encoding, out));
        findings
    }
}

struct Page<'o> {
    text: String,
    findings: Vec<Finding>,
    /// Columns used on the line at hand.
    column: usize,
    options: &'o WriteOptions,
    /// Open side lines.
    depth: usize,
    /// A bracket was just opened: no blank.
    tight: bool,
    /// The next ply needs its number.
    number: bool,
    /// Plies that leave their own general attacked.
    exposing: usize,
}

impl Page<'_> {
    fn head(&mut self, game: &Game) {
        let column = labels::column(self.options);
        let colon = if column == 2 { ": " } else { "：" };
        let _ = writeln!(self.text, "{}", labels::HEADINGS[column]);
        let mut own_result = false;
        for (name, value) in labels::ordered(&game.headers) {
            let is_result = name.eq_ignore_ascii_case("Result");
            if is_implied(name, value, game) && !is_result {
                continue;
            }
            let label = labels::label(name, column);
            let label = if label == name
                && (labels::header(name).is_some_and(|tag| tag != name) || name.contains(['：', ':']))
            {
                format!("_{}", name.replace(['：', ':'], "_"))
            } else {
                label.to_string()
            };
            let label = if label == name || label.starts_with('_') {
                pgn::safe_name(&label, &mut self.findings)
            } else {
                label
            };
            let line = value.split(['\n', '\r']).map(str::trim).collect::<Vec<_>>().join(" ");
            let line = line.trim();
            if line != value {
                let message = format!("line breaks and blanks at the ends of {name} are not kept");
                self.findings.push(Finding::new(codes::LINE_BREAKS, message).text(value));
            }
            if is_result {
                // What the result means goes with the end of the moves as well.
                if own_result || GameResult::read(value).is_some() {
                    continue;
                }
                own_result = true;
            }
            if !line.is_empty() {
                let _ = writeln!(self.text, "{label}{colon}{line}");
            }
        }
        if !own_result && game.result != GameResult::Unknown {
            let label = labels::label("Result", column);
            let _ = writeln!(self.text, "{label}{colon}{}", labels::result(game.result, column));
        }
        if !is_plain_start(game) {
            let _ = writeln!(self.text, "{}{colon}{}", labels::FEN[column], game.start.to_fen());
        }
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Open => {
                if self.depth == 0 {
                    self.fresh_line();
                    self.put(INDENT);
                    self.put("(");
                } else {
                    self.word("(");
                }
                self.depth += 1;
                (self.number, self.tight) = (true, true);
            }
            Event::Close => {
                self.put(")");
                self.depth -= 1;
                (self.number, self.tight) = (true, false);
                if self.depth == 0 {
                    self.fresh_line();
                }
            }
            Event::Ply { m, before, round, main } => self.ply(m, before, round, main),
            Event::Mark(mark @ 1..=6) => self.put(["!", "?", "!!", "??", "!?", "?!"][usize::from(mark) - 1]),
            Event::Mark(mark) => self.word(&format!("${mark}")),
            Event::Clock(time) => {
                let (seconds, thousandths) = (time / 1000, time % 1000);
                let mut clock = format!("{{[%clk {}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
                if thousandths > 0 {
                    let _ = write!(clock, ".{thousandths:03}");
                }
                self.word(&(clock + "]}"));
                self.number = true;
            }
            Event::Comment(text) => self.comment(text),
            Event::Diagram(position, last, _) => self.diagram(position, last),
        }
    }

    fn ply(&mut self, m: Move, before: &Position, round: u32, main: bool) {
        let red = before.side_to_move() == Color::Red;
        self.exposing += usize::from(!before.is_legal(m));
        let mut text = String::new();
        write_move(m, before, &self.options.style, &mut text);
        if !main {
            if red || self.number {
                self.word(&format!("{round}."));
                self.tight = false;
                if !red {
                    self.word("...");
                }
            }
            self.word(&text);
        } else if red || self.number {
            self.fresh_line();
            self.put(&format!("{round:>3}. "));
            if !red {
                self.put("........");
                self.pad(INDENT.len() + RED);
            }
            self.put(&text);
        } else {
            self.pad(INDENT.len() + RED);
            self.put(&text);
        }
        (self.number, self.tight) = (false, false);
    }

    /// A comment; broken lines go on a little deeper, so that they can be told from line breaks of its own.
    fn comment(&mut self, text: &str) {
        // A line may come to begin anywhere, and one that begins like the frame of a diagram is taken for it.
        let mut plain = text.replace('}', "｝").replace('|', "｜").replace("+-", "＋-");
        let deep = |line: &str| line.starts_with(GOES_ON);
        if plain.split('\n').skip(1).any(deep) {
            let lines = plain.split('\n').map(|line| if deep(line) { line.trim_start_matches(' ') } else { line });
            plain = lines.collect::<Vec<_>>().join("\n");
        }
        if plain != text {
            let message =
                "closing braces and bars of the comment are written full-width, blanks before its lines are left out";
            self.findings.push(Finding::new(codes::CHANGED_COMMENT, message).text(text));
        }
        if self.depth == 0 {
            self.fresh_line();
            self.put(INDENT);
            self.put("{");
        } else {
            self.word("{");
        }
        for (number, line) in plain.split('\n').enumerate() {
            if number > 0 {
                self.new_line();
                self.put(INDENT);
            }
            for unit in units(line) {
                if self.column + unit.width() >= WIDTH && self.column > INDENT.len() + GOES_ON.len() {
                    self.new_line();
                    self.put(INDENT);
                    self.put(GOES_ON);
                }
                self.put(unit);
            }
        }
        self.put("}");
        (self.number, self.tight) = (true, false);
        if self.depth == 0 {
            self.fresh_line();
        }
    }

    fn diagram(&mut self, position: &Position, last: Option<Move>) {
        let mut diagram = Diagram::new(position).script(self.options.style.script);
        if let Some(m) = last {
            diagram = diagram.last_move(m);
        }
        let drawing = diagram.to_text();
        let width = drawing.lines().map(UnicodeWidthStr::width).max().unwrap_or(0);
        self.fresh_line();
        let border = format!("{INDENT}+{}+\n", "-".repeat(width + 2));
        self.text.push_str(&border);
        for line in drawing.lines() {
            let _ = writeln!(self.text, "{INDENT}| {line}{} |", " ".repeat(width - line.width()));
        }
        self.text.push_str(&border);
        self.number = true;
    }

    /// Text behind the first ply that fits nothing.
    fn rest(&mut self, game: &Game, end: &Position) {
        let rest = game.rest.trim();
        if rest.is_empty() {
            return;
        }
        let is_frame = |line: &str| super::read::is_frame(line);
        let stops = pgn::stops_at_once(rest, end) && !self.options.main_line && !rest.lines().any(is_frame);
        let message = if stops {
            "the plies that could not be read are written as they stand"
        } else {
            "the text that could not be read is written as a comment"
        };
        self.findings.push(Finding::new(codes::UNREAD_REST, message));
        if stops {
            self.text.push_str(rest);
            self.text.push('\n');
        } else {
            self.comment(rest);
        }
    }

    fn foot(&mut self, game: &Game) {
        let column = labels::column(self.options);
        let trailer = !game.trailer.trim().is_empty();
        let (known, moves) = (game.result != GameResult::Unknown, game.tree.ply_count() > 0);
        let leftover = trailer || !game.rest.is_empty();
        if known && moves {
            let _ = writeln!(self.text, "{INDENT}{}", labels::result(game.result, column));
        } else if leftover {
            let _ = writeln!(self.text, "{INDENT}{}", game.result.token());
        }
        // A line like the frame of a diagram would be taken for one.
        if game.trailer.lines().any(|line| super::read::is_frame(line.trim())) {
            let text = game.trailer.replace('|', "｜").replace("+-", "＋-");
            let message = "bars in the text behind the game are written full-width";
            self.findings.push(Finding::new(codes::CHANGED_COMMENT, message).text(game.trailer.as_str()));
            pgn::write_trailer(&text, &mut self.text, &mut self.findings);
        } else {
            pgn::write_trailer(&game.trailer, &mut self.text, &mut self.findings);
        }
        if self.text.contains('\r') {
            self.text = self.text.replace("\r\n", "\n");
        }
        self.text.push('\n');
    }

    fn put(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += text.width();
    }

    /// Text with a blank before it, or on the next line.
    fn word(&mut self, text: &str) {
        if self.column + text.width() + 2 > WIDTH && self.column > INDENT.len() + 1 {
            self.new_line();
            self.put(INDENT);
        } else if !self.tight && self.column > INDENT.len() {
            self.put(" ");
        }
        self.put(text);
        self.tight = false;
    }

    fn pad(&mut self, column: usize) {
        self.put(&" ".repeat(column.saturating_sub(self.column).max(1)));
    }

    fn new_line(&mut self) {
        self.text.push('\n');
        self.column = 0;
    }

    fn fresh_line(&mut self) {
        if self.column > 0 {
            self.new_line();
        }
    }
}

/// Pieces of a line between which it may be broken: Chinese characters with the signs that may not begin a line, and
/// words with the blanks before them.
fn units(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let wide = |c: char| c.width().unwrap_or(0) > 1;
        let closes = |c: char| "，。、；：！？）」』”’》】〕…—".contains(c);
        let mut end = first.len_utf8();
        let mut word = first != ' ';
        if !wide(first) {
            for c in rest[end..].chars() {
                if wide(c) || (c == ' ' && word) {
                    break;
                }
                word |= c != ' ';
                end += c.len_utf8();
            }
        }
        // `炮2平5` is not torn before its numbers.
        while let Some(c) = rest[end..].chars().next().filter(|&c| closes(c) || (wide(first) && c.is_ascii_digit())) {
            end += c.len_utf8();
        }
        let unit;
        (unit, rest) = rest.split_at(end);
        Some(unit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_characters_and_before_words() {
        let pieces: Vec<&str> = units("中炮2，好！ see  this。再").collect();
        assert_eq!(pieces, ["中", "炮2，", "好！", " see", "  this。", "再"]);
        assert_eq!(units("").count(), 0);
    }
}
