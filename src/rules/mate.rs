//! 杀: mate by an unbroken row of checks.
//!
//! The search deepens check by check and remembers positions. When the budget ends first the answer is "undetermined",
//! never "no".

use super::analysis::{Analysis, Line, played};
use crate::board::{Move, Position, Square};
use std::collections::HashMap;

/// What is known of positions of the attacker to move: mated within so many checks, or not within so many.
#[derive(Debug, Default)]
pub(super) struct Table {
    known: HashMap<(u64, Offers), Known>,
    /// For positions of the defender: the reply that refuted the check last time.
    refuted: HashMap<u64, Move>,
}

#[derive(Debug, Default)]
struct Known {
    /// Mates, within this many checks.
    mate: Option<(u8, Line)>,
    /// Does not mate within this many checks.
    without: u8,
}

/// Exchange offers standing on the board, as (offering piece, piece it offers to take): while they can be accepted, the
/// offering piece may not take its counterpart on the way to mate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Offers([Option<(Square, Square)>; 2]);

impl Offers {
    /// No offer.
    pub const NONE: Offers = Offers([None; 2]);

    /// Adds an offer; more than two are not kept.
    pub fn add(&mut self, by: Square, of: Square) {
        if let Some(slot) = self.0.iter_mut().find(|slot| slot.is_none()) {
            *slot = Some((by, of));
        }
    }

    /// Whether the move is the withheld capture of an offer.
    pub fn forbids(&self, m: Move) -> bool {
        self.0.contains(&Some((m.from(), m.to())))
    }

    /// The offers after a move: the offering piece is followed; an offer ends when either piece is captured or its
    /// counterpart goes elsewhere.
    fn moved(mut self, m: Move) -> Offers {
        for slot in &mut self.0 {
            *slot = slot.and_then(|(by, of)| {
                if m.to() == by || m.to() == of || m.from() == of {
                    None
                } else if m.from() == by {
                    Some((m.to(), of))
                } else {
                    Some((by, of))
                }
            });
        }
        self
    }
}

/// The depths, in checks, that a search up to `most` goes through.
pub(super) fn ladder(most: u8) -> impl Iterator<Item = u8> {
    [1, 2, 3, 5, 7].into_iter().filter(move |&depth| depth < most).chain([most])
}

/// Answer of a mate search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mate {
    /// Mate, with the main line.
    Yes(Line),
    /// No mate within the depth.
    No,
    /// The budget ended first.
    Undetermined,
}

impl Analysis<'_> {
    /// Whether the check `first` of the side to move leads to mate by checks alone, within the depth of the rules.
    pub fn mates_with(&mut self, position: &Position, first: Move, offers: Offers, depth: u8) -> Mate {
        if offers.forbids(first) {
            return Mate::No;
        }
        let next = played(position, first);
        match self.all_mated(&next, offers.moved(first), depth - 1) {
            Mate::Yes(line) => Mate::Yes(line.after(first)),
            other => other,
        }
    }

    /// Whether the side to move mates by checks alone within `depth` of them.
    pub fn mates(&mut self, position: &Position, depth: u8) -> Mate {
        let mut open = false;
        for depth in ladder(depth) {
            match self.some_mate(position, Offers::NONE, depth) {
                Mate::No => {}
                Mate::Yes(line) => return Mate::Yes(line),
                Mate::Undetermined => open = true,
            }
        }
        if open { Mate::Undetermined } else { Mate::No }
    }

    /// The defender to move, in check: whether every reply is mated within `depth` further checks.
    fn all_mated(&mut self, position: &Position, offers: Offers, depth: u8) -> Mate {
        if depth == 0 {
            // Whether there is any reply is told sooner than which ones there are.
            return if self.has_reply(position) { Mate::No } else { Mate::Yes(Line::EMPTY) };
        }
        let mut replies = self.replies(position);
        if replies.is_empty() {
            return Mate::Yes(Line::EMPTY);
        }
        // What refuted the check at a smaller depth comes first, then taking the checking piece.
        let last = self.mates.refuted.get(&position.key()).copied();
        replies.sort_by_key(|&reply| (Some(reply) != last, position.piece_at(reply.to()).is_none()));
        let mut longest = Line::EMPTY;
        let mut open = false;
        for reply in replies {
            match self.some_mate(&played(position, reply), offers.moved(reply), depth) {
                Mate::Yes(line) if line.len() + 1 > longest.len() => longest = line.after(reply),
                Mate::Yes(_) => {}
                Mate::No => {
                    self.mates.refuted.insert(position.key(), reply);
                    return Mate::No;
                }
                Mate::Undetermined => open = true,
            }
        }
        if open { Mate::Undetermined } else { Mate::Yes(longest) }
    }

    /// The attacker to move: whether some check mates within `depth` checks.
    fn some_mate(&mut self, position: &Position, offers: Offers, depth: u8) -> Mate {
        if !self.spend() {
            return Mate::Undetermined;
        }
        let key = (position.key() ^ self.frozen_key(), offers);
        if let Some(known) = self.mates.known.get(&key) {
            match known.mate {
                Some((checks, line)) if checks <= depth => return Mate::Yes(line),
                _ if known.without >= depth => return Mate::No,
                _ => {}
            }
        }
        let mut open = false;
        for check in self.checks(position) {
            match self.mates_with(position, check, offers, depth) {
                Mate::Yes(line) => {
                    self.mates.known.entry(key).or_default().mate = Some((depth, line));
                    return Mate::Yes(line);
                }
                Mate::No => {}
                Mate::Undetermined => open = true,
            }
        }
        if open {
            return Mate::Undetermined;
        }
        let known = self.mates.known.entry(key).or_default();
        known.without = known.without.max(depth);
        Mate::No
    }
}
