import assert from "node:assert/strict";
import { createReadStream, readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { browser, open, serve } from "./page.mjs";

let chromium;
before(async () => {
  chromium = await browser();
});
after(() => chromium?.close());

/** Runs a test in a new page. */
function inPage(name, options, body) {
  test(name, async () => {
    const server = await serve(options);
    const context = await chromium.newContext();
    try {
      await body(await open(context, server), server, context);
    } finally {
      await context.close();
      await server.close();
    }
  });
}

inPage("every bad input is an error of the taxonomy", {}, async (page) => {
  const failures = await page.evaluate(async () => {
    const engine = await load();
    const cases = {
      empty: () => engine.synthesize(""),
      long: () => engine.synthesize("a".repeat(1001)),
      voice: () => engine.synthesize("Hello.", { voice: "nobody" }),
      field: () => engine.synthesize("Hello.", { mood: "glad" }),
      surrogate: () => engine.synthesize("a\ud800"),
      rate: () => engine.synthesize("Hello.", { rate: NaN }),
      latency: () => engine.synthesize("Hello.", { latency: "low" }),
      quality: () => engine.synthesize("Hello.", { voice: "leo", quality: "light" }),
      qualityOfLive: () => engine.live({ voice: "leo", quality: "light" }).next(),
      voiceOfStream: () => engine.stream("Hello.", { voice: "nobody" }).next(),
      voiceOfQualities: () => engine.qualities("nobody", "en-US"),
      aborted: () => engine.synthesize("Hello.", { signal: AbortSignal.abort() }),
      lexicon: () => engine.parseLexicon("word"),
      document: () => engine.parsePls("<speak/>"),
      bytes: () => engine.parsePls(new Uint8Array(8)),
      lexicons: () => engine.synthesize("Hello.", { lexicons: ["word"] }),
      option: () => load({ thread: 2 }),
      bundle: () => load({ bundle: "small" }),
      bundleOfNull: () => load({ bundle: null }),
      cache: () => load({ cache: 2 ** 29 + 1 }),
    };
    const failures = {};
    for (const [name, call] of Object.entries(cases)) failures[name] = await failure(call());
    engine.close();
    failures.closed = await failure(engine.synthesize("Hello."));
    return failures;
  });
  const codes = Object.fromEntries(Object.entries(failures).map(([name, error]) => [name, error?.code]));
  assert.deepEqual(codes, {
    empty: "empty_text",
    long: "text_too_long",
    voice: "invalid_request",
    field: "invalid_request",
    surrogate: "invalid_request",
    rate: "invalid_request",
    latency: "invalid_request",
    quality: "invalid_request",
    qualityOfLive: "invalid_request",
    voiceOfStream: "invalid_request",
    voiceOfQualities: "invalid_request",
    aborted: "cancelled",
    lexicon: "invalid_request",
    document: "invalid_request",
    bytes: "invalid_request",
    lexicons: "invalid_request",
    option: "invalid_request",
    bundle: "invalid_request",
    bundleOfNull: "invalid_request",
    cache: "invalid_request",
    closed: "invalid_request",
  });
  assert.equal(failures.aborted.name, "AbortError");
  assert.equal(failures.lexicon.message, "line 1: no tab between the words and how they are read");
  assert.match(failures.document.message, /^PLS line 1, column 1: the first element must/);
  assert.equal(failures.latency.detail, "latency_needs_stream");
  assert.equal(failures.latency.advice, "use_stream");
  for (const { detail, message } of [failures.quality, failures.qualityOfLive]) {
    assert.equal(detail, "quality_not_in_bundle");
    assert.match(message, /does not have quality light for leo in en-US; it has full/);
  }
});

/** The rows of the shared table that are requests here too: objects with a text. */
function refusedRequests() {
  const table = new URL("../../../tests/data/cases.json", import.meta.url);
  const rows = JSON.parse(readFileSync(table, "utf8")).secrets;
  return rows.flatMap(({ name, json, error }) => {
    if (error === undefined || name === "a text that is given twice") return [];
    try {
      const { text, ...options } = JSON.parse(json.replace("@1000", "Ten chars. ".repeat(91)));
      return typeof text === "string" ? [{ name, text, options, error }] : [];
    } catch {
      return [];
    }
  });
}

inPage("no part of a text is in an error", {}, async (page) => {
  const rows = refusedRequests();
  assert.ok(rows.length > 50);
  const problems = await page.evaluate(async (rows) => {
    const engine = await load();
    const problems = [];
    for (const { name, text, options, error } of rows) {
      const thrown = await engine.synthesize(text, options).then(() => undefined, (thrown) => thrown);
      const told = `${thrown} ${thrown?.message} ${thrown?.cause} ${JSON.stringify(thrown)}`;
      if (thrown?.code !== error || told.toUpperCase().includes("ZQXMARKER")) problems.push(`${name}: ${told}`);
    }
    engine.close();
    return problems;
  }, rows);
  assert.deepEqual(problems, []);
});

for (const isolated of [false, true]) {
  const kind = isolated ? "" : "not ";
  inPage(`an abort rejects at once, in a page that is ${kind}cross-origin isolated`, { isolated }, async (page) => {
    const { error, atOnce, after } = await page.evaluate(async () => {
      const engine = await load();
      const controller = new AbortController();
      const text = "This sentence is long enough to be computed for a while, whatever the processor. ".repeat(8);
      let isRejected = false;
      const spoken = failure(engine.synthesize(text, { signal: controller.signal })).finally(() => (isRejected = true));
      await new Promise((resolve) => setTimeout(resolve, 300));
      controller.abort();
      // Regardless of the worker: before the next task of the page.
      await new Promise((resolve) => setTimeout(resolve));
      const atOnce = isRejected;
      const error = await spoken;
      const after = await engine.synthesize("Hi.");
      return { error, atOnce, after: after.duration };
    });
    assert.equal(error.code, "cancelled");
    assert.equal(error.name, "AbortError");
    assert.ok(atOnce);
    assert.ok(after > 0.2);
  });
}

inPage("a lexicon is read once, for the requests of one engine", {}, async (page) => {
  const { sizes, same, long, first, foreign } = await page.evaluate(async () => {
    const engine = await loadLight();
    const phoneme = "<lexeme><grapheme>Siobhan</grapheme><phoneme>ʃɪˈvɔːn</phoneme></lexeme>";
    const pls = await engine.parsePls(`<lexicon version="1.0" xml:lang="en">${phoneme}</lexicon>`);
    const lines = await engine.parseLexicon("kubectl\tcube control\nSiobhan\tsomebody");
    const text = "Siobhan runs kubectl.";
    const heard = ({ phonemes }) => phonemes.map(({ ipa }) => ipa).join(" ");
    const inline = heard(await engine.synthesize("[Siobhan](/ʃɪˈvɔːn/) runs cube control."));
    const lexicons = [pls, lines];
    const same = [];
    for (let turn = 0; turn < 2; turn++) same.push(heard(await engine.synthesize(text, { lexicons })) === inline);
    let long = "";
    for await (const chunk of engine.streamLong(text, { lexicons })) long += heard(chunk);
    const first = heard(await engine.synthesize(text, { lexicons: [lines, pls] }));
    const other = await loadLight();
    const foreign = [await failure(other.synthesize("Hello.", { lexicons })), await failure(other.live({ lexicons }).next())];
    engine.close();
    other.close();
    const sizes = lexicons.map(({ size }) => size);
    return { sizes, same, long: long === inline, first: first === inline, foreign };
  });
  assert.deepEqual([sizes, same, long, first], [[1, 2], [true, true], true, false]);
  const message = "a lexicon belongs to another engine";
  assert.deepEqual(foreign.map((error) => [error.code, error.message]), Array(2).fill(["invalid_request", message]));
});

inPage("a lexicon that nothing refers to is freed", {}, async (page) => {
  await page.evaluate(async () => {
    const { postMessage } = Worker.prototype;
    globalThis.freed = [];
    Worker.prototype.postMessage = function (message, ...others) {
      if (message.free !== undefined) freed.push(message.free);
      postMessage.call(this, message, ...others);
    };
    globalThis.engine = await loadLight();
    globalThis.kept = await engine.parseLexicon("kubectl\tcube control");
    await engine.parseLexicon("kubectl\tcube");
  });
  await page.requestGC();
  await page.waitForFunction(() => freed.length > 0);
  assert.equal(await page.evaluate(async () => (await engine.synthesize("kubectl", { lexicons: [kept] })).words.length), 1);
  assert.equal(await page.evaluate(() => freed.length), 1);
});

inPage("a live text is spoken while it arrives", {}, async (page) => {
  const { chunks, whole, heard, characters } = await page.evaluate(async () => {
    const engine = await load();
    const live = engine.live({ voice: "sofia" });
    for (const piece of ["It is fo", "ur o'clock. ", "And then"]) live.push(piece);
    const first = (await live.next()).value;
    live.push(" five.");
    live.finish();
    const rest = [];
    for await (const chunk of live) rest.push(chunk);
    const text = "It is four o'clock. And then five.";
    const whole = [first, ...rest].map(({ span }) => text.slice(span.start, span.end));
    return { chunks: 1 + rest.length, whole, heard: live.heardAt(100), characters: live.characters };
  });
  assert.equal(chunks, 2);
  assert.deepEqual(whole, ["It is four o'clock. ", "And then five."].map((text, i) => (i === 0 ? whole[0] : text)));
  assert.match(whole[0], /^It is four o'clock\.\s?$/);
  assert.equal(heard, 33);
  assert.equal(characters, 34);
});

inPage("an error names its request", {}, async (page) => {
  const identifiers = await page.evaluate(async () => {
    const engine = await load();
    const streams = [engine.stream("One. Two."), engine.live()];
    const errors = streams.map((stream) => stream.next().then(() => undefined, (error) => error));
    engine.close();
    const told = (await Promise.all(errors)).map(({ code, requestId }) => [code, requestId]);
    return { told, expected: streams.map(({ requestId }) => ["cancelled", requestId]) };
  });
  assert.deepEqual(identifiers.told, identifiers.expected);
});

inPage("a source is taken as it is spoken, however long its pieces are", {}, async (page) => {
  const taken = await page.evaluate(async () => {
    const engine = await load();
    let taken = 0;
    const sentences = "Hello there. ".repeat(100);
    function* pages() {
      for (;;) {
        taken += 1;
        yield sentences;
      }
    }
    const live = engine.speakLive(pages(), { quality: "light" });
    await live.next();
    // It is idle when nothing was taken for a second.
    for (let last = 0; last < taken; ) {
      last = taken;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    engine.close();
    return taken;
  });
  assert.ok(taken > 10 && taken < 20, `${taken} pages were taken`);
});

const INNER = `
  import { Engine } from "/lib/index.js";
  const speak = async () => {
    const engine = await Engine.load({ voices: "/voices.tar.gz" });
    return (await engine.synthesize("Hello.")).duration;
  };
  speak().then(postMessage, (error) => postMessage(String(error)));
`;

inPage("an engine in a worker", { texts: { "/inner.js": INNER } }, async (page) => {
  const duration = await page.evaluate(
    () =>
      new Promise((resolve) => {
        new Worker("/inner.js", { type: "module" }).onmessage = ({ data }) => resolve(data);
      }),
  );
  assert.ok(duration > 0.2, `${duration}`);
});

inPage("where there are no workers, the error says so", {}, async (page) => {
  const { code, detail, advice } = await page.evaluate(() => {
    delete globalThis.Worker;
    return failure(load());
  });
  assert.deepEqual([code, detail, advice], ["model_error", "unsupported_browser", "update_browser"]);
});

test("a second visit needs no connection", async () => {
  const server = await serve();
  const context = await chromium.newContext();
  try {
    const page = await open(context, server);
    const stored = await page.evaluate(async () => (await load()).stored);
    assert.equal(stored, true);
    const before = server.requests.filter(({ path }) => path === "/voices.tar.gz").length;
    const again = await open(context, server);
    const duration = await again.evaluate(async () => (await (await load()).synthesize("Hello.")).duration);
    assert.ok(duration > 0.2);
    assert.equal(server.requests.filter(({ path }) => path === "/voices.tar.gz").length, before);
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
      response.writeHead(200, { "Content-Type": "application/gzip" });
      response.write(Buffer.alloc(0));
      response.destroy();
      return true;
    },
  },
  async (page, server) => {
    assert.equal(await page.evaluate(async () => (await load()).stored), true);
    assert.equal(server.requests.filter(({ path }) => path === "/voices.tar.gz").length, 2);
  },
);

inPage(
  "voices that the server has the browser unpack are refused, and the reason is said",
  {
    change(request, response) {
      response.writeHead(200, { "Content-Type": "application/gzip", "Content-Encoding": "gzip" });
      createReadStream(process.env.WEB_VOICES).pipe(response);
      return true;
    },
  },
  async (page) => {
    const { code, detail, message } = await page.evaluate(() => failure(load()));
    assert.equal(code, "model_error");
    assert.equal(detail, "file_damaged");
    assert.match(message, /Content-Encoding/);
  },
);

inPage("the voices of another bundle are refused, and not kept", {}, async (page) => {
  const { failures, kept } = await page.evaluate(async () => {
    const failures = [await failure(loadLight({ bundle: "compact" })), await failure(load({ bundle: "light" }))];
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("libspeech");
    return { failures, kept: (await Array.fromAsync(folder.keys())).length };
  });
  for (const { code, detail, message } of failures) {
    assert.deepEqual([code, detail], ["model_error", "file_damaged"]);
    assert.match(message, /this version and bundle/);
  }
  assert.equal(kept, 0);
});

inPage(
  "voices that are damaged or missing are refused",
  {
    change(request, response) {
      response.writeHead(request.headers.range ? 416 : 200, { "Content-Type": "application/gzip" });
      response.end(Buffer.alloc(1000, 7));
      return true;
    },
  },
  async (page) => {
    const failures = await page.evaluate(async () => ({
      short: await failure(load()),
      nothing: await failure(load({ voices: "/nothing.tar.gz" })),
      bytes: await failure(load({ voices: new Uint8Array(2000), checkVersion: false })),
    }));
    assert.equal(failures.short.code, "model_error");
    assert.equal(failures.nothing.code, "model_error");
    assert.equal(failures.nothing.detail, "download_failed");
    assert.equal(failures.nothing.advice, "check_connection");
    assert.equal(failures.bytes.code, "model_error");
  },
);
