//! The live set: all readings of one line at once.
//!
//! Each ply turns every live board into one board for every legal move its text may stand for. Boards that become equal
//! are one board reached in several ways. What no later text fits dies. At the end, what is left are the readings of the
//! line; each ply knows the moves it has among them.
//!
//! The number of live boards is bounded. A short line may use [`Limits::most_boards`]; over a whole line the work is
//! bounded too, so that a line of a hundred thousand plies does not take a hundred thousand times as long. When boards
//! have to be dropped, the least likely go first, and the result says so.

use crate::board::{Key, Kind, Move, Position};
use crate::notation::{Candidates, Dialect, Token, narrow, readings, resolve_unsafe};
use crate::work::{Work, note};
use std::collections::HashMap;

/// How much may be kept.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most live boards after any ply.
    pub most_boards: usize,
    /// The most boards over all plies together (at least [`Limits::LEAST`] a ply are always kept).
    pub total_boards: usize,
    /// A text that fits no legal move may stand for one that leaves the mover's own general attacked (or without one).
    pub exposed: bool,
}

impl Limits {
    /// Boards kept after every ply, however long the line.
    pub const LEAST: usize = 16;
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { most_boards: 4096, total_boards: 1 << 20, exposed: false }
    }
}

/// A line with all its readings.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The most likely reading: as many moves as could be read.
    pub moves: Vec<Move>,
    /// Number of readings (at least, if not `complete`).
    pub count: u64,
    /// No board had to be dropped.
    pub complete: bool,
    /// For each ply read, the moves it has among the readings, in order; the likely reading's is one of them.
    pub alternatives: Vec<Vec<Move>>,
    /// The dialects under which the likely reading is possible.
    pub dialect: Dialect,
    /// The position at the end of the likely reading.
    pub end: Position,
    /// Which of the moves leave their own general attacked, by index (see [`Limits::exposed`]).
    pub exposed: Vec<usize>,
}

/// A live board.
struct Board {
    position: Position,
    dialect: Dialect,
    /// Unlikeliness of the best way to it.
    cost: u32,
    /// Its best way: board of the ply before and move.
    best: (u32, Move),
    /// Number of ways to it.
    ways: u64,
}

/// One way from a board of one ply to a board of the next.
struct Edge {
    parent: u32,
    child: u32,
    m: Move,
}

/// What is remembered of a ply: all ways into its boards, and the best one of each.
struct Layer {
    edges: Vec<Edge>,
    best: Vec<(u32, Move)>,
}

/// Reads a line as far as any reading lives. `tokens` holds one entry a ply, `None` for a text that is no move.
pub fn settle(start: &Position, tokens: &[Option<Token>], dialect: Dialect, limits: &Limits) -> Settled {
    let root = Board { position: *start, dialect, cost: 0, best: (0, nothing()), ways: 1 };
    let mut live = vec![root];
    let mut history: Vec<Layer> = Vec::new();
    let mut complete = true;
    let mut spent = 0usize;
    let mut exposed = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let Some(token) = token else { break };
        let (mut next, mut edges) = expand(&live, token, readings);
        if next.is_empty() && limits.exposed {
            (next, edges) = expand(&live, token, resolve_unsafe);
            exposed.extend((!next.is_empty()).then_some(index));
        }
        if next.is_empty() {
            break;
        }
        let fair = limits.total_boards.saturating_sub(spent) / (tokens.len() - index);
        let bound = limits.most_boards.min(fair).max(Limits::LEAST);
        if next.len() > bound {
            complete = false;
            drop_unlikely(&mut next, &mut edges, bound);
        }
        spent += next.len();
        history.push(Layer { edges, best: next.iter().map(|board| board.best).collect() });
        live = next;
    }
    Settled { exposed, ..finish(live, &history, complete) }
}

fn nothing() -> Move {
    Move::from_bits(0).unwrap_or_else(|| unreachable!("zero is a0a0"))
}

/// All boards one ply on, by the moves that `meanings` finds for the text.
fn expand(
    live: &[Board],
    token: &Token,
    meanings: fn(&Token, &Position, Dialect) -> Candidates,
) -> (Vec<Board>, Vec<Edge>) {
    let mut next: Vec<Board> = Vec::new();
    let mut edges = Vec::new();
    let mut known: HashMap<(Key, Dialect), u32> = HashMap::new();
    note(Work::Boards, live.len());
    for (parent, board) in (0..).zip(live) {
        let moves = meanings(token, &board.position, board.dialect);
        for &m in moves.iter() {
            let dialect = narrow(token, &board.position, board.dialect, m);
            let cost = board.cost + if moves.len() > 1 { unlikeliness(&board.position, m) } else { 0 };
            let mut position = board.position;
            position.play(m);
            let fresh = next.len() as u32;
            let child = if live.len() == 1 && moves.len() == 1 {
                fresh
            } else {
                *known.entry((position.key(), dialect)).or_insert(fresh)
            };
            edges.push(Edge { parent, child, m });
            if child == fresh {
                next.push(Board { position, dialect, cost, best: (parent, m), ways: board.ways });
            } else {
                let old = &mut next[child as usize];
                old.ways = old.ways.saturating_add(board.ways);
                if cost < old.cost {
                    (old.cost, old.best) = (cost, (parent, m));
                }
            }
        }
    }
    (next, edges)
}

