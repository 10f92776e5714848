//! The event log an arbiter keeps: what happened in which game, by whom.
//!
//! Comes in: text, as CSV with a row of column names, as JSON Lines, or as a JSON list. Goes out: [`Entry`]s in the
//! order of the log.
//!
//! | column | | |
//! |---|---|---|
//! | `game` | 局 | which game: any text, the same for all its events |
//! | `side` | 方 | `red` / `black`, 红 / 黑 |
//! | `player` | 棋手 | the player's name; needed once a game and side, for the totals of the event |
//! | `event` | 事件 | one of the words of [`What`] |
//! | `count` | 数量 | for `record`: all missing and illegible entries found on the sheet so far |
//! | `stage` | 阶段 | for `untrue-limit`: the ply of the last capture, which tells the stages apart |
//! | `note` | 备注 | anything |
//!
//! Forgives: columns in any order, columns nobody asked for, blank lines, capitals, full-width commas, a byte order
//! mark. A line that says nothing that can be read is a finding; the others stand.
//!
//! ```text
//! game,side,player,event,count
//! 3-1,red,甲一,record,5
//! 3-1,black,乙一,press,
//! ```

use crate::board::Color;
use crate::diag::{Finding, codes};

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// `disturb`, 干扰: disturbing the opponent in the opponent's time (8.1.1).
    Disturb,
    /// `clock`, 停钟: stopping or starting the clock (8.1.2).
    Clock,
    /// `offer`, 提和: a draw is offered (22.1); a foul where the offers lead by too many (8.1.3).
    Offer,
    /// `untrue-limit`, 自然限着不属实: a claim that proved untrue (8.1.4, 22.2).
    UntrueLimit,
    /// `touch`, 摸子: a piece touched that cannot move or be taken (8.1.5).
    Touch,
    /// `record`, 漏记: the sheet was inspected, with `count` missing entries (8.1.6).
    Record,
    /// `press`, 先按钟: the clock pressed without a move (8.1.7).
    Press,
    /// `illegal`, 违例: a move against the rules (8.1.8, 4.1.8).
    Illegal,
    /// `minor`, 违纪: another minor breach (8.1.9).
    Minor,
    /// `refuse`, 拒绝: refuses to obey the rules (4.1.13, 7.4).
    Refuse,
    /// `resign`, 认输 (4.1.12); directly behind an own foul it may spare that foul (8.2).
    Resign,
    /// `warning`, 警告: a warning by the arbiter (18.1): no foul, but it counts among equals (18.5).
    Warning,
    /// `capture`, 吃子: a capture, which opens a new stage for 4.1.11.
    Capture,
}

impl What {
    /// Every kind with its words, the first in English, the second in Chinese.
    pub const WORDS: [(What, &'static [&'static str]); 13] = [
        (What::Disturb, &["disturb", "干扰", "干擾", "8.1.1"]),
        (What::Clock, &["clock", "停钟", "停鐘", "停、开钟", "8.1.2"]),
        (What::Offer, &["offer", "提和", "8.1.3"]),
        (What::UntrueLimit, &["untrue-limit", "自然限着不属实", "自然限著不屬實", "8.1.4"]),
        (What::Touch, &["touch", "摸子", "8.1.5"]),
        (What::Record, &["record", "漏记", "漏記", "8.1.6"]),
        (What::Press, &["press", "先按钟", "先按鐘", "未走按钟", "8.1.7"]),
        (What::Illegal, &["illegal", "违例", "違例", "违反行棋规定", "8.1.8"]),
        (What::Minor, &["minor", "违纪", "違紀", "8.1.9"]),
        (What::Refuse, &["refuse", "拒绝", "拒絕", "4.1.13"]),
        (What::Resign, &["resign", "认输", "認輸", "4.1.12"]),
        (What::Warning, &["warning", "警告", "18.1"]),
        (What::Capture, &["capture", "吃子"]),
    ];

    /// Reads a word in either language, or the number of the article.
    pub fn read(text: &str) -> Option<What> {
        let text = text.trim().to_lowercase().replace(['_', ' '], "-");
        What::WORDS.iter().find(|(_, words)| words.contains(&&text[..])).map(|&(what, _)| what)
    }

    /// Its word in Chinese.
    pub fn chinese(self) -> &'static str {
        What::WORDS.iter().find(|(what, _)| *what == self).map_or("", |(_, words)| words[1])
    }

    /// Its word in English.
    pub fn english(self) -> &'static str {
        What::WORDS.iter().find(|(what, _)| *what == self).map_or("", |(_, words)| words[0])
    }

    /// What happened, in plain English.
    pub fn in_plain_english(self) -> &'static str {
        match self {
            What::Disturb => "disturbed the opponent",
            What::Clock => "stopped or started the clock",
            What::Offer => "a draw offer too many",
            What::UntrueLimit => "an untrue natural-limit claim",
            What::Touch => "touched a piece that cannot move or be taken",
            What::Record => "entries missing on the sheet",
            What::Press => "pressed the clock without a move",
            What::Illegal => "a move against the rules",
            What::Minor => "a minor breach",
            What::Refuse => "refused to obey the rules",
            What::Resign => "resigned",
            What::Warning => "a warning",
            What::Capture => "a capture",
        }
    }
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Line of the log, from 1.
    pub line: u32,
    /// Which game.
    pub game: String,
    /// Who did it.
    pub side: Color,
    /// The player's name, if the line has one.
    pub player: Option<String>,
    /// What happened.
    pub what: What,
    /// Missing entries on the sheet.
    pub count: Option<u32>,
    /// Which stretch between two captures.
    pub stage: Option<String>,
}

