//! `cargo xtask soak`: runs a mixed load on the C library, the Python, Node and JVM packages, and
//! the service for a long time. Memory, descriptors and threads must stay flat. `tools/soak`
//! records them.

use std::thread;

use anyhow::anyhow;
use clap::ValueEnum;

use crate::bindings::{Make, jvm, node, python as python_package};
use crate::dist::Dist;
use crate::needs::{self, require};
use crate::prelude::*;
use crate::serve;

#[derive(Args)]
pub(crate) struct Soak {
    /// The total run time of each program, earlier runs included.
    #[arg(long, value_name = "N", default_value_t = 60.0)]
    minutes: f64,
    /// Run only this program; by default, all run in parallel.
    #[arg(long)]
    only: Option<Surface>,
    /// Ignore earlier runs, and start again.
    #[arg(long)]
    fresh: bool,
}

/// What an application calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Surface {
    C,
    Python,
    Node,
    Jvm,
    Service,
}

impl Soak {
    /// The command for a few minutes, with newly built packages.
    pub(crate) fn usual() -> Self {
        Soak { minutes: 4.0, only: None, fresh: true }
    }

    /// Builds and installs the requirements, and runs the load.
    pub(crate) fn make_and_run(&self) -> Result<()> {
        require(&[needs::C, needs::MAVEN, &[needs::NODE, needs::NPM]].concat())?;
        for surface in self.surfaces() {
            match surface {
                Surface::C => drop(Dist::whole().make()?),
                Surface::Python => {
                    python_package::make(&Make::default())?;
                    python_package::install()?;
                }
                Surface::Node => {
                    node::make(&Make::default())?;
                    node::install()?;
                }
                Surface::Jvm => jvm::make(&Make::default())?,
                Surface::Service => serve::build()?,
            }
        }
        self.run(&Artifacts::to_speak()?)
    }

    /// Runs the installed packages with the real voices.
    pub(crate) fn run(&self, artifacts: &Artifacts) -> Result<()> {
        python::SOAK.ensure()?;
        let out = target().join("soak");
        if self.fresh {
            remove(&out)?;
        }
        fs::create_dir_all(&out)?;
        note(&format!("samples and plots: {}", out.display()));
        let watched: Result<Vec<_>> = self
            .surfaces()
            .into_iter()
            .map(|surface| self.watched(surface, artifacts, &out))
            .collect();
        thread::scope(|scope| {
            let running: Vec<_> = watched?
                .into_iter()
                .map(|mut command| scope.spawn(move || process::shown(&mut command)))
                .collect();
            running.into_iter().try_for_each(|thread| {
                thread.join().map_err(|_| anyhow!("a thread of this program panicked"))?
            })
        })
    }

    fn surfaces(&self) -> Vec<Surface> {
        self.only.map_or_else(|| Surface::value_variants().to_vec(), |one| vec![one])
    }

    /// The command that runs the load on one interface and records its resources.
    fn watched(&self, surface: Surface, artifacts: &Artifacts, out: &Path) -> Result<Command> {
        let tool = root().join("tools/soak");
        let (workloads, texts) = (tool.join("workloads"), tool.join("texts.json"));
        let mut soak = python::SOAK.module("soak");
        soak.env_remove("SPEECH_BUNDLE").env_remove("SPEECH_THREADS");
        soak.args([&format!("{surface:?}").to_lowercase(), "--out"]).arg(out);
        soak.args(["--minutes", &self.minutes.to_string(), "--"]);
        match surface {
            Surface::C => {
                let dist = Dist::whole().directory()?;
                soak.arg(compile(&dist)?).arg(dist.join("share/libspeech/voices"));
            }
            Surface::Python => {
                let python = python_package::interpreter()?;
                soak.arg(python).arg("-I").arg(workloads.join("python_package.py")).arg(texts);
                // Each asyncio thread has its own glibc arena, which keeps its peak memory. Such
                // memory is reused and is no leak, but takes hours to become flat.
                soak.env("MALLOC_ARENA_MAX", "1");
            }
            Surface::Node => {
                soak.arg("node").arg(workloads.join("node_package.mjs")).arg(texts);
                soak.current_dir(node::project());
            }
            Surface::Jvm => {
                // Commits the whole heap at the start, so that filling it does not look like
                // growth.
                soak.args(["java", "-Xms128m", "-Xmx128m", "-XX:+AlwaysPreTouch", "-cp"]);
                soak.arg(jvm::class_path()?).arg(workloads.join("JvmPackage.java"));
                soak.args(requests(&texts)?);
            }
            Surface::Service => {
                let python = python::SOAK.python();
                soak.arg(python.get_program()).arg("-I").arg(workloads.join("service.py"));
                soak.arg(texts).arg(workspace::release_program("speech-http"));
                soak.arg(artifacts.bundle());
            }
        }
        Ok(soak)
    }
}

/// The texts, each as a JSON request.
fn requests(texts: &Path) -> Result<Vec<String>> {
    let list: Vec<serde_json::Value> = serde_json::from_slice(&fs::read(texts)?)?;
    Ok(list.iter().map(serde_json::Value::to_string).collect())
}

fn compile(dist: &Path) -> Result<PathBuf> {
    let scratch = scratch("soak-c")?;
    let program = scratch.join("soak");
    let mut compiler = compiler(&scratch, &dist.join("include"));
    compiler.arg(source("soak")).arg("-o").arg(&program).arg("-L").arg(dist.join("lib"));
    compiler.arg("-lspeech").arg(format!("-Wl,-rpath,{}", dist.join("lib").display()));
    process::shown(&mut compiler)?;
    Ok(program)
}

/// The path of a C test program.
pub(crate) fn source(name: &str) -> PathBuf {
    root().join(format!("tests/c/{name}.c"))
}

/// The C compiler with the options of these programs.
pub(crate) fn compiler(scratch: &Path, include: &Path) -> Command {
    let mut compiler = Command::new("cc");
    compiler.args(["-std=c11", "-D_GNU_SOURCE", "-O2", "-g", "-pthread"]).current_dir(root());
    compiler.arg("-I").arg(include).arg("-I").arg(scratch);
    compiler
}

/// A directory for compiled programs, with the header that counts function calls in tests. Here it
/// counts none.
pub(crate) fn scratch(name: &str) -> Result<PathBuf> {
    let directory = made(target().join(name))?;
    fs::write(directory.join("counted.h"), "")?;
    Ok(directory)
}
