//! `yipu move` reads texts as moves of a position, prints them in every notation and explains those that do not fit;
//! `yipu moves` lists all legal moves.

use super::style::StyleArgs;
use super::{Context, Exit};
use serde::Serialize;
use std::io::Write;
use yipu::board::{Kind, Move, Position, START_FEN};
use yipu::diag::{Finding, Message, codes};
use yipu::notation::{
    Dialect, Notation, Script, Style, Token, explain, looks_like_move, read_move, read_whole, resolve, resolve_unsafe,
    round_number, write_move,
};
use yipu::replay::{Entry, Event, Options, build};

/// Options of `yipu move`.
#[derive(Debug, clap::Args)]
pub struct MoveArgs {
    /// Moves in any notation: 炮二平五, C2=5, H2-E2, h3e3, 炮25, P2-5 … (behind `--` if one begins with a hyphen)
    #[arg(required = true, value_name = "TEXT")]
    texts: Vec<String>,

    /// Position the moves are read in: a FEN, a board drawn with characters, or - for standard input
    #[arg(long, default_value = START_FEN)]
    fen: String,

    /// Play the moves one after another; later ones settle earlier ones
    #[arg(long)]
    line: bool,

    #[command(flatten)]
    choices: StyleArgs,

    /// Way of writing that is known to be used (may be given several times)
    #[arg(long, value_enum, value_name = "NAME")]
    dialect: Vec<DialectName>,
}

/// Options of `yipu moves`.
#[derive(Debug, clap::Args)]
pub struct MovesArgs {
    /// Position whose legal moves are listed: a FEN, a drawn board, or - for standard input
    #[arg(long, default_value = START_FEN)]
    fen: String,

    #[command(flatten)]
    choices: StyleArgs,
}

/// Answers to what texts alone do not tell.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum DialectName {
    /// Ranks 0-9 from Red's side (ICCS, UCCI)
    Ranks0,
    /// Ranks 1-10 from Red's side (UCI)
    Ranks1,
    /// Ranks 0-9 from Black's side
    RanksBlack,
    /// WXF letters and signs
    Western,
    /// Vietnamese letters and signs
    Vietnamese,
    /// Initials of the pinyin names
    Pinyin,
    /// Pawns by number and file (2018)
    PawnNumbers,
    /// Pawns by marks (1997)
    PawnMarks,
    /// Bars below mean forward and none is missing
    Bars,
    /// Bars may be missing
    BarsLost,
    /// Letters with files counted from 0 (b6-4); never tried unless asked for
    Files0,
}

impl DialectName {
    const fn answer(self) -> Dialect {
        match self {
            DialectName::Ranks0 => Dialect::RANKS_FROM_0,
            DialectName::Ranks1 => Dialect::RANKS_FROM_1,
            DialectName::RanksBlack => Dialect::RANKS_FROM_BLACK,
            DialectName::Western => Dialect::WESTERN,
            DialectName::Vietnamese => Dialect::VIETNAMESE,
            DialectName::Pinyin => Dialect::PINYIN,
            DialectName::PawnNumbers => Dialect::PAWN_NUMBERS,
            DialectName::PawnMarks => Dialect::PAWN_MARKS,
            DialectName::Bars => Dialect::BAR_BELOW_FORWARD.or(Dialect::BARS_COMPLETE),
            DialectName::BarsLost => Dialect::BARS_LOST,
            DialectName::Files0 => Dialect::FILES_FROM_0,
        }
    }
}

/// A move in every notation.
#[derive(Serialize)]
struct Shown<'a> {
    text: &'a str,
    uci: Move,
    iccs: String,
    chinese: String,
    traditional: String,
    short: String,
    wxf: String,
    chinese1956: String,
    vietnamese: String,
    fen_after: String,
    check: bool,
    capture: Option<char>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<Finding>,
}

/// A text that is not one move.
#[derive(Serialize)]
struct Unsettled<'a> {
    text: &'a str,
    candidates: Vec<Move>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nearest: Vec<Move>,
    /// Where nothing is near: the legal moves of the piece meant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    of_piece: Vec<Move>,
    findings: Vec<Finding>,
}

fn written(m: Move, position: &Position, style: &Style) -> String {
    let mut text = String::new();
    write_move(m, position, style, &mut text);
    text
}

