/** Every kind of error: its cause, its code, its message and its details. */

import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before } from "node:test";
import { inspect } from "node:util";

import {
  Audio,
  Chunk,
  ERROR_CODES,
  Engine,
  Lexicon,
  LiveStream,
  Segmenter,
  SpeechError,
  Stream,
  charge,
  chargeSamples,
  parseLexicon,
  parsePls,
  parseRequest,
  rankTiers,
  resolveTier,
  splitText,
  tiers,
} from "libspeech-sdk";

import {
  PACKAGE,
  TEXT,
  UUID,
  all,
  folder,
  given,
  loadFake,
  native,
  project,
  refused,
  run,
  test,
  variable,
} from "./support.mjs";

let engine;
before(async () => (engine = await loadFake()));
after(() => engine.close());

/** The table of error codes: code, HTTP status, whether it is retryable. */
const KINDS = [
  ["empty_text", 400, false],
  ["text_too_long", 400, false],
  ["invalid_request", 400, false],
  ["invalid_tier", 400, false],
  ["unauthorized", 401, false],
  ["not_found", 404, false],
  ["method_not_allowed", 405, false],
  ["request_too_large", 413, false],
  ["unsupported_media_type", 415, false],
  ["overloaded", 503, true],
  ["model_error", 500, false],
  ["internal", 500, false],
  ["cancelled", undefined, false],
];

test("the table is the library's, and the contract's", () => {
  const rows = native.errorKinds().map(({ code, httpStatus, retryable }) => [code, httpStatus, retryable]);
  assert.deepEqual(new Map(rows.map((row) => [row[0], row])), new Map(KINDS.map((row) => [row[0], row])));
  assert.deepEqual(ERROR_CODES, native.errorKinds().map(({ code }) => code));
});

for (const [code, status, retryable] of KINDS) {
  test(`an error with ${code}`, () => {
    const error = new SpeechError(code, "what happened");
    assert.ok(error instanceof Error);
    assert.deepEqual(
      [error.code, error.httpStatus, error.retryable, error.message, error.name],
      [code, status, retryable, "what happened", "SpeechError"],
    );
    assert.match(error.requestId, UUID);
    assert.notEqual(new SpeechError(code, "again").requestId, error.requestId);
    assert.equal("cause" in error, false);
  });
}

test("only services raise the other codes", () => {
  const service = ["unauthorized", "not_found", "method_not_allowed", "request_too_large", "unsupported_media_type"];
  const declared = readFileSync(join(PACKAGE, "lib", "errors.d.ts"), "utf8");
  const codes = (type) => /=\s*([^;]*);/.exec(declared.split(`type ${type} `)[1])[1].match(/(?<=")\w+(?=")/g);
  assert.deepEqual(codes("ServiceErrorCode"), [...service, "overloaded"]);
  assert.deepEqual(new Set([...codes("LibraryErrorCode"), ...codes("ServiceErrorCode")]), new Set(ERROR_CODES));
});

test("the declared details and advice are the library's", () => {
  const declared = readFileSync(join(PACKAGE, "lib", "errors.d.ts"), "utf8");
  const listed = (type) => declared.split(`type ${type} =`)[1].split("(string & {})")[0].match(/(?<=")\w+(?=")/g);
  const ofBrowsers = [["unsupported_browser", "download_failed"], ["update_browser", "check_connection"]];
  assert.deepEqual(listed("ErrorDetail"), [...native.errorDetails(), ...ofBrowsers[0]]);
  assert.deepEqual(listed("Advice"), [...native.errorAdvice(), ...ofBrowsers[1]]);
});

test("an error with details", () => {
  const details = { detail: "file_missing", path: "/voices/a", advice: "check_bundle_path" };
  const error = new SpeechError("model_error", "what happened", details);
  assert.deepEqual([error.detail, error.path, error.advice], Object.values(details));
  const { detail, path, advice } = new SpeechError("model_error", "what happened");
  assert.deepEqual([detail, path, advice], [undefined, undefined, undefined]);
});

