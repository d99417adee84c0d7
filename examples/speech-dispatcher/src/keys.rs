//! Key names such as `control_a`: modifiers and a key, joined by underscores.

/// Names, in lower case, that are spoken differently from how they are written. Others are spoken
/// as written.
const NAMES: &[(&str, &str)] = &[
    ("alt_gr", "alt graph"),
    ("back_space", "backspace"),
    ("bracketleft", "left bracket"),
    ("bracketright", "right bracket"),
    ("caps_lock", "caps lock"),
    ("capslock", "caps lock"),
    ("ctrl", "control"),
    ("del", "delete"),
    ("double-quote", "double quote"),
    ("esc", "escape"),
    ("iso_left_tab", "tab"),
    ("kp-*", "keypad star"),
    ("kp-+", "keypad plus"),
    ("kp--", "keypad minus"),
    ("kp-.", "keypad dot"),
    ("kp-/", "keypad slash"),
    ("kp-enter", "keypad enter"),
    ("kp_add", "keypad plus"),
    ("kp_decimal", "keypad dot"),
    ("kp_divide", "keypad slash"),
    ("kp_enter", "keypad enter"),
    ("kp_multiply", "keypad star"),
    ("kp_subtract", "keypad minus"),
    ("next", "page down"),
    ("num-lock", "num lock"),
    ("num_lock", "num lock"),
    ("numlock", "num lock"),
    ("page_down", "page down"),
    ("page_up", "page up"),
    ("pagedown", "page down"),
    ("pageup", "page up"),
    ("print_screen", "print screen"),
    ("prior", "page up"),
    ("scroll-lock", "scroll lock"),
    ("scroll_lock", "scroll lock"),
    ("scrolllock", "scroll lock"),
    ("sysrq", "system request"),
];

/// A key, or a modifier held with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// One or more words.
    Word(String),
    /// A character, spoken by name.
    Character(char),
}

/// The keys in a name.
pub fn keys(name: &str) -> Vec<Key> {
    let mut parts: Vec<&str> = name.trim().split('_').collect();
    // The key with an underscore on it may be sent as that character.
    if parts.len() > 1 && parts.ends_with(&[""]) {
        parts.truncate(parts.len() - if parts.ends_with(&["", ""]) { 2 } else { 1 });
        parts.push("underscore");
    }
    let mut keys = Vec::new();
    let mut rest = &parts[..];
    while !rest.is_empty() {
        let (key, taken) = longest(rest);
        keys.extend(key);
        rest = &rest[taken..];
    }
    keys
}

/// The key named by the longest prefix of the parts, and the length of that prefix.
fn longest(parts: &[&str]) -> (Option<Key>, usize) {
    for taken in (1..=parts.len().min(3)).rev() {
        let name = parts[..taken].join("_").to_lowercase();
        if let Ok(found) = NAMES.binary_search_by_key(&name.as_str(), |(name, _)| name) {
            return (Some(Key::Word(NAMES[found].1.to_owned())), taken);
        }
    }
    let keypad = |part: &str| part.eq_ignore_ascii_case("kp");
    if let [first, second, ..] = parts
        && keypad(first)
    {
        return (Some(Key::Word(format!("keypad {}", second.to_lowercase()))), 2);
    }
    let part = parts[0];
    let mut characters = part.chars();
    let key = match (characters.next(), characters.next()) {
        (None, _) => None,
        (Some(c), None) => Some(Key::Character(c)),
        _ => Some(Key::Word(words(part))),
    };
    (key, 1)
}

/// Splits a single-part name such as `kp-7` or `Return` into words.
fn words(part: &str) -> String {
    let part = part.to_lowercase();
    match part.strip_prefix("kp-") {
        Some(key) => format!("keypad {key}"),
        None => part.replace('-', " "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(NAMES.is_sorted_by_key(|(name, _)| name));
    }
}
