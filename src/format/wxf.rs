//! WXF game files: key words at line starts, then moves between `START{` and `}END`.
//!
//! Comes in: text as XieXie, PlayOK and others write it. Goes out: one game for each `FORMAT` line. Move text is read as in
//! PGN; the moves are mostly WXF, but any notation is accepted.
//!
//! ```text
//! FORMAT  WXF
//! RED     甲;队名;1200;
//! RESULT  1-0
//! START{
//!  1.  C2.5  H8+7
//! }END
//! ```
//!
//! What the reader forgives: unknown key words (kept as headers), fields in any order behind the name (a number is a
//! rating), `r` for Red's turn, a missing FEN (the normal start) or `SETUP{ }` in its place, a block that is never closed.

use super::linear::report_faults;
use super::notes::Notes;
use super::pgn;
use super::text_file::{self, TextFile};
use super::{
    Confidence, Format, Keeps, ReadGame, ReadOptions, Reader, Sink, Source, Status, WriteOptions, Writer, is_implied,
};
use crate::board::{Color, Piece, Position};
use crate::diag::{Finding, codes};
use crate::game::{Game, GameResult, Headers, Name, NodeId, Place};
use crate::notation::{Notation, Style, write_move};
use crate::replay::{self, Entry};
use std::fmt::Write as _;

/// Reads WXF game files.
#[derive(Clone, Copy, Debug)]
pub struct WxfReader;

impl Reader for WxfReader {
    fn format(&self) -> Format {
        Format::Wxf
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        let text = String::from_utf8_lossy(&head[..head.len().min(4096)]);
        let mut lines =
            text.lines().map(|line| line.trim_start_matches('\u{feff}').trim()).filter(|line| !line.is_empty());
        match lines.next().map(key) {
            Some(("FORMAT", value)) if value.trim().eq_ignore_ascii_case("WXF") => Confidence::Certain,
            Some(("FORMAT", _)) if text.contains("START{") => Confidence::Certain,
            Some(_) if lines.any(|line| line.starts_with("START{")) => Confidence::Likely,
            _ => Confidence::No,
        }
    }

    fn read(&self, source: Source<'_>, options: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        let mut file = TextFile::new(source, options);
        let text = file.take_text();
        let mut starts: Vec<usize> = line_starts(&text).filter(|&at| key(line_at(&text, at)).0 == "FORMAT").collect();
        if starts.first() != Some(&0) {
            starts.insert(0, 0);
            // Blank lines before the first key word are no game.
            if starts.len() > 1 && text[..starts[1]].trim_matches(['\u{feff}', '\n', '\r', ' ']).is_empty() {
                starts.remove(0);
            }
        }
        let ends = starts.iter().skip(1).copied().chain([text.len()]);
        for ((&begin, end), number) in starts.iter().zip(ends).zip(source.first_game..) {
            let mut game = read_game(&text[..end], begin);
            game.number = number;
            game.encoding = file.encoding();
            file.locate(&mut game.findings, number);
            if games(game).is_break() {
                return Vec::new();
            }
        }
        let mut findings = file.text_findings();
        file.locate_in_file(&mut findings);
        findings
    }
}

fn line_starts(text: &str) -> impl Iterator<Item = usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1))
}

fn line_at(text: &str, at: usize) -> &str {
    text[at..].lines().next().unwrap_or_default()
}

/// The key word of a line (empty if it has none) and what follows it.
fn key(line: &str) -> (&str, &str) {
    let end = line.find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')).unwrap_or(line.len());
    let behind = &line[end..];
    // A move such as `C2.5` or `1.` is no key word.
    if end < 3 || !(behind.is_empty() || behind.starts_with([' ', '\t', '{'])) {
        ("", line)
    } else {
        (&line[..end], behind)
    }
}

