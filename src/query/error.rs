//! What is wrong with a query, and where.

use std::fmt;
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// A query that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError {
    /// What is wrong.
    pub what: String,
    /// The bytes of the query it is about.
    pub at: Range<usize>,
    /// The query.
    pub query: String,
}

impl QueryError {
    pub(super) fn new(query: &str, at: Range<usize>, what: impl Into<String>) -> QueryError {
        QueryError { what: what.into(), at, query: query.to_string() }
    }
}

impl std::error::Error for QueryError {}

impl fmt::Display for QueryError {
    /// The message, the query, and a line of `^` under the place (wide characters take two).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |text: &str| text.chars().map(|c| c.width().unwrap_or(1)).sum::<usize>();
        let clean: String = self.query.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let before = self.query.get(..self.at.start).map_or(0, width);
        let marked = self.query.get(self.at.clone()).map_or(1, width).max(1);
        write!(f, "{}\n  {clean}\n  {}{}", self.what, " ".repeat(before), "^".repeat(marked))
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
    }
}
