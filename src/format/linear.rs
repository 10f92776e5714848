//! Trees stored as a row of records: a record, the whole subtree of its first child, then its next alternative.
//!
//! XQF, CBR, CBL, CBF and XQR all write trees in this order; they differ only in how a record says that a child or an
//! alternative follows. Comes in: one record after the other. Goes out: the tree with every ply proved on the board, and
//! the plies that could not be played, as text. One position is kept and moves are taken back along the way, so that a
//! line of a hundred thousand plies costs no more than as many short ones.
//!
//! - A ply that cannot be played cuts its branch: it and all below it become text, the rest of the tree is kept.
//! - A ply that only leaves the mover's own general attacked is kept; studies and slips of the pen contain such plies.

use super::fold::Unfolded;
use super::{ReadGame, Status};
use crate::board::{Color, Illegal, Move, Position, Square, Undo};
use crate::diag::{Finding, Message, codes};
use crate::game::{Game, GameResult, Headers, NodeId, Tree};
use crate::work::{Work, note};
use std::fmt::Write;

/// More findings than this of one kind in one game are counted, not listed.
const MOST_FINDINGS: usize = 20;

/// Builds a tree from records.
#[derive(Debug)]
pub(super) struct LinearTree {
    tree: Tree,
    position: Position,
    /// The plies on the board, from the start.
    path: Vec<Step>,
    /// How many plies below the board's the next record hangs: they are lost.
    dead: usize,
    /// For each alternative still to come, the depth of its parent.
    waiting: Vec<usize>,
    open: bool,
    /// The plies and comments cut off, as text: one line for each branch, its ply number, its plies in coordinates, its
    /// comments in braces.
    rest: String,
    /// The depth of the ply written into it last.
    rest_depth: usize,
    findings: Vec<Finding>,
    unplayable: usize,
    exposed: usize,
}

#[derive(Debug)]
struct Step {
    node: NodeId,
    m: Move,
    undo: Undo,
}

/// What the comment of a record belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A node of the tree.
    Node(NodeId),
    /// A ply that was cut off: its comment has to come before the next record.
    Lost,
}

/// What comes out of a row of records.
#[derive(Debug)]
struct Built {
    tree: Tree,
    /// The plies and comments cut off, as text.
    rest: String,
    findings: Vec<Finding>,
    /// Whether a ply was cut off.
    cut: bool,
}

/// What a record says besides its tree.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub headers: Headers,
    pub start: Position,
    pub result: GameResult,
    /// What comments held besides comments.
    pub unfolded: Unfolded,
    pub findings: Vec<Finding>,
    /// Whether plies are known to be missing for another reason than that they cannot be played.
    pub damaged: bool,
    /// The record tells a start position that could not be read.
    pub start_unread: bool,
}

impl Record {
    /// Takes the start position the record tells. If it cannot be read, no ply can be proved: all of them become text, and
    /// what was written stays as a header, as in PGN.
    pub fn start_from(&mut self, fen: &str, byte: u64) {
        match Position::from_fen(fen) {
            Ok(start) => self.start = start,
            Err(why) => self.unread_start(fen, byte, crate::say!("{why}"; "{}", why.chinese())),
        }
    }

    /// Notes that the start position cannot be read.
    pub fn unread_start(&mut self, written: &str, byte: u64, why: Message) {
        self.findings.push(Finding::new(codes::BAD_FEN, why).text(written).byte(byte));
        self.headers.push("FEN", written);
        self.start = Position::empty(Color::Red);
        (self.damaged, self.start_unread) = (true, true);
    }

    /// Adds a comment to its ply.
    pub fn comment(&mut self, tree: &mut LinearTree, target: Target, text: String) {
        match target {
            Target::Node(node) => self.unfolded.unfold(&mut tree.tree, node, text),
            Target::Lost if !text.is_empty() => {
                let _ = write!(tree.rest, " {{{text}}}");
            }
            Target::Lost => {}
        }
    }

