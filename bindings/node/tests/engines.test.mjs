/** Engines: several of them, concurrent requests, and closing. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before } from "node:test";

import { Engine, voices } from "libspeech-sdk";

import { LONG, TEXT, all, folder, joined, loadFake, macrotask, refused, run, test, variable } from "./support.mjs";

let engine;
before(async () => (engine = await loadFake()));
after(() => engine.close());

/** The speech of each voice, one request at a time. */
async function sequential() {
  const spoken = new Map();
  for (const { id } of voices().voices) spoken.set(id, (await engine.synthesize(TEXT, { voice: id })).bytes);
  return spoken;
}

test("what an engine shows", async () => {
  const engine = await loadFake({ threads: 3 });
  assert.equal(engine.threads, 3);
  assert.match(engine.kernels, /^[a-z0-9_+-]+$/);
  assert.match(engine.precision, /^(fp32|int16|bf16)$/);
  assert.equal(engine.closed, false);
  for (const name of ["threads", "kernels", "precision", "closed"]) assert.throws(() => (engine[name] = 1), TypeError);
  await engine.close();
  assert.deepEqual([engine.closed, engine.threads], [true, 3]);
});

test("32 requests at once give what one gives", async () => {
  const spoken = await sequential();
  const ids = [...spoken.keys()];
  assert.equal(ids.length, 5);
  const requests = Array.from({ length: 32 }, (_, number) => ids[number % ids.length]);
  const answers = await Promise.all(
    requests.map((voice, number) =>
      number % 2 ? joined(engine.stream(TEXT, { voice })) : engine.synthesize(TEXT, { voice }),
    ),
  );
  for (const [place, answer] of answers.entries()) {
    assert.deepEqual(answer.bytes ?? answer, spoken.get(requests[place]));
  }
});

for (const options of [{ threads: 2 }, { threads: 1, maxConcurrency: 2 }, { threads: 3, maxConcurrency: 4 }]) {
  test(`the bytes are those of one thread: ${JSON.stringify(options)}`, async () => {
    const { bytes } = await engine.synthesize(TEXT);
    const other = await loadFake(options);
    const answers = await Promise.all(Array.from({ length: 12 }, () => other.synthesize(TEXT)));
    for (const answer of answers) assert.deepEqual(answer.bytes, bytes);
    await other.close();
  });
}

test("one failure among many", async () => {
  const texts = ["One.", " ", "Three."];
  const outcomes = await Promise.allSettled(texts.map((text) => engine.synthesize(text)));
  assert.deepEqual(outcomes.map(({ status }) => status), ["fulfilled", "rejected", "fulfilled"]);
});

test("engines beside each other", async () => {
  const { bytes } = await engine.synthesize(TEXT);
  const speak = async () => {
    const own = await loadFake({ threads: 2 });
    const audio = await own.synthesize(TEXT);
    await own.close();
    return audio.bytes;
  };
  for (const spoken of await Promise.all(Array.from({ length: 8 }, speak))) assert.deepEqual(spoken, bytes);
});

test("warmUp", async () => {
  assert.equal(await engine.warmUp(), undefined);
  assert.ok((await Promise.all([engine.warmUp(), engine.synthesize(TEXT)]))[1].samples.length > 0);
});

test("kernels and precision that are named", async () => {
  const plain = await loadFake({ kernels: "portable", precision: "fp32" });
  assert.deepEqual([plain.kernels, plain.precision], ["portable", "fp32"]);
  const audio = await plain.synthesize("Hello.");
  assert.deepEqual([audio.kernels, audio.precision], ["portable", "fp32"]);
  const chosen = await loadFake({ kernels: "auto", precision: "auto" });
  assert.deepEqual([chosen.kernels, chosen.precision], [engine.kernels, engine.precision]);
  await Promise.all([plain.close(), chosen.close()]);
});

test("a bundle that is mapped, and one that is not", async () => {
  const { bytes } = await engine.synthesize(TEXT);
  for (const mapBundle of [true, false]) {
    const other = await loadFake({ mapBundle });
    assert.deepEqual((await other.synthesize(TEXT)).bytes, bytes);
    await other.close();
  }
});

