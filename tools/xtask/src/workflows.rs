//! The workflows of the forge: what two linters say of them. They read files alone and need no network.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::process;
use crate::python::Venv;
use crate::workspace::Workspace;

/// Checks them with actionlint, for what the forge would refuse or misunderstand, and with zizmor, for what would let
/// strangers in.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let venv = venv(workspace);
    venv.ensure()?;
    let files = files(workspace)?;
    let mut actionlint = Command::new(venv.program("actionlint"));
    // Other linters are used where they happen to be installed: the result must not depend on that.
    actionlint.args(["-shellcheck=", "-pyflakes="]).args(&files);
    process::shown(actionlint.current_dir(workspace.root()))?;
    let mut zizmor = Command::new(venv.program("zizmor"));
    zizmor.args(["--offline", "--persona=auditor", "--no-progress", "--quiet"]).args(&files);
    process::shown(zizmor.current_dir(workspace.root()))
}

/// Downloads the linters.
pub(crate) fn fetch(workspace: &Workspace) -> Result<()> {
    venv(workspace).ensure()
}

fn venv(workspace: &Workspace) -> Venv {
    let requirements = workspace.xtask().join("requirements-workflows.txt");
    Venv::new(workspace, "venv-workflows", &requirements)
}

/// The workflows, in the order of their names.
fn files(workspace: &Workspace) -> Result<Vec<PathBuf>> {
    let folder = workspace.root().join(".github").join("workflows");
    let context = || format!("cannot read {}", folder.display());
    let entries = fs::read_dir(&folder).with_context(context)?;
    let mut files = entries
        .map(|entry| Ok(entry.with_context(context)?.path()))
        .collect::<Result<Vec<PathBuf>>>()?;
    files.retain(|path| path.extension().is_some_and(|ending| ending == "yml" || ending == "yaml"));
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::bindings::web;
    use crate::dist::platform::{ANDROID, IOS};
    use crate::dist::{PUBLISHED, Platform};

    #[test]
    fn they_install_rust_for_every_platform_that_is_compiled() {
        let workspace = Workspace::find().unwrap();
        let path = workspace.root().join(".github").join("workflows").join("packages.yml");
        let text = fs::read_to_string(path).unwrap();
        let (_, targets) = text.split_once("TARGETS: >-\n").unwrap();
        let lines = targets.lines().take_while(|line| line.starts_with("    "));
        let named: Vec<_> = lines.flat_map(str::split_whitespace).collect();
        let platforms = PUBLISHED.map(|triple| Platform::named(triple).unwrap().parts().unwrap());
        let compiled = platforms.iter().filter_map(|parts| match &parts[..] {
            [part] => Some(part.triple()),
            _ => None,
        });
        let web = web::BUILDS.iter().map(|build| build.target).collect::<BTreeSet<_>>();
        assert_eq!(named, compiled.chain(ANDROID).chain(IOS).chain(web).collect::<Vec<_>>());
    }

    #[test]
    fn they_are_found() {
        let files = files(&Workspace::find().unwrap()).unwrap();
        let names: Vec<_> = files.iter().filter_map(|path| path.file_name()?.to_str()).collect();
        assert_eq!(names, ["ci.yml", "packages.yml", "release.yml"]);
    }
}
