//! The index of headers, names and comments: a tantivy index with one document a game.
//!
//! Comes in: the headers of every game with its number ([`HeaderWriter`]). Goes out: the numbers of the games that have
//! a text in a role, a date in a span, a code, a length, a result ([`HeaderReader`]), as [`GameSet`](super::GameSet)s.
//! `schema.rs` says what is stored; the values themselves stay in the games of the store.
//!
//! Answers about headers are exact. An answer about comments may hold too many games where the needle is longer than two
//! characters; [`Found::decided`] says so, and the caller looks at the comments.

mod date;
mod read;
mod recent;
mod rows;
mod schema;
mod side;
mod tokens;
mod write;

pub use date::{DateRange, date_number, number_date};
pub use read::{Columns, Found, HeaderReader, TextEntry};
pub use schema::Role;
pub use side::HeaderSide;
pub use write::{GameHeaders, HeaderWriter, LONGEST_TEXT};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameResult, Headers, Name, PartialDate};
    use crate::names::{Needle, Place};
    use crate::search::GameSet;
    use tantivy::directory::RamDirectory;

    /// Red, Black, event, date, comment.
    const GAMES: &[[&str; 5]] = &[
        ["胡榮華", "楊官璘", "1960年全国象棋个人赛", "1960.11.??", "中路突破，弃马抢先"],
        ["胡荣华", "杨官璘", "全國象棋個人賽", "1962", ""],
        ["广东吕　钦", "上海胡荣华", "第十届五羊杯", "1990.03.05", "左马盘河是正着"],
        ["HU RongHua", "Lü Qin", "World Cup 1990", "1990-03", "a quiet move"],
        ["王斌", "王兵", "全国团体赛", "????.??.??", "先弃后取"],
        ["單霞麗", "WANG Bin", "", "", "馬踏中兵"],
        ["许银川", "趙國榮", "五羊杯 第二轮", "2001", "棄馬陷車"],
    ];

    fn headers(row: &[&str; 5]) -> Headers {
        let mut headers = Headers::default();
        for (name, value) in [Name::Red, Name::Black, Name::Event, Name::Date].into_iter().zip(row) {
            headers.set(name, *value);
        }
        headers
    }

    fn write(writer: &mut HeaderWriter, number: u32, row: &[&str; 5], headers: &Headers) {
        let game = GameHeaders {
            headers,
            result: if number.is_multiple_of(2) { GameResult::Draw } else { GameResult::RedWins },
            plies: number * 10,
            ecco: crate::opening::Ecco::from_number(number as u16 * 50),
            comments: row[4],
            file: "games/甲.pgn",
        };
        writer.add(number, &game).unwrap();
    }

    fn index(commit_every: usize) -> (RamDirectory, HeaderReader) {
        let directory = RamDirectory::create();
        let mut writer = HeaderWriter::open(directory.clone()).unwrap();
        for (n, row) in GAMES.iter().enumerate() {
            write(&mut writer, n as u32 + 1, row, &headers(row));
            if n % commit_every == 0 {
                writer.commit().unwrap();
            }
        }
        writer.commit().unwrap();
        let reader = HeaderReader::open(directory.clone(), GAMES.len() as u32 + 1).unwrap();
        (directory, reader)
    }

    fn numbers(set: &GameSet) -> Vec<u32> {
        set.iter().collect()
    }

    #[test]
    fn every_needle_finds_what_reading_every_header_finds() {
        let needles = [
            "胡荣华",
            "胡榮華",
            "荣",
            "華",
            "hu ronghua",
            "huronghua",
            "hrh",
            "ronghua",
            "hu",
            "吕钦",
            "吕 钦",
            "lv qin",
            "lu qin",
            "Qin Lü",
            "王",
            "王斌",
            "wang bin",
            "wang bing",
            "单",
            "shan xiali",
            "dan",
            "上海",
            "gd",
            "五羊",
            "五羊杯",
            "quanguo",
            "world",
            "orld",
            "1990",
            "第十届五",
            "lr",
            "x",
            "zz",
            "赵国荣",
            "許銀川",
            "xyc",
            "bin wang",
            "胡杨",
            "羊 杯",
            "杯 第",
        ];
        for every in [1, 3, 100] {
            let (_, reader) = index(every);
            for needle in needles {
                let needle = Needle::new(needle).unwrap();
                for (roles, columns) in
                    [(&[Role::Red, Role::Black][..], &[0, 1][..]), (&[Role::Red], &[0]), (&[Role::Event], &[2])]
                {
                    let expected: Vec<u32> = (1..)
                        .zip(GAMES)
                        .filter(|(_, row)| {
                            columns.iter().any(|&column| {
                                needle.is_in(row[column], if column < 2 { Place::Name } else { Place::Text })
                            })
                        })
                        .map(|(number, _)| number)
                        .collect();
                    let found = reader.text(roles, std::slice::from_ref(&needle)).unwrap();
                    assert_eq!(numbers(&found), expected, "{needle:?} {roles:?}");
                }
                let found = reader.comment(&needle).unwrap();
                let expected: Vec<u32> = (1..)
                    .zip(GAMES)
                    .filter(|(_, row)| needle.is_written_in(row[4]))
                    .map(|(number, _)| number)
                    .collect();
                assert!(expected.iter().all(|number| found.games.contains(*number)), "{needle:?}");
                assert!(!found.decided || numbers(&found.games) == expected, "{needle:?}");
            }
        }
    }

    #[test]
    fn columns_teams_sources_and_exact_texts_are_found() {
        let (_, reader) = index(2);
        let date = |first: &str, last: &str| {
            numbers(&reader.date(DateRange::new(PartialDate::read(first), PartialDate::read(last))).unwrap())
        };
        assert_eq!(date("1960", "1962"), [1, 2]);
        assert_eq!(date("1990.03", "1990.03"), [3, 4]);
        assert!(date("1800", "1899").is_empty() && date("2050", "2090").is_empty());
        assert_eq!(date("1800", "1960.11"), [1]);
        assert_eq!(numbers(&reader.undated().unwrap()), [5, 6]);
        assert_eq!(numbers(&reader.plies(20..=40).unwrap()), [2, 3, 4]);
        assert_eq!(numbers(&reader.result(GameResult::Draw).unwrap()), [2, 4, 6]);
        let code = |text: &str| text.parse().unwrap();
        assert_eq!(numbers(&reader.ecco(code("B00")..=code("C49")).unwrap()), [2, 3, 4]);
        assert_eq!(numbers(&reader.text(&[Role::Team], &[Needle::new("廣東").unwrap()]).unwrap()), [3]);
        assert_eq!(reader.text(&[Role::Source], &[Needle::new("甲.pgn").unwrap()]).unwrap().len(), GAMES.len());
        assert_eq!(numbers(&reader.exact_text(&[Role::Red], "王斌").unwrap()), [5]);
        assert_eq!(reader.columns().unwrap()[3].date, 19_900_305);
        let names = reader.texts(&[Role::Red, Role::Black]).unwrap();
        assert!(names.iter().any(|entry| entry.text == "胡荣华" && entry.games == 1));
        assert_eq!(reader.games().unwrap(), GAMES.len() as u64);
    }

    #[test]
    fn appending_later_is_the_same_as_at_once_and_removed_games_are_gone() {
        let (directory, _) = index(100);
        let mut writer = HeaderWriter::open(directory.clone()).unwrap();
        writer.remove(1);
        writer.remove(2);
        writer.remove(5);
        let row = ["胡荣华", "新人", "五羊杯", "2020", "又见弃马"];
        write(&mut writer, 8, &row, &headers(&row));
        writer.commit().unwrap();
        writer.compact().unwrap();
        drop(writer);
        let reader = HeaderReader::open(directory, 9).unwrap();
        let find = |role, text: &str| numbers(&reader.text(&[role], &[Needle::new(text).unwrap()]).unwrap());
        assert_eq!(find(Role::Red, "胡荣华"), [8]);
        assert_eq!(find(Role::Event, "五羊杯"), [3, 7, 8]);
        assert_eq!(numbers(&reader.comment(&Needle::new("弃马").unwrap()).unwrap().games), [7, 8]);
        assert_eq!(numbers(&reader.all().unwrap()), [3, 4, 6, 7, 8]);
    }
}
