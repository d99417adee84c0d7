//! Runs named steps with dependencies, in parallel where possible. The first failure ends the run,
//! and every run ends with a table of times.
//!
//! Each step is a process of this program, so that its output stays together and all of its child
//! processes can be stopped.

use std::fmt::Write as _;
use std::io::{Read, pipe, stdin};
use std::process::{ChildStdin, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::needs::Need;
use crate::prelude::*;

/// The load of a step on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Load {
    /// Almost no processor time: downloads, and short programs.
    Little,
    /// About half of a core: tests that wait as often as they compute.
    Waiting,
    /// About one core.
    Core,
    /// cargo, which compiles on every core and locks out other cargo processes.
    Cargo,
    /// The whole machine, for measurements that must not be disturbed.
    Alone,
}

impl Load {
    /// The load in halves of a core.
    fn halves(self) -> usize {
        match self {
            Load::Little => 0,
            Load::Waiting => 1,
            Load::Core | Load::Cargo | Load::Alone => 2,
        }
    }
}

/// A step.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    /// The steps that must pass before it, if they are part of the run.
    pub(crate) after: &'static [&'static str],
    load: Load,
    run: fn() -> Result<()>,
    /// The requirements on the machine.
    pub(crate) needs: Vec<Need>,
}

/// A step without requirements.
pub(crate) fn step(
    name: &'static str,
    after: &'static [&'static str],
    load: Load,
    run: fn() -> Result<()>,
) -> Step {
    Step { name, after, load, run, needs: Vec::new() }
}

impl Step {
    /// The same step with more requirements.
    pub(crate) fn needs(mut self, needs: &[Need]) -> Self {
        self.needs.extend(needs);
        self
    }
}

/// The steps with these names, and all steps that they depend on, in the order of the table.
///
/// # Errors
///
/// If a name is unknown.
pub(crate) fn select(steps: Vec<Step>, names: &[String]) -> Result<Vec<Step>> {
    let mut wanted: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut next = 0;
    while let Some(&name) = wanted.get(next) {
        let Some(step) = steps.iter().find(|step| step.name == name) else {
            let known: Vec<_> = steps.iter().map(|step| step.name).collect();
            bail!("unknown step {name}; the steps are {}", known.join(", "));
        };
        let needed = step.after.iter().copied().filter(|needed| !wanted.contains(needed));
        let needed: Vec<_> = needed.collect();
        wanted.extend(needed);
        next += 1;
    }
    let wanted: Vec<_> = wanted.into_iter().map(str::to_owned).collect();
    Ok(steps.into_iter().filter(|step| wanted.iter().any(|name| name == step.name)).collect())
}

/// Runs one step in this process, as started by [`run`]. If the parent process ends, this process
/// stops itself and its children.
pub(crate) fn run_one(steps: Vec<Step>, name: &str) -> Result<()> {
    let step = steps
        .into_iter()
        .find(|step| step.name == name)
        .with_context(|| format!("unknown step {name}"))?;
    thread::spawn(|| {
        // Nothing is ever written to this pipe: it ends with the parent process.
        let _ = stdin().read(&mut [0]);
        stop_group();
    });
    (step.run)()
}

/// Runs the steps, each as a process of this program with the given arguments and the name of the
/// step.
///
/// # Errors
///
/// If a step fails: the first failure. Its output is printed last.
pub(crate) fn run(steps: &[Step], arguments: &[&str]) -> Result<()> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let start = |name: &'static str, ended: Sender<Ended>| {
        launch(Command::new(&program).args(arguments).arg(name), name, ended)
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    Run::new(steps, cores).finish(start)
}

/// A finished step.
struct Ended {
    name: &'static str,
    output: String,
    took: Duration,
    passed: bool,
}

/// Starts a step. Dropping the result stops it.
fn launch(command: &mut Command, name: &'static str, ended: Sender<Ended>) -> Result<ChildStdin> {
    let context = || format!("cannot start the step {name}");
    let (mut reader, writer) = pipe().with_context(context)?;
    let copy = writer.try_clone().with_context(context)?;
    command.stdin(Stdio::piped()).stdout(copy).stderr(writer);
    // A separate process group can be stopped as a whole.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let began = Instant::now();
    let mut child = command.spawn().with_context(context)?;
    // The command holds the write ends of the pipe, which ends when they are closed.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let input = child.stdin.take().with_context(context)?;
    thread::spawn(move || {
        let mut output = Vec::new();
        let read = reader.read_to_end(&mut output);
        let passed = child.wait().is_ok_and(|status| status.success()) && read.is_ok();
        let output = String::from_utf8_lossy(&output).into_owned();
        let _ = ended.send(Ended { name, output, took: began.elapsed(), passed });
    });
    Ok(input)
}

