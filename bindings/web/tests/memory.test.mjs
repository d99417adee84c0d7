// Errors of a worker in using the module's memory, tested in Node without voices.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "node:test";

const LIB = join(process.env.WEB_PACKAGE, "lib");
const { imports } = await import(pathToFileURL(join(LIB, "module.js")));
const compiled = new WebAssembly.Module(readFileSync(join(LIB, "speech.wasm")));

/** The approximate size of a voice bundle in bytes. */
const BUNDLE = 60_000_000;

/** An instance of the module. */
async function instance() {
  const imported = imports(() => exports.memory.buffer, () => false, () => undefined);
  const { exports } = await WebAssembly.instantiate(compiled, imported);
  exports._initialize();
  /** Makes a call with this JSON, and returns its answer. */
  const call = (text) => {
    const bytes = new TextEncoder().encode(text);
    const place = exports.speech_allocate(bytes.length);
    new Uint8Array(exports.memory.buffer).set(bytes, place);
    const answer = exports.speech_call(place, bytes.length);
    const [json, length] = new Uint32Array(exports.memory.buffer, answer, 2);
    return JSON.parse(new TextDecoder().decode(new Uint8Array(exports.memory.buffer, json, length)));
  };
  return { exports, call };
}

const split = JSON.stringify({ call: "splitText", text: "One. Two.", maxCharacters: 5 });

test("a call that is not understood frees what was allocated for it", async () => {
  const { exports, call } = await instance();
  for (let i = 0; i < 20; i++) {
    exports.speech_allocate(BUNDLE);
    assert.equal(call("no JSON").error.code, "internal");
  }
  assert.ok(exports.memory.buffer.byteLength < 3 * BUNDLE, `${exports.memory.buffer.byteLength} bytes`);
  assert.deepEqual(call(split).value, ["One.", "Two."]);
});

test("lexicons are freed", async () => {
  const { exports, call } = await instance();
  const text = Array.from({ length: 5000 }, (_, number) => `word${number}\ta\n`).join("");
  let kept = 0;
  for (let lexicon = 1; lexicon <= 100; lexicon++) {
    assert.equal(call(JSON.stringify({ call: "parseLexicon", lexicon, text })).value, 5000);
    assert.equal(call(JSON.stringify({ call: "free", lexicon })).value, null);
    if (lexicon === 5) kept = exports.memory.buffer.byteLength;
  }
  assert.ok(exports.memory.buffer.byteLength < 2 * kept, `${kept} bytes, then ${exports.memory.buffer.byteLength}`);
  const { error } = call(JSON.stringify({ call: "parsePls", lexicon: 1, text: "<lexicon/>" }));
  assert.equal(error.message, "PLS line 1, column 1: 'lexicon' needs the attribute 'version'");
});

test("memory that was not allocated, or is of another length, is an error", async () => {
  const { exports, call } = await instance();
  const bundles = [() => [8, 8], () => [exports.speech_allocate(8), 9], () => [exports.speech_allocate(8) + 1, 7]];
  for (const bundle of bundles) {
    const options = { bundle: bundle(), threads: 1, kernels: "auto", pronunciations: [], cache: 0 };
    const { error } = call(JSON.stringify({ call: "load", options }));
    assert.deepEqual([error.code, error.message], ["internal", "the worker names memory that is not its own"]);
  }
  assert.deepEqual(call(split).value, ["One.", "Two."]);
});

test("calls after an allocation that is too large are answered", async () => {
  const { exports, call } = await instance();
  assert.throws(() => exports.speech_allocate(0xffff_ffff), WebAssembly.RuntimeError);
  assert.deepEqual(call(split).value, ["One.", "Two."]);
});

test("calls after one that ended in a trap are answered", async () => {
  const { call } = await instance();
  const random = crypto.getRandomValues;
  crypto.getRandomValues = () => {
    throw new Error("no random numbers");
  };
  try {
    // The request identifier of its error is random.
    assert.throws(() => call(JSON.stringify({ call: "warmUp" })), /no random numbers/);
  } finally {
    crypto.getRandomValues = random;
  }
  for (let i = 0; i < 2; i++) {
    const { error } = call(split);
    assert.deepEqual([error.code, error.message], ["internal", "another call runs, or has failed"]);
  }
});
