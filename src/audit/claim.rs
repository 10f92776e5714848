//! A 自然限着 claim, and the answer to it, as data.

use crate::board::{Color, Move, Piece};
use crate::diag::Finding;

/// Which rule book is applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub enum Edition {
    /// The rule sheet of 1956: it has no such limit.
    #[serde(rename = "1956")]
    Y1956,
    /// The chapter on repetition of 1987: it has no such limit.
    #[serde(rename = "1987")]
    Y1987,
    /// The rule book of 2011: sixty rounds, at most ten checks of the claimant.
    #[default]
    #[serde(rename = "2011")]
    Y2011,
}

impl Edition {
    /// The limit in rounds and the most checks of the claimant that count, if the edition has the rule.
    pub const fn limit(self) -> Option<(u32, u32)> {
        match self {
            Edition::Y2011 => Some((60, 10)),
            Edition::Y1956 | Edition::Y1987 => None,
        }
    }
}

/// What may be said about a place where the record is silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HoleCapture {
    /// Every way to bridge the hole captures something.
    Must,
    /// Some ways capture, or it is not known.
    May,
    /// No way to bridge the hole captures anything.
    Cannot,
}

/// A place where plies are missing from the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Hole {
    /// The last ply before the hole.
    pub after_ply: u32,
    /// Whether a capture lies in it.
    pub capture: HoleCapture,
}

/// The claim and the rules it is made under.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// Who claims.
    pub claimant: Option<Color>,
    /// Plies played when the claim is made; `None`: all of the record.
    pub at: Option<u32>,
    /// The claimant's move announced with the claim but not yet in the record.
    pub pending: Option<Move>,
    /// Rounds without capture that are needed; `None`: as the edition says.
    pub limit: Option<u32>,
    /// The most checks of the claimant that count; `None`: as the edition says.
    pub check_cap: Option<u32>,
    /// The rule book.
    pub edition: Edition,
    /// Plies of earlier claims by the same side.
    pub earlier: Vec<u32>,
    /// Time the claimant has left, in seconds, for the five minutes an untrue claim costs.
    pub seconds_left: Option<u32>,
}

/// The answer in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The claim is true: the game is drawn.
    Draw,
    /// The claim is not true.
    Rejected,
    /// The claim cannot be examined on this record.
    Refused,
}

/// The capture from which the count runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capture {
    /// Its ply.
    pub ply: u32,
    /// The move.
    pub m: Move,
    /// The piece that took.
    pub piece: Piece,
    /// The piece taken.
    pub captured: Piece,
}

impl serde::Serialize for Capture {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("Capture", 4)?;
        s.serialize_field("ply", &self.ply)?;
        s.serialize_field("uci", &self.m)?;
        s.serialize_field("piece", &self.piece.letter())?;
        s.serialize_field("captured", &self.captured.letter())?;
        s.end()
    }
}

/// Why a ply counts or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It captures: the count starts behind it.
    Capture(Piece),
    /// A quiet ply of the claimant.
    Own,
    /// A quiet ply of the opponent.
    Opponent,
    /// The claimant's check of this number, within the cap.
    OwnCheck(u32),
    /// The claimant's check of this number, beyond the cap.
    BeyondCap(u32),
    /// A check of the opponent: not capped.
    OpponentCheck,
}

impl Why {
    /// Whether a ply with this reason counts.
    pub const fn counts(self) -> bool {
        !matches!(self, Why::Capture(_) | Why::BeyondCap(_))
    }
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::Capture(piece) => write!(f, "captures the {piece}: the count restarts"),
            Why::Own => write!(f, "claimant's quiet ply"),
            Why::Opponent => write!(f, "opponent's quiet ply"),
            Why::OwnCheck(n) => write!(f, "claimant's check no. {n}, within the cap"),
            Why::BeyondCap(n) => write!(f, "claimant's check no. {n}, beyond the cap"),
            Why::OpponentCheck => write!(f, "opponent's check (not capped)"),
        }
    }
}

/// One ply of the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traced {
    /// The ply, from 1.
    pub ply: u32,
    /// The move.
    pub m: Move,
    /// Who played it.
    pub side: Color,
    /// What it is to the count.
    pub why: Why,
}

impl serde::Serialize for Traced {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut s = serializer.serialize_struct("Traced", 4)?;
        s.serialize_field("ply", &self.ply)?;
        s.serialize_field("uci", &self.m)?;
        s.serialize_field("counts", &self.why.counts())?;
        s.serialize_field("why", &self.why.to_string())?;
        s.end()
    }
}

/// What an untrue claim costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Penalty {
    /// A foul and five minutes off the claimant's clock (22.2).
    FoulAndFiveMinutes,
    /// The five minutes use up the claimant's time: loss (22.2).
    LossOnTime,
    /// The second untrue claim of one side between two captures: loss (4.1.11).
    LossBySecondClaim,
}

/// The audit.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Audit {
    /// The verdict.
    pub verdict: Verdict,
    /// Who claims.
    pub claimant: Color,
    /// The rule book.
    pub edition: Edition,
    /// Plies played at the position the verdict is about (the earlier of the two tested, where both hold).
    pub at: u32,
    /// The ply of the last capture before it, 0 if there is none.
    pub last_capture_ply: u32,
    /// That capture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_capture: Option<Capture>,
    /// Plies since that capture, the unproven ones included.
    pub quiet_plies: u32,
    /// Of these, plies known from the start position's FEN counter alone.
    pub unproven_plies: u32,
    /// Full rounds since the last capture, before any check is struck.
    pub rounds: u32,
    /// The claimant's moves among them.
    pub claimant_moves: u32,
    /// The checks the claimant gave.
    pub claimant_checks: u32,
    /// The claimant's moves that count.
    pub counted: u32,
    /// The opponent's moves.
    pub opponent_moves: u32,
    /// The rounds needed.
    pub limit: u32,
    /// The most checks of the claimant that count.
    pub check_cap: u32,
    /// The first ply of this stretch after which a claim by this side is true, as far as the record goes.
    pub first_true_ply: Option<u32>,
    /// How the game had ended before the claim, if it had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<Over>,
    /// What the untrue claim costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalty: Option<Penalty>,
    /// Ply by ply from the last capture to the claim.
    pub trace: Vec<Traced>,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// The game was over before the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Over {
    /// The ply that ended it.
    pub ply: u32,
    /// Who won.
    pub winner: Color,
    /// `mate`, or `no-move` for 困毙.
    pub how: &'static str,
}
