//! A voice bundle with any damage is rejected with the name of a damaged file, or sounds the same.
//! It never speaks wrongly, and never ends the process.
//!
//! Damages are drawn from a fixed seed. `PROPTEST_CASES` sets their number; `cargo xtask full`
//! tries 10,000.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestRng, TestRunner};
use speech_core::{Engine, EngineBuilder, ErrorKind, Request};
use speech_tests::fake_model::{self, FILES};
use speech_tests::properties::cases;

/// A damage to some files.
#[derive(Clone, Debug)]
enum Damage {
    /// One bit is flipped.
    Flip { file: Index, at: Index, bit: u8 },
    /// Bytes are overwritten, as by a bad sector.
    Overwrite { file: Index, at: Index, length: usize, byte: u8 },
    /// The end is cut off.
    Truncate { file: Index, length: Index },
    /// Bytes are appended.
    Extend { file: Index, length: usize, byte: u8 },
    /// Two blocks of a file are swapped.
    SwapBlocks { file: Index, blocks: [Index; 2], size: usize },
    /// A block is replaced by one of another file.
    Misplace { from: Index, to: Index, at: [Index; 2], length: usize },
    /// Two files have swapped names.
    SwapFiles { files: [Index; 2] },
}

fn damage() -> impl Strategy<Value = Damage> {
    let index = any::<Index>;
    prop_oneof![
        4 => (index(), index(), 0..8_u8).prop_map(|(file, at, bit)| Damage::Flip { file, at, bit }),
        1 => (index(), index(), 1..9000_usize, any::<u8>())
            .prop_map(|(file, at, length, byte)| Damage::Overwrite { file, at, length, byte }),
        1 => (index(), index()).prop_map(|(file, length)| Damage::Truncate { file, length }),
        1 => (index(), 1..9000_usize, any::<u8>())
            .prop_map(|(file, length, byte)| Damage::Extend { file, length, byte }),
        1 => (index(), [index(), index()], prop::sample::select(vec![1, 512, 4096]))
            .prop_map(|(file, blocks, size)| Damage::SwapBlocks { file, blocks, size }),
        1 => (index(), index(), [index(), index()], 1..9000_usize)
            .prop_map(|(from, to, at, length)| Damage::Misplace { from, to, at, length }),
        1 => [index(), index()].prop_map(|files| Damage::SwapFiles { files }),
    ]
}

impl Damage {
    fn apply(&self, files: &mut [Vec<u8>]) {
        let count = files.len();
        match self {
            Self::Flip { file, at, bit } => {
                let file = &mut files[file.index(count)];
                if !file.is_empty() {
                    let at = at.index(file.len());
                    file[at] ^= 1 << bit;
                }
            }
            Self::Overwrite { file, at, length, byte } => {
                let file = &mut files[file.index(count)];
                let start = at.index(file.len() + 1);
                let end = file.len().min(start + length);
                file[start..end].fill(*byte);
            }
            Self::Truncate { file, length } => {
                let file = &mut files[file.index(count)];
                file.truncate(length.index(file.len() + 1));
            }
            Self::Extend { file, length, byte } => {
                let file = &mut files[file.index(count)];
                file.resize(file.len() + length, *byte);
            }
            Self::SwapBlocks { file, blocks, size } => {
                let file = &mut files[file.index(count)];
                let blocks = blocks.map(|block| block.index((file.len() / size).max(1)) * size);
                if blocks.into_iter().max().is_some_and(|last| last + size <= file.len()) {
                    (0..*size).for_each(|i| file.swap(blocks[0] + i, blocks[1] + i));
                }
            }
            Self::Misplace { from, to, at, length } => {
                let from = &files[from.index(count)];
                let start = at[0].index(from.len() + 1);
                let block = from[start..from.len().min(start + length)].to_vec();
                let to = &mut files[to.index(count)];
                let start = at[1].index(to.len() + 1);
                let end = to.len().min(start + block.len());
                to[start..end].copy_from_slice(&block[..end - start]);
            }
            Self::SwapFiles { files: swapped } => {
                let [one, other] = swapped.map(|file| file.index(count));
                files.swap(one, other);
            }
        }
    }
}

/// Tries this many cases of several damages each; at least one file changes in each.
fn try_damages(
    cases: u32,
    seed: u8,
    whole: &[Vec<u8>],
    check: impl Fn(&[Vec<u8>]) -> TestCaseResult,
) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let damages = prop::collection::vec(damage(), 1..4);
    let tried = TestRunner::new_with_rng(config, rng).run(&damages, |damages| {
        let mut files = whole.to_vec();
        damages.iter().for_each(|damage| damage.apply(&mut files));
        if files == whole {
            // The damage changed nothing, such as zeros over zeros.
            files[0][0] ^= 1;
        }
        check(&files)
    });
    if let Err(wrong) = tried {
        panic!("{wrong}");
    }
}

