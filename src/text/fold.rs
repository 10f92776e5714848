//! One form for all the ways a character is written: for comparing and searching, never for showing.
//!
//! Comes in: any text. Goes out: the same number of characters, each replaced by the one that stands for its group:
//!
//! - traditional, variant and Japanese characters by the simplified one (榮 by 荣, 峯 by 峰, 沢 by 泽);
//! - the characters that only game records use by the common ones (砲 and 包 by 炮, 俥 by 车, 傌 by 马);
//! - full-width forms, radicals, look-alikes (`Ｃ２＝５` by `c2=5`, ⻢ by 马, Cyrillic С by c);
//! - capital letters by small ones, letters with marks by plain ones (`Lü` by `lu`);
//! - all blanks by a space, all dashes by `-`, all middle dots by `·`.
//!
//! Folding looks at one character at a time, so a piece of a text folds to the same piece of the folded text, and
//! folding twice changes nothing. What a phrase would decide (乾 stays 乾 in 乾隆) is left undecided: both become 干.
//!
//! The groups stand in `fold.txt`, one a line, the character that stands for the group first; `tools/fold_table.rs`
//! writes that file.

use std::borrow::Cow;
use std::sync::LazyLock;

/// Characters of one block of the table.
const BLOCK: usize = 128;
/// No group reaches beyond the supplementary ideographs.
const LIMIT: usize = 0x4_0000;

/// Two steps: which block a code point is in, then its place in the block. Block 0 holds only "folds to itself".
struct Table {
    block_of: [u16; LIMIT / BLOCK],
    folded: Vec<char>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { block_of: [0; LIMIT / BLOCK], folded: vec!['\0'; BLOCK] };
    for row in include_str!("fold.txt").lines() {
        let mut forms = row.chars();
        let Some(target) = forms.next() else { continue };
        for form in forms {
            let (block, place) = (form as usize / BLOCK, form as usize % BLOCK);
            let Some(number) = table.block_of.get_mut(block) else { continue };
            if *number == 0 {
                *number = (table.folded.len() / BLOCK) as u16;
                table.folded.resize(table.folded.len() + BLOCK, '\0');
            }
            table.folded[*number as usize * BLOCK + place] = target;
        }
    }
    table
});

/// The character that stands for the group of `c`; `c` itself if it is in no group.
#[inline]
pub fn fold_char(c: char) -> char {
    if c.is_ascii() {
        return if c.is_ascii_control() { ' ' } else { c.to_ascii_lowercase() };
    }
    let table = &*TABLE;
    let place = c as usize;
    match table.block_of.get(place / BLOCK) {
        Some(&block) => match table.folded[block as usize * BLOCK + place % BLOCK] {
            '\0' => c,
            folded => folded,
        },
        None => c,
    }
}

/// The text with every character folded. Borrowed if nothing changes.
///
/// ```
/// use yipu::text::fold::fold;
/// assert_eq!(fold("胡榮華 對 楊官璘"), "胡荣华 对 杨官璘");
/// assert_eq!(fold("ＨＵ RongHua"), "hu ronghua");
/// ```
pub fn fold(text: &str) -> Cow<'_, str> {
    let Some((first, _)) = text.char_indices().find(|&(_, c)| fold_char(c) != c) else { return Cow::Borrowed(text) };
    let mut folded = String::with_capacity(text.len());
    folded.push_str(&text[..first]);
    folded.extend(text[first..].chars().map(fold_char));
    Cow::Owned(folded)
}

/// Whether the two texts fold to the same.
pub fn same(a: &str, b: &str) -> bool {
    a.chars().map(fold_char).eq(b.chars().map(fold_char))
}

/// Whether it is a Chinese character (unified and compatibility ideographs).
pub const fn is_hanzi(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}' | '\u{3007}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_scripts_and_the_characters_of_the_game_meet() {
        for (one, other) in [
            ("胡榮華", "胡荣华"),
            ("許銀川", "许银川"),
            ("呂欽", "吕钦"),
            ("趙國榮", "赵国荣"),
            ("臺灣", "台湾"),
            ("象棋譜", "象棋谱"),
            ("象碁", "象棋"),
            ("砲二平五", "炮二平五"),
            ("包二平五", "炮二平五"),
            ("俥一進一", "车一进一"),
            ("傌八進七", "马八进七"),
            ("帥五平四", "帅五平四"),
            ("后手", "後手"),
            ("沢", "澤"),
            ("Ｃ２＝５", "c2=5"),
            ("HU　Ronghua", "hu ronghua"),
            ("Lü", "LU"),
            ("⻢⻋", "马车"),
        ] {
            assert_eq!(fold(one), fold(other), "{one} {other}");
            assert!(same(one, other));
        }
        for (one, other) in [("士", "土"), ("己", "已"), ("马", "鸟"), ("王斌", "王兵"), ("兵", "卒"), ("仕", "士")]
        {
            assert_ne!(fold(one), fold(other), "{one} {other}");
        }
    }

    #[test]
    fn folding_twice_changes_nothing_and_no_character_is_lost() {
        for c in ('\0'..=char::MAX).step_by(1) {
            let folded = fold_char(c);
            assert_eq!(fold_char(folded), folded, "{c} {:x}", c as u32);
        }
        let text = "1990年「五羊杯」全國象棋冠軍邀請賽　許銀川（廣東）先勝 柳大華(湖北)";
        assert_eq!(fold(text).chars().count(), text.chars().count());
        let whole = fold(text).into_owned();
        for (at, _) in text.char_indices() {
            assert_eq!(format!("{}{}", fold(&text[..at]), fold(&text[at..])), whole);
        }
    }

    #[test]
    fn every_row_of_the_table_names_its_group_by_a_character_that_stays() {
        let mut seen = std::collections::HashSet::new();
        for row in include_str!("fold.txt").lines() {
            let mut forms = row.chars();
            let target = forms.next().unwrap();
            assert_eq!(fold_char(target), target, "{row}");
            for form in forms {
                assert!(seen.insert(form), "{form} twice");
                assert_ne!(form, target);
            }
        }
        assert!(seen.len() > 4000);
    }
}
