//! One sentence with the real voices on another platform, beside the portable kernels' samples on this machine.

use super::emulator::Runner;
use crate::dist::{Platform, link};
use crate::prelude::*;

const TEXT: &str = "Hello, world.";

/// The least ratio of the spectra's magnitudes to their differences, in decibels. Each set of kernels rounds at other places. A pitch
/// that is another in its last bits makes other phases in time, which nobody hears: samples cannot be compared one by one. On
/// x86-64, AVX2 and the portable kernels have 43 dB.
const LEAST: f64 = 30.0;

/// The most samples by which one may begin or end later than the other: silence at the ends is cut where the sound is loud enough.
const SHIFT: usize = 64;

/// The length of the windows that spectra are of, in samples.
const WINDOW: usize = 512;

/// What came out.
pub(super) struct Spoken {
    pub(super) kernels: String,
    /// `None` if every sample is the same.
    pub(super) decibels: Option<f64>,
    /// The samples, 16 bits each.
    pub(super) bytes: Vec<u8>,
}

impl Spoken {
    /// Compares what another program said, whose C library may have other sines and exponentials in their last bits. `None` if every
    /// sample is the same.
    pub(super) fn compare(&self, bytes: &[u8]) -> Result<Option<f64>> {
        compare(&samples(bytes), &samples(&self.bytes))
    }
}

/// What a comparison found, for the table.
pub(super) fn described(decibels: Option<f64>) -> String {
    match decibels {
        None => "every sample the same".to_owned(),
        Some(decibels) => format!("spectra to {decibels:.0} dB"),
    }
}

/// Has a C program speak with the fastest kernels of the platform's processor.
pub(super) fn speak(
    artifacts: &Artifacts,
    platform: &Platform,
    runner: &Runner,
    dist: &Path,
) -> Result<Spoken> {
    let folder = target().join("platforms").join(platform.triple());
    fs::create_dir_all(&folder)?;
    let reference = reference(artifacts, &folder)?;
    // The tests count the calls of functions; this program does not.
    fs::write(folder.join("counted.h"), "")?;
    let program = folder.join(if platform.is_windows() { "sample.exe" } else { "sample" });
    let [compiler, _] = link::compilers(platform)?;
    let mut compiler = Command::new(compiler);
    compiler.args(["-std=c11", "-O1", "-I"]).arg(dist.join("include")).arg("-I").arg(&folder);
    compiler.arg(root().join("tests/c/sample.c"));
    compiler.arg("-L").arg(dist.join("lib")).arg("-lspeech").arg("-o").arg(&program);
    if platform.is_windows() {
        // Windows finds it beside the program.
        fs::copy(dist.join("bin/speech.dll"), folder.join("speech.dll"))?;
    } else {
        compiler.arg(format!("-Wl,-rpath,{}", dist.join("lib").display()));
    }
    process::shown(&mut compiler)?;
    let out = folder.join("samples");
    let mut speak = runner.command(&program);
    speak.arg(runner.path(artifacts.bundle())).args(["auto", TEXT]).arg(runner.path(&out));
    let item = Item::start(format!("{TEXT:?} for {}", platform.triple()));
    let kernels = process::text(&mut speak)?;
    item.finish("");
    let bytes = fs::read(&out)?;
    let decibels = compare(&samples(&bytes), &reference)?;
    Ok(Spoken { kernels, decibels, bytes })
}

/// The samples of this machine's program, in one thread of instructions that every processor has.
fn reference(artifacts: &Artifacts, folder: &Path) -> Result<Vec<i16>> {
    let wav = folder.join("reference.wav");
    let mut speech = Command::new(workspace::release_program("speech"));
    speech.args(["say", "--kernels", "portable", "-o"]).arg(&wav).arg("--").arg(TEXT);
    process::titled(format!("{TEXT:?} with portable kernels"), artifacts.set_on(&mut speech))?;
    let bytes = fs::read(&wav)?;
    Ok(samples(bytes.get(44..).unwrap_or_default()))
}

