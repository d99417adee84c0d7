//! A damaged voice bundle is a `model_error` that names the file and the cause.

use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;

use sha2::{Digest, Sha256};
use speech_core::{
    Advice, Engine, EngineBuilder, Error, ErrorDetail, ErrorKind, KernelSet, Request,
};
use speech_tests::fake_model;

const WEIGHTS: [&str; 4] = [
    "prosody.safetensors",
    "vocoder.safetensors",
    "small_prosody.safetensors",
    "small_decoder.safetensors",
];

const FILES: [&str; 5] = [WEIGHTS[0], WEIGHTS[1], WEIGHTS[2], WEIGHTS[3], "voices.safetensors"];

fn real() -> PathBuf {
    std::env::var_os("SPEECH_BUNDLE")
        .expect("these tests need the voice bundle: run `cargo xtask test`")
        .into()
}

/// A copy of the real bundle, with links where the system supports them.
fn copy() -> tempfile::TempDir {
    let bundle = real();
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for name in FILES.into_iter().chain(["bundle.json"]) {
        let (from, to) = (bundle.join(name), dir.path().join(name));
        if fs::hard_link(&from, &to).is_err() {
            fs::copy(&from, &to).unwrap();
        }
    }
    dir
}

/// The error of a bundle, which is the same with and without mapping.
fn refusal(dir: &Path) -> Error {
    let load = |map| Engine::builder().bundle(dir).map_bundle(map).threads(1).load().unwrap_err();
    let error = load(true);
    assert_eq!(error.kind(), ErrorKind::ModelError);
    let read = load(false);
    assert_eq!(read.message(), error.message());
    assert_eq!((read.detail(), read.path()), (error.detail(), error.path()));
    assert_eq!(error.kind().http_status(), Some(500));
    error
}

fn message(dir: &Path) -> String {
    refusal(dir).message().to_owned()
}

fn edit(path: &Path, change: impl Fn(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    // Write a new file: the old one may be a link to the real bundle.
    fs::remove_file(path).unwrap();
    fs::write(path, bytes).unwrap();
}

#[test]
fn files_missing_truncated_or_altered() {
    for name in FILES {
        let dir = copy();
        let path = dir.path().join(name);
        let expect = |why: &str, detail: ErrorDetail, advice: Advice| {
            let error = refusal(dir.path());
            let message = error.message();
            assert!(message.contains(name) && message.contains(why), "{message}");
            let found = (error.detail(), error.path(), error.advice());
            assert_eq!(found, (Some(detail), Some(&*path), Some(advice)), "{message}");
        };
        let expect_damaged =
            |why: &str| expect(why, ErrorDetail::FileDamaged, Advice::ReinstallVoices);
        edit(&path, |bytes| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
        });
        expect_damaged("is altered: its SHA-256 does not match");
        edit(&path, |bytes| bytes.push(0));
        expect_damaged("is altered: it has");
        edit(&path, |bytes| bytes.truncate(bytes.len() - 2));
        expect_damaged("is truncated: it has");
        edit(&path, Vec::clear);
        expect_damaged("is truncated: it has 0 bytes");
        fs::remove_file(&path).unwrap();
        expect("is missing", ErrorDetail::FileMissing, Advice::CheckBundlePath);
        fs::create_dir(&path).unwrap();
        expect("cannot be read", ErrorDetail::FileUnreadable, Advice::CheckBundlePath);
    }
}

