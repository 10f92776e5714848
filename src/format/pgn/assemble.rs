//! Tags and moves of a game to a game of the model, with what is to be said about it.

use super::raw::{MOST_TAGS, Raw};
use super::report::{self, Report};
use super::scan::Stop;
use super::tags::Tag;
use crate::board::Position;
use crate::format::Status;
use crate::game::{Game, GameResult, Headers};
use crate::notation::Dialect;
use crate::replay::{self, Entry};

/// Page text behind a game is kept up to this many bytes.
const MOST_TRAILER: usize = 1 << 20;

/// A game with what is to be said about it.
pub(super) struct Found {
    pub game: Game,
    pub status: Status,
    pub plies: u32,
    /// Something in it makes another reading of its bytes worth a try.
    pub suspicious: bool,
    /// It is a game of western chess.
    pub foreign: bool,
    /// A comment has no end.
    pub open_comment: bool,
    pub report: Report,
}

pub(super) fn assemble(text: &str, raw: &Raw<'_>, entries: &[Entry<'_>]) -> Found {
    let mut report = Report::default();
    let mut head = Head::default();
    if let Some(board) = &raw.board {
        head.start = Ok(board.start(&mut report));
    }
    head.reserve(raw.tags.len(), raw.tags.iter().map(|(_, tag)| tag.name.len() + tag.value.len()).sum());
    for (at, tag) in &raw.tags {
        head.take(*at, tag, &mut report);
    }
    let Head { headers, start, result: tag_result } = head;
    if raw.tags_left_out > 0 {
        report.add_at(raw.start, report::too_many_tags(raw.tags_left_out, MOST_TAGS));
    }
    for &(at, problem) in &raw.scanned.problems {
        report.add_at(at, report::problem(problem));
    }
    report.uncounted_problems(raw.scanned.more_problems);
    if let (Some(tag), Some(end)) = (tag_result, raw.scanned.result)
        && tag != end
    {
        report.add_at(raw.scanned.end, report::result_conflict(tag, end));
    }
    let mut game = Game {
        headers,
        result: tag_result.or(raw.scanned.result).unwrap_or_default(),
        trailer: trailer(text, raw, &mut report),
        ..Game::default()
    };
    let mut found = Found {
        game: Game::default(),
        status: Status::Ok,
        plies: 0,
        suspicious: false,
        foreign: false,
        open_comment: false,
        report,
    };
    found.open_comment = raw.scanned.problems.iter().any(|(_, p)| *p == super::scan::Problem::OpenComment);
    found.suspicious = found.open_comment || has_odd_text(raw);
    let move_text = || text[raw.moves..raw.scanned.moves_end].trim().replace("\r\n", "\n");
    match start {
        Err(()) => {
            game.rest = move_text();
            found.status = Status::Failed;
        }
        Ok(start) => {
            let source = Some(&text[..raw.scanned.moves_end]).filter(|_| !raw.scanned.drawn);
            let named = named_dialect(raw.tags.iter().map(|(_, tag)| tag));
            let options = replay::Options { source, dialect: named, ..replay::Options::default() };
            let mut built = replay::build(&start, entries, &options);
            if built.stop.is_some() && named != Dialect::OPEN {
                // The tag may be wrong.
                let open = replay::Options { dialect: Dialect::OPEN, ..options };
                let other = replay::build(&start, entries, &open);
                if other.plies > built.plies {
                    built = other;
                }
            }
            found.plies = built.plies;
            found.status = Status::of_built(&built);
            if raw.scanned.stop == Stop::Limit {
                found.status = Status::of(true, built.plies as usize);
            }
            if let Some(stop) = &built.stop {
                found.suspicious = true;
                if report::is_western_chess(raw.tags.iter().map(|(_, tag)| tag), entries, stop.ply) {
                    found.report.add_at(raw.moves, report::foreign());
                    found.status = Status::Failed;
                    found.foreign = true;
                    found.plies = 0;
                    game.rest = move_text();
                    found.game = game;
                    return found;
                }
            }
            for one in built.findings {
                found.report.add_at(one.at as usize, one.finding);
            }
            if raw.scanned.stop == Stop::Limit && found.status == Status::Ok {
                found.status = Status::Partial;
            }
            game.start = built.start;
            game.tree = built.tree;
            game.rest = built.rest.trim().replace("\r\n", "\n");
        }
    }
    found.game = game;
    found
}