/// Reads the game whose head starts at `begin`; the text ends with it.
fn read_game(text: &str, begin: usize) -> ReadGame {
    let mut game = Game::default();
    let mut findings = Vec::new();
    let mut start: Option<(Position, usize)> = None;
    let mut unread: Option<&str> = None;
    let mut moves_at = None;
    for at in line_starts(&text[begin..]).map(|at| at + begin) {
        let line = line_at(text, at);
        let (word, value) = key(line.trim_start_matches('\u{feff}'));
        let value_at = at + (value.as_ptr() as usize - line.as_ptr() as usize);
        let value = value.trim();
        match word {
            "START" if value.starts_with('{') => {
                moves_at = Some(value_at + text[value_at..].find('{').map_or(0, |brace| brace + 1));
                break;
            }
            "FORMAT" | "END" | "" => {}
            "FEN" => match Position::from_fen(value) {
                Ok(position) => start = Some((position, value_at)),
                Err(why) => {
                    unread = Some(value);
                    findings.push(
                        Finding::new(codes::BAD_FEN, crate::say!("{why}"; "{}", why.chinese()))
                            .text(value)
                            .byte(value_at as u64),
                    );
                }
            },
            "SETUP" => match setup(&text[value_at..]) {
                Some(position) => start = Some((position, value_at)),
                None => {
                    unread = Some(value);
                    findings.push(
                        Finding::new(codes::BAD_FEN, crate::say!("not a list of pieces"; "不是棋子列表"))
                            .text(value)
                            .byte(at as u64),
                    );
                }
            },
            "RED" => player(value, [Name::Red, Name::RedTeam, Name::RedElo], &mut game.headers),
            "BLACK" => player(value, [Name::Black, Name::BlackTeam, Name::BlackElo], &mut game.headers),
            "EVENT" => {
                let (event, time) = value.split_once(';').unwrap_or((value, ""));
                push(&mut game.headers, Name::Event.tag(), event);
                push(&mut game.headers, Name::TimeControl.tag(), time);
            }
            "RESULT" => match GameResult::read(value) {
                Some(result) => game.result = result,
                None => push(&mut game.headers, "ResultText", value),
            },
            "GAME" => push(&mut game.headers, Name::Title.tag(), value),
            "DATE" => push(&mut game.headers, Name::Date.tag(), value),
            "SITE" => push(&mut game.headers, Name::Site.tag(), value),
            "ROUND" => push(&mut game.headers, Name::Round.tag(), value),
            word => push(&mut game.headers, word, value),
        }
    }
    if let Some((position, at)) = start {
        game.start = position;
        report_faults(&position, Some(at as u64), &mut findings);
    }
    let mut status = Status::Ok;
    let unread = unread.filter(|_| start.is_none());
    if let Some(written) = unread {
        // Where it began is unknown, so no ply can be proved.
        game.headers.push("FEN", written);
        status = Status::Failed;
    }
    match moves_at {
        Some(at) if unread.is_some() => {
            let end = text[at..].find("}END").map_or(text.len(), |end| at + end);
            game.rest = text[at..end].trim().replace("\r\n", "\n");
        }
        Some(at) => status = read_moves(text, at, &mut game, &mut findings),
        None => findings.push(
            Finding::new(codes::BROKEN_TREE, crate::say!("there is no START{{ with moves"; "没有含着法的 START{{"))
                .byte(begin as u64),
        ),
    }
    ReadGame { game, number: 0, encoding: "", status, findings }
}

fn push(headers: &mut Headers, name: &str, value: &str) {
    if !value.trim().is_empty() {
        headers.push(name, value.trim());
    }
}

/// Name, then team and rating in either order.
fn player(value: &str, names: [Name; 3], headers: &mut Headers) {
    for (index, field) in value.split(';').map(str::trim).enumerate() {
        let is_number = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
        let name = match index {
            0 => names[0],
            _ if is_number => names[2],
            _ => names[1],
        };
        if headers.get_raw(name.tag()).is_none() {
            push(headers, name.tag(), field);
        }
    }
}

