//! Writes the SBOM of a package, a CycloneDX document. It contains no time and no random number, so
//! that it is reproducible.

use serde_json::{Value, json};

use super::packages::{Id, Package, Packages};
use super::platform::Platform;
use super::{VERSION, toolchain};
use crate::download::Source;
use crate::prelude::*;

const LIBRARY: &str = "libspeech";
const VOICES: &str = "libspeech-voices";

/// The input of an SBOM.
#[derive(Debug)]
struct Contents<'a> {
    triple: &'a str,
    /// The name in the package, and the path.
    libraries: Vec<(String, PathBuf)>,
    packages: &'a Packages,
    parts: Vec<Part>,
    /// The manifest of the voice bundle, and the sources of the bundle.
    voices: Option<(&'a Path, &'a [Source])>,
}

/// A component of the package other than a Rust package.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) version: String,
    pub(crate) purl: String,
    pub(crate) licence: &'static str,
    /// The path of the license text, and its file name in packages.
    pub(crate) text: (PathBuf, &'static str),
}

/// The SBOM of a package with libraries in a tree, and optionally the voices.
pub(crate) fn of_package(
    tree: &Tree,
    triple: &str,
    libraries: &[String],
    packages: &Packages,
    parts: Vec<Part>,
    voices: Option<&Bundle>,
) -> Result<String> {
    let sources = download::sources()?;
    let paths = libraries.iter().map(|name| Ok((name.clone(), tree.path(name)?)));
    let libraries = paths.collect::<Result<Vec<_>>>()?;
    let description = voices.map(|bundle| bundle.directory().join("bundle.json"));
    let voices = description.as_deref().map(|description| (description, &sources[..]));
    Contents { triple, libraries, packages, parts, voices }.document()
}

/// The SBOM of a package that contains only a native module.
pub(crate) fn of_module(platform: &Platform, packages: &Packages) -> Result<String> {
    of_target(platform.triple(), toolchain::parts(platform)?, packages)
}

/// The SBOM of a module for a target triple, with other compiled components.
pub(crate) fn of_target(triple: &str, parts: Vec<Part>, packages: &Packages) -> Result<String> {
    Contents { triple, libraries: Vec::new(), packages, parts, voices: None }.document()
}

impl Contents<'_> {
    fn document(&self) -> Result<String> {
        let mut direct: Vec<_> = self.packages.roots.iter().map(reference).collect();
        // Each component, and the references to its dependencies.
        let mut listed: Vec<(Value, Vec<String>)> = Vec::new();
        for (id, package) in &self.packages.all {
            let on = package.dependencies.iter().map(reference).collect();
            listed.push((rust_package(id, package), on));
        }
        for Part { name, version, purl, licence, .. } in &self.parts {
            direct.push(purl.clone());
            let mut part = component("library", purl, name, version, licence);
            part["purl"] = purl.as_str().into();
            listed.push((part, Vec::new()));
        }
        if let Some((description, sources)) = self.voices {
            direct.push(VOICES.to_owned());
            let (kind, licence) = ("machine-learning-model", "Apache-2.0 AND MIT");
            let mut voices = component(kind, VOICES, VOICES, VERSION, licence);
            // The manifest contains the digests of the bundle's files.
            voices["hashes"] = hashes(&digest::of_file(description)?);
            listed.push((voices, sources.iter().map(purl).collect()));
            listed.extend(sources.iter().map(|source| (data(source), Vec::new())));
        }
        let dependency = |of: &str, on: &[String]| json!({"ref": of, "dependsOn": on});
        let of_listed = |(component, on): &(Value, Vec<String>)| {
            dependency(component["bom-ref"].as_str().unwrap_or_default(), on)
        };
        let mut dependencies: Vec<_> = listed.iter().map(of_listed).collect();
        dependencies.push(dependency(LIBRARY, &direct));
        let components: Vec<_> = listed.into_iter().map(|(component, _)| component).collect();
        let library = self.library()?;
        let content = json!([library, components, dependencies]);
        let document = json!({
            "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
            "bomFormat": "CycloneDX",
            "specVersion": "1.6",
            "serialNumber": serial_number(&content.to_string()),
            "version": 1,
            "metadata": {
                "lifecycles": [{"phase": "build"}],
                "component": library,
                "properties": [{"name": "libspeech:target", "value": self.triple}],
            },
            "components": components,
            "dependencies": dependencies,
        });
        Ok(format!("{document:#}\n"))
    }

    fn library(&self) -> Result<Value> {
        let file = |(name, path): &(String, PathBuf)| -> Result<Value> {
            Ok(json!({"type": "file", "name": name, "hashes": hashes(&digest::of_file(path)?)}))
        };
        let files = self.libraries.iter().map(file).collect::<Result<Vec<_>>>()?;
        let mut library = component("library", LIBRARY, LIBRARY, VERSION, "MIT OR Apache-2.0");
        library["description"] = "Speech synthesis on the CPU, offline".into();
        library["components"] = files.into();
        Ok(library)
    }
}