test("an error with a request and a cause", () => {
  const cause = new Error("why");
  const error = new SpeechError("internal", "what happened", { requestId: "R", cause });
  assert.equal(error.cause, cause);
  const body = { error: { type: "internal", message: "what happened", request_id: "R" } };
  assert.deepEqual(error.toJSON(), body);
  assert.equal(JSON.stringify(error), JSON.stringify(body));
  assert.equal(String(error), "SpeechError: what happened");
  assert.match(inspect(error), /SpeechError: what happened[^]*code: 'internal'/);
});

test("where it came from", async () => {
  const error = await refused(() => engine.synthesize(""), "empty_text");
  assert.match(error.stack, /errors\.test\.mjs/);
});

test("a refusal has the identifier of its request", async () => {
  const identifiers = new Set();
  for (const call of [() => engine.synthesize(""), () => engine.stream(""), () => engine.synthesize(5)]) {
    const { requestId } = await refused(call);
    assert.match(requestId, UUID);
    identifiers.add(requestId);
  }
  assert.equal(identifiers.size, 3);
});

/** Rejected calls: the code, a part of the message, the call. */
const REFUSED = {
  "no text": ["empty_text", "text is empty", () => engine.synthesize("")],
  "white space": ["empty_text", "text is only white space", () => engine.stream(" \t\u3000")],
  "too long": ["text_too_long", "text has 1001 characters; the limit is 1000", () => engine.stream("a".repeat(1001))],
  "too long in pairs": ["text_too_long", "text has 1001 characters", () => engine.synthesize("😀".repeat(1001))],
  "a voice": ["invalid_request", 'unsupported voice "Aria"', () => engine.synthesize("a", { voice: "Aria" })],
  "a language": [
    "invalid_request",
    'unsupported language "en"; use en-US, hi-IN',
    () => engine.stream("a", { language: "en" }),
  ],
  "a latency": ["invalid_request", "unsupported latency", () => engine.stream("a", { latency: "Low" })],
  "a quality": ["invalid_request", "unsupported quality", () => engine.synthesize("a", { quality: "Light" })],
  "an encoding": ["invalid_request", "unsupported encoding", () => engine.synthesize("a", { encoding: "g722" })],
  "a sample rate": ["invalid_request", "sample_rate is 11025; it must be", () => engine.live({ sampleRate: 11025 })],
  "low latency of the whole": [
    "invalid_request",
    "latency low is for streams",
    () => engine.synthesize("a", { latency: "low" }),
  ],
  "a format": [
    "invalid_request",
    'unsupported format "mp3"; use wav, pcm',
    () => parseRequest('{"text": "a", "format": "mp3"}'),
  ],
  "a phoneme": ["invalid_request", "character 3", () => engine.synthesize("a [b](/b9/)")],
  "a rate": [
    "invalid_request",
    "rate is 3; it must be a number from 0.5 to 2",
    () => engine.synthesize("a", { rate: 3 }),
  ],
  "a rate that is NaN": ["invalid_request", "rate is NaN; it must be", () => engine.stream("a", { rate: NaN })],
  "a pitch": [
    "invalid_request",
    "pitch is out of range; it must be a number from -6 to 6",
    () => engine.streamLong("a", { pitch: -Infinity }),
  ],
  "a volume": [
    "invalid_request",
    "volume is 12.5; it must be a number from -40 to 12",
    () => engine.live({ volume: 12.5 }),
  ],
  "a long text that is empty": ["empty_text", "text is only white space", () => engine.streamLong(" \n")],
  "a NUL in a long text": ["invalid_request", "text has a NUL character at byte 1", () => engine.streamLong("a\0")],
  "a long text of SSML": [
    "invalid_request",
    "SSML cannot be live",
    () => engine.streamLong("<speak>a</speak>", { ssml: true }),
  ],
  "a live text of SSML": ["invalid_request", "SSML cannot be live", () => engine.live({ ssml: true })],
  "a voice of a live text": ["invalid_request", "unsupported voice", () => engine.live({ voice: "nobody" })],
  "a NUL in a live text": ["invalid_request", "text has a NUL character", () => engine.live().push("a\0")],
  "parts of no length": ["invalid_request", "maxCharacters", () => splitText("a", 0)],
  "a tier": ["invalid_tier", 'tier "premium" does not exist', () => resolveTier("premium")],
  "a tier that does not run": [
    "invalid_tier",
    'tier "ultra" is not available',
    () => resolveTier("ultra", { available: [[70, 6]] }),
  ],
  "a charge of no tier": ["invalid_tier", "premium", () => charge("premium", 1)],
  "a use": ["invalid_request", "unsupported use", () => rankTiers("captions")],
  "a line of a lexicon": [
    "invalid_request",
    "line 2: no tab between the words and how they are read",
    () => parseLexicon("a\tb\nword"),
  ],
  "a NUL in a lexicon": ["invalid_request", "line 1: reading has a NUL character", () => parseLexicon("a\tb\0")],
  "a lexicon that is too long": [
    "invalid_request",
    "line 5001: a lexicon may have 5000 entries",
    () => parseLexicon(Array.from({ length: 5001 }, (_, number) => `word${number}\ta`).join("\n")),
  ],
  "a document that is no lexicon": ["invalid_request", "PLS line 1, column 1: the first element must", () => parsePls("<speak/>")],
  "a lexicon without a version": [
    "invalid_request",
    "PLS line 2, column 1: 'lexicon' needs the attribute 'version'",
    () => parsePls("\n<lexicon/>"),
  ],
  "a bundle": ["model_error", "/nowhere", () => Engine.load({ bundle: "/nowhere" })],
};

