//! What is wrong with a query, and where.

use crate::diag::Message;
use std::fmt;
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// A query that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError {
    /// What is wrong.
    pub what: Message,
    /// The bytes of the query it is about.
    pub at: Range<usize>,
    /// The query.
    pub query: String,
}

impl QueryError {
    pub(super) fn new(query: &str, at: Range<usize>, what: impl Into<Message>) -> QueryError {
        QueryError { what: what.into(), at, query: query.to_string() }
    }
}

impl std::error::Error for QueryError {}

impl QueryError {
    /// The query before, at and behind the place, without control characters.
    pub fn parts(&self) -> [String; 3] {
        let clean = |text: Option<&str>| -> String {
            text.unwrap_or_default().chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
        };
        let Range { start, end } = self.at.clone();
        [clean(self.query.get(..start)), clean(self.query.get(start..end)), clean(self.query.get(end..))]
    }

    /// The message, the query, and a line of `^` under the place (wide characters take two).
    pub fn in_language(&self, zh: bool) -> String {
        let width = |text: &str| text.chars().map(|c| c.width().unwrap_or(1)).sum::<usize>();
        let [before, at, behind] = self.parts();
        let marks = "^".repeat(width(&at).max(1));
        format!("{}\n  {before}{at}{behind}\n  {}{marks}", self.what.text(zh), " ".repeat(width(&before)))
    }
}

impl fmt::Display for QueryError {
    /// In English.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_language(false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_under_wide_characters() {
        let query = "player:胡荣华 dat:1978";
        let at = query.find("dat").unwrap();
        let error = QueryError::new(query, at..at + 4, "unknown term");
        assert_eq!(error.to_string(), "unknown term\n  player:胡荣华 dat:1978\n                ^^^^");
        assert_eq!(error.parts().concat(), query);
        let error = crate::query::parse("棋手:").unwrap_err();
        assert_eq!(error.in_language(true), "缺少要查找的文字\n  棋手:\n  ^^^^^");
    }
}
