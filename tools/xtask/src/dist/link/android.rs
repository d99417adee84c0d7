//! LLVM's linker for Android, without Google's native development kit: libraries that have the names of the functions of Android's
//! that are called, and no code, and an unwinder, which on Android every library brings.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::zig::{Zig, target};
use super::{Linker, lld, venv};
use crate::dist::platform::{Platform, Processor};
use crate::process;
use crate::progress::Item;
use crate::workspace::Workspace;

/// The largest pages of memory that a system may have, in bytes: 16 KB from Android 15 on.
pub(crate) const PAGE: u64 = 16_384;

/// The name by which Java loads the library.
const NAME: &str = "libspeech_jvm.so";

/// The libraries of Android that are called, with the functions that are. Every system from API level 23 has them: a test loads the
/// package with the libraries of that system.
const CALLED: [(&str, &[&str]); 4] = [
    (
        "libc",
        &[
            "__errno",
            "__register_atfork",
            "__system_property_get",
            "abort",
            "calloc",
            "clock_gettime",
            "close",
            "fcntl",
            "fflush",
            "fprintf",
            "free",
            "fstat",
            "fwrite",
            "getauxval",
            "getcwd",
            "getenv",
            "getpid",
            "lseek64",
            "malloc",
            "memcmp",
            "memcpy",
            "memmove",
            "memset",
            "mmap",
            "mmap64",
            "munmap",
            "open",
            "poll",
            "posix_memalign",
            "prctl",
            "pthread_attr_destroy",
            "pthread_attr_init",
            "pthread_attr_setstacksize",
            "pthread_create",
            "pthread_detach",
            "pthread_getspecific",
            "pthread_join",
            "pthread_key_create",
            "pthread_key_delete",
            "pthread_setspecific",
            "read",
            "readlink",
            "realloc",
            "realpath",
            "sched_getaffinity",
            "sched_yield",
            "snprintf",
            "stat",
            "stderr",
            "strerror_r",
            "strlen",
            "syscall",
            "sysconf",
            "write",
            "writev",
        ],
    ),
    (
        "libm",
        &[
            "cos", "cosf", "exp", "exp2", "expf", "log", "log10", "log2", "pow", "powf", "sin",
            "tanhf",
        ],
    ),
    ("libdl", &["dl_iterate_phdr", "dladdr", "dlsym"]),
    ("liblog", &[]),
];

/// The functions of Android that may be called.
pub(crate) fn called() -> impl Iterator<Item = &'static str> {
    CALLED.iter().flat_map(|(_, functions)| functions.iter().copied())
}

/// Makes the libraries to link against.
pub(super) fn linker(workspace: &Workspace, platform: &Platform) -> Result<Linker> {
    let zig = Zig::new(workspace, platform, "")?;
    fs::create_dir_all(&zig.folder)
        .with_context(|| format!("cannot make {}", zig.folder.display()))?;
    let compiler = Compiler { zig: &zig, platform };
    for (library, functions) in CALLED {
        compiler.names(library, functions)?;
    }
    let sources = venv(workspace).package("ziglang")?.join("lib").join("libunwind");
    compiler.unwinder(&sources)?;
    let mut linker = Linker::new(platform, &lld()?);
    linker.flags.push("-Clinker-flavor=ld.lld".into());
    let folder = format!("-L{}", zig.folder.display());
    let page = format!("max-page-size={PAGE}");
    for argument in [&folder, "-z", "defs", "-z", &page, "-soname", NAME] {
        linker.flags.push(format!("-Clink-arg={argument}").into());
    }
    Ok(linker)
}

struct Compiler<'a> {
    zig: &'a Zig,
    platform: &'a Platform,
}

