/** Live texts, and texts of any length. */

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { after, before } from "node:test";

import { Chunk, ChunkStream, LiveStream, MAX_CHARACTERS } from "libspeech-sdk";

import { LONG, SENTENCES, TEXT, UUID, all, at, given, joined, loadFake, pause, refused, test } from "./support.mjs";

let engine;
before(async () => (engine = await loadFake()));
after(() => engine.close());

/** A text whose code units, characters and bytes differ. */
const MIXED = "😀 Café noir. यह दूसरा है! The 🎉 end, and the 😀 last.";

/** The processor time of this process, in milliseconds. */
function worked() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Splits a text into pieces of `length` code units, which may split surrogate pairs. */
function pieces(text, length) {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, place) => text.substr(place * length, length));
}

/** The same as an asynchronous iterable. */
async function* tokens(text, length) {
  for (const piece of pieces(text, length)) {
    await null;
    yield piece;
  }
}

/** The chunks of a text pushed in pieces. */
function spoken(pieces, settings) {
  const live = engine.live(settings);
  for (const piece of pieces) live.push(piece);
  live.finish();
  return all(live);
}

/** The samples of chunks. */
function bytes(chunks) {
  return Buffer.concat(chunks.map((chunk) => chunk.bytes));
}

for (const [name, text] of Object.entries({ English: TEXT, "mixed scripts": MIXED })) {
  test(`it is the stream of the text: ${name}`, async () => {
    const stream = await all(engine.stream(text));
    for (const length of [1, 2, 3, 7, text.length]) {
      const chunks = await spoken(pieces(text, length));
      assert.deepEqual(bytes(chunks), bytes(stream));
      const spans = (chunks, name) => chunks.flatMap((chunk) => chunk[name].map(({ span }) => span));
      for (const name of ["words", "sentences", "phonemes"]) assert.deepEqual(spans(chunks, name), spans(stream, name));
      assert.deepEqual(chunks.map(({ span }) => span), stream.map(({ span }) => span));
    }
  });

  test(`iterators in both directions: ${name}`, async () => {
    const expected = (await engine.synthesize(text, { voice: "leo" })).bytes;
    assert.deepEqual(await joined(engine.speakLive(tokens(text, 3), { voice: "leo" })), expected);
    assert.deepEqual(await joined(engine.speakLive(pieces(text, 3), { voice: "leo" })), expected);
  });
}

test("a source that never ends is taken as it is spoken", async () => {
  let taken = 0;
  const sentences = "Hello there. ".repeat(100);
  async function* endless() {
    for (;;) {
      taken += 1;
      yield sentences;
    }
  }
  const live = engine.speakLive(endless());
  await live.next();
  await pause(300);
  const ahead = taken;
  assert.ok(ahead > 10 && ahead < 20, `${ahead} pieces were taken`);
  for (let chunk = 0; chunk < 200; chunk++) await live.next();
  for (let turn = 0; turn < 100 && taken === ahead; turn++) await pause(20);
  assert.ok(taken > ahead, "none was taken later");
  live.close();
});

test("the settings count", async () => {
  const settings = { language: "hi-IN", voice: "leo", rate: 1.5, pitch: 1, volume: -3, readEmoji: true };
  const chunks = await spoken([MIXED], settings);
  assert.deepEqual(bytes(chunks), (await engine.synthesize(MIXED, { ...settings })).bytes);
  assert.notDeepEqual(bytes(chunks), (await engine.synthesize(MIXED)).bytes);
});

test("what is known", async () => {
  const live = engine.live();
  assert.ok(live instanceof LiveStream && live instanceof ChunkStream);
  assert.match(live.requestId, UUID);
  assert.deepEqual([live.characters, live.diagnostics, live.sampleRate, live.closed], [0, [], 22_050, false]);
  assert.equal(live[Symbol.asyncIterator](), live);
  live.push("One 😀 two. ");
  live.push("Three.");
  assert.equal(live.characters, 17);
  live.finish();
  const chunks = await all(live);
  assert.ok(chunks.length === 2 && chunks.every((chunk) => chunk instanceof Chunk));
  assert.deepEqual(live.diagnostics.map(({ span }) => at("One 😀 two. Three.", span)), ["😀"]);
  assert.equal(live.closed, true);
});

test("sentences come when they are decided", async () => {
  const live = engine.live();
  const next = async () => {
    const { start, end } = (await live.next()).value.span;
    return [start, end];
  };
  live.push("One is here. Two");
  assert.deepEqual(await next(), [0, 12]);
  live.push(" follows. And");
  assert.deepEqual(await next(), [13, 25]);
  live.flush();
  assert.deepEqual(await next(), [26, 29]);
  live.push(" then more.");
  live.finish();
  assert.deepEqual(await next(), [30, 40]);
  assert.deepEqual(await live.next(), { done: true, value: undefined });
});

