//! The commands that run Python programs of `research`: `compare`, `load`, `voices` and `student`.

use clap::ValueEnum;

use crate::bindings::web;
use crate::needs::{self, set_browser};
use crate::prelude::*;
use crate::serve;

#[derive(Args)]
pub(crate) struct Compare {
    /// Measure only speed, and write tables but no plot. The predicted listening scores need recordings of the engines and the
    /// 7 GB environment of `cargo xtask voices`.
    #[arg(long)]
    no_quality: bool,
    /// Measure nothing; write the table and the plot of the last run again.
    #[arg(long)]
    draw: bool,
    /// Instead, compare the web package with kokoro-js in Chromium, with one thread and with two. Needs the package that
    /// `cargo xtask web` makes.
    #[arg(long, conflicts_with_all = ["no_quality", "draw"])]
    browser: bool,
    /// The output directory, for compare.json, .md, .png, .svg and the recordings [default: `compare` under target].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Options of the script, such as `-- --threads 1,2 --only kokoro-onnx,piper`.
    #[arg(last = true)]
    options: Vec<String>,
}

impl Compare {
    /// Installs the other engines in their own environment, builds the `speech` program, and
    /// measures them one after the other.
    pub(crate) fn run(&self) -> Result<()> {
        python::COMPARE.ensure()?;
        let out = place(self.out.as_deref(), "compare")?;
        let tool = |venv: &Venv, command: &str| {
            let mut tool = venv.module("compare");
            tool.args([command, "--out"]).arg(&out);
            tool
        };
        if self.browser {
            return in_browser(&out, &self.options);
        }
        if self.draw {
            return process::shown(&mut tool(&python::COMPARE, "draw"));
        }
        // Finds missing requirements before half an hour of measuring.
        let kokoro_pi = cfg!(target_os = "linux").then_some(&python::KOKORO_PI);
        let judge = (!self.no_quality).then_some(&python::VOICES);
        kokoro_pi.into_iter().chain(judge).try_for_each(Venv::ensure)?;
        let artifacts = Artifacts::to_speak()?;
        let downloads = download::ensure_all_locked()?;
        process::shown(&mut workspace::build_speech())?;
        note("measuring takes a while; nothing else should be running");
        let mut measure = tool(&python::COMPARE, "run");
        measure.arg("--speech").arg(workspace::release_program("speech"));
        measure.arg("--downloads").arg(downloads);
        measure.arg("--work").arg(target().join("compare-inputs"));
        if let Some(kokoro_pi) = kokoro_pi {
            measure.arg("--kokoro-pi").arg(kokoro_pi.program("python"));
        }
        measure.args(judge.iter().map(|_| "--record")).args(&self.options);
        process::shown(artifacts.set_on(&mut measure))?;
        if let Some(judge) = judge {
            note("predicting listening scores");
            process::shown(&mut tool(judge, "judge"))?;
        }
        process::shown(&mut tool(&python::COMPARE, "draw"))
    }
}

fn in_browser(out: &Path, options: &[String]) -> Result<()> {
    let (package, [voices, _]) = web::made()?;
    let downloads = download::ensure_all_locked()?;
    let sources = root().join("research/compare");
    let work = target().join("compare-browser");
    npm::install("kokoro-js", &sources.join("browser"), &work)?;
    let kokoro = work.join("kokoro");
    let mut files = python::COMPARE.module("compare");
    files.args(["browser", "--out"]).arg(&kokoro).arg("--downloads").arg(downloads);
    process::shown(&mut files)?;
    fs::create_dir_all(out)?;
    note("measuring takes half an hour; nothing else should be running");
    let mut measure = Command::new("node");
    set_browser(&mut measure, needs::CHROMIUM)?;
    measure.arg(work.join("measure.mjs")).arg(package).arg(voices).arg(kokoro);
    measure.arg(sources.join("texts.json")).arg(out.join("browser.json"));
    process::shown(measure.args(options))
}

/// The output folder: the requested one, or a default one under target.
fn place(out: Option<&Path>, usual: &str) -> Result<PathBuf> {
    Ok(std::path::absolute(out.unwrap_or(&target().join(usual)))?)
}

#[derive(Args)]
pub(crate) struct Load {
    /// The output directory, for load.json and load.md [default: `load` under target].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Options of the script, such as `-- --clients 1,8`.
    #[arg(last = true)]
    options: Vec<String>,
}

