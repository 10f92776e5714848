//! The query language of `search`.
//!
//! Comes in: a line such as `player:胡荣华 date:1978..1985 -result:draw (ecco:B OR pattern:"R@e6 !p@[a-i]5-6")`. Goes out: a
//! [`Query`], or a [`QueryError`] that shows the place.
//!
//! Terms side by side must all be true; `OR` (or `|`) stands between alternatives and binds weaker; `-` (or `NOT`) turns
//! the term or parenthesis behind it round. Values with blanks stand in quotes.
//!
//! | term | true of a game if |
//! |---|---|
//! | `player:` `red:` `black:` | the text is in the name of either side, of Red, of Black |
//! | `team:` `event:` `site:` `round:` `opening:` `source:` | the text is in that header (source: the file) |
//! | a bare word | it is in any header but the source |
//! | `comment:` | it is in a comment, or in text that could not be read as moves |
//! | `date:1978` `date:1978.5..1985` `date:..1960` `date:?` | the date surely lies in the span; there is none |
//! | `result:red` `black` `draw` `unknown` | the result is this |
//! | `ecco:B20..B39` `ecco:C4` `ecco:B,D` | the opening code is in the span |
//! | `plies:60..120` `plies:100..` | the main line has so many plies |
//! | `fen:"…"` | the main line reaches the position, by whatever moves |
//! | `fen:"3?k4/…"` | some position of the main line is this board, squares written `?` apart; the side to move is free |
//! | `line:"炮二平五 马8进7"` | the main line reaches the position after these moves (any notation) |
//! | `pattern:"R@e4 !p@[a-i]5-6"` | some position of the main line has all of these |
//! | `material:RNvRC` | in some position Red has exactly these strong pieces and pawns, and Black those behind `v` |
//! | `sequence:"p1 ; p2"` | patterns come true one after the other |
//! | `capture:RxN` `capture:Rxn` | a rook takes a horse; Red's rook takes a black horse |
//! | `check:yes` `no` `red` `black` `3..` | checks are given: any, none, by Red, by Black, so many |
//! | `mate:yes` `no` `red` `black` `stalemate` `any` | how the main line ends on the board |
//! | `lines:all` | `fen:` and `line:` are looked for in side lines too (which takes longer) |
//! | `mirror:yes` `swap:yes` | board terms also mean their mirror image; the same with colours swapped |
//!
//! Field names may be written in Chinese (棋手 红方 黑方 队伍 赛事 地点 轮次 日期 结果 开局 回合 局面 着法 …).
//!
//! It forgives: full-width colons, quotes and parentheses. It refuses: nesting deeper than [`MOST_DEPTH`], more than
//! [`MOST_TERMS`] terms.

mod board;
mod error;
mod parse;
mod tree;
mod value;

pub use board::{Constraint, Material, Pattern, Thing};
pub use error::QueryError;
pub use parse::{MOST_DEPTH, MOST_TERMS, parse};
pub use tree::{Capture, Checks, Ending, Node, Query, Term};
pub use value::is_term;
