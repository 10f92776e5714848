//! What the reader has to say about a game.

use super::assemble::Found;
use super::scan::Problem;
use super::tags::{Tag, TagFault};
use crate::board::{FenNote, Piece, Position};
use crate::diag::{Code, Finding, codes};
use crate::game::GameResult;
use crate::replay::{Entry, Event};
use crate::text::{self, Basis, Fault, Guess, Spot, encoding_name};
use encoding_rs::Encoding;

/// So many findings of one code are told for a game; the rest is counted.
const MOST: usize = 20;

/// Findings of one game with their places in the text.
#[derive(Debug, Default)]
pub(super) struct Report {
    list: Vec<(usize, Finding)>,
    more: Vec<(Code, usize)>,
}

impl Report {
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.more.is_empty()
    }

    pub fn add(&mut self, (at, finding): (usize, Finding)) {
        if self.list.iter().filter(|(_, other)| other.code == finding.code).count() < MOST {
            self.list.push((at, finding));
        } else {
            self.count(finding.code, 1);
        }
    }

    pub fn add_at(&mut self, at: usize, finding: Finding) {
        self.add((at, finding));
    }

    pub fn uncounted_problems(&mut self, more: usize) {
        if more > 0 {
            self.count(codes::OPEN_BRACKET, more);
        }
    }

    pub fn uncounted_faults(&mut self, more: usize) {
        self.count(codes::BAD_BYTES, more);
    }

    fn count(&mut self, code: Code, more: usize) {
        match self.more.iter_mut().find(|(other, _)| *other == code) {
            Some((_, count)) => *count += more,
            None => self.more.push((code, more)),
        }
    }

    /// Gives every finding its place in the file, in the order of the text.
    pub fn locate(&mut self, mut spot: impl FnMut(usize) -> Spot) {
        self.list.sort_by_key(|(at, _)| *at);
        for (at, finding) in &mut self.list {
            let spot = spot(*at);
            finding.byte.get_or_insert(spot.byte);
            finding.line = Some(spot.line);
            finding.column = Some(spot.column);
        }
    }

    pub fn into_findings(self) -> Vec<Finding> {
        let mut findings: Vec<Finding> = self.list.into_iter().map(|(_, finding)| finding).collect();
        for (code, count) in self.more {
            let message = crate::say!(
                "{count} more findings of {code} and its kind in this game are not listed";
                "本局另有 {count} 条 {code} 一类的发现未列出"
            );
            findings.push(Finding::new(codes::MORE_FINDINGS, message));
        }
        findings
    }
}

/// What to say about the encoding of a file; nothing if it is beyond doubt.
pub(super) fn encoding(guess: &Guess) -> Option<Finding> {
    match guess.basis {
        Basis::Asked | Basis::Ascii | Basis::Utf8 | Basis::Mark => None,
        _ => {
            let code = if guess.is_weak() { codes::DOUBTFUL_ENCODING } else { codes::ENCODING_GUESSED };
            Some(Finding::new(code, crate::say!("{}", guess.evidence(); "{}", guess.chinese())))
        }
    }
}

pub(super) fn other_encoding(file: &'static Encoding, guess: &Guess) -> Finding {
    let name = encoding_name(file);
    let message = crate::say!(
        "the file is {name}, this game {}", guess.evidence();
        "文件为 {name}, 本局{}", guess.chinese()
    );
    Finding::new(codes::OTHER_ENCODING, message)
}

/// A part of a large file that is certainly not in the encoding of its beginning.
pub(super) fn other_encoding_of_part(settled: &Guess, own: &Guess, byte: u64, line: u64) -> Finding {
    let name = encoding_name(settled.encoding);
    let message = crate::say!(
        "the file begins as {name} ({}); from here on it is {}", settled.evidence(), own.evidence();
        "文件开头为 {name} ({}), 由此起则{}", settled.chinese(), own.chinese()
    );
    Finding::new(codes::OTHER_ENCODING, message).byte(byte).line(line, None)
}

