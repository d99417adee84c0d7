//! `cargo xtask docs`: builds the documentation site in `target/docs`.

mod book;
mod pages;
mod references;
mod samples;

use self::pages::Pages;
use crate::needs::{self, set_browser};
use crate::prelude::*;

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

/// The folder on the site for the page of `examples/web`.
const DEMO: &str = "try";

/// The folders of the build.
struct Site {
    /// The published site.
    out: PathBuf,
    /// The input of the book.
    pages: PathBuf,
    /// Files kept between runs.
    work: PathBuf,
}

impl Docs {
    /// The command that builds the site with the last build of the program, and tests it in a
    /// browser.
    pub(crate) fn checked() -> Self {
        Self { check: true, built: true, no_samples: false, open: false }
    }

    pub(crate) fn run(&self) -> Result<()> {
        let _lock = Lock::of("docs")?;
        if !self.built {
            process::shown(&mut workspace::build_speech())?;
        }
        let work = target().join("docs-work");
        let site = Site { out: target().join("docs"), pages: clear(work.join("pages"))?, work };
        let samples = if self.no_samples {
            None
        } else {
            let artifacts = Artifacts::to_speak()?;
            Some(samples::ensure(&artifacts, &site)?)
        };
        Pages::read(root())?.write(&site.pages)?;
        let demo = target().join("web/demo");
        fill_places(&site, demo.is_dir(), samples.as_deref())?;
        book::make(&site)?;
        references::make(&site)?;
        if demo.is_dir() {
            copy_all(&demo, &site.out.join(DEMO))?;
        }
        check_links(&site)?;
        if self.check {
            look(&site)?;
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

/// Fills the placeholders of the pages: plots, samples, references, and links to the page of
/// `examples/web` if `cargo xtask web` has built it.
fn fill_places(site: &Site, has_demo: bool, samples: Option<&Path>) -> Result<()> {
    let mut places = python::system()?;
    places.arg("-B").arg(root().join("tools/xtask/site/places.py")).arg(&site.pages).arg(root());
    places.arg(workspace::release_program("speech"));
    places.args(["--demo", DEMO].iter().filter(|_| has_demo));
    if let Some(samples) = samples {
        let copied = site.pages.join("samples");
        copy_all(samples, &copied)?;
        fs::remove_file(copied.join("inputs.sha256"))?;
        fs::remove_file(copied.join("samples.json"))?;
        places.arg("--samples").arg(samples);
    }
    process::titled("plots, samples and references", &mut places)
}

/// The environment of the Python reference and the link checker.
static VENV: Venv = Venv::new("venv-docs", "tools/xtask/requirements-docs.txt");

/// Installs the tools for the TypeScript references and the browser test, and returns their folder.
fn tools() -> Result<PathBuf> {
    let tools = target().join("docs-work/tools");
    npm::install("tools for the site", &root().join("tools/xtask/docs"), &tools)?;
    Ok(tools)
}

/// Links to ranges of source lines, which rustdoc's script resolves.
const RANGES: &str = r"/reference/rust/src/.*\.rs\.html#\d+-\d+$";

/// Checks that every link and picture of the site, references included, leads to an existing file
/// and anchor. Links to other sites are only parsed, because this works offline.
fn check_links(site: &Site) -> Result<()> {
    VENV.ensure()?;
    let item = Item::start("links of the site");
    let mut lychee = Command::new(VENV.program("lychee"));
    lychee.args(["--offline", "--include-fragments", "--no-progress"]);
    lychee.args(["--index-files", "index.html", "--exclude", RANGES]);
    lychee.arg("--root-dir").arg(&site.out).current_dir(&site.out).arg("**/*.html");
    let printed = process::captured(&mut lychee, &item)?;
    let found = count_links(&printed);
    ensure!(found > 1_000, "found only {found} valid links in the site:\n{printed}");
    item.finish(&format!("{found} valid"));
    Ok(())
}

/// The number of valid links, from the last line of lychee's output.
fn count_links(printed: &str) -> u64 {
    let words: Vec<_> = printed.split_whitespace().collect();
    let place = words.iter().rposition(|word| *word == "OK");
    let number = place.and_then(|place| words.get(place.checked_sub(1)?));
    number.and_then(|number| number.parse().ok()).unwrap_or_default()
}

/// Tests the main pages, narrow and wide, light and dark. axe-core must find no fault, nothing may
/// be wider than the window, every language must be one click away, and the samples must be
/// playable.
fn look(site: &Site) -> Result<()> {
    let tools = tools()?;
    let pictures = clear(target().join("docs-pictures"))?;
    let mut node = Command::new("node");
    set_browser(&mut node, needs::CHROMIUM)?;
    node.arg("--test")
        .arg(tools.join("site.test.mjs"))
        .env("DOCS_SITE", &site.out)
        .env("DOCS_PICTURES", &pictures);
    process::shown(&mut node)?;
    note(&format!("screenshots of the pages are in {}", pictures.display()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pages whose tables and texts repeat figures of the plots.
    #[test]
    fn every_figure_of_a_plot_stands_in_a_text() {
        let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
        let pages = ["docs/benchmarks.md", "docs/streaming.md", "research/compare/README.md"];
        let text = pages.map(read).concat() + &read("README.md");
        let numbers = text.split(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
        let number = |text: &str| text.trim_end_matches(['.', ',']).replace(',', "").parse().ok();
        let written: Vec<f64> = numbers.filter_map(number).collect();
        let plots: serde_json::Value = serde_json::from_str(&read("docs/figures.json")).unwrap();
        for plot in plots.as_object().unwrap().values() {
            for row in plot["rows"].as_array().unwrap() {
                let value = number(row["value"].as_str().unwrap()).unwrap();
                assert!(value > 0.0 && written.contains(&value), "{row}");
            }
        }
    }

    #[test]
    fn right_links_are_counted() {
        assert_eq!(
            count_links(
                "x\n\u{1f50d} 30637 Total (in 1s) \u{2705} 21446 OK \u{1f6ab} 284 Errors\n"
            ),
            21_446
        );
        assert_eq!(count_links("nothing"), 0);
    }
}
