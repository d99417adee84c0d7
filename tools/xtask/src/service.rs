//! Tests the HTTP service from outside: with the curl line that it prints, in a browser, against
//! its OpenAPI document, with OpenAI's packages, and with clients and telephone systems on the live
//! route.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use crate::bindings::fake_model;
use crate::prelude::*;
use crate::serve::Serve;

/// The last build of the service, started like [`Serve`] but at any free port. Dropping it stops
/// the service.
#[derive(Debug)]
pub(crate) struct Demonstration {
    child: Child,
    /// Its output: the address, a curl command, and the key.
    said: String,
}

impl Demonstration {
    /// Starts the service with the voices of a bundle.
    pub(crate) fn start(artifacts: &Artifacts, bundle: &Path, more: &[&str]) -> Result<Self> {
        let bundle = bundle.to_str().context("the path of the bundle is not UTF-8")?;
        let options = [&["--listen", "127.0.0.1:0", "--bundle", bundle], more].concat();
        let serve = Serve { options: options.into_iter().map(str::to_owned).collect() };
        let mut command = serve.command(artifacts)?;
        let mut child = command.stdout(Stdio::piped()).spawn().context("cannot run speech-http")?;
        let output =
            BufReader::new(child.stdout.take().context("speech-http has no standard output")?);
        let mut demonstration = Self { child, said: String::new() };
        for line in output.lines() {
            demonstration.said += &(line? + "\n");
            // The last line of the output has the address of the page.
            if demonstration.said.contains("open http") {
                return Ok(demonstration);
            }
        }
        bail!("the service did not start")
    }

    /// The address of the service.
    pub(crate) fn url(&self) -> Result<&str> {
        let url = self.said.lines().next().and_then(|line| line.strip_prefix("listening on "));
        url.context("the service printed no address")
    }

    pub(crate) fn key(&self) -> Result<&str> {
        self.said.split_whitespace().next_back().context("the service printed no key")
    }

    /// Runs the printed curl command in a folder, and checks the result.
    pub(crate) fn follow(&self, folder: &Path) -> Result<()> {
        let wav = folder.join("hello.wav");
        let line = self.said.split("\n\n").nth(1).context("the service printed no curl command")?;
        let mut shell = Command::new("sh");
        process::shown(shell.args(["-eu", "-c", line.trim()]).current_dir(folder))?;
        let bytes = fs::read(&wav)?;
        ensure!(
            bytes.starts_with(b"RIFF") && bytes.len() > 22_050,
            "the printed curl command wrote no speech"
        );
        Ok(())
    }
}

impl Drop for Demonstration {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the tests of the service that are not written in Rust.
pub(crate) fn test(artifacts: &Artifacts) -> Result<()> {
    let mut bundle = Command::new("service");
    let inputs = Inputs::new()?
        .command(artifacts.set_on(&mut bundle))
        .built(&workspace::release_program("speech-http"))?
        .sources(&["service"])?
        .shared()?
        .said_by(Command::new("node").arg("--version"))?;
    inputs.run("service", || run(artifacts))
}

fn run(artifacts: &Artifacts) -> Result<()> {
    let service = Demonstration::start(artifacts, artifacts.bundle(), &[])?;
    service.follow(&target().join("serve"))?;
    service.in_a_browser()?;
    drop(service);
    // These tests do not depend on the voices.
    let service = Demonstration::start(artifacts, &fake_model(), &[])?;
    service.against_its_document()?;
    drop(service);
    openai(artifacts)?;
    live(artifacts, 24)?;
    deployment(artifacts)
}

/// Tests the live route with published clients, and with this many calls through a bridge to
/// Twilio.
pub(crate) fn live(artifacts: &Artifacts, calls: u32) -> Result<()> {
    let mut pytest = pytest("live")?;
    // A busy machine rejects no call.
    let options = ["--cartesia", "--jambonz", "--max-wait", "3600"];
    let service = Demonstration::start(artifacts, &fake_model(), &options)?;
    process::shown(service.named_for(&mut pytest)?.env("CALLS", calls.to_string()))?;
    let mut node = Command::new("node");
    // Node 20 has the built-in WebSocket behind the switch, and newer ones ignore that.
    node.args(["--experimental-websocket", "--test"]).current_dir(node_tests("live-node")?);
    node.env("SPEECH_G711", root().join("core/api/src/encode/g711.rs"));
    process::shown(service.named_for(&mut node)?)
}

impl Demonstration {
    /// Sets the address of the service in the environment of a test program.
    pub(crate) fn named_for<'a>(&self, program: &'a mut Command) -> Result<&'a mut Command> {
        Ok(program.env("SPEECH_HTTP_URL", self.url()?).env("SPEECH_HTTP_KEY", self.key()?))
    }

    /// Requests everything that the OpenAPI document describes, and other things too.
    fn against_its_document(&self) -> Result<()> {
        let mut schemathesis = Command::new(venv("schema")?.program("schemathesis"));
        schemathesis.arg("run").arg(format!("{}/openapi.json", self.url()?));
        schemathesis.env("SPEECH_HTTP_KEY", self.key()?).env("PYTHONDONTWRITEBYTECODE", "1");
        schemathesis.env("HYPOTHESIS_STORAGE_DIRECTORY", target().join("hypothesis"));
        process::shown(schemathesis.current_dir(tests("schema")))
    }

    /// Tests the page in a browser from npm. The screenshots are under the target directory.
    fn in_a_browser(&self) -> Result<()> {
        let folder = node_tests("page")?;
        let mut node = Command::new("node");
        self.named_for(node.args(["--test", "page.test.js"]).current_dir(&folder))?;
        let shots = folder.join("shots");
        fs::create_dir_all(&shots)?;
        process::shown(node.env("SPEECH_HTTP_SHOTS", shots))
    }
}

