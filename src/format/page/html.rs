//! Games as one HTML page: no script, nothing fetched, diagrams as SVG inside it.

use super::labels;
use super::walk::{Event, walk};
use crate::board::{Color, Move, Position};
use crate::diag::Finding;
use crate::diagram::{self, Diagram};
use crate::format::{Format, WriteOptions, Writer, is_implied, is_plain_start};
use crate::game::{Game, GameResult, Name};
use crate::notation::write_move;
use crate::text::markup::escape;
use std::fmt::Write as _;
use std::io;

/// Width of a diagram in pixels of the page.
const DIAGRAM: u32 = 320;

const STYLE: &str = include_str!("page.css");

/// Writes HTML.
#[derive(Clone, Copy, Debug)]
pub struct HtmlWriter;

impl Writer for HtmlWriter {
    fn format(&self) -> Format {
        Format::Html
    }

    fn extension(&self) -> &'static str {
        "html"
    }

    fn holds_many(&self) -> bool {
        true
    }

    /// Appends one article; [`Writer::join`] makes a page of them. The page is always UTF-8.
    fn write(&self, game: &Game, options: &WriteOptions, out: &mut Vec<u8>) -> Vec<Finding> {
        let mut article =
            Article { html: String::new(), options, depth: 0, open: Open::Nothing, number: true, space: false };
        article.head(game);
        article.html.push_str("<div class=\"moves\">\n");
        walk(game, options, true, &mut |event| article.event(event));
        article.close();
        article.foot(game);
        out.extend(article.html.as_bytes());
        Vec::new()
    }

    fn joins(&self) -> bool {
        true
    }

    fn join(&self, games: &mut dyn Iterator<Item = Vec<u8>>, out: &mut dyn io::Write) -> io::Result<()> {
        write!(
            out,
            "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>象棋 Xiangqi</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n{}",
            diagram::svg_glyphs()
        )?;
        for game in games {
            out.write_all(&game)?;
        }
        out.write_all(b"</body>\n</html>\n")
    }
}

/// What the last thing written stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Nothing,
    /// A round of the main line; Red's ply stands, or its place is left empty.
    Round,
    /// A paragraph of comments and side lines.
    Paragraph,
}

struct Article<'o> {
    html: String,
    options: &'o WriteOptions,
    /// Open side lines.
    depth: usize,
    open: Open,
    /// The next ply needs its number.
    number: bool,
    /// A blank goes before the next word of a paragraph.
    space: bool,
}

