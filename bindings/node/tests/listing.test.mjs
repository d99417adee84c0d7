/** The voices listing. */

import assert from "node:assert/strict";

import { MAX_CHARACTERS, SAMPLE_RATE, voices } from "libspeech-sdk";

import { loadFake, test } from "./support.mjs";

const NAMES = ["Aria", "Jason", "John", "Leo", "Sofia"];

test("the listing", () => {
  const listing = voices();
  assert.deepEqual(listing.languages, ["en-US", "hi-IN"]);
  assert.deepEqual(listing.voices, NAMES.map((name) => ({ id: name.toLowerCase(), name })));
  assert.equal(listing.defaultVoice, "aria");
  assert.deepEqual([listing.sampleRate, SAMPLE_RATE], [22_050, 22_050]);
  assert.deepEqual([listing.maxCharacters, MAX_CHARACTERS], [1000, 1000]);
});

test("the listing as JSON", () => {
  const list = NAMES.map((name) => `{"id":"${name.toLowerCase()}","name":"${name}"}`).join(",");
  const limits = '"default_voice":"aria","sample_rate":22050,"max_characters":1000';
  assert.equal(JSON.stringify(voices()), `{"languages":["en-US","hi-IN"],"voices":[${list}],${limits}}`);
});

test("a listing that is changed changes no other", () => {
  voices().languages.push("fr-FR");
  voices().voices.pop();
  assert.deepEqual([voices().languages.length, voices().voices.length], [2, 5]);
});

test("every voice speaks every language", async () => {
  const engine = await loadFake();
  const spoken = new Map();
  for (const { id } of voices().voices) {
    for (const language of voices().languages) {
      const audio = await engine.synthesize("Hello नमस्ते.", { language, voice: id });
      spoken.set(audio.bytes.toString("base64"), `${id} ${language}`);
    }
  }
  assert.equal(spoken.size, 10);
  const plain = await engine.synthesize("Hello नमस्ते.");
  assert.equal(spoken.get(plain.bytes.toString("base64")), "aria en-US");
  await engine.close();
});
