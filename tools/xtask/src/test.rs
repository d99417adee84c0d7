//! The commands `cargo xtask test` (the library in Rust and C; with `--all` everything that CI
//! runs), `full` (also long tests, and tests with special requirements) and `check` (no tests of
//! the library).

use crate::apple;
use crate::bindings::web::Web;
use crate::bindings::{Make, go, jvm, node, python as python_package};
use crate::determinism::Determinism;
use crate::dist::Dist;
use crate::docs::Docs;
use crate::fuzz::Fuzz;
use crate::needs::{self, Need};
use crate::prelude::*;
use crate::rust_tests::{self, Executables, Part};
use crate::say::Say;
use crate::soak::Soak;
use crate::steps::{self, Load, Step, step};
use crate::tsan::Tsan;
use crate::{check, kernels, lost, miri, prose, service};

#[derive(Args)]
pub(crate) struct Steps {
    /// Run only these steps, and the steps that they depend on.
    #[arg(value_name = "STEP")]
    names: Vec<String>,
    /// Run everything that CI runs: also `check`, the packages for Python, Node.js, the JVM and Go, the clients of the service,
    /// and the tools.
    #[arg(long, conflicts_with = "names")]
    all: bool,
    /// Run one step in this process.
    #[arg(long, hide = true, value_name = "STEP", conflicts_with = "names")]
    step: Option<String>,
}

impl Steps {
    /// Runs the checks alone.
    pub(crate) fn check(&self) -> Result<()> {
        self.run("check", checks())
    }

    /// Runs the tests of the library, or the named steps of all.
    pub(crate) fn test(&self) -> Result<()> {
        workspace::compile_for_tests();
        let is_short = !self.all && self.names.is_empty() && self.step.is_none();
        self.run("test", if is_short { tests() } else { all() })
    }

    /// Runs the tests of existing packages, possibly on another machine. The packages are in the
    /// usual folders `dist`, `npm`, `wheels` and `maven` of the target directory.
    pub(crate) fn test_packages(&self) -> Result<()> {
        let mut table = vec![
            step("c-package", &[], Load::Little, || Dist::whole().unpack()),
            step("jvm-packages", &[], Load::Little, jvm::unpack),
        ];
        let needed = ["voice-bundle", "rust-build"];
        table.extend(tests().into_iter().filter(|step| needed.contains(&step.name)));
        table.push(c_tests());
        table.extend(tests_of_packages());
        // cgo needs a C compiler and pkg-config, which few Windows machines have.
        if !cfg!(windows) {
            table.extend(tests_of_go());
        }
        table.extend(tests_of_jvm());
        self.run("test-packages", table)
    }

    /// Runs all checks and tests.
    pub(crate) fn full(&self) -> Result<()> {
        self.run("full", all().into_iter().chain(long()).collect())
    }

    /// Runs the steps. First reports everything that the machine lacks for them.
    fn run(&self, task: &str, table: Vec<Step>) -> Result<()> {
        if let Some(name) = &self.step {
            return steps::run_one(table, name);
        }
        let table = if self.names.is_empty() { table } else { steps::select(table, &self.names)? };
        needs::require(&table.iter().flat_map(|step| step.needs.clone()).collect::<Vec<_>>())?;
        steps::run(&table, &[task, "--step"])
    }
}

fn checks() -> Vec<Step> {
    vec![
        step("format", &[], Load::Core, check::format),
        step("python-style", &[], Load::Little, check::python_style),
        step("prose", &[], Load::Little, prose::check),
        step("go-style", &[], Load::Little, go::format).needs(&[needs::GO]),
        step("fuzz-lock", &[], Load::Little, check::fuzz_lock),
        step("workflows", &[], Load::Little, check::workflows),
        step("licences", &[], Load::Little, check::licences),
        step("clippy", &[], Load::Cargo, check::clippy).needs(&[needs::CC]),
        step("documentation", &[], Load::Cargo, check::documentation).needs(&[needs::CC]),
    ]
}

