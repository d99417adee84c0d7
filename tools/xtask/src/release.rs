//! `cargo xtask release`: assembles the files of a version from the output folders of other
//! commands, by place of publication. It publishes nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::apple;
use crate::apple::package::{DOWNLOADING, DOWNLOADING_FILES, FRAMEWORK_ZIP, name_repository};
use crate::bindings::jvm;
use crate::bindings::python::wheel_name;
use crate::bindings::web;
use crate::dist::{self, VERSION, published};
use crate::prelude::*;

#[derive(Args)]
pub(crate) struct Release {
    /// The tag. It must match the version of this workspace, and CHANGELOG.md must have an entry for it. Without a tag, the
    /// release notes are the entries under `Unreleased`.
    #[arg(long, value_name = "vX.Y.Z")]
    tag: Option<String>,
    /// The public repository. Every npm package must name it, or npm rejects the provenance attestation.
    #[arg(long, value_name = "OWNER/NAME")]
    repository: Option<String>,
    /// The output directory, for the folders `pypi`, `npm`, `maven`, `swift` and `github` and the notes [default:
    /// target/release-files].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Only check the tag, the changelog and the named repository; assemble no files.
    #[arg(long)]
    check_only: bool,
}

impl Release {
    pub(crate) fn run(&self) -> Result<()> {
        let notes = self.notes()?;
        if let Some(repository) = &self.repository {
            check_sources(repository)?;
        }
        if self.check_only {
            println!("{notes}");
            return Ok(());
        }
        let parts = parts()?;
        let target = target();
        require(&parts, target)?;
        if let Some(repository) = &self.repository {
            check_packed(&parts, target, repository)?;
        }
        let out = match &self.out {
            Some(out) => std::path::absolute(out)?,
            None => target.join("release-files"),
        };
        check_checksums(target)?;
        for part in &parts {
            part.gather(target, &out)?;
        }
        if let Some(repository) = &self.repository {
            name_repository(&out.join(DOWNLOADING), repository)?;
        }
        let path = out.join("notes.md");
        fs::write(&path, notes + "\n")?;
        println!("{}", out.display());
        Ok(())
    }

    /// The changelog entry of this version, after checking the tag.
    fn notes(&self) -> Result<String> {
        let name = match &self.tag {
            Some(tag) => version_of(tag)?,
            None => "Unreleased",
        };
        let path = root().join("CHANGELOG.md");
        let changelog = fs::read_to_string(&path)?;
        let notes = section(&changelog, name).unwrap_or_default();
        ensure!(!notes.is_empty(), "CHANGELOG.md has no entries under the heading `## [{name}]`");
        Ok(notes)
    }
}

/// The version in a tag. It must be that of this workspace.
fn version_of(tag: &str) -> Result<&str> {
    match tag.strip_prefix('v') {
        Some(version) if version == VERSION => Ok(version),
        _ => bail!(
            "the tag {tag} does not match the version {VERSION} of the workspace: use v{VERSION}"
        ),
    }
}

