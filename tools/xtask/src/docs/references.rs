//! Generates the API reference of each language with its own tool.

use super::Site;
use crate::bindings::{jvm, typescript as sources};
use crate::prelude::*;

/// Generates the references that are separate sites.
pub(super) fn make(site: &Site) -> Result<()> {
    let out = site.out.join("reference");
    rust(site, &out.join("rust"))?;
    python(&out.join("python"))?;
    typescript("node", &out.join("node"))?;
    typescript("web", &out.join("web"))?;
    java(site, &out.join("java"))
}

/// Runs rustdoc.
fn rust(site: &Site, out: &Path) -> Result<()> {
    let target = site.work.join("rust");
    let mut doc = workspace::cargo("doc");
    doc.args(["--package", "speech-core", "--no-deps", "--release", "--locked"]);
    doc.env("CARGO_TARGET_DIR", &target).env("RUSTDOCFLAGS", "-D warnings");
    process::titled("the reference of Rust", &mut doc)?;
    copy_all(&target.join("doc"), out)?;
    let _ = fs::remove_file(out.join(".lock"));
    // rustdoc writes no index.html for a single crate, but links to it.
    fs::write(
        out.join("index.html"),
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>libspeech in Rust</title>\n\
         <meta http-equiv=\"refresh\" content=\"0; url=speech_core/index.html\">\n\
         <p><a href=\"speech_core/index.html\">speech_core</a></p>\n</html>\n",
    )?;
    Ok(())
}

/// Runs pydoctor, which reads the sources and imports nothing.
fn python(out: &Path) -> Result<()> {
    super::VENV.ensure()?;
    let sources = root().join("bindings/python/python");
    let mut pydoctor = Command::new(super::VENV.program("pydoctor"));
    pydoctor.args([
        "--docformat=numpy",
        "--project-name=libspeech",
        "--privacy=HIDDEN:libspeech.__main__",
    ]);
    pydoctor.arg("--project-base-dir").arg(&sources).arg("--html-output").arg(out);
    process::titled("the reference of Python", pydoctor.arg(sources.join("libspeech")))
}

/// Runs TypeDoc.
fn typescript(package: &str, out: &Path) -> Result<()> {
    let tools = super::tools()?;
    // TypeDoc looks for the types of Node relative to the sources.
    let copied = sources(package, tools.join(package))?;
    let mut typedoc = Command::new(tools.join("node_modules/.bin/typedoc"));
    typedoc.args(["--entryPoints", "ts/index.ts", "--readme", "none", "--excludeInternal"]);
    typedoc.args(["--excludePrivate", "--disableSources", "--githubPages", "false"]);
    // Public classes may refer to internal types of the package.
    typedoc.args(["--treatWarningsAsErrors", "--validation.notExported", "false", "--out"]);
    typedoc.arg(out);
    process::titled(format!("the reference of {package}"), typedoc.current_dir(&copied))
}

/// Runs javadoc.
fn java(site: &Site, out: &Path) -> Result<()> {
    let (mut mvn, made) = jvm::reference(&site.work.join("jvm"))?;
    process::titled("the reference of Java", &mut mvn)?;
    copy_all(&made, out)?;
    Ok(())
}
