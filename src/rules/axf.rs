//! The Asian and World federations' rule: perpetual check and perpetual chase of one piece.
//!
//! Comes in: a period of moves. Goes out: for each move whether it checks and which pieces it chases, and the verdict.
//! Threats of mate and threats by checks are idle here; only what the last move newly attacks can be chased, or what it
//! attacked already and now loses its protection by a pin.
//!
//! A piece is chased by a legal capture of any piece but king and pawn, if
//! - it is a rook and the attacker a horse or cannon, or a strong piece and the attacker an advisor or elephant; or
//! - it is not protected: no legal recapture; and it is not of the attacker's kind with a capture of its own in return.
//!
//! Kings and pawns that have not crossed are never chased.

use super::analysis::{Analysis, played};
use super::edition::{Edition, Ruleset};
use super::threat::Moment;
use super::value::is_worth_winning;
use super::verdict::{Ruling, Stage, Verdict};
use crate::board::{Color, Kind, Move, Position, Square};

/// One move of the period under this rule.
#[derive(Clone, Debug)]
pub struct AxfMove {
    /// The move.
    pub m: Move,
    /// The position before it.
    pub before: Position,
    /// It gives check.
    pub check: bool,
    /// Fresh chases: capturer and victim where they stand after the move.
    pub chases: Vec<(Square, Square)>,
}

/// Looks at one legal move.
pub fn axf_move(before: &Position, m: Move, rules: &Ruleset) -> AxfMove {
    let mut analysis = Analysis::new(rules);
    let moment = Moment::new(before, m);
    let mut chases = Vec::new();
    let check = moment.after.is_check();
    for capture in analysis.captures(&moment.threat) {
        if analysis.is_axf_chase(&moment.threat, capture) {
            let earlier = Move::new(moment.back(capture.from()), capture.to());
            let stood = analysis.held_before(&moment, |this, before| {
                before.is_legal(earlier)
                    && (this.is_axf_chase(before, earlier)
                        || !this.pins_a_root(before, earlier, &moment.threat, capture))
            });
            if !stood {
                chases.push((capture.from(), capture.to()));
            }
        }
    }
    AxfMove { m, before: *before, check, chases }
}

impl Analysis<'_> {
    /// Whether a piece that could take back after `earlier` still reaches the square after `now`, but may not leave its line.
    fn pins_a_root(&self, before: &Position, earlier: Move, after: &Position, now: Move) -> bool {
        let next = played(after, now);
        self.captures_on(&played(before, earlier), earlier.to())
            .any(|back| next.is_pseudo_legal(back) && !next.is_legal(back))
    }

    /// Whether this legal capture of the side to move makes its victim a chased piece.
    fn is_axf_chase(&mut self, position: &Position, m: Move) -> bool {
        let (Some(a), Some(v)) = (position.piece_at(m.from()), position.piece_at(m.to())) else { return false };
        if matches!(a.kind(), Kind::King | Kind::Pawn) || !is_worth_winning(v, m.to()) {
            return false;
        }
        let strong = matches!(v.kind(), Kind::Rook | Kind::Horse | Kind::Cannon);
        match (a.kind(), v.kind()) {
            (Kind::Horse | Kind::Cannon, Kind::Rook) => return true,
            (Kind::Advisor | Kind::Elephant, _) if strong => return true,
            _ => {}
        }
        let passed = super::analysis::with_turn(position, v.color());
        if a.kind() == v.kind() && passed.is_legal(Move::new(m.to(), m.from())) {
            return false;
        }
        // A check that stands on the board does not keep O from taking back later.
        let mut checkers = self.checkers(&passed);
        checkers.retain(|&square| square != m.from());
        self.with_frozen(position, checkers, |this, position| {
            this.captures_on(&played(position, m), m.to()).next().is_none()
        })
    }
}

/// The verdict on a period, and the pieces chased on every move, as they stand at its start.
pub fn judge_axf(moves: &[AxfMove]) -> (Ruling, [Vec<Square>; 2]) {
    let chased = Color::ALL.map(|side| chased_throughout(moves, side));
    let level = Color::ALL.map(|side| {
        let mut own = moves.iter().filter(|m| m.before.side_to_move() == side).peekable();
        if own.peek().is_none() {
            0
        } else if own.all(|m| m.check) {
            2
        } else {
            u8::from(!chased[side.index()].is_empty())
        }
    });
    let ruling = match level {
        [red, black] if red == black => {
            Ruling { verdict: Verdict::Draw, stage: Stage::DrawIfUnchanged, articles: vec!["equal"] }
        }
        [red, black] => {
            let side = if red > black { Color::Red } else { Color::Black };
            let article = if red.max(black) == 2 { "perpetual-check" } else { "perpetual-chase" };
            Ruling { verdict: Verdict::against(side), stage: Stage::MustChange, articles: vec![article] }
        }
    };
    (ruling, chased)
}

/// Pieces of the other side that each of this side's moves chases, by where they stood at the start of the period.
fn chased_throughout(moves: &[AxfMove], side: Color) -> Vec<Square> {
    let mut home: Vec<Square> = Square::all().collect();
    let mut common: Option<Vec<Square>> = None;
    for m in moves {
        let from = home[m.m.from().index()];
        home[m.m.to().index()] = from;
        if m.before.side_to_move() == side {
            let chased: Vec<Square> = m.chases.iter().map(|&(_, victim)| home[victim.index()]).collect();
            common = Some(match common {
                None => chased,
                Some(mut all) => {
                    all.retain(|square| chased.contains(square));
                    all
                }
            });
        }
    }
    let mut common = common.unwrap_or_default();
    common.sort_unstable();
    common.dedup();
    common
}

impl Edition {
    /// Whether the edition is judged by perpetual check and chase alone.
    pub const fn is_axf(self) -> bool {
        matches!(self, Edition::Axf)
    }
}
