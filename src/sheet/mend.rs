//! Mends: what was changed in an entry, and what a change costs.

use super::graph::{Cell, Says};
use super::pattern::{Directions, Pattern};
use super::search::fields_off;
use crate::board::{Move, Position};

/// What an entry costs whose numerals or piece name are the other side's.
pub(super) const WRONG_SIDE: f64 = -4.0;

/// What a mend of one field costs, as a logarithm of its chance.
pub(super) fn bent_price(pattern: &Pattern, m: Move, position: &Position) -> f64 {
    match bent_field(pattern, m, position) {
        // A digit without a mark in a sheet with marks: most often its bar is lost.
        "direction" if pattern.directions == Directions::TRAVERSE => -6.0,
        "number" => -7.5,
        "file" => -7.5,
        "direction" => -8.5,
        _ => -9.5,
    }
}

pub(super) fn bent_field(pattern: &Pattern, m: Move, position: &Position) -> &'static str {
    let looser = [
        (Pattern { number: 0, ..*pattern }, "number"),
        (Pattern { directions: Directions::ANY, ..*pattern }, "direction"),
        (Pattern { file: 0, which: super::pattern::Which::Any, ..*pattern }, "file"),
        (Pattern { kind: None, ..*pattern }, "piece"),
    ];
    looser.into_iter().find(|(p, _)| fields_off(p, m, position) == 0).map_or("text", |(_, name)| name)
}

pub(super) fn bent_name(cell: &Cell, m: Move, position: &Position) -> Option<&'static str> {
    let Says::Pattern(pattern) = cell.says else { return Some("wrong square") };
    Some(match bent_field(&pattern, m, position) {
        "number" => "wrong number",
        "direction" => "wrong or lost direction",
        "file" => "wrong file",
        "piece" => "wrong piece",
        _ => "wrong entry",
    })
}

/// What a mend is called in Chinese.
pub(super) fn mend_in_chinese(mend: &str) -> &'static str {
    match mend {
        "wrong number" => "数字有误",
        "wrong or lost direction" => "进退平有误或缺失",
        "wrong file" => "路数有误",
        "wrong piece" => "棋子有误",
        "wrong square" => "位置有误",
        "swapped entries" => "两格颠倒",
        "an entry too many" => "多出一格",
        "a ply left out" => "漏记一着",
        _ => "该格有误",
    }
}
