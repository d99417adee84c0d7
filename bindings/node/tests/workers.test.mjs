/** `worker_threads`: an engine in each worker, which may be terminated at any time. */

import assert from "node:assert/strict";
import { MessageChannel } from "node:worker_threads";

import { loadFake, run, test } from "./support.mjs";

/**
 * The start of a program whose workers run the same file. Its main thread does not load the
 * library.
 */
const ALONE = `
const worker = (job) => new Worker(new URL(import.meta.url), { workerData: job });
const exited = (worker) => new Promise((resolve) => worker.once("exit", resolve));
const message = (worker) => new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
// The work is endless, so short texts suffice.
const SOME = LONG.slice(0, 200);
const load = async () => (await import("libspeech-sdk")).Engine.load({ bundle: FAKE_BUNDLE, threads: 1 });
`;

function alone(t, worker, main) {
  return run(t, `${ALONE}\nif (isMainThread) {${main}} else {${worker}}`, { load: false });
}

test("workers that speak at once say the same", async (t) => {
  const speak = `
    const engine = await load();
    const spoken = [];
    for (let turn = 0; turn < 3; turn++) spoken.push((await engine.synthesize(TEXT)).bytes.toString("base64"));
    parentPort.postMessage(spoken);
  `;
  const main = `
    const workers = Array.from({ length: 4 }, () => worker());
    const codes = workers.map(exited);
    const spoken = (await Promise.all(workers.map(message))).flat();
    const here = (await (await load()).synthesize(TEXT)).bytes.toString("base64");
    console.log(spoken.length, new Set([here, ...spoken]).size, await Promise.all(codes));
  `;
  assert.equal(await alone(t, speak, main), "12 1 [ 0, 0, 0, 0 ]\n");
});

/** Endless work of a worker. */
const JOBS = {
  synthesize: "while (true) { await engine.synthesize(SOME); }",
  "many at once": "while (true) { await Promise.all([TEXT, SOME, TEXT].map((text) => engine.synthesize(text))); }",
  stream: "while (true) { for await (const chunk of engine.stream(SOME)) void chunk; }",
  live: "while (true) { for await (const chunk of engine.speakLive([SOME, SOME])) void chunk; }",
  "a wait for text": "await engine.live().next();",
  load: "while (true) { await (await load()).close(); }",
  "warm up": "while (true) { await engine.warmUp(); }",
};

for (const [name, job] of Object.entries(JOBS)) {
  const speak = `const engine = await load(); parentPort.postMessage("begun"); ${job}`;

  test(`10 workers that are terminated: ${name}`, async (t) => {
    const main = `
      const engine = await load();
      const before = (await engine.synthesize(TEXT)).bytes;
      for (let turn = 0; turn < 10; turn++) {
        const busy = worker();
        await message(busy);
        await sleep(7 * turn);
        await busy.terminate();
      }
      // Their unfinished work has ended by now, without its environment.
      await sleep(300);
      console.log((await engine.synthesize(TEXT)).bytes.equals(before));
    `;
    assert.equal(await alone(t, speak, main), "true\n");
  });

  test(`a worker that alone has loaded the module is terminated: ${name}`, async (t) => {
    const main = `
      for (let turn = 0; turn < 3; turn++) {
        const busy = worker();
        await message(busy);
        await sleep(20 * turn);
        await busy.terminate();
      }
      await sleep(500);
      console.log("alive");
    `;
    assert.equal(await alone(t, speak, main), "alive\n");
  });
}

/** Ways in which a worker exits during its work, and the exit status. */
const ENDS = {
  "process.exit": ["void engine.synthesize(LONG); await sleep(10); process.exit(3);", 3],
  "an exception": ["void engine.synthesize(LONG); await sleep(10); throw new Error('on purpose');", 1],
  "its end, with a stream half read": ["await engine.stream(LONG).next();", 0],
};

for (const [name, [job, status]] of Object.entries(ENDS)) {
  test(`a worker ends by ${name}`, async (t) => {
    const main = `
      const codes = [];
      for (let turn = 0; turn < 3; turn++) {
        const busy = worker();
        busy.on("error", () => {});
        codes.push(await exited(busy));
      }
      await sleep(300);
      console.log(JSON.stringify(codes));
    `;
    assert.equal(await alone(t, `const engine = await load(); ${job}`, main), `[${status},${status},${status}]\n`);
  });
}

test("the process ends while a worker works", async (t) => {
  const main = "await message(worker()); await sleep(20); process.exit(0);";
  await alone(t, "const engine = await load(); parentPort.postMessage(1); await engine.synthesize(LONG);", main);
});

test("samples are sent to a worker as a copy", async () => {
  const engine = await loadFake();
  const { samples: pcm } = await engine.synthesize("Hello.");
  const { port1, port2 } = new MessageChannel();
  const received = new Promise((resolve) => port2.once("message", resolve));
  port1.postMessage(pcm);
  assert.deepEqual(await received, pcm);
  assert.ok(pcm.length > 0);
  assert.deepEqual(structuredClone(pcm), pcm);
  port1.close();
  await engine.close();
});

/**
 * Runs in a child process, to detect crashes: reports what remains here of transferred samples, and
 * what arrived.
 */
const TRANSFER = `
const { Engine } = await import("libspeech-sdk");
const engine = await Engine.load({ bundle: FAKE_BUNDLE, threads: 1 });
for (let turn = 0; turn < 20; turn++) {
  const { samples: pcm } = await engine.synthesize(TEXT);
  const whole = Buffer.from(Buffer.from(pcm.buffer));
  const other = worker();
  const answer = message(other);
  const ended = exited(other);
  let refused = false;
  try {
    other.postMessage(pcm, [pcm.buffer]);
  } catch (error) {
    refused = error.name === "DataCloneError";
    other.postMessage(pcm);
  }
  const arrived = (await answer).equals?.(whole) ?? whole.equals(Buffer.from(await answer));
  // Samples are transferred, copied or refused completely.
  const left = pcm.byteLength === 0 || Buffer.from(pcm.buffer).equals(whole);
  if (!arrived || !left) console.log("lost", refused, arrived, pcm.byteLength);
  await ended;
  gc();
}
console.log("done");
`;

test("samples are handed over to a worker", async (t) => {
  const receive = `
    parentPort.once("message", (pcm) => {
      gc();
      parentPort.postMessage(new Uint8Array(pcm.buffer));
    });
  `;
  const source = `${ALONE}\nif (isMainThread) {${TRANSFER}} else {${receive}}`;
  assert.equal(await run(t, source, { load: false, flags: ["--expose-gc"] }), "done\n");
});
