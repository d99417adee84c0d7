//! `cargo xtask determinism`: checks that the same requests produce the same bytes with any number
//! of threads, alone and among others, and in every build.

use std::collections::BTreeMap;

use crate::prelude::*;

/// A build configuration of the library.
struct Build {
    name: &'static str,
    profile: &'static str,
    settings: &'static [(&'static str, &'static str)],
}

/// The build that others are compared with.
const RELEASE: Build = Build { name: "release", profile: "release", settings: &[] };
const OTHERS: [Build; 3] = [
    // Link-time optimization, as one crate.
    Build { name: "shipped", profile: "dist", settings: &[] },
    // Optimized, with assertions and overflow checks.
    Build { name: "checked", profile: "dev", settings: &[] },
    // Slightly optimized: without any optimization the kernels take minutes for a word.
    Build {
        name: "opt-level 1",
        profile: "dev",
        settings: &[("CARGO_PROFILE_DEV_OPT_LEVEL", "1"), ("DETERMINISM_TEXTS", "4")],
    },
];

#[derive(Args)]
pub(crate) struct Determinism {
    /// The number of texts; 4 in the build with `opt-level = 1`.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(4..=400))]
    texts: u32,
}

impl Determinism {
    /// The command in `cargo xtask full`, with fewer texts.
    pub(crate) fn usual() -> Self {
        Determinism { texts: 40 }
    }

    /// Runs the thread test of `core/api/tests/determinism`, and compares the output of the example
    /// `digests` across builds.
    pub(crate) fn run(&self, artifacts: &Artifacts) -> Result<()> {
        let mut threads = self.cargo(&RELEASE, ["test", "--test", "determinism"]);
        threads.args(["--", "--nocapture", "any_number_of_threads"]);
        process::shown(artifacts.set_on(&mut threads))?;
        let expected = self.digests(artifacts, &RELEASE)?;
        for build in &OTHERS {
            let found = self.digests(artifacts, build)?;
            let is_same = |(key, digest): &(&String, &String)| expected.get(*key) == Some(digest);
            let same = found.iter().filter(is_same).count();
            let (name, all) = (build.name, found.len());
            ensure!(
                same == all,
                "build `{name}`: the samples of {} of {all} requests differ from build `release`",
                all - same
            );
            note(&format!("build `{name}`: identical samples for {all} requests"));
        }
        Ok(())
    }

    /// The digest of each request in a build, keyed by kernels and request number.
    fn digests(&self, artifacts: &Artifacts, build: &Build) -> Result<BTreeMap<String, String>> {
        let mut program = self.cargo(build, ["run", "--example", "digests"]);
        let text = process::text(artifacts.set_on(&mut program))?;
        let line = |line: &str| {
            let (key, digest) = line.rsplit_once(' ')?;
            Some((key.to_owned(), digest.to_owned()))
        };
        let digests: Option<BTreeMap<_, _>> = text.lines().map(line).collect();
        digests
            .filter(|digests| !digests.is_empty())
            .context("the example `digests` printed no digests")
    }

    /// A cargo command with its arguments for a build.
    fn cargo(&self, build: &Build, run: [&str; 3]) -> Command {
        let mut cargo = workspace::cargo(run[0]);
        cargo
            .args(&run[1..])
            .args(["--package", "speech-core", "--profile", build.profile])
            .env("DETERMINISM_TEXTS", self.texts.to_string())
            .envs(build.settings.iter().copied());
        cargo
    }
}
