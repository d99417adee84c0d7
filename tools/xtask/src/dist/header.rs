//! The version of the C interface, as `include/speech.h` states it.

use crate::prelude::*;

/// Programs work with a library of the same major version and of the same or a later minor one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Abi {
    pub(crate) major: u32,
    pub(crate) minor: u32,
}

impl Abi {
    /// Reads `SPEECH_ABI_MAJOR` and `SPEECH_ABI_MINOR`.
    pub(crate) fn of_header(path: &Path) -> Result<Self> {
        let header = fs::read_to_string(path)?;
        let number = |name: &str| {
            defined(&header, name)
                .with_context(|| format!("{} does not define {name} as a number", path.display()))
        };
        Ok(Abi { major: number("SPEECH_ABI_MAJOR")?, minor: number("SPEECH_ABI_MINOR")? })
    }
}

fn defined(header: &str, name: &str) -> Option<u32> {
    let mut definitions = header.lines().map(str::split_whitespace).filter_map(|mut words| {
        (words.next() == Some("#define") && words.next() == Some(name)).then(|| words.next())
    });
    definitions.next()??.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("speech.h");
        let text = "/* SPEECH_ABI_MAJOR 7 */\n#define SPEECH_ABI_CHECK(e) f(SPEECH_ABI_MAJOR)\n\
                    #define SPEECH_ABI_MAJOR 1\n#define  SPEECH_ABI_MINOR\t12 // newer\n";
        fs::write(&path, text).unwrap();
        assert_eq!(Abi::of_header(&path).unwrap(), Abi { major: 1, minor: 12 });
    }

    #[test]
    fn what_is_missing_is_named() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("speech.h");
        let error = Abi::of_header(&path).unwrap_err();
        assert!(error.to_string().contains("speech.h"), "{error}");
        for text in [
            "#define SPEECH_ABI_MAJOR 1\n",
            "#define SPEECH_ABI_MAJOR 1\n#define SPEECH_ABI_MINOR x",
        ] {
            fs::write(&path, text).unwrap();
            let error = Abi::of_header(&path).unwrap_err();
            assert!(error.to_string().contains("SPEECH_ABI_MINOR"), "{error}");
        }
    }
}
