//! Games marked as copies: a text file that a person can read and undo.
//!
//! A line is `12 7 same`: game 12 is a copy of game 7. Marked games stay in the database; searches leave them out. Numbers
//! never change, so marks hold when games are added later. `12 7 not` remembers that a person took the mark back: the two
//! are not proposed to each other again.

use std::collections::{BTreeMap, BTreeSet};

/// Marks, by game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    copies: BTreeMap<u32, (u32, String)>,
    /// Pairs that are no copies of each other, the smaller number first.
    apart: BTreeSet<(u32, u32)>,
}

/// Stands for a pair that is apart.
const NOT: &str = "not";

/// A line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: not of the form 'GAME KEPT WHY'")]
pub struct MarkFault {
    /// Line in the file, from 1.
    pub line: usize,
}

impl Marks {
    /// Reads the file.
    ///
    /// # Errors
    ///
    /// The first line that makes no sense: a half-read file would bring copies back.
    pub fn read(text: &str) -> Result<Marks, MarkFault> {
        let mut marks = Marks::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let mut parts = line.split_whitespace();
            let fault = MarkFault { line: index + 1 };
            let (Some(Ok(game)), Some(Ok(kept))) =
                (parts.next().map(str::parse::<u32>), parts.next().map(str::parse::<u32>))
            else {
                return Err(fault);
            };
            match parts.next().unwrap_or("same") {
                NOT => {
                    marks.apart.insert((game.min(kept), game.max(kept)));
                }
                why => {
                    marks.copies.insert(game, (kept, why.to_string()));
                }
            }
        }
        Ok(marks)
    }

    /// The file that says the same.
    pub fn write(&self) -> String {
        let mut text = "# game, copy of, why; take a line out to bring a game back\n".to_string();
        for (game, (kept, why)) in &self.copies {
            text.push_str(&format!("{game} {kept} {why}\n"));
        }
        for (one, other) in &self.apart {
            text.push_str(&format!("{one} {other} {NOT}\n"));
        }
        text
    }

    /// Marks a game as a copy of another. A game that others are marked as copies of stays unmarked, so that one copy is
    /// always left. True if it is marked now.
    pub fn mark(&mut self, game: u32, kept: u32, why: &str) -> bool {
        let kept = self.copies.get(&kept).map_or(kept, |(first, _)| *first);
        if game == kept || self.are_apart(game, kept) || self.copies.values().any(|(other, _)| *other == game) {
            return false;
        }
        self.copies.insert(game, (kept, why.to_string()));
        true
    }

    /// Takes a mark back and remembers that the two games are apart. True if there was one.
    pub fn undo(&mut self, game: u32) -> bool {
        let Some((kept, _)) = self.copies.remove(&game) else { return false };
        self.apart.insert((game.min(kept), game.max(kept)));
        true
    }

    /// Takes all marks back, as if none had ever been made. Answers how many there were.
    pub fn undo_all(&mut self) -> usize {
        let marked = self.copies.len();
        *self = Marks::default();
        marked
    }

    /// Whether a person said that two games are no copies of each other.
    pub fn are_apart(&self, one: u32, other: u32) -> bool {
        self.apart.contains(&(one.min(other), one.max(other)))
    }

    /// The game a marked game is a copy of.
    pub fn kept(&self, game: u32) -> Option<u32> {
        self.copies.get(&game).map(|(kept, _)| *kept)
    }

    /// Lifts the marks whose kept game is gone: its copy is all that is left.
    pub fn lift(&mut self, gone: impl Fn(u32) -> bool) {
        self.copies.retain(|_, (kept, _)| !gone(*kept));
    }

    /// The games marked as copies.
    pub fn games(&self) -> impl Iterator<Item = u32> + '_ {
        self.copies.keys().copied()
    }

    /// Whether the game is marked.
    pub fn is_marked(&self, game: u32) -> bool {
        self.copies.contains_key(&game)
    }

    /// Number of marks.
    pub fn len(&self) -> usize {
        self.copies.len()
    }

    /// Whether nothing is marked.
    pub fn is_empty(&self) -> bool {
        self.copies.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_survive_are_undone_and_never_take_the_last_copy() {
        let mut marks = Marks::default();
        assert!(marks.mark(5, 1, "contained") && marks.mark(9, 5, "same"));
        assert!(!marks.mark(1, 9, "same"), "1 is the one that is kept");
        assert_eq!(marks.games().collect::<Vec<_>>(), [5, 9]);
        assert_eq!(Marks::read(&marks.write()), Ok(marks.clone()));
        assert!(marks.undo(5) && !marks.undo(5) && marks.len() == 1);
        assert!(marks.are_apart(1, 5) && !marks.mark(5, 1, "contained"), "a person said no");
        assert_eq!(Marks::read(&marks.write()), Ok(marks.clone()));
        marks.lift(|game| game == 1);
        assert!(marks.is_empty() && marks.undo_all() == 0);
        assert_eq!(Marks::read("1 2 same\nx"), Err(MarkFault { line: 2 }));
    }
}
