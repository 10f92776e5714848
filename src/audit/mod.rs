//! What arbiters ask of a record: the natural-limit claim, the clock, the state of the score sheets.
//!
//! Comes in: a game (or a sheet that was transcribed), the claimant, the rules of the event. Goes out: a verdict with
//! every figure it rests on. Nothing here decides more than the articles decide: where a record has holes, or a figure
//! rests on a FEN counter that nobody can check, the audit says so.

mod claim;
pub mod clock;
pub mod ledger;
pub mod limit;
pub mod page;
pub mod record;
pub mod results;