fn samples(bytes: &[u8]) -> Vec<i16> {
    bytes.chunks_exact(2).map(|sample| i16::from_le_bytes([sample[0], sample[1]])).collect()
}

/// The ratio of the spectra of two sounds, one moved to where it fits best; `None` if every sample is the same.
fn compare(samples: &[i16], reference: &[i16]) -> Result<Option<f64>> {
    ensure!(
        samples.len().abs_diff(reference.len()) <= SHIFT,
        "there are {} samples, and should be {}",
        samples.len(),
        reference.len()
    );
    ensure!(reference.iter().any(|&sample| sample != 0), "there is nothing to hear");
    if samples == reference {
        return Ok(None);
    }
    let later = |sound: &[i16], other: &[i16]| {
        let shifts =
            (0..=SHIFT.min(sound.len())).map(|shift| (difference(&sound[shift..], other), shift));
        shifts.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
    };
    let (first, second) = (later(samples, reference), later(reference, samples));
    let (samples, reference) = if first.0 < second.0 {
        (&samples[first.1..], reference)
    } else {
        (samples, &reference[second.1..])
    };
    let length = samples.len().min(reference.len());
    let (found, expected) = (spectra(&samples[..length]), spectra(&reference[..length]));
    let signal: f64 = expected.iter().map(|magnitude| magnitude * magnitude).sum();
    let noise: f64 = found.iter().zip(&expected).map(|(a, b)| (a - b) * (a - b)).sum();
    let decibels = 10.0 * (signal / noise).log10();
    ensure!(decibels >= LEAST, "it sounds otherwise: {decibels:.1} dB, and {LEAST} is the least");
    Ok(Some(decibels))
}

/// The mean of the squares of the differences.
fn difference(samples: &[i16], reference: &[i16]) -> f64 {
    let squares =
        samples.iter().zip(reference).map(|(&a, &b)| (f64::from(a) - f64::from(b)).powi(2));
    squares.sum::<f64>() / samples.len().min(reference.len()).max(1) as f64
}

/// The magnitudes of the spectra of Hann windows, each half over the next.
fn spectra(samples: &[i16]) -> Vec<f64> {
    let step = std::f64::consts::TAU / WINDOW as f64;
    let hann: Vec<_> = (0..WINDOW).map(|i| 0.5 - 0.5 * (step * i as f64).cos()).collect();
    let (cosines, sines): (Vec<_>, Vec<_>) =
        (0..WINDOW).map(|i| ((step * i as f64).cos(), (step * i as f64).sin())).unzip();
    let mut magnitudes = Vec::new();
    for start in (0..samples.len().saturating_sub(WINDOW)).step_by(WINDOW / 2) {
        let window: Vec<_> = samples[start..start + WINDOW]
            .iter()
            .zip(&hann)
            .map(|(&sample, weight)| f64::from(sample) * weight)
            .collect();
        magnitudes.extend((0..=WINDOW / 2).map(|bin| {
            let sum = |wave: &[f64]| -> f64 {
                window.iter().enumerate().map(|(i, value)| value * wave[i * bin % WINDOW]).sum()
            };
            sum(&cosines).hypot(sum(&sines))
        }));
    }
    magnitudes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(frequency: f64, phase: f64, length: usize) -> Vec<i16> {
        (0..length).map(|i| (8000.0 * (i as f64 * frequency + phase).sin()) as i16).collect()
    }

    #[test]
    fn another_sound_is_refused() {
        let sound = tone(0.1, 0.0, 4000);
        assert_eq!(compare(&sound, &sound).unwrap(), None);
        assert!(compare(&tone(0.1, 0.5, 4000), &sound).unwrap().unwrap() > 40.0);
        assert!(compare(&sound[20..], &sound).unwrap().unwrap() > 60.0);
        assert!(compare(&tone(0.12, 0.0, 4000), &sound).is_err());
        assert!(compare(&sound[..3000], &sound).is_err());
        assert!(compare(&[0, 0], &[0, 0]).is_err());
        assert_eq!(samples(&[1, 0, 255, 255, 3]), [1, -1]);
    }
}
