import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { browser, inPage, serve } from "./page.mjs";

let chromium;
before(async () => {
  chromium = await browser();
});
after(() => chromium?.close());

inPage("it sounds from the first chunk on, and tells words when they are heard", () => chromium, {}, async (page) => {
  const played = await page.evaluate(async () => {
    const engine = await load();
    const text = "First this. Then she said that, and this in the end.";
    const told = [];
    const player = await speech.Player.create({
      onWord: (word) => told.push({ word: text.slice(word.span.start, word.span.end), start: word.start, heard: player.heard }),
    });
    const analyser = player.node.context.createAnalyser();
    player.node.connect(analyser);
    const wave = new Float32Array(analyser.fftSize);
    /** Whether audio plays, with the second chunk held back. */
    const sounds = async () => {
      while (true) {
        analyser.getFloatTimeDomainData(wave);
        if (wave.some((sample) => Math.abs(sample) > 0.01)) return true;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    let firstWords;
    let duration = 0;
    async function* chunks() {
      for await (const chunk of engine.stream(text)) {
        duration += chunk.duration;
        yield chunk;
        if (firstWords !== undefined) continue;
        await sounds();
        while (told.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
        firstWords = told.map(({ word }) => word);
      }
    }
    await player.play(chunks());
    const { heard } = player;
    await player.close();
    return { told, firstWords, heard, duration };
  });
  assert.deepEqual(played.firstWords, ["First", "this"]);
  const words = played.told.map(({ word }) => word);
  assert.deepEqual(words, ["First", "this", "Then", "she", "said", "that", "and", "this", "in", "the", "end"]);
  for (const { word, start, heard } of played.told) assert.ok(start <= heard + 0.001, `${word}: ${start} at ${heard}`);
  assert.ok(played.heard > played.duration - 1 && played.heard <= played.duration, JSON.stringify(played));
});

inPage("what plays takes the place of what played", () => chromium, {}, async (page) => {
  const { told, first, second, heard, third } = await page.evaluate(async () => {
    const engine = await load();
    const long = await engine.synthesize("One two three four five six seven eight nine ten eleven twelve.");
    const short = await engine.synthesize("Red blue.");
    const told = [];
    const player = await speech.Player.create({ onWord: ({ start }) => told.push(start) });
    const first = player.play(long);
    while (told.length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    const second = player.play(short);
    await first;
    const before = told.length;
    await second;
    // Only the words of the second, and only once they are heard.
    const words = told.slice(before);
    const third = player.play(long);
    while (player.heard < 0.5) await new Promise((resolve) => setTimeout(resolve, 10));
    player.stop();
    await third;
    const { heard } = player;
    const after = told.length;
    await new Promise((resolve) => setTimeout(resolve, 500));
    return {
      told: { words, expected: short.words.map(({ start }) => start) },
      first: before < long.words.length,
      second: words.length,
      heard,
      third: { after: told.length - after, still: player.heard - heard, whole: long.duration },
    };
  });
  assert.deepEqual(told.words, told.expected);
  assert.ok(first);
  assert.equal(second, 2);
  assert.ok(heard >= 0.5 && heard < third.whole, `${heard}`);
  assert.equal(third.after, 0);
  assert.ok(third.still < 0.2, `${third.still}`);
});

inPage("a stream ends the play whenever it ends, and an error of it is thrown", () => chromium, {}, async (page) => {
  const results = await page.evaluate(async () => {
    const engine = await load();
    const player = await speech.Player.create();
    await player.play((async function* () {})());
    const audio = await engine.synthesize("Hi.");
    // The end comes long after the last sample was heard.
    async function* late() {
      yield audio;
      await new Promise((resolve) => setTimeout(resolve, audio.duration * 1000 + 500));
    }
    await player.play(late());
    const live = engine.live();
    live.push("It is four o'clock. ");
    setTimeout(() => live.finish(), 3000);
    await player.play(live);
    const controller = new AbortController();
    const text = "This sentence is long enough to be computed for a while, whatever the processor. ".repeat(8);
    const stream = engine.stream(text, { signal: controller.signal });
    setTimeout(() => controller.abort(), 300);
    const aborted = await failure(player.play(stream));
    const otherRate = await failure(player.play(await engine.synthesize("Hi.", { sampleRate: 8000 })));
    return { live: live.heardAt(player.heard + 1), aborted, otherRate };
  });
  assert.equal(results.live, "It is four o'clock".length);
  assert.equal(results.aborted.code, "cancelled");
  assert.equal(results.otherRate.code, "invalid_request");
  assert.equal(results.otherRate.message, "the player plays 22050 samples a second, and not 8000");
});

inPage("an error of the function for words ends nothing", () => chromium, {}, async (page) => {
  const { told, end } = await page.evaluate(async () => {
    const audio = await (await load()).synthesize("Red blue green.");
    let told = 0;
    const onWord = () => {
      told += 1;
      throw new Error("on purpose");
    };
    const player = await speech.Player.create({ onWord });
    const late = new Promise((resolve) => setTimeout(resolve, 20_000, "nothing"));
    const end = await Promise.race([player.play(audio).then(() => "heard"), late]);
    return { told, end };
  });
  assert.deepEqual([told, end], [3, "heard"]);
});

test("a page that nobody has touched sounds once a button is pressed", async () => {
  const server = await serve();
  const careful = await browser(["--autoplay-policy=document-user-activation-required"]);
  try {
    const page = await careful.newPage();
    const said = (start) => page.waitForEvent("console", { predicate: (message) => message.text().startsWith(start) });
    const waits = said("waits");
    // Evaluation by the driver counts as user interaction, so the page does everything by itself.
    await page.addInitScript(() => {
      addEventListener("DOMContentLoaded", async () => {
        const { Engine, Player } = await import("/lib/index.js");
        const engine = await Engine.load({ voices: "/voices.tar.gz" });
        const player = await Player.create();
        const state = () => `${player.node.context.state} ${player.heard > 0.2}`;
        let isDone = false;
        const playing = player.play(engine.stream("Hello."));
        playing.then(() => {
          isDone = true;
          console.log("done", state());
        });
        const button = document.body.appendChild(document.createElement("button"));
        button.textContent = "Speak";
        button.addEventListener("click", () => player.resume());
        await new Promise((resolve) => setTimeout(resolve, 2000));
        console.log("waits", state(), isDone);
      });
    });
    await page.goto(server.url);
    assert.equal((await waits).text(), "waits suspended false false");
    const done = said("done");
    await page.click("button");
    assert.equal((await done).text(), "done running true");
  } finally {
    await careful.close();
    await server.close();
  }
});
