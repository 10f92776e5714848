//! `yipu perft`: counts legal lines, to check a move generator and to measure it.

use super::{Context, Exit};
use std::io::Write;
use std::time::Instant;
use yipu::board::START_FEN;

/// Options of `yipu perft`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Length of the lines in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=32))]
    depth: u32,

    /// Position to start from
    #[arg(long, default_value = START_FEN)]
    fen: String,

    /// Show the count below each first move
    #[arg(long)]
    divide: bool,
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let position = super::position::position(&args.fen, context)?;
    let begin = Instant::now();
    let mut nodes = 0;
    if args.divide && args.depth > 0 {
        for &m in position.legal_moves().iter() {
            let mut next = position;
            next.play(m);
            let below = next.perft(args.depth - 1);
            nodes += below;
            if context.json {
                context.json_line(&serde_json::json!({"uci": m, "nodes": below}))?;
            } else {
                writeln!(context.out(), "{m} {below}")?;
            }
        }
    } else {
        nodes = position.perft(args.depth);
    }
    let seconds = begin.elapsed().as_secs_f64();
    if context.json {
        context.json_line(&serde_json::json!({"depth": args.depth, "nodes": nodes, "seconds": seconds}))?;
    } else {
        let label = context.say("局面数", "nodes");
        writeln!(context.out(), "{label} {nodes}  ({seconds:.3} s)")?;
    }
    Ok(Exit::Done)
}