/// The text under a heading of the changelog, up to the next heading or the links at the end.
fn section(changelog: &str, name: &str) -> Option<String> {
    let heading = format!("## [{name}]");
    let is_heading = |line: &str| {
        line.strip_prefix(&heading).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let is_end =
        |line: &str| line.starts_with("## ") || (line.starts_with('[') && line.contains("]: "));
    let mut lines = changelog.lines().skip_while(|line| !is_heading(line));
    lines.next()?;
    let body: Vec<_> = lines.take_while(|line| !is_end(line)).collect();
    Some(body.join("\n").trim().to_owned())
}

/// The files for one place of publication, in publishing order.
struct Part {
    /// The name of the place and of its folder.
    place: &'static str,
    /// The folder of the files under target.
    folder: &'static str,
    /// The command that creates them.
    command: &'static str,
    names: Vec<String>,
}

const PACKAGES: &str = "dist";
const MAKE_PACKAGES: &str = "cargo xtask dist --all && cargo xtask dist --all --without-voices && \
                             cargo xtask xcframework && cargo xtask web";

/// All published files of this version: PyPI, npm, Maven, Swift, and the release page.
fn parts() -> Result<[Part; 5]> {
    let (mut wheels, mut modules, mut archives) = (Vec::new(), Vec::new(), Vec::new());
    wheels.push(format!("libspeech_sdk_voices-{VERSION}-py3-none-any.whl"));
    for platform in published() {
        if platform.has_c_package() {
            let name = |with_voices| format!("{}.tar.gz", dist::name(&platform, with_voices));
            archives.extend([true, false].map(name));
        }
        if platform.has_modules() {
            wheels.push(wheel_name(&platform)?);
            modules.push(format!("libspeech-sdk-{}", platform.of_node()?));
        }
    }
    wheels.push(format!("libspeech_sdk-{VERSION}.tar.gz"));
    modules.extend(["libspeech-sdk-voices", web::NAME, "libspeech-sdk"].map(str::to_owned));
    let modules = modules.iter().map(|package| format!("{package}-{VERSION}.tgz")).collect();
    archives.extend(web::BUNDLES.map(web::voices_file));
    archives.extend([FRAMEWORK_ZIP.to_owned(), format!("{}.zip", apple::name(false, false))]);
    let swift = DOWNLOADING_FILES.map(str::to_owned).to_vec();
    let part = |place, folder, command, names| Part { place, folder, command, names };
    let npm = "cargo xtask npm --all && cargo xtask web";
    let maven = "cargo xtask jvm --all && cargo xtask android --without-tests";
    Ok([
        part("pypi", "wheels", "cargo xtask wheel --all", wheels),
        part(NPM, NPM, npm, modules),
        part("maven", "maven", maven, jvm::published_files()?),
        part(DOWNLOADING, "dist/swift", "cargo xtask xcframework", swift),
        part("github", PACKAGES, MAKE_PACKAGES, archives),
    ])
}

const NPM: &str = "npm";

impl Part {
    /// The files with their paths under the target directory.
    fn files(&self, target: &Path) -> impl Iterator<Item = (&str, PathBuf)> {
        let folder = target.join(self.folder);
        self.names.iter().map(move |name| (name.as_str(), folder.join(name)))
    }

    /// Copies the files to the folder of their place, and prints their total size.
    fn gather(&self, target: &Path, out: &Path) -> Result<()> {
        let tree = Tree::begin(&out.join(self.place))?;
        let mut digests = BTreeMap::new();
        let mut bytes = 0;
        for (name, file) in self.files(target) {
            bytes += fs::metadata(&file)?.len();
            digests.insert(name.to_owned(), digest::of_file(&file)?);
            // Prefers a hard link, which takes no space.
            let place = tree.path(name)?;
            fs::hard_link(&file, &place).or_else(|_| fs::copy(&file, &place).map(drop))?;
        }
        match self.place {
            NPM => tree.write("order.txt", &order(&self.names))?,
            "github" => tree.write("SHA256SUMS", &sums(&digests))?,
            _ => {}
        }
        let folder = tree.finish()?;
        println!("{} ({} files, {})", folder.display(), self.names.len(), megabytes(bytes));
        Ok(())
    }
}

/// Fails unless all files exist, and names each missing one.
fn require(parts: &[Part], target: &Path) -> Result<()> {
    let mut missing = Vec::new();
    let mut commands = BTreeSet::new();
    for part in parts {
        for (_, file) in part.files(target).filter(|(_, file)| !file.is_file()) {
            missing.push(format!("  {}", file.display()));
            commands.insert(part.command);
        }
    }
    ensure!(
        missing.is_empty(),
        "{} files of the release are missing:\n{}\nTo make them: {}",
        missing.len(),
        missing.join("\n"),
        commands.into_iter().collect::<Vec<_>>().join(" && ")
    );
    Ok(())
}

/// The checksum list in the format of `sha256sum --check`.
fn sums(digests: &BTreeMap<String, String>) -> String {
    digests.iter().map(|(name, digest)| format!("{digest}  {name}\n")).collect()
}

/// The packages with their files; dependencies come first.
fn order(names: &[String]) -> String {
    let line = |name: &String| {
        let package = name.trim_end_matches(&format!("-{VERSION}.tgz"));
        format!("{package}@{VERSION} {name}\n")
    };
    names.iter().map(line).collect()
}

/// Checks that the Swift and web packages contain the checksums of their downloads.
fn check_checksums(target: &Path) -> Result<()> {
    let folder = target.join(PACKAGES);
    let swift = folder.join(DOWNLOADING).join("Package.swift");
    let web = target.join(NPM).join(format!("{}-{VERSION}.tgz", web::NAME));
    let in_swift = fs::read_to_string(&swift)?;
    let in_web = String::from_utf8(packed(&web, web::RELEASE)?)?;
    let downloads = [(&swift, &in_swift, "checksum", FRAMEWORK_ZIP.to_owned(), "xcframework")];
    let voices = web::BUNDLES.map(|it| (&web, &in_web, "sha256", web::voices_file(it), "web"));
    for (package, text, key, name, command) in downloads.into_iter().chain(voices) {
        let checksum = digest::of_file(&folder.join(&name))?;
        ensure!(
            text.contains(&format!("{key}: \"{checksum}\"")),
            "{} has the checksum of another {name}: run `cargo xtask {command}`",
            package.display()
        );
    }
    Ok(())
}

/// Checks that the sources of the npm packages name the repository.
fn check_sources(repository: &str) -> Result<()> {
    let node = root().join("bindings/node");
    let web = root().join("bindings/web");
    for folder in [node.join("voices"), node, web] {
        let path = folder.join("package.json");
        let text = fs::read(&path)?;
        check_repository(&path, &text, repository)?;
    }
    Ok(())
}

/// Checks that the packed npm packages name the repository.
fn check_packed(parts: &[Part], target: &Path, repository: &str) -> Result<()> {
    let packages = parts.iter().filter(|part| part.place == NPM);
    for (_, file) in packages.flat_map(|part| part.files(target)) {
        check_repository(&file, &packed(&file, "package.json")?, repository)?;
    }
    Ok(())
}

/// A file of an npm package.
fn packed(package: &Path, file: &str) -> Result<Vec<u8>> {
    let mut tar = Command::new("tar");
    tar.arg("-xzOf").arg(package).arg(format!("package/{file}"));
    process::printed(&mut tar)
}

/// Checks the repository in a package description from this file.
fn check_repository(file: &Path, description: &[u8], repository: &str) -> Result<()> {
    let description: Value =
        serde_json::from_slice(description).with_context(|| file.display().to_string())?;
    let named = &description["repository"];
    let url = named["url"].as_str().or(named.as_str()).unwrap_or_default();
    let url = url.trim_end_matches(".git");
    ensure!(
        url.strip_suffix(repository).is_some_and(|rest| rest.ends_with("github.com/")),
        "{} names the repository {url:?} instead of {repository}, so npm would reject it. \
         Correct the `url` of `repository` in its package.json",
        file.display()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGELOG: &str = "\
# Changelog

## [Unreleased]

## [0.10.0] - 2026-02-01

### Added

- Ten.

## [0.1.0] - 2026-01-01

- One.

[0.1.0]: https://example.org
";

    #[test]
    fn entries_of_the_changelog() {
        assert_eq!(section(CHANGELOG, "0.10.0").as_deref(), Some("### Added\n\n- Ten."));
        assert_eq!(section(CHANGELOG, "0.1.0").as_deref(), Some("- One."));
        assert_eq!(section(CHANGELOG, "Unreleased").as_deref(), Some(""));
        assert_eq!(section(CHANGELOG, "0.1"), None);
        assert_eq!(section(CHANGELOG, "10.0"), None);
    }

    #[test]
    fn the_changelog_of_this_repository_is_read() {
        let path = root().join("CHANGELOG.md");
        assert!(section(&fs::read_to_string(path).unwrap(), "Unreleased").is_some());
    }

    #[test]
    fn a_tag_names_this_version() {
        assert_eq!(version_of(&format!("v{VERSION}")).unwrap(), VERSION);
        for tag in
            [VERSION, "v", "", "v99.0.0", &format!("v{VERSION}-rc1"), &format!("vv{VERSION}")]
        {
            let error = version_of(tag).unwrap_err().to_string();
            assert!(error.contains(&format!("v{VERSION}")), "{tag}: {error}");
        }
    }

    #[test]
    fn checksums_are_those_of_sha256sum() {
        let digests = [("b".to_owned(), "02".to_owned()), ("a".to_owned(), "01".to_owned())];
        assert_eq!(sums(&digests.into()), "01  a\n02  b\n");
    }

    #[test]
    fn every_platform_has_its_files() {
        let [wheels, packages, _, swift, archives] = parts().unwrap();
        assert_eq!((wheels.names.len(), packages.names.len(), archives.names.len()), (10, 11, 20));
        assert_eq!(swift.names.len(), 3);
        let all = [&wheels.names[..], &packages.names, &archives.names].concat();
        for name in [
            format!("libspeech_sdk-{VERSION}-cp311-abi3-win_arm64.whl"),
            format!("libspeech_sdk_voices-{VERSION}-py3-none-any.whl"),
            format!("libspeech_sdk-{VERSION}.tar.gz"),
            format!("libspeech-sdk-darwin-arm64-{VERSION}.tgz"),
            format!("libspeech-sdk-voices-{VERSION}.tgz"),
            format!("libspeech-sdk-web-{VERSION}.tgz"),
            format!("libspeech-{VERSION}-armv7-unknown-linux-gnueabihf.tar.gz"),
            format!("libspeech-{VERSION}-universal-apple-darwin.tar.gz"),
            "libspeech-voices-light.tar.gz".to_owned(),
            "LibSpeech.xcframework.zip".to_owned(),
            format!("libspeech-{VERSION}-apple.zip"),
            format!("libspeech-{VERSION}-x86_64-pc-windows-gnullvm-without-voices.tar.gz"),
        ] {
            assert!(all.contains(&name), "{name}");
        }
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
    }

    #[test]
    fn a_package_is_published_after_those_it_depends_on() {
        let [_, packages, ..] = parts().unwrap();
        let order = order(&packages.names);
        let last = order.lines().last().unwrap();
        assert_eq!(last, format!("libspeech-sdk@{VERSION} libspeech-sdk-{VERSION}.tgz"));
        assert!(order.contains(&format!("\nlibspeech-sdk-voices@{VERSION} ")), "{order}");
    }

    #[test]
    fn packages_have_the_checksums_of_what_they_download() {
        let scratch = tempfile::tempdir().unwrap();
        let target = scratch.path();
        let write = |path: PathBuf, text: &str| {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let dist = target.join("dist");
        write(dist.join(FRAMEWORK_ZIP), "abc");
        let checksum = format!("checksum: \"{}\"\n", digest::of_bytes(b"abc"));
        write(dist.join(DOWNLOADING).join("Package.swift"), &checksum);
        let mut known = String::new();
        for bundle in web::BUNDLES {
            write(dist.join(web::voices_file(bundle)), bundle);
            known += &format!("sha256: \"{}\"\n", digest::of_bytes(bundle.as_bytes()));
        }
        write(target.join("package").join(web::RELEASE), &known);
        fs::create_dir(target.join("npm")).unwrap();
        let packed = target.join("npm").join(format!("{}-{VERSION}.tgz", web::NAME));
        let mut tar = Command::new("tar");
        process::shown(tar.arg("-C").arg(target).arg("-czf").arg(packed).arg("package")).unwrap();
        check_checksums(target).unwrap();
        let files = web::BUNDLES.map(web::voices_file);
        let swift = (FRAMEWORK_ZIP.to_owned(), "cargo xtask xcframework");
        for (file, command) in
            files.map(|file| (file, "cargo xtask web")).into_iter().chain([swift])
        {
            let right = fs::read(dist.join(&file)).unwrap();
            fs::write(dist.join(&file), "another").unwrap();
            let error = check_checksums(target).unwrap_err().to_string();
            assert!(error.contains(&file) && error.contains(command), "{error}");
            fs::write(dist.join(&file), right).unwrap();
        }
    }

    #[test]
    fn what_is_missing_is_named_and_what_is_there_is_gathered() {
        let scratch = tempfile::tempdir().unwrap();
        let target = scratch.path();
        let names = ["one", "two"].map(|package| format!("{package}-{VERSION}.tgz"));
        let part = |names: &[String]| {
            let command = "cargo xtask npm --all";
            Part { place: NPM, folder: NPM, command, names: names.to_vec() }
        };
        fs::create_dir(target.join("npm")).unwrap();
        fs::write(target.join("npm").join(&names[0]), "abc").unwrap();
        let error = require(&[part(&names)], target).unwrap_err().to_string();
        assert!(error.contains(&names[1]) && !error.contains(&names[0]), "{error}");
        assert!(error.contains("cargo xtask npm --all"), "{error}");

        let part = part(&names[..1]);
        require(std::slice::from_ref(&part), target).unwrap();
        let out = target.join("out");
        for _ in 0..2 {
            part.gather(target, &out).unwrap();
        }
        assert_eq!(fs::read_to_string(out.join("npm").join(&names[0])).unwrap(), "abc");
        let order = fs::read_to_string(out.join("npm/order.txt")).unwrap();
        assert_eq!(order, format!("one@{VERSION} {}\n", names[0]));
    }

    #[test]
    fn a_package_names_its_repository() {
        let check =
            |json: &str| check_repository(Path::new("a.tgz"), json.as_bytes(), "o/libspeech");
        check(
            r#"{"repository": {"type": "git", "url": "git+https://github.com/o/libspeech.git"}}"#,
        )
        .unwrap();
        check(r#"{"repository": "https://github.com/o/libspeech"}"#).unwrap();
        for json in [
            "{}",
            r#"{"repository": "https://github.com/o/other"}"#,
            r#"{"repository": "https://github.com/oo/libspeech"}"#,
        ] {
            let error = check(json).unwrap_err().to_string();
            assert!(error.contains("a.tgz") && error.contains("o/libspeech"), "{error}");
        }
    }
}
