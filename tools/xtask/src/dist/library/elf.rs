//! Reads ELF files: Linux and Android.

use std::collections::BTreeSet;
use std::fmt;

use object::read::elf::{ElfFile, FileHeader, ProgramHeader as _};
use object::{Endianness, elf};

use super::{Format, SharedLibrary, text};
use crate::prelude::*;

/// A version of glibc, such as 2.28 or 2.2.5.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Glibc(Vec<u32>);

impl Glibc {
    /// Parses a version such as `2.28`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        text.split('.').map(|part| part.parse().ok()).collect::<Option<_>>().map(Glibc)
    }
}

impl fmt::Display for Glibc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<_> = self.0.iter().map(u32::to_string).collect();
        f.write_str(&parts.join("."))
    }
}

/// The requirements of a library: symbol versions of other libraries, page size, and unloading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Elf {
    /// The required symbol versions, such as `GLIBC_2.28`.
    pub(crate) needed: BTreeSet<String>,
    /// Imported functions without a version: those of libraries that, unlike glibc, have no symbol
    /// versions.
    pub(crate) unversioned: BTreeSet<String>,
    /// The largest supported page size in bytes.
    pub(crate) page: u64,
    /// Whether it stays loaded after `dlclose`.
    pub(crate) stays: bool,
}

impl Elf {
    pub(super) fn glibc(&self) -> Result<Option<Glibc>> {
        let mut newest = None;
        for name in self.needed.iter().filter_map(|name| name.strip_prefix("GLIBC_")) {
            match Glibc::parse(name) {
                Some(version) => newest = newest.max(Some(version)),
                None => bail!("it needs GLIBC_{name}, which is not a version of glibc"),
            }
        }
        Ok(newest)
    }
}

pub(super) fn read<'data, Header: FileHeader<Endian = Endianness>>(
    library: &mut SharedLibrary,
    file: &ElfFile<'data, Header>,
    unversioned: BTreeSet<String>,
) -> Result<()> {
    let (endian, bytes) = (file.endian(), file.data());
    let mut build = Elf { unversioned, ..Elf::default() };
    let table = file.elf_dynamic_table()?;
    for entry in &table {
        match entry.tag {
            elf::DT_SONAME => library.name = Some(text(table.string(entry)?)),
            elf::DT_RPATH | elf::DT_RUNPATH => library.run_paths.push(text(table.string(entry)?)),
            elf::DT_FLAGS_1 => build.stays = entry.val & elf::DF_1_NODELETE.0 != 0,
            _ => {}
        }
    }
    // A version can be required without a symbol: `GLIBC_ABI_DT_RELR`.
    let sections = file.elf_section_table();
    if let Some((mut files, index)) = sections.gnu_verneed(endian, bytes)? {
        let strings = sections.strings(endian, bytes, index)?;
        while let Some((_, mut of_file)) = files.next()? {
            while let Some(version) = of_file.next()? {
                build.needed.insert(text(version.name(endian, strings)?));
            }
        }
    }
    let loaded = file.elf_program_headers().iter().filter(|it| it.p_type(endian) == elf::PT_LOAD);
    build.page = loaded.map(|it| it.p_align(endian).into()).min().unwrap_or_default();
    library.format = Format::Elf(build);
    Ok(())
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::super::archive_exports;
    use super::*;

    const SOURCE: &str = "#include <math.h>\n\
        __attribute__((visibility(\"hidden\"))) int hidden(void) { return 1; }\n\
        static int local(void) { return 2; }\n\
        extern double PyNone(void);\n\
        double speech_a(double x) { return sqrt(x) + hidden() + local() + PyNone(); }\n";

    fn run(directory: &std::path::Path, program: &str, arguments: &[&str]) {
        let mut command = Command::new(program);
        assert!(command.args(arguments).current_dir(directory).status().unwrap().success());
    }

    #[test]
    fn a_shared_library_is_read() {
        let scratch = tempfile::tempdir().unwrap();
        fs::write(scratch.path().join("a.c"), SOURCE).unwrap();
        let flags = ["-g", "-shared", "-fPIC", "-fno-builtin", "a.c", "-o", "a.so", "-lm"];
        let linker = [
            "-Wl,-soname,liba.so.7",
            "-Wl,-rpath,$ORIGIN",
            "-Wl,--no-as-needed",
            "-Wl,-z,nodelete",
        ];
        run(scratch.path(), "cc", &[&linker[..], &flags[..]].concat());
        let library = SharedLibrary::read(&fs::read(scratch.path().join("a.so")).unwrap()).unwrap();
        assert_eq!(library.exports, ["speech_a".to_owned()].into());
        assert!(library.imports.contains("sqrt"), "{:?}", library.imports);
        let Format::Elf(versions) = &library.format else { panic!() };
        assert_eq!(versions.unversioned, ["PyNone".to_owned()].into());
        assert!(versions.page >= 4096 && versions.stays, "{versions:?}");
        assert_eq!(library.name.as_deref(), Some("liba.so.7"));
        assert_eq!(library.run_paths, ["$ORIGIN"]);
        assert_eq!(library.needed, ["libc.so.6".to_owned(), "libm.so.6".to_owned()].into());
        assert!(library.glibc().unwrap() >= Glibc::parse("2.2.5"));
        assert!(library.strippable.contains(&".symtab".to_owned()), "{:?}", library.strippable);
        assert!(library.strippable.contains(&".debug_info".to_owned()), "{:?}", library.strippable);
    }

    #[test]
    fn a_static_library_is_read() {
        let scratch = tempfile::tempdir().unwrap();
        fs::write(scratch.path().join("a.c"), SOURCE).unwrap();
        fs::write(scratch.path().join("b.c"), "int other_b = 1;").unwrap();
        run(scratch.path(), "cc", &["-c", "a.c", "b.c"]);
        run(scratch.path(), "ar", &["rc", "a.a", "a.o", "b.o"]);
        let bytes = fs::read(scratch.path().join("a.a")).unwrap();
        let expected = ["speech_a".to_owned(), "other_b".to_owned()];
        assert_eq!(archive_exports(&bytes).unwrap(), expected.into());
        assert!(archive_exports(b"!<arch>").is_err());
    }

    #[test]
    fn the_needed_glibc_is_the_newest_of_the_versions() {
        let needs = |versions: &[&str]| Elf {
            needed: versions.iter().map(|&version| version.to_owned()).collect(),
            ..Elf::default()
        };
        let library = needs(&["GLIBC_2.2.5", "GLIBC_2.28", "GLIBC_2.3.4", "GCC_3.0"]);
        assert_eq!(library.glibc().unwrap().unwrap().to_string(), "2.28");
        assert_eq!(needs(&["CXXABI_1.3"]).glibc().unwrap(), None);
        assert!(needs(&["GLIBC_PRIVATE"]).glibc().is_err());
        assert!(needs(&["GLIBC_2.2.5", "GLIBC_ABI_DT_RELR"]).glibc().is_err());
    }
}
