//! A game in the order in which it is printed.

use crate::board::{Color, Move, Position};
use crate::format::notes::Notes;
use crate::format::{DiagramAt, WriteOptions};
use crate::game::{Game, NodeId, Place};
use std::collections::BTreeSet;

/// What comes next on the page.
#[derive(Debug)]
pub(super) enum Event<'a> {
    /// A side line begins.
    Open,
    /// The side line ends.
    Close,
    /// A ply, and the position before it.
    Ply {
        m: Move,
        before: &'a Position,
        round: u32,
        /// In the main line, as opposed to a side line.
        main: bool,
    },
    /// An annotation mark on the ply.
    Mark(u8),
    /// A clock time after the ply, in milliseconds.
    Clock(u64),
    /// A comment where it stands in the tree.
    Comment(&'a str),
    /// A diagram of the main line: the position, the ply that led to it and its number.
    Diagram(&'a Position, Option<Move>, u32),
}

/// One line of play that is being printed.
struct Frame {
    node: NodeId,
    before: Position,
    ply: u32,
    /// It is the first ply of a side line: its alternatives are printed where that line branches.
    head: bool,
    /// Side lines still to print, from this one on; `None` before the ply itself was printed.
    side_lines: Option<Option<NodeId>>,
}

struct Walk<'g, 's> {
    notes: Notes<'g>,
    sink: &'s mut dyn FnMut(Event<'_>),
}

impl Walk<'_, '_> {
    fn comments(&mut self, node: NodeId, place: Place) {
        for text in self.notes.comments(node, place) {
            (self.sink)(Event::Comment(text));
        }
    }

    /// Marks, clock times and comments directly behind a ply.
    fn extras(&mut self, node: NodeId) {
        self.notes.marks(node).for_each(|mark| (self.sink)(Event::Mark(mark)));
        self.notes.clocks(node).for_each(|time| (self.sink)(Event::Clock(time)));
        self.comments(node, Place::After);
    }
}

/// Gives the events of a game to the sink and returns the position at the end of its main line.
///
/// The order is that of PGN: the comments behind a ply, its side lines, the comments before the next ply.
pub(super) fn walk(game: &Game, options: &WriteOptions, html: bool, sink: &mut dyn FnMut(Event<'_>)) -> Position {
    let tree = &game.tree;
    let mut walk = Walk { notes: Notes::of(tree), sink };
    let shown = shown(game, options, html);
    let black_first = u32::from(game.start.side_to_move() == Color::Black);
    walk.extras(NodeId::ROOT);
    if shown.contains(&0) {
        (walk.sink)(Event::Diagram(&game.start, None, 0));
    }
    let Some(first) = tree.first_child(NodeId::ROOT) else {
        walk.comments(NodeId::ROOT, Place::End);
        return game.start;
    };
    let mut end = game.start;
    let mut frames = vec![Frame { node: first, before: game.start, ply: 0, head: false, side_lines: None }];
    while let Some(frame) = frames.last() {
        let Frame { node, before, ply, head, side_lines } = *frame;
        let depth = frames.len();
        let m = tree[node].m;
        let side_lines = match side_lines {
            Some(side_lines) => side_lines,
            None => {
                // A comment on the end of a line that goes on after all stands before what follows.
                if let Some(parent) = tree.parent(node).filter(|&parent| tree.first_child(parent) == Some(node)) {
                    walk.comments(parent, Place::End);
                }
                walk.comments(node, Place::Before);
                let round = (ply + black_first) / 2 + 1;
                (walk.sink)(Event::Ply { m, before: &before, round, main: depth == 1 });
                walk.extras(node);
                if depth == 1 && shown.contains(&(ply + 1)) {
                    let mut position = before;
                    position.play(m);
                    (walk.sink)(Event::Diagram(&position, Some(m), ply + 1));
                }
                if head || options.main_line { None } else { tree.next_sibling(node) }
            }
        };
        if let Some(side) = side_lines {
            frames[depth - 1].side_lines = Some(tree.next_sibling(side));
            (walk.sink)(Event::Open);
            frames.push(Frame { node: side, before, ply, head: true, side_lines: None });
            continue;
        }
        let mut after = before;
        after.play(m);
        if let Some(child) = tree.first_child(node) {
            frames[depth - 1] = Frame { node: child, before: after, ply: ply + 1, head: false, side_lines: None };
            continue;
        }
        walk.comments(node, Place::End);
        frames.pop();
        if frames.is_empty() {
            end = after;
        } else {
            (walk.sink)(Event::Close);
        }
    }
    end
}

/// The plies of the main line with a diagram; 0 is the start.
fn shown(game: &Game, options: &WriteOptions, html: bool) -> BTreeSet<u32> {
    let plies = game.tree.main_line().count() as u32;
    match &options.diagrams {
        Some(list) => list
            .iter()
            .map(|at| match at {
                DiagramAt::Start => 0,
                DiagramAt::Ply(ply) => *ply,
                DiagramAt::End => plies,
            })
            .collect(),
        None => {
            let composed = game.start != Position::start();
            [(composed, 0), (html, plies)].into_iter().filter(|(wanted, _)| *wanted).map(|(_, ply)| ply).collect()
        }
    }
}