/// The tests of the library in Rust and C. Steps with dependents come first, then the longest ones.
fn tests() -> Vec<Step> {
    let mut steps = vec![
        step("voice-bundle", &[], Load::Core, || Artifacts::ensure().map(drop))
            .needs(&[Need::AnyPython, needs::NPM]),
        step("rust-build", &[], Load::Cargo, rust_tests::build).needs(&[needs::CC]),
        step("rust-tests", &["rust-build", "voice-bundle"], Load::Core, || {
            rust(Part::Library, &[], &[])
        }),
    ];
    // Packages for Windows are built on other systems.
    if !cfg!(windows) {
        steps.extend([
            step("c-package", &["rust-build", "voice-bundle"], Load::Cargo, || {
                Dist::whole().run()?.iter().try_for_each(|made| made.validate_sbom())
            }),
            c_tests(),
        ]);
    }
    steps.extend([
        step("service-tests", &["rust-build", "voice-bundle"], Load::Core, || {
            rust(Part::Service, &[], &[])
        })
        .needs(&[needs::CURL]),
        step("program-tests", &["rust-build", "voice-bundle"], Load::Core, || {
            rust(Part::Programs, &[], &[])
        })
        .needs(&[needs::CURL]),
        step("rust-doctests", &["rust-build", "voice-bundle"], Load::Cargo, || {
            let mut tests = workspace::cargo("test");
            tests.args(["--workspace", "--release", "--doc"]);
            process::shown(Artifacts::ensure()?.set_on(&mut tests))
        }),
        step("english-tables", &["rust-build"], Load::Core, || {
            let lexicon = workspace::release_program("speech-lexicon");
            process::shown(Command::new(lexicon).arg("--check"))
        }),
        step("say", &["rust-build", "voice-bundle"], Load::Core, || {
            Say::hello(target().join("hello.wav")).speak(&Artifacts::ensure()?)
        }),
        step("small-voices", &["rust-build", "voice-bundle"], Load::Core, small_voices),
    ]);
    steps
}

/// Everything that CI runs. Packages come before the tests, because the longest tests need them.
fn all() -> Vec<Step> {
    let mut steps = if cfg!(windows) { Vec::new() } else { packages() };
    steps.extend(tests());
    if !cfg!(windows) {
        steps.extend(tests_of_packages());
        steps.extend(tests_of_go());
        steps.push(
            step("jvm-packages", &["rust-build", "voice-bundle"], Load::Cargo, || {
                jvm::make(&Make::default())
            })
            .needs(needs::MAVEN),
        );
        steps.extend(tests_of_jvm());
    }
    steps.extend([
        step("service", &["rust-build", "voice-bundle"], Load::Waiting, || {
            service::test(&Artifacts::ensure()?)
        })
        .needs(&[needs::CURL, needs::NODE, needs::NPM]),
        step("bundle-tool", &["voice-bundle"], Load::Core, bundle_tool),
        step("python-tools", &[], Load::Core, python_tools),
    ]);
    steps.extend(checks());
    steps
}

fn c_tests() -> Step {
    step("c-tests", &["rust-build", "c-package"], Load::Core, || rust(Part::Package, &[], &[]))
        .needs(needs::C)
}

/// Builds the packages from the crates that the tests use.
fn packages() -> Vec<Step> {
    vec![
        step("node-packages", &["rust-build", "voice-bundle"], Load::Cargo, || {
            node::make(&Make::default())
        })
        .needs(&[needs::NODE, needs::NPM]),
        step("python-wheels", &["rust-build", "voice-bundle"], Load::Cargo, || {
            python_package::make(&Make::default())
        }),
    ]
}

/// Installs the packages, and tests them.
fn tests_of_packages() -> Vec<Step> {
    vec![
        step("node-project", &["node-packages"], Load::Core, node::install).needs(&[needs::NPM]),
        step("python-environment", &["python-wheels"], Load::Core, python_package::install),
        step("node-tests", &["node-project", "rust-build"], Load::Waiting, || {
            node::test(&Artifacts::ensure()?)
        })
        .needs(&[needs::NODE]),
        step("python-tests", &["python-environment", "rust-build"], Load::Waiting, || {
            python_package::test(&Artifacts::ensure()?)
        }),
        step("python-types", &["python-environment"], Load::Core, python_package::check_types)
            .needs(&[needs::NODE, needs::NPM]),
        step("node-types", &["node-project"], Load::Core, node::check_types).needs(&[needs::NODE]),
    ]
}

/// Tests the Go module with the package of the C library.
fn tests_of_go() -> Vec<Step> {
    let go = || go::test(&Artifacts::ensure()?);
    vec![step("go-tests", &["rust-build", "c-package"], Load::Core, go).needs(needs::FOR_GO)]
}

/// Tests the packages for the JVM.
fn tests_of_jvm() -> Vec<Step> {
    vec![
        step("jvm-tests", &["jvm-packages", "rust-build"], Load::Core, || {
            jvm::test(&Artifacts::ensure()?)
        })
        .needs(needs::MAVEN),
        step("jvm-newcomers", &["jvm-packages"], Load::Core, jvm::test_newcomers)
            .needs(needs::MAVEN),
    ]
}

