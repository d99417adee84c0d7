//! `cargo xtask platforms`: builds the packages for every platform, runs them where possible, and
//! prints the results.
//!
//! `cargo xtask test` covers only the platform of this machine.

mod debian;
mod emulator;
mod node;
mod python;
mod registry;
mod sentence;

use self::emulator::{Emulator, Runner};
use self::node::Node;
use self::python::Python;
use self::sentence::Spoken;
use crate::bindings::{self, Make, node as node_package, python as python_package};
use crate::dist::{Dist, Platform, Targets, link, published};
use crate::needs::{self, Need};
use crate::prelude::*;
use crate::rust_tests::{self, Executables};

#[derive(Args)]
pub(crate) struct Platforms {
    /// Run only these platforms, named by their Rust target triples.
    #[arg(value_name = "TRIPLE")]
    only: Vec<String>,
    /// Use the existing packages.
    #[arg(long)]
    made: bool,
}

/// Tests of the C library that only work on the Linux build machine: static programs, one that
/// interposes glibc functions, sanitizers, and shell commands.
const OF_THIS_MACHINE: [&str; 4] = [
    "a_program_needs_no_shared_library",
    "each_failure_of_the_system",
    "under_the_sanitizers",
    "the_readme_in",
];

/// The result for a platform that cannot run here.
const INSPECTED: &str = "built and inspected";

/// The results for one platform.
struct Row {
    triple: String,
    /// The columns C, Python and Node.
    cells: [String; 3],
}

impl Platforms {
    pub(crate) fn run(&self) -> Result<()> {
        let only = self.only.iter().map(|triple| Platform::named(triple));
        let only = only.collect::<Result<Vec<_>>>()?;
        let platforms = if only.is_empty() { published() } else { only };
        require(&platforms)?;
        let artifacts = Artifacts::ensure()?;
        rust_tests::build()?;
        if !self.made {
            make(&platforms)?;
        }
        let mut rows = Vec::new();
        for platform in &platforms {
            rows.push(Trial::new(&artifacts, platform)?.run()?);
        }
        println!("| platform | C | Python | Node |\n|---|---|---|---|");
        for Row { triple, cells } in rows {
            println!("| {triple} | {} |", cells.join(" | "));
        }
        Ok(())
    }
}

/// Builds the packages.
fn make(platforms: &[Platform]) -> Result<()> {
    for platform in platforms.iter().filter(|platform| platform.has_c_package()) {
        Dist::for_platform(platform).run()?;
    }
    let modules: Vec<_> = platforms.iter().filter(|platform| platform.has_modules()).collect();
    if modules.is_empty() {
        return Ok(());
    }
    let make = Make::for_platforms(Targets::these(modules));
    python_package::make(&make)?;
    node_package::make(&make)
}

/// The packages of one platform, and their emulator.
struct Trial<'a> {
    artifacts: &'a Artifacts,
    platform: &'a Platform,
    emulator: Option<Emulator>,
}

impl<'a> Trial<'a> {
    fn new(artifacts: &'a Artifacts, platform: &'a Platform) -> Result<Self> {
        let emulator = Emulator::of(platform)?;
        Ok(Trial { artifacts, platform, emulator })
    }

    /// Runs the tests that are possible.
    fn run(&self) -> Result<Row> {
        let mut cells = [const { String::new() }; 3];
        let mut spoken = None;
        if self.platform.has_c_package() {
            spoken = self.c()?;
            cells[0] = spoken.as_ref().map_or_else(|| INSPECTED.to_owned(), |it| self.describe(it));
        }
        if self.platform.has_modules() {
            let samples = [self.python()?, self.node()?];
            for (cell, samples) in cells[1..].iter_mut().zip(samples) {
                *cell = match (samples, &spoken) {
                    (Some(samples), Some(spoken)) => {
                        let nearness = sentence::compare(&samples, &spoken.file)?;
                        format!("{}: {nearness}", self.title())
                    }
                    _ => INSPECTED.to_owned(),
                };
            }
        }
        Ok(Row { triple: self.platform.triple().to_owned(), cells })
    }

    /// Runs the C test programs, and the one that speaks a sentence.
    fn c(&self) -> Result<Option<Spoken>> {
        let Some(emulator) = self.emulator else { return Ok(None) };
        let runner = emulator.start(self.platform)?;
        let dist = Dist::for_platform(self.platform).directory_of(self.platform)?;
        run_c(self.artifacts, self.platform, &runner, &dist)?;
        sentence::speak(self.artifacts, self.platform, &runner, &dist).map(Some)
    }

    /// Installs the wheel. Returns the samples of the sentence if a Python interpreter can run.
    fn python(&self) -> Result<Option<PathBuf>> {
        let platform = self.platform;
        let python = self.emulator.map(|one| Python::of(platform, one)).transpose()?;
        let Some(python) = python.flatten() else {
            python::is_chosen(platform)?;
            return Ok(None);
        };
        python.install(platform)?;
        python.run(&bindings::fake_model()).map(Some)
    }

    /// Installs the Node package. Returns the samples of the sentence if Node can run.
    fn node(&self) -> Result<Option<PathBuf>> {
        let platform = self.platform;
        node::install(platform)?;
        let node = self.emulator.map(|one| Node::of(platform, one)).transpose()?;
        node.flatten().map(|node| node.run(&bindings::fake_model())).transpose()
    }

    fn title(&self) -> &'static str {
        self.emulator.map(Emulator::title).unwrap_or_default()
    }

    fn describe(&self, spoken: &Spoken) -> String {
        format!("{}: {}, {}", self.title(), spoken.kernels, spoken.nearness)
    }
}

/// Fails unless all requirements are met, and prints how to install missing ones.
fn require(platforms: &[Platform]) -> Result<()> {
    let mut needs = Vec::new();
    for platform in platforms {
        needs.extend(platform.parts().iter().map(|part| Need::Rust(part.triple())));
        if let Some(emulator) = Emulator::of(platform)? {
            needs.extend(emulator.needs());
        }
    }
    needs::require(&needs)
}

/// Compiles the C and C++ test programs and examples for the platform, and runs them.
fn run_c(artifacts: &Artifacts, platform: &Platform, runner: &Runner, dist: &Path) -> Result<()> {
    let [c, cxx] = link::compilers(platform)?;
    Executables::built()?.run(rust_tests::PROGRAMS, None, |test| {
        artifacts.set_on(test).env("SPEECH_DIST", dist);
        test.env("SPEECH_CC", &c).env("SPEECH_CXX", &cxx);
        test.env("SPEECH_RUNNER", runner.words.join(" ")).envs(runner.environment.iter().cloned());
        for of_this_machine in OF_THIS_MACHINE {
            test.args(["--skip", of_this_machine]);
        }
    })
}
