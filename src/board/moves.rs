//! Legal moves: generating, counting, and judging a single one.

use super::attack::{ADVISOR, ELEPHANT, HORSE, KING, cannon_line, rook_line};
use super::piece::{Color, Kind};
use super::position::{Illegal, Position, bits};
use super::safety::Watch;
use super::square::{Move, Square};
use std::ops::{ControlFlow, Deref};

/// A list of moves that lives on the stack. Holds every legal move of any arrangement of a full set of pieces.
#[derive(Clone, Copy)]
pub struct MoveList {
    moves: [Move; MoveList::CAPACITY],
    length: u8,
}

impl MoveList {
    /// More than the most moves one side can have: 17 for each rook and cannon, 8 a horse, 4 an elephant and advisor,
    /// 3 a pawn, 4 the king make 119. Diagrams with more pieces than a set holds may drop moves beyond this.
    const CAPACITY: usize = 240;

    pub(super) const fn new() -> MoveList {
        MoveList { moves: [Move::new(Square::known(0), Square::known(0)); MoveList::CAPACITY], length: 0 }
    }

    pub(super) fn sort(&mut self) {
        self.moves[..self.length as usize].sort_unstable();
    }
}

impl Deref for MoveList {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.moves[..self.length as usize]
    }
}

impl std::fmt::Debug for MoveList {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Takes moves from the generator: one by one, or a whole line of targets at once.
pub(super) trait Sink {
    /// One legal move; `Break` ends the generation.
    fn one(&mut self, m: Move) -> ControlFlow<()>;

    /// Legal moves to each point set in `line`; `square` turns a bit into a point.
    #[inline]
    fn line(&mut self, from: Square, mut line: u16, square: impl Fn(u32) -> Square) -> ControlFlow<()> {
        while line != 0 {
            self.one(Move::new(from, square(line.trailing_zeros())))?;
            line &= line - 1;
        }
        ControlFlow::Continue(())
    }
}

impl Sink for MoveList {
    #[inline]
    fn one(&mut self, m: Move) -> ControlFlow<()> {
        if let Some(slot) = self.moves.get_mut(self.length as usize) {
            *slot = m;
            self.length += 1;
        }
        ControlFlow::Continue(())
    }
}

/// Counts without looking at the moves.
struct Count(u64);

impl Sink for Count {
    #[inline]
    fn one(&mut self, _: Move) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }

    #[inline]
    fn line(&mut self, _: Square, line: u16, _: impl Fn(u32) -> Square) -> ControlFlow<()> {
        self.0 += u64::from(line.count_ones());
        ControlFlow::Continue(())
    }
}

/// Stops at the first move.
struct Any(bool);

impl Sink for Any {
    fn one(&mut self, _: Move) -> ControlFlow<()> {
        self.0 = true;
        ControlFlow::Break(())
    }
}

impl Position {
    /// Pieces of both sides on a rank, bit `file`.
    #[inline]
    pub(super) fn row(&self, rank: u8) -> u16 {
        self.sides[0].rows[rank as usize] | self.sides[1].rows[rank as usize]
    }

    /// Pieces of both sides on a file, bit `rank`.
    #[inline]
    pub(super) fn column(&self, file: u8) -> u16 {
        self.sides[0].columns[file as usize] | self.sides[1].columns[file as usize]
    }

    /// Feeds every legal move of the side to move to the sink, in no particular order.
    pub(super) fn generate(&self, sink: &mut impl Sink) {
        if let Some(watch) = self.watch() {
            let _ = self.generate_watched(&watch, sink);
        }
    }

