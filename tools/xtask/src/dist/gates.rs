//! Checks the library before it is shipped. A message names each fault, and all faults are reported
//! together.

use std::collections::BTreeSet;

use super::library::{Build, Elf, Format, Glibc, SharedLibrary};
use super::link::{PAGE, called};
use super::platform::{Platform, Processor, System};
use crate::prelude::*;

/// The newest glibc that the library may require: that of Debian 10, RHEL 8 and Ubuntu 18.10.
pub(crate) const GLIBC: &str = "2.28";

/// The libraries that every installation of the system has.
fn system_libraries(system: System) -> &'static str {
    match system {
        // Libraries of every program, and parts of the C library. The C++ library is not needed.
        System::Glibc => {
            "libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libutil.so.1 libgcc_s.so.1 \
             ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux-armhf.so.3"
        }
        System::Musl => "libc.so",
        System::Android => "libc.so libdl.so liblog.so libm.so",
        System::MacOs | System::Ios | System::IosSimulator => {
            "/usr/lib/libSystem.B.dylib /usr/lib/libiconv.2.dylib"
        }
        // The last names are those of the Windows 10 C library.
        System::Windows => {
            "advapi32.dll bcryptprimitives.dll kernel32.dll kernelbase.dll msvcrt.dll ntdll.dll \
             userenv.dll ws2_32.dll api-ms-win-core-synch-l1-2-0.dll \
             api-ms-win-crt-convert-l1-1-0.dll api-ms-win-crt-environment-l1-1-0.dll \
             api-ms-win-crt-heap-l1-1-0.dll api-ms-win-crt-locale-l1-1-0.dll \
             api-ms-win-crt-math-l1-1-0.dll api-ms-win-crt-private-l1-1-0.dll \
             api-ms-win-crt-runtime-l1-1-0.dll api-ms-win-crt-stdio-l1-1-0.dll \
             api-ms-win-crt-string-l1-1-0.dll api-ms-win-crt-time-l1-1-0.dll \
             api-ms-win-crt-utility-l1-1-0.dll"
        }
    }
}

/// Functions that open a connection or load another library, which the library must not do.
const REFUSED: &str = "socket socketpair connect getaddrinfo res_init dlopen dlmopen LoadLibraryA \
                       LoadLibraryExA LoadLibraryExW LoadLibraryW WSASocketW";

/// The kind of a library, which determines its permitted symbols.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind<'a> {
    /// The C library, with its required soname or install name.
    C(&'a str),
    /// A Python module of this name. It exports one function and finds Python's functions in the
    /// process.
    Python(&'a str),
    /// A Node module, which also finds Node's functions in the process.
    Node,
    /// A JVM library. It exports the native methods of one class, and receives pointers to all JVM
    /// functions.
    Jvm,
}

impl Kind<'_> {
    pub(crate) fn title(self) -> &'static str {
        match self {
            Kind::C(_) => "the shared library",
            Kind::Python(_) => "the Python module",
            Kind::Node => "the Node module",
            Kind::Jvm => "the library of the JVM",
        }
    }

    fn exports_fault(self, exports: &BTreeSet<String>) -> Option<String> {
        let one = match self {
            Kind::C(_) => return foreign_exports(exports, "speech_"),
            Kind::Jvm => return foreign_exports(exports, "Java_io_libspeech_Native_"),
            Kind::Python(name) => format!("PyInit_{name}"),
            Kind::Node => "napi_register_module_v1".to_owned(),
        };
        (*exports != [one.clone()].into())
            .then(|| format!("it exports {exports:?}, and must export {one}"))
    }

    fn name_fault(self, found: Option<&str>) -> Option<String> {
        let Kind::C(name) = self else { return None };
        let found = found.unwrap_or("missing");
        (found != name).then(|| format!("its soname or install name is {found} and must be {name}"))
    }

    /// Whether the program that loads the module provides a function.
    fn finds(self, import: &str) -> bool {
        match self {
            Kind::C(_) | Kind::Jvm => false,
            Kind::Python(_) => import.starts_with("Py") || import.starts_with("_Py"),
            Kind::Node => import.starts_with("napi_"),
        }
    }

    /// Whether a library that the system lacks is present wherever the module is loaded.
    fn brings(self, library: &str) -> bool {
        matches!(self, Kind::Python(_)) && library == "python3.dll"
    }

    /// Whether this kind may call a function that is otherwise forbidden.
    fn may_call(self, import: &str) -> bool {
        // napi-rs opens the module a second time to keep it in memory. This loads no other library.
        matches!(self, Kind::Node) && ["dlopen", "LoadLibraryExW"].contains(&import)
    }
}

