//! Tests of the program from outside, and tests over data. One binary, one module an area.

mod board;
#[allow(dead_code)]
mod support;
