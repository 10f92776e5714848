//! All finding codes. The letter tells the stage: `T` text and encoding, `F` file format, `N` notation, `R` replay,
//! `G` game and headers, `D` database, `S` score sheets, `J` repetition and claims, `O` output. Numbers never change
//! their meaning and are never used again.

use super::Severity;
use std::fmt;

/// A stable finding code with its explanation.
#[derive(Clone, Copy)]
pub struct Code(&'static Entry);

struct Entry {
    id: &'static str,
    severity: Severity,
    summary: &'static str,
    help: &'static str,
}

impl Code {
    /// `R401`.
    pub fn id(self) -> &'static str {
        self.0.id
    }

    /// The severity a finding of this code normally has.
    pub fn severity(self) -> Severity {
        self.0.severity
    }

    /// What it means, in a few words.
    pub fn summary(self) -> &'static str {
        self.0.summary
    }

    /// What it means and what to do, in a few sentences.
    pub fn help(self) -> &'static str {
        self.0.help
    }

    /// The code with this id, whatever its case.
    pub fn find(id: &str) -> Option<Code> {
        ALL.iter().copied().find(|code| code.id().eq_ignore_ascii_case(id))
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Code) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Code {}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

macro_rules! codes {
    ($($name:ident $id:literal $severity:ident $summary:literal $help:literal;)*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $summary)]
            pub const $name: Code = Code(&Entry { id: $id, severity: Severity::$severity, summary: $summary, help: $help });
        )*

        /// Every code, in the order of this page.
        pub const ALL: &[Code] = &[$($name),*];
    };
}

codes! {
    NO_LEGAL_MOVE "R401" Error "a move text that fits no legal move"
        "The text is a move, but nothing on the board can play it. The legal plies before it are kept, the rest of the \
         game is kept as text. `yipu move --fen … TEXT` shows the nearest legal moves.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_well_formed_and_found() {
        let mut seen = std::collections::HashSet::new();
        for code in ALL {
            assert!(seen.insert(code.id()), "{code} twice");
            assert!(code.id().len() == 4 && code.id().as_bytes()[0].is_ascii_uppercase());
            assert!(!code.summary().is_empty() && code.help().ends_with('.'));
            assert_eq!(Code::find(&code.id().to_lowercase()), Some(*code));
        }
        assert_eq!(Code::find("X000"), None);
    }
}
