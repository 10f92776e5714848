//! Values of single fields.

use super::board::{Material, Pattern, parts};
use super::tree::{Capture, Checks, Ending, Term};
use crate::board::{Color, Kind, Move, Position};
use crate::diag::Message;
use crate::game::{GameResult, PartialDate};
use crate::names::Needle;
use crate::notation::{Dialect, read_move, resolve};
use crate::opening::Ecco;
use crate::say;
use crate::search::headers::{DateRange, Role};
use std::ops::{Range, RangeInclusive};

/// What is wrong with a value; the place is relative to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub at: Option<Range<usize>>,
    pub what: Message,
}

impl Fault {
    pub fn at(at: Range<usize>, what: impl Into<Message>) -> Fault {
        Fault { at: Some(at), what: what.into() }
    }

    pub fn whole(what: impl Into<Message>) -> Fault {
        Fault { at: None, what: what.into() }
    }

    fn shift(self, by: usize) -> Fault {
        Fault { at: self.at.map(|at| at.start + by..at.end + by), ..self }
    }
}

/// What a field stands for.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Term(Term),
    Mirror(bool),
    Lines(bool),
    Swap(bool),
}

/// Field names with their Chinese forms; the first is the one shown.
const FIELDS: [(&[&str], Field); 25] = [
    (&["player", "棋手"], Field::Text(&[Role::Red, Role::Black])),
    (&["red", "红方", "紅方", "红"], Field::Text(&[Role::Red])),
    (&["black", "黑方", "黑"], Field::Text(&[Role::Black])),
    (&["team", "队伍", "隊伍", "队"], Field::Text(&[Role::Team])),
    (&["event", "赛事", "賽事"], Field::Text(&[Role::Event])),
    (&["site", "地点", "地點"], Field::Text(&[Role::Site])),
    (&["round", "轮次", "輪次"], Field::Text(&[Role::Round])),
    (&["opening", "开局", "開局"], Field::Text(&[Role::Opening])),
    (&["source", "来源", "來源", "file"], Field::Text(&[Role::Source])),
    (&["comment", "注释", "註釋", "评注"], Field::Comment),
    (&["date", "日期"], Field::Date),
    (&["result", "结果", "結果"], Field::Result),
    (&["ecco", "编号", "編號"], Field::Ecco),
    (&["plies", "着数", "步数"], Field::Plies),
    (&["fen", "局面"], Field::Fen),
    (&["line", "着法", "著法"], Field::Line),
    (&["pattern", "形状", "形狀"], Field::Pattern),
    (&["material", "子力"], Field::Material),
    (&["sequence", "次序"], Field::Sequence),
    (&["capture", "吃子"], Field::Capture),
    (&["check", "将军", "將軍"], Field::Check),
    (&["mate", "将死", "將死"], Field::Mate),
    (&["mirror", "镜像", "鏡像"], Field::Mirror),
    (&["swap", "换色", "換色"], Field::Swap),
    (&["lines", "变着", "變著"], Field::Lines),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Text(&'static [Role]),
    Comment,
    Date,
    Result,
    Ecco,
    Plies,
    Fen,
    Line,
    Pattern,
    Material,
    Sequence,
    Capture,
    Check,
    Mate,
    Mirror,
    Swap,
    Lines,
}

/// The field of a name.
/// Whether terms of this name are understood: `player`, `棋手`, in any case of letters.
pub fn is_term(name: &str) -> bool {
    field(name).is_some()
}

pub(super) fn field(name: &str) -> Option<Field> {
    FIELDS.iter().find(|(names, _)| names.iter().any(|n| n.eq_ignore_ascii_case(name))).map(|(_, field)| *field)
}

/// All field names as they are shown.
pub(super) fn field_names() -> String {
    let names: Vec<&str> = FIELDS.iter().map(|(names, _)| names[0]).collect();
    names.join(", ")
}

impl Field {
    /// Reads the value of this field.
    pub fn read(self, text: &str) -> Result<Value, Fault> {
        let needle =
            || Needle::new(text).ok_or_else(|| Fault::whole(say!("a text to look for is missing"; "缺少要查找的文字")));
        Ok(Value::Term(match self {
            Field::Text(roles) => Term::Text(roles, needle()?),
            Field::Comment => Term::Comment(needle()?),
            Field::Date => date(text)?,
            Field::Result => Term::Result(result(text)?),
            Field::Ecco => Term::Ecco(ecco(text)?),
            Field::Plies => Term::Plies(numbers(text)?),
            Field::Fen if text.contains('?') => Term::Pattern(Pattern::of_board(text)?),
            Field::Fen => Term::Position(Box::new(fen(text)?)),
            Field::Line => {
                let mut position = Position::start();
                for m in line(text)? {
                    position.play(m);
                }
                Term::Position(Box::new(position))
            }
            Field::Pattern => Term::Pattern(Pattern::read(text)?),
            Field::Material => Term::Material(Material::read(text)?),
            Field::Sequence => {
                let read = |(at, part): (usize, &str)| Pattern::read(part).map_err(|fault| fault.shift(at));
                Term::Sequence(parts(text).into_iter().map(read).collect::<Result<_, _>>()?)
            }
            Field::Capture => Term::Capture(capture(text)?),
            Field::Check => Term::Checks(checks(text)?),
            Field::Mate => Term::Ending(ending(text)?),
            Field::Mirror => return Ok(Value::Mirror(yes(text)?)),
            Field::Lines => match text {
                "all" | "全部" => return Ok(Value::Lines(true)),
                "main" | "主线" => return Ok(Value::Lines(false)),
                _ => return Err(Fault::whole(say!("all or main"; "应为 all（全部）或 main（主线）"))),
            },
            Field::Swap => return Ok(Value::Swap(yes(text)?)),
        }))
    }
}

fn yes(text: &str) -> Result<bool, Fault> {
    match text.to_ascii_lowercase().as_str() {
        "" | "yes" | "true" | "1" | "on" | "是" => Ok(true),
        "no" | "false" | "0" | "off" | "否" => Ok(false),
        _ => Err(Fault::whole(say!("yes or no"; "应为 yes（是）或 no（否）"))),
    }
}

fn side(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "red" | "红" | "紅" | "红方" | "紅方" => Some(Color::Red),
        "black" | "黑" | "黑方" => Some(Color::Black),
        _ => None,
    }
}

