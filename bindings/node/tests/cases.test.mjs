/** The shared table of cases, which gives the same results in every language. */

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { SpeechError, charge, chargeSamples, parseRequest, resolveTier, splitText } from "libspeech-sdk";

import { cases, given, loadFake, joined, test } from "./support.mjs";

let engine;
before(async () => (engine = await loadFake()));
after(() => engine.close());

/** The body of a request, with its long texts filled in. */
function body({ json }) {
  const text = "Ten chars. ".repeat(200);
  return json.replace("@1000", text.slice(0, 1000)).replace("@1001", text.slice(0, 1001));
}

/** Caches a function by request, regardless of the notation. */
function once(compute) {
  const results = new Map();
  return (request) => {
    const key = JSON.stringify(request);
    if (!results.has(key)) results.set(key, compute(request));
    return results.get(key);
  };
}

const synthesized = once((request) => engine.synthesize(...given(request)));

const spoken = async (request) => {
  const audio = await synthesized(request);
  assert.ok(audio.samples.length > 0);
  return { characters: audio.characters, skipped: audio.diagnostics.length };
};

const streamed = once(async (request) => {
  const stream = engine.stream(...given(request));
  const pcm = await joined(stream);
  assert.ok(pcm.length > 0);
  if (request.latency !== "low") assert.deepEqual(pcm, (await synthesized(request)).bytes);
  return { characters: stream.characters, skipped: stream.diagnostics.length };
});

/** Calls a function with the request as a JSON string, as bytes and as a buffer. */
function fromJson(call) {
  return {
    "a string": (json) => call(parseRequest(json)),
    bytes: (json) => call(parseRequest(new TextEncoder().encode(json))),
    "a buffer": (json) => call(parseRequest(Buffer.from(json))),
  };
}

async function outcome(call, json) {
  try {
    return await call(json);
  } catch (error) {
    if (!(error instanceof SpeechError)) throw error;
    return { error: error.code, message: error.message };
  }
}

function expected({ error, message, characters, skipped = 0 }) {
  return error === undefined ? { characters, skipped } : { error, message };
}

function difference(row, got, wanted) {
  const [is, should] = [JSON.stringify(got), JSON.stringify(wanted)];
  return is === should ? [] : [`${JSON.stringify(row)}: ${is}, not ${should}`];
}

/** The fields of a request in JSON, named as in an object. */
function object(json) {
  const name = (field) => field.replace(/_[a-z]/g, (pair) => pair[1].toUpperCase());
  const fields = JSON.parse(json);
  if (Array.isArray(fields)) return fields;
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [name(field), value]));
}

/**
 * Whether a row gives the same result for an object. Unknown fields are allowed only in JSON, where
 * a later version may define them; and the format is only in JSON.
 */
function objectsAlike({ name }) {
  return !["malformed", "an unknown field is ignored", "another format", "a format of null"].includes(name);
}

/** Whether a row gives the same result for a stream: other requests reject low latency. */
function streamsAlike({ message }) {
  return message?.startsWith("latency low is for streams") !== true;
}

const TABLES = [
  ["requests", "spoken", spoken, () => true],
  ["requests", "streamed", streamed, streamsAlike],
  ["streams", "streamed", streamed, () => true],
];

for (const [table, how, call, applies] of TABLES) {
  test(`${table}, ${how}`, async () => {
    const failures = [];
    for (const row of cases(table).filter(applies)) {
      for (const [name, parsed] of Object.entries(fromJson(call))) {
        failures.push(...difference(`${row.name}, ${name}`, await outcome(parsed, body(row)), expected(row)));
      }
    }
    assert.deepEqual(failures, []);
  });

  test(`${table} as objects, ${how}`, async () => {
    const failures = [];
    for (const row of cases(table).filter(applies).filter(objectsAlike)) {
      const { message, ...got } = await outcome(call, object(body(row)));
      const { message: _, ...wanted } = expected(row);
      failures.push(...difference(`${row.name}: ${message}`, got, wanted));
    }
    assert.deepEqual(failures, []);
  });
}

test("a stream may have low latency whatever its format is", async () => {
  const text = "One. Two, and more. Three!";
  const formats = [undefined, "pcm", "wav"];
  const request = (format) => parseRequest(JSON.stringify({ text, format, latency: "low" }));
  const streamed = formats.map((format) => joined(engine.stream(...given(request(format)))));
  const [pcm, ...others] = await Promise.all(streamed);
  assert.ok(pcm.length > 0);
  for (const other of others) assert.deepEqual(other, pcm);
});

test("splits", () => {
  const rows = cases("splits");
  assert.deepEqual(rows.flatMap((row) => difference(row, splitText(row.text, row.max_characters), row.parts)), []);
});

function resolved({ name, contexts }) {
  try {
    return { tier: resolveTier(name, { available: contexts }) };
  } catch (error) {
    return { error: error.message.includes(name) ? error.code : error.message };
  }
}

test("tiers", () => {
  const wanted = ({ tier, error }) => (error === undefined ? { tier } : { error });
  assert.deepEqual(cases("tiers").flatMap((row) => difference(row, resolved(row), wanted(row))), []);
});

test("charges", () => {
  const charged = ({ tier, nanoseconds }) => [
    charge(tier, nanoseconds / 1e9),
    chargeSamples(tier, nanoseconds, 1e9),
  ];
  const wanted = ({ micros }) => [micros, micros];
  assert.deepEqual(cases("charges").flatMap((row) => difference(row, charged(row), wanted(row))), []);
});
