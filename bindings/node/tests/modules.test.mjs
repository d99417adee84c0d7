/** `import` and `require` return the same objects. */

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

import * as imported from "libspeech-sdk";

import { loadFake, project, run, test } from "./support.mjs";

const require = createRequire(import.meta.url);

const NAMES = [
  "Audio",
  "Chunk",
  "ChunkStream",
  "ERROR_CODES",
  "Engine",
  "Lexicon",
  "LiveStream",
  "MAX_CHARACTERS",
  "SAMPLE_RATE",
  "Samples",
  "Segmenter",
  "SpeechError",
  "Stream",
  "charge",
  "chargeSamples",
  "parseLexicon",
  "parsePls",
  "parseRequest",
  "rankTiers",
  "resolveTier",
  "splitText",
  "tiers",
  "voices",
];

test("both export the same", () => {
  const required = require("libspeech-sdk");
  assert.deepEqual(Object.keys(imported).sort(), NAMES);
  assert.deepEqual(Object.keys(required).sort(), NAMES);
  for (const name of NAMES) assert.equal(imported[name], required[name], name);
});

test("an import at run time gives it too", async () => {
  assert.equal((await import("libspeech-sdk")).Engine, imported.Engine);
});

test("what one makes the other knows", async () => {
  const required = require("libspeech-sdk");
  const engine = await loadFake();
  const audio = await engine.synthesize("Hello.");
  assert.ok(engine instanceof required.Engine);
  assert.ok(audio instanceof required.Audio && audio instanceof required.Samples);
  await assert.rejects(engine.synthesize(""), (error) => error instanceof required.SpeechError);
  await engine.close();
});

test("nothing else of it can be imported", async () => {
  for (const path of ["lib/native.js", "lib/index.js", "index.js"]) {
    await assert.rejects(import(`libspeech-sdk/${path}`), { code: "ERR_PACKAGE_PATH_NOT_EXPORTED" });
  }
  assert.equal(require("libspeech-sdk/package.json").name, "libspeech-sdk");
});

test("a program of CommonJS", async (t) => {
  const cwd = project(t);
  const program = `
    const { Engine } = require("libspeech-sdk");
    Engine.load({ bundle: process.env.SPEECH_FAKE_MODEL }).then(async (engine) => {
      const audio = await engine.synthesize("Hello.");
      process.stdout.write(String(audio.samples.length > 0));
    });
  `;
  writeFileSync(join(cwd, "program.cjs"), program);
  const source = `
    import { spawnSync } from "node:child_process";
    const { stdout, stderr } = spawnSync(process.execPath, ["program.cjs"], { encoding: "utf8" });
    console.log(stdout, stderr);
  `;
  assert.equal((await run(t, source, { cwd })).trim(), "true");
});

/** Workers that load the library in every way. */
const WORKERS = {
  "import()": 'import("libspeech-sdk").then(main)',
  require: 'main(require("libspeech-sdk"))',
};

for (const [name, load] of Object.entries(WORKERS)) {
  test(`${name} in a worker`, async (t) => {
    const source = `
      const { parentPort } = require("node:worker_threads");
      const main = async ({ Engine }) => {
        const engine = await Engine.load({ bundle: process.env.SPEECH_FAKE_MODEL });
        parentPort.postMessage((await engine.synthesize("Hello.")).samples.length);
      };
      ${load};
    `;
    const path = join(project(t), "worker.cjs");
    writeFileSync(path, source);
    const worker = new Worker(path);
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    const spoken = await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
    assert.ok(spoken > 0);
    assert.equal(await ended, 0);
  });
}

test("loading it leaves nothing open", async (t) => {
  const source = `
    const held = async () => {
      // The runtime's own startup work has ended by then.
      await sleep(50);
      const listeners = process.eventNames().map((name) => process.listenerCount(name));
      return JSON.stringify([process.getActiveResourcesInfo(), listeners]);
    };
    const before = await held();
    await import("libspeech-sdk");
    console.log((await held()) === before);
  `;
  assert.equal(await run(t, source, { load: false }), "true\n");
});
