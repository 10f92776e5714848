//! What the move model looks at: each ply of a graph as a short list of numbered features.
//!
//! A feature is a yes/no statement about a ply in its place ("a rook goes from here to there", "it leaves a horse to be
//! taken for nothing", "it takes back"). Numbers are fixed by the layout below; the trained table gives each a weight.
//! Left and right are alike, Red and Black are alike: a ply is seen from its mover, mirrored to the right half.

use super::exchange::{Threat, exchange, threat, worth};
use super::pattern::{Directions, describe};
use crate::board::{Color, Kind, Move, Piece, Position, Square};

/// A board with what the features ask of it.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// The board.
    pub position: Position,
    /// The best exchange of the side to move.
    pub mine: Threat,
    /// The best exchange of the other side, were it its turn.
    pub theirs: Threat,
    /// Whether the side to move is in check.
    pub check: bool,
    /// Whether the side to move has no legal move.
    pub over: bool,
    /// Whether the side to move can mate at once.
    pub mates: bool,
    /// Whether the other side could, were it its turn.
    pub threatens_mate: bool,
    /// Legal moves of the side to move.
    pub choices: u32,
    /// Points the strong pieces of each side reach.
    pub reach: [i32; 2],
    /// Pieces on the board.
    pub pieces: u32,
}

impl Scene {
    /// Looks at a board.
    pub fn new(position: Position) -> Scene {
        let side = position.side_to_move();
        let check = position.is_check();
        let legal = position.legal_moves();
        let mut passed = position;
        passed.set_side_to_move(!side);
        Scene {
            mates: can_mate(&position),
            threatens_mate: !check && can_mate(&passed),
            choices: legal.len() as u32,
            reach: Color::ALL.map(|color| reach(&position, color)),
            position,
            mine: threat(&position, side),
            theirs: threat(&position, !side),
            check,
            over: legal.is_empty(),
            pieces: Color::ALL.into_iter().map(|c| position.squares_of_side(c).count() as u32).sum(),
        }
    }
}

/// Whether the side to move has a move that ends the game.
fn can_mate(position: &Position) -> bool {
    let mut board = *position;
    position.legal_moves().iter().any(|&m| {
        let undo = board.play(m);
        let over = board.is_check() && !board.has_legal_move();
        board.undo(m, undo);
        over
    })
}

/// How many points the rooks, horses and cannons of a side reach.
fn reach(position: &Position, color: Color) -> i32 {
    position
        .squares_of_side(color)
        .filter(|&s| position.piece_at(s).is_some_and(|p| matches!(p.kind(), Kind::Rook | Kind::Horse | Kind::Cannon)))
        .map(|s| position.targets(s).count() as i32)
        .sum()
}

/// The plies before the one looked at, as far as they are known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Past {
    /// The opponent's last move, the kind moved and whether it captured.
    pub theirs: Option<(Move, Kind, bool)>,
    /// The opponent's move before that.
    pub theirs_before: Option<Move>,
    /// The mover's own last move.
    pub own: Option<Move>,
    /// The mover's move before that.
    pub own_before: Option<Move>,
}

/// Where a block of features begins.
struct Layout {
    next: u32,
}

impl Layout {
    const fn block(self, size: u32) -> (u32, Layout) {
        (self.next, Layout { next: self.next + size })
    }
}

macro_rules! layout {
    ($($name:ident $size:expr;)*) => {
        layout!(@ Layout { next: 0 }, $($name $size;)*);
    };
    (@ $layout:expr, $name:ident $size:expr; $($rest:tt)*) => {
        const $name: u32 = ($layout).block($size).0;
        layout!(@ ($layout).block($size).1, $($rest)*);
    };
    (@ $layout:expr,) => {
        /// How many features there are.
        pub const FEATURES: usize = ($layout).next as usize;
    };
}

