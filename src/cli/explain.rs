//! `yipu explain`: what a finding code means.

use super::{Context, Exit, Lang};
use anyhow::Context as _;
use std::io::Write;
use yipu::diag::{Code, codes};

/// Options of `yipu explain`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Codes to explain; all if none is given
    codes: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let wanted: Vec<Code> = if args.codes.is_empty() {
        codes::ALL.to_vec()
    } else {
        args.codes
            .iter()
            .map(|id| Code::find(id).with_context(|| format!("there is no finding code {id}")))
            .collect::<anyhow::Result<_>>()?
    };
    for code in wanted {
        if context.json {
            context.json_line(&serde_json::json!({
                "code": code, "severity": code.severity(), "summary": code.summary(), "help": code.help(),
                "summary_zh": code.chinese_summary(), "help_zh": code.chinese_help(),
            }))?;
        } else {
            let mut out = context.out();
            match context.lang {
                Lang::En => writeln!(out, "{code} {}: {}\n    {}", code.severity(), code.summary(), code.help())?,
                Lang::Zh => writeln!(
                    out,
                    "{code} {}: {}\n    {}",
                    code.severity().chinese(),
                    code.chinese_summary(),
                    code.chinese_help()
                )?,
            }
        }
    }
    Ok(Exit::Done)
}
