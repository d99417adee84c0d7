//! The program as its users run it, with the real voice bundle. `cargo xtask test` provides it.

use std::io::{Read, Write};
#[cfg(target_os = "linux")]
use std::io::{Seek, SeekFrom};
#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use speech_tests::{cases, fake_model};

fn speech() -> Command {
    Command::new(env!("CARGO_BIN_EXE_speech"))
}

fn run(args: &[&str], input: &str) -> Output {
    let mut child = speech()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that rejects its arguments does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn stdout(args: &[&str], input: &str) -> String {
    let output = run(args, input);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "progress belongs on a terminal only");
    String::from_utf8(output.stdout).unwrap()
}

fn bytes(args: &[&str], input: &str) -> Vec<u8> {
    let output = run(args, input);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
fn say_writes_the_same_sound_everywhere() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (text, file, wav) = ("One sentence. And another one.", path("text.txt"), path("a.wav"));
    std::fs::write(&file, format!("{text}\n")).unwrap();

    assert!(bytes(&["say", text, "-o", &wav], "").is_empty());
    let written = std::fs::read(&wav).unwrap();
    let reader = hound::WavReader::open(&wav).unwrap();
    assert_eq!((reader.spec().sample_rate, reader.spec().channels), (22_050, 1));
    assert!(reader.duration() > 22_050);

    assert!(bytes(&["say", "--file", &file], "") == written);
    assert!(bytes(&["say", "--file", "-", "-o", "-"], text) == written);
    assert!(bytes(&["say", "-f", "-"], text) == written);
    assert!(bytes(&["say", "--format", "pcm"], &format!("{text}\r\n")) == written[44..]);
    assert!(bytes(&["say", "--voice", "john"], text) != written);
}

/// Test programs replace the players, and store their input and arguments.
#[cfg(unix)]
#[test]
fn say_plays_with_the_first_player_that_is_installed() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let say = |players: &[(&str, &str)], options: &[&str]| {
        let bin = dir.path().join("bin");
        let _ = std::fs::remove_dir_all(&bin);
        std::fs::create_dir(&bin).unwrap();
        for (name, script) in players {
            let script =
                format!("#!/bin/sh\nPATH=/usr/bin:/bin\necho $0 $* > arguments\n{script}\n");
            std::fs::write(bin.join(name), script).unwrap();
            std::fs::set_permissions(bin.join(name), PermissionsExt::from_mode(0o755)).unwrap();
        }
        let mut say = speech();
        say.args(["say", "Hello there.", "--quality", "light"]).args(options);
        say.current_dir(&dir).env("PATH", &bin).env("TMPDIR", dir.path());
        say.output().unwrap()
    };
    let played = || std::fs::read(dir.path().join("played")).unwrap();
    let arguments = || std::fs::read_to_string(dir.path().join("arguments")).unwrap();
    let pcm = say(&[], &["--format", "pcm"]).stdout;
    let plain = say(&[("aplay", "cat > played"), ("afplay", "exit 1")], &["--play"]);
    assert!(plain.status.success(), "{plain:?}");
    assert!(arguments().ends_with("/aplay -q -t raw -f S16_LE -c 1 -r 22050\n"), "{}", arguments());
    assert!(played() == pcm);

    let of_files = say(&[("pw-play", "cat $1 > played")], &["--play", "--sample-rate", "8000"]);
    assert!(of_files.status.success(), "{of_files:?}");
    let file = played();
    let wav = hound::WavReader::new(&file[..]).unwrap();
    assert_eq!((wav.spec().sample_rate, wav.duration() > 4_000), (8_000, true));
    let left = std::fs::read_dir(&dir).unwrap().map(|file| file.unwrap().file_name());
    assert_eq!(left.filter(|name| name.to_string_lossy().ends_with(".wav")).count(), 0);

    for (players, options, problem) in [
        (&[][..], &[][..], "no audio player was found: install paplay"),
        (&[("aplay", "cat; exit 3")], &[], "aplay failed to play the audio: exit status: 3"),
        (&[("aplay", "exit 3")], &["--long"], "aplay"),
        (&[("aplay", "cat")], &["-o", "a.wav"], "cannot be used with"),
    ] {
        let failed = say(players, &[&["--play"], options].concat());
        let said = String::from_utf8_lossy(&failed.stderr).into_owned();
        assert!(!failed.status.success() && said.contains(problem), "{said}");
    }
}

#[test]
fn say_takes_a_rate_a_pitch_a_volume_and_pauses() {
    let say = |options: &[&str]| {
        let text = "It is so, [pause 1s] and not so.";
        bytes(&[&["say", "--threads", "2"], options].concat(), text).len()
    };
    let plain = say(&[]);
    // The pause keeps its duration.
    assert!(say(&["--rate", "2"]) + 11_025 < plain);
    assert!(say(&["--pitch", "-3"]).abs_diff(plain) < 8_820);
    assert_eq!(say(&["--volume", "-10"]), plain);
    assert_ne!(say(&["--no-pauses"]), plain);
}

