//! `cargo xtask platforms`: makes the packages for every platform, runs what can be run here, and says what ran where.
//!
//! `cargo xtask test` needs none of this: it is for the platform of this machine alone.

mod debian;
mod emulator;
mod node;
mod python;
mod sentence;

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use self::emulator::{Emulator, Runner};
use self::sentence::Spoken;
use crate::artifacts::Artifacts;
use crate::bindings::{self, Make, node as node_package, python as python_package};
use crate::cache::Cache;
use crate::dist::platform::rustc;
use crate::dist::{Dist, PUBLISHED, Platform, Targets, link};
use crate::rust_tests::{self, Executables, Part};
use crate::workspace::Workspace;

#[derive(Args)]
pub(crate) struct Platforms {
    /// Only these, by Rust's names of them.
    #[arg(value_name = "TRIPLE")]
    only: Vec<String>,
    /// Take the packages that were made before.
    #[arg(long)]
    made: bool,
}

/// Those of the C tests that are for Linux on the machine that builds: programs without any shared library, and one that takes
/// the place of functions of glibc.
const OF_THIS_MACHINE: [&str; 2] =
    ["a_program_needs_no_shared_library", "each_failure_of_the_system"];

/// What cannot be run here.
const INSPECTED: &str = "built and inspected";

/// What was done for one platform.
struct Row {
    triple: String,
    /// C, Python and Node.
    cells: [String; 3],
}

impl Platforms {
    pub(crate) fn run(&self, workspace: &Workspace, cache: &Cache) -> Result<()> {
        let names: Vec<&str> = match &self.only[..] {
            [] => PUBLISHED.to_vec(),
            only => only.iter().map(String::as_str).collect(),
        };
        let platforms = names.into_iter().map(Platform::named).collect::<Result<Vec<_>>>()?;
        require(&platforms)?;
        let artifacts = Artifacts::ensure(workspace, cache)?;
        rust_tests::build(workspace)?;
        if !self.made {
            make(workspace, cache, &platforms)?;
        }
        let mut rows = Vec::new();
        for platform in &platforms {
            rows.push(run_one(workspace, &artifacts, platform)?);
        }
        println!("| platform | C | Python | Node |\n|---|---|---|---|");
        for Row { triple, cells } in rows {
            println!("| {triple} | {} |", cells.join(" | "));
        }
        Ok(())
    }
}

/// Makes the packages.
fn make(workspace: &Workspace, cache: &Cache, platforms: &[Platform]) -> Result<()> {
    for platform in platforms.iter().filter(|platform| platform.has_c_package()) {
        Dist::for_platform(platform).run(workspace, cache)?;
    }
    let modules = platforms.iter().filter(|platform| platform.has_modules());
    let make = Make::for_platforms(Targets::these(modules));
    python_package::make(&make, workspace, cache)?;
    node_package::make(&make, workspace, cache)
}

/// Runs what can be run for one platform.
fn run_one(workspace: &Workspace, artifacts: &Artifacts, platform: &Platform) -> Result<Row> {
    let emulator = Emulator::of(platform)?;
    let runner = emulator.map(|emulator| emulator.start(workspace, platform)).transpose()?;
    let mut cells = [const { String::new() }; 3];
    let mut spoken = None;
    if platform.has_c_package() {
        let dist = Dist::for_platform(platform).directory_of(workspace, platform)?;
        cells[0] = match (emulator, &runner) {
            (Some(emulator), Some(runner)) => {
                run_c(workspace, artifacts, platform, runner, &dist)?;
                let samples = sentence::speak(workspace, artifacts, platform, runner, &dist)?;
                let cell = format!("{}: {}", emulator.title(), describe(&samples));
                spoken = Some(samples.bytes);
                cell
            }
            _ => INSPECTED.to_owned(),
        };
    }
    if platform.has_modules() {
        let fake_model = bindings::fake_model(workspace);
        let same = |samples: Vec<u8>| {
            let spoken = spoken.as_ref().context("C said nothing")?;
            ensure!(samples == *spoken, "{}: C says it otherwise", platform.triple());
            Ok::<_, anyhow::Error>(emulator.map(Emulator::title).unwrap_or_default().to_owned())
        };
        cells[1] = match emulator.map(|one| python::Python::of(workspace, platform, one)) {
            Some(Ok(Some(python))) => {
                python.install(workspace, platform)?;
                same(python.run(workspace, &fake_model)?)?
            }
            Some(Err(error)) => return Err(error),
            _ => {
                python::is_chosen(workspace, platform)?;
                INSPECTED.to_owned()
            }
        };
        node::install(workspace, platform)?;
        cells[2] = match emulator.map(|one| node::Node::of(workspace, platform, one)) {
            Some(Ok(Some(node))) => same(node.run(&fake_model)?)?,
            Some(Err(error)) => return Err(error),
            _ => INSPECTED.to_owned(),
        };
    }
    Ok(Row { triple: platform.triple().to_owned(), cells })
}

fn describe(spoken: &Spoken) -> String {
    let kernels = &spoken.kernels;
    match spoken.decibels {
        None => format!("{kernels}, every sample the same"),
        Some(decibels) => format!("{kernels}, spectra to {decibels:.0} dB"),
    }
}

/// Fails unless everything is there that this needs, and says how to get it.
fn require(platforms: &[Platform]) -> Result<()> {
    let mut targets = Vec::new();
    let mut packages = Vec::new();
    for platform in platforms {
        for part in platform.parts()? {
            let triple = part.triple().to_owned();
            let folder = rustc(&["--print", "target-libdir", "--target", &triple])?;
            if !Path::new(&folder).is_dir() && !targets.contains(&triple) {
                targets.push(triple);
            }
        }
        if let Some(emulator) = Emulator::of(platform)? {
            packages.extend(emulator.missing(platform));
        }
    }
    packages.sort_unstable();
    packages.dedup();
    let mut commands = Vec::new();
    if !targets.is_empty() {
        commands.push(format!("rustup target add {}", targets.join(" ")));
    }
    if !packages.is_empty() {
        commands.push(format!("apt-get install {}", packages.join(" ")));
    }
    if !commands.is_empty() {
        bail!(
            "something is missing for other platforms. Install it (Debian and Ubuntu: {}) and run the command again",
            commands.join(" && ")
        );
    }
    Ok(())
}

/// Compiles the C programs of the tests for the platform, and runs them.
fn run_c(
    workspace: &Workspace,
    artifacts: &Artifacts,
    platform: &Platform,
    runner: &Runner,
    dist: &Path,
) -> Result<()> {
    let compiler = link::c_compiler(workspace, platform)?;
    Executables::built(workspace)?.run(Part::C, |test| {
        artifacts.set_on(test).env("SPEECH_DIST", dist).env("SPEECH_CC", &compiler);
        test.env("SPEECH_RUNNER", runner.words.join(" ")).envs(runner.environment.iter().cloned());
        for of_this_machine in OF_THIS_MACHINE {
            test.args(["--skip", of_this_machine]);
        }
    })
}
