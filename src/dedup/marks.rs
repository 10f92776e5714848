//! Games marked as copies: a text file that a person can read and undo.
//!
//! A line is `12 7 same`: game 12 is a copy of game 7. Marked games stay in the database; searches leave them out.

use std::collections::BTreeMap;

/// Marks, by game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks(BTreeMap<u32, (u32, String)>);

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
            let (Some(Ok(game)), Some(Ok(kept))) = (parts.next().map(str::parse), parts.next().map(str::parse)) else {
                return Err(fault);
            };
            marks.0.insert(game, (kept, parts.next().unwrap_or("same").to_string()));
        }
        Ok(marks)
    }

    /// The file that says the same.
    pub fn write(&self) -> String {
        let mut text = "# game, copy of, why; take a line out to bring a game back\n".to_string();
        for (game, (kept, why)) in &self.0 {
            text.push_str(&format!("{game} {kept} {why}\n"));
        }
        text
    }

    /// Marks a game as a copy of another. A game that others are marked as copies of stays unmarked, so that one copy is
    /// always left. True if it is marked now.
    pub fn mark(&mut self, game: u32, kept: u32, why: &str) -> bool {
        let kept = self.0.get(&kept).map_or(kept, |(first, _)| *first);
        if game == kept || self.0.values().any(|(other, _)| *other == game) {
            return false;
        }
        self.0.insert(game, (kept, why.to_string()));
        true
    }

    /// Takes a mark back. True if there was one.
    pub fn undo(&mut self, game: u32) -> bool {
        self.0.remove(&game).is_some()
    }

    /// The games marked as copies.
    pub fn games(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.keys().copied()
    }

    /// Whether the game is marked.
    pub fn is_marked(&self, game: u32) -> bool {
        self.0.contains_key(&game)
    }

    /// Number of marks.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing is marked.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
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
        assert_eq!(Marks::read("1 2 same\nx"), Err(MarkFault { line: 2 }));
    }
}
