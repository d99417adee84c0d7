//! LLVM's linker for macOS, with lists of the symbols of the system.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use super::{Linker, MACOS, lld, venv, write_program};
use crate::dist::platform::Platform;
use crate::workspace::Workspace;

/// Writes the linker and the lists.
pub(super) fn linker(workspace: &Workspace, platform: &Platform) -> Result<Linker> {
    let folder = workspace.target().join("macos-linker");
    let stub = folder.join("sdk");
    let read = |name: &str| read(workspace, name);
    let libraries = stub.join("usr").join("lib");
    fs::create_dir_all(&libraries)
        .with_context(|| format!("cannot make {}", libraries.display()))?;
    let write = |path: PathBuf, text: &str| {
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    // On macOS the parts of the C library are other names of one library.
    for name in ["libSystem.tbd", "libc.tbd", "libm.tbd"] {
        write(libraries.join(name), &read("libSystem.tbd")?)?;
    }
    write(libraries.join("libiconv.tbd"), ICONV)?;
    write(stub.join("SDKSettings.json"), &read("SDKSettings.json")?)?;
    let program = folder.join("ld");
    write_program(&program, &LLD.replace("@LLD@", &lld()?.display().to_string()))?;
    let mut linker = Linker::new(platform, &program);
    linker.environment.extend([
        ("SDKROOT".to_owned(), stub.into_os_string()),
        ("MACOSX_DEPLOYMENT_TARGET".to_owned(), MACOS.into()),
    ]);
    linker.flags.push("-Clinker-flavor=ld64.lld".into());
    Ok(linker)
}

/// The symbols of the system library of macOS, `libSystem`, with the underscores of C.
pub(crate) fn system_symbols(workspace: &Workspace) -> Result<BTreeSet<String>> {
    let list = read(workspace, "libSystem.tbd")?;
    let words = list.split(|c: char| c.is_whitespace() || "[],'".contains(c));
    Ok(words.filter(|word| word.starts_with('_')).map(str::to_owned).collect())
}

/// A file of those that zig has about macOS.
fn read(workspace: &Workspace, name: &str) -> Result<String> {
    let venv = venv(workspace);
    venv.ensure()?;
    let path = venv.package("ziglang")?.join("lib/libc/darwin").join(name);
    fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

/// Rust's standard library asks for it, and calls nothing of it.
const ICONV: &str = "--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: '/usr/lib/libiconv.2.dylib'
exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ _iconv, _iconv_open, _iconv_close ]
...
";

/// Arguments for a C compiler become those for its linker, which rustc tells first for which system it is to link.
const LLD: &str = "#!/bin/sh
set -f
for argument do
    shift
    case $argument in
        -Wl) ;;
        -Wl,*)
            before=$IFS
            IFS=,
            set -- \"$@\" ${argument#-Wl,}
            IFS=$before
            ;;
        *) set -- \"$@\" \"$argument\" ;;
    esac
done
exec '@LLD@' \"$@\"
";
