//! Decides whether a full stop, question mark or other terminator ends the sentence.

use super::groups::{self, Group, Kind};
use super::prelude::*;
use super::rules::capitalized;
use super::{caseless, lines, unspaced};

/// The state of the scan that decisions use besides the text.
pub(super) struct Context<'a> {
    /// The last quotation, bracket or piece of markup that the scan passed in this sentence.
    pub(super) group: Option<Group>,
    /// The last list marker.
    pub(super) item: Option<&'a Marker>,
}

/// The decision about a terminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Ends { at: usize, boundary: Boundary },
    GoesOn { at: usize },
}

/// Decides whether the terminator at `at` ends the sentence. In the result, `at` is the end of the
/// sentence, or the position where the scan continues.
pub(super) fn stop_at(view: &View, at: usize, context: &Context) -> Stop {
    let run = Run::at(view, at);
    let goes_on = Stop::GoesOn { at: run.end.max(at + 1) };
    if run.is_part_of_a_token(view) {
        return Stop::GoesOn { at: run.from + run.marks.len() };
    }
    let gap = view.gap(run.end);
    let starts_block = gap.breaks > 0 && lines::starts_block(view, &gap, context.item);
    let boundary = if starts_block { lines::boundary(view, &gap) } else { Boundary::Sentence };
    if run.is_full() {
        if !starts_block && goes_on_after_stop(view, &run, gap.next, context) {
            return goes_on;
        }
        return Stop::Ends { at: run.end, boundary };
    }
    if gap.is_empty && view.char(run.end).is_some() {
        return if unspaced::ends_sentence(view, &run) {
            Stop::Ends { at: run.end, boundary }
        } else {
            goes_on
        };
    }
    if starts_block {
        return Stop::Ends { at: run.end, boundary };
    }
    let Some(next) = Next::at(view, gap.next) else {
        return Stop::Ends { at: run.end, boundary: Boundary::Paragraph };
    };
    if begins_item(view, &run, gap.next, context) {
        return Stop::Ends { at: run.end, boundary: Boundary::Line };
    }
    if !ends_sentence(view, &run, &next, context) {
        return goes_on;
    }
    // In a full stop with the three dots of an omission, the dots belong to the next sentence.
    let is_stop_and_omission =
        run.dots == 4 && run.marks.starts_with(". ") && !run.is_detached(view);
    let at = if is_stop_and_omission { run.from + 1 } else { run.end };
    Stop::Ends { at, boundary }
}

/// Whether the full stop at `at` ends an inner sentence, in a quotation or in brackets.
pub(super) fn ends_within(view: &View, at: usize) -> bool {
    let run = Run::at(view, at);
    let gap = view.gap(run.end);
    if gap.is_empty || !groups::is_within(view, at) {
        return false;
    }
    let next = Next::at(view, gap.next);
    next.is_some_and(|next| ends_sentence(view, &run, &next, &Context { group: None, item: None }))
}

/// Whether a list item begins at `at`, after the terminators of `run`.
fn begins_item(view: &View, run: &Run, at: usize, context: &Context) -> bool {
    !run.is_abbreviation(view)
        && Marker::at(view, at, false).is_some_and(|marker| marker.begins_item_inline(context.item))
}

/// Whether the sentence continues after an unambiguous terminator, such as a danda, that has
/// closing brackets or quotation marks after it.
fn goes_on_after_stop(view: &View, run: &Run, next: usize, context: &Context) -> bool {
    let is_inner = context.group.is_some_and(|group| {
        group.kind == Kind::Brackets && group.ends > run.from && group.opens > view.start()
    });
    !run.closing.is_empty()
        && (is_inner && !follows_a_stop(view, context) || caseless::continues(view, next))
}

fn ends_sentence(view: &View, run: &Run, next: &Next, context: &Context) -> bool {
    let rules = view.rules();
    if names_the_speaker(view, run, next) || comments(run, next, view, context) {
        return false;
    }
    if next.start == Start::Other && caseless::goes_on(view, run, next) {
        return false;
    }
    if next.start == Start::Small {
        return ends_before_small(view, run, next);
    }
    let in_brackets = context.group.is_some_and(|group| {
        group.kind == Kind::Brackets && group.ends > run.from && group.opens > view.start()
    });
    if in_brackets && !follows_a_stop(view, context) {
        return rules.is_opener(next.word());
    }
    // A factorial: "5! = 120".
    let sign = view.char(view.skip(run.end, char::is_whitespace));
    if run.marks == "!" && sign.is_some_and(|c| "=+×÷/≈<>≤≥".contains(c)) {
        return false;
    }
    if run.dots == 0 || run.marks.contains(['!', '?', '‽']) {
        return !rules.is_name_with_mark(view.before(run.from)) || rules.is_opener(next.word());
    }
    let is_caseless =
        next.start == Start::Other && rules.caseless(view.char(next.at)).next().is_some();
    match run.dots {
        1 => rules.ends_sentence(view, run, next),
        dots if dots != 3 && is_caseless => rules.has(Class::Final, run.word(view)),
        2 => true,
        3 => {
            let first = next.word().split(['\'', '’']).next().unwrap_or_default();
            let is_pronoun = rules.has(Class::Pronoun, first);
            next.start == Start::Capital
                && !is_pronoun
                && !(run.marks.len() > 3 && run.is_detached(view))
        }
        _ => true,
    }
}