/** Lone surrogates in every string argument. */
const HALVES = {
  "a text": () => engine.synthesize("a \ud83d b"),
  "the text of a stream": () => engine.stream("\udc00"),
  "the text of a long stream": () => engine.streamLong("a\ud800"),
  "a voice": () => engine.synthesize("a", { voice: "\ud800" }),
  "a language": () => engine.stream("a", { language: "\udfff" }),
  "a latency": () => engine.stream("a", { latency: "\ud800" }),
  "a quality": () => engine.stream("a", { quality: "\ud800" }),
  "a long text": () => splitText("\ud800"),
  "a lexicon": () => parseLexicon("\ud800"),
  "a document": () => parsePls("\udc00"),
  "a piece": () => new Segmenter().push("\udc00"),
  "a piece of a live text": () => engine.live().push("\udc00"),
  "the end of a live text": () => {
    const live = engine.live();
    live.push("\ud800");
    live.finish();
  },
  "a tier": () => resolveTier("\ud800"),
  "a bundle": () => Engine.load({ bundle: "\ud800" }),
};

/** Values of a wrong type: a part of the message, the call. */
const TYPES = {
  "a number as text": ["text", () => engine.synthesize(5)],
  "no text": ["text", () => engine.synthesize()],
  "null as text": ["text", () => engine.stream(null)],
  "bytes as text": ["text", () => engine.synthesize(Buffer.from("Hello."))],
  "a String object as text": ["text", () => engine.synthesize(new String("Hello."))],
  "a list": ["text must be a string", () => engine.synthesize(["Hello."])],
  "a function": ["text", () => engine.stream(() => "Hello.")],
  "a request": ["text must be a string", () => engine.synthesize({ text: "a" })],
  "undefined as text": ["text must be a string", () => engine.stream(undefined)],
  "null as a long text": ["text must be a string", () => engine.streamLong(null)],
  "a voice": ["voice must be a string", () => engine.synthesize("a", { voice: 7 })],
  "a language": ["language must be a string", () => engine.synthesize("a", { language: {} })],
  "a format": ["format must be a string", () => parseRequest('{"text": "a", "format": false}')],
  "a latency": ["latency must be a string", () => engine.stream("a", { latency: true })],
  "a quality": ["quality must be a string", () => engine.live({ quality: 1 })],
  "an encoding": ["encoding must be a string", () => engine.live({ encoding: 16 })],
  "half a hertz": ["sampleRate must be a whole number", () => engine.stream("a", { sampleRate: 8000.5 })],
  "readEmoji": ["readEmoji", () => engine.synthesize("a", { readEmoji: "yes" })],
  "a rate": ["rate must be a number", () => engine.synthesize("a", { rate: "1" })],
  "a pitch": ["pitch must be a number", () => engine.stream("a", { pitch: 1n })],
  "a volume": ["volume must be a number", () => engine.live({ volume: [6] })],
  "ssml": ["ssml must be true or false", () => engine.synthesize("a", { ssml: 1 })],
  "pronunciations": ["pronunciations must be an object or a Map", () => engine.stream("a", { pronunciations: null })],
  "a pronunciation": ["entry 1: the pronunciation: character 1", () => engine.stream("a", { pronunciations: { a: "/9/" } })],
  "a lexicon": ["text must be a string", () => parseLexicon({ a: "b" })],
  "a document": ["document must be a string", () => parsePls(Buffer.from("<lexicon/>"))],
  ...Object.fromEntries(
    [null, "drugs", {}, new Set(), [{}], [null], Array(1), [Object.create(Lexicon.prototype)]].map((lexicons) => [
      `${inspect(lexicons)} as lexicons`,
      ["lexicons must be an array of lexicons", () => engine.stream("a", { lexicons })],
    ]),
  ),
  "readPauses": ["readPauses must be true or false", () => engine.streamLong("a", { readPauses: "no" })],
  "options of a live text that are a string": ["options must be an object", () => engine.live("leo")],
  "options of a live text that are null": ["options must be an object", () => engine.live(null)],
  "a piece of a live text": ["piece must be a string", () => engine.live().push(5)],
  "pieces that are a string": ["pieces must be an iterable", () => engine.speakLive("a")],
  "pieces that are none": ["pieces must be an iterable", () => engine.speakLive({})],
  "a time": ["seconds must be a number", () => engine.live().heardAt("1")],
  "options that are a string": ["options must be an object", () => engine.synthesize("a", "options")],
  "options that are null": ["options must be an object", () => engine.stream("a", null)],
  "options that are a list": ["options must be an object", () => engine.stream("a", [])],
  "a signal that is none": ["signal", () => engine.synthesize("a", { signal: {} })],
  "a signal that is true": ["signal", () => engine.stream("a", { signal: true })],
  "a controller as a signal": ["signal", () => engine.stream("a", { signal: new AbortController() })],
  "a target as a signal": ["signal", () => engine.synthesize("a", { signal: new EventTarget() })],
  "a body": ["body", () => parseRequest(5)],
  "no body": ["body", () => parseRequest()],
  "an object as a body": ["body", () => parseRequest({ text: "a" })],
  "a long text": ["text must be a string", () => splitText(Buffer.from("a"))],
  "a fraction as length": ["maxCharacters", () => splitText("a", 1.5)],
  "a string as length": ["maxCharacters", () => splitText("a", "20")],
  "true as length": ["maxCharacters", () => splitText("a", true)],
  "a length that is too large": ["maxCharacters", () => splitText("a", 2 ** 53)],
  "a piece": ["must be a string", () => new Segmenter().push(Buffer.from("a"))],
  "no piece": ["must be a string", () => new Segmenter().push()],
  "the name of a tier": ["must be a string", () => resolveTier(5)],
  "a tier to charge": ["must be a string", () => charge(undefined, 1)],
  "a tier to charge samples for": ["must be a string", () => chargeSamples(null, 1, 1)],
  "a use": ["unsupported use", () => rankTiers(5)],
  "an availability": ["availability must be an object", () => tiers("ultra")],
};

