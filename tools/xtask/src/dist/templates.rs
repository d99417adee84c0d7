//! The files that tell build systems about the package, from `tools/xtask/templates`.

use std::fmt::Write as _;

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

/// What the templates leave open.
#[derive(Debug)]
pub(crate) struct Values {
    values: Vec<(&'static str, String)>,
}

impl Values {
    pub(crate) fn new(
        version: &str,
        platform: &Platform,
        abi: Abi,
        native_libraries: &str,
    ) -> Self {
        let mut numbers = version.split('.').map(str::to_owned);
        let mut number = || numbers.next().unwrap_or_default();
        let values = vec![
            ("VERSION", version.to_owned()),
            ("MAJOR", number()),
            ("MINOR", number()),
            ("TRIPLE", platform.triple().to_owned()),
            ("LIBRARY", format!("{}/{}", platform.library_folder(), platform.library(abi))),
            ("LINKED_AS", linked_as(platform, abi)),
            ("LINK_OPTIONS", link_options(platform).to_owned()),
            ("FOLDERS", folders(platform, abi)),
            ("FOUND_BY", found_by(platform).to_owned()),
            ("POINTER_BYTES", platform.pointer_bytes().to_string()),
            ("NATIVE_LIBRARIES", native_libraries.to_owned()),
            ("REQUIREMENTS", requirements(platform)),
        ];
        Values { values }
    }

    /// Writes the files.
    pub(crate) fn write(&self, tree: &Tree) -> Result<()> {
        FILES.iter().try_for_each(|(name, template)| tree.write(name, &self.fill(name, template)?))
    }

    fn fill(&self, name: &str, template: &str) -> Result<String> {
        let mut text = template.to_owned();
        for (key, value) in &self.values {
            text = text.replace(&format!("@{key}@"), value);
        }
        let open = text.split('@').nth(1).filter(|word| !word.is_empty() && is_key(word));
        ensure!(open.is_none(), "{name} has no value for {open:?}");
        Ok(text)
    }
}

fn is_key(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

/// What CMake is told of the library beside its place.
fn linked_as(platform: &Platform, abi: Abi) -> String {
    if platform.is_windows() {
        "IMPORTED_IMPLIB \"${_libspeech_prefix}/lib/speech.lib\"".to_owned()
    } else {
        format!("IMPORTED_SONAME \"{}\"", platform.library_name(abi))
    }
}

/// The run path lets a program find the library where it was when the program was linked; Windows has none.
fn link_options(platform: &Platform) -> &'static str {
    if platform.is_windows() {
        "-L${libdir} -lspeech"
    } else {
        "-L${libdir} -Wl,-rpath,${libdir} -lspeech"
    }
}

/// What is in the folders of libraries.
fn folders(platform: &Platform, abi: Abi) -> String {
    let library = platform.library(abi);
    if platform.is_windows() {
        format!(
            "    bin/                   {library}\n    lib/                   speech.lib (for MSVC) and libspeech.dll.a (for MinGW), which \
             a program is\n                           linked with, libspeech.a, pkgconfig/ and cmake/"
        )
    } else {
        format!(
            "    lib/                   {library} and its links, libspeech.a, pkgconfig/ and cmake/"
        )
    }
}

/// How a program finds the library.
fn found_by(platform: &Platform) -> &'static str {
    match platform.system() {
        System::Windows => {
            "by the program: speech.dll has to be beside it, or in a directory of PATH."
        }
        System::MacOs | System::Ios | System::IosSimulator => {
            "by the program: both ways above give it the directory as a run path. An application that\n                     \
             brings its own copy sets @loader_path as its run path."
        }
        System::Glibc | System::Musl | System::Android => {
            "by the program: both ways above give it the directory as a run path. An application that\n                     \
             brings its own copy sets $ORIGIN as its run path."
        }
    }
}

fn requirements(platform: &Platform) -> String {
    let mut text = String::new();
    if platform.has_glibc() {
        let _ = write!(text, "\nglibc {GLIBC} or newer is needed.\n");
    }
    if platform.system() == System::MacOs {
        let _ = write!(text, "\nmacOS {MACOS} or newer is needed.\n");
    }
    if platform.is_windows() {
        text.push_str("\nWindows 10 or newer is needed.\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> Values {
        let platform = Platform::of_host().unwrap();
        Values::new("0.1.0", &platform, Abi { major: 1, minor: 0 }, "-lm -lc")
    }

    #[test]
    fn every_template_is_filled() {
        for (name, template) in FILES {
            let text = values().fill(name, template).unwrap();
            let keys = text.split('@').skip(1).step_by(2).filter(|word| is_key(word));
            assert_eq!(keys.collect::<Vec<_>>(), Vec::<&str>::new(), "{name}");
            assert!(text.contains("0.1") || name.ends_with("libspeechConfig.cmake"), "{name}");
        }
    }

    #[test]
    fn a_value_that_is_missing_is_an_error() {
        assert_eq!(values().fill("a", "v@VERSION@, @loader_path").unwrap(), "v0.1.0, @loader_path");
        assert!(values().fill("a", "@UNHEARD_OF@").is_err());
    }
}
