//! Text in binary records: short fields without any mark of their encoding.
//!
//! Comes in: the bytes of all fields and comments of one record. Goes out: the encoding they were read in, how sure that
//! is, and each text with what was wrong with it. GB18030 is what the programs wrote; Big5 and UTF-8 are chosen when the
//! bytes say so; windows-1258 and others only on request, but Latin text read as Chinese is noticed and reported.
//!
//! - Half a character at the end of a field is dropped and reported; fields were cut at fifteen bytes.
//! - A byte that cannot be read costs one U+FFFD and is reported.

use crate::diag::{Finding, codes};
use encoding_rs::{BIG5, Encoding, GB18030, UTF_8, WINDOWS_1258};
use unicode_normalization::UnicodeNormalization;

/// The encoding of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub encoding: &'static Encoding,
    /// Another encoding fits nearly as well.
    pub doubtful: bool,
}

impl Choice {
    /// The name shown to people: `gb18030`, `big5`, `utf-8`, `windows-1258` …
    pub fn name(self) -> &'static str {
        encoding_name(self.encoding)
    }

    /// Reads a text and reports what was wrong with it; `what` names the field.
    pub fn read(self, bytes: &[u8], what: &str, byte: u64, findings: &mut Vec<Finding>) -> String {
        let Decoded { text, fault } = decode(bytes, self.encoding);
        let name = self.name();
        let finding = match fault {
            None => return text,
            Some(Fault::HalfCharacter) => Finding::new(
                codes::HALF_CHARACTER,
                crate::say!("{what} ends in half a character, which was dropped"; "{what} 末尾只有半个字, 已略去"),
            ),
            Some(Fault::BadBytes(count)) => Finding::new(
                codes::BAD_BYTES,
                crate::say!("{what}: {count} places that mean nothing in {name}"; "{what}: 有 {count} 处在 {name} 中没有意义"),
            ),
            Some(Fault::Latin) => {
                let other = decode(bytes, WINDOWS_1258).text;
                let bytes = hex(bytes);
                let text = crate::say!(
                    "{what} read as {name} gives {text}; as windows-1258 it would be {other} (bytes {bytes})";
                    "{what} 按 {name} 读作 {text}; 按 windows-1258 则为 {other} (字节 {bytes})"
                );
                Finding::new(codes::DOUBTFUL_ENCODING, text)
            }
        };
        findings.push(finding.text(text.clone()).byte(byte));
        text
    }

    /// Says so if the encoding is hardly more likely than another.
    pub fn report(self, findings: &mut Vec<Finding>) {
        if self.doubtful {
            let name = self.name();
            let text = crate::say!(
                "read as {name}, but another encoding fits nearly as well; --encoding decides";
                "按 {name} 读取, 但另一种编码几乎同样相符; 可用 --encoding 指定"
            );
            findings.push(Finding::new(codes::DOUBTFUL_ENCODING, text));
        }
    }
}

/// The lower-case name of an encoding.
pub(super) fn encoding_name(encoding: &'static Encoding) -> &'static str {
    match encoding.name() {
        "gb18030" => "gb18030",
        "GBK" => "gbk",
        "Big5" => "big5",
        "UTF-8" => "utf-8",
        "windows-1258" => "windows-1258",
        "windows-1252" => "windows-1252",
        other => other,
    }
}

/// One text and what was wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decoded {
    pub text: String,
    pub fault: Option<Fault>,
}

/// What was wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It ends in half a character, which was dropped.
    HalfCharacter,
    /// This many bytes or byte pairs mean nothing in the encoding.
    BadBytes(usize),
    /// It looks like Latin text with accents that was read as Chinese.
    Latin,
}