layout! {
    WAY 7 * 50 * 90;
    STEP 3 * 7 * 3 * 9;
    RANK 3 * 7 * 3 * 10 * 2;
    TAKE 7 * 7 * 2 * 3;
    GAIN 2 * 24;
    HANG 3 * 8 * 8;
    MISS 8 * 8;
    FLEE 8 * 2 * 8;
    CHECK 2 * 2 * 3 * 2;
    AIM 8 * 8 * 2;
    END 4;
    LAST 16;
    AGAIN 7 * 2 * 3;
    BACK 7 * 2;
    REPLY 7 * 7 * 2 * 2;
    ROOM 3 * 12;
    HOME 7 * 2 * 10;
    EXPOSE 7 * 8;
    KING 7 * 3 * 3;
    NEAR 7 * 8;
    LATER 7 * 2;
    TRADE 8 * 8 * 2;
    HUNG 7 * 2 * 2 * 2;
    AIMED 7 * 2 * 2;
    CYCLE 7 * 8;
    MATE 2 * 2 * 2 * 2;
    SECOND 8 * 8;
    CHASE 7 * 7 * 2 * 2;
    GUARD 7 * 3 * 3 * 2;
    CHOICE 3 * 8;
    REACH 3 * 16;
    HINDER 3 * 16;
    TO 7 * 14 * 17 * 19;
    FROM 7 * 14 * 17 * 19;
    PAIR 65536;
}

/// Three phases by the pieces left.
fn phase(pieces: u32) -> u32 {
    match pieces {
        28.. => 0,
        18..=27 => 1,
        _ => 2,
    }
}

/// Eight steps for what an exchange wins.
fn step(gain: i32) -> u32 {
    match gain {
        ..=0 => 0,
        1..=2 => 1,
        3..=4 => 2,
        5..=7 => 3,
        8..=9 => 4,
        10..=14 => 5,
        15..=19 => 6,
        _ => 7,
    }
}

/// Where the features of a way stand: seen from the mover, from the right half of the board.
fn way(m: Move, kind: Kind, color: Color) -> u32 {
    let turn = |square: Square| if color == Color::Red { square } else { square.turn() };
    let (mut from, mut to) = (turn(m.from()), turn(m.to()));
    if from.file() < 4 || (from.file() == 4 && to.file() < 4) {
        (from, to) = (from.mirror(), to.mirror());
    }
    let from = u32::from(from.rank()) * 5 + u32::from(from.file() - 4);
    (kind.index() as u32 * 50 + from) * 90 + to.index() as u32
}

/// The one feature that needs no look at the board beyond the piece: the cheap measure of a move.
pub fn cheap(m: Move, position: &Position) -> Option<[usize; 2]> {
    let piece = position.piece_at(m.from())?;
    let (direction, number) = describe(m, piece.kind(), piece.color());
    let step =
        ((phase(24) * 7 + piece.kind().index() as u32) * 3 + direction_index(direction)) * 9 + u32::from(number - 1);
    Some([(WAY + way(m, piece.kind(), piece.color())) as usize, (STEP + step) as usize])
}

fn direction_index(direction: Directions) -> u32 {
    match direction {
        Directions::FORWARD => 0,
        Directions::BACK => 1,
        _ => 2,
    }
}