for (const [name, [code, message, call]] of Object.entries(REFUSED)) {
  test(`refused: ${name}`, async () => {
    const error = await refused(call, code, message);
    assert.match(error.requestId, UUID);
    assert.deepEqual(KINDS.find(([kind]) => kind === code).slice(1), [error.httpStatus, error.retryable]);
    assert.deepEqual(error.toJSON().error, { type: code, message: error.message, request_id: error.requestId });
    assert.equal(error.name, "SpeechError");
  });
}

test("half a surrogate pair", async () => {
  for (const call of Object.values(HALVES)) await refused(call, "invalid_request", "surrogate");
  await refused(() => parseRequest('{"text": "\\ud83d"}'), "invalid_request", "the body is not valid JSON");
  await refused(() => parseRequest('{"text": "\ud83d"}'), "invalid_request", "surrogate");
});

for (const [name, [message, call]] of Object.entries(TYPES)) {
  test(`of another type: ${name}`, async () => {
    const error = await refused(call, "invalid_request", message);
    assert.match(error.requestId, UUID);
  });
}

/** Rejected options of an engine. */
const OPTIONS = [
  ...[0, 257, -1, 1.5, NaN, Infinity, 1e30, "2", true, 2n, [2]].map((threads) => ({ threads })),
  ...[0, 257, 0.5, "1", false].map((maxConcurrency) => ({ maxConcurrency })),
  ...[1, "yes", {}].map((mapBundle) => ({ mapBundle })),
  ...["sse", "", "\ud800", 5, ["avx2"]].map((kernels) => ({ kernels })),
  ...["fp8", "", "\ud800", 32, Buffer.from("fp32")].map((precision) => ({ precision })),
  ...[
    { word: "/9/" },
    { "": "word" },
    { word: "" },
    { "\ud800": "word" },
    { word: "\ud800" },
    { word: 5 },
    { word: null },
    { word: undefined },
    ["word"],
    "word",
    5,
  ].map((pronunciations) => ({ pronunciations })),
  ...[-1, 1.5, NaN, 2 ** 60, "1", null].map((cache) => ({ cache })),
  ...[5, 1.5, true, ["a"], {}, new ArrayBuffer(8), new Uint16Array(8), ""].map((bundle) => ({ bundle })),
];

