//! Writes `src/text/fold.txt`, the table behind `yipu::text::fold`.
//!
//! For every character it asks, one after another until nothing changes: compatibility forms (Unicode NFKC), look-alikes
//! and forms of the game (below), OpenCC's traditional to simplified characters. Only single characters are asked for, so
//! the table cannot depend on context.
//!
//! Usage: `cargo run --example fold_table > src/text/fold.txt`

use ferrous_opencc::OpenCC;
use ferrous_opencc::config::BuiltinConfig;
use std::collections::BTreeMap;
use unicode_normalization::UnicodeNormalization;

/// Target first, then the forms that stand for it in game records, names and places.
const OVERLAY: &[&str] = &[
    "炮砲礮包",
    "车俥伡",
    "马傌㐷⻢⻜",
    "帅帥",
    "见⻅",
    "贝⻉",
    "车⻋",
    "长⻓⻑",
    "门⻔",
    "页⻚",
    "风⻛",
    "飞⻜",
    "鸟⻦",
    "鱼⻥",
    "齐⻬",
    "龙⻰",
    "龟⻳",
    "峰峯",
    "群羣",
    "村邨",
    "高髙",
    "杰傑",
    "岩嵓巖",
    "强強彊",
    "恒恆",
    "册冊",
    "晋晉",
    "青靑",
    "清淸",
    "黄黃",
    "吴吳呉",
    "吕呂",
    "户戶戸",
    "温溫",
    "真眞",
    "教敎",
    "说說説",
    "卫衛衞",
    "奥奧",
    "角⻆",
    "回囘囬",
    "仙僊",
    "棋棊碁",
    "够夠",
    // Japanese forms that are no characters of Chinese.
    "泽沢",
    "广広",
    "龙竜",
    "斋斎",
    "齐斉",
    "边辺",
    "樱桜",
    "黑黒",
    "德徳",
    "岁歳",
    "荣栄",
    "县県",
    "战戦",
    "对対",
    "围囲",
    "钱銭",
    "读読",
    "发発",
    "关関",
    "气気",
    "经経",
    "实実",
    "图図",
    "团団",
    "变変",
    "滨浜",
    "濑瀬",
    "涩渋",
    "溪渓",
    "惠恵",
    "应応",
    "圆円",
    "驿駅",
    "铁鉄",
    "乐楽",
    "药薬",
    "劳労",
    "严厳",
    "绿緑",
    "录録",
    "净浄",
    "传伝",
    "归帰",
    "检検",
    "险険",
    "剑剣",
    "了瞭",
    "干乾幹",
    "·•・‧∙⋅․",
    "-‐‑‒–—―−－",
    "'’‘＇",
    "\"“”＂",
    "c\u{0441}\u{0421}",
    "a\u{0430}\u{0410}",
    "e\u{0435}\u{0415}",
    "o\u{043E}\u{041E}",
    "p\u{0440}\u{0420}",
    "b\u{0412}",
    "k\u{041A}\u{043A}",
    "h\u{041D}",
    "m\u{041C}",
    "0〇",
];

fn single(text: impl Iterator<Item = char>) -> Option<char> {
    let mut text = text;
    let first = text.next()?;
    text.next().is_none().then_some(first)
}

fn main() {
    let simplify = OpenCC::from_config(BuiltinConfig::T2s).expect("built in");
    let taiwan = OpenCC::from_config(BuiltinConfig::Tw2s).expect("built in");
    let hong_kong = OpenCC::from_config(BuiltinConfig::Hk2s).expect("built in");
    let mut overlay = BTreeMap::new();
    for row in OVERLAY {
        let mut row = row.chars();
        let target = row.next().expect("a row has a target");
        for form in row {
            overlay.entry(form).or_insert(target);
        }
    }
    let step = |c: char| -> char {
        if let Some(&target) = overlay.get(&c) {
            return target;
        }
        if let Some(plain) = single(c.nfkc()).filter(|plain| *plain != c) {
            return plain;
        }
        // Marks over Latin letters go: ü is u, é is e.
        if let Some(base) = c.nfd().next().filter(|base| *base != c && base.is_ascii_alphabetic()) {
            return base;
        }
        if let Some(small) = single(c.to_lowercase()).filter(|small| *small != c) {
            return small;
        }
        let text = c.to_string();
        for table in [&simplify, &taiwan, &hong_kong] {
            if let Some(simple) = single(table.convert(&text).chars()).filter(|simple| *simple != c) {
                return simple;
            }
        }
        c
    };
    let mut rows: BTreeMap<char, Vec<char>> = BTreeMap::new();
    for c in ('\u{80}'..='\u{3FFFF}').filter(|c| !c.is_control()) {
        let mut seen = vec![c];
        let mut now = c;
        loop {
            let next = step(now);
            if seen.contains(&next) {
                // A fixed point, or a ring, for which its first character stands.
                let ring = seen.iter().position(|form| *form == next).unwrap_or(0);
                now = seen[ring..].iter().copied().min().unwrap_or(now);
                break;
            }
            seen.push(next);
            now = next;
        }
        if now != c && !now.is_whitespace() || now == ' ' && c != ' ' {
            rows.entry(now).or_default().push(c);
        }
    }
    for (target, forms) in rows {
        println!("{target}{}", forms.into_iter().collect::<String>());
    }
}
