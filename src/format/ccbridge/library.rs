//! Libraries.

use super::record::{COLLECTION, read_record, utf16, word};
use super::{ENTRY, INDEX, LIBRARY, RECORD, SLOT};
use crate::diag::{Finding, codes};
use crate::format::listed::Listed;
use crate::format::{Confidence, Format, ReadOptions, Reader, Sink, Source};

/// Reads CBL.
#[derive(Clone, Copy, Debug)]
pub struct CblReader;

impl Reader for CblReader {
    fn format(&self) -> Format {
        Format::Cbl
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        if head.starts_with(LIBRARY) { Confidence::Certain } else { Confidence::No }
    }

    fn read(&self, source: Source<'_>, _: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        let bytes = source.bytes;
        let mut findings = Vec::new();
        let mut listed = Listed::default();
        let (name, _) = utf16(bytes.get(64..576).unwrap_or_default());
        for (place, number) in places(bytes, &mut findings).into_iter().zip(source.first_game..) {
            let base = source.first_byte + place.start as u64;
            match read_record(&bytes[place], base, number) {
                Ok(mut game) => {
                    if !name.is_empty() {
                        game.game.headers.push(COLLECTION, name.clone());
                    }
                    for finding in &mut game.findings {
                        finding.locate(source.file, Some(number));
                    }
                    if games(game).is_break() {
                        break;
                    }
                }
                Err(mut finding) => {
                    finding.locate(source.file, Some(number));
                    listed.push(*finding);
                }
            }
        }
        findings.extend(listed.into_findings());
        for finding in &mut findings {
            finding.locate(source.file, None);
        }
        findings
    }
}

/// Where the live records stand.
fn places(bytes: &[u8], findings: &mut Vec<Finding>) -> Vec<std::ops::Range<usize>> {
    let count = word(bytes, 60) as usize;
    let mut places = Vec::new();
    let area = count.checked_mul(ENTRY).and_then(|size| size.checked_add(INDEX)).filter(|&area| area <= bytes.len());
    let mut sound = area.is_some();
    let mut next = area.unwrap_or_default();
    let entries = area.map_or(0, |_| count);
    for index in 0..entries {
        let at = INDEX + index * ENTRY;
        let (state, slots, used) = (word(bytes, at), word(bytes, at + 8) as usize, word(bytes, at + 12) as usize);
        let begin = next;
        if state == 0 && slots == 0 {
            continue;
        }
        next = slots.checked_mul(SLOT).and_then(|size| next.checked_add(size)).unwrap_or(usize::MAX);
        match state {
            7 => {
                let end = begin.saturating_add(used).min(bytes.len());
                if begin < end && bytes[begin..end].starts_with(RECORD) {
                    places.push(begin..end);
                } else {
                    sound = false;
                }
            }
            5 => {
                let (title, _) = utf16(&bytes[at + 100..at + 228]);
                let text = "a record its owner deleted; it is not read";
                findings.push(Finding::new(codes::DELETED_RECORD, text).text(title).byte(at as u64));
            }
            _ => sound = false,
        }
    }
    let signatures = signatures(bytes);
    if sound && (!places.is_empty() || signatures.is_empty()) {
        return places;
    }
    if !signatures.is_empty() || !sound {
        let text = "the index does not lead to the records; they were looked for by their signature";
        findings.push(Finding::new(codes::BROKEN_INDEX, text).byte(bytes.len().min(60) as u64));
    }
    let ends = signatures.iter().skip(1).copied().chain([bytes.len()]);
    signatures.iter().zip(ends).map(|(&begin, end)| begin..end).collect()
}

fn signatures(bytes: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 576;
    while let Some(rest) = bytes.get(at..)
        && let Some(offset) = rest.windows(RECORD.len()).position(|window| window == RECORD)
    {
        found.push(at + offset);
        at += offset + RECORD.len();
    }
    found
}
