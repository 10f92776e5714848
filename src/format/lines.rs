//! Formats of one line a game: what engines are told, and lists of positions.
//!
//! UCI: `position startpos moves h2e2 h9g7`, `position fen FEN moves …`, or the FEN itself with `moves`. A line is a game.
//!
//! EPD: one FEN a line, with a title behind `;` or in front of `|`, perhaps moves in coordinates behind another `|`; or
//! nothing but FENs. Files exist whose titles stand twice on a line, in GBK and in Big5, divided by a bar: each half is then
//! read in its own encoding.

use super::linear::{PlyAt, Record, report_faults, single_line};
use super::listed::Listed;
use super::text_file::TextFile;
use super::{Confidence, Format, Keeps, ReadGame, ReadOptions, Reader, Sink, Source, Status, WriteOptions, Writer};
use crate::board::{FenFault, Position, ReadFen};
use crate::diag::{Finding, codes};
use crate::game::{Game, GameResult, Name};

/// Reads UCI lines.
#[derive(Clone, Copy, Debug)]
pub struct UciReader;

/// Reads lists of positions.
#[derive(Clone, Copy, Debug)]
pub struct EpdReader;

impl Reader for UciReader {
    fn format(&self) -> Format {
        Format::Uci
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        let lines = sample(head);
        let engine = lines.iter().filter(|line| is_engine_line(line)).count();
        match (engine, lines.iter().any(|line| line.contains(" moves "))) {
            (1.., _) if engine == lines.len() => Confidence::Certain,
            (1.., _) => Confidence::Likely,
            (0, true) if lines.iter().all(|line| is_board(line.split_whitespace().next())) => Confidence::Certain,
            _ => Confidence::No,
        }
    }

    fn read(&self, source: Source<'_>, options: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        each_line(source, options, games, |line, at, record| {
            if !is_engine_line(line) && !is_board(line.split_whitespace().next()) {
                return None;
            }
            let (position, moves) = line.split_once(" moves").unwrap_or((line, ""));
            let moves: Vec<(&str, usize)> = moves
                .split_whitespace()
                .map(|word| (word, at + (word.as_ptr() as usize - line.as_ptr() as usize)))
                .collect();
            read_fen(position.strip_prefix("fen ").unwrap_or(position), at, record).then_some(moves)
        })
    }
}

impl Reader for EpdReader {
    fn format(&self) -> Format {
        Format::Epd
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        let lines = sample(head);
        // A FEN with `moves` behind it is an engine line; here its moves would be lost.
        let positions = lines.iter().filter(|line| fen_in(line).is_some() && !line.contains(" moves ")).count();
        match positions {
            0 => Confidence::No,
            _ if positions == lines.len() => Confidence::Certain,
            _ if positions * 2 > lines.len() => Confidence::Likely,
            _ => Confidence::No,
        }
    }

    fn read(&self, source: Source<'_>, options: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        each_line(source, options, games, |line, at, record| {
            let (before, fen, behind) = fen_in(line)?;
            if !read_fen(fen, at, record) {
                return None;
            }
            let title = before.trim().trim_end_matches('|').trim();
            if !title.is_empty() {
                record.headers.push(Name::Title.tag(), title);
            }
            let behind = behind.trim();
            let mut moves = Vec::new();
            match behind.strip_prefix('|') {
                // Behind a bar: moves divided by commas or blanks.
                Some(list) if !list.trim().is_empty() => {
                    let words = list.split([',', ' ', '\t']).filter(|word| !word.is_empty());
                    moves = words.map(|word| (word, at + (word.as_ptr() as usize - line.as_ptr() as usize))).collect();
                }
                Some(_) => {}
                None => {
                    let title = behind.trim_start_matches([';', ' ']);
                    let (title, other) = title.split_once('|').unwrap_or((title, ""));
                    if !title.is_empty() {
                        record.headers.push(Name::Title.tag(), title);
                    }
                    if !other.is_empty() && other != title {
                        record.headers.push("OtherTitle", other);
                    }
                }
            }
            Some(moves)
        })
    }
}

