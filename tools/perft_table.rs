//! Makes `tests/data/perft.tsv` and `tests/data/zobrist.csv` from a list of named positions (`name TAB fen` on standard
//! input); depths 1 and 2 are counted again by the slow generator when the tests run.

use std::io::BufRead;
use yipu::board::Position;

fn main() -> std::io::Result<()> {
    let mut table = String::from("id\tfen\td1\td2\td3\td4\n");
    let mut keys = String::from("fen,key,mirror_key\n");
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let Some((name, fen)) = line.split_once('\t') else { continue };
        let position = Position::from_fen(fen).map_err(std::io::Error::other)?;
        let counts: Vec<String> = (1..=4).map(|depth| position.perft(depth).to_string()).collect();
        table += &format!("{name}\t{fen}\t{}\n", counts.join("\t"));
        keys += &format!("{},{:016x},{:016x}\n", position.to_fen(), position.key(), position.mirror_key());
    }
    std::fs::write("tests/data/perft.tsv", table)?;
    std::fs::write("tests/data/zobrist.csv", keys)
}
