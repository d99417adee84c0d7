//! The version of the C interface, as `include/speech.h` states it.

use crate::prelude::*;

/// The major and minor version. A program works with a library of the same major version and the
/// same or a later minor version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Abi {
    pub(crate) major: u32,
    pub(crate) minor: u32,
}

impl Abi {
    /// Reads `SPEECH_ABI_MAJOR` and `SPEECH_ABI_MINOR`.
    pub(crate) fn of_header(header: &str) -> Result<Self> {
        let number = |name: &str| {
            let define = format!("#define {name} ");
            let value = header.lines().find_map(|line| line.strip_prefix(&define)?.parse().ok());
            value.with_context(|| format!("speech.h does not define {name} as a number"))
        };
        Ok(Abi { major: number("SPEECH_ABI_MAJOR")?, minor: number("SPEECH_ABI_MINOR")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        let text = "/* SPEECH_ABI_MAJOR 7 */\n#define SPEECH_ABI_CHECK(e) f(SPEECH_ABI_MAJOR)\n\
                    #define SPEECH_ABI_MAJOR 1\n#define SPEECH_ABI_MINOR 12\n";
        assert_eq!(Abi::of_header(text).unwrap(), Abi { major: 1, minor: 12 });
        let error = Abi::of_header(&text.replace("12", "x")).unwrap_err().to_string();
        assert!(error.contains("SPEECH_ABI_MINOR"), "{error}");
    }
}