#[test]
fn say_takes_a_sample_rate_and_an_encoding() {
    let dir = tempfile::tempdir().unwrap();
    let (voices, wav) = (fake_voices(dir.path()), dir.path().join("a.wav"));
    let text = "One sentence. And another one.";
    let engine = speech_core::Engine::builder().bundle(&voices).load().unwrap();
    let encodings = speech_core::Encoding::ALL.into_iter().cycle();
    for (rate, encoding) in speech_core::SAMPLE_RATES.into_iter().zip(encodings) {
        let request = speech_core::Request::new(text).sample_rate(rate).encoding(encoding);
        let speech = engine.synthesize(request).unwrap();
        let (rate, encoding) = (rate.to_string(), encoding.as_str());
        let say = |options: &[&str]| {
            let usual = ["say", "--bundle", &voices, "--encoding", encoding];
            bytes(&[&usual[..], &["--sample-rate", &rate], options].concat(), text)
        };
        assert!(say(&[]) == speech.to_wav(), "{rate} Hz, {encoding}");
        assert!(say(&["-o", wav.to_str().unwrap()]).is_empty());
        assert!(std::fs::read(&wav).unwrap() == speech.to_wav(), "{rate} Hz, {encoding}");
        assert!(say(&["--format", "pcm"]) == speech.to_bytes(), "{rate} Hz, {encoding}");
        assert!(say(&["--format", "pcm", "--long"]) == speech.to_bytes(), "{rate} Hz, {encoding}");
    }
    for (option, value, message) in [
        ("--sample-rate", "11025", "8000, 16000, 22050, 24000, 44100 or 48000"),
        ("--encoding", "g722", "use pcm16, float32, mulaw, alaw"),
    ] {
        let refused = run(&["say", "--bundle", &voices, text, option, value], "");
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && error.contains(message), "{error}");
    }
}

#[test]
fn say_writes_what_is_heard_when() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (srt, vtt, events, wav) = (path("a.srt"), path("a.vtt"), path("a.jsonl"), path("a.wav"));
    let text = "It costs $5. Really?";
    bytes(&["say", text, "-o", &wav, "--subtitles", &srt, "--events", &events], "");
    let subtitles = std::fs::read_to_string(&srt).unwrap();
    let cues: Vec<_> = subtitles.trim_end().split("\n\n").collect();
    assert_eq!(cues.len(), 2, "{subtitles}");
    let lines: Vec<_> = cues[1].lines().collect();
    assert_eq!((lines[0], lines[2]), ("2", "Really?"));
    assert!(lines[1].starts_with("00:00:0") && lines[1].contains(" --> 00:00:0"), "{}", lines[1]);
    assert_eq!(lines[1].matches(',').count(), 2);

    let events = std::fs::read_to_string(&events).unwrap();
    let events: Vec<serde_json::Value> =
        events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind: &str| events.iter().filter(|event| event["event"] == kind).collect::<Vec<_>>();
    let words: Vec<_> = of("word").iter().map(|word| word["text"].as_str().unwrap()).collect();
    assert_eq!(words, ["It", "costs", "$5", "Really"]);
    assert_eq!(of("sentence").len(), 2);
    assert!(of("phoneme").len() > 12 && of("viseme").len() > 12);

    bytes(&["say", text, "-o", &wav, "--subtitles", &vtt, "--subtitles-by", "word"], "");
    let subtitles = std::fs::read_to_string(&vtt).unwrap();
    assert!(subtitles.starts_with("WEBVTT\n\n00:00:00."), "{subtitles}");
    assert_eq!(subtitles.matches(" --> ").count(), 4);

    let alone = run(&["say", text, "-o", &wav, "--subtitles-by", "word"], "");
    assert_eq!(alone.status.code(), Some(2));
    let refused = run(&["say", text, "-o", &wav, "--subtitles", &path("a.txt")], "");
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && message.contains(".srt or .vtt"), "{message}");
}

#[test]
fn say_takes_a_text_of_any_length_if_it_is_told_so() {
    let text = format!("It is so.{}It was so.", " ".repeat(1000));
    let output = run(&["say", "--long", "--format", "pcm", "--threads", "2"], &text);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.len() > 2 * 22_050);
    assert!(!run(&["say", "--format", "pcm"], &text).status.success());
}

/// A bundle of the fake model, which computes instantly.
fn fake_voices(dir: &Path) -> String {
    let voices = dir.join("voices");
    std::fs::create_dir(&voices).unwrap();
    fake_model::write(&voices).unwrap();
    voices.to_str().unwrap().to_owned()
}

/// Starts the program in a folder, and writes to its standard input without end. The thread returns
/// the number of bytes it could write.
fn with_endless_input(args: &[&str], dir: &Path, text: &'static str) -> (Child, JoinHandle<usize>) {
    let mut command = speech();
    command.args(args).current_dir(dir).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let mut written = 0;
        while let Ok(count) = input.write(text.as_bytes()) {
            written += count;
        }
        written
    });
    (child, writer)
}

