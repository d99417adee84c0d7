//! zig, as the C compiler and the linker of Linux and Windows: it has the symbol lists of every glibc, musl and mingw-w64.

use std::ffi::OsString;

use super::{Linker, TOOLS, write_new, zig_folder};
use crate::dist::VERSION;
use crate::dist::platform::{Platform, Processor, System};
use crate::prelude::*;

/// zig as a C compiler for a platform.
pub(super) struct Zig {
    /// A line of a shell.
    line: String,
    pub(super) program: PathBuf,
    pub(super) environment: Vec<(String, OsString)>,
    pub(super) folder: PathBuf,
}

impl Zig {
    /// The version is that of the C library, or empty.
    pub(super) fn new(platform: &Platform, version: &str) -> Result<Self> {
        let program = zig_folder()?.join(format!("zig{}", std::env::consts::EXE_SUFFIX));
        let folder = target().join("zig");
        let line = format!(
            "'{}' zig cc -- -g -fno-sanitize=all -target {}{version}",
            TOOLS.program("cargo-zigbuild").display(),
            target_of(platform),
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

    /// A command of zig itself.
    pub(super) fn command(&self, subcommand: &str) -> Command {
        let mut zig = Command::new(&self.program);
        zig.envs(self.environment.clone()).arg(subcommand);
        zig
    }

    /// Cargo compiles everything again where it is told another linker, so that this is one script for all.
    pub(super) fn linker(self, platform: &Platform, files: &[OsString]) -> Result<Linker> {
        let files: Vec<_> = files.iter().map(|file| format!(" '{}'", file.display())).collect();
        let before = if platform.is_windows() { FOR_WINDOWS } else { "" };
        let script = format!("#!/bin/sh\n{before}exec {}{} \"$@\"\n", self.line, files.concat());
        let program = self.folder.join("cc");
        write_new(&program, &script)?;
        let mut linker = Linker::new(platform, &program);
        linker.environment.extend(self.environment);
        Ok(linker)
    }

    /// Makes a library to link against in place of `libgcc_s.so.1`, with its names and versions and no code.
    ///
    /// zig would link an unwinder of its own, LLVM's. But when glibc ends a thread (`pthread_exit`, which CPython calls in
    /// threads that still run when the interpreter ends), it unwinds the stack with `libgcc_s.so.1`, whose frames the handlers
    /// of another unwinder cannot read: the process crashes.
    pub(super) fn unwinder(&self, platform: &Platform) -> Result<PathBuf> {
        let library = self.folder.join("libgcc_s.so.1");
        let (source, versions) = (self.folder.join("libgcc_s.c"), self.folder.join("libgcc_s.map"));
        let (mut functions, mut version_script) = (String::new(), String::new());
        for (version, names) in unwinder(platform.processor()) {
            version_script.push_str(&format!("{version} {{ global: {}; }};\n", names.join("; ")));
            functions.extend(names.iter().map(|name| format!("void {name}(void) {{}}\n")));
        }
        let is_old = write_new(&versions, &version_script)? || !library.exists();
        if !is_old {
            return Ok(library);
        }
        fs::write(&source, functions)?;
        let mut compiler = Command::new("sh");
        compiler.envs(self.environment.clone()).arg("-c");
        compiler.arg(format!("exec {} \"$@\"", self.line)).arg("zig");
        compiler.args(["-shared", "-nostdlib", "-Wl,-soname,libgcc_s.so.1"]);
        compiler.arg(format!("-Wl,--version-script={}", versions.display()));
        compiler.arg("-o").args([&library, &source]);
        process::shown(&mut compiler)?;
        Ok(library)
    }

    /// Makes a folder with a library of Node in which nothing is: napi's build script asks for one, though the module looks Node's
    /// functions up in the program that loads it.
    pub(super) fn node(&self) -> Result<PathBuf> {
        let folder = made(self.folder.join("node"))?;
        fs::write(folder.join("libnode.dll"), "")?;
        fs::write(folder.join("libnode.a"), "!<arch>\n")?;
        Ok(folder)
    }

    /// Compiles what Windows shows of a file: its version, and who made it.
    pub(super) fn version_resource(&self) -> Result<PathBuf> {
        let (source, resource) = (self.folder.join("version.rc"), self.folder.join("version.res"));
        let text = VERSION_RESOURCE
            .replace("@VERSION@", VERSION)
            .replace("@NUMBERS@", &VERSION.replace('.', ","));
        if write_new(&source, &text)? || !resource.exists() {
            let mut compiler = self.command("rc");
            compiler.args(["/:auto-includes", "none"]).args([&source, &resource]);
            process::titled(
                "version for Windows (zig compiles its compiler first)",
                &mut compiler,
            )?;
        }
        Ok(resource)
    }
}

/// A library for Windows says when it was linked, which would make it another file each time. And zig does not read the list of
/// exports that rustc gives the linker, and exports everything, unless it is given as an input.
const FOR_WINDOWS: &str = "\
export SOURCE_DATE_EPOCH=0
for argument do
    shift
    case $argument in
        -Wl,*.def) set -- \"$@\" \"${argument#-Wl,}\" ;;
        *) set -- \"$@\" \"$argument\" ;;
    esac
