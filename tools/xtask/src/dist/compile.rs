//! Compiles the library as it is shipped: profile `dist`, no path of this machine in it, and on
//! Linux linked against an old glibc.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::gates::GLIBC;
use super::packages::Packages;
use super::platform::{self, Platform};
use crate::process;
use crate::python::Venv;
use crate::workspace::Workspace;

/// The environment with the linker for older glibc versions: zig, which brings the symbol lists of
/// every glibc, and the tool that gives it what rustc gives a linker.
pub(crate) fn linker_venv(workspace: &Workspace) -> Venv {
    let requirements = workspace.xtask().join("requirements-dist.txt");
    Venv::new(workspace, "venv-dist", &requirements)
}

/// What the compiler made.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) shared: PathBuf,
    pub(crate) archive: PathBuf,
    /// What a program that takes in the static library links too, such as `-lm`.
    pub(crate) native_libraries: String,
}

/// Compiles, or finds that everything is up to date.
pub(crate) fn compile(
    workspace: &Workspace,
    platform: &Platform,
    packages: &Packages,
) -> Result<Compiled> {
    let directory = workspace.target().join(platform.triple()).join("dist");
    let libraries = directory.join("native-static-libs");
    let mut cargo = cargo(workspace, platform)?;
    cargo
        .args(["--package", "speech-ffi", "--profile", "dist", "--locked"])
        // Without the rlib: cargo leaves link-time optimisation out where there is one.
        .args(["--crate-type", "cdylib", "--crate-type", "staticlib", "--"])
        .arg(format!("--print=native-static-libs={}", libraries.display()));
    keep_paths_out(&mut cargo, workspace, packages)?;
    fs::create_dir_all(&directory)
        .with_context(|| format!("cannot make {}", directory.display()))?;
    process::shown(&mut cargo)?;
    let native = fs::read_to_string(&libraries)
        .with_context(|| format!("cannot read {}", libraries.display()))?;
    // A compiler links its own unwinder, which for `-static` is another library.
    let native = native.split_whitespace().filter(|library| *library != "-lgcc_s");
    Ok(Compiled {
        shared: directory.join(platform.built_library()),
        archive: directory.join("libspeech.a"),
        native_libraries: native.collect::<Vec<_>>().join(" "),
    })
}

/// Compiles a package whose library is a module of another language, and gives that.
pub(crate) fn module(
    workspace: &Workspace,
    platform: &Platform,
    packages: &Packages,
    package: &str,
) -> Result<PathBuf> {
    let mut cargo = cargo(workspace, platform)?;
    cargo.args(["--package", package, "--profile", "dist", "--locked"]);
    keep_paths_out(&mut cargo, workspace, packages)?;
    process::shown(&mut cargo)?;
    let directory = workspace.target().join(platform.triple()).join("dist");
    Ok(directory.join(platform.built_module(package)))
}

fn cargo(workspace: &Workspace, platform: &Platform) -> Result<Command> {
    let mut cargo = workspace.cargo("rustc");
    cargo.args(["--target", platform.triple()]);
    link(&mut cargo, workspace, platform)?;
    Ok(cargo)
}

/// Tells cargo, or a program that runs it, what links: on Linux zig, against an older glibc than the machine's own. Cargo
/// compiles everything again where it is told another linker, so that this is one script for all.
pub(crate) fn link(
    command: &mut Command,
    workspace: &Workspace,
    platform: &Platform,
) -> Result<()> {
    if !platform.has_glibc() {
        return Ok(());
    }
    let venv = linker_venv(workspace);
    venv.ensure()?;
    let folder = workspace.target().join("zig");
    let zig = format!(
        "'{}' zig cc -- -g -fno-sanitize=all -target {}.{GLIBC}",
        venv.program("cargo-zigbuild").display(),
        platform.triple().replace("-unknown", ""),
    );
    let unwinder = folder.join(platform.triple()).join("libgcc_s.so.1");
    let linker = folder.join("cc");
    let script = format!("#!/bin/sh\nexec {zig} '{}' \"$@\"\n", unwinder.display());
    let environment = [
        ("CARGO_ZIGBUILD_ZIG_PATH", venv.package("ziglang")?.join("zig")),
        ("CARGO_ZIGBUILD_CACHE_DIR", folder.join("wrappers")),
        ("ZIG_GLOBAL_CACHE_DIR", folder.join("global")),
        ("ZIG_LOCAL_CACHE_DIR", folder.join("local")),
    ];
    if fs::read_to_string(&linker).map_or(true, |found| found != script) {
        let mut compiler = Command::new("sh");
        compiler.envs(environment.clone()).arg("-c").arg(format!("exec {zig} \"$@\"")).arg("zig");
        import_library(compiler, &unwinder)?;
        write_program(&linker, &script)
            .with_context(|| format!("cannot write {}", linker.display()))?;
    }
    let variable = platform.triple().replace('-', "_").to_uppercase();
    command.env(format!("CARGO_TARGET_{variable}_LINKER"), linker).envs(environment);
    Ok(())
}

