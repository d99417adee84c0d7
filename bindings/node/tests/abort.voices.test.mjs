/** Aborting interrupts a computation that takes seconds. */

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { Engine } from "libspeech-sdk";

import { LONG, LONG_SENTENCE, TEXT, all, pause, refused, taken, test } from "./support.mjs";

/** A limit in milliseconds: far more than an interruption takes, and less than the interrupted synthesis. */
const SOON = 1500;

let engine;
before(async () => (engine = await Engine.load({ threads: 2 })));
after(() => engine.close());

/** The call is rejected soon, and the engine is free for other requests soon. */
async function assertFreed(since) {
  const returned = performance.now() - since;
  assert.ok(returned < SOON, `${returned} ms`);
  await engine.synthesize("Hello.");
  const spoken = performance.now() - since;
  assert.ok(spoken < 2 * SOON, `${spoken} ms`);
}

test("what is aborted takes seconds", async () => {
  assert.ok((await taken(() => engine.synthesize(LONG_SENTENCE))) > SOON);
});

/** What can be aborted in the middle of a sentence. */
const WORK = {
  synthesize: (signal) => engine.synthesize(LONG_SENTENCE, { signal }),
  "a stream": (signal) => all(engine.stream(LONG_SENTENCE, { signal })),
  "a web stream": (signal) => all(engine.stream(LONG_SENTENCE, { signal }).toReadableStream()),
  "a stream of Node": (signal) => all(engine.stream(LONG_SENTENCE, { signal }).toReadable()),
};

for (const [name, begin] of Object.entries(WORK)) {
  test(`${name} is aborted`, async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const speaking = refused(() => begin(signal), "cancelled");
    await pause(300);
    const since = performance.now();
    controller.abort("enough");
    const error = await speaking;
    assert.deepEqual([error.name, error.cause], ["AbortError", "enough"]);
    await assertFreed(since);
  });
}

test("a time limit", async () => {
  const signal = AbortSignal.timeout(300);
  const since = performance.now();
  const error = await refused(() => engine.synthesize(LONG, { signal }), "cancelled");
  assert.deepEqual([error.name, error.cause.name], ["AbortError", "TimeoutError"]);
  await assertFreed(since + 300);
});

test("a time limit over many sentences", async () => {
  const stream = engine.stream(LONG, { signal: AbortSignal.timeout(400) });
  const error = await refused(() => all(stream), "cancelled");
  assert.equal(error.cause.name, "TimeoutError");
});

test("one that waits for its turn is aborted, and the other goes on", async () => {
  const controller = new AbortController();
  let spoken = false;
  const other = engine.synthesize(TEXT.repeat(3)).finally(() => (spoken = true));
  await pause(50);
  const waiting = refused(() => engine.synthesize("Hello.", { signal: controller.signal }), "cancelled");
  await pause(50);
  controller.abort();
  await waiting;
  assert.equal(spoken, false);
  assert.ok((await other).duration > 5);
});

test("a stream that is closed stops", async () => {
  const stream = engine.stream(LONG_SENTENCE);
  const waiting = refused(() => stream.next(), "cancelled");
  await pause(300);
  const since = performance.now();
  stream.close();
  assert.equal((await waiting).name, "SpeechError");
  await assertFreed(since);
});

test("a loop that is left stops what is computed ahead", async () => {
  let since;
  for await (const _ of engine.stream(`Hello. ${LONG_SENTENCE}`)) {
    await pause(200);
    since = performance.now();
    break;
  }
  await assertFreed(since);
});

test("an engine that is closed stops", async () => {
  const engine = await Engine.load({ threads: 2 });
  const speaking = refused(() => engine.synthesize(LONG_SENTENCE), "cancelled");
  const streaming = refused(() => all(engine.stream(LONG_SENTENCE)), "cancelled");
  await pause(300);
  const closing = await taken(() => engine.close());
  assert.ok(closing < SOON, `${closing} ms`);
  assert.equal((await speaking).name, "SpeechError");
  await streaming;
});