fn stop_group() {
    if cfg!(unix) {
        let _ = Command::new("kill").args(["-TERM", "0"]).status();
    }
    std::process::exit(1);
}

/// A run in progress.
struct Run<'a> {
    began: Instant,
    cores: usize,
    waiting: Vec<&'a Step>,
    running: Vec<&'a Step>,
    /// The passed steps with their start and duration.
    passed: Vec<(&'static str, Duration, Duration)>,
}

impl<'a> Run<'a> {
    fn new(steps: &'a [Step], cores: usize) -> Self {
        let waiting = steps.iter().collect();
        Self { began: Instant::now(), cores, waiting, running: Vec::new(), passed: Vec::new() }
    }

    /// Starts steps as they become ready; prints the table at the end.
    fn finish<S>(mut self, start: impl Fn(&'static str, Sender<Ended>) -> Result<S>) -> Result<()> {
        let (sender, receiver) = channel();
        let mut stoppers = Vec::new();
        let failed = loop {
            while let Some(step) = self.next() {
                println!("-- {} begins", step.name);
                stoppers.push(start(step.name, sender.clone())?);
            }
            if self.running.is_empty() {
                break None;
            }
            let ended = receiver.recv().context("a step ended without a result")?;
            if !ended.passed {
                break Some(ended);
            }
            self.note(&ended);
        };
        drop(stoppers);
        println!("\n{}", self.table(failed.as_ref()));
        if let Some(failed) = failed {
            println!("\n== {} failed\n{}", failed.name, failed.output.trim_end());
            bail!(
                "step '{}' failed; to run it alone: `cargo xtask test {}`",
                failed.name,
                failed.name
            );
        }
        ensure!(self.waiting.is_empty(), "the remaining steps wait for each other");
        Ok(())
    }

    /// Takes the first step that can begin now.
    fn next(&mut self) -> Option<&'a Step> {
        let place = self.waiting.iter().position(|step| self.is_ready(step) && self.fits(step))?;
        let step = self.waiting.remove(place);
        self.running.push(step);
        Some(step)
    }

    fn is_ready(&self, step: &Step) -> bool {
        let open =
            |name: &&str| self.waiting.iter().chain(&self.running).any(|other| other.name == *name);
        !step.after.iter().any(open)
    }

    fn fits(&self, step: &Step) -> bool {
        let runs = |load: Load| self.running.iter().any(|step| step.load == load);
        let busy: usize = self.running.iter().map(|step| step.load.halves()).sum();
        let has_room = busy + step.load.halves() <= 2 * self.cores;
        match step.load {
            _ if runs(Load::Alone) => false,
            Load::Alone => self.running.is_empty(),
            Load::Little => true,
            Load::Waiting | Load::Core => has_room,
            Load::Cargo => has_room && !runs(Load::Cargo),
        }
    }

    fn note(&mut self, ended: &Ended) {
        println!("\n== {} ({})\n{}", ended.name, seconds(ended.took), ended.output.trim_end());
        self.running.retain(|step| step.name != ended.name);
        let began = self.began.elapsed().saturating_sub(ended.took);
        self.passed.push((ended.name, began, ended.took));
    }