/// The functions of `libgcc_s.so.1` that Rust's standard library calls, by the version that each came with.
const UNWINDER: [(&str, &[&str]); 3] = [
    (
        "GCC_3.0",
        &[
            "_Unwind_DeleteException",
            "_Unwind_GetDataRelBase",
            "_Unwind_GetIP",
            "_Unwind_GetLanguageSpecificData",
            "_Unwind_GetRegionStart",
            "_Unwind_GetTextRelBase",
            "_Unwind_RaiseException",
            "_Unwind_Resume",
            "_Unwind_SetGR",
            "_Unwind_SetIP",
        ],
    ),
    (
        "GCC_3.3",
        &[
            "_Unwind_Backtrace",
            "_Unwind_FindEnclosingFunction",
            "_Unwind_GetCFA",
            "_Unwind_Resume_or_Rethrow",
        ],
    ),
    ("GCC_4.2.0", &["_Unwind_GetIPInfo"]),
];

/// Makes a library to link against in place of `libgcc_s.so.1`, with its names and versions and no code.
///
/// zig would link an unwinder of its own, LLVM's. But when glibc ends a thread (`pthread_exit`, which CPython calls in
/// threads that still run when the interpreter ends), it unwinds the stack with `libgcc_s.so.1`, whose frames the handlers
/// of another unwinder cannot read: the process crashes.
fn import_library(mut compiler: Command, library: &Path) -> Result<()> {
    let folder = library.parent().context("the library has no folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let (source, versions) = (folder.join("libgcc_s.c"), folder.join("libgcc_s.map"));
    let (mut functions, mut version_script) = (String::new(), String::new());
    for (version, names) in UNWINDER {
        version_script.push_str(&format!("{version} {{ global: {}; }};\n", names.join("; ")));
        functions.extend(names.iter().map(|name| format!("void {name}(void) {{}}\n")));
    }
    fs::write(&source, functions).with_context(|| format!("cannot write {}", source.display()))?;
    fs::write(&versions, version_script)
        .with_context(|| format!("cannot write {}", versions.display()))?;
    compiler
        .args(["-shared", "-nostdlib", "-Wl,-soname,libgcc_s.so.1"])
        .arg(format!("-Wl,--version-script={}", versions.display()))
        .arg("-o")
        .args([library, &source]);
    process::shown(&mut compiler)
}

fn write_program(path: &Path, script: &str) -> std::io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    let partial = path.with_extension("partial");
    fs::write(&partial, script)?;
    #[cfg(unix)]
    fs::set_permissions(&partial, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    fs::rename(partial, path)
}

/// Has the compiler name no path of this machine in what it makes.
pub(crate) fn keep_paths_out(
    command: &mut Command,
    workspace: &Workspace,
    packages: &Packages,
) -> Result<()> {
    let flags = encode(&renamings(workspace, packages)?);
    command.env_remove("RUSTFLAGS").env("CARGO_ENCODED_RUSTFLAGS", flags);
    Ok(())
}

/// Paths of this machine and what stands for them in panic messages; of two that fit, the compiler
/// takes the later one.
fn renamings(workspace: &Workspace, packages: &Packages) -> Result<Vec<(PathBuf, &'static str)>> {
    let sysroot = PathBuf::from(platform::rustc(&["--print", "sysroot"])?);
    let mut renamings = vec![
        (workspace.root().to_path_buf(), "/libspeech"),
        (workspace.target().to_path_buf(), "/target"),
        (sysroot.join("lib/rustlib/src/rust"), "/rustc"),
    ];
    renamings.extend(packages.source_directories().into_iter().map(|path| (path, "/crates")));
    Ok(renamings)
}

/// Directories that must not be named in the library.
pub(crate) fn private_directories(workspace: &Workspace) -> Vec<PathBuf> {
    let home = env::home_dir();
    let cargo = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| home.as_ref().map(|home| home.join(".cargo")));
    let directories = [home, cargo].into_iter().flatten();
    directories
        .chain([workspace.root().to_path_buf(), workspace.target().to_path_buf()])
        .filter(|directory| directory.parent().is_some())
        .collect()
}

/// Flags as cargo reads them from the environment, where a path may have spaces in it.
fn encode(renamings: &[(PathBuf, &str)]) -> OsString {
    let mut flags = OsString::new();
    for (from, to) in renamings {
        if !flags.is_empty() {
            flags.push("\u{1f}");
        }
        flags.push("--remap-path-prefix=");
        flags.push(from);
        flags.push("=");
        flags.push(to);
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_spaces_is_one_flag() {
        let flags = encode(&[("/my home".into(), "/h"), ("/b".into(), "/c")]);
        assert_eq!(
            flags.to_str().unwrap(),
            "--remap-path-prefix=/my home=/h\u{1f}--remap-path-prefix=/b=/c"
        );
    }
}