fn result(text: &str) -> Result<GameResult, Fault> {
    match text.to_ascii_lowercase().as_str() {
        "draw" | "和" => Ok(GameResult::Draw),
        "unknown" | "*" | "?" => Ok(GameResult::Unknown),
        lower => side(lower)
            .map(GameResult::win_of)
            .or_else(|| GameResult::read(text))
            .ok_or_else(|| Fault::whole(say!("a result is red, black, draw or unknown"; "结果为 red（红胜）、black（黑胜）、draw（和）或 unknown（不明）"))),
    }
}

/// The two ends of `a..b`, `..b`, `a..`, or `a` for both, with their places.
fn ends(text: &str) -> ((usize, &str), (usize, &str)) {
    match text.find("..") {
        Some(at) => {
            // 1978.. and 1978...1985 (three dots by habit)
            let second = at + 2 + usize::from(text[at + 2..].starts_with('.'));
            ((0, &text[..at]), (second, &text[second..]))
        }
        None => ((0, text), (0, text)),
    }
}

fn date(text: &str) -> Result<Term, Fault> {
    if matches!(text, "?" | "unknown" | "????" | "????.??.??") {
        return Ok(Term::Undated);
    }
    let read = |(at, part): (usize, &str)| -> Result<Option<PartialDate>, Fault> {
        if part.is_empty() {
            return Ok(None);
        }
        let found = PartialDate::read(part).ok_or_else(|| {
            Fault::at(at..at + part.len(), say!("a date is 1978, 1978.05, 1978.05.12, or two of them with .. between"; "日期写作 1978、1978.05、1978.05.12，或中间用 .. 连接的两个"))
        })?;
        // A record may say 1998.13; who asks for it means something else than the year.
        let numbers = || part.split(|c: char| !c.is_numeric()).filter(|number| !number.is_empty());
        let written = if numbers().any(|number| number.len() == 8) { 3 } else { numbers().count() };
        let understood = 1 + usize::from(found.month.is_some()) + usize::from(found.day.is_some());
        if written > understood {
            return Err(Fault::at(at..at + part.len(), say!("there is no such month or day"; "没有这样的月或日")));
        }
        Ok(Some(found))
    };
    let (first, last) = ends(text);
    let (first, last) = (read(first)?, read(last)?);
    match (first, last) {
        (None, None) => Err(Fault::whole(say!("a date is missing"; "缺少日期"))),
        _ => {
            let range = DateRange::new(first, last);
            if range.is_empty() {
                return Err(Fault::whole(backwards()));
            }
            Ok(Term::Date(range))
        }
    }
}

