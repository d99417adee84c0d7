/** The result of a synthesis: samples without copies, a WAV file, timestamps. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before } from "node:test";
import { pathToFileURL } from "node:url";

import { Audio, Chunk, SAMPLE_RATE, Samples } from "libspeech-sdk";

import { PACKAGE, SENTENCES, TEXT, UUID, all, at, folder, given, joined, loadFake, run, test } from "./support.mjs";

let engine, audio, chunk;
before(async () => {
  engine = await loadFake();
  audio = await engine.synthesize(TEXT);
  [chunk] = await all(engine.stream(TEXT));
});
after(() => engine.close());

/** A test that runs on an `Audio` and on a `Chunk`. */
function both(name, body) {
  test(`${name}: a whole text`, (t) => body(audio, t));
  test(`${name}: a sentence`, (t) => body(chunk, t));
}

both("the samples", (samples) => {
  assert.ok(samples instanceof Samples);
  assert.ok(samples.samples instanceof Int16Array);
  assert.ok(samples.samples.length > 22_050 / 2);
  assert.ok(Math.max(...samples.samples.subarray(0, 20_000)) > 1000);
  assert.equal(samples.sampleRate, SAMPLE_RATE);
  assert.equal(samples.duration, samples.samples.length / 22_050);
});

both("the bytes are the same memory", (samples) => {
  const { samples: pcm, bytes } = samples;
  assert.ok(Buffer.isBuffer(bytes));
  assert.equal(bytes.buffer, pcm.buffer);
  assert.deepEqual([bytes.byteOffset, bytes.length], [pcm.byteOffset, 2 * pcm.length]);
  const before = pcm[5];
  bytes.writeInt16LE(12_345, 10);
  assert.equal(pcm[5], 12_345);
  pcm[5] = before;
  assert.equal(samples.bytes.readInt16LE(10), before);
});

/** The format number of an encoding in a WAV file, and the bytes per sample. */
const ENCODINGS = { pcm16: [1, 2], float32: [3, 4], mulaw: [7, 1], alaw: [6, 1] };

for (const sampleRate of [8000, 16_000, 22_050, 24_000, 44_100, 48_000]) {
  test(`every encoding at ${sampleRate} Hz`, async () => {
    const { duration, words } = await engine.synthesize(TEXT);
    const plain = await engine.synthesize(TEXT, { sampleRate });
    assert.ok(Math.abs(plain.duration - duration) < 0.001);
    for (const [place, { start }] of plain.words.entries()) assert.ok(Math.abs(start - words[place].start) < 0.001);
    for (const [encoding, [format, size]] of Object.entries(ENCODINGS)) {
      const options = { sampleRate, encoding };
      const audio = await engine.synthesize(TEXT, options);
      assert.deepEqual([audio.sampleRate, audio.encoding], [sampleRate, encoding]);
      assert.deepEqual(audio.samples, plain.samples);
      assert.equal(audio.bytes.length, size * audio.samples.length);
      const header = encoding === "pcm16" ? 44 : 58;
      const { wav } = audio;
      assert.deepEqual(
        [wav.readUInt16LE(20), wav.readUInt32LE(24), wav.readUInt32LE(4), wav.readUInt32LE(header - 4)],
        [format, sampleRate, wav.length - 8, audio.bytes.length],
      );
      assert.deepEqual(wav.subarray(header, header + audio.bytes.length), audio.bytes);
      const stream = engine.stream(TEXT, options);
      assert.deepEqual([stream.sampleRate, stream.encoding], [sampleRate, encoding]);
      assert.deepEqual(await joined(stream), audio.bytes);
      assert.deepEqual(await joined(engine.streamLong(TEXT, options)), audio.bytes);
    }
  });
}

test("floats are those of the samples", async () => {
  const { bytes, float32 } = await engine.synthesize(TEXT, { encoding: "float32" });
  assert.deepEqual(bytes, Buffer.from(float32.buffer));
});

