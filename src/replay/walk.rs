//! Walking through the entries and growing the tree.
//!
//! One walker serves both ways. On the quick way it decides each ply itself and gives up at the first text that fits no
//! legal move or several. On the careful way the lines are settled beforehand, the main line at the start and each side
//! line when its bracket opens, and the walker takes the moves from there.

use super::gap::missing_ply;
use super::lattice::{Limits, Settled, settle};
use super::lines::{Lines, Script, is_ply};
use super::report;
use super::rounds::side_lines;
use super::side_rounds::SideGap;
use super::signs::Signs;
use super::whole::{OtherBoard, other_boards};
use super::{Built, Entry, Event, Evidence, Found, Missing, OpenPly, Options, Readings, Stop};
use crate::board::{Color, Move, Position, Undo};
use crate::diag::{Finding, codes};
use crate::game::{NodeId, Place, Tree};
use crate::notation::{Bar, Dialect, Form, Token, decide, is_open, looks_like_move, narrow, readings, resolve_unsafe};

/// The quick way; `None` if the record needs the careful one.
pub(super) fn quick(start: &Position, entries: &[Entry<'_>], options: &Options<'_>) -> Option<Built> {
    if start.side_to_move() == Color::Red && begins_with_black(entries) {
        return None;
    }
    let mut walker = Walker::new(start, entries, options, options.dialect.prefer(Dialect::COMMON), None);
    walker.walk().ok()?;
    Some(walker.finish(Readings { count: 1, complete: true, open: Vec::new() }, false))
}

/// The careful way.
pub(super) fn careful(start: &Position, entries: &[Entry<'_>], options: &Options<'_>) -> Built {
    let lines = Lines::of(entries);
    let main = lines.tokens(entries, Lines::MAIN);
    let tokens: Vec<Option<Token>> = main.iter().map(|&(_, token)| token).collect();
    let limits = Limits { most_boards: options.most_boards, ..Limits::default() };
    let black_first = start.side_to_move() == Color::Red && begins_with_black(entries);
    let hypothesis = |switched: bool| {
        let mut position = *start;
        if switched {
            position.set_side_to_move(!start.side_to_move());
        }
        let common = usual(options, entries);
        let first = settle(&position, &tokens, common, &limits);
        if first.moves.len() == tokens.len() || common == options.dialect {
            return (position, common, first);
        }
        let second = settle(&position, &tokens, options.dialect, &limits);
        if second.moves.len() > first.moves.len() {
            (position, options.dialect, second)
        } else {
            (position, common, first)
        }
    };
    let mut switched = false;
    let mut chosen = hypothesis(false);
    // A side without a general has no legal move at all; that says nothing about whose turn it is.
    let has_general = start.king(start.side_to_move()).is_some();
    let suspicious = black_first || chosen.2.moves.is_empty() && has_general;
    if suspicious && !options.side_is_certain && !tokens.is_empty() {
        let other = hypothesis(true);
        let reaches = |settled: &Settled| settled.moves.len();
        if reaches(&other.2) > reaches(&chosen.2) || black_first && reaches(&other.2) == reaches(&chosen.2) {
            switched = true;
            chosen = other;
        }
    }
    let (position, dialect, settled) = chosen;
    let mut script = Script { lines, limits, moves: vec![None; entries.len()] };
    script.note(&main, &settled);
    let readings = open_plies(&main, entries, &settled);
    let mut walker = Walker::new(&position, entries, options, dialect, Some(script));
    if walker.walk().is_err() {
        unreachable!("only the quick way gives up");
    }
    walker.finish(readings, switched)
}

/// What a record is tried with first: of each question the answers in common use, or what the caller left of it; the style of
/// pawns that goes with its sign of a traverse. A record in the short form without a single bar has lost them.
fn usual(options: &Options<'_>, entries: &[Entry<'_>]) -> Dialect {
    let tokens = || {
        entries.iter().filter_map(|entry| match entry.event {
            Event::Move { token, .. } => Some(token),
            _ => None,
        })
    };
    let mut usual = options.dialect.prefer(Dialect::COMMON);
    if tokens().any(|token| token.form() == Form::PawnNumbers) {
        // 33+1: who writes = for a traverse numbers pawns as in 2018, who writes a point marks them as in 1997.
        let sign = |sign| tokens().any(|token| token.traverse_sign() == Some(sign));
        usual = match (sign(b'='), sign(b'.')) {
            (true, false) => usual.settled(usual.and(Dialect::PAWN_NUMBERS)),
            (false, true) => usual.settled(usual.and(Dialect::PAWN_MARKS)),
            _ => usual,
        };
    }
    let mut bars = tokens().filter_map(|token| token.bar());
    let lost = options.dialect.and(Dialect::BARS_LOST);
    if lost.is_empty() || bars.any(|bar| bar == Bar::Marked) { usual } else { usual.settled(lost) }
}

/// Whether the first number before the first move says that Black's ply follows.
fn begins_with_black(entries: &[Entry<'_>]) -> bool {
    for entry in entries {
        match entry.event {
            Event::Number { black, .. } => return black,
            Event::Move { .. } => return false,
            _ => {}
        }
    }
    false
}

fn open_plies(main: &[(u32, Option<Token>)], entries: &[Entry<'_>], settled: &Settled) -> Readings {
    let open = (1..)
        .zip(settled.moves.iter().zip(&settled.alternatives))
        .filter(|(_, (_, moves))| moves.len() > 1)
        .map(|(ply, (&chosen, moves))| OpenPly {
            ply,
            at: entries[main[ply as usize - 1].0 as usize].at,
            chosen,
            moves: moves.clone(),
        })
        .collect();
    Readings { count: settled.count, complete: settled.complete, open }
}

/// A missing ply is looked for only where this many plies behind it bear witness …
const LEAST_BEHIND: usize = 2;
/// … and no more than these are asked.
const MOST_BEHIND: usize = 24;
/// It is looked for at most this many plies before the stop.
const MOST_BACK: usize = 4;

/// The quick way met a text that fits none or several.
struct GiveUp;

/// One line of play on its way.
struct Line {
    node: NodeId,
    position: Position,
    last: Option<(Move, Undo)>,
    /// Plies from the start position.
    ply: u32,
    /// A side line of the last ply has been closed.
    closed: bool,
    /// The bracket that opened it; its content becomes a comment if no ply of it can be read.
    bracket: usize,
    /// Plies read in this line.
    read: u32,
    /// First entry of the line that could not be read.
    unread: Option<usize>,
    /// Comments that wait for the next ply.
    waiting: Vec<usize>,
    dialect: Dialect,
    /// Ply of the main line it branches from.
    main_ply: u32,
    /// A ply was left out of it.
    gap: Option<SideGap>,
}

pub(super) struct Walker<'a> {
    start: Position,
    entries: &'a [Entry<'a>],
    options: &'a Options<'a>,
    script: Option<Script>,
    tree: Tree,
    line: Line,
    stack: Vec<Line>,
    findings: Vec<Found>,
    /// Unreadable texts, and side lines that stop.
    faults: [usize; 2],
    evidence: Vec<Evidence>,
    stop: Option<Stop>,
    rest: String,
    signs: Signs,
    /// Plies left out of side lines.
    side_gaps: Vec<SideGap>,
}

/// So many faults of a kind are told for a game; the others are counted.
const MOST_FAULTS: usize = 64;

impl<'a> Walker<'a> {
    fn new(
        start: &Position,
        entries: &'a [Entry<'a>],
        options: &'a Options<'a>,
        dialect: Dialect,
        script: Option<Script>,
    ) -> Walker<'a> {
        let mut tree = Tree::new();
        tree.reserve(entries.len());
        let line = Line {
            node: NodeId::ROOT,
            position: *start,
            last: None,
            ply: 0,
            closed: false,
            bracket: Lines::MAIN,
            read: 0,
            unread: None,
            waiting: Vec::new(),
            dialect,
            main_ply: 0,
            gap: None,
        };
        Walker {
            start: *start,
            entries,
            options,
            script,
            tree,
            line,
            stack: Vec::new(),
            findings: Vec::new(),
            faults: [0; 2],
            evidence: Vec::new(),
            stop: None,
            rest: String::new(),
            signs: Signs::default(),
            side_gaps: side_lines(start, entries),
        }
    }

    fn walk(&mut self) -> Result<(), GiveUp> {
        let entries = self.entries;
        let mut index = 0;
        while index < entries.len() {
            match &entries[index].event {
                Event::Open => self.open(index),
                Event::Close => self.close(index),
                // Behind a text that fits nothing only brackets are followed.
                _ if self.line.unread.is_some() => {}
                _ if self.line.gap.is_some_and(|gap| gap.entry == index) => self.line.unread = Some(index),
                Event::Move { token, .. } => match self.decide(index, token)? {
                    Some(m) => self.play(m, token),
                    None => self.unfit(index),
                },
                Event::Text(text) if looks_like_move(text) => {
                    if self.script.is_none() {
                        return Err(GiveUp);
                    }
                    self.unfit(index);
                }
                Event::Text(text) => self.unreadable(index, text),
                Event::Comment(_) => self.comment(index),
                Event::Mark(mark) => self.tree.mark(self.line.node, *mark),
                Event::Clock(time) => self.tree.clock(self.line.node, *time),
                Event::Number { .. } => {}
            }
            if self.stop.is_some() {
                break;
            }
            index += 1;
        }
        while !self.stack.is_empty() {
            self.close(entries.len());
        }
        self.end_comments();
        Ok(())
    }

    /// The move of a ply, `None` if it fits nothing.
    #[inline]
    fn decide(&mut self, index: usize, token: &Token) -> Result<Option<Move>, GiveUp> {
        let line = &mut self.line;
        if let Some(script) = &self.script {
            let m = script.moves[index];
            if let Some(m) = m
                && is_open(token, line.dialect)
            {
                self.narrow(token, m);
            }
            return Ok(m);
        }
        let Some((m, dialect)) = decide(token, &line.position, line.dialect) else { return self.none(index) };
        self.settle(dialect);
        Ok(Some(m))
    }

    /// On the quick way, a bracket whose first text fits nothing is a comment; anything else needs the careful way.
    fn none(&self, index: usize) -> Result<Option<Move>, GiveUp> {
        let Event::Move { token, .. } = &self.entries[index].event else { return Err(GiveUp) };
        let (position, dialect) = (&self.line.position, Dialect::OPEN.and(self.options.dialect));
        let fits =
            !readings(token, position, dialect).is_empty() || !resolve_unsafe(token, position, dialect).is_empty();
        if self.line.bracket == Lines::MAIN || self.line.read > 0 || fits { Err(GiveUp) } else { Ok(None) }
    }

    fn narrow(&mut self, token: &Token, m: Move) {
        let narrowed = narrow(token, &self.line.position, self.line.dialect, m);
        self.settle(narrowed);
    }

    #[inline]
    fn settle(&mut self, narrowed: Dialect) {
        let line = &mut self.line;
        if narrowed != line.dialect && line.bracket == Lines::MAIN {
            self.evidence.push(Evidence { excluded: line.dialect.without(narrowed), ply: line.ply + 1 });
        }
        line.dialect = narrowed;
    }

    #[inline]
    fn play(&mut self, m: Move, token: &Token) {
        let line = &mut self.line;
        let side = line.position.side_to_move();
        if line.bracket == Lines::MAIN {
            self.signs.count(token, side);
        }
        let undo = line.position.play(m);
        line.last = Some((m, undo));
        line.node = self.tree.add(line.node, m);
        line.ply += 1;
        line.read += 1;
        line.closed = false;
        if !line.waiting.is_empty() {
            self.place_waiting(Place::Before);
        }
    }

    fn place_waiting(&mut self, place: Place) {
        for index in std::mem::take(&mut self.line.waiting) {
            if let Event::Comment(text) | Event::Text(text) = self.entries[index].event {
                self.tree.comment(self.line.node, place, text);
            }
        }
    }

    /// Comments that waited for a ply that does not come.
    fn end_comments(&mut self) {
        if !self.line.waiting.is_empty() {
            let place = if self.line.node == NodeId::ROOT { Place::After } else { Place::End };
            self.place_waiting(place);
        }
    }

    fn comment(&mut self, index: usize) {
        let head_of_side_line = self.line.bracket != Lines::MAIN && self.line.read == 0;
        if self.line.closed || head_of_side_line {
            self.line.waiting.push(index);
        } else if let Event::Comment(text) | Event::Text(text) = self.entries[index].event {
            self.tree.comment(self.line.node, Place::After, text);
        }
    }

    /// Text that is neither move nor comment is kept as a comment. In a side line it is ordinary prose.
    fn unreadable(&mut self, index: usize, text: &str) {
        if self.line.bracket == Lines::MAIN {
            self.faults[0] += 1;
        }
        if self.line.bracket == Lines::MAIN && self.faults[0] <= MOST_FAULTS {
            let finding = Finding::new(
                codes::UNREADABLE_TEXT,
                crate::say!("neither a move nor a comment; kept as a comment"; "既非着法也非注释, 作为注释保留"),
            )
            .text(text)
            .ply(self.line.ply.max(1));
            self.findings.push(Found { at: self.entries[index].at, finding });
        }
        self.comment(index);
    }

    /// A ply that fits nothing ends its line.
    fn unfit(&mut self, index: usize) {
        self.line.unread = Some(index);
        if self.line.bracket != Lines::MAIN {
            return;
        }
        let entry = &self.entries[index];
        let (token, text) = match entry.event {
            Event::Move { token, text } => (Some(token), text),
            Event::Text(text) => (None, text),
            _ => (None, ""),
        };
        let line = &self.line;
        let mut stop = report::stop(&line.position, token, text, line.dialect, line.ply + 1, index, entry.at);
        stop.missing = self.missing(index);
        stop.skipped = skipped(&self.entries[..index]);
        stop.other_boards = self.other_boards();
        self.findings.push(report::stop_finding(&stop, &line.position));
        self.findings.extend(report::other_boards_finding(&stop));
        self.stop = Some(stop);
        self.rest = self.text_between(index, self.entries.len());
    }

    /// Other boards on which the main line could be read to its end.
    fn other_boards(&self) -> Vec<OtherBoard> {
        let Some(script) = &self.script else { return Vec::new() };
        let tokens: Vec<Option<Token>> =
            script.lines.tokens(self.entries, Lines::MAIN).iter().map(|&(_, token)| token).collect();
        other_boards(&self.start, &tokens, self.options.dialect)
    }

    /// A ply left out at the stop or shortly before it: the side that is then wrongly on move may still find a legal
    /// move or two for the texts that follow.
    fn missing(&self, stop: usize) -> Option<Missing> {
        let script = self.script.as_ref()?;
        let played: Vec<Move> = self.tree.main_line().map(|id| self.tree[id].m).collect();
        let plies = script.lines.tokens(self.entries, Lines::MAIN);
        let at = plies.iter().position(|&(index, _)| index as usize == stop)?;
        (0..=MOST_BACK.min(at)).find_map(|back| {
            let behind: Vec<Option<Token>> =
                plies[at - back..].iter().map(|&(_, token)| token).take(MOST_BEHIND).collect();
            let mut position = self.start;
            for &m in played.get(..at - back)? {
                position.play(m);
            }
            let moves = match behind.len() {
                LEAST_BEHIND.. => missing_ply(&position, &behind, self.line.dialect),
                _ => Vec::new(),
            };
            (!moves.is_empty()).then(|| Missing { ply: (at - back) as u32 + 1, moves, before: position })
        })
    }

    fn open(&mut self, index: usize) {
        let mut position = self.line.position;
        let known = self.line.unread.is_none();
        let parent = match self.line.last {
            Some((m, undo)) if known => {
                position.undo(m, undo);
                self.tree.parent(self.line.node)
            }
            _ => None,
        };
        let main_ply = if self.stack.is_empty() { self.line.ply } else { self.line.main_ply };
        let side = Line {
            node: parent.unwrap_or(NodeId::ROOT),
            position,
            last: None,
            ply: self.line.ply.saturating_sub(1),
            closed: false,
            bracket: index,
            read: 0,
            // Where no ply stands before it, nothing can be an alternative.
            unread: parent.is_none().then_some(index + 1),
            waiting: Vec::new(),
            dialect: self.line.dialect,
            main_ply,
            gap: self.side_gaps.binary_search_by_key(&index, |gap| gap.bracket).ok().map(|found| self.side_gaps[found]),
        };
        if side.unread.is_none()
            && let Some(script) = &mut self.script
        {
            let mut plies = script.lines.tokens(self.entries, index);
            if let Some(gap) = side.gap {
                plies.truncate(plies.partition_point(|&(entry, _)| (entry as usize) < gap.entry));
            }
            let tokens: Vec<Option<Token>> = plies.iter().map(|&(_, token)| token).collect();
            let mut settled = settle(&side.position, &tokens, side.dialect, &script.limits);
            if settled.moves.len() < tokens.len() {
                let wide = settle(&side.position, &tokens, self.options.dialect, &script.limits);
                if wide.moves.len() > settled.moves.len() {
                    settled = wide;
                }
            }
            if settled.moves.len() < tokens.len() {
                // Studies hold plies that leave the general attacked. In words that are no line of play something else
                // would soon fit nothing at all.
                let limits = Limits { exposed: true, ..script.limits };
                let daring = settle(&side.position, &tokens, side.dialect, &limits);
                if daring.moves.len() == tokens.len() {
                    settled = daring;
                }
            }
            self.findings.extend(report::exposed_findings(&settled, &plies, self.entries, &side.position, main_ply));
            if settled.count > 1 || !settled.complete {
                let readings = open_plies(&plies, self.entries, &settled);
                self.findings.extend(report::readings_finding(&readings, &side.position, Some(main_ply)));
            }
            script.note(&plies, &settled);
        }
        self.stack.push(std::mem::replace(&mut self.line, side));
    }

    fn close(&mut self, index: usize) {
        let Some(outer) = self.stack.pop() else { return };
        // Inside a part that could not be read, brackets are only text.
        let outer_unread = outer.unread.is_some();
        if outer_unread {
            self.line = outer;
            return;
        }
        let comment = if self.line.read == 0 {
            self.line.waiting.clear();
            Some((outer.node, self.text_between(self.line.bracket + 1, index)))
        } else if let Some(unread) = self.line.unread {
            self.end_comments();
            let text = self.text_between(unread, index);
            self.faults[1] += 1;
            if let Some(gap) = self.line.gap.filter(|gap| gap.entry == unread) {
                if self.faults[1] <= MOST_FAULTS {
                    let (line, at) = (&self.line, self.entries[unread].at);
                    let side = line.position.side_to_move();
                    let place = (at, line.main_ply);
                    self.findings.push(report::side_gap_finding(side, gap.round, &report::shortened(&text), place));
                }
            } else if self.faults[1] <= MOST_FAULTS {
                let entry = &self.entries[unread];
                let (token, written) = match entry.event {
                    Event::Move { token, text } => (Some(token), text),
                    Event::Text(text) => (None, text),
                    _ => (None, ""),
                };
                let line = &self.line;
                let stop = report::stop(&line.position, token, written, line.dialect, line.ply + 1, unread, entry.at);
                self.findings.push(report::side_line_finding(&stop, &line.position, line.main_ply));
            }
            self.tree.comment(self.line.node, Place::End, text);
            None
        } else {
            self.end_comments();
            None
        };
        let had_plies = self.line.read > 0;
        self.line = outer;
        match comment {
            // A bracket without plies is a comment in brackets.
            Some((node, text)) if !text.is_empty() => {
                let place = match (self.line.closed, node) {
                    (_, NodeId::ROOT) | (false, _) => Place::After,
                    (true, _) => Place::End,
                };
                self.tree.comment(node, place, text);
            }
            _ => {}
        }
        self.line.closed |= had_plies;
    }

    fn text_between(&self, from: usize, to: usize) -> String {
        text_between(self.entries, self.options, from, to)
    }

    fn finish(mut self, readings: Readings, side_switched: bool) -> Built {
        let at = self.entries.iter().find(|entry| is_ply(&entry.event)).map_or(0, |entry| entry.at);
        if side_switched {
            self.findings
                .insert(0, report::switched_finding(&self.start, self.entries, begins_with_black(self.entries), at));
        }
        self.findings.extend(report::readings_finding(&readings, &self.start, None));
        self.findings.extend(report::dialect_finding(&self.evidence, self.line.dialect, at));
        self.findings.extend(report::signs_finding(&self.signs, &self.start, &self.tree, self.entries, at));
        for (count, code) in self.faults.into_iter().zip([codes::UNREADABLE_TEXT, codes::SIDE_LINE_STOPPED]) {
            if count > MOST_FAULTS {
                let message = format!("{} more findings of {code} in this game are not listed", count - MOST_FAULTS);
                self.findings.push(Found { at, finding: Finding::new(codes::MORE_FINDINGS, message) });
            }
        }
        self.findings.sort_by_key(|found| found.at);
        let text_skipped = self.findings.iter().any(|found| found.finding.code == codes::UNREADABLE_TEXT)
            && report::text_stands_for_a_ply(self.entries);
        let plies = self.stop.as_ref().map_or(self.line.ply, |stop| stop.ply - 1);
        Built {
            start: self.start,
            tree: self.tree,
            plies,
            stop: self.stop,
            rest: self.rest,
            findings: self.findings,
            dialect: self.line.dialect,
            evidence: self.evidence,
            readings,
            text_skipped,
            side_switched,
        }
    }
}

/// The last two numbers of the main line between which a round is missing.
fn skipped(entries: &[Entry<'_>]) -> Option<(u32, u32)> {
    let (mut depth, mut last, mut found) = (0usize, None::<u32>, None);
    for entry in entries {
        match entry.event {
            Event::Open => depth += 1,
            Event::Close => depth = depth.saturating_sub(1),
            Event::Number { round, .. } if depth == 0 => {
                if let Some(last) = last.filter(|last| round > last.saturating_add(1)) {
                    found = Some((last, round));
                }
                last = Some(round);
            }
            _ => {}
        }
    }
    found
}

/// The text of a range of entries: as written if the source is at hand, else put together.
pub(super) fn text_between(entries: &[Entry<'_>], options: &Options<'_>, from: usize, to: usize) -> String {
    let Some(first) = entries.get(from).filter(|_| from < to) else { return String::new() };
    if let Some(source) = options.source {
        let start = (first.at as usize).min(source.len());
        let end = entries.get(to).map_or(source.len(), |entry| entry.at as usize).clamp(start, source.len());
        if let Some(text) = source.get(start..end) {
            return text.trim().to_owned();
        }
    }
    report::put_together(&entries[from..to])
}
