//! Runs other programs.

use std::fmt;
use std::io::{BufRead, BufReader, ErrorKind, pipe};
use std::process::{ExitStatus, Stdio};

use crate::prelude::*;

/// The failure of a quiet program. The message does not contain the program's output: `main` prints
/// the output first, so that the advice comes last.
#[derive(Debug)]
pub(crate) struct QuietFailure {
    /// The complete output of the program.
    pub(crate) output: String,
    cause: anyhow::Error,
}

impl fmt::Display for QuietFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)
    }
}

impl std::error::Error for QuietFailure {}

/// Runs a program with its output visible.
pub(crate) fn shown(command: &mut Command) -> Result<()> {
    command.stdin(Stdio::null());
    let status = command.status().with_context(|| format!("cannot run {}", program(command)))?;
    require(command, status)
}

/// Runs a program and returns its output; its errors are visible.
pub(crate) fn printed(command: &mut Command) -> Result<Vec<u8>> {
    command.stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = command.output().with_context(|| format!("cannot run {}", program(command)))?;
    require(command, output.status)?;
    Ok(output.stdout)
}

/// Runs a program and returns its output as text, without trailing white space.
pub(crate) fn text(command: &mut Command) -> Result<String> {
    Ok(String::from_utf8(printed(command)?)?.trim_end().to_owned())
}

/// Runs a quiet program as one progress item.
pub(crate) fn titled(label: impl Into<String>, command: &mut Command) -> Result<()> {
    let item = Item::start(label);
    quiet(command, &item)?;
    item.finish("");
    Ok(())
}

/// Runs a program, and hides its output unless it fails: see [`QuietFailure`].
pub(crate) fn quiet(command: &mut Command, item: &Item) -> Result<()> {
    captured(command, item).map(drop)
}

/// Runs a program quietly, and returns its complete output.
pub(crate) fn captured(command: &mut Command, item: &Item) -> Result<String> {
    followed(command, |line| item.detail(line))
}

/// Runs a program quietly, returns its complete output, and passes each line of it to `printed`.
pub(crate) fn followed(command: &mut Command, mut printed: impl FnMut(&str)) -> Result<String> {
    let name = program(command);
    let (reader, writer) = pipe().context("cannot make a pipe")?;
    let copy = writer.try_clone().context("cannot make a pipe")?;
    command.stdin(Stdio::null()).stdout(copy).stderr(writer);
    let mut child = command.spawn().with_context(|| format!("cannot run {name}"))?;
    // The command holds the write ends of the pipe, which ends when they are closed.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut output = String::new();
    for line in BufReader::new(reader).split(b'\n') {
        let line = line.with_context(|| format!("cannot read the output of {name}"))?;
        let line = String::from_utf8_lossy(&line);
        printed(&line);
        output.push_str(line.trim_end());
        output.push('\n');
    }
    let status = child.wait().with_context(|| format!("cannot wait for {name}"))?;
    match require(command, status) {
        Ok(()) => Ok(output),
        Err(cause) => Err(QuietFailure { output, cause }.into()),
    }
}

/// Whether a program can be started.
pub(crate) fn exists(command: &mut Command) -> Result<bool> {
    match command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status() {
        Ok(status) => Ok(status.success()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| format!("cannot run {}", program(command))),
    }
}

fn require(command: &Command, status: ExitStatus) -> Result<()> {
    if !status.success() {
        let arguments = command.get_args().map(|argument| argument.to_string_lossy());
        let line: Vec<_> = std::iter::once(program(command).into()).chain(arguments).collect();
        bail!("`{}` failed ({status})", line.join(" "));
    }
    Ok(())
}

fn program(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.arg("-c").arg(script);
        command
    }

    #[test]
    fn output_is_kept_for_the_error() {
        let item = Item::start("test");
        assert_eq!(
            captured(&mut shell("echo fine; echo >&2 well"), &item).unwrap(),
            "fine\nwell\n"
        );
        let error = quiet(&mut shell("echo one; echo two >&2; exit 3"), &item).unwrap_err();
        assert!(error.to_string().contains("exit status: 3"), "{error}");
        let failure = error.downcast_ref::<QuietFailure>().unwrap();
        assert_eq!(failure.output, "one\ntwo\n");
        item.finish("");
    }

    #[test]
    fn what_is_printed_is_given_as_it_is() {
        assert_eq!(printed(&mut shell("printf 'a\\n\\377'")).unwrap(), b"a\n\xff");
        assert!(printed(&mut shell("echo a; exit 1")).is_err());
    }

    #[test]
    fn a_missing_program_is_told_apart() {
        assert!(!exists(&mut Command::new("libspeech-no-such-program")).unwrap());
        assert!(exists(&mut shell("true")).unwrap());
        let error = shown(&mut Command::new("libspeech-no-such-program")).unwrap_err();
        assert!(error.to_string().contains("cannot run libspeech-no-such-program"));
    }
}