impl Article<'_> {
    fn head(&mut self, game: &Game) {
        let column = labels::column(self.options);
        let lang = ["zh-Hans", "zh-Hant", "en"][column];
        let get = |name: Name| game.headers.get(name);
        let title = get(Name::Title).map(str::to_string).unwrap_or_else(|| match (get(Name::Red), get(Name::Black)) {
            (None, None) => get(Name::Event).unwrap_or(labels::HEADINGS[column]).to_string(),
            (red, black) => format!("{} – {}", red.unwrap_or("?"), black.unwrap_or("?")),
        });
        let _ = write!(self.html, "<article lang=\"{lang}\">\n<h1>{}</h1>\n<dl>\n", escape(&title));
        let mut own_result = false;
        for (name, value) in labels::ordered(&game.headers) {
            let is_result = name.eq_ignore_ascii_case("Result");
            if (is_implied(name, value, game) && !is_result) || (is_result && GameResult::read(value).is_some()) {
                continue;
            }
            // The title stands above already.
            if name == Name::Title.tag() && value == title {
                continue;
            }
            own_result |= is_result;
            self.term(labels::label(name, column), value);
        }
        if !own_result && game.result != GameResult::Unknown {
            self.term(labels::label("Result", column), labels::result(game.result, column));
        }
        if !is_plain_start(game) {
            self.term(labels::FEN[column], &game.start.to_fen());
        }
        self.html.push_str("</dl>\n");
    }

    fn term(&mut self, label: &str, value: &str) {
        let _ = writeln!(self.html, "<div><dt>{}</dt><dd>{}</dd></div>", escape(label), escape(value));
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Open => {
                if self.depth == 0 {
                    self.close();
                    self.html.push_str("<p class=\"side\">");
                    (self.open, self.space) = (Open::Paragraph, false);
                }
                self.word("(");
                self.depth += 1;
                (self.number, self.space) = (true, false);
            }
            Event::Close => {
                self.html.push(')');
                self.depth -= 1;
                (self.number, self.space) = (true, true);
                if self.depth == 0 {
                    self.close();
                }
            }
            Event::Ply { m, before, round, main } => self.ply(m, before, round, main),
            Event::Mark(mark @ 1..=6) => {
                let signs = ["!", "?", "!!", "??", "!?", "?!"][usize::from(mark) - 1];
                let _ = write!(self.html, "<b class=\"mark\">{signs}</b>");
            }
            Event::Mark(mark) => {
                let _ = write!(self.html, "<b class=\"mark\">${mark}</b>");
            }
            Event::Clock(time) => {
                let (seconds, thousandths) = (time / 1000, time % 1000);
                let mut clock = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
                if thousandths > 0 {
                    let _ = write!(clock, ".{thousandths:03}");
                }
                let _ = write!(self.html, " <time>{clock}</time>");
            }
            Event::Comment(text) => {
                if self.depth == 0 {
                    self.close();
                    let _ = writeln!(self.html, "<p class=\"comment\">{}</p>", escape(text));
                } else {
                    self.word("");
                    let _ = write!(self.html, "<i>{}</i>", escape(text));
                }
                self.number = true;
            }
            Event::Diagram(position, last, ply) => self.diagram(position, last, ply),
        }
    }

    fn ply(&mut self, m: Move, before: &Position, round: u32, main: bool) {
        let red = before.side_to_move() == Color::Red;
        let mut text = String::new();
        write_move(m, before, &self.options.style, &mut text);
        let text = escape(&text);
        if !main {
            if red || self.number {
                self.word(&format!("{round}.{}", if red { "" } else { " …" }));
            }
            self.word(&text);
        } else if red || self.number || self.open != Open::Round {
            self.close();
            let empty = if red { "" } else { "<span>…</span>" };
            let _ = write!(self.html, "<div class=\"round\"><b>{round}.</b>{empty}<span>{text}");
            self.open = Open::Round;
        } else {
            let _ = write!(self.html, "</span><span>{text}");
        }
        self.number = false;
    }

    /// A word of a paragraph.
    fn word(&mut self, text: &str) {
        if self.space {
            self.html.push(' ');
        }
        self.html.push_str(text);
        self.space = true;
    }

    fn close(&mut self) {
        match self.open {
            Open::Nothing => {}
            Open::Round => self.html.push_str("</span></div>\n"),
            Open::Paragraph => self.html.push_str("</p>\n"),
        }
        self.open = Open::Nothing;
    }

    fn diagram(&mut self, position: &Position, last: Option<Move>, ply: u32) {
        let mut diagram = Diagram::new(position).script(self.options.style.script);
        if let Some(m) = last {
            diagram = diagram.last_move(m);
        }
        let caption = match (ply, labels::column(self.options)) {
            (0, 0) => "起始局面".to_string(),
            (0, 1) => "起始局面".to_string(),
            (0, _) => "Start".to_string(),
            (ply, 0) => format!("第 {ply} 着后"),
            (ply, 1) => format!("第 {ply} 著後"),
            (ply, _) => format!("After ply {ply}"),
        };
        self.close();
        let svg = diagram.to_shared_svg(DIAGRAM);
        let _ = write!(self.html, "<figure>\n{svg}<figcaption>{caption}</figcaption>\n</figure>\n");
        self.number = true;
    }

    fn foot(&mut self, game: &Game) {
        self.html.push_str("</div>\n");
        if !game.rest.trim().is_empty() {
            let _ = writeln!(self.html, "<pre class=\"rest\">{}</pre>", escape(&game.rest));
        }
        if game.result != GameResult::Unknown {
            let result = labels::result(game.result, labels::column(self.options));
            let _ = writeln!(self.html, "<p class=\"result\">{result}</p>");
        }
        if !game.trailer.trim().is_empty() {
            let _ = writeln!(self.html, "<pre class=\"trailer\">{}</pre>", escape(&game.trailer));
        }
        self.html.push_str("</article>\n");
    }
}
