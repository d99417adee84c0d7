//! Inflection: the spelled stems of words in -s, -ed and -ing, and the phonemes of a stem with
//! these endings.

/// Phonemes after which t before a vowel is flapped.
const BEFORE_FLAP: &str = "AIOWYiuæɑəɛɪɹʊʌ";

/// Consonants that double before -ed and -ing.
const DOUBLED: &[u8] = b"bcdgklmnprstvxz";

/// The stem of a plural, a possessive or a third person singular, if that is known.
pub(super) fn stem_of_s(word: &str, is_known: impl Fn(&str) -> bool) -> Option<String> {
    let stem = word.strip_suffix('s').filter(|stem| stem.len() > 1)?;
    if !stem.ends_with('s') && is_known(stem) {
        return Some(stem.into());
    }
    let two = stem.strip_suffix('\'').or_else(|| stem.strip_suffix('e').filter(|_| word.len() > 4));
    if let Some(stem) = two.filter(|stem| !stem.ends_with('i') && is_known(stem)) {
        return Some(stem.into());
    }
    let stem = format!("{}y", word.strip_suffix("ies").filter(|_| word.len() > 4)?);
    is_known(&stem).then_some(stem)
}

/// The stem of a past form, if that is known.
pub(super) fn stem_of_ed(word: &str, is_known: impl Fn(&str) -> bool) -> Option<String> {
    let stem = word.strip_suffix('d').filter(|stem| stem.len() > 2)?;
    if !stem.ends_with('d') && is_known(stem) {
        return Some(stem.into());
    }
    let stem = stem.strip_suffix('e').filter(|stem| !stem.ends_with('e') && stem.len() > 2)?;
    if is_known(stem) {
        return Some(stem.into());
    }
    if let Some(stem) = stem.strip_suffix('i') {
        let stem = format!("{stem}y");
        return is_known(&stem).then_some(stem);
    }
    without_doubling(stem).filter(|stem| is_known(stem)).map(str::to_owned)
}

/// The stem of a present participle, if that is known.
pub(super) fn stem_of_ing(word: &str, is_known: impl Fn(&str) -> bool) -> Option<String> {
    let stem = word.strip_suffix("ing").filter(|stem| stem.len() > 1)?;
    if stem.len() > 2 && is_known(stem) {
        return Some(stem.into());
    }
    let with_e = format!("{stem}e");
    if is_known(&with_e) {
        return Some(with_e);
    }
    without_doubling(stem).filter(|stem| is_known(stem)).map(str::to_owned)
}

/// Whether a word is an inflected form of a known word.
pub(super) fn is_form(word: &str, is_known: impl Fn(&str) -> bool + Copy) -> bool {
    stem_of_s(word, is_known).is_some()
        || stem_of_ed(word, is_known).is_some()
        || stem_of_ing(word, is_known).is_some()
}

/// The stem without the second of its doubled consonants: "stop" of "stopp", "picnic" of "picnick".
pub(super) fn without_doubling(stem: &str) -> Option<&str> {
    let [.., before, last] = stem.as_bytes() else { return None };
    let doubled = before == last && DOUBLED.contains(last) || [*before, *last] == *b"ck";
    (doubled && stem.len() > 3).then(|| &stem[..stem.len() - 1])
}

pub(super) fn with_s(stem: String) -> String {
    let ending = match stem.chars().next_back() {
        None => "",
        Some('p' | 't' | 'k' | 'f' | 'θ') => "s",
        Some('s' | 'z' | 'ʃ' | 'ʒ' | 'ʧ' | 'ʤ') => "ᵻz",
        _ => "z",
    };
    stem + ending
}

pub(super) fn with_ed(stem: String) -> String {
    let ending = match stem.chars().next_back() {
        None => "",
        Some('p' | 'k' | 'f' | 'θ' | 'ʃ' | 's' | 'ʧ') => "t",
        Some('d') => "ᵻd",
        Some('t') => return with_vowel_ending(stem, "ᵻd"),
        _ => "d",
    };
    stem + ending
}

pub(super) fn with_ing(stem: String) -> String {
    with_vowel_ending(stem, "ɪŋ")
}

/// Adds an ending that begins with a vowel, and flaps a final t after the phonemes of
/// [`BEFORE_FLAP`].
pub(super) fn with_vowel_ending(mut stem: String, ending: &str) -> String {
    let mut sounds = stem.chars().rev();
    let is_flapped =
        sounds.next() == Some('t') && sounds.next().is_some_and(|c| BEFORE_FLAP.contains(c));
    if is_flapped {
        stem.pop();
        stem.push('ɾ');
    }
    stem + ending
}

#[cfg(test)]
crate::row_tests::rows! {
    stems_of_words: |[word]| {
        let known = "cat box bake stop try picnic sing walk add knee";
        let is_known = |word: &str| known.split(' ').any(|one| one == word);
        let stem = stem_of_s(word, is_known).or_else(|| stem_of_ed(word, is_known));
        crate::row_tests::or_dash(stem.or_else(|| stem_of_ing(word, is_known)))
    };
    phonemes_of_endings: |[ending, stem]| match ending {
        "s" => with_s(stem.into()),
        "ed" => with_ed(stem.into()),
        _ => with_ing(stem.into()),
    };
}
