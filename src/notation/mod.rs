//! Written moves: reading a text to a token (no board needed), a token to candidate moves (a board needed), and writing.

/// A way of writing moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Notation {
    /// 炮二平五.
    #[default]
    Chinese,
    /// The 2011 short form, 炮25 with bars for direction.
    Short,
    /// `C2=5`.
    Wxf,
    /// `H2-E2`.
    Iccs,
    /// `h2e2`, ranks 0–9.
    Uci,
    /// 炮二平五, 马8上7: 上/下 for forward and back.
    Chinese1956,
}

/// Simplified or traditional characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Script {
    /// 车马炮进后.
    #[default]
    Simplified,
    /// 車馬砲進後.
    Traditional,
}

/// How moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Which notation.
    pub notation: Notation,
    /// Which characters, for the Chinese forms.
    pub script: Script,
}
