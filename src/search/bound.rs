//! Which games a term on the board may be true of, and which it must be, told by their signs alone.
//!
//! Comes in: a term and the images a query asks for. Goes out: a [`Bound`] that judges the sign of a game
//! ([`SignRef`]) as [`Verdict`]. `No` and `Yes` are certain; whatever is between is played through by the scanner. The
//! bounds are those of the rules: a piece stood on a square or never did, pieces only become fewer, soldiers never step
//! back. Games whose start no rule allows are never ruled out.

use super::scan::IMAGES;
use crate::board::{Color, Kind, Piece, Square};
use crate::query::{Constraint, Material, Pattern, Term, Thing};
use crate::store::{CaptureMask, SignMask, SignRef};

/// What a sign says of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It is not true of the game.
    No,
    /// The board has to tell.
    Maybe,
    /// It is true of the game.
    Yes,
}

/// Something that must be so in a game.
#[derive(Debug)]
enum Need {
    /// Pieces of a kind stood on so many of some squares.
    Stood { mask: SignMask, least: u32, what: String },
    /// So many soldiers reached a rank.
    Reached { color: Color, rank: u8, least: u32 },
    /// No more than so many are left at the end.
    Left { pieces: Vec<Piece>, most: u32 },
    /// A capture was made.
    Took { mask: CaptureMask, what: String },
}

/// When what must be so is enough.
#[derive(Clone, Copy, Debug)]
enum Enough {
    Never,
    Always,
    /// If the number at the usual start is not below the least: then the falling number passes through all that are asked
    /// for.
    From {
        least: u32,
        start: u32,
    },
}

/// One image of a term.
#[derive(Debug)]
struct Image {
    needs: Vec<Need>,
    enough: Enough,
}

/// What signs are judged by.
#[derive(Debug)]
pub struct Bound {
    /// The term is true if one of its images is.
    images: Vec<Image>,
}

impl Bound {
    /// For a term; `None` if signs say nothing about it.
    pub fn new(term: &Term, mirror: bool, swap: bool) -> Option<Bound> {
        let images = IMAGES.into_iter().filter(|(mirrored, swapped)| (mirror || !mirrored) && (swap || !swapped));
        let mut bound = Bound { images: Vec::new() };
        for (mirrored, swapped) in images {
            let image = |pattern: &Pattern| {
                let pattern = if swapped { pattern.swapped() } else { pattern.clone() };
                if mirrored { pattern.mirrored() } else { pattern }
            };
            let needs_of = |pattern: &Pattern| pattern.0.iter().flat_map(needs).collect::<Vec<_>>();
            bound.images.push(match term {
                Term::Pattern(pattern) => {
                    let pattern = image(pattern);
                    Image { needs: needs_of(&pattern), enough: enough(&pattern) }
                }
                Term::Sequence(patterns) => {
                    let needs = patterns.iter().flat_map(|pattern| needs_of(&image(pattern))).collect();
                    Image { needs, enough: Enough::Never }
                }
                // The rest looks the same in a mirror.
                Term::Material(_) | Term::Capture(_) if mirrored => continue,
                Term::Material(material) => {
                    let material = if swapped { material.swapped() } else { *material };
                    Image { needs: left(&material), enough: Enough::Never }
                }
                Term::Capture(capture) => {
                    let side = if swapped { capture.side.map(|side| !side) } else { capture.side };
                    let mask = CaptureMask::new(capture.by, capture.taken, side);
                    let letter = |kind: Option<Kind>| kind.map_or('?', Kind::letter);
                    let what = format!("{}x{}", letter(capture.by), letter(capture.taken));
                    let enough = if mask.exact { Enough::Always } else { Enough::Never };
                    Image { needs: vec![Need::Took { mask, what }], enough }
                }
                _ => return None,
            });
        }
        // An image without needs lets every game through: then reading signs is in vain.
        let idle = |image: &Image| image.needs.is_empty() && matches!(image.enough, Enough::Never);
        (!bound.images.iter().any(idle)).then_some(bound)
    }

    /// What a sign says.
    #[inline]
    pub fn judge(&self, sign: SignRef<'_>) -> Verdict {
        if sign.is_odd() {
            return Verdict::Maybe;
        }
        self.images.iter().map(|image| image.judge(sign)).max().unwrap_or(Verdict::No)
    }

    /// The bounds in words, those of the first image.
    pub fn describe(&self, zh: bool) -> Vec<String> {
        self.images.first().map(|image| image.needs.iter().map(|need| need.describe(zh)).collect()).unwrap_or_default()
    }
}

impl Image {
    #[inline]
    fn judge(&self, sign: SignRef<'_>) -> Verdict {
        if !self.needs.iter().all(|need| need.is_met(sign)) {
            return Verdict::No;
        }
        match self.enough {
            Enough::Never => Verdict::Maybe,
            Enough::Always => Verdict::Yes,
            Enough::From { .. } if sign.has_own_start() => Verdict::Maybe,
            Enough::From { least, start } if start >= least => Verdict::Yes,
            Enough::From { .. } => Verdict::No,
        }
    }
}

impl Need {
    #[inline]
    fn is_met(&self, sign: SignRef<'_>) -> bool {
        match self {
            Need::Stood { mask, least: 1, .. } => sign.stood_any(mask),
            Need::Stood { mask, least, .. } => sign.stood(mask) >= *least,
            Need::Reached { color, rank, least } => sign.reached(*color, *rank).is_none_or(|count| count >= *least),
            Need::Left { pieces, most } => pieces.iter().map(|piece| sign.left(*piece)).sum::<u32>() <= *most,
            Need::Took { mask, .. } => sign.took_any(*mask),
        }
    }

