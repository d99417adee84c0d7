//! The JVM packages as Maven and Gradle fetch them: the classes, the native library of each platform, the voices, the functions
//! for Kotlin, and one package that brings all of them. And their tests, some of which build projects as strangers build them.

mod android;
mod installed;
mod maven;
mod natives;
mod voices;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Make, clear, show, small};
use crate::bindings::{MODULE, VOICES};
use crate::cache::Cache;
use crate::dist::{Platform, VERSION};
use crate::lock::Lock;
use crate::process;
use crate::progress::Item;
use crate::workspace::Workspace;

pub(crate) use self::android::Android;
pub(crate) use self::installed::{test, test_memory, test_newcomers, test_others};
pub(crate) use self::maven::fetch;

/// Maven's name of the group of all packages, as folders of a repository.
const GROUP: &str = "io/libspeech";

/// `cargo xtask jvm`: makes and checks the packages in a folder that is a repository of Maven, and shows their sizes.
pub(crate) fn make(make: &Make, workspace: &Workspace, cache: &Cache) -> Result<()> {
    let platforms = make.platforms()?;
    let _lock = Lock::acquire(&workspace.target().join("jvm.lock"))?;
    for platform in &platforms {
        natives::stage(workspace, platform)?;
    }
    let mut profiles = platforms.iter().map(Platform::of_jvm).collect::<Result<Vec<_>>>()?;
    if !make.without_voices {
        voices::stage(workspace, cache)?;
        profiles.push("voices".to_owned());
    }
    let repository = make.folder(repository(workspace))?;
    deploy(workspace, &profiles, &repository)?;
    check(&repository, &platforms, !make.without_voices)?;
    show(&jars(&repository)?)
}

/// Compiles the classes, and puts all packages into the repository.
fn deploy(workspace: &Workspace, profiles: &[String], repository: &Path) -> Result<()> {
    let item = Item::start("packages for the JVM");
    let mut mvn = maven::command(workspace)?;
    mvn.args(["--activate-profiles", &profiles.join(",")]);
    mvn.args(["-DskipTests", "-Dmaven.install.skip=true", "deploy"]);
    mvn.arg(format!("-DaltDeploymentRepository=made::file:{}", repository.display()));
    process::quiet(&mut mvn, &item)?;
    item.finish("");
    Ok(())
}

/// Checks that everything is there, and not larger than it should be.
fn check(repository: &Path, platforms: &[Platform], voices: bool) -> Result<()> {
    let group = repository.join(GROUP);
    let jar = |artifact: &str, classifier: &str| {
        let folder = group.join(artifact).join(VERSION);
        folder.join(format!("{artifact}-{VERSION}{classifier}.jar"))
    };
    for platform in platforms {
        small(&jar("libspeech-sdk", &format!("-{}", platform.of_jvm()?)), MODULE)?;
    }
    let mut artifacts = vec!["libspeech-sdk", "libspeech-sdk-kotlin", "libspeech-sdk-desktop"];
    if voices {
        artifacts.push("libspeech-sdk-voices");
    }
    for artifact in artifacts {
        for classifier in ["", "-sources", "-javadoc"] {
            small(&jar(artifact, classifier), VOICES)?;
        }
    }
    Ok(())
}

/// The jars of a repository.
fn jars(repository: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let group = repository.join(GROUP);
    for artifact in fs::read_dir(&group).with_context(|| group.display().to_string())? {
        let folder = artifact?.path().join(VERSION);
        for file in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            found.push(file?.path());
        }
    }
    found.retain(|file| file.extension().is_some_and(|ending| ending == "jar"));
    found.sort();
    Ok(found)
}

/// Where everything is put together and tested.
fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target().join("jvm")
}

/// Where the packages are, unless somebody wants them elsewhere.
pub(crate) fn repository(workspace: &Workspace) -> PathBuf {
    workspace.target().join("maven")
}

/// Where what goes into a package is put together.
fn stage(workspace: &Workspace, name: &str) -> PathBuf {
    folder(workspace).join("stage").join(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::published;

    fn read(name: &str) -> String {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings/jvm");
        fs::read_to_string(root.join(name)).unwrap()
    }

    #[test]
    fn the_packages_name_this_version() {
        for module in ["", "sdk/", "kotlin/", "desktop/", "voices/"] {
            let pom = read(&format!("{module}pom.xml"));
            let version = pom.split("<version>").nth(1).unwrap().split('<').next().unwrap();
            assert_eq!(version, VERSION, "{module}pom.xml");
        }
    }

    #[test]
    fn there_is_a_profile_for_each_platform() {
        let platforms = published().unwrap();
        let names: Vec<_> =
            platforms.iter().filter_map(|platform| platform.of_jvm().ok()).collect();
        assert_eq!(names.len(), 8);
        for module in ["sdk/pom.xml", "desktop/pom.xml"] {
            let pom = read(module);
            let profiles: Vec<_> =
                pom.split("<id>").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
            for name in &names {
                assert!(profiles.contains(&name.as_str()), "{module} has no profile {name}");
            }
        }
    }
}
