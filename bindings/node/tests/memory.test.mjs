/** No leak of memory, threads or file descriptors. */

import assert from "node:assert/strict";

import { run, test } from "./support.mjs";

/** Counts the memory, threads and file descriptors of its own process. */
const MEASURE = `
import { readdirSync } from "node:fs";
import { getEventListeners } from "node:events";
const count = (folder) => (process.platform === "linux" ? readdirSync(folder).length : 0);
const collected = async () => {
  for (let turn = 0; turn < 3; turn++) {
    gc();
    await sleep(1);
  }
};
const counts = () => [count("/proc/self/task"), count("/proc/self/fd")];
// Cancelled or unread work ends by itself soon: after 0.25 s without a change.
const settled = async () => {
  let last = counts();
  for (let same = 0, turn = 0; same < 12 && turn < 500; turn++) {
    await sleep(20);
    const now = counts();
    same = now.every((value, place) => value === last[place]) ? same + 1 : 0;
    last = now;
  }
  return last;
};
const held = async () => {
  await collected();
  const [threads, files] = await settled();
  await collected();
  const { rss, heapUsed } = process.memoryUsage();
  return [rss, heapUsed, threads, files];
};
const repeat = async (use, times) => {
  for (let turn = 1; turn <= times; turn++) {
    await use();
    // Collects explicitly: when the runtime collects by itself is not tested here.
    if (turn % 20 === 0) await collected();
  }
};
const growth = async (use, warmUp, times) => {
  await repeat(use, warmUp);
  const before = await held();
  await repeat(use, times);
  const after = await held();
  console.log(JSON.stringify(after.map((value, place) => value - before[place])));
};
// 0.4 s of audio: 18 kB, more than a round may leave behind.
const SHORT = "Hello.";
const load = (threads) => Engine.load({ bundle: FAKE_BUNDLE, threads });
`;

/** Factor of the number of rounds, for a longer run that finds smaller leaks. */
const FACTOR = Number(process.env.SPEECH_MEMORY_ROUNDS ?? 1);

/**
 * Work to repeat: its setup, one round, the numbers of warm-up and measured rounds, and the bytes
 * that a round may leave behind.
 */
const USES = {
  synthesize: ["const engine = await load(1);", "async () => (await engine.synthesize(SHORT)).wav", 50, 200, 2_000],
  "streams that are half read": [
    "const engine = await load(2);",
    "() => engine.stream('One. ' + SHORT).next()",
    100,
    250,
    2_000,
  ],
  "streams that are never read": [
    "const engine = await load(1);",
    "() => { for (let turn = 0; turn < 100; turn++) engine.stream('Hello.'); }",
    20,
    100,
    10_000,
  ],
  "streams that are left": [
    "const engine = await load(2);",
    "async () => { for await (const chunk of engine.stream('One. Two. ' + SHORT)) break; }",
    100,
    250,
    2_000,
  ],
  "streams of Node that are half read": [
    "const engine = await load(2);",
    "async () => { for await (const bytes of engine.stream('One. Two. ' + SHORT).toReadable()) break; }",
    100,
    250,
    2_000,
  ],
  "live streams": [
    "const engine = await load(1);",
    `async () => {
      const live = engine.live();
      live.push(SHORT + " So");
      await live.next();
      live.push(" there.");
      live.finish();
      for await (const chunk of live) live.heardAt(chunk.duration);
    }`,
    100,
    250,
    2_000,
  ],
  "live streams that are left": [
    "const engine = await load(2); async function* tokens() { for (;;) yield SHORT + ' '; }",
    "async () => { for await (const chunk of engine.speakLive(tokens())) break; }",
    100,
    250,
    2_000,
  ],
  "live streams that are never read": [
    "const engine = await load(1);",
    "() => { for (let turn = 0; turn < 100; turn++) engine.live().push('Hello.'); }",
    20,
    100,
    10_000,
  ],
  refusals: [
    "const engine = await load(1); const texts = [' ', 'a'.repeat(1001), '\\ud800', 5];",
    "() => Promise.all(texts.map((text) => engine.synthesize(text).catch((error) => error.toJSON())))",
    500,
    500,
    1_000,
  ],
  "what is aborted": [
    "const engine = await load(1);",
    `async () => {
      const controller = new AbortController();
      const speaking = engine.synthesize(LONG, { signal: controller.signal }).catch(() => {});
      await sleep(2);
      controller.abort();
      await speaking;
    }`,
    50,
    200,
    5_000,
  ],
  "one signal for all": [
    "const engine = await load(1); const { signal } = new AbortController();",
    "async () => { for await (const chunk of engine.stream('Hello.', { signal })) void chunk; }",
    50,
    250,
    2_000,
  ],
  engines: [
    "",
    "async () => { const engine = await load(2); await engine.synthesize(SHORT); await engine.close(); }",
    50,
    20,
    1_000_000,
  ],
  "engines that are forgotten": [
    "",
    "async () => { await (await load(1)).synthesize('Hello.'); await collected(); }",
    10,
    20,
    1_000_000,
  ],
  lexicons: [
    "const { parseLexicon } = await import('libspeech-sdk'); const engine = await load(1);" +
      "const lines = Array.from({ length: 300 }, (_, number) => `word${number}\\ta\\n`).join('');",
    "async () => (await engine.synthesize(SHORT, { lexicons: [await parseLexicon(lines)] })).wav",
    50,
    200,
    2_000,
  ],
  segmenters: [
    "const { Segmenter, splitText } = await import('libspeech-sdk'); const text = 'One sentence. '.repeat(100);",
    "async () => [new Segmenter().push(text), splitText(text, 100)]",
    300,
    500,
    1_000,
  ],
};