/// Rough measure of how rarely such a move is played when a text leaves the direction open: forward before traverse
/// before back, with traverse first for rooks and cannons. Only for choosing which reading to show.
fn unlikeliness(position: &Position, m: Move) -> u32 {
    let Some(piece) = position.piece_at(m.from()) else { return 0 };
    let (from, to) = (m.from().rank_for(piece.color()), m.to().rank_for(piece.color()));
    let capture = position.piece_at(m.to()).is_some();
    let cost = match (piece.kind(), to.cmp(&from)) {
        (Kind::Rook | Kind::Cannon, std::cmp::Ordering::Equal) => 2,
        (Kind::Rook | Kind::Cannon, std::cmp::Ordering::Greater) => 3,
        (_, std::cmp::Ordering::Less) => 5,
        (_, std::cmp::Ordering::Greater) => 1,
        (_, std::cmp::Ordering::Equal) => 2,
    };
    if capture { cost - 1 } else { cost }
}

/// Keeps the `bound` likeliest boards and renumbers the edges.
fn drop_unlikely(boards: &mut Vec<Board>, edges: &mut Vec<Edge>, bound: usize) {
    let mut order: Vec<u32> = (0..boards.len() as u32).collect();
    order.sort_by_key(|&index| (boards[index as usize].cost, index));
    order.truncate(bound);
    order.sort_unstable();
    let mut renumbered = vec![None; boards.len()];
    for (new, &old) in (0u32..).zip(&order) {
        renumbered[old as usize] = Some(new);
    }
    let mut index = 0;
    boards.retain(|_| {
        index += 1;
        renumbered[index - 1].is_some()
    });
    edges.retain_mut(|edge| match renumbered[edge.child as usize] {
        Some(child) => {
            edge.child = child;
            true
        }
        None => false,
    });
}

fn finish(live: Vec<Board>, history: &[Layer], complete: bool) -> Settled {
    let count = live.iter().fold(0u64, |sum, board| sum.saturating_add(board.ways));
    let best = (0..live.len()).min_by_key(|&index| (live[index].cost, index)).unwrap_or(0);
    let (dialect, end) = (live[best].dialect, live[best].position);
    let mut moves = Vec::with_capacity(history.len());
    let mut alternatives = Vec::with_capacity(history.len());
    let mut on_path = best as u32;
    let mut alive = vec![true; live.len()];
    for (ply, layer) in history.iter().enumerate().rev() {
        let (parent, m) = layer.best[on_path as usize];
        moves.push(m);
        on_path = parent;
        let parents = ply.checked_sub(1).map_or(1, |before| history[before].best.len());
        let mut before = vec![false; parents];
        let mut all = Vec::new();
        for edge in &layer.edges {
            if alive[edge.child as usize] {
                before[edge.parent as usize] = true;
                all.push(edge.m);
            }
        }
        all.sort_unstable();
        all.dedup();
        alternatives.push(all);
        alive = before;
    }
    moves.reverse();
    alternatives.reverse();
    Settled { moves, count, complete, alternatives, dialect, end, exposed: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::read_whole;

    fn line(texts: &str) -> Vec<Option<Token>> {
        texts.split(' ').map(read_whole).collect()
    }

    fn settled(texts: &str) -> Settled {
        settle(&Position::start(), &line(texts), Dialect::OPEN, &Limits::default())
    }

    #[test]
    fn a_later_ply_settles_an_earlier_one() {
        // NOT-10
        let found = settled("炮25 马87 马23 车98 车12 卒71 车26");
        assert_eq!(found.count, 1);
        let moves: Vec<_> = found.moves.iter().map(Move::to_string).collect();
        assert_eq!(moves, ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "g6g5", "h0h6"]);
        let open = settled("炮25 马87 马23 车98 车12");
        assert_eq!((open.count, format!("{:?}", open.alternatives[4])), (2, "[i0h0, i0i2]".into()));
        assert_eq!(settled("炮24").count, 2);
    }

    #[test]
    fn readings_are_counted_even_when_their_boards_meet() {
        // Both cannons to file 5 and back in either order meet in one board.
        let found = settled("炮25 马87 炮52 马78");
        assert_eq!(found.moves.len(), 4);
        assert!(found.complete);
        assert_eq!(found.count, found.alternatives.iter().map(|a| a.len() as u64).product::<u64>());
    }

    #[test]
    fn the_live_set_never_grows_beyond_its_bound_and_says_what_it_dropped() {
        let tokens = line("兵进1 卒进1 兵进1 卒进1");
        let wide = settle(&Position::start(), &tokens, Dialect::OPEN, &Limits::default());
        let tight = Limits { most_boards: 1, total_boards: 1, ..Limits::default() };
        let narrow = settle(&Position::start(), &tokens, Dialect::OPEN, &tight);
        assert!(wide.complete && !narrow.complete);
        assert!(0 < narrow.count && narrow.count < wide.count);
        assert!(
            narrow.alternatives.iter().zip(&wide.alternatives).all(|(few, all)| few.iter().all(|m| all.contains(m)))
        );
    }

    #[test]
    fn a_ply_that_leaves_its_general_attacked_is_read_only_where_that_is_allowed() {
        // The rook is pinned: moving it aside lets the black rook take the general.
        let pinned = Position::from_fen("4k4/9/4r4/9/9/9/9/9/4R4/3AK4 w").unwrap();
        let tokens = line("车五平六 车5进6 仕六进五");
        assert_eq!(settle(&pinned, &tokens, Dialect::OPEN, &Limits::default()).moves.len(), 0);
        let limits = Limits { exposed: true, ..Limits::default() };
        let found = settle(&pinned, &tokens, Dialect::OPEN, &limits);
        assert_eq!((found.moves.len(), found.exposed), (3, vec![0]));
    }

    #[test]
    fn a_text_that_fits_nothing_ends_the_line_with_what_was_read() {
        let found = settled("炮二平五 马8进7 马二进五 车9平8");
        assert_eq!(found.moves.len(), 2);
    }
}
