//! 捉 and 杀: what a side threatens, and which of it its last move made.
//!
//! A threat is looked for in the *threat position*: the position after the move with the turn passed back to the mover.
//! A threat that stood before the move is no fresh one (1987 §4.5(一)), unless the mover escaped from a capture and the
//! threat lives on by its escape (1987 §4.5(二), figure 11).

use super::analysis::{Analysis, Line, played, with_turn};
use super::check_win::{CheckWin, Final, Pair, Quest};
use super::exchange::Opened;
use super::mate::{Mate, Offers, ladder};
use super::value::{Ledger, is_worth_winning, worth};
use crate::board::{Color, Kind, Move, Piece, Position, Square};

/// How a threat is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Means {
    /// By a capture.
    Capture,
    /// By checks and a capture.
    Checks,
}

/// What protects the victim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Root {
    /// 无根: nothing takes back.
    None,
    /// 少根: something takes back, and still a piece is won.
    Short,
}

/// A fresh threat to win a piece.
#[derive(Clone, Copy, Debug)]
pub struct Threat {
    /// How.
    pub means: Means,
    /// Where the capturing piece stands now.
    pub capturer: Square,
    /// Where the threatened piece stands now.
    pub victim: Square,
    /// The threatened piece.
    pub piece: Piece,
    /// Its protection.
    pub root: Root,
    /// 联合捉子: a second piece is needed.
    pub joint: bool,
    /// It stood before, and is fresh only because the moved piece, no part of it, escaped from a capture.
    pub by_escape: bool,
    /// The line that wins it.
    pub line: Line,
    /// What the line wins and loses.
    pub ledger: Ledger,
}

impl Threat {
    /// One of the lighter kinds of 26.9: 联合捉子, a 少根子, or a piece won only by checks. A rook counts as chased though
    /// it is protected.
    pub fn is_light(&self) -> bool {
        self.joint || self.means == Means::Checks || self.root == Root::Short && self.piece.kind() != Kind::Rook
    }
}

/// How a threat relates to the position before the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Age {
    Old,
    Fresh,
    ByEscape,
}

/// Everything fresh that a move threatens.
#[derive(Clone, Debug, Default)]
pub(super) struct Fresh {
    pub mate: Option<Line>,
    /// A mate that stood before the move.
    pub standing_mate: Option<Line>,
    /// The budget ended while looking for a mate or for how old it is.
    pub mate_open: bool,
    pub threats: Vec<Threat>,
    /// Threats by capture that stood before the move.
    pub standing: Vec<Threat>,
    pub offers: Vec<Pair>,
}

/// One move as the analysis sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    /// S to move.
    pub before: Position,
    pub m: Move,
    /// O to move.
    pub after: Position,
    /// `after` with S to move.
    pub threat: Position,
}

impl Moment {
    pub fn new(before: &Position, m: Move) -> Moment {
        let after = played(before, m);
        Moment { before: *before, m, after, threat: with_turn(&after, before.side_to_move()) }
    }

    pub fn side(&self) -> Color {
        self.before.side_to_move()
    }

    /// Where the piece that is now on `square` stood before the move.
    pub fn back(&self, square: Square) -> Square {
        if square == self.m.to() { self.m.from() } else { square }
    }

    /// Where the piece that was on `square` before the move stands now.
    pub fn forth(&self, square: Square) -> Square {
        if square == self.m.from() { self.m.to() } else { square }
    }

    fn back_move(&self, m: Move) -> Move {
        Move::new(self.back(m.from()), m.to())
    }
}

