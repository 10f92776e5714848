//! The page as one HTML file: figures, two boards, and a table of rounds that prints on A4.

use super::wording::{side, why_text};
use super::{Language, LimitPage};
use crate::diagram::Diagram;
use crate::text::markup::escape;
use std::fmt::Write as _;

const STYLE: &str = "\
body{font:14px/1.45 \"Noto Sans CJK SC\",\"Source Han Sans SC\",\"Microsoft YaHei\",\"PingFang SC\",sans-serif;\
color:#111;max-width:180mm;margin:8mm auto;padding:0 4mm}\
h1{font-size:22px;border-bottom:2px solid #111;padding-bottom:4px;margin:0 0 8px}\
h2{font-size:15px;margin:14px 0 4px}\
p.game{margin:0 0 8px;color:#333}\
table.facts{border-collapse:collapse}\
table.facts th{text-align:left;font-weight:normal;color:#444;padding:1px 14px 1px 0;vertical-align:top}\
table.facts td{padding:1px 0}\
p.verdict{font-size:18px;font-weight:bold;border:2px solid #111;padding:6px 10px;margin:12px 0 6px}\
.boards{display:flex;gap:8mm;margin:10px 0;break-inside:avoid}\
figure{margin:0;flex:1}figure svg{width:100%;height:auto}figcaption{text-align:center;font-size:13px}\
.rounds{columns:2;column-gap:8mm}\
table.plies{border-collapse:collapse;width:100%;font-size:12px;break-inside:avoid;margin-bottom:6px}\
table.plies .r{width:3em}table.plies .p{width:50%}\
table.plies td,table.plies th{border-bottom:1px solid #bbb;padding:1px 4px;text-align:left;vertical-align:top}\
table.plies td.n{text-align:right;color:#555}\
table.plies td.void{background:#eee}\
.why{display:block;font-size:10.5px;color:#444}\
.sign{display:flex;gap:12mm;margin-top:12mm}.sign div{flex:1;border-top:1px solid #111;padding-top:3px}\
@page{size:A4;margin:14mm}@media print{body{margin:0;padding:0;max-width:none}}";

/// The most rounds in one table; tables are not broken, so that each column of each page begins with a heading.
const ROUNDS: usize = 25;

pub(super) fn draw(page: &LimitPage<'_>, language: Language) -> String {
    let words = page.words(language);
    let zh = language == Language::Chinese;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{}</h1>\n",
        if zh { "zh" } else { "en" },
        words.title,
        words.title
    );
    if !page.title.is_empty() {
        let _ = writeln!(out, "<p class=\"game\">{}</p>", escape(page.title));
    }
    out.push_str("<table class=\"facts\">\n");
    for (name, value) in &words.facts {
        let _ = writeln!(out, "<tr><th>{name}</th><td>{}</td></tr>", escape(value));
    }
    out.push_str("</table>\n");
    let _ = writeln!(out, "<p class=\"verdict\">{}{}{}</p>", words.verdict.0, words.colon, escape(&words.verdict.1));
    for (name, value) in &words.behind {
        let _ = writeln!(out, "<p>{name}{}{}</p>", words.colon, escape(value));
    }
    out.push_str("<div class=\"boards\">\n");
    for board in page.boards(&words) {
        let mut diagram = Diagram::new(&board.position);
        if let Some(m) = board.last {
            diagram = diagram.last_move(m);
        }
        let svg = diagram.to_svg(420);
        // Inside HTML the picture needs no declaration of its own.
        let svg = svg.find("<svg").map_or("", |at| &svg[at..]);
        let _ = writeln!(out, "<figure>{svg}<figcaption>{}</figcaption></figure>", escape(&board.caption));
    }
    out.push_str("</div>\n");
    let _ = writeln!(out, "<p>{}</p>\n<h2>{}</h2>", escape(&words.method), words.legend.trim_end_matches([':', '：']));
    rounds(page, language, &mut out);
    let names = if zh { ["裁判", "红方", "黑方"] } else { ["Arbiter", "Red", "Black"] };
    let _ = writeln!(
        out,
        "<div class=\"sign\"><div>{}</div><div>{}</div><div>{}</div></div>\n</body>\n</html>",
        names[0], names[1], names[2]
    );
    out
}

/// The plies, a row for every round.
fn rounds(page: &LimitPage<'_>, language: Language, out: &mut String) {
    let first = page.start.side_to_move();
    let mut rows: Vec<(u32, [String; 2])> = Vec::new();
    page.each_ply(|text, line| {
        let round = line.ply.div_ceil(2);
        if rows.last().is_none_or(|row| row.0 != round) {
            rows.push((round, [String::new(), String::new()]));
        }
        let mark = if line.why.counts() { '√' } else { '×' };
        let why = why_text(line.why, language);
        let mut cell = format!(
            "<td class=\"{}\">{mark} {} <small>{}</small>",
            if line.why.counts() { "ply" } else { "ply void" },
            escape(text),
            line.ply
        );
        if !why.is_empty() {
            let _ = write!(cell, "<span class=\"why\">{}</span>", escape(&why));
        }
        cell.push_str("</td>");
        if let Some(row) = rows.last_mut() {
            row.1[usize::from(line.side != first)] = cell;
        }
    });
    let head = match language {
        Language::Chinese => "回合",
        Language::English => "round",
    };
    out.push_str("<div class=\"rounds\">\n");
    // An even number of tables of one length fills both columns alike.
    let tables = 2 * rows.len().div_ceil(2 * ROUNDS).max(1);
    for part in rows.chunks(rows.len().div_ceil(tables).max(1)) {
        let (a, b) = (side(first, language), side(!first, language));
        let _ = writeln!(
            out,
            "<table class=\"plies\"><tr><th class=\"r\">{head}</th><th class=\"p\">{a}</th><th class=\"p\">{b}</th></tr>"
        );
        for (round, cells) in part {
            let _ = write!(out, "<tr><td class=\"n\">{round}</td>");
            for cell in cells {
                out.push_str(if cell.is_empty() { "<td></td>" } else { cell });
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</table>\n");
    }
    out.push_str("</div>\n");
}
