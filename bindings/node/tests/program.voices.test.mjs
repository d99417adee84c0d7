/** The bytes are those of the Rust program. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before } from "node:test";
import { promisify } from "node:util";

import { Engine } from "libspeech-sdk";

import { joined, test, variable } from "./support.mjs";

/** The requests of the comparison. */
const REQUESTS = [
  { text: "Hello, world. I paid $5 & 20%!", voice: "aria" },
  { text: "The quick brown fox 😀 jumps.", voice: "john" },
  { text: "नमस्ते दुनिया। आज 25 तारीख है।", language: "hi-IN", voice: "sofia" },
  { text: "Mixed पाठ here.", language: "hi-IN", voice: "leo" },
  { text: "One, in English.", language: "en-US", voice: "jason" },
];

const engines = new Map();
before(async () => {
  for (const threads of [1, 2]) engines.set(threads, await Engine.load({ threads }));
});
after(() => Promise.all([...engines.values()].map((engine) => engine.close())));

/** The standard output of the Rust program. */
async function rustOutput({ text, ...fields }, threads, ...others) {
  const named = Object.entries(fields).flatMap(([name, value]) => [`--${name}`, value]);
  const bundle = ["--bundle", variable("SPEECH_REFERENCE_BUNDLE"), "--threads", String(threads)];
  const options = { encoding: "buffer", maxBuffer: 2 ** 26 };
  const program = variable("SPEECH_PROGRAM");
  return (await promisify(execFile)(program, ["say", text, ...named, ...bundle, ...others], options)).stdout;
}

for (const [place, request] of REQUESTS.entries()) {
  for (const threads of [1, 2]) {
    test(`${request.voice}, ${threads} threads`, async () => {
      const engine = engines.get(threads);
      const wav = await rustOutput(request, threads);
      assert.ok(wav.length > 20_000);
      const audio = await engine.synthesize(request);
      assert.ok(audio.wav.equals(wav));
      if (place === threads) assert.ok((await rustOutput(request, threads, "--format", "pcm")).equals(audio.bytes));
      assert.ok((await joined(engine.stream(request))).equals(audio.bytes));
    });
  }
}

test("with low latency", async () => {
  const request = { text: "The first half second of this sentence is heard before the rest of it.", latency: "low" };
  const stream = engines.get(2).stream(request);
  assert.ok((await joined(stream)).equals(await rustOutput(request, 2, "--format", "pcm")));
});
