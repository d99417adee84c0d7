/** Splitting texts, segmenting live texts, and parsing requests. */

import assert from "node:assert/strict";
import { after, before } from "node:test";

import { MAX_CHARACTERS, Segmenter, parseLexicon, parsePls, parseRequest, splitText } from "libspeech-sdk";

import { all, at, given, loadFake, joined, refused, test } from "./support.mjs";

const TEXT = "Dr. Smith paid $3.50. 😀 He left!\n\nनमस्ते दुनिया। यह अंत है। And 🎉 so on";

let engine;
before(async () => (engine = await loadFake()));
after(() => engine.close());

test("parts are in order and fit", () => {
  const book = "It was a bright cold day in April, and the clocks were striking thirteen. ".repeat(60);
  const parts = splitText(book);
  assert.equal(parts.length, 5);
  assert.ok(parts.every((part) => part.length > 0 && part.length <= MAX_CHARACTERS));
  assert.equal(parts.join(" "), book.trim());
});

test("parts count characters", () => {
  assert.deepEqual(splitText("😀".repeat(10), 4), ["😀".repeat(4), "😀".repeat(4), "😀".repeat(2)]);
  assert.deepEqual(splitText("a b", 2 ** 32 - 1), ["a b"]);
  assert.deepEqual(splitText(""), []);
  assert.deepEqual(splitText("a".repeat(1001)), ["a".repeat(1000), "a"]);
});

test("every part is a request", async () => {
  const parts = splitText("One sentence. And another one, which is longer. ".repeat(3), 30);
  assert.ok(parts.length > 3);
  for (const part of parts) assert.equal((await engine.synthesize(part)).characters, part.length);
});

function segments(pieces) {
  const segmenter = new Segmenter();
  return [...pieces.flatMap((piece) => segmenter.push(piece)), ...segmenter.finish()];
}

/** Pieces of `length` code units, which may split surrogate pairs. */
function pieces(text, size) {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, place) =>
    text.slice(place * size, (place + 1) * size),
  );
}

test("sentences are the same however they arrive", () => {
  const whole = segments([TEXT]);
  assert.ok(whole.length > 4);
  assert.deepEqual(segments([...TEXT]), whole);
  for (const size of [1, 2, 3, 7]) assert.deepEqual(segments(pieces(TEXT, size)), whole);
  for (let cut = 0; cut <= TEXT.length; cut++) {
    assert.deepEqual(segments([TEXT.slice(0, cut), "", TEXT.slice(cut)]), whole);
  }
});

test("where sentences are", async () => {
  const found = segments(pieces(TEXT, 1));
  assert.deepEqual(found.map(({ span }) => at(TEXT, span)), found.map(({ text }) => text));
  assert.deepEqual(found.filter(({ endsParagraph }) => endsParagraph)[0].text, "He left!");
  const spoken = (await all(engine.stream(TEXT))).map(({ span }) => at(TEXT, span));
  assert.deepEqual(found.map(({ text }) => text), spoken);
});

test("a sentence comes when it is decided", () => {
  const segmenter = new Segmenter();
  assert.deepEqual(segmenter.push("Dr"), []);
  assert.deepEqual(segmenter.push(". No paid $3"), []);
  const first = { text: "Dr. No paid $3.50.", span: { start: 0, end: 18 }, endsParagraph: false };
  assert.deepEqual(segmenter.push(".50. He"), [first]);
  assert.deepEqual(segmenter.push(" left"), []);
  assert.deepEqual(segmenter.finish().map(({ text }) => text), ["He left"]);
  assert.deepEqual(segmenter.finish(), []);
});

test("after the end another text begins", () => {
  const segmenter = new Segmenter();
  for (let turn = 0; turn < 2; turn++) {
    segmenter.push("😀 One. Two");
    assert.equal(segmenter.finish().at(-1).span.end, 11);
  }
});

