/** Live text, control and events with the real voices. */

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { Engine } from "libspeech-sdk";

import { LONG_SENTENCE, all, at, joined, pause, reference, refused, test } from "./support.mjs";
import { consistent, inTheirWords, withoutGaps } from "./events.mjs";

let engine;
before(async () => (engine = await Engine.load({ threads: 2 })));
after(() => engine.close());

const SENTENCE = "It was a bright cold day in April, and the clocks were striking thirteen.";

/** The level in decibels. */
function loudness({ float32 }) {
  return 10 * Math.log10(float32.reduce((sum, sample) => sum + sample * sample, 0) / float32.length);
}

test("it is the stream of the text", async () => {
  const text = "It is four o'clock, and nobody is here. Dr. Smith left at 3.50 p.m. So there.";
  const { bytes } = await engine.synthesize(text);
  assert.deepEqual(await joined(engine.speakLive([...text])), bytes);
});

test("low latency begins a sentence before its end", async () => {
  const [beginning, rest] = ["When the bell rings in the old tower, everybody goes to ", "the square."];
  const live = engine.live({ latency: "low" });
  live.push(beginning);
  const { value: first } = await live.next();
  assert.ok(first.span.end <= beginning.length);
  live.push(rest);
  live.finish();
  const chunks = [first, ...(await all(live))];
  const words = chunks.flatMap(({ words }) => words).map(({ span }) => at(beginning + rest, span));
  assert.deepEqual(words.slice(-3), ["to", "the", "square"]);
});

test("cancelling frees the engine", async (t) => {
  const isRunning = await reference(t, LONG_SENTENCE);
  const live = engine.live();
  live.push(`${LONG_SENTENCE} And so on.`);
  const waiting = refused(() => live.next(), "cancelled");
  await pause(300);
  live.close();
  await waiting;
  assert.ok((await engine.synthesize("Hello.")).duration > 0);
  assert.ok(isRunning(), "the sentence was computed to its end");
});

test("what is heard of rate, pitch and volume", async () => {
  const usual = await engine.synthesize(SENTENCE);
  for (const rate of [0.5, 2]) {
    const { duration } = await engine.synthesize(SENTENCE, { rate });
    assert.ok(Math.abs((duration * rate) / usual.duration - 1) < 0.2, `${duration} s, at ${rate} of ${usual.duration} s`);
  }
  const quiet = await engine.synthesize(SENTENCE, { volume: -12 });
  assert.equal(quiet.samples.length, usual.samples.length);
  assert.ok(Math.abs(loudness(usual) - loudness(quiet) - 12) < 0.5);
  const high = await engine.synthesize(SENTENCE, { pitch: 4 });
  assert.notDeepEqual(high.bytes, usual.bytes);
  assert.ok(Math.abs(high.duration / usual.duration - 1) < 0.01);
});

test("events", async () => {
  const text = "Papa may be home. And then some more of it.";
  const audio = await engine.synthesize(text);
  consistent(text, audio);
  assert.equal(audio.phonemes[0].ipa, "p");
  assert.ok(audio.visemes.filter(({ viseme }) => viseme === "PP").length >= 4);
  const chunks = await all(engine.stream(text, { latency: "low" }));
  assert.ok(chunks.length > 2);
  // A word that begins in one chunk may end in the next.
  inTheirWords(chunks.flatMap(({ words }) => words), chunks.flatMap(({ phonemes }) => phonemes));
  let [start, sounding] = [0, undefined];
  for (const { duration, visemes, phonemes } of chunks) {
    withoutGaps(visemes, start, start + duration);
    if (sounding?.end > start + 0.01) assert.notEqual(visemes[0].viseme, "sil");
    start += duration;
    sounding = phonemes.at(-1);
  }
});
