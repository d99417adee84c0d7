//! The program, run for a test.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use speech_tests::fake_model;
use speech_tests::http::Service;
use tempfile::TempDir;

use crate::disk::Disk;

/// The voices of a server.
#[derive(Clone, Copy)]
pub(crate) enum Voices {
    /// The real voices; `cargo xtask test` provides them.
    Real,
    /// The voices of the fake model, which is many times faster.
    Fake,
    /// The fake model, but every inference for leo fails.
    FakeWithoutLeo,
}

/// A server. Dropping it kills the process.
pub(crate) struct Server {
    child: Child,
    service: Service,
    dir: TempDir,
}

impl Deref for Server {
    type Target = Service;

    fn deref(&self) -> &Service {
        &self.service
    }
}

pub(crate) fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_speech-http"))
}

/// The program, started by a line of the shell in which it is `"$@"`.
pub(crate) fn in_shell(line: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", line, "sh"]).arg(program().get_program());
    shell
}

/// The output of a program, which must succeed.
pub(crate) fn printed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Makes a key.
pub(crate) fn new_key(file: &Path, account: &str) -> String {
    let file = file.to_str().unwrap();
    printed(program().args(["key", "new", "--account", account, "--keys", file])).trim().to_owned()
}

impl Server {
    pub(crate) fn start(voices: Voices, options: &[&str]) -> Self {
        Self::start_as(program(), voices, options)
    }

    /// A server that a command starts: the command runs the program with the arguments that are
    /// added.
    pub(crate) fn start_as(command: Command, voices: Voices, options: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        if let Voices::Fake | Voices::FakeWithoutLeo = voices {
            let folder = dir.path().join("voices");
            std::fs::create_dir(&folder).unwrap();
            fake_model::write(&folder).unwrap();
            if let Voices::FakeWithoutLeo = voices {
                break_leo(&folder);
            }
        }
        let key = new_key(&dir.path().join("keys"), "tester");
        let (child, address) = launch(command, dir.path(), options);
        Self { child, service: Service { address, key }, dir }
    }

    /// A server whose record is on a disk. The disk is full while the file at the returned path
    /// exists.
    pub(crate) fn start_on_disk() -> (Self, PathBuf) {
        let mut server = Self::start(Voices::Fake, &[]);
        let (disk, full) = (Disk::build(&server.path("")), server.path("full"));
        let mut serve = program();
        disk.holds(&server.path("usage.db"), &mut serve);
        serve.env("DISK_FULL", &full);
        server.restart_as(serve, &[]);
        (server, full)
    }

    /// Kills the process, and starts the same service again.
    pub(crate) fn restart(&mut self, options: &[&str]) {
        self.restart_as(program(), options);
    }

    pub(crate) fn restart_as(&mut self, command: Command, options: &[&str]) {
        self.kill();
        (self.child, self.service.address) = launch(command, self.dir.path(), options);
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn terminate(&self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    }

    /// Whether the process ended well.
    pub(crate) fn ended_well(&mut self) -> bool {
        let mut status = None;
        until(|| {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        status.is_some_and(|status| status.success())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// The number of completed inferences: one for a sentence.
    pub(crate) fn inferences(&self) -> usize {
        let log = std::fs::read_to_string(self.path("log")).unwrap();
        log.lines().filter(|line| line.contains(" tokens: ")).count()
    }

    /// The number of the account's requests with an outcome.
    pub(crate) fn recorded(&self, outcome: &str) -> i64 {
        self.count(|recorded| recorded == outcome)
    }

    /// The number of the account's requests with such outcomes.
    pub(crate) fn count(&self, is_counted: impl Fn(&str) -> bool) -> i64 {
        let usage = self.path("usage.db");
        let mut usage_of = program();
        usage_of.args(["usage", "--account", "tester", "--usage", usage.to_str().unwrap()]);
        let totals = printed(&mut usage_of);
        let totals = totals.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        totals
            .filter(|t| is_counted(t["outcome"].as_str().unwrap()))
            .map(|t| t["requests"].as_i64().unwrap())
            .sum()
    }

    /// A number of `/metrics`, 0 if it is not there yet.
    pub(crate) fn metric(&self, name: &str) -> f64 {
        let metrics = self.get("/metrics").text();
        let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.map_or(0.0, |value| value.parse().unwrap())
    }

    /// The processor time of the process, in hundredths of a second.
    pub(crate) fn processor_time(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        // The second field is a name in parentheses.
        let fields: Vec<_> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
        fields[11..13].iter().map(|ticks| ticks.parse::<u64>().unwrap()).sum()
    }

    /// A number in the status that the system reports of the process; memory is in kB.
    pub(crate) fn status(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.unwrap().trim_end_matches("kB").trim().parse().unwrap()
    }

    /// The peak of the process's resident memory, in bytes.
    pub(crate) fn peak_memory(&self) -> u64 {
        self.status("VmHWM") << 10
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Replaces a number of the large networks by NaN, which aria does not need in English then.
fn break_leo(bundle: &Path) {
    let (prosody, manifest) = (bundle.join("prosody.safetensors"), bundle.join("bundle.json"));
    let mut bytes = std::fs::read(&prosody).unwrap();
    let (length, rest) = bytes.split_first_chunk_mut().unwrap();
    let (header, tensors) = rest.split_at_mut(u64::from_le_bytes(*length) as usize);
    let header: Value = serde_json::from_slice(header).unwrap();
    let place = header["pitch.output.bias"]["data_offsets"][0].as_u64().unwrap() as usize;
    tensors[place..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    let mut json: Value = serde_json::from_slice(&std::fs::read(&manifest).unwrap()).unwrap();
    for part in ["prosody", "vocoder"] {
        json["parts"][part]["aria"] = json!(["hi-IN"]);
    }
    let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    json["files"]["prosody.safetensors"]["sha256"] = digest.into();
    std::fs::write(prosody, bytes).unwrap();
    std::fs::write(manifest, fake_model::sealed(json)).unwrap();
}

fn launch(mut serve: Command, dir: &Path, options: &[&str]) -> (Child, SocketAddr) {
    let path = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    serve.args(["serve", "--listen", "127.0.0.1:0", "--json-logs"]);
    serve.args(["--keys", &path("keys")]);
    if !options.contains(&"--usage") {
        serve.args(["--usage", &path("usage.db")]);
    }
    // The core logs each completed inference.
    serve.env("RUST_LOG", "info,speech_acoustic=debug");
    if dir.join("voices").exists() {
        serve.args(["--bundle", &path("voices")]);
    }
    // On a busy machine nothing is rejected and no client is too slow, unless a test wants that.
    for option in ["--max-wait", "--read-timeout"] {
        if !options.contains(&option) {
            serve.args([option, "3600"]);
        }
    }
    let log = std::fs::OpenOptions::new().create(true).append(true).open(dir.join("log")).unwrap();
    let mut child = serve.args(options).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("listening on http://").unwrap_or_else(|| {
        panic!("it did not start: {}", std::fs::read_to_string(dir.join("log")).unwrap())
    });
    (child, address.parse().unwrap())
}

/// Far longer than anything takes, also beside other programs. Only tests that fail wait for it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(180);

/// Waits until a condition is true, and returns whether it became true.
pub(crate) fn until(mut so: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while !so() {
        if start.elapsed() > PATIENCE {
            return false;
        }
        thread::sleep(Duration::from_millis(10));
    }
    true
}