    fn generate_watched(&self, watch: &Watch, sink: &mut impl Sink) -> ControlFlow<()> {
        let own = &self.sides[self.side.index()];
        for from in bits(own.all) {
            let Some(piece) = self.board[from.index()] else { continue };
            let kind = piece.kind();
            // A move is proved by looking when it might expose the general; all others are safe as they are.
            let prove_all = watch.check || watch.from & from.bit() != 0 || kind == Kind::King;
            match kind {
                Kind::Rook | Kind::Cannon => {
                    let (file, rank) = (from.file(), from.rank());
                    let (row, column) = (self.row(rank), self.column(file));
                    let mut across = rook_line(u32::from(file), row, 9);
                    let mut along = rook_line(u32::from(rank), column, 10);
                    if kind == Kind::Rook {
                        across &= !own.rows[rank as usize];
                        along &= !own.columns[file as usize];
                    } else {
                        across = across & !row | cannon_line(u32::from(file), row) & !own.rows[rank as usize];
                        along = along & !column | cannon_line(u32::from(rank), column) & !own.columns[file as usize];
                    }
                    let on_row = |bit: u32| Square::known(rank * 9 + bit as u8);
                    let on_column = |bit: u32| Square::known(bit as u8 * 9 + file);
                    if prove_all || watch.to != 0 {
                        across = self.proved(from, across, on_row, watch, prove_all);
                        along = self.proved(from, along, on_column, watch, prove_all);
                    }
                    sink.line(from, across, on_row)?;
                    sink.line(from, along, on_column)?;
                }
                _ => self.for_each_step(from, kind, self.side, |to| {
                    if own.all & to.bit() != 0 {
                        return ControlFlow::Continue(());
                    }
                    let m = Move::new(from, to);
                    if (prove_all || watch.to & to.bit() != 0) && self.attacker_after(m).is_some() {
                        return ControlFlow::Continue(());
                    }
                    sink.one(m)
                })?,
            }
        }
        ControlFlow::Continue(())
    }