/// The faults of a file.
struct Faults(Vec<String>);

impl Faults {
    fn unless(&mut self, is_right: bool, fault: &str) {
        if !is_right {
            self.0.push(fault.to_owned());
        }
    }

    /// Reports a fault unless `these` is empty. `@` in the text stands for the items.
    fn none<'a>(&mut self, these: impl Iterator<Item = &'a String>, fault: &str) {
        let these: Vec<_> = these.collect();
        self.unless(these.is_empty(), &fault.replace('@', &format!("{these:?}")));
    }

    fn report(self, name: &str) -> Result<()> {
        ensure!(
            self.0.is_empty(),
            "{name} fails the checks of a release:\n  {}",
            self.0.join("\n  ")
        );
        Ok(())
    }
}

/// Checks a shared library.
pub(crate) fn shared_library(
    platform: &Platform,
    library: &SharedLibrary,
    kind: Kind<'_>,
) -> Result<()> {
    let exports = c_names(platform, &library.exports);
    let imports = c_names(platform, &library.imports);
    let has = |list: &str, name: &str| list.split(' ').any(|listed| listed == name);
    let mut faults = Faults(Vec::from_iter(kind.exports_fault(&exports)));
    faults.0.extend(kind.name_fault(library.name.as_deref()));
    let system = system_libraries(platform.system());
    let foreign = library.needed.iter().filter(|it| !has(system, it) && !kind.brings(it));
    faults.none(foreign, "it is linked with @, which some systems lack");
    let refused = imports.iter().filter(|it| has(REFUSED, it) && !kind.may_call(it));
    faults.none(
        refused,
        "it calls @: network functions and run-time loading of libraries are forbidden",
    );
    faults.none(library.run_paths.iter(), "it has the run path @ and must have none");
    faults.none(library.strippable.iter(), "it is not stripped: it has @");
    check_format(&mut faults, platform, library, kind);
    faults.report(kind.title())
}

/// Checks the properties of a single file format.
fn check_format(faults: &mut Faults, platform: &Platform, library: &SharedLibrary, kind: Kind<'_>) {
    match &library.format {
        Format::Elf(build) => {
            // Python and Node never unload modules.
            let is_unloaded = matches!(kind, Kind::C(_) | Kind::Jvm) && !build.stays;
            faults.unless(
                !is_unloaded,
                "it lacks the flag NODELETE: unloading a library with running threads crashes",
            );
            match platform.system() {
                System::Glibc => check_glibc(faults, library, build, kind),
                System::Android => {
                    let page =
                        format!("it is aligned for pages of {} bytes, not {PAGE}", build.page);
                    faults.unless(build.page >= PAGE, &page);
                    let has_name = library.name.is_some();
                    faults.unless(has_name, "it has no soname, which Android's linker requires");
                    let is_unknown = |import: &&String| called().all(|known| known != *import);
                    let unknown = build.unversioned.iter().filter(is_unknown);
                    faults.none(unknown, "it calls @, which Android 6 may lack");
                }
                _ => {}
            }
        }
        Format::MachO(build) => {
            let (found, oldest) = (&build.oldest, platform.oldest().unwrap_or_default());
            let version = format!("its minimum system version is {found} and must be {oldest}");
            faults.unless(found == oldest, &version);
            let wants_signature =
                platform.system() == System::MacOs && platform.processor() == Processor::Aarch64;
            let is_loaded = build.is_signed || !wants_signature;
            faults.unless(is_loaded, "it has no signature, so macOS on ARM would not load it");
        }
        Format::Pe(build) => {
            faults.unless(
                build.is_hardened,
                "it lacks ASLR (DYNAMIC_BASE, HIGH_ENTROPY_VA) or DEP (NX_COMPAT)",
            );
            faults.unless(build.has_version, "it has no version resource");
            let time = build.linked_at;
            let linked =
                format!("it contains the time of linking ({time}), so builds are not reproducible");
            faults.unless(time == 0, &linked);
        }
    }
}

