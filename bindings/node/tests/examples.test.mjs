/** The examples and the benchmarks, run as a user runs them, but with the fake model. */

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, describe } from "node:test";
import { pathToFileURL } from "node:url";
import vm from "node:vm";

import { SAMPLE_RATE } from "libspeech-sdk";

import { LONG, SENTENCES, TEXT, UUID, folder, loadFake, joined, pause, project, test, until, variable } from "./support.mjs";

const EXAMPLES = variable("SPEECH_EXAMPLES");
const BENCHES = variable("SPEECH_BENCHES");

// The examples load the bundle in the environment variable.
process.env.SPEECH_BUNDLE = variable("SPEECH_FAKE_MODEL");

/** @type {import("libspeech-sdk").Engine} */
let engine;
before(async () => (engine = await loadFake()));
after(() => engine.close());

/** A project with the programs of a folder. */
function copied(t, from = EXAMPLES) {
  const path = project(t);
  cpSync(from, path, { recursive: true });
  return path;
}

/** Runs a program until it exits. */
function run(cwd, [program, ...args], env = {}) {
  const command = [join(cwd, program), ...args];
  return spawnSync(process.execPath, command, { cwd, env: { ...process.env, ...env }, timeout: 60_000 });
}

/** The standard output of a program that must have succeeded without error output. */
function output({ status, stdout, stderr }) {
  assert.deepEqual({ status, stderr: stderr.toString() }, { status: 0, stderr: "" });
  return stdout;
}

test("every example is listed", () => {
  const programs = readdirSync(EXAMPLES).filter((name) => /\.[cm]?js$/.test(name));
  const listing = readFileSync(join(EXAMPLES, "README.md"), "utf8");
  const all = ["agent.mjs", "cjs.cjs", "live.mjs", "play.mjs", "save.mjs", "server.mjs", "tiers.mjs"];
  assert.deepEqual(programs.sort(), all);
  assert.deepEqual([...all, "electron/README.md"].filter((name) => !listing.includes(name)), []);
});

for (const [name, from] of [["the examples", EXAMPLES], ["the benchmarks", BENCHES]]) {
  test(`the types of ${name} hold`, (t) => {
    const cwd = copied(t, from);
    cpSync(join(EXAMPLES, "tsconfig.json"), join(cwd, "tsconfig.json"));
    const tools = variable("SPEECH_TOOLS");
    const args = ["--project", cwd, "--typeRoots", join(tools, "@types")];
    assert.equal(output(spawnSync(join(tools, ".bin", "tsc"), args)).toString(), "");
  });
}

for (const program of ["save.mjs", "cjs.cjs"]) {
  test(program, async (t) => {
    const cwd = copied(t);
    assert.equal(output(run(cwd, [program])).length, 0);
    const { wav } = await engine.synthesize("Hello, world.");
    assert.deepEqual(readFileSync(join(cwd, "hello.wav")), wav);
  });
}

test("tiers.mjs", (t) => {
  const printed = output(run(copied(t), ["tiers.mjs", "ultra", "turbo", "--seconds", "90"])).toString();
  assert.deepEqual(printed.trimEnd().split("\n"), [
    "ultra       80 ms  0.000139 USD a second  (not here)",
    "turbo      320 ms  0.000100 USD a second",
    "standard   560 ms  0.000061 USD a second",
    "economy   1120 ms  0.000042 USD a second  (not here)",
    "while a person waits in mid-sentence: turbo, standard",
    'tier "ultra" is not available here',
    "90 s in turbo: 9000 micro-dollars",
  ]);
});

test("agent.mjs", async (t) => {
  const { bytes } = await engine.synthesize("It cost $3.50. Dr. No paid it, and went home.");
  // Whether a sentence begins before its end is known depends on when its pieces arrive.
  const { length } = output(run(copied(t), ["agent.mjs"]));
  assert.ok(Math.abs(length / bytes.length - 1) < 0.5, `${length} bytes, and the whole has ${bytes.length}`);
});

