//! Headers: kept as written, in order, and looked up by meaning.

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// Adds a header behind the others, even if the name is there already.
    pub fn push(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    /// All pairs in the order written.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The first value under exactly this name, whatever its case.
    pub fn get_raw(&self, name: &str) -> Option<&str> {
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
    pub fn set(&mut self, name: Name, value: impl Into<String>) {
        let value = value.into();
        let tags = || std::iter::once(name.tag()).chain(name.synonyms().iter().copied());
        match self.0.iter_mut().find(|(n, _)| tags().any(|tag| n.eq_ignore_ascii_case(tag))) {
            Some(pair) => pair.1 = value,
            None => self.push(name.tag(), value),
        }
    }

    /// Sets the first header with exactly this name (whatever its case), or adds it.
    pub fn set_raw(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.0.iter_mut().find(|(n, _)| n.eq_ignore_ascii_case(name)) {
            Some(pair) => pair.1 = value,
            None => self.push(name, value),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
