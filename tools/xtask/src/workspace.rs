//! Where the repository is, and the commands that run in it.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::digest;

/// The repository that this tool was run in.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
    target: PathBuf,
    profile: &'static str,
}

impl Workspace {
    /// Finds the repository from what cargo tells a program it runs.
    pub(crate) fn find() -> Result<Self> {
        let manifest = env::var_os("CARGO_MANIFEST_DIR")
            .unwrap_or_else(|| OsString::from(env!("CARGO_MANIFEST_DIR")));
        let root = Path::new(&manifest)
            .ancestors()
            .nth(2)
            .context("the repository was not found: run this with `cargo xtask`")?
            .to_path_buf();
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(directory) => env::current_dir()?.join(directory),
            None => root.join("target"),
        };
        Ok(Workspace { root, target, profile: "dist" })
    }

    /// A repository with its target directory in it.
    #[cfg(test)]
    pub(crate) fn at(root: &Path) -> Self {
        Workspace { root: root.to_path_buf(), target: root.join("target"), profile: "tested" }
    }

    /// The root of the repository.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Cargo's target directory.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// The profile of cargo that packages are compiled with.
    pub(crate) fn profile(&self) -> &'static str {
        self.profile
    }

    /// Packages are compiled to be tested, with less whole-program optimisation than those that are shipped.
    pub(crate) fn for_tests(self) -> Self {
        Workspace { profile: "tested", ..self }
    }

    /// Whether they are.
    pub(crate) fn is_for_tests(&self) -> bool {
        self.profile == "tested"
    }

    /// Where Python finds the tools and the research that are written in it.
    pub(crate) fn python_path(&self) -> OsString {
        let folders = ["tools", "research"].map(|folder| self.root.join(folder));
        env::join_paths(folders).expect("the repository's path has no separator of paths in it")
    }

    /// The folder of the bundle tool.
    pub(crate) fn bundle_tool(&self) -> PathBuf {
        self.root.join("tools").join("bundle")
    }

    /// The folder of the tool that trains the network of unknown words.
    pub(crate) fn g2p_tool(&self) -> PathBuf {
        self.root.join("research").join("g2p")
    }

    /// The folder of the tool that measures this library beside others.
    pub(crate) fn compare_tool(&self) -> PathBuf {
        self.root.join("research").join("compare")
    }

    /// The folder of the tool that trains the small decoder.
    pub(crate) fn student_tool(&self) -> PathBuf {
        self.root.join("research").join("student")
    }

    /// The folder of the tool that chooses and measures the voices.
    pub(crate) fn voices_tool(&self) -> PathBuf {
        self.root.join("research").join("voices")
    }

    /// README.md and all pages of the documentation.
    pub(crate) fn documents(&self) -> Result<Vec<PathBuf>> {
        let docs = self.root.join("docs");
        let found = digest::of_folder(&docs, |_| true)?.into_keys();
        let pages = found.filter(|page| page.ends_with(".md")).map(|page| docs.join(page));
        Ok([self.root.join("README.md")].into_iter().chain(pages).collect())
    }

    /// The folder of the tool that makes the samples of the site.
    pub(crate) fn samples_tool(&self) -> PathBuf {
        self.root.join("research").join("samples")
    }

    /// The folder of the tool that measures the service under load.
    pub(crate) fn load_tool(&self) -> PathBuf {
        self.root.join("research").join("load")
    }

    /// The folder of the tool that watches programs that run for long.
    pub(crate) fn soak_tool(&self) -> PathBuf {
        self.root.join("tools").join("soak")
    }

    /// The folder of the Python package.
    pub(crate) fn python_package(&self) -> PathBuf {
        self.root.join("bindings").join("python")
    }

    /// The folder of the Node package.
    pub(crate) fn node_package(&self) -> PathBuf {
        self.root.join("bindings").join("node")
    }

    /// The folder of the JVM packages.
    pub(crate) fn jvm_package(&self) -> PathBuf {
        self.root.join("bindings").join("jvm")
    }

    /// The folder of this tool.
    pub(crate) fn xtask(&self) -> PathBuf {
        self.root.join("tools").join("xtask")
    }

    /// A cargo command that runs in the root.
    pub(crate) fn cargo(&self, subcommand: &str) -> Command {
        let program = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        self.cargo_through(Path::new(&program), subcommand)
    }

    /// The same with a program that takes cargo's place.
    pub(crate) fn cargo_through(&self, program: &Path, subcommand: &str) -> Command {
        let mut command = Command::new(program);
        // A relative target directory means another place once the command runs in the root.
        command.arg(subcommand).current_dir(&self.root).env("CARGO_TARGET_DIR", &self.target);
        command
    }

    /// The command that builds the program `speech`. This tool is selected too: dependencies of both then have the features
    /// that they have in `cargo xtask`, and are compiled once.
    pub(crate) fn build_speech(&self) -> Command {
        let mut build = self.cargo("build");
        build.args([
            "--release",
            "--package",
            "xtask",
            "--package",
            "speech-cli",
            "--bin",
            "speech",
        ]);
        build
    }

    /// The path of a program that `cargo build --release` makes.
    pub(crate) fn release_program(&self, name: &str) -> PathBuf {
        self.target.join("release").join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }
}
