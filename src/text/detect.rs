//! Which encoding a record is in.
//!
//! In this order: a byte order mark; zero bytes at every second place (UTF-16 without a mark); nothing but ASCII; valid
//! UTF-8; then every candidate is scored by how much of the text becomes frequent characters, first of all those that
//! moves are made of. A short text of two-byte characters can be valid UTF-8 and GB18030 at once (`CA A4` is ʤ or 胜),
//! and a UTF-8 file may hold a stray byte: both are settled by the score, and called uncertain where it is close.
//!
//! windows-1258 (Vietnamese) is never guessed: every text is valid in it. The user may ask for it.

use encoding_rs::{BIG5, Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE};
use std::sync::LazyLock;

/// What a guess rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The caller asked for this encoding.
    Asked,
    /// A byte order mark.
    Mark,
    /// No byte above 127.
    Ascii,
    /// Valid UTF-8 with characters of three bytes, which does not happen by chance.
    Utf8,
    /// Zero bytes at every second place.
    ZeroBytes,
    /// The best score; the scores of the best and the second best reading.
    Score {
        /// Points of the encoding chosen.
        best: i64,
        /// Points of the next best.
        second: i64,
    },
}

/// An encoding and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The encoding.
    pub encoding: &'static Encoding,
    /// Why.
    pub basis: Basis,
}

impl Guess {
    /// An encoding the user named.
    pub const fn asked(encoding: &'static Encoding) -> Guess {
        Guess { encoding, basis: Basis::Asked }
    }

    /// Whether the text says nothing, or hardly more for this encoding than for another.
    pub const fn is_weak(&self) -> bool {
        match self.basis {
            Basis::Score { best, second } => best < 40 || best < 2 * second,
            _ => false,
        }
    }

    /// The encoding of a part of a file whose first part is in the encoding `settled`. The second value is what the part
    /// itself looks like, if that is certainly something else: it is then read as that.
    pub fn of_part(bytes: &[u8], settled: Guess) -> (Guess, bool) {
        if !settled.encoding.is_ascii_compatible() || settled.basis == Basis::Asked {
            return (settled, false);
        }
        let own = detect(bytes);
        let says_nothing = own.basis == Basis::Ascii || own.is_weak();
        if says_nothing || own.encoding == settled.encoding { (settled, false) } else { (own, true) }
    }

    /// The evidence, in a sentence of Chinese.
    pub fn chinese(&self) -> String {
        let name = encoding_name(self.encoding);
        match self.basis {
            Basis::Asked => format!("按指定的 {name} 读取"),
            Basis::Mark => format!("由字节顺序标记知为 {name}"),
            Basis::Ascii => "没有大于 127 的字节".to_string(),
            Basis::Utf8 => "全文都是有效的 UTF-8".to_string(),
            Basis::ZeroBytes => format!("由零字节知为 {name}"),
            Basis::Score { best, second } => {
                let sure = if self.is_weak() { "低" } else { "高" };
                format!("按 {name} 读取, 把握{sure}: 着法与常用字得 {best} 分, 其次的编码 {second} 分")
            }
        }
    }

    /// The evidence, in a sentence.
    pub fn evidence(&self) -> String {
        let name = encoding_name(self.encoding);
        match self.basis {
            Basis::Asked => format!("{name} as asked for"),
            Basis::Mark => format!("{name} by its byte order mark"),
            Basis::Ascii => "no byte above 127".to_string(),
            Basis::Utf8 => "valid UTF-8 throughout".to_string(),
            Basis::ZeroBytes => format!("{name} by its zero bytes"),
            Basis::Score { best, second } => {
                let sure = if self.is_weak() { "low" } else { "high" };
                format!(
                    "read as {name}, confidence {sure}: {best} points for move and other frequent characters, \
                     {second} for the next best encoding"
                )
            }
        }
    }
}

