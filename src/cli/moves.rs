//! `yipu move` reads texts as moves of a position, prints them in every notation and explains those that do not fit;
//! `yipu moves` lists all legal moves.

use super::{Context, Exit};
use serde::Serialize;
use std::io::Write;
use yipu::board::{Move, Position, START_FEN};
use yipu::diag::{Finding, codes};
use yipu::notation::{
    Dialect, Notation, Script, Style, Token, explain, read_move, read_whole, resolve, resolve_unsafe, write_move,
};
use yipu::replay::{Entry, Event, Options, build};

/// Options of `yipu move`.
#[derive(Debug, clap::Args)]
pub struct MoveArgs {
    /// Moves in any notation: 炮二平五, C2=5, H2-E2, h3e3, 炮25, P2-5 … (behind `--` if one begins with a hyphen)
    #[arg(required = true, value_name = "TEXT")]
    texts: Vec<String>,

    /// Position the moves are read in
    #[arg(long, default_value = START_FEN)]
    fen: String,

    /// Play the moves one after another; later ones settle earlier ones
    #[arg(long)]
    line: bool,

    /// Way of writing that is known to be used (may be given several times)
    #[arg(long, value_enum, value_name = "NAME")]
    dialect: Vec<DialectName>,
}

/// Options of `yipu moves`.
#[derive(Debug, clap::Args)]
pub struct MovesArgs {
    /// Position whose legal moves are listed
    #[arg(long, default_value = START_FEN)]
    fen: String,
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
    findings: Vec<Finding>,
}

fn written(m: Move, position: &Position, style: &Style) -> String {
    let mut text = String::new();
    write_move(m, position, style, &mut text);
    text
}

fn shown<'a>(text: &'a str, m: Move, position: &Position, findings: Vec<Finding>) -> Shown<'a> {
    let in_notation = |notation| written(m, position, &Style::of(notation));
    let mut after = *position;
    let undo = after.play(m);
    Shown {
        text,
        uci: m,
        iccs: in_notation(Notation::Iccs),
        chinese: in_notation(Notation::Chinese),
        traditional: written(m, position, &Style { script: Script::Traditional, ..Style::default() }),
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

fn print(context: &Context, shown: &Shown<'_>) -> anyhow::Result<()> {
    for finding in &shown.findings {
        context.finding(finding);
    }
    if context.json {
        return context.json_line(shown);
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

fn print_unsettled(context: &Context, unsettled: &Unsettled<'_>) -> anyhow::Result<()> {
    for finding in &unsettled.findings {
        context.finding(finding);
    }
    context.note_exit(Exit::Findings);
    if context.json { context.json_line(unsettled) } else { Ok(()) }
}

/// A FEN read, with what was assumed told under `-v`.
fn position(fen: &str, context: &Context) -> anyhow::Result<Position> {
    let read = Position::read_fen(fen)?;
    for note in &read.notes {
        context.finding(&Finding::new(codes::FEN_ASSUMED, note.to_string()).text(fen));
    }
    let position = read.position();
    for fault in position.faults() {
        let mut finding = Finding::new(codes::IMPOSSIBLE_POSITION, fault.to_string()).text(fen);
        // The user asks about this very position: told, but no fault of the answer.
        finding.severity = yipu::diag::Severity::Note;
        context.finding(&finding);
    }
    Ok(position)
}

/// Runs `yipu move`.
pub fn run(args: &MoveArgs, context: &Context) -> anyhow::Result<Exit> {
    let position = position(&args.fen, context)?;
    let dialect = args.dialect.iter().fold(Dialect::OPEN, |dialect, name| dialect.settled(name.answer()));
    if args.line {
        return line(&args.texts, &position, dialect, context);
    }
    for text in &args.texts {
        match read_whole(text) {
            None => print_unsettled(context, &not_a_move(text))?,
            Some(token) => single(text, &token, &position, dialect, context)?,
        }
    }
    Ok(Exit::Done)
}

fn single(text: &str, token: &Token, position: &Position, dialect: Dialect, context: &Context) -> anyhow::Result<()> {
    let candidates = resolve(token, position, dialect);
    match *candidates {
        [m] => print(context, &shown(text, m, position, other_readings(text, token, position, m, dialect))),
        [] => print_unsettled(context, &misfit(text, token, position, dialect)),
        _ => print_unsettled(context, &ambiguous(text, &candidates, position)),
    }
}

fn not_a_move(text: &str) -> Unsettled<'_> {
    let finding = Finding::new(codes::NOT_A_MOVE, "no move in any notation").text(text);
    Unsettled { text, candidates: Vec::new(), nearest: Vec::new(), findings: vec![finding] }
}

/// Says what the text would mean in a dialect that was not tried, because a commoner one fits.
fn other_readings(text: &str, token: &Token, position: &Position, m: Move, dialect: Dialect) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (other, reads) in yipu::notation::rare_readings(token, position, dialect) {
        let moves: Vec<String> = reads.iter().filter(|&&r| r != m).map(|&r| named(r, position)).collect();
        if !moves.is_empty() {
            let names: Vec<&str> = other.names().collect();
            let message = format!("with {} it would be {}", names.join(", "), moves.join(" or "));
            findings.push(Finding::new(codes::OTHER_DIALECT, message).text(text));
        }
    }
    findings
}

fn named(m: Move, position: &Position) -> String {
    format!("{} ({m})", written(m, position, &Style::default()))
}

fn misfit<'a>(text: &'a str, token: &Token, position: &Position, dialect: Dialect) -> Unsettled<'a> {
    let explanation = explain(token, position, dialect);
    let mut message = format!("{} to move: {}", position.side_to_move(), explanation.reason);
    let unsafe_moves = resolve_unsafe(token, position, dialect);
    if !unsafe_moves.is_empty() {
        message.push_str(" (the piece itself could go there)");
    }
    let names: Vec<String> = explanation.nearest.iter().map(|&m| named(m, position)).collect();
    if !names.is_empty() {
        message.push_str("; legal moves one character away: ");
        message.push_str(&names.join(", "));
    }
    let finding = Finding::new(codes::NO_LEGAL_MOVE, message).text(text);
    Unsettled { text, candidates: Vec::new(), nearest: explanation.nearest, findings: vec![finding] }
}