for (const options of OPTIONS) {
  test(`an engine with ${inspect(options)}`, async () => {
    const [name] = Object.keys(options);
    const code = options.bundle === "" ? "model_error" : "invalid_request";
    const error = await refused(() => loadFake(options), code);
    assert.ok(name === "pronunciations" || error.message.includes(name), error.message);
  });
}

test("options that are no object", async () => {
  for (const options of [null, "bundle", 5, true, [], () => {}]) {
    await refused(() => Engine.load(options), "invalid_request", "options must be an object");
  }
});

test("options that are not given", async () => {
  const names = ["mapBundle", "threads", "maxConcurrency", "kernels", "precision", "pronunciations", "cache"];
  const none = Object.fromEntries(names.map((name) => [name, undefined]));
  const engine = await Engine.load({ bundle: variable("SPEECH_FAKE_MODEL"), ...none });
  const settings = ["sampleRate", "encoding", "rate", "pitch", "volume", "ssml", "readPauses", "pronunciations"];
  const fields = ["language", "voice", "latency", "quality", "readEmoji", "signal", ...settings];
  const audio = await engine.synthesize(TEXT, Object.fromEntries(fields.map((name) => [name, undefined])));
  assert.deepEqual(audio.bytes, (await engine.synthesize(TEXT, undefined)).bytes);
  await engine.close();
});

/** Null, which is a value and not a default, as in JSON: a part of the message, the call. */
const NULLS = {
  ...Object.fromEntries(
    ["language", "voice", "latency", "quality", "encoding"].map((name) => [
      name,
      [`${name} must be a string`, () => engine.synthesize("a", { [name]: null })],
    ]),
  ),
  readEmoji: ["readEmoji must be true or false", () => engine.stream("a", { readEmoji: null })],
  sampleRate: ["sampleRate must be a whole number from 1", () => engine.synthesize("a", { sampleRate: null })],
  rate: ["rate must be a number", () => engine.synthesize("a", { rate: null })],
  pitch: ["pitch must be a number", () => engine.stream("a", { pitch: null })],
  volume: ["volume must be a number", () => engine.live({ volume: null })],
  ssml: ["ssml must be true or false", () => engine.stream("a", { ssml: null })],
  readPauses: ["readPauses must be true or false", () => engine.live({ readPauses: null })],
  signal: ["signal must be an AbortSignal", () => engine.synthesize("a", { signal: null })],
  bundle: ["bundle must be", () => Engine.load({ bundle: null })],
  mapBundle: ["mapBundle must be true or false", () => loadFake({ mapBundle: null })],
  threads: ["threads must be a whole number", () => loadFake({ threads: null })],
  maxConcurrency: ["maxConcurrency must be a whole number", () => loadFake({ maxConcurrency: null })],
  kernels: ["kernels must be a string", () => loadFake({ kernels: null })],
  precision: ["precision must be a string", () => loadFake({ precision: null })],
  pronunciations: ["pronunciations must be an object or a Map", () => loadFake({ pronunciations: null })],
  maxCharacters: ["maxCharacters must be a whole number", () => splitText("a", null)],
  available: ["available must be pairs", () => tiers({ available: null })],
};

