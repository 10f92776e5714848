//! Sentences about findings, in English for programs and in Chinese for those who read them so.

/// A sentence in English, and in Chinese where it has been written in Chinese.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub(super) english: String,
    pub(super) chinese: Option<String>,
}

impl Message {
    /// A sentence in both languages; see [`crate::say!`].
    pub fn both(english: impl Into<String>, chinese: impl Into<String>) -> Message {
        Message { english: english.into(), chinese: Some(chinese.into()) }
    }

    /// The sentence in Chinese, if that is asked for and written, or in English.
    pub fn text(&self, zh: bool) -> &str {
        self.chinese.as_deref().filter(|_| zh).unwrap_or(&self.english)
    }
}

impl std::fmt::Display for Message {
    /// In English.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.english)
    }
}

impl From<String> for Message {
    fn from(english: String) -> Message {
        Message { english, chinese: None }
    }
}

impl From<&str> for Message {
    fn from(english: &str) -> Message {
        english.to_string().into()
    }
}

/// A [`Message`] from two templates, each with its own arguments behind it.
///
/// ```
/// use yipu::{diag::{Finding, codes}, say};
/// let (from, to) = (3, 5);
/// let finding = Finding::new(codes::NUMBER_JUMP, say!("round {from} is followed by round {to}"; "第 {from} 回合之后是第 {to} 回合"));
/// assert_eq!(finding.in_chinese().to_string(), "F304 警告: 第 3 回合之后是第 5 回合");
/// ```
#[macro_export]
macro_rules! say {
    ($english:literal $(, $a:expr)* ; $chinese:literal $(, $b:expr)* $(,)?) => {
        $crate::diag::Message::both(format!($english $(, $a)*), format!($chinese $(, $b)*))
    };
}