#[test]
fn manifests_missing_damaged_or_of_another_format() {
    let dir = copy();
    let path = dir.path().join("bundle.json");
    let original = fs::read_to_string(&path).unwrap();
    let expect = |manifest: &str, why: &str, detail: ErrorDetail| {
        edit(&path, |bytes| *bytes = manifest.as_bytes().to_vec());
        let error = refusal(dir.path());
        assert!(error.message().contains(why), "{error}");
        assert_eq!(error.detail(), Some(detail), "{error}");
        assert!(error.path().is_none_or(|found| found == path), "{error:?}");
    };
    let (damaged, incompatible) = (ErrorDetail::FileDamaged, ErrorDetail::IncompatibleModel);
    let replaced = |from: &str, to: &str| {
        assert!(original.contains(from), "{from}");
        original.replace(from, to)
    };
    let half = original.floor_char_boundary(original.len() / 2);
    expect(&original[..half], "bundle.json is damaged", damaged);
    expect("", "bundle.json is damaged", damaged);
    expect("[]", "bundle.json is damaged", damaged);
    expect(
        &replaced("\"format_version\": 7", "\"format_version\": 8"),
        "update the library",
        ErrorDetail::BundleTooNew,
    );
    expect(
        &replaced("\"format_version\": 7", "\"format_version\": 6"),
        "update the bundle",
        ErrorDetail::BundleTooOld,
    );
    expect(&replaced("\"files\"", "\"fils\""), "bundle.json is damaged", damaged);
    expect(&replaced("voice-bundle\"", "voice-bundlex\""), "bundle.json is damaged", damaged);
    for (from, to) in [
        ("\"gain_db\": -", "\"gain_db\": "),
        ("\"id\": \"leo\"", "\"id\": \"lea\""),
        ("\"precision\": \"int8\"", "\"precision\": \"int9\""),
    ] {
        expect(&replaced(from, to), "bundle.json is altered", damaged);
    }
    // The following manifests are sealed correctly.
    let replaced = |from: &str, to: &str| {
        fake_model::sealed(serde_json::from_str(&replaced(from, to)).unwrap())
    };
    expect(
        &replaced("\"voices.safetensors\"", "\"voices\""),
        "does not list voices.safetensors",
        damaged,
    );
    expect(
        &replaced("\"sample_rate\": 24000", "\"sample_rate\": 16000"),
        "another acoustic model",
        incompatible,
    );
    expect(&replaced("\"æ\": 72", "\"æ\": 73"), "another acoustic model", incompatible);
    expect(
        &replaced("\"id\": \"leo\"", "\"id\": \"lea\""),
        "bundle.json has no usable style for leo/en-US",
        damaged,
    );
    fs::remove_file(&path).unwrap();
    assert!(message(dir.path()).contains("bundle.json is missing"));
    let nowhere = dir.path().join("nowhere");
    let error = refusal(&nowhere);
    assert!(error.message().contains("bundle.json is missing"));
    assert_eq!(error.detail(), Some(ErrorDetail::FileMissing));
    assert_eq!(error.path(), Some(&*nowhere.join("bundle.json")));
}

#[test]
fn weights_that_are_none_are_refused_even_with_the_right_hash() {
    for name in WEIGHTS {
        let dir = copy();
        edit(&dir.path().join(name), |bytes| *bytes = b"no weights".to_vec());
        assert!(message(dir.path()).contains(&format!("{name} is truncated")));
        list(dir.path(), name, Some("1".repeat(64)));
        assert!(message(dir.path()).contains(&format!("{name} is altered: its SHA-256")));
        list(dir.path(), name, None);
        let damaged = format!("{name} of the voice bundle is damaged");
        assert!(message(dir.path()).contains(&damaged), "{}", message(dir.path()));
    }
}

/// Sets a file's entry in the manifest to its actual values, or to another hash.
fn list(dir: &Path, name: &str, hash: Option<String>) {
    let data = fs::read(dir.join(name)).unwrap();
    let digest = || Sha256::digest(&data).iter().map(|byte| format!("{byte:02x}")).collect();
    let manifest = dir.join("bundle.json");
    let mut json: serde_json::Value =
        serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    json["files"][name] =
        serde_json::json!({ "size": data.len(), "sha256": hash.unwrap_or_else(digest) });
    edit(&manifest, |bytes| *bytes = fake_model::sealed(json.clone()).into_bytes());
}

/// The real bundle as one tar file.
fn archive() -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for name in ["bundle.json"].into_iter().chain(FILES) {
        archive.append_path_with_name(real().join(name), name).unwrap();
    }
    archive.into_inner().unwrap()
}

#[test]
fn one_archive_is_a_bundle_in_a_file_an_open_file_and_in_memory() {
    let speak = |builder: EngineBuilder| {
        let engine = builder.threads(1).load().unwrap();
        engine.synthesize(Request::new("Hi.")).unwrap().to_wav()
    };
    let expected = speak(Engine::builder().bundle(real()));
    let bytes = archive();
    let file = tempfile::NamedTempFile::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::write(file.path(), [&[0; 100][..], &bytes, &[0; 50]].concat()).unwrap();
    let open = || fs::File::open(file.path()).unwrap();
    let length = bytes.len() as u64;
    for map in [true, false] {
        let builder = || Engine::builder().map_bundle(map);
        assert!(speak(builder().bundle_file(open(), 100, Some(length))) == expected);
        assert!(speak(builder().bundle_file(open(), 100, None)) == expected);
    }
    fs::write(file.path(), &bytes).unwrap();
    for map in [true, false] {
        assert!(speak(Engine::builder().map_bundle(map).bundle(file.path())) == expected);
    }
    assert!(speak(Engine::builder().bundle_memory(bytes)) == expected);
}

#[test]
fn a_damaged_archive_is_refused() {
    let message = |bytes: Vec<u8>| {
        let error = Engine::builder().bundle_memory(bytes).load().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ModelError);
        error.message().to_owned()
    };
    let whole = archive();
    let mut altered = whole.clone();
    altered[whole.len() / 2] ^= 1;
    let largest = "vocoder.safetensors in the voice bundle in memory is altered";
    assert!(message(altered).contains(largest));
    let cut = whole[..whole.len() / 2].to_vec();
    assert!(message(cut).contains("the voice bundle in memory is damaged"));
    assert!(
        message(vec![0; 4096]).contains("bundle.json in the voice bundle in memory is missing")
    );
}

