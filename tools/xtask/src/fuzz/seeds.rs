//! The inputs that fuzzing begins with: what the tests of this repository read.

use serde_json::Value;

use crate::prelude::*;

/// Tables of sentences, by target.
const TEXTS: [(&str, [&str; 2]); 2] = [
    ("english", ["sentences_en.tsv", "sentences_own.tsv"]),
    ("hindi", ["sentences_hi.tsv", "sentences_own_hi.tsv"]),
];

/// Files of examples of SSML.
const EXAMPLES: [&str; 4] = ["w3c.txt", "azure.txt", "google.txt", "polly.txt"];

const KEYS: [&str; 2] = [
    "# who is charged, and the hash of the key\n\
     one 0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0\n\
     two@example.com 00112233445566778899AABBCCDDEEFF00112233445566778899aabbccddeeff # new\n",
    "one 0f1e\r\n\r\n#",
];

/// Writes them into a folder for each target.
pub(super) fn write(seeds: &Path) -> Result<()> {
    for (target, tables) in TEXTS {
        for table in tables {
            let path = root().join("core/text/tests/data").join(table);
            let text = fs::read_to_string(&path)?;
            let texts: Vec<_> = text.lines().filter_map(sentences).collect();
            write_all(&seeds.join(target), table, &texts)?;
            write_all(&seeds.join("segmenter"), table, &texts)?;
        }
    }
    for file in EXAMPLES {
        let path = root().join("core/text/src/markup/ssml/examples").join(file);
        let text = fs::read_to_string(&path)?;
        write_all(&seeds.join("ssml"), file, &documents(&text))?;
    }
    let path = root().join("tests/data/cases.json");
    let cases = fs::read(&path)?;
    let cases: Value = serde_json::from_slice(&cases)?;
    let cases = ["requests", "streams"].map(|name| cases[name].as_array().cloned());
    let bodies = cases.iter().flatten().flatten().filter_map(|case| case["json"].as_str());
    write_all(&seeds.join("json"), "cases", &bodies.map(str::to_owned).collect::<Vec<_>>())?;
    let path = root().join("docs/live-service.md");
    let page = fs::read_to_string(&path)?;
    let messages = page.lines().filter(|line| line.starts_with('{')).map(str::to_owned);
    write_all(&seeds.join("live"), "page", &messages.collect::<Vec<_>>())?;
    write_all(&seeds.join("keys"), "keys", &KEYS.map(str::to_owned))
}

/// The text of a row of a table of sentences, which is its first cell that is a string in JSON.
fn sentences(row: &str) -> Option<String> {
    row.split('\t')
        .filter(|cell| cell.starts_with('"'))
        .find_map(|cell| serde_json::from_str(cell).ok())
}

/// The documents of a file of examples, without the comments.
fn documents(examples: &str) -> Vec<String> {
    let of_document = |line: &&str| !line.starts_with(['#', '=', '!']);
    let documents = examples
        .split("\n\n")
        .map(|example| example.lines().filter(of_document).collect::<Vec<_>>().join("\n"));
    documents.filter(|document| !document.is_empty()).collect()
}

fn write_all(folder: &Path, name: &str, inputs: &[String]) -> Result<()> {
    fs::create_dir_all(folder)?;
    ensure!(!inputs.is_empty(), "{name} has no seeds for {}", folder.display());
    for (number, input) in inputs.iter().enumerate() {
        let path = folder.join(format!("{name}-{number}"));
        fs::write(&path, input)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_with_texts_has_seeds() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path()).unwrap();
        for (target, least) in [
            ("english", 50),
            ("hindi", 50),
            ("ssml", 90),
            ("segmenter", 100),
            ("json", 30),
            ("keys", 2),
            ("live", 4),
        ] {
            let seeds = fs::read_dir(dir.path().join(target)).unwrap().count();
            assert!(seeds >= least, "{target} has {seeds}");
        }
        let first = fs::read_to_string(dir.path().join("hindi/sentences_hi.tsv-0")).unwrap();
        assert!(!first.contains(['"', '\t']) && first.contains('।'), "{first}");
    }
}
