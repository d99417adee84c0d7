//! Where the time of an utterance goes, operation by operation: multiplications and bytes a second, beside what a product whose
//! operands are in the cache reaches. What stands at the peak can only get faster by multiplying less.
#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use speech_core::stages::{self, Operation};

const TEXTS: [&str; 2] = [
    "Hello, world.",
    "The library closes early on Friday for a training session, and nobody knew of it until the posters were up.",
];

fn main() {
    for text in TEXTS {
        let profile = stages::profile(text).expect("set SPEECH_BUNDLE, or run `cargo xtask bench`");
        println!(
            "\n{:?}: {:.2} s of sound in {:.3} s, {}; peak {:.1} billion products a second\n",
            text,
            profile.sound,
            profile.seconds,
            profile.backend,
            profile.peak / 1e9,
        );
        println!(
            "{:<34} {:>6} {:>8} {:>7} {:>9} {:>9} {:>7} {:>7}",
            "operation", "calls", "ms", "share", "products", "direct", "of peak", "GB/s"
        );
        let row = |name: &str, timing: &stages::Timing| {
            println!(
                "{name:<34} {:>6} {:>8.1} {:>6.1}% {:>9.1} {:>9.1} {:>6.0}% {:>7.1}",
                timing.calls,
                1e3 * timing.seconds,
                100.0 * timing.seconds / profile.seconds,
                timing.products / timing.seconds / 1e9,
                timing.direct_products / timing.seconds / 1e9,
                100.0 * timing.products / timing.seconds / profile.peak,
                timing.bytes / timing.seconds / 1e9,
            );
        };
        let mut rest = profile.seconds;
        for (operation, timing) in &profile.operations {
            let name = match operation {
                Operation::Convolve { taps, inputs, outputs, dilation } => {
                    format!("convolve {taps} x {inputs} to {outputs}, dilation {dilation}")
                }
                Operation::Pack { taps } => format!("pack {taps} taps"),
                other => format!("{other:?}"),
            };
            row(&name, timing);
            rest -= timing.seconds;
        }
        println!(
            "{:<34} {:>6} {:>8.1} {:>6.1}%",
            "all else",
            "",
            1e3 * rest,
            100.0 * rest / profile.seconds
        );
    }
}
