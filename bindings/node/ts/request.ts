import * as checks from "./checks.js";
import { invalidRequest, unwrap } from "./errors.js";
import { type RawRequest, native } from "./native.js";

/** The languages that can be spoken. */
export type Language = "en-US" | "hi-IN";

/** The voices. */
export type VoiceId = "aria" | "jason" | "john" | "leo" | "sofia";

/** A text to speak and how to speak it. Other fields are refused, and so is `null`; what is undefined has its default. */
export interface SpeechRequest {
  /** 1 to 1,000 characters, none of them NUL; `splitText` cuts what is longer. */
  text: string;
  /** By default `en-US`. */
  language?: Language | (string & {});
  /** By default `aria`. */
  voice?: VoiceId | (string & {});
  /** How a service delivers the speech; `synthesize` and `stream` do not depend on it. By default `wav`. */
  format?: "wav" | "pcm" | (string & {});
  /**
   * `standard`, the default, or `low`: then a stream gives the first half second of a long first sentence before the rest.
   * `synthesize` refuses `low`.
   */
  latency?: "standard" | "low" | (string & {});
  /** Whether emoji are read by their names. By default they are skipped, and listed in the diagnostics. */
  readEmoji?: boolean;
  /** Whether Hindi that is typed in Latin letters is read as Hindi. By default it is; else its words are read as English. */
  readRomanizedHindi?: boolean;
}

/**
 * Reads a request from the JSON that a service is sent. Fields that it does not know are ignored.
 *
 * @throws {SpeechError} `invalid_request` for malformed JSON, a missing `text`, a field that is not a string and an
 * unsupported value; `empty_text` or `text_too_long`.
 */
export function parseRequest(json: string | Uint8Array): SpeechRequest {
  if (typeof json !== "string" && !(json instanceof Uint8Array)) {
    throw invalidRequest("the body must be a string or bytes");
  }
  const bytes = Buffer.from(json as string);
  unwrap(native.checkJson(bytes));
  const fields = JSON.parse(bytes.toString()) as SpeechRequest & {
    read_emoji?: boolean;
    read_romanized_hindi?: boolean;
  };
  const { text, language, voice, format, latency, read_emoji: readEmoji } = fields;
  const { read_romanized_hindi: readRomanizedHindi } = fields;
  const choices = Object.entries({ language, voice, format, latency, readEmoji, readRomanizedHindi });
  return { text, ...Object.fromEntries(choices.filter(([, value]) => value !== undefined)) };
}

/** The names of all fields of a request. */
const FIELDS = ["text", "language", "voice", "format", "latency", "readEmoji", "readRomanizedHindi"];

/** The request for the native module, with its types checked and its defaults filled in. */
export function rawRequest(request: string | SpeechRequest): RawRequest {
  const fields = typeof request === "string" ? { text: request } : object(request);
  if (fields["text"] === undefined) throw invalidRequest("text is missing");
  const string = (name: string, fallback: string) =>
    checks.optional(fields[name], (value) => checks.string(name, value)) ?? fallback;
  const flag = (name: string, fallback: boolean) =>
    checks.optional(fields[name], (value) => checks.boolean(name, value)) ?? fallback;
  return {
    text: checks.string("text", fields["text"]),
    language: string("language", "en-US"),
    voice: string("voice", "aria"),
    format: string("format", "wav"),
    latency: string("latency", "standard"),
    readEmoji: flag("readEmoji", false),
    readRomanizedHindi: flag("readRomanizedHindi", true),
  };
}

function object(request: unknown): Record<string, unknown> {
  if (checks.hasFields(request)) return checks.onlyKnown("field", request, FIELDS);
  throw invalidRequest("text must be a string, or a request with one");
}
