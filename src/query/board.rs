//! Patterns on the board, and material.

use super::value::Fault;
use crate::board::{Color, Kind, Piece, Square};
use crate::diag::Message;
use crate::say;
use nom::branch::alt;
use nom::bytes::complete::take_while1;
use nom::character::complete::{char, multispace0, multispace1, none_of, one_of, satisfy};
use nom::combinator::{map, map_opt, opt, value};
use nom::error::Error;
use nom::multi::{many1, separated_list1};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

/// What a constraint is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// One piece.
    Piece(Piece),
    /// A piece of one side (`X` Red, `x` Black).
    Of(Color),
    /// Any piece (`?`).
    Any,
    /// No piece (`.`).
    Empty,
}

/// How many of something stand on some squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// What is counted.
    pub thing: Thing,
    /// Where, as bits by [`Square::index`].
    pub squares: u128,
    /// At least so many.
    pub least: u8,
    /// At most so many.
    pub most: u8,
}

/// Constraints that hold all at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(pub Vec<Constraint>);

fn map_squares(squares: u128, image: impl Fn(Square) -> Square) -> u128 {
    Square::all().filter(|s| squares >> s.index() & 1 == 1).fold(0, |set, s| set | 1 << image(s).index())
}

impl Pattern {
    /// The left-right mirror image.
    #[must_use]
    pub fn mirrored(&self) -> Pattern {
        Pattern(self.0.iter().map(|c| Constraint { squares: map_squares(c.squares, Square::mirror), ..*c }).collect())
    }

    /// With colours swapped and the board turned.
    #[must_use]
    pub fn swapped(&self) -> Pattern {
        let thing = |thing| match thing {
            Thing::Piece(piece) => Thing::Piece(piece.swap_color()),
            Thing::Of(color) => Thing::Of(!color),
            other => other,
        };
        let turn =
            |c: &Constraint| Constraint { thing: thing(c.thing), squares: map_squares(c.squares, Square::turn), ..*c };
        Pattern(self.0.iter().map(turn).collect())
    }

    /// Reads the board of a FEN with `?` for squares that do not matter: `4k4/9/9/????p????/…`.
    pub(super) fn of_board(text: &str) -> Result<Pattern, Fault> {
        let board = text.trim();
        if let Some(at) = board.find(char::is_whitespace) {
            return Err(Fault::at(
                at..board.len(),
                say!("a board with ? says nothing of the side to move: leave it out"; "带 ? 的局面不说轮到谁走：请去掉后面部分"),
            ));
        }
        let mut sets: Vec<(Thing, u128)> = Vec::new();
        let mut empty = 0u128;
        let (mut rank, mut file) = (9i8, 0i8);
        for (at, c) in board.char_indices() {
            let here = at..at + c.len_utf8();
            let fault = |what: Message| Err(Fault::at(here.clone(), what));
            if c == '/' {
                if file != 9 {
                    return fault(say!("a rank has nine squares"; "一行有九格"));
                }
                (rank, file) = (rank - 1, 0);
                continue;
            }
            let count = c.to_digit(10).filter(|n| *n > 0).unwrap_or(1);
            for _ in 0..count {
                let Some(square) = Square::at(file, rank) else {
                    return fault(say!("more squares than a board has"; "格数超出棋盘"));
                };
                file += 1;
                match (c, Piece::from_letter(c)) {
                    ('?', _) => {}
                    ('1'..='9', _) => empty |= 1 << square.index(),
                    (_, Some(piece)) => {
                        let thing = Thing::Piece(piece);
                        match sets.iter_mut().find(|(known, _)| *known == thing) {
                            Some((_, squares)) => *squares |= 1 << square.index(),
                            None => sets.push((thing, 1 << square.index())),
                        }
                    }
                    _ => {
                        return fault(
                            say!("neither a piece, a number of empty squares, nor ?"; "不是棋子、空格数，也不是 ?"),
                        );
                    }
                }
            }
        }
        if (rank, file) != (0, 9) {
            return Err(Fault::whole(say!("a board has ten ranks of nine squares"; "棋盘有十行，每行九格")));
        }
        let all = |(thing, squares): (Thing, u128)| {
            let count = squares.count_ones() as u8;
            Constraint { thing, squares, least: count, most: u8::MAX }
        };
        let mut constraints: Vec<Constraint> = sets.into_iter().map(all).collect();
        if empty != 0 {
            constraints.push(Constraint { thing: Thing::Any, squares: empty, least: 0, most: 0 });
        }
        Ok(Pattern(constraints))
    }

