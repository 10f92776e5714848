//! The board and the rules of moving: squares, pieces, positions, legal moves, check and mate, FEN, hash keys.
//!
//! Comes in: FEN text, or moves. Goes out: positions, lists of legal moves, verdicts on single moves.
//! Nothing here knows notations, files or games.
//!
//! Where to find a rule:
//!
//! | rule | file |
//! |---|---|
//! | how each piece moves | `attack.rs` (line pieces), `moves.rs` (all of them) |
//! | which points a piece may ever stand on | `square.rs` ([`Square::allows`]) |
//! | check, facing generals | `safety.rs` |
//! | whole lines proved quickly, by the same rules | `prover.rs` |
//! | mate, 困毙 (no move loses) | `position.rs` ([`Position::outcome`]) |
//! | impossible positions | `validate.rs` |

mod attack;
mod chinese;
mod fen;
mod hash;
mod moves;
mod piece;
mod position;
mod prover;
mod safety;
mod square;
mod validate;

pub use fen::{FenFault, FenNote, ReadFen, START_FEN};
pub use hash::{Key, Keys};
pub use moves::MoveList;
pub use piece::{Color, Kind, Piece};
pub use position::{Illegal, Outcome, Position, Undo};
pub(crate) use prover::{Point, Prover};
pub use square::{Move, ParseMoveError, Square};
pub use validate::PositionFault;