// The digests of all 65,536 codes are the same as in the tests of the core.
test("the codes of telephones are the nearest", () => {
  const all = Int16Array.from({ length: 65_536 }, (_, place) => place - 32_768);
  const { encoded } = createRequire(import.meta.url)(join(PACKAGE, "lib", "encoding.js"));
  const digest = (encoding) => createHash("sha256").update(encoded(all, encoding)).digest("hex");
  assert.equal(digest("mulaw"), "4167e3114d8b24c3410329dcbfe2a6a58ba4ee4d2ec2165762f3d4a0721f8ed3");
  assert.equal(digest("alaw"), "a4c874ea5467e60befc3ca8ddaddba3877eb5b012f7cc8f54949cf0837c6ef7f");
});

both("the numbers", (samples) => {
  const numbers = samples.float32;
  assert.ok(numbers instanceof Float32Array);
  assert.equal(numbers.length, samples.samples.length);
  assert.ok(numbers.every((number) => number >= -1 && number <= 1));
  assert.ok(numbers.every((number, place) => number * 32_768 === samples.samples[place]));
  numbers[0] = 1;
  assert.notEqual(samples.float32[0], 1, "it is a copy");
});

both("the file", (samples) => {
  const { wav, bytes } = samples;
  assert.equal(wav.length, 44 + bytes.length);
  assert.equal(wav.toString("latin1", 0, 4), "RIFF");
  assert.equal(wav.readUInt32LE(4), wav.length - 8);
  assert.equal(wav.toString("latin1", 8, 16), "WAVEfmt ");
  assert.equal(wav.readUInt32LE(16), 16);
  const fields = [wav.readUInt16LE(20), wav.readUInt16LE(22), wav.readUInt16LE(32), wav.readUInt16LE(34)];
  assert.deepEqual(fields, [1, 1, 2, 16]);
  assert.deepEqual([wav.readUInt32LE(24), wav.readUInt32LE(28)], [22_050, 44_100]);
  assert.equal(wav.toString("latin1", 36, 40), "data");
  assert.equal(wav.readUInt32LE(40), bytes.length);
  assert.deepEqual(wav.subarray(44), bytes);
  wav.fill(0);
  assert.ok(samples.bytes.some((byte) => byte !== 0), "it is a copy");
});

both("it is saved", async (samples, t) => {
  const path = join(folder(t), "a name with spaces ü.wav");
  writeFileSync(path, "more than there was before".repeat(10_000));
  for (const place of [path, Buffer.from(path), pathToFileURL(path)]) {
    assert.equal(await samples.save(place), undefined);
    assert.deepEqual(readFileSync(path), samples.wav);
  }
});

both("where nothing can be saved", async (samples, t) => {
  const path = folder(t);
  await assert.rejects(samples.save(join(path, "none", "a.wav")), { code: "ENOENT" });
  await assert.rejects(samples.save(path), { code: "EISDIR" });
  await assert.rejects(samples.save(null), TypeError);
});

test("what comes with it", async () => {
  assert.ok(audio instanceof Audio);
  assert.equal(audio.characters, TEXT.length);
  assert.match(audio.requestId, UUID);
  assert.notEqual(audio.requestId, (await engine.synthesize(TEXT)).requestId);
  assert.deepEqual(audio.diagnostics, []);
  assert.deepEqual([audio.kernels, audio.precision], [engine.kernels, engine.precision]);
  const since = performance.now();
  const { elapsed } = await engine.synthesize(TEXT);
  assert.ok(elapsed > 0 && elapsed * 1000 <= performance.now() - since);
});

test("what comes with a sentence", () => {
  assert.ok(chunk instanceof Chunk);
  assert.ok(!(chunk instanceof Audio));
  assert.equal(at(TEXT, chunk.span), SENTENCES[0]);
});

test("when each word is heard", () => {
  const said = audio.words.map(({ span }) => at(TEXT, span));
  assert.deepEqual(said, "First this of 25 words Then that And it ends here".split(" "));
  let last = 0;
  for (const { start, end } of audio.words) {
    assert.ok(last <= start && start < end && end <= audio.duration);
    last = end;
  }
});