    /// Reads `R@e4 !p@[a-i]5-6`: constraints `[!]PIECE@[{n}|{n,}|{n,m}]SQUARES`, all of which must hold.
    ///
    /// Pieces are FEN letters (capitals Red), `X`/`x` any piece of Red/Black, `?` any piece, `.` none. Squares are `e4`,
    /// `[c4 e4 g4]`, files and ranks `[a-i]5-9`, `[ace]4`, `e5-9`, `*` for the whole board. Without a count it means at
    /// least one; `!` means none.
    pub(super) fn read(text: &str) -> Result<Pattern, Fault> {
        let mut list = delimited(multispace0, separated_list1(multispace1, constraint), multispace0);
        match list.parse(text) {
            Ok(("", constraints)) => Ok(Pattern(constraints)),
            Ok((rest, _))
            | Err(nom::Err::Error(Error { input: rest, .. }) | nom::Err::Failure(Error { input: rest, .. })) => {
                // Point at the constraint, not into it.
                let at = text.len() - rest.len();
                let start = text[..at].rfind(char::is_whitespace).map_or(0, |blank| blank + 1);
                let end = text[at..].find(char::is_whitespace).map_or(text.len(), |blank| at + blank);
                Err(Fault::at(
                    start..end,
                    say!("not a constraint such as R@e4, !p@[a-i]6, n@[c4 e4 g4] or P@{{2,}}[a-i]5-9"; "不是 R@e4、!p@[a-i]6、n@[c4 e4 g4] 或 P@{{2,}}[a-i]5-9 这样的条件"),
                ))
            }
            Err(nom::Err::Incomplete(_)) => Err(Fault::whole(say!("the pattern ends too early"; "条件没有写完"))),
        }
    }
}

type Found<'a, T> = IResult<&'a str, T, Error<&'a str>>;

fn constraint(input: &str) -> Found<'_, Constraint> {
    let thing = alt((
        value(Thing::Any, char('?')),
        value(Thing::Empty, char('.')),
        value(Thing::Of(Color::Red), char('X')),
        value(Thing::Of(Color::Black), char('x')),
        map(map_opt(satisfy(|c| c.is_ascii_alphabetic()), Piece::from_letter), Thing::Piece),
    ));
    let (rest, (not, thing, _, count, squares)) =
        (opt(char('!')), thing, char('@'), opt(delimited(char('{'), count, char('}'))), squares).parse(input)?;
    let (least, most) = match (not, count) {
        (Some(_), None) => (0, 0),
        // Not so many: only where that is one span of counts again.
        (Some(_), Some((least, u8::MAX))) if least > 0 => (0, least - 1),
        (Some(_), Some((0, most))) if most < u8::MAX => (most + 1, u8::MAX),
        (Some(_), Some(_)) => return Err(nom::Err::Error(Error::new(input, nom::error::ErrorKind::Verify))),
        (None, None) => (1, u8::MAX),
        (None, Some(count)) => count,
    };
    if squares == 0 || least > most {
        return Err(nom::Err::Error(Error::new(input, nom::error::ErrorKind::Verify)));
    }
    Ok((rest, Constraint { thing, squares, least, most }))
}

/// `2`, `2,`, `,3`, `1,3`.
fn count(input: &str) -> Found<'_, (u8, u8)> {
    let number = || map_opt(take_while1(|c: char| c.is_ascii_digit()), |text: &str| text.parse::<u8>().ok());
    alt((
        map((opt(number()), char(','), opt(number())), |(least, _, most)| {
            (least.unwrap_or(0), most.unwrap_or(u8::MAX))
        }),
        map(number(), |n| (n, n)),
    ))
    .parse(input)
}

/// A set of squares as bits.
fn squares(input: &str) -> Found<'_, u128> {
    alt((value((1 << 90) - 1, char('*')), map(delimited(char('['), list, char(']')), |bits| bits), area)).parse(input)
}