    fn table(&self, failed: Option<&Ended>) -> String {
        let mut table = format!("== {:<30}{:>14}{:>14}", "steps", "began after", "took");
        for (name, began, took) in &self.passed {
            let _ = write!(table, "\n{name:<33}{:>14}{:>14}", seconds(*began), seconds(*took));
        }
        if let Some(failed) = failed {
            let _ =
                write!(table, "\n{:<33}{:>14}{:>14}", failed.name, "failed", seconds(failed.took));
            let running = self.running.iter().filter(|step| step.name != failed.name);
            for step in running.chain(&self.waiting) {
                let _ = write!(table, "\n{:<33}{:>14}", step.name, "not finished");
            }
        }
        let total = if failed.is_some() { "until the failure" } else { "all steps passed" };
        let _ = write!(table, "\n{total:<33}{:>28}", seconds(self.began.elapsed()));
        table
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    fn step(name: &'static str, after: &'static [&'static str], load: Load) -> Step {
        super::step(name, after, load, || Ok(()))
    }

    /// The names in starting order, and the result of the run. A step named `bad` fails.
    fn order(steps: &[Step], cores: usize) -> (Vec<&'static str>, Result<()>) {
        let started = RefCell::new(Vec::new());
        let start = |name: &'static str, ended: Sender<Ended>| {
            started.borrow_mut().push(name);
            let (output, took) = (String::new(), Duration::ZERO);
            ended.send(Ended { name, output, took, passed: name != "bad" })?;
            Ok(())
        };
        let result = Run::new(steps, cores).finish(start);
        (started.into_inner(), result)
    }

    #[test]
    fn each_begins_after_what_it_needs() {
        let steps = [
            step("last", &["first", "second"], Load::Little),
            step("second", &["first"], Load::Core),
            step("first", &[], Load::Cargo),
        ];
        let (started, result) = order(&steps, 1);
        assert_eq!(started, ["first", "second", "last"]);
        result.unwrap();
    }

    #[test]
    fn a_failure_is_named_and_nothing_begins_after_it() {
        let steps = [
            step("bad", &[], Load::Core),
            step("beside", &[], Load::Core),
            step("after", &["bad"], Load::Core),
        ];
        let (started, result) = order(&steps, 2);
        assert_eq!(started, ["bad", "beside"]);
        assert!(result.unwrap_err().to_string().contains("'bad'"));
    }

    #[test]
    fn steps_that_wait_for_each_other_are_an_error() {
        let steps = [step("one", &["other"], Load::Core), step("other", &["one"], Load::Core)];
        assert!(order(&steps, 2).1.is_err());
    }

    #[test]
    fn no_more_begins_than_there_are_cores() {
        let steps = [
            step("cargo", &[], Load::Cargo),
            step("another cargo", &[], Load::Cargo),
            step("core", &[], Load::Core),
            step("another core", &[], Load::Core),
            step("alone", &[], Load::Alone),
            step("little", &[], Load::Little),
        ];
        let mut run = Run::new(&steps, 2);
        let names: Vec<_> = std::iter::from_fn(|| run.next()).map(|step| step.name).collect();
        assert_eq!(names, ["cargo", "core", "little"]);
        run.running.clear();
        let names: Vec<_> = std::iter::from_fn(|| run.next()).map(|step| step.name).collect();
        assert_eq!(names, ["another cargo", "another core"]);
        run.running.clear();
        assert_eq!(run.next().unwrap().name, "alone");
    }

    #[test]
    fn those_that_wait_run_beside_each_other_on_one_core() {
        let steps = [
            step("core", &[], Load::Core),
            step("one", &[], Load::Waiting),
            step("other", &[], Load::Waiting),
            step("third", &[], Load::Waiting),
            step("another core", &[], Load::Core),
        ];
        let mut run = Run::new(&steps, 2);
        let names: Vec<_> = std::iter::from_fn(|| run.next()).map(|step| step.name).collect();
        assert_eq!(names, ["core", "one", "other"]);
        run.running.retain(|step| step.name != "core");
        assert_eq!(run.next().unwrap().name, "third");
        assert!(run.next().is_none(), "half of a core is not enough");
    }

    #[test]
    fn what_is_selected_brings_what_it_needs() {
        let steps = || {
            vec![
                step("a", &[], Load::Core),
                step("b", &["a"], Load::Core),
                step("c", &["b"], Load::Core),
                step("d", &[], Load::Core),
            ]
        };
        let selected = select(steps(), &["c".to_owned()]).unwrap();
        assert_eq!(selected.iter().map(|step| step.name).collect::<Vec<_>>(), ["a", "b", "c"]);
        let error = select(steps(), &["e".to_owned()]).err().unwrap();
        assert!(error.to_string().contains("a, b, c, d"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_process_is_kept_with_its_output() {
        let (sender, receiver) = channel();
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo one; echo two >&2; exit 3"]);
        let input = launch(&mut shell, "step", sender).unwrap();
        let ended = receiver.recv().unwrap();
        assert_eq!((ended.output.as_str(), ended.passed), ("one\ntwo\n", false));
        drop(input);
    }
}