fn shown<'a>(text: &'a str, m: Move, position: &Position, choices: StyleArgs, findings: Vec<Finding>) -> Shown<'a> {
    let in_style = |style| written(m, position, &choices.apply(style));
    let in_notation = |notation| in_style(Style::of(notation));
    let mut after = *position;
    let undo = after.play(m);
    Shown {
        text,
        uci: m,
        iccs: in_notation(Notation::Iccs),
        chinese: in_notation(Notation::Chinese),
        traditional: in_style(Style { script: Script::Traditional, ..Style::default() }),
        short: in_notation(Notation::Short),
        wxf: in_notation(Notation::Wxf),
        chinese1956: in_notation(Notation::Chinese1956),
        vietnamese: in_notation(Notation::Vietnamese),
        fen_after: after.to_fen(),
        check: after.is_check(),
        capture: undo.captured().map(|piece| piece.letter()),
        findings,
    }
}

/// Prints a move; `remarks` are those on the position, told before.
fn print(context: &Context, mut shown: Shown<'_>, remarks: &[Finding]) -> anyhow::Result<()> {
    for finding in &shown.findings {
        context.finding(finding);
    }
    if context.json {
        shown.findings.extend_from_slice(remarks);
        return context.json_line(&shown);
    }
    let mut out = context.out();
    writeln!(
        out,
        "{}  {}  {}  {}  {}  {}  {}{}{}",
        shown.uci,
        shown.iccs,
        shown.chinese,
        shown.traditional,
        shown.wxf,
        shown.short,
        shown.chinese1956,
        shown.capture.map_or(String::new(), |letter| format!("  x{letter}")),
        if shown.check { context.say("  将军", "  check") } else { "" },
    )?;
    Ok(())
}

fn print_unsettled(context: &Context, mut unsettled: Unsettled<'_>, remarks: &[Finding]) -> anyhow::Result<()> {
    for finding in &unsettled.findings {
        context.finding(finding);
    }
    context.note_exit(Exit::Findings);
    unsettled.findings.extend_from_slice(remarks);
    if context.json { context.json_line(&unsettled) } else { Ok(()) }
}

/// A FEN read, with what was assumed and what is odd about it.
fn position(fen: &str, context: &Context) -> anyhow::Result<(Position, Vec<Finding>)> {
    let (position, remarks) = super::position::examined(fen, context)?;
    remarks.iter().for_each(|remark| context.remark(remark));
    Ok((position, remarks))
}

/// Runs `yipu move`.
pub fn run(args: &MoveArgs, context: &Context) -> anyhow::Result<Exit> {
    let (position, remarks) = position(&args.fen, context)?;
    let dialect = args.dialect.iter().fold(Dialect::OPEN, |dialect, name| dialect.settled(name.answer()));
    if args.line {
        return line(&args.texts, &position, &remarks, dialect, args.choices, context);
    }
    for text in &args.texts {
        match read_whole(text) {
            None => print_unsettled(context, not_a_move(text, &position, args.choices), &remarks)?,
            Some(token) => single(text, &token, (&position, &remarks), dialect, args.choices, context)?,
        }
    }
    Ok(Exit::Done)
}

fn single(
    text: &str,
    token: &Token,
    (position, remarks): (&Position, &[Finding]),
    dialect: Dialect,
    choices: StyleArgs,
    context: &Context,
) -> anyhow::Result<()> {
    let candidates = resolve(token, position, dialect);
    match *candidates {
        [m] => {
            let mut line = shown(text, m, position, choices, Vec::new());
            line.findings = other_readings(text, token, position, m, dialect);
            print(context, line, remarks)
        }
        [] => print_unsettled(context, misfit(text, token, position, dialect), remarks),
        _ => print_unsettled(context, ambiguous(text, &candidates, position), remarks),
    }
}

fn not_a_move<'a>(text: &'a str, position: &Position, choices: StyleArgs) -> Unsettled<'a> {
    let nearest = one_character_away(text, position, choices);
    let (mut english, mut chinese) = if looks_like_move(text.trim()) {
        ("it looks like a move but is none in any notation".to_owned(), "像着法而不是任何一种记法的着法".to_owned())
    } else {
        ("no move in any notation".to_owned(), "不是任何一种记法的着法".to_owned())
    };
    let mut plies = Vec::new();
    split(text, &mut plies);
    if plies.len() > 1 && plies.iter().all(|(_, token)| token.is_some()) {
        let count = plies.len();
        english = format!("{count} moves in one text; `--line` plays them one after another");
        chinese = format!("一段文字里有 {count} 着；用 `--line` 依次走子");
    }
    if !nearest.is_empty() {
        let moves = listed(&nearest, position);
        english.extend(["; legal moves one character away: ", &moves]);
        chinese.extend(["；差一个字的合法着法：", &moves]);
    }
    let finding = Finding::new(codes::NOT_A_MOVE, Message::both(english, chinese)).text(text);
    Unsettled { nearest, ..unsettled(text, finding) }
}

