//! The audit of a 自然限着 claim: sixty rounds without a capture (2011: 4.2.4, 4.1.11, 22.2–22.4).
//!
//! Comes in: the start position, the plies, the claimant and the ply at which the claim is made. Goes out: a verdict
//! with its figures and a trace, ply by ply, of what counted and why.
//!
//! The computation. Let `c` be the last capture before the claim (0 if there is none). Over the plies after it,
//! `mine` are the claimant's moves, `theirs` the opponent's, `k` the checks the claimant gave.
//! `counted = mine − max(0, k − cap)`; the claim is true if `counted` and `theirs` both reach the limit. Rounds and
//! plies are never mixed: the limit is in rounds, every figure here says which it is.
//!
//! - Pawn moves do not restart the count; only captures do.
//! - The claim is made in the claimant's own time, before or after the move is written. Both positions are tested and
//!   the earlier one governs.
//! - Mate and 困毙 end the game before any claim.
//! - Plies behind the start position are known from its FEN counter alone; they are counted, told apart, and no check
//!   in them can be seen.

pub use super::claim::{Audit, Capture, Claim, Edition, Hole, HoleCapture, Over, Penalty, Traced, Verdict, Why};
use crate::board::{Color, Move, Outcome, Position};
use crate::diag::{Finding, codes};
use crate::say;

/// Running figures of one stretch without captures, from one claimant's point of view.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    capture: u32,
    mine: u32,
    theirs: u32,
    checks: u32,
    unproven: u32,
}

impl Count {
    fn counted(&self, cap: u32) -> u32 {
        self.mine - self.checks.saturating_sub(cap)
    }

    fn holds(&self, limit: u32, cap: u32) -> bool {
        self.counted(cap).min(self.theirs) >= limit
    }
}

fn side_in_chinese(color: Color) -> &'static str {
    match color {
        Color::Red => "红方",
        Color::Black => "黑方",
    }
}

