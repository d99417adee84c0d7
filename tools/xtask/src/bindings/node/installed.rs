//! Tests the Node package, installed into an empty project.

use super::{folder, packages, runtimes, tools};
use crate::bindings::{MEMORY_ROUNDS, isolate, tell, typescript};
use crate::dist::{Platform, VERSION, published};
use crate::names;
use crate::prelude::*;

/// Other versions of Node; npm has them only for this platform.
const OTHERS: [&str; 2] = ["node-18-linux-x64", "node-22-linux-x64"];

/// Runtimes other than Node, each with the command that runs a program.
const RUNTIMES: [(&str, &[&str]); 2] = [
    ("@oven/bun-linux-x64-baseline/bin/bun", &["run"]),
    ("@deno/linux-x64-glibc/deno", &["run", "--allow-all", "--node-modules-dir=manual"]),
];

/// Creates an empty project for this machine and installs the packages without network access.
pub(crate) fn install() -> Result<()> {
    let project = empty_project(project())?;
    let mut install = npm::command()?;
    install.args(["install", "--offline", "--no-audit", "--no-fund"]);
    install.args(without_others(all(&packages(), ".tgz")?, &Platform::of_host()?)?);
    process::titled("an empty project with the packages", install.current_dir(&project))
}

/// Creates a project with the tests, replacing the previous one.
pub(crate) fn empty_project(project: PathBuf) -> Result<PathBuf> {
    let project = clear(project)?;
    let description = project.join("package.json");
    fs::write(&description, "{ \"private\": true, \"type\": \"module\" }\n")?;
    copy_all(&root().join("bindings/node/tests"), &project.join("tests"))?;
    Ok(project)
}

/// The built packages, without the modules for other platforms.
fn without_others(packages: Vec<PathBuf>, platform: &Platform) -> Result<Vec<PathBuf>> {
    let this = platform.of_node()?;
    let platforms = published();
    let names = platforms.iter().filter_map(|platform| platform.of_node().ok());
    let others = names.filter(|other| *other != this);
    let others: Vec<_> = others.map(|other| format!("-{other}-{VERSION}.tgz")).collect();
    let is_other =
        |file: &PathBuf| others.iter().any(|other| file.to_string_lossy().ends_with(other));
    Ok(packages.into_iter().filter(|file| !is_other(file)).collect())
}

/// Compiles programs that use the package; one of them uses every documented name.
pub(crate) fn check_types() -> Result<()> {
    let modules = tools()?.join("node_modules");
    let programs = project().join("tests/types");
    let names = names::typescript("Node", "libspeech-sdk")?;
    fs::write(programs.join("names.mts"), names)?;
    for path in all(&programs, ".json")? {
        let mut tsc = Command::new(modules.join(".bin/tsc"));
        tsc.arg("--project").arg(&path).arg("--noEmit");
        tsc.arg("--typeRoots").arg(modules.join("@types"));
        process::shown(&mut tsc)?;
    }
    check_types_of_web(&modules)
}

/// Compiles the sources of the web package, and a program that uses every documented name.
fn check_types_of_web(modules: &Path) -> Result<()> {
    let sources = typescript("web", folder().join("web"))?;
    let names = names::typescript("Web", "./index.js")?;
    fs::write(sources.join("ts/names.ts"), names)?;
    let mut tsc = Command::new(modules.join(".bin/tsc"));
    process::shown(tsc.arg("--project").arg(&sources).arg("--noEmit"))
}

/// Runs the tests on the default Node.
pub(crate) fn test(artifacts: &Artifacts) -> Result<()> {
    let node = Path::new("node");
    let command = tests(artifacts, node, Vec::new())?;
    let inputs = Inputs::new()?
        .command(&command)
        .built(&packages())?
        .sources(&["bindings/node", "tools/xtask/node"])?
        .shared()?
        .said_by(Command::new(node).arg("--version"))?;
    inputs.run("node-tests", || suite(artifacts, node, true))
}

/// Runs the tests without real voices on other versions of Node, and a program in other runtimes.
pub(crate) fn test_others(artifacts: &Artifacts) -> Result<()> {
    for name in OTHERS {
        let node = tools()?.join("node_modules").join(name).join("bin/node");
        ensure!(node.exists(), "npm installed {name} for another platform");
        suite(artifacts, &node, false)?;
    }
    for (runtime, arguments) in RUNTIMES {
        let runtime = runtimes()?.join("node_modules").join(runtime);
        ensure!(runtime.exists(), "npm installed {} for another platform", runtime.display());
        let mut command = isolated(artifacts, &runtime)?;
        command.args(arguments).arg(project().join("tests/smoke.mjs"));
        process::shown(&mut command)?;
    }
    Ok(())
}

/// Runs the memory tests for many rounds.
pub(crate) fn test_memory(artifacts: &Artifacts) -> Result<()> {
    let files = all(&project().join("tests"), "memory.test.mjs")?;
    let mut command = tests(artifacts, Path::new("node"), files)?;
    process::shown(command.env(MEMORY_ROUNDS.0, MEMORY_ROUNDS.1))
}

/// Runs the tests: all if `whole`, otherwise those without real voices.
fn suite(artifacts: &Artifacts, node: &Path, whole: bool) -> Result<()> {
    let files = all(&project().join("tests"), ".test.mjs")?;
    let chosen = |file: &PathBuf| whole || !file.to_string_lossy().ends_with(".voices.test.mjs");
    let files = files.into_iter().filter(chosen).collect();
    process::shown(&mut tests(artifacts, node, files)?)
}

/// The command that runs test files.
fn tests(artifacts: &Artifacts, node: &Path, files: Vec<PathBuf>) -> Result<Command> {
    let tools = tools()?.join("node_modules");
    let mut command = isolated(artifacts, node)?;
    command
        .args(["--expose-gc", "--test"])
        .args(files)
        .env("SPEECH_EXAMPLES", root().join("examples/node"))
        .env("SPEECH_BENCHES", root().join("bindings/node/benches"))
        .env("SPEECH_TOOLS", tools);
    Ok(command)
}

/// A command that runs a runtime in the project, with an empty home folder.
fn isolated(artifacts: &Artifacts, runtime: &Path) -> Result<Command> {
    let mut command = Command::new(runtime);
    isolate(&mut command).current_dir(project()).env("HOME", clear(folder().join("home"))?);
    tell(&mut command, artifacts)?;
    Ok(command)
}

/// The folder of the project.
pub(crate) fn project() -> PathBuf {
    folder().join("project")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn npm_is_given_the_module_of_the_platform_alone() {
        let packages = [
            "libspeech-sdk",
            "libspeech-sdk-voices",
            "libspeech-sdk-linux-x64-musl",
            "libspeech-sdk-win32-x64",
        ];
        let packages = packages.map(|name| PathBuf::from(format!("{name}-{VERSION}.tgz"))).to_vec();
        let musl = Platform::named("x86_64-unknown-linux-musl").unwrap();
        let chosen = without_others(packages.clone(), &musl).unwrap();
        assert_eq!(chosen, packages[..3]);
        let windows = Platform::named("x86_64-pc-windows-gnullvm").unwrap();
        assert_eq!(without_others(packages.clone(), &windows).unwrap()[2], packages[3]);
    }
}