/// Appends the features of the ply `m` from `before` to `after`. `last` says that the record ends with it.
pub fn features(before: &Scene, m: Move, after: &Scene, past: &Past, ply: usize, last: bool, out: &mut Vec<u32>) {
    let position = &before.position;
    let Some(piece) = position.piece_at(m.from()) else { return };
    let (kind, color) = (piece.kind(), piece.color());
    let k = kind.index() as u32;
    let phase = phase(before.pieces);
    let captured = position.piece_at(m.to());
    let takes = u32::from(captured.is_some());
    let (direction, number) = describe(m, kind, color);
    let d = direction_index(direction);

    out.push(WAY + way(m, kind, color));
    out.push(STEP + ((phase * 7 + k) * 3 + d) * 9 + u32::from(number - 1));
    out.push(RANK + (((phase * 7 + k) * 3 + d) * 10 + u32::from(m.from().rank_for(color))) * 2 + takes);

    // What the move wins or loses on the point it goes to.
    let won = captured.map_or(0, |piece| worth(piece, m.to()));
    let mut board = after.position;
    let net = won - exchange(&mut board, m.to());
    let takes_back = u32::from(past.theirs.is_some_and(|(theirs, _, took)| took && theirs.to() == m.to()));
    if let Some(captured) = captured {
        let sign = match net {
            ..0 => 0,
            0 => 1,
            _ => 2,
        };
        out.push(TAKE + ((k * 7 + captured.kind().index() as u32) * 2 + takes_back) * 3 + sign);
    }
    out.push(GAIN + takes * 24 + (net.clamp(-12, 11) + 12) as u32);

    // What is left hanging, and whether it hung before.
    let (hung, hangs) = (step(before.theirs.gain), step(after.mine.gain));
    out.push(HANG + (phase * 8 + hung) * 8 + hangs);
    // What could have been won.
    out.push(MISS + step(before.mine.gain) * 8 + if takes == 1 { step(net) } else { 0 });
    // Whether the threatened piece is the one that moves.
    out.push(FLEE + (hung * 2 + u32::from(before.theirs.at == Some(m.from()))) * 8 + hangs);
    if after.mine.at == Some(m.to()) {
        out.push(EXPOSE + k * 8 + hangs);
    }
    let safe = u32::from(after.mine.gain == 0);
    if after.check {
        out.push(CHECK + (u32::from(before.check) * 2 + safe) * 6 + phase * 2 + takes);
    }
    // What it aims at.
    out.push(AIM + (step(before.mine.gain) * 8 + step(after.theirs.gain)) * 2 + takes);
    if after.over {
        out.push(END + u32::from(after.check));
    }
    if last {
        out.push(LAST + ((u32::from(after.check) * 2 + takes) * 2 + u32::from(after.theirs.gain > 0)) * 2 + safe);
    }

    out.push(
        MATE + u32::from(after.mates) * 8
            + u32::from(after.threatens_mate) * 4
            + u32::from(before.mates) * 2
            + u32::from(before.threatens_mate),
    );
    out.push(TRADE + (hangs * 8 + step(after.theirs.gain)) * 2 + takes);
    if let Some(hung) = after.mine.at.and_then(|s| after.position.piece_at(s)) {
        let (moved, known) = (after.mine.at == Some(m.to()), after.mine.at == before.theirs.at);
        let small = after.mine.gain < worth(hung, m.to()) / 2;
        out.push(
            HUNG + ((hung.kind().index() as u32 * 2 + u32::from(moved)) * 2 + u32::from(known)) * 2 + u32::from(small),
        );
    }
    if let Some(aimed) = after.theirs.at.and_then(|s| after.position.piece_at(s)) {
        let known = after.theirs.at == before.mine.at;
        out.push(AIMED + (aimed.kind().index() as u32 * 2 + u32::from(known)) * 2 + takes);
    }
    out.push(SECOND + step(after.mine.second) * 8 + step(after.theirs.second));
    if !after.over {
        let choices = match after.choices {
            0..=1 => 0,
            2..=3 => 1,
            4..=6 => 2,
            7..=12 => 3,
            13..=20 => 4,
            21..=30 => 5,
            31..=40 => 6,
            _ => 7,
        };
        out.push(CHOICE + phase * 8 + choices);
    }
    let (me, you) = (color.index(), (!color).index());
    let change = |side: usize, taken: i32| (after.reach[side] - before.reach[side] + taken).clamp(-8, 7) + 8;
    out.push(REACH + phase * 16 + change(me, 0) as u32);
    out.push(HINDER + phase * 16 + change(you, 0) as u32);
    // Own pieces that guard the point it goes to, and enemies that attack it.
    let look = |position: &Position, side: Color| {
        let mut board = *position;
        board.set_side_to_move(side);
        position.squares_of_side(side).filter(|&s| s != m.to() && board.targets(s).any(|t| t == m.to())).count().min(2)
            as u32
    };
    let mut lifted = after.position;
    lifted.put(m.to(), Some(Piece::new(!color, kind)));
    let guards = look(&lifted, color);
    let attackers = look(&after.position, !color);
    out.push(GUARD + ((k * 3 + guards) * 3 + attackers) * 2 + takes);
    if let Some((theirs, their_kind, _)) = past.theirs
        && theirs.to() != m.to()
    {
        let chased = position.targets(theirs.to()).any(|s| s == m.from());
        let chases = after.position.targets(m.to()).any(|s| s == theirs.to());
        out.push(CHASE + ((k * 7 + their_kind.index() as u32) * 2 + u32::from(chased)) * 2 + u32::from(chases));
    }

    // What the mover and the opponent did before.
    if let (Some(own), Some((theirs, _, _)), Some(earlier)) = (past.own, past.theirs, past.theirs_before) {
        let undoes = |a: Move, b: Move| a.to() == b.from() && a.from() == b.to();
        let mine = u32::from(undoes(own, m));
        let both = u32::from(undoes(earlier, theirs));
        out.push(CYCLE + k * 8 + mine * 4 + both * 2 + u32::from(past.own_before == Some(m)));
    }
    if let Some(own) = past.own {
        let same = u32::from(own.to() == m.from());
        out.push(AGAIN + (k * 2 + same) * 3 + phase);
        if own.to() == m.from() && own.from() == m.to() {
            out.push(BACK + k * 2 + u32::from(past.own_before.is_some_and(|b| b.to() == own.from())));
        }
        if let Some(earlier) = past.own_before {
            out.push(LATER + k * 2 + u32::from(earlier.to() == m.from()));
        }
    }
    if let Some((theirs, their_kind, took)) = past.theirs {
        let theirs_hit = u32::from(theirs.to() == m.to());
        out.push(REPLY + ((k * 7 + their_kind.index() as u32) * 2 + u32::from(took)) * 2 + theirs_hit);
    }

    if let Some(line) = [Kind::Horse, Kind::Rook, Kind::Cannon].iter().position(|&l| l == kind) {
        let room = |position: &Position, square| position.targets(square).count() as i32;
        let change = room(&after.position, m.to()) - room(position, m.from());
        out.push(ROOM + line as u32 * 12 + (change.clamp(-6, 5) + 6) as u32);
    }
    let home = match kind {
        Kind::Pawn => m.from().rank_for(color) == 3,
        Kind::Cannon => m.from().rank_for(color) == 2 && m.from().file() % 6 == 1,
        _ => m.from().rank_for(color) == 0,
    };
    out.push(HOME + (k * 2 + u32::from(home)) * 10 + (ply as u32 / 6).min(9));
    if let Some(king) = position.king(!color) {
        let reach =
            |square: Square| (square.file().abs_diff(king.file())).max(square.rank().abs_diff(king.rank())) as i32;
        let nearer = (reach(m.to()) - reach(m.from())).signum() + 1;
        out.push(KING + (k * 3 + nearer as u32) * 3 + phase);
        out.push(NEAR + k * 8 + (reach(m.to()) as u32).min(7));
    }

    // How it stands to every other piece, before and after.
    let view = View::new(m, color);
    for other_color in Color::ALL {
        for square in position.squares_of_side(other_color) {
            if square == m.from() || square == m.to() {
                continue;
            }
            let Some(other) = position.piece_at(square) else { continue };
            let o = other.kind().index() as u32 + if other_color == color { 0 } else { 7 };
            let seen = view.see(square);
            let distance = |point: Square| {
                let x = (seen.file() as i32 - point.file() as i32 + 8) as u32;
                let y = (seen.rank() as i32 - point.rank() as i32 + 9) as u32;
                ((k * 14 + o) * 17 + x) * 19 + y
            };
            out.push(TO + distance(view.to));
            out.push(FROM + distance(view.from));
            let pair = ((k * 90 + view.to.index() as u32) * 14 + o) * 90 + seen.index() as u32;
            out.push(PAIR + (pair.wrapping_mul(0x9E37_79B1) >> 16));
        }
    }
}

/// The board as the mover sees it, mirrored so that the move starts in the right half.
struct View {
    from: Square,
    to: Square,
    turned: bool,
    mirrored: bool,
}

impl View {
    fn new(m: Move, color: Color) -> View {
        let mut view = View { from: m.from(), to: m.to(), turned: color == Color::Black, mirrored: false };
        let (from, to) = (view.see(m.from()), view.see(m.to()));
        view.mirrored = from.file() < 4 || (from.file() == 4 && to.file() < 4);
        (view.from, view.to) = (view.see(m.from()), view.see(m.to()));
        view
    }

    fn see(&self, square: Square) -> Square {
        let square = if self.turned { square.turn() } else { square };
        if self.mirrored { square.mirror() } else { square }
    }
}
