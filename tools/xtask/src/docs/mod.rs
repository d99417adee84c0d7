//! `cargo xtask docs`: the site with the documentation, in `docs` of the target directory.

mod book;
mod browser;
mod c_interface;
mod figures;
mod links;
mod pages;
mod references;
mod samples;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;

use crate::artifacts::Artifacts;
use crate::bindings::{clear, copy_all};
use crate::cache::Cache;
use crate::lock::Lock;
use crate::npm;
use crate::process;
use crate::python::Venv;
use crate::workspace::Workspace;

use self::pages::Pages;

#[derive(Args)]
pub(crate) struct Docs {
    /// Also test the main pages in Chromium: narrow and wide, light and dark. The screenshots are in `docs-pictures` of the target
    /// directory.
    #[arg(long)]
    check: bool,
    /// Use the existing build of the program `speech`.
    #[arg(long)]
    built: bool,
    /// Omit the audio samples, which take some minutes and other engines.
    #[arg(long, conflicts_with = "check")]
    no_samples: bool,
    /// Open the site in the browser.
    #[arg(long)]
    open: bool,
}

/// The folder of the page of `examples/web`, on the site.
const DEMO: &str = "try";

/// Where the parts of the site are put together.
struct Site {
    /// What is published.
    out: PathBuf,
    /// What the book is made of.
    pages: PathBuf,
    /// What is kept from one run to the next.
    work: PathBuf,
}

impl Docs {
    /// The site, looked at in a browser, with the program that was built last.
    pub(crate) fn checked() -> Self {
        Self { check: true, built: true, no_samples: false, open: false }
    }

    pub(crate) fn run(&self, workspace: &Workspace, cache: &Cache) -> Result<()> {
        let _lock = Lock::acquire(&workspace.target().join("docs.lock"))?;
        if !self.built {
            process::shown(&mut workspace.build_speech())?;
        }
        let work = workspace.target().join("docs-work");
        let site =
            Site { out: workspace.target().join("docs"), pages: clear(work.join("pages"))?, work };
        let samples = if self.no_samples {
            None
        } else {
            let artifacts = Artifacts::to_speak(workspace, cache)?;
            Some(samples::ensure(workspace, cache, &artifacts, &site)?)
        };
        let pages = Pages::read(workspace)?;
        pages.write(&site.pages)?;
        samples::write_page(&site, samples.as_deref())?;
        plots(&site)?;
        let demo = workspace.target().join("web").join("demo");
        link_demo(&site, demo.is_dir())?;
        references::fill_pages(workspace, &site)?;
        book::make(workspace, &site)?;
        references::make(workspace, &site)?;
        if demo.is_dir() {
            copy_all(&demo, &site.out.join(DEMO))?;
        }
        links::check(workspace, &site)?;
        if self.check {
            browser::check(workspace, &site)?;
        }
        let index = site.out.join("index.html");
        println!("{}", index.display());
        if self.open {
            let program = match std::env::consts::OS {
                "macos" => "open",
                "windows" => "explorer",
                _ => "xdg-open",
            };
            process::shown(Command::new(program).arg(index))?;
        }
        Ok(())
    }
}

/// Links the page of `examples/web` where pages have a place for that, if `cargo xtask web` has made it.
fn link_demo(site: &Site, is_there: bool) -> Result<()> {
    for (page, up) in [("index.md", ""), ("start/web.md", "../"), ("examples/web.md", "../")] {
        let link = |text: &str| {
            let link =
                format!("<p class=\"try\"><a href=\"{up}{DEMO}/index.html\">{text}</a></p>\n");
            Some(if is_there { link } else { String::new() })
        };
        pages::fill(&site.pages.join(page), "demo", link)?;
    }
    Ok(())
}

/// Draws the plots where pages have places for them: `<!-- plot: NAME -->`.
fn plots(site: &Site) -> Result<()> {
    let listing = site.pages.join("figures.json");
    let plots = figures::read(&fs::read(&listing).context("docs/figures.json")?)?;
    fs::remove_file(&listing).with_context(|| listing.display().to_string())?;
    for page in ["benchmarks.md", "how/vocoder.md"] {
        let plot = |name: &str| plots.get(name).map(figures::Plot::html);
        pages::fill(&site.pages.join(page), "plot", plot)?;
    }
    Ok(())
}

/// What makes the reference of Python and checks the links.
fn venv(workspace: &Workspace) -> Venv {
    Venv::new(workspace, "venv-docs", &workspace.xtask().join("requirements-docs.txt"))
}

/// Installs what makes the references of TypeScript and looks at the site in a browser, and gives its folder.
fn tools(workspace: &Workspace) -> Result<PathBuf> {
    let tools = workspace.target().join("docs-work").join("tools");
    npm::install("tools for the site", &workspace.xtask().join("docs"), &tools)?;
    Ok(tools)
}
