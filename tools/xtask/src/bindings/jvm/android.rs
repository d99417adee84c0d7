//! Builds the packages for Android: an AAR of the Android-only classes and the native libraries,
//! and one of the voices. Tests the classes on Robolectric, and the native libraries on an emulated
//! processor (unidbg).

use super::{Package, file, folder, installed, maven, natives, repository, stage};
use crate::bindings::{VOICES, show, small, write_fake_model};
use crate::dist::pack;
use crate::dist::{Platform, VERSION, android};
use crate::needs::{Need, require};
use crate::prelude::*;
use crate::rust_tests;

/// The package of the classes and the native libraries; then the one of the voices.
const SDK: &str = "libspeech-sdk-android";
const ASSETS: &str = "libspeech-sdk-voices-android";

/// The maximum size in bytes of the package with three native libraries.
const LIBRARIES: u64 = 40_000_000;

/// The path of the voices among an app's assets.
const BUNDLE: &str = "assets/libspeech/voices.tar";

#[derive(Args)]
pub(crate) struct Android {
    /// Only test the existing packages.
    #[arg(long)]
    made: bool,
    /// Build the packages without testing them.
    #[arg(long, conflicts_with = "made")]
    without_tests: bool,
}

impl Android {
    /// `cargo xtask android`: builds the packages in the Maven repository, checks and tests them.
    pub(crate) fn run(&self) -> Result<()> {
        let platforms = android();
        require(&platforms.iter().map(|it| Need::Rust(it.triple())).collect::<Vec<_>>())?;
        let _lock = Lock::of("jvm")?;
        if !self.made {
            make()?;
        }
        if !self.without_tests {
            test(&Artifacts::ensure()?)?;
        }
        Ok(())
    }
}

fn make() -> Result<()> {
    let libraries = android().iter().map(natives::compile).collect::<Result<Vec<_>>>()?;
    package()?;
    let tree = begin(SDK, "android")?;
    tree.copy(&sources("android").join("proguard.txt"), "proguard.txt")?;
    for library in &libraries {
        let name = library.platform.of_android()?;
        let file = library.platform.built_module(natives::PACKAGE);
        tree.copy(&library.path, &format!("jni/{name}/{file}"))?;
        natives::document(library, &tree, name)?;
    }
    let sdk = finish(tree, SDK)?;
    let tree = begin(ASSETS, "android-voices")?;
    natives::write_voices(&tree, BUNDLE)?;
    let voices = finish(tree, ASSETS)?;
    small(&sdk, LIBRARIES)?;
    small(&voices, VOICES)?;
    show(&[sdk, voices])
}

/// Compiles the Android-only classes, with their sources and documentation.
fn package() -> Result<()> {
    let mut mvn = maven::command()?;
    mvn.args(["--activate-profiles", "android", "--also-make", "-DskipTests", "package"]);
    mvn.args(["--projects", "android,android-voices"]);
    process::titled("classes for Android", &mut mvn)
}

/// Creates the files that every Android package has.
fn begin(artifact: &str, module: &str) -> Result<Tree> {
    let tree = Tree::begin(&stage(artifact))?;
    let manifest = "AndroidManifest.xml";
    tree.copy(&sources(module).join(manifest), manifest)?;
    tree.copy(&made(artifact, ".jar"), "classes.jar")?;
    // The package has no resources; this file lists them.
    tree.write("R.txt", "")?;
    tree.write("META-INF/com/android/build/gradle/aar-metadata.properties", METADATA)?;
    Ok(tree)
}

/// The files of a module other than its classes.
fn sources(module: &str) -> PathBuf {
    root().join("bindings/jvm").join(module).join("src/main")
}

/// The requirements of Android's build tools, without additional ones.
const METADATA: &str = "aarFormatVersion=1.0\naarMetadataVersion=1.0\nminCompileSdk=23\n";

/// Packs a package and copies it to the repository.
fn finish(tree: Tree, artifact: &str) -> Result<PathBuf> {
    let content = tree.finish()?;
    let aar = made(artifact, ".aar");
    pack::pack_as(&content, aar.clone())?;
    if artifact == ASSETS {
        pack::recompress(&aar)?;
    }
    let mut mvn = maven::command()?;
    mvn.args(["--non-recursive", "deploy:deploy-file", "-DrepositoryId=made", "-Dpackaging=aar"]);
    mvn.arg(format!("-Durl=file:{}", repository().display()));
    mvn.arg(format!("-DpomFile={}", pom(artifact)?.display()));
    mvn.arg(format!("-Dfile={}", aar.display()));
    for kind in ["sources", "javadoc"] {
        let jar = made(artifact, &format!("-{kind}.jar"));
        mvn.arg(format!("-D{kind}={}", jar.display()));
    }
    process::titled(format!("deploying {artifact} to the local repository"), &mut mvn)?;
    Ok(published(artifact))
}

