//! Editions of the rules, and in what they differ.

use std::fmt;
use std::str::FromStr;

/// A rule book for repeated positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
pub enum Edition {
    /// The short sheet of July 1956.
    #[serde(rename = "1956")]
    Y1956,
    /// 《中国象棋竞赛规则》 of 1987, chapter 5.
    #[serde(rename = "1987")]
    Y1987,
    /// The text of 1999; known here by its published verdicts only: as 2011, but an escape that keeps its attack is idle.
    #[serde(rename = "1999")]
    Y1999,
    /// 《象棋竞赛规则(试行)》 of 2011, articles 23 to 26.
    #[default]
    #[serde(rename = "2011")]
    Y2011,
    /// The Asian and World federations: perpetual check and perpetual chase of one piece only.
    #[serde(rename = "axf")]
    Axf,
}

impl Edition {
    /// All editions, oldest first.
    pub const ALL: [Edition; 5] = [Edition::Y1956, Edition::Y1987, Edition::Y1999, Edition::Y2011, Edition::Axf];

    /// The name on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Edition::Y1956 => "1956",
            Edition::Y1987 => "1987",
            Edition::Y1999 => "1999",
            Edition::Y2011 => "2011",
            Edition::Axf => "axf",
        }
    }

    /// What this edition counts and how far the analysis looks by default.
    pub const fn ruleset(self) -> Ruleset {
        let modern = matches!(self, Edition::Y2011 | Edition::Y1999);
        Ruleset {
            edition: self,
            two_minors_for_rook: !modern,
            pawn_checks_for_rook: modern,
            pawn_uncovers: modern,
            weighs_loss_elsewhere: modern,
            even_exchange_bars_helpers: modern,
            king_answer_is_idle: modern,
            lone_defender: modern,
            escape_is_new: !matches!(self, Edition::Y1999),
            limits: Limits::DEFAULT,
        }
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No edition has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no edition `{0}`: there are 1956, 1987, 1999, 2011 and axf")]
pub struct UnknownEdition(String);

impl FromStr for Edition {
    type Err = UnknownEdition;

    fn from_str(text: &str) -> Result<Edition, UnknownEdition> {
        Edition::ALL
            .into_iter()
            .find(|edition| edition.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownEdition(text.to_string()))
    }
}

/// What an edition counts as a gain and as a threat. One field, one difference between the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruleset {
    /// The edition it belongs to.
    pub edition: Edition,
    /// Two minor pieces given for a rook are a gain (1987 §2.3(一)4) or an even exchange (2011 1.2).
    pub two_minors_for_rook: bool,
    /// A pawn given up with check for a rook is a gain (2011 26.7; not 1987 §4.10).
    pub pawn_checks_for_rook: bool,
    /// A pawn's capture counts when it uncovers a check (2011 26.8).
    pub pawn_uncovers: bool,
    /// A king or pawn does not finish an exchange that is even so far (2011 26.8); in 1987 what other pieces capture with
    /// their help counts (总纲六, 七).
    pub even_exchange_bars_helpers: bool,
    /// What the capturer exposes by leaving its place is weighed (2011 26.5) or ignored (1987 §4.6(三)).
    pub weighs_loss_elsewhere: bool,
    /// A king that answers a check never threatens (2011 26.1.2).
    pub king_answer_is_idle: bool,
    /// A lone attacking piece on a drawing post may touch advisors and elephants (2011 26.2).
    pub lone_defender: bool,
    /// A piece that escapes and keeps its attack chases anew (1987 §4.5 figure 11; not 1999).
    pub escape_is_new: bool,
    /// How far the analysis looks.
    pub limits: Limits,
}

/// How far the analysis looks before it answers "undetermined".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Checks before the capture, for a threat to win by checks.
    pub checks_to_win: u8,
    /// Checks of the other side before it takes the capturer back (暗根).
    pub checks_to_root: u8,
    /// Checks to mate.
    pub checks_to_mate: u8,
    /// Positions looked at for one label.
    pub nodes: u32,
}

impl Limits {
    /// Three checks to win a piece, three for a hidden root, ten to mate.
    pub const DEFAULT: Limits = Limits { checks_to_win: 3, checks_to_root: 3, checks_to_mate: 10, nodes: 30_000 };
}
