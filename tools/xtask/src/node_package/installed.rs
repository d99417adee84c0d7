//! The tests of the Node package: its files, installed as strangers install them, on each Node that there is.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{Made, folder, tools};
use crate::artifacts::Artifacts;
use crate::npm;
use crate::process;
use crate::progress::{Item, note};
use crate::python_package;
use crate::steps::Steps;
use crate::wheel::clear;
use crate::workspace::Workspace;

/// Other versions of Node, which npm brings for this platform alone.
const OTHERS: [&str; 2] = ["node-18-linux-x64", "node-22-linux-x64"];

/// Variables that lead to something of this machine's.
const LEADS: [&str; 6] = [
    "NODE_OPTIONS",
    "NODE_PATH",
    "SPEECH_BUNDLE",
    "SPEECH_CACHE",
    "SPEECH_THREADS",
    "XDG_CACHE_HOME",
];

/// An empty project with the packages installed.
struct Project<'a> {
    workspace: &'a Workspace,
    artifacts: &'a Artifacts,
    tools: PathBuf,
    folder: PathBuf,
    hum: PathBuf,
}

/// Runs all of them.
pub(crate) fn test(
    workspace: &Workspace,
    artifacts: &Artifacts,
    made: &Made,
    steps: &mut Steps,
) -> Result<()> {
    let project = steps.run("Node project", || Project::install(workspace, artifacts, made))?;
    steps.run("Node types", || project.types())?;
    steps.run("Node package", || project.suite(Path::new("node"), true))?;
    steps.run("other versions of Node", || {
        for name in OTHERS {
            let node = project.tools.join("node_modules").join(name).join("bin").join("node");
            match node.exists() {
                true => project.suite(&node, false)?,
                false => note(&format!("{name} is of another platform")),
            }
        }
        Ok(())
    })
}

impl Project<'_> {
    /// Makes it, in place of the one before, with no network.
    fn install<'a>(
        workspace: &'a Workspace,
        artifacts: &'a Artifacts,
        made: &Made,
    ) -> Result<Project<'a>> {
        let hum = python_package::hum(workspace)?;
        let place = clear(folder(workspace).join("project"))?;
        write(&place.join("package.json"), "{ \"private\": true, \"type\": \"module\" }\n")?;
        let item = Item::start("an empty project with the packages");
        let mut install = npm::command()?;
        install.args(["install", "--offline", "--no-audit", "--no-fund"]).args(&made.files);
        process::quiet(install.current_dir(&place), &item)?;
        item.finish("");
        copy_all(&workspace.node_package().join("tests"), &place.join("tests"))?;
        let tools = tools(workspace)?;
        Ok(Project { workspace, artifacts, tools, folder: place, hum })
    }

    /// Compiles programs that use the package.
    fn types(&self) -> Result<()> {
        let tests = self.folder.join("tests").join("types");
        for entry in fs::read_dir(&tests).with_context(|| tests.display().to_string())? {
            let path = entry?.path();
            let is_project = path.file_name().is_some_and(|name| {
                let name = name.to_string_lossy();
                name.starts_with("tsconfig") && name.ends_with(".json")
            });
            if is_project {
                let modules = self.tools.join("node_modules");
                let mut tsc = Command::new(modules.join(".bin").join("tsc"));
                tsc.arg("--project").arg(&path).arg("--noEmit");
                tsc.arg("--typeRoots").arg(modules.join("@types"));
                process::shown(&mut tsc)?;
            }
        }
        Ok(())
    }

    /// The tests, all or without those that need the real voices.
    fn suite(&self, node: &Path, whole: bool) -> Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(self.folder.join("tests"))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let needs_voices = name.ends_with(".voices.test.mjs");
            if name.ends_with(".test.mjs") && (whole || !needs_voices) {
                files.push(path);
            }
        }
        files.sort();
        process::shown(self.command(node)?.args(["--expose-gc", "--test"]).args(files))
    }

    /// Node, with what the tests are told, and a home that is empty.
    fn command(&self, node: &Path) -> Result<Command> {
        let root = self.workspace.root();
        let mut command = Command::new(node);
        for name in LEADS {
            command.env_remove(name);
        }
        command
            .current_dir(&self.folder)
            .env("HOME", clear(folder(self.workspace).join("home"))?)
            .env("SPEECH_HUM", &self.hum)
            .env("SPEECH_PROGRAM", self.workspace.release_program("speech"))
            .env("SPEECH_REFERENCE_BUNDLE", self.artifacts.bundle())
            .env("SPEECH_CASES", root.join("tests").join("data").join("cases.json"))
            .env("SPEECH_EXAMPLES", root.join("examples").join("node"))
            .env("SPEECH_BENCHES", self.workspace.node_package().join("benches"))
            .env("SPEECH_TOOLS", self.tools.join("node_modules"))
            .env("SPEECH_README", root.join("README.md"));
        Ok(command)
    }
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Copies a folder with all that is in it.
fn copy_all(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| to.display().to_string())?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_all(&entry.path(), &place)?;
        } else {
            fs::copy(entry.path(), &place).with_context(|| place.display().to_string())?;
        }
    }
    Ok(())
}
