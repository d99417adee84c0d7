//! The static library as it is shipped: without debugging information, and with the names of the
//! Rust standard library made local, so that it can be linked beside another Rust library.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::library::archive_exports;
use super::platform::Platform;
use super::toolchain;
use crate::process;
use crate::progress::Item;

/// Sections for the compiler: code for link-time optimisation, which was done.
const COMPILER_SECTIONS: [&str; 2] = [".llvmbc", ".llvmcmd"];

/// Writes the library to ship from the one that the compiler made. Names are made local in ELF objects alone: in the formats of
/// the other systems, objects of two Rust libraries can be linked beside each other where a linker takes the first definition.
/// That for Windows stays as it is: among its objects are imports from DLLs, which objcopy does not read.
pub(crate) fn finish(platform: &Platform, compiled: &Path, shipped: &Path) -> Result<()> {
    if platform.is_windows() {
        fs::copy(compiled, shipped)
            .with_context(|| format!("cannot write {}", shipped.display()))?;
        return Ok(());
    }
    let bytes =
        fs::read(compiled).with_context(|| format!("cannot read {}", compiled.display()))?;
    let mut objcopy = toolchain::program("rust-objcopy")?;
    objcopy.args(["--enable-deterministic-archives", "--strip-debug"]);
    if platform.has_elf() {
        for section in COMPILER_SECTIONS {
            objcopy.arg(format!("--remove-section={section}"));
        }
        let exports = archive_exports(&bytes)
            .with_context(|| format!("cannot read {}", compiled.display()))?;
        for name in exports.iter().filter(|name| !name.starts_with("speech_")) {
            objcopy.arg(format!("--localize-symbol={name}"));
        }
    }
    let item = Item::start("static library");
    process::quiet(objcopy.arg(compiled).arg(shipped), &item)?;
    item.finish("");
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn only_our_names_stay_visible() {
        let scratch = tempfile::tempdir().unwrap();
        let path = |name: &str| scratch.path().join(name);
        let source = "int rust_eh_personality(void) { return 1; }\n\
                      int speech_version(void) { return rust_eh_personality(); }\n";
        fs::write(path("a.c"), source).unwrap();
        let run = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(program);
            assert!(command.args(arguments).current_dir(&scratch).status().unwrap().success());
        };
        run("cc", &["-g", "-c", "a.c"]);
        run("ar", &["rc", "compiled.a", "a.o"]);
        finish(&Platform::of_host().unwrap(), &path("compiled.a"), &path("libspeech.a")).unwrap();
        let shipped = fs::read(path("libspeech.a")).unwrap();
        let exports = archive_exports(&shipped).unwrap();
        assert_eq!(exports, ["speech_version".to_owned()].into());
        assert!(shipped.len() < fs::read(path("compiled.a")).unwrap().len());
        fs::write(
            path("main.c"),
            "int speech_version(void); int main(void) { return speech_version() - 1; }",
        )
        .unwrap();
        run("cc", &["main.c", "libspeech.a", "-o", "main"]);
        run("./main", &[]);
    }
}
