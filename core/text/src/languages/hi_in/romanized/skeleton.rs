//! The consonant skeleton, which usual spellings share: `bht`, `bahut` and `bohot` give `bt`.

/// The skeleton of a lower-case word.
///
/// It omits vowels, h, y and v except at the start, n before a consonant or the end, and m before a
/// labial. It merges aspirates, f and ph, z and j, d and r, and similar pairs.
pub(super) fn of(word: &str) -> String {
    let mut merged: Vec<u8> = Vec::with_capacity(word.len() + 2);
    let mut rest = word.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        let letter = match first {
            b'c' => match palatal(rest) {
                Some(length) => {
                    rest = &rest[length..];
                    b'C'
                }
                None => {
                    rest = rest.strip_prefix(b"k").unwrap_or(rest);
                    b'k'
                }
            },
            b'x' => {
                merged.push(b'k');
                b's'
            }
            b'p' | b's' => {
                rest = rest.strip_prefix(b"h").unwrap_or(rest);
                *first
            }
            b'q' => b'k',
            b'f' => b'p',
            b'z' => b'j',
            b'w' => b'v',
            b'd' if !merged.is_empty() => b'r',
            letter => *letter,
        };
        merged.push(letter);
    }
    if let Some(first) = merged.first_mut().filter(|first| is_vowel(**first)) {
        *first = b'a';
    }
    let is_nasal =
        |at: usize| merged[at] == b'n' && !merged.get(at + 1).is_some_and(|next| is_vowel(*next));
    let kept = (0..merged.len()).filter(|at| {
        let letter = merged[*at];
        *at == 0 || !(is_vowel(letter) || matches!(letter, b'y' | b'h' | b'v') || is_nasal(*at))
    });
    let kept: Vec<u8> = kept.map(|at| merged[at]).collect();
    let mut skeleton = String::new();
    for (at, letter) in kept.iter().enumerate() {
        let is_merged = *letter == b'm' && at > 0 && matches!(kept.get(at + 1), Some(b'p' | b'b'));
        if !is_merged && !skeleton.ends_with(char::from(*letter)) {
            skeleton.push(char::from(*letter));
        }
    }
    skeleton
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u')
}

/// The length after the c of `ch`, `chh` or `cch`.
fn palatal(rest: &[u8]) -> Option<usize> {
    let more = rest.iter().take_while(|letter| **letter == b'c').count();
    let aspirates = rest[more..].iter().take_while(|letter| **letter == b'h').count();
    (aspirates > 0).then_some(more + aspirates)
}

#[cfg(test)]
crate::row_tests::rows! { skeletons: |[spelling]| of(spelling); }
