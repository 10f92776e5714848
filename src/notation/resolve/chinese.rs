//! Piece, which of several, file, direction, number: the Chinese forms, full and short.

use super::Finder;
use super::group::{Group, absolute_file};
use crate::board::{Kind, Piece, Square};
use crate::notation::dialect::Dialect;
use crate::notation::token::{Action, Direction, Place, Relative, Which};

impl Finder<'_> {
    /// A claim with everything settled but the bars.
    #[inline]
    pub(super) fn relative(&mut self, claim: &Relative, dialect: Dialect) {
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

    /// Calls `each` with every piece of the mover that a source may mean.
    #[inline]
    pub(super) fn sources(&mut self, kind: Kind, which: Which, file: u8, mut each: impl FnMut(&mut Self, Square)) {
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
                let named = groups.iter().any(Option::is_some);
                // 前二平五 with four or five pawns on a file: the second of them, in the way of one program.
                if kind == Kind::Pawn && place == Place::Front && file != 0 && !named {
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
                let count = |files: &mut dyn Iterator<Item = u8>| {
                    let mut rest = number;
                    for f in files {
                        let group = Group::of(position, piece, f);
                        if group.length >= 2 && rest <= group.length {
                            return group.nth(rest);
                        }
                        if group.length >= 2 {
                            rest -= group.length;
                        }
                    }
                    None
                };
                // With a file the number counts on it; else, or if that finds none, on all files with several.
                let all = || count(&mut (1..=9).map(|f| absolute_file(side, f)));
                let on_file = |from: &Square| file == 0 || from.file() == absolute_file(side, file);
                if let Some(from) = count(&mut files()).or_else(|| all().filter(on_file)) {
                    each(self, from);
                }
            }
        }
    }
}
