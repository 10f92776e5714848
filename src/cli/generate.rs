//! `yipu completions` and `yipu man`: made from the options themselves.

use super::{Cli, Context, Exit};
use clap::CommandFactory;

/// Options of `yipu completions`.
#[derive(Debug, clap::Args)]
pub struct CompletionArgs {
    /// The shell
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

/// Prints a completion script.
pub fn completions(args: &CompletionArgs, context: &Context) -> anyhow::Result<Exit> {
    clap_complete::generate(args.shell, &mut Cli::command(), "yipu", &mut *context.out());
    Ok(Exit::Done)
}

/// Prints the man page, then those of the commands.
pub fn man(context: &Context) -> anyhow::Result<Exit> {
    let mut root = Cli::command();
    root.build();
    clap_mangen::Man::new(root.clone()).render(&mut *context.out())?;
    for command in root.get_subcommands() {
        let name = format!("yipu-{}", command.get_name());
        clap_mangen::Man::new(command.clone().name(name)).render(&mut *context.out())?;
    }
    Ok(Exit::Done)
}
