/** Helpers of the tests. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import nodeTest from "node:test";

import { Engine, SpeechError } from "libspeech-sdk";

/** A text of three sentences, which the fake model speaks instantly. */
export const TEXT = "First this, of 25 words. Then that! And it ends here.";

/** Its sentences. */
export const SENTENCES = ["First this, of 25 words.", "Then that!", "And it ends here."];

/** One sentence that takes a real voice seconds to speak. */
export const LONG_SENTENCE = `${"it was a bright cold day in April and the clocks were striking ".repeat(15).trim()}.`;

/** Sentences that take a real voice seconds to speak. */
export const LONG = "It was a bright cold day in April, and the clocks were striking thirteen. ".repeat(13);

/** A request identifier, a UUID of any version. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Signs of a crash, which no test program may print. */
const CRASHES = /fatal|panic|abort|segmentation|deadlock|core dumped/i;

const PROLOGUE = `\
import { setTimeout as sleep } from "node:timers/promises";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
const FAKE_BUNDLE = process.env.SPEECH_FAKE_MODEL;
const TEXT = ${JSON.stringify(TEXT)};
const LONG_SENTENCE = ${JSON.stringify(LONG_SENTENCE)};
const LONG = ${JSON.stringify(LONG)};
`;

const require = createRequire(import.meta.url);

/** The folder of the package. */
export const PACKAGE = dirname(require.resolve("libspeech-sdk/package.json"));

/** The native module, which is not part of the API. */
export const { native } = require(join(PACKAGE, "lib", "native.js"));

/** A test that fails if it hangs. */
export function test(name, body) {
  return nodeTest(name, { timeout: 90_000 }, body);
}

/** The file or folder in an environment variable; fails if it is missing. */
export function variable(name) {
  const value = process.env[name];
  assert.ok(value, `${name} is not set: run \`cargo xtask test\`, or see its source for what to set`);
  assert.ok(existsSync(value), `${name} names ${value}, which is not there`);
  return resolve(value);
}

/** The rows of a table that the tests of every language use. */
export function cases(table) {
  const rows = JSON.parse(readFileSync(variable("SPEECH_CASES"), "utf8"))[table];
  assert.ok(rows.length > 0);
  return rows;
}

/** An engine with the fake model, which computes instantly but not speech. */
export function loadFake(options = {}) {
  return Engine.load({ bundle: variable("SPEECH_FAKE_MODEL"), threads: 1, ...options });
}

/** The remaining items of an async iterable. */
export async function all(iterable) {
  const items = [];
  for await (const item of iterable) items.push(item);
  return items;
}

/** The arguments of an engine for a request: the text and the options. */
export function given({ text, format: _, ...options }) {
  return [text, options];
}

/** All samples of a stream. */
export async function joined(stream) {
  return Buffer.concat((await all(stream)).map((chunk) => chunk.bytes));
}

/**
 * Speaks a text with a separate engine, and reports whether it is still running: while it is, no
 * other engine can have finished a text of the same length.
 */
export async function reference(t, text) {
  const engine = await Engine.load({ threads: 2 });
  const controller = new AbortController();
  let isRunning = true;
  const done = () => (isRunning = false);
  const speaking = engine.synthesize(text, { signal: controller.signal }).then(done, done);
  t.after(async () => {
    controller.abort();
    await speaking;
    await engine.close();
  });
  return () => isRunning;
}

/** The part of a text at a span. */
export function at(text, span) {
  return text.slice(span.start, span.end);
}

/** The error that a call must throw or its promise must reject with. */
export async function refused(call, code, message) {
  const error = await failure(call);
  if (!(error instanceof SpeechError)) throw error;
  if (code !== undefined) assert.equal(error.code, code, error.message);
  if (message !== undefined) assert.ok(error.message.includes(message), `${error.message}\n  is not about ${message}`);
  return error;
}

async function failure(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return assert.fail(`it was not refused: ${call}`);
}

/** Waits for a condition; fails after a time limit. */
export async function until(condition, what, seconds = 30) {
  const end = performance.now() + seconds * 1000;
  while (!(await condition())) {
    assert.ok(performance.now() < end, `after ${seconds} s: ${what}`);
    await pause(5);
  }
}

/** Waits for some milliseconds. */
export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Waits for the next macrotask: every promise settled now has run its callbacks by then. */
export function macrotask() {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A folder for a test, removed after it. */
export function folder(t) {
  const path = mkdtempSync(join(tmpdir(), "libspeech-test-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/**
 * A folder for a test from which the package can be imported; with its voices, unless they are
 * excluded.
 */
export function project(t, { voices = true } = {}) {
  const path = folder(t);
  mkdirSync(join(path, "node_modules"));
  for (const found of packages().filter((found) => voices || !found.includes("-voices"))) {
    symlinkSync(found, join(path, "node_modules", basename(found)), "junction");
  }
  return path;
}

/** The folders of all installed packages of the library. */
export function packages() {
  const beside = dirname(PACKAGE);
  const found = readdirSync(beside).filter((name) => name.startsWith("libspeech-sdk"));
  // In a development tree the folder of the package has another name.
  if (!found.includes("libspeech-sdk")) return linked();
  return found.map((name) => join(beside, name));
}

function linked() {
  const path = mkdtempSync(join(tmpdir(), "libspeech-test-"));
  process.on("exit", () => rmSync(path, { recursive: true, force: true }));
  symlinkSync(PACKAGE, join(path, "libspeech-sdk"), "junction");
  return [join(path, "libspeech-sdk")];
}

/** Starts a Node program in its own process, which is killed when the test ends. */
export function start(t, source, { flags = [], environment = {}, cwd = project(t), load = true } = {}) {
  const program = join(cwd, `program-${Math.random().toString(36).slice(2)}.mjs`);
  const library = load ? 'import { Engine, SpeechError } from "libspeech-sdk";\n' : "";
  writeFileSync(program, library + PROLOGUE + source);
  const env = { ...process.env, ...environment };
  // With this variable a child's output would be parsed as a test report.
  delete env.NODE_TEST_CONTEXT;
  const child = spawn(process.execPath, [...flags, program], { cwd, env, stdio: "pipe" });
  t.after(() => child.kill("SIGKILL"));
  return followed(child);
}

/** A process with its output; `ended` resolves when it has exited. */
function followed(child) {
  const run = { child, stdout: "", stderr: "", status: null, signal: null };
  for (const name of ["stdout", "stderr"]) {
    child[name].setEncoding("utf8").on("data", (text) => (run[name] += text));
  }
  run.ended = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status, signal) => resolve(Object.assign(run, { status, signal })));
  });
  return run;
}

/** Runs a Node program in its own process until it exits, and returns its output. */
export async function run(t, source, { status = 0, limit = 60_000, ...options } = {}) {
  return clean(await within(limit, start(t, source, options)), status);
}

/** Waits for a process to exit, and kills it after a time limit. */
export async function within(limit, running) {
  const timer = setTimeout(() => running.child.kill("SIGKILL"), limit);
  const ended = await running.ended;
  clearTimeout(timer);
  assert.notEqual(ended.signal, "SIGKILL", `it hangs\n${ended.stdout}\n${ended.stderr}`);
  return ended;
}

/**
 * The standard output of a program that must have exited with a status or by a signal, without a
 * crash.
 */
export function clean({ status, signal, stdout, stderr }, expected = 0) {
  const account = `status ${status}, signal ${signal}\n${stdout.slice(-2000)}\n${stderr.slice(-4000)}`;
  assert.equal(signal ?? status, expected, account);
  assert.doesNotMatch(stderr, CRASHES, account);
  return stdout;
}
