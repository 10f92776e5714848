//! Tests of the program from outside, and tests over data. One binary, one module an area.

mod arbiter;
mod board;
mod by_hand;
mod ccbridge;
mod claims;
mod cli;
mod convert;
mod crash;
mod database;
mod diagram;
mod encodings;
mod field;
mod field_formats;
mod formats;
#[path = "../../tools/generator.rs"]
#[allow(dead_code)]
mod generator;
mod grammars;
mod judge;
mod limit;
mod losses;
mod memory;
mod moves;
mod notation;
mod notation_attack;
#[allow(dead_code)]
mod pgn;
mod promises;
mod repetition;
mod replay;
mod rounds;
mod search;
mod sheet;
mod store;
mod support;
mod twins;
mod xqf;