/// The system enforces a memory limit, which the text, or its audio, would exceed if it were kept
/// in memory.
#[cfg(target_os = "linux")]
#[test]
fn a_long_text_takes_no_memory_whatever_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let voices = fake_voices(dir.path());
    let (spaces, pauses) = (" ".repeat(1 << 20), "It is so. [pause 10s] ".repeat(10));
    for (format, text, times, least) in [
        ("pcm", &spaces, 400, 22_050),
        // 10,000 s of audio.
        ("wav", &pauses, 100, 440_000_000),
    ] {
        let mut child = Command::new("sh")
            .args(["-c", "ulimit -v 300000 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_speech")])
            .args(["say", "--long", "--threads", "1", "--bundle", &voices, "--format", format])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let text = text.clone();
        let writer = std::thread::spawn(move || {
            (0..times).try_for_each(|_| input.write_all(text.as_bytes())).unwrap();
            input.write_all(b"It is so.").unwrap();
        });
        let sound = std::io::copy(&mut child.stdout.take().unwrap(), &mut std::io::sink()).unwrap();
        assert!(child.wait().unwrap().success() && sound > least, "{format}: {sound}");
        writer.join().unwrap();
    }
}

/// More than the buffers between two programs hold, and more than is read at once.
const BUFFERS: usize = 1 << 20;

#[test]
fn a_text_that_is_too_long_is_not_read_to_its_end() {
    let dir = tempfile::tempdir().unwrap();
    for (args, text, expected) in [
        (
            &["say"][..],
            "a",
            "error[text_too_long]: text has more characters than the limit of 1000",
        ),
        (&["say", "--ssml"], "<s>", "error[text_too_long]"),
        (&["say", "--file", "-"], "हाँ ", "error[text_too_long]"),
        (&["say"], "\0", "error[invalid_request]: text has a NUL character at byte 0"),
        (
            &["say", "--long", "-o", "a.wav"],
            "\0",
            "error[invalid_request]: text has a NUL character",
        ),
        (&["split"], "\0", "error[invalid_request]: text has a NUL character at byte 0"),
        (&["inspect"], "\0", "error[invalid_request]: text has a NUL character at byte 0"),
        (
            &["inspect"],
            "1",
            "error[text_too_long]: text has more characters than the limit of 1000",
        ),
    ] {
        let (child, writer) = with_endless_input(args, dir.path(), text);
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.starts_with(expected), "{args:?}: {stderr}");
        assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{args:?}");
        assert!(writer.join().unwrap() < BUFFERS, "{args:?}");
    }
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

/// A text over the limit is rejected even if its end has not arrived.
#[test]
fn reading_ends_one_character_after_the_limit() {
    let mut child = speech()
        .arg("say")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The input stays open.
    let mut input = child.stdin.take().unwrap();
    input.write_all("क".repeat(1001).as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error[text_too_long]"));
    drop(input);
    // The final line end is not part of the text.
    for line_end in ["", "\n", "\r\n"] {
        let text = format!("{}{line_end}", "क".repeat(1000));
        let output = run(&["say", "--voice", "nobody"], &text);
        assert!(String::from_utf8_lossy(&output.stderr).contains("unsupported voice"));
    }
}

#[test]
fn a_long_text_is_spoken_while_it_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let voices = fake_voices(dir.path());
    let options = ["--bundle", &voices, "--threads", "1", "--format", "pcm", "--events", "a.jsonl"];
    let args = [&["say", "--long"], &options[..]].concat();
    let (mut child, writer) = with_endless_input(&args, dir.path(), "It goes on and on. ");
    let mut sound = vec![0; 4 << 20];
    child.stdout.take().unwrap().read_exact(&mut sound).unwrap();
    child.wait().unwrap();
    assert!(writer.join().unwrap() < BUFFERS, "it is read as far as it is spoken");

    let text = "One is here.\n\nTwo is there. ".repeat(200);
    let args = ["say", "--long", "--bundle", &voices, "--threads", "1"];
    let wav = bytes(&args, &text);
    let file = dir.path().join("a.wav");
    bytes(&[&args[..], &["-o", file.to_str().unwrap()]].concat(), &text);
    assert!(std::fs::read(&file).unwrap() == wav);
    assert!(hound::WavReader::open(&file).unwrap().duration() > 22_050);
    let empty = run(&args, " \n");
    assert!(String::from_utf8_lossy(&empty.stderr).starts_with("error[empty_text]"));
}

fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Waits until a condition is true.
fn until(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[cfg(unix)]
fn a_program_that_is_interrupted_leaves_no_file() {
    let voices = tempfile::tempdir().unwrap();
    let voices = fake_voices(voices.path());
    let signals = ["ALRM", "HUP", "INT", "PROF", "QUIT", "TERM", "USR1", "USR2", "VTALRM", "XCPU"];
    let formats = signals.map(|signal| (signal, "pcm")).into_iter().chain([("INT", "wav")]);
    for (signal, format) in formats {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a.out"), "before").unwrap();
        let files = ["-o", "a.out", "--subtitles", "a.srt", "--events", "a.jsonl"];
        let mut command = speech();
        command.args(["say", "--long", "--format", format, "--bundle", &voices]).args(files);
        let mut child = begun(command.current_dir(dir.path()));
        until(|| {
            let sizes = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap());
            let partial =
                sizes.filter(|entry| entry.file_name().to_string_lossy().starts_with("."));
            partial.filter(|entry| entry.metadata().is_ok_and(|m| m.len() > 44)).count() == 3
        });
        // `wait` would close the input, and the program might end before the signal.
        let input = child.stdin.take();
        send(signal, &child);
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        drop(input);
        assert_eq!(names(dir.path()), ["a.out"], "{signal} {format}");
        assert_eq!(std::fs::read(dir.path().join("a.out")).unwrap(), b"before");
    }
}