describe("play.mjs", () => {
  /** A PATH with only these players and the programs that they need. */
  function players(t, programs) {
    const path = folder(t);
    for (const [name, source] of Object.entries(programs)) {
      writeFileSync(join(path, name), `#!/bin/sh\nPATH=/usr/bin:/bin\n${source}\n`, { mode: 0o755 });
    }
    return path;
  }

  for (const player of ["aplay", "ffplay", "play"]) {
    test(`plays through ${player}`, async (t) => {
      const cwd = copied(t);
      const PATH = players(t, { [player]: "exec cat > played.pcm" });
      const text = "First this, which is not short. Then that.";
      assert.equal(output(run(cwd, ["play.mjs", text, "--voice", "leo"], { PATH })).length, 0);
      const spoken = await joined(engine.stream(text, { voice: "leo", latency: "low" }));
      assert.deepEqual(readFileSync(join(cwd, "played.pcm")), spoken);
    });
  }

  test("says what is wrong", (t) => {
    const cwd = copied(t);
    const rows = [
      ["Hello.", "there is no player: install alsa-utils, ffmpeg or sox"],
      ["", "text is empty"],
    ];
    for (const [args, message] of rows) {
      const { status, stderr } = run(cwd, ["play.mjs", args], { PATH: players(t, {}) });
      assert.deepEqual([status, stderr.toString()], [1, `${message}\n`]);
    }
  });

  test("Ctrl-C ends it and the player", async (t) => {
    const cwd = copied(t);
    // This player reads a little, and then stops reading.
    const PATH = players(t, { aplay: "echo $$ > pid\nhead -c 1000 > played.pcm\nexec sleep 60" });
    const child = spawn(process.execPath, [join(cwd, "play.mjs"), LONG], { cwd, env: { ...process.env, PATH } });
    const [ended, errors] = [once(child, "close"), buffer(child.stderr)];
    const played = () => readdirSync(cwd).includes("played.pcm") && readFileSync(join(cwd, "played.pcm")).length > 0;
    await until(played, "nothing is played");
    const since = performance.now();
    child.kill("SIGINT");
    assert.deepEqual(await ended, [130, null]);
    assert.equal((await errors).toString(), "");
    assert.ok(performance.now() - since < 30_000);
    const player = Number(readFileSync(join(cwd, "pid"), "utf8"));
    assert.throws(() => process.kill(player, 0), { code: "ESRCH" });
  });
});

describe("server.mjs", () => {
  /** @type {import("node:http").Server} */
  let server;
  before(async (t) => {
    const { listener } = await import(pathToFileURL(join(copied({ after }), "server.mjs")).href);
    server = createServer(listener(engine)).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  after(() => server.close());

  /** The response to one request, with its complete body. */
  async function fetched(method, path, body) {
    const { port } = server.address();
    const asking = ask({ port, method, path, agent: false }).end(body);
    const [answer] = await once(asking, "response");
    return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
  }

  test("speaks", async () => {
    const answers = [];
    for (const [format, kind] of [["wav", "audio/wav"], ["pcm", "audio/L16"]]) {
      const { status, headers, body } = await fetched("POST", "/v1/speech", JSON.stringify({ text: TEXT, format }));
      assert.deepEqual([status, headers["content-type"]], [200, kind]);
      assert.deepEqual([headers["x-sample-rate"], headers["x-characters"]], ["22050", String(TEXT.length)]);
      assert.match(headers["x-request-id"], UUID);
      answers.push(body);
    }
    const { wav } = await engine.synthesize(TEXT);
    assert.deepEqual(answers, [wav, wav.subarray(44)]);
    assert.equal(JSON.parse((await fetched("GET", "/v1/speech/voices")).body).default_voice, "aria");
  });

  const REFUSALS = [
    ["POST", "/v1/speech", { text: " " }, 400, "empty_text"],
    ["POST", "/v1/speech", { text: "a".repeat(1001), format: "pcm" }, 400, "text_too_long"],
    ["POST", "/v1/speech", { text: "Hello.", voice: "bob" }, 400, "invalid_request"],
    ["POST", "/v1/speech", { text: "Hello.", format: "mp3" }, 400, "invalid_request"],
    ["POST", "/v1/speech", [], 400, "invalid_request"],
    ["POST", "/v1/speech", { text: "a".repeat(100_000) }, 413, "request_too_large"],
    ["GET", "/v1/speech", undefined, 405, "method_not_allowed"],
    ["GET", "/v1/nothing", undefined, 404, "not_found"],
    ["GET", "/constructor", undefined, 404, "not_found"],
  ];
  for (const [method, path, body, expected, code] of REFUSALS) {
    test(`refuses with ${expected} ${code}: ${method} ${path}`, async () => {
      const answer = await fetched(method, path, body && JSON.stringify(body));
      const { error } = JSON.parse(answer.body);
      assert.deepEqual([answer.status, error.type], [expected, code]);
      assert.equal(answer.headers["x-request-id"], error.request_id);
      assert.deepEqual(Object.keys(error).sort(), ["message", "request_id", "type"]);
    });
  }

  test("as a program", async (t) => {
    const cwd = copied(t);
    const child = spawn(process.execPath, [join(cwd, "server.mjs")], { cwd, env: { ...process.env, PORT: "0" } });
    t.after(() => child.kill("SIGKILL"));
    const [ended, errors] = [once(child, "close"), buffer(child.stderr)];
    const [line] = await once(child.stdout, "data");
    const answer = await fetch(`${line.toString().trim()}/v1/speech`, { method: "POST", body: '{"text": "Hello."}' });
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), (await engine.synthesize("Hello.")).wav);
    child.kill("SIGTERM");
    assert.deepEqual(await ended, [0, null]);
    assert.equal((await errors).toString(), "");
  });
});

