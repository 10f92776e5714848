//! Partial dates as numbers and as ranges.

use crate::game::PartialDate;
use std::ops::RangeInclusive;

/// `yyyymmdd`, with zeros where month or day is unknown. Numbers order as dates do.
pub fn date_number(date: PartialDate) -> u32 {
    u32::from(date.year) * 10_000 + u32::from(date.month.unwrap_or(0)) * 100 + u32::from(date.day.unwrap_or(0))
}

/// The date of a number made by [`date_number`].
pub fn number_date(number: u32) -> Option<PartialDate> {
    let part = |part: u32| (part != 0).then_some(part as u8);
    (number >= 10_000).then(|| PartialDate {
        year: (number / 10_000) as u16,
        month: part(number / 100 % 100),
        day: part(number / 100 % 100).and(part(number % 100)),
    })
}

/// A span of days. A partial date lies in it if every day it may stand for does: `1978.??.??` lies in 1978 and in
/// 1970..1980, but not surely in 1978.05.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateRange {
    first: u32,
    last: u32,
}

impl DateRange {
    /// From the first day of `first` to the last day of `last`; `None` is open.
    pub fn new(first: Option<PartialDate>, last: Option<PartialDate>) -> DateRange {
        DateRange {
            first: first.map_or(0, |date| span(date_number(date)).0),
            last: last.map_or(u32::MAX, |date| span(date_number(date)).1),
        }
    }

    /// Whether it ends before it begins.
    pub fn is_empty(self) -> bool {
        self.first > self.last
    }

    /// The date numbers that surely lie in the span, as few ranges in rising order: the same as [`DateRange::contains`] says.
    pub fn numbers(self) -> impl Iterator<Item = RangeInclusive<u32>> {
        let of_year = |number: u32| number / 10_000 * 10_000..=number / 10_000 * 10_000 + 99;
        let of_month = |number: u32| number / 100 * 100..=number / 100 * 100;
        // A whole month or year begins with its first day, and is written before it.
        let first = match self.first % 10_000 {
            101 => self.first - 101,
            day if day % 100 == 1 => self.first - 1,
            _ => self.first,
        };
        // The year and the month in which the span ends lie in it only if they end with it.
        let inside = |part: &RangeInclusive<u32>| span(*part.start()).1 > self.last;
        let cuts = [of_year(self.last), of_month(self.last)].into_iter().filter(inside);
        let mut ranges = Vec::new();
        let mut next = first.max(1);
        for cut in cuts {
            ranges.push(next..=cut.start().saturating_sub(1));
            next = next.max(cut.end() + 1);
        }
        ranges.push(next..=self.last);
        ranges.into_iter().filter(|range| !range.is_empty())
    }

    /// Whether a date number surely lies in the span. Unknown dates (0) never do.
    pub fn contains(self, number: u32) -> bool {
        let (first, last) = span(number);
        number != 0 && self.first <= first && last <= self.last
    }
}

/// First and last day that a date number may stand for.
fn span(number: u32) -> (u32, u32) {
    let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100);
    match (month, day) {
        (0, _) => (year * 10_000 + 101, year * 10_000 + 1231),
        (_, 0) => (year * 10_000 + month * 100 + 1, year * 10_000 + month * 100 + 31),
        _ => (number, number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(first: &str, last: &str) -> DateRange {
        DateRange::new(PartialDate::read(first), PartialDate::read(last))
    }

    fn number(text: &str) -> u32 {
        PartialDate::read(text).map_or(0, date_number)
    }

    #[test]
    fn partial_dates_lie_in_a_span_only_if_all_their_days_do() {
        assert!(range("1978", "1985").contains(number("1978.??.??")));
        assert!(range("1978", "1985").contains(number("1985.12.31")));
        assert!(range("1978", "1978").contains(number("1978.05")));
        assert!(!range("1978.05", "1985").contains(number("1978.??.??")));
        assert!(range("1978.05", "1978.05").contains(number("1978.05.31")));
        assert!(!range("1978", "1985").contains(number("1986")));
        assert!(!range("", "").contains(0) && range("", "1980").contains(number("1979.1.2")));
    }

    #[test]
    fn the_ranges_of_a_span_hold_what_lies_in_it() {
        let dates =
            ["", "1978", "1978.01", "1978.05", "1978.05.01", "1978.05.12", "1978.05.31", "1979.12", "1979.12.31"];
        let numbers: Vec<u32> = (1976..1982)
            .flat_map(|year| (0..=12).flat_map(move |month| (0..=31).map(move |day| year * 10_000 + month * 100 + day)))
            .chain([0, 1, 99_991_231])
            .collect();
        for first in dates {
            for last in dates {
                let range = range(first, last);
                for &number in &numbers {
                    let inside = range.numbers().any(|numbers| numbers.contains(&number));
                    assert_eq!(inside, range.contains(number), "{number} in {first}..{last}");
                }
                let ranges: Vec<_> = range.numbers().collect();
                assert!(ranges.windows(2).all(|two| two[0].end() < two[1].start()), "{ranges:?}");
            }
        }
    }

    #[test]
    fn dates_survive_as_numbers() {
        for text in ["1978", "1978.05", "1978.05.12", "1978.??.??"] {
            let date = PartialDate::read(text).unwrap();
            assert_eq!(number_date(date_number(date)), Some(date));
        }
        assert_eq!(number_date(0), None);
    }
}
