/** A computation that takes seconds does not delay the exit of the process. */

import assert from "node:assert/strict";

import { clean, start, test, within } from "./support.mjs";

const WORK = {
  synthesize: "void engine.synthesize(LONG_SENTENCE);",
  "a stream": "void engine.stream(LONG_SENTENCE).next();",
};

for (const [name, begin] of Object.entries(WORK)) {
  test(`process.exit in the middle of a sentence: ${name}`, async (t) => {
    const source = `
      const engine = await Engine.load({ threads: 2 });
      ${begin}
      await sleep(300);
      process.on("exit", () => console.log(Date.now()));
      process.exit(3);
    `;
    const ended = await within(30_000, start(t, source));
    const milliseconds = Date.now() - Number(clean(ended, 3));
    assert.equal(ended.stderr, "");
    assert.ok(milliseconds < 4000, `${milliseconds} ms`);
  });
}