fn check_glibc(faults: &mut Faults, library: &SharedLibrary, build: &Elf, kind: Kind<'_>) {
    faults.unless(
        library.imports.contains("_Unwind_RaiseException"),
        "it has an unwinder of its own: glibc unwinds the stacks of ended threads with libgcc_s.so.1",
    );
    let unknown = build.unversioned.iter().filter(|import| !kind.finds(import));
    faults.none(unknown, "it calls @, which some systems lack");
    match library.glibc() {
        Err(error) => faults.0.push(error.to_string()),
        Ok(Some(needed)) if Some(&needed) > Glibc::parse(GLIBC).as_ref() => {
            faults.0.push(format!("it needs glibc {needed}, newer than the limit of {GLIBC}"));
        }
        Ok(_) => {}
    }
}

/// The C names of symbols, without the leading underscore on Apple systems.
fn c_names(platform: &Platform, symbols: &BTreeSet<String>) -> BTreeSet<String> {
    let c_name = |name: &String| match name.strip_prefix('_') {
        Some(rest) if platform.is_apple() => rest.to_owned(),
        _ => name.clone(),
    };
    symbols.iter().map(c_name).collect()
}

/// Checks the static library by its visible symbols.
pub(crate) fn static_library(platform: &Platform, exports: &BTreeSet<String>) -> Result<()> {
    let fault = foreign_exports(&c_names(platform, exports), "speech_");
    Faults(Vec::from_iter(fault)).report("the static library")
}

/// Checks the target platforms of the objects in a static library for Apple systems.
pub(crate) fn apple_objects(platform: &Platform, builds: &BTreeSet<Build>) -> Result<()> {
    let oldest = platform.oldest().unwrap_or_default();
    let (major, minor) = oldest.split_once('.').unwrap_or((oldest, "0"));
    let limit = (major.parse()?, minor.parse()?);
    let is_other = |it: &&Build| it.system != Some(platform.system()) || it.oldest > limit;
    let others: Vec<_> = builds.iter().filter(is_other).collect();
    let mut faults = Faults(Vec::new());
    faults.unless(!builds.is_empty(), "it has no objects");
    let triple = platform.triple();
    let fault = format!("it has objects for {others:?}, but all must be for {triple} {oldest}");
    faults.unless(others.is_empty(), &fault);
    faults.report("the static library")
}

/// Checks that a file contains no directory name of the build machine.
pub(crate) fn no_private_paths(name: &str, bytes: &[u8], private: &[PathBuf]) -> Result<()> {
    let is_named = |directory: &&PathBuf| {
        let prefix = directory.join("");
        let needle = prefix.as_os_str().as_encoded_bytes();
        bytes.windows(needle.len()).any(|window| window == needle)
    };
    let found: Vec<_> = private.iter().filter(is_named).collect();
    ensure!(found.is_empty(), "{name} contains paths of this machine: {found:?}");
    Ok(())
}

