//! Tables: one row a game, columns found by their names.
//!
//! The writer's columns are [`COLUMNS`]; side lines, comments and other headers are not in a table, and a finding says
//! so. The reader takes any table with a `fen` or `moves` column (moves in coordinates); every other column becomes a
//! header, under its own name if it is none of ours.

use super::linear::{LinearTree, PlyAt, Record, report_faults, settle_side, single_line};
use super::listed::Listed;
use super::sketch::Sketch;
use super::text_file::{self, TextFile};
use super::{Confidence, Format, Keeps, ReadOptions, Reader, Sink, Source, WriteOptions, Writer};
use crate::board::Move;
use crate::diag::{Finding, codes};
use crate::game::{Game, GameResult, Name};
use std::collections::HashMap;
use std::io;

/// Columns of a table we write, and the headers they hold.
pub const COLUMNS: [(&str, &str); 17] = [
    ("title", Name::Title.tag()),
    ("event", Name::Event.tag()),
    ("date", Name::Date.tag()),
    ("site", Name::Site.tag()),
    ("round", Name::Round.tag()),
    ("red", Name::Red.tag()),
    ("red_team", Name::RedTeam.tag()),
    ("red_elo", Name::RedElo.tag()),
    ("black", Name::Black.tag()),
    ("black_team", Name::BlackTeam.tag()),
    ("black_elo", Name::BlackElo.tag()),
    ("ecco", Name::Ecco.tag()),
    ("opening", Name::Opening.tag()),
    ("result", ""),
    ("plies", ""),
    ("fen", ""),
    ("moves", ""),
];

/// Reads tables.
#[derive(Clone, Copy, Debug)]
pub struct CsvReader;

impl Reader for CsvReader {
    fn format(&self) -> Format {
        Format::Csv
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let line = String::from_utf8_lossy(&line[..line.len().min(2000)]).to_ascii_lowercase();
        let columns: Vec<&str> =
            line.trim_start_matches('\u{feff}').split(',').map(|c| c.trim().trim_matches('"')).collect();
        let has = |name: &str| columns.contains(&name);
        match (columns.len() > 1, has("fen"), has("moves")) {
            (true, true, true) => Confidence::Certain,
            (true, true, false) | (true, false, true) => Confidence::Likely,
            _ => Confidence::No,
        }
    }

    fn read(&self, source: Source<'_>, options: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        let mut file = TextFile::new(source, options);
        let text = file.take_text();
        let mut rows = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
        let mut listed = Listed::default();
        let mut unread = 0;
        let columns: Vec<String> = match rows.headers() {
            Ok(row) => row.iter().map(|name| name.trim_start_matches('\u{feff}').to_string()).collect(),
            Err(_) => Vec::new(),
        };
        let mut number = source.first_game;
        for row in rows.records() {
            let row = match row {
                Ok(row) => row,
                Err(why) => {
                    listed.push(Finding::new(codes::UNREADABLE_LINE, why.to_string()));
                    continue;
                }
            };
            let at = row.position().map_or(0, csv::Position::byte);
            let mut record = Record::default();
            let beyond: Vec<&str> = row.iter().skip(columns.len()).filter(|value| !value.is_empty()).collect();
            if !beyond.is_empty() {
                let text = format!("{} values beyond the last column", beyond.len());
                let text = Finding::new(codes::UNREADABLE_LINE, text).text(beyond.join(", "));
                record.findings.push(text.byte(at));
            }
            let mut moves = "";
            let mut told = false;
            for (name, value) in columns.iter().zip(&row) {
                if value.is_empty() {
                    continue;
                }
                match name.to_ascii_lowercase().as_str() {
                    "moves" => moves = value,
                    "plies" => {}
                    "result" if GameResult::read(value).is_some() => {
                        record.result = GameResult::read(value).unwrap_or_default();
                    }
                    "fen" => {
                        record.start_from(value, at);
                        told = true;
                    }
                    name_lower => {
                        let known = COLUMNS.iter().find(|(column, header)| *column == name_lower && !header.is_empty());
                        record.headers.push(known.map_or(name.as_str(), |(_, header)| header), value);
                    }
                }
            }
            // A row without moves and without a position is a heading or an empty one.
            if moves.is_empty() && !row.iter().zip(&columns).any(|(value, name)| is_fen(name) && !value.is_empty()) {
                unread += usize::from(row.iter().any(|value| !value.is_empty()));
                continue;
            }
            // Bars divide whole solutions from the start position: the first is the main line.
            let (moves, others) = moves.split_once('|').map_or((moves, None), |(first, others)| (first, Some(others)));
            let plies = read_moves(moves, at, &mut record);
            let from = plies.first().and_then(|(m, _)| Some(m.ok()?.from()));
            settle_side(&mut record.start, from, told, Some(at), &mut record.findings);
            report_faults(&record.start, Some(at), &mut record.findings);
            let tree = match others {
                None => single_line(record.start, plies.into_iter()),
                Some(others) => several_lines(plies, others, at, &mut record),
            };
            let mut game = record.finish(tree, number, file.encoding());
            file.locate(&mut game.findings, number);
            number += 1;
            if games(game).is_break() {
                return Vec::new();
            }
        }
        let mut findings = listed.into_findings();
        if unread > 0 {
            let text = format!("{unread} rows with neither moves nor a position");
            findings.push(Finding::new(codes::UNREAD_LINES, text));
        }
        findings.extend(file.text_findings());
        file.locate_in_file(&mut findings);
        findings
    }
}