    /// Puts record and tree together.
    pub fn finish(mut self, tree: LinearTree, number: u64, encoding: &'static str) -> ReadGame {
        let (mut rest, trailer) = self.unfolded.apply(&mut self.headers, &mut self.start);
        let mut built = tree.finish();
        if self.start_unread {
            // On the empty board that stood for it no ply could be played; that says nothing about the plies.
            built.findings.clear();
            self.start = Position::start();
        }
        self.findings.extend(built.findings);
        if !built.rest.is_empty() {
            rest.push_str(if rest.is_empty() { "" } else { "\n" });
            rest.push_str(&built.rest);
        }
        let status = Status::of(built.cut || self.damaged, built.tree.ply_count());
        let Record { headers, start, result, findings, .. } = self;
        let game = Game { headers, start, tree: built.tree, result, rest, trailer };
        ReadGame { game, number, encoding, status, findings }
    }
}

/// Makes it the turn of the side whose piece moves first, with a finding if the record said otherwise; `told` is whether
/// it did say anything.
pub(super) fn settle_side(
    start: &mut Position,
    from: Option<Square>,
    told: bool,
    byte: Option<u64>,
    findings: &mut Vec<Finding>,
) {
    let mover = from.and_then(|square| start.piece_at(square)).map(|piece| piece.color());
    let said = start.side_to_move();
    if let Some(mover) = mover
        && mover != said
    {
        start.set_side_to_move(mover);
        if told {
            let text = crate::say!(
                "the header says {said} moves first, the first ply is {mover}'s";
                "头部写{}先走, 第一着却是{}的", said.chinese(), mover.chinese()
            );
            let mut finding = Finding::new(codes::SIDE_CONTRADICTED, text);
            finding.byte = byte;
            findings.push(finding);
        }
    }
}

/// Reports a start position that no game can reach. An empty board is a heading without a position.
pub(super) fn report_faults(start: &Position, byte: Option<u64>, findings: &mut Vec<Finding>) {
    if *start == Position::start() || start.pieces().next().is_none() {
        return;
    }
    for fault in start.faults() {
        let mut finding = Finding::new(codes::IMPOSSIBLE_POSITION, crate::say!("{fault}"; "{}", fault.chinese()))
            .text(start.to_fen());
        finding.byte = byte;
        findings.push(finding);
    }
}

impl LinearTree {
    /// A tree of the start position alone; `child` tells whether a ply follows.
    pub fn new(start: Position, child: bool) -> LinearTree {
        LinearTree {
            tree: Tree::new(),
            position: start,
            path: Vec::new(),
            dead: 0,
            waiting: Vec::new(),
            open: child,
            rest: String::new(),
            rest_depth: 0,
            findings: Vec::new(),
            unplayable: 0,
            exposed: 0,
        }
    }

    /// Makes room for plies that are likely to come.
    pub fn reserve(&mut self, plies: usize) {
        self.tree.reserve(plies);
    }

    /// Whether another record belongs to the tree.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// The ply number (from 1) of the next record.
    pub fn next_ply(&self) -> u32 {
        u32::try_from(self.path.len() + self.dead + 1).unwrap_or(u32::MAX)
    }

    /// Whether the next record continues the main line.
    pub fn in_main_line(&self) -> bool {
        self.path.last().map_or(NodeId::ROOT, |step| step.node).index() == self.path.len()
            && self.tree.ply_count() == self.path.len()
    }