/// As started by `nohup`.
#[test]
#[cfg(unix)]
fn a_signal_that_is_ignored_from_the_start_ends_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let voices = fake_voices(dir.path());
    // The longest possible file name.
    let name = "n".repeat(255);
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_speech"), "say"]);
    command.args(["--long", "--bundle", &voices, "-o", &name]);
    let folder = tempfile::tempdir().unwrap();
    let mut child = begun(command.current_dir(folder.path()));
    until(|| !names(folder.path()).is_empty());
    send("HUP", &child);
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(names(folder.path()), [name]);
}

/// A program that has read two sentences and waits for the rest of a third. It ignores only the
/// given signals.
#[cfg(unix)]
fn begun(command: &mut Command) -> Child {
    let defaults = || {
        for signal in 1..=15 {
            // SAFETY: this only changes how the child reacts to a signal.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
        Ok(())
    };
    // SAFETY: `signal` may be called between fork and exec.
    unsafe { command.pre_exec(defaults) };
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(b"It has begun. It goes on. And").unwrap();
    child
}

#[cfg(unix)]
fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
}

/// `/dev/stdout` is a link to it, as is any path to an open file that no longer has a name.
#[test]
#[cfg(target_os = "linux")]
fn an_open_file_without_a_name_is_written_and_no_link_is_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let voices = fake_voices(dir.path());
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/proc/self/fd/1", folder.path().join("link")).unwrap();
    for output in ["/dev/stdout", "link"] {
        let mut file = tempfile::tempfile().unwrap();
        let mut command = speech();
        command.args(["say", "One.", "--bundle", &voices, "--format", "pcm", "-o", output]);
        command.current_dir(folder.path()).stdout(file.try_clone().unwrap());
        assert!(command.status().unwrap().success(), "{output}");
        assert!(file.seek(SeekFrom::End(0)).unwrap() > 1000, "{output}");
        assert_eq!(names(folder.path()), ["link"]);
        assert!(folder.path().join("link").is_symlink());
    }
}

/// std reports writes to such a file as successful.
#[test]
#[cfg(unix)]
fn a_standard_output_that_was_opened_to_be_read_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let voices = fake_voices(dir.path());
    for output in ["", "-o /dev/stdout", "-o a.wav --events /dev/stdout"] {
        let mut command = Command::new("sh");
        let script = format!("exec \"$0\" say One. --bundle voices {output} 1< /dev/null");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_speech")]).current_dir(dir.path());
        let output = command.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.starts_with("error: cannot write standard output: "), "{stderr}");
    }
    assert_eq!(names(dir.path()), [voices.rsplit('/').next().unwrap()]);
}

/// Outputs other than standard output must be complete: audio must not go missing silently.
#[test]
#[cfg(unix)]
fn a_reader_of_another_output_that_leaves_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let voices = fake_voices(dir.path());
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    let script = "mkfifo p; : < p & exec \"$0\" \"$@\"";
    command.args(["-c", script, env!("CARGO_BIN_EXE_speech"), "say", "One.", "--bundle", &voices]);
    command.args(["-o", "a.wav", "--events", "p"]).current_dir(folder.path());
    let output = command.output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.starts_with("error: cannot write p: "), "{stderr}");
    assert_eq!(names(folder.path()), ["p"]);
}

