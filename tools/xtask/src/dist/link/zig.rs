//! zig as the C compiler and linker for Linux and Windows. It has the symbol lists of every glibc
//! version, musl and mingw-w64.

use std::ffi::OsString;

use super::{Linker, TOOLS, write_new, zig_folder};
use crate::dist::VERSION;
use crate::dist::platform::{Platform, Processor};
use crate::prelude::*;

/// zig as a C compiler for a platform.
pub(super) struct Zig {
    /// The command line for a shell.
    line: String,
    pub(super) program: PathBuf,
    pub(super) environment: Vec<(String, OsString)>,
    pub(super) folder: PathBuf,
}

impl Zig {
    /// `version` is that of the C library, or empty.
    pub(super) fn new(platform: &Platform, version: &str) -> Result<Self> {
        let program = zig_folder()?.join(format!("zig{}", std::env::consts::EXE_SUFFIX));
        let folder = target().join("zig");
        let line = format!(
            "'{}' zig cc -- -g -fno-sanitize=all -target {}{version}",
            TOOLS.program("cargo-zigbuild").display(),
            platform.zig,
        );
        let environment = [
            ("CARGO_ZIGBUILD_ZIG_PATH", program.clone()),
            ("CARGO_ZIGBUILD_CACHE_DIR", folder.join("wrappers")),
            ("ZIG_GLOBAL_CACHE_DIR", folder.join("global")),
            ("ZIG_LOCAL_CACHE_DIR", folder.join("local")),
        ];
        Ok(Zig {
            line,
            program,
            environment: environment.map(|(name, value)| (name.into(), value.into())).into(),
            folder: folder.join(platform.triple()),
        })
    }

    /// A zig command.
    pub(super) fn command(&self, subcommand: &str) -> Command {
        let mut zig = Command::new(&self.program);
        zig.envs(self.environment.clone()).arg(subcommand);
        zig
    }

    /// zig as a C or C++ compiler, without its sanitizers and without debug information.
    pub(super) fn compiler(&self, platform: &Platform, language: &str) -> Command {
        let mut compiler = self.command(language);
        compiler.args(["-target", platform.zig]);
        if platform.processor() == Processor::Armv7 {
            compiler.arg("-mcpu=generic+v7a");
        }
        compiler.args(["-g0", "-fno-sanitize=all", "-fno-stack-protector"]);
        compiler
    }

    /// Writes one linker script for all uses, because cargo recompiles everything if the linker
    /// changes.
    pub(super) fn linker(self, platform: &Platform, files: &[PathBuf]) -> Result<Linker> {
        let files: String = files.iter().map(|file| format!(" '{}'", file.display())).collect();
        let windows = include_str!("../../../linkers/windows.sh");
        let before = if platform.is_windows() { windows } else { "" };
        let script = format!("#!/bin/sh\n{before}exec {}{files} \"$@\"\n", self.line);
        let program = self.folder.join("cc");
        write_new(&program, &script)?;
        let mut linker = Linker::new(platform, &program);
        linker.environment.extend(self.environment);
        Ok(linker)
    }

    /// Writes a stub library to link against: it defines these functions without code.
    pub(super) fn stub<'a>(
        &self,
        platform: &Platform,
        name: &str,
        functions: impl Iterator<Item = &'a str>,
        versions: &str,
    ) -> Result<PathBuf> {
        let file = |ending: &str| self.folder.join(format!("{name}{ending}"));
        let (library, source, script) = (file(""), file(".c"), file(".map"));
        let text: String = functions.map(|name| format!("void {name}(void) {{}}\n")).collect();
        let is_new = write_new(&source, &text)? | write_new(&script, versions)?;
        if !is_new && library.exists() {
            return Ok(library);
        }
        let mut compiler = self.compiler(platform, "cc");
        compiler.args(["-shared", "-nostdlib", "-ffreestanding", "-w", "-fno-unwind-tables"]);
        compiler.args(["-fno-asynchronous-unwind-tables", &format!("-Wl,-soname,{name}")]);
        if !versions.is_empty() {
            compiler.arg(format!("-Wl,--version-script={}", script.display()));
        }
        process::shown(compiler.arg("-o").args([&library, &source]))?;
        Ok(library)
    }

    /// Writes a stub of `libgcc_s.so.1` with the functions that Rust's standard library calls, and
    /// their symbol versions. For 32-bit Arm the unwind tables and registers follow its own ABI
    /// (EHABI).
    ///
    /// By default zig links LLVM's unwinder. But glibc ends a thread (`pthread_exit`) by unwinding
    /// the stack with `libgcc_s.so.1`, which cannot read the frames of another unwinder. CPython
    /// calls that function for threads that still run when the interpreter ends: the process would
    /// crash.
    pub(super) fn unwinder(&self, platform: &Platform) -> Result<PathBuf> {
        let versions = match platform.processor() {
            Processor::Armv7 => include_str!("../../../linkers/libgcc_s.armv7.map"),
            _ => include_str!("../../../linkers/libgcc_s.map"),
        };
        let words = versions.split_whitespace().filter_map(|word| word.strip_suffix(';'));
        let functions = words.filter(|word| word.starts_with('_'));
        self.stub(platform, "libgcc_s.so.1", functions, versions)
    }

    /// Creates a folder with an empty Node library, because napi's build script requires one. The
    /// module itself looks up Node's functions in the program that loads it.
    pub(super) fn node(&self) -> Result<PathBuf> {
        let folder = made(self.folder.join("node"))?;
        fs::write(folder.join("libnode.dll"), "")?;
        fs::write(folder.join("libnode.a"), "!<arch>\n")?;
        Ok(folder)
    }

    /// Compiles the version resource, which Windows shows as the properties of a file.
    pub(super) fn version_resource(&self) -> Result<PathBuf> {
        let (source, resource) = (self.folder.join("version.rc"), self.folder.join("version.res"));
        let text = include_str!("../../../linkers/version.rc").replace("@VERSION@", VERSION);
        let text = text.replace("@NUMBERS@", &VERSION.replace('.', ","));
        if write_new(&source, &text)? || !resource.exists() {
            let mut compiler = self.command("rc");
            compiler.args(["/:auto-includes", "none"]).args([&source, &resource]);
            let label = "version for Windows (zig compiles its compiler first)";
            process::titled(label, &mut compiler)?;
        }
        Ok(resource)
    }
}
