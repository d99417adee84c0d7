/** The process exits soon, with its own status and without a crash, even during a computation. */

import assert from "node:assert/strict";

import { clean, start, test, until, within } from "./support.mjs";

/** The time limit of a program in milliseconds: one that takes longer hangs. */
const LIMIT = 30_000;

const ENGINE = "const engine = await Engine.load({ bundle: FAKE_BUNDLE, threads: 2 });";

/** Programs, their expected exit statuses, and their output. */
const PROGRAMS = {
  "nothing was used": ["void Engine;", 0],
  "an engine that lives": [ENGINE, 0],
  "an engine that was closed": [`${ENGINE} await engine.close();`, 0],
  "a stream that is half read": [`${ENGINE} const stream = engine.stream(LONG); await stream.next();`, 0],
  "a stream that was never read": [`${ENGINE} const stream = engine.stream(LONG);`, 0],
  "a readable that was never read": [`${ENGINE} const readable = engine.stream(LONG).toReadable();`, 0],
  "what is asked for is done before the end": [
    `${ENGINE} engine.synthesize(LONG).then((audio) => console.log(audio.duration > 10));`,
    0,
    "true\n",
  ],
  "process.exit while it speaks": [
    `${ENGINE} for (let n = 0; n < 4; n++) void engine.synthesize(LONG); await sleep(30); process.exit(7);`,
    7,
  ],
  "process.exit at once": [`${ENGINE} void engine.synthesize(LONG); process.exit(7);`, 7],
  "process.exit while it streams": [`${ENGINE} for await (const chunk of engine.stream(LONG)) process.exit(4);`, 4],
  "process.exit while a stream is closed": [
    `${ENGINE} const stream = engine.stream(LONG); void stream.next(); stream.close(); process.exit(5);`,
    5,
  ],
  "a live stream that was never read": [`${ENGINE} engine.live().push(LONG);`, 0],
  "a live stream that is half read": [`${ENGINE} const live = engine.live(); live.push(LONG); await live.next();`, 0],
  "process.exit while it waits for text": [
    `${ENGINE} const live = engine.live(); void live.next(); await sleep(30); process.exit(5);`,
    5,
  ],
  "process.exit while it loads": [
    "for (let n = 0; n < 4; n++) void Engine.load({ bundle: FAKE_BUNDLE }); process.exit(6);",
    6,
  ],
  "process.exit while it closes": [
    `${ENGINE} void engine.synthesize(LONG).catch(() => {}); void engine.close(); process.exit(8);`,
    8,
  ],
  "process.exit in what is told": [`${ENGINE} engine.synthesize(TEXT).then(() => process.exit(9));`, 9],
  "process.exitCode": [`${ENGINE} void engine.synthesize(TEXT); process.exitCode = 3;`, 3],
  "an exception that nobody catches": [
    `${ENGINE} void engine.synthesize(LONG); setTimeout(() => { throw new RangeError("on purpose"); }, 20);`,
    1,
    "",
    /RangeError: on purpose/,
  ],
  "a refusal that nobody catches": [`${ENGINE} void engine.synthesize("");`, 1, "", /SpeechError: text is empty/],
  "work begun at the end": [
    `${ENGINE} process.on("exit", () => { void engine.synthesize(LONG); engine.stream(LONG).next(); });`,
    0,
  ],
  "work begun before the end": [
    `${ENGINE} process.once("beforeExit", () => engine.synthesize(TEXT).then(() => console.log("spoken")));`,
    0,
    "spoken\n",
  ],
};

for (const [name, [source, status, printed = "", errors = /^$/]] of Object.entries(PROGRAMS)) {
  test(`a program ends: ${name}`, async (t) => {
    const ended = await within(LIMIT, start(t, source));
    assert.equal(clean(ended, status), printed);
    assert.match(ended.stderr, errors);
  });
}

test("it ends at any moment", async (t) => {
  for (let turn = 0; turn < 5; turn++) {
    const source = `
      ${ENGINE}
      const other = await Engine.load({ bundle: FAKE_BUNDLE, threads: 1 });
      const speakOn = async (engine) => { while (true) await engine.synthesize(TEXT); };
      for (const each of [engine, other, engine]) void speakOn(each);
      setTimeout(() => process.exit(2), ${10 + 37 * turn});
    `;
    const ended = await within(LIMIT, start(t, source));
    clean(ended, 2);
    assert.equal(ended.stderr, "");
  }
});

/** Signals that end a program without a handler for them. */
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
  test(`${signal} ends a program that speaks`, async (t) => {
    const program = start(t, `${ENGINE} console.log("begun"); while (true) await engine.synthesize(LONG);`);
    await until(() => program.stdout === "begun\n", "it has not begun");
    program.child.kill(signal);
    const ended = await within(LIMIT, program);
    clean(ended, signal);
    assert.equal(ended.stderr, "");
  });

  test(`${signal} is handled by a program that speaks`, async (t) => {
    const source = `
      ${ENGINE}
      const controller = new AbortController();
      process.once("${signal}", () => controller.abort());
      console.log("begun");
      try {
        while (true) await engine.synthesize(LONG, { signal: controller.signal });
      } catch (error) {
        console.log(error.name);
      }
      await engine.close();
    `;
    const program = start(t, source);
    await until(() => program.stdout === "begun\n", "it has not begun");
    program.child.kill(signal);
    const ended = await within(LIMIT, program);
    assert.equal(clean(ended, 0), "begun\nAbortError\n");
    assert.equal(ended.stderr, "");
  });
}