/// A log as read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    /// The events in their order.
    pub entries: Vec<Entry>,
    /// Lines that could not be read.
    pub findings: Vec<Finding>,
}

/// A line by its named fields.
#[derive(Default)]
struct Fields {
    values: [Option<String>; 6],
}

const NAMES: [&[&str]; 6] = [
    &["game", "局", "对局", "對局"],
    &["side", "color", "方", "红黑", "紅黑"],
    &["player", "name", "棋手", "姓名"],
    &["event", "what", "事件"],
    &["count", "missing", "数量", "數量", "漏记"],
    &["stage", "阶段", "階段"],
];

fn field(name: &str) -> Option<usize> {
    let name = name.trim().trim_start_matches('\u{feff}').to_lowercase();
    NAMES.iter().position(|names| names.contains(&&name[..]))
}

impl Log {
    /// Reads a log. Never fails: what cannot be read is a finding.
    pub fn read(text: &str) -> Log {
        let text = text.trim_start_matches('\u{feff}');
        let mut log = Log::default();
        match text.trim_start().chars().next() {
            Some('{') => {
                for (line, text) in (1u32..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
                    match serde_json::from_str::<serde_json::Value>(text) {
                        Ok(value) => log.add_json(line, &value),
                        Err(error) => log.fault(line, text, &error.to_string()),
                    }
                }
            }
            Some('[') => match serde_json::from_str::<Vec<serde_json::Value>>(text) {
                Ok(list) => {
                    // Numbered by their places: a list has no lines of its own.
                    (1u32..).zip(&list).for_each(|(number, value)| log.add_json(number, value));
                }
                Err(error) => log.fault(error.line() as u32, "", &error.to_string()),
            },
            _ => log.read_csv(text),
        }
        log
    }

    fn read_csv(&mut self, text: &str) {
        // Only where no plain comma parts the columns may the full-width one.
        let head = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let replaced;
        let text = if head.contains(',') {
            text
        } else {
            replaced = text.replace('，', ",");
            &replaced
        };
        let delimiter = if head.contains('\t') && !head.contains(',') { b'\t' } else { b',' };
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(true)
            .flexible(true)
            .delimiter(delimiter)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let columns: Vec<Option<usize>> = match reader.headers() {
            Ok(head) => head.iter().map(field).collect(),
            Err(error) => return self.fault(1, "", &error.to_string()),
        };
        for (index, name) in [(0, "game"), (1, "side"), (3, "event")] {
            if !columns.contains(&Some(index)) {
                return self.fault(1, head, &format!("no column `{name}`"));
            }
        }
        for record in reader.records() {
            let record = match record {
                Ok(record) => record,
                Err(error) => {
                    let line = error.position().map_or(0, |p| p.line() as u32);
                    self.fault(line, "", &error.to_string());
                    continue;
                }
            };
            let line = record.position().map_or(0, |p| p.line() as u32);
            let mut fields = Fields::default();
            for (value, column) in record.iter().zip(&columns) {
                if let Some(index) = column
                    && !value.is_empty()
                {
                    fields.values[*index] = Some(value.to_string());
                }
            }
            let text = record.iter().collect::<Vec<_>>().join(",");
            if fields.values.iter().any(Option::is_some) {
                self.add(line, fields, &text);
            }
        }
    }

    fn add_json(&mut self, line: u32, value: &serde_json::Value) {
        let text = value.to_string();
        let Some(object) = value.as_object() else { return self.fault(line, &text, "not an object") };
        let mut fields = Fields::default();
        for (name, value) in object {
            if let Some(index) = field(name) {
                fields.values[index] = match value {
                    serde_json::Value::Null => None,
                    serde_json::Value::String(text) => Some(text.trim().to_string()).filter(|text| !text.is_empty()),
                    other => Some(other.to_string()),
                };
            }
        }
        self.add(line, fields, &text);
    }

    fn add(&mut self, line: u32, fields: Fields, text: &str) {
        let [game, side, player, event, count, stage] = fields.values;
        let Some(game) = game else { return self.fault(line, text, "no game") };
        let side = match side.as_deref().map(str::to_lowercase).as_deref() {
            Some("red" | "r" | "w" | "红" | "紅" | "红方" | "紅方") => Color::Red,
            Some("black" | "b" | "黑" | "黑方") => Color::Black,
            other => return self.fault(line, text, &format!("the side is {}", other.unwrap_or("not said"))),
        };
        let Some(what) = event.as_deref().and_then(What::read) else {
            return self.fault(line, text, &format!("the event is {}", event.as_deref().unwrap_or("not said")));
        };
        let number = count.as_deref().map(str::parse::<u32>);
        if what == What::Record && !matches!(number, Some(Ok(_))) {
            return self.fault(line, text, "an inspected sheet needs the number of its missing entries");
        }
        let count = number.and_then(Result::ok);
        self.entries.push(Entry { line, game, side, player, what, count, stage });
    }

    fn fault(&mut self, line: u32, text: &str, why: &str) {
        let text: String = text.chars().take(200).collect();
        self.findings.push(Finding::new(codes::LEDGER_LINE, why.to_string()).line(u64::from(line), None).text(text));
    }
}
