/** Checks that hold for the events of any audio. */

import assert from "node:assert/strict";

import { at } from "./support.mjs";

/** The visemes. */
const VISEMES = ["sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "ih", "oh", "ou"];

/** Checks that the phonemes lie within their words. */
export function inTheirWords(words, phonemes) {
  for (const phoneme of phonemes) {
    assert.ok(phoneme.ipa.length > 0);
    const of = words.filter(({ span }) => span.start === phoneme.span.start && span.end === phoneme.span.end);
    const within = of.some((word) => word.start - 1e-6 <= phoneme.start && phoneme.end <= word.end + 1e-6);
    assert.ok(phoneme.start <= phoneme.end && within, JSON.stringify([phoneme, of]));
  }
  assert.deepEqual(new Set(phonemes.map(({ span }) => span.start)), new Set(words.map(({ span }) => span.start)));
}

/** Checks that the visemes cover an interval without gaps. */
export function withoutGaps(visemes, start, end) {
  let last = start;
  for (const viseme of visemes) {
    assert.ok(VISEMES.includes(viseme.viseme), viseme.viseme);
    assert.ok(Number.isInteger(viseme.azure) && viseme.azure >= 0 && viseme.azure <= 21);
    assert.ok(Math.abs(viseme.start - last) < 1e-6 && viseme.end > viseme.start);
    last = viseme.end;
  }
  assert.ok(Math.abs(last - end) < 1e-6);
}

/** Checks the events of audio that starts `start` seconds after its stream. */
export function consistent(text, { words, sentences, phonemes, visemes, duration }, start = 0) {
  const end = start + duration;
  inTheirWords(words, phonemes);
  withoutGaps(visemes, start, end);
  for (const sentence of sentences) {
    assert.equal(at(text, sentence.span).trim(), at(text, sentence.span));
    assert.ok(start - 1e-6 <= sentence.start && sentence.start < sentence.end && sentence.end <= end + 1e-6);
  }
}
