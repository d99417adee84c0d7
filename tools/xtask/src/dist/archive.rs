//! Prepares the static library for shipping: strips debug information, and hides or renames symbols
//! of the Rust standard library. So a program can link a second Rust library.

use super::library::{archive_exports, archive_symbols, hide};
use super::platform::Platform;
use super::toolchain;
use crate::prelude::*;

/// Sections with code for link-time optimization, which has been done.
const COMPILER_SECTIONS: [&str; 2] = [".llvmbc", ".llvmcmd"];
const COMPILER_SECTIONS_OF_APPLE: [&str; 2] = ["__LLVM,__bitcode", "__LLVM,__cmdline"];

/// The prefix for private symbols that cannot be made local.
const PRIVATE: &str = "_libspeech_";

/// Converts the compiler's static library to the shipped one.
///
/// - ELF: joins the objects that `speech_*` needs into one, with all other symbols local.
/// - Apple: renames and hides the other symbols, because no linker here joins Mach-O objects.
/// - Windows: copies it. Its objects include DLL imports, which objcopy cannot read, and a linker
///   takes the first of several definitions.
pub(crate) fn finish(platform: &Platform, compiled: &Path, shipped: &Path) -> Result<()> {
    if platform.is_windows() {
        fs::copy(compiled, shipped)?;
        return Ok(());
    }
    let item = Item::start("static library");
    let mut objcopy = toolchain::program("rust-objcopy")?;
    objcopy.args(["--enable-deterministic-archives", "--strip-debug"]);
    if platform.has_elf() {
        let joined = shipped.with_extension("joined.a");
        join(compiled, &joined, &item)?;
        for section in COMPILER_SECTIONS {
            objcopy.arg(format!("--remove-section={section}"));
        }
        objcopy.args(["--wildcard", "--keep-global-symbol=speech_*"]).arg(joined);
        process::quiet(objcopy.arg(shipped), &item)?;
    } else {
        rename(compiled, shipped, objcopy, &item)?;
    }
    item.finish("");
    Ok(())
}

/// Renames and hides all symbols that are not part of the interface, in a library for an Apple
/// system.
fn rename(compiled: &Path, shipped: &Path, mut objcopy: Command, item: &Item) -> Result<()> {
    let symbols = archive_symbols(&fs::read(compiled)?)
        .with_context(|| format!("cannot read {}", compiled.display()))?;
    let private = symbols.iter().filter(|name| !is_of_interface(name));
    let renamed: String = private.map(|name| format!("{name} {PRIVATE}{name}\n")).collect();
    let names = shipped.with_extension("names");
    fs::write(&names, renamed)?;
    objcopy.arg(format!("--redefine-syms={}", names.display()));
    for section in COMPILER_SECTIONS_OF_APPLE {
        objcopy.arg(format!("--remove-section={section}"));
    }
    process::quiet(objcopy.arg(compiled).arg(shipped), item)?;
    let mut bytes = fs::read(shipped)?;
    hide(&mut bytes, is_of_interface)?;
    Ok(fs::write(shipped, &bytes)?)
}

/// Whether a symbol is a function of `speech.h`. `symbol` is the C name, without the leading
/// underscore of Mach-O.
fn is_of_interface(symbol: &str) -> bool {
    symbol.starts_with("_speech_")
}

/// Links the objects that the interface needs into one. Does not use `--gc-sections`, which would
/// drop the unwind tables: only a linked program refers to them.
fn join(compiled: &Path, joined: &Path, item: &Item) -> Result<()> {
    let bytes = fs::read(compiled)?;
    let exports =
        archive_exports(&bytes).with_context(|| format!("cannot read {}", compiled.display()))?;
    let roots = exports.iter().filter(|name| name.starts_with("speech_"));
    let object = joined.with_extension("o");
    let mut linker = toolchain::program("rust-lld")?;
    linker.args(["-flavor", "gnu", "-r"]);
    linker.args(roots.map(|name| format!("--undefined={name}")));
    process::quiet(linker.arg(compiled).arg("-o").arg(&object), item)?;
    let bytes = fs::read(&object)?;
    Ok(fs::write(joined, archive("speech.o", &bytes))?)
}

/// An archive of one object, without a symbol index; objcopy adds it where the format has one.
fn archive(name: &str, object: &[u8]) -> Vec<u8> {
    let member = |name: &str, bytes: &[u8]| {
        let (time, owner, group, mode, size) = (0, 0, 0, 644, bytes.len());
        let header = format!("{name:<16}{time:<12}{owner:<6}{group:<6}{mode:<8}{size:<10}`\n");
        let padding: &[u8] = if size % 2 == 1 { b"\n" } else { b"" };
        [header.as_bytes(), bytes, padding].concat()
    };
    let symbols = 0_u32.to_be_bytes();
    [b"!<arch>\n".to_vec(), member("/", &symbols), member(&format!("{name}/"), object)].concat()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn only_our_names_stay_visible() {
        let scratch = tempfile::tempdir().unwrap();
        let path = |name: &str| scratch.path().join(name);
        let standard_library = "int rust_eh_personality(void) { return 1; }\n";
        fs::write(path("std.c"), standard_library).unwrap();
        fs::write(path("rest.c"), "int nobody_calls_it(void) { return 2; }\n").unwrap();
        let source = "int rust_eh_personality(void);\n\
                      int speech_version(void) { return rust_eh_personality(); }\n";
        fs::write(path("a.c"), source).unwrap();
        let run = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(program);
            assert!(command.args(arguments).current_dir(&scratch).status().unwrap().success());
        };
        run("cc", &["-g", "-c", "a.c", "std.c", "rest.c"]);
        run("ar", &["rc", "compiled.a", "a.o", "std.o", "rest.o"]);
        finish(&Platform::of_host().unwrap(), &path("compiled.a"), &path("libspeech.a")).unwrap();
        let shipped = fs::read(path("libspeech.a")).unwrap();
        let exports = archive_exports(&shipped).unwrap();
        assert_eq!(exports, ["speech_version".to_owned()].into());
        assert!(shipped.len() < fs::read(path("compiled.a")).unwrap().len());
        let contains = |name: &str| shipped.windows(name.len()).any(|w| w == name.as_bytes());
        assert!(contains("rust_eh_personality") && !contains("nobody_calls_it"));
        assert!(contains(".eh_frame"), "a panic could not be caught");
        let main = "int speech_version(void);\n\
                    int rust_eh_personality(void) { return 3; }\n\
                    int main(void) { return speech_version() + rust_eh_personality() - 4; }\n";
        fs::write(path("main.c"), main).unwrap();
        run("cc", &["main.c", "libspeech.a", "-o", "main"]);
        run("./main", &[]);
    }
}
