import * as checks from "./checks.js";
import type { Encoding } from "./encoding.js";
import { invalidRequest } from "./errors.js";
import { Lexicon } from "./lexicon.js";
import type { RawLexicon } from "./platform.js";
import { SAMPLE_RATE } from "./wav.js";

/** The languages that can be spoken. */
export type Language = "en-US" | "hi-IN";

/** The voices. */
export type VoiceId = "aria" | "jason" | "john" | "leo" | "sofia";

/**
 * Which networks compute the speech: `full`; `fast`, with the timings and the melody of `full` at a fraction of its cost;
 * `light`, for phones, boards, browsers and long texts; `auto`, the best of them that the voice bundle has for the voice and the
 * language.
 */
export type Quality = "auto" | "full" | "fast" | "light";

/** The samples of a second, in hertz. */
export type SampleRate = 8_000 | 16_000 | 22_050 | 24_000 | 44_100 | 48_000;

/** How a text is spoken. What is undefined has its default; other options are refused, and so is `null`. */
export interface SpeechSettings {
  /** By default `en-US`. */
  language?: Language | (string & {}) | undefined;
  /** By default `aria`. */
  voice?: VoiceId | (string & {}) | undefined;
  /**
   * `standard`, the default, or `low`: then a stream gives the first half second of a long first sentence before the rest,
   * and a live stream the beginning of a sentence before its end has arrived. `synthesize` refuses `low`.
   */
  latency?: "standard" | "low" | (string & {}) | undefined;
  /** By default `auto`. What the voice bundle lacks is refused: `engine.qualities` lists what it has. */
  quality?: Quality | (string & {}) | undefined;
  /**
   * The samples of a second. By default 22,050. Speech is computed at 24,000 Hz, and converted to another rate once. Others are
   * refused.
   */
  sampleRate?: SampleRate | (number & {}) | undefined;
  /** What a sample is in the bytes and in the file; the samples have 16 bits. By default `pcm16`. */
  encoding?: Encoding | (string & {}) | undefined;
  /** How fast it is read, 0.5 to 2: a factor of the voice's own speed. By default 1. */
  rate?: number | undefined;
  /** How much higher than the voice's own the pitch is, -6 to 6 semitones. By default 0. */
  pitch?: number | undefined;
  /**
   * How much louder than the voice's own it is, -40 to 12 dB. By default 0. Every sentence gets the same gain, and a
   * limiter keeps peaks from being clipped.
   */
  volume?: number | undefined;
  /** Whether `[pause 500ms]` and `[pause 1.5s]` in the text are pauses. By default they are. */
  readPauses?: boolean | undefined;
  /** Whether emoji are read by their names. By default they are skipped, and listed in the diagnostics. */
  readEmoji?: boolean | undefined;
  /** Whether Hindi that is typed in Latin letters is read as Hindi. By default it is; else its words are read as English. */
  readRomanizedHindi?: boolean | undefined;
  /**
   * Words, and how to read them in this request. They come before those of the engine. At most 200, of 16,384 bytes together.
   */
  pronunciations?: Readonly<Record<string, string>> | ReadonlyMap<string, string> | undefined;
}

/** Options of speech whose text arrives in pieces, or is of any length. */
export interface LiveOptions extends SpeechSettings {
  /** Lexicons, in the order in which they are searched: after the pronunciations of the request, before those of the engine. */
  lexicons?: readonly Lexicon[] | undefined;
  /**
   * Cancels the request, even inside a running computation: it is rejected with an `AbortError`, a `SpeechError` with `cancelled`.
   * In a page that is not cross-origin isolated the computation itself goes on to the end of its sentence.
   */
  signal?: AbortSignal | undefined;
}

/** Options of a request. */
export interface SpeechOptions extends LiveOptions {
  /** Whether the text is a document of SSML 1.1. By default it is not. */
  ssml?: boolean | undefined;
}

/** A request with every field, as the library reads it. */
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

/** The names of the options that say how a text is spoken, which JSON can have too. */
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

/** A request with its types checked and its defaults filled in, and what cancels it. */
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
    // The library refuses what is none.
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

/** A whole number; the library refuses one that is no rate. */
const sampleRate = (value: unknown): number => checks.integer("sampleRate", value, 1, 2 ** 32 - 1);

function lexicons(value: unknown): RawLexicon[] {
  if (value === undefined) return [];
  const lexicons = Array.isArray(value) ? Array.from(value, Lexicon.raw) : [undefined];
  if (lexicons.includes(undefined)) throw invalidRequest("lexicons must be an array of lexicons");
  return lexicons as RawLexicon[];
}
