//! The team written before a player's name.
//!
//! Records from team events write 广东吕钦 or 广东 吕钦 or 吕钦(广东). Which part is the team is settled only where it is
//! sure: the place or club is in the list below, and what remains looks like a Chinese name of two or three characters
//! (four with a double surname).

use crate::text::fold::{fold, fold_char, is_hanzi};
use std::collections::HashSet;
use std::sync::LazyLock;

/// Places, sports associations and clubs that send teams, folded. Longer ones are tried first.
const TEAMS: &[&str] = &[
    "北京",
    "天津",
    "上海",
    "重庆",
    "河北",
    "山西",
    "辽宁",
    "吉林",
    "黑龙江",
    "江苏",
    "浙江",
    "安徽",
    "福建",
    "江西",
    "山东",
    "河南",
    "湖北",
    "湖南",
    "广东",
    "广西",
    "海南",
    "四川",
    "贵州",
    "云南",
    "西藏",
    "陕西",
    "甘肃",
    "青海",
    "宁夏",
    "新疆",
    "内蒙古",
    "内蒙",
    "台湾",
    "中华台北",
    "中国台北",
    "香港",
    "中国香港",
    "澳门",
    "中国澳门",
    "中国",
    "越南",
    "新加坡",
    "马来西亚",
    "菲律宾",
    "泰国",
    "日本",
    "美国",
    "加拿大",
    "澳大利亚",
    "澳洲",
    "法国",
    "德国",
    "英国",
    "东马",
    "西马",
    "印尼",
    "印度尼西亚",
    "缅甸",
    "柬埔寨",
    "文莱",
    "广州",
    "深圳",
    "沈阳",
    "大连",
    "哈尔滨",
    "长春",
    "南京",
    "杭州",
    "宁波",
    "温州",
    "厦门",
    "福州",
    "济南",
    "青岛",
    "武汉",
    "成都",
    "昆明",
    "西安",
    "兰州",
    "石家庄",
    "太原",
    "郑州",
    "合肥",
    "南昌",
    "长沙",
    "火车头",
    "煤矿",
    "邮电",
    "邮政",
    "电力",
    "石油",
    "银荔",
    "开滦",
    "农协",
    "林业",
    "机电",
    "化工",
    "建设",
    "前卫",
    "八一",
    "解放军",
    "大丰",
    "东莞",
    "惠州",
    "佛山",
    "中山",
    "汕头",
    "苏州",
    "无锡",
    "常州",
    "徐州",
];

const DOUBLE_SURNAMES: &[&str] =
    &["欧阳", "上官", "司徒", "司马", "诸葛", "尉迟", "慕容", "夏侯", "皇甫", "东方", "令狐"];

/// The characters with which teams begin: most names begin with none of them.
static FIRSTS: LazyLock<HashSet<char>> =
    LazyLock::new(|| TEAMS.iter().filter_map(|team| team.chars().next()).collect());

/// Splits a name into team and person: (`Some("广东")`, `"吕钦"`) for 广东吕钦. Without a sure team, the whole name.
///
/// The parts are pieces of the name as written.
pub fn split_team(name: &str) -> (Option<&str>, &str) {
    let name = name.trim();
    if let Some((person, team)) = bracketed(name) {
        return (Some(team), person);
    }
    if !name.chars().next().is_some_and(|c| FIRSTS.contains(&fold_char(c))) {
        return (None, name);
    }
    let folded = fold(name);
    let mut best: Option<(usize, &str)> = None;
    for team in TEAMS {
        if folded.starts_with(team) {
            let characters = team.chars().count();
            let rest = after(name, characters);
            let person =
                rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '队' | '隊' | '-' | '·' | ':'));
            let apart = person.len() != rest.len();
            if (looks_like_a_name(person, apart)) && best.is_none_or(|(most, _)| characters > most) {
                best = Some((characters, person));
            }
        }
    }
    match best {
        Some((characters, person)) => (Some(&name[..name.len() - after(name, characters).len()]), person),
        None => (None, name),
    }
}

/// 吕钦(广东), 吕钦（广东）.
fn bracketed(name: &str) -> Option<(&str, &str)> {
    let inner = name.strip_suffix([')', '）', ']', '】'])?;
    let at = inner.rfind(['(', '（', '[', '【'])?;
    let person = inner[..at].trim();
    let team = inner[at..].trim_start_matches(['(', '（', '[', '【']).trim();
    (!person.is_empty() && !team.is_empty() && !team.chars().all(|c| c.is_ascii_digit())).then_some((person, team))
}

fn after(name: &str, characters: usize) -> &str {
    name.char_indices().nth(characters).map_or("", |(at, _)| &name[at..])
}

/// Two or three Chinese characters, four behind a double surname; a single one only where a blank sets it apart.
fn looks_like_a_name(person: &str, apart: bool) -> bool {
    let letters = person.chars().filter(|c| !c.is_whitespace()).count();
    let chinese = person.chars().all(|c| is_hanzi(c) || c.is_whitespace());
    let double = DOUBLE_SURNAMES.iter().any(|surname| fold(person).starts_with(surname));
    if !chinese {
        return apart && letters >= 2;
    }
    match letters {
        2 | 3 => true,
        4 => double || apart,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_before_or_behind_the_name_is_split_off() {
        for (name, team, person) in [
            ("广东吕钦", Some("广东"), "吕钦"),
            ("廣東 呂欽", Some("廣東"), "呂欽"),
            ("广东队 许银川", Some("广东"), "许银川"),
            ("吕钦(广东)", Some("广东"), "吕钦"),
            ("黑龙江赵国荣", Some("黑龙江"), "赵国荣"),
            ("中国香港赵汝权", Some("中国香港"), "赵汝权"),
            ("火车头于幼华", Some("火车头"), "于幼华"),
        ] {
            assert_eq!(split_team(name), (team, person), "{name}");
        }
    }

    #[test]
    fn a_name_that_only_looks_like_a_team_stays_whole() {
        for name in
            ["胡荣华", "上海", "北京队", "广东某", "HU Ronghua", "江苏省象棋协会", "", "海南岛人民代表", "甲一(2)"]
        {
            assert_eq!(split_team(name), (None, name), "{name}");
        }
    }
}
