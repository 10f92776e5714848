//! Reading a query.
//!
//! Single words are cut with `nom`; how they hang together is settled with a stack, so that depth costs no recursion.

use super::error::QueryError;
use super::tree::{Node, Query, Term};
use super::value::{Value, field, field_names};
use crate::diag::Message;
use crate::names::Needle;
use crate::say;
use crate::search::headers::Role;
use nom::branch::alt;
use nom::bytes::complete::{take_till, take_till1, take_while1};
use nom::character::complete::{char, one_of};
use nom::combinator::{map, opt, recognize};
use nom::error::Error;
use nom::sequence::{delimited, terminated};
use nom::{IResult, Parser};
use std::ops::Range;

/// Parentheses inside each other at most.
pub const MOST_DEPTH: usize = 64;
/// Terms in a query at most.
pub const MOST_TERMS: usize = 1000;

enum Word<'a> {
    Open,
    Close,
    Or,
    And,
    Not,
    /// A field with its value, and where the value begins.
    Field(&'a str, &'a str),
    Bare(&'a str),
}

/// Reads a query. An empty one is true of every game.
///
/// # Errors
///
/// What makes no sense, with its place.
pub fn parse(text: &str) -> Result<Query, QueryError> {
    let fail = |at: Range<usize>, what: Message| QueryError::new(text, at, what);
    let mut query = Query {
        root: Node::And(Vec::new()),
        terms: Vec::new(),
        texts: Vec::new(),
        mirror: false,
        swap: false,
        side_lines: false,
    };
    let mut levels = vec![Level::new(0)];
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let rest = rest.trim_start();
        at = text.len() - rest.len();
        if rest.is_empty() {
            break;
        }
        if unclosed(rest) {
            return Err(fail(at..text.len(), say!("this quote is not closed"; "引号没有闭合")));
        }
        let Ok((after, word)) = word(rest) else {
            return Err(fail(
                at..at + rest.chars().next().map_or(1, char::len_utf8),
                say!("not expected here"; "这里不应有此字符"),
            ));
        };
        let end = text.len() - after.len();
        let here = at..end;
        let offset = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
        let depth = levels.len();
        // There is always the level of the whole query.
        let Some(level) = levels.last_mut() else { break };
        let node = match word {
            Word::Or => {
                if !level.has_term() || level.not {
                    return Err(fail(here, say!("OR needs a term before it"; "OR 前面缺少条件")));
                }
                if let Some(and) = level.after_and.take() {
                    return Err(fail(and, say!("AND needs a term behind it"; "AND 后面缺少条件")));
                }
                level.alternatives.push(Vec::new());
                level.after_or = Some(here);
                at = end;
                continue;
            }
            Word::And => {
                if !level.has_term() || level.not {
                    return Err(fail(here, say!("AND needs a term before it"; "AND 前面缺少条件")));
                }
                level.after_and = Some(here);
                at = end;
                continue;
            }
            Word::Not => {
                if level.not {
                    return Err(fail(here, say!("twice not"; "否定了两次")));
                }
                level.not = true;
                level.not_at = here;
                at = end;
                continue;
            }
            Word::Open => {
                if depth > MOST_DEPTH {
                    return Err(fail(here, say!("nested too deeply"; "括号嵌套太深")));
                }
                levels.push(Level::new(at));
                at = end;
                continue;
            }
            Word::Close => {
                if depth == 1 {
                    return Err(fail(here, say!("there is no parenthesis to close"; "没有与之对应的左括号")));
                }
                let node = levels.pop().map(|level| level.finish(text)).transpose()?;
                node.unwrap_or(Node::And(Vec::new()))
            }
            Word::Field(name, value) => {
                let Some(field) = field(name) else {
                    let what = say!(
                        "unknown term {name}: known are {}", field_names();
                        "没有 {name} 这个条件：可用的有 {}", field_names()
                    );
                    return Err(QueryError::new(text, offset(name)..offset(name) + name.len(), what));
                };
                let read = field.read(value).map_err(|fault| {
                    let at = match fault.at {
                        Some(at) => offset(value) + at.start..offset(value) + at.end,
                        None if value.is_empty() => here.clone(),
                        None => offset(value)..offset(value) + value.len(),
                    };
                    QueryError::new(text, at, fault.what)
                })?;
                match read {
                    Value::Term(term) => query.add(term, &text[here.clone()]),
                    Value::Mirror(_) | Value::Swap(_) | Value::Lines(_) if level.not || depth > 1 => {
                        return Err(fail(
                            here,
                            say!("mirror, swap and lines are about the whole query and stand alone"; "mirror、swap、lines 针对整个查询，须单独写"),
                        ));
                    }
                    Value::Lines(all) => {
                        query.side_lines = all;
                        at = end;
                        continue;
                    }
                    Value::Mirror(yes) => {
                        query.mirror = yes;
                        at = end;
                        continue;
                    }
                    Value::Swap(yes) => {
                        query.swap = yes;
                        at = end;
                        continue;
                    }
                }
            }
            Word::Bare(word) => match Needle::new(word) {
                Some(needle) => query.add(Term::Text(&Role::ANYWHERE, needle), &text[here.clone()]),
                None => return Err(fail(here, say!("nothing to look for"; "没有可查找的文字"))),
            },
        };
        if query.terms.len() > MOST_TERMS {
            return Err(fail(here, say!("too many terms"; "条件太多")));
        }
        if let Some(level) = levels.last_mut() {
            level.push(node);
        }
        at = end;
    }
    if levels.len() > 1 {
        let open = levels.last().map_or(0, |level| level.opened);
        return Err(fail(open..open + 1, say!("this parenthesis is not closed"; "括号没有闭合")));
    }
    if let Some(level) = levels.pop() {
        query.root = if level.is_untouched() { Node::And(Vec::new()) } else { level.finish(text)? };
    }
    Ok(query)
}

