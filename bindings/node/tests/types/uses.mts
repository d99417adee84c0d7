/** Correct and incorrect uses of every export of the package. */

import type { Readable } from "node:stream";

import {
  Audio,
  Chunk,
  ChunkStream,
  ERROR_CODES,
  Engine,
  Lexicon,
  LiveStream,
  MAX_CHARACTERS,
  SAMPLE_RATE,
  Samples,
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
  voices,
} from "libspeech-sdk";
import type {
  Advice,
  Availability,
  Context,
  Diagnostic,
  Encoding,
  EngineOptions,
  ErrorCode,
  ErrorDetail,
  Language,
  LibraryErrorCode,
  LiveOptions,
  Mark,
  Phoneme,
  Pieces,
  Quality,
  SampleRate,
  Segment,
  Sentence,
  ServiceErrorCode,
  ServiceRequest,
  Span,
  SpeechErrorOptions,
  SpeechOptions,
  SpeechSettings,
  Tier,
  TierCatalogue,
  TierEntry,
  UseCase,
  Viseme,
  VisemeName,
  VoiceId,
  VoiceListing,
  Word,
} from "libspeech-sdk";

/** Compiles if both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(yes: Same<A, B>): void => void yes;

export async function loaded(): Promise<Engine> {
  await Engine.load();
  await Engine.load({});
  await Engine.load({ bundle: new Uint8Array(8), threads: undefined });
  await Engine.load({ bundle: new URL("file:///voices"), pronunciations: new Map([["kubectl", "cube control"]]) });
  await Engine.load({ bundle: Buffer.alloc(8), pronunciations: { kubectl: "cube control" } as const });
  const options: EngineOptions = { bundle: "voices", mapBundle: false, threads: 2, maxConcurrency: 1, kernels: "avx2", precision: "fp32" };
  // @ts-expect-error: a number of threads is not a string.
  await Engine.load({ threads: "2" });
  // @ts-expect-error: there is no such option.
  await Engine.load({ thread: 2 });
  // @ts-expect-error: a pronunciation is a string.
  await Engine.load({ pronunciations: { word: 5 } });
  const told = await Engine.load({ cache: 1 << 20 });
  await told.synthesize("a", { pronunciations: { kubectl: "cube control" } as const });
  told.streamLong("a", { pronunciations: new Map([["kubectl", "cube control"]]) });
  // @ts-expect-error: a pronunciation is a string.
  told.stream("a", { pronunciations: { word: 5 } });
  const lexicons: readonly Lexicon[] = [await parseLexicon("a\tb"), await parsePls("<lexicon/>")];
  await told.synthesize("a", { lexicons });
  same<Lexicon["size"], number>(true);
  // @ts-expect-error: a lexicon is made by `parseLexicon` or `parsePls`.
  told.live({ lexicons: ["a\tb"] });
  // @ts-expect-error: `parsePls` takes a string.
  await parsePls(new Uint8Array());
  // @ts-expect-error: a lexicon is made by `parseLexicon` or `parsePls`.
  new Lexicon();
  // @ts-expect-error: an engine is made by `load`.
  new Engine();
  return Engine.load(options);
}

export async function spoken(engine: Engine, signal: AbortSignal): Promise<Audio> {
  const voice: VoiceId = "leo";
  const language: Language = "hi-IN";
  const options: SpeechOptions = { voice, language, latency: "standard", readEmoji: true, signal };
  await engine.synthesize("Hello.", { signal: undefined });
  await engine.synthesize("Hello.", { voice: "a voice of the future" as string });
  const qualities: readonly Quality[] = engine.qualities(voice, language);
  await engine.synthesize("Hello.", { quality: qualities[0] });
  const sampleRate: SampleRate = 8000;
  await engine.synthesize("Hello.", { sampleRate, encoding: "mulaw" });
  // @ts-expect-error: a sample rate is a number.
  await engine.synthesize("Hello.", { sampleRate: "8000" });
  // @ts-expect-error: a quality has a name.
  await engine.synthesize("Hello.", { quality: 1 });
  // @ts-expect-error: a quality needs a voice and a language.
  engine.qualities("leo");
  await engine.warmUp();
  engine.trim();
  // @ts-expect-error: a text is a string.
  await engine.synthesize(5);
  // @ts-expect-error: a request has a text.
  await engine.synthesize({ voice: "leo" });
  // @ts-expect-error: the text is not an option.
  await engine.synthesize("Hello.", { text: "Hello." });
  // @ts-expect-error: there is no such option.
  await engine.synthesize("Hello.", { tempo: 2 });
  await engine.synthesize("Hello.", { rate: 1.5, pitch: -2, volume: 6, ssml: false, readPauses: true });
  // @ts-expect-error: a rate is a number.
  await engine.synthesize("Hello.", { rate: "1.5" });
  // @ts-expect-error: a controller is not a signal.
  await engine.synthesize("Hello.", { signal: new AbortController() });
  // @ts-expect-error: the options of an engine are not those of a request.
  await engine.synthesize("Hello.", { threads: 2 });
  same<typeof engine.threads | typeof engine.closed, number | boolean>(true);
  same<typeof engine.kernels | typeof engine.precision, string>(true);
  // @ts-expect-error: it is read-only.
  engine.threads = 2;
  const disposable: AsyncDisposable = engine;
  void disposable;
  return engine.synthesize("Hello.", options);
}

export async function heard(audio: Audio): Promise<void> {
  const samples: Samples = audio;
  same<typeof samples.samples, Int16Array>(true);
  const numbers: Float32Array = samples.float32;
  const files: Buffer[] = [samples.wav, samples.bytes];
  same<typeof samples.sampleRate | typeof samples.duration, number>(true);
  same<typeof samples.encoding, Encoding>(true);
  same<typeof audio.characters | typeof audio.elapsed, number>(true);
  same<typeof audio.requestId | typeof audio.kernels | typeof audio.precision, string>(true);
  same<typeof audio.diagnostics, readonly Diagnostic[]>(true);
  same<typeof audio.words, readonly Word[]>(true);
  for (const { span, start, end } of audio.words) {
    same<[typeof span, typeof start, typeof end], [Span, number, number]>(true);
  }
  for (const { kind, span } of audio.diagnostics) same<[typeof kind, typeof span], [string, Span]>(true);
  same<typeof audio.sentences, readonly Sentence[]>(true);
  same<typeof audio.phonemes, readonly Phoneme[]>(true);
  same<typeof audio.marks, readonly Mark[]>(true);
  same<typeof audio.visemes, readonly Viseme[]>(true);
  for (const { ipa, span, start } of audio.phonemes) {
    same<[typeof ipa, typeof span, typeof start], [string, Span, number]>(true);
  }
  for (const { viseme, azure } of audio.visemes) same<[typeof viseme, typeof azure], [VisemeName, number]>(true);
  const saved: void = await audio.save("hello.wav");
  await audio.save(new URL("file:///tmp/hello.wav"));
  // @ts-expect-error: the samples are not a promise.
  audio.samples = new Int16Array(0);
  // @ts-expect-error: a whole text has no span.
  audio.span;
  // @ts-expect-error: samples belong to a text or a sentence.
  new Samples();
  void [saved, numbers, files];
}

export async function streamed(engine: Engine, options: SpeechOptions): Promise<void> {
  const stream: Stream = engine.stream("One. Two.", { latency: "low", ...options });
  for await (const chunk of stream) {
    same<typeof chunk, Chunk>(true);
    same<typeof chunk.span, Span>(true);
    same<typeof chunk.samples, Int16Array>(true);
    // @ts-expect-error: the number of characters is that of the whole text.
    chunk.characters;
  }
  same<typeof stream.requestId, string>(true);
  same<typeof stream.characters | typeof stream.sentences | typeof stream.sampleRate, number>(true);
  same<typeof stream.diagnostics, readonly Diagnostic[]>(true);
  const { value, done } = await stream.next();
  if (done !== true) same<typeof value, Chunk>(true);
  const iterable: AsyncIterable<Chunk> = stream;
  const disposable: AsyncDisposable = stream;
  const readable: Readable = engine.stream("One.").toReadable();
  for await (const bytes of engine.stream("One.").toReadableStream()) same<typeof bytes, Uint8Array>(true);
  await stream.return();
  stream.close();
  // @ts-expect-error: it is asynchronous.
  for (const chunk of stream) void chunk;
  void [iterable, disposable, readable, stream.closed];
}

export async function live(engine: Engine, signal: AbortSignal): Promise<number> {
  const settings: SpeechSettings = { voice: "leo", latency: "low", quality: "light", rate: 1.5 };
  const options: LiveOptions = { ...settings, signal };
  const live: LiveStream = engine.live(options);
  live.push("It is");
  live.flush();
  live.finish();
  live.close();
  for await (const chunk of live) same<typeof chunk, Chunk>(true);
  async function* tokens(): AsyncGenerator<string> {
    yield "One.";
  }
  const pieces: Pieces[] = [tokens(), ["One.", "Two."]];
  const streams: ChunkStream[] = [engine.live(), ...pieces.map((each) => engine.speakLive(each, options))];
  streams.push(engine.streamLong("One. ".repeat(1000), options), engine.streamLong("One."));
  // @ts-expect-error: a piece is a string.
  live.push(5);
  // @ts-expect-error: a live text has no text of its own.
  engine.live({ text: "One." });
  // @ts-expect-error: SSML must be a whole document.
  engine.live({ ssml: true });
  // @ts-expect-error: pieces are strings.
  engine.speakLive([1, 2]);
  // @ts-expect-error: streams are made by engines.
  new LiveStream();
  same<typeof live.diagnostics, readonly Diagnostic[]>(true);
  return live.heardAt(1.5) + live.characters + streams.length;
}

/** Every code and no other. */
export const CODES: Record<ErrorCode, true> = {
  empty_text: true,
  text_too_long: true,
  invalid_request: true,
  invalid_tier: true,
  unauthorized: true,
  not_found: true,
  method_not_allowed: true,
  request_too_large: true,
  unsupported_media_type: true,
  overloaded: true,
  model_error: true,
  internal: true,
  cancelled: true,
};

