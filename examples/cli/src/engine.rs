//! The options that load an engine.

use std::path::PathBuf;

use anyhow::Context;
use speech_core::{Engine, Lexicon};

use crate::text::read_file;

#[derive(Clone, clap::Args)]
pub(crate) struct EngineArgs {
    /// Directory of the voice bundle [default: $SPEECH_BUNDLE, or the bundle made by `cargo xtask
    /// bundle`]
    #[arg(long, value_name = "DIR")]
    bundle: Option<PathBuf>,
    /// Map the bundle into memory instead of reading it [default: true on Windows, else false]
    #[arg(long, value_name = "BOOL")]
    map_bundle: Option<bool>,
    /// Threads that compute a sentence [default: $SPEECH_THREADS, or the processor's cores, at most
    /// 4]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Instruction set: auto (the fastest of this processor), portable, avx2, avx512, ...
    #[arg(long, value_name = "NAME", default_value = "auto")]
    kernels: String,
    /// Precision of the vocoder: auto, fp32, int16 or bf16
    #[arg(long, value_name = "NAME", default_value = "auto")]
    precision: String,
    #[command(flatten)]
    lexicon: LexiconArgs,
}

/// The option for the user's pronunciations.
#[derive(Clone, clap::Args)]
pub(crate) struct LexiconArgs {
    /// A file of pronunciations. Each line has words, a tab, and IPA between slashes or replacement
    /// words. A *.pls file has PLS 1.0
    #[arg(long, value_name = "FILE")]
    lexicon: Option<PathBuf>,
}

impl LexiconArgs {
    pub(crate) fn read(&self) -> anyhow::Result<Lexicon> {
        let Some(path) = &self.lexicon else { return Ok(Lexicon::new()) };
        let text = read_file(path)?;
        let is_pls =
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pls"));
        let lexicon = if is_pls { Lexicon::from_pls(&text) } else { Lexicon::parse(&text) };
        lexicon.with_context(|| path.display().to_string())
    }
}

impl EngineArgs {
    pub(crate) fn load(&self) -> anyhow::Result<Engine> {
        self.load_for(1)
    }

    /// An engine that computes up to `max_concurrency` sentences at once, each with one thread by
    /// default.
    pub(crate) fn load_for_batch(&self, max_concurrency: usize) -> anyhow::Result<Engine> {
        let threads = self.threads.or(Some(1));
        Self { threads, ..self.clone() }.load_for(max_concurrency)
    }

    /// The lexicon; empty if there is none.
    pub(crate) fn lexicon(&self) -> anyhow::Result<Lexicon> {
        self.lexicon.read()
    }

    /// The content of the lexicon file; empty if there is none.
    pub(crate) fn lexicon_bytes(&self) -> anyhow::Result<Vec<u8>> {
        let Some(path) = &self.lexicon.lexicon else { return Ok(Vec::new()) };
        std::fs::read(path).with_context(|| path.display().to_string())
    }

    /// An engine that computes up to `max_concurrency` sentences at once.
    pub(crate) fn load_for(&self, max_concurrency: usize) -> anyhow::Result<Engine> {
        let mut builder = Engine::builder()
            .max_concurrency(max_concurrency)
            .lexicon(self.lexicon.read()?)
            .kernels(self.kernels.parse()?)
            .precision(self.precision.parse()?);
        if let Some(dir) = &self.bundle {
            builder = builder.bundle(dir);
        }
        if let Some(map) = self.map_bundle {
            builder = builder.map_bundle(map);
        }
        if let Some(threads) = self.threads {
            builder = builder.threads(threads);
        }
        Ok(builder.load()?)
    }
}
