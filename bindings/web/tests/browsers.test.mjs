// Browsers that lack a feature.

import assert from "node:assert/strict";
import { arch } from "node:process";
import { after, before, test } from "node:test";

import { AUTOPLAY, browser, inPage, open, serve } from "./page.mjs";

/** The error of loading an engine in a browser started with these V8 flags. */
async function failureOfLoading(flags) {
  const server = await serve();
  const chromium = await browser([AUTOPLAY, `--js-flags=${flags}`]);
  try {
    const page = await open(await chromium.newContext(), server);
    const failure = await page.evaluate(() => failure(load()));
    const downloads = server.requests.filter(({ path }) => path.endsWith(".gz") || path.endsWith(".wasm"));
    return { ...failure, downloads };
  } finally {
    await chromium.close();
    await server.close();
  }
}

/**
 * V8 has no SIMD without the necessary processor instructions, and no WebAssembly without its
 * compilers.
 */
const LACKING = { ...(arch === "x64" ? { SIMD: "--no-enable-sse4-1" } : {}), WebAssembly: "--jitless" };

for (const [lacking, flags] of Object.entries(LACKING)) {
  test(`a browser without ${lacking} is told so before anything is downloaded`, async () => {
    const { code, detail, advice, downloads } = await failureOfLoading(flags);
    assert.deepEqual({ code, detail, advice }, {
      code: "model_error",
      detail: "unsupported_browser",
      advice: "update_browser",
    });
    assert.deepEqual(downloads, []);
  });
}

let chromium;
before(async () => {
  chromium = await browser();
});
after(() => chromium?.close());

inPage(
  "the module without relaxed SIMD speaks",
  () => chromium,
  { instead: { "/lib/speech-relaxed.wasm": "/lib/speech.wasm" } },
  async (page, server) => {
    const duration = await page.evaluate(async () => (await (await load()).synthesize("Hello, world.")).duration);
    assert.ok(duration > 0.5 && duration < 3, `${duration}`);
    const modules = server.requests.filter(({ path }) => path.endsWith(".wasm")).map(({ path }) => path);
    assert.deepEqual(modules, ["/lib/speech.wasm"]);
  },
);

test("a page that came without HTTPS speaks, keeps nothing, and is told that it has no player", async () => {
  const server = await serve();
  const chromium = await browser([AUTOPLAY, "--host-resolver-rules=MAP speech.test 127.0.0.1"]);
  try {
    const url = server.url.replace("localhost", "speech.test");
    const page = await open(await chromium.newContext(), { ...server, url });
    const { stored, duration, player } = await page.evaluate(async () => {
      const engine = await load();
      const { duration } = await engine.synthesize("Hello.");
      return { stored: engine.stored, duration, player: await failure(speech.Player.create()) };
    });
    assert.equal(stored, false);
    assert.ok(duration > 0.2);
    assert.equal(player.code, "invalid_request");
    assert.match(player.message, /HTTPS/);
  } finally {
    await chromium.close();
    await server.close();
  }
});
