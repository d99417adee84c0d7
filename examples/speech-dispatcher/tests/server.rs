//! Tests the program under Speech Dispatcher and its client `spd-say`, with the real voices, a
//! private server, and a pipe as sound card, which takes audio as fast as it comes. Takes minutes:
//! `cargo xtask full speech-dispatcher`.

#![cfg(target_os = "linux")]
#![allow(dead_code)]

mod client;

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use client::Client;
use tempfile::TempDir;

/// The time limit of any step on a busy machine; after that the program counts as hanging.
const PATIENCE: Duration = Duration::from_secs(180);

/// Audio has ended after this much silence.
const QUIET: Duration = Duration::from_secs(1);

/// A server, stopped when dropped.
struct Server {
    process: Child,
    card: Card,
    dir: TempDir,
}

/// Stores all audio that the server plays.
#[derive(Clone, Default)]
struct Card {
    played: Arc<Mutex<Vec<u8>>>,
}

impl Card {
    /// Plays the data written to a pipe.
    fn play(&self, pipe: &Path) {
        // Open for writing too, so that it does not end with its writers.
        let mut pipe = File::options().read(true).write(true).open(pipe).unwrap();
        let card = self.clone();
        thread::spawn(move || {
            let mut samples = [0; 4096];
            while let Ok(length) = pipe.read(&mut samples) {
                card.played.lock().unwrap().extend(&samples[..length]);
            }
        });
    }

    fn length(&self) -> usize {
        self.played.lock().unwrap().len()
    }

    /// Waits until no more audio comes; returns all audio since the last call.
    fn take(&self) -> Vec<i16> {
        let mut last = (self.length(), Instant::now());
        while last.1.elapsed() < QUIET {
            thread::sleep(Duration::from_millis(20));
            if self.length() != last.0 {
                last = (self.length(), Instant::now());
            }
        }
        let bytes = std::mem::take(&mut *self.played.lock().unwrap());
        bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect()
    }
}

impl Server {
    /// Starts a server with its own configuration.
    fn start() -> Self {
        let bundle = std::env::var("SPEECH_BUNDLE").expect("`cargo xtask full` names the voices");
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        let write = |name: &str, text: String| fs::write(path(name), text).unwrap();
        for folder in ["config/modules", "icons", "log", "home"] {
            fs::create_dir_all(path(folder)).unwrap();
        }
        let module = env!("CARGO_BIN_EXE_sd_libspeech");
        let log = path("log").display().to_string();
        write(
            "config/speechd.conf",
            format!(
                "LogLevel 5\nLogDir \"{log}\"\nDefaultVolume 100\nAudioOutputMethod \"alsa\"\n\
                 AudioALSADevice \"default\"\nTimeout 0\nSymbolsPreproc \"no\"\n\
                 AddModule \"libspeech\" \"{module}\" \"libspeech.conf\"\nDefaultModule libspeech\n"
            ),
        );
        let icons = path("icons").display().to_string();
        write(
            "config/modules/libspeech.conf",
            format!("Bundle \"{bundle}\"\nPrepare 0\nSoundIcons \"{icons}\"\n"),
        );
        Self::start_in(dir, |command, dir| {
            command.arg("--config-dir").arg(dir.join("config"));
        })
    }

    /// Starts a server in a folder that serves as a user's home.
    fn start_in(dir: TempDir, configure: impl FnOnce(&mut Command, &Path)) -> Self {
        let path = |name: &str| dir.path().join(name);
        let pipe = path("card");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let card_of_alsa = format!(
            "pcm.!default {{ type plug slave {{ pcm card rate 22050 channels 1 format S16_LE }} }}\n\
             pcm.card {{ type file slave.pcm none file \"{}\" format raw }}\npcm.none {{ type null }}\n",
            pipe.display()
        );
        fs::write(path("asound.conf"), card_of_alsa).unwrap();
        let card = Card::default();
        card.play(&pipe);
        let mut command = Command::new("speech-dispatcher");
        command.arg("--run-single").arg("--socket-path").arg(path("socket"));
        configure(&mut command, dir.path());
        let output = File::create(path("log/output")).unwrap();
        command.stdout(output.try_clone().unwrap()).stderr(output);
        surroundings(&mut command, dir.path());
        let process = command.spawn().unwrap_or_else(|error| {
            panic!("speech-dispatcher: {error}: apt-get install speech-dispatcher")
        });
        let server = Self { process, card, dir };
        let start = Instant::now();
        while !server.dir.path().join("socket").exists() {
            assert!(start.elapsed() < PATIENCE, "the server does not start: {}", server.log());
            thread::sleep(Duration::from_millis(50));
        }
        server
    }

    fn log(&self) -> String {
        let logs = fs::read_dir(self.dir.path().join("log")).unwrap();
        let logs = logs.map(|file| fs::read(file.unwrap().path()).unwrap());
        logs.map(|log| String::from_utf8_lossy(&log).into_owned()).collect()
    }

