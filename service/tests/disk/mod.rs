//! Simulates a full disk or a power failure for the usage records of another process.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The preloaded library that simulates the disk; `disk.c` describes it.
pub(crate) struct Disk(PathBuf);

impl Disk {
    /// Builds it, in a folder.
    pub(crate) fn build(folder: &Path) -> Self {
        let library = folder.join("disk.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/disk/disk.c");
        let mut compiler = Command::new("cc");
        compiler.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-o"]);
        compiler.arg(&library).arg(source).args(["-ldl", "-pthread"]);
        assert!(compiler.status().unwrap().success());
        Self(library)
    }

    /// Puts the record of a program on this disk.
    pub(crate) fn holds(&self, record: &Path, program: &mut Command) {
        program.env("LD_PRELOAD", &self.0).env("DISK_FILES", record);
    }
}