/// `{ Ra0 Ke0 … MOVE 12 BLACK }`: pieces by letter (the case is the colour) and square, then round and side.
fn setup(text: &str) -> Option<Position> {
    let inside = text.trim_start().strip_prefix('{')?.split('}').next()?;
    let mut position = Position::empty(Color::Red);
    let mut words = inside.split_whitespace();
    while let Some(word) = words.next() {
        if word == "MOVE" {
            if let Some(round) = words.next().and_then(|round| round.parse().ok()) {
                position.set_counters(0, round);
            }
            if words.next() == Some("BLACK") {
                position.set_side_to_move(Color::Black);
            }
            continue;
        }
        let piece = Piece::from_letter(word.chars().next()?)?;
        position.put(word.get(1..)?.parse().ok()?, Some(piece));
    }
    Some(position)
}

fn read_moves(text: &str, at: usize, game: &mut Game, findings: &mut Vec<Finding>) -> Status {
    let end = text[at..].find("}END").map(|end| at + end);
    if end.is_none() {
        findings.push(
            Finding::new(
                codes::UNCLOSED_TAG,
                crate::say!("START{{ is never closed by }}END"; "START{{ 没有以 }}END 结束"),
            )
            .byte(at as u64),
        );
    }
    let block = &text[..end.unwrap_or(text.len())];
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let (result, limit) = pgn::scan_moves(block, at, &mut entries);
    if let Some(result) = result.filter(|_| game.result == GameResult::Unknown) {
        game.result = result;
    }
    let options = replay::Options { source: Some(block), ..replay::Options::default() };
    let built = replay::build(&game.start, &entries, &options);
    let mut status = Status::of_built(&built);
    if let Some(at) = limit {
        let message = crate::say!("more moves and comments than are read of one game"; "着法与注释超出单局的读取限度");
        findings.push(Finding::new(codes::GAME_TOO_LONG, message).byte(at as u64));
        status = Status::of(true, built.plies as usize);
    }
    findings.extend(built.findings.into_iter().map(|found| found.finding.byte(u64::from(found.at))));
    (game.start, game.tree, game.rest) = (built.start, built.tree, built.rest.trim().replace("\r\n", "\n"));
    status
}

/// Writes WXF game files: the main line with its comments.
#[derive(Clone, Copy, Debug)]
pub struct WxfWriter;

impl Writer for WxfWriter {
    fn format(&self) -> Format {
        Format::Wxf
    }

