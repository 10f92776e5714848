//! Every example in the grammar files, fed to the reader.

use std::path::Path;
use yipu::board::{Move, Position, START_FEN};
use yipu::notation::{Dialect, read_whole, resolve};

fn check(file: &str, line: &str, dialect: Dialect) -> Result<(), String> {
    let mut fields = line.split(" | ");
    let fen = fields.next().unwrap_or_default();
    let text = fields.next().ok_or("no text")?;
    let expected: Vec<&str> = fields.collect();
    let fen = if fen == "start" { START_FEN } else { fen };
    let position = Position::from_fen(fen).map_err(|e| e.to_string())?;
    let found = match read_whole(text) {
        None => "no move".to_owned(),
        Some(token) => match &*resolve(&token, &position, dialect) {
            [] => "none".to_owned(),
            moves => moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" | "),
        },
    };
    let expected = expected.join(" | ");
    if found == expected { Ok(()) } else { Err(format!("{file}: {text}: {found}, not {expected}")) }
}

#[test]
fn every_example_of_the_grammars_reads_as_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammars");
    let forms = [
        "algebraic",
        "characters",
        "chinese",
        "chinese1956",
        "coordinates",
        "digits",
        "english",
        "japanese",
        "short",
        "vietnamese",
        "wxf",
    ];
    let mut wrong = Vec::new();
    for form in forms {
        let file = format!("{form}.txt");
        let text = std::fs::read_to_string(folder.join(&file)).unwrap();
        let examples: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("> ")).collect();
        assert!(examples.len() >= 5, "{file} has examples");
        wrong.extend(examples.into_iter().filter_map(|line| check(&file, line, Dialect::OPEN).err()));
        let zero = Dialect::OPEN.settled(Dialect::FILES_FROM_0);
        wrong.extend(
            text.lines().filter_map(|line| line.strip_prefix(">0 ")).filter_map(|line| check(&file, line, zero).err()),
        );
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
