//! Options for the choices a notation leaves.

use yipu::notation::{Bars, Digits, PawnStyle, Style};

/// How moves are written where their notation leaves a choice.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct StyleArgs {
    /// Black's numerals in the Chinese forms [default: full-width with traditional characters, else ascii]
    #[arg(long, value_enum, value_name = "DIGITS")]
    digits: Option<DigitsName>,

    /// How WXF tells pawns apart [default: numbers]
    #[arg(long, value_enum, value_name = "STYLE")]
    pawns: Option<PawnsName>,

    /// How the short form marks directions [default: combining]
    #[arg(long, value_enum, value_name = "BARS")]
    bars: Option<BarsName>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum DigitsName {
    /// 马8进7
    Ascii,
    /// 马８进７
    FullWidth,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum PawnsName {
    /// 13=4: number from the front and file (2018)
    Numbers,
    /// 3+.4: marks (1997); the traverse sign is the point
    Marks,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum BarsName {
    /// Bars below and above the digit (combining characters)
    Combining,
    /// Signs before it: 8+7, 2-1, 2=5
    Signs,
}

impl StyleArgs {
    /// The style with these choices made.
    pub fn apply(self, mut style: Style) -> Style {
        if let Some(digits) = self.digits {
            style.digits = match digits {
                DigitsName::Ascii => Digits::Ascii,
                DigitsName::FullWidth => Digits::FullWidth,
            };
        }
        if let Some(pawns) = self.pawns {
            style.pawns = match pawns {
                PawnsName::Numbers => PawnStyle::Numbers,
                PawnsName::Marks => PawnStyle::Marks,
            };
        }
        if let Some(bars) = self.bars {
            style.bars = match bars {
                BarsName::Combining => Bars::Combining,
                BarsName::Signs => Bars::Signs,
            };
        }
        style
    }
}
