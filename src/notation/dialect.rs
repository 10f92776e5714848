//! Dialects: readings of the same characters that differ between programs and countries.
//!
//! A [`Dialect`] is a set of hypotheses about a whole record. It starts open and is narrowed by what the board allows.
//! Each *question* (from which end ranks are counted, which letters are meant …) has a few answers; a dialect keeps, for
//! each question, the answers still possible.

/// A set of hypotheses: for each question the answers still held possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dialect(u32);

macro_rules! answers {
    ($($(#[$doc:meta])* $name:ident = $bit:literal, $text:literal;)*) => {
        impl Dialect {
            $($(#[$doc])* pub const $name: Dialect = Dialect(1 << $bit);)*

            const NAMES: &[(Dialect, &'static str)] = &[$((Dialect::$name, $text)),*];
        }
    };
}

answers! {
    /// Ranks 0–9 from Red's side (ICCS, UCCI).
    RANKS_FROM_0 = 0, "ranks 0-9 from Red";
    /// Ranks 1–10 from Red's side (UCI engines of the Fairy family).
    RANKS_FROM_1 = 1, "ranks 1-10 from Red";
    /// Ranks 0–9 from Black's side (some phone programs).
    RANKS_FROM_BLACK = 2, "ranks 0-9 from Black";
    /// Letters `K A E H R C P` and their synonyms; `+ - .` mean forward, back, traverse.
    WESTERN = 3, "WXF letters";
    /// Vietnamese letters `Tg S T X P M B`; `. / -` mean forward, back, traverse.
    VIETNAMESE = 4, "Vietnamese letters";
    /// Initials of the Chinese names in pinyin: `p25`, `m8+7`.
    PINYIN = 5, "pinyin initials";
    /// `G` is a guard, 仕.
    G_GUARD = 6, "G for guard";
    /// `G` is the general, 帅.
    G_GENERAL = 7, "G for general";
    /// Pawns by number and file (World Xiangqi Rules 2018): `33=4` is the third of file 3.
    PAWN_NUMBERS = 8, "pawns by number and file";
    /// Pawns by marks (WXF 1997): `33.4` is the middle one of file 3.
    PAWN_MARKS = 9, "pawns by marks";
    /// Four digits are file and rank, ranks from Black's side (DhtmlXQ).
    DIGITS_DHTMLXQ = 10, "digit pairs from Black's side";
    /// Four digits are file and rank, ranks from Red's side.
    DIGITS_RED = 11, "digit pairs from Red's side";
    /// Four digits are piece, file, direction, number as on XQStudio's key pad.
    DIGITS_KEYPAD = 12, "XQStudio key pad";
    /// Pieces numbered 1–7 in place of letters: `62.5`.
    PIECE_DIGITS = 13, "pieces by number";
    /// A bar below the digit means forward (the usual way).
    BAR_BELOW_FORWARD = 14, "bar below means forward";
    /// A bar below the digit means back.
    BAR_BELOW_BACK = 15, "bar below means back";
    /// A digit without bar means traverse: the bars are known to be complete.
    BARS_COMPLETE = 16, "bars complete";
    /// A digit without bar may have lost it.
    BARS_LOST = 17, "bars lost";
    /// Letters as in WXF, but files counted from 0: `b6-4`. Most texts fit WXF as well, so this is never tried unless asked
    /// for; then letters mean nothing else.
    FILES_FROM_0 = 18, "files from 0";
}

impl Dialect {
    /// No answer to any question.
    pub const NONE: Dialect = Dialect(0);

    /// What only a user can know; no part of any question.
    const ASKED: Dialect = Dialect::FILES_FROM_0;

    /// All answers to all questions.
    pub const OPEN: Dialect = Dialect((1 << 18) - 1);

    /// What a record is tried with first: everything in common use.
    pub const COMMON: Dialect = Dialect::OPEN
        .without(Dialect::PINYIN.or(Dialect::PIECE_DIGITS).or(Dialect::BAR_BELOW_BACK).or(Dialect::BARS_LOST));

    pub(crate) const RANKS: Dialect = Dialect::RANKS_FROM_0.or(Dialect::RANKS_FROM_1).or(Dialect::RANKS_FROM_BLACK);
    pub(crate) const LETTERS: Dialect = Dialect::WESTERN.or(Dialect::VIETNAMESE).or(Dialect::PINYIN);
    pub(crate) const G: Dialect = Dialect::G_GUARD.or(Dialect::G_GENERAL);
    pub(crate) const PAWNS: Dialect = Dialect::PAWN_NUMBERS.or(Dialect::PAWN_MARKS).or(Dialect::PIECE_DIGITS);
    pub(crate) const DIGITS: Dialect = Dialect::DIGITS_DHTMLXQ.or(Dialect::DIGITS_RED).or(Dialect::DIGITS_KEYPAD);
    pub(crate) const BARS: Dialect = Dialect::BAR_BELOW_FORWARD.or(Dialect::BAR_BELOW_BACK);
    pub(crate) const BARE: Dialect = Dialect::BARS_COMPLETE.or(Dialect::BARS_LOST);

    /// The questions, each as the set of all its answers.
    pub(crate) const QUESTIONS: [Dialect; 7] =
        [Dialect::RANKS, Dialect::LETTERS, Dialect::G, Dialect::PAWNS, Dialect::DIGITS, Dialect::BARS, Dialect::BARE];

    /// The answers of both.
    #[must_use]
    pub const fn or(self, other: Dialect) -> Dialect {
        Dialect(self.0 | other.0)
    }

    /// The answers common to both.
    #[must_use]
    pub const fn and(self, other: Dialect) -> Dialect {
        Dialect(self.0 & other.0)
    }

    /// These answers less those.
    #[must_use]
    pub const fn without(self, other: Dialect) -> Dialect {
        Dialect(self.0 & !other.0)
    }

    /// Settles one question by the answers in `answer`, leaving the others as they are.
    #[must_use]
    pub const fn settled(self, answer: Dialect) -> Dialect {
        let mut settled = self;
        let mut index = 0;
        while index < Dialect::QUESTIONS.len() {
            let question = Dialect::QUESTIONS[index];
            if question.0 & answer.0 != 0 {
                settled = Dialect(settled.0 & !question.0 | question.0 & answer.0);
            }
            index += 1;
        }
        settled.or(answer.and(Dialect::ASKED))
    }

    /// Of each question the answers that are among `preferred`; all answers of a question that has none there.
    #[must_use]
    pub fn prefer(self, preferred: Dialect) -> Dialect {
        Dialect::QUESTIONS.into_iter().fold(self.and(preferred.or(Dialect::ASKED)), |kept, question| {
            if kept.allows(question) { kept } else { kept.or(self.and(question)) }
        })
    }

    /// Whether any of these answers is still possible.
    #[inline]
    pub const fn allows(self, answers: Dialect) -> bool {
        self.0 & answers.0 != 0
    }

    /// Whether no answer is left.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of answers.
    pub(crate) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The answers one by one.
    pub(crate) fn answers(self) -> impl Iterator<Item = Dialect> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let lowest = rest & rest.wrapping_neg();
            rest ^= lowest;
            (lowest != 0).then_some(Dialect(lowest))
        })
    }

    /// The names of the answers, for people.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Dialect::NAMES.iter().filter(move |(answer, _)| self.0 & answer.0 != 0).map(|&(_, name)| name)
    }
}

impl Default for Dialect {
    /// Everything open.
    fn default() -> Dialect {
        Dialect::OPEN
    }
}

impl std::fmt::Debug for Dialect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_belongs_to_exactly_one_question() {
        let all = Dialect::QUESTIONS.iter().fold(Dialect(0), |all, &question| {
            assert!(!all.allows(question));
            all.or(question)
        });
        assert_eq!(all, Dialect::OPEN);
        assert_eq!(Dialect::NAMES.len() as u32, Dialect::OPEN.or(Dialect::ASKED).len());
        assert!(!Dialect::OPEN.allows(Dialect::ASKED));
    }

    #[test]
    fn settling_one_question_leaves_the_others_open() {
        let dialect = Dialect::OPEN.settled(Dialect::RANKS_FROM_1);
        assert_eq!(dialect.and(Dialect::RANKS), Dialect::RANKS_FROM_1);
        assert_eq!(dialect.without(Dialect::RANKS), Dialect::OPEN.without(Dialect::RANKS));
    }
}
