//! Checks and tests the Go module with the package of the C library.

use super::{fake_model, isolate, tell};
use crate::dist::Dist;
use crate::prelude::*;

/// The version of staticcheck, which comes from the proxy of Go modules.
const STATICCHECK: &str = "v0.8.2";

/// The build tag that links the static library.
const STATIC: &str = "libspeech_static";

/// Checks that the sources are formatted.
pub(crate) fn format() -> Result<()> {
    let found = process::printed(Command::new("gofmt").arg("-l").arg(folder()))?;
    let found = String::from_utf8_lossy(&found);
    ensure!(found.is_empty(), "these files are not formatted; run `gofmt -w` on them:\n{found}");
    Ok(())
}

/// Runs the checkers, and the tests with the shared library, with the race detector, and with the
/// static library.
pub(crate) fn test(artifacts: &Artifacts) -> Result<()> {
    format()?;
    let package = Dist::whole().directory()?;
    let inputs = Inputs::new()?
        .command(with_package(&mut Command::new("go"), artifacts)?)
        .built(&package.join("lib"))?
        .sources(&["bindings/go"])?
        .shared()?
        .said_by(Command::new("go").arg("version"))?
        .said_by(Command::new("cc").arg("--version"))?;
    inputs.run("go-tests", || run(artifacts))
}

fn run(artifacts: &Artifacts) -> Result<()> {
    let go = |arguments: &[&str]| -> Result<()> {
        process::shown(with_package(Command::new("go").args(arguments), artifacts)?)
    };
    for tags in ["", STATIC] {
        go(&["vet", "-tags", tags, "./..."])?;
    }
    let mut staticcheck = Command::new(staticcheck()?);
    process::shown(with_package(staticcheck.arg("./..."), artifacts)?)?;
    // The previous commands ran `go vet`.
    go(&["test", "-race", "-vet=off", "-count=1", "./..."])?;
    go(&["test", "-tags", STATIC, "-vet=off", "-count=1", "./..."])
}

/// Downloads the dependencies.
pub(crate) fn fetch() -> Result<()> {
    staticcheck().map(drop)
}

/// Installs staticcheck and returns its path.
fn staticcheck() -> Result<PathBuf> {
    let folder = target().join("tools").join(format!("staticcheck-{STATICCHECK}"));
    let program = folder.join(format!("staticcheck{}", std::env::consts::EXE_SUFFIX));
    if !program.exists() {
        let mut install = Command::new("go");
        install.arg("install").arg(format!("honnef.co/go/tools/cmd/staticcheck@{STATICCHECK}"));
        process::shown(install.env("GOBIN", &folder))?;
    }
    Ok(program)
}

/// Sets the environment of a command: the paths of the package and of the test data. The examples
/// load the fake model.
fn with_package<'a>(command: &'a mut Command, artifacts: &Artifacts) -> Result<&'a mut Command> {
    let package = Dist::whole().directory()?;
    // Go's cache key contains the flags from the environment, but neither the output of pkg-config
    // nor the files that it names.
    let wanted = |path: &str| path.starts_with("include/") || path.starts_with("lib/");
    let digest = digest::of_listing(&digest::of_folder(&package, wanted)?);
    Ok(tell(isolate(command), artifacts)?
        .current_dir(folder())
        .env("CGO_CFLAGS", format!("-O2 -g -DPACKAGE_{digest}"))
        .env("PKG_CONFIG_PATH", package.join("lib/pkgconfig"))
        .env("SPEECH_HEADER", package.join("include/speech.h"))
        .env("SPEECH_BUNDLE", fake_model()))
}

fn folder() -> PathBuf {
    root().join("bindings/go")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_module_has_the_licences_of_the_repository() {
        for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
            let read = |folder: PathBuf| fs::read(folder.join(name)).unwrap();
            assert_eq!(read(folder()), read(root().to_path_buf()), "{name}");
        }
    }
}
