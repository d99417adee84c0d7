//! A folder in which tests run the program with the voices of the fake model.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use speech_tests::fake_model;
use tempfile::TempDir;

/// A folder for inputs, output and voices.
pub(crate) struct Place {
    dir: TempDir,
    /// The subcommand of the program.
    subcommand: &'static str,
}

impl Place {
    pub(crate) fn new(subcommand: &'static str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("voices")).unwrap();
        fake_model::write(&dir.path().join("voices")).unwrap();
        Self { dir, subcommand }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: &str) {
        fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_speech"));
        command.arg(self.subcommand).args(args).current_dir(self.dir.path());
        if !args.contains(&"--check") {
            command.args(["--bundle", "voices"]);
        }
        command
    }

    /// Runs the command; returns the status, the report and the standard error.
    pub(crate) fn run(&self, args: &[&str]) -> (i32, Value, String) {
        let Output { status, stdout, stderr } = self.command(args).output().unwrap();
        let report = serde_json::from_slice(&stdout).unwrap_or_default();
        (status.code().unwrap(), report, String::from_utf8(stderr).unwrap())
    }

    /// The files under a folder with their contents.
    pub(crate) fn files(&self, folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        fn add(path: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
            for entry in fs::read_dir(path).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    add(&path, files);
                } else if let Ok(content) = fs::read(&path) {
                    // A running program renames its files.
                    files.insert(path, content);
                }
            }
        }
        let (root, mut files) = (self.path(folder), BTreeMap::new());
        add(&root, &mut files);
        let relative = |path: PathBuf| path.strip_prefix(&root).unwrap().to_owned();
        files.into_iter().map(|(path, content)| (relative(path), content)).collect()
    }
}
