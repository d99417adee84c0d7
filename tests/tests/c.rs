//! Tests the C interface with C programs, compiled against the distribution with warnings as
//! errors.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use object::{NameOrOrdinal, Object as _};
use speech_core::{Engine, ErrorKind, Request, TierCatalogue, voices};
use speech_tests::cases::{self, RequestCase};
use speech_tests::dist::{self, Mode, Programs, expect_success};
use speech_tests::fake_model;

/// The arguments of a program.
#[derive(Clone, Copy)]
enum Arguments {
    /// The real voice bundle and that of the fake model.
    Bundles,
    /// The bundles, and the fake model's bundle as one file, alone and after 1,000 other bytes.
    Archives,
    /// The bundles, and the number of rounds.
    Rounds,
    /// The bundles, and the table of cases on standard input.
    Cases,
}

/// Every program with its arguments.
const PROGRAMS: [(&str, Arguments); 9] = [
    ("versions", Arguments::Bundles),
    ("errors", Arguments::Bundles),
    ("lists", Arguments::Bundles),
    ("engine", Arguments::Archives),
    ("stream", Arguments::Bundles),
    ("threads", Arguments::Rounds),
    ("cases", Arguments::Cases),
    ("live", Arguments::Bundles),
    ("fork", Arguments::Rounds),
];

/// The number of rounds of programs that repeat.
fn rounds() -> &'static str {
    if dist::is_emulated() { "1" } else { "5" }
}

/// The fake model's bundle: as a directory, as an archive, and as an archive inside another file.
struct FakeModel {
    dir: PathBuf,
}

/// One instance for all tests.
static FAKE_MODEL: LazyLock<FakeModel> = LazyLock::new(FakeModel::new);

impl FakeModel {
    fn new() -> Self {
        // Not a temporary directory: a static value is never dropped.
        let fake = Self { dir: Path::new(env!("CARGO_TARGET_TMPDIR")).join("c") };
        fs::create_dir_all(fake.bundle()).unwrap();
        fake_model::write(&fake.bundle()).unwrap();
        let archive = fake_model::archive(&fake.bundle()).unwrap();
        fs::write(fake.archive(), &archive).unwrap();
        fs::write(fake.padded_archive(), [&[0; 1000][..], &archive].concat()).unwrap();
        fake
    }

    fn bundle(&self) -> PathBuf {
        self.dir.join("bundle")
    }

    fn archive(&self) -> PathBuf {
        self.dir.join("bundle.tar")
    }

    fn padded_archive(&self) -> PathBuf {
        self.dir.join("padded")
    }
}

/// Compiles and runs every program; returns their outputs.
fn run_all(programs: &Programs, bundle: &Path, fake: &FakeModel) -> Vec<String> {
    let run = |(name, arguments): &(&str, Arguments)| {
        let mut command = programs.command(&programs.compile(name));
        command.arg(bundle).arg(fake.bundle());
        match arguments {
            Arguments::Bundles => expect_success(&mut command),
            Arguments::Archives => {
                expect_success(command.arg(fake.archive()).arg(fake.padded_archive()))
            }
            Arguments::Rounds => expect_success(command.arg(rounds())),
            Arguments::Cases => with_input(&mut command, &case_lines()),
        }
    };
    PROGRAMS.iter().filter(|(name, _)| programs.has_time_for(name)).map(run).collect()
}

fn with_input(command: &mut Command, input: &str) -> String {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let written = std::thread::scope(|scope| {
        let writer = scope.spawn(move || stdin.write_all(input.as_bytes()));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap().unwrap();
        output
    });
    assert!(written.status.success(), "{command:?}");
    dist::text(written.stdout)
}