/// `c4 e4 g4` inside brackets.
fn list(input: &str) -> Found<'_, u128> {
    let items = separated_list1(multispace1, area);
    map(delimited(multispace0, items, multispace0), |areas| areas.into_iter().fold(0, |all, area| all | area))
        .parse(input)
}

/// Files, then ranks: `e4`, `e5-9`, `[a-i]5-9`, `[a-c g-i]3`.
fn area(input: &str) -> Found<'_, u128> {
    let file = || map(satisfy(|c| ('a'..='i').contains(&c)), |c| c as u8 - b'a');
    let span = |(first, last): (u8, Option<u8>)| (first, last.unwrap_or(first));
    let files = || map((file(), opt(preceded(char('-'), file()))), span);
    let some_files = delimited(
        (char('['), multispace0),
        map(many1(delimited(multispace0, files(), multispace0)), |spans| {
            spans.into_iter().fold(0u16, |set, (first, last)| (first..=last).fold(set, |set, file| set | 1 << file))
        }),
        char(']'),
    );
    let one_file = map(file(), |file| 1u16 << file);
    let rank = || map_opt(one_of("0123456789"), |c| c.to_digit(10).map(|n| n as u8));
    let ranks = map((rank(), opt(preceded(char('-'), rank()))), span);
    let (rest, (files, (first, last))) = (alt((some_files, one_file)), ranks).parse(input)?;
    let mut bits = 0;
    for square in Square::all() {
        if files >> square.file() & 1 == 1 && (first..=last).contains(&square.rank()) {
            bits |= 1 << square.index();
        }
    }
    Ok((rest, bits))
}

/// Strong pieces (rooks, horses, cannons) and pawns of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Material {
    /// By side, then rook, horse, cannon, pawn.
    pub counts: [[u8; 4]; 2],
}

impl Material {
    /// The kinds that are counted.
    pub const KINDS: [Kind; 4] = [Kind::Rook, Kind::Horse, Kind::Cannon, Kind::Pawn];

    /// With colours swapped.
    #[must_use]
    pub fn swapped(self) -> Material {
        Material { counts: [self.counts[1], self.counts[0]] }
    }

    /// Reads `RNvRC`: Red's, `v` (or `:`), Black's. Either side may be empty.
    pub(super) fn read(text: &str) -> Result<Material, Fault> {
        let mut counts = [[0u8; 4]; 2];
        let mut side = 0;
        for (at, c) in text.char_indices() {
            let here = at..at + c.len_utf8();
            if matches!(c, 'v' | 'V' | ':' | '：') {
                if side == 1 {
                    return Err(Fault::at(
                        here,
                        say!("only one v between Red's pieces and Black's"; "红方与黑方子力之间只写一个 v"),
                    ));
                }
                side = 1;
                continue;
            }
            let kind = Kind::from_letter(c).and_then(|kind| Material::KINDS.iter().position(|k| *k == kind));
            let slot = kind.ok_or_else(|| {
                Fault::at(
                    here.clone(),
                    say!("material counts R, N, C and P; others are free"; "子力只计 R、N、C、P，其余不限"),
                )
            })?;
            counts[side][slot] += 1;
            if usize::from(counts[side][slot]) > Material::KINDS[slot].most() {
                return Err(Fault::at(here, say!("more of these than a side has"; "一方没有这么多这种子")));
            }
        }
        if side == 0 {
            return Err(Fault::whole(
                say!("write Red's pieces, v, Black's pieces: RNvRC"; "先写红方子力，再写 v，再写黑方子力：RNvRC"),
            ));
        }
        Ok(Material { counts })
    }
}