    /// Takes the next record: a ply (or two numbers that are no squares), whether a child follows, whether an alternative
    /// follows later, and where in the file it stands.
    pub fn push(&mut self, squares: Result<Move, (u8, u8)>, child: bool, sibling: bool, byte: u64) -> Target {
        note(Work::Items, 1);
        let depth = self.path.len() + self.dead;
        if sibling {
            self.waiting.push(depth);
        }
        let target = match squares {
            Ok(m) if self.dead == 0 && self.accepts(m, byte) => {
                let node = self.tree.add(self.path.last().map_or(NodeId::ROOT, |step| step.node), m);
                if child {
                    let undo = self.position.play(m);
                    self.path.push(Step { node, m, undo });
                }
                Target::Node(node)
            }
            squares => {
                let first = self.dead == 0;
                if let (true, Err((from, to))) = (first, squares) {
                    self.unplayable(
                        Finding::new(
                            codes::UNPLAYABLE_PLY,
                            crate::say!("its squares are not on the board"; "起点或终点不在盘上"),
                        )
                        .text(format!("{from} {to}")),
                        byte,
                    );
                }
                self.lose(depth + 1, first, squares);
                self.dead += usize::from(child);
                Target::Lost
            }
        };
        if !child {
            match self.waiting.pop() {
                Some(depth) => self.return_to(depth),
                None => self.open = false,
            }
        }
        target
    }

    fn return_to(&mut self, depth: usize) {
        self.dead = depth.saturating_sub(self.path.len());
        while self.path.len() > depth
            && let Some(Step { m, undo, .. }) = self.path.pop()
        {
            self.position.undo(m, undo);
        }
    }

    /// Whether the ply goes into the tree.
    fn accepts(&mut self, m: Move, byte: u64) -> bool {
        if self.position.is_legal(m) {
            return true;
        }
        match self.position.prove(m) {
            Ok(()) => true,
            Err(why @ (Illegal::Attacked(..) | Illegal::FacingGenerals | Illegal::NoKing(_))) => {
                self.exposed += 1;
                if self.exposed <= MOST_FINDINGS {
                    let finding = Finding::new(codes::GENERAL_LEFT_ATTACKED, crate::say!("{why}"; "{}", why.chinese()));
                    self.findings.push(finding.text(m.to_string()).ply(self.next_ply()).byte(byte));
                }
                true
            }
            Err(why) => {
                let finding = Finding::new(codes::UNPLAYABLE_PLY, crate::say!("{why}"; "{}", why.chinese()));
                self.unplayable(finding.text(m.to_string()), byte);
                false
            }
        }
    }

    fn unplayable(&mut self, finding: Finding, byte: u64) {
        self.unplayable += 1;
        if self.unplayable <= MOST_FINDINGS {
            let mut finding = finding.ply(self.next_ply()).byte(byte);
            if !self.in_main_line() {
                finding.message.push_str(" (in a side line)");
                finding.chinese.iter_mut().for_each(|chinese| chinese.push_str(" (变着中)"));
            }
            self.findings.push(finding);
        }
    }

    /// Ends the tree.
    fn finish(mut self) -> Built {
        for (count, code, what, chinese) in [
            (self.unplayable, codes::UNPLAYABLE_PLY, "plies that cannot be played", "走不了的着法"),
            (self.exposed, codes::GENERAL_LEFT_ATTACKED, "plies that leave the general attacked", "走后将帅受攻的着法"),
        ] {
            if count > MOST_FINDINGS {
                let more = count - MOST_FINDINGS;
                self.findings.push(Finding::new(
                    code,
                    crate::say!("{more} more {what} in this game"; "本局另有 {more} 个{chinese}"),
                ));
            }
        }
        Built { cut: !self.rest.is_empty(), rest: self.rest, tree: self.tree, findings: self.findings }
    }

    /// Writes a ply that is not in the tree; `first` is the one that could not be played, as opposed to one below it.
    fn lose(&mut self, depth: usize, first: bool, squares: Result<Move, (u8, u8)>) {
        if first || depth != self.rest_depth + 1 {
            self.rest.push_str(if self.rest.is_empty() { "" } else { "\n" });
            let _ = write!(self.rest, "{depth}:");
        }
        self.rest_depth = depth;
        let _ = match squares {
            Ok(m) => write!(self.rest, " {m}"),
            Err((from, to)) => write!(self.rest, " ({from} {to})"),
        };
    }
}

/// A ply (or two numbers that are no squares) and where it stands in the file.
pub(super) type PlyAt = (Result<Move, (u8, u8)>, u64);

