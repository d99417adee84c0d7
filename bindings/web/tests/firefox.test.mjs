// The package in Firefox, run without a driver like a user's browser: with WebDriver BiDi attached,
// starting a worker within a worker does not always finish. A page runs a test and posts the
// result.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { serve } from "./page.mjs";

/**
 * Lets a page play audio without a click, and disables the browser's own questions, pages and
 * downloads.
 */
const PREFERENCES = {
  "media.autoplay.default": 0,
  "media.autoplay.blocking_policy": 0,
  "app.update.enabled": false,
  "app.normandy.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage_override.mstone": "ignore",
  "datareporting.policy.dataSubmissionEnabled": false,
};

/** A sound card for Firefox, which unlike Chromium plays nothing on a machine without one. */
class SoundCard {
  #folder = mkdtempSync(join(tmpdir(), "libspeech-web-"));
  #server;

  /**
   * The environment that selects it. Systems other than Linux have no PulseAudio and need a sound
   * card.
   */
  async start() {
    const socket = join(this.#folder, "native");
    const modules = [`--load=module-native-protocol-unix socket=${socket} auth-anonymous=1`, "--load=module-null-sink"];
    const own = { HOME: this.#folder, XDG_RUNTIME_DIR: this.#folder, PULSE_RUNTIME_PATH: this.#folder };
    const args = ["-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", ...modules];
    this.#server = spawn("pulseaudio", args, { env: { ...process.env, ...own }, stdio: "ignore" });
    const missing = new Promise((resolve) => this.#server.once("error", () => resolve(true)));
    for (let i = 0; i < 100 && !existsSync(socket); i++) {
      const wait = new Promise((resolve) => setTimeout(resolve, 100));
      if (await Promise.race([missing, wait])) return {};
    }
    return { PULSE_SERVER: `unix:${socket}` };
  }

  stop() {
    this.#server?.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Firefox with a profile of its own. */
class Firefox {
  #profile = mkdtempSync(join(tmpdir(), "libspeech-web-"));

  constructor() {
    const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`);
    writeFileSync(join(this.#profile, "user.js"), lines.join(""));
  }

  /** Starts Firefox with a page, and returns what the page posts. */
  async visit(server, path) {
    const args = ["--headless", "--no-remote", "--profile", this.#profile, new URL(path, server.url).href];
    const firefox = spawn(process.env.FIREFOX, args, { env: { ...process.env, ...sound }, stdio: "ignore" });
    const ended = once(firefox, "exit");
    try {
      const [text] = await once(server.posted, "posted", { signal: AbortSignal.timeout(120_000) });
      const { threw, value } = JSON.parse(text);
      assert.equal(threw, undefined);
      return value;
    } finally {
      firefox.kill();
      await ended;
    }
  }

  close() {
    rmSync(this.#profile, { recursive: true, force: true });
  }
}

const soundCard = new SoundCard();
let sound = {};
before(async () => {
  sound = await soundCard.start();
});
after(() => soundCard.stop());

/**
 * A script that runs a function in a page, where `load(options)` loads an engine from the server.
 */
const script = (body) => `
  import * as speech from "/lib/index.js";
  const load = (options) => speech.Engine.load({ voices: "/voices.tar.gz", ...options });
  const TEXT = ${JSON.stringify(TEXT)};
  const run = ${body};
  const post = (result) => fetch("/", { method: "POST", body: JSON.stringify(result) });
  run().then((value) => post({ value }), (error) => post({ threw: error + " " + error.cause + " " + error.stack }));
`;

/** Runs a test in a page of a new browser. */
function inPage(name, options, body, check) {
  test(name, async () => {
    const texts = { "/test.html": '<!doctype html><script type="module" src="/test.js"></script>', "/test.js": script(body) };
    const server = await serve({ ...options, texts });
    const firefox = new Firefox();
    try {
      await check(await firefox.visit(server, "test.html"), server);
    } finally {
      firefox.close();
      await server.close();
    }
  });
}

const TEXT = "It costs $4.50. Then she left, at 5 pm.";
const WORDS = ["It", "costs", "$4.50", "Then", "she", "left", "at", "5 pm"];
const downloads = ({ requests }) => requests.filter(({ path }) => path.endsWith(".tar.gz")).length;

for (const isolated of [false, true]) {
  inPage(
    `a page that is ${isolated ? "" : "not "}cross-origin isolated speaks, and a request is cancelled`,
    { isolated },
    async () => {
      const engine = await load();
      const audio = await engine.synthesize(TEXT, { voice: "leo" });
      const chunks = [];
      for await (const chunk of engine.stream(TEXT, { voice: "leo" })) chunks.push(chunk);
      const pcm = chunks.flatMap((chunk) => [...chunk.samples]);
      const controller = new AbortController();
      const text = "This sentence is long enough to be computed for a while, whatever the processor. ".repeat(8);
      const cancelled = engine.synthesize(text, { signal: controller.signal }).catch(({ name, code }) => [name, code]);
      setTimeout(() => controller.abort(), 300);
      return {
        cancelled: await cancelled,
        after: (await engine.synthesize("Hi.")).duration,
        isolated: crossOriginIsolated,
        module: engine.module,
        threads: engine.threads,
        stored: engine.stored,
        duration: audio.duration,
        words: audio.words.map(({ span }) => TEXT.slice(span.start, span.end)),
        chunks: chunks.length,
        same: pcm.length === audio.samples.length && pcm.every((sample, i) => sample === audio.samples[i]),
      };
    },
    (spoken) => {
      assert.equal(spoken.isolated, isolated);
      assert.equal(spoken.module, isolated ? "threads" : "relaxed");
      assert.equal(spoken.threads > 1, isolated);
      assert.equal(spoken.stored, true);
      assert.ok(spoken.duration > 2 && spoken.duration < 6, `${spoken.duration}`);
      assert.deepEqual(spoken.words, WORDS);
      assert.equal(spoken.chunks, 2);
      assert.ok(spoken.same, "the chunks are not the whole");
      assert.deepEqual(spoken.cancelled, ["AbortError", "cancelled"]);
      assert.ok(spoken.after > 0.2);
    },
  );
}

inPage(
  "a second visit downloads nothing",
  {},
  async () => {
    const engine = await load();
    const visit = { stored: engine.stored, duration: (await engine.synthesize("Hello.")).duration };
    const first = sessionStorage.getItem("first");
    if (first !== null) return [JSON.parse(first), visit];
    sessionStorage.setItem("first", JSON.stringify(visit));
    location.reload();
    return new Promise(() => undefined);
  },
  ([first, second], server) => {
    assert.equal(first.stored, true);
    assert.deepEqual(second, first);
    assert.equal(downloads(server), 1);
  },
);

let cut = 0;
inPage(
  "a download that was interrupted goes on where it was",
  {
    change(request, response) {
      if (cut++ > 0) return false;
      response.writeHead(200, { "Content-Type": "application/gzip", "Content-Length": 40_000_000 });
      response.write(Buffer.alloc(0));
      response.destroy();
      return true;
    },
  },
  async () => (await load()).stored,
  (stored, server) => {
    assert.equal(stored, true);
    assert.equal(downloads(server), 2);
  },
);

inPage(
  "the player tells the words that are heard",
  {},
  async () => {
    const words = [];
    const onWord = ({ span }) => words.push(TEXT.slice(span.start, span.end));
    const player = await speech.Player.create({ onWord });
    await player.play((await load()).stream(TEXT));
    return words;
  },
  (words) => assert.deepEqual(words, WORDS),
);

test("the page of examples/web speaks, and lights the words", async () => {
  const visitor = async () => {
    const element = (selector) => document.querySelector(selector);
    const lit = [];
    element("#text").value = TEXT;
    new MutationObserver(() => {
      const word = element("mark")?.textContent;
      if (word !== undefined && lit.at(-1) !== word) lit.push(word);
    }).observe(element("#lit"), { childList: true });
    element("#speak").click();
    while (!element("#status").textContent.startsWith("Finished") && element("#error").hidden) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return { lit, status: element("#status").textContent, error: element("#error").textContent };
  };
  // The page, with an additional script that presses the button.
  const page = readFileSync(join(process.env.WEB_DEMO, "index.html"), "utf8");
  const texts = {
    "/docs/try/index.html": page.replace("</head>", '<script type="module" src="visitor.js"></script></head>'),
    "/docs/try/visitor.js": script(visitor).replace(/import .*;/, ""),
  };
  const server = await serve({ folder: process.env.WEB_DEMO, base: "/docs/try/", texts });
  const firefox = new Firefox();
  try {
    const { lit, status, error } = await firefox.visit(server, "docs/try/index.html");
    assert.equal(error, "");
    assert.match(status, /^Finished/);
    assert.deepEqual(lit, WORDS);
  } finally {
    firefox.close();
    await server.close();
  }
});
