import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { browser, open, serve } from "./page.mjs";

let chromium;
before(async () => {
  chromium = await browser();
});
after(() => chromium?.close());

const TEXT = "It costs $4.50. Then she left, at 5 pm.";

for (const isolated of [false, true]) {
  test(`a page that is ${isolated ? "" : "not "}cross-origin isolated speaks`, async () => {
    const server = await serve({ isolated });
    const context = await chromium.newContext();
    try {
      const page = await open(context, server);
      const spoken = await page.evaluate(async (text) => {
        const progress = [];
        const engine = await load({ onProgress: (step) => progress.push(step) });
        const audio = await engine.synthesize(text, { voice: "leo" });
        const chunks = [];
        for await (const chunk of engine.stream(text, { voice: "leo" })) chunks.push(chunk);
        const pcm = chunks.flatMap((chunk) => [...chunk.samples]);
        return {
          isolated: crossOriginIsolated,
          module: engine.module,
          threads: engine.threads,
          kernels: engine.kernels,
          stored: engine.stored,
          phases: [...new Set(progress.map((step) => step.phase))],
          last: progress.at(-1),
          duration: audio.duration,
          words: audio.words.map(({ span }) => text.slice(span.start, span.end)),
          loudest: Math.max(...audio.samples.map(Math.abs)),
          chunks: chunks.length,
          same: pcm.length === audio.samples.length && pcm.every((sample, i) => sample === audio.samples[i]),
          wav: (await audio.toBlob().arrayBuffer()).byteLength,
          telephone: await (async () => {
            const options = { sampleRate: 8000, encoding: "mulaw" };
            const call = await engine.synthesize(text, options);
            const parts = [];
            for await (const { bytes } of engine.stream(text, options)) parts.push(...bytes);
            const file = new Uint8Array(await call.toBlob().arrayBuffer());
            const refused = await engine.synthesize(text, { sampleRate: 11_025 }).catch(({ message }) => message);
            return {
              rate: call.sampleRate,
              encoding: call.encoding,
              seconds: call.bytes.length / 8000 - call.duration,
              format: file[20],
              size: file.length - call.bytes.length - (call.bytes.length % 2),
              same: parts.join() === call.bytes.join(),
              refused,
            };
          })(),
        };
      }, TEXT);
      assert.equal(spoken.isolated, isolated);
      assert.equal(spoken.module, isolated ? "threads" : "relaxed");
      assert.equal(spoken.threads > 1, isolated);
      assert.equal(spoken.kernels, "simd128");
      assert.equal(spoken.stored, true);
      assert.deepEqual(spoken.phases, ["download", "prepare"]);
      assert.equal(spoken.last.loaded, spoken.last.total);
      assert.ok(spoken.duration > 2 && spoken.duration < 6, `${spoken.duration}`);
      assert.deepEqual(spoken.words, ["It", "costs", "$4.50", "Then", "she", "left", "at", "5 pm"]);
      assert.ok(spoken.loudest > 3000, `${spoken.loudest}`);
      assert.equal(spoken.chunks, 2);
      assert.ok(spoken.same, "the chunks are not the whole");
      assert.equal(spoken.wav, 44 + 2 * Math.round(spoken.duration * 22_050));
      const refused = "sample_rate is 11025; it must be 8000, 16000, 22050, 24000, 44100 or 48000";
      const telephone = { rate: 8000, encoding: "mulaw", seconds: 0, format: 7, size: 58, same: true, refused };
      assert.deepEqual(spoken.telephone, telephone);
    } finally {
      await context.close();
      await server.close();
    }
  });
}

test("each quality is of other networks", async () => {
  const server = await serve();
  const context = await chromium.newContext();
  try {
    const page = await open(context, server);
    const { qualities, others, spoken } = await page.evaluate(async (text) => {
      const engine = await load();
      const bytes = async (request) => (await engine.synthesize(text, { ...request })).samples.join();
      const live = async (quality) => {
        const parts = [];
        for await (const { samples: pcm } of engine.speakLive([text], { quality })) parts.push(...pcm);
        return parts.join();
      };
      const qualities = await engine.qualities("aria", "en-US");
      const spoken = [];
      for (const quality of qualities) {
        const pcm = await bytes({ quality });
        spoken.push({ pcm, same: pcm === (await bytes({ quality })) && pcm === (await live(quality)) });
      }
      return { qualities, others: await engine.qualities("leo", "hi-IN"), spoken };
    }, TEXT);
    assert.deepEqual(qualities, ["full", "fast", "light"]);
    assert.deepEqual(others, ["full"]);
    assert.deepEqual(spoken.map(({ same }) => same), [true, true, true]);
    assert.equal(new Set(spoken.map(({ pcm }) => pcm)).size, 3);
  } finally {
    await context.close();
    await server.close();
  }
});

test("a source that never ends is taken as it is spoken", async () => {
  const server = await serve();
  const context = await chromium.newContext();
  try {
    const page = await open(context, server);
    const { ahead, later } = await page.evaluate(async () => {
      const engine = await load();
      let taken = 0;
      const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
      async function* endless() {
        for (;;) {
          taken += 1;
          yield "Hello. ".repeat(10);
        }
      }
      const live = engine.speakLive(endless(), { quality: "light" });
      for (let chunk = 0; chunk < 4; chunk++) await live.next();
      await pause(300);
      const ahead = taken;
      for (let chunk = 0; chunk < 500; chunk++) await live.next();
      await pause(300);
      live.close();
      return { ahead, later: taken };
    });
    assert.ok(ahead >= 234 && ahead < 400, `${ahead} pieces were taken`);
    assert.ok(later > ahead && later < 500, `${later} pieces were taken`);
  } finally {
    await context.close();
    await server.close();
  }
});

test("the light voices speak as the compact ones do in that quality", async () => {
  const server = await serve();
  const context = await chromium.newContext();
  try {
    const page = await open(context, server);
    const { qualities, others, same, refused } = await page.evaluate(async (text) => {
      const light = await loadLight();
      const compact = await load();
      const pcm = async (engine, quality) => (await engine.synthesize(text, { quality })).samples.join();
      return {
        qualities: await light.qualities("aria", "en-US"),
        others: await light.qualities("leo", "hi-IN"),
        same: (await pcm(light)) === (await pcm(compact, "light")),
        refused: await failure(light.synthesize(text, { voice: "leo" })),
      };
    }, TEXT);
    assert.deepEqual(qualities, ["light"]);
    assert.deepEqual(others, []);
    assert.ok(same);
    assert.equal(refused.code, "invalid_request");
  } finally {
    await context.close();
    await server.close();
  }
});