/// Writes the POM of a package, for Maven and Gradle.
fn pom(artifact: &str) -> Result<PathBuf> {
    let flattened = folder().join(artifact).join(".flattened-pom.xml");
    let pom = made(artifact, ".pom");
    let text = of_aar(&fs::read_to_string(&flattened)?);
    fs::write(&pom, text.with_context(|| flattened.display().to_string())?)?;
    Ok(pom)
}

/// Converts the POM of a jar to that of an AAR, and drops the dependency on Android's classes,
/// which apps have.
fn of_aar(pom: &str) -> Result<String> {
    let version = format!("<version>{VERSION}</version>\n");
    let (before, after) = pom.split_once(&version).context("the POM has no version")?;
    let mut text = format!("{before}{version}  <packaging>aar</packaging>\n{after}");
    if let Some(scope) = text.find("<scope>provided</scope>") {
        let begin = text[..scope]
            .rfind("    <dependency>")
            .context("the POM has a scope outside a dependency")?;
        let end = "</dependency>\n";
        let length =
            text[begin..].find(end).context("the POM has a dependency without an end tag")?
                + end.len();
        text.replace_range(begin..begin + length, "");
    }
    Ok(text)
}

/// The path of a file in the build folder of a package; `ending` is the part of its name after the
/// version.
fn made(artifact: &str, ending: &str) -> PathBuf {
    folder().join(artifact).join(format!("{artifact}-{VERSION}{ending}"))
}

/// The path of a package in the repository.
fn published(artifact: &str) -> PathBuf {
    repository().join(file(artifact, ".aar"))
}

/// The packages with their Maven names.
pub(super) fn packages() -> [Package; 2] {
    [SDK, ASSETS].map(|artifact| Package::new(artifact, ".aar"))
}

/// The names of the test classes.
const TESTS: [&str; 4] = [
    "io.libspeech.android.*Test",
    "com.example.speech.*Test",
    "AndroidPackageTest",
    "EmulatedAndroidTest",
];

/// Tests the classes, the example, and the package itself. Tests without Android use the native
/// library of this machine.
fn test(artifacts: &Artifacts) -> Result<()> {
    natives::stage(&Platform::of_host()?)?;
    rust_tests::build()?;
    write_fake_model()?;
    let mut mvn = installed::tests(artifacts)?;
    mvn.args(["--activate-profiles", "android", "--also-make", "test"]);
    mvn.args(["--projects", "android,android-example,android-emulated"]);
    // Another command runs the tests of the other modules, without Android.
    mvn.arg(format!("-Dtest={}", TESTS.join(",")));
    mvn.arg("-Dsurefire.failIfNoSpecifiedTests=false");
    // Apps find the voices in the same place.
    mvn.env("SPEECH_REFERENCE_BUNDLE", stage(ASSETS).join(BUNDLE));
    for artifact in [SDK, ASSETS] {
        mvn.arg(format!("-D{artifact}={}", published(artifact).display()));
    }
    process::shown(&mut mvn)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The build of an app must not rename identifiers that the native library looks up.
    #[test]
    fn the_rules_keep_what_the_library_calls() {
        let package = root().join("bindings/jvm");
        let read = |name: &str| fs::read_to_string(package.join(name)).unwrap();
        let rules = read("android/src/main/proguard.txt");
        let mut calls = 0;
        for file in fs::read_dir(package.join("src")).unwrap() {
            let source = fs::read_to_string(file.unwrap().path()).unwrap();
            for call in source.split("jni_str!(\"").skip(1) {
                let name = call.split('"').next().unwrap();
                assert!(rules.contains(&format!(" {name}(")), "{name}");
                calls += 1;
            }
        }
        assert_eq!(calls, 2);
        assert!(rules.contains("-keep class io.libspeech.Native {\n    native <methods>;"));
    }

    #[test]
    fn the_description_is_that_of_an_aar() {
        let dependency = |name: &str, scope: &str| {
            format!("    <dependency>\n      {name}<scope>{scope}</scope>\n    </dependency>\n")
        };
        let [sdk, android] = [("sdk", "compile"), ("android", "provided")]
            .map(|(name, scope)| dependency(name, scope));
        let head = format!("<project>\n  <version>{VERSION}</version>\n");
        let pom = format!("{head}  <dependencies>\n{sdk}{android}  </dependencies>\n</project>\n");
        assert_eq!(
            of_aar(&pom).unwrap(),
            format!(
                "{head}  <packaging>aar</packaging>\n  <dependencies>\n{sdk}  </dependencies>\n</project>\n"
            )
        );
        assert!(of_aar("<project/>").is_err());
    }
}