test("half a surrogate pair waits for the other", async () => {
  const segmenter = new Segmenter();
  const found = [...segmenter.push("One \ud83d"), ...segmenter.push("\ude00 two. "), ...segmenter.finish()];
  assert.deepEqual(found, segments(["One 😀 two. "]));
  assert.deepEqual(found.map(({ text, span }) => [text, span.end]), [["One 😀 two.", 11]]);
  segmenter.push("One \ud83d");
  await refused(() => segmenter.push(" two."), "invalid_request", "surrogate");
  const other = new Segmenter();
  other.push("One \ud83d");
  await refused(() => other.finish(), "invalid_request", "surrogate");
  await refused(() => new Segmenter().push("\ude00"), "invalid_request", "surrogate");
});

test("what is refused is no part of the text", async () => {
  const segmenter = new Segmenter();
  segmenter.push("One. ");
  await refused(() => segmenter.push("\ude00"), "invalid_request", "surrogate");
  await refused(() => segmenter.push(5), "invalid_request");
  assert.deepEqual([...segmenter.push("Two."), ...segmenter.finish()].at(-1).text, "Two.");
});

test("a request from JSON", () => {
  const body = '{"text": "नमस्ते।", "language": "hi-IN", "latency": "low", "quality": "fast", "format": "pcm", "mood": [7]}';
  const request = { text: "नमस्ते।", language: "hi-IN", format: "pcm", latency: "low", quality: "fast" };
  for (const json of [body, Buffer.from(body), new TextEncoder().encode(body)]) {
    assert.deepEqual(parseRequest(json), request);
  }
  const telephone = { text: "a", format: "wav", sampleRate: 8000, encoding: "mulaw" };
  assert.deepEqual(parseRequest('{"text": "a", "sample_rate": 8000, "encoding": "mulaw"}'), telephone);
  const within = Buffer.from(`....${body}....`);
  const part = within.subarray(4, within.length - 4);
  assert.deepEqual(parseRequest(new Uint8Array(part.buffer, part.byteOffset, part.length)), request);
  assert.equal(parseRequest('{"text": "caf\\u00e9 \\ud83d\\ude00\\u0000"}').text, "café 😀\0");
  const lexicons = parseRequest('{"text": "a", "lexicons": ["drugs"], "lexicons": 5}');
  assert.deepEqual(lexicons, { text: "a", format: "wav" }, "a service has lexicons of its own");
});

/** Rejected JSON, and a part of the message. */
const BODIES = [
  ["", "the body is empty"],
  ["{", "the body is not valid JSON: see line 1, column 1"],
  ['{"text": 5, "text": "a"}', "text is given twice"],
  [Buffer.from([...Buffer.from('{"text": "'), 0xff, ...Buffer.from('"}')]), "the body is not valid JSON"],
  ['{"text": NaN}', "the body is not valid JSON"],
  ['{"text": "a"} {}', "the body is not valid JSON"],
  ["[".repeat(10_000), "the body is not"],
  ['"text"', "the body is not a JSON object"],
  ["null", "the body is not a JSON object"],
  ["{}", "text is missing"],
  ['{"text": 3}', "text must be a string"],
  ['{"text": "a", "format": false}', "format must be a string"],
  [Buffer.from("\ufeff{}", "utf16le"), "the body is not valid JSON"],
];

for (const [body, message] of BODIES) {
  test(`JSON that is refused: ${body.toString().slice(0, 30)}`, async () => {
    await refused(() => parseRequest(body), "invalid_request", message);
  });
}

test("a request speaks as its parts do", async () => {
  const request = { text: "We won ❤️.", voice: "leo", readEmoji: true };
  const audio = await engine.synthesize(...given(request));
  assert.deepEqual(await joined(engine.stream(...given(request))), audio.bytes);
  assert.notDeepEqual((await engine.synthesize(...given({ ...request, voice: "aria" }))).bytes, audio.bytes);
});