/// `position …`, `startpos …`, `fen …`, as engines and cloud books have it.
fn is_engine_line(line: &str) -> bool {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("position" | "startpos") => true,
        Some("fen") => is_board(words.next()),
        _ => false,
    }
}

fn sample(head: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(&head[..head.len().min(4096)]);
    let mut lines: Vec<String> = text
        .lines()
        .map(|line| line.trim_start_matches('\u{feff}').trim().to_string())
        .filter(|l| !l.is_empty())
        .collect();
    // The last line may be cut.
    if head.len() > 4096 && lines.len() > 1 {
        lines.pop();
    }
    lines
}

/// Whether a word is the board field of a FEN: ten rows of the right letters.
fn is_board(word: Option<&str>) -> bool {
    word.is_some_and(|word| {
        word.bytes().filter(|&byte| byte == b'/').count() == 9
            && word.bytes().all(|byte| byte == b'/' || byte.is_ascii_digit() || b"kabernhpcKABERNHPC".contains(&byte))
    })
}

/// The parts of a line before, in and behind a FEN.
fn fen_in(line: &str) -> Option<(&str, &str, &str)> {
    let word = line.split(|c: char| c.is_whitespace() || c == '|' || c == ',').find(|word| is_board(Some(word)))?;
    let begin = word.as_ptr() as usize - line.as_ptr() as usize;
    let mut end = begin + word.len();
    // Up to five more fields: side, two dashes, two counters.
    for _ in 0..5 {
        let rest = &line[end..];
        let field = rest.trim_start();
        let length = field.find(|c: char| c.is_whitespace() || c == '|' || c == ';').unwrap_or(field.len());
        let is_field = ["w", "b", "r", "-", "W", "B", "R"].contains(&&field[..length])
            || (length > 0 && field[..length].bytes().all(|byte| byte.is_ascii_digit()));
        if !is_field {
            break;
        }
        end += rest.len() - field.len() + length;
    }
    Some((&line[..begin], &line[begin..end], &line[end..]))
}

/// Reads the position; false, with a finding, if it is none.
fn read_fen(text: &str, at: usize, record: &mut Record) -> bool {
    match Position::read_fen(text) {
        Ok(ReadFen { start, .. }) => {
            record.start = start;
            report_faults(&start, Some(at as u64), &mut record.findings);
            true
        }
        Err(why) => {
            let code = if why == FenFault::Jieqi { codes::NOT_SUPPORTED } else { codes::BAD_FEN };
            record
                .findings
                .push(Finding::new(code, crate::say!("{why}"; "{}", why.chinese())).text(text).byte(at as u64));
            false
        }
    }
}

/// The file in UTF-8, if its lines hold GBK text, a bar and the same text in Big5.
fn two_encodings(bytes: &[u8]) -> Option<Vec<u8>> {
    use encoding_rs::{BIG5, GB18030};
    if bytes.is_ascii() || std::str::from_utf8(bytes).is_ok() || bytes.contains(&0) {
        return None;
    }
    let mut out = Vec::with_capacity(bytes.len() * 3 / 2);
    let mut found = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        // The bar may be the second byte of a character, so each one is tried: both sides must be whole text.
        let halves = line.iter().enumerate().filter(|(_, byte)| **byte == b'|').find_map(|(at, _)| {
            let (left, right) = (&line[..at], &line[at + 1..]);
            if left.is_ascii() || right.is_ascii() {
                return None;
            }
            let left = GB18030.decode_without_bom_handling_and_without_replacement(left)?;
            let right = BIG5.decode_without_bom_handling_and_without_replacement(right)?;
            Some((left, right))
        });
        match halves {
            Some((left, right)) => {
                found += 1;
                out.extend(left.as_bytes());
                out.push(b'|');
                out.extend(right.as_bytes());
            }
            None => out.extend(GB18030.decode_without_bom_handling(line).0.as_bytes()),
        }
    }
    // One line may look so by chance.
    (found >= 3 && bytes.split(|&byte| byte == b'\n').count() <= found * 3).then_some(out)
}

type Moves<'t> = Vec<(&'t str, usize)>;