fn builder() -> EngineBuilder {
    Engine::builder().threads(1)
}

fn sound(engine: &Engine) -> Vec<i16> {
    engine.synthesize(Request::new("Hi.")).unwrap().into_samples()
}

/// The fake model's bundle, in a directory.
fn fake() -> tempfile::TempDir {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fake_model::write(dir.path()).unwrap();
    dir
}

fn read(dir: &Path) -> Vec<Vec<u8>> {
    FILES.iter().map(|name| fs::read(dir.join(name)).unwrap()).collect()
}

/// The files as one archive.
fn archive(files: &[Vec<u8>]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, file) in FILES.iter().zip(files) {
        let mut header = tar::Header::new_ustar();
        header.set_size(file.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, &**file).unwrap();
    }
    archive.into_inner().unwrap()
}

/// A damaged directory is an error whose path is that of a changed file.
fn check_directory(dir: &Path, whole: &[Vec<u8>], files: &[Vec<u8>]) -> TestCaseResult {
    let mut changed = Vec::new();
    for (name, (file, before)) in FILES.iter().zip(files.iter().zip(whole)) {
        if file != before {
            fs::write(dir.join(name), file).unwrap();
            changed.push(dir.join(name));
        }
    }
    let loaded = builder().bundle(dir).load();
    for (name, before) in FILES.iter().zip(whole) {
        if changed.contains(&dir.join(name)) {
            fs::write(dir.join(name), before).unwrap();
        }
    }
    let Err(error) = loaded else {
        return Err(TestCaseError::fail(format!("it loads with another {changed:?}")));
    };
    prop_assert_eq!(error.kind(), ErrorKind::ModelError, "{}", &error);
    prop_assert!(error.detail().is_some() && error.advice().is_some(), "{}", &error);
    let path = error.path().map(PathBuf::from).unwrap_or_default();
    prop_assert!(changed.contains(&path), "{}: {:?} are others", &error, &changed);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    prop_assert!(error.message().contains(&*name), "{}", &error);
    Ok(())
}

/// A damaged archive is an error that names it, or only unused bytes changed and the audio is the
/// same.
fn check_archive(expected: &[i16], bytes: Vec<u8>) -> TestCaseResult {
    match builder().bundle_memory(bytes).load() {
        Ok(engine) => prop_assert!(sound(&engine) == expected, "it sounds otherwise"),
        Err(error) => {
            prop_assert_eq!(error.kind(), ErrorKind::ModelError, "{}", &error);
            prop_assert!(error.message().contains("the voice bundle in memory"), "{}", &error);
        }
    }
    Ok(())
}

#[test]
fn a_damaged_directory_names_the_file() {
    let dir = fake();
    let whole = read(dir.path());
    try_damages(cases(200) / 2, 1, &whole, |files| check_directory(dir.path(), &whole, files));
    assert!(builder().bundle(dir.path()).load().is_ok(), "every file is as it was");
}

#[test]
fn a_damaged_archive_is_refused_or_sounds_the_same() {
    let dir = fake();
    let files = read(dir.path());
    let expected = sound(&builder().bundle(dir.path()).load().unwrap());
    let cases = cases(200) / 4;
    // Damaged files in an intact archive.
    try_damages(cases, 2, &files, |files| check_archive(&expected, archive(files)));
    // A damaged archive.
    let pieces = pieces(&archive(&files));
    assert_eq!(pieces.concat(), archive(&files));
    try_damages(cases, 3, &pieces, |pieces| check_archive(&expected, pieces.concat()));
}

/// An archive split into headers and files, so that half of the damages hit a header.
fn pieces(archive: &[u8]) -> Vec<Vec<u8>> {
    const BLOCK: usize = 512;
    let (mut pieces, mut rest) = (Vec::new(), archive);
    for _ in FILES {
        let (header, after) = rest.split_at(BLOCK);
        let size = tar::Header::from_byte_slice(header).entry_size().unwrap();
        let (file, after) = after.split_at(usize::try_from(size).unwrap().next_multiple_of(BLOCK));
        pieces.extend([header.to_vec(), file.to_vec()]);
        rest = after;
    }
    pieces.push(rest.to_vec());
    pieces
}

#[test]
fn damaged_real_voices_are_refused_or_sound_the_same() {
    let bundle = std::env::var_os("SPEECH_BUNDLE")
        .expect("these tests need the voice bundle: run `cargo xtask test`");
    let files = read(Path::new(&bundle));
    let expected = sound(&builder().bundle(&bundle).load().unwrap());
    let cases = cases(500) / 50;
    try_damages(cases, 4, &files, |files| check_archive(&expected, archive(files)));
}