/// What is said of `2003..1999`.
fn backwards() -> Message {
    say!("the second lies before the first"; "后一个在前一个之前")
}

fn numbers(text: &str) -> Result<RangeInclusive<u32>, Fault> {
    let read = |(at, part): (usize, &str), open: u32| match part {
        "" => Ok(open),
        _ => part.parse().map_err(|_| {
            Fault::at(
                at..at + part.len(),
                say!("a number, or two with .. between: 60..120"; "应为一个数，或中间用 .. 连接的两个：60..120"),
            )
        }),
    };
    let (first, last) = ends(text);
    if first.1.is_empty() && last.1.is_empty() {
        return Err(Fault::whole(say!("a number is missing"; "缺少数字")));
    }
    let range = read(first, 0)?..=read(last, u32::MAX)?;
    if range.is_empty() { Err(Fault::whole(backwards())) } else { Ok(range) }
}

fn ecco(text: &str) -> Result<Vec<RangeInclusive<Ecco>>, Fault> {
    let mut spans = Vec::new();
    let mut start = 0;
    for part in text.split(',') {
        let read = |(at, code): (usize, &str), open: Ecco| {
            if code.is_empty() {
                return Ok((open, open));
            }
            let at = start + at;
            Ecco::span(code).ok_or_else(|| {
                Fault::at(
                    at..at + code.len(),
                    say!("a code is B20, B2 (B20 to B29) or B"; "编号写作 B20、B2（即 B20 至 B29）或 B"),
                )
            })
        };
        let (first, last) = ends(part);
        if first.1.is_empty() && last.1.is_empty() {
            return Err(Fault::whole(say!("a code is missing"; "缺少编号")));
        }
        let span = read(first, Ecco::FIRST)?.0..=read(last, Ecco::LAST)?.1;
        if span.is_empty() {
            return Err(Fault::at(start..start + part.len(), backwards()));
        }
        spans.push(span);
        start += part.len() + 1;
    }
    Ok(spans)
}

fn fen(text: &str) -> Result<Position, Fault> {
    Position::from_fen(text).map_err(|fault| Fault::whole(fault.to_string()))
}

/// What a person may type: all notations in common use, ranks counted 0–9 as everywhere in the program.
const TYPED: Dialect = Dialect::COMMON.settled(Dialect::RANKS_FROM_0);

