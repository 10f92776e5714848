//! Pages to print: as text with aligned columns, and as HTML that needs nothing besides itself.
//!
//! Goes out, as text: a heading, labels with the headers, numbered rounds in two columns, comments in braces, side lines in
//! brackets, diagrams in frames; long lines are broken. Comes in: such a page, which reads back to the same game, and pages
//! of other programs with labels of this kind, on lines of their own or several on one.
//!
//! ```text
//! 中国象棋对局记录
//! 赛事：测试赛
//! 红方：甲
//! 黑方：乙
//! 结果：红胜
//!
//!   1. 炮二平五      马8进7
//!      (1. ... 炮8平5 2. 马二进三)
//!   2. 马二进三      车9平8
//!      红胜
//! ```
//!
//! Forgiven on reading: `:` for `：`, traditional or English labels, unknown labels (kept under their own names, on pages
//! with the heading), frames left out or redrawn, blanks at line ends.

mod html;
mod labels;
mod read;
mod text;
mod walk;

pub use html::HtmlWriter;
pub(super) use read::{Page, next_page};
pub use text::TextWriter;
