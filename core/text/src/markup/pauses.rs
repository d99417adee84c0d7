//! Pauses in plain text: `[pause 500ms]`, `[pause 1.5s]`.

use speech_base::error::{Error, Result};
use speech_base::language::Language;
use speech_base::prosody_settings::ProsodySettings;
use speech_base::voice::Voice;

use super::passage::{Inline, Passage, Piece, SourceMap};

/// The longest pause, in milliseconds.
pub(crate) const MAX_PAUSE_MS: u32 = 10_000;

/// Makes a passage of a plain text, and removes the pauses if they are to be read.
///
/// # Errors
///
/// `invalid_request`, with the position, for a pause that is too long.
pub fn plain_passage(
    text: &str,
    read_pauses: bool,
    voice: Voice,
    language: Language,
    base: ProsodySettings,
) -> Result<Passage> {
    let mut passage = Passage::plain("", voice, language, base);
    let mut pieces = Vec::new();
    let mut from = 0;
    if read_pauses {
        for (at, length, milliseconds) in pauses(text) {
            if milliseconds > f64::from(MAX_PAUSE_MS) {
                let place = text[..at].chars().count() + 1;
                let message = format!(
                    "the pause at character {place} is too long: the most is {} s",
                    MAX_PAUSE_MS / 1000
                );
                return Err(Error::invalid_request(message));
            }
            push(&mut passage.text, &mut pieces, &text[from..at], from);
            passage.inline.push((passage.text.len(), Inline::Pause(milliseconds.round() as u32)));
            from = at + length;
        }
    }
    if from == 0 {
        passage.text = text.to_owned();
        return Ok(passage);
    }
    push(&mut passage.text, &mut pieces, &text[from..], from);
    passage.source = SourceMap::new(pieces);
    Ok(passage)
}

fn push(plain: &mut String, pieces: &mut Vec<Piece>, literal: &str, from: usize) {
    let start = plain.len();
    plain.push_str(literal);
    let source = from..from + literal.len();
    pieces.push(Piece { plain: start..plain.len(), source, is_literal: true });
}

/// Rejects a text whose pauses exceed `most` seconds in total.
///
/// # Errors
///
/// `invalid_request`, with the position of the pause that exceeds the limit.
pub fn check_pauses(text: &str, most: u64) -> Result<()> {
    let mut all = 0.0;
    for (at, _, milliseconds) in pauses(text) {
        all += milliseconds;
        if all > most as f64 * 1000.0 {
            let place = text[..at].chars().count() + 1;
            let message =
                format!("the pauses up to character {place} are together longer than {most} s");
            return Err(Error::invalid_request(message));
        }
    }
    Ok(())
}

/// The pauses of a text: start, length in bytes, and milliseconds.
fn pauses(text: &str) -> impl Iterator<Item = (usize, usize, f64)> {
    text.match_indices('[').filter_map(|(at, _)| {
        let (length, milliseconds) = pause(&text[at..])?;
        Some((at, length, milliseconds))
    })
}

/// The length in bytes and the milliseconds of the pause at the start of a text.
fn pause(text: &str) -> Option<(usize, f64)> {
    let rest = text.strip_prefix("[pause ")?;
    let (length, _) = rest.split_once(']')?;
    let (number, factor) = match length.strip_suffix("ms") {
        Some(number) => (number, 1.0),
        None => (length.strip_suffix('s')?, 1000.0),
    };
    let number = number.strip_suffix(' ').unwrap_or(number);
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && number.ends_with(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_digit() || c == '.');
    let number: f64 = number.parse().ok().filter(|_| is_number)?;
    Some(("[pause ".len() + length.len() + 1, number * factor))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row_tests::or_dash;

    fn read(text: &str) -> Result<Passage> {
        plain_passage(text, true, Voice::ARIA, Language::EnUs, ProsodySettings::default())
    }

    crate::row_tests::rows! {
        pauses_in_plain_text: |[text]| or_dash(pause(text).map(|(_, length)| length));
    }

    #[test]
    fn pauses_are_taken_out_and_spans_stay() {
        let passage = read("Wait. [pause 1s] Go[pause 20ms] on.").unwrap();
        assert_eq!(passage.text, "Wait.  Go on.");
        assert_eq!(passage.inline, [(6, Inline::Pause(1000)), (9, Inline::Pause(20))]);
        assert_eq!(passage.source.source(&(7..9)), 17..19);
        assert_eq!(passage.source.source(&(10..12)), 32..34);
        let plain = read("[1] and [pause]").unwrap();
        assert_eq!((plain.text.as_str(), plain.inline.len()), ("[1] and [pause]", 0));
        let off = plain_passage(
            "a [pause 1s]",
            false,
            Voice::ARIA,
            Language::EnUs,
            ProsodySettings::default(),
        );
        assert_eq!(off.unwrap().text, "a [pause 1s]");
    }

    #[test]
    fn a_pause_that_is_too_long_is_refused() {
        let error = read("हाँ [pause 11s]").unwrap_err();
        assert_eq!(error.message(), "the pause at character 5 is too long: the most is 10 s");
        assert!(read("[pause 10s]").is_ok());
    }
}