/// `ulimit -f` sends a signal, which ends a program that does not handle it.
#[test]
#[cfg(unix)]
fn a_file_over_the_limit_of_its_size_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let voices = fake_voices(dir.path());
    for format in ["pcm", "wav"] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command
            .args(["-c", "ulimit -f 1 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_speech"), "say"])
            .args(["It is so.", "--bundle", &voices, "--format", format, "-o", "a.out"])
            .current_dir(folder.path());
        let output = command.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{format}: {stderr}");
        assert!(stderr.starts_with("error: cannot write a.out: "), "{format}: {stderr}");
        assert_eq!(names(folder.path()), [""; 0], "{format}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_that_fails_leaves_no_file_and_a_device_is_written_in_place() {
    let dir = tempfile::tempdir().unwrap();
    let voices = fake_voices(dir.path());
    let say = |args: &[&str]| {
        let mut command = speech();
        command.args(["say", "One. Two.", "--bundle", &voices, "--format", "pcm"]).args(args);
        command.current_dir(dir.path()).output().unwrap()
    };
    let failed = say(&["-o", "a.pcm", "--subtitles", "none/a.srt"]);
    assert_eq!(failed.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&failed.stderr).contains("cannot write none/a.srt"));
    for (args, expected) in [
        (["-o", "/dev/full", "--events", "a.jsonl"], "cannot write /dev/full: No space left"),
        (
            ["-o", "a.vtt", "--subtitles", "./a.vtt"],
            "cannot write ./a.vtt: it is also an input or another output",
        ),
        (["-o", "a.pcm", "--events", "-"], "only -o accepts - for standard output"),
        (["-o", "a.pcm/", "--events", "a.jsonl"], "cannot write a.pcm/: it names a folder"),
        (["-o", &"n".repeat(256), "--events", "a.jsonl"], "File name too long"),
    ] {
        let failed = say(&args);
        assert_eq!(failed.status.code(), Some(1));
        let told = String::from_utf8_lossy(&failed.stderr).into_owned();
        assert!(told.contains(expected), "{told}");
        assert_eq!(names(dir.path()), ["voices"]);
    }

    let to_stdout = say(&["-o", "/dev/stdout"]);
    assert!(to_stdout.status.success() && to_stdout.stdout.len() > 1000);
    // The target of a link is written, and keeps its permissions.
    use std::os::unix::fs::{PermissionsExt, symlink};
    std::fs::write(dir.path().join("there"), "").unwrap();
    std::fs::set_permissions(dir.path().join("there"), PermissionsExt::from_mode(0o640)).unwrap();
    symlink("there", dir.path().join("link")).unwrap();
    symlink("./missing", dir.path().join("dangling")).unwrap();
    assert!(say(&["-o", "dangling"]).status.success());
    std::fs::remove_file(dir.path().join("dangling")).unwrap();
    let made = std::fs::read(dir.path().join("missing")).unwrap();
    assert_eq!(made, to_stdout.stdout);
    std::fs::remove_file(dir.path().join("missing")).unwrap();
    assert!(say(&["-o", "link"]).status.success());
    assert_eq!(std::fs::read(dir.path().join("there")).unwrap(), to_stdout.stdout);
    assert_eq!(names(dir.path()), ["link", "there", "voices"]);
    let mode = std::fs::metadata(dir.path().join("there")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

/// An output that is also an input, or is written twice, would be lost.
#[test]
#[cfg(unix)]
fn no_output_replaces_an_input_or_another_output() {
    let dir = tempfile::tempdir().unwrap();
    let voices = fake_voices(dir.path());
    let (book, lexicon) = ("One. Two.\n", "One\tWun\n");
    std::fs::write(dir.path().join("book"), book).unwrap();
    std::fs::write(dir.path().join("lexicon"), lexicon).unwrap();
    std::fs::hard_link(dir.path().join("book"), dir.path().join("same")).unwrap();
    assert!(Command::new("mkfifo").arg(dir.path().join("pipe")).status().unwrap().success());
    let run = |line: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("\"$0\" say --bundle \"$1\" --format pcm {line}")]);
        shell.args([env!("CARGO_BIN_EXE_speech"), &voices]).current_dir(dir.path());
        shell.output().unwrap()
    };
    for line in [
        "-f book -o book",
        "-f book -o same",
        "--long -f book -o ./book",
        "-o book < book",
        "-f book --events book -o out",
        "-f book --lexicon lexicon -o lexicon",
        "-f book --events out.jsonl > out.jsonl",
        "-f book --events /dev/stdout > out.jsonl",
        "-f book --events /dev/stdout | cat > out.jsonl; test $(stat -c %s out.jsonl) != 0",
        "-f book -o out.jsonl --events /dev/stdout >> out.jsonl",
        "-f book --events /dev/fd/1 | cat > out.jsonl; test $(stat -c %s out.jsonl) != 0",
        "-f book --events pipe -o pipe 3<> pipe",
    ] {
        let output = run(line);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{line}: {told}");
        assert!(told.contains("it is also an input or another output"), "{line}: {told}");
        assert_eq!(std::fs::read_to_string(dir.path().join("book")).unwrap(), book, "{line}");
        assert_eq!(std::fs::read_to_string(dir.path().join("lexicon")).unwrap(), lexicon);
    }
    for line in ["-f book -o out --events /dev/stdout", "-f book -o /dev/null --events /dev/null"] {
        let output = run(line);
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
    // Files that others write to as well are not replaced.
    for (line, to) in [
        ("-f book -o out --events /dev/stderr", "2>> log"),
        ("-f book -o out --events /proc/self/fd/1", ">> log"),
        ("-f book -o out --events /dev/fd/3", "3>> log"),
    ] {
        let log = dir.path().join("log");
        std::fs::write(&log, "before\n").unwrap();
        let output = run(&format!(
            "{line} {to} && exec {to} && echo after >&{}",
            &to[..1].replace('>', "1")
        ));
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        let log = std::fs::read_to_string(&log).unwrap();
        let whole = log.starts_with("before\n{") && log.ends_with("}\nafter\n");
        assert!(whole, "{line}: {log}");
    }
    for descriptor in ["3", "4", "9", "-1"] {
        let output = run(&format!("-f book -o /dev/fd/{descriptor}"));
        assert_eq!(output.status.code(), Some(1), "{descriptor}");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.starts_with("error: cannot write /dev/fd/"), "{descriptor}: {told}");
    }
    // A reader that closes one output has not closed the other.
    let output = run("-f book -o late --events /dev/stdout | true; test -e late && echo made");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("made") == output.stderr.is_empty(), "{told}");
}

