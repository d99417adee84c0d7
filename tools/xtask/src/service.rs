//! The HTTP service as strangers meet it: tried by the line that it prints, by a browser, by what reads its OpenAPI
//! document, by OpenAI's packages, and by clients and telephone systems over the live route.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use crate::bindings::fake_model;
use crate::prelude::*;
use crate::serve::Serve;

/// The service that was built last, started as [`Serve`] does it but at any free port, and stopped when this is dropped.
#[derive(Debug)]
pub(crate) struct Demonstration {
    child: Child,
    /// What it printed: where it listens, a line of curl, and the key.
    said: String,
}

impl Demonstration {
    /// Starts it with the voices of a bundle.
    pub(crate) fn start(artifacts: &Artifacts, bundle: &Path, more: &[&str]) -> Result<Self> {
        let bundle = bundle.to_str().context("the path of the bundle is not UTF-8")?;
        let options = [&["--listen", "127.0.0.1:0", "--bundle", bundle], more].concat();
        let serve = Serve { options: options.into_iter().map(str::to_owned).collect() };
        let mut command = serve.command(artifacts)?;
        let mut child = command.stdout(Stdio::piped()).spawn().context("cannot run speech-http")?;
        let output = BufReader::new(child.stdout.take().context("it has no output")?);
        let mut demonstration = Self { child, said: String::new() };
        for line in output.lines() {
            demonstration.said += &(line? + "\n");
            // The last line is that of the page.
            if demonstration.said.contains("open http") {
                return Ok(demonstration);
            }
        }
        bail!("the service did not start")
    }

    /// Where it listens.
    pub(crate) fn url(&self) -> Result<&str> {
        let url = self.said.lines().next().and_then(|line| line.strip_prefix("listening on "));
        url.context("the service does not say where it listens")
    }

    pub(crate) fn key(&self) -> Result<&str> {
        self.said.split_whitespace().next_back().context("the service shows no key")
    }

    /// Runs the line that people are shown, in a folder, and looks at what it brings.
    pub(crate) fn follow(&self, folder: &Path) -> Result<()> {
        let wav = folder.join("hello.wav");
        let line = self.said.split("\n\n").nth(1).context("the service shows no line of curl")?;
        let mut shell = Command::new("sh");
        process::shown(shell.args(["-eu", "-c", line.trim()]).current_dir(folder))?;
        let bytes = fs::read(&wav)?;
        ensure!(
            bytes.starts_with(b"RIFF") && bytes.len() > 22_050,
            "the line of curl does not speak"
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

/// The tests of the service that are not in Rust.
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
    // What is spoken does not matter here.
    let service = Demonstration::start(artifacts, &fake_model(), &[])?;
    service.against_its_document()?;
    drop(service);
    openai(artifacts)?;
    live(artifacts, 24)?;
    deployment(artifacts)
}

/// The live route, by clients that people have, and by so many calls through a bridge to Twilio.
pub(crate) fn live(artifacts: &Artifacts, calls: u32) -> Result<()> {
    let venv = venv("live");
    venv.ensure()?;
    let options = ["--cartesia", "--jambonz"];
    let service = Demonstration::start(artifacts, &fake_model(), &options)?;
    let mut pytest = venv.python();
    pytest.args(["-m", "pytest", "-p", "no:cacheprovider"]).arg(tests("live"));
    service.named_for(&mut pytest)?.env("CALLS", calls.to_string());
    process::shown(pytest.env("PYTHONDONTWRITEBYTECODE", "1"))?;
    let mut node = Command::new("node");
    node.args(["--test", "cartesia.test.cjs"]).current_dir(cartesia_for_node()?);
    process::shown(service.named_for(&mut node)?)
}

impl Demonstration {
    /// Tells a program of tests where it is.
    pub(crate) fn named_for<'a>(&self, program: &'a mut Command) -> Result<&'a mut Command> {
        Ok(program.env("SPEECH_HTTP_URL", self.url()?).env("SPEECH_HTTP_KEY", self.key()?))
    }

