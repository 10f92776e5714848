//! Patterns of one side's moves: reading them, and move tokens.

use crate::board::{Color, Kind, Move, Position};
use nom::branch::alt;
use nom::bytes::complete::take_while1;
use nom::character::complete::{char, multispace0, multispace1, one_of};
use nom::combinator::{all_consuming, map, map_opt};
use nom::error::Error;
use nom::multi::separated_list1;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use std::collections::HashMap;

/// A move as a side writes it, `C2.5`: kind, file, direction, number. Fits eleven bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct WxfMove(u16);

/// How far tokens reach; tables over tokens have this size.
pub(super) const TOKENS: usize = 1 << 11;

const SIDEWAYS: u16 = 0;
const FORWARD: u16 = 1;
const BACK: u16 = 2;

impl WxfMove {
    fn new(kind: Kind, file: u16, direction: u16, number: u16) -> WxfMove {
        // 3 bits of kind, 4 of file, and (direction, number) as one of 27 values in 5 bits would do; the number of a
        // sideways move is a file, so 2 + 4 bits are simpler. File and kind share 8 values each: 7 * 9 = 63 < 64.
        let piece = kind.index() as u16 * 9 + (file - 1);
        WxfMove(piece << 5 | (direction * 9 + (number - 1)))
    }

    /// The token of a move; `None` where it takes a tandem form (front or rear piece of two on a file) or makes no sense.
    /// With `mirror`, of the mirror image.
    pub fn of(position: &Position, m: Move, mirror: bool) -> Option<WxfMove> {
        let piece = position.piece_at(m.from())?;
        let (color, kind) = (piece.color(), piece.kind());
        let tandem = !matches!(kind, Kind::Advisor | Kind::Elephant);
        if tandem && position.squares_on_file(piece, m.from().file()).count() > 1 {
            return None;
        }
        let m = if mirror { m.mirror() } else { m };
        let (from, to) = (u16::from(m.from().file_for(color)), u16::from(m.to().file_for(color)));
        let (rank, target) = (m.from().rank_for(color), m.to().rank_for(color));
        let direction = match target.cmp(&rank) {
            std::cmp::Ordering::Equal => SIDEWAYS,
            std::cmp::Ordering::Greater => FORWARD,
            std::cmp::Ordering::Less => BACK,
        };
        let slanting = matches!(kind, Kind::Advisor | Kind::Elephant | Kind::Horse);
        let number = if direction == SIDEWAYS || slanting { to } else { u16::from(target.abs_diff(rank)) };
        (number > 0).then(|| WxfMove::new(kind, from, direction, number))
    }

    /// Place in a table of [`TOKENS`] entries.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// A move in the middle game of this side that the token may stand for, if the piece stands alone on its file.
    pub fn find(self, position: &Position) -> Option<Move> {
        position.legal_moves().iter().copied().find(|&m| WxfMove::of(position, m, false) == Some(self))
    }
}

/// Whether Red's first move begins right of the middle (seen from Red: on a file above 5), so that the game is compared
/// as its mirror image.
pub(super) fn mirrored_first_move(m: Move) -> bool {
    m.from().file_for(Color::Red) > 5
}

/// One step of a way to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// One of these moves.
    One(Vec<WxfMove>),
    /// Any number of these moves.
    Any(Vec<WxfMove>),
    /// All of `all` in any order; before each any number of `between`.
    All { all: Vec<WxfMove>, between: Vec<WxfMove> },
}

/// One way to play.
pub(super) type Way = Vec<Step>;

/// Moves that [`Step::All`] can hold: one bit each.
const MOST: usize = 16;
/// Ways that one column may stand for.
const MOST_WAYS: usize = 64;

/// Reads a column: every way to play it. Texts defined by `$name = …` are in `defined`.
pub(super) fn read_ways(text: &str, defined: &HashMap<String, Vec<Way>>) -> Result<Vec<Way>, String> {
    let mut ways = Vec::new();
    for part in text.split("//") {
        let items = all_consuming(delimited(multispace0, separated_list1(multispace1, item), multispace0)).parse(part);
        let (_, items) = items.map_err(|error| match error {
            nom::Err::Error(error) | nom::Err::Failure(error) => {
                format!("cannot read {:?}", error.input.split_whitespace().next().unwrap_or("the end"))
            }
            nom::Err::Incomplete(_) => "cannot read the end".to_string(),
        })?;
        let mut here: Vec<Way> = vec![Vec::new()];
        for item in items {
            match item {
                Item::Step(step) => here.iter_mut().for_each(|way| way.push(step.clone())),
                Item::Name(name) => {
                    let meant = defined.get(name).ok_or_else(|| format!("${name} is not defined"))?;
                    here = here
                        .iter()
                        .flat_map(|way| meant.iter().map(move |more| way.iter().chain(more).cloned().collect()))
                        .collect();
                }
            }
            if here.len() > MOST_WAYS {
                return Err("too many ways in one line".to_string());
            }
        }
        ways.append(&mut here);
    }
    if ways.len() > MOST_WAYS { Err("too many ways in one line".to_string()) } else { Ok(ways) }
}