/// Audits a claim. `holes` are the places where the record is silent; the plies given run on behind them.
///
/// Every move must be legal where it stands (readers guarantee it); an illegal `pending` move is told and not counted.
pub fn audit(start: &Position, moves: &[Move], holes: &[Hole], claim: &Claim) -> Audit {
    let mut findings = Vec::new();
    let ply_of = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let recorded = ply_of(moves.len());
    let mut at = claim.at.unwrap_or(recorded);
    if at > recorded {
        findings.push(Finding::new(
            codes::CLAIM_BEYOND_RECORD,
            say!(
                "the claim is made after ply {at}, the record has {recorded} plies";
                "提出时为第 {at} 着之后，记录只有 {recorded} 着"
            ),
        ));
        at = recorded;
    }
    let mut line = moves.to_vec();
    let last = at as usize;
    let mut position = replay(start, &line[..last]);
    let claimant = claim.claimant.unwrap_or(position.side_to_move());
    let mut pending = false;
    if let Some(m) = claim.pending {
        if position.side_to_move() != claimant {
            findings.push(
                Finding::new(
                    codes::PENDING_MOVE,
                    say!(
                        "it is not {claimant}'s turn after ply {at}";
                        "第 {at} 着之后不轮到{}走", side_in_chinese(claimant)
                    ),
                )
                .ply(at + 1)
                .text(m.to_string()),
            );
        } else if let Err(why) = position.prove(m) {
            findings.push(Finding::new(codes::PENDING_MOVE, why.to_string()).ply(at + 1).text(m.to_string()));
        } else {
            line.truncate(last);
            line.push(m);
            position.play(m);
            pending = true;
        }
    }
    // The two positions of the claim: before the claimant's move and after it.
    let claim_end = ply_of(if pending { last + 1 } else { last });
    let own_move_last = claim_end > 0 && position.side_to_move() != claimant;

    let rule = claim.edition.limit();
    let (limit, cap) = match (claim.limit, claim.check_cap, rule) {
        (limit, cap, Some((l, c))) => (limit.unwrap_or(l), cap.unwrap_or(c)),
        (limit, cap, None) => (limit.unwrap_or(0), cap.unwrap_or(u32::MAX)),
    };

    let run = Run::new(start, &line, claimant);
    let before = if own_move_last { claim_end - 1 } else { claim_end };
    let governing = if run.at(before).holds(limit, cap) { before } else { claim_end };
    if governing < claim_end && claim.at.is_some() {
        // Nobody should wonder why the figures are not those of the ply that was named.
        findings.push(
            Finding::new(
                codes::EARLIER_POSITION,
                crate::say!(
                    "the claim was true already before the claimant's own move, after ply {governing}; that position is shown";
                    "申请方走此着之前（第 {governing} 着之后）申请已经成立，以下按该局面列出"
                ),
            )
            .ply(governing),
        );
    }
    let count = run.at(governing);
    let trace = run.trace(start, &line, governing, cap);
    let first_true_ply = run.first_true(governing, limit, cap);

    let over = ended(start, &line, governing);
    let mut verdict = if count.holds(limit, cap) { Verdict::Draw } else { Verdict::Rejected };
    if count.unproven > 0 {
        findings.push(Finding::new(
            codes::COUNTER_UNPROVEN,
            say!(
                "{} of {} quiet plies come from the counter of the start position; no record proves them, and checks in \
                 them are unknown",
                count.unproven, count.mine + count.theirs;
                "{1} 着无吃子着法中有 {0} 着出自起始局面的计数，没有记录可查，其中有无将军不明",
                count.unproven, count.mine + count.theirs
            ),
        ));
    }
    if verdict == Verdict::Rejected && count.capture > 0 {
        let capture = run.capture(count.capture);
        findings.push(
            Finding::new(
                codes::CAPTURE_IN_STRETCH,
                say!(
                    "{} takes {}: {} plies since, {} full rounds",
                    capture.piece, capture.captured, count.mine + count.theirs, count.mine.min(count.theirs);
                    "{}{}吃{}：其后 {} 着，即 {} 个整回合",
                    side_in_chinese(capture.piece.color()), capture.piece.hanzi(), capture.captured.hanzi(),
                    count.mine + count.theirs, count.mine.min(count.theirs)
                ),
            )
            .ply(capture.ply)
            .text(capture.m.to_string()),
        );
    }
    if let Some(over) = over {
        verdict = Verdict::Rejected;
        findings.push(
            Finding::new(
                codes::GAME_OVER_FIRST,
                say!(
                    "{} ended the game: {} wins", over.how, over.winner;
                    "{}，对局已经结束，{}胜",
                    if over.how == "mate" { "将死" } else { "困毙" }, side_in_chinese(over.winner)
                ),
            )
            .ply(over.ply),
        );
    }
    for hole in holes.iter().filter(|h| h.after_ply >= count.capture && h.after_ply <= governing) {
        verdict = Verdict::Refused;
        findings.push(
            Finding::new(
                codes::HOLE_IN_STRETCH,
                match hole.capture {
                    HoleCapture::Must => {
                        say!("plies are missing here, and a capture must lie among them"; "此处有缺漏，其中必有吃子")
                    }
                    HoleCapture::May => {
                        say!("plies are missing here, a capture may lie among them"; "此处有缺漏，其中可能有吃子")
                    }
                    HoleCapture::Cannot => {
                        say!("plies are missing here (no capture can lie among them)"; "此处有缺漏，其中不可能有吃子")
                    }
                },
            )
            .ply(hole.after_ply + 1),
        );
    }
    if rule.is_none() && claim.limit.is_none() {
        verdict = Verdict::Refused;
        findings.push(Finding::new(
            codes::NO_SUCH_RULE,
            say!(
                "this edition has no natural limit; give the event's limit if there is one";
                "该版本没有自然限着的规定；赛会如有限数请给出"
            ),
        ));
    }

    let mut penalty = None;
    if verdict == Verdict::Rejected && over.is_none() {
        let untrue_before = claim.earlier.iter().any(|&ply| {
            let earlier = run.at(ply.min(claim_end));
            ply < at && earlier.capture == count.capture && !earlier.holds(limit, cap)
        });
        penalty = Some(if untrue_before {
            findings.push(Finding::new(
                codes::SECOND_UNTRUE_CLAIM,
                say!(
                    "the second untrue claim of {claimant} since the capture of ply {}", count.capture;
                    "自第 {} 着吃子以来{}第二次提出不属实", count.capture, side_in_chinese(claimant)
                ),
            ));
            Penalty::LossBySecondClaim
        } else if claim.seconds_left.is_some_and(|left| left <= 300) {
            Penalty::LossOnTime
        } else {
            Penalty::FoulAndFiveMinutes
        });
    }

    Audit {
        verdict,
        claimant,
        edition: claim.edition,
        at: governing,
        last_capture_ply: count.capture,
        last_capture: (count.capture > 0).then(|| run.capture(count.capture)),
        quiet_plies: count.mine + count.theirs,
        unproven_plies: count.unproven,
        rounds: count.mine.min(count.theirs),
        claimant_moves: count.mine,
        claimant_checks: count.checks,
        counted: count.counted(cap),
        opponent_moves: count.theirs,
        limit,
        check_cap: cap,
        first_true_ply,
        over,
        penalty,
        trace,
        findings,
    }
}

