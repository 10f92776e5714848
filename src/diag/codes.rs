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

    CLAIM_BEYOND_RECORD "J501" Warning "a claim after more plies than the record has"
        "The claim is examined on the last position of the record instead. Give the record up to the claim, or another \
         ply with `--at`.";
    PENDING_MOVE "J502" Error "the pending move of a claim cannot be played"
        "The move announced with a claim must be a legal move of the claimant in the position of the claim. The claim \
         was examined without it.";
    COUNTER_UNPROVEN "J503" Warning "quiet plies known from a FEN counter alone"
        "The start position brings a counter of plies without capture. These plies are counted, but no record proves \
         them, and checks among them cannot be seen. An arbiter has to look for the earlier record.";
    CAPTURE_IN_STRETCH "J504" Note "the capture from which the count runs"
        "The text of a move does not show captures, so the last one is named: only plies behind it count.";
    GAME_OVER_FIRST "J505" Error "the game had ended before the claim"
        "Checkmate and 困毙 (no legal move) end a game at once; no claim of a draw is examined after them.";
    HOLE_IN_STRETCH "J506" Error "plies are missing in the stretch a claim is about"
        "A claim can only be examined on a record without holes since the last capture (2011, article 22.3). Complete \
         the record first, for instance with the other player's sheet.";
    NO_SUCH_RULE "J507" Error "the chosen edition has no such rule"
        "The editions of 1956 and 1987 print no limit for rounds without capture. Choose the edition of 2011, or give \
         the limit of the event.";
    SECOND_UNTRUE_CLAIM "J508" Error "second untrue claim of one side in one stage"
        "A stage is the stretch between two captures. The second claim of the same side that proves untrue in one \
         stage loses the game (2011, article 4.1.11).";
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