#[test]
fn a_tensor_that_is_missing_is_named_even_with_the_right_hash() {
    for (file, tensor, why) in [
        ("prosody.safetensors", "bert.output.bias", "the tensor \"bert.output.bias\""),
        ("vocoder.safetensors", "generator.out.bias", "the tensor \"generator.out.bias\""),
        ("small_decoder.safetensors", "norm.bias", "the tensor \"norm.bias\""),
        ("small_prosody.safetensors", "output.bias", "the tensor \"output.bias\""),
        ("voices.safetensors", "leo/en-US/moments", "no usable style for leo/en-US"),
    ] {
        let dir = copy();
        // Renamed to another name of the same length.
        let other = tensor.replace('o', "q");
        edit(&dir.path().join(file), |bytes| {
            let tensor = format!("\"{tensor}\"");
            let found = bytes.windows(tensor.len()).position(|part| part == tensor.as_bytes());
            let at = found.unwrap() + 1;
            bytes[at..at + other.len()].copy_from_slice(other.as_bytes());
        });
        list(dir.path(), file, None);
        assert!(message(dir.path()).contains(why), "{file}: {}", message(dir.path()));
    }
}

#[test]
fn what_happens_to_small_files_later_does_not_matter() {
    let dir = tempfile::tempdir().unwrap();
    fake_model::write(dir.path()).unwrap();
    let engine = Engine::builder().bundle(dir.path()).threads(1).load().unwrap();
    let request = Request::new("Hello, world.");
    let before = engine.synthesize(&request).unwrap().to_wav();
    for name in FILES.into_iter().chain(["bundle.json"]) {
        fs::File::options().write(true).open(dir.path().join(name)).unwrap().set_len(0).unwrap();
    }
    assert!(engine.synthesize(&request).unwrap().to_wav() == before);
}

/// If they are mapped, this ends the process.
#[test]
fn files_that_are_truncated_under_an_engine_do_not_matter_unless_they_are_mapped() {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for name in FILES.into_iter().chain(["bundle.json"]) {
        fs::copy(real().join(name), dir.path().join(name)).unwrap();
    }
    let (tar, padded) = (dir.path().join("tar"), dir.path().join("padded"));
    fs::write(&tar, archive()).unwrap();
    fs::write(&padded, [vec![0; 100], archive()].concat()).unwrap();
    let builder = || Engine::builder().map_bundle(false).threads(1);
    let open = fs::File::open(&padded).unwrap();
    let engines = [
        (
            "a directory",
            builder().bundle(dir.path()),
            FILES.map(|name| dir.path().join(name)).to_vec(),
        ),
        ("an archive", builder().bundle(&tar), vec![tar]),
        ("an open file", builder().bundle_file(open, 100, None), vec![padded]),
    ];
    let request = Request::new("Hi.");
    for (what, builder, files) in engines {
        // A mapping engine has the same file in use, and is dropped before the file is truncated.
        let mapped = builder.clone().map_bundle(true).load().unwrap();
        let first = builder.clone().load().unwrap();
        let second = builder.load().unwrap();
        let expected = mapped.synthesize(&request).unwrap();
        drop(mapped);
        for file in files {
            fs::File::options().write(true).open(file).unwrap().set_len(0).unwrap();
        }
        for engine in [&first, &second] {
            let spoken = engine.synthesize(&request).unwrap();
            assert!(spoken.samples() == expected.samples(), "{what}");
        }
    }
}

#[test]
#[cfg(unix)]
fn a_pipe_in_place_of_a_file_is_refused_at_once() {
    for name in FILES.into_iter().chain(["bundle.json"]) {
        let dir = tempfile::tempdir().unwrap();
        fake_model::write(dir.path()).unwrap();
        let path = dir.path().join(name);
        fs::remove_file(&path).unwrap();
        // Opening it for reading blocks until somebody opens it for writing.
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let error = refusal(dir.path());
        assert_eq!(error.message(), format!("{} cannot be read", path.display()));
        assert_eq!(error.path(), Some(&*path));
    }
}

#[test]
fn options_out_of_range_are_refused() {
    let builder = Engine::builder;
    for builder in [
        builder().threads(0),
        builder().threads(257),
        builder().max_concurrency(0),
        builder().max_concurrency(usize::MAX),
        // No processor supports this set.
        builder().kernels(if cfg!(target_arch = "aarch64") {
            KernelSet::Avx2
        } else {
            KernelSet::Neon
        }),
    ] {
        assert_eq!(builder.bundle(real()).load().unwrap_err().kind(), ErrorKind::InvalidRequest);
    }
}
