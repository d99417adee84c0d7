/** Streams: the order of chunks, the end, and every kind of consumer. */

import assert from "node:assert/strict";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ReadableStream, TransformStream } from "node:stream/web";
import { after, before } from "node:test";

import { Chunk, Stream } from "libspeech-sdk";

import {
  LONG,
  LONG_SENTENCE,
  SENTENCES,
  TEXT,
  UUID,
  all,
  at,
  loadFake,
  joined,
  pause,
  refused,
  test,
  until,
} from "./support.mjs";

let engine;
before(async () => (engine = await loadFake()));
after(() => engine.close());

/** Sentences longer than 2 s: each exceeds the buffer of a Node stream. */
const SLOW = "This sentence is long enough that it sounds for more than two seconds. ".repeat(10).trim();

/** A stream that counts the calls of `next`. */
function counted(text) {
  const stream = engine.stream(text);
  const next = stream.next.bind(stream);
  const asked = { count: 0, stream };
  stream.next = () => {
    asked.count += 1;
    return next();
  };
  return asked;
}

test("the chunks are the whole", async () => {
  const whole = await engine.synthesize(TEXT);
  const chunks = await all(engine.stream(TEXT));
  assert.deepEqual(Buffer.concat(chunks.map(({ bytes }) => bytes)), whole.bytes);
  assert.deepEqual(chunks.map(({ span }) => at(TEXT, span)), SENTENCES);
  assert.ok(chunks.every((chunk) => chunk instanceof Chunk));
  const words = chunks.flatMap(({ words }) => words);
  assert.deepEqual(words.map(({ span }) => span), whole.words.map(({ span }) => span));
  for (const [place, word] of whole.words.entries()) {
    assert.ok(Math.abs(words[place].start - word.start) < 1e-6);
    assert.ok(Math.abs(words[place].end - word.end) < 1e-6);
  }
});

test("what is known at once", async () => {
  const text = "One 😀 two. Three.";
  const stream = engine.stream(text);
  assert.ok(stream instanceof Stream);
  assert.match(stream.requestId, UUID);
  assert.deepEqual([stream.characters, stream.sampleRate, stream.sentences], [[...text].length, 22_050, 2]);
  assert.deepEqual(stream.diagnostics.map(({ span }) => at(text, span)), ["😀"]);
  assert.equal(stream.closed, false);
  assert.equal((await all(stream)).length, stream.sentences);
  assert.equal(stream.closed, true);
});

test("places are counted in code units", async () => {
  const text = "😀 नमस्ते। यह 🎉 दूसरा है।";
  const chunks = await all(engine.stream(text, { language: "hi-IN" }));
  assert.deepEqual(chunks.map(({ span }) => at(text, span).replace("😀 ", "")), ["नमस्ते।", "यह 🎉 दूसरा है।"]);
});

test("nothing to say", async () => {
  const text = "... 😀";
  const [chunk, ...others] = await all(engine.stream(text));
  assert.deepEqual(others, []);
  assert.equal(at(text, chunk.span), text);
  assert.ok(chunk.samples.length > 0 && chunk.samples.every((sample) => sample === 0));
});

test("a refusal comes at once", () => {
  assert.throws(() => engine.stream(" "), { code: "empty_text" });
  assert.throws(() => engine.stream("a", { voice: "none" }), { code: "invalid_request" });
});

test("voice and language count", async () => {
  const spoken = new Set();
  for (const language of ["en-US", "hi-IN"]) {
    for (const voice of ["aria", "sofia"]) {
      spoken.add((await joined(engine.stream(TEXT, { language, voice }))).toString("base64"));
    }
  }
  assert.equal(spoken.size, 4);
});

test("it ends and stays ended", async () => {
  const stream = engine.stream("Hello.");
  assert.equal(stream[Symbol.asyncIterator](), stream);
  assert.equal((await all(stream)).length, 1);
  for (let turn = 0; turn < 3; turn++) assert.deepEqual(await stream.next(), { done: true, value: undefined });
  assert.deepEqual(await all(stream), []);
  stream.close();
});

test("a loop that is left closes it", async () => {
  const stream = engine.stream(TEXT);
  for await (const chunk of stream) {
    assert.equal(at(TEXT, chunk.span), SENTENCES[0]);
    break;
  }
  assert.equal(stream.closed, true);
  assert.deepEqual(await all(stream), []);
});

test("a loop that throws closes it", async () => {
  const stream = engine.stream(TEXT);
  const reading = async () => {
    for await (const _ of stream) throw new RangeError("on purpose");
  };
  await assert.rejects(reading, RangeError);
  assert.equal(stream.closed, true);
});

/** The ways to close a stream. */
const CLOSED = {
  close: (stream) => stream.close(),
  return: async (stream) => assert.deepEqual(await stream.return(), { done: true, value: undefined }),
  dispose: (stream) => stream[Symbol.dispose](),
  asyncDispose: (stream) => stream[Symbol.asyncDispose](),
};

