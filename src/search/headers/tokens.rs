//! The terms under which a text is filed, and those to look up for a needle.
//!
//! A text is filed under every single character and every pair of neighbouring characters of its squeezed form, and, if
//! it is a header, under its syllables and pairs of initials (each with [`SOUND`] before it). What the terms
//! of a needle find is a superset of what [`Needle::is_in`] accepts.

use crate::names::{Needle, Sounds, squeeze};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Stands before a term that is a sound.
pub(super) const SOUND: char = '\u{1}';

/// Cuts a text into its terms.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    /// File under sounds as well.
    pub sounds: bool,
    squeezed: String,
}

impl Terms {
    pub fn new(sounds: bool) -> Terms {
        Terms { sounds, squeezed: String::new() }
    }
}

impl Tokenizer for Terms {
    type TokenStream<'a> = Stream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Stream<'a> {
        self.squeezed = squeeze(text);
        let mut sounds = Vec::new();
        if self.sounds {
            Sounds::of(text).terms(|term| sounds.push(format!("{SOUND}{term}")));
        }
        Stream { rest: &self.squeezed, pair: false, sounds, token: Token::default() }
    }
}

/// The terms of one text.
#[derive(Debug)]
pub(super) struct Stream<'a> {
    rest: &'a str,
    /// The pair that begins with the first character of `rest` is next.
    pair: bool,
    sounds: Vec<String>,
    token: Token,
}

impl TokenStream for Stream<'_> {
    fn advance(&mut self) -> bool {
        self.token.text.clear();
        self.token.position = 0;
        let mut ends = self.rest.char_indices().map(|(at, c)| at + c.len_utf8());
        let Some(one) = ends.next() else {
            return match self.sounds.pop() {
                Some(sound) => {
                    self.token.text = sound;
                    true
                }
                None => false,
            };
        };
        if !self.pair {
            self.token.text.push_str(&self.rest[..one]);
            self.pair = true;
            return true;
        }
        let two = ends.next();
        let rest = self.rest;
        self.rest = &rest[one..];
        self.pair = false;
        match two {
            Some(two) => {
                self.token.text.push_str(&rest[..two]);
                true
            }
            None => self.advance(),
        }
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}

/// The terms that a text containing `folded` as it stands must have: all of them.
pub(super) fn written(folded: &str) -> Vec<String> {
    let characters: Vec<char> = folded.chars().collect();
    match characters[..] {
        [] => Vec::new(),
        [one] => vec![one.to_string()],
        _ => {
            let mut pairs: Vec<String> = characters.windows(2).map(|pair| pair.iter().collect()).collect();
            pairs.sort();
            pairs.dedup();
            pairs
        }
    }
}

/// Whether the terms of a text decide alone, so that nothing is left to look at.
pub(super) fn decided(needle: &Needle) -> bool {
    needle.words().is_empty() && needle.as_str().chars().count() <= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str, sounds: bool) -> Vec<String> {
        let mut terms = Vec::new();
        let mut tokenizer = Terms::new(sounds);
        tokenizer.token_stream(text).process(&mut |token| terms.push(token.text.clone()));
        terms
    }

    #[test]
    fn characters_pairs_and_sounds() {
        assert_eq!(terms("呂　欽", false), ["吕", "吕钦", "钦"]);
        let mut all = terms("呂欽", true);
        all.sort();
        for term in ["\u{1}qin", "\u{1}lv", "\u{1}~lq"] {
            assert!(all.iter().any(|t| t == term), "{term} {all:?}");
        }
        assert!(terms("", true).is_empty());
    }

    #[test]
    fn a_needle_asks_for_terms_that_every_text_with_it_has() {
        assert_eq!(written("荣"), ["荣"]);
        assert_eq!(written("胡荣华"), ["胡荣", "荣华"]);
        let have = terms("上海胡荣华(先胜)", false);
        assert!(written("胡荣华").iter().all(|term| have.contains(term)));
    }
}
