//! A file of text: decoded, with the way back from places in the text to places in the file.

use super::{ReadOptions, Source};
use crate::diag::{Finding, codes};
use crate::text::{self, Basis, Guess, Locator, Spot, encoding_name};
use std::borrow::Cow;
use std::cell::RefCell;

/// Text of a file. Findings made from it carry offsets in the text until [`TextFile::locate`] turns them into places.
#[derive(Debug)]
pub(super) struct TextFile<'a> {
    source: Source<'a>,
    text: Cow<'a, str>,
    guess: Guess,
    bad: Vec<(usize, u8)>,
    bad_count: usize,
    /// Goes on from one game to the next, so that a file of many games with findings is walked once.
    locator: RefCell<Locator<'a>>,
}

impl<'a> TextFile<'a> {
    pub fn new(source: Source<'a>, options: &ReadOptions) -> TextFile<'a> {
        let (text, guess, faults) = text::decode(source.bytes, options.encoding);
        let bad = faults.list.iter().map(|fault| (fault.byte, fault.len)).collect();
        let mark = text::mark_len(source.bytes, guess.encoding);
        let first = Spot { byte: source.first_byte + mark as u64, line: source.first_line, column: 1 };
        let locator = RefCell::new(Locator::new(&source.bytes[mark..], guess.encoding, first));
        TextFile { source, text, guess, bad, bad_count: faults.count, locator }
    }

    /// Gives the text away, so that it can be borrowed while findings are located.
    pub fn take_text(&mut self) -> Cow<'a, str> {
        std::mem::take(&mut self.text)
    }

    pub fn encoding(&self) -> &'static str {
        encoding_name(self.guess.encoding)
    }

    /// What is to be said about the encoding itself. The places are already places in the file.
    pub fn text_findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        // These formats are hardly ever prose: a little evidence is enough if nothing speaks for another encoding.
        if matches!(self.guess.basis, Basis::Score { best, second } if best < 2 * second.max(2)) {
            findings.push(Finding::new(
                codes::DOUBTFUL_ENCODING,
                crate::say!("{}", self.guess.evidence(); "{}", self.guess.chinese()),
            ));
        }
        for &(byte, length) in self.bad.iter().take(20) {
            let bytes = self.source.bytes.get(byte..byte + usize::from(length)).unwrap_or_default();
            let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
            let text = crate::say!("means nothing in {}", self.encoding(); "在 {} 中没有意义", self.encoding());
            findings.push(Finding::new(codes::BAD_BYTES, text).text(hex.join(" ")).line(0, None).byte(byte as u64));
        }
        if self.bad_count > 20 {
            let more = self.bad_count - 20;
            let text = crate::say!("{more} more bad bytes in this file"; "本文件另有 {more} 个坏字节");
            findings.push(Finding::new(codes::BAD_BYTES, text));
        }
        findings
    }

    /// Turns offsets in the text into bytes, lines and columns of the file, and names the game.
    pub fn locate(&self, findings: &mut [Finding], game: u64) {
        self.place(findings, Some(game));
    }

    /// As [`TextFile::locate`] for findings that belong to no game.
    pub fn locate_in_file(&self, findings: &mut [Finding]) {
        self.place(findings, None);
    }

    fn place(&self, findings: &mut [Finding], game: Option<u64>) {
        let mut locator = self.locator.borrow_mut();
        for finding in findings {
            finding.locate(self.source.file, game);
            match (finding.byte, finding.line) {
                // Bad bytes are known by their place in the file; line 0 marks them.
                (Some(_), Some(0)) => finding.line = None,
                (Some(at), None) => {
                    let spot = locator.spot(at as usize);
                    (finding.byte, finding.line, finding.column) =
                        (Some(spot.byte), Some(spot.line), Some(spot.column));
                }
                _ => {}
            }
        }
    }
}

/// Encodes finished text. UTF-16 is written by hand: the encoder of the crate has none.
pub(super) fn encode(text: &str, encoding: &'static encoding_rs::Encoding, out: &mut Vec<u8>) -> Vec<Finding> {
    if encoding == encoding_rs::UTF_8 {
        out.extend(text.as_bytes());
        return Vec::new();
    }
    if encoding == encoding_rs::UTF_16LE || encoding == encoding_rs::UTF_16BE {
        let little = encoding == encoding_rs::UTF_16LE;
        // Without its mark other programs take UTF-16 for something else.
        let mark = if out.is_empty() { "\u{FEFF}" } else { "" };
        let text = [mark, text].concat();
        out.extend(text.encode_utf16().flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }));
        return Vec::new();
    }
    let encoded = super::short_text::encode(text, encoding);
    out.extend(encoded.bytes);
    let mut missing: Vec<char> = encoded.unmappable;
    missing.sort_unstable();
    missing.dedup();
    if missing.is_empty() {
        return Vec::new();
    }
    let (name, sign) = (encoding_name(encoding), super::short_text::substitute(encoding));
    let text =
        crate::say!("characters that {name} does not have, written as {sign}"; "{name} 中没有的字符，以 {sign} 代替");
    vec![Finding::new(codes::UNMAPPABLE, text).text(missing.into_iter().collect::<String>())]
}
