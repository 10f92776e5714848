//! Moves in plain text: pasted lists, score sheets with rules and footers, saved pages.
//!
//! Comes in: text without tags in which most of what stands there is moves, in any notation; HTML with such text in it.
//! Goes out: the games. Everything about reading moves is that of PGN; here is what plain text
//! has besides:
//!
//! - a heading `甲 先胜 乙` names the players and the result;
//! - labels before the moves (`红方：甲`) are headers, and pages written by [`super::page`] read back;
//! - HTML is stripped of its tags (the places told in findings then are those in the stripped text);
//! - prose in which moves are only mentioned is no game.

use super::page::{Page, next_page};
use super::pgn::{PgnReader, first_round};
use super::text_file::TextFile;
use crate::board::Position;
use crate::diag::Finding;
use crate::format::{Confidence, Format, ReadGame, ReadOptions, Reader, Sink, Source};
use crate::game::{Game, GameResult, Name};
use crate::notation::{Dialect, Form, read_english, read_move, read_number, read_whole, resolve, side_label};
use crate::text::{self, encoding_name};

/// Reads plain text.
#[derive(Clone, Copy, Debug)]
pub struct PlainReader;

impl Reader for PlainReader {
    fn format(&self) -> Format {
        Format::Text
    }

    fn confidence(&self, head: &[u8]) -> Confidence {
        let (text, _, _) = text::decode(head, None);
        if text.contains('\0') {
            return Confidence::No;
        }
        let stripped;
        let plain = if is_html(&text) {
            stripped = strip_html(&text);
            &stripped
        } else {
            &*text
        };
        if next_page(text.as_bytes(), 0).is_some() {
            return Confidence::Likely;
        }
        if first_round(plain).is_some() || plain.lines().any(begins_with_move) || is_digit_record(plain) {
            Confidence::Weak
        } else {
            Confidence::No
        }
    }

    fn next_game(&self, bytes: &[u8], from: usize) -> Option<usize> {
        // A file of pages is cut between pages; one that begins otherwise holds none.
        match next_page(&bytes[..bytes.len().min(4096)], 0) {
            Some(_) => next_page(bytes, from),
            None => PgnReader.next_game(bytes, from),
        }
    }

    fn read(&self, source: Source<'_>, options: &ReadOptions, games: &mut Sink<'_>) -> Vec<Finding> {
        let mut named = |mut game: ReadGame| {
            name_players(&mut game.game);
            games(game)
        };
        let head = &source.bytes[..source.bytes.len().min(4096)];
        let (head, _, _) = text::decode(head, options.encoding);
        if !is_html(&head) {
            return match read_page(source, options, &mut named) {
                Some(findings) => findings,
                None => PgnReader.read(source, options, &mut named),
            };
        }
        let (page, guess, _) = text::decode(source.bytes, options.encoding);
        let stripped = strip_html(&page);
        let inner = Source { bytes: stripped.as_bytes(), ..source };
        let asked = ReadOptions { encoding: Some(encoding_rs::UTF_8) };
        PgnReader.read(inner, &asked, &mut |mut game| {
            game.encoding = encoding_name(guess.encoding);
            for finding in &mut game.findings {
                finding.byte = None;
            }
            named(game)
        })
    }
}

/// Reads text with labels; `None` if it has none.
fn read_page(source: Source<'_>, options: &ReadOptions, games: &mut Sink<'_>) -> Option<Vec<Finding>> {
    let mut file = TextFile::new(source, options);
    let text = file.take_text();
    let page = Page::read(&text)?;
    // Places in the text of PGN become places on the page, and those places in the file.
    let to_page = |findings: &mut Vec<Finding>| {
        for finding in findings {
            finding.byte = finding.byte.map(|at| page.place((at - source.first_byte) as usize) as u64);
            (finding.line, finding.column) = (None, None);
        }
    };
    let inner = Source { bytes: page.text.as_bytes(), ..source };
    let asked = ReadOptions { encoding: Some(encoding_rs::UTF_8) };
    let mut findings = PgnReader.read(inner, &asked, &mut |mut game| {
        game.encoding = file.encoding();
        page.join_lines(&mut game.game);
        to_page(&mut game.findings);
        let number = game.number;
        file.locate(&mut game.findings, number);
        games(game)
    });
    to_page(&mut findings);
    file.locate_in_file(&mut findings);
    findings.extend(file.text_findings());
    findings.iter_mut().for_each(|finding| finding.locate(source.file, None));
    Some(findings)
}