/// Moves from the start position, in any notation.
fn line(text: &str) -> Result<Vec<Move>, Fault> {
    let mut position = Position::start();
    let mut moves = Vec::new();
    let mut at = 0;
    let skip = |c: char| c.is_whitespace() || matches!(c, ',' | '，' | '、' | ';' | '；');
    loop {
        let rest = &text[at..];
        at += rest.len() - rest.trim_start_matches(skip).len();
        let rest = &text[at..];
        if rest.is_empty() {
            return Ok(moves);
        }
        // Round numbers: 1. 2、
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let dots = rest[digits..].len() - rest[digits..].trim_start_matches(['.', '、']).len();
        if digits > 0 && dots > 0 {
            at += digits + dots;
            continue;
        }
        let word = at..at + rest.find(char::is_whitespace).unwrap_or(rest.len());
        let Some((token, used)) = read_move(rest) else {
            return Err(Fault::at(word, say!("not a move in any notation"; "不是任何记谱法的着法")));
        };
        let candidates = resolve(&token, &position, TYPED);
        match candidates.single() {
            Some(m) => {
                position.play(m);
                moves.push(m);
                at += used;
            }
            None if candidates.is_empty() => {
                return Err(Fault::at(
                    at..at + used,
                    say!("no piece of the side to move can do this here"; "此处轮走方没有棋子能这样走"),
                ));
            }
            None => {
                let list: Vec<String> = candidates.iter().map(ToString::to_string).collect();
                return Err(Fault::at(
                    at..at + used,
                    say!("may be any of {}", list.join(", "); "可能是 {}", list.join("、")),
                ));
            }
        }
    }
}

/// `RxN`, `Rx`, `xN`, `x`; letters of different case name the side (`Rxn`: Red takes).
fn capture(text: &str) -> Result<Capture, Fault> {
    let fault = || {
        Fault::whole(
            say!("a capture is RxN, Rx? or ?xN; Rxn means Red takes, rxN Black"; "吃子写作 RxN、Rx? 或 ?xN；Rxn 指红方吃，rxN 指黑方吃"),
        )
    };
    let at = text.find(['x', 'X', '×', '*']).ok_or_else(fault)?;
    let cross = text[at..].chars().next().map_or(1, char::len_utf8);
    let piece = |text: &str| -> Result<(Option<Kind>, Option<Color>), Fault> {
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (None | Some('?'), None) => Ok((None, None)),
            (Some(c), None) => {
                let kind = Kind::from_letter(c).ok_or_else(fault)?;
                Ok((Some(kind), Some(if c.is_ascii_uppercase() { Color::Red } else { Color::Black })))
            }
            _ => Err(fault()),
        }
    };
    let ((by, taker), (taken, victim)) = (piece(&text[..at])?, piece(&text[at + cross..])?);
    let side = match (taker, victim) {
        (Some(taker), Some(victim)) if taker != victim => Some(taker),
        // Both capitals (or one piece alone, capital) say nothing about the side; a small letter means Black.
        (Some(Color::Black), _) => Some(Color::Black),
        (None, Some(Color::Black)) => Some(Color::Red),
        _ => None,
    };
    if taker == Some(Color::Black) && victim == Some(Color::Black) {
        return Err(Fault::whole(
            say!("a side does not take its own pieces: write RxN, Rxn or rxN"; "不能吃己方的子：写作 RxN、Rxn 或 rxN"),
        ));
    }
    Ok(Capture { by, taken, side })
}

fn checks(text: &str) -> Result<Checks, Fault> {
    if let Some(by) = side(text) {
        return Ok(Checks { by: Some(by), count: 1..=u32::MAX });
    }
    let count = match yes(text) {
        // A lone 1 or 0 is a number here.
        Ok(true) if text != "1" => 1..=u32::MAX,
        Ok(false) if text != "0" => 0..=0,
        _ if text.contains(|c: char| c.is_ascii_digit()) => numbers(text)?,
        _ => {
            let what =
                say!("yes, no, red, black, or a number of checks: 3.."; "应为 yes、no、red、black，或将军次数：3..");
            return Err(Fault::whole(what));
        }
    };
    Ok(Checks { by: None, count })
}

