/**
 * Measures the delay of the event loop, idle and while speech is computed.
 *
 * The delay is the wait of a timer of 1 ms, including that millisecond. The goal: 99 % under 20 ms.
 *
 * node event_loop.mjs --seconds 10
 */

import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

import { Engine } from "libspeech-sdk";

const GOAL = 20;

const SENTENCE = "The old lighthouse keeper climbed the spiral stairs every evening, and lit the lamp for the ships. ";
const TEXT = SENTENCE.repeat(10);

const { values } = parseArgs({
  options: { bundle: { type: "string" }, seconds: { type: "string", default: "10" } },
});
const milliseconds = Number(values.seconds) * 1000;

const worst = [await measured("idle", () => sleep(milliseconds))];
for (const threads of [1, 2]) {
  const engine = await Engine.load({ bundle: values.bundle, threads, maxConcurrency: 2 });
  await engine.warmUp();
  if (threads === 1) console.log(`${engine.kernels}, ${engine.precision}`);
  const of = `${threads} thread${threads === 1 ? "" : "s"}`;
  worst.push(await measured(`whole, ${of}`, () => again(() => engine.synthesize(TEXT))));
  worst.push(await measured(`stream, ${of}`, () => again(() => consumed(engine.stream(TEXT)))));
  worst.push(await measured(`8 at once, ${of}`, () => again(() => eight(engine))));
  await engine.close();
}
const late = Math.max(...worst);
console.log(`99 % under ${GOAL} ms: ${late < GOAL ? "yes" : "no"} (${late.toFixed(1)} ms)`);

/**
 * Prints the event-loop delays during some work, and returns their 99th percentile.
 *
 * @param {string} name
 * @param {() => Promise<unknown>} work
 */
async function measured(name, work) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await work();
  delays.disable();
  const [middle, most, last] = [delays.percentile(50), delays.percentile(99), delays.max].map((delay) => delay / 1e6);
  const figures = `median ${middle.toFixed(1)} ms, 99 % ${most.toFixed(1)} ms, maximum ${last.toFixed(1)} ms`;
  console.log(`${name}: ${figures}, of ${delays.count}`);
  return most;
}

/**
 * Repeats some work until the time is over.
 *
 * @param {() => Promise<unknown>} work
 */
async function again(work) {
  const end = performance.now() + milliseconds;
  do await work();
  while (performance.now() < end);
}

/** @param {import("libspeech-sdk").Stream} stream */
async function consumed(stream) {
  for await (const chunk of stream) chunk.bytes.length;
}

/** Four whole requests and four streams. @param {Engine} engine */
function eight(engine) {
  const each = () => [engine.synthesize(SENTENCE), consumed(engine.stream(SENTENCE))];
  return Promise.all([each(), each(), each(), each()].flat());
}