/// The counts after every ply.
struct Run {
    counts: Vec<Count>,
    captures: Vec<Capture>,
    claimant: Color,
}

impl Run {
    fn new(start: &Position, line: &[Move], claimant: Color) -> Run {
        let mut position = *start;
        // The FEN counter says how many quiet plies came before; the last of them was played by the side not to move.
        let unproven = u32::from(start.quiet_plies());
        let last_mover = unproven.div_ceil(2);
        let (mine, theirs) = if start.side_to_move() == claimant {
            (unproven - last_mover, last_mover)
        } else {
            (last_mover, unproven - last_mover)
        };
        let mut count = Count { capture: 0, mine, theirs, checks: 0, unproven };
        let mut counts = vec![count];
        let mut captures = Vec::new();
        for (ply, &m) in (1u32..).zip(line) {
            let mover = position.side_to_move();
            let piece = position.piece_at(m.from());
            let undo = position.play(m);
            match (piece, undo.captured()) {
                (Some(piece), Some(captured)) => {
                    count = Count { capture: ply, ..Count::default() };
                    captures.push(Capture { ply, m, piece, captured });
                }
                _ if mover == claimant => {
                    count.mine += 1;
                    count.checks += u32::from(position.is_check());
                }
                _ => count.theirs += 1,
            }
            counts.push(count);
        }
        Run { counts, captures, claimant }
    }

    fn at(&self, ply: u32) -> Count {
        self.counts[(ply as usize).min(self.counts.len() - 1)]
    }

    fn capture(&self, ply: u32) -> Capture {
        let index = self.captures.partition_point(|c| c.ply < ply).min(self.captures.len() - 1);
        self.captures[index]
    }

    fn first_true(&self, ply: u32, limit: u32, cap: u32) -> Option<u32> {
        let stretch = self.at(ply).capture;
        (stretch..)
            .zip(&self.counts[stretch as usize..])
            .take_while(|(_, count)| count.capture == stretch)
            .find(|(_, count)| count.holds(limit, cap))
            .map(|(ply, _)| ply)
    }

    fn trace(&self, start: &Position, line: &[Move], end: u32, cap: u32) -> Vec<Traced> {
        let from = self.at(end).capture.max(1);
        let mut position = replay(start, &line[..from as usize - 1]);
        let mut checks = 0;
        let mut trace = Vec::new();
        for (ply, &m) in (from..=end).zip(&line[from as usize - 1..]) {
            let side = position.side_to_move();
            let undo = position.play(m);
            let check = position.is_check();
            let why = match undo.captured() {
                Some(piece) => Why::Capture(piece),
                None if side != self.claimant && check => Why::OpponentCheck,
                None if side != self.claimant => Why::Opponent,
                None if !check => Why::Own,
                None => {
                    checks += 1;
                    if checks > cap { Why::BeyondCap(checks) } else { Why::OwnCheck(checks) }
                }
            };
            trace.push(Traced { ply, m, side, why });
        }
        trace
    }
}

fn replay(start: &Position, line: &[Move]) -> Position {
    let mut position = *start;
    for &m in line {
        position.play(m);
    }
    position
}

