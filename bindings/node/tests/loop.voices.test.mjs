/** The event loop is not blocked while the real model computes. */

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { Engine } from "libspeech-sdk";

import { test } from "./support.mjs";

/**
 * The minimum number of loop iterations per awaited operation. A blocked loop iterates once or
 * twice.
 */
const TURNS = 20;
/** The same for a second engine on verified files, which loads within about 15 ms. */
const TURNS_OF_A_LOAD = 4;

/** Two sentences, each of which takes a real voice many iterations of the loop. */
const TEXT = "It was a bright cold day in April. The clocks were striking thirteen.";

let engine;
before(async () => (engine = await Engine.load({ threads: 2 })));
after(() => engine.close());

/** Operations, each with the number of loop iterations that it must leave room for. */
const WORK = {
  "synthesize a text": async () => {
    await engine.synthesize(TEXT);
    return TURNS;
  },
  "stream a text": () => counted(engine.stream(TEXT)),
  "read a text from a stream of Node": () => counted(engine.stream(TEXT).toReadable()),
  "load, and close": async () => {
    for (let turn = 0; turn < 5; turn++) await (await Engine.load({ threads: 1 })).close();
    return 5 * TURNS_OF_A_LOAD;
  },
};

async function counted(iterable) {
  let count = 0;
  for await (const _ of iterable) count++;
  assert.ok(count > 1);
  return count * TURNS;
}

/**
 * Counts the loop iterations, at least 1 ms apart, until a promise is settled; returns the count
 * and the value.
 */
async function turning(promise) {
  let turns = 0;
  let settled = false;
  const turn = () => {
    turns++;
    if (!settled) setTimeout(turn, 1);
  };
  setTimeout(turn, 1);
  const value = await promise.finally(() => (settled = true));
  return [turns, value];
}

for (const [name, work] of Object.entries(WORK)) {
  test(name, async (t) => {
    const [turns, wanted] = await turning(work());
    t.diagnostic(`${turns} turns of the loop, over ${wanted} wanted`);
    assert.ok(turns > wanted, `${turns} turns of the loop, over ${wanted} wanted`);
  });
}
