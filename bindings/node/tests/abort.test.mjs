/** `AbortSignal`: rejected values, and listeners left behind. */

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { after, before } from "node:test";

import { SpeechError } from "libspeech-sdk";

import { LONG, TEXT, UUID, all, loadFake, refused, run, test } from "./support.mjs";

let engine;
before(async () => (engine = await loadFake()));
after(() => engine.close());

function listeners(signal) {
  return getEventListeners(signal, "abort").length;
}

/** Checks the error of an aborted call. */
function assertAborted(error, reason) {
  assert.ok(error instanceof SpeechError);
  assert.deepEqual([error.name, error.code, error.cause], ["AbortError", "cancelled", reason]);
  assert.deepEqual([error.retryable, error.httpStatus], [false, undefined]);
  assert.match(error.requestId, UUID);
  assert.equal(String(error), `AbortError: ${error.message}`);
}

test("aborted before", async () => {
  const signal = AbortSignal.abort();
  assertAborted(await refused(() => engine.synthesize(TEXT, { signal }), "cancelled"), signal.reason);
  assert.equal(signal.reason.name, "AbortError");
  assert.throws(() => engine.stream(TEXT, { signal }), { name: "AbortError", code: "cancelled" });
  assert.equal(listeners(signal), 0);
});

test("the reason may be anything", async () => {
  for (const reason of [new RangeError("on purpose"), "enough", 5, null]) {
    const signal = AbortSignal.abort(reason);
    assertAborted(await refused(() => engine.synthesize(TEXT, { signal }), "cancelled"), reason);
  }
});

test("a request that is refused comes before a signal", async () => {
  const signal = AbortSignal.abort();
  await refused(() => engine.synthesize(5, { signal }), "invalid_request");
});

test("aborted at once", async () => {
  const controller = new AbortController();
  const speaking = refused(() => engine.synthesize(LONG, { signal: controller.signal }), "cancelled");
  await null;
  controller.abort("enough");
  assertAborted(await speaking, "enough");
  assert.equal(listeners(controller.signal), 0);
});

test("aborted while it waits for its turn", async () => {
  const first = engine.synthesize(LONG);
  const controller = new AbortController();
  const second = refused(() => engine.synthesize(TEXT, { signal: controller.signal }), "cancelled");
  setTimeout(() => controller.abort(), 10);
  assertAborted(await second, controller.signal.reason);
  assert.ok((await first).samples.length > 0);
});

test("a stream that is aborted while a sentence is awaited", async () => {
  const controller = new AbortController();
  const stream = engine.stream(LONG, { signal: controller.signal });
  await stream.next();
  const waiting = refused(() => all(stream), "cancelled");
  controller.abort("enough");
  assertAborted(await waiting, "enough");
  assert.equal(stream.closed, true);
  assert.equal(listeners(controller.signal), 0);
});

test("a stream that is aborted between its sentences", async () => {
  for (const read of [0, 1]) {
    const controller = new AbortController();
    const stream = engine.stream(LONG, { signal: controller.signal });
    for (let turn = 0; turn < read; turn++) await stream.next();
    controller.abort("enough");
    assert.equal(stream.closed, true);
    assertAborted(await refused(() => stream.next(), "cancelled"), "enough");
  }
});

test("a web stream and a stream of Node that are aborted fail", async () => {
  for (const read of [(stream) => stream.toReadable(), (stream) => stream.toReadableStream()]) {
    const controller = new AbortController();
    const reading = read(engine.stream(LONG, { signal: controller.signal }));
    const parts = reading[Symbol.asyncIterator]();
    await parts.next();
    controller.abort("enough");
    const rest = async () => {
      while (!(await parts.next()).done);
    };
    assertAborted(await refused(rest, "cancelled"), "enough");
  }
});

test("no listener is left", async () => {
  const { signal } = new AbortController();
  await engine.synthesize(TEXT, { signal });
  assert.equal(listeners(signal), 0, "after synthesize");
  await refused(() => engine.synthesize(" ", { signal }), "empty_text");
  assert.equal(listeners(signal), 0, "after a refusal");
  await refused(async () => engine.stream(" ", { signal }), "empty_text");
  assert.equal(listeners(signal), 0, "after the refusal of a stream");
  await all(engine.stream(TEXT, { signal }));
  assert.equal(listeners(signal), 0, "after a stream");
  for await (const _ of engine.stream(TEXT, { signal })) break;
  assert.equal(listeners(signal), 0, "after a stream that is left");
  for await (const _ of engine.stream(TEXT, { signal }).toReadable()) break;
  assert.equal(listeners(signal), 0, "after a stream of Node that is left");
  await engine.stream(TEXT, { signal }).toReadableStream().cancel();
  assert.equal(listeners(signal), 0, "after a web stream that is cancelled");
});