    /// The targets in `line` that do not expose the general.
    fn proved(&self, from: Square, line: u16, square: impl Fn(u32) -> Square, watch: &Watch, all: bool) -> u16 {
        let mut safe = 0;
        let mut rest = line;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            let to = square(bit);
            if !(all || watch.to & to.bit() != 0) || self.attacker_after(Move::new(from, to)).is_none() {
                safe |= 1 << bit;
            }
        }
        safe
    }

    /// Every point a king, advisor, elephant, horse or pawn on `from` steps to, whatever stands there.
    #[inline]
    fn for_each_step(
        &self,
        from: Square,
        kind: Kind,
        color: Color,
        mut step: impl FnMut(Square) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match kind {
            Kind::Horse => {
                for s in HORSE[from.index()].as_slice() {
                    if self.board[s.over.index()].is_none() {
                        step(s.to)?;
                    }
                }
            }
            Kind::Elephant => {
                for s in ELEPHANT[from.index()].as_slice() {
                    if self.board[s.over.index()].is_none() {
                        step(s.to)?;
                    }
                }
            }
            Kind::Advisor => {
                for s in ADVISOR[from.index()].as_slice() {
                    step(s.to)?;
                }
            }
            Kind::King => {
                for s in KING[from.index()].as_slice() {
                    step(s.to)?;
                }
            }
            Kind::Pawn => {
                if let Some(to) = from.step(0, color.forward()) {
                    step(to)?;
                }
                if from.rank_for(color) >= 5 {
                    for side in [-1, 1] {
                        if let Some(to) = from.step(side, 0) {
                            step(to)?;
                        }
                    }
                }
            }
            Kind::Rook | Kind::Cannon => {}
        }
        ControlFlow::Continue(())
    }

    /// Whether the side to move has any legal move.
    pub fn has_legal_move(&self) -> bool {
        let mut any = Any(false);
        self.generate(&mut any);
        any.0
    }

    /// How many legal moves the side to move has.
    pub fn count_legal_moves(&self) -> u64 {
        let mut count = Count(0);
        self.generate(&mut count);
        count.0
    }

    /// Number of legal lines of `depth` plies. The last ply is counted, not played.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_legal_moves(),
            _ => {
                let mut moves = MoveList::new();
                self.generate(&mut moves);
                let mut nodes = 0;
                for &m in moves.iter() {
                    let mut next = *self;
                    next.play(m);
                    nodes += next.perft(depth - 1);
                }
                nodes
            }
        }
    }

    /// Points the piece on `square` attacks or moves to by its way of moving alone, whatever the safety of its general:
    /// own pieces and empty cannon targets left out. Empty if nothing stands there.
    pub fn targets(&self, square: Square) -> impl Iterator<Item = Square> + '_ {
        let mut set = 0u128;
        if let Some(piece) = self.piece_at(square) {
            let own = &self.sides[piece.color().index()];
            let (file, rank) = (square.file(), square.rank());
            match piece.kind() {
                Kind::Rook | Kind::Cannon => {
                    let (row, column) = (self.row(rank), self.column(file));
                    let mut across = rook_line(u32::from(file), row, 9);
                    let mut along = rook_line(u32::from(rank), column, 10);
                    if piece.kind() == Kind::Cannon {
                        across = across & !row | cannon_line(u32::from(file), row);
                        along = along & !column | cannon_line(u32::from(rank), column);
                    }
                    set |= u128::from(across) << (u32::from(rank) * 9);
                    while along != 0 {
                        set |= 1 << (along.trailing_zeros() * 9 + u32::from(file));
                        along &= along - 1;
                    }
                }
                kind => {
                    let _ = self.for_each_step(square, kind, piece.color(), |to| {
                        set |= to.bit();
                        ControlFlow::Continue(())
                    });
                }
            }
            set &= !own.all;
        }
        bits(set)
    }

    /// Whether the move is legal for the side to move.
    #[inline]
    pub fn is_legal(&self, m: Move) -> bool {
        self.is_pseudo_legal(m) && self.kings[self.side.index()].is_some() && self.attacker_after(m).is_none()
    }

    /// Whether the side to move has a piece on the from-square that moves so, not asking about its general.
    #[inline]
    pub fn is_pseudo_legal(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.board[from.index()] else { return false };
        if piece.color() != self.side || self.sides[self.side.index()].all & to.bit() != 0 {
            return false;
        }
        match piece.kind() {
            kind @ (Kind::Rook | Kind::Cannon) => {
                let (at, bit, line, length) = if from.file() == to.file() {
                    (from.rank(), to.rank(), self.column(from.file()), 10)
                } else if from.rank() == to.rank() {
                    (from.file(), to.file(), self.row(from.rank()), 9)
                } else {
                    return false;
                };
                let reach = if kind == Kind::Cannon && line >> bit & 1 == 1 {
                    cannon_line(u32::from(at), line)
                } else {
                    rook_line(u32::from(at), line, length)
                };
                reach >> bit & 1 == 1
            }
            Kind::Horse => {
                let (files, ranks) = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
                let leg = match (files.abs(), ranks.abs()) {
                    (1, 2) => from.step(0, ranks / 2),
                    (2, 1) => from.step(files / 2, 0),
                    _ => return false,
                };
                leg.is_some_and(|leg| self.board[leg.index()].is_none())
            }
            Kind::Pawn => {
                let forward = from.step(0, piece.color().forward()) == Some(to);
                forward
                    || from.rank() == to.rank()
                        && from.file().abs_diff(to.file()) == 1
                        && from.rank_for(piece.color()) >= 5
            }
            kind => self
                .for_each_step(from, kind, piece.color(), |target| {
                    if target == to { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })
                .is_break(),
        }
    }

    /// Proves a move legal for the side to move.
    ///
    /// # Errors
    ///
    /// The nearest reason why it is not, in the order of [`Illegal`].
    pub fn prove(&self, m: Move) -> Result<(), Illegal> {
        let (from, to) = (m.from(), m.to());
        let piece = self.piece_at(from).ok_or(Illegal::Empty(from))?;
        if piece.color() != self.side {
            return Err(Illegal::NotYours(from, piece));
        }
        if let Some(own) = self.piece_at(to).filter(|p| p.color() == self.side) {
            return Err(Illegal::OwnPiece(to, own));
        }
        if !self.is_pseudo_legal(m) {
            return Err(self.obstacle(m, piece.kind()));
        }
        if self.kings[self.side.index()].is_none() {
            return Err(Illegal::NoKing(self.side));
        }
        match self.attacker_after(m) {
            None => Ok(()),
            Some(square) => {
                let attacker = if square == to { None } else { self.piece_at(square) };
                Err(match attacker {
                    Some(attacker) if attacker.kind() != Kind::King => Illegal::Attacked(square, attacker),
                    _ => Illegal::FacingGenerals,
                })
            }
        }
    }

    /// Why a piece does not reach a point: what stands in the way, or that it never moves so.
    fn obstacle(&self, m: Move, kind: Kind) -> Illegal {
        let (from, to) = (m.from(), m.to());
        let (files, ranks) = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
        let over = match kind {
            Kind::Horse => HORSE[from.index()].as_slice().iter().find(|s| s.to == to).map(|s| s.over),
            Kind::Elephant => ELEPHANT[from.index()].as_slice().iter().find(|s| s.to == to).map(|s| s.over),
            Kind::Rook | Kind::Cannon if (files == 0) != (ranks == 0) => {
                let step = (files.signum(), ranks.signum());
                let mut between = Vec::new();
                let mut point = from.step(step.0, step.1);
                while let Some(square) = point
                    && square != to
                {
                    between.extend(self.piece_at(square).map(|_| square));
                    point = square.step(step.0, step.1);
                }
                if kind == Kind::Cannon && self.piece_at(to).is_some() {
                    return Illegal::Screens(between.len() as u8);
                }
                between.first().copied()
            }
            _ => None,
        };
        match over.and_then(|square| Some((square, self.piece_at(square)?))) {
            Some((square, piece)) => Illegal::Blocked(square, piece),
            None => Illegal::Geometry(kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    fn legal_from(fen: &str, from: &str) -> Vec<String> {
        let from: Square = from.parse().unwrap();
        position(fen).legal_moves().iter().filter(|m| m.from() == from).map(|m| m.to().to_string()).collect()
    }

    #[test]
    fn an_elephant_captures_when_only_its_eye_is_free() {
        // LEG-1
        assert_eq!(legal_from("3k5/9/9/9/9/6n2/9/2n1B4/3P5/5K3 w", "e2"), ["g0", "c4", "g4"]);
        assert_eq!(legal_from("3k5/9/9/9/9/6n2/5p3/4B4/9/5K3 w", "e2"), ["c0", "g0", "c4"]);
    }

    #[test]
    fn a_move_that_leaves_the_generals_facing_is_illegal_and_says_so() {
        // LEG-3
        let open = position("4k4/9/9/9/4R4/9/9/9/9/4K4 w");
        assert_eq!(open.prove("e5a5".parse().unwrap()), Err(Illegal::FacingGenerals));
        let pinned = position("4k4/9/4P4/9/9/9/9/9/9/4K4 w");
        let moves: Vec<_> = pinned.legal_moves().iter().map(Move::to_string).collect();
        assert_eq!(moves, ["e0d0", "e0f0", "e0e1", "e7e8"]);
    }

    #[test]
    fn a_refused_move_names_the_nearest_reason() {
        let start = Position::start();
        let why = |m: &str| start.prove(m.parse().unwrap()).unwrap_err().to_string();
        assert_eq!(why("e5e6"), "no piece on e5");
        assert_eq!(why("h9g7"), "Black horse on h9 is not the mover's");
        assert_eq!(why("i0g0"), "own Red elephant stands on g0");
        assert_eq!(why("h0f1"), "blocked by the Red elephant on g0");
        assert_eq!(why("h2h8"), "blocked by the Black cannon on h7");
        assert_eq!(why("b2b7"), "a cannon captures over exactly one piece, here 0");
        assert_eq!(why("e3d3"), "a pawn does not move so");
    }

    #[test]
    fn every_generated_move_is_proved_and_every_proved_move_is_generated() {
        let mut seed = 99u32;
        for _ in 0..40 {
            let mut position = Position::start();
            for _ in 0..150 {
                let legal = position.legal_moves();
                let mut proved = Vec::new();
                for from in Square::all() {
                    for to in Square::all() {
                        let m = Move::new(from, to);
                        assert_eq!(position.is_legal(m), position.prove(m).is_ok(), "{position:?} {m}");
                        if position.is_legal(m) {
                            proved.push(m);
                        }
                    }
                }
                assert_eq!(&*legal, &proved[..], "{position:?}");
                assert_eq!(position.count_legal_moves(), legal.len() as u64);
                assert_eq!(position.has_legal_move(), !legal.is_empty());
                if legal.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12345);
                position.play(legal[(seed >> 16) as usize % legal.len()]);
            }
        }
    }
}
