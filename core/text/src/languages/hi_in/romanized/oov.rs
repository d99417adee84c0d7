//! Transliterates unlisted words: a beam search over the channel and a bigram model of symbols.

use super::tables::TABLES;

/// Maximum sequences to keep at each letter.
const BEAM: usize = 16;
/// Maximum cost of adjacent symbols.
const RAREST: u16 = 9 * 16;

#[derive(Clone)]
struct Row {
    symbols: Vec<u8>,
    cost: u16,
}

/// The likeliest Devanagari word for a lower-case spelling.
pub(super) fn transliterate(latin: &str) -> Option<String> {
    let latin = latin.as_bytes();
    let mut beams: Vec<Vec<Row>> = vec![Vec::new(); latin.len() + 1];
    beams[0].push(Row { symbols: Vec::new(), cost: 0 });
    for at in 0..=latin.len() {
        // Silent symbols stay at their letter, so the row grows during the loop.
        let mut next = 0;
        while next < beams[at].len().min(2 * BEAM) {
            if next == 0 {
                beams[at].sort_by_key(|row| row.cost);
                beams[at].truncate(BEAM);
            }
            let row = beams[at][next].clone();
            next += 1;
            for (symbol, length, cost) in TABLES.channel.steps(&latin[at..], row.symbols.is_empty())
            {
                let follows = bigram(row.symbols.last().copied(), Some(symbol));
                if follows <= RAREST {
                    let symbols = row.symbols.iter().copied().chain([symbol]).collect();
                    beams[at + length].push(Row { symbols, cost: row.cost + follows + cost });
                }
            }
        }
    }
    let ended = beams.pop()?.into_iter().filter(|row| !row.symbols.is_empty());
    let best = ended.min_by_key(|row| row.cost + bigram(row.symbols.last().copied(), None))?;
    Some(TABLES.channel.written(&best.symbols))
}

/// The bigram cost of two symbols; `None` is an end of the word.
fn bigram(before: Option<u8>, after: Option<u8>) -> u16 {
    let count = TABLES.channel.len();
    let code = |symbol: Option<u8>| symbol.map_or(count, usize::from);
    u16::from(TABLES.bigrams[code(before) * (count + 1) + code(after)])
}
