// Storing the voices: a full device, and several tabs.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { browser, inPage, open, profiled, serve } from "./page.mjs";

let chromium;
before(async () => {
  chromium = await browser();
});
after(() => chromium?.close());

/** The first 4,000,000 bytes of the voices. */
const START = readFileSync(process.env.WEB_VOICES).subarray(0, 4_000_000);

const downloads = (server) => server.requests.filter(({ path }) => path === "/voices.tar.gz").length;

/** A window of the browser, private or not, as `[context, close]`. */
const WINDOWS = {
  async private() {
    const context = await chromium.newContext();
    return [context, () => context.close()];
  },
  async usual() {
    const profile = mkdtempSync(join(tmpdir(), "libspeech-web-"));
    const context = await profiled(profile);
    return [context, () => context.close().then(() => rmSync(profile, { recursive: true, force: true }))];
  },
};

for (const [kind, openWindow] of Object.entries(WINDOWS)) {
  test(`a device that is full speaks, and keeps nothing: a ${kind} window`, async () => {
    const server = await serve();
    const [context, close] = await openWindow();
    try {
      const page = await open(context, server);
      const session = await context.newCDPSession(page);
      const origin = new URL(server.url).origin;
      await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 10_000_000 });
      const speak = async () => {
        const engine = await load();
        const { duration } = await engine.synthesize("Hello.");
        const { usage } = await navigator.storage.estimate();
        engine.close();
        return { stored: engine.stored, duration, usage };
      };
      const { stored, duration, usage } = await page.evaluate(speak);
      assert.equal(stored, false);
      assert.ok(duration > 0.2);
      assert.ok(usage < 1_000_000, `${usage} bytes were left on the device`);
      assert.equal(downloads(server), 1);
      // Once there is space they are stored.
      await session.send("Storage.overrideQuotaForOrigin", { origin });
      assert.equal((await page.evaluate(speak)).stored, true);
      assert.equal(downloads(server), 2);
    } finally {
      await close();
      await server.close();
    }
  });
}

inPage("of two tabs that load at once, one downloads", () => chromium, {}, async (first, server, context) => {
  const second = await open(context, server);
  const load = (page) =>
    page.evaluate(async () => {
      const engine = await globalThis.load();
      return { stored: engine.stored, duration: (await engine.synthesize("Hello.")).duration };
    });
  const loaded = await Promise.all([load(first), load(second)]);
  for (const { stored, duration } of loaded) {
    assert.equal(stored, true);
    assert.ok(duration > 0.2);
  }
  assert.equal(downloads(server), 1);
});

inPage("both bundles of a version are kept, and those of other versions removed", () => chromium, {}, async (page, server) => {
  const { stored, names } = await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle("libspeech", { create: true });
    await folder.getFileHandle("another-version", { create: true });
    const stored = [];
    for (const load of [loadLight, globalThis.load, loadLight]) {
      const engine = await load();
      stored.push(engine.stored);
      engine.close();
    }
    return { stored, names: await Array.fromAsync(folder.keys()) };
  });
  assert.deepEqual(stored, [true, true, true]);
  assert.equal(names.length, 2, `${names}`);
  assert.ok(!names.includes("another-version"));
  const fetched = server.requests.filter(({ path }) => path.endsWith(".tar.gz")).map(({ path }) => path);
  assert.deepEqual(fetched, ["/libspeech-voices-light.tar.gz", "/voices.tar.gz"]);
});

inPage("a tab that is closed while it downloads leaves its part to the next", () => chromium, {
  change(request, response) {
    if (request.headers.range !== undefined) return false;
    // The beginning, and then nothing more.
    response.writeHead(200, { "Content-Type": "application/gzip" });
    response.write(START);
    return true;
  },
}, async (first, server, context) => {
  await first.evaluate(
    () =>
      new Promise((resolve) => {
        void load({ onProgress: ({ loaded }) => loaded >= 3_000_000 && resolve() });
      }),
  );
  await first.close();
  const second = await open(context, server);
  assert.equal(await second.evaluate(async () => (await load()).stored), true);
  const ranges = server.requests.filter(({ path }) => path === "/voices.tar.gz").map(({ range }) => range);
  assert.equal(ranges.length, 2);
  assert.match(ranges[1], /^bytes=\d{7}-$/);
});
