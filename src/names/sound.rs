//! How a text sounds: its characters as pinyin syllables, its Latin words as they are.
//!
//! Every character has all its readings, because names use the rarer one more often than not (单 is *shan*, 曾 *zeng*,
//! 解 *xie* as surnames); `SURNAMES` adds the readings that dictionaries of common words leave out. Tones are
//! dropped. Where pinyin has ü, `lu`, `lv` and `lyu` are all accepted.

use crate::text::fold::{fold_char, is_hanzi};
use pinyin::ToPinyinMulti;

/// Readings of surnames (and of characters in double surnames) that are missing from common tables or come late.
const SURNAMES: &[(char, &[&str])] = &[
    ('单', &["shan"]),
    ('曾', &["zeng"]),
    ('解', &["xie"]),
    ('卜', &["bu"]),
    ('仇', &["qiu"]),
    ('盖', &["ge", "gai"]),
    ('查', &["zha"]),
    ('区', &["ou"]),
    ('尉', &["yu", "wei"]),
    ('迟', &["chi"]),
    ('朴', &["piao", "pu"]),
    ('任', &["ren"]),
    ('华', &["hua"]),
    ('乐', &["yue", "le"]),
    ('缪', &["miao"]),
    ('翟', &["zhai", "di"]),
    ('繁', &["po"]),
    ('种', &["chong"]),
    ('尹', &["yin"]),
    ('员', &["yun"]),
    ('召', &["shao"]),
    ('重', &["chong"]),
    ('折', &["she"]),
    ('晟', &["cheng", "sheng"]),
    ('万', &["wan", "mo"]),
    ('俟', &["qi"]),
    ('冼', &["xian"]),
    ('冯', &["feng"]),
    ('石', &["shi"]),
    ('宁', &["ning"]),
    ('那', &["na"]),
    ('褚', &["chu"]),
    ('葛', &["ge"]),
    ('覃', &["qin", "tan"]),
    ('隗', &["wei", "kui"]),
    ('佴', &["nai"]),
    ('祭', &["zhai"]),
    ('黑', &["he", "hei"]),
    ('秘', &["bi", "mi"]),
    ('洗', &["xian", "xi"]),
];

/// One syllable of a text, or one Latin word.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Unit {
    /// Its readings, all small letters; never empty.
    readings: Vec<String>,
    /// A Latin word or number stands for itself and has no initial of a syllable.
    latin: bool,
}

/// A text as a row of units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sounds(Vec<Unit>);

/// Units looked at in one text; more would be prose, not a name.
const MOST_UNITS: usize = 64;
/// Letters of a word that can be compared (one bit each).
const MOST_LETTERS: usize = 63;

impl Sounds {
    /// How the text sounds. Characters that are neither Chinese, Latin nor digits only separate words.
    pub fn of(text: &str) -> Sounds {
        let mut units: Vec<Unit> = Vec::new();
        let mut word = String::new();
        for c in text.chars().map(fold_char).chain([' ']) {
            if c.is_ascii_alphanumeric() {
                word.push(c);
                continue;
            }
            if !word.is_empty() {
                units.push(Unit { readings: vec![std::mem::take(&mut word)], latin: true });
            }
            if is_hanzi(c) {
                let readings = readings(c);
                if !readings.is_empty() {
                    units.push(Unit { readings, latin: false });
                }
            }
            if units.len() >= MOST_UNITS {
                break;
            }
        }
        Sounds(units)
    }

    /// Whether the word (small letters) is spelled by some units in a row, each of them whole.
    pub fn spell(&self, word: &str) -> bool {
        (0..self.0.len()).any(|from| self.spelled(word, from, false))
    }

    /// Whether the word spells the text from the first unit to the last.
    pub fn spelled_by(&self, word: &str) -> bool {
        self.spelled(word, 0, true)
    }

    fn spelled(&self, word: &str, from: usize, to_the_end: bool) -> bool {
        if word.is_empty() || word.len() > MOST_LETTERS {
            return false;
        }
        let goal = 1u64 << word.len();
        // Bit n: the first n letters are spelled.
        let mut reached = 1u64;
        for (at, unit) in self.0.iter().enumerate().skip(from) {
            let mut next = 0;
            for reading in &unit.readings {
                let mut places = reached;
                while places != 0 {
                    let at = places.trailing_zeros() as usize;
                    places &= places - 1;
                    if word.as_bytes()[at.min(word.len())..].starts_with(reading.as_bytes()) {
                        next |= 1 << (at + reading.len());
                    }
                }
            }
            if next & goal != 0 && (!to_the_end || at + 1 == self.0.len()) {
                return true;
            }
            if next == 0 {
                return false;
            }
            reached = next;
        }
        false
    }

