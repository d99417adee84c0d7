/** The bytes are the same as those of the Rust program. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before } from "node:test";
import { promisify } from "node:util";

import { Engine } from "libspeech-sdk";

import { given, joined, test, variable } from "./support.mjs";

/** The requests of the comparison. */
const REQUESTS = [
  { text: "I paid $5 & 20%!", voice: "aria" },
  { text: "A fox 😀 jumps.", voice: "john" },
  { text: "आज 25 तारीख।", language: "hi-IN", voice: "sofia" },
  { text: "Mixed पाठ here.", language: "hi-IN", voice: "leo" },
  { text: "One. Two, in English.", language: "en-US", voice: "jason" },
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

for (const request of REQUESTS) {
  test(`${request.voice}, with 1 and 2 threads`, async () => {
    const wav = await rustOutput(request, 1);
    const pcm = await rustOutput(request, 2, "--format", "pcm");
    assert.ok(pcm.length > 20_000);
    for (const [threads, engine] of engines) {
      const audio = await engine.synthesize(...given(request));
      assert.ok(audio.wav.equals(wav), `${threads} threads`);
      assert.ok(audio.bytes.equals(pcm), `${threads} threads`);
      assert.ok((await joined(engine.stream(...given(request)))).equals(pcm), `${threads} threads, streamed`);
    }
  });
}

test("with low latency", async () => {
  const request = { text: "The first half second is heard before the rest.", latency: "low" };
  const stream = engines.get(2).stream(...given(request));
  assert.ok((await joined(stream)).equals(await rustOutput(request, 2, "--format", "pcm")));
});
