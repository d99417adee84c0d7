//! The reference of each language, made by its own tool.

use super::{Site, c_interface, pages};
use crate::bindings::{jvm, typescript as sources};
use crate::prelude::*;

/// The commands of the program `speech`.
const COMMANDS: [&str; 6] = ["say", "voices", "split", "inspect", "bench", "tiers"];

/// Fills the pages of the book that are references.
pub(super) fn fill_pages(site: &Site) -> Result<()> {
    let include = root().join("include");
    let read = |name: &str| fs::read_to_string(include.join(name)).with_context(|| name.to_owned());
    let cpp = format!("```cpp\n{}\n```\n", read("speech.hpp")?.trim_end());
    fill(site, "c", &c_interface::page(&read("speech.h")?))?;
    fill(site, "cpp", &cpp)?;
    fill(site, "command-line", &command_line()?)
}

fn fill(site: &Site, name: &str, made: &str) -> Result<()> {
    let path = site.pages.join("reference").join(format!("{name}.md"));
    pages::fill(&path, "made", |place| (place == name).then(|| made.to_owned()))
}

/// What the program says of itself.
fn command_line() -> Result<String> {
    let program = workspace::release_program("speech");
    let mut page = String::new();
    for command in COMMANDS {
        let mut speech = Command::new(&program);
        let printed = process::text(speech.args([command, "--help"]).env("COLUMNS", "100"))?;
        page += &format!("\n## speech {command}\n\n```text\n{}\n```\n", printed.trim_end());
    }
    Ok(page)
}

/// Makes the references that are sites of their own.
pub(super) fn make(site: &Site) -> Result<()> {
    let out = site.out.join("reference");
    rust(site, &out.join("rust"))?;
    python(&out.join("python"))?;
    typescript("node", &out.join("node"))?;
    typescript("web", &out.join("web"))?;
    java(site, &out.join("java"))
}

/// By rustdoc.
fn rust(site: &Site, out: &Path) -> Result<()> {
    let target = site.work.join("rust");
    let mut doc = workspace::cargo("doc");
    doc.args(["--package", "speech-core", "--no-deps", "--release", "--locked"]);
    doc.env("CARGO_TARGET_DIR", &target).env("RUSTDOCFLAGS", "-D warnings");
    process::titled("the reference of Rust", &mut doc)?;
    copy_all(&target.join("doc"), out)?;
    let _ = fs::remove_file(out.join(".lock"));
    // rustdoc has none for one crate, and links to it.
    fs::write(
        out.join("index.html"),
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>libspeech in Rust</title>\n\
         <meta http-equiv=\"refresh\" content=\"0; url=speech_core/index.html\">\n\
         <p><a href=\"speech_core/index.html\">speech_core</a></p>\n</html>\n",
    )?;
    Ok(())
}

/// By pydoctor, which reads the sources and imports nothing.
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

/// By TypeDoc.
fn typescript(package: &str, out: &Path) -> Result<()> {
    let tools = super::tools()?;
    // It looks for the types of Node from there.
    let copied = sources(package, tools.join(package))?;
    let mut typedoc = Command::new(tools.join("node_modules/.bin/typedoc"));
    typedoc.args(["--entryPoints", "ts/index.ts", "--readme", "none", "--excludeInternal"]);
    typedoc.args(["--excludePrivate", "--disableSources", "--githubPages", "false"]);
    // Classes may have types of the package's own behind them.
    typedoc.args(["--treatWarningsAsErrors", "--validation.notExported", "false", "--out"]);
    typedoc.arg(out);
    process::titled(format!("the reference of {package}"), typedoc.current_dir(&copied))
}

/// By javadoc.
fn java(site: &Site, out: &Path) -> Result<()> {
    let (mut mvn, made) = jvm::reference(&site.work.join("jvm"))?;
    process::titled("the reference of Java", &mut mvn)?;
    copy_all(&made, out)?;
    Ok(())
}
