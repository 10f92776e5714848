//! Just enough XML for the two record formats written in it, and lenient where their programs are careless.
//!
//! Comes in: text. Goes out: tags and the text between them, in order. Nothing is nested here: readers keep their own
//! stacks. Raw `<` and `&` inside attribute values are accepted, unknown entities are left as they stand, `<!--` and
//! `-->` themselves are skipped, not what is between them.

use super::ReadOptions;

/// A piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// `<name …>` or `<name …/>`.
    Open { name: &'a str, attributes: &'a str, empty: bool, at: usize },
    /// `</name>`.
    Close { name: &'a str },
    /// Text with entities, or a CDATA section without.
    Text { text: &'a str, raw: bool },
}

/// Gives the pieces of a text one by one.
#[derive(Clone, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0 }
    }

    fn take(&mut self, length: usize) -> &'a str {
        let piece = &self.text[self.at..self.at + length];
        self.at += length;
        piece
    }
}

impl<'a> Iterator for Scanner<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        loop {
            let rest = &self.text[self.at..];
            if rest.is_empty() {
                return None;
            }
            if !rest.starts_with('<') {
                let length = rest.find('<').unwrap_or(rest.len());
                return Some(Piece::Text { text: self.take(length), raw: false });
            }
            if let Some(section) = rest.strip_prefix("<![CDATA[") {
                let length = section.find("]]>");
                self.at += 9;
                let text = self.take(length.unwrap_or(section.len()));
                self.at += if length.is_some() { 3 } else { 0 };
                return Some(Piece::Text { text, raw: true });
            }
            if rest.starts_with("<!--") {
                self.at += 4;
                continue;
            }
            let at = self.at;
            let inside = self.tag(rest);
            match inside.chars().next() {
                Some('?' | '!') => {}
                Some('/') => return Some(Piece::Close { name: inside[1..].trim() }),
                Some(c) if c.is_alphabetic() || c == '_' => {
                    let (inside, empty) = inside.strip_suffix('/').map_or((inside, false), |inside| (inside, true));
                    let end = inside.find(|c: char| c.is_whitespace() || c == '/').unwrap_or(inside.len());
                    return Some(Piece::Open { name: &inside[..end], attributes: &inside[end..], empty, at });
                }
                _ => {
                    // Not a tag: a `<` in the text.
                    self.at = at + 1;
                    return Some(Piece::Text { text: "<", raw: true });
                }
            }
        }
    }
}

impl<'a> Scanner<'a> {
    /// What stands between `<` and `>`; a `>` between quotes does not end it.
    fn tag(&mut self, rest: &'a str) -> &'a str {
        let mut quote = None;
        let mut equals = false;
        let mut end = None;
        for (at, byte) in rest.bytes().enumerate().skip(1) {
            match (byte, quote) {
                (byte, Some(open)) if byte == open => quote = None,
                (_, Some(_)) => {}
                (b'"' | b'\'', None) if equals => quote = Some(byte),
                (b'>', None) => {
                    end = Some(at);
                    break;
                }
                _ => {}
            }
            // A quote only opens a value behind an equals sign; elsewhere it is a stray character.
            equals = byte == b'=' || (equals && byte == b' ');
        }
        let (end, length) = match end.or_else(|| rest.find('>')) {
            Some(end) => (end, end + 1),
            None => (rest.len(), rest.len()),
        };
        self.at += length;
        &rest[1..end]
    }
}

/// The options with the encoding the declaration names, unless the user named one.
pub(super) fn declared_encoding(bytes: &[u8], options: &ReadOptions) -> ReadOptions {
    let head = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let declared = || {
        let head = head.get(..head.len().min(200))?.strip_prefix(b"<?xml")?;
        let head = String::from_utf8_lossy(head.split(|&byte| byte == b'>').next()?).into_owned();
        let (_, value) = attributes(&head).find(|(name, _)| *name == "encoding")?;
        encoding_rs::Encoding::for_label(value.trim_end_matches('?').as_bytes())
    };
    // A declaration is not always true: bytes that are no UTF-8 are looked at again.
    let honest = |encoding: &&'static encoding_rs::Encoding| {
        *encoding != encoding_rs::UTF_8 || std::str::from_utf8(bytes).is_ok()
    };
    ReadOptions { encoding: options.encoding.or_else(|| declared().filter(honest)) }
}

/// All attributes with their values resolved.
pub(super) fn attributes(text: &str) -> impl Iterator<Item = (&str, String)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let equals = rest.find('=')?;
        let name = rest[..equals].trim();
        let value = rest[equals + 1..].trim_start();
        let quote = value.chars().next().filter(|&c| c == '"' || c == '\'');
        let (value, behind) = match quote {
            Some(quote) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
            None => value.split_once(char::is_whitespace).unwrap_or((value, "")),
        };
        rest = behind;
        Some((name, resolve(value)))
    })
}

/// Text with its entities resolved.
pub(super) fn resolve(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let (c, length) = entity(&rest[at..]).unwrap_or(('&', 1));
        out.push(c);
        rest = &rest[at + length..];
    }
    out.push_str(rest);
    out
}

/// The character an entity at the start of the text stands for, and how long it is.
pub(super) fn entity(text: &str) -> Option<(char, usize)> {
    let end = text.bytes().take(12).position(|byte| byte == b';')?;
    let name = text.get(1..end)?;
    let c = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        _ => {
            let number = name.strip_prefix('#')?;
            let number = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(number.ok()?)?
        }
    };
    Some((c, end + 1))
}

/// Text as it may stand in an attribute or between tags; line ends survive.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_text_and_sections_come_in_order() {
        let text = "<?xml version=\"1.0\"?><a x=\"1>2\" y='&lt;'/>t&amp;<b><![CDATA[<c>]]></b><!--<d/>-->";
        let pieces: Vec<_> = Scanner::new(text).collect();
        assert_eq!(pieces.len(), 7);
        let Piece::Open { name: "a", attributes: list, empty: true, .. } = &pieces[0] else { panic!("{pieces:?}") };
        assert_eq!(attributes(list).collect::<Vec<_>>(), [("x", "1>2".to_string()), ("y", "<".to_string())]);
        assert_eq!(pieces[3], Piece::Text { text: "<c>", raw: true });
        assert!(matches!(pieces[5], Piece::Open { name: "d", .. }));
    }

    #[test]
    fn what_is_escaped_comes_back_and_unknown_entities_stay() {
        let text = "a<b>&\"c\n\t'中";
        assert_eq!(resolve(&escape(text)), text);
        assert_eq!(resolve("&copy; &#x4E2D;&#38; & &;"), "&copy; 中& & &;");
    }

    #[test]
    fn broken_markup_never_stops_the_scanner() {
        for text in ["<", "<a", "<a x=\"", "</", "<![CDATA[", "<!--", "< a>", "<a x='>", "&#;"] {
            assert!(Scanner::new(text).count() < 10, "{text}");
        }
    }
}
