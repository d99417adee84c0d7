//! The tree that `cargo xtask dist` builds, and C programs compiled against it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The path of the tree.
///
/// # Panics
///
/// If `SPEECH_DIST` is not set. `cargo xtask test` builds the tree and sets it.
pub fn tree() -> PathBuf {
    let tree = std::env::var_os("SPEECH_DIST");
    tree.expect("these tests need the distribution: run `cargo xtask test`").into()
}

/// The archive of the tree, beside it.
///
/// # Panics
///
/// If it does not exist. `cargo xtask test` builds it.
pub fn package() -> PathBuf {
    let mut package = tree().into_os_string();
    package.push(".tar.gz");
    let package = PathBuf::from(package);
    assert!(package.is_file(), "{} is missing: run `cargo xtask test`", package.display());
    package
}

/// The shared library of the tree.
///
/// # Panics
///
/// If there is none.
pub fn library() -> PathBuf {
    let names = ["lib/libspeech.so", "lib/libspeech.dylib", "bin/speech.dll"];
    let found = names.map(|name| tree().join(name)).into_iter().find(|path| path.exists());
    found.expect("the tree has a shared library")
}

/// Whether the tree is for Windows.
pub fn is_for_windows() -> bool {
    tree().join("bin/speech.dll").exists()
}

/// The functions in a header, each with its first parameter.
pub fn functions(header: &str) -> BTreeMap<String, String> {
    let code = header.lines().filter(|line| !line.starts_with("//") && !line.starts_with(" *"));
    let code: String = code.collect::<Vec<_>>().join("\n");
    let function = |declaration: &str| {
        let (start, parameters) = declaration.split_once('(')?;
        let name = start.rsplit([' ', '*', '\n']).next()?;
        let first = parameters.split([',', ')']).next()?;
        name.starts_with("speech_").then(|| (name.to_owned(), first.to_owned()))
    };
    code.split("SPEECH_API").skip(1).filter_map(function).collect()
}

/// A way to build and run the programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// As a user does.
    Plain,
    /// Linked with the static library.
    Static,
    /// Linked only with static libraries, including the C library.
    FullyStatic,
    /// With AddressSanitizer, its leak detection, and UndefinedBehaviorSanitizer.
    Sanitized,
    /// Under valgrind's memcheck.
    Valgrind,
}

/// Compiles C programs to a separate directory, with warnings as errors.
pub struct Programs {
    mode: Mode,
    dir: tempfile::TempDir,
}

impl Programs {
    /// # Panics
    ///
    /// If the directory cannot be created.
    pub fn new(mode: Mode) -> Self {
        let dir = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR").to_owned() + "/../target")
            .or_else(|_| tempfile::tempdir())
            .expect("a temporary directory");
        let programs = Self { mode, dir };
        fs::write(programs.dir.path().join("counted.h"), counted()).expect("a writable directory");
        programs
    }

    /// Compiles `tests/c/NAME.c`.
    ///
    /// # Panics
    ///
    /// If the compiler prints anything.
    pub fn compile(&self, name: &str) -> PathBuf {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("c").join(name).with_extension("c");
        self.compile_with(&tree().join("include"), &source)
    }

    /// Compiles a program with a header from another folder.
    ///
    /// # Panics
    ///
    /// If the compiler prints anything.
    pub fn compile_with(&self, include: &Path, source: &Path) -> PathBuf {
        let program = program_file(
            self.dir.path(),
            &source.file_stem().unwrap_or_default().to_string_lossy(),
        );
        let mut compiler = compiler();
        compiler
            .args(["-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-Wpedantic"])
            .args(["-Werror", "-Wshadow", "-Wstrict-prototypes", "-Wconversion", "-pthread"])
            .arg("-I")
            .arg(include)
            .arg("-I")
            .arg(self.dir.path());
        if is_for_windows() {
            // C11 formats, which Microsoft's C library lacks.
            compiler.arg("-D__USE_MINGW_ANSI_STDIO=1");
        }
        if self.mode == Mode::Sanitized {
            compiler.args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
        }
        compiler.arg(source).arg("-o").arg(&program);
        self.link(&mut compiler);
        expect_success(&mut compiler);
        program
    }

