//! The words of a printed page in simplified and traditional characters and in English.

use crate::format::WriteOptions;
use crate::game::{GameResult, Headers, Name};
use crate::notation::Script;

/// The first line of every game on a page.
pub(super) const HEADINGS: [&str; 3] = ["中国象棋对局记录", "中國象棋對局記錄", "Xiangqi game record"];

/// The label of the start position.
pub(super) const FEN: [&str; 3] = ["开局 FEN 串", "開局 FEN 串", "Start FEN"];

/// Headers and their labels.
const LABELS: [(&str, [&str; 3]); 21] = [
    (Name::Title.tag(), ["标题", "標題", "Title"]),
    (Name::Event.tag(), ["赛事", "賽事", "Event"]),
    (Name::Round.tag(), ["轮次", "輪次", "Round"]),
    (Name::Date.tag(), ["日期", "日期", "Date"]),
    (Name::Site.tag(), ["地点", "地點", "Place"]),
    (Name::RedTeam.tag(), ["红方团体", "紅方團體", "Red team"]),
    (Name::Red.tag(), ["红方", "紅方", "Red"]),
    (Name::RedElo.tag(), ["红方等级分", "紅方等級分", "Red rating"]),
    (Name::BlackTeam.tag(), ["黑方团体", "黑方團體", "Black team"]),
    (Name::Black.tag(), ["黑方", "黑方", "Black"]),
    (Name::BlackElo.tag(), ["黑方等级分", "黑方等級分", "Black rating"]),
    (Name::Result.tag(), ["结果", "結果", "Result"]),
    (Name::TimeControl.tag(), ["用时规则", "用時規則", "Time control"]),
    (Name::RedTime.tag(), ["红方用时", "紅方用時", "Red time"]),
    (Name::BlackTime.tag(), ["黑方用时", "黑方用時", "Black time"]),
    (Name::Ecco.tag(), ["开局编号", "開局編號", "ECCO"]),
    (Name::Opening.tag(), ["布局", "佈局", "Opening"]),
    (Name::Variation.tag(), ["变例", "變例", "Variation"]),
    (Name::Annotator.tag(), ["讲评", "講評", "Annotator"]),
    (Name::Author.tag(), ["作者", "作者", "Author"]),
    (Name::Remark.tag(), ["备注", "備註", "Remark"]),
];

/// Labels of other programs' pages.
const OTHERS: [(&str, &str); 15] = [
    ("比赛", Name::Event.tag()),
    ("比赛名称", Name::Event.tag()),
    ("赛事名称", Name::Event.tag()),
    ("棋局", Name::Title.tag()),
    ("比赛时间", Name::Date.tag()),
    ("时间", Name::Date.tag()),
    ("比赛地点", Name::Site.tag()),
    ("布局类型", Name::Opening.tag()),
    ("开局", Name::Opening.tag()),
    ("红棋", Name::Red.tag()),
    ("黑棋", Name::Black.tag()),
    ("对局结果", Name::Result.tag()),
    ("评注", Name::Annotator.tag()),
    ("棋谱主人", "Owner"),
    ("组别", "Group"),
];

/// Which of the three columns a page is written in.
pub(super) fn column(options: &WriteOptions) -> usize {
    match (options.english, options.style.script) {
        (true, _) => 2,
        (false, Script::Simplified) => 0,
        (false, Script::Traditional) => 1,
    }
}

/// The label of a header, which reads back to it; a name nobody gave a label is its own.
pub(super) fn label(name: &str, column: usize) -> &str {
    let known = LABELS.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
    known.map_or(name, |(_, labels)| labels[column])
}

/// The header a label stands for; the FEN has the name of its tag.
pub(super) fn header(label: &str) -> Option<&'static str> {
    let same = |known: &str| known.eq_ignore_ascii_case(label);
    if FEN.iter().any(|fen| same(fen) || same(&fen.replace(' ', ""))) || same("FEN") {
        return Some("FEN");
    }
    let ours = LABELS.iter().find(|(_, labels)| labels.iter().any(|known| same(known))).map(|(tag, _)| *tag);
    ours.or_else(|| OTHERS.iter().find(|(known, _)| same(known)).map(|(_, tag)| *tag))
}

/// A result as a person reads it.
pub(super) fn result(result: GameResult, column: usize) -> &'static str {
    let words = match result {
        GameResult::RedWins => ["红胜", "紅勝", "1-0"],
        GameResult::BlackWins => ["黑胜", "黑勝", "0-1"],
        GameResult::Draw => ["和棋", "和棋", "1/2-1/2"],
        GameResult::Unknown => ["*", "*", "*"],
    };
    words[column]
}

/// The headers of a page in its order: the known ones first. A synonym goes under its usual name unless that is there too.
pub(super) fn ordered<'g>(headers: &'g Headers) -> Vec<(&'g str, &'g str)> {
    let all: Vec<(&str, &str)> = headers.iter().filter(|(_, value)| !value.is_empty()).collect();
    let has = |tag: &str| all.iter().any(|(name, _)| name.eq_ignore_ascii_case(tag));
    let usual = |name: &'g str| -> &'g str {
        let synonym = Name::ALL.iter().find(|usual| usual.synonyms().iter().any(|s| s.eq_ignore_ascii_case(name)));
        synonym.map(|usual| usual.tag()).filter(|tag| !has(tag)).unwrap_or(name)
    };
    let mut named: Vec<(&str, &str)> = all.iter().map(|&(name, value)| (usual(name), value)).collect();
    named.sort_by_key(|(name, _)| {
        LABELS.iter().position(|(tag, _)| tag.eq_ignore_ascii_case(name)).unwrap_or(LABELS.len())
    });
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_reads_back_to_its_header() {
        for (tag, labels) in LABELS {
            for (column, text) in labels.into_iter().enumerate() {
                assert_eq!((header(text), label(tag, column)), (Some(tag), text));
            }
        }
        assert_eq!((header("开局Fen串"), header("no such"), label("X-Other", 0)), (Some("FEN"), None, "X-Other"));
    }
}
