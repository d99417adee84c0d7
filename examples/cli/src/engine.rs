//! The options that load an engine.

use std::path::PathBuf;

use speech_core::Engine;

#[derive(clap::Args)]
pub(crate) struct EngineArgs {
    /// Directory of the voice bundle [default: $SPEECH_BUNDLE, or the one `cargo xtask bundle` made]
    #[arg(long, value_name = "DIR")]
    bundle: Option<PathBuf>,
    /// ONNX Runtime library [default: $SPEECH_ONNXRUNTIME, or one beside this program]
    #[arg(long, value_name = "FILE")]
    onnxruntime: Option<PathBuf>,
    /// Threads to compute a sentence with [default: $SPEECH_THREADS, or the processor's, at most 4]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

impl EngineArgs {
    pub(crate) fn load(&self) -> speech_core::Result<Engine> {
        let mut builder = Engine::builder();
        if let Some(dir) = &self.bundle {
            builder = builder.bundle(dir);
        }
        if let Some(library) = &self.onnxruntime {
            builder = builder.onnxruntime(library);
        }
        if let Some(threads) = self.threads {
            builder = builder.threads(threads);
        }
        builder.load()
    }
}