// A substitute for Electron: the calls of the example, and the messages between its processes, are
// copied as Electron does.
const ELECTRON = `
const { EventEmitter } = require("node:events");

const handlers = new Map();
const sender = new EventEmitter();
const opened = [];

class BrowserWindow {
  constructor({ webPreferences }) {
    this.preload = webPreferences.preload;
  }
  async loadFile(file) {
    opened.push({ preload: this.preload, file });
  }
}

module.exports = {
  BrowserWindow,
  app: Object.assign(new EventEmitter(), { whenReady: async () => {}, quit: () => {} }),
  contextBridge: { exposeInMainWorld: (name, api) => (module.exports.world[name] = api) },
  ipcMain: { handle: (channel, handler) => handlers.set(channel, handler) },
  ipcRenderer: {
    invoke: async (channel, ...args) =>
      structuredClone(await handlers.get(channel)({ sender }, ...structuredClone(args))),
  },
  opened,
  sender,
  world: {},
};
`;

describe("electron, with a stand-in for Electron", () => {
  /** The example with mock Electron: the main process and the preload script are loaded. */
  async function started(t) {
    const path = join(copied(t), "electron");
    mkdirSync(join(path, "node_modules", "electron"), { recursive: true });
    writeFileSync(join(path, "node_modules", "electron", "index.js"), ELECTRON);
    const require = createRequire(join(path, "main.js"));
    const electron = require("electron");
    require(join(path, JSON.parse(readFileSync(join(path, "package.json"), "utf8")).main));
    await until(() => electron.opened.length === 1, "no window is opened");
    const [{ preload, file }] = electron.opened;
    require(preload);
    return { ...electron, page: join(path, file) };
  }

  test("the page asks for one sentence after another", async (t) => {
    const { world } = await started(t);
    const { id } = await world.speech.begin({ text: TEXT });
    const parts = [];
    for (;;) {
      const { pcm, error } = await world.speech.next(id);
      assert.equal(error, undefined);
      if (pcm === undefined) break;
      assert.ok(pcm instanceof Int16Array);
      parts.push(Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength));
    }
    assert.equal(parts.length, SENTENCES.length);
    assert.deepEqual(Buffer.concat(parts), (await engine.synthesize(TEXT)).bytes);
  });

  test("what is refused, stopped or left", async (t) => {
    const { sender, world } = await started(t);
    const { error } = await world.speech.begin({ text: "a", voice: "nobody" });
    assert.equal(error.type, "invalid_request");
    for (const end of [(id) => world.speech.stop(id), () => sender.emit("destroyed")]) {
      const { id } = await world.speech.begin({ text: TEXT });
      assert.ok((await world.speech.next(id)).pcm.length > 0);
      assert.equal(sender.listenerCount("destroyed"), 1);
      await end(id);
      assert.deepEqual(await world.speech.next(id), {});
    }
  });

  /** The script of the page, in a mock window whose audio clock runs 1,000 times as fast. */
  function opened(world, page) {
    const element = (id) => [id, Object.assign(new EventTarget(), { value: TEXT, textContent: "" })];
    const elements = Object.fromEntries(["text", "speak", "stop", "said"].map(element));
    const sounds = [];
    class AudioContext {
      get currentTime() {
        return performance.now();
      }
      createBuffer(_channels, length, rate) {
        assert.equal(rate, SAMPLE_RATE);
        return { duration: length / rate, copyToChannel: (samples) => sounds.push({ samples }) };
      }
      async close() {
        sounds.push("closed");
      }
    }
    class AudioBufferSourceNode {
      connect() {}
      start(moment) {
        sounds.at(-1).moment = moment;
      }
    }
    const document = { getElementById: (id) => elements[id] };
    const globals = { AbortController, AudioBufferSourceNode, AudioContext, document, setTimeout, window: world };
    const html = readFileSync(page, "utf8");
    const [, script] = /<script src="(.*?)">/.exec(html);
    assert.deepEqual(Object.keys(elements).filter((id) => !html.includes(`id="${id}"`)), []);
    vm.runInNewContext(readFileSync(join(page, "..", script), "utf8"), globals);
    const click = (id) => elements[id].dispatchEvent(new Event("click"));
    return { ...elements, sounds, click };
  }

  test("the page plays it", async (t) => {
    const { page, world } = await started(t);
    const { click, sounds } = opened(world, page);
    click("speak");
    const expected = Array.from(await joined(engine.stream(TEXT, { latency: "low" })));
    const count = () => sounds.reduce((count, { samples }) => count + samples.length, 0);
    await until(() => 2 * count() === expected.length, "it is not played");
    const heard = sounds.flatMap(({ samples }) => Array.from(samples, (sample) => Math.round(sample * 32_768)));
    assert.deepEqual(Array.from(new Uint8Array(Int16Array.from(heard).buffer)), expected);
    for (const [index, { moment }] of sounds.slice(1).entries()) {
      const before = sounds[index];
      assert.ok(moment >= before.moment + before.samples.length / SAMPLE_RATE - 1e-6);
    }
    click("stop");
    await until(() => sounds.at(-1) === "closed", "it is not stopped");
  });

  test("the page shows a refusal", async (t) => {
    const { page, world } = await started(t);
    const { click, said, sounds, text } = opened(world, page);
    text.value = " ";
    click("speak");
    await until(() => said.textContent !== "", "nothing is shown");
    assert.equal(said.textContent, "text is only white space");
    await pause(20);
    assert.deepEqual(sounds, []);
  });
});