    /// Asks for all that the OpenAPI document describes, and for what it does not.
    fn against_its_document(&self) -> Result<()> {
        let venv = venv("schema");
        venv.ensure()?;
        let mut schemathesis = Command::new(venv.program("schemathesis"));
        schemathesis.arg("run").arg(format!("{}/openapi.json", self.url()?));
        schemathesis.env("SPEECH_HTTP_KEY", self.key()?).env("PYTHONDONTWRITEBYTECODE", "1");
        schemathesis.env("HYPOTHESIS_STORAGE_DIRECTORY", target().join("hypothesis"));
        process::shown(schemathesis.current_dir(tests("schema")))
    }

    /// Drives the page in a browser, which npm brings. The pictures are under the target directory.
    fn in_a_browser(&self) -> Result<()> {
        let folder = browser()?;
        let mut node = Command::new("node");
        self.named_for(node.args(["--test", "page.test.js"]).current_dir(&folder))?;
        let shots = folder.join("shots");
        fs::create_dir_all(&shots)?;
        process::shown(node.env("SPEECH_HTTP_SHOTS", shots))
    }
}

/// OpenAI's routes, by its packages for Python and Node. An ffmpeg comes with the former.
fn openai(artifacts: &Artifacts) -> Result<()> {
    let (venv, folder) = (venv("openai"), openai_for_node()?);
    venv.ensure()?;
    let find = "import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())";
    let ffmpeg = process::text(venv.python().args(["-c", find]))?;
    let options = ["--openai", "--ffmpeg", ffmpeg.trim()];
    let service = Demonstration::start(artifacts, artifacts.bundle(), &options)?;
    let readme = root().join("service/README.md");
    let mut pytest = venv.python();
    pytest.args(["-m", "pytest", "-p", "no:cacheprovider"]).arg(tests("openai"));
    let mut node = Command::new("node");
    node.args(["--test", "openai.test.js"]).current_dir(&folder).env("SPEECH_HTTP_README", readme);
    for command in [&mut pytest, &mut node] {
        process::shown(service.named_for(command)?.env("PYTHONDONTWRITEBYTECODE", "1"))?;
    }
    Ok(())
}

/// A folder with the tests of OpenAI's routes in Node, and the package that they need.
fn openai_for_node() -> Result<PathBuf> {
    let folder = target().join("openai-node");
    npm::install("the openai package", &tests("openai-node"), &folder)?;
    Ok(folder)
}

/// A folder with the tests of Cartesia's protocol in Node, and the packages that they need.
fn cartesia_for_node() -> Result<PathBuf> {
    let folder = target().join("cartesia-node");
    npm::install("the cartesia package", &tests("cartesia-node"), &folder)?;
    Ok(folder)
}

/// The container and the unit.
fn deployment(artifacts: &Artifacts) -> Result<()> {
    let venv = venv("deploy");
    venv.ensure()?;
    let mut pytest = venv.python();
    pytest.args(["-m", "pytest", "-p", "no:cacheprovider"]).arg(tests("deploy"));
    pytest.env("SPEECH_HTTP_PROGRAM", workspace::release_program("speech-http"));
    process::shown(artifacts.set_on(pytest.env("PYTHONDONTWRITEBYTECODE", "1")))
}

/// Downloads what the tests need.
pub(crate) fn fetch() -> Result<()> {
    venv("schema").ensure()?;
    venv("deploy").ensure()?;
    venv("openai").ensure()?;
    venv("live").ensure()?;
    openai_for_node()?;
    cartesia_for_node()?;
    browser().map(drop)
}

/// The Python environment of a folder of tests.
fn venv(name: &str) -> Venv {
    Venv::named(format!("venv-{name}"), format!("service/tests/{name}/requirements.txt"))
}

/// A folder with the tests of the page, and the browser that they need.
fn browser() -> Result<PathBuf> {
    let folder = target().join("page");
    npm::install("a browser for the page", &tests("page"), &folder)?;
    Ok(folder)
}

/// A folder of tests of the service.
fn tests(name: &str) -> PathBuf {
    root().join("service/tests").join(name)
}