/// The table of cases as command lines for `cases.c`.
fn case_lines() -> String {
    let cases = cases::read();
    let requests = cases.requests.iter().map(|case| format!("request {}", case.body()));
    let splits =
        cases.splits.iter().map(|case| format!("split {} {}", case.max_characters, case.text));
    let tiers = cases.tiers.iter().map(|case| {
        let contexts = case.contexts.iter().flatten().map(|number| format!(" {number}"));
        format!("tier {}{}", case.name, contexts.collect::<String>())
    });
    let charges =
        cases.charges.iter().map(|case| format!("charge {} {}", case.tier, case.nanoseconds));
    let streams = cases.streams.iter().map(|case| format!("stream {}", case.body()));
    let secrets = cases.secrets.iter().map(|case| format!("request {}", case.body()));
    let pronunciations = cases
        .secret_pronunciations
        .iter()
        .map(|case| format!("pronounce {} {}", case.words, case.reading));
    requests
        .chain(streams)
        .chain(splits)
        .chain(tiers)
        .chain(charges)
        .chain(secrets)
        .chain(pronunciations)
        .map(|line| line + "\n")
        .collect()
}

/// Hashes the timestamps of speech or of a chunk like `cases.c`.
macro_rules! timings {
    ($heard:expr) => {{
        let span = |span: &Range<usize>| {
            [span.start, span.end].map(|byte| (byte as u64).to_ne_bytes()).concat()
        };
        let times = |start: f64, end: f64| [start, end].map(f64::to_ne_bytes).concat();
        let words = $heard.words().iter().flat_map(|it| [span(&it.span), times(it.start, it.end)]);
        let phonemes = $heard
            .phonemes()
            .iter()
            .flat_map(|it| [it.ipa.as_bytes().to_vec(), span(&it.span), times(it.start, it.end)]);
        let visemes = $heard.visemes();
        let visemes = visemes
            .iter()
            .flat_map(|it| [it.viseme.as_str().as_bytes().to_vec(), times(it.start, it.end)]);
        let sentences = $heard.sentences().iter();
        let sentences = sentences.flat_map(|it| [span(&it.span), times(it.start, it.end)]);
        let marks = $heard.marks().iter();
        let marks = marks.flat_map(|it| [it.name.as_bytes().to_vec(), times(it.time, it.time)]);
        let all = words.chain(phonemes).chain(visemes).chain(sentences).chain(marks);
        all.flatten().collect::<Vec<u8>>()
    }};
}

/// The expected output of `cases.c`.
fn expected_of_cases(engine: &Engine) -> Vec<String> {
    let cases = cases::read();
    // The bytes of the audio, and its timestamps.
    type Heard = (Vec<u8>, Vec<u8>);
    let expected = |case: &RequestCase, heard: fn(&Engine, &Request) -> Heard| {
        if let (Some(error), Some(message)) = (&case.error, &case.message) {
            return format!("{error}: {message}");
        }
        let (request, _) = Request::from_json(case.body().as_bytes()).unwrap();
        let (sound, timings) = heard(engine, &request);
        let (sound, timings) = (fnv1a(&sound), fnv1a(&timings));
        let (characters, skipped) = (case.characters.unwrap(), case.skipped);
        format!("{characters} characters, {skipped} skipped, {sound:016x}, {timings:016x}")
    };
    let wav = |engine: &Engine, request: &Request| {
        let speech = engine.synthesize(request).unwrap();
        (speech.to_wav(), timings!(speech))
    };
    let requests = cases.requests.iter().map(|case| expected(case, wav));
    let bytes = |engine: &Engine, request: &Request| {
        let chunks = engine.stream(request).unwrap().map(Result::unwrap);
        let (sound, timings): (Vec<_>, Vec<_>) =
            chunks.map(|chunk| (chunk.to_bytes(), timings!(chunk))).unzip();
        (sound.concat(), timings.concat())
    };
    let streams = cases.streams.iter().map(|case| expected(case, bytes));
    let splits = cases
        .splits
        .iter()
        .map(|case| case.parts.iter().map(|part| format!("[{part}]")).collect::<String>());
    let tiers = cases.tiers.iter().map(|case| match (&case.tier, &case.error) {
        (Some(tier), _) => tier.clone(),
        (None, error) => error.clone().unwrap(),
    });
    let charges = cases.charges.iter().map(|case| case.micros.to_string());
    let secrets =
        cases.secrets.iter().map(|case| case.error.clone().map_or_else(String::new, |e| e + ": "));
    let pronunciations = cases.secret_pronunciations.iter().map(|_| "invalid_request: ".to_owned());
    let told = secrets.chain(pronunciations);
    requests.chain(streams).chain(splits).chain(tiers).chain(charges).chain(told).collect()
}

