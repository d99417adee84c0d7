//! Decides by its words whether a sentence continues in a script without capitals.

use super::prelude::*;
use super::table::Table;

/// Whether the sentence continues after `run`: the next word never begins a sentence, or it
/// introduces the speaker of a quotation.
pub(super) fn goes_on(view: &View, run: &Run, next: &Next) -> bool {
    view.rules().caseless(view.char(next.at)).any(|table| goes_on_in(table, view, run, next))
}

fn goes_on_in(table: &Table, view: &View, run: &Run, next: &Next) -> bool {
    const WORDS: usize = 6;
    if is_never_first(table, view, next.at) {
        return true;
    }
    if !run.closing.contains(['"', '\'', '”', '’', '»']) {
        return false;
    }
    if table.has(Class::AfterQuotation, next.word()) {
        return true;
    }
    if !view.before(run.from).starts_with(['"', '\'', '“', '‘', '«']) {
        return false;
    }
    let mut at = next.at;
    for _ in 0..WORDS {
        let word = view.word(at);
        if table.has(Class::SpeechVerb, word) {
            return true;
        }
        let gap = view.gap(at + word.len());
        if word.is_empty() || gap.is_empty || gap.breaks > 0 {
            return false;
        }
        at = gap.next;
    }
    false
}

/// Whether the sentence continues at `at`, after its quotation or bracket has closed.
pub(super) fn continues(view: &View, at: usize) -> bool {
    view.rules().caseless(view.char(at)).any(|table| {
        is_never_first(table, view, at) || table.has(Class::AfterQuotation, view.word(at))
    })
}

/// Whether the word at `at` never begins a sentence. The name of a letter does: "के. एल. राहुल".
fn is_never_first(table: &Table, view: &View, at: usize) -> bool {
    let word = view.word(at);
    table.has(Class::NeverFirst, word) && view.char(at + word.len()) != Some('.')
}
