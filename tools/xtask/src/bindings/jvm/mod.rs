//! Builds and tests the JVM packages as Maven and Gradle fetch them: the classes, the native
//! library of each platform, the voices, the functions for Kotlin, and a package that depends on
//! all of them. Some tests build projects as new users do.

mod android;
mod installed;
mod maven;
mod natives;

use std::env;
use std::ffi::OsString;

pub(crate) use self::android::Android;
pub(crate) use self::installed::{test, test_memory, test_newcomers, test_others, unpack};
pub(crate) use self::maven::{fetch, reference};
use super::{Make, show, small};
use crate::bindings::{MODULE, VOICES};
use crate::dist::{Platform, VERSION, published};
use crate::prelude::*;

/// The package of the classes; with classifiers, of the native libraries.
const SDK: &str = "libspeech-sdk";

/// The Maven group of all packages, as a path in a repository.
const GROUP: &str = "io/libspeech";

/// `cargo xtask jvm`: builds and checks the packages in a Maven repository, and prints their sizes.
pub(crate) fn make(make: &Make) -> Result<()> {
    let platforms = make.platforms()?;
    let _lock = Lock::of("jvm")?;
    for platform in &platforms {
        natives::stage(platform)?;
    }
    let mut profiles = platforms.iter().map(Platform::of_jvm).collect::<Result<Vec<_>>>()?;
    if !make.without_voices {
        natives::stage_voices()?;
        profiles.push("voices");
    }
    let mut inputs = Inputs::new()?.sources(&["bindings/jvm"])?;
    for stage in &profiles {
        inputs = inputs.built(&self::stage(stage))?;
    }
    let inputs = inputs.said_by(maven::program()?.arg("--version"))?;
    let repository = make.out.clone().unwrap_or_else(repository);
    inputs.make("jvm-packages", (&repository, &[".jar", ".pom"]), || {
        let repository = make.folder(repository.clone())?;
        deploy(&profiles, &repository)?;
        check(&repository, &platforms, !make.without_voices)
    })?;
    show(&jars(&repository)?)
}

/// Compiles the classes, and deploys all packages to the repository.
fn deploy(profiles: &[&str], repository: &Path) -> Result<()> {
    let mut mvn = maven::command()?;
    mvn.args(["--activate-profiles", &profiles.join(",")]);
    mvn.args(["-DskipTests", "-Dmaven.install.skip=true", "deploy"]);
    mvn.arg(format!("-DaltDeploymentRepository=made::file:{}", repository.display()));
    process::titled("packages for the JVM", &mut mvn)
}

/// Checks that all files exist and are within the size limits.
fn check(repository: &Path, platforms: &[Platform], voices: bool) -> Result<()> {
    for package in packages(platforms)?.iter().filter(|package| voices || !package.is_voices()) {
        for name in package.files() {
            let limit = if name.ends_with(NATIVE) { MODULE } else { VOICES };
            small(&repository.join(name), limit)?;
        }
    }
    Ok(())
}

/// A package with its Maven name.
struct Package {
    artifact: &'static str,
    /// The part of each file name after the version.
    endings: Vec<String>,
}

/// The end of the names of jars with native libraries; the classifier of a platform precedes it.
const NATIVE: &str = "64.jar";

impl Package {
    fn new(artifact: &'static str, file: &str) -> Self {
        let endings = [file, "-sources.jar", "-javadoc.jar", ".pom"];
        Package { artifact, endings: endings.map(str::to_owned).into() }
    }

    fn is_voices(&self) -> bool {
        self.artifact.contains("voices")
    }

    /// The paths of its files in a repository.
    fn files(&self) -> impl Iterator<Item = String> {
        self.endings.iter().map(|ending| file(self.artifact, ending))
    }
}

/// The path of a package's file in a repository; `ending` is the part of its name after the
/// version.
fn file(artifact: &str, ending: &str) -> String {
    format!("{GROUP}/{artifact}/{VERSION}/{artifact}-{VERSION}{ending}")
}