for (const [name, [message, call]] of Object.entries(NULLS)) {
  test(`null is refused: ${name}`, () => refused(call, "invalid_request", message));
}

test("what is inherited, and what JSON has besides, is ignored", async () => {
  const plain = await engine.synthesize(TEXT);
  assert.deepEqual((await engine.synthesize(TEXT, { __proto__: { tempo: 2 } })).bytes, plain.bytes);
  assert.deepEqual(parseRequest('{"text": "a", "mood": [7]}'), { text: "a", format: "wav" });
});

/** The options of a request. */
const USE =
  "use language, voice, latency, quality, sampleRate, encoding, rate, pitch, volume, ssml, readPauses, readEmoji, " +
  "readRomanizedHindi, pronunciations, lexicons, signal";

/** Unknown names: the whole message, the call. */
const UNKNOWN = [
  ['unknown option "voise"; did you mean voice?', () => engine.synthesize("a", { voise: "leo" })],
  ['unknown option "lang"; did you mean language?', () => engine.stream("a", { lang: "hi-IN" })],
  ['unknown option "read_emoji"; did you mean readEmoji?', () => engine.stream("a", { read_emoji: true })],
  [`unknown option "mood"; ${USE}`, () => engine.synthesize("a", { mood: undefined })],
  [`unknown option "text"; ${USE}`, () => engine.live({ text: "a" })],
  [`unknown option "format"; ${USE}`, () => engine.synthesize("a", { format: "pcm" })],
  ['unknown option "singal"; did you mean signal?', () => engine.stream("a", { singal: undefined })],
  ['unknown option "thread"; did you mean threads?', () => loadFake({ thread: 2 })],
  ['unknown option "max_concurrency"; did you mean maxConcurrency?', () => loadFake({ max_concurrency: 2 })],
  [
    'unknown option "model"; use bundle, mapBundle, threads, maxConcurrency, kernels, precision, pronunciations, cache',
    () => loadFake({ model: "a" }),
  ],
  ['unknown option "avaliable"; did you mean available?', () => tiers({ avaliable: [] })],
  ['unknown option "contexts"; use available', () => resolveTier("ultra", { contexts: [] })],
  [`unknown option "${"x".repeat(40)}"; use available`, () => rankTiers("other", { ["x".repeat(999)]: 1 })],
];

test("unknown names are refused, with the name that was meant", async () => {
  for (const [message, call] of UNKNOWN) {
    const error = await refused(call, "invalid_request");
    assert.equal(error.message, message);
  }
});

test("objects with a use of their own are no options", async () => {
  const { signal } = new AbortController();
  const others = [signal, new Map([["signal", signal]]), new Set(), Promise.resolve({}), new Date(), Buffer.from("a")];
  for (const options of others) {
    await refused(() => engine.synthesize("a", options), "invalid_request", "options must be an object");
    await refused(() => Engine.load(options), "invalid_request", "options must be an object");
    await refused(() => tiers(options), "invalid_request", "availability must be an object");
    await refused(() => engine.synthesize(options), "invalid_request", "text must be a string");
  }
});