    /// Whether the word (two letters or more) is a row of initials of syllables that follow each other.
    pub fn initials(&self, word: &str) -> bool {
        let letters = word.as_bytes();
        letters.len() >= 2
            && self.0.windows(letters.len()).any(|units| {
                units.iter().zip(letters).all(|(unit, letter)| {
                    !unit.latin && unit.readings.iter().any(|reading| reading.as_bytes()[0] == *letter)
                })
            })
    }

    /// Every way to spell the whole text, at most `most` of them.
    pub(crate) fn spellings(&self, most: usize) -> Vec<String> {
        let mut all = vec![String::new()];
        for unit in &self.0 {
            let longer =
                all.iter().flat_map(|begun| unit.readings.iter().map(move |reading| format!("{begun}{reading}")));
            all = longer.take(most).collect();
        }
        all
    }

    /// Every term under which an index must file the text so that [`sound_terms`] of a word finds it: its readings, and
    /// the pairs of initials with a `~` before them.
    pub(crate) fn terms(&self, mut each: impl FnMut(&str)) {
        for unit in &self.0 {
            unit.readings.iter().for_each(|reading| each(reading));
        }
        for pair in self.0.windows(2).filter(|pair| !pair[0].latin && !pair[1].latin) {
            for one in &pair[0].readings {
                for other in &pair[1].readings {
                    each(&format!("~{}{}", one.as_bytes()[0] as char, other.as_bytes()[0] as char));
                }
            }
        }
    }
}

/// What to look up for a word: a text that spells it has one of `readings`, one that has it as initials has all `pairs`.
#[derive(Debug)]
pub(crate) struct SoundTerms {
    pub readings: Vec<String>,
    pub pairs: Vec<String>,
}

/// The terms that must be there for [`Sounds::spell`] or [`Sounds::initials`] to be true.
pub(crate) fn sound_terms(word: &str) -> SoundTerms {
    let readings = if word.len() > MOST_LETTERS {
        Vec::new()
    } else {
        (1..=word.len()).filter_map(|n| word.get(..n)).map(str::to_string).collect()
    };
    let letters: Vec<char> = word.chars().collect();
    let pairs = letters.windows(2).map(|pair| format!("~{}{}", pair[0], pair[1])).collect();
    SoundTerms { readings, pairs }
}

/// All readings of a folded character, without tones.
fn readings(c: char) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |plain: &str| {
        if !found.iter().any(|known| known == plain) {
            found.push(plain.to_string());
        }
    };
    for (surname, plain) in SURNAMES {
        if *surname == c {
            plain.iter().for_each(|plain| add(plain));
        }
    }
    if let Some(readings) = c.to_pinyin_multi() {
        for reading in readings {
            let plain = reading.plain();
            if plain.contains('ü') {
                ["u", "v", "yu"].iter().for_each(|vowel| add(&plain.replace('ü', vowel)));
            } else if plain.is_ascii() && !plain.is_empty() {
                add(plain);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_spelled_whole_in_parts_and_by_initials() {
        let name = Sounds::of("胡榮華");
        for word in ["hu", "ronghua", "huronghua", "hua"] {
            assert!(name.spell(word), "{word}");
        }
        for word in ["h", "huron", "onghua", "huang", "rhu", ""] {
            assert!(!name.spell(word), "{word}");
        }
        assert!(name.initials("hrh") && name.initials("rh") && !name.initials("hh") && !name.initials("h"));
    }

    #[test]
    fn surnames_have_their_own_readings() {
        for (name, word) in [
            ("单霞丽", "shanxiali"),
            ("曾东平", "zengdongping"),
            ("解杰", "xiejie"),
            ("卜凤波", "bufengbo"),
            ("尉迟恭", "yuchigong"),
            ("吕钦", "lvqin"),
            ("吕钦", "luqin"),
            ("吕钦", "lyuqin"),
            ("區中堅", "ouzhongjian"),
        ] {
            assert!(Sounds::of(name).spell(word), "{name} {word}");
        }
    }

    #[test]
    fn latin_words_count_whole_and_mix_with_chinese() {
        let name = Sounds::of("HU RongHua (上海)");
        assert!(name.spell("huronghua") && name.spell("ronghuashanghai") && !name.spell("rong"));
        assert!(name.initials("sh") && !name.initials("hr"));
    }

    #[test]
    fn a_very_long_word_or_text_is_no_trouble() {
        let long = "胡".repeat(10_000);
        assert!(!Sounds::of(&long).spell(&"hu".repeat(1000)));
        assert!(Sounds::of(&long).spell(&"hu".repeat(20)));
    }
}