/// Takes players and result from a heading `甲 先胜 乙` around the moves, unless tags named them.
fn name_players(game: &mut Game) {
    if game.headers.get(Name::Red).is_some() || game.headers.get(Name::Black).is_some() {
        return;
    }
    let heading = game.trailer.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [red, word, black] = words[..] else { return None };
        let is_result =
            ["胜", "勝", "负", "負", "和"].iter().any(|end| word.ends_with(end)) && word.chars().count() <= 3;
        let are_names = [red, black].iter().all(|name| (2..=16).contains(&name.chars().count()));
        let sides = if word.starts_with(['红', '紅', '先']) { word.to_string() } else { format!("红{word}") };
        (is_result && are_names).then(|| (red.to_string(), GameResult::read(&sides), black.to_string()))
    });
    let Some((red, result, black)) = heading else { return };
    game.headers.set(Name::Red, red);
    game.headers.set(Name::Black, black);
    if game.result == GameResult::Unknown {
        game.result = result.unwrap_or_default();
    }
}

/// Whether a line begins with a move, perhaps behind the number of its round and its side: `炮二平五`, `3、马二进三`,
/// `第一回合 红：车一平二`, `Cannon 2 traverse 5`.
fn begins_with_move(line: &str) -> bool {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '|' | '｜' | '│' | '┃'));
    let line = &line[side_label(line)..];
    let behind = &line[read_number(line).map_or(0, |number| number.used)..];
    let behind = behind.trim_start_matches([
        '.', '、', '．', ')', '）', ':', '：', '-', '/', '|', '｜', '│', '┃', ',', '，', ' ', '\t', '\u{3000}',
    ]);
    let behind = &behind[side_label(behind)..];
    read_move(line).is_some() || read_move(behind).is_some() || read_english(behind).is_some()
}

/// Whether lines hold moves in bare digits and nothing else, `7747 7062`: groups of four, the first two of which can be
/// played from the start position. Tables of numbers hold none.
fn is_digit_record(text: &str) -> bool {
    let is_group = |word: &&str| word.len().is_multiple_of(4) && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_number =
        |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'/' | b'*'));
    let mut groups = text
        .lines()
        .map(|line| line.split(|c: char| c.is_whitespace() || matches!(c, ',' | '，' | '、' | ';' | '；')))
        .filter(|words| words.clone().all(|word| word.is_empty() || is_group(&word) || is_number(&word)))
        .flat_map(|words| words.filter(|word| !word.is_empty()).filter(is_group))
        .flat_map(|word| (0..word.len()).step_by(4).map(|at| word.get(at..at + 4).and_then(read_whole)))
        .map(|token| token.filter(|token| token.form() == Form::Digits));
    let (Some(Some(first)), Some(Some(second))) = (groups.next(), groups.next()) else { return false };
    let mut position = Position::start();
    let Some(m) = resolve(&first, &position, Dialect::OPEN).single() else { return false };
    position.play(m);
    !resolve(&second, &position, Dialect::OPEN).is_empty()
}

fn is_html(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(400).collect::<String>().to_ascii_lowercase();
    ["<html", "<!doctype", "<head", "<body", "<p>", "<br", "<div", "<table"].iter().any(|tag| start.contains(tag))
}