for (const [name, close] of Object.entries(CLOSED)) {
  test(`closed by ${name}, as often as one likes`, async () => {
    for (const read of [0, 1]) {
      const stream = engine.stream(TEXT);
      for (let turn = 0; turn < read; turn++) assert.equal((await stream.next()).done, false);
      await close(stream);
      await close(stream);
      assert.equal(stream.closed, true);
      assert.deepEqual(await stream.next(), { done: true, value: undefined });
    }
  });
}

test("close while a sentence is awaited", async () => {
  for (const milliseconds of [undefined, 0, 1, 2, 3]) {
    const stream = engine.stream(LONG_SENTENCE);
    const waiting = refused(() => stream.next(), "cancelled");
    const other = refused(() => stream.next(), "cancelled");
    if (milliseconds !== undefined) await pause(milliseconds);
    stream.close();
    assert.equal((await waiting).name, "SpeechError");
    await other;
    assert.deepEqual(await stream.next(), { done: true, value: undefined });
  }
});

test("many calls of next at once", async () => {
  const stream = engine.stream(LONG);
  const results = await Promise.all(Array.from({ length: 16 }, () => stream.next()));
  const chunks = results.filter(({ done }) => !done).map(({ value }) => value);
  assert.equal(chunks.length, stream.sentences);
  const starts = chunks.map(({ span }) => span.start);
  const whole = (await all(engine.stream(LONG))).map(({ span }) => span.start);
  assert.deepEqual(starts.slice().sort((one, other) => one - other), whole);
});

test("calls of next at once are answered in their order", async () => {
  for (let turn = 0; turn < 50; turn++) {
    const text = "One. Two. Three.";
    const stream = engine.stream(text);
    const results = await Promise.all([stream.next(), stream.next(), stream.next(), stream.next()]);
    const said = results.map(({ value }) => value && at(text, value.span));
    assert.deepEqual(said, ["One.", "Two.", "Three.", undefined]);
  }
});

test("two readers share the sentences", async () => {
  const stream = engine.stream(LONG);
  const shares = await Promise.all([all(stream), all(stream)]);
  assert.equal(shares.flat().length, stream.sentences);
});

test("streams at once are each whole", async () => {
  const whole = await engine.synthesize(TEXT);
  const spoken = await Promise.all(Array.from({ length: 8 }, () => joined(engine.stream(TEXT))));
  for (const pcm of spoken) assert.deepEqual(pcm, whole.bytes);
});

test("as a web stream", async () => {
  const web = engine.stream(TEXT).toReadableStream();
  assert.ok(web instanceof ReadableStream);
  const chunks = await all(web);
  assert.equal(chunks.length, 3);
  assert.ok(chunks.every((chunk) => chunk instanceof Uint8Array));
  assert.deepEqual(Buffer.concat(chunks), (await engine.synthesize(TEXT)).bytes);
});

test("as the body of a response", async () => {
  const response = new Response(engine.stream(TEXT).toReadableStream());
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), (await engine.synthesize(TEXT)).bytes);
});

test("a web stream through another", async () => {
  const halved = engine.stream(TEXT).toReadableStream().pipeThrough(
    new TransformStream({ transform: (bytes, controller) => controller.enqueue(bytes.subarray(bytes.length / 2)) }),
  );
  assert.equal((await all(halved)).length, 3);
});

test("as a stream of Node", async () => {
  const stream = engine.stream(TEXT);
  const readable = stream.toReadable();
  assert.ok(readable instanceof Readable);
  assert.deepEqual(Buffer.concat(await all(readable)), (await engine.synthesize(TEXT)).bytes);
  await until(() => readable.closed, "it is not closed");
  assert.equal(stream.closed, true);
});

test("through a pipeline", async () => {
  const written = [];
  const sink = new Writable({ write: (bytes, _, done) => (written.push(bytes), done()) });
  await pipeline(engine.stream(TEXT).toReadable(), sink);
  assert.deepEqual(Buffer.concat(written), (await engine.synthesize(TEXT)).bytes);
});

test("a pipeline from the stream itself", async () => {
  const spans = [];
  await pipeline(engine.stream(TEXT), async (chunks) => {
    for await (const chunk of chunks) spans.push(at(TEXT, chunk.span));
  });
  assert.deepEqual(spans, SENTENCES);
});

test("a pipeline whose sink fails closes it", async () => {
  const stream = engine.stream(SLOW);
  const sink = new Writable({ write: (_bytes, _, done) => done(new RangeError("on purpose")) });
  await assert.rejects(pipeline(stream.toReadable(), sink), RangeError);
  assert.equal(stream.closed, true);
});

test("a reader of a web stream that is slow", async () => {
  const asked = counted(SLOW);
  const reader = asked.stream.toReadableStream().getReader();
  await pause(50);
  assert.equal(asked.count, 0, "nothing is asked for before it is read");
  for (let read = 1; read <= 3; read++) {
    await reader.read();
    await pause(50);
    assert.equal(asked.count, read);
  }
  await reader.cancel();
});

