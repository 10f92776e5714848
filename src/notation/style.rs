//! How moves are written.

use super::dialect::Dialect;

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
    /// 炮二平五, 马8上7: 上/下 for forward and back, and the piece names of 1956, when the first mover was Black.
    Chinese1956,
    /// `P2-5`.
    Vietnamese,
}

impl Notation {
    /// All of them.
    pub const ALL: [Notation; 7] = [
        Notation::Chinese,
        Notation::Short,
        Notation::Wxf,
        Notation::Iccs,
        Notation::Uci,
        Notation::Chinese1956,
        Notation::Vietnamese,
    ];

    /// The name used on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::Chinese => "chinese",
            Notation::Short => "short",
            Notation::Wxf => "wxf",
            Notation::Iccs => "iccs",
            Notation::Uci => "uci",
            Notation::Chinese1956 => "chinese1956",
            Notation::Vietnamese => "vietnamese",
        }
    }
}

/// Simplified or traditional characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Script {
    /// 车马炮进后.
    #[default]
    Simplified,
    /// 車馬炮進後.
    Traditional,
}

/// Black's numerals in the Chinese form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Digits {
    /// ASCII with simplified characters, full-width with traditional ones.
    #[default]
    ByScript,
    /// 马8进7.
    Ascii,
    /// 马８进７.
    FullWidth,
}

/// How pawns are told apart in WXF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PawnStyle {
    /// World Xiangqi Rules 2018: `13=4`, number from the front and file.
    #[default]
    Numbers,
    /// WXF 1997: `P+.4`, `3+.4`, `++.4`. The traverse sign is the point.
    Marks,
}

/// How directions are marked in the short form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bars {
    /// 马87̲ forward, 炮21̅ back, 炮25 traverse.
    #[default]
    Combining,
    /// 马8+7, 炮2-1, 炮2=5.
    Signs,
}

/// How moves are written: a notation and, where it leaves a choice, which one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Which notation.
    pub notation: Notation,
    /// Which characters, for the Chinese forms.
    pub script: Script,
    /// Which numerals Black has, for the Chinese forms.
    pub digits: Digits,
    /// How pawns are told apart, for WXF.
    pub pawns: PawnStyle,
    /// How directions are marked, for the short form.
    pub bars: Bars,
}

impl Style {
    /// A notation with its recommended choices.
    pub const fn of(notation: Notation) -> Style {
        Style {
            notation,
            script: Script::Simplified,
            digits: Digits::ByScript,
            pawns: PawnStyle::Numbers,
            bars: Bars::Combining,
        }
    }

    /// The dialect in which what is written in this style reads back to the same move alone.
    pub const fn dialect(&self) -> Dialect {
        let dialect = Dialect::OPEN;
        match self.notation {
            Notation::Chinese | Notation::Chinese1956 => dialect,
            Notation::Short => dialect.settled(Dialect::BAR_BELOW_FORWARD).settled(Dialect::BARS_COMPLETE),
            Notation::Wxf => dialect.settled(Dialect::WESTERN).settled(match self.pawns {
                PawnStyle::Numbers => Dialect::PAWN_NUMBERS,
                PawnStyle::Marks => Dialect::PAWN_MARKS,
            }),
            Notation::Iccs | Notation::Uci => dialect.settled(Dialect::RANKS_FROM_0),
            Notation::Vietnamese => dialect.settled(Dialect::VIETNAMESE),
        }
    }
}