    fn link(&self, compiler: &mut Command) {
        if let Mode::Static | Mode::FullyStatic = self.mode {
            add_flags(compiler, "libspeech-static");
        } else {
            link_shared(compiler);
        }
        if self.mode == Mode::FullyStatic {
            compiler.arg("-static");
        }
    }

    /// The command that runs a compiled program. The library finds its voices by itself, in the
    /// tree.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = if self.mode == Mode::Valgrind {
            let mut valgrind = Command::new("valgrind");
            let suppressions = Path::new(env!("CARGO_MANIFEST_DIR")).join("c/valgrind.supp");
            valgrind
                .args(["--quiet", "--error-exitcode=99", "--leak-check=full"])
                .args(["--show-leak-kinds=definite,indirect", "--errors-for-leak-kinds=definite"])
                .arg(format!("--suppressions={}", suppressions.display()))
                .arg(program);
            valgrind
        } else {
            run(program)
        };
        without_settings(&mut command);
        command
            .env("SPEECH_CALLED", self.dir.path().join("called.txt"))
            .env("ASAN_OPTIONS", "detect_leaks=1:abort_on_error=0")
            .env("UBSAN_OPTIONS", "print_stacktrace=1");
        command
    }

    /// Whether to run a program in this mode.
    ///
    /// - Valgrind runs one thread at a time, each 100 times slower. It would take 15 minutes or
    ///   more for `threads`, for the longest texts of `cases`, and for `live`, which processes its
    ///   text again for every piece. The sanitizers cover those.
    /// - `fork` reports false leaks under valgrind: memory of a child that only other threads of
    ///   its parent referred to.
    /// - On an emulator the static library behaves like the shared one, which runs all programs.
    pub fn has_time_for(&self, program: &str) -> bool {
        let is_slow = self.mode == Mode::Valgrind || (self.mode == Mode::Static && is_emulated());
        !is_slow || !["threads", "cases", "live", "fork"].contains(&program)
    }

    /// The functions that the programs have called so far.
    pub fn called(&self) -> BTreeSet<String> {
        let called = fs::read_to_string(self.dir.path().join("called.txt")).unwrap_or_default();
        called.lines().map(str::to_owned).collect()
    }
}

/// The C compiler for the platform of the distribution: `SPEECH_CC`, else that of this machine.
pub fn compiler() -> Command {
    Command::new(std::env::var_os("SPEECH_CC").unwrap_or_else(|| "cc".into()))
}

/// The C++ compiler: `SPEECH_CXX`, else that of this machine.
pub fn cxx_compiler() -> Command {
    Command::new(std::env::var_os("SPEECH_CXX").unwrap_or_else(|| "c++".into()))
}

/// Links a program with the shared library in the tree.
///
/// # Panics
///
/// If pkg-config does not run.
pub fn link_shared(compiler: &mut Command) {
    add_flags(compiler, "libspeech");
    if !is_for_windows() {
        compiler.arg(format!("-Wl,-rpath,{}", tree().join("lib").display()));
    }
}

/// Adds pkg-config's flags for a library of the distribution to a compiler command.
fn add_flags(compiler: &mut Command, library: &str) {
    let mut pkg_config = Command::new("pkg-config");
    pkg_config.args(["--cflags", "--libs", library]);
    let flags = expect_success(pkg_config.env("PKG_CONFIG_PATH", tree().join("lib/pkgconfig")));
    compiler.args(flags.split_whitespace());
}

/// The file name of a program on the platform of the distribution.
pub fn program_file(folder: &Path, name: &str) -> PathBuf {
    folder.join(if is_for_windows() { format!("{name}.exe") } else { name.to_owned() })
}

