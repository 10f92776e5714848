//! Dates of which only part may be known.

use std::fmt;

/// A year, perhaps a month, perhaps a day. Ordered by what is known; an unknown part comes before any known one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PartialDate {
    /// Year, 1–9999.
    pub year: u16,
    /// Month 1–12, if known.
    pub month: Option<u8>,
    /// Day 1–31, if known; never without a month.
    pub day: Option<u8>,
}

impl PartialDate {
    /// Reads a date as records write it; only what is certain is taken over, `None` if there is no year.
    ///
    /// - `2005.03.01`, `2005-3-1`, `2005/3/1`, `2005 3 1`, `2005。3。1`, `2005年3月1日`, `二〇〇五年三月一日`, `20050301`;
    /// - parts unknown or missing: `2005.03.??`, `2005.??.??`, `2005年`, `2005.3`, `2005年3月XX日`;
    /// - a time, a weekday or a second date behind it is left alone: `2009-11-29 13:0`, `2005.3.1-3`, `20050301上午`;
    /// - two-digit years: 30–99 are 1930–1999, 00–29 are 2000–2029, and they stand first (`98-11-05`) unless the first
    ///   two numbers can only be month and day (`10/28/99`);
    /// - a month or a day that does not exist stays unknown, and the year 0 is no year: `1982.02.30`, `0000-00-00`;
    /// - the year last: `13-6-2009`, `12/27/1956`. Where both numbers could be the month (`3/8/2009`) month and day stay
    ///   unknown: programs disagree about the order.
    ///
    /// # Example
    ///
    /// ```
    /// use yipu::game::PartialDate;
    /// let date = PartialDate::read("1985年4月13日").unwrap();
    /// assert_eq!(date.to_string(), "1985.04.13");
    /// assert_eq!(PartialDate::read("1985.??.??"), PartialDate::read("1985年"));
    /// ```
    pub fn read(text: &str) -> Option<PartialDate> {
        let mut parts = Parts { rest: text }.take(3);
        let first = parts.next()?;
        let number = first.number?;
        match (first.digits, first.unit) {
            // 公元 years of three digits and more; a decade (30年代) is no year.
            (4.., Some('代')) | (_, Some('月' | '日')) => None,
            (8, _) => PartialDate::checked(number / 10_000, number / 100 % 100, number % 100),
            (7, _) => PartialDate::year_alone(number / 1000),
            (4, _) => PartialDate::from_year(u16::try_from(number).ok()?, parts.next(), parts.next()),
            (1..=2, unit) => {
                let (second, third) = (parts.next()?, parts.next());
                PartialDate::short(first, unit, second, third)
            }
            _ => None,
        }
    }

    /// Year first, then whatever of month and day makes sense. The year 0 is how some programs write an unknown one.
    fn from_year(year: u16, second: Option<Part>, third: Option<Part>) -> Option<PartialDate> {
        let month = second.filter(|part| !part.is_day()).and_then(|part| part.within(12));
        let day = third.and_then(|part| part.within(31)).filter(|&day| month.is_some_and(|m| day <= days(year, m)));
        (year > 0).then_some(PartialDate { year, month, day })
    }

    /// Dates that begin with one or two digits.
    fn short(first: Part, unit: Option<char>, second: Part, third: Option<Part>) -> Option<PartialDate> {
        let number = first.number?;
        if let Some(year) = third.filter(|part| part.digits == 4 && part.is_plain()) {
            return PartialDate::year_last(number, second.number?, year.number?);
        }
        // 82-5-18, 98年3月: the year stands first; 10/28/99 and 1-20-83: it can only be the last.
        let year_first = unit == Some('年') || (first.digits == 2 && second.within(12).is_some());
        if year_first && (unit == Some('年') || third.is_some()) {
            let year = century(number);
            return PartialDate::from_year(year, Some(second), third);
        }
        match third {
            Some(year) if unit.is_none() && year.digits == 2 && (1..=12).contains(&number) => {
                PartialDate::checked(u32::from(century(year.number?)), number, second.number?)
            }
            _ => None,
        }
    }

    fn year_last(one: u32, two: u32, year: u32) -> Option<PartialDate> {
        match (one <= 12, two <= 12) {
            (true, true) if one == two => PartialDate::checked(year, one, two),
            (true, true) => PartialDate::year_alone(year),
            (true, false) => PartialDate::checked(year, one, two),
            (false, true) => PartialDate::checked(year, two, one),
            (false, false) => PartialDate::year_alone(year),
        }
    }

    fn year_alone(year: u32) -> Option<PartialDate> {
        let year = u16::try_from(year).ok().filter(|year| (1..=9999).contains(year))?;
        Some(PartialDate { year, month: None, day: None })
    }