impl Compiler<'_> {
    /// A shared library that has functions of these names.
    fn names(&self, library: &str, functions: &[&str]) -> Result<()> {
        let source = self.zig.folder.join(format!("{library}.c"));
        let library = self.zig.folder.join(format!("{library}.so"));
        let text: String =
            functions.iter().map(|name| format!("void {name}(void) {{}}\n")).collect();
        if library.exists() && fs::read_to_string(&source).is_ok_and(|old| old == text) {
            return Ok(());
        }
        fs::write(&source, text).with_context(|| format!("cannot write {}", source.display()))?;
        let mut zig = self.command("cc");
        zig.args(["-shared", "-nostdlib", "-ffreestanding", "-w"]);
        zig.args(["-fno-unwind-tables", "-fno-asynchronous-unwind-tables"]);
        let name = library.file_name().unwrap_or_default().display().to_string();
        process::shown(zig.arg(format!("-Wl,-soname,{name}")).arg("-o").args([&library, &source]))
    }

    /// LLVM's unwinder from its sources, which come with zig.
    ///
    /// zig has no headers of Android's. Those of musl agree with them in what the unwinder uses, but for the size of a lock: it is
    /// compiled without. It would be for tables that a program adds while it runs, which nobody does; those of a library are
    /// only read.
    fn unwinder(&self, sources: &Path) -> Result<()> {
        let archive = self.zig.folder.join("libunwind.a");
        if archive.exists() {
            return Ok(());
        }
        let item = Item::start(format!("unwinder for {}", self.platform.triple()));
        let mut objects = Vec::new();
        for source in SOURCES {
            let object = self.zig.folder.join(source).with_extension("o");
            let is_cpp = source.ends_with(".cpp");
            let mut zig = self.command(if is_cpp { "c++" } else { "cc" });
            zig.args(if is_cpp { &CPP[..] } else { &["-fexceptions"] }).args(FLAGS);
            zig.arg("-I").arg(sources.join("include"));
            zig.arg("-c").arg(sources.join("src").join(source)).arg("-o").arg(&object);
            process::quiet(&mut zig, &item)?;
            objects.push(object);
        }
        self.archive(&objects, &archive, &item)?;
        item.finish("");
        Ok(())
    }

    fn archive(&self, objects: &[PathBuf], archive: &Path, item: &Item) -> Result<()> {
        let partial = archive.with_extension("partial");
        if partial.exists() {
            fs::remove_file(&partial)
                .with_context(|| format!("cannot remove {}", partial.display()))?;
        }
        let mut ar = Command::new(&self.zig.program);
        ar.envs(self.zig.environment.clone()).args(["ar", "rcs"]).arg(&partial).args(objects);
        process::quiet(&mut ar, item)?;
        fs::rename(&partial, archive).with_context(|| format!("cannot write {}", archive.display()))
    }

    fn command(&self, language: &str) -> Command {
        let mut zig = Command::new(&self.zig.program);
        zig.envs(self.zig.environment.clone()).args([language, "-target", &target(self.platform)]);
        if self.platform.processor() == Processor::Armv7 {
            zig.arg("-mcpu=generic+v7a");
        }
        zig.args(["-g0", "-fno-sanitize=all", "-fno-stack-protector"]);
        zig
    }
}

/// The sources of the unwinder, in the way that its own build files have them.
const SOURCES: [&str; 6] = [
    "libunwind.cpp",
    "Unwind-EHABI.cpp",
    "UnwindLevel1.c",
    "UnwindLevel1-gcc-ext.c",
    "UnwindRegistersSave.S",
    "UnwindRegistersRestore.S",
];

const CPP: [&str; 4] = ["-std=c++17", "-nostdinc++", "-fno-exceptions", "-fno-rtti"];

/// `errno` has another function on Android, and what of the unwinder nobody else shall see is hidden.
const FLAGS: [&str; 9] = [
    "-O2",
    "-fPIC",
    "-fvisibility=hidden",
    "-funwind-tables",
    "-DNDEBUG",
    "-D__errno_location=__errno",
    "-D_LIBUNWIND_HAS_NO_THREADS",
    "-D_LIBUNWIND_HIDE_SYMBOLS",
    "-D_LIBUNWIND_IS_NATIVE_ONLY",
];