impl Query {
    fn add(&mut self, term: Term, text: &str) -> Node {
        self.terms.push(term);
        self.texts.push(text.to_string());
        Node::Term(self.terms.len() - 1)
    }
}

/// What stands inside one pair of parentheses.
struct Level {
    opened: usize,
    alternatives: Vec<Vec<Node>>,
    not: bool,
    not_at: Range<usize>,
    after_or: Option<Range<usize>>,
    /// An AND that waits for its second term.
    after_and: Option<Range<usize>>,
}

impl Level {
    fn new(opened: usize) -> Level {
        Level { opened, alternatives: vec![Vec::new()], not: false, not_at: 0..0, after_or: None, after_and: None }
    }

    fn has_term(&self) -> bool {
        self.alternatives.last().is_some_and(|terms| !terms.is_empty())
    }

    fn is_untouched(&self) -> bool {
        self.alternatives.len() == 1 && !self.has_term() && !self.not
    }

    fn push(&mut self, node: Node) {
        self.after_and = None;
        let node = if std::mem::take(&mut self.not) { Node::Not(Box::new(node)) } else { node };
        if let Some(terms) = self.alternatives.last_mut() {
            terms.push(node);
        }
    }

    fn finish(self, text: &str) -> Result<Node, QueryError> {
        if self.not {
            return Err(QueryError::new(text, self.not_at, say!("nothing stands behind this"; "它后面没有条件")));
        }
        if let Some(and) = self.after_and {
            return Err(QueryError::new(text, and, say!("AND needs a term behind it"; "AND 后面缺少条件")));
        }
        if !self.has_term() {
            return Err(match self.after_or {
                Some(or) => QueryError::new(text, or, say!("OR needs a term behind it"; "OR 后面缺少条件")),
                None => QueryError::new(
                    text,
                    self.opened..self.opened + 1,
                    say!("nothing stands in these parentheses"; "括号里没有条件"),
                ),
            });
        }
        let one = |mut terms: Vec<Node>| match terms.pop() {
            Some(only) if terms.is_empty() => only,
            last => {
                terms.extend(last);
                Node::And(terms)
            }
        };
        let mut alternatives: Vec<Node> = self.alternatives.into_iter().map(one).collect();
        Ok(match alternatives.pop() {
            Some(only) if alternatives.is_empty() => only,
            last => {
                alternatives.extend(last);
                Node::Or(alternatives)
            }
        })
    }
}

const OPEN_QUOTES: [char; 4] = ['"', '“', '「', '”'];

/// The quote that closes one that opens.
const fn closing(open: char) -> char {
    match open {
        '“' | '”' => '”',
        '「' => '」',
        other => other,
    }
}

type Found<'a, T> = IResult<&'a str, T, Error<&'a str>>;

/// Between quotes of one kind.
fn quoted(input: &str) -> Found<'_, &str> {
    let (_, open) = one_of(&OPEN_QUOTES[..]).parse(input)?;
    delimited(char(open), take_till(|c| c == closing(open)), char(closing(open))).parse(input)
}

/// Whether the next word opens a quote that nothing closes.
fn unclosed(input: &str) -> bool {
    let value = name(input).map_or(input, |(rest, _)| rest);
    let value = value.strip_prefix('-').unwrap_or(value);
    value.starts_with(OPEN_QUOTES) && quoted(value).is_err()
}

/// A field name with its colon.
fn name(input: &str) -> Found<'_, &str> {
    terminated(take_while1(|c: char| c.is_alphabetic()), one_of(":：")).parse(input)
}

fn ends_a_word(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | ')' | '（' | '）')
}

