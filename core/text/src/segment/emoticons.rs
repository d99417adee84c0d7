//! Emoji and emoticons after a sentence belong to that sentence.

use super::view::View;

const EMOTICONS: &str = "\
    :-) :) :-( :( ;-) ;) :-D :D :-P :P :p :'( :/ :O :o :| :* :] =) =D xD XD <3 ^_^ ^^ ¯\\_(ツ)_/¯";

/// The end of the emoji and emoticons that follow `at` on the same line; `at` if there are none.
pub(super) fn skip(view: &View, at: usize) -> usize {
    let mut end = at;
    loop {
        let from = view.skip(end, |c| matches!(c, ' ' | '\u{a0}'));
        let emoji = view.skip(from, is_emoji);
        let to = if emoji > from { emoji } else { emoticon_end(view, from) };
        let stands_alone = view.char(to).is_none_or(|c| c.is_whitespace() || emoji > from);
        if to == from || !stands_alone {
            return end;
        }
        end = to;
    }
}

fn emoticon_end(view: &View, at: usize) -> usize {
    if !view.char(at).is_some_and(|c| ":;=xX<^¯".contains(c)) {
        return at;
    }
    let found = EMOTICONS.split(' ').find(|emoticon| view.starts_with(at, emoticon));
    found.map_or(at, |emoticon| at + emoticon.len())
}

fn is_emoji(c: char) -> bool {
    matches!(c, '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{2b50}'..='\u{2b55}'
        | '\u{fe0f}' | '\u{200d}' | '\u{20e3}')
}