/// Whether the sentence ends although a small letter follows.
fn ends_before_small(view: &View, run: &Run, next: &Next) -> bool {
    let rules = view.rules();
    // "kya hai? mera": text in a caseless language has no capitals in Latin letters either.
    let is_asked = run.marks == "?" && run.closing.is_empty();
    if is_asked && rules.has(Class::Final, run.word(view)) {
        return true;
    }
    if next.begins_action() {
        return !run.is_abbreviation(view);
    }
    if run.marks == "." && run.closing.is_empty() && ends_plainly(view, run, next) {
        return true;
    }
    // "Really? i had no idea"
    let pronoun = next.word().split(['\'', '’']).next().unwrap_or_default();
    if run.dots == 0 && run.closing.is_empty() && rules.has(Class::Pronoun, &capitalized(pronoun)) {
        return true;
    }
    run.dots < 2
        && is_small_throughout(view)
        && rules.is_small_opener(next.word())
        && !(run.dots == 1 && run.is_abbreviation(view))
}

/// Whether the word before a full stop is an ordinary word, a number, an acronym or a host, so that
/// the sentence ends even before a small letter. Abbreviations, titles that are also words, and units after a number are not.
fn ends_plainly(view: &View, run: &Run, next: &Next) -> bool {
    let rules = view.rules();
    let word = run.word(view);
    let part = word.rsplit_once('-').map_or(word, |(_, part)| part);
    // "back in 2019. she left", "free til 2ish. call me"
    let is_number = word.len() > 1
        && word.starts_with(|c: char| c.is_ascii_digit())
        && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b':');
    if is_number && !run.is_abbreviation(view) {
        return rules.has(Class::NeverLast, run.word_before(view))
            && !rules.has(Class::TimeUnit, next.word());
    }
    // "see example.com. thanks"
    let is_host = word.contains('.') && word.split('.').all(|part| part.len() > 1);
    // "met Priyanka. she": a name that no lexicon has
    let vowels = ['a', 'e', 'i', 'o', 'u'];
    let is_long = part.len() > 5 && part.matches(vowels).count() > 1
        || part.len() > 3 && part.ends_with(vowels);
    // "landed at SFO. see you"
    let is_acronym = word.len() > 2 && word.bytes().all(|b| b.is_ascii_uppercase());
    if is_acronym && !run.is_abbreviation(view) {
        return true;
    }
    !run.is_abbreviation(view)
        && part.chars().count() > 1
        && !rules.has(Class::NeverLast, part)
        && !rules.has(Class::More, &capitalized(part))
        && !word.contains(char::is_numeric)
        && !run.word_before(view).ends_with(char::is_numeric)
        && (is_host || is_long || rules.is_word(part) || rules.has(Class::Final, part))
}

/// Whether the last group follows a complete sentence instead of being inside one.
fn follows_a_stop(view: &View, context: &Context) -> bool {
    context.group.is_some_and(|group| {
        view.before(group.opens).trim_end().ends_with(|c| view.rules().is_terminator(c))
    })
}

/// Whether the speaker of a quotation follows, who belongs to its sentence: "“Stop!” John shouted."
fn names_the_speaker(view: &View, run: &Run, next: &Next) -> bool {
    const WORDS: usize = 4;
    // A full stop ends the quotation's sentence: before a speaker the quotation has a comma.
    if run.dots == 1 || !run.closing.contains(['"', '\'', '”', '’', '»']) {
        return false;
    }
    let rules = view.rules();
    let is_speaker = rules.has(Class::BeforeSpeaker, next.word());
    if rules.is_opener(next.word()) && !is_speaker {
        return false;
    }
    let mut at = next.at;
    for i in 0..WORDS {
        let word = view.run(at, |c| c.is_alphanumeric() || matches!(c, '.' | '-' | '’' | '\''));
        if i > 0 && rules.has(Class::SpeechVerb, word.trim_end_matches('.')) {
            return true;
        }
        let gap = view.gap(at + word.len());
        if !word.starts_with(char::is_uppercase) || gap.is_empty || gap.breaks > 1 {
            return false;
        }
        at = gap.next;
    }
    false
}

/// Whether brackets after a quotation belong to its sentence: "..., 'It is!' (He was sure.)"
fn comments(run: &Run, next: &Next, view: &View, context: &Context) -> bool {
    next.bracketed
        && !run.closing.is_empty()
        && context.group.is_some_and(|group| {
            group.kind == Kind::Quotation && group.ends > run.from && group.opens > view.start()
        })
}

/// Whether the writer uses no capitals: the sentence begins with a small letter.
fn is_small_throughout(view: &View) -> bool {
    view.char(view.start()).is_some_and(char::is_lowercase)
}