test("no listener is left by a closed engine", async () => {
  const engine = await loadFake();
  const { signal } = new AbortController();
  const stream = engine.stream(LONG, { signal });
  await stream.next();
  const speaking = refused(() => engine.synthesize(LONG, { signal }), "cancelled");
  await engine.close();
  await speaking;
  await refused(() => all(stream), "cancelled");
  assert.equal(listeners(signal), 0);
  await refused(() => engine.synthesize(TEXT, { signal }), "invalid_request", "the engine is closed");
  assert.equal(listeners(signal), 0);
});

test("one signal for many", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const speaking = Array.from({ length: 5 }, () => refused(() => engine.synthesize(LONG, { signal }), "cancelled"));
  await null;
  controller.abort();
  for (const error of await Promise.all(speaking)) assertAborted(error, signal.reason);
});

test("fifty calls at once with one signal print no warning", async (t) => {
  const source = `
    import { getEventListeners } from "node:events";
    const engine = await Engine.load({ bundle: FAKE_BUNDLE, threads: 1 });
    const controller = new AbortController();
    const { signal } = controller;
    const listeners = () => getEventListeners(signal, "abort").length;
    const warnings = [];
    process.on("warning", (warning) => warnings.push(warning.name));
    const speaking = Array.from({ length: 25 }, () => engine.synthesize("Hello.", { signal }));
    const streams = Array.from({ length: 25 }, () => engine.stream("Hello.", { signal }));
    const during = listeners();
    await Promise.all(speaking);
    for (const stream of streams) for await (const chunk of stream) void chunk;
    const after = listeners();
    // All waiting calls are aborted, and no listener is left.
    const refused = Array.from({ length: 50 }, () => engine.synthesize(LONG, { signal }).catch((error) => error.code));
    controller.abort();
    const codes = new Set(await Promise.all(refused));
    await sleep(1);
    console.log(JSON.stringify({ during, after, codes: [...codes], last: listeners(), warnings }));
  `;
  const printed = JSON.parse(await run(t, source));
  assert.deepEqual(printed, { during: 1, after: 0, codes: ["cancelled"], last: 0, warnings: [] });
});

test("what ends first takes no listener from others", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const speaking = refused(() => engine.synthesize(LONG, { signal }), "cancelled");
  const stream = engine.stream(TEXT, { signal });
  stream.close();
  await null;
  assert.equal(listeners(signal), 1);
  controller.abort("enough");
  assertAborted(await speaking, "enough");
  assert.equal(listeners(signal), 0);
});

test("a stream that is collected leaves its signal", async (t) => {
  const source = `
    import { getEventListeners } from "node:events";
    const engine = await Engine.load({ bundle: FAKE_BUNDLE, threads: 1 });
    const { signal } = new AbortController();
    const listeners = () => getEventListeners(signal, "abort").length;
    for (const begin of [() => engine.stream(LONG, { signal }), () => engine.live({ signal })]) {
      begin();
      const during = listeners();
      for (let turn = 0; listeners() > 0 && turn < 100; turn++) {
        await sleep(10);
        gc();
      }
      console.log(during, listeners());
    }
  `;
  assert.equal(await run(t, source, { flags: ["--expose-gc"] }), "1 0\n1 0\n");
});

test("a signal of a time limit that is not reached", async () => {
  const signal = AbortSignal.timeout(60_000);
  assert.ok((await engine.synthesize(TEXT, { signal })).samples.length > 0);
  assert.equal(listeners(signal), 0);
});

test("a signal that is aborted afterwards changes nothing", async () => {
  const controller = new AbortController();
  const audio = await engine.synthesize(TEXT, { signal: controller.signal });
  const stream = engine.stream(TEXT, { signal: controller.signal });
  assert.equal((await all(stream)).length, 3);
  controller.abort();
  assert.ok(audio.samples.length > 0);
  assert.deepEqual(await stream.next(), { done: true, value: undefined });
});
