// The Node package under mixed load, for `soak.program`: whole texts, streams, Node streams,
// cancellation, rejections, and engines that come and go. Takes the path of the texts; runs in the
// folder of a project with the package.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const { Engine, SpeechError } = createRequire(join(process.cwd(), "package.json"))("libspeech-sdk");

const texts = JSON.parse(readFileSync(process.argv[2], "utf8"));
let ended = false;
process.stdin.on("end", () => (ended = true)).resume();

/** @param {InstanceType<typeof Engine>} engine */
const operations = (engine) => ({
  whole: async (text) => assert((await engine.synthesize(text)).wav.length > 4_000),
  stream: async (text) => {
    let samples = 0;
    for await (const chunk of engine.stream(text)) samples += chunk.samples.length;
    assert(samples > 2_000);
  },
  half: async (text) => {
    for await (const chunk of engine.stream(text)) return assert(chunk.samples.length > 0);
  },
  readable: async (text) => {
    let bytes = 0;
    for await (const part of engine.stream(text).toReadable()) bytes += part.length;
    assert(bytes > 4_000);
  },
  aborted: async (text) => {
    const signal = AbortSignal.timeout(20);
    await engine.synthesize(text, { signal }).catch((error) => assert(signal.aborted, error));
  },
  live: async ({ text, ...settings }) => {
    const live = engine.live({ latency: "low", rate: 1.2, ...settings });
    for (const word of text.split(" ")) live.push(`${word} `);
    live.finish();
    let samples = 0;
    for await (const chunk of live) samples += chunk.samples.length;
    assert(samples > 2_000 && live.heardAt(1e9) > 0);
  },
  interrupted: async ({ text, ...settings }) => {
    const live = engine.live(settings);
    live.push(`${text} And more. `);
    for await (const chunk of live) {
      assert(chunk.samples.length > 0);
      live.close();
    }
  },
  document: async () => {
    const audio = await engine.synthesize("<speak>One <mark name='m'/> two.</speak>", { ssml: true });
    assert(audio.phonemes.length > 4 && audio.visemes.length > 4 && audio.marks.length === 1);
  },
  refused: () =>
    assert.rejects(
      async () => engine.synthesize("x".repeat(1001)),
      (error) => error instanceof SpeechError && error.code === "text_too_long",
    ),
});

const report = async (name, operation) => {
  const begin = performance.now();
  await operation();
  console.log(name, (performance.now() - begin).toFixed(1));
};

const another = async () => {
  const engine = await Engine.load({ threads: 2 });
  await engine.synthesize("Yes.");
  await engine.close?.();
};

const engine = await Engine.load({ threads: 1, maxConcurrency: 2 });
const all = Object.entries(operations(engine));
const run = async (first) => {
  for (let number = first; !ended; number++) {
    if (number % 10 === 0) await report("probe", () => engine.synthesize("Yes."));
    const [name, operation] = all[number % all.length];
    const text = texts[Math.floor(number / all.length) % texts.length];
    await report(name, () => operation(text));
    if (first === 0 && number % 100 === 99) await report("engine", another);
  }
};

console.log(`pid ${process.pid}`);
await Promise.all([run(0), run(1)]);