/// Reads each line with `parse`, which fills the record and returns the words of the moves; `None` if it is no game.
fn each_line(
    source: Source<'_>,
    options: &ReadOptions,
    games: &mut Sink<'_>,
    parse: impl for<'t> Fn(&'t str, usize, &mut Record) -> Option<Moves<'t>>,
) -> Vec<Finding> {
    let transcoded = if options.encoding.is_none() { two_encodings(source.bytes) } else { None };
    // Bytes of the text made of two encodings are none of the file: there the beginning of the line is told.
    let starts = transcoded.as_ref().map(|_| line_starts(source.bytes));
    let to_file = |findings: &mut [Finding]| {
        for finding in findings.iter_mut().filter(|finding| finding.line.is_some()) {
            let Some(starts) = &starts else { continue };
            let index = finding.line.unwrap_or_default().saturating_sub(source.first_line) as usize;
            finding.byte = starts.get(index).map(|start| source.first_byte + start);
        }
    };
    let source = match &transcoded {
        Some(bytes) => Source { bytes, ..source },
        None => source,
    };
    let mut file = TextFile::new(source, options);
    let text = file.take_text();
    let mut listed = Listed::default();
    let mut number = source.first_game;
    let mut unread = 0;
    if transcoded.is_some() {
        let text = crate::say!(
            "the lines hold GBK in front of a bar and Big5 behind it; each was read as what it is";
            "各行竖线之前为 GBK, 之后为 Big5; 已分别读取"
        );
        listed.push(Finding::new(codes::TWO_ENCODINGS, text));
    }
    for line in text.lines() {
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        let line = line.trim_end();
        if line.trim().is_empty() {
            continue;
        }
        let mut record = Record::default();
        let Some(words) = parse(line, at, &mut record) else {
            listed.extend(std::mem::take(&mut record.findings));
            unread += 1;
            continue;
        };
        let mut game = play(words, record);
        game.number = number;
        game.encoding = file.encoding();
        file.locate(&mut game.findings, number);
        to_file(&mut game.findings);
        number += 1;
        if games(game).is_break() {
            return Vec::new();
        }
    }
    let mut findings = listed.into_findings();
    if unread > 0 {
        findings.push(Finding::new(
            codes::UNREAD_LINES,
            crate::say!("{unread} lines that hold no position"; "{unread} 行没有局面"),
        ));
    }
    findings.extend(file.text_findings());
    file.locate_in_file(&mut findings);
    to_file(&mut findings);
    findings
}

/// Where the lines begin.
fn line_starts(bytes: &[u8]) -> Vec<u64> {
    let ends = memchr::memchr_iter(b'\n', bytes).map(|at| at as u64 + 1);
    std::iter::once(0).chain(ends).collect()
}

fn play(words: Moves<'_>, mut record: Record) -> ReadGame {
    // A result may close the line, as may the marks of a mate.
    let mut moves: Vec<PlyAt> = Vec::with_capacity(words.len());
    for (number, (word, at)) in (1..).zip(&words) {
        if let Some(result) = GameResult::read(word) {
            record.result = result;
            continue;
        }
        match word.to_ascii_lowercase().replace('-', "").parse() {
            Ok(m) => moves.push((Ok(m), *at as u64)),
            Err(_) => {
                record.damaged = true;
                let finding =
                    Finding::new(codes::UNREADABLE_LINE, crate::say!("not a move in coordinates"; "不是坐标着法"))
                        .text(*word);
                record.findings.push(finding.ply(number).byte(*at as u64));
                let rest: Vec<&str> = words[number as usize - 1..].iter().map(|(word, _)| *word).collect();
                record.unfolded.rest = rest.join(" ");
                break;
            }
        }
    }
    let from = moves.first().and_then(|(m, at)| Some((m.ok()?.from(), *at)));
    if let Some((from, at)) = from {
        super::linear::settle_side(&mut record.start, Some(from), true, Some(at), &mut record.findings);
    }
    let tree = single_line(record.start, moves.into_iter());
    let mut game = record.finish(tree, 0, "");
    if game.status == Status::Failed && words.is_empty() {
        game.status = Status::Ok;
    }
    game
}

/// Writes UCI lines: main lines alone.
#[derive(Clone, Copy, Debug)]
pub struct UciWriter;