/** Texts with characters of one to four bytes, their words, and their skipped parts. */
const PLACES = [
  ["😀 I own 25 of them.", ["I", "own", "25", "of", "them"], ["😀"]],
  ["👩‍👩‍👧 One 🇮🇳 two.", ["One", "two"], ["👩‍👩‍👧", "🇮🇳"]],
  ["नमस्ते दुनिया, कल 5 files भेजो।", ["नमस्ते", "दुनिया", "कल", "5", "files", "भेजो"], []],
  ["😀 नमस्ते 🎉 दुनिया।", ["नमस्ते", "दुनिया"], ["😀", "🎉"]],
  ["One.\r\n\r\n\tTwo 😀\x01 three.", ["One", "Two", "three"], ["😀\x01"]],
  ["é naïve 𝐇ello.", undefined, []],
];

for (const [text, words, skipped] of PLACES) {
  test(`places are counted in code units: ${JSON.stringify(text)}`, async () => {
    const language = text.includes("न") ? "hi-IN" : "en-US";
    const audio = await engine.synthesize(text, { language });
    assert.equal(audio.characters, [...text].length);
    assert.deepEqual(audio.diagnostics.map(({ span }) => at(text, span)), skipped);
    assert.ok(audio.diagnostics.every(({ kind }) => kind === "skipped"));
    const found = audio.words.map(({ span }) => at(text, span));
    if (words !== undefined) assert.deepEqual(found, words);
    else assert.ok(text.includes(found.join(" ")), found.join(" "));
    const stream = engine.stream(text, { language });
    assert.deepEqual(stream.diagnostics, audio.diagnostics);
    const streamed = (await all(stream)).flatMap((chunk) => chunk.words);
    assert.deepEqual(streamed.map(({ span }) => span), audio.words.map(({ span }) => span));
  });
}

test("Hindi in Latin letters", async () => {
  const pcm = async (request) => (await engine.synthesize(...given({ language: "hi-IN", ...request }))).samples;
  const written = await pcm({ text: "कल मिलते हैं" });
  assert.deepEqual(await pcm({ text: "kal milte hain" }), written);
  assert.notDeepEqual(await pcm({ text: "kal milte hain", readRomanizedHindi: false }), written);
});

test("emoji that are read", async () => {
  const text = "We won ❤️.";
  const silent = await engine.synthesize(text);
  const read = await engine.synthesize(text, { readEmoji: true });
  assert.deepEqual(silent.diagnostics.map(({ span }) => at(text, span)), ["❤️"]);
  assert.deepEqual(read.diagnostics, []);
  assert.ok(read.duration > silent.duration);
});

test("nothing to say", async () => {
  const audio = await engine.synthesize("😀");
  assert.ok(audio.duration > 0 && audio.duration < 1);
  assert.ok(audio.samples.every((sample) => sample === 0));
  assert.deepEqual(audio.words, []);
  assert.equal(audio.diagnostics.length, 1);
});

test("it cannot be exchanged", () => {
  for (const name of ["sampleRate", "encoding", "duration", "bytes", "float32", "wav"]) {
    assert.throws(() => (audio[name] = 1), TypeError);
  }
});

test("the samples outlive what they came with, and the memory is the library's", async (t) => {
  const source = `
    const engine = await Engine.load({ bundle: FAKE_BUNDLE, threads: 1 });
    const collected = () => (gc(), process.memoryUsage());
    const before = collected();
    const kept = [];
    for (let turn = 0; turn < 5; turn++) kept.push((await engine.synthesize(LONG)).samples);
    const bytes = kept.reduce((sum, pcm) => sum + pcm.byteLength, 0);
    // Only memory of the runtime's own allocator is counted here, not memory handed over by the
    // library.
    const copied = collected().arrayBuffers - before.arrayBuffers;
    const first = Buffer.from(kept[0].buffer);
    await engine.close();
    gc();
    console.log(bytes > 10e6, copied < bytes / 10, kept.every((pcm) => first.equals(Buffer.from(pcm.buffer))));
  `;
  assert.equal(await run(t, source, { flags: ["--expose-gc"] }), "true true true\n");
});
