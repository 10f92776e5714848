//! Token and position to candidates: the legal moves a written move may stand for.
//!
//! Comes in: a token, a position, the dialects still possible. Goes out: none, one or several legal moves, in the order
//! of their points; never a choice among them. A text may say more than needed (前炮五退二); what it says is checked, not
//! trusted over the board.
//!
//! Rare dialects (pieces by number, pinyin initials, ranks from 1, reversed bars) are asked only when the usual ones
//! give nothing; a caller that knows the dialect passes it settled, and then nothing else is tried.

use super::dialect::Dialect;
use super::letters::NONE;
use super::token::{Action, Body, Direction, Kinds, Place, Point, Relative, Token, Which};
use crate::board::{Color, Kind, Move, Piece, Position, Square};
use std::ops::Deref;

/// A short list of moves that lives on the stack.
#[derive(Clone, Copy)]
pub struct Candidates {
    moves: [Move; Candidates::CAPACITY],
    length: u8,
    overflowed: bool,
}

impl Candidates {
    /// More than any text can mean with a full set of pieces (five pawns of one file, three directions, two readings).
    const CAPACITY: usize = 46;

    #[inline]
    fn new() -> Candidates {
        const NOTHING: Move = match Square::new(0, 0) {
            Some(corner) => Move::new(corner, corner),
            None => unreachable!(),
        };
        Candidates { moves: [NOTHING; Candidates::CAPACITY], length: 0, overflowed: false }
    }

    #[inline]
    fn push(&mut self, m: Move) {
        match self.moves.get_mut(self.length as usize) {
            Some(slot) => {
                *slot = m;
                self.length += 1;
            }
            None => self.overflowed = true,
        }
    }

    fn finish(&mut self) {
        if self.length > 1 {
            let moves = &mut self.moves[..self.length as usize];
            moves.sort_unstable();
            let mut kept = 1;
            for index in 1..moves.len() {
                if moves[index] != moves[kept - 1] {
                    moves[kept] = moves[index];
                    kept += 1;
                }
            }
            self.length = kept as u8;
        }
    }

    /// The move, if there is exactly one.
    #[inline]
    pub fn single(&self) -> Option<Move> {
        match **self {
            [m] => Some(m),
            _ => None,
        }
    }

    /// Whether moves were dropped because a diagram with more pieces than a set holds gave too many.
    pub fn is_cut(&self) -> bool {
        self.overflowed
    }
}

impl Deref for Candidates {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.length as usize]
    }
}

impl std::fmt::Debug for Candidates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// How strictly moves are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// Legal moves.
    Legal,
    /// Moves the piece can make, though its general may be left attacked (or be missing).
    Pseudo,
    /// Wherever the text points, whatever the board says: for explanations.
    Pointed,
}

/// Every legal move the token may stand for, in the order of [`Move`]. An empty list is no error here.
///
/// ```
/// # use yipu::notation::{read_move, resolve, Dialect};
/// # use yipu::board::Position;
/// let (token, _) = read_move("炮24").unwrap();
/// let candidates = resolve(&token, &Position::start(), Dialect::OPEN);
/// assert_eq!(format!("{candidates:?}"), "[h2f2, h2h6]");
/// ```
#[inline]
pub fn resolve(token: &Token, position: &Position, dialect: Dialect) -> Candidates {
    resolve_by(token, position, dialect, Rule::Legal)
}

/// As [`resolve`], for moves that may leave the mover's own general attacked: what studies with faults contain.
pub fn resolve_unsafe(token: &Token, position: &Position, dialect: Dialect) -> Candidates {
    resolve_by(token, position, dialect, Rule::Pseudo)
}

/// The order in which rare dialects are asked: each step only if those before gave nothing.
const STEPS: [Dialect; 4] = [
    // Everything but these.
    Dialect::RANKS_FROM_1
        .or(Dialect::RANKS_FROM_BLACK)
        .or(Dialect::PINYIN)
        .or(Dialect::PIECE_DIGITS)
        .or(Dialect::BAR_BELOW_BACK),
    Dialect::RANKS_FROM_BLACK,
    Dialect::RANKS_FROM_1,
    Dialect::OPEN,
];