export function failed(error: unknown): number {
  if (!(error instanceof SpeechError)) return 1;
  same<typeof error.code, ErrorCode>(true);
  same<typeof error.requestId, string>(true);
  same<typeof error.retryable, boolean>(true);
  same<typeof error.httpStatus, number | undefined>(true);
  same<ReturnType<typeof error.toJSON>["error"]["type"], ErrorCode>(true);
  same<LibraryErrorCode | ServiceErrorCode, ErrorCode>(true);
  same<Extract<LibraryErrorCode, ServiceErrorCode>, never>(true);
  same<typeof error.detail, ErrorDetail | undefined>(true);
  same<typeof error.advice, Advice | undefined>(true);
  same<typeof error.path, string | undefined>(true);
  const unnamed: ErrorDetail = "a detail of the future" as string;
  const options: SpeechErrorOptions = { detail: "file_missing", path: "/voices", advice: "check_bundle_path" };
  void [unnamed, new SpeechError("model_error", "what happened", options)];
  const codes: readonly ErrorCode[] = ERROR_CODES;
  // @ts-expect-error: there is no such code.
  if (error.code === "timeout") return 2;
  // @ts-expect-error: there is no such code.
  new SpeechError("timeout", "what happened");
  // @ts-expect-error: the table is read-only.
  ERROR_CODES.push("internal");
  return new SpeechError("internal", "what happened", { requestId: error.requestId, cause: error }) && codes.length;
}

