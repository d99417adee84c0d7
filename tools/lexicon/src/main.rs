//! Generates `core/text/src/languages/en_us/data/lexicon.bin` and
//! `core/text/src/languages/en_us/data/tagger.bin`; with `--check`, checks that they are up to
//! date.
#![allow(clippy::print_stdout, reason = "a command-line tool: printing is what it does")]

mod lexicon;
mod source;
mod tagger;

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use source::Source;

fn main() -> Result<()> {
    let check = match std::env::args().nth(1).as_deref() {
        None => false,
        Some("--check") => true,
        Some(other) => bail!("unknown argument {other}: the only one is --check"),
    };
    let source = Source::locate()?;
    let lexicon =
        lexicon::encode(&source.lexicon("us_gold.json")?, &source.lexicon("us_silver.json")?)?;
    let tagger = tagger::encode(&source.bytes("tagger.bin")?, &source.text("tagger_labels.txt")?)?;
    for (name, bytes) in [("lexicon.bin", lexicon), ("tagger.bin", tagger)] {
        settle(name, &bytes, check)?;
    }
    Ok(())
}

/// Writes a file of the front end, or compares it.
fn settle(name: &str, bytes: &[u8], check: bool) -> Result<()> {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../core/text/src/languages/en_us/data");
    let path = folder.join(name);
    if check {
        let found =
            std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        ensure!(found == bytes, "{name} is stale: run `cargo run -p speech-lexicon`");
        println!("{name} is as it should be");
    } else {
        std::fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        println!("{name}: {} bytes", bytes.len());
    }
    Ok(())
}
