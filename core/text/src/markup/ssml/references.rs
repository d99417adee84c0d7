//! Character and entity references: `&amp;`, `&#x939;`.

/// The error for a `&` that begins no reference.
pub(super) const NONE: &str = "the character '&' does not begin a reference; write &amp;";

const SURROGATE: &str = "the reference is to half a surrogate pair, which is no character";
const TOO_LARGE: &str = "the reference is to a number over 10FFFF, which is no character";
const FORBIDDEN: &str = "the reference is to a character that XML does not allow";

/// The character of the reference at the start of `rest`, and its length in bytes.
///
/// # Errors
///
/// The reason if the reference is invalid.
pub(super) fn read(rest: &str) -> Result<(char, usize), &'static str> {
    let name = rest.strip_prefix('&').and_then(|rest| rest.split_once(';'));
    let (name, _) = name.ok_or(NONE)?;
    let c = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "apos" => '\'',
        "quot" => '"',
        _ => numbered(name.strip_prefix('#').ok_or(NONE)?)?,
    };
    Ok((c, name.len() + 2))
}

/// The reason to reject the reference at the start of `rest`, if any.
pub(super) fn problem(rest: &str) -> Option<&'static str> {
    read(rest).err()
}

/// The character with a code point in decimal, or in hexadecimal after an `x`.
fn numbered(number: &str) -> Result<char, &'static str> {
    let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |digits| (digits, 16));
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(NONE);
    }
    // Only digits are left, so an error means that the number is too large.
    let code = u32::from_str_radix(digits, radix).unwrap_or(u32::MAX);
    let c = char::from_u32(code).ok_or(if code > 0x10_ffff { TOO_LARGE } else { SURROGATE })?;
    if is_allowed(c) { Ok(c) } else { Err(FORBIDDEN) }
}

/// The characters of XML 1.0, <https://www.w3.org/TR/xml/#charsets>.
fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
crate::row_tests::rows! {
    references: |[text]| match read(text) {
        Ok((c, length)) => format!("{c} {length}"),
        Err(problem) => problem.to_owned(),
    };
}
