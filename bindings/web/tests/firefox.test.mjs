// The package in Firefox, which is driven by WebDriver BiDi.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { open, serve, tools } from "./page.mjs";

const BROWSERS = ["/usr/bin/firefox", "/usr/bin/firefox-esr"];

/** A sound card for Firefox, which unlike Chromium plays nothing where the machine has none. */
class SoundCard {
  #folder = mkdtempSync(join(tmpdir(), "libspeech-web-"));
  #server;

  /** What tells Firefox of it; where PulseAudio is not installed, it is to have one of the machine. */
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

const soundCard = new SoundCard();
let firefox;
before(async () => {
  const executablePath = process.env.FIREFOX ?? BROWSERS.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error("Firefox is needed: install it (Debian: apt-get install firefox-esr), or set FIREFOX to its path");
  }
  const extraPrefsFirefox = { "media.autoplay.default": 0, "media.autoplay.blocking_policy": 0 };
  const env = { ...process.env, ...(await soundCard.start()) };
  const options = { browser: "firefox", executablePath, headless: true, extraPrefsFirefox, env };
  firefox = await tools("puppeteer-core").launch({ ...options, protocolTimeout: 120_000 });
});
after(async () => {
  await firefox?.close();
  soundCard.stop();
});

/** Runs a test in a page of its own. */
function inPage(name, options, body) {
  test(name, async () => {
    const server = await serve(options);
    const context = await firefox.createBrowserContext();
    try {
      await body(await open(context, server), server, context);
    } finally {
      await context.close();
      await server.close();
    }
  });
}

const TEXT = "It costs $4.50. Then she left, at 5 pm.";

for (const isolated of [false, true]) {
  inPage(`a page that is ${isolated ? "" : "not "}cross-origin isolated speaks`, { isolated }, async (page) => {
    const spoken = await page.evaluate(async (text) => {
      const engine = await load();
      const audio = await engine.synthesize({ text, voice: "leo" });
      const chunks = [];
      for await (const chunk of await engine.stream({ text, voice: "leo" })) chunks.push(chunk);
      const pcm = chunks.flatMap((chunk) => [...chunk.pcm]);
      return {
        isolated: crossOriginIsolated,
        module: engine.module,
        threads: engine.threads,
        stored: engine.stored,
        duration: audio.duration,
        words: audio.words.map(({ span }) => text.slice(span.start, span.end)),
        chunks: chunks.length,
        same: pcm.length === audio.pcm.length && pcm.every((sample, i) => sample === audio.pcm[i]),
      };
    }, TEXT);
    assert.equal(spoken.isolated, isolated);
    assert.equal(spoken.module === "threads", isolated, spoken.module);
    assert.equal(spoken.threads > 1, isolated);
    assert.equal(spoken.stored, true);
    assert.ok(spoken.duration > 2 && spoken.duration < 6, `${spoken.duration}`);
    assert.deepEqual(spoken.words, ["It", "costs", "$4.50", "Then", "she", "left", "at", "5 pm"]);
    assert.equal(spoken.chunks, 2);
    assert.ok(spoken.same, "the chunks are not the whole");
  });
}

inPage("an abort rejects at once", { isolated: true }, async (page) => {
  const { error, after } = await page.evaluate(async () => {
    const engine = await load();
    const controller = new AbortController();
    const text = "This sentence is long enough to be computed for a while, whatever the processor. ".repeat(8);
    const spoken = failure(engine.synthesize(text, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 300);
    const error = await spoken;
    return { error, after: (await engine.synthesize("Hi.")).duration };
  });
  assert.equal(error.code, "cancelled");
  assert.equal(error.name, "AbortError");
  assert.ok(after > 0.2);
});

inPage("a second visit downloads nothing", {}, async (page, server, context) => {
  assert.equal(await page.evaluate(async () => (await load()).stored), true);
  const again = await open(context, server);
  assert.ok((await again.evaluate(async () => (await (await load()).synthesize("Hello.")).duration)) > 0.2);
  assert.equal(server.requests.filter(({ path }) => path === "/voices.tar.gz").length, 1);
});

inPage("the player tells the words that are heard", {}, async (page) => {
  const words = await page.evaluate(async (text) => {
    const words = [];
    const player = await speech.Player.create({ onWord: ({ span }) => words.push(text.slice(span.start, span.end)) });
    await player.play(await (await load()).stream(text));
    return words;
  }, TEXT);
  assert.deepEqual(words, ["It", "costs", "$4.50", "Then", "she", "left", "at", "5 pm"]);
});

test("the page of examples/web speaks, and lights the words", async () => {
  const server = await serve({ folder: process.env.WEB_DEMO, base: "/docs/try/" });
  const context = await firefox.createBrowserContext();
  try {
    const page = await context.newPage();
    await page.goto(`${server.url}docs/try/`);
    await page.click("#speak");
    await page.waitForSelector("mark", { timeout: 120_000 });
    const isFinished = () => document.querySelector("#status").textContent.startsWith("Finished");
    await page.waitForFunction(isFinished, { timeout: 120_000 });
    assert.equal(await page.$("#error:not([hidden])"), null);
  } finally {
    await context.close();
    await server.close();
  }
});

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
  async (page) => assert.equal(await page.evaluate(async () => (await load()).stored), true),
);
