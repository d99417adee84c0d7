//! Checks the privacy manifest, which gives Apple the reason for each use of a restricted function.
//!
//! The restricted functions are those of Apple's list "Describing use of required reason API". The
//! imports of the libraries show which of them are used, as in Apple's own check of apps. The
//! library reads the size and the times of the voice files, to detect changes since they were
//! verified. The reason `C617.1` permits that for files in the app's container.

use std::collections::BTreeSet;

use crate::prelude::*;

/// The manifest among the sources of the Swift package.
pub(super) const MANIFEST: &str = "Sources/LibSpeechPrivacy/PrivacyInfo.xcprivacy";

/// The categories, with their restricted functions and classes.
const CATEGORIES: [(&str, &str); 5] = [
    (
        "FileTimestamp",
        "stat fstat fstatat lstat getattrlist fgetattrlist getattrlistat getattrlistbulk",
    ),
    ("SystemBootTime", "mach_absolute_time"),
    ("DiskSpace", "statfs statvfs fstatfs fstatvfs getattrlist fgetattrlist getattrlistat"),
    ("ActiveKeyboards", "OBJC_CLASS_$_UITextInputMode"),
    ("UserDefaults", "OBJC_CLASS_$_NSUserDefaults"),
];

/// Fails unless the manifest declares exactly the categories in use. After a failure somebody must
/// find out why the function is called, and choose a reason.
pub(super) fn check(manifest: &str, imports: &BTreeSet<String>) -> Result<()> {
    let called: BTreeSet<_> = imports.iter().map(|import| plain(import)).collect();
    for (category, symbols) in CATEGORIES {
        let used: Vec<_> = symbols.split(' ').filter(|symbol| called.contains(symbol)).collect();
        let is_declared = manifest.contains(&format!("APICategory{category}<"));
        ensure!(
            is_declared != used.is_empty(),
            "{MANIFEST} does not match the calls of category {category}: the library calls {used:?}"
        );
    }
    Ok(())
}

/// The C name of a function: without the leading underscore of a symbol, and without a suffix such
/// as `$INODE64` in `_stat$INODE64`.
fn plain(symbol: &str) -> &str {
    let name = symbol.strip_prefix('_').unwrap_or(symbol);
    if name.starts_with("OBJC_") { name } else { name.split('$').next().unwrap_or(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_is_declared_and_nothing_else() {
        let manifest = root().join("bindings/swift").join(MANIFEST);
        let manifest = fs::read_to_string(manifest).unwrap();
        let check = |imports: &[&str]| {
            check(&manifest, &imports.iter().map(|&import| import.to_owned()).collect())
        };
        for right in ["_stat", "_fstat$INODE64", "_getattrlistbulk"] {
            check(&[right, "_memcpy", "_clock_gettime"]).unwrap();
        }
        for wrong in ["_getattrlist", "_mach_absolute_time", "_OBJC_CLASS_$_NSUserDefaults"] {
            let error = check(&["_stat", wrong]).unwrap_err().to_string();
            assert!(error.contains(plain(wrong)), "{error}");
        }
        assert!(check(&["_realpath$DARWIN_EXTSN"]).is_err(), "the declared category is unused");
    }
}