fn component(kind: &str, reference: &str, name: &str, version: &str, licence: &str) -> Value {
    json!({
        "type": kind,
        "bom-ref": reference,
        "name": name,
        "version": version,
        "licenses": [{"expression": licence}],
    })
}

fn reference((name, version): &Id) -> String {
    format!("pkg:cargo/{name}@{}", version.replace('+', "%2B"))
}

/// The component of a Rust package. A package of this repository is unpublished and has no package
/// URL.
fn rust_package(id: &Id, package: &Package) -> Value {
    let reference = reference(id);
    let mut component = component("library", &reference, &id.0, &id.1, &package.licence);
    if let Some(checksum) = &package.checksum {
        component["purl"] = reference.into();
        component["hashes"] = hashes(checksum);
    }
    component
}

fn data(source: &Source) -> Value {
    let (purl, name) = (purl(source), source.package().0);
    let mut component = component("data", &purl, name, &source.version, &source.license);
    component["description"] = source.name.as_str().into();
    component["purl"] = purl.into();
    component["hashes"] = hashes(&source.sha256);
    component
}

fn purl(source: &Source) -> String {
    let (package, registry) = source.package();
    format!("pkg:{}/{package}@{}", registry.to_lowercase(), source.version)
}

fn hashes(sha256: &str) -> Value {
    json!([{"alg": "SHA-256", "content": sha256}])
}

/// A UUID of version 8, whose content the application defines: here, a digest of `content`.
fn serial_number(content: &str) -> String {
    let digest = digest::of_bytes(content.as_bytes());
    let [a, b, c, d, e] = [0..8, 8..12, 13..16, 17..20, 20..32].map(|range| &digest[range]);
    format!("urn:uuid:{a}-{b}-8{c}-8{d}-{e}")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::PathBuf;

    use super::*;

    fn package(dependencies: &[&str], checksum: Option<&str>) -> Package {
        Package {
            licence: "MIT".to_owned(),
            directory: PathBuf::new(),
            checksum: checksum.map(str::to_owned),
            dependencies: dependencies.iter().map(|name| id(name)).collect(),
        }
    }

    fn id(name: &str) -> Id {
        (name.to_owned(), "1.0.0".to_owned())
    }

    fn document(with_voices: bool) -> (String, Value) {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("file");
        fs::write(&file, "abc").unwrap();
        let packages = Packages {
            all: [
                (id("core"), package(&["half"], None)),
                (id("half"), package(&[], Some(&"ab".repeat(32)))),
            ]
            .into(),
            roots: [id("core")].into(),
        };
        let source = json!({"file": "voices.tgz", "name": "Voices", "license": "Apache-2.0",
                            "package": "voices (npm)", "version": "1.2.1", "sha256": "cd".repeat(32)});
        let source = serde_json::from_value(source).unwrap();
        let sources = [source];
        let part = Part {
            name: "Rust standard library",
            version: "1.95.0".to_owned(),
            purl: "pkg:generic/rust-std@1.95.0".to_owned(),
            licence: "MIT",
            text: (PathBuf::new(), "rust-standard-library.html"),
        };
        let contents = Contents {
            triple: "x86_64-unknown-linux-gnu",
            libraries: vec![("lib/libspeech.a".to_owned(), file.clone())],
            packages: &packages,
            parts: vec![part],
            voices: with_voices.then_some((file.as_path(), &sources[..])),
        };
        let text = contents.document().unwrap();
        let value = serde_json::from_str(&text).unwrap();
        (text, value)
    }

    fn strings<'a>(list: &'a Value, key: &str) -> BTreeSet<&'a str> {
        list.as_array().unwrap().iter().filter_map(|entry| entry[key].as_str()).collect()
    }

    #[test]
    fn everything_that_is_depended_on_is_listed() {
        for with_voices in [true, false] {
            let (_, document) = document(with_voices);
            let mut listed = strings(&document["components"], "bom-ref");
            assert_eq!(listed.contains("pkg:npm/voices@1.2.1"), with_voices);
            listed.insert(LIBRARY);
            assert_eq!(strings(&document["dependencies"], "ref"), listed);
            let dependencies = document["dependencies"].as_array().unwrap();
            for reference in dependencies.iter().flat_map(|d| d["dependsOn"].as_array().unwrap()) {
                assert!(listed.contains(reference.as_str().unwrap()), "{reference}");
            }
        }
    }

    #[test]
    fn only_published_packages_have_an_url() {
        let (_, document) = document(true);
        let urls = strings(&document["components"], "purl");
        let expected =
            ["pkg:cargo/half@1.0.0", "pkg:npm/voices@1.2.1", "pkg:generic/rust-std@1.95.0"];
        assert_eq!(urls, expected.into());
    }

    #[test]
    fn the_same_package_has_the_same_list() {
        let (text, value) = document(true);
        assert_eq!(text, document(true).0);
        let other = document(false).1;
        assert_ne!(value["serialNumber"], other["serialNumber"]);
        assert_eq!(value["serialNumber"].as_str().unwrap().len(), "urn:uuid:".len() + 36);
    }
}
