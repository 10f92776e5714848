//! 棋例: repeated positions, what each move of the cycle is called, and who must change.

mod analysis;
mod axf;
mod check_win;
mod edition;
mod exchange;
mod joint;
mod label;
mod mate;
mod roots;
mod threat;
mod value;
mod verdict;

pub use analysis::Line;
pub use axf::{AxfMove, axf_move, judge_axf};
pub use edition::{Edition, Limits, Ruleset, UnknownEdition};
pub use label::{Label, Labelled, label_move};
pub use threat::{Means, Root, Threat};
pub use value::{Ledger, has_crossed, is_worth_winning, worth};
pub use verdict::{Judged, Ruling, Stage, Verdict, judge};
