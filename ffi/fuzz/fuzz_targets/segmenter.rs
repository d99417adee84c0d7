//! A text that arrives in arbitrary pieces has the sentences of the whole text, and `split_text`
//! returns parts of them.
#![no_main]

use std::ops::Range;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use speech_core::{Segment, Segmenter};
use speech_text::front_end;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    cuts: Vec<u16>,
    every_character: bool,
    max_characters: u8,
    text: &'a str,
}

fuzz_target!(|input: Input<'_>| {
    let Input { cuts, every_character, max_characters, text } = input;
    let sentences: Vec<_> =
        front_end::sentences(text).into_iter().map(|sentence| sentence.span).collect();
    let mut cuts: Vec<_> = if every_character {
        text.char_indices().map(|(at, _)| at).collect()
    } else {
        let at = |cut: u16| text.floor_char_boundary(usize::from(cut) % (text.len() + 1));
        cuts.into_iter().map(at).collect()
    };
    cuts.sort_unstable();
    assert_eq!(in_pieces(text, &cuts), sentences, "{text:?} cut at {cuts:?}");

    let mut rest = text;
    let limit = usize::from(max_characters).max(1);
    for part in speech_core::split_text(text, max_characters.into()) {
        let start = rest.find(part).expect("parts are in order");
        assert!(rest[..start].trim().is_empty(), "{text:?} split at {limit}");
        assert!((1..=limit).contains(&part.chars().count()), "{text:?} split at {limit}");
        assert_eq!(part.trim(), part);
        rest = &rest[start + part.len()..];
    }
    assert!(rest.trim().is_empty(), "{text:?} split at {limit}");
});

fn in_pieces(text: &str, cuts: &[usize]) -> Vec<Range<usize>> {
    let mut segmenter = Segmenter::new();
    let mut segments = Vec::new();
    let mut start = 0;
    for end in cuts.iter().copied().chain([text.len()]) {
        segments.extend(segmenter.push(&text[start..end]));
        start = end;
    }
    segments.extend(segmenter.finish());
    for Segment { span, text: sentence, .. } in &segments {
        assert_eq!(text.get(span.clone()), Some(&**sentence));
    }
    segments.into_iter().map(|segment| segment.span).collect()
}