impl Analysis<'_> {
    /// Finds everything fresh that the move threatens. The move must not give check.
    pub fn fresh(&mut self, moment: &Moment) -> Fresh {
        let mut fresh = Fresh::default();
        // All captures that win, and same-kind pairs that can be accepted: offers.
        let mut wins: Vec<(Move, Line)> = Vec::new();
        for m in self.captures(&moment.threat) {
            let Some(victim) = moment.threat.piece_at(m.to()) else { continue };
            if !is_worth_winning(victim, m.to()) {
                continue;
            }
            if self.is_offer(&moment.threat, m) {
                fresh.offers.push((m.from(), m.to()));
                continue;
            }
            if let Some(line) = self.capture_wins(&moment.threat, m, Ledger::EMPTY)
                && !self.costs_elsewhere(&moment.threat, &line, false)
            {
                wins.push((m, line));
            }
        }
        let offers = fresh.offers.clone();
        wins.retain(|&(m, _)| !self.belongs_to_offer(moment, m, &offers));
        self.fresh_mate(moment, &mut fresh);
        let standing = self.standing(moment, &wins, &offers);
        for (m, line) in wins {
            let age = self.is_new_capture(moment, m, &line);
            let Some(mut threat) = self.describe(moment, m, line) else { continue };
            threat.by_escape = age == Age::ByEscape;
            if age == Age::Old {
                fresh.standing.push(threat);
            } else {
                fresh.threats.push(threat);
            }
        }
        self.fresh_checks(moment, &standing, &mut fresh);
        fresh
    }

    /// 兑, 献: the victim is of the same kind and can itself take the attacker, and taking it does O no harm. S is to move.
    fn is_offer(&mut self, position: &Position, m: Move) -> bool {
        let (Some(a), Some(v)) = (position.piece_at(m.from()), position.piece_at(m.to())) else { return false };
        let accept = Move::new(m.to(), m.from());
        let passed = with_turn(position, !position.side_to_move());
        if a.kind() != v.kind() || a.kind() == Kind::Pawn || !passed.is_legal(accept) {
            return false;
        }
        let taken = played(&passed, accept);
        let lost = Ledger::EMPTY.lose(a, m.from());
        if self.go_on(&taken, m.from(), lost, Opened::nothing(position), 6).is_some()
            || matches!(self.mates(&taken, 6), Mate::Yes(_))
        {
            return false;
        }
        let quest = Quest::any(&taken, lost);
        self.checks(&taken).into_iter().all(|check| self.wins_by_check(&quest, check).is_none())
    }

    /// 26.11: a capture that wins only together with a piece that offers itself to the same victim belongs to the offer.
    fn belongs_to_offer(&mut self, moment: &Moment, m: Move, offers: &[Pair]) -> bool {
        let partners: Vec<Square> =
            offers.iter().filter(|&&(by, of)| of == m.to() && by != m.from()).map(|&(by, _)| by).collect();
        if partners.is_empty() {
            return false;
        }
        self.with_frozen(&moment.threat, partners, |this, position| {
            !position.is_legal(m) || this.capture_wins(position, m, Ledger::EMPTY).is_none()
        })
    }

    /// 26.5: the capturer was a root or a shield, and what falls behind it is worth more than the line wins.
    ///
    /// `start` is the position with S to move, `line` the winning line. With `strict`, as much is enough.
    pub(super) fn costs_elsewhere(&mut self, start: &Position, line: &Line, strict: bool) -> bool {
        if !self.rules.weighs_loss_elsewhere {
            return false;
        }
        let side = start.side_to_move();
        let won = ledger_of(start, line).net_worth();
        let enough = |loss: i32| if strict { loss >= won } else { loss > won };
        let passed = with_turn(start, !side);
        let end = line.iter().fold(*start, |position, m| played(&position, m));
        if end.side_to_move() == side {
            return false;
        }
        let last = line.iter().last().map(Move::to);
        let mine: Vec<Square> = end.squares_of_side(side).filter(|&square| Some(square) != last).collect();
        mine.into_iter().any(|square| enough(self.loss_on(&end, square)) && !enough(self.loss_on(&passed, square)))
    }

    /// What the side to move wins by capturing on `square`, on the scale of [`worth`]; 0 if nothing.
    fn loss_on(&mut self, position: &Position, square: Square) -> i32 {
        let captures: Vec<Move> = self.captures_on(position, square).collect();
        captures
            .into_iter()
            .filter_map(|m| self.capture_wins(position, m, Ledger::EMPTY))
            .map(|line| ledger_of(position, &line).net_worth())
            .max()
            .unwrap_or(0)
    }

    /// The position before the move with the pieces that gave check there frozen: what S could have done but for the check.
    pub(super) fn checkers(&self, position: &Position) -> Vec<Square> {
        let mut left = *position;
        let mut found = Vec::new();
        while let Some(square) = left.attacker_of_king(left.side_to_move()) {
            found.push(square);
            let Some(piece) = left.piece_at(square) else { break };
            if piece.kind() == Kind::King {
                break;
            }
            left.put(square, Some(Piece::new(piece.color(), Kind::Elephant)));
        }
        found
    }

    /// Asks a question about the position before the move; if S was in check there, also with the checkers frozen.
    pub(super) fn held_before(
        &mut self,
        moment: &Moment,
        mut question: impl FnMut(&mut Self, &Position) -> bool,
    ) -> bool {
        if question(self, &moment.before) {
            return true;
        }
        let checkers = self.checkers(&moment.before);
        !checkers.is_empty() && self.with_frozen(&moment.before, checkers, question)
    }

    /// Pairs that are a threat by plain capture or an offer now, or were a threat before the move: they end no fresh line
    /// of checks. What would only have been an exchange before, because the moved piece hung, was no threat.
    fn standing(&mut self, moment: &Moment, wins: &[(Move, Line)], offers: &[Pair]) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = wins.iter().map(|(m, _)| (m.from(), m.to())).chain(offers.iter().copied()).collect();
        for m in self.captures(&moment.before) {
            if self.capture_wins(&moment.before, m, Ledger::EMPTY).is_some()
                && !(m.from() != moment.m.from() && self.escaped(moment, Some(m), m.to()))
            {
                pairs.push((moment.forth(m.from()), m.to()));
            }
        }
        pairs
    }

    /// Whether taking what stands on `victim` would have been an exchange before the move and is none now: the moved piece,
    /// worth that much at least, hung to another piece as well, or would have hung after the capture (given where it was
    /// possible), and has got away from what could have taken it.
    fn escaped(&mut self, moment: &Moment, capture: Option<Move>, victim: Square) -> bool {
        let (before, from, to) = (&moment.before, moment.m.from(), moment.m.to());
        let (Some(moved), Some(piece)) = (before.piece_at(from), moment.threat.piece_at(victim)) else { return false };
        if !self.rules.escape_is_new || worth(moved, from) < worth(piece, victim) {
            return false;
        }
        let passed = with_turn(before, !moment.side());
        let mut got_away = |then: &Position, now: &Position| {
            let hunters = self.takers(then, from);
            hunters != 0 && hunters & self.takers(now, to) == 0
        };
        let without = |position: &Position| {
            let mut without = *position;
            without.put(victim, None);
            without
        };
        if got_away(&without(&passed), &without(&moment.after)) {
            return true;
        }
        match capture.filter(|&m| before.is_legal(m)) {
            Some(m) => {
                let now = Move::new(moment.forth(m.from()), victim);
                moment.threat.is_legal(now) && got_away(&played(before, m), &played(&moment.threat, now))
            }
            None => got_away(&passed, &moment.after),
        }
    }

    /// The squares of the pieces of the side to move that win something by capturing on `square`.
    fn takers(&mut self, position: &Position, square: Square) -> u128 {
        let captures: Vec<Move> = self.captures_on(position, square).collect();
        let wins = captures.into_iter().filter(|&m| self.capture_wins(position, m, Ledger::EMPTY).is_some());
        wins.fold(0, |set, m| set | 1 << m.from().index())
    }

    /// Whether the winning capture `m` is the work of the move.
    ///
    /// It is not, if it won before as well. It is again, if before it would only have been an exchange: because the victim
    /// could accept it as one (兑, 献), because something worth as much was lost elsewhere for it, because O would have
    /// mated, or because the moved piece hung.
    fn is_new_capture(&mut self, moment: &Moment, m: Move, line: &Line) -> Age {
        let earlier = moment.back_move(m);
        let (mut stood, mut clean, mut mated) = (false, false, false);
        self.held_before(moment, |this, before| {
            if before.is_legal(earlier)
                && !this.is_offer(before, earlier)
                && let Some(line) = this.capture_wins(before, earlier, Ledger::EMPTY)
            {
                stood = true;
                clean |= !this.costs_elsewhere(before, &line, true);
                mated |= this.is_mated_after(before, earlier);
            }
            stood && clean
        });
        if !stood || !clean && self.is_clean_gain(moment, line) || mated && !self.is_mated_after(&moment.threat, m) {
            return Age::Fresh;
        }
        self.escaped_with(moment, m, line)
    }

    /// Whether O mates by checks once S has captured.
    fn is_mated_after(&mut self, position: &Position, m: Move) -> bool {
        matches!(self.mates(&played(position, m), self.rules.limits.checks_to_mate), Mate::Yes(_))
    }

    /// Whether nothing at all that is worth as much can be taken when the line has been played.
    fn is_clean_gain(&mut self, moment: &Moment, line: &Line) -> bool {
        let won = ledger_of(&moment.threat, line).net_worth();
        let end = line.iter().fold(moment.threat, |position, m| played(&position, m));
        if end.side_to_move() == moment.side() {
            return false;
        }
        let mine: Vec<Square> = end.squares_of_side(moment.side()).collect();
        mine.into_iter().all(|square| self.loss_on(&end, square) < won)
    }

    /// The capture would have left the moved piece to be taken, which made it an exchange; now the piece is out of reach
    /// and worth the victim at least. It must take part in the threat, unless the line costs S nothing at all.
    fn escaped_with(&mut self, moment: &Moment, m: Move, line: &Line) -> Age {
        let to = moment.m.to();
        if m.from() == to || !self.escaped(moment, Some(m), m.to()) {
            return Age::Old;
        }
        let mut without = moment.threat;
        without.put(to, None);
        let takes_part = !without.is_legal(m) || self.capture_wins(&without, m, Ledger::EMPTY).is_none();
        if takes_part {
            Age::Fresh
        } else if ledger_of(&moment.threat, line).lost_nothing() {
            Age::ByEscape
        } else {
            Age::Old
        }
    }

    /// The same for a line of checks: the moved piece hung, and neither gives the checks nor makes the capture.
    fn escaped_with_checks(&mut self, moment: &Moment, first: Move, found: &CheckWin) -> bool {
        let to = moment.m.to();
        first.from() != to
            && found.finals.iter().all(|&Final { pair: (by, victim), ref line }| {
                by != to && ledger_of(&moment.threat, line).lost_nothing() && self.escaped(moment, None, victim)
            })
    }

    fn describe(&mut self, moment: &Moment, m: Move, line: Line) -> Option<Threat> {
        let ledger = ledger_of(&moment.threat, &line);
        let root = |this: &Self, position: &Position, square| {
            if this.captures_on(position, square).next().is_none() { Root::None } else { Root::Short }
        };
        if let Some(main) = main_capture(&moment.threat, &line) {
            // The first capture only makes way: without the piece that makes it the other one takes all the more.
            let mut without = moment.threat;
            without.put(m.from(), None);
            let alone = without.is_legal(main) && self.capture_wins(&without, main, Ledger::EMPTY).is_some();
            let end = line.iter().fold(moment.threat, |position, m| played(&position, m));
            return Some(Threat {
                means: Means::Capture,
                capturer: main.from(),
                victim: main.to(),
                piece: moment.threat.piece_at(main.to())?,
                root: root(self, &end, main.to()),
                joint: !alone,
                by_escape: false,
                line,
                ledger,
            });
        }
        Some(Threat {
            means: Means::Capture,
            capturer: m.from(),
            victim: m.to(),
            piece: moment.threat.piece_at(m.to())?,
            root: root(self, &played(&moment.threat, m), m.to()),
            joint: self.is_joint_capture(moment, m),
            by_escape: false,
            line,
            ledger,
        })
    }

    /// The checks before the move that make the same threat as the check `first` after it.
    ///
    /// The same piece checks from the same square. A rook or cannon that is itself the moved piece may also check from
    /// another square, if it comes from the same side of the general: neither form nor substance has changed (1987
    /// §4.5(一), figure 10). Not so when the move answers a check: there what is new counts (26.1.2, 26.3).
    fn like_checks(&self, moment: &Moment, before: &Position, first: Move) -> Vec<Move> {
        let same = moment.back_move(first);
        let mut checks = self.checks(before);
        let lines = before.piece_at(same.from()).is_some_and(|p| matches!(p.kind(), Kind::Rook | Kind::Cannon));
        let shifted = lines && first.from() == moment.m.to() && !moment.before.is_check();
        let side = |to: Square| before.king(!moment.side()).and_then(|king| side_of(king, to));
        checks.retain(|&check| {
            check == same
                || shifted
                    && check.from() == same.from()
                    && side(check.to()).is_some_and(|found| Some(found) == side(first.to()))
        });
        checks
    }

    fn fresh_mate(&mut self, moment: &Moment, fresh: &mut Fresh) {
        let mut offers = Offers::NONE;
        for &(by, of) in &fresh.offers {
            offers.add(by, of);
        }
        let checks = self.checks(&moment.threat);
        for depth in ladder(self.rules.limits.checks_to_mate) {
            let mut open = false;
            for &first in &checks {
                match self.mates_with(&moment.threat, first, offers, depth) {
                    Mate::No => {}
                    Mate::Undetermined => open = true,
                    Mate::Yes(line) => {
                        let mut unsettled = false;
                        let stood = self.held_before(moment, |this, before| {
                            this.like_checks(moment, before, first).into_iter().any(|earlier| {
                                let mate = this.mates_with(before, earlier, Offers::NONE, depth);
                                unsettled |= mate == Mate::Undetermined;
                                matches!(mate, Mate::Yes(_))
                            })
                        });
                        if stood {
                            fresh.standing_mate.get_or_insert(line);
                            continue;
                        }
                        if unsettled {
                            open = true;
                            continue;
                        }
                        fresh.mate = Some(line);
                        return;
                    }
                }
            }
            if open || self.is_exhausted() {
                fresh.mate_open = true;
                return;
            }
        }
    }

    fn fresh_checks(&mut self, moment: &Moment, standing: &[Pair], fresh: &mut Fresh) {
        let old: Vec<Pair> = standing.iter().map(|&(a, v)| (moment.back(a), v)).collect();
        for first in self.checks(&moment.threat) {
            let quest = Quest { start: &moment.threat, ledger: Ledger::EMPTY, standing, strict: false };
            let Some(found) = self.wins_by_check(&quest, first) else { continue };
            let Some((sure, Final { pair: (capturer, victim), line })) = found.least(&moment.threat) else { continue };
            let Some(piece) = moment.threat.piece_at(victim) else { continue };
            let same = moment.back_move(first);
            let stood = self.held_before(moment, |this, before| {
                let quest = Quest { start: before, ledger: Ledger::EMPTY, standing: &old, strict: true };
                this.like_checks(moment, before, first).into_iter().any(|earlier| {
                    // By another check than the very same one it must be the very same victim.
                    this.wins_by_check(&quest, earlier).is_some_and(|then| {
                        earlier == same
                            || then.least(before).is_some_and(|(worth, _)| worth == sure)
                                && then.finals.iter().any(|end| end.pair.1 == victim)
                    })
                })
            });
            if stood && !self.escaped_with_checks(moment, first, &found) {
                continue;
            }
            fresh.threats.push(Threat {
                means: Means::Checks,
                capturer,
                victim,
                piece,
                root: Root::None,
                joint: found.is_joint(),
                by_escape: stood,
                ledger: ledger_of(&moment.threat, &line),
                line,
            });
        }
    }
}