enum Item<'a> {
    Step(Step),
    Name(&'a str),
}

type Found<'a, T> = IResult<&'a str, T, Error<&'a str>>;

fn wxf(input: &str) -> Found<'_, WxfMove> {
    let digit = || map_opt(one_of("123456789"), |c| c.to_digit(10).map(|n| n as u16));
    let kind = map_opt(one_of("KABNRCP"), Kind::from_letter);
    let direction = map(one_of(".+-"), |c| match c {
        '.' => SIDEWAYS,
        '+' => FORWARD,
        _ => BACK,
    });
    map((kind, digit(), direction, digit()), |(kind, file, direction, number)| {
        WxfMove::new(kind, file, direction, number)
    })
    .parse(input)
}

fn list(input: &str) -> Found<'_, Vec<WxfMove>> {
    delimited(multispace0, separated_list1(multispace1, wxf), multispace0).parse(input)
}

fn few(input: &str) -> Found<'_, Vec<WxfMove>> {
    map_opt(list, |moves| (moves.len() <= MOST).then_some(moves)).parse(input)
}

fn item(input: &str) -> Found<'_, Item<'_>> {
    let braces = || delimited(char('{'), list, char('}'));
    alt((
        map(preceded(char('$'), take_while1(|c: char| c.is_ascii_alphanumeric())), Item::Name),
        map(braces(), |moves| Item::Step(Step::Any(moves))),
        map(delimited(char('<'), few, char('>')), |all| Item::Step(Step::All { all, between: Vec::new() })),
        map((preceded(char('&'), braces()), delimited(char('('), few, char(')'))), |(between, all)| {
            Item::Step(Step::All { all, between })
        }),
        map(separated_list1(char('|'), wxf), |moves| Item::Step(Step::One(moves))),
    ))
    .parse(input)
}

/// Only for tests and the table: reads moves such as `C2.5 N8+7`.
#[cfg(test)]
pub(super) fn read_moves(text: &str) -> Vec<WxfMove> {
    nom::multi::many1(delimited(multispace0, wxf, multispace0)).parse(text).map(|(_, moves)| moves).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_one_to_one_and_follow_the_mirror() {
        let mut seen = std::collections::HashSet::new();
        let position = Position::start();
        for &m in position.legal_moves().iter() {
            let token = WxfMove::of(&position, m, false).unwrap();
            assert!(seen.insert(token) && token.index() < TOKENS);
            assert_eq!(token.find(&position), Some(m));
            assert_eq!(WxfMove::of(&position, m.mirror(), true), Some(token));
        }
        assert_eq!(read_moves("C2.5"), [WxfMove::of(&position, "h2e2".parse().unwrap(), false).unwrap()]);
        assert_eq!(read_moves("N8+7"), [WxfMove::of(&position, "b0c2".parse().unwrap(), false).unwrap()]);
    }

    #[test]
    fn columns_are_read_and_faults_are_named() {
        let none = HashMap::new();
        let ways = read_ways("C2.5 {N2+3 R1.2} P7+1|P3+1 // <C2.5 N2+3> &{R1.2}(P7+1 C8.7)", &none).unwrap();
        assert_eq!((ways.len(), ways[0].len(), ways[1].len()), (2, 3, 2));
        let defined = HashMap::from([("two".to_string(), read_ways("C2.5 // C8.5", &none).unwrap())]);
        assert_eq!(read_ways("$two N2+3", &defined).unwrap().len(), 2);
        for (text, fault) in [("C2.5 Q1+1", "Q1+1"), ("$three", "$three"), ("C2.0", "C2.0"), ("{C2.5", "{C2.5")] {
            let said = read_ways(text, &none).unwrap_err();
            assert!(said.contains(fault) || said.contains("cannot read"), "{text}: {said}");
        }
    }
}