test("a reader of a stream of Node that is slow", async () => {
  const asked = counted(SLOW);
  const readable = asked.stream.toReadable();
  await pause(50);
  assert.equal(asked.count, 0, "nothing is asked for before it is read");
  const iterator = readable[Symbol.asyncIterator]();
  for (let read = 1; read <= 3; read++) {
    await iterator.next();
    await pause(50);
    assert.ok(asked.count <= read + 1, `${asked.count} were asked for when ${read} were read`);
  }
  await iterator.return();
  assert.equal(asked.stream.closed, true);
});

test("a writer that is slow", async () => {
  const asked = counted(SLOW);
  let written = 0;
  const write = async (_bytes, _, done) => {
    await pause(20);
    written += 1;
    // One is in the writer, one in the reader, and one is requested.
    assert.ok(asked.count <= written + 2, `${asked.count} were asked for when ${written} were written`);
    done();
  };
  await pipeline(asked.stream.toReadable(), new Writable({ write }));
  assert.equal(written, 10);
});

/** The processor time of this process in milliseconds. */
function worked() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

test("one sentence is computed ahead, and no more", async () => {
  const text = LONG.trim();
  await engine.synthesize(text);
  let since = worked();
  await engine.synthesize(text);
  const whole = worked() - since;
  since = worked();
  const stream = engine.stream(text);
  await stream.next();
  await pause(Math.max(300, 2 * whole));
  const first = worked() - since;
  assert.equal(stream.sentences, 13);
  assert.ok(first < whole / 2, `${first} ms, and all ${stream.sentences} sentences took ${whole} ms`);
  assert.equal((await all(stream)).length, 12);
});

test("nothing is computed before it is asked for", async () => {
  const since = worked();
  const streams = Array.from({ length: 50 }, () => engine.stream(SLOW));
  const begun = worked() - since;
  await pause(300);
  const waited = worked() - since - begun;
  assert.ok(waited < 150, `${waited} ms`);
  streams.forEach((stream) => stream.close());
});

test("a web stream that is cancelled closes it", async () => {
  const stream = engine.stream(SLOW);
  const web = stream.toReadableStream();
  const reader = web.getReader();
  await reader.read();
  await reader.cancel("enough");
  assert.equal(stream.closed, true);
  assert.deepEqual(await reader.read(), { done: true, value: undefined });
  const unread = engine.stream(SLOW);
  await unread.toReadableStream().cancel();
  assert.equal(unread.closed, true);
});

test("a stream of Node that is destroyed closes it", async () => {
  for (const error of [undefined, new RangeError("on purpose")]) {
    const stream = engine.stream(SLOW);
    const readable = stream.toReadable();
    const errors = [];
    readable.on("error", (error) => errors.push(error));
    readable.read(0);
    const closed = new Promise((resolve) => readable.on("close", resolve));
    readable.destroy(error);
    await closed;
    assert.equal(stream.closed, true);
    assert.deepEqual(errors, error === undefined ? [] : [error]);
  }
});

test("a loop over a stream of Node that is left closes it", async () => {
  const stream = engine.stream(SLOW);
  for await (const _ of stream.toReadable()) break;
  assert.equal(stream.closed, true);
});

test("a loop over a web stream that is left closes it", async () => {
  const stream = engine.stream(SLOW);
  for await (const _ of stream.toReadableStream()) break;
  assert.equal(stream.closed, true);
});

/** The ways to read after the first sentence. */
const READ = {
  "a loop": (stream) => all(stream),
  "a web stream": (stream) => all(stream.toReadableStream()),
  "a stream of Node": (stream) => all(stream.toReadable()),
  "a pipeline": (stream) => pipeline(stream.toReadable(), new Writable({ write: (_bytes, _, done) => done() })),
};

for (const [name, read] of Object.entries(READ)) {
  test(`an error in the middle of ${name}`, async () => {
    const engine = await loadFake();
    const stream = engine.stream(LONG);
    assert.equal((await stream.next()).done, false);
    const reading = refused(() => read(stream), "cancelled");
    await engine.close();
    await reading;
    assert.equal(stream.closed, true);
    assert.deepEqual(await stream.next(), { done: true, value: undefined });
  });
}

test("it can be read once", async () => {
  const stream = engine.stream(TEXT);
  assert.equal((await all(stream.toReadable())).length > 0, true);
  assert.deepEqual(await all(stream.toReadable()), []);
  assert.deepEqual(await all(stream.toReadableStream()), []);
  assert.deepEqual(await all(stream), []);
});

test("part of it one way, and the rest another", async () => {
  const stream = engine.stream(TEXT);
  const { value } = await stream.next();
  const rest = await all(stream.toReadableStream());
  assert.deepEqual(Buffer.concat([value.bytes, ...rest]), (await engine.synthesize(TEXT)).bytes);
});