test("a NUL character is refused wherever a text is", async () => {
  const texts = ["caf\u00e9\0b", "\0", " \0", `${"a".repeat(2000)}\0`];
  for (const text of texts) {
    const message = `text has a NUL character at byte ${Buffer.from(text).indexOf(0)}`;
    await refused(() => engine.synthesize(text), "invalid_request", message);
    await refused(() => engine.stream(text), "invalid_request", message);
    await refused(() => engine.synthesize(...given(parseRequest(JSON.stringify({ text })))), "invalid_request", message);
    await refused(() => splitText(text), "invalid_request", message);
    const segmenter = new Segmenter();
    segmenter.push("One. ");
    await refused(() => segmenter.push(text), "invalid_request", message.replace("text", "piece"));
    assert.deepEqual(segmenter.finish().map(({ text }) => text), ["One."], "nothing of the piece was taken");
  }
  for (const [words, reading] of [["a\0", "b"], ["a", "b\0"]]) {
    const pronunciations = { fine: "fine", [words]: reading };
    await refused(() => loadFake({ pronunciations }), "invalid_request", "entry 2: ");
  }
});

test("a piece that is refused leaves the half pair before it", () => {
  const segmenter = new Segmenter();
  segmenter.push("One \ud83d");
  assert.throws(() => segmenter.push("\ude00\0"), { code: "invalid_request" });
  segmenter.push("\ude00.");
  assert.equal(segmenter.finish()[0].text, "One 😀.");
});

test("constructors that only the library calls", () => {
  for (const [Class, advice] of [
    [Engine, "use `await Engine.load()`"],
    [Stream, "Engine.stream gives streams"],
    [LiveStream, "Engine.live gives streams"],
    [Audio, "Engine.synthesize gives audio"],
    [Lexicon, "parseLexicon and parsePls give lexicons"],
    [Chunk, "streams give chunks"],
  ]) {
    for (const values of [[], [{}], [Symbol("internal"), {}], [{ bundle: "voices" }]]) {
      assert.throws(() => new Class(...values), { name: "TypeError", message: `this constructor is private: ${advice}` });
    }
  }
});

test("what a closed engine says", async () => {
  const engine = await loadFake();
  await engine.close();
  const others = [() => engine.warmUp(), () => engine.trim(), () => engine.qualities("aria", "en-US")];
  for (const call of [() => engine.synthesize("a"), () => engine.stream("a"), ...others]) {
    await refused(call, "invalid_request", "the engine is closed");
  }
});

test("the details of a refusal", async () => {
  const details = async (call) => {
    const { detail, path, advice } = await refused(call);
    return { detail, path, advice };
  };
  const none = { detail: undefined, path: undefined, advice: undefined };
  assert.deepEqual(await details(() => engine.synthesize("")), none);
  assert.deepEqual(await details(() => engine.stream("a", { voice: "none" })), none);
  assert.deepEqual(await details(() => engine.stream("a".repeat(1001))), { ...none, advice: "split_text" });
  const low = await details(() => engine.synthesize("a", { latency: "low" }));
  assert.deepEqual(low, { ...none, detail: "latency_needs_stream", advice: "use_stream" });
});

/**
 * Bundles that fail to load: a part of the message, the detail, the file, the advice, and the
 * damage.
 */
const DAMAGES = {
  "it is not there": ["bundle.json is missing", "file_missing", "bundle.json", "check_bundle_path", () => {}],
  "it is empty": [
    "bundle.json is missing",
    "file_missing",
    "bundle.json",
    "check_bundle_path",
    (bundle) => mkdirSync(bundle),
  ],
  "a file is missing": [
    "voices.safetensors is missing",
    "file_missing",
    "voices.safetensors",
    "check_bundle_path",
    (bundle) => rmSync(join(copied(bundle), "voices.safetensors")),
  ],
  "a file is truncated": [
    "vocoder.safetensors is truncated",
    "file_damaged",
    "vocoder.safetensors",
    "reinstall_voices",
    (bundle) => edited(join(copied(bundle), "vocoder.safetensors"), (data) => data.subarray(0, -1)),
  ],
  "a file is altered": [
    "prosody.safetensors is altered",
    "file_damaged",
    "prosody.safetensors",
    "reinstall_voices",
    (bundle) =>
      edited(join(copied(bundle), "prosody.safetensors"), (data) => {
        data[data.length - 1] ^= 1;
        return data;
      }),
  ],
  "it is of the future": [
    "update the library",
    "bundle_too_new",
    "bundle.json",
    "update_library",
    (bundle) => edited(join(copied(bundle), "bundle.json"), future),
  ],
  "it is no tar file": [
    "it cannot be read as tar",
    "file_damaged",
    "",
    "reinstall_voices",
    (bundle) => writeFileSync(bundle, "This is no tar. ".repeat(100)),
  ],
  "it is a file of nothing": [
    "bundle",
    "file_missing",
    "",
    "check_bundle_path",
    (bundle) => writeFileSync(bundle, ""),
  ],
};

