//! What can be heard on the site: our voices, the same sentences by other engines, and texts that are hard to read.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;

use super::{Site, pages};
use crate::needs::{self, require};
use crate::prelude::*;

/// The pages that have places for samples.
const PAGES: [&str; 2] = ["index.md", "hear.md"];

/// The environment with the other engines, and what compresses sound.
static VENV: Venv = Venv::new("venv-samples", "research/samples/requirements.txt");

/// Makes the samples unless they are there and would be the same, and gives their folder.
pub(super) fn ensure(artifacts: &Artifacts, site: &Site) -> Result<PathBuf> {
    let out = site.work.join("samples");
    let program = workspace::release_program("speech");
    let mut inputs = digest::of_folder(&root().join("research/samples"), |path| {
        [".py", ".json", ".txt"].iter().any(|end| path.ends_with(end))
    })?;
    inputs.insert("bundle".to_owned(), artifacts.bundle().display().to_string());
    inputs.insert("speech".to_owned(), digest::of_file(&program)?);
    files::once(&out.join("inputs.sha256"), &digest::of_listing(&inputs), || {
        require(&[needs::ESPEAK])?;
        VENV.ensure()?;
        note("speaking the samples of the site");
        let mut python = VENV.module("samples");
        python.arg("--speech").arg(program).arg("--downloads").arg(download::ensure_all_locked()?);
        process::shown(artifacts.set_on(python.arg("--out").arg(&out)))
    })?;
    Ok(out)
}

/// A recording.
#[derive(Debug, Deserialize)]
struct Sample {
    /// The part of the page that it is on.
    group: String,
    file: String,
    /// What is heard, in a word or two.
    label: String,
    language: String,
    text: String,
    /// How the text is read, of those that show it.
    #[serde(default)]
    reading: Option<String>,
}

/// Puts the samples on the pages that have places for them.
pub(super) fn write_page(site: &Site, samples: Option<&Path>) -> Result<()> {
    let mut groups = BTreeMap::<String, Vec<Sample>>::new();
    if let Some(samples) = samples {
        let listing = fs::read(samples.join("samples.json")).context("samples.json")?;
        for sample in serde_json::from_slice::<Vec<Sample>>(&listing)? {
            groups.entry(sample.group.clone()).or_default().push(sample);
        }
        copy_all(samples, &site.pages.join("samples"))?;
        for name in ["samples.json", "inputs.sha256"] {
            fs::remove_file(site.pages.join("samples").join(name)).context(name)?;
        }
    }
    for page in PAGES {
        pages::fill(&site.pages.join(page), "samples", |group| match groups.get(group) {
            Some(samples) => Some(shown(samples)),
            None if samples.is_none() => {
                Some("*This copy of the site was made without samples.*\n".into())
            }
            None => None,
        })?;
    }
    Ok(())
}

/// Recordings as HTML: those of one text beside each other, under the text.
fn shown(samples: &[Sample]) -> String {
    let mut html = "<div class=\"samples\">\n".to_owned();
    for texts in samples.chunk_by(|one, other| one.text == other.text) {
        let Some(Sample { text, language, reading, .. }) = texts.first() else { continue };
        _ = writeln!(
            html,
            "<section>\n<p class=\"written\" lang=\"{language}\">{}</p>",
            escaped(text)
        );
        if let Some(reading) = reading {
            let reading = escaped(reading);
            _ = writeln!(
                html,
                "<p class=\"read\"><span>read as</span> <span lang=\"{language}\">{reading}</span></p>"
            );
        }
        _ = writeln!(html, "<ul>");
        for Sample { file, label, .. } in texts {
            let label = escaped(label);
            _ = writeln!(
                html,
                "<li><span>{label}</span><audio controls preload=\"metadata\" aria-label=\"{label}: {}\" src=\"samples/{file}\">\
                 </audio></li>",
                escaped(text)
            );
        }
        _ = writeln!(html, "</ul>\n</section>");
    }
    html + "</div>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_of_one_text_stand_together() {
        let sample = |label: &str, text: &str, reading: Option<&str>| Sample {
            group: "g".into(),
            file: format!("{label}.mp3"),
            label: label.into(),
            language: "en-US".into(),
            text: text.into(),
            reading: reading.map(str::to_owned),
        };
        let html = shown(&[
            sample("a", "<1>", Some("one")),
            sample("b", "<1>", None),
            sample("c", "2", None),
        ]);
        assert_eq!(html.matches("<section>").count(), 2);
        assert_eq!(html.matches("<audio ").count(), 3);
        assert!(
            html.contains("lang=\"en-US\">&lt;1></p>") && html.contains("aria-label=\"c: 2\""),
            "{html}"
        );
    }
}
