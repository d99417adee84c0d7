//! Runs the tests of the JVM packages.

use std::env;

use super::maven::{self, OLDEST, other_jdks};
use super::{SDK, file, folder, native_jar, natives, repository, stage};
use crate::bindings::{MEMORY_ROUNDS, isolate, tell};
use crate::dist::{Platform, VERSION};
use crate::prelude::*;

/// The environment variables that a test project keeps: the paths of Java and of system programs.
const KEPT: [&str; 4] = ["JAVA_HOME", "LANG", "PATH", "TMPDIR"];

/// Runs the Java and Kotlin tests on the default JDK.
pub(crate) fn test(artifacts: &Artifacts) -> Result<()> {
    let mut mvn = tests(artifacts)?;
    let inputs = Inputs::new()?
        .command(mvn.arg("test"))
        .built(&stage(Platform::of_host()?.of_jvm()?))?
        .sources(&["bindings/jvm"])?
        .shared()?
        .said_by(maven::program()?.arg("--version"))?;
    inputs.run("jvm-tests", || process::shown(&mut mvn))
}

/// Runs the Java tests on the other JDKs and runtimes, and the test projects on the runtimes.
pub(crate) fn test_others(artifacts: &Artifacts) -> Result<()> {
    let of_java = || -> Result<Command> {
        let mut mvn = tests(artifacts)?;
        mvn.args(["--projects", "sdk", "test"]);
        Ok(mvn)
    };
    for jdk in other_jdks() {
        process::shown(of_java()?.env("JAVA_HOME", jdk))?;
    }
    for (version, java) in maven::runtimes()? {
        // The test classes need a newer Java than the packages.
        if version > OLDEST {
            let mut tests = of_java()?;
            // A runtime has no compiler for the programs of the README. They were tested on the
            // JDKs.
            tests.arg("-Dtest=!ReadmeTest").arg(format!("-Djvm={}", java.display()));
            process::shown(&mut tests)?;
        }
        for (name, _) in NEWCOMERS {
            speak(&Project::named(name), Command::new(&java))?;
        }
    }
    Ok(())
}

/// Runs the memory tests for many rounds.
pub(crate) fn test_memory(artifacts: &Artifacts) -> Result<()> {
    let mut mvn = tests(artifacts)?;
    mvn.args(["--projects", "sdk", "-Dtest=MemoryTest", "test"]);
    process::shown(mvn.env(MEMORY_ROUNDS.0, MEMORY_ROUNDS.1))
}

/// Copies the native library for this machine from the packages to the place where the tests look
/// for it.
pub(crate) fn unpack() -> Result<()> {
    let platform = Platform::of_host()?;
    let jar = repository().join(file(SDK, &native_jar(&platform)?));
    let folder = clear(stage(platform.of_jvm()?))?;
    let mut unzip = Command::new("jar");
    process::shown(unzip.arg("--extract").arg("--file").arg(&jar).current_dir(folder))
}

/// A Maven command that runs tests with the native library of the packages.
pub(super) fn tests(artifacts: &Artifacts) -> Result<Command> {
    let platform = Platform::of_host()?;
    let library = stage(platform.of_jvm()?).join(natives::file(&platform)?);
    ensure!(library.is_file(), "{} is missing: run `cargo xtask jvm`", library.display());
    let mut mvn = maven::command()?;
    mvn.arg(format!("-Dlibspeech.library={}", library.display()));
    isolate(&mut mvn);
    tell(&mut mvn, artifacts)?;
    mvn.env("SPEECH_JVM_README", root().join("bindings/jvm/README.md"));
    Ok(mvn)
}

/// The test projects, each with its program.
const NEWCOMERS: [(&str, &str); 2] = [("java", "Hello.java"), ("kotlin", "Hello.kt")];

/// Builds and runs the test projects as a new user does: with one dependency, from the new
/// repository, and with an empty home folder. Maven's own plugins come from the usual sources of
/// this machine.
pub(crate) fn test_newcomers() -> Result<()> {
    let inputs = Inputs::new()?
        .ending(&repository(), &[".jar", ".pom"])?
        .sources(&["tools/xtask/templates/jvm"])?
        .said_by(maven::program()?.arg("--version"))?;
    let inputs = other_jdks().iter().try_fold(inputs, |inputs, jdk| {
        inputs.said_by(Command::new(jdk.join("bin/java")).arg("--version"))
    })?;
    inputs.run("jvm-newcomers", newcomers)
}