/// Whether the side to move after `ply` plies had lost by mate or 困毙.
fn ended(start: &Position, line: &[Move], ply: u32) -> Option<Over> {
    let position = replay(start, &line[..(ply as usize).min(line.len())]);
    let how = match position.outcome()? {
        Outcome::Checkmate => "mate",
        Outcome::NoMove => "no-move",
    };
    Some(Over { ply, winner: !position.side_to_move(), how })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Vec<Move> {
        text.split_whitespace().map(|m| m.parse().unwrap()).collect()
    }

    /// Two kings and two rooks that walk to and fro.
    fn shuffle(rounds: usize) -> (Position, Vec<Move>) {
        let start = Position::from_fen("3k5/9/r8/9/9/9/9/R8/9/4K4 w - - 0 1").unwrap();
        let cycle = line("a2b2 a7b7 b2a2 b7a7");
        (start, cycle.iter().copied().cycle().take(2 * rounds).collect())
    }

    fn claim(claimant: Color) -> Claim {
        Claim { claimant: Some(claimant), ..Claim::default() }
    }

    #[test]
    fn sixty_rounds_are_a_hundred_and_twenty_plies() {
        let (start, moves) = shuffle(60);
        let one_short = audit(&start, &moves[..119], &[], &claim(Color::Red));
        assert_eq!(one_short.verdict, Verdict::Rejected);
        assert_eq!((one_short.claimant_moves, one_short.opponent_moves, one_short.rounds), (60, 59, 59));
        assert_eq!(one_short.penalty, Some(Penalty::FoulAndFiveMinutes));
        let full = audit(&start, &moves, &[], &claim(Color::Red));
        assert_eq!((full.verdict, full.first_true_ply, full.trace.len()), (Verdict::Draw, Some(120), 120));
        assert!(full.trace.iter().all(|t| t.why.counts()));
    }

    #[test]
    fn checks_of_the_claimant_beyond_ten_are_struck_and_the_opponents_are_not() {
        // Red checks in every round: rook to and fro on the black king's file and rank.
        let start = Position::from_fen("3k5/R8/9/9/9/9/9/9/9/4K4 w - - 0 1").unwrap();
        let checks = line("a8a9 d9d8 a9a8 d8d9");
        let moves: Vec<Move> = checks.iter().copied().cycle().take(124).collect();
        let mine = audit(&start, &moves, &[], &claim(Color::Red));
        assert_eq!((mine.claimant_moves, mine.claimant_checks, mine.counted), (62, 62, 10));
        assert_eq!(mine.verdict, Verdict::Rejected);
        assert_eq!(mine.trace.iter().filter(|t| !t.why.counts()).count(), 52);
        let theirs = audit(&start, &moves, &[], &claim(Color::Black));
        // True already before Black's last move, which therefore is not counted.
        assert_eq!((theirs.verdict, theirs.at, theirs.counted, theirs.opponent_moves), (Verdict::Draw, 123, 61, 62));
    }

    #[test]
    fn the_earlier_of_the_two_positions_of_a_claim_governs() {
        let (start, mut moves) = shuffle(60);
        // Red's 61st move would take something: the claim made with it still rests on the position before it.
        let pending = Claim { pending: Some("a2a7".parse().unwrap()), ..claim(Color::Red) };
        let verdict = audit(&start, &moves, &[], &pending);
        assert_eq!((verdict.verdict, verdict.at), (Verdict::Draw, 120));
        moves.pop();
        let completing = Claim { pending: Some(moves.pop().unwrap()), limit: Some(59), ..claim(Color::Red) };
        let verdict = audit(&start, &moves, &[], &completing);
        assert_eq!((verdict.verdict, verdict.at), (Verdict::Draw, 118));
        let illegal = Claim { pending: Some("a2a9".parse().unwrap()), ..claim(Color::Red) };
        assert_eq!(audit(&start, &moves, &[], &illegal).findings[0].code, codes::PENDING_MOVE);
    }

    #[test]
    fn holes_behind_the_last_capture_refuse_and_holes_before_it_do_not() {
        let start = Position::from_fen("3k5/9/r8/9/9/p8/9/R8/9/4K4 w - - 0 1").unwrap();
        let moves = line("a2b2 a7b7 b2a2 b7a7 a2a4 a7b7 a4b4 b7a7");
        let hole = |after_ply| [Hole { after_ply, capture: HoleCapture::May }];
        let open = Claim { limit: Some(1), ..claim(Color::Red) };
        assert_eq!(audit(&start, &moves, &hole(2), &open).verdict, Verdict::Draw);
        assert_eq!(audit(&start, &moves, &hole(6), &open).verdict, Verdict::Refused);
        let audit = audit(&start, &moves, &[], &open);
        assert_eq!((audit.last_capture_ply, audit.quiet_plies, audit.first_true_ply), (5, 3, Some(7)));
        assert!(matches!(audit.trace[0].why, Why::Capture(_)));
    }

    #[test]
    fn a_second_untrue_claim_in_one_stage_loses_and_a_capture_opens_a_new_stage() {
        let (start, moves) = shuffle(40);
        let second = Claim { earlier: vec![20], ..claim(Color::Red) };
        assert_eq!(audit(&start, &moves, &[], &second).penalty, Some(Penalty::LossBySecondClaim));
        let mut after_capture = moves;
        after_capture.extend(line("a2a7 d9d8"));
        assert_eq!(audit(&start, &after_capture, &[], &second).penalty, Some(Penalty::FoulAndFiveMinutes));
        let poor = Claim { seconds_left: Some(300), ..claim(Color::Red) };
        assert_eq!(audit(&start, &after_capture, &[], &poor).penalty, Some(Penalty::LossOnTime));
    }

    #[test]
    fn editions_without_the_rule_refuse_unless_the_event_has_a_limit() {
        let (start, moves) = shuffle(60);
        let old = Claim { edition: Edition::Y1956, ..claim(Color::Red) };
        assert_eq!(audit(&start, &moves, &[], &old).verdict, Verdict::Refused);
        assert_eq!(audit(&start, &moves, &[], &Claim { limit: Some(50), ..old }).verdict, Verdict::Draw);
    }
}
