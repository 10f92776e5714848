//! A position named on the command line: a FEN, a board drawn with characters, or `-` for either on standard input.

use super::Context;
use anyhow::{Context as _, bail};
use std::io::Read;
use yipu::board::Position;
use yipu::diag::{Finding, codes};
use yipu::diagram::read_position;

/// More is no position.
const MOST_BYTES: u64 = 1 << 20;

/// Reads a position; what was assumed is told as notes.
pub fn position(text: &str, context: &Context) -> anyhow::Result<Position> {
    let given;
    let text = if text == "-" {
        given = standard_input()?;
        &given
    } else {
        text
    };
    let read = read_position(text)?;
    for note in &read.notes {
        context.finding(&Finding::new(codes::FEN_ASSUMED, note.as_str()).text(text.trim()));
    }
    Ok(read.position)
}

/// The text on standard input, in whatever encoding.
pub fn standard_input() -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    std::io::stdin().take(MOST_BYTES + 1).read_to_end(&mut bytes).context("standard input")?;
    if bytes.len() as u64 > MOST_BYTES {
        bail!("standard input: too large for a position");
    }
    let (text, _, _) = yipu::text::decode(&bytes, None);
    Ok(text.into_owned())
}