/// The text of a page: tags that end a line become line ends, scripts and styles vanish, entities are resolved.
fn strip_html(page: &str) -> String {
    const BREAKS: [&str; 8] = ["br", "p", "/p", "tr", "div", "/div", "li", "/td"];
    let mut text = String::with_capacity(page.len() / 2);
    let mut rest = page;
    while let Some(at) = rest.find(['<', '&', '\n', '\r']) {
        text.push_str(&rest[..at]);
        let tail = &rest[at..];
        if let Some(inner) = tail.strip_prefix('<') {
            let end = inner.find('>').unwrap_or(inner.len());
            let name: String = inner[..end]
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '/')
                .collect::<String>()
                .to_ascii_lowercase();
            rest = inner.get(end + 1..).unwrap_or_default();
            if BREAKS.contains(&name.as_str()) {
                text.push('\n');
            } else if name == "script" || name == "style" {
                let close = format!("</{name}");
                // No lower-case copy of the rest: a page of nothing but scripts would be copied again for each.
                let found = rest.as_bytes().windows(close.len()).position(|w| w.eq_ignore_ascii_case(close.as_bytes()));
                let end = found.unwrap_or(rest.len());
                rest = &rest[end..];
            }
        } else if let Some(behind) = tail.strip_prefix('&') {
            let end = tail.char_indices().take(10).find(|(_, c)| *c == ';').map(|(at, _)| at);
            match end.and_then(|end| Some((entity(&tail[1..end])?, end))) {
                Some((c, end)) => {
                    text.push(c);
                    rest = &tail[end + 1..];
                }
                None => {
                    text.push('&');
                    rest = behind;
                }
            }
        } else {
            // Line ends of the source mean a blank.
            text.push(' ');
            rest = &tail[1..];
        }
    }
    text.push_str(rest);
    text
}