#[inline]
pub(super) fn resolve_by(token: &Token, position: &Position, dialect: Dialect, rule: Rule) -> Candidates {
    let mut finder = Finder { position, side: position.side_to_move(), rule, found: Candidates::new() };
    match &token.body {
        Body::Relative(claim) if matches!(claim.action, Action::Said(_)) => {
            finder.relative(claim, dialect);
            finder.found.finish();
        }
        Body::Coordinate { letter: 0, from, to, mixed: false } if dialect.allows(Dialect::RANKS_FROM_0) => {
            finder.points(*from, *to, Dialect::RANKS_FROM_0);
            if finder.found.is_empty() {
                finder.stepwise(token, dialect);
            }
        }
        _ => finder.stepwise(token, dialect),
    }
    finder.found
}

/// The one legal move of the commonest texts, for readers of whole records: a plain Chinese move of a piece that stands
/// alone on its file, coordinates in a settled dialect. `None` says nothing: ask [`resolve`].
#[inline]
pub(crate) fn only(token: &Token, position: &Position, dialect: Dialect) -> Option<Move> {
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
            if dialect.and(Dialect::LETTERS) == Dialect::WESTERN =>
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

/// The answers of `dialect` under which the token may stand for `m`; questions it does not touch stay as they are.
/// Unlike [`resolve`] this asks every answer on its own.
pub(crate) fn narrow(token: &Token, position: &Position, dialect: Dialect, m: Move) -> Dialect {
    let mut narrowed = dialect;
    for question in touched(token) {
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
    let mut finder = Finder { position, side: position.side_to_move(), rule: Rule::Legal, found: Candidates::new() };
    let mut open = touched(token).filter(|&question| dialect.and(question).len() > 1);
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
    touched(token)
        .flat_map(|question| dialect.and(question).answers())
        .map(|answer| (answer, resolve(token, position, dialect.settled(answer))))
        .filter(|(_, candidates)| !candidates.is_empty())
        .collect()
}

/// The questions whose answer changes what the token means.
pub(crate) fn touched(token: &Token) -> impl Iterator<Item = Dialect> {
    let (first, second) = match token.body {
        Body::Relative(claim) => match claim.action {
            Action::BarBelow | Action::BarAbove => (Some(Dialect::BARS), None),
            Action::Bare => (Some(Dialect::BARE), None),
            _ => (None, None),
        },
        Body::Letters { letter: b'G', .. } => (Some(Dialect::LETTERS), Some(Dialect::G)),
        Body::Letters { .. } => (Some(Dialect::LETTERS), None),
        Body::Numbered { .. } => (Some(Dialect::PAWNS), None),
        Body::Coordinate { letter, .. } | Body::Algebraic { letter, .. } => {
            (Some(Dialect::RANKS), (letter == b'G').then_some(Dialect::G))
        }
        Body::Digits(_) => (Some(Dialect::DIGITS), None),
        Body::Squares(_) | Body::Grid { .. } => (None, None),
    };
    first.into_iter().chain(second)
}

pub(super) struct Finder<'p> {
    position: &'p Position,
    side: Color,
    rule: Rule,
    found: Candidates,
}

impl Finder<'_> {
    /// Usual dialects first, rare ones only if those give nothing.
    fn stepwise(&mut self, token: &Token, dialect: Dialect) {
        if let Body::Letters { .. } = token.body {
            // Nearly always the first step is enough.
            let usual = dialect.without(STEPS[0]);
            if usual.allows(Dialect::LETTERS) {
                self.all(token, usual);
                if !self.found.is_empty() {
                    return self.found.finish();
                }
            }
        }
        for step in STEPS {
            let asked = match step {
                Dialect::OPEN => dialect,
                rare => dialect.prefer(Dialect::OPEN.without(rare)),
            };
            self.all(token, asked);
            if !self.found.is_empty() {
                break;
            }
        }
        self.found.finish();
    }

    /// Every reading under every answer in `dialect`.
    fn all(&mut self, token: &Token, dialect: Dialect) {
        match token.body {
            Body::Relative(claim) => self.relative(&claim, dialect),
            Body::Letters { letter, place, operator, number } => {
                self.letters(letter, place, operator, number, dialect);
            }
            Body::Numbered { first, second, operator, number } => {
                self.numbered(first, second, operator, number, dialect);
            }
            Body::Coordinate { letter, from, to, mixed } => {
                for answer in dialect.and(Dialect::RANKS).answers() {
                    if letter == 0 {
                        self.points(from, to, answer);
                        if mixed {
                            let letter = b'A' + from.file;
                            self.algebraic(letter, NONE, from.rank, to, answer, dialect);
                        }
                    } else {
                        self.algebraic(letter, from.file, from.rank, to, answer, dialect);
                    }
                }
            }
            Body::Algebraic { letter, file, rank, to } => {
                for answer in dialect.and(Dialect::RANKS).answers() {
                    self.algebraic(letter, file, rank, to, answer, dialect);
                }
            }
            Body::Digits(digits) => self.digits(digits, dialect),
            Body::Squares(m) => self.offer(m),
            Body::Grid { kind, from, to } => {
                let point = |(rank, file): (u8, u8)| home_point(self.side, file, rank - 1);
                if let (Some(from), Some(to)) = (point(from), point(to))
                    && self.position.piece_at(from) == Some(Piece::new(self.side, kind))
                {
                    self.offer(Move::new(from, to));
                }
            }
        }
    }

    #[inline]
    fn offer(&mut self, m: Move) {
        let good = match self.rule {
            Rule::Legal => self.position.is_legal(m),
            Rule::Pseudo => self.position.is_pseudo_legal(m),
            Rule::Pointed => true,
        };
        if good {
            self.found.push(m);
        }
    }

    /// A claim with everything settled but the bars.
    #[inline]
    fn relative(&mut self, claim: &Relative, dialect: Dialect) {
        if let (Action::Said(direction), Which::Any, Some(kind)) = (claim.action, claim.which, claim.kinds.single())
            && claim.file != 0
        {
            // The usual text: 炮二平五.
            let piece = Piece::new(self.side, kind);
            for from in self.position.squares_on_file(piece, absolute_file(self.side, claim.file)) {
                self.aim(kind, from, direction, claim.number);
            }
            return;
        }
        self.relative_rare(claim, dialect);
    }

    fn relative_rare(&mut self, claim: &Relative, dialect: Dialect) {
        use Direction::{Back, Forward, Traverse};
        let reversed = |usual: Direction, other: Direction| {
            [
                dialect.allows(Dialect::BAR_BELOW_FORWARD).then_some(usual),
                dialect.allows(Dialect::BAR_BELOW_BACK).then_some(other),
                None,
            ]
        };
        let directions = match claim.action {
            Action::Said(direction) => [Some(direction), None, None],
            Action::Centre(direction) => [Some(direction), Some(Traverse).filter(|_| direction != Traverse), None],
            Action::Bar => [Some(Forward), Some(Back), None],
            Action::BarBelow => reversed(Forward, Back),
            Action::BarAbove => reversed(Back, Forward),
            Action::Bare if dialect.allows(Dialect::BARS_LOST) => [Some(Forward), Some(Back), Some(Traverse)],
            Action::Bare => [Some(Traverse), None, None],
        };
        for kind in claim.kinds.iter() {
            self.sources(kind, claim.which, claim.file, |finder, from| {
                for direction in directions.into_iter().flatten() {
                    finder.aim(kind, from, direction, claim.number);
                }
            });
        }
    }

    /// Offers the move of the piece on `from`, if the text points to any.
    #[inline]
    fn aim(&mut self, kind: Kind, from: Square, direction: Direction, number: u8) {
        if let Some(to) = target(self.side, kind, from, direction, number) {
            self.offer(Move::new(from, to));
        }
    }

    /// Calls `each` with every piece of the mover that a source may mean.
    fn sources(&mut self, kind: Kind, which: Which, file: u8, mut each: impl FnMut(&mut Self, Square)) {
        let piece = Piece::new(self.side, kind);
        let position = self.position;
        let files = || {
            // From the mover's right to left.
            (1..=9).filter(|&f| file == 0 || f == file).map(|f| absolute_file(self.side, f))
        };
        let side = self.side;
        match which {
            Which::Any if file == 0 => {
                for from in position.squares_of(piece) {
                    each(self, from);
                }
            }
            Which::Any => {
                for from in position.squares_on_file(piece, absolute_file(side, file)) {
                    each(self, from);
                }
            }
            Which::Place(place) => {
                let groups: [Option<Square>; 9] = {
                    let mut groups = [None; 9];
                    for (slot, file) in groups.iter_mut().zip(files()) {
                        let group = Group::of(position, piece, file);
                        *slot = group.place(place);
                    }
                    groups
                };
                for from in groups.into_iter().flatten() {
                    each(self, from);
                }
                // 前二平五 with four or five pawns on a file: the second of them, in the way of one program.
                if kind == Kind::Pawn && place == Place::Front && file != 0 {
                    for f in 0..9 {
                        let group = Group::of(position, piece, f);
                        if group.length >= 4
                            && let Some(from) = group.nth(file)
                        {
                            each(self, from);
                        }
                    }
                }
            }
            Which::Ordinal(number) => {
                let mut rest = number;
                let mut chosen = None;
                for f in files() {
                    let group = Group::of(position, piece, f);
                    if group.length < 2 {
                        continue;
                    }
                    if rest <= group.length {
                        chosen = group.nth(rest);
                        break;
                    }
                    rest -= group.length;
                }
                if let Some(from) = chosen {
                    each(self, from);
                }
            }
        }
    }

    fn letters(&mut self, letter: u8, place: u8, operator: u8, number: u8, dialect: Dialect) {
        if operator & 0x80 == 0 && letter != b'L' {
            if dialect.allows(Dialect::WESTERN) && operator != b'/' {
                for kind in western(letter, dialect) {
                    self.western(kind, place, operator, number);
                }
            }
            if dialect.allows(Dialect::VIETNAMESE)
                && let Some(direction) = vietnamese_direction(operator)
                && let Some(kind) = vietnamese(letter)
            {
                self.vietnamese(kind, place, direction, number);
            }
        } else if operator & 0x80 == 0
            && dialect.allows(Dialect::VIETNAMESE)
            && let Some(direction) = vietnamese_direction(operator)
        {
            // Tướng written out: the general, or the elephant.
            self.vietnamese(Kind::King, place, direction, number);
            self.vietnamese(Kind::Elephant, place, direction, number);
        }
        if dialect.allows(Dialect::PINYIN)
            && let Some(kind) = pinyin(letter)
        {
            self.western(kind, place, operator & 0x7F, number);
        }
    }

    /// The kinds and directions a letter with its operator may mean, the usual dialects first.
    pub(super) fn letter_kinds(letter: u8, operator: u8, dialect: Dialect) -> Vec<(Kind, Direction)> {
        let mut kinds = Vec::new();
        let plain = operator & 0x80 == 0;
        if plain && dialect.allows(Dialect::WESTERN) && !matches!(operator, b'/') {
            kinds.extend(western(letter, dialect).into_iter().map(|kind| (kind, western_direction(operator))));
        }
        if plain
            && dialect.allows(Dialect::VIETNAMESE)
            && let Some(direction) = vietnamese_direction(operator)
        {
            kinds.extend(vietnamese(letter).map(|kind| (kind, direction)));
        }
        if (kinds.is_empty() || !plain) && dialect.allows(Dialect::PINYIN) {
            kinds.extend(pinyin(letter).map(|kind| (kind, western_direction(operator & 0x7F))));
        }
        kinds
    }

    /// A piece with its place and operator as in WXF.
    fn western(&mut self, kind: Kind, place: u8, operator: u8, number: u8) {
        let direction = western_direction(operator);
        let piece = Piece::new(self.side, kind);
        let position = self.position;
        match place {
            b'1'..=b'9' => {
                let file = absolute_file(self.side, place - b'0');
                // 1997: with three or five pawns on the file the bare file names the middle one.
                if kind == Kind::Pawn
                    && let Some(middle) = Group::of(position, piece, file).place(Place::Middle)
                {
                    let before = self.found.length;
                    self.aim(kind, middle, direction, number);
                    if self.found.length > before {
                        return;
                    }
                }
                for from in position.squares_on_file(piece, file) {
                    self.aim(kind, from, direction, number);
                }
            }
            b'+' | b'-' | b'.' | b'=' => {
                for file in 0..9 {
                    let group = Group::of(position, piece, file);
                    let from = marked(&group, kind, place);
                    if let Some(from) = from {
                        self.aim(kind, from, direction, number);
                    }
                }
            }
            b'a'..=b'e' if kind == Kind::Pawn => {
                self.sources(kind, Which::Ordinal(place - b'a' + 1), 0, |finder, from| {
                    finder.aim(kind, from, direction, number);
                });
            }
            _ => {}
        }
    }

    fn vietnamese(&mut self, kind: Kind, place: u8, direction: Direction, number: u8) {
        let (which, file) = match place {
            b'1'..=b'9' => (Which::Any, place - b'0'),
            b't' => (Which::Place(Place::Front), 0),
            b's' => (Which::Place(Place::Rear), 0),
            b'g' => (Which::Place(Place::Middle), 0),
            0x80.. => (Which::Ordinal(place >> 4 & 7), place & 15),
            _ => return,
        };
        self.sources(kind, which, file, |finder, from| finder.aim(kind, from, direction, number));
    }

    fn numbered(&mut self, first: u8, second: u8, operator: u8, number: u8, dialect: Dialect) {
        let direction = western_direction(operator);
        let piece = Piece::new(self.side, Kind::Pawn);
        let position = self.position;
        let side = self.side;
        let group = |file: u8| Group::of(position, piece, absolute_file(side, file));
        let by_number = || group(second - b'0').nth(first - b'0').filter(|_| group(second - b'0').length >= 2);
        let by_mark = || {
            let doubled = (1..=9).filter(|&file| group(file).length >= 2).count();
            (first == second && doubled >= 2 && group(first - b'0').length == 3)
                .then(|| group(first - b'0').place(Place::Middle))
                .flatten()
        };
        match (first, second) {
            (b'+' | b'-', _) => {
                // ++ and --: outermost of four or five.
                for file in 1..=9 {
                    let group = group(file);
                    let from = if first == b'+' { group.nth(1) } else { group.nth(group.length) };
                    if group.length >= 4
                        && let Some(from) = from
                    {
                        self.aim(Kind::Pawn, from, direction, number);
                    }
                }
            }
            (_, b'+' | b'-') => {
                if dialect.allows(Dialect::PAWN_MARKS)
                    && let Some(from) = marked(&group(first - b'0'), Kind::Pawn, second)
                {
                    self.aim(Kind::Pawn, from, direction, number);
                }
            }
            _ => {
                // Two digits mean different pawns in the two styles only on a file of three beside a file of two.
                // When nothing else tells, a point means the style of 1997, and anything else that of 2018.
                let numbers = dialect.allows(Dialect::PAWN_NUMBERS);
                let marks = dialect.allows(Dialect::PAWN_MARKS);
                let (numbers, marks) = match operator {
                    b'=' | b'+' | b'-' if numbers && by_number().is_some() => (true, false),
                    b'.' if marks && by_mark().is_some() => (false, true),
                    _ => (numbers, marks),
                };
                let found = [numbers.then(by_number).flatten(), marks.then(by_mark).flatten()];
                for from in found.into_iter().flatten() {
                    self.aim(Kind::Pawn, from, direction, number);
                }
            }
        }
        if dialect.allows(Dialect::PIECE_DIGITS)
            && let Some(&kind) = first.checked_sub(b'1').and_then(|index| {
                use Kind::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
                [King, Advisor, Elephant, Horse, Rook, Cannon, Pawn].get(index as usize)
            })
        {
            self.western(kind, second, operator, number);
        }
    }

    /// From point to point, ranks counted as `ranks` says.
    #[inline]
    fn points(&mut self, from: Point, to: Point, ranks: Dialect) {
        if let (Some(from), Some(to)) = (square(from, ranks), square(to, ranks)) {
            self.offer(Move::new(from, to));
        }
    }

    fn algebraic(&mut self, letter: u8, file: u8, rank: u8, to: Point, ranks: Dialect, dialect: Dialect) {
        let Some(to) = square(to, ranks) else { return };
        let rank = if rank == NONE {
            None
        } else {
            match square(Point { file: 0, rank }, ranks) {
                Some(square) => Some(square.rank()),
                None => return,
            }
        };
        let kinds = if letter == 0 { [Some(Kind::Pawn), None] } else { western(letter, dialect).pair() };
        for kind in kinds.into_iter().flatten() {
            for from in self.position.squares_of(Piece::new(self.side, kind)) {
                if (file == NONE || from.file() == file) && rank.is_none_or(|rank| from.rank() == rank) {
                    self.offer_if_pseudo(Move::new(from, to));
                }
            }
        }
    }

    /// Algebraic text names every piece of a kind; those that do not move so are no readings, even for explanations.
    fn offer_if_pseudo(&mut self, m: Move) {
        if self.rule != Rule::Pointed || self.position.is_pseudo_legal(m) {
            self.offer(m);
        }
    }

    fn digits(&mut self, [a, b, c, d]: [u8; 4], dialect: Dialect) {
        let (from, to) = (Point { file: a, rank: b }, Point { file: c, rank: d });
        if dialect.allows(Dialect::DIGITS_DHTMLXQ) {
            self.points(from, to, Dialect::RANKS_FROM_BLACK);
        }
        if dialect.allows(Dialect::DIGITS_RED) {
            self.points(from, to, Dialect::RANKS_FROM_0);
        }
        if dialect.allows(Dialect::DIGITS_KEYPAD) {
            use Kind::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
            const KEYS: [Kind; 7] = [King, Advisor, Elephant, Rook, Horse, Cannon, Pawn];
            let direction = match c {
                1 | 4 | 7 => Direction::Forward,
                2 | 5 | 8 => Direction::Traverse,
                3 | 6 | 9 => Direction::Back,
                _ => return,
            };
            let (which, key, file) = match a {
                8 => (Which::Place(Place::Front), b, 0),
                9 => (Which::Place(Place::Rear), b, 0),
                key => (Which::Any, key, b),
            };
            if (which == Which::Any && file == 0) || d == 0 {
                return;
            }
            if let Some(&kind) = key.checked_sub(1).and_then(|key| KEYS.get(key as usize)) {
                self.sources(kind, which, file, |finder, from| finder.aim(kind, from, direction, d));
            }
        }
    }
}

