//! Opening codes.

use std::fmt;
use std::str::FromStr;

/// A code: a letter A to E and two digits. Ordered as written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ecco(u16);

impl Ecco {
    /// The first code, A00.
    pub const FIRST: Ecco = Ecco(0);
    /// The last code, E99.
    pub const LAST: Ecco = Ecco(499);

    /// 0 (A00) to 499 (E99).
    pub const fn number(self) -> u16 {
        self.0
    }

    /// The inverse of [`Ecco::number`].
    pub const fn from_number(number: u16) -> Option<Ecco> {
        if number < 500 { Some(Ecco(number)) } else { None }
    }

    /// The name in the table in use; `None` if it has none.
    pub fn name(self) -> Option<&'static str> {
        super::openings().name(self)
    }

    /// The first and last code that begin as the text does: `B20` alone, `B2` for B20 to B29, `B` for B00 to B99.
    pub fn span(text: &str) -> Option<(Ecco, Ecco)> {
        let mut characters = text.chars();
        let letter = u16::from(u8::try_from(characters.next()?.to_ascii_uppercase()).ok()?);
        let group = letter.checked_sub(u16::from(b'A')).filter(|group| *group < 5)? * 100;
        let mut digit = || characters.next().map(|c| c.to_digit(10).map(|n| n as u16));
        let (first, last) = match (digit(), digit()) {
            (None, None) => (0, 99),
            (Some(tens), None) => (tens? * 10, tens? * 10 + 9),
            (Some(tens), Some(units)) => (tens? * 10 + units?, tens? * 10 + units?),
            (None, Some(_)) => return None,
        };
        (characters.next().is_none()).then_some((Ecco(group + first), Ecco(group + last)))
    }
}

impl fmt::Display for Ecco {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:02}", (b'A' + (self.0 / 100) as u8) as char, self.0 % 100)
    }
}

impl fmt::Debug for Ecco {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl serde::Serialize for Ecco {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The text is no code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an ECCO code (A00 to E99)")]
pub struct ParseEccoError;

impl FromStr for Ecco {
    type Err = ParseEccoError;

    fn from_str(text: &str) -> Result<Ecco, ParseEccoError> {
        match Ecco::span(text.trim()) {
            Some((first, last)) if first == last => Ok(first),
            _ => Err(ParseEccoError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_their_spans() {
        for text in ["A00", "B07", "C45", "E99"] {
            let code: Ecco = text.parse().unwrap();
            assert_eq!((code.to_string().as_str(), Ecco::from_number(code.number())), (text, Some(code)));
        }
        for text in ["", "F00", "A1", "A123", "A1x", "炮"] {
            assert!(text.parse::<Ecco>().is_err(), "{text}");
        }
        assert_eq!(Ecco::span("b2").map(|(a, b)| (a.to_string(), b.to_string())), Some(("B20".into(), "B29".into())));
        assert_eq!(Ecco::span("E"), Some((Ecco(400), Ecco::LAST)));
    }
}
