//! The tests of the Node package: its files, installed into an empty project.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::{all, clear, folder, packages, runtimes, tools};
use crate::artifacts::Artifacts;
use crate::bindings::{MEMORY_ROUNDS, copy_all, isolate, tell, typescript};
use crate::dist::{Platform, VERSION, published};
use crate::names;
use crate::npm;
use crate::passed::Inputs;
use crate::process;
use crate::progress::Item;
use crate::workspace::Workspace;

/// Other versions of Node, which npm brings for this platform alone.
const OTHERS: [&str; 2] = ["node-18-linux-x64", "node-22-linux-x64"];

/// Other runtimes than Node, with what runs a program in them.
const RUNTIMES: [(&str, &[&str]); 2] = [
    ("@oven/bun-linux-x64-baseline/bin/bun", &["run"]),
    ("@deno/linux-x64-glibc/deno", &["run", "--allow-all", "--node-modules-dir=manual"]),
];

/// Makes an empty project for this machine and installs the packages, with no network.
pub(crate) fn install(workspace: &Workspace) -> Result<()> {
    let project = empty_project(workspace, project(workspace))?;
    let item = Item::start("an empty project with the packages");
    let mut install = npm::command()?;
    install.args(["install", "--offline", "--no-audit", "--no-fund"]);
    install.args(without_others(all(&packages(workspace), ".tgz")?, &Platform::of_host()?)?);
    process::quiet(install.current_dir(&project), &item)?;
    item.finish("");
    Ok(())
}

/// Makes a project with the tests, in place of the one before.
pub(crate) fn empty_project(workspace: &Workspace, project: PathBuf) -> Result<PathBuf> {
    let project = clear(project)?;
    let description = project.join("package.json");
    fs::write(&description, "{ \"private\": true, \"type\": \"module\" }\n")
        .with_context(|| format!("cannot write {}", description.display()))?;
    copy_all(&workspace.node_package().join("tests"), &project.join("tests"))?;
    Ok(project)
}

/// The packages that were made, without those of modules for other platforms.
fn without_others(packages: Vec<PathBuf>, platform: &Platform) -> Result<Vec<PathBuf>> {
    let this = platform.of_node()?;
    let platforms = published()?;
    let names = platforms.iter().filter_map(|platform| platform.of_node().ok());
    let others = names.filter(|other| *other != this);
    let others: Vec<_> = others.map(|other| format!("-{other}-{VERSION}.tgz")).collect();
    let is_other =
        |file: &PathBuf| others.iter().any(|other| file.to_string_lossy().ends_with(other));
    Ok(packages.into_iter().filter(|file| !is_other(file)).collect())
}

/// Compiles programs that use the package, and one that uses every name of the documentation.
pub(crate) fn check_types(workspace: &Workspace) -> Result<()> {
    let modules = tools(workspace)?.join("node_modules");
    let programs = project(workspace).join("tests").join("types");
    let names = names::typescript(workspace, "Node", "libspeech-sdk")?;
    fs::write(programs.join("names.mts"), names)?;
    for path in all(&programs, ".json")? {
        let mut tsc = Command::new(modules.join(".bin").join("tsc"));
        tsc.arg("--project").arg(&path).arg("--noEmit");
        tsc.arg("--typeRoots").arg(modules.join("@types"));
        process::shown(&mut tsc)?;
    }
    check_types_of_web(workspace, &modules)
}

/// Compiles the sources of the web package, and a program that uses every name of the documentation.
fn check_types_of_web(workspace: &Workspace, modules: &Path) -> Result<()> {
    let sources = typescript(workspace, "web", folder(workspace).join("web"))?;
    let names = names::typescript(workspace, "Web", "./index.js")?;
    fs::write(sources.join("ts").join("names.ts"), names)?;
    let mut tsc = Command::new(modules.join(".bin").join("tsc"));
    process::shown(tsc.arg("--project").arg(&sources).arg("--noEmit"))
}

/// Runs the tests on the machine's Node.
pub(crate) fn test(workspace: &Workspace, artifacts: &Artifacts) -> Result<()> {
    let node = Path::new("node");
    let command = tests(workspace, artifacts, node, Vec::new())?;
    let inputs = Inputs::new(workspace)?
        .command(&command)
        .built(&packages(workspace))?
        .sources(&["bindings/node", "tools/xtask/node"])?
        .shared()?
        .said_by(Command::new(node).arg("--version"))?;
    inputs.run("node-tests", || suite(workspace, artifacts, node, true))
}

/// Runs those that need no real voices on other versions of Node, and a program in other runtimes.
pub(crate) fn test_others(workspace: &Workspace, artifacts: &Artifacts) -> Result<()> {
    for name in OTHERS {
        let node = tools(workspace)?.join("node_modules").join(name).join("bin").join("node");
        ensure!(node.exists(), "{name} is of another platform");
        suite(workspace, artifacts, &node, false)?;
    }
    for (runtime, arguments) in RUNTIMES {
        let runtime = runtimes(workspace)?.join("node_modules").join(runtime);
        ensure!(runtime.exists(), "{} is of another platform", runtime.display());
        let mut command = isolated(workspace, artifacts, &runtime)?;
        command.args(arguments).arg(project(workspace).join("tests").join("smoke.mjs"));
        process::shown(&mut command)?;
    }
    Ok(())
}

/// Runs those of memory for many rounds.
pub(crate) fn test_memory(workspace: &Workspace, artifacts: &Artifacts) -> Result<()> {
    let files = all(&project(workspace).join("tests"), "memory.test.mjs")?;
    let mut command = tests(workspace, artifacts, Path::new("node"), files)?;
    process::shown(command.env(MEMORY_ROUNDS.0, MEMORY_ROUNDS.1))
}

/// The tests, all or without those that need the real voices.
fn suite(workspace: &Workspace, artifacts: &Artifacts, node: &Path, whole: bool) -> Result<()> {
    let files = all(&project(workspace).join("tests"), ".test.mjs")?;
    let chosen = |file: &PathBuf| whole || !file.to_string_lossy().ends_with(".voices.test.mjs");
    let files = files.into_iter().filter(chosen).collect();
    process::shown(&mut tests(workspace, artifacts, node, files)?)
}

/// The command that runs files of tests.
fn tests(
    workspace: &Workspace,
    artifacts: &Artifacts,
    node: &Path,
    files: Vec<PathBuf>,
) -> Result<Command> {
    let tools = tools(workspace)?.join("node_modules");
    let mut command = isolated(workspace, artifacts, node)?;
    command
        .args(["--expose-gc", "--test"])
        .args(files)
        .env("SPEECH_EXAMPLES", workspace.root().join("examples").join("node"))
        .env("SPEECH_BENCHES", workspace.node_package().join("benches"))
        .env("SPEECH_TOOLS", tools);
    Ok(command)
}

/// A runtime in the project, with an empty home.
fn isolated(workspace: &Workspace, artifacts: &Artifacts, runtime: &Path) -> Result<Command> {
    let mut command = Command::new(runtime);
    isolate(&mut command)
        .current_dir(project(workspace))
        .env("HOME", clear(folder(workspace).join("home"))?);
    tell(&mut command, workspace, artifacts)?;
    Ok(command)
}

/// The folder of the project.
pub(crate) fn project(workspace: &Workspace) -> PathBuf {
    folder(workspace).join("project")
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
