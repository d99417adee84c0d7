/** An error contains no part of the caller's input. */

import assert from "node:assert/strict";
import { after, before } from "node:test";
import { inspect } from "node:util";

import { Engine, Segmenter, SpeechError, parseLexicon, parsePls, parseRequest, splitText } from "libspeech-sdk";

import { all, cases, given, loadFake, test, variable } from "./support.mjs";

const SECRET = "ZQXMARKER";

let engine;
before(async () => (engine = await loadFake()));
after(() => engine.close());

/** The texts of an error and of all its causes. */
function told(error) {
  const causes = [];
  for (let cause = error; cause !== undefined; cause = cause.cause) causes.push(`${cause} ${cause.message}`);
  return `${causes.join("\n")}\n${inspect(error, { depth: 10, showHidden: true })}`.toUpperCase();
}

async function problems(rows) {
  const found = [];
  for (const [name, call, expected] of rows) {
    let error;
    try {
      await call();
    } catch (thrown) {
      if (!(thrown instanceof SpeechError)) throw thrown;
      error = thrown;
    }
    const isTold = error !== undefined && told(error).includes(SECRET);
    if (error?.code !== expected || isTold) found.push(`${name}: ${error?.code}, ${isTold ? told(error) : "not told"}`);
  }
  return found;
}

const body = ({ json }) => json.replace("@1000", "Ten chars. ".repeat(91));

test("requests", async () => {
  const rows = cases("secrets").flatMap((row) => [
    [row.name, () => all(engine.stream(...given(parseRequest(body(row))))), row.error],
    [`${row.name}, bytes`, () => all(engine.stream(...given(parseRequest(Buffer.from(body(row)))))), row.error],
  ]);
  assert.deepEqual(await problems(rows), []);
});

test("pronunciations", async () => {
  const load = ({ words, reading }) =>
    Engine.load({ bundle: variable("SPEECH_FAKE_MODEL"), pronunciations: { [words]: reading } });
  const rows = cases("secret_pronunciations").map((row) => [row.name, () => load(row), "invalid_request"]);
  assert.deepEqual(await problems(rows), []);
});

test("arguments", async () => {
  const live = engine.live();
  const segmenter = new Segmenter();
  const calls = {
    synthesize: (text) => engine.synthesize(text),
    stream: (text) => all(engine.stream(text)),
    streamLong: (text) => all(engine.streamLong(text)),
    live: (text) => live.push(text),
    segmenter: (text) => segmenter.push(text),
    splitText: (text) => splitText(text),
    parseRequest: (text) => parseRequest(text),
    parseLexicon: (text) => parseLexicon(text),
    parsePls: (text) => parsePls(text),
  };
  const texts = { "half a surrogate pair": `${SECRET}\udc80a`, "a NUL": `${SECRET}\0`, "an array": [SECRET] };
  const rows = Object.entries(calls).flatMap(([name, call]) =>
    Object.entries(texts).map(([kind, text]) => [`${name} of ${kind}`, () => call(text), "invalid_request"]),
  );
  assert.deepEqual(await problems(rows), []);
  live.close();
});