/// Chooses the encoding of a record from all its texts.
pub(super) fn choose<'a>(texts: impl Iterator<Item = &'a [u8]> + Clone) -> Choice {
    let mut gb = Score::default();
    for text in texts.clone() {
        gb.add(text, |lead, trail| (0xA1..=0xF7).contains(&lead) && trail >= 0xA1);
    }
    if gb.fits() {
        return Choice { encoding: GB18030, doubtful: false };
    }
    let mut sequences = 0;
    let utf8 = texts.clone().all(|text| match std::str::from_utf8(text) {
        Ok(text) => {
            sequences += text.chars().filter(|&c| c >= '\u{800}').count();
            text.chars().all(|c| c.is_ascii() || c >= '\u{800}')
        }
        // A field may be cut inside a character.
        Err(error) => error.error_len().is_none(),
    });
    if utf8 && sequences >= 2 {
        return Choice { encoding: UTF_8, doubtful: false };
    }
    // A few accented letters among Latin ones are no Chinese at all; the reading of the field says so.
    if gb.pairs <= 8 && texts.clone().any(looks_latin) {
        return Choice { encoding: GB18030, doubtful: false };
    }
    // Rare pairs: traditional characters in GBK, Big5, or something else. What moves and names are made of decides.
    let joined: Vec<u8> = texts.clone().flat_map(|text| text.iter().copied().chain([b'\n'])).collect();
    let guess = crate::text::detect(&joined);
    let is_big5 = guess.encoding == BIG5
        && texts.clone().all(|text| decode(text, BIG5).fault.is_none_or(|fault| fault == Fault::HalfCharacter));
    let encoding = if is_big5 { BIG5 } else { GB18030 };
    Choice { encoding, doubtful: gb.pairs > 3 && (guess.is_weak() || guess.encoding != encoding) }
}

#[derive(Clone, Copy, Debug, Default)]
struct Score {
    pairs: u32,
    common: u32,
}

impl Score {
    fn add(&mut self, text: &[u8], is_common: impl Fn(u8, u8) -> bool) {
        if text.is_ascii() {
            return;
        }
        let mut rest = text;
        while let [lead, behind @ ..] = rest {
            rest = behind;
            if *lead < 0x80 {
                continue;
            }
            match behind {
                // Four bytes in GB18030, nothing at all in Big5: no evidence.
                [b'0'..=b'9', 0x81..=0xFE, b'0'..=b'9', behind @ ..] => rest = behind,
                [trail, behind @ ..] => {
                    rest = behind;
                    self.pairs += 1;
                    self.common += u32::from(is_common(*lead, *trail));
                }
                [] => {}
            }
        }
    }

    /// Thousandths of pairs that are common ones.
    fn rate(self) -> u32 {
        (self.common * 1000).checked_div(self.pairs).unwrap_or(1000)
    }

    fn fits(self) -> bool {
        self.rate() >= 900
    }
}

/// Reads one text.
pub(super) fn decode(bytes: &[u8], encoding: &'static Encoding) -> Decoded {
    if bytes.is_ascii() {
        let text = String::from_utf8_lossy(bytes).into_owned();
        return Decoded { text, fault: None };
    }
    let (text, bad) = encoding.decode_without_bom_handling(bytes);
    if bad {
        // Told that more may follow, the decoder finds nothing wrong with half a character.
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let room = decoder.max_utf8_buffer_length_without_replacement(bytes.len()).unwrap_or(bytes.len() * 3);
        let mut whole = String::with_capacity(room);
        let (result, _) = decoder.decode_to_string_without_replacement(bytes, &mut whole, false);
        if result == encoding_rs::DecoderResult::InputEmpty {
            return Decoded { text: whole, fault: Some(Fault::HalfCharacter) };
        }
        let count = text.chars().filter(|&c| c == '\u{FFFD}').count();
        return Decoded { text: text.into_owned(), fault: Some(Fault::BadBytes(count)) };
    }
    if encoding == WINDOWS_1258 {
        return Decoded { text: text.nfc().collect(), fault: None };
    }
    let fault = (encoding == GB18030 && looks_latin(bytes)).then_some(Fault::Latin);
    Decoded { text: text.into_owned(), fault }
}

