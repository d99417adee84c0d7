/**
 * The requirements for every runtime, without a test framework: `cargo xtask full` also runs it in
 * Bun and Deno.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { pathToFileURL } from "node:url";

import { Engine, SpeechError, parseRequest, splitText } from "libspeech-sdk";

const TEXT = "First this, of 25 words. Then that! And it ends here.";

/** The error that a call must throw or its promise must reject with. */
async function refused(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return assert.fail(`it was not refused: ${call}`);
}

const engine = await Engine.load({ bundle: pathToFileURL(process.env.SPEECH_FAKE_MODEL), threads: 2 });
const audio = await engine.synthesize(TEXT, { voice: "leo" });
assert.equal(audio.characters, TEXT.length);
assert.ok(audio.samples.some((sample) => sample !== 0));
assert.equal(audio.wav.toString("latin1", 0, 4), "RIFF");
assert.equal(audio.words.length, 11);

/** All ways to read a stream. */
const stream = () => {
  const { text, format, ...options } = parseRequest(JSON.stringify({ text: TEXT, voice: "leo" }));
  assert.equal(format, "wav");
  return engine.stream(text, options);
};
for (const read of [
  async () => {
    const chunks = [];
    for await (const chunk of stream()) chunks.push(chunk.bytes);
    assert.equal(chunks.length, 3);
    return chunks;
  },
  async () => {
    const readable = stream().toReadable();
    const parts = [];
    readable.on("data", (part) => parts.push(part));
    await once(readable, "end");
    return parts;
  },
  async () => [Buffer.from(await new Response(stream().toReadableStream()).arrayBuffer())],
]) {
  assert.deepEqual(Buffer.concat(await read()), audio.bytes);
}

const controller = new AbortController();
const { signal } = controller;
const waiting = Array.from({ length: 20 }, () => refused(() => engine.synthesize(TEXT.repeat(15), { signal })));
controller.abort("enough");
for (const error of await Promise.all(waiting)) {
  assert.ok(error instanceof SpeechError);
  assert.deepEqual([error.name, error.code, error.cause], ["AbortError", "cancelled", "enough"]);
}

assert.equal((await refused(() => engine.synthesize(" "))).code, "empty_text");
assert.match((await refused(() => engine.synthesize("a", { voise: "leo" }))).message, /did you mean voice\?/);
assert.match((await refused(() => splitText("a\0"))).message, /NUL/);
assert.equal((await refused(() => new Engine())).name, "TypeError");

const unread = engine.stream(TEXT);
await unread.next();
await engine.close();
assert.equal((await refused(() => unread.next())).code, "cancelled");
assert.match((await refused(() => engine.synthesize(TEXT))).message, /closed/);
console.log("all is well");
