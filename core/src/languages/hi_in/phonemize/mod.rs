//! Hindi words in Kokoro's symbols.
//!
//! Devanagari is nearly phonemic. What it leaves open is which inherent vowels are silent, where a compound divides,
//! and the marks that writers leave out. A word goes through these in order: words of grammar as a whole
//! (`reductions`), then a fuller spelling (`exceptions`, `members`, `restore`), its letters (`letters`), its silent
//! vowels (`schwa`), and the symbols (`nasal`, `stress`, `render`).

mod compounds;
mod conventions;
mod endings;
mod exceptions;
mod letters;
mod nasal;
mod reductions;
mod render;
mod restore;
mod schwa;
mod stress;

use letters::BOUNDARY;

/// The phonemes of a word in Devanagari; never empty.
pub(crate) fn read(word: &str) -> String {
    let word = clean(word);
    if let Some(symbols) = reductions::symbols(&word) {
        return symbols.to_owned();
    }
    let mut letters = letters::letters(&restore::with_loan_f(&spelling(&word)));
    nasal::join_spellings(&mut letters);
    schwa::settle(&mut letters);
    let symbols = render::render(&letters);
    // A sign on its own is read as the inherent vowel.
    if symbols.is_empty() { "ə".into() } else { symbols }
}

/// Letters with a dot as letter and dot, and nothing that is not seen.
fn clean(word: &str) -> String {
    const DOTTED: [char; 8] = ['क', 'ख', 'ग', 'ज', 'ड', 'ढ', 'फ', 'य'];
    let word = without_colon(word);
    let mut clean = String::with_capacity(word.len());
    for letter in word.chars() {
        match letter {
            '\u{958}'..='\u{95f}' => {
                clean.push(DOTTED[letter as usize - 0x958]);
                clean.push(letters::NUKTA);
            }
            '\u{200b}'..='\u{200d}' | letters::KEPT => {}
            _ => clean.push(letter),
        }
    }
    clean
}

/// The visarga that headlines write for a colon is left out: दिल्लीः. A true one is in the exceptions.
fn without_colon(word: &str) -> &str {
    match word.strip_suffix('ः') {
        Some(rest) if !exceptions::is_listed(word) && reductions::symbols(word).is_none() => rest,
        _ => word,
    }
}

/// The word in a spelling that says what the writer's leaves open.
fn spelling(word: &str) -> String {
    if let Some((start, rest)) = word.split_once(BOUNDARY) {
        return format!("{}{BOUNDARY}{}", spelling(start), spelling(rest));
    }
    if let Some(spelling) = exceptions::spelling(word) {
        return spelling;
    }
    if let Some((start, rest)) = at_hiatus(word) {
        return format!("{}{BOUNDARY}{}", spelling(start), spelling(rest));
    }
    // गाँव, पाँव: the last letter is heard as a vowel.
    if let Some(start) = word.strip_suffix("ांव").or_else(|| word.strip_suffix("ाँव")) {
        return spelling(start) + "ाओँ";
    }
    if restore::is_listed(word) {
        return restore::restored(word, false);
    }
    let divided = compounds::divided(word);
    let is_compound = divided.contains(BOUNDARY);
    let mut spelling = String::with_capacity(divided.len() + 8);
    for (i, member) in divided.split(BOUNDARY).enumerate() {
        if i > 0 {
            spelling.push(BOUNDARY);
        }
        let full = || restore::restored(member, is_compound);
        spelling.push_str(&exceptions::spelling(member).unwrap_or_else(full));
    }
    spelling
}

/// A compound whose second member begins with a vowel that no native word has after ə: तेल|अवीव, जन|आंदोलन.
fn at_hiatus(word: &str) -> Option<(&str, &str)> {
    let mut letters = 0;
    let mut previous = ' ';
    for (at, letter) in word.char_indices() {
        let opens = matches!(letter, 'अ' | 'आ' | 'ऐ' | 'ओ' | 'औ' | 'ऑ');
        let is_bare = letters::is_letter(previous) || previous == letters::NUKTA;
        if opens && is_bare && letters >= 2 {
            return Some(word.split_at(at));
        }
        letters += usize::from(letters::is_letter(letter));
        previous = letter;
    }
    None
}

#[cfg(test)]
mod tests;
