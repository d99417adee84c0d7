//! The privacy manifest, which Apple asks of a library: what it is used for, of the functions that need a reason.
//!
//! The functions are those of Apple's list, "Describing use of required reason API". What the library calls is read from its
//! libraries, as Apple reads it from an app.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde_json::{Value, json};

const FILE_TIMESTAMP: &str = "NSPrivacyAccessedAPICategoryFileTimestamp";
const SYSTEM_BOOT_TIME: &str = "NSPrivacyAccessedAPICategorySystemBootTime";
const DISK_SPACE: &str = "NSPrivacyAccessedAPICategoryDiskSpace";
const ACTIVE_KEYBOARDS: &str = "NSPrivacyAccessedAPICategoryActiveKeyboards";
const USER_DEFAULTS: &str = "NSPrivacyAccessedAPICategoryUserDefaults";

/// The functions and classes that need a reason, and the category of each.
const CATEGORIES: [(&str, &str); 18] = [
    ("stat", FILE_TIMESTAMP),
    ("fstat", FILE_TIMESTAMP),
    ("fstatat", FILE_TIMESTAMP),
    ("lstat", FILE_TIMESTAMP),
    ("getattrlist", FILE_TIMESTAMP),
    ("fgetattrlist", FILE_TIMESTAMP),
    ("getattrlistat", FILE_TIMESTAMP),
    ("getattrlistbulk", FILE_TIMESTAMP),
    ("mach_absolute_time", SYSTEM_BOOT_TIME),
    ("statfs", DISK_SPACE),
    ("statvfs", DISK_SPACE),
    ("fstatfs", DISK_SPACE),
    ("fstatvfs", DISK_SPACE),
    ("getattrlist", DISK_SPACE),
    ("fgetattrlist", DISK_SPACE),
    ("getattrlistat", DISK_SPACE),
    ("OBJC_CLASS_$_UITextInputMode", ACTIVE_KEYBOARDS),
    ("OBJC_CLASS_$_NSUserDefaults", USER_DEFAULTS),
];

/// Why the library calls those of a category.
///
/// - `C617.1`: it reads the size and the times of files inside the app's own container. They are those of the voices, which say
///   whether the files changed since they were verified.
const REASONS: [(&str, &[&str]); 1] = [(FILE_TIMESTAMP, &["C617.1"])];

/// The manifest of a library that calls these functions. A category that no reason is declared for is an error: somebody has to find
/// out what the function is called for.
pub(super) fn manifest(imports: &BTreeSet<String>) -> Result<Value> {
    let mut types = Vec::new();
    for (category, symbols) in categories(imports) {
        let (_, reasons) =
            REASONS.iter().find(|(declared, _)| *declared == category).with_context(|| {
                format!("the library calls {symbols:?}, and no reason is declared for {category}")
            })?;
        types.push(json!({
            "NSPrivacyAccessedAPIType": category,
            "NSPrivacyAccessedAPITypeReasons": reasons,
        }));
    }
    Ok(json!({
        "NSPrivacyTracking": false,
        "NSPrivacyTrackingDomains": [],
        "NSPrivacyCollectedDataTypes": [],
        "NSPrivacyAccessedAPITypes": types,
    }))
}

/// The categories of what is called, each with what it is there for.
fn categories(imports: &BTreeSet<String>) -> BTreeMap<&'static str, Vec<&'static str>> {
    let called: BTreeSet<_> = imports.iter().map(|import| plain(import)).collect();
    let mut categories: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (symbol, category) in CATEGORIES.iter().filter(|(symbol, _)| called.contains(symbol)) {
        categories.entry(*category).or_default().push(*symbol);
    }
    categories
}

/// The name of a function in C: symbols have an underscore in front, and some a variant behind it, as `_stat$INODE64`.
fn plain(symbol: &str) -> &str {
    let name = symbol.strip_prefix('_').unwrap_or(symbol);
    if name.starts_with("OBJC_") { name } else { name.split('$').next().unwrap_or(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn categories_of_what_is_called() {
        for (import, expected) in [
            ("_stat", &[FILE_TIMESTAMP][..]),
            ("_fstat$INODE64", &[FILE_TIMESTAMP]),
            ("_getattrlist", &[DISK_SPACE, FILE_TIMESTAMP]),
            ("_mach_absolute_time", &[SYSTEM_BOOT_TIME]),
            ("_OBJC_CLASS_$_NSUserDefaults", &[USER_DEFAULTS]),
            ("_clock_gettime", &[]),
            ("_realpath$DARWIN_EXTSN", &[]),
        ] {
            let found = categories(&names(&[import]));
            assert_eq!(found.keys().copied().collect::<Vec<_>>(), expected, "{import}");
        }
    }

    #[test]
    fn a_reason_for_each_category() {
        let manifest = manifest(&names(&["_stat", "_fstat", "_memcpy"])).unwrap();
        assert_eq!(manifest["NSPrivacyTracking"], false);
        let types = json!([{
            "NSPrivacyAccessedAPIType": FILE_TIMESTAMP,
            "NSPrivacyAccessedAPITypeReasons": ["C617.1"],
        }]);
        assert_eq!(manifest["NSPrivacyAccessedAPITypes"], types);
        let error = super::manifest(&names(&["_statfs"])).unwrap_err().to_string();
        assert!(error.contains("statfs") && error.contains(DISK_SPACE), "{error}");
    }
}