test("a bundle in every form", async (t) => {
  const archive = join(folder(t), "voices.tar");
  execFileSync("tar", ["--format=ustar", "-cf", archive, "-C", variable("SPEECH_FAKE_MODEL"), "."]);
  const data = readFileSync(archive);
  const padded = Buffer.concat([Buffer.alloc(7), data, Buffer.alloc(5)]);
  const forms = {
    "a tar file": archive,
    "the URL of a folder": pathToFileURL(`${variable("SPEECH_FAKE_MODEL")}/`),
    "the URL of a tar file": pathToFileURL(archive),
    "the URL of a tar file as a string": pathToFileURL(archive).href,
    "a buffer": data,
    "an array of bytes": new Uint8Array(data),
    "part of an array": new Uint8Array(padded.buffer, padded.byteOffset + 7, data.length),
  };
  const { bytes } = await engine.synthesize(TEXT);
  for (const [name, bundle] of Object.entries(forms)) {
    const other = await Engine.load({ bundle });
    assert.deepEqual((await other.synthesize(TEXT)).bytes, bytes, name);
    await other.close();
  }
});

test("URLs of other things than local files are refused", async () => {
  for (const bundle of [new URL("https://example.org/voices"), new URL("file:///a%2Fb"), "file://host/voices"]) {
    await refused(() => Engine.load({ bundle }), "invalid_request", "bundle is a URL, but none of a file on this machine");
  }
});

test("the bytes of a bundle may change once it is loaded", async (t) => {
  const archive = join(folder(t), "voices.tar");
  execFileSync("tar", ["--format=ustar", "-cf", archive, "-C", variable("SPEECH_FAKE_MODEL"), "."]);
  const bundle = readFileSync(archive);
  const loading = Engine.load({ bundle, threads: 1 });
  bundle.fill(0);
  const other = await loading;
  assert.deepEqual((await other.synthesize(TEXT)).bytes, (await engine.synthesize(TEXT)).bytes);
  await other.close();
});

test("close while it works", async () => {
  const engine = await loadFake();
  const streaming = engine.stream(LONG);
  await streaming.next();
  const cancelled = [
    () => all(streaming),
    ...Array.from({ length: 6 }, () => () => engine.synthesize(LONG)),
    ...Array.from({ length: 6 }, () => () => engine.live().next()),
  ];
  const working = [...cancelled.map((call) => refused(call, "cancelled")), engine.warmUp()];
  let settled = 0;
  for (const each of working) each.then(() => (settled += 1));
  const closing = engine.close();
  assert.equal(engine.closed, true);
  await closing;
  await macrotask();
  assert.equal(settled, working.length, "it waits for what it has stopped");
  await Promise.all(working);
});

test("close again, and at once", async () => {
  const engine = await loadFake();
  await Promise.all([engine.close(), engine.close(), engine.close()]);
  assert.equal(await engine.close(), undefined);
  assert.equal(engine.closed, true);
  await refused(() => engine.synthesize(TEXT), "invalid_request", "the engine is closed");
});

test("close waits for what runs each time", async () => {
  const engine = await loadFake();
  let settled = false;
  const speaking = refused(() => engine.synthesize(LONG), "cancelled").then(() => (settled = true));
  const first = engine.close();
  await engine.close();
  await macrotask();
  assert.equal(settled, true);
  await Promise.all([first, speaking]);
});

test("dispose closes", async () => {
  const engine = await loadFake();
  const waiting = refused(() => engine.synthesize(LONG), "cancelled");
  assert.equal(engine[Symbol.dispose](), undefined);
  assert.equal(engine.closed, true);
  await waiting;
});

test("asyncDispose closes", async () => {
  const engine = await loadFake();
  const speaking = refused(() => engine.synthesize(LONG), "cancelled");
  assert.equal(await engine[Symbol.asyncDispose](), undefined);
  assert.equal(engine.closed, true);
  await speaking;
});

test("an engine that is only used by its stream is not collected", async (t) => {
  const source = `
    const begin = async () => (await Engine.load({ bundle: FAKE_BUNDLE, threads: 1 })).stream(TEXT);
    const stream = await begin();
    let count = 0;
    for (gc(); !(await stream.next()).done; gc()) count += 1;
    console.log(count);
  `;
  assert.equal(await run(t, source, { flags: ["--expose-gc"] }), "3\n");
});
