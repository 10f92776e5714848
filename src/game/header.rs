//! Headers: kept as written, in order, and looked up by meaning.

use crate::work::{Work, note};

/// Meanings of headers that all formats share. Everything else keeps its own name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Name {
    Title,
    Event,
    Round,
    Date,
    Site,
    RedTeam,
    Red,
    RedElo,
    BlackTeam,
    Black,
    BlackElo,
    Result,
    Ecco,
    Opening,
    Variation,
    Annotator,
    Author,
    TimeControl,
    RedTime,
    BlackTime,
    Remark,
}

impl Name {
    /// All of them, in the order of this page.
    pub const ALL: [Name; 21] = [
        Name::Title,
        Name::Event,
        Name::Round,
        Name::Date,
        Name::Site,
        Name::RedTeam,
        Name::Red,
        Name::RedElo,
        Name::BlackTeam,
        Name::Black,
        Name::BlackElo,
        Name::Result,
        Name::Ecco,
        Name::Opening,
        Name::Variation,
        Name::Annotator,
        Name::Author,
        Name::TimeControl,
        Name::RedTime,
        Name::BlackTime,
        Name::Remark,
    ];

    /// The name our writers use, which is also the PGN tag.
    pub const fn tag(self) -> &'static str {
        match self {
            Name::Title => "Title",
            Name::Event => "Event",
            Name::Round => "Round",
            Name::Date => "Date",
            Name::Site => "Site",
            Name::RedTeam => "RedTeam",
            Name::Red => "Red",
            Name::RedElo => "RedElo",
            Name::BlackTeam => "BlackTeam",
            Name::Black => "Black",
            Name::BlackElo => "BlackElo",
            Name::Result => "Result",
            Name::Ecco => "ECCO",
            Name::Opening => "Opening",
            Name::Variation => "Variation",
            Name::Annotator => "Annotator",
            Name::Author => "Author",
            Name::TimeControl => "TimeControl",
            Name::RedTime => "RedTime",
            Name::BlackTime => "BlackTime",
            Name::Remark => "Remark",
        }
    }

    /// Other names under which the meaning is met (compared without regard to case).
    pub const fn synonyms(self) -> &'static [&'static str] {
        match self {
            Name::Red => &["White"],
            Name::RedElo => &["WhiteElo"],
            Name::RedTeam => &["WhiteTeam"],
            Name::Ecco => &["ECO"],
            _ => &[],
        }
    }
}

/// Name and value pairs in the order written.
///
/// All texts stand behind each other in one string: a game of a large collection costs two allocations for its headers,
/// not two for each of them.
#[derive(Clone, Default)]
pub struct Headers {
    text: String,
    /// Where each name and each value ends.
    ends: Vec<(u32, u32)>,
}

impl Headers {
    /// How many bytes of memory they take besides their own.
    pub(crate) fn memory(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * size_of::<(u32, u32)>()
    }

    /// Adds a header behind the others, even if the name is there already.
    pub fn push(&mut self, name: impl AsRef<str>, value: impl AsRef<str>) {
        self.text.push_str(name.as_ref());
        let name_end = self.text.len() as u32;
        self.text.push_str(value.as_ref());
        self.ends.push((name_end, self.text.len() as u32));
    }

    /// Room for so many headers of so many bytes altogether.
    pub fn reserve(&mut self, headers: usize, bytes: usize) {
        self.ends.reserve(headers);
        self.text.reserve(bytes);
    }

    /// All pairs in the order written.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut start = 0;
        self.ends.iter().map(move |&(name_end, end)| {
            let (name_end, end) = (name_end as usize, end as usize);
            let pair = (&self.text[start..name_end], &self.text[name_end..end]);
            start = end;
            pair
        })
    }

    /// The first value under exactly this name, whatever its case.
    pub fn get_raw(&self, name: &str) -> Option<&str> {
        note(Work::Items, self.ends.len());
        self.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The first non-empty value with this meaning (`White` counts as `Red`); `?` counts as empty.
    pub fn get(&self, name: Name) -> Option<&str> {
        std::iter::once(name.tag())
            .chain(name.synonyms().iter().copied())
            .filter_map(|tag| self.get_raw(tag))
            .map(str::trim)
            .find(|value| !value.is_empty() && !value.chars().all(|c| c == '?'))
    }

    /// Sets the first header with this meaning, or adds it.
    pub fn set(&mut self, name: Name, value: impl AsRef<str>) {
        let tags = || std::iter::once(name.tag()).chain(name.synonyms().iter().copied());
        let index = self.iter().position(|(n, _)| tags().any(|tag| n.eq_ignore_ascii_case(tag)));
        self.set_at(index, name.tag(), value.as_ref());
    }

    /// Sets the first header with exactly this name (whatever its case), or adds it.
    pub fn set_raw(&mut self, name: &str, value: impl AsRef<str>) {
        let index = self.iter().position(|(n, _)| n.eq_ignore_ascii_case(name));
        self.set_at(index, name, value.as_ref());
    }

    fn set_at(&mut self, index: Option<usize>, name: &str, value: &str) {
        note(Work::Items, self.ends.len());
        let Some(index) = index else { return self.push(name, value) };
        let mut changed = Headers::default();
        for (at, (name, old)) in self.iter().enumerate() {
            changed.push(name, if at == index { value } else { old });
        }
        *self = changed;
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

impl PartialEq for Headers {
    fn eq(&self, other: &Headers) -> bool {
        self.ends == other.ends && self.text == other.text
    }
}

impl Eq for Headers {}

impl std::fmt::Debug for Headers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_meaning_and_changed_in_place() {
        let mut headers = Headers::default();
        headers.push("White", "甲");
        headers.push("Event", "?");
        headers.push("custom", "x");
        assert_eq!((headers.get(Name::Red), headers.get(Name::Event)), (Some("甲"), None));
        headers.set(Name::Red, "许银川");
        headers.set_raw("CUSTOM", "");
        headers.set(Name::Date, "1998");
        let all: Vec<_> = headers.iter().collect();
        assert_eq!(all, [("White", "许银川"), ("Event", "?"), ("custom", ""), ("Date", "1998")]);
    }
}
