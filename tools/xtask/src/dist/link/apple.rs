//! Links for macOS with LLVM's linker against symbol lists of the system.

use std::collections::BTreeSet;

use super::{Linker, MACOS, lld, write_new, zig_folder};
use crate::dist::platform::Platform;
use crate::prelude::*;

/// Writes the linker script and the symbol lists.
pub(super) fn linker(platform: &Platform) -> Result<Linker> {
    let folder = target().join("macos-linker");
    let stub = folder.join("sdk");
    // On macOS these C libraries are all part of one library.
    for name in ["libSystem.tbd", "libc.tbd", "libm.tbd"] {
        write_new(&stub.join("usr/lib").join(name), &read("libSystem.tbd")?)?;
    }
    // Rust's standard library links it without calling it.
    write_new(&stub.join("usr/lib/libiconv.tbd"), include_str!("../../../linkers/libiconv.tbd"))?;
    write_new(&stub.join("SDKSettings.json"), &read("SDKSettings.json")?)?;
    let program = folder.join("ld");
    let script = include_str!("../../../linkers/macos.sh");
    write_new(&program, &script.replace("@LLD@", &lld()?.display().to_string()))?;
    let mut linker = Linker::new(platform, &program);
    linker.environment.extend([
        ("SDKROOT".to_owned(), stub.into_os_string()),
        ("MACOSX_DEPLOYMENT_TARGET".to_owned(), MACOS.into()),
    ]);
    linker.flags.push("-Clinker-flavor=ld64.lld".into());
    Ok(linker)
}

/// The symbols of macOS's system library `libSystem`, with leading underscores.
pub(crate) fn system_symbols() -> Result<BTreeSet<String>> {
    let list = read("libSystem.tbd")?;
    let words = list.split(|c: char| c.is_whitespace() || "[],'".contains(c));
    Ok(words.filter(|word| word.starts_with('_')).map(str::to_owned).collect())
}

/// Reads one of zig's files for macOS.
fn read(name: &str) -> Result<String> {
    Ok(fs::read_to_string(zig_folder()?.join("lib/libc/darwin").join(name))?)
}
