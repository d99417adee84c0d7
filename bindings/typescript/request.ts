import * as checks from "./checks.js";
import type { Encoding } from "./encoding.js";
import { invalidRequest } from "./errors.js";
import { Lexicon } from "./lexicon.js";
import type { RawLexicon } from "./platform.js";
import { SAMPLE_RATE } from "./wav.js";

/** The supported languages. */
export type Language = "en-US" | "hi-IN";

/** The voices. */
export type VoiceId = "aria" | "jason" | "john" | "leo" | "sofia";

/**
 * The networks that compute the speech: `full`; `fast`, with the timings and the melody of `full`
 * at a fraction of its cost; `light`, for phones, boards, browsers and long texts; `auto`, the best
 * of them that the voice bundle has for the voice and the language.
 */
export type Quality = "auto" | "full" | "fast" | "light";

/** The sample rates, in hertz. */
export type SampleRate = 8_000 | 16_000 | 22_050 | 24_000 | 44_100 | 48_000;

/**
 * The settings of a request. Undefined settings have their defaults; unknown options are rejected,
 * and so is `null`.
 */
export interface SpeechSettings {
  /** The language; by default `en-US`. */
  language?: Language | (string & {}) | undefined;
  /** The voice; by default `aria`. */
  voice?: VoiceId | (string & {}) | undefined;
  /**
   * `standard`, the default, or `low`: a stream then returns the first half second of a long first
   * sentence before the rest, and a live stream the beginning of a sentence before its end has
   * arrived. `synthesize` rejects `low`.
   */
  latency?: "standard" | "low" | (string & {}) | undefined;
  /**
   * The quality; by default `auto`. A quality that the voice bundle lacks is rejected: see
   * `engine.qualities`.
   */
  quality?: Quality | (string & {}) | undefined;
  /**
   * The sample rate in hertz; by default 22,050. Speech is computed at 24,000 Hz, and resampled
   * once to other rates. Rates not in the type are rejected.
   */
  sampleRate?: SampleRate | (number & {}) | undefined;
  /** The encoding of the bytes and of the file; the samples have 16 bits. By default `pcm16`. */
  encoding?: Encoding | (string & {}) | undefined;
  /** The speaking rate, 0.5 to 2: a factor of the voice's natural rate. By default 1. */
  rate?: number | undefined;
  /** The pitch relative to the voice's own, -6 to 6 semitones. By default 0. */
  pitch?: number | undefined;
  /**
   * The volume relative to the voice's own, -40 to 12 dB. By default 0. Every sentence gets the
   * same gain, and a limiter prevents clipping.
   */
  volume?: number | undefined;
  /** Whether `[pause 500ms]` and `[pause 1.5s]` in the text are pauses. On by default. */
  readPauses?: boolean | undefined;
  /** Whether emoji are read by name. By default they are skipped, and listed in the diagnostics. */
  readEmoji?: boolean | undefined;
  /**
   * Whether romanized Hindi is read as Hindi. On by default; if off, its words are read as English.
   */
  readRomanizedHindi?: boolean | undefined;
  /**
   * Pronunciations for this request: words and their readings. They take precedence over the
   * engine's. At most 200, together at most 16,384 bytes.
   */
  pronunciations?: Readonly<Record<string, string>> | ReadonlyMap<string, string> | undefined;
}

/** Options of live and long texts. */
export interface LiveOptions extends SpeechSettings {
  /**
   * Lexicons, in the order in which they are searched: after the pronunciations of the request,
   * before those of the engine.
   */
  lexicons?: readonly Lexicon[] | undefined;
  /**
   * Cancels the request, even inside a running computation: it is rejected with an `AbortError`, a
   * `SpeechError` with the code `cancelled`. In a page that is not cross-origin isolated, the
   * computation itself continues to the end of its sentence.
   */
  signal?: AbortSignal | undefined;
}

/** Options of a request. */
export interface SpeechOptions extends LiveOptions {
  /** Whether the text is an SSML 1.1 document. Off by default. */
  ssml?: boolean | undefined;
}

/** A request with every field, as the library takes it. */
export interface RawRequest {
  text: string;
  language: string;
  voice: string;
  latency: string;
  quality: string;
  sampleRate: number;
  encoding: Encoding;
  rate: number;
  pitch: number;
  volume: number;
  ssml: boolean;
  readPauses: boolean;
  readEmoji: boolean;
  readRomanizedHindi: boolean;
  pronunciations: [string, string][];
  lexicons: RawLexicon[];
}

/** The names of the settings, which JSON can have too. */
export const SETTINGS = [
  "language",
  "voice",
  "latency",
  "quality",
  "sampleRate",
  "encoding",
  "rate",
  "pitch",
  "volume",
  "ssml",
  "readPauses",
  "readEmoji",
  "readRomanizedHindi",
  "pronunciations",
];

/** A request with its types checked and its defaults filled in, and its signal. */
export function rawRequest(text: string, options: SpeechOptions | undefined): [RawRequest, AbortSignal | undefined] {
  checks.string("text", text);
  const values = checks.options("options", options, [...SETTINGS, "lexicons", "signal"]);
  const string = (name: string, fallback: string) =>
    checks.optional(values[name], (value) => checks.string(name, value)) ?? fallback;
  const number = (name: string, fallback: number) =>
    checks.optional(values[name], (value) => checks.number(name, value)) ?? fallback;
  const flag = (name: string, fallback: boolean) =>
    checks.optional(values[name], (value) => checks.boolean(name, value)) ?? fallback;
  const request = {
    text,
    language: string("language", "en-US"),
    voice: string("voice", "aria"),
    latency: string("latency", "standard"),
    quality: string("quality", "auto"),
    sampleRate: checks.optional(values["sampleRate"], sampleRate) ?? SAMPLE_RATE,
    // The library rejects unknown values.
    encoding: string("encoding", "pcm16") as Encoding,
    rate: number("rate", 1),
    pitch: number("pitch", 0),
    volume: number("volume", 0),
    ssml: flag("ssml", false),
    readPauses: flag("readPauses", true),
    readEmoji: flag("readEmoji", false),
    readRomanizedHindi: flag("readRomanizedHindi", true),
    pronunciations: checks.pronunciations(values["pronunciations"]),
    lexicons: lexicons(values["lexicons"]),
  };
  return [request, checks.signal(values["signal"])];
}

/** A whole number; the library rejects unsupported rates. */
const sampleRate = (value: unknown): number => checks.integer("sampleRate", value, 1, 2 ** 32 - 1);

function lexicons(value: unknown): RawLexicon[] {
  if (value === undefined) return [];
  const lexicons = Array.isArray(value) ? Array.from(value, Lexicon.raw) : [undefined];
  if (lexicons.includes(undefined)) throw invalidRequest("lexicons must be an array of lexicons");
  return lexicons as RawLexicon[];
}