export function cut(text: string): string[] {
  const segmenter = new Segmenter();
  const segments: Segment[] = [...segmenter.push(text), ...segmenter.finish()];
  for (const { text, span, endsParagraph } of segments) {
    same<[typeof text, typeof span, typeof endsParagraph], [string, Span, boolean]>(true);
  }
  // @ts-expect-error: a limit is a number.
  splitText(text, "20");
  // @ts-expect-error: a piece is a string.
  segmenter.push(Buffer.from("a"));
  return [...splitText(text), ...splitText(text, MAX_CHARACTERS)];
}

export function read(body: string | Uint8Array): ServiceRequest {
  // @ts-expect-error: an object is not JSON.
  parseRequest({ text: "Hello." });
  const { text, format, ...options }: ServiceRequest = parseRequest(body);
  const spoken: SpeechOptions = options;
  same<typeof format, "wav" | "pcm">(true);
  void [text, spoken];
  return parseRequest(body);
}

export function priced(context: Context): number {
  const availability: Availability = { available: new Set([context]) };
  const catalogue: TierCatalogue = tiers(availability);
  const entry: TierEntry | undefined = catalogue.tiers[0];
  const useCase: UseCase = "midSentence";
  const ranked: Tier[] = rankTiers(useCase, availability);
  const tier: Tier = resolveTier("standard", { available: [[70, 6]] });
  // @ts-expect-error: there is no such use case.
  rankTiers("captions");
  // @ts-expect-error: there is no such tier.
  charge("premium", 1);
  // @ts-expect-error: a context is a pair.
  tiers({ available: [[70]] });
  // @ts-expect-error: the sample rate is missing.
  chargeSamples(tier, 1);
  void [entry?.latencyMs, entry?.rateUsdPerSecond, entry?.available, ranked, catalogue.default, catalogue.toJSON()];
  return charge(tier, 1.5) + chargeSamples(tier, SAMPLE_RATE, SAMPLE_RATE) + (entry?.rateMicros ?? 0);
}

export function listed(): string[] {
  const listing: VoiceListing = voices();
  // @ts-expect-error: it is read-only.
  listing.voices[0].id = "other";
  void [listing.defaultVoice, listing.sampleRate, listing.maxCharacters, listing.toJSON()];
  return [...listing.languages, ...listing.voices.map(({ id, name }) => id + name)];
}
