//! Why a text fits no legal move, and which legal moves are nearest to it.
//!
//! Comes in: a token that resolves to nothing, and the position. Goes out: one reason, the nearest: a piece that is not
//! there before a way it never goes, a way before what blocks it, a block before an attacked general; and the legal moves
//! that differ from the text in one character.

use super::dialect::Dialect;
use super::resolve::{Finder, Rule, absolute_file, has_zero, number_from_zero, resolve_by, western, western_direction};
use super::token::{Action, Body, Direction, Kinds, Place, Relative, Token, Which};
use crate::board::{Color, Illegal, Kind, Move, Piece, Position, Square};

/// The nearest reason why a text fits no legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// The side to move has no such piece at all.
    #[error("{0} has no {name} on the board", name = .1.name())]
    NoSuchPiece(Color, Kind),
    /// It has such pieces, but none on the file named.
    #[error("{side} has no {name} on file {file}, only on {}", list(.found), name = .kind.name())]
    NotOnFile {
        /// Whose piece is meant.
        side: Color,
        /// Which kind.
        kind: Kind,
        /// The file named, from the mover's right.
        file: u8,
        /// The files on which such pieces stand.
        found: Vec<u8>,
    },
    /// A word such as 前 tells two pieces of a file apart, but no two stand on one.
    #[error("no file holds several {side} {name}s, so none is the front, middle or rear one", name = .kind.name())]
    NoneDoubled {
        /// Whose pieces are meant.
        side: Color,
        /// Which kind.
        kind: Kind,
    },
    /// Fewer of them stand on one file than the text counts.
    #[error("no file holds more than {most} {side} {name}s, so the one counted is not there", name = .kind.name())]
    NotSoMany {
        /// Whose pieces are meant.
        side: Color,
        /// Which kind.
        kind: Kind,
        /// The most on one file.
        most: u8,
    },
    /// This kind never goes that way.
    #[error("{} never goes {way}", with_article(*.kind), way = .way)]
    NeverGoes {
        /// Which kind.
        kind: Kind,
        /// `forward`, `back`, `sideways`.
        way: &'static str,
    },
    /// The text points off the board, or a horse, elephant or advisor cannot reach the file named.
    #[error("{}", out_of_reach(*.kind, *.number, *.steps))]
    OutOfReach {
        /// Which kind.
        kind: Kind,
        /// The last number of the text.
        number: u8,
        /// The number counts points, else it names a file.
        steps: bool,
    },
    /// A pawn goes sideways only beyond the river.
    #[error("{0}: a pawn goes sideways only after it has crossed the river")]
    NotCrossed(Move),
    /// A pawn or king goes one point at a time.
    #[error("{0}: {piece} goes one point at a time", piece = with_article(*.1))]
    OnePoint(Move, Kind),
    /// A king or advisor stays in the palace.
    #[error("{0}: {piece} never leaves the palace", piece = with_article(*.1))]
    LeavesPalace(Move, Kind),
    /// An elephant stays on its own side.
    #[error("{0}: an elephant never crosses the river")]
    CrossesRiver(Move),
    /// The text names a move that may not be played.
    #[error("{0}: {1}")]
    Illegal(Move, Illegal),
    /// The text fits a move of the other side.
    #[error("it is {0}'s turn; the text fits a move of the other side")]
    OtherSide(Color),
    /// A 0 where files and steps are counted from 1.
    #[error("files and steps are counted from 1; `--dialect files0` reads files from 0")]
    Zero,
    /// Nothing more can be said.
    #[error("it fits no piece on the board")]
    Nothing,
}

fn with_article(kind: Kind) -> String {
    let article = if matches!(kind, Kind::Advisor | Kind::Elephant) { "an" } else { "a" };
    format!("{article} {}", kind.name())
}

fn out_of_reach(kind: Kind, number: u8, steps: bool) -> String {
    if steps {
        let (piece, plural) = (with_article(kind), if number == 1 { "" } else { "s" });
        format!("{piece} that goes {number} point{plural} that way leaves the board")
    } else {
        let name = kind.name();
        format!("no {name} meant here reaches file {number} that way")
    }
}