/// One or two kinds.
#[derive(Clone, Copy)]
struct KindPair([Option<Kind>; 2]);

impl KindPair {
    fn pair(self) -> [Option<Kind>; 2] {
        self.0
    }
}

impl IntoIterator for KindPair {
    type Item = Kind;
    type IntoIter = std::iter::Flatten<std::array::IntoIter<Option<Kind>, 2>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().flatten()
    }
}

/// The kinds a letter stands for in the western dialects.
fn western(letter: u8, dialect: Dialect) -> KindPair {
    let kind = match letter {
        b'K' => Kind::King,
        b'A' => Kind::Advisor,
        b'B' | b'E' | b'M' => Kind::Elephant,
        b'N' | b'H' => Kind::Horse,
        b'R' => Kind::Rook,
        b'C' => Kind::Cannon,
        b'P' | b'S' => Kind::Pawn,
        b'G' => {
            return KindPair([
                dialect.allows(Dialect::G_GUARD).then_some(Kind::Advisor),
                dialect.allows(Dialect::G_GENERAL).then_some(Kind::King),
            ]);
        }
        _ => return KindPair([None, None]),
    };
    KindPair([Some(kind), None])
}

pub(super) fn western_direction(operator: u8) -> Direction {
    match operator {
        b'+' => Direction::Forward,
        b'-' => Direction::Back,
        _ => Direction::Traverse,
    }
}