/// A tree of lines; what they have in common at their beginning is one.
fn several_lines(first: Vec<PlyAt>, others: &str, at: u64, record: &mut Record) -> LinearTree {
    let mut sketch = Sketch::new();
    let mut known: HashMap<(usize, Option<Move>), usize> = HashMap::new();
    let mut full = false;
    let mut add = |plies: Vec<PlyAt>| {
        let mut node = 0;
        for (squares, at) in plies {
            let place = (node, squares.ok());
            let Some(next) = known.get(&place).copied().or_else(|| sketch.add(node, squares, at)) else {
                full = true;
                break;
            };
            known.insert(place, next);
            node = next;
        }
    };
    add(first);
    for line in others.split('|') {
        add(read_moves(line, at, record));
    }
    if full {
        record.damaged = true;
        record.findings.push(Sketch::too_long(at));
    }
    sketch.play(record)
}

fn is_fen(column: &str) -> bool {
    column.eq_ignore_ascii_case("fen")
}

fn read_moves(text: &str, at: u64, record: &mut Record) -> Vec<PlyAt> {
    let words: Vec<&str> = text.split([' ', ',', ';', '\n']).filter(|word| !word.is_empty()).collect();
    let mut plies = Vec::new();
    for (number, word) in (1..).zip(&words) {
        match word.to_ascii_lowercase().replace('-', "").parse() {
            Ok(m) => plies.push((Ok(m), at)),
            Err(_) => {
                record.damaged = true;
                let finding =
                    Finding::new(codes::UNREADABLE_LINE, crate::say!("not a move in coordinates"; "不是坐标着法"))
                        .text(*word);
                record.findings.push(finding.ply(number).byte(at));
                record.unfolded.rest = words[number as usize - 1..].join(" ");
                break;
            }
        }
    }
    plies
}

/// Writes tables.
#[derive(Clone, Copy, Debug)]
pub struct CsvWriter;

impl Writer for CsvWriter {
    fn format(&self) -> Format {
        Format::Csv
    }

    fn extension(&self) -> &'static str {
        "csv"
    }

    fn holds_many(&self) -> bool {
        true
    }

    /// Appends one row; the row of column names is written by [`Writer::join`].
    fn write(&self, game: &Game, options: &WriteOptions, out: &mut Vec<u8>) -> Vec<Finding> {
        let moves: Vec<String> = game.moves().map(|m| m.to_string()).collect();
        let row = COLUMNS.iter().map(|(column, header)| match *column {
            "result" => game.result.token().to_string(),
            "plies" => moves.len().to_string(),
            "fen" => game.start.to_fen(),
            "moves" => moves.join(" "),
            _ => {
                let known = game.headers.get_raw(header);
                let value = known.or_else(|| (*column == "red").then(|| game.headers.get_raw("White")).flatten());
                value.unwrap_or_default().to_string()
            }
        });
        let mut bytes = Vec::new();
        let written = {
            let mut writer = csv::Writer::from_writer(&mut bytes);
            writer.write_record(row).is_ok() && writer.flush().is_ok()
        };
        let text = if written { String::from_utf8(bytes).unwrap_or_default() } else { String::new() };
        let mut findings = text_file::encode(&text, options.encoding, out);
        for (name, value) in game.headers.iter().filter(|(_, value)| value.trim() != *value) {
            let message = format!("blanks at the ends of {name} are not kept");
            findings.push(Finding::new(codes::LINE_BREAKS, message).text(value));
        }
        let columns: Vec<&str> = COLUMNS.iter().map(|(_, header)| *header).collect();
        findings
            .extend(super::lost_beside_main_line(game, Keeps { result: true, headers: &columns, ..Keeps::default() }));
        findings
    }

    fn joins(&self) -> bool {
        true
    }

    fn join(&self, games: &mut dyn Iterator<Item = Vec<u8>>, out: &mut dyn io::Write) -> io::Result<()> {
        let names: Vec<&str> = COLUMNS.iter().map(|(column, _)| *column).collect();
        let head = names.join(",") + "\n";
        let mut games = games.peekable();
        // The names are ASCII, which every encoding but UTF-16 shares; rows in that begin with its mark.
        let first = games.peek().map(Vec::as_slice).unwrap_or_default();
        let wide = [encoding_rs::UTF_16LE, encoding_rs::UTF_16BE]
            .into_iter()
            .find(|encoding| encoding_rs::Encoding::for_bom(first).is_some_and(|(found, _)| found == *encoding));
        let mut bytes = Vec::new();
        text_file::encode(&head, wide.unwrap_or(encoding_rs::UTF_8), &mut bytes);
        out.write_all(&bytes)?;
        for game in games {
            out.write_all(super::without_mark(&game))?;
        }
        Ok(())
    }
}