fn list(files: &[u8]) -> String {
    let mut names: Vec<String> = files.iter().map(u8::to_string).collect();
    match names.pop() {
        Some(last) if !names.is_empty() => format!("{} and {last}", names.join(", ")),
        last => last.unwrap_or_default(),
    }
}

/// What can be said about a text that fits nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The nearest reason.
    pub reason: Misfit,
    /// The legal moves that differ from the text in one character, in order.
    pub nearest: Vec<Move>,
    /// The legal moves of the pieces the text may mean, where it says which kind; for a text that has no near one.
    pub of_piece: Vec<Move>,
    /// What the text would be if files were counted from the mover's left.
    pub other_hand: Option<Move>,
}

/// Explains why a token fits no legal move of the position.
///
/// ```
/// # use yipu::{board::Position, notation::{read_move, explain, Dialect}};
/// let (token, _) = read_move("车一平三").unwrap();
/// let explanation = explain(&token, &Position::start(), Dialect::OPEN);
/// assert_eq!(explanation.reason.to_string(), "i0g0: own Red elephant stands on g0");
/// ```
pub fn explain(token: &Token, position: &Position, dialect: Dialect) -> Explanation {
    Explanation {
        reason: reason(token, position, dialect),
        nearest: nearest(token, position, dialect),
        of_piece: of_piece(token, position, dialect),
        other_hand: other_hand(token, position, dialect),
    }
}

fn reason(token: &Token, position: &Position, dialect: Dialect) -> Misfit {
    if let Body::Letters { place, number, .. } = token.body
        && has_zero(place, number)
        && !dialect.allows(Dialect::FILES_FROM_0)
    {
        return Misfit::Zero;
    }
    let claims = claims(token, dialect);
    // A named move that is illegal says most; among several, the one that fails latest.
    let pointed = resolve_by(token, position, dialect, Rule::Pointed);
    let worst = pointed
        .iter()
        .filter_map(|&m| position.prove(m).err().map(|illegal| (nearness(&illegal), m, illegal)))
        .min_by_key(|(nearness, m, _)| (*nearness, *m));
    if let Some((nearness, m, illegal)) = worst
        && (nearness < FOREIGN || claims.is_empty())
    {
        return if nearness >= FOREIGN && fits_other_side(token, position, dialect) {
            Misfit::OtherSide(position.side_to_move())
        } else {
            misstep(m, &illegal, position)
        };
    }
    let side = position.side_to_move();
    let mut misfit = claims.iter().map(|claim| misfit(claim, side, position)).min_by_key(|(order, _)| *order);
    if misfit.as_ref().is_none_or(|(order, _)| *order > 1) && fits_other_side(token, position, dialect) {
        misfit = Some((0, Misfit::OtherSide(side)));
    }
    misfit.map_or(Misfit::Nothing, |(_, misfit)| misfit)
}