fn vietnamese(letter: u8) -> Option<Kind> {
    Some(match letter {
        b'g' => Kind::King,
        b'S' => Kind::Advisor,
        b'T' | b'V' => Kind::Elephant,
        b'X' => Kind::Rook,
        b'P' => Kind::Cannon,
        b'M' => Kind::Horse,
        b'B' | b'C' => Kind::Pawn,
        _ => return None,
    })
}

fn vietnamese_direction(operator: u8) -> Option<Direction> {
    Some(match operator {
        b'.' => Direction::Forward,
        b'/' => Direction::Back,
        b'-' => Direction::Traverse,
        _ => return None,
    })
}

fn pinyin(letter: u8) -> Option<Kind> {
    Some(match letter {
        b'S' => Kind::Advisor,
        b'J' => Kind::King,
        b'X' => Kind::Elephant,
        b'C' => Kind::Rook,
        b'M' => Kind::Horse,
        b'P' => Kind::Cannon,
        b'B' | b'Z' => Kind::Pawn,
        _ => return None,
    })
}

/// The piece of a group that a WXF mark names. Among four or five pawns `+` and `-` are the second and the last but one,
/// because `++` and `--` are the outermost.
fn marked(group: &Group, kind: Kind, mark: u8) -> Option<Square> {
    let inner = u8::from(kind == Kind::Pawn && group.length >= 4);
    match mark {
        b'+' => group.nth(1 + inner).filter(|_| group.length >= 2),
        b'-' => group.nth(group.length.saturating_sub(inner)).filter(|_| group.length >= 2),
        _ => group.place(Place::Middle),
    }
}

