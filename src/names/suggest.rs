//! Which names may belong to one person.
//!
//! Names that differ only in script, width, blanks or a team written before them are the same characters: searching
//! already treats them as one, and writing them down is safe. A Latin name that sounds like a Chinese one is only a
//! question to a person: 王斌 and 王彬 are both Wang Bin.

use super::needle::{Needle, squeeze};
use super::sound::Sounds;
use super::team::split_team;
use std::collections::BTreeMap;

/// Why names are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Likeness {
    /// The same characters, but for script, width, blanks, or a team before them.
    SameCharacters,
    /// The same Latin words in any order.
    SameWords,
    /// A Latin name and Chinese ones that sound like it.
    SameSound,
}

impl Likeness {
    /// Whether one person is the only sensible reading; otherwise it is a question.
    pub const fn is_certain(self) -> bool {
        !matches!(self, Likeness::SameSound)
    }
}

/// Names that may belong to one person, the most used first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameGroup {
    /// Why.
    pub why: Likeness,
    /// The names as written, with the number of their games.
    pub names: Vec<(String, u64)>,
}

/// Combinations of readings that one Chinese name may stand for.
const MOST_SPELLINGS: usize = 64;

/// Groups names (each with its number of games), certain groups first.
pub fn suggest(names: &[(String, u64)]) -> Vec<NameGroup> {
    let mut by_characters: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, (name, _)) in names.iter().enumerate() {
        let key = squeeze(split_team(name).1);
        if !key.is_empty() {
            by_characters.entry(key).or_default().push(index);
        }
    }
    let mut by_words: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
    let mut by_sound: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (key, members) in &by_characters {
        let Some(needle) = Needle::new(key) else { continue };
        if needle.words().len() >= 2 {
            let mut words = needle.words().to_vec();
            words.sort();
            by_words.entry(words).or_default().extend(members);
        } else if needle.words().is_empty() {
            for spelling in Sounds::of(key).spellings(MOST_SPELLINGS) {
                by_sound.entry(spelling).or_default().extend(members);
            }
        }
    }
    let mut groups = Vec::new();
    let mut add = |why, members: &[usize]| {
        let mut members: Vec<(String, u64)> = members.iter().filter_map(|&index| names.get(index).cloned()).collect();
        members.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        members.dedup();
        if members.len() > 1 {
            groups.push(NameGroup { why, names: members });
        }
    };
    by_characters.values().for_each(|members| add(Likeness::SameCharacters, members));
    for members in by_words.values() {
        let keys: Vec<String> = members.iter().filter_map(|&i| names.get(i)).map(|name| squeeze(&name.0)).collect();
        // Those written with the same characters are told above already.
        if keys.iter().any(|key| *key != keys[0]) {
            add(Likeness::SameWords, members);
        }
    }
    for (words, latin) in &by_words {
        let mut together: Vec<usize> = Vec::new();
        for joined in joins(words) {
            if let Some(chinese) = by_sound.get(&joined) {
                together.extend(chinese);
            }
        }
        if !together.is_empty() {
            together.sort_unstable();
            together.dedup();
            together.extend(latin);
            add(Likeness::SameSound, &together);
        }
    }
    groups.sort_by_key(|group| group.why);
    groups
}

/// The words joined in the orders in which a name can be written: family name first or last.
fn joins(words: &[String]) -> Vec<String> {
    let mut joins: Vec<String> = Vec::new();
    for from in 0..words.len() {
        let turned: Vec<&str> = words[from..].iter().chain(&words[..from]).map(String::as_str).collect();
        joins.push(turned.concat());
        joins.push(turned.iter().rev().copied().collect());
    }
    joins.sort();
    joins.dedup();
    joins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_the_same_is_certain_and_what_sounds_the_same_is_a_question() {
        // DUP-4
        let names: Vec<(String, u64)> = [
            ("胡荣华", 9),
            ("胡榮華", 3),
            ("上海胡荣华", 2),
            ("HU RongHua", 4),
            ("Ronghua Hu", 1),
            ("王斌", 5),
            ("王兵", 5),
            ("WANG Bin", 2),
            ("WANG Bing", 2),
            ("许银川", 7),
        ]
        .map(|(name, games)| (name.to_string(), games))
        .to_vec();
        let groups = suggest(&names);
        let short: Vec<(Likeness, Vec<&str>)> = groups
            .iter()
            .map(|group| (group.why, group.names.iter().map(|(name, _)| name.as_str()).collect()))
            .collect();
        assert_eq!(
            short,
            [
                (Likeness::SameCharacters, vec!["胡荣华", "胡榮華", "上海胡荣华"]),
                (Likeness::SameWords, vec!["HU RongHua", "Ronghua Hu"]),
                (Likeness::SameSound, vec!["王斌", "WANG Bin"]),
                (Likeness::SameSound, vec!["王兵", "WANG Bing"]),
                (Likeness::SameSound, vec!["胡荣华", "HU RongHua", "胡榮華", "上海胡荣华", "Ronghua Hu"]),
            ]
        );
        assert!(Likeness::SameWords.is_certain() && !Likeness::SameSound.is_certain());
    }
}
