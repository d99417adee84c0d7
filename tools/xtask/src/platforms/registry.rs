//! A local npm registry with the built packages. npm selects among them as among published ones.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::prelude::*;

/// The server; dropping it stops the server.
pub(super) struct Registry {
    server: Child,
    /// The URL for npm.
    pub(super) address: String,
}

impl Registry {
    /// Writes the descriptions of the packages to a folder, and serves it.
    pub(super) fn start(packages: &[PathBuf], folder: PathBuf) -> Result<Self> {
        let folder = clear(folder)?;
        let mut server = python::system()?;
        server.args(["-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory"]);
        server.arg(&folder).arg("0").stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = server.spawn().context("cannot start Python's HTTP server")?;
        let printed = server.stdout.take().context("the HTTP server has no standard output")?;
        let mut line = String::new();
        BufReader::new(printed).read_line(&mut line)?;
        let address = line.split(['(', ')']).nth(1).unwrap_or_default();
        let registry = Registry { server, address: address.to_owned() };
        ensure!(address.starts_with("http://"), "the HTTP server printed no address: {line}");
        for package in packages {
            registry.add(package, &folder)?;
        }
        Ok(registry)
    }

    /// Copies a package, and describes its only version.
    fn add(&self, package: &Path, folder: &Path) -> Result<()> {
        let file = package.file_name().unwrap_or_default();
        fs::copy(package, folder.join(file))?;
        let file = file.to_string_lossy();
        let description = description(package, &format!("{}{file}", self.address))?;
        let name = description["name"].as_str().context("the package.json has no name")?;
        let path = folder.join(name);
        Ok(fs::write(&path, serde_json::to_vec(&description)?)?)
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The registry's description of a package.
fn description(package: &Path, address: &str) -> Result<Value> {
    let mut tar = Command::new("tar");
    let manifest = process::printed(tar.arg("-xzOf").arg(package).arg("package/package.json"))?;
    let mut manifest: Value = serde_json::from_slice(&manifest)
        .with_context(|| format!("{} has no package.json", package.display()))?;
    manifest["dist"] = json!({ "tarball": address });
    let (name, version) = (manifest["name"].clone(), manifest["version"].clone());
    let latest = version.as_str().context("the package.json has no version")?.to_owned();
    Ok(
        json!({ "name": name, "dist-tags": { "latest": version }, "versions": { latest: manifest } }),
    )
}
