//! `yipu board` from outside.

use assert_cmd::Command;
use predicates::prelude::*;

fn board(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::new(env!("CARGO_BIN_EXE_yipu")).arg("board").args(args).assert()
}

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

#[test]
fn a_fen_is_drawn_as_text_svg_and_png() {
    board(&[START]).success().stdout(predicate::str::contains("[车][马][象][士][将][士][象][马][车]"));
    board(&[START, "--to", "svg"]).success().stdout(predicate::str::starts_with("<svg "));
    board(&[START, "--to", "png", "--size", "200"]).success().stdout(predicate::function(|bytes: &[u8]| {
        bytes.starts_with(b"\x89PNG") && bytes[16..20] == 200u32.to_be_bytes()
    }));
}

#[test]
fn the_moves_listed_behind_a_fen_are_played_and_the_last_is_marked() {
    let fen = format!("{START} moves h2e2 h9g7");
    board(&[&fen, "--to", "svg"]).success().stdout(predicate::str::contains("class=\"mark\" data-square=\"h9\""));
    board(&[&fen, "--to", "svg", "--ply", "1"])
        .success()
        .stdout(predicate::str::contains("class=\"mark\" data-square=\"h2\""));
    board(&[&fen, "--ply", "3"]).code(2);
    board(&["neither/a/board"]).code(2);
}
