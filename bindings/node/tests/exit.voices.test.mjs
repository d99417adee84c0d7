/** A computation that takes seconds does not delay the exit of the process. */

import assert from "node:assert/strict";

import { LONG_SENTENCE, clean, reference, start, test, until, within } from "./support.mjs";

const WORK = {
  synthesize: "void engine.synthesize(LONG_SENTENCE);",
  "a stream": "void engine.stream(LONG_SENTENCE).next();",
};

for (const [name, begin] of Object.entries(WORK)) {
  test(`process.exit in the middle of a sentence: ${name}`, async (t) => {
    const source = `
      const engine = await Engine.load({ threads: 2 });
      ${begin}
      console.log("begun");
      await sleep(300);
      process.exit(3);
    `;
    const program = start(t, source);
    await until(() => program.stdout === "begun\n", "it has not begun");
    const isRunning = await reference(t, LONG_SENTENCE);
    const ended = await within(30_000, program);
    clean(ended, 3);
    assert.equal(ended.stderr, "");
    assert.ok(isRunning(), "the sentence was computed to its end");
  });
}
