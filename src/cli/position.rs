//! A position named on the command line: a FEN, a board drawn with characters, or `-` for either on standard input.

use super::Context;
use anyhow::{Context as _, bail};
use std::io::Read;
use yipu::board::{FenNote, Position};
use yipu::diag::{Finding, Severity, codes};
use yipu::diagram::read_position;

/// More is no position.
const MOST_BYTES: u64 = 1 << 20;

/// Reads a position; what was assumed and what is odd about it is told.
pub fn position(text: &str, context: &Context) -> anyhow::Result<Position> {
    let (position, findings) = examined(text, context)?;
    findings.iter().for_each(|finding| context.remark(finding));
    Ok(position)
}

/// Reads a position, with what was assumed and what is odd about it. The user asks about this very position, so these are
/// notes: no fault of the answer.
pub fn examined(text: &str, context: &Context) -> anyhow::Result<(Position, Vec<Finding>)> {
    let given;
    let text = if text == "-" {
        given = standard_input()?;
        &given
    } else {
        text
    };
    if let Ok(read) = Position::read_fen(text) {
        let position = read.position();
        return Ok((position, oddities(&read.notes, &position, text, context)));
    }
    let read = read_position(text)?;
    let assumed = read.notes.iter().map(|note| Finding::new(codes::FEN_ASSUMED, note.as_str()).text(text.trim()));
    let mut findings: Vec<Finding> = assumed.collect();
    findings.extend(oddities(&[], &read.position, text, context));
    Ok((read.position, findings))
}

/// What a FEN leaves out and matters, and why no game can reach the position.
pub fn oddities(notes: &[FenNote], position: &Position, text: &str, context: &Context) -> Vec<Finding> {
    let told =
        |note: &FenNote| Finding::new(codes::FEN_ASSUMED, yipu::say!("{note}"; "{}", note.chinese())).text(text.trim());
    // Short and dashed counters are common, and so are both alphabets: told only under `-v`.
    let (common, odd): (Vec<&FenNote>, Vec<&FenNote>) =
        notes.iter().partition(|note| matches!(note, FenNote::CountersUnknown | FenNote::LettersHe));
    common.into_iter().for_each(|note| context.finding(&told(note)));
    let assumed = odd.into_iter().map(told);
    let faults = position.faults().into_iter().map(|fault| {
        let message = yipu::say!("{fault}"; "{}", fault.chinese());
        Finding { severity: Severity::Note, ..Finding::new(codes::IMPOSSIBLE_POSITION, message) }
    });
    assumed.chain(faults).map(|finding| finding.text(text.trim())).collect()
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