fn foreign_exports(exports: &BTreeSet<String>, prefix: &str) -> Option<String> {
    if exports.is_empty() {
        return Some("it exports nothing".to_owned());
    }
    let foreign: Vec<_> = exports.iter().filter(|name| !name.starts_with(prefix)).collect();
    let (count, some) = (foreign.len(), &foreign[..foreign.len().min(10)]);
    let fault = format!("it exports {count} symbols without the prefix {prefix}, such as {some:?}");
    (count > 0).then_some(fault)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::library::{MachO, Pe};

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    const LINUX: &str = "x86_64-unknown-linux-gnu";
    const MUSL: &str = "aarch64-unknown-linux-musl";
    const MAC: &str = "aarch64-apple-darwin";
    const WINDOWS: &str = "x86_64-pc-windows-gnullvm";
    const ANDROID: &str = "aarch64-linux-android";
    const PLATFORMS: [&str; 5] = [LINUX, MUSL, MAC, WINDOWS, ANDROID];

    /// A library that passes all checks, and its name.
    fn good(triple: &str) -> (SharedLibrary, &'static str) {
        let elf = |needed: &[&str], page| {
            let (needed, stays) = (names(needed), true);
            Format::Elf(Elf { needed, stays, page, ..Elf::default() })
        };
        let (name, imports, needed, format): (_, &[&str], &[&str], _) = match triple {
            LINUX => (
                "libspeech.so.1",
                &["memcpy", "mmap64", "_Unwind_RaiseException"],
                &["libc.so.6", "libm.so.6"],
                elf(&["GLIBC_2.2.5", "GLIBC_2.28"], 0),
            ),
            MUSL | ANDROID => ("libspeech.so.1", &["memcpy"], &["libc.so"], elf(&[], PAGE)),
            MAC => (
                "@rpath/libspeech.1.dylib",
                &["_memcpy"],
                &["/usr/lib/libSystem.B.dylib"],
                Format::MachO(MachO { oldest: "11.0".to_owned(), is_signed: true }),
            ),
            _ => (
                "speech.dll",
                &["GetLastError"],
                &["kernel32.dll"],
                Format::Pe(Pe { is_hardened: true, has_version: true, linked_at: 0 }),
            ),
        };
        let exports: &[_] =
            if triple == MAC { &["_speech_version"] } else { &["speech_version", "speech_trim"] };
        let library = SharedLibrary {
            exports: names(exports),
            imports: names(imports),
            needed: names(needed),
            name: Some(name.to_owned()),
            format,
            ..SharedLibrary::default()
        };
        (library, name)
    }

    fn check(triple: &str, library: &SharedLibrary, kind: Kind<'_>) -> Result<()> {
        shared_library(&Platform::named(triple).unwrap(), library, kind)
    }

    fn elf(library: &mut SharedLibrary) -> &mut Elf {
        let Format::Elf(elf) = &mut library.format else { panic!("no ELF file") };
        elf
    }

    fn mach_o(library: &mut SharedLibrary) -> &mut MachO {
        let Format::MachO(mach_o) = &mut library.format else { panic!("no Mach-O file") };
        mach_o
    }

    fn pe(library: &mut SharedLibrary) -> &mut Pe {
        let Format::Pe(pe) = &mut library.format else { panic!("no PE file") };
        pe
    }

    #[test]
    fn a_good_library_passes() {
        for triple in PLATFORMS {
            let (library, name) = good(triple);
            check(triple, &library, Kind::C(name)).unwrap();
        }
        for triple in [LINUX, MAC] {
            static_library(&Platform::named(triple).unwrap(), &good(triple).0.exports).unwrap();
        }
    }

    #[test]
    fn each_fault_is_found() {
        type Spoil = fn(&mut SharedLibrary);
        let everywhere: &[(&str, Spoil)] = &[
            ("zlibVersion", |it| it.exports.extend(["zlibVersion".into()])),
            ("exports nothing", |it| it.exports.clear()),
            ("connect", |it| it.imports.extend(["connect".into()])),
            ("libstdc++", |it| it.needed.extend(["libstdc++.so.6".into()])),
            ("name is missing", |it| it.name = None),
            ("libspeech.so.2", |it| it.name = Some("libspeech.so.2".into())),
            ("/home/me", |it| it.run_paths.push("/home/me/lib".into())),
            (".debug_info", |it| it.strippable.push(".debug_info".into())),
        ];
        let some: &[(&str, &str, Spoil)] = &[
            (LINUX, "dlopen", |it| it.imports.extend(["dlopen".into()])),
            (LINUX, "NODELETE", |it| elf(it).stays = false),
            (LINUX, "unwinder", |it| it.imports.clear()),
            (LINUX, "arc4random", |it| elf(it).unversioned.extend(["arc4random".into()])),
            (LINUX, "glibc 2.34", |it| elf(it).needed.extend(["GLIBC_2.34".into()])),
            (LINUX, "GLIBC_PRIVATE", |it| elf(it).needed.extend(["GLIBC_PRIVATE".into()])),
            (MUSL, "libgcc_s", |it| it.needed.extend(["libgcc_s.so.1".into()])),
            (ANDROID, "4096", |it| elf(it).page = 4096),
            (ANDROID, "getrandom", |it| elf(it).unversioned.extend(["getrandom".into()])),
            (ANDROID, "no soname", |it| it.name = None),
            (MAC, "dlopen", |it| it.imports.extend(["_dlopen".into()])),
            (MAC, "version is 15.0", |it| mach_o(it).oldest = "15.0".into()),
            (MAC, "signature", |it| mach_o(it).is_signed = false),
            (WINDOWS, "LoadLibraryExW", |it| it.imports.extend(["LoadLibraryExW".into()])),
            (WINDOWS, "ASLR", |it| pe(it).is_hardened = false),
            (WINDOWS, "version resource", |it| pe(it).has_version = false),
            (WINDOWS, "time of linking", |it| pe(it).linked_at = 1_795_703_143),
        ];
        let everywhere = PLATFORMS
            .iter()
            .flat_map(|triple| everywhere.iter().map(|(text, spoil)| (*triple, *text, *spoil)));
        let mut missed = Vec::new();
        for (triple, expected, spoil) in everywhere.chain(some.iter().copied()) {
            let (mut library, name) = good(triple);
            spoil(&mut library);
            match check(triple, &library, Kind::C(name)) {
                Err(error) if error.to_string().contains(expected) => {}
                other => missed.push((triple, expected, other)),
            }
        }
        assert!(missed.is_empty(), "{missed:#?}");
    }

    #[test]
    fn objects_for_another_system_of_apple_are_found() {
        let check = |triple: &str, builds: &[(System, (u16, u8))]| {
            let build = |&(system, oldest)| Build { system: Some(system), oldest };
            let builds = builds.iter().map(build).collect();
            apple_objects(&Platform::named(triple).unwrap(), &builds)
        };
        let device = "aarch64-apple-ios";
        check(device, &[(System::Ios, (13, 0)), (System::Ios, (10, 0))]).unwrap();
        check("x86_64-apple-ios", &[(System::IosSimulator, (13, 0))]).unwrap();
        check(MAC, &[(System::MacOs, (11, 0))]).unwrap();
        for builds in [
            &[][..],
            &[(System::Ios, (13, 1))],
            &[(System::Ios, (13, 0)), (System::IosSimulator, (13, 0))],
            &[(System::MacOs, (11, 0))],
        ] {
            assert!(check(device, builds).is_err(), "{builds:?}");
        }
    }

    #[test]
    fn modules_export_one_function_and_call_what_loads_them() {
        let module = |export: &str, calls: &[&str]| {
            let mut library = good(LINUX).0;
            library.exports = names(&[export]);
            library.name = None;
            elf(&mut library).unversioned = names(calls);
            library
        };
        let python = module("PyInit__a", &["PyList_New", "_Py_NoneStruct"]);
        check(LINUX, &python, Kind::Python("_a")).unwrap();
        let other = module("PyInit__a", &["arc4random", "PyList_New"]);
        let error = check(LINUX, &other, Kind::Python("_b")).unwrap_err().to_string();
        assert!(error.contains("PyInit__b") && error.contains("[\"arc4random\"]"), "{error}");

        let mut node = module("napi_register_module_v1", &["napi_create_object"]);
        node.imports.insert("dlopen".to_owned());
        check(LINUX, &node, Kind::Node).unwrap();
        let other = module("napi_register_module_v1", &["uv_run"]);
        let jvm = SharedLibrary {
            exports: names(&["Java_io_libspeech_Native_load", "Java_io_libspeech_Native_trim"]),
            ..good(LINUX).0
        };
        check(LINUX, &jvm, Kind::Jvm).unwrap();
        assert!(check(LINUX, &node, Kind::Jvm).is_err());
        let error = check(LINUX, &other, Kind::Node).unwrap_err().to_string();
        assert!(error.contains("[\"uv_run\"]"), "{error}");

        let mut windows = good(WINDOWS).0;
        windows.exports = names(&["PyInit__a"]);
        windows.needed.insert("python3.dll".to_owned());
        check(WINDOWS, &windows, Kind::Python("_a")).unwrap();
        assert!(check(WINDOWS, &windows, Kind::Node).is_err());
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let (mut library, name) = good(LINUX);
        library.name = None;
        library.strippable.push(".symtab".to_owned());
        let error = check(LINUX, &library, Kind::C(name)).unwrap_err().to_string();
        assert!(error.contains("name is missing") && error.contains(".symtab"), "{error}");
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
