//! The reference of each language, made by its own tool.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::bindings::{copy_all, jvm, typescript as sources};
use crate::process;
use crate::progress::Item;
use crate::workspace::Workspace;

use super::{Site, c_interface, pages};

/// The commands of the program `speech`.
const COMMANDS: [&str; 6] = ["say", "voices", "split", "inspect", "bench", "tiers"];

/// Fills the pages of the book that are references.
pub(super) fn fill_pages(workspace: &Workspace, site: &Site) -> Result<()> {
    let include = workspace.root().join("include");
    let read = |name: &str| fs::read_to_string(include.join(name)).with_context(|| name.to_owned());
    let cpp = format!("```cpp\n{}\n```\n", read("speech.hpp")?.trim_end());
    fill(site, "c", &c_interface::page(&read("speech.h")?))?;
    fill(site, "cpp", &cpp)?;
    fill(site, "command-line", &command_line(workspace)?)
}

fn fill(site: &Site, name: &str, made: &str) -> Result<()> {
    let path = site.pages.join("reference").join(format!("{name}.md"));
    pages::fill(&path, "made", |place| (place == name).then(|| made.to_owned()))
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| path.display().to_string())
}

/// What the program says of itself.
fn command_line(workspace: &Workspace) -> Result<String> {
    let program = workspace.release_program("speech");
    let mut page = String::new();
    for command in COMMANDS {
        let mut speech = Command::new(&program);
        let printed = process::printed(speech.args([command, "--help"]).env("COLUMNS", "100"))?;
        let printed = String::from_utf8(printed)?;
        page += &format!("\n## speech {command}\n\n```text\n{}\n```\n", printed.trim_end());
    }
    Ok(page)
}

/// Makes the references that are sites of their own.
pub(super) fn make(workspace: &Workspace, site: &Site) -> Result<()> {
    let out = site.out.join("reference");
    rust(workspace, site, &out.join("rust"))?;
    python(workspace, &out.join("python"))?;
    typescript(workspace, "node", &out.join("node"))?;
    typescript(workspace, "web", &out.join("web"))?;
    java(workspace, site, &out.join("java"))
}

/// By rustdoc.
fn rust(workspace: &Workspace, site: &Site, out: &Path) -> Result<()> {
    let item = Item::start("the reference of Rust");
    let target = site.work.join("rust");
    let mut doc = workspace.cargo("doc");
    doc.args(["--package", "speech-core", "--no-deps", "--release", "--locked"]);
    doc.env("CARGO_TARGET_DIR", &target).env("RUSTDOCFLAGS", "-D warnings");
    process::quiet(&mut doc, &item)?;
    copy_all(&target.join("doc"), out)?;
    let _ = fs::remove_file(out.join(".lock"));
    // rustdoc has none for one crate, and links to it.
    write(
        &out.join("index.html"),
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>libspeech in Rust</title>\n\
         <meta http-equiv=\"refresh\" content=\"0; url=speech_core/index.html\">\n\
         <p><a href=\"speech_core/index.html\">speech_core</a></p>\n</html>\n",
    )?;
    item.finish("");
    Ok(())
}

/// By pydoctor, which reads the sources and imports nothing.
fn python(workspace: &Workspace, out: &Path) -> Result<()> {
    let venv = super::venv(workspace);
    venv.ensure()?;
    let item = Item::start("the reference of Python");
    let sources = workspace.python_package().join("python");
    let mut pydoctor = Command::new(venv.program("pydoctor"));
    pydoctor.args([
        "--docformat=numpy",
        "--project-name=libspeech",
        "--privacy=HIDDEN:libspeech.__main__",
    ]);
    pydoctor.arg("--project-base-dir").arg(&sources).arg("--html-output").arg(out);
    process::quiet(pydoctor.arg(sources.join("libspeech")), &item)?;
    item.finish("");
    Ok(())
}

/// By TypeDoc.
fn typescript(workspace: &Workspace, package: &str, out: &Path) -> Result<()> {
    let tools = super::tools(workspace)?;
    let item = Item::start(format!("the reference of {package}"));
    // It looks for the types of Node from there.
    let copied = sources(workspace, package, tools.join(package))?;
    let mut typedoc = Command::new(tools.join("node_modules/.bin/typedoc"));
    typedoc.args([
        "--entryPoints",
        "ts/index.ts",
        "--readme",
        "none",
        "--excludeInternal",
        "--excludePrivate",
    ]);
    typedoc
        .args([
            "--disableSources",
            "--githubPages",
            "false",
            "--treatWarningsAsErrors",
            // Classes may have types of the package's own behind them.
            "--validation.notExported",
            "false",
            "--out",
        ])
        .arg(out);
    process::quiet(typedoc.current_dir(&copied), &item)?;
    item.finish("");
    Ok(())
}

/// By javadoc.
fn java(workspace: &Workspace, site: &Site, out: &Path) -> Result<()> {
    let item = Item::start("the reference of Java");
    let (mut mvn, made) = jvm::reference(workspace, &site.work.join("jvm"))?;
    process::quiet(&mut mvn, &item)?;
    copy_all(&made, out)?;
    item.finish("");
    Ok(())
}