#[test]
fn no_message_holds_a_part_of_a_text() {
    let dir = tempfile::tempdir().unwrap();
    let lexicon = dir.path().join("lexicon");
    let check = |args: &[&str], input: &str, status: &[i32]| {
        let output = run(args, input);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!cases::has_secret(&told), "{args:?}: {told}");
        assert!(
            output.status.code().is_some_and(|code| status.contains(&code)),
            "{args:?}: {told}"
        );
    };
    for case in cases::read().secrets {
        let Ok(body) = serde_json::from_str::<serde_json::Value>(&case.body()) else { continue };
        let (Some(text), Some(_)) = (body["text"].as_str(), &case.error) else { continue };
        let ssml = if body["ssml"] == true { &["--ssml"][..] } else { &[] };
        let args = [&["say", "-o", "/nowhere/a.wav", "--bundle", "/nowhere"], ssml].concat();
        check(&args, text, &[1]);
    }
    for case in cases::read().secret_pronunciations {
        std::fs::write(&lexicon, format!("{}\t{}\n", case.words, case.reading)).unwrap();
        check(&["inspect", "a", "--lexicon", lexicon.to_str().unwrap()], "", &[1]);
    }
    let secret = cases::SECRET;
    let [dashed, option, short] =
        [format!("--{secret} is it"), format!("--{secret}"), format!("-{secret} is it")];
    let far = format!("{}{secret}", "1".repeat(40));
    for args in [
        &[secret][..],
        &["say", secret, secret],
        &["say", &dashed],
        &["say", &option],
        &["say", &short],
        &["say", "a", "--rate", &far],
        &["split", "a", "--max", &far],
        &["say", "a", "--file", secret],
        &["say", &format!("--ssml={secret}")],
        &["say", &format!("--long={secret}")],
        &["voices", secret],
        &["split", secret, "--max", "0"],
    ] {
        check(args, "", &[2]);
    }
    check(&["inspect", "--lines"], &format!("{secret}\0\n"), &[1]);
}

/// Kernels that this processor cannot support.
const FOREIGN: &str = if cfg!(target_arch = "x86_64") { "neon" } else { "avx2" };

#[test]
fn low_latency_changes_the_beginning_alone() {
    let text = "This is a sentence that takes some seconds to say. And this is another.";
    let say = |options: &[&str]| bytes(&[&["say", "--threads", "1"], options].concat(), text);
    let exact = say(&["--format", "pcm"]);
    let low = say(&["--format", "pcm", "--latency", "low"]);
    assert!(low != exact && low.len().abs_diff(exact.len()) < 882);
}

/// The fake model has `light` for aria in English, and `full` for every voice.
#[test]
fn the_quality_is_the_one_that_is_named() {
    let dir = tempfile::tempdir().unwrap();
    fake_model::write(dir.path()).unwrap();
    let wav = dir.path().join("a.wav");
    let bundle = ["--bundle", dir.path().to_str().unwrap(), "--threads", "1"];
    let say = |options: &[&str]| bytes(&[&["say", "Hello."], &bundle[..], options].concat(), "");
    let full = say(&[]);
    assert!(say(&["--quality", "full"]) == full && say(&["--quality", "light"]) != full);
    let message = "error[invalid_request]: the voice bundle does not have quality light for leo in en-US; it has full";
    for command in [&["say", "Hi."][..], &["say", "--long", "Hi."], &["bench", "--runs", "1"]] {
        let output = ["-o", wav.to_str().unwrap()];
        let output = if command[0] == "say" { &output[..] } else { &[] };
        let named = ["--voice", "leo", "--quality", "light"];
        let output = run(&[command, &bundle, &named, output].concat(), "");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{command:?}: {stderr}");
        assert!(stderr.starts_with(message), "{command:?}: {stderr}");
        assert!(output.stdout.is_empty() && !wav.exists());
    }
}