impl Load {
    pub(crate) fn run(&self) -> Result<()> {
        static VENV: Venv = Venv::new("venv-load", "research/load/requirements.txt");
        VENV.ensure()?;
        serve::build()?;
        note("measuring takes a while; nothing else should be running");
        let mut python = VENV.module("load");
        python.arg("--program").arg(workspace::release_program("speech-http"));
        python.arg("--out").arg(place(self.out.as_deref(), "load")?).args(&self.options);
        process::shown(Artifacts::to_speak()?.set_on(&mut python))
    }
}
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Measure {
    /// Search for recipes of voices, and write the best five and the tables of all candidates. Takes hours, and continues an
    /// interrupted run.
    Choose,
    /// Measure the voices on sentences that `choose` does not use, and write the table.
    Judge,
    /// Measure the loss of quality from rounding the weights to one byte, and write the table.
    Rounding,
    /// Measure the loss of quality from larger rounding steps of the weights, and write the table.
    Compact,
    /// Measure whole paragraphs with several pauses between sentences, and write the table.
    Paragraphs,
    /// Transcribe every Hindi consonant with a speech recognizer, and write the table of results.
    Consonants,
    /// Speak a text with every voice in both languages, as Opus in Ogg.
    Samples,
}

#[derive(Args)]
pub(crate) struct Voices {
    task: Measure,
    /// The output directory for samples [default: `voices/samples` under target].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Options of the script, such as `-- --part choice`.
    #[arg(last = true)]
    options: Vec<String>,
}

impl Voices {
    pub(crate) fn run(&self) -> Result<()> {
        python::VOICES.ensure()?;
        let artifacts = Artifacts::to_speak()?;
        download::ensure_all_locked()?;
        let downloads = download::ensure_models()?;
        process::shown(&mut workspace::build_speech())?;
        let work = target().join("voices");
        let mut python = python::VOICES.module("voices");
        python.arg("--speech").arg(workspace::release_program("speech"));
        python.arg("--bundle").arg(artifacts.bundle());
        python.arg("--downloads").arg(&downloads).arg("--models").arg(&downloads);
        python.arg("--work").arg(&work).arg(name_of_value(self.task));
        match self.task {
            Measure::Choose => {
                note("this takes hours; an interrupted run continues and keeps its measurements");
            }
            Measure::Paragraphs => {
                // The model in float32.
                let model = work.join("float");
                if !model.join("vocabulary.json").exists() {
                    let mut tool = crate::bundle::tool(&python::BUNDLE, "float")?;
                    tool.arg("--downloads").arg(&downloads).arg("--out").arg(&model);
                    process::shown(&mut tool)?;
                }
                python.arg("--model").arg(model);
            }
            Measure::Samples => {
                python.arg("--out").arg(place(self.out.as_deref(), "voices/samples")?);
            }
            _ => {}
        }
        // Each process measures with one thread; more threads per process would be slower.
        python.env("OMP_NUM_THREADS", "1").env("OPENBLAS_NUM_THREADS", "1");
        process::shown(python.args(&self.options))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Train {
    /// Train the decoder, or with `-- --part prosody` the prosody network. Continues an interrupted run.
    Train,
    /// Compare the small network with the large one, on sentences not used for training or for choices.
    Judge,
}

#[derive(Args)]
pub(crate) struct Student {
    task: Train,
    /// Options of the script, such as `-- --minutes 30`.
    #[arg(last = true)]
    options: Vec<String>,
}

impl Student {
    /// Trains the small networks in the environment that measures the voices, which has PyTorch.
    pub(crate) fn run(&self) -> Result<()> {
        python::VOICES.ensure()?;
        let artifacts = Artifacts::to_speak()?;
        let mut build = workspace::cargo("build");
        process::shown(build.args(["--release", "--package", "speech-teacher"]))?;
        let mut python = python::VOICES.module("student");
        python.arg("--teacher").arg(workspace::release_program("speech-teacher"));
        python.arg("--bundle").arg(artifacts.bundle()).arg("--work").arg(target().join("student"));
        python.arg(name_of_value(self.task));
        if self.task == Train::Judge {
            process::shown(&mut workspace::build_speech())?;
            python.arg("--speech").arg(workspace::release_program("speech"));
            python.arg("--downloads").arg(download::ensure_models()?);
        }
        process::shown(python.args(&self.options))
    }
}

/// A value in the spelling of the command line, which the scripts also use.
fn name_of_value(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}