/// The dialect the `Format` tag of our own writer names.
pub(super) fn named_dialect<'t>(mut tags: impl Iterator<Item = &'t Tag<'t>>) -> Dialect {
    let format = tags.find(|tag| tag.name.eq_ignore_ascii_case("Format"));
    match format.map(|tag| &*tag.value) {
        Some("Short") => Dialect::OPEN.settled(Dialect::BAR_BELOW_FORWARD).settled(Dialect::BARS_COMPLETE),
        Some("Vietnamese") => Dialect::OPEN.settled(Dialect::VIETNAMESE),
        _ => Dialect::OPEN,
    }
}

/// What the tags say.
pub(super) struct Head {
    pub headers: Headers,
    /// The start position; an error if there is a FEN that could not be read.
    pub start: Result<Position, ()>,
    pub result: Option<GameResult>,
}

impl Default for Head {
    fn default() -> Head {
        Head { headers: Headers::default(), start: Ok(Position::start()), result: None }
    }
}

impl Head {
    pub fn reserve(&mut self, tags: usize, bytes: usize) {
        self.headers.reserve(tags, bytes);
    }

    /// Takes the tag that stands at `at`.
    pub fn take(&mut self, at: usize, tag: &Tag<'_>, report: &mut Report) {
        if let Some(fault) = tag.fault {
            report.add_at(at, report::tag_fault(tag.name, fault));
        }
        if is_structural(tag.name, &tag.value) {
            return;
        }
        if tag.name.eq_ignore_ascii_case("FEN") && !tag.value.trim().is_empty() {
            self.start = report::read_fen(&tag.value, at, report);
            if self.start.is_ok() {
                return;
            }
        } else if tag.name.eq_ignore_ascii_case("Result") {
            if let Some(result) = GameResult::read(&tag.value) {
                self.result.get_or_insert(result);
                return;
            }
            if !tag.value.trim().is_empty() {
                report.add_at(at, report::unknown_result(&tag.value));
            }
        }
        self.headers.push(tag.name, &*tag.value);
    }
}

/// Tags that say nothing the model does not hold or the writer does not write by itself.
fn is_structural(name: &str, value: &str) -> bool {
    let name_is = |other: &str| name.eq_ignore_ascii_case(other);
    match name.len() {
        3 => name_is("FEN") && value.trim().is_empty(),
        4 => {
            name_is("Game")
                && (value == "Chinese Chess"
                    || value.contains("hinese")
                    || value.contains("象棋")
                    || value.trim().is_empty())
        }
        5 => name_is("SetUp"),
        6 => name_is("Format"),
        7 => name_is("Variant") && value.eq_ignore_ascii_case("xiangqi"),
        _ => false,
    }
}

/// Whether characters in tags or move text hint at another encoding: holes, private use, text nobody can read.
fn has_odd_text(raw: &Raw<'_>) -> bool {
    raw.tags.iter().any(|(_, tag)| is_odd(&tag.value))
        || (raw.scanned.moves == 0 && !raw.page.is_empty())
        || raw.scanned.text_bytes > 0
}

/// Whether a text has holes or characters of private use.
pub(super) fn is_odd(text: &str) -> bool {
    // No character in question begins with a smaller byte.
    text.bytes().fold(false, |found, byte| found | (byte >= 0xEE))
        && text.chars().any(|c| matches!(c, '\u{FFFD}' | '\u{E000}'..='\u{F8FF}'))
}

fn trailer(text: &str, raw: &Raw<'_>, report: &mut Report) -> String {
    let mut trailer = String::new();
    for range in &raw.page {
        let line = text[range.clone()].trim_end();
        if trailer.len() + line.len() > MOST_TRAILER {
            report.add_at(range.start, report::trailer_cut(MOST_TRAILER));
            break;
        }
        if !trailer.is_empty() {
            trailer.push('\n');
        }
        trailer.push_str(line);
    }
    trailer
}
