//! The wheel of the voices, which contains no code, and the requirement that pins it in the
//! library's package.

use std::io::ErrorKind;

use super::{check, program, scratch};
use crate::dist::pack::recompress;
use crate::dist::{VERSION, licences};
use crate::prelude::*;

const SOURCES: [&str; 4] =
    ["README.md", "pyproject.toml", "libspeech_voices/__init__.py", "libspeech_voices/py.typed"];

/// Builds the wheel.
pub(super) fn make() -> Result<PathBuf> {
    let project = project()?;
    let out = scratch("voices-out")?;
    let mut hatchling = program("hatchling");
    hatchling.args(["build", "--target", "wheel", "--directory"]).arg(&out);
    hatchling.env("SPEECH_VERSION", VERSION).current_dir(&project);
    process::titled("wheel of the voices", &mut hatchling)?;
    let wheel = recompress(&only(&out, ".whl")?)?;
    check::voices(&wheel, &project)?;
    Ok(wheel)
}

/// Copies the project and adds the bundle and the licenses.
fn project() -> Result<PathBuf> {
    let tree = Tree::begin(&target().join("wheel/voices"))?;
    let folder = root().join("bindings/python/voices");
    for name in SOURCES {
        tree.copy(&folder.join(name), name)?;
    }
    licences::write_own(&tree, ".")?;
    let _lock = cache::lock()?;
    let bundle = Bundle::ensure(None)?;
    bundle.copy_to(&tree.path("libspeech_voices/bundle")?)?;
    tree.finish()
}

/// Writes the requirement with the name and the checksum of the wheel to the library's package, or
/// removes it if there is no wheel.
pub(super) fn pin(wheel: Option<&Path>) -> Result<()> {
    let pin = root().join("bindings/python/python/libspeech/voices.txt");
    let written = match wheel {
        Some(wheel) => {
            let digest = digest::of_file(wheel)?;
            fs::write(&pin, requirement(&digest))
        }
        None => match fs::remove_file(&pin) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        },
    };
    written.with_context(|| format!("cannot write {}", pin.display()))
}

fn requirement(sha256: &str) -> String {
    format!("libspeech-sdk-voices=={VERSION} --hash=sha256:{sha256}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extra_and_the_pin_name_this_version() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let project = fs::read_to_string(root.join("bindings/python/pyproject.toml")).unwrap();
        let (extra, hash) = ("libspeech-sdk-voices==", format!("=={VERSION} --hash=sha256:ab\n"));
        assert_eq!(project.matches(extra).count(), 1);
        assert!(project.contains(&format!("[\"{extra}{VERSION}\"]")), "the extra `voices`");
        assert!(requirement("ab").ends_with(&hash));
    }
}