    fn client(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("spd-say");
        surroundings(command.args(arguments), self.dir.path());
        command
    }

    /// The output of `spd-say`.
    fn printed(&self, arguments: &[&str]) -> String {
        let output = self.client(arguments).output().expect("apt-get install speech-dispatcher");
        assert!(output.status.success(), "{arguments:?}: {output:?}\n{}", self.log());
        String::from_utf8(output.stdout).unwrap()
    }

    /// The audio of `spd-say`, which waits for the end.
    fn heard(&self, arguments: &[&str]) -> Vec<i16> {
        self.printed(&[&["--wait"], arguments].concat());
        without_silence(&self.card.take())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Isolates the server from this machine's configuration.
fn surroundings(command: &mut Command, dir: &Path) {
    command
        .env("SPEECHD_ADDRESS", format!("unix_socket:{}", dir.join("socket").display()))
        .env("XDG_RUNTIME_DIR", dir)
        .env("HOME", dir.join("home"))
        .env("ALSA_CONFIG_PATH", dir.join("asound.conf"))
        .env("LC_ALL", "C.UTF-8")
        .env_remove("XDG_CONFIG_HOME")
        .stdin(Stdio::null());
}

fn without_silence(samples: &[i16]) -> Vec<i16> {
    let sounds = |sample: &i16| sample.unsigned_abs() > 200;
    let (first, last) = (samples.iter().position(sounds), samples.iter().rposition(sounds));
    first.zip(last).map_or(Vec::new(), |(first, last)| samples[first..=last].to_vec())
}

/// The similarity of two signals; 1 if they differ only in volume.
fn likeness(one: &[i16], other: &[i16]) -> f64 {
    let product = |a: &[i16], b: &[i16]| -> f64 {
        a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    };
    // In a quieter signal another sample may be the first audible one.
    let shifted = |shift: usize| {
        let (a, b) = (&one[shift.min(one.len())..], other);
        product(a, b) / (product(a, a) * product(b, b)).sqrt()
    };
    (0..200).map(shifted).fold(-1.0, f64::max)
}

fn seconds(samples: &[i16]) -> f64 {
    samples.len() as f64 / 22_050.0
}

const SENTENCE: &str = "The train to the coast leaves at nine in the morning.";

#[test]
#[ignore = "it takes minutes, and Speech Dispatcher"]
fn under_the_real_server() {
    let server = Server::start();
    assert_eq!(server.printed(&["--list-output-modules"]), "OUTPUT MODULES\nlibspeech\n");
    let voices = server.printed(&["--list-synthesis-voices"]);
    for voice in ["aria", "jason", "john", "leo", "sofia"] {
        let lines: Vec<_> = voices.lines().filter(|line| line.contains(voice)).collect();
        assert_eq!(lines.len(), 2, "{voices}");
    }

    // The audio equals the program's own: nothing is lost in between.
    let bundle = std::env::var("SPEECH_BUNDLE").unwrap();
    let mut program = Client::start(Path::new(&bundle), "Prepare 0");
    program.set(&[("language", "en-US"), ("synthesis_voice", "sofia")]);
    let own = without_silence(&program.say("SPEAK", &format!("<speak>{SENTENCE}</speak>")).samples);
    drop(program);
    let usual = server.heard(&["-l", "en-US", "-y", "sofia", SENTENCE]);
    let like = likeness(&own, &usual);
    assert!(like > 0.99, "{like}, {} s of {} s", seconds(&usual), seconds(&own));

    let heard = |options: &[&str], text: &str| {
        let heard = server.heard(&[&["-l", "en-US", "-y", "sofia"], options, &[text]].concat());
        seconds(&heard)
    };
    let plain = seconds(&usual);
    let fast = heard(&["-r", "100"], SENTENCE);
    assert!((0.4..0.65).contains(&(fast / plain)), "{fast} {plain}");
    let slow = heard(&["-r", "-100"], SENTENCE);
    assert!((1.5..2.3).contains(&(slow / plain)), "{slow} {plain}");
    let quiet = server.heard(&["-l", "en-US", "-y", "sofia", "-i", "-50", SENTENCE]);
    let peak =
        |samples: &[i16]| samples.iter().map(|s| f64::from(s.unsigned_abs())).fold(0.0, f64::max);
    let ratio = peak(&quiet) / peak(&usual);
    assert!((0.2..0.3).contains(&ratio), "{ratio}");

    let (none, all) = (heard(&["-m", "none"], "So, (yes)."), heard(&["-m", "all"], "So, (yes)."));
    assert!(all > none + 1.5, "{none} {all}");
    let (word, spelled) = (heard(&[], "cat"), heard(&["-s"], "cat"));
    assert!(spelled > word + 0.3, "{word} {spelled}");
    assert!(heard(&["-c"], "a") > 0.1);
    assert!(heard(&["-k"], "control_a") > 0.4);
    assert!(heard(&["-I"], "new-mail") > 0.3);
    let document = "<speak>It <mark name=\"m\"/><prosody rate=\"50%\">is so</prosody>.</speak>";
    assert!(heard(&["-x"], document) > heard(&[], "It is so.") * 1.3);
    assert!(heard(&["-x"], "<speak>It <unknown a=b>is & so") > 0.4);
    let hindi = server.heard(&["-l", "hi", "-t", "female1", "नमस्ते, आप कैसे हैं?"]);
    assert!((0.9..3.5).contains(&seconds(&hindi)));

    a_sound_icon_is_played(&server);
    let log = server.log();
    assert!(!log.contains("broken") && !log.contains("bogus") && !log.contains("panicked"));
}

/// The server plays an audio file.
fn a_sound_icon_is_played(server: &Server) {
    let tone: Vec<i16> = (0..6615).map(|i| if i / 20 % 2 == 0 { 8000 } else { -8000 }).collect();
    fs::write(
        server.dir.path().join("icons/tone.wav"),
        speech_core::wav(&tone, speech_core::SAMPLE_RATE, speech_core::Encoding::Pcm16),
    )
    .unwrap();
    let heard = server.heard(&["-l", "en-US", "-I", "tone"]);
    assert!((0.25..0.5).contains(&seconds(&heard)), "{}", seconds(&heard));
}

/// Minutes of text, stopped during computation.
#[test]
#[ignore = "it takes minutes, and Speech Dispatcher"]
fn a_long_text_is_stopped() {
    let server = Server::start();
    let sentences = 150;
    let text = format!("{SENTENCE} ").repeat(sentences);
    let sent = || server.log().matches("Sent to audio").count();
    for option in ["-C", "-S"] {
        let before = sent();
        let mut speaking = server.client(&["--wait", "-l", "en-US", &text]).spawn().unwrap();
        let start = Instant::now();
        while sent() < before + 5 {
            assert!(start.elapsed() < PATIENCE, "nothing is heard: {}", server.log());
            thread::sleep(Duration::from_millis(10));
        }
        server.printed(&[option]);
        assert!(speaking.wait().unwrap().success());
        let heard = seconds(&without_silence(&server.card.take()));
        assert!((0.5..sentences as f64).contains(&heard), "{option}: {heard} s\n{}", server.log());
        // The server still works.
        assert!(seconds(&server.heard(&["-l", "en-US", "Hello."])) > 0.2);
    }
    assert!(server.log().matches("703 CANCELED").count() >= 2);
}

/// Runs the README's commands in a fresh user's home.
#[test]
#[ignore = "it takes minutes, and Speech Dispatcher"]
fn the_commands_of_the_readme() {
    let [install, speak] = blocks("sh")[..] else { panic!("two blocks") };
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    for folder in ["clone/target/release", "clone/examples", "home", "log", "bin"] {
        fs::create_dir_all(path(folder)).unwrap();
    }
    // The program is already built.
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    symlink(env!("CARGO_BIN_EXE_sd_libspeech"), path("clone/target/release/sd_libspeech")).unwrap();
    symlink(here, path("clone/examples/speech-dispatcher")).unwrap();
    let cargo = "#!/bin/sh\ntest \"$*\" = 'build --release --package speech-dispatcher-module'\n";
    fs::write(path("bin/cargo"), cargo).unwrap();
    fs::set_permissions(path("bin/cargo"), fs::Permissions::from_mode(0o755)).unwrap();
    let shell = |block: &str| {
        let mut shell = Command::new("sh");
        let search = std::env::var("PATH").unwrap();
        shell.args(["-eu", "-c", block]).env("PATH", format!("{}:{search}", path("bin").display()));
        surroundings(shell.current_dir(path("clone")), dir.path());
        shell
    };
    let installed = shell(install).output().unwrap();
    assert!(installed.status.success(), "{installed:?}");
    // There is no sound card here.
    let config = path("home/.config/speech-dispatcher/speechd.conf");
    let mut text = fs::read_to_string(&config).unwrap();
    let log = path("log").display().to_string();
    text += &format!("AudioOutputMethod \"alsa\"\nTimeout 0\nLogDir \"{log}\"\nLogLevel 5\n");
    fs::write(&config, text).unwrap();

    let speak = shell(speak);
    let server = Server::start_in(dir, |_, _| {});
    let mut speak = speak;
    let spoken = speak.output().unwrap();
    assert!(spoken.status.success(), "{spoken:?}\n{}", server.log());
    assert_eq!(String::from_utf8(spoken.stdout).unwrap(), "OUTPUT MODULES\nlibspeech\n");
    let heard = seconds(&without_silence(&server.card.take()));
    assert!((2.5..9.0).contains(&heard), "{heard}\n{}", server.log());
}

fn blocks(kind: &str) -> Vec<&'static str> {
    let open = format!("```{kind}\n");
    let readme = include_str!("../README.md");
    readme.split(&open).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}
