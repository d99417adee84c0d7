//! The Go module, against the package of the C library.

use super::{fake_model, isolate, tell};
use crate::dist::Dist;
use crate::prelude::*;

/// What finds mistakes that the compiler does not, from the proxy of Go modules.
const STATICCHECK: &str = "v0.8.2";

/// The tag that has the static library linked.
const STATIC: &str = "libspeech_static";

/// Checks that the sources are formatted.
pub(crate) fn format() -> Result<()> {
    let found = process::printed(Command::new("gofmt").arg("-l").arg(folder()))?;
    let found = String::from_utf8_lossy(&found);
    ensure!(found.is_empty(), "`gofmt -w` changes these files:\n{found}");
    Ok(())
}

/// Runs the checkers, and the tests with the shared library, under the race detector, and with the static one.
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
    // They have been vetted.
    go(&["test", "-race", "-vet=off", "-count=1", "./..."])?;
    go(&["test", "-tags", STATIC, "-vet=off", "-count=1", "./..."])
}

/// Downloads what is needed.
pub(crate) fn fetch() -> Result<()> {
    staticcheck().map(drop)
}

/// The installed staticcheck.
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

/// Tells a command where the package is, and the tests where everything else is. An engine of an example finds the fake model.
fn with_package<'a>(command: &'a mut Command, artifacts: &Artifacts) -> Result<&'a mut Command> {
    let package = Dist::whole().directory()?;
    // The cache of Go knows the flags of the environment, and neither the output of pkg-config nor the files that it names.
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