/// The name of an encoding as we print it: `utf-8`, `gb18030`, `big5`, `utf-16le` …
pub fn encoding_name(encoding: &'static Encoding) -> &'static str {
    // GBK is read as its superset; everything else goes by the WHATWG name in small letters.
    let name = if encoding == encoding_rs::GBK { GB18030.name() } else { encoding.name() };
    match name {
        "UTF-8" => "utf-8",
        "gb18030" => "gb18030",
        "Big5" => "big5",
        "UTF-16LE" => "utf-16le",
        "UTF-16BE" => "utf-16be",
        other => other,
    }
}

/// Bytes above 127 that are looked at; more do not change the answer.
const SAMPLE: usize = 16 * 1024;

/// Finds the encoding from the content.
///
/// # Example
///
/// ```
/// assert_eq!(yipu::text::detect(b"1. \xc5\xda\xb6\xfe\xc6\xbd\xce\xe5").encoding.name(), "gb18030"); // 炮二平五
/// ```
pub fn detect(bytes: &[u8]) -> Guess {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return Guess { encoding, basis: Basis::Mark };
    }
    if bytes.starts_with(&[0x84, 0x31, 0x95, 0x33]) {
        return Guess { encoding: GB18030, basis: Basis::Mark };
    }
    if let Some(encoding) = zero_bytes(&bytes[..bytes.len().min(4096)]) {
        return Guess { encoding, basis: Basis::ZeroBytes };
    }
    let ascii = Encoding::ascii_valid_up_to(bytes);
    if ascii == bytes.len() {
        return Guess { encoding: UTF_8, basis: Basis::Ascii };
    }
    let sample = sample(bytes, ascii);
    let utf8 = score_utf8(&sample);
    // Two characters of three bytes take six bytes of a narrow pattern, which three characters of GB18030 or Big5 in daily
    // use do not fall into; among characters of two bytes more of them are asked for.
    let enough = if utf8.narrow == 0 { 2 } else { 8 };
    let (gb, gb_bad) = score_pairs(&sample, &TABLES.gb, gb_class);
    let (big5, big5_bad) = score_pairs(&sample, &TABLES.big5, big5_class);
    // Few characters are enough where they stand within words of Latin letters, or where nothing else can be read.
    let latin = utf8.wide == 0 && utf8.narrow > 0 && utf8.in_words == utf8.narrow;
    let alone = gb_bad > 0 && big5_bad > 0;
    if utf8.bad == 0 && (utf8.wide >= enough || latin || alone) && std::str::from_utf8(&bytes[ascii..]).is_ok() {
        return Guess { encoding: UTF_8, basis: Basis::Utf8 };
    }
    let mut ranking = [(utf8.points, UTF_8), (gb, GB18030), (big5, BIG5)];
    // On equal points the order above decides.
    ranking.sort_by_key(|&(points, _)| std::cmp::Reverse(points));
    let [(best, encoding), (second, _), _] = ranking;
    Guess { encoding, basis: Basis::Score { best, second: second.max(0) } }
}

/// Whether the text is in two-byte units, by its mark or its zero bytes.
pub(crate) fn utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    match Encoding::for_bom(bytes) {
        Some((encoding, _)) => Some(encoding).filter(|&encoding| encoding != UTF_8),
        None => zero_bytes(&bytes[..bytes.len().min(4096)]),
    }
}

