//! Fills the templates of `tools/xtask/templates`, which describe the package to build systems.

use super::VERSION;
use super::gates::GLIBC;
use super::header::Abi;
use super::link::MACOS;
use super::platform::{Platform, System};
use super::tree::Tree;
use crate::prelude::*;

/// Each template, and its place in the package.
const FILES: [(&str, &str); 5] = [
    ("lib/pkgconfig/libspeech.pc", include_str!("../../templates/libspeech.pc")),
    ("lib/pkgconfig/libspeech-static.pc", include_str!("../../templates/libspeech-static.pc")),
    (
        "lib/cmake/libspeech/libspeechConfig.cmake",
        include_str!("../../templates/libspeechConfig.cmake"),
    ),
    (
        "lib/cmake/libspeech/libspeechConfigVersion.cmake",
        include_str!("../../templates/libspeechConfigVersion.cmake"),
    ),
    ("share/doc/libspeech/README.txt", include_str!("../../templates/README.txt")),
];

/// The values of the placeholders.
#[derive(Debug)]
pub(crate) struct Values(Vec<(&'static str, String)>);

impl Values {
    pub(crate) fn new(platform: &Platform, abi: Abi, native_libraries: &str) -> Self {
        let library = platform.library(abi);
        let [major, minor, _] = VERSION.split('.').collect::<Vec<_>>()[..] else {
            unreachable!("cargo accepts no other version")
        };
        // With the run path, a program finds the library where it was linked. Windows has no run
        // path.
        let [linked_as, link_options, folders] = if platform.is_windows() {
            let folders = format!(
                "    bin/                   {library}\n    lib/                   speech.lib (for MSVC) and libspeech.dll.a (for \
                 MinGW) for\n                           linking, libspeech.a, pkgconfig/ and cmake/"
            );
            let linked_as = "IMPORTED_IMPLIB \"${_libspeech_prefix}/lib/speech.lib\"".to_owned();
            [linked_as, "-L${libdir} -lspeech".to_owned(), folders]
        } else {
            [
                format!("IMPORTED_SONAME \"{}\"", platform.library_name(abi)),
                "-L${libdir} -Wl,-rpath,${libdir} -lspeech".to_owned(),
                format!(
                    "    lib/                   {library} and its links, libspeech.a, pkgconfig/ and cmake/"
                ),
            ]
        };
        let run_path = |folder: &str| {
            format!(
                "the program searches its run path, which both methods above set to this directory. An\n                     \
                 application that includes a copy sets {folder} as its run path."
            )
        };
        let beside =
            "speech.dll must be in the directory of the program, or in a directory of PATH.";
        let (found_by, oldest) = match platform.system() {
            System::Windows => (beside.to_owned(), "Windows 10".to_owned()),
            System::Glibc => (run_path("$ORIGIN"), format!("glibc {GLIBC}")),
            System::Musl | System::Android => (run_path("$ORIGIN"), String::new()),
            System::MacOs | System::Ios | System::IosSimulator => {
                (run_path("@loader_path"), format!("macOS {MACOS}"))
            }
        };
        let requirements = match &*oldest {
            "" => String::new(),
            oldest => format!("\nRequires {oldest} or newer.\n"),
        };
        Values(vec![
            ("VERSION", VERSION.to_owned()),
            ("MAJOR", major.to_owned()),
            ("MINOR", minor.to_owned()),
            ("TRIPLE", platform.triple().to_owned()),
            ("LIBRARY", format!("{}/{library}", platform.library_folder())),
            ("LINKED_AS", linked_as),
            ("LINK_OPTIONS", link_options),
            ("FOLDERS", folders),
            ("FOUND_BY", found_by),
            ("POINTER_BYTES", platform.pointer_bytes().to_string()),
            ("NATIVE_LIBRARIES", native_libraries.to_owned()),
            ("REQUIREMENTS", requirements),
        ])
    }

    /// Writes the filled templates.
    pub(crate) fn write(&self, tree: &Tree) -> Result<()> {
        FILES.iter().try_for_each(|(name, template)| tree.write(name, &self.fill(name, template)?))
    }

    fn fill(&self, name: &str, template: &str) -> Result<String> {
        let text = self.0.iter().fold(template.to_owned(), |text, (key, value)| {
            text.replace(&format!("@{key}@"), value)
        });
        let is_key =
            |word: &&str| word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        let open = text.split('@').skip(1).step_by(2).find(is_key);
        ensure!(
            open.is_none_or(str::is_empty),
            "the template {name} has the unknown placeholder {open:?}"
        );
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_is_filled() {
        let platform = Platform::of_host().unwrap();
        let values = Values::new(&platform, Abi { major: 1, minor: 0 }, "-lm -lc");
        for (name, template) in FILES {
            let text = values.fill(name, template).unwrap();
            assert!(text.contains("0.1") || name.ends_with("libspeechConfig.cmake"), "{name}");
        }
        let filled = values.fill("a", "v@VERSION@, @loader_path").unwrap();
        assert_eq!(filled, format!("v{VERSION}, @loader_path"));
        assert!(values.fill("a", "@UNHEARD_OF@").is_err());
    }
}