/// Equal pieces of the mover on one file, front first.
struct Group {
    squares: [Square; 10],
    length: u8,
}

impl Group {
    fn of(position: &Position, piece: Piece, file: u8) -> Group {
        let Some(corner) = Square::new(0, 0) else { unreachable!() };
        let mut group = Group { squares: [corner; 10], length: 0 };
        for square in position.squares_on_file(piece, file) {
            group.squares[group.length as usize] = square;
            group.length += 1;
        }
        if piece.color() == Color::Red {
            group.squares[..group.length as usize].reverse();
        }
        group
    }

    /// The n-th from the front, from 1.
    fn nth(&self, number: u8) -> Option<Square> {
        (1..=self.length).contains(&number).then(|| self.squares[number as usize - 1])
    }

    /// Front and rear of two or more; the middle of three or five.
    fn place(&self, place: Place) -> Option<Square> {
        match place {
            _ if self.length < 2 => None,
            Place::Front => self.nth(1),
            Place::Rear => self.nth(self.length),
            Place::Middle if self.length == 3 || self.length == 5 => self.nth(self.length / 2 + 1),
            Place::Middle => None,
        }
    }
}

/// File 0–8 from Red's left of the file `file` (1–9) from the mover's right.
#[inline]
pub(crate) const fn absolute_file(side: Color, file: u8) -> u8 {
    match side {
        Color::Red => 9 - file,
        Color::Black => file - 1,
    }
}

