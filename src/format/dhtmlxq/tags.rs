//! Finds tags in any text.

use crate::work::{Work, note};

/// Something found in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item<'a> {
    /// The beginning of a block.
    Block,
    /// A tag with its name in lower case, without the prefix.
    Tag {
        name: String,
        value: &'a str,
        at: usize,
        /// No closing tag follows: the value ends where the next tag begins.
        open: bool,
    },
    /// A line in the form of page scripts: parent, ply, number, digits.
    Line([u32; 3], &'a str, usize),
}

const PREFIX: &str = "DhtmlXQ";

/// All tags in the order of the text.
pub(super) fn scan(text: &str) -> Vec<Item<'_>> {
    let brackets: Vec<usize> = text.match_indices('[').map(|(at, _)| at).collect();
    let closings: Vec<usize> = brackets.iter().copied().filter(|&at| is_closing(&text[at..])).collect();
    let openings: Vec<usize> = brackets.iter().copied().filter(|&at| starts(&text[at + 1..], "DhtmlXQ_")).collect();
    let next = |list: &[usize], from: usize| list.get(list.partition_point(|&at| at < from)).copied();
    note(Work::Items, brackets.len());
    let mut items = Vec::new();
    let mut from = 0;
    for (index, &at) in brackets.iter().enumerate() {
        if at < from {
            continue;
        }
        let rest = &text[at + 1..];
        let next_bracket = brackets.get(index + 1).copied().unwrap_or(text.len());
        if let Some(behind) = strip(rest, PREFIX) {
            // The name ends before the next bracket of either kind.
            let Some(end) = behind[..(next_bracket - at - 1).saturating_sub(PREFIX.len()).min(behind.len())].find(']')
            else {
                continue;
            };
            let name = &behind[..end];
            if let Some(name) = name.strip_prefix('_') {
                let begin = at + 1 + PREFIX.len() + end + 1;
                let closed = next(&closings, begin);
                let stop = closed.or_else(|| next(&openings, begin)).unwrap_or(text.len());
                let name = name.to_ascii_lowercase();
                // A main line may hold the lines of a script.
                from = if name == "movelist" { begin } else { stop };
                items.push(Item::Tag { name, value: &text[begin..stop], at, open: closed.is_none() });
            } else if name.chars().all(|c| c.is_ascii_alphabetic()) {
                items.push(Item::Block);
            }
        } else if let Some((numbers, length)) = numbers(rest) {
            let begin = at + 1 + length;
            items.push(Item::Line(numbers, &text[begin..next_bracket.max(begin)], at));
        }
    }
    items
}

fn starts(text: &str, prefix: &str) -> bool {
    strip(text, prefix).is_some()
}

fn strip<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
}

/// `[/DhtmlXQ_`, or with the escaped stroke of scripts.
fn is_closing(text: &str) -> bool {
    let text = &text[1..];
    text.strip_prefix("\\/").or_else(|| text.strip_prefix('/')).is_some_and(|rest| starts(rest, "DhtmlXQ_"))
}

/// Where the last block begins, if nothing behind it closes it. Tags that stand alone are no block.
pub(super) fn open_block(text: &str) -> Option<usize> {
    let whole =
        |behind: &str| behind.find(']').is_some_and(|end| behind[..end].bytes().all(|b| b.is_ascii_alphabetic()));
    let begins = |at: &usize| strip(&text[at + 1..], PREFIX).is_some_and(whole);
    let ends = |at: &usize| {
        let behind = &text[at + 1..];
        let behind = behind.strip_prefix("\\/").or_else(|| behind.strip_prefix('/'));
        behind.and_then(|behind| strip(behind, PREFIX)).is_some_and(whole)
    };
    let brackets = || text.rmatch_indices('[').map(|(at, _)| at);
    let begin = brackets().find(begins)?;
    let end = brackets().find(ends);
    end.is_none_or(|end| end < begin).then_some(begin)
}

/// `0_2_1]`: the numbers, and how long the text is.
fn numbers(text: &str) -> Option<([u32; 3], usize)> {
    let end = text.bytes().take(33).position(|byte| byte == b']')?;
    let mut parts = text.get(..end)?.split('_');
    let mut number = || parts.next().filter(|part| part.bytes().all(|b| b.is_ascii_digit()))?.parse().ok();
    let numbers = [number()?, number()?, number()?];
    parts.next().is_none().then_some((numbers, end + 1))
}

/// Whether a text holds any of these tags.
pub(super) fn any(bytes: &[u8]) -> bool {
    const TAG: &[u8] = b"[dhtmlxq";
    bytes.windows(TAG.len()).any(|window| window[0] == b'[' && window.eq_ignore_ascii_case(TAG))
}

/// A header value without HTML tags and with its entities resolved.
pub(super) fn plain(value: &str) -> String {
    note(Work::Bytes, value.len());
    let mut text = String::with_capacity(value.len());
    let mut rest = value.trim();
    // Looked for from behind, so that no `<` looks through all that follows.
    let last_end = rest.rfind('>').map(|at| rest.len() - at);
    while let Some(at) = rest.find(['<', '&']) {
        note(Work::Bytes, at);
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(behind) = rest.strip_prefix('<') {
            let end = if last_end.is_some_and(|last| behind.len() >= last) { behind.find('>') } else { None };
            note(Work::Bytes, end.unwrap_or(0));
            match end {
                // `<` alone is a character, as in "1<2".
                Some(end) if behind.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') => {
                    rest = &behind[end + 1..]
                }
                _ => {
                    text.push('<');
                    rest = behind;
                }
            }
        } else {
            let (c, length) = crate::format::xml::entity(rest).unwrap_or(('&', 1));
            text.push(c);
            rest = &rest[length..];
        }
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag<'a>(name: &str, value: &'a str, at: usize) -> Item<'a> {
        Item::Tag { name: name.into(), value, at, open: false }
    }

    #[test]
    fn tags_are_found_whatever_their_case_and_their_closing_tag() {
        let text = "x[DhtmlXQ][dhtmlxq_Red]甲[/DhtmlXQ_black][DhtmlXQ_date]2[\\/DhtmlXQ_date]";
        let date = text.find("[DhtmlXQ_date").unwrap();
        assert_eq!(scan(text), [Item::Block, tag("red", "甲", 10), tag("date", "2", date)]);
    }

    #[test]
    fn lines_of_a_script_are_found_inside_and_outside_of_tags() {
        let text = "[DhtmlXQ_movelist][0_1_0]7747[/0_1_0][/DhtmlXQ_movelist] '[0_2_1]1022[/0_2_1]'";
        let items = scan(text);
        assert_eq!(items.len(), 3);
        assert_eq!(items[1], Item::Line([0, 1, 0], "7747", 18));
        assert!(matches!(items[2], Item::Line([0, 2, 1], "1022", _)));
    }

    #[test]
    fn a_tag_that_is_never_closed_ends_at_the_next() {
        let items = scan("[DhtmlXQ_red]甲[DhtmlXQ_black]乙");
        assert!(matches!(&items[0], Item::Tag { value: "甲", open: true, .. }));
        assert!(matches!(&items[1], Item::Tag { value: "乙", open: true, .. }));
    }

    #[test]
    fn markup_is_taken_out_of_header_values() {
        assert_eq!(plain(" <b>甲</b>&nbsp;&quot;乙&#34; 1<2 A&B "), "甲\u{a0}\"乙\" 1<2 A&B");
    }
}