fn word(input: &str) -> Found<'_, Word<'_>> {
    // A value may hold parentheses of its own only in quotes.
    let value = alt((quoted, take_till(ends_a_word)));
    let plain = recognize(take_till1(ends_a_word));
    let field_and_value = (name, opt(value));
    let keyword = |text: &str| match text {
        "OR" | "|" => Some(Word::Or),
        "AND" => Some(Word::And),
        "NOT" => Some(Word::Not),
        _ => None,
    };
    if let Some(rest) = input.strip_prefix('-')
        && rest.chars().next().is_some_and(|c| !c.is_whitespace())
    {
        return Ok((rest, Word::Not));
    }
    alt((
        map(one_of("(（"), |_| Word::Open),
        map(one_of(")）"), |_| Word::Close),
        map(field_and_value, |(name, value)| Word::Field(name, value.unwrap_or(""))),
        map(quoted, Word::Bare),
        map(plain, move |text: &str| keyword(text).unwrap_or(Word::Bare(text))),
    ))
    .parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree in a short form: terms by number, `&`, `|`, `!`.
    fn shape(node: &Node) -> String {
        let list = |nodes: &[Node], sign: &str| nodes.iter().map(shape).collect::<Vec<_>>().join(sign);
        match node {
            Node::And(nodes) if nodes.is_empty() => "all".to_string(),
            Node::And(nodes) => format!("({})", list(nodes, "&")),
            Node::Or(nodes) => format!("({})", list(nodes, "|")),
            Node::Not(node) => format!("!{}", shape(node)),
            Node::Term(number) => number.to_string(),
        }
    }

    fn read(text: &str) -> String {
        parse(text).map_or_else(|error| format!("{} at {}", error.what, &text[error.at]), |query| shape(&query.root))
    }

    #[test]
    fn terms_join_as_written() {
        for (text, expected) in [
            ("", "all"),
            ("胡荣华", "0"),
            ("player:胡荣华 date:1978..1985", "(0&1)"),
            ("a b OR c", "((0&1)|2)"),
            ("a (b OR c) -d", "(0&(1|2)&!3)"),
            ("-(a OR b) NOT c", "(!(0|1)&!2)"),
            ("player:\"hu ronghua\" 五羊杯", "(0&1)"),
            ("棋手:胡荣华（红方：吕钦 | 黑方：吕钦）", "(0&(1|2))"),
            ("event:“五羊杯 决赛”", "0"),
            ("pattern:\"R@e4 !p@[a-i]6\" mirror:yes", "0"),
            ("check:", "0"),
            ("a AND b", "(0&1)"),
            ("1-0", "0"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
        let query = parse("fen:startpos mirror:yes swap:yes").unwrap();
        assert!(query.mirror && query.swap && query.terms.len() == 1 && !query.side_lines);
        assert!(parse("fen:startpos lines:all").unwrap().side_lines);
        assert!(!parse("fen:startpos lines:main").unwrap().side_lines);
    }

    #[test]
    fn faults_are_shown_at_their_place() {
        for (text, place) in [
            ("player:胡荣华 dat:1978", "dat"),
            ("player:\"胡荣华", "player:\"胡荣华"),
            ("(a b", "("),
            ("a b)", ")"),
            ("OR a", "OR"),
            ("a OR", "OR"),
            ("a AND", "AND"),
            ("a AND OR b", "AND"),
            ("(a AND) b", "AND"),
            ("a ()", "("),
            ("a NOT", "NOT"),
            ("date:19x8..1985", "19x8"),
            ("date:1998..1999.13", "1999.13"),
            ("plies:100..20", "100..20"),
            ("ecco:B20..X1", "X1"),
            ("pattern:\"R@e4 Z@e5\"", "Z@e5"),
            ("sequence:\"R@e4 ; Z@e5\"", "Z@e5"),
            ("line:\"炮二平五 车一进五\"", "车一进五"),
            ("fen:\"9/9\"", "9/9"),
            ("result:maybe", "maybe"),
            ("player:", "player:"),
            ("-(mirror:yes)", "mirror:yes"),
            ("-(lines:all)", "lines:all"),
        ] {
            let error = parse(text).expect_err(text);
            assert_eq!(&text[error.at.clone()], place, "{text}: {}", error.what);
        }
    }

    #[test]
    fn depth_and_size_are_bounded_and_nothing_panics() {
        assert!(parse(&"(".repeat(1_000_000)).is_err());
        assert!(parse(&format!("{}a{}", "(".repeat(64), ")".repeat(64))).is_ok());
        assert!(parse(&"a ".repeat(100_000)).is_err());
        assert!(parse(&"-".repeat(100_000)).is_err());
        for text in
            ["\"", "“", ":", "：", "player:“", "-", "- a", "a -", "\0", "()", "((", "x:\"", "“”", "fen:", "line:\"炮\""]
        {
            let _ = parse(text);
        }
        assert!(field("镜像").is_some() && field("nothing").is_none());
    }
}
