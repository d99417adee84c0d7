//! Property lists. Python writes them, whose standard library has what a crate and four more would be compiled for.

use std::io::Write as _;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::python;
use crate::workspace::Workspace;

/// A property list as XML, with its keys in the order of the alphabet.
pub(super) fn xml(workspace: &Workspace, value: &Value) -> Result<String> {
    let mut python = python::system()?;
    python.arg(workspace.xtask().join("plist.py")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = python.spawn().context("cannot run Python")?;
    let mut input = child.stdin.take().context("Python has no input")?;
    input.write_all(value.to_string().as_bytes()).context("cannot write to Python")?;
    drop(input);
    let output = child.wait_with_output().context("cannot wait for Python")?;
    ensure!(output.status.success(), "a property list could not be written");
    Ok(String::from_utf8(output.stdout)?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_of_every_kind() {
        let value = json!({"b": [true, {"c": "x & y"}], "a": []});
        let text = xml(&Workspace::find().unwrap(), &value).unwrap();
        assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist"));
        let text: String = text.split_whitespace().collect();
        let body = "<dict><key>a</key><array/><key>b</key><array><true/><dict><key>c</key><string>x&amp;y</string></dict></array></dict>";
        assert!(text.contains(body), "{text}");
    }
}
