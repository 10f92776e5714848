//! `yipu formats`: which file formats are read and written.

use super::{Context, Exit};
use std::io::Write;
use yipu::format::{Format, reader, writer};

/// Runs the command.
pub fn run(context: &Context) -> anyhow::Result<Exit> {
    for &format in Format::ALL {
        let (reads, writes) = (reader(format).is_some(), writer(format).is_some());
        if context.json {
            context.json_line(&serde_json::json!({
                "format": format, "reads": reads, "writes": writes, "help": format.help(),
            }))?;
        } else if reads || writes {
            let mark = |yes, text| if yes { text } else { "-" };
            let (read, write) = (context.say("读", "reads"), context.say("写", "writes"));
            writeln!(
                context.out(),
                "{:<8} {:<6} {:<7} {}",
                format.name(),
                mark(reads, read),
                mark(writes, write),
                format.help()
            )?;
        }
    }
    Ok(Exit::Done)
}