done
";

/// What zig calls a platform.
pub(super) fn target_of(platform: &Platform) -> String {
    let processor = match platform.processor() {
        Processor::X86_64 => "x86_64",
        Processor::Aarch64 => "aarch64",
        Processor::Armv7 => "arm",
        Processor::Universal => "",
    };
    let system = match platform.system() {
        System::Glibc if platform.processor() == Processor::Armv7 => "linux-gnueabihf",
        System::Glibc => "linux-gnu",
        System::Musl => "linux-musl",
        System::MacOs => "macos",
        System::Ios => "ios",
        System::IosSimulator => "ios-simulator",
        System::Windows => "windows-gnu",
        // The headers that fit best: zig has none of Android's.
        System::Android if platform.processor() == Processor::Armv7 => "linux-musleabi",
        System::Android => "linux-musl",
    };
    format!("{processor}-{system}")
}

/// Functions of `libgcc_s.so.1` that Rust's standard library calls, by the version that each came with.
fn unwinder(processor: Processor) -> Vec<(&'static str, Vec<&'static str>)> {
    let mut oldest = vec![
        "_Unwind_DeleteException",
        "_Unwind_GetDataRelBase",
        "_Unwind_GetLanguageSpecificData",
        "_Unwind_GetRegionStart",
        "_Unwind_GetTextRelBase",
        "_Unwind_RaiseException",
        "_Unwind_Resume",
    ];
    if processor == Processor::Armv7 {
        // The tables and the registers are those of the ABI of Arm (EHABI).
        let arm = vec![
            "_Unwind_Complete",
            "_Unwind_VRS_Get",
            "_Unwind_VRS_Set",
            "__aeabi_unwind_cpp_pr0",
            "__aeabi_unwind_cpp_pr1",
            "__gnu_unwind_frame",
        ];
        return vec![
            ("GCC_3.0", oldest),
            ("GCC_3.3", vec!["_Unwind_Resume_or_Rethrow"]),
            ("GCC_3.5", arm),
            ("GCC_4.3.0", vec!["_Unwind_Backtrace"]),
        ];
    }
    oldest.extend(["_Unwind_GetIP", "_Unwind_SetGR", "_Unwind_SetIP"]);
    let newer = vec![
        "_Unwind_Backtrace",
        "_Unwind_FindEnclosingFunction",
        "_Unwind_GetCFA",
        "_Unwind_Resume_or_Rethrow",
    ];
    vec![("GCC_3.0", oldest), ("GCC_3.3", newer), ("GCC_4.2.0", vec!["_Unwind_GetIPInfo"])]
}

/// In the language of resources: English, in Unicode.
const VERSION_RESOURCE: &str = r#"1 VERSIONINFO
FILEVERSION @NUMBERS@,0
PRODUCTVERSION @NUMBERS@,0
FILEFLAGSMASK 0x3f
FILEOS 0x40004
FILETYPE 2
BEGIN
  BLOCK "StringFileInfo"
  BEGIN
    BLOCK "040904b0"
    BEGIN
      VALUE "CompanyName", "The libspeech authors"
      VALUE "FileDescription", "Speech synthesis on the CPU, offline"
      VALUE "FileVersion", "@VERSION@"
      VALUE "LegalCopyright", "MIT OR Apache-2.0"
      VALUE "ProductName", "libspeech"
      VALUE "ProductVersion", "@VERSION@"
    END
  END
  BLOCK "VarFileInfo"
  BEGIN
    VALUE "Translation", 0x409, 1200
  END
END
"#;
