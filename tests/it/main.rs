//! Tests of the program from outside, and tests over data. One binary, one module an area.

mod board;
mod ccbridge;
mod cli;
mod limit;
mod notation;
mod replay;
mod store;
#[allow(dead_code)]
mod support;
mod xqf;