/// The point on a file (1–9 from the mover's right) and a rank (0–9 from the mover's back rank).
fn home_point(side: Color, file: u8, rank: u8) -> Option<Square> {
    Square::new(absolute_file(side, file), if side == Color::Red { rank } else { 9u8.checked_sub(rank)? })
}

/// Where a piece on `from` goes by direction and number, if that is a point of the board and a way this kind moves.
#[inline]
pub(crate) fn target(side: Color, kind: Kind, from: Square, direction: Direction, number: u8) -> Option<Square> {
    let sign = if direction == Direction::Back { -side.forward() } else { side.forward() };
    match (kind, direction) {
        (Kind::Rook | Kind::Cannon | Kind::King | Kind::Pawn, Direction::Traverse) => {
            Square::new(absolute_file(side, number), from.rank())
        }
        (Kind::Rook | Kind::Cannon | Kind::King, _) | (Kind::Pawn, Direction::Forward) => {
            Square::at(from.file() as i8, from.rank() as i8 + sign * number as i8)
        }
        (Kind::Pawn, Direction::Back) | (Kind::Horse | Kind::Elephant | Kind::Advisor, Direction::Traverse) => None,
        (Kind::Horse, _) => {
            let file = absolute_file(side, number);
            let ranks = match file.abs_diff(from.file()) {
                1 => 2,
                2 => 1,
                _ => return None,
            };
            Square::at(file as i8, from.rank() as i8 + sign * ranks)
        }
        (Kind::Elephant | Kind::Advisor, _) => {
            let file = absolute_file(side, number);
            let ranks = if kind == Kind::Elephant { 2 } else { 1 };
            (file.abs_diff(from.file()) == ranks)
                .then(|| Square::at(file as i8, from.rank() as i8 + sign * ranks as i8))
                .flatten()
        }
    }
}

