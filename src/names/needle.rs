//! What a user looks for in a text, and whether it is there.
//!
//! A needle with Chinese characters must be in the text as it stands, once both are folded and blanks beside Chinese
//! characters are dropped (吕　钦 is 吕钦). A needle of Latin letters is split into words; each must be in the text, in
//! any order: written out, or as the sound of whole characters (`ronghua`), or as initials of neighbouring characters
//! (`hrh`). In names a written word must begin where a word begins (`hu` is not found in Ronghua); elsewhere it may
//! stand anywhere.

use super::sound::Sounds;
use crate::text::fold::{fold_char, is_hanzi};

/// What kind of text is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A person's name: Latin words are matched from their first letter.
    Name,
    /// Any other text.
    Text,
}

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needle {
    /// The whole of it, squeezed.
    whole: String,
    /// Its words, if all of it is Latin letters.
    words: Vec<String>,
}

impl Needle {
    /// Prepares what the user wrote. `None` if nothing is left to look for.
    pub fn new(text: &str) -> Option<Needle> {
        let whole = squeeze(text);
        if whole.is_empty() {
            return None;
        }
        let mut words = Vec::new();
        let latin = |c: char| c.is_ascii_alphabetic() || matches!(c, ' ' | '\'' | ',' | '.' | '-');
        if whole.chars().all(latin) {
            words =
                whole.split(|c: char| !c.is_ascii_alphabetic()).filter(|w| !w.is_empty()).map(str::to_string).collect();
        }
        Some(Needle { whole, words })
    }

    /// The folded text looked for.
    pub fn as_str(&self) -> &str {
        &self.whole
    }

    /// The words that must all be found, for a needle of Latin letters; empty for any other.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether the text, as written in a record, has it.
    pub fn is_in(&self, text: &str, place: Place) -> bool {
        let squeezed = squeeze(text);
        if place == Place::Text && squeezed.contains(&self.whole) {
            return true;
        }
        if self.words.is_empty() {
            return squeezed.contains(&self.whole);
        }
        let sounds = Sounds::of(text);
        self.words.iter().all(|word| {
            let written = match place {
                Place::Text => squeezed.contains(word.as_str()),
                Place::Name => begins_a_word(&squeezed, word),
            };
            written || sounds.spell(word) || sounds.initials(word)
        })
    }

    /// Whether running text (a comment) has it, as written: prose is not searched by sound.
    pub fn is_written_in(&self, text: &str) -> bool {
        squeeze(text).contains(&self.whole)
    }
}

fn begins_a_word(text: &str, word: &str) -> bool {
    let mut from = 0;
    while let Some(at) = text[from..].find(word).map(|at| at + from) {
        if !text[..at].ends_with(|c: char| c.is_ascii_alphabetic()) {
            return true;
        }
        from = at + word.len();
    }
    false
}

/// The folded text with runs of blanks as one space, none at the ends and none beside a Chinese character.
pub fn squeeze(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    let mut blank = false;
    let mut last = None;
    for c in text.chars().map(fold_char) {
        if c == ' ' || c.is_whitespace() {
            blank = true;
            continue;
        }
        if std::mem::take(&mut blank) && last.is_some_and(|last| !is_hanzi(last)) && !is_hanzi(c) {
            squeezed.push(' ');
        }
        squeezed.push(c);
        last = Some(c);
    }
    squeezed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(needle: &str, text: &str) -> bool {
        Needle::new(needle).unwrap().is_in(text, Place::Name)
    }

    #[test]
    fn one_name_is_found_in_every_form() {
        // DUP-3
        for needle in ["qian yiming", "Yiming Qian", "錢一鳴", "钱", "鸣", "qianyiming", "qym", "QIAN Yiming", "一鳴"]
        {
            for text in ["錢一鳴", "钱一鸣", "錢　一鳴"] {
                assert!(found(needle, text), "{needle} in {text}");
            }
        }
        for needle in ["qian yiming", "Yiming Qian", "Qian, Yiming"] {
            assert!(found(needle, "QIAN Yiming") && found(needle, "Qian, Yiming"));
        }
        assert!(!found("錢一鳴", "QIAN Yiming"), "only an alias can say so");
    }

    #[test]
    fn near_names_stay_apart() {
        // DUP-4
        assert!(!found("王斌", "王兵") && !found("wang bin", "王兵") && found("wang bing", "王兵"));
        assert!(!found("hu", "Li Ronghua") && found("hu", "Hu Ronghua") && !found("hu", "黄海林"));
    }

    #[test]
    fn blanks_inside_chinese_names_do_not_count() {
        assert!(found("吕钦", "吕　钦") && found("吕 钦", "呂欽"));
        assert_eq!(squeeze("  第 10 届  World   Cup 上海 "), "第10届world cup上海".to_string());
    }

    #[test]
    fn other_texts_are_found_by_any_part() {
        let find = |needle: &str, text: &str| Needle::new(needle).unwrap().is_in(text, Place::Text);
        assert!(find("orld cu", "World Cup 2004") && find("2004", "World Cup 2004") && find("五羊", "第十屆五羊盃"));
        assert!(find("quanguo", "全国象棋个人赛") && find("xqgrs", "全国象棋个人赛"));
        assert_eq!(Needle::new(" \u{3000}"), None);
    }
}
