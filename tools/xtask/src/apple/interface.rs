//! Checks how Objective-C and Swift import the headers: Clang imports them as a module, as Xcode
//! does. Needs no Apple SDK.

use std::process::Stdio;

use serde_json::Value;

use super::{LIBRARY_HEADERS, write_headers};
use crate::needs::{self, require};
use crate::prelude::*;

/// Parses for an iPhone. Clang's own headers replace those of the C library.
const TARGET: [&str; 4] = ["-target", "arm64-apple-ios13.0", "-ffreestanding", "-nostdlibinc"];

/// All warnings except one that does not apply: `stdint.h` is a module only in an Apple SDK.
const WARNINGS: [&str; 3] = ["-Weverything", "-Wno-non-modular-include-in-module", "-Werror"];

/// Warnings about deliberate code in the examples.
const IN_EXAMPLES: [&str; 4] = [
    "-Wno-declaration-after-statement",
    "-Wno-direct-ivar-access",
    "-Wno-explicit-ownership-type",
    "-Wno-gnu-conditional-omitted-operand",
];

/// Checks the headers of this repository, and the examples.
pub(crate) fn check_sources() -> Result<()> {
    require(&[needs::CLANG])?;
    let tree = Tree::begin(&target().join("apple/interface"))?;
    write_headers(&tree, "")?;
    check(&tree.finish()?)
}

/// Checks the headers in a folder, and the examples against them.
pub(super) fn check(headers: &Path) -> Result<()> {
    let item = Item::start("the module, as Objective-C and Swift see it");
    let clang = Clang { headers };
    let tests = root().join("tests/apple");
    clang.accepts(&tests.join("interface.m"), &["-x", "objective-c"], &item)?;
    clang.accepts(&tests.join("interface.c"), &["-x", "c", "-std=c11"], &item)?;
    clang.refuses(&tests.join("interface.m"), "NULL_FOR_A_TEXT", "-Wnonnull")?;
    let example = root().join("examples/ios/Speaker.m");
    clang.accepts(&example, &[&["-x", "objective-c"], &IN_EXAMPLES[..]].concat(), &item)?;
    declarations(&clang.declarations()?)?;
    item.finish("");
    Ok(())
}

struct Clang<'a> {
    headers: &'a Path,
}

impl Clang<'_> {
    /// Parses a file that imports the module.
    fn command(&self, source: &Path, arguments: &[&str]) -> Command {
        let modules = target().join("apple/modules");
        let stubs = root().join("tests/apple/stubs");
        let mut clang = Command::new("clang");
        clang.args(TARGET).args(["-fsyntax-only", "-fobjc-arc", "-fmodules"]);
        clang.arg(format!("-fmodules-cache-path={}", modules.display()));
        clang.args(WARNINGS).args(arguments).arg("-I").arg(self.headers);
        clang.arg("-isystem").arg(stubs).arg(source);
        clang
    }

    fn accepts(&self, source: &Path, arguments: &[&str], item: &Item) -> Result<()> {
        process::quiet(&mut self.command(source, arguments), item)
            .with_context(|| format!("Clang rejects {}", source.display()))
    }

    /// Checks that Clang rejects `source` with this warning if the macro `spoiled` is defined.
    fn refuses(&self, source: &Path, spoiled: &str, warning: &str) -> Result<()> {
        let macro_of_it = format!("-D{spoiled}");
        let mut clang = self.command(source, &["-x", "objective-c", &macro_of_it]);
        let output = clang.output().context("cannot run clang")?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(
            !output.status.success() && errors.contains(warning),
            "Clang must reject {} with -D{spoiled} and print \"{warning}\"; it printed:\n{errors}",
            source.display()
        );
        Ok(())
    }

    /// Clang's syntax tree of the header, as JSON.
    fn declarations(&self) -> Result<Value> {
        let header = self.headers.join(LIBRARY_HEADERS).join("speech.h");
        let mut clang = Command::new("clang");
        clang.args(TARGET).args(["-fsyntax-only", "-Xclang", "-ast-dump=json"]);
        clang.args(["-x", "objective-c"]).arg(header);
        let output = clang.stderr(Stdio::inherit()).output().context("cannot run clang")?;
        serde_json::from_slice(&output.stdout)
            .context("cannot parse Clang's syntax tree of the header")
    }
}

/// Checks that every pointer declares its nullability, and that every enumeration is open and has a
/// Swift name.
fn declarations(tree: &Value) -> Result<()> {
    let (mut functions, mut enumerations) = (0, 0);
    let mut faults = Vec::new();
    for declaration in inner(tree) {
        let name = declaration["name"].as_str().unwrap_or_default();
        match kind(declaration) {
            "FunctionDecl" if name.starts_with("speech_") => {
                functions += 1;
                let parameters =
                    inner(declaration).iter().filter(|part| kind(part) == "ParmVarDecl");
                let unclear = parameters.filter(|part| is_unclear(&part["type"]["qualType"]));
                faults.extend(unclear.map(|part| format!("{name}: {}", part["name"])));
            }
            "EnumDecl" => {
                enumerations += 1;
                faults.extend(enumeration_faults(name, declaration));
            }
            _ => {}
        }
    }
    ensure!(
        functions > 100 && enumerations > 5,
        "Clang's syntax tree has only {functions} functions and {enumerations} enumerations"
    );
    ensure!(faults.is_empty(), "declarations of speech.h lack annotations for Swift: {faults:#?}");
    Ok(())
}

/// Whether a type is a pointer without a nullability annotation.
fn is_unclear(of_type: &Value) -> bool {
    let of_type = of_type.as_str().unwrap_or_default();
    of_type.contains('*') && !of_type.ends_with("_Nonnull") && !of_type.ends_with("_Nullable")
}

fn enumeration_faults(name: &str, declaration: &Value) -> Vec<String> {
    let has = |of: &Value, attribute: &str| inner(of).iter().any(|part| kind(part) == attribute);
    let mut faults = Vec::new();
    for attribute in ["EnumExtensibilityAttr", "SwiftNameAttr"] {
        if !has(declaration, attribute) {
            faults.push(format!("{name} has no {attribute}"));
        }
    }
    let values = inner(declaration).iter().filter(|part| kind(part) == "EnumConstantDecl");
    let unnamed = values.filter(|value| !has(value, "SwiftNameAttr"));
    faults.extend(unnamed.map(|value| format!("{} has no SwiftNameAttr", value["name"])));
    faults
}

fn inner(node: &Value) -> &[Value] {
    node["inner"].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn kind(node: &Value) -> &str {
    node["kind"].as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_swift_would_not_know_is_named() {
        let pointer = |text: &str| is_unclear(&json!(text));
        assert!(pointer("const speech_engine *") && pointer("speech_engine *_Nonnull *"));
        assert!(!pointer("int32_t") && !pointer("speech_engine ** _Nonnull"));

        let name = json!({"kind": "SwiftNameAttr"});
        let open = json!({"kind": "EnumExtensibilityAttr"});
        let value =
            |inner: &Value| json!({"kind": "EnumConstantDecl", "name": "A", "inner": [inner]});
        let faults = |parts: &[Value]| enumeration_faults("e", &json!({"inner": parts}));
        assert!(faults(&[name.clone(), open.clone(), value(&name)]).is_empty());
        assert_eq!(faults(&[name.clone(), value(&name)]).len(), 1);
        assert_eq!(faults(&[name.clone(), open.clone(), value(&open)]).len(), 1);
        assert!(declarations(&json!({"inner": []})).is_err(), "a header with nothing in it");
    }
}
