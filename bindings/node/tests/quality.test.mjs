/** The quality of speech: which networks compute it. */

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { TEXT, all, given, joined, loadFake, refused, test } from "./support.mjs";

let engine;
before(async () => (engine = await loadFake()));
after(() => engine.close());

test("what a bundle has", async () => {
  assert.deepEqual(engine.qualities("aria", "en-US"), ["full", "fast", "light"]);
  assert.deepEqual(engine.qualities("aria", "hi-IN"), ["full", "fast"]);
  assert.deepEqual(engine.qualities("leo", "en-US"), ["full"]);
  await refused(() => engine.qualities("bob", "en-US"), "invalid_request", 'unsupported voice "bob"');
  await refused(() => engine.qualities("leo", "en"), "invalid_request", 'unsupported language "en"');
  await refused(() => engine.qualities("leo"), "invalid_request", "language must be a string");
});

test("each is of other networks, and the same however it is asked for", async () => {
  const spoken = new Set();
  for (const quality of engine.qualities("aria", "en-US")) {
    const request = { text: TEXT, quality };
    const { bytes } = await engine.synthesize(...given(request));
    spoken.add(bytes.toString("base64"));
    assert.deepEqual((await engine.synthesize(...given(request))).bytes, bytes);
    assert.deepEqual(await joined(engine.stream(...given(request))), bytes);
    assert.deepEqual(await joined(engine.streamLong(...given(request))), bytes);
    assert.deepEqual(await joined(engine.speakLive([TEXT], { quality })), bytes);
  }
  assert.equal(spoken.size, 3);
  const { bytes } = await engine.synthesize(TEXT, { quality: "full" });
  assert.deepEqual((await engine.synthesize(TEXT)).bytes, bytes);
  assert.deepEqual((await engine.synthesize(TEXT, { quality: "auto" })).bytes, bytes);
});

test("low latency of a light quality", async () => {
  const chunks = await all(engine.stream(TEXT, { quality: "light", latency: "low" }));
  assert.deepEqual([chunks[0].span.start, chunks.at(-1).span.end], [0, TEXT.length]);
});

test("what the bundle lacks is refused", async () => {
  const settings = { voice: "leo", quality: "fast" };
  const message = "the voice bundle does not have quality fast for leo in en-US; it has full";
  for (const call of [
    () => engine.synthesize(TEXT, settings),
    () => engine.stream(TEXT, settings),
    () => engine.streamLong(TEXT, settings),
    () => engine.live(settings),
    () => engine.speakLive([TEXT], settings),
  ]) {
    const { detail, advice } = await refused(call, "invalid_request", message);
    assert.deepEqual([detail, advice], ["quality_not_in_bundle", undefined]);
  }
});
