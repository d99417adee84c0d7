/**
 * The latency tiers of an application with transcription: the available ones, and their prices.
 *
 * node tiers.mjs ultra turbo --seconds 90
 */

import { parseArgs } from "node:util";

import { SpeechError, charge, rankTiers, resolveTier, tiers } from "libspeech-sdk";

/**
 * The contexts that this deployment supports: left and right attention context in encoder frames.
 *
 * @type {import("libspeech-sdk").Availability}
 */
const HERE = { available: [[70, 3], [70, 6]] };

const { values, positionals } = parseArgs({
  options: { seconds: { type: "string", default: "90" } },
  allowPositionals: true,
});

const catalogue = tiers(HERE); // once, at startup
for (const { tier, latencyMs, rateUsdPerSecond, available } of catalogue.tiers) {
  const price = `${rateUsdPerSecond.toFixed(6)} USD a second`;
  console.log(`${tier.padEnd(8)}  ${String(latencyMs).padStart(4)} ms  ${price}${available ? "" : "  (not here)"}`);
}
console.log(`while a person waits in mid-sentence: ${rankTiers("midSentence", HERE).join(", ")}`);

const seconds = Number(values.seconds);
const tier = first(positionals.length > 0 ? positionals : ["ultra", "turbo"]);
console.log(`${seconds} s in ${tier}: ${charge(tier, seconds)} micro-dollars`);

/**
 * The first of these tiers that is available here.
 *
 * The library never replaces the requested tier. A program that accepts several tiers lists them in order of
 * preference.
 *
 * @param {string[]} names
 */
function first(names) {
  for (const name of names) {
    try {
      return resolveTier(name, HERE);
    } catch (error) {
      if (!(error instanceof SpeechError)) throw error;
      console.log(error.message);
    }
  }
  return catalogue.default;
}