fn ending(text: &str) -> Result<Ending, Fault> {
    let plain = Ending { mate: true, stalemate: false, winner: None, not: false };
    if let Some(winner) = side(text) {
        return Ok(Ending { winner: Some(winner), ..plain });
    }
    Ok(match text.to_ascii_lowercase().as_str() {
        "stalemate" | "困毙" | "困斃" => Ending { mate: false, stalemate: true, ..plain },
        "any" => Ending { stalemate: true, ..plain },
        other => match yes(other) {
            Ok(yes) => Ending { not: !yes, ..plain },
            Err(_) => {
                return Err(Fault::whole(
                    say!("yes, no, red, black, stalemate or any"; "应为 yes、no、red、black、stalemate（困毙）或 any"),
                ));
            }
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(name: &str, text: &str) -> Result<Term, Fault> {
        match field(name).unwrap().read(text)? {
            Value::Term(term) => Ok(term),
            _ => Err(Fault::whole("a mode")),
        }
    }

    fn position(name: &str, text: &str) -> String {
        match term(name, text) {
            Ok(Term::Position(position)) => position.to_board_fen(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn lines_in_any_notation_lead_to_positions() {
        let by_uci = position("line", "h2e2 h9g7 h0g2");
        for text in
            ["炮二平五 马8进7 马二进三", "1.炮二平五 马8进7 2.马二进三", "C2.5 N8+7 N2+3", "砲二平五，馬8進7，馬二進三"]
        {
            assert_eq!(position("line", text), by_uci, "{text}");
        }
        assert_eq!(term("line", "炮二平五 马9进8").unwrap_err().at.map(|at| at.start), Some(13));
        assert!(term("line", "炮二平五 xyz").unwrap_err().what.text(false).contains("not a move"));
    }

    #[test]
    fn spans_of_dates_codes_and_numbers() {
        for text in ["1978", "1978..1985", "1978.05..1985.3.1", "..1960", "1960..", "?"] {
            assert!(term("date", text).is_ok(), "{text}");
        }
        for text in ["", "..", "1978..x", "x"] {
            assert!(term("date", text).is_err(), "{text}");
        }
        assert!(matches!(term("plies", "60..120"), Ok(Term::Plies(range)) if range == (60..=120)));
        assert!(matches!(term("plies", "100.."), Ok(Term::Plies(range)) if range == (100..=u32::MAX)));
        assert!(matches!(term("ecco", "B2,D..E0"), Ok(Term::Ecco(spans)) if spans.len() == 2));
        assert!(term("ecco", "B2,X1").unwrap_err().at == Some(3..5));
        for (field, text) in [("date", "2003..1999"), ("plies", "100..20"), ("check", "5..3"), ("ecco", "E..B")] {
            assert_eq!(term(field, text).unwrap_err().what, backwards(), "{field}:{text}");
        }
        for text in ["1998.13", "1998.02.29", "1998.02.30", "1998.04.31..1999", "1998.00.05"] {
            assert!(term("date", text).is_err(), "{text}");
        }
        for text in ["1998.12.31", "19980230", "2000.02.29", "1998年5月", "..1998.02", "1998.??.??"] {
            assert_eq!(term("date", text).is_ok(), text != "19980230", "{text}");
        }
    }

    #[test]
    fn captures_name_a_side_by_their_letters() {
        let capture = |text| match term("capture", text) {
            Ok(Term::Capture(capture)) => Some((capture.by, capture.taken, capture.side)),
            _ => None,
        };
        let (rook, horse) = (Some(Kind::Rook), Some(Kind::Horse));
        assert_eq!(capture("RxN"), Some((rook, horse, None)));
        assert_eq!(capture("Rxn"), Some((rook, horse, Some(Color::Red))));
        assert_eq!(capture("rxN"), Some((rook, horse, Some(Color::Black))));
        assert_eq!(capture("x"), Some((None, None, None)));
        assert_eq!(capture("rxn"), None);
        assert_eq!(capture("RN"), None);
    }
}
