//! The program: options in, a command run, an exit code out. Everything of substance is in the library.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
