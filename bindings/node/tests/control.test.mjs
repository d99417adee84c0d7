/** Rate, pitch, volume and pauses; timestamps. */

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { parseRequest } from "libspeech-sdk";

import { SENTENCES, TEXT, all, at, given, joined, loadFake, test } from "./support.mjs";
import { consistent } from "./events.mjs";

let engine;
before(async () => (engine = await loadFake()));
after(() => engine.close());

/** A text whose code units, characters and bytes differ. */
const MIXED = "😀 Café noir. यह दूसरा है! The 🎉 end.";

test("the defaults change nothing", async () => {
  const { bytes } = await engine.synthesize(TEXT);
  const defaults = { text: TEXT, rate: 1, pitch: 0, volume: -0, ssml: false, readPauses: true };
  assert.deepEqual((await engine.synthesize(...given(defaults))).bytes, bytes);
  assert.deepEqual(await joined(engine.stream(...given(defaults))), bytes);
});

test("giving memory back changes nothing", async () => {
  const { bytes } = await engine.synthesize(TEXT);
  for (let times = 0; times < 2; times += 1) engine.trim();
  assert.deepEqual((await engine.synthesize(TEXT)).bytes, bytes);
});

for (const setting of [{ rate: 1.5 }, { pitch: 3 }, { volume: -6 }]) {
  test(`every way to say ${JSON.stringify(setting)}`, async () => {
    const request = { text: TEXT, ...setting };
    const { bytes } = await engine.synthesize(...given(request));
    assert.notDeepEqual(bytes, (await engine.synthesize(TEXT)).bytes);
    assert.deepEqual((await engine.synthesize(...given(parseRequest(JSON.stringify(request))))).bytes, bytes);
    for (const stream of [engine.stream(...given(request)), engine.streamLong(...given(request)), engine.speakLive([TEXT], setting)]) {
      assert.deepEqual(await joined(stream), bytes);
    }
  });
}

test("from JSON", () => {
  const json = '{"text": "a", "rate": 2, "pitch": -1.5, "volume": 3, "ssml": true, "read_pauses": false, "read_emoji": true}';
  const request = { text: "a", format: "wav", rate: 2, pitch: -1.5, volume: 3, ssml: true, readPauses: false, readEmoji: true };
  assert.deepEqual(parseRequest(json), request);
});

test("pauses", async () => {
  const text = "One. [pause 1.5s] Two. [pause 500 ms] Three.";
  const paused = await engine.synthesize(text);
  assert.ok(paused.duration > (await engine.synthesize("One. Two. Three.")).duration + 1);
  assert.deepEqual(paused.words.map(({ span }) => at(text, span)), ["One", "Two", "Three"]);
  assert.equal(paused.characters, text.length);
  const asItStands = await engine.synthesize(text, { readPauses: false });
  assert.ok(asItStands.words.some(({ span }) => at(text, span) === "pause"));
});

for (const [name, text] of Object.entries({ English: TEXT, "mixed scripts": MIXED })) {
  test(`events: ${name}`, async () => {
    const whole = await engine.synthesize(text);
    consistent(text, whole);
    assert.deepEqual(whole.marks, []);
    const chunks = await all(engine.stream(text));
    let start = 0;
    for (const chunk of chunks) {
      consistent(text, chunk, start);
      start += chunk.duration;
    }
    for (const name of ["words", "sentences", "phonemes"]) {
      const joined = chunks.flatMap((chunk) => chunk[name]);
      assert.deepEqual(joined.map(({ span }) => span), whole[name].map(({ span }) => span));
      for (const [place, event] of whole[name].entries()) {
        assert.ok(Math.abs(joined[place].start - event.start) < 1e-6);
        assert.ok(Math.abs(joined[place].end - event.end) < 1e-6);
      }
    }
  });
}

test("sentences", async () => {
  const { sentences, words } = await engine.synthesize(TEXT);
  assert.deepEqual(sentences.map(({ span }) => at(TEXT, span)), SENTENCES);
  for (const { span, start, end } of sentences) {
    const within = words.filter((word) => word.span.start >= span.start && word.span.end <= span.end);
    assert.ok(Math.abs(start - within[0].start) < 1e-6 && Math.abs(end - within.at(-1).end) < 1e-6);
  }
});

test("nothing to say", async () => {
  const { words, sentences, phonemes, visemes, duration } = await engine.synthesize("...");
  assert.deepEqual([words, sentences, phonemes], [[], [], []]);
  assert.deepEqual(visemes, [{ viseme: "sil", azure: 0, start: 0, end: duration }]);
});