/// The class path of a Java program on this machine, from the repository.
pub(crate) fn class_path() -> Result<OsString> {
    let native = native_jar(&Platform::of_host()?)?;
    let jars = [(SDK, ".jar"), (SDK, &native), ("libspeech-sdk-voices", ".jar")];
    let jars = jars.map(|(artifact, ending)| repository().join(file(artifact, ending)));
    Ok(env::join_paths(jars)?)
}

/// The part after the version in the name of a platform's native jar.
fn native_jar(platform: &Platform) -> Result<String> {
    Ok(format!("-{}.jar", platform.of_jvm()?))
}

/// The packages for desktops and servers, with the native libraries of some platforms.
fn packages(platforms: &[Platform]) -> Result<Vec<Package>> {
    let mut sdk = Package::new(SDK, ".jar");
    for platform in platforms {
        sdk.endings.push(native_jar(platform)?);
    }
    let others = ["libspeech-sdk-kotlin", "libspeech-sdk-desktop", "libspeech-sdk-voices"];
    Ok([sdk].into_iter().chain(others.map(|artifact| Package::new(artifact, ".jar"))).collect())
}

/// The published files of a repository, with Maven's checksum files.
pub(crate) fn published_files() -> Result<Vec<String>> {
    let platforms: Vec<_> = published().into_iter().filter(Platform::has_modules).collect();
    let mut packages = packages(&platforms)?;
    packages.extend(android::packages());
    let mut files = Vec::new();
    for file in packages.iter().flat_map(Package::files) {
        files.extend(["", ".md5", ".sha1"].map(|ending| format!("{file}{ending}")));
    }
    Ok(files)
}

/// The jars of a repository.
fn jars(repository: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for artifact in listed(&repository.join(GROUP))? {
        found.extend(listed(&artifact.join(VERSION))?);
    }
    // One artifact consists of a POM alone.
    found.retain(|file| name_of(file).ends_with(".jar"));
    Ok(found)
}

/// The folder for building and testing.
fn folder() -> PathBuf {
    target().join("jvm")
}

/// The default folder of the packages; `--out` names another one.
pub(crate) fn repository() -> PathBuf {
    target().join("maven")
}

/// The folder in which the content of a package is assembled.
fn stage(name: &str) -> PathBuf {
    folder().join("stage").join(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str) -> String {
        fs::read_to_string(root().join("bindings/jvm").join(name)).unwrap()
    }

    #[test]
    fn the_packages_name_this_version() {
        let modules = ["sdk/", "kotlin/", "desktop/", "voices/", ""];
        let of_android = ["android/", "android-voices/", "android-example/", "android-emulated/"];
        for module in modules.into_iter().chain(of_android) {
            let pom = read(&format!("{module}pom.xml"));
            let version = pom.split("<version>").nth(1).unwrap().split('<').next().unwrap();
            assert_eq!(version, VERSION, "{module}pom.xml");
        }
    }

    #[test]
    fn every_platform_has_its_files() {
        let files = published_files().unwrap();
        for name in ["-javadoc.jar.sha1", "-windows-aarch64.jar", "-linux-musl-x86_64.jar.md5"] {
            let file = format!("{GROUP}/libspeech-sdk/{VERSION}/libspeech-sdk-{VERSION}{name}");
            assert!(files.contains(&file), "{file}");
        }
        let aar = format!("libspeech-sdk-voices-android-{VERSION}.aar");
        assert!(files.iter().any(|file| file.ends_with(&aar)), "{files:?}");
        assert_eq!(files.len(), 3 * (8 + 6 * 4));
    }

    #[test]
    fn there_is_a_profile_for_each_platform() {
        let platforms = published();
        let names: Vec<_> =
            platforms.iter().filter_map(|platform| platform.of_jvm().ok()).collect();
        assert_eq!(names.len(), 8);
        for module in ["sdk/pom.xml", "desktop/pom.xml"] {
            let pom = read(module);
            let profiles: Vec<_> =
                pom.split("<id>").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
            for name in &names {
                assert!(profiles.contains(name), "{module} has no profile {name}");
            }
        }
    }
}
