//! Tests of the program from outside, and tests over data. One binary, one module an area.

mod board;
mod ccbridge;
mod cli;
mod formats;
mod judge;
mod limit;
mod notation;
#[allow(dead_code)]
mod pgn;
mod replay;
mod sheet;
mod store;
mod support;
mod xqf;