fn fnv1a(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[test]
fn programs_do_what_the_header_says_and_call_all_of_it() {
    let programs = Programs::new(Mode::Plain);
    // On an emulator the real voices take too long. `cargo xtask platforms` tests them with one
    // sentence.
    let voices_of_tree = dist::tree().join("share/libspeech/voices");
    let bundle = if dist::is_emulated() { FAKE_MODEL.bundle() } else { voices_of_tree };
    let printed = run_all(&programs, &bundle, &FAKE_MODEL);

    let statuses = ErrorKind::ALL.map(|kind| format!("{} {}\n", kind.code(), kind.as_str()));
    assert_eq!(printed[0], "0 ok\n".to_owned() + &statuses.concat() + "100 end\n");
    let catalogue = TierCatalogue::new([[70, 0], [70, 6]]);
    assert_eq!(printed[2], format!("{}\n{}\n", voices().to_json(), catalogue.to_json()));

    let engine = Engine::builder().bundle(FAKE_MODEL.bundle()).threads(1).load().unwrap();
    let mut expected = expected_of_cases(&engine);
    if dist::is_foreign() {
        // Its sines and exponentials differ in their last bits, and so do samples.
        for line in &mut expected {
            *line = line.split(" skipped, ").next().unwrap_or_default().to_owned();
        }
    }
    let lines: Vec<_> = printed[6].lines().collect();
    assert_eq!(lines.len(), expected.len());
    let wrong: Vec<_> = lines
        .iter()
        .zip(&expected)
        .filter(|(line, expected)| !line.starts_with(expected.as_str()))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(!cases::has_secret(&printed[6]), "{}", printed[6]);

    let header = fs::read_to_string(dist::tree().join("include/speech.h")).unwrap();
    let functions = dist::functions(&header);
    let declared: BTreeSet<_> = functions.keys().cloned().collect();
    assert_eq!(exported(&dist::library()), declared, "the library");
    assert_eq!(programs.called(), declared, "the programs");

    // Every function that takes a handle is called with invalid handles.
    let errors = include_str!("../c/errors.c");
    let takes_handle = |first: &str| first.contains("speech_") && first.matches('*').count() == 1;
    let is_missing = |(name, first): &(&String, &String)| {
        takes_handle(first) && !errors.contains(&format!("{name}("))
    };
    let missing: Vec<_> = functions.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "errors.c calls none of {missing:#?}");
}

fn exported(library: &Path) -> BTreeSet<String> {
    let bytes = fs::read(library).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let names = file.exports().unwrap().map(|export| match export.unwrap().name() {
        NameOrOrdinal::Name(name) => String::from_utf8(name.to_owned()).unwrap(),
        NameOrOrdinal::Ordinal(number) => format!("number {number}"),
    });
    // On macOS, C symbols begin with an underscore.
    let is_mac = file.format() == object::BinaryFormat::MachO;
    names.map(|name| if is_mac { name[1..].to_owned() } else { name }).collect()
}

