/** The latency tiers of the audio-to-text service. */

import assert from "node:assert/strict";

import { charge, chargeSamples, rankTiers, resolveTier, tiers } from "libspeech-sdk";

import { native, refused, test } from "./support.mjs";

/**
 * The table of tiers: name, context, latency in milliseconds, micro-dollars and dollars per second.
 */
const TABLE = [
  ["ultra", [70, 0], 80, 139, 0.000139],
  ["turbo", [70, 3], 320, 100, 0.0001],
  ["standard", [70, 6], 560, 61, 0.000061],
  ["economy", [70, 13], 1120, 42, 0.000042],
];

const NAMES = TABLE.map(([name]) => name);

test("the table is the contract's", () => {
  const rows = native.tierTable().map((row) => [row.name, row.attContextSize, row.latencyMs, row.rateMicros]);
  assert.deepEqual(rows, TABLE.map((row) => row.slice(0, 4)));
  assert.ok(TABLE.every(([, [, right], latency]) => latency === (right + 1) * 80));
});

test("the catalogue", () => {
  const { tiers: entries, default: standard } = tiers();
  assert.equal(standard, "standard");
  assert.deepEqual(
    entries,
    TABLE.map(([tier, , latencyMs, rateMicros, rateUsdPerSecond]) => ({
      tier,
      rateMicros,
      rateUsdPerSecond,
      latencyMs,
      available: true,
    })),
  );
});

test("the catalogue as JSON", () => {
  const available = [[70, 6], [70, 0], [56, 3]];
  assert.equal(
    JSON.stringify(tiers({ available })),
    '{"tiers":[' +
      '{"tier":"ultra","rate_micros":139,"rate_usd_per_second":0.000139,"latency_ms":80,"available":true},' +
      '{"tier":"turbo","rate_micros":100,"rate_usd_per_second":0.0001,"latency_ms":320,"available":false},' +
      '{"tier":"standard","rate_micros":61,"rate_usd_per_second":0.000061,"latency_ms":560,"available":true},' +
      '{"tier":"economy","rate_micros":42,"rate_usd_per_second":0.000042,"latency_ms":1120,"available":false}' +
      '],"default":"standard"}',
  );
});

test("a tier is never replaced", async () => {
  for (let bits = 0; bits < 16; bits++) {
    const some = TABLE.filter((_, place) => (bits >> place) & 1);
    const availability = { available: some.map(([, context]) => context) };
    const names = some.map(([name]) => name);
    const offered = tiers(availability).tiers.filter(({ available }) => available);
    assert.deepEqual(offered.map(({ tier }) => tier), names);
    for (const name of NAMES) {
      if (names.includes(name)) assert.equal(resolveTier(name, availability), name);
      else await refused(() => resolveTier(name, availability), "invalid_tier", `tier "${name}" is not available`);
    }
  }
});

test("an unknown tier", async () => {
  for (const name of ["", "Ultra", "standard ", "premium", "ultra\0", "ü"]) {
    await refused(() => resolveTier(name), "invalid_tier", "does not exist");
    await refused(() => charge(name, 1), "invalid_tier");
    await refused(() => chargeSamples(name, 1, 1), "invalid_tier");
  }
});

test("what suits a use", async () => {
  const ranked = {
    midSentence: ["ultra", "turbo", "standard", "economy"],
    wholeUtterance: ["turbo", "standard", "ultra", "economy"],
    nothingWaits: ["economy", "standard", "turbo", "ultra"],
    other: ["standard", "turbo", "economy", "ultra"],
  };
  for (const [use, names] of Object.entries(ranked)) {
    assert.deepEqual(rankTiers(use), names);
    const some = names.filter((name) => name === "turbo" || name === "standard");
    assert.deepEqual(rankTiers(use, { available: [[70, 3], [70, 6]] }), some);
    assert.deepEqual(rankTiers(use, { available: [] }), []);
  }
  for (const use of ["captions", "mid_sentence", "", undefined]) {
    await refused(() => rankTiers(use), "invalid_request", "unsupported use");
  }
});

/** The cost of a duration in seconds. */
const CHARGES = [
  ["ultra", 0, 0],
  ["ultra", -0, 0],
  ["ultra", 1e-9, 1],
  ["ultra", 1e-12, 0],
  ["ultra", 0.01, 2],
  ["turbo", 60, 6000],
  ["turbo", 0.1, 10],
  ["turbo", 0.1 + 0.2, 30],
  ["turbo", 0.300000001, 31],
  ["turbo", 0.9999999999, 100],
  ["standard", 3600, 219_600],
  ["standard", 1e-6, 1],
  ["economy", 1e12, 42e12],
];

test("charges", () => {
  const failures = CHARGES.filter(([tier, seconds, micros]) => charge(tier, seconds) !== micros);
  assert.deepEqual(failures, []);
});

test("a charge for samples", () => {
  assert.equal(chargeSamples("economy", 22_050, 22_050), 42);
  assert.equal(chargeSamples("economy", 22_051, 22_050), 43);
  assert.equal(chargeSamples("economy", 0, 16_000), 0);
  // In floating point this is 138.99999999999997.
  assert.equal(chargeSamples("ultra", 44_100 * 49, 44_100 * 49), 139);
  for (const samples of [1, 7, 22_049, 1e12]) {
    const exact = (BigInt(samples) * 61n + 22_049n) / 22_050n;
    assert.equal(BigInt(chargeSamples("standard", samples, 22_050)), exact);
  }
});

test("durations that are none", async () => {
  for (const seconds of [-1, -1e-9, NaN, Infinity, -Infinity, 1e40, 2 ** 64, "1", null, undefined, true, 1n, [1]]) {
    await refused(() => charge("ultra", seconds), "invalid_request", "seconds");
  }
});

test("samples that are refused", async () => {
  for (const samples of [-1, 0.5, NaN, 2 ** 53, "1", null, 1n]) {
    await refused(() => chargeSamples("ultra", samples, 16_000), "invalid_request", "samples");
  }
  for (const rate of [0, -1, 0.5, 2 ** 32, "1", undefined]) {
    await refused(() => chargeSamples("ultra", 1, rate), "invalid_request", "sampleRate");
  }
});

test("a charge that no number holds", async () => {
  await refused(() => charge("ultra", 2 ** 60), "invalid_request", "too large");
  await refused(() => chargeSamples("ultra", Number.MAX_SAFE_INTEGER, 1), "invalid_request", "too large");
});

test("contexts that are refused", async () => {
  const pairs = [5, [70], [70, 6, 1], [70, "6"], [70, true], [70, -1], [70, 2 ** 40]];
  const refusals = [5, "ultra", null, {}, ...pairs.map((pair) => [pair])];
  for (const available of refusals) {
    for (const call of [tiers, (given) => resolveTier("ultra", given), (given) => rankTiers("other", given)]) {
      await refused(() => call({ available }), "invalid_request");
    }
  }
});

test("contexts from any iterable", () => {
  const available = new Set([[70, 6]]);
  assert.equal(resolveTier("standard", { available }), "standard");
  assert.deepEqual(rankTiers("other", { available: available.values() }), ["standard"]);
  assert.equal(resolveTier("ultra", { available: undefined }), "ultra");
  assert.equal(resolveTier("ultra", undefined), "ultra");
});
