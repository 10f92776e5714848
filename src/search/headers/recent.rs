//! The numbers of texts met lately: names and events come again and again, and a number costs a cryptographic hash.

use super::schema::text_number;

/// So many texts are remembered.
const SLOTS: usize = 1 << 12;
/// Longer texts are not: they are seldom met twice.
const LONGEST: usize = 256;

/// Remembers texts with their numbers; a new one takes the place of an older one.
#[derive(Debug)]
pub(super) struct Recent(Vec<(String, u64)>);

impl Recent {
    pub fn new() -> Recent {
        Recent(vec![(String::new(), text_number("")); SLOTS])
    }

    /// The number of a text, and whether it was asked for before and is remembered.
    pub fn number(&mut self, text: &str) -> (u64, bool) {
        if text.len() > LONGEST {
            return (text_number(text), false);
        }
        let (known, number) = &mut self.0[slot(text)];
        let met = !text.is_empty() && known == text;
        if !met {
            known.clear();
            known.push_str(text);
            *number = text_number(text);
        }
        (*number, met)
    }
}

fn slot(text: &str) -> usize {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut sum = text.len() as u64;
    for chunk in text.as_bytes().chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        sum = (sum.rotate_left(23) ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
    }
    (sum >> 32) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_the_same_number_whether_it_is_remembered_or_not() {
        let mut recent = Recent::new();
        let texts: Vec<String> = (0..3 * SLOTS).map(|n| format!("第{n}轮 许银川")).chain([String::new()]).collect();
        for text in &texts {
            assert_eq!(recent.number(text), (text_number(text), false));
        }
        let mut remembered = 0;
        for text in texts.iter().chain(texts.iter().rev()) {
            let (number, met) = recent.number(text);
            assert_eq!(number, text_number(text));
            remembered += usize::from(met);
        }
        assert!(remembered > SLOTS / 2, "{remembered}");
    }
}