/// The additional steps of `full`.
fn long() -> Vec<Step> {
    vec![
        step("say-from-a-fresh-clone", &["voice-bundle"], Load::Cargo, || {
            Say::hello(target().join("hello.wav")).run()
        }),
        step("python-sources", &["python-wheels"], Load::Cargo, python_package::build_and_import),
        step("python-others", &["python-environment", "rust-build"], Load::Core, || {
            python_package::test_others(&Artifacts::ensure()?)
        })
        .needs(&[Need::Python(11), Need::Python(12), Need::Python(13)]),
        // Runs inside Pipecat, LiveKit Agents and Home Assistant, which are large.
        step("integrations", &["python-wheels", "rust-build", "voice-bundle"], Load::Core, || {
            python_package::test_integrations(&Artifacts::ensure()?)
        })
        .needs(&[Need::Python(13)]),
        // Ray and Spark lose workers, executors, a node and a driver.
        step("clusters", &["python-wheels", "rust-build", "voice-bundle"], Load::Core, || {
            python_package::test_clusters(&Artifacts::ensure()?)
        })
        .needs(&[needs::JDK]),
        // 200 calls, with interruptions.
        step("telephone-calls", &["service"], Load::Core, || {
            service::live(&Artifacts::ensure()?, 200)
        }),
        // 50 answers, cut at each byte, and 20 with an interruption at each word.
        step("live-texts", &["rust-build", "voice-bundle"], Load::Core, || {
            rust(rust_tests::SERVICE, &[("SPEECH_LIVE_TEXTS", "50")], &["live_texts::"])
        }),
        step("node-others", &["node-tests"], Load::Core, || {
            node::test_others(&Artifacts::ensure()?)
        }),
        step("jvm-others", &["jvm-newcomers", "jvm-tests"], Load::Core, || {
            jvm::test_others(&Artifacts::ensure()?)
        }),
        // Builds with link-time optimization three times, and needs Chromium.
        step("web", &["voice-bundle"], Load::Cargo, || Web::tested().run())
            .needs(&Web::needs(true)),
        step("apple-module", &[], Load::Little, apple::interface::check_sources)
            .needs(&[needs::CLANG]),
        // Clears and uses the same folders as its dependencies.
        step("binding-memory", &["python-tests", "jvm-others", "node-others"], Load::Core, || {
            let artifacts = Artifacts::ensure()?;
            python_package::test_memory(&artifacts)?;
            jvm::test_memory(&artifacts)?;
            node::test_memory(&artifacts)
        }),
        // With the sanitizers and valgrind.
        step("c-memory", &["c-tests"], Load::Core, || rust(rust_tests::C, &[], &["--ignored"]))
            .needs(&[Need::Program("valgrind", "valgrind", "valgrind")]),
        // Runs the output module under the server that screen readers use.
        step("speech-dispatcher", &["rust-build", "voice-bundle"], Load::Core, || {
            rust(rust_tests::SPEECH_DISPATCHER, &[], &["--ignored", "--test-threads=1"])
        })
        .needs(needs::SPEECH_DISPATCHER),
        // M4B and MP3 files of the real ffmpeg.
        step("ffmpeg-books", &["rust-build"], Load::Core, || {
            rust(rust_tests::BOOK, &[("REQUIRE_FFMPEG", "ffmpeg")], &["--ignored"])
        })
        .needs(&[needs::FFMPEG]),
        // Replicas over one ledger: 500 connections are cut around commits.
        step("postgres-ledger", &["rust-build"], Load::Core, || {
            rust(rust_tests::LEDGER, &[], &["--ignored"])
        })
        .needs(&[needs::POSTGRES]),
        // Compiles Helm.
        step("chart", &["rust-build"], Load::Core, service::chart).needs(&[needs::GO]),
        // Needs PyTorch.
        step("student", &[], Load::Core, || {
            pytest(&python::VOICES, "research/student").and_then(|mut it| process::shown(&mut it))
        }),
        // Runs on emulated AMX, and runs the specification on long texts.
        step("acoustic-model", &["rust-tests"], Load::Core, || {
            rust(rust_tests::ACOUSTIC_MODEL, &[], &["--ignored"])
        }),
        step("properties", &["rust-tests"], Load::Core, || {
            rust(rust_tests::PROPERTIES, &[("PROPTEST_CASES", "5000")], &[])
        }),
        // Bundles with random damage.
        step("damage", &["rust-tests"], Load::Core, || {
            rust(rust_tests::DAMAGE, &[("PROPTEST_CASES", "10000")], &[])
        }),
        step("site", &["rust-build", "voice-bundle"], Load::Cargo, || Docs::checked().run())
            .needs(&[needs::ESPEAK, needs::CHROMIUM, needs::NODE, needs::NPM])
            .needs(needs::MAVEN),
        step("nothing-lost", &["rust-build"], Load::Core, lost::run),
        step("miri", &[], Load::Cargo, miri::run).needs(miri::NEEDS),
        step("model", &[], Load::Cargo, miri::model),
        step("determinism", &["voice-bundle"], Load::Cargo, || {
            Determinism::usual().run(&Artifacts::ensure()?)
        }),
        step("tsan", &["rust-build"], Load::Cargo, || Tsan::usual().run())
            .needs(&[needs::CC, Need::Nightly("rust-src")]),
        step("kernels", &[], Load::Cargo, kernels::run).needs(&kernels::needs()),
        step("fuzz", &[], Load::Cargo, || Fuzz::all().run()).needs(&[needs::CC]),
        // Memory is measured.
        step("soak", &["c-package", "binding-memory", "rust-build"], Load::Alone, || {
            Soak::usual().run(&Artifacts::ensure()?)
        })
        .needs(&[needs::CC]),
    ]
}