/// Tests OpenAI's routes with its packages for Python and Node. The Python environment includes an
/// ffmpeg.
fn openai(artifacts: &Artifacts) -> Result<()> {
    let folder = node_tests("openai-node")?;
    let find = "import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())";
    let ffmpeg = process::text(venv("openai")?.python().args(["-c", find]))?;
    let options = ["--openai", "--ffmpeg", ffmpeg.trim()];
    let service = Demonstration::start(artifacts, artifacts.bundle(), &options)?;
    let readme = root().join("service/README.md");
    let mut pytest = pytest("openai")?;
    let mut node = Command::new("node");
    node.args(["--test", "openai.test.js"]).current_dir(&folder).env("SPEECH_HTTP_README", readme);
    process::shown(service.named_for(&mut pytest)?)?;
    process::shown(service.named_for(&mut node)?)
}

/// A folder of tests with its npm packages.
fn node_tests(name: &str) -> Result<PathBuf> {
    let folder = target().join(name);
    npm::install(&format!("packages for the tests {name}"), &tests(name), &folder)?;
    Ok(folder)
}

/// Tests the container and the systemd unit.
fn deployment(artifacts: &Artifacts) -> Result<()> {
    let mut pytest = pytest("deploy")?;
    pytest.env("SPEECH_HTTP_PROGRAM", workspace::release_program("speech-http"));
    process::shown(artifacts.set_on(&mut pytest))
}

/// Renders the chart with Helm, which Go compiles first, and reads the result as Kubernetes does.
pub(crate) fn chart() -> Result<()> {
    let mut go = Command::new("go");
    go.args(["test", "-count=1", "-timeout=1h", "./..."]).current_dir(tests("chart"));
    go.env("SPEECH_HTTP_PROGRAM", workspace::release_program("speech-http"));
    process::shown(go.env("SPEECH_PROGRAM", workspace::release_program("speech")))
}

/// Downloads the dependencies of the tests.
pub(crate) fn fetch() -> Result<()> {
    for name in ["schema", "deploy", "openai", "live"] {
        venv(name)?;
    }
    ["openai-node", "live-node", "page"].iter().try_for_each(|name| node_tests(name).map(drop))
}

/// The Python environment for a folder of tests.
fn venv(name: &str) -> Result<Venv> {
    let requirements = format!("service/tests/{name}/requirements.txt");
    let venv = Venv::named(format!("venv-{name}"), requirements);
    venv.ensure()?;
    Ok(venv)
}

/// The command that runs a folder of Python tests.
fn pytest(name: &str) -> Result<Command> {
    let mut pytest = venv(name)?.python();
    pytest.args(["-m", "pytest", "-p", "no:cacheprovider"]).arg(tests(name));
    pytest.env("PYTHONDONTWRITEBYTECODE", "1");
    Ok(pytest)
}

/// A folder of tests of the service.
fn tests(name: &str) -> PathBuf {
    root().join("service/tests").join(name)
}