test("a chunk that is awaited comes with the text", async () => {
  const live = engine.live();
  const chunk = live.next();
  await pause(20);
  live.push(TEXT);
  assert.equal(at(TEXT, (await chunk).value.span), SENTENCES[0]);
  live.close();
});

test("the end of the text", async () => {
  const live = engine.live();
  live.push("Hello.");
  live.finish();
  live.finish();
  live.flush();
  await refused(() => live.push("More."), "invalid_request", "the text is finished");
  assert.equal((await all(live)).length, 1);
  await refused(() => live.push("More."), "invalid_request", "the text is finished");
  assert.deepEqual(await all(live), []);
  live.close();
  await refused(() => live.push("More."), "invalid_request", "the text is finished");
});

test("no text", async () => {
  assert.deepEqual(await spoken([]), []);
  assert.deepEqual(await spoken([""]), []);
  const [silence, ...others] = await spoken([" \n"]);
  assert.deepEqual(others, []);
  assert.ok(silence.samples.every((sample) => sample === 0));
});

test("a piece that is refused changes nothing", async () => {
  const live = engine.live();
  live.push("One ");
  for (const piece of ["a\0", "\udc00", 5, null]) await refused(() => live.push(piece), "invalid_request");
  live.push("two.");
  live.finish();
  assert.equal(live.characters, 8);
  assert.deepEqual(await joined(live), (await engine.synthesize("One two.")).bytes);
});

test("half a pair at the end of the text", async () => {
  const live = engine.live();
  live.push("One.\ud83d");
  await refused(() => live.finish(), "invalid_request", "surrogate");
  assert.deepEqual((await all(live)).map(({ span }) => span), [{ start: 0, end: 4 }]);
});

test("what was heard", async () => {
  const live = engine.live();
  for (const piece of pieces(MIXED, 3)) live.push(piece);
  live.finish();
  const words = (await all(live)).flatMap(({ words }) => words);
  assert.deepEqual([0, -1, NaN].map((seconds) => live.heardAt(seconds)), [0, 0, 0]);
  assert.deepEqual([1e9, Infinity].map((seconds) => live.heardAt(seconds)), Array(2).fill(words.at(-1).span.end));
  const heard = Array.from({ length: 300 }, (_, place) => live.heardAt(place / 50));
  assert.deepEqual(heard, heard.slice().sort((one, other) => one - other));
  const ends = new Set([0, ...words.map(({ span }) => span.end)]);
  assert.deepEqual(heard.filter((end) => !ends.has(end)), []);
});

test("an interruption", async () => {
  const live = engine.live();
  live.push("One is here. Two is there. Three is");
  const { value: chunk } = await live.next();
  live.close();
  live.close();
  assert.equal(live.closed, true);
  assert.equal(live.heardAt(chunk.duration), 11);
  assert.deepEqual(await all(live), []);
  await refused(() => live.push(" nowhere."), "cancelled");
  live.flush();
  live.finish();
});

test("cancelled while it waits for text", async () => {
  const live = engine.live();
  const waiting = Array.from({ length: 2 }, () => refused(() => live.next(), "cancelled"));
  await pause(20);
  live.close();
  await Promise.all(waiting);
  assert.deepEqual(await live.next(), { done: true, value: undefined });
});

test("aborted", async () => {
  for (const milliseconds of [0, 20]) {
    const controller = new AbortController();
    const live = engine.live({ signal: controller.signal });
    const waiting = refused(() => live.next(), "cancelled");
    await pause(milliseconds);
    controller.abort("enough");
    const error = await waiting;
    assert.deepEqual([error.name, error.cause], ["AbortError", "enough"]);
    assert.equal(getEventListeners(controller.signal, "abort").length, 0);
    await refused(() => live.push("a"), "cancelled");
  }
  const signal = AbortSignal.abort();
  assert.throws(() => engine.live({ signal }), { name: "AbortError" });
  assert.throws(() => engine.speakLive([], { signal }), { name: "AbortError" });
  assert.throws(() => engine.streamLong("a", { signal }), { name: "AbortError" });
});

test("the engine is closed meanwhile", async () => {
  const engine = await loadFake();
  const live = engine.live();
  live.push("One is here. Two");
  await live.next();
  const waiting = refused(() => live.next(), "cancelled");
  await engine.close();
  await waiting;
  assert.deepEqual(await all(live), []);
  await refused(() => live.push("More."), "cancelled");
  await refused(() => engine.live(), "invalid_request", "closed");
});

test("a loop that is left closes it", async () => {
  const live = engine.live();
  live.push(TEXT);
  for await (const chunk of live) {
    assert.equal(at(TEXT, chunk.span), SENTENCES[0]);
    break;
  }
  assert.equal(live.closed, true);
});

