//! The static library as it is shipped: without debugging information, and with the names of the
//! Rust standard library made local or renamed, so that it can be linked beside another Rust library.

use super::library::{archive_exports, archive_symbols, hide};
use super::platform::Platform;
use super::toolchain;
use crate::prelude::*;

/// Sections for the compiler: code for link-time optimisation, which was done.
const COMPILER_SECTIONS: [&str; 2] = [".llvmbc", ".llvmcmd"];
const COMPILER_SECTIONS_OF_APPLE: [&str; 2] = ["__LLVM,__bitcode", "__LLVM,__cmdline"];

/// What the names of symbols begin with that only objects of the library itself refer to, where they cannot be made local.
const PRIVATE: &str = "_libspeech_";

/// Writes the library to ship from the one that the compiler made. In ELF, it is one object with what `speech_*` needs, whose other
/// names are local. No linker here joins objects for systems of Apple: there the other names are renamed and hidden. That for Windows
/// stays as it is, as among its objects are imports from DLLs, which objcopy does not read: a linker takes the first definition.
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

/// Renames and hides all that the interface does not have, in a library for a system of Apple.
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

/// Whether a symbol is a function of `speech.h`. In C, names have no underscore at the front.
fn is_of_interface(symbol: &str) -> bool {
    symbol.starts_with("_speech_")
}

/// Links the objects of a library that the interface needs into one. With `--gc-sections` the tables for unwinding would be lost, which
/// nothing refers to before a program is linked.
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

/// An archive of one object. Its table of symbols is empty: objcopy fills it, where there is one.
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
