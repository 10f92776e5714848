//! 棋例: repeated positions, what each move of the round is called, and who must change.
//!
//! Comes in: a line of play and an edition. Goes out: whether a claim is well founded ([`claim`](History)), the label of
//! every move with its reason ([`label_move`]), and the ruling with its articles ([`judge`]). [`Judge`] does all of it.
//!
//! Where to find a rule:
//!
//! | rule | file |
//! |---|---|
//! | differences between the editions, budgets | `edition.rs` |
//! | value of pieces, what counts as winning one (得子) | `value.rs` |
//! | captures and recaptures on one square | `exchange.rs` |
//! | 暗根, 假根 | `roots.rs`, `exchange.rs` |
//! | 捉: threats, old and new ones, offers | `threat.rs` |
//! | 抽吃: winning a piece by checks | `check_win.rs` |
//! | 杀: mate by checks | `mate.rs` |
//! | 联合捉子 | `joint.rs` |
//! | names of moves: 将 杀 捉 兑 献 拦 跟 闲 | `label.rs` |
//! | verdicts of 1956, 1987, 1999, 2011 | `verdict.rs` |
//! | the Asian and World federations' rule | `axf.rs` |
//! | when a claim is well founded | `claim.rs` |
//!
//! In these files S is the side that moved and O the other one.

mod analysis;
mod axf;
mod check_win;
mod claim;
mod edition;
mod exchange;
mod idle;
mod joint;
mod judgement;
mod label;
mod mate;
mod roots;
mod threat;
mod value;
mod verdict;
mod words;

pub use analysis::Line;
pub use axf::{AxfMove, axf_move, judge_axf};
pub use claim::{History, Profile, Repetition};
pub use edition::{Edition, Limits, Ruleset, UnknownEdition};
pub use judgement::{Ground, Judge, Judgeable, Judgement};
pub use label::{Label, Labelled, label_move};
pub use threat::{Means, Root, Threat};
pub use value::{Ledger, has_crossed, is_worth_winning, worth};
pub use verdict::{Judged, Ruling, Stage, Verdict, judge};
pub use words::{Tongue, article, move_text, reason, ruling_text, summary};
