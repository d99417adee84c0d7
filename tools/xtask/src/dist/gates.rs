//! What must be true of the library before it is shipped. Each check says what is wrong and all of
//! them are reported at once.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Result, bail};

use super::elf::{Glibc, SharedLibrary};

/// The newest glibc that the library may need: that of Debian 10, RHEL 8 and Ubuntu 18.10.
pub(crate) const GLIBC: &str = "2.28";

/// What every program of its own has, or what the C library is made of. The C++ library is not needed.
const LIBRARIES: [&str; 9] = [
    "libc.so.6",
    "libm.so.6",
    "libdl.so.2",
    "libpthread.so.0",
    "librt.so.1",
    "libutil.so.1",
    "libgcc_s.so.1",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
];

/// Functions of the C library that open a connection, or another library: what is shipped is all that runs.
const REFUSED: [&str; 7] =
    ["socket", "socketpair", "connect", "getaddrinfo", "res_init", "dlopen", "dlmopen"];

/// Checks the shared library; `name` is the one that it must give as its own.
pub(crate) fn shared_library(library: &SharedLibrary, name: &str) -> Result<()> {
    let mut faults = Vec::from_iter(foreign_exports(&library.exports));
    faults.extend(any_library(library));
    faults.extend(unversioned(library, |_| false));
    if library.soname.as_deref() != Some(name) {
        let found = library.soname.as_deref().unwrap_or("missing");
        faults.push(format!("its SONAME is {found} and must be {name}"));
    }
    report("the shared library", &faults)
}

/// Checks a module of Python, which has one function for Python to call, and finds Python in the process.
pub(crate) fn python_module(library: &SharedLibrary, name: &str) -> Result<()> {
    let mut faults = any_library(library);
    if library.exports != [format!("PyInit_{name}")].into() {
        faults.push(format!("it exports {:?}, and must export PyInit_{name}", library.exports));
    }
    let python = |import: &str| import.starts_with("Py") || import.starts_with("_Py");
    faults.extend(unversioned(library, python));
    report("the Python module", &faults)
}

/// Checks a module of Node, likewise.
pub(crate) fn node_module(library: &SharedLibrary) -> Result<()> {
    // napi-rs has the module stay in memory, by opening it once more; that opens no other library.
    let mut imports = library.imports.clone();
    imports.remove("dlopen");
    let mut faults = any_library(&SharedLibrary { imports, ..library.clone() });
    if library.exports != ["napi_register_module_v1".to_owned()].into() {
        faults.push(format!("it exports {:?}, and must export a module of Node", library.exports));
    }
    faults.extend(unversioned(library, |import| import.starts_with("napi_")));
    report("the Node module", &faults)
}

/// What is wrong with any library that is shipped.
fn any_library(library: &SharedLibrary) -> Vec<String> {
    let mut faults = Vec::new();
    let foreign: Vec<_> =
        library.needed.iter().filter(|needed| !LIBRARIES.contains(&needed.as_str())).collect();
    if !foreign.is_empty() {
        faults.push(format!("it is linked with {foreign:?}, which a machine may not have"));
    }
    let refused: Vec<_> =
        library.imports.iter().filter(|import| REFUSED.contains(&import.as_str())).collect();
    if !refused.is_empty() {
        faults.push(format!("it calls {refused:?}: it needs no network and no other library"));
    }
    if !library.run_paths.is_empty() {
        faults.push(format!("it has the run path {:?} and needs none", library.run_paths));
    }
    if !library.strippable.is_empty() {
        faults.push(format!("it is not stripped: it has {:?}", library.strippable));
    }
    if !library.imports.contains("_Unwind_RaiseException") {
        let reason = "glibc unwinds the stacks of ended threads with libgcc_s.so.1";
        faults.push(format!("it has an unwinder of its own: {reason}"));
    }
    faults.extend(glibc_fault(library));
    faults
}

/// Functions that no version of glibc is said to have.
fn unversioned(library: &SharedLibrary, known: impl Fn(&str) -> bool) -> Option<String> {
    let unknown: Vec<_> = library.unversioned.iter().filter(|import| !known(import)).collect();
    (!unknown.is_empty()).then(|| format!("it calls {unknown:?}, which a machine may not have"))
}

/// Checks the static library by the symbols that others see.
pub(crate) fn static_library(exports: &BTreeSet<String>) -> Result<()> {
    report("the static library", &Vec::from_iter(foreign_exports(exports)))
}

/// Checks that no directory of the machine that a file was made on is named in it.
pub(crate) fn no_private_paths(name: &str, bytes: &[u8], private: &[PathBuf]) -> Result<()> {
    let named = |directory: &&PathBuf| {
        let prefix = directory.join("");
        contains(bytes, prefix.as_os_str().as_encoded_bytes())
    };
    let found: Vec<_> = private.iter().filter(named).collect();
    let fault =
        (!found.is_empty()).then(|| format!("it has paths of this machine in it: {found:?}"));
    report(name, &Vec::from_iter(fault))
}

