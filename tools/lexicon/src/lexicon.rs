//! Encodes the lexicon in the layout documented in
//! `core/text/src/languages/en_us/phonemize/lexicon.rs`, which reads it.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};

use crate::source::Readings;

/// The words in a block; a block is found without a scan.
const BLOCK: usize = 16;
/// The codes of phonemes; the high bit of a byte marks the last.
const CODES: usize = 128;
/// The tags that entries distinguish, in the order of their codes.
const TAGS: [&str; 10] =
    ["DEFAULT", "None", "NOUN", "VERB", "ADJ", "ADV", "VBD", "VBN", "VBP", "DT"];

const SILVER: u8 = 0x80;
const TAGGED: u8 = 0x40;
const LAST: u8 = 0x80;

/// Merges both lexicons; where both have a word, the better one's entry wins.
pub(crate) fn encode(
    gold: &BTreeMap<String, Readings>,
    silver: &BTreeMap<String, Readings>,
) -> Result<Vec<u8>> {
    let mut words: BTreeMap<&str, (bool, &Readings)> =
        silver.iter().map(|(word, readings)| (word.as_str(), (false, readings))).collect();
    words.extend(gold.iter().map(|(word, readings)| (word.as_str(), (true, readings))));
    let alphabet = Alphabet::of(words.values().map(|(_, readings)| *readings))?;
    let mut blocks = Vec::new();
    let mut body = Vec::new();
    let mut previous = "";
    for (i, (word, (is_gold, readings))) in words.iter().enumerate() {
        ensure!(word.is_ascii() && word.len() < 64, "{word}: an ASCII word of under 64 letters");
        if i % BLOCK == 0 {
            blocks.push(u32::try_from(body.len())?);
            previous = "";
        }
        let shared = word.bytes().zip(previous.bytes()).take_while(|(a, b)| a == b).count();
        let tagged = readings.len() > 1;
        body.push(
            u8::try_from(shared)?
                | if *is_gold { 0 } else { SILVER }
                | if tagged { TAGGED } else { 0 },
        );
        push_ended(&mut body, &word.as_bytes()[shared..])?;
        if tagged {
            body.push(u8::try_from(readings.len())?);
            for (tag, phonemes) in readings.iter() {
                let code = tag_code(tag).with_context(|| format!("{word}: unknown tag {tag}"))?;
                body.push(code | if phonemes.is_none() { LAST } else { 0 });
                if let Some(phonemes) = phonemes {
                    push_ended(&mut body, &alphabet.encode(phonemes)?)?;
                }
            }
        } else {
            let phonemes = readings[0].1.as_deref().context("a plain entry has phonemes")?;
            push_ended(&mut body, &alphabet.encode(phonemes)?)?;
        }
        previous = word;
    }
    let mut out = Vec::new();
    out.extend(u32::try_from(blocks.len())?.to_le_bytes());
    out.extend(alphabet.table()?);
    out.extend(blocks.into_iter().flat_map(u32::to_le_bytes));
    out.extend(body);
    Ok(out)
}

fn tag_code(tag: &str) -> Option<u8> {
    TAGS.iter().position(|name| *name == tag).and_then(|code| u8::try_from(code).ok())
}

/// Appends bytes below 128, and sets the high bit of the last.
fn push_ended(out: &mut Vec<u8>, bytes: &[u8]) -> Result<()> {
    let (last, before) = bytes.split_last().context("nothing to end")?;
    out.extend(before);
    out.push(last | LAST);
    Ok(())
}

/// The codes of phonemes: single symbols, then the pairs of codes that save most.
struct Alphabet {
    symbols: Vec<char>,
    pairs: Vec<(u8, u8)>,
}

impl Alphabet {
    fn of<'a>(entries: impl Iterator<Item = &'a Readings>) -> Result<Self> {
        let readings: Vec<&str> =
            entries.flatten().filter_map(|(_, phonemes)| phonemes.as_deref()).collect();
        let symbols: BTreeSet<char> = readings.iter().flat_map(|reading| reading.chars()).collect();
        let symbols: Vec<char> = symbols.into_iter().collect();
        let mut alphabet = Self { symbols, pairs: Vec::new() };
        let mut texts =
            readings.into_iter().map(|text| alphabet.encode(text)).collect::<Result<Vec<_>>>()?;
        while alphabet.symbols.len() + alphabet.pairs.len() < CODES {
            let pair = most_frequent_pair(&texts);
            let code = u8::try_from(alphabet.symbols.len() + alphabet.pairs.len())?;
            for text in &mut texts {
                replace(text, pair, code);
            }
            alphabet.pairs.push(pair);
        }
        Ok(alphabet)
    }

    /// The codes of a text, with pairs joined in the order in which they were chosen.
    fn encode(&self, phonemes: &str) -> Result<Vec<u8>> {
        let mut text = phonemes
            .chars()
            .map(|symbol| {
                let code = self.symbols.binary_search(&symbol).ok();
                Ok(u8::try_from(code.with_context(|| format!("no code for {symbol}"))?)?)
            })
            .collect::<Result<Vec<u8>>>()?;
        for (i, pair) in self.pairs.iter().enumerate() {
            replace(&mut text, *pair, u8::try_from(self.symbols.len() + i)?);
        }
        Ok(text)
    }

    /// The number of symbols, the symbols in UTF-16, then the two codes of each pair.
    fn table(&self) -> Result<Vec<u8>> {
        let mut table = vec![u8::try_from(self.symbols.len())?];
        for symbol in &self.symbols {
            table.extend(u16::try_from(u32::from(*symbol))?.to_le_bytes());
        }
        table.extend(self.pairs.iter().flat_map(|(first, second)| [*first, *second]));
        Ok(table)
    }
}

fn most_frequent_pair(texts: &[Vec<u8>]) -> (u8, u8) {
    let mut counts = vec![0_u32; CODES * CODES];
    for pair in texts.iter().flat_map(|text| text.windows(2)) {
        counts[usize::from(pair[0]) * CODES + usize::from(pair[1])] += 1;
    }
    let best = (0..counts.len()).max_by_key(|i| (counts[*i], std::cmp::Reverse(*i))).unwrap_or(0);
    ((best / CODES) as u8, (best % CODES) as u8)
}

fn replace(text: &mut Vec<u8>, pair: (u8, u8), code: u8) {
    let mut to = 0;
    let mut from = 0;
    while from < text.len() {
        if from + 1 < text.len() && (text[from], text[from + 1]) == pair {
            text[to] = code;
            from += 2;
        } else {
            text[to] = text[from];
            from += 1;
        }
        to += 1;
    }
    text.truncate(to);
}
