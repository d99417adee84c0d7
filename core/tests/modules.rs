//! Data flows one way through `src`: no module uses one that `lib.rs` declares after it, so there are no circles.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The words and signs of some code, without its comments and its tests.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default();
        let mut is_word = false;
        for c in line.chars() {
            let continues = is_word;
            is_word = c.is_alphanumeric() || c == '_';
            match tokens.last_mut() {
                Some(word) if is_word && continues => word.push(c),
                _ if c.is_whitespace() => {}
                _ => tokens.push(c.into()),
            }
        }
    }
    // By convention a module of tests is the last item of its file.
    let tests = tokens.windows(10).position(|window| {
        window[..8] == ["#", "[", "cfg", "(", "test", ")", "]", "mod"] && window[9] == "{"
    });
    tokens.truncate(tests.unwrap_or(tokens.len()));
    tokens
}

/// The modules that a file declares, but for those of its tests.
fn declared(tokens: &[String]) -> Vec<String> {
    let is_tested =
        |at: usize| at >= 7 && tokens[at - 7..at] == ["#", "[", "cfg", "(", "test", ")", "]"];
    let declarations = tokens
        .windows(3)
        .enumerate()
        .filter(|(at, window)| window[0] == "mod" && window[2] == ";" && !is_tested(*at));
    declarations.map(|(_, window)| window[1].clone()).collect()
}

/// The first names of the paths of a `use`: one, or those of `{a, b::c, d::{e, f}}`.
fn first_names(tree: &[String]) -> Vec<String> {
    if tree[0] != "{" {
        return vec![tree[0].clone()];
    }
    let mut names = Vec::new();
    let mut depth = 0;
    for (before, token) in tree.iter().zip(&tree[1..]) {
        depth += usize::from(before == "{");
        if token == "}" {
            depth -= 1;
            if depth == 0 {
                break;
            }
        } else if depth == 1 && (before == "{" || before == ",") {
            names.push(token.clone());
        }
    }
    names
}

/// What a file uses of the crate's root. Its module is so deep in the tree of modules.
fn used(tokens: &[String], depth: usize) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        let path = &tokens[at..];
        let is_path = |at: usize, root: &str| {
            path.len() > at + 3 && path[at] == root && path[at + 1..at + 3] == [":", ":"]
        };
        let before = at.checked_sub(1).map(|before| tokens[before].as_str());
        let root = match token.as_str() {
            // `$crate` is used where the macro is.
            "crate" if before != Some("$") => usize::from(is_path(0, "crate")),
            "super" if before != Some(":") => {
                (0..depth).take_while(|i| is_path(3 * i, "super")).count()
            }
            _ => 0,
        };
        if root == 1 && token == "crate" || root == depth && token == "super" {
            names.extend(first_names(&path[3 * root..]));
        }
    }
    names
}

fn module_file(folder: &Path, name: &str) -> PathBuf {
    let file = folder.join(format!("{name}.rs"));
    if file.is_file() { file } else { folder.join(name).join("mod.rs") }
}

/// The files of a module, each with what it uses of the crate's root.
fn files(path: PathBuf, depth: usize) -> Vec<(PathBuf, BTreeSet<String>)> {
    let tokens = tokens(&fs::read_to_string(&path).unwrap());
    let folder = if path.ends_with("mod.rs") {
        path.parent().unwrap().to_owned()
    } else {
        path.with_extension("")
    };
    let children = declared(&tokens);
    let children = children.iter().flat_map(|child| files(module_file(&folder, child), depth + 1));
    let children: Vec<_> = children.collect();
    [vec![(path, used(&tokens, depth))], children].concat()
}

/// The module that the root of the crate re-exports a name from.
fn origin(root: &[String], name: &str) -> Option<String> {
    let reexports = root.split(|token| token == ";");
    reexports
        .filter_map(|item| item.iter().position(|token| token == "use").map(|at| &item[at + 1..]))
        .find(|path| path[1..].iter().any(|token| token == name))
        .map(|path| path[0].clone())
}

#[test]
fn no_module_uses_a_later_one() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let root = tokens(&fs::read_to_string(source.join("lib.rs")).unwrap());
    let modules = declared(&root);
    assert!(modules.len() > 20, "{modules:?}");
    let place = |name: &str| modules.iter().position(|module| module == name);
    let mut wrong = BTreeSet::new();
    for (at, module) in modules.iter().enumerate() {
        for (path, names) in files(module_file(&source, module), 1) {
            for name in names {
                let used = place(&name).or_else(|| place(&origin(&root, &name)?));
                if used.is_none_or(|used| used > at) {
                    wrong.insert(format!(
                        "{} uses {name}",
                        path.strip_prefix(&source).unwrap().display()
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A lock that another thread holds at a fork is held for ever in the child. `fork.rs` has statics without that.
#[test]
fn no_static_has_a_lock_that_outlasts_a_fork() {
    let core = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = BTreeSet::new();
    for source in [core.clone(), core.join("../../ffi/src")] {
        let root = source.join("lib.rs");
        let modules = declared(&tokens(&fs::read_to_string(&root).unwrap()));
        assert!(modules.len() > 10, "{modules:?}");
        let files = modules.iter().flat_map(|module| files(module_file(&source, module), 1));
        for path in files.map(|(path, _)| path) {
            if has_static_lock(&tokens(&fs::read_to_string(&path).unwrap())) {
                wrong.insert(path);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn has_static_lock(tokens: &[String]) -> bool {
    let locks = ["Mutex", "RwLock", "Once", "OnceLock", "Condvar"];
    let is_lock = |window: &[String]| {
        window[0] == "static" && window[2] == ":" && locks.contains(&window[3].as_str())
    };
    let of_std = |item: &[String]| {
        item.iter().any(|token| token == "LazyLock")
            && item.windows(4).any(|window| window == ["std", ":", ":", "sync"])
    };
    tokens.windows(4).any(is_lock) || tokens.split(|token| token == ";").any(of_std)
}

#[test]
fn static_locks_are_found() {
    let found = |code: &str| has_static_lock(&tokens(code));
    assert!(found("static ALL: Mutex<u8> = Mutex::new(1);"));
    assert!(found(
        "use std::sync::{Arc, LazyLock};\nstatic ALL: LazyLock<u8> = LazyLock::new(one);"
    ));
    assert!(!found("use crate::fork::LazyLock;\nuse std::sync::Mutex;\nstruct All(Mutex<u8>);"));
    assert!(!found("static ALL: PerProcess<Mutex<u8>> = PerProcess::new(Mutex::default);"));
}

#[test]
fn what_is_used_is_found() {
    let tokens = tokens(
        "use crate::a;\nuse crate::{b::c, d::{e, f}, g};\n// crate::no\nfn x() { super::h() }\n\
         fn y() { super::super::i::j(crate::k::l); $crate::no!(); }\n\
         mod one;\n#[cfg(test)]\nmod two;\n#[cfg(test)]\nmod tests { use crate::no; }",
    );
    let names = |depth| used(&tokens, depth).into_iter().collect::<Vec<_>>().join(" ");
    assert_eq!(names(1), "a b d g h k super");
    assert_eq!(names(2), "a b d g i k");
    assert_eq!(declared(&tokens), ["one"]);
}
