//! One person under several names: a file that a person writes, and that can be undone by taking a line out.
//!
//! A line holds the names of one person, the preferred one first, with `=` between them; `#` begins a remark:
//!
//! ```text
//! 胡荣华 = HU Ronghua = 胡司令    # the same player
//! ```
//!
//! Names are compared squeezed and folded. Nothing in the games changes: a search for one of the names also finds the
//! others.

use super::needle::{Needle, squeeze};
use std::collections::HashMap;

/// Names that belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aliases {
    groups: Vec<Vec<String>>,
    group_of: HashMap<String, usize>,
}

/// A line that could not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct AliasFault {
    /// Line in the file, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl Aliases {
    /// Reads an alias file. Lines that make no sense are told and left out.
    pub fn read(text: &str) -> (Aliases, Vec<AliasFault>) {
        let mut aliases = Aliases::default();
        let mut faults = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim_start_matches('\u{feff}');
            let names: Vec<&str> = line
                .split('#')
                .next()
                .unwrap_or_default()
                .split(['=', '＝'])
                .map(str::trim)
                .filter(|name| !name.is_empty())
                .collect();
            match names[..] {
                [] => {}
                [one] => faults.push(AliasFault { line: index + 1, what: format!("{one} has no other name") }),
                _ => {
                    if let Err(what) = aliases.join(&names) {
                        faults.push(AliasFault { line: index + 1, what });
                    }
                }
            }
        }
        (aliases, faults)
    }

    /// Makes names one group, joined with a group one of them is in already.
    fn join(&mut self, names: &[&str]) -> Result<(), String> {
        let mut groups: Vec<usize> =
            names.iter().filter_map(|name| self.group_of.get(&squeeze(name)).copied()).collect();
        groups.dedup();
        if groups.len() > 1 {
            return Err("these names are in different groups already".to_string());
        }
        let group = groups.first().copied().unwrap_or_else(|| {
            self.groups.push(Vec::new());
            self.groups.len() - 1
        });
        for name in names {
            if self.group_of.insert(squeeze(name), group).is_none() {
                self.groups[group].push((*name).to_string());
            }
        }
        Ok(())
    }

    /// The file that says the same.
    pub fn write(&self) -> String {
        self.groups.iter().map(|names| names.join(" = ") + "\n").collect()
    }

    /// The groups, the preferred name of each first.
    pub fn groups(&self) -> &[Vec<String>] {
        &self.groups
    }

    /// The preferred name of a person; the name itself if nothing is known.
    pub fn preferred<'a>(&'a self, name: &'a str) -> &'a str {
        let group = self.group_of.get(&squeeze(name)).and_then(|group| self.groups.get(*group));
        group.and_then(|names| names.first()).map_or(name, String::as_str)
    }

    /// Whether the name is in a group.
    pub fn knows(&self, name: &str) -> bool {
        self.group_of.contains_key(&squeeze(name))
    }

    /// The other names of the people the needle names whole: by one of their names, or by the sound of one.
    pub fn others(&self, needle: &Needle) -> Vec<Needle> {
        let mut others = Vec::new();
        for names in &self.groups {
            let named = names.iter().any(|name| {
                squeeze(name) == needle.as_str() || (!needle.words().is_empty() && names_whole(needle, name))
            });
            if named {
                others.extend(names.iter().filter_map(|name| Needle::new(name)));
            }
        }
        others
    }
}

/// Whether the words of a needle, in some order, are the whole of a name.
fn names_whole(needle: &Needle, name: &str) -> bool {
    let Some(own) = Needle::new(name) else { return false };
    let sorted = |needle: &Needle| {
        let mut words = needle.words().to_vec();
        words.sort();
        words
    };
    if own.words().is_empty() {
        let mut words = needle.words().to_vec();
        words.sort();
        let sounds = super::Sounds::of(name);
        return permutations(&words).any(|joined| sounds.spelled_by(&joined));
    }
    sorted(&own) == sorted(needle) || own.words().concat() == needle.words().concat()
}

/// The words joined in every order (of up to three words; more are taken as they stand).
fn permutations(words: &[String]) -> impl Iterator<Item = String> + '_ {
    let orders: &[&[usize]] = match words.len() {
        1 => &[&[0]],
        2 => &[&[0, 1], &[1, 0]],
        3 => &[&[0, 1, 2], &[0, 2, 1], &[1, 0, 2], &[1, 2, 0], &[2, 0, 1], &[2, 1, 0]],
        _ => &[],
    };
    orders.iter().map(|order| order.iter().filter_map(|&n| words.get(n)).map(String::as_str).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_person_lead_to_each_other() {
        let (aliases, faults) =
            Aliases::read("# people\n胡荣华 = HU Ronghua = 胡司令 # champion\n\n吕钦\n王斌=WANG Bin\n");
        assert_eq!(faults.len(), 1);
        assert_eq!(faults[0].line, 4);
        let others = |text: &str| {
            let needles = aliases.others(&Needle::new(text).unwrap());
            needles.iter().map(|needle| needle.as_str().to_string()).collect::<Vec<_>>()
        };
        let all = ["胡荣华", "hu ronghua", "胡司令"];
        for name in ["胡榮華", "Ronghua Hu", "hu ronghua", "胡司令", "huronghua"] {
            assert_eq!(others(name), all, "{name}");
        }
        assert!(others("胡").is_empty() && others("hu").is_empty() && others("王兵").is_empty());
        assert_eq!(aliases.preferred("Hu RongHua"), "胡荣华");
        assert_eq!(aliases.preferred("许银川"), "许银川");
        assert_eq!(Aliases::read(&aliases.write()).0, aliases);
    }

    #[test]
    fn a_name_in_two_groups_is_a_fault_not_a_merge() {
        let (aliases, faults) = Aliases::read("甲=乙\n丙=丁\n甲=丙\n");
        assert_eq!((aliases.groups().len(), faults.len()), (2, 1));
    }
}
