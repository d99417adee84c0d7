//! `cargo xtask say`: speaks a text from a fresh clone.

use std::env;
use std::process::Stdio;
use std::thread;

use crate::prelude::*;
use crate::progress::{BEGUN, Forecast, Milestones};

#[derive(Args)]
pub(crate) struct Say {
    /// The text to speak.
    #[arg(default_value = "Hello, world.")]
    text: String,
    /// The WAV file to write. Without it, the audio is written to `target/say.wav`, and played if a player is installed.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The voice.
    #[arg(long, default_value = "aria")]
    voice: String,
    /// The language of the text.
    #[arg(long, default_value = "en-US")]
    language: String,
}

/// The program that speaks. It depends on the core alone, so it compiles sooner than the command
/// line.
const PROGRAM: &str = "speech-rust-example";

/// Lines that the compiler prints, with the remaining seconds of a first run on two cores.
const COMPILING: Milestones = &[
    ("", 90),
    ("Compiling speech-kernels", 70),
    ("Compiling speech-text", 60),
    ("Compiling speech-acoustic", 22),
    ("Compiling speech-core", 6),
];

/// Lines that `cargo xtask bundle` prints, with the remaining seconds.
const VOICES: Milestones = &[
    ("", 35),
    ("Python environment venv-bundle: ", 25),
    ("making the voice bundle ...", 9),
    ("making the voice bundle: ", 0),
];

impl Say {
    /// The first command of the README.
    pub(crate) fn hello(output: PathBuf) -> Self {
        Self {
            text: "Hello, world.".into(),
            output: Some(output),
            voice: "aria".into(),
            language: "en-US".into(),
        }
    }

    /// Compiles [`PROGRAM`] while the voices are built, and speaks the text.
    pub(crate) fn run(&self) -> Result<()> {
        get_ready()?;
        self.speak(&Artifacts::to_speak()?)
    }

    /// Speaks with the last build of the program.
    pub(crate) fn speak(&self, artifacts: &Artifacts) -> Result<()> {
        let file = self.output.clone().unwrap_or_else(|| target().join("say.wav"));
        let mut program = Command::new(workspace::release_program(PROGRAM));
        program.arg(&self.text).arg(&file).args([&self.voice, &self.language]);
        process::shown(artifacts.set_on(&mut program))?;
        note(&format!("the audio is in {}", file.display()));
        if self.output.is_none() {
            play(&file);
        }
        Ok(())
    }
}

/// Builds the voices in another process of this program, in parallel with the compiler.
fn get_ready() -> Result<()> {
    Bundle::require_programs()?;
    let mut voices = Command::new(env::current_exe().context("cannot find this program")?);
    let mut build = workspace::cargo("build");
    build.args(["--release", "--package=xtask"]).arg(format!("--package={PROGRAM}"));
    let forecast = Forecast::begin("getting ready to speak", [COMPILING, VOICES]);
    let (compiled, made) = thread::scope(|scope| {
        let build = || process::followed(&mut build, |line| forecast.see(0, line));
        let compiled = scope.spawn(build);
        let made = process::followed(voices.arg("bundle"), |line| forecast.see(1, line));
        (compiled.join().expect("following a program does not panic"), made)
    });
    drop(forecast);
    // The last line is the path of the voices. Lines before it list downloads and build steps.
    if let Some((steps, place)) = made?.trim_end().rsplit_once('\n') {
        steps.lines().filter(|line| !line.ends_with(BEGUN)).for_each(|line| note(line.trim()));
        let downloads = cache::downloads()?;
        note(&format!("the voices are in {place}, the downloads in {}", downloads.display()));
    }
    compiled.map(drop)
}

/// Plays a file with the first available player, if there is one.
fn play(file: &Path) {
    let players: [&[&str]; 4] = [&["afplay"], &["pw-play"], &["paplay"], &["aplay", "--quiet"]];
    let plays = |player: &&[&str]| {
        let mut command = Command::new(player[0]);
        command.args(&player[1..]).arg(file);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !players.iter().any(plays) {
        note("found no player for the audio (tried afplay, pw-play, paplay, aplay)");
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The packages compiled for this machine, with versions and features.
    fn compiled(packages: &[&str], edges: &str) -> BTreeSet<String> {
        let mut tree = workspace::cargo("tree");
        tree.args(["--quiet", "--offline", "--edges", edges, "--prefix", "none"]);
        tree.args(["--no-dedupe", "--format", "{p} {f}"]).args(packages);
        process::text(&mut tree).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn nothing_is_compiled_twice_for_the_first_word_and_the_tests() {
        let tool = compiled(&["--package=xtask"], "normal,build");
        let speech =
            compiled(&["--package=xtask", "--package=speech-rust-example"], "normal,build");
        let tests = compiled(&["--workspace"], "normal,build,dev");
        for (first, then) in [(&tool, &speech), (&speech, &tests)] {
            let twice: Vec<_> = first.difference(then).collect();
            assert!(twice.is_empty(), "these have other features later: {twice:#?}");
        }
    }
}