/// The legal moves of the pieces of the kind and, if any stands there, on the file the text names.
fn of_piece(token: &Token, position: &Position, dialect: Dialect) -> Vec<Move> {
    let side = position.side_to_move();
    let claims = claims(token, dialect);
    let legal = position.legal_moves();
    let of = |claim: &Relative, m: &Move, on_file: bool| {
        position.piece_at(m.from()).is_some_and(|piece| claim.kinds.single() == Some(piece.kind()))
            && (!on_file || claim.file == 0 || claim.file == m.from().file_for(side))
    };
    for on_file in [true, false] {
        let found: Vec<Move> =
            legal.iter().copied().filter(|m| claims.iter().any(|claim| of(claim, m, on_file))).collect();
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// The one legal move of the text with its files counted from the other hand.
fn other_hand(token: &Token, position: &Position, dialect: Dialect) -> Option<Move> {
    let [claim] = claims(token, dialect)[..] else { return None };
    let kind = claim.kinds.single()?;
    let Action::Said(direction) = claim.action else { return None };
    let is_file = direction == Direction::Traverse || matches!(kind, Kind::Horse | Kind::Elephant | Kind::Advisor);
    let turned = Relative {
        file: if claim.file == 0 { 0 } else { 10 - claim.file },
        number: if is_file { 10 - claim.number } else { claim.number },
        ..claim
    };
    let token = Token::new(Body::Relative(turned), token.hints);
    resolve_by(&token, position, dialect, Rule::Legal).single().filter(|_| turned != claim)
}

const FOREIGN: u8 = 5;

/// Order of the reasons of [`Position::prove`]: the latest obstacle first.
fn nearness(illegal: &Illegal) -> u8 {
    match illegal {
        Illegal::Attacked(..) | Illegal::FacingGenerals => 0,
        Illegal::Blocked(..) | Illegal::Screens(_) => 1,
        Illegal::OwnPiece(..) => 2,
        Illegal::NoKing(_) => 3,
        Illegal::Geometry(_) => 4,
        Illegal::NotYours(..) => FOREIGN,
        Illegal::Empty(_) => FOREIGN + 1,
    }
}

/// An illegal move as the rule it breaks, where there is one with a name.
fn misstep(m: Move, illegal: &Illegal, position: &Position) -> Misfit {
    let (Illegal::Geometry(kind), Some(piece)) = (illegal, position.piece_at(m.from())) else {
        return Misfit::Illegal(m, *illegal);
    };
    let (from, to) = (m.from(), m.to());
    let (files, ranks) = (from.file().abs_diff(to.file()), from.rank().abs_diff(to.rank()));
    let straight = files == 0 || ranks == 0;
    match kind {
        Kind::Pawn if (files, ranks) == (1, 0) => Misfit::NotCrossed(m),
        Kind::Pawn | Kind::King if straight && files + ranks > 1 => Misfit::OnePoint(m, *kind),
        Kind::King | Kind::Advisor if files + ranks <= 2 && !to.allows(*kind, piece.color()) => {
            Misfit::LeavesPalace(m, *kind)
        }
        Kind::Elephant if (files, ranks) == (2, 2) && to.rank_for(piece.color()) > 4 => Misfit::CrossesRiver(m),
        _ => Misfit::Illegal(m, *illegal),
    }
}

fn fits_other_side(token: &Token, position: &Position, dialect: Dialect) -> bool {
    let mut other = *position;
    other.set_side_to_move(!position.side_to_move());
    !resolve_by(token, &other, dialect, Rule::Legal).is_empty()
}

/// Why a claim finds no move of a piece; the first number orders reasons, the nearest first.
fn misfit(claim: &Relative, side: Color, position: &Position) -> (u8, Misfit) {
    let Some(kind) = claim.kinds.single() else { return (9, Misfit::Nothing) };
    let piece = Piece::new(side, kind);
    let mut files: Vec<u8> = position.squares_of(piece).map(|square| square.file_for(side)).collect();
    files.sort_unstable();
    files.dedup();
    if files.is_empty() {
        return (6, Misfit::NoSuchPiece(side, kind));
    }
    let way = match claim.action {
        Action::Said(direction) | Action::Centre(direction) => Some(direction),
        _ => None,
    };
    match (kind, way) {
        (Kind::Horse | Kind::Elephant | Kind::Advisor, Some(Direction::Traverse)) => {
            return (2, Misfit::NeverGoes { kind, way: "sideways" });
        }
        (Kind::Pawn, Some(Direction::Back)) => return (2, Misfit::NeverGoes { kind, way: "back" }),
        _ => {}
    }
    if claim.file != 0 && !files.contains(&claim.file) {
        return (5, Misfit::NotOnFile { side, kind, file: claim.file, found: files });
    }
    if claim.which != Which::Any {
        let doubled = (1..=9).any(|file| position.squares_on_file(piece, absolute_file(side, file)).count() >= 2);
        if !doubled {
            return (4, Misfit::NoneDoubled { side, kind });
        }
        let most = (1..=9).map(|file| position.squares_on_file(piece, absolute_file(side, file)).count()).max();
        let counted = match claim.which {
            Which::Ordinal(number) if claim.file != 0 => usize::from(number),
            Which::Place(Place::Middle) => 3,
            _ => 0,
        };
        if let Some(most) = most
            && counted > most
        {
            return (4, Misfit::NotSoMany { side, kind, most: most as u8 });
        }
    }
    let steps = matches!(kind, Kind::King | Kind::Rook | Kind::Cannon | Kind::Pawn)
        && way.is_some_and(|way| way != Direction::Traverse);
    (3, Misfit::OutOfReach { kind, number: claim.number, steps })
}

/// The token as claims in the Chinese sense, as far as it can be put that way.
fn claims(token: &Token, dialect: Dialect) -> Vec<Relative> {
    match token.body {
        Body::Relative(claim) => vec![claim],
        Body::Letters { letter, place, operator, number } if dialect.allows(Dialect::FILES_FROM_0) => {
            let (which, file) = match place {
                b'0'..=b'8' => (Which::Any, place - b'0' + 1),
                0x80.. if place & 15 <= 8 => (Which::Ordinal((place >> 4 & 7).max(1)), (place & 15) + 1),
                b'+' => (Which::Place(Place::Front), 0),
                b'-' => (Which::Place(Place::Rear), 0),
                _ => return Vec::new(),
            };
            let direction = western_direction(operator);
            western(letter, dialect)
                .into_iter()
                .filter_map(|kind| {
                    let number = number_from_zero(kind, direction, number)?;
                    Some(Relative { kinds: Kinds::one(kind), which, file, action: Action::Said(direction), number })
                })
                .collect()
        }
        Body::Letters { place, number, .. } if has_zero(place, number) => Vec::new(),
        Body::Letters { letter, place, operator, number } => {
            let which = match place {
                1..=9 | b'1'..=b'9' => Which::Any,
                b'+' | b't' => Which::Place(Place::Front),
                b'-' | b's' => Which::Place(Place::Rear),
                b'.' | b'=' | b'g' => Which::Place(Place::Middle),
                b'a'..=b'e' => Which::Ordinal(place - b'a' + 1),
                _ => Which::Ordinal(place >> 4 & 7),
            };
            let file = match place {
                1..=9 => place,
                b'1'..=b'9' => place - b'0',
                _ => 0,
            };
            Finder::letter_kinds(letter, operator, dialect)
                .into_iter()
                .map(|(kind, direction)| Relative {
                    kinds: Kinds::one(kind),
                    which,
                    file,
                    action: Action::Said(direction),
                    number,
                })
                .collect()
        }
        Body::Numbered { first: first @ b'1'..=b'9', second: second @ b'1'..=b'9', operator, number } => {
            vec![Relative {
                kinds: Kinds::one(Kind::Pawn),
                which: Which::Ordinal(first - b'0'),
                file: second - b'0',
                action: Action::Said(western_direction(operator)),
                number,
            }]
        }
        _ => Vec::new(),
    }
}

/// Legal moves that differ from the text in one of its characters.
fn nearest(token: &Token, position: &Position, dialect: Dialect) -> Vec<Move> {
    let legal = position.legal_moves();
    let claims = claims(token, dialect);
    let mut near: Vec<Move> = match token.body {
        Body::Coordinate { letter: 0, from, to, .. } => {
            let text = [from.file, from.rank, to.file, to.rank];
            let base = u8::from(!dialect.allows(Dialect::RANKS_FROM_0));
            let differ = |m: &&Move| {
                let (from, to) = (m.from(), m.to());
                let points = [from.file(), from.rank() + base, to.file(), to.rank() + base];
                points.iter().zip(&text).filter(|(a, b)| a != b).count() == 1
            };
            legal.iter().filter(differ).copied().collect()
        }
        _ => legal.iter().filter(|m| claims.iter().any(|claim| distance(claim, **m, position) == 1)).copied().collect(),
    };
    near.sort_unstable();
    near.dedup();
    near
}

/// In how many of its parts (piece, which one, direction, number) a claim differs from a move.
fn distance(claim: &Relative, m: Move, position: &Position) -> u32 {
    let Some(piece) = position.piece_at(m.from()) else { return u32::MAX };
    let (kind, side) = (piece.kind(), piece.color());
    let (from, to) = (m.from().rank_for(side), m.to().rank_for(side));
    let direction = match to.cmp(&from) {
        std::cmp::Ordering::Greater => Direction::Forward,
        std::cmp::Ordering::Less => Direction::Back,
        std::cmp::Ordering::Equal => Direction::Traverse,
    };
    let steps = matches!(kind, Kind::King | Kind::Rook | Kind::Cannon | Kind::Pawn);
    let number = if steps && direction != Direction::Traverse { to.abs_diff(from) } else { m.to().file_for(side) };
    let source = match claim.which {
        Which::Any => claim.file == 0 || claim.file == m.from().file_for(side),
        Which::Place(place) => place_of(m.from(), piece, position) == Some(place),
        Which::Ordinal(_) => kind == Kind::Pawn && place_of(m.from(), piece, position).is_some(),
    };
    let same_direction = match claim.action {
        Action::Said(said) => said == direction,
        Action::Centre(_) => true,
        // A bar that may mean several things fits whatever it may mean.
        Action::BarBelow | Action::BarAbove | Action::Bar => direction != Direction::Traverse,
        Action::Bare => true,
    };
    u32::from(!claim.kinds.holds(kind))
        + u32::from(!source)
        + u32::from(!same_direction)
        + u32::from(claim.number != number)
}

/// Front, middle or rear, for one of several equal pieces on a file.
fn place_of(square: Square, piece: Piece, position: &Position) -> Option<Place> {
    let rank = square.rank_for(piece.color());
    let (mut ahead, mut behind) = (0, 0);
    for other in position.squares_on_file(piece, square.file()) {
        ahead += u32::from(other.rank_for(piece.color()) > rank);
        behind += u32::from(other.rank_for(piece.color()) < rank);
    }
    match (ahead, behind) {
        (0, 0) => None,
        (0, _) => Some(Place::Front),
        (_, 0) => Some(Place::Rear),
        _ => Some(Place::Middle),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::read_whole;

    fn explained(fen: &str, moves: &str, text: &str) -> (String, String) {
        let mut position = Position::from_fen(fen).unwrap();
        for m in moves.split_whitespace() {
            position.play(m.parse().unwrap());
        }
        let explanation = explain(&read_whole(text).unwrap(), &position, Dialect::OPEN);
        (explanation.reason.to_string(), format!("{:?}", explanation.nearest))
    }

    #[test]
    fn legal_moves_one_character_away_are_named_and_no_others() {
        let start = crate::board::START_FEN;
        // LEG-7
        let (reason, nearest) = explained(start, "h2e2 h9g7 h0g2 i9h9", "车一平三");
        assert_eq!((reason.as_str(), nearest.as_str()), ("i0g0: own Red elephant stands on g0", "[i0h0]"));
        // LEG-13
        let opening = "h2e2 h9g7 h0g2 b9c7 i0h0 i9h9";
        assert_eq!(explained(start, opening, "马八进六").1, "[b0a2, b0c2]");
        assert_eq!(
            explained(start, opening, "马七进六"),
            ("Red has no horse on file 7, only on 3 and 8".into(), "[]".into())
        );
    }

    #[test]
    fn each_misfit_has_its_own_reason() {
        let start = crate::board::START_FEN;
        let reason = |fen, text| explained(fen, "", text).0;
        assert_eq!(reason(start, "马二平三"), "a horse never goes sideways");
        assert_eq!(reason(start, "兵七退一"), "a pawn never goes back");
        assert_eq!(
            reason(start, "前炮平五"),
            "no file holds several Red cannons, so none is the front, middle or rear one"
        );
        assert_eq!(reason(start, "马二进五"), "no horse meant here reaches file 5 that way");
        assert_eq!(reason(start, "马二进四"), "h0f1: blocked by the Red elephant on g0");
        assert_eq!(reason(start, "h9g7"), "it is Red's turn; the text fits a move of the other side");
        // LEG-3
        assert_eq!(reason("4k4/9/9/9/4R4/9/9/9/9/4K4 w", "车五平九"), "e5a5: leaves the generals facing each other");
        assert_eq!(reason("4k4/9/9/9/4R4/9/9/9/9/4K4 w", "炮五平九"), "Red has no cannon on the board");
    }
}