/// Whether most Chinese characters of a GB18030 text are rare ones that touch a Latin letter: `Nguy贽n V鉵`.
fn looks_latin(bytes: &[u8]) -> bool {
    let letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphabetic);
    let (mut pairs, mut odd, mut at) = (0, 0, 0);
    while at < bytes.len() {
        if bytes[at] < 0x80 {
            at += 1;
            continue;
        }
        pairs += 1;
        let trail = bytes.get(at + 1).copied().unwrap_or_default();
        let touches = (at > 0 && letter(at - 1)) || letter(at + 2);
        odd += u32::from(touches && trail.is_ascii_alphabetic());
        at += 2;
    }
    odd > 0 && odd * 2 >= pairs
}

/// A text as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Encoded {
    pub bytes: Vec<u8>,
    /// Characters the encoding does not have; `?` stands in their place.
    pub unmappable: Vec<char>,
}

/// Writes one text. Vietnamese is taken apart into letters and tone marks where windows-1258 needs that.
pub(super) fn encode(text: &str, encoding: &'static Encoding) -> Encoded {
    if text.is_ascii() {
        return Encoded { bytes: text.as_bytes().to_vec(), unmappable: Vec::new() };
    }
    let apart: String;
    let mut rest = text;
    if encoding == WINDOWS_1258 {
        apart = tones_apart(text);
        rest = &apart;
    }
    let mut encoded = Encoded { bytes: Vec::with_capacity(text.len()), unmappable: Vec::new() };
    let mut encoder = encoding.new_encoder();
    loop {
        let room = encoder.max_buffer_length_from_utf8_without_replacement(rest.len()).unwrap_or(rest.len() * 4 + 16);
        encoded.bytes.reserve(room);
        let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut encoded.bytes, true);
        rest = &rest[read..];
        match result {
            encoding_rs::EncoderResult::InputEmpty => return encoded,
            encoding_rs::EncoderResult::OutputFull => {}
            encoding_rs::EncoderResult::Unmappable(c) => {
                encoded.bytes.extend_from_slice(&encoding.encode(substitute(encoding)).0);
                encoded.unmappable.push(c);
            }
        }
    }
}

