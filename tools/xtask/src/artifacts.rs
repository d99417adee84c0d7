//! The voice bundle, and the reference data that tests compare the library with.

use serde_json::json;

use crate::prelude::*;

const BUNDLE: &str = "SPEECH_BUNDLE";
const REFERENCE: &str = "SPEECH_REFERENCE";

/// Complete and undamaged artifacts.
#[derive(Debug)]
pub(crate) struct Artifacts {
    bundle: PathBuf,
    reference: Option<PathBuf>,
}

impl Artifacts {
    /// Returns the bundle alone. Downloads or builds missing parts.
    pub(crate) fn to_speak() -> Result<Self> {
        let _lock = cache::lock()?;
        let bundle = Bundle::ensure(None)?;
        let artifacts = Artifacts { bundle: bundle.directory().to_path_buf(), reference: None };
        artifacts.write_down()?;
        Ok(artifacts)
    }

    /// Returns the bundle and the reference data of the library's tests.
    pub(crate) fn ensure() -> Result<Self> {
        let mut artifacts = Self::to_speak()?;
        let _lock = cache::lock()?;
        let bundle = Bundle::at(artifacts.bundle.clone());
        artifacts.reference = Some(bundle.ensure_reference()?);
        Ok(artifacts)
    }

    /// Writes the path of the bundle to a file in the cache, where the library looks for it by
    /// default.
    fn write_down(&self) -> Result<()> {
        let note = cache::root()?.join("current.json");
        let partial = note.with_extension("partial");
        let json = json!({ "bundle": self.bundle });
        fs::write(&partial, format!("{json:#}\n"))
            .and_then(|()| fs::rename(&partial, &note))
            .with_context(|| format!("cannot write {}", note.display()))
    }

    /// The directory of the bundle.
    pub(crate) fn bundle(&self) -> &Path {
        &self.bundle
    }

    /// Sets the environment variables of a program to the paths of the artifacts.
    pub(crate) fn set_on<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        let reference = self.reference.iter().map(|reference| (REFERENCE, reference));
        command.env(BUNDLE, &self.bundle).envs(reference)
    }

    /// The same variables as lines for a shell: POSIX, or PowerShell on Windows.
    pub(crate) fn shell_lines(&self) -> String {
        let line = |name: &str, path: &PathBuf| {
            let path = path.display().to_string();
            if cfg!(windows) {
                format!("$env:{name} = '{}'\n", path.replace('\'', "''"))
            } else {
                format!("export {name}='{}'\n", path.replace('\'', r"'\''"))
            }
        };
        let reference = self.reference.iter().map(|reference| line(REFERENCE, reference));
        reference.fold(line(BUNDLE, &self.bundle), |lines, line| lines + &line)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_the_lines_back() {
        let artifacts =
            Artifacts { bundle: "/it's a $HOME/b".into(), reference: Some("/b \"c\"".into()) };
        let script =
            artifacts.shell_lines() + r#"printf '%s|%s' "$SPEECH_BUNDLE" "$SPEECH_REFERENCE""#;
        let output = Command::new("sh").arg("-c").arg(script).output().unwrap();
        let lines = String::from_utf8(output.stdout).unwrap();
        assert_eq!(lines, r#"/it's a $HOME/b|/b "c""#);
        let to_speak = Artifacts { bundle: "/b".into(), reference: None };
        assert_eq!(to_speak.shell_lines(), "export SPEECH_BUNDLE='/b'\n");
    }
}