test("chunks come before the text has ended", async () => {
  let end;
  const ended = new Promise((resolve) => (end = resolve));
  async function* text() {
    yield "One is here. Two";
    await ended;
    yield " follows.";
  }
  const live = engine.speakLive(text());
  assert.deepEqual((await live.next()).value.span, { start: 0, end: 12 });
  end();
  assert.deepEqual((await all(live)).map(({ span }) => span), [{ start: 13, end: 25 }]);
});

test("nothing is taken before it is asked for", async () => {
  let taken = 0;
  function* text() {
    taken += 1;
    yield "One.";
  }
  const live = engine.speakLive(text());
  await pause(20);
  assert.equal(taken, 0);
  assert.equal((await all(live)).length, 1);
  assert.equal(taken, 1);
  engine.speakLive(text()).close();
  assert.equal(taken, 1);
});

test("an error of the pieces comes once", async () => {
  let fail;
  const failing = new Promise((resolve) => (fail = resolve));
  async function* text() {
    yield "One is here. Two";
    await failing;
    throw new RangeError("on purpose");
  }
  const live = engine.speakLive(text());
  const chunks = [];
  const reading = async () => {
    for await (const chunk of live) {
      chunks.push(chunk);
      fail();
    }
  };
  await assert.rejects(reading, RangeError);
  assert.equal(chunks.length, 1);
  assert.equal(live.closed, true);
  assert.deepEqual(await live.next(), { done: true, value: undefined });
});

test("an error of the pieces before anything is spoken", async () => {
  const broken = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new RangeError("on purpose")) }) };
  await assert.rejects(all(engine.speakLive(broken)), RangeError);
  const none = { [Symbol.asyncIterator]: () => assert.fail("on purpose") };
  await assert.rejects(all(engine.speakLive(none)), /on purpose/);
});

test("a piece of another type", async () => {
  await refused(() => all(engine.speakLive(["One.", 5])), "invalid_request", "piece must be a string");
});

test("pieces are closed with the stream", async () => {
  let closed = 0;
  async function* text() {
    try {
      for (;;) yield "One more. ";
    } finally {
      await null;
      closed += 1;
    }
  }
  const live = engine.speakLive(text());
  for await (const chunk of live) {
    assert.equal(live.heardAt(chunk.duration), 8);
    break;
  }
  await pause(10);
  assert.equal(closed, 1);
});

test("pieces that are endless leave the loop to others", async () => {
  function* text() {
    for (;;) yield "One more. ";
  }
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const live = engine.speakLive(text());
  await live.next();
  await pause(20);
  live.close();
  clearInterval(timer);
  assert.ok(turns > 2);
});

test("as a stream of Node, and as a web stream", async () => {
  const expected = (await engine.synthesize(TEXT)).bytes;
  assert.deepEqual(Buffer.concat(await all(engine.speakLive(tokens(TEXT, 4)).toReadable())), expected);
  assert.deepEqual(Buffer.concat(await all(engine.streamLong(TEXT).toReadableStream())), expected);
});

test("one is computed ahead, and no more", async () => {
  const text = LONG.repeat(5);
  let since = worked();
  const chunks = await all(engine.streamLong(text));
  const whole = worked() - since;
  const stream = engine.streamLong(text);
  since = worked();
  await stream.next();
  await pause(300);
  assert.ok(worked() - since < whole / 2);
  assert.equal((await all(stream)).length, chunks.length - 1);
});

test("a long text", async () => {
  const text = "यह 😀 है। This is the second. ".repeat(300);
  const stream = engine.streamLong(text);
  assert.ok(stream instanceof LiveStream);
  assert.equal(stream.characters, [...text].length);
  assert.ok(stream.characters > MAX_CHARACTERS);
  const spans = (await all(stream)).map(({ span }) => span);
  assert.deepEqual(spans.slice(0, 2).map((span) => at(text, span)), ["यह 😀 है।", "This is the second."]);
  assert.equal(spans.length, 600);
  assert.equal(spans.at(-1).end, text.length - 1);
  assert.ok(stream.heardAt(1e9) >= text.length - 3);
});

test("a long text is a live one", async () => {
  assert.deepEqual(await joined(engine.streamLong(TEXT)), (await engine.synthesize(TEXT)).bytes);
  const request = { text: TEXT, voice: "leo", rate: 0.8 };
  assert.deepEqual(await joined(engine.streamLong(...given(request))), (await engine.synthesize(...given(request))).bytes);
  const text = "One sentence is here. ".repeat(100);
  assert.deepEqual(await joined(engine.streamLong(text)), bytes(await spoken([text])));
  await refused(() => engine.streamLong(TEXT).push("a"), "invalid_request", "finished");
});