/** Threads that wait a few seconds for the next task. */
const IDLE_THREADS = 4;

/**
 * Bytes that memory may grow by in total: the runtime and the allocator fill their caches for some
 * time.
 */
const ONCE = 1_500_000;

/** Bytes that the heap may grow by per round, and in total. */
const HEAP = { each: 300, once: 300_000 };

for (const [name, [beginning, use, warmUp, rounds, bytes]] of Object.entries(USES)) {
  const times = rounds * FACTOR;
  const source = `${MEASURE}\n${beginning}\nawait growth(${use}, ${warmUp}, ${times});`;
  // It is random how much memory glibc keeps per thread, how far the runtime lets its heap grow,
  // and when it loads its optimizing compiler.
  const environment = { MALLOC_ARENA_MAX: "1" };
  const flags = ["--expose-gc", "--max-semi-space-size=1", "--no-opt"];
  test(`nothing grows: ${name}`, async (t) => {
    const measure = async () => {
      const [memory, heap, threads, files] = JSON.parse(await run(t, source, { flags, environment }));
      t.diagnostic(`${(memory / times).toFixed(0)} bytes each, ${(heap / times).toFixed(0)} of them in the heap`);
      assert.ok(threads <= IDLE_THREADS && files <= 0, `${threads} threads and ${files} files more`);
      return memory < bytes * times + ONCE && heap < HEAP.each * times + HEAP.once;
    };
    // The runtime may allocate memory of its own at any time; a leak appears in both runs.
    assert.ok((await measure()) || (await measure()), "memory grew, twice");
  });
}

// Without the size of an engine V8 sees a small object, and collects none of these.
test("engines that are left open are collected", async (t) => {
  const source = `
    import { PerformanceObserver, constants } from "node:perf_hooks";
    const collections = [];
    const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
    observer.observe({ entryTypes: ["gc"] });
    const registry = new FinalizationRegistry(() => (collected += 1));
    let collected = 0;
    const repeat = async (use) => {
      collections.length = collected = 0;
      for (let turn = 0; turn < 150; turn++) {
        const engine = await Engine.load({ bundle: FAKE_BUNDLE, threads: 1 });
        await use(engine);
        await sleep(1);
      }
      const major = collections.filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR);
      return [collected, major.length];
    };
    const closed = await repeat((engine) => engine.close());
    const open = await repeat((engine) => registry.register(engine));
    console.log(JSON.stringify({ closed, open }));
  `;
  const { closed, open } = JSON.parse(await run(t, source));
  t.diagnostic(`${open[0]} of 150 engines were collected by themselves, in ${open[1]} collections`);
  assert.ok(open[0] >= 50, `${open[0]} of 150 engines were collected`);
  assert.ok(closed[1] < open[1], `${closed[1]} collections for engines that are closed, ${open[1]} for others`);
});

test("V8 is told how much audio holds", async (t) => {
  const source = `${MEASURE}
    const engine = await load(1);
    const external = async () => {
      await collected();
      return process.memoryUsage().external;
    };
    const before = await external();
    let audio = [];
    for (let turn = 0; turn < 8; turn++) audio.push(await engine.synthesize(TEXT));
    const bytes = audio.reduce((sum, { samples: pcm }) => sum + pcm.byteLength, 0);
    const during = (await external()) - before;
    audio = undefined;
    for (let turn = 0; turn < 100 && (await external()) > before + bytes / 2; turn++) await sleep(10);
    console.log(during > bytes / 2, (await external()) < before + bytes / 2);
  `;
  assert.equal(await run(t, source, { flags: ["--expose-gc"] }), "true true\n");
});
