//! Lines that name the line they leave, put together to a tree.

use crate::board::{Move, Square};
use crate::format::sketch::Sketch;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// So many lines are read of one game; the largest known has 1,446.
const MOST_LINES: usize = 1 << 17;

/// One line as written.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    /// Number of the line it leaves, ply it replaces first, its own number.
    pub numbers: [u32; 3],
    pub digits: &'a str,
    pub at: usize,
}

/// A line in the tree.
struct Placed {
    parent: u32,
    /// Ply of the first node, from 1.
    first: u32,
    nodes: Vec<u32>,
}

/// The tree of all lines.
pub(super) struct Lines<'a> {
    pub sketch: Sketch,
    placed: HashMap<u32, Placed>,
    /// Lines that hang nowhere, and why.
    pub loose: Vec<(Line<'a>, &'static str)>,
    /// Digits at the end of a line that are no ply.
    pub odd: Vec<(usize, String)>,
    /// Where more plies came than are read of one game.
    pub full: Option<usize>,
    /// Steps from line to parent that may still be taken: hostile chains of lines must not cost the square of their number.
    steps: usize,
}

impl<'a> Lines<'a> {
    /// Puts the lines together, line 0 first; alternatives at one place go by their numbers.
    pub fn join(lines: Vec<Line<'a>>) -> Lines<'a> {
        let mut tree = Lines {
            sketch: Sketch::new(),
            placed: HashMap::new(),
            loose: Vec::new(),
            odd: Vec::new(),
            full: None,
            steps: 50_000_000,
        };
        let mut waiting: BTreeMap<u32, Vec<Line<'a>>> = BTreeMap::new();
        let mut main = None;
        for line in lines {
            if line.numbers[2] == 0 {
                main.get_or_insert(line);
            } else {
                waiting.entry(line.numbers[0]).or_default().push(line);
            }
        }
        let nodes = main.as_ref().map_or_else(Vec::new, |line| tree.append(0, line));
        tree.placed.insert(0, Placed { parent: 0, first: 1, nodes });
        let mut parents = vec![0];
        while let Some(parent) = parents.pop() {
            let mut lines = waiting.remove(&parent).unwrap_or_default();
            lines.sort_by_key(|line| line.numbers[2]);
            for line in lines {
                let [_, ply, number] = line.numbers;
                if tree.placed.len() >= MOST_LINES {
                    tree.full.get_or_insert(line.at);
                    break;
                }
                if tree.placed.contains_key(&number) {
                    tree.loose.push((line, "another line has this number"));
                    continue;
                }
                match ply.checked_sub(1).and_then(|before| tree.node(parent, before)) {
                    Some(node) => {
                        let own = tree.node(parent, ply);
                        let nodes = tree.branch(node, own, &line);
                        tree.placed.insert(number, Placed { parent, first: ply, nodes });
                        parents.push(number);
                    }
                    None => tree.loose.push((line, "the line it leaves is not that long")),
                }
            }
        }
        tree.loose.extend(waiting.into_values().flatten().map(|line| (line, "the line it leaves does not exist")));
        tree
    }

    /// The node behind a ply (from 1; 0 is the start position) of a line.
    pub fn node(&mut self, line: u32, ply: u32) -> Option<usize> {
        let mut line = self.placed.get(&line)?;
        while ply < line.first {
            if ply == 0 {
                return Some(0);
            }
            self.steps = self.steps.checked_sub(1)?;
            line = self.placed.get(&line.parent)?;
        }
        line.nodes.get((ply - line.first) as usize).map(|&node| node as usize)
    }

    fn append(&mut self, from: usize, line: &Line<'a>) -> Vec<u32> {
        self.branch(from, None, line)
    }

    /// Adds a line behind a node. Where it repeats the ply of its parent line it follows that line.
    fn branch(&mut self, from: usize, own: Option<usize>, line: &Line<'a>) -> Vec<u32> {
        let bytes = line.digits.as_bytes();
        let digits: Cow<'_, [u8]> = match bytes.iter().any(u8::is_ascii_whitespace) {
            true => bytes.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect::<Vec<_>>().into(),
            false => bytes.into(),
        };
        let mut node = from;
        let mut follows = own.is_some();
        let mut nodes = Vec::new();
        for (index, ply) in digits.chunks(4).enumerate() {
            let Some(squares) = read_ply(ply) else {
                let rest = String::from_utf8_lossy(&digits[index * 4..]);
                self.odd.push((line.at, rest.chars().take(80).collect()));
                break;
            };
            let known = if follows { self.sketch.first_known(node, own.filter(|_| index == 0), squares) } else { None };
            node = match known {
                Some(known) => known,
                None => {
                    follows = false;
                    match self.sketch.add(node, squares, line.at as u64) {
                        Some(node) => node,
                        None => {
                            self.full.get_or_insert(line.at);
                            break;
                        }
                    }
                }
            };
            nodes.push(node as u32);
        }
        nodes
    }
}

impl Sketch {
    /// The node a repeated ply means: `own` if it is that, or else the first child.
    fn first_known(&self, node: usize, own: Option<usize>, squares: Result<Move, (u8, u8)>) -> Option<usize> {
        let candidate = own.or_else(|| self.first_child(node))?;
        self.is_ply(candidate, squares).then_some(candidate)
    }
}

/// Four digits: file and rank from the top, twice. `None` if they are no digits or not four.
pub(super) fn read_ply(digits: &[u8]) -> Option<Result<Move, (u8, u8)>> {
    let digits: &[u8; 4] = digits.try_into().ok()?;
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = |i: usize| digits[i] - b'0';
    let square = |i: usize| Square::new(number(i), 9 - number(i + 1));
    Some(match (square(0), square(2)) {
        (Some(from), Some(to)) => Ok(Move::new(from, to)),
        _ => Err((number(0) * 10 + number(1), number(2) * 10 + number(3))),
    })
}