/// UTF-16 without a mark shows in the zero bytes of its line ends, blanks and digits.
fn zero_bytes(head: &[u8]) -> Option<&'static Encoding> {
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|&&b| b == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let enough = (head.len() / 32).max(2);
    if odd >= enough && even * 8 < odd {
        Some(UTF_16LE)
    } else if even >= enough && odd * 8 < even {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// The lines with bytes above 127, from the first on, until there are enough of them.
fn sample(bytes: &[u8], first: usize) -> Vec<u8> {
    let start = bytes[..first].iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    // A single line of any length must not be copied whole.
    let start = start.max(first.saturating_sub(256));
    let mut sample = Vec::with_capacity(SAMPLE);
    let mut high = 0;
    for line in bytes[start..].split_inclusive(|&b| b == b'\n') {
        let line = &line[..line.len().min(SAMPLE)];
        let count = line.iter().filter(|b| !b.is_ascii()).count();
        if count > 0 {
            sample.extend_from_slice(line);
            high += count;
        }
        if high >= SAMPLE || sample.len() >= 4 * SAMPLE {
            break;
        }
    }
    sample
}

struct Utf8Score {
    points: i64,
    /// Characters of three or more bytes.
    wide: usize,
    /// Characters of two bytes.
    narrow: usize,
    /// Those of them within a word of Latin letters.
    in_words: usize,
    bad: usize,
}

fn score_utf8(sample: &[u8]) -> Utf8Score {
    let mut score = Utf8Score { points: 0, wide: 0, narrow: 0, in_words: 0, bad: 0 };
    for chunk in sample.utf8_chunks() {
        let mut before = ' ';
        let mut chars = chunk.valid().chars().peekable();
        while let Some(c) = chars.next() {
            let after = chars.peek().copied().unwrap_or(' ');
            score.points += match c as u32 {
                0..0x80 => 0,
                // Letters with accents belong into words; alone they are more likely half of something else.
                0x80..0x800 if before.is_alphabetic() && c.is_alphabetic() => 2,
                0x80..0x800 => -1,
                code if TABLES.unicode.has(code) => 4,
                0x2000..0x2100 | 0x3000..0x3100 | 0x4E00..0xA000 | 0xFF00..0xFFF0 => 2,
                _ => 0,
            };
            score.wide += usize::from(c as u32 >= 0x800);
            if (0x80..0x800).contains(&(c as u32)) {
                let both = before.is_alphabetic() && after.is_alphabetic();
                score.narrow += 1;
                score.in_words += usize::from(both || before.is_ascii_lowercase() || after.is_ascii_lowercase());
            }
            before = c;
        }
        if !chunk.invalid().is_empty() {
            score.bad += 1;
            score.points -= 8;
        }
    }
    score
}

/// How ordinary a two-byte character is.
#[derive(Clone, Copy)]
enum Class {
    /// Of the level that holds the characters in daily use, or punctuation, digits, full-width letters.
    Common,
    Rare,
    /// Only in an extension that hardly any record uses.
    Extension,
    /// Not a character.
    No,
}

fn gb_class(lead: u8, trail: u8) -> Class {
    match (lead, trail) {
        (0xB0..=0xD7 | 0xA1 | 0xA3, 0xA1..=0xFE) => Class::Common,
        (0xA2 | 0xA4..=0xA9 | 0xD8..=0xF7, 0xA1..=0xFE) => Class::Rare,
        (0x81..=0xFE, 0x40..=0x7E | 0x80..=0xFE) => Class::Extension,
        _ => Class::No,
    }
}

fn big5_class(lead: u8, trail: u8) -> Class {
    match (lead, trail) {
        (0xA1..=0xA2 | 0xA4..=0xC6, 0x40..=0x7E | 0xA1..=0xFE) => Class::Common,
        (0xA3 | 0xC9..=0xF9, 0x40..=0x7E | 0xA1..=0xFE) => Class::Rare,
        (0x87..=0xFE, 0x40..=0x7E | 0xA1..=0xFE) => Class::Extension,
        _ => Class::No,
    }
}

/// Points, and how many bytes are no character.
fn score_pairs(sample: &[u8], frequent: &Bits, class: fn(u8, u8) -> Class) -> (i64, usize) {
    let mut points = 0;
    let mut bad = 0;
    let mut at = 0;
    while let Some(&lead) = sample.get(at) {
        if lead.is_ascii() {
            at += 1;
            continue;
        }
        let trail = sample.get(at + 1).copied().unwrap_or(0);
        let (gain, used) = match class(lead, trail) {
            _ if frequent.has(u32::from(lead) << 8 | u32::from(trail)) => (4, 2),
            Class::Common => (1, 2),
            Class::Rare => (-1, 2),
            Class::Extension => (-2, 2),
            Class::No => {
                bad += 1;
                (-8, 1)
            }
        };
        points += gain;
        at += used;
    }
    (points, bad)
}

/// Characters of moves, headers and everyday prose, in both scripts.
const FREQUENT: &str = "车马炮兵卒进退平帅将仕士相象俥傌包車馬砲進帥將前中后後一二三四五六七八九１２３４５６７８９\
    红黑紅胜负和勝負局谱譜棋全国國个人個團团体體赛賽杯锦錦标標第轮輪届屆年月日冠军軍象甲联聯对對北京上海广廣东東州省市\
    胡荣榮华華许許银銀川吕呂钦欽赵趙国鑫李来來群柳大杨楊官璘王张張刘劉陈陳徐林孙孫郑鄭蒋蔣于洪智卜凤鳳波陶汉漢明\
    的是不了在有我他这這着法变變化开開始先手如果改走可以则則因为為但方此要去得弃棄子吃杀殺\
    ，。、：；！？“”（）《》　…";

struct Bits(Vec<u64>);

impl Bits {
    fn new(codes: impl Iterator<Item = u32>) -> Bits {
        let mut bits = Bits(vec![0; 0x10000 / 64]);
        for code in codes.filter(|&code| code < 0x10000) {
            bits.0[code as usize / 64] |= 1 << (code % 64);
        }
        bits
    }

    fn has(&self, code: u32) -> bool {
        self.0.get(code as usize / 64).is_some_and(|word| word >> (code % 64) & 1 == 1)
    }
}

struct Tables {
    gb: Bits,
    big5: Bits,
    unicode: Bits,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let pairs = |encoding: &'static Encoding| {
        Bits::new(FREQUENT.chars().filter_map(move |c| {
            let mut text = [0; 4];
            let (bytes, _, unmappable) = encoding.encode(c.encode_utf8(&mut text));
            match bytes[..] {
                [lead, trail] if !unmappable => Some(u32::from(lead) << 8 | u32::from(trail)),
                _ => None,
            }
        }))
    };
    Tables { gb: pairs(GB18030), big5: pairs(BIG5), unicode: Bits::new(FREQUENT.chars().map(u32::from)) }
});

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(encoding: &'static Encoding, text: &str) -> Vec<u8> {
        let (bytes, _, unmappable) = encoding.encode(text);
        assert!(!unmappable, "{text}");
        bytes.into_owned()
    }

    #[test]
    fn moves_tell_gb18030_from_big5() {
        let simplified = "  1. 炮二平五 马８进７\r\n  2. 马二进三 车９平８\r\n";
        let traditional = "  1. 炮二平五 馬８進７\r\n  2. 馬二進三 車９平８\r\n";
        for (encoding, text) in [(GB18030, simplified), (BIG5, traditional), (GB18030, traditional)] {
            let guess = detect(&encoded(encoding, text));
            assert_eq!(guess.encoding, encoding, "{text}");
            assert!(!guess.is_weak(), "{}", guess.evidence());
        }
    }

    #[test]
    fn one_name_is_enough_to_choose_but_weak() {
        for (encoding, text) in [(GB18030, "[Red \"许银川\"]\r\n1. h2e2 *"), (BIG5, "[Red \"許銀川\"]\r\n1. h2e2 *")]
        {
            let guess = detect(&encoded(encoding, text));
            assert_eq!(guess.encoding, encoding);
            assert!(guess.is_weak());
        }
    }

    #[test]
    fn a_name_in_utf8_is_certain() {
        let guess = detect("[Red \"吕钦\"]\n1. h2e2 *\n".as_bytes());
        assert_eq!(guess, Guess { encoding: UTF_8, basis: Basis::Utf8 });
    }

    #[test]
    fn a_word_valid_in_both_is_read_as_chinese_with_low_confidence() {
        // ENC-7
        let guess = detect(b"[Result \"1-0\"]\n[Remark \"\xCA\xA4\"]\n\n1. h2e2 h9g7 1-0\n");
        assert_eq!(guess.encoding, GB18030);
        assert!(guess.is_weak());
        assert!(guess.evidence().contains("confidence low"));
        assert_eq!(detect("[Site \"Málaga, Österreich\"]\n1. h2e2 *".as_bytes()).encoding, UTF_8);
    }

    #[test]
    fn words_with_accents_and_single_characters_are_no_riddle_where_nothing_else_fits() {
        for text in ["[Red \"Müller\"]", "[Site \"Café Österreich\"]", "[Red \"MÜLLER\"]", "[Red \"胡\"]", "{好 !}"]
        {
            let guess = detect(format!("{text}\n1. h2e2 *\n").as_bytes());
            assert_eq!(guess, Guess { encoding: UTF_8, basis: Basis::Utf8 }, "{text}");
        }
        // A capital before it does not make a word.
        assert!(detect(b"[Red \"A\xCA\xA4\"]\n").is_weak());
    }

    #[test]
    fn one_stray_byte_does_not_flip_a_utf8_file() {
        // ENC-4
        let mut bytes = "[Red \"胡荣华\"]\n[Site \"Orl".as_bytes().to_vec();
        bytes.push(0xE9);
        bytes.extend_from_slice("ans\"]\n[Black \"许银川\"]\n1. h2e2 *\n".as_bytes());
        assert_eq!(detect(&bytes).encoding, UTF_8);
    }

    #[test]
    fn marks_and_zero_bytes_prove_an_encoding() {
        assert_eq!(detect(b"\xEF\xBB\xBFx"), Guess { encoding: UTF_8, basis: Basis::Mark });
        assert_eq!(detect(b"\xFF\xFEx\0").encoding, UTF_16LE);
        assert_eq!(detect(b"\xFE\xFF\0x").encoding, UTF_16BE);
        let text = "[Red \"胡荣华\"]\r\n1. 炮二平五\r\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(detect(&little), Guess { encoding: UTF_16LE, basis: Basis::ZeroBytes });
        assert_eq!(detect(&big), Guess { encoding: UTF_16BE, basis: Basis::ZeroBytes });
        assert_eq!(detect(b"1. h2e2").basis, Basis::Ascii);
        assert_eq!(detect(b"").basis, Basis::Ascii);
    }

    #[test]
    fn a_long_line_and_a_long_file_are_sampled() {
        let mut bytes = vec![b'x'; 1_000_000];
        bytes.extend(encoded(GB18030, &"炮二平五".repeat(100_000)));
        assert!(sample(&bytes, 1_000_000).len() <= 5 * SAMPLE);
        assert_eq!(detect(&bytes).encoding, GB18030);
    }
}