fn rust(part: Part, settings: &[(&str, &str)], arguments: &[&str]) -> Result<()> {
    let artifacts = Artifacts::ensure()?;
    let dist = Dist::whole().directory()?;
    let mut inputs = Inputs::new()?;
    if part.uses_package() {
        inputs = inputs.built(&dist)?.said_by(Command::new("c++").arg("--version"))?;
    }
    Executables::built()?.run(part, Some(&inputs), |test| {
        let settings = settings.iter().copied();
        artifacts.set_on(test.args(arguments).env("SPEECH_DIST", &dist).envs(settings));
    })
}

/// Tests bundles with fewer qualities: they speak, and one is small.
fn small_voices() -> Result<()> {
    let _lock = cache::lock()?;
    let bundle = Bundle::ensure(None)?;
    let (compact, light) = (bundle.compacted()?, bundle.with_qualities(&["light".to_owned()])?);
    for bundle in [&compact, &light] {
        let mut speech = Command::new(workspace::release_program("speech"));
        speech.args(["say", "-o"]).arg(target().join("small.wav"));
        speech.arg("--bundle").arg(bundle.directory());
        process::shown(speech.args(["--", "Hello, world."]))?;
    }
    let size = light.size()?;
    ensure!(size < 10_000_000, "the light voices have {size} bytes, over the limit of 10 MB");
    Ok(())
}

/// Runs the tests of the bundle tool, which are independent of the library.
fn bundle_tool() -> Result<()> {
    let venv = &python::TEST;
    let mut tests = pytest(venv, "tools/bundle")?;
    let inputs = Inputs::new()?
        .command(Artifacts::ensure()?.set_on(&mut tests))
        .sources(&["tools/bundle"])?
        .said_by(venv.python().arg("--version"))?;
    inputs.run("bundle-tool", || {
        process::shown(tests.env("SPEECH_DOWNLOADS", download::ensure_all_locked()?))
    })
}

/// Runs the tests of research tools, without the engines and models that the tools measure.
fn python_tools() -> Result<()> {
    process::shown(&mut pytest(&python::G2P_TEST, "research/g2p")?)?;
    let tools = ["research/compare", "research/voices", "research/samples", "research/load"];
    for tool in tools.into_iter().chain(["tools/soak"]) {
        process::shown(&mut pytest(&python::TEST, tool)?)?;
    }
    Ok(())
}

/// Runs the pytest tests of a Python tool.
fn pytest(venv: &Venv, tool: &str) -> Result<Command> {
    venv.ensure()?;
    let mut pytest = venv.module("pytest");
    pytest.args(["-p", "no:cacheprovider"]).arg(root().join(tool).join("tests"));
    pytest.current_dir(root());
    Ok(pytest)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_step_has_its_own_name_and_waits_for_ones_that_there_are() {
        let all: Vec<_> = super::all().into_iter().chain(long()).collect();
        let names: BTreeSet<_> = all.iter().map(|step| step.name).collect();
        assert_eq!(names.len(), all.len());
        let missing: Vec<_> =
            all.iter().flat_map(|step| step.after).filter(|name| !names.contains(*name)).collect();
        assert!(missing.is_empty(), "{missing:?}");
        for steps in [tests(), super::all()] {
            let alone: BTreeSet<_> = steps.iter().map(|step| step.name).collect();
            assert!(steps.iter().flat_map(|step| step.after).all(|name| alone.contains(name)));
        }
        let alone: BTreeSet<_> = super::all().iter().map(|step| step.name).collect();
        let of_packages = tests_of_packages();
        assert!(of_packages.iter().all(|step| cfg!(windows) || alone.contains(step.name)));
    }

    #[test]
    fn a_step_asks_for_its_own_needs() {
        for (step, own) in
            [("speech-dispatcher", needs::SPEECH_DISPATCHER[0]), ("ffmpeg-books", needs::FFMPEG)]
        {
            let all = super::all().into_iter().chain(long()).collect();
            let selected = steps::select(all, &[step.to_owned()]).unwrap();
            let needs: Vec<_> = selected.iter().flat_map(|step| step.needs.clone()).collect();
            assert!(needs.contains(&own) && needs.contains(&needs::CC), "{step}");
            assert!(!kernels::needs().iter().any(|need| needs.contains(need)), "{step}");
        }
    }
}
