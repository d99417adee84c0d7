/** The event loop goes on while real voices speak. */

import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { after, before } from "node:test";

import { Engine } from "libspeech-sdk";

import { LONG, all, test } from "./support.mjs";

/** Milliseconds. A loop that waited for one sentence would be held up for seconds. */
const BOUND = 200;

let engine;
before(async () => (engine = await Engine.load({ threads: 2 })));
after(() => engine.close());

const WORK = {
  "synthesize a long text": () => engine.synthesize(LONG.slice(0, 600)),
  "stream a long text": () => all(engine.stream(LONG.slice(0, 600))),
  "read a text from a stream of Node": () => all(engine.stream(LONG.slice(0, 300)).toReadable()),
  "load, and close": async () => {
    for (let turn = 0; turn < 5; turn++) await (await Engine.load({ threads: 1 })).close();
  },
};

for (const [name, work] of Object.entries(WORK)) {
  test(name, async (t) => {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const since = performance.now();
    await work();
    const milliseconds = performance.now() - since;
    delay.disable();
    const late = delay.percentile(99) / 1e6;
    t.diagnostic(`${milliseconds.toFixed(0)} ms; the loop was ${late.toFixed(1)} ms late at the 99th percentile`);
    assert.ok(late < BOUND, `${late} ms`);
    assert.ok(delay.count > milliseconds / BOUND, `it was looked at ${delay.count} times in ${milliseconds} ms`);
  });
}
