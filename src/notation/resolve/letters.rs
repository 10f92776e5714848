//! Letter, place, sign, number: WXF and its relatives, Vietnamese, pinyin initials.

use super::Finder;
use super::group::{Group, absolute_file, marked};
use crate::board::{Kind, Piece};
use crate::notation::dialect::Dialect;
use crate::notation::letters::IN_WORDS;
use crate::notation::token::{Direction, Place, Which};

impl Finder<'_> {
    #[inline]
    pub(super) fn letters(&mut self, letter: u8, place: u8, operator: u8, number: u8, dialect: Dialect) {
        if dialect.allows(Dialect::FILES_FROM_0) {
            return self.files_from_zero(letter, place, operator, number, dialect);
        }
        if has_zero(place, number) {
            return;
        }
        if operator & IN_WORDS != 0 {
            if dialect.allows(Dialect::VIETNAMESE) {
                self.in_words(letter, place, operator, number);
            }
            return;
        }
        if operator & 0x80 == 0 {
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
        }
        if dialect.allows(Dialect::PINYIN)
            && operator != b'/'
            && let Some(kind) = pinyin(letter)
        {
            self.western(kind, place, operator & 0x7F, number);
        }
    }

    /// Vietnamese words.
    fn in_words(&mut self, letter: u8, place: u8, operator: u8, number: u8) {
        let Some(direction) = vietnamese_direction(operator & !IN_WORDS) else { return };
        // Tướng written out: the general, or the elephant.
        let kinds = match letter {
            b'L' => [Some(Kind::King), Some(Kind::Elephant)],
            letter => [vietnamese(letter), None],
        };
        for kind in kinds.into_iter().flatten() {
            self.vietnamese(kind, place, direction, number);
        }
    }

    /// Letters with files 0–8. Nothing says whether the number of a piece on its file counts from 0 too: both are kept.
    fn files_from_zero(&mut self, letter: u8, place: u8, operator: u8, number: u8, dialect: Dialect) {
        if !matches!(operator, b'+' | b'-' | b'.' | b'=') {
            return;
        }
        let direction = western_direction(operator);
        for kind in western(letter, dialect) {
            let Some(number) = number_from_zero(kind, direction, number) else { continue };
            match place {
                b'0'..=b'8' => {
                    self.sources(kind, Which::Any, place - b'0' + 1, |finder, from| {
                        finder.aim(kind, from, direction, number);
                    });
                }
                0x80.. if place & 15 <= 8 => {
                    let piece = Piece::new(self.side, kind);
                    let group = Group::of(self.position, piece, absolute_file(self.side, (place & 15) + 1));
                    let ordinal = place >> 4 & 7;
                    for from in [group.nth(ordinal), group.nth(ordinal + 1)].into_iter().flatten() {
                        self.aim(kind, from, direction, number);
                    }
                }
                b'+' | b'-' => self.western(kind, place, operator, number),
                _ => {}
            }
        }
    }

    /// The kinds and directions a letter with its operator may mean, the usual dialects first.
    pub(in crate::notation) fn letter_kinds(letter: u8, operator: u8, dialect: Dialect) -> Vec<(Kind, Direction)> {
        let mut kinds = Vec::new();
        if operator & IN_WORDS != 0 {
            let direction = vietnamese_direction(operator & !IN_WORDS);
            let words = match letter {
                b'L' => vec![Kind::King, Kind::Elephant],
                letter => vietnamese(letter).into_iter().collect(),
            };
            return words.into_iter().filter_map(|kind| Some((kind, direction?))).collect();
        }
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
        if (kinds.is_empty() || !plain) && operator != b'/' && dialect.allows(Dialect::PINYIN) {
            kinds.extend(pinyin(letter).map(|kind| (kind, western_direction(operator & 0x7F))));
        }
        kinds
    }

    /// A piece with its place and operator as in WXF.
    #[inline]
    pub(super) fn western(&mut self, kind: Kind, place: u8, operator: u8, number: u8) {
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
                    let before = self.found.len();
                    self.aim(kind, middle, direction, number);
                    if self.found.len() > before {
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
            1..=9 => {
                // The number before the letter: a file; before a pawn also its number among several.
                self.western(kind, place + b'0', operator, number);
                if kind == Kind::Pawn && place <= 5 {
                    self.sources(kind, Which::Ordinal(place), 0, |finder, from| {
                        finder.aim(kind, from, direction, number);
                    });
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
}

/// Whether a 0 stands where files or steps are counted.
pub(in crate::notation) const fn has_zero(place: u8, number: u8) -> bool {
    number == 0 || place == b'0' || place >= 0x80 && (place & 15 == 0 || place >> 4 & 7 == 0)
}

/// The number behind the sign as others write it: a file from 1, or steps. `None` if there is no such file or no step.
pub(in crate::notation) fn number_from_zero(kind: Kind, direction: Direction, number: u8) -> Option<u8> {
    let steps = matches!(kind, Kind::King | Kind::Rook | Kind::Cannon | Kind::Pawn) && direction != Direction::Traverse;
    if steps { Some(number).filter(|&number| number > 0) } else { Some(number + 1).filter(|&file| file <= 9) }
}

/// One or two kinds.
#[derive(Clone, Copy)]
pub(in crate::notation) struct KindPair(pub(super) [Option<Kind>; 2]);

impl KindPair {
    pub(in crate::notation) fn pair(self) -> [Option<Kind>; 2] {
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
#[inline]
pub(in crate::notation) fn western(letter: u8, dialect: Dialect) -> KindPair {
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

#[inline]
pub(in crate::notation) fn western_direction(operator: u8) -> Direction {
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
