/** Aborting interrupts a computation that takes seconds. */

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { Engine } from "libspeech-sdk";

import { LONG, LONG_SENTENCE, TEXT, all, pause, refused, test, until } from "./support.mjs";

/**
 * The milliseconds until a computation is interrupted: it has begun by then, and takes much longer.
 */
const BEGUN = 150;

let engine, reference;
before(async () => ([engine, reference] = await Promise.all([load(), load()])));
after(() => Promise.all([engine.close(), reference.close()]));

function load() {
  return Engine.load({ threads: 2 });
}

/**
 * Runs `body` while an engine of the same kind speaks a long sentence to its end. `body` receives a
 * function that fails once that engine has ended: until then, no other engine can have finished a
 * text of the same length.
 */
async function besideAReference(body) {
  const stream = reference.stream(LONG_SENTENCE);
  let running = true;
  const end = stream.next().catch(() => {}).finally(() => (running = false));
  await body(() => assert.ok(running, "it was not interrupted"));
  stream.close();
  await end;
}

/**
 * Checks that the call has returned, and the engine is free, before it could have finished the
 * text.
 */
async function assertFreed(assertEarly) {
  assertEarly();
  await engine.synthesize("Hello.");
  assertEarly();
}

/** Work that can be aborted in the middle of a sentence. */
const WORK = {
  synthesize: (signal) => engine.synthesize(LONG_SENTENCE, { signal }),
  "a stream": (signal) => all(engine.stream(LONG_SENTENCE, { signal })),
  "a web stream": (signal) => all(engine.stream(LONG_SENTENCE, { signal }).toReadableStream()),
  "a stream of Node": (signal) => all(engine.stream(LONG_SENTENCE, { signal }).toReadable()),
};

for (const [name, begin] of Object.entries(WORK)) {
  test(`${name} is aborted`, () =>
    besideAReference(async (assertEarly) => {
      const controller = new AbortController();
      const speaking = refused(() => begin(controller.signal), "cancelled");
      await pause(BEGUN);
      controller.abort("enough");
      const error = await speaking;
      assert.deepEqual([error.name, error.cause], ["AbortError", "enough"]);
      await assertFreed(assertEarly);
    }));
}

test("a time limit", () =>
  besideAReference(async (assertEarly) => {
    const signal = AbortSignal.timeout(BEGUN);
    const error = await refused(() => engine.synthesize(LONG, { signal }), "cancelled");
    assert.deepEqual([error.name, error.cause.name], ["AbortError", "TimeoutError"]);
    await assertFreed(assertEarly);
  }));

test("a time limit over many sentences", async () => {
  const stream = engine.stream(LONG, { signal: AbortSignal.timeout(400) });
  const error = await refused(() => all(stream), "cancelled");
  assert.equal(error.cause.name, "TimeoutError");
});

test("one that waits for its turn is aborted, and the other goes on", async () => {
  const controller = new AbortController();
  let spoken = false;
  const other = engine.synthesize(TEXT.repeat(2)).finally(() => (spoken = true));
  await pause(50);
  const waiting = refused(() => engine.synthesize("Hello.", { signal: controller.signal }), "cancelled");
  await pause(50);
  controller.abort();
  await waiting;
  assert.equal(spoken, false);
  assert.ok((await other).duration > 5);
});

test("a stream that is closed stops", () =>
  besideAReference(async (assertEarly) => {
    const stream = engine.stream(LONG_SENTENCE);
    const waiting = refused(() => stream.next(), "cancelled");
    await pause(BEGUN);
    stream.close();
    assert.equal((await waiting).name, "SpeechError");
    await assertFreed(assertEarly);
  }));

test("a loop that is left stops what is computed ahead", async () => {
  const stream = engine.stream(`Hello. I say: ${LONG_SENTENCE}`);
  assert.equal(stream.sentences, 2);
  await besideAReference(async (assertEarly) => {
    for await (const _ of stream) {
      await pause(BEGUN);
      break;
    }
    await assertFreed(assertEarly);
  });
});

test("a stream that is collected stops what is computed ahead", () =>
  besideAReference(async (assertEarly) => {
    const begin = async () => {
      const stream = engine.stream(`Hello. I say: ${LONG_SENTENCE}`);
      await stream.next();
      return new WeakRef(stream);
    };
    const alive = await begin();
    await pause(BEGUN);
    const isCollected = () => {
      gc();
      return alive.deref() === undefined;
    };
    await until(isCollected, "the stream lives");
    await assertFreed(assertEarly);
  }));

test("an engine that is closed stops", async () => {
  const engine = await load();
  await besideAReference(async (assertEarly) => {
    const speaking = refused(() => engine.synthesize(LONG_SENTENCE), "cancelled");
    const streaming = refused(() => all(engine.stream(LONG_SENTENCE)), "cancelled");
    await pause(BEGUN);
    await engine.close();
    assertEarly();
    assert.equal((await speaking).name, "SpeechError");
    await streaming;
  });
});
