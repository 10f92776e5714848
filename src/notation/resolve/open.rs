//! What a reader of whole records asks: the quick answer, every reading under every answer, the answers that are left.

use super::group::{absolute_file, target};
use super::letters::{western, western_direction};
use super::points::square;
use super::{Candidates, Finder, Rule, resolve};
use crate::board::{Move, Piece, Position};
use crate::notation::dialect::Dialect;
use crate::notation::token::{Action, Bar, Body, Point, Relative, Token, Which};
use crate::work::{Work, note};

/// The one legal move of the commonest texts, for readers of whole records: a plain Chinese move of a piece that stands
/// alone on its file, coordinates in a settled dialect. `None` says nothing: ask [`resolve`].
#[inline]
fn only(token: &Token, position: &Position, dialect: Dialect) -> Option<Move> {
    let m = match token.body {
        Body::Relative(Relative { kinds, which: Which::Any, file, action: Action::Said(direction), number })
            if file != 0 =>
        {
            let side = position.side_to_move();
            let kind = kinds.single()?;
            let mut equal = position.squares_on_file(Piece::new(side, kind), absolute_file(side, file));
            let from = equal.next()?;
            if equal.next().is_some() {
                return None;
            }
            Move::new(from, target(side, kind, from, direction, number)?)
        }
        Body::Coordinate { letter: 0, from, to, mixed: false }
            if dialect.and(Dialect::RANKS) == Dialect::RANKS_FROM_0 =>
        {
            Move::new(square(from, Dialect::RANKS_FROM_0)?, square(to, Dialect::RANKS_FROM_0)?)
        }
        Body::Letters { letter, place: place @ b'1'..=b'9', operator: b'+' | b'-' | b'.' | b'=', number }
            if dialect.and(Dialect::LETTERS) == Dialect::WESTERN
                && number > 0
                && !dialect.allows(Dialect::FILES_FROM_0) =>
        {
            let Body::Letters { operator, .. } = token.body else { return None };
            let [Some(kind), None] = western(letter, dialect).0 else { return None };
            let side = position.side_to_move();
            let mut equal = position.squares_on_file(Piece::new(side, kind), absolute_file(side, place - b'0'));
            let from = equal.next()?;
            if equal.next().is_some() {
                return None;
            }
            Move::new(from, target(side, kind, from, western_direction(operator), number)?)
        }
        _ => return None,
    };
    position.is_legal(m).then_some(m)
}

/// The move of a text beyond doubt, and what is left of the dialect: `None` if it fits no legal move or several, or if
/// it has no bar, which only the whole record can tell about.
#[inline]
pub(crate) fn decide(token: &Token, position: &Position, dialect: Dialect) -> Option<(Move, Dialect)> {
    if let Some(m) = only(token, position, dialect) {
        return Some((m, dialect));
    }
    if is_open(token, dialect) {
        if let Body::Coordinate { letter: 0, from, to, mixed: false } = token.body {
            return decide_points(from, to, position, dialect);
        }
        let m = readings(token, position, dialect).single()?;
        return Some((m, narrow(token, position, dialect, m)));
    }
    let m = resolve(token, position, dialect).single()?;
    (token.bar() != Some(Bar::Bare)).then_some((m, dialect))
}

/// [`decide`] for coordinates: each way to count ranks gives one move at most.
fn decide_points(from: Point, to: Point, position: &Position, dialect: Dialect) -> Option<(Move, Dialect)> {
    let mut found = None;
    let mut left = dialect.without(Dialect::RANKS);
    for answer in dialect.and(Dialect::RANKS).answers() {
        let (Some(from), Some(to)) = (square(from, answer), square(to, answer)) else { continue };
        let m = Move::new(from, to);
        if !position.is_legal(m) {
            continue;
        }
        if found.is_some_and(|other| other != m) {
            return None;
        }
        found = Some(m);
        left = left.or(answer);
    }
    Some((found?, left))
}

/// Whether a question that the token touches still has several answers.
#[inline]
pub(crate) fn is_open(token: &Token, dialect: Dialect) -> bool {
    touched(token, dialect).any(|question| dialect.and(question).len() > 1)
}

/// The answers of `dialect` under which the token may stand for `m`; questions it does not touch stay as they are.
/// Unlike [`resolve`] this asks every answer on its own.
pub(crate) fn narrow(token: &Token, position: &Position, dialect: Dialect, m: Move) -> Dialect {
    let mut narrowed = dialect;
    for question in touched(token, dialect) {
        let open = dialect.and(question);
        if open.len() < 2 {
            continue;
        }
        for answer in open.answers() {
            if !readings(token, position, dialect.settled(answer)).contains(&m) {
                narrowed = narrowed.without(answer);
            }
        }
        if !narrowed.allows(question) {
            narrowed = narrowed.or(open);
        }
    }
    narrowed
}

/// Every legal move under any answer still in `dialect`, each answer asked on its own, rare ones included.
pub(crate) fn readings(token: &Token, position: &Position, dialect: Dialect) -> Candidates {
    note(Work::Resolved, 1);
    let mut finder = Finder { position, side: position.side_to_move(), rule: Rule::Legal, found: Candidates::new() };
    let mut open = touched(token, dialect).filter(|&question| dialect.and(question).len() > 1);
    match (open.next(), open.next()) {
        (None, _) => finder.all(token, dialect),
        (Some(first), None) => {
            for answer in dialect.and(first).answers() {
                finder.all(token, dialect.settled(answer));
            }
        }
        (Some(first), Some(second)) => {
            for answer in dialect.and(first).answers() {
                for other in dialect.and(second).answers() {
                    finder.all(token, dialect.settled(answer).settled(other));
                }
            }
        }
    }
    finder.found.finish();
    finder.found
}

/// What a token means under each single answer of the questions it touches, where that is any legal move: for telling a
/// user what else a text might have been.
pub fn rare_readings(token: &Token, position: &Position, dialect: Dialect) -> Vec<(Dialect, Candidates)> {
    touched(token, dialect)
        .flat_map(|question| dialect.and(question).answers())
        .map(|answer| (answer, resolve(token, position, dialect.settled(answer))))
        .filter(|(_, candidates)| !candidates.is_empty())
        .collect()
}

/// The questions whose answer changes what the token means.
fn touched(token: &Token, dialect: Dialect) -> impl Iterator<Item = Dialect> {
    let (first, second) = match token.body {
        Body::Relative(claim) => match claim.action {
            Action::BarBelow | Action::BarAbove => (Some(Dialect::BARS), None),
            Action::Bare => (Some(Dialect::BARE), None),
            _ => (None, None),
        },
        Body::Letters { .. } if dialect.allows(Dialect::FILES_FROM_0) => (None, None),
        Body::Letters { letter: b'G', .. } => (Some(Dialect::LETTERS), Some(Dialect::G)),
        Body::Letters { .. } => (Some(Dialect::LETTERS), None),
        Body::Numbered { .. } => (Some(Dialect::PAWNS), None),
        Body::Coordinate { letter, .. } | Body::Algebraic { letter, .. } => {
            (Some(Dialect::RANKS), (letter == b'G').then_some(Dialect::G))
        }
        Body::Digits(_) => (Some(Dialect::DIGITS), None),
        Body::Named { letter, .. } => ((letter == b'G').then_some(Dialect::G), None),
        Body::Squares(_) | Body::Grid { .. } => (None, None),
    };
    first.into_iter().chain(second)
}