function copied(bundle) {
  cpSync(variable("SPEECH_FAKE_MODEL"), bundle, { recursive: true });
  return bundle;
}

function edited(file, edit) {
  writeFileSync(file, edit(readFileSync(file)));
}

function future(manifest) {
  const fields = JSON.parse(manifest);
  return JSON.stringify({ ...fields, format_version: fields.format_version + 1 });
}

for (const [name, [message, detail, file, advice, damage]] of Object.entries(DAMAGES)) {
  test(`a bundle that cannot be loaded: ${name}`, async (t) => {
    const bundle = join(folder(t), "the bundle");
    damage(bundle);
    const error = await refused(() => Engine.load({ bundle }), "model_error", message);
    assert.ok(error.message.includes("the bundle"), error.message);
    assert.deepEqual([error.httpStatus, error.retryable], [500, false]);
    assert.deepEqual([error.detail, error.path, error.advice], [detail, join(bundle, file), advice]);
    assert.match(error.requestId, UUID);
  });
}

test("bytes that are no bundle", async () => {
  for (const bundle of [Buffer.from("This is no tar. ".repeat(100)), new Uint8Array(0), new Uint8Array(10_240)]) {
    const { path } = await refused(() => Engine.load({ bundle }), "model_error", "the voice bundle in memory");
    assert.equal(path, undefined);
  }
});

test("the cause is kept", async (t) => {
  const error = await refused(() => Engine.load({ bundle: folder(t) }), "model_error");
  assert.ok(error.cause instanceof Error);
  assert.match(error.cause.message, /No such file/);
});

test("no bundle at all", async (t) => {
  const cwd = project(t, { voices: false });
  const environment = { SPEECH_BUNDLE: "", SPEECH_CACHE: "", XDG_CACHE_HOME: "", HOME: cwd, USERPROFILE: cwd };
  const source = `
    for (const name of ["SPEECH_BUNDLE", "SPEECH_CACHE", "XDG_CACHE_HOME"]) delete process.env[name];
    await Engine.load().catch((error) => console.log(error.code, error.detail, error.advice, error.message));
  `;
  const flags = ["--preserve-symlinks", "--preserve-symlinks-main"];
  const message = await run(t, source, { cwd, environment, flags });
  // The advice is for users of npm.
  assert.match(message, /^model_error bundle_not_found install_voices .*libspeech-sdk-voices/);
  assert.doesNotMatch(message, /cargo/);
});

test("the text is in no message", async () => {
  const secret = "the password is swordfish ";
  const calls = [
    () => engine.synthesize(secret.repeat(50)),
    () => engine.synthesize(secret, { voice: "none" }),
    () => engine.synthesize(`${secret}\ud800`),
    () => engine.stream(`${secret}[x](/9/)`),
    () => parseRequest(`{"text": "${secret}`),
    () => parseRequest(`{"text": ["${secret}"]}`),
    () => splitText(`${secret}\ud800`),
    () => new Segmenter().push(`${secret}\udc00`),
    () => engine.synthesize([secret]),
  ];
  for (const call of calls) {
    const error = await refused(call);
    assert.doesNotMatch(inspect(error, { depth: null }), /swordfish/);
  }
});
