//! Where a new game certainly starts, whatever stands before it.
//!
//! A line `[Event "…` or `[Game "…`, and the line before it (empty lines left out) neither a tag line nor the end of one.
//! The rule looks at these two lines alone, so that a file can be cut there without having read what comes before. It
//! also ends a comment that was never closed.

/// How far back the line before is looked for; more empty space than this counts as nothing before.
const LOOK_BACK: usize = 4096;

/// The first certain start at or after `from`: the offset of its line. Works on the bytes of every encoding in which
/// ASCII is ASCII: a line feed is never part of a longer character.
pub(super) fn next_start(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    // A start in the middle of a line is none.
    if at > 0 && bytes.get(at - 1) != Some(&b'\n') {
        at += line_len(bytes.get(at..)?);
    }
    while at < bytes.len() {
        let rest = &bytes[at..];
        if is_head(rest) && !follows_tag(&bytes[..at]) {
            return Some(at);
        }
        at += line_len(rest);
    }
    None
}

/// Length of the line with its line feed.
fn line_len(bytes: &[u8]) -> usize {
    memchr::memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1)
}

/// Whether the line is `[Event "` or `[Game "`, in any case.
pub(super) fn is_head(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"[") else { return false };
    let name_len = if rest.len() > 5 && rest[..5].eq_ignore_ascii_case(b"Event") {
        5
    } else if rest.len() > 4 && rest[..4].eq_ignore_ascii_case(b"Game") {
        4
    } else {
        return false;
    };
    let behind = rest[name_len..].trim_ascii_start();
    behind.len() < rest.len() - name_len && behind.first() == Some(&b'"')
}

/// Whether the last line with anything on it is a tag line or ends one.
pub(super) fn follows_tag(before: &[u8]) -> bool {
    let before = &before[before.len().saturating_sub(LOOK_BACK)..];
    let before = before.trim_ascii_end();
    let line = &before[memchr::memrchr(b'\n', before).map_or(0, |end| end + 1)..];
    let line = line.trim_ascii_start();
    let is_tag = line.starts_with(b"[") && line.get(1).is_some_and(u8::is_ascii_alphabetic) && line.contains(&b'"');
    is_tag || line.ends_with(b"\"]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_start_at_their_first_tag_line() {
        let text =
            b"[Event \"a\"]\n[Game \"x\"]\n\n1. h2e2 *\n\n[Game \"Chinese Chess\"]\n[Event \"b\"]\n\n1. h2e2 *\n";
        assert_eq!(next_start(text, 0), Some(0));
        let second = next_start(text, 1).unwrap();
        assert!(text[second..].starts_with(b"[Game \"Chinese"));
        assert_eq!(next_start(text, second), Some(second));
        assert_eq!(next_start(text, second + 1), None);
        assert_eq!(next_start(text, text.len() + 5), None);
    }

    #[test]
    fn a_value_over_two_lines_is_no_border() {
        let text = b"[Title \"\nx\"]\n[Event \"b\"]\n1. h2e2 *";
        assert_eq!(next_start(text, 0), None);
    }
}