#[test]
fn refusals_name_their_type_and_leave_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let wav = dir.path().join("a.wav");
    let long = "a".repeat(1001);
    let rows: [(&[&str], &str); 15] = [
        (&["say", " "], "error[empty_text]: text is only white space"),
        (&["say", &long], "error[text_too_long]: text has 1001 characters; the limit is 1000"),
        (&["say", "Hi.", "--voice", "bob"], "error[invalid_request]: unsupported voice \"bob\""),
        (&["say", "Hi.", "--language", "fr-FR"], "error[invalid_request]: unsupported language"),
        (&["say", "Hi.", "--format", "mp3"], "error[invalid_request]: unsupported format"),
        (&["say", "Hi.", "--rate", "3"], "error[invalid_request]: rate is 3; it must be a number"),
        (
            &["say", "Hi.", "--pitch", "-9"],
            "error[invalid_request]: pitch is -9; it must be a number",
        ),
        (&["say", "Hi.", "--latency", "none"], "error[invalid_request]: unsupported latency"),
        (&["say", "Hi.", "--quality", "none"], "error[invalid_request]: unsupported quality"),
        (
            &["say", "Hi.", "--latency", "low"],
            "error[invalid_request]: latency low is for streams: stream the speech as pcm",
        ),
        (
            &["say", "Hi.", "--kernels", "sse"],
            "error[invalid_request]: unsupported kernels \"sse\"",
        ),
        (&["say", "Hi.", "--precision", "f32"], "error[invalid_request]: unsupported precision"),
        (
            &["say", "Hi.", "--kernels", FOREIGN],
            "error[invalid_request]: this processor cannot compute with",
        ),
        (
            &["say", "Hi.", "--bundle", "/nowhere"],
            "error[model_error]: /nowhere/bundle.json is missing",
        ),
        (&["say", "Hi.", "--threads", "0"], "error[invalid_request]: threads must be"),
    ];
    for (args, message) in rows {
        let output = run(&[args, &["-o", wav.to_str().unwrap()]].concat(), "");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {stderr}");
        assert!(stderr.starts_with(message) && stderr.contains("(request "), "{stderr}");
        assert!(output.stdout.is_empty() && !wav.exists());
    }
}

#[test]
fn listings() {
    let voices = stdout(&["voices"], "");
    assert!(
        voices.contains("aria")
            && voices.contains("(default)")
            && voices.contains("en-US and hi-IN")
    );
    let json: serde_json::Value = serde_json::from_str(&stdout(&["voices", "--json"], "")).unwrap();
    assert_eq!(json["default_voice"], "aria");
    assert_eq!(json["voices"].as_array().unwrap().len(), 5);

    let tiers = stdout(&["tiers", "--contexts", "70,6"], "");
    assert_eq!(tiers.lines().filter(|line| line.contains(" yes")).count(), 1);
    let json: serde_json::Value = serde_json::from_str(&stdout(&["tiers", "--json"], "")).unwrap();
    assert_eq!(json["default"], "standard");
    assert_eq!(json["tiers"][3]["rate_micros"], 42);
    assert_eq!(run(&["tiers", "--contexts", "70"], "").status.code(), Some(2));
}

#[test]
fn split_gives_parts_that_fit() {
    let text = "A sentence of some length. ".repeat(60);
    let parts = stdout(&["split", "--json"], &text);
    let parts: Vec<String> =
        parts.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(parts.len(), 2);
    assert!(parts.iter().all(|part| part.chars().count() <= 1000));
    assert_eq!(parts.join(" "), text.trim());
    assert_eq!(stdout(&["split", "--max", "6", "-0", "One. Two."], ""), "One.\0Two.\0");
    assert_eq!(stdout(&["split", "--max", "6", "One. Two."], ""), "One.\n\nTwo.\n");
    for max in ["0", "-1", "1.5", ""] {
        let refused = run(&["split", "--max", max, "One. Two."], "");
        assert_eq!(refused.status.code(), Some(2), "{max}");
        assert!(refused.stdout.is_empty());
    }
}

/// On standard input, because an argument cannot contain NUL.
#[test]
fn a_text_with_a_nul_is_refused_by_every_command() {
    for command in ["say", "split", "inspect"] {
        let output = run(&[command], "caf\u{e9}\0b\n");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{command}: {stderr}");
        let message = "error[invalid_request]: text has a NUL character at byte 5 (request ";
        assert!(stderr.starts_with(message), "{command}: {stderr}");
        assert!(output.stdout.is_empty(), "{command}");
    }
}

#[test]
fn a_line_that_is_no_text_costs_that_line_alone() {
    let mut command = speech();
    command.args(["inspect", "--lines"]).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = b"One.\r\nab\xff\na\0b\nTwo.\n".to_vec();
    input.extend("1".repeat(1000).bytes().chain(*b"\n"));
    input.extend("1".repeat(1001).bytes().chain(*b"\n"));
    input.extend("1".repeat(1 << 20).bytes());
    // A separate thread, because the program writes while it reads.
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&input).unwrap());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["sentences"][0]["text"], "One.");
    writer.join().unwrap();
    let refusal = |kind: &str, message: &str| serde_json::json!({ "error": { "type": kind, "message": message } });
    assert_eq!(lines[1], refusal("invalid_request", "text is not UTF-8 at byte 2"));
    assert_eq!(lines[2], refusal("invalid_request", "text has a NUL character at byte 1"));
    assert_eq!(lines[3]["sentences"][0]["text"], "Two.");
    assert_eq!(lines[4]["sentences"][0]["end"], 1000);
    let limit = "text has 1001 characters; the limit is 1000";
    assert_eq!(lines[5], refusal("text_too_long", limit));
    let limit = "text has more characters than the limit of 1000";
    assert_eq!(lines[6], refusal("text_too_long", limit));
    assert_eq!(lines.len(), 7);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("error: line 2: text is not UTF-8 at byte 2\nerror: line 3: "));
    assert!(stderr.ends_with("error: 4 lines had no valid text\n"), "{stderr}");
}