describe("the benchmarks run and print", () => {
  test("event_loop.mjs", (t) => {
    const args = ["event_loop.mjs", "--bundle", variable("SPEECH_FAKE_MODEL"), "--seconds", "0.02"];
    const [idle, kernels, ...lines] = output(run(copied(t, BENCHES), args)).toString().trimEnd().split("\n");
    const figures = /: median [\d.]+ ms, 99 % [\d.]+ ms, maximum [\d.]+ ms, of \d+$/;
    const last = lines.pop();
    assert.equal(kernels, `${engine.kernels}, ${engine.precision}`);
    const names = [idle, ...lines].map((line) => line.replace(figures, ""));
    const of = (threads) => ["whole", "stream", "8 at once"].map((name) => `${name}, ${threads}`);
    assert.deepEqual(names, ["idle", ...of("1 thread"), ...of("2 threads")]);
    assert.match(last, /^99 % under 20 ms: (yes|no) \([\d.]+ ms\)$/);
  });

  test("overhead.mjs", (t) => {
    const args = ["overhead.mjs", "--bundle", variable("SPEECH_FAKE_MODEL"), "--repeat", "2"];
    const [first, ...lines] = output(run(copied(t, BENCHES), args)).toString().trimEnd().split("\n");
    const last = lines.pop();
    assert.equal(first, `1 threads, ${engine.kernels}, ${engine.precision}`);
    assert.equal(lines.length, 3);
    const figures = /^[\w ,]+: core [\d.]+ ms; added -?\d+ µs \(median\), -?\d+ µs \(95 %\), [+-][\d.]+%$/;
    for (const line of lines) assert.match(line, figures);
    assert.match(last, /^all calls: [+-][\d.]+% of the core's time$/);
  });
});