    fn describe(&self, zh: bool) -> String {
        match (self, zh) {
            (Need::Stood { what, least, .. }, true) => format!("曾占 {what}（{least} 点以上）"),
            (Need::Stood { what, least, .. }, false) => {
                format!("{what} occupied at some time ({least} or more squares)")
            }
            (Need::Reached { color, rank, least }, true) => {
                let side = if *color == Color::Red { "红兵" } else { "黑卒" };
                format!("{side}有 {least} 个以上到过己方第 {} 线", rank + 1)
            }
            (Need::Reached { color, rank, least }, false) => {
                format!("{least} or more {color:?} soldiers reached their rank {}", rank + 1)
            }
            (Need::Left { pieces, most }, zh) => {
                let letters: String = pieces.iter().map(|piece| piece.letter()).collect();
                if zh {
                    format!("终局时 {letters} 至多剩 {most}")
                } else {
                    format!("at most {most} of {letters} left at the end")
                }
            }
            (Need::Took { what, .. }, true) => format!("有 {what} 的吃子"),
            (Need::Took { what, .. }, false) => format!("a capture {what} was made"),
        }
    }
}

fn pieces_of(thing: Thing) -> Vec<Piece> {
    Piece::all()
        .filter(|piece| match thing {
            Thing::Piece(wanted) => wanted == *piece,
            Thing::Of(color) => color == piece.color(),
            Thing::Any => true,
            Thing::Empty => false,
        })
        .collect()
}

/// Whether the squares are all that the pieces can stand on.
fn covers(pieces: &[Piece], squares: u128) -> bool {
    pieces
        .iter()
        .all(|piece| Square::all().all(|at| squares >> at.index() & 1 == 1 || !at.allows(piece.kind(), piece.color())))
}

fn needs(constraint: &Constraint) -> Vec<Need> {
    let pieces = pieces_of(constraint.thing);
    let mut needs = Vec::new();
    if pieces.is_empty() {
        // So many empty squares on the whole board mean so few pieces.
        let board = Square::COUNT as u32;
        if constraint.squares.count_ones() == board && constraint.least > 0 {
            needs.push(Need::Left { pieces: Piece::all().collect(), most: board - u32::from(constraint.least) });
        }
        return needs;
    }
    let least = u32::from(constraint.least);
    if least > 0 {
        let squares: Vec<Square> = Square::all().filter(|at| constraint.squares >> at.index() & 1 == 1).collect();
        let names = match squares.len() {
            0..=4 => squares.iter().map(Square::to_string).collect::<Vec<_>>().join(" "),
            many => format!("{many} squares"),
        };
        let letter = match constraint.thing {
            Thing::Piece(piece) => piece.letter(),
            Thing::Of(Color::Red) => 'X',
            Thing::Of(Color::Black) => 'x',
            _ => '?',
        };
        let mask = SignMask::new(pieces.iter().copied(), constraint.squares);
        needs.push(Need::Stood { mask, least, what: format!("{letter}@[{names}]") });
        if let Thing::Piece(piece) = constraint.thing
            && piece.kind() == Kind::Pawn
            && let Some(rank) = squares.iter().map(|square| square.rank_for(piece.color())).min()
            && rank >= 5
        {
            needs.push(Need::Reached { color: piece.color(), rank, least });
        }
    }
    if constraint.most < u8::MAX && covers(&pieces, constraint.squares) {
        needs.push(Need::Left { pieces, most: u32::from(constraint.most) });
    }
    needs
}

/// Of a single constraint the needs may be all there is.
fn enough(pattern: &Pattern) -> Enough {
    let [constraint] = pattern.0.as_slice() else { return Enough::Never };
    let pieces = pieces_of(constraint.thing);
    let unbounded = constraint.most == u8::MAX;
    match constraint.least {
        _ if pieces.is_empty() => Enough::Never,
        0 | 1 if unbounded => Enough::Always,
        least if covers(&pieces, constraint.squares) => {
            let start = pieces.iter().map(|piece| piece.kind().most() as u32).sum();
            // Without an upper bound the start itself decides, and the needs say nothing of how many stood at once.
            Enough::From { least: u32::from(least), start }
        }
        _ => Enough::Never,
    }
}

fn left(material: &Material) -> Vec<Need> {
    let mut needs = Vec::new();
    for color in Color::ALL {
        for (kind, count) in Material::KINDS.into_iter().zip(material.counts[color.index()]) {
            if usize::from(count) < kind.most() {
                needs.push(Need::Left { pieces: vec![Piece::new(color, kind)], most: count.into() });
            }
        }
    }
    needs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::parse;

    fn bound(query: &str) -> Option<Bound> {
        let query = parse(query).unwrap();
        Bound::new(&query.terms[0], query.mirror, query.swap)
    }

    #[test]
    fn what_signs_cannot_know_has_no_bound() {
        for query in ["pattern:.@e5", "pattern:\"!p@e6\"", "check:yes", "mate:yes", "player:甲"] {
            assert!(bound(query).is_none(), "{query}");
        }
        for query in [
            "pattern:R@e4",
            "pattern:.@{75,}*",
            "pattern:\"!r@*\"",
            "material:RvR",
            "capture:Rxn",
            "sequence:\"R@e4 ; .@e5\"",
        ] {
            assert!(bound(query).is_some_and(|bound| !bound.describe(true).is_empty()), "{query}");
        }
    }

    #[test]
    fn every_image_that_is_asked_for_counts() {
        assert_eq!(bound("pattern:R@a4 mirror:yes swap:yes").unwrap().images.len(), 4);
        assert_eq!(bound("capture:Rxn mirror:yes swap:yes").unwrap().images.len(), 2);
    }
}