/// The legal moves that, in some notation, are written like the text but for one character.
fn one_character_away(text: &str, position: &Position, choices: StyleArgs) -> Vec<Move> {
    // No notation writes longer moves.
    const MOST: usize = 12;
    let text: Vec<char> = text.trim().chars().map(folded).take(MOST + 1).collect();
    if text.len() > MOST {
        return Vec::new();
    }
    let traditional = Style { script: Script::Traditional, ..Style::default() };
    let styles =
        [Notation::Chinese, Notation::Short, Notation::Wxf, Notation::Iccs, Notation::Vietnamese].map(Style::of);
    let near = |written: &str| differ_in_one(&text, &written.chars().map(folded).collect::<Vec<_>>());
    let near_in = |m: Move, style: &Style| near(&written(m, position, &choices.apply(*style)));
    position
        .legal_moves()
        .iter()
        .copied()
        .filter(|&m| near(&m.to_string()) || styles.iter().chain([&traditional]).any(|style| near_in(m, style)))
        .collect()
}

/// Wide letters and digits as narrow ones, capitals as small letters.
fn folded(c: char) -> char {
    let narrow = match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        _ => c,
    };
    narrow.to_ascii_lowercase()
}

/// Whether one character changed, added or left out makes the one the other.
fn differ_in_one(a: &[char], b: &[char]) -> bool {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[same..], &b[same..]);
    match a.len() as isize - b.len() as isize {
        0 => !a.is_empty() && a[1..] == b[1..],
        1 => a[1..] == *b,
        -1 => *a == b[1..],
        _ => false,
    }
}

fn unsettled(text: &str, finding: Finding) -> Unsettled<'_> {
    Unsettled { text, candidates: Vec::new(), nearest: Vec::new(), of_piece: Vec::new(), findings: vec![finding] }
}

/// Says what the text would mean in a dialect that was not tried, because a commoner one fits.
fn other_readings(text: &str, token: &Token, position: &Position, m: Move, dialect: Dialect) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (other, reads) in yipu::notation::rare_readings(token, position, dialect) {
        let moves: Vec<Move> = reads.iter().copied().filter(|&r| r != m).collect();
        if !moves.is_empty() {
            let names: Vec<&str> = other.names().collect();
            let (names, moves) = (names.join(", "), listed(&moves, position));
            let message = yipu::say!("with {names} it would be {moves}"; "若按 {names} 的写法，则是 {moves}");
            findings.push(Finding::new(codes::OTHER_DIALECT, message).text(text));
        }
    }
    findings
}

fn named(m: Move, position: &Position) -> String {
    format!("{} ({m})", written(m, position, &Style::default()))
}

fn listed(moves: &[Move], position: &Position) -> String {
    moves.iter().map(|&m| named(m, position)).collect::<Vec<_>>().join(", ")
}

fn misfit<'a>(text: &'a str, token: &Token, position: &Position, dialect: Dialect) -> Unsettled<'a> {
    let explanation = explain(token, position, dialect);
    let side = position.side_to_move();
    let mut english = format!("{side} to move: {}", explanation.reason);
    let mut chinese = format!("{}走棋：{}", side.chinese(), explanation.reason.in_chinese());
    if !resolve_unsafe(token, position, dialect).is_empty() {
        english.push_str(" (the piece itself could go there)");
        chinese.push_str("（棋子本身可以这样走）");
    }
    let mut add = |zh_intro: &str, en_intro: &str, moves: &[Move]| {
        if !moves.is_empty() {
            let moves = listed(moves, position);
            chinese.extend([zh_intro, &moves]);
            english.extend([en_intro, &moves]);
        }
    };
    add("；差一个字的合法着法：", "; legal moves one character away: ", &explanation.nearest);
    let of_piece = if explanation.nearest.is_empty() { explanation.of_piece } else { Vec::new() };
    add(
        "；没有差一个字的合法着法；所说棋子的合法着法：",
        "; no legal move is one character away; legal moves of the piece meant: ",
        &of_piece,
    );
    add(
        "；若路数从左边数起，则是：",
        "; with files counted from the left it would be ",
        explanation.other_hand.as_slice(),
    );
    let finding = Finding::new(codes::NO_LEGAL_MOVE, Message::both(english, chinese)).text(text);
    Unsettled { nearest: explanation.nearest, of_piece, ..unsettled(text, finding) }
}