/// A line without alternatives from the start position.
pub(super) fn single_line(start: Position, moves: impl ExactSizeIterator<Item = PlyAt>) -> LinearTree {
    let last = moves.len();
    let mut tree = LinearTree::new(start, last > 0);
    for (number, (squares, byte)) in (1..).zip(moves) {
        tree.push(squares, number < last, false, byte);
    }
    tree
}

/// How many of the moves can be played one after another.
pub(super) fn playable(start: Position, moves: impl Iterator<Item = Result<Move, (u8, u8)>>) -> usize {
    let mut position = start;
    moves
        .take_while(|m| {
            let fits = m.is_ok_and(|m| position.is_legal(m));
            if let (true, Ok(m)) = (fits, m) {
                position.play(*m);
            }
            fits
        })
        .count()
}

/// A move from two square numbers `file * 10 + rank`, or the numbers if they are not on the board.
pub(super) fn decimal_move(from: u8, to: u8) -> Result<Move, (u8, u8)> {
    match (decimal_square(from), decimal_square(to)) {
        (Some(a), Some(b)) => Ok(Move::new(a, b)),
        _ => Err((from, to)),
    }
}

/// The square `file * 10 + rank`.
pub(super) fn decimal_square(number: u8) -> Option<Square> {
    Square::new(number / 10, number % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn m(text: &str) -> Result<Move, (u8, u8)> {
        Ok(text.parse().unwrap())
    }

    #[test]
    fn a_cut_branch_takes_its_subtree_with_it_and_nothing_else() {
        let mut tree = LinearTree::new(Position::start(), true);
        let target = tree.push(m("h2e2"), true, true, 0);
        assert!(matches!(target, Target::Node(_)));
        // From an empty square, with a child that has an alternative: all three are lost.
        let lost = tree.push(m("e5e6"), true, true, 1);
        Record::default().comment(&mut tree, lost, "why".into());
        tree.push(m("h0g2"), false, true, 2);
        tree.push(m("b0c2"), false, false, 3);
        // The alternative to the lost ply, and the one to the first.
        tree.push(m("h9g7"), false, false, 4);
        assert!(tree.is_open());
        tree.push(m("c3c4"), false, false, 5);
        assert!(!tree.is_open());
        let built = tree.finish();
        let moves: Vec<_> = built.tree.walk().map(|(id, depth)| (built.tree[id].m.to_string(), depth)).collect();
        assert_eq!(moves, [("h2e2".to_string(), 1), ("h9g7".to_string(), 2), ("c3c4".to_string(), 1)]);
        assert_eq!(built.rest, "2: e5e6 {why} h0g2\n3: b0c2");
        assert_eq!(built.findings.len(), 1);
        assert_eq!((built.findings[0].ply, built.findings[0].text.as_deref()), (Some(2), Some("e5e6")));
    }

    #[test]
    fn where_the_start_is_unknown_no_ply_is_played() {
        let mut record = Record::default();
        record.start_from("no position", 7);
        let tree = single_line(record.start, [m("h2e2"), m("h9g7")].into_iter().map(|m| (m, 9)));
        let read = record.finish(tree, 1, "utf-8");
        assert_eq!((read.status, read.game.tree.ply_count()), (Status::Failed, 0));
        assert_eq!(read.game.rest, "1: h2e2 h9g7");
        assert_eq!(read.game.headers.get_raw("FEN"), Some("no position"));
        let findings: Vec<_> = read.findings.iter().map(|finding| (finding.code, finding.byte)).collect();
        assert_eq!(findings, [(codes::BAD_FEN, Some(7))]);
    }

    #[test]
    fn a_ply_that_leaves_the_general_attacked_stays_with_a_finding() {
        let start = Position::from_fen("3rk4/9/9/9/9/9/9/9/9/3K5 w").unwrap();
        let mut tree = LinearTree::new(start, true);
        tree.push(m("d0d1"), false, false, 0);
        let built = tree.finish();
        assert_eq!((built.tree.ply_count(), built.cut), (1, false));
        assert_eq!(built.findings[0].code, codes::GENERAL_LEFT_ATTACKED);
    }
}