fn foreign_exports(exports: &BTreeSet<String>) -> Option<String> {
    let foreign: Vec<_> = exports.iter().filter(|name| !name.starts_with("speech_")).collect();
    if exports.is_empty() {
        return Some("it exports nothing".to_owned());
    }
    let some = &foreign[..foreign.len().min(10)];
    (!foreign.is_empty()).then(|| {
        format!("{} symbols that it exports are not speech_*, such as {some:?}", foreign.len())
    })
}

fn glibc_fault(library: &SharedLibrary) -> Option<String> {
    match library.glibc() {
        Err(error) => Some(error.to_string()),
        Ok(needed) if needed > Glibc::parse(GLIBC) => {
            Some(format!("it needs glibc {}; {GLIBC} is the limit", needed?))
        }
        Ok(_) => None,
    }
}

fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

fn report(name: &str, faults: &[String]) -> Result<()> {
    if !faults.is_empty() {
        bail!("{name} cannot be shipped:\n  {}", faults.join("\n  "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn good() -> SharedLibrary {
        SharedLibrary {
            exports: names(&["speech_version", "speech_engine_new"]),
            imports: names(&["memcpy", "mmap64", "_Unwind_RaiseException"]),
            unversioned: BTreeSet::new(),
            needed: names(&["libc.so.6", "libm.so.6"]),
            soname: Some("libspeech.so.1".to_owned()),
            run_paths: Vec::new(),
            versions: names(&["GLIBC_2.2.5", "GLIBC_2.28"]),
            strippable: Vec::new(),
        }
    }

    #[test]
    fn a_good_library_passes() {
        shared_library(&good(), "libspeech.so.1").unwrap();
        static_library(&good().exports).unwrap();
    }

    #[test]
    fn each_fault_is_found() {
        type Spoil = fn(&mut SharedLibrary);
        let cases: &[(&str, Spoil)] = &[
            ("zlibVersion", |library| library.exports.extend(["zlibVersion".into()])),
            ("exports nothing", |library| library.exports.clear()),
            ("connect", |library| library.imports.extend(["connect".into()])),
            ("dlopen", |library| library.imports.extend(["dlopen".into()])),
            ("unwinder", |library| library.imports.clear()),
            ("arc4random", |library| library.unversioned.extend(["arc4random".into()])),
            ("libstdc++", |library| library.needed.extend(["libstdc++.so.6".into()])),
            ("SONAME is missing", |library| library.soname = None),
            ("libspeech.so.2", |library| library.soname = Some("libspeech.so.2".into())),
            ("/home/me", |library| library.run_paths.push("/home/me/lib".into())),
            (".symtab", |library| library.strippable.push(".symtab".into())),
            ("glibc 2.34", |library| library.versions.extend(["GLIBC_2.34".into()])),
            ("GLIBC_PRIVATE", |library| library.versions.extend(["GLIBC_PRIVATE".into()])),
        ];
        let mut missed = Vec::new();
        for (expected, spoil) in cases {
            let mut library = good();
            spoil(&mut library);
            match shared_library(&library, "libspeech.so.1") {
                Err(error) if error.to_string().contains(expected) => {}
                other => missed.push((expected, other)),
            }
        }
        assert!(missed.is_empty(), "{missed:#?}");
    }

    #[test]
    fn a_python_module_exports_one_function_and_calls_python() {
        let module = SharedLibrary {
            exports: names(&["PyInit__a"]),
            unversioned: names(&["PyList_New", "_Py_NoneStruct"]),
            soname: None,
            ..good()
        };
        python_module(&module, "_a").unwrap();
        let other = SharedLibrary { unversioned: names(&["arc4random", "PyList_New"]), ..module };
        let error = python_module(&other, "_b").unwrap_err().to_string();
        assert!(error.contains("PyInit__b") && error.contains("[\"arc4random\"]"), "{error}");
    }

    #[test]
    fn a_node_module_exports_one_function_and_calls_node() {
        let module = SharedLibrary {
            exports: names(&["napi_register_module_v1"]),
            imports: names(&["memcpy", "dlopen", "_Unwind_RaiseException"]),
            unversioned: names(&["napi_create_object"]),
            soname: None,
            ..good()
        };
        node_module(&module).unwrap();
        let other = SharedLibrary { unversioned: names(&["uv_run"]), ..module };
        assert!(node_module(&other).unwrap_err().to_string().contains("[\"uv_run\"]"));
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let library =
            SharedLibrary { soname: None, strippable: vec![".symtab".to_owned()], ..good() };
        let error = shared_library(&library, "libspeech.so.1").unwrap_err().to_string();
        assert!(error.contains("SONAME") && error.contains(".symtab"), "{error}");
    }

    #[test]
    fn paths_of_the_machine_are_found() {
        let private = [PathBuf::from("/home/me"), PathBuf::from("/src/speech")];
        let check = |bytes: &[u8]| no_private_paths("libspeech.a", bytes, &private);
        check(b"\0/crates/memchr/src/lib.rs\0/home/melody/song\0").unwrap();
        let error = check(b"\0at /src/speech/core/src/lib.rs\0").unwrap_err().to_string();
        assert!(error.contains("libspeech.a") && error.contains("/src/speech"), "{error}");
        assert!(!error.contains("/home/me"), "{error}");
    }
}
