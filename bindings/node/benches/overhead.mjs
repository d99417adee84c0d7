/**
 * Measures the time that the Node API adds to the core's own. The goal: under 2 %.
 *
 * Run it on an idle machine: node overhead.mjs --repeat 20
 */

import { parseArgs } from "node:util";

import { Engine } from "libspeech-sdk";

/**
 * @typedef {{ wall: number, core: number }} Call Seconds of one call, and of the core for the same
 * work.
 */

const TEXTS = {
  short: "Good morning.",
  long:
    "The old lighthouse keeper climbed the spiral stairs every evening, and lit the lamp before the ships came home. " +
    "Nobody had asked him to. He had done it for forty years, in all weathers, and never once had he been late.",
};

const { values } = parseArgs({
  options: {
    bundle: { type: "string" },
    threads: { type: "string", default: "1" },
    repeat: { type: "string", default: "10" },
  },
});
const engine = await Engine.load({ bundle: values.bundle, threads: Number(values.threads) });
await engine.warmUp();
console.log(`${engine.threads} threads, ${engine.kernels}, ${engine.precision}`);
for (const line of await measured(Number(values.repeat))) console.log(line);
await engine.close();

/**
 * Takes all measurements in turn, round by round, and prints them.
 *
 * @param {number} repeat
 */
async function measured(repeat) {
  /** @type {Record<string, Call[]>} */
  const calls = { short: [], long: [] };
  /** @type {Call[]} */
  const firsts = [];
  for (let round = 0; round < repeat; round += 1) {
    for (const [name, text] of Object.entries(TEXTS)) calls[name].push(await whole(text));
    firsts.push(await firstChunk(TEXTS.short));
  }
  const lines = Object.entries(calls).map(([name, taken]) => `synthesize, ${name} text: ${summary(taken)}`);
  return [
    ...lines,
    `stream, to the first chunk of the short text: ${summary(firsts)}`,
    `all calls: ${percent(share(Object.values(calls).flat()))} of the core's time`,
  ];
}

/**
 * One call.
 *
 * @param {string} text
 * @returns {Promise<Call>}
 */
async function whole(text) {
  const began = performance.now();
  const { elapsed } = await engine.synthesize(text);
  return { wall: (performance.now() - began) / 1000, core: elapsed };
}

/**
 * Measures the first chunk of a sentence, and just after it the core's time for the same sentence.
 *
 * @param {string} text
 * @returns {Promise<Call>}
 */
async function firstChunk(text) {
  const began = performance.now();
  const stream = engine.stream(text);
  await stream.next();
  const wall = (performance.now() - began) / 1000;
  stream.close();
  return { wall, core: (await engine.synthesize(text)).elapsed };
}

/**
 * The core's time, and the time added to it: median, 95th percentile and share.
 *
 * @param {Call[]} calls
 */
function summary(calls) {
  const core = median(calls.map((call) => call.core));
  const added = calls.map((call) => call.wall - call.core).sort((one, other) => one - other);
  const late = added[Math.min(added.length - 1, Math.round(0.95 * added.length))];
  const middle = median(added);
  const figures = `${(middle * 1e6).toFixed(0)} µs (median), ${(late * 1e6).toFixed(0)} µs (95 %)`;
  return `core ${(core * 1e3).toFixed(1)} ms; added ${figures}, ${percent(middle / core)}`;
}

/**
 * The time added in all of these calls, as a share of the core's time.
 *
 * @param {Call[]} calls
 */
function share(calls) {
  const sum = (/** @type {keyof Call} */ name) => calls.reduce((total, call) => total + call[name], 0);
  return sum("wall") / sum("core") - 1;
}

/** @param {number[]} numbers */
function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param {number} share */
function percent(share) {
  return `${share < 0 ? "-" : "+"}${Math.abs(share * 100).toFixed(3)}%`;
}
