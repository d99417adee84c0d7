//! The program with the real voices, which `cargo xtask test` provides.

#![allow(dead_code)]

mod client;

use std::collections::HashSet;

use client::Client;

/// The number of samples before the first audible one.
fn silence_before(samples: &[i16]) -> usize {
    samples.iter().position(|sample| sample.unsigned_abs() > 100).unwrap_or(samples.len())
}

#[test]
fn letters_and_texts() {
    let mut client = Client::spawn("Prepare 0");
    client.send("INIT\n");
    assert_eq!(client.reply(), "299-libspeech is loaded\n299 OK LOADED SUCCESSFULLY");
    let mut letters = HashSet::new();
    for letter in 'a'..='z' {
        let samples = client.say("CHAR", &letter.to_string()).samples;
        assert!((2_000..26_000).contains(&samples.len()), "{letter}: {}", samples.len());
        assert!(silence_before(&samples) <= 176, "{letter}: {}", silence_before(&samples));
        letters.insert(samples);
    }
    assert_eq!(letters.len(), 26);

    let text = "<speak>It is <mark name=\"one\"/>nine. <mark name=\"__spd_0\"/>And so <mark name=\"two\"/>on.</speak>";
    let spoken = client.say("SPEAK", text);
    assert!(silence_before(&spoken.samples) <= 176);
    assert_eq!(spoken.marks.len(), 3);
    assert!(spoken.marks.is_sorted_by_key(|(_, place)| *place));
    assert!(spoken.marks[0].1 > 2_000 && spoken.marks[1].1 > spoken.marks[0].1 + 4_000);

    client.set(&[("language", "hi"), ("synthesis_voice", "sofia")]);
    assert!(client.say("CHAR", "क").samples.len() > 2_000);
    assert!(client.say("SPEAK", "<speak>नमस्ते, आप कैसे हैं?</speak>").samples.len() > 22_050);
}

#[test]
fn the_quality_is_that_of_the_configuration_where_the_voice_has_it() {
    let said = |configuration: &str| {
        let mut client = Client::spawn(configuration);
        client.send("INIT\n");
        client.reply();
        ["aria", "john"].map(|voice| {
            client.set(&[("language", "en"), ("synthesis_voice", voice)]);
            client.say("SPEAK", "<speak>button</speak>").samples
        })
    };
    let [light, full] = ["Prepare 0", "Prepare 0\nQuality \"full\""].map(said);
    assert_ne!(light[0], full[0]);
    assert_eq!(light[1], full[1]);
}
