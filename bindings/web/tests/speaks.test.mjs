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
        const audio = await engine.synthesize({ text, voice: "leo" });
        const chunks = [];
        for await (const chunk of await engine.stream({ text, voice: "leo" })) chunks.push(chunk);
        const pcm = chunks.flatMap((chunk) => [...chunk.pcm]);
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
          loudest: Math.max(...audio.pcm.map(Math.abs)),
          chunks: chunks.length,
          same: pcm.length === audio.pcm.length && pcm.every((sample, i) => sample === audio.pcm[i]),
          wav: (await audio.toBlob().arrayBuffer()).byteLength,
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
    } finally {
      await context.close();
      await server.close();
    }
  });
}