    /// The date if month and day are possible, else the year alone.
    fn checked(year: u32, month: u32, day: u32) -> Option<PartialDate> {
        let mut date = PartialDate::year_alone(year)?;
        if (1..=12).contains(&month) {
            date.month = Some(month as u8);
            date.day = (1..=u32::from(days(date.year, month as u8))).contains(&day).then_some(day as u8);
        }
        Some(date)
    }
}

/// Days of a month: 1982.02.30 is a slip of the pen, and nobody knows which day was meant.
const fn days(year: u16, month: u8) -> u8 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn century(year: u32) -> u16 {
    let year = year.min(99) as u16;
    if year < 30 { 2000 + year } else { 1900 + year }
}

/// A number of a date or a mark for an unknown one.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// `None` for `??`.
    number: Option<u32>,
    digits: usize,
    /// 年, 月, 日 behind it; 代 for 年代.
    unit: Option<char>,
}

impl Part {
    fn is_day(&self) -> bool {
        self.unit == Some('日')
    }

    fn is_plain(&self) -> bool {
        self.unit.is_none()
    }

    fn within(&self, most: u32) -> Option<u8> {
        let usual = (1..=2).contains(&self.digits) || self.digits == 0;
        self.number.filter(|number| usual && (1..=most).contains(number)).map(|number| number as u8)
    }
}

/// Walks over the numbers of a date.
struct Parts<'a> {
    rest: &'a str,
}

impl Iterator for Parts<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        let start = self.rest.find(|c: char| {
            digit(c).is_some() || numeral(c).is_some() || matches!(c, '?' | '？' | 'X' | 'x' | '×' | '*' | '元' | 'l')
        })?;
        let skipped = &self.rest[..start];
        // Behind these a second date or a time begins.
        if skipped.contains([':', '：', '~', '～', '至']) {
            return None;
        }
        let text = &self.rest[start..];
        let part = Part::read(text);
        let (part, used) = part?;
        self.rest = &text[used..];
        Some(part)
    }
}

impl Part {
    fn read(text: &str) -> Option<(Part, usize)> {
        let len = |accept: &dyn Fn(char) -> bool| text.find(|c| !accept(c)).unwrap_or(text.len());
        let (number, digits, mut used);
        // `l` typed for 1 before the other digits of a year.
        let typed = text.strip_prefix('l').filter(|rest| rest.chars().take_while(|&c| digit(c).is_some()).count() == 3);
        if typed.is_some() || text.chars().next().is_some_and(|c| digit(c).is_some()) {
            used = len(&|c| digit(c).is_some() || (c == 'l' && typed.is_some()));
            let all = text[..used].chars();
            digits = all.clone().count();
            number = (digits <= 8).then(|| all.fold(0, |sum, c| sum * 10 + digit(c).unwrap_or(1)));
        } else if text.starts_with('元') {
            // 元月 is January; 元年 has no number we know.
            used = '元'.len_utf8();
            digits = 1;
            number = text[used..].starts_with('月').then_some(1);
        } else if text.chars().next().is_some_and(|c| numeral(c).is_some()) {
            used = len(&|c| numeral(c).is_some());
            (number, digits) = numerals(&text[..used]);
        } else {
            used = len(&|c| matches!(c, '?' | '？' | 'X' | 'x' | '×' | '*' | 'l'));
            (number, digits) = (None, text[..used].chars().count());
        }
        let behind = text[used..].trim_start();
        let unit = behind.chars().next().filter(|c| matches!(c, '年' | '月' | '日' | '号' | '號'));
        let unit = match unit {
            Some('年') if behind.starts_with("年代") => Some('代'),
            Some('号' | '號') => Some('日'),
            other => other,
        };
        if let Some(unit) = unit {
            used = text.len() - behind.len() + if unit == '代' { '年'.len_utf8() } else { unit.len_utf8() };
        }
        // A clock time is no part of the date.
        if text[used..].starts_with([':', '：']) {
            return None;
        }
        Some((Part { number, digits, unit }, used))
    }
}

fn digit(c: char) -> Option<u32> {
    match c {
        '0'..='9' => Some(c as u32 - '0' as u32),
        '０'..='９' => Some(c as u32 - '０' as u32),
        _ => None,
    }
}

fn numeral(c: char) -> Option<u32> {
    "〇一二三四五六七八九十".chars().position(|n| n == c).map(|at| at as u32).or(match c {
        '零' | '○' => Some(0),
        _ => None,
    })
}

