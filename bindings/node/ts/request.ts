import * as checks from "./checks.js";
import { invalidRequest, unwrap } from "./errors.js";
import { type RawRequest, native } from "./native.js";

/** The languages that can be spoken. */
export type Language = "en-US" | "hi-IN";

/** The voices. */
export type VoiceId = "aria" | "jason" | "john" | "leo" | "sofia";

/**
 * Which networks compute the speech: `full`; `fast`, with the timings and the melody of `full` at a fraction of its cost;
 * `light`, for phones, boards and long texts; `auto`, the best of them that the voice bundle has for the voice and the
 * language.
 */
export type Quality = "auto" | "full" | "fast" | "light";

/** How a text is spoken. What is undefined has its default; other fields are refused, and so is `null`. */
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
}

/** A text of any length and how it is spoken. */
export interface LongRequest extends SpeechSettings {
  /** 1 character or more, none of them NUL. */
  text: string;
}

/** A text to speak and how to speak it. */
export interface SpeechRequest extends SpeechSettings {
  /** 1 to 1,000 characters, none of them NUL; `streamLong` speaks what is longer, and `splitText` cuts it. */
  text: string;
  /** How a service delivers the speech; `synthesize` and `stream` do not depend on it. By default `wav`. */
  format?: "wav" | "pcm" | (string & {}) | undefined;
  /** Whether the text is a document of SSML 1.1. By default it is not. */
  ssml?: boolean | undefined;
}

/**
 * Reads a request from the JSON that a service is sent. Fields that it does not know are ignored.
 *
 * @throws {SpeechError} `invalid_request` for malformed JSON, a missing `text`, a field of the wrong type and an
 * unsupported value; `empty_text` or `text_too_long`.
 */
export function parseRequest(json: string | Uint8Array): SpeechRequest {
  if (typeof json !== "string" && !(json instanceof Uint8Array)) {
    throw invalidRequest("the body must be a string or bytes");
  }
  const bytes = Buffer.from(json as string);
  unwrap(native.checkJson(bytes));
  const fields = JSON.parse(bytes.toString()) as Record<string, unknown>;
  const known = FIELDS.map((name) => [name, fields[jsonName(name)]] as const);
  return Object.fromEntries(known.filter(([, value]) => value !== undefined)) as unknown as SpeechRequest;
}

/** The names of the fields that say how a text is spoken. */
const SETTINGS = [
  "language",
  "voice",
  "format",
  "latency",
  "quality",
  "rate",
  "pitch",
  "volume",
  "ssml",
  "readPauses",
  "readEmoji",
  "readRomanizedHindi",
];

/** The names of all fields of a request. */
const FIELDS = ["text", ...SETTINGS];

/** The name of a field in JSON. */
function jsonName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The request for the native module, with its types checked and its defaults filled in. */
export function rawRequest(request: string | SpeechRequest): RawRequest {
  const fields = typeof request === "string" ? { text: request } : object(request);
  if (fields["text"] === undefined) throw invalidRequest("text is missing");
  return checkedRequest(fields);
}

/** The same of settings alone, whose text is empty. */
export function rawSettings(settings: SpeechSettings | undefined): RawRequest {
  return checkedRequest({ ...checks.options("settings", settings, SETTINGS), text: "" });
}

function checkedRequest(fields: Record<string, unknown>): RawRequest {
  const string = (name: string, fallback: string) =>
    checks.optional(fields[name], (value) => checks.string(name, value)) ?? fallback;
  const number = (name: string, fallback: number) =>
    checks.optional(fields[name], (value) => checks.number(name, value)) ?? fallback;
  const flag = (name: string, fallback: boolean) =>
    checks.optional(fields[name], (value) => checks.boolean(name, value)) ?? fallback;
  return {
    text: checks.string("text", fields["text"]),
    language: string("language", "en-US"),
    voice: string("voice", "aria"),
    format: string("format", "wav"),
    latency: string("latency", "standard"),
    quality: string("quality", "auto"),
    rate: number("rate", 1),
    pitch: number("pitch", 0),
    volume: number("volume", 0),
    ssml: flag("ssml", false),
    readPauses: flag("readPauses", true),
    readEmoji: flag("readEmoji", false),
    readRomanizedHindi: flag("readRomanizedHindi", true),
  };
}

function object(request: unknown): Record<string, unknown> {
  if (checks.hasFields(request)) return checks.onlyKnown("field", request, FIELDS);
  throw invalidRequest("text must be a string, or a request with one");
}