pub(super) fn other_encoding_of_field(name: &str, guess: &Guess) -> Finding {
    let message = crate::say!("the value of {name} is {}", guess.evidence(); "{name} 的值{}", guess.chinese());
    Finding::new(codes::OTHER_ENCODING, message)
}

/// A bad byte, with the tag it stands in.
pub(super) fn bad_byte(text: &str, bytes: &[u8], fault: Fault, tags: &[(usize, Tag<'_>)]) -> (usize, Finding) {
    let raw = &bytes[fault.byte.min(bytes.len())..(fault.byte + usize::from(fault.len)).min(bytes.len())];
    let hex: Vec<String> = raw.iter().map(|byte| format!("{byte:02X}")).collect();
    let tag = tags.iter().find(|(at, tag)| (*at..tag.end).contains(&fault.text_at)).map(|(_, tag)| tag.name);
    let hex = hex.join(" ");
    let place = tag.map_or_else(String::new, |name| format!(" in tag {name}"));
    let chinese = tag.map_or_else(String::new, |name| format!("标签 {name} 中的"));
    let message = crate::say!(
        "bytes {hex}{place} are no character; U+FFFD stands in their place";
        "{chinese}字节 {hex} 不成字符, 以 U+FFFD 代替"
    );
    let around = text[..fault.text_at].chars().rev().take_while(|c| !c.is_control()).take(8).count();
    let before: usize = text[..fault.text_at].chars().rev().take(around).map(char::len_utf8).sum();
    let shown: String =
        text[fault.text_at - before..].chars().take_while(|c| !c.is_control()).take(around + 9).collect();
    (fault.text_at, Finding::new(codes::BAD_BYTES, message).text(shown))
}

pub(super) fn tag_fault(name: &str, fault: TagFault) -> Finding {
    let message = match fault {
        TagFault::Bracket => crate::say!("tag {name} has no closing bracket"; "标签 {name} 缺右方括号"),
        TagFault::Quote => crate::say!(
            "tag {name} has no closing quote; its value was taken to end with the line";
            "标签 {name} 缺右引号, 其值算到行末"
        ),
        TagFault::Lines => {
            crate::say!("the value of tag {name} spans lines; they were joined"; "标签 {name} 的值跨行, 已连接")
        }
    };
    Finding::new(codes::TAG_FAULT, message)
}

pub(super) fn too_many_tags(left_out: usize, most: usize) -> Finding {
    let message = crate::say!(
        "{left_out} tags behind the first {most} of a game were passed over";
        "本局前 {most} 个标签之后的 {left_out} 个略去"
    );
    Finding::new(codes::GAME_TOO_LONG, message)
}

pub(super) fn problem(problem: Problem) -> Finding {
    let (code, message) = match problem {
        Problem::OpenComment => (
            codes::OPEN_COMMENT,
            crate::say!(
                "the comment that begins here is never closed; it was taken to end before the next round or game";
                "此处开始的注释没有结束; 算到下一回合或下一局之前"
            ),
        ),
        Problem::OpenBracket => {
            (codes::OPEN_BRACKET, crate::say!("the bracket that opens here is never closed"; "此处的左括号没有配对"))
        }
        Problem::StrayClose => {
            (codes::OPEN_BRACKET, crate::say!("a bracket closes here that was never opened"; "此处的右括号没有配对"))
        }
        Problem::Jump { from, to } if to > from => {
            let (missing, chinese) = match (from + 1, to - 1) {
                (one, last) if one == last => (format!("round {one} is missing"), format!("缺第 {one} 回合")),
                (first, last) => {
                    (format!("rounds {first} to {last} are missing"), format!("缺第 {first} 至 {last} 回合"))
                }
            };
            (
                codes::NUMBER_JUMP,
                crate::say!(
                    "{missing}: round {to} follows round {from}; either only the number was passed over, or the moves were \
                     left out; plies are counted as they stand";
                    "{chinese}: 第 {from} 回合之后是第 {to} 回合; 或是编号跳过, 或是漏记了着法; 按实有着法计数"
                ),
            )
        }
        Problem::Jump { from, to } => (
            codes::NUMBER_JUMP,
            crate::say!(
                "round {from} is followed by round {to}; plies are counted, not numbers";
                "第 {from} 回合之后是第 {to} 回合; 按实有着法计数, 不按编号"
            ),
        ),
        Problem::Repeat { round } => (
            codes::NUMBER_JUMP,
            crate::say!(
                "there are two rounds {round}: either a number is wrong, or the round stands here twice; plies are counted, not numbers";
                "有两个第 {round} 回合: 或是编号有误, 或是重复抄写; 按实有着法计数, 不按编号"
            ),
        ),
        Problem::Limit => (
            codes::GAME_TOO_LONG,
            crate::say!("more moves and comments, or side lines within side lines, than are read of one game"; "着法与注释或变着的层数超出单局的读取限度"),
        ),
    };
    Finding::new(code, message)
}

pub(super) fn unknown_result(value: &str) -> Finding {
    let message = crate::say!("this result means nothing known; it is kept as written"; "看不懂这个结果, 原文保留");
    Finding::new(codes::UNKNOWN_RESULT, message).text(value)
}

pub(super) fn result_conflict(tag: GameResult, end: GameResult) -> Finding {
    let message = crate::say!(
        "the Result tag says {tag}, the end of the moves {end}; the tag was believed";
        "Result 标签为 {tag}, 着法末尾为 {end}; 以标签为准"
    );
    Finding::new(codes::RESULT_CONFLICT, message)
}

pub(super) fn trailer_cut(most: usize) -> Finding {
    let most = most >> 10;
    let message = crate::say!(
        "only the first {most} KiB of the text that belongs to no game were kept";
        "不属于对局的文字只保留前 {most} KiB"
    );
    Finding::new(codes::TEXT_CUT, message)
}

pub(super) fn foreign() -> Finding {
    let message = crate::say!(
        "the moves are those of western chess; none was read, the text is kept";
        "着法是国际象棋的, 未读取; 文字保留"
    );
    Finding::new(codes::FOREIGN_GAME, message)
}

/// Reads the FEN tag, with findings for what was assumed or is odd.
pub(super) fn read_fen(value: &str, at: usize, report: &mut Report) -> Result<Position, ()> {
    let read = match Position::read_fen(value) {
        Ok(read) => read,
        Err(fault) => {
            let message = crate::say!(
                "{fault}; without the start position no ply can be proved, the moves are kept as text";
                "{}; 没有起始局面, 着法无法验证, 以文字保留", fault.chinese()
            );
            report.add_at(at, Finding::new(codes::BROKEN_FEN, message).text(value));
            return Err(());
        }
    };
    for note in &read.notes {
        // Short and dashed counters are the rule in records, and both alphabets are common.
        if !matches!(note, FenNote::CountersUnknown | FenNote::LettersHe) {
            report
                .add_at(at, Finding::new(codes::FEN_ASSUMED, crate::say!("{note}"; "{}", note.chinese())).text(value));
        }
    }
    let position = read.position();
    examine(&position, at, Some(value), report);
    Ok(position)
}

/// Says what is odd about a start position.
pub(super) fn examine(position: &Position, at: usize, written: Option<&str>, report: &mut Report) {
    for fault in position.faults() {
        let finding = Finding::new(codes::IMPOSSIBLE_POSITION, crate::say!("{fault}"; "{}", fault.chinese()));
        report.add_at(
            at,
            match written {
                Some(text) => finding.text(text),
                None => finding,
            },
        );
    }
    if let Some(absent) = handicap(position) {
        let names: Vec<String> =
            absent.iter().map(|piece| format!("{} {:?}", piece.color(), piece.kind()).to_lowercase()).collect();
        let chinese: Vec<String> = absent.iter().map(|piece| piece.chinese()).collect();
        let message = crate::say!("handicap start: {} absent", names.join(", "); "让子: 缺{}", chinese.join("、"));
        report.add_at(at, Finding::new(codes::HANDICAP, message));
    }
}

/// The missing pieces, if all others stand as at the start of a game.
fn handicap(position: &Position) -> Option<Vec<Piece>> {
    let start = Position::start();
    if position.pieces().any(|(square, piece)| start.piece_at(square) != Some(piece)) {
        return None;
    }
    let absent: Vec<Piece> =
        start.pieces().filter(|(square, _)| position.piece_at(*square).is_none()).map(|(_, piece)| piece).collect();
    (1..=5).contains(&absent.len()).then_some(absent)
}

/// Whether a game that stopped early is one of western chess: all moves in its letters and on its eight files and ranks,
/// castling or a queen among them, or hardly any readable.
pub(super) fn is_western_chess<'t>(
    mut tags: impl Iterator<Item = &'t Tag<'t>>,
    entries: &[Entry<'_>],
    stop_ply: u32,
) -> bool {
    let said = tags.any(|tag| {
        tag.name.eq_ignore_ascii_case("Variant") && ["chess", "standard"].contains(&&*tag.value.to_ascii_lowercase())
    });
    let (mut moves, mut western, mut certain) = (0usize, 0usize, false);
    for entry in entries.iter().take(400) {
        let text = match entry.event {
            Event::Move { text, .. } => text,
            Event::Text(text) => text,
            _ => continue,
        };
        moves += 1;
        let bytes = text.as_bytes();
        let fits = text.len() >= 2
            && bytes.iter().all(|b| {
                matches!(b, b'a'..=b'h' | b'1'..=b'8' | b'x' | b'+' | b'#' | b'=' | b'-' | b'O'
                | b'0' | b'K' | b'Q' | b'R' | b'B' | b'N')
            });
        western += usize::from(fits);
        certain |= fits && (text.contains('Q') || text.starts_with("O-O") || text.starts_with("0-0"));
    }
    // Four plies in coordinates are no evidence: all of their squares may lie on the smaller board.
    western * 10 >= moves * 9
        && moves > 0
        && (certain || said || (moves >= 6 && stop_ply as usize * 4 <= moves && letters(entries)))
}

fn letters(entries: &[Entry<'_>]) -> bool {
    entries.iter().take(400).any(|entry| match entry.event {
        Event::Move { text, .. } | Event::Text(text) => text.starts_with(['N', 'B', 'K']) && text.len() <= 5,
        _ => false,
    })
}

/// Reads a damaged value in another encoding; `None` if that is not clearly better.
pub(super) fn mend(bytes: &[u8], file: &'static Encoding) -> Option<(Guess, String)> {
    let guess = text::detect(bytes);
    let Basis::Score { best, second } = guess.basis else { return None };
    let high = bytes.iter().filter(|byte| !byte.is_ascii()).count() as i64;
    let (text, faults) = text::decode_as(bytes, guess.encoding);
    let clear = best >= 4 && best >= 2 * second && best >= high && faults.count == 0;
    (guess.encoding != file && clear).then(|| (guess, text.into_owned()))
}

/// Bytes that may have swallowed the byte behind them: leads before a closing brace if a comment is open, and the first
/// bytes of runs that were not understood. At most a few.
pub(super) fn swallowers(bytes: &[u8], first: &Found) -> Vec<usize> {
    const TRIES: usize = 24;
    let mut leads = Vec::new();
    if first.open_comment {
        leads.extend((1..bytes.len()).filter(|&at| bytes[at] == b'}' && bytes[at - 1] > 0x80).map(|at| at - 1).take(8));
    }
    if first.suspicious {
        // Two-byte characters in a run: an odd number of bytes has one too many.
        let mut at = 0;
        while at < bytes.len() && leads.len() < TRIES {
            let run = bytes[at..].iter().take_while(|byte| !byte.is_ascii()).count();
            if run % 2 == 1 && run < 40 {
                leads.extend((at..at + run).step_by(2).take(TRIES - leads.len()));
            }
            at += run.max(1);
        }
    }
    leads
}