/// Splits a sequence at its semicolons, with the place of each part.
pub(super) fn parts(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let mut start = 0;
    let piece = |input| many1(none_of::<_, _, Error<&str>>(";；")).parse(input).map_or(input, |(rest, _)| rest);
    while start <= text.len() {
        let rest = piece(&text[start..]);
        let end = text.len() - rest.len();
        parts.push((start, &text[start..end]));
        start = end + rest.chars().next().map_or(1, char::len_utf8);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Constraint {
        let pattern = Pattern::read(text).unwrap();
        assert_eq!(pattern.0.len(), 1, "{text}");
        pattern.0[0]
    }

    fn names(squares: u128) -> String {
        let names: Vec<String> =
            Square::all().filter(|s| squares >> s.index() & 1 == 1).map(|s| s.to_string()).collect();
        names.join(" ")
    }

    #[test]
    fn every_form_of_a_constraint_is_read() {
        assert_eq!(names(one("R@e4").squares), "e4");
        assert_eq!(names(one("p@[a-c]6").squares), "a6 b6 c6");
        assert_eq!(names(one("n@[c4 e4 g4]").squares), "c4 e4 g4");
        assert_eq!(names(one("n@[c4 e5-6]").squares), "c4 e5 e6");
        assert_eq!(names(one("X@[ace]0-1").squares), "a0 c0 e0 a1 c1 e1");
        assert_eq!(one("?@*").squares.count_ones(), 90);
        let counts = |text| {
            let constraint = one(text);
            (constraint.least, constraint.most)
        };
        assert_eq!(counts("P@[a-i]5-9"), (1, u8::MAX));
        assert_eq!(counts("!P@[a-i]5-9"), (0, 0));
        assert_eq!(counts("P@{2,}[a-i]5-9"), (2, u8::MAX));
        assert_eq!(counts("P@{2}[a-i]5-9"), (2, 2));
        assert_eq!(counts("P@{1,3}[a-i]5-9"), (1, 3));
        assert_eq!(counts("!P@{2,}[a-i]5-9"), (0, 1));
        assert_eq!(one(".@e5").thing, Thing::Empty);
        assert_eq!(one("h@e5").thing, Thing::Piece(Piece::new(Color::Black, Kind::Horse)));
        assert_eq!(Pattern::read("R@e4  !p@[a-i]6 ").unwrap().0.len(), 2);
    }

    #[test]
    fn what_is_no_constraint_is_shown() {
        for (text, shown) in
            [("R@e4 Q@e5", "Q@e5"), ("R@j4", "R@j4"), ("R@e4 R", "R"), ("R@e4,c4", "R@e4,c4"), ("", "")]
        {
            let fault = Pattern::read(text).unwrap_err();
            assert_eq!(fault.at.map_or("", |at| &text[at]), shown, "{text}");
        }
    }

    #[test]
    fn boards_with_squares_that_do_not_matter_are_patterns() {
        let board = "?????????/9/9/?????????/?????????/?????????/P???P????/?????????/9/R?????K??";
        let pattern = Pattern::of_board(board).unwrap();
        let of = |letter: char| {
            let thing = Thing::Piece(Piece::from_letter(letter).unwrap());
            let constraint = pattern.0.iter().find(|constraint| constraint.thing == thing).unwrap();
            (names(constraint.squares), constraint.least)
        };
        assert_eq!(of('P'), ("a3 e3".to_string(), 2));
        assert_eq!((of('R').0, of('K').0), ("a0".to_string(), "g0".to_string()));
        let empty = pattern.0.last().unwrap();
        assert_eq!((empty.thing, empty.most, empty.squares.count_ones()), (Thing::Any, 0, 27));
        for (text, shown) in [("9/9/x", "x"), ("???/9", "/"), ("?????????? w", "w"), ("9/9", "")] {
            let fault = Pattern::of_board(text).unwrap_err();
            assert_eq!(fault.at.map_or("", |at| &text[at]).trim(), shown, "{text}: {}", fault.what);
        }
    }

    #[test]
    fn images_are_their_own_inverse() {
        let pattern = Pattern::read("R@a4 !p@[a-b]6 X@c0 .@i9").unwrap();
        assert_eq!(names(pattern.mirrored().0[0].squares), "i4");
        assert_eq!(names(pattern.swapped().0[0].squares), "i5");
        assert_eq!(pattern.mirrored().mirrored(), pattern);
        assert_eq!(pattern.swapped().swapped(), pattern);
    }

    #[test]
    fn material_counts_what_is_strong() {
        assert_eq!(Material::read("RNvRC").unwrap().counts, [[1, 1, 0, 0], [1, 0, 1, 0]]);
        assert_eq!(Material::read("Pv").unwrap().counts, [[0, 0, 0, 1], [0; 4]]);
        for text in ["RN", "RNAvR", "RRRv", "RvRvR", "Rv炮"] {
            assert!(Material::read(text).is_err(), "{text}");
        }
        assert_eq!(parts("a@b ; c；").iter().map(|part| part.1).collect::<Vec<_>>(), ["a@b ", " c", ""]);
    }
}
