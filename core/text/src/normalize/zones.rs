//! Zones: ranges of a sentence that are no prose, found once per sentence.

use std::ops::Range;

/// The code spans of a text without their backquotes, in order.
pub(crate) struct Zones(Vec<Range<usize>>);

impl Zones {
    pub(crate) fn of(text: &str) -> Self {
        let mut spans = Vec::new();
        let mut at = 0;
        while let Some(opens) = text[at..].find('`').map(|opens| at + opens) {
            let ticks = text[opens..].len() - text[opens..].trim_start_matches('`').len();
            let start = opens + ticks;
            at = start;
            if is_inner(text, opens) {
                continue;
            }
            let closes = closing(text, start, ticks);
            // An unclosed span ends with its line.
            let end = closes.or_else(|| text[start..].find('\n').map(|end| start + end));
            spans.push(start..end.unwrap_or(text.len()));
            at = closes.map_or(start, |closes| closes + ticks);
        }
        Self(spans)
    }

    pub(crate) fn is_code(&self, at: usize) -> bool {
        self.0.iter().any(|span| span.start <= at && at <= span.end)
    }
}

/// The position of the next run of this many backquotes.
fn closing(text: &str, mut at: usize, ticks: usize) -> Option<usize> {
    loop {
        let run = at + text[at..].find('`')?;
        let length = text[run..].len() - text[run..].trim_start_matches('`').len();
        if length == ticks && !is_inner(text, run) {
            return Some(run);
        }
        at = run + length;
    }
}

/// Whether a backquote is an apostrophe: "won`t".
fn is_inner(text: &str, at: usize) -> bool {
    text[..at].ends_with(char::is_alphabetic) && text[at + 1..].starts_with(char::is_alphabetic)
}

#[cfg(test)]
crate::row_tests::rows! {
    code: |[text]| {
        let found = Zones::of(text).0.into_iter().map(|span| text[span].to_owned());
        found.collect::<Vec<_>>().join(" | ")
    };
    places_in_code: |[text, at]| Zones::of(text).is_code(at.parse().expect("a number"));
}