/// What stands for a character that the encoding does not have: the box of printed books, which no reader takes for a
/// remark on a move as it does a question mark; the question mark where there is no box.
pub(super) fn substitute(encoding: &'static Encoding) -> &'static str {
    if encoding.encode("□").2 { "?" } else { "□" }
}

/// Accented vowels as the letter windows-1258 has, followed by the tone mark it has.
fn tones_apart(text: &str) -> String {
    let mut apart = String::with_capacity(text.len());
    for c in text.nfc() {
        if !WINDOWS_1258.encode(c.encode_utf8(&mut [0; 4])).2 {
            apart.push(c);
            continue;
        }
        let is_tone = |mark: &char| "\u{300}\u{301}\u{303}\u{309}\u{323}".contains(*mark);
        let parts: Vec<char> = std::iter::once(c).nfd().collect();
        apart.extend(parts.iter().copied().filter(|part| !is_tone(part)).nfc());
        apart.extend(parts.iter().copied().filter(is_tone));
    }
    apart
}

/// Whether GB18030 bytes hold a character of four bytes.
pub(super) fn has_four_byte_characters(bytes: &[u8]) -> bool {
    let mut at = 0;
    while at + 1 < bytes.len() {
        match (bytes[at], bytes[at + 1]) {
            (..0x80, _) => at += 1,
            (_, b'0'..=b'9') => return true,
            _ => at += 2,
        }
    }
    false
}

/// Text for people with CR LF and lone CR as `\n`, without one final line end.
pub(super) fn unix_lines(mut text: String) -> String {
    if text.contains('\r') {
        text = text.replace("\r\n", "\n").replace('\r', "\n");
    }
    if text.ends_with('\n') {
        text.pop();
    }
    text
}

/// The longest beginning of a text that takes at most `capacity` bytes, cut between characters, as bytes; and whether it
/// is the whole text.
pub(super) fn encode_within(text: &str, encoding: &'static Encoding, capacity: usize) -> (Vec<u8>, bool) {
    let bytes = encode(text, encoding).bytes;
    if bytes.len() <= capacity {
        return (bytes, true);
    }
    // No character takes less than a byte.
    let mut ends: Vec<usize> = text.char_indices().map(|(at, _)| at).take(capacity + 1).collect();
    while let Some(end) = ends.pop() {
        let bytes = encode(&text[..end], encoding).bytes;
        if bytes.len() <= capacity {
            return (bytes, false);
        }
    }
    (Vec::new(), false)
}

/// Bytes as hexadecimal, so that a doubtful text can still be recovered from the finding.
fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(bytes.len() * 3);
    for (i, byte) in bytes.iter().take(64).enumerate() {
        let _ = write!(text, "{}{byte:02X}", if i > 0 { " " } else { "" });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(texts: &[&[u8]]) -> &'static str {
        choose(texts.iter().copied()).name()
    }

    #[test]
    fn gb_big5_and_utf8_are_told_apart() {
        let text = "红方先行，中炮对屏风马，马八进七。";
        let traditional = "紅方先行，中炮對屏風馬，馬八進七。";
        assert_eq!(choice(&[&GB18030.encode(text).0]), "gb18030");
        assert_eq!(choice(&[&BIG5.encode(traditional).0]), "big5");
        assert_eq!(choice(&[text.as_bytes()]), "utf-8");
        assert_eq!(choice(&[b"Wang", b""]), "gb18030");
        // Traditional characters in GBK are rare pairs, but Big5 explains them no better.
        assert_eq!(choice(&[&GB18030.encode(traditional).0]), "gb18030");
        let names = ["呂欽", "吳貴臨", "桂林"].map(|name| GB18030.encode(name).0);
        assert_eq!(choice(&names.each_ref().map(|name| &name[..])), "gb18030");
    }

    #[test]
    fn half_a_character_is_dropped_and_reported() {
        // ENC-6
        let bytes = [0xB9, 0xE3, 0xB6, 0xAB, 0xC4, 0xB3, 0xC4, 0xB3, 0xCF, 0xF3, 0xC6, 0xE5, 0xBE, 0xE3, 0xC0];
        let decoded = decode(&bytes, GB18030);
        assert_eq!(decoded, Decoded { text: "广东某某象棋俱".into(), fault: Some(Fault::HalfCharacter) });
    }

    #[test]
    fn vietnamese_read_as_chinese_is_noticed_and_right_on_request() {
        // ENC-1
        let bytes = b"Nguy\xEA\xDEn V\xE3n \xC1nh";
        assert_eq!(decode(bytes, GB18030).fault, Some(Fault::Latin));
        assert_eq!(decode(bytes, WINDOWS_1258), Decoded { text: "Nguyễn Văn Ánh".into(), fault: None });
        assert_eq!(decode(&GB18030.encode("許銀川A组").0, GB18030).fault, None);
    }

    #[test]
    fn vietnamese_is_written_and_read_back_and_what_is_missing_is_named() {
        let text = "Nguyễn Văn Ánh, trận đấu, Phượng Hồng";
        let encoded = encode(text, WINDOWS_1258);
        assert!(encoded.unmappable.is_empty());
        assert_eq!(decode(&encoded.bytes, WINDOWS_1258).text, text);
        assert_eq!(encode("马b", WINDOWS_1258), Encoded { bytes: b"?b".to_vec(), unmappable: vec!['马'] });
        // encoding_rs itself would write &#134071; here.
        assert_eq!(encode("𠮷", encoding_rs::GBK).unmappable, ['𠮷']);
        assert!(has_four_byte_characters(&encode("马𠮷", GB18030).bytes));
        assert!(!has_four_byte_characters(&encode("马0", GB18030).bytes));
    }

    #[test]
    fn a_bad_byte_costs_one_character() {
        let decoded = decode(b"\xBA\xC3\xFF\xD7\xC5", GB18030);
        assert_eq!(decoded.text, "好\u{FFFD}着");
        assert_eq!(decoded.fault, Some(Fault::BadBytes(1)));
    }
}