/// On which side of the general a square of its file or rank lies.
fn side_of(king: Square, square: Square) -> Option<(i8, i8)> {
    let toward = |a: u8, b: u8| (b as i8 - a as i8).signum();
    let side = (toward(king.file(), square.file()), toward(king.rank(), square.rank()));
    (side.0 == 0 || side.1 == 0).then_some(side)
}

/// The capture that a line of captures is about, where it is not the first one: the most valuable piece, worth more than
/// the first victim, that a piece which has not moved takes on another point.
fn main_capture(start: &Position, line: &Line) -> Option<Move> {
    let value = |m: Move| start.piece_at(m.to()).map_or(0, |piece| worth(piece, m.to()));
    let mut most = value(line.first()?);
    let mut touched = 0u128;
    let mut found = None;
    for (n, m) in line.iter().enumerate() {
        let points = 1 << m.from().index() | 1 << m.to().index();
        if n > 0 && n.is_multiple_of(2) && touched & points == 0 && value(m) > most {
            most = value(m);
            found = Some(m);
        }
        touched |= points;
    }
    found
}

/// What the side to move wins and loses along a line.
pub(super) fn ledger_of(position: &Position, line: &Line) -> Ledger {
    let mut position = *position;
    let side = position.side_to_move();
    let mut ledger = Ledger::EMPTY;
    for m in line.iter() {
        if let Some(piece) = position.piece_at(m.to()) {
            ledger = if piece.color() == side { ledger.lose(piece, m.to()) } else { ledger.win(piece, m.to()) };
        }
        position.play(m);
    }
    ledger
}