    fn extension(&self) -> &'static str {
        "wxf"
    }

    fn holds_many(&self) -> bool {
        true
    }

    fn write(&self, game: &Game, options: &WriteOptions, out: &mut Vec<u8>) -> Vec<Finding> {
        let mut text = String::from("FORMAT  WXF\n");
        let mut findings = Vec::new();
        let mut get = |name: Name| {
            let own = super::header_as_written(&game.headers, name);
            let line = own.replace(['\n', '\r', ';'], " ").trim().to_string();
            if line != own {
                let message = format!("{} is one line without semicolons; blanks stand for them", name.tag());
                findings.push(Finding::new(codes::LINE_BREAKS, message).text(own));
            }
            line
        };
        let _ = writeln!(text, "GAME    {}", get(Name::Title));
        let mut unfit: Vec<&str> = Vec::new();
        for (word, [name, team, elo]) in [
            ("RED    ", [Name::Red, Name::RedTeam, Name::RedElo]),
            ("BLACK  ", [Name::Black, Name::BlackTeam, Name::BlackElo]),
        ] {
            let (name, mut team_text, mut elo_text) = (get(name), get(team), get(elo));
            // The two fields are told apart by digits alone.
            let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            if number(&team_text) {
                unfit.push(team.tag());
                team_text.clear();
            }
            if !elo_text.is_empty() && !number(&elo_text) {
                unfit.push(elo.tag());
                elo_text.clear();
            }
            let _ = writeln!(text, "{word} {name};{team_text};{elo_text};");
        }
        let _ = writeln!(text, "RESULT  {}", game.result.token());
        for (word, name) in [("DATE   ", Name::Date), ("SITE   ", Name::Site), ("ROUND  ", Name::Round)] {
            let value = get(name);
            if !value.is_empty() {
                let _ = writeln!(text, "{word} {value}");
            }
        }
        let (event, time) = (get(Name::Event), get(Name::TimeControl));
        if !event.is_empty() || !time.is_empty() {
            let _ = writeln!(text, "EVENT   {event};{time}");
        }
        // Our own letters: readers of WXF take them as well as H and E.
        if !super::is_plain_start(game) {
            let _ = writeln!(text, "FEN     {}", game.start.to_fen());
        }
        let mut kept: Vec<&str> = KEPT.iter().map(|name| name.tag()).filter(|tag| !unfit.contains(tag)).collect();
        for (name, value) in game.headers.iter() {
            // Other key words come back in capitals.
            let is_word = name.len() >= 3
                && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
                && !WORDS.contains(&name);
            let is_line = !value.contains(['\n', '\r']) && value.trim() == value;
            if is_word && is_line && !value.is_empty() && !kept.contains(&name) && !is_implied(name, value, game) {
                kept.push(name);
                let _ = writeln!(text, "{name} {value}");
            }
        }
        text.push_str("\nSTART{\n");
        let keeps = Keeps { opening: true, comments: true, marks: true, result: true, headers: &kept };
        findings.extend(super::lost_beside_main_line(game, keeps));
        write_moves(game, &mut text, &mut findings);
        text.push_str("}END\n\n");
        findings.extend(text_file::encode(&text, options.encoding, out));
        findings
    }
}

/// Key words with a meaning of their own.
const WORDS: [&str; 13] =
    ["START", "FORMAT", "END", "FEN", "SETUP", "RED", "BLACK", "EVENT", "RESULT", "GAME", "DATE", "SITE", "ROUND"];

const KEPT: [Name; 12] = [
    Name::Title,
    Name::Red,
    Name::RedTeam,
    Name::RedElo,
    Name::Black,
    Name::BlackTeam,
    Name::BlackElo,
    Name::Date,
    Name::Site,
    Name::Round,
    Name::Event,
    Name::TimeControl,
];

fn write_moves(game: &Game, text: &mut String, findings: &mut Vec<Finding>) {
    let style = Style { notation: Notation::Wxf, ..Style::default() };
    let notes = Notes::of(&game.tree);
    let mut comment = |text: &mut String, id: NodeId, place: Place| {
        for comment in notes.comments(id, place) {
            let plain = comment.replace('}', ")");
            if plain != comment {
                let message = "closing braces of the comment are written as brackets";
                findings.push(Finding::new(codes::CHANGED_COMMENT, message).text(comment));
            }
            let _ = writeln!(text, "\n{{{plain}}}");
        }
    };
    comment(text, NodeId::ROOT, Place::After);
    let mut position = game.start;
    let mut open = false;
    let mut exposing = 0;
    for id in game.tree.main_line() {
        let m = game.tree[id].m;
        exposing += usize::from(!position.is_legal(m));
        comment(text, id, Place::Before);
        let red = position.side_to_move() == Color::Red;
        if red || !open {
            let _ = write!(text, "{}. {}", position.round(), if red { "" } else { "... " });
        }
        write_move(m, &position, &style, text);
        for mark in notes.marks(id).filter(|mark| (1..=6).contains(mark)) {
            text.push_str(["!", "?", "!!", "??", "!?", "?!"][usize::from(mark) - 1]);
        }
        text.push(if red { ' ' } else { '\n' });
        open = true;
        comment(text, id, Place::After);
        comment(text, id, Place::End);
        position.play(m);
    }
    comment(text, NodeId::ROOT, Place::End);
    findings.extend(super::exposing_plies(game, exposing));
    if !text.ends_with('\n') {
        text.push('\n');
    }
}