/// 一九八五 digit by digit, 二十三 with 十 for ten.
fn numerals(text: &str) -> (Option<u32>, usize) {
    let values: Vec<u32> = text.chars().filter_map(numeral).collect();
    match values.iter().position(|&value| value == 10) {
        None => ((values.len() <= 4).then(|| values.iter().fold(0, |sum, value| sum * 10 + value)), values.len()),
        Some(ten) if ten <= 1 && values.len() <= ten + 2 => {
            let tens = if ten == 1 { values[0] } else { 1 };
            (Some(tens * 10 + values.get(ten + 1).copied().unwrap_or(0)), 2)
        }
        Some(_) => (None, values.len()),
    }
}

impl fmt::Display for PartialDate {
    /// The PGN form, `1978.??.??`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        for part in [self.month, self.day] {
            match part {
                Some(part) => write!(f, ".{part:02}")?,
                None => f.write_str(".??")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_met_is_read_and_nothing_is_guessed() {
        for (text, expected) in [
            ("2005.03.01", "2005.03.01"),
            ("2005-3-1", "2005.03.01"),
            ("2005/03/1  ", "2005.03.01"),
            ("2005 3 01", "2005.03.01"),
            ("2005。3。1", "2005.03.01"),
            ("2005·3·1", "2005.03.01"),
            ("2005、03、01", "2005.03.01"),
            ("2005，3，1", "2005.03.01"),
            ("2005年3月1日", "2005.03.01"),
            ("2005年 3月01日 ", "2005.03.01"),
            ("２００５年３月１日", "2005.03.01"),
            ("二〇〇五年三月二十一日", "2005.03.21"),
            ("一九八五年十一月十日", "1985.11.10"),
            ("2005年元月9日", "2005.01.09"),
            ("l999年3月12日", "1999.03.12"),
            ("20050301", "2005.03.01"),
            ("20050301上午", "2005.03.01"),
            ("20050301-14：30", "2005.03.01"),
            ("2009-11-29 13:0", "2009.11.29"),
            ("2009-11-29 13:00-15:30", "2009.11.29"),
            ("2005年11月7日8.30", "2005.11.07"),
            ("2005年3月1日-3日", "2005.03.01"),
            ("2005/3/1-3/2", "2005.03.01"),
            ("2005.3.21－23", "2005.03.21"),
            ("1999年-2001年", "1999.??.??"),
            ("2005", "2005.??.??"),
            ("2005年", "2005.??.??"),
            ("2005.3", "2005.03.??"),
            ("2005年3月", "2005.03.??"),
            ("2005年3月XX日", "2005.03.??"),
            ("2005年3月 日", "2005.03.??"),
            ("1991年10月18", "1991.10.18"),
            ("2005.??.??", "2005.??.??"),
            ("2005.??.12", "2005.??.??"),
            ("2005.13.40", "2005.??.??"),
            ("1982.02.30", "1982.02.??"),
            ("20050431", "2005.04.??"),
            ("2000.2.29", "2000.02.29"),
            ("1900.2.29", "1900.02.??"),
            ("1991.5326", "1991.??.??"),
            ("2007122", "2007.??.??"),
            ("09-01-16", "2009.01.16"),
            ("97-11-19", "1997.11.19"),
            ("82-5-18", "1982.05.18"),
            ("98年3月1日", "1998.03.01"),
            ("13-6-2009", "2009.06.13"),
            ("12/27/1956", "1956.12.27"),
            ("9/9/2009", "2009.09.09"),
            ("3-8-2009", "2009.??.??"),
            ("10/28/99", "1999.10.28"),
            ("1-20-83", "1983.01.20"),
        ] {
            let date = PartialDate::read(text).map(|date| date.to_string());
            assert_eq!(date.as_deref(), Some(expected), "{text}");
        }
        for text in [
            "",
            "?",
            "????.??.??",
            "日弈",
            "11月9日",
            "9月",
            "4.19",
            "30年代",
            "003年12月3日",
            "清代",
            "12:30",
            "0000-00-00",
            "0000",
            "00-00-00",
            "0000.05.06",
            "00000000",
        ] {
            assert_eq!(PartialDate::read(text), None, "{text}");
        }
    }

    #[test]
    fn dates_sort_by_what_is_known() {
        let read = |text: &str| PartialDate::read(text).unwrap();
        assert!(
            read("2005") < read("2005.1") && read("2005.1") < read("2005.1.1") && read("2005.12.31") < read("2006")
        );
    }

    #[test]
    fn reading_what_is_written_gives_the_same_date() {
        for text in ["1978.??.??", "1978.05.??", "1978.05.30"] {
            assert_eq!(PartialDate::read(text).unwrap().to_string(), text);
        }
    }
}
