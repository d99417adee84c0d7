//! Whether a sentence goes on in a script without capitals, where only the words tell.

use super::next::Next;
use super::rules::SentenceRules;
use super::runs::Run;
use super::view::View;

/// Whether the sentence goes on after `run`: with a word that never comes first, or with who said what was quoted.
pub(super) fn goes_on(view: &View, run: &Run, next: &Next) -> bool {
    view.rules().caseless(view.char(next.at)).any(|rules| goes_on_in(rules, view, run, next))
}

fn goes_on_in(rules: &SentenceRules, view: &View, run: &Run, next: &Next) -> bool {
    const WORDS: usize = 6;
    if is_never_first(rules, view, next.at) {
        return true;
    }
    if !run.closing.contains(['"', '\'', '”', '’', '»']) {
        return false;
    }
    if rules.after_quotation.contains(&next.word()) {
        return true;
    }
    if !view.before(run.from).starts_with(['"', '\'', '“', '‘', '«']) {
        return false;
    }
    let mut at = next.at;
    for _ in 0..WORDS {
        let word = view.word(at);
        if rules.speech_verbs.contains(&word) {
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

/// Whether the text at `at` goes on with a sentence whose quotation or bracket has just closed.
pub(super) fn continues(view: &View, at: usize) -> bool {
    view.rules().caseless(view.char(at)).any(|rules| {
        is_never_first(rules, view, at) || rules.after_quotation.contains(&view.word(at))
    })
}

/// Whether a word stands at `at` that no sentence begins with, and not the name of a letter: "के. एल. राहुल".
fn is_never_first(rules: &SentenceRules, view: &View, at: usize) -> bool {
    let word = view.word(at);
    rules.never_first.contains(&word) && view.char(at + word.len()) != Some('.')
}