/// A closed standard output ends the program quietly; a full one is an error.
#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written() {
    let text = "One. ".repeat(180);
    for args in [&["inspect", &text][..], &["split", "--max", "5", &text], &["voices"], &["tiers"]]
    {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = speech().args(args).stdout(writer).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{args:?}: {output:?}");
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = speech().args(args).stdout(full).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {stderr}");
        assert!(
            stderr.starts_with("error: ") && !stderr.contains("panicked"),
            "{args:?}: {stderr}"
        );
    }
}

#[test]
fn inspect_shows_what_is_said_and_needs_no_bundle() {
    let mut command = speech();
    command.args(["inspect", "--language", "en-US", "--lines"]).env("SPEECH_BUNDLE", "/nowhere");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all("I paid $5. ❤\n\nनमस्ते\n".as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let lines: Vec<serde_json::Value> = output
        .stdout
        .split(|b| *b == b'\n')
        .filter(|l| !l.is_empty())
        .map(|l| serde_json::from_slice(l).unwrap())
        .collect();
    assert_eq!(lines.len(), 3);
    let sentence = &lines[0]["sentences"][0];
    assert_eq!(
        (&sentence["start"], &sentence["end"], &sentence["text"]),
        (&0.into(), &14.into(), &"I paid $5. ❤".into())
    );
    assert_eq!(sentence["normalized"], "I paid five dollars.");
    assert_eq!(
        sentence["words"][3],
        serde_json::json!({
            "start": 7, "end": 9, "source": "$5", "normalized": "dollars", "phonemes": "dˈɑləɹz",
        })
    );
    assert!(sentence["phonemes"].as_str().unwrap().ends_with("fˈIv dˈɑləɹz."));
    assert_eq!(lines[1], serde_json::json!({ "sentences": [] }));
    assert_eq!(lines[2]["sentences"][0]["words"][0]["normalized"], "नमस्ते");
    assert!(stdout(&["inspect", "Hello."], "").contains("phonemes  həlˈO."));
    let row = "row       Rev.: Reverend, if before-name: ";
    assert!(stdout(&["inspect", "The Rev. Collins left."], "").contains(row));
}

#[test]
fn bench_reports_every_figure() {
    let voices = tempfile::tempdir().unwrap();
    speech_tests::fake_model::write(voices.path()).unwrap();
    let bench = ["bench", "--threads", "1", "--runs", "1", "--kernels", "portable"];
    let bundle = ["--bundle", voices.path().to_str().unwrap(), "--map-bundle", "false"];
    let json = stdout(
        &[&bench[..], &bundle, &["--latency", "low", "--quality", "light", "--json"]].concat(),
        "",
    );
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["threads"], 1);
    assert_eq!(report["kernels"], "portable");
    assert_eq!(report["precision"], "fp32");
    assert_eq!((&report["latency"], &report["quality"]), (&"low".into(), &"light".into()));
    assert!(report["load_ms"].as_f64().unwrap() > 0.0);
    assert_eq!(report["peak_rss_mb"].is_number(), cfg!(target_os = "linux"));
    let names: Vec<_> =
        report["texts"].as_array().unwrap().iter().map(|text| &text["name"]).collect();
    assert_eq!(names, ["short", "middle", "long"]);
    for text in report["texts"].as_array().unwrap() {
        let figure = |name: &str| text[name].as_f64().unwrap();
        assert!((figure("rtf") - figure("wall_s") / figure("audio_s")).abs() < 1e-9);
        assert!(figure("first_audio_ms") <= figure("wall_s") * 1e3 + 1.0);
    }
}

#[test]
fn bench_adds_up_the_sound_of_all_sessions() {
    let voices = tempfile::tempdir().unwrap();
    speech_tests::fake_model::write(voices.path()).unwrap();
    let bundle = ["--bundle", voices.path().to_str().unwrap(), "--map-bundle", "false"];
    let bench = |runs: &'static str, sessions: &'static str| -> serde_json::Value {
        let options = ["bench", "--threads", "1", "--json", "--runs", runs, "--sessions", sessions];
        serde_json::from_str(&stdout(&[&options[..], &bundle].concat(), "")).unwrap()
    };
    let (one, three) = (bench("1", "1"), bench("2", "3"));
    let sound = |report: &serde_json::Value| report["sound_s"].as_f64().unwrap();
    assert_eq!(three["sessions"], 3);
    assert!(three.get("texts").is_none());
    assert!(sound(&one) > 0.0 && three["wall_s"].as_f64().unwrap() > 0.0);
    assert!((sound(&three) - 6.0 * sound(&one)).abs() < 1e-9);
}

/// No network at all, not even a loopback interface.
#[cfg(target_os = "linux")]
#[test]
fn say_needs_no_network() {
    let output = Command::new("unshare")
        .args([
            "--user",
            "--map-root-user",
            "--net",
            env!("CARGO_BIN_EXE_speech"),
            "say",
            "Offline.",
        ])
        .output()
        .expect("this test needs `unshare` (util-linux)");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stdout.starts_with(b"RIFF"));
}