fn ambiguous<'a>(text: &'a str, candidates: &[Move], position: &Position) -> Unsettled<'a> {
    let names: Vec<String> = candidates.iter().map(|&m| named(m, position)).collect();
    let same = |part: fn(&Move) -> u8| candidates.iter().all(|m| part(m) == part(&candidates[0]));
    let kinds = candidates.iter().map(|m| position.piece_at(m.from()).map(|piece| piece.kind()));
    let advice = if kinds.clone().any(|kind| kind != kinds.clone().next().flatten()) {
        "the piece name or the dialect tells them apart"
    } else if same(|m| m.from().index() as u8) {
        "the direction (进, 退, 平 or a bar) tells them apart"
    } else if same(|m| m.from().file()) {
        "前, 中 or 后 tells them apart"
    } else {
        "the file of origin tells them apart"
    };
    let message = format!("fits {} legal moves: {}; {advice}", candidates.len(), names.join(", "));
    let finding = Finding::new(codes::AMBIGUOUS_MOVE, message).text(text);
    Unsettled { text, candidates: candidates.to_vec(), nearest: Vec::new(), findings: vec![finding] }
}

/// Plays the texts one after another; each may hold several moves.
fn line(texts: &[String], start: &Position, dialect: Dialect, context: &Context) -> anyhow::Result<Exit> {
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
            Some(open) => print_unsettled(context, &ambiguous(text, &open.moves, &position))?,
            None => print(context, &shown(text, m, &position, Vec::new()))?,
        }
        position.play(m);
    }
    let rest = &plies[built.plies as usize..];
    if let Some((&(text, token), behind)) = rest.split_first() {
        let unsettled = match token {
            Some(token) => misfit(text, &token, &position, built.dialect),
            None => not_a_move(text),
        };
        print_unsettled(context, &unsettled)?;
        for &(text, _) in behind {
            let finding = Finding::new(codes::NO_LEGAL_MOVE, "not read: the line ended before it").text(text);
            print_unsettled(
                context,
                &Unsettled { text, candidates: Vec::new(), nearest: Vec::new(), findings: vec![finding] },
            )?;
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
        } else {
            let word = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let number = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let after = rest[number..].trim_start_matches(['.', '…', '、']);
            if number > 0 && after.len() < rest.len() - number {
                rest = after;
            } else {
                plies.push((&rest[..word], None));
                rest = &rest[word..];
            }
        }
        rest = rest
            .trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '，' | ';' | '；' | '。' | '!' | '?'));
    }
}

/// Runs `yipu moves`.
pub fn run_all(args: &MovesArgs, context: &Context) -> anyhow::Result<Exit> {
    let position = position(&args.fen, context)?;
    for &m in position.legal_moves().iter() {
        let text = written(m, &position, &Style::default());
        print(context, &shown(&text, m, &position, Vec::new()))?;
    }
    Ok(Exit::Done)
}