fn entity(name: &str) -> Option<char> {
    Some(match name {
        "nbsp" => ' ',
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "quot" => '"',
        _ => {
            let digits = name.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code)?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::codes;
    use std::ops::ControlFlow;

    fn read(text: &str) -> (Vec<ReadGame>, Vec<Finding>) {
        let mut games = Vec::new();
        let findings = PlainReader.read(Source::whole(text.as_bytes(), "x"), &ReadOptions::default(), &mut |game| {
            games.push(game);
            ControlFlow::Continue(())
        });
        (games, findings)
    }

    fn moves(game: &ReadGame) -> String {
        game.game.moves().map(|m| m.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn headings_name_the_players_of_the_game_below() {
        let text = "第二站 下午\n甲城洪一  红先和  乙城林二\n\n  1. 炮二平五  马８进７    2. 马二进三  车９平８\n\n\
            丙三  先负  丁四\n\n  1. 兵七进一  炮２平３\n  2. 炮二平五 象3进5\n";
        let (games, _) = read(text);
        let all: Vec<_> = games
            .iter()
            .map(|g| (g.game.headers.get(Name::Red), g.game.headers.get(Name::Black), g.game.result, moves(g)))
            .collect();
        assert_eq!(
            all,
            [
                (Some("甲城洪一"), Some("乙城林二"), GameResult::Draw, "h2e2 h9g7 h0g2 i9h9".to_string()),
                (Some("丙三"), Some("丁四"), GameResult::BlackWins, "c3c4 b7c7 h2e2 c9e7".to_string()),
            ]
        );
    }

    #[test]
    fn rounds_are_numbered_in_any_shape() {
        const FOUR: &str = "h2e2 h9g7 h0g2 i9h9";
        for text in [
            "第1回合 炮二平五 马8进7\n第2回合 马二进三 车9平8\n",
            "第一回合：炮二平五 马8进7\n第二回合：马二进三 车9平8\n",
            "第１回合\n炮二平五\n马8进7\n第２回合\n马二进三\n车9平8\n",
            "第一回合 红：炮二平五 黑：马8进7\n第二回合 红：马二进三 黑：车9平8\n",
            "第1回合 红方：C2=5 黑方：H8+7\n第2回合 红方：H2+3 黑方：R9=8\n",
            "一、炮二平五 马8进7\n二、马二进三 车9平8\n",
            "一 炮二平五 马8进7\n二 马二进三 车9平8\n",
            "(1) 炮二平五 马8进7 (2) 马二进三 车9平8\n",
            "（1）炮二平五 马8进7\n（2）马二进三 车9平8\n",
            "(一) 炮二平五 马8进7\n(二) 马二进三 车9平8\n",
            "【1】炮二平五 马8进7\n【2】马二进三 车9平8\n",
            "[1] C2=5 H8+7\n[2] H2+3 R9=8\n",
            "⑴ 炮二平五 马8进7 ⑵ 马二进三 车9平8\n",
            "①炮二平五 马8进7 ②马二进三 车9平8\n",
            "① 炮25 马87 ② 马23 车98\n",
            "⒈炮二平五，马8进7；⒉马二进三，车9平8。\n",
            "㈠炮二平五 马8进7\n㈡马二进三 车9平8\n",
            "Ⅰ. 炮二平五 马8进7\nⅡ. 马二进三 车9平8\n",
            "红：炮二平五\n黑：马8进7\n红：马二进三\n黑：车9平8\n",
            "1. Red: C2=5 Black: H8+7\n2. Red: H2+3 Black: R9=8\n",
            "7747 7062 7967 8070\n",
            "7747 7062 7967 8070 1-0\n",
            "序号,红方,黑方\n1,炮二平五,马8进7\n2,马二进三,车9平8\n",
            "<p>1. 炮二平五 马8进7</p><p>2. 马二进三 车9平8</p>",
            "7747\n7062\n7967\n8070\n",
            "7747,7062,7967,8070",
            "7747706279678070\n",
            "甲 先胜 乙\n7747 7062 7967 8070\n1-0\n",
            "1. 7747 7062\n2. 7967 8070\n",
            "7242 7967 7062 8979\n",
            "1. Cannon 2 traverse 5, Horse 8 advances 7\n2. Horse 2 advances 3, Rook 9 traverses to 8\n",
            "Red Cannon 2 traverses to 5. Black Horse 8 advances 7. Red Horse 2 advances 3. Black Chariot 9 traverse 8.\n",
            "1 Cannon 2 traverse 5   Horse 8 forward 7\n2 Horse 2 forward 3   Chariot 9 traverse 8\n",
            "1 . 炮二平五 马8进7\n2 . 马二进三 车9平8\n",
            "1-炮二平五 马8进7\n2-马二进三 车9平8\n",
            "|1|炮二平五|马8进7|\n|2|马二进三|车9平8|\n",
            "壹、炮二平五 马8进7\n贰、马二进三 车9平8\n",
            "一 炮二平五 马8进7 二 马二进三 车9平8\n",
            "一 炮25 马87 二 马23 车98\n",
            "(红)炮二平五 (黑)马8进7\n(红)马二进三 (黑)车9平8\n",
            "先：炮二平五\n后：马8进7\n先：马二进三\n后：车9平8\n",
            "h2e2,h9g7,h0g2,i9h9",
            "炮二平五;马8进7;马二进三;车9平8",
        ] {
            assert!(PlainReader.confidence(text.as_bytes()) > Confidence::No, "{text}");
            let (games, findings) = read(text);
            assert_eq!(games.len(), 1, "{text}: {findings:?}");
            // Short forms without bars may leave several readings.
            let faults: Vec<_> = games[0].findings.iter().filter(|one| one.code != codes::SEVERAL_READINGS).collect();
            assert_eq!(
                (moves(&games[0]).as_str(), games[0].status, faults),
                (FOUR, crate::format::Status::Ok, vec![]),
                "{text}"
            );
        }
    }

    #[test]
    fn remarks_in_brackets_and_behind_semicolons_are_comments() {
        let (games, _) =
            read("1.炮二平五 (好棋!) 马8进7 [稳健] 2.马二进三 【注：常见】 车9平8 ; 马二退四\n3.兵七进一\n");
        assert_eq!(moves(&games[0]), "h2e2 h9g7 h0g2 i9h9 c3c4");
        let comments: Vec<&str> = games[0].game.tree.comments().iter().map(|comment| comment.text.trim()).collect();
        assert_eq!(comments, ["好棋!", "稳健", "注：常见", "马二退四"]);
        assert!(games[0].findings.is_empty(), "{:?}", games[0].findings);
    }

    #[test]
    fn short_games_under_headings_are_games_of_their_own() {
        let (games, findings) = read("第1局\n1. 炮二平五 马8进7\n\n第2局\n1. 兵七进一 炮2平3\n2. 炮二平五 象3进5\n");
        assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), ["h2e2 h9g7", "c3c4 b7c7 h2e2 c9e7"], "{findings:?}");
        assert_eq!((games[0].game.trailer.as_str(), games[1].game.trailer.as_str()), ("第1局", "第2局"));
    }

    #[test]
    fn numbers_that_count_nothing_are_no_rounds() {
        // Signs of footnotes stay with their ply, other texts with numbers hold no game.
        let (games, _) = read("1. 炮二平五① 马8进7② 2. 马二进三③ 车9平8\n");
        assert_eq!(moves(&games[0]), "h2e2 h9g7 h0g2 i9h9");
        assert!(games[0].findings.is_empty(), "{:?}", games[0].findings);
        assert_eq!(games[0].game.tree.comments().len(), 3);
        // Words that are prose.
        let text = "Cannon 2 traverse 5 is the usual first move, and Horse 8 advance 7 the usual reply.\n";
        assert_eq!(read(text).0.len(), 0);
        for text in [
            "1998 1999 2000 2001\n2002 2003\n",
            "电话 8888 7777，邮编 1000\n",
            "第一回合\n第二回合\n",
            "一、开局\n二、中局\n三、残局\n",
            "(1) 见图一\n(2) 见图二\n",
            "The cannon on file 2 traverses the river and the horse advances to the middle of the board, as books say.\n",
            "1234 5678\n",
            "12-34 5678-9012 3456\n",
        ] {
            assert_eq!(PlainReader.confidence(text.as_bytes()), Confidence::No, "{text}");
            assert_eq!(read(text).0.len(), 0, "{text}");
        }
    }

    #[test]
    fn what_is_missing_or_twice_is_said_plainly() {
        let said = |text: &str| {
            let (mut games, _) = read(text);
            let game = games.remove(0);
            let told: Vec<String> = game.findings.iter().map(|one| format!("{} {}", one.code, one.message)).collect();
            (moves(&game), game.status, told.join("\n"))
        };
        let (moves, status, told) = said("1. C2=5 H8+7\n3. P7+1 P7+1\n");
        assert_eq!((moves.as_str(), status), ("h2e2 h9g7 c3c4 g6g5", crate::format::Status::Ok));
        assert!(told.starts_with("F304 round 2 is missing"), "{told}");
        let (moves, status, told) = said("1. 炮二平五 马8进7\n4. 车一平二 车9平8\n");
        assert_eq!((moves.as_str(), status), ("h2e2 h9g7", crate::format::Status::Partial));
        assert!(told.contains("F304 rounds 2 to 3 are missing") && told.contains("R401"), "{told}");
        assert!(told.contains("round 1 is followed by round 4"), "{told}");
        let (moves, status, told) = said("1. C2=5 H8+7\n2. H2+3 R9=8\n2. P7+1 P7+1\n");
        assert_eq!((moves.as_str(), status), ("h2e2 h9g7 h0g2 i9h9 c3c4 g6g5", crate::format::Status::Ok));
        assert!(told.starts_with("F304 there are two rounds 2"), "{told}");
    }

    #[test]
    fn a_saved_page_is_read_through_its_tags() {
        let page = "<html><head><title>x</title><style>a { b }</style></head><body><p>对局<br>\n&#12288;1. 炮二平五&nbsp;马8进7<br>\n 2. 马二进三 车9平8<br></body></html>";
        let (games, _) = read(page);
        assert_eq!(moves(&games[0]), "h2e2 h9g7 h0g2 i9h9");
    }

    #[test]
    fn prose_that_mentions_moves_is_no_game() {
        let text = "第三章 讲的是当头炮。红方第一着走炮二平五，黑方可以应以马8进7，也可以应以炮8平5，各有道理；\
            前人的书里说得很多，这里不再重复，读者可以参看本书末尾所附的书目，也可以自己在盘上摆一摆。\n\
            1. 炮二平五是最常见的开局，下面分几种情况来说明它的好处和坏处，先说好处，再说坏处。\n";
        let (games, findings) = read(text);
        assert_eq!((games.len(), findings.len()), (0, 1));
        assert_eq!(findings[0].code, codes::NO_GAME);
        assert_eq!(PlainReader.confidence("没有着法的文章。".as_bytes()), Confidence::No);
    }
}