/// The command that runs a program of the distribution's platform. `SPEECH_RUNNER` precedes it if
/// that is another platform. Windows programs find the library through `PATH`.
pub fn run(program: &Path) -> Command {
    let runner = std::env::var("SPEECH_RUNNER").unwrap_or_default();
    let words: Vec<_> =
        runner.split_whitespace().map(OsStr::new).chain([program.as_os_str()]).collect();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]);
    if is_for_windows() {
        let folder = tree().join("bin");
        if cfg!(windows) {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let folders = [folder].into_iter().chain(std::env::split_paths(&path));
            command.env("PATH", std::env::join_paths(folders).expect("folders of PATH"));
        } else {
            command.env("WINEPATH", path_of(&folder));
        }
    }
    command
}

/// Whether an emulator runs the programs, 100 times slower.
pub fn is_emulated() -> bool {
    std::env::var_os("SPEECH_RUNNER").is_some_and(|words| !words.is_empty())
}

/// Whether the distribution is for another platform than these tests, with another math library.
pub fn is_foreign() -> bool {
    std::env::var_os("SPEECH_CC").is_some() || is_for_windows()
}

/// The path of a file for a program of the distribution's platform.
pub fn path_of(path: &Path) -> String {
    if is_for_windows() && !cfg!(windows) {
        format!("Z:{}", path.display()).replace('/', "\\")
    } else {
        path.display().to_string()
    }
}

/// The same file on another drive of Windows, under Wine.
///
/// # Panics
///
/// If Wine's folder cannot be written to.
pub fn other_drive(path: &Path) -> Option<String> {
    let prefix = PathBuf::from(std::env::var_os("WINEPREFIX")?);
    let folder = path.parent()?;
    #[cfg(unix)]
    {
        let drive = prefix.join("dosdevices").join("e:");
        let _ = fs::remove_file(&drive);
        std::os::unix::fs::symlink(folder, drive).expect("Wine's drives");
    }
    Some(format!("E:\\{}", path.strip_prefix(folder).ok()?.display()))
}

/// Removes the settings of this machine from a command: the program finds the voices by itself.
pub fn without_settings(command: &mut Command) -> &mut Command {
    for variable in ["SPEECH_BUNDLE", "SPEECH_THREADS", "SPEECH_CACHE"] {
        command.env_remove(variable);
    }
    command
}

/// A header that records each function of `speech.h` that a program calls, and writes them to a
/// file at exit.
fn counted() -> String {
    let header = fs::read_to_string(tree().join("include/speech.h")).expect("the header is there");
    let functions = functions(&header);
    let names: String = functions.keys().map(|name| format!("    \"{name}\",\n")).collect();
    let macros = functions.keys().enumerate().map(|(i, name)| {
        format!("#define {name}(...) (atomic_store(&called_[{i}], 1), {name}(__VA_ARGS__))\n")
    });
    COUNTED.replace("COUNT", &functions.len().to_string()).replace("NAMES", &names)
        + &macros.collect::<String>()
}

const COUNTED: &str = r#"// Made by a test: notes which functions are called.
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int called_[COUNT];

__attribute__((destructor)) static void write_called_(void) {
  static const char *const names[COUNT] = {
NAMES  };
  const char *path = getenv("SPEECH_CALLED");
  FILE *file = path != NULL ? fopen(path, "a") : NULL;
  for (int i = 0; file != NULL && i < COUNT; i++) {
    if (atomic_load(&called_[i])) {
      fprintf(file, "%s\n", names[i]);
    }
  }
  if (file != NULL) {
    fclose(file);
  }
}

"#;

/// Runs a command that must succeed, and returns its stdout.
///
/// # Panics
///
/// If it fails, or prints to stderr.
pub fn expect_success(command: &mut Command) -> String {
    let output: Output =
        command.output().unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && stderr.is_empty(),
        "{command:?}: {}\n{stderr}",
        output.status
    );
    text(output.stdout)
}

/// The output of a program. On Windows, lines end with CR LF.
///
/// # Panics
///
/// If it is not UTF-8.
pub fn text(stdout: Vec<u8>) -> String {
    let text = String::from_utf8(stdout).expect("UTF-8");
    if is_for_windows() { text.replace("\r\n", "\n") } else { text }
}
