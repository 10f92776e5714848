//! A set of games: one bit a game number.

/// A set of game numbers below a fixed bound. A million games take 125 kB, so sets are simply combined word by word.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct GameSet {
    words: Vec<u64>,
    bound: u32,
}

impl GameSet {
    /// No game. Numbers are below `bound`.
    pub fn empty(bound: u32) -> GameSet {
        GameSet { words: vec![0; (bound as usize).div_ceil(64)], bound }
    }

    /// Every number below `bound`.
    pub fn full(bound: u32) -> GameSet {
        let mut set = GameSet { words: vec![!0; (bound as usize).div_ceil(64)], bound };
        set.trim();
        set
    }

    /// The games with these numbers; numbers from `bound` on are left out.
    pub fn of(bound: u32, numbers: impl IntoIterator<Item = u32>) -> GameSet {
        let mut set = GameSet::empty(bound);
        for number in numbers {
            set.insert(number);
        }
        set
    }

    fn trim(&mut self) {
        if !self.bound.is_multiple_of(64)
            && let Some(last) = self.words.last_mut()
        {
            *last &= (1 << (self.bound % 64)) - 1;
        }
    }

    /// The bound all numbers are below.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// Adds a game; a number from the bound on is ignored.
    #[inline]
    pub fn insert(&mut self, number: u32) {
        if number < self.bound {
            self.words[number as usize / 64] |= 1 << (number % 64);
        }
    }

    /// Adds all games of a range; numbers from the bound on are ignored.
    pub fn insert_range(&mut self, numbers: std::ops::Range<u32>) {
        let (start, end) = (numbers.start, numbers.end.min(self.bound));
        if start >= end {
            return;
        }
        let (first, last) = (start as usize / 64, (end - 1) as usize / 64);
        let (head, tail) = (!0 << (start % 64), !0 >> (63 - (end - 1) % 64));
        if first == last {
            self.words[first] |= head & tail;
            return;
        }
        self.words[first] |= head;
        self.words[first + 1..last].fill(!0);
        self.words[last] |= tail;
    }

    /// Takes a game out.
    pub fn remove(&mut self, number: u32) {
        if number < self.bound {
            self.words[number as usize / 64] &= !(1 << (number % 64));
        }
    }

    /// Whether the game is in it.
    #[inline]
    pub fn contains(&self, number: u32) -> bool {
        number < self.bound && self.words[number as usize / 64] >> (number % 64) & 1 == 1
    }

    /// How many games are in it.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no game is in it.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Keeps what is in both.
    pub fn and(&mut self, other: &GameSet) {
        for (index, word) in self.words.iter_mut().enumerate() {
            *word &= other.words.get(index).copied().unwrap_or(0);
        }
    }

    /// Adds what is in the other.
    pub fn or(&mut self, other: &GameSet) {
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
        self.trim();
    }

    /// Takes out what is in the other.
    pub fn minus(&mut self, other: &GameSet) {
        for (word, less) in self.words.iter_mut().zip(&other.words) {
            *word &= !less;
        }
    }

    /// The numbers in it, smallest first.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let mut word = word;
            std::iter::from_fn(move || {
                if word == 0 {
                    return None;
                }
                let bit = word.trailing_zeros();
                word &= word - 1;
                Some(index as u32 * 64 + bit)
            })
        })
    }
}

impl std::fmt::Debug for GameSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter().take(20)).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_all_its_numbers() {
        for bound in [1, 63, 64, 65, 200] {
            for start in 0..bound + 2 {
                for end in 0..bound + 2 {
                    let mut set = GameSet::of(bound, [0]);
                    set.insert_range(start..end);
                    assert_eq!(set, GameSet::of(bound, (start..end).chain([0])), "{start}..{end} below {bound}");
                }
            }
        }
    }

    #[test]
    fn sets_combine_as_sets_do() {
        let mut a = GameSet::of(130, [1, 64, 65, 129, 500]);
        assert_eq!(a.iter().collect::<Vec<_>>(), [1, 64, 65, 129]);
        let b = GameSet::of(130, [64, 2]);
        let mut both = a.clone();
        both.and(&b);
        assert_eq!(both.iter().collect::<Vec<_>>(), [64]);
        a.or(&b);
        a.minus(&GameSet::of(130, [129]));
        assert_eq!(a.iter().collect::<Vec<_>>(), [1, 2, 64, 65]);
        assert_eq!(GameSet::full(130).len(), 130);
        let mut none = GameSet::full(130);
        none.minus(&GameSet::full(130));
        assert!(none.is_empty() && !none.contains(0) && !none.contains(130));
    }
}