/// What would tell candidates apart, in Chinese and in English.
fn advice(candidates: &[Move], position: &Position) -> (&'static str, &'static str) {
    let same = |part: fn(&Move) -> u8| candidates.iter().all(|m| part(m) == part(&candidates[0]));
    let kinds: Vec<Option<Kind>> =
        candidates.iter().map(|m| position.piece_at(m.from()).map(|piece| piece.kind())).collect();
    if kinds.iter().any(|kind| *kind != kinds[0]) {
        ("写明棋子名称或记法可以区分", "the piece name or the dialect tells them apart")
    } else if same(|m| m.from().index() as u8) {
        ("方向（进、退、平或横线）可以区分", "the direction (进, 退, 平 or a bar) tells them apart")
    } else if same(|m| m.from().file()) {
        ("前、中、后可以区分", "前, 中 or 后 tells them apart")
    } else {
        ("写明所在的路可以区分", "the file of origin tells them apart")
    }
}

fn ambiguous<'a>(text: &'a str, candidates: &[Move], position: &Position) -> Unsettled<'a> {
    let (names, count) = (listed(candidates, position), candidates.len());
    let (zh, en) = advice(candidates, position);
    let message = yipu::say!("fits {count} legal moves: {names}; {en}"; "合乎 {count} 着：{names}；{zh}");
    let finding = Finding::new(codes::AMBIGUOUS_MOVE, message).text(text);
    Unsettled { candidates: candidates.to_vec(), ..unsettled(text, finding) }
}

/// Plays the texts one after another; each may hold several moves.
fn line(
    texts: &[String],
    start: &Position,
    remarks: &[Finding],
    dialect: Dialect,
    choices: StyleArgs,
    context: &Context,
) -> anyhow::Result<Exit> {
    let mut plies: Vec<(&str, Option<Token>)> = Vec::new();
    for text in texts {
        split(text, &mut plies);
    }
    let entries: Vec<Entry<'_>> = (0u32..)
        .zip(&plies)
        .map(|(at, &(text, token))| Entry {
            at,
            // A text that is no move ends the line like one that fits nothing.
            event: token.map_or(Event::Text("马?进?"), |token| Event::Move { token, text }),
        })
        .collect();
    let built = build(start, &entries, &Options { dialect, side_is_certain: true, ..Options::default() });
    let mut position = built.start;
    let mut open = built.readings.open.iter().peekable();
    for ((number, id), &(text, _)) in (1..).zip(built.tree.main_line()).zip(&plies) {
        let m = built.tree[id].m;
        match open.next_if(|open| open.ply == number) {
            Some(open) => print_unsettled(context, ambiguous(text, &open.moves, &position), remarks)?,
            None => print(context, shown(text, m, &position, choices, Vec::new()), remarks)?,
        }
        position.play(m);
    }
    let rest = &plies[built.plies as usize..];
    if let Some((&(text, token), behind)) = rest.split_first() {
        let stopped = match token {
            Some(token) => misfit(text, &token, &position, built.dialect),
            None => not_a_move(text, &position, choices),
        };
        print_unsettled(context, stopped, remarks)?;
        for &(text, _) in behind {
            let message = yipu::say!("not read: the line ended before it"; "未读：前面已经中断");
            print_unsettled(context, unsettled(text, Finding::new(codes::NO_LEGAL_MOVE, message).text(text)), remarks)?;
        }
    }
    Ok(Exit::Done)
}

/// The moves of a text, round numbers skipped; what is none stands for a ply that cannot be read.
fn split<'a>(text: &'a str, plies: &mut Vec<(&'a str, Option<Token>)>) {
    if let Some(token) = read_whole(text) {
        plies.push((text.trim(), Some(token)));
        return;
    }
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        if let Some((token, used)) = read_move(rest) {
            plies.push((&rest[..used], Some(token)));
            rest = &rest[used..];
        } else if let Some((_, used)) = round_number(rest) {
            rest = rest[used..].trim_start_matches(['.', '…']);
        } else {
            let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            if number.len() < rest.len() && number.starts_with('…') {
                rest = number.trim_start_matches('…');
            } else {
                // Four digits are a move where they stand alone.
                plies.push((&rest[..word], read_whole(&rest[..word])));
                rest = &rest[word..];
            }
        }
        rest = rest
            .trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '，' | ';' | '；' | '。' | '!' | '?'));
    }
}

/// Runs `yipu moves`.
pub fn run_all(args: &MovesArgs, context: &Context) -> anyhow::Result<Exit> {
    let (position, remarks) = position(&args.fen, context)?;
    for &m in position.legal_moves().iter() {
        let text = written(m, &position, &Style::default());
        print(context, shown(&text, m, &position, args.choices, Vec::new()), &remarks)?;
    }
    Ok(Exit::Done)
}
