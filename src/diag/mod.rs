//! What is said about faulty or uncertain input.
//!
//! Three things are kept apart. An *error* (Rust's `Result`) stops an operation: a file cannot be opened. A *finding*
//! is about the data and never stops a batch: an illegal ply, an unclosed comment. A finding of severity
//! [`Severity::Note`] says which guess was made: an encoding, a side to move.
//!
//! Every finding has a stable [`Code`]; all codes with their explanations stand in [`codes`].

pub mod codes;
mod message;
mod zh;

pub use codes::Code;
pub use message::Message;

use std::fmt;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing is wrong; a guess or a translation is told.
    Note,
    /// Something is odd; what was read can be trusted, but a person should look.
    Warning,
    /// Something could not be read as written.
    Error,
}

impl Severity {
    /// In Chinese.
    pub const fn chinese(self) -> &'static str {
        match self {
            Severity::Note => "提示",
            Severity::Warning => "警告",
            Severity::Error => "错误",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// One thing found in the input, with its place. Fields that do not apply are left out.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    /// Stable code, `R401`; `yipu explain R401` tells more.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// File as the user named it, with `!member` for a member of an archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Number of the game in the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<u64>,
    /// Line in the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Character in the line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// Byte in the original file, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte: Option<u64>,
    /// Ply of the main line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<u32>,
    /// The offending text, as read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What is wrong, in a sentence.
    pub message: String,
    /// The same in Chinese, where it was written.
    #[serde(skip)]
    pub chinese: Option<String>,
}

impl Finding {
    /// A finding with its code's own severity and no place yet.
    pub fn new(code: Code, message: impl Into<Message>) -> Finding {
        let Message { english, chinese } = message.into();
        Finding {
            code,
            severity: code.severity(),
            file: None,
            game: None,
            line: None,
            column: None,
            byte: None,
            ply: None,
            text: None,
            message: english,
            chinese,
        }
    }

    /// Adds the offending text.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Finding {
        self.text = Some(text.into());
        self
    }

    /// Adds the ply (main line, from 1).
    #[must_use]
    pub fn ply(mut self, ply: u32) -> Finding {
        self.ply = Some(ply);
        self
    }

    /// Adds the byte offset in the original file.
    #[must_use]
    pub fn byte(mut self, byte: u64) -> Finding {
        self.byte = Some(byte);
        self
    }

    /// Adds line and column, both from 1.
    #[must_use]
    pub fn line(mut self, line: u64, column: Option<u64>) -> Finding {
        self.line = Some(line);
        self.column = column;
        self
    }

    /// About how many bytes of memory these take, their texts and all.
    pub fn memory_of(findings: &[Finding]) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::capacity);
        let texts = |f: &Finding| f.message.capacity() + text(&f.chinese) + text(&f.file) + text(&f.text);
        size_of_val(findings) + findings.iter().map(texts).sum::<usize>()
    }

    /// Adds file and game number where they are still missing.
    pub fn locate(&mut self, file: &str, game: Option<u64>) {
        self.file.get_or_insert_with(|| file.to_string());
        if self.game.is_none() {
            self.game = game;
        }
    }
}

impl Finding {
    /// As a line for people who read Chinese. Where the sentence itself is there in English only, the title of its code
    /// stands before it in Chinese.
    pub fn in_chinese(&self) -> impl fmt::Display + '_ {
        Chinese(self)
    }
}

struct Chinese<'f>(&'f Finding);

impl fmt::Display for Chinese<'_> {
    /// `R401 错误 games/1998.pgn: 第 37 局, 第 412 行, 第 63 着: 车三进五: 没有这样的合法着法`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let finding = self.0;
        write!(f, "{} {}", finding.code, finding.severity.chinese())?;
        if let Some(file) = &finding.file {
            write!(f, " {}", printable(file))?;
        }
        let mut separator = ": ";
        let places = [
            (finding.game, "局"),
            (finding.line, "行"),
            (finding.column, "字"),
            (finding.byte.filter(|_| finding.line.is_none()), "字节"),
            (finding.ply.map(u64::from), "着"),
        ];
        for (number, name) in places {
            if let Some(number) = number {
                write!(f, "{separator}第 {number} {name}")?;
                separator = ", ";
            }
        }
        if let Some(text) = &finding.text {
            write!(f, ": {}", printable(text))?;
        }
        match &finding.chinese {
            Some(chinese) => write!(f, ": {}", printable(chinese)),
            None => write!(f, ": {} ({})", finding.code.chinese_summary(), printable(&finding.message)),
        }
    }
}

impl fmt::Display for Finding {
    /// `R401 error games/1998.pgn: game 37, line 412, ply 63: 车三进五: fits no legal move`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.code, self.severity)?;
        if let Some(file) = &self.file {
            write!(f, " {}", printable(file))?;
        }
        let mut separator = ": ";
        let places = [
            ("game", self.game),
            ("line", self.line),
            ("column", self.column),
            ("byte", self.byte.filter(|_| self.line.is_none())),
            ("ply", self.ply.map(u64::from)),
        ];
        for (name, number) in places {
            if let Some(number) = number {
                write!(f, "{separator}{name} {number}")?;
                separator = ", ";
            }
        }
        if let Some(text) = &self.text {
            write!(f, ": {}", printable(text))?;
        }
        write!(f, ": {}", printable(&self.message))
    }
}

/// The text without control characters and without those that turn the direction of writing, which could play tricks on a
/// terminal or its reader.
pub fn printable(text: &str) -> String {
    let tricky = |c: char| {
        c.is_control() || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{200E}' | '\u{200F}')
    };
    text.chars().map(|c| if tricky(c) { '\u{FFFD}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_reads_as_one_line_and_as_json_without_empty_fields() {
        let mut finding =
            Finding::new(codes::NO_LEGAL_MOVE, "fits no legal move").ply(63).text("车三进五").line(412, None);
        finding.locate("games/1998.pgn", Some(37));
        assert_eq!(
            finding.to_string(),
            "R401 error games/1998.pgn: game 37, line 412, ply 63: 车三进五: fits no legal move"
        );
        let json = serde_json::to_string(&Finding::new(codes::NO_LEGAL_MOVE, "m")).unwrap();
        assert_eq!(json, r#"{"code":"R401","severity":"error","message":"m"}"#);
    }

    #[test]
    fn a_finding_is_shown_in_chinese_and_keeps_its_english_sentence_for_programs() {
        let finding = Finding::new(codes::NO_LEGAL_MOVE, crate::say!("{} fits nothing", 1; "{} 走不了", 1))
            .ply(63)
            .line(412, None);
        assert_eq!(finding.in_chinese().to_string(), "R401 错误: 第 412 行, 第 63 着: 1 走不了");
        assert!(serde_json::to_string(&finding).unwrap().ends_with(r#""message":"1 fits nothing"}"#));
        let english = Finding::new(codes::NO_LEGAL_MOVE, "fits nothing").in_chinese().to_string();
        assert_eq!(english, "R401 错误: 没有合法着法与文字相符 (fits nothing)");
    }

    #[test]
    fn control_characters_never_reach_a_terminal() {
        let finding = Finding::new(codes::NO_LEGAL_MOVE, "m").text("a\u{1b}[2Jb");
        assert!(!finding.to_string().contains('\u{1b}'));
    }
}