test("pronunciations", async () => {
  const pronunciations = { Siobhan: "/ʃɪˈvɔːn/", kubectl: "cube control" };
  const told = await loadFake({ pronunciations });
  const mapped = await loadFake({ pronunciations: new Map(Object.entries(pronunciations)) });
  const text = "Siobhan runs kubectl.";
  const audio = await told.synthesize(text);
  assert.notDeepEqual(audio.bytes, (await engine.synthesize(text)).bytes);
  const inline = await engine.synthesize("[Siobhan](/ʃɪˈvɔːn/) runs cube control.");
  assert.deepEqual(audio.bytes, inline.bytes);
  assert.deepEqual((await mapped.synthesize(text)).bytes, audio.bytes, "a Map");
  for (const own of [pronunciations, new Map(Object.entries(pronunciations))]) {
    const options = { pronunciations: own };
    assert.deepEqual((await engine.synthesize(text, options)).bytes, audio.bytes, "of the request");
    assert.deepEqual(await joined(engine.stream(text, options)), audio.bytes, "of a stream");
  }
  const long = await joined(engine.streamLong(text, { pronunciations }));
  assert.deepEqual(long, await joined(engine.streamLong("[Siobhan](/ʃɪˈvɔːn/) runs cube control.")), "of a long text");
  await Promise.all([told.close(), mapped.close()]);
});

/** PLS for texts in English. */
const PLS = `<lexicon version="1.0" alphabet="ipa" xml:lang="en">
  <lexeme><grapheme>Siobhan</grapheme><phoneme>ʃɪˈvɔːn</phoneme></lexeme>
</lexicon>`;

test("lexicons of requests", async () => {
  const lines = await parseLexicon("# Tools and people\n\nkubectl\tcube control\nSiobhan\tsomebody\n");
  const pls = await parsePls(PLS);
  assert.deepEqual([lines.size, pls.size, (await parseLexicon("")).size], [2, 1, 0]);
  const text = "Siobhan runs kubectl.";
  const spoken = (options) => engine.synthesize(text, options).then(({ bytes }) => bytes);
  const { bytes: expected } = await engine.synthesize("[Siobhan](/ʃɪˈvɔːn/) runs cube control.");
  const lexicons = [pls, lines];
  for (let turn = 0; turn < 2; turn++) assert.deepEqual(await spoken({ lexicons }), expected);
  assert.deepEqual(await joined(engine.stream(text, { lexicons })), expected);
  const inline = await joined(engine.streamLong("[Siobhan](/ʃɪˈvɔːn/) runs cube control."));
  assert.deepEqual(await joined(engine.streamLong(text, { lexicons })), inline);
  assert.deepEqual(await joined(engine.speakLive([text], { lexicons })), inline);
  const somebody = (await engine.synthesize("somebody runs cube control.")).bytes;
  assert.deepEqual(await spoken({ lexicons: [lines, pls] }), somebody, "the first that has the word counts");
  const own = { lexicons, pronunciations: { Siobhan: "somebody" } };
  assert.deepEqual(await spoken(own), somebody, "the pronunciations of the request count before them");
  assert.deepEqual(await spoken({ lexicons: [] }), await spoken());
});

test("lexicons of two engines", async () => {
  const other = await loadFake();
  const lexicons = [await parseLexicon("kubectl\tcube control")];
  const [one, two] = await Promise.all([engine, other].map((each) => each.synthesize("kubectl", { lexicons })));
  assert.deepEqual(one.bytes, two.bytes);
  await other.close();
});

test("the cache gives the same bytes", async () => {
  const cached = await loadFake({ cache: 1 << 26 });
  const first = await cached.synthesize(TEXT);
  // One sentence is computed at a time, in the order of the requests: a request that needs
  // computation ends after all earlier ones.
  const ended = [];
  const speak = async (name, text) => {
    const audio = await cached.synthesize(text);
    ended.push(name);
    return audio;
  };
  const sentence = "It was a bright cold day in April, and the clocks were striking thirteen ".repeat(3);
  const others = [1, 2, 3, 4].map((number) => speak("computed", `${number} ${sentence}`));
  const again = await speak("cached", TEXT);
  await Promise.all(others);
  assert.notEqual(ended.at(-1), "cached");
  assert.deepEqual(again.bytes, first.bytes);
  assert.deepEqual(again.words, first.words);
  assert.deepEqual(first.bytes, (await engine.synthesize(TEXT)).bytes);
  await cached.close();
});