#[test]
fn programs_run_with_the_static_library() {
    run_all(&Programs::new(Mode::Static), &FAKE_MODEL.bundle(), &FAKE_MODEL);
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_needs_no_shared_library() {
    let programs = Programs::new(Mode::FullyStatic);
    let program = programs.compile("stream");
    let bundle = FAKE_MODEL.bundle();
    expect_success(programs.command(&program).args([&bundle, &bundle]));
}

#[test]
#[cfg(target_os = "linux")]
fn each_failure_of_the_system_is_an_error_and_leaves_nothing_behind() {
    let called =
        ["open64", "statx", "mmap64", "getrandom", "clock_gettime", "pthread_create", "syscall"];
    fail_each_call(FAKE_MODEL.bundle().as_os_str(), &called);
}

#[test]
#[cfg(target_os = "linux")]
#[ignore = "long: `cargo xtask full` runs it"]
fn each_failure_of_the_system_is_an_error_while_the_bundle_is_looked_for() {
    fail_each_call("".as_ref(), &["open64", "mmap64", "readlink", "realpath", "sched_getaffinity"]);
}

/// Fails each call to the operating system once, with a bundle or with "" for the default one.
/// Checks that the library called these functions, so that they did fail.
#[cfg(target_os = "linux")]
fn fail_each_call(bundle: &std::ffi::OsStr, called: &[&str]) {
    let programs = Programs::new(Mode::Static);
    let compiled = programs.compile("failures");
    // Like an installation: the library finds the voices relative to the program.
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (bin, share) = (dir.path().join("bin"), dir.path().join("share/libspeech"));
    fs::create_dir_all(&bin).unwrap();
    fs::create_dir_all(&share).unwrap();
    std::os::unix::fs::symlink(FAKE_MODEL.bundle(), share.join("voices")).unwrap();
    let program = bin.join("failures");
    fs::copy(compiled, &program).unwrap();
    let printed = expect_success(programs.command(&program).arg(FAKE_MODEL.bundle()).arg(bundle));
    for function in called {
        for lasting in ["once", "from then on"] {
            let name = format!("{function} {lasting}: ");
            let rounds = printed.lines().find_map(|line| line.strip_prefix(&name));
            let failed = rounds.is_some_and(|rounds| !rounds.starts_with("0 rounds"));
            assert!(failed, "{function} never failed:\n{printed}");
        }
    }
}

#[test]
#[ignore = "long: `cargo xtask full` runs it"]
fn programs_are_clean_under_the_sanitizers() {
    run_all(&Programs::new(Mode::Sanitized), &FAKE_MODEL.bundle(), &FAKE_MODEL);
}

#[test]
#[ignore = "long: `cargo xtask full` runs it"]
fn programs_are_clean_under_valgrind() {
    run_all(&Programs::new(Mode::Valgrind), &FAKE_MODEL.bundle(), &FAKE_MODEL);
}

#[test]
fn closing_the_library_does_not_unload_it() {
    let programs = Programs::new(Mode::Plain);
    expect_success(programs.command(&programs.compile("unload")).arg(dist::library()));
}

#[test]
fn bundles_are_found_by_paths_in_any_script() {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let bundle = dir.path().join("\u{906}\u{935}\u{93e}\u{91c}\u{93c}");
    fs::create_dir(&bundle).unwrap();
    fake_model::write(&bundle).unwrap();
    let programs = Programs::new(Mode::Plain);
    let program = programs.compile("paths");
    let mut places = vec![dist::path_of(&bundle)];
    if dist::is_for_windows() {
        places.push(places[0].replace('\\', "/"));
        places.push(format!(r"\\?\{}", places[0]));
        places.extend(dist::other_drive(&bundle));
    }
    let lines: String = places.iter().map(|place| format!("{place}\n")).collect();
    let printed = with_input(&mut programs.command(&program), &lines);
    assert_eq!(printed, "spoken\n".repeat(places.len()));

    let missing = dist::path_of(&dir.path().join("\u{915}"));
    let printed = with_input(&mut programs.command(&program), &missing);
    assert_eq!(printed, "model_error file_missing\n");
    if dist::is_for_windows() {
        let printed = with_input(programs.command(&program).arg("locked"), &places[0]);
        assert_eq!(printed, "model_error file_unreadable\n");
    }
}

#[test]
fn the_header_stands_alone_in_every_dialect() {
    let include = dist::tree().join("include");
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let source = dir.path().join("twice.c");
    fs::write(&source, "#include <speech.h>\n#include <speech.h>\n").unwrap();
    for (language, standard) in
        [("c", "c11"), ("c", "c17"), ("c", "c2x"), ("c++", "c++17"), ("c++", "c++20")]
    {
        let mut compiler = dist::compiler();
        compiler
            .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c", "-x", language])
            .arg(format!("-std={standard}"))
            .arg("-I")
            .arg(&include)
            .arg("-o")
            .arg(dir.path().join("twice.o"))
            .arg(&source);
        expect_success(&mut compiler);
    }
}