fn newcomers() -> Result<()> {
    for (name, program) in NEWCOMERS {
        let project = project(name, program)?;
        speak(&project, Command::new("java"))?;
        for jdk in other_jdks() {
            speak(&project, Command::new(jdk.join("bin/java")))?;
        }
    }
    speak_linked(&Project::named("java"))
}

struct Project {
    folder: PathBuf,
    /// An empty home folder for this project.
    home: PathBuf,
}

impl Project {
    fn named(name: &str) -> Self {
        let folder = folder().join("newcomer").join(name);
        Project { home: folder.join("home"), folder }
    }
}

/// Writes a project to an empty folder, and compiles it.
fn project(name: &str, program: &str) -> Result<Project> {
    let project = Project::named(name);
    clear(project.folder.clone())?;
    clear(project.home.clone())?;
    let templates = root().join("tools/xtask/templates/jvm");
    let pom = fs::read_to_string(templates.join(format!("{name}.xml")))?;
    let pom = pom.replace("VERSION", VERSION);
    let pom = pom.replace("REPOSITORY", &format!("file:{}", repository().display()));
    fs::write(project.folder.join("pom.xml"), pom)?;
    let sources = made(project.folder.join("src/main").join(name))?;
    fs::copy(templates.join(program), sources.join(program))?;
    let mut mvn = stranger(&mut maven::program()?, &project);
    mvn.args(["--quiet", "compile", "dependency:build-classpath", "-Dmdep.outputFile=classpath"]);
    process::shown(&mut mvn)?;
    Ok(project)
}

/// Runs the program of a project in a linked runtime that contains only our module and its
/// dependencies.
fn speak_linked(project: &Project) -> Result<()> {
    let image = project.folder.join("image");
    let classes = format!("libspeech-sdk-{VERSION}.jar");
    let path = class_path(project)?;
    let jar = env::split_paths(&path).find(|jar| jar.ends_with(&classes));
    let jar = jar.context("the class path has no jar of the classes")?;
    let mut jlink = stranger(&mut Command::new("jlink"), project);
    jlink.arg("--module-path").arg(jar).args(["--add-modules", "io.libspeech"]);
    jlink.arg("--output").arg(&image);
    process::shown(&mut jlink)?;
    let mut java = Command::new(image.join("bin/java"));
    java.args(["--add-modules", "io.libspeech"]);
    speak(project, java)
}

/// The jars that a project depends on.
fn class_path(project: &Project) -> Result<String> {
    let file = project.folder.join("classpath");
    let path = fs::read_to_string(&file)?;
    Ok(path.trim().to_owned())
}

/// Runs the program of a project, and checks that it wrote speech.
fn speak(project: &Project, mut java: Command) -> Result<()> {
    let mut program = stranger(&mut java, project);
    program.arg(format!("-Duser.home={}", project.home.display()));
    let jars = class_path(project)?;
    let path = ["target/classes".into()].into_iter().chain(env::split_paths(&jars));
    program.arg("-cp").arg(env::join_paths(path)?).arg("Hello");
    process::shown(&mut program)?;
    let spoken = project.folder.join("hello.wav");
    let file = fs::read(&spoken)?;
    ensure!(
        file.starts_with(b"RIFF") && file.len() > 20_000,
        "hello.wav is not a WAV file of more than 20 kB"
    );
    ensure!(file[44..].iter().any(|byte| *byte != 0), "hello.wav is silent");
    fs::remove_file(&spoken)?;
    Ok(())
}

/// Prepares a command to run in a project, with an empty home folder and no other settings of the
/// user.
fn stranger(command: &mut Command, project: &Project) -> Command {
    let mut stranger = Command::new(command.get_program());
    stranger.args(command.get_args()).current_dir(&project.folder).env_clear();
    stranger.envs(KEPT.iter().filter_map(|name| Some((*name, env::var_os(name)?))));
    stranger.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    stranger.env("HOME", &project.home);
    if command.get_program().to_string_lossy().starts_with("mvn") {
        stranger.arg(format!("-Dmaven.repo.local={}", project.home.join("repository").display()));
    }
    stranger
}