impl Writer for UciWriter {
    fn format(&self) -> Format {
        Format::Uci
    }

    fn extension(&self) -> &'static str {
        "uci"
    }

    fn holds_many(&self) -> bool {
        true
    }

    fn write(&self, game: &Game, _: &WriteOptions, out: &mut Vec<u8>) -> Vec<Finding> {
        out.extend(b"position ");
        if super::is_plain_start(game) {
            out.extend(b"startpos");
        } else {
            out.extend(b"fen ");
            out.extend(game.start.to_fen().as_bytes());
        }
        for (index, m) in game.moves().enumerate() {
            out.extend(if index == 0 { &b" moves "[..] } else { b" " });
            out.extend(m.to_coordinates());
        }
        out.push(b'\n');
        super::lost_beside_main_line(game, Keeps::default())
    }
}

/// Writes positions, one a line, with their titles.
#[derive(Clone, Copy, Debug)]
pub struct EpdWriter;

impl Writer for EpdWriter {
    fn format(&self) -> Format {
        Format::Epd
    }

    fn extension(&self) -> &'static str {
        "epd"
    }

    fn holds_many(&self) -> bool {
        true
    }

    fn write(&self, game: &Game, options: &WriteOptions, out: &mut Vec<u8>) -> Vec<Finding> {
        let own = super::header_as_written(&game.headers, Name::Title);
        let title = own.replace(['\n', '\r', '|', ';'], " ");
        let title = title.trim();
        let separator = if title.is_empty() { "" } else { " ; " };
        let line = format!("{}{separator}{title}\n", game.start.to_fen());
        let mut findings = super::text_file::encode(&line, options.encoding, out);
        findings
            .extend(super::lost_beside_main_line(game, Keeps { headers: &[Name::Title.tag()], ..Keeps::default() }));
        if title != own {
            let text = "the title is one line without bars and semicolons; blanks stand for them";
            findings.push(Finding::new(codes::LINE_BREAKS, text).text(own));
        }
        let plies = game.moves().count();
        if plies > 0 {
            let text = crate::say!("{plies} plies: only the start position is written"; "{plies} 着: 只写出起始局面");
            findings.push(Finding::new(codes::LOST_IN_FORMAT, text));
        }
        findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fen_is_found_with_its_title_on_either_side() {
        let board = "4k4/9/9/9/9/9/9/9/9/4K4";
        let line = format!("{board} w - - 0 1 ; 01.对面笑(一)");
        assert_eq!(fen_in(&line), Some(("", &line[..board.len() + 10], " ; 01.对面笑(一)")));
        let line = format!("笃信谨守|{board} w|d8e8,e9f9");
        assert_eq!(fen_in(&line), Some(("笃信谨守|", &line["笃信谨守|".len()..][..board.len() + 2], "|d8e8,e9f9")));
        assert_eq!(fen_in("1/2 or 3"), None);
    }

    #[test]
    fn places_in_a_file_of_two_encodings_are_places_in_the_file() {
        let good = "4k4/9/9/9/9/9/9/9/9/3K5 w";
        let mut bytes = Vec::new();
        let mut starts = Vec::new();
        for fen in [good, good, good, "4k4/9/9/9/9/9/9/9/9/3K w", good] {
            starts.push(bytes.len() as u64);
            bytes.extend([fen.as_bytes(), b" ;"].concat());
            bytes.extend(encoding_rs::GB18030.encode("残局名称与说明").0.iter());
            bytes.push(b'|');
            bytes.extend(encoding_rs::BIG5.encode("殘局名稱與說明").0.iter());
            bytes.push(b'\n');
        }
        let mut games = 0;
        let findings = EpdReader.read(Source::whole(&bytes, "f"), &ReadOptions::default(), &mut |_| {
            games += 1;
            std::ops::ControlFlow::Continue(())
        });
        let bad = findings.iter().find(|finding| finding.code == codes::BAD_FEN).unwrap();
        assert_eq!((games, bad.line, bad.byte), (4, Some(4), Some(starts[3])));
        assert!(findings.iter().any(|finding| finding.code == codes::TWO_ENCODINGS));
    }
}