/// The square of a point whose rank is counted as `ranks` says.
#[inline]
fn square(point: Point, ranks: Dialect) -> Option<Square> {
    let rank = if ranks == Dialect::RANKS_FROM_0 {
        point.rank
    } else if ranks == Dialect::RANKS_FROM_1 {
        point.rank.checked_sub(1)?
    } else {
        9u8.checked_sub(point.rank)?
    };
    Square::new(point.file, rank)
}

impl Kinds {
    /// For tests of the tables.
    #[cfg(test)]
    fn count(self) -> usize {
        self.iter().count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::read_whole;

    fn found(fen: &str, text: &str, dialect: Dialect) -> String {
        let position = Position::from_fen(fen).unwrap();
        let token = read_whole(text).unwrap_or_else(|| panic!("{text} is read"));
        format!("{:?}", resolve(&token, &position, dialect))
    }

    const THREE_AND_TWO: &str = "4k4/9/6P2/2P3P2/2P3P2/9/9/9/9/5K3 w";

    #[test]
    fn the_same_digits_name_different_pawns_in_two_styles() {
        assert_eq!(found(THREE_AND_TWO, "33=4", Dialect::OPEN), "[g5f5]");
        assert_eq!(found(THREE_AND_TWO, "33.4", Dialect::OPEN), "[g6f6]");
        assert_eq!(found(THREE_AND_TWO, "33=4", Dialect::OPEN.settled(Dialect::PAWN_MARKS)), "[g6f6]");
        assert_eq!(found(THREE_AND_TWO, "33.4", Dialect::OPEN.settled(Dialect::PAWN_NUMBERS)), "[g5f5]");
    }

    #[test]
    fn a_settled_dialect_is_the_only_one_tried() {
        let start = crate::board::START_FEN;
        assert_eq!(found(start, "h3e3", Dialect::OPEN), "[h2e2]");
        assert_eq!(found(start, "h3e3", Dialect::OPEN.settled(Dialect::RANKS_FROM_0)), "[]");
        assert_eq!(found(start, "h7e7", Dialect::OPEN), "[h2e2]");
        assert_eq!(found(start, "P2-5", Dialect::OPEN), "[h2e2]");
        assert_eq!(found(start, "P2-5", Dialect::OPEN.settled(Dialect::WESTERN)), "[]");
        assert_eq!(found(start, "p25", Dialect::OPEN), "[h2e2]");
    }

    #[test]
    fn narrowing_keeps_the_answers_that_can_mean_the_move() {
        let start = Position::start();
        let token = read_whole("h3e3").unwrap();
        let narrowed = narrow(&token, &start, Dialect::COMMON, "h2e2".parse().unwrap());
        assert_eq!(narrowed.and(Dialect::RANKS), Dialect::RANKS_FROM_1);
        assert_eq!(narrowed.without(Dialect::RANKS), Dialect::COMMON.without(Dialect::RANKS));
        assert_eq!(Kinds::ALL.count(), 7);
    }

    #[test]
    fn two_equal_readings_are_one_candidate_and_order_is_by_points() {
        let doubled = "3k5/9/9/4R4/9/9/4R4/9/9/5K3 w";
        assert_eq!(found(doubled, "车五平四", Dialect::OPEN), "[e3f3, e6f6]");
        assert_eq!(found(doubled, "前退一", Dialect::OPEN), "[e6e5]");
    }
}
