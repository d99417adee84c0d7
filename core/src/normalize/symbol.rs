//! Letters that are names of something: a Greek one on its own.

use super::recognise::Scene;
use super::semiotic::Semiotic;

/// A letter that no word goes on from and that has a name as a symbol.
pub(super) fn find_letter(scene: &Scene<'_>) -> Option<(usize, Semiotic)> {
    let mut cursor = scene.cursor();
    let letter = cursor.eat_char(|c| !c.is_ascii())?;
    let words = (scene.locale.symbol)(letter)?;
    let ends = !cursor.rest().starts_with(|c: char| c.is_alphabetic() && !c.is_ascii());
    ends.then_some((cursor.at(), Semiotic::Phrase { words, ends_sentence: false }))
}
